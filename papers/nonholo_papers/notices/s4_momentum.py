"""The momentum equation: cyclic variables, Theorem 3 and Corollary 4."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import analytic, identity, moving, moving_system, slope, vanish
from nonholo_papers.section import Section

Array = Any
section = Section("notices", "Momentum equation")
section.rest("definition", 9, "Definition 2")
R = ("r2",)
METRIC = (
    ("2 + sin(r2)/3", "r2/4", "1/5", "r2/6"),
    ("r2/4", "3/2 + cos(r2)/5", "r2/7", "1/4"),
    ("1/5", "r2/7", "1 + r2**2/6", "1/3"),
    ("r2/6", "1/4", "1/3", "2 + r2/5"),
)
ROWS = (("sin(r2)/2", "r2/3"), ("1/4 + r2**2/5", "cos(r2)/3"))
"""``A^a_α(r2)``: r1, s1 and s2 are cyclic."""
_metric, _rows = analytic(METRIC, R), analytic(ROWS, R)


@lru_cache
def cyclic() -> tuple[Any, ...]:
    """States of a system whose coordinates r1, s1, s2 are cyclic, rates by the witness."""
    from nonholo.model.system import System

    rates = ("r1dot", "r2dot", "s1dot", "s2dot")
    kinetic = " + ".join(f"({METRIC[i][j]})*{rates[i]}*{rates[j]}/2" for i in range(4) for j in range(4))
    rows = [f"{s} + ({row[0]})*r1dot + ({row[1]})*r2dot" for s, row in zip(("s1dot", "s2dot"), ROWS)]
    system = System(name="cyclic", coordinates="r1 r2 s1 s2", lagrangian=f"{kinetic} - cos(r2)", constraints=rows)
    return tuple(moving_system(system, {}, 4, 3))


def _push(s: Any) -> Array:
    return _metric(np.array([s.r2])) @ np.array([s.r1dot, s.r2dot, s.s1dot, s.s2dot])


def cyclic_momentum(s: Any) -> Any:
    """``∂L_c/∂ṙ1``."""
    p = _push(s)
    return p[0] - _rows(np.array([s.r2]))[:, 0] @ p[2:]


def curvature(s: Any) -> Array:
    """``B^b_12 = ∂A^b_1/∂r2``."""
    return slope(_rows, np.array([s.r2]))[:, 0, 0]


@section.confirmed("ṗ1 for a cyclic variable", 10)
def cyclic_variable() -> Evidence:
    """ṗ1 = −∂L/∂ṡ^b B^b_1β ṙ^β, which need not vanish."""

    def terms(s: Any) -> list[Any]:
        return [s.dot(cyclic_momentum), _push(s)[2:] @ curvature(s) * s.r2dot]

    return identity(cyclic(), terms, words="r1, s1, s2 cyclic; rates by the multiplier witness")


@section.refuted(
    "ṗ1 for a cyclic variable: the right side is linear in ṙ",
    printed="right side linear in ṙ",
    right="quadratic in the velocities: ∂L/∂ṡ^b is itself linear in ṙ on the constraints (without magnetic terms)",
    reason="Twice the velocity gives four times the right side. It is linear in ṙ only when ∂L/∂ṡ^b counts as another variable.",
    harm=2,
    breaks="Arguments by the order in the velocity: stability, time reversal, reparameterisation of time.",
    kind="convention",
)
def linear_in_the_rates() -> Evidence:
    """At twice the velocity the right side is twice as large."""

    def side(s: Any, factor: float) -> float:
        lift = np.concatenate([np.eye(2), -_rows(np.array([s.r2]))])
        rate = factor * np.array([s.r1dot, s.r2dot])
        push = _metric(np.array([s.r2])) @ lift @ rate
        return float(-push[2:] @ curvature(s) * rate[1])

    def right(s: Any) -> list[Any]:
        """Four times as large, and the rate of p1 by the witness."""
        return [np.array([side(s, 2.0), s.dot(cyclic_momentum)]), -side(s, 1.0) * np.array([4.0, 1.0])]

    return identity(
        cyclic(),
        lambda s: [side(s, 2.0), -2 * side(s, 1.0)],
        right,
        words="−∂L/∂ṡ^b B^b_1β ṙ^β on the constraints at two speeds",
    )


@section.confirmed("ṗ1 for a cyclic variable: the equation does not depend on r1")
def independent_of_the_cyclic_variable() -> Evidence:
    """ṗ1 by the witness is the same at another r1 (and s), and another at another r2."""
    from nonholo.derive.multipliers import multipliers
    from nonholo.model.system import System

    rates = ("r1dot", "r2dot", "s1dot", "s2dot")
    kinetic = " + ".join(f"({METRIC[i][j]})*{rates[i]}*{rates[j]}/2" for i in range(4) for j in range(4))
    rows = [f"{s} + ({row[0]})*r1dot + ({row[1]})*r2dot" for s, row in zip(("s1dot", "s2dot"), ROWS)]
    equations = multipliers(
        System(name="cyclic", coordinates="r1 r2 s1 s2", lagrangian=f"{kinetic} - cos(r2)", constraints=rows)
    )

    def acceleration(s: Any, shift: Array) -> Array:
        place = dict(zip(("r1", "r2", "s1", "s2"), np.array([s.r1, s.r2, s.s1, s.s2]) + shift))
        state = {**place, **{n: getattr(s, n) for n in rates}}
        return np.array([equations.rates(state, {})[n] for n in rates])

    def terms(s: Any, shift: Array) -> list[Any]:
        return [acceleration(s, np.zeros(4)), -acceleration(s, shift)]

    return identity(
        cyclic()[:2],
        lambda s: terms(s, np.array([0.9, 0, -0.6, 0.4])),
        mutants=[lambda s: terms(s, np.array([0, 0.5, 0, 0]))],
        words="accelerations of the witness",
    )


def _sleigh_push(s: Any) -> Array:
    """∂L/∂(θ̇, ẋ, ẏ) of the sleigh."""
    c, d = np.cos(s.theta), np.sin(s.theta)
    one, two = s.m * (s.xdot - s.a * s.thetadot * d), s.m * (s.ydot + s.a * s.thetadot * c)
    return np.array([s.J * s.thetadot + s.a * (two * c - one * d), one, two])


def _generator(s: Any, xi: Array) -> Array:
    """ξ_Q for ξ = (turn, x, y) of se(2), acting from the left."""
    return np.array([xi[0], xi[1] - s.y * xi[0], xi[2] + s.x * xi[0]])


@section.confirmed("Theorem 3, (6)", (11, "Theorem 3"), exhibits=("chaplygin-sleigh",))
def momentum_equation() -> Evidence:
    """d/dt⟨J^nhc, ξ^q⟩ = ∂L/∂q̇^i [dξ^q/dt]_Q^i (printed with subscript O), for sections of g^D: the sleigh, both of them."""

    def sections(s: Any) -> Array:
        """Along the edge, and turning about the contact point: elements of se(2) that depend on q."""
        c, d = np.cos(s.theta), np.sin(s.theta)
        return np.array([[0 * c, c, d], [1 + 0 * c, s.y + 0 * c, -s.x + 0 * c]])

    def momenta(s: Any) -> Array:
        return np.array([_sleigh_push(s) @ _generator(s, xi) for xi in sections(s)])

    def terms(s: Any) -> list[Any]:
        rates = s.dot(sections)
        return [s.dot(momenta), -np.array([_sleigh_push(s) @ _generator(s, xi) for xi in rates])]

    within = max(
        abs(float(_generator(s, xi) @ np.array([0, -np.sin(s.theta), np.cos(s.theta)])))
        for s in moving("chaplygin-sleigh")
        for xi in sections(s)
    )
    found = identity(moving("chaplygin-sleigh"), terms, words="both sections lie in D; rates by the multiplier witness")
    return Evidence(max(found.printed, within), None, found.mutant, found.words)


@lru_cache
def rolling_ball() -> tuple[Any, ...]:
    """A balanced ball with three different moments on a plane: rotations about the vertical lie in D."""
    from nonholo.geometry.frames.frame_constructions import Euclidean
    from nonholo.geometry.groups.matrix_groups import SO3
    from nonholo.model.system import System

    spin = [" + ".join(f"R{i}{j}*w{j}" for j in (1, 2, 3)) for i in (1, 2, 3)]
    system = System(
        name="ball",
        frame=SO3("R", rates="w1 w2 w3") * Euclidean("x y"),
        parameters="m r I1 I2 I3",
        lagrangian="m/2*(xdot**2 + ydot**2) + I1*w1**2/2 + I2*w2**2/2 + I3*w3**2/2",
        constraints=[f"xdot - r*({spin[1]})", f"ydot + r*({spin[0]})"],
    )
    return tuple(moving_system(system, {"m": 1.2, "r": 0.4, "I1": 0.3, "I2": 0.5, "I3": 0.7}))


@section.confirmed("Corollary 4, (7)", (12, "Corollary 4"), exhibits=("chaplygin-sphere",))
def horizontal_symmetry() -> Evidence:
    """A symmetry of L whose field lies in D conserves its momentum: turning a ball about the vertical, on its contact."""

    def momentum(s: Any, row: int) -> Any:
        return sum(getattr(s, f"R{row}{j}") * getattr(s, f"I{j}") * getattr(s, f"w{j}") for j in (1, 2, 3))

    return vanish(
        rolling_ball(),
        lambda s: s.dot(lambda z: momentum(z, 3)),
        [lambda s: s.dot(lambda z: momentum(z, 1))],
        words="vertical and horizontal momentum of a ball with three moments; rates by the witness",
    )


@section.confirmed(
    "momentum need not be conserved: penny, rattleback, snakeboard",
    exhibits=("rolling-disk", "rattleback", "snakeboard"),
    slow=True,
)
def examples() -> Evidence:
    """The nonholonomic momenta of all three have rates that do not vanish; those of the vertical disk do."""
    from nonholo import gallery
    from nonholo.algebra.linear_equations import evaluate
    from nonholo.symmetry.reduction.reduce import reduce

    def size(name: str) -> float:
        exhibit = gallery.get(name)
        equations = reduce(exhibit.system).momentum_equation
        names = sorted({str(s) for e in equations.values() for s in e.free_symbols} - set(exhibit.parameters))
        random = np.random.default_rng(4)
        values = {n: float(random.uniform(0.2, 0.6)) for n in names}
        return float(np.max(np.abs(evaluate(list(equations.values()), {**exhibit.parameters, **values}))))

    moves = min(size(n) for n in ("rolling-disk", "rattleback", "snakeboard"))
    return Evidence(size("vertical-disk"), mutant=moves, words="ṗ by the reduction at generic states")
