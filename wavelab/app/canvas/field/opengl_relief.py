"""The height view by OpenGL: triangles raised to the values of the field, and lit.

Values lie in a texture, from which each vertex takes those of its element and evaluates the
polynomial and its slope, by which it is lit; so a frame uploads the values and nothing else.  The
depth buffer hides what is behind.  See :mod:`wavelab.output.relief` for what the picture is, which
the processor paints alike.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from vispy import gloo

from wavelab.app.canvas.field.relief_mesh import ReliefMesh
from wavelab.arrays import Array
from wavelab.numerics.fields.discretization import Discretization
from wavelab.output.palette import SMALLEST_LIMIT, palette_info
from wavelab.output.relief import (
    AMBIENT,
    BEYOND,
    BRIGHTEST,
    DIFFUSE,
    HEIGHT,
    SHEEN,
    WALL,
    Camera,
    highest,
)

#: Values in a row of the texture, at most; whatever can draw this has textures that wide.
WIDEST_ROW = 8192

#: Of a value in units of the limit: the part of full colour, and how fast it changes there.
_SCALE = """
uniform float u_decades;
uniform float u_lowest;
vec2 scaled(float value) {
    float rate = 1.0;
    if (u_decades > 0.0) {
        float size = max(abs(value), 1e-37);
        float steepness = 1.0 / (2.302585093 * u_decades);
        float below = 1.0 + steepness * log(size);
        rate = below > 0.0 && below < 1.0 ? steepness / size : 0.0;
        value = sign(value) * clamp(below, 0.0, 1.0);
    }
    if (value < u_lowest || value > BEYOND) {
        rate = 0.0;
    }
    return vec2(clamp(value, u_lowest, BEYOND), rate);
}
"""

VERTEX_SHADER = """
attribute vec2 a_position;
attribute vec4 a_place;  // first column and row of the element, its point, what it belongs to
attribute vec4 a_metric;
uniform sampler2D u_values;
uniform sampler2D u_basis;
uniform vec2 u_texel;
uniform float u_gain;
uniform float u_tall;
uniform float u_floor;
uniform mat3 u_camera;
varying float v_value;
varying vec2 v_slope;
varying float v_wall;
varying float v_gone;
void main() {
    vec3 sum = vec3(0.0);  // the value and its derivatives by r and s
    for (int j = 0; j < int(NODES); j++) {
        vec2 at = u_texel * (a_place.xy + vec2(float(j) + 0.5, 0.5));
        vec2 of = vec2((float(j) + 0.5) / NODES, (a_place.z + 0.5) / POINTS);
        sum += u_gain * texture2D(u_values, at).r * texture2D(u_basis, of).rgb;
    }
    v_gone = sum.x >= 0.0 || sum.x < 0.0 ? 0.0 : 1.0;
    v_value = v_gone > 0.0 ? 0.0 : clamp(sum.x, -1e20, 1e20);
    v_slope = clamp(sum.y * a_metric.xy + sum.z * a_metric.zw, -1e20, 1e20);
    v_wall = a_place.w > 0.5 ? 1.0 : 0.0;
    float height = a_place.w > 1.5 ? u_floor : u_tall * scaled(v_value).x;
    gl_Position = vec4(u_camera * vec3(a_position, height), 1.0);
}
"""

FRAGMENT_SHADER = """
uniform sampler2D u_palette;
uniform float u_full;
uniform float u_offset;
uniform float u_tall;
uniform vec3 u_light;
varying float v_value;
varying vec2 v_slope;
varying float v_wall;
varying float v_gone;
void main() {
    if (v_gone > 0.0) {
        discard;
    }
    vec2 part = scaled(v_value);
    vec2 slope = clamp(u_tall * part.y * v_slope, -1e6, 1e6);
    float facing = (u_light.z - dot(u_light.xy, slope)) / sqrt(1.0 + dot(slope, slope));
    float bright = AMBIENT + DIFFUSE / u_light.z * max(facing, 0.0);
    bright = min(mix(bright, WALL * bright, v_wall), BRIGHTEST);
    float entry = clamp(u_full * part.x + u_offset, 0.5, 255.5);
    vec3 plain = texture2D(u_palette, vec2(entry / 256.0, 0.5)).rgb;
    gl_FragColor = vec4(bright * mix(plain, vec3(1.0), SHEEN), 1.0);
}
"""


class OpenGLRelief:
    """Draws into the OpenGL context that is current."""

    def __init__(self, discretization: Discretization) -> None:
        mesh = ReliefMesh.of(discretization)
        self._reach = mesh.reach
        n_points, n_nodes, _ = mesh.basis.shape
        across = max(1, min(WIDEST_ROW // n_nodes, discretization.n_elements))
        rows = -(-discretization.n_elements // across)
        self._width = n_nodes * across
        constants = {
            "NODES": n_nodes, "POINTS": n_points, "BEYOND": BEYOND, "AMBIENT": AMBIENT,
            "DIFFUSE": DIFFUSE, "WALL": WALL, "SHEEN": SHEEN, "BRIGHTEST": BRIGHTEST,
        }  # fmt: skip
        head = "".join(f"#define {name} {value:.9f}\n" for name, value in constants.items())
        program = gloo.Program(head + _SCALE + VERTEX_SHADER, head + _SCALE + FRAGMENT_SHADER)
        row, column = np.divmod(mesh.element, across)
        place = np.stack([n_nodes * column, row, mesh.point, mesh.kind], axis=1)
        program["a_position"] = gloo.VertexBuffer(mesh.positions)
        program["a_place"] = gloo.VertexBuffer(place.astype(np.float32))
        program["a_metric"] = gloo.VertexBuffer(mesh.metric)
        program["u_basis"] = gloo.Texture2D(mesh.basis, format="rgb", internalformat="rgb32f")
        self._values = gloo.Texture2D(
            shape=(rows, self._width, 1), format="red", internalformat="r32f"
        )
        program["u_values"] = self._values
        program["u_texel"] = 1 / self._width, 1 / rows
        self._program = program
        self._triangles = gloo.IndexBuffer(mesh.triangles.reshape(-1).view(np.uint32))

    def set_values(self, values: NDArray[np.float32]) -> None:
        """Flat nodal values."""
        full = len(values) // self._width
        if full:
            rows = values[: full * self._width].reshape(full, self._width)
            self._values.set_data(rows, offset=(0, 0))
        if full * self._width < len(values):
            self._values.set_data(values[None, full * self._width :], offset=(full, 0))

    def draw(
        self,
        camera: Camera,
        size: tuple[int, int],
        palette: str,
        table: gloo.Texture2D,
        limit: float,
        decades: int | None,
    ) -> None:
        """Parameters
        ----------
        size : (width, height) of the picture.
        palette, limit, decades : as of ``wavelab.output.palette.colorize``.
        table : the colours of the palette.
        """
        gloo.set_state(depth_test=True, blend=False, cull_face=False)
        gloo.clear(color=False, depth=True, stencil=False)
        program, reach = self._program, self._reach
        diverging = palette_info(palette).diverging
        program["u_palette"] = table
        program["u_gain"] = 1 / max(limit, SMALLEST_LIMIT)
        program["u_decades"] = float(decades or 0)
        program["u_lowest"] = -BEYOND if diverging else 0.0
        program["u_full"] = 127.5 if diverging else 255.0
        program["u_offset"] = 128.0 if diverging else 0.5
        program["u_tall"] = 2 * HEIGHT * reach
        program["u_floor"] = -highest(reach)
        program["u_light"] = camera.light()
        program["u_camera"] = self._matrix(camera, size).T.ravel()
        program.draw("triangles", self._triangles)

    def _matrix(self, camera: Camera, size: tuple[int, int]) -> Array:
        """(3, 3), from x, y and height to OpenGL's clip coordinates."""
        sine, cosine = math.sin(camera.turn), math.cos(camera.turn)
        away_up, rise = math.sin(camera.tilt), math.cos(camera.tilt)
        scale = 2 * camera.scale(self._reach, size)
        # Near is -1 and far is 1; nothing is further than this from the middle.
        depth = self._reach + highest(self._reach)
        rows = np.array(
            [
                [cosine, sine, 0.0],
                [-sine * away_up, cosine * away_up, rise],
                [-sine * rise, cosine * rise, -away_up],
            ]
        )
        return rows * [[scale / size[0]], [scale / size[1]], [1 / depth]]
