"""What Escape does."""

from __future__ import annotations

from wavelab.app.shell.workbench import Workbench


def escape(w: Workbench) -> None:
    """Back out of whatever is going on, the most pressing first."""
    if w.window.keyboard.give_up() or w.parameters.give_up():
        return
    if w.session.preparing is not None:
        w.session.cancel()
    elif w.window.bare:
        w.window.set_bare(False)
    elif w.window.hiding.presenting:
        w.presentation.leave()
    elif w.window.message.shown:
        w.window.message.clear()
    else:
        w.toolbox.choose("ping")
