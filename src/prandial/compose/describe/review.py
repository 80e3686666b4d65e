"""People's word on descriptions: rows that fail or are in doubt go out, decisions come in.

A row shows the items, the text and what the verifier says. A reviewer keeps it, rejects it or
writes a better text. The time of a decision is what the reviewer wrote, never a clock's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Final, Literal

from prandial.compose.describe.amounts import grams_text
from prandial.compose.describe.stating import ItemToState, Verification
from prandial.compose.describe.verify import verify_text
from prandial.compose.queues import read_queue, write_queue
from prandial.errors import InputError, NotFoundError, PrandialError
from prandial.score.agreement import cohens_kappa, krippendorffs_alpha

__all__ = [
    "Decision",
    "DecisionAgreement",
    "ReviewRow",
    "Settled",
    "agreement_of_decisions",
    "read_decisions",
    "review_rows",
    "settle",
    "write_review",
]

Word = Literal["keep", "reject", "correct"]
_WORDS: Final = ("keep", "reject", "correct")
_SHOWN: Final = ("id", "state", "text", "items", "reasons", "doubts")
#: left empty for the reviewer
_ASKED: Final = ("reviewer", "when", "decision", "corrected_text", "why")


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewRow:
    """A description as a reviewer sees it.

    ``state`` is ``failed`` (the verifier found faults) or ``uncertain`` (doubts only).
    """

    id: str
    state: Literal["failed", "uncertain"]
    text: str
    items: tuple[str, ...]
    reasons: tuple[str, ...]
    doubts: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form, with the cells that the reviewer fills."""
        shown = {n: getattr(self, n) for n in _SHOWN}
        cells = {n: list(v) if isinstance(v, tuple) else v for n, v in shown.items()}
        return cells | dict.fromkeys(_ASKED, "")


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """One reviewer's word on one row.

    Parameters
    ----------
    id, reviewer, when : str
        Of the row; who; when, as written (such as ``2026-03-01``).
    decision : {'keep', 'reject', 'correct'}
    text : str
        The better text of ``correct``, else empty.
    why : str

    Raises
    ------
    InputError
        On an empty id, reviewer or date, another word, a correction without its text.
    """

    id: str
    reviewer: str
    when: str
    decision: Word
    text: str = ""
    why: str = ""

    def __post_init__(self) -> None:
        for name in ("id", "reviewer", "when"):
            if not getattr(self, name).strip():
                raise InputError(f"a decision without {name}", where=self.id or "review")
        if self.decision not in _WORDS:
            raise InputError(
                f"decision {self.decision!r}", where=self.id, hint="one of " + ", ".join(_WORDS)
            )
        if (self.decision == "correct") != bool(self.text.strip()):
            raise InputError(
                "a corrected text and the decision 'correct' go together",
                where=self.id,
                hint="write the text, or decide keep or reject",
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class Settled:
    """What became of the rows.

    Parameters
    ----------
    texts : mapping of str to str
        Text by id of rows kept or corrected.
    rejected, open, unreviewed : tuple of str
        Ids: rejected; reviewers differ, or a corrected text still fails; nobody looked.
    failing : mapping of str to tuple of str
        Corrected texts that still fail, and why.
    """

    texts: Mapping[str, str]
    rejected: tuple[str, ...]
    open: tuple[str, ...]
    unreviewed: tuple[str, ...]
    failing: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class DecisionAgreement:
    """How far reviewers agree on keep, reject, correct; None where a coefficient is not defined.

    ``shared`` rows have two reviewers or more, ``equal`` of them one and the same word.
    """

    reviewers: tuple[str, ...]
    rows: int
    shared: int
    equal: int
    alpha: float | None
    kappas: Mapping[tuple[str, str], tuple[float | None, int]]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "reviewers": list(self.reviewers),
            "rows": self.rows,
            "shared": self.shared,
            "equal": self.equal,
            "krippendorff_alpha": self.alpha,
            "cohen_kappa": [
                {"reviewers": list(pair), "kappa": kappa, "rows": n}
                for pair, (kappa, n) in self.kappas.items()
            ],
        }


def review_rows(
    checked: Iterable[tuple[str, Sequence[ItemToState], Verification]], *, doubts: bool = True
) -> list[ReviewRow]:
    """Return the descriptions that deserve a look: those that fail, then those in doubt.

    Parameters
    ----------
    checked : iterable of (str, sequence of ItemToState, Verification)
        Id, items and outcome of each description.
    doubts : bool
        Whether texts without faults but with doubts are among them.
    """
    out = []
    for name, items, found in checked:
        if found.passed and not (doubts and found.doubts):
            continue
        out.append(
            ReviewRow(
                id=name,
                state="uncertain" if found.passed else "failed",
                text=found.text,
                items=tuple(_item_text(i) for i in items),
                reasons=found.reasons,
                doubts=tuple(f.reason for f in found.doubts),
            )
        )
    return sorted(out, key=lambda r: (r.state != "failed", r.id))


def _item_text(item: ItemToState) -> str:
    if item.servings:
        measure, times = item.servings[0]
        return f"{item.name}: {times:g} x {measure}" if times != 1 else f"{item.name}: {measure}"
    grams = "amount not known" if item.grams is None else f"{grams_text(item.grams)} g"
    return f"{item.name}: {grams}"


