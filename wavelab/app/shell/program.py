"""The whole program put together, and taken apart again without leaving anything behind."""

from __future__ import annotations

import atexit
import contextlib
import time
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path

from wavelab.app.base.action_set import connect_actions
from wavelab.app.base.failures import ExceptionHook
from wavelab.app.base.loop.garbage import GarbageTimer
from wavelab.app.base.loop.wake import Wake
from wavelab.app.base.qt import QApplication, QtCore
from wavelab.app.base.screens import display_rate, fit_on_screen
from wavelab.app.base.settings import (
    LaunchOptions,
    Preferences,
    load_preferences,
    preferences_path,
    save_preferences,
)
from wavelab.app.base.theme import THEMES, apply_theme
from wavelab.app.language.language import tr
from wavelab.app.panels.gallery.gallery import Entry, entries
from wavelab.app.session.autosave import Autosave
from wavelab.app.session.preparation import Preparation, Settling
from wavelab.app.session.probe_series import ProbeSeries
from wavelab.app.session.session import Session
from wavelab.app.shell.first_scene import default_scene, first_scene
from wavelab.app.shell.frame_pump import FramePump
from wavelab.app.shell.menus.actions import ACTIONS, MENUS
from wavelab.app.shell.menus.context_menu import ContextMenu
from wavelab.app.shell.solver_end import solver_end
from wavelab.app.shell.workbench import Workbench
from wavelab.app.window.appearance import Appearance
from wavelab.app.window.dialogs import Dialogs
from wavelab.app.window.presentation import Presentation
from wavelab.app.window.speech import speak
from wavelab.app.window.window import Window
from wavelab.meshing.meshing_child import KeptChild
from wavelab.paths import data_directory, is_shipped
from wavelab.reading import is_plain_file
from wavelab.scene.shelf import shelf
from wavelab.simulation.messages.frames import Frame
from wavelab.simulation.messages.loading import RunnerSettings
from wavelab.simulation.solver.commands import OpenDevice, Play
from wavelab.simulation.solver.solver_thread import SolverThread
from wavelab.simulation.watching.far import FarRun
from wavelab.timeline import NO_TIMELINE, Timeline

#: Seconds that closing may take before what still runs is left to end with the process.
PATIENCE = 5.0


