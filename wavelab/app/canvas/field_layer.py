"""What the canvas asks of the picture of the field, and the choice of who paints it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.app.qt import QImage, QtGui, QWidget
from wavelab.numerics.discretization import Discretization
from wavelab.output.palette import Rgb
from wavelab.timeline import Timeline

#: The shaders are written for this version.
OLDEST_OPENGL = (2, 1)
#: Parts of the names of OpenGL without a graphics card, in lower case.  On two cores and with
#: 2900 elements of order 4 at 1200 x 800 such a picture took 34 ms of processor time, and the one
#: of :mod:`wavelab.app.canvas.raster_field` 9 ms.
SOFTWARE_RENDERERS = ("llvmpipe", "softpipe", "swrast", "software rasterizer", "gdi generic")


class FieldLayer(Protocol):
    """Colours one nodal field; ``outside`` and ``limit`` and ``view`` may be set at any time,
    followed by :meth:`update`.  ``timeline`` gets how long painting takes."""

    native: QWidget
    outside: Rgb
    limit: float
    view: ViewTransform
    timeline: Timeline

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


@dataclass(frozen=True)
class OpenGLReport:
    """``problem`` says why OpenGL cannot be used, "" if it can; ``renderer`` who draws."""

    problem: str = ""
    renderer: str = ""

    @property
    def is_software(self) -> bool:
        """Whether the processor imitates a graphics card."""
        return any(name in self.renderer.lower() for name in SOFTWARE_RENDERERS)


def opengl_report() -> OpenGLReport:
    """What OpenGL there is on this screen.

    Asked before the first OpenGL widget is made: a window that holds one and gets no context shows
    nothing at all, not even its buttons.
    """
    context = QtGui.QOpenGLContext()
    surface = QtGui.QOffscreenSurface()
    surface.create()
    if not context.create() or not context.makeCurrent(surface):
        return OpenGLReport("this screen offers no OpenGL")
    try:
        version = tuple(context.format().version())
        profile = QtGui.QOpenGLVersionProfile()
        profile.setVersion(2, 0)
        functions = context.versionFunctions(profile)
        if version < OLDEST_OPENGL or functions is None:
            found = ".".join(map(str, version))
            return OpenGLReport(f"this screen offers OpenGL {found}, and 2.1 is needed")
        functions.initializeOpenGLFunctions()
        return OpenGLReport(renderer=str(functions.glGetString(functions.GL_RENDERER)))
    finally:
        context.doneCurrent()


def make_field_layer(
    parent: QWidget, *, drawn: Callable[[], None], failed: Callable[[str], None]
) -> FieldLayer:
    """The graphics card's picture where there is one, the processor's elsewhere.

    Parameters
    ----------
    parent : widget it lives in.
    drawn : called after each picture.
    failed : called, possibly at once, with the reason why OpenGL cannot be used.
    """
    report = opengl_report()
    if report.problem:
        failed(report.problem)
    if report.problem or report.is_software:
        return make_raster_field(parent, drawn=drawn)
    # vispy loads the OpenGL library when it is imported, which fails where there is none.
    from wavelab.app.canvas.opengl_field import OpenGLField

    return OpenGLField(parent, drawn=drawn, failed=failed)


def make_raster_field(parent: QWidget, *, drawn: Callable[[], None]) -> FieldLayer:
    """The processor's picture."""
    from wavelab.app.canvas.raster_field import RasterField

    return RasterField(parent, drawn=drawn)
