"""Ties the session, the canvas and the panels together.

Wishes of the panels become calls on the session; what happens there becomes calls on the panels.
It decides nothing about physics or files and lays out nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from wavelab.app import domain_edits, edits
from wavelab.app.action_set import native_key
from wavelab.app.appearance import Appearance
from wavelab.app.autosave import Autosave
from wavelab.app.dashboard import Dashboard
from wavelab.app.dialogs import Dialogs
from wavelab.app.edits import Edit
from wavelab.app.field_picture import Shown
from wavelab.app.files import Files
from wavelab.app.happenings import Happenings
from wavelab.app.item_desk import ItemDesk
from wavelab.app.monitor_desk import MonitorDesk
from wavelab.app.movie_control import MovieControl
from wavelab.app.presenter import Presenter
from wavelab.app.property_desk import PropertyDesk
from wavelab.app.session import Session
from wavelab.app.studies import Studies
from wavelab.app.toolbox import Toolbox, ping_height
from wavelab.app.tools import Tool
from wavelab.app.traces import Traces
from wavelab.app.view_desk import ViewDesk
from wavelab.app.view_state import ViewState
from wavelab.app.window import Window
from wavelab.errors import WavelabError
from wavelab.scene.properties import Key
from wavelab.scene.scene import Scene
from wavelab.simulation.frames import Frame
from wavelab.simulation.loading import RunnerSettings


class Workbench:
    """Attributes
    ----------
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
        settings: RunnerSettings,
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
        self.last_frame: Frame | None = None
        self.presenter = Presenter(window.canvas)
        self.dashboard = Dashboard(window, frame_rate=frame_rate)
        self._revision = -1
        self._noted = ""  #: what was last said of an edit
        self._complained_in = 0  #: the generation, when it last complained
        self.views = ViewDesk(
            session, window, self.presenter, apply=self.apply, complain=self.complain
        )
        self.properties = PropertyDesk(session, window.property_panel, apply=self.apply)
        self.items = ItemDesk(
            session,
            self.properties,
            window.canvas,
            apply=self.apply,
            complain=self.complain,
            seen=lambda: self.toolbox.key == "select" or not window.property_dock.isHidden(),
            show=lambda: self.toolbox.choose("select"),
        )
        self.toolbox = Toolbox(
            session,
            window.tool_panel,
            apply=self.apply,
            chosen=self._tool_chosen,
            ping_height=lambda: ping_height(self.view.quantity, self.presenter.limit),
            complain=self.complain,
            select=self._select,
            name_at=self.properties.name_at,
            show_item=self.show_item,
            choose_item=self.properties.choose,
            chosen_item=self.properties.alone,
            items=self.items.access,
            now=lambda: self.now,
        )
        self.happenings = Happenings(
            session,
            window,
            self.presenter,
            self.toolbox,
            self.views,
            complain=self.complain,
            fallback=fallback,
        )
        self.files = Files(
            session,
            dialogs,
            traces,
            view=lambda: self.view,
            told=window.message.inform,
            complain=self.complain,
            opened=opened,
            apply=self.apply,
            ask=lambda text, buttons: window.message.inform(text, buttons=buttons),
            grab=lambda: window.canvas.grab_rgb(),
            shown=self._shown,
        )
        self.monitors = MonitorDesk(
            session,
            window.monitor_panel,
            self.files,
            window.canvas,
            apply=self.apply,
            complain=self.complain,
            taken=self._monitor_taken,
        )
        self.recorder = MovieControl(
            session.solver,
            dialogs,
            view=lambda: self.view,
            extent=lambda: window.canvas.view.visible(),
            size=window.canvas_size,
            speed=lambda: session.solver.speed or self.happenings.usual_speed,
            folder=lambda: self.files.folder,
        )
        self.studies = Studies(
            session,
            window,
            settings,
            apply=self.apply,
            now=lambda: self.now,
        )
        self._connect()
        self.toolbox.choose("ping")

    def _connect(self) -> None:
        window = self.window
        window.transport.speed.wished.connect(self.session.solver.set_speed)
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
        window.dropped.connect(self.files.drop_path)
        window.progress.cancelled.connect(self.session.cancel)
        window.canvas.space_tapped.connect(self.toggle_play)
        window.canvas.refused.connect(self.complain)
        window.canvas.failed.connect(lambda text: self.complain(WavelabError(text)))

    @property
    def view(self) -> ViewState:
        """How the field is shown."""
        return self.views.state

    @property
    def now(self) -> float:
        """Simulated time of what is on show."""
        return self.last_frame.time if self.last_frame is not None else 0.0

    # Every turn of the frame pump

    def tick(self) -> None:
        """News of the session, before the frame that may belong to it."""
        self.happenings.poll()
        self._forgive()
        self.files.poll()
        self.views.poll()
        self.studies.poll()
        if self.session.revision != self._revision:
            self._revision = self.session.revision
            self._changed()
        self.dashboard.show_state(self.session)

    def _forgive(self) -> None:
        """A complaint is out of date once a scene that was wished for after it runs."""
        running = self.session.running
        if (
            self.window.message.is_error
            and running is not None
            and running.generation > self._complained_in
        ):
            self.window.message.clear()

    def show_frame(self, frame: Frame) -> None:
        now = time.monotonic()
        self.traces.add(frame.probes)
        if self.presenter.show_frame(frame, now):
            self.last_frame = frame
            if frame.monitor is not None:
                self.window.monitor_panel.show_result(frame.monitor)
            self.monitors.show_frame(frame)
            self.dashboard.show_frame(frame, self.session.running, self.presenter.limit, now)
            if self.toolbox.ruler.tool.time_passed():
                self.window.canvas.refresh_tool()

    def _changed(self) -> None:
        """The scene, its history or what is on its way is another."""
        self.views.scene_changed()
        if not self.session.busy:
            self.presenter.show_scene(self.session.scene)
            self.window.monitor_panel.show_monitors(self.session.scene.monitors)
        self.dashboard.show_scene(self.session)
        self.toolbox.walls.scene_changed()
        self.properties.show()
        self.window.canvas.refresh_tool()
        if self.session.modified:
            self.autosave.keep(self.session.scene)
        else:
            self.autosave.forget()

    # What the user wishes

    def apply(self, edit: Edit) -> None:
        if edit.scene.view.limit is None and self.session.scene.view.limit is not None:
            self.views.show(self.view.with_limit(None))
        self.window.message.withdraw(self._noted)
        self.session.apply(edit)
        if edit.notes:
            undo = native_key(self.window.actions_by_id["undo"].shortcut())
            self._noted = f"{edit.label}: {'; '.join(edit.notes)}. {undo} undoes it."
            self.window.message.inform(self._noted)

    def undo(self) -> None:
        self._step_in_history(self.session.undo)

    def redo(self) -> None:
        self._step_in_history(self.session.redo)

    def _step_in_history(self, step: Callable[[], None]) -> None:
        """The range that an edit freed comes back with what it was fixed for, and goes again."""
        before = self.session.scene.view
        self.window.message.withdraw(self._noted)
        step()
        after = self.session.scene.view
        if after.limit != before.limit and after.quantity == self.view.quantity:
            self.views.show(self.view.with_limit(after.limit))

    def complain(self, error: WavelabError) -> None:
        message = error.message[:1].upper() + error.message[1:]
        # What is wrong with the scene on show needs no file name in front of it.
        elsewhere = error.where and error.where != self.session.scene.where
        head = f"{error.where}: {error.message}" if elsewhere else message
        self.window.message.complain(head, error.remedy)
        self._complained_in = self.session.generation

    def toggle_play(self) -> None:
        (self.session.solver.pause if self.session.solver.playing else self.session.solver.play)()

    def reset(self) -> None:
        self.session.solver.reset()
        self.presenter.restart_range()

    def remove_holes(self) -> None:
        self.apply(domain_edits.remove_all_holes(self.session.scene))

    def remove_probes(self) -> None:
        self.apply(edits.remove_all_probes(self.session.scene))

    def remove_pings(self) -> None:
        self.apply(edits.remove_all_pings(self.session.scene))

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
        self.show_item(self.properties.item_at(x, y, reach))

    def _monitor_taken(self, name: str) -> None:
        """In the panel; its handles are shown where the probe tool is at hand."""
        self.toolbox.probes.take(name)
        self.window.canvas.setFocus()
        self.window.canvas.refresh_tool()

    def show_item(self, item: Key) -> None:
        self.properties.choose(item)
        self.window.show_properties()
        if item[0] == "monitors":
            name = self.session.scene.monitors[int(item[1])].name
            self.toolbox.probes.take(name)
            self.window.monitor_panel.choose(name)

    # What is shown

    def _tool_chosen(self, key: str, tool: Tool) -> None:
        self.window.canvas.set_tool(tool)
        self.window.actions_by_id[f"tool.{key}"].setChecked(True)
        if key not in ("ping", "select", "hand"):
            self.window.show_tool_settings()

    def _shown(self) -> Shown | None:
        running, frame = self.session.running, self.last_frame
        if running is None or frame is None or frame.generation != running.generation:
            return None
        return Shown(
            running.problem.discretization,
            frame.values,
            self.view,
            self.presenter.limit,
            self.window.canvas.view.visible(),
            self.presenter.arrows,
        )
