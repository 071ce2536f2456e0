# Every target makes what it needs: a virtual environment, the pinned tools, the extension. A second run rebuilds nothing.
# `make help` lists the targets.

PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
AT ?= demo-data
FLIGHTS ?=

VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/.stamps
RUST_SOURCES := $(shell find crates -name '*.rs' -o -name Cargo.toml) Cargo.toml Cargo.lock
PYTHON_CODE := python tests benches examples

.DEFAULT_GOAL := help
.PHONY: help demo test test-rust test-python test-hbase test-clients test-happybase judge crash scale bench bench-cluster lint docs fuzz \
	wheel checklist checklist-full format clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(STAMPS)/extension ## load 336,776 real flights into $(AT) and ask eight questions
	@$(BIN)/python -m rowstone.demo --at "$(AT)" $(if $(FLIGHTS),--flights $(FLIGHTS))

test: test-rust test-python ## run every test that needs no Java

test-rust:
	cargo test --workspace --locked --quiet

test-python: $(STAMPS)/extension
	$(BIN)/python -m pytest --ignore tests/hbase --ignore tests/clients

test-hbase: $(STAMPS)/extension ## compare random scripts with a real HBase region (needs Java and Maven)
	$(BIN)/python -m pytest tests/hbase

test-clients: $(STAMPS)/extension ## run HBase's own Java client against rowstone serve (needs Java and Maven)
	$(BIN)/python -m pytest tests/clients

test-happybase: $(STAMPS)/extension ## run happybase's own test suite (downloaded once) against rowstone.happybase
	$(BIN)/python -m tests.happybase.judge

judge: $(STAMPS)/extension ## compare OPS random operations (2,000,000) with a whole HBase
	ROWSTONE_JUDGE_SECONDS=0 ROWSTONE_JUDGE_OPERATIONS=$(or $(OPS),2000000) ROWSTONE_JUDGE_SEED=$(or $(SEED),100000) \
		$(BIN)/python -m pytest -s tests/hbase/test_cluster_judge.py

crash: $(STAMPS)/extension ## kill a writer KILLS times (100); break the disk at every single call
	ROWSTONE_KILLS=$(or $(KILLS),100) $(BIN)/python -m pytest tests/crash
	ROWSTONE_FAULTS=all cargo test -p rowstone-engine --locked --test 'faults_*' -- --nocapture

scale: $(STAMPS)/extension ## 10 million cells and a row of a million columns in less than 1 GB
	ROWSTONE_SCALE=full $(BIN)/python -m pytest tests/scale

bench: $(STAMPS)/extension ## measure against rocksdict, lmdb and sqlite3, interleaved
	$(BIN)/python -m benches.embedded

bench-cluster: $(STAMPS)/extension ## measure clients of a real HBase, interleaved (needs Java and Maven)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-bench.txt
	$(BIN)/python -m benches.cluster

lint: $(STAMPS)/extension ## formatting, clippy, ruff, types, stub
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
	$(BIN)/ruff check $(PYTHON_CODE)
	$(BIN)/ruff format --check $(PYTHON_CODE)
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/python/test_stub.py

format: $(STAMPS)/requirements ## format Rust and Python
	cargo fmt --all
	$(BIN)/ruff check --fix-only $(PYTHON_CODE)
	$(BIN)/ruff format $(PYTHON_CODE)

docs: $(STAMPS)/extension ## build the reference of both languages under build/docs
	cargo doc --workspace --no-deps --locked --quiet --target-dir build/rustdoc
	$(BIN)/pdoc rowstone -o build/docs
	@echo "open build/docs/index.html, build/rustdoc/doc/rowstone_engine/index.html"

fuzz: ## many more random cases into every decoder
	PROPTEST_CASES=$(or $(CASES),20000) cargo test --workspace --locked --release --quiet

wheel: $(STAMPS)/requirements ## build the wheel and try it in an environment without Rust
	$(BIN)/maturin build --release --locked --out dist
	$(BIN)/python tests/wheel/check.py dist

checklist: $(STAMPS)/requirements ## which statements of the checklist have tests
	$(BIN)/python tests/checklist.py

checklist-full: $(STAMPS)/extension ## its tests about size: a row of a million columns, a scan of ten million rows
	ROWSTONE_CHECKLIST=full $(BIN)/python -m pytest tests/checklist/test_large.py

clean: ## remove what the other targets made, except demo data
	rm -rf $(VENV) build dist target

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Rowstone needs Python 3.11 or newer: make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)

$(STAMPS)/requirements: requirements-dev.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1' # maturin wants dependency groups
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/extension: $(RUST_SOURCES) pyproject.toml $(STAMPS)/requirements
	. $(BIN)/activate && maturin develop --release --locked --quiet
	@mkdir -p $(STAMPS) && touch $@
