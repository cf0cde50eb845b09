"""Somebody uses the window at random for a while, and nothing goes wrong.

``USER_MINUTES`` says for how long (``make hunt`` takes five), ``USER_SEED`` what is done.  How fast
the machine is decides how much is done, and is no matter of success; without ``USER_MINUTES`` a few
acts are enough.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from scripts.scripted_user.__main__ import in_words, watched
from scripts.scripted_user.files import Files
from scripts.scripted_user.inside import Wish
from scripts.scripted_user.rest import rest

ROOT = Path(__file__).resolve().parents[2]
MINUTES = float(os.environ.get("USER_MINUTES", "0.5"))
ACTS, SETTLE = (10**9, 8) if "USER_MINUTES" in os.environ else (25, 1)
SEED = int(os.environ.get("USER_SEED", "5"))

_SEEN = """
import json, logging, sys, threading, time, warnings
from wavelab.app.base.qt import QTimer, QtCore, make_application
from scripts.scripted_user import watch as watch_module
from wavelab.ctrl_c import leave

found = []
application = make_application()
watch_module.GAPS = (0.1, 0.3, 0.5)
watch = watch_module.Watch(lambda kind, text: found.append((kind, text)), lambda: "it", sys.stderr)
watch.install()

class Cursed:
    def __del__(self):
        raise ValueError("in a destructor")

def fails(text):
    raise ValueError(text)

def work():
    thread = threading.Thread(target=fails, args=("in a thread",))
    thread.start()
    thread.join()
    Cursed()
    QtCore.qWarning("a warning of Qt")
    warnings.warn("a warning of Python")
    logging.getLogger("wavelab").error("a defect")
    logging.getLogger("vispy").warning("a library complains")
    time.sleep(1.0)
    QTimer.singleShot(200, application.quit)
    fails("in a slot")

QTimer.singleShot(100, work)
application.exec_()
watch.remove()
print(json.dumps({"found": found, "gaps": list(watch.gaps.values()), "longest": watch.longest}))
leave(0)
"""


@pytest.fixture
def display(application):
    """There is one."""


@pytest.mark.timeout(300 + 600 * MINUTES)
def test_nothing_goes_wrong_whatever_is_done(display, tmp_path):
    report = watched(Wish(str(tmp_path), SEED, MINUTES, 0, ACTS, "auto", settle=SETTLE))
    # How long a turn of the event loop takes, and what memory is used, is measured by longer runs.
    report["findings"] = [f for f in report["findings"] if f["kind"] not in ("gap", "memory")]
    assert not report["findings"], in_words(report)
    assert report["acts"] > 0
    assert len(report["memory"]) >= 1


def test_the_watch_sees_what_goes_wrong(display):
    told = subprocess.run(
        [sys.executable, "-c", _SEEN], cwd=ROOT, capture_output=True, text=True, check=True
    )
    seen = json.loads(told.stdout.splitlines()[-1])
    texts = [
        ("traceback", "in a thread"), ("traceback", "in a destructor"),
        ("Qt warning", "a warning of Qt"), ("warning", "a warning of Python"),
        ("traceback", "a defect"), ("warning", "a library complains"), ("traceback", "in a slot"),
    ]  # fmt: skip
    for kind, text in texts:
        assert [k for k, t in seen["found"] if text in t] == [kind], text
    assert min(seen["gaps"]) >= 1
    seconds, _, _, act = seen["longest"][0]
    assert seconds > 0.9
    assert act == "it"


def test_a_window_that_dies_is_a_finding_that_can_be_repeated(tmp_path, monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "nonsense")  # Qt aborts the process
    report = watched(Wish(str(tmp_path), 7, 1.0, 3, 2, "numpy"))
    (finding,) = report["findings"]
    assert finding["kind"] == "crash"
    assert "nonsense" in finding["text"]
    report["findings"][0] = finding | {"act": "4 ping", "last": ["3 wait", "4 ping"]}
    assert "again: --seed 7 --first 3 --acts 2" in in_words(report)


def test_one_kind_of_act_is_repeated_by_itself(display, tmp_path):
    report = watched(Wish(str(tmp_path), 7, 1.0, 0, 3, "numpy", only=("resize",), settle=1))
    assert report["acts"] == 3
    acts = [line[9:] for line in (tmp_path / "acts").read_text().splitlines()]
    assert [act for act in acts if act[:1].isdigit()] == ["0 resize", "1 resize", "2 resize"]


def test_a_rest_ends_studies_that_go_on_with_their_dialog_closed(start, small_scene):
    driver = start(small_scene)
    study = driver.bench.studies["convergence"]
    study.open()
    study.dialog.until.set_value(1e4)
    study.dialog.start.click()
    study.dialog.close()

    def at_work() -> set[str]:
        return {thread.name for thread in threading.enumerate()}

    assert "convergence" in at_work()
    # That of a bar of progress stays, and is nothing that anybody waits for.
    over = threading.Event()
    threading.Thread(name="tqdm_monitor", target=over.wait, daemon=True).start()
    found, then = [], []
    user = SimpleNamespace(
        program=driver.program, window=driver.window, found=lambda *what: found.append(what)
    )
    for pause in rest(user, lambda: then.append(at_work())):
        end = time.monotonic() + min(pause, 100) / 1000
        driver.until(lambda end=end: time.monotonic() > end)
    over.set()
    assert len(then) == 1
    assert "convergence" not in then[0]
    assert not found


def test_the_same_seed_does_the_same(tmp_path):
    opened = []
    for name in ("one", "other"):
        folder = tmp_path / name / "files"  # which is among what is opened
        folder.mkdir(parents=True)
        files, r = Files(folder), Random("7/3")
        paths = [files.to_open(r) for _ in range(60)]
        opened.append([(path.name, path.is_file() and path.read_bytes()) for path in paths])
    assert opened[0] == opened[1]
