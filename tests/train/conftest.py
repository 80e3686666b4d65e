"""A language model of a few thousand weights, made on the spot with its tokenizer."""

from __future__ import annotations

from pathlib import Path

import pytest

TEMPLATE = (
    "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
MARKS = ["<|system|>", "<|user|>", "<|assistant|>", "<|end|>", "<|pad|>"]


def _require() -> None:
    for name in ("torch", "transformers", "peft", "trl", "datasets", "accelerate"):
        try:
            __import__(name)
        except ImportError:
            pytest.skip(
                f"FINE-TUNING NOT TESTED: {name} is not installed; "
                "pip install 'prandial[train]' (torch for the CPU is enough)"
            )


@pytest.fixture(scope="session")
def tiny_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two layers of 64, random weights; tokens learned from a few words.

    The weights are wider than usual: the output layer gets no adapter, and with the usual
    0.02 its frozen rows could not tell one token from the others, whatever is learned below.
    """
    _require()
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    words = Tokenizer(models.BPE())
    words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = decoders.ByteLevel()
    words.train_from_iterator(
        ['How much? 2 eggs, a cup of rice {"total_carbohydrates": 12.5} Output:'] * 20,
        trainers.BpeTrainer(
            vocab_size=400,
            special_tokens=MARKS,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=words, eos_token="<|end|>", pad_token="<|pad|>"
    )
    tokenizer.chat_template = TEMPLATE
    torch.manual_seed(0)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer), hidden_size=64, intermediate_size=128,
            num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
            max_position_embeddings=512, eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id, bos_token_id=None,
            initializer_range=0.3,
        )
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("tiny")
    model.save_pretrained(str(folder))
    tokenizer.save_pretrained(str(folder))
    return folder


@pytest.fixture(scope="session")
def smol() -> Path:
    """The GGUF file of SmolLM2-135M-Instruct."""
    _require()
    from prandial.errors import PrandialError
    from prandial.sources.weights import model_file, weights_home

    try:
        return model_file("smollm2-135m", weights_home())
    except PrandialError as error:
        pytest.skip(f"WEIGHTS ABSENT: {error.hint} (or PRANDIAL_WEIGHTS=FOLDER)")
