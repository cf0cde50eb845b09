"""Figures of a headless run: what is on the page is where the scene has it."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.figure_files import read_pdf, read_svg
from wavelab.api.results import Field
from wavelab.errors import OutputError, WavelabError
from wavelab.meshing.job import mesh_scene
from wavelab.output.figures.pdf import encoded_pdf
from wavelab.output.figures.style import UNITS, Style
from wavelab.output.figures.svg import encoded_svg
from wavelab.output.palette import PALETTES, scaled
from wavelab.physics.problem import discretize_scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.headless.batch import run_batch
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.headless.batch_pictures import picture_pixels
from wavelab.simulation.headless.checkpoints import schedule
from wavelab.simulation.headless.checkpoints.checkpoint import read_checkpoint
from wavelab.simulation.headless.figures import field_figure
from wavelab.simulation.headless.preparing import stepper_to_end
from wavelab.simulation.headless.resuming import resume_batch

SCENE = """
title = "A slab"
[units]
length = "um"
[domain]
shape = "rectangle"
lower = [-1, 0]
upper = [2, 1]
[[holes]]
name = "post"
shape = "rectangle"
lower = [1.25, 0.25]
upper = [1.5, 0.5]
[[materials]]
name = "glass"
epsilon = 2
shape = "rectangle"
lower = [0, 0]
upper = [0.5, 1]
[[sources]]
name = "lamp"
position = [-0.5, 0.5]
radius = 0.1
amplitude = 5
waveform = { kind = "sine", frequency = 1 }
[[probes]]
name = "ear"
position = [0.75, 0.5]
[[monitors]]
name = "gate 1"
kind = "flux"
vertices = [[0.75, 0.1], [0.75, 0.9]]
frequencies = [1, 2]
[[monitors]]
name = "line"
kind = "line"
vertices = [[-0.5, 0.2], [0.75, 0.2]]
count = 5
[view]
limit = 0.2
[solver]
element_size = 0.25
order = 3
until = 1
"""
ALL = ("axes", "bar", "outlines", "marks", "title", "time")
QUIET = {"backend": "numpy", "progress": False}


@pytest.fixture(scope="module")
def run():
    """After its end."""
    scene = parse_scene(SCENE)
    problem = discretize_scene(scene, mesh_scene(scene))
    simulation = Simulation(problem, stepper_to_end(problem, BatchOptions(backend="numpy"), print))
    simulation.advance(problem.steps_to_end())
    return simulation


def pages(run, **style):
    figure = field_figure(run, run.problem.scene.view, Style(**{"parts": ALL} | style))
    drawing = figure.drawing()
    return figure, read_pdf(encoded_pdf(drawing)), read_svg(encoded_svg(drawing))


@pytest.mark.parametrize(
    ("size", "dpi"),
    [((None, None), 300), ((12.0, None), 72), ((14.0, 5.0), 97), ((6.0, 9.0), 72)],
)
def test_the_picture_is_that_of_a_file_of_its_size(run, size, dpi):
    """Pixel by pixel, at the resolution asked for, on a page of the size asked for."""
    wide, high = (side and side * UNITS["cm"] for side in size)
    figure, *both = pages(run, dpi=dpi, width=wide or Style.width, height=high)
    for page in both:
        assert page.width == pytest.approx(wide or Style.width, abs=72 / dpi)
        assert high is None or page.height == pytest.approx(high, abs=72 / dpi)
        (rgb, (x0, y0, x1, y1)), _ = page.images
        height, width = rgb.shape[:2]
        assert x1 - x0 == pytest.approx(width * 72 / dpi, abs=1e-3)
        assert y1 - y0 == pytest.approx(height * 72 / dpi, abs=1e-3)
        look = replace(run.problem.scene.view, palette="vik", limit=figure.field.colors.limit)
        assert np.array_equal(rgb, picture_pixels(run, look, (width, height)))


def test_numbers_along_the_axes_stand_where_the_scene_has_them(run):
    """A tick of 1 is where x or y is 1, and the rims of the glass, of the post and of the domain
    are lines through their places in the scene."""
    figure, pdf, svg = pages(run)
    for page in (pdf, svg):
        (_, box), _ = page.images
        on_page = partial(_on_page, figure.grid(), box)
        for text, x in (("\u22121", -1), ("0", 0), ("1", 1), ("2", 2)):
            marks = [p for p in page.paths if len(p) == 2 and abs(p[1, 1] - box[1]) < 1e-3]
            there = [p for p in marks if abs(p[0, 0] - on_page(x, 0)[0]) < 1e-3]
            assert len(there) == 1, text
            assert text in page.words
        for corners in (
            [(0, 0), (0.5, 0), (0.5, 1), (0, 1)],
            [(1.25, 0.25), (1.5, 0.25), (1.5, 0.5), (1.25, 0.5)],
            [(-1, 0), (2, 0), (2, 1), (-1, 1)],
        ):
            wished = np.array([on_page(*corner) for corner in corners])
            found = [p for p in page.paths if all(_through(p, corner) for corner in wished)]
            assert found, corners
        assert page.words.count("x (\u00b5m)") == page.words.count("y (\u00b5m)") == 1
        assert {"A slab", "lamp", "ear", "gate 1", "line", "Electric field Ez"} <= set(page.words)
        (time,) = (word for word in page.words if word.startswith("t = "))
        # One micrometre over the speed of light.
        assert time == "t = 3.336 fs"


def _on_page(grid, box, x, y):
    """From the middles of the pixels, which the table has."""
    (x0, y0, x1, y1), (xs, ys, _) = box, grid
    wide, high = (x1 - x0) / len(xs), (y1 - y0) / len(ys)
    across, up = (x - xs[0]) / (xs[1] - xs[0]), (y - ys[0]) / (ys[1] - ys[0])
    return x0 + (across + 0.5) * wide, y0 + (up + 0.5) * high


def _through(path, corner) -> bool:
    return bool((np.abs(path - corner).max(axis=1) < 2e-3).any())


def test_full_colour_is_that_of_a_picture_of_the_usual_size(run):
    view = replace(run.problem.scene.view, limit=None)
    limit = field_figure(run, view, Style()).field.colors.limit
    assert np.array_equal(
        picture_pixels(run, view, None), picture_pixels(run, replace(view, limit=limit), None)
    )


def test_only_what_is_asked_for_is_on_it(run):
    _, pdf, svg = pages(run, parts=())
    for page in (pdf, svg):
        ((_, box),) = page.images
        assert page.words == []
        assert page.paths == []
        assert box == pytest.approx((0, 0, page.width, page.height), abs=1e-3)
    _, pdf, _ = pages(run, parts=("bar",))
    assert "Electric field Ez" in pdf.words
    assert "x (\u00b5m)" not in pdf.words


@pytest.mark.parametrize(
    ("look", "words"),
    [
        ({"limit": 2.0, "quantity": "ez"}, ["\u22122.0", "2.0", "0"]),
        (
            {"limit": 0.01, "quantity": "energy", "decades": 3, "palette": "inferno"},
            ["10\u22125", "0.01"],
        ),
        ({"limit": 1.0, "quantity": "ez", "decades": 2}, ["\u22121", "1", "0.1", "\u22120.1"]),
        ({"quantity": "error"}, ["10\u22126", "1"]),
    ],
)
def test_ticks_of_the_colour_bar_stand_at_the_colours_of_their_values(run, look, words):
    view = replace(run.problem.scene.view, **look)
    figure = field_figure(run, view, Style(parts=("bar",), width=400, height=400))
    colors = figure.field.colors
    axis = colors.axis(300.0, 8.0)
    found = {text for _, text in axis.ticks}
    plain = {t.translate(str.maketrans("\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076",
                                       "\u22120123456")) for t in found}  # fmt: skip
    assert set(words) <= plain
    for part, text in axis.ticks:
        value = _number(text)
        if colors.of_error:
            assert part == pytest.approx(1 + math.log10(value) / 6)
            continue
        at = float(scaled(np.array(value), colors.limit, colors.decades))
        signed = PALETTES[colors.palette].diverging
        assert part == pytest.approx((1 + at) / 2 if signed else at, abs=1e-9)


def _number(text: str) -> float:
    digits = dict(zip("\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079",
                      "-0123456789", strict=True))  # fmt: skip
    mantissa, _, power = text.replace("\u2212", "-").partition("10")
    if power and power[0] in digits:
        exponent = int("".join(digits[c] for c in power))
        sign = -1 if mantissa.startswith("-") else 1
        factor = float(mantissa.strip("-\u00d7") or 1)
        return sign * factor * 10.0**exponent
    return float(text.replace("\u2212", "-"))


def test_levels_are_told_in_decibels_where_people_count_so():
    """20 dB a power of ten of a pressure, from 0 at full colour."""
    sound = SCENE.replace('title = "A slab"', 'title = "A room"\nphysics = "sound"')
    scene = parse_scene(sound.replace("epsilon = 2", "speed = 0.7"))
    problem = discretize_scene(scene, mesh_scene(scene))
    view = replace(scene.view, decades=3, limit=1.0, quantity="ez")
    simulation = Simulation(problem, stepper_to_end(problem, BatchOptions(backend="numpy"), print))
    colors = field_figure(simulation, view, Style()).field.colors
    axis = colors.axis(400.0, 8.0)
    assert axis.label == "Pressure p (dB)"
    assert axis.ticks[-1] == (1.0, "0")
    assert max(part for part, text in axis.ticks if text == "\u221220") == pytest.approx(5 / 6)


def test_the_numbers_behind_are_those_of_the_polynomials(run):
    figure = field_figure(run, run.problem.scene.view, Style(dpi=30))
    names, (x, y, values) = figure.table()
    assert names == ["x (\u00b5m)", "y (\u00b5m)", "ez"]
    d = run.problem.discretization
    there = np.isfinite(values)
    inside = (x > -1) & (x < 2) & (y > 0) & (y < 1)
    hole = (x > 1.25) & (x < 1.5) & (y > 0.25) & (y < 0.5)
    assert np.array_equal(there, inside & ~hole)
    exact = Field("ez", run.time, run.stepper.fields().ez, d)(x[there], y[there])
    assert np.allclose(values[there], exact, atol=1e-5 * np.abs(exact).max())
    assert len(set(x)) * len(set(y)) == len(values)


def test_the_light_ground_has_the_light_palettes_unless_another_is_asked_for(run):
    scene = run.problem.scene
    usual = field_figure(run, scene.view, Style())
    assert usual.field.colors.palette == "vik"
    assert field_figure(run, scene.view, Style(ground="dark")).field.colors.palette == "berlin"
    own = field_figure(run, scene.view, Style(), same_palette=True)
    assert own.field.colors.palette == scene.view.palette == "berlin"


def test_a_run_writes_figures_and_plots(tmp_path):
    """In all formats, names with spaces and all; the table of a curve is what was recorded."""
    told: list[str] = []
    forms = ("pdf", "svg", "png", "csv")
    options = BatchOptions(
        figure=tuple(tmp_path / f"f.{form}" for form in forms),
        plots=tuple(tmp_path / f"p.{form}" for form in forms),
        probes=tmp_path / "probes.csv",
        figure_style=Style(dpi=40),
        **QUIET,
    )
    summary = run_batch(parse_scene(SCENE), options, notify=told.append)
    stems = ("p_probes", "p_gate_1", "p_gate_1_spectrum", "p_line")
    plots = [str(tmp_path / f"{stem}.{form}") for form in forms for stem in stems]
    assert summary["plots"] == plots
    written = {path.name for path in tmp_path.iterdir()}
    assert written == {*(Path(p).name for p in plots), *(f"f.{f}" for f in forms), "probes.csv"}
    page = read_pdf((tmp_path / "p_gate_1_spectrum.pdf").read_bytes())
    assert {"mean power", "frequency f (THz)"} <= set(page.words)
    rows = list(csv.reader((tmp_path / "p_probes.csv").read_text("utf-8").splitlines()))
    own = np.loadtxt(tmp_path / "probes.csv", delimiter=",", skiprows=1)
    assert rows[0] == ["time t (fs)", "ear"]
    found = np.array(rows[1:], float)
    assert np.allclose(found[:, 0], own[:, 0] / 0.299792458, rtol=1e-14)
    assert np.array_equal(found[:, 1], own[:, 1])
    gather = list(csv.reader((tmp_path / "p_line.csv").read_text("utf-8").splitlines()))
    assert gather[0] == ["time t (fs)", *(f"receiver {i}" for i in range(1, 6))]
    assert not [text for text in told if "figure" in text]


def test_letters_that_pdf_has_not_and_a_relief_are_told(tmp_path):
    told: list[str] = []
    scene = parse_scene(SCENE.replace("A slab", "\u6771\u4eac"))
    scene = replace(scene, view=replace(scene.view, relief=(30.0, 40.0)))
    style = Style(parts=ALL, dpi=40)
    figure = (tmp_path / "f.pdf", tmp_path / "f.svg")
    options = BatchOptions(until=0.1, figure=figure, figure_style=style, **QUIET)
    run_batch(scene, options, notify=told.append)
    assert [text for text in told if "\u6771\u4eac" in text and text.startswith("f.pdf")]
    assert [text for text in told if "flat" in text]
    assert "\u6771\u4eac" in read_svg(figure[1].read_bytes()).words


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"figure": (Path("a.gif"),)}, r"\.pdf"),
        ({"plots": (Path("a.pdf"),), "figure": (Path("a.pdf"),)}, "two things"),
        ({"figure": (Path("nowhere/a.pdf"),)}, "nowhere"),
    ],
)
def test_files_that_cannot_be_are_refused_before_the_run(options, error, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutputError, match=error):
        run_batch(parse_scene(SCENE), BatchOptions(**options, **QUIET))


def test_a_scene_without_anything_to_plot_is_told_so(tmp_path):
    scene = replace(parse_scene(SCENE), probes=(), monitors=())
    with pytest.raises(WavelabError, match="nothing to plot"):
        run_batch(scene, BatchOptions(plots=(tmp_path / "a.pdf",), **QUIET))


@pytest.mark.parametrize(
    "style",
    [{"width": 10.0}, {"height": 1e6}, {"dpi": 5}, {"ground": "grey"}, {"parts": ("legend",)}],
)
def test_there_is_no_such_figure(style):
    with pytest.raises(OutputError):
        Style(**style)


def test_a_page_without_room_is_refused(run):
    with pytest.raises(OutputError, match="no room"):
        field_figure(run, run.problem.scene.view, Style(width=72, height=72, letters=20)).drawing()


class Killed(BaseException):
    pass


def test_figures_are_written_by_a_run_that_goes_on(tmp_path, monkeypatch):
    """Their look is part of a checkpoint."""
    scene, file = parse_scene(SCENE), tmp_path / "f.pdf"
    style = Style(dpi=40, ground="dark")
    options = BatchOptions(figure=(file,), figure_style=style, **QUIET)
    run_batch(scene, options)
    once, usual = file.read_bytes(), schedule.write_state
    file.unlink()

    def killed(*given):
        usual(*given)
        raise Killed

    monkeypatch.setattr(schedule, "write_state", killed)
    kept = tmp_path / "c.h5"
    with pytest.raises(Killed):
        run_batch(scene, replace(options, checkpoint=kept, every=0.0))
    monkeypatch.undo()
    assert not file.exists()
    begun = read_checkpoint(kept)
    resume_batch(begun, begun.options_again(BatchOptions(), kept), begun.scene_again())
    assert file.read_bytes() == once
