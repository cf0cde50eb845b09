"""A plate against its reference run: Airy's formulas."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from wavelab.errors import WavelabError
from wavelab.scene.editing.left_out import objects_of, without
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import FieldFormulas, Hole, Material, MaterialRegion, Scene, Solver
from wavelab.scene.model.sending.pings import Ping
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.monitors import FarFieldMonitor, FluxMonitor, ModeMonitor
from wavelab.scene.sources import PlaneWave
from wavelab.scene.systems.sound import Fluid
from wavelab.scene.walls import AbsorbingWall, MagneticWall
from wavelab.scene.waveforms import ModulatedGaussian
from wavelab.simulation.studies.comparison import StudyCancelledError
from wavelab.simulation.studies.reference import referenced

INDEX, THICK = 2.0, 0.4
FREQUENCIES = (0.6, 0.75, 0.9, 1.0, 1.15, 1.3)


def strip(**changes) -> Scene:
    """A plate across a lane with magnetic walls, in which a pulse goes straight along."""
    front, back = (((x, 0.4), (x, 0.0)) for x in (0.8, 2.2))
    scene = Scene(
        "strip",
        Solver(0.25, order=6, until=24.0, precision="double"),
        outline=Rectangle((0.0, 0.0), (3.0, 0.4)),
        materials=(
            MaterialRegion(
                "plate", Material(epsilon=INDEX**2), Rectangle((1.3, 0.0), (1.3 + THICK, 0.4))
            ),
        ),
        walls=(
            MagneticWall(("domain.top", "domain.bottom")),
            AbsorbingWall(("domain.left", "domain.right")),
        ),
        sources=(
            PlaneWave("pulse", 0.0, 1.0, ModulatedGaussian(0.95, 0.4, 2.4), edges=("domain.left",)),
        ),
        monitors=(
            FluxMonitor("front", front[::-1], frequencies=FREQUENCIES),
            FluxMonitor("back", back[::-1], frequencies=FREQUENCIES),
            ModeMonitor("guide", front[::-1], FREQUENCIES),
            FluxMonitor("no spectrum", back),
        ),
    )
    return replace(scene, **changes)


def airy(frequency: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Reflection and transmission of a plate (Born & Wolf, *Principles of Optics*, 7.6.1)."""
    r = (1 - INDEX) / (1 + INDEX)
    turn = np.exp(2j * 2 * np.pi * frequency * INDEX * THICK)
    reflected = r * (1 - turn) / (1 - r**2 * turn)
    return np.abs(reflected) ** 2, 1 - np.abs(reflected) ** 2


@pytest.fixture(scope="module")
def found():
    return referenced(strip(), without(strip(), ["plate"]))


def test_a_plate_reflects_and_transmits_as_airy_says(found):
    reflected, transmitted = airy(np.array(FREQUENCIES))
    assert reflected.max() > 0.3
    assert reflected.min() < 0.1
    assert -found["front"].difference_quotient == pytest.approx(reflected, abs=1e-4)
    assert found["back"].quotient == pytest.approx(transmitted, abs=1e-4)
    # Powers may be subtracted here as well, for there is one wave each way.
    assert found["front"].quotient == pytest.approx(1 - reflected, abs=1e-4)
    assert found.notices == ()


def test_the_amplitudes_of_a_guide_are_subtracted_with_their_phases(found):
    guide = found["guide"]
    back = guide.difference["backward"][:, 0] / guide.reference["forward"][:, 0]
    assert np.abs(back) ** 2 == pytest.approx(airy(np.array(FREQUENCIES))[0], abs=1e-4)
    # What goes forward in front of the plate is the same with it and without.
    assert np.abs(guide.difference["forward"]).max() < 1e-4 * np.abs(guide.result["forward"]).max()


def test_what_is_written_has_a_row_for_each_monitor_and_frequency(found):
    columns = found.columns()
    assert list(columns["monitor"]) == ["front"] * 6 + ["back"] * 6 + ["guide"] * 6
    assert all(len(values) == 18 for values in columns.values())
    assert np.isfinite(columns["quotient"]).all()


