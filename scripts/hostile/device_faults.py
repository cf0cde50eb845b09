"""Let every call of OpenCL fail once, and see that the wave goes on or that it is said why not.

A proxy stands around all of pyopencl and counts where wavelab.opencl calls it, so a new place is
found by itself.  A solver loads a scene with sources, media, layers, probes and a monitor, shows
frames, is pinged, measured, edited and reset; then it does the same again for each of these places
and each kind of failure (no memory, device lost, build refused), and that one call fails.

A failure must be told as an error of the device (or be of no consequence), never as a defect; and
after it the solver must play and show frames again, at the latest with the next edit; all takes at
most --seconds of processor time.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl

from scripts.hostile.nan_everywhere import problem
from scripts.hostile.tally import Tally, options
from wavelab.errors import WavelabError
from wavelab.opencl.device import launch
from wavelab.physics.problem import Problem
from wavelab.scene.model.scene import Probe
from wavelab.scene.model.sending.pings import Ping
from wavelab.simulation.messages.events import Failed, LoadFailed
from wavelab.simulation.solver import commands
from wavelab.simulation.solver.questions import Measure, TakeFields
from wavelab.simulation.solver.runner import Runner, RunnerSettings
from wavelab.simulation.steppers import one_device

_ROOM = str(Path(launch.__file__).resolve().parents[1])
FAULTS: dict[str, tuple[type[Exception], int]] = {
    "no memory": (cl.MemoryError, cl.status_code.MEM_OBJECT_ALLOCATION_FAILURE),
    "device lost": (cl.RuntimeError, cl.status_code.DEVICE_NOT_AVAILABLE),
    "build refused": (cl.RuntimeError, cl.status_code.BUILD_PROGRAM_FAILURE),
}
#: Beside what the scene has already.
MORE = """
[[walls]]
edges = ["domain.left"]
kind = "absorbing"
[[sources]]
name = "point"
position = [0.6, 0.6]
radius = 0.1
amplitude = 5
waveform = { kind = "sine", frequency = 2 }
[[sources]]
name = "formula"
kind = "current"
jz = "sin(x)*cos(t)"
[[sources]]
name = "wave"
kind = "plane_wave"
edges = ["domain.left"]
direction = 0
amplitude = 1
waveform = { kind = "sine", frequency = 2 }
[[monitors]]
name = "map"
kind = "intensity"
[[probes]]
name = "p"
position = [0.2, 0.5]
"""
#: What wavelab.opencl makes by calling a class.
_MADE = {
    name
    for path in Path(_ROOM).rglob("*.py")
    for name in re.findall(r"\bcl\.([A-Z]\w+)\(", path.read_text("utf-8"))
}


class Proxy:
    """Counts calls of pyopencl by their place in wavelab.opencl, and fails one of them.

    Attributes
    ----------
    calls : how often each place ("device/memory.py:95 Buffer") was come by.
    """

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self._fault: tuple[str, int, str] | None = None
        self._lost = False

    def fail(self, place: str, number: int, fault: str) -> None:
        """Have the call of that number at a place fail."""
        self.calls.clear()
        self._fault, self._lost = (place, number, fault), False

    @property
    def failed(self) -> bool:
        """Whether it has."""
        return self._fault is None

    def passed(self, name: str, frame: Any) -> None:
        """A call goes through."""
        if not frame.f_code.co_filename.startswith(_ROOM):
            return
        if self._lost and name == "enqueue_nd_range_kernel":  # once more, for its words
            self._lost = False
            raise _error(name, "device lost")
        place = f"{frame.f_code.co_filename[len(_ROOM) + 1 :]}:{frame.f_lineno} {name}"
        self.calls[place] += 1
        if self._fault is not None and self._fault[:2] == (place, self.calls[place]):
            fault, self._fault = self._fault[2], None
            self._lost = name.startswith("cl")
            raise _error(name, fault)

    @contextmanager
    def around(self) -> Iterator[None]:
        """Stands around pyopencl in the block."""
        undo: list[Callable[[], None]] = []
        for name, value in list(vars(cl).items()):
            if isinstance(value, type) and value.__module__.startswith("pyopencl"):
                if not issubclass(value, BaseException):
                    self._wrap_methods(value, undo)
                if name in _MADE:
                    self._replace(name, value, undo)
            elif callable(value) and name.startswith(("enqueue_", "get_")):
                self._wrap(cl, name, name, undo)
        plain = launch._plain_function
        launch._plain_function = self._plainly(plain)
        undo.append(lambda: setattr(launch, "_plain_function", plain))
        try:
            yield
        finally:
            for back in reversed(undo):
                back()

    def _wrap_methods(self, kind: type, undo: list[Callable[[], None]]) -> None:
        for name, value in list(vars(kind).items()):
            bound = callable(value) and not isinstance(value, (staticmethod, classmethod, type))
            if bound and not name.startswith("_"):
                self._wrap(kind, name, name, undo)

    def _replace(self, name: str, kind: type, undo: list[Callable[[], None]]) -> None:
        """By a class of the same instances, whose making is counted."""

        def made(this: Any, *args: Any, **kwargs: Any) -> None:
            self.passed(name, sys._getframe(1))
            kind.__init__(this, *args, **kwargs)

        setattr(cl, name, type(name, (kind,), {"__init__": made}))
        undo.append(lambda: setattr(cl, name, kind))

    def _wrap(self, owner: Any, name: str, told: str, undo: list[Callable[[], None]]) -> None:
        before = vars(owner)[name]

        def wrapped(*args: Any, **kwargs: Any) -> Any:
            self.passed(told, sys._getframe(1))
            return before(*args, **kwargs)

        try:
            setattr(owner, name, wrapped)
        except (AttributeError, TypeError):
            return
        undo.append(lambda: setattr(owner, name, before))

    def _plainly(self, plain: Callable[[str], Any]) -> Callable[[str], Any]:
        def function(name: str) -> Any:
            called = plain(name)
            if called is None:
                return None

            def wrapped(*args: Any) -> int:
                try:
                    self.passed(name, sys._getframe(1))
                except cl.Error:
                    return -5  # CL_OUT_OF_RESOURCES
                return called(*args)

            return wrapped

        return function


def _error(routine: str, fault: str) -> Exception:
    kind, code = FAULTS[fault]
    return kind(cl._cl._ErrorRecord(routine, code, "a fault of the script"))


class Session:
    """A solver that does everything once.

    Attributes
    ----------
    errors : that were told.
    """

    def __init__(self, first: Problem, second: Problem) -> None:
        self._problems = first, second
        one_device._passed.clear()  # so that the self-test is made again
        self.runner = Runner(RunnerSettings(backend="auto"))
        self.errors: list[Exception] = []
        self.frames = 0

    def everything(self) -> None:
        """Load, play, look, ping, measure, edit, reset."""
        first, second = self._problems
        tell = self._tell
        tell(commands.Load(first, 1), commands.SetSpeed(None), commands.Play())
        for quantity in ("ez", "energy"):
            tell(commands.SetQuantity(quantity))
        tell(commands.GivePing(Ping(0.0, (0.7, 0.7), 0.1)))
        tell(commands.SetProbes((Probe("p", (0.3, 0.3)), Probe("q", (0.6, 0.3)))))
        tell(commands.WatchMonitor(0), Measure(0), TakeFields())
        tell(commands.Load(second, 2, keep_field=True))
        tell(commands.Reset())

    def plays(self) -> bool:
        """Whether frames of later times come, after Play or an edit."""
        for again in (commands.Play(), commands.Load(self._problems[0], 3, keep_field=True)):
            self._tell(again, commands.Play())
            run = self.runner.run
            before, frames = run.simulation.time if run is not None else 0.0, self.frames
            self._tell()
            run = self.runner.run
            if run is not None and self.frames > frames and run.simulation.time > before:
                return True
        return False

    def _tell(self, *told: Any) -> None:
        for command in told:
            self.runner.commands.put(command)
        for _ in range(3):
            self.runner.mailbox.request()
            self.runner.turn()
        self.runner.framing.delivery.settle()
        self.frames += self.runner.mailbox.take() is not None
        while not self.runner.events.empty():
            event = self.runner.events.get()
            if isinstance(event, (Failed, LoadFailed)):
                self.errors.append(event.error)

    def close(self) -> None:
        self.runner.close()


def fail_everywhere(
    seconds: float, each: int, seed: int, tally: Tally, most: int | None = None
) -> set[str]:
    """Each place in turn, at its first call and at ``each - 1`` others; the places.

    Parameters
    ----------
    most : places that are tried at most.
    """
    chance = np.random.default_rng(seed)
    problems = tuple(problem(size, "single", "ck54", MORE) for size in (0.1, 0.12))
    proxy = Proxy()
    with proxy.around():
        session = Session(*problems)
        session.everything()
        if not session.plays() or session.errors:
            raise RuntimeError(f"it does not run without any fault: {session.errors}")
        session.close()
        counted = dict(proxy.calls)
        places = sorted(counted)
        if most is not None:
            places = sorted(chance.choice(places, min(most, len(places)), replace=False))
        for place in places:
            numbers = {1, *chance.integers(1, counted[place] + 1, each - 1).tolist()}
            for number in sorted(numbers):
                for fault in FAULTS:
                    proxy.fail(place, number, fault)
                    tally.add(fault, _trial(Session(*problems), place, proxy, seconds, tally))
    return set(counted)


def _trial(
    session: Session, place: str, proxy: Proxy, seconds: float, tally: Tally
) -> Iterator[str]:
    began = time.process_time()
    try:
        session.everything()
        if not proxy.failed:
            tally.note("the call was not come by again")
        if not session.plays():
            yield f"{place}: the solver is not back; {session.errors}"
        session.close()
    except Exception as error:
        yield f"{place}: the solver died: {type(error).__name__}: {error}"
        return
    for error in session.errors:
        if not isinstance(error, WavelabError):
            yield f"{place}: told as a defect: {type(error).__name__}: {error}"
    tally.note("told" if session.errors else "went on by itself")
    if time.process_time() - began > seconds:
        yield f"{place}: took {time.process_time() - began:.1f} s"


def main() -> int:
    parser = options(__doc__, each=2)
    parser.add_argument("--seconds", type=float, default=10.0, help="until it is back (default 10)")
    parser.add_argument("--most", type=int, help="places that are tried (default all)")
    arguments = parser.parse_args()
    tally = Tally()
    np.seterr(all="ignore")
    found = fail_everywhere(
        arguments.seconds, arguments.each, arguments.seed, tally, arguments.most
    )
    print(f"{len(found):6} places where OpenCL is called")
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
