"""``wavelab doctor``: a page for a report of what goes wrong."""

from __future__ import annotations

import argparse

from wavelab.cli.shared.command import Command
from wavelab.diagnosis.page import as_json, page
from wavelab.diagnosis.report import report

DESCRIPTION = """\
Print a page to be pasted into a report of something that goes wrong.

It tells versions, OpenCL devices and whether they compute what they should, what OpenGL and screen
the window gets, limits, and the last errors.  The names of the user, the home directory and the
machine are left out.  It works where wavelab itself does not, and takes some seconds.
"""


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print it as JSON")


def _execute(arguments: argparse.Namespace) -> int:
    found = report()
    print(as_json(found) if arguments.json else page(found))
    return 0


COMMAND = Command(
    "doctor", "print a page for a report of what goes wrong", DESCRIPTION, _arguments, _execute
)
