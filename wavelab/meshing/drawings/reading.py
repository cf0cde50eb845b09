"""Files of drawings by the end of their name."""

from __future__ import annotations

from pathlib import Path

from wavelab.meshing.outlines.outline import Document


def read_document(path: Path) -> Document:
    """What a file of a drawing says.

    Raises
    ------
    GeometryError : what is wrong with it, and where.
    """
    # Imported here: of the readers only who has such a file needs one.
    match path.suffix.lower():
        case ".gds" | ".gds2":
            from wavelab.meshing.gds.document import read_document as read
        case ".dxf":
            from wavelab.meshing.dxf.document import read_document as read
        case _:
            from wavelab.meshing.svg.document import read_document as read
    return read(path)
