"""Lists of integrals: functionally independent, and with what the constraints alone keep constant."""

from __future__ import annotations

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.finding import is_energy

L = "(xdot**2 + ydot**2 + zdot**2)/2"
SPACE = "thdot*cos(ph) + psdot*sin(th)*sin(ph)", "thdot*sin(ph) - psdot*sin(th)*cos(ph)", "phdot + psdot*cos(th)"
BALL_ON_FREE_TABLE = nh.System(
    coordinates="x y X Y ph th ps", parameters="I m M r",
    lagrangian=f"I*(({SPACE[0]})**2 + ({SPACE[1]})**2 + ({SPACE[2]})**2)/2 + m*(xdot**2 + ydot**2)/2 + M*(Xdot**2 + Ydot**2)/2",
    constraints=[f"xdot - Xdot - r*({SPACE[1]})", f"ydot - Ydot + r*({SPACE[0]})"],
)  # fmt: skip


def rank_of(system: nh.System, expressions: list[se.Expr], seed: int) -> int:
    """The rank of the differentials along the admissible states, by central differences."""
    random = np.random.default_rng(seed)
    equations = nh.hamel(system)
    names = [str(s) for s in (*equations.coordinates, *equations.speeds)]
    values = {n: float(random.uniform(0.5, 1.5)) for n in system.parameters}
    point = random.uniform(0.3, 0.9, len(names))
    outer = {se.Symbol(n): e for n, e in equations.outputs.items()}

    def numbers(state: np.ndarray) -> np.ndarray:
        table = {**dict(zip(map(se.Symbol, names), state.tolist())), **{se.Symbol(n): v for n, v in values.items()}}
        return np.array([float(se.sympify(e).xreplace(outer).subs(table).n(real=True)) for e in expressions])

    steps = 1e-5 * np.eye(len(names))
    slopes = np.stack([(numbers(point + s) - numbers(point - s)) / 2e-5 for s in steps], axis=1)
    return int(np.linalg.matrix_rank(slopes / np.linalg.norm(slopes, axis=1, keepdims=True), tol=1e-6))


@pytest.mark.parametrize(
    ("system", "count"),
    [
        pytest.param(BALL_ON_FREE_TABLE, 10, marks=pytest.mark.slow),
        (nh.System(coordinates="x y z", parameters="m g", lagrangian=f"m*{L} - m*g*z"), 4),
        (nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 + 1/sqrt(x**2 + y**2)"), 2),
    ],
    ids=["ball on a free table", "falling point", "Kepler"],
)
def test_no_integral_beside_the_energy_is_a_function_of_the_others(system: nh.System, count: int) -> None:
    found = [f for f in nh.integrals(system) if f and not is_energy(f) and se.Symbol("t") not in f.expression.free_symbols]
    assert len(found) == count
    assert rank_of(system, [f.expression for f in found], 3) == count


LEAVES = {
    "x*zdot - z*xdot - x*z*ydot": "y + log(x) - log(z)",
    "zdot - tan(x)*xdot - ydot": "z - y + log(cos(x))",
    "zdot - xdot/x - ydot/y": "x*y*exp(-z)",
}


@pytest.mark.parametrize("constraint", LEAVES)
def test_what_the_constraint_alone_keeps_constant_is_an_integral(constraint: str) -> None:
    system = nh.System(coordinates="x y z", lagrangian=L, constraints=[constraint])
    (leaf,) = nh.classify(system).integrals
    own = [f for f in nh.integrals(system) if f and not f.expression.free_symbols & set(se.symbols("xdot ydot zdot"))]
    assert len(own) == 1 and own[0].proved
    run = nh.simulate(system, {"x": 0.6, "y": 0.7, "z": 0.8, "xdot": 0.2, "ydot": -0.1}, 0.5, rtol=1e-10, atol=1e-11)
    assert own[0].drift(run) < 1e-8
    both = [se.sympify(e) for e in (LEAVES[constraint], own[0].expression)]
    assert rank_of(system, both, 5) == 1 and rank_of(system, [se.sympify(leaf), both[0]], 7) == 1
