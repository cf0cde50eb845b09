"""A problem is made once, stage by stage, and a later stage can be entered with earlier results."""

from dataclasses import replace

import numpy as np
import pytest

from wavelab.errors import SceneError
from wavelab.meshing.job import mesh_scene
from wavelab.numerics.time.clusters import Clusters
from wavelab.physics import problem as stages
from wavelab.physics.problem import discretize_scene, in_time, problem_of
from wavelab.physics.semi_discrete import operator_of, semi_discrete
from wavelab.physics.time import time_step
from wavelab.scene.toml.toml_io import parse_scene

TEXT = """
title = "Lamp"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[background]
sigma = 0.1
[[materials]]
name = "speck"
epsilon = 2
poles = [{ kind = "drude", frequency = 0.5 }]
shape = "polygon"
vertices = [[0.5, 0.5], [0.53, 0.5], [0.52, 0.52]]
[[walls]]
edges = ["domain.left"]
kind = "open"
thickness = 0.3
[[walls]]
edges = ["domain.right"]
kind = "absorbing"
[[sources]]
position = [0.6, 0.7]
radius = 0.05
amplitude = 1
waveform = { kind = "sine", frequency = 2 }
[solver]
element_size = 0.15
order = 2
until = 1
"""


@pytest.fixture(scope="module", params=["auto", "local"])
def scene(request):
    scene = parse_scene(TEXT)
    return replace(scene, solver=replace(scene.solver, stepper=request.param))


@pytest.fixture(scope="module")
def mesh(scene):
    return mesh_scene(scene)


def test_nothing_is_made_twice(scene, mesh, monkeypatch):
    made = []

    def counted(name):
        before = getattr(stages, name)
        monkeypatch.setattr(stages, name, lambda *a, **k: made.append(name) or before(*a, **k))

    if scene.solver.stepper == "local":  # else the time step looks at patches
        monkeypatch.setattr(time_step, "discretize", pytest.fail)
    names = ("discretized", "operator_of", "semi_discrete", "in_time", "problem_of")
    for name in names:
        counted(name)
    discretize_scene(scene, mesh)
    assert tuple(made) == names


def test_in_clusters_it_is_the_same_problem_in_another_order(mesh):
    scene = parse_scene(TEXT)
    plain = discretize_scene(scene, mesh)
    local = discretize_scene(replace(scene, solver=replace(scene.solver, stepper="local")), mesh)
    assert isinstance(local.scheme, Clusters)
    assert (np.diff(local.scheme.levels[: local.discretization.first_curved]) >= 0).all()
    # Both by the place of the first node of each element.
    orders = [
        np.lexsort((p.discretization.x[:, 0], p.discretization.y.sum(1))) for p in (plain, local)
    ]
    for name in ("epsilon", "mu", "sigma", "reflection"):
        ours, theirs = (
            getattr(p.operator, name)[order]
            for p, order in zip((plain, local), orders, strict=True)
        )
        np.testing.assert_array_equal(ours, theirs)
    for ours, theirs in zip(plain.auxiliary_equations, local.auxiliary_equations, strict=True):
        assert ours.kind == theirs.kind
        assert ours.variables == theirs.variables
        places = [
            np.sort(p.discretization.x[e.elements].sum(axis=1))
            for p, e in ((plain, ours), (local, theirs))
        ]
        np.testing.assert_array_equal(*places)


def test_other_sources_need_none_of_the_stages_before(scene, mesh):
    d = stages.discretized(scene, mesh, None)
    system, scheme, dt_max = in_time(scene, semi_discrete(scene, operator_of(scene, d)))
    louder = replace(scene, sources=(replace(scene.sources[0], amplitude=2.0),))
    found, whole = problem_of(louder, system, scheme, dt_max), discretize_scene(louder, mesh)
    assert found.operator is system.operator
    assert found.dt_max == whole.dt_max
    for ours, theirs in zip(found.source_terms, whole.source_terms, strict=True):
        np.testing.assert_array_equal(ours.rate, theirs.rate)
        np.testing.assert_array_equal(ours.nodes, theirs.nodes)


@pytest.mark.parametrize("curved", ["true", "false"])
@pytest.mark.parametrize(
    ("physics", "medium"),
    [("light", "epsilon"), ("sound", "speed"), ("elastic", "p_speed"), ("elastic", "s_quality")],
)
def test_a_formula_may_end_at_the_border(curved, physics, medium):
    """A root of x has values on a half disk that begins at 0, elements with an arc included."""
    scene = parse_scene(f"""
physics = "{physics}"
[domain]
shape = "polygon"
vertices = [[0, -0.7], [0, 0.7]]
bulges = [0, -1]
[background]
{medium} = "2 + sqrt(x)"
[solver]
element_size = 0.4
order = 3
curved = {curved}
""")
    problem = discretize_scene(scene, mesh_scene(scene))
    assert problem.discretization.x.min() == 0


@pytest.mark.parametrize(
    ("physics", "medium"), [("light", "epsilon"), ("sound", "speed"), ("membrane", "density")]
)
def test_a_source_of_the_field_in_a_graded_medium_is_refused_in_words_of_all_waves(physics, medium):
    scene = parse_scene(f"""
physics = "{physics}"
[domain]
shape = "rectangle"
lower = [0, 0]
upper = [1, 1]
[background]
{medium} = "1 + x"
[[sources]]
name = "bell"
position = [0.5, 0.5]
radius = 0.1
amplitude = 1
adds = "field"
waveform = {{ kind = "sine", frequency = 1 }}
[solver]
element_size = 0.5
order = 1
""")
    with pytest.raises(SceneError, match='"bell" adds to the field where the medium is a formula'):
        discretize_scene(scene, mesh_scene(scene))