def write_review(rows: Sequence[ReviewRow], path: Path) -> None:
    """Write rows with empty cells for the reviewer: who, when, decision, corrected text, why.

    Parameters
    ----------
    rows : sequence of ReviewRow
    path : Path
        ``.csv``, or ``.jsonl`` for one JSON object a line.

    Raises
    ------
    InputError
        On another ending, or when the file cannot be written.
    """
    write_queue(Path(path), (*_SHOWN, *_ASKED), (r.to_dict() for r in rows))


def read_decisions(
    path: Path, known: Mapping[str, str] | None = None
) -> tuple[list[Decision], list[str]]:
    """Read the decisions that were filled into a review file.

    Rows without a reviewer and a decision were not looked at and are passed over.

    Parameters
    ----------
    path : Path
        CSV or JSON lines, as :func:`write_review` writes them.
    known : mapping of str to str, optional
        Ids that may be decided on, and the text that each decision must be on; any when None.

    Returns
    -------
    decisions : list of Decision
    problems : list of str
        What is wrong with rows that were filled in but cannot be taken, each with its place.

    Raises
    ------
    NotFoundError, InputError, SchemaError
        When there is no such file, it cannot be read, or it lacks a column.
    """
    decisions: list[Decision] = []
    problems: list[str] = []
    for place, said in read_queue(Path(path), ("id", "text", *_ASKED)):
        if not said["reviewer"] and not said["decision"]:
            continue
        if known is not None and said["id"] not in known:
            problems.append(
                f"{place}: no row {said['id']!r} among the texts of this build that fail or are"
                " in doubt"
            )
            continue
        if known is not None and said["text"].split() != known[said["id"]].split():
            problems.append(
                f"{place}: the text of {said['id']!r} is another in this build; export the queue"
                " of this build, and leave its column text as it is"
            )
            continue
        try:
            decisions.append(
                Decision(
                    id=said["id"],
                    reviewer=said["reviewer"],
                    when=said["when"],
                    decision=said["decision"].casefold(),  # type: ignore[arg-type]
                    text=said["corrected_text"],
                    why=said["why"],
                )
            )
        except PrandialError as error:
            problems.append(f"{place}: {error}")
    return decisions, problems


def settle(
    rows: Sequence[ReviewRow],
    decisions: Iterable[Decision],
    items: Mapping[str, Sequence[ItemToState]],
) -> Settled:
    """Return final texts: where all reviewers of a row say the same, that holds.

    Of several words of a reviewer on a row the last in order counts. Corrected texts are
    verified again; one that still fails leaves its row open.

    Parameters
    ----------
    rows : sequence of ReviewRow
    decisions : iterable of Decision
    items : mapping of str to sequence of ItemToState
        By id, to verify corrected texts.

    Raises
    ------
    NotFoundError
        On a decision about a row that is not there.
    """
    by_row: dict[str, dict[str, Decision]] = {r.id: {} for r in rows}
    for one in decisions:
        if one.id not in by_row:
            raise NotFoundError(
                f"no row {one.id!r}", where=f"decision by {one.reviewer}",
                hint="import decisions of this export only",
            )  # fmt: skip
        by_row[one.id][one.reviewer] = one
    texts: dict[str, str] = {}
    failing: dict[str, tuple[str, ...]] = {}
    out: dict[str, list[str]] = {"rejected": [], "open": [], "unreviewed": []}
    for row in rows:
        said = {(d.decision, d.text.strip()) for d in by_row[row.id].values()}
        if len(said) != 1:
            out["open" if said else "unreviewed"].append(row.id)
            continue
        word, text = said.pop()
        faults = verify_text(text, items[row.id]).reasons if word == "correct" else ()
        if faults:
            failing[row.id] = faults
            out["open"].append(row.id)
        elif word == "reject":
            out["rejected"].append(row.id)
        else:
            texts[row.id] = text or row.text
    return Settled(
        texts=texts,
        rejected=tuple(out["rejected"]),
        open=tuple(out["open"]),
        unreviewed=tuple(out["unreviewed"]),
        failing=failing,
    )


def agreement_of_decisions(decisions: Iterable[Decision]) -> DecisionAgreement:
    """Return how far reviewers agree; the last word of a reviewer on a row counts.

    Raises
    ------
    MissingDataError
        When the library ``krippendorff`` is not installed.
    """
    last = {(d.id, d.reviewer): d.decision for d in decisions}
    ids = sorted({i for i, _ in last})
    people = sorted({p for _, p in last})
    words = {i: [last[i, p] for p in people if (i, p) in last] for i in ids}
    shared = [w for w in words.values() if len(w) > 1]
    kappas = {}
    for one, other in combinations(people, 2):
        pairs = [
            (str(last[i, one]), str(last[i, other]))
            for i in ids
            if (i, one) in last and (i, other) in last
        ]
        kappas[one, other] = (cohens_kappa(pairs), len(pairs))
    return DecisionAgreement(
        reviewers=tuple(people),
        rows=len(ids),
        shared=len(shared),
        equal=sum(len(set(w)) == 1 for w in shared),
        alpha=krippendorffs_alpha([[last.get((i, p)) for i in ids] for p in people]),
        kappas=kappas,
    )
