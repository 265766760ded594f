"""Hamel's formalism on function spaces: every formula against numeric derivatives of Ψ, of families of curves, of the action."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from nonholo.fields.function_grid import chebyshev, fourier, interpolation
from nonholo.fields.strings.inextensible_string import String
from nonholo_papers.formalism import (
    DiscretePoint,
    bracket,
    carried,
    constrained_force,
    derivative_of,
    discrete_hamel,
    dual_bracket,
    hamel_force,
    string_force,
    string_lagrangian,
    string_momentum,
    tangential,
    turned,
    variation,
    weak_hamel,
)

GRID, CIRCLE = chebyshev(20), fourier(31)
S, X = GRID.points, CIRCLE.points
STEP = 1e-5


def subjects():
    z = np.exp(0.4j * S) * (S + 0.2j * np.sin(2 * S))
    xi, eta = np.cos(S) + 0.3j * S**2, 0.5 * S + 1j * np.sin(1.3 * S)
    q = X + 0.2 * np.sin(X) + 0.1 * np.cos(2 * X)
    flows = np.sin(X) + 0.3 * np.cos(2 * X), 0.7 * np.cos(X) - 0.2 * np.sin(3 * X)
    return {
        "z_s ξ": (tangential(GRID), z, xi, eta),
        "z_s ξ/|z_s|": (turned(GRID), z, xi, eta),
        "ξ∘q": (carried(CIRCLE), q, *flows),
    }


SUBJECTS = subjects()


@pytest.mark.parametrize("name", SUBJECTS)
def test_components_undo_the_velocity(name):
    by, q, xi, _ = SUBJECTS[name]
    assert np.abs(by.components(q, by.velocity(q, xi)) - xi).max() < 1e-10


@pytest.mark.parametrize("name", SUBJECTS)
def test_the_bracket_is_that_of_the_vector_fields(name):
    """(3.2), with the fields Ψξ and Ψη differentiated along each other by central differences of Ψ itself."""
    by, q, xi, eta = SUBJECTS[name]

    def along(direction, field):
        one, two = (by.velocity(q + h * by.velocity(q, direction), field) for h in (STEP, -STEP))
        return (one - two) / (2 * STEP)

    assert np.abs(by.velocity(q, bracket(by, q, xi, eta)) - (along(xi, eta) - along(eta, xi))).max() < 1e-6


@pytest.mark.parametrize("name", SUBJECTS)
def test_the_bracket_is_antisymmetric_and_its_dual_is_dual(name):
    by, q, xi, eta = SUBJECTS[name]
    assert np.abs(bracket(by, q, xi, eta) + bracket(by, q, eta, xi)).max() < 1e-10
    alpha = np.exp(1j * S) * S if name != "ξ∘q" else np.cos(2 * X) + 0.1
    left = by.grid.pair(dual_bracket(by, q, xi, alpha), eta)
    assert left == pytest.approx(by.grid.pair(alpha, bracket(by, q, xi, eta)), rel=1e-9)


def test_the_strings_bracket_is_that_of_the_paper():
    """(3.15): [ξ, η] = ξ_s η − ξ η_s, and the other substitution has another one."""
    by, z, xi, eta = SUBJECTS["z_s ξ"]
    d = GRID.derivative
    printed = (d @ xi) * eta - xi * (d @ eta)
    assert np.abs(bracket(by, z, xi, eta) - printed).max() < 1e-10
    assert np.abs(bracket(turned(GRID), z, xi, eta) - printed).max() > 0.1


def test_the_fluids_bracket_does_not_depend_on_the_place():
    by, q, xi, eta = SUBJECTS["ξ∘q"]
    d = CIRCLE.derivative
    assert np.abs(bracket(by, q, xi, eta) - (xi * (d @ eta) - eta * (d @ xi))).max() < 1e-8


@pytest.mark.parametrize("name", SUBJECTS)
def test_the_dual_operator_is_dual(name):
    by, q, xi, _ = SUBJECTS[name]
    alpha = np.exp(1j * S) * S if name != "ξ∘q" else np.cos(2 * X) + 0.1
    assert by.grid.pair(by.dual(q, alpha), xi) == pytest.approx(by.grid.pair(alpha, by.velocity(q, xi)), rel=1e-10)


def curve(name):
    """A curve q(t) of configurations, and η(t) that vanishes at both ends of [0, 1]."""
    if name == "ξ∘q":
        return (
            lambda t: X + 0.2 * np.sin(X + 0.5 * t) + 0.1 * t**2 * np.cos(2 * X),
            lambda t: t * (1 - t) * (np.cos(X) + t * np.sin(2 * X)),
        )
    return (
        lambda t: np.exp(1j * (0.4 * S + 0.3 * t)) * (S + 0.2j * np.sin(2 * S + t)),
        lambda t: t * (1 - t) * (S**2 - 0.4j * np.cos(S + t)),
    )


def rate(function, t, h=1e-4):
    return (8 * (function(t + h) - function(t - h)) - (function(t + 2 * h) - function(t - 2 * h))) / (12 * h)


@pytest.mark.parametrize("name", SUBJECTS)
def test_variations_of_velocity_follow_from_those_of_the_curve(name):
    """(3.9), with a family of curves q + τ Ψη and its velocities, all by differences."""
    by = SUBJECTS[name][0]
    q, eta = curve(name)
    t = 0.37

    def xi(tau):
        def moved(u):
            return q(u) + tau * by.velocity(q(u), eta(u))

        return by.components(moved(t), rate(moved, t, 1e-3))

    found = (xi(1e-4) - xi(-1e-4)) / 2e-4
    assert np.abs(found - variation(by, q(t), xi(0.0), eta(t), rate(eta, t))).max() < 2e-6


def lagrangian(by, name):
    """Some l(q, ξ) that depends on both."""
    if name == "ξ∘q":
        return lambda q, xi: float(np.sum(by.grid.weights * (0.5 * xi**2 * (1 + 0.3 * np.cos(X)) - np.cos(q) * 0.4)))
    tension = S * (1 - S) * (1 + S)
    return lambda q, xi: string_lagrangian(by.grid, q, xi, tension) + float(np.sum(by.grid.weights * (q * q).real))


@pytest.mark.parametrize("name", SUBJECTS)
def test_the_weak_equations_are_the_derivative_of_the_action(name):
    """(3.10): δ∫l dt for δq = Ψη against the integral of the formula; quadrature in time by Gauss."""
    by, l = SUBJECTS[name][0], lagrangian(SUBJECTS[name][0], name)
    q, eta = curve(name)
    nodes, weights = np.polynomial.legendre.leggauss(10)
    times, weights = (nodes + 1) / 2, weights / 2

    def action(tau):
        def moved(u):
            return q(u) + tau * by.velocity(q(u), eta(u))

        return sum(w * l(moved(t), by.components(moved(t), rate(moved, t))) for t, w in zip(times, weights))

    def integrand(t):
        def speed(u):
            return by.components(q(u), rate(q, u))

        def momentum(u):
            return derivative_of(lambda v: l(q(u), v), speed(u), by.grid)

        slope = derivative_of(lambda p: l(p, speed(t)), q(t), by.grid)
        return weak_hamel(by, q(t), speed(t), momentum(t), rate(momentum, t, 2e-3), slope, eta(t))

    found = (action(1e-4) - action(-1e-4)) / 2e-4
    formula = sum(w * integrand(t) for t, w in zip(times, weights))
    assert abs(found) > 1e-3
    assert formula == pytest.approx(found, rel=2e-4)


def test_the_strong_form_of_the_string_is_the_papers_equation():
    """(3.11) against (3.17) in the mean over functions: a unit-speed curve, a tension that vanishes at the ends."""
    theta = 0.7 * np.sin(2 * S) + 0.3 * S
    z = GRID.integral @ np.exp(1j * theta)
    xi, tension = np.cos(S) - 0.4j * S**2 + 0.2j, S * (1 - S) * np.exp(S)
    slope = derivative_of(lambda q: string_lagrangian(GRID, q, xi, tension), z, GRID)
    force = hamel_force(tangential(GRID), z, xi, string_momentum(GRID, z, xi), slope)
    printed = string_force(GRID, z, xi, tension)
    for k in range(5):
        for eta in (np.cos(k * S) + 0j, 1j * np.sin(k * S + 0.3)):
            assert GRID.pair(force, eta) == pytest.approx(GRID.pair(printed, eta), abs=1e-7)


def test_a_simulated_string_obeys_the_papers_equation():
    """(3.17) along a motion of `String`, ξ = z_t/z_s, differentiated in time by differences."""
    string, h = String(nodes=32, density=1.0), 1e-3
    times = [0.5 - 2 * h, 0.5 - h, 0.5, 0.5 + h, 0.5 + 2 * h]
    run = string.simulate(
        {"theta": "0.8*cos(pi*s)", "omega": "1 + 0.5*s", "velocity": (0.3, -0.2)}, 0.6, t_eval=times, rtol=1e-12
    )
    grid = string.grid
    tangent = np.exp(1j * run["theta"])
    moving = (1j * run["omega"] * tangent) @ grid.integral.T
    xi = (moving - (moving @ grid.weights)[:, None] + 0.3 - 0.2j) / tangent
    found = (8 * (xi[3] - xi[1]) - (xi[4] - xi[0])) / (12 * h)
    z = run["x"][2] + 1j * run["y"][2]
    assert np.abs(found - string_force(grid, z, xi[2], run["tension"][2])).max() < 1e-7


def test_constrained_equations_take_the_momentum_before_the_constraint():
    """(4.4) for real ξ gives (4.5): ξ_t = ξ ξ_s + λ_s in the mean; the part across the string is the reaction."""
    theta = 0.7 * np.sin(2 * S)
    z = GRID.integral @ np.exp(1j * theta)
    xi, tension = np.full(len(S), 0.6 + 0j), S * (1 - S) * (1 + 2 * S)
    slope = derivative_of(lambda q: string_lagrangian(GRID, q, xi, tension), z, GRID)
    by, momentum = tangential(GRID), string_momentum(GRID, z, xi)
    kept = constrained_force(by, z, xi, momentum, slope, lambda a: a.real + 0j)
    whole = hamel_force(by, z, xi, momentum, slope)
    for k in range(5):
        eta = np.cos(k * S) + 0j
        assert GRID.pair(kept, eta) == pytest.approx(GRID.pair(GRID.derivative @ tension + 0j, eta), abs=1e-7)
        assert abs(GRID.pair(kept, 1j * eta)) < 1e-12
    assert abs(GRID.pair(whole, 1j * np.ones(len(S)))) > 1e-2


@pytest.mark.parametrize("tau", [0.0, 0.5, 0.8])
def test_discrete_equations_are_the_derivative_of_the_action_sum(tau):
    """(5.6) against δΣ l^d with the variations (5.7), (5.8), by differences; ψ and μ are derivatives of l."""
    by, l = tangential(GRID), lagrangian(tangential(GRID), "z_s ξ")
    q, _ = curve("z_s ξ")
    h = 0.1
    places = [q(k * h) for k in range(3)]
    mids = [(1 - tau) * a + tau * b for a, b in itertools.pairwise(places)]
    speeds = [by.components(m, (b - a) / h) for m, a, b in zip(mids, places, places[1:])]
    eta = np.cos(S) + 0.4j * S

    def sum_of(e):
        total = 0.0
        for k, (m, xi) in enumerate(zip(mids, speeds)):
            shares = (tau, 1 / h) if k == 0 else (1 - tau, -1 / h)  # η_1 at k + τ, and (η_{k+1} − η_k)/h
            varied = shares[0] * eta
            moved_xi = xi + e * (shares[1] * eta + bracket(by, m, xi, varied))
            total += h * l(m + e * by.velocity(m, varied), moved_xi)
        return total

    points = [
        DiscretePoint(
            m, xi, derivative_of(lambda v, m=m: l(m, v), xi, GRID), derivative_of(lambda p, xi=xi: l(p, xi), m, GRID)
        )
        for m, xi in zip(mids, speeds)
    ]
    left = GRID.pair(discrete_hamel(by, points[0], points[1], h, tau), eta)
    assert h * left == pytest.approx((sum_of(1e-5) - sum_of(-1e-5)) / 2e-5, rel=1e-7)


def test_grids_differentiate_integrate_and_interpolate():
    grid = chebyshev(24, 1.7)
    s = grid.points
    assert np.abs(grid.derivative @ np.sin(3 * s) - 3 * np.cos(3 * s)).max() < 1e-10
    assert np.abs(grid.integral @ np.cos(3 * s) - np.sin(3 * s) / 3).max() < 1e-13
    assert grid.weights @ np.exp(s) == pytest.approx(np.exp(1.7) - 1, rel=1e-14)
    at = np.linspace(0, 1.7, 7)
    assert np.abs(interpolation(24, at, 1.7) @ np.sin(3 * s) - np.sin(3 * at)).max() < 1e-13
    assert np.abs(CIRCLE.derivative @ np.sin(4 * X) - 4 * np.cos(4 * X)).max() < 1e-12
    assert np.abs(CIRCLE.integral @ np.cos(4 * X) - np.sin(4 * X) / 4).max() < 1e-12
