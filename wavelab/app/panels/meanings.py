"""What each property of an item means, in a sentence for who has not read the file format."""

from __future__ import annotations

from wavelab.scene.editing.properties import Key

#: By the name in the scene file; of a name in two kinds of items, "KIND.NAME" comes first.
MEANINGS: dict[str, str] = {
    "amplitude": "How strong the source is; of a plane wave or a mode the peak of the field",
    "angle": "How far the ellipse is turned, in degrees counterclockwise",
    "bulges": "For each edge 0 if it is straight; 1 or \u22121 is half a circle out or in",
    "center": "The middle, x and y",
    "count": "How many points, evenly spread, ends included",
    "damping": "How fast the charges lose what they have, a rate; 0: without losses",
    "delay": "Time at which it begins; of a pulse, the time of its peak",
    "direction": "Where the wave goes, in degrees counterclockwise from the x axis",
    "edges": "Names of edges: domain for all of its outline, domain.left or hole 1.0 for one",
    "end": "The other end, x and y",
    "frequency": "Cycles per unit of time; where the speed is 1 the wavelength is 1 over it",
    "kind": "What happens at the wall",
    "lower": "Lower left corner, x and y",
    "name": "What it is called, here and in the files it writes",
    "parameters.name": "The word for it in formulas, which follow another name",
    "phase": "Where in its period the sine begins, in radians",
    "position": "Where it is, x and y",
    "radii": "Half axes; two equal ones make a circle",
    "radius": "How large it is: at this distance the current is 0.6 of that in the middle",
    "shape": "Where it is",
    "start": "One end, x and y",
    "strength": "How much it adds to epsilon for slow fields",
    "upper": "Upper right corner, x and y",
    "vertices": "The corners in order, x and y of each",
    "waveform": "What it does in time",
}


def meaning(item: Key, key: Key) -> str:
    """Of the property at ``key`` of an item."""
    names = [part for part in key if isinstance(part, str)]
    if names[-1] == "kind" and len(names) > 1:
        names.pop()  # of which kind the part is that is named before
    kind = names[-2] if len(names) > 1 else str(item[0])
    return MEANINGS.get(f"{kind}.{names[-1]}") or MEANINGS.get(names[-1], "")
