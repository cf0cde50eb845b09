"""The convergence study of a scene of the user's own."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from wavelab.errors import SceneError
from wavelab.scene.model.scene import FieldFormulas
from wavelab.simulation.studies.comparison import StudyCancelledError
from wavelab.simulation.studies.convergence import settings_of, study


@pytest.fixture
def coarse(scenes):
    scene = scenes["cavity"](2)
    return replace(scene, probes=(), solver=replace(scene.solver, element_size=0.35, until=0.3))


def test_the_estimate_without_an_exact_solution_is_the_error_with_one(coarse):
    told = []
    known = study(coarse, 0.3, backend="numpy", tell=lambda part, text: told.append(part))
    unknown = study(replace(coarse, exact=None), 0.3, backend="numpy")
    assert known.reference == "exact"
    assert [(run.refinement, run.order) for run in known.runs] == [
        (1, 2), (math.sqrt(2), 2), (2, 2), (1, 3), (1, 4),
    ]  # fmt: skip
    for right, estimated in zip(known.runs[:4], unknown.runs[:4], strict=True):
        assert estimated.error == pytest.approx(right.error, rel=0.1)
        assert estimated.unknowns == right.unknowns
    assert known.rate > 2
    assert all(0 < run.error < known.present.error for run in known.runs[1:])
    assert told == sorted(told)
    assert told[-1] == 1
    assert f"off by about {100 * known.present.error:.2g} %" in known.sentence()
    assert len(known.table().splitlines()) == 6


def test_a_field_that_stays_zero_has_no_error(coarse):
    silent = replace(coarse, exact=None, initial=FieldFormulas())
    with pytest.raises(SceneError, match="zero up to t = 0\\.1"):
        study(silent, 0.1, backend="numpy")


@pytest.mark.parametrize("looks", [0, 3])
def test_it_stops_when_told_to(coarse, looks):
    asked = []

    def cancelled():
        asked.append(1)
        return len(asked) > looks

    with pytest.raises(StudyCancelledError):
        study(coarse, 0.3, backend="numpy", cancelled=cancelled)
    assert len(asked) == looks + 1


def test_at_the_highest_order_the_finest_mesh_is_the_reference(coarse):
    runs, reference = settings_of(replace(coarse, solver=replace(coarse.solver, order=10)))
    assert [run.order for run in runs] == [10, 10]
    assert reference.refinement == 2
