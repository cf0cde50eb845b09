"""What a rank says to others, whatever carries it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from numpy.typing import NDArray

#: Numbers for other ranks, or from them, by rank.
Traces = Mapping[int, NDArray[Any]]


class RankError(Exception):
    """Another rank cannot go on, and so nobody can.

    Attributes
    ----------
    rank : which one.
    error : what it has failed of.
    """

    def __init__(self, rank: int, error: BaseException) -> None:
        super().__init__(f"rank {rank}: {error}")
        self.rank, self.error = rank, error


class Pending(Protocol):
    """An exchange that has begun."""

    def wait(self) -> None:
        """Return once all that was to come is here, and what was sent may be changed.

        Raises
        ------
        RankError : it never comes.
        """


class Communicator(Protocol):
    """One rank of a group, as this rank sees it.

    What waits for another rank raises :class:`RankError` where one has failed.

    Attributes
    ----------
    rank, size : which of how many.
    failed : whether this or another rank is known to have failed.
    """

    rank: int
    size: int

    @property
    def failed(self) -> bool: ...

    def send(self, to: int, message: Any) -> None:
        """Any object, which arrives as a copy, or as itself where it is not changed."""

    def receive(self, of: int) -> Any:
        """The next message of a rank, once it is here."""

    def exchange(self, outgoing: Traces, incoming: Traces) -> Pending:
        """Begin to send numbers to other ranks, and to receive theirs into arrays that are there,
        of the same sizes as on the other side.  All are contiguous."""

    def fail(self, error: BaseException) -> None:
        """Tell all others that this rank cannot go on."""
