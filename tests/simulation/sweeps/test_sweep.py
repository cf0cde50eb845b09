"""Sweeps: against theory, against single runs, and when something goes wrong."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from tests.simulation.sweeps.slab import SENT, SLAB, transmission
from wavelab.errors import OutputError, SceneError, WavelabError
from wavelab.scene.editing.parameters import with_parameters
from wavelab.scene.editing.switching import switched
from wavelab.scene.model.scene import Scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.headless.batch import run_batch
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.sweeps import sweep as sweeping
from wavelab.simulation.sweeps.axes import Axis, axis, points
from wavelab.simulation.sweeps.measures import check_measures, numbers_of, unit_of
from wavelab.simulation.sweeps.sweep import Sweep, first_look, run_sweep
from wavelab.simulation.sweeps.table import Row, SweepTable, mark_of
from wavelab.simulation.sweeps.worker import Answer, Task, work

OPTIONS = BatchOptions(progress=False, backend="numpy", order=3)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return parse_scene(SLAB)


def swept(sweep: Sweep, path: Path, *measures: str, jobs: int = 2) -> list[Row]:
    table = SweepTable(path, sweep.names, measures, sweep.mark)
    run_sweep(sweep, measures, table, jobs, lambda row, part: None)
    return table.rows()


@pytest.mark.parametrize(
    "over", ["d=0.1,0.1666666667,0.25,0.3", "n=1,1.5,2.2,3"], ids=["thickness", "index"]
)
def test_the_transmission_of_a_slab(scene: Scene, over: str, tmp_path: Path) -> None:
    options = BatchOptions(progress=False, element_size=0.1)
    sweep = Sweep(scene, options, (axis(over),))
    rows = swept(sweep, tmp_path / "t.csv", "out.mean_power")
    assert len(rows) == 4
    for row in rows:
        assert not row.error
        at = scene.values | {sweep.names[0]: float(row.point[0])}
        assert row.values[0] / SENT == pytest.approx(transmission(**at), abs=2e-4)


def test_a_sweep_gives_what_single_runs_give(scene: Scene, tmp_path: Path) -> None:
    scene = replace(scene, solver=replace(scene.solver, until=2.0), monitors=())
    sweep = Sweep(scene, OPTIONS, (axis("d=0.1,0.3"), axis("solver.order=2,3")))
    options = replace(OPTIONS, order=None)
    rows = swept(replace(sweep, options=options), tmp_path / "t.csv", "behind", "energy", "steps")
    assert [row.point for row in rows] == [("0.1", "2"), ("0.1", "3"), ("0.3", "2"), ("0.3", "3")]
    for row in rows:
        d, order = float(row.point[0]), int(row.point[1])
        single = with_parameters(scene, {"d": d})
        found = run_batch(single, replace(options, order=order))
        expected = (
            float(abs(found["probes"]["behind"]["ez"]).max()),
            found["energy"]["final"],
            found["steps"],
        )
        assert row.values == pytest.approx(expected, rel=1e-9)


def test_what_cannot_be_run_is_a_row_that_says_so(scene: Scene, tmp_path: Path) -> None:
    quick = replace(OPTIONS, until=0.5, order=1)
    scene = replace(scene, monitors=())
    sweep = Sweep(scene, quick, (axis("d=0.2,0.9"),))
    path = tmp_path / "t.csv"
    good, bad = swept(sweep, path, "energy")
    assert not good.error
    assert "outside its range. It can be from 0.05 to 0.6" in bad.error
    assert bad.values == ()
    # It is tried again, the good one is not.
    table = SweepTable(path, sweep.names, ("energy",), sweep.mark)
    assert table.missing(sweep.points) == [("0.9",)]


def test_a_row_that_is_there_is_not_run_again(scene: Scene, tmp_path: Path, monkeypatch) -> None:
    sweep = Sweep(replace(scene, monitors=()), OPTIONS, (axis("d=0.1:0.3:3"),))
    table = SweepTable(tmp_path / "t.csv", sweep.names, ("energy",), sweep.mark)
    table.put(Row(("0.20",), (7.0,)))
    asked = []

    def answered(worker, tasks, jobs):
        asked.extend(tasks)
        return ((name, Answer((1.0,))) for name, _ in tasks)

    monkeypatch.setattr("wavelab.simulation.sweeps.sweep.answers", answered)
    again = SweepTable(tmp_path / "t.csv", sweep.names, ("energy",), sweep.mark)
    parts = []
    run_sweep(sweep, ("energy",), again, 1, lambda row, part: parts.append(part))
    assert [name for name, _ in asked] == [("0.1",), ("0.3",)]
    assert parts == pytest.approx([2 / 3, 1])
    assert [row.values for row in again.rows()] == [(1.0,), (7.0,), (1.0,)]
    first, last = (task.scene for _, task in asked)
    assert (first.values["d"], last.values["d"]) == (0.1, 0.3)


def test_a_table_of_something_else_is_refused(scene: Scene, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    SweepTable(path, ["d"], ["energy"], "mark").put(Row(("1",), (2.0,)))
    before = path.read_text()
    for names, measures, mark, words in (
        (["n"], ["energy"], "mark", "is the table of d, energy, and not of n, energy"),
        (["d"], ["steps"], "mark", "is the table of d, energy, and not of d, steps"),
        (["d"], ["energy"], "other", "another scene, or of other options"),
    ):
        with pytest.raises(OutputError, match=words) as caught:
            SweepTable(path, names, measures, mark)
        assert "remove this one" in caught.value.remedy
    assert path.read_text() == before
    for text, words in (
        ("a,b\n1,2\n", "no table of a sweep"),
        ("", "no table of a sweep"),
        ("d,energy,error,scene\n1,2\n", "another number of cells"),
        ("d,energy,error,scene\n1,two,,mark\n", "lacks a number"),
    ):
        path.write_text(text)
        with pytest.raises(OutputError, match=words):
            SweepTable(path, ["d"], ["energy"], "mark")
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(OutputError, match="cannot be read"):
        SweepTable(path, ["d"], ["energy"], "mark")


def test_the_mark_is_that_of_the_numbers(scene: Scene) -> None:
    mark = mark_of(scene)
    assert mark == mark_of(replace(scene, title="Other", notes="x", path=Path("a.toml")))
    assert mark != mark_of(with_parameters(scene, {"d": 0.3}))
    assert mark != mark_of(replace(scene, probes=()))
    assert mark != mark_of(OPTIONS.applied(scene))


def test_rows_are_sorted_by_their_numbers(tmp_path: Path) -> None:
    table = SweepTable(tmp_path / "t.csv", ["d", "stepper"], ["m"], "mark")
    for point in (("10", "b"), ("9", "b"), ("1e1", "a"), ("-1", "z")):
        table.put(Row(point, (0.1 + 0.2,)))
    assert [row.point for row in table.rows()] == [
        ("-1", "z"), ("9", "b"), ("1e1", "a"), ("10", "b"),
    ]  # fmt: skip
    lines = (tmp_path / "t.csv").read_text().splitlines()
    assert lines[:2] == ["d,stepper,m,error,scene", "-1,z,0.30000000000000004,,mark"]
    assert [p.name for p in tmp_path.iterdir()] == ["t.csv"]


def task(*measures: str) -> Task:
    return Task(parse_scene(SLAB), OPTIONS, measures)


def test_a_process_that_dies_costs_its_own_run_alone(scene, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(sweeping, "_WORKER", "tests.dying_worker")
    sweep = Sweep(scene, OPTIONS, (axis("d=0.1:0.3:3"),))
    table = SweepTable(tmp_path / "t.csv", sweep.names, ("abort",), sweep.mark)
    failed = run_sweep(sweep, ("abort",), table, 2, lambda row, part: None)
    assert [row.error for row in failed] == ["its process ended with status -6"] * 3


def test_what_a_run_answers(scene: Scene) -> None:
    quick = replace(OPTIONS, until=0.3, order=1)
    short = replace(scene, monitors=())
    assert work(Task(short, quick, ("steps",))).values[0] > 1
    assert "nowhere" in work(Task(short, replace(quick, backend="nowhere"), ("steps",))).error
    assert work(Task(short, quick, ("nothing",))).error.startswith("a defect of the program: Key")
    broken = replace(short, solver=replace(short.solver, element_size=1e-9))
    assert "elements" in work(Task(broken, quick, ("steps",))).error


@pytest.mark.parametrize("physics", ["light", "sound"])
@pytest.mark.parametrize("quantity", ["ez", "hx"])
def test_a_probe_answers_with_what_it_records(scene: Scene, physics: str, quantity: str) -> None:
    probes = (replace(scene.probes[0], quantity=quantity),)
    other, _ = switched(replace(scene, monitors=(), sources=(), probes=probes), physics)
    summary = run_batch(other, replace(OPTIONS, order=1, until=0.1, element_size=0.3))
    assert f"{probes[0].name}.max" in numbers_of(summary)


def test_the_names_are_known_before_the_first_step(scene: Scene) -> None:
    notes: list[str] = []
    summary = first_look(Sweep(scene, OPTIONS, (axis("d=0.1,0.2"),)), notes.append)
    names = numbers_of(summary)
    told = numbers_of(run_batch(scene, replace(OPTIONS, order=1, element_size=0.3)))
    assert set(names) == set(told)
    for name in ("out.mean_power", "out.energy", "out.duration", "out.power.max", "behind",
                 "behind.final", "energy", "energy.initial", "steps", "elements"):  # fmt: skip
        assert name in names
        if name not in ("energy.initial",):
            assert told[name] > 0 or name == "behind.final"
    assert unit_of("out.mean_power", summary) == "power"
    assert unit_of("behind", summary) == "field"
    assert unit_of("steps", summary) == ""
    check_measures(["out.mean_power"], names)
    with pytest.raises(WavelabError, match=r'Did you mean "out.mean_power"\? There are: out'):
        check_measures(["out.mean_powr"], names)
    with pytest.raises(WavelabError, match="nothing says what to measure"):
        check_measures([], names)
    with pytest.raises(WavelabError, match="steps is measured twice"):
        check_measures(["steps", "steps"], names)
    with pytest.raises(SceneError, match="no parameter q"):
        first_look(Sweep(scene, OPTIONS, (axis("q=1,2"),)), notes.append)


def test_several_frequencies_are_numbered_and_errors_measured() -> None:
    text = SLAB.replace('frequencies = ["f"]', 'frequencies = ["f", "2*f"]')
    text += '[exact]\nez = "0"\n'
    names = numbers_of(first_look(Sweep(parse_scene(text), OPTIONS, ()), lambda note: None))
    assert {"out.mean_power.1", "out.mean_power.2", "error.ez.l2", "error.ez.max"} <= set(names)
    assert "out.mean_power" not in names


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        ("d=0.1:1:4", "d", ("0.1", "0.4", "0.7", "1")),
        ("d=0.1:0.3:3", "d", ("0.1", "0.2", "0.3")),
        (" d = 1:0:3 ", "d", ("1", "0.5", "0")),
        ("d=2:2:1", "d", ("2",)),
        ("a.b=1, 2,1/3", "a.b", ("1", "2", "1/3")),
        ("solver.stepper=ck54,local", "solver.stepper", ("ck54", "local")),
    ],
)
def test_what_to_go_over(text: str, name: str, values: tuple[str, ...]) -> None:
    assert axis(text) == Axis(name, values)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("d", "says not what"),
        ("d=", "says not what"),
        ("=1,2", "says not what"),
        ("d=1,,2", "a value is missing"),
        ("d=1:2", "is no range"),
        ("d=a:2:3", "is no range"),
        ("d=1:2:3.5", "is no range"),
        ("d=0:inf:3", "not finite"),
        ("d=0:1:0", "has 0 values"),
        ("d=0:1:1", "has 1 value"),
        ("d=0:1:100001", "more than 100,000"),
    ],
)
def test_what_is_no_range(text: str, words: str) -> None:
    with pytest.raises(WavelabError, match=words) as caught:
        axis(text)
    assert caught.value.remedy


def test_all_combinations() -> None:
    assert points([Axis("a", ("1", "2")), Axis("b", ("3", "4"))]) == [
        ("1", "3"), ("1", "4"), ("2", "3"), ("2", "4"),
    ]  # fmt: skip
    with pytest.raises(WavelabError, match="gone over twice"):
        points([Axis("a", ("1",)), Axis("a", ("2",))])
    many = Axis("a", tuple(map(str, range(1000))))
    with pytest.raises(WavelabError, match="1,000,000 runs"):
        points([many, replace(many, name="b")])


def test_airy_is_right() -> None:
    assert transmission(1, 0.3, 2) == 1
    assert transmission(2, 0.25, 1.0) == pytest.approx(1)
    assert transmission(2, 0.125, 1.0) == pytest.approx(1 / (1 + (3 / 4) ** 2))
    assert math.isclose(SENT, 0.075)
