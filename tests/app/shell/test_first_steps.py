"""What a newcomer does first, and what the window says to it."""

from __future__ import annotations

import threading

import pytest
from PyQt5.QtGui import QContextMenuEvent
from PyQt5.QtTest import QTest

from wavelab.app.base.qt import QColor, QRect, QSize, Qt, QtGui, QtWidgets
from wavelab.app.base.theme import THEMES
from wavelab.app.edits import edits
from wavelab.app.panels.gallery.thumbnail import preview
from wavelab.app.tools.tool import EMPTY
from wavelab.errors import WavelabError
from wavelab.paths import PREVIEWS, SCENES
from wavelab.scene.toml.toml_io import load_scene
from wavelab.simulation.steppers.steppers import make_stepper


def test_a_complaint_goes_when_a_later_scene_runs_and_not_before(driver):
    session, bar = driver.session, driver.window.message
    driver.bench.editor.apply(edits.set_order(session.scene, 3))
    driver.bench.editor.complain(WavelabError("that cannot be", remedy="Do this."))
    driver.settled()
    driver.next_frame()
    assert bar.is_error  # what was on its way before is no answer to it
    driver.bench.editor.apply(edits.set_order(session.scene, 2))
    driver.settled()
    driver.until(lambda: not bar.is_error)


def test_a_complaint_about_the_scene_on_show_names_no_file(driver):
    bar = driver.window.message
    driver.bench.editor.complain(
        WavelabError("a source is outside", where=driver.session.scene.where)
    )
    assert bar.text == "A source is outside"
    driver.bench.editor.complain(WavelabError("it is no scene", where="/else/where.toml"))
    assert bar.text.startswith("/else/where.toml: ")


def test_news_that_comes_twice_is_told_once(driver):
    bar = driver.window.message
    bar.clear()
    for _ in range(2):
        bar.inform("Picture saved as a.png")
    assert bar.text == "Picture saved as a.png"


def test_new_is_an_empty_room_that_can_be_rung_and_undo_brings_back_what_was(driver, tmp_path):
    before = driver.session.scene
    driver.press("Ctrl+N")
    driver.settled()
    scene = driver.session.scene
    assert scene.holes + scene.sources + scene.materials == ()
    assert scene.path is None
    driver.until(lambda: driver.window.message.text == scene.description)
    assert not driver.session.modified
    driver.click(1.6, 1.0)
    driver.until(lambda: driver.bench.presenter.frame.ledger.pings > 0)
    walls = driver.bench.presenter.frame.ledger.pings
    driver.until(lambda: driver.bench.presenter.frame.ledger.walls > 0.5 * walls)
    driver.dialogs.path = tmp_path / "mine.toml"
    driver.press("Ctrl+S")
    assert driver.session.scene.title == "mine"
    driver.press("Ctrl+Z")
    driver.settled()
    assert driver.session.scene == before


def listed(gallery) -> list[str]:
    """What can be seen in it, headings and all."""
    rows = (gallery.item(row) for row in range(gallery.count()))
    return [item.text() for item in rows if not item.isHidden()]


def test_words_find_scenes_and_enter_opens_the_first(driver):
    gallery = driver.window.gallery
    everything = listed(gallery)
    driver.press("Ctrl+F")
    line = QtWidgets.QApplication.focusWidget()
    QTest.keyClicks(line, "slit double")
    assert listed(gallery) == ["Start here", "Double slit"]
    QTest.keyClick(line, Qt.Key_Return)
    driver.settled()
    assert driver.session.scene.title == "Double slit"
    assert driver.canvas.hasFocus()
    assert line.text() == ""
    assert listed(gallery) == everything
    shown = gallery.visualItemRect(gallery.currentItem())
    assert gallery.viewport().rect().contains(shown)
    assert gallery.currentItem().text() == "Double slit"
    # Of a double click the second one meets what has come there, and opens nothing.
    driver.window.resize(1000, 1000)
    driver.press("Ctrl+F")
    QTest.keyClicks(line, "oil exploration")
    item = gallery.item_for(SCENES / "seismic_section.toml")
    center, opened = gallery.visualItemRect(item).center(), []
    gallery.chosen.connect(opened.append)
    QTest.mouseClick(gallery.viewport(), Qt.LeftButton, pos=center)
    assert gallery.itemAt(center) is not item
    QTest.mouseDClick(gallery.viewport(), Qt.LeftButton, pos=center)
    QTest.mouseRelease(gallery.viewport(), Qt.LeftButton, pos=center)
    driver.settled()
    assert opened == [SCENES / "seismic_section.toml"]
    assert driver.session.scene.path == opened[0]
    assert listed(gallery) == everything
    assert gallery.currentItem() is item
    assert gallery.viewport().rect().contains(gallery.visualItemRect(item))
    driver.press("Ctrl+F")
    QTest.keyClicks(line, "sauerkraut")
    assert listed(gallery) == ["No scene speaks of \u201csauerkraut\u201d."]
    QTest.keyClick(line, Qt.Key_Return)  # nothing to open
    driver.press("Ctrl+F")
    QTest.keyClick(line, Qt.Key_Escape)
    assert listed(gallery) == everything
    assert driver.canvas.hasFocus()
    assert driver.session.scene.path == opened[0]
    # What is nearly right shows what it nearly is, to be clicked.
    driver.press("Ctrl+F")
    QTest.keyClicks(line, "sonic bom")
    note, *rest = listed(gallery)
    assert note == "No scene speaks of \u201csonic bom\u201d, but some of \u201csonic boom\u201d:"
    assert "Sonic boom" in rest
    item = gallery.item_for(SCENES / "sonic_boom.toml")
    QTest.mouseClick(gallery.viewport(), Qt.LeftButton, pos=gallery.visualItemRect(item).center())
    driver.settled()
    assert driver.session.scene.title == "Sonic boom"
    assert listed(gallery) == everything


