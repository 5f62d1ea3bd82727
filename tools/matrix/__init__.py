"""The parts of `tools/machines.py`: which machines, their environments, runs, margins, the table."""
