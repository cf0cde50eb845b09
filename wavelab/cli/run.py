"""``wavelab run``: an experiment without a window."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TextIO

from wavelab.cli.shared.arguments import (
    add_ending,
    add_file,
    add_key,
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
from wavelab.cli.shared.figures import add_figure_options, figure_style
from wavelab.cli.shared.output import note, say, wrote
from wavelab.cli.shared.run_report import in_a_line, monitor_files, readable
from wavelab.errors import WavelabError
from wavelab.output.palette import PALETTES
from wavelab.output.relief import Camera
from wavelab.scene.model.scene import Scene
from wavelab.scene.view.quantities import ARROWS
from wavelab.scene.view.view_rules import MOST_DECADES
from wavelab.simulation.headless.batch import run_batch
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.headless.checkpoints.checkpoint import read_checkpoint
from wavelab.simulation.headless.checkpoints.schedule import USUAL_SECONDS
from wavelab.simulation.headless.interrupt import RunInterrupted
from wavelab.simulation.headless.resuming import resume_batch
from wavelab.simulation.headless.summary import Summary, as_json
from wavelab.simulation.headless.watching import USUAL_ADDRESS
from wavelab.simulation.records.probe_sound import TONE, sound_files
from wavelab.timeline import written_timeline

DESCRIPTION = """\
Run a scene without a window, from time 0 to --until, and write what was asked for.

Needs no display: pictures and movies are sampled from the polynomials themselves, so they are the
same on every machine.  Ctrl-C, SIGTERM and SIGHUP finish all files with what has been computed.
A run that will take more than a minute says so, and how far it is; one of more than 30 days wants
--long.  With --checkpoint it can be gone on with after whatever has ended it, to the bit.

  wavelab run double_slit --image slit.png
  wavelab run double_slit --figure slit.pdf --figure-size 8.5x6cm --figure slit.csv
  wavelab run my_scene.toml --until 20 --movie wave.mp4 --probes probes.csv --json > run.json
  wavelab run disk --until 40 --wav disk.wav --tone 220
  wavelab run aircraft --monitors aircraft.csv
  wavelab run lens --snapshot lens.vtu --snapshot-every 0.1
  mpiexec -n 4 wavelab run coast.toml --parts coast.parts --probes coast.csv
  wavelab run night.toml --probes night.csv --checkpoint night.h5
  wavelab run --resume night.h5
"""


def _arguments(parser: argparse.ArgumentParser) -> None:
    add_scene(parser, nargs="?")
    add_ending(parser)
    parser.add_argument(
        "--long", action="store_true", help="run even if it will take more than 30 days"
    )
    add_solver_options(parser)
    parser.add_argument(
        "--parts",
        type=Path,
        metavar="DIR",
        help="read the mesh from its parts (wavelab partition), of which each rank has its own",
    )
    out = parser.add_argument_group("what to write")
    add_file(out, "--image", "last picture of the field (.png)")
    add_figure_options(parser)
    add_file(out, "--movie", "movie (.mp4, .webm or .gif)")
    add_file(
        out,
        "--swing",
        "movie of one period of what the first monitor of fields finds, to be played over and over",
    )
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
        metavar="HZ",
        help="of --wav: what the frequency of the sources, or else the strongest one, is heard as "
        f"(default: what it is, if the scene has units and that can be heard, or else {TONE:g})",
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
    long = parser.add_argument_group("runs that take long")
    add_file(
        long,
        "--checkpoint",
        "keep all that the run goes on from here (.h5), now and then and when a signal ends it",
    )
    long.add_argument(
        "--every",
        type=positive,
        metavar="SECONDS",
        help=f"of wall time between two checkpoints (default: {USUAL_SECONDS:g})",
    )
    add_file(
        long,
        "--resume",
        "go on with the run of a checkpoint, with its scene, options and files, to the bit",
    )
    watch = parser.add_argument_group("windows that look at the run")
    watch.add_argument(
        "--watch",
        nargs="?",
        const=USUAL_ADDRESS,
        metavar="HOST:PORT",
        help="let windows look at the run, ping it and change its sources (wavelab --attach); "
        "without an address from this machine alone, at a port that is free",
    )
    add_key(watch)
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
    arguments.figure_style = figure_style(arguments)
    options = BatchOptions(
        **{
            name: getattr(arguments, name)
            for name in BatchOptions.__dataclass_fields__
            if hasattr(arguments, name)
        }
    )
    how = {"notify": note, "log": _log(arguments.json), "ranks": arguments.group}
    scene = _scene(arguments)
    run: Callable[..., Summary]
    if arguments.resume is not None:
        if arguments.parts is not None:
            raise WavelabError(
                "a checkpoint has its mesh, and needs no parts of it",
                remedy="Leave --parts out.",
            )
        begun = read_checkpoint(arguments.resume)
        begun.check_same(scene, options)
        options = begun.options_again(options, arguments.resume)
        scene = begun.scene_again()
        run = partial(resume_batch, begun, options, scene, **how)
    else:
        assert scene is not None
        run = partial(run_batch, scene, options, parts=arguments.parts, **how)
    status = 0
    try:
        with written_timeline(arguments.profile, note) as timeline:
            summary = run(timeline=timeline)
    except RunInterrupted as end:
        summary, status = end.summary, end.status
        again = f"; --resume {options.checkpoint} goes on" if options.checkpoint else ""
        say(f"{end} at t = {summary['time']:.6g}; files are complete{again}")
    if arguments.json:
        print(as_json(summary))
    else:
        print(readable(summary))
        wrote(
            options.image,
            *options.figure,
            *summary.get("plots", ()),
            options.movie,
            options.swing,
            options.probes,
            *_sounds(scene, options),
            *(in_a_line(summary.get("snapshots", ())) or (options.snapshot,)),
            *(monitor_files(summary) or (options.monitors,)),
            options.gather,
            arguments.profile,
        )
    return status


def _scene(arguments: argparse.Namespace) -> Scene | None:
    """What is to run; None where only a checkpoint says."""
    if arguments.scene is not None:
        return scene_named(arguments.scene, arguments.settings)
    if arguments.resume is None or arguments.settings:
        raise WavelabError(
            "no scene is named to run",
            remedy="Name a scene (wavelab run SCENE), or a checkpoint alone: --resume FILE.",
        )
    return None


def _log(as_json: bool) -> TextIO | None:
    """Where lines of progress go: with the report if that is read later, and not among JSON; None
    where somebody watches a bar."""
    if not as_json and not sys.stdout.isatty():
        return sys.stdout
    return None if sys.stderr.isatty() else sys.stderr


def _sounds(scene: Scene, options: BatchOptions) -> list[Path]:
    """The files of the probes that are heard."""
    if options.wav is None:
        return []
    return sound_files(options.wav, options.probe or [probe.name for probe in scene.probes])


COMMAND = Command(
    "run", "run a scene without a window", DESCRIPTION, _arguments, _execute, on_ranks=True
)
