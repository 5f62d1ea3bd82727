"""Run the races and write the record: ``python -m benchmarks``, or with the names of some."""

import argparse
import json
import os
import platform
import sys
import time
from importlib.metadata import version
from pathlib import Path

from joblib import cpu_count
from tqdm import tqdm

from benchmarks.growth import CURVES, grow
from benchmarks.peers import available
from benchmarks.race import PeerFailed, run
from benchmarks.races import RACES

RECORD = Path(__file__).with_name("record.json")


def table(results):
    """Lay the results out for a terminal, one line a race; ratios above 1 are ours."""
    lines = [
        f"{'work':<62} {'peer':<44} {'ours/peer':<9} {'ratio (lowest-highest)':<23} {'goal':>5} "
        f"{'seconds':>17} {'error':>19} {'peak MB':>13}"
    ]
    for r in results:
        ratio = f"{r.ratio:.3g} ({r.lowest:.3g}-{r.highest:.3g})"
        reached = "" if r.goal is None else f"{r.goal:g}{'' if r.ratio >= r.goal else '!'}"
        seconds, errors = (" / ".join(f"{value:.2g}" for value in pair) for pair in (r.seconds, r.errors))
        memory = " / ".join("?" if value is None else f"{value:.0f}" for value in r.megabytes)
        lines.append(
            f"{r.work:<62} {r.peer:<44} {'/'.join(r.dtypes):<9} {ratio:<23} {reached:>5} {seconds:>17} "
            f"{errors:>19} {memory:>13}{'' if r.accurate else '  LESS ACCURATE'}"
        )
    return "\n".join(lines)


def main():
    """Run what the command line asks for; give 1 if a race was won at the price of accuracy, else 0."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names", nargs="*", help=f"some of: {', '.join([*RACES, 'growth'])}; all, and the record, if none"
    )
    names = parser.parse_args().names
    unknown = set(names) - {*RACES, "growth"}
    if unknown:
        parser.error(
            f"names must be among {', '.join([*RACES, 'growth'])}, got {', '.join(sorted(unknown))}."
        )
    modules, missing = available()
    results, failed, growth = [], {}, []
    with tqdm(bar_format="{elapsed}  {postfix}") as progress:
        for name in RACES:
            if names and name not in names:
                continue
            for race in RACES[name](modules):
                progress.set_postfix_str(f"{race.work}, against {race.peer}")
                try:
                    results.append(run(race))
                except PeerFailed as failure:
                    failed[race.peer] = str(failure)
        for curve in CURVES if not names or "growth" in names else []:
            progress.set_postfix_str(f"growth of {curve[0]} with {curve[1]}")
            growth.append(grow(*curve))
    print(table(results))
    for curve in growth:
        print(f"{curve['what']}: slope {curve['slope']} in {curve['variable']}, theory {curve['theory']}")
    for package, reason in missing.items():
        print(f"not raced: {package}: {reason}")
    for peer, reason in failed.items():
        print(f"did not run: {peer}: {reason}")
    if not names:
        packages = ["numpy", "scipy", "scikit-learn", *modules]
        record = {
            "date": time.strftime("%Y-%m-%d"),
            "machine": {
                "cpus": cpu_count(),
                "architecture": platform.machine(),
                "python": platform.python_version(),
            },
            "versions": {package: version(package) for package in packages},
            "races": [result.as_dict() for result in results],
            "growth": growth,
            "missing": missing,
            "failed": failed,
        }
        part = RECORD.with_suffix(".part")
        part.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")
        os.replace(part, RECORD)
        print(f"written: benchmarks/{RECORD.name}")
    return int(not all(result.accurate for result in results))


if __name__ == "__main__":
    sys.exit(main())
