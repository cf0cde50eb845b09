"""The user: one act after the other, with an eye on what asks for an answer meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from random import Random

from PyQt5.QtTest import QTest

from scripts.scripted_user.answers import answer
from scripts.scripted_user.canvas_acts import ON_CANVAS
from scripts.scripted_user.files import Files
from scripts.scripted_user.hand import Hand, asked
from scripts.scripted_user.rest import rest
from scripts.scripted_user.window_acts import BESIDE
from wavelab.app.base.qt import (
    QApplication,
    QObject,
    QPoint,
    Qt,
    QtCore,
    QTimer,
    QtWidgets,
    QWidget,
)
from wavelab.app.shell.program import Program

ACTS = ON_CANVAS | BESIDE
#: Milliseconds after which it is looked whether an act waits for the answer to a dialog.
_LOOK = 40
#: Answers after which a dialog that still asks is stuck: by then Escape has been tried often.
_PATIENCE = 40
#: After which a drag that Qt has begun is ended.
_DRAG_SECONDS = 2.0
#: Pixels.
_FAR = 2**30


class User(QObject):
    """Acts until ``seconds`` are over, or all ``acts`` are done, and calls ``done`` then.

    Parameters
    ----------
    seed : of what is done; each act has its own random numbers, of the seed and its number.
    acts : numbers of the acts.
    only : names of the acts that are done; empty for all.
    settle : seconds of a rest.
    say : gets the number of each act and what it does.
    found : called with the kind and the text of what is wrong.
    rested : called when the window has come to rest, every ``pause`` seconds and at the end.
    """

    def __init__(
        self, program: Program, files: Files, seed: int, acts: range, seconds: float, pause: float,
        only: Sequence[str] = (), settle: int = 8, *, say: Callable[[str], None],
        found: Callable[[str, str], None], rested: Callable[[], None], done: Callable[[], None],
    ) -> None:  # fmt: skip
        super().__init__()
        self.program, self.window, self.canvas = program, program.window, program.window.canvas
        self.files, self.hand = files, Hand(program.window)
        self.doing = ""
        self.n_acts = 0
        self._seed, self._acts = seed, iter(acts)
        self._kinds = {act: n for act, n in ACTS.items() if not only or act.__name__ in only}
        self._seconds, self._pause, self._settle = seconds, pause, settle
        self._say, self.found = say, found
        self._rested, self._done = rested, done
        self._begun = self._last_rest = time.monotonic()
        self._over = False
        self._stack: list[Iterator[int]] = []
        self._level = 0  #: of event loops, in which the newest of them was taken up
        self._number, self._n_answers = -1, 0
        self._asks: QWidget | None = None
        self._asked_times = 0
        self._dragging = self._begun  #: since when, at most
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._turn)

    def start(self) -> None:
        self._timer.start(0)

    def say(self, what: str) -> None:
        """What the present act is about."""
        self.doing = f"{self.doing} {what}"
        self._say(f"    {what}")

    def to_canvas(self) -> None:
        """The keys go there from now on, as after a click on it."""
        QApplication.setActiveWindow(self.window)
        self.canvas.setFocus()

    def places(self) -> list[QPoint]:
        """Pixels of corners and middles of what is in the scene, but for those so far outside of a
        magnified view that Qt has no number for them."""
        scene, view = self.program.session.scene, self.canvas.view
        points = [p.position for p in scene.probes] + [tuple(c) for p in self._shapes() for c in p]
        pixels = [view.to_pixels(p) for p in points]
        return [QPoint(round(x), round(y)) for x, y in pixels if max(abs(x), abs(y)) < _FAR]

    def _shapes(self) -> list[list[tuple[float, float]]]:
        scene = self.program.session.scene
        shapes = [part.shape for part in (*scene.holes, *scene.materials) if part.shape is not None]
        return [shape.outline(0.1)[0].tolist()[:40] for shape in shapes]

    def _turn(self) -> None:
        # A dialog may keep us in what follows.
        self._timer.start(_LOOK)
        level = QtCore.QThread.currentThread().loopLevel()
        if self._stack and getattr(self._stack[-1], "gi_running", False):
            if level == self._level or asked() is None:
                self._let_go(level)
                return  # Qt is at the events of that act
            self._push_answer()  # an event loop of its own waits for it
        elif not self._stack and not self._next():
            self._timer.stop()
            self._done()
            return
        present, before, self._level = self._stack[-1], self._level, level
        try:
            pause = next(present)
        except StopIteration:
            self._stack.remove(present)
        except Exception as error:
            self._stack.remove(present)
            if "has been deleted" not in str(error):
                raise
            # Else a form has changed under the user's hands.
        else:
            self._timer.start(pause)
        finally:
            self._level = before

    def _let_go(self, level: int) -> None:
        """Qt begins a drag of its own, of text or of an item, when the pointer moves, and waits for
        a button to be let go that nobody holds here: Escape ends it."""
        now = time.monotonic()
        if level == self._level:
            self._dragging = now
        elif now - self._dragging > _DRAG_SECONDS:
            self._dragging = now
            self.say("Escape from a drag of Qt")
            QTest.keyClick(self.window, Qt.Key_Escape)

    def _next(self) -> bool:
        now = time.monotonic()
        if asked() is not None:
            self._push_answer()
            return True
        self._asks = None
        if not self._over and now - self._last_rest > self._pause:
            self._push("rest", rest(self, self._rest_ended, self._settle))
            return True
        number = None if now - self._begun > self._seconds else next(self._acts, None)
        if number is None:
            if self._over:
                return False
            self._over = True
            self._push("rest", rest(self, self._rest_ended, self._settle))
            return True
        self._number, self._n_answers = number, 0
        self.n_acts += 1
        r = Random(f"{self._seed}/{number}")
        act = r.choices(list(self._kinds), list(self._kinds.values()))[0]
        self._push(f"{number} {act.__name__}", act(self, r))
        return True

    def _rest_ended(self) -> None:
        self._rested()
        self._last_rest = time.monotonic()

    def _push_answer(self) -> None:
        asks = asked()
        assert asks is not None
        self._asked_times = self._asked_times + 1 if asks is self._asks else 0
        self._asks = asks
        self._n_answers += 1
        name = type(asks).__name__
        if self._asked_times == _PATIENCE:
            self.found("stuck", f"{name} {asks.windowTitle()!r} asks for ever")
        if self._asked_times >= _PATIENCE // 2:
            self._push(f"{self._number}.{self._n_answers} away with {name}", self._away(asks))
            return
        r = Random(f"{self._seed}/{self._number}/{self._n_answers}")
        self._push(f"{self._number}.{self._n_answers} answer {name}", answer(self, asks, r))

    def _away(self, asks: QWidget) -> Iterator[int]:
        self.hand.key("Escape")
        yield 100
        if self._asked_times > _PATIENCE:
            asks.reject() if isinstance(asks, QtWidgets.QDialog) else asks.close()

    def _push(self, doing: str, act: Iterator[int]) -> None:
        self.doing = doing
        self._say(doing)
        self._stack.append(act)
