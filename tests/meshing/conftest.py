"""One long-lived child process for all tests that triangulate, since Triangle may end it."""

from __future__ import annotations

import pickle
import struct
import subprocess
import sys
import threading

import pytest

from wavelab.meshing.graph.drawing import Drawing, PlanarDrawing
from wavelab.meshing.triangulation.limits import MeshLimits
from wavelab.meshing.worker import Answer, Task

_LOOP = """
import os, pickle, struct, sys
from wavelab.meshing.worker import work
answers = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)
while head := sys.stdin.buffer.read(8):
    task = pickle.loads(sys.stdin.buffer.read(struct.unpack("<Q", head)[0]))
    data = pickle.dumps(work(task))
    answers.write(struct.pack("<Q", len(data)) + data)
    answers.flush()
"""

#: After which it hangs, however busy the machine is.
_SECONDS = 120


class Mesher:
    """Meshes one drawing after the other in a child process."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = self._begun()  # by no single test

    def _begun(self) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-c", _LOOP]
        return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __call__(self, drawing: Drawing | PlanarDrawing) -> Answer:
        if self._child is None:
            self._child = self._begun()
        data = pickle.dumps(Task(drawing, MeshLimits(max_elements=20_000)))
        timer = threading.Timer(_SECONDS, self._child.kill)
        timer.start()
        try:
            self._child.stdin.write(struct.pack("<Q", len(data)) + data)
            self._child.stdin.flush()
            head = self._child.stdout.read(8)
            if len(head) < 8:
                status, self._child = self._child.wait(), None
                pytest.fail(f"the mesher ended with status {status} (-9: hung) on {drawing}")
            return pickle.loads(self._child.stdout.read(struct.unpack("<Q", head)[0]))
        finally:
            timer.cancel()

    def close(self) -> None:
        if self._child is not None:
            self._child.stdin.close()
            self._child.wait()
            self._child.stdout.close()


@pytest.fixture(autouse=True)
def each_mesh_alone(a_child_for_each_mesh): ...


@pytest.fixture(scope="session")
def mesher():
    mesher = Mesher()
    yield mesher
    mesher.close()
