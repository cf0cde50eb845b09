"""Colours, distances and the style sheet.

Everything lies on a grid of 8 pixels.  There is one accent colour, the green in which the canvas
draws what the tools add, so that what is lit in a panel and what it marks in the picture agree.
"""

from __future__ import annotations

from dataclasses import dataclass

import qtawesome

from wavelab.app.base.qt import QApplication, QColor, QFont, QIcon, QPalette, Qt, QtGui, QtWidgets
from wavelab.paths import ICONS

GRID = 8


@dataclass(frozen=True)
class Theme:
    """Colours by what they are for; every text colour has a contrast of 4.5 on ``panel``, and the
    ``groove`` of a slider and of a box to be checked one of 3."""

    name: str
    window: str
    panel: str
    raised: str
    border: str
    text: str
    muted: str
    disabled: str
    groove: str
    accent: str
    on_accent: str
    danger: str
    danger_panel: str
    probe_series: tuple[str, ...]


THEMES: dict[str, Theme] = {
    theme.name: theme
    for theme in (
        Theme(
            name="dark",
            window="#141517",
            panel="#1b1d20",
            raised="#282b30",
            border="#33373d",
            text="#d9dce1",
            muted="#989fa9",
            disabled="#5d636c",
            groove="#6a717b",
            accent="#6ee7b7",
            on_accent="#062a1d",
            danger="#ff6b5e",
            danger_panel="#3a1e1d",
            probe_series=("#6ee7b7", "#f0b45c", "#7db8f5", "#f08bb0", "#c3a6f5", "#e6e08a"),
        ),
        Theme(
            name="light",
            window="#e9ebee",
            panel="#f7f8f9",
            raised="#ffffff",
            border="#cdd1d7",
            text="#1d2126",
            muted="#5b626c",
            disabled="#a3a9b2",
            groove="#858c96",
            accent="#00795c",
            on_accent="#ffffff",
            danger="#b3261e",
            danger_panel="#fbe4e2",
            probe_series=("#00795c", "#9a5f00", "#1668b0", "#b3265a", "#6a44b8", "#5c5a1e"),
        ),
    )
}


def tabular_font(points: float | None = None) -> QFont:
    """The system's fixed-width font: numbers in it do not move when a digit changes."""
    font = QtGui.QFontDatabase.systemFont(QtGui.QFontDatabase.FixedFont)
    font.setPointSizeF(points or QApplication.font().pointSizeF())
    return font


def icon(name: str, theme: Theme, *, danger: bool = False) -> QIcon:
    """A line icon in the theme's colours; switched on, it takes the accent colour."""
    plain = theme.danger if danger else theme.text
    return qtawesome.icon(
        name,
        color=plain,
        color_on=theme.danger if danger else theme.accent,
        color_disabled=theme.disabled,
    )


def dress_bars(window: QtWidgets.QMainWindow, theme: Theme) -> None:
    """What shows the rest of a tool bar that has no room: Qt's own arrow is black on any ground."""
    for bar in window.findChildren(QtWidgets.QToolBar):
        for more in bar.findChildren(QtWidgets.QToolButton, "qt_toolbar_ext_button"):
            way = "right" if bar.orientation() == Qt.Horizontal else "down"
            more.setIcon(icon(f"ph.caret-double-{way}", theme))


def apply_theme(application: QApplication, theme: Theme) -> None:
    """Dress the whole program."""
    if not application.styleSheet():  # making the style anew takes as long as all the rest
        application.setStyle("Fusion")
    palette = QPalette()
    for role, colour in (
        (QPalette.Window, theme.panel),
        (QPalette.WindowText, theme.text),
        (QPalette.Base, theme.raised),
        (QPalette.AlternateBase, theme.panel),
        (QPalette.ToolTipBase, theme.raised),
        (QPalette.ToolTipText, theme.text),
        (QPalette.Text, theme.text),
        (QPalette.Button, theme.raised),
        (QPalette.ButtonText, theme.text),
        (QPalette.PlaceholderText, theme.muted),
        (QPalette.Highlight, theme.accent),
        (QPalette.HighlightedText, theme.on_accent),
        (QPalette.Link, theme.accent),
        (QPalette.Light, theme.border),
        (QPalette.Midlight, theme.border),
        (QPalette.Mid, theme.border),
        (QPalette.Dark, theme.window),
        (QPalette.Shadow, theme.window),
    ):
        palette.setColor(role, QColor(colour))
    for role in (QPalette.Text, QPalette.WindowText, QPalette.ButtonText):
        palette.setColor(QPalette.Disabled, role, QColor(theme.disabled))
    application.setPalette(palette)
    application.setStyleSheet(style_sheet(theme))


