"""HDF5 files that are whole or absent."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wavelab.atomic import whole_file

if TYPE_CHECKING:
    import h5py

SUFFIXES = (".h5", ".hdf5")


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
