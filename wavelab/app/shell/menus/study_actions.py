"""Studies of the experiment, and what makes it faster."""

from __future__ import annotations

from wavelab.app.base.action_set import ActionInfo
from wavelab.app.shell.workbench import Workbench

# One entry a paragraph, as in actions.py.
# fmt: off
STUDY_ACTIONS: tuple[ActionInfo[Workbench], ...] = (
    ActionInfo("tune", "Look for faster &kernels", (), "",
               "Time other kernels behind the wave, once for each device, order and precision, and "
               "go on with the fastest",
               lambda w: w.toggle_tuning(), checkable=True),
    ActionInfo("converge", "Check con&vergence\u2026", ("Ctrl+K",), "ph.chart-line",
               "Measure how wrong the present setting is, on finer meshes and at higher orders",
               lambda w: w.studies["convergence"].open()),
    ActionInfo("compare", "&Compare side by side\u2026", ("Ctrl+Shift+K",), "ph.columns",
               "Run the scene beside one that differs, or beside finite differences",
               lambda w: w.studies["compare"].open()),
    ActionInfo("doctor", "Time step &doctor\u2026", ("Ctrl+Shift+D",), "ph.first-aid-kit",
               "Find the elements that limit the time step, and what would help",
               lambda w: w.studies["doctor"].open()),
    ActionInfo("resonances", "F&ind resonances\u2026", ("Ctrl+Shift+R",), "ph.bell",
               "Ping the scene and find its modes: frequencies, quality factors, shapes",
               lambda w: w.studies["resonances"].open()),
    ActionInfo("bands", "Band s&tructure\u2026", ("Ctrl+Shift+B",), "ph.hexagon",
               "Find the frequencies of the waves of a crystal, of which the scene is one cell",
               lambda w: w.studies["bands"].open()),
    ActionInfo("reference", "A&gainst a reference\u2026", ("Ctrl+Shift+G",), "ph.divide",
               "Run the scene with an object and without it: reflection and transmission",
               lambda w: w.studies["reference"].open()),
    ActionInfo("scattering", "Scatt&ering parameters\u2026", ("Ctrl+Shift+A",), "ph.git-fork",
               "Send each mode of each port and find how much comes out of every port",
               lambda w: w.studies["scattering"].open()),
)
# fmt: on
