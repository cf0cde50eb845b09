"""HDF5 files that are whole or absent."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wavelab.atomic import whole_file
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems.scale import scale_of

if TYPE_CHECKING:
    import h5py

SUFFIXES = (".h5", ".hdf5")


def say_units(file: h5py.File, scene: Scene) -> None:
    """How many metres and seconds the units of the scene are, where it says so, as attributes."""
    for name, number in (scale.summary() if (scale := scale_of(scene)) is not None else {}).items():
        if name != "length" and number is not None:
            file.attrs[name] = number


@contextmanager
def hdf5_file(path: str | os.PathLike[str]) -> Iterator[h5py.File]:
    """A file to be filled in the block, which is written at its end.

    It is put together in memory: HDF5 (2.0) crashes the process where it cannot write what it has
    in its caches, as on a disk that is full.

    Raises
    ------
    OutputError : the file cannot be written there.
    """
    import h5py  # large, and few runs write such files

    with whole_file(path, SUFFIXES) as partial:
        image = io.BytesIO()
        with h5py.File(image, "w") as file:
            yield file
        partial.write_bytes(image.getbuffer())
