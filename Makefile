# Two commands do everything on a machine that has Python 3.11+ and nothing else of ours: make run, make test.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
VIEWER := src/nonholo/present/assets/viewer.js
SOURCES := src papers tests benchmarks examples book

# Byte code is kept: hundreds of tests start a process of their own, and each would compile our modules again.
unexport PYTHONDONTWRITEBYTECODE
# Two processes of tests already fill two cores: threads of the linear algebra would only wait for each other.
export OPENBLAS_NUM_THREADS := 1

.PHONY: run test test-all fuzz bench docs pages book dist lint lock clean

run: $(VENV)/.installed $(VIEWER)
	$(BIN)/nonholo derive chaplygin-sleigh
	$(BIN)/nonholo derive euler-top
	$(BIN)/nonholo check rattleback
	$(BIN)/nonholo report rattleback -o rattleback.html

# The type check runs beside the tests; either fails the target.
test: $(VENV)/.tested $(VIEWER)
	$(BIN)/ruff check $(SOURCES)
	mkdir -p build
	$(BIN)/mypy > build/mypy.txt 2>&1 & types=$$!; \
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow"; tests=$$?; \
	wait $$types; types=$$?; cat build/mypy.txt; exit $$((tests + types))

test-all: $(VENV)/.tested lint $(VIEWER)
	$(BIN)/python -m pytest -n 2 --dist worksteal

# Cases by chance, for as long as one likes: Ctrl-C ends it. SEED=7 tries the same cases again, COUNT=1000 ends by itself.
fuzz: $(VENV)/.tested
	$(BIN)/python -m tests.attack.fuzz $(if $(SEED),--seed $(SEED)) $(if $(COUNT),--count $(COUNT))

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

# The book, from disk or any host: build/book/site/index.html. Systems alone: make book SYSTEMS="rattleback suslov".
docs: pages book

book: $(VENV)/.docs $(VIEWER)
	$(BIN)/python -m book $(if $(SYSTEMS),systems $(SYSTEMS))

# The pages on the papers and their errata, from the claims, which are run for it; the page on integrators from what was measured.
pages: $(VENV)/.tested
	$(BIN)/python -m nonholo_papers.pages docs
	$(BIN)/python -m benchmarks.integrators page

# A wheel and an sdist with all that was built inside, so that who installs them needs no Node; then the wheel is tried in an empty place.
dist: $(VENV)/.tested $(VIEWER)
	rm -rf dist
	$(BIN)/python -m build --outdir dist
	NONHOLO_DIST=dist $(BIN)/python -m pytest tests/test_dist.py

lint: $(VENV)/.tested
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml papers/pyproject.toml
	$(PIP) -e . -e papers
	touch $@

$(VENV)/.tested: $(VENV)/bin/python pyproject.toml constraints.txt papers/pyproject.toml
	$(PIP) --no-compile -c constraints.txt -e '.[test]' -e papers
	touch $@ $(VENV)/.installed

$(VENV)/.docs: $(VENV)/bin/python pyproject.toml papers/pyproject.toml
	$(PIP) -e '.[docs]' -e papers
	touch $@ $(VENV)/.installed

$(VENV)/.bench: $(VENV)/bin/python pyproject.toml papers/pyproject.toml
	$(PIP) -e '.[test,bench]' -e papers
	touch $@ $(VENV)/.installed

# The scripts of pages and of the lab, where their sources have changed. Without Node it says what is missing, and work goes on.
$(VIEWER): viewer/package-lock.json viewer/build.mjs viewer/build.py $(wildcard viewer/src/*.ts viewer/src/*/*.ts)
	-@$(PYTHON) viewer/build.py

# Renew the versions of all Python packages with which the tests run: a new environment, the newest of everything, written down.
lock:
	rm -rf build/lock && $(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet '.[test]'
	build/lock/bin/python -m pip freeze --exclude nonholo > constraints.txt

clean:
	rm -rf $(VENV) viewer/node_modules $(dir $(VIEWER)) build dist .pytest_cache .mypy_cache .ruff_cache
