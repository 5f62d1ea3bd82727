# Two commands do all the set-up: `make book` and `make test`. `make help` lists the rest.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
TESTS  ?= tests --ignore=tests/site# or a file or folder, a notebook too
MACHINES ?=  # some of `python tools/machines.py --list`; by default all of them
PAGES  ?=  # of the students' edition; by default the lab
TAG    ?=  # of a release
PAPER  ?= a4# or letter
RACES  ?=  # some of the benchmark's races, which then leaves its record alone; by default all of them

# Jupyter, matplotlib and pip write into the home folder; where that can't be written, into the book's.
ifneq ($(shell test -w "$$HOME" && echo writable),writable)
export HOME := $(CURDIR)/_build/home
endif

# Where Python may not keep what it compiled, each process compiles numpy, scipy and matplotlib again: 7 s.
unexport PYTHONDONTWRITEBYTECODE

# Slides and PDF read the same pages and can be made at the same time.
ifneq ($(filter slides release,$(MAKECMDGOALS)),)
ifeq ($(filter-out book pdf release slides student,$(MAKECMDGOALS)),)
MAKEFLAGS += --jobs=2
endif
endif

.DEFAULT_GOAL := help
.PHONY: help environment book slides pdf here student assignment release test test-site machines bench serve notebooks lint clean

help:  ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 14

environment:  ## install into .venv what the book needs, unless it is there
	@"$(PYTHON)" tools/environment.py "$(VENV)"
	@mkdir -p "$$HOME"

book: environment  ## build the book into _build/html, executing every chapter that changed
	@"$(BIN)/python" tools/build_book.py

pdf: book  ## print the book as one PDF, _build/book-a4.pdf, or with PAPER=letter book-letter.pdf (Chromium)
	@"$(BIN)/python" tools/pdf.py $(PAPER)

student: book  ## the students' edition: a notebook for each page, without solutions, in _build/student
	@echo "The students' edition: $(CURDIR)/_build/student"

# At first the PDF needs both cores, later only one.
slides: book  ## a deck of slides for each chapter, and a button on its pages that opens it
	nice "$(BIN)/python" tools/make_slides.py

assignment: student  ## make nbgrader assignments of the lab or of PAGES="05_draws" in the folder course
	"$(BIN)/python" tools/assignment.py $(PAGES)

here: book  ## add "Run here" to the built book: Python in the reader's browser (installs tools/run_here.txt)
	"$(BIN)/python" -m pip install --quiet --disable-pip-version-check -r tools/run_here.txt
	"$(BIN)/python" tools/run_here.py

release: student slides pdf  ## packages, checked, and the book as zip and PDF, in _build/release; TAG=v0.1.0 for a tag
	"$(BIN)/python" -m pip install --quiet --disable-pip-version-check -r tools/release.txt
	"$(BIN)/python" tools/release.py $(if $(TAG),--tag $(TAG))

SIDE_BY_SIDE = --numprocesses auto --dist loadfile --no-loadscope-reorder

test: environment  ## unit tests; they need neither the built book nor a browser
	"$(BIN)/python" -m pytest $(if $(filter %.ipynb,$(TESTS)),--nbval,$(SIDE_BY_SIDE)) $(TESTS)

test-site: environment  ## the built book: every cell's output, and its pages, decks and PDF in a browser
	"$(BIN)/python" -m pytest $(SIDE_BY_SIDE) tests/site

machines: environment  ## notebooks and unit tests on emulated machines: a table (MACHINES="haswell one-thread")
	"$(BIN)/python" tools/machines.py $(MACHINES)

bench: environment  ## race kernlib against other libraries (half an hour to an hour, on an idle machine)
	"$(BIN)/python" -m benchmarks $(RACES)

serve: $(if $(EDIT),environment,student)  ## open JupyterLab on the students' edition; EDIT=1: on the chapters, to change them
	"$(BIN)/jupyter" lab --notebook-dir=$(if $(EDIT),chapters,_build/student)

notebooks: environment  ## execute all notebooks again, keep their text outputs only
	"$(BIN)/python" tools/execute_notebooks.py

lint: environment  ## ruff on code and notebooks, spelling, types, and the direction of imports
	"$(BIN)/ruff" check .
	"$(BIN)/ruff" format --check .
	"$(BIN)/codespell"
	"$(BIN)/mypy"
	"$(BIN)/lint-imports" --no-logo

clean:  ## remove what was built, keep the environment
	rm -rf _build
