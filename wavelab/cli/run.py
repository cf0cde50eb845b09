"""``wavelab run``: an experiment without a window."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from wavelab.cli.shared.arguments import (
    add_file,
    add_profile,
    add_scene,
    add_solver_options,
    angles,
    positive,
    scene_named,
    size,
    whole,
)
from wavelab.cli.shared.command import Command
from wavelab.cli.shared.output import note, say, wrote
from wavelab.output.palette import PALETTES
from wavelab.output.relief import Camera
from wavelab.scene.model.scene import Scene
from wavelab.scene.monitors import MONITORS
from wavelab.scene.systems import SYSTEMS
from wavelab.scene.view.quantities import ARROWS
from wavelab.scene.view.view_rules import MOST_DECADES
from wavelab.simulation.headless.batch import run_batch
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.headless.interrupt import RunInterrupted
from wavelab.simulation.headless.summary import Summary, as_json
from wavelab.simulation.records.probe_sound import TONE, sound_files
from wavelab.timeline import written_timeline

DESCRIPTION = """\
Run a scene without a window, from time 0 to --until, and write what was asked for.

Needs no display: pictures and movies are sampled from the polynomials themselves, so they are the
same on every machine.  Ctrl-C, SIGTERM and SIGHUP finish all files with what has been computed.
A run that will take more than a minute says so, and how far it is; one of more than 30 days wants
--long.

  wavelab run double_slit --image slit.png
  wavelab run my_scene.toml --until 20 --movie wave.mp4 --probes probes.csv --json > run.json
  wavelab run disk --until 40 --wav disk.wav --tone 220
  wavelab run aircraft --monitors aircraft.csv
  wavelab run lens --snapshot lens.vtu --snapshot-every 0.1
