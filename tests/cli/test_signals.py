"""A run that a signal ends leaves whole files and the status of shells, whoever still listens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda n: n.name)
def test_a_signal_ends_a_run_with_whole_files(small, tmp_path, number):
    """With SIGHUP the terminal goes too: standard error is a pipe that nobody reads any more."""
    probes, log = tmp_path / "p.csv", tmp_path / "log"
    words = ["run", small, "--backend", "numpy", "--until", "1e6", "--long", "--probes", probes]
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "wavelab", *map(str, words)],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
        )
        # The log says how far it is without being asked, and at once.
        while "left" not in log.read_text():
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.05)
        if number == signal.SIGHUP:
            process.stderr.close()
            said = ""
            process.send_signal(number)
        else:
            process.send_signal(number)
            said = process.stderr.read()
            assert "terminated at t = " in said
            assert "the run takes about" in said
        assert process.wait() == 128 + number
    told = log.read_text()
    steps = int(told.split(" in ")[1].split(" step")[0].replace(",", ""))
    assert len(probes.read_text().splitlines()) == steps + 1
    assert f"wrote {probes}" in told
    assert not list(tmp_path.glob("*.partial*"))


def test_a_signal_before_the_run_ends_it_with_the_status_of_shells(wavelab, small, monkeypatch):
    def arrives(*_, **__):
        os.kill(os.getpid(), signal.SIGTERM)

    usual = {n: signal.signal(n, signal.SIG_DFL) for n in (signal.SIGTERM, signal.SIGHUP)}
    try:
        monkeypatch.setattr("wavelab.cli.run.run_batch", arrives)
        status, _, err = wavelab("run", small)
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
    assert status == 143
    assert err == "terminated\n"
