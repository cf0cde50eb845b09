"""Subcommands, their output, and what they say to mistakes."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import av
import h5py
import numpy as np
import pytest

from wavelab import cli, paths
from wavelab.__main__ import run
from wavelab.cli.shared.arguments import orders, size
from wavelab.meshing.formats import read_mesh
from wavelab.opencl.device.device import choose_device
from wavelab.opencl.variants import tuned
from wavelab.scene.shelf import shipped_scenes

ROOT = Path(cli.__file__).parents[2]


def test_help_lists_every_command_with_its_summary(wavelab):
    status, out, _ = wavelab("--help")
    assert status == 0
    for command in cli.COMMANDS.values():
        assert f"wavelab {command.name}" in out
        assert command.summary in out


@pytest.mark.parametrize("name", list(cli.COMMANDS))
def test_each_command_has_help(wavelab, name):
    status, out, _ = wavelab(name, "--help")
    assert status == 0
    assert out.startswith(f"usage: wavelab {name}")


def test_version(wavelab):
    status, out, _ = wavelab("--version")
    assert status == 0
    assert out.startswith("wavelab ")


def test_run_prints_one_json_object(wavelab, small, tmp_path):
    status, out, _ = wavelab(
        "run", small, "--backend", "numpy", "--until", "0.1", "--order", "2", "--h", "0.25",
        "--image", tmp_path / "a.png", "--size", "40x30", "--json",
    )  # fmt: skip
    assert status == 0
    summary = json.loads(out)
    assert summary["scene"] == str(small)
    assert summary["order"] == 2
    assert summary["time"] == pytest.approx(0.1)
    assert set(summary["error"]) == {"ez"}
    with av.open(str(tmp_path / "a.png")) as file:
        picture = next(file.decode(video=0))
    assert (picture.width, picture.height) == (40, 30)


def test_run_for_people(wavelab, small, tmp_path):
    status, out, _ = wavelab("run", small, "--backend", "numpy", "--probes", tmp_path / "p.csv")
    assert status == 0
    for word in ("NumPy", "elements of order 3", "error ez", "wrote", "p.csv"):
        assert word in out


def test_scenes_are_listed_and_run_by_name(wavelab):
    status, out, _ = wavelab("scenes", "--json")
    assert status == 0
    rows = json.loads(out)
    assert [row["name"] for row in rows] == shipped_scenes()
    assert all(row["title"] for row in rows)
    assert len(rows) >= 6
    status, out, _ = wavelab("scenes")
    lines = [line.split() for line in out.splitlines()]
    assert [line[0] for line in lines if line and line[0] in shipped_scenes()] == shipped_scenes()
    assert rows[0]["group"] == out.splitlines()[0]


def test_mesh_of_a_scene_is_written_and_described(wavelab, small, tmp_path):
    target = tmp_path / "small.msh"
    status, out, _ = wavelab("mesh", small, "-o", target, "--h", "0.2")
    assert status == 0
    mesh = read_mesh(target)
    assert f"{mesh.n_elements:,} elements" in out
    assert "area 1" in out
    assert "domain.left" in out
    # A mesh file can be converted but not made finer.
    status, out, _ = wavelab("mesh", target, "-o", tmp_path / "small.vtu")
    assert status == 0
    assert (tmp_path / "small.vtu").stat().st_size > 1000
    status, _, err = wavelab("mesh", target, "-o", tmp_path / "b.msh", "--h", "0.1")
    assert status == 2
    assert "--h" in err


def test_mesh_of_an_outline(wavelab, tmp_path):
    outline = tmp_path / "square.poly"
    outline.write_text("4 2 0 0\n1 0 0\n2 2 0\n3 2 1\n4 0 1\n4 0\n1 1 2\n2 2 3\n3 3 4\n4 4 1\n0\n")
    status, _, _ = wavelab("mesh", outline, "-o", tmp_path / "square.msh", "--h", "0.5")
    assert status == 0
    assert read_mesh(tmp_path / "square.msh").signed_areas().sum() == pytest.approx(2.0)


def test_a_drawing_is_meshed_and_run(wavelab, tmp_path):
    path, mesh = tmp_path / "room.svg", tmp_path / "room.msh"
    rod = '<circle cx="3" cy="1" r=".5"/><circle cx="3" cy="1" r=".2"/>'
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg"><rect width="4" height="2"/>{rod}</svg>'
    )
    status, out, err = wavelab("mesh", path, "-o", mesh, "--h", 0.2)
    assert status == 0
    assert "domain.left" in out
    assert "obstacle 1.rim" in out
    assert "left out an outline" in err
    assert mesh.stat().st_size > 1000
    status, out, err = wavelab("run", path, "--until", 0.1, "--h", 0.2, "--order", 2, "--json")
    assert status == 0
    assert json.loads(out)["energy"]["initial"] > 0
    assert "left out an outline" in err
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><path stroke="black" d="M0 0L1 1"/></svg>'
    )
    status, out, err = wavelab("run", path)
    assert status == 2
    assert "room.svg" in err


def test_values_of_a_scene_are_set(wavelab, small):
    text = small.read_text().replace("until = 0.2", 'until = "end"')
    small.write_text(f"{text}\n[parameters]\nend = {{ value = 0.2, range = [0, 1] }}\n")
    given = ("end=0.1", "solver.order=2", "probes.p.position=0.5, 0.5")
    settings = [word for text in given for word in ("--set", text)]
    status, out, _ = wavelab("run", small, "--json", "--backend", "numpy", *settings)
    assert status == 0
    found = json.loads(out)
    assert found["time"] == pytest.approx(0.1)
    assert found["order"] == 2
    assert found["probes"]["p"]["ez"][0] == pytest.approx(1, abs=0.1)


def test_verify_passes_and_reports(wavelab, small):
    words = ("verify", "--scene", small, "--orders", "1,2", "--backend", "numpy")
    status, out, _ = wavelab(*words)
    assert status == 0
    assert "2 of 2 as they should be" in out
    status, out, _ = wavelab(*words, "--json")
    rows = json.loads(out)
    assert [row["order"] for row in rows] == [1, 2]
    assert all(row["ok"] and row["rate"] > row["required"] for row in rows)
    assert set(rows[0]) == {"case", "order", "h", "error", "rate", "required", "ok"}
    status, out, _ = wavelab(
        "verify", "--case", "power monitor", "--orders", "2", "--backend", "numpy", "--json"
    )
    (row,) = json.loads(out)
    assert row["ok"]
    assert row["rate"] is None
    assert row["error"] < row["required"]


def test_verify_in_processes_tells_the_same_in_the_same_order(wavelab, small):
    words = ("verify", "--scene", small, "--case", "cavity_1_1", "--orders", "1-2", "--json")
    words += ("--backend", "numpy", "--jobs")
    (status, one, _), (other_status, two, _) = wavelab(*words, "1"), wavelab(*words, "2")
    assert status == other_status == 0
    assert json.loads(one) == json.loads(two)
    assert [row["order"] for row in json.loads(two)] == [1, 2] * 2


def test_verify_tells_what_went_wrong_in_a_process(wavelab, small):
    words = ("verify", "--scene", small, "--orders", "1,2", "--jobs", "2", "--device", "abacus")
    status, _, err = wavelab(*words)
    assert status == 2
    assert "abacus" in err


def test_verify_fails_on_a_wrong_solution(wavelab, small):
    small.write_text(small.read_text().replace("cos(sqrt(2)*pi*t)", "cos(1.02*sqrt(2)*pi*t)"))
    status, out, _ = wavelab("verify", "--scene", small, "--orders", "3", "--backend", "numpy")
    assert status == 1
    assert "FAILED" in out
    assert "0 of 1" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "nowhere"], "double_slit"),
        (["run", "SCENE", "--order", "0"], "1 to 10"),
        (["run", "SCENE", "--order", "2.5"], "whole number"),
        (["run", "SCENE", "--until", "nan"], "positive finite"),
        (["run", "SCENE", "--until", "soon"], "not a number"),
        (["run", "SCENE", "--h", "-1"], "positive finite"),
        (["run", "SCENE", "--h", "1e-300"], "Lengths go from 1e-100 to 1e+12"),
        (["run", "SCENE", "--h", "1e-13", "--backend", "numpy"], "2.3e+26 elements"),
        (["run", "SCENE", "--until", "1e300", "--backend", "numpy"], "It can take 1e+15"),
        (["run", "SCENE", "--movie", "a.mp4", "--time-per-frame", "1e-12"], "or more from one"),
        (["run", "SCENE", "--size", "big"], "1280x720"),
        (["run", "SCENE", "--size", "0x9"], "16384"),
        (["run", "a" * 300], "no such file or shipped scene"),
        (["run", "~nobody-of-that-name/a.toml"], "no such file or shipped scene"),
        (["mesh", "~nobody-of-that-name/a.msh"], "cannot be read: No such file"),
        (["run", "a\x1b[2Jb"], r"a\x1b[2Jb: there is no such file"),
        (["run", "duble_slit"], 'Did you mean "double_slit"'),
        (["run", "double_slit.tml"], 'Did you mean "double_slit"'),
        (["run", str(ROOT / "meshes" / "disk.msh")], '[domain] mesh = "disk.msh"'),
        (["run", "SCENE", "--fps", "0"], "1 to 240"),
        (["run", "SCENE", "--set", "order"], "'order' is not like d=0.4"),
        (["run", "SCENE", "--set", "solver.ordr=2"], 'Did you mean "order"'),
        (["run", "SCENE", "--set", "d=2"], "no parameter d"),
        (["converge", "SCENE", "--set", "solver.order=12"], "from 1 to 10"),
        (["resonances", "SCENE", "--set", "solver.order=12"], "from 1 to 10"),
        (["mesh", "SCENE", "--set", "solver.order=12"], "from 1 to 10"),
        (["mesh", str(ROOT / "meshes" / "accelerator.poly"), "--set", "d=1"], "is no scene"),
        (["run", "SCENE", "--fps", "\u00b2"], "1 to 240"),
        (["run", "SCENE", "--precision", "half"], "half"),
        (["run", "SCENE", "--stepper", "rk4"], "ndb144"),
        (["run", "SCENE", "--design", "per_face"], "aosoa or per_node"),
        (["run", "SCENE", "--design", "per_node", "--backend", "numpy"], "Leave out the variant"),
        (["run", "SCENE", "--image", "a.jpeg"], ".png"),
        (["run", "SCENE", "--movie", "/nowhere/a.mp4"], "/nowhere"),
        (["run", "SCENE", "--backend", "numpy", "--device", "0"], "no device"),
        (["run", "SCENE", "--unknown"], "--unknown"),
        (["run"], "SCENE"),
        (["mesh", "double_slt"], 'Did you mean "double_slit"'),
        (["mesh", "SCENE", "-o", "a.stl"], ".msh"),
        (["mesh", "nowhere.poly", "-o", "a.msh"], "nowhere.poly"),
        (["mesh", __file__], "'.py', but the ending says"),
        (["bench", "--check", "nowhere.json"], "nowhere.json: cannot be read"),
        (["bench", "--local", "--steppers"], "--steppers and --local are separate"),
        (
            ["bench", "--steppers", "--check", "rates.json"],
            "--check has no effect beside --steppers",
        ),
        (
            ["bench", "--versus", "fdtd", "--elements", "9"],
            "--elements has no effect beside --versus",
        ),
        (["bench", "--upwinding", "0"], "--upwinding has no effect without --steppers"),
        *[
            ([study, "accelerator", "--h", "1"], "so --h has no effect")
            for study in ("run", "mesh", "converge", "resonances")
        ],
        (["verify", "--orders", "4-2"], "2-4"),
        (["verify", "--orders", "1,11"], "1 to 10"),
        (["verify", "--scene", "double_slit"], "exact"),
        (["verify", "--case", "cavity"], "open edge"),
        (["verify", "--case", "open edge", "--orders", "9"], "2, 3, 4, 6"),
        (["nowhere.toml"], "no such file"),
        (["devcies"], 'Did you mean "devices"'),
        (["runn", "double_slit", "--until", "2"], 'Did you mean "run"'),
        (["disk", "lens"], "unrecognized arguments: lens"),
        ([""], "is a directory"),
        (["--order", "99"], "1 to 10"),
    ],
)
def test_mistakes_are_explained_and_end_with_2(wavelab, small, words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, out, err = wavelab(*[small if word == "SCENE" else word for word in words])
    assert status == 2
    assert out == ""
    assert err.startswith("error: ")
    assert said in err
    assert "Traceback" not in err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["small.toml"]


def test_a_window_without_a_display_is_refused(wavelab, small, monkeypatch):
    for way in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(way, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    status, _, err = wavelab(small)
    assert status == 2
    assert "no display" in err
    assert "wavelab run" in err


def test_a_field_beyond_single_precision_is_refused(wavelab, small):
    small.write_text(re.sub(r"\bez = .*", 'ez = "1e30*x"', small.read_text(), count=1))
    status, _, err = wavelab("run", small, "--backend", "numpy")
    assert status == 2
    assert "the initial ez reaches 1e+30" in err


def test_a_broken_scene_names_its_file(wavelab, small):
    small.write_text(small.read_text().replace("order = 3", "order = 30"))
    status, _, err = wavelab("run", small)
    assert status == 2
    assert "small.toml" in err


def test_ctrl_c_ends_with_130(wavelab, small, monkeypatch):
    def press(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("wavelab.cli.run.run_batch", press)
    status, _, err = wavelab("run", small)
    assert status == 130
    assert "interrupted" in err


def test_ctrl_c_may_come_before_anything_is_there(monkeypatch, capsys):
    class Press:
        def find_spec(self, name, path=None, target=None):
            if name == "wavelab.cli":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "wavelab.cli")
    monkeypatch.setattr(sys, "meta_path", [Press(), *sys.meta_path])
    assert run() == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_lists_of_orders():
    assert orders("3") == (3,)
    assert orders("1-3,5,2") == (1, 2, 3, 5)


def test_sizes():
    assert size("640X480") == (640, 480)


HEADLESS = """\
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("PyQt5", "vispy", "qtawesome", "OpenGL"):
            raise AssertionError(f"{name} was imported")

