"""The ring and the bend of ``scripts/beside_meep.py`` in Meep, for the Python that has it.

``python3 scripts/in_meep.py CASE SETTINGS`` prints one JSON object; SETTINGS is one too.  Meep and
scipy are needed here, and nothing of wavelab.
"""

from __future__ import annotations

import json
import math
import sys
import time

import meep as mp
import numpy as np
from scipy.optimize import root
from scipy.special import h1vp, hankel1, jv, jvp, yv, yvp

IMPORTED = time.process_time()


def exact_ring(index: float, inner: float, outer: float, guesses: list) -> list:
    """[f, Q] for each [m, f, Q]: Ez and its slope go on at both radii, J inside, J and Y in the
    ring, and a wave that leaves outside."""

    def determinant(m: int, w: complex) -> complex:
        k = index * w
        a, b = inner, outer
        rows = [
            [jv(m, w * a), -jv(m, k * a), -yv(m, k * a), 0],
            [w * jvp(m, w * a), -k * jvp(m, k * a), -k * yvp(m, k * a), 0],
            [0, jv(m, k * b), yv(m, k * b), -hankel1(m, w * b)],
            [0, k * jvp(m, k * b), k * yvp(m, k * b), -w * h1vp(m, w * b)],
        ]
        matrix = np.array(rows)
        return complex(np.linalg.det(matrix / np.abs(matrix).max(axis=0)))

    found = []
    for m, f, q in guesses:

        def both(x: np.ndarray, m: int = m) -> list:
            value = determinant(m, 2 * np.pi * complex(*x))
            return [value.real, value.imag]

        at = root(both, [f, -f / (2 * q)], tol=1e-14).x
        found.append([float(at[0]), float(-at[0] / (2 * at[1]))])
    return found


def ring(s: dict) -> dict:
    half = s["outer"] + s["space"] + s["layer"]
    place = mp.Vector3(*s["place"])
    middle, width = sum(s["band"]) / 2, s["band"][1] - s["band"][0]
    simulation = mp.Simulation(
        cell_size=mp.Vector3(2 * half, 2 * half),
        geometry=[
            mp.Cylinder(radius=s["outer"], material=mp.Medium(index=s["index"])),
            mp.Cylinder(radius=s["inner"]),
        ],
        sources=[mp.Source(mp.GaussianSource(middle, fwidth=width), mp.Ez, place)],
        resolution=s["resolution"],
        boundary_layers=[mp.PML(s["layer"])],
        eps_averaging=s["averaging"],
    )
    inversion = mp.Harminv(mp.Ez, place, middle, width)
    simulation.run(mp.after_sources(inversion), until_after_sources=s["ringing"])
    return {"modes": [[mode.freq, mode.Q] for mode in inversion.modes]}


def bend(s: dict) -> dict:
    """Powers forward behind the bend and back before it, by that of the mode that comes."""
    w, radius, size = s["width"], s["radius"], s["size"]
    x0, lead = s["guide"], s["lead"]
    # The strip as one polygon: along x, round a quarter of a circle, along y.
    turn = np.linspace(0, math.pi / 2, 181)
    middle = lead, x0 + radius
    out = size + 1

    def side(r: float) -> list:
        arc = [(middle[0] + r * math.sin(a), middle[1] - r * math.cos(a)) for a in turn]
        return [(-1.0, x0 + radius - r), *arc, (middle[0] + r, out)]

    outline = side(radius + w / 2) + side(radius - w / 2)[::-1]
    corners = [mp.Vector3(x - size / 2, y - size / 2) for x, y in outline]
    f = s["frequency"]

    def line(x: float, y: float, across: mp.Vector3) -> mp.Volume:
        return mp.Volume(center=mp.Vector3(x - size / 2, y - size / 2), size=across)

    up, along = mp.Vector3(0, s["line"]), mp.Vector3(s["line"], 0)
    source = mp.EigenModeSource(
        mp.GaussianSource(f, fwidth=s["fwidth"]),
        volume=line(s["send"], x0, up),
        eig_parity=mp.ODD_Z,
        eig_match_freq=True,
    )
    simulation = mp.Simulation(
        cell_size=mp.Vector3(size, size),
        geometry=[mp.Prism(corners, mp.inf, material=mp.Medium(epsilon=s["epsilon"]))],
        sources=[source],
        resolution=s["resolution"],
        boundary_layers=[mp.PML(s["layer"])],
        eps_averaging=s["averaging"],
    )
    lines = [
        simulation.add_mode_monitor(f, 0, 1, mp.ModeRegion(volume=line(*at)))
        for at in ((s["before"], x0, up), (lead + radius, s["behind"], along))
    ]
    simulation.run(until_after_sources=mp.stop_when_dft_decayed(tol=s["decayed"]))
    power = [
        np.abs(simulation.get_eigenmode_coefficients(m, [1], eig_parity=mp.ODD_Z).alpha[0, 0]) ** 2
        for m in lines
    ]
    sent, back, through = power[0][0], power[0][1], power[1][0]
    return {"through": float(through / sent), "back": float(back / sent)}


def main() -> None:
    case, s = sys.argv[1], json.loads(sys.argv[2])
    mp.verbosity(0)
    if case == "exact":
        found = {"modes": exact_ring(s["index"], s["inner"], s["outer"], s["guesses"])}
    else:
        found = {"ring": ring, "bend": bend}[case](s)
    print("RESULT", json.dumps(found | {"run": time.process_time() - IMPORTED}))


if __name__ == "__main__":
    main()
