"""Run the program where its surroundings are not as they should be.

no home       neither commands nor the window may need a home that can be written
full disk     the same with home, caches and temporary files on a disk that is full (as root)
clock         the clock goes back all the time, and files come from the future
two windows   two windows edit and save one file: who would replace what the other has saved is told
comma         a German locale for C and for Qt: numbers are typed, saved and read as they are
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from scripts.hostile.files import number_of, scene_of
from scripts.hostile.tally import Tally, options
from wavelab.scene.toml.toml_io import load_scene, save_scene

_PATIENCE = 300.0
_SECONDS = 4.0
_COMMANDS = ("scenes", "devices", "mesh SCENE", "run SCENE --until 0.1", "doctor")


def commands(scene: Path, environment: dict[str, str]) -> Iterator[str]:
    """What is wrong with the commands and the window there."""
    for command in _COMMANDS:
        words = command.replace("SCENE", str(scene)).split()
        yield from run([sys.executable, "-m", "wavelab", *words], environment)
    yield from window(scene.parent, environment)


def window(folder: Path, environment: dict[str, str]) -> Iterator[str]:
    """What is wrong with a window that edits for some seconds."""
    command = [sys.executable, "-m", "scripts.hostile.busy_window", str(folder), str(_SECONDS)]
    yield from run(command, environment, least="edit ")


def run(command: list[str], environment: dict[str, str], least: str = "") -> Iterator[str]:
    """What is wrong with how a process ends, and that it did not print ``least``."""
    done = subprocess.run(
        command,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=False,
    )
    name = " ".join(command[2:])
    if done.returncode != 0 or "Traceback" in done.stderr or "defect" in done.stdout:
        yield f"{name} ended with status {done.returncode}: {done.stderr}"
    if least not in done.stdout:
        yield f"{name}: there is no {least!r} in what it printed"


def no_home(folder: Path) -> Iterator[str]:
    nowhere = "/dev/null/home"
    places = {name: nowhere for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
    yield from commands(_scene(folder), places)


def full_disk(folder: Path) -> Iterator[str]:
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return
    disk, scene = folder / "disk", _scene(folder)
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], check=True)
    try:
        with suppress(OSError):
            (disk / "filler").write_bytes(bytes(1 << 20))
        names = ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "TMPDIR")
        yield from commands(scene, {name: str(disk) for name in names})
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


#: Runs a module in a process whose clock goes back by an hour with every look.
_BACK = """
import runpy, sys, time
now = time.time()
def back():
    global now
    now -= 3600
    return now
time.time, time.time_ns = back, lambda: int(1e9 * back())
sys.argv = sys.argv[1:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


def clock(folder: Path) -> Iterator[str]:
    from wavelab.app.session.autosave import Autosave

    scene = _scene(folder)
    data = {"XDG_DATA_HOME": str(folder)}
    for words in (
        ["wavelab", "run", str(scene), "--until", "0.1", "--image", str(folder / "a.png")],
        ["scripts.hostile.busy_window", str(folder), str(_SECONDS)],
    ):
        yield from run([sys.executable, "-c", _BACK, *words], data)
    future = time.time() + 1e9
    kept = [Autosave(folder / "copies") for _ in range(3)]
    for number, each in enumerate(kept, 1):
        each.keep(scene_of(number))
        os.utime(each.path, (future, future - 1e7 * number))
        each.close()
    following, found = Autosave(folder / "copies"), []
    following.keep(scene_of(9))
    while (left := following.left_behind()) is not None:
        found.append(number_of(left[1]))
        left[0].unlink()
    following.close()
    if found != [1, 2, 3]:
        yield f"of three copies from the future {found} are found"


def two_windows(folder: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "scripts.hostile.busy_window", str(folder), "12"]
    environment = os.environ | {"XDG_DATA_HOME": str(folder)}
    both = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) for _ in "12"]
    told = [each.communicate(timeout=_PATIENCE)[0].decode().split("\n") for each in both]
    saved, refused = [], 0
    for name, lines in enumerate(told):
        for what, number, at in (line.split() for line in lines if line):
            refused += what == "refused"
            saved += [(float(at), name, int(number))] if what == "saved" else []
    saved.sort()
    yours = {name for _, name, _ in saved}
    if len(yours) > 1:
        yield f"both have saved, and nobody was asked: {saved}"
    if not refused:
        yield "nobody was told"
    if saved and number_of(load_scene(folder / "wavelab" / "mine.toml")) != saved[-1][2]:
        yield "what is in the file is not what was saved last"


def comma(folder: Path) -> Iterator[str]:
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", folder / "de_DE.UTF-8"], check=False)
    german = {"LOCPATH": str(folder), "LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de"}
    scene = _scene(folder)
    table = folder / "probes.csv"
    words = ["run", str(scene), "--until", "0.1", "--probes", str(table)]
    yield from run([sys.executable, "-m", "wavelab", *words], german)
    if "," not in (text := table.read_text()) or ";" in text or "." not in text.splitlines()[1]:
        yield f"a table begins with {text.splitlines()[:2]}"
    yield from run([sys.executable, "-m", "scripts.hostile.german", str(folder)], german, "right")


def _scene(folder: Path) -> Path:
    save_scene(scene_of(2), folder / "scene.toml")
    return folder / "scene.toml"


CHECKS: dict[str, Callable[[Path], Iterator[str]]] = {
    "no home": no_home,
    "full disk": full_disk,
    "clock": clock,
    "two windows": two_windows,
    "comma": comma,
}


def main() -> int:
    parser = options(__doc__)
    parser.add_argument("only", nargs="*", help=f"of {', '.join(CHECKS)} (default all)")
    arguments = parser.parse_args()
    tally = Tally()
    for name in arguments.only or CHECKS:
        with tempfile.TemporaryDirectory(prefix="around-") as folder:
            tally.add(name, CHECKS[name](Path(folder).resolve()))
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
