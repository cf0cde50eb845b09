"""What a run has come to, in lines to be read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wavelab.scene.model.units import Scale, Written
from wavelab.scene.monitors import MONITORS
from wavelab.scene.systems import SYSTEMS
from wavelab.simulation.headless.summary import Summary


def readable(summary: Summary) -> str:
    """A summary in lines."""
    energy, wall = summary["energy"], summary["wall_s"]
    units = summary.get("units")
    scale = Scale(units["length"], units["seconds_per_unit"]) if units else None
    written, short = Written(scale, "{:.6g}".format), Written(scale, "{:.4g}".format)
    rate = summary["steps"] / wall if wall else 0.0
    steps = f"{summary['steps']:,} step{'s' * (summary['steps'] != 1)}"
    lines = [
        f"{summary['scene']}",
        f"  device      {summary['device']} ({summary['backend']}, {summary['precision']})",
        f"  mesh        {summary['elements']:,} elements of order {summary['order']}, "
        f"{summary['unknowns']:,} unknowns",
        f"  time        0 to {written.time(summary['time'])} in {steps} of "
        f"{short.time(summary['dt'])} "
        f"({summary['stepper']})",
        f"  wall time   {wall:.2f} s, {rate:,.0f} steps/s",
        f"  energy      {energy['initial']:.6g} at the start, {energy['final']:.6g} at the end"
        + _part_left(energy),
    ]
    if "clusters" in summary:
        found = summary["clusters"]
        lines.append(
            f"  clusters    {', '.join(f'{n:,}' for n in found['elements'])} elements, the fastest "
            f"first; {found['fewer_updates']:.3g} times fewer updates than global steps"
        )
    if "ledger" in summary:
        entries = summary["ledger"]
        lines.append("  ledger      " + ", ".join(f"{k} {v:.6g}" for k, v in entries.items()))
    for name, error in (summary["error"] or {}).items():
        lines.append(f"  error {name}    {error['l2']:.3e} (L2), {error['max']:.3e} (maximum)")
    system = SYSTEMS[summary["physics"]]
    for name, found in summary.get("monitors", {}).items():
        told = system.in_words(", ".join(MONITORS[found["kind"]].in_short(found, written)))
        lines.append(f"  {found['kind']:<11} {name}: {told}")
    return "\n".join(lines)


def _part_left(energy: Summary) -> str:
    largest = energy["largest"]
    return f", {energy['final'] / largest:.2g} of its largest" if largest > 0 else ""


def monitor_files(summary: Summary) -> list[str]:
    """Those that monitors have to themselves."""
    found = summary.get("monitors", {}).values()
    return [file for monitor in found for file in monitor.get("files", ())]


def in_a_line(files: Sequence[str]) -> list[str]:
    """A series by its ends."""
    return [f"{files[0]} to {Path(files[-1]).name}"] if len(files) > 1 else list(files)
