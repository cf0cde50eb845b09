"""Movies recorded in the window show what the canvas shows: walls, media, names, the scale bar."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest

from tests.sample_scenes import boxed
from wavelab.app.edits.domain_edits import cut_hole
from wavelab.scene.model.shapes import Rectangle

#: Nothing moves in it, so all that changes is drawn.
STILL = boxed(
    "Still",
    """\
[[materials]]
name = "glass"
epsilon = 2
shape = "rectangle"
lower = [0.2, 0.2]
upper = [0.5, 0.8]
[[probes]]
name = "ear"
position = [0.7, 0.5]
[solver]
element_size = 0.2
order = 2
precision = "double"
""",
)


def pictures(path: Path) -> list[np.ndarray]:
    with av.open(str(path)) as movie:
        return [frame.to_ndarray(format="rgb24").astype(int) for frame in movie.decode(video=0)]


@pytest.fixture
def still(start, tmp_path):
    path = tmp_path / "still.toml"
    path.write_text(STILL)
    return start(path)


def record(driver, path: Path, during=lambda: None) -> list[np.ndarray]:
    driver.dialogs.path = path
    driver.press("U")
    driver.press("F9")

    def more(frames: int) -> None:
        recorded = driver.session.solver.recording.frames
        driver.until(lambda: driver.session.solver.recording.frames >= recorded + frames)

    driver.until(lambda: driver.session.solver.recording is not None)
    more(3)
    during()
    more(3)
    driver.press("F9")
    driver.until(lambda: driver.session.solver.recording is None)
    return pictures(path)


def pixel(driver, picture: np.ndarray, x: float, y: float, reach: int = 1) -> np.ndarray:
    """Mean colour round a place, which no encoder blurs away."""
    view = driver.canvas.view
    column, row = view.to_pixels((x, y))
    height, width, _ = picture.shape
    i, j = round(row * height / view.height), round(column * width / view.width)
    return picture[i - reach : i + reach + 1, j - reach : j + reach + 1].reshape(-1, 3).mean(axis=0)


def test_a_movie_looks_like_the_canvas(still, tmp_path):
    seen = still.canvas.grab_rgb().astype(int)
    first = record(still, tmp_path / "wave.mp4")[0]
    assert np.abs(seen.shape[0] / seen.shape[1] - first.shape[0] / first.shape[1]) < 0.02
    # The wall, the rim of the glass, the glass, the probe, what is outside, the scale bar.
    view = still.canvas.view
    bar = view.to_scene((20.0, view.height - 12.0))
    places = [(0.5, 0.0), (0.2, 0.6), (0.35, 0.5), (0.9, 0.9), (-0.05, 0.5), tuple(bar)]
    spots = [(x, y, 1) for x, y in places] + [(0.7, 0.5, 7)]
    for spot in spots:
        # The sides of a movie are even, so a line may lie on its pixels in another way than here.
        x, y, reach = spot
        there, here = (pixel(still, p, x, y, reach + 2) for p in (seen, first))
        assert np.abs(there - here).max() < 20, spot
    # These can be told apart from the quiet field.
    quiet = pixel(still, first, 0.9, 0.9)
    for spot in (*spots[:3], *spots[-2:]):
        assert np.abs(pixel(still, first, *spot) - quiet).max() > 8, spot


def test_lines_follow_an_edit_while_it_is_recorded(still, tmp_path):
    def cut() -> None:
        scene = still.session.scene
        still.bench.editor.apply(cut_hole(scene, Rectangle((0.6, 0.15), (0.9, 0.3))))
        still.settled()

    shown = record(still, tmp_path / "wave.mp4", cut)
    before, after = (pixel(still, picture, 0.75, 0.3) for picture in (shown[0], shown[-1]))
    assert after.mean() > before.mean() + 40


def test_lines_stay_while_the_height_view_is_looked_at(still, tmp_path):
    def look() -> None:
        still.press("J")
        still.next_frame()

    shown = record(still, tmp_path / "wave.mp4", look)
    before, after = (pixel(still, picture, 0.2, 0.6) for picture in (shown[0], shown[-1]))
    assert np.abs(before - after).max() < 12


def test_a_movie_without_marks(still, tmp_path):
    """The walls and the glass stay, which the wave is in."""
    still.press("H")
    still.until(lambda: still.canvas.width() == still.window.width())
    first = record(still, tmp_path / "wave.mp4")[0]
    quiet = pixel(still, first, 0.9, 0.9)
    view = still.canvas.view
    bar = view.to_scene((20.0, view.height - 12.0))
    outside = pixel(still, first, -0.05, 0.5)
    assert np.abs(pixel(still, first, 0.7, 0.5, 7) - quiet).max() < 4
    assert np.abs(pixel(still, first, *bar) - outside).max() < 4
    for spot in ((0.2, 0.6), (0.35, 0.5), (0.5, 0.0)):
        assert np.abs(pixel(still, first, *spot) - quiet).max() > 8, spot
