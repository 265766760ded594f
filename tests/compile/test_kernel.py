"""The kernel's machine code against exact evaluation of the same expressions, and its refusals."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
import symengine as se

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.compile import compile_equations, machine_code
from nonholo.errors import ModelError
from tests.compile import handmade

RNG = np.random.default_rng(20240611)


def exact(expression, values):
    """The value by 50-digit arithmetic."""
    return float(se.sympify(expression).xreplace(values).n(170, real=True))


def point(kernel):
    symbols = kernel.symbols
    numbers = RNG.uniform(0.2, 1.1, len(symbols))
    return numbers, {s: se.Rational(*float(v).as_integer_ratio()) for s, v in zip(symbols, numbers)}


@pytest.mark.parametrize(
    "equations", [handmade.sleigh(), handmade.hanging(), handmade.free_body(), handmade.driven(), handmade.rattleback()]
)
def test_right_hand_side_is_kinematics_mass_and_force_to_rounding(equations):
    kernel = compile_equations(equations)
    numbers, values = point(kernel)
    found = kernel.evaluate(numbers)
    size, count = len(equations.mass), len(equations.coordinates)
    solution = found[count : count + size]
    found = np.concatenate([found[:count], found[count + size + 1 :]])
    below = (lambda i: i + 1) if kernel.symmetric else (lambda i: size)
    entries = [equations.mass[i][j] for i in range(size) for j in range(below(i))]
    needed = [exact(e, values) for e in (*equations.kinematics, *entries, *equations.force)]
    np.testing.assert_allclose(found, needed, rtol=2e-13, atol=1e-15)
    if kernel.symmetric:
        mass = np.array([[exact(e, values) for e in row] for row in equations.mass])
        force = [exact(e, values) for e in equations.force]
        np.testing.assert_allclose(solution, np.linalg.solve(mass, force), rtol=1e-11)


def test_a_matrix_with_multipliers_is_kept_whole_because_it_is_never_positive():
    kernel = compile_equations(handmade.hanging())
    assert not kernel.symmetric
    assert kernel.rates_code.outputs == 2 + 3 + 1 + 9 + 3


def test_monitors_see_state_rates_and_unknowns():
    equations = handmade.hanging()
    u, v = equations.speeds
    force = equations.unknowns[0]
    ax, ay = se.symbols("udot vdot")
    monitored = {"energy": equations.energy, "mixed": ax * v + force, "other": ay * u - force**2}
    kernel = compile_equations(equations, monitored, rates=(ax, ay))
    numbers, values = point(kernel)
    solution = (0.3, -0.7, 1.9)
    found = kernel.monitors([*numbers, *solution])
    values |= dict(zip((ax, ay, force), (se.Rational(3, 10), se.Rational(-7, 10), se.Rational(19, 10))))
    np.testing.assert_allclose(found, [exact(e, values) for e in monitored.values()], rtol=1e-14)


def test_residuals_hold_invariants_of_coordinates_first_and_their_slopes():
    equations = handmade.hanging()
    swapped = replace(equations, invariants=FrozenMap(dict(reversed(list(equations.invariants.items())))))
    kernel = compile_equations(swapped)
    assert kernel.invariants == ("length", "rate")
    assert kernel.positions == 1
    numbers, _ = point(kernel)
    _, x, y, u, v, _, l = numbers
    expected = [x * x + y * y - l * l, x * u + y * v, 2 * x, 2 * y, 0, 0, u, v, x, y]
    np.testing.assert_allclose(kernel.residuals(numbers), expected, rtol=1e-14)


def test_kernel_is_rebuilt_from_a_pickle():
    equations = handmade.sleigh()
    kernel = compile_equations(equations, {"energy": equations.energy}, conditions=[equations.parameters[0]])
    copy = pickle.loads(pickle.dumps(kernel))
    numbers, _ = point(kernel)
    assert np.array_equal(copy.evaluate(numbers), kernel.evaluate(numbers))
    solution = np.zeros(2)
    assert np.array_equal(copy.monitors([*numbers, *solution]), kernel.monitors([*numbers, *solution]))
    assert np.array_equal(copy.conditions(numbers), kernel.conditions(numbers))
    assert copy.equations == equations


def test_coordinates_named_like_the_compilers_temporaries_keep_their_meaning():
    x0, x1, x2, x3 = names = se.symbols("x0 x1 x2 x3")
    shared = se.sin(x0 + x1)
    code = machine_code(names, [shared * x2 + shared**2, shared * x3 + se.cos(x0 + x1)], "names")
    a, b, c, d = 0.3, 0.9, -1.7, 2.2
    s = np.sin(a + b)
    np.testing.assert_allclose(code([a, b, c, d]), [s * c + s * s, s * d + np.cos(a + b)], rtol=1e-15)


def test_functions_of_the_compiler_agree_with_numpy():
    x, y = se.symbols("x y")
    table = {
        se.tan(x): np.tan(0.3),
        se.asin(x) + se.acos(y): np.arcsin(0.3) + np.arccos(0.7),
        se.atan2(y, x): np.arctan2(0.7, 0.3),
        se.sinh(x) * se.cosh(y) / se.tanh(x): np.sinh(0.3) * np.cosh(0.7) / np.tanh(0.3),
        se.exp(x) - se.log(y): np.exp(0.3) - np.log(0.7),
        abs(x - y): 0.4,
        se.sign(x - y): -1.0,
        se.Max(x, y) + 3 * se.Min(x, y): 0.7 + 0.9,
        se.Piecewise((x, x > y), (y**2, True)): 0.49,
        x ** se.Rational(-3, 2) + y ** se.Rational(5, 2): 0.3**-1.5 + 0.7**2.5,
        x**7 - y**-4: 0.3**7 - 0.7**-4,
        x**y: 0.3**0.7,
        se.pi * x + se.E: np.pi * 0.3 + np.e,
        se.Integer(3): 3.0,
    }
    code = machine_code([x, y], list(table), "functions")
    np.testing.assert_allclose(code([0.3, 0.7]), list(table.values()), rtol=1e-15, atol=1e-15)


def test_unknown_symbol_is_named_and_the_known_ones_listed():
    equations = handmade.sleigh()
    stray = se.Symbol("friction")
    broken = replace(equations, force=(equations.force[0] - stray, equations.force[1]))
    with pytest.raises(ModelError, match=r"sleigh: equations of motion.*friction.*parameter or an input"):
        compile_equations(broken)


@pytest.mark.parametrize("bad", [se.Function("f")(se.Symbol("x")), se.I * se.Symbol("x"), se.zoo])
def test_expression_without_machine_code_is_refused_with_advice(bad):
    with pytest.raises(ModelError, match=r"first order.*has no machine code"):
        compile_equations(handmade.first_order(bad))


def test_two_things_with_one_name_are_refused():
    equations = handmade.sleigh()
    doubled = replace(equations, parameters=(*equations.parameters, se.Symbol("theta")))
    with pytest.raises(ModelError, match="theta stands for two things"):
        compile_equations(doubled)


def test_shapes_that_do_not_fit_are_refused():
    equations = handmade.sleigh()
    with pytest.raises(ModelError, match="2 speeds"):
        compile_equations(replace(equations, mass=equations.mass[:1]))
    with pytest.raises(ModelError, match="kinematic expressions for 3 coordinates"):
        compile_equations(replace(equations, kinematics=equations.kinematics[:2]))
    with pytest.raises(ModelError, match="rates of 2 speeds"):
        compile_equations(equations, rates=[se.Symbol("a")])