sys.meta_path.insert(0, Refuse())
from wavelab.cli import main

scene, folder = sys.argv[1:]
for words in (
    ["run", scene, "--backend", "numpy", "--image", f"{folder}/a.png", "--size", "32x32"],
    ["mesh", scene, "-o", f"{folder}/a.msh"],
    ["verify", "--scene", scene, "--orders", "1", "--backend", "numpy"],
    ["devices"],
    ["scenes"],
    ["--help"],
):
    status = main(words)
    assert status == 0, (words, status)
"""


def test_headless_commands_need_neither_qt_nor_a_display(small, tmp_path):
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    environment["PYTHONPATH"] = str(ROOT)
    done = subprocess.run(
        [sys.executable, "-c", HEADLESS, str(small), str(tmp_path)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert (tmp_path / "a.png").exists()
    assert (tmp_path / "a.msh").exists()


def test_a_reader_that_goes_away_is_no_traceback(tmp_path):
    command = f"{sys.executable} -m wavelab scenes --json | head -c 1"
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout == "["
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


@pytest.mark.parametrize(
    ("redirected", "status"), [(">/dev/full", 2), (">&-", 0), (">&- 2>&-", 0), ("<&- 2>&-", 0)]
)
def test_streams_may_be_full_or_closed(redirected, status):
    command = f"{sys.executable} -m wavelab scenes {redirected}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == status, done.stderr
    assert done.stderr == (
        "error: the output cannot be written: No space left on device\n" if status else ""
    )


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="no /proc to look into")
@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-", "2>&-"])
def test_nothing_else_takes_the_place_of_a_stream_that_is_closed(closed, tmp_path):
    """Drivers print: into what the mesher is told, if that had come to lie there."""
    found = tmp_path / "found"
    code = (
        "import os, sys, pathlib\n"
        "import wavelab.cli\n"
        f"where = pathlib.Path({str(found)!r})\n"
        "looked = lambda: where.write_text(repr([os.readlink(f'/proc/self/fd/{i}')"
        " for i in range(3)]))\n"
        "wavelab.cli.main = lambda: looked() and 0\n"
        "sys.argv = ['wavelab', 'mesh', 'welcome']\n"
        "from wavelab.__main__ import run\n"
        "run()\n"
    )
    script = tmp_path / "look.py"
    script.write_text(code)
    subprocess.run(
        ["bash", "-c", f"{sys.executable} {script} {closed}"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, timeout=120,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert found.read_text() == repr(["/dev/null"] * 3)


def test_mesh_without_a_file_says_what_limits_the_step(wavelab, small):
    status, out, _ = wavelab("mesh", small)
    assert status == 0
    assert "No element stands out" in out
    assert "wrote" not in out


def test_converge_prints_one_json_object(wavelab, small):
    status, out, _ = wavelab(
        "converge", small, "--backend", "numpy", "--until", "0.1", "--order", "1", "--json"
    )
    assert status == 0
    found = json.loads(out)
    assert found["reference"] == "exact"
    assert found["error"] == found["runs"][0]["error"] > 0
    assert [run["order"] for run in found["runs"]] == [1, 1, 1, 2, 3]


MONITORS = """
[[monitors]]
name = "up"
kind = "line"
vertices = [[0.5, 0.1], [0.5, 0.9]]
count = 5

