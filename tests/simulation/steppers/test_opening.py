"""Devices that are opened and tested before they are needed."""

from __future__ import annotations

import threading

import pytest

from wavelab.scene.model.scene import Scene, Solver
from wavelab.simulation.headless.batch import run_batch
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.messages.loading import RunnerSettings
from wavelab.simulation.solver.commands import OpenDevice
from wavelab.simulation.solver.runner import Runner
from wavelab.simulation.steppers import one_device
from wavelab.simulation.steppers.opening import Opening

SCENE = Scene("a room", Solver(0.4, order=2, until=0.1))


def test_a_run_has_its_device_tested_once_however_early_that_began(monkeypatch):
    tested, plain = [], one_device.self_test

    def told(*given):
        tested.append(threading.current_thread().name)
        return plain(*given)

    monkeypatch.setattr(one_device, "self_test", told)
    monkeypatch.setattr(one_device, "_passed", set())
    summary = run_batch(SCENE, BatchOptions(progress=False, backend="opencl"))
    assert summary["steps"] > 0
    assert tested == ["test the device"]


@pytest.mark.parametrize("device", ["no such card", "99", "0:77"])
def test_what_is_wrong_with_a_device_is_said_by_who_takes_it(device):
    opening = Opening("opencl", device, None, "single")
    opening.begin()
    opening.test(None, None)
    opening.wait()
    assert not any(thread.name.endswith("the device") for thread in threading.enumerate())
    OpenDevice(RunnerSettings("opencl", device), "single").apply(Runner())
    with pytest.raises(Exception, match="device"):
        run_batch(SCENE, BatchOptions(progress=False, backend="opencl", device=device))


@pytest.mark.parametrize(("backend", "device"), [("numpy", None), ("auto", "0,1")])
def test_nothing_is_opened_where_it_is_not_one_device(monkeypatch, backend, device):
    monkeypatch.setattr("wavelab.simulation.steppers.opening.on_device", pytest.fail)
    opening = Opening(backend, device, None, "single")
    before = threading.active_count()
    opening.begin()
    opening.test(None, None)
    assert threading.active_count() == before
