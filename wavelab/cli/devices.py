"""``wavelab devices``: what can compute here."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from wavelab.cli.command import Command
from wavelab.errors import DeviceError, WavelabError

DESCRIPTION = """\
List the OpenCL devices of this machine, and why any of them cannot be used.

--device takes the number, the address, or part of the name.
"""


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the list as JSON")


def _execute(arguments: argparse.Namespace) -> int:
    try:
        from wavelab.opencl.device import choose_device, device_reports
    except (ImportError, OSError) as error:
        raise DeviceError(
            f"pyopencl cannot be loaded: {error}",
            remedy="Install pyopencl[pocl]. Until then wavelab runs on NumPy.",
        ) from error
    reports = device_reports()
    try:
        chosen = choose_device(None)
    except WavelabError:
        chosen = None
    rows = [
        {
            "number": r.number,
            "address": r.address,
            "name": r.name,
            "kind": r.kind,
            "platform": r.platform,
            "driver": r.driver,
            "compute_units": r.compute_units,
            "memory": r.memory,
            "double": r.double,
            "usable": r.usable,
            "reason": r.reason,
            "handover": r.handover,
            "default": chosen is not None and r.device == chosen,
        }
        for r in reports
    ]
    if arguments.json:
        print(json.dumps(rows))
        return 0
    if not rows:
        print("no OpenCL device; wavelab runs on NumPy, which is slower")
        print('(pip install "pyopencl[pocl]" adds one for any CPU)', file=sys.stderr)
        return 0
    print(_table(rows))
    return 0


def _table(rows: Sequence[dict]) -> str:
    header = ("", "no", "address", "name", "kind", "units", "memory", "double", "usable")
    lines = [header]
    for row in rows:
        lines.append(
            (
                "*" if row["default"] else "",
                str(row["number"]),
                row["address"],
                row["name"],
                row["kind"],
                str(row["compute_units"]),
                f"{row['memory'] / 2**30:.1f} GiB",
                "yes" if row["double"] else "no",
                "yes" if row["usable"] else "no",
            )
        )
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    padded = [
        "  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip() for line in lines
    ]
    text, below = padded[:1], " " * (widths[0] + 6)
    for row, line in zip(rows, padded[1:], strict=True):
        text += [line, f"{below}{row['platform']}, driver {row['driver']}"]
        if row["reason"]:
            text.append(f"{below}not usable: {row['reason']}")
        text.append(f"{below}frames: {row['handover']}")
    if any(row["default"] for row in rows):
        text.append("* taken when no --device is given")
    text.append("NumPy (--backend numpy) always works, in double precision.")
    return "\n".join(text)


COMMAND = Command(
    "devices", "list what can compute on this machine", DESCRIPTION, _arguments, _execute
)
