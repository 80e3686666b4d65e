"""Which rows of a build are in known files: as texts, nearly so, or as meals."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal, get_args

from prandial.compose.leaks.near import KnownTexts
from prandial.compose.quality import CheckedMeal, checked_meals, plain_text, set_name
from prandial.errors import InputError
from prandial.sources.fetch import file_sha256
from prandial.sources.nutribench import LABELS

__all__ = [
    "KINDS",
    "NEAR",
    "Leak",
    "LeakKind",
    "LeakReport",
    "check_leaks",
    "known_meals",
    "labels_key",
    "leaks_of_files",
]

#: ``same_text``: letter by letter; ``same_words``: but for capitals, punctuation and the writing
#: of numbers and grams; ``near_text``: a share of the word pairs; ``same_meal``: the same foods in
#: the same grams; ``same_foods_and_labels``: the same foods and all four labels, where one side
#: does not tell the grams
LeakKind = Literal["same_text", "same_words", "near_text", "same_meal", "same_foods_and_labels"]
KINDS: Final[tuple[LeakKind, ...]] = get_args(LeakKind)
TEXT_KINDS: Final = KINDS[:3]
#: share of word pairs from which texts are near: about two of twenty words changed
NEAR: Final = 0.6
_AT_ONCE: Final = 4000
_DECIMALS: Final = {"carb_g": 2, "protein_g": 2, "fat_g": 2, "energy_kcal": 1}
_COLUMNS: Final = ("row", "kind", "known", "share")


@dataclass(frozen=True, slots=True)
class Leak:
    """A row and the known row that it repeats most; the first of several alike."""

    row: str
    kind: LeakKind
    known: str
    share: float


@dataclass(frozen=True, kw_only=True, slots=True)
class LeakReport:
    """Rows of a set that known files hold.

    Parameters
    ----------
    name, against : str
    files : mapping of str to str
        Every file that was read, to its sha256.
    least : float
        Share of word pairs in common from which texts are near.
    rows, known_rows : int
    checked : mapping of LeakKind to int
        Rows that could be compared so.
    leaks : tuple of Leak
        One a row and kind, in the order of the rows; a text is of the closest kind only.
    """

    name: str
    against: str
    files: Mapping[str, str]
    least: float
    rows: int
    known_rows: int
    checked: Mapping[LeakKind, int]
    leaks: tuple[Leak, ...]

    def rows_of(self, *kinds: LeakKind) -> frozenset[str]:
        """Return the ids of the rows with a leak of some kinds, of any when none is named."""
        wanted = kinds or KINDS
        return frozenset(one.row for one in self.leaks if one.kind in wanted)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form, without the list."""
        found = Counter(one.kind for one in self.leaks)
        return {
            "name": self.name,
            "against": self.against,
            "files": dict(self.files),
            "near_from_share": self.least,
            "rows": self.rows,
            "known_rows": self.known_rows,
            "kinds": {k: {"n": found[k], "checked": self.checked[k]} for k in KINDS},
            "rows_with_text_leak": len(self.rows_of(*TEXT_KINDS)),
        }

    def write(self, directory: Path | str) -> dict[str, Any]:
        """Write ``leaks.json`` and ``leaks.csv``; return what stands in the JSON.

        Raises
        ------
        InputError
            When the files cannot be written.
        """
        directory, body = Path(directory), self.to_dict()
        try:
            directory.mkdir(parents=True, exist_ok=True)
            with (directory / "leaks.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(_COLUMNS)
                writer.writerows([x.row, x.kind, x.known, round(x.share, 4)] for x in self.leaks)
            text = json.dumps(body, indent=1, ensure_ascii=False) + "\n"
            (directory / "leaks.json").write_text(text, encoding="utf-8")
        except OSError as error:
            raise InputError(
                "the report cannot be written", where=str(directory), hint=error.strerror or ""
            ) from error
        return body


def leaks_of_files(
    path: Path,
    known: Path | Sequence[Path],
    *,
    least: float = NEAR,
    against: str = "",
    columns: Mapping[str, str] | None = None,
) -> LeakReport:
    """Compare the rows of a file with those of known files.

    Parameters
    ----------
    path : Path
        A build's file or any NutriBench file; read as a stream.
    known : Path or sequence of Path
        Held in memory.
    least : float
    against : str
        Name of the known set; made of its files' names when empty.
    columns : mapping, optional
        Of ``path``, as for :func:`prandial.compose.quality.checked_meals`.

    Returns
    -------
    LeakReport

    Raises
    ------
    PrandialError
        As :func:`prandial.compose.quality.checked_meals`.
    """
    others = [known] if isinstance(known, Path) else list(known)
    held = [meal for other in others for meal in checked_meals(other)]
    files = {p.name: file_sha256(p) for p in (path, *others)}
    return check_leaks(
        checked_meals(path, columns=columns),
        held,
        name=set_name(path),
        against=against or ", ".join(map(set_name, others)),
        files=files,
        least=least,
    )


def check_leaks(
    meals: Iterable[CheckedMeal],
    known: Sequence[CheckedMeal],
    *,
    name: str,
    against: str,
    files: Mapping[str, str] | None = None,
    least: float = NEAR,
) -> LeakReport:
    """Compare rows, as they come, with known ones.

    Parameters
    ----------
    meals : iterable of CheckedMeal
    known : sequence of CheckedMeal
    name, against : str
    files : mapping, optional
    least : float
        Share of word pairs in common (Jaccard) from which texts are near.

    Returns
    -------
    LeakReport

    Raises
    ------
    InputError
        On a share that is not above 0 and up to 1, or nothing to compare.
    """
    held = _Held(known, least)
    checked: Counter[LeakKind] = Counter()
    leaks: list[Leak] = []
    rows = 0
    stream = iter(meals)
    while some := list(islice(stream, _AT_ONCE)):
        rows += len(some)
        near = held.nearest([m.text for m in some])
        for place, meal in enumerate(some):
            leaks += held.leaks(meal, near.get(place), checked)
    if not rows or not known:
        raise InputError(
            "nothing to compare", where=name if not rows else against, hint="name another file"
        )
    return LeakReport(
        name=name,
        against=against,
        files=dict(files or {}),
        least=least,
        rows=rows,
        known_rows=len(known),
        checked={kind: checked[kind] for kind in KINDS},
        leaks=tuple(leaks),
    )


def _grams_key(meal: CheckedMeal) -> str:
    grams = meal.grams
    if not meal.names or grams is None or None in grams:
        return ""
    pairs = zip(meal.names, grams, strict=True)
    return "\n".join(sorted(f"{n.casefold()}|{g:.1f}" for n, g in pairs if g is not None))


def labels_key(names: Sequence[str], labels: Mapping[str, float]) -> str:
    """Return the same text for meals of the same foods and labels.

    Parameters
    ----------
    names : sequence of str
        Of the foods, in any order.
    labels : mapping of str to float
        Of the meal.

    Returns
    -------
    str
        Empty where a label or all foods are not told, or all labels are 0.
    """
    if not names or any(n not in labels for n in LABELS):
        return ""
    if not any(labels.values()):
        return ""  # water of any amount
    told = [f"{labels[n]:.{_DECIMALS[n]}f}" for n in LABELS]
    return "\n".join((*told, *sorted(n.casefold() for n in names)))


def _labels_key(meal: CheckedMeal) -> str:
    return labels_key(meal.names or (), meal.labels)


def known_meals(files: Iterable[Path]) -> frozenset[str]:
    """Return the keys of all meals of known files; see :func:`labels_key`.

    Raises
    ------
    InputError
        When no meal of a file can be compared.
    PrandialError
        As :func:`prandial.compose.quality.checked_meals`.
    """
    out: set[str] = set()
    for path in files:
        keys = {_labels_key(m) for m in checked_meals(path)} - {""}
        if not keys:
            raise InputError(
                "no meal that could be compared",
                where=str(path),
                hint="it must tell the names of the foods and all four labels of each meal",
            )
        out |= keys
    return frozenset(out)


class _Held:
    """Known rows by what they are found by."""

    def __init__(self, known: Sequence[CheckedMeal], least: float) -> None:
        self._ids = [m.id for m in known]
        self._near = KnownTexts([m.text for m in known], least=least)
        self._texts = _firsts((m.text, m.id) for m in known)
        self._words = _firsts((plain_text(m.text), m.id) for m in known)
        self._grams = _firsts((_grams_key(m), m.id) for m in known)
        self._labels = _firsts((_labels_key(m), m.id) for m in known)

    def nearest(self, texts: Sequence[str]) -> dict[int, tuple[str, float]]:
        """Return the nearest known row of each text that has one."""
        best: dict[int, tuple[str, float]] = {}
        for place, other, share in self._near.near(texts):
            if place not in best or share > best[place][1]:
                best[place] = (self._ids[other], share)
        return best

    def leaks(
        self, meal: CheckedMeal, near: tuple[str, float] | None, checked: Counter[LeakKind]
    ) -> Iterator[Leak]:
        """Yield the leaks of a row; count what could be compared."""
        if meal.text.strip():
            checked.update(TEXT_KINDS)
            yield from self._text(meal, near)
        grams = _grams_key(meal)
        if grams and self._grams:
            checked["same_meal"] += 1
            if grams in self._grams:
                yield Leak(meal.id, "same_meal", self._grams[grams], 1.0)
                return
        labels = _labels_key(meal)
        if labels and self._labels:
            checked["same_foods_and_labels"] += 1
            if labels in self._labels:
                yield Leak(meal.id, "same_foods_and_labels", self._labels[labels], 1.0)

    def _text(self, meal: CheckedMeal, near: tuple[str, float] | None) -> Iterator[Leak]:
        if meal.text in self._texts:
            yield Leak(meal.id, "same_text", self._texts[meal.text], 1.0)
            return
        words = plain_text(meal.text)
        if words and words in self._words:
            yield Leak(meal.id, "same_words", self._words[words], 1.0)
        elif near is not None:
            yield Leak(meal.id, "near_text", *near)


def _firsts(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the first value of each key, of keys that are not empty."""
    found: dict[str, str] = {}
    for key, value in pairs:
        if key:
            found.setdefault(key, value)
    return found
