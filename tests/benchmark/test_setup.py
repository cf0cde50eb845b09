"""The benchmark of the set-up."""

import json

import pytest

from wavelab.benchmark.setup import measure_setup
from wavelab.cli import main
from wavelab.errors import WavelabError


def test_every_part_of_the_set_up_is_timed(capsys):
    assert main(["bench", "--setup", "600", "--orders", "2", "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)
    assert (result["order"], result["precision"]) == (2, "single")
    assert abs(result["elements"] - 600) < 60
    parts = result["seconds"]
    assert list(parts) == [
        "read the mesh file",
        "discretize and find the time step",
        "lay out, upload and load kernels",
        "start the fields",
        "first step",
    ]
    assert min(parts.values()) > 0
    reading = parts["read the mesh file"]
    assert result["total_s"] == pytest.approx(sum(parts.values()) - reading)
    assert result["from_file_s"] == pytest.approx(sum(parts.values()))
    assert result["peak_mib"] >= result["before_mib"] > 0


def test_a_device_that_is_not_there_is_an_error():
    with pytest.raises(WavelabError, match="failed"):
        measure_setup(100, device="no such device")
