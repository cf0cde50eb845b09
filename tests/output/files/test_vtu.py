"""A .vtu file holds the polynomials themselves, in the nodes and the order that VTK expects."""

from __future__ import annotations

import os
from dataclasses import replace
from math import prod
from xml.etree import ElementTree

import meshio
import numpy as np
import pytest

from tests.sample_meshes import elliptic_disk, jittered_square, random_fields
from tests.sample_scenes import boxed
from wavelab.errors import OutputError
from wavelab.numerics.fields.interpolation import interpolation_weights
from wavelab.output.files.field_files import write_fields
from wavelab.output.files.vtk_lattice import lattice
from wavelab.output.files.vtu import write_pvd, write_vtu
from wavelab.physics.operator.fields import ElasticFields
from wavelab.physics.problem import discretize_scene
from wavelab.scene.toml.toml_io import parse_scene

SCENE = boxed("Box", "[background]\nepsilon = 4\nsigma = 0.5\n[solver]\nelement_size = 0.3\n")


def discretized(order, mesh=None, text=SCENE):
    scene = parse_scene(text)
    scene = replace(scene, solver=replace(scene.solver, order=order))
    return discretize_scene(scene, mesh if mesh is not None else jittered_square(2))


def written(tmp_path, problem, fields, time=0.25):
    """The file as another program reads it."""
    write_vtu(tmp_path / "wave.vtu", problem, fields, time)
    assert os.listdir(tmp_path) == ["wave.vtu"]
    peer = meshio.read(tmp_path / "wave.vtu")
    (cells,) = peer.cells
    assert cells.type == "VTK_LAGRANGE_TRIANGLE"
    assert cells.data.shape == problem.discretization.shape
    return peer, cells.data


def vtk_barycentric(index: int, order: int) -> tuple[int, int, int]:
    """Where VTK has a node: coordinates that belong to corners 0, 1 and 2, in parts of 1 / order.

    Written from the description of vtkHigherOrderTriangle, node by node from its number.
    """
    low, high = 0, order
    while index and index >= 3 * order:
        index -= 3 * order
        low, high, order = low + 1, high - 2, order - 3
    point = [low, low, low]
    if index < 3:
        point[index] = high
        return tuple(point)
    side, along = divmod(index - 3, order - 1)
    point[side] = high - 1 - along
    point[(side + 1) % 3] = low + 1 + along
    return tuple(point)


