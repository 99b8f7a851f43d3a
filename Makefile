# Each target sets up what it needs. `make help` tells what there is.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup build test bench demo recordings reports lint docs clean

SWIFT ?= swift
PYTHON := .venv/bin/python
# What is shown of a test run while it goes on; all of it is in TEST_LOG.
TEST_LINES := grep --line-buffered -E '^(✔ Suite|✔ Test run|✘|error:)'
TEST_LOG := .build/tests.log
# Tests/Example is a package of its own, which uses this one as another would.
EXAMPLE_LOG := .build/example.log
# All at once, 500 tests starve those that meet a peer.
TEST_WIDTH := --experimental-maximum-parallelization-width 4
# SwiftPM's progress, line by line.
BUILD_LINES := grep --line-buffered -vE '^\[[0-9]+/[0-9]+\]|^Building for|^Planning|^$$'

help: ## what there is
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: ## install what is missing: Debian packages (as root), Python packages in .venv
	@Tests/Peers/setup.sh

build: setup ## the command, optimised, as .build/release/reprise
	@echo "building the command"
	@$(SWIFT) build -c release --product reprise 2>&1 | $(BUILD_LINES)

test: setup ## all tests
	@echo "building the tests"
	@$(SWIFT) build --build-tests 2>&1 | $(BUILD_LINES)
	@$(SWIFT) test --skip-build --disable-xctest $(TEST_WIDTH) 2>&1 | tee $(TEST_LOG) | $(TEST_LINES) || { \
		echo "— the tests failed; of $(TEST_LOG):"; \
		grep -A 12 -E 'recorded an issue|^error:|Fatal error|Crash:' $(TEST_LOG) | head -300; \
		tail -n 3 $(TEST_LOG); exit 1; }
	@echo "building and testing the example package"
	@$(SWIFT) test --package-path Tests/Example --scratch-path .build/example --disable-xctest \
		> $(EXAMPLE_LOG) 2>&1 && $(TEST_LINES) $(EXAMPLE_LOG) || { \
		echo "— the example failed; of $(EXAMPLE_LOG):"; \
		grep -A 12 -E 'recorded an issue|error:' $(EXAMPLE_LOG) | head -100; exit 1; }

bench: build ## how exactly served chunks and frames arrive at their recorded times
	@$(PYTHON) Tests/Peers/arrivals.py

demo: build ## record, replay and report live sessions against a stand-in
	@$(PYTHON) Tests/Peers/demo.py

recordings: build ## renew Recordings/ and the reports made from them
	@$(PYTHON) Tests/Peers/recordings.py

reports: build ## renew only the reports
	@$(PYTHON) Tests/Peers/recordings.py --reports

lint: ## style of all Swift sources
	@$(SWIFT) format lint --strict --parallel -r Package.swift Sources Tests

docs: setup ## the documentation, as a site in .docs
	@Tests/Peers/docs.sh

clean: ## remove what was built and set up
	rm -rf .build .build-* .venv .docs Recordings/demo Reports/demo
