# Two commands: `make demo` and `make test`; each does all its own set-up into .venv.
# DOCS=some/folder make demo   does the demo on your own folder.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready-local
export HF_HUB_OFFLINE = 1
# images often forbid compiled modules; without them every Python worker compiles torch and transformers again
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test lint lock bench clean

demo: $(READY)
	@$(BIN)/python -m jobs.run_demo

test: $(READY) lint
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: $(READY)
	.venv/uv/bin/uv pip install --quiet --python $(BIN)/python -e '.[bench]'
	$(BIN)/python benchmarks/chunking.py

# The same versions everywhere, then the project itself, then Delta's JARs beside Spark's own.
$(READY): requirements.lock setup.py scripts/check_machine.sh
	@PYTHON="$(PYTHON)" sh scripts/check_machine.sh
	@$(PYTHON) -m venv .venv
	@$(PYTHON) -m venv .venv/uv && .venv/uv/bin/python -m pip install --quiet --disable-pip-version-check uv
	@echo "installing the locked dependencies into .venv (a few minutes the first time)"
	@.venv/uv/bin/uv pip install --quiet --python $(BIN)/python -r requirements.lock
	@.venv/uv/bin/uv pip install --quiet --python $(BIN)/python --no-deps -e .
	@echo "fetching Delta's JARs"
	@$(BIN)/python -m jobs.common.delta_jars >.venv/delta_jars.log 2>&1 || (tail -20 .venv/delta_jars.log; exit 1)
	@touch $@

lock: .venv/uv
	.venv/uv/bin/uv pip compile --quiet --universal --python-version 3.11 --no-header --upgrade \
		--extra local --extra embed --extra documents --extra pysbd --extra dev setup.py -o requirements.lock

.venv/uv: $(READY)

clean:
	rm -rf .venv demo lake build dist *.egg-info
