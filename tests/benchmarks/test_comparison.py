"""Two made-up records side by side."""

import json
import sys

import pytest

from benchmarks import __main__ as command
from benchmarks.comparison import compare_records


def record(**seconds):
    """A record of races whose names have our and their seconds."""
    races = [
        {
            "work": work,
            "peer": "peer",
            "dtypes": ["f64", "f32"],
            "ratio": theirs / ours,
            "seconds": [ours, theirs],
        }
        for work, (ours, theirs) in seconds.items()
    ]
    machine = {"processor": None, "architecture": "made-up", "cpus": 2}
    return {"date": "2026-11-22", "limits": None, "machine": machine, "races": races}


def test_a_ratio_that_moved_by_more_than_30_percent_is_marked_by_the_side_that_changed_more():
    old = record(still=(1, 4), slower=(1, 4), faster=(1, 4), peer=(1, 4), gone=(1, 1))
    new = record(still=(1, 3.1), slower=(1.31, 4), faster=(0.76, 4), peer=(0.9, 5.5), added=(1, 1))
    lines = compare_records(old, new).splitlines()
    ends = {line.split()[0]: line.split()[-1] for line in lines[3:7]}
    assert ends == {"still": "3.1", "slower": "ours", "faster": "ours", "peer": "theirs"}
    assert lines[7:] == [
        "3 of 4 ratios moved by more than 30%.",
        "only in the old record: gone, peer, f64/f32",
        "only in the new record: added, peer, f64/f32",
    ]


def test_a_file_that_is_not_a_record_is_rejected_in_a_sentence_and_nothing_is_raced(
    tmp_path, monkeypatch, capsys
):
    file = tmp_path / "old.json"
    for text, sentence in (("{", "can't be read"), ("[]", "must be a"), ('{"date": 1}', "must be a")):
        file.write_text(text)
        monkeypatch.setattr(sys, "argv", ["benchmarks", "--beside", str(file)])
        with pytest.raises(SystemExit) as stop:
            command.main()
        assert stop.value.code == 2 and f"argument --beside: {file} {sentence}" in capsys.readouterr().err
    file.write_text(json.dumps(record(ours=(1, 2))))
    assert command.main() == 0
    assert "only in the old record: ours" in capsys.readouterr().out
