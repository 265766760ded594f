"""The linear problem behind the gauge momenta: momenta and their rates, exact function fields, panels."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
import symengine as se
from scipy.special import eval_legendre

import nonholo as nh
from nonholo.algebra.calculus import along, symbol
from nonholo.algebra.linear_equations import evaluate
from nonholo.derive.laws.check import random_states
from nonholo.symmetry.integrals.gauge.function_field import FunctionField, Unsupported
from nonholo.symmetry.integrals.gauge.gauge_basis import generators, invariant_fields, shape_variables, variable_of
from nonholo.symmetry.integrals.gauge.prolongation import GaugeOde, gauge_ode
from nonholo.symmetry.integrals.momentum_rates import along_field, defect, momenta, states
from nonholo.symmetry.integrals.ode.closed_form import applied
from nonholo.symmetry.integrals.ode.closed_solutions import closed_solutions, exponential
from nonholo.symmetry.integrals.ode.numeric_momentum import fundamental

s, a, b = se.symbols("s a b")


@lru_cache
def ode_of(name: str, variable: str) -> tuple[Any, GaugeOde]:
    exhibit = nh.gallery.get(name)
    found = momenta(exhibit.system)
    fields = invariant_fields(found, generators(exhibit.system))
    assert fields is not None
    return exhibit, gauge_ode(found, fields, variable_of(exhibit.system, variable))


@pytest.mark.parametrize(
    "name", ["chaplygin-sleigh", "snakeboard", "routh-top", "basketball", "ball-on-turntable", "n-trailer"]
)
def test_momenta_change_as_the_multiplier_form_says(name: str) -> None:
    """``ṗ_i`` against the chain rule with the witness's accelerations."""
    exhibit = nh.gallery.get(name)
    found = momenta(exhibit.system)
    witness = nh.multipliers(exhibit.system)
    known = {*witness.state, *witness.outputs, "t"}
    for state in random_states(exhibit.system, exhibit.parameters, 3, seed=4):
        idle = dict.fromkeys(exhibit.system.inputs, 0.0)
        given = {n: e for n, e in state.values.items() if n in known} | idle
        rates = witness.rates(given, state.parameters)
        moving = {c: se.RealDouble(rates[str(c)]) for c in (*found.coordinates, *found.speeds)}
        place = {**state.values, **state.parameters, **idle}
        expected = evaluate(along(found.momenta, moving), place)
        size = np.max(np.abs([*expected, *evaluate(found.momenta, place)]))
        assert evaluate(found.changes, place) == pytest.approx(expected, rel=1e-10, abs=1e-10 * size)


def test_defect_tells_integrals_from_others() -> None:
    found = momenta(nh.gallery.get("chaplygin-sphere").system)
    vertical = along_field(found, se.symbols("R31 R32 R33"))[0]
    assert defect(found, vertical, states(found, 3)) < 1e-13
    assert defect(found, found.momenta[0], states(found, 3)) > 1e-3


def test_the_symmetries_of_a_disk_are_found_undeclared_and_leave_one_shape_variable() -> None:
    system = replace(nh.gallery.get("rolling-disk").system, symmetry=None)
    group = generators(system)
    assert set(group) == {"shift_x", "shift_y", "turn_xy + turn3", "spin3"}
    assert [str(v) for v in shape_variables(momenta(system), group)] == ["R33"]


def test_a_sum_of_coordinates_is_found_as_the_shape_variable_of_the_cart() -> None:
    system = nh.gallery.get("three-wheel-cart").system
    (shape,) = shape_variables(momenta(system), generators(system))
    assert str(shape) in ("-theta + xi", "theta - xi")


def test_invariant_fields_of_a_body_of_revolution_commute_with_every_generator() -> None:
    system = nh.gallery.get("routh-top").system
    found, group = momenta(system), generators(system)
    fields = invariant_fields(found, group)
    assert fields is not None
    x = found.coordinates
    place = states(found, 1)[0]
    for field in fields:
        whole = [sum((y * X[k] for y, X in zip(field, found.fields)), se.Integer(0)) for k in range(len(x))]
        for generator in group.values():
            there, back = along(whole, dict(zip(x, generator))), along(generator, dict(zip(x, whole)))
            assert np.max(np.abs(evaluate([p - q for p, q in zip(there, back)], place))) < 1e-12


@pytest.mark.parametrize(
    "expr",
    [
        a / (1 + se.sqrt(1 - s**2)),
        se.sin(s) ** 3 / (b + se.cos(s)),
        se.exp(2 * s) / (1 + a * se.exp(-s)),
        se.sqrt(a**2 + b * (1 - s**2)) * s / (1 + se.sqrt(a**2 + b * (1 - s**2))),
        se.tan(s) / (a + se.log(1 + s**2)),
    ],
)
def test_the_field_differentiates_as_numbers_do(expr: Any) -> None:
    F = FunctionField(s, [expr])
    slope = F.expression(F.derivative(F.element(expr)))
    place, step = {"a": 1.3, "b": 0.7}, 1e-5
    values = [evaluate([expr], {**place, "s": 0.4 + k * step})[0] for k in (-2, -1, 1, 2)]
    expected = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * step)
    assert evaluate([slope], {**place, "s": 0.4})[0] == pytest.approx(expected, rel=1e-8)


def test_the_field_sees_zeros() -> None:
    root = se.sqrt(1 - s**2)
    F = FunctionField(s, [root, se.sin(a * s), se.sqrt(1 + root)])
    assert F.element(root**2 + s**2 - 1) == 0
    assert F.element(1 / (1 + root) - (1 - root) / s**2) == 0
    assert F.element(se.sin(a * s) ** 4 - (1 - se.cos(a * s) ** 2) ** 2) == 0
    assert F.element(1 / (1 + se.sqrt(1 + root)) + (1 - se.sqrt(1 + root)) / root) == 0
    assert F.element(root - 1 + s**2) != 0


