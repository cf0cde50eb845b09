"""Modes as files: a picture of their shapes, and their fields as HDF5."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wavelab.arrays import Array
from wavelab.atomic import EachFile, check_target
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.sampling import PixelSampler, fit_extent
from wavelab.output import picture
from wavelab.output.files import measurements
from wavelab.output.palette import colorize, palette_fit, surroundings
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.simulation.studies.modes.resonances import Resonances

#: Pixels between two shapes.
_GAP = 4


def check_mode_files(image: Path | None, shapes: Path | None) -> None:
    """Refuse paths that cannot be written, before anything is computed.

    Raises
    ------
    OutputError : says which.
    """
    for path, suffixes in ((image, picture.SUFFIXES), (shapes, measurements.SUFFIXES)):
        if path is not None:
            check_target(path, suffixes)


def write_mode_files(
    found: Resonances, image: Path | None, shapes: Path | None, size: tuple[int, int]
) -> None:
    """Write what was asked for.

    Parameters
    ----------
    size : width and height of the picture.
    """
    files = EachFile()
    if image is not None:
        with files.written():
            picture.write_png(image, mode_pictures(found, *size))
    if shapes is not None:
        scene, d = found.problem.scene, found.problem.discretization
        results = []
        for i, mode in enumerate(found.modes, 1):
            numbers = {"frequency": mode.frequency, "decay": mode.decay, "q": mode.quality}
            names = found.problem.operator.fields.names
            arrays = {"x": d.x, "y": d.y} | dict(zip(names, mode.fields, strict=True))
            results.append(MonitorResult(f"mode {i}", "mode", numbers, arrays))
        with files.written():
            measurements.write_measurements(shapes, results, scene, 0.0)
    files.finish()


def mode_pictures(found: Resonances, width: int, height: int) -> NDArray[np.uint8]:
    """(height, width, 3) shapes of all modes, row by row."""
    d = found.problem.discretization
    columns = _columns(len(found.modes), width / height, d)
    shapes = [found.shape(number) for number in range(len(found.modes))]
    palette = palette_fit(found.problem.scene.view.palette, signed=found.signed)
    return tiled(d, shapes, columns, width, height, palette)


def tiled(
    d: Discretization,
    shapes: Sequence[Array],
    columns: int,
    width: int,
    height: int,
    palette: str,
) -> NDArray[np.uint8]:
    """(height, width, 3) fields with values from -1 to 1, or from 0 on where the palette is for
    those, row by row.

    Parameters
    ----------
    shapes : (n_elements, nodes_per_element) each.
    """
    rows = -(-len(shapes) // columns)
    tile = (max(2, width // columns - _GAP), max(2, height // rows - _GAP))
    pixels = np.empty((height, width, 3), np.uint8)
    pixels[:] = surroundings(palette)
    sampler = PixelSampler(d, fit_extent(d, *tile), *tile)
    for i, shape in enumerate(shapes):
        row, column = divmod(i, columns)
        x, y = column * (width // columns) + _GAP // 2, row * (height // rows) + _GAP // 2
        shown = coloured(shape, sampler, palette)
        pixels[y : y + tile[1], x : x + tile[0]] = shown[: height - y, : width - x]
    return pixels


def mode_picture(
    found: Resonances, number: int, width: int, height: int, palette: str
) -> NDArray[np.uint8]:
    """(height, width, 3) shape of one mode, the first having the number 0.

    Parameters
    ----------
    palette : one for fields with a sign, or without, as ``found`` has them.
    """
    d = found.problem.discretization
    sampler = PixelSampler(d, fit_extent(d, width, height), width, height)
    return coloured(found.shape(number), sampler, palette)


def coloured(shape: Array, sampler: PixelSampler, palette: str) -> NDArray[np.uint8]:
    """The picture of a field with values from -1, or from 0, to 1."""
    return colorize(sampler.sample(shape), palette, 1.0, surroundings(palette))


def _columns(n: int, aspect: float, d: Discretization) -> int:
    """In which n shapes become as large as can be."""
    across, up = np.ptp(d.mesh.vertices, axis=0)

    def scale(columns: int) -> float:
        return min(aspect / columns / across, 1 / math.ceil(n / columns) / up)

    return max(range(1, n + 1), key=scale)
