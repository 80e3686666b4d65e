"""Answers to questions over a graph: scores by both rule sets, retrieval, costs, errors, floors."""

from prandial.score.quizzes.costs import cost_scores
from prandial.score.quizzes.floors import FLOORS, floor_pairs, floor_scores
from prandial.score.quizzes.hallucinations import (
    KINDS,
    ErrorReview,
    WrongAnswer,
    error_scores,
    review_errors,
    wrong_answer,
)
from prandial.score.quizzes.pairs import Pair, paired
from prandial.score.quizzes.published import (
    PUBLISHED_LABELS,
    published_scores,
    published_tags,
    published_verdict,
)
from prandial.score.quizzes.retrieval import retrieval_scores
from prandial.score.quizzes.sentences import BertScorer, EncodedBert, LibraryBert, TokenEncoder
from prandial.score.quizzes.strict import strict_scores

__all__ = [
    "FLOORS",
    "KINDS",
    "PUBLISHED_LABELS",
    "BertScorer",
    "EncodedBert",
    "ErrorReview",
    "LibraryBert",
    "Pair",
    "TokenEncoder",
    "WrongAnswer",
    "cost_scores",
    "error_scores",
    "floor_pairs",
    "floor_scores",
    "paired",
    "published_scores",
    "published_tags",
    "published_verdict",
    "retrieval_scores",
    "review_errors",
    "strict_scores",
    "wrong_answer",
]
