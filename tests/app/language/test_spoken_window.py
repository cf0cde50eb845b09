"""The window in another language: no word of English is left, and nothing is cut off."""

from __future__ import annotations

import re

import pytest
from PyQt5.QtTest import QTest

from scripts.messages import all_messages
from wavelab.app.base.qt import QApplication, Qt, QtWidgets
from wavelab.app.base.settings import load_preferences, preferences_path
from wavelab.app.files.files import OPEN_FILTERS
from wavelab.app.language import language
from wavelab.app.panels.fields.labels import ElidedLabel
from wavelab.app.panels.messages.status import StatusLine
from wavelab.app.panels.plots.axes.plot import Plot
from wavelab.app.tools import TOOLS
from wavelab.app.window.dialogs import Dialogs
from wavelab.paths import SCENES
from wavelab.scene.editing.properties import items

MARK = "\u2591"
#: Names of files and schemes, and the languages' own.
NAMES = {"auto", "local", "English", "Deutsch", "Espa\u00f1ol", "Del", "Space", "Esc", "Ez", "dt"}
WORD = re.compile(r"[^\W\d_]{3,}")
#: Shown by Qt, which has translations of its own, or never.
QT = ("qt_", "Scroll", "autoAlpha")


@pytest.fixture
def marked(monkeypatch):
    """A language in which every text has a mark in front of it."""
    words = {text: f"{MARK}{text}" for text in all_messages()}
    monkeypatch.setattr(
        "wavelab.app.shell.program.speak", lambda _, wish: language.speak("xx", words)
    )


@pytest.fixture(autouse=True)
def english_again():
    yield
    language.use("en")


def said_by(widget: QtWidgets.QWidget) -> list[str]:
    """All words of a widget itself."""
    texts = [widget.toolTip(), widget.accessibleName()]
    for name in ("text", "title", "placeholderText"):
        if isinstance(widget, QtWidgets.QLineEdit) and name == "text":
            continue  # the user's
        if not isinstance(widget, StatusLine) and callable(get := getattr(widget, name, None)):
            texts.append(get())
    if isinstance(widget, QtWidgets.QComboBox):
        for i in range(widget.count()):
            texts += [widget.itemText(i), widget.itemData(i, Qt.ToolTipRole) or ""]
    if isinstance(widget, QtWidgets.QListWidget):
        texts += [widget.item(i).text() for i in range(widget.count())]
    for action in widget.actions():
        texts += [action.text(), action.toolTip()]
    return texts


def of_qt(widget: QtWidgets.QWidget) -> bool:
    """Whether Qt has translations of its own for it, or it belongs to a menu never shown."""
    while widget is not None:
        if isinstance(widget, QtWidgets.QDialogButtonBox) or widget.objectName().startswith(QT):
            return True
        if isinstance(widget.parent(), Plot) and isinstance(widget, QtWidgets.QMenu):
            return widget is not widget.parent().menu
        widget = widget.parentWidget()
    return False


def unspoken(root: QtWidgets.QWidget, known: set[str]) -> list[str]:
    """Words there that no catalogue was asked for."""
    names = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
    strange = re.compile(rf"{names}|(Ctrl|Shift|Alt)\+\S+")
    found = []
    for widget in [root, *root.findChildren(QtWidgets.QWidget)]:
        for text in said_by(widget):
            plain = re.sub(r"<[^>]*>|&nbsp;", " ", text)
            left = WORD.search(strange.sub("", plain))
            if left and MARK not in plain and not of_qt(widget):
                found.append(plain)
    return found


def test_every_word_of_the_window_is_looked_up(marked, start):
    driver = start(SCENES / "double_slit.toml")
    window, scene = driver.window, driver.session.scene
    known = {
        scene.title,
        *NAMES,
        *(i.name for i in (*scene.probes, *scene.holes, *scene.monitors, *scene.parameters)),
    }
    known |= {
        scheme
        for i in range(window.mesh_panel.stepper.count())
        for scheme in [window.mesh_panel.stepper.itemText(i)]
    }
    (x0, y0), (x1, y1) = scene.outline.bounds()
    for key, tool in TOOLS.items():
        driver.press(tool.shortcut)
        driver.point((x0 + x1) / 2, (y0 + y1) / 2)
        driver.bench.catch_up()
        assert MARK in window.hint.text(), key
    for item in items(scene):
        driver.bench.selection.present(item.key)
        driver.bench.catch_up()
        assert unspoken(window.property_panel, known) == []
    for id_ in ("shortcuts", "converge", "doctor", "resonances", "compare", "presentation"):
        window.actions_by_id[id_].trigger()
    # A dialog lies over it.
    QTest.mouseClick(driver.canvas, Qt.LeftButton, pos=driver.place(x0 - 1.0, y0))
    assert unspoken(window, known) == []


def of_icon(button: QtWidgets.QAbstractButton) -> bool:
    """Whether it has only a picture, and its words are for screen readers."""
    icon_only = getattr(button, "toolButtonStyle", lambda: None)() == Qt.ToolButtonIconOnly
    return icon_only and not button.icon().isNull()


