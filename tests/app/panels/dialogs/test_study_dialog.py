"""What a study's dialog says while it goes on."""

from __future__ import annotations

import time

from wavelab.app.panels.dialogs.study_dialog import StudyDialog


def test_what_takes_more_than_a_minute_says_how_long(application, monkeypatch):
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    dialog = StudyDialog(None, "Study", "What it does.", (), columns=2)
    for seconds in (1000.0, 50.0):
        now, began = now + 10.0, now + 10.0
        dialog.show_idle()
        dialog.show_progress(0.0, "")
        assert dialog.stage.text() == "Starting\u2026"
        now = began + 0.1 * seconds
        dialog.show_progress(0.1, "Meshing")
        long = seconds > 100
        assert dialog.stage.text() == "Meshing\u2026" + long * "; about 15 minutes left"
