# Two commands do everything on a machine that has Python 3.11+ and nothing else of ours: make run, make test.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
VIEWER := src/nonholo/present/assets/viewer.js

.PHONY: run test test-all fuzz bench docs lint clean

run: $(VENV)/.installed $(VIEWER)
	$(BIN)/nonholo derive chaplygin-sleigh
	$(BIN)/nonholo derive euler-top
	$(BIN)/nonholo check rattleback
	$(BIN)/nonholo report rattleback -o rattleback.html

test: $(VENV)/.tested lint $(VIEWER)
	$(BIN)/python -m pytest -n 2 -m "not slow"

test-all: $(VENV)/.tested lint $(VIEWER)
	$(BIN)/python -m pytest -n 2

# Cases by chance, for as long as one likes: Ctrl-C ends it. SEED=7 tries the same cases again, COUNT=1000 ends by itself.
fuzz: $(VENV)/.tested
	$(BIN)/python -m tests.attack.fuzz $(if $(SEED),--seed $(SEED)) $(if $(COUNT),--count $(COUNT))

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

# The pages on the papers and their misprints, from the claims, which are run for it; the page on integrators from what was measured.
docs: $(VENV)/.tested
	$(BIN)/python -m nonholo.literature.pages docs
	$(BIN)/python -m benchmarks.integrators page

lint: $(VENV)/.tested
	$(BIN)/ruff check src tests benchmarks examples
	$(BIN)/mypy

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml
	$(PIP) -e .
	touch $@

$(VENV)/.tested: $(VENV)/bin/python pyproject.toml
	$(PIP) -e '.[test]'
	touch $@ $(VENV)/.installed

$(VENV)/.bench: $(VENV)/bin/python pyproject.toml
	$(PIP) -e '.[test,bench]'
	touch $@ $(VENV)/.installed

# The film's viewer. Without Node, or when npm fails, films are drawn with plotly: one line says so, and work goes on.
$(VIEWER): viewer/package-lock.json viewer/build.mjs $(wildcard viewer/src/*.ts viewer/src/*/*.ts)
	@if ! command -v node >/dev/null || ! command -v npm >/dev/null; then \
	  echo "viewer: Node is not installed, so films are drawn with plotly (install Node 18 or later for the better ones)"; \
	elif ! (cd viewer && npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error && npm run --silent build) >viewer/build.log 2>&1; then \
	  echo "viewer: npm could not build it, so films are drawn with plotly or an older viewer (see viewer/build.log)"; \
	fi

clean:
	rm -rf $(VENV) viewer/node_modules $(dir $(VIEWER)) build dist .pytest_cache .mypy_cache .ruff_cache
