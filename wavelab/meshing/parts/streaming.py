"""Mesh files that are read bit by bit, by the end of their name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from wavelab.meshing.formats.gmsh_content import Content
from wavelab.meshing.parts.gambit_stream import stream_gambit
from wavelab.meshing.parts.gmsh_stream import stream_gmsh
from wavelab.meshing.parts.store import MeshStore

STREAMS: dict[str, Callable[[Path, MeshStore], Content]] = {
    ".msh": stream_gmsh,
    ".neu": stream_gambit,
}
