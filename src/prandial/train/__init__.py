"""Fine-tuning a causal language model with LoRA: recipe, run record, merge, export, replies.

Needs the extra ``train`` (torch, transformers, peft, trl), imported when it is asked for.
"""

from prandial.train.export import GGUF_KINDS, to_gguf
from prandial.train.launching import MACHINES, launch_config
from prandial.train.merge import merge_adapter
from prandial.train.recipe import tune
from prandial.train.replies import Replier
from prandial.train.rows import ChatRows, read_chat_rows
from prandial.train.settings import TuneSettings, trainer_arguments
from prandial.train.weights import resolve_base

__all__ = [
    "GGUF_KINDS",
    "MACHINES",
    "ChatRows",
    "Replier",
    "TuneSettings",
    "launch_config",
    "merge_adapter",
    "read_chat_rows",
    "resolve_base",
    "to_gguf",
    "trainer_arguments",
    "tune",
]
