"""The quality report: rules with how often each holds, of how many, for which rows and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from prandial.compose.quality.again import AGAIN_RULES, Again
from prandial.compose.quality.limits import rule_words
from prandial.compose.quality.rows import CheckedMeal, checked_meals, set_name
from prandial.compose.quality.rules import ROW_RULES
from prandial.compose.written.counts import UNKNOWN, items_name, slice_order
from prandial.errors import InputError
from prandial.score.answers.slices import band_of
from prandial.sources.fetch import file_sha256
from prandial.sources.nutribench.rows import open_rows

__all__ = ["SLICES", "Finding", "Hit", "QualityReport", "check_file", "check_rows"]

#: what rows are sliced by
SLICES: Final = ("serving_type", "country", "cycle", "occasion", "items", "band")


@dataclass(frozen=True, slots=True)
class Hit:
    """A row where a rule holds: the item if the rule is of items, a value or the row it repeats."""

    row: str
    item: int | None = None
    value: float | None = None
    like: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        told: dict[str, Any] = {"row": self.row}
        if self.item is not None:
            told["item"] = self.item
        if self.value is not None:
            told["value"] = round(self.value, 4)
        if self.like:
            told["like"] = self.like
        return told


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """What a rule found.

    Parameters
    ----------
    rule : str
    of : {'item', 'meal'}
    what : str
    n, checked : int
        Items or meals where it holds, and that were looked at; ``checked`` 0 means not checked.
    n_rows : int
        Rows where it holds.
    hits : tuple of Hit
        All of them, in order.
    """

    rule: str
    of: str
    what: str
    n: int
    checked: int
    n_rows: int
    hits: tuple[Hit, ...]

    @property
    def share(self) -> float | None:
        """Share of what was looked at; None where nothing was."""
        return self.n / self.checked if self.checked else None


@dataclass(frozen=True, kw_only=True, slots=True)
class QualityReport:
    """Findings of one set of rows.

    Parameters
    ----------
    name : str
    files : mapping of str to str
        File name to sha256; empty when rows did not come from a file.
    rows, items : int
    items_known : int
        Rows of which the items are counted.
    findings : tuple of Finding
        One a rule, in the order of the rule table.
    slices : mapping
        Slice to its values, each to ``rows`` and per rule (n, checked).
    highest : mapping
        Label to (value, row) of the largest.
    """

    name: str
    files: Mapping[str, str]
    rows: int
    items: int
    items_known: int
    findings: tuple[Finding, ...]
    slices: Mapping[str, Mapping[str, Mapping[str, Any]]]
    highest: Mapping[str, tuple[float, str]]

    def finding(self, rule: str) -> Finding:
        """Return the finding of a rule.

        Raises
        ------
        InputError
            When there is no such rule.
        """
        for one in self.findings:
            if one.rule == rule:
                return one
        raise InputError(
            f"no rule {rule!r}", where="rule", hint=", ".join(f.rule for f in self.findings)
        )

    def to_dict(self, *, most_hits: int | None = None) -> dict[str, Any]:
        """Return the JSON form, with up to so many hits a rule (None: all)."""
        return {
            "name": self.name,
            "files": dict(self.files),
            "rows": self.rows,
            "items": self.items,
            "rows_with_items": self.items_known,
            "findings": [
                {
                    "rule": f.rule,
                    "of": f.of,
                    "what": f.what,
                    "n": f.n,
                    "checked": f.checked,
                    "rows": f.n_rows,
                    "hits": [h.to_dict() for h in f.hits[:most_hits]],
                }
                for f in self.findings
            ],
            "slices": {k: {v: dict(c) for v, c in s.items()} for k, s in self.slices.items()},
            "highest": {k: {"value": v, "row": r} for k, (v, r) in self.highest.items()},
        }


def check_file(
    paths: Path | Sequence[Path], *, name: str = "", columns: Mapping[str, str] | None = None
) -> QualityReport:
    """Check the rows of a build's file, or of any NutriBench file or files, as a stream.

    Parameters
    ----------
    paths : Path or sequence of Path
    name : str
        Of the set; made of the file's name when empty.
    columns : mapping, optional
        As for :func:`prandial.sources.nutribench.read_meals`.

    Returns
    -------
    QualityReport

    Raises
    ------
    PrandialError
        As :func:`prandial.compose.quality.checked_meals`; a file without rows.
    """
    files = [paths] if isinstance(paths, Path) else list(paths)
    known = name or set_name(files[0])
    for path in files:
        open_rows(path)  # says what is wrong with a file before it is read whole

    def rows() -> Iterable[CheckedMeal]:
        for path in files:
            beside = f"{known}-{path.stem}" if len(files) > 1 else known
            yield from checked_meals(path, name=beside, columns=columns)

    return check_rows(rows(), name=known, files={p.name: file_sha256(p) for p in files})


def check_rows(
    meals: Iterable[CheckedMeal], *, name: str, files: Mapping[str, str] | None = None
) -> QualityReport:
    """Check rows as they come.

    Parameters
    ----------
    meals : iterable of CheckedMeal
    name : str
    files : mapping, optional
        File name to sha256.

    Returns
    -------
    QualityReport

    Raises
    ------
    InputError
        When there are no rows.
    """
    tally = _Tally()
    for meal in meals:
        tally.add(meal)
    if not tally.ids:
        raise InputError("no rows to check", where=name, hint="one row a meal")
    tally.close()
    return QualityReport(
        name=name,
        files=dict(files or {}),
        rows=len(tally.ids),
        items=tally.items,
        items_known=tally.items_known,
        findings=tuple(_finding(rule, tally) for rule in rule_words()),
        slices=_sliced(tally),
        highest=tally.highest,
    )


def _finding(rule: str, tally: _Tally) -> Finding:
    hits = tally.hits[rule]
    of, what = rule_words()[rule]
    return Finding(
        rule=rule,
        of=of,
        what=what,
        n=len(hits),
        checked=tally.checked[rule],
        n_rows=len({h.row for h in hits}),
        hits=tuple(hits),
    )


def _sliced(tally: _Tally) -> dict[str, dict[str, dict[str, Any]]]:
    """Sum the cells of rows alike up to slices."""
    sums: dict[str, dict[str, _Cell]] = {name: {} for name in SLICES}
    for key, cell in tally.cells.items():
        for name, value in zip(SLICES, key, strict=True):
            sums[name].setdefault(value, _Cell()).take(cell)
    return {
        name: {value: cells[value].to_dict() for value in sorted(cells, key=slice_order)}
        for name, cells in sums.items()
    }


@dataclass(slots=True)
class _Cell:
    """Rows that are alike in all slices: how many, and per rule found and looked at."""

    rows: int = 0
    n: Counter[str] = field(default_factory=Counter)
    checked: Counter[str] = field(default_factory=Counter)

    def take(self, other: _Cell) -> None:
        self.rows += other.rows
        self.n.update(other.n)
        self.checked.update(other.checked)

    def to_dict(self) -> dict[str, Any]:
        rules = [r for r in rule_words() if self.checked[r]]
        return {"rows": self.rows, **{r: [self.n[r], self.checked[r]] for r in rules}}


_Key = tuple[str, ...]


class _Tally:
    """What is counted while rows go by."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.items = self.items_known = 0
        self.hits: dict[str, list[Hit]] = {rule: [] for rule in rule_words()}
        self.checked: Counter[str] = Counter()
        self.cells: dict[_Key, _Cell] = {}
        self.highest: dict[str, tuple[float, str]] = {}
        self._again = Again()
        self._cell_of: list[_Cell] = []

    def add(self, meal: CheckedMeal) -> None:
        self.ids.append(meal.id)
        cell = self.cells.setdefault(_key(meal), _Cell())
        cell.rows += 1
        self._cell_of.append(cell)
        if meal.items is not None:
            self.items += meal.items
            self.items_known += 1
        for label, value in meal.labels.items():
            if label not in self.highest or value > self.highest[label][0]:
                self.highest[label] = (value, meal.id)
        for name, rule in ROW_RULES.items():
            looked = rule(meal)
            if looked.checked:
                cell.checked[name] += looked.checked
                self.checked[name] += looked.checked
            for item, value in looked.hits:
                cell.n[name] += 1
                self.hits[name].append(Hit(meal.id, item, value))
        self._again.add(meal)

    def close(self) -> None:
        """Find the rows that came before."""
        for rule in AGAIN_RULES:
            for place in self._again.checked(rule):
                self._cell_of[place].checked[rule] += 1
                self.checked[rule] += 1
            for place, first in self._again.found(rule):
                self._cell_of[place].n[rule] += 1
                self.hits[rule].append(Hit(self.ids[place], like=self.ids[first]))


def _key(meal: CheckedMeal) -> _Key:
    carb_g = meal.labels.get("carb_g")
    return (
        meal.serving or UNKNOWN,
        meal.country or UNKNOWN,
        meal.cycle or UNKNOWN,
        meal.occasion or UNKNOWN,
        items_name(meal.items),
        UNKNOWN if carb_g is None else band_of(carb_g, "carb_g"),
    )