def style_sheet(theme: Theme) -> str:
    return f"""
QMainWindow, QDialog {{ background: {theme.panel}; }}
QMainWindow::separator {{ background: {theme.window}; width: 1px; height: 1px; }}
QToolTip {{
    background: {theme.raised}; color: {theme.text};
    border: 1px solid {theme.border}; padding: 4px;
}}
QMenuBar {{ background: {theme.panel}; color: {theme.text}; padding: 0 4px; }}
QMenuBar::item {{ padding: 4px 8px; background: transparent; border-radius: 4px; }}
QMenuBar::item:selected {{ background: {theme.raised}; }}
QMenu {{ background: {theme.raised}; border: 1px solid {theme.border}; padding: 4px; }}
QMenu::item {{ padding: 4px 24px 4px 8px; border-radius: 4px; }}
QMenu::item:selected {{ background: {theme.accent}; color: {theme.on_accent}; }}
QMenu::item:disabled {{ color: {theme.disabled}; background: transparent; }}
QMenu::separator {{ height: 1px; background: {theme.border}; margin: 4px 8px; }}
QMenu::icon {{ padding-left: 8px; }}
QToolBar {{ background: {theme.panel}; border: 0; padding: 4px; spacing: 4px; }}
QToolButton#qt_toolbar_ext_button {{ border: 0; padding: 0; }}
QToolBar::separator {{ background: {theme.border}; width: 1px; height: 1px; margin: 4px; }}
QToolButton {{ border: 1px solid transparent; border-radius: 4px; padding: 4px; }}
QToolButton:hover {{ background: {theme.raised}; }}
QToolButton:checked {{ background: {theme.raised}; border-color: {theme.accent}; }}
QToolButton:pressed {{ background: {theme.border}; }}
QToolButton:focus {{ border-color: {theme.accent}; }}
QPushButton {{
    background: {theme.raised}; border: 1px solid {theme.border};
    border-radius: 4px; padding: 4px 12px;
}}
QPushButton:hover {{ border-color: {theme.muted}; }}
QPushButton:pressed {{ background: {theme.border}; }}
QPushButton:focus {{ border-color: {theme.accent}; }}
QPushButton:checked {{ border-color: {theme.accent}; color: {theme.accent}; }}
QPushButton:disabled {{ color: {theme.disabled}; }}
QCheckBox::indicator, QRadioButton::indicator {{
    width: 14px; height: 14px; border: 1px solid {theme.groove}; background: {theme.raised};
}}
QCheckBox::indicator {{ border-radius: 3px; }}
QRadioButton::indicator {{ border-radius: 8px; }}
QCheckBox::indicator:hover, QRadioButton::indicator:hover {{ border-color: {theme.text}; }}
QCheckBox::indicator:focus, QRadioButton::indicator:focus {{ border-color: {theme.accent}; }}
QCheckBox::indicator:checked {{
    background: {theme.accent}; border-color: {theme.accent};
    image: url("{(ICONS / f"tick_{theme.name}.png").as_posix()}");
}}
QRadioButton::indicator:checked {{
    border-color: {theme.accent};
    background: qradialgradient(
        cx: 0.5, cy: 0.5, radius: 0.5, fx: 0.5, fy: 0.5,
        stop: 0 {theme.accent}, stop: 0.5 {theme.accent}, stop: 0.6 {theme.raised}
    );
}}
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled {{
    border-color: {theme.border}; background: {theme.panel};
}}
QCheckBox::indicator:checked:disabled {{ background: {theme.disabled}; }}
QSlider::groove:horizontal {{ height: 4px; background: {theme.groove}; border-radius: 2px; }}
QSlider::sub-page:horizontal {{ background: {theme.accent}; border-radius: 2px; }}
QSlider#time::sub-page:horizontal {{ background: {theme.muted}; }}
QSlider::sub-page:horizontal:disabled {{ background: {theme.border}; }}
QSlider::handle:horizontal {{
    background: {theme.text}; width: 12px; height: 12px; margin: -4px 0; border-radius: 6px;
}}
QSlider::handle:horizontal:disabled {{ background: {theme.disabled}; }}
QSlider::handle:horizontal:focus {{ background: {theme.accent}; }}
QListWidget {{ background: {theme.panel}; border: 0; outline: 0; padding: 0 8px; }}
QListWidget::item {{ border-radius: 4px; padding: 4px; }}
QListWidget::item:hover {{ background: {theme.raised}; }}
QListWidget::item:selected {{
    background: {theme.raised}; border: 1px solid {theme.accent}; color: {theme.text};
}}
QScrollArea {{ border: 0; background: {theme.panel}; }}
QScrollBar:vertical {{ background: transparent; width: 8px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 8px; margin: 0; }}
QScrollBar::handle {{ background: {theme.border}; border-radius: 4px; }}
QScrollBar::handle:vertical {{ min-height: 24px; }}
QScrollBar::handle:horizontal {{ min-width: 24px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QDockWidget {{ color: {theme.text}; }}
QDockWidget::title {{ background: {theme.panel}; padding: 4px 8px; }}
QTabBar::tab {{
    background: {theme.panel}; color: {theme.muted}; padding: 4px 16px; border: 0;
    border-bottom: 2px solid transparent;
}}
QTabBar::tab:selected {{ color: {theme.text}; border-bottom-color: {theme.accent}; }}
QTableWidget {{ background: {theme.window}; gridline-color: {theme.border}; border: 0; }}
QHeaderView::section {{
    background: {theme.panel}; color: {theme.muted}; border: 0; padding: 4px 8px;
}}
QStatusBar {{ background: {theme.panel}; color: {theme.muted}; }}
QStatusBar::item {{ border: 0; }}
QProgressBar {{ background: {theme.border}; border: 0; border-radius: 2px; max-height: 4px; }}
QProgressBar::chunk {{ background: {theme.accent}; border-radius: 2px; }}
QLabel#heading {{ color: {theme.muted}; font-weight: 600; }}
QToolButton#heading {{
    color: {theme.muted}; font-weight: 600; padding: 0 4px 0 0; margin-left: -4px;
}}
QToolButton#heading:hover {{ color: {theme.text}; background: transparent; }}
QLineEdit#follows {{ color: {theme.muted}; background: transparent; border: 0; padding: 0 3px; }}
QLabel#muted {{ color: {theme.muted}; }}
QLabel#hint {{ color: {theme.muted}; }}
QLabel#recording {{ color: {theme.danger}; font-weight: 600; }}
QFrame#rule {{ background: {theme.border}; max-height: 1px; border: 0; }}
QWidget#stage {{ background: {theme.window}; }}
QFrame#message {{
    background: {theme.raised}; border: 1px solid {theme.border}; border-radius: 4px;
}}
QFrame#legend {{ background: #b0{theme.panel[1:]}; border: 0; border-radius: 4px; }}
QFrame#legend QLabel {{ background: transparent; }}
QFrame#message[kind="error"] {{
    background: {theme.danger_panel}; border-color: {theme.danger};
}}
QLabel#note {{
    background: {theme.danger_panel}; color: {theme.text};
    border: 1px solid {theme.danger}; border-radius: 4px;
}}
QFrame#message QLabel {{ background: transparent; }}
QToolButton#more {{ color: {theme.accent}; padding: 0 4px 0 0; margin-left: -2px; }}
"""
