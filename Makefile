# `make` alone lists what can be done here.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
DEMO   := build/demo

# What an installation depends on. Editable: a changed .py file needs no new one.
SOURCES := pyproject.toml CMakeLists.txt constraints.txt tools/install \
           $(shell find src -name '*.pyx' -o -name '*.pxd')

# Stamps: one for each state of the environment.
MADE := $(VENV)/.polyseme-venv
CORE := $(VENV)/.polyseme-core
DEV  := $(VENV)/.polyseme-dev
BENCH := $(VENV)/.polyseme-bench

export PYTHON

.PHONY: help install dev demo examples test test-minimum lint format types docs bench dist release-check system-deps clean
.DEFAULT_GOAL := help

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 24

install: $(CORE) ## install polyseme into .venv

dev: $(DEV) ## the same with everything for tests, checks and docs

demo: $(CORE) ## make a small collection with several teams, and evaluate its runs
	@rm -rf $(DEMO) && mkdir -p $(dir $(DEMO))
	$(BIN)/polyseme synth $(DEMO) --seed 1
	$(BIN)/polyseme evaluate $(DEMO)/judgments.qrels $(DEMO)/runs/*.run --probabilities $(DEMO)/probabilities.txt --format table

examples: $(DEV) ## redo the five papers' analyses in examples/work
	$(BIN)/python examples/prepare.py
	@cd examples && for each in $$(ls *.toml | grep -v -e -trec); do ../$(BIN)/polyseme experiment $$each || exit 1; done

test: $(DEV) ## run the tests; PYTEST_ARGS="-m 'not slow'" leaves the slow ones out
	$(BIN)/python -m pytest $(PYTEST_ARGS)

test-minimum: ## run a part of the tests with the oldest versions that pyproject.toml allows
	tools/test-minimum build/minimum

lint: $(DEV) ## check the style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(DEV) ## repair the style where that can be done
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(DEV) ## check the types
	$(BIN)/mypy --strict src $(wildcard tests/reference.py)

docs: $(DEV) ## build the documentation into build/docs
	$(BIN)/python -m sphinx -q -W --keep-going docs build/docs

bench: $(BENCH) ## measure speed, ours and that of other programs
	@for benchmark in benchmarks/[a-z]*.py; do echo "$$benchmark"; $(BIN)/python $$benchmark || exit 1; done

dist: $(DEV) ## build the sdist and the wheel into dist; the same commit gives the same bytes
	tools/build-dist $(BIN)/python dist

release-check: dist ## install the wheel into a clean environment and run every example there
	tools/release-check dist build/release

system-deps: ## install the system packages that some tests use (as root)
	tools/system-deps

clean: ## remove everything built; .venv stays, and the next make installs into it anew
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage htmlcov
	rm -f $(CORE) $(DEV) $(BENCH)
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(MADE):
	tools/make-venv $(VENV)
	@touch $@

$(CORE): $(SOURCES) | $(MADE)
	tools/install $(VENV)
	@touch $@

$(DEV): $(SOURCES) | $(MADE)
	tools/install $(VENV) dev
	@touch $(CORE) $@

$(BENCH): $(SOURCES) | $(MADE)
	tools/install $(VENV) dev,bench
	@touch $(CORE) $(DEV) $@
