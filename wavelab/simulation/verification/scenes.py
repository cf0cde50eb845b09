"""Scenes with exact solutions that only verification needs; others are among the shipped ones."""

from __future__ import annotations

from dataclasses import replace

from wavelab.paths import SCENES
from wavelab.scene.model.scene import LOCAL_STEPPING, MaterialRegion, Scene
from wavelab.scene.model.shapes import Point, Polygon
from wavelab.scene.toml.toml_io import load_scene, parse_scene


def shipped(name: str) -> Scene:
    """A scene that comes with wavelab and has an exact solution."""
    return load_scene(SCENES / f"{name}.toml")


def rectangle(
    rest: str,
    *,
    size: float,
    until: float | None = None,
    lower: tuple[float, float] = (0, 0),
    upper: tuple[float, float] = (1, 1),
    physics: str = "light",
) -> Scene:
    """A rectangle, the unit square if nothing else is said, with elements of a size.

    Parameters
    ----------
    rest : all other tables, as in a scene file.
    until : the scene's end, None for what is usual.
    physics : what the waves are.
    """
    end = "" if until is None else f"until = {until!r}"
    return parse_scene(f"""
        title = "Verification"
        physics = "{physics}"
        [domain]
        shape = "rectangle"
        lower = [{lower[0]}, {lower[1]}]
        upper = [{upper[0]}, {upper[1]}]
        {rest}
        [solver]
        element_size = {size}
        {end}
    """)


def pulse_at_wall(wall: str, reflection: float) -> Scene:
    """A pulse runs at right angles into a wall that reflects a part of it.

    Ez = f(x - t) + R f(3 - x - t); the pulse begins so far from all walls that nothing is missed.

    Parameters
    ----------
    wall : what stands in the scene about the right wall.
    reflection : R.
    """
    there, back = "exp(-((x - t - 0.55)/0.12)^2)", "exp(-((2.45 - x - t)/0.12)^2)"
    return rectangle(
        f"""
        [[walls]]
        edges = ["domain.top", "domain.bottom"]
        kind = "magnetic"
        [[walls]]
        edges = ["domain.left"]
        kind = "absorbing"
        [[walls]]
        edges = ["domain.right"]
        {wall}
        [initial]
        ez = "exp(-((x - 0.55)/0.12)^2)"
        hy = "-exp(-((x - 0.55)/0.12)^2)"
        [exact]
        hx = 0
        hy = "{reflection!r}*{back} - {there}"
        ez = "{reflection!r}*{back} + {there}"
        """,
        size=0.06,
        until=1.5,
        upper=(1.5, 0.3),
    )


def driven_cavity() -> Scene:
    """Any fields solve the equations with the current that they need: here a cavity mode that
    grows as sin 2t."""
    return rectangle(
        """
        [[sources]]
        kind = "current"
        jz = "-sin(pi*x)*sin(pi*y)*(2*cos(2*t) + pi^2*(1 - cos(2*t)))"
        [exact]
        hx = "-pi/2*sin(pi*x)*cos(pi*y)*(1 - cos(2*t))"
        hy = "pi/2*cos(pi*x)*sin(pi*y)*(1 - cos(2*t))"
        ez = "sin(pi*x)*sin(pi*y)*sin(2*t)"
        """,
        size=0.12,
        until=1,
    )


def bloch_wave() -> Scene:
    """A plane wave through walls where it has phases, with k = 2 pi (4/3, -5/24): complex fields,
    of which the real part is compared."""
    way, speed = "2*pi*(4/3*x - 5/24*y)", "sqrt(16/9 + 25/576)"
    fields = {"ez": "1", "hx": f"-5/24/{speed}", "hy": f"-4/3/{speed}"}

    def table(name: str, wave: str) -> str:
        lines = (f'{field} = "{size}*{wave}"' for field, size in fields.items())
        return "\n".join([f"[{name}]", *lines])

    lines = "\n".join(
        [
            table("initial", f"cos({way})"),
            table("imaginary", f"sin({way})"),
            table("exact", f"cos({way} - 2*pi*{speed}*t)"),
        ]
    )
    return rectangle(
        f"""
        [[walls]]
        edges = ["domain.left", "domain.right"]
        kind = "periodic"
        phase = 120
        [[walls]]
        edges = ["domain.bottom", "domain.top"]
        kind = "periodic"
        phase = -75
        {lines}
        """,
        size=0.12,
        until=0.8,
    )


def quarter_turn() -> Scene:
    """A quarter of a square, its two inner edges glued at right angles: two modes that look the
    same after a quarter turn, one its own mirror image and one the negative of it."""
    first = (
        "(pi/sqrt(2))",
        "cos(pi*x/2)*cos(pi*y/2)",
        "(-pi/2*sin(pi*x/2)*cos(pi*y/2))",
        "(-pi/2*cos(pi*x/2)*sin(pi*y/2))",
    )
    second = (
        "(pi*sqrt(5))",
        "(sin(pi*x)*sin(2*pi*y) - sin(2*pi*x)*sin(pi*y))",
        "(pi*cos(pi*x)*sin(2*pi*y) - 2*pi*cos(2*pi*x)*sin(pi*y))",
        "(2*pi*sin(pi*x)*cos(2*pi*y) - pi*sin(2*pi*x)*cos(pi*y))",
    )
    ez = " + ".join(f"{ez}*cos({w}*t)" for w, ez, _, _ in (first, second))
    hx = " + ".join(f"{by_y}*sin({w}*t)/{w}" for w, _, _, by_y in (first, second))
    hy = " + ".join(f"{by_x}*sin({w}*t)/{w}" for w, _, by_x, _ in (first, second))
    return rectangle(
        f"""
        [[walls]]
        edges = ["domain.left", "domain.bottom"]
        kind = "periodic"
        [initial]
        ez = "{first[1]} + {second[1]}"
        [exact]
        hx = "-({hx})"
        hy = "{hy}"
        ez = "{ez}"
        """,
        size=0.1,
        until=0.8,
    )


def stepped_locally(scene: Scene, speck: Point | None) -> Scene:
    """A scene with a speck of nothing, so that some elements are small, stepped locally.

    Parameters
    ----------
    speck : a corner of it, in a place without any other material; None leaves the scene as it is.
    """
    if speck is None:
        return scene
    x, y = speck
    triangle = Polygon(((x, y), (x + 0.03, y), (x + 0.02, y + 0.02)))
    return replace(
        scene,
        materials=(*scene.materials, MaterialRegion("speck", scene.background, triangle)),
        solver=replace(scene.solver, stepper=LOCAL_STEPPING),
    )


def small_elements() -> Scene:
    """A cavity with a few small elements, stepped locally."""
    cavity = rectangle(
        """
        [initial]
        ez = "sin(pi*x)*sin(pi*y)"
        [exact]
        hx = "-sin(pi*x)*cos(pi*y)*sin(sqrt(2)*pi*t)/sqrt(2)"
        hy = "cos(pi*x)*sin(pi*y)*sin(sqrt(2)*pi*t)/sqrt(2)"
        ez = "sin(pi*x)*sin(pi*y)*cos(sqrt(2)*pi*t)"
        """,
        size=0.12,
        until=0.2,
    )
    return stepped_locally(cavity, (0.5, 0.5))
