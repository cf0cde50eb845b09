"""What a headless run says of itself while it goes on, by a clock of the test's own."""

from __future__ import annotations

import io

import pytest

from wavelab.errors import WavelabError
from wavelab.simulation.core.forecast import Forecast, in_words
from wavelab.simulation.headless.progress import LONGEST, Progress


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def ran(n_steps: int, rate: float, seconds: float, *, slow_start: float = 0.0, **how):
    """A run of that many steps a second for some seconds: lines, notes."""
    clock, log, notes = Clock(), io.StringIO(), []
    progress = Progress(
        "run", n_steps, 10.0, bar=False, log=log, notify=notes.append, clock=clock, **how
    )
    taken = 0
    with progress:
        clock.now += slow_start
        progress.took(1)
        while clock.now < seconds and taken < n_steps:
            batch = max(1, round(0.1 * rate))
            clock.now += batch / rate
            taken += batch
            progress.took(batch)
    return log.getvalue().splitlines(), notes


def test_a_short_run_says_nothing():
    assert ran(200, 100.0, 1e9) == ([], [])


def test_what_takes_more_than_a_minute_is_said_once_and_rightly():
    lines, notes = ran(100_000, 100.0, 60.0)
    (note,) = notes
    assert "about 17 minutes" in note  # 1000 s
    assert "100,000 steps" in note
    assert "Ctrl-C" in note
    assert lines
    assert "about 16 minutes left" in lines[-1]
    assert ran(5_000, 100.0, 1e9)[1] == []


def test_a_slow_start_is_not_the_forecast():
    (note,) = (
        ran(100_000, 100.0, 60.0, slow_start=500.0)[1]
        or ran(100_000, 100.0, 560.0, slow_start=500.0)[1]
    )
    assert "about 17 minutes" in note


def test_a_night_fits_on_a_few_pages():
    lines, _ = ran(36_000_000, 1000.0, 36_000.0)
    assert 20 < len(lines) < 250
    parts = [float(line.split("%")[0]) for line in lines]
    assert parts == sorted(parts)


@pytest.mark.parametrize("years", [1.0, 1e6])
def test_what_nobody_waits_for_is_refused_unless_it_is_wished_for(years):
    n_steps = int(years * 365.25 * 86400 * 100)
    with pytest.raises(WavelabError, match="would take about") as caught:
        ran(n_steps, 100.0, 60.0)
    assert "--long" in caught.value.remedy
    _, notes = ran(n_steps, 100.0, 60.0, long=True)
    assert len(notes) == 1
    assert ran(int(0.99 * LONGEST * 100), 100.0, 60.0)[1]


def test_a_log_that_cannot_be_written_costs_no_run():
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError("No space left on device")

    clock = Clock()
    with Progress("run", 10**6, 1.0, bar=False, log=Full(), clock=clock) as progress:
        for _ in range(200):
            clock.now += 0.1
            progress.took(10)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.123, "about 0.12 s"),
        (61, "about 61 s"),
        (600, "about 10 minutes"),
        (7200, "about 2 hours"),
        (3 * 86400, "about 3 days"),
        (3.2e3 * 365.25 * 86400, "about 3,200 years"),
    ],
)
def test_durations_in_words(seconds, words):
    assert in_words(seconds) == words


@pytest.mark.parametrize("seconds", [100.0, 5000.0])
def test_what_is_left_is_foretold_by_what_is_done(seconds):
    clock = Clock()
    forecast = Forecast(clock)
    assert forecast.left(0.0) is None
    while clock.now < 0.9 * seconds:
        clock.now += seconds / 50
        left = forecast.left(clock.now / seconds)
        if clock.now < seconds / 50 + Forecast.LOOK:
            assert left is None
        else:
            assert left == pytest.approx(seconds - clock.now)


def test_what_was_compiled_first_is_not_taken_for_the_pace():
    clock = Clock()
    forecast = Forecast(clock)
    for now, part in ((0.0, 0.0), (3.1, 0.001), (4.0, 0.1)):
        clock.now = now
        assert forecast.left(part) is None
    clock.now = 7.1
    assert forecast.left(0.401) == pytest.approx(4 * 0.599 / 0.4)


def test_a_large_first_part_tells_at_once():
    clock = Clock()
    forecast = Forecast(clock)
    assert forecast.left(0.0) is None
    clock.now = 100.0
    assert forecast.left(0.2) == pytest.approx(400.0)
