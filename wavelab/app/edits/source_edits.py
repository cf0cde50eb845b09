"""Sources that play files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from wavelab.app.edits.edits import Edit
from wavelab.errors import SceneError
from wavelab.scene.model.scene import Scene
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.waveforms import FileWaveform


def play_file(scene: Scene, number: int, path: Path, carried: float) -> Edit:
    """Let a source do what a WAV or CSV file says, from time 0 on, at a pace that the mesh carries.

    Parameters
    ----------
    number : of the source.
    carried : frequency up to which the mesh carries waves, where the source has none yet.

    Raises
    ------
    SceneError : the source has no waveform, or the file is no recording.
    """
    source: Any = scene.sources[number]
    before = source.in_time
    if before is None:
        raise SceneError(
            f"{source.what} has no waveform that a file could take the place of",
            remedy="Choose another source with the select tool (V), or place one (S).",
        )
    wave = FileWaveform(path)
    wave.check(("sources", number, "waveform"), source.what)
    highest, wanted = wave.highest_frequency, before.highest_frequency or carried
    if highest:
        wave = replace(wave, pace=float(f"{wanted / highest:.2g}"))
    sources = list(scene.sources)
    sources[number] = replace(source, waveform=wave)
    new = check_scene(replace(scene, sources=tuple(sources), exact=None))
    note = f"{source.what} plays {path.name}, of which {wave.pace:g} s last one unit of time"
    return Edit("Play file", new, (note,))
