"""Everything the window can do, in one table: menus, tool bars, shortcuts and tooltips use it."""

from __future__ import annotations

from functools import partial

from wavelab.app.base.about import about_text
from wavelab.app.base.action_set import ActionInfo, Menus
from wavelab.app.canvas.pointer import GESTURES
from wavelab.app.edits.domain_edits import remove_all_holes
from wavelab.app.edits.edits import remove_all
from wavelab.app.language.language import tr
from wavelab.app.panels.plots.axes.keys import GESTURES as PLOT_GESTURES
from wavelab.app.shell.menus.escape import escape
from wavelab.app.shell.menus.figure_actions import FIGURE_ACTIONS
from wavelab.app.shell.menus.insert_actions import INSERT_ACTIONS
from wavelab.app.shell.menus.language_actions import LANGUAGE_ACTIONS
from wavelab.app.shell.menus.quantity_actions import QUANTITY_ACTIONS
from wavelab.app.shell.menus.study_actions import STUDY_ACTIONS
from wavelab.app.shell.workbench import Workbench
from wavelab.app.tools import TOOLS, tool_gestures
from wavelab.app.tools.drawing.ready_made import READY_MADE
from wavelab.app.tools.tool import Gestures
from wavelab.app.window.docks import DOCKS
from wavelab.scene.view.quantities import QUANTITIES
from wavelab.simulation.solver.commands import TakeSteps

Action = ActionInfo[Workbench]

