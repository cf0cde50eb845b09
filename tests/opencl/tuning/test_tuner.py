"""The fastest wins, the wrong and the broken do not, and what won is remembered."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

from tests.opencl.conftest import mixed_operator, random_fields, relative_error
from tests.opencl.elements.test_curved import borders_curved
from tests.physics.operator.test_elastic import mixed_elastic
from wavelab import paths
from wavelab.errors import DeviceError, WavelabError
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.stepper import OpenCLStepper
from wavelab.opencl.tuning import duel
from wavelab.opencl.tuning.patch import patch
from wavelab.opencl.tuning.tuner import NoCompilerError, Tuner, tune, tuner_for
from wavelab.opencl.tuning.workshop import Work, Workshop
from wavelab.opencl.variants import tuned
from wavelab.opencl.variants.configs import cpu_config, whole_matrix_config
from wavelab.opencl.variants.tuned import (
    Verdict,
    alone,
    best_config,
    candidates_of,
    case_of,
    store_verdict,
    stored_verdict,
    stored_verdicts,
)
from wavelab.physics.operator.fields import Fields, MaxwellFields
from wavelab.physics.operator.maxwell_tm import right_hand_side

REAL = np.dtype(np.float32)
#: A candidate on a processor, and not what is taken untimed.
ANOTHER = whole_matrix_config(REAL)
CONFIGS = [KernelConfig(8, 8, rows=1, tile=tile) for tile in (1, 2, 3, 4, 5)]


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "cache_directory", lambda: tmp_path)
    return tmp_path / "kernel-configs.json"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class FakeStepper:
    """Takes ``cost`` seconds of a clock for a step."""

    def __init__(self, clock: Clock, cost: float, rate: float) -> None:
        self.clock, self.cost, self.rate = clock, cost, rate
        self.closed = False

    def right_hand_side(self, fields: Fields) -> Fields:
        return MaxwellFields(fields.hx, fields.hy, self.rate * fields.ez)

    def set_fields(self, fields: Fields) -> None:
        pass

    def synchronize(self) -> None:
        pass

    def compile_at_once(self) -> None:
        pass

    def advance(self, n_steps: int) -> None:
        self.clock.now += n_steps * self.cost

    def close(self) -> None:
        self.closed = True


class Bench:
    """Tuners of steppers that take the seconds they are told to."""

    def __init__(self, device) -> None:
        self.device, self.clock, self.made = device, Clock(), {}
        self.compile_seconds = 0.1

    def tuner(
        self,
        costs: list[float],
        rates: dict[int, float] | None = None,
        configs: list[KernelConfig] = CONFIGS,
        **how,
    ) -> Tuner:
        configs = configs[: len(costs)]

        bench = self

        class FakeWork(Work):
            def stepper(self, operator, config):
                bench.clock.now += bench.compile_seconds
                number = configs.index(config)
                if costs[number] <= 0:
                    raise (DeviceError("refused") if costs[number] else RuntimeError("crashed"))
                rate = (rates or {}).get(number, 1)
                bench.made[number] = FakeStepper(bench.clock, costs[number], rate)
                return bench.made[number]

        return Tuner(
            FakeWork(mixed_operator(2, 1.0), 1e-3, self.device, "single"),
            configs=configs,
            clock=self.clock,
            **how,
        )


@pytest.fixture
def bench(device):
    return Bench(device)


@pytest.mark.parametrize(
    ("costs", "winner", "gain"),
    [
        ([1e-3, 2e-3, 0.5e-3, 0.8e-3, 3e-3], 2, 2.0),
        ([1e-3, 0.5e-3, 0.25e-3], 2, 4.0),
        ([1e-3, 0.99e-3, 0.98e-3], 0, 1.0),  # no more than chance
        ([1e-3], 0, 1.0),
        ([0.5, 0.4], 1, 1.25),  # a step longer than a slice
        ([1e-3, -1, 0, 0.5e-3], 3, 2.0),  # one does not compile, one fails in another way
    ],
)
def test_the_fastest_wins(bench, costs, winner, gain):
    outcome = tune(bench.tuner(costs))
    assert outcome.config == CONFIGS[winner]
    assert outcome.first == CONFIGS[0]
    assert outcome.gain == pytest.approx(gain)
    assert outcome.n_timed == sum(cost > 0 for cost in costs)
    assert all(stepper.closed for stepper in bench.made.values())


@pytest.mark.parametrize("rate", [1.01, -1.0, np.nan])
def test_the_fastest_is_out_if_it_is_wrong(bench, rate):
    outcome = tune(bench.tuner([2e-3, 0.1e-3, 1e-3], {1: rate}))
    assert outcome.config == CONFIGS[2]
    assert bench.made[1].closed


def test_a_single_lucky_slice_does_not_win(bench):
    tuner = bench.tuner([1e-3, 1.1e-3])
    list(tuner.duel(tuner.build()))
    challenger = tuner.build()
    for turn, _ in enumerate(tuner.duel(challenger)):
        bench.made[1].cost = 0.5e-3 if turn == 4 else 1.1e-3
    assert bench.made[1].closed
    assert tuner.finish().config == CONFIGS[0]


def test_chance_wins_as_good_as_never(bench):
    """Two that are as fast as each other, on a machine where everything takes 15 % more or less."""
    rng, won = np.random.default_rng(1), 0
    for _ in range(500):
        times = rng.normal(1.0, 0.15, (2, 25)).clip(0.5).tolist()
        won += duel.is_faster(*times)
    assert won <= 10
    assert duel.is_faster([1.0] * 25, rng.normal(0.85, 0.05, 25).tolist())


def test_what_there_was_no_time_for_is_tried_the_next_time(bench, device):
    bench.compile_seconds = 3.0
    first = bench.tuner([4e-3, 3e-3, 2e-3, 1e-3], most_seconds=7.5)
    tune(first)
    entry = json.loads((paths.cache_directory() / "kernel-configs.json").read_text())
    ((_, verdict),) = entry["configs"].items()
    assert verdict["gain"] == pytest.approx(2.0)
    assert [config["tile"] for config in verdict["untried"]] == [CONFIGS[3].tile]


def test_nothing_is_built_where_nobody_can_compile(bench):
    asked = []

    def prepare(config):
        asked.append(config)
        if len(asked) == 2:
            raise DeviceError("this one is refused")
        if len(asked) == 4:
            raise NoCompilerError("the child is gone")

    outcome = tune(bench.tuner([1e-3, 0.1e-3, 0.5e-3, 0.1e-3, 0.1e-3], prepare=prepare))
    assert outcome.config == CONFIGS[2]
    assert asked == CONFIGS[:4]
    assert sorted(bench.made) == [0, 2]


@pytest.mark.parametrize(("seconds", "left"), [(3.0, 2), (9.0, 1)])
def test_what_compiles_for_too_long_is_not_tried_again(bench, seconds, left):
    """The time is up while a challenger compiles: for good only if it has had its chance."""
    found = []

    def prepare(config):
        if config == CONFIGS[1]:
            bench.clock.now += seconds
            found.append(config)
            tuner_.time_is_up()
            raise NoCompilerError("time is up")

    tuner_ = bench.tuner([1e-3, 1e-3, 1e-3], prepare=prepare)
    list(tuner_.duel(tuner_.build()))
    assert tuner_.build() is None
    tuner_.remember()
    tuner_.close()
    assert found
    entry = json.loads((paths.cache_directory() / "kernel-configs.json").read_text())
    ((_, verdict),) = entry["configs"].items()
    assert len(verdict["untried"]) == left


def test_nothing_is_timed_while_another_process_tunes(bench):
    pytest.importorskip("fcntl")
    with alone(), pytest.raises(WavelabError, match="another window or program"):
        tune(bench.tuner([2e-3, 1e-3]))
    assert not bench.made
    assert tune(bench.tuner([2e-3, 1e-3])).config == CONFIGS[1]


def test_what_cannot_be_kept_is_timed_all_the_same(bench, monkeypatch):
    def refuse():
        raise PermissionError("read-only")

    monkeypatch.setattr(paths, "cache_directory", refuse)
    assert tune(bench.tuner([2e-3, 1e-3])).config == CONFIGS[1]


def test_two_do_not_time_each_other(cache):
    pytest.importorskip("fcntl")
    with alone() as first, alone() as second:
        assert (first, second) == (True, False)
    with alone() as again:
        assert again
    cache.parent.joinpath("kernel-configs.lock").unlink()
    cache.parent.joinpath("kernel-configs.lock").mkdir()
    with pytest.raises(OSError, match="directory"), alone():
        pass


def test_rounding_is_not_wrong(bench):
    assert tune(bench.tuner([2e-3, 1e-3], {1: 1 + 1e-6})).config == CONFIGS[1]


def test_the_shape_that_is_taken_without_timing_must_work(bench):
    with pytest.raises(DeviceError, match="refused"):
        tune(bench.tuner([-1, 1e-3]))


def test_no_challenger_is_built_after_the_time_is_up(bench):
    bench.compile_seconds = 3.0
    outcome = tune(bench.tuner([4e-3, 3e-3, 2e-3, 1e-3, 0.5e-3], most_seconds=7.5))
    assert outcome.n_timed == 3
    assert outcome.config == CONFIGS[2]
    assert outcome.seconds < 7.5 + 3.0
    assert all(stepper.closed for stepper in bench.made.values())


def test_slices_are_short_and_the_hopeless_get_few(bench):
    tuner = bench.tuner([1e-3, 1.2e-3, 5e-3])
    slices = []
    while (challenger := tuner.build()) is not None:
        slices.append(0)
        began = bench.clock.now
        for _ in tuner.duel(challenger):
            assert bench.clock.now - began < 0.006
            began = bench.clock.now
            slices[-1] += 1
    assert slices == [0, 50, 2]
    tuner.close()


def test_a_duel_that_is_abandoned_releases_the_challenger(bench):
    tuner = bench.tuner([1e-3, 1e-3])
    list(tuner.duel(tuner.build()))
    duel = tuner.duel(tuner.build())
    next(duel)
    duel.close()
    assert bench.made[1].closed
    assert not bench.made[0].closed
    tuner.close()
    assert bench.made[0].closed


def test_a_patch_steps_as_the_whole_does_where_it_is_not_cut(device):
    operator = mixed_operator(3, 0.4, n=8)
    part = patch(operator, 70)
    assert part.discretization.shape == (70, 10)
    assert patch(operator, 128) is operator
    fields = random_fields(operator)
    whole = right_hand_side(operator, fields)
    found = right_hand_side(part, MaxwellFields(fields.hx[:70], fields.hy[:70], fields.ez[:70]))
    inner = (operator.discretization.connectivity.neighbor_element[:70] < 70).all(axis=1)
    assert 0 < inner.sum() < 70
    assert np.allclose(found.ez[inner], whole.ez[:70][inner], rtol=0, atol=1e-12)
    assert not np.allclose(found.ez, whole.ez[:70])


@pytest.mark.parametrize("most", [30, 101])
def test_a_patch_of_a_curved_operator_has_its_share_of_curved_elements(device, most):
    operator = borders_curved(3)
    d = operator.discretization
    part = patch(operator, most)
    small = part.discretization
    assert small.n_elements == most
    share = (d.n_elements - d.first_curved) / d.n_elements
    assert small.n_elements - small.first_curved == np.ceil(most * share)
    assert 0 < small.first_curved < most
    fields = random_fields(part)
    stepper = OpenCLStepper(part, dt=1e-4, device=device, precision="double")
    found = stepper.right_hand_side(fields)
    stepper.close()
    assert relative_error(right_hand_side(part, fields), found) < 1e-11


def test_kernels_of_elastic_waves_are_made_and_compared(device):
    """With fields of their own: with those of light a kernel would run over the end of them."""
    operator = mixed_elastic(2, 1.0)
    work = Work(operator, 1e-3, device, "single")
    workshop = Workshop(work)
    for config in candidates_of(work.case, device):
        workshop.made(config).close()
    stepper = OpenCLStepper(operator, dt=1e-3)
    light = MaxwellFields(*np.zeros((3, *operator.discretization.shape)) + 1)
    for take in (stepper.set_fields, stepper.right_hand_side):
        with pytest.raises(ValueError, match="other waves"):
            take(light)
    stepper.close()


def test_a_real_tuning_on_the_device(device, cache):
    operator = mixed_operator(2, 1.0, n=10)
    configs = [cpu_config(REAL), ANOTHER]
    done = []
    outcome = tune(
        Tuner(Work(operator, 1e-4, device, "single"), configs=configs),
        lambda: done.append(1),
    )
    assert outcome.config in configs
    assert outcome.gain >= 1
    assert len(done) == outcome.n_timed == 2
    assert len(json.loads(cache.read_text())["configs"]) == 1


def test_a_stepper_is_tuned_once(device):
    operator = mixed_operator(2, 1.0)
    stepper = OpenCLStepper(operator, dt=1e-3, device=device)
    tuner = tuner_for(stepper)
    assert tuner is not None
    store_verdict(Verdict(tuner.case, ANOTHER))
    assert tuner_for(stepper) is None
    assert best_config(operator, device, REAL) == ANOTHER
    stepper.close()
    plain = OpenCLStepper(mixed_operator(3, 1.0), dt=1e-3, device=device, variant="per_node")
    assert tuner_for(plain) is None
    plain.close()


def test_what_is_stored_is_used(device):
    operator = mixed_operator(2, 1.0)
    fields = random_fields(operator)
    results = []
    for config in (None, ANOTHER):
        if config is not None:
            store_verdict(Verdict(case_of(operator, device, REAL), config))
        stepper = OpenCLStepper(operator, dt=1e-3, device=device)
        results.append(stepper.right_hand_side(fields))
        configs = stepper.config
        stepper.close()
    assert configs == ANOTHER
    assert relative_error(*results) < 1e-5


def fake_device(**changes) -> SimpleNamespace:
    return SimpleNamespace(
        **{"name": " Some Card ", "driver_version": "1.2", "global_mem_cache_size": 72 * 99}
        | changes
    )


def test_what_makes_a_case():
    operators = [mixed_operator(1, 1.0), mixed_operator(1, 0.5), mixed_operator(2, 1.0)]
    cases = [case_of(op, fake_device(), REAL) for op in operators]
    cases.append(case_of(operators[0], fake_device(driver_version="1.3"), REAL))
    cases.append(case_of(operators[0], fake_device(name="Other Card"), REAL))
    cases.append(case_of(operators[0], fake_device(), np.dtype(np.float64)))
    cases.append(case_of(mixed_operator(1, 1.0, n=8), fake_device(), REAL))
    assert len({case.key for case in cases}) == len(cases)
    assert [case.size for case in cases] == ["small"] * 2 + ["large"] + ["small"] * 2 + [
        "large"
    ] * 2
    # A driver that does not know its cache.
    assert case_of(operators[0], fake_device(global_mem_cache_size=0), REAL).size == "small"


NO_CANDIDATE = {"lanes": 512, "width": 512, "rows": 1, "tile": 1, "matrices": "buffer"}
NO_CONFIG = {"lanes": 32, "width": 1, "rows": 4, "tile": 1, "matrices": "literal"}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"7",
        b'"kernels"',
        b"{}",
        b'{"kernels": 1}',
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"kernels": "K", "configs": []}',
        b'{"kernels": "K", "configs": {"C": 7}}',
        b'{"kernels": "K", "configs": {"C": {"lanes": 8}}}',
        b'{"kernels": "K", "configs": {"C": {"config": 7, "untried": 7, "gain": 1}}}',
        b'{"kernels": "K", "configs": {"C": {"case": {"device": 7}}}}',
        b'{"kernels": "K", "configs": {"C": {"config": %b, "untried": [], "gain": 1}}}'
        % json.dumps(NO_CANDIDATE).encode(),
        b'{"kernels": "K", "configs": {"C": {"config": %b, "untried": [], "gain": 1}}}'
        % json.dumps(NO_CONFIG).encode(),
    ],
)
def test_a_damaged_file_is_ignored_and_replaced(device, cache, content):
    case = case_of(mixed_operator(2, 1.0), device, REAL)
    key = json.dumps(case.key)[1:-1].encode()
    cache.write_bytes(
        content.replace(b'"K"', json.dumps(tuned._kernels()).encode()).replace(b"C", key)
    )
    assert stored_verdict(case, device) is None
    assert stored_verdicts(device) == []
    verdict = Verdict(case, ANOTHER, 1.5, (cpu_config(REAL),))
    store_verdict(verdict)
    assert stored_verdict(case, device) == verdict
    assert stored_verdicts(device) == [verdict]


def test_other_kernels_have_other_winners(device, cache, monkeypatch):
    case = case_of(mixed_operator(2, 1.0), device, REAL)
    store_verdict(Verdict(case, ANOTHER))
    monkeypatch.setattr(tuned, "_kernels", lambda: "changed")
    assert stored_verdict(case, device) is None


def test_a_cache_that_cannot_be_written_is_no_trouble(device, cache, monkeypatch):
    case = case_of(mixed_operator(2, 1.0), device, REAL)
    cache.mkdir()
    store_verdict(Verdict(case, ANOTHER))
    assert stored_verdict(case, device) is None

    def refuse():
        raise PermissionError("read-only")

    monkeypatch.setattr(paths, "cache_directory", refuse)
    store_verdict(Verdict(case, ANOTHER))
    assert stored_verdict(case, device) is None
