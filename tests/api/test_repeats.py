"""Rows and grids of a program make the waves that items one by one make."""

from __future__ import annotations

import numpy as np
import pytest

import wavelab
from wavelab.errors import SceneError

SOURCE = {
    "name": "plates",
    "kind": "region",
    "shape": "rectangle",
    "amplitude": 100,
    "waveform": {"kind": "gaussian", "width": 0.16, "delay": 0.3},
}
ROOM = {
    "domain": {"shape": "rectangle", "lower": [0, 0], "upper": [1.5, 1]},
    "solver": {"element_size": 0.18, "order": 3, "until": 0.6, "precision": "double"},
}


def rod(number, center):
    return {
        "name": f"rod {number}",
        "epsilon": 9,
        "shape": "ellipse",
        "center": center,
        "radii": [0.05, 0.05],
    }


def post(number, corner):
    (x, y), size = corner, 0.08
    return {
        "name": f"post {number}",
        "shape": "rectangle",
        "lower": [x, y],
        "upper": [round(x + size, 3), round(y + size, 3)],
    }


def plate(number, corner):
    x, y = corner
    box = {"lower": [x, y], "upper": [round(x + 0.05, 3), 0.2]}
    return SOURCE | {"name": f"plate {number}"} | box


BY_HAND = wavelab.Scene(
    "by hand",
    **ROOM,
    holes=[post(i, [0.1, y]) for i, y in enumerate((0.3, 0.5, 0.7))],
    materials=[
        rod(i, center)
        for i, center in enumerate(
            [
                [0.5, 0.3],
                [0.7, 0.3],
                [0.9, 0.3],
                [0.6, 0.5],
                [1.0, 0.5],
                [0.7, 0.7],
                [0.9, 0.7],
                [1.1, 0.7],
            ]
        )
    ],
    walls=[{"edges": ["post 0", "post 1", "post 2"], "kind": "magnetic"}],
    sources=[plate(0, [1.2, 0.1])],
)
REPEATED = wavelab.Scene(
    "repeated",
    **ROOM,
    parameters={"a": 0.2},
    holes=[post(0, [0.1, 0.3]) | {"name": "posts", "repeat": {"count": 3, "pitch": [0, "a"]}}],
    materials=[
        rod(0, [0.5, 0.3])
        | {
            "name": "rods",
            "repeat": {
                "count": [3, 3],
                "pitch": [["a", 0], ["a/2", "a"]],
                "without": np.array([[2, 2]]),
            },
        }
    ],
    walls=[{"edges": ["posts"], "kind": "magnetic"}],
    sources=[plate(0, [1.2, 0.1])],
)


def fields(scene, quiet):
    simulation = wavelab.Simulation(scene, **quiet)
    simulation.run()
    return [simulation.field(name) for name in ("ez", "hx", "hy")]


def test_the_fields_are_those_of_items_one_by_one_to_the_bit(quiet):
    by_hand, repeated = (fields(scene, quiet) for scene in (BY_HAND, REPEATED))
    assert np.abs(by_hand[0].values).max() > 0.1
    for alone, copies in zip(by_hand, repeated, strict=True):
        assert np.array_equal(alone.x, copies.x)
        assert np.array_equal(alone.values, copies.values)


def test_a_row_of_sources_sends_what_they_send_together(quiet):
    row = plate(0, [1.2, 0.1]) | {"repeat": {"count": 2, "pitch": [0.1, 0]}}
    together, apart = (
        fields(wavelab.Scene("plates", **ROOM, sources=sources), quiet)[0].values
        for sources in ([row], [plate(i, [x, 0.1]) for i, x in enumerate((1.2, 1.3))])
    )
    assert np.abs(together - apart).max() < 1e-13 * np.abs(apart).max()


def test_they_are_changed_by_name():
    wider = REPEATED.with_("materials.rods.repeat.pitch", [[0.25, 0], [0.1, 0.2]])
    assert wider.model.materials[0].shape.parts()[1].center == (0.75, 0.3)
    assert wider.with_("holes.posts.repeat.count", 2).model.holes[0].shape.repeat.count == 2
    closer = REPEATED.with_("a", 0.16).model
    assert [part.lower[1] for part in closer.holes[0].shape.parts()] == [0.3, 0.46, 0.62]
    alone = wider.with_("materials.rods.repeat.kind", "none")
    assert alone.model.materials[0].shape.center == (0.5, 0.3)
    assert wavelab.Scene.from_toml(wider.to_toml()) == wider
    with pytest.raises(SceneError, match="2,500 copies of one item at most"):
        REPEATED.with_("materials.rods.repeat.count", [10**9, 10**9])
