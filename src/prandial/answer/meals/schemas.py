"""JSON schemas of replies: a total, a list of foods, a list of items with amounts.

They keep to what grammars of local models and the strict modes of hosted ones both
take: objects without further keys, every key required, bounded lengths.
"""

from __future__ import annotations

from typing import Any, Final

from prandial.answer.meals.nutrients import NutrientAsked

__all__ = ["BOUNDS", "foods_schema", "items_schema", "total_schema"]

#: how a reply may be bound; ``none``: free text
BOUNDS: Final = ("none", "integer", "number")


def total_schema(
    asked: NutrientAsked, bound: str, *, unknown: bool = True
) -> dict[str, Any] | None:
    """Return the schema of the answer, a dictionary with one number.

    Parameters
    ----------
    asked : NutrientAsked
    bound : {'none', 'integer', 'number'}
        Local grammars hold bounds of integers only.
    unknown : bool
        Whether -1, "not known", may be answered.

    Returns
    -------
    dict or None
        None for ``none``.
    """
    if bound == "none":
        return None
    value = {"type": bound, "minimum": -1 if unknown else 0, "maximum": asked.most}
    return _object({asked.key: value})


def foods_schema(most_items: int) -> dict[str, Any]:
    """Return the schema of a list of foods, ``{"items": ["...", ...]}``."""
    return _object(
        {"items": _array({"type": "string", "minLength": 1, "maxLength": 120}, most_items)}
    )


def items_schema(most_items: int) -> dict[str, Any]:
    """Return the schema of items with amounts, all of them words of the meal.

    Parameters
    ----------
    most_items : int
        So that a small model's list ends.

    Returns
    -------
    dict
        ``{"items": [{"quantity": "half", "unit": "cup", "food": "oatmeal"}, ...]}``; the
        schema has no place for a nutrient.
    """
    item = _object(
        {
            "quantity": {"type": "string", "maxLength": 20},
            "unit": {"type": "string", "maxLength": 40},
            "food": {"type": "string", "minLength": 1, "maxLength": 120},
        }
    )
    return _object({"items": _array(item, most_items)})


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _array(items: dict[str, Any], most: int) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": 1, "maxItems": most}