"""


def _arguments(parser: argparse.ArgumentParser) -> None:
    add_scene(parser)
    parser.add_argument(
        "--until",
        type=positive,
        metavar="T",
        help="simulated time to run to (default: as the scene says)",
    )
    parser.add_argument(
        "--decayed",
        type=positive,
        nargs="?",
        const=1e-6,
        metavar="PART",
        help="end before, once the sources are silent and the energy has fallen to this part of "
        "its largest (without: 1e-6)",
    )
    parser.add_argument(
        "--long", action="store_true", help="run even if it will take more than 30 days"
    )
    add_solver_options(parser)
    out = parser.add_argument_group("what to write")
    add_file(out, "--image", "last picture of the field (.png)")
    add_file(out, "--movie", "movie (.mp4, .webm or .gif)")
    add_file(out, "--probes", "Ez at the probes (.csv)")
    add_file(out, "--wav", "Ez at the probes as sound (.wav), of several FILE_PROBE.wav each")
    out.add_argument(
        "--probe",
        action="append",
        default=[],
        metavar="NAME",
        help="of --wav: the probe to be heard; may be given again (default: all)",
    )
    pitch = out.add_mutually_exclusive_group()
    pitch.add_argument(
        "--tone",
        type=positive,
        default=TONE,
        metavar="HZ",
        help="of --wav: what the frequency of the sources, or else the strongest one, is heard as "
        f"(default: {TONE:g})",
    )
    pitch.add_argument(
        "--hertz", type=positive, metavar="HZ", help="of --wav: what the frequency 1 is heard as"
    )
    add_file(out, "--snapshot", "all fields and the mesh at the end (.h5, or .vtu for ParaView)")
    out.add_argument(
        "--snapshot-every",
        type=positive,
        metavar="DT",
        help="from the beginning on, a snapshot in every DT of simulated time: FILE_00000.vtu and "
        "so on, with FILE.pvd to open them all",
    )
    add_file(
        out,
        "--monitors",
        "everything the monitors measured: .h5 for one file, .csv for a table each "
        "(FILE_MONITOR.csv)",
    )
    add_file(out, "--gather", "what the first line of receivers recorded, time downwards (.png)")
    out.add_argument(
        "--ledger",
        action="store_true",
        help="say where the energy came from and went to, and what cannot be explained",
    )
    add_profile(out)
    out.add_argument(
        "--json",
        action="store_true",
        help="print a summary as one JSON object, with all that probes and monitors recorded",
    )
    look = parser.add_argument_group("how pictures and movies look (default: as the scene says)")
    look.add_argument("--quantity", metavar="NAME", help="what is shown, as in [view]")
    look.add_argument("--palette", choices=tuple(PALETTES), help="colours")
    look.add_argument(
        "--limit",
        type=positive,
        metavar="V",
        help="value at full colour (default: follows the largest value)",
    )
    look.add_argument(
        "--decades",
        type=whole(1, MOST_DECADES),
        metavar="N",
        help="logarithmic scale over N powers of ten below full colour (default: linear)",
    )
    look.add_argument(
        "--relief",
        type=angles,
        nargs="?",
        const=(Camera().azimuth, Camera().elevation),
        metavar="AZIMUTH,ELEVATION",
        help="see the field as a lit relief, from these angles in degrees "
        f"(without: {Camera().azimuth:g},{Camera().elevation:g})",
    )
    look.add_argument(
        "--arrows",
        choices=ARROWS,
        help="energy flow over the field: as it is, or as a monitor of fields finds it on average",
    )
    look.add_argument(
        "--size",
        type=size,
        metavar="WxH",
        help="pixels (default: the shape of the domain, 1280 on the longer side)",
    )
    look.add_argument(
        "--time-per-frame",
        type=positive,
        metavar="DT",
        help="simulated time between two pictures of the movie (default: until / 300)",
    )
    look.add_argument(
        "--fps",
        type=whole(1, 240),  # the format may allow fewer
        default=30,
        help="pictures per second of the movie (default: 30)",
    )


def _execute(arguments: argparse.Namespace) -> int:
    scene = scene_named(arguments.scene, arguments.settings)
    options = BatchOptions(
        **{
            name: getattr(arguments, name)
            for name in BatchOptions.__dataclass_fields__
            if hasattr(arguments, name)
        }
    )
    status = 0
    try:
        with written_timeline(arguments.profile, note) as timeline:
            summary = run_batch(
                scene, options, notify=note, log=_log(arguments.json), timeline=timeline
            )
    except RunInterrupted as end:
        summary, status = end.summary, end.status
        say(f"{end} at t = {summary['time']:.6g}; files are complete")
    if arguments.json:
        print(as_json(summary))
    else:
        print(_readable(summary))
        wrote(
            options.image,
            options.movie,
            options.probes,
            *_sounds(scene, options),
            *(_in_a_line(summary.get("snapshots", ())) or (options.snapshot,)),
            *(_monitor_files(summary) or (options.monitors,)),
            options.gather,
            arguments.profile,
        )
    return status


def _log(as_json: bool) -> TextIO | None:
    """Where lines of progress go: with the report if that is read later, and not among JSON; None
    where somebody watches a bar."""
    if not as_json and not sys.stdout.isatty():
        return sys.stdout
    return None if sys.stderr.isatty() else sys.stderr


def _monitor_files(summary: Summary) -> list[str]:
    """Those that monitors have to themselves."""
    found = summary.get("monitors", {}).values()
    return [file for monitor in found for file in monitor.get("files", ())]


def _sounds(scene: Scene, options: BatchOptions) -> list[Path]:
    """The files of the probes that are heard."""
    if options.wav is None:
        return []
    return sound_files(options.wav, options.probe or [probe.name for probe in scene.probes])


def _in_a_line(files: Sequence[str]) -> list[str]:
    """A series by its ends."""
    return [f"{files[0]} to {Path(files[-1]).name}"] if len(files) > 1 else list(files)


def _part_left(energy: Summary) -> str:
    largest = energy["largest"]
    return f", {energy['final'] / largest:.2g} of its largest" if largest > 0 else ""


def _readable(summary: Summary) -> str:
    energy, wall = summary["energy"], summary["wall_s"]
    rate = summary["steps"] / wall if wall else 0.0
    steps = f"{summary['steps']:,} step{'s' * (summary['steps'] != 1)}"
    lines = [
        f"{summary['scene']}",
        f"  device      {summary['device']} ({summary['backend']}, {summary['precision']})",
        f"  mesh        {summary['elements']:,} elements of order {summary['order']}, "
        f"{summary['unknowns']:,} unknowns",
        f"  time        0 to {summary['time']:.6g} in {steps} of {summary['dt']:.4g} "
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
        told = system.in_words(", ".join(MONITORS[found["kind"]].in_short(found)))
        lines.append(f"  {found['kind']:<11} {name}: {told}")
    return "\n".join(lines)


COMMAND = Command("run", "run a scene without a window", DESCRIPTION, _arguments, _execute)
