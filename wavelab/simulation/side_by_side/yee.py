"""Yee's finite differences in NumPy, on the staircase of a scene.

mu  dHx/dt = -dEz/dy
mu  dHy/dt =  dEz/dx
eps dEz/dt =  dHy/dx - dHx/dy - sigma Ez - Jz

Ez is at whole steps and H half a step behind; sigma is taken half before and half after the step.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from wavelab.arrays import Array, Indices
from wavelab.errors import SceneError
from wavelab.numerics.fields.interpolation import interpolation_weights
from wavelab.physics.materials.displacement import initial_displacement
from wavelab.physics.operator.maxwell_tm import MaxwellTM, maxwell
from wavelab.physics.problem import Problem
from wavelab.physics.sources.gaussian import REACH
from wavelab.physics.sources.source_terms import (
    FormulaSourceTerm,
    MovingSourceTerm,
    NodalSourceTerm,
    SourceTerm,
)
from wavelab.physics.start_fields import fields_at
from wavelab.scene.model.sending.pings import Ping
from wavelab.simulation.side_by_side.staircase import Staircase

#: Adds what a source adds to dEz/dt at the nodes that are stepped at a time.
_Drive = Callable[[float], tuple[Indices, Array]]


class YeeGrid:
    """Steps a problem on its staircase, from its initial fields and with its pings.

    Parameters
    ----------
    dt : time step, at most that of the grid.

    Raises
    ------
    SceneError : a source is of a kind that the grid does not know.
    """

    def __init__(self, problem: Problem, grid: Staircase, dt: float) -> None:
        self.grid, self.dt, self.steps = grid, dt, 0
        across, up = grid.cell
        self._for_hx = np.where(grid.up, -dt / (grid.mu_up * up), 0.0)
        self._for_hy = np.where(grid.right, dt / (grid.mu_right * across), 0.0)
        within = (slice(1, -1), slice(1, -1))
        stepped, epsilon, sigma = (v[within] for v in (grid.stepped, grid.epsilon, grid.sigma))
        after = epsilon / dt + sigma / 2
        self._kept = np.where(stepped, (epsilon / dt - sigma / 2) / after, 0.0)
        curl = np.where(stepped, 1 / after, 0.0)
        self._for_x = curl / (across * grid.share_x[within])
        self._for_y = curl / (up * grid.share_y[within])
        # Of what a source adds to dEz/dt; as it is given, epsilon is in it.
        self._taken = np.where(grid.stepped, 1.0, 0.0)
        self._taken[within] *= epsilon / after
        self._nodes = np.flatnonzero(grid.stepped)
        columns, rows = np.meshgrid(grid.x, grid.y)
        self._x, self._y = columns.ravel()[self._nodes], rows.ravel()[self._nodes]
        self._drives = [
            self._drive(maxwell(problem.operator, "grids of finite differences"), term)
            for term in problem.source_terms
        ]
        self._waiting = sorted(problem.scene.pings, key=lambda ping: ping.time)[::-1]
        self._begin(problem)
        self._give_due()

    @property
    def time(self) -> float:
        return self.steps * self.dt

    def advance(self, n_steps: int) -> None:
        """Take some steps; pings are given after the step that is nearest to their time."""
        ez, hx, hy = self.ez, self._hx, self._hy
        inner = ez[1:-1, 1:-1]
        for _ in range(n_steps):
            hx += self._for_hx * (ez[1:] - ez[:-1])
            hy += self._for_hy * (ez[:, 1:] - ez[:, :-1])
            inner *= self._kept
            inner += self._for_x * (hy[1:-1, 1:] - hy[1:-1, :-1])
            inner -= self._for_y * (hx[1:, 1:-1] - hx[:-1, 1:-1])
            middle = (self.steps + 0.5) * self.dt
            for drive in self._drives:
                nodes, rates = drive(middle)
                ez.reshape(-1)[nodes] += rates * self._taken.reshape(-1)[nodes]
            self.steps += 1
            self._give_due()

    def _begin(self, problem: Problem) -> None:
        """Fields at 0, and H half a step before, from its rate of change."""
        grid, initial = self.grid, problem.scene.initial
        columns, rows = np.meshgrid(grid.x, grid.y)
        half_x, half_y = grid.cell[0] / 2, grid.cell[1] / 2

        def at(name: str, x: Array, y: Array) -> Array:
            if problem.scene.initial_file is not None:
                return fields_at(problem.scene, problem.scene.initial_file, x, y)[name]
            formula = getattr(initial, name)
            if formula is None:
                return np.zeros(x.shape)
            return np.broadcast_to(formula.evaluate(x=x, y=y), x.shape).astype(np.float64)

        ups = columns[:-1], rows[:-1] + half_y
        rights = columns[:, :-1] + half_x, rows[:, :-1]
        self.ez = np.where(grid.stepped, at("ez", columns, rows), 0.0)
        self._hx = np.where(grid.up, at("hx", *ups), 0.0)
        self._hy = np.where(grid.right, at("hy", *rights), 0.0)
        if (start := initial_displacement(problem.scene)) is not None:
            # The stress that it brings along: tension grad w, H being (-sy, sx).
            for h, links, mu, axis, (x, y) in (
                (self._hx, grid.up, -grid.mu_up, "y", ups),
                (self._hy, grid.right, grid.mu_right, "x", rights),
            ):
                h[links] += start.rate(axis, x=x[links], y=y[links]) / mu[links]
        self._hx -= self._for_hx / 2 * (self.ez[1:] - self.ez[:-1])
        self._hy -= self._for_hy / 2 * (self.ez[:, 1:] - self.ez[:, :-1])

    def _give_due(self) -> None:
        while self._waiting and self._waiting[-1].time <= self.time + self.dt / 2:
            self._give(self._waiting.pop())

    def _give(self, ping: Ping) -> None:
        x, y = ping.position
        square = ((self._x - x) ** 2 + (self._y - y) ** 2) / ping.radius**2
        near = square < REACH**2
        bump = ping.amplitude * np.exp(-square[near] / 2)
        self.ez.reshape(-1)[self._nodes[near]] += bump
        # H is half a step behind: what the ping would have made of it by then, it has not.
        change = np.zeros_like(self.ez)
        change.reshape(-1)[self._nodes[near]] = bump
        self._hx -= self._for_hx / 2 * (change[1:] - change[:-1])
        self._hy -= self._for_hy / 2 * (change[:, 1:] - change[:, :-1])

    def _drive(self, operator: MaxwellTM, term: SourceTerm) -> _Drive:
        if isinstance(term, NodalSourceTerm):
            return self._nodal(operator, term)
        epsilon = self.grid.epsilon.reshape(-1)[self._nodes]
        if isinstance(term, FormulaSourceTerm):
            jz = term.jz

            def formula(time: float) -> tuple[Indices, Array]:
                return self._nodes, -jz.evaluate(x=self._x, y=self._y, t=time) / epsilon

            return formula
        if isinstance(term, MovingSourceTerm):
            strength = term.strength[self.grid.element.reshape(-1)[self._nodes]]

            def moving(time: float) -> tuple[Indices, Array]:
                ((x, y),) = term.positions(np.array([time]))
                square = ((self._x - x) ** 2 + (self._y - y) ** 2) / term.radius**2
                near = np.flatnonzero(square < REACH**2)
                bump = np.exp(-square[near] / 2) * float(term.waveform(time))
                return self._nodes[near], strength[near] * bump

            return moving
        raise SceneError(
            f"the grid of finite differences knows no {type(term).__name__}",
            remedy="Take another source.",
        )

    def _nodal(self, operator: MaxwellTM, term: NodalSourceTerm) -> _Drive:
        """The profile on the elements, at the nodes of the grid in them."""
        d = operator.discretization
        elements, profile = term.profile(d.nodes_per_element)
        row = np.full(d.n_elements, -1, np.int64)
        row[elements] = np.arange(len(elements))
        place = row[self.grid.element.reshape(-1)[self._nodes]]
        there = np.flatnonzero(place >= 0)
        nodes = self._nodes[there]
        weights = interpolation_weights(d.element, self.grid.reference.reshape(-1, 2)[nodes])
        rates = np.einsum("pn,pn->p", weights, profile[place[there]])
        # A graded medium is not that of the element's constant.
        rates *= operator.epsilon[elements[place[there]]] / self.grid.epsilon.reshape(-1)[nodes]
        waveform = term.waveform

        def drive(time: float) -> tuple[Indices, Array]:
            return nodes, rates * float(waveform(time))

        return drive
