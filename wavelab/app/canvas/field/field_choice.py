"""Who paints the field: the graphics card where there is one, the processor elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wavelab.app.base.qt import QtGui, QWidget
from wavelab.app.canvas.field.field_layer import FieldLayer
from wavelab.app.canvas.field.raster_field import RasterField

#: The shaders are written for this version.
OLDEST_OPENGL = (2, 1)
#: What the height view reads values from, part of OpenGL from this version on; and the name of the
#: number of textures that it may read, none on some cards of before 2007.  The flat view needs
#: neither.
FLOAT_TEXTURES, FLOAT_TEXTURES_SINCE = (b"GL_ARB_texture_float", b"GL_ARB_texture_rg"), (3, 0)
VERTEX_TEXTURES = 0x8B4C  # GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS
#: Parts of the names of OpenGL without a graphics card, in lower case.  On two cores and with
#: 2900 elements of order 4 at 1200 x 800 such a picture took 34 ms of processor time, and the one
#: of :mod:`wavelab.app.canvas.field.raster_field` 9 ms.
SOFTWARE_RENDERERS = ("llvmpipe", "softpipe", "swrast", "software rasterizer", "gdi generic")


@dataclass(frozen=True)
class OpenGLReport:
    """``problem`` says why OpenGL cannot be used, "" if it can; ``renderer`` who draws;
    ``relief`` whether it can draw the height view, too; ``vendor`` and ``version`` are as the
    driver says them."""

    problem: str = ""
    renderer: str = ""
    relief: bool = True
    vendor: str = ""
    version: str = ""

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
        floats = version >= FLOAT_TEXTURES_SINCE or all(map(context.hasExtension, FLOAT_TEXTURES))
        relief = floats and functions.glGetIntegerv(VERTEX_TEXTURES) >= 2
        renderer, vendor, named = (
            str(functions.glGetString(what))
            for what in (functions.GL_RENDERER, functions.GL_VENDOR, functions.GL_VERSION)
        )
        return OpenGLReport("", renderer, relief, vendor, named)
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
        return RasterField(parent, drawn=drawn)
    # vispy loads the OpenGL library when it is imported, which fails where there is none.
    from wavelab.app.canvas.field.opengl_field import OpenGLField

    return OpenGLField(parent, drawn=drawn, failed=failed, relief=report.relief)
