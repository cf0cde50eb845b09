"""The field: one draw call of triangles whose colours come from one number per node.

Positions and triangles are uploaded when the discretization changes, the palette as a 256-entry
texture when it changes, and per frame nothing but the values.  Elements of a few pixels are drawn
by fewer triangles: a card has better things to do than a dozen for each pixel.  The height view is
made when it is first looked at, see :mod:`wavelab.app.canvas.field.opengl_relief`; of the two only
the one on show gets values.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import vispy
from numpy.typing import NDArray
from vispy import app, gloo

from wavelab.app.base.qt import QImage, QWidget
from wavelab.app.canvas.field.field_layer import checked_values
from wavelab.app.canvas.field.opengl_relief import OpenGLRelief
from wavelab.app.canvas.view_transform import ViewTransform
from wavelab.numerics.elements.subdivision import divisors, subtriangles
from wavelab.numerics.fields.discretization import Discretization
from wavelab.output.palette import SMALLEST_LIMIT, Rgb, palette_info, palette_table
from wavelab.output.relief import Camera
from wavelab.timeline import NO_TIMELINE

vispy.use("pyqt5")

VERTEX_SHADER = """
attribute vec2 a_position;
attribute float a_value;
uniform vec2 u_factor;
uniform vec2 u_shift;
varying float v_value;
void main() {
    v_value = a_value;
    gl_Position = vec4(u_factor * a_position + u_shift, 0.0, 1.0);
}
"""

FRAGMENT_SHADER = """
uniform sampler2D u_palette;
uniform float u_gain;
uniform float u_full;
uniform float u_offset;
uniform float u_decades;
varying float v_value;
void main() {
    float shown = u_gain * v_value;
    if (u_decades > 0.0) {
        float tens = log(max(abs(shown) / u_full, 1e-37)) / 2.302585093;
        shown = sign(shown) * u_full * clamp(1.0 + tens / u_decades, 0.0, 1.0);
    }
    float entry = clamp(shown + u_offset, 0.5, 255.5);
    gl_FragColor = vec4(texture2D(u_palette, vec2(entry / 256.0, 0.5)).rgb, 1.0);
}
"""

#: Elements that share a node compute it each for themselves.  Rounded to this grid (domain size
#: 2) the copies agree to the last bit, so that no pixel falls between two elements.
POSITION_GRID = 2.0**-22
#: Pixels of the screen between corners of triangles, at most, where a mesh has so many nodes.
FINEST = 2.0
#: Of each pixel at borders, for smooth outlines; Qt takes fewer where the driver has not so many.
#: A depth buffer is always there: Qt gives one to every picture that a widget draws into.
SAMPLES = 4


class OpenGLField(app.Canvas):
    """OpenGL widget that shows one nodal field.

    Parameters
    ----------
    parent : Qt widget it lives in.
    drawn : called after each picture.
    failed : called once with the reason if OpenGL cannot do it; nothing is tried again.
    relief : whether the driver offers what the height view needs.
    """

    def __init__(
        self,
        parent: QWidget,
        *,
        drawn: Callable[[], None],
        failed: Callable[[str], None],
        relief: bool = True,
    ) -> None:
        super().__init__(
            parent=parent,
            keys=None,
            show=False,
            autoswap=False,
            vsync=False,
            config={"samples": SAMPLES},
        )
        self.draws_relief = relief
        self._drawn = drawn
        self._failed = failed
        self._broken = False
        self._program: gloo.Program | None = None
        self._value_buffer: gloo.VertexBuffer | None = None
        # By the cuts of each face.
        self._index_buffers: dict[int, gloo.IndexBuffer] = {}
        self._positions: NDArray[np.float32] | None = None
        self._values: NDArray[np.float32] | None = None
        self._discretization: Discretization | None = None
        self._relief: OpenGLRelief | None = None
        self._palette = "berlin"
        self._table: gloo.Texture2D | None = None
        self._stale = {"geometry", "values", "relief values", "palette"}
        self.outside: Rgb = (0, 0, 0)
        self.limit = 1.0
        self.decades: int | None = None
        self.view = ViewTransform()
        self.camera: Camera | None = None
        self.timeline = NO_TIMELINE
        self._origin, self._unit = (0.0, 0.0), 1.0

    def set_discretization(self, discretization: Discretization | None) -> None:
        self._discretization, self._relief = discretization, None
        if discretization is None:
            self._positions = self._values = None
        else:
            nodes = np.stack([discretization.x, discretization.y], axis=-1).reshape(-1, 2)
            lower, upper = nodes.min(axis=0), nodes.max(axis=0)
            middle = (lower + upper) / 2
            self._origin = float(middle[0]), float(middle[1])
            self._unit = float((upper - lower).max()) / 2 or 1.0
            scaled = (nodes - middle) / self._unit
            self._positions = (np.rint(scaled / POSITION_GRID) * POSITION_GRID).astype(np.float32)
            self._values = np.zeros(len(nodes), np.float32)
        self._stale |= {"geometry", "values", "relief values"}
        self.update()

    def set_values(self, values: NDArray[np.floating]) -> None:
        self._values = checked_values(values, 0 if self._values is None else len(self._values))
        self._stale |= {"values", "relief values"}
        self.update()

    def set_palette(self, name: str) -> None:
        palette_info(name)
        self._palette = name
        self._stale.add("palette")
        self.update()

    def grab(self) -> QImage:
        return self.native.grabFramebuffer()

    def on_draw(self, event: object) -> None:
        """Called by vispy with the context current; an exception here would end the program."""
        if self._broken:
            return
        try:
            with self.timeline.span("draw field"):
                self._draw()
                self.context.flush_commands()
        except Exception as error:
            self._broken = True
            first_line = str(error).strip().splitlines()[0] if str(error).strip() else ""
            self._failed(f"OpenGL cannot draw it: {first_line or type(error).__name__}")
            return
        self._drawn()

    def _draw(self) -> None:
        ratio = self.native.devicePixelRatioF()
        width = round(self.native.width() * ratio)
        height = round(self.native.height() * ratio)
        gloo.set_viewport(0, 0, width, height)
        r, g, b = self.outside
        gloo.clear(color=(r / 255, g / 255, b / 255, 1.0), depth=False, stencil=False)
        if self._positions is None or width < 1 or height < 1:
            return
        if "palette" in self._stale:
            self._table = gloo.Texture2D(
                palette_table(self._palette)[None, :, :].copy(),
                interpolation="nearest",
                wrapping="clamp_to_edge",
            )
            self._stale.remove("palette")
        if self.camera is None:
            self._draw_flat()
        else:
            self._draw_relief(self.camera, (width, height))

    def _draw_flat(self) -> None:
        gloo.set_state(depth_test=False, blend=False, cull_face=False)
        program = self._upload()
        factor, shift = self.view.clip_transform(self._origin, self._unit)
        program["u_factor"] = factor
        program["u_shift"] = shift
        program["u_palette"] = self._table
        # The same entry for the same value as output.palette.colorize.
        diverging = palette_info(self._palette).diverging
        program["u_full"] = full = 127.5 if diverging else 255.0
        program["u_gain"] = full / max(self.limit, SMALLEST_LIMIT)
        program["u_decades"] = float(self.decades or 0)
        program["u_offset"] = 128.0 if diverging else 0.5
        program.draw("triangles", self._index_buffers[self._cuts()])

    def _upload(self) -> gloo.Program:
        if self._program is None:
            self._program = gloo.Program(VERTEX_SHADER, FRAGMENT_SHADER)
        program = self._program
        if "geometry" in self._stale:
            program["a_position"] = gloo.VertexBuffer(self._positions)
            self._value_buffer = gloo.VertexBuffer(self._values)
            program["a_value"] = self._value_buffer
            self._index_buffers.clear()
        elif "values" in self._stale:
            assert self._value_buffer is not None
            self._value_buffer.set_data(self._values)
        self._stale -= {"geometry", "values"}
        if (cuts := self._cuts()) not in self._index_buffers:
            self._index_buffers[cuts] = gloo.IndexBuffer(self._triangles(cuts))
        return program

    def _cuts(self) -> int:
        """Parts of each face, the same for all elements, which share faces."""
        d = self._discretization
        assert d is not None
        ratio = self.native.devicePixelRatioF()
        pixels = ratio * self.view.scale * float(d.mesh.longest_edges.max())
        return next((cuts for cuts in divisors(d.order) if pixels <= FINEST * cuts), d.order)

    def _triangles(self, cuts: int) -> NDArray[np.uint32]:
        """Node numbers, one after the other."""
        d = self._discretization
        assert d is not None
        first = d.nodes_per_element * np.arange(d.n_elements)
        return (first[:, None, None] + subtriangles(d.order, cuts)).astype(np.uint32).reshape(-1)

    def _draw_relief(self, camera: Camera, size: tuple[int, int]) -> None:
        assert self._discretization is not None
        if self._relief is None:
            self._relief = OpenGLRelief(self._discretization)
        if "relief values" in self._stale:
            assert self._values is not None
            self._relief.set_values(self._values)
            self._stale.remove("relief values")
        self._relief.draw(camera, size, self._palette, self._table, self.limit, self.decades)
