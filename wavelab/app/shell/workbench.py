"""Ties the session, the canvas and the panels together.

Wishes of the panels become calls on the session; what happens there becomes calls on the panels.
It decides nothing about physics or files and lays out nothing.
"""

from __future__ import annotations

import time

from wavelab.app.controllers.editor import Editor
from wavelab.app.controllers.monitor_controller import MonitorController
from wavelab.app.controllers.notes_controller import NotesController
from wavelab.app.controllers.property_controller import PropertyController
from wavelab.app.controllers.toolbox import Toolbox
from wavelab.app.controllers.view_controller import ViewController
from wavelab.app.edits import edits
from wavelab.app.files.exports import Exports
from wavelab.app.files.files import Files
from wavelab.app.files.movie_control import MovieControl
from wavelab.app.files.outbox import Outbox
from wavelab.app.session.autosave import Autosave
from wavelab.app.session.presenter import Presenter
from wavelab.app.session.probe_series import ProbeSeries
from wavelab.app.session.scene_edges import SceneEdges
from wavelab.app.session.selection import Selection
from wavelab.app.session.session import Session
from wavelab.app.session.view_state import ViewState
from wavelab.app.shell.dashboard import Dashboard
from wavelab.app.shell.session_events import SessionEvents
from wavelab.app.studies.studies import Studies
from wavelab.app.window.appearance import Appearance
from wavelab.app.window.dialogs import Dialogs
from wavelab.app.window.window import Window
from wavelab.errors import WavelabError
from wavelab.scene.model.scene import Scene
from wavelab.simulation.messages.frames import Frame
from wavelab.simulation.messages.loading import RunnerSettings
from wavelab.simulation.solver.commands import Reset, SetSpeed, SetTuning


class Workbench:
    """Makes the controllers, which share what they stand round: the ``session``, the ``editor`` of
    its scene, the ``selection`` of its items, and the ``presenter`` of its wave.

    Parameters
    ----------
    settings : where studies compute: where the wave runs too.
    fallback : runs if the first scene cannot.
    """

    def __init__(
        self,
        session: Session,
        window: Window,
        dialogs: Dialogs,
        probe_series: ProbeSeries,
        autosave: Autosave,
        appearance: Appearance,
        settings: RunnerSettings,
        *,
        fallback: Scene,
    ) -> None:
        self.session = session
        self.window = window
        self.dialogs = dialogs
        self.probe_series = probe_series
        self.autosave = autosave
        self.appearance = appearance
        self._revision = -1
        edges = SceneEdges(session)
        self.editor = editor = Editor(session, window)
        self.selection = selection = Selection(session, edges)
        self.presenter = presenter = Presenter(window.canvas)
        self.views = views = ViewController(session, editor, presenter, window)
        self.properties = PropertyController(editor, selection, window.property_panel)
        self.toolbox = Toolbox(
            session, editor, selection, edges, presenter, self.properties, window
        )
        self.monitors = MonitorController(session, editor, selection, self.toolbox.probes, window)
        self.notes = NotesController(editor, window)
        self.session_events = SessionEvents(
            session, editor, presenter, views, self.toolbox, self.notes, window, fallback=fallback
        )
        self.outbox = Outbox(editor, window.message, dialogs)
        self.files = Files(session, editor, views, self.outbox, dialogs, window.message)
        self.exports = Exports(session, editor, views, self.outbox, dialogs, probe_series, window)
        self.recorder = MovieControl(session, views, self.outbox, window)
        self.studies = Studies(session, editor, presenter, views, window, settings)
        self.dashboard = Dashboard(session, presenter, window)
        self._connect()
        self.toolbox.choose("ping")

    def _connect(self) -> None:
        window, solver = self.window, self.session.solver
        window.transport.speed.wished.connect(lambda speed: solver.send(SetSpeed(speed)))
        mesh, attempt = window.mesh_panel, self.editor.attempt
        mesh.order_wished.connect(lambda order: attempt(edits.set_order, order))
        mesh.size_wished.connect(lambda size: attempt(edits.set_element_size, size))
        mesh.stepper_wished.connect(lambda name: attempt(edits.set_stepper, name))
        mesh.curved_wished.connect(lambda curved: attempt(edits.set_curved, curved))
        self.files.leaving.connect(self.notes.settle)
        window.gallery.chosen.connect(self.files.open_path)
        window.dropped.connect(self.files.drop_path)
        window.progress.cancelled.connect(self.session.cancel)
        window.canvas.space_tapped.connect(solver.toggle)
        window.canvas.refused.connect(self.editor.complain)
        window.canvas.failed.connect(lambda text: self.editor.complain(WavelabError(text)))
        self.selection.presented.connect(window.show_properties)

    @property
    def view(self) -> ViewState:
        """How the field is shown."""
        return self.views.state

    # Every turn of the frame pump

    def tick(self) -> None:
        """News of the session, before the frame that may belong to it."""
        self.session_events.poll()
        self.editor.forgive()
        self.outbox.poll()
        self.files.poll()
        self.views.poll()
        self.studies.poll()
        self.recorder.poll()
        if self.session.revision != self._revision:
            self._revision = self.session.revision
            self._changed()
        self.dashboard.show_state()

    def show_frame(self, frame: Frame, rate: float) -> None:
        """The newest frame, one of ``rate`` a second."""
        now = time.monotonic()
        self.probe_series.add(frame.probes)
        if self.presenter.show_frame(frame, now):
            self.monitors.show_frame(frame)
            self.dashboard.show_frame(frame, now, rate)
            if self.toolbox.ruler.tool.time_passed():
                self.window.canvas.refresh_tool()

    def _changed(self) -> None:
        """The scene, its history or what is on its way is another."""
        self.views.scene_changed()
        if not self.session.busy:
            self.presenter.show_scene(self.session.scene)
            self.monitors.show_scene()
        self.dashboard.show_scene()
        self.toolbox.walls.scene_changed()
        self.properties.show()
        self.notes.show_scene()
        self.window.canvas.refresh_tool()
        if self.session.modified:
            self.keep()
        else:
            self.autosave.forget()

    # What the user wishes

    def reset(self) -> None:
        self.session.solver.send(Reset())
        self.presenter.restart_range()

    def toggle_tuning(self) -> None:
        """Look for faster kernels behind the wave, or no more."""
        solver = self.session.solver
        solver.send(SetTuning(not solver.tuning))

    def escape(self) -> None:
        """Back out of whatever is going on, the most pressing first."""
        if self.session.preparing is not None:
            self.session.cancel()
        elif self.window.bare:
            self.window.set_bare(False)
        elif self.window.message.text:
            self.window.message.clear()
        else:
            self.toolbox.choose("ping")

    def keep(self) -> None:
        """Write the safety copy, with what is being written into the notes."""
        self.notes.settle()
        self.autosave.keep(self.session.scene)

    def close(self, deadline: float) -> None:
        """End what goes on beside the window, until ``deadline`` (monotonic time)."""
        self.files.close()
        self.outbox.close(max(0.0, deadline - time.monotonic()))
        self.studies.close(max(0.0, deadline - time.monotonic()))
