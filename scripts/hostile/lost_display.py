"""Kill the X server under the window, at random moments.

The program is started on a server of its own (Xvfb), edits, saves and records.  When the server is
gone it has to end by itself, by no signal and without a traceback; its children have to be gone,
and the next start has to find every edit but those of the last second.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.hostile.kills import SECONDS, WINDOW_LIFE, lost_edits
from scripts.hostile.tally import Tally, options

#: Seconds that the program may take to end, on a machine that has much else to do.
PATIENCE = 60.0


@contextmanager
def x_server() -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A server, and what DISPLAY is for it."""
    hear, say = os.pipe()
    command = ["Xvfb", "-displayfd", str(say), "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=(say,), stderr=subprocess.DEVNULL)
    os.close(say)
    try:
        with open(hear, "rb") as pipe:
            number = pipe.readline().decode().strip()
        yield server, f":{number}"
    finally:
        server.kill()
        server.wait()


def session_members(session: int) -> list[int]:
    """Processes of a session that still run."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _, _, of = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
            except OSError:
                continue
            if int(of) == session and state != "Z":
                found.append(int(entry.name))
    return found


def without_display(base: str, life: float) -> Iterator[str]:
    """What is wrong after the server of a program has been killed."""
    with x_server() as (server, display):
        environment = os.environ | {"XDG_DATA_HOME": base, "DISPLAY": display}
        environment |= {"QT_QPA_PLATFORM": "xcb"}
        window = subprocess.Popen(
            [sys.executable, "-m", "scripts.hostile.busy_window", base],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )
        assert window.stdout is not None
        first = window.stdout.readline()
        time.sleep(life)
        server.kill()
        killed = time.monotonic()
    try:
        told, printed = window.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        yield f"it still runs after {PATIENCE:g} s"
        os.killpg(window.pid, signal.SIGKILL)
        told, printed = window.communicate()
    if window.returncode < 0:
        yield f"it was ended by signal {-window.returncode}"
    if b"Traceback" in printed:
        yield f"it printed {printed.decode()}"
    end = time.monotonic() + PATIENCE
    while (left := session_members(window.pid)) and time.monotonic() < end:
        time.sleep(0.05)
    if left:
        yield f"processes are left: {left}"
    lines = [line.split() for line in (first + told).decode().splitlines()]
    edits = [(int(number), float(at)) for what, number, at in lines if what == "edit"]
    if not edits:
        yield f"it made no edits: {printed.decode()}"
    yield from lost_edits(
        Path(base) / "wavelab", edits, sum(at < killed - SECONDS for _, at in edits)
    )


def main() -> int:
    arguments = options(__doc__, trials=20).parse_args()
    chance, tally = random.Random(arguments.seed), Tally()
    for _ in range(arguments.trials):
        with tempfile.TemporaryDirectory(prefix="display-") as base:
            life = chance.uniform(0.0, WINDOW_LIFE)
            tally.add("X server killed", without_display(base, life))
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
