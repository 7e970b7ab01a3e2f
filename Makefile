# Two commands do everything: `make run` and `make test`; `make docs` builds the manual. They need
# python3 (3.11 or newer) and make; everything else is installed into .venv. Pages are tested where a
# chromium is found; `make browser` installs it.

PYTHON ?= python3
BIN := .venv/bin
PYTHON_FILES := src studies tests examples docs hatch_build.py

.PHONY: run test test-fast test-slow docs lint bench clean browser

run: .venv/ready-run
	$(BIN)/carom run cooling --out out
	@echo "The command is $(BIN)/carom; 'source $(BIN)/activate' makes it carom. Try: $(BIN)/carom run --help"

test: .venv/ready-test
	$(BIN)/python -m pytest -n auto --dist loadfile --durations=10

# For daily work: single parts, in the process that tests them; 90 s once everything is compiled.
test-fast: .venv/ready-test
	$(BIN)/python -m pytest -n auto --dist loadfile --durations=10 -m 'not slow and not apart' tests/unit tests/architecture

test-slow: .venv/ready-slow
	$(BIN)/python -m pytest -m slow --timeout=0

docs: .venv/ready-docs
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -d out/doctrees docs site
	@echo "Open site/index.html"

lint: .venv/ready-lint
	$(BIN)/ruff check $(PYTHON_FILES)
	$(BIN)/ruff format --check $(PYTHON_FILES)
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/ready-test
	$(BIN)/python -m carom_studies.benchmarks.hard_spheres --picture docs/pictures/cost.png --markdown docs/benchmarks.md

clean:
	rm -rf .venv out site

.venv/ready-run: pyproject.toml
	@$(MAKE) --no-print-directory .venv/bin/python
	@echo "Installing carom into .venv ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/ready-test: pyproject.toml studies/pyproject.toml
	@$(MAKE) --no-print-directory .venv/bin/python
	@echo "Installing carom, its studies and its tests into .venv ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]' --editable studies
	@touch $@

.venv/ready-slow: .venv/ready-test
	@echo "Installing other programs that open trajectories into .venv ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,formats]' --editable studies \
	  || echo "They cannot be had here: tests with MDAnalysis, OVITO and pyvista are left out."
	@touch $@

.venv/ready-docs: pyproject.toml studies/pyproject.toml
	@$(MAKE) --no-print-directory .venv/bin/python
	@echo "Installing carom, its studies and what builds its manual into .venv ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]' --editable studies
	@touch $@

.venv/ready-lint: pyproject.toml studies/pyproject.toml
	@$(MAKE) --no-print-directory .venv/bin/python
	@echo "Installing the linters into .venv ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,lint]' --editable studies
	@touch $@

# The only target that installs something into the system.
browser:
	@.ci/browser

.venv/bin/python:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "carom needs Python 3.11 or newer, and '$(PYTHON)' was not found."; \
	  echo "Install it, or name another one: make PYTHON=/path/to/python3.12"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "carom needs Python 3.11 or newer, but '$(PYTHON)' is $$($(PYTHON) --version 2>&1)."; \
	  echo "Name a newer one: make PYTHON=/path/to/python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "'$(PYTHON)' cannot make virtual environments: its venv module is missing."; \
	  echo "On Debian and Ubuntu: apt install python3-venv. Or: make PYTHON=/path/to/another"; exit 1; }
	@$(PYTHON) -m venv .venv
