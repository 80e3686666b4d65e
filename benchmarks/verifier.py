"""How well the verifier of descriptions finds planted faults, and how often it cries wolf.

``python -m benchmarks.verifier [tune|test]`` plants faults of four kinds in published
NutriBench texts and in our own templates of the same meals, and verifies every text as it
stands. The verifier was tuned on the tuning half; figures are told of the test half. Alarms on
published texts were judged by hand (``benchmarks/data/verifier_alarms.csv``: set, row, verdict,
why); an alarm without a judgement counts as false.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.described import Published, published_texts
from benchmarks.meals import find_shared
from benchmarks.run import HISTORY, commit
from prandial.compose.describe import (
    ItemToState,
    describe_meal,
    items_to_state,
    verify_text,
)
from prandial.compose.describe.template import item_phrase
from prandial.records.composed import EatenItem, EatenMeal, HouseholdServing
from prandial.records.meals import Source

KINDS = ("food_left_out", "serving_left_out", "number_changed", "food_invented")
EACH = 600
SEED = 7
ALARMS = Path(__file__).resolve().parent / "data" / "verifier_alarms.csv"
#: what a planted fault should be called
CALLED = {
    "food_left_out": ("food_missing",),
    "serving_left_out": ("amount_missing", "amount_wrong"),
    "number_changed": ("amount_wrong", "amount_missing", "amount_invented", "food_invented"),
    "food_invented": ("food_invented", "amount_invented"),
}

_NUMBER = r"(?:an?|one|two|three|four|five|six|half an?|another|\d+(?:\.\d+)?)"
_SEPARATOR = re.compile(
    rf"(?:,? (?:and|along with|together with|paired with|with|plus|alongside)(?= {_NUMBER}\b)|,)\s"
)
_GRAMS = re.compile(
    r"\b(?:an? )?(\d+(?:\.\d+)?)(?:\s?g\b|[\s-]grams?\b)(?: (?:serving|portion))?(?: of)?"
)
_UNIT_OF = re.compile(rf"^{_NUMBER} (?:[\w.'-]+ ){{1,4}}of (?=[a-z])", re.IGNORECASE)
_COUNTED = re.compile(rf"^{_NUMBER} (?:(?:small|medium|large|single|whole) )?", re.IGNORECASE)
_FIRST = re.compile(rf"^({_NUMBER})\b", re.IGNORECASE)
_OTHER = {
    "a": "three", "an": "three", "one": "three", "another": "three", "two": "five",
    "three": "seven", "four": "nine", "five": "eleven", "six": "thirteen", "half a": "two",
    "half an": "two",
}  # fmt: skip


class Chunk:
    """A piece of a published text that states one item: the item, its place, what is before."""

    def __init__(self, item: int, start: int, end: int, lead: int) -> None:
        self.item, self.start, self.end, self.lead = item, start, end, lead


def _keys(name: str) -> set[str]:
    return set(re.findall(r"[a-z]{4,}", name.lower()))


def chunks(text: str, items: Sequence[ItemToState], serving: str) -> list[Chunk]:
    """Return the pieces between separators that state exactly one item; plain patterns only."""
    out = []
    for sentence in re.finditer(r"[^.!?;]+(?:\.(?=\d)[^.!?;]+)*", text):
        cuts = [(sentence.start(), sentence.start())]
        cuts += [
            (sentence.start() + m.start(), sentence.start() + m.end())
            for m in _SEPARATOR.finditer(sentence.group())
        ]
        ends = [lead for lead, _ in cuts[1:]] + [sentence.end()]
        for (lead, start), end in zip(cuts, ends, strict=True):
            piece = text[start:end]
            first = start == sentence.start()
            stated = _GRAMS.findall(piece) if serving == "metric" else _FIRST.findall(piece)
            named = [k for k, i in enumerate(items) if _keys(i.name) & _keys(piece)]
            if len(stated) == 1 and len(named) == 1 and not first:
                out.append(Chunk(named[0], start, end, lead))
    return out


def plant(kind: str, one: Published, extra: str, draw: random.Random) -> str | None:
    """Return the published text with a fault, or None where this text does not lend itself."""
    text = one.text
    found = chunks(text, one.items, one.serving_type)
    if kind == "food_invented":
        end = len(text.rstrip()) - 1
        if not text.rstrip().endswith("."):
            return None
        if found and draw.random() < 0.5:
            at = draw.choice(found).end
            after = text[at:].lstrip(",")
            return f"{text[:at]}, {extra}{after if after.startswith('.') else ',' + after}"
        return f"{text[:end]}, along with {extra}."
    found = [c for c in found if one.items[c.item].grams != 0]
    if not found:
        return None
    chunk = draw.choice(found)
    piece, rest = text[chunk.start : chunk.end], text[: chunk.lead] + text[chunk.end :]
    item = one.items[chunk.item]
    if _keys(item.name) & _keys(rest):
        return None
    if kind == "food_left_out":
        return rest if rest.strip(" .") else None
    changed = (_no_amount if kind == "serving_left_out" else _other_number)(
        piece, one.serving_type, draw
    )
    if changed is None or item.grams is None:
        return None
    return text[: chunk.start] + changed + text[chunk.end :]


def _no_amount(piece: str, serving: str, draw: random.Random) -> str | None:
    if serving == "metric":
        said = _GRAMS.search(piece)
        if said is None:
            return None
        bracket = re.search(r"\s*\(\s*" + re.escape(said.group()) + r"\s*\)", piece)
        if bracket:
            return piece[: bracket.start()] + piece[bracket.end() :]
        # "a light 3g cake" would still say "a"
        article = re.search(r"\ban? (?:[\w-]+ ){1,2}$", piece[: said.start()])
        if article or not re.match(r"\s[a-z]", piece[said.end() :]):
            return None
        return piece[: said.start()] + "some" + piece[said.end() :]
    unit = _UNIT_OF.match(piece)
    # "chips from a small bag", "liver, one cup" still state an amount
    if re.search(r"\b(?:an?|one|two|three|half)\b", _FIRST.sub("", piece, count=1)):
        return None
    if unit and not re.search(r"\d", piece[unit.end() :]):
        return draw.choice(("some ", "")) + piece[unit.end() :]
    counted = _COUNTED.match(piece)
    rest = piece[counted.end() :] if counted else ""
    # a size or weight that is left still states an amount
    if not counted or re.search(r"\d|\b(?:fl|oz|cup|can|bottle|bag|slice|piece)\b", rest):
        return None
    return draw.choice(("some ", "")) + rest


def _other_number(piece: str, serving: str, draw: random.Random) -> str | None:
    if serving == "metric":
        said = _GRAMS.search(piece)
        if said is None:
            return None
        old = float(said.group(1))
        new = draw.choice((old * 2, old + 13, old * 10, round(old * 0.5, 1), old + 40))
        start, end = said.span(1)
        return f"{piece[:start]}{new:g}{piece[end:]}"
    said = _FIRST.match(piece)
    if said is None:
        return None
    old_text = said.group(1).lower()
    new_text = _OTHER.get(old_text)
    if new_text is None:
        value = float(old_text)
        new_text = f"{draw.choice((value + 3, value * 2 + 1, value + 10)):g}"
    return new_text + piece[said.end() :]


def _eaten(item: ItemToState, serving: str) -> EatenItem | None:
    """Return the item as a record, for the templates; None where its amount is not known."""
    source = Source(table="published", release="", id="0")
    if item.grams is None or item.grams <= 0:
        return None
    said = None
    if serving == "natural":
        if not item.servings:
            return None
        measure, times = item.servings[0]
        said = HouseholdServing(
            text=f"{times:g} x {measure}",
            measure=measure,
            times=times,
            grams=item.grams,
            rule="exact",
        )
    grams = round(item.grams, 2)
    return EatenItem(food=source, name=item.name, grams=grams, nutrients={}, serving=said)


def _meal(one: Published, items: Sequence[EatenItem]) -> EatenMeal:
    occasion = next(
        (o for o in ("breakfast", "lunch", "dinner", "snack") if o in one.text.lower()), ""
    )
    return EatenMeal(
        id=f"{one.set}-{one.row}",
        survey="wweia",
        cycle="",
        country="",
        person="",
        day=1,
        occasion=occasion,
        items=tuple(items),
    )


def plant_template(
    kind: str, meal: EatenMeal, serving: Any, extra: EatenItem, draw: random.Random
) -> tuple[str, Sequence[ItemToState]] | None:
    """Return a template text with a fault and what it should have stated."""
    due = items_to_state(meal, serving)
    at = draw.randrange(len(meal.items))
    item = meal.items[at]
    keep = [i for k, i in enumerate(meal.items) if k != at]
    if kind == "food_left_out":
        if not keep or any(i.name == item.name for i in keep):
            return None
        return describe_meal(replace(meal, items=tuple(keep)), serving_type=serving).text, due
    if kind == "food_invented":
        if any(_keys(i.name) >= _keys(extra.name) for i in meal.items):
            return None
        both = (*meal.items, extra)
        return describe_meal(replace(meal, items=both), serving_type=serving).text, due
    if kind == "number_changed":
        factor = draw.choice((2.0, 3.0, 0.5))
        said = item.serving and replace(item.serving, times=item.serving.times * factor)
        other = replace(item, grams=item.grams * factor, serving=said)
        items = (*meal.items[:at], other, *meal.items[at + 1 :])
        return describe_meal(replace(meal, items=items), serving_type=serving).text, due
    named = describe_meal(meal, serving_type=serving)
    for n in range(60):
        phrase = item_phrase(item, serving, n * 257)
        if phrase.text in named.text:
            return named.text.replace(phrase.text, f"some {phrase.name}", 1), due
    return None


def _extra_said(item: EatenItem, serving: Any, draw: random.Random) -> tuple[str, str]:
    phrase = item_phrase(item, serving, draw.randrange(1 << 20))
    if draw.random() < 0.5:
        return phrase.text, "with_amount"
    return f"some {phrase.name}", "without_amount"


class Counts:
    """Planted and caught, by kind and source."""

    def __init__(self) -> None:
        self.planted: Counter[tuple[str, str]] = Counter()
        self.caught: Counter[tuple[str, str]] = Counter()
        self.called: Counter[tuple[str, str]] = Counter()
        self.missed: list[tuple[str, str, str, str]] = []

    def add(
        self, kind: str, source: str, text: str, items: Sequence[ItemToState], row: str
    ) -> None:
        faults = verify_text(text, items).faults
        key = (kind.split(":")[0], source) if ":" not in kind else (kind, source)
        self.planted[key] += 1
        self.caught[key] += bool(faults)
        self.called[key] += any(f.kind in CALLED[kind.split(":")[0]] for f in faults)
        if not faults:
            self.missed.append((kind, source, row, text))


def _published(
    kind: str,
    texts: Sequence[Published],
    pool: Sequence[EatenItem],
    counts: Counts,
    draw: random.Random,
    each: int,
) -> None:
    order = list(range(len(texts)))
    draw.shuffle(order)
    done = 0
    for k in order:
        if done >= each:
            return
        one = texts[k]
        if not verify_text(one.text, one.items).passed:
            continue
        extra, how = "", ""
        if kind == "food_invented":
            item = draw.choice(pool)
            if any(_keys(item.name) <= _keys(i.name) for i in one.items):
                continue
            extra, how = _extra_said(item, one.serving_type, draw)
        text = plant(kind, one, extra, draw)
        if text is None or text == one.text:
            continue
        done += 1
        counts.add(kind, f"published_{one.serving_type}", text, one.items, f"{one.set}/{one.row}")
        if how:
            counts.add(f"{kind}:{how}", f"published_{one.serving_type}", text, one.items, one.row)


def _templates(
    kind: str,
    texts: Sequence[Published],
    pool: Sequence[EatenItem],
    counts: Counts,
    draw: random.Random,
    each: int,
) -> None:
    order = list(range(len(texts)))
    draw.shuffle(order)
    done = 0
    for k in order:
        if done >= each:
            return
        one = texts[k]
        items = [_eaten(i, one.serving_type) for i in one.items]
        if any(i is None for i in items):
            continue
        meal = _meal(one, [i for i in items if i is not None])
        made = plant_template(kind, meal, one.serving_type, draw.choice(pool), draw)
        if made is None:
            continue
        done += 1
        counts.add(kind, f"template_{one.serving_type}", *made, f"{one.set}/{one.row}")


def _judged() -> dict[tuple[str, str], str]:
    if not ALARMS.is_file():
        return {}
    with ALARMS.open(encoding="utf-8", newline="") as file:
        return {(r["set"], r["row"]): r["verdict"] for r in csv.DictReader(file)}


def false_alarms(texts: Sequence[Published]) -> dict[str, dict[str, int]]:
    """Verify texts as they stand: alarms, those judged real, the rest."""
    judged = _judged()
    out: dict[str, dict[str, int]] = {}
    for one in texts:
        cell = out.setdefault(
            one.set, dict.fromkeys(("texts", "alarms", "real", "false", "unjudged", "doubts"), 0)
        )
        found = verify_text(one.text, one.items)
        cell["texts"] += 1
        cell["doubts"] += found.passed and bool(found.doubts)
        if not found.passed:
            verdict = judged.get((one.set, one.row), "unjudged")
            cell["alarms"] += 1
            cell[verdict] += 1
    return out


def template_alarms(texts: Sequence[Published]) -> dict[str, int]:
    """Verify our own texts of the same meals as they stand."""
    count = Counter()
    for one in texts:
        items = [_eaten(i, one.serving_type) for i in one.items]
        if all(i is not None for i in items):
            meal = _meal(one, [i for i in items if i is not None])
            made = describe_meal(meal, serving_type=one.serving_type)
            passed = verify_text(made.text, items_to_state(made)).passed
            count[f"{one.serving_type}_texts"] += 1
            count[f"{one.serving_type}_alarms"] += not passed
    return dict(count)


def known_faults(shared: Path) -> dict[str, dict[str, int]]:
    """Count v2 metric texts of both halves that state fewer weights than items, and what is seen.

    ``only_0_g``: what is not stated weighs nothing.
    """
    out: dict[str, dict[str, int]] = {}
    for half in ("tune", "test"):
        for one in published_texts(shared, half=half):
            stated = len(re.findall(r"\d\.?\s?-?(?:g\b|gram)", one.text))
            eaten = sum(i.grams != 0 for i in one.items)
            malformed = bool(re.search(r"\d\.g\b", one.text))
            if one.set not in ("v2_us_metric", "v2_gift"):
                continue
            if stated >= len(one.items) and not malformed:
                continue
            found = verify_text(one.text, one.items)
            cell = out.setdefault(
                one.set,
                dict.fromkeys(
                    ("texts", "faults", "doubts_only", "not_seen", "only_0_g", "malformed"), 0
                ),
            )
            cell["texts"] += 1
            cell["only_0_g"] += stated >= eaten and not malformed
            cell["malformed"] += any(f.kind == "number_malformed" for f in found.faults)
            seen = "doubts_only" if found.doubts else "not_seen"
            cell["faults" if found.faults else seen] += 1
    return out


def measure(
    shared: Path, half: str, *, each: int = EACH, every: int = 1
) -> tuple[dict[str, Any], Counts]:
    """Return the figures of one half, and what was missed."""
    texts = list(published_texts(shared, half=half))[::every]
    draw = random.Random(SEED)
    counts = Counts()
    by_serving = {s: [t for t in texts if t.serving_type == s] for s in ("natural", "metric")}
    for serving, some in by_serving.items():
        pool = [e for t in some for i in t.items if (e := _eaten(i, serving)) is not None]
        for kind in KINDS:
            _published(kind, some, pool, counts, draw, each)
            _templates(kind, some, pool, counts, draw, each)
    planted = {
        f"{kind}|{source}": {
            "planted": n,
            "caught": counts.caught[kind, source],
            "called_so": counts.called[kind, source],
        }
        for (kind, source), n in sorted(counts.planted.items())
    }
    result = {
        "half": half,
        "seed": SEED,
        "planted": planted,
        "as_they_stand": false_alarms(texts),
        "templates_as_they_stand": template_alarms(texts),
        "fewer_weights_than_items": known_faults(shared) if every == 1 else {},
    }
    return result, counts


def main() -> int:
    """Measure one half; ``--keep`` keeps the figures of the test half."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("half", nargs="?", default="test", choices=("tune", "test"))
    parser.add_argument("--each", type=int, default=EACH)
    parser.add_argument("--every", type=int, default=1, help="only each nth text, for a quick look")
    parser.add_argument("--missed", action="store_true")
    parser.add_argument("--keep", action="store_true")
    told = parser.parse_args()
    shared = find_shared()
    if shared is None:
        print("SHARED DATA ABSENT: set PRANDIAL_SHARED to its folder", file=sys.stderr)
        return 4
    started = time.perf_counter()
    result, counts = measure(shared, told.half, each=told.each, every=told.every)
    for key, cell in result["planted"].items():
        share = 100 * cell["caught"] / cell["planted"]
        print(f"{key:55s} {cell['planted']:5d} planted {share:6.2f} % caught")
    for name, cell in result["as_they_stand"].items():
        print(name, cell)
    print(result["templates_as_they_stand"], result["fewer_weights_than_items"])
    print(f"{time.perf_counter() - started:.0f} s")
    if told.missed:
        for missed in counts.missed:
            print(*missed, sep=" | ")
    if told.half == "test" and told.keep:
        result = {"version": version("prandial"), "commit": commit(), **result}
        out = HISTORY / f"{result['version']}.verifier.json"
        out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
