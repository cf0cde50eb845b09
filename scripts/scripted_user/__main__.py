"""Use the window at random, and tell what went wrong.

    xvfb-run -a -s "-screen 0 1920x1080x24" python -m scripts.scripted_user --minutes 5 [--seed 7]

The window runs in a process of its own, so that a crash is told of like everything else.  What is
done follows from the seed: an act is repeated with all that came before it by the same seed, or
with those of a range alone (--first, --acts); how far the window's other threads have come by then
is another matter, for it depends on the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from random import SystemRandom
from typing import Any

from scripts.scripted_user.inside import Wish
from scripts.scripted_user.user import ACTS

_ROOT = Path(__file__).resolve().parents[2]
_MANY = 10**9
#: What wavelab.__main__ sets.  Each thread of BLAS keeps work space of up to 20 MiB, as much as the
#: largest product so far has needed.
_AS_THE_PROGRAM = {"OPENBLAS_NUM_THREADS": "1"}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.scripted_user", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--seed", type=int, help="of what is done (default: any)")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--first", type=int, default=0, help="number of the first act")
    parser.add_argument("--acts", type=int, default=_MANY, help="how many at most")
    parser.add_argument("--backend", choices=("auto", "opencl", "numpy"), default="auto")
    parser.add_argument("--more", type=Path, help="a folder with more files to open")
    parser.add_argument(
        "--only", nargs="+", default=(), metavar="ACT", choices=[act.__name__ for act in ACTS],
        help="nothing but these acts, such as resize or undo: what makes memory grow?",
    )  # fmt: skip
    parser.add_argument(
        "--rest", type=float, metavar="SECONDS",
        help="between two looks at what is held (default: a twelfth of all, and 120 at least)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--keep", type=Path, help="a new folder for what was done and written")
    given = parser.parse_args()
    seed = SystemRandom().randrange(10**6) if given.seed is None else given.seed
    with tempfile.TemporaryDirectory() as passing:
        folder = given.keep or Path(passing)
        folder.mkdir(exist_ok=True)
        wish = Wish(
            str(folder.resolve()), seed, given.minutes, given.first, given.acts, given.backend,
            str(given.more.resolve()) if given.more else None, tuple(given.only),
            given.rest,
        )  # fmt: skip
        report = watched(wish)
    print(json.dumps(report, indent=1) if given.json else in_words(report))
    return 1 if report["findings"] else 0


def watched(wish: Wish) -> dict[str, Any]:
    """Let the window be used in a child process; its report, or what is known of its death."""
    folder = Path(wish.folder)
    home = {name: str(folder / name.lower()) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    done = subprocess.run(
        [sys.executable, "-m", "scripts.scripted_user.inside", json.dumps(asdict(wish))],
        cwd=_ROOT, env=_AS_THE_PROGRAM | os.environ | home, stderr=subprocess.PIPE, text=True,
        check=False,
    )  # fmt: skip
    if (folder / "report").is_file():
        report: dict[str, Any] = json.loads((folder / "report").read_text())
        if done.stderr:
            report["printed"] = done.stderr[-4000:]
        return report
    acts = (folder / "acts").read_text().splitlines() if (folder / "acts").is_file() else []
    crash = (folder / "crash").read_text() if (folder / "crash").is_file() else ""
    text = f"the process ended with {done.returncode}\n{crash}\n{done.stderr[-4000:]}"
    act = next((line for line in reversed(acts) if line[9:10].isdigit()), "")
    finding = {"kind": "crash", "text": text, "act": act[9:], "last": acts[-12:], "again": 0}
    return {"seed": wish.seed, "first": wish.first, "only": wish.only, "findings": [finding]}


def in_words(report: dict[str, Any]) -> str:
    lines = []
    for f in report["findings"]:
        lines += [
            "",
            f"{f['kind']} at act {f['act']}" + (f", {f['again']} times more" * (f["again"] > 0)),
        ]
        lines += [f"  {line}" for line in f["text"].splitlines()]
        lines += ["  after", *(f"    {line}" for line in f["last"])]
        number = f["act"].split(" ")[0].split(".")[0]
        if number.isdigit():
            again = f"--seed {report['seed']} --first {report['first']}"
            again += f" --only {' '.join(report['only'])}" * bool(report["only"])
            lines.append(f"  again: {again} --acts {int(number) - report['first'] + 1}")
    lines.append("")
    if "acts" in report:
        lines.append(f"seed {report['seed']}: {report['acts']} acts in {report['seconds']:.0f} s")
        lines += [f"gaps above {limit} s: {n}" for limit, n in report["gaps"].items()]
        lines += [
            f"  {g['seconds']:.2f} s ({g['waited']:.2f} without a processor, {g['ran']:.2f} with "
            f"one): {g['act']}"
            for g in report["longest"][:5]
        ]
        for h in report["memory"]:
            lines.append(
                f"at {h['time']:.0f} s: {h['resident']:.0f} MiB ({h['code']:.0f} of files, "
                f"{h['pictures']:.0f} shared; {h['used']:.0f} in heaps, {h['free']:.0f} free "
                f"there), {h['objects']} objects, "
                f"{h['widgets']} widgets, {h['threads']} threads, {h['files']} files"
            )
        if report["growth"] is not None:
            lines.append(f"memory grew by {100 * report['growth']:.1f} % after ten minutes")
        if report["slope"] is not None:
            lines.append(f"by {report['slope']:.0f} MiB an hour")
    if report.get("printed"):
        lines += ["printed:", report["printed"]]
    lines.append(f"{len(report['findings'])} findings")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
