"""Ties the session, the canvas and the panels together.

Wishes of the panels become calls on the session; what happens there becomes calls on the panels.
It decides nothing about physics or files and lays out nothing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path

from wavelab.app import edits
from wavelab.app.appearance import Appearance
from wavelab.app.autosave import Autosave
from wavelab.app.dialogs import Dialogs
from wavelab.app.edits import Edit
from wavelab.app.files import Files
from wavelab.app.happenings import explain
from wavelab.app.movie_control import MovieControl
from wavelab.app.presenter import Presenter
from wavelab.app.session import Happening, Refused, Running, Session
from wavelab.app.toolbox import Toolbox
from wavelab.app.tools import Tool
from wavelab.app.traces import Traces
from wavelab.app.view_state import ViewState
from wavelab.app.window import Window
from wavelab.errors import WavelabError
from wavelab.scene.scene import Scene
from wavelab.simulation import events
from wavelab.simulation.frames import Frame

WELCOME = "Click to ring it. D draws a new domain, B places a probe, ? lists all keys."
#: Seconds between two changes of the numbers and curves: fast enough to follow, slow enough to
#: read, and the time saved goes to the picture.
NUMBERS_INTERVAL = 0.1
#: Seconds a wave takes across the domain at the speed a scene starts with.
CROSSING_TIME = 4.0


class Workbench:
    """Attributes
    ----------
    view : how the field is shown.
    last_frame : the newest frame on show.
    """

    def __init__(
        self,
        session: Session,
        window: Window,
        dialogs: Dialogs,
        traces: Traces,
        autosave: Autosave,
        appearance: Appearance,
        *,
        frame_rate: Callable[[], float],
        opened: Callable[[Path], None],
        fallback: Scene,
    ) -> None:
        self.session = session
        self.window = window
        self.dialogs = dialogs
        self.traces = traces
        self.autosave = autosave
        self.appearance = appearance
        self.view = ViewState.of_scene(session.scene.view)
        self.last_frame: Frame | None = None
        self.presenter = Presenter(window.canvas)
        self._frame_rate = frame_rate
        self._fallback: Scene | None = fallback
        self._revision = -1
        self._numbers_due = 0.0
        self._size = 1.0
        self._welcomed = False
        self.toolbox = Toolbox(
            session, window.tool_panel, apply=self.apply, chosen=self._tool_chosen
        )
        self.files = Files(
            session,
            dialogs,
            traces,
            view=lambda: self.view,
            told=window.message.inform,
            complain=self.complain,
            opened=opened,
            grab=window.canvas.grab_rgb,
            shown=self._shown,
        )
        self.recorder = MovieControl(
            session,
            dialogs,
            view=lambda: self.view,
            extent=lambda: window.canvas.view.visible(),
            size=window.canvas_size,
            speed=lambda: session.speed or self._size / CROSSING_TIME,
            folder=lambda: self.files.folder,
        )
        self._connect()
        self.show_view(self.view)
        self.toolbox.choose("ping")

    def _connect(self) -> None:
        window = self.window
        window.transport.speed.wished.connect(self.session.set_speed)
        window.field_panel.wished.connect(self.show_view)
        window.mesh_panel.order_wished.connect(
            lambda order: self.apply(edits.set_order(self.session.scene, order))
        )
        window.mesh_panel.size_wished.connect(
            lambda size: self.apply(edits.set_element_size(self.session.scene, size))
        )
        window.gallery.chosen.connect(self.files.open_path)
        window.dropped.connect(self.files.open_path)
        window.progress.cancelled.connect(self.session.cancel)
        window.canvas.space_tapped.connect(self.toggle_play)
        window.canvas.failed.connect(lambda text: self.complain(WavelabError(text)))

    # Every turn of the frame pump

    def tick(self) -> None:
        """News of the session, before the frame that may belong to it."""
        for happening in self.session.poll():
            self._heard(happening)
        self.files.poll()
        if self.session.revision != self._revision:
            self._revision = self.session.revision
            self._refresh()
        preparing = self.session.preparing
        if preparing is None:
            self.window.progress.show_stage(None, 0.0)
        else:
            elapsed = time.monotonic() - preparing.started
            self.window.progress.show_stage(preparing.stage, elapsed)
        self._show_running_state()

    def show_frame(self, frame: Frame) -> None:
        now = time.monotonic()
        self.traces.add(frame.probes)
        if not self.presenter.show_frame(frame, now):
            return
        self.last_frame = frame
        if frame.playing and now < self._numbers_due:
            return
        self._numbers_due = now + NUMBERS_INTERVAL
        self.window.trace_panel.refresh()
        self.window.status.show_frame(frame, self._frame_rate())
        self.window.field_panel.show_limit(self.presenter.limit)
        self.window.transport.speed.show_reached(frame.steps_per_second * frame.dt)

    def _heard(self, happening: Happening) -> None:
        match happening:
            case Running():
                self._now_running(happening)
            case Refused(_, error):
                self.complain(explain(error))
                self._fall_back()
            case events.Failed(_, error, restored):
                self.complain(explain(error, restored))
            case events.MovieFailed(_, error):
                self.complain(explain(error))
            case events.MovieDone(path, frames):
                self.window.message.inform(f"Movie saved as {path} ({frames} frames)")
            case events.Notice(text):
                self.window.message.inform(text)

    def _fall_back(self) -> None:
        """A first scene that cannot run must not leave an empty window; tried once."""
        if self.session.running is None and self._fallback is not None:
            fallback, self._fallback = self._fallback, None
            self.session.open(fallback)

    def _now_running(self, running: Running) -> None:
        prepared = running.prepared
        vertices = prepared.mesh.vertices
        self._size = math.dist(vertices.min(axis=0), vertices.max(axis=0))
        self.presenter.show_problem(prepared, first=running.first)
        self.window.status.show_loaded(running.loaded)
        self.window.canvas.set_message("")
        if running.first:
            self.show_view(ViewState.of_scene(prepared.scene.view))
            self.toolbox.fit_to(self._size)
            self.window.transport.speed.set_scale(self._size, self._size / CROSSING_TIME)
            self.window.trace_panel.plot.span = 2 * self._size
        if prepared.notices:
            self.window.message.inform("; ".join(prepared.notices))
        if not self._welcomed:
            self._welcomed = True
            if not self.window.message.text:
                self.window.message.inform(WELCOME)

    # What the user wishes

    def apply(self, edit: Edit) -> None:
        self.session.apply(edit)
        if edit.notes:
            self.window.message.inform(f"{edit.label}: {'; '.join(edit.notes)}")

    def complain(self, error: WavelabError) -> None:
        message = error.message[:1].upper() + error.message[1:]
        head = f"{error.where}: {error.message}" if error.where else message
        self.window.message.complain(head, error.remedy)

    def show_view(self, view: ViewState) -> None:
        if view.quantity != self.view.quantity or self.last_frame is None:
            self.session.set_quantity(view.quantity)
        self.view = view
        self.presenter.show_view(view)
        self.window.field_panel.show_state(view)
        self.window.actions_by_id[f"show.{view.quantity}"].setChecked(True)

    def show_quantity(self, quantity: str) -> None:
        self.show_view(self.view.with_quantity(quantity))

    def toggle_play(self) -> None:
        (self.session.pause if self.session.playing else self.session.play)()

    def reset(self) -> None:
        self.session.reset()
        self.presenter.restart_range()

    def remove_holes(self) -> None:
        self.apply(edits.remove_all_holes(self.session.scene))

    def remove_probes(self) -> None:
        self.apply(edits.remove_all_probes(self.session.scene))

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
        """Write the safety copy."""
        self.autosave.keep(self.session.scene)

    # What is shown

    def _tool_chosen(self, key: str, tool: Tool) -> None:
        self.window.canvas.set_tool(tool)
        self.window.actions_by_id[f"tool.{key}"].setChecked(True)

    def _refresh(self) -> None:
        """The scene or its history changed."""
        session, window = self.session, self.window
        scene = session.scene
        if not session.busy:
            self.presenter.show_scene(scene)
        window.mesh_panel.show_scene(scene)
        window.gallery.mark(scene.path)
        window.show_title(scene.title, session.modified)
        window.show_history(session.history.undo_label, session.history.redo_label)
        window.actions_by_id["remove_holes"].setEnabled(bool(scene.holes))
        window.actions_by_id["remove_probes"].setEnabled(bool(scene.probes))
        window.actions_by_id["traces"].setEnabled(bool(scene.probes))
        if session.modified:
            self.autosave.keep(scene)
        else:
            self.autosave.forget()

    def _show_running_state(self) -> None:
        session, window = self.session, self.window
        recording = session.recording
        window.show_hint(window.canvas.tool.hint)
        window.show_playing(session.playing)
        window.show_recording(recording.frames if recording is not None else None)
        window.actions_by_id["unlimited"].setChecked(window.transport.speed.unlimited.isChecked())

    def _shown(self) -> tuple | None:
        running, frame = self.session.running, self.last_frame
        if running is None or frame is None or frame.generation != running.generation:
            return None
        return (
            running.problem.discretization,
            frame.values,
            self.view,
            self.presenter.limit,
            self.window.canvas.view.visible(),
        )
