"""The string on ice that cannot slip sideways: it follows its front end. [Zenkov 2016, Example 4.1]"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.algebra.expression_types import Expr
from nonholo.errors import StateError
from nonholo.fields.field_starts import (
    chosen_method,
    formula,
    known_keys,
    number,
    pair,
    sampled,
    tolerance,
    wanted_times,
    whole_number,
)
from nonholo.fields.field_steppers import NOT_FINITE, REACHED
from nonholo.fields.field_trajectory import ending, trajectory
from nonholo.fields.function_grid import Grid, chebyshev
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.program.array_types import AnyArray

if TYPE_CHECKING:
    from nonholo.fields.density.field import Field

KEYS = ("theta", "speed", "front", "at")
METHODS = ("closed", "transport")
GAUSS = 12
"""Points of quadrature on each piece of the path."""


@dataclass(frozen=True)
class ConstrainedString:
    """A string whose points move along it: ``ż = z_s ξ`` with real ξ (4.6); ``ξ_s = 0`` and ``ξ_t = λ_s``, so ξ is constant.

    All points have one speed, ``z = φ(s + ξt)``. A positive ``speed`` moves the string towards its end s = length, which leads; a
    negative one towards s = 0. Where the front goes is not determined by the start: ``front`` is its heading, a text in ``t``
    (straight on when left out).

    >>> run = ConstrainedString().simulate({"theta": "sin(3*s)", "speed": 0.5, "front": "sin(3) + t"}, until=2.0)
    >>> bool(run.drift("energy") < 1e-13), run["reaction"].shape
    (True, (201, 48))
    """

    length: float = 1.0
    density: float = 1.0
    nodes: int = 48

    def __post_init__(self) -> None:
        for name in ("length", "density"):
            object.__setattr__(self, name, number(getattr(self, name), f"constrained string: {name}", 0.0))
        why = "fewer than 8 nodes cannot carry a curve"
        object.__setattr__(self, "nodes", whole_number(self.nodes, "constrained string: nodes", 8, 512, why))

    @property
    def grid(self) -> Grid:
        """The Chebyshev–Lobatto points and their matrices."""
        return chebyshev(self.nodes, self.length)

    def as_field(self, front: str = "", leading: str = "end") -> Field:
        """The same as a field, without slip and with ``|z_s| = 1``; ``front`` is the heading of the end that leads, a text in t.

        Without one the front goes on along the polynomial through the string.
        """
        from nonholo.fields.density.field import Field

        way = formula(front, ("t",), "constrained string: front") if front else None
        ends = {leading: {"constraint": f"xdot*sin({way}) - ydot*cos({way})"}} if way is not None else None
        return Field(
            "x y", "rho*(xdot**2 + ydot**2)/2", constraint="x_s*ydot - y_s*xdot", holonomic="x_s**2 + y_s**2 - 1", ends=ends,
            parameters={"rho": self.density}, length=self.length, nodes=self.nodes, name="constrained string",
        )  # fmt: skip

    def simulate(
        self,
        start: Mapping[str, Any] | None = None,
        until: float = 1.0,
        method: str = "closed",
        rtol: float = 1e-10,
        atol: float = 1e-12,
        t_eval: Any = None,
    ) -> Trajectory:
        """The motion: ``method="closed"`` shifts the curve, ``"transport"`` integrates ``θ_t = ξ θ_s`` by collocation.

        ``start``: ``theta`` (text in ``s``), ``speed`` (a number), ``front`` (heading of the string's tangent at its
        front, text in ``t``), ``at`` (place of the end s = 0).
        """
        where = "constrained string"
        given = known_keys(start, KEYS, where)
        times = wanted_times(t_eval, until, where)
        speed = number(given.get("speed", 1.0), f"{where}: speed")
        shape = formula(given.get("theta", "0"), ("s",), f"{where}: theta")
        ahead = self.length if speed >= 0 else 0.0
        last = sampled(shape, ("s",), f"{where}: theta", np.array([ahead]))[0]
        front = formula(given.get("front", float(last)), ("t",), f"{where}: front")
        first = sampled(front, ("t",), f"{where}: front", np.zeros(1))[0]
        if abs(first - last) > 1e-9:
            raise StateError(
                f"{where}: front starts at {first:.9g} where theta at its front end s = {ahead:g} is {last:.9g}; a string has "
                "no corner: let both agree at t = 0."
            )
        curve = _Curve(self, shape, front, speed, pair(given.get("at", (0, 0)), f"{where}: at"))
        if chosen_method(method, METHODS, where) == "closed":
            rows, slopes, status, calls = *curve.shifted(times), REACHED, 0
        else:
            rows, slopes, status, calls = curve.transported(
                times, tolerance(rtol, "rtol", where), tolerance(atol, "atol", where)
            )
            times = times[: len(rows)]
        z = curve.places(times, rows)
        moving = speed * np.exp(1j * rows)
        weights = self.density * self.grid.weights
        momentum = moving @ weights
        zero = np.zeros_like(rows)
        over_space = {
            "theta": rows, "omega": speed * slopes, "tension": zero, "reaction": self.density * speed**2 * slopes,
            "x": z.real, "y": z.imag,
        }  # fmt: skip
        over_time = {
            "energy": 0.5 * (np.abs(moving) ** 2 @ weights), "momentum_x": momentum.real, "momentum_y": momentum.imag,
            "angular_momentum": (np.conj(z) * moving).imag @ weights, "v": np.full(len(times), speed),
        }  # fmt: skip
        axes = {"s": self.grid.points}
        return trajectory(
            self, "constrained string", given, method, times, axes, over_space, over_time,
            ending(status, float(times[-1])), len(times), calls,
        )  # fmt: skip


@dataclass(frozen=True)
class _Curve:
    """The track ``θ_φ(σ)``: the start's shape on the string, the front's headings beyond it."""

    string: ConstrainedString
    shape: Expr
    front: Expr
    speed: float
    at: complex

    def headings(self, places: AnyArray) -> tuple[AnyArray, AnyArray]:
        """``θ`` and its slope along the track at arc lengths ``places``."""
        import symengine as se

        inside = (places <= self.string.length) if self.speed >= 0 else (places >= 0.0)
        nearest = np.where(inside, places, 0.0)
        slope = se.diff(self.shape, se.Symbol("s"))
        values = [sampled(e, ("s",), "constrained string: theta", nearest) for e in (self.shape, slope)]
        if self.speed:
            beyond = places - self.string.length if self.speed > 0 else places
            later = np.where(inside, 0.0, beyond / self.speed)
            rate = se.diff(self.front, se.Symbol("t"))
            ahead = [sampled(e, ("t",), "constrained string: front", later) for e in (self.front, rate)]
            values = [np.where(inside, values[0], ahead[0]), np.where(inside, values[1], ahead[1] / self.speed)]
        return values[0], values[1]

    def shifted(self, times: AnyArray) -> tuple[AnyArray, AnyArray]:
        """``θ(s, t) = θ_φ(s + ξt)``, the closed solution."""
        return self.headings(self.string.grid.points + self.speed * times[:, None])

    def transported(self, times: AnyArray, rtol: float, atol: float) -> tuple[AnyArray, AnyArray, int, int]:
        """``θ_t = ξ θ_s`` on the nodes, the front's heading given. The front's node is not integrated but set."""
        from scipy.integrate import solve_ivp

        grid, speed = self.string.grid, self.speed
        lead = len(grid.points) - 1 if speed >= 0 else 0
        free = np.array([k for k in range(len(grid.points)) if k != lead])
        theta = sampled(self.shape, ("s",), "constrained string: theta", grid.points)

        def whole_row(t: float, y: AnyArray) -> AnyArray:
            row = np.empty(len(grid.points))
            row[free] = y
            row[lead] = sampled(self.front, ("t",), "constrained string: front", np.array([t]))[0]
            return row

        path = solve_ivp(
            lambda t, y: speed * (grid.derivative @ whole_row(t, y))[free], (0.0, float(times[-1])), theta[free],
            method="DOP853", rtol=rtol, atol=atol, t_eval=times,
        )  # fmt: skip
        rows = np.array([whole_row(t, y) for t, y in zip(path.t, path.y.T)])
        return rows, rows @ grid.derivative.T, REACHED if path.status == 0 else NOT_FINITE, int(path.nfev)

    def places(self, times: AnyArray, rows: AnyArray) -> AnyArray:
        """Points of the string: its end s = 0 runs along the track, the rest by integrating the tangent.

        Where the track bends suddenly the integral is made in pieces, each smooth.
        """
        grid, length = self.string.grid, self.string.length
        nodes, weights = np.polynomial.legendre.leggauss(GAUSS)
        joint = length if self.speed >= 0 else 0.0
        reach = self.speed * times
        low, high = min(0.0, float(np.min(reach))), length + max(0.0, float(np.max(reach)))
        wanted = grid.points + reach[:, None]
        marks = np.unique(np.concatenate([wanted.ravel(), np.linspace(low, high, 65), [0.0, joint]]))
        middle, half = (marks[1:] + marks[:-1]) / 2, np.diff(marks) / 2
        tangents = np.exp(1j * self.headings(middle[:, None] + half[:, None] * nodes)[0])
        track = np.concatenate([[0.0], np.cumsum(half * (tangents @ weights))])
        track = track - track[np.searchsorted(marks, 0.0)] + self.at
        return np.asarray(track[np.searchsorted(marks, wanted)])
