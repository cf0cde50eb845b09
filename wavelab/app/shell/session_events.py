"""What happens in the session, told in the window."""

from __future__ import annotations

import re

from wavelab.app.base.failures import explain
from wavelab.app.controllers.editor import Editor
from wavelab.app.controllers.notes_controller import NotesController
from wavelab.app.controllers.toolbox import Toolbox
from wavelab.app.controllers.view_controller import ViewController
from wavelab.app.edits import edits
from wavelab.app.panels.messages.resolution_text import resolution_of
from wavelab.app.session.presenter import Presenter
from wavelab.app.session.session import NowRunning, Refused, Session, SessionEvent
from wavelab.app.tools.tool import CircleMark, Overlay
from wavelab.app.window.window import Window
from wavelab.errors import UnstableError
from wavelab.scene.model.scene import LOCAL_STEPPING, Scene
from wavelab.simulation.messages import events
from wavelab.simulation.studies.slow_elements import SlowElements

#: A number in a sentence.
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")

WELCOME = "Click to ring it. D draws an obstacle, B places a probe, ? lists all keys."


class SessionEvents:
    """Hears what comes of scenes that were set off and of the running wave, and shows it.

    Parameters
    ----------
    fallback : runs if the first scene cannot.
    """

    def __init__(
        self,
        session: Session,
        editor: Editor,
        presenter: Presenter,
        views: ViewController,
        toolbox: Toolbox,
        notes: NotesController,
        window: Window,
        *,
        fallback: Scene,
    ) -> None:
        self._session = session
        self._editor = editor
        self._window = window
        self._presenter = presenter
        self._toolbox = toolbox
        self._notes = notes
        self._views = views
        self._fallback: Scene | None = fallback
        self._welcomed = False
        self._description = ""
        self._offered = ""  # what was last said of a slow mesh
        self._noticed: tuple[str, ...] = ()  # what the mesher and the problem on show had to say

    def hear(self) -> None:
        """Show what happened since the last call."""
        for session_event in self._session.hear():
            self._heard(session_event)

    def _heard(self, session_event: SessionEvent) -> None:
        match session_event:
            case NowRunning():
                self._now_running(session_event)
            case Refused(_, error):
                self._fall_back()  # first: the complaint is to outlive the start of another scene
                self._editor.complain(explain(error))
            case events.Failed(_, error, restored, further):
                self._editor.complain(explain(error, restored, further=further))
                self._circle(error)
            case events.MovieFailed(_, error):
                self._editor.complain(explain(error))
            case events.MovieDone(path, frames):
                self._window.message.inform(f"Movie saved as {path} ({frames} frames)")
            case events.Notice(text):
                self._window.message.inform(text)

    def _fall_back(self) -> None:
        """A first scene that cannot run must not leave an empty window; tried once."""
        if self._session.running is None and self._fallback is not None:
            fallback, self._fallback = self._fallback, None
            self._session.open(fallback)

    def _now_running(self, running: NowRunning) -> None:
        prepared = running.prepared
        self._presenter.show_problem(prepared, first=running.first)
        self._window.mesh_panel.show_resolution(resolution_of(prepared.problem))
        monitors = prepared.scene.monitors
        if self._window.monitor_panel.show_monitors(monitors) or (running.first and monitors):
            self._window.show_monitors()
        elif running.first:
            self._window.show_probes()
        self._window.canvas.set_message("")
        order = prepared.problem.operator.discretization.order
        self._toolbox.fit_to(prepared.size, prepared.mesh.mean_edge(), order, first=running.first)
        if running.first:
            self._views.show(self._views.of_scene(prepared.scene))
            self._window.transport.speed.set_scale(prepared.size, prepared.usual_speed)
            self._notes.opened(prepared.scene)
            self._window.probe_panel.plot.span = 2 * prepared.size
        if self._welcomed and running.first:
            self._window.message.take_back()  # what was offered at the start, in another scene
            self._describe(prepared.scene)
        before, self._noticed = self._noticed, self._worth_saying(prepared.notices)
        for notice in before:
            if notice not in self._noticed:
                self._window.message.withdraw(notice)
        for notice in self._noticed:
            if notice not in before or running.first:
                self._window.message.inform(notice)
        if prepared.slow is None or running.first:
            self._offered = ""
        if prepared.slow is not None:
            self._offer(prepared.slow)
        if not self._welcomed:
            self._welcomed = True
            if not self._window.message.shown:
                self._window.message.inform(WELCOME)

    def _worth_saying(self, notices: tuple[str, ...]) -> tuple[str, ...]:
        """While something is dragged or swept what differs in its numbers alone stays as it was
        said: it would lie over the wave all the time."""
        said = {_NUMBER.sub("#", notice): notice for notice in self._noticed}
        if not self._editor.trying:
            return notices
        return tuple(said.get(_NUMBER.sub("#", notice), notice) for notice in notices)

    def _offer(self, slow: SlowElements) -> None:
        """A way out of a slow mesh, and with it what else there is to be said; once for each."""
        text = slow.sentence()
        if text == self._offered:
            return
        self._offered = text
        buttons = {"Show where": self._window.actions_by_id["doctor"].trigger}
        if slow.locally:
            buttons = {"Step locally": self._step_locally, **buttons}
        lines = (f"{text} {slow.remedy()}", *self._noticed)
        self._noticed = tuple(line[:1].upper() + line[1:] for line in lines)
        self._window.message.inform("\n".join(self._noticed), buttons=buttons)

    def _step_locally(self) -> None:
        self._editor.attempt(edits.set_stepper, LOCAL_STEPPING)

    def _describe(self, scene: Scene) -> None:
        """Say what there is to see, and no longer what there was; other news come first."""
        for told in (self._description, WELCOME):
            self._window.message.withdraw(told)
        self._description = scene.description
        # Beside notes it stands already.
        if scene.description and not scene.notes and not self._window.message.shown:
            self._window.message.inform(scene.description)

    def _circle(self, error: Exception) -> None:
        """Mark the element in which the field blew up."""
        running = self._session.running
        if isinstance(error, UnstableError) and error.element >= 0 and running is not None:
            mesh = running.problem.discretization.mesh
            corners = mesh.vertices[mesh.triangles[error.element]]
            center = corners.mean(axis=0)
            radius = max(2 * abs(corners - center).max(), 0.02 * running.size)
            ring = CircleMark((float(center[0]), float(center[1])), float(radius))
            self._window.canvas.set_overlay(Overlay(rings=(ring,)))
