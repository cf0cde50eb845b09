"""All ranks, as the first one sees them: it asks, and all answer, itself included."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from wavelab.errors import DeviceError
from wavelab.ranks.communicator import Communicator, RankError
from wavelab.ranks.in_process import in_process
from wavelab.simulation.steppers.server import Failed, Server


class RankGroup:
    """The first rank's own server, and ways to those of the others.

    Parameters
    ----------
    server : of this rank.
    """

    def __init__(self, communicator: Communicator, server: Server) -> None:
        self._communicator, self.own = communicator, server
        self.size = communicator.size

    @classmethod
    def of_threads(cls, size: int) -> RankGroup:
        """Of as many threads, of which this is the first."""
        first, *others = in_process(size)
        for each in others:
            server = Server(each, each.rank)
            threading.Thread(target=server.serve, name=f"rank {each.rank}", daemon=True).start()
        return cls(first, Server(first, 0))

    def ask(self, name: str, *arguments: Any) -> list[Any]:
        """What a method gives on each rank, with the same arguments; see :meth:`ask_each`."""
        return self.ask_each(name, lambda rank: arguments)

    def ask_each(self, name: str, arguments: Callable[[int], Sequence[Any]]) -> list[Any]:
        """What a method gives on each rank.

        Parameters
        ----------
        arguments : of a rank; asked for one after the other, since they may be large.

        Raises
        ------
        WavelabError : what the first one to fail has failed of.
        """
        try:
            for rank in range(1, self.size):
                self._communicator.send(rank, (name, arguments(rank)))
            answers = [self.own.answer(name, arguments(0))]
            answers += [self._communicator.receive(rank) for rank in range(1, self.size)]
        except RankError as failed:
            raise failed.error from failed
        except BaseException as error:
            told = DeviceError(f"{type(error).__name__}: {error}", where="rank 0")
            self._communicator.fail(told)
            raise
        for answer in answers:
            if isinstance(answer, Failed):
                raise answer.error
        return answers

    @property
    def failed(self) -> bool:
        """Whether one has failed, so that nobody answers any more."""
        return self._communicator.failed

    def end(self) -> None:
        """Let the others go."""
        if not self._communicator.failed:
            for rank in range(1, self.size):
                self._communicator.send(rank, None)
