"""Charts to SVG and PNG, offline, the same bytes for the same chart.

By altair and vl-convert, which are loaded only when something is drawn.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from prandial.errors import MissingDataError

__all__ = ["altair", "legal", "png_of", "svg_of"]

#: ids that vega counts on over all drawings of a process
_COUNTED: Final = re.compile(r"\b(clip|gradient_)(\d+)\b")
#: characters that no XML may hold (XML 1.0, production Char): vl-convert aborts on them
_ILLEGAL: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def altair(extra: str) -> Any:
    """Return altair, when it and vl-convert are installed.

    Parameters
    ----------
    extra : str
        The extra of prandial that brings them.

    Raises
    ------
    MissingDataError
        When one of them is absent.
    """
    try:
        import altair as alt
        import vl_convert  # noqa: F401
    except ImportError as error:
        raise MissingDataError(
            f"{error.name} is not installed", where="plot", hint=f"pip install 'prandial[{extra}]'"
        ) from None
    return alt


def png_of(chart: Any, *, scale: float = 2) -> bytes:
    """Return a chart as PNG."""
    import vl_convert

    return bytes(vl_convert.vegalite_to_png(legal(chart.to_dict()), scale=scale))


def svg_of(chart: Any) -> str:
    """Return a chart as SVG, without counts that go on from drawing to drawing."""
    import vl_convert

    return _renumbered(vl_convert.vegalite_to_svg(legal(chart.to_dict())))


def legal(value: Any) -> Any:
    """Return a value whose texts, at any depth, hold U+FFFD for what no drawing can hold."""
    if isinstance(value, str):
        return "".join(
            "\ufffd" if _ILLEGAL.match(c) or unicodedata.category(c) == "Cf" else c for c in value
        )
    if isinstance(value, Mapping):
        return {legal(k): legal(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [legal(v) for v in value]
    return value


def _renumbered(svg: str) -> str:
    """Return an SVG whose counted ids begin with 0."""
    places: dict[str, int] = {}
    return _COUNTED.sub(
        lambda m: f"{m[1]}{places.setdefault(m[0], len(places))}",
        svg,
    )
