"""Fine-tuning of a language model: rows to learn from, the recipe, replies, merge, export."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = [
    "finetune_gguf",
    "finetune_launch",
    "finetune_merge",
    "finetune_reply",
    "finetune_rows",
    "finetune_train",
]


def _nutrient(name: str) -> str:
    from prandial.bench.questions import NUTRIENTS
    from prandial.errors import InputError

    if name not in NUTRIENTS:
        raise InputError(
            f"no nutrient {name!r}", where="nutrient", hint="one of: " + ", ".join(NUTRIENTS)
        )
    return NUTRIENTS[name]


def finetune_rows(
    out: Path | str,
    *,
    data: Sequence[str | Path] = (),
    methods: Sequence[str] = ("base", "cot"),
    nutrient: str = "carb",
    natural: int = 3,
    metric: int = 2,
    combined: int = 20_000,
    valid: float = 0.02,
    near: float = 0.8,
    seed: int = 0,
    release: str | None = None,
    user_tables: Sequence[str] = (),
    prompts: Mapping[str, Path] | None = None,
    replace: bool = False,
    progress: Callable[[int], None] | None = None,
) -> dict[str, Any]:
    """Make rows to learn from, chat-format JSON lines and Parquet; return their record.

    Parameters
    ----------
    out : Path
        Folder.
    data : sequence of str or Path
        ``v1``, ``v2`` or files of NutriBench whose meals no row may repeat.
    methods : sequence of str
        Of the bench, whose prompts ask.
    nutrient : {'carb', 'protein', 'fat', 'energy'}
    natural, metric : int
        Most household servings and amounts in grams of a food told alone.
    combined : int
        Meals of two to four foods.
    valid : float
        Share of the foods kept for validation.
    near : float
        Jaccard index of words from which texts are near.
    seed : int
    release : str, optional
        Built-in food table; the usual one when None.
    user_tables : sequence of str
        Added tables that are drawn from as well.
    prompts : mapping of str to Path, optional
        Files in the place of shipped prompts.
    replace : bool
        Replace rows that are there.
    progress : callable, optional
        Hears how many rows were made.

    Raises
    ------
    InputError, NotFoundError
        On a choice that there is not.
    """
    from prandial import __version__
    from prandial.api.foods import load_foods
    from prandial.bench.tuning import build_rows
    from prandial.compose.tuning import Share
    from prandial.tables import DEFAULT_RELEASE

    share = Share(natural=natural, metric=metric, combined=combined, valid=valid)
    return build_rows(
        load_foods(release or DEFAULT_RELEASE, user_tables=user_tables),
        Path(out),
        data=data,
        methods=methods,
        nutrient=_nutrient(nutrient),
        share=share,
        seed=seed,
        near=near,
        prompts=prompts,
        replace=replace,
        version=__version__,
        progress=progress,
    )


def finetune_train(
    rows: Path | str,
    *,
    base: str,
    out: Path | str,
    progress: Callable[[Mapping[str, float]], None] | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """Fine-tune with LoRA, or go on from the last checkpoint in the folder; return the record.

    Parameters
    ----------
    rows : Path
        ``train.jsonl`` of :func:`finetune_rows`, or its folder.
    base : str
        Folder of weights, GGUF file, name of a shipped list or of the hub.
    out : Path
        Folder.
    progress : callable, optional
        Hears each loss.
    **settings
        Of :class:`prandial.train.TuneSettings`.

    Raises
    ------
    MissingDataError
        Without rows, or a library of the extra ``train``.
    InputError, ModelError
        On a setting that cannot be, another run's folder, a base that cannot be loaded.
    """
    from prandial import __version__
    from prandial.train import TuneSettings, resolve_base, tune

    place = Path(rows)
    file = place / "train.jsonl" if place.is_dir() else place
    chosen = TuneSettings(base=resolve_base(base), rows=str(file), **settings)
    return tune(chosen, Path(out), prandial_version=__version__, progress=progress)


def finetune_reply(
    base: str,
    out: Path | str,
    *,
    adapter: Path | None = None,
    data: str = "v2",
    method: str = "base",
    nutrient: str = "carb",
    serving: str = "",
    half: str = "",
    limit: int | None = None,
    seed: int = 0,
    prompts: Mapping[str, Path] | None = None,
    batch: int = 8,
    max_tokens: int = 256,
    bf16: bool = False,
) -> dict[str, Any]:
    """Record a local model's replies to meals, as ``bench run -m prandial/replay`` reads them.

    Parameters
    ----------
    base : str
        As for :func:`finetune_train`.
    out : Path
        JSON lines; meals that are in it are not asked again.
    adapter : Path, optional
        Of a run.
    data : str
        ``v1``, ``v2`` or a file of NutriBench.
    method : str
        Of the bench, whose prompt asks.
    nutrient, serving, half, limit, seed
        Which meals, as for ``bench run``.
    prompts : mapping of str to Path, optional
    batch : int
        Meals at a time.
    max_tokens : int
        Most tokens of a reply.
    bf16 : bool
        Weights in bfloat16, not float32.

    Raises
    ------
    PrandialError
        On a choice that there is not, missing meals or a missing library.
    """
    from prandial.answer.texts import Prompts
    from prandial.bench.questions import meal_questions
    from prandial.bench.tuning import record_replies
    from prandial.train import Replier, resolve_base

    asked = meal_questions(
        data, nutrient=_nutrient(nutrient), serving=serving, half=half, limit=limit, seed=seed
    )
    model = Replier(resolve_base(base), adapter=adapter, max_tokens=max_tokens, bf16=bf16)
    texts = Prompts(prompts)
    done = record_replies(
        asked, Path(out), reply=model, method=method, prompts=texts, batch=max(1, batch)
    )
    return {"file": str(out), **done, "data": dict(asked.data)}


def finetune_merge(
    base: str, adapter: Path | str, out: Path | str, *, bf16: bool = False
) -> dict[str, Any]:
    """Put an adapter into its base: a folder of safetensors.

    Parameters
    ----------
    base : str
    adapter : Path
        Its folder, or the run's.
    out : Path
    bf16 : bool
    """
    from prandial.train import merge_adapter, resolve_base

    return merge_adapter(resolve_base(base), Path(adapter), Path(out), bf16=bf16)


def finetune_gguf(
    merged: Path | str, base: str | Path, out: Path | str, *, kind: str = "f16"
) -> dict[str, Any]:
    """Write merged weights as GGUF, with the tokenizer of the base's GGUF file.

    Parameters
    ----------
    merged : Path
        Folder of :func:`finetune_merge`.
    base : str or Path
    out : Path
    kind : {'f32', 'f16', 'q8_0'}
    """
    from prandial.train import resolve_base, to_gguf

    return to_gguf(Path(merged), Path(resolve_base(str(base))), Path(out), kind=kind)


def finetune_launch(machine: str) -> str:
    """Return the settings of ``accelerate launch`` for a machine, YAML.

    Parameters
    ----------
    machine : {'cpu', 'one-gpu', 'eight-gpus'}
    """
    from prandial.train import launch_config

    return launch_config(machine)
