"""Prompts as text files: read, replaced by a user's file, hashed.

A prompt is ``prompts/NAME.txt``; ``{{field}}`` in it is filled in, all else stands as it is.
Nothing that is filled in is looked at again, so that a meal that says ``{{facts}}`` stays text.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final

from prandial.errors import InputError, NotFoundError

__all__ = ["Prompts", "fill", "prompt_names", "sha256_of"]

_FIELD: Final = re.compile(r"\{\{([a-z_]+)\}\}")


def prompt_names() -> tuple[str, ...]:
    """Return the names of all prompts that are shipped, sorted."""
    folder = files("prandial.answer") / "prompts"
    return tuple(sorted(f.name[:-4] for f in folder.iterdir() if f.name.endswith(".txt")))


def sha256_of(text: str) -> str:
    """Return the SHA-256 of a prompt's UTF-8 text in hex."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def fill(prompt: str, fields: Mapping[str, str]) -> str:
    """Fill in the fields of a prompt.

    Raises
    ------
    InputError
        When the prompt names a field that is not given.
    """

    def one(match: re.Match[str]) -> str:
        if match[1] not in fields:
            raise InputError(
                f"the prompt asks for {{{{{match[1]}}}}}",
                where="prompt",
                hint="it may use: " + ", ".join(f"{{{{{f}}}}}" for f in fields),
            )
        return fields[match[1]]

    return _FIELD.sub(one, prompt).strip()


class Prompts:
    """The prompts of a run.

    Parameters
    ----------
    replaced : mapping of str to Path, optional
        Prompt name to a user's file that stands in its place.

    Raises
    ------
    NotFoundError, InputError
        On a name that is not shipped, and a file that cannot be read as UTF-8 text.
    """

    def __init__(self, replaced: Mapping[str, Path] | None = None) -> None:
        known = prompt_names()
        self._texts: dict[str, str] = {}
        for name, path in (replaced or {}).items():
            if name not in known:
                raise NotFoundError(
                    f"no prompt {name!r}", where="prompt", hint="known: " + ", ".join(known)
                )
            try:
                self._texts[name] = path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise InputError(
                    "the prompt cannot be read as UTF-8 text", where=str(path), hint=str(error)
                ) from error

    def __getitem__(self, name: str) -> str:
        """Return the text of a prompt."""
        if name not in self._texts:
            if name not in prompt_names():
                raise NotFoundError(
                    f"no prompt {name!r}",
                    where="prompt",
                    hint="known: " + ", ".join(prompt_names()),
                )
            file = files("prandial.answer") / "prompts" / f"{name}.txt"
            self._texts[name] = file.read_text(encoding="utf-8")
        return self._texts[name]

    def hashes(self, *names: str) -> dict[str, str]:
        """Return the SHA-256 of each prompt by name."""
        return {name: sha256_of(self[name]) for name in names}
