"""The version of this package, in one place."""

from typing import Final

__all__ = ["VERSION"]

VERSION: Final = "0.1.0"