@pytest.mark.parametrize("code", ["de", "es"])
def test_nothing_is_cut_off(code, start):
    driver = start(SCENES / "double_slit.toml", language=code)
    window = driver.window
    window.resize(1200, 800)
    driver.until(lambda: window.width() == 1200)
    window.probe_panel.sound.show()
    for tool in TOOLS.values():
        driver.press(tool.shortcut)
        QApplication.processEvents()
        for area in window.inspector.findChildren(QtWidgets.QScrollArea):
            assert area.horizontalScrollBar().maximum() == 0, tool.label
        for widget in window.findChildren(QtWidgets.QWidget):
            if isinstance(widget, Plot) or not widget.isVisible():
                continue
            if isinstance(widget, QtWidgets.QLabel) and not isinstance(widget, ElidedLabel):
                needed = 0 if widget.wordWrap() else widget.minimumSizeHint().width()
            elif isinstance(widget, QtWidgets.QAbstractButton) and not of_icon(widget):
                needed = widget.minimumSizeHint().width()
            else:
                continue
            assert widget.width() >= needed or not widget.text(), widget.text()
            seen = widget.visibleRegion().boundingRect()
            if not seen.isEmpty() and window.inspector.isAncestorOf(widget):
                assert seen.width() == widget.width(), widget.text()
    gallery = window.gallery.item_for(SCENES / "double_slit.toml")
    assert window.windowTitle() == f"{gallery.text()}[*]" != "Double slit[*]"
    assert window.notes_panel.title.text() == "Double slit"  # as the file has it
    for title in window.docks:
        assert title.windowTitle() == language.tr(title.objectName())


def test_what_is_put_and_gone_back_to_is_told_in_the_language_of_the_window(small_scene, start):
    driver = start(small_scene, language="de")
    window = driver.window
    assert window.time_bar.text == "zur\u00fcck bis t 0.000"
    assert " aufbewahrt, seit ihrem Anfang, " in window.time_bar.slider.toolTip()
    driver.press("A")
    button = window.tool_panel.insert.buttons["hollow_lens"]
    assert button.text() == "Konkavlinse"
    QTest.mouseClick(button, Qt.LeftButton)
    driver.bench.catch_up()
    assert "(Konkavlinse)" in window.hint.text()
    (x0, y0), (x1, y1) = driver.session.scene.outline.bounds()
    driver.click((x0 + x1) / 2, (y0 + y1) / 2)
    driver.settled()
    assert window.actions_by_id["undo"].text().endswith("ngig Konkavlinse hinzuf\u00fcgen")
    # What it is called in the scene file is a name.
    assert driver.session.scene.materials[-1].name == "hollow lens"
    driver.press("K")
    driver.bench.catch_up()
    assert window.hint.text().startswith("Ziehen: ein Lineal")


def test_scenes_are_found_by_words_of_both_languages(small_scene, start):
    driver = start(small_scene, language="de")
    gallery, line = driver.window.gallery, driver.window.inspector.search.line

    def found(words: str) -> list[str]:
        line.setText(words)
        items = (gallery.item(row) for row in range(gallery.count()))
        return [item.text() for item in items if not item.isHidden()]

    assert "Wellen auf einer Saite" in found("saite")
    assert "Brechungsgesetz" in found("snell")
    assert found("sauerkraut") == ["Keine Szene handelt von \u201esauerkraut\u201c."]


def test_kinds_of_files_are_named_in_the_language(monkeypatch, application):
    asked = []
    monkeypatch.setattr(
        QtWidgets.QFileDialog, "getOpenFileName", lambda *given: asked.append(given) or ("", "")
    )
    language.use("de")
    Dialogs(None).open_file("Open", SCENES, OPEN_FILTERS)
    _, title, _, filters = asked[0]
    names = [kind.partition(" (")[0] for kind in filters.split(";;")]
    assert title == "\u00d6ffnen"
    assert names == ["Szenen, Netze und Zeichnungen", "Szene", "Netz", "Zeichnung", "Alle Dateien"]
    assert filters.endswith(" (*)")


def test_another_language_is_chosen_for_the_next_start(driver):
    action = driver.window.actions_by_id["language.de"]
    action.trigger()
    assert action.isChecked()
    assert "opened next" in driver.window.message.text
    assert driver.window.menuBar().actions()[0].text() == "&File"
    assert load_preferences(preferences_path()).language == "de"
    driver.window.actions_by_id["language."].trigger()
    assert load_preferences(preferences_path()).language == ""


def test_a_damaged_catalogue_is_told_of_in_english(small_scene, start, tmp_path, monkeypatch):
    path = tmp_path / "de.po"
    path.write_text('msgid "Cancel"\nmsgstr Abbrechen\n')
    for module in ("language.language", "window.speech"):
        monkeypatch.setattr(f"wavelab.app.{module}.path_of", lambda code: path)
    driver = start(small_scene, language="de")
    assert driver.window.menuBar().actions()[0].text() == "&File"
    assert "de.po: the translations cannot be read: line 2" in driver.window.message.text


def test_an_error_is_told_in_the_language_of_the_window(small_scene, start):
    driver = start(small_scene, language="de")
    driver.bench.selection.present(("background",))
    driver.bench.catch_up()
    field = driver.window.property_panel.controls["epsilon",]
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "0")
    QTest.keyClick(field, Qt.Key_Return)
    note = driver.window.property_panel.notes["epsilon",].text()
    assert "Vakuum hat 1" in note
    assert driver.window.actions_by_id["undo"].text().startswith("&R\u00fcckg\u00e4ngig")