def test_previews_belong_to_scenes_and_are_pictures(application):
    shots = sorted(PREVIEWS.glob("*.png"))
    assert {shot.stem for shot in shots} <= {path.stem for path in SCENES.glob("*.toml")}
    places = [(x, y) for x in range(4, 52, 4) for y in range(4, 36, 4)]
    for shot in shots:
        path = SCENES / f"{shot.stem}.toml"
        scene = load_scene(path)
        dark, light = (
            preview(path, scene, QSize(56, 40), THEMES[name]).toImage() for name in THEMES
        )
        colours = {dark.pixel(*at) for at in places}
        assert len(colours) > 5, f"hardly anything is to be seen in {shot.name}"
        # Quiet is as the canvas has it in each theme, where the scene has no palette of its own.
        if scene.view.palette == "berlin":
            assert min(QtGui.qGray(dark.pixel(*at)) for at in places) < 40, shot.name
            assert max(QtGui.qGray(light.pixel(*at)) for at in places) > 190, shot.name
    assert preview(SCENES.parent / "mine.toml", scene, QSize(56, 40), THEMES["dark"]) is None


def test_the_canvas_is_light_where_the_window_is_unless_a_palette_was_chosen(driver):
    def corner() -> int:
        driver.next_frame()
        return int(driver.canvas.grab_rgb()[4, 4].astype(int).sum())

    assert corner() < 200
    driver.press("Ctrl+T")
    assert corner() > 600
    driver.bench.files.open_path(SCENES / "disk.toml")
    driver.settled()
    assert driver.bench.views.state.palette == "vik"
    driver.press("5")
    driver.until(lambda: driver.bench.presenter.frame.quantity == "energy")
    assert corner() > 600
    driver.press("1")
    driver.bench.views.wish(driver.bench.views.state.with_palette("vanimo"))
    driver.press("Ctrl+T")
    assert driver.bench.views.state.palette == "vanimo"


def test_what_was_marked_of_a_scene_goes_with_it(driver):
    driver.press("W")
    driver.click(*driver.session.scene.outline.bounds()[0])
    edge = driver.bench.toolbox.walls.tool.picked
    assert edge is not None
    driver.until(lambda: driver.canvas.overlay != EMPTY)
    driver.bench.files.open_path(SCENES / "disk.toml")
    driver.settled()
    assert driver.bench.toolbox.walls.tool.picked is None
    assert driver.canvas.overlay == EMPTY


def test_sections_fold_for_the_scenes_below_and_are_found_so_at_the_next_start(start, small_scene):
    driver = start(small_scene)
    mesh, search = driver.window.mesh_panel, driver.window.inspector.search
    driver.window.resize(1280, 1000)
    driver.application.processEvents()
    before = search.y()
    QTest.mouseClick(mesh.heading, Qt.LeftButton)
    driver.until(lambda: search.y() < before - 2 * mesh.size.height())
    assert mesh.heading.isVisible()
    assert not mesh.size.isVisible()
    driver.close()
    again = start(small_scene)
    assert again.window.inspector.folded == ("Mesh",)
    QTest.mouseClick(again.window.mesh_panel.heading, Qt.LeftButton)
    again.until(lambda: again.window.mesh_panel.size.isVisible())


def entry(driver, x: float, y: float, text: str) -> QtWidgets.QAction | None:
    """Of the menu of the right button, at a place."""
    event = QContextMenuEvent(QContextMenuEvent.Mouse, driver.place(x, y))
    driver.application.sendEvent(driver.bench.views.shown_canvas, event)
    menu = driver.application.activePopupWidget()
    driver.until(lambda: menu.isVisible())
    found = next((a for a in menu.actions() if a.text().startswith(text)), None)
    menu.hide()
    return found


