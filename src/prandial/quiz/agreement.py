"""Agreement between reviewers: Cohen's kappa by pair, Krippendorff's alpha over all.

Sources: J. Cohen, Educational and Psychological Measurement 20 (1960), 37-46;
K. Krippendorff, Content Analysis (2004), chapter 11 (nominal data, missing allowed).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from prandial.quiz.review import Review
from prandial.score.agreement import cohens_kappa, krippendorffs_alpha

__all__ = ["Agreement", "Disagreement", "agreement_of", "cohens_kappa", "krippendorffs_alpha"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Disagreement:
    """An item on which reviewers differ: annotator -> verdict, and -> tags where given."""

    id: str
    verdicts: dict[str, str]
    tags: dict[str, tuple[str, ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Agreement:
    """How far reviewers agree; a coefficient is None where it is not defined.

    Parameters
    ----------
    items : int
        Reviewed items; ``shared`` of them by two or more.
    alpha_verdicts, alpha_tags : float or None
        Krippendorff's alpha; tags are compared as whole sets.
    kappas : mapping of (str, str) to (float or None, int)
        Cohen's kappa of verdicts by pair of annotators and over how many items.
    """

    annotators: tuple[str, ...]
    items: int
    shared: int
    equal: int
    alpha_verdicts: float | None
    alpha_tags: float | None
    kappas: dict[tuple[str, str], tuple[float | None, int]]
    disagreements: tuple[Disagreement, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "annotators": list(self.annotators),
            "items": self.items,
            "shared": self.shared,
            "equal": self.equal,
            "krippendorff_alpha_verdicts": self.alpha_verdicts,
            "krippendorff_alpha_tags": self.alpha_tags,
            "cohen_kappa": [
                {"annotators": list(pair), "kappa": kappa, "items": n}
                for pair, (kappa, n) in self.kappas.items()
            ],
            "disagreements": [
                {
                    "id": d.id,
                    "verdicts": d.verdicts,
                    "tags": {k: list(v) for k, v in d.tags.items()},
                }
                for d in self.disagreements
            ],
        }


def agreement_of(reviews: Iterable[Review]) -> Agreement:
    """Return the agreement of reviews; the last word of an annotator on an item counts.

    Raises
    ------
    MissingDataError
        When the library ``krippendorff`` is not installed.
    """
    last = {(r.id, r.annotator): r for r in reviews}
    ids = sorted({i for i, _ in last})
    people = sorted({a for _, a in last})
    by_item = {i: [last[i, a] for a in people if (i, a) in last] for i in ids}
    shared = [said for said in by_item.values() if len(said) > 1]
    differing = [said for said in shared if _differ(said)]
    kappas = {}
    for one, other in combinations(people, 2):
        pairs = [
            (last[i, one].verdict, last[i, other].verdict)
            for i in ids
            if (i, one) in last and (i, other) in last
        ]
        kappas[one, other] = (cohens_kappa(pairs), len(pairs))

    def table(label: Callable[[Review], str | None]) -> list[list[str | None]]:
        return [[label(last[i, a]) if (i, a) in last else None for i in ids] for a in people]

    return Agreement(
        annotators=tuple(people),
        items=len(ids),
        shared=len(shared),
        equal=len(shared) - len(differing),
        alpha_verdicts=krippendorffs_alpha(table(lambda r: r.verdict)),
        alpha_tags=krippendorffs_alpha(table(_tag_set)),
        kappas=kappas,
        disagreements=tuple(
            Disagreement(
                id=said[0].id,
                verdicts={r.annotator: r.verdict for r in said},
                tags={r.annotator: r.tags for r in said if r.tags is not None},
            )
            for said in differing
        ),
    )


def _tag_set(review: Review) -> str | None:
    return None if review.tags is None else " ".join(sorted(set(review.tags)))


def _differ(said: list[Review]) -> bool:
    tags = {_tag_set(r) for r in said} - {None}
    return len({r.verdict for r in said}) > 1 or len(tags) > 1
