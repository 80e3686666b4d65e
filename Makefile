# Verbs of the house. Each one sets up what it needs; a fresh machine needs only Python >= 3.11.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
MEAL := a cup of oatmeal with half a sliced banana and a glass of orange juice

.PHONY: help demo test test-full lint bench docs lock build clean
help:
	@echo "make demo       set up and print one real estimate"
	@echo "make test       lint, types, layers and tests"
	@echo "make test-full  the same with the heavy tests"
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

demo: $(VENV)/.runtime
	@$(BIN)/prandial estimate "$(MEAL)"

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/python -m pytest

test-full: lint
	PRANDIAL_FULL=1 $(BIN)/python -m pytest

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks.run
	$(BIN)/python -m benchmarks.groups
	$(BIN)/python -m benchmarks.ngqa
	$(BIN)/python -m benchmarks.risk

docs: $(VENV)/.dev
	$(BIN)/python -m tests.house.readme
	$(BIN)/python -m benchmarks.pages
	$(BIN)/python -m benchmarks.ngqa_page
	$(BIN)/python -m benchmarks.risk_page
	$(BIN)/python -m pytest tests/house

lock: $(VENV)/.dev
	@$(PIP) install 'uv>=0.5,<1'
	$(BIN)/uv pip compile $(LOCKED) pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile $(LOCKED) --group dev --extra ngqa --extra risk --extra bench pyproject.toml -o requirements-dev.lock
	$(BIN)/uv pip compile $(LOCKED) --no-deps requirements-uva.in -o requirements-uva.lock

LOCKED := --quiet --generate-hashes --no-emit-index-url --no-emit-find-links --universal \
          --python-version 3.11 --custom-compile-command "make lock"

build: $(VENV)/.dev
	@rm -rf dist
	@$(BIN)/python -m build --wheel --outdir dist >/dev/null
	@du -h dist/*.whl

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
