"""The height view painted by the processor, while the relief of another mesh is being made."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from tests.app.canvas.places import until
from tests.sample_meshes import jittered_square
from wavelab.app.base.qt import QtWidgets
from wavelab.app.canvas.field import raster_relief
from wavelab.app.canvas.field.raster_field import RasterField
from wavelab.numerics.fields.discretization import Discretization, discretize
from wavelab.output.relief import Camera, Relief


class _Gate:
    """Makes reliefs only while it is open, and counts them."""

    def __init__(self) -> None:
        self.open, self.made = threading.Event(), 0
        self.open.set()

    def __call__(self, discretization: Discretization) -> Relief:
        self.made += 1
        self.open.wait()
        return Relief(discretization)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[_Gate]:
    gate = _Gate()
    monkeypatch.setattr(raster_relief, "Relief", gate)
    yield gate
    gate.open.set()


def test_the_last_picture_stays_until_the_relief_of_another_mesh_is_ready(application, gate):
    parent = QtWidgets.QWidget()
    parent.resize(320, 240)
    view = RasterField(parent, drawn=lambda: None)
    view.resize(320, 240)
    parent.show()
    gate.open.clear()
    coarse, fine = discretize(jittered_square(2), 3), discretize(jittered_square(3), 3)
    view.set_discretization(coarse)
    view.camera = Camera()
    raising = _shown(view)
    assert len(np.unique(raising.reshape(-1, 4), axis=0)) > 1, "says that it is being made"
    gate.open.set()
    until(lambda: view.sharp)
    view.set_values(np.ones(coarse.shape, np.float32))
    before = _shown(view)

    gate.open.clear()
    view.set_discretization(fine)
    view.set_values(-np.ones(fine.shape, np.float32))
    assert not view.sharp
    assert np.array_equal(_shown(view), before)
    gate.open.set()
    until(lambda: view.sharp)
    assert not np.array_equal(_shown(view), before)

    assert gate.made == 2
    after = _shown(view)
    view.camera = None
    view.camera = Camera()
    assert view.sharp
    assert gate.made == 2, "the relief of this mesh is there"
    assert np.array_equal(_shown(view), after)

    view.camera = None
    view.set_discretization(coarse)
    gate.open.clear()
    view.camera = Camera()
    assert np.array_equal(_shown(view), raising), "nothing of what was seen long ago"
    gate.open.set()
    until(lambda: view.sharp)

    view.set_discretization(fine)
    crisp = view.grab()
    assert view.sharp, "who asks for the picture gets it"
    ratio = view.devicePixelRatioF()
    assert (crisp.width(), crisp.height()) == (round(320 * ratio), round(240 * ratio))
    parent.close()


def _shown(view: RasterField) -> np.ndarray:
    """(height, width, 4) bytes on the screen."""
    image = QtWidgets.QWidget.grab(view).toImage()
    bits = image.constBits()
    bits.setsize(image.sizeInBytes())
    return np.frombuffer(bits, np.uint8).reshape(image.height(), image.width(), 4).copy()