[[monitors]]
name = "map"
kind = "field"
frequencies = [0.7]

[[monitors]]
name = "a/b"
kind = "flux"
vertices = [[0.5, 0], [0.5, 1]]
frequencies = [0.7]
"""


def test_run_writes_a_movie_of_one_period_of_a_map(wavelab, small, tmp_path):
    movie = tmp_path / "swing.mp4"
    status, _, err = wavelab("run", small, "--swing", movie)
    assert status == 2
    assert 'kind = "field"' in err
    small.write_text(small.read_text() + MONITORS)
    status, out, _ = wavelab("run", small, "--swing", movie, "--size", "64x48")
    assert status == 0
    assert f"wrote {movie}" in out
    with av.open(str(movie)) as content:
        pictures = [frame.to_ndarray(format="rgb24") for frame in content.decode(video=0)]
    assert len(pictures) == 30
    # Half a period later it is the other way round: red where it was blue.
    one, other = (picture.astype(float) for picture in (pictures[0], pictures[15]))
    seen = np.abs(one[..., 0] - one[..., 2]) > 40
    assert seen.any()
    turned = (one[..., 0] - one[..., 2]) * (other[..., 0] - other[..., 2])
    assert (turned[seen] < 0).mean() > 0.95


def test_run_writes_what_monitors_measured(wavelab, small, tmp_path):
    small.write_text(small.read_text() + MONITORS)
    file, gather, image = tmp_path / "m.h5", tmp_path / "g.png", tmp_path / "a.png"
    options = ("--monitors", file, "--gather", gather, "--image", image, "--quantity", "amplitude")
    status, out, _ = wavelab("run", small, "--json", *options)
    assert status == 0
    found = json.loads(out)["monitors"]
    assert found["up"]["along"] == pytest.approx([0, 0.2, 0.4, 0.6, 0.8])
    assert abs(found["a/b"]["energy"]) < 1e-3
    with h5py.File(file) as content:
        assert content["map"].attrs["kind"] == "field"
        assert content["map"]["ez"].dtype.kind == "c"
        assert content["up"]["values"].shape[1] == 5
        assert len(content) == 3
    assert gather.read_bytes().startswith(b"\x89PNG")
    assert image.read_bytes().startswith(b"\x89PNG")
    status, out, _ = wavelab("run", small, "--monitors", tmp_path / "m.csv")
    assert status == 0
    assert "5 points" in out
    for name in ("up", "map", "a_b", "a_b_spectrum"):
        assert f"wrote {tmp_path / f'm_{name}.csv'}" in out
        assert (tmp_path / f"m_{name}.csv").stat().st_size > 40
    assert not (tmp_path / "m.csv").exists()
    small.write_text(small.read_text().replace('name = "map"', 'name = "map"\nbegin = 0.1'))
    assert "measures nothing" in wavelab("run", small, "--until", 0.05)[2]
    small.write_text(
        small.read_text().replace("begin = 0.1", 'begin = 0.01\nend = 0.1\nwindow = "hann"')
    )
    assert "is cut off at 0.05" in wavelab("run", small, "--until", 0.05)[2]


def test_run_writes_a_series_for_paraview(wavelab, small, tmp_path):
    options = ("--until", 0.4, "--snapshot-every", 0.2, "--snapshot")
    status, out, _ = wavelab("run", small, *options, tmp_path / "w.vtu")
    assert status == 0
    assert f"wrote {tmp_path / 'w.pvd'}" in out
    assert (tmp_path / "w.pvd").read_text().count("<DataSet") == 3
    status, out, _ = wavelab("run", small, *options, tmp_path / "w.h5")
    assert f"wrote {tmp_path / 'w_00000.h5'} to w_00002.h5" in out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--snapshot-every", 0.1), "no file to go to"),
        (("--snapshot", "m.h5", "--monitors", "m.h5"), "hold two things"),
        (("--monitors", "m.h5"), "no monitors to write"),
        (("--gather", "m.png"), "no line of receivers"),
        (("--quantity", "amplitude"), "no monitor measures"),
        (("--monitors", "m.txt"), ".h5"),
    ],
)
def test_files_that_would_hold_nothing_are_refused(wavelab, small, options, said):
    status, _, err = wavelab("run", small, *options)
    assert status == 2
    assert said in err


def test_resonances_prints_one_json_object(wavelab, small, tmp_path):
    picture, shapes = tmp_path / "modes.png", tmp_path / "modes.h5"
    options = ("--modes", 2, "--json", "--picture", picture, "--shapes", shapes)
    status, out, _ = wavelab("resonances", small, *options)
    assert status == 0
    lowest = json.loads(out)["modes"][0]
    assert lowest["frequency"] == pytest.approx(2**-0.5, rel=1e-3)
    assert lowest["q"] is None
    assert picture.read_bytes().startswith(b"\x89PNG")
    with h5py.File(shapes) as content:
        assert content["mode 1"].attrs["frequency"] == lowest["frequency"]
    status, _, err = wavelab("resonances", small, "--band", 2, 1)
    assert status == 2
    assert "lower frequency first" in err


GUIDE = """
title = "guide"
[solver]
element_size = 0.4
order = 4
until = 100
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [4, 1]
[[walls]]
edges = ["domain.left", "domain.right"]
kind = "open"
thickness = 0.6
[[monitors]]
name = "left"
kind = "modes"
vertices = [[1.6, 0], [1.6, 1]]
frequencies = [0.9, 0.8]
[[monitors]]
name = "right"
kind = "modes"
vertices = [[2.4, 1], [2.4, 0]]
frequencies = [0.9, 0.8]
"""


def test_scatter_writes_a_table_a_touchstone_file_and_one_json_object(wavelab, tmp_path):
    scene, table, touchstone = (tmp_path / name for name in ("guide.toml", "s.csv", "s.s2p"))
    scene.write_text(GUIDE)
    options = ("-o", table, "--touchstone", touchstone, "--json")
    status, out, _ = wavelab("scatter", scene, *options)
    assert status == 0
    told = json.loads(out)
    assert told["channels"] == [{"port": "left", "mode": 0}, {"port": "right", "mode": 0}]
    assert told["accounted"] == [pytest.approx([1, 1], abs=0.02)] * 2
    rows = [line.split(",") for line in table.read_text().splitlines()]
    assert rows[0][:3] == ["frequency", "to", "from"]
    assert [row[:3] for row in rows[1:5]] == [
        ["0.9", "1", "1"], ["0.9", "2", "1"], ["0.9", "1", "2"], ["0.9", "2", "2"],
    ]  # fmt: skip
    lines = [line.split() for line in touchstone.read_text().splitlines() if line[0] not in "!#"]
    assert [line[0] for line in lines] == ["0.8", "0.9"]  # the format wants them to go up
    status, out, _ = wavelab("scatter", scene, "--ports", "left")
    assert status == 0
    assert "|S11|^2" in out
    status, _, err = wavelab("scatter", scene, "--ports", "lift")
    assert status == 2
    assert "left" in err


def test_run_keeps_the_ledger_on_request(wavelab, small):
    status, out, _ = wavelab("run", small, "--backend", "numpy", "--ledger", "--json")
    assert status == 0
    summary = json.loads(out)
    ledger = summary["ledger"]
    assert ledger["initial"] == pytest.approx(summary["energy"]["initial"])
    assert ledger["stored"] == pytest.approx(summary["energy"]["final"])
    assert abs(ledger["residual"]) < 1e-4 * ledger["initial"]


def test_devices_tell_what_was_tuned_for_them(wavelab, tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "cache_directory", lambda: tmp_path)
    device = choose_device(None)
    case = tuned.Case(device.name.strip(), device.driver_version.strip(), 3, "float64", 1, "small")
    first, second = tuned.candidates_of(case, device)[:2]
    tuned.store_verdict(tuned.Verdict(case, second, 1.25, (first,)))
    status, out, _ = wavelab("devices")
    assert status == 0
    (line,) = [line for line in out.splitlines() if "tuned: " in line]
    assert "order 3, double precision, upwind flux, small meshes" in line
    assert f"lanes {second.lanes}, " in line
    assert line.endswith("1.25 times the usual speed; 1 untried")
    rows = json.loads(wavelab("devices", "--json")[1])
    assert [entry["gain"] for row in rows for entry in row["tuned"]] == [1.25]


def test_the_window_can_be_told_not_to_tune(wavelab, monkeypatch):
    told = []

    def run_window(path, options, timeline, far):
        told.append(options.tune)

    monkeypatch.setattr("wavelab.app.shell.main.run_window", run_window)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    for words in ([], ["--tune"], ["--no-tune"]):
        wavelab(*words)
    assert told == [None, True, False]
