"""Hypothesis strategies for valid scenes."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.labels import TextLabel
from wavelab.scene.model.scene import (
    SPACE_AND_TIME,
    STEPPERS,
    FieldFormulas,
    Hole,
    Material,
    MaterialRegion,
    Ping,
    Probe,
    Scene,
    Solver,
    Source,
    Wall,
)
from wavelab.scene.model.shapes import (
    Ellipse,
    Grid,
    Polygon,
    Prism,
    Rectangle,
    Repeated,
    Row,
    Screen,
    Shape,
)
from wavelab.scene.model.view import View
from wavelab.scene.monitors import (
    EnergyMonitor,
    FarFieldMonitor,
    FieldMonitor,
    FluxMonitor,
    IntensityMonitor,
    LineMonitor,
    ModeMonitor,
    Monitor,
)
from wavelab.scene.monitors.line_plots import LINE_PLOTS
from wavelab.scene.poles import Debye, Drude, Lorentz
from wavelab.scene.rules.validate import LARGEST_NUMBER, SMALLEST_NUMBER
from wavelab.scene.sources import (
    ArraySource,
    CurrentSource,
    GuidedMode,
    LineSource,
    MovingSource,
    PlaneWave,
    PointSource,
    Port,
    RegionSource,
)
from wavelab.scene.sources.currents import ADDS
from wavelab.scene.sources.guided_mode import SIDES
from wavelab.scene.walls import AbsorbingWall, Conductor, ImpedanceWall, MagneticWall, OpenWall
from wavelab.scene.waveforms import (
    Chirp,
    FileWaveform,
    FormulaWaveform,
    GaussianPulse,
    ModulatedGaussian,
    Ricker,
    Sine,
)


def numbers(low: float, high: float) -> st.SearchStrategy[float]:
    """Those that a scene may have: 0, or large enough to be squared."""
    return st.floats(low, high).filter(lambda value: value == 0 or abs(value) >= SMALLEST_NUMBER)


coordinates = numbers(-1e9, 1e9)
positive = st.floats(1e-12, 1e12)
texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=300)
names = st.text(
    st.characters(exclude_categories=("C", "Z"), exclude_characters='".'), min_size=1, max_size=20
).filter(lambda name: name.isprintable() and name not in ("domain", "background"))
points = st.tuples(coordinates, coordinates)
corners = st.lists(points, min_size=3, max_size=12, unique=True)
polygons = corners.map(lambda p: Polygon(tuple(p)))
rounded = st.tuples(corners, st.sampled_from([0.0, 1.0, -0.25])).map(
    lambda given: Polygon(tuple(given[0]), (given[1],) * len(given[0]))
)
rectangles = st.tuples(points, points).map(
    lambda c: Rectangle(
        (min(c[0][0], c[1][0]) - 1, min(c[0][1], c[1][1]) - 1),
        (max(c[0][0], c[1][0]) + 1, max(c[0][1], c[1][1]) + 1),
    )
)
radii = st.tuples(st.floats(1e-3, 1e9), st.floats(2e-3, 500)).map(
    lambda pair: (pair[0], pair[0] * pair[1])
)
ellipses = st.builds(Ellipse, points, radii, numbers(-720, 720))
prisms = st.builds(Prism, points, st.floats(1e-3, 1e9), st.floats(5, 170), angle=numbers(-720, 720))
screens = st.builds(
    lambda center, slits, size, angle: Screen(
        center, 3 * slits * size, size, slits, 2 * size, size, angle=angle
    ),
    points,
    st.integers(1, 9),
    st.floats(1e-3, 1e7),
    numbers(-720, 720),
)
shapes = polygons | rounded | rectangles | ellipses | prisms
steps = st.floats(1e-3, 1e6)
rows = st.builds(
    Row,
    st.integers(3, 5),
    st.tuples(steps, numbers(-1e6, 1e6)),
    st.lists(st.integers(1, 2), max_size=2).map(tuple),
)
grids = st.builds(
    Grid,
    st.tuples(st.integers(1, 4), st.integers(2, 4)),
    st.tuples(st.tuples(steps, st.just(0.0)), st.tuples(numbers(-1, 1), steps)),
    st.lists(st.just((1, 1)) | st.just((1, 2)), max_size=1).map(tuple),
)


def perhaps_repeated(shapes: st.SearchStrategy[Shape]) -> st.SearchStrategy[Shape]:
    return shapes | st.builds(Repeated, shapes, rows | grids)


finite = numbers(-LARGEST_NUMBER, LARGEST_NUMBER)
amplitudes = numbers(-1e15, 1e15)


def formulas(*variables: str) -> st.SearchStrategy[Formula]:
    texts = ["0", "2.5", "-1e-3", f"sin(pi*{variables[-1]})", f"1 if {variables[0]} < 0 else 2^3"]
    return st.sampled_from(texts).map(lambda text: Formula.parse(text, variables))


in_space_and_time = formulas(*SPACE_AND_TIME)
damping = st.just(0.0) | positive
poles = st.one_of(
    st.builds(Drude, positive, damping),
    st.builds(Lorentz, positive, positive, damping),
    st.builds(Debye, positive, positive),
)
conductivities = st.just(0.0) | positive | in_space_and_time
some_poles = st.lists(poles, max_size=3).map(tuple)
materials = st.builds(
    Material,
    positive | in_space_and_time,
    positive | in_space_and_time,
    conductivities,
    some_poles,
    magnetic_sigma=conductivities,
    magnetic_poles=some_poles,
) | st.builds(
    Material,
    positive | in_space_and_time,
    mu_axes=st.tuples(positive, positive),
    mu_angle=finite,
    magnetic_poles=some_poles,
)


def field_formulas(*variables: str) -> st.SearchStrategy[FieldFormulas]:
    maybe = st.none() | formulas(*variables)
    return st.builds(FieldFormulas, maybe, maybe, maybe)


#: A file that is there.
SWELL = Path(__file__).parent / "waveforms" / "swell.csv"
waveforms = st.one_of(
    st.builds(Sine, positive, finite, finite, numbers(0, 100)),
    st.builds(GaussianPulse, positive, finite),
    st.builds(ModulatedGaussian, positive, positive, finite, finite),
    st.builds(Ricker, positive, finite),
    st.builds(Chirp, positive, positive, positive, finite, numbers(0, 0.5)),
    st.builds(FormulaWaveform, formulas("t")),
    st.builds(FileWaveform, st.just(SWELL), positive, finite, st.just("swell"), st.booleans()),
)
adds = st.sampled_from(ADDS)
bumps = (positive, amplitudes, waveforms)
two_points = st.lists(points, min_size=2, max_size=2, unique=True)


def sources(name: str) -> st.SearchStrategy[Source]:
    """Of any kind; what comes through an edge comes through "domain"."""
    named = st.just(name)
    lines = two_points.flatmap(
        lambda p: st.builds(LineSource, named, st.just(p[0]), st.just(p[1]), *bumps, adds)
    )
    steered = st.tuples(st.none() | finite, st.none()) | st.tuples(st.none(), points)
    arrays = st.tuples(two_points, steered).flatmap(
        lambda p: st.builds(
            ArraySource, named, *map(st.just, p[0]), st.integers(1, 1000), *bumps,
            *map(st.just, p[1]), adds,
        )
    )  # fmt: skip
    incident = (finite, amplitudes, waveforms)
    modes = st.builds(
        GuidedMode, named, st.just("domain"), amplitudes, waveforms, st.integers(1, 9),
        st.sampled_from(SIDES), positive,
    )  # fmt: skip
    return st.one_of(
        st.builds(PlaneWave, named, *incident, shapes),
        st.builds(PlaneWave, named, *incident, st.none(), st.just(("domain",))),
        modes,
        two_points.flatmap(
            lambda p: st.builds(
                Port, named, *map(st.just, p), amplitudes, waveforms, st.integers(0, 9), positive
            )
        ),
        st.builds(PointSource, named, points, *bumps, adds),
        st.builds(CurrentSource, named, formulas("x", "y", "t")),
        lines,
        st.builds(RegionSource, named, shapes, amplitudes, waveforms, adds),
        arrays,
        st.builds(MovingSource, named, formulas("t"), formulas("t"), *bumps, adds),
    )


solvers = st.builds(
    Solver,
    positive,
    st.integers(1, 10),
    numbers(0, 1),
    st.sampled_from(["single", "double"]),
    st.floats(1e-3, 1),
    positive,
    st.sampled_from(STEPPERS),
    st.booleans(),
    st.just(0.0) | st.floats(1e-12, 0.5),
)
views = st.builds(
    View,
    st.sampled_from(["ez", "hx", "hy", "energy"]),
    st.sampled_from(["berlin", "viridis"]),
    st.none() | positive,
    st.sampled_from(["none", "power"]),
    st.none() | st.integers(1, 12),
    st.none() | st.tuples(numbers(-360, 360), numbers(12, 90)),
    st.just(()) | st.tuples(st.tuples(*2 * [numbers(-9, -1)]), st.tuples(*2 * [numbers(0, 9)])),
)


paths = st.lists(points, min_size=3, max_size=6, unique=True).map(tuple)
frequencies = st.lists(positive, min_size=1, max_size=4, unique=True).map(tuple)
windows = st.sampled_from(["none", "hann"])


@st.composite
def monitors(draw: st.DrawFn, name: str, until: float) -> Monitor:
    """Any monitor of a scene that runs until then."""
    begin = draw(st.just(0.0) | numbers(0, 0.9 * until))
    end = draw(st.none() | st.just(begin + until))
    times = (st.just(begin), st.just(end), windows)
    somewhere = st.none() | shapes
    return draw(
        st.one_of(
            st.builds(
                LineMonitor,
                st.just(name),
                paths,
                st.integers(1, 99),
                st.just("hx"),
                st.sampled_from(tuple(LINE_PLOTS)),
            ),
            st.builds(FluxMonitor, st.just(name), paths, st.booleans(), frequencies, *times),
            st.builds(
                ModeMonitor,
                st.just(name),
                two_points.map(tuple),
                frequencies,
                st.integers(1, 9),
                *times,
            ),
            st.builds(EnergyMonitor, st.just(name), shapes, st.integers(1, 99)),
            st.builds(FieldMonitor, st.just(name), frequencies, *times, somewhere),
            st.builds(IntensityMonitor, st.just(name), *times[:2], somewhere),
            st.builds(FarFieldMonitor, st.just(name), shapes, frequencies, *times),
        )
    )


def labels(name: str) -> st.SearchStrategy[TextLabel]:
    """With and without an arrow."""
    alone = st.builds(TextLabel, st.just(name), names, points)
    return alone | two_points.flatmap(
        lambda ends: st.builds(TextLabel, st.just(name), names, *map(st.just, ends))
    )


def open_walls(edge: str, drawn: bool) -> st.SearchStrategy[Wall]:
    """Open at an edge, if it may be; how thick a drawn layer can be depends on the domain."""
    if drawn and not edge.startswith("domain"):
        return st.just(Conductor((edge,)))
    thickness = st.none() if drawn else st.none() | positive
    return st.builds(OpenWall, st.just((edge,)), thickness)


@st.composite
def scenes(draw: st.DrawFn, path: Path | None = None, mesh_file: Path | None = None) -> Scene:
    """Any scene that check_scene accepts; with a mesh file instead of a shape if one is given."""

    def unique_names(most: int) -> list[str]:
        return draw(st.lists(names, max_size=most, unique=True))

    drawn = mesh_file is None
    holes = tuple(
        Hole(name, draw(perhaps_repeated(shapes | screens)))
        for name in (unique_names(3) if drawn else ())
    )
    outline = draw(polygons | rectangles | ellipses) if drawn else None
    edges = ["domain", *(f"domain.{e}" for e in outline.edge_names())] if outline else ["rim", "a"]
    edges += [hole.name for hole in holes]
    chosen = draw(st.lists(st.sampled_from(edges), max_size=4, unique=True))
    walls = tuple(
        draw(
            st.sampled_from([Conductor((e,)), MagneticWall((e,)), AbsorbingWall((e,))])
            | st.builds(ImpedanceWall, st.just((e,)), numbers(0, 1e6))
            | open_walls(e, drawn)
        )
        for e in chosen
    )
    solver = draw(solvers)
    exact = field_formulas("x", "y", "t").filter(lambda f: f != FieldFormulas())
    pings = st.lists(st.builds(Ping, st.just(0.0) | positive, points, positive, numbers(-9, 9)))
    exact = draw(st.none() | exact)
    return Scene(
        title=draw(texts),
        description=draw(texts),
        notes=draw(texts),
        outline=outline,
        mesh_file=mesh_file,
        holes=holes,
        background=draw(st.just(Material()) | materials),
        materials=tuple(
            MaterialRegion(name, draw(materials), draw(perhaps_repeated(shapes)) if drawn else None)
            for name in unique_names(3)
        ),
        walls=walls,
        sources=tuple(draw(sources(name)) for name in unique_names(3)),
        probes=tuple(Probe(name, draw(points)) for name in unique_names(3)),
        pings=tuple(draw(pings)) if exact is None else (),
        monitors=tuple(draw(monitors(name, solver.until)) for name in unique_names(3)),
        labels=tuple(draw(labels(name)) for name in unique_names(3)),
        initial=draw(field_formulas("x", "y")),
        exact=exact,
        solver=solver,
        view=draw(views),
        path=path,
    )
