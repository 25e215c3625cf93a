# Two commands: `make book` builds the pages, `make test` checks everything. Both create .venv.
PYTHON ?= python3
BIN := .venv/bin
TWO := --durations=5 -n 2 --dist loadfile
THREE := --durations=5 -n 3 --dist loadfile
LIBRARY := --doctest-modules leaderboard_edu tests/library tests/theorems tests/exhibits
NOTEBOOKS := book/*.ipynb book/exercises/*.ipynb
STRIP := --keep-count --keep-id --extra-keys cell.metadata.user_expressions
BUILD := $(BIN)/jupyter-book build . -W -n --keep-going

.PHONY: book built prose dev lint check test nightly live chapter strip exercises exhibits mutants benchmarks constraints release clean

# From scratch: every chapter is executed. The stamp is that of the files from before the build.
book: .venv/book
	rm -rf _build && mkdir _build
	$(BIN)/python -m tools.built > _build/begun
	$(BIN)/python -m tools.lite & $(BUILD) --all && wait $$!
	mv _build/begun _build/stamp
	@$(BIN)/python -c "import pathlib; print('\nThe book is ready: open', pathlib.Path('_build/html/index.html').resolve().as_uri())"

# The book, unless it was built from the same files.
built: .venv/book
	@test "$$($(BIN)/python -m tools.built)" = "$$(cat _build/stamp 2>/dev/null)" || $(MAKE) book

# The pages that changed since the last build, with the last results of their cells: nothing is executed. What needs a
# cell that was changed says "(not run yet)", so warnings are no errors here.
prose: .venv/book
	rm -f _build/stamp
	RESULTS=last $(subst -W,,$(BUILD))

# Install all that `make test` uses.
dev: .venv/dev

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/codespell
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/zizmor --offline --quiet --pedantic .github
	$(BIN)/nbstripout --verify $(STRIP) $(NOTEBOOKS)

# Two workers share two cores, three where they wait for a browser: each has one thread for its linear algebra.
check test nightly: export OMP_NUM_THREADS := 1

# What a change of the library breaks first, without a build: its examples, and each function by itself.
check: lint
	$(BIN)/pytest $(TWO) -m "not nightly" --doctest-modules leaderboard_edu tests/library

# The gate. Files that take long begin first.
test: .venv/dev lint built
	$(BIN)/pytest $(TWO) -m "not nightly" $(LIBRARY)
	$(BIN)/python -m instructor check
	$(BIN)/pytest $(THREE) --no-loadscope-reorder -m "not nightly" tests/browser tests/instructor tests/book

# What takes minutes and seldom finds anything: see .github/workflows/nightly.yml.
nightly: .venv/dev built
	$(BIN)/pytest $(TWO) --nbval-lax book/*.ipynb
	$(BIN)/pytest --durations=5 -m nightly tests
	$(BIN)/python -m tools.mutants --all
	rm -rf _build/mutmut && git clone --quiet . _build/mutmut
	cd _build/mutmut && $(CURDIR)/$(BIN)/mutmut run --max-children 2
	(cd _build/mutmut && $(CURDIR)/$(BIN)/mutmut results) | tee _build/mutmut.txt

# For options, such as a port: make live ARGS=--port=9000
live: .venv/book
	$(BIN)/jupyter lab book $(ARGS)

# Execute a chapter and store what is compared: make chapter NAME=ladder
chapter: .venv/dev
	$(BIN)/python -m tools.notebooks $(or $(NAME),$(error which one? for example make chapter NAME=ladder))
	$(BIN)/nbstripout $(STRIP) book/$(NAME).ipynb

# Take out of notebooks what is not committed, and write them as Jupyter writes them.
strip: .venv/dev
	$(BIN)/nbstripout $(STRIP) $(NOTEBOOKS)
	$(BIN)/python -m tools.notebooks

# Write the pages and student notebooks of the exercise sets anew from their sources.
exercises: .venv/dev
	$(BIN)/python -m instructor.generate

# Run the studies behind figures whose data files are missing and the fitted games, and write the page of exhibits anew.
exhibits: .venv/dev
	$(BIN)/python -m tools.studies
	$(BIN)/python book/fitted.py
	$(BIN)/python -m tools.exhibits

# Measure the bulk simulations against the plain scripts and against drawing the bits.
benchmarks: .venv/dev
	$(BIN)/python -m tools.benchmarks
	$(BIN)/python -m instructor.benchmark

# Break each theorem's code in every listed way and write down which test notices.
mutants: .venv/dev
	$(BIN)/python -m tools.mutants

# Write the files of a release into dist: the book as PDF and archive, the library, checksums.
release: .venv/dev built
	$(BIN)/python -m tools.release

# Resolve anew what the pinned packages bring along.
constraints:
	test -d .venv || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet uv
	sed '/^-c/d' requirements.txt instructor/requirements.txt requirements-dev.txt | grep -v '^-' | $(BIN)/uv pip compile --quiet --all-extras pyproject.toml - --universal --python-version 3.11 --no-annotate --no-header --no-emit-find-links --no-emit-index-url -o constraints.txt

.venv/book: requirements.txt constraints.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python 3.11 or newer is needed, for example: make book PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install -r requirements.txt
	touch $@

.venv/dev: .venv/book requirements-dev.txt instructor/requirements.txt
	$(BIN)/pip install -r requirements-dev.txt
	touch $@

clean:
	rm -rf _build dist .venv
