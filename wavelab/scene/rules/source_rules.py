"""Rules for sources that can be judged without a mesh."""

from __future__ import annotations

import math

from wavelab.errors import SceneError
from wavelab.scene.edges.guide import guide_end
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.item_error import ItemPath, require, require_one_of, suggestion
from wavelab.scene.model.scene import Scene
from wavelab.scene.model.shape_rules import check_length, check_shape
from wavelab.scene.model.sources import (
    ADDS,
    SIDES,
    ArraySource,
    CurrentSource,
    GuidedMode,
    LineSource,
    MovingSource,
    PlaneWave,
    PointSource,
    RegionSource,
    Source,
)
from wavelab.scene.model.waveforms import (
    Chirp,
    FormulaWaveform,
    GaussianPulse,
    Ricker,
    Sine,
    Waveform,
)

#: Of initial fields and sources: squares of what follows from more leave single precision.
LARGEST_FIELD = 1e15
#: What to do about a larger one.
SCALE_DOWN = f"Values up to {LARGEST_FIELD:g} can be computed with; only ratios matter."
#: Elements of a phased array: each is a source of its own.
LARGEST_ARRAY = 1000

POSITIVE = "It must be greater than 0."


def check_sources(scene: Scene) -> None:
    """Check all sources of a scene.

    Raises
    ------
    ItemError : names the source and what would be right.
    """
    for i, source in enumerate(scene.sources):
        item, what = ("sources", i), f'source "{source.name}"'
        if isinstance(source, CurrentSource):
            check_variables(source.jz, (*item, "jz"), ("x", "y", "t"))
            continue
        _check_common(source, item, what)
        match source:
            case LineSource() | ArraySource():
                _check_ends(source, item, what)
            case RegionSource():
                check_shape(source.shape, item, what)
            case MovingSource():
                check_variables(source.x, (*item, "x"), ("t",))
                check_variables(source.y, (*item, "y"), ("t",))
            case PlaneWave():
                _check_entrance(source, item, what)
            case GuidedMode():
                _check_mode(source, item, what)
        if isinstance(source, PlaneWave | GuidedMode):
            _check_edges(source, scene, item, what)


def _check_common(source: Source, item: ItemPath, what: str) -> None:
    assert not isinstance(source, CurrentSource)
    if isinstance(source, PointSource | LineSource | ArraySource | MovingSource):
        check_length(source.radius, (*item, "radius"), f"radius of {what}")
    if not isinstance(source, PlaneWave | GuidedMode):
        require_one_of(source.adds, ADDS, (*item, "adds"), f"adds of {what}")
    require(
        abs(source.amplitude) <= LARGEST_FIELD,
        (*item, "amplitude"),
        f"amplitude of {what} is {source.amplitude:g}",
        SCALE_DOWN,
    )
    check_waveform(source.waveform, (*item, "waveform"), what)


def _check_ends(source: LineSource | ArraySource, item: ItemPath, what: str) -> None:
    apart = math.dist(source.start, source.end) > 0
    if isinstance(source, LineSource):
        require(
            apart,
            (*item, "end"),
            f"{what} starts and ends at ({source.start[0]:g}, {source.start[1]:g})",
            'Give two different points, or use kind = "point".',
        )
        return
    require(
        1 <= source.count <= LARGEST_ARRAY,
        (*item, "count"),
        f"{what} has {source.count} elements",
        f"It can have 1 to {LARGEST_ARRAY}.",
    )
    require(
        apart or source.count == 1,
        (*item, "end"),
        f"all {source.count} elements of {what} are at the same point",
        "Give two different points for start and end.",
    )
    require(
        source.direction is None or source.focus is None,
        (*item, "focus"),
        f"{what} has a direction and a focus",
        "Give one of them: a beam is steered, or made to meet in a point.",
    )


def _check_entrance(source: PlaneWave, item: ItemPath, what: str) -> None:
    if source.shape is not None:
        check_shape(source.shape, item, what)
    require(
        (source.shape is None) != (not source.edges),
        (*item, "edges"),
        f"{what} has both a shape and edges" if source.shape else f"{what} has no way in",
        'Give a shape, at whose border the wave comes in, or edges = ["domain.left"], absorbing '
        "walls that it comes through.",
    )


