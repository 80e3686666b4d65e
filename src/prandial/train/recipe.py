"""The recipe: LoRA (or qLoRA) on a causal language model, loss on the answers only.

Hu et al. 2021 (LoRA, arXiv 2106.09685), Dettmers et al. 2023 (QLoRA, arXiv 2305.14314). NutriBench
(arXiv 2407.12843, section 5.3) used qLoRA of rank 8 for one epoch on eight GPUs.
"""

from __future__ import annotations

import json
import math
import platform
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from prandial.errors import InputError, ModelError
from prandial.train.libraries import library, versions
from prandial.train.rows import ChatRows, read_chat_rows
from prandial.train.settings import CHECKPOINTING, TuneSettings, trainer_arguments
from prandial.train.weights import base_record, load_model, load_tokenizer

__all__ = ["ADAPTER", "LOSSES", "RECORD", "tune"]

RECORD: Final = "finetune.json"
LOSSES: Final = "losses.jsonl"
ADAPTER: Final = "adapter"
CHECKPOINTS: Final = "checkpoints"
Hear = Callable[[Mapping[str, float]], None]


def tune(
    settings: TuneSettings,
    out: Path,
    *,
    prandial_version: str = "",
    started: datetime | None = None,
    progress: Hear | None = None,
) -> dict[str, Any]:
    """Fine-tune, or go on from the last checkpoint in the folder.

    Parameters
    ----------
    settings : TuneSettings
    out : Path
        Gets ``adapter/``, ``checkpoints/``, ``losses.jsonl`` and ``finetune.json``.
    prandial_version : str
    started : datetime, optional
        Now when None.
    progress : callable, optional
        Hears ``step``, ``loss``, ``learning_rate``, ``seconds``.

    Returns
    -------
    dict
        The record: settings, rows and base by their sha256, versions, device, parameters, steps,
        losses, seconds.

    Raises
    ------
    MissingDataError
        When a library of the extra ``train`` is not installed, or rows are missing.
    InputError
        When the folder holds a run of other settings.
    ModelError
        When the base cannot be loaded, or a loss is no number.
    """
    rows = read_chat_rows(Path(settings.rows), limit=settings.limit)
    deciding = settings.deciding()
    identity = {"settings": deciding, "rows": rows.sha256}
    resumed = _begun(out, identity)
    torch = library("torch")
    for name in ("transformers", "peft", "trl", "datasets"):
        library(name)
    trainer, bf16 = _trainer(settings, out, rows, torch)
    hear = _listener(out, settings.minutes, progress, resumed=resumed)
    trainer.add_callback(hear)
    first = trainer.is_world_process_zero()
    record = {
        "prandial": prandial_version,
        "started": (started or datetime.now(UTC)).isoformat(timespec="seconds"),
        "identity": identity,
        "settings": {**asdict(settings), **deciding},
        "rows": {"file": rows.path.name, "sha256": rows.sha256, "used": len(rows.rows)},
        "base": base_record(settings.base),
        "versions": {"python": platform.python_version(), **versions()},
        "device": {
            "kind": str(trainer.args.device.type),
            "processes": int(trainer.args.world_size),
            "threads": int(torch.get_num_threads()),
            "bf16": bf16,
        },
        "parameters": _parameters(trainer.model),
        "tokens": _tokens(trainer.train_dataset, settings.max_tokens),
        "resumed": resumed,
        "status": "running",
    }
    if first:
        _write(out / RECORD, record)
    begun = time.monotonic()
    done = trainer.train(resume_from_checkpoint=True if resumed else None)
    record |= {
        "status": "stopped" if hear.stopped else "done",
        "steps": int(trainer.state.global_step),
        "of_steps": int(trainer.state.max_steps),
        "mean_loss": float(done.training_loss),
        "losses": hear.losses,
        "seconds": round(time.monotonic() - begun, 1),
    }
    if first:
        trainer.model.save_pretrained(str(out / ADAPTER))
        trainer.processing_class.save_pretrained(str(out / ADAPTER))
        _write(out / RECORD, record)
    return record


def _begun(out: Path, identity: Mapping[str, Any]) -> bool:
    """Tell whether the folder holds a checkpoint of this run; refuse one of another."""
    there = any((out / CHECKPOINTS).glob("checkpoint-*"))
    if not there:
        out.mkdir(parents=True, exist_ok=True)
        return False
    try:
        found = json.loads((out / RECORD).read_text(encoding="utf-8"))["identity"]
    except (OSError, ValueError, KeyError, TypeError):
        found = None
    if found != json.loads(json.dumps(identity)):
        raise InputError(
            "the folder holds checkpoints of another run",
            where=str(out),
            hint="name another folder, or give the rows and settings of that run",
        )
    return True


