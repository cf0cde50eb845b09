"""Waveforms that a program gives: as samples, or as a function."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from wavelab.arrays import Array
from wavelab.errors import WavelabError
from wavelab.scene.recordings.recording import LEAST_SAMPLES, Recording, even
from wavelab.scene.recordings.spline import MARGIN, Spline
from wavelab.scene.waveforms.given_waveform import GivenWaveform

#: Samples that a function is looked at with, at first and at most.
_FIRST, _MOST = 256, 1 << 17
#: Of its largest value: how close a spline is to come to a function, and what will do.
_CLOSE, _ENOUGH = 1e-9, 1e-4


@overload
def waveform(source: Callable[[Array], ArrayLike], *, end: float, start: float = 0.0
             ) -> GivenWaveform: ...  # fmt: skip
@overload
def waveform(source: ArrayLike, values: ArrayLike) -> GivenWaveform: ...
def waveform(
    source: Callable[[Array], ArrayLike] | ArrayLike,
    values: ArrayLike | None = None,
    *,
    start: float = 0.0,
    end: float | None = None,
) -> GivenWaveform:
    """What a source does in time, from numbers of your own: ``waveform(times, values)`` or
    ``waveform(function, end=3.0)``.

    It is a quintic spline, so that the order of the scheme is kept, and 0 before the first and
    after the last sample.

    Parameters
    ----------
    source : (n,) times that ascend; or f, which gets times (n,) and returns its values there.
    values : (n,) at these times.
    start, end : between which a function is sampled, as densely as it takes for the spline to be
        within 1e-9 of the function's largest value, or 1e-4 where it has kinks.  It has to
        begin at 0 and not to jump; what it is at the end does not matter where the run is over by
        then.

    Returns
    -------
    What can stand for ``waveform`` in a source of a :class:`Scene`.

    Raises
    ------
    WavelabError : times do not ascend, a value is not finite, or the function jumps.

    Examples
    --------
    >>> pulse = wavelab.waveform(lambda t: np.sin(9 * t) * np.exp(-((t - 2) ** 2)), end=6)
    >>> measured = wavelab.waveform([0.0, 0.1, 0.2, 0.3], [0.0, 1.0, -1.0, 0.0])
    """
    if callable(source):
        if values is not None or end is None or not -math.inf < start < end < math.inf:
            raise WavelabError(
                f"from {start} to {end} no function can be sampled",
                remedy="Say how long it lasts: waveform(function, end=3.0).",
            )
        return GivenWaveform(_sampled(source, start, end))
    if values is None:
        raise WavelabError(
            "times alone are no waveform", remedy="Give values too: waveform(times, values)."
        )
    times, found = (_numbers(each) for each in (source, values))
    if times.ndim != 1 or times.shape != found.shape or len(times) < LEAST_SAMPLES:
        raise WavelabError(
            f"times {times.shape} and values {found.shape} are no waveform",
            remedy=f"Give as many times as values, {LEAST_SAMPLES} or more of them.",
        )
    if not (np.diff(times) > 0).all():
        raise WavelabError(
            "the times of the waveform do not ascend", remedy="Each must be later than the last."
        )
    return GivenWaveform(even(times, found, "the waveform"))


def _sampled(function: Callable[[Array], ArrayLike], start: float, end: float) -> Recording:
    """Samples that reach beyond the end, so that the spline does not feel that it stops there."""
    count = _FIRST
    while True:
        spacing = (end - start) / count
        times: Array = start + spacing * np.arange(count + 1 + MARGIN, dtype=np.float64)
        values = _called(function, times)
        between: Array = times[:count] + spacing / 2
        spline = Spline.through(values, spacing, start)
        errors = np.abs(spline.evaluate(between) - _called(function, between))
        largest = float(np.abs(values[: count + 1]).max())
        worst = int(np.argmax(errors))
        if errors[worst] <= _CLOSE * largest or (
            count >= _MOST and errors[worst] <= _ENOUGH * largest
        ):
            return Recording(values, spacing, start)
        if count >= _MOST:
            raise WavelabError(
                f"a smooth waveform comes no nearer to the function at t = {between[worst]:.4g} "
                f"than {errors[worst] / largest:.1g} of its largest value",
                remedy="It has to begin at 0 and not to jump; where one is meant to, write it as a "
                'formula: {"kind": "formula", "formula": "..."}.',
            )
        count *= 2


def _called(function: Callable[[Array], ArrayLike], times: Array) -> Array:
    try:
        found = _numbers(function(times.copy()))
    except WavelabError:
        raise
    except Exception as error:  # whatever somebody has written
        raise WavelabError(
            f"the function of the waveform raises {type(error).__name__}: {error}",
            remedy="It gets an array of times and returns an array of values.",
        ) from error
    if found.shape not in ((), times.shape):
        raise WavelabError(
            f"the function of the waveform gives the shape {found.shape} for times {times.shape}",
            remedy="It gets an array of times and returns an array of values.",
        )
    return np.array(np.broadcast_to(found, times.shape))


def _numbers(values: ArrayLike) -> Array:
    found = np.asarray(values)
    if found.dtype.kind not in "biuf" or not np.isfinite(found).all():
        raise WavelabError(
            "a waveform has a value that is no finite real number",
            remedy="Give real numbers, and a function that has some everywhere.",
        )
    return found.astype(np.float64)
