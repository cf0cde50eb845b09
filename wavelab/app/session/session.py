"""The state of the program, without Qt: the scene, its history, and what the solver is told.

An edit becomes a new scene at once and a new *generation* when it needs a new operator: the scene
is prepared in the background, loaded into the running solver, and only then shown.  Whatever
belongs to an older generation is dropped on arrival.  What differs from the running scene in
numbers alone is prepared so soon that the next edit waits for it.  If a scene turns out not to be
possible, or is given up, the session goes back to the one before: one that the solver has yet to
answer for, or the one that runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from wavelab.app.edits.edit_price import Price, price
from wavelab.app.edits.edits import Edit
from wavelab.app.edits.history import History, HistoryEntry
from wavelab.app.session.dispatched import COMPILING, Dispatched, NowRunning, Refused, Stage, Wish
from wavelab.app.session.preparation import Preparation, Prepared, Settling
from wavelab.app.session.preparations import Preparations
from wavelab.app.session.remote import Remote
from wavelab.scene.model.scene import Scene
from wavelab.simulation.messages import events
from wavelab.simulation.solver import commands
from wavelab.simulation.solver.solver_thread import SolverEnd

SessionEvent = NowRunning | Refused | events.Event


class Session:
    """One window's experiment.  Used from one thread only; nothing here waits.

    Parameters
    ----------
    runner : the solver's end: ``commands``, ``events`` and ``mailbox``.
    scene : the first experiment; :meth:`start` sets it off.
    prepare, settle : make a ``Preparation`` and a ``Settling``.
    tuning : whether the solver looks for faster kernels.
    changed : called when something may be another than it was.

    Attributes
    ----------
    solver : the remote control of the solver.
    experiment : grows whenever another one begins, from its initial fields.
    """

    def __init__(
        self,
        runner: SolverEnd,
        scene: Scene,
        *,
        prepare: Callable[..., Preparation] = Preparation,
        settle: Callable[[Prepared], Settling] = Settling,
        tuning: bool = False,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._runner = runner
        self._changed = changed
        self.scene = self.saved = scene
        self.history = History()
        self.generation = 0
        self.experiment = 0
        self.solver = Remote(runner.commands, tuning=tuning, changed=changed)
        self.running: Prepared | None = None
        self.loaded: events.Loaded | None = None
        self._keep_field = False  #: whether what is being prepared goes on from the one before
        self._makeshift = False  #: whether the newest scene is only tried out
        self._running_wish = Wish(scene, History())
        self._preparations = Preparations(self._running_wish, prepare, settle)
        self._sent = Dispatched()

    def start(self) -> None:
        """Set the first scene off."""
        self._begin(self.scene, keep_field=False)

    def open(self, scene: Scene, *, saved: bool = True) -> None:
        """Another experiment, from its initial fields, on disk as it is if ``saved``; undo brings
        the present one back."""
        self.history = self.history.recorded("Open scene", self.scene, keeps_field=False)
        if saved:
            self.saved = scene
        self._begin(scene, keep_field=False)

    def apply(self, edit: Edit, before: Scene | None = None) -> None:
        """Put an edit into effect; the running field is kept.  ``before`` is what it can be taken
        back to, if not the present scene, which was only tried."""
        start, old = before or self.scene, self.history
        if edit.scene != start:
            run_at = time.monotonic() if edit.merge else None
            self.history = old.recorded(edit.label, start, run_at=run_at)
        if before is not None:
            # What is gone back to if this cannot be may be what was tried out before.
            joined = partial(Wish.joined, before=start, old=old, new=self.history)
            self._running_wish = joined(self._running_wish)
            self._preparations.wish = joined(self._preparations.wish)
            self._sent.change(joined)
            self._changed()
        self.attempt(edit.scene)

    def attempt(self, scene: Scene, *, makeshift: bool = False) -> None:
        """Let the wave run in a scene that is no step of the history (yet)."""
        if scene != self.scene or (self.makeshift and not makeshift):
            self._change_to(scene, keep_field=True, makeshift=makeshift)

    @property
    def makeshift(self) -> bool:
        """Whether what is to run now was only to be there soon, and is not to stay."""
        newest = self.preparing or (self._sent.newest.prepared if self._sent else self.running)
        return newest is not None and newest.makeshift

    def undo(self) -> None:
        self._step(self.history.undone(self.scene))

    def redo(self) -> None:
        self._step(self.history.redone(self.scene))

    def _step(self, there: tuple[History, HistoryEntry] | None) -> None:
        if there is not None:
            self.history, step = there
            self._change_to(step.scene, keep_field=step.keeps_field)

    def mark_saved(self, scene: Scene) -> None:
        """``scene`` (the present one under its file's name) is on disk."""
        self.saved = scene
        self._adjust(scene)

    @property
    def modified(self) -> bool:
        return self.scene != self.saved

    def cancel(self) -> None:
        """Give up what is being prepared and go back to the scene before."""
        if self.preparing is not None:
            self._preparations.abandon()
            self._go_back()

    def _change_to(self, scene: Scene, *, keep_field: bool, makeshift: bool = False) -> None:
        again = not keep_field or self.makeshift > makeshift
        if again or price(self.scene, scene) >= Price.NUMBERS:
            self._begin(scene, keep_field=keep_field, makeshift=makeshift)
        else:
            self._adjust(scene)

    def _adjust(self, scene: Scene) -> None:
        """The newest wish reads like this now; what is made of it stays as it is."""
        self.scene = scene
        self._changed()
        wish = Wish(scene, self.history)
        if self.preparing is not None:  # goes along with it, or is given up with it
            if not self._newer:
                self._preparations.wish = wish
        elif self._sent:
            self._sent.adjust(wish)
        else:
            self._running_wish = wish
            self._place_probes()

    def _place_probes(self) -> None:
        """Tell the solver, unless a newer scene is on its way to it, which brings its own."""
        if not self._sent:
            self.solver.place_probes(self._running_wish.scene.probes)

    def _begin(self, scene: Scene, *, keep_field: bool, makeshift: bool = False) -> None:
        waits = keep_field and self._preparations.is_quick
        waits = waits and price(self.scene, scene) < Price.OPERATOR
        if not waits:
            # A field that was never loaded cannot be kept: an edit on top of a scene that is still
            # being opened starts from that scene's initial fields too.
            self._keep_field = keep_field and (self._keep_field or self.preparing is None)
        if not keep_field:
            self.experiment += 1
        self.scene, self._makeshift = scene, makeshift
        self.generation += 1
        if not waits:
            self._prepare_newest()
        self._changed()

    def _prepare_newest(self) -> None:
        wish, how = Wish(self.scene, self.history), (self._keep_field, self._makeshift)
        self._preparations.begin(wish, self.generation, self.running, *how)
        if self._keep_field and self._preparations.is_quick:
            self.solver.send(commands.AwaitLoad())

    @property
    def _newer(self) -> bool:
        """Whether a newer scene waits for the one that is being prepared."""
        return self.preparing is not None and self.preparing.generation < self.generation

    def _go_back(self) -> None:
        """To the newest wish that has neither failed nor been given up."""
        wish = self._sent.newest.wish if self._sent else self._running_wish
        self.scene, self.history = wish.scene, wish.history
        self._changed()

    @property
    def preparing(self) -> Preparation | None:
        """The scene on its way to the solver."""
        return self._preparations.current

    @property
    def busy(self) -> bool:
        """Whether a scene newer than the running one is on its way."""
        return self.preparing is not None or bool(self._sent)

    @property
    def stage(self) -> Stage | None:
        """What that scene is at."""
        if self.preparing is not None:
            return Stage(self.preparing.text, self.preparing.started, tried=self.makeshift)
        sent = self._sent
        return Stage(COMPILING, sent.newest.since, False, self.makeshift) if sent else None

    def hear(self) -> list[SessionEvent]:
        """Everything that happened since the last call, oldest first."""
        self._changed()
        session_events = [*self._prepared(), *self._settled()]
        while not self._runner.events.empty():
            event = self._runner.events.get()
            session_event = self._received(event)
            if session_event is not None:
                session_events.append(session_event)
        return session_events

    def _prepared(self) -> list[SessionEvent]:
        newer, ready = self._newer, self._preparations.take()
        if ready is None:
            return []
        refused: list[SessionEvent] = []
        try:
            prepared = ready.result()
        except Exception as error:
            if not newer:
                refused = [Refused(self.scene, error)]
                self._go_back()
        else:
            if prepared is not None:
                # Whose field it would be, nobody can tell while the solver may refuse the last.
                keep = self._keep_field and self.running is not None and self._sent.keep_field
                self._load(self._preparations.wish, prepared, keep)
        if newer:
            self._prepare_newest()
        return refused

    def _load(self, wish: Wish, prepared: Prepared, keep: bool) -> None:
        carrying, prepared = prepared.carrying, replace(prepared, carrying=None)
        self._sent.send(wish, prepared, keep)
        self.solver.send(commands.Load(prepared.problem, prepared.generation, keep, carrying))

    def _settled(self) -> list[SessionEvent]:
        """The running problem goes on with the step that was found, once nobody sees its past."""
        ready = None if self.solver.in_past else self._preparations.take_settled()
        try:
            prepared = None if ready is None else ready.result()
        except Exception as error:
            return [Refused(self.scene, error)]
        if prepared is not None and not self.busy:
            self.generation += 1
            prepared = replace(prepared, generation=self.generation, scene=self.scene)
            self._load(Wish(self.scene, self.history), prepared, True)
        return []

    def _received(self, event: events.Event) -> SessionEvent | None:
        match event:
            case events.Loaded():
                return self._now_running(event)
            case events.LoadFailed():
                return self._not_loaded(event)
        self.solver.heard(event)
        return event

    def _now_running(self, event: events.Loaded) -> NowRunning | None:
        sent = self._sent.answered(event.generation)
        if sent is None:
            if self.running is not None and event.generation == self.running.generation:
                self.loaded = event  # the same once more, perhaps on another device
            return None
        self.running, self.loaded = sent.prepared, event
        self._running_wish = sent.wish
        self.solver.placed = sent.prepared.scene.probes
        self._place_probes()
        if sent.prepared.step_is_reckoned and not self.busy:
            self._preparations.settle(sent.prepared)
        if not event.kept and self.solver.stopped_by_failure:
            self.solver.send(commands.Play())  # another experiment has no part in that
        return NowRunning(sent.prepared, first=not event.kept)

    def _not_loaded(self, event: events.LoadFailed) -> Refused | None:
        sent = self._sent.answered(event.generation)
        self._place_probes()
        if sent is None or self.busy:
            return None  # a newer wish has taken its place
        self._go_back()
        return Refused(sent.prepared.scene, event.error)

    def close(self, timeout: float) -> bool:
        """Stop the background work here; False if some was alive after ``timeout`` seconds."""
        return self._preparations.close(timeout)
