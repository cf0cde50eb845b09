"""Ctrl-C and its like are heard, but not in the middle of what cannot bear it."""

import os
import signal
import subprocess
import sys

import pytest

from wavelab.ctrl_c import ENDING, Ended, handled, hear_all, held_back


@pytest.fixture(params=ENDING, ids=lambda number: number.name)
def press(request):
    """Sends the signal; heard also where the tests run behind a shell, which has its children
    ignore it."""
    usual = {number: signal.signal(number, signal.SIG_DFL) for number in ENDING}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    hear_all()
    yield lambda: os.kill(os.getpid(), request.param)
    for number, handler in usual.items():
        signal.signal(number, handler)


def test_a_signal_waits_for_the_end_of_a_block(press):
    usual, done = [signal.getsignal(number) for number in ENDING], []
    with pytest.raises(KeyboardInterrupt), held_back():
        press()
        done.append("all of it")
    assert done == ["all of it"]
    assert [signal.getsignal(number) for number in ENDING] == usual


def test_an_error_in_a_block_is_not_lost_for_a_signal(press):
    with pytest.raises(ZeroDivisionError), held_back():
        press()
        raise ZeroDivisionError


def test_nothing_comes_of_a_block_without_a_signal(press):
    with held_back():
        pass


def test_the_status_is_that_of_shells(press, request):
    with pytest.raises(KeyboardInterrupt) as caught:
        press()
    if isinstance(caught.value, Ended):
        assert caught.value.status == 128 + caught.value.number
    assert Ended().status == 130


def test_what_is_ignored_stays_ignored(press):
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    hear_all()
    with handled(lambda number, frame: None):
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


@pytest.mark.parametrize(
    "had",
    [
        "",
        "threading.Thread(target=threading.Event().wait, daemon=True).start()",
        "import PyQt5.QtGui",
    ],
    ids=["nothing", "a thread at work", "windows"],
)
def test_a_program_ends_with_its_status_whatever_its_threads_do(had):
    program = f"""
import atexit, sys, threading
from wavelab.ctrl_c import leave
atexit.register(print, "tidied up")
{had}
status = leave(130)
print("by itself")
sys.exit(status)
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ended.returncode == 130
    assert ended.stdout.split("\n") == [*["by itself"] * (not had), "tidied up", ""]
    assert not ended.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="of C libraries only glibc can")
@pytest.mark.parametrize("at_once", [False, True])
def test_a_library_that_ends_the_process_ends_it_right_there(at_once):
    """As Qt does when the X server has gone: destructors beside threads at work would crash."""
    code = f"""
import ctypes, os
from wavelab.ctrl_c import end_without_destructors
library = ctypes.CDLL(None)
kind = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p)
destructor = kind(lambda *_: os.write(1, b"destructor"))
library.on_exit(destructor, None)
if {at_once}:
    end_without_destructors()
library.exit(7)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 7
    assert done.stdout == (b"" if at_once else b"destructor")
