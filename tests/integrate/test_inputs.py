"""Inputs as engineers give them, against formulas, exact recursions and quadrature."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.model.files.time_tables import read_table
from tests.integrate.plain import system

CART = {"coordinates": "x", "parameters": {"m": 2.0}, "lagrangian": "m/2*xdot**2", "forces": {"x": "u"}}
START = {"x": 0.3, "xdot": 0.1}


def cart(**words):
    return nh.System(**{**CART, "inputs": "u", **words})


@pytest.mark.parametrize(("method", "options"), [("dop853", {}), ("rk4", {"step": 0.001}), ("dopri5", {})])
def test_a_function_of_time_and_state_is_the_law_it_computes(method, options):
    law = nh.simulate(cart(), START, 5, inputs={"u": "-3*x - 0.5*xdot + sin(t)"}, method=method, **options)
    own = nh.simulate(
        cart(), START, 5, inputs={"u": lambda t, s: -3 * s["x"] - 0.5 * s["xdot"] + np.sin(t)}, method=method, **options
    )
    for n in ("x", "xdot", "u"):
        np.testing.assert_allclose(own[n], law[n], rtol=0, atol=1e-13)


@pytest.mark.parametrize("method", ["hamel", "verlet", "rattle", "dlagrange_dalembert"])
def test_discrete_principles_ask_the_function_too(method):
    law, own = (
        nh.simulate(cart(), START, 1, inputs={"u": u}, method=method, step=0.01)
        for u in ("-3*x", lambda t, s: -3 * s["x"])
    )
    assert own.final["x"] == pytest.approx(law.final["x"], abs=1e-12)


def test_a_car_by_functions_is_the_car_by_laws():
    car = system("car")
    own = nh.simulate(car, until=3, inputs={"u": lambda t, s: 0.2 * np.sin(3 * t), "f": lambda t, s: 0.3 - 0.1 * s["thdot"]})
    law = nh.simulate(car, until=3, inputs={"u": "0.2*sin(3*t)", "f": "0.3 - 0.1*thdot"})
    for n in (*car.coordinates, "f", "u", "lambda1"):
        np.testing.assert_allclose(own[n], law[n], rtol=0, atol=1e-7)


def test_a_sampled_controller_holds_between_its_looks():
    """The exact recursion of the held motion, and the times at which it was asked."""
    asked = []

    def control(t, state):
        asked.append(t)
        return -3 * state["x"] - 0.5 * state["xdot"]

    run = nh.simulate(cart(), START, 5, inputs={"u": nh.sampled(control, every=0.1)}, t_eval=[0.0, 0.05, 0.1, 0.15, 5.0])
    x, v, held = START["x"], START["xdot"], []
    for _ in range(50):
        held.append(-3 * x - 0.5 * v)
        x, v = x + 0.1 * v + held[-1] / 2 * 0.005, v + held[-1] / 2 * 0.1
    assert run.final["x"] == pytest.approx(x, abs=1e-13) and run.final["xdot"] == pytest.approx(v, abs=1e-13)
    np.testing.assert_allclose(run["u"], [held[0], held[0], held[1], held[1], held[49]], atol=1e-13)
    np.testing.assert_allclose(sorted(set(np.round(asked, 9)))[:4], [0, 0.1, 0.2, 0.3], atol=1e-9)


def test_a_sampled_controller_survives_changes_of_frame():
    """A skate whose frame changes on the way, pushed by a held force, against multipliers without frames."""
    skate = nh.System(
        coordinates="x y th", lagrangian="(xdot**2 + ydot**2)/2 + thdot**2/4", constraints=["xdot*sin(th) - ydot*cos(th)"],
        forces={"th": "u"}, inputs="u",
    )  # fmt: skip
    control = nh.sampled(lambda t, s: 0.4 if np.sin(s["th"]) > 0 else 0.1, every=0.25)
    start = {"thdot": 1.0, "xdot": 0.7}
    run = nh.simulate(skate, start, 12.0, inputs={"u": control})
    witness = nh.simulate(skate, start, 12.0, inputs={"u": control}, form="multipliers", rtol=1e-11)
    assert run.frames > 3
    for n in ("x", "y", "th", "u"):
        np.testing.assert_allclose(run[n], witness[n], atol=1e-6)


def test_tables_jump_where_a_time_stands_twice():
    run = nh.simulate(cart(), START, 3, inputs={"u": ([0, 1, 1, 3], [0, 0, 2, 2])})
    assert run.final["xdot"] == pytest.approx(0.1 + 2 * 2 / 2, abs=1e-13)
    assert set(np.unique(run["u"])) == {0.0, 2.0}


def test_an_array_on_t_eval_is_a_table():
    t = np.linspace(0, 3, 31)
    run = nh.simulate(cart(), START, 3, inputs={"u": np.sin(t)}, t_eval=t)
    assert run.final["xdot"] == pytest.approx(0.1 + np.trapezoid(np.sin(t), t) / 2, abs=1e-13)
    np.testing.assert_allclose(run["u"], np.sin(t), atol=1e-15)


def test_inputs_can_be_watched_and_make_events():
    run = nh.simulate(cart(), START, 5, inputs={"u": lambda t, s: -3 * s["x"]}, events=["u"], watch={"power": "u*xdot"})
    law = nh.simulate(cart(), START, 5, inputs={"u": "-3*x"}, events=["u"], watch={"power": "u*xdot"})
    np.testing.assert_allclose(run.events["u"], law.events["u"], atol=1e-10)
    np.testing.assert_allclose(run["power"], run["u"] * run["xdot"], atol=1e-15)
    assert run.data["u"].attrs["kind"] == law.data["u"].attrs["kind"] == "input"


def test_work_is_no_drift():
    """Energy less work against the power of inputs and brakes, by quadrature; a bad tolerance shows."""
    rotor = nh.System(
        coordinates="theta x y phi",
        lagrangian="J*thetadot**2/2 + K*(phidot + thetadot)**2/2"
        " + m*((a*thetadot*cos(theta) + ydot)**2 + (xdot - a*thetadot*sin(theta))**2)/2",
        constraints=["ydot*cos(theta) - xdot*sin(theta)"], forces={"phi": "tau", "x": "-c*xdot", "y": "-c*ydot"},
        inputs={"tau": "0.2*sin(t)"}, parameters={"m": 1.0, "J": 0.5, "a": 0.3, "K": 0.1, "c": 0.2},
        start={"theta": 0.3, "thetadot": 1.0, "xdot": 0.4, "phidot": 2.0},
    )  # fmt: skip
    t = np.linspace(0, 10, 8001)
    run = nh.simulate(rotor, until=10.0, t_eval=t)
    power = run["tau"] * run["phidot"] - 0.2 * (run["xdot"] ** 2 + run["ydot"] ** 2)
    assert run.work[-1] == pytest.approx(np.trapezoid(power, t), abs=1e-6)
    assert np.ptp(run["energy"]) > 1 and run.drift("energy") < 1e-7
    assert nh.simulate(rotor, until=10.0, rtol=1e-4, atol=1e-6).drift("energy") > 1e-6
    sampled = nh.simulate(rotor, until=5.0, inputs={"tau": nh.sampled(lambda t, s: 0.1 - 0.1 * s["phidot"], every=0.2)})
    assert np.ptp(sampled["energy"]) > 0.01 and sampled.drift("energy") < 1e-7


def test_declared_laws_are_part_of_states_and_rates():
    s = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs={"u": "3 + x"})
    state = nh.complete_state(s, {"x": 1.0})
    assert state["u"] == 4.0
    assert nh.hamel(s).rates(state)["xdot"] == nh.prepare(s).rates({"x": 1.0})["xdot"] == 4.0
    assert nh.prepare(s).rates({"x": 1.0}, {"u": -1.0})["xdot"] == -1.0


def test_an_ensemble_asks_for_each_member_by_itself():
    runs = nh.ensemble(cart(), {"x": [0.1, 0.2, -0.3], "xdot": 0.0}, 2.0, inputs={"u": lambda t, s: -3 * s["x"]})
    np.testing.assert_allclose(runs["final_x"], np.array([0.1, 0.2, -0.3]) * np.cos(np.sqrt(1.5) * 2), atol=1e-9)
    np.testing.assert_allclose(runs["u"], -3 * runs["x"], atol=1e-15)


def test_backwards_a_held_answer_counts_before_its_time():
    held = nh.sampled(lambda t, s: t, every=0.5)
    run = nh.simulate(cart(), {**START, "t": 1.0}, 0.0, inputs={"u": held}, t_eval=[1, 0.75, 0.25, 0])
    np.testing.assert_allclose(run["u"], [1.0, 1.0, 0.5, 0.5])
    assert run.final["xdot"] == pytest.approx(0.1 - (1.0 * 0.5 + 0.5 * 0.5) / 2, abs=1e-13)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (lambda t, s: None, "the function gave None at t = 0"),
        (lambda t: None, "the function gave None at t = 0"),
        (lambda t: "a", "the function gave 'a'"),
        (lambda t, s: 1 / 0, "raised ZeroDivisionError at t = 0"),
        (lambda t, s: 1.0 if t < 0.5 else s["nowhere"], "raised KeyError"),
        (lambda t, s: float("inf"), "gave inf"),
        (nh.sampled(lambda t, s: None if t > 0.5 else 1.0, every=0.2), "gave None at t = 0.6"),
        (np.zeros(7), "an array of 7 numbers on t_eval, which has 401"),
        (([0, 1], [1, 2, 3]), "equally many are needed"),
        (([0, 1, 1, 1], [1, 2, 3, 4]), "twice the same for a jump"),
        (object(), "where a number"),
    ],
)
def test_a_bad_input_is_one_clear_sentence(bad, words):
    with pytest.raises(nh.StateError, match=words) as told:
        nh.simulate(cart(), START, 2, inputs={"u": bad})
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("function", "every", "words"), [(3, 0.1, "a function of time"), (len, 0, "every = 0"), (len, "a", "every = 'a'")]
)
def test_a_bad_sampling_is_refused(function, every, words):
    with pytest.raises(nh.StateError, match=words):
        nh.sampled(function, every)


def test_tables_are_read_from_files_as_loggers_write_them(tmp_path):
    place = tmp_path / "log.csv"
    place.write_text("# logged\ntime; tau; u\n0;1;2\n0.5;3;4\n")
    assert read_table(place, "u") == ([0.0, 0.5], [2.0, 4.0])
    place.write_text("0 1\n1 2\n")
    assert read_table(place) == ([0.0, 1.0], [1.0, 2.0])
    for text, words in (("t,a,b\n0,1,2\n", "no column is headed 'u'"), ("0,1\n1,x\n", "line 2"), ("0,1\n", "at least two")):
        place.write_text(text)
        with pytest.raises(nh.FileError, match=words):
            read_table(place, "u")
    with pytest.raises(nh.FileError, match="cannot be read"):
        read_table(tmp_path / "none.csv")


def _pushed() -> nh.System:
    return nh.System(
        coordinates="theta x y", parameters={"m": 1.3, "J": 0.7, "a": 0.4}, inputs="u",
        lagrangian="m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2",
        constraints=["ydot*cos(theta) - xdot*sin(theta) - u"],
    )  # fmt: skip


@pytest.mark.parametrize("given", [lambda t: 0.3 * t, nh.sampled(lambda t, s: 0.3 * t, every=0.1), ([0.0, 1.0], [0.0, 0.3])])
def test_the_rate_of_an_input_in_a_constraint_is_not_taken_for_zero(given) -> None:
    """Functions and tables have no rate that is known; before, it was left out without a word (x off by 0.05 after 1 s)."""
    start = {"theta": 0.3, "thetadot": 0.5, "xdot": 0.7}
    for form in ("hamel", "multipliers"):
        with pytest.raises(nh.StateError, match="its rate enters the accelerations"):
            nh.simulate(_pushed(), start, 1.0, inputs={"u": given}, form=form)
    with pytest.raises(nh.StateError, match="its rate enters the accelerations"):
        nh.ensemble(_pushed(), {n: [e, e] for n, e in start.items()}, 1.0, inputs={"u": given})


def test_an_input_whose_rate_meets_no_inertia_may_be_a_function() -> None:
    """A rudder that turns the boat as told: the runner's speed does not feel how fast that changes."""
    words = {
        "coordinates": "x y theta", "lagrangian": "(xdot**2 + ydot**2)/2 + thetadot**2/5 - x", "inputs": "turn",
        "constraints": ["ydot*cos(theta) - xdot*sin(theta)", "thetadot - turn"],
        "quasivelocities": {"v": "xdot*cos(theta) + ydot*sin(theta)"},
    }  # fmt: skip
    boat = nh.System(**words)
    runs = [nh.simulate(boat, {"v": 0.4}, 2.0, inputs={"turn": e}, rtol=1e-11, atol=1e-12) for e in (lambda t: 0.3 * t, "0.3*t")]
    assert abs(runs[0].final["x"] - runs[1].final["x"]) < 1e-9
