"""What probes have recorded, as sound: a frequency f of the scene is heard as f times a scale."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from wavelab.arrays import Array
from wavelab.errors import OutputError
from wavelab.numerics.sound.partials import strongest_frequency
from wavelab.numerics.sound.resampling import faded, resampled
from wavelab.scene.model.scene import Scene
from wavelab.scene.recordings.spline import evenly_spaced
from wavelab.scene.systems.scale import scale_of
from wavelab.simulation.records.monitor_tables import file_part
from wavelab.simulation.records.wav import RATE, write_wav

#: What the frequency that a scene is known by is heard as, unless somebody wishes: the a'.
TONE = 440.0
#: Hertz that are heard.
LOWEST, HIGHEST = 20.0, 20_000.0
#: Seconds of sound in a file.
LEAST, MOST = 0.02, 3600.0
#: Largest sample, and seconds in which the ends rise and fall.
_LEVEL, _FADE = 0.9, 0.005
#: Part of a step by which times may be off for rounding.
_EVEN = 1e-6


def known_frequency(scene: Scene) -> float | None:
    """That of the first source that has one."""
    waves = (source.in_time for source in scene.sources)
    found = (wave.lowest_frequency for wave in waves if wave is not None)
    return next((frequency for frequency in found if frequency), None)


def true_hertz(scene: Scene, frequency: float) -> float | None:
    """What the frequency 1 is, in a scene that says it and whose ``frequency`` can be heard."""
    scale = scale_of(scene)
    hertz = scale.hertz if scale is not None else None
    heard = hertz is not None and LOWEST <= frequency * hertz <= HIGHEST
    return hertz if heard else None


def hertz_of(scene: Scene, times: Array, values: Array, tone: float | None = None) -> float:
    """The scale in which ``tone`` is the pitch of a scene: what the frequency 1 is heard as.

    The pitch is that of the sources, or else the strongest in what was recorded: times (n,) and
    values (n, p).  Without a ``tone`` the scale is the true one, where the scene says it and that
    can be heard, and else that of ``TONE``.
    """
    frequency = known_frequency(scene) or recorded_frequency(times, values)
    if not frequency:
        return tone or TONE
    true = true_hertz(scene, frequency) if tone is None else None
    return true or (tone or TONE) / frequency


def recorded_frequency(times: Array, values: Array) -> float | None:
    """The strongest of what was recorded, times (n,) and values (n, p), at the loudest of the
    probes; None where it does not swing."""
    if len(times) < 2 or not values.size or not np.isfinite(values).all():
        return None
    loudest = int(np.argmax(np.abs(values).max(axis=0)))
    return strongest_frequency(*_even(times, values[:, loudest]))


def sound(times: Array, values: Array, hertz: float, name: str) -> Array:
    """Samples at ``RATE`` of what the probe ``name`` recorded: times and values (n,).

    Raises
    ------
    OutputError : it would be silent, too short or too long, or nobody would hear it.
    """
    if not np.isfinite(values).all():
        raise OutputError(
            f'what probe "{name}" recorded is not finite', remedy="Use a smaller time step."
        )
    seconds = float(times[-1] - times[0]) / hertz if len(times) > 1 else 0.0
    if seconds < LEAST:
        until = LEAST * hertz
        raise OutputError(
            f'what probe "{name}" recorded lasts {seconds:.2g} s as sound',
            remedy=f"Let it record for {until:.3g} units of time or more, or let the frequency 1 "
            f"sound as {hertz * seconds / LEAST:.3g} Hz or less.",
        )
    if seconds > MOST:
        raise OutputError(
            f'what probe "{name}" recorded lasts {seconds / 3600:.3g} hours as sound',
            remedy=f"Let the frequency 1 sound as {hertz * seconds / MOST:.3g} Hz or more.",
        )
    if not values.any():
        raise OutputError(
            f'probe "{name}" has recorded nothing but 0', remedy="Run longer, or move the probe."
        )
    even, spacing = _even(times, values)
    frequency = strongest_frequency(even, spacing)
    if frequency is not None and not LOWEST <= frequency * hertz <= HIGHEST:
        raise OutputError(
            f'the strongest frequency at probe "{name}", {frequency:.3g}, would sound as '
            f"{frequency * hertz:.3g} Hz, which nobody hears",
            remedy=f"Let the frequency 1 sound as {TONE / frequency:.3g} Hz, which makes it "
            f"{TONE:g} Hz.",
        )
    found = faded(resampled(even, hertz / spacing, RATE), round(_FADE * RATE))
    return found * (_LEVEL / np.abs(found).max(initial=1e-300))


def sound_files(path: Path, names: Sequence[str]) -> list[Path]:
    """Where sounds of these probes go: of several each to a file of its own."""
    if len(names) == 1:
        return [path]
    files: dict[str, Path] = {}
    for number, name in enumerate(names, 1):
        stem = f"{path.stem}_{file_part(name)}"
        if stem.casefold() in files:  # names that differ only in what file names have not
            stem = f"{stem}-{number}"
        files[stem.casefold()] = path.with_name(f"{stem}{path.suffix}")
    return list(files.values())


def write_sounds(
    path: Path, names: Sequence[str], times: Array, values: Array, hertz: float
) -> list[Path]:
    """Write what probes recorded, times (n,) and values (n, p), as WAV; the files.

    Raises
    ------
    OutputError : as :func:`sound`, or a file cannot be written.
    """
    files = sound_files(path, names)
    sounds = [sound(times, values[:, i], hertz, name) for i, name in enumerate(names)]
    for file, found in zip(files, sounds, strict=True):
        write_wav(file, found)
    return files


def _even(times: Array, values: Array) -> tuple[Array, float]:
    """Equally spaced values, and their spacing; a run may have changed its step."""
    gaps = np.diff(times)
    mean = float(times[-1] - times[0]) / len(gaps)
    if float(np.abs(gaps - mean).max()) <= _EVEN * mean or len(times) < 3:
        return values, mean
    spacing = float(np.median(gaps))
    return evenly_spaced(times, values, spacing), spacing


def write_heard(
    path: Path,
    scene: Scene,
    names: Sequence[str],
    times: Array,
    values: Array,
    *,
    heard: Sequence[str] = (),
    hertz: float | None = None,
    tone: float | None = None,
) -> None:
    """Write what probes have recorded as sound.

    Parameters
    ----------
    names, times, values : of all probes, (n,) and (n, p).
    heard : those to write; none is all.
    hertz : what the frequency 1 is heard as; None for as :func:`hertz_of` says for ``tone``.

    Raises
    ------
    OutputError : as for :func:`write_sounds`.
    """
    chosen = heard or names
    own = values[:, [names.index(name) for name in chosen]]
    write_sounds(path, chosen, times, own, hertz or hertz_of(scene, times, own, tone))
