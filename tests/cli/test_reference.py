"""The command and the call of programs that run a scene against a reference."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

import wavelab as api
from tests.sample_lane import LANE, airy
from wavelab.errors import WavelabError

FREQUENCIES = (0.75, 0.9, 1.15)


@pytest.fixture
def lane(tmp_path):
    path = tmp_path / "lane.toml"
    path.write_text(LANE.replace("order = 5", "order = 4"))
    return path


def test_reference_tells_writes_and_prints_the_same(wavelab, lane, tmp_path):
    table = tmp_path / "plate.csv"
    status, out, _ = wavelab("reference", lane, "-o", table, "--json")
    assert status == 0
    told = json.loads(out)
    assert told["monitor"] == ["in"] * 3 + ["out"] * 3
    assert [-value for value in told["difference_quotient"][:3]] == pytest.approx(
        [airy(f) for f in FREQUENCIES], abs=2e-3
    )
    with table.open() as file:
        rows = list(csv.DictReader(file))
    assert [row["monitor"] for row in rows] == ["1"] * 3 + ["2"] * 3
    assert [float(row["quotient"]) for row in rows] == told["quotient"]


def test_another_scene_is_a_reference_too(wavelab, lane, tmp_path):
    status, out, _ = wavelab("reference", lane, "--to", lane, "--until", "3")
    assert status == 0
    lines = out.splitlines()
    assert lines[0].split()[-1] == "difference_quotient"
    assert len(lines) == 7
    for options in (("--without", "plate", "--to", lane), ("--without", "plait")):
        status, _, err = wavelab("reference", lane, *options)
        assert status == 2
    assert "plate" in err


@pytest.mark.parametrize("command", ["reference", "scatter"])
def test_what_is_printed_has_the_units_of_the_scene(wavelab, lane, command):
    plain = lane.read_text()
    for text, units in ((plain, False), (plain + '[units]\nlength = "um"\n', True)):
        lane.write_text(text)
        status, out, _ = wavelab(command, lane, "--until", "3")
        assert status == 0
        for frequency in FREQUENCIES:
            told = f"{299.792458 * frequency:.6g} THz" if units else f"{frequency:g}"
            assert f"{told}  " in out


def test_programs_get_amplitudes_and_the_scattering_matrix(lane):
    found = api.reference(lane, "plate", progress=False, notify=lambda text: None)
    guide = found["in"]
    back = guide.difference["backward"][:, 0] / guide.reference["forward"][:, 0]
    assert np.abs(back) ** 2 == pytest.approx([airy(f) for f in FREQUENCIES], abs=2e-3)
    s = api.scatter(lane, progress=False, notify=lambda text: None)
    assert s.s.shape == (3, 2, 2)
    assert np.abs(s.s[:, 0, 0]) == pytest.approx(np.abs(back), abs=5e-3)
    with pytest.raises(WavelabError, match="either"):
        api.reference(lane, "plate", lane)
