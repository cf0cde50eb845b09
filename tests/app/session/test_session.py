"""The session against a solver and a mesher that do as they are told."""

from __future__ import annotations

import queue
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wavelab.app.edits import domain_edits, edits
from wavelab.app.edits.edit_price import Price, price
from wavelab.app.session.preparation import Prepared
from wavelab.app.session.session import NowRunning, Refused, Session
from wavelab.errors import GeometryError
from wavelab.scene.model.scene import Material, Probe, Scene, Solver
from wavelab.scene.model.shapes import Rectangle
from wavelab.simulation.messages import events
from wavelab.simulation.movies.movie_request import MovieRequest
from wavelab.simulation.solver import commands
from wavelab.simulation.solver.command import without_superseded
from wavelab.simulation.solver.questions import (
    FieldsTaken,
    Measure,
    MonitorRead,
    PingsTaken,
    TakeFields,
    TakePings,
)

FIRST = Scene(title="first", solver=Solver(element_size=0.1))
OTHER = Scene(title="other", solver=Solver(element_size=0.2))
SMALL, LARGE = Rectangle((0, 0), (1, 1)), Rectangle((0, 0), (2, 2))


class FakePreparation:
    """Done when the test says so."""

    def __init__(self, scene, generation, before=None, quick=False, kept=None, makeshift=False):
        self.scene, self.generation = scene, generation
        self.mesh = None if before is None else before.mesh
        self.quick, self.kept, self.makeshift = quick, kept, makeshift
        self.text, self.started = "Meshing", 0.0
        self.done = self.cancelled = False
        self.error = self.reckoned = None

    def cancel(self):
        self.cancelled = True

    def join(self, timeout):
        self.done = True
        return True

    def result(self):
        if self.cancelled:
            return None
        if self.error is not None:
            raise self.error
        mesh = self.mesh or f"mesh {self.generation}"
        problem = SimpleNamespace(scene=self.scene, reckoned_from=self.reckoned)
        return Prepared(self.generation, self.scene, mesh, problem, None, makeshift=self.makeshift)


class FakeSettling(FakePreparation):
    """Finds the step when the test says so."""

    def __init__(self, prepared):
        super().__init__(prepared.scene, prepared.generation, prepared)

    def finish(self):
        self.done = True


def loaded(generation, kept):
    return events.Loaded(generation, "device", "numpy", "double", 4, 1, 1, 0.1, kept)


class Lab:
    """A session with both its ends in the test's hands."""

    def __init__(self):
        self.preparations, self.settlings, self.reckoned = [], [], None
        self.awaited = 0
        self.runner = SimpleNamespace(commands=queue.SimpleQueue(), events=queue.SimpleQueue())
        self.changes = []
        self.session = Session(
            self.runner,
            FIRST,
            prepare=self._prepare,
            settle=self._settle,
            changed=lambda: self.changes.append(1),
        )

    def _prepare(self, *arguments, **how):
        self.preparations.append(FakePreparation(*arguments, **how))
        self.preparations[-1].reckoned = self.reckoned
        return self.preparations[-1]

    def _settle(self, prepared):
        self.settlings.append(FakeSettling(prepared))
        return self.settlings[-1]

    def sent(self):
        found = []
        while not self.runner.commands.empty():
            found.append(self.runner.commands.get())
        self.awaited += commands.AwaitLoad() in found
        return [command for command in found if command != commands.AwaitLoad()]

    def prepared(self, error=None):
        """The newest preparation ends."""
        self.preparations[-1].error = error
        self.preparations[-1].done = True
        return self.session.hear()

    def loaded(self, generation, kept=True):
        self.runner.events.put(loaded(generation, kept))
        return self.session.hear()

    def run(self):
        """Let the newest scene run."""
        self.prepared()
        (load,) = [c for c in self.sent() if isinstance(c, commands.Load)]
        (running,) = self.loaded(load.generation, load.keep_field)
        return load, running


@pytest.fixture
def lab():
    made = Lab()
    made.session.start()
    made.run()
    return made


