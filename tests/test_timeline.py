"""Timelines: what is kept, what is written, and that nothing is kept when nobody profiles."""

import json
import threading

import pytest

from wavelab.errors import OutputError
from wavelab.timeline import NO_TIMELINE, Timeline, written_timeline


class Clock:
    def __init__(self):
        self.now = 1_000

    def __call__(self):
        self.now += 1_000
        return self.now


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def test_spans_counters_and_rows_are_written(tmp_path):
    timeline = Timeline(clock=Clock())
    with timeline.span("outer", steps=3), timeline.span("inner"):
        timeline.count("steps/s", 12.5)
    timeline.add("stage 1", timeline.origin + 500, timeline.origin + 2_500, device="Some GPU")
    timeline.note("uncertainty", 7)
    assert timeline.write(tmp_path / "t.json") == 0
    written = read(tmp_path / "t.json")
    events = {e["name"]: e for e in written["traceEvents"] if e["ph"] != "M"}
    assert events["outer"]["args"] == {"steps": 3}
    assert events["outer"]["ts"] < events["inner"]["ts"]
    assert events["inner"]["ts"] + events["inner"]["dur"] < (
        events["outer"]["ts"] + events["outer"]["dur"]
    )
    assert events["steps/s"]["args"] == {"value": 12.5}
    assert (events["stage 1"]["ts"], events["stage 1"]["dur"]) == (0.5, 2.0)
    assert events["stage 1"]["pid"] != events["outer"]["pid"]
    titles = {e["args"]["name"] for e in written["traceEvents"] if e["ph"] == "M"}
    assert titles == {"wavelab", "OpenCL device", "MainThread", "Some GPU"}
    assert written["otherData"] == {"uncertainty": 7, "events left out": 0}


def test_threads_have_rows_of_their_own(tmp_path):
    timeline = Timeline()

    def work():
        with timeline.span("aside"):
            pass

    thread = threading.Thread(target=work, name="helper")
    thread.start()
    thread.join()
    with timeline.span("here"):
        pass
    timeline.write(tmp_path / "t.json")
    events = read(tmp_path / "t.json")["traceEvents"]
    rows = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert {e["name"]: rows[e["tid"]] for e in events if e["ph"] == "X"} == {
        "aside": "helper",
        "here": "MainThread",
    }


def test_a_full_timeline_counts_what_it_leaves_out(tmp_path):
    timeline = Timeline(most_events=8)
    for _ in range(10):
        timeline.add("kernel", 0, 1, device="gpu")
    for _ in range(3):
        with timeline.span("host"):
            pass
    # Kernels leave room for the host.
    assert timeline.write(tmp_path / "t.json") == 5
    names = [e["name"] for e in read(tmp_path / "t.json")["traceEvents"] if e["ph"] == "X"]
    assert (names.count("kernel"), names.count("host")) == (6, 2)


def test_a_timeline_is_written_even_when_the_run_fails(tmp_path):
    told = []
    with (
        pytest.raises(RuntimeError),
        written_timeline(tmp_path / "t.json", told.append) as timeline,
        timeline.span("doomed"),
    ):
        raise RuntimeError
    assert "doomed" in [e["name"] for e in read(tmp_path / "t.json")["traceEvents"]]
    assert told == []


def test_without_a_file_nothing_is_kept(tmp_path):
    with written_timeline(None, print) as timeline:
        assert timeline is NO_TIMELINE
        with timeline.span("nothing", a=1):
            timeline.count("steps/s", 1.0)
            timeline.add("kernel", 0, 1, device="gpu")
            timeline.note("a", 1)
    assert not timeline.recording
    assert timeline.write(tmp_path / "t.json") == 0
    assert read(tmp_path / "t.json")["traceEvents"] == []


def test_a_file_that_cannot_be_written_is_an_error_and_leaves_nothing(tmp_path):
    with pytest.raises(OutputError, match="ending"):
        Timeline().write(tmp_path / "t.txt")
    with pytest.raises(OutputError, match="no directory"):
        Timeline().write(tmp_path / "missing" / "t.json")
    assert list(tmp_path.iterdir()) == []
