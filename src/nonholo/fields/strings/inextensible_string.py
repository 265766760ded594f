"""The inextensible string in the plane, free or held, without bending stiffness. [Zenkov 2016, Example 3.2]

With ``z_s = e^{iθ}`` and Λ the tension over the density, ``z_tt = (Λ e^{iθ})_s − i g``; its slope in s is

    Λ_ss − θ_s² Λ = −Ω²,        Ω_t = 2 θ_s Λ_s + θ_ss Λ,        θ_t = Ω.

A free end has Λ = 0. Without held ends the equations are taken as they stand: there the points at the ends need no condition
on θ, because the speed of waves, √Λ, vanishes. At a held end ``z_tt = 0``, that is ``(Λ e^{iθ})_s = i g``: this replaces the
value at that end before the second differentiation, which is stable and never divides by the tension.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.errors import ModelError, StateError
from nonholo.fields.field_starts import (
    METHODS,
    chosen_method,
    fixed_step,
    number,
    tolerance,
    wanted_times,
    whole_number,
)
from nonholo.fields.field_steppers import REACHED, SLACK, adaptive, reached_times
from nonholo.fields.field_trajectory import ending, trajectory
from nonholo.fields.function_grid import Grid, chebyshev
from nonholo.fields.strings.string_start import UNDETERMINED, read
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.program.array_types import AnyArray, Array

if TYPE_CHECKING:
    from nonholo.fields.density.field import Field

ENDS = ("start", "end")
LEAST, MOST = 8, 512


@dataclass(frozen=True)
class String:
    """A string of unit-speed curves ``z_s = e^{iθ(s, t)}``: |z_s| = 1 by construction.

    ``held`` names the ends that do not move, ``("start",)`` or ``("start", "end")``; gravity points down the y-axis.

    >>> run = String().simulate({"theta": "0.8*cos(pi*s)", "omega": "1"}, until=1.0)
    >>> run
    <Trajectory string: t = 0 … 1, 201 points, reached>
    >>> run["tension"].shape, run.drift("energy") < 1e-9
    ((201, 48), True)
    """

    length: float = 1.0
    density: float = 1.0
    nodes: int = 48
    gravity: float = 0.0
    held: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("length", "density"):
            object.__setattr__(self, name, number(getattr(self, name), f"string: {name}", 0.0))
        object.__setattr__(self, "gravity", number(self.gravity, "string: gravity"))
        why = f"fewer than {LEAST} nodes cannot carry a curve"
        object.__setattr__(self, "nodes", whole_number(self.nodes, "string: nodes", LEAST, MOST, why))
        given = (self.held,) if isinstance(self.held, str) else tuple(self.held)
        if any(end not in ENDS for end in given) or len(set(given)) != len(given):
            raise ModelError(f'string: held = {self.held!r}; it may hold "start" (s = 0), "end" (s = length), or both.')
        object.__setattr__(self, "held", tuple(end for end in ENDS if end in given))

    @property
    def grid(self) -> Grid:
        """The Chebyshev–Lobatto points and their matrices."""
        return chebyshev(self.nodes, self.length)

    def as_field(self) -> Field:
        """The same string as a field of its density, ``½ρ|ż|² − ρ g y`` with ``|z_s| = 1``; its tension is ``-2*multiplier1``."""
        from nonholo.fields.density.rods import elastic_string

        ends = dict.fromkeys(self.held, "held")
        return elastic_string(self.density, gravity=self.gravity, ends=ends, length=self.length, nodes=self.nodes, name="string")

    def simulate(
        self,
        start: Mapping[str, Any] | None = None,
        until: float = 1.0,
        method: str = "dop853",
        rtol: float = 1e-10,
        atol: float = 1e-12,
        t_eval: Any = None,
        step: float | None = None,
        max_steps: int = 1_000_000,
    ) -> Trajectory:
        """The motion from ``start`` at t = 0.

        ``method``: ``"dop853"`` (collocation with the tension's boundary value problem, order 8 in time, compiled), ``"hamel"``
        (polynomials in Hamilton's principle, discrete Hamel in time; needs ``step``), ``"galerkin"`` (the same polynomials,
        order 8 in time).

        ``start`` has ``theta`` and ``omega`` (texts in ``s``), or the curve ``x``, ``y`` with ``xdot``, ``ydot``; a free string
        also ``center`` and ``velocity``, a held one ``at``, the place of its first held end.
        """
        theta, omega, place, velocity = read(start, self.grid, self.held, "string")
        times = wanted_times(t_eval, until, "string")
        tolerances = tolerance(rtol, "rtol", "string"), tolerance(atol, "atol", "string")
        if chosen_method(method, METHODS, "string") == "hamel":
            from nonholo.fields.strings.variational_string import motion

            found = motion(self, theta, omega, times, fixed_step(step, "string"))
        elif method == "galerkin":
            from nonholo.fields.strings.variational_string import galerkin

            found = galerkin(self, theta, omega, times, tolerances)
        else:
            found = _motion(self, theta, omega, times, tolerances, int(max_steps))
        rows, tensions, status, end, steps, calls = found
        times = reached_times(times, rows, end)
        over_space, over_time = self.quantities(times, rows, tensions, place, velocity)
        return trajectory(
            self, "string", start or {}, method, times, {"s": self.grid.points}, over_space, over_time,
            ending(status, end), steps, calls,
        )  # fmt: skip

    def tension(self, start: Mapping[str, Any] | None = None) -> Array:
        """The tension of a state on the nodes, from its boundary value problem.

        >>> spin = String(nodes=16, density=2.0)
        >>> s = spin.grid.points
        >>> bool(abs(spin.tension({"omega": "3"}) - 2.0 * 9 * s * (1 - s) / 2).max() < 1e-13)
        True
        """
        theta, omega, _, _ = read(start, self.grid, self.held, "string")
        return self.density * self.turning_rate(theta, omega)[1]

    def turning_rate(self, theta: Array, omega: Array) -> tuple[Array, Array]:
        """``Ω_t`` and the tension over the density, of one state on the nodes."""
        tension = np.zeros(self.nodes)
        try:
            turning = rates(np.concatenate([theta, omega]), _setting(self), tension)[self.nodes :]
        except np.linalg.LinAlgError:
            raise StateError(UNDETERMINED) from None
        return turning, tension

    def quantities(
        self, times: Array, rows: Array, tensions: Array, place: complex, velocity: complex
    ) -> tuple[dict[str, Array], dict[str, Array]]:
        """Everything named, over (time, s) and over time, from rows (θ, Ω) and Λ."""
        from nonholo.fields.strings.variational_string import polynomials

        n, mass = self.nodes, self.density * self.length
        space = polynomials(n, self.length, self.gravity, self.held)
        tangent = np.exp(1j * (rows[:, :n] @ space.finer.T))
        z, moving = tangent @ space.curve.T, (1j * (rows[:, n:] @ space.finer.T) * tangent) @ space.curve.T
        if not self.held:
            fall = -1j * self.gravity
            z = z + (velocity * times + fall * times**2 / 2)[:, None]
            moving = moving + (velocity + fall * times)[:, None]
        z = z + place
        weights = self.density * space.weights
        momentum, centre = moving @ weights, z @ weights
        over_space = {
            "theta": rows[:, :n], "omega": rows[:, n:], "tension": self.density * tensions, "x": z.real[:, ::2],
            "y": z.imag[:, ::2],
        }  # fmt: skip
        over_time = {
            "energy": 0.5 * (np.abs(moving) ** 2 @ weights) + self.gravity * centre.imag,
            "momentum_x": momentum.real,
            "momentum_y": momentum.imag,
            "angular_momentum": (np.conj(z) * moving).imag @ weights,
            "center_x": centre.real / mass,
            "center_y": centre.imag / mass,
        }
        return over_space, over_time


def _setting(string: String) -> tuple[Array, Array, Array]:
    """Constants of the rates: D, D P D with P zero at held ends, and the ends with gravity."""
    derivative = string.grid.derivative
    held = np.array([float(end in string.held) for end in ENDS])
    kept = np.ones(string.nodes)
    kept[[0, -1]] -= held
    return derivative, (derivative * kept) @ derivative, np.array([*held, string.gravity])


def _motion(
    string: String, theta: Array, omega: Array, times: Array, tolerances: tuple[float, float], most: int
) -> tuple[Array, Array, int, float, int, int]:
    """States at the times, the tensions there, status, end, steps, calls."""
    setting, tension = _setting(string), np.zeros(string.nodes)
    start = np.concatenate([theta, omega])
    try:
        rows, status, end, steps, calls = adaptive(
            lambda state: rates(state, setting, tension), start, times, *tolerances, most, lambda: fault(setting, tension)
        )
    except np.linalg.LinAlgError:
        raise StateError(UNDETERMINED) from None
    tensions = []
    for row in rows:
        rates(row, setting, tension)
        tensions.append(tension.copy())
    return np.array(rows), np.array(tensions), status, end, steps, calls


Setting = tuple[Array, Array, Array]


def rates(y: Array, setting: Setting, tension: Array) -> Array:
    """``(θ, Ω) → (Ω, Ω_t)``; ``tension`` receives Λ."""
    derivative, second, ends = setting
    n = len(y) // 2
    theta, omega = y[:n], y[n:]
    if not ends[:2].any():
        return np.concatenate([omega, _free(theta, omega, derivative, second, tension)])
    return np.concatenate([omega, _held(theta, omega, derivative, second, ends, tension)])


def _free(theta: Array, omega: Array, derivative: Array, second: Array, tension: Array) -> Array:
    slope = derivative @ theta
    inside = second[1:-1, 1:-1].copy()
    inside.flat[:: len(inside) + 1] -= slope[1:-1] ** 2
    tension[0] = tension[-1] = 0.0
    tension[1:-1] = np.linalg.solve(inside, -(omega[1:-1] ** 2))
    turning: Array = 2.0 * slope * (derivative @ tension) + tension * (derivative @ slope)
    return turning


def _held(theta: Array, omega: Array, derivative: Array, second: Array, ends: Array, tension: Array) -> Array:
    """``second`` is here D P D with P zero at held ends; ``ends`` = (held at 0, held at L, gravity)."""
    first, last = (0 if ends[0] else 1), (len(theta) if ends[1] else -1)
    tangent = np.stack([np.cos(theta), np.sin(theta)])
    cosine, sine = tangent
    held = ends[2] * (ends[0] * derivative[:, 0] + ends[1] * derivative[:, -1])
    # e^{−iθ} i held = held (sin θ + i cos θ)
    side = -(omega**2) - held * sine
    real = tangent.T @ tangent  # cos(θ_k − θ_j)
    real *= second
    tension[:] = 0.0
    tension[first:last] = np.linalg.solve(real[first:last, first:last], side[first:last])
    along, across = (tangent * tension) @ second.T
    turning: Array = cosine * (across + held) - sine * along
    return turning


def fault(setting: Setting, tension: Array) -> int:
    """A string that would have to be pushed, or that has no tension where it is held under gravity."""
    ends = setting[2]
    if not ends[:2].any():
        return REACHED
    most = max(float(np.max(np.abs(tension))), 1e-300)
    if np.min(tension) < -1e-7 * most:
        return SLACK
    if ends[2] != 0.0 and (ends[0] * tension[0] + ends[1] * tension[-1]) <= 1e-9 * abs(ends[2]):
        return SLACK
    return REACHED


@dataclass(frozen=True, eq=False)
class Modes:
    """Circular frequencies in rising order, the shapes θ(s) of the modes (rows), and the fastest growth that was found."""

    frequencies: AnyArray
    shapes: AnyArray
    growth: float


def modes(string: String, start: Mapping[str, Any] | None = None, step: float = 1e-3) -> Modes:
    """The linear oscillations about a steady motion, from the slopes of the rates on the nodes.

    By differences of order 4: the rates of a string solve for its tension with NumPy and are no program.

    About rigid rotation of the free string ``ω_n² = ½ Ω² n (n + 3)``, with derivatives of Legendre polynomials as shapes.

    >>> import nonholo as nh
    >>> found = modes(nh.fields.String(nodes=16), {"omega": "2"})
    >>> [round(float(w) ** 2, 6) for w in found.frequencies[:3]]
    [8.0, 20.0, 36.0]
    """
    theta, omega, _, _ = read(start, string.grid, string.held, "modes")
    n = string.nodes
    rate = string.turning_rate(theta, omega)[0]
    uneven = float(np.ptp(omega)) if not string.held else float(np.max(np.abs(omega)))
    scale = max(1.0, float(np.max(np.abs(omega))) ** 2, abs(string.gravity) / string.length)
    if max(float(np.max(np.abs(rate))), uneven**2) > 1e-6 * scale:
        raise StateError(
            f"modes: the start is not steady (omega changes at {np.max(np.abs(rate)):.3g}); give an equilibrium, or a free "
            "string that turns as one straight piece."
        )

    def flow(y: AnyArray) -> AnyArray:
        return np.concatenate([y[n:], string.turning_rate(y[:n], y[n:])[0]])

    state = np.concatenate([theta, omega])
    columns = []
    for moved in np.eye(2 * n) * step:
        near = flow(state + moved) - flow(state - moved)
        far = flow(state + 2 * moved) - flow(state - 2 * moved)
        columns.append((8 * near - far) / (12 * step))
    values, vectors = np.linalg.eig(np.array(columns).T)
    swinging = np.flatnonzero(values.imag > 1e-3 * np.sqrt(scale))
    order = swinging[np.argsort(values.imag[swinging])]
    shapes = []
    for k in order:
        shape = vectors[:n, k]
        turned = (shape / shape[np.argmax(np.abs(shape))]).real
        shapes.append(turned)
    return Modes(values.imag[order], np.array(shapes), float(np.max(values.real)))