def test_the_first_scene_starts_from_its_initial_fields():
    lab = Lab()
    lab.session.start()
    load, running = lab.run()
    assert not load.keep_field
    assert running.first
    assert lab.session.running.scene == FIRST


def test_an_edit_keeps_the_field_and_the_old_wave_until_it_runs(lab):
    lab.session.apply(domain_edits.draw_domain(FIRST, LARGE))
    assert lab.session.scene.outline == LARGE
    assert lab.session.running.scene == FIRST
    assert lab.session.busy
    load, running = lab.run()
    assert load.keep_field
    assert not running.first
    assert lab.session.running.scene.outline == LARGE
    assert not lab.session.busy


def test_order_reuses_the_mesh_and_geometry_does_not(lab):
    lab.session.apply(edits.set_order(FIRST, 6))
    assert lab.preparations[-1].mesh == "mesh 1"
    lab.run()
    lab.session.apply(edits.set_element_size(lab.session.scene, 0.3))
    assert lab.preparations[-1].mesh is None


def test_a_newer_edit_makes_the_older_one_stale(lab):
    lab.session.apply(edits.set_order(FIRST, 5))
    lab.session.apply(edits.set_order(lab.session.scene, 6))
    older, newer = lab.preparations[-2:]
    assert older.cancelled
    older.done = True
    assert lab.session.hear() == []
    assert lab.sent() == []
    newer.done = True
    lab.session.hear()
    (load,) = lab.sent()
    assert load.generation == newer.generation


def test_what_is_tried_out_is_a_makeshift_and_made_as_it_stays_in_the_end(lab):
    start, running = lab.session.scene, lab.session.running
    tried = replace(start, outline=LARGE)
    lab.session.attempt(tried, makeshift=True)
    assert lab.preparations[-1].makeshift
    assert lab.preparations[-1].kept is running
    lab.run()
    assert lab.session.makeshift
    assert lab.session.history.undo_label == ""
    # A number on the way stays on this mesh.
    lab.session.attempt(brighter(tried, 2.0).scene, makeshift=True)
    assert lab.preparations[-1].quick
    lab.run()
    assert lab.session.running.makeshift
    # The same scene, once it is to stay, gets another mesh, and is one step.
    lab.session.apply(edits.Edit("Drag", lab.session.scene), start)
    newest = lab.preparations[-1]
    assert (newest.makeshift, newest.mesh, newest.quick) == (False, None, False)
    lab.run()
    assert not lab.session.makeshift
    assert lab.session.history.undo_label == "Drag"
    lab.session.undo()
    assert lab.session.scene == start


def test_what_is_given_up_gets_its_mesh_back(lab):
    start = lab.session.scene
    lab.session.attempt(replace(start, outline=LARGE), makeshift=True)
    lab.run()
    lab.session.attempt(start)
    assert not lab.preparations[-1].makeshift
    assert lab.preparations[-1].mesh is None
    # On its way back it may not have been given to the solver yet.
    lab.run()
    lab.session.attempt(replace(start, outline=LARGE), makeshift=True)
    lab.session.attempt(start)
    assert lab.preparations[-2].cancelled
    lab.run()
    assert (lab.session.scene, lab.session.makeshift) == (start, False)


def brighter(scene, amplitude):
    """An edit of a number."""
    return edits.Edit("Amplitude", replace(scene, background=Material(epsilon=amplitude)))


def test_edits_of_numbers_all_show_on_the_way(lab):
    for number in (2.0, 3.0, 4.0):
        lab.session.apply(brighter(lab.session.scene, number))
    first, *others = lab.preparations[1:]
    assert others == []  # it is done so soon that nothing is given up for the newest
    assert first.quick
    assert not first.cancelled
    lab.prepared()
    (load,) = lab.sent()
    assert load.problem.scene.background.epsilon == 2.0
    assert lab.session.busy
    newest = lab.preparations[-1]
    assert newest.scene.background.epsilon == 4.0
    lab.prepared()
    (load,) = lab.sent()
    assert load.generation == newest.generation == lab.session.generation
    assert load.keep_field


