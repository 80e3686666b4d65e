"""Facts tables built and searched: counts, time, memory, size, recall against gold foods.

``python -m benchmarks.retrieval_facts --out FOLDER`` needs the shared data (PRANDIAL_SHARED or
../shared) and, for vectors, the encoder minilm-l6 (``prandial models pull minilm-l6``). It
builds both forms, which take about 0.6 GB, and keeps result lines in
``benchmarks/history/facts/<version>.jsonl``. Embedding goes on where it broke off.

Queries are (1) the gold description itself, with and without its brand, (2) the meal's words
for each item, as our own reader parts the meal, (3) the whole meal as one query. Weights of
the fusion were chosen on the tuning half of the foods (``--tune``), those of BM25 are the usual
ones; recall is told of the test half.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from importlib.metadata import version
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.facts_gold import GoldItem, gold_items, hits, reachable, shares
from benchmarks.meals import find_shared
from benchmarks.run import commit
from prandial.answer.encoder import Encoder, load_encoder
from prandial.bench.facts import meant, taken
from prandial.compose.facts import build_facts, find_files
from prandial.compose.index import FactIndex, Fusing, Weighting, build_index, open_index
from prandial.compose.index.lexical import build_lexical, open_lexical
from prandial.compose.index.spoken import without_amounts
from prandial.meal import get_estimator
from prandial.sources.weights import weights_home, weights_path
from prandial.tables import DEFAULT_RELEASE

HISTORY = Path(__file__).resolve().parent / "history" / "facts"
FORMS = ("published", "portions")
HOW = ("lexical", "vector", "fused", "joined")
DEPTH = 100
PAPER = {"rows": 2_046_761, "descriptions": 489_534, "foods": 450_182, "natural": 13_048}


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def encoder(threads: int = 1) -> Encoder:
    return load_encoder(weights_path("minilm-l6", weights_home()), threads=threads)


def _facts(shared: str, folder: str, form: str) -> tuple[dict[str, Any], float, int]:
    start = time.perf_counter()
    files = find_files(Path(shared) / "data" / "foods")
    card = build_facts(files, folder, form=form)  # type: ignore[arg-type]
    return card, time.perf_counter() - start, _rss_mb()


def _index(folder: str, kept: str, vectors: str) -> tuple[dict[str, Any], float, int]:
    embed = encoder(2) if vectors != "none" else None
    start = time.perf_counter()

    def tell(done: int, of: int) -> None:
        if done % 8192 == 0 or done == of:
            _say(f"embedded {done:,} of {of:,}, {done / (time.perf_counter() - start):.0f}/s")

    card = build_index(
        folder,
        embed=embed,
        encoder=embed.id if embed else "",
        vectors_of="reference" if vectors == "reference" else "all",
        kept=kept,
        progress=tell,
    )
    return card, time.perf_counter() - start, _rss_mb()


def _rss_mb() -> int:
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def apart(work: Callable[..., Any], *arguments: Any) -> Any:
    """Run in a process of its own, so that its memory can be told."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(work, *arguments).result()


def build(shared: Path, out: Path, *, vectors: str) -> dict[str, Any]:
    """Build both forms; the second finds the vectors of the first."""
    told: dict[str, Any] = {}
    for form in FORMS:
        folder = out / form
        card, seconds, rss = apart(_facts, str(shared), str(folder), form)
        _say(f"{form}: facts {seconds:.1f} s, {rss} MB, {card['counts']}")
        row = {"counts": card["counts"], "facts_s": round(seconds, 1), "facts_rss_mb": rss}
        card, seconds, rss = apart(_index, str(folder), str(out / "vectors"), "none")
        row |= {"words_s": round(seconds, 1), "words_rss_mb": rss}
        if vectors != "none":
            card, seconds, rss = apart(_index, str(folder), str(out / "vectors"), vectors)
            row |= {"words_and_vectors_s": round(seconds, 1), "vectors_rss_mb": rss}
        row["disk_mb"] = {n: round(f["bytes"] / 1e6, 1) for n, f in card["files"].items()}
        row["disk_mb"]["all"] = round(sum(f["bytes"] for f in card["files"].values()) / 1e6, 1)
        told[form] = row
        _say(f"{form}: {row}")
    return told


