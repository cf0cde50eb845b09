"""A worker of a pool that dies of some tasks, and answers others with the number of its process."""

from __future__ import annotations

import os
from typing import Any

from wavelab.pool import serve


class UnsentError(Exception):
    """Pickled without complaint, and cannot be read."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(one)


def work(task: Any) -> int | UnsentError:
    if "abort" in getattr(task, "measures", task):
        os.abort()
    if task == "exit":
        os._exit(3)
    if task == "unsent":
        return UnsentError("one", "other")
    return os.getpid()


if __name__ == "__main__":
    serve(work)
