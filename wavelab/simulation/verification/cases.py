"""Every case there is.  A new one is one entry here: a name, what is compared with what, how it is
measured, and at which orders.

How it is measured is a function of the order.  ``converging`` makes one of a scene with an exact
solution, ``bounded`` one of a scene and what measures an error on it.
"""

from __future__ import annotations

from collections.abc import Iterator

from wavelab.numerics.time.runge_kutta import SCHEMES
from wavelab.scene.model.scene import Scene
from wavelab.simulation.verification import (
    elastic,
    incident,
    measured,
    planes,
    scenes,
    sources,
    systems,
    vector_media,
)
from wavelab.simulation.verification.case import Case
from wavelab.simulation.verification.convergence import converging
from wavelab.simulation.verification.dispersive import dispersive
from wavelab.simulation.verification.round_rooms import round_modes
from wavelab.simulation.verification.time_order import time_order

ALL = (1, 2, 3, 4, 5, 6)
SOME = (2, 4)
#: Beyond, what is not the method shows: profiles of sources end at 5.7 radii, a border of whole
#: elements moves, and the coarsest mesh round a pillar is too coarse.
UP_TO_4 = (1, 2, 3, 4)
#: Largest error there, by order.
_OPEN_EDGE = {2: 2e-2, 3: 1e-3, 4: 1e-4, 6: 1e-5}
_BURIED = {1: 3e-1, 2: 3e-2, 3: 5e-3, 4: 6e-4, 5: 6e-5, 6: 7e-6}

#: Of the unit square: where some elements are small.
_MIDDLE = (0.5, 0.5)


def _shipped(name: str, about: str, quick: tuple[int, ...] = SOME) -> Case:
    return Case(name, about, converging(lambda: scenes.shipped(name)), ALL, quick)


def _of_systems() -> Iterator[Case]:
    for name, about, measure in (
        ("te box", "standing wave of TE light between conductors", converging(systems.te_box)),
        ("te brewster", "into glass and out of it without reflection", systems.brewster()),
        ("sound box", "standing wave in a rigid room", converging(systems.rigid_box)),
        ("sound disk", "zero of J1', elements with arcs", systems.disk("sound")),
        ("sound border", "pulse into a denser fluid", converging(systems.denser_fluid)),
        ("water step", "pulse over a step of the bottom", converging(systems.depth_step)),
        ("water slope", "Bessel wave over a sloping bottom", converging(systems.sloping_bottom)),
        ("membrane box", "a clamped frame, let go", converging(systems.clamped_box)),
        ("membrane disk", "Bessel mode, elements with arcs", systems.disk("membrane")),
        ("planes box", "a resonance with both losses", converging(planes.lossy_planes)),
        ("planes edge", "pulse at resistors along an edge", converging(planes.resistive_edge)),
        (
            "elastic waves",
            "plane P and S waves in a box that repeats",
            converging(elastic.plane_waves),
        ),
        (
            "elastic walls",
            "P and S waves in and out through absorbing walls",
            converging(elastic.entering_waves),
        ),
        (
            "elastic graded",
            "P wave along a medium that changes: nothing comes back",
            converging(lambda: elastic.graded_waves(1, 0, shear=False)),
        ),
        (
            "elastic graded turned",
            "P and S waves across the elements, likewise",
            converging(lambda: elastic.graded_waves(1, 2)),
        ),
        ("elastic slip box", "P and S modes between slip walls", converging(elastic.slip_box)),
        ("elastic Rayleigh", "along a free edge", converging(elastic.rayleigh)),
        ("elastic Scholte", "along the bottom of a sea", elastic.scholte()),
        ("elastic disk", "radial mode, free rim, elements with arcs", elastic.breathing_disk()),
        ("elastic free edge", "P and S waves turned into each other", elastic.free_edge()),
        ("elastic border", "the same at a border of two solids", elastic.border()),
        (
            "elastic explosion",
            "below a free edge, heard there; largest error",
            elastic.garvin(_BURIED),
        ),
    ):
        yield Case(name, about, measure, ALL, (3,))


