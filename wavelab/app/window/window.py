"""The window: where everything lies.  What it does is the workbench's."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wavelab.app.base.action_set import ActionInfo, Faces, Menus, make_actions
from wavelab.app.base.layouts import column
from wavelab.app.base.qt import QSize, Qt, QtGui, QtWidgets, Signal
from wavelab.app.base.theme import GRID, Theme, dress_bars
from wavelab.app.canvas.canvas import Canvas
from wavelab.app.canvas.qt_events import local_file
from wavelab.app.canvas.relief_view import ReliefView
from wavelab.app.language.language import tr
from wavelab.app.panels.dialogs.shortcut_sheet import ShortcutSheet
from wavelab.app.panels.fields.labels import ElidedLabel
from wavelab.app.panels.inspector import Inspector
from wavelab.app.panels.ledger_panel import LedgerPanel
from wavelab.app.panels.legend import Legend
from wavelab.app.panels.messages.message_bar import MessageBar
from wavelab.app.panels.messages.progress_bar import ProgressBar
from wavelab.app.panels.messages.status import StatusLine
from wavelab.app.panels.monitor_panel import MonitorPanel
from wavelab.app.panels.notes_panel import NotesPanel
from wavelab.app.panels.plots.axes.plot import Plot
from wavelab.app.panels.plots.polar_plot import PolarPlot
from wavelab.app.panels.probe_panel import ProbePanel
from wavelab.app.panels.property_panel import PropertyPanel
from wavelab.app.panels.time_bar import TimeBar
from wavelab.app.panels.tool_pages.tool_bar import ToolBar
from wavelab.app.panels.transport import Transport
from wavelab.app.session.probe_series import ProbeSeries
from wavelab.app.tools import TOOLS
from wavelab.app.tools.tool import Gestures, Tool
from wavelab.app.window.docks import FIRST_HEIGHT, BottomDocks, is_in_front, make_dock
from wavelab.app.window.hiding import Hiding
from wavelab.app.window.keyboard import Keyboard
from wavelab.app.window.menus import RecentMenu, fill_menus

SIDE_WIDTH = 36 * GRID
LEAST_SIZE = (720, 440)  #: fits a screen of 1920 x 1080 pixels that are twice as large
#: Below this width probes and energy lie behind each other.
NARROW = 132 * GRID


class Window(QtWidgets.QMainWindow):
    """Parameters
    ----------
    actions, menus : what the window offers; it does none of it by itself.

    Attributes
    ----------
    actions_by_id : the QAction of each entry of ``actions``.
    faces : what they look like.
    keyboard : gives the keys back to the canvas.
    hiding : whether panels are hidden, and the marks on the scene with them.
    may_close : asked when the window is to be closed; it stays if that is False.

    Signals
    -------
    dropped(Path) : a file was dropped on the window.
    dressed() : it looks another way: another theme, or bare.
    closing() : the window is about to close.
    save_plot_wished(Plot), export_plot_wished(Plot) : one is to be saved, or exported.
    save_scattering_wished(Scattering) : one is to be saved.
    """

    dropped = Signal(object)
    dressed = Signal()
    closing = Signal()
    save_plot_wished = Signal(object)
    save_scattering_wished = Signal(object)
    export_plot_wished = Signal(object)

    def __init__(
        self,
        probe_series: ProbeSeries,
        theme: Theme,
        actions: Mapping[str, ActionInfo],
        menus: Menus,
    ) -> None:
        super().__init__()
        self.theme = theme
        self.may_close: Callable[[], bool] = lambda: True
        self.setAcceptDrops(True)
        self.setMinimumSize(*LEAST_SIZE)
        self.actions_by_id = make_actions(actions.values(), self)
        self.faces = Faces(self.actions_by_id, actions.values(), theme)
        # On the window itself they answer their keys while the menu bar is hidden too.
        self.addActions(self.actions_by_id.values())
        self._lay_out_middle()
        self._lay_out_bars()
        self._lay_out_docks(probe_series)
        self.recent_menu = RecentMenu(self)
        fill_menus(self.menuBar(), menus, self.actions_by_id, self.recent_menu, self.docks)
        bars = self.menuBar(), self.transport, self.tool_bar, self.time_bar, self.hint, self.status
        self.hiding = Hiding(self, bars, self.docks)
        self.keyboard = Keyboard(self, self.canvas, self.docks)
        self.keyboard.given_up.connect(self.property_panel.give_up)
        self.tool_panel.wall.kind.finished.connect(self.keyboard.give_back)
        self.inspector.search.finished.connect(self.keyboard.give_back)
        self.keyboard.give_back()

    def _lay_out_middle(self) -> None:
        self.canvas = Canvas()
        self.relief = ReliefView(self.canvas)
        self.message = MessageBar(self.canvas)
        self.progress = ProgressBar(self.canvas)
        self.legend = Legend(self.canvas)
        self.hint = ElidedLabel(tells=True)
        self.hint.setObjectName("hint")
        self.hint.setContentsMargins(2 * GRID, 0, GRID, 0)
        self.hint.setFixedHeight(3 * GRID)
        stage = QtWidgets.QWidget()
        stage.setObjectName("stage")
        self.time_bar = TimeBar([self.actions_by_id[id_] for id_ in ("play_back", "step_back")])
        column((self.canvas, 1), self.time_bar, self.hint, on=stage, spacing=0)
        self.setCentralWidget(stage)

    def _lay_out_bars(self) -> None:
        act = self.actions_by_id
        played = act["play"], act["step"], act["reset"]
        self.transport = Transport(played, act["record"], act["picture"])
        self.transport.setIconSize(QSize(20, 20))
        self.addToolBar(Qt.TopToolBarArea, self.transport)
        self.tool_bar = ToolBar(
            [act[f"tool.{key}"] for key in TOOLS], [act[id_] for id_ in ("undo", "redo", "fit")]
        )
        self.addToolBar(Qt.LeftToolBarArea, self.tool_bar)
        dress_bars(self, self.theme)
        self.status = StatusLine()
        self.setStatusBar(self.status)

    def _lay_out_docks(self, probe_series: ProbeSeries) -> None:
        act = self.actions_by_id
        self.inspector = inspector = Inspector()
        inspector.setFixedWidth(SIDE_WIDTH)
        self.tool_panel, self.field_panel = inspector.tool_panel, inspector.field_panel
        self.mesh_panel, self.gallery = inspector.mesh_panel, inspector.gallery
        self.side_dock = self._dock("Inspector", inspector, Qt.RightDockWidgetArea)
        self.property_panel = PropertyPanel()
        self.property_panel.setFixedWidth(SIDE_WIDTH)
        self.property_dock = self._dock("Properties", self.property_panel, Qt.RightDockWidgetArea)
        self.tabifyDockWidget(self.side_dock, self.property_dock)
        self.property_dock.toggleViewAction().triggered.connect(self.property_dock.raise_)
        self.property_dock.hide()  # until somebody asks
        self.notes_panel = NotesPanel()
        self.notes_dock = self._dock("Notes", self.notes_panel, Qt.LeftDockWidgetArea)
        self.notes_dock.hide()  # until a scene has any
        # Beside the probes it is clear what is meant.
        act["probe_series"].setIconText(tr("Save\u2026"))
        act["remove_probes"].setIconText(tr("Remove all"))
        act["listen"].setIconText(tr("Listen"))
        saved = act["probe_series"], act["remove_probes"]
        self.probe_panel = ProbePanel(probe_series, self.theme, act["listen"], saved)
        self.probe_dock = self._dock("Probes", self.probe_panel, Qt.BottomDockWidgetArea)
        self.ledger_panel = LedgerPanel(self.theme)
        self.ledger_dock = self._dock("Energy", self.ledger_panel, Qt.BottomDockWidgetArea)
        self.monitor_panel = MonitorPanel(self.theme, (act["monitor_data"],))
        self.monitor_dock = self._dock("Monitors", self.monitor_panel, Qt.BottomDockWidgetArea)
        # Said of a dock behind another tab, too, that it is not visible.
        self.monitor_dock.visibilityChanged.connect(self.monitor_panel.set_seen)
        for plot in (self.probe_panel.plot, *self.monitor_panel.plots):
            self.take_plot(plot)
        self._bottom = BottomDocks(self, self.probe_dock, self.ledger_dock, self.monitor_dock)
        self.monitor_dock.toggleViewAction().triggered.connect(
            lambda shown: self._bottom.show_monitors() if shown else None
        )
        self.monitor_dock.hide()  # until there is something to show
        self.docks = (
            self.side_dock, self.property_dock,
            self.probe_dock, self.ledger_dock, self.monitor_dock, self.notes_dock,
        )  # fmt: skip
        self.setTabPosition(Qt.RightDockWidgetArea, QtWidgets.QTabWidget.North)
        self.setTabPosition(Qt.BottomDockWidgetArea, QtWidgets.QTabWidget.North)
        self.setCorner(Qt.BottomRightCorner, Qt.RightDockWidgetArea)
        self.resizeDocks([self.probe_dock], [FIRST_HEIGHT], Qt.Vertical)
        self._bottom.share_width()

    def take_plot(self, plot: Plot | PolarPlot) -> None:
        """What is wished of a plot is wished of the window."""
        plot.save_wished.connect(self.save_plot_wished)
        plot.figure_wished.connect(self.export_plot_wished)

    def _dock(
        self, title: str, widget: QtWidgets.QWidget, area: Qt.DockWidgetArea
    ) -> QtWidgets.QDockWidget:
        dock = make_dock(title, widget, self.theme)
        self.addDockWidget(area, dock)
        self.addAction(dock.toggleViewAction())
        return dock

    # What is shown

    def show_title(self, title: str, modified: bool) -> None:
        self.setWindowTitle(f"{title}[*]")
        self.setWindowModified(modified)

    @property
    def properties_open(self) -> bool:
        """Whether the form with the properties is there, if behind another tab."""
        return not self.property_dock.isHidden()

    @property
    def notes_open(self) -> bool:
        """Whether the notes are there."""
        return not self.notes_dock.isHidden()

    def show_properties(self) -> None:
        """Bring the form with the properties of the chosen item to the front."""
        self.property_dock.show()
        self.property_dock.raise_()

    def find_scene(self) -> None:
        """Bring the search of the gallery to the front, ready to be typed in."""
        self.side_dock.show()
        self.side_dock.raise_()
        self.inspector.search.line.selectAll()
        self.inspector.search.setFocus()

    def show_tool(self, key: str, tool: Tool) -> None:
        """Another tool is at hand, with its settings in sight if it has any."""
        self.tool_panel.show_tool(key)
        self.canvas.set_tool(tool)
        self.actions_by_id[f"tool.{key}"].setChecked(True)
        if key not in ("ping", "select", "pan"):
            self.show_tool_settings()

    def show_tool_settings(self) -> None:
        """Bring them into sight, where the properties cover them or there is no room for all."""
        if not self.side_dock.isHidden():
            self.side_dock.raise_()
            self.inspector.show_tool_settings()

    def show_shortcuts(self, groups: Mapping[str, Gestures], toggles: tuple[str, ...]) -> None:
        """Show a list of keys, or close it where it is open; ``toggles`` are the keys for that."""
        shown = self.findChild(ShortcutSheet)
        if shown is not None:
            shown.close()
            return
        sheet = ShortcutSheet(self, groups, toggles)
        sheet.setAttribute(Qt.WA_DeleteOnClose)
        sheet.show()

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        for part in (self.faces, self.probe_panel, self.ledger_panel, self.monitor_panel):
            part.set_theme(theme)
        dress_bars(self, theme)
        for dock in self.docks:
            dock.titleBarWidget().set_theme(theme)
        self.dressed.emit()

    @property
    def bare(self) -> bool:
        """Whether all is hidden but the wave in its walls and materials."""
        return self.hiding.bare

    def set_bare(self, bare: bool) -> None:
        """Nothing but the wave in its room, or everything that was there before."""
        self.hiding.show_bare(bare)
        self.actions_by_id["bare"].setChecked(bare)
        self.canvas.set_marks_visible(not bare)
        self.dressed.emit()

    def show_monitors(self) -> None:
        """Bring the monitors to the front."""
        if not self.hiding.panels_hidden:
            self._bottom.show_monitors()

    def show_probes(self) -> None:
        """Bring the probes to the front, if it is the monitors that lie over them."""
        if is_in_front(self.monitor_dock) and not self.probe_dock.isHidden():
            self.probe_dock.raise_()

    def canvas_size(self) -> tuple[int, int]:
        """Of the canvas, in device pixels."""
        ratio = self.canvas.devicePixelRatioF()
        return round(ratio * self.canvas.width()), round(ratio * self.canvas.height())

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self.hiding.resized(lambda: self._bottom.arrange(tabbed=self.width() < NARROW))

    def dragEnterEvent(self, event: QtGui.QDragEnterEvent) -> None:
        if local_file(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QtGui.QDropEvent) -> None:
        path = local_file(event)
        if path is not None:
            event.acceptProposedAction()
            self.dropped.emit(path)

    def closeEvent(self, event: QtGui.QCloseEvent) -> None:
        if not self.may_close():
            event.ignore()
            return
        self.closing.emit()
        super().closeEvent(event)
