"""Cells longer than the csv module takes by itself, and only while a file is read."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["long_cells"]


@contextmanager
def long_cells(most_chars: int) -> Iterator[None]:
    """Let cells be so long; the limit belongs to the whole process and is put back."""
    before = csv.field_size_limit(most_chars)
    try:
        yield
    finally:
        csv.field_size_limit(before)
