"""What a reply may look like: grammars (GBNF) and JSON schemas, and JSON back to the plain form.

Small models go on talking when they are free to; a local model can be held to the form.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from prandial.records.bench import TaskName

__all__ = [
    "answer_grammar",
    "answer_schema",
    "answer_text",
    "numbers_grammar",
    "numbers_schema",
    "tokens_for",
]

_VERDICTS: Final = ("Yes", "No")
#: characters of the one line of thought in ``reasoned``
THOUGHT: Final = 300
#: tokens that the longest answer in its form takes: a tag is at most nine
_PER_TAG: Final = 9


def answer_grammar(
    task: TaskName, nutrients: Sequence[str], *, lead: str = "", thought: bool = False
) -> str:
    """Return the grammar of a task's answer.

    Parameters
    ----------
    task : {'B', 'ML', 'TG'}
    nutrients : sequence of str
        As in tags.
    lead : str
        What stands before the answer, such as ``Answer: ``.
    thought : bool
        Whether one line of thought comes first; it opens with its own word, so that a small
        model thinks and does not answer twice.
    """
    most = len(nutrients) - 1
    rules = {
        "B": ["verdict", 'verdict ::= "Yes" | "No"'],
        "ML": [
            f'tag (", " tag){{0,{most}}}',
            'tag ::= ("low_" | "high_") nutrient',
            _any("nutrient", nutrients),
        ],
        "TG": [
            f'verdict ", because the food is " reason (", " reason){{0,{most}}} "."',
            'verdict ::= "Yes" | "No"',
            'reason ::= ("low in " | "high in ") nutrient',
            _any("nutrient", [_words(n) for n in nutrients]),
        ],
    }[task]
    root = f'"{lead}" {rules[0]}' if lead else rules[0]
    if thought:
        root = f'"Thought: " thought "\\n" {root}'
        rules.append(f"thought ::= [^\\n]{{1,{THOUGHT}}}")
    return "\n".join([f"root ::= {root}", *rules[1:]]) + "\n"


def answer_schema(task: TaskName, nutrients: Sequence[str]) -> dict[str, Any]:
    """Return the JSON schema of a task's answer: ``verdict``, ``tags``, or both."""
    tags = [f"{d}_{n}" for n in nutrients for d in ("low", "high")]
    fields: dict[str, Any] = {
        "verdict": {"type": "string", "enum": list(_VERDICTS)},
        "tags": {
            "type": "array",
            "items": {"type": "string", "enum": tags},
            "minItems": 1,
            "maxItems": len(nutrients),
        },
    }
    names = {"B": ("verdict",), "ML": ("tags",), "TG": ("verdict", "tags")}[task]
    return _object({name: fields[name] for name in names})


def answer_text(reply: str, task: TaskName) -> str | None:
    """Return an answer under :func:`answer_schema` in the plain form, None if it is none."""
    try:
        body = json.loads(reply)
        verdict = body["verdict"] if task != "ML" else "Yes"
        tags = [str(t) for t in body["tags"]] if task != "B" else []
    except (ValueError, KeyError, TypeError):
        return None
    if verdict not in _VERDICTS:
        return None
    if task == "B":
        return str(verdict)
    if task == "ML":
        return ", ".join(tags)
    reasons = ", ".join(
        f"{level} in {_words(nutrient)}" for level, _, nutrient in (t.partition("_") for t in tags)
    )
    return f"{verdict}, because the food is {reasons}." if reasons else f"{verdict}."


def numbers_grammar(width: int, most: int) -> str:
    """Return the grammar of up to ``width`` numbers from 1 to ``most`` with commas between."""
    numbers = _any("number", [str(n) for n in range(1, most + 1)])
    return f'root ::= number (", " number){{0,{width - 1}}}\n{numbers}\n'


def numbers_schema(width: int, most: int) -> dict[str, Any]:
    """Return the JSON schema of up to ``width`` numbers from 1 to ``most``."""
    number = {"type": "integer", "minimum": 1, "maximum": most}
    return _object({"paths": {"type": "array", "items": number, "minItems": 1, "maxItems": width}})


def tokens_for(task: TaskName, nutrients: Sequence[str], bound: str, wording: str) -> int:
    """Return how long a reply may get: what the form needs, and room where talking is allowed."""
    form = 16 + (0 if task == "B" else _PER_TAG * len(nutrients))
    if bound in ("grammar", "json"):
        return form
    if bound == "reasoned":
        return form + THOUGHT // 2
    return max(form, 512 if wording == "matched" else 256)


def _object(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }


def _any(name: str, words: Sequence[str]) -> str:
    return f"{name} ::= " + " | ".join(f'"{w}"' for w in words)


def _words(nutrient: str) -> str:
    return nutrient.replace("_", " ")
