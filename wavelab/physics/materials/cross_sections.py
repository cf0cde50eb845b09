"""What a straight line across a guide runs through, and the modes that go along it there."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from wavelab.arrays import Array, Mask
from wavelab.errors import SceneError
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.line_quadrature import line_quadrature
from wavelab.numerics.mesh.mesh import FACE_VERTICES
from wavelab.numerics.spectra.slab_modes import CrossSection, SlabModes, UniformLayers, slab_modes
from wavelab.physics.materials.auxiliary_equations import AuxiliaryEquations
from wavelab.physics.materials.line_through import Elements, LineThrough
from wavelab.physics.operator.maxwell_tm import MaxwellTM
from wavelab.remembered import Remembered
from wavelab.scene.model.shapes import Point

#: Parts of a line that are nothing, and sines of angles.
_SAME = 1e-6
#: Lines that are remembered: those of the ports and monitors of a scene or two.
_KEPT = 16
#: Makes the error of what is wrong, and of the remedy.
Refuse = Callable[[str, str], SceneError]


class _NoGuideError(Exception):
    """What is wrong, and the remedy."""


@dataclass(frozen=True, eq=False)
class Across:
    """A line across a guide.

    Attributes
    ----------
    start : of the line; places s along it are counted from there.
    along, normal : unit vectors, the normal to the right of the way along it.
    section : the layers between the ends of what lies in the domain.
    beyond : epsilon mu at its first and last border, 0 where a wall ends it.
    """

    start: Array
    along: Array
    normal: Array
    section: CrossSection
    beyond: tuple[float, float]

    def places(self, x: Array, y: Array) -> tuple[Array, Array]:
        """How far along the line points are, and how far to its right."""
        dx, dy = x - self.start[0], y - self.start[1]
        along, normal = self.along, self.normal
        return along[0] * dx + along[1] * dy, normal[0] * dx + normal[1] * dy

    def modes(self, frequency: float) -> SlabModes:
        """The modes that the guide holds together at a frequency, the fundamental one first.

        Raises
        ------
        ValueError : the line is too many wavelengths long.
        """
        square = (2 * math.pi * frequency) ** 2 * max(self.beyond)
        return _modes.get(self, frequency, lambda: slab_modes(self.section, frequency, square))

    def tails(self, modes: SlabModes, frequency: float) -> Array:
        """(n, 2) what each mode would still be at the ends of the line, in parts of its largest
        field.

        Beyond an end it falls as exp(-q s), q^2 = beta^2 - w^2 epsilon mu.  With E = 0 there in
        place of this its slope is 2 q times what the field would be.
        """
        ends = self.section.borders[[0, -1]]
        _, slope = modes.at(ends)
        falls = np.sqrt(
            modes.squares[:, None] - (2 * math.pi * frequency) ** 2 * np.array(self.beyond)
        )
        largest = np.abs(modes.values).max(axis=(1, 2))[:, None]
        return np.where(np.array(self.beyond) > 0, np.abs(slope) / (2 * falls * largest), 0.0)


_modes: Remembered[Across, SlabModes] = Remembered(_KEPT)


def line_across(
    start: Point,
    end: Point,
    operator: MaxwellTM,
    auxiliary_equations: tuple[AuxiliaryEquations, ...],
    refuse: Refuse,
) -> Across:
    """What lies across a guide between two points.

    Raises
    ------
    SceneError : that is no guide whose modes are known: a medium there has losses or a memory, or
        changes in time, something is in its way, or a wall ends it that is not along the guide.
    """
    try:
        return _of_operator.get(
            operator,
            (start, end, auxiliary_equations),
            lambda: _across(start, end, operator, auxiliary_equations),
        )
    except _NoGuideError as error:
        raise refuse(*error.args) from None


#: As long as the operator is needed, for it may be large.
_of_operator: Remembered[MaxwellTM, Across] = Remembered(_KEPT)


def _across(
    start: Point,
    end: Point,
    operator: MaxwellTM,
    auxiliary_equations: tuple[AuxiliaryEquations, ...],
) -> Across:
    """The same, whoever asks; where nothing has changed that it follows from, what it was."""
    if operator.media:
        return _looked_across(start, end, operator, auxiliary_equations)
    arrays = (operator.epsilon, operator.mu, operator.sigma, operator.reflection)
    memory = (e.elements for e in auxiliary_equations if e.kind == "medium")
    numbers = sha256()
    for array in (*arrays, *memory):
        numbers.update(np.ascontiguousarray(array).data)
        numbers.update(b"|")
    key = (start, end, numbers.digest())
    return _known.get(
        operator.discretization,
        key,
        lambda: _looked_across(start, end, operator, auxiliary_equations),
    )


#: Without graded media, since only numbers are compared.
_known: Remembered[Discretization, Across] = Remembered(_KEPT)


def _looked_across(
    start: Point,
    end: Point,
    operator: MaxwellTM,
    auxiliary_equations: tuple[AuxiliaryEquations, ...],
) -> Across:
    d = operator.discretization
    from_, to = np.array(start), np.array(end)
    length = float(np.hypot(*(to - from_)))
    along = (to - from_) / length
    line = line_quadrature(d, np.stack([from_, to]))
    if len(line) == 0:
        raise _NoGuideError("lies outside the domain", "Move it across the guide.")
    _check_media(line.elements, operator, auxiliary_equations)
    locate = LineThrough(d, from_, along)
    s = (line.points - from_) @ along
    first, last = locate.domain_end(s[0], 0.0), locate.domain_end(s[-1], length)
    if abs(line.weights.sum() - (last - first)) > _SAME * length:
        raise _NoGuideError(
            "runs out of the domain and in again, or through a hole",
            "Let it go straight across one guide.",
        )
    steps = (first, -_SAME * length), (last, _SAME * length)
    ends = [_end(operator, locate, place, step) for place, step in steps]
    keys = _keys(operator, line.elements)
    change = np.flatnonzero((keys[1:] != keys[:-1]).any(axis=1))
    inner = [
        locate.border(s[i], s[i + 1], line.elements[i], _have(operator, keys[i])) for i in change
    ]
    of_layer = keys[np.append(change, len(s) - 1)]

    def values(name: str, column: int) -> Callable[[int, Array], Array]:
        if of_layer[:, column].all():  # then it is needed no more what they were looked up in
            return UniformLayers(of_layer[:, column])

        def of(layer: int, places: Array) -> Array:
            constant = of_layer[layer, column]
            if constant:
                return np.full(len(places), constant)
            elements = locate(places)
            return values_at_points(operator, name, elements, *locate.points(places).T)

        return of

    borders = np.array([first, *inner, last])
    section = CrossSection(
        borders, values("epsilon", 1), values("mu", 2), (ends[0] != "free", ends[1] != "free"),
        tuple((of_layer[:, 1:] == 0).any(axis=1)),
    )  # fmt: skip
    beyond = [
        float((section.epsilon(i, at) * section.mu(i, at))[0]) if end == "open" else 0.0
        for end, i, at in zip(
            ends, (0, len(of_layer) - 1), (borders[:1], borders[-1:]), strict=True
        )
    ]
    normal = np.array([along[1], -along[0]])
    return Across(from_, along, normal, section, (beyond[0], beyond[1]))


def values_at_points(
    operator: MaxwellTM, name: str, elements: Elements, x: Array, y: Array
) -> Array:
    """ "epsilon", "mu" or "sigma" at points in elements, (n,) or (n, k) of n elements, at t = 0."""
    constants = getattr(operator, name)[elements]
    values = np.broadcast_to(constants.reshape(-1, *(1,) * (x.ndim - 1)), x.shape).copy()
    for profile in getattr(operator.media, name):
        rows = np.isin(elements, profile.elements)
        if rows.any():
            values[rows] = profile.formula.evaluate(x=x[rows], y=y[rows], t=0.0)
    return values


def _keys(operator: MaxwellTM, elements: Elements) -> Array:
    """(n, 3) equal in one layer: the region, epsilon and mu; 0 where that is graded."""
    columns = [operator.discretization.mesh.regions[elements].astype(np.float64)]
    for name in ("epsilon", "mu"):
        values = getattr(operator, name)[elements]
        columns.append(np.where(_graded(operator, name, elements), 0.0, values))
    return np.column_stack(columns)


def _have(operator: MaxwellTM, key: Array) -> Callable[[Elements], Mask]:
    """Whether elements have the medium of a key."""
    return lambda elements: (_keys(operator, elements) == key).all(axis=1)


def _graded(operator: MaxwellTM, name: str, elements: Elements) -> Mask:
    graded = np.zeros(len(elements), bool)
    for profile in getattr(operator.media, name):
        graded |= np.isin(elements, profile.elements)
    return graded


def _end(operator: MaxwellTM, locate: LineThrough, place: float, step: float) -> str:
    """What is at an end of the line: "open", or a wall where E is 0, or its slope: "free"."""
    if locate(place + step)[0] >= 0:
        return "open"
    d, point = operator.discretization, locate.points(np.array(place))[0]
    element, face = np.nonzero(d.connectivity.is_boundary)
    a, b = np.moveaxis(
        d.mesh.vertices[d.mesh.triangles[element[:, None], FACE_VERTICES[face]]], 1, 0
    )
    edge = b - a
    part = np.clip(((point - a) * edge).sum(axis=1) / (edge**2).sum(axis=1), 0, 1)
    nearest = int(np.argmin(np.hypot(*(a + part[:, None] * edge - point).T)))
    reflection = float(operator.reflection[element[nearest], face[nearest]])
    if abs(reflection) < 1:
        return "open"
    sine = abs(float(edge[nearest] @ locate.along)) / float(np.hypot(*edge[nearest]))
    if sine > _SAME:
        raise _NoGuideError(
            f"ends at a wall near ({point[0]:.4g}, {point[1]:.4g}) that it does not meet at a "
            "right angle",
            "A guide is straight where its modes come in or are measured: draw the line straight "
            "across it.",
        )
    return "clamped" if reflection < 0 else "free"


def _check_media(
    elements: Elements,
    operator: MaxwellTM,
    auxiliary_equations: tuple[AuxiliaryEquations, ...],
) -> None:
    lossy = operator.sigma[elements] != 0
    lossy |= _graded(operator, "sigma", elements) | _graded(operator, "magnetic_sigma", elements)
    memory = np.zeros(len(elements), bool)
    for equations in auxiliary_equations:
        if equations.kind == "medium":
            memory |= np.isin(elements, equations.elements)
    changing = np.zeros(len(elements), bool)
    for profile in operator.media.profiles:
        if profile.changes:
            changing |= np.isin(elements, profile.elements)
    bright = np.zeros(len(elements), bool)
    for profile in operator.media.kerr:
        bright |= np.isin(elements, profile.elements)
    axes = np.zeros(len(elements), bool)
    for tensor in operator.media.tensors:
        axes |= np.isin(elements, tensor.elements)
    d = operator.discretization
    for wrong, what in (
        (lossy, "conducts"), (memory, "is dispersive"), (changing, "changes in time"),
        (bright, "depends on the field"), (axes, "has axes"),
    ):  # fmt: skip
        if wrong.any():
            element = elements[int(np.argmax(wrong))]
            raise _NoGuideError(
                f"runs through a medium that {what}, near "
                f"({d.x[element].mean():.4g}, {d.y[element].mean():.4g})",
                "Modes are known where media have neither losses nor a memory nor axes: let the "
                "guide be without them there.",
            )
