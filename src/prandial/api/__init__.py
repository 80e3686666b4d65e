"""The functions of prandial, wired from its rooms: what every door calls."""

from __future__ import annotations

from prandial.api.advice import suits
from prandial.api.bench import (
    bench_compare,
    bench_cost,
    bench_get,
    bench_import,
    bench_methods,
    bench_run,
    bench_score,
)
from prandial.api.bench_export import bench_export_lm_eval
from prandial.api.bench_people import (
    bench_people_export,
    bench_people_figures,
    bench_people_import,
)
from prandial.api.bench_reports import bench_report
from prandial.api.data import (
    get_dataset,
    get_foods,
    get_nhanes,
    list_dataset,
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
from prandial.api.facts import build_facts, retrieve
from prandial.api.finetune import (
    finetune_gguf,
    finetune_launch,
    finetune_merge,
    finetune_reply,
    finetune_rows,
    finetune_train,
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
from prandial.api.models import list_models, pull_model, remove_model
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
from prandial.api.nutribench import (
    build_nutribench,
    nutribench_map,
    nutribench_review_export,
    nutribench_review_import,
    nutribench_stats,
    nutribench_verify,
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
    "damaged_user_tables",
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
    "get_foods",
    "get_nhanes",
    "import_review",
    "list_dataset",
    "list_foods",
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
