"""What the scripts share: their options, and counts at the end."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable


class Tally:
    """Counts trials by kind, and what went wrong in them."""

    def __init__(self) -> None:
        self.tried: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.noted: Counter[str] = Counter()

    def add(self, kind: str, troubles: Iterable[str] = ()) -> None:
        """One trial; ``troubles`` are told at once."""
        self.tried[kind] += 1
        troubles = list(troubles)
        self.failed[kind] += bool(troubles)
        for trouble in troubles:
            print(f"FAILED {kind}: {trouble}", file=sys.stderr, flush=True)

    def note(self, what: str) -> None:
        """Something to be counted that is no failure."""
        self.noted[what] += 1

    @property
    def total_failed(self) -> int:
        return sum(self.failed.values())

    def finish(self) -> int:
        """Print the counts; the exit status: 0, or 1 if a trial failed or there was none."""
        for kind, tried in self.tried.items():
            print(f"{tried:6} tried  {self.failed[kind]:4} failed  {kind}")
        for what, count in self.noted.items():
            print(f"{count:6} times  {what}")
        print(f"{self.tried.total():6} tried  {self.total_failed:4} failed  in all")
        return int(self.total_failed > 0 or not self.tried)


def options(description: str | None, **numbers: int) -> argparse.ArgumentParser:
    """A parser with a seed, and an option for each number of trials with its default."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=0, help="of what is random (default 0)")
    for name, default in numbers.items():
        parser.add_argument(
            f"--{name}", type=int, default=default, help=f"how many (default {default})"
        )
    return parser
