"""Answers to questions over a graph: both rule sets, retrieval, costs, errors, judging."""

from prandial.score.quizzes.compared import QuizComparison, compare_quizzes
from prandial.score.quizzes.costs import cost_scores
from prandial.score.quizzes.hallucinations import (
    KINDS,
    ErrorReview,
    WrongAnswer,
    error_scores,
    review_errors,
    wrong_answer,
)
from prandial.score.quizzes.judged import (
    Judged,
    JudgedItem,
    JudgedKey,
    Judgement,
    JudgingAgreement,
    JudgingQueue,
    judging_agreement,
    make_judging_queue,
    settle_judgements,
)
from prandial.score.quizzes.judgedfile import (
    read_judgements,
    read_judging_queue,
    write_judging_queue,
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
    "KINDS",
    "PUBLISHED_LABELS",
    "BertScorer",
    "EncodedBert",
    "ErrorReview",
    "Judged",
    "JudgedItem",
    "JudgedKey",
    "Judgement",
    "JudgingAgreement",
    "JudgingQueue",
    "LibraryBert",
    "Pair",
    "QuizComparison",
    "TokenEncoder",
    "WrongAnswer",
    "compare_quizzes",
    "cost_scores",
    "error_scores",
    "judging_agreement",
    "make_judging_queue",
    "paired",
    "published_scores",
    "published_tags",
    "published_verdict",
    "read_judgements",
    "read_judging_queue",
    "retrieval_scores",
    "review_errors",
    "settle_judgements",
    "strict_scores",
    "write_judging_queue",
    "wrong_answer",
]