class Rankings:
    """Foods by words and by vectors of each query, looked up once."""

    def __init__(self, index: FactIndex) -> None:
        self.index = index
        self.fusing = index.fusing
        self._words: dict[str, list[int]] = {}
        self._near: dict[str, list[int]] = {}

    def words(self, query: str) -> list[int]:
        if query not in self._words:
            found = self.index.retrieve(query, DEPTH, how="lexical")
            self._words[query] = [f.food.number for f in found]
        return self._words[query]

    def near(self, query: str) -> list[int]:
        if query not in self._near:
            found = self.index.retrieve(query, DEPTH, how="vector")
            self._near[query] = [f.food.number for f in found]
        return self._near[query]

    def fused(self, query: str) -> list[int]:
        self.index.fusing = self.fusing
        both = self.index.fuse(self.words(query), self.near(query))
        return [f.food for f in both]

    def joined(self, query: str) -> list[int]:
        self.index.fusing = self.fusing
        text = without_amounts(" ".join(query.split()))
        return [f.food for f in self.index.join(text, self.words(query), self.near(query))]

    def of(self, how: str) -> Callable[[str], Sequence[int]]:
        return {
            "lexical": self.words, "vector": self.near, "fused": self.fused, "joined": self.joined,
        }[how]  # fmt: skip


@lru_cache(maxsize=10_000)
def phrases(text: str) -> tuple[str, ...]:
    """Return a meal's words for its items, as our reader parts them; the meal if it finds none."""
    items = get_estimator().estimate(text).items
    return tuple(i.text for i in items) or (text,)


QUERIES: dict[str, Callable[[GoldItem], Sequence[str]]] = {
    "description": lambda i: (i.description,),
    "description and brand": lambda i: (f"{i.brand} {i.description}".strip(),),
    "the meal's words for it": lambda i: phrases(i.text),
    "whole meal": lambda i: (i.text,),
}


