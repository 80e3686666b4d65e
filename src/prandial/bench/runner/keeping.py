"""Answers of a run as they come: kept on disk, counted, told to who watches."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from prandial.bench.runner.cost import Price, spent
from prandial.bench.runs import RunFolder
from prandial.records.bench import Prediction

__all__ = ["Hear", "Keeper", "Progress"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """Where a run is.

    Parameters
    ----------
    done, total : int
        Questions with an answer, of earlier sittings too; all.
    statuses : mapping of str to int
        Answers of this sitting by status.
    cost : float, optional
        So far, over all sittings.
    """

    done: int
    total: int
    statuses: Mapping[str, int] = field(default_factory=dict)
    cost: float | None = None


Hear = Callable[[Progress], object]


class Keeper:
    """Takes each prediction of a run.

    Parameters
    ----------
    folder : RunFolder
    before : mapping
        Answers that were there, by question.
    total : int
        Questions of the run.
    hear : callable, optional
    price : Price, optional
    max_cost : float, optional
    input_tokens_a_call : float
        As for :func:`~prandial.bench.runner.cost.spent`.
    """

    def __init__(
        self,
        folder: RunFolder,
        before: Mapping[str, Prediction],
        total: int,
        *,
        hear: Hear | None = None,
        price: Price | None = None,
        max_cost: float | None = None,
        input_tokens_a_call: float = 0.0,
    ) -> None:
        self._folder, self._hear, self._price = folder, hear, price
        self._guess = input_tokens_a_call
        #: why an answer could not be written, when one could not
        self.broken: OSError | None = None
        self._max_cost = max_cost
        self._total = total
        self._done = set(before)
        self.statuses: Counter[str] = Counter()
        self.cost = self._spent(before.values())
        self._waiting: list[Prediction] = []
        self._written = time.monotonic()
        self.tell()

    def __call__(self, prediction: Prediction) -> None:
        """Write a prediction to disk at once."""
        try:
            self._folder.add(prediction)
        except OSError as error:
            self.broken = error
            raise
        self._note(prediction)
        self.tell()

    def later(self, prediction: Prediction) -> None:
        """Write predictions to disk every tenth of a second: for answers that cost nothing."""
        self._waiting.append(prediction)
        self._note(prediction)
        if time.monotonic() - self._written > 0.1:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        if self._waiting:
            self._folder.add_all(self._waiting)
            self._waiting = []
            self._written = time.monotonic()
            self.tell()

    @property
    def heard(self) -> int:
        """Predictions of this sitting, failed ones too."""
        return self.statuses.total()

    def is_over(self) -> bool:
        """Whether nothing more is to be asked: the money is spent, or the disk is full."""
        return self.broken is not None or self.is_over_budget()

    def is_over_budget(self) -> bool:
        """Whether the money is spent."""
        return self._max_cost is not None and (self.cost or 0.0) >= self._max_cost

    def tell(self) -> None:
        """Tell where the run is."""
        if self._hear is not None:
            self._hear(
                Progress(
                    done=len(self._done),
                    total=self._total,
                    statuses=dict(self.statuses),
                    cost=self.cost,
                )
            )

    def _note(self, prediction: Prediction) -> None:
        self.statuses[prediction.reading.status] += 1
        if prediction.reading.status != "failed":
            self._done.add(prediction.question)
        if self._price is not None:
            self.cost = (self.cost or 0.0) + (self._spent([prediction]) or 0.0)

    def _spent(self, predictions: Iterable[Prediction]) -> float | None:
        if self._price is None:
            return None
        return spent(predictions, self._price, input_tokens_a_call=self._guess)
