"""Monitors in scene files: what is refused, and what it says."""

from __future__ import annotations

import pytest

from wavelab.errors import SceneError
from wavelab.scene.monitors import MONITORS, FluxMonitor, monitor_kind
from wavelab.scene.toml.toml_io import dump_scene, parse_scene

HEAD = """
title = "s"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[solver]
element_size = 0.1
until = 5
[[monitors]]
name = "m"
"""
FLUX = 'kind = "flux"\nvertices = [[0, 0], [1, 1]]\n'
FAR = 'kind = "far_field"\nshape = "ellipse"\ncenter = [0.5, 0.5]\nradii = [0.3, 0.3]\n'


def test_each_kind_comes_back() -> None:
    text = f"""{HEAD}{FLUX}closed = false
frequencies = [1.5, 2]
window = "hann"
[[monitors]]
kind = "line"
vertices = [[0, 0.5], [1, 0.5]]
count = 7
[[monitors]]
kind = "energy"
shape = "rectangle"
lower = [0, 0]
upper = [0.5, 0.5]
[[monitors]]
kind = "field"
frequencies = [3]
begin = 1
[[monitors]]
kind = "intensity"
end = 4
[[monitors]]
{FAR}frequencies = [2]
[[monitors]]
kind = "modes"
vertices = [[0.5, 0], [0.5, 1]]
frequencies = [2, 2.5]
modes = 3
[[monitors]]
kind = "half_space"
vertices = [[0.2, 0.5], [0.8, 0.5]]
frequencies = [2]
"""
    scene = parse_scene(text)
    assert {monitor_kind(m) for m in scene.monitors} == set(MONITORS)
    assert scene.monitors[0] == FluxMonitor(
        "m", ((0.0, 0.0), (1.0, 1.0)), frequencies=(1.5, 2.0), window="hann"
    )
    assert scene.monitors[1].name == "monitor 2"
    assert parse_scene(dump_scene(scene)) == scene


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ('kind = "flow"', 'kind is "flow"'),
        ('kind = "field"', "has no frequencies"),
        ('kind = "field"\nfrequencies = []', "has no frequencies"),
        ('kind = "field"\nfrequencies = [0]', "frequency 1 of monitor"),
        ('kind = "field"\nfrequencies = [1, -2]', "frequency 2 of monitor"),
        ('kind = "field"\nfrequencies = [1, 1]', "twice"),
        ('kind = "field"\nfrequencies = 1', "an array of numbers"),
        (f'kind = "field"\nfrequencies = {list(range(1, 300))}', "299 frequencies"),
        ('kind = "field"\nfrequencies = [1]\nbegin = 5', "begins at 5 and ends at 5"),
        ('kind = "field"\nfrequencies = [1]\nbegin = -1', "begins at -1"),
        ('kind = "field"\nfrequencies = [1]\nbegin = 2\nend = 1', "begins at 2 and ends at 1"),
        ('kind = "field"\nfrequencies = [1]\nwindow = "box"', "window is"),
        ('kind = "flux"\nvertices = [[0, 0]]', "1 different vertices"),
        (
            'kind = "modes"\nvertices = [[0, 0], [1, 0], [1, 1]]\nfrequencies = [1]',
            "has 3 vertices",
        ),
        (
            'kind = "modes"\nvertices = [[0, 0], [1, 0]]\nfrequencies = [1]\nmodes = 0',
            "tells 0 modes apart",
        ),
        ('kind = "flux"\nvertices = [[0, 0], [1, 0]]\nclosed = true', "at least 3"),
        ('kind = "flux"\nvertices = [[0, 0], [1, 0], [1, 0], [0, 1]]', "vertex 3 of monitor"),
        (
            'kind = "flux"\nvertices = [[0, 0], [1, 0], [1, 1], [0, 0]]\nclosed = true',
            "ends where it begins",
        ),
        (f"{FLUX}closed = 1", "true or false"),
        ('kind = "line"\nvertices = [[0, 0], [1, 0]]\ncount = 0', "0 points"),
        ('kind = "line"\nvertices = [[0, 0], [1, 0]]\nquantity = "energy"', "quantity is"),
        ('kind = "energy"', "has no shape"),
        (f"{FAR}frequencies = [1]\ndirections = 1", "1 directions"),
        (f"{FAR.replace('0.3, 0.3', '0.3, -0.3')}frequencies = [1]", "radii"),
        (f'{FLUX}[[monitors]]\nname = "m"\n{FLUX}', "2 monitors are named"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(body: str, says: str) -> None:
    with pytest.raises(SceneError, match=says) as error:
        parse_scene(HEAD + body)
    assert error.value.where.startswith("scene:1")
