"""From a part of a graph to an answer: the prompt of a wording, the bound, the request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from prandial.answer.ask import Ask, Request
from prandial.answer.graphs.bounds import answer_grammar, answer_schema, answer_text, tokens_for
from prandial.answer.graphs.options import BOUNDS, WORDINGS, one_of, whole
from prandial.answer.graphs.view import SHOWN
from prandial.answer.methods import Kit
from prandial.answer.symbolic import LEAD
from prandial.answer.texts import fill
from prandial.graph import question_text
from prandial.records.bench import Call, GraphQuestion, Replied
from prandial.records.quiz import QuestionGraph
from prandial.tags.needed import rule_nutrients

__all__ = ["Asking", "part_text", "prompts_of"]

_TASKS: Final = ("b", "ml", "tg")


def prompts_of(*frames: str) -> tuple[str, ...]:
    """Return the names of all prompts that a method with these frames may use."""
    return (
        "ngqa_system",
        "ngqa_matched_hint",
        *(f"ngqa_{wording}_{frame}" for wording in WORDINGS for frame in frames),
        *(f"ngqa_{wording}_task_{task}" for wording in WORDINGS for task in _TASKS),
        "ngqa_matched_task_tg_both",
    )


def part_text(part: QuestionGraph, kit: Kit) -> str:
    """Return the text of a part of a graph: the kit's form, or the published one."""
    return (kit.textualizer or question_text)(part) or "none"


@dataclass(frozen=True, kw_only=True)
class Asking:
    """One question with the settings under which it is asked."""

    question: GraphQuestion
    kit: Kit
    wording: str
    bound: str
    nutrients: tuple[str, ...]

    @classmethod
    def of(cls, question: GraphQuestion, kit: Kit) -> Asking:
        """Read the settings from the kit.

        Raises
        ------
        InputError
            On a setting that cannot be.
        """
        bound = kit.options.get("bound", "")
        return cls(
            question=question,
            kit=kit,
            wording=one_of("wording", kit.options.get("wording", "matched"), WORDINGS),
            bound=one_of("bound", "grammar" if bound is True else bound or "", BOUNDS),
            nutrients=rule_nutrients(question.rules),
        )

    def prompt(self, frame: str, graph: str, *, task: str | None = None) -> str:
        """Return the user's message.

        Parameters
        ----------
        frame : {'plain', 'cot_zero', 'cot_bag'}
        graph : str
            The text of the facts.
        task : str, optional
            In place of :attr:`task`.
        """
        prompts = self.kit.prompts
        return fill(
            prompts[f"ngqa_{self.wording}_{frame}"],
            {
                "graph": graph,
                "question": self.question.text.strip(),
                "hint": prompts["ngqa_matched_hint"].strip(),
                "task": self.task if task is None else task,
            },
        )

    @property
    def task(self) -> str:
        """What the form of the answer must be."""
        name = f"ngqa_{self.wording}_task_{self.question.task.lower()}"
        if name == "ngqa_matched_task_tg" and self.question.rules != "as-published":
            name += "_both"
        spoken = self.question.task == "TG"
        names = (n.replace("_", " ") if spoken else n for n in self.nutrients)
        return fill(self.kit.prompts[name], {"nutrients": ", ".join(names)})

    @property
    def system(self) -> str:
        """The system prompt."""
        return self.kit.prompts["ngqa_system"].strip()

    async def answer(
        self,
        ask: Ask,
        user: str,
        shown: QuestionGraph,
        *,
        before: Sequence[Call] = (),
        detail: Mapping[str, Any] | None = None,
        reasoned: bool = True,
    ) -> Replied:
        """Ask for the answer.

        Parameters
        ----------
        ask : callable
        user : str
            The message.
        shown : QuestionGraph
            What of the graph is in it.
        before : sequence of Call
            Calls made so far.
        detail : mapping, optional
        reasoned : bool
            False where the thought was had before, so that none is asked for.
        """
        bound = "grammar" if self.bound == "reasoned" and not reasoned else self.bound
        call = await ask(self._request(user, bound))
        text = call.reply
        if bound == "json":
            plain = answer_text(text, self.question.task)
            text = text if plain is None else self._lead + plain
        more = dict(detail or {})
        if self.question.mode == "merged":
            more[SHOWN] = [[n.name, n.attr] for n in shown.nodes]
        return Replied(
            text=text,
            calls=(*before, call),
            retrieved=tuple(n.id for n in shown.nodes),
            detail={"facts": len(shown.edges), **more},
        )

    @property
    def _lead(self) -> str:
        return LEAD if self.wording == "matched" else ""

    def _request(self, user: str, bound: str) -> Request:
        task = self.question.task
        grammar = schema = None
        if bound == "json":
            schema = answer_schema(task, self.nutrients)
        elif bound:
            grammar = answer_grammar(
                task, self.nutrients, lead=self._lead, thought=bound == "reasoned"
            )
        most = whole(self.kit, "max_tokens", 0, 0, 100_000)
        return Request(
            name="answer",
            user=user,
            system=self.system,
            schema=schema,
            grammar=grammar,
            max_tokens=most or tokens_for(task, self.nutrients, bound, self.wording),
        )
