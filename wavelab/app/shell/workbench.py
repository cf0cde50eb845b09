"""Ties the session, the canvas and the panels together.

Wishes of the panels become calls on the session; what is another there becomes calls on the panels:
the state of the program is compared with the one shown when somebody says that it may have changed.
It decides nothing about physics or files and lays out nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from wavelab.app.base.loop.state_watch import StateWatch
from wavelab.app.base.loop.wake import Wake
from wavelab.app.controllers.editor import Editor
from wavelab.app.controllers.monitor_controller import MonitorController
from wavelab.app.controllers.notes_controller import NotesController
from wavelab.app.controllers.parameters.parameter_controller import ParameterController
from wavelab.app.controllers.parameters.parameter_maker import ParameterMaker
from wavelab.app.controllers.parameters.parameter_menu import ParameterMenu
from wavelab.app.controllers.past_controller import PastController
from wavelab.app.controllers.property_controller import PropertyController
from wavelab.app.controllers.sound_controller import SoundController
from wavelab.app.controllers.toolbox import Toolbox
from wavelab.app.controllers.view_controller import ViewController
from wavelab.app.edits import edits
from wavelab.app.files.exports import Exports
from wavelab.app.files.figures import Figures
from wavelab.app.files.files import Files
from wavelab.app.files.movie_control import MovieControl
from wavelab.app.files.outbox import Outbox
from wavelab.app.files.problem_report import ProblemReport
from wavelab.app.files.recordings import Recordings
from wavelab.app.language.language import said, tr
from wavelab.app.session.autosave import Autosave
from wavelab.app.session.presenter import Presenter
from wavelab.app.session.probe_series import ProbeSeries
from wavelab.app.session.scene_edges import SceneEdges
from wavelab.app.session.selection import Selection
from wavelab.app.session.session import Session
from wavelab.app.shell.app_state import AppState
from wavelab.app.shell.dashboard import Dashboard
from wavelab.app.shell.offering import offer_what_is_there
from wavelab.app.shell.session_events import SessionEvents
from wavelab.app.shell.shown_units import ShownUnits
from wavelab.app.shell.speaking import speak
from wavelab.app.studies.studies import Studies
from wavelab.app.window.appearance import Appearance
from wavelab.app.window.dialogs import Dialogs
from wavelab.app.window.presentation import Presentation
from wavelab.app.window.window import Window
from wavelab.errors import WavelabError
from wavelab.scene.model.scene import Scene
from wavelab.scene.systems.scale import scale_of
from wavelab.simulation.messages.frames import Frame
from wavelab.simulation.messages.loading import RunnerSettings
from wavelab.simulation.solver.commands import Reset, SetSpeed, SetTuning


class Workbench:
    """Makes the controllers, which share what they stand round: the ``session``, the ``editor`` of
    its scene, the ``selection`` of its items, and the ``presenter`` of its wave.

    Parameters
    ----------
    settings : where studies compute: where the wave runs too.
    news : is posted when the solver or a preparation has something to tell.
    changes : is posted when something that is shown may be another.
    fallback : runs if the first scene cannot.
    tuned : called when the user wishes for faster kernels, or no more.
    """

    def __init__(
        self,
        session: Session,
        window: Window,
        dialogs: Dialogs,
        probe_series: ProbeSeries,
        autosave: Autosave,
        appearance: Appearance,
        presentation: Presentation,
        settings: RunnerSettings,
        *,
        news: Wake,
        changes: Wake,
        fallback: Scene,
        tuned: Callable[[bool], None],
    ) -> None:
        self.session = session
        self.window = window
        self.dialogs = dialogs
        self.probe_series = probe_series
        self.autosave = autosave
        self.appearance = appearance
        self.presentation = presentation
        self._news, self._changes, self._tuned = news, changes, tuned
        edges = SceneEdges(session)
        self.editor = editor = Editor(session, window)
        self.selection = selection = Selection(session, edges)
        self.presenter = presenter = Presenter(window.canvas)
        self.views = views = ViewController(session, editor, presenter, window)
        self.properties = PropertyController(editor, selection, window.property_panel)
        self.parameters = ParameterController(session, editor, window)
        self.parameter_menu = ParameterMenu(self.parameters, editor, selection, window)
        self.parameter_maker = ParameterMaker(self.parameters, editor, selection, window)
        self.toolbox = Toolbox(
            session, editor, selection, edges, presenter, self.properties, window
        )
        self.monitors = MonitorController(session, editor, selection, self.toolbox.probes, window)
        self.notes = NotesController(editor, window)
        self.session_events = SessionEvents(
            session, editor, presenter, views, self.toolbox, self.notes, window, fallback=fallback
        )
        self.outbox = box = Outbox(editor, window.message, dialogs)
        plays = Recordings(editor, selection, self.toolbox.sources, box, dialogs)
        self.files = Files(session, editor, views, box, dialogs, window.message, plays)
        self.sound = SoundController(session, editor, selection, probe_series, window)
        self.exports = Exports(
            session, editor, views, self.outbox, dialogs, probe_series, self.sound, window
        )
        self.figures = Figures(editor, views, presenter, box, dialogs, window)
        self.report = ProblemReport(editor, window.message)
        self.movie = MovieControl(session, views, self.outbox, window)
        self.studies = Studies(session, editor, presenter, views, window, settings)
        self.past = PastController(session, editor, window, dialogs, settings.past_bytes, news.post)
        self.dashboard = Dashboard(session, presenter, window)
        shown = (self.toolbox.ruler.show, self.past.show_again, self.dashboard.show_again)
        self.units = ShownUnits(session, window, shown)
        self._watch = StateWatch(self._look, self._setters())
        self._connect()
        self.toolbox.choose("ping")
        changes.post()

    def _connect(self) -> None:
        window, solver = self.window, self.session.solver
        window.transport.speed.wished.connect(lambda speed: solver.send(SetSpeed(speed)))
        mesh, attempt = window.mesh_panel, self.editor.attempt
        mesh.order_wished.connect(lambda order: attempt(edits.set_order, order))
        mesh.size_wished.connect(lambda size: attempt(edits.set_element_size, size))
        mesh.stepper_wished.connect(lambda name: attempt(edits.set_stepper, name))
        mesh.curved_wished.connect(lambda curved: attempt(edits.set_curved, curved))
        window.gallery.chosen.connect(self.files.open_path)
        window.dropped.connect(self.files.drop_path)
        window.progress.cancelled.connect(self.session.cancel)
        window.canvas.space_tapped.connect(solver.toggle)
        window.canvas.refused.connect(self.editor.complain)
        window.canvas.failed.connect(lambda text: self.editor.complain(WavelabError(text)))
        self.selection.presented.connect(window.show_properties)
        self._news.heard.connect(self._hear)
        self._changes.heard.connect(self._watch.compare)
        pages, canvas = window.tool_panel, window.canvas
        for changed in (
            self.selection.changed, self.views.changed, window.dressed,
            canvas.moved, canvas.tool_changed, pages.purpose_wished, pages.source.wished,
            pages.probe.wished, pages.wall.wished, pages.wall.partner_wished,
        ):  # fmt: skip
            changed.connect(self._changes.post)

    def _look(self) -> AppState:
        session, window, tool = self.session, self.window, self.window.canvas.tool
        solver, history, running = session.solver, session.history, session.running
        return AppState(
            physics=session.scene.physics,
            scale=scale_of(session.scene),
            scene=session.scene,
            said=self.editor.scene,
            modified=session.modified,
            undo=history.undo_label,
            redo=history.redo_label,
            experiment=session.experiment,
            busy=session.busy,
            stage=session.stage,
            generation=running.generation if running is not None else None,
            loaded=session.loaded,
            playing=solver.playing,
            backwards=solver.backwards,
            unlimited=solver.speed is None,
            tuning=solver.tuning,
            recording=solver.recording,
            view=self.views.state,
            part=window.canvas.view,
            bare=window.bare,
            theme=window.theme.name,
            chosen=self.selection.chosen,
            hint=self.views.hint or (tool.hint if tool is not None else ""),
        )

    def _setters(self) -> Sequence[tuple[str, Callable[[AppState], object]]]:
        """The parts of the state, and what shows them, in the order in which it is called."""
        window, act = self.window, self.window.actions_by_id
        return (
            ("physics", lambda s: speak(s.physics, window, self.views)),
            ("scale", self.units.show),  # before any length or time is shown
            ("said modified", self._keep_or_forget),  # before anything that may take its time
            ("scene", lambda s: self.views.scene_changed()),
            ("scene busy generation", self._show_scene),
            ("scene", lambda s: window.mesh_panel.show_scene(s.scene)),
            ("scene", lambda s: window.gallery.mark(s.scene.path)),
            ("scene", lambda s: offer_what_is_there(act, s.scene)),
            ("experiment", lambda s: self.sound.begun_anew()),
            ("scene", lambda s: self.sound.scene_changed()),
            ("scene modified", lambda s: window.show_title(tr(s.scene.title), s.modified)),
            ("undo redo", lambda s: window.faces.show_history(s.undo, s.redo)),
            ("scene generation", lambda s: self.toolbox.walls.scene_changed()),
            ("scene said busy", lambda s: self.properties.show()),
            ("scene busy", lambda s: self.toolbox.following.go_on()),
            ("scene busy modified experiment", lambda s: self.parameters.show()),
            ("scene", lambda s: self.notes.show_scene()),
            ("scene", lambda s: self.toolbox.sources.show_scene(s.scene)),
            ("scene generation", lambda s: window.canvas.refresh_tool(aim=True)),
            ("scene busy generation chosen", lambda s: window.canvas.refresh_tool()),
            ("generation", lambda s: self.editor.forgive()),
            ("loaded", lambda s: window.status.show_loaded(s.loaded)),
            ("playing backwards", lambda s: window.faces.show_playing(s.playing or s.backwards)),
            ("backwards", lambda s: window.faces.show_backwards(s.backwards)),
            ("recording", lambda s: window.faces.show_recording(s.recording is not None)),
            ("recording", lambda s: window.transport.recording.show_recording(s.recording)),
            ("unlimited", lambda s: act["unlimited"].setChecked(s.unlimited)),
            ("tuning", lambda s: act["tune"].setChecked(s.tuning)),
            ("stage", lambda s: window.progress.show_stage(s.stage)),
            ("hint", lambda s: window.hint.setText(said(s.hint))),
            ("view part generation", lambda s: self.views.follow()),
            ("scene busy generation bare", lambda s: self.movie.scene_changed()),
            ("scene experiment", lambda s: self.files.scene_changed()),
            ("generation busy view theme", lambda s: self.studies.follow()),
        )

    def _show_scene(self, state: AppState) -> None:
        """The scene over the field, once it is the one that runs."""
        if not state.busy:
            self.presenter.show_scene(state.scene)
            self.monitors.show_scene()

    def _keep_or_forget(self, state: AppState) -> None:
        if state.modified:
            self.keep()
        else:
            self.autosave.forget()

    def _hear(self) -> None:
        """What happened, and at once what is another by it."""
        self.session_events.hear()
        self._changes.settle()

    def catch_up(self) -> None:
        """Hear and show now what was to be heard and shown soon."""
        # First what was wished for: where it is shown it is taken back, if it was refused.
        self._changes.settle()
        self._news.settle()

    def show_frame(self, frame: Frame, rate: float) -> None:
        """The newest frame, one of ``rate`` a second."""
        # What was said before it was made is heard before: the first frame of a new problem could
        # come too early, and of a paused one no other comes.
        self.catch_up()
        now = time.monotonic()
        self.probe_series.show(frame)
        if self.presenter.show_frame(frame, now):
            self.movie.scene_changed()  # the lines over it come along with the mesh
            self.monitors.show_frame(frame)
            self.past.show_frame(frame)
            self.dashboard.show_frame(frame, now, rate)
            if self.toolbox.ruler.tool.time_passed():
                self.window.canvas.refresh_tool()

    def reset(self) -> None:
        self.session.solver.send(Reset())
        self.presenter.restart_range()

    def toggle_tuning(self) -> None:
        """Look for faster kernels behind the wave, or no more."""
        solver = self.session.solver
        solver.send(SetTuning(not solver.tuning))
        self._tuned(solver.tuning)

    def keep(self) -> None:
        """Write the safety copy, with what is being written into the notes, and without what is
        only tried out while it is dragged: that would be a file for every move of the mouse."""
        self.editor.settling.emit()
        trouble = self.autosave.keep(self.editor.scene)
        if trouble is not None:
            self.editor.complain(trouble)

    def close(self, deadline: float) -> None:
        """End what goes on beside the window, until ``deadline`` (monotonic time)."""
        self._news.close()
        self._changes.close()
        self.parameters.close()
        self.toolbox.following.close()
        self.sound.close()
        self.units.close()
        self.files.close()
        for part in (self.outbox, self.report, self.studies):
            part.close(max(0.0, deadline - time.monotonic()))
