"""What becomes of the geometry and mesh files in a folder: python scripts/count_outcomes.py FOLDER

Counts how many are opened, with what notes, and what the others are refused for; messages that
differ in numbers and names count as one.  --show TEXT lists the files of a message, and --mesh also
meshes what is opened, in child processes.
"""

from __future__ import annotations

import argparse
import re
import sys
import warnings
from collections import defaultdict
from pathlib import Path

from wavelab.errors import WavelabError
from wavelab.meshing.formats import READERS, read_mesh
from wavelab.meshing.geometry_files import load_geometry
from wavelab.meshing.job import mesh_scene

_GEOMETRY = (".svg", ".toml", ".poly")


def outcome(path: Path, *, meshed: bool) -> str:
    """In words, without what is special about the file."""
    notes: list[str] = []
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            if path.suffix.lower() in _GEOMETRY:
                geometry = load_geometry(path, notes.append)
                if meshed:
                    mesh_scene(geometry)
            else:
                read_mesh(path)
    except WavelabError as error:
        return f"refused: {_alike(error.message)}"
    except Exception as error:
        return f"DEFECT: {type(error).__name__}: {_alike(str(error))}"
    notes += [str(warning.message) for warning in told]
    if not notes:
        return "opened"
    return f"opened, with a note: {' / '.join(dict.fromkeys(map(_alike, notes)))}"


def _alike(text: str) -> str:
    text = re.sub(r"\([^()]*\.svg\)|\S+\.(?:svg|toml|poly|neu|msh|node|ele)\b:?", "FILE", text)
    text = re.sub(r'"[^"]*"', '"..."', text).replace('the path "..."', "the path")
    return re.sub(r"[-+]?\d[\d.,e+-]*", "#", text.splitlines()[0])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--show", metavar="TEXT", help="list the files whose outcome says so")
    parser.add_argument("--mesh", action="store_true", help="mesh what is opened, too")
    arguments = parser.parse_args()
    files: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(arguments.folder.rglob("*")):
        if path.suffix.lower() in (*_GEOMETRY, *READERS):
            files[outcome(path, meshed=arguments.mesh)].append(path)
    total = sum(map(len, files.values()))
    if not total:
        print("there is no geometry or mesh file in it", file=sys.stderr)
        return 1
    for text, paths in sorted(files.items(), key=lambda entry: -len(entry[1])):
        print(f"{len(paths):6} {len(paths) / total:6.1%}  {text}")
        if arguments.show and arguments.show in text:
            print(*(f"        {path}" for path in paths), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
