# Two commands do everything: `make book` and `make test`. `make help` lists the rest.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
TESTS  ?=  # a file or folder; by default all of them
RACES  ?=  # some of the benchmark's races, which then leaves its record alone; by default all of them

.DEFAULT_GOAL := help
.PHONY: help book test bench serve notebooks lint clean

help:  ## show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 12

$(VENV)/.ready: requirements.txt pyproject.toml
	@echo "Installing into $(VENV): a minute or two, the first time"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

book: $(VENV)/.ready  ## build the book into _build/html, executing every chapter that changed
	$(BIN)/jupyter-book build . -W -n --keep-going

test: $(VENV)/.ready  ## unit tests, every notebook cell by cell, the built book in a browser
	$(BIN)/python -m pytest --nbval $(TESTS)

bench: $(VENV)/.ready  ## race kernlib against other libraries (a quarter of an hour, on an idle machine)
	$(BIN)/python -m benchmarks $(RACES)

serve: $(VENV)/.ready  ## open JupyterLab on the chapters
	$(BIN)/jupyter lab --notebook-dir=chapters

notebooks: $(VENV)/.ready  ## execute all notebooks again, keep their text outputs only
	$(BIN)/python tools/execute_notebooks.py

lint: $(VENV)/.ready  ## ruff, on code and notebooks
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

clean:  ## remove what was built, keep the environment
	rm -rf _build
