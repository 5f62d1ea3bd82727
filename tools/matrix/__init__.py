"""The parts of `tools/machines.py`: machines, their environments, runs, margins of asserts, the report."""
