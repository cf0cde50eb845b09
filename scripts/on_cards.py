"""One mesh on 1, 2, 4 and 8 cards: python -m scripts.on_cards -o TABLE.md [--mpi]

Runs ``wavelab bench --ranks`` on the first 1, 2, 4 and 8 graphics cards, as far as there are so
many, in one process, or with ``--mpi`` in one for each card, and writes what came of it as a table.
``--devices 0,0`` takes one card twice, or whatever else is named, in place of the machine's cards.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wavelab.atomic import whole_file
from wavelab.opencl.device.device import device_reports

COUNTS = (1, 2, 4, 8)
#: Of a mesh that is small for a card, and of one that is not.
_ELEMENTS = (300_000, 1_200_000)
_HEAD = (
    "| case | cards | order | elements | traces go | us a stage | of as many times one | exchange "
    "by itself | seen |\n|---|---|---|---|---|---|---|---|---|\n"
)


def main(words: Sequence[str] | None = None) -> int:
    """Run all that there are cards for; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-o", "--output", type=Path, required=True, help="the table, in Markdown")
    parser.add_argument("--elements", type=int, action="append", help="more than once for more")
    parser.add_argument("--devices", help="numbers of wavelab devices, in place of all cards")
    parser.add_argument("--mpi", action="store_true", help="a process for each, by mpiexec")
    arguments = parser.parse_args(words)
    devices = arguments.devices.split(",") if arguments.devices else _cards()
    if not devices:
        parser.error("there is no graphics card; name other devices: --devices 0,0")
    rows: list[str] = []
    for elements in arguments.elements or _ELEMENTS:
        for count in (n for n in COUNTS if n <= len(devices)):
            command = _command(devices[:count], elements, arguments.mpi)
            print(" ".join(command), file=sys.stderr, flush=True)
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
            # One card alone is in the runs of several, too.
            found = [r for r in json.loads(done.stdout) if count == 1 or r["case"] != "alone"]
            rows += [_row(rate) for rate in found]
            # What there is so far is there even if a larger one fails.
            with whole_file(arguments.output, (".md",)) as partial:
                partial.write_text(_HEAD + "".join(rows), encoding="utf-8")
    return 0


def _cards() -> list[str]:
    return [str(r.number) for r in device_reports() if r.kind == "GPU" and r.usable]


def _command(devices: Sequence[str], elements: int, mpi: bool) -> list[str]:
    bench = [sys.executable, "-m", "wavelab", "bench", "--ranks", "--json"]
    bench += ["--elements", str(elements), "--device", ",".join(devices)]
    if not mpi or len(devices) == 1:
        return bench
    own = Path(sys.executable).with_name("mpiexec")
    return [str(own) if own.exists() else "mpiexec", "-n", str(len(devices)), *bench]


def _row(rate: dict[str, Any]) -> str:
    cells = (
        rate["case"], rate["ranks"], rate["order"], f"{rate['elements']:,}", rate["way"],
        f"{rate['stage_us']:,.0f}", f"{rate['efficiency']:.0%}", f"{rate['exchange_us']:,.0f}",
        f"{rate['seen_us']:,.0f}",
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |\n"


if __name__ == "__main__":
    sys.exit(main())
