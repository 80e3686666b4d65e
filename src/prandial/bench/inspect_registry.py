"""What Inspect finds by the entry point ``inspect_ai``: tasks and model providers."""

from __future__ import annotations

from prandial.bench.providers import provider
from prandial.bench.tasks.ngqa import ngqa
from prandial.bench.tasks.nutribench import nutribench

__all__ = ["ngqa", "nutribench", "provider"]
