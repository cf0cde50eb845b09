"""Band structures as files: a table, a plot, and a picture of the modes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wavelab.atomic import EachFile, check_target
from wavelab.numerics.fields.sampling import PixelSampler, fit_extent
from wavelab.output import picture
from wavelab.output.files import tables
from wavelab.output.line_plot import Curve, Marks, write_line_plot
from wavelab.output.palette import palette_fit
from wavelab.physics.modes.modes import shape_of
from wavelab.scene.model.units import FREQUENCY as UNIT_OF
from wavelab.scene.systems.scale import scale_of
from wavelab.simulation.studies.bands.band_structure import BandStructure
from wavelab.simulation.studies.modes.mode_files import coloured, tiled

#: What the vertical axis of a plot is.
FREQUENCY = "frequency (waves per length unit at the speed 1)"
#: Pixels of a mode in the picture of all.
_TILE = 150


def check_band_files(table: Path | None, plot: Path | None, modes: Path | None) -> None:
    """Refuse paths that cannot be written, before anything is computed.

    Raises
    ------
    OutputError : says which.
    """
    pictures = picture.SUFFIXES
    for path, suffixes in ((table, tables.SUFFIXES), (plot, pictures), (modes, pictures)):
        if path is not None:
            check_target(path, suffixes)


def write_band_files(
    found: BandStructure, table: Path | None, plot: Path | None, modes: Path | None
) -> None:
    """Write what was asked for."""
    files = EachFile()
    if table is not None:
        with files.written():
            tables.write_table(table, *found.columns())
    if plot is not None:
        with files.written():
            scale, top = scale_of(found.scene), float(found.frequencies.max())
            unit = scale and scale.unit(UNIT_OF, top)
            factor, up = (unit.factor, f"frequency ({unit.name})") if unit else (1.0, FREQUENCY)
            bands = [Curve(f"band {i}", factor * f) for i, f in enumerate(found.frequencies.T, 1)]
            names = [(float(found.along[i]), name) for i, name in found.corners]
            gaps = [(factor * gap.low, factor * gap.high) for gap in found.gaps]
            write_line_plot(plot, found.along, bands, "wavevector", up, Marks(names, gaps))
    if modes is not None:
        with files.written():
            picture.write_png(modes, modes_picture(found))
    files.finish()


def modes_picture(found: BandStructure) -> NDArray[np.uint8]:
    """(height, width, 3) the shapes of the bands, from left to right, at the corners of the path,
    each once, from top to bottom."""
    first = {name: point for point, name in reversed(found.corners)}
    points = sorted(first.values())
    shapes = [
        shape_of(found.operator, found.cell.fields(modes, band))
        for modes in map(found.modes, points)
        for band in range(len(modes.frequencies))
    ]
    columns = found.frequencies.shape[1]
    width, height = _TILE * columns, _TILE * len(points)
    d = found.operator.discretization
    palette = palette_fit(found.scene.view.palette, signed=found.signed)
    return tiled(d, shapes, columns, width, height, palette)


def mode_picture(
    found: BandStructure, point: int, band: int, size: tuple[int, int], palette: str
) -> NDArray[np.uint8]:
    """(height, width, 3) the shape of one mode.

    Parameters
    ----------
    palette : one for fields with a sign, or without, as ``found`` has them.
    """
    d = found.operator.discretization
    sampler = PixelSampler(d, fit_extent(d, *size), *size)
    return coloured(found.shape(point, band), sampler, palette)
