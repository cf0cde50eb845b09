"""What the canvas asks of the picture of the field, and the choice of who paints it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.app.qt import QImage, QtGui, QWidget
from wavelab.numerics.discretization import Discretization
from wavelab.output.palette import Rgb

#: The shaders are written for this version.
OLDEST_OPENGL = (2, 1)


class FieldLayer(Protocol):
    """Colours one nodal field; ``outside`` and ``limit`` and ``view`` may be set at any time,
    followed by :meth:`update`."""

    native: QWidget
    outside: Rgb
    limit: float
    view: ViewTransform

    def set_discretization(self, discretization: Discretization | None) -> None:
        """New geometry, quiet until values come."""
        ...

    def set_values(self, values: NDArray[np.floating]) -> None:
        """Nodal values, (n_elements, nodes_per_element) or flat.

        Raises
        ------
        ValueError : there is no discretization, or it has another number of nodes.
        """
        ...

    def set_palette(self, name: str) -> None: ...

    def update(self) -> None:
        """Paint soon."""
        ...

    def grab(self) -> QImage:
        """The picture now, in device pixels."""
        ...

    def close(self) -> None: ...


def checked_values(values: NDArray[np.floating], nodes: int) -> NDArray[np.float32]:
    """Flat float32 values for a field of that many nodes, 0 standing for no field at all.

    Raises
    ------
    ValueError : another number of values.
    """
    if nodes == 0 or np.size(values) != nodes:
        raise ValueError(f"{np.size(values)} values for {nodes} nodes")
    return np.ascontiguousarray(values, dtype=np.float32).reshape(-1)


def opengl_problem() -> str:
    """Why OpenGL cannot be used on this screen, "" if it can.

    Asked before the first OpenGL widget is made: a window that holds one and gets no context shows
    nothing at all, not even its buttons.
    """
    context = QtGui.QOpenGLContext()
    surface = QtGui.QOffscreenSurface()
    surface.create()
    if not context.create() or not context.makeCurrent(surface):
        return "this screen offers no OpenGL"
    version = tuple(context.format().version())
    context.doneCurrent()
    if version < OLDEST_OPENGL:
        return f"this screen offers OpenGL {version[0]}.{version[1]}, and 2.1 is needed"
    return ""


def make_field_layer(
    parent: QWidget, *, drawn: Callable[[], None], failed: Callable[[str], None]
) -> FieldLayer:
    """The OpenGL picture where that works, the processor's elsewhere.

    Parameters
    ----------
    parent : widget it lives in.
    drawn : called after each picture.
    failed : called, possibly at once, with the reason why OpenGL is not used.
    """
    problem = opengl_problem()
    if problem:
        failed(problem)
        return make_raster_field(parent, drawn=drawn)
    # vispy loads the OpenGL library when it is imported, which fails where there is none.
    from wavelab.app.canvas.opengl_field import OpenGLField

    return OpenGLField(parent, drawn=drawn, failed=failed)


def make_raster_field(parent: QWidget, *, drawn: Callable[[], None]) -> FieldLayer:
    """The processor's picture."""
    from wavelab.app.canvas.raster_field import RasterField

    return RasterField(parent, drawn=drawn)
