"""``wavelab bench --ranks``."""

from __future__ import annotations

import json
import sys

import pytest

from scripts import on_cards
from wavelab.cli import main


@pytest.mark.usefixtures("hurried")
def test_what_the_exchange_costs_is_measured(capsys):
    words = ["bench", "--ranks", "--device", "0,0", "--elements", "50", "--json"]
    assert main(words) == 0
    alone, *shared = json.loads(capsys.readouterr().out)
    ways = "device to device", "through the host"
    assert [(rate["case"], rate["way"]) for rate in (alone, *shared)] == [
        ("alone", ""), *(("strong", way) for way in ways), *(("weak", way) for way in ways)
    ]  # fmt: skip
    strong, weak = shared[0], shared[2]
    assert (alone["ranks"], strong["ranks"], weak["ranks"]) == (1, 2, 2)
    assert strong["elements"] == alone["elements"] == 50
    assert weak["elements"] == 98  # the square that is nearest to twice as many
    assert alone["efficiency"] == 1
    for rate in shared:
        # A border of some faces, of 5 numbers each in single precision.
        assert rate["sent"] % 20 == 0
        assert 0 < rate["border"] < 1
        assert rate["exchange_us"] > 0
        assert 0 <= rate["hidden"] <= 1
        assert rate["seen_us"] <= rate["stage_us"]


def test_a_table_of_as_many_cards_as_there_are(tmp_path, monkeypatch):
    """Three in place of which something tells at once what it was asked for."""
    asked = []

    def command(devices, elements, mpi):
        asked.append((list(devices), elements, mpi))
        rate = {"order": 4, "elements": elements, "way": "", "stage_us": 1234.5,
                "efficiency": 0.5, "exchange_us": 9.0, "seen_us": 8.0}  # fmt: skip
        alone, strong = {**rate, "case": "alone", "ranks": 1}, {**rate, "case": "strong"}
        found = [alone, {**strong, "ranks": len(devices)}][: len(devices)]
        return [sys.executable, "-c", f"print({json.dumps(json.dumps(found))})"]

    monkeypatch.setattr(on_cards, "_command", command)
    table = tmp_path / "cards.md"
    words = ["-o", str(table), "--devices", "0,1,2", "--elements", "1000", "--mpi"]
    assert on_cards.main(words) == 0
    assert asked == [(["0"], 1000, True), (["0", "1"], 1000, True)]
    _, _, *rows = table.read_text().splitlines()
    assert [row.split(" | ")[:2] for row in rows] == [["| alone", "1"], ["| strong", "2"]]
    assert all("| 1,000 |  | 1,234 | 50% | 9 | 8 |" in row for row in rows)
