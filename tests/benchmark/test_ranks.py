"""``wavelab bench --ranks``."""

from __future__ import annotations

import json

import pytest

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
