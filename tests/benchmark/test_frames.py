"""The benchmark of frames."""

import json

import pytest

from wavelab.benchmark import frames
from wavelab.cli import main
from wavelab.errors import DeviceError


def test_step_rates_with_and_without_frames(capsys, monkeypatch):
    monkeypatch.setattr(frames, "_SECONDS", 0.1)
    monkeypatch.setattr(frames, "_TURNS", 2)
    words = ["bench", "--frames", "40", "--elements", "200", "--orders", "2", "--json"]
    assert main(words) == 0
    (result,) = json.loads(capsys.readouterr().out)
    assert (result["asked"], result["order"], result["elements"]) == (40, 2, 200)
    assert 0 < result["frames_per_s"] <= 60  # one more may be due in so short a time
    assert result["steps_alone_per_s"] > 0
    assert result["kept"] > 0


def test_a_device_that_is_not_there_is_an_error():
    with pytest.raises(DeviceError, match="no device fits"):
        frames.measure_frames(60, elements=10, device="no such device")
