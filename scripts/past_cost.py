"""What it costs to keep the past of a wave, and how soon one is back in it.

    python scripts/past_cost.py welcome seismic_section --seconds 8 [--mib 256]

The wave runs as fast as it can in the solver's loop, without a window, by turns with and without a
past; then it is gone back in, at random and backwards.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from wavelab.meshing.job import mesh_scene
from wavelab.paths import SCENES
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.toml.toml_io import load_scene
from wavelab.simulation.messages.frames import Frame
from wavelab.simulation.messages.loading import RunnerSettings
from wavelab.simulation.past.past import Past
from wavelab.simulation.solver.commands import Load, Pause, Play, SetSpeed
from wavelab.simulation.solver.past_commands import GoTo, PlayBack, SetPastMemory
from wavelab.simulation.solver.runner import Runner

#: Turns with and without, and journeys of each kind.
_TURNS, _JOURNEYS = 3, 40
_MIB = 2**20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("scenes", nargs="+", help="names of shipped scenes")
    parser.add_argument("--seconds", type=float, default=8.0, help="of each turn")
    parser.add_argument("--mib", type=int, default=256, help="memory for the past")
    arguments = parser.parse_args()
    for name in arguments.scenes:
        scene = load_scene(SCENES / f"{name}.toml")
        problem = discretize_scene(scene, mesh_scene(scene))
        print(f"{name}: {_measured(problem, arguments.seconds, arguments.mib * _MIB)}", flush=True)


def _measured(problem: Problem, seconds: float, n_bytes: int) -> str:
    costs = _timed_moments()
    runner = Runner(RunnerSettings("opencl"))
    _send(runner, Load(problem, 1), SetSpeed(None), Play())
    _turn_for(runner, 2.0)  # compiles, and finds how many steps a batch has
    rates: dict[int, list[float]] = {0: [], n_bytes: []}
    for _ in range(_TURNS):
        for memory, found in rates.items():
            _send(runner, SetPastMemory(memory))
            found.append(_turn_for(runner, seconds))
    typical, share = np.median(costs), sum(costs) / (_TURNS * seconds)
    assert runner.run is not None
    past, (without, with_past) = runner.run.past, (np.median(found) for found in rates.values())
    span = past.span()
    assert span is not None
    _send(runner, Pause())
    steps = np.random.default_rng(0).integers(past.first, past.newest, _JOURNEYS)
    roughly = [_journey(runner, GoTo(int(step), roughly=True)) for step in steps]
    exactly = [_journey(runner, GoTo(int(step))) for step in steps]
    _send(runner, PlayBack())
    backwards = _frames_for(runner, seconds / 2)
    runner.close()
    per_moment = span.n_bytes / max(1, span.moments) / _MIB
    return (
        f"{without:.0f} steps in a second of processor time without a past, {with_past:.0f} with; "
        f"a moment takes {1e3 * typical:.1f} ms, {share:.1%} of the time; {span.moments} of "
        f"{per_moment:.2f} MiB over {span.newest - span.first} steps; a frame after "
        f"{_ms(roughly)} roughly there, {_ms(exactly)} exactly; {backwards:.0f} frames/s backwards"
    )


def _timed_moments() -> list[float]:
    """Seconds that each moment takes that is kept from now on."""
    costs: list[float] = []
    keep = Past.keep

    def timed(past: Past) -> None:
        began = time.perf_counter()
        keep(past)
        if past.span() is not None:
            costs.append(time.perf_counter() - began)

    Past.keep = timed  # type: ignore[method-assign]
    return costs


def _ms(found: list[float]) -> str:
    return f"{1e3 * np.median(found):.0f} ms (worst {1e3 * max(found):.0f})"


def _send(runner: Runner, *commands: object) -> None:
    for command in commands:
        runner.commands.put(command)  # type: ignore[arg-type]
    runner.turn()


def _turn_for(runner: Runner, seconds: float) -> float:
    """Steps in a second of processor time, of all threads: others may be at work here too."""
    assert runner.run is not None
    before, began, spent = runner.run.simulation.steps, time.perf_counter(), time.process_time()
    while time.perf_counter() - began < seconds:
        runner.turn()
    return (runner.run.simulation.steps - before) / (time.process_time() - spent)


def _frame(runner: Runner, until: Callable[[], bool]) -> Frame | None:
    runner.mailbox.request()
    while (frame := runner.mailbox.take()) is None and not until():
        runner.turn()
    return frame


def _journey(runner: Runner, command: GoTo) -> float:
    """Seconds until it is seen."""
    runner.mailbox.take()
    began = time.perf_counter()
    runner.mailbox.request()
    _send(runner, command)
    while runner.travel.active or runner.mailbox.take() is None:
        runner.turn()
    return time.perf_counter() - began


def _frames_for(runner: Runner, seconds: float) -> float:
    """Frames in a second, until it is at the beginning."""
    count, began = 0, time.perf_counter()

    def over() -> bool:
        return not runner.travel.active or time.perf_counter() - began > seconds

    while not over():
        count += _frame(runner, over) is not None
    return count / (time.perf_counter() - began)


if __name__ == "__main__":
    main()
