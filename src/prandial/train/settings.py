"""What a fine-tuning run is told, and what it tells the trainer."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

from prandial.errors import InputError

__all__ = ["Precision", "TuneSettings", "trainer_arguments"]

Precision = Literal["auto", "fp32", "bf16"]
#: a frozen base has inputs without gradients, and several processes share the model
CHECKPOINTING: Final = {"use_reentrant": False}
_PRECISIONS: Final = ("auto", "fp32", "bf16")
_DEVICES: Final = ("auto", "cpu", "cuda")
#: fields that may change when a run goes on from a checkpoint
_FREE: Final = ("steps", "epochs", "minutes", "save_every", "log_every", "device")
#: share of the steps in which the learning rate rises
_WARMUP: Final = 0.03


@dataclass(frozen=True, kw_only=True)
class TuneSettings:
    """A recipe; the defaults are the paper's where it names them (qLoRA rank 8, one epoch).

    Parameters
    ----------
    base : str
        Folder of weights, GGUF file (dequantised), or the model's name on the hub.
    rows : str
        Chat-format JSON lines.
    rank, alpha : int
        Of LoRA; the update is scaled by ``alpha / rank``.
    dropout : float
    targets : str
        ``all-linear``, or names of modules with commas.
    learning_rate : float
    epochs : float
    steps : int, optional
        In the place of epochs.
    batch, accumulate : int
        Rows at a time on each device, and batches to a step.
    max_tokens : int
        Rows are cut there; the record counts the ones that were.
    limit : int, optional
        Only the first so many rows.
    qlora : bool
        Base weights in 4 bits (NF4, double quantisation) by bitsandbytes.
    checkpointing : bool
        Keep fewer activations, compute them twice.
    precision : {'auto', 'fp32', 'bf16'}
        ``auto``: bf16 on a GPU, fp32 on the CPU.
    device : {'auto', 'cpu', 'cuda'}
    seed : int
    save_every, log_every : int
        Steps.
    minutes : float, optional
        Stop after the step in which so many have passed, with a checkpoint.
    """

    base: str
    rows: str
    rank: int = 8
    alpha: int = 16
    dropout: float = 0.05
    targets: str = "all-linear"
    learning_rate: float = 2e-4
    epochs: float = 1.0
    steps: int | None = None
    batch: int = 4
    accumulate: int = 1
    max_tokens: int = 1024
    limit: int | None = None
    qlora: bool = False
    checkpointing: bool = False
    precision: Precision = "auto"
    device: str = "auto"
    seed: int = 0
    save_every: int = 50
    log_every: int = 10
    minutes: float | None = None

    def __post_init__(self) -> None:
        least = {"rank": 1, "alpha": 1, "batch": 1, "accumulate": 1, "max_tokens": 16}
        for name, low in (least | {"save_every": 1, "log_every": 1}).items():
            if getattr(self, name) < low:
                _refuse(name, getattr(self, name), f"{low} or more")
        for name in ("steps", "limit"):
            value = getattr(self, name)
            if value is not None and value < 1:
                _refuse(name, value, "1 or more")
        for name in ("learning_rate", "epochs", "minutes"):
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and value > 0):
                _refuse(name, value, "above 0")
        if not 0 <= self.dropout < 1:
            _refuse("dropout", self.dropout, "0 to below 1")
        if self.precision not in _PRECISIONS:
            _refuse("precision", self.precision, "one of: " + ", ".join(_PRECISIONS))
        if self.device not in _DEVICES:
            _refuse("device", self.device, "one of: " + ", ".join(_DEVICES))
        if self.qlora and self.from_gguf:
            raise InputError(
                "qLoRA cannot begin from a GGUF file",
                where="base",
                hint="name a folder of safetensors, or leave out --qlora",
            )

    @property
    def from_gguf(self) -> bool:
        """Whether the base is a GGUF file."""
        return self.base.lower().endswith(".gguf")

    def deciding(self) -> dict[str, Any]:
        """Return what a run that goes on must share with the one that began."""
        told = {k: v for k, v in asdict(self).items() if k not in _FREE}
        return {**told, "base": Path(self.base).name, "rows": Path(self.rows).name}


def _refuse(name: str, value: object, hint: str) -> None:
    raise InputError(f"{name} cannot be {value!r}", where=name, hint=hint)


def trainer_arguments(
    settings: TuneSettings, out: Path, *, rows: int, devices: int = 1, cuda: bool = False
) -> dict[str, Any]:
    """Return the arguments of trl's ``SFTConfig``.

    Parameters
    ----------
    settings : TuneSettings
    out : Path
        Folder of the checkpoints.
    rows : int
        Rows to learn from.
    devices : int
        Processes that share the work.
    cuda : bool
        Whether there is a GPU to use.

    Returns
    -------
    dict
    """
    on_gpu = cuda and settings.device != "cpu"
    bf16 = settings.precision == "bf16" or (settings.precision == "auto" and on_gpu)
    together = settings.batch * settings.accumulate * devices
    steps = settings.steps or max(1, math.ceil(rows / together * settings.epochs))
    return {
        "output_dir": str(out),
        "max_steps": steps,
        "per_device_train_batch_size": settings.batch,
        "gradient_accumulation_steps": settings.accumulate,
        "learning_rate": settings.learning_rate,
        "lr_scheduler_type": "cosine",
        "warmup_steps": max(1, round(_WARMUP * steps)),
        "optim": "adamw_torch",
        "max_length": settings.max_tokens,
        "packing": False,
        "completion_only_loss": True,
        "gradient_checkpointing": settings.checkpointing,
        "gradient_checkpointing_kwargs": CHECKPOINTING if settings.checkpointing else None,
        "ddp_find_unused_parameters": False,  # every adapter has a part in every loss
        "bf16": bf16,
        "fp16": False,
        "use_cpu": not on_gpu,
        "dataloader_pin_memory": on_gpu,
        "seed": settings.seed,
        "data_seed": settings.seed,
        "logging_steps": settings.log_every,
        "save_strategy": "steps",
        "save_steps": settings.save_every,
        "save_total_limit": 2,
        "report_to": "none",
        "disable_tqdm": True,
    }
