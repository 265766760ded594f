"""Derivatives of programs against differences with 60 digits, which share no code with them."""

from __future__ import annotations

import math
from itertools import pairwise

import mpmath
import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.algebra.calculus import substitute
from nonholo.compile.rates_jacobian import jacobian_code, rates_jacobian
from nonholo.errors import ModelError
from nonholo.program.derivative import combined, gradient, jacobian, tangents
from nonholo.program.interpret import Interpreter
from nonholo.program.partials import SLOPES
from nonholo.program.program import Program
from nonholo.program.translate import CALLS, translate
from tests.program.subjects import HARD, SUBJECTS, equations_of, kernel_of, point

DIGITS, BITS = 60, 210
STEP = mpmath.mpf(10) ** -18
x, y = se.symbols("x y")


def precise(exprs, values):
    """Expressions as numbers of 60 digits."""
    table = {s: se.RealMPFR(mpmath.nstr(v, DIGITS), BITS) for s, v in values.items()}
    return [mpmath.mpf(str(se.sympify(e).n(BITS, real=True))) for e in substitute(exprs, table)]


def precise_rates(equations, values):
    """``[ẋ, ż, unknowns]`` with 60 digits: the pair (M, F) itself, solved by mpmath."""
    size, count = len(equations.mass), len(equations.coordinates)
    flat = [*equations.kinematics, *(e for row in equations.mass for e in row), *equations.force]
    found = precise(flat, values)
    if not size:
        return found
    mass = mpmath.matrix(size, size)
    for k in range(size * size):
        mass[k // size, k % size] = found[count + k]
    return [*found[:count], *mpmath.lu_solve(mass, mpmath.matrix(found[count + size * size :]))]


def differences(function, values, columns):
    """The Jacobian by central differences with a step of 1e-18: right to some 36 digits."""
    result = []
    for s in columns:
        up, down = (function({**values, s: values[s] + sign * STEP}) for sign in (1, -1))
        result.append([float((a - b) / (2 * STEP)) for a, b in zip(up, down)])
    return np.array(result).T


def assert_same(found, needed):
    """Equal to 1e-12 of the largest entry of the row."""
    scale = np.maximum(np.max(np.abs(needed), axis=1, keepdims=True), 1e-3)
    np.testing.assert_array_less(np.abs(found - needed) / scale, 1e-12)


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if "bicycle" in n else n for n in SUBJECTS])
def test_jacobian_of_all_rates_is_that_of_60_digit_differences(name):
    """By time, state and inputs, and by one parameter of each system."""
    with mpmath.workdps(DIGITS):
        kernel, equations = kernel_of(name), equations_of(name)
        fixed = len(kernel.symbols) - len(equations.parameters)
        columns = kernel.symbols[: fixed + 1]
        given = point(name)
        values = {s: mpmath.mpf(v) for s, v in zip(kernel.symbols, given.tolist())}
        needed = differences(lambda at: precise_rates(equations, at), values, columns)
        assert_same(rates_jacobian(kernel, columns)(given), needed)


def test_the_only_system_left_out_has_no_equations_of_this_form():
    with pytest.raises(ModelError, match="no kinetic energy along omega"):
        nh.hamel(nh.gallery.get(HARD).system)


@pytest.mark.parametrize("name", ["rattleback", "snakeboard", "plain driven-rotor"])
def test_multipliers_are_differentiated_through_the_saddle_point(name):
    """A matrix that is solved outside of the program."""
    from nonholo.compile import compile_equations
    from tests.program.subjects import subject

    system, start = subject(name)
    equations = nh.multipliers(system)
    kernel = compile_equations(equations)
    random = np.random.default_rng(4)
    given = np.array([float(start.get(str(s), 0.4)) + random.uniform(0.05, 0.3) for s in kernel.symbols])
    with mpmath.workdps(DIGITS):
        values = {s: mpmath.mpf(v) for s, v in zip(kernel.symbols, given.tolist())}
        columns = (*equations.coordinates[:3], *equations.speeds[:2], equations.parameters[0])
        needed = differences(lambda at: precise_rates(equations, at), values, columns)
        assert_same(rates_jacobian(kernel, columns)(given), needed)