CASES = {
    case.name: case
    for case in (
        _shipped("cavity_2_3", "standing wave between conductors", ALL),
        _shipped("cavity_1_1", "the lowest one", (3,)),
        _shipped("cavity_magnetic", "standing wave between magnetic walls"),
        _shipped("cavity_lossy", "standing wave in a conducting medium"),
        _shipped("periodic_wave", "plane wave through periodic walls"),
        Case(
            "glued edges",
            "turned by 90 degrees: a quarter of a square",
            converging(scenes.quarter_turn),
            ALL,
            (3,),
        ),
        Case(
            "phases at walls",
            "Bloch wave through periodic walls, complex fields",
            converging(scenes.bloch_wave),
            ALL,
            (3,),
        ),
        _shipped("half_dielectric", "standing wave in two media"),
        _shipped("graded_cavity", "standing wave in a graded medium"),
        _shipped("changing_cavity", "medium that changes in time"),
        Case(
            "absorbing wall",
            "pulse that leaves at right angles",
            converging(lambda: scenes.pulse_at_wall('kind = "absorbing"', 0.0)),
            ALL,
            SOME,
        ),
        Case(
            "impedance wall",
            "pulse of which a third comes back",
            converging(lambda: scenes.pulse_at_wall('kind = "impedance"\nimpedance = 0.5', -1 / 3)),
            ALL,
            SOME,
        ),
        Case("current", "cavity driven by a formula", converging(scenes.driven_cavity), ALL, SOME),
        Case("round room", "Bessel mode, elements with arcs", round_modes("room"), ALL, SOME),
        Case("ring", "mode between round walls", round_modes("ring"), UP_TO_4, (3,)),
        Case("core", "mode of a round dielectric", round_modes("core"), ALL, (3,)),
        *_of_systems(),
        Case("dispersive medium", "cavity of Drude, Lorentz and Debye", dispersive(), ALL, (3,)),
        Case(
            "magnetic poles",
            "the same of mu, between magnetic walls",
            dispersive(magnetic=True),
            ALL,
            (3,),
        ),
        Case(
            "magnetic losses",
            "standing wave in a medium that damps H",
            converging(vector_media.damped_cavity),
            ALL,
            (3,),
        ),
        Case(
            "distortionless line",
            "pulse through graded losses of Ez and H",
            converging(vector_media.distortionless_line),
            ALL,
            (3,),
        ),
        Case("crystal", "plane wave, mu a tensor", converging(vector_media.crystal), ALL, SOME),
        Case("surface wave", "along a magnetic plasma", vector_media.surface_wave(), ALL, (3,)),
        Case("point source", "Green's function of the plane", sources.point(), UP_TO_4, (3,)),
        Case("moving source", "retarded field at 0.6 c", sources.moving(), UP_TO_4, (3,)),
        Case("source array", "three points with delays", sources.array(), UP_TO_4, (3,)),
        Case("line source", "d'Alembert's wave", sources.line(), UP_TO_4, (3,)),
        Case("region source", "d'Alembert's wave", sources.region(), UP_TO_4, (3,)),
        Case(
            "plane wave", "in and out through absorbing walls", incident.through_walls(), ALL, (4,)
        ),
        Case("border", "plane wave inside, nothing outside", incident.at_a_border(), UP_TO_4, (3,)),
        Case(
            "guided mode",
            "both ends of a guide absorb; largest error",
            incident.guided_mode({2: 8e-2, 4: 2e-3, 6: 6e-4}),
            (2, 4, 6),
            (4,),
        ),
        Case(
            "cylinder",
            "plane wave round a conductor; largest error",
            incident.cylinder({2: 8e-2, 4: 2e-3, 6: 2e-4}),
            (2, 4, 6),
            (4,),
        ),
        Case(
            "open edge",
            "point source in endless space; largest error",
            measured.open_edge(_OPEN_EDGE),
            (2, 3, 4, 6),
            (4,),
        ),
        Case(
            "energy ledger",
            "what is not explained, in parts of all",
            measured.ledger({2: 1e-3, 4: 2e-5, 6: 5e-6}),
            (2, 4, 6),
            (4,),
        ),
        Case(
            "power monitor",
            "plane wave through a line",
            measured.flux({2: 1e-2, 4: 5e-5, 6: 1e-7}),
            (2, 4, 6),
            (4,),
        ),
        Case(
            "far field",
            "strength of a small source, all round",
            measured.far_field({3: 1e-2, 4: 3e-3, 6: 1e-4}),
            (3, 4, 6),
            (4,),
        ),
        Case(
            "resonances",
            "four frequencies of a rectangle",
            measured.resonances({3: 5e-5, 4: 1e-6, 5: 1e-8}),
            (3, 4, 5),
            (4,),
        ),
        Case(
            "local steps",
            "cavity with a few small elements",
            converging(scenes.small_elements),
            UP_TO_4,
            (2,),
        ),
        Case(
            "local round room",
            "Bessel mode with a few small elements",
            round_modes("room", speck=(0.6, 0.3)),
            UP_TO_4,
            (2,),
        ),
        Case(
            "local poles",
            "cavity of Drude, Lorentz and Debye",
            dispersive(speck=_MIDDLE),
            UP_TO_4,
            (2,),
        ),
        Case(
            "local magnetic poles",
            "the same of mu, between magnetic walls",
            dispersive(magnetic=True, speck=_MIDDLE),
            UP_TO_4,
            (2,),
        ),
        Case(
            "local magnetic losses",
            "standing wave in a medium that damps H",
            converging(lambda: vector_media.damped_cavity(speck=_MIDDLE)),
            UP_TO_4,
            (2,),
        ),
        Case(
            "local border",
            "plane wave inside, nothing outside",
            incident.at_a_border(speck=_MIDDLE),
            UP_TO_4,
            (2,),
        ),
        Case(
            "local open edge",
            "point source in endless space; largest error",
            measured.open_edge(_OPEN_EDGE, speck=(-0.1, -0.3)),
            (2, 3, 4, 6),
            (2,),
        ),
        *(
            Case(f"stepper {name}", "error in time alone", time_order(scheme), orders, orders)
            for name, scheme in SCHEMES.items()
            for orders in ((2,) if scheme.linear else (4,),)
        ),
    )
}


def case_of(name: str, scene: Scene) -> Case:
    """A scene against its own exact solution."""
    return Case(name, "its exact solution", converging(lambda: scene), ALL, ALL, scene)
