"""Keep compiled user tables: add, list, load, each with a card and digests."""

from __future__ import annotations

import difflib
import hashlib
import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from prandial.errors import (
    ChecksumError,
    InputError,
    MissingDataError,
    NotFoundError,
    SchemaError,
)
from prandial.nutrients import NUTRIENTS
from prandial.tables.user.compiled import read_foods, read_measures, write_foods, write_measures
from prandial.tables.user.home import check_name, is_name
from prandial.tables.user.reading import Basis, Carbohydrate, read_user_table
from prandial.tables.user.sniff import read_bytes
from prandial.tables.user.table import Problem, UserTable, UserTableInfo

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

__all__ = ["add_user_table", "find_user_tables", "list_user_tables", "load_user_table"]

_CARD: Final = ".card.json"
_AGAIN: Final = "add the table again from its source, with replace=True"


def _sha256(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def _files(name: str) -> tuple[str, str]:
    return f"{name}.parquet", f"{name}.measures.parquet"


def _names(home: Path) -> tuple[str, ...]:
    found = (p.name.removesuffix(_CARD) for p in home.glob(f"*{_CARD}"))
    return tuple(sorted(n for n in found if is_name(n)))


def _card(table: UserTable, source: Path, raw: bytes, options: dict[str, Any]) -> dict[str, Any]:
    foods, measures = _files(table.name)
    return {
        "form": 1,
        "name": table.name,
        "title": f"{table.name}: a table of the user's own",
        "licence": "as its owner says; not known to prandial",
        "file": foods,
        "measures_file": measures,
        "source": {"file": source.name, "sha256": _sha256(raw)},
        **options,
        "units": "per 100 g; each column's unit ends its name",
        "nutrients": [
            k
            for k, column in zip(table.nutrient_keys, table.per_100g.T, strict=True)
            if not bool((column != column).all())
        ],
        "rows_read": table.rows_read,
        "rows": table.rows_kept,
        "measures": len(table.measures),
        "problems": [asdict(p) for p in table.problems],
        "notes": list(table.notes),
    }


def _put(table: UserTable, card: dict[str, Any], home: Path) -> None:
    """Write the files aside, then move each into place; the card comes last."""
    foods, measures = _files(table.name)
    with tempfile.TemporaryDirectory(prefix=".adding-", dir=home) as folder:
        aside = Path(folder)
        write_foods(table, aside / foods)
        write_measures(table, aside / measures)
        digests = {f: _sha256((aside / f).read_bytes()) for f in (foods, measures)}
        card = {**card, "sha256": digests[foods], "measures_sha256": digests[measures]}
        text = json.dumps(card, indent=1, ensure_ascii=False) + "\n"
        (aside / f"{table.name}{_CARD}").write_text(text, encoding="utf-8")
        for file in (foods, measures, f"{table.name}{_CARD}"):
            (aside / file).replace(home / file)


def add_user_table(
    path: str | PathLike[str],
    *,
    name: str,
    columns: Mapping[str, str],
    home: Path,
    replace: bool = False,
    basis: Basis = "100g",
    carbohydrate: Carbohydrate = "total",
    density_g_per_ml: float | None = None,
) -> UserTable:
    """Read a table and keep it compiled in the user's folder.

    Writes ``NAME.parquet``, ``NAME.measures.parquet`` and ``NAME.card.json``.
    Each file appears whole or not at all; when the work stops between them,
    loading reports the digest that differs.

    Parameters
    ----------
    path, columns, basis, carbohydrate, density_g_per_ml
        As for :func:`read_user_table`.
    name : str
        Lower-case letters, digits and hyphens, at most 41.
    home : Path
        Folder to keep it in, see :func:`user_tables_home`; made if missing.
    replace : bool
        Replace a table of that name.

    Returns
    -------
    UserTable

    Raises
    ------
    InputError
        For a name that cannot be used or is taken, or when no row can be kept;
        else as for :func:`read_user_table`.
    """
    check_name(name)
    if not replace and name in _names(home):
        raise InputError(
            f"there is a table {name!r} already",
            where=str(home),
            hint="choose another name, or replace it with replace=True",
        )
    table = read_user_table(
        path,
        columns=columns,
        name=name,
        basis=basis,
        carbohydrate=carbohydrate,
        density_g_per_ml=density_g_per_ml,
    )
    source = Path(path)
    if table.rows_kept == 0:
        first = f"; first problem: {table.problems[0]}" if table.problems else ""
        raise InputError(
            f"none of the {table.rows_read} rows of {source.name!r} can be kept{first}",
            where=source.name,
            hint="check the column map, the units and the basis",
        )
    options = {
        "columns": dict(columns),
        "basis": basis,
        "carbohydrate": carbohydrate,
        "density_g_per_ml": density_g_per_ml,
    }
    try:
        home.mkdir(parents=True, exist_ok=True)
        _put(table, _card(table, source, read_bytes(source), options), home)
    except OSError as err:
        raise InputError(
            f"the table cannot be kept: {err.strerror or err}",
            where=str(home),
            hint="check that the folder may be written to and the disk has room",
        ) from None
    return table


def _shape(card: dict[str, Any], name: str) -> None:
    """Refuse a card of another table, another form, or with a part missing."""
    needed = {"sha256", "measures_sha256", "rows", "rows_read", "notes", "nutrients"}
    if card["form"] != 1 or card["name"] != name or not needed <= set(card):
        raise ValueError("another form or name")


def _read_card(home: Path, name: str) -> dict[str, Any]:
    path = home / f"{name}{_CARD}"
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
        _shape(card, name)
        card["source"] = {k: str(card["source"][k]) for k in ("file", "sha256")}
        card["problems"] = [Problem(**p) for p in card["problems"]]
    except (OSError, ValueError, KeyError, TypeError) as err:
        raise SchemaError(
            f"the card of {name!r} cannot be read ({type(err).__name__})",
            where=path.name,
            hint=_AGAIN,
        ) from None
    return dict(card)


def list_user_tables(home: Path) -> tuple[UserTableInfo, ...]:
    """Return what is kept in a folder, by name; nothing when there is no folder.

    A table whose card cannot be read is listed as damaged.
    """
    out = []
    for name in _names(home):
        try:
            card = _read_card(home, name)
        except SchemaError:
            out.append(UserTableInfo(name=name, state="damaged"))
            continue
        out.append(
            UserTableInfo(
                name=name,
                state="ok",
                source_file=card["source"]["file"],
                source_sha256=card["source"]["sha256"],
                nutrients=tuple(card["nutrients"]),
                rows_read=card["rows_read"],
                rows_kept=card["rows"],
                problems=len(card["problems"]),
                notes=tuple(card["notes"]),
            )
        )
    return tuple(out)


def find_user_tables(names: Sequence[str], *, home: Path) -> tuple[Path, ...]:
    """Return the compiled files of some tables, each once.

    Raises
    ------
    NotFoundError
        For a name that is not kept, naming the nearest.
    """
    known = [t.name for t in list_user_tables(home)]
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=3, cutoff=0.4) or known
            raise NotFoundError(
                f"no user table {name!r}",
                where=str(home),
                hint=("nearest: " + ", ".join(near))
                if near
                else "add one with: prandial foods add FILE --name NAME --map name=COLUMN ...",
            )
    return tuple(home / f"{name}.parquet" for name in dict.fromkeys(names))


