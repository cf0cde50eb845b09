"""Exact waves between two conducting planes."""

from __future__ import annotations

import math

from wavelab.scene.model.scene import Scene
from wavelab.simulation.verification.scenes import rectangle


def lossy_planes() -> Scene:
    """A resonance of two planes that lose in the conductors and between them.

    V = T(t) cos cos obeys (d/dt + G/C)(d/dt + R/L) T = -k^2/(C L) T: it decays at the mean of G/C
    and R/L, and half their difference detunes it.  J follows from C dV/dt = -div J - G V.
    """
    c, inductance, g, r = 2.0, 0.6, 0.8, 0.5
    k2 = 13 * math.pi**2
    decay, half = (g / c + r / inductance) / 2, (g / c - r / inductance) / 2
    omega = math.sqrt(k2 / (c * inductance) - half**2)
    fall = f"exp(-{decay!r}*t)"
    current = f"{c / k2!r}*{fall}*({half!r}*cos({omega!r}*t) - {omega!r}*sin({omega!r}*t))"
    return rectangle(
        f"""
        [background]
        capacitance = {c}
        inductance = {inductance}
        conductance = {g}
        resistance = {r}
        [initial]
        voltage = "cos(2*pi*x)*cos(3*pi*y)"
        jx = "-{c / k2 * half!r}*2*pi*sin(2*pi*x)*cos(3*pi*y)"
        jy = "-{c / k2 * half!r}*3*pi*cos(2*pi*x)*sin(3*pi*y)"
        [exact]
        voltage = "cos(2*pi*x)*cos(3*pi*y)*{fall}*cos({omega!r}*t)"
        jx = "-2*pi*sin(2*pi*x)*cos(3*pi*y)*{current}"
        jy = "-3*pi*cos(2*pi*x)*sin(3*pi*y)*{current}"
        """,
        physics="planes",
        size=0.12,
        until=0.6,
    )


def resistive_edge() -> Scene:
    """A pulse at resistors along an edge, of which (r - Z) / (r + Z) comes back.

    G/C = R/L is Heaviside's condition: it falls as exp(-G t / C) and keeps its form, and Z is
    sqrt(L / C) at all frequencies.
    """
    c, inductance, rate, r = 2.0, 0.6, 0.5, 0.3
    z, speed = math.sqrt(inductance / c), 1 / math.sqrt(c * inductance)
    back = (r - z) / (r + z)
    there, mirrored = (
        f"exp(-(({way} - {speed!r}*t)/0.12)^2)*exp(-{rate!r}*t)" for way in ("x - 0.55", "2.45 - x")
    )
    return rectangle(
        f"""
        [background]
        capacitance = {c}
        inductance = {inductance}
        conductance = {rate * c!r}
        resistance = {rate * inductance!r}
        [[walls]]
        edges = ["domain.left"]
        kind = "absorbing"
        [[walls]]
        edges = ["domain.right"]
        kind = "impedance"
        impedance = {r}
        [initial]
        voltage = "exp(-((x - 0.55)/0.12)^2)"
        jx = "exp(-((x - 0.55)/0.12)^2)/{z!r}"
        [exact]
        voltage = "{there} + {back!r}*{mirrored}"
        jx = "({there} - {back!r}*{mirrored})/{z!r}"
        """,
        physics="planes",
        size=0.06,
        until=1.5,
        upper=(1.5, 0.3),
    )
