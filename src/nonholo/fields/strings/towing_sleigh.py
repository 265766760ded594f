"""A sleigh that tows a string which cannot slip sideways. [Zenkov 2016, Example 4.2, with the string behind]

The string follows the path of the blade's contact, so all its points have the blade's speed v. With the centre of mass
``a`` ahead of the contact, μ the mass of the string, push F along the blade and torque T,

    (m + μ) v̇ = m a ω² + F,        (J + m a²) ω̇ = −m a ω v + T,        λ(s) = ρ v̇ (L − s).

Printed, the example attaches the string with ``z_s = +1``, which is ahead of a sleigh with v > 0; behind is
``z_s(0) = −1``, or v < 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import ModelError, Remedy, StateError
from nonholo.fields.field_starts import formula, known_keys, number, sampled, wanted_times, whole_number
from nonholo.fields.field_trajectory import trajectory
from nonholo.fields.function_grid import Grid, chebyshev, interpolation
from nonholo.integrate.motion.simulate import simulate
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.integrate.outcome import Outcome
from nonholo.model.system import System
from nonholo.notation.read import names_of
from nonholo.program.array_types import AnyArray

if TYPE_CHECKING:
    from nonholo.fields.density.field import Field


@dataclass(frozen=True, eq=False)
class Tow:
    """Sleigh and string at the times: heading, v, ω, v̇ of the sleigh; θ, its rate, places and velocities of the string."""

    times: AnyArray
    sense: float
    heading: AnyArray
    v: AnyArray
    omega: AnyArray
    v_rate: AnyArray
    theta: AnyArray
    turning: AnyArray
    z: AnyArray
    moving: AnyArray


def ending_of(run: Any) -> Outcome:
    """The outcome of the sleigh's motion, in words about the string."""
    if run.outcome.kind != "event":
        return run.outcome
    advice = "The sleigh stands still here and would run back into its string, ahead of it; push it on, or stop here."
    return Outcome("string ahead", run.outcome.time, Remedy(advice))


def tow(sleigh: Any, run: Any, shape: Any, sense: float, times: AnyArray) -> Tow:
    """The string at the ``times`` that the run reached.

    The point at s was where the blade was when its path was shorter by s: ``θ(s, t) = φ(t') + π``, ``ℓ(t') = ℓ(t) − s``.
    Path and heading between the run's many times are cubics through values and slopes. What the path has not reached
    yet keeps the shape of the start.
    """
    import symengine as se
    from scipy.interpolate import CubicHermiteSpline, make_interp_spline

    at = run["t"]
    heading, v, omega = run["heading"], run["v"], run["omega"]
    blade, speed = run["x"] + 1j * run["y"], v * np.exp(1j * heading)
    gone = CubicHermiteSpline(at, sense * run["sigma"], sense * v)
    turned = CubicHermiteSpline(at, heading, omega)
    path = CubicHermiteSpline(at, blade, speed)
    v_rate = make_interp_spline(at, v, k=5).derivative()(at)

    times = times[times <= at[-1] * (1 + 1e-12)]
    if run.outcome.kind == "event" and (not len(times) or times[-1] < at[-1]):
        times = np.append(times, at[-1])
    behind = np.pi if sense > 0 else 0.0
    k = np.searchsorted(at, times).clip(max=len(at) - 1)
    points = sleigh.grid.points
    target = gone(times)[:, None] - points
    on_path = target >= 0
    then = _when(gone, at, np.where(on_path, target, 0.0))
    pace = np.abs(gone(then, 1))
    follow = np.divide(turned(then, 1) * np.abs(v[k])[:, None], pace, out=np.zeros_like(pace), where=pace > 0)
    rest = np.where(on_path, 0.0, -target)
    start_angle = sampled(shape, ("s",), "theta", rest)
    start_slope = sampled(se.diff(shape, se.Symbol("s")), ("s",), "theta", rest)
    theta = np.where(on_path, turned(then) + behind, start_angle)
    turning = np.where(on_path, follow, -np.abs(v[k])[:, None] * start_slope)
    z = np.where(on_path, path(then), blade[0] + _start_curve(sleigh, shape, rest))
    moving = -np.abs(v[k])[:, None] * np.exp(1j * theta)
    return Tow(times, sense, heading[k], v[k], omega[k], v_rate[k], theta, turning, z, moving)


