# Every target sets up what it needs in .venv: a machine with Python 3.11, pip and make is enough.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
JOBS   ?= 2

.DEFAULT_GOAL := help
.PHONY: help demo test check lowest bench scaling coverage clean

help:  ## list the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

demo: $(VENV)/.demo  ## install, run the main job on simulated trials, write a report to demo/
	$(BIN)/deciban demo --output demo
	@echo "Look at demo/report.html and demo/record.json."

test: $(VENV)/.test  ## run all tests (with doctests and examples)
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup

check: $(VENV)/.test  ## lint, formatting, types, architecture
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_architecture.py

lowest: $(VENV)-lowest/.test  ## run all tests with the oldest versions of what deciban depends on, engines too
	$(VENV)-lowest/bin/python -m pytest -q -n $(JOBS) --dist loadgroup

bench: $(VENV)/.test  ## measure speed and memory beside scikit-learn; prints ratios
	$(BIN)/python benchmarks/run.py

scaling: $(VENV)/.test  ## measure time and memory of 10^5 to 10^8 trials; writes docs/benchmarks.md
	$(BIN)/python benchmarks/scaling.py

coverage: $(VENV)/.test  ## measure how often intervals hold the truth (half an hour); writes docs/coverage.md
	$(BIN)/python -m studies.coverage

clean:  ## remove what the other commands made
	rm -rf $(VENV) $(VENV)-lowest demo .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/pip:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(VENV)/bin/pip
	$(BIN)/python -m pip install --quiet --editable ".[report]"
	@touch $@

# pip knows dependency groups from version 25.1 on; older ones are replaced inside .venv.
$(VENV)/.test: pyproject.toml | $(VENV)/bin/pip
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable . --group check --group test --group engines
	@touch $@

$(VENV)-lowest/.test: pyproject.toml tests/lowest.txt
	$(PYTHON) -m venv $(VENV)-lowest
	$(VENV)-lowest/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(VENV)-lowest/bin/python -m pip install --quiet --editable . --group test --group engines --constraint tests/lowest.txt
	@touch $@