def test_the_solver_is_told_that_a_number_is_on_its_way(lab):
    assert lab.awaited == 0
    lab.session.apply(brighter(FIRST, 2.0))
    assert lab.sent() == []
    assert lab.awaited == 1, "before it is there"
    lab.prepared()
    (load,) = lab.sent()
    assert isinstance(load, commands.Load)
    lab.session.open(OTHER)
    lab.sent()
    assert lab.awaited == 1, "nothing waits for a mesh"


def test_a_number_that_cannot_be_gives_way_to_a_newer_one(lab):
    lab.session.apply(brighter(FIRST, 2.0))
    lab.session.apply(brighter(lab.session.scene, 3.0))
    assert lab.prepared(GeometryError("no such medium")) == []
    lab.prepared()
    (load,) = lab.sent()
    assert load.problem.scene.background.epsilon == 3.0
    # If that fails too, both are taken back.
    lab.session.apply(brighter(lab.session.scene, 4.0))
    (refused,) = lab.prepared(GeometryError("nor this"))
    assert refused.scene.background.epsilon == 4.0
    assert lab.session.scene.background.epsilon == 3.0


def test_an_edit_that_needs_more_does_not_wait(lab):
    lab.session.apply(brighter(FIRST, 2.0))
    lab.session.apply(edits.set_order(lab.session.scene, 6))
    quick, slow = lab.preparations[-2:]
    assert quick.cancelled
    assert slow.scene.background.epsilon == 2.0


def test_the_step_is_found_when_nothing_else_is_to_be_done(lab):
    lab.reckoned = True
    lab.session.apply(brighter(FIRST, 2.0))
    lab.run()
    (settling,) = lab.settlings
    lab.session.apply(edits.add_probe(lab.session.scene, (0.5, 0.5)))  # which costs nothing
    settling.finish()
    lab.session.hear()
    load = next(c for c in lab.sent() if isinstance(c, commands.Load))
    assert load.keep_field
    assert load.generation == lab.session.generation
    lab.loaded(load.generation)
    assert lab.session.running.scene == lab.session.scene
    assert lab.settlings == [settling]
    # Another edit comes first.
    lab.session.apply(brighter(lab.session.scene, 3.0))
    lab.run()
    lab.session.apply(brighter(lab.session.scene, 4.0))
    assert lab.settlings[-1].cancelled


def test_a_step_that_is_found_waits_for_who_looks_at_the_past(lab):
    lab.reckoned = True
    lab.session.apply(brighter(FIRST, 2.0))
    lab.run()
    lab.session.solver.in_past = True
    lab.settlings[0].finish()
    lab.session.hear()
    assert not lab.sent()
    lab.session.solver.in_past = False
    lab.session.hear()
    assert [type(command) for command in lab.sent()] == [commands.Load]


def test_a_late_load_of_an_older_edit_does_not_end_the_newer_one(lab):
    lab.session.apply(edits.set_order(FIRST, 5))
    lab.prepared()
    (load,) = lab.sent()
    lab.session.apply(edits.set_order(lab.session.scene, 6))
    (running,) = lab.loaded(load.generation)
    assert isinstance(running, NowRunning)
    assert lab.session.running.scene.solver.order == 5
    assert lab.session.scene.solver.order == 6
    assert lab.session.busy


def test_what_cannot_be_meshed_is_taken_back(lab):
    error = GeometryError("too thin")
    lab.session.apply(domain_edits.draw_domain(FIRST, LARGE))
    (refused,) = lab.prepared(error)
    assert refused == Refused(lab.preparations[-1].scene, error)
    assert lab.session.scene == FIRST
    assert not lab.session.busy
    assert not lab.session.history.past
    assert lab.sent() == []


def test_what_the_device_refuses_is_taken_back(lab):
    lab.session.apply(edits.set_order(FIRST, 9))
    lab.prepared()
    (load,) = lab.sent()
    lab.runner.events.put(events.LoadFailed(load.generation, GeometryError("no memory")))
    (refused,) = lab.session.hear()
    assert isinstance(refused, Refused)
    assert lab.session.scene == FIRST
    assert not lab.session.busy


