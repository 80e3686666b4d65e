"""The queue of mappings: foods of a GIFT survey beside the foods that they were taken for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prandial.bench.nutribench.inputs import find_recalls, is_gift
from prandial.bench.nutribench.parts import map_foods
from prandial.compose.mapping import write_review
from prandial.errors import InputError
from prandial.sources.gift import read_gift

__all__ = ["MappedFoods", "export_mapping"]


@dataclass(frozen=True, kw_only=True, slots=True)
class MappedFoods:
    """What was put into the queue: foods, those mapped, and those that deserve a look."""

    output: Path
    foods: int
    mapped: int
    flagged: int

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "output": str(self.output),
            "foods": self.foods,
            "mapped": self.mapped,
            "flagged": self.flagged,
        }


def export_mapping(
    survey: str, output: Path, *, root: Path, encoder: str, replace_old: bool = False
) -> MappedFoods:
    """Map the foods of a survey of GIFT to FNDDS and SR and write them as a queue for people.

    Parameters
    ----------
    survey : str
        Such as ``BOL-00006``.
    output : Path
        ``.csv`` or ``.jsonl``; filled, it goes to ``--mapping`` of a build.
    root : Path
        Holds ``gift/``.
    encoder : str
        Name of weights, or a folder.
    replace_old : bool
        Write over a file that is there.

    Raises
    ------
    InputError
        On what is no survey of GIFT, or a file that is there already.
    MissingDataError
        When the survey or the weights are not there.
    """
    if not is_gift(survey):
        raise InputError(
            f"{survey!r} is no survey of GIFT", where="survey", hint="such as BOL-00006"
        )
    if output.exists() and not replace_old:
        raise InputError(
            "the file is there already", where=str(output), hint="name a new file, or --replace"
        )
    (folder,) = find_recalls(root, [survey]).gift
    mapped = map_foods(read_gift(folder.path, cycle=survey), encoder)
    write_review(mapped, output)
    return MappedFoods(
        output=output,
        foods=len(mapped),
        mapped=sum(m.match is not None for m in mapped),
        flagged=sum(bool(m.flags) or m.match is None for m in mapped),
    )