def _verify(path: Path, digest: str) -> None:
    if not path.is_file():
        raise MissingDataError(f"{path.name} is missing", where=str(path.parent), hint=_AGAIN)
    seen = _sha256(path.read_bytes())
    if seen != digest:
        raise ChecksumError(
            f"{path.name} is not the file its card describes",
            where=f"sha256 {seen[:12]}…, card says {str(digest)[:12]}…",
            hint=_AGAIN,
        )


def load_user_table(home: Path, name: str) -> UserTable:
    """Load a table that was added.

    Parameters
    ----------
    home : Path
        See :func:`user_tables_home`.
    name : str

    Returns
    -------
    UserTable
        Equal to what :func:`add_user_table` returned.

    Raises
    ------
    NotFoundError
        When there is none; the hint names the nearest.
    MissingDataError, ChecksumError, SchemaError
        When a file is gone, differs from its card, or has another form.
    """
    names = _names(home)
    if name not in names:
        near = difflib.get_close_matches(name, names, n=3, cutoff=0.4)
        hint = "nearest: " + ", ".join(near) if near else "known: " + (", ".join(names) or "none")
        raise NotFoundError(f"no user table {name!r}", where=str(home), hint=hint)
    card = _read_card(home, name)
    foods, measures = (home / file for file in _files(name))
    _verify(foods, card["sha256"])
    _verify(measures, card["measures_sha256"])
    texts, per_100g = read_foods(foods)
    return UserTable(
        name=name,
        ids=texts["id"],
        names=texts["name"],
        alt_names=texts["alt_names"],
        categories=texts["category"],
        nutrient_keys=tuple(NUTRIENTS),
        per_100g=per_100g,
        measures=read_measures(measures),
        rows_read=card["rows_read"],
        rows_kept=card["rows"],
        problems=tuple(card["problems"]),
        notes=tuple(card["notes"]),
    )
