"""The frequencies that a scene says its waves have."""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.scene.model.scene import Scene


@dataclass(frozen=True)
class Known:
    """What has waves of a known frequency.

    Attributes
    ----------
    what : the source, or the monitor that measures them.
    main : the frequency that is strongest; of a monitor its lowest and its highest.
    highest : where the spectrum has all but ended; of a monitor its highest.
    """

    what: str
    main: tuple[float, ...]
    highest: float


def known_frequencies(scene: Scene) -> tuple[Known, ...]:
    """Of all sources whose waveform tells, and of the monitors where that of a source does not:
    what is measured at a frequency is meant to be right there."""
    found, hidden = [], False
    for source in scene.sources:
        wave = source.in_time
        carrier = None if wave is None else wave.carrier
        if wave is None or not carrier:
            hidden = True
            continue
        found.append(Known(source.what, (carrier,), wave.highest_frequency or carrier))
    if hidden:
        sums = ((monitor, monitor.transform) for monitor in scene.monitors)
        found += [
            Known(monitor.what, (min(f), max(f)), max(f))
            for monitor, transform in sums
            if transform is not None and (f := [f for f in transform.frequencies if f > 0])
        ]
    return tuple(found)
