"""Makers of pairs, as for the scores."""

from __future__ import annotations

from tests.score.answers.conftest import meals, pair

__all__ = ["meals", "pair"]
