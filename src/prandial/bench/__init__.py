"""Whole benchmarks: rooms joined into builds that a door can run."""