def test_the_right_button_offers_what_can_be_done_there(driver):
    (x0, y0), (x1, y1) = driver.session.scene.outline.bounds()
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    entry(driver, *middle, "Place a source here").trigger()
    driver.settled()
    (source,) = driver.session.scene.sources
    assert source.position == pytest.approx(middle, abs=0.01 * (x1 - x0))
    entry(driver, *middle, "Properties of source 1").trigger()
    assert driver.bench.selection.item == ("sources", 0)
    assert driver.window.property_panel.isVisible()
    frequency = driver.window.property_panel.controls["waveform", "frequency"]
    assert "Cycles per unit of time" in frequency.toolTip()
    entry(driver, *middle, "Copy").trigger()
    aside = (middle[0] + 0.25 * (x1 - x0), middle[1])
    entry(driver, *aside, "Paste here").trigger()
    driver.settled()
    assert driver.session.scene.sources[1].position[0] > middle[0] + 0.2 * (x1 - x0)
    entry(driver, *middle, "Remove").trigger()
    driver.settled()
    assert len(driver.session.scene.sources) == 1
    assert entry(driver, x1 + 0.1 * (x1 - x0), middle[1], "Place a source here") is None
    entry(driver, *middle, "&Hide panels").trigger()
    assert driver.window.bare
    entry(driver, *middle, "&Hide panels").trigger()
    assert not driver.window.bare
    # In the height view no place is pointed at, but there is a way back.
    entry(driver, *middle, "H&eight view").trigger()
    relief = driver.window.relief
    assert relief.isVisible()
    assert entry(driver, *middle, "Place a source here") is None
    entry(driver, *middle, "Zoom &in").trigger()
    assert relief.camera.zoom > 1
    entry(driver, *middle, "&Fit").trigger()
    assert relief.camera.zoom == 1
    entry(driver, *middle, "H&eight view").trigger()
    assert not relief.isVisible()
    assert entry(driver, *middle, "Place a source here") is not None


def test_the_window_says_that_a_device_compiles(start, small_scene, monkeypatch):
    compiled = threading.Event()

    def slow(*arguments, **keywords):
        compiled.wait(30.0)
        return make_stepper(*arguments, **keywords)

    monkeypatch.setattr("wavelab.app.shell.solver_end.make_stepper", slow)
    compiled.set()
    driver = start(small_scene)
    compiled.clear()
    progress = driver.window.progress
    driver.bench.editor.apply(edits.set_order(driver.session.scene, 3))
    driver.until(lambda: progress.isVisible() and not progress.cancel.isVisible())
    assert "Compiling" in progress.findChild(QtWidgets.QLabel).text()
    compiled.set()
    driver.settled()
    driver.until(lambda: not progress.isVisible())


def test_a_scene_that_is_opened_says_what_there_is_to_see(driver):
    bar = driver.window.message
    for name in ("disk", "anti_reflection", "double_slit"):
        path = SCENES / f"{name}.toml"
        driver.bench.files.open_path(path)
        driver.settled()
        driver.until(lambda path=path: bar.text == load_scene(path).description)
    bar.clear()
    driver.bench.editor.apply(edits.set_order(driver.session.scene, 2))
    driver.settled()
    driver.next_frame()
    assert bar.text == ""  # that is the same scene still


@pytest.mark.parametrize("name", ["dark", "light"])
def test_boxes_can_be_seen_and_so_can_it_be_seen_that_they_are_checked(driver, name):
    driver.bench.appearance.set_theme(name)
    theme, box = THEMES[name], driver.window.field_panel.automatic

    def colours(checked: bool) -> set[str]:
        box.setChecked(checked)
        image = box.grab(QRect(0, 0, 18, box.height())).toImage()
        size = image.size()
        pixels = [(x, y) for x in range(size.width()) for y in range(size.height())]
        return {QColor(image.pixel(x, y)).name() for x, y in pixels}

    assert {theme.groove, theme.raised} <= colours(checked=False)  # a contrast of 3 on the panel
    assert {theme.accent, theme.on_accent} <= colours(checked=True)


def test_a_hint_that_is_cut_off_is_read_in_its_tooltip(driver):
    hint, window = driver.window.hint, driver.window
    driver.press("R")
    window.resize(760, 600)
    driver.until(lambda: hint.text().startswith("Drag a rectangle"))
    shown = hint.fontMetrics().horizontalAdvance(QtWidgets.QLabel.text(hint))
    assert QtWidgets.QLabel.text(hint).endswith("\u2026")
    assert shown <= hint.contentsRect().width()
    assert hint.toolTip() == hint.text()
    window.resize(1900, 700)
    driver.until(lambda: hint.toolTip() == "")
    assert QtWidgets.QLabel.text(hint) == hint.text()
