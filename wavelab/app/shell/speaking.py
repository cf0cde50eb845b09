"""What the waves are is what they are called."""

from __future__ import annotations

from wavelab.app.controllers.view_controller import ViewController
from wavelab.app.language.language import speak_of
from wavelab.app.window.window import Window
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.view.quantities import QUANTITIES, offered


def speak(physics: str, window: Window, views: ViewController) -> None:
    """Call fields, walls and quantities in the window what a system calls them."""
    system = SYSTEMS[physics]
    speak_of(system)
    window.faces.show_names()
    window.field_panel.show_names(system)
    for key in QUANTITIES:
        window.actions_by_id[f"show.{key}"].setVisible(key in offered(system))
    window.tool_panel.wall.offer(system)
    window.tool_panel.probe.offer(system)
    window.probe_panel.plot.refresh()
    views.rename()
