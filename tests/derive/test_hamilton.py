"""The almost-Poisson form: Theorem 5 word for word, brackets, and Jacobi exactly when holonomic."""

from __future__ import annotations

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.algebra.calculus import gradient, substitute, symbols
from nonholo.algebra.linear_equations import dot, evaluate
from nonholo.derive.hamilton import almost_poisson, bracket, jacobiator
from nonholo.derive.voronetz import connection
from tests import systems


def test_theorem_5_of_notices_word_for_word_on_the_falling_disk():
    """ṡ = −A ∂H/∂p̃, ṙ = ∂H/∂p̃, p̃̇ = −∂H/∂r + A ∂H/∂s − p_b B^b_αβ ∂H/∂p̃_β, with A and B from the connection."""
    disk = systems.falling_disk()
    poisson = almost_poisson(disk)
    bend = connection(disk)
    assert [f"{n}dot" for n in bend.base] == [str(s) for s in poisson.speeds]
    h = poisson.hamiltonian
    by_p = gradient(h, poisson.momenta)
    by_r, by_s = gradient(h, symbols(bend.base)), gradient(h, symbols(bend.fibre))
    rates = dict(zip(poisson.speeds, poisson.speeds_by_momenta))
    fibre_rates = [-dot(row, poisson.speeds) for row in bend.coefficients]
    rates_of_fibre = {se.Symbol(f"{n}dot"): e for n, e in zip(bend.fibre, fibre_rates)}
    vertical = [
        substitute(substitute([disk.lagrangian.diff(se.Symbol(f"{n}dot"))], rates_of_fibre), rates)[0]
        for n in bend.fibre
    ]
    expected = [-r for r in by_r]
    for a in range(len(bend.base)):
        expected[a] += dot([row[a] for row in bend.coefficients], by_s)
        expected[a] -= dot(vertical, [dot(block[a], by_p) for block in bend.curvature])
    found = nh.hamilton(disk).force
    random = np.random.default_rng(3)
    for _ in range(3):
        names = [*disk.coordinates, *map(str, poisson.momenta), *disk.parameters]
        values = dict(zip(names, random.uniform(0.4, 1.3, len(names))))
        assert np.allclose(evaluate(found, values), evaluate(expected, values), rtol=1e-10, atol=1e-12)


def test_brackets_of_coordinates_and_momenta_are_the_frame():
    sleigh = systems.unbalanced_sleigh()
    assert bracket(sleigh, "x", "p_v") == se.cos(se.Symbol("theta"))
    assert bracket(sleigh, "p_omega", "theta") == -1
    assert bracket(sleigh, "x", "y") == 0
    # {p_ω, p_v} = −[X_ω, X_v]^a p_a: with [∂_θ, cos θ ∂_x + sin θ ∂_y] = −sin θ ∂_x + cos θ ∂_y and L's momentum along it, m a ω
    values = {"theta": 0.4, "x": 0.0, "y": 0.0, "p_omega": 0.8, "p_v": 1.7, "m": 1.3, "J": 0.7, "a": 0.4}
    omega = 0.8 / (0.7 + 1.3 * 0.4**2)
    assert evaluate([bracket(sleigh, "p_omega", "p_v")], values)[0] == pytest.approx(-1.3 * 0.4 * omega)
    with pytest.raises(nh.ParseError):
        bracket(sleigh, "x", "p_w")


def test_jacobi_fails_for_a_blade_and_holds_for_a_rope_and_for_no_constraint():
    assert jacobiator(systems.balanced_sleigh()).verdict == "fails"
    rope = nh.System(
        coordinates="x y z",
        parameters="m",
        lagrangian="m/2*(xdot**2 + ydot**2 + zdot**2)",
        constraints=["x*xdot + y*ydot"],
    )
    assert jacobiator(rope).verdict == "holds"
    assert jacobiator(systems.heavy_top()).verdict == "holds"


def test_nonlinear_constraints_have_no_bracket_but_a_hamiltonian_form():
    with pytest.raises(nh.ModelError, match="nonlinear"):
        bracket(systems.constant_speed(), "x", "y")
    assert nh.hamilton(systems.constant_speed()).state == ("x", "y", "p_x", "p_y")


def test_a_metric_that_shrinks_when_it_is_multiplied_out() -> None:
    """SymEngine's own expansion leaves ``(1/4)*4*y**2`` in the metric here and takes it for ``y**2/4``."""
    system = nh.System(
        coordinates="x y z w b", lagrangian="(xdot**2 + ydot**2 + zdot**2 + wdot**2 + bdot**2)/2 - b**4",
        constraints=["sin(b)*(1 + b**2)*(wdot - z*xdot) - 2*(zdot - y*xdot)", "(1 + b**2)*(wdot - z*xdot)"],
    )  # fmt: skip
    place = {"x": 0.2, "y": 0.7, "z": -0.4, "w": 0.3, "b": 0.5}
    state = nh.complete_state(system, {**place, "xdot": 0.9, "ydot": -0.6, "bdot": 0.8})
    rates = nh.hamilton(system).rates(state)
    a = -(0.7 * -0.6 + -0.4 * state["zdot"]) * 0.9 / (1 + 0.7**2 + 0.4**2)  # (1 + y² + z²) ẍ = −(y ẏ + z ż) ẋ, by hand
    assert abs(rates["xdot"] - a) < 1e-12 and abs(rates["ydot"]) < 1e-12
