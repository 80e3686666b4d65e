"""Tags: what a person needs of a food."""

from prandial.tags.needed import (
    HIGH,
    LOW,
    MAYBE_HIGH,
    MAYBE_LOW,
    Needed,
    need_bits,
    needed_by,
    rule_nutrients,
    split_tag,
)

__all__ = [
    "HIGH",
    "LOW",
    "MAYBE_HIGH",
    "MAYBE_LOW",
    "Needed",
    "need_bits",
    "needed_by",
    "rule_nutrients",
    "split_tag",
]
