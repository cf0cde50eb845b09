"""The meshes in meshes/ are good, and their recipes still make them."""

import re

import numpy as np
import pytest

from wavelab.meshing.formats import read_mesh
from wavelab.meshing.geometry_files import load_geometry
from wavelab.meshing.graph.drawing import PlanarDrawing, drawing_of
from wavelab.paths import MESHES

#: From the table in the README: mesh, elements, recipe and element size.
ROWS = [
    (mesh, int(elements), recipe, float(size) if size else None)
    for mesh, elements, recipe, size in re.findall(
        r"\| `(\S+\.(?:msh|neu))` \| (\d+) \|.*`wavelab mesh (\S+) -o \1(?: --h (\S+))?`",
        (MESHES / "README.md").read_text(),
    )
]


def test_the_readme_lists_every_mesh():
    there = [path.name for kind in ("*.msh", "*.neu") for path in MESHES.glob(kind)]
    assert sorted(row[0] for row in ROWS) == sorted(there)
    assert len(ROWS) >= 3


@pytest.mark.parametrize(("name", "elements", "recipe", "size"), ROWS, ids=[r[0] for r in ROWS])
def test_a_shipped_mesh_is_small_good_and_made_by_its_recipe(mesher, name, elements, recipe, size):
    assert (MESHES / name).stat().st_size < 300_000
    mesh = read_mesh(MESHES / name)
    geometry = load_geometry(MESHES / recipe)
    drawing = (
        geometry.resized(size)
        if isinstance(geometry, PlanarDrawing)
        else drawing_of(geometry, size)
    )
    made = mesher(drawing).mesh
    assert (mesh.n_elements, mesh.n_vertices) == (made.n_elements, made.n_vertices)
    assert mesh.n_elements == elements
    assert mesh.region_names == made.region_names
    assert mesh.face_names == made.face_names
    areas = np.bincount(made.regions, made.signed_areas())
    assert np.bincount(mesh.regions, mesh.signed_areas()) == pytest.approx(areas, rel=1e-12)
    # No element takes more than half of the time step away.
    assert mesh.inradii().min() > 0.5 * np.median(mesh.inradii())


def test_a_line_of_flags_follows_that_the_lettering_does_not_announce():
    text = (MESHES / "lettering.neu").read_text()
    assert re.search(r"NFLAGS: +0\n +background\n +0\n +1 ", text)
