"""Everyday words about a meal to grams and nutrients, offline.

Research software: no dosing advice, no diagnosis.

>>> import prandial
>>> meal = prandial.estimate("two slices of toast with butter")
>>> [item.food is not None for item in meal.items]
[True, True]
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # importing typing would double the time of this module
if TYPE_CHECKING:
    from typing import Any

    from prandial.api import (
        DEFAULT_RELEASE,
        RELEASES,
        add_foods,
        apply_review,
        bench_compare,
        bench_cost,
        bench_export_lm_eval,
        bench_get,
        bench_import,
        bench_methods,
        bench_people_export,
        bench_people_figures,
        bench_people_import,
        bench_report,
        bench_run,
        bench_score,
        build_facts,
        build_ngqa,
        build_nutribench,
        doctor,
        estimate,
        estimate_batch,
        estimate_file,
        explain,
        export_graph,
        export_review,
        finetune_gguf,
        finetune_launch,
        finetune_merge,
        finetune_reply,
        finetune_rows,
        finetune_train,
        get_dataset,
        get_nhanes,
        import_review,
        list_dataset,
        list_models,
        list_nhanes,
        list_tables,
        load_foods,
        ngqa_check,
        ngqa_check_raw,
        ngqa_show,
        ngqa_stats,
        nutribench_map,
        nutribench_review_export,
        nutribench_review_import,
        nutribench_stats,
        nutribench_verify,
        people_stats,
        pull_model,
        remove_model,
        retrieve,
        review_errors,
        risk_assess,
        risk_patients,
        risk_simulate,
        risk_simulate_file,
        search_foods,
        show_food,
        show_person,
        suits,
        user_table_names,
    )
    from prandial.errors import (
        ChecksumError,
        DataError,
        InputError,
        MissingDataError,
        ModelError,
        NotFoundError,
        PrandialError,
        SchemaError,
        SimulationError,
    )
    from prandial.records import (
        Band,
        Candidate,
        Estimate,
        Food,
        HealthProfile,
        MealItem,
        Measure,
        Portion,
        Source,
        Verdict,
    )
    from prandial.truth import Truth

__version__ = "0.1.0"

__all__ = [
    "DEFAULT_RELEASE",
    "RELEASES",
    "Band",
    "Candidate",
    "ChecksumError",
    "DataError",
    "Estimate",
    "Food",
    "HealthProfile",
    "InputError",
    "MealItem",
    "Measure",
    "MissingDataError",
    "ModelError",
    "NotFoundError",
    "Portion",
    "PrandialError",
    "SchemaError",
    "SimulationError",
    "Source",
    "Truth",
    "Verdict",
    "__version__",
    "add_foods",
    "apply_review",
    "bench_compare",
    "bench_cost",
    "bench_export_lm_eval",
    "bench_get",
    "bench_import",
    "bench_methods",
    "bench_people_export",
    "bench_people_figures",
    "bench_people_import",
    "bench_report",
    "bench_run",
    "bench_score",
    "build_facts",
    "build_ngqa",
    "build_nutribench",
    "doctor",
    "estimate",
    "estimate_batch",
    "estimate_file",
    "explain",
    "export_graph",
    "export_review",
    "finetune_gguf",
    "finetune_launch",
    "finetune_merge",
    "finetune_reply",
    "finetune_rows",
    "finetune_train",
    "get_dataset",
    "get_nhanes",
    "import_review",
    "list_dataset",
    "list_models",
    "list_nhanes",
    "list_tables",
    "load_foods",
    "ngqa_check",
    "ngqa_check_raw",
    "ngqa_show",
    "ngqa_stats",
    "nutribench_map",
    "nutribench_review_export",
    "nutribench_review_import",
    "nutribench_stats",
    "nutribench_verify",
    "people_stats",
    "pull_model",
    "remove_model",
    "retrieve",
    "review_errors",
    "risk_assess",
    "risk_patients",
    "risk_simulate",
    "risk_simulate_file",
    "search_foods",
    "show_food",
    "show_person",
    "suits",
    "user_table_names",
]

#: where the public names live; each is imported when first asked for
_HOMES = ("prandial.errors", "prandial.records", "prandial.truth", "prandial.api")


def __getattr__(name: str) -> Any:
    if name in __all__:
        for home in _HOMES:
            module = importlib.import_module(home)
            if name in module.__all__:
                value = getattr(module, name)
                globals()[name] = value
                return value
    msg = f"module 'prandial' has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return sorted(__all__)
