"""Run the notebooks and the unit tests on emulated machines, and print a table machine × notebook.

    python tools/machines.py                                     all machines, all that has to run
    python tools/machines.py haswell chapters/03_duality.ipynb   one notebook on one machine
    python tools/machines.py haswell one-thread tests            the unit tests on two machines
    python tools/machines.py --list                              the machines' names

A result is kept in `_build/machines/results` until a source, a version or the processor changes: a second
run does what is missing or failed. Beside each result is pytest's whole report (`.txt`). The asserts of the
notebooks are measured: a margin says how many times over these machines would have to differ for one to fail.
"""

import argparse
import json
import signal
import sys
import time

from matrix.environments import HOME, ROOT, Broken, Unavailable
from matrix.machines import MACHINES
from matrix.report import failure_lines, margin_lines, table, unmeasured
from matrix.runs import CORES, UNIT_TESTS, Prepared, Runner

BY_NAME = {machine.name: machine for machine in MACHINES}
THINNEST = 10  # how many margins to print


def everything():
    """The unit tests, and all notebooks."""
    return [UNIT_TESTS, *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("chapters/*.ipynb"))]


def prepare(machines):
    """Those of the machines that can be had, why the others can't, and which of these are broken."""
    prepared, unavailable, broken = [], {}, []
    for machine in machines:
        try:
            new = Prepared.of(machine)
            for twin in (each.machine.name for each in prepared if each.witness == new.witness):
                raise Unavailable(f"a process sees the same as on the machine {twin}")
            prepared.append(new)
            print(f"{machine.name}: {machine.what}", flush=True)
        except Unavailable as why:
            unavailable[machine.name] = str(why)
            print(f"{machine.name}: not run: {why}", flush=True)
            broken += [f"{machine.name}: {why}"] * isinstance(why, Broken)
    return prepared, unavailable, broken


def run(prepared, items):
    """Run what has no good result yet; of all there is, machine's name -> item -> result."""
    results = {each.machine.name: {} for each in prepared}
    work = []
    for each in prepared:
        for item in items:
            kept = each.kept(item)
            if kept and not kept["failures"]:
                results[each.machine.name][item] = kept
            else:
                work.append((each, item))
    kept = sum(map(len, results.values()))
    print(f"{len(work)} runs to do, {CORES} at once; {kept} results are kept", flush=True)
    began = time.monotonic()
    for done, (each, item, result) in enumerate(Runner().run_all(work), start=1):
        name = each.machine.name
        results[name][item] = result
        verdict = f"{len(result['failures'])} FAILED" if result["failures"] else "passed"
        left = (time.monotonic() - began) / done * (len(work) - done) / 60
        print(
            f"{done} of {len(work)}  {name}  {item}: {verdict} in {result['seconds']:.0f} s; "
            f"about {left:.0f} min left",
            *(f"    {line}" for line in failure_lines(name, item, result)),
            sep="\n",
            flush=True,
        )
    return results


def of_the_same_data(results):
    """The results whose numbers differ by rounding alone: those of machines with no data of their own."""
    return {name: done for name, done in results.items() if not BY_NAME[name].needs}


def parse():
    """What the command line asks for: its options, the machines, the items."""
    as_written = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=as_written)
    parser.add_argument("what", nargs="*", metavar="machine|notebook|tests", help="by default, all")
    parser.add_argument("--list", action="store_true", help="print the machines' names as JSON, and end")
    parser.add_argument("--verbose", action="store_true", help="all margins, and the asserts that have none")
    given = parser.parse_args()
    items = [what for what in given.what if what == UNIT_TESTS or what.endswith(".ipynb")]
    names = [what for what in given.what if what not in items]
    for name in names:
        if name not in BY_NAME:
            parser.error(f"no machine is named {name!r}; there are {', '.join(BY_NAME)}")
    return given, [BY_NAME[name] for name in names] or MACHINES, items or everything()


def main():
    given, machines, items = parse()
    if given.list:
        print(json.dumps(list(BY_NAME)))
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends its runs as Ctrl-C does
    try:
        prepared, unavailable, broken = prepare(machines)
        results = run(prepared, items)
    except KeyboardInterrupt:
        sys.exit("\nstopped; the same command goes on from here")
    without = unmeasured(results)
    print("", *margin_lines(of_the_same_data(results), None if given.verbose else THINNEST), sep="\n")
    print(f"{len(without)} asserts have no margin{'' if given.verbose else ' (--verbose lists them)'}")
    if given.verbose:
        print(*(f"    {place}" for place in without), sep="\n")
    done = [(name, item, result) for name in results for item, result in results[name].items()]
    red = broken + [line for one in done for line in failure_lines(*one)]
    print("", table(results, items, unavailable), *red, sep="\n")
    spent = sum(result["cpu_seconds"] for *_, result in done)
    print(f"{len(red)} failures; {spent:.0f} CPU seconds; reports in {HOME.relative_to(ROOT)}/results")
    sys.exit(bool(red))


if __name__ == "__main__":
    main()
