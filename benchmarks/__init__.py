"""Benchmarks of prandial: accuracy on shared meals, speed, size."""
