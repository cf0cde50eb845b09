"""Tuning in two threads and several processes: what happens in between two looks at something."""

from __future__ import annotations

import json
import threading

import pytest

from tests.opencl.conftest import mixed_operator
from tests.opencl.tuning.test_tuner import ANOTHER, CONFIGS, REAL, Bench, Clock
from wavelab import paths
from wavelab.errors import DeviceError
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.variants import tuned
from wavelab.opencl.variants.tuned import Verdict, alone, case_of, store_verdict


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "cache_directory", lambda: tmp_path)


@pytest.fixture
def bench(device):
    return Bench(device)


def stored() -> list[dict]:
    """The verdicts in the file."""
    content = json.loads((paths.cache_directory() / "kernel-configs.json").read_text())
    return list(content["configs"].values())


class Hooked(KernelConfig):
    """A config that tells when it is compared."""

    def __eq__(self, other) -> bool:
        self.compared()
        return super().__eq__(other)

    __hash__ = KernelConfig.__hash__

    @staticmethod
    def compared() -> None:
        pass


@pytest.mark.parametrize("moment", ["the clock is read", "configs are compared"])
def test_the_builder_ends_while_the_time_is_up(bench, monkeypatch, moment):
    """It gives up what it builds, and what comes next, in the middle of ``time_is_up``."""
    configs = [Hooked(8, 8, rows=1, tile=tile) for tile in (1, 2, 3)]
    begun, go_on = threading.Event(), threading.Event()

    def prepare(config):
        if config is not configs[0]:
            bench.clock.now += 9.0 if config is configs[1] else 0.0
            begun.set()
            go_on.wait()
            raise DeviceError("refused")

    tuner = bench.tuner([1e-3, 1e-3, 1e-3], configs=configs, prepare=prepare)
    list(tuner.duel(tuner.build()))
    builder = threading.Thread(target=tuner.build, daemon=True)
    builder.start()
    begun.wait()

    def let_it_end() -> float:
        go_on.set()
        if threading.current_thread() is not builder:
            builder.join()
        return bench.clock.now

    with monkeypatch.context() as patch:
        if moment == "the clock is read":
            patch.setattr(Clock, "__call__", lambda clock: let_it_end())
        else:
            patch.setattr(Hooked, "compared", staticmethod(let_it_end))
        tuner.time_is_up()
        let_it_end()
    tuner.remember()
    tuner.close()
    assert [verdict["untried"] for verdict in stored()] == [[]]


def test_what_was_found_is_kept_although_the_device_is_released_meanwhile(bench, device):
    class Closing(float):
        def __mul__(self, other):
            tuner.close()
            return float(self) * other

    case = case_of(mixed_operator(2, 1.0), device, REAL)
    tuner = bench.tuner([1e-3, 1e-3], known=Verdict(case, CONFIGS[0], Closing(2.0)))
    list(tuner.duel(tuner.build()))
    tuner.remember()
    assert [verdict["gain"] for verdict in stored()] == [2.0]


def test_two_that_store_at_once_lose_nothing(device, monkeypatch):
    """The second begins when the first has read the file, and before it writes."""
    fcntl = pytest.importorskip("fcntl")
    cases = [case_of(mixed_operator(order, 1.0), device, REAL) for order in (2, 3)]
    waits_or_is_done = threading.Event()

    def store_second() -> None:
        store_verdict(Verdict(cases[1], ANOTHER))
        waits_or_is_done.set()

    second = threading.Thread(target=store_second, daemon=True)
    read, lock = tuned._read, fcntl.flock

    def read_slowly():
        content = read()
        if threading.current_thread() is not second:
            second.start()
            waits_or_is_done.wait()
        return content

    def flock(file, how):
        if threading.current_thread() is second:
            waits_or_is_done.set()
        lock(file, how)

    with monkeypatch.context() as patch, alone():
        patch.setattr(tuned, "_read", read_slowly)
        patch.setattr(fcntl, "flock", flock)
        store_verdict(Verdict(cases[0], ANOTHER))
        second.join()
    assert len(stored()) == 2
