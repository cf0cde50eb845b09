"""What monitors measured, as an HDF5 file: a group for each, a dataset for each array.

Attributes of the file: ``format`` = "wavelab measurements", ``format_version``,
``wavelab_version``, ``title`` of the scene and ``time`` at which it was written; of a scene with
units ``metres_per_unit`` and ``seconds_per_unit``; all other numbers are the scene's own.  A group
is named like its monitor and has ``kind`` and single numbers as attributes.  docs/scene_format.md
says which arrays each kind has.  Complex amplitudes X stand for Re[X exp(-2 pi i f t)].
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import wavelab
from wavelab.output.files.hdf5 import SUFFIXES as SUFFIXES
from wavelab.output.files.hdf5 import hdf5_file, say_units
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.model.scene import Scene

FORMAT_VERSION = 1


def write_measurements(
    path: str | os.PathLike[str], results: Sequence[MonitorResult], scene: Scene, time: float
) -> None:
    """Write all results; the module says what is in the file.

    Raises
    ------
    OutputError : the file cannot be written there.
    """
    with hdf5_file(path) as file:
        file.attrs["format"] = "wavelab measurements"
        file.attrs["format_version"] = FORMAT_VERSION
        file.attrs["wavelab_version"] = wavelab.__version__
        file.attrs["title"] = scene.title
        file.attrs["time"] = float(time)
        say_units(file, scene)
        for result in results:
            # A slash would make a group in a group.
            group = file.create_group(result.name.replace("/", "\u2215"))
            group.attrs["name"] = result.name
            group.attrs["kind"] = result.kind
            for name, number in result.numbers.items():
                group.attrs[name] = float(number)
            for name, values in result.arrays.items():
                group.create_dataset(name, data=values)