def vtk_weights(order: int, rs: np.ndarray) -> np.ndarray:
    """(n_points, N_p) VTK's shape functions: products of the distances to the lines of the lattice
    between a node and the sides."""
    second, third = (rs.T + 1) / 2
    barycentric = np.array([1 - second - third, second, third])
    columns = []
    for index in range((order + 1) * (order + 2) // 2):
        pairs = list(zip(barycentric, vtk_barycentric(index, order), strict=True))
        columns.append(
            prod(
                ((order * value - i) / (count - i) for value, count in pairs
                 for i in range(count)),
                start=np.ones(len(rs)),
            )
        )  # fmt: skip
    return np.column_stack(columns)


@pytest.mark.parametrize("order", range(1, 11))
def test_the_nodes_come_in_the_order_of_vtk(order):
    expected = [vtk_barycentric(i, order) for i in range((order + 1) * (order + 2) // 2)]
    assert [tuple(row) for row in lattice(order).tolist()] == expected
    assert len(set(expected)) == len(expected)
    assert all(sum(row) == order for row in expected)


@pytest.mark.parametrize("order", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("curved", [False, True])
def test_interpolated_the_way_of_vtk_it_is_the_same_polynomial(tmp_path, order, curved):
    problem = discretized(order, elliptic_disk() if curved and order > 1 else None)
    d = problem.discretization
    assert (d.curved is not None) == (curved and order > 1)
    fields = random_fields(d, seed=order)
    peer, cells = written(tmp_path, problem, fields)
    rs = np.random.default_rng(1).dirichlet([1, 1, 1], 7)[:, 1:] * 2 - 1
    theirs, ours = vtk_weights(order, rs), interpolation_weights(d.element, rs)
    for name, nodal in (("Ez", fields.ez), ("Hx", fields.hx), ("Hy", fields.hy)):
        found = peer.point_data[name][cells] @ theirs.T
        np.testing.assert_allclose(found, nodal @ ours.T, atol=1e-10)
    for axis, nodal in enumerate((d.x, d.y)):
        found = peer.points[cells, axis] @ theirs.T
        np.testing.assert_allclose(found, nodal @ ours.T, atol=1e-12)
    if d.curved is not None:
        exact = d.curved.mapping.positions(*rs.T)
        found = np.stack([peer.points[cells, i] @ theirs.T for i in (0, 1)], axis=2)
        np.testing.assert_allclose(found[d.first_curved :], exact, atol=1e-12)
    assert not peer.points[:, 2].any()


def test_the_corners_are_those_of_the_mesh(tmp_path):
    problem = discretized(4)
    mesh = problem.discretization.mesh
    peer, cells = written(tmp_path, problem, random_fields(problem.discretization))
    corners = mesh.vertices[mesh.triangles]
    np.testing.assert_allclose(peer.points[cells[:, :3], :2], corners, atol=1e-15)


def test_energy_and_materials(tmp_path):
    problem = discretized(3)
    d = problem.discretization
    peer, cells = written(tmp_path, problem, random_fields(d))
    ez, hx, hy = (peer.point_data[name] for name in ("Ez", "Hx", "Hy"))
    expected = (4 * ez**2 + hx**2 + hy**2) / 2
    np.testing.assert_allclose(peer.point_data["energy"], expected, rtol=1e-13)
    assert set(peer.point_data) == {"Ez", "Hx", "Hy", "energy"}
    assert set(peer.cell_data) == {"region", "epsilon", "mu", "sigma"}
    for name, value in (("epsilon", 4), ("mu", 1), ("sigma", 0.5), ("region", 0)):
        np.testing.assert_array_equal(peer.cell_data[name][0], np.full(d.n_elements, value))
    assert cells.size == len(peer.points)
    assert peer.field_data["TimeValue"] == [0.25]


def test_solids_have_velocity_and_stress(tmp_path):
    text = SCENE.replace("epsilon = 4\nsigma = 0.5", "density = 2")
    problem = discretized(2, text=f'physics = "elastic"\n{text}')
    values = np.random.default_rng(0).standard_normal((5, *problem.discretization.shape))
    fields = ElasticFields.of(values)
    peer, cells = written(tmp_path, problem, fields)
    assert set(peer.point_data) == {"vx", "vy", "sxx", "syy", "sxy", "energy"}
    for name in fields.names:
        corners = peer.point_data[name][cells[:, :3]]
        nodes = getattr(fields, name)[:, [0, 2, 5]]
        np.testing.assert_allclose(corners, nodes, atol=1e-12)
    assert set(peer.cell_data) == {"region", "density", "p_speed", "s_speed"}


def test_media_that_are_formulas_have_values_at_the_nodes(tmp_path):
    text = SCENE.replace("epsilon = 4", 'epsilon = "(2 + x)*(1 + t)"')
    problem = discretized(3, text=text)
    d = problem.discretization
    fields = random_fields(d)
    peer, cells = written(tmp_path, problem, fields, time=0.5)
    expected = (2 + peer.points[:, 0]) * 1.5
    np.testing.assert_allclose(peer.point_data["epsilon"], expected, rtol=1e-13)
    assert "epsilon" not in peer.cell_data
    # The solver's density: D is a polynomial, the projection of epsilon Ez.
    ours = problem.operator.energy_density(fields, 0.5)
    corner = np.argmin(np.hypot(d.element.r + 1, d.element.s + 1))
    found = peer.point_data["energy"][cells[:, 0]]
    np.testing.assert_allclose(found, ours[:, corner], rtol=1e-12)


def test_a_crystal_has_the_components_of_its_tensor(tmp_path):
    text = SCENE.replace("sigma = 0.5", "mu_axes = [1, 3]\nmu_angle = 90")
    problem = discretized(2, text=text)
    fields = random_fields(problem.discretization)
    peer, _ = written(tmp_path, problem, fields)
    for name, value in (("mu_xx", 3.0), ("mu_xy", 0.0), ("mu_yy", 1.0), ("mu", 3**0.5)):
        np.testing.assert_allclose(peer.cell_data[name][0], value, atol=1e-15)
    ez, hx, hy = (peer.point_data[name] for name in ("Ez", "Hx", "Hy"))
    expected = (4 * ez**2 + 3 * hx**2 + hy**2) / 2
    np.testing.assert_allclose(peer.point_data["energy"], expected, rtol=1e-13)


def test_large_arrays_are_many_blocks(tmp_path, monkeypatch):
    problem = discretized(4)
    fields = random_fields(problem.discretization)
    whole, _ = written(tmp_path, problem, fields)
    for size in (8, 96, 8 * 60):  # the last is a divisor: no smaller block at the end
        monkeypatch.setattr("wavelab.output.files.vtu._BLOCK", size)
        cut, _ = written(tmp_path, problem, fields)
        for name, values in whole.point_data.items():
            np.testing.assert_array_equal(cut.point_data[name], values)


def test_a_collection_names_files_and_times(tmp_path):
    files = [(0.0, tmp_path / 'a "b" & <c>_0.vtu'), (1 / 3, tmp_path / "d_1.vtu")]
    write_pvd(tmp_path / "wave.pvd", files)
    found = ElementTree.parse(tmp_path / "wave.pvd").getroot().findall("Collection/DataSet")
    assert [(float(each.get("timestep")), each.get("file")) for each in found] == [
        (time, file.name) for time, file in files
    ]


def test_a_failure_in_the_middle_leaves_nothing(tmp_path):
    problem = discretized(1)
    fields = random_fields(problem.discretization)

    class Broken:
        def __getitem__(self, key):
            return self

        def __rmul__(self, factor):
            return self

        def __matmul__(self, other):
            raise OSError(28, "No space left on device")

    with pytest.raises(OutputError, match=r"(?s)No space left.*Free some space"):
        write_fields(tmp_path / "a.vtu", problem, replace(fields, hy=Broken()), 0.0)
    assert os.listdir(tmp_path) == []


def test_the_ending_says_how(tmp_path):
    problem = discretized(1)
    fields = random_fields(problem.discretization)
    for name, start in (("a.h5", b"\x89HDF"), ("a.VTU", b"<?xml"), ("a.vtu", b"<?xml")):
        write_fields(tmp_path / name, problem, fields, 0.0)
        assert (tmp_path / name).read_bytes().startswith(start)
    with pytest.raises(OutputError, match=r"\.h5 or \.hdf5 or \.vtu"):
        write_fields(tmp_path / "a.mat", problem, fields, 0.0)
