"""Names, laws and classes that SymPy's users write: taken over as they are meant, or refused with a reason."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import sympy as sp
import sympy.physics.mechanics.tests.test_kane3 as sympys_bicycle
from sympy.physics.mechanics import KanesMethod, LagrangesMethod, Particle, Point, ReferenceFrame, dynamicsymbols

import nonholo as nh
from nonholo.errors import ModelError

T = dynamicsymbols._t


def pushed(force, coordinate="q", speed="u", mass="m", subclass=KanesMethod):
    """A particle on a line under a force, by Kane."""
    q, u = dynamicsymbols(f"{coordinate} {speed}")
    frame, origin, place = ReferenceFrame("N"), Point("O"), Point("P")
    origin.set_vel(frame, 0)
    place.set_pos(origin, q * frame.x)
    place.set_vel(frame, u * frame.x)
    method = subclass(frame, q_ind=[q], u_ind=[u], kd_eqs=[q.diff() - u])
    method.kanes_equations([Particle("body", place, sp.Symbol(mass))], [(place, force(q, u) * frame.x)])
    return method


def swing(lagrangian, subclass=LagrangesMethod, coordinate="q"):
    q = dynamicsymbols(coordinate)
    method = subclass(lagrangian(q), [q])
    method.form_lagranges_equations()
    return method


def test_a_parameter_called_t_is_not_the_time():
    other = sp.Symbol("t", positive=True)
    for method in (pushed(lambda q, u: -other * q), swing(lambda q: q.diff() ** 2 / 2 - other * q**2)):
        with pytest.raises(ModelError, match="a parameter is called t, which is the time; rename it"):
            nh.from_sympy(method)
    driven = nh.from_sympy(pushed(lambda q, u: sp.cos(3 * T)))
    assert driven.rates({"q": 0.2, "u": 0.1, "t": 0.7}, {"m": 2.0})["u"] == pytest.approx(np.cos(2.1) / 2)


def test_a_law_of_the_state_without_a_formula_is_refused():
    """As an input its slope would be missing in every linearisation."""
    law = sp.Function("F")
    for method in (
        pushed(lambda q, u: -law(q)),
        pushed(lambda q, u: -law(q).diff(q)),
        swing(lambda q: q.diff() ** 2 / 2 - law(q)),
    ):
        with pytest.raises(ModelError, match=r"F\(q\(t\)\) is a function of q\(t\) whose formula is not given"):
            nh.from_sympy(method)
    known = pushed(lambda q, u: -law(q).subs(law(q), 5 * q + q**3))
    lin = nh.linearise(nh.from_sympy(known), {"q": 0.5, "u": 0.0}, parameters={"m": 2.0})
    assert lin.A[1, 0] == pytest.approx(-(5 + 3 * 0.25) / 2)


def test_subclasses_are_what_their_bases_are():
    class Mine(LagrangesMethod):
        """A user's own."""

    class Own(KanesMethod):
        """A user's own."""

    assert nh.from_sympy(swing(lambda q: q.diff() ** 2 / 2 - q**2, Mine)).coordinates == ("q",)
    assert nh.from_sympy(pushed(lambda q, u: -q, subclass=Own)).state == ("q", "u")
    with pytest.raises(ModelError, match="found a int; give a KanesMethod"):
        nh.from_sympy(3)


def test_names_of_latex_and_of_constants_become_plain_ones_by_kane_and_lagrange():
    stiff, push = sp.Symbol("E"), dynamicsymbols(r"\tau_{1}")
    kane = nh.from_sympy(pushed(lambda q, u: push - stiff * q, r"\theta_{1}", r"\dot{w}", r"m_{b}"))
    assert kane.state == ("theta_1", "dotw")
    assert tuple(map(str, kane.parameters)) == ("E_", "m_b")
    assert tuple(map(str, kane.inputs)) == ("tau_1",)
    mass = sp.Symbol("m_{b}")
    system = nh.from_sympy(swing(lambda q: mass * q.diff() ** 2 / 2 - stiff * q**2 / 2 + push * q, coordinate=r"\theta_{1}"))
    assert (system.coordinates, tuple(system.parameters), tuple(system.inputs)) == (("theta_1",), ("E_", "m_b"), ("tau_1",))
    # what is given may be called as SymPy calls it
    numbers = {stiff: 3.0, "m_{b}": 2.0}
    start = {r"\theta_{1}": 0.4}
    one = nh.simulate(kane, {**start, r"\dot{w}": 0.1}, 1.0, numbers, inputs={"tau_1": 0.3})
    two = nh.simulate(system, {**start, "theta_1dot": 0.1}, 1.0, numbers, inputs={"tau_1": 0.3})
    assert one.final["theta_1"] == pytest.approx(two.final["theta_1"], rel=1e-8)
    swap = np.sqrt(1.5)
    exact = 0.1 + 0.3 * np.cos(swap) + 0.1 / swap * np.sin(swap)
    assert one.final["theta_1"] == pytest.approx(exact, rel=1e-8)
    with pytest.raises(ModelError, match="would both be called E_"):
        nh.from_sympy(pushed(lambda q, u: -stiff * q - sp.Symbol("E_") * u))


@pytest.mark.slow
def test_rates_of_sympys_bicycle_are_those_of_its_own_mass_matrix():
    text = inspect.getsource(sympys_bicycle.test_bicycle)
    lines = text[: text.index("\n", text.index("KM.kanes_equations"))].splitlines()
    space = dict(vars(sympys_bicycle))
    code = "if True:\n" + "\n".join(line for line in lines if not line.startswith(("def ", "@")))
    exec(code, space)
    equations = nh.from_sympy(space["KM"])
    assert equations.state == ("q1", "q2", "q5", "q4", "u2", "u3", "u5", "u1", "u4", "u6")
    method = space["KM"]
    rng = np.random.default_rng(3)
    numbers = {str(p): float(v) for p, v in zip(equations.parameters, rng.uniform(0.5, 1.5, len(equations.parameters)))}
    state = dict(zip(equations.state, rng.uniform(-0.4, 0.4, len(equations.state)).tolist()))
    table = {**{s: state[s.func.__name__] for s in (*method.q, *method.u)}, **{sp.Symbol(n): e for n, e in numbers.items()}}
    mass = sp.lambdify([*table], method.mass_matrix)(*table.values())
    force = sp.lambdify([*table], method.forcing)(*table.values())
    found = equations.rates(state, numbers)
    expected = np.linalg.solve(np.array(mass, dtype=float), np.array(force, dtype=float).ravel())
    np.testing.assert_allclose([found[n] for n in equations.state[4:]], expected, rtol=1e-7)
