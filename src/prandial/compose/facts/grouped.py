"""Rows of foods under one name, and one value for them: twice, as published and as ours.

Published (NutriBench, arXiv 2407.12843, appendix D): rows of equal description are one food;
values of it with |z| > 1 are dropped, the median of the rest stands; a food without
carbohydrate is dropped. The paper does not say which standard deviation: the population's by
default (``ddof`` 0, as SciPy's z-score), the sample's on request.

Ours (``portions``): names are equal whatever their case; a survey food keeps one name, the
newest, over the releases; values of reference tables are never pooled with labels, nor with
each other: those of the first rank stand. Labels are pooled by the published rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from prandial.compose.facts.rows import PARTS
from prandial.compose.facts.servings import USUAL
from prandial.nutrients import MAIN
from prandial.records.facts import FactForm

if TYPE_CHECKING:
    import duckdb

__all__ = ["group_rows", "measures_of", "middle_values"]

#: serving sizes of labels under one name that are kept, the most common ones
_LABEL_SERVINGS: Final = 4
#: how far a food may be off its label (21 CFR 101.9(g)(5)), and twice the half of a unit that a
#: serving's grams and kilocalories are rounded to (101.9(c)), in parts of the unit
_LABEL_SHARE: Final = 0.2
_LABEL_UNIT: Final = {n: (10 if n == "energy_kcal" else 1) * PARTS for n in MAIN}
_WIDE: Final = "SELECT g, " + (  # noqa: S608
    ", ".join(f"max(value) FILTER (nutrient = '{n}') * {PARTS} AS mid_{n}" for n in MAIN)
    + " FROM middle GROUP BY g"
)


def group_rows(con: duckdb.DuckDBPyConnection, form: FactForm) -> None:
    """Make ``keyed``: each row of ``food_row`` with the group ``g`` it belongs to.

    Parameters
    ----------
    con : DuckDBPyConnection
    form : {'published', 'portions'}
    """
    if form == "published":
        shown, key = "name", "name"
    else:
        shown = "first_value(name) OVER (PARTITION BY tbl, id ORDER BY rank, name)"
        key = "kind || '|' || lower(shown)"
    con.execute(
        f"CREATE TABLE keyed AS WITH told AS (SELECT *, {shown} AS shown FROM food_row),"  # noqa: S608
        f" named AS (SELECT *, {key} AS key FROM told)"
        " SELECT *, dense_rank() OVER (ORDER BY key) AS g FROM named"
    )


def middle_values(con: duckdb.DuckDBPyConnection, form: FactForm, *, ddof: int = 0) -> None:
    """Make ``middle``: the value of each group and nutrient, and how many rows it is of.

    With x whole, n values, sum s and sum of squares q, and d for ``ddof``: |z| <= 1 is
    (n x - s)^2 (n - d) <= n (n q - s^2), in whole numbers. So two values, both at exactly
    |z| = 1 of the population, are both kept.

    Parameters
    ----------
    con : DuckDBPyConnection
    form : {'published', 'portions'}
    ddof : {0, 1}
        1 for the sample's standard deviation.
    """
    if form == "published":
        first = "keyed"
    else:
        first = (
            "(SELECT * FROM keyed WHERE carb_g IS NOT NULL"
            " QUALIFY rank = min(rank) OVER (PARTITION BY g))"
        )
    columns = ", ".join(MAIN)
    con.execute(
        "CREATE TABLE amount AS SELECT g, nutrient, v FROM"  # noqa: S608
        f" (SELECT g, {columns} FROM {first}) UNPIVOT (v FOR nutrient IN ({columns}))"
    )
    con.execute(
        "CREATE TABLE middle AS WITH stat AS ("  # noqa: S608
        "SELECT g, nutrient, count(*)::HUGEINT AS n, sum(v)::HUGEINT AS s,"
        " sum(v::HUGEINT * v)::HUGEINT AS q FROM amount GROUP BY ALL)"
        f" SELECT g, nutrient, median(v) / {float(PARTS)} AS value,"
        " any_value(n)::BIGINT AS n, count(*) AS kept"
        " FROM amount JOIN stat USING (g, nutrient)"
        f" WHERE (n * v - s) * (n * v - s) * (n - {ddof}) <= n * (n * q - s * s)"
        " GROUP BY g, nutrient"
    )


def _tells_its_own(nutrients: Sequence[str]) -> str:
    """Whether a row's amounts in its measure are about those that its group's values give."""
    near = (
        f"(abs(k.{n} - w.mid_{n}) <= {_LABEL_SHARE} * k.{n}"
        f" OR abs(k.{n} - w.mid_{n}) * m.grams / 100 <= {_LABEL_UNIT[n]})"
        for n in nutrients
    )
    return "k.carb_g IS NOT NULL AND " + " AND ".join(f"coalesce({n}, true)" for n in near)


def measures_of(con: duckdb.DuckDBPyConnection, form: FactForm) -> None:
    """Make ``measure``: the household measures of each group in order.

    Parameters
    ----------
    con : DuckDBPyConnection
    form : {'published', 'portions'}
        Published: the first measure of a reference table; the paper's 13,048 foods with
        natural servings are about as many as these tables have. Ours: all of the first
        rank, the usual serving first, and of labels the most common serving sizes of
        those whose own amounts in it are about the name's: servings of another food
        under the same name would tell it wrongly.
    """
    con.execute(
        "CREATE TABLE measured AS SELECT k.g, k.kind, k.rank, m.seq, m.text, m.grams,"  # noqa: S608
        f" m.text = '{USUAL}' AS usual, {_tells_its_own(MAIN)} AS own"
        f" FROM measure_said m JOIN keyed k USING (source, id) JOIN ({_WIDE}) w USING (g)"
    )
    reference = (
        "SELECT g, text, grams, row_number() OVER (PARTITION BY g"
        " ORDER BY usual DESC, seq, text, grams) AS place FROM (SELECT * FROM measured"
        " WHERE kind = 'reference' {and_}"
        " QUALIFY rank = min(rank) OVER (PARTITION BY g)"
        " AND row_number() OVER (PARTITION BY g, rank, usual, grams ORDER BY seq, text) = 1)"
    )
    if form == "published":
        own = reference.format(and_="AND NOT usual")
        con.execute(f"CREATE TABLE measure AS SELECT * FROM ({own}) WHERE place = 1")  # noqa: S608
        return
    label = (
        "SELECT g, text, grams, row_number() OVER (PARTITION BY g"  # noqa: S608
        " ORDER BY count(*) DESC, grams, text) AS place FROM measured"
        " WHERE kind = 'label' AND own GROUP BY g, text, grams"
        f" QUALIFY place <= {_LABEL_SERVINGS}"
    )
    con.execute(f"CREATE TABLE measure AS {reference.format(and_='')} UNION ALL {label}")
