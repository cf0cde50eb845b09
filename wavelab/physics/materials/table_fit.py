"""The medium with poles that is as near to a table of n and k as wished."""

from __future__ import annotations

from wavelab.numerics.spectra.pole_fit import PoleFit, fit_poles
from wavelab.scene.media.tables import IndexTable
from wavelab.scene.model.pole import Pole
from wavelab.scene.model.scene import Material
from wavelab.scene.poles import Drude, Lorentz


def fitted(
    table: IndexTable, length: float, most: int = 6, tolerance: float = 0.01
) -> tuple[Material, PoleFit]:
    """The medium with the fewest poles whose permittivity is within the tolerance of a table.

    Parameters
    ----------
    length : a unit of length of the scene, in units of the wavelengths in the table.
    most, tolerance : as of :func:`wavelab.numerics.spectra.pole_fit.fit_poles`.
    """
    frequency = (length / table.wavelength)[::-1]
    epsilon = ((table.n - 1j * table.k) ** 2)[::-1]
    fit = fit_poles(frequency, epsilon, most, tolerance)
    poles: list[Pole] = [] if fit.free is None else [Drude(*map(_digits, fit.free))]
    poles += [Lorentz(*map(_digits, bound)) for bound in fit.bound]
    return Material(epsilon=_digits(fit.epsilon), poles=tuple(poles)), fit


def _digits(value: float) -> float:
    """What is written in a scene file has no digits that mean nothing."""
    return float(f"{value:.7g}")
