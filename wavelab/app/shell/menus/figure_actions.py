"""Figures for papers, and what goes to the clipboard of the canvas."""

from __future__ import annotations

from wavelab.app.base.action_set import ActionInfo
from wavelab.app.shell.workbench import Workbench

FIGURE_ACTIONS: tuple[ActionInfo[Workbench], ...] = (
    ActionInfo(
        "figure",
        "Export fig&ure\u2026",
        ("Ctrl+Alt+E",),
        "ph.file-pdf",
        "Save the field with axes and a colour bar for a paper: PDF, SVG, PNG, or its numbers",
        lambda w: w.figures.export_field(),
    ),
    ActionInfo(
        "copy_picture",
        "Copy picture of t&he canvas",
        ("Ctrl+Shift+C",),
        "ph.image-square",
        "Copy the canvas as it is seen, to be pasted elsewhere",
        lambda w: w.figures.copy_canvas(),
    ),
    ActionInfo(
        "copy_values",
        "Copy values of the &field",
        (),
        "",
        "Copy the values of what is in view as a table, x along its first row",
        lambda w: w.figures.copy_values(),
    ),
)
