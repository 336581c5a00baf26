# Everything a newcomer needs: `make serve` and `make test`. Both set themselves up.
PYTHON ?= python3
VENV   ?= .venv
HOST   ?= 127.0.0.1
PORT   ?= 8080
BIN    := $(VENV)/bin
# Serving needs less than everything: the service and the embedded model.
SERVING := $(VENV)/$(if $(wildcard $(VENV)/.runtime),.runtime,.serving)
# npm writes this file last.
PROMPTFOO := tests/peers/promptfoo/node_modules/.package-lock.json
COMPILE := uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q

export PIP_DISABLE_PIP_VERSION_CHECK = 1

.DEFAULT_GOAL := help
.PHONY: help setup serve test tools lock perf fuzz soak sbom audit model clean

help: ## show this list
	@grep -E '^[a-z]+:.*##' Makefile | awk -F ':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

setup: $(VENV)/.runtime ## install everything into .venv (locked, by hash)

serve: $(SERVING) ## serve on http://127.0.0.1:8080 (PORT=9000 for another)
	@$(BIN)/fairwitness serve --host $(HOST) --port $(PORT)

test: $(VENV)/.dev ## format, lint, types and every test
	@$(BIN)/ruff format --check src tests perf supply_chain model
	@$(BIN)/ruff check src tests perf supply_chain model
	@$(BIN)/python -m compileall -q src # once, also where the environment forbids each process to keep it
# The types beside the tests, which leave processors idle at times; what mypy says comes last, and either fails it all.
# Four at a time, more than the cores: many tests wait for a server or a browser.
	@mkdir -p test-output; $(BIN)/mypy >test-output/mypy.txt 2>&1 & types=$$!; \
	trap 'kill $$types; exit 130' INT TERM; \
	$(BIN)/pytest -n 4 --dist loadgroup --no-loadscope-reorder; tests=$$?; \
	wait $$types; types=$$?; echo "mypy:"; cat test-output/mypy.txt; \
	test $$tests -eq 0 && test $$types -eq 0

tools: $(VENV)-tools/.tools $(if $(shell command -v npm),$(PROMPTFOO)) ## install the tools of our users that tests/integrations runs (an environment of its own)

perf: $(VENV)/.dev ## measure speed side by side and write the tables of /docs/speed (PERF="http peers" for parts)
	@$(BIN)/python -m perf $(PERF)

fuzz: $(VENV)/.dev ## coverage-guided fuzzing, FUZZ_SECONDS=60 for each target
	@$(BIN)/python -m tests.fuzz.long --seconds $${FUZZ_SECONDS:-60}

soak: $(VENV)/.dev ## ten minutes at saturation (SOAK_SECONDS=600)
	@$(BIN)/python -m perf.soak --seconds $${SOAK_SECONDS:-600}

sbom: $(VENV)/.dev ## write sbom.json (CycloneDX) of what is installed, from the lock
	@$(BIN)/python -m supply_chain.sbom

audit: $(VENV)/.dev ## known faults of the locked packages, where the advisory service can be reached
	@$(BIN)/python -m supply_chain.audit

model: $(VENV)/.dev ## train the encoder again from DATA=folder (needs PyTorch: see model/__init__.py)
	@$(BIN)/python -m model.build --data $(DATA) --out build/model

lock: ## compile the hashed locks again (needs uv)
	$(COMPILE) -o requirements.lock --all-extras --group build --group weights pyproject.toml
	$(COMPILE) -o requirements-serve.lock -c requirements.lock --extra serve --extra embedded --group build --group weights pyproject.toml
	$(COMPILE) -o requirements-image.lock -c requirements.lock --extra serve --extra providers --extra postgres --group build pyproject.toml
	$(COMPILE) -o requirements-tools.lock --group build --group tools pyproject.toml
	$(COMPILE) -o requirements-dev.lock -c requirements.lock --all-extras --group build --group weights --group dev pyproject.toml

clean: ## remove what these commands made
	rm -rf $(VENV) $(VENV)-tools build dist .mypy_cache .ruff_cache .hypothesis test-output

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Fair Witness needs Python 3.11 or newer; this is %s. Try: make PYTHON=python3.12 ..." % sys.version.split()[0])'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.serving: requirements-serve.lock pyproject.toml | $(BIN)/python
	@echo "Installing what serving needs into $(VENV) (about a minute the first time)..."
	@$(BIN)/python -m pip install -q --no-deps --require-hashes -r requirements-serve.lock
	@$(BIN)/python -m pip install -q --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.runtime: requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing Fair Witness into $(VENV) (about a minute the first time)..."
	@$(BIN)/python -m pip install -q --no-deps --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -q --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.runtime
	@echo "Installing the tools that test it..."
	@$(BIN)/python -m pip install -q --no-deps --require-hashes -r requirements-dev.lock
	@touch $@

$(VENV)-tools/.tools: requirements-tools.lock pyproject.toml
	@echo "Installing the tools of our users into $(VENV)-tools (a few minutes the first time)..."
	@$(PYTHON) -m venv $(VENV)-tools
	@$(VENV)-tools/bin/python -m pip install -q --no-deps --require-hashes -r requirements-tools.lock
	@$(VENV)-tools/bin/python -m pip install -q --no-deps --no-build-isolation -e .
	@touch $@

$(PROMPTFOO): tests/peers/package-lock.json tests/peers/promptfoo/package-lock.json
	@echo "Installing promptfoo (a minute the first time)..."
	@cd tests/peers && npm ci --silent && cd promptfoo && npm ci --silent --ignore-scripts
	@touch $@
