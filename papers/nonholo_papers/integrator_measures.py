"""Measures of the properties of integrators on small test systems: a function for each property, zero where the property holds.

The test systems have generic numbers, no helpful symmetry, and a closed form where one is needed. Methods with variable steps are
measured at a tolerance of 1e-6. Two-step methods (gni, leapfrog) are measured as maps of their own state where reversibility and
stability are measured (`nonholo_papers.two_step`). The results stand in
`nonholo.analyse.integrators.integrator_properties`; "-" means there that a property does not apply, because the method is for
plain coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.optimize import brentq

from nonholo.analyse.integrators.steady_comparison import is_two_step
from nonholo.errors import ModelError, NonholoError
from nonholo.geometry.groups.matrix_groups import Vertical
from nonholo.integrate.methods import registered_methods
from nonholo.integrate.motion.simulate import simulate
from nonholo.model.system import System
from nonholo_papers.two_step import State, returned, two_step

Options = Mapping[str, object]
NOT_FOR = "does not apply"
LOOSE: dict[str, dict[str, float]] = {"taylor": {"tolerance": 1e-6}}
"""Options of methods with variable steps whose tolerance has another name; the relative error is 1e-6."""


@lru_cache(maxsize=1)
def skate() -> System:
    """An unbalanced skate on a spring: a velocity constraint, a potential, and nothing conserved but the energy."""
    return System(
        "unbalanced skate", coordinates="theta x y", parameters={"m": 1.3, "J": 0.7, "a": 0.4},
        lagrangian="m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2"
        " - m*x**2/2 - y**4/5",
        constraints=["ydot*cos(theta) - xdot*sin(theta)"],
        quasivelocities={"omega": "thetadot", "v": "xdot*cos(theta) + ydot*sin(theta)"},  # one frame, wherever a motion begins
        start={"theta": 0.3, "x": 0.5, "y": 0.2, "omega": 0.9, "v": 0.4},
    )  # fmt: skip


@lru_cache(maxsize=1)
def driver() -> System:
    """Two oscillators behind a gear that a turning pendulum sets: what flatters methods on other problems is missing here."""
    return System(
        "transmission", coordinates="x y xi",
        lagrangian="(xdot**2 + ydot**2 + xidot**2)/2 - (x**2 + 1.3*y**2)/2 + cos(xi)",
        constraints=["xdot - (sin(xi) + 0.6*cos(2*xi) + 0.3)*ydot"],
        start={"x": 0.6, "y": 0.8, "xi": 0.2, "ydot": 0.5, "xidot": 2.3},
    )  # fmt: skip


@lru_cache(maxsize=1)
def bead() -> System:
    """A bead on a surface of revolution: the momentum ``m r² φ̇``."""
    return System(
        "bead", coordinates="r phi", parameters={"m": 1.7, "k": 2.3},
        lagrangian="m/2*((1 + r**2)*rdot**2 + r**2*phidot**2) - k*r**4/4",
        start={"r": 0.8, "phi": 0.1, "rdot": 0.4, "phidot": 1.2},
    )  # fmt: skip


@lru_cache(maxsize=1)
def particle() -> System:
    """The nonholonomic particle ``ż = y ẋ`` on springs: ``√(1 + y²)`` is the density of an invariant measure in (x, y, z, ẋ,
    ẏ)."""
    return System(
        "particle", coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2 - (x**2 + 1.4*y**2)/2",
        constraints=["zdot - y*xdot"], quasivelocities={"u": "xdot", "w": "ydot"},
        start={"x": 0.4, "y": 0.7, "z": 0.1, "u": 0.8, "w": -0.5},
    )  # fmt: skip


@lru_cache(maxsize=1)
def turning() -> System:
    """A commutative Chaplygin system with relative equilibria ``r = r_e``, ``ġ = Ω`` that attract for Ω > 0 and repel for Ω < 0.

    The translations (x, y) follow in directions that turn with g, as wheels do.
    """
    return System(
        "turning", coordinates="r g x y",
        lagrangian="rdot**2/2 + (0.6 + 0.2*r)*gdot**2/2 + (xdot**2 + ydot**2)/2 - 1.4*r**2/2",
        constraints=[
            "xdot - cos(g)*((0.3 + 0.8*r)*gdot + 0.7*rdot) + sin(g)*(0.5 + 0.4*r)*gdot",
            "ydot - sin(g)*((0.3 + 0.8*r)*gdot + 0.7*rdot) - cos(g)*(0.5 + 0.4*r)*gdot",
        ],
        quasivelocities={"u": "rdot", "w": "gdot"}, start={"r": 0.4, "u": 0.0, "w": 1.0},
    )  # fmt: skip


@lru_cache(maxsize=1)
def pendulum() -> System:
    """The spherical pendulum in the vertical γ, as a degenerate body."""
    return System(
        "pendulum", frame=Vertical("gamma", rates="xi1 xi2 xi3"), parameters={"m": 1.2, "r": 0.9, "g": 9.81},
        lagrangian="m*r**2*(xi1**2 + 1.3*xi2**2)/2 - m*g*r*gamma3 - 0.4*gamma1", constraints=["xi3"],
        start={"gamma1": 0.6, "gamma2": 0.0, "gamma3": -0.8, "xi1": 0.7, "xi2": 1.1},
    )  # fmt: skip


@dataclass(frozen=True)
class Property:
    """A property: its name, how it is measured in a sentence, the measure and the largest number that counts as yes."""

    name: str
    meaning: str
    gap: Callable[[str, Options], float]
    small: float


def _run_by(
    system: System, start: Mapping[str, float] | None, until: float, by: str, options: Options, step: float, **more: Any
) -> Any:
    adaptive = registered_methods()[by].adaptive
    words: dict[str, Any] = {**LOOSE.get(by, {"rtol": 1e-6, "atol": 1e-9})} if adaptive else {"step": step}
    words |= {"t_eval": "end", **more, **options}
    return simulate(system, start, until, method=by, progress=False, **words)


def order(by: str, options: Options = {}) -> float:  # noqa: B006
    """The measured order on the unbalanced skate."""
    system = skate()
    exact = simulate(system, until=1.0, rtol=1e-13, atol=1e-14, t_eval="end", progress=False).final

    def error(parts: int) -> float:
        final = _run_by(system, None, 1.0, by, options, 1.0 / parts).final
        return float(max(abs(final[n] - exact[n]) for n in system.coordinates))

    return float(np.log2(error(24) / error(48)))


def symmetric(by: str, options: Options) -> float:
    """Twenty steps forwards and twenty backwards: how far from the start; on its own state for a method with a memory."""
    system, h = skate(), 0.05
    if is_two_step(by):
        return returned(system, by, h, 20, turned=False)
    names = (*system.coordinates, *system.velocities)
    there = _run_by(system, None, 20 * h, by, options, h).final
    back = _run_by(system, {"t": 20 * h, **{n: there[n] for n in names}}, 0.0, by, options, h).final
    begun = simulate(system, until=1e-9, t_eval=[0.0], progress=False)
    return float(max(abs(back[n] - begun[n][0]) for n in names))


def reversible(by: str, options: Options) -> float:
    """Twenty steps, all velocities reversed, twenty steps: how far from the start with reversed velocities; on its own state
    for a method with a memory."""
    system, h = skate(), 0.05
    if is_two_step(by):
        return returned(system, by, h, 20, turned=True)
    rates = system.velocities
    there = _run_by(system, None, 20 * h, by, options, h).final
    turned = {**{n: there[n] for n in system.coordinates}, **{n: -there[n] for n in rates}}
    back = _run_by(system, turned, 20 * h, by, options, h).final
    begun = simulate(system, until=1e-9, t_eval=[0.0], progress=False)
    gaps = [abs(back[n] - begun[n][0]) for n in system.coordinates] + [abs(back[n] + begun[n][0]) for n in rates]
    return float(max(gaps))


def energy(by: str, options: Options) -> float:
    """The energy's relative error over two thousand steps of the driven transmission."""
    return float(_run_by(driver(), None, 200.0, by, options, 0.1, t_eval=201).drift("energy"))


