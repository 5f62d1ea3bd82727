"""Run all races and write the record, ``python -m benchmarks``; or some, by name, without a record."""

import argparse
import json
import os
import sys
import time
from importlib.metadata import version
from pathlib import Path

from tqdm import tqdm

from benchmarks.cluster import measure_workers
from benchmarks.growth import CURVES, measure_growth
from benchmarks.limits import NAMES as RATES
from benchmarks.limits import measure_rates
from benchmarks.machine import describe_machine, list_libraries
from benchmarks.peers import NAMES, find_missing
from benchmarks.race import PeerFailed, run
from benchmarks.races import RACES
from benchmarks.worker import call_apart

RECORD = Path(__file__).with_name("record.json")
OTHERS = {  # what is measured besides races
    "growth": "costs over n, p, c and the length of strings",
    "workers": "a pass on one Dask worker and on two",
}


def format_race(r):
    """Write a line for a terminal; above a ratio of 1, ours takes less time. The record has the rest."""
    goal = "" if r["goal"] is None else f", goal {r['goal']:g}{' missed' * (r['ratio'] < r['goal'])}"
    ratio = "{:.3g} ({:.3g}-{:.3g})".format(r["ratio"], *r["quartiles"])
    accuracy, load = "" if r["accurate"] else ", LESS ACCURATE", ", BUSY" if r["busy"] else ""
    return f"{r['work']}, against {r['peer']}, {'/'.join(r['dtypes'])}: {ratio}{goal}{accuracy}{load}"


def main():
    """Run what the command line names; return 1 if ours was less accurate in a race, otherwise 0."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help="what to measure, as --list names it; by default, all")
    parser.add_argument("--list", action="store_true", help="list what can be measured, and stop")
    options = parser.parse_args()
    if options.list:
        for name, races in RACES.items():
            print(f"{name:<14} {len(races)} races: {', '.join(dict.fromkeys(race.work for race in races))}")
        for name, what in OTHERS.items():
            print(f"{name:<14} {what}")
        return 0
    known = [*RACES, *OTHERS]
    if unknown := set(options.names) - set(known):
        parser.error(f"names must be among {', '.join(known)}, got {', '.join(sorted(unknown))}.")
    wanted, start, missing = options.names or known, time.perf_counter(), find_missing()
    rates = call_apart(measure_rates)
    results, failed, growth, workers = [], {}, [], None
    with tqdm(bar_format="{elapsed}  {postfix}") as progress:
        for race in [race for name in RACES if name in wanted for race in RACES[name]]:
            if race.needs not in missing:
                progress.set_postfix_str(f"{race.work}, against {race.peer}")
                try:
                    results.append(run(race, rates))
                    progress.write(format_race(results[-1]))
                except PeerFailed as failure:
                    failed[race.peer] = str(failure)
        for number, curve in enumerate(CURVES if "growth" in wanted else []):
            progress.set_postfix_str(f"growth of {curve.what} with {curve.variable}")
            growth.append(measure_growth(number))
            progress.write("{what}: slope {slope} in {variable}, theory {theory}".format(**growth[-1]))
        if "workers" in wanted:
            progress.set_postfix_str("one Dask worker and two")
            workers = call_apart(measure_workers)
    rates_after = call_apart(measure_rates)
    if workers:
        print(f"two Dask workers: {workers['gain']} times one; the model errs by {workers['error']:.0%}")
    for title, reasons in (("not raced", missing), ("did not run", failed)):
        for name, reason in reasons.items():
            print(f"{title}: {name}: {reason}")
    if not options.names:
        packages = [package for package in NAMES.values() if package not in missing]
        write_record(
            {
                "date": time.strftime("%Y-%m-%d"),
                "minutes": round((time.perf_counter() - start) / 60, 1),
                "machine": describe_machine() | {"libraries": call_apart(list_libraries)},
                "versions": {name: version(name) for name in ("numpy", "scipy", "scikit-learn", *packages)},
                "limits": {"names": RATES, "before": rates, "after": rates_after},
                "races": results,
                "growth": growth,
                "workers": workers,
                "missing": missing,
                "failed": failed,
            }
        )
    return int(not all(result["accurate"] for result in results))


def write_record(record):
    """Write the record, completely or not at all, with four digits of each float."""
    part = RECORD.with_suffix(".part")
    rounded = json.loads(json.dumps(record), parse_float=lambda digits: float(f"{float(digits):.4g}"))
    part.write_text(json.dumps(rounded, indent=1, ensure_ascii=False) + "\n")
    os.replace(part, RECORD)
    print(f"wrote benchmarks/{RECORD.name}, in {record['minutes']} minutes")


if __name__ == "__main__":
    sys.exit(main())
