"""Run all races and write the record, ``python -m benchmarks``; or some, by name, without a record."""

import argparse
import json
import os
import sys
import time
from importlib.metadata import version
from pathlib import Path

from tqdm import tqdm

from benchmarks import limits
from benchmarks.beside import beside
from benchmarks.cluster import scaling
from benchmarks.growth import CURVES, grow
from benchmarks.machine import describe, libraries
from benchmarks.peers import NAMES, missing
from benchmarks.race import PeerFailed, run
from benchmarks.races import RACES
from benchmarks.worker import apart

RECORD = Path(__file__).with_name("record.json")
OTHERS = {  # what is measured beside races
    "growth": "costs over n, p, c and the length of strings",
    "workers": "a pass on one Dask worker and on two",
}
QUICK = 3  # turns


def table(results):
    """Lay the results out for a terminal, one line a race; ratios above 1 are ours."""
    lines = [
        f"{'work':<62} {'peer':<44} {'ours/peer':<9} {'ratio (quartiles)':<21} {'cpu':>5} {'goal':>5} "
        f"{'share':>5} {'seconds':>17} {'error':>17} {'peak MB':>13}"
    ]
    for r in results:
        ratio = f"{r.ratio:.3g} ({r.quartiles[0]:.3g}-{r.quartiles[1]:.3g})"
        reached = "" if r.goal is None else f"{r.goal:g}{'' if r.ratio >= r.goal else '!'}"
        share = "" if r.share is None else f"{r.share:.0%}"
        seconds, errors = (" / ".join(f"{value:.2g}" for value in pair) for pair in (r.seconds, r.errors))
        memory = " / ".join("?" if value is None else f"{value:.0f}" for value in r.megabytes)
        lines.append(
            f"{r.work:<62} {r.peer:<44} {'/'.join(r.dtypes):<9} {ratio:<21} {r.cpu_ratio:>5.3g} {reached:>5} "
            f"{share:>5} {seconds:>17} {errors:>17} {memory:>13}"
            f"{'' if r.accurate else '  LESS ACCURATE'}{f'  BUSY ({r.others:.0%})' if r.busy else ''}"
        )
    return "\n".join(lines)


def main():
    """Run what the command line asks for; give 1 if a race was won at the price of accuracy, else 0."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help="what to measure, as --list names it; all, if none")
    parser.add_argument("--list", action="store_true", help="name what can be measured, and stop")
    parser.add_argument(
        "--quick",
        action="store_true",
        help=f"{QUICK} turns, small sizes: a trial, marked as one in the record",
    )
    parser.add_argument(
        "--beside",
        type=record_in,
        metavar="FILE",
        help=f"print an earlier record, or another machine's, beside {RECORD.name}, and stop",
    )
    asked = parser.parse_args()
    known = [*RACES, *OTHERS]
    if asked.list:
        for name, races in RACES.items():
            print(f"{name:<14} {len(races)} races: {', '.join(dict.fromkeys(race.work for race in races))}")
        for name, what in OTHERS.items():
            print(f"{name:<14} {what}")
        return 0
    if asked.beside:
        print(beside(asked.beside, record_in(RECORD)))
        return 0
    if unknown := set(asked.names) - set(known):
        parser.error(f"names must be among {', '.join(known)}, got {', '.join(sorted(unknown))}.")
    wanted, begun, absent = asked.names or known, time.perf_counter(), missing()
    rates = apart(limits.measure)
    results, failed, growth, workers = [], {}, [], None
    with tqdm(bar_format="{elapsed}  {postfix}") as progress:
        for race in [race for name in RACES if name in wanted for race in RACES[name]]:
            if race.needs in absent:
                continue
            progress.set_postfix_str(f"{race.work}, against {race.peer}")
            try:
                results.append(run(race, rates, QUICK if asked.quick else None))
            except PeerFailed as failure:
                failed[race.peer] = str(failure)
        for curve in CURVES if "growth" in wanted else []:
            progress.set_postfix_str(f"growth of {curve.what} with {curve.variable}")
            growth.append(grow(curve, asked.quick))
        if "workers" in wanted:
            progress.set_postfix_str("one Dask worker and two")
            workers = apart(scaling, asked.quick)
    rates_after = apart(limits.measure)
    print(table(results))
    for curve in growth:
        print(f"{curve['what']}: slope {curve['slope']} in {curve['variable']}, theory {curve['theory']}")
    if workers:
        print(
            f"two Dask workers: {workers['gain']} times one, two processes without Dask "
            f"{workers['bare_gain']}; the model errs by {workers['error']:.0%}"
        )
    for title, reasons in (("not raced", absent), ("did not run", failed)):
        for name, reason in reasons.items():
            print(f"{title}: {name}: {reason}")
    if not asked.names:
        packages = [package for package in NAMES.values() if package not in absent]
        write(
            {
                "date": time.strftime("%Y-%m-%d"),
                "note": f"a trial: {QUICK} turns a race, small sizes" if asked.quick else None,
                "minutes": round((time.perf_counter() - begun) / 60, 1),
                "machine": describe() | {"libraries": apart(libraries)},
                "versions": {name: version(name) for name in ("numpy", "scipy", "scikit-learn", *packages)},
                "limits": {"names": limits.NAMES, "before": brief(rates), "after": brief(rates_after)},
                "races": [result.as_dict() for result in results],
                "growth": growth,
                "workers": workers,
                "missing": absent,
                "failed": failed,
            }
        )
    return int(not all(result.accurate for result in results))


def record_in(path):
    """Read a record."""
    try:
        record = json.loads(Path(path).read_text())
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"{path} can't be read: {error}.") from None
    if not isinstance(record, dict) or not {"date", "limits", "machine", "races"} <= record.keys():
        raise argparse.ArgumentTypeError(f"{path} must be a record of the form that `make bench` writes now.")
    return record


def brief(rates):
    """Give rates with four digits."""
    return {dtype: {name: float(f"{rate:.4g}") for name, rate in of.items()} for dtype, of in rates.items()}


def write(record):
    """Write the record, whole or not at all."""
    part = RECORD.with_suffix(".part")
    part.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    os.replace(part, RECORD)
    print(f"written: benchmarks/{RECORD.name}, in {record['minutes']} minutes")


if __name__ == "__main__":
    sys.exit(main())
