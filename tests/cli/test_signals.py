"""A run that a signal ends leaves whole files and the status of shells, whoever still listens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from wavelab.simulation.headless.batch_records import BatchRecords

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
            # Below nohup it would not hear SIGHUP.
            preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
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


def test_a_run_that_a_signal_ends_is_gone_on_with(wavelab, small, tmp_path, monkeypatch):
    """With the probes and the monitors of the part before, to the bit."""
    whole, parted, kept = (tmp_path / name for name in ("whole.csv", "parted.csv", "run.h5"))
    words = ["run", small, "--backend", "numpy", "--until", "0.5"]
    assert wavelab(*words, "--probes", whole)[0] == 0
    usual, calls = BatchRecords.record, []

    def record(records: BatchRecords) -> None:
        usual(records)
        calls.append(records)
        if len(calls) == 2:
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(BatchRecords, "record", record)
    monkeypatch.chdir(tmp_path)
    status, _, err = wavelab(*words, "--probes", parted.name, "--checkpoint", kept.name)
    assert status == 143
    assert "files are complete; --resume run.h5 goes on" in err
    first = parted.read_text().splitlines()
    assert 2 < len(first) < len(whole.read_text().splitlines())
    monkeypatch.chdir(Path.home())  # the files go where they went before
    status, out, err = wavelab("run", "--resume", kept)
    assert status == 0, err
    assert f"wrote {parted}" in out
    assert parted.read_text() == whole.read_text()
    assert not kept.exists()


def test_what_a_resumed_run_may_not_be_given_is_refused(wavelab, small, tmp_path):
    status, _, err = wavelab("run", "--resume", tmp_path / "no.h5")
    assert status == 2
    assert "cannot be read" in err
    status, _, err = wavelab("run", "--set", "solver.order=2")
    assert status == 2
    assert "no scene is named" in err
    status, _, err = wavelab("run", small, "--every", "3")
    assert status == 2
    assert "no file to go to" in err
