"""Kill the program at random moments (SIGKILL), and look at what is on disk.

A child edits a scene, keeps it, saves it, and writes every kind of file that there is; or, with
--windows, it is the whole program with its window, which edits, saves and records.  It is killed
after a random time.  Then every file has to be whole, the old one or the new one; a movie that was
being written has to open and to lack no more than two groups of pictures; and the next start has to
find all edits (in the safety copy or the saved file) but the one that was being kept, and with a
window, where typing is taken over now and then, but those of the last second.

Needs a system with fork; --windows needs a display (xvfb-run).
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from scripts.hostile.files import COUNT, KINDS, Kind, number_of, problem, scene_of
from scripts.hostile.tally import Tally, options

#: Edits younger than this may be lost.
SECONDS = 1.0
#: Of a movie that grows: frames per second, which are a group of pictures each.
FPS = 2
#: Longest life of a child that writes files, and of a window.
LIFE, WINDOW_LIFE = 0.5, 4.0


def work(folder: Path, say: int, seed: int) -> None:
    """What the child does until it is killed; each edit and each frame is told beforehand."""
    from scripts.hostile.files import _frame
    from wavelab.app.session.autosave import Autosave
    from wavelab.output.movies.movie import MovieWriter

    chance = random.Random(seed)
    kept, edit = Autosave(folder), 0
    movie, frames = MovieWriter(folder / "growing.mp4", 48, 32, fps=FPS), 0
    others = [kind for kind in KINDS if not kind.name.startswith("unsaved-")]
    while True:
        if chance.random() < 0.7:
            edit = edit % COUNT + 1
            _tell(say, "edit", edit)
            kept.keep(scene_of(edit))
        if chance.random() < 0.2:
            movie.add(_frame(frames))
            frames += 1
            _tell(say, "frame", frames)
        kind = chance.choice(others)
        kind.write(folder / kind.name, edit if kind.name == "mine.toml" and edit else 1 + edit)
        if kind.name == "mine.toml" and edit:
            kept.forget()  # as saving does


def _tell(say: int, what: str, number: int) -> None:
    # A line is written in one piece, and is there when the writer is not any more.
    os.write(say, f"{what} {number} {time.monotonic():.6f}\n".encode())


def life_of(folder: Path, seed: int, life: float) -> tuple[list[tuple[str, int, float]], float]:
    """Let a child work in a folder and kill it; what it told, and when it was killed."""
    hear, say = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(hear)
            os.setpgid(0, 0)
            work(folder, say, seed)
        finally:  # it only ends by itself if it fails, which is told by its silence
            os._exit(3)
    os.close(say)
    time.sleep(life)
    os.kill(child, signal.SIGKILL)
    killed = time.monotonic()
    _, status = os.waitpid(child, 0)
    with open(hear, "rb") as pipe:
        told = [line.split() for line in pipe.read().decode().splitlines()]
    heard = [(what, int(number), float(at)) for what, number, at in told]
    return heard + ([("ended", status, killed)] if not os.WIFSIGNALED(status) else []), killed


def looked_at(folder: Path, heard: list[tuple[str, int, float]], killed: float) -> Iterator[str]:
    """What is wrong in the folder of a child that is gone."""
    if any(what == "ended" for what, *_ in heard):
        yield "the child failed by itself"
    edits = [(number, at) for what, number, at in heard if what == "edit"]
    for kind in KINDS:
        path = folder / kind.name
        if path.exists():
            yield from _whole(kind, path)
    yield from _movie(folder, [number for what, number, _ in heard if what == "frame"])
    # It keeps each before it makes the next.
    yield from lost_edits(folder, edits, len(edits) - 1)


def _whole(kind: Kind, path: Path) -> Iterator[str]:
    try:
        number = kind.read(path)
    except Exception as error:
        yield f"{path.name} is not whole: {type(error).__name__}: {error}"
        return
    if not 1 <= number <= COUNT + 1:
        yield f"{path.name} holds {number}, which was never written"


def _movie(folder: Path, frames: list[int]) -> Iterator[str]:
    from scripts.hostile.files import _frames

    for path in folder.glob("growing.partial*.mp4"):
        least = max(frames, default=0) - 2 * FPS
        with suppress(Exception):
            if len(_frames(path)) >= least:
                return
        if least > 0:
            yield f"{path.name} lacks more than two groups of pictures of {max(frames)} frames"


def lost_edits(folder: Path, edits: list[tuple[int, float]], safe: int) -> Iterator[str]:
    """Of the first ``safe`` edits, the last one that the next start would not find."""
    from wavelab.app.session.autosave import Autosave
    from wavelab.scene.toml.toml_io import load_scene

    found = []
    following = Autosave(folder)
    left = following.left_behind()
    following.close()
    if left is not None:
        found.append(number_of(left[1]))
    if (folder / "mine.toml").exists():
        found.append(number_of(load_scene(folder / "mine.toml")))
    places = [max((i for i, (n, _) in enumerate(edits) if n == f), default=-1) for f in found]
    if safe > 0 and max(places, default=-1) < safe - 1:
        yield f"edit {edits[safe - 1]} is lost; there are {found}"
    leftover = [p.name for p in folder.glob("unsaved-*") if ".partial" in p.name]
    if leftover:
        yield f"the next start leaves {leftover} lying about"


def kill_many(trials: int, seed: int, tally: Tally, show: Callable[[int], None]) -> None:
    """Children that write files, each in a folder of its own."""
    problem()  # once for all of them, which are forked
    chance = random.Random(seed)
    for trial in range(trials):
        with tempfile.TemporaryDirectory(prefix="kills-") as base:
            folder = Path(base) / "wavelab"
            folder.mkdir()
            life = chance.uniform(0.0, LIFE)
            heard, killed = life_of(folder, chance.randrange(1 << 30), life)
            tally.add("writer killed", looked_at(folder, heard, killed))
            for _ in folder.glob("*.partial*"):
                tally.note("a partial file was left beside its target")
            for what, *_ in heard:
                tally.note(f"{what} was made")
        show(trial + 1)


def kill_windows(trials: int, seed: int, tally: Tally, show: Callable[[int], None]) -> None:
    """Whole programs, with their windows."""
    chance = random.Random(seed)
    for trial in range(trials):
        with tempfile.TemporaryDirectory(prefix="kills-") as base:
            folder = Path(base) / "wavelab"
            environment = os.environ | {"XDG_DATA_HOME": base}
            command = [sys.executable, "-m", "scripts.hostile.busy_window", base]
            with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as window:
                assert window.stdout is not None
                first = window.stdout.readline()
                time.sleep(chance.uniform(0.0, WINDOW_LIFE))
                window.kill()
                killed = time.monotonic()
                rest = window.stdout.read()
            told = [line.split() for line in (first + rest).decode().splitlines()]
            edits = [(int(n), float(at)) for what, n, at in told if what == "edit"]
            troubles = [] if told else ["the window did not come up"]
            (mine,) = (kind for kind in KINDS if kind.name == "mine.toml")
            if (folder / "mine.toml").exists():
                troubles += _whole(mine, folder / "mine.toml")
            safe = sum(at < killed - SECONDS for _, at in edits)
            tally.add("window killed", [*troubles, *lost_edits(folder, edits, safe)])
            for what, *_ in told:
                tally.note(f"{what} was made in the window")
        show(trial + 1)


def main() -> int:
    parser = options(__doc__, trials=1000, windows=0)
    arguments = parser.parse_args()
    tally = Tally()

    def show(done: int) -> None:
        if done % 100 == 0:
            print(f"{done} done, {tally.total_failed} failed", file=sys.stderr, flush=True)

    kill_many(arguments.trials, arguments.seed, tally, show)
    kill_windows(arguments.windows, arguments.seed, tally, show)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
