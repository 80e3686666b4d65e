"""Texts to vectors: a small sentence encoder from files at hand, and one that needs no file.

The first is a transformer in ONNX with its ``tokenizer.json``, such as all-MiniLM-L6-v2
(N. Reimers and I. Gurevych, arXiv 1908.10084): the mean of the token states under the
attention mask, of length 1. The second hashes character n-grams into buckets with a sign
(K. Weinberger et al., arXiv 0902.2206): it knows spelling, not meaning, and is the same
everywhere. Every encoder has an ``id`` that belongs beside any figure it had a part in.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from prandial.answer.methods import Embed
from prandial.errors import MissingDataError, SchemaError

__all__ = ["MODEL", "TOKENIZER", "Encoder", "LexicalEncoder", "encoder_id", "load_encoder"]

MODEL: Final = "model.onnx"
TOKENIZER: Final = "tokenizer.json"
_PULL: Final = "prandial models pull minilm-l6"
#: vectors kept for texts that come again
_KEPT: Final = 20_000

_Vectors = npt.NDArray[np.float32]


class Encoder:
    """A transformer encoder; called with texts it gives unit vectors.

    Use :func:`load_encoder`.

    Parameters
    ----------
    session : onnxruntime.InferenceSession
    tokenizer : tokenizers.Tokenizer
        Without padding, cut at the length the model can take.
    name : str
    sha256 : mapping of str to str
        File name to digest.
    batch : int
        Texts run at once.
    """

    def __init__(
        self, session: Any, tokenizer: Any, *, name: str, sha256: dict[str, str], batch: int = 32
    ) -> None:
        self.sha256 = dict(sha256)
        self.id = f"{name} sha256:{sha256[MODEL]}"
        self._session = session
        self._tokenizer = tokenizer
        self._batch = batch
        self._inputs = frozenset(i.name for i in session.get_inputs())
        self._kept: dict[str, _Vectors] = {}

    def __call__(self, texts: Sequence[str]) -> _Vectors:
        """Return :meth:`embed` of the texts."""
        return self.embed(texts)

    def embed(self, texts: Sequence[str]) -> _Vectors:
        """Return one unit vector a text.

        Parameters
        ----------
        texts : sequence of str

        Returns
        -------
        ndarray of float32, shape (texts, dimensions)
        """
        new = [t for t in dict.fromkeys(texts) if t not in self._kept]
        found = dict(zip(new, self._means(new), strict=True))
        rows = [found[t] if t in found else self._kept[t] for t in texts]
        if len(self._kept) + len(found) > _KEPT:
            self._kept.clear()
        self._kept.update(found)
        return np.stack(rows) if rows else np.zeros((0, self._width), dtype=np.float32)

    def token_states(self, texts: Sequence[str]) -> list[_Vectors]:
        """Return the last states of each text's tokens, as unit vectors.

        Marks of begin and end are left out, as BERTScore gives them no weight
        (T. Zhang et al., arXiv 1904.09675).

        Parameters
        ----------
        texts : sequence of str

        Returns
        -------
        list of ndarray of float32, shape (tokens, dimensions)
        """
        out: list[_Vectors] = []
        for codings, states, _ in self._run(texts):
            for coding, rows in zip(codings, states, strict=True):
                own = np.array(coding.special_tokens_mask, dtype=np.bool_) ^ True
                out.append(_unit(rows[: len(own)][own]))
        return out

    @property
    def _width(self) -> int:
        return int(self._session.get_outputs()[0].shape[-1])

    def _means(self, texts: Sequence[str]) -> list[_Vectors]:
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        out: list[_Vectors] = [np.zeros(0, dtype=np.float32)] * len(texts)
        rows: Iterator[_Vectors] = (
            row
            for _, states, mask in self._run([texts[i] for i in order])
            for row in _unit((states * mask[..., None]).sum(axis=1) / mask.sum(axis=1)[:, None])
        )
        for i, row in zip(order, rows, strict=True):
            out[i] = row
        return out

    def _run(self, texts: Sequence[str]) -> Iterator[tuple[list[Any], _Vectors, _Vectors]]:
        """Yield codings, states and mask of each batch, in order."""
        edges = [*range(0, len(texts), self._batch), len(texts)]
        for start, end in pairwise(edges):
            codings = self._tokenizer.encode_batch(list(texts[start:end]))
            ids = np.zeros((len(codings), max(len(c.ids) for c in codings)), dtype=np.int64)
            mask = np.zeros_like(ids)
            for row, coding in enumerate(codings):
                ids[row, : len(coding.ids)] = coding.ids
                mask[row, : len(coding.ids)] = 1
            given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": ids * 0}
            states = self._session.run(None, {k: v for k, v in given.items() if k in self._inputs})
            yield codings, states[0], mask.astype(np.float32)


class LexicalEncoder:
    """Unit vectors of hashed character n-grams: no model, no file, the same everywhere.

    Parameters
    ----------
    dimensions : int
        Buckets.
    """

    def __init__(self, dimensions: int = 1024) -> None:
        self.dimensions = dimensions
        self.id = f"lexical: hashed character 3- to 5-grams, {dimensions} buckets"

    def __call__(self, texts: Sequence[str]) -> _Vectors:
        """Return :meth:`embed` of the texts."""
        return self.embed(texts)

    def embed(self, texts: Sequence[str]) -> _Vectors:
        """Return one unit vector a text; a text without a letter or digit has all zeros.

        Parameters
        ----------
        texts : sequence of str

        Returns
        -------
        ndarray of float32, shape (texts, dimensions)
        """
        out = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(out, texts, strict=True):
            for gram in _grams(text):
                code = zlib.crc32(gram.encode("utf-8", "surrogatepass"))
                row[(code >> 1) % self.dimensions] += 1.0 if code & 1 else -1.0
        return _unit(out)


def load_encoder(folder: Path | str, *, name: str = "", threads: int = 1) -> Encoder:
    """Load an encoder from ``model.onnx`` and ``tokenizer.json``.

    Parameters
    ----------
    folder : Path or str
    name : str
        Stands in the id; by default the name of the folder.
    threads : int
        Of the runtime; a language model may be busy beside it.

    Raises
    ------
    MissingDataError
        When a file or a library is not there.
    SchemaError
        When a file cannot be read as what it should be.
    """
    where = Path(folder)
    for file in (MODEL, TOKENIZER):
        if not (where / file).is_file():
            raise MissingDataError(f"{file} is missing", where=str(where), hint=_PULL)
    try:
        import onnxruntime
        import tokenizers
    except ImportError as error:
        raise MissingDataError(
            f"{error.name} is not installed",
            where="encoder",
            hint="pip install 'prandial[bench]'",
        ) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(
            str(where / MODEL), options, providers=["CPUExecutionProvider"]
        )
        tokenizer = tokenizers.Tokenizer.from_file(str(where / TOKENIZER))
    except Exception as error:
        raise SchemaError(
            "not an encoder that can be loaded", where=str(where), hint=_PULL
        ) from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    digests = {file: _sha256(where / file) for file in (MODEL, TOKENIZER)}
    return Encoder(session, tokenizer, name=name or where.resolve().name, sha256=digests)


def encoder_id(embed: Embed) -> str:
    """Return the id of an encoder, ``given by the caller`` for a bare function."""
    owner = embed if hasattr(embed, "id") else getattr(embed, "__self__", None)
    return str(getattr(owner, "id", "given by the caller"))


def _grams(text: str) -> Iterator[str]:
    for word in "".join(c if c.isalnum() else " " for c in text.casefold()).split():
        held = f" {word} "
        for length in (3, 4, 5):
            yield from (held[i : i + length] for i in range(len(held) - length + 1))


def _unit(rows: _Vectors) -> _Vectors:
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return (rows / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
