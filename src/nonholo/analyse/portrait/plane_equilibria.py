"""Equilibria in the plane of a portrait: points and curves, with their eigenvalues and classification."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from nonholo.algebra.calculus import symbols
from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.subspaces import kernel
from nonholo.analyse.portrait.portrait_plane import Plane
from nonholo.analyse.steady.equilibria import zeros
from nonholo.analyse.steady.steady_equations import Steady

Kind = Literal["stable", "unstable", "centre", "degenerate"]
ZERO_EIGENVALUE = 1e-6
"""Eigenvalues below this part of the largest one count as zero."""


@dataclass(frozen=True, eq=False)
class PlaneEquilibrium:
    """An equilibrium in the plane.

    ``stable``: every eigenvalue that is not zero has a negative real part, and there is one; ``unstable``: one has a
    positive real part; ``centre``: all are imaginary, none zero but those along a family; ``degenerate``: all are zero.
    The classification is that of the linear part; a centre's stability needs more (a conserved energy that has a minimum there).
    """

    point: tuple[float, float]
    kind: Kind
    eigenvalues: tuple[complex, ...]
    state: Numbers
    family: bool = False
    """Whether a line of equilibria passes through it."""
    directions: Numbers | None = None
    """For a saddle of a closed plane: the unstable and the stable direction in the plane."""


@dataclass(frozen=True, eq=False)
class Line:
    """A line of equilibria: its points in order and the kind of each."""

    points: Numbers
    kinds: tuple[Kind, ...]


@dataclass(frozen=True, eq=False)
class Search:
    """The plane with the scales by which nearness and slowness are judged."""

    plane: Plane
    low: Numbers
    high: Numbers
    scale: Numbers
    """A typical size of every state variable."""
    speed: float
    """A typical rate of the plane's own variables."""

    @property
    def diagonal(self) -> float:
        """The size of the window."""
        return float(np.linalg.norm(self.high - self.low))

    def inside(self, points: Numbers, margin: float = 1e-6) -> Any:
        """Which points lie in the window."""
        room = margin * (self.high - self.low)
        return np.all((points >= self.low - room) & (points <= self.high + room), axis=-1)

    @cached_property
    def steady(self) -> Steady:
        """What must vanish at an equilibrium of the plane: the rates of its own variables; all others stay where they are."""
        flow, own = self.plane.whole, self.plane.own
        others = [k for k in range(flow.size) if k not in own]
        fixed = tuple(symbols(flow.names[k] for k in others))
        return Steady(flow, np.full(flow.size, self.speed), fixed=fixed, targets=self.plane.base[others], own=own)

    def shown(self, state: Numbers) -> Numbers:
        """The slopes of both quantities by the plane's own variables."""
        return np.asarray(self.plane.whole.valued(self.plane.quantities, state[None])[1][0][:, list(self.plane.own)])


def judged(search: Search, state: Numbers) -> tuple[Kind, Numbers, Numbers, Numbers]:
    """Kind, eigenvalues, eigenvectors and the directions (columns, own variables) in which curves of equilibria may continue."""
    plane = search.plane
    own = list(plane.own)
    jacobian = plane.whole.slopes(state[None])[0][np.ix_(own, own)]
    tangent = kernel(plane.whole.bound(state[None])[1][0][:, own], 1e-9)
    along = tangent.T @ jacobian @ tangent
    values, vectors = np.linalg.eig(along)
    size = search.speed / search.diagonal
    big = max(float(np.max(np.abs(values), initial=0)), 1e-3 * size)
    nonzero = values[np.abs(values) > ZERO_EIGENVALUE * big]
    tiny = ZERO_EIGENVALUE * big * 100
    kind: Kind = "degenerate"
    if len(nonzero):
        real = nonzero.real
        kind = "unstable" if np.any(real > tiny) else "stable" if np.all(real < -tiny) else "centre"
    steep = float(np.linalg.norm(along, 2)) if along.size else 0.0
    null = tangent @ kernel(along, 1e-6 * max(1.0, 1e-3 * size / max(steep, 1e-300)))
    return kind, values, tangent @ vectors, null


def line_direction(search: Search, state: Numbers, null: Numbers) -> Numbers | None:
    """The one direction in which equilibria move in the plane; None when they do not, or fill an area."""
    if not null.shape[1]:
        return None
    shown = search.shown(state) @ null
    _, singular, rows = np.linalg.svd(shown)
    if singular[0] < 1e-8 or (len(singular) > 1 and singular[1] > 1e-6 * singular[0]):
        return None
    direction = null @ rows[0]
    return np.asarray(direction / np.linalg.norm(direction), dtype=np.float64)


