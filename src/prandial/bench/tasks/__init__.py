"""Both benchmarks as tasks of Inspect; needs the extra ``bench``."""
