"""The one place that imports PyQt5; the rest of the app takes Qt's names from here.

But for its multimedia module, which not every machine can load: ``app/sound/speaker.py``.
"""

from __future__ import annotations

import atexit
import locale
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from PyQt5 import QtCore, QtGui, QtWidgets
from PyQt5.QtCore import (
    QEvent,
    QLineF,
    QObject,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSettings,
    QSize,
    QSizeF,
    Qt,
    QTimer,
    QUrl,
)
from PyQt5.QtCore import pyqtSignal as Signal
from PyQt5.QtCore import pyqtSlot as Slot
from PyQt5.QtGui import (
    QBrush,
    QColor,
    QCursor,
    QDesktopServices,
    QFont,
    QFontMetricsF,
    QIcon,
    QImage,
    QKeySequence,
    QPainter,
    QPainterPath,
    QPalette,
    QPen,
    QPixmap,
    QPolygonF,
    QTransform,
)
from PyQt5.QtWidgets import QApplication, QWidget

from wavelab.ctrl_c import end_without_destructors


@contextmanager
def painting(device: QWidget | QImage | QPixmap) -> Iterator[QPainter]:
    """A painter that is done when the block is left, by an exception too.

    Qt crashes when a paint event returns while its painter is still at work, and the traceback of
    an exception would keep it alive.
    """
    painter = QPainter(device)
    try:
        yield painter
    finally:
        painter.end()


@cache
def make_application() -> QApplication:
    """The QApplication, made if there is none yet.

    It lives as long as the process: widgets of a second one would meet what the first has left, and
    crash.

    Fractional screen scaling is passed through unrounded, OpenGL contexts are shared so that a
    canvas survives being moved to another window, and numbers keep their decimal point whatever
    the desktop's language is (QApplication sets the C locale from the environment).
    """
    existing = QApplication.instance()
    if existing is not None:
        return existing
    QApplication.setAttribute(Qt.AA_EnableHighDpiScaling, True)
    QApplication.setAttribute(Qt.AA_UseHighDpiPixmaps, True)
    QApplication.setAttribute(Qt.AA_ShareOpenGLContexts, True)
    QApplication.setHighDpiScaleFactorRoundingPolicy(
        Qt.HighDpiScaleFactorRoundingPolicy.PassThrough
    )
    application = QApplication(sys.argv[:1])
    # Asked for at the end, it comes before the destructors of what is loaded from now on: OpenGL
    # paints with threads of its own.
    atexit.register(end_without_destructors)
    locale.setlocale(locale.LC_NUMERIC, "C")
    application.setApplicationName("wavelab")
    application.setApplicationDisplayName("wavelab")
    return application