def test_cancel_goes_back_to_what_runs(lab):
    lab.session.apply(domain_edits.draw_domain(FIRST, LARGE))
    lab.session.cancel()
    assert lab.preparations[-1].cancelled
    assert lab.session.scene == FIRST
    lab.preparations[-1].done = True
    assert lab.session.hear() == []
    lab.session.apply(edits.set_order(FIRST, 3))
    load, _ = lab.run()
    assert load.keep_field


def test_probes_need_no_new_problem(lab):
    lab.session.apply(edits.add_probe(FIRST, (0.5, 0.5)))
    assert lab.sent() == [commands.SetProbes((Probe("probe 1", (0.5, 0.5)),))]
    assert not lab.session.busy
    lab.session.undo()
    assert lab.sent() == [commands.SetProbes(())]
    assert lab.session.scene == FIRST


def test_a_probe_placed_while_meshing_is_there_afterwards(lab):
    lab.session.apply(domain_edits.draw_domain(FIRST, LARGE))
    lab.session.apply(edits.add_probe(lab.session.scene, (0.5, 0.5)))
    assert lab.sent() == []
    lab.run()
    assert lab.sent() == [commands.SetProbes((Probe("probe 1", (0.5, 0.5)),))]
    lab.session.undo()
    assert lab.session.scene.probes == ()


def test_opening_another_scene_starts_from_its_own_fields_and_can_be_undone(lab):
    lab.session.open(OTHER)
    load, running = lab.run()
    assert not load.keep_field
    assert running.first
    assert not lab.session.modified
    lab.session.undo()
    load, _ = lab.run()
    assert not load.keep_field
    assert lab.session.scene == FIRST
    lab.session.redo()
    assert lab.session.scene == OTHER


def test_an_edit_of_a_scene_still_being_opened_does_not_keep_the_old_field(lab):
    lab.session.open(OTHER)
    lab.session.apply(edits.set_order(OTHER, 2))
    load, _ = lab.run()
    assert not load.keep_field
    lab.session.apply(edits.set_order(lab.session.scene, 3))
    load, _ = lab.run()
    assert load.keep_field


def test_undo_and_redo_of_a_domain(lab):
    lab.session.apply(domain_edits.draw_domain(FIRST, LARGE))
    lab.run()
    lab.session.apply(domain_edits.draw_domain(lab.session.scene, SMALL))
    lab.run()
    lab.session.undo()
    load, _ = lab.run()
    assert load.keep_field
    assert lab.session.scene.outline == LARGE
    lab.session.redo()
    lab.run()
    assert lab.session.scene.outline == SMALL


def test_nothing_changes_nothing(lab):
    lab.changes.clear()
    lab.session.apply(edits.set_order(FIRST, FIRST.solver.order))
    lab.session.undo()
    lab.session.redo()
    assert not lab.changes
    assert lab.sent() == []


def test_saving_marks_the_scene_as_saved(lab, tmp_path):
    lab.session.apply(edits.add_probe(FIRST, (0.5, 0.5)))
    assert lab.session.modified
    lab.session.mark_saved(replace(lab.session.scene, path=tmp_path / "a.toml"))
    assert not lab.session.modified
    lab.session.undo()
    assert lab.session.modified


def test_a_blown_up_field_pauses(lab):
    lab.session.solver.send(commands.Play())
    lab.runner.events.put(events.Failed(1, GeometryError("x"), 0.5))
    lab.session.hear()
    assert not lab.session.solver.playing


def test_another_scene_plays_after_a_failure_and_not_after_a_pause(lab):
    solver = lab.session.solver
    for stop in ("failure", "pause", "failure while paused"):
        solver.send(commands.Play())
        if stop != "failure":
            solver.send(commands.Pause())
        if stop != "pause":
            lab.runner.events.put(events.Failed(1, GeometryError("x"), 0.5))
            lab.session.hear()
        assert not solver.playing
        lab.session.open(replace(OTHER, title=stop))
        lab.prepared()
        lab.loaded(lab.session.generation, kept=False)
        assert solver.playing == (stop == "failure")