def _when(gone: Any, at: AnyArray, target: AnyArray) -> AnyArray:
    """The times at which the path had these lengths, by Newton's method from the table."""
    table = gone(at)
    t = np.interp(target, table, at)
    for _ in range(6):
        rate = gone(t, 1)
        t = np.clip(t - np.divide(gone(t) - target, rate, out=np.zeros_like(t), where=rate > 1e-9), at[0], at[-1])
    return np.asarray(t)


def _start_curve(sleigh: Any, shape: Any, places: AnyArray) -> AnyArray:
    """``∫₀ e^{iθ} ds`` of the start's shape at any places on the string."""
    count = 2 * sleigh.nodes
    fine = chebyshev(count, sleigh.length)
    curve = fine.integral @ np.exp(1j * sampled(shape, ("s",), "theta", fine.points))
    inside = np.clip(places, 0.0, sleigh.length)
    return np.asarray((interpolation(count, inside.ravel(), sleigh.length) @ curve).reshape(places.shape))


KEYS = ("v", "omega", "heading", "x", "y", "theta")
FINE = 4001
"""Times at which the sleigh's motion is sampled, at least, for the path that the string follows."""


@dataclass(frozen=True)
class SleighString:
    """A sleigh (``mass``, ``inertia`` about its centre of mass, which lies ``offset`` ahead of the blade) and its string.

    ``forces`` push along the blade (``"v"``) and turn (``"omega"``), as texts in the sleigh's ``heading, x, y, v,
    omega``, in ``t`` and in ``inputs``, whose laws are given to `simulate`.

    >>> run = SleighString().simulate({"v": 1.0, "omega": 0.5}, until=4.0)
    >>> bool(run.drift("energy") < 1e-9), run["theta"].shape
    (True, (201, 48))
    """

    mass: float = 1.0
    inertia: float = 1.0
    offset: float = 0.0
    length: float = 1.0
    density: float = 1.0
    nodes: int = 48
    forces: Mapping[str, str] = field(default_factory=FrozenMap)
    inputs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("mass", "inertia", "length", "density"):
            object.__setattr__(self, name, number(getattr(self, name), f"sleigh with string: {name}", 0.0))
        object.__setattr__(self, "offset", number(self.offset, "sleigh with string: offset"))
        why = "fewer than 8 nodes cannot carry a curve"
        object.__setattr__(self, "nodes", whole_number(self.nodes, "sleigh with string: nodes", 8, 512, why))
        object.__setattr__(self, "inputs", names_of(self.inputs, "sleigh with string: inputs") if self.inputs else ())
        for name in self.forces:
            if name not in ("v", "omega"):
                raise ModelError(
                    f"sleigh with string: a force on {name!r}; it is pushed along its blade, forces={{'v': …}}, or turned, "
                    "{'omega': …}."
                )
        object.__setattr__(self, "forces", FrozenMap(dict(self.forces)))

    @property
    def grid(self) -> Grid:
        """The points of the string and their matrices; s = 0 is at the sleigh."""
        return chebyshev(self.nodes, self.length)

    def as_field(self) -> Field:
        """The same as a field: the string with the sleigh as a body at s = 0, whose heading ``phi`` is the same at every s.

        There the blade's constraint takes the place of the string's. A push along the blade is spread along the string, which
        has one speed, and does the same work.
        """
        from nonholo.fields.density.field import Field

        sleigh = "m*((xdot - a*phidot*sin(phi))**2 + (ydot + a*phidot*cos(phi))**2)/2 + J*phidot**2/2"
        names = {"heading": "phi", "v": "-(xdot*x_s + ydot*y_s)", "omega": "phidot"}
        known = (*names, "t", *self.inputs)
        forces: dict[str, Any] = {}
        for name, text in self.forces.items():
            given = formula(text, (*known, "x", "y"), f"sleigh with string: force on {name}")
            if {str(e) for e in given.free_symbols} & {"x", "y"}:
                raise ModelError(
                    "sleigh with string: a force that depends on the sleigh's place acts at one point and is no density along "
                    "the string; use simulate."
                )
            whole = re.sub(r"\b(heading|v|omega)\b", lambda found: f"({names[found[0]]})", str(given))
            spread = f"({whole})/{self.length!r}"
            forces |= {"phi": spread} if name == "omega" else {"x": f"-{spread}*x_s", "y": f"-{spread}*y_s"}
        return Field(
            "x y phi", "rho*(xdot**2 + ydot**2)/2", constraint="x_s*ydot - y_s*xdot", holonomic=("x_s**2 + y_s**2 - 1", "phi_s"),
            ends={"start": {"lagrangian": sleigh, "constraint": "xdot*sin(phi) - ydot*cos(phi)"}}, forces=forces,
            inputs=self.inputs, parameters={"rho": self.density, "m": self.mass, "J": self.inertia, "a": self.offset},
            length=self.length, nodes=self.nodes, name="sleigh with string",
        )  # fmt: skip

    @property
    def system(self) -> System:
        """The sleigh with the mass of its string at the blade, which is all that the string does to it.

        ``sigma`` is the length of the path.
        """
        return System(
            name="sleigh with string",
            coordinates="heading x y sigma",
            parameters="m J a mu",
            inputs=self.inputs,
            lagrangian="m/2*((xdot - a*headingdot*sin(heading))**2 + (ydot + a*headingdot*cos(heading))**2)"
            " + J/2*headingdot**2 + mu/2*(xdot**2 + ydot**2)",
            constraints=["ydot*cos(heading) - xdot*sin(heading)", "sigmadot - xdot*cos(heading) - ydot*sin(heading)"],
            quasivelocities={"omega": "headingdot", "v": "xdot*cos(heading) + ydot*sin(heading)"},
            forces=dict(self.forces),
        )

    def values(self) -> dict[str, float]:
        """The numbers of `system`."""
        return {"m": self.mass, "J": self.inertia, "a": self.offset, "mu": self.density * self.length}

    def simulate(
        self,
        start: Mapping[str, Any] | None = None,
        until: float = 1.0,
        method: str = "dop853",
        rtol: float = 1e-11,
        atol: float = 1e-13,
        t_eval: Any = None,
        step: float | None = None,
        inputs: Mapping[str, Any] | None = None,
    ) -> Trajectory:
        """The motion, by any method of `nonholo.simulate` (``step`` for those that need one).

        ``start``: ``v``, ``omega``, ``heading``, ``x``, ``y`` of the sleigh, and ``theta``, the string's tangent angle
        as text in ``s`` from the sleigh to the tail (straight behind when left out).
        """
        where = "sleigh with string"
        given = known_keys(start, KEYS, where)
        numbers = {name: number(given.get(name, 1.0 if name == "v" else 0.0), f"{where}: {name}") for name in KEYS[:-1]}
        shape = self._attached(given, numbers, where)
        times = wanted_times(t_eval, until, where)
        options: dict[str, Any] = {} if step is None else {"step": step}
        count = int(min(max(FINE, 800 * float(times[-1])), 10 * FINE))
        fine = _with(np.linspace(0.0, float(times[-1]), count), times)
        run = simulate(
            self.system, numbers, float(times[-1]), self.values(), method=method, rtol=rtol, atol=atol, t_eval=fine,
            events=_turning_back(numbers["v"]), inputs=inputs, progress=False, **options,
        )  # fmt: skip
        towed = tow(self, run, shape, _direction(numbers, shape), times)
        return self._trajectory(towed, given, method, run)

    def _attached(self, given: Mapping[str, Any], numbers: Mapping[str, float], where: str) -> Any:
        """The string's shape, if it lies behind the sleigh and leaves it without a corner (4.10)."""
        forward = numbers["v"] >= 0
        behind = numbers["heading"] + (np.pi if forward else 0.0)
        if "theta" not in given:
            return formula(float(behind), ("s",), where)
        shape = formula(given["theta"], ("s",), f"{where}: theta")
        first = sampled(shape, ("s",), f"{where}: theta", np.zeros(1))[0]
        away = abs(np.angle(np.exp(1j * (first - behind))))
        if abs(away - np.pi) < 1e-9:
            raise StateError(
                f"{where}: the string is attached ahead of the sleigh: theta(0) = {first:.6g} points along its motion (heading "
                f"{numbers['heading']:.6g}, v = {numbers['v']:g}), where it would have to push it; give theta(0) = {behind:.9g}, "
                f"or v {'below' if forward else 'above'} 0."
            )
        if away > 1e-9:
            raise StateError(
                f"{where}: the string leaves the sleigh at the angle theta(0) = {first:.6g}, which makes a corner "
                f"with its blade; "
                f"it must lie straight behind there: give theta(0) = {behind:.9g}."
            )
        return shape

    def _trajectory(self, towed: Tow, given: Mapping[str, Any], method: str, run: Any) -> Trajectory:
        weights = self.density * self.grid.weights
        m, a = self.mass, self.offset
        ahead = np.exp(1j * towed.heading)
        centre = towed.z[:, 0] + a * ahead
        pace = ahead * (towed.v + 1j * a * towed.omega)
        momentum = m * pace + towed.moving @ weights
        kinetic = 0.5 * m * np.abs(pace) ** 2 + 0.5 * self.inertia * towed.omega**2
        over_space = {
            "theta": towed.theta, "omega": towed.turning, "x": towed.z.real, "y": towed.z.imag,
            "tension": self.density * towed.sense * towed.v_rate[:, None] * (self.length - self.grid.points),
        }  # fmt: skip
        over_time = {
            "energy": kinetic + 0.5 * (np.abs(towed.moving) ** 2 @ weights),
            "momentum_x": momentum.real, "momentum_y": momentum.imag,
            "angular_momentum": m * (np.conj(centre) * pace).imag + self.inertia * towed.omega
            + (np.conj(towed.z) * towed.moving).imag @ weights,
            "heading": towed.heading, "v": towed.v, "turning": towed.omega, "vdot": towed.v_rate,
        }  # fmt: skip
        axes = {"s": self.grid.points}
        found = ending_of(run)
        return trajectory(
            self,
            "sleigh with string",
            given,
            method,
            towed.times,
            axes,
            over_space,
            over_time,
            found,
            run.steps,
            run.calls,
        )


def _with(fine: AnyArray, times: AnyArray) -> AnyArray:
    """Both lists of times in order; of the fine ones those that do not crowd the others."""
    apart = (fine[1] - fine[0]) / 4
    place = np.searchsorted(times, fine)
    after = np.abs(fine - times[place.clip(max=len(times) - 1)])
    before = np.abs(fine - times[(place - 1).clip(min=0)])
    return np.unique(np.concatenate([[0.0], fine[(after > apart) & (before > apart)], times]))


def _direction(numbers: Mapping[str, float], shape: Any) -> float:
    """+1 when the sleigh goes ahead of its string by its heading, −1 when it backs."""
    return 1.0 if numbers["v"] >= 0 else -1.0


def _turning_back(v: float) -> Any:
    """The instant at which the sleigh would run into its string."""
    from nonholo.integrate.motion.integration import Event

    return [Event("v", direction=-1 if v >= 0 else 1, terminal=True)]
