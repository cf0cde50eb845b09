"""The process of the window: the program, the user and the watch."""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
import time
import uuid
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pyopencl as cl

from scripts.scripted_user.files import Files
from scripts.scripted_user.memory import GROWTH, Holding, growth, slope
from scripts.scripted_user.user import User
from scripts.scripted_user.watch import Watch
from wavelab.app.base.qt import make_application
from wavelab.app.base.settings import LaunchOptions
from wavelab.app.shell.program import Program
from wavelab.errors import WavelabError
from wavelab.heap import give_back_early
from wavelab.opencl.device.contexts import context_of
from wavelab.opencl.device.device import choose_device
from wavelab.opencl.device.program import build

_LAST_ACTS = 8
#: Seconds in which a thread ends after the program, however busy the machine is.
_PATIENCE = 120.0
#: MiB for the past of the wave.
_HISTORY = 16


@dataclass(frozen=True)
class Wish:
    """What is to be done, and where: ``folder`` gets the files of the user, and ``acts`` (what was
    done), ``crash`` (the stacks of all threads, should it come to that) and ``report``."""

    folder: str
    seed: int
    minutes: float
    first: int
    acts: int
    backend: str
    more: str | None = None
    only: tuple[str, ...] = ()
    rest: float | None = None  #: seconds between two rests; None for a twelfth of the time
    settle: int = 8  #: seconds of a rest, after which memory may be compared


@dataclass
class Finding:
    """Something that should not have been; ``again`` counts those that read the same."""

    kind: str
    text: str
    act: str
    last: list[str] = field(default_factory=list)
    again: int = 0


def use(wish: Wish) -> dict[str, Any]:
    """Open the window, use it, close it; what came of it."""
    folder = Path(wish.folder)
    (folder / "files").mkdir()
    begun = time.monotonic()
    findings: dict[str, Finding] = {}
    held: list[Holding] = []
    last: list[str] = []
    with (folder / "acts").open("w") as acts, (folder / "crash").open("w") as crashes:

        def say(text: str) -> None:
            last.append(text)
            del last[:-_LAST_ACTS]
            acts.write(f"{time.monotonic() - begun:8.1f} {text}\n")
            acts.flush()

        def found(kind: str, text: str) -> None:
            known = findings.setdefault(
                _alike(kind, text), Finding(kind, text, user.doing if user else "", last[:], -1)
            )
            known.again += 1
            if known.again:
                say(f"FOUND {kind} again: {text.splitlines()[-1]}")
            else:
                acts.write(f"FOUND {kind}: {text}\n")

        def rested() -> None:
            held.append(Holding.now(time.monotonic() - begun))
            say(str(held[-1]))
            watch.go_on()

        user: User | None = None
        give_back_early()
        if wish.backend != "numpy":
            _load_compiler()
        application = make_application()
        application.setQuitOnLastWindowClosed(False)
        watch = Watch(found, lambda: user.doing if user else "start", crashes)
        watch.install()
        threads = set(threading.enumerate())
        # With little for the past, which is to be full long before memory is settled.
        options = LaunchOptions(backend=wish.backend, history=_HISTORY)
        program = Program(application, None, options)
        gc.freeze()  # as the program does
        user = User(
            program, Files(folder / "files", Path(wish.more) if wish.more else None), wish.seed,
            range(wish.first, wish.first + wish.acts), 60 * wish.minutes,
            wish.rest or max(120.0, 60 * wish.minutes / 12), wish.only, wish.settle, say=say,
            found=found, rested=rested, done=application.quit,
        )  # fmt: skip
        watch.listen()
        program.start()
        watch.listen()
        application.setActiveWindow(program.window)
        user.start()
        watch.go_on()
        application.exec_()
        program.window.close()
        program.close()
        if left := _left_over(threads):
            found("left over", f"threads {', '.join(left)}")
        if (grown := growth(held)) is not None and grown > GROWTH:
            found("memory", f"{100 * grown:.1f} % more than ten minutes after the start")
        watch.remove()
    return {
        "seed": wish.seed,
        "first": wish.first,
        "only": wish.only,
        "acts": user.n_acts,
        "seconds": round(time.monotonic() - begun, 1),
        "findings": [asdict(finding) for finding in findings.values()],
        "gaps": {str(limit): n for limit, n in watch.gaps.items()},
        "longest": [
            {"seconds": round(gap, 2), "waited": round(waited, 2), "ran": round(ran, 2), "act": act}
            for gap, waited, ran, act in watch.longest
        ],
        "memory": [asdict(h) for h in held],
        "growth": growth(held),
        "slope": slope(held),
    }


def _load_compiler() -> None:
    """Drivers load their compiler, PoCL 115 MiB with it, for the first kernel that is not on disk:
    here, and not at whatever act happens to need one."""
    name = f"unknown_{uuid.uuid4().hex}"
    source = f"__kernel void {name}(__global float *x) {{ x[get_global_id(0)] = sin(x[0]); }}"
    try:
        device = choose_device()
        context = context_of(device)
        kernel = cl.Kernel(build(context, source, device), name)
        queue = cl.CommandQueue(context)
        buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, 256)
        kernel.set_args(buffer)
        cl.enqueue_nd_range_kernel(queue, kernel, (64,), None)
        queue.finish()
    except WavelabError:
        pass  # the window takes NumPy, then


def _left_over(before: set[threading.Thread]) -> list[str]:
    """Names of threads that do not end, though the program is closed."""
    end = time.monotonic() + _PATIENCE
    later = [t for t in threading.enumerate() if t not in before and t.name != "watch"]
    for thread in later:
        thread.join(max(0.0, end - time.monotonic()))
    return sorted(thread.name for thread in later if thread.is_alive())


def _alike(kind: str, text: str) -> str:
    """The same for findings that differ in nothing but numbers."""
    return kind + "".join(" " if c.isdigit() else c for c in text[-400:])


def main() -> None:
    wish = Wish(**json.loads(sys.argv[1]))
    report = use(wish)
    (Path(wish.folder) / "report").write_text(json.dumps(report))
    sys.stdout.flush()
    os._exit(0)  # threads of drivers would take long to end, and nobody asks them to


if __name__ == "__main__":
    main()
