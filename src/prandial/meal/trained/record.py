"""A learned ranking as a file: feature weights, learned foods, and a card."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from prandial.errors import DataError, NotFoundError, SchemaError

__all__ = ["FORMAT", "LearnedFood", "Trained", "load_trained", "save_trained"]

FORMAT: Final = "prandial-trained-1"
_HINT: Final = "make it anew: python -m benchmarks.train --out FILE"


@dataclass(frozen=True, slots=True)
class LearnedFood:
    """A food name of one country as the fitted meals use it.

    ``per_100g`` holds carbohydrate, protein and fat (g) and energy (kcal);
    ``support`` tells in how many groups of meals the name stood.
    """

    name: str
    country: str
    per_100g: tuple[float, float, float, float]
    support: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Trained:
    """What was learned from labelled meals.

    Attributes
    ----------
    weights : dict
        Feature -> weight.
    abroad : dict
        The same for meals of a named country other than the USA.
    foods : tuple of LearnedFood
    card : dict
        Recipe, commit, half, number of meals, digests of the inputs, licence.
    sha256 : str
        Digest of the file, or an empty string before it is saved.
    """

    weights: dict[str, float]
    abroad: dict[str, float] = field(default_factory=dict)
    foods: tuple[LearnedFood, ...] = ()
    card: dict[str, Any] = field(default_factory=dict)
    sha256: str = ""

    @property
    def label(self) -> str:
        """Words that name it: number of meals, half, digest."""
        meals, half = self.card.get("meals", "?"), self.card.get("half", "?")
        digest = self.sha256[:12] or "not saved"
        return f"trained on {meals} meals, half {half}, sha256 {digest}"


def save_trained(trained: Trained, path: Path) -> None:
    """Write a learned ranking; the same ranking gives the same bytes.

    Parameters
    ----------
    trained : Trained
    path : Path
    """
    parts: dict[str, npt.NDArray[Any]] = {
        "card": _bytes(json.dumps({**trained.card, "format": FORMAT}, sort_keys=True)),
        **_packed("home", trained.weights),
        **_packed("abroad", trained.abroad),
        "foods": _bytes(json.dumps([[f.country, f.name] for f in trained.foods])),
        "per_100g": np.array([f.per_100g for f in trained.foods], np.float32).reshape(-1, 4),
        "support": np.array([f.support for f in trained.foods], dtype=np.int32),
    }
    with zipfile.ZipFile(path, "w", compression=zipfile.ZIP_DEFLATED) as archive:
        for name, values in parts.items():
            held = io.BytesIO()
            np.save(held, values, allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), held.getvalue())


def _packed(name: str, weights: dict[str, float]) -> dict[str, npt.NDArray[Any]]:
    keys = sorted(weights)
    return {
        f"{name}_features": _bytes(json.dumps(keys)),
        f"{name}_weights": np.array([weights[k] for k in keys], dtype=np.float32),
    }


def _unpacked(name: str, parts: Mapping[str, npt.NDArray[Any]]) -> dict[str, float]:
    values = parts[f"{name}_weights"]
    if not np.isfinite(values).all():
        raise SchemaError("a weight of the learned ranking is not a number")
    keys = json.loads(parts[f"{name}_features"].tobytes())
    return dict(zip(keys, values.tolist(), strict=True))


def _bytes(text: str) -> npt.NDArray[np.uint8]:
    return np.frombuffer(text.encode(), dtype=np.uint8)


def load_trained(path: Path) -> Trained:
    """Read a learned ranking.

    Parameters
    ----------
    path : Path

    Returns
    -------
    Trained

    Raises
    ------
    NotFoundError
        When there is no such file.
    SchemaError
        When the file is damaged or no learned ranking.
    """
    if not path.is_file():
        raise NotFoundError("no such file", where=str(path), hint=_HINT)
    raw = path.read_bytes()
    try:
        return _read(raw)
    except DataError as error:
        raise SchemaError(error.what, where=str(path), hint=error.hint or _HINT) from error
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, OSError, EOFError) as error:
        raise SchemaError(
            "this is no learned ranking, or it is damaged", where=str(path), hint=_HINT
        ) from error


def _read(raw: bytes) -> Trained:
    with np.load(io.BytesIO(raw), allow_pickle=False) as parts:
        card = json.loads(parts["card"].tobytes())
        if not isinstance(card, dict) or card.get("format") != FORMAT:
            raise SchemaError(f"the file is not of the form {FORMAT}")
        rows = json.loads(parts["foods"].tobytes())
        foods = tuple(
            LearnedFood(name, country, tuple(values), count)
            for (country, name), values, count in zip(
                rows, parts["per_100g"].tolist(), parts["support"].tolist(), strict=True
            )
        )
        return Trained(
            weights=_unpacked("home", parts),
            abroad=_unpacked("abroad", parts),
            foods=foods,
            card=card,
            sha256=hashlib.sha256(raw).hexdigest(),
        )
