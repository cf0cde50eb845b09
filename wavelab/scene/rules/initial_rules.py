"""What the file may be that a scene begins with."""

from __future__ import annotations

from wavelab.reading import is_plain_file
from wavelab.scene.model.item_error import require
from wavelab.scene.model.scene import Scene


def check_initial_file(scene: Scene) -> None:
    """
    Raises
    ------
    ItemError : there is none, or formulas say the same.
    """
    file, item = scene.initial_file, ("initial", "file")
    if file is None:
        return
    require(
        scene.initial == type(scene.initial)() and scene.imaginary is None,
        item,
        "the scene begins with formulas and with a file",
        "Give either formulas or a file.",
    )
    require(
        file.suffix.lower() in (".h5", ".hdf5"),
        item,
        f'"{file.name}" is no snapshot by its ending',
        "It must be one in HDF5: --snapshot FILE.h5.",
    )
    require(
        is_plain_file(file),
        item,
        f'there is no snapshot "{file}"',
        "Its name is taken relative to the scene file.",
    )