# One entry a paragraph: what the formatter makes of it is 250 lines long.
# fmt: off
_FIXED: tuple[Action, ...] = (
    ActionInfo("new", "&New", ("Ctrl+N",), "ph.file-plus",
               "An empty room with absorbing walls, to draw in", lambda w: w.files.new()),
    ActionInfo("waves", "&Waves\u2026", (), "ph.waves",
               "What the waves are: light, sound, water, elastic ones; the scene stays",
               lambda w: w.files.change_waves()),
    ActionInfo("medium", "&Medium\u2026", (), "ph.drop-half",
               "Fill what is chosen, or the background, with a medium of the library",
               lambda w: w.properties.choose_medium(w.dialogs)),
    ActionInfo("units", "Un&its\u2026", (), "",
               "What a unit of length is; times in seconds and frequencies in hertz follow from it",
               lambda w: w.selection.present(("units",))),
    ActionInfo("open", "&Open\u2026", ("Ctrl+O",), "ph.folder-open",
               "Open a scene, a mesh file or a drawing (SVG, DXF, GDS)", lambda w: w.files.open()),
    ActionInfo("import_drawing", "&Import drawing\u2026", (), "ph.stack",
               "Make a scene of the layers of a drawing (SVG, DXF, GDS)",
               lambda w: w.files.import_drawing()),
    ActionInfo("find", "&Find a scene", ("Ctrl+F",), "ph.magnifying-glass",
               "Look for a scene by what it is about: interference, sound, lens",
               lambda w: w.window.find_scene()),
    ActionInfo("save", "&Save", ("Ctrl+S",), "ph.floppy-disk",
               "Save the scene", lambda w: w.files.save()),
    ActionInfo("save_as", "Save &as\u2026", ("Ctrl+Shift+S",), "",
               "Save the scene under another name", lambda w: w.files.save_as()),
    ActionInfo("save_replay", "Save with pin&gs\u2026", ("Ctrl+Alt+S",), "",
               "Save the scene with all pings since the beginning, so that a run repeats them",
               lambda w: w.files.save_replay()),
    ActionInfo("picture", "&Picture of the canvas\u2026", ("Ctrl+E",), "ph.camera",
               "Save the canvas as a PNG, as it is seen", lambda w: w.exports.save_picture()),
    ActionInfo("field_picture", "Picture of th&e field\u2026", ("Ctrl+Shift+E",), "ph.image",
               "Save the field as a PNG of any size, with or without walls and materials",
               lambda w: w.exports.save_field_picture()),
    ActionInfo("fields", "Save all fie&lds\u2026", ("Ctrl+Shift+F",), "ph.cube",
               "Save all fields on the whole mesh, for ParaView or as HDF5",
               lambda w: w.exports.save_fields()),
    ActionInfo("record", "&Record movie\u2026", ("F9",), "ph.record",
               "Record a movie in simulated time, or finish it; H before it leaves marks out",
               lambda w: w.movie.toggle(), checkable=True),
    ActionInfo("probe_series", "Save pro&be series\u2026", ("Ctrl+Shift+T",), "ph.download-simple",
               "Save what the probes recorded as CSV, or as sound",
               lambda w: w.exports.save_probe_series()),
    ActionInfo("monitor_data", "Save &data\u2026", ("Ctrl+Shift+M",),
               "ph.download-simple", "Save what the monitor that is looked at measured as CSV",
               lambda w: w.exports.save_monitor()),
    ActionInfo("quit", "&Quit", ("Ctrl+Q",), "", "Close the window",
               lambda w: w.window.close()),
    ActionInfo("undo", "&Undo", ("Ctrl+Z",), "ph.arrow-u-up-left",
               "Take the last edit back", lambda w: w.editor.undo()),
    ActionInfo("redo", "&Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "ph.arrow-u-up-right",
               "Make the edit again", lambda w: w.editor.redo()),
    ActionInfo("draw_hole", "Draw an &obstacle", ("Shift+D",), "ph.knife",
               "Draw a polygon that is cut out of the domain", lambda w: w.toolbox.draw_hole()),
    ActionInfo("play_file", "P&lay a file by a source\u2026", ("Ctrl+Shift+P",), "",
               "Let the chosen source do what a WAV or CSV file says; or drop the file here",
               lambda w: w.files.recordings.ask()),
    ActionInfo("remove_holes", "Remove all o&bstacles", (), "",
               "Take all obstacles away", lambda w: w.editor.attempt(remove_all_holes)),
    ActionInfo("remove_item", "R&emove what is chosen", ("Del",), "",
               "Take the chosen items out of the scene",
               lambda w: w.toolbox.items.remove()),
    ActionInfo("cut", "Cu&t", ("Ctrl+X",), "ph.scissors",
               "Take what is chosen out of the scene, to be pasted",
               lambda w: w.toolbox.items.cut()),
    ActionInfo("copy", "&Copy", ("Ctrl+C",), "ph.copy",
               "Copy what is chosen, as the text of a scene file",
               lambda w: w.toolbox.items.copy()),
    ActionInfo("paste", "&Paste", ("Ctrl+V",), "ph.clipboard-text",
               "Put what was copied where the pointer is", lambda w: w.toolbox.items.paste()),
    ActionInfo("duplicate", "&Duplicate", ("Ctrl+D",), "ph.copy-simple",
               "Copy what is chosen, beside it", lambda w: w.toolbox.items.duplicate()),
    ActionInfo("break_up", "Brea&k into single items", (), "",
               "Make an item of each copy of what is chosen, where that is a row or a grid",
               lambda w: w.toolbox.items.break_up()),
    ActionInfo("select_all", "Select &all", ("Ctrl+A",), "ph.selection-all",
               "Choose all obstacles, materials, sources, probes, monitors and labels",
               lambda w: w.toolbox.items.select_all()),
    ActionInfo("remove_probes", "Remove all probe&s", (), "ph.trash",
               "Remove all probes", lambda w: w.editor.attempt(remove_all, "probes")),
    ActionInfo("remove_pings", "Remove sa&ved pings", (), "",
               "Take the pings away that the scene repeats",
               lambda w: w.editor.attempt(remove_all, "pings")),
    ActionInfo("negate", "Change the &sign of the ping", ("X",), "ph.plus-minus",
               "Ring upwards or downwards", lambda w: w.toolbox.negate()),
    ActionInfo("cancel", "Ca&ncel meshing", ("Esc",), "",
               "Give up what is being meshed and keep the present wave", escape),
    ActionInfo("play", "&Play or pause", ("Space",), "ph.play",
               "Let the wave run, or pause it", lambda w: w.session.solver.toggle()),
    ActionInfo("step", "&Single step", (".",), "ph.skip-forward",
               "Pause, then take one time step", lambda w: w.session.solver.send(TakeSteps())),
    ActionInfo("step_back", "Step &back", (",",), "ph.skip-back",
               "Pause, then take the last time step back", lambda w: w.past.step_back()),
    ActionInfo("play_back", "Play back&wards", ("Shift+Space",), "ph.caret-double-left",
               "Let the wave run backwards as far as it is kept, or pause it",
               lambda w: w.past.play_back(), checkable=True),
    ActionInfo("newest", "Forward to the &newest", ("Ctrl+.",), "",
               "Back from the past to the last step that was reached",
               lambda w: w.past.go_to_newest()),
    ActionInfo("memory", "&Memory of the past\u2026", (), "",
               "How much memory may be taken to go back in the past of the wave",
               lambda w: w.past.set_memory()),
    ActionInfo("reset", "&Reset", ("Ctrl+R",), "ph.arrow-counter-clockwise",
               "Back to the initial fields at time 0", lambda w: w.reset()),
    ActionInfo("slower", "S&lower", ("Ctrl+Left",), "ph.rewind",
               "Less simulated time per second", lambda w: w.window.transport.speed.nudge(-1)),
    ActionInfo("faster", "&Faster", ("Ctrl+Right",), "ph.fast-forward",
               "More simulated time per second", lambda w: w.window.transport.speed.nudge(1)),
    ActionInfo("unlimited", "&As fast as possible", ("U",), "",
               "Run as fast as the device can",
               lambda w: w.window.transport.speed.unlimited.toggle(), checkable=True),
    ActionInfo("listen", "Listen t&o a probe", ("Shift+L",), "ph.ear",
               "Hear the field at a probe while the wave runs", lambda w: w.sound.toggle(),
               checkable=True),
    ActionInfo("fit", "&Fit", ("0",), "ph.arrows-out",
               "Show the whole domain", lambda w: w.views.shown_canvas.fit()),
    ActionInfo("zoom_in", "Zoom &in", ("+", "="), "ph.magnifying-glass-plus",
               "Larger", lambda w: w.views.shown_canvas.zoom(1.25)),
    ActionInfo("zoom_out", "Zoom &out", ("-",), "ph.magnifying-glass-minus",
               "Smaller", lambda w: w.views.shown_canvas.zoom(0.8)),
    ActionInfo("mesh", "Show the &mesh", ("G",), "", "Draw the edges of the elements",
               lambda w: w.appearance.toggle_mesh(), checkable=True),
    ActionInfo("logarithmic", "Logarithmic &colours", ("Ctrl+L",), "",
               "Colours by powers of ten, which show weak waves beside strong ones",
               lambda w: w.views.toggle_scale(), checkable=True),
    ActionInfo("relief", "H&eight view", ("J",), "",
               "See the field as a lit relief that the mouse turns; tools work in the flat view",
               lambda w: w.views.toggle_relief(), checkable=True),
    ActionInfo("arrows", "Arrows of energy flo&w", ("F",), "",
               "Draw Poynting vectors over the field", lambda w: w.views.toggle_arrows(),
               checkable=True),
    ActionInfo("bare", "&Hide panels and marks", ("H",), "ph.eye-slash",
               "Leave the wave alone with its walls and materials; the same key brings all back",
               lambda w: w.appearance.toggle_bare(), checkable=True),
    ActionInfo("present", "P&resentation", ("F5",), "ph.presentation-chart",
               "The scene alone, with larger strokes and letters; Esc or F5 leads back",
               lambda w: w.presentation.toggle(), checkable=True),
    ActionInfo("presentation", "Presentation settin&gs…", ("Shift+F5",), "",
               "How large strokes and letters are in a presentation, and what is beside the wave",
               lambda w: w.presentation.open_settings()),
    ActionInfo("fullscreen", "F&ull screen", ("F11",), "", "Fill the screen",
               lambda w: w.appearance.toggle_full_screen(), checkable=True),
    ActionInfo("theme", "&Light theme", ("Ctrl+T",), "ph.sun", "Light or dark",
               lambda w: w.appearance.toggle_theme(), checkable=True),
    ActionInfo("shortcuts", "&Keys and gestures", ("?", "F1"), "ph.keyboard",
               "List all keys", lambda w: _show_shortcuts(w)),
    ActionInfo("report", "&Report a problem", (), "",
               "Copy a page about this machine, to be pasted where you tell what went wrong",
               lambda w: w.report.make()),
    ActionInfo("about", "&About wavelab", (), "", "Version and licences",
               lambda w: w.dialogs.show_about(about_text())),
)
# fmt: on