def momenta(by: str, options: Options) -> float:
    """The momentum of the bead on a surface of revolution over five hundred steps, relative."""
    run = _run_by(bead(), None, 25.0, by, options, 0.05, t_eval=51)
    kept = run["r"] ** 2 * run["phidot"]
    return float(np.max(np.abs(kept / kept[0] - 1)))


def constraints(by: str, options: Options) -> float:
    """The constraint's residual at the nodes of the driven transmission."""
    run = _run_by(driver(), None, 20.0, by, options, 0.1, t_eval="steps")
    ratio = np.sin(run["xi"]) + 0.6 * np.cos(2 * run["xi"]) + 0.3
    return float(np.max(np.abs(run["xdot"] - ratio * run["ydot"])))


def length(by: str, options: Options) -> float:
    """``|γ| − 1`` of a pendulum over two thousand steps of a fiftieth of a second."""
    run = _run_by(pendulum(), None, 40.0, by, options, 0.02, t_eval=41)
    return float(np.max(np.abs(np.sqrt(run["gamma1"] ** 2 + run["gamma2"] ** 2 + run["gamma3"] ** 2) - 1)))


def _slopes(system: System, names: tuple[str, ...], start: dict[str, float], by: str, options: Options, h: float) -> Any:
    """One step and its derivatives by central differences: methods of all kinds are measured, most of them carry no tangents."""

    def after(values: Any) -> Any:
        final = _run_by(system, dict(zip(names, values)), h, by, options, h).final
        return np.array([final[n] for n in names])

    base, small = np.array([start[n] for n in names]), 1e-5
    columns = [(after(base + small * e) - after(base - small * e)) / (2 * small) for e in np.eye(len(names))]
    return after(base), np.array(columns).T