def drawn(items: Sequence[GoldItem], meals: int | None) -> list[GoldItem]:
    """Return the items of every n-th meal, about as many meals as asked for."""
    step = 1 if not meals else max(1, (items[-1].meal + 1) // meals)
    return [i for i in items if i.meal % step == 0]


def _opened(folder: Path, embed: Encoder | None) -> FactIndex:
    """Open a table as ``prandial retrieve`` does, the estimator's reading of words included."""
    return open_index(
        folder,
        embed=embed,
        encoder=embed.id if embed else "",
        known=partial(meant, DEFAULT_RELEASE),
        taken=partial(taken, DEFAULT_RELEASE),
    )


def recall(shared: Path, out: Path, hows: Sequence[str], meals: int | None) -> list[dict[str, Any]]:
    """Return rows of recall on the test half: form, query, how, natural or metric."""
    items = [i for i in drawn(gold_items(shared), meals) if not i.tune]
    embed = encoder() if "vector" in hows else None
    rows = []
    for form in FORMS:
        gold = reachable(out / form, items, form)
        index = _opened(out / form, embed)
        rankings = Rankings(index)
        for query, how in product(QUERIES, hows):
            found = hits(items, gold, QUERIES[query], rankings.of(how))
            for part, picked in (
                ("all", found),
                ("reference", [f for f in found if not f[0].brand]),
                ("label", [f for f in found if f[0].brand]),
            ):
                row = {"form": form, "query": query, "how": how, "golds": part}
                rows.append(row | shares(picked, gold))
            _say(json.dumps(rows[-3]))
    return rows


def reach(shared: Path, out: Path) -> dict[str, Any]:
    """Count the gold foods that each table has."""
    items = gold_items(shared)
    told: dict[str, Any] = {
        "meals": len({i.meal for i in items}),
        "items": len(items),
        "foods": len({i.fdc_id for i in items}),
        "label_items": sum(bool(i.brand) for i in items),
        "label_foods": len({i.fdc_id for i in items if i.brand}),
    }
    for form in FORMS:
        gold = reachable(out / form, items, form)
        told[form] = {
            "items": sum(i.fdc_id in gold for i in items),
            "foods": len(gold),
            "label_items": sum(i.fdc_id in gold and bool(i.brand) for i in items),
            "label_foods": len({i.fdc_id for i in items if i.brand and i.fdc_id in gold}),
        }
    return told


def speed(shared: Path, out: Path, hows: Sequence[str], *, queries: int = 500) -> dict[str, Any]:
    """Time whole look-ups of ten foods, the query's embedding included, and opening."""
    asked = list(dict.fromkeys(p for i in gold_items(shared)[:3000] for p in phrases(i.text)))
    asked = asked[:: max(1, len(asked) // queries)][:queries]
    told: dict[str, Any] = {"queries": len(asked)}
    for form in FORMS:
        embed = encoder() if "vector" in hows else None
        start = time.perf_counter()
        index = _opened(out / form, embed)
        row: dict[str, Any] = {"open_s": round(time.perf_counter() - start, 3)}
        ways: dict[str, Callable[[str], object]] = {
            how: lambda q, how=how, index=index: index.retrieve(q, 10, how=how) for how in hows
        }
        if embed is not None:
            fresh = encoder()
            ways = {"embedding alone": lambda q, fresh=fresh: fresh([q]), **ways}
            ways["vector, exact"] = lambda q, index=index: index.retrieve(
                q, 10, how="vector", exact=True
            )
        for name, way in ways.items():
            way("warm up")
            times = []
            few = asked[:100] if "exact" in name else asked
            # an encoder remembers texts: each way gets texts it has not seen
            for query in (f"{q} {name}" if name != "lexical" else q for q in few):
                start = time.perf_counter()
                way(query)
                times.append(1000 * (time.perf_counter() - start))
            cuts = statistics.quantiles(times, n=100)
            row[name] = {"p50_ms": round(cuts[49], 2), "p99_ms": round(cuts[98], 2)}
        if embed is not None:
            same = [_overlap(index, q) for q in asked[:200]]
            row["first_10_as_exact"] = round(statistics.mean(same), 4)
        row["rss_mb"] = _rss_mb()
        told[form] = row
        _say(f"{form}: {row}")
    return told


def _overlap(index: FactIndex, query: str) -> float:
    quick = {f.food.number for f in index.retrieve(query, 10, how="vector")}
    whole = {f.food.number for f in index.retrieve(query, 10, how="vector", exact=True)}
    return len(quick & whole) / len(whole)


def tantivy(shared: Path, out: Path, meals: int | None) -> dict[str, Any]:
    """The same names in tantivy (English stems), if it is installed: time and recall."""
    try:
        import tantivy as peer
    except ImportError:
        return {"left_out": "tantivy is not installed"}
    items = [i for i in drawn(gold_items(shared), meals) if not i.tune]
    gold = reachable(out / "portions", items, "portions")
    index = open_index(out / "portions")
    names = [(n, index[n].name) for n in range(len(index))]
    start = time.perf_counter()
    schema = peer.SchemaBuilder()
    schema.add_text_field("name", stored=False, tokenizer_name="en_stem")
    schema.add_unsigned_field("number", stored=True)
    built = peer.Index(schema.build())
    writer = built.writer(200_000_000, 1)
    for number, name in names:
        writer.add_document(peer.Document(name=name, number=number))
    writer.commit()
    built.reload()
    seconds = time.perf_counter() - start
    searcher = built.searcher()
    times: list[float] = []

    @lru_cache(maxsize=100_000)
    def ranked(query: str) -> tuple[int, ...]:
        start = time.perf_counter()
        words = "".join(c if c.isalnum() else " " for c in query)
        asked = built.parse_query(words.lower(), ["name"])
        found = searcher.search(asked, 10).hits
        numbers = tuple(searcher.doc(at)["number"][0] for _, at in found)
        times.append(1000 * (time.perf_counter() - start))
        return numbers

    rows = {q: shares(hits(items, gold, QUERIES[q], ranked), gold) for q in QUERIES}
    cuts = statistics.quantiles(times, n=100)
    return {
        "build_s": round(seconds, 1),
        "p50_ms": round(cuts[49], 2),
        "p99_ms": round(cuts[98], 2),
        "recall": rows,
    }


def tune(shared: Path, out: Path, hows: Sequence[str], meals: int | None) -> dict[str, Any]:
    """Choose weights on the tuning half, by recall@5 of the meal's words and descriptions."""
    items = [i for i in drawn(gold_items(shared), meals) if i.tune]
    gold = reachable(out / "portions", items, "portions")
    embed = encoder() if "vector" in hows else None
    index = open_index(out / "portions", embed=embed, encoder=embed.id if embed else "")
    first = int(index.card["index"]["first_label"])
    foods = [index[n] for n in range(len(index))]
    names, others = [f.name for f in foods], [f.other_names for f in foods]
    asked = ("the meal's words for it", "description")

    def value(ranked: Callable[[str], Sequence[int]]) -> dict[str, float]:
        parts = {}
        for query in asked:
            found = hits(items, gold, QUERIES[query], ranked)
            row = shares(found, gold)
            parts |= {f"{query} @{k}": row[f"recall_{k}"] for k in (1, 5, 10)}
        return parts

    told: dict[str, Any] = {"lexical": [], "fused": []}
    grid = [
        Weighting(k1=k1, b=b, other=other)
        for k1, b, other in product((0.9, 1.2, 1.6), (0.5, 0.75), (0.0, 0.3, 0.6))
    ]
    for weighting in grid:
        with tempfile.TemporaryDirectory() as folder:
            build_lexical(names, others, Path(folder), first_label=first, weighting=weighting)
            lexical = open_lexical(Path(folder), len(names))
            kept: dict[str, list[int]] = {}

            def ranked(query: str, lexical: Any = lexical, kept: Any = kept) -> list[int]:
                if query not in kept:
                    kept[query] = lexical.search(query, 10)[0].tolist()
                return kept[query]

            told["lexical"].append({"weighting": repr(weighting), **value(ranked)})
            _say(json.dumps(told["lexical"][-1]))
    if embed is not None:
        rankings = Rankings(index)
        for constant, words, label in product((5.0, 20.0, 60.0), (1.0, 2.0, 4.0, 8.0), (1.0, 0.9)):
            rankings.fusing = Fusing(constant=constant, lexical=words, vector=1.0, label=label)
            told["fused"].append({"fusing": repr(rankings.fusing), **value(rankings.fused)})
            _say(json.dumps(told["fused"][-1]))
    return told


def table(result: dict[str, Any]) -> str:
    """Return recall as a Markdown table, over reachable (over all) items."""
    lines = [
        "| form | query | how | golds | n | @1 | @5 | @10 |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in result.get("recall", ()):
        cells = " | ".join(
            f"{row[f'recall_{k}']:.1f} ({row[f'recall_{k}_of_all']:.1f})" for k in (1, 5, 10)
        )
        lines.append(
            f"| {row['form']} | {row['query']} | {row['how']} | {row['golds']} |"
            f" {row['reachable']} of {row['items']} | {cells} |"
        )
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of both tables")
    parser.add_argument("--vectors", choices=("all", "reference", "none"), default="all")
    parser.add_argument("--no-build", action="store_true", help="the folder is built already")
    parser.add_argument("--tune", action="store_true", help="choose weights; keeps nothing")
    parser.add_argument("--meals", type=int, default=None, help="about so many meals, evenly")
    parser.add_argument("--peer", action="store_true", help="tantivy beside it")
    parser.add_argument("--no-keep", action="store_true", help="do not write a history line")
    args = parser.parse_args(argv)
    shared = find_shared()
    if shared is None:
        _say("SHARED DATA ABSENT: set PRANDIAL_SHARED to its folder")
        return 4
    hows = ("lexical",) if args.vectors == "none" else HOW
    result: dict[str, Any] = {
        "version": version("prandial"),
        "commit": commit(),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "numpy": np.__version__,
        "vectors": args.vectors,
        "paper": PAPER,
    }
    if not args.no_build:
        result["build"] = build(shared, args.out, vectors=args.vectors)
    if args.tune:
        print(json.dumps(tune(shared, args.out, hows, args.meals), indent=1))
        return 0
    result["gold"] = reach(shared, args.out)
    result["recall"] = recall(shared, args.out, hows, args.meals)
    result["speed"] = speed(shared, args.out, hows)
    if args.peer:
        result["tantivy"] = tantivy(shared, args.out, args.meals)
    print(json.dumps({k: v for k, v in result.items() if k != "recall"}, indent=1))
    print(table(result))
    if not args.no_keep:
        HISTORY.mkdir(parents=True, exist_ok=True)
        path = HISTORY / f"{result['version']}.jsonl"
        with path.open("a", encoding="utf-8") as handle:
            handle.write(json.dumps(result) + "\n")
        _say(f"kept in {path.relative_to(HISTORY.parent.parent.parent)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
