"""People as raters of meals: sheets out, sheets in, figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from prandial.api.choices import one_of

if TYPE_CHECKING:
    from prandial.bench.raters import Exported, Imported, PeopleFigures

__all__ = ["bench_people_export", "bench_people_figures", "bench_people_import"]


def bench_people_export(
    folder: Path | str,
    *,
    raters: Sequence[str],
    arms: Sequence[str] = ("look-up", "no look-up"),
    per_rater: int = 72,
    shared: str = "all",
    form: str = "csv",
    data: Path | str = "v1",
    nutrient: str = "carb",
    serving: str = "",
    country: Sequence[str] = (),
    items: str = "",
    half: str = "",
    columns: Mapping[str, str] | None = None,
    seed: int = 0,
    replace: bool = False,
) -> Exported:
    """Write blinded sheets of meals for people to rate, and the key that stays at home.

    Parameters
    ----------
    folder : Path
        Gets ``send/`` and ``keep/``.
    raters : sequence of str
        Code names.
    arms : sequence of {'look-up', 'no look-up'}
    per_rater : int
        Meals a rater gets in an arm, as even over servings as can be.
    shared : {'all', 'arm', 'none'}
        Who gets the same meals: all raters in all arms (as in NutriBench), all within an arm,
        nobody.
    form : {'csv', 'xlsx'}
    data, nutrient, serving, country, items, half, columns
        Meals to draw from, as for :func:`prandial.api.bench.bench_run`.
    seed : int
    replace : bool
        Write over a study that is there.

    Raises
    ------
    InputError
        On choices that there are not, too few meals, and a study that is there.
    MissingDataError
        When the data or, for xlsx, openpyxl are not there.
    """
    from prandial.bench.questions import NUTRIENTS, meal_questions
    from prandial.bench.raters import export_sheets
    from prandial.records.bench import MealQuestion

    asked = meal_questions(
        data,
        nutrient=NUTRIENTS.get(nutrient, nutrient),
        serving=serving,
        country=country,
        items=items,
        half=half,
        columns=columns,
    )
    return export_sheets(
        [q for q in asked.questions if isinstance(q, MealQuestion)],
        Path(folder),
        raters=raters,
        arms=arms,
        per_rater=per_rater,
        seed=seed,
        form=form,
        shared=shared,
        replace=replace,
    )


def bench_people_import(
    files: Sequence[Path | str], key: Path | str, out: Path | str
) -> tuple[Imported, ...]:
    """Make a run of each filled sheet; it is scored as any other run.

    Parameters
    ----------
    files : sequence of Path
        CSV, xlsx or JSON lines, under any name.
    key : Path
        ``keep/key.json`` of the export.
    out : Path
        Gets a folder for each rater and arm.

    Raises
    ------
    InputError, NotFoundError, SchemaError
        Naming file, row and column of what cannot be taken; nothing is written then.
    """
    from datetime import UTC, datetime

    from prandial import __version__
    from prandial.bench.raters import import_sheets
    from prandial.bench.runner.record import commit_of

    return import_sheets(
        [Path(f) for f in files],
        Path(key),
        Path(out),
        version=__version__,
        now=datetime.now(UTC),
        commit=commit_of(),
    )


def bench_people_figures(
    runs: Sequence[Path | str], *, rules: str = "ours", seed: int = 0, count: int | None = None
) -> PeopleFigures:
    """Compare people with each other and with models on the same meals.

    Parameters
    ----------
    runs : sequence of Path
        Folders of runs: of people, and of models that were asked the same meals.
    rules : {'ours', 'published'}
    seed : int
        Of the bootstrap.
    count : int, optional
        Meals at each end of the variance over people; a quarter when None.

    Raises
    ------
    InputError
        On a rule set that is not known, and runs that have nothing in common.
    PrandialError
        When a folder holds no run.
    """
    from typing import cast

    from prandial.bench.raters import figures_of_people, rated_of
    from prandial.bench.runs import read_run
    from prandial.score.answers.meals import MealRules

    return figures_of_people(
        [rated_of(read_run(Path(r))) for r in runs],
        rules=cast("MealRules", one_of(rules, MealRules, "rules")),
        seed=seed,
        count=count,
    )
