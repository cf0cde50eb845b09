"""Sources as the steppers see them: what they add to the rates of change of the fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.errors import SceneError
from wavelab.numerics.fields.discretization import Discretization
from wavelab.numerics.fields.glue import Glue, Motion, glue_of
from wavelab.physics.operator.elastic import ElasticPSV
from wavelab.physics.operator.fields import Fields
from wavelab.physics.operator.maxwell_tm import MaxwellTM, maxwell
from wavelab.physics.operator.operator import Operator
from wavelab.physics.sources.added_flux import added_flux, elastic_flux
from wavelab.physics.sources.gaussian import REACH
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.sending.waveform import TimeFunction

#: Makes the error about a source of what it does, and of the remedy.
Refuse = Callable[[str, str], SceneError]


@dataclass(frozen=True)
class Rates:
    """What is added to the rates of change of some fields, by name, on some elements:
    (n, nodes_per_element) each.

    ``elements`` are distinct numbers, or a slice of all of them.
    """

    elements: Indices | slice
    of: Mapping[str, Array]

    def add_to(self, change: Fields, share: float = 1.0) -> None:
        """Add ``share`` times them to rates of change of the whole mesh, in place."""
        for name, rate in self.of.items():
            getattr(change, name)[self.elements] += share * rate


@dataclass(frozen=True, eq=False)
class NodalSourceTerm:
    """dEz/dt += rate f(t) at some nodes, or of other fields by shares of it.

    Attributes
    ----------
    nodes : (n,) distinct flat node indices k * nodes_per_element + n.
    rate : (n,) -Jz / epsilon per unit of the waveform.
    waveform : f, of one time or of an array of times.
    into : the fields that are driven, and how much of the rate goes into each.
    """

    nodes: Indices
    rate: Array
    waveform: Callable[..., Array]
    into: tuple[tuple[str, float], ...] = (("ez", 1.0),)

    def rates(self, operator: Operator, time: float) -> Rates:
        """What it adds at a time."""
        elements, profile = self.profile(operator.discretization.nodes_per_element)
        now = profile * float(self.waveform(time))
        return Rates(elements, {name: share * now for name, share in self.into})

    def profile(self, nodes_per_element: int) -> tuple[Indices, Array]:
        """Elements that it touches and (n, nodes_per_element) rates per unit of the waveform."""
        element_of, local = np.divmod(self.nodes, nodes_per_element)
        elements, row = np.unique(element_of, return_inverse=True)
        rate = np.zeros((len(elements), nodes_per_element))
        rate[row, local] = self.rate
        return elements, rate


@dataclass(frozen=True, eq=False)
class MovingSourceTerm:
    """dEz/dt += strength exp(-d^2 / (2 radius^2)) f(t), d the distance from a point on its way.

    It is sampled at the nodes.  Where it leaves through a glued edge it goes on behind the other.

    Attributes
    ----------
    x, y : formulas of t, the time since ``origin``.
    strength : (n_elements,) rate in the middle, per unit of the waveform.
    glue : the glued edges of the mesh, where the term is of a part of it; None for those of the
        discretization that it is used with.
    """

    x: Formula
    y: Formula
    radius: float
    strength: Array
    waveform: TimeFunction
    origin: float = 0.0
    glue: Glue | None = None

    def positions(self, times: Array) -> Array:
        """(n, 2) where it is.

        Raises
        ------
        FormulaError : a formula has no finite value at one of the times.
        """
        return np.column_stack([self.x.evaluate(t=times), self.y.evaluate(t=times)])

    def images(self, d: Discretization, positions: Array) -> Array:
        """(k, n, 2) where it is seen, at positions (n, 2) on its way, through glued edges too."""
        glue = self.glue or glue_of(d)
        if not glue.edges:
            return positions[None]
        positions = glue.inside(positions)
        # Between two places it may have passed an edge; the ways before and after are apart.
        jumps = np.linalg.norm(np.diff(positions, axis=0), axis=1) > glue.size / 4
        ways = np.split(positions, np.flatnonzero(jumps) + 1)
        motions: list[Motion] = []
        for way in ways:
            for motion in glue.images(way, REACH * self.radius):
                glue.add(motions, motion)
        return np.array([motion(positions) for motion in motions[: glue.most_images]])

    def most_images(self, d: Discretization) -> int:
        """Most places at once at which it is seen."""
        return (self.glue or glue_of(d)).most_images

    def reached(self, boxes: tuple[Array, Array], images: Array) -> Indices:
        """Elements that it may touch where it is seen (k, n, 2), or on the ways between.

        Parameters
        ----------
        boxes : of the elements, as :func:`element_boxes` gives.
        """
        reach, (lower, upper) = REACH * self.radius, boxes
        met = np.zeros(len(lower), dtype=bool)
        for way in images:
            first, last = way.min(axis=0) - reach, way.max(axis=0) + reach
            met |= ((upper >= first) & (lower <= last)).all(axis=1)
        return np.flatnonzero(met)

    def rates(self, operator: Operator, time: float) -> Rates:
        """What it adds at a time."""
        d = operator.discretization
        images = self.images(d, self.positions(np.array([time])))
        elements, amplitude = self.reached(element_boxes(operator), images), self.waveform(time)
        x, y = d.x[elements], d.y[elements]
        squares = [(x - place[0]) ** 2 + (y - place[1]) ** 2 for place in images[:, 0]]
        square = np.min(squares, axis=0) / self.radius**2
        bump = np.where(square < REACH**2, np.exp(-square / 2), 0.0)
        rate = self.strength[elements, None] * float(amplitude) * bump
        return Rates(elements, {"ez": rate})


def element_boxes(operator: Operator) -> tuple[Array, Array]:
    """(n_elements, 2) twice: lower left and upper right corner around the nodes of each element;
    nowhere for those with the imaginary part of complex fields, which sources do not drive."""
    d = operator.discretization
    nodes = np.stack([d.x, d.y], axis=2)
    lower = np.where(d.is_seen[:, None], nodes.min(axis=1), np.inf)
    return lower, nodes.max(axis=1)


@dataclass(frozen=True)
class FormulaSourceTerm:
    """dEz/dt += -jz(x, y, t) / epsilon at every node.

    The NumPy stepper evaluates the formula; the OpenCL stepper translates it into its kernel.
    """

    jz: Formula

    def rates(self, operator: Operator, time: float) -> Rates:
        """What it adds at a time."""
        d = operator.discretization
        current = np.broadcast_to(self.jz.evaluate(x=d.x, y=d.y, t=time), d.shape)
        of = maxwell(operator, "current formulas")
        return Rates(slice(None), {"ez": -current / of.epsilon[:, None]})


@dataclass(frozen=True, eq=False)
class FaceSourceTerm:
    """A wave that comes in at faces: the state outside of each has more than there is.

    The flux is linear in that state, so what it adds is lifted by itself, see
    :mod:`wavelab.physics.sources.incident`.

    Attributes
    ----------
    elements, faces : (n,) each; a face is counted 0, 1, 2 and listed once.
    e, h : (n, nodes_per_face) Ez and H = nx Hy - ny Hx that are added to the state outside, per
        unit of the waveform; the normal is that of the element.  Of elastic waves (n,
        nodes_per_face, 2) velocity and traction along the normal and the tangent (-ny, nx).
    delay : (n, nodes_per_face) or (n, 1): the face node gets f(t - delay); not negative.
    waveform : f.
    """

    elements: Indices
    faces: Indices
    e: Array
    h: Array
    delay: Array
    waveform: TimeFunction

    def values(self, time: float | Array) -> tuple[Array, Array]:
        """(n, nodes_per_face) Ez and H added to the state outside at a time, or (m, n,
        nodes_per_face) at times (m, 1, 1); of elastic waves (..., 2)."""
        f = self.waveform(time - self.delay)
        f = f if self.e.ndim == 2 else f[..., None]
        return self.e * f, self.h * f

    def rates(self, operator: Operator, time: float) -> Rates:
        """What it adds at a time."""
        d = operator.discretization
        n_fp = d.element.nodes_per_face
        elements, row = np.unique(self.elements, return_inverse=True)
        names = operator.fields.names
        lifted = np.zeros((len(names), len(elements), d.nodes_per_element))
        flux = self.flux(operator) * self.waveform(time - self.delay)[:, None]
        for f in range(3):
            here = self.faces == f
            lift = d.element.lift[:, f * n_fp : (f + 1) * n_fp].T
            for i in range(len(names)):
                np.add.at(lifted[i], row[here], flux[here, i] @ lift)
        return Rates(elements, dict(zip(names, lifted, strict=True)))

    def flux(self, operator: Operator) -> Array:
        """(n, n_fields, nodes_per_face) what is lifted to the rates of the fields, in the order of
        their names, per unit of the waveform."""
        if isinstance(operator, ElasticPSV):
            return elastic_flux(operator, self.elements, self.faces, self.e, self.h)
        return self._maxwell_flux(maxwell(operator, "waves that come in"))

    def nodal(self, operator: Operator) -> list[NodalSourceTerm]:
        """The same as terms of the nodes of its elements, one for each delay and each flux: few
        where it comes straight in."""
        d = operator.discretization
        n_fp, names = d.element.nodes_per_face, operator.fields.names
        flux = np.moveaxis(self.flux(operator), 1, 2).reshape(-1, len(names))
        delay = np.broadcast_to(self.delay, self.e.shape[:2]).ravel()
        size = np.maximum(np.abs(flux).max(axis=1), 1e-300)
        # What differs by rounding is the same.
        shares, late = flux / size[:, None], delay / max(float(delay.max()), 1e-300)
        alike = np.round(np.column_stack([shares, late]), 12)
        _, first, of = np.unique(alike, axis=0, return_index=True, return_inverse=True)
        slot = (self.faces[:, None] * n_fp + np.arange(n_fp)).ravel()
        element = np.repeat(self.elements, n_fp)
        terms = []
        for number, row in enumerate(first):
            those = np.flatnonzero(of.ravel() == number)
            nodes = element[those][:, None] * d.nodes_per_element + np.arange(d.nodes_per_element)
            distinct, place = np.unique(nodes, return_inverse=True)
            rate = np.zeros(len(distinct))
            lifted = size[those][:, None] * d.element.lift.T[slot[those]]
            np.add.at(rate, place.ravel(), lifted.ravel())
            into = tuple((n, float(c)) for n, c in zip(names, shares[row], strict=True) if c)
            terms.append(
                NodalSourceTerm(distinct, rate, self.waveform.delayed(float(delay[row])), into)
            )
        return terms

    def _maxwell_flux(self, operator: MaxwellTM) -> Array:
        e_flux, h_flux = added_flux(operator, self.elements, self.faces, self.e, self.h)
        g = operator.discretization.geometry
        scale = g.face_scale[self.elements, self.faces, None]
        normals = (g.normal_x, g.normal_y)
        nx, ny = (normal[self.elements, self.faces, None] for normal in normals)
        mu, epsilon = operator.mu[self.elements, None], operator.epsilon[self.elements, None]
        return np.stack(
            [-ny * scale * e_flux / mu, nx * scale * e_flux / mu, scale * h_flux / epsilon], axis=1
        )


SourceTerm = NodalSourceTerm | MovingSourceTerm | FormulaSourceTerm | FaceSourceTerm
