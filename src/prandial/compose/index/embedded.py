"""Vectors of names made once: a folder of parts that a broken-off run goes on with.

Each part is a file of float16 vectors and a file of the texts they are of. A text is embedded
once for each encoder, whatever table it stands in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from prandial.errors import SchemaError

__all__ = ["Embed", "KeptVectors", "Progress"]

#: texts to unit vectors, one row a text
Embed = Callable[[Sequence[str]], npt.NDArray[np.float32]]
#: texts done, and of how many
Progress = Callable[[int, int], None]
_PART: Final = 4096
_HINT: Final = "remove the folder of vectors and build again"


class KeptVectors:
    """Vectors of texts of one encoder.

    Parameters
    ----------
    folder : Path
        Parts are in a folder within it that is named by the encoder.
    encoder : str
        Id of the encoder; of another one nothing is used.
    """

    def __init__(self, folder: Path, encoder: str) -> None:
        name = hashlib.sha256(encoder.encode()).hexdigest()[:16]
        self.folder = folder / name
        self.encoder = encoder
        self._place: dict[str, tuple[int, int]] = {}
        self._parts: list[npt.NDArray[np.float16]] = []
        if self.folder.is_dir():
            # a part counts once its texts are there, which are written last
            for texts in sorted(self.folder.glob("part-*.txt")):
                self._add(texts)

    def __len__(self) -> int:
        return len(self._place)

    def _add(self, texts: Path) -> None:
        lines = texts.read_text(encoding="utf-8").split("\n")[:-1]
        try:
            vectors = np.load(texts.with_suffix(".npy"), mmap_mode="r")
        except (OSError, ValueError) as error:
            raise SchemaError(
                "vectors that cannot be read", where=str(texts.with_suffix(".npy")), hint=_HINT
            ) from error
        if vectors.ndim != 2 or len(vectors) != len(lines):
            raise SchemaError(
                f"{len(lines)} texts with vectors of shape {vectors.shape}",
                where=str(texts),
                hint=_HINT,
            )
        part = len(self._parts)
        self._parts.append(vectors)
        self._place.update((t, (part, row)) for row, t in enumerate(lines))

    def fill(self, texts: Sequence[str], embed: Embed, progress: Progress | None = None) -> int:
        """Embed the texts that have no vector yet, in their order, a part at a time.

        Parameters
        ----------
        texts : sequence of str
        embed : callable
        progress : callable, optional
            Called after each part.

        Returns
        -------
        int
            How many were embedded.
        """
        keys = dict.fromkeys(_key(t) for t in texts)
        new = [k for k in keys if k not in self._place]
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "encoder.txt").write_text(self.encoder + "\n", encoding="utf-8")
        for start in range(0, len(new), _PART):
            part = new[start : start + _PART]
            vectors = np.asarray(embed(part)).astype(np.float16)
            path = self.folder / f"part-{len(self._parts):05d}.npy"
            np.save(path, vectors)
            held = path.with_suffix(".tmp")
            held.write_text("".join(f"{t}\n" for t in part), encoding="utf-8")
            held.replace(path.with_suffix(".txt"))
            self._add(path.with_suffix(".txt"))
            if progress is not None:
                progress(min(start + _PART, len(new)), len(new))
        return len(new)

    def of(self, texts: Sequence[str]) -> npt.NDArray[np.float16]:
        """Return the vectors of texts that were filled, one row a text."""
        places = np.array([self._place[_key(t)] for t in texts], dtype=np.int64).reshape(-1, 2)
        width = self._parts[0].shape[1] if self._parts else 0
        out = np.zeros((len(texts), width), dtype=np.float16)
        for part, vectors in enumerate(self._parts):
            rows = np.flatnonzero(places[:, 0] == part)
            out[rows] = vectors[places[rows, 1]]
        return out


def _key(text: str) -> str:
    return " ".join(text.casefold().split())
