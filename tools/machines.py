"""Run the notebooks and the unit tests on emulated machines, and print a table machine × notebook.

    python tools/machines.py                                     everything on all machines
    python tools/machines.py haswell chapters/03_duality.ipynb   one notebook on one machine
    python tools/machines.py haswell one-thread tests            the unit tests on two machines
    python tools/machines.py --list                              the machines' names
    env $(python tools/machines.py --shell laptop) make book     another command on a machine
A result is kept in `_build/machines/results` until a source, a version or the processor changes: a second
run does what is missing or failed.
"""

import argparse
import json
import signal
import sys
from pathlib import Path

from matrix.environments import ROOT, Broken, Unavailable
from matrix.machines import MACHINES
from matrix.runs import UNIT_TESTS, Prepared

BY_NAME = {machine.name: machine for machine in MACHINES}


def parse_arguments():
    """Return the options, the machines and the items of the command line."""
    as_written = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=as_written)
    parser.add_argument("what", nargs="*", metavar="machine|notebook|tests", help="by default, all")
    parser.add_argument("--list", action="store_true", help="print the machines' names as JSON, and stop")
    parser.add_argument("--shell", choices=BY_NAME, help="print a machine's variables for `env`, and stop")
    options = parser.parse_args()
    items = [what for what in options.what if what == UNIT_TESTS or what.endswith(".ipynb")]
    names = [what for what in options.what if what not in items]
    for name in names:
        if name not in BY_NAME:
            parser.error(f"a machine must be one of {', '.join(BY_NAME)}, got {name!r}")
    notebooks = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("chapters/*.ipynb"))
    return options, [BY_NAME[name] for name in names] or MACHINES, items or [UNIT_TESTS, *notebooks]


def print_variables(machine):
    """Print what a process needs for a machine's kernels and features; nothing if they can't be emulated."""
    try:
        own = Prepared.prepare(machine).variables
    except Unavailable as why:
        print(f"{machine.name}: not emulated: {why}", file=sys.stderr)
        return
    for name in ("OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES"):
        if name in own:
            print(f"{name}={own[name].replace(' ', ',')}")


def prepare(machines):
    """Return the machines that are ready, why others are unavailable, and which of these are broken."""
    ready, unavailable, broken = [], {}, []
    for machine in machines:
        try:
            new = Prepared.prepare(machine)
            for twin in (each.machine.name for each in ready if each.process == new.process):
                raise Unavailable(f"a process sees no difference from the machine {twin}")
            ready.append(new)
            print(f"{machine.name}: {machine.what}", flush=True)
        except Unavailable as why:
            unavailable[machine.name] = str(why)
            print(f"{machine.name}: not run: {why}", flush=True)
            if isinstance(why, Broken):
                broken.append(f"{machine.name}: {why}")
    return ready, unavailable, broken


def run(ready, items):
    """Run what has no good result yet; return all results: machine's name -> item -> result."""
    results = {}
    for each in ready:
        name = each.machine.name
        results[name] = {item: kept for item in items if (kept := each.kept(item))}
        missing = [item for item in items if item not in results[name]]
        notebooks = [item for item in missing if item != UNIT_TESTS]
        for batch in (notebooks, [UNIT_TESTS] if UNIT_TESTS in missing else []):
            if batch:
                print(f"{name}: running {', '.join(batch)}", flush=True)
                results[name] |= each.run(batch)
    return results


def format_table(results, items, unavailable):
    """Lay out which machine (a row) passed which item (a column), and why some machines are unavailable."""
    width = max(map(len, [*results, *unavailable]))
    lines = [" ".join([" " * width, *(f"{abbreviate(item):>6}" for item in items)])]
    for machine, done in results.items():
        marks = [len(done[item]["failures"]) or "·" if item in done else "-" for item in items]
        lines.append(" ".join([f"{machine:{width}}", *(f"{mark:>6}" for mark in marks)]))
    lines += [f"{machine:{width}}   not run: {why}" for machine, why in unavailable.items()]
    return "\n".join([*lines, "· passed; a number counts the cells or tests that failed"])


def abbreviate(item):
    """Shorten an item to a column's heading: a chapter's number, or the first letters of a name."""
    number, _, rest = Path(item).stem.partition("_")
    if not number.isdigit():
        return number[:6]
    return f"{number}s" if "solutions" in rest else number


def main():
    """Run what the command line names, print the report, and exit with 1 if anything failed."""
    options, machines, items = parse_arguments()
    if options.list:
        print(json.dumps(list(BY_NAME)))
        return
    if options.shell:
        print_variables(BY_NAME[options.shell])
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends the runs as Ctrl-C does
    try:
        ready, unavailable, broken = prepare(machines)
        results = run(ready, items)
    except KeyboardInterrupt:
        sys.exit("\nstopped; the same command continues from here")
    done = [(name, item, result) for name in results for item, result in results[name].items()]
    failures = broken + [
        f"{name}  {item}  {each['where']}: {each['what']}"
        for name, item, result in done
        for each in result["failures"]
    ]
    print("", format_table(results, items, unavailable), *failures, sep="\n")
    print(f"{len(failures)} failures")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
