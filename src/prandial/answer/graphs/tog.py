"""Think-on-Graph: the model prunes paths that grow from the user and the food.

J. Sun et al., arXiv 2307.07697; width, depth and the round where pruning starts as in NGQA.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from prandial.answer.ask import Ask, Request
from prandial.answer.graphs.asking import Asking, part_text
from prandial.answer.graphs.bounds import numbers_grammar, numbers_schema
from prandial.answer.graphs.options import whole
from prandial.answer.graphs.paths import Path, Web
from prandial.answer.graphs.view import open_graph
from prandial.answer.methods import Kit
from prandial.answer.texts import fill
from prandial.records.bench import Call, GraphQuestion, Replied

__all__ = ["published_choice", "strict_choice", "tog", "tog_published"]


async def tog(question: GraphQuestion, ask: Ask, kit: Kit) -> Replied:
    """Prune relations, then entities; entities are nodes, numbers out of range do not count."""
    return await _think(question, ask, kit, published=False)


async def tog_published(question: GraphQuestion, ask: Ask, kit: Kit) -> Replied:
    """As the published code ran it, errors included.

    The choice of relations is asked for and not used, entities are texts, the number 0 takes
    the last path, and a number named twice takes its path twice.
    """
    return await _think(question, ask, kit, published=True)


def strict_choice(reply: str, count: int, width: int) -> list[int]:
    """Return the places named by a reply: numbers from 1 to ``count``, each once, in order."""
    numbers = (int(n) for n in re.findall(r"(?<![\d.-])\d{1,9}(?![\d]|\.\d)", reply))
    return list(dict.fromkeys(n - 1 for n in numbers if 1 <= n <= count))[:width]


def published_choice(reply: str, count: int, width: int) -> list[int]:
    """Return the places that the published code takes: 0 becomes -1, the last; repeats stay."""
    numbers = [int(n[:9]) - 1 for n in re.findall(r"\d+", reply)][:width]
    return [n for n in numbers if n < count]


@dataclass
class _Pruning:
    """The model's choices while the paths grow."""

    asking: Asking
    ask: Ask
    web: Web
    width: int
    calls: list[Call] = field(default_factory=list)
    told: list[dict[str, Any]] = field(default_factory=list)

    async def of(self, paths: Sequence[Path], name: str) -> list[Path]:
        """Return the paths that the model chooses: the first ones where it names none."""
        if len(paths) <= self.width:
            return list(paths)
        call = await self.ask(self._request(paths, name))
        self.calls.append(call)
        choose = published_choice if self.web.by_text else strict_choice
        chosen = choose(call.reply, len(paths), self.width)
        self.told.append({"call": name, "from": len(paths), "kept": len(chosen)})
        return [paths[i] for i in chosen or range(self.width)]

    def _request(self, paths: Sequence[Path], name: str) -> Request:
        prompts, bound = self.asking.kit.prompts, self.asking.bound
        lines = [f"{i}. {self.web.told(p)}" for i, p in enumerate(paths, 1)]
        return Request(
            name=name,
            system=fill(prompts["ngqa_prune_system"], {"width": str(self.width)}),
            user=fill(
                prompts[f"ngqa_{self.asking.wording}_prune"],
                {"question": self.asking.question.text.strip(), "paths": "\n".join(lines)},
            ),
            schema=numbers_schema(self.width, len(paths)) if bound == "json" else None,
            grammar=numbers_grammar(self.width, len(paths))
            if bound in ("grammar", "reasoned")
            else None,
            max_tokens=16 + 6 * self.width,
        )


async def _think(question: GraphQuestion, ask: Ask, kit: Kit, *, published: bool) -> Replied:
    asking = Asking.of(question, kit)
    web = Web(view=open_graph(question, kit), by_text=published)
    width, depth = whole(kit, "width", 5, 1, 50), whole(kit, "depth", 3, 1, 10)
    prune_from = whole(kit, "prune_from", 2, 1, 10)
    pruning = _Pruning(asking, ask, web, width)
    paths = web.seeds
    for turn in range(1, depth + 1):
        paths = web.by_relation(paths)
        if turn >= prune_from:
            kept = await pruning.of(paths, f"prune relations {turn}")
            paths = paths if published else kept
        paths = web.by_entity(paths)
        if turn >= prune_from:
            paths = await pruning.of(paths, f"prune entities {turn}")
    part = web.part(paths)
    return await asking.answer(
        ask,
        asking.prompt("plain", part_text(part, kit)),
        part,
        before=pruning.calls,
        detail={"paths": [web.told(p) for p in paths], "pruned": pruning.told},
    )
