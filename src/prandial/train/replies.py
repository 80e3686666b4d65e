"""A local model that answers conversations, with or without an adapter, greedily."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from prandial.train.libraries import library
from prandial.train.merge import adapter_folder
from prandial.train.weights import load_model, load_tokenizer

__all__ = ["Replier"]


class Replier:
    """Answers a batch of conversations; the likeliest token each time.

    Parameters
    ----------
    base : str
        Folder of weights, GGUF file, or name on the hub.
    adapter : Path, optional
        Of a run of ``finetune train``.
    max_tokens : int
        Most tokens of a reply.
    bf16 : bool
        Weights in bfloat16, else float32.
    """

    def __init__(
        self,
        base: str,
        *,
        adapter: Path | None = None,
        max_tokens: int = 256,
        bf16: bool = False,
    ) -> None:
        self._torch = library("torch")
        self._tokenizer = load_tokenizer(base)
        self._tokenizer.padding_side = "left"
        model = load_model(base, bf16=bf16)
        if adapter is not None:
            folder = adapter_folder(adapter)
            model = library("peft").PeftModel.from_pretrained(model, str(folder)).merge_and_unload()
        device = "cuda" if self._torch.cuda.is_available() else "cpu"
        self._model: Any = model.to(device).eval()
        self._most = max_tokens

    def __call__(self, conversations: Sequence[Sequence[tuple[str, str]]]) -> list[str]:
        """Return a reply to each."""
        texts = [
            self._tokenizer.apply_chat_template(
                [{"role": role, "content": text} for role, text in turns],
                tokenize=False,
                add_generation_prompt=True,
            )
            for turns in conversations
        ]
        given = self._tokenizer(
            texts, return_tensors="pt", padding=True, add_special_tokens=False
        ).to(self._model.device)
        with self._torch.inference_mode():
            made = self._model.generate(
                **given,
                max_new_tokens=self._most,
                do_sample=False,
                pad_token_id=self._tokenizer.pad_token_id,
            )
        new = made[:, given["input_ids"].shape[1] :]
        return [str(t).strip() for t in self._tokenizer.batch_decode(new, skip_special_tokens=True)]
