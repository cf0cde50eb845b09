"""Ties the session, the canvas and the panels together.

Wishes of the panels become calls on the session; what happens there becomes calls on the panels.
It decides nothing about physics or files and lays out nothing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path

from wavelab.app import domain_edits, edits
from wavelab.app.actions import ACTIONS, keys
from wavelab.app.appearance import Appearance
from wavelab.app.autosave import Autosave
from wavelab.app.canvas.ink import Ink
from wavelab.app.dashboard import Dashboard
from wavelab.app.dialogs import Dialogs
from wavelab.app.edits import Edit
from wavelab.app.files import Files
from wavelab.app.happenings import explain
from wavelab.app.item_at import item_at
from wavelab.app.monitor_edits import add_monitor_for
from wavelab.app.movie_control import MovieControl
from wavelab.app.presenter import Presenter
from wavelab.app.property_desk import PropertyDesk
from wavelab.app.resolution_text import resolution_of
from wavelab.app.resonance_study import ResonanceStudy
from wavelab.app.session import Happening, Refused, Running, Session
from wavelab.app.studies import Studies
from wavelab.app.toolbox import Toolbox, ping_height
from wavelab.app.tools import Overlay, Ring, Tool
from wavelab.app.traces import Traces
from wavelab.app.view_state import QUANTITY_LABELS, ViewState
from wavelab.app.window import Window
from wavelab.errors import UnstableError, WavelabError
from wavelab.scene.monitors import can_show, monitor_to_show
from wavelab.scene.properties import Key
from wavelab.scene.scene import Scene
from wavelab.simulation import events
from wavelab.simulation.frames import Frame

WELCOME = "Click to ring it. D draws an obstacle, B places a probe, ? lists all keys."
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
        self.dashboard = Dashboard(window, frame_rate=frame_rate)
        self._fallback: Scene | None = fallback
        self._revision = -1
        self._size = 1.0
        self._welcomed = False
        self.properties = PropertyDesk(session, window.property_panel, apply=self.apply)
        self.toolbox = Toolbox(
            session,
            window.tool_panel,
            apply=self.apply,
            chosen=self._tool_chosen,
            ping_height=lambda: ping_height(self.view.quantity, self.presenter.limit),
            complain=self.complain,
            select=self._select,
            name_at=self.properties.name_at,
            show_item=self._show_item,
            now=lambda: self.last_frame.time if self.last_frame is not None else 0.0,
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
            session.solver,
            dialogs,
            view=lambda: self.view,
            extent=lambda: window.canvas.view.visible(),
            size=window.canvas_size,
            speed=lambda: session.solver.speed or self._size / CROSSING_TIME,
            folder=lambda: self.files.folder,
        )
        self.studies = Studies(
            session,
            window,
            apply=self.apply,
            now=lambda: self.last_frame.time if self.last_frame is not None else 0.0,
        )
        self.resonances = ResonanceStudy(session, window)
        self._connect()
        self.show_view(self.view)
        self.toolbox.choose("ping")

    def _connect(self) -> None:
        window = self.window
        window.transport.speed.wished.connect(self.session.solver.set_speed)
        window.field_panel.wished.connect(self.wish_view)
        window.monitor_panel.watched.connect(self.session.solver.watch_monitor)
        window.monitor_panel.map_wished.connect(self.show_quantity)
        window.mesh_panel.order_wished.connect(
            lambda order: self.apply(edits.set_order(self.session.scene, order))
        )
        window.mesh_panel.size_wished.connect(
            lambda size: self.apply(edits.set_element_size(self.session.scene, size))
        )
        window.mesh_panel.stepper_wished.connect(
            lambda name: self.apply(edits.set_stepper(self.session.scene, name))
        )
        window.mesh_panel.curved_wished.connect(
            lambda curved: self.apply(edits.set_curved(self.session.scene, curved))
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
        self.studies.poll()
        self.resonances.poll()
        if self.session.revision != self._revision:
            self._revision = self.session.revision
            self._changed()
        self.dashboard.show_state(self.session)

    def show_frame(self, frame: Frame) -> None:
        now = time.monotonic()
        self.traces.add(frame.probes)
        if self.presenter.show_frame(frame, now):
            self.last_frame = frame
            if frame.monitor is not None:
                self.window.monitor_panel.show_result(frame.monitor)
            self.dashboard.show_frame(frame, self.session.running, self.presenter.limit, now)

    def _changed(self) -> None:
        """The scene, its history or what is on its way is another."""
        if not can_show(self.view.quantity, self.session.scene.monitors):
            self.show_view(self.view.with_quantity("ez"))  # its monitor went
        if not self.session.busy:
            self.presenter.show_scene(self.session.scene)
        self.dashboard.show_scene(self.session)
        self.toolbox.walls.scene_changed()
        self.properties.show()
        self.window.canvas.refresh_tool()
        if self.session.modified:
            self.autosave.keep(self.session.scene)
        else:
            self.autosave.forget()

    def _heard(self, happening: Happening) -> None:
        match happening:
            case Running():
                self._now_running(happening)
            case Refused(_, error):
                self.complain(explain(error))
                self._fall_back()
            case events.Failed(_, error, restored):
                self.complain(explain(error, restored))
                self._circle(error)
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
        self.window.mesh_panel.show_resolution(resolution_of(prepared.problem))
        self.window.monitor_panel.show_monitors(prepared.scene.monitors)
        self.window.canvas.set_message("")
        # The edge of an equilateral triangle as large as the mean element.
        edge = math.sqrt(4 / math.sqrt(3) * float(prepared.mesh.signed_areas().mean()))
        self.toolbox.fit_to(self._size, edge, first=running.first)
        if running.first:
            if prepared.scene.monitors:
                self.window.show_monitors()
            self.show_view(ViewState.of_scene(prepared.scene.view))
            self.window.transport.speed.set_scale(self._size, self._size / CROSSING_TIME)
            self.window.trace_panel.plot.span = 2 * self._size
        if prepared.notices:
            self.window.message.inform("; ".join(prepared.notices))
        if not self._welcomed:
            self._welcomed = True
            if not self.window.message.text:
                self.window.message.inform(WELCOME)

    def _circle(self, error: Exception) -> None:
        """Mark the element in which the field blew up."""
        running = self.session.running
        if isinstance(error, UnstableError) and error.element >= 0 and running is not None:
            mesh = running.problem.discretization.mesh
            corners = mesh.vertices[mesh.triangles[error.element]]
            center = corners.mean(axis=0)
            radius = max(2 * abs(corners - center).max(), 0.02 * self._size)
            ring = Ring((float(center[0]), float(center[1])), float(radius))
            self.window.canvas.set_overlay(Overlay(rings=(ring,)))

    # What the user wishes

    def apply(self, edit: Edit) -> None:
        if edit.scene.view.limit is None and self.session.scene.view.limit is not None:
            self.show_view(self.view.with_limit(None))
        self.session.apply(edit)
        if edit.notes:
            undo = keys(ACTIONS["undo"])
            self.window.message.inform(f"{edit.label}: {'; '.join(edit.notes)}. {undo} undoes it.")

    def undo(self) -> None:
        self._step_in_history(self.session.undo)

    def redo(self) -> None:
        self._step_in_history(self.session.redo)

    def _step_in_history(self, step: Callable[[], None]) -> None:
        """The range that an edit freed comes back with what it was fixed for, and goes again."""
        before = self.session.scene.view
        step()
        after = self.session.scene.view
        if after.limit != before.limit and after.quantity == self.view.quantity:
            self.show_view(self.view.with_limit(after.limit))

    def complain(self, error: WavelabError) -> None:
        message = error.message[:1].upper() + error.message[1:]
        head = f"{error.where}: {error.message}" if error.where else message
        self.window.message.complain(head, error.remedy)

    def show_view(self, view: ViewState) -> None:
        if view.quantity != self.view.quantity or self.last_frame is None:
            self.session.solver.set_quantity(view.quantity)
        self.view = view
        self.presenter.show_view(view)
        self.window.tool_panel.wall.show_legend(Ink.for_palette(view.palette))
        self.window.field_panel.show_state(view)
        self.window.actions_by_id[f"show.{view.quantity}"].setChecked(True)

    def show_quantity(self, quantity: str) -> None:
        self.wish_view(self.view.with_quantity(quantity))

    def wish_view(self, view: ViewState) -> None:
        """Show it if the scene has what it needs, else say what is missing."""
        if can_show(view.quantity, self.session.scene.monitors):
            self.show_view(view)
            return
        label = QUANTITY_LABELS[view.quantity][0].lower()
        text = f"no monitor measures the {label}"
        edit = add_monitor_for(self.session.scene, view.quantity)
        if edit is None:
            self.complain(WavelabError(text, remedy=monitor_to_show(view.quantity)))
        else:
            self.window.message.inform(
                f"{text}.", buttons={"Measure it": lambda: self._measure(edit, view)}
            )
        self.show_view(self.view)

    def _measure(self, edit: Edit, view: ViewState) -> None:
        """Add a monitor and show what it finds from now on."""
        self.window.message.clear()
        self.apply(edit)
        self.show_view(view)

    def toggle_play(self) -> None:
        (self.session.solver.pause if self.session.solver.playing else self.session.solver.play)()

    def reset(self) -> None:
        self.session.solver.reset()
        self.presenter.restart_range()

    def remove_holes(self) -> None:
        self.apply(domain_edits.remove_all_holes(self.session.scene))

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

    def _select(self, x: float, y: float, reach: float) -> None:
        self._show_item(item_at(self.session.scene, x, y, reach))

    def _show_item(self, item: Key) -> None:
        self.properties.choose(item)
        self.window.show_properties()

    # What is shown

    def _tool_chosen(self, key: str, tool: Tool) -> None:
        self.window.canvas.set_tool(tool)
        self.window.actions_by_id[f"tool.{key}"].setChecked(True)

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
