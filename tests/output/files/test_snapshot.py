"""A snapshot holds the whole field, and says itself what everything in it is."""

from __future__ import annotations

import os

import h5py
import numpy as np
import pytest

import wavelab
from tests.sample_meshes import jittered_square
from wavelab.errors import OutputError
from wavelab.meshing.job import mesh_scene
from wavelab.output.files import snapshot
from wavelab.output.files.snapshot import write_snapshot
from wavelab.physics.operator.fields import MaxwellFields
from wavelab.physics.problem import discretize_scene
from wavelab.scene.toml.toml_io import parse_scene

SCENE = """
title = "Gläserner Raum"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[background]
epsilon = 4
sigma = 0.5
[solver]
element_size = 0.3
order = 3
"""


@pytest.fixture(scope="module")
def problem():
    return discretize_scene(parse_scene(SCENE), jittered_square(3))


@pytest.fixture(scope="module")
def fields(problem):
    rng = np.random.default_rng(5)
    return MaxwellFields(*rng.normal(size=(3, *problem.discretization.shape)))


@pytest.mark.parametrize("name", ["a.h5", "a.hdf5"])
def test_everything_comes_back_to_the_last_bit(tmp_path, problem, fields, name):
    write_snapshot(tmp_path / name, problem, fields, 1 / 3)
    assert os.listdir(tmp_path) == [name]
    d = problem.discretization
    expected = {
        "vertices": d.mesh.vertices,
        "triangles": d.mesh.triangles,
        "x": d.x,
        "y": d.y,
        "hx": fields.hx,
        "hy": fields.hy,
        "ez": fields.ez,
        "epsilon": np.full(d.n_elements, 4.0),
        "mu": np.ones(d.n_elements),
        "sigma": np.full(d.n_elements, 0.5),
    }
    with h5py.File(tmp_path / name) as file:
        assert set(file) == {*expected, "scene"}
        for key, array in expected.items():
            np.testing.assert_array_equal(file[key][()], array)
            assert file[key].dtype == (np.int32 if key == "triangles" else np.float64)
            assert file[key].attrs["description"]
        assert file.attrs["title"] == "Gläserner Raum"
        assert file.attrs["time"] == 1 / 3
        assert file.attrs["order"] == 3
        assert file.attrs["format"] == "wavelab snapshot"
        assert file.attrs["format_version"] == snapshot.FORMAT_VERSION
        assert file.attrs["wavelab_version"] == wavelab.__version__
        assert parse_scene(file["scene"].asstr()[()]) == problem.scene


def test_the_module_documents_every_dataset_and_attribute(tmp_path, problem, fields):
    write_snapshot(tmp_path / "a.h5", problem, fields, 0.0)
    with h5py.File(tmp_path / "a.h5") as file:
        words = set((snapshot.__doc__ or "").replace("`", " ").replace(",", " ").split())
        assert {*file, *file.attrs} <= words


def test_a_failure_in_the_middle_leaves_nothing(tmp_path, problem, fields):
    class Broken:
        def __getitem__(self, key):
            return self

        def __rmul__(self, factor):
            return self

        def __array__(self, dtype=None, copy=None):
            raise OSError(28, "No space left on device")

    with pytest.raises(OutputError, match=r"(?s)No space left.*Free some space"):
        write_snapshot(
            tmp_path / "a.h5", problem, MaxwellFields(fields.hx, fields.hy, Broken()), 0.0
        )
    assert os.listdir(tmp_path) == []


def test_other_endings_are_refused(tmp_path, problem, fields):
    with pytest.raises(OutputError, match=r"\.h5 or \.hdf5"):
        write_snapshot(tmp_path / "a.mat", problem, fields, 0.0)


def test_a_crystal_has_the_components_of_its_tensor(tmp_path, fields):
    text = SCENE.replace("epsilon = 4", "mu_axes = [1, 3]\nmu_angle = 90")
    problem = discretize_scene(parse_scene(text), jittered_square(3))
    write_snapshot(tmp_path / "a.h5", problem, fields, 0.5)
    with h5py.File(tmp_path / "a.h5") as file:
        for name, value in (("mu_xx", 3.0), ("mu_xy", 0.0), ("mu_yy", 1.0), ("mu", 3**0.5)):
            np.testing.assert_allclose(file[name], value, atol=1e-15)
            assert file[name].attrs["description"]


@pytest.mark.parametrize(
    ("physics", "medium"),
    [
        ("light", {"epsilon": 4.0, "mu": 1.5, "sigma": 0.3}),
        ("light", {"epsilon": 4.0, "mu": 1.5, "sigma": 1e6, "magnetic_sigma": 0.2}),
        ("te", {"epsilon": 4.0, "mu": 1.5, "sigma": 0.3}),
        ("sound", {"density": 2.0, "speed": 0.5, "damping": 0.2}),
        ("water", {"depth": 0.5, "friction": 0.1}),
        ("membrane", {"density": 2.0, "tension": 0.5, "damping": 0.2}),
        ("planes", {"capacitance": 2.0, "inductance": 0.5, "conductance": 0.2, "resistance": 0.1}),
    ],
)
def test_media_have_the_names_and_numbers_of_their_scene(tmp_path, physics, medium):
    """Whatever the solver makes of them: of TE its epsilon is mu, and in metals it is raised."""
    said = "".join(f"{name} = {value!r}\n" for name, value in medium.items())
    scene = parse_scene(
        f"""title = "s"
physics = "{physics}"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[background]
{said}
[solver]
element_size = 0.4
order = 2
"""
    )
    problem = discretize_scene(scene, mesh_scene(scene))
    write_snapshot(tmp_path / "a.h5", problem, problem.initial, 0.0)
    of_files = {"epsilon", "mu", "sigma", "magnetic_sigma"}
    with h5py.File(tmp_path / "a.h5") as file:
        for name, value in medium.items():
            np.testing.assert_allclose(file[name], value)
            assert file[name].attrs["description"]
        assert of_files & set(file) == of_files & set(medium)


def test_media_that_are_formulas_are_there_at_the_nodes(tmp_path, fields):
    text = SCENE.replace("epsilon = 4", 'epsilon = "(2 + x)*(1 + t)"')
    problem = discretize_scene(parse_scene(text), jittered_square(3))
    write_snapshot(tmp_path / "a.h5", problem, fields, 0.5)
    d = problem.discretization
    with h5py.File(tmp_path / "a.h5") as file:
        np.testing.assert_allclose(file["epsilon_at_nodes"], (2 + d.x) * 1.5, rtol=1e-13)
        assert file["epsilon_at_nodes"].attrs["description"]
        assert file["epsilon"].shape == (d.n_elements,)
        assert "mu_at_nodes" not in file
