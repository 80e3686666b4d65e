"""FAO/WHO GIFT microdata: food records of dietary surveys, and the people who told them."""

from prandial.sources.gift.consumption import GiftRecord, GiftSurvey, read_gift
from prandial.sources.gift.subjects import GiftSubject, GiftSubjects, read_gift_subjects

__all__ = [
    "GiftRecord",
    "GiftSubject",
    "GiftSubjects",
    "GiftSurvey",
    "read_gift",
    "read_gift_subjects",
]
