"""Reports of runs: the papers' tables and figures, published rows and baselines beside ours."""
