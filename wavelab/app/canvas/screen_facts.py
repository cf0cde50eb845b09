"""What the window gets of screen and OpenGL: a child process, which Qt ends where it finds none.

``python -m wavelab.app.canvas.screen_facts`` prints it as JSON.
"""

from __future__ import annotations

import json
from typing import Any

from wavelab.app.base.qt import QApplication, QtCore, make_application
from wavelab.app.canvas.field.field_choice import opengl_report
from wavelab.ctrl_c import leave


def screen_facts(application: QApplication) -> dict[str, Any]:
    """What a window of this application gets."""
    opengl = opengl_report()
    by_processor = bool(opengl.problem) or opengl.is_software
    return {
        "qt": QtCore.QT_VERSION_STR,
        "pyqt": QtCore.PYQT_VERSION_STR,
        "platform": application.platformName(),
        "opengl": opengl.problem
        or f"{opengl.version}, {opengl.vendor}, {opengl.renderer}; height view "
        f"{'by it' if opengl.relief and not by_processor else 'by the processor'}",
        "painter": "processor" if by_processor else "graphics card",
        "screens": [
            {
                "width": round(screen.size().width() * screen.devicePixelRatio()),
                "height": round(screen.size().height() * screen.devicePixelRatio()),
                "scale": screen.devicePixelRatio(),
                "dpi": screen.logicalDotsPerInch(),
                "rate": screen.refreshRate(),
            }
            for screen in application.screens()
        ],
    }


if __name__ == "__main__":
    print(json.dumps(screen_facts(make_application())))
    leave(0)