def test_a_recording_lives_until_the_solver_says_it_is_done(lab):
    path = Path("wave.mp4")
    lab.session.solver.send(commands.StartMovie(MovieRequest(path, 64, 64, 0.1)))
    lab.runner.events.put(events.MovieProgress(7, 0.7))
    lab.session.hear()
    assert (lab.session.solver.recording.frames, lab.session.solver.recording.time) == (7, 0.7)
    lab.session.solver.send(commands.StopMovie())
    assert lab.session.solver.recording is not None
    lab.runner.events.put(events.MovieDone(path, 7))
    lab.session.hear()
    assert lab.session.solver.recording is None


def test_closing_waits_for_what_is_being_prepared(lab):
    lab.session.apply(domain_edits.draw_domain(FIRST, LARGE))
    assert lab.session.close(1.0)
    assert lab.preparations[-1].cancelled
    assert lab.preparations[-1].done


def test_an_edit_that_is_given_up_leaves_the_one_on_its_way(lab):
    session = lab.session
    session.apply(domain_edits.draw_domain(FIRST, LARGE))
    lab.prepared()
    (load,) = lab.sent()
    session.apply(edits.add_probe(session.scene, (0.5, 0.5)))
    wished = session.scene
    session.apply(edits.set_order(wished, 6))
    session.cancel()
    assert session.scene == wished
    assert session.busy
    lab.loaded(load.generation)
    assert session.scene == wished
    assert session.running.scene.outline == LARGE
    assert lab.sent() == [commands.SetProbes(wished.probes)]
    assert not session.busy
    session.undo()
    session.undo()
    assert session.scene == FIRST


def sizes(*found):
    return [edits.set_element_size(FIRST, size).scene for size in found]


@pytest.mark.parametrize("reached", ["running", "sent"])
def test_what_was_tried_out_before_an_edit_that_is_refused_is_its_step(lab, reached):
    """Else nothing would lead back from there."""
    good, bad = sizes(0.3, 0.4)
    lab.session.attempt(good)
    if reached == "running":
        lab.run()
    else:
        lab.prepared()
    lab.session.attempt(bad)
    lab.session.apply(edits.Edit("Drag", bad), FIRST)
    lab.prepared(GeometryError("no"))
    assert lab.session.scene == good
    assert lab.session.history.undo_label == "Drag"
    lab.session.undo()
    assert lab.session.scene == FIRST
    assert not lab.session.modified


def test_a_step_that_was_tried_out_is_not_lost_by_a_later_edit_that_is_refused(lab):
    good, bad = sizes(0.3, 0.4)
    lab.session.attempt(good)
    lab.run()
    lab.session.apply(edits.Edit("Drag", good), FIRST)
    lab.session.apply(edits.Edit("Other", bad))
    lab.prepared(GeometryError("no"))
    assert lab.session.scene == good
    assert lab.session.history.undo_label == "Drag"


def test_nothing_that_was_tried_out_runs_and_the_edit_is_refused(lab):
    (bad,) = sizes(0.4)
    lab.session.attempt(bad)
    lab.session.apply(edits.Edit("Drag", bad), FIRST)
    lab.prepared(GeometryError("no"))
    assert lab.session.scene == FIRST
    assert lab.session.history.undo_label == ""


def test_saving_what_is_refused_afterwards_does_not_make_it_the_scene(lab, tmp_path):
    session = lab.session
    session.apply(domain_edits.draw_domain(FIRST, LARGE))
    session.mark_saved(replace(session.scene, path=tmp_path / "a.toml"))
    lab.prepared(GeometryError("too thin"))
    assert session.scene == session.running.scene == FIRST
    assert session.modified


def test_a_scene_that_is_opened_while_an_edit_loads_has_no_part_in_its_field(lab):
    lab.session.apply(edits.set_order(FIRST, 5))
    lab.prepared()
    (edited,) = lab.sent()
    lab.session.open(OTHER)
    lab.loaded(edited.generation)
    load, running = lab.run()
    assert not load.keep_field
    assert running.first


