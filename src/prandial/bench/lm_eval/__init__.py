"""Tasks for EleutherAI's lm-evaluation-harness that score as we do."""

from prandial.bench.lm_eval.export import ExportedTasks, export_lm_eval
from prandial.bench.lm_eval.once import OneReply, answered_by, request_of

__all__ = ["ExportedTasks", "OneReply", "answered_by", "export_lm_eval", "request_of"]
