"""The functions of prandial, wired from its rooms: what every door calls."""

from __future__ import annotations

from prandial.api.advice import suits
from prandial.api.data import (
    get_foods,
    get_nhanes,
    list_foods,
    list_nhanes,
)
from prandial.api.estimates import (
    DEFAULT_LOCALE,
    estimate,
    estimate_batch,
    estimate_file,
    explain,
    review_errors,
)
from prandial.api.foods import (
    add_foods,
    damaged_user_tables,
    doctor,
    list_tables,
    load_foods,
    search_foods,
    show_food,
    user_table_names,
)
from prandial.api.ngqa import (
    apply_review,
    build_ngqa,
    export_review,
    import_review,
    ngqa_check,
    ngqa_check_raw,
    ngqa_show,
    ngqa_stats,
)
from prandial.api.people import (
    export_graph,
    people_stats,
    show_person,
)
from prandial.api.risk import (
    risk_assess,
    risk_patients,
    risk_simulate,
    risk_simulate_file,
)
from prandial.tables import DEFAULT_RELEASE, RELEASES

__all__ = [
    "DEFAULT_LOCALE",
    "DEFAULT_RELEASE",
    "RELEASES",
    "add_foods",
    "apply_review",
    "build_ngqa",
    "damaged_user_tables",
    "doctor",
    "estimate",
    "estimate_batch",
    "estimate_file",
    "explain",
    "export_graph",
    "export_review",
    "get_foods",
    "get_nhanes",
    "import_review",
    "list_foods",
    "list_nhanes",
    "list_tables",
    "load_foods",
    "ngqa_check",
    "ngqa_check_raw",
    "ngqa_show",
    "ngqa_stats",
    "people_stats",
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
