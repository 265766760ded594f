# Two commands do everything on a machine that has Python 3.11+ and nothing else of ours: make run, make test.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: run test test-all bench lint clean

run: $(VENV)/.installed
	$(BIN)/nonholo derive rattleback
	$(BIN)/nonholo check rattleback

test: $(VENV)/.tested lint
	$(BIN)/python -m pytest -n 2 -m "not slow"

test-all: $(VENV)/.tested lint
	$(BIN)/python -m pytest -n 2

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

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

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache
