"""Formulas that jump in time where no step can end, or nearly jump: a scheme that makes little of
it, and a note."""

from __future__ import annotations

from dataclasses import replace

from wavelab.numerics.time.runge_kutta import SCHEMES, LowStorageScheme
from wavelab.physics.stepper import TimeScheme
from wavelab.physics.time.jumps import Jumping
from wavelab.scene.model.scene import Scene


def calm(scene: Scene, found: Jumping) -> Scene:
    """The scene; with the scheme that makes least of jumps inside of steps if there are any and
    no scheme was asked for."""
    if not (found.missed or found.steep) or scene.solver.stepper != "auto":
        return scene
    # What jumps may be a medium, which no linear scheme follows.
    any_equations = (scheme for scheme in SCHEMES.values() if not scheme.linear)
    least = min(any_equations, key=lambda scheme: scheme.jump_error)
    return replace(scene, solver=replace(scene.solver, stepper=least.name))


def is_calm(scene: Scene, found: Jumping, scheme: TimeScheme) -> bool:
    """Whether a scheme is not one that :func:`calm` would replace."""
    return (
        calm(scene, found) is scene
        or not isinstance(scheme, LowStorageScheme)
        or scheme.jump_error < 1
    )


def missed_jumps(found: Jumping, scheme: TimeScheme) -> list[str]:
    """What a user should hear of jumps that no step ends at, and of what is like a jump."""
    off = scheme.jump_error if isinstance(scheme, LowStorageScheme) else 1.0
    steps = f"{off:.2g} steps" if off != 1 else "a step"
    return [
        f"{what} jumps at other times from place to place, or too often for steps to end there: "
        f"each jump comes up to {steps} too early or too late (stepper {scheme.name})"
        for what in found.missed
    ] + [
        f"{what} changes much within a step near t = {time:.4g}, which steps cannot follow: "
        "write a jump as a condition, as 1 if t < 2 else 0, or use smaller elements"
        for what, time in found.steep
    ]
