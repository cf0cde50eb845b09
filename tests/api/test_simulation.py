"""Simulations in the hands of a program: the numbers of ``wavelab run``, and exact answers."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wavelab
from tests.api.conftest import TABLES
from wavelab.cli import main
from wavelab.errors import WavelabError
from wavelab.simulation.headless.summary import as_json

SQUARE = {"domain": {"shape": "rectangle", "lower": [0, 0], "upper": [1, 1]}}
CAVITY = {
    **SQUARE,
    "initial": {"ez": "sin(pi*x)*sin(pi*y)"},
    "solver": {"element_size": 0.3, "order": 5, "until": 0.5},
}
OMEGA = math.sqrt(2) * math.pi


def told(summary: dict) -> dict:
    """As JSON, without what differs from run to run."""
    found = json.loads(as_json(summary))
    return {key: value for key, value in found.items() if key not in ("wall_s", "scene")}


@pytest.fixture(scope="module")
def by_command(tmp_path_factory) -> dict:
    """What ``wavelab run --json`` tells of the scene of all that a run has in its course."""
    path = tmp_path_factory.mktemp("command") / "all.toml"
    wavelab.Scene("All in one", **TABLES).save(path)
    with pytest.MonkeyPatch.context() as patch:
        printed: list[str] = []
        patch.setattr("builtins.print", lambda *words, **how: printed.append(" ".join(words)))
        assert main(["run", str(path), "--backend", "numpy", "--ledger", "--json"]) == 0
    (line,) = (text for text in printed if text.startswith("{"))
    return told(json.loads(line))


@settings(max_examples=4)
@given(st.lists(st.one_of(st.integers(0, 6), st.floats(0, 0.3)), max_size=4))
def test_any_way_to_the_end_gives_the_numbers_of_the_command(by_command, ways):
    seen: list[float] = []
    quiet = {"backend": "numpy", "progress": False, "notify": lambda text: None}
    with wavelab.Simulation(wavelab.Scene("All in one", **TABLES), ledger=True, **quiet) as run:
        run.every(2, lambda simulation: seen.append(simulation.field("ez")(0.7, 0.4)))
        for way in ways:
            if isinstance(way, int):
                run.step(min(way, round((1 - run.time) / run.dt)))
            else:
                run.run(min(1.0, run.time + way))
        run.run()
        assert told(run.summary()) == by_command
        assert run.time == 1.0
        # A callback has seen what the probe has recorded; the pings come after other steps.
        np.testing.assert_allclose(seen, run.probes["p"]["ez"][1::2], atol=1e-12)
        assert run.ledger.summary() == pytest.approx(by_command["ledger"])
        assert run.energy() == by_command["energy"]["final"]
        for name, found in run.monitors.items():
            for key, value in found.items():
                if key in by_command["monitors"][name]:
                    assert np.abs(value) == pytest.approx(
                        np.abs(by_command["monitors"][name][key]), abs=1e-300
                    )


def test_options_are_those_of_the_command(tmp_path, capsys):
    path = tmp_path / "all.toml"
    wavelab.Scene("All in one", **TABLES).save(path)
    options = {"order": 2, "element_size": 0.4, "until": 0.3, "stepper": "ck54"}
    words = ["--order", "2", "--h", "0.4", "--until", "0.3", "--stepper", "ck54", "--json"]
    assert main(["run", str(path), "--backend", "numpy", *words]) == 0
    command = told(json.loads(capsys.readouterr().out))
    quiet = {"backend": "numpy", "progress": False, "notify": lambda text: None}
    with wavelab.Simulation(path, **options, **quiet) as run:
        assert told(run.run().summary()) == command


def test_a_run_until_the_wave_has_died_away_is_that_of_the_command(tmp_path, capsys):
    path = tmp_path / "all.toml"
    gone = {
        "solver": {**TABLES["solver"], "until": 9},
        "walls": [{"edges": ["domain"], "kind": "absorbing"}],
    }
    wavelab.Scene("All in one", **TABLES | gone).save(path)
    assert main(["run", str(path), "--backend", "numpy", "--decayed", "0.05", "--json"]) == 0
    command = told(json.loads(capsys.readouterr().out))
    quiet = {"backend": "numpy", "progress": False, "notify": lambda text: None}
    with wavelab.Simulation(path, **quiet) as run:
        assert told(run.run("decayed", part=0.05).summary()) == command
        assert run.decayed
        assert run.time < 9


def test_opencl_gives_the_numbers_of_the_command_too(tmp_path, capsys):
    path = tmp_path / "all.toml"
    wavelab.Scene("All in one", **TABLES).save(path)
    assert main(["run", str(path), "--json", "--ledger"]) == 0
    command = told(json.loads(capsys.readouterr().out))
    with wavelab.Simulation(path, ledger=True, notify=lambda text: None) as run:
        assert told(run.run(0.3).run().summary()) == command


def test_fields_are_the_polynomials_at_any_points(quiet):
    with wavelab.Simulation(wavelab.Scene(**CAVITY), **quiet) as run:
        x, y = run.nodes
        field = run.field("ez")
        assert field.values.shape == x.shape == field.x.shape
        np.testing.assert_allclose(field(x, y), np.sin(np.pi * x) * np.sin(np.pi * y), atol=1e-4)
        assert field.integral() == pytest.approx(4 / np.pi**2, rel=1e-4)
        assert np.isnan(field(2.0, 0.5))
        assert field(0.5, [0.1, 0.2]).shape == (2,)
        run.run(0.4)
        # The field that was asked for is that of then.
        assert field.time == 0.0
        now = run.field("ez")
        assert now(0.5, 0.5) == pytest.approx(math.cos(OMEGA * run.time), abs=2e-4)
        h, hx, hy = (run.field(name)(0.3, 0.4) for name in ("h", "hx", "hy"))
        assert h == pytest.approx(math.hypot(hx, hy), rel=1e-2)
        assert run.field("energy").integral() == pytest.approx(run.energy(), rel=1e-2)
        assert run.field("epsilon").values == pytest.approx(1.0)


def test_own_fields_go_on_as_those_of_formulas_do(quiet):
    def start(x, y):
        return np.sin(np.pi * x) * np.sin(np.pi * y)

    with wavelab.Simulation(wavelab.Scene(**CAVITY), **quiet) as formula:
        expected = formula.run().field().values
    empty = wavelab.Scene(**CAVITY | {"initial": {}})
    for how in ("function", "nodes", "scene"):
        scene = wavelab.Scene(**CAVITY | {"initial": {"ez": start}}) if how == "scene" else empty
        with wavelab.Simulation(scene, notify=lambda text: None, **quiet) as own:
            if how == "function":
                own.set_fields(ez=start)
            elif how == "nodes":
                own.set_fields(ez=start(*own.nodes), hx=0)
            np.testing.assert_allclose(own.run().field().values, expected, atol=1e-13)


def test_fields_can_be_replaced_in_the_middle_and_the_ledger_books_it(quiet):
    with wavelab.Simulation(wavelab.Scene(**CAVITY), ledger=True, **quiet) as run:
        run.run(0.2)
        before, steps = run.energy(), run.steps
        run.set_fields(ez=lambda x, y: 2 * run.field("ez")(x, y).clip(-9, 9), hx=0.0, hy=0.0)
        after = run.energy()
        assert run.steps == steps
        assert run.ledger.pings == pytest.approx(after - before, rel=1e-9)
        assert abs(run.run().ledger.residual) < 1e-3 * run.ledger.turnover


def test_media_of_functions_are_those_of_formulas(quiet):
    def graded(x, y):
        return 2 + np.cos(np.pi * x) * np.exp(-y)

    scene = wavelab.Scene(**CAVITY, background={"epsilon": "2 + cos(pi*x)*exp(-y)"})
    with (
        wavelab.Simulation(scene.with_("background.epsilon", graded), **quiet) as own,
        wavelab.Simulation(scene, **quiet) as formula,
    ):
        assert own.dt == formula.dt
        np.testing.assert_allclose(
            own.run().field().values, formula.run().field().values, atol=1e-13
        )
        np.testing.assert_allclose(own.field("epsilon").values, graded(*own.nodes), atol=1e-12)


def test_an_exact_solution_can_be_a_function(quiet):
    def standing(x, y, t):
        return np.sin(np.pi * x) * np.sin(np.pi * y) * np.cos(OMEGA * t)

    scene = wavelab.Scene(**CAVITY, exact={"ez": standing})
    with wavelab.Simulation(scene, **quiet) as run:
        assert run.run().summary()["error"]["ez"]["l2"] < 1e-4


def test_a_ping_is_what_its_formula_says(quiet):
    with wavelab.Simulation(wavelab.Scene(**CAVITY | {"initial": {}}), notify=lambda text: None,
                            **quiet) as run:  # fmt: skip
        run.ping(0.5, 0.4, radius=0.3, amplitude=-2)
        x, y = run.nodes
        expected = -2 * np.exp(-((x - 0.5) ** 2 + (y - 0.4) ** 2) / 0.18)
        np.testing.assert_allclose(run.field().values, expected, atol=1e-3)


def test_a_run_ends_when_the_wave_has_died_away(quiet):
    walls = [{"edges": ["domain"], "kind": "absorbing"}]
    scene = wavelab.Scene(
        **CAVITY | {"solver": {**CAVITY["solver"], "order": 2, "until": 30}}, walls=walls
    )
    with wavelab.Simulation(scene, **quiet) as run:
        first = run.energy()
        run.run(until="decayed", part=1e-2)
        assert run.decayed
        assert run.energy() <= 1e-2 * first
        early = run.time
        run.run(until="decayed", part=1e-4)
        assert early < run.time < 30
        assert run.energy() <= 1e-4 * first
        # The scene itself does not ask for that: its end is that of its time.
        late = run.time
        assert run.run(late + 0.5).time >= late + 0.5
        with pytest.raises(WavelabError, match="has passed"):
            run.run(late)
    said: list[str] = []
    with wavelab.Simulation(wavelab.Scene(**CAVITY), notify=said.append, **quiet) as run:
        run.run(until="decayed")
        assert not run.decayed
        assert "has not died away" in said[-1]


def test_notices_are_warnings_of_the_line_that_asked(quiet):
    with pytest.warns(wavelab.Notice) as caught:
        wavelab.Simulation(wavelab.Scene(**CAVITY, parameters={"idle": 1}), **quiet).close()
    assert caught[0].filename == __file__


def test_after_closing_nothing_can_be_asked(quiet):
    with wavelab.Simulation(wavelab.Scene(**CAVITY), **quiet) as run:
        pass
    run.close()
    for ask in (run.step, run.field, run.energy, lambda: run.time):
        with pytest.raises(WavelabError, match="closed"):
            ask()
    assert "closed" in repr(run)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda run: run.run(-1), "has passed"),
        (lambda run: run.run("late"), "run until is 'late'"),
        (lambda run: run.run(math.inf), "run until is inf"),
        (lambda run: run.run("decayed", part=0), "never reached"),
        (lambda run: run.run("decayed", part="half"), "part of the energy is 'half'"),
        (lambda run: run.step(1.5), "no number of steps"),
        (lambda run: run.every(0, print), "no number of steps"),
        (lambda run: run.every(2, None), "cannot be called"),
        (lambda run: run.ping(9, 9, 0.1), "touches no element"),
        (lambda run: run.ping(0.5, 0.5, -1), "radius"),
        (lambda run: run.ping(0.5, math.nan, 1), "y of the ping is nan"),
        (lambda run: run.ping(0.5, 0.5, "wide"), "the radius is 'wide'"),
        (lambda run: run.field("ez")("here", 0), "no real numbers"),
        (lambda run: run.field("ez")([1, 2], [1, 2, 3]), "do not fit"),
        (lambda run: run.set_fields(ez="wave"), "no real numbers"),
        (lambda run: run.field("ex"), 'the field is "ex"'),
        (lambda run: run.set_fields(ex=0), 'the field is "ex"'),
        (lambda run: run.set_fields(ez=np.zeros(3)), "cannot be set"),
        (lambda run: run.set_fields(ez=math.inf), "cannot be set"),
        (lambda run: run.set_fields(ez=lambda x, y: x / 0), "at x = 0"),
        (lambda run: run.ledger, "keeps no ledger"),
        (lambda run: run.picture("colour"), 'quantity is "colour"'),
        (lambda run: run.picture(palete="berlin"), "the key of the view"),
        (lambda run: run.picture(size=(0, 10)), "no number of pixels"),
        (lambda run: run.picture(size=5), "is no size"),
        (lambda run: run.picture(limit=-1), "limit"),
        (lambda run: run.picture(limit="much"), "limit"),
        (lambda run: run.picture(part=3), "part"),
        (lambda run: run.movie(0.1, fps="fast"), "pictures per second"),
        (lambda run: run.movie(0.1, time_per_frame="short"), "time per frame is 'short'"),
        (lambda run: run.picture(palette="mauve"), "mauve"),
        (lambda run: run.movie(0.1, "wave.avi"), "wave.avi"),
        (lambda run: run.snapshot("wave.xyz"), "wave.xyz"),
        (lambda run: wavelab.Simulation(run.scene, order=99), "solver.order: order is 99"),
        (lambda run: wavelab.Simulation(run.scene, order=2.5), "order is a number"),
        (lambda run: wavelab.Simulation(run.scene, until="late"), "until is no number"),
        (lambda run: wavelab.Simulation(run.scene, precision="half"), "precision is"),
        (lambda run: wavelab.Simulation(run.scene, device=99, backend="opencl"), '"99"'),
        (lambda run: wavelab.Simulation(run.scene, backend="cuda"), "backend 'cuda'"),
        (lambda run: wavelab.Simulation(run.scene, until=-1), "until"),
    ],
)
def test_what_cannot_be_is_said_and_costs_nothing(run, ask, said):
    before = run.steps, run.energy()
    with pytest.raises(WavelabError) as caught:
        ask(run)
    assert said in str(caught.value)
    assert (run.steps, run.energy()) == before


@pytest.fixture(scope="module")
def run():
    with wavelab.Simulation(wavelab.Scene(**CAVITY), backend="numpy", progress=False) as run:
        yield run


def test_a_callback_cannot_take_steps_and_its_error_leaves_the_run_whole(quiet):
    with wavelab.Simulation(wavelab.Scene(**CAVITY), **quiet) as run:
        run.every(3, lambda simulation: simulation.step())
        with pytest.raises(WavelabError, match="in the middle of a run"):
            run.run()
        assert run.steps == 3
        run.step(2)
        assert run.steps == 5


def test_results_say_what_they_are(quiet):
    with wavelab.Simulation(wavelab.Scene("All in one", **TABLES), notify=print, **quiet) as run:
        run.run(0.5)
        out, probe = run.monitors["out"], run.probes["p"]
        assert out.units["mean_power"] == "power"
        assert out.dimensions["mean_power"] == ("frequency",)
        assert len(out["time"]) == len(out["power"]) == run.steps
        assert probe.units == {"time": "length", "ez": "field"}
        assert "ez [time" in repr(probe)
        assert "power [time" in repr(out)
        with pytest.raises(KeyError, match="mean_power"):
            out["mean_powr"]
        with pytest.raises(KeyError):
            run.probes["nowhere"]