def measure(by: str, options: Options) -> float:
    """By how much one step of 0.6 s changes the invariant measure of the nonholonomic particle."""
    system = particle()
    start = {n: float(v) for n, v in dict(system.start).items()}
    end, slopes = _slopes(system, ("x", "y", "z", "u", "w"), start, by, options, 0.6)
    return float(abs(np.linalg.det(slopes) * np.sqrt((1 + end[1] ** 2) / (1 + start["y"] ** 2)) - 1))


def resting(turn: float) -> float:
    """``r_e`` of the relative equilibrium with ``ġ = turn``, by the multiplier form."""
    from nonholo.derive.multipliers import multipliers

    equations = multipliers(turning())

    def pull(r: float) -> float:
        state = {"r": r, "g": 0.0, "x": 0.0, "y": 0.0, "rdot": 0.0, "gdot": turn}
        return float(equations.rates({**state, "xdot": (0.3 + 0.8 * r) * turn, "ydot": (0.5 + 0.4 * r) * turn}, {})["rdot"])

    return float(brentq(pull, -1.0, 1.0, xtol=1e-15))


def equilibria(by: str, options: Options) -> float:
    """How far ten steps of 0.5 s lead from relative equilibria of the Chaplygin system (its attracting ones)."""
    gaps = []
    for turn in (1.1, 0.6):
        r = resting(turn)
        final = _run_by(turning(), {"r": r, "u": 0.0, "w": turn}, 5.0, by, options, 0.5).final
        gaps.append(max(abs(final["r"] - r), abs(final["u"]), abs(final["w"] - turn)))
    return float(max(gaps))


def _own_slopes(by: str, start: Mapping[str, float], h: float) -> Any:
    """Derivatives of a step of a method with a memory: by r and the momentum that leaves, seen from axes that turn with g."""
    one = two_step(turning(), by)
    r, w = start["r"], start["w"]
    rest = np.array([0.0, w, (0.3 + 0.8 * r) * w, (0.5 + 0.4 * r) * w])
    leaving = one.begun(np.array([r, 0.0, 0.0, 0.0]), rest, h).leaving

    def after(values: Any) -> Any:
        end = one.after(State(np.array([values[0], 0.0, 0.0, 0.0]), rest, values[1:]), h)
        c, s = np.cos(end.q[1]), np.sin(end.q[1])
        x, y = end.leaving[2:]
        return np.array([end.q[0], *end.leaving[:2], c * x + s * y, c * y - s * x])

    base, small = np.array([r, *leaving]), 1e-5
    return np.array([(after(base + small * e) - after(base - small * e)) / (2 * small) for e in np.eye(5)]).T


def stability(by: str, options: Options) -> float:
    """How many of four relative equilibria (attracting and repelling, steps of 0.4 and 2 s) have multipliers on the wrong
    side."""
    wrong = 0
    for turn in (1.1, -1.1):
        attracts = turn > 0
        for h in (0.4, 2.0):
            start = {"r": resting(turn), "u": 0.0, "w": turn}
            if is_two_step(by):
                slopes = _own_slopes(by, start, h)
            else:
                _, slopes = _slopes(turning(), ("r", "u", "w"), start, by, options, h)
            multipliers = np.linalg.eigvals(slopes)
            others = np.delete(multipliers, np.argmin(np.abs(multipliers - 1)))  # one belongs to the family
            wrong += bool(np.max(np.abs(others)) < 1) != attracts
    return float(wrong)


PROPERTIES: tuple[Property, ...] = (
    Property("symmetric", "forwards and backwards is where it began", symmetric, 1e-10),
    Property("reversible", "with reversed velocities it goes back", reversible, 1e-10),
    Property("energy", "kept on a problem that does not turn back", energy, 1e-12),
    Property("momenta", "m r² φ̇ of a bead", momenta, 1e-12),
    Property("constraints", "hold at the nodes", constraints, 1e-12),
    Property("|γ|", "|γ| = 1 in redundant coordinates", length, 1e-12),
    Property("measure", "the invariant measure of a particle, one step", measure, 1e-9),
    Property("equilibria", "relative equilibria are fixed", equilibria, 1e-11),
    Property("stability", "and attract or repel as they should, at any step", stability, 0.5),
)
"""Every property that is measured."""


def properties(by: str, options: Options = {}) -> dict[str, tuple[str, float]]:  # noqa: B006
    """For each property "yes", "no", "unknown" (the motion ended early) or that it does not apply, and the number measured.

    >>> properties("hamel")["symmetric"][0]
    'yes'
    """
    found: dict[str, tuple[str, float]] = {}
    for one in PROPERTIES:
        try:
            gap = one.gap(by, options)
        except ModelError:
            found[one.name] = NOT_FOR, float("nan")
            continue
        except (NonholoError, KeyError, IndexError):
            gap = float("nan")
        found[one.name] = ("unknown" if not np.isfinite(gap) else "yes" if gap <= one.small else "no"), gap
    return found
