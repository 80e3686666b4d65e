"""Settings of ``accelerate launch`` for a CPU, one GPU, eight GPUs: files beside this one."""

from __future__ import annotations

from importlib import resources
from typing import Final

from prandial.errors import NotFoundError

__all__ = ["MACHINES", "launch_config"]

MACHINES: Final = ("cpu", "one-gpu", "eight-gpus")


def launch_config(machine: str) -> str:
    """Return the YAML text for a machine.

    Raises
    ------
    NotFoundError
        For one that there is no file for.
    """
    if machine not in MACHINES:
        raise NotFoundError(
            f"no settings for {machine!r}", where="machine", hint="one of: " + ", ".join(MACHINES)
        )
    file = resources.files("prandial.train") / "launch" / f"{machine}.yaml"
    return file.read_text(encoding="utf-8")
