"""A subcommand of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from wavelab.errors import WavelabError

if TYPE_CHECKING:
    from wavelab.simulation.steppers.rank_group import RankGroup


class Parser(argparse.ArgumentParser):
    """A parser whose complaints look like all other errors of the program."""

    def __init__(self, prog: str, description: str, epilog: str | None = None) -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        raise WavelabError(message, remedy=f"See: {self.prog} --help")


@dataclass(frozen=True)
class Command:
    """``wavelab NAME ...``.

    Attributes
    ----------
    summary : one line for the list of commands.
    description : what ``--help`` says above the options.
    arguments : adds the options to a parser.
    execute : does it; returns the exit status.
    on_ranks : whether it can run on many ranks, which it finds as ``group`` among its arguments.
    """

    name: str
    summary: str
    description: str
    arguments: Callable[[argparse.ArgumentParser], None]
    execute: Callable[[argparse.Namespace], int]
    on_ranks: bool = False

    def parser(self) -> argparse.ArgumentParser:
        parser = Parser(f"wavelab {self.name}", self.description)
        self.arguments(parser)
        return parser

    def main(self, words: Sequence[str], ranks: RankGroup | None = None) -> int:
        try:
            arguments = self.parser().parse_args(words)
        except SystemExit:  # argparse has printed the help
            return 0
        arguments.group = ranks
        return self.execute(arguments)
