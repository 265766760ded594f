"""Machine code against exact arithmetic: sines and cosines, powers, factorisation, constants."""

from __future__ import annotations

import math
import pickle

import mpmath
import numpy as np
import pytest
import symengine as se

from nonholo.compile import compile_equations, machine_code
from nonholo.compile.explicit_rates import definite
from nonholo.program.llvm_jit import listing, load
from nonholo.program.machine_code import MachineCode
from nonholo.program.program import Program
from tests.compile import handmade

x, y = se.symbols("x y")
RNG = np.random.default_rng(77)


def units(found, exact):
    """Error in units in the last place."""
    return abs(float((mpmath.mpf(float(found)) - exact) / mpmath.mpf(float(np.spacing(abs(float(exact)))))))


def angles():
    near = [k * math.pi / 2 + d for k in (-1001, -7, -2, -1, 0, 1, 2, 3, 4, 5, 63661) for d in (0.0, 1e-9, -1e-3)]
    return [*RNG.uniform(-10, 10, 4000), *RNG.uniform(-1e5, 1e5, 4000), *near, 0.0, 1e-300, 1e-8, math.pi / 4]


def test_sine_and_cosine_are_right_to_two_units_in_the_last_place():
    code = machine_code([x], [se.sin(x), se.cos(x)], "test")
    mpmath.mp.dps = 60
    worst = 0.0
    for a in angles():
        sine, cosine = code([a])
        exact = mpmath.sin(mpmath.mpf(a)), mpmath.cos(mpmath.mpf(a))
        for found, e in zip((sine, cosine), exact):
            # near a zero the absolute error is what counts: 1e-22 of the full swing
            if abs(e) > 1e-6:
                worst = max(worst, units(found, e))
            else:
                assert abs(float(found - e)) <= 2.3e-16 * abs(float(e)) + 1e-26
    assert worst < 2.0
    assert code([0.0]).tolist() == [0.0, 1.0]


def test_far_angles_and_no_numbers_go_through_the_c_library():
    code = machine_code([x], [se.sin(x), se.cos(x)], "test")
    for a in (1e5 + 1, -3e7, 1e22, 1e300):
        np.testing.assert_allclose(code([a]), [math.sin(a), math.cos(a)], rtol=1e-15)
    for a in (math.nan, math.inf, -math.inf):
        assert np.all(np.isnan(code([a])))


def test_sine_is_odd_and_cosine_even_to_the_last_bit():
    code = machine_code([x], [se.sin(x), se.cos(x)], "test")
    for a in RNG.uniform(0, 100, 500):
        up, down = code([a]), code([-a])
        assert up[0] == -down[0]
        assert up[1] == down[1]


@pytest.mark.parametrize("n", [-7, -5, -3, -2, -1, 1, 2, 3, 5, 9, 31, -64, 80])
def test_powers_and_half_powers(n):
    code = machine_code([x], [x**n, x ** se.Rational(n, 2)], "test")
    for a in RNG.uniform(0.5, 2.0, 20):
        exact = mpmath.mpf(a) ** n, mpmath.mpf(a) ** (mpmath.mpf(n) / 2)
        for found, e in zip(code([a]), exact):
            assert abs(float((found - e) / e)) < 3e-16 * (2 + abs(n) / 2)
    assert math.isnan(machine_code([x], [x ** se.Rational(n if n % 2 else n + 1, 2)], "test")([-1.0])[0])


def test_division_by_zero_and_overflow_follow_ieee():
    code = machine_code([x, y], [x / y, x**3, se.log(y), 1 / y**2 - 1 / y**2 * x], "test")
    found = code([1e200, 0.0])
    assert found[0] == math.inf
    assert found[1] == math.inf
    assert found[2] == -math.inf
    assert math.isnan(machine_code([x, y], [x / y - x / y**2], "test")([1.0, 0.0])[0])


def test_piecewise_takes_the_first_true_branch_and_forgets_what_the_others_give():
    expr = se.Piecewise((se.sqrt(x), x > 1), (se.log(y), se.And(x > 0, y > 0)), (x * y, True))
    code = machine_code([x, y], [expr], "test")
    assert code([4.0, -1.0])[0] == 2.0
    assert code([0.5, 3.0])[0] == pytest.approx(math.log(3), rel=1e-15)
    assert code([-2.0, 3.0])[0] == -6.0
    assert code([0.5, -3.0])[0] == -1.5


def test_signs():
    code = machine_code([x], [se.sign(x), abs(x)], "test")
    assert [code([v]).tolist() for v in (-2.5, 0.0, 3.0)] == [[-1.0, 2.5], [0.0, 0.0], [1.0, 3.0]]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8])
def test_written_out_factorisation_solves_positive_systems(size):
    root = RNG.normal(size=(size, size))
    matrix, force = root @ root.T + 0.1 * np.eye(size), RNG.normal(size=size)
    program = Program(fixed=10_000)
    places = [program.put("input", detail=i) for i in range(size * (size + 1) // 2 + size)]
    solution, flag = definite(program, places[: -size or None], places[len(places) - size :])
    address, owner = load(listing(program, [*solution, flag]))
    code = MachineCode(address, 0, len(places), size + 1, owner)
    found = code([*(matrix[i, j] for i in range(size) for j in range(i + 1)), *force])
    np.testing.assert_allclose(found[:-1], np.linalg.solve(matrix, force), rtol=1e-10)
    assert found[-1] == 1.0
    matrix[-1, -1] = -1.0
    assert code([*(matrix[i, j] for i in range(size) for j in range(i + 1)), *force])[-1] == -1.0


def test_zero_entries_of_the_mass_cost_nothing_and_parameters_are_used_once():
    """The sleigh: the reciprocals of both masses and what else is of parameters alone is computed beforehand."""
    kernel = compile_equations(handmade.sleigh())
    m, J, a = handmade.SLEIGH_PARAMETERS
    given = [0.0, *handmade.SLEIGH_START, m, J, a]
    fixed = kernel.constants(given)
    assert any(abs(c - 1 / (J + m * a * a)) < 1e-15 for c in fixed)
    found = kernel.evaluate(given)
    omega, v = handmade.SLEIGH_START[3:]
    np.testing.assert_allclose(found[3:5], [-m * a * omega * v / (J + m * a * a), a * omega**2], rtol=1e-15)


def test_many_motions_of_one_kernel_do_not_share_constants():
    from nonholo.integrate.methods import DormandPrince8
    from nonholo.integrate.motion.integration import advance

    kernel = compile_equations(handmade.pendulum())
    kind = DormandPrince8()
    first = advance(kernel, kind, 0, (1.0, 0.0), 3, (9.7, 1.3)).final_state
    advance(kernel, kind, 0, (1.0, 0.0), 3, (1.7, 2.3))
    assert np.array_equal(advance(kernel, kind, 0, (1.0, 0.0), 3, (9.7, 1.3)).final_state, first)


def test_the_order_of_sums_and_products_does_not_depend_on_their_history():
    """A pickled copy holds the same terms in another order; its machine code has the same bits."""
    equations = handmade.rattleback()
    copy = pickle.loads(pickle.dumps(equations))
    assert copy == equations
    assert copy.force[-1].args != equations.force[-1].args
    one, other = compile_equations(equations), compile_equations(copy)
    for _ in range(20):
        given = RNG.uniform(0.2, 1.1, len(one.symbols))
        assert np.array_equal(one.evaluate(given), other.evaluate(given))
