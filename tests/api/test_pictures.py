"""Pictures, movies and plots: what they show, and how notebooks get them."""

from __future__ import annotations

import base64
import re

import av
import numpy as np
import pytest

import wavelab
from tests.api.conftest import TABLES
from tests.figure_files import read_svg
from wavelab.errors import OutputError, WavelabError
from wavelab.output.figures.style import Style
from wavelab.simulation.headless.batch import run_batch
from wavelab.simulation.headless.batch_options import BatchOptions


def decoded(path) -> list[np.ndarray]:
    with av.open(str(path)) as file:
        return [frame.to_ndarray(format="rgb24") for frame in file.decode(video=0)]


@pytest.fixture
def at_end(scene, quiet):
    with wavelab.Simulation(scene, notify=lambda text: None, **quiet) as run:
        yield run


def test_a_picture_is_that_of_the_command(at_end, scene, tmp_path):
    how = {"quantity": "energy", "size": (90, 60), "decades": 2}
    quiet = {"backend": "numpy", "progress": False}
    run_batch(scene.model, BatchOptions(image=tmp_path / "by_command.png", **quiet, **how))
    picture = at_end.run().picture(**how)
    picture.save(tmp_path / "own.png")
    assert picture.pixels.shape == (60, 90, 3)
    assert (tmp_path / "own.png").read_bytes() == (tmp_path / "by_command.png").read_bytes()
    # A notebook gets the same file.
    assert picture._repr_png_() == (tmp_path / "own.png").read_bytes()
    assert "90 x 60" in repr(picture)
    part = at_end.picture(size=(60, 60), part=((0.0, 0.0), (0.5, 0.5)), palette="vik").pixels
    assert not np.array_equal(part, at_end.picture(size=(60, 60), palette="vik").pixels)


def test_a_movie_is_that_of_the_command_and_is_played_by_notebooks(tmp_path, quiet):
    # The first picture of the command is of before the pings of time 0, so there are none.
    scene = wavelab.Scene("All but pings", **TABLES | {"pings": []})
    how = {"size": (64, 48), "time_per_frame": 0.1}
    run_batch(scene.model, BatchOptions(movie=tmp_path / "a.mp4", **quiet, **how))
    with wavelab.Simulation(scene, notify=lambda text: None, **quiet) as run:
        movie = run.movie(path=tmp_path / "b.mp4", **how)
        assert run.time == 1.0
    assert movie.path == tmp_path / "b.mp4"
    frames = decoded(tmp_path / "a.mp4")
    assert movie.frames == len(frames) == 11
    assert np.array_equal(frames, decoded(tmp_path / "b.mp4"))
    html = movie._repr_html_()
    (inside,) = re.findall(r'<video controls loop src="data:video/mp4;base64,([^"]+)"', html)
    assert base64.b64decode(inside) == movie.data == (tmp_path / "b.mp4").read_bytes()


def test_a_movie_without_a_file_is_kept_in_memory_until_it_is_saved(at_end, tmp_path):
    movie = at_end.movie(0.4, time_per_frame=0.2, fps=10)
    assert movie.path is None
    movie.save(tmp_path / "wave.mp4")
    frames = decoded(tmp_path / "wave.mp4")
    assert [frame.shape for frame in frames] == [(640, 640, 3)] * 3
    with pytest.raises(OutputError):
        movie.save(tmp_path / "wave.gif")
    gif = at_end.movie(0.6, tmp_path / "wave.gif", time_per_frame=0.1, size=(32, 32))
    assert gif._repr_html_().startswith('<img src="data:image/gif;base64,')
    assert "GIF" in repr(gif)


def test_a_movie_that_cannot_be_leaves_the_run_as_it_is(at_end, tmp_path):
    for how, said in (
        ({"path": tmp_path / "no" / "wave.mp4"}, "no"),
        ({"fps": 999}, "999"),
        ({"time_per_frame": -1}, "the time per frame is -1"),
        ({"time_per_frame": 0}, "the time per frame is 0"),
        ({"until": -1}, "has passed"),
        ({"quantity": "light"}, "light"),
    ):
        with pytest.raises(WavelabError, match=re.escape(said)):
            at_end.movie(**how)
    assert at_end.steps == 0
    assert at_end.movie(0.2, time_per_frame=0.1, size=(32, 32)).frames == 3


def test_a_plot_draws_its_curves():
    x = np.linspace(0, 1, 20)
    plain = wavelab.plot(x, x**2, across="x", up="square")
    both = wavelab.plot(x, {"square": x**2, "cube": np.where(x < 0.5, x**3, np.nan)})
    assert plain.pixels.shape == both.pixels.shape
    assert not np.array_equal(plain.pixels, both.pixels)
    for curves in ({}, {"short": x[1:]}, x[:, None]):
        with pytest.raises(WavelabError, match="do not fit"):
            wavelab.plot(x, curves)
    with pytest.raises(WavelabError, match="values of words are no real numbers"):
        wavelab.plot(x, {"words": ["a"] * 20})


def test_figures_are_those_of_the_command(at_end, scene, tmp_path):
    how = {"quantity": "energy", "decades": 2, "limit": 1.0}
    style = Style(dpi=50, width=300.0, height=200.0, parts=("axes", "time"))
    files = {"figure": (tmp_path / "a.pdf",), "plots": (tmp_path / "a.csv",), "figure_style": style}
    run_batch(scene.model, BatchOptions(backend="numpy", progress=False, **files, **how))
    figure = at_end.run().figure(size="300x200pt", dpi=50, parts="axes,time", **how)
    figure.save(tmp_path / "b.pdf")
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()
    assert list(figure.table) == ["x", "y", "energy"]
    assert read_svg(figure._repr_svg_().encode()).at("x")
    assert repr(figure) == "<Figure of 10.6 x 7.06 cm>"
    plots = at_end.plots()
    written = {path.name for path in tmp_path.glob("a_*.csv")}
    assert written == {f"a_{name}.csv" for name in plots}
    for name, plot in plots.items():
        plot.save(tmp_path / "own.csv")
        assert (tmp_path / "own.csv").read_bytes() == (tmp_path / f"a_{name}.csv").read_bytes()
    with pytest.raises(OutputError, match="no part"):
        at_end.figure(parts="legend")
    with pytest.raises(OutputError, match="no size"):
        at_end.figure(size="large")


def test_a_figure_of_ones_own_has_logarithmic_axes():
    x = np.geomspace(0.1, 1000, 200)
    figure = wavelab.figure(x, {"slope": x**-2}, "f (GHz)", "power", log="xy", title="A title")
    page = read_svg(figure._repr_svg_().encode())
    assert {"f (GHz)", "power", "A title", "0.1", "10"} <= set(page.words)
    line = max(page.paths, key=len)
    slopes = np.diff(line[:, 1]) / np.diff(line[:, 0])
    assert np.allclose(slopes, slopes[0], rtol=0.02)
    assert figure.table["slope"] == pytest.approx(x**-2)
    with pytest.raises(WavelabError):
        wavelab.figure(x, x, log="z")
    with pytest.raises(WavelabError):
        wavelab.figure(x, x[1:])
