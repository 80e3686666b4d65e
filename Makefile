# Verbs of the house. Each one sets up what it needs; a fresh machine needs only Python >= 3.11.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
LM_EVAL := .venv-lmeval
# weights of the two small models that tests ask; set it to use a folder of your own
export PRANDIAL_WEIGHTS ?= $(CURDIR)/$(VENV)/weights
SMALL_WEIGHTS := smollm2-135m minilm-l6
MEAL := a cup of oatmeal with half a sliced banana and a glass of orange juice

.PHONY: help demo test test-full weights lint bench docs lock build clean
help:
	@echo "make demo       set up and print one real estimate"
	@echo "make test       lint, types, layers and tests"
	@echo "make test-full  the same with the heavy tests, and lm-evaluation-harness beside ours"
	@echo "make weights    get the weights of the two small models that tests ask (120 MB)"
	@echo "make lint       lint, types and layers only"
	@echo "make bench      accuracy and speed, kept under benchmarks/history"
	@echo "make docs       refresh the README output and the pages of figures, run every example"
	@echo "make lock       resolve the lock files again"
	@echo "make build      build the wheel and print its size"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "prandial needs Python >= 3.11 and '$(PYTHON)' is older or missing; try: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "could not make a virtual environment (Debian and Ubuntu: install the package python3-venv)" >&2; exit 1; }

# the stamps remember what was installed, so that a second run is quick
$(VENV)/.runtime: requirements.lock pyproject.toml | $(BIN)/python
	@echo "installing prandial into $(VENV)" >&2
	@$(PIP) install --require-hashes -r requirements.lock
	@$(PIP) install --no-deps -e .
	@touch $@

$(VENV)/.dev: requirements-dev.lock requirements-uva.lock $(VENV)/.runtime
	@echo "installing the test tools into $(VENV)" >&2
	@$(PIP) install --require-hashes -r requirements-dev.lock
	@$(PIP) install --require-hashes --no-deps -r requirements-uva.lock
	@touch $@

# lm-evaluation-harness, only to compare figures with it, in an environment of its own; the lock
# is complete, and pip in hash mode stumbles over an extra of a pinned package
$(LM_EVAL)/.ready: requirements-lmeval.lock | $(BIN)/python
	@echo "installing lm-evaluation-harness into $(LM_EVAL)" >&2
	@$(PYTHON) -m venv $(LM_EVAL)
	@$(LM_EVAL)/bin/python -m pip --disable-pip-version-check --quiet install \
	  --require-hashes --no-deps -r requirements-lmeval.lock
	@touch $@

# without a network the tests that need weights are skipped, and say so
weights: $(VENV)/.dev
	@for name in $(SMALL_WEIGHTS); do \
	  $(BIN)/prandial models pull $$name --to "$$PRANDIAL_WEIGHTS" --no-progress >/dev/null || \
	    echo "WEIGHTS ABSENT: $$name could not be had; the tests that ask it will not run" >&2; \
	done

demo: $(VENV)/.runtime
	@$(BIN)/prandial estimate "$(MEAL)"

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# files of tests are shared out over the cores; the heavy ones measure time and memory, one by one
test: lint weights
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile

test-full: lint weights $(LM_EVAL)/.ready
	PRANDIAL_FULL=1 PRANDIAL_LM_EVAL=$(CURDIR)/$(LM_EVAL)/bin/python $(BIN)/python -m pytest

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks.run
	$(BIN)/python -m benchmarks.groups
	$(BIN)/python -m benchmarks.ngqa
	$(BIN)/python -m benchmarks.risk
	$(BIN)/python -m benchmarks.multilingual

docs: $(VENV)/.dev
	$(BIN)/python -m tests.house.readme
	$(BIN)/python -m benchmarks.pages
	$(BIN)/python -m benchmarks.ngqa_page
	$(BIN)/python -m benchmarks.risk_page
	$(BIN)/python -m benchmarks.bench_page
	$(BIN)/python -m pytest tests/house

lock: $(VENV)/.dev
	@$(PIP) install 'uv>=0.5,<1'
	$(BIN)/uv pip compile $(LOCKED) pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile $(LOCKED) --group dev --extra ngqa --extra risk --extra bench pyproject.toml -o requirements-dev.lock
	$(BIN)/uv pip compile $(LOCKED) --extra train pyproject.toml -o requirements-train.lock
	$(BIN)/uv pip compile $(LOCKED) --no-deps requirements-uva.in -o requirements-uva.lock
	$(BIN)/uv pip compile $(LOCKED) pyproject.toml requirements-lmeval.in -o requirements-lmeval.lock

LOCKED := --quiet --generate-hashes --no-emit-index-url --no-emit-find-links --universal \
          --python-version 3.11 --custom-compile-command "make lock"

build: $(VENV)/.dev
	@rm -rf dist
	@$(BIN)/python -m build --wheel --outdir dist >/dev/null
	@du -h dist/*.whl

clean:
	rm -rf $(VENV) $(LM_EVAL) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