def _check_mode(source: GuidedMode, item: ItemPath, what: str) -> None:
    require_one_of(source.sides, SIDES, (*item, "sides"), f"sides of {what}")
    lowest = 1 if source.sides == "conductor" else 0
    require(
        source.mode >= lowest,
        (*item, "mode"),
        f"mode of {what} is {source.mode}",
        f"Between walls of that kind it is {lowest}, {lowest + 1}, ...",
    )
    require(
        source.frequency is None or source.frequency > 0,
        (*item, "frequency"),
        f"frequency of {what} is {source.frequency}",
        POSITIVE,
    )
    require(
        source.frequency is not None or isinstance(source.waveform, Sine | Ricker),
        (*item, "frequency"),
        f"{what} has no frequency",
        "The impedance of a mode depends on it: give the one that matters, frequency = ...",
    )


def _check_edges(source: PlaneWave | GuidedMode, scene: Scene, item: ItemPath, what: str) -> None:
    """The edges exist and absorb; only for a domain that is drawn."""
    edges = source.edges if isinstance(source, PlaneWave) else (source.edge,)
    if scene.outline is None:
        return
    shapes = {"domain": scene.outline, **{hole.name: hole.shape for hole in scene.holes}}
    known = [
        name
        for owner, s in shapes.items()
        for name in (owner, *(f"{owner}.{e}" for e in s.edge_names()))
    ]
    key = "edges" if isinstance(source, PlaneWave) else "edge"
    for edge in edges:
        require(
            edge in known,
            (*item, key),
            f'{what} names the edge "{edge}", which does not exist',
            suggestion(edge, known[:12], "Known edges"),
        )
    if isinstance(source, GuidedMode):
        _check_cutoff(source, scene, item, what)


def _check_cutoff(source: GuidedMode, scene: Scene, item: ItemPath, what: str) -> None:
    """The mode runs at its frequency, as far as that can be said without a mesh."""
    try:
        end = guide_end(scene, source.edge)
    except SceneError:
        return  # the mesh may know better
    cutoff = None if end is None else end.cutoff(source.mode)
    frequency = source.frequency or getattr(source.waveform, "frequency", None)
    if end is not None and cutoff is not None and frequency is not None:
        require(
            frequency > cutoff,
            (*item, "mode"),
            f"{what} has the frequency {frequency:g}, which mode {source.mode} does not carry",
            f"In a guide of width {end.width:.4g} it needs more than {cutoff:.4g}.",
        )


def check_variables(formula: Formula, item: ItemPath, variables: tuple[str, ...]) -> None:
    """Check what a formula is a formula of.

    Raises
    ------
    ItemError : of something else.
    """
    require(
        formula.variables == variables,
        item,
        f'"{formula.text}" is a formula of {", ".join(formula.variables)}',
        f"Here it must be one of {', '.join(variables)}.",
    )


def check_waveform(waveform: Waveform, item: ItemPath, what: str) -> None:
    """Check the waveform of something that is called ``what``.

    Raises
    ------
    ItemError : names the number and what would be right.
    """

    def positive(*keys: str) -> None:
        for key in keys:
            value = getattr(waveform, key)
            require(value > 0, (*item, key), f"{key} of {what} is {value:g}", POSITIVE)

    match waveform:
        case Sine():
            positive("frequency")
            require(
                waveform.ramp >= 0,
                (*item, "ramp"),
                f"ramp of {what} is {waveform.ramp:g}",
                "It must not be negative; 0 starts at once.",
            )
        case Ricker():
            positive("frequency")
        case GaussianPulse():
            positive("width")
        case Chirp():
            positive("start", "stop", "duration")
            require(
                0 <= waveform.taper <= 0.5,
                (*item, "taper"),
                f"taper of {what} is {waveform.taper:g}",
                "It is the part of the duration that each end takes, 0 to 0.5.",
            )
        case FormulaWaveform(formula=formula):
            check_variables(formula, (*item, "formula"), ("t",))