def test_the_field_refuses_what_it_does_not_know() -> None:
    with pytest.raises(Unsupported):
        FunctionField(s, [s**a])


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (-s / (1 + s**2), lambda x: (1 + x**2) ** -0.5),
        (-a * s / (b * (a + b * s**2)), lambda x: (1.3 + 0.7 * x**2) ** (-1.3 / (2 * 0.7**2))),
        (se.sin(s) * se.cos(s) * a, lambda x: np.exp(1.3 * np.sin(x) ** 2 / 2)),
        (a * s + b / s, lambda x: np.exp(1.3 * x**2 / 2) * x**0.7),
    ],
)
def test_exponentials_of_integrals(rate: Any, expected: Any) -> None:
    F = FunctionField(s, [rate])
    found = exponential(F, F.element(rate))
    values = [evaluate([found], {"a": 1.3, "b": 0.7, "s": x})[0] for x in (0.3, 0.9)]
    assert values[1] / values[0] == pytest.approx(expected(0.9) / expected(0.3), rel=1e-12)


def test_no_exponential_is_claimed_for_the_bell_curve() -> None:
    F = FunctionField(s, [se.exp(s**2)])
    assert exponential(F, F.element(se.exp(s**2))) is None


def test_dimensions_of_the_linear_problem() -> None:
    """Known numbers of momenta: two for bodies of revolution and the sleigh, none of r alone for sleigh and oscillator."""
    for name, variable, dimension in (
        ("rolling-disk", "R33", 2),
        ("chaplygin-sleigh", "theta", 2),
        ("gauge-momentum", "r", 1),
        ("sleigh-oscillator", "r", 0),
        ("rattleback", "R33", 0),
        ("knife-edge", "phi", 1),
    ):
        assert ode_of(name, variable)[1].dimension == dimension, name


def test_panels_reproduce_the_sleighs_cosine_and_sine() -> None:
    exhibit, ode = ode_of("chaplygin-sleigh", "theta")
    p = exhibit.parameters
    Y = fundamental(ode, p, 0.2, (-20.0, 20.0))
    whole = p["J"] + p["m"] * p["a"] ** 2
    k = p["a"] * np.sqrt(p["m"] / whole)
    theta = np.linspace(-19, 19, 41)
    phase = k * (theta - 0.2)
    assert Y(theta)[:, 0, 0] == pytest.approx(np.cos(phase), abs=1e-12)
    assert Y(theta)[:, 0, 1] == pytest.approx(-np.sqrt(p["m"] / whole) * np.sin(phase), abs=1e-12)
    assert np.all(np.isnan(Y(21.0)))


def test_the_disks_ode_is_legendres() -> None:
    """With A chosen such that ν(ν + 1) = −κ = 2, y₂ is a combination of P₁(u) = u and Q₁; regular at 1, it is u."""
    _, ode = ode_of("rolling-disk", "R33")
    p = {"m": 1.1, "g": 9.81, "r": 0.7, "B": 0.9}
    inertia = p["m"] * p["r"] ** 2
    # κ = B m r²/(A (B + m r²)) must be −2: a negative A is no disk, but the ODE does not mind
    p["A"] = -p["B"] * inertia / (2 * (p["B"] + inertia))
    Y = fundamental(ode, p, 0.0, (-0.95, 0.95))
    u = np.linspace(-0.9, 0.9, 7)
    # y₂ = u, y₁ = (1 − u²) A/(m r²) solves it
    start = np.array([p["A"] / inertia, 0.0])
    found = Y(u) @ start
    assert found[:, 1] == pytest.approx(eval_legendre(1, u), abs=1e-11)
    assert found[:, 0] == pytest.approx((1 - u**2) * p["A"] / inertia, abs=1e-11)


def test_the_interval_ends_at_singular_points() -> None:
    exhibit, ode = ode_of("rolling-disk", "R33")
    low, high = fundamental(ode, exhibit.parameters, 0.3, (-2.0, 2.0)).interval
    assert -1.0 <= low < -0.999
    assert 0.999 < high <= 1.0


def test_closed_solutions_solve_the_ode() -> None:
    """Derivative by central differences against ``N y``, for the Routh top's two solutions."""
    exhibit, ode = ode_of("routh-top", "R33")
    F = ode.field
    N = [F.expression(e) for row in ode.matrix for e in row]
    found = closed_solutions(ode)
    assert len(found) == 2
    unit = [[F.one, F.zero], [F.zero, F.one]]
    for one in found:
        y = list(applied(F, unit, one))
        step, u = 1e-4, 0.37
        at = [evaluate(y, {**exhibit.parameters, "R33": u + k * step}) for k in (-2, -1, 1, 2)]
        slope = (at[0] - 8 * at[1] + 8 * at[2] - at[3]) / (12 * step)
        here = evaluate(y, {**exhibit.parameters, "R33": u})
        matrix = evaluate(N, {**exhibit.parameters, "R33": u}).reshape(2, 2)
        assert slope == pytest.approx(matrix @ here, rel=1e-8, abs=1e-8 * np.max(np.abs(here)))


def test_a_variable_must_be_linear_in_the_coordinates() -> None:
    system = nh.gallery.get("chaplygin-sleigh").system
    assert str(variable_of(system, "theta").symbol) == "theta"
    assert variable_of(system, "x - y").expression == symbol("x") - symbol("y")
    with pytest.raises(nh.ModelError, match="must be a coordinate, a sum of coordinates"):
        variable_of(system, "x*y")
    with pytest.raises(nh.ParseError, match="tetha"):
        variable_of(system, "tetha")
