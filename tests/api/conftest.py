"""Small scenes of a program."""

from __future__ import annotations

import pytest

import wavelab

#: What a scene has that shows all that a run has in its course.
TABLES = {
    "domain": {"shape": "rectangle", "lower": [0, 0], "upper": [1, 1]},
    "walls": [{"edges": ["domain.right"], "kind": "absorbing"}],
    "sources": [
        {
            "name": "lamp",
            "position": [0.3, 0.4],
            "radius": 0.1,
            "amplitude": 10,
            "waveform": {"kind": "gaussian", "width": 0.1, "delay": 0.3},
        }
    ],
    "pings": [
        {"time": 0.0, "position": [0.6, 0.6], "radius": 0.1},
        {"time": 0.5, "position": [0.5, 0.5], "radius": 0.1},
    ],
    "probes": [{"name": "p", "position": [0.7, 0.4]}, {"name": "q", "position": [0.2, 0.2]}],
    "monitors": [
        {
            "name": "out",
            "kind": "flux",
            "vertices": [[0.8, 0], [0.8, 1]],
            "frequencies": [0.7, 1.2],
        },
        {
            "name": "half",
            "kind": "energy",
            "shape": "rectangle",
            "lower": [0, 0],
            "upper": [0.5, 1],
            "every": 3,
        },
    ],
    "solver": {"element_size": 0.3, "order": 3, "until": 1.0},
}


@pytest.fixture
def scene() -> wavelab.Scene:
    return wavelab.Scene("All in one", **TABLES)


@pytest.fixture
def quiet() -> dict:
    """On NumPy, without a bar."""
    return {"backend": "numpy", "progress": False}