EXPRESSIONS = {
    "sin": se.sin(x * y), "cos": se.cos(x - y), "tan": se.tan(x * y), "cot": se.cot(x), "sec": se.sec(x),
    "csc": se.csc(y), "asin": se.asin(x * y), "acos": se.acos(x * y), "atan": se.atan(x / y), "sinh": se.sinh(x * y),
    "cosh": se.cosh(x * y), "tanh": se.tanh(x * y), "coth": se.coth(x), "sech": se.sech(x), "csch": se.csch(x),
    "asinh": se.asinh(x * y), "acosh": se.acosh(1 + x * y), "atanh": se.atanh(x * y), "exp": se.exp(-x * y),
    "log": se.log(x + y**2), "sqrt": se.sqrt(x * y + 1), "powers": x**3 * y**-2 + (x + y) ** 7, "roots": x**2.5 / y**1.5,
    "root of a number": 2**x, "power": x**y, "number to a power": (x * y) ** se.Rational(1, 3), "atan2": se.atan2(x, -y),
    "abs": abs(x - y) * x, "sign": se.sign(x - y) * x, "max": se.Max(x, y, x * y), "min": se.Min(x, y, x * y),
    "floor": se.floor(5 * x) * y, "ceiling": se.ceiling(5 * x) * y, "gamma": se.gamma(x + y), "loggamma": se.loggamma(x * y),
    "gamma left of zero": se.gamma(x - 3 * y), "erf": se.erf(x * y), "erfc": se.erfc(x - y),
    "pieces": se.Piecewise((x * y, x > y), (se.sin(x) / y, True)),
    "nested pieces": se.Piecewise((se.Piecewise((x**2, y < 1), (y, True)), x < 5), (se.log(x), True)) * y,
    "quotient": (x - y) / (x + y), "asec": se.asec(1 + x + y), "acoth": se.acoth(1 + x + y),
}  # fmt: skip


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_every_function_has_its_slope_forward_backward_and_by_elimination(name):
    e = EXPRESSIONS[name]
    p = Program(fixed=2)
    (out,) = translate(p, {x: 0, y: 1}, [e])
    places = [p.put("input", detail=i) for i in range(2)]
    one, zero = p.number(1.0), p.number(0.0)
    forward = [*tangents(p, [out], {places[0]: one, places[1]: zero}), *tangents(p, [out], {places[1]: one})]
    ways = [*forward, *gradient(p, out, places), *jacobian(p, [out], places)[0]]
    for at in ((0.63, 0.41), (0.37, 0.83)):
        with mpmath.workdps(DIGITS):
            values = {x: mpmath.mpf(at[0]), y: mpmath.mpf(at[1])}
            function = OWN.get(name, lambda v: precise([e], v))
            needed = differences(function, values, (x, y))[0]
        found = Interpreter(p, ways)(at).reshape(3, 2)
        compiled = jacobian_code([x, y], [e], [x, y], "test")(at)[1:]
        for row in (*found, compiled):
            np.testing.assert_allclose(row, needed, rtol=2e-13, atol=1e-14)


def _own(function):
    return lambda v: [function(v[x], v[y])]


OWN = {
    "gamma": _own(lambda a, b: mpmath.gamma(a + b)),
    "gamma left of zero": _own(lambda a, b: mpmath.gamma(a - 3 * b)),
    "loggamma": _own(lambda a, b: mpmath.loggamma(a * b)),
    "floor": _own(lambda a, b: mpmath.floor(5 * a) * b),
    "ceiling": _own(lambda a, b: mpmath.ceil(5 * a) * b),
    "erf": _own(lambda a, b: mpmath.erf(a * b)),
    "erfc": _own(lambda a, b: mpmath.erfc(a - b)),
    "sign": _own(lambda a, b: mpmath.sign(a - b) * a),
    "max": _own(lambda a, b: max(a, b, a * b)),
    "min": _own(lambda a, b: min(a, b, a * b)),
    "pieces": _own(lambda a, b: a * b if a > b else mpmath.sin(a) / b),
    "nested pieces": _own(lambda a, b: a**2 * b),
}
"""Functions that SymEngine does not evaluate with many digits."""


def test_every_call_of_the_translator_has_a_slope():
    assert {*CALLS.values(), "exp"} - {*SLOPES, "atan2"} == set()


def slope(e, at):
    return float(jacobian_code([x], [e], [x], "kink")([at])[1])


def test_at_a_kink_the_slope_is_one_sided_as_documented():
    zero = se.Integer(0)
    assert slope(abs(x), 0.0) == 1.0
    assert slope(se.Max(zero, x), 0.0) == 1.0
    assert slope(se.Min(zero, x), 0.0) == 1.0
    assert slope(se.sign(x), 0.0) == 0.0
    assert slope(se.floor(x), 1.0) == 0.0
    assert slope(se.Piecewise((2 * x, x < 0), (3 * x, True)), 0.0) == 3.0
    assert slope(se.Piecewise((2 * x, x <= 0), (3 * x, True)), 0.0) == 2.0
    assert slope(se.Max(2 * x, 3 * x), 0.0) in (2.0, 3.0)
    assert slope(x * abs(x), 0.0) == 0.0


