"""What a scene says of its units, and what its numbers are in metres, seconds and hertz."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sample_scenes import boxed
from wavelab.errors import SceneError
from wavelab.scene.editing.dimensions import dimension_of, in_scene_units
from wavelab.scene.editing.switching import switched
from wavelab.scene.model.labels import TextLabel
from wavelab.scene.model.scene import Probe, Solver
from wavelab.scene.model.sending.pings import Ping
from wavelab.scene.model.shapes import SHAPES
from wavelab.scene.model.units import LENGTHS, SHOWN, Scale, Units, Written
from wavelab.scene.model.view import View
from wavelab.scene.monitors import MONITORS
from wavelab.scene.poles import POLES
from wavelab.scene.sources import SOURCES
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.systems.scale import scale_of
from wavelab.scene.toml.toml_io import dump_scene, parse_scene
from wavelab.scene.waveforms import WAVEFORMS

C = 299_792_458


def of(physics: str, units: str = 'length = "um"', more: str = "") -> str:
    rest = boxed("Units", f"[units]\n{units}\n{more}\n[solver]\nelement_size = 0.3\n")
    return f'physics = "{physics}"\n{rest}'


def scale(physics: str, units: str) -> Scale:
    found = scale_of(parse_scene(of(physics, units)))
    assert found is not None
    return found


@pytest.mark.parametrize(("length", "metres"), [
    ("nm", 1e-9), ("um", 1e-6), ("mm", 1e-3), ("cm", 1e-2), ("m", 1.0), ("km", 1e3),
])  # fmt: skip
def test_a_unit_of_time_is_what_a_wave_takes_for_a_unit_of_length(length, metres):
    units = f'length = "{length}"'
    for light in ("light", "te", "planes"):
        assert scale(light, units).seconds == pytest.approx(metres / C, rel=4e-16)
    assert scale("sound", units).seconds == pytest.approx(metres / 343, rel=4e-16)
    assert scale("sound", f"{units}\nspeed = 1480").seconds == pytest.approx(
        metres / 1480, rel=4e-16
    )
    assert scale("planes", f"{units}\nspeed = 1.4e8").seconds == pytest.approx(
        metres / 1.4e8, rel=4e-16
    )
    # Waves on water of depth 1 go at sqrt(g depth).
    assert scale("water", units).seconds == pytest.approx(math.sqrt(metres / 9.81), rel=1e-15)
    assert scale("membrane", f"{units}\nspeed = 20").seconds == pytest.approx(
        metres / 20, rel=4e-16
    )
    known = scale("light", units)
    assert known.metres == metres
    assert known.hertz == pytest.approx(C / metres, rel=4e-16)


def test_without_units_there_is_no_scale():
    scene = parse_scene(boxed("Plain", "[solver]\nelement_size = 0.3\n"))
    assert scene.units == Units()
    assert scale_of(scene) is None
    assert "[units]" not in dump_scene(scene)


def test_of_a_membrane_whose_speed_nobody_says_only_lengths_are_known():
    found = scale("membrane", 'length = "cm"')
    assert found.seconds is None
    written = Written(found, "{:g}".format)
    assert (written.length(3.0), written.time(3.0), written.frequency(3.0)) == ("3 cm", "3", "3")


@given(st.sampled_from(sorted(LENGTHS)), st.sampled_from(sorted(SYSTEMS)), st.floats(1e-3, 1e6))
def test_files_keep_the_units(length, physics, speed):
    said = f'length = "{length}"' + (f"\nspeed = {speed!r}" if SYSTEMS[physics].own_speed else "")
    scene = parse_scene(of(physics, said))
    again = parse_scene(dump_scene(scene))
    assert again == scene
    assert scale_of(again) == scale_of(scene) is not None


@pytest.mark.parametrize(("physics", "units", "told"), [
    ("light", 'length = "mile"', 'the unit of length is "mile"'),
    ("light", 'length = "umm"', 'Did you mean "um"'),
    ("light", 'lenght = "um"', 'Did you mean "length"'),
    ("light", 'length = "um"\nspeed = 3e8', "299792458 m/s"),
    ("water", 'length = "m"\nspeed = 3', "3.13209195 m/s"),
    ("sound", "speed = 343", "no length"),
    ("sound", 'length = "m"\nspeed = -343', "greater than 0"),
    ("sound", 'length = "m"\nspeed = "fast"', "no number"),
])  # fmt: skip
def test_what_cannot_be_is_told(physics, units, told):
    with pytest.raises(SceneError, match=told):
        parse_scene(of(physics, units))


def test_other_waves_keep_a_unit_of_time_that_nothing_else_says():
    sound = parse_scene(of("sound", 'length = "m"\nspeed = 1480'))
    membrane, _ = switched(sound, "membrane")
    assert scale_of(membrane) == scale_of(sound)
    from_air, _ = switched(replace(sound, units=Units("m")), "membrane")
    assert from_air.units == Units("m", 343.0)
    light, notes = switched(sound, "light")
    assert scale_of(light).seconds == 1 / C
    assert any("speed" in note for note in notes)
    assert switched(light, "sound")[0].units == Units("m")


@given(
    st.sampled_from(["length", "time", "frequency"]),
    st.sampled_from(sorted(LENGTHS)),
    st.sampled_from([C, 343.0, 1480.0, 3.2]),
    st.floats(1e-4, 1e4),
)
def test_what_is_shown_is_the_number_and_reads_well(dimension, length, speed, value):
    metres = 10.0 ** LENGTHS[length]
    found = Scale(length, metres / speed)
    text = Written(found, repr).of(dimension, value)
    number, name = text.split(" ")
    names = SHOWN[dimension] | {"cm": -2}
    sizes = {"length": metres, "time": metres / speed, "frequency": speed / metres}
    true = value * sizes[dimension]
    assert float(number) * 10.0 ** names[name] == pytest.approx(true, rel=1e-14)
    inside = 0.999 * 10.0 ** min(names.values()) < true < 10.0 ** (max(names.values()) + 3)
    if inside:
        assert (0.01 if dimension == "length" else 0.999) <= float(number) < 1000.0


def test_lengths_stay_in_the_unit_that_was_chosen_while_they_read_well():
    written = Written(Scale("cm", None), "{:g}".format)
    shown = {0: "0 cm", 0.02: "0.02 cm", 5: "5 cm", 999: "999 cm", 0.003: "30 \u00b5m", 2e5: "2 km"}
    assert {value: written.length(value) for value in shown} == shown


@given(
    st.decimals(min_value=0, max_value=1000, places=3),
    st.sampled_from(sorted(LENGTHS)),
    st.sampled_from(sorted(LENGTHS)),
)
def test_a_length_that_is_typed_is_not_rounded(number, typed, own):
    found = in_scene_units(f"{number} {typed}", "length", Scale(own, None))
    assert float(found) == float(f"{number}e{LENGTHS[typed] - LENGTHS[own]}")


@pytest.mark.parametrize(("text", "dimension", "expected"), [
    ("1.55 um", "length", "1.55"), ("1550nm", "length", "1.55"), ("1.55 \u00b5m", "length", "1.55"),
    ("2 \u03bcm, .5 mm", "length", "2.0, 500.0"), ("d + 20 nm", "length", "d + 0.02"),
    ("3", "length", "3"), ("2e3*m", "length", "2e3*m"), ("x2 m", "length", "x2 m"),
])  # fmt: skip
def test_units_are_read_where_they_follow_a_number(text, dimension, expected):
    assert in_scene_units(text, dimension, Scale("um", 1e-6 / C)) == expected


@given(st.floats(1e-3, 1e3), st.sampled_from(["fs", "ps", "ns", "us", "ms", "s"]))
def test_times_and_frequencies_that_are_typed_are_those(number, unit):
    seconds = 1e-6 / C
    found = in_scene_units(f"{number!r} {unit}", "time", Scale("um", seconds))
    assert float(found) * seconds == pytest.approx(number * 10.0 ** SHOWN["time"].get(unit, -6))
    found = in_scene_units(f"{number!r} THz", "frequency", Scale("um", seconds))
    assert float(found) / seconds == pytest.approx(number * 1e12)


@pytest.mark.parametrize(("text", "dimension", "scale", "told"), [
    ("3 THz", "length", Scale("um", 1.0), "THz is no unit for this: it is a length"),
    ("3 um", "frequency", Scale("um", 1.0), "it is a frequency"),
    ("3 um", "", Scale("um", 1.0), "a plain number"),
    ("3 um", "length", None, "does not say what um is"),
    ("3 s", "time", Scale("um", None), "does not say what s is"),
])  # fmt: skip
def test_units_that_mean_nothing_here_are_told(text, dimension, scale, told):
    with pytest.raises(SceneError, match=told):
        in_scene_units(text, dimension, scale)


#: Names of numbers that are neither lengths, times nor frequencies.
PLAIN = {
    "amplitude", "angle", "apex", "bulges", "capacitance", "chi", "conductance", "count", "damping",
    "decades", "decayed", "density",
    "direction", "directions", "epsilon", "epsilon_angle", "epsilon_axes", "every", "impedance",
    "friction", "index", "inductance", "limit", "magnetic_sigma",
    "mode", "modes", "mu", "mu_angle", "mu_axes",
    "order", "p_quality", "p_speed", "pace", "phase", "ramp", "reflected", "relief", "resistance",
    "s_quality", "s_speed", "safety", "sigma", "slits", "speed", "strength", "taper", "tension",
    "upwinding",
}  # fmt: skip
KINDS = {
    Probe, Solver, TextLabel, Ping, View, *SHAPES.values(), *SOURCES.values(), *MONITORS.values(),
    *WAVEFORMS.values(), *POLES.values(), *(system.medium for system in SYSTEMS.values()),
    *(wall for system in SYSTEMS.values() for wall in system.walls.values()),
}  # fmt: skip


@pytest.mark.parametrize("kind", sorted(KINDS, key=lambda kind: kind.__qualname__))
def test_of_every_number_is_said_whether_it_is_one_with_a_unit(kind):
    hints = get_type_hints(kind)
    for f in fields(kind):
        if any(word in str(hints[f.name]) for word in ("float", "int")):
            assert bool(dimension_of(kind, f.name)) != (f.name in PLAIN), (
                f"{f.name} is a length, time or frequency (wavelab/scene/editing/dimensions.py), "
                "or none (PLAIN here)"
            )


def test_dimensions_follow_what_a_name_means_in_a_class():
    assert dimension_of(SHAPES["screen"], "width") == "length"
    assert dimension_of(WAVEFORMS["gaussian"], "width") == "time"
    assert dimension_of(SOURCES["line"], "end") == "length"
    assert dimension_of(MONITORS["flux"], "end") == "time"
    assert dimension_of(WAVEFORMS["chirp"], "start") == "frequency"
