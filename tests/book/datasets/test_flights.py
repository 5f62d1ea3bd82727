"""Flights from New York are a table in the order of departure, with every kind of column."""

import pytest

from kernlib.book.datasets import load_flights


@pytest.fixture(scope="module")
def flights():
    return load_flights()


def test_flights_have_a_date_texts_numbers_and_holes(flights):
    assert flights.shape == (100_000, 17)
    assert flights["departure"].is_monotonic_increasing and set(flights["departure"].dt.year) == {2013}
    assert set(flights["origin"]) == {"EWR", "JFK", "LGA"} and flights["carrier"].nunique() == 16
    assert flights["gust"].isna().mean() > 0.7
    assert not flights[["departure_delay", "arrival_delay", "carrier", "destination"]].isna().any(axis=None)
    assert 0.23 < (flights["arrival_delay"] > 15).mean() < 0.24


def test_few_rows_are_spread_over_the_year(monkeypatch, capsys):
    monkeypatch.setenv("KERNLIB_ROWS", "4000")
    assert load_flights()["departure"].dt.month.nunique() == 12
    assert capsys.readouterr().out.startswith("flights: 4,000 of 100,000 rows")
