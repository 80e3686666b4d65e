"""``python -m prandial``: the command line."""

from prandial.cli import main

if __name__ == "__main__":
    main()