class Program:
    """Builds everything; ``start`` sets it going, ``close`` ends it.

    Parameters
    ----------
    application : the QApplication.
    scene_path : scene or mesh file to open; None opens the default scene.
    options : the command line's wishes.
    dialogs : asks the user; made for the window if None.
    timeline : gets what all threads do.
    far : a run elsewhere to look at, in place of one here.
    """

    def __init__(
        self,
        application: QApplication,
        scene_path: Path | None,
        options: LaunchOptions,
        *,
        dialogs: Dialogs | None = None,
        timeline: Timeline = NO_TIMELINE,
        far: FarRun | None = None,
    ) -> None:
        self._garbage = GarbageTimer()
        self.preferences = load_preferences(preferences_path())
        if self.preferences.theme not in THEMES:
            self.preferences = replace(self.preferences, theme="dark")
        self._unspoken = speak(application, options.language or self.preferences.language)
        theme = THEMES[self.preferences.theme]
        apply_theme(application, theme)
        scene, self._trouble = first_scene(scene_path, options)
        if far is not None:
            scene = far.scene
        settings = RunnerSettings(
            options.backend,
            options.device,
            options.variant,
            self.preferences.tune if options.tune is None else options.tune,
            2**20 * (self.preferences.history if options.history is None else options.history),
        )
        self._meshing = KeptChild()
        news, changes = Wake(), Wake()
        self.runner = solver_end(far, settings, timeline, woken=news.post)
        self.solver = SolverThread(self.runner)
        if far is None:
            self.runner.commands.put(OpenDevice(settings, scene.solver.precision))
        self.session = Session(
            self.runner,
            scene,
            prepare=partial(
                Preparation,
                child=self._meshing,
                given=None if far is None else far.mesh,
                timeline=timeline,
                changed=news.post,
            ),
            settle=partial(Settling, changed=news.post),
            tuning=settings.tune,
            changed=changes.post,
        )
        self._garbage.large = lambda: (now := self.session.running) and now.problem.operator
        probe_series = ProbeSeries()
        self.window = Window(probe_series, theme, ACTIONS, MENUS)
        self.window.canvas.set_timeline(timeline)
        self.autosave = Autosave(data_directory())
        self.appearance = Appearance(
            application,
            self.window,
            changed=self._theme_changed,
            spoken=lambda code: self._remember(replace(self.preferences, language=code)),
        )
        self.appearance.show_language(self.preferences.language)
        self.presentation = Presentation(
            self.window, read=lambda: self.preferences, remember=self._remember
        )
        self.workbench = Workbench(
            self.session,
            self.window,
            dialogs or Dialogs(self.window),
            probe_series,
            self.autosave,
            self.appearance,
            self.presentation,
            settings,
            news=news,
            changes=changes,
            fallback=default_scene(),
            tuned=lambda wished: self._remember(replace(self.preferences, tune=wished)),
        )
        bench = self.workbench
        self.context_menu = ContextMenu(
            self.window, self.session, bench.selection, bench.toolbox, bench.sound
        )
        self.pump = FramePump(
            self.runner.mailbox,
            show=self._show_frame,
            visible=lambda: self.window.canvas.isVisible() and not self.window.isMinimized(),
            speed=lambda: self.session.solver.speed,
            rate=display_rate(application),
            parent=self.window,
        )
        self.exception_hook = ExceptionHook(
            save=self.workbench.keep,
            complain=self.workbench.editor.complain,
            show=self.workbench.dialogs.show_error,
        )
        connect_actions(ACTIONS.values(), self.window.actions_by_id, self.workbench)
        self.workbench.files.opened.connect(self._opened)
        self.workbench.past.memory_chosen.connect(
            lambda mib: self._remember(replace(self.preferences, history=mib))
        )
        views = self.workbench.views
        views.show(replace(views.state, robust=self.preferences.robust))
        views.changed.connect(self._view_changed)
        sound = self.workbench.sound
        sound.volume, sound.pitch = self.preferences.volume, self.preferences.pitch
        sound.changed.connect(self._sound_changed)
        self.workbench.files.let_go.connect(self.autosave.forget)
        self.window.may_close = self.workbench.files.may_close
        self.window.closing.connect(self.close)
        self._timeline, self._closed = timeline, False

    def start(self) -> None:
        """Show the window and let the first scene run."""
        # A program that ends with its window open: Qt would still send events to it while its
        # parts go one by one, and a movie would be left without its end.
        atexit.register(self.leave)
        self.exception_hook.install()
        self._place_window()
        self.window.actions_by_id["theme"].setChecked(self.window.theme.name == "light")
        self.window.canvas.set_message(tr("Getting the first wave ready\u2026"))
        self.window.show()
        self.solver.start()
        self.session.start()
        self.session.solver.send(Play())
        self._fill_shelf()  # while the first mesh is made
        self.pump.start()
        if self._unspoken is not None:
            self.workbench.editor.complain(self._unspoken)
        if self._trouble is not None:
            self.workbench.editor.complain(self._trouble)
        else:
            self._offer_recovery()

    def leave(self) -> None:
        """Close the window without a question; what was not saved is offered at the next start."""
        self.window.may_close = lambda: True
        self.window.close()

    def close(self) -> None:
        """Stop everything: the movie is finished, threads and children end."""
        if self._closed:
            return
        self._closed = True
        self.presentation.leave()  # the next start is in the window as it was before
        atexit.unregister(self.leave)
        deadline = time.monotonic() + PATIENCE
        self.pump.stop()
        self.solver.stop()
        self.session.close(deadline - time.monotonic())
        self._meshing.close()
        self.workbench.close(deadline)
        # A movie is worth waiting for: its last pictures are still being encoded.
        self.solver.join(max(1.0, deadline - time.monotonic()))
        self.autosave.close()
        self._garbage.close()
        self.exception_hook.remove()
        geometry = bytes(self.window.saveGeometry().toHex()).decode()
        folded = self.window.inspector.folded
        self._remember(replace(self.preferences, geometry=geometry, folded=folded))

    def _show_frame(self, frame: Frame) -> None:
        with self._timeline.span("show frame"):
            self.workbench.show_frame(frame, self.pump.frames_per_second)
        self._timeline.count("frames/s", self.pump.frames_per_second)

    def _theme_changed(self, name: str) -> None:
        self._remember(replace(self.preferences, theme=name))
        self.workbench.views.theme_changed()
        self._fill_shelf()

    def _view_changed(self) -> None:
        robust = self.workbench.views.state.robust
        if robust != self.preferences.robust:
            self._remember(replace(self.preferences, robust=robust))

    def _sound_changed(self) -> None:
        sound = self.workbench.sound
        self._remember(replace(self.preferences, volume=sound.volume, pitch=sound.pitch))

    def _opened(self, path: Path) -> None:
        if not is_shipped(path):
            self._remember(self.preferences.with_recent(path))
            self._fill_shelf()

    def _remember(self, preferences: Preferences) -> None:
        self.preferences = preferences
        save_preferences(preferences, preferences_path())

    @cached_property
    def _shipped(self) -> dict[str, list[Entry]]:
        """The scenes of each group, read once: it takes longer than a change of the theme may."""
        return {group.title: entries(group.paths) for group in shelf()}

    def _fill_shelf(self) -> None:
        recent = [path for name in self.preferences.recent if is_plain_file(path := Path(name))]
        self.window.gallery.show_entries(
            {"Recent": entries(path for path in recent if path.suffix == ".toml"), **self._shipped},
            self.window.theme,
        )
        self.window.gallery.mark(self.session.scene.path)
        self.window.recent_menu.show_paths(recent, self.workbench.files.open_path)

    def _place_window(self) -> None:
        self.window.inspector.fold(self.preferences.folded)
        stored = QtCore.QByteArray.fromHex(self.preferences.geometry.encode())
        restored = self.window.restoreGeometry(stored)
        if not (restored and (self.window.isMaximized() or self.window.isFullScreen())):
            # The screen may be smaller than the one of last time.
            fit_on_screen(self.window, None if restored else QtCore.QSize(1280, 800))

    def _offer_recovery(self) -> None:
        left = self.autosave.left_behind()
        if left is None:
            return
        path, scene = left

        def discard() -> None:
            with contextlib.suppress(OSError):  # it is offered once more, then
                path.unlink(missing_ok=True)

        def restore() -> None:
            self.workbench.editor.open(replace(scene, path=None), saved=False)
            self.workbench.keep()  # first: it is never in no file
            discard()

        self.window.message.inform(
            f"\u201c{scene.title}\u201d was not saved last time.",
            buttons={"Restore": restore, "Discard": discard},
            comes_back=True,
        )