def test_a_branch_that_is_not_taken_does_not_spoil_the_slope():
    """Where √x has an infinite slope, or no value, the other branch is in force."""
    for at, needed in ((0.0, 5.0), (-1.0, 5.0), (4.0, 0.25 + 1.0)):
        e = se.Piecewise((se.sqrt(x) + se.sqrt(x) ** 2, x > 0), (5 * x, True))
        assert slope(e, at) == pytest.approx(needed, rel=1e-15)
        assert slope(3 * e + x, at) == pytest.approx(3 * needed + 1, rel=1e-15)
    p = Program(fixed=1)
    (out,) = translate(p, {x: 0}, [se.Piecewise((se.log(x) * x, x > 0), (x**2, True))])
    place = p.put("input", detail=0)
    (back,) = gradient(p, out, [place])
    (forth,) = tangents(p, [out], {place: p.number(1.0)})
    assert Interpreter(p, [back, forth])([0.0]).tolist() == [0.0, 0.0]


def test_second_derivatives_by_composition():
    """Forward over reverse, reverse over reverse and Jacobian of the gradient: SymEngine's own second derivatives."""
    e = se.sin(x * y) * se.exp(x) / (1 + y**2) + se.atan2(x, y) + se.gamma(x + y)
    p = Program(fixed=2)
    (out,) = translate(p, {x: 0, y: 1}, [e])
    places = [p.put("input", detail=i) for i in range(2)]
    first = gradient(p, out, places)
    whole = jacobian(p, first, places)
    mixed = tangents(p, first, {places[1]: p.number(1.0)})
    again = gradient(p, first[0], places)
    found = Interpreter(p, [*whole[0], *whole[1], *mixed, *again])([0.7, 1.3])
    with mpmath.workdps(DIGITS):
        f = lambda a, b: (  # noqa: E731
            mpmath.sin(a * b) * mpmath.exp(a) / (1 + b**2) + mpmath.atan2(a, b) + mpmath.gamma(a + b)
        )
        needed = [float(mpmath.diff(f, (0.7, 1.3), n)) for n in ((2, 0), (1, 1), (1, 1), (0, 2))]
    np.testing.assert_allclose(found[:4], needed, rtol=1e-12)
    np.testing.assert_allclose(found[4:6], needed[1::2], rtol=1e-12)
    np.testing.assert_allclose(found[6:], needed[:2], rtol=1e-12)


def test_directions_and_weights_are_products_with_the_jacobian():
    exprs = [se.sin(x) * y, x / y, x * y + x]
    p = Program(fixed=4)
    outs = translate(p, {x: 0, y: 1}, exprs)
    px, py, a, b = (p.put("input", detail=i) for i in range(4))
    rows = jacobian(p, outs, [px, py])
    forth = tangents(p, outs, {px: a, py: b})
    back = combined(p, {outs[0]: a, outs[2]: b}, [px, py])
    numbers = Interpreter(p, [*(i for row in rows for i in row), *forth, *back])([0.3, 0.9, -1.7, 2.2])
    matrix = numbers[:6].reshape(3, 2)
    np.testing.assert_allclose(numbers[6:9], matrix @ [-1.7, 2.2], rtol=1e-15)
    np.testing.assert_allclose(numbers[9:], [-1.7, 0.0, 2.2] @ matrix, rtol=1e-15)


def test_a_value_that_is_input_and_output_and_a_constant_have_their_slopes():
    p = Program(fixed=2)
    px, py = (p.put("input", detail=i) for i in range(2))
    rows = jacobian(p, [px, p.number(3.0), p.multiply(px, px)], [px, py])
    found = Interpreter(p, [i for row in rows for i in row])([2.0, 5.0])
    assert found.tolist() == [1.0, 0.0, 0.0, 0.0, 4.0, 0.0]


def test_gradient_of_many_inputs_costs_a_small_multiple_of_the_function():
    """Reverse mode: Σ (x_i x_{i+1})² of 200 inputs."""
    p = Program(fixed=200)
    places = [p.put("input", detail=i) for i in range(200)]
    total = p.number(0.0)
    for a, b in pairwise(places):
        term = p.multiply(a, b)
        total = p.add(total, p.multiply(term, term))
    before = len(p.operations)
    slopes = gradient(p, total, places)
    assert len(p.operations) < 5 * before
    given = np.random.default_rng(1).normal(size=200)
    padded = np.concatenate([[0.0], given, [0.0]])
    needed = 2 * given * (padded[:-2] ** 2 + padded[2:] ** 2)
    np.testing.assert_allclose(Interpreter(p, slopes)(given), needed, rtol=1e-13)


def test_singular_mass_and_unknown_columns_are_told():
    kernel = kernel_of("chaplygin-sleigh")
    with pytest.raises(ModelError, match="nowhere is not in its input vector"):
        rates_jacobian(kernel, [se.Symbol("nowhere")])


def test_digamma_is_right_on_both_sides_of_zero():
    e = se.loggamma(x)
    for at in (-3.3, -0.4, 0.2, 0.5, 1.0, 1.4616321449683623, 3.7, 25.0, 1e6):
        needed = float(mpmath.psi(0, at))
        assert math.isclose(slope(e, at), needed, rel_tol=3e-14, abs_tol=3e-15)