def _tool_actions() -> list[Action]:
    return [
        ActionInfo(
            f"tool.{key}",
            tool.label,
            (tool.shortcut,),
            tool.icon,
            tool.tooltip,
            partial(_choose_tool, key),
            checkable=True,
            group="tools",
        )
        for key, tool in TOOLS.items()
    ]


def _choose_tool(key: str, w: Workbench) -> None:
    w.toolbox.choose(key)


def _show_shortcuts(w: Workbench) -> None:
    w.window.show_shortcuts(shortcut_groups(), ACTIONS["shortcuts"].shortcuts)


ACTIONS: dict[str, Action] = {
    info.id: info
    for info in (
        *_FIXED,
        *_tool_actions(),
        *INSERT_ACTIONS,
        *FIGURE_ACTIONS,
        *STUDY_ACTIONS,
        *QUANTITY_ACTIONS,
        *LANGUAGE_ACTIONS,
    )
}


def _grouped(*groups: str) -> tuple[str | None, ...]:
    """The actions of a menu, with a separator between two groups."""
    return tuple(id_ for group in groups for id_ in (None, *group.split()))[1:]


MENUS: Menus = {
    "&File": _grouped(
        "new open import_drawing find recent",
        "save save_as save_replay",
        "picture field_picture figure fields record probe_series monitor_data",
        "quit",
    ),
    "&Edit": _grouped(
        "undo redo",
        "cut copy paste duplicate select_all",
        "copy_picture copy_values",
        "waves medium units",
        "play_file draw_hole break_up remove_item remove_holes remove_probes remove_pings",
        "cancel",
    ),
    "&Insert": _grouped(" ".join(f"insert.{key}" for key in READY_MADE)),
    "&Tools": _grouped(" ".join(f"tool.{key}" for key in TOOLS), "negate"),
    "&Run": _grouped(
        "play step reset",
        "play_back step_back newest memory",
        "slower faster unlimited tune",
        "listen",
        "converge compare doctor resonances bands reference scattering",
    ),
    "&View": _grouped(
        " ".join(f"show.{key}" for key in QUANTITIES),
        "fit zoom_in zoom_out",
        "mesh arrows logarithmic relief",
        "docks bare present presentation fullscreen theme language",
    ),
    "&Help": _grouped("shortcuts", "report", "about"),
}


def shortcut_groups() -> dict[str, Gestures]:
    """Menu or tool -> (keys or gesture, text), for the list of keys and gestures."""

    def _plain(text: str) -> str:
        return tr(text).replace("&", "").rstrip("\u2026")

    groups: dict[str, Gestures] = {}
    for menu, ids in MENUS.items():
        rows = [
            (ACTIONS[id_].key, _plain(ACTIONS[id_].text))
            for id_ in ids
            if id_ in ACTIONS and ACTIONS[id_].shortcuts
        ]
        if "docks" in ids:
            rows += [
                (key, tr("Show or hide: {title}", title=tr(title))) for title, key in DOCKS.items()
            ]
        if rows:
            groups[_plain(menu)] = tuple(rows)
    return groups | {
        tr("On the canvas"): GESTURES,
        tr("On a plot"): PLOT_GESTURES,
        **tool_gestures(),
    }
