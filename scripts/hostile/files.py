"""Every file that the program writes: how to write it with a number in it, and to read that back.

``tests/hostile/test_files.py`` holds this to the code: whatever writes a file is in here, but the
figure of a benchmark, which needs matplotlib.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import av
import h5py
import numpy as np

from wavelab import paths
from wavelab.api.pictures import Movie
from wavelab.app.base.settings import Preferences, load_preferences, save_preferences
from wavelab.app.session.autosave import Autosave
from wavelab.meshing.formats import read_mesh, write_mesh
from wavelab.meshing.job import mesh_scene
from wavelab.meshing.parts.part_files import INDEX, write_parts
from wavelab.opencl.elements.layout import KernelConfig
from wavelab.opencl.variants import tuned
from wavelab.output.figures.axes import Axis
from wavelab.output.figures.chart import Chart, ChartCurve
from wavelab.output.figures.figure import write_figure
from wavelab.output.figures.style import Style
from wavelab.output.files.field_files import write_fields
from wavelab.output.files.measurements import write_measurements
from wavelab.output.files.state_file import read_state, write_state
from wavelab.output.files.tables import write_table
from wavelab.output.files.touchstone import write_touchstone
from wavelab.output.files.vtu import write_pvd
from wavelab.output.movies.movie import MovieWriter
from wavelab.output.movies.parts import PartedMovie
from wavelab.output.picture import write_png
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.model.scene import Probe, Scene, Solver
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.recordings.recording import recording_in
from wavelab.scene.toml.toml_io import load_scene, save_scene
from wavelab.simulation.records.wav import write_wav
from wavelab.simulation.sweeps.table import Row, SweepTable
from wavelab.timeline import Timeline

#: Numbers that files hold are counted up to this and begin again.
COUNT = 50


@dataclass(frozen=True)
class Kind:
    """A kind of file.

    Attributes
    ----------
    name : of the file.
    write : puts a number, 1 to ``COUNT``, into the file.
    read : takes it out of the whole file; raises anything if that is not whole.
    silent : whether a file that cannot be written is told by none but the next look for it.
    """

    name: str
    write: Callable[[Path, int], None]
    read: Callable[[Path], int]
    silent: bool = False


def scene_of(number: int) -> Scene:
    """A scene that holds a number in its first and in its last lines, and as many probes."""
    return Scene(
        title=f"edit {number}",
        solver=Solver(element_size=0.3, order=2),
        outline=Rectangle((0.0, 0.0), (1.0, 1.0)),
        probes=tuple(Probe(f"p{i}", (0.5, 0.5)) for i in range(number)),
    )


def number_of(scene: Scene) -> int:
    """What :func:`scene_of` has put there; asserts that all is there."""
    number = int(scene.title.removeprefix("edit "))
    whole = replace(scene_of(number), path=scene.path, view=scene.view)
    assert scene == whole, "a part of the scene is missing"
    return number


@cache
def problem() -> Problem:
    scene = scene_of(1)
    return discretize_scene(scene, mesh_scene(scene))


def _write_fields(path: Path, number: int) -> None:
    write_fields(path, problem(), problem().initial, float(number))


def _snapshot_number(path: Path) -> int:
    with h5py.File(path) as file:
        for name in ("vertices", "triangles", "x", "y", "hx", "hy", "ez", "epsilon", "scene"):
            assert file[name][()] is not None
        return round(file.attrs["time"])


def _vtu_number(path: Path) -> int:
    text = path.read_text()
    assert text.rstrip().endswith("</VTKFile>")
    found = re.search(r'Name="TimeValue"[^>]*>\s*(\S+)\s*<', text)
    assert found is not None
    # A header of four whole numbers, and one block.
    (time,) = np.frombuffer(zlib.decompress(base64.b64decode(found[1][44:])))
    return round(time)


def _write_pvd(path: Path, number: int) -> None:
    write_pvd(path, [(float(i), path.with_name(f"{i}.vtu")) for i in range(number)])


def _pvd_number(path: Path) -> int:
    text = path.read_text()
    assert text.rstrip().endswith("</VTKFile>")
    return text.count("<DataSet")


def _write_touchstone(path: Path, number: int) -> None:
    write_touchstone(path, np.arange(1.0, number + 1), np.full((number, 1, 1), 0.5 + 0j), ())


def _touchstone_number(path: Path) -> int:
    rows = path.read_text().splitlines()
    return sum(row[:1].isdigit() for row in map(str.strip, rows))


def _write_measured(path: Path, number: int) -> None:
    result = MonitorResult("m", "flux", {"power": float(number)}, {"t": np.arange(900.0)})
    write_measurements(path, [result], scene_of(1), 0.0)


def _measured_number(path: Path) -> int:
    with h5py.File(path) as file:
        assert file["m/t"][()].sum() == 899 * 450
        return round(file["m"].attrs["power"])


def _table_number(path: Path) -> int:
    numbers = np.loadtxt(path, skiprows=1, ndmin=1)
    assert (numbers == len(numbers)).all()
    return len(numbers)


def _put_row(path: Path, number: int) -> None:
    SweepTable(path, ["d"], ["m"], "mark").put(Row(("1",), (float(number),)))


def _row_number(path: Path) -> int:
    head, row = path.read_text().splitlines()
    assert head == "d,m,error,scene"
    return round(float(row.split(",")[1]))


def _frame(number: int) -> np.ndarray:
    noise = np.random.default_rng(number).integers(0, 255, (32, 48, 3), dtype=np.uint8)
    noise[0, 0] = number
    return noise


def _frames(path: Path) -> list[np.ndarray]:
    with av.open(str(path)) as opened:
        return [frame.to_ndarray(format="rgb24") for frame in opened.decode(video=0)]


def _write_figure(path: Path, number: int) -> None:
    x = np.arange(900.0)
    up = Axis("y", 0.0, 1.0, ticks=((0.5, f"{number} is its number"),))
    curve = ChartCurve("c", x, np.random.default_rng(number).random(900), 0)
    write_figure(path, Chart(f"figure {number}", [curve], Axis("x", 0.0, 899.0), up, Style()))


def _figure_number(path: Path) -> int:
    data = path.read_bytes()
    if path.suffix == ".svg":
        (found,) = re.findall(r">(\d+) is its number<", data.decode())
        assert data.endswith(b"</svg>\n")
        return int(found)
    assert data.endswith(b"%%EOF\n")
    packed = data[data.index(b"stream\n") + 7 : data.index(b"\nendstream")]
    found = re.search(rb"\((\d+) is its number\)", zlib.decompress(packed))
    assert found is not None
    return int(found[1])


def _write_movie(path: Path, number: int) -> None:
    with MovieWriter(path, 48, 32, fps=2) as movie:
        for _ in range(number):
            movie.add(_frame(1))


def _write_parted(path: Path, number: int) -> None:
    movie = PartedMovie(path, 48, 32, fps=2)
    try:
        for i in range(number):
            movie.add(_frame(1))
            if i == 0:
                movie.cut()
        movie.close()
    finally:
        movie.abort()
        movie.remove_parts()


def _write_mesh(path: Path, number: int) -> None:
    mesh = problem().discretization.mesh
    write_mesh(replace(mesh, vertices=mesh.vertices * number), path)


def _mesh_number(path: Path) -> int:
    return round(read_mesh(path).vertices.max())


def _write_timeline(path: Path, number: int) -> None:
    timeline = Timeline()
    for _ in range(number):
        timeline.add("span", 0, 1)
    timeline.write(path)


def _timeline_number(path: Path) -> int:
    return sum(event["ph"] == "X" for event in json.loads(path.read_text())["traceEvents"])


def _keep(path: Path, number: int) -> None:
    kept = Autosave(path.parent)
    kept.path = path
    kept.keep(scene_of(number))
    kept.close()


def _verdict(number: int) -> tuned.Verdict:
    case = tuned.Case("device", "driver", 2, "float32", 1, "small")
    return tuned.Verdict(case, KernelConfig(8, 8, 1), float(number))


def _store(path: Path, number: int) -> None:
    usual = paths.cache_directory
    paths.cache_directory = lambda: path.parent
    try:
        tuned.store_verdict(_verdict(number))
    finally:
        paths.cache_directory = usual


def _stored(path: Path) -> int:
    content = json.loads(path.read_text())
    return round(content["configs"][_verdict(1).case.key]["gain"])


KINDS = (
    Kind("mine.toml", lambda p, n: save_scene(scene_of(n), p), lambda p: number_of(load_scene(p))),
    Kind("unsaved-1-2.toml", _keep, lambda p: number_of(load_scene(p))),
    Kind(
        "preferences.toml",
        lambda p, n: save_preferences(Preferences(recent=("a",) * n), p),
        lambda p: len(load_preferences(p).recent),
        silent=True,
    ),
    Kind("kernel-configs.json", _store, _stored, silent=True),
    Kind("wave.h5", _write_fields, _snapshot_number),
    Kind("wave.vtu", _write_fields, _vtu_number),
    Kind("series.pvd", _write_pvd, _pvd_number),
    Kind("measured.h5", _write_measured, _measured_number),
    Kind("table.csv", lambda p, n: write_table(p, ["n"], [np.full(n, n)]), _table_number),
    Kind(
        "sound.wav",
        lambda p, n: write_wav(p, np.full(900, n / COUNT)),
        lambda p: round(COUNT * float(recording_in(p, "").values[899])),
    ),
    Kind("device.s1p", _write_touchstone, _touchstone_number),
    Kind("sweep.csv", _put_row, _row_number),
    Kind("wave.png", lambda p, n: write_png(p, _frame(n)), lambda p: int(_frames(p)[0][0, 0, 0])),
    Kind("figure.pdf", _write_figure, _figure_number),
    Kind("figure.svg", _write_figure, _figure_number),
    Kind("wave.mp4", _write_movie, lambda p: len(_frames(p))),
    Kind("wave.webm", _write_movie, lambda p: len(_frames(p))),
    Kind("wave.gif", _write_movie, lambda p: len(_frames(p))),
    Kind(
        "scripted.mp4",
        lambda p, n: Movie(bytes(n), ".mp4", n).save(p),
        lambda p: p.stat().st_size,
    ),
    Kind("parted.mp4", _write_parted, lambda p: len(_frames(p))),
    Kind(
        "state.h5",
        lambda p, n: write_state(p, "state", (n, np.full(900, n)), ()),
        lambda p: read_state(p, "state", ())[0],
    ),
    Kind("mesh.msh", _write_mesh, _mesh_number),
    Kind(
        INDEX,
        lambda p, n: write_parts(p.parent, (), Path(__file__), (), (), n),
        lambda p: json.loads(p.read_text("utf-8"))["vertices"],
    ),
    Kind("profile.json", _write_timeline, _timeline_number),
)
