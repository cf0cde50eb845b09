"""Waves of every kind: fields, media and records have the names and signs of their physics."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest

import wavelab
from wavelab.api.media import media_fields
from wavelab.cli import main
from wavelab.errors import WavelabError
from wavelab.scene.media.library import entries
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.view.quantities import can_show, names_of
from wavelab.simulation.headless.batch import run_batch
from wavelab.simulation.headless.batch_options import BatchOptions

SQUARE = {
    "domain": {"shape": "rectangle", "lower": [0, 0], "upper": [1, 1]},
    "probes": [{"name": "p", "position": [0.4, 0.3]}],
    "monitors": [
        {"name": "line", "kind": "line", "vertices": [[0.2, 0.5], [0.8, 0.5]], "count": 3}
    ],
    "solver": {"element_size": 0.5, "order": 3, "until": 0.3, "precision": "double"},
}


def grown(x, y):
    return 1 + x * y / 2


def slower(x, y):
    return 0.5 + x * y / 4


def bump(x, y):
    return np.exp(-((x - 0.5) ** 2 + 2 * (y - 0.4) ** 2) / 0.05)


FORMULAS = {
    grown: "1 + x*y/2",
    slower: "0.5 + x*y/4",
    bump: "exp(-((x - 0.5)^2 + 2*(y - 0.4)^2)/0.05)",
}
#: Where not all can be the same.
OTHERS = {"s_speed": slower}


@pytest.fixture(params=SYSTEMS.values(), ids=lambda system: system.key)
def system(request):
    return request.param


def spoken_of(system) -> list[str]:
    """Without what says the same in another way."""
    return [
        name for name in media_fields(system) if name not in getattr(system.medium, "instead", {})
    ]


def scene_of(system, text: bool) -> wavelab.Scene:
    """All that can be a function is one, or the formula that says the same."""

    def told(function):
        return FORMULAS[function] if text else function

    return wavelab.Scene(
        "Waves",
        physics=system.key,
        background={name: told(OTHERS.get(name, grown)) for name in spoken_of(system)},
        initial={shown.key: told(bump) for shown in (system.scalar, system.x, system.y)},
        **SQUARE,
    )


@pytest.mark.parametrize("backend", ["numpy", "auto"])
def test_functions_do_what_formulas_do_in_every_physics(system, backend):
    """Products of coefficients and components with the other sign are made of functions too."""
    found = []
    for text in (True, False):
        with wavelab.Simulation(scene_of(system, text), backend=backend, progress=False) as run:
            names = [shown.key for shown in (system.scalar, system.x, system.y, system.size)]
            run.run()
            found.append([run.energy(), *(run.field(name).values for name in names)])
    for formula, function in zip(*found, strict=True):
        scale = np.abs(formula).max()
        np.testing.assert_allclose(function, formula, atol=1e-12 * scale)


def test_fields_have_the_signs_of_their_physics(system):
    with wavelab.Simulation(scene_of(system, True), backend="numpy", progress=False) as run:
        x, y = run.nodes
        # Of elastic waves the y component is what stands for a scalar.
        for shown in {shown.key: shown for shown in (system.scalar, system.x, system.y)}.values():
            np.testing.assert_allclose(run.field(shown.key).values, bump(x, y), atol=1e-12)
            run.set_fields(**{shown.key: lambda x, y: -x})
            np.testing.assert_allclose(run.field(shown.key).values, -x, atol=1e-12)
        for name in spoken_of(system):
            expected = OTHERS.get(name, grown)(x, y)
            np.testing.assert_allclose(run.field(name).values, expected, atol=1e-12)
        assert run.field().name == system.scalar.key
        with pytest.raises(WavelabError, match="the field is"):
            run.field("colour")


def test_all_that_views_of_a_physics_show_can_be_read(system):
    scene = scene_of(system, True)
    with wavelab.Simulation(scene, backend="numpy", progress=False) as run:
        run.set_fields(**{system.x.key: lambda x, y: x**2, system.y.key: lambda x, y: x + y**2})
        x, y = run.nodes
        for name, quantity in names_of(system).items():
            if can_show(quantity, ()):
                assert run.field(name).values.shape == x.shape
        if system.equations == "elastic":
            np.testing.assert_allclose(run.field("divergence").values, 2 * x + 2 * y, atol=1e-5)
            np.testing.assert_allclose(run.field("curl").values, 1 + 0 * x, atol=1e-5)
            run.set_fields(sxx=lambda x, y: x, syy=lambda x, y: y)
            np.testing.assert_allclose(run.field("pressure").values, -(x + y) / 2, atol=1e-6)


def test_fields_are_complex_where_periodic_walls_have_phases():
    """A Bloch wave keeps its form: u(t) = u(0) exp(-i |k| t)."""
    k = 2 * np.pi * 0.25
    cell = SQUARE | {
        "walls": [
            {"edges": ["domain.left", "domain.right"], "kind": "periodic", "phase": 90},
            {"edges": ["domain.bottom", "domain.top"], "kind": "periodic"},
        ],
        "solver": SQUARE["solver"] | {"order": 6},
    }

    def wave(x, y):
        return np.exp(1j * k * x)

    scene = wavelab.Scene(
        initial={"ez": lambda x, y: wave(x, y).real, "hy": lambda x, y: -wave(x, y).real},
        imaginary={"ez": lambda x, y: wave(x, y).imag, "hy": lambda x, y: -wave(x, y).imag},
        **cell,
    )
    for backend in ("numpy", "auto"):
        with wavelab.Simulation(scene, backend=backend, progress=False) as run:
            x, y = run.nodes
            assert run.field("ez").values.shape == x.shape == run.field("h").values.shape
            turned = np.exp(-1j * k * run.run().time)
            np.testing.assert_allclose(run.field("ez").values, turned * wave(x, y), atol=1e-5)
            np.testing.assert_allclose(
                run.field("ez")([0.3, 0.7], 0.5), turned * wave(np.array([0.3, 0.7]), 0), atol=1e-5
            )
            seen = (turned * wave(x, y)).real
            np.testing.assert_allclose(run.field("energy").values, seen**2, atol=1e-4)
            assert run.field("ez").integral() == pytest.approx(
                turned * (np.exp(1j * k) - 1) / (1j * k), abs=1e-5
            )
            assert "real part" in repr(run.field("ez"))
            # Complex values and functions can be set too.
            run.set_fields(ez=wave, hy=-wave(x, y), hx=0)
            np.testing.assert_allclose(run.field("ez").values, wave(x, y), atol=1e-12)
            np.testing.assert_allclose(run.field("hy").values, -wave(x, y), atol=1e-12)
            assert run.picture(size=(20, 20)).pixels.shape == (20, 20, 3)
            assert run.field("epsilon").values.shape == x.shape


def test_what_a_crystal_has_axes_for_is_no_number():
    scene = wavelab.Scene(background={"mu_axes": [1, 2], "epsilon": 3}, **SQUARE)
    with wavelab.Simulation(scene, backend="numpy", progress=False) as run:
        assert np.isnan(run.field("mu").values).all()
        assert (run.field("epsilon").values == 3).all()


def test_records_and_pictures_have_the_names_of_the_command(system):
    scene = scene_of(system, True)
    quiet = {"backend": "numpy", "progress": False}
    told = run_batch(scene.model, BatchOptions(**quiet))
    with wavelab.Simulation(scene, **quiet) as run:
        run.run()
        probe, line = run.probes["p"], run.monitors["line"]
        assert system.scalar.key in probe
        np.testing.assert_array_equal(
            probe[system.scalar.key], told["probes"]["p"][system.scalar.key]
        )
        assert set(line) == set(told["monitors"]["line"]) - {"kind"}
        assert set(line.units) == set(line.dimensions) == set(line)
        picture = run.picture(system.size.key, size=(20, 20))
        assert not np.array_equal(picture.pixels, run.picture(size=(20, 20)).pixels)


@pytest.mark.parametrize("physics", [key for key in SYSTEMS if entries(key)])
def test_media_of_the_library_are_those_that_the_command_prints(physics, capsys):
    for name in entries(physics):
        words = ["media", name, "--physics", physics, "--length", "0.5"]
        assert main(words) == 0
        printed = tomllib.loads(capsys.readouterr().out)
        made = wavelab.medium(name.lower(), physics=physics, length=0.5)
        assert made == printed
        told = wavelab.Scene(physics=physics, background=made, **SQUARE).to_toml()
        assert tomllib.loads(told).get("background", {}) == printed


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"name": "glod"}, "no medium"),
        ({"name": "gold", "physics": "colour"}, "physics is"),
        ({"name": "gold", "length": -1}, "unit of length is -1"),
        ({"name": "gold", "length": "long"}, "unit of length is 'long'"),
        ({"name": "helium", "physics": "sound", "reference": "glod"}, "no medium"),
        ({"name": "air", "physics": "water"}, "no medium"),
    ],
)
def test_what_is_no_medium_is_refused(how, said):
    with pytest.raises(WavelabError, match=said) as caught:
        wavelab.medium(**how)
    assert caught.value.remedy


def test_a_function_beside_a_formula_of_time_is_refused_where_they_are_multiplied():
    background = {"density": grown, "speed": "1 + sin(t)/4"}
    with pytest.raises(WavelabError, match="a formula that changes in time") as caught:
        wavelab.Scene(physics="sound", background=background, **SQUARE)
    assert "formulas" in caught.value.remedy


def test_what_a_membrane_starts_from_has_to_be_a_formula():
    scene = wavelab.Scene(physics="membrane", initial={"displacement": bump}, **SQUARE)
    with pytest.raises(WavelabError, match="derivative") as caught:
        wavelab.Simulation(scene, backend="numpy", progress=False)
    assert "formula" in caught.value.remedy


@pytest.mark.parametrize(
    ("physics", "said", "other"),
    [
        ("light", {"index": 1.5, "mu": 2.0}, {"epsilon": 1.125}),
        ("light", {"epsilon": 1.125, "mu": 2.0}, {"index": 1.5}),
        ("te", {"index": "1.5 + x"}, {"epsilon": "(1.5 + x)^2"}),
        ("membrane", {"speed": 0.5, "density": 2.0}, {"tension": 0.5}),
        ("membrane", {"tension": 0.5, "density": 2.0}, {"speed": 0.5}),
    ],
)
def test_numbers_that_stand_for_each_other_are_both_there(physics, said, other):
    tables = {"physics": physics, "background": said} | SQUARE | {"probes": [], "monitors": []}
    with wavelab.Simulation(wavelab.Scene(**tables), backend="numpy") as simulation:
        x, _ = simulation.nodes
        for name, value in (said | other).items():
            expected = eval(value.replace("^", "**"), {"x": x}) if isinstance(value, str) else value
            assert simulation.field(name).values == pytest.approx(expected + 0 * x)
