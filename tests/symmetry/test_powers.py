"""Momenta by powers with exponents from a quadratic equation: Routh's ball in a paraboloid, and Euler's ODE."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
import symengine as se
from scipy.integrate import solve_ivp

import nonholo as nh
from nonholo.symmetry.integrals.gauge.function_field import FunctionField
from nonholo.symmetry.integrals.ode.closed_form import solution
from nonholo.symmetry.integrals.ode.power_solutions import power_solutions

PLAIN = Path(__file__).parents[1] / "plain"


VALUES = {"m": 1.3, "I": 0.07, "r": 0.31, "k": 0.6, "g": 9.81}
START = {"x": 0.8, "y": 0.3, "w1": 0.7, "w2": -1.9, "w3": 2.3}


def by_hand(run: nh.Trajectory, sign: int) -> np.ndarray:
    """``(√b W ± √a ω_n) u^(±λ)`` with ``u = 1 + k²ρ²`` and ``W = x ẏ − y ẋ``: ``dW/du = −a ω_n/u``, ``dω_n/du = −b W/u``.

    From ``ω̇_n = ω·ṅ = v_m V (κ_m − κ_φ)/r`` and ``(I + m r²)(V̇ + v_m V ρ'/ρ) = −I r ω_n κ_m v_m`` with the principal
    curvatures ``κ_φ = k u^(−1/2)`` and ``κ_m = k u^(−3/2)``; nothing of the package enters.
    """
    m, I, r, k = (VALUES[n] for n in ("m", "I", "r", "k"))
    x, y = run["x"], run["y"]
    u = 1 + k**2 * (x**2 + y**2)
    spin = (run["w3"] - k * (x * run["w1"] + y * run["w2"])) / np.sqrt(u)
    W = x * run["ydot"] - y * run["xdot"]
    a, b = r * I / (2 * k * (I + m * r**2)), k / (2 * r)
    return np.asarray((sqrt(b) * W + sign * sqrt(a) * spin) * u ** (sign * sqrt(a * b)))


@pytest.fixture(scope="module")
def found() -> tuple[nh.System, list[nh.Finding]]:
    ball = replace(nh.load(PLAIN / "paraboloid.toml"), parameters=VALUES)
    return ball, [f for f in nh.integrals(ball, depends_on="sqrt(x**2 + y**2)", start=START) if f and "energy" not in f.claim]


@pytest.mark.slow
def test_the_momenta_of_a_ball_in_a_paraboloid_are_powers_and_proved(found) -> None:
    ball, momenta = found
    assert [f.proved for f in momenta] == [True, True]
    run = nh.simulate(ball, START, 4.0, rtol=1e-12, atol=1e-13, t_eval=60, form="multipliers")
    assert np.ptp(np.hypot(run["x"], run["y"])) > 0.3
    rows = [np.asarray(f.along(run)) for f in momenta]
    hand = [by_hand(run, sign) for sign in (1, -1)]
    for values in (*rows, *hand):
        assert np.ptp(values) < 1e-9 * (1 + np.max(np.abs(values)))
    # the same two constants: each of ours is a multiple of one of them, at starts with other momenta too
    table = []
    for w3 in (-1.0, 0.5, 3.0):
        other = nh.simulate(ball, {**START, "w3": w3, "w1": 0.3 - w3}, 0.1, t_eval=3)
        table.append([*(float(f.along(other)[0]) for f in momenta), *(float(by_hand(other, s)[0]) for s in (1, -1))])
    numbers = np.array(table)
    ratios = numbers[:, :2, None] / numbers[:, None, 2:]
    assert sorted(np.argmin(np.ptp(ratios, axis=0), axis=1)) == [0, 1]
    assert np.max(np.min(np.ptp(ratios, axis=0), axis=1)) < 1e-8


@pytest.mark.slow
def test_the_exponent_is_the_root_of_the_quadratic_equation(found) -> None:
    _, momenta = found
    exponents = {str(p.args[1]) for f in momenta for p in f.expression.atoms(se.Pow) if not p.args[1].is_Number}
    assert exponents == {"-1/2 + (1/2)*sqrt(I/(I + m*r**2))", "-1/2 + (-1/2)*sqrt(I/(I + m*r**2))"}


@pytest.mark.parametrize(("first", "second"), [("1", "c"), ("1", "-c"), ("1 - 2*c", "c**2 + 3"), ("0", "2*c/9")])
def test_eulers_ode_with_real_and_complex_exponents(first: str, second: str) -> None:
    """``s² y'' + a s y' + b y = 0``, in components that are mixed: against SciPy."""
    s, c = se.symbols("s c")
    a, b = se.sympify(first) / s, se.sympify(second) / s**2
    mix = [[1 + s**2, s], [se.Integer(2), se.Integer(1)]]  # z = T y
    gap = (1 + s**2) - 2 * s
    back = [[1 / gap, -s / gap], [-2 / gap, (1 + s**2) / gap]]
    plain_matrix = [[se.Integer(0), se.Integer(1)], [-b, -a]]
    slope = [[e.diff(s) for e in row] for row in mix]

    def times(one, two):
        return [[sum(one[i][k] * two[k][j] for k in range(2)) for j in range(2)] for i in range(2)]

    whole = times([[p + q for p, q in zip(r1, r2)] for r1, r2 in zip(slope, times(mix, plain_matrix))], back)
    F = FunctionField(s, [e for row in whole for e in row])
    N = tuple(tuple(F.element(e) for e in row) for row in whole)
    solutions = power_solutions(F, N)
    assert len(solutions) == 2
    value = 0.7
    rates = [[se.Lambdify([s], [e.xreplace({c: se.RealDouble(value)})]) for e in row] for row in whole]

    def right(t, y):
        return [sum(float(rates[i][j]([t])[0]) * y[j] for j in range(2)) for i in range(2)]

    ends = []
    for one in solutions:
        shown = [se.Lambdify([s], [e.xreplace({c: se.RealDouble(value)})]) for e in solution(F, one)]
        begin = [float(e([1.3])[0]) for e in shown]
        run = solve_ivp(right, (1.3, 2.6), begin, rtol=1e-11, atol=1e-12)
        end = [float(e([2.6])[0]) for e in shown]
        assert np.allclose(run.y[:, -1], end, rtol=1e-8, atol=1e-8)
        ends.append(begin)
    assert abs(np.linalg.det(np.array(ends))) > 1e-3


def test_what_is_no_power_is_not_called_one() -> None:
    """Bessel's and Airy's functions: infinity is irregular; Legendre's with a general index is no power."""
    s, c = se.symbols("s c")
    for rows in ([[0, 1], [-1 - c / s**2, -1 / s]], [[0, 1], [s, 0]], [[0, 1], [-c / (1 - s**2), 2 * s / (1 - s**2)]]):
        F = FunctionField(s, [se.sympify(e) for row in rows for e in row])
        assert power_solutions(F, tuple(tuple(F.element(se.sympify(e)) for e in row) for row in rows)) == []
