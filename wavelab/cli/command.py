"""A subcommand of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """``wavelab NAME ...``.

    Attributes
    ----------
    summary : one line for the list of commands.
    description : what ``--help`` says above the options.
    arguments : adds the options to a parser.
    execute : does it; returns the exit status.
    """

    name: str
    summary: str
    description: str
    arguments: Callable[[argparse.ArgumentParser], None]
    execute: Callable[[argparse.Namespace], int]

    def parser(self) -> argparse.ArgumentParser:
        parser = argparse.ArgumentParser(
            prog=f"wavelab {self.name}",
            description=self.description,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        self.arguments(parser)
        return parser

    def main(self, words: Sequence[str]) -> int:
        try:
            arguments = self.parser().parse_args(words)
        except SystemExit as end:  # argparse has printed its message, or the help
            return end.code if isinstance(end.code, int) else 2
        return self.execute(arguments)