def _trainer(settings: TuneSettings, out: Path, rows: ChatRows, torch: Any) -> tuple[Any, bool]:
    peft, trl, datasets = library("peft"), library("trl"), library("datasets")
    cuda = bool(torch.cuda.is_available())
    arguments = trainer_arguments(
        settings, out / CHECKPOINTS, rows=len(rows.rows), devices=_processes(), cuda=cuda
    )
    torch.manual_seed(settings.seed)
    bf16 = bool(arguments["bf16"])
    tokenizer = load_tokenizer(settings.base)
    if settings.qlora:
        model = _four_bits(settings, torch, bf16=bf16, cuda=not arguments["use_cpu"])
    else:
        model = load_model(settings.base, bf16=bf16)
    if settings.checkpointing:
        model.config.use_cache = False
    targets = settings.targets if settings.targets == "all-linear" else settings.targets.split(",")
    lora = peft.LoraConfig(
        r=settings.rank,
        lora_alpha=settings.alpha,
        lora_dropout=settings.dropout,
        target_modules=targets,
        bias="none",
        task_type="CAUSAL_LM",
    )
    trainer = trl.SFTTrainer(
        model=model,
        args=trl.SFTConfig(**arguments),
        train_dataset=datasets.Dataset.from_list([dict(r) for r in rows.rows]),
        processing_class=tokenizer,
        peft_config=lora,
    )
    return trainer, bf16


def _four_bits(settings: TuneSettings, torch: Any, *, bf16: bool, cuda: bool) -> Any:
    """Load the base in NF4 with double quantisation, each process on its own device."""
    library("bitsandbytes", hint="pip install bitsandbytes")
    transformers, peft, accelerate = library("transformers"), library("peft"), library("accelerate")
    kind = torch.bfloat16 if bf16 else torch.float32
    four = transformers.BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=kind,
    )
    where = {"": accelerate.PartialState().local_process_index} if cuda else "cpu"
    model = load_model(settings.base, bf16=bf16, quantised=four, device=where)
    return peft.prepare_model_for_kbit_training(
        model,
        use_gradient_checkpointing=settings.checkpointing,
        gradient_checkpointing_kwargs=CHECKPOINTING,
    )


def _processes() -> int:
    return int(library("accelerate").PartialState().num_processes)


def _parameters(model: Any) -> dict[str, int]:
    sizes = [(p.numel(), p.requires_grad) for p in model.parameters()]
    return {"all": sum(n for n, _ in sizes), "trained": sum(n for n, on in sizes if on)}


def _tokens(dataset: Any, most: int) -> dict[str, int]:
    """Return the longest row, and how many reach the bound: those may have been cut."""
    lengths = [len(ids) for ids in dataset["input_ids"]]
    return {"longest": max(lengths), "at_the_bound": sum(n >= most for n in lengths)}


def _listener(out: Path, minutes: float | None, progress: Hear | None, *, resumed: bool) -> Any:
    """Return a callback of the trainer that keeps losses and the time."""
    base: Any = library("transformers").TrainerCallback
    path = out / LOSSES
    if not resumed:
        path.unlink(missing_ok=True)
    begun = time.monotonic()

    class Losses(base):  # type: ignore[misc]
        """Writes each loss as it comes; stops when the time is over."""

        def __init__(self) -> None:
            self.losses: list[dict[str, float]] = []
            self.stopped = False

        def on_log(self, _args: Any, state: Any, _control: Any, **told: Any) -> None:
            logs = told.get("logs")
            if not logs or "loss" not in logs or not state.is_world_process_zero:
                return
            loss = float(logs["loss"])
            row = {
                "step": int(state.global_step),
                "loss": loss,
                "learning_rate": float(logs.get("learning_rate", 0.0)),
                "seconds": round(time.monotonic() - begun, 1),
            }
            self.losses.append(row)
            with path.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(row) + "\n")
            if progress is not None:
                progress(row)
            if math.isnan(loss):
                raise ModelError(
                    "the loss is no number",
                    where=f"step {row['step']}",
                    hint="a smaller --learning-rate, or --precision fp32",
                )

        def on_step_end(self, _args: Any, state: Any, control: Any, **_told: Any) -> Any:
            over = minutes is not None and time.monotonic() - begun > 60 * minutes
            if over and state.global_step < state.max_steps:
                self.stopped = True
                control.should_save = control.should_training_stop = True
            return control

    return Losses()


def _write(path: Path, record: Mapping[str, Any]) -> None:
    text = json.dumps(record, ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")
