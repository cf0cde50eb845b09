"""What each property of an item means, in a sentence for who has not read the file format."""

from __future__ import annotations

from wavelab.scene.editing.properties import Key

_FORMULA = "a number, or a formula of x, y and t"

#: By the name in the scene file; of a name in two kinds of items, "KIND.NAME" comes first.
MEANINGS: dict[str, str] = {
    "amplitude": "How strong the source is; of a plane wave or a mode the peak of Ez",
    "angle": "How far the ellipse is turned, in degrees counterclockwise",
    "arrows": "Arrows over the field: where energy flows",
    "begin": "Time from which fields are summed up; later than the transients",
    "bulges": "For each edge 0 if it is straight; 1 or \u22121 is half a circle out or in",
    "center": "The middle, x and y",
    "closed": "Whether the last corner is joined to the first; then power counts outwards",
    "count": "How many points, evenly spread, ends included",
    "curved": "Whether elements follow circles and arcs; otherwise they are cut straight",
    "damping": "How fast the charges lose what they have, a rate; 0: without losses",
    "decades": "Powers of ten of a logarithmic scale below full colour; empty: linear",
    "delay": "Time at which it begins; of a pulse, the time of its peak",
    "direction": "Where the wave goes, in degrees counterclockwise from the x axis",
    "directions": "In how many directions, evenly spread, the far field is found",
    "edges": "Names of edges: domain for all of its outline, domain.left or hole 1.0 for one",
    "element_size": "Target edge length of the triangles, in the scene's length unit",
    "end": "The other end, x and y",
    "monitors.end": "Time to which fields are summed up; empty: as long as the wave runs",
    "epsilon": f"Relative permittivity: {_FORMULA}. The refractive index is the root of epsilon "
    "times mu; 2.25 is glass",
    "every": "Steps from one look at the energy to the next",
    "ez": "Electric field Ez, a formula of x and y (of the exact solution also of t)",
    "frequencies": "Frequencies at which it is measured, set apart by commas",
    "frequency": "Cycles per unit of time; in vacuum the wavelength is 1 over it",
    "hx": "Magnetic field Hx, a formula of x and y (of the exact solution also of t)",
    "hy": "Magnetic field Hy, a formula of x and y (of the exact solution also of t)",
    "kind": "What happens at the wall",
    "limit": "Value at full colour; empty: it follows the field",
    "lower": "Lower left corner, x and y",
    "mu": f"Relative permeability: {_FORMULA}",
    "name": "What it is called, here and in the files it writes",
    "order": "Degree of the polynomial on each triangle; higher resolves shorter waves",
    "palette": "Colours",
    "part": "Lower left and upper right corner of what is in view; empty: all of the domain",
    "phase": "Where in its period the sine begins, in radians",
    "plot": "How the panel of monitors draws it: with time downwards, the field along the line, or "
    "the mean of its square",
    "poles": "Makes epsilon depend on the frequency: Drude for metals and plasmas, Lorentz for a "
    "resonance, Debye for dipoles that turn",
    "position": "Where it is, x and y",
    "precision": "Of the arithmetic on the device; double is slower and more exact",
    "quantity": "What is shown or recorded",
    "radii": "Half axes; two equal ones make a circle",
    "radius": "How large it is: at this distance the current is 0.6 of that in the middle",
    "relief": "Height view: azimuth and elevation in degrees; empty: the flat view",
    "safety": "Time step in parts of the longest stable one",
    "shape": "Where it is",
    "sigma": f"Conductivity, in 1 / time: {_FORMULA}; the wave becomes heat there",
    "start": "One end, x and y",
    "stepper": "Runge-Kutta scheme, or \u201clocal\u201d: small elements alone take short steps",
    "strength": "How much it adds to epsilon for slow fields",
    "text": "What is written on the scene",
    "to": "Where its arrow points, x and y; empty: no arrow",
    "until": "Time at which a run without a window ends",
    "upper": "Upper right corner, x and y",
    "upwinding": "1 damps what the mesh cannot resolve, 0 keeps all energy",
    "vertices": "The corners in order, x and y of each",
    "waveform": "What it does in time",
    "window": "Weight over the time that is summed up; \u201chann\u201d needs no whole periods",
}


def meaning(item: Key, key: Key) -> str:
    """Of the property at ``key`` of an item."""
    names = [part for part in key if isinstance(part, str)]
    if names[-1] == "kind" and len(names) > 1:
        names.pop()  # of which kind the part is that is named before
    kind = names[-2] if len(names) > 1 else str(item[0])
    return MEANINGS.get(f"{kind}.{names[-1]}") or MEANINGS.get(names[-1], "")
