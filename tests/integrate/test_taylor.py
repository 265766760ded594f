"""Taylor's method against closed forms, in double and quad precision, and against the compiled loops."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.derive.equations import Equations
from nonholo.integrate.motion.integration import Event
from nonholo.integrate.taylor.heyoka_integrator import translate
from tests import systems

hy = pytest.importorskip("heyoka")

P = {"m": 1.3, "J": 0.7, "a": 0.4}


def sleigh_motion(t, omega, v):
    """v = V tanh(κ t + δ), ω = W sech(κ t + δ), with forty digits."""
    with mpmath.workdps(40):
        m, J, a, omega, v = (mpmath.mpf(x) for x in (P["m"], P["J"], P["a"], omega, v))
        inertia = J + m * a**2
        top = mpmath.sqrt(v**2 + inertia / m * omega**2)
        rate, shift = m * a * top / inertia, mpmath.atanh(v / top)
        return top * mpmath.tanh(rate * t + shift), omega * mpmath.cosh(shift) * mpmath.sech(rate * t + shift)


def sleigh(until, **words):
    return nh.simulate(systems.unbalanced_sleigh(), {"omega": 1.5, "v": -1.0}, until, P, method="taylor", **words)


@pytest.mark.parametrize("until", [12.0, -7.0])
def test_sleigh_is_tanh_and_sech_to_rounding_forwards_and_backwards(until):
    run = sleigh(until, t_eval=37)
    exact = np.array([sleigh_motion(t, 1.5, -1.0) for t in run["t"]], dtype=float)
    assert run.outcome.reached and run["t"][-1] == until
    assert np.max(np.abs(run["v"] - exact[:, 0])) < 1e-13 and np.max(np.abs(run["omega"] - exact[:, 1])) < 1e-13


def test_pendulum_swings_as_jacobis_sine():
    """sin(θ/2) = k sn(K − ω₀ t, k) from rest at θ₀, k = sin(θ₀/2)."""
    pendulum = nh.System(coordinates="th", parameters="l g", lagrangian="l**2*thdot**2/2 + g*l*cos(th)")
    run = nh.simulate(pendulum, {"th": 2.2}, 9.0, {"l": 0.7, "g": 9.81}, method="taylor", t_eval=31)
    modulus = mpmath.sin(mpmath.mpf(2.2) / 2) ** 2
    rate = mpmath.sqrt(mpmath.mpf(9.81) / mpmath.mpf(0.7))
    exact = [
        2 * mpmath.asin(mpmath.sqrt(modulus) * mpmath.ellipfun("sn", mpmath.ellipk(modulus) - rate * t, m=modulus))
        for t in run["t"]
    ]
    assert np.max(np.abs(run["th"] - np.array(exact, dtype=float))) < 1e-13


def test_quad_precision_is_right_to_the_last_bit_of_a_double():
    """One third in the equation and a thousand seconds: a double's third would be wrong by 1e-14 at the end."""
    spring = nh.System(coordinates="x", lagrangian="xdot**2/2 - x**2/6")
    run = nh.simulate(spring, {"x": 1.0, "xdot": 0.25}, 1000.0, method="taylor", precision="quad", t_eval=5)
    with mpmath.workdps(40):
        rate = 1 / mpmath.sqrt(3)
        exact = [mpmath.cos(rate * t) + mpmath.mpf("0.25") / rate * mpmath.sin(rate * t) for t in run["t"]]
        gap = max(abs(x - e) for x, e in zip(run["x"].tolist(), exact))
    assert gap < 1.2e-16  # half a unit in the last place of numbers below one


def test_quad_precision_sleigh_with_parameters_and_an_event():
    run = sleigh(3.0, precision="quad", events=["v"], t_eval=[0.0, 1.7, 3.0])
    for k, t in enumerate((0.0, 1.7, 3.0)):
        v, omega = sleigh_motion(t, 1.5, -1.0)
        assert abs(run["v"][k] - v) <= 2e-16 and abs(run["omega"][k] - omega) <= 2e-16
    assert abs(sleigh_motion(run.events["v"][0], 1.5, -1.0)[0]) < 3e-16


@pytest.mark.parametrize(
    "name", ["balanced_sleigh", "falling_disk", "parallel_points", "constant_speed", "suslov_quaternion", "magnetic_particle"]
)
def test_taylor_and_dop853_agree(name):
    from nonholo.derive.laws.check import random_states

    system = systems.ALL[name]()
    state = next(random_states(system, seed=4))
    known = {*system.coordinates, *system.velocities}
    start = {n: v for n, v in state.values.items() if n in known and (system.frame.plain or not n.endswith("dot"))}
    words = {"t_eval": 4, "rtol": 1e-13, "atol": 1e-14}
    one = nh.simulate(system, start, 4.0, state.parameters, method="taylor", **words)
    two = nh.simulate(system, start, 4.0, state.parameters, **words)
    assert one.outcome.reached and two.outcome.reached
    assert abs(one.frames - two.frames) <= 1  # each looks at its frame where its own steps end
    for n in one.data.data_vars:
        assert one[n] == pytest.approx(two[n], rel=1e-11, abs=1e-11), n


