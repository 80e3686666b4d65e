"""NGQA: from public survey and food files to questions with gold answers."""

from __future__ import annotations

from prandial.bench.ngqa.build import BuildReport, build_ngqa
from prandial.bench.ngqa.inputs import Roots

__all__ = ["BuildReport", "Roots", "build_ngqa"]