class Whim:
    """A session whose user, mesher and solver do anything at any time.

    Loads are answered in turn.  ``field`` and ``probes`` are the solver's: the title of the scene
    whose wave it has, and what it samples.
    """

    def __init__(self):
        self.lab = Lab()
        self.session = self.lab.session
        self.runs, self.field, self.probes = None, None, ()
        self.count = 0
        self.session.start()
        self.settle()

    def prepared(self):
        if self.session.preparing is not None:
            self.lab.prepared()

    def refused(self):
        if self.session.preparing is not None:
            self.lab.prepared(GeometryError("too thin"))

    def loaded(self):
        self.obey(fails=False)

    def not_loaded(self):
        self.obey(fails=True)

    def obey(self, fails=False):
        """The solver takes all that is on its queue, as one turn of the runner does."""
        for command in without_superseded(self.lab.sent()):
            if isinstance(command, commands.SetProbes):
                self.probes = command.probes
            elif fails:
                self.tell(events.LoadFailed(command.generation, GeometryError("no memory")))
            else:
                scene, kept = command.problem.scene, command.keep_field
                assert not kept or self.field == scene.title
                self.runs, self.field, self.probes = scene, scene.title, scene.probes
                self.tell(loaded(command.generation, kept))

    def tell(self, event):
        self.lab.runner.events.put(event)

    def poll(self):
        self.session.hear()

    def open(self):
        self.count += 1
        self.session.open(replace(OTHER, title=f"scene {self.count}"))

    def number(self):
        epsilon = 1.0 + self.session.scene.background.epsilon % 5
        self.session.apply(brighter(self.session.scene, epsilon))

    def order(self):
        order = 1 + self.session.scene.solver.order % 7
        self.session.apply(edits.set_order(self.session.scene, order))

    def probe(self):
        self.count += 1
        self.session.apply(edits.add_probe(self.session.scene, (0.5, 1 / (1 + self.count))))

    def undo(self):
        self.session.undo()

    def redo(self):
        self.session.redo()

    def cancel(self):
        self.session.cancel()

    def save(self):
        self.session.mark_saved(replace(self.session.scene, path=Path("a.toml")))

    def check(self):
        """Whenever nothing is on its way, what is shown is what runs."""
        if not self.session.busy:
            assert price(self.runs, self.session.scene) < Price.NUMBERS
            assert self.field == self.session.scene.title

    def settle(self):
        """Nothing is lost on the way: in the end the solver has what the session shows."""
        while self.session.busy:
            self.prepared()
            self.loaded()
            self.poll()
        self.obey()
        self.check()
        assert self.probes == self.session.scene.probes


def test_whoever_asks_the_solver_is_answered_in_turn_whatever_fails_between(lab):
    answers = []
    solver = lab.session.solver
    solver.send(commands.Play())
    solver.ask(TakeFields(), lambda taken: answers.append(("fields", taken)))
    solver.ask(Measure(0), lambda read: answers.append(("monitor", read.result)))
    lab.runner.events.put(events.Failed(1, GeometryError("x"), 0.5))
    lab.session.hear()
    solver.ask(TakeFields(), lambda taken: answers.append(("more fields", taken)))
    solver.ask(TakePings(), lambda taken: answers.append(("pings", taken)))
    told = [
        FieldsTaken("problem", "state"),
        MonitorRead("result"),
        FieldsTaken("problem", "later state"),
        PingsTaken(None, None, 0.0),
    ]
    for event in told:
        lab.runner.events.put(event)
    lab.session.hear()
    assert answers == [
        ("fields", told[0]),
        ("monitor", "result"),
        ("more fields", told[2]),
        ("pings", told[3]),
    ]


#: What may come: from the mesher, the solver, the user.
WHIMS = [
    "prepared",
    "refused",
    "loaded",
    "not_loaded",
    "poll",
    "open",
    "number",
    "order",
    "probe",
    "undo",
    "redo",
    "cancel",
    "save",
]


@given(st.lists(st.sampled_from(WHIMS), max_size=25))
@settings(max_examples=150)
def test_session_and_solver_stay_together_whatever_comes(whims):
    lab = Whim()
    for whim in whims:
        getattr(lab, whim)()
        lab.check()
    lab.settle()