def test_a_scene_against_itself_has_no_difference():
    one = strip(solver=Solver(0.4, order=3, until=4.0, precision="double"))
    found = referenced(one, one)
    assert np.abs(found["front"].difference["mean_power"]).max() < 1e-20
    assert found["front"].quotient == pytest.approx(1.0, abs=1e-12)


def test_what_a_far_field_scatters_is_told_apart_from_what_comes_in():
    """An obstacle in a lane: the contour lies where only the reference has nothing to scatter."""
    post = Hole("post", Rectangle((1.4, 0.15), (1.6, 0.25)))
    contour = FarFieldMonitor("far", Rectangle((1.2, 0.05), (1.8, 0.35)), (0.9,), directions=8)
    scene = strip(
        materials=(), holes=(post,), monitors=(contour,), solver=Solver(0.2, order=3, until=8.0)
    )
    found = referenced(scene, without(scene, ["post"]))["far"]
    # Nothing inside sends: the far field of what comes in is none.
    assert np.abs(found.reference["pattern"]).max() < 1e-2 * np.abs(found.result["pattern"]).max()
    assert found.difference["pattern"] == pytest.approx(
        found.result["pattern"] - found.reference["pattern"], rel=1e-5, abs=1e-7
    )


def test_objects_and_the_walls_of_their_rims_are_left_out():
    post = Hole("post", Rectangle((1.0, 0.1), (1.2, 0.3)))
    scene = strip(holes=(post,))
    scene = replace(scene, walls=(*scene.walls, AbsorbingWall(("post.left", "post.right"))))
    assert objects_of(scene) == ("plate", "post")
    assert without(scene, ["post"]) == strip()
    assert without(scene, ["plate", "post"]).materials == ()
    for names, told in (([], "nothing says"), (["plat"], 'no material or obstacle "plat"')):
        with pytest.raises(WavelabError, match=told):
            without(scene, names)


def test_pings_of_the_scene_come_in_both_runs():
    """A ping is an initial bump that comes later."""
    ping = Ping(0.0, (0.4, 0.2), 0.1)
    bump = Formula.parse("exp(-((x-0.4)^2 + (y-0.2)^2)/0.02)", ("x", "y"))
    short = Solver(0.25, order=4, until=12.0, precision="double")
    pinged, begun = (
        strip(sources=(), solver=short, **changes)
        for changes in ({"pings": (ping,)}, {"initial": FieldFormulas(ez=bump)})
    )
    found, expected = (referenced(s, without(s, ["plate"])) for s in (pinged, begun))
    # It is projected on the polynomials where initial fields are sampled.
    assert (found["back"].powers[1] > 1e-5).all()
    for ours, theirs in zip(found["back"].powers, expected["back"].powers, strict=True):
        assert ours == pytest.approx(theirs, rel=5e-3)


def test_what_cannot_be_compared_is_said():
    with pytest.raises(WavelabError, match="no monitor has a spectrum"):
        referenced(strip(monitors=()), strip())
    short = replace(strip(materials=()), outline=Rectangle((0.0, 0.0), (2.0, 0.4)))
    with pytest.raises(WavelabError, match="the reference has nothing at"):
        referenced(strip(), short)
    sound = strip(physics="sound", materials=(), walls=(), sources=(), background=Fluid())
    with pytest.raises(WavelabError, match="of other waves: Sound, and not Light, TM"):
        referenced(strip(), sound)
    with pytest.raises(StudyCancelledError):
        referenced(strip(), strip(), cancelled=lambda: True)


def test_a_run_that_ends_too_early_says_so():
    early = strip(solver=Solver(0.4, order=3, until=4.9, precision="double"))
    notices = referenced(early, without(early, ["plate"])).notices
    assert any("let it run longer" in notice for notice in notices)
