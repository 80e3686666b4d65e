"""Encoders: a tiny model by hand arithmetic, the real one by its published figures, n-grams."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from prandial.answer.encoder import Encoder, LexicalEncoder, encoder_id, load_encoder
from prandial.errors import MissingDataError, PrandialError, SchemaError
from prandial.sources.weights import weights_home, weights_path

#: rows by token: [PAD], [CLS], [SEP], [UNK], rice, bean; the pad would be seen in any mean
TABLE = [(100.0, -70.0), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0), (3.0, 4.0), (-2.0, 0.0)]


def field(number: int, value: bytes | int | str) -> bytes:
    """One field of a protocol buffer message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    body = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(body)) + body


def varint(number: int) -> bytes:
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def port(name: str, kind: int, *dims: str | int) -> bytes:
    shape = b"".join(field(1, field(1 if isinstance(d, int) else 2, d)) for d in dims)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))


def tiny_model(extra: bool = True) -> bytes:
    """An ONNX model (onnx.proto, IR 8) that looks its tokens up in a table."""
    node = field(1, "table") + field(1, "input_ids") + field(2, "last_hidden_state")
    node += field(4, "Gather")
    raw = np.array(TABLE, dtype="<f4").tobytes()
    table = field(1, 6) + field(1, 2) + field(2, 1) + field(8, "table") + field(9, raw)
    names = ["input_ids", "attention_mask", *(["token_type_ids"] if extra else [])]
    graph = field(1, node) + field(2, "tiny") + field(5, table)
    graph += b"".join(field(11, port(n, 7, "batch", "length")) for n in names)
    graph += field(12, port("last_hidden_state", 1, "batch", "length", 2))
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 13))


@pytest.fixture(params=[True, False], ids=["three inputs", "two inputs"])
def folder(request, tmp_path) -> Path:
    pytest.importorskip("onnxruntime")
    tokenizers = pytest.importorskip("tokenizers")
    words = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "rice", "bean"]
    made = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="[UNK]")
    )
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    made.enable_padding(length=16)  # as the published tokenizer file has it
    made.save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "model.onnx").write_bytes(tiny_model(request.param))
    return tmp_path


def test_the_mean_of_the_tokens_by_hand(folder):
    encoder = load_encoder(folder)
    found = encoder(["rice", "bean rice rice rice bean", "", "rice"])
    # rice: (1, 0) + (3, 4) + (0, 1) = (4, 5); the long one: (1 + 9 - 4, 12 + 1) = (6, 13)
    right = [(4, 5), (6, 13), (1, 1), (4, 5)]
    assert found == pytest.approx(np.array([np.array(r) / np.hypot(*r) for r in right]), abs=1e-6)
    assert found.dtype == np.float32
    assert encoder.embed([]).shape == (0, 2)


def test_states_of_tokens_without_the_marks(folder):
    states = load_encoder(folder).token_states(["bean rice", "", "rice"])
    assert [s.shape for s in states] == [(2, 2), (0, 2), (1, 2)]
    assert states[0] == pytest.approx(np.array([(-1, 0), (0.6, 0.8)]), abs=1e-6)
    assert states[2] == pytest.approx(np.array([(0.6, 0.8)]), abs=1e-6)


def test_batches_and_order_change_nothing(folder):
    loaded = load_encoder(folder)
    texts = ["rice " * n + "bean" for n in range(40)]
    whole = loaded(texts)
    small = Encoder(loaded._session, loaded._tokenizer, name="x", sha256=loaded.sha256, batch=3)
    assert small(texts[::-1])[::-1] == pytest.approx(whole, abs=1e-6)
    assert load_encoder(folder)(texts[7:8]) == pytest.approx(whole[7:8], abs=1e-6)


class Counting:
    """A session that counts the texts it is given."""

    def __init__(self, session):
        self.session, self.count = session, 0
        self.get_inputs, self.get_outputs = session.get_inputs, session.get_outputs

    def run(self, names, given):
        self.count += len(given["input_ids"])
        return self.session.run(names, given)


def test_a_text_is_encoded_once(folder, monkeypatch):
    loaded = load_encoder(folder)
    counting = Counting(loaded._session)
    encoder = Encoder(counting, loaded._tokenizer, name="x", sha256=loaded.sha256)
    first = encoder(["rice", "bean", "rice"])
    assert counting.count == 2
    assert np.array_equal(encoder(["bean", "rice"]), first[[1, 0]])
    assert counting.count == 2
    # when too many are held they are dropped, and the answer is the same
    monkeypatch.setattr("prandial.answer.encoder._KEPT", 2)
    assert np.array_equal(encoder(["rice", "bean bean", "bean"])[[0, 2]], first[:2])
    assert np.array_equal(encoder(["rice"]), first[:1])


def test_the_id_tells_the_file(folder):
    encoder = load_encoder(folder, name="tiny")
    digest = hashlib.sha256((folder / "model.onnx").read_bytes()).hexdigest()
    assert encoder.id == f"tiny sha256:{digest}"
    assert encoder_id(encoder) == encoder_id(encoder.embed) == encoder.id
    assert set(encoder.sha256) == {"model.onnx", "tokenizer.json"}
    assert load_encoder(folder).id.startswith(folder.name)


def test_files_that_are_not_there_or_not_right(folder):
    with pytest.raises(MissingDataError, match=r"model\.onnx is missing") as told:
        load_encoder(folder / "nowhere")
    assert told.value.hint == "prandial models pull minilm-l6"
    (folder / "model.onnx").write_bytes(b"no model")
    with pytest.raises(SchemaError, match="not an encoder"):
        load_encoder(folder)
    (folder / "model.onnx").write_bytes(tiny_model())
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(SchemaError, match="not an encoder"):
        load_encoder(folder)
    (folder / "tokenizer.json").unlink()
    with pytest.raises(MissingDataError, match="tokenizer"):
        load_encoder(folder)


def test_the_real_model_gives_its_published_likenesses():
    """sbert.net, quick start of all-MiniLM-L6-v2; int8 weights move the third decimal."""
    try:
        where = weights_path("minilm-l6", weights_home())
    except PrandialError as error:
        pytest.skip(f"WEIGHTS ABSENT: {error.hint} (or PRANDIAL_WEIGHTS=FOLDER)")
    vectors = load_encoder(where)(
        ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
    )
    right = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
    assert vectors @ vectors.T == pytest.approx(np.array(right), abs=0.005)


def test_n_grams_know_spelling():
    encoder = LexicalEncoder()
    texts = ["low_carb", "Low carb!", "high sodium", "low carbs", ""]
    vectors = encoder(texts)
    like = vectors @ vectors.T
    assert like[0, 1] == pytest.approx(1, abs=1e-6)  # case and signs do not count
    assert like[0, 3] > 0.5 > like[0, 2]
    assert not vectors[4].any()
    assert np.linalg.norm(vectors[:4], axis=1) == pytest.approx(np.ones(4), abs=1e-6)
    assert encoder([]).shape == (0, 1024)
    assert "1024 buckets" in encoder.id


def test_n_grams_are_the_same_everywhere():
    """By hand: `` a `` has one 3-gram, ``" a "``, whose CRC-32 is looked up by zlib."""
    import zlib

    code = zlib.crc32(b" a ")
    vector = LexicalEncoder(dimensions=16)(["a"])[0]
    assert vector[(code >> 1) % 16] == (1 if code & 1 else -1)
    assert np.count_nonzero(vector) == 1
