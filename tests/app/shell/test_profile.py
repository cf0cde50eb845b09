"""A timeline of the whole window."""

import json

from tests.app.conftest import Driver
from wavelab.timeline import Timeline


def test_every_thread_of_the_window_has_its_row(application, small_scene, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    timeline, path = Timeline(), tmp_path / "profile.json"
    driver = Driver(application, small_scene, timeline=timeline)
    try:
        driver.start()
        driver.next_frame()
        driver.next_frame()
    finally:
        driver.close()
    timeline.write(path)
    events = json.loads(path.read_text())["traceEvents"]
    titles = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    done = {}
    for e in events:
        if e["ph"] == "X":
            done.setdefault(titles[e["tid"]], set()).add(e["name"])
    assert done["MainThread"] >= {"show frame", "paint lines"}
    assert done["MainThread"] & {"paint field", "draw field"}
    assert done["wavelab solver"] >= {"load", "play", "steps", "frame", "keep a copy"}
    assert done["preparation 1"] == {"mesh", "build operators"}
    assert {e["name"] for e in events if e["ph"] == "C"} == {"steps/s", "frames/s"}
