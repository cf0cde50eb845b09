"""``wavelab devices``: what can compute here."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from wavelab.cli.shared.command import Command
from wavelab.cli.shared.output import tuned_row
from wavelab.errors import DeviceError, WavelabError

DESCRIPTION = """\
List the OpenCL devices of this machine, and why any of them cannot be used.

--device takes the number, the address, or part of the name.  Under each device is what was found
to be fastest there by timing, in the window or with wavelab bench --tune.
"""
#: Of a :class:`wavelab.opencl.device.device.DeviceReport`.
_TOLD = (
    "number", "address", "name", "kind", "platform", "driver", "compute_units", "memory", "double",
    "usable", "reason", "handover",
)  # fmt: skip
#: By the type of number.
_PRECISIONS = {"float32": "single", "float64": "double"}


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the list as JSON")


def _execute(arguments: argparse.Namespace) -> int:
    try:
        from wavelab.opencl.device.device import choose_device, device_reports
        from wavelab.opencl.variants.tuned import stored_verdicts
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
        {name: getattr(r, name) for name in _TOLD}
        | {
            "default": chosen is not None and r.device == chosen,
            "tuned": [tuned_row(v) for v in stored_verdicts(r.device)] if r.usable else [],
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
        text += [f"{below}tuned: {_verdict(tuned)}" for tuned in row["tuned"]]
    if any(row["default"] for row in rows):
        text.append("* taken when no --device is given")
    text.append("NumPy (--backend numpy) always works, in double precision.")
    return "\n".join(text)


def _verdict(tuned: dict) -> str:
    """What was found for a kind of run, in one line."""
    case, config = tuned["case"], tuned["shape"]
    kind = (
        f"order {case['order']}, {_PRECISIONS.get(case['real'], case['real'])} precision, "
        f"{'upwind' if case['n_fluxes'] == 1 else 'other'} flux, {case['size']} meshes"
    )
    found = ", ".join(f"{name} {value}" for name, value in config.items())
    left = f"; {len(tuned['untried'])} untried" if tuned["untried"] else ""
    return f"{kind}: {found}; {tuned['gain']:.2f} times the usual speed{left}"


COMMAND = Command(
    "devices", "list what can compute on this machine", DESCRIPTION, _arguments, _execute
)
