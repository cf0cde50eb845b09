"""Open lines of drawings: what they make up end to end is an outline, and the rest is left out."""

from __future__ import annotations

import cmath
import math
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from wavelab.meshing.drawings.drawing_scene import scene_of_drawing_file
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shapes import smooth_outline

LINE = 'fill="none" stroke="black"'


def opened(folder: Path, inside: str) -> tuple[Scene, list[str]]:
    """The scene in a drawing of 40 by 40, and what was told of it."""
    path = folder / "a.svg"
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">{inside}</svg>')
    notes: list[str] = []
    return scene_of_drawing_file(path, notify=notes.append), notes


def area(scene: Scene) -> float:
    return shapely.Polygon(smooth_outline(scene.outline)[0]).area


@pytest.mark.parametrize(
    "hairline",
    [
        f'<path {LINE} d="M2 2L38 3"/>',
        f'<path {LINE} d="M12 12L20 30 22 30"/>',
        f'<path {LINE} d="M12 12C20 30 30 30 30 13"/>',
        f'<polyline {LINE} points="1 1 5 5 20 5"/>',
        '<line x1="3" y1="9" x2="12" y2="9" stroke="red"/>',
        '<path stroke="black" d="M2 2L38 3"/>',
        f'<path {LINE} d="M15 5V25"/><path {LINE} d="M15.1 5V25"/>',  # two beside each other
    ],
)
@pytest.mark.parametrize("paint", [LINE, ""])
def test_a_hairline_beside_an_outline_is_left_out(tmp_path, hairline, paint):
    hull = f'<path {paint} d="M10 10H30V30H10z"/>'
    alone, notes = opened(tmp_path, hull)
    assert notes == []
    beside, notes = opened(tmp_path, hull + hairline)
    assert (beside.outline, beside.holes) == (alone.outline, ())
    assert len(notes) == 1
    assert "open line" in notes[0]
    assert "nothing (a.svg)" in notes[0]


def test_what_nothing_paints_is_not_told_of(tmp_path):
    _, notes = opened(tmp_path, '<path d="M10 10H30V30H10z"/><path d="M2 2L9 3"/>')
    assert notes == []
    scene, notes = opened(tmp_path, '<rect width="9" height="9"/><wobble id="w"><rect/></wobble>')
    assert notes == ['left out wobble "w", which is not known (a.svg)']
    assert scene.holes == ()


def test_ellipses_as_thin_as_needles_are_left_out(tmp_path):
    scene, notes = opened(
        tmp_path, '<rect width="9" height="9"/><ellipse cx="4" cy="4" rx="3" ry="0.001"/>'
    )
    assert scene.holes == ()
    assert notes == ["left out 1 of the ellipses, as thin as needles (a.svg)"]


#: A half disk of radius 10 by its parts, each in both directions.
_ARC = ("M10 20A10 10 0 0 1 30 20", "M30 20A10 10 0 0 0 10 20")
_CHORD = ("M30 20H20", "M20 20H30"), ("M20 20H10", "M10 20H20")


@pytest.mark.parametrize("turned", range(8))
def test_lines_that_meet_end_to_end_are_an_outline(tmp_path, turned):
    parts = [_ARC[turned & 1], _CHORD[0][turned >> 1 & 1], _CHORD[1][turned >> 2 & 1]]
    scene, notes = opened(tmp_path, "".join(f'<path {LINE} d="{d}"/>' for d in parts))
    assert notes == ["made an outline of 3 lines that meet end to end (a.svg)"]
    # Its longer side becomes 2.
    assert area(scene) == pytest.approx(math.pi / 2, rel=2e-4)


@given(
    n=st.integers(3, 12),
    seed=st.integers(0, 2**20),
    gap=st.sampled_from([0.0, 5e-4, 0.01]),
)
@settings(max_examples=30)
def test_any_order_and_direction_gives_the_same_outline(tmp_path_factory, n, seed, gap):
    """A star of n corners as single lines; with gaps of rounding, or as a hand leaves them."""
    rng = np.random.default_rng(seed)
    ring = [
        20 + 20j + cmath.rect(rng.uniform(9, 14), math.tau * (k + rng.uniform(-0.2, 0.2)) / n)
        for k in range(n)
    ]
    lines = []
    for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
        ends = [a + gap * (b - a) / 2, b - gap * (b - a) / 2]
        lines.append(ends[:: 1 if rng.random() < 0.5 else -1])
    rng.shuffle(lines)
    inside = "".join(
        f'<line x1="{a.real}" y1="{a.imag}" x2="{b.real}" y2="{b.imag}" stroke="black"/>'
        for a, b in lines
    )
    scene, notes = opened(tmp_path_factory.mktemp("lines"), inside)
    assert len(notes) == 1
    word = "made an outline of" if gap < 1e-3 else "closed an outline of"
    assert notes[0].startswith(f"{word} {n}")
    exact = shapely.Polygon([(z.real, z.imag) for z in ring])
    x0, y0, x1, y1 = exact.bounds
    expected = exact.area * (2 / max(x1 - x0, y1 - y0)) ** 2
    assert area(scene) == pytest.approx(expected, rel=max(4 * gap, 1e-3))


def test_an_outline_that_is_nearly_closed_is_closed(tmp_path):
    scene, notes = opened(tmp_path, f'<path {LINE} d="M10.2 10H30V30H10V10.2"/>')
    assert notes[0].startswith("closed an outline of 1 open line")
    assert area(scene) == pytest.approx(4 - 0.0002, rel=1e-4)


def test_where_three_lines_meet_nothing_is_guessed(tmp_path):
    square = [
        f'<path {LINE} d="{d}"/>' for d in ("M12 12H28", "M28 12V28", "M28 28H12", "M12 28V12")
    ]
    frame = '<rect width="40" height="40"/>'
    scene, notes = opened(tmp_path, frame + "".join(square))
    assert len(scene.holes) == 1
    diagonal = f'<path {LINE} d="M12 12L28 28"/>'
    scene, notes = opened(tmp_path, frame + "".join(square) + diagonal)
    assert scene.holes == ()
    assert notes == ["left out 5 open lines, which enclose nothing (a.svg)"]
