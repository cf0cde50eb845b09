"""Children that mesh, lent to one window after the other.

A window starts one and ends it, and Python takes longer to start there than a small window to open:
a fifth of a second of processor time.  Here what a window ends while it waits for a task meshes for
the next one; what dies, is killed, or would not be kept by a window either, is ended.
"""

from __future__ import annotations

import threading

from wavelab.meshing.meshing_child import MeshingChild
from wavelab.meshing.triangulation.limits import MeshLimits
from wavelab.meshing.worker import Answer, Task

#: Elements, after which a child holds memory that nobody needs.
_LARGE = 10_000


class LentMeshers:
    """Stands in for the class of the children; gives out those that wait, or new ones."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[MeshingChild] = []

    def __call__(self) -> LentMesher:
        with self._lock:
            while self._waiting:
                child = self._waiting.pop()
                if child.process.poll() is None:
                    return LentMesher(child, self)
                child.end()
        return LentMesher(MeshingChild(), self)

    def take_back(self, child: MeshingChild) -> None:
        with self._lock:
            self._waiting.append(child)

    def waiting(self) -> set[int]:
        """Process numbers of those that nobody has."""
        with self._lock:
            return {child.process.pid for child in self._waiting}

    def close(self) -> None:
        with self._lock:
            while self._waiting:
                self._waiting.pop().end()


class LentMesher:
    """Does what the child does, until it is ended."""

    def __init__(self, child: MeshingChild, lender: LentMeshers) -> None:
        self.process, self.used = child.process, False
        self._child, self._lender = child, lender
        self._sound, self._ended, self._killed = True, False, False
        # What has been killed is there for a moment more, and must not be lent again.
        self.process.kill = self._kill

    def do(self, task: Task) -> Answer | None:
        assert not self._ended
        self._sound = False
        answer = self._child.do(task)
        if answer is not None:
            self.used = True
            large = answer.mesh is not None and answer.mesh.n_elements > _LARGE
            self._sound = not (answer.defect or large)
        return answer

    def _kill(self) -> None:
        self._killed = True
        type(self.process).kill(self.process)

    def end(self) -> None:
        sound = self._sound and not self._killed
        if not self._ended and sound and self.process.poll() is None:
            self._lender.take_back(self._child)
        elif not self._ended:
            self._child.end()
        self._ended = True

    def death(self, limits: MeshLimits):
        return self._child.death(limits)


LENT = LentMeshers()
