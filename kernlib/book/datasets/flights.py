"""Flights from New York in 2013, embedded in kernlib: a table of numbers, texts, dates and holes."""

import io
from typing import Any

from kernlib.book.datasets.files import DataFile, read_embedded
from kernlib.book.row_limit import row_limit

__all__ = ["load_flights"]

FLIGHTS = DataFile("flights.csv", "3ff2c7ab34729db09a3a3fcf667fa3da4432d43589f907ce17f069af3c99d065")


def load_flights() -> Any:
    """Load 100,000 flights from New York's airports in 2013, in the order of their scheduled departure.

    Returns
    -------
    DataFrame of shape (100000, 17)
        What is known beforehand: "departure" (scheduled, local time), "carrier", "origin", "destination",
        "distance" in miles, "built" (the plane's year) and "seats". The weather at the airport in that hour:
        "temperature" in °F, "humidity" in %, "wind_direction" in degrees, "wind_speed" and "gust" in miles an
        hour, "rain" in inches, "pressure" in millibar and "visibility" in miles. What is known afterwards:
        "departure_delay" and "arrival_delay" in minutes.

    Raises
    ------
    ImportError
        If pandas is not installed.
    OSError
        If the file is missing from ``data/`` or damaged.

    Notes
    -----
    0.9 MB on disk, about a second. Chapter: Your own data.
    """
    import pandas as pd  # only this data set needs it

    content = io.BytesIO(read_embedded(FLIGHTS))
    table = pd.read_csv(content, parse_dates=["departure"], keep_default_na=False, na_values=[""])
    most = row_limit()
    if most is not None and len(table) > most:
        print(f"flights: {most:,} of {len(table):,} rows (KERNLIB_ROWS sets the limit)")
        table = table.iloc[:: -(-len(table) // most)].reset_index(drop=True)
    return table
