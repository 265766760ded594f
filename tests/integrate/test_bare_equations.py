"""Kane's equations from SymPy, which have no Lagrangian: every question that needs none takes them as it takes a system."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from sympy.physics.mechanics import KanesMethod, Particle, Point, ReferenceFrame, dynamicsymbols

import nonholo as nh

NUMBERS = {"m": 1.2, "l": 0.8, "c": 0.1}
START = {"q": 0.3, "u": -0.2}


@pytest.fixture(scope="module")
def kane():
    """A damped pendulum with a torque, by Kane."""
    q, u, torque = dynamicsymbols("q u T")
    m, l, g, c = sp.symbols("m l g c")
    frame, origin = ReferenceFrame("N"), Point("O")
    arm = frame.orientnew("A", "Axis", [q, frame.z])
    arm.set_ang_vel(frame, u * frame.z)
    origin.set_vel(frame, 0)
    bob = origin.locatenew("P", -l * arm.y)
    bob.v2pt_theory(origin, frame, arm)
    method = KanesMethod(frame, q_ind=[q], u_ind=[u], kd_eqs=[q.diff() - u])
    method.kanes_equations([Particle("bob", bob, m)], [(bob, -m * g * frame.y), (arm, (torque - c * u) * frame.z)])
    return nh.from_sympy(method)


def pendulum():
    """The same by a Lagrangian."""
    return nh.System(
        coordinates="q", parameters={**NUMBERS, "g": None}, inputs="T", forces={"q": "T - c*qdot"},
        lagrangian="m*l**2*qdot**2/2 + m*g*l*cos(q)", quasivelocities={"u": "qdot"},
    )  # fmt: skip


def test_a_model_of_them_answers_as_that_of_the_system(kane):
    one, two = nh.prepare(kane, NUMBERS), nh.prepare(pendulum())
    assert one.names == two.names == ("q", "u")
    push = {"T": 0.4}
    assert one.rates(START, push)["u"] == pytest.approx(two.rates(START, push)["u"], rel=1e-12)
    assert one.step(START, 0.1, push)["q"] == pytest.approx(two.step(START, 0.1, push)["q"], rel=1e-9)
    assert one.step({"q": 0.3, "qdot": -0.2}, 0.1, push)["q"] == pytest.approx(two.step(START, 0.1, push)["q"], rel=1e-9)
    states, pushes = np.array([[0.3, -0.2], [1.0, 0.5]]), np.array([[0.4], [-1.0]])
    np.testing.assert_allclose(one.vector(states, pushes), two.vector(states, pushes), rtol=1e-12)
    np.testing.assert_allclose(one.step_many(states, 0.2, pushes), two.step_many(states, 0.2, pushes), rtol=1e-9)
    np.testing.assert_allclose(one.jacobian(states[0], pushes[0]), two.jacobian(states[0], pushes[0]), rtol=1e-12)
    with pytest.raises(nh.StateError, match="the parameter 'c' has no value"):
        nh.prepare(kane, {"m": 1.0, "l": 2.0})


def test_ensembles_of_them_are_those_of_the_system(kane):
    starts = {"q": [0.3, 0.6, 1.2], "u": 0.1}
    for driving in ({"T": [0.1, 0.2, -0.4]}, {"T": "0.2*sin(t)"}, {"T": ([0, 1, 2], [0.0, 1.0, 0.5])}, None):
        one = nh.ensemble(kane, starts, 2.0, NUMBERS, inputs=driving, events=["q"])
        two = nh.ensemble(pendulum(), starts, 2.0, NUMBERS, inputs=driving, events=["q"])
        np.testing.assert_allclose(one["q"], two["q"], rtol=1e-7, atol=1e-8)
        np.testing.assert_allclose(one["event_0"], two["event_0"], rtol=1e-7)
        assert one["outcome"].values.tolist() == ["reached"] * 3


def test_they_are_fitted_to_data(kane):
    seen = nh.simulate(kane, START, 3.0, NUMBERS, progress=False)
    found = nh.fit(kane, {"t": seen.times, "q": seen["q"]}, {"c": 0.3, "l": 0.7}, parameters={"m": 1.2}, start=START)
    assert found.values["c"] == pytest.approx(0.1, rel=1e-6)
    assert found.values["l"] == pytest.approx(0.8, rel=1e-6)


@pytest.mark.parametrize("question", ["verdict", "reduce", "classify", "integrals"])
def test_other_questions_refuse_them_in_one_sentence(kane, question):
    with pytest.raises(nh.ModelError, match="asked of a Lagrangian, its constraints and symmetry, which these equations do not"):
        getattr(nh, question)(kane)