def test_multiplier_form_is_eliminated_in_its_own_order():
    run = sleigh(12.0, form="multipliers", t_eval=3)
    assert abs(run["v"][-1] - float(sleigh_motion(12.0, 1.5, -1.0)[0])) < 1e-13


def test_rows_are_reordered_when_a_pivot_vanishes_on_the_way():
    """R(t) ż = R(t) (−z₂, z₁) with a rotation R, whose first entry is zero at π/2, where a step ends."""
    t, a, b = se.symbols("t a b")
    c, s = se.cos(t), se.sin(t)
    equations = Equations(
        "turned", "by hand", (), (a, b), (), ((c, s), (-s, c)), (-c * b + s * a, s * b + c * a), a, t, symmetric=False
    )
    run = nh.simulate(equations, {"a": 1.0, "b": 0.0}, 20.0, method="taylor", max_step=np.pi / 128)
    assert run.outcome.reached
    assert np.max(np.abs(run["a"] - np.cos(run["t"]))) < 1e-13 and np.max(np.abs(run["b"] - np.sin(run["t"]))) < 1e-13


def test_events_ends_and_functions_forwards_and_backwards():
    turn = nh.System(coordinates="x", lagrangian="xdot**2/2 - x**2/2")

    def low(state):
        return state["x"] + 0.5

    words = {"method": "taylor", "start": {"xdot": 1.0}}  # x = sin t, an event at the very start does not count
    run = nh.simulate(turn, until=10.0, events=["x", Event("x - 0.5", direction=-1), low], **words)
    assert run.events["x"] == pytest.approx(np.pi * np.array([1, 2, 3]), abs=1e-14)
    assert run.events["x - 0.5"] == pytest.approx(np.pi * (2 * np.arange(2) + 5 / 6), abs=1e-14)
    assert run.events["low"] == pytest.approx(np.pi * np.array([7, 11, 19]) / 6, abs=1e-12)
    back = nh.simulate(turn, until=-10.0, events=[Event("x - 0.5", direction=-1)], **words)
    assert back.events["x - 0.5"] == pytest.approx([-11 * np.pi / 6], abs=1e-14)
    end = nh.simulate(turn, until=10.0, events=[Event("x", terminal=2)], t_eval=[1.0, 6.0, 9.0], **words)
    assert end.outcome.kind == "event" and end.final["t"] == pytest.approx(2 * np.pi, abs=1e-14)
    assert end["t"].tolist() == [1.0, 6.0] and end.final["xdot"] == pytest.approx(1.0, abs=1e-15)


def test_inputs_are_numbers_or_formulas_and_nothing_else():
    cart = nh.System(coordinates="x", parameters="m", inputs="F", lagrangian="m/2*xdot**2", forces={"x": "F"})
    words = {"method": "taylor", "t_eval": "end"}
    push = nh.simulate(cart, {}, 2.0, {"m": 1.6}, inputs={"F": 3.0}, **words)
    assert push.final["x"] == pytest.approx(3 / 1.6 * 2, rel=1e-15)
    wave = nh.simulate(cart, {"t": 0.5}, 2.0, {"m": 1.6}, inputs={"F": "cos(3*t)"}, **words)
    assert wave.final["xdot"] == pytest.approx((np.sin(6.0) - np.sin(1.5)) / 4.8, abs=1e-15)
    for source in (np.cos, ([0, 1, 2], [0, 1, 1])):
        with pytest.raises(nh.StateError, match="input F is a table or a function"):
            nh.simulate(cart, {}, 2.0, {"m": 1.6}, inputs={"F": source}, **words)


def test_rotation_matrix_and_holonomic_length_stay_on_their_manifold():
    values = dict(zip(systems.SUSLOV_PARAMETERS.split(), (1.0, 2.0, 3.0, 0.4, 0.3, 0.5, 1.0)))
    run = nh.simulate(systems.suslov_matrix(), {"w1": 2.0, "w2": 0.7}, 500.0, values, method="taylor", t_eval=101)
    matrix = np.array([[run[f"R{i}{j}"] for j in (1, 2, 3)] for i in (1, 2, 3)])
    assert np.max(np.abs(np.einsum("ikt,jkt->ijt", matrix, matrix) - np.eye(3)[:, :, None])) < 2e-15
    cart = {"M": 1.2, "m1": 0.7, "m2": 0.5, "l1": 0.8, "l2": 0.6, "g": 9.81}
    swing = nh.simulate(
        systems.pendulum_on_cart(), {"x1": 0.8, "y1": 0.0, "a2": 1.0}, 5.0, cart, method="taylor", form="multipliers"
    )
    assert np.max(np.abs(swing["x1"] ** 2 + swing["y1"] ** 2 - 0.64)) < 2e-15
    assert swing.drift("energy") < 1e-12