def followed(search: Search, state: Numbers, direction: Numbers, most: int = 400) -> list[Numbers]:
    """Equilibria one after another from a state in a direction, to the window's edge; empty for an isolated one."""
    own = np.array(search.plane.own)
    length = search.diagonal / 150
    found: list[Numbers] = []
    here, ahead = state, direction
    for _ in range(most):
        guess = here.copy()
        guess[own] += length * ahead
        next_one = search.steady.newton_zeros(guess[None], 30)[0]
        if not np.all(np.isfinite(next_one)):
            break
        moved = next_one[own] - here[own]
        if np.dot(moved, ahead) < 0.5 * length or np.linalg.norm(moved) > 3 * length:
            break
        here, ahead = next_one, moved / np.linalg.norm(moved)
        found.append(here)
        if not search.inside(search.plane.points(here[None]))[0]:
            break
    return found


def equilibria(search: Search, guesses: Numbers) -> tuple[list[PlaneEquilibrium], list[Line]]:
    """All equilibria that the guesses lead to: isolated points, and lines followed through the window."""
    good = guesses[np.all(np.isfinite(guesses), axis=1)]
    found = zeros(search.steady, good, np.full(search.plane.whole.size, np.inf))
    found = found[search.inside(search.plane.points(found))]
    points, lines = [], []
    while len(found):
        state = found[0]
        kind, values, vectors, null = judged(search, state)
        direction = line_direction(search, state, null) if search.plane.closed else None
        ways = [followed(search, state, s * direction) for s in (1, -1)] if direction is not None else []
        if any(len(way) > 2 for way in ways):
            line = _line(search, [*reversed(ways[1]), state, *ways[0]])
            lines.append(line)
            near = _distance(search, search.plane.points(found), line.points) < 1.5 / 150
        else:
            area = search.plane.closed and null.shape[1] >= 2
            if not area:
                points.append(_isolated(search, state, kind, values, vectors))
            near = _distance(search, search.plane.points(found), search.plane.points(state[None])) < 1e-4
        near[0] = True
        found = found[~near]
    return points, lines


def _distance(search: Search, points: Numbers, others: Numbers) -> Numbers:
    from scipy.spatial import cKDTree

    size = search.high - search.low
    return np.asarray(cKDTree(others / size).query(points / size)[0], dtype=np.float64)


def _line(search: Search, states: list[Numbers]) -> Line:
    kinds = tuple(judged(search, s)[0] for s in states)
    return Line(search.plane.points(np.array(states)), kinds)


def _isolated(search: Search, state: Numbers, kind: Kind, values: Numbers, vectors: Numbers) -> PlaneEquilibrium:
    directions = None
    if search.plane.closed and len(values) == 2 and np.all(np.isreal(values)) and np.prod(values.real) < 0:
        order = np.argsort(-values.real)
        shown = search.shown(state)
        directions = (shown @ vectors[:, order].real).T
    return _named(search, state, kind, values, False, directions)


def _named(
    search: Search, state: Numbers, kind: Kind, values: Numbers, family: bool, directions: Numbers | None = None
) -> PlaneEquilibrium:
    x, y = search.plane.points(state[None])[0].tolist()
    return PlaneEquilibrium((x, y), kind, tuple(complex(v) for v in values), state, family, directions)


def limits(search: Search, ends: Numbers, lines: list[Line]) -> list[PlaneEquilibrium]:
    """The points of lines of equilibria that motions tend to."""
    if not lines or not len(ends):
        return []
    own = list(search.plane.own)
    ends = np.where(np.isin(np.arange(ends.shape[1]), own), ends, search.plane.base)  # the others have moved on: put them back
    shown = search.plane.points(ends)
    onto = [line.points for line in lines]
    near = np.min([_distance(search, shown, p) for p in onto], axis=0) < 0.02
    slow = np.linalg.norm(search.steady.value(ends), axis=1) < 1e-2
    found = search.steady.newton_zeros(ends[near & slow])
    result: list[PlaneEquilibrium] = []
    for state in found[np.all(np.isfinite(found), axis=1)]:
        here = search.plane.points(state[None])[0]
        if all(np.linalg.norm((here - e.point) / (search.high - search.low)) > 0.004 for e in result):
            kind, values, _, _ = judged(search, state)
            result.append(_named(search, state, kind, values, True))
    return result
