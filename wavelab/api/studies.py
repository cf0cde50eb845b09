"""Studies of a scene: its resonances, bands and ports, against a reference, and how wrong it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from wavelab.api.given import count, device_named, real
from wavelab.api.scene import Scene
from wavelab.api.telling import study, warn
from wavelab.errors import WavelabError
from wavelab.scene.editing import left_out
from wavelab.simulation.studies import convergence, scattering
from wavelab.simulation.studies.bands.band_search import find_bands
from wavelab.simulation.studies.bands.band_structure import BandStructure
from wavelab.simulation.studies.convergence import Study
from wavelab.simulation.studies.modes.resonances import Resonances, find_resonances
from wavelab.simulation.studies.reference import ReferenceRun, referenced
from wavelab.simulation.studies.scattering import Scattering


def resonances(
    scene: Scene | str | Path,
    n: int | None = None,
    band: tuple[float, float] | None = None,
    *,
    order: int | None = None,
    element_size: float | None = None,
    backend: str = "auto",
    device: str | int | None = None,
    progress: bool | None = None,
    notify: Callable[[str], None] | None = None,
) -> Resonances:
    """The modes of a scene without its sources: frequencies, quality factors and shapes.

    Parameters
    ----------
    scene : a :class:`Scene`, or what :meth:`Scene.load` takes.
    n : how many at most, the lowest, or of a band the sharpest; by default 6, or all in a band.
    band : lowest and highest frequency to look in.
    order, element_size, backend, device, progress, notify : as for :class:`Simulation`.

    Returns
    -------
    ``.frequencies`` and ``.qualities`` (n,), ``.modes`` with their fields, ``.table()``.

    Raises
    ------
    WavelabError : the scene cannot be meshed, its media change, or nothing rings in the band.

    Examples
    --------
    >>> wavelab.resonances("cavity_1_1", 3, order=4).frequencies
    """
    wanted = Scene.of(scene).solved(order=order, element_size=element_size).model
    n = None if n is None else count(n, "modes", 1)
    if band is not None:
        band = _band(band)
    with study(progress, notify or warn) as tell:
        return find_resonances(
            wanted, n, band, backend=backend, device=device_named(device), tell=tell
        )


def bands(
    scene: Scene | str | Path,
    path: str | None = None,
    points: int = 12,
    n: int = 6,
    *,
    order: int | None = None,
    element_size: float | None = None,
    progress: bool | None = None,
    notify: Callable[[str], None] | None = None,
) -> BandStructure:
    """The frequencies of the Bloch waves of a crystal, of which the scene is one cell.

    Parameters
    ----------
    scene : a :class:`Scene`, or what :meth:`Scene.load` takes; opposite edges are glued.
    path : points of the Brillouin zone, as "G X M G", or in parts of the reciprocal vectors,
        "0,0 0.5,0.25"; by default the usual path of the lattice.
    points : steps of each leg of the path.
    n : how many bands, the lowest first.
    order, element_size, progress, notify : as for :class:`Simulation`.

    Returns
    -------
    ``.k`` (m, 2) in radians per length, ``.frequencies`` (m, n), ``.gaps``, ``.lattice``,
    ``.fields(point, band)`` of a mode, ``.table()``.

    Raises
    ------
    WavelabError : the scene is no cell of a lossless crystal, or the path is none.

    Examples
    --------
    >>> wavelab.bands("crystal_square", "G X", 4, 2).frequencies
    """
    wanted = Scene.of(scene).solved(order=order, element_size=element_size).model
    points, n = count(points, "steps", 1), count(n, "bands", 1)
    with study(progress, notify or warn) as tell:
        return find_bands(wanted, path, points, n, tell=tell)


def converge(
    scene: Scene | str | Path,
    until: float | None = None,
    *,
    order: int | None = None,
    element_size: float | None = None,
    backend: str = "auto",
    device: str | int | None = None,
    progress: bool | None = None,
    notify: Callable[[str], None] | None = None,
) -> Study:
    """How far a scene is off: it is run on finer elements and at higher orders.

    Parameters
    ----------
    scene : a :class:`Scene`, or what :meth:`Scene.load` takes.
    until : time to compare at; by default the end of the scene.
    order, element_size, backend, device, progress, notify : as for :class:`Simulation`.

    Returns
    -------
    ``.present.error``, relative in the energy norm, the ``.rate`` at which it falls with the
    element size, ``.runs`` with the error of each, ``.sentence()`` and ``.table()``.

    Raises
    ------
    WavelabError : the scene cannot be run, or its field is zero all the time.
    """
    chosen = Scene.of(scene).solved(until=until, order=order, element_size=element_size)
    wanted = chosen.model
    with study(progress, notify or warn) as tell:
        return convergence.study(
            wanted, wanted.solver.until, backend=backend, device=device_named(device), tell=tell
        )


def reference(
    scene: Scene | str | Path,
    without: Sequence[str] | str = (),
    to: Scene | str | Path | None = None,
    *,
    until: float | None = None,
    order: int | None = None,
    element_size: float | None = None,
    backend: str = "auto",
    device: str | int | None = None,
    progress: bool | None = None,
    notify: Callable[[str], None] | None = None,
) -> ReferenceRun:
    """What monitors of lines, guides and contours find at their frequencies, with an object and
    without it: fields are subtracted, then powers taken.

    Parameters
    ----------
    scene : a :class:`Scene`, or what :meth:`Scene.load` takes.
    without : names of materials and obstacles that the reference is without; by default all.
    to : another scene as the reference, in place of that.
    until, order, element_size, backend, device, progress, notify : as for :class:`Simulation`.

    Returns
    -------
    ``["front"]`` of a monitor: ``.frequency`` (n,), ``.quotient`` (n,) of the powers with the
    object and without it, ``.difference_quotient`` (n,) of the power of the difference of the
    fields and that without the object, ``.powers`` all three, and ``.result``, ``.reference``,
    ``.difference``, the arrays of the monitor, complex amplitudes among them.

    Raises
    ------
    WavelabError : there is nothing to compare, or one of both cannot be meshed or run.

    Examples
    --------
    >>> found = wavelab.reference("fabry_perot", "upper mirror 2", element_size=0.3, order=3)
    >>> found["upper"].quotient
    """
    how = {"until": until, "order": order, "element_size": element_size}
    wanted = Scene.of(scene).solved(**how)
    names = [without] if isinstance(without, str) else list(without)
    if to is not None and names:
        raise WavelabError(
            "a reference is either the scene without something, or another scene",
            remedy="Give the names of what it is without, or to=...",
        )
    if to is None:
        other = left_out.without(wanted.model, names or left_out.objects_of(wanted.model))
    else:
        other = Scene.of(to).solved(**how).model
    told = notify or warn
    with study(progress, told) as tell:
        found = referenced(
            wanted.model, other, backend=backend, device=device_named(device), tell=tell
        )
    for notice in found.notices:
        told(notice)
    return found


def scatter(
    scene: Scene | str | Path,
    ports: Sequence[str] = (),
    *,
    until: float | None = None,
    order: int | None = None,
    element_size: float | None = None,
    backend: str = "auto",
    device: str | int | None = None,
    progress: bool | None = None,
    notify: Callable[[str], None] | None = None,
) -> Scattering:
    """Scattering parameters: how much of each mode of each port comes out of each other.

    Parameters
    ----------
    scene : a :class:`Scene`, or what :meth:`Scene.load` takes.
    ports : names of monitors of modes whose arrows lead into the device; by default all.
    until, order, element_size, backend, device, progress, notify : as for :class:`Simulation`.

    Returns
    -------
    ``.s`` (n_frequencies, n, n) complex, from the channel of the column to that of the row,
    ``.channels``, ``.frequencies``, ``.accounted`` and ``.columns()``.

    Raises
    ------
    WavelabError : the scene has no such ports, or cannot be meshed or run.
    """
    chosen = Scene.of(scene).solved(until=until, order=order, element_size=element_size)
    told = notify or warn
    with study(progress, told) as tell:
        found = scattering.scatter(
            chosen.model, ports, backend=backend, device=device_named(device), tell=tell
        )
    for notice in found.notices:
        told(notice)
    return found


def _band(band: tuple[float, float]) -> tuple[float, float]:
    if np.shape(band) != (2,):
        raise WavelabError(
            f"{band!r} is no band", remedy="Give the lowest and the highest frequency."
        )
    low, high = band
    return real(low, "the lowest frequency"), real(high, "the highest frequency")
