# Two commands do all by themselves: `make demo` and `make test`. They make and reuse .venv.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: demo test models examples engines real-code docs lint docs-check sarif-check wheel-check hooks-check clean

demo: $(READY)
	@cd examples/miniagent && for command in 'report refresh' check; do \
	  echo "$$ promptlint $$command --model embedded"; \
	  ../../$(BIN)/promptlint $$command --model embedded || test $$? -eq 1 || exit 2; \
	done

test: $(READY)
	$(BIN)/python -m pytest -q -n auto

models: $(READY)
	$(BIN)/python examples/fetch_models.py

# All of them take long, most of it in two large agents: name some to run only those.
EXAMPLES ?= $(notdir $(patsubst %/,%,$(dir $(wildcard examples/*/expectations.py))))
RECORDED ?= $(notdir $(patsubst %/,%,$(dir $(wildcard examples/*/run.sh))))

examples: models
	$(BIN)/python examples/run.py $(EXAMPLES)
	@for name in $(RECORDED); do \
	  echo "$$ examples/$$name/run.sh" && PYTHON=$(CURDIR)/$(BIN)/python sh examples/$$name/run.sh || exit 1; \
	done

engines: models
	$(BIN)/python -m benchmarks.engines.llama_cpp

real-code: $(READY)
	$(BIN)/python -m benchmarks.real_code

docs: $(READY)
	$(BIN)/python -m promptlint rule --all > docs/rules.md

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

docs-check: $(READY)
	$(BIN)/python -m promptlint rule --all | diff docs/rules.md - \
	  || { echo 'docs/rules.md is stale: run make docs'; exit 1; }

sarif-check: $(READY)
	$(BIN)/python tests/sarif_schema.py

wheel-check: $(READY)
	$(BIN)/python tests/wheel_smoke.py

hooks-check: $(READY)
	$(BIN)/python tests/hooks_check.py

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("promptlint needs Python 3.11 or newer: make PYTHON=..." if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --editable . --group dev
	@touch $@

clean:
	rm -rf .venv .models .cache dist build examples/*/.cache
