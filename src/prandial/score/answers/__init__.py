"""Answers of a benchmark against its labels: figures with n and interval, runs in pairs."""
