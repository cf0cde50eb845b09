"""``wavelab sweep``: its table, its plot, and going on after an end of any kind."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from wavelab.api.sweeps import sweep
from wavelab.cli import sweep as sweeping
from wavelab.errors import OutputError

UM = '[units]\nlength = "um"\n'
#: Attoseconds in which light goes a micrometre.
AS = 1e6 / 299.792458
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def room(small: Path) -> Path:
    """With parameters, and run in a moment."""
    text = small.read_text().replace("until = 0.2", 'until = "end"').replace("[exact]", "[unused]")
    text = text.split("[unused]")[0] + "[[probes]]" + text.split("[[probes]]")[1]
    parameters = (
        '[parameters]\nend = { value = 0.2, range = [0.05, 100], label = "End", unit = "m" }\n'
        "a = { value = 1, range = [0, 9] }\n"
    )
    small.write_text(text.replace('"sin(pi*x)', '"a*sin(pi*x)') + parameters)
    return small


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_table_and_a_plot(wavelab, room, tmp_path):
    table, plot = tmp_path / "t.csv", tmp_path / "p.png"
    words = ("sweep", room, "--over", "a=1:3:3", "--measure", "p", "--measure", "energy.initial",
             "-o", table, "--plot", plot, "--backend", "numpy", "--jobs", "1")  # fmt: skip
    status, out, err = wavelab(*words)
    assert status == 0
    assert f"wrote {table}" in out
    assert f"wrote {plot}" in out
    found = rows(table)
    assert [row["a"] for row in found] == ["1", "2", "3"]
    energies = [float(row["energy.initial"]) for row in found]
    assert energies[1] / energies[0] == pytest.approx(4, rel=1e-6)
    assert energies[2] / energies[0] == pytest.approx(9, rel=1e-6)
    assert plot.read_bytes().startswith(b"\x89PNG")
    before = table.read_bytes()
    status, out, err = wavelab(*words)
    assert status == 0
    assert "3 of 3 runs are in t.csv already" in err
    assert table.read_bytes() == before


def test_runs_that_fail_are_rows_and_status_1(wavelab, room, tmp_path):
    table = tmp_path / "t.csv"
    status, _, err = wavelab(
        "sweep", room, "--over", "a=8,9,10", "--measure", "steps", "-o", table,
        "--backend", "numpy", "--jobs", "1",
    )  # fmt: skip
    assert status == 1
    assert "error: a = 10: parameter a is 10, outside its range. It can be from 0 to 9." in err
    assert "1 of 3 runs failed" in err
    assert [bool(row["error"]) for row in rows(table)] == [False, False, True]


@pytest.mark.parametrize(
    ("units", "over", "across", "up", "factors"),
    [
        ("", "solver.until=0.1,0.2", "solver.until", "time (length)", (1.0, 1.0)),
        (UM, "solver.until=0.1,0.2", "solver.until (as)", "time (as)", (AS, AS)),
        (UM, "solver.element_size=0.3,0.4", "solver.element_size (\u00b5m)", "time (as)",
         (1.0, AS)),
        (UM, "end=0.1,0.2", "End (m)", "time (as)", (1.0, AS)),
    ],
)  # fmt: skip
def test_a_plot_has_the_units_of_its_scene(
    wavelab, room, tmp_path, monkeypatch, units, over, across, up, factors
):
    """Of what is gone over and of times; a parameter has the unit that it says itself."""
    room.write_text(room.read_text() + units)
    drawn = []
    monkeypatch.setattr(sweeping, "write_line_plot", lambda *given: drawn.append(given))
    table = tmp_path / "t.csv"
    status, _, err = wavelab(
        "sweep", room, "--over", over, "--measure", "time", "-o", table,
        "--plot", tmp_path / "p.png", "--backend", "numpy", "--jobs", "1",
    )  # fmt: skip
    assert status == 0, err
    ((_, x, (curve,), named, called),) = drawn
    assert (named, called, curve.label) == (across, up, up)
    found = rows(table)
    name = over.partition("=")[0]
    for drawn_now, key, factor in ((x, name, factors[0]), (curve.values, "time", factors[1])):
        told = [float(row[key]) for row in found]
        assert list(drawn_now) == pytest.approx([factor * value for value in told])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--over", "b=1,2"], "no parameter b"),
        (["--over", "a"], "says not what to go over"),
        (["--over", "a=1:2"], "is no range"),
        (["--over", "a=1,2", "--over", "a=3,4"], "gone over twice"),
        (["--over", "a=1,2"], "Give --measure one of: p.max"),
        (["--over", "a=1,2", "--measure", "q"], "nothing measures q"),
        (["--over", "a=1,2", "--measure", "p.may"], 'Did you mean "p.max"'),
        (["--over", "a=1,2", "--measure", "p", "-o", "t.txt"], ".csv"),
        (["--over", "a=1,2", "--measure", "p", "--plot", "t.gif"], ".png"),
        (["--over", "a=1,2", "--over", "end=1,2", "--plot", "t.png"], "a plot has one --over"),
        (["--over", "solver.stepper=ck54,local", "--plot", "t.png"], "'ck54' has no place"),
        (["--over", "a=1,2", "--jobs", "0"], "1 to 256"),
        (["--over", "a=1,2", "--set", "c=1"], "no parameter c"),
    ],
)
def test_mistakes_are_explained(wavelab, room, tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    output = [] if "-o" in words else ["-o", "t.csv"]
    status, out, err = wavelab("sweep", room, *words, *output)
    assert status == 2
    assert out == ""
    assert err.startswith("error: ")
    assert said in err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["small.toml"]


@pytest.fixture
def interrupted_by_ctrl_c():
    """Also where the tests run behind a shell, which has its children ignore it, and theirs."""
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, usual)


def started(room: Path, table: Path) -> subprocess.Popen[str]:
    """A sweep of a few short runs and one without an end."""
    words = ("sweep", room, "--over", "end=0.05,0.06,99", "--measure", "steps", "-o", table,
             "--backend", "numpy", "--jobs", "1", "--order", "8")  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-m", "wavelab", *map(str, words)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    while not (table.exists() and len(rows(table)) == 2):
        assert process.poll() is None, process.stdout.read()
        time.sleep(0.05)
    return process


def children_of(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(word) for file in found for word in file.read_text().split()]


def is_gone(pid: int) -> bool:
    """Nobody may wait for the child of one that was killed."""
    try:
        return "State:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True


def test_two_sweeps_do_not_write_one_table(wavelab, room, tmp_path):
    """The second is told, whoever it is; after any death of the first the table is free."""
    table = tmp_path / "t.csv"
    words = ("sweep", room, "--over", "end=0.05,0.06", "--measure", "steps", "-o", table,
             "--backend", "numpy", "--order", "8", "--jobs", "1")  # fmt: skip
    process = started(room, table)
    try:
        before = table.read_bytes()
        status, out, err = wavelab(*words)
        assert (status, out) == (2, "")
        assert "another sweep is writing this table" in err
        assert "Give the same command again" in err
        with pytest.raises(OutputError, match="another sweep"):
            sweep(str(room), {"end": [0.05]}, "steps", table=table, backend="numpy")
        assert table.read_bytes() == before
        status, _, _ = wavelab(*[tmp_path / "other.csv" if w == table else w for w in words])
        assert status == 0
    finally:
        process.kill()
        process.communicate()
    status, _, err = wavelab(*words)
    assert status == 0
    assert "2 of 2 runs are in t.csv already" in err
    assert not list(tmp_path.glob(".*.lock"))


@pytest.mark.usefixtures("interrupted_by_ctrl_c")
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)],
    ids=["ctrl-c", "sigterm", "sigkill"],
)
def test_a_sweep_that_ends_early_goes_on(wavelab, room, tmp_path, number, status):
    table = tmp_path / "t.csv"
    process = started(room, table)
    children = children_of(process.pid)
    assert children
    process.send_signal(number)
    assert process.wait(60) == status
    for _ in range(200):
        if all(map(is_gone, children)):
            break
        time.sleep(0.05)
    assert all(map(is_gone, children))
    left = [p.name for p in tmp_path.iterdir()]
    lock = [".t.csv.lock"] if number == signal.SIGKILL else []
    assert sorted(left) == [*lock, "small.toml", "t.csv"]
    first = rows(table)
    assert [row["end"] for row in first] == ["0.05", "0.06"]
    again = ("sweep", room, "--over", "end=0.05,0.06,0.07", "--measure", "steps", "-o", table,
             "--backend", "numpy", "--jobs", "1", "--order", "8")  # fmt: skip
    ended, _, err = wavelab(*again)
    assert ended == 0
    assert "2 of 3 runs are in t.csv already" in err
    assert rows(table)[:2] == first
    assert [row["end"] for row in rows(table)] == ["0.05", "0.06", "0.07"]