def test_outcomes_and_costs():
    blow_up = nh.System(coordinates="x", parameters="m", lagrangian="m/2*xdot**2", forces={"x": "2*m*x**3"})
    run = nh.simulate(blow_up, {"x": 1.0, "xdot": 1.0}, 5.0, {"m": 1.3}, method="taylor", t_eval=[0.25, 0.5, 2.0])
    assert run.outcome.kind in ("step too small", "not finite") and run.outcome.time == pytest.approx(1.0, abs=1e-4)
    assert run["x"] == pytest.approx([1 / 0.75, 2.0], rel=1e-14)  # x = 1/(1 − t)
    rest = nh.simulate(blow_up, {"x": 0.0, "xdot": 0.0}, 5.0, {"m": 1.3}, method="taylor", t_eval="end")
    assert rest.outcome.reached and rest.final["x"] == 0.0  # a power of zero has a series
    assert sleigh(50.0, max_steps=3).outcome.kind == "too many steps"
    steps = sleigh(5.0, t_eval="steps")
    assert steps.data.sizes["t"] == steps.steps + 1
    loose = sleigh(5.0, tolerance=1e-6, t_eval="end")
    wrong = abs(loose.final["v"] - float(sleigh_motion(5.0, 1.5, -1.0)[0]))
    assert 1e-13 < wrong < 1e-5


def test_an_ensemble_of_series_is_the_single_motions():
    omegas = np.array([0.7, 1.5, 2.0])
    runs = nh.ensemble(
        systems.unbalanced_sleigh(), {"omega": omegas, "v": -1.0}, 3.0, P, method="taylor", t_eval=4, events=["v"]
    )
    for k, omega in enumerate(omegas):
        v, _ = sleigh_motion(3.0, omega, -1.0)
        assert runs["final_v"].values[k] == pytest.approx(float(v), abs=1e-14)
    one = sleigh(3.0, t_eval=4, events=["v"])
    assert np.array_equal(runs["x"].values[1], one["x"]) and runs["event_0"].values[1, 0] == one.events["v"][0]


def test_what_has_no_series_and_what_is_not_installed_are_clear_errors(monkeypatch):
    edge = nh.System(coordinates="x", lagrangian="xdot**2/2 - Abs(x)")
    with pytest.raises(nh.ModelError, match="Piecewise are not available"):
        nh.simulate(edge, {"x": 1.0}, 1.0, method="taylor")
    with pytest.raises(nh.StateError, match="precision = 'octuple'"):
        sleigh(1.0, precision="octuple")
    monkeypatch.setattr("nonholo.integrate.methods.taylor.find_spec", lambda name: None)
    with pytest.raises(nh.ModelError, match=r"pip install 'nonholo\[taylor\]'"):
        sleigh(1.0)


X, Y = se.symbols("x y")
FUNCTIONS = [
    se.sin(X), se.cos(X), se.tan(X), se.asin(X), se.acos(X), se.atan(X), se.atan2(X, Y), se.sinh(X), se.cosh(X), se.tanh(X),
    se.asinh(X), se.acosh(1 + X), se.atanh(X), se.log(X), se.exp(X), se.erf(X), se.sec(X), se.csc(X), se.cot(X), se.sech(X),
    se.csch(X), se.coth(X), se.asec(1 / X), se.acsc(1 / X), se.acot(X), se.asech(X), se.acsch(X), se.acoth(1 / X), se.sqrt(X),
    X ** se.Rational(-3, 2), X ** se.Rational(7, 3), X**5, X**-7, X**Y, 2**X, X**70, se.pi * X, se.E * X, X * se.Rational(2, 7),
    X * 0.1 - Y * se.Integer(3) ** 40,
]  # fmt: skip


@pytest.mark.parametrize("expr", FUNCTIONS, ids=str)
def test_every_function_is_translated_as_sympy_evaluates_it(expr):
    x, y = 0.37, -1.21
    found = hy.cfunc(translate([expr], {X: hy.expression("x"), Y: hy.expression("y")}, "test"), hy.make_vars("x", "y"))
    exact = complex(expr._sympy_().evalf(25, subs={"x": x, "y": y}))
    assert exact.imag == 0 and float(found([x, y])[0]) == pytest.approx(exact.real, rel=4e-15)
