"""What all readings of the equations have in common."""

from __future__ import annotations

import pickle

import pytest

from wavelab.scene.systems import SYSTEMS, System


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_a_system_goes_to_another_process(system: System):
    """As a part of problems with monitors, which others mesh, compile and advance."""
    assert pickle.loads(pickle.dumps(system)) == system
