"""Models on arrays, and steps and rates where the home frame does not serve."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.integrate.motion import model_step


def skate():
    return nh.System(
        coordinates="x y theta", parameters={"m": 1.3, "J": 0.7}, inputs="u w", forces={"theta": "u", "x": "w"},
        lagrangian="m*(xdot**2 + ydot**2)/2 + J*thetadot**2/2", constraints=["xdot*sin(theta) - ydot*cos(theta)"],
    )  # fmt: skip


RNG = np.random.default_rng(5)
X = np.hstack([RNG.normal(size=(7, 2)), RNG.uniform(-1, 1, (7, 1)), RNG.normal(size=(7, 2))])
U = RNG.normal(size=(7, 2))


def test_rates_on_rows_are_those_of_each_state():
    model = nh.prepare(skate())
    many = model.vector(X, U)
    assert many.shape == X.shape
    for row, state, push in zip(many, X, U):
        np.testing.assert_array_equal(row, model.vector(state, push))
        named = model.rates(dict(zip(model.names, state)), dict(zip(model.inputs, push)))
        np.testing.assert_allclose(row, [named[n] for n in model.names], rtol=1e-13, atol=1e-15)
    np.testing.assert_array_equal(model.vector(X, U[0])[3], model.vector(X[3], U[0]))
    with pytest.raises(nh.StateError, match="7 states, 3 rows of inputs"):
        model.vector(X, U[:3])
    with pytest.raises(nh.StateError, match="4 numbers and 2 inputs where 5"):
        model.vector(X[:, :4], U)


def test_many_steps_at_once_are_single_steps_with_inputs_of_their_own():
    model = nh.prepare(skate())
    after = model.step_many(X, 0.2, U, t=1.0)
    for row, state, push in zip(after, X, U):
        run = nh.simulate(
            skate(), {"t": 1.0, **dict(zip(model.names, state))}, 1.2, inputs=dict(zip(model.inputs, push)), rtol=1e-11,
            atol=1e-13, progress=False,
        )  # fmt: skip
        np.testing.assert_allclose(row, [run.final[n] for n in model.names], rtol=1e-8, atol=1e-9)
    assert model.step_many(np.empty((0, 5)), 0.1, np.empty((0, 2))).shape == (0, 5)
    free = nh.prepare(nh.System(coordinates="q", lagrangian="qdot**2/2"))
    np.testing.assert_allclose(free.step_many([[0.0, 2.0], [1.0, -1.0]], 0.5), [[1.0, 2.0], [0.5, -1.0]], atol=1e-12)


def test_members_pass_where_the_home_frame_ends():
    """xdot is no speed at theta = π/2: those members change their frame on the way."""
    model = nh.prepare(skate())
    assert "xdot" in model.names
    start = np.array([[0.0, 0.0, 0.3, 0.8, 0.5], [0.0, 0.0, 1.5, 0.05, 3.0]])
    after = model.step_many(start, 0.2, np.zeros((2, 2)))
    for row, state in zip(after, start):
        run = nh.simulate(skate(), dict(zip(model.names, state)), 0.2, progress=False)
        np.testing.assert_allclose(row, [run.final[n] for n in model.names], rtol=1e-7, atol=1e-8)


def test_a_step_elsewhere_is_no_whole_motion(monkeypatch):
    """Where the home frame fails the second step finds the frame of the first: no motion is set up again."""
    model = nh.prepare(skate())
    state = nh.complete_state(skate(), {"theta": np.pi / 2, "ydot": 0.7, "thetadot": 0.2})
    state = model.step(state, 0.01)
    whole = []
    kept = model_step.Steps._from_start
    monkeypatch.setattr(model_step.Steps, "_from_start", lambda *given: whole.append(1) or kept(*given))
    for _ in range(50):
        state = model.step(state, 0.01)
    assert not whole
    run = nh.simulate(skate(), {"theta": np.pi / 2, "ydot": 0.7, "thetadot": 0.2}, 0.51, rtol=1e-11, progress=False)
    assert state["x"] == pytest.approx(run.final["x"], rel=1e-7)
    assert state["ydot"] == pytest.approx(run.final["ydot"], rel=1e-7)


def test_a_step_where_every_frame_is_badly_conditioned_is_no_whole_motion(monkeypatch):
    """The declared speed u is nearly none at th = 1.52, and it is kept: its frame serves there with a lower threshold."""
    bent = nh.System(
        coordinates="x th", parameters={"m": 1.3}, lagrangian="m*(xdot**2 + thdot**2)/2 - x*th",
        quasivelocities={"u": "xdot*cos(th)", "w": "thdot"},
    )  # fmt: skip
    model = nh.prepare(bent)
    state = model.step(nh.complete_state(bent, {"th": 1.52, "u": 0.1, "w": 1e-3}), 1e-4)
    whole = []
    kept = model_step.Steps._from_start
    monkeypatch.setattr(model_step.Steps, "_from_start", lambda *given: whole.append(1) or kept(*given))
    for _ in range(5):
        after = model.step(state, 1e-4)
        model.rates(state)
    assert not whole
    run = nh.simulate(bent, state, state["t"] + 1e-4, rtol=1e-11, progress=False)
    assert after["u"] == pytest.approx(run.final["u"], rel=1e-9)


def test_a_step_through_a_badly_conditioned_place_is_a_whole_motion_once(monkeypatch):
    """Both ends of the step are well conditioned; between them, at th = 1, the declared speed u is small."""
    narrow = nh.System(
        coordinates="x th", lagrangian="(xdot**2 + thdot**2)/2 - 5000*x**2",
        quasivelocities={"u": "xdot*(0.05 + (th - 1)**2)", "w": "thdot"},
    )  # fmt: skip
    model = nh.prepare(narrow)
    state = {n: e for n, e in nh.complete_state(narrow, {"th": 0.6, "u": 0.1, "w": 2.0}).items() if n != "t"}
    whole = []
    kept = model_step.Steps._from_start
    monkeypatch.setattr(model_step.Steps, "_from_start", lambda *given: whole.append(1) or kept(*given))
    after = [model.step(state, 0.4) for _ in range(4)]
    assert len(whole) == 1
    assert after[3] == pytest.approx(after[0], rel=1e-6)


def test_rates_of_a_whole_state_and_of_a_partial_one_agree():
    """Where the state is whole nothing is completed."""
    model = nh.prepare(skate())
    state = nh.complete_state(skate(), {"theta": 0.4, "xdot": 0.7, "thetadot": 0.2})
    partial = model.rates({"theta": 0.4, "xdot": 0.7, "thetadot": 0.2})
    assert partial == pytest.approx(model.rates(state), rel=1e-12)


STARTS = [
    ("chaplygin-sleigh", {"omega": 1.5, "v": -1.0}), ("chaplygin-sleigh", {"theta": 0.4, "v": 1.2}),
    ("chaplygin-sphere", {"w2": 3.0}),
    ("rattleback", {"R22": 0.9999500004166653, "R23": -0.009999833334166664, "R32": 0.009999833334166664,
                    "R33": 0.9999500004166653, "w3": -5.0}),
    ("whipple-bicycle", {"v": 4.6, "leaning": 0.5}), ("vertical-disk", {"phi": 0.3, "turning": 0.8}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "partial"), STARTS)
def test_a_step_from_a_partial_start_is_that_from_the_completed_state(name, partial, monkeypatch):
    """No motion is set up, and what is kept of an earlier start changes no bit."""
    exhibit = nh.gallery.get(name)
    monkeypatch.setattr(model_step.Steps, "_from_start", lambda *given: pytest.fail("a whole motion"))
    model = nh.prepare(exhibit.system, exhibit.parameters)
    first, again = (model.step(partial, 0.02) for _ in range(2))
    whole = model.step(nh.complete_state(exhibit.system, partial, exhibit.parameters), 0.02)
    assert first == again == whole
    run = nh.simulate(exhibit.system, partial, 0.02, exhibit.parameters, rtol=1e-11, atol=1e-13, progress=False)
    assert [first[n] for n in model.names] == pytest.approx([run.final[n] for n in model.names], rel=1e-7, abs=1e-8)


@pytest.mark.parametrize("name", ["chaplygin-sleigh", "n-trailer", "whipple-bicycle"])
def test_a_step_from_coordinates_and_velocities_reads_the_declared_speeds_off(name, monkeypatch):
    """Nothing is completed, whatever the state; velocities that break a constraint and unknown names are refused."""
    exhibit = nh.gallery.get(name)
    model = nh.prepare(exhibit.system, exhibit.parameters)
    names = {*exhibit.system.coordinates, *exhibit.system.velocities}
    for k in range(3):
        start = {n: e + 0.01 * k for n, e in exhibit.start.items()}
        whole = nh.complete_state(exhibit.system, start, exhibit.parameters)
        with monkeypatch.context() as patch:
            patch.setattr(model_step.Steps, "completed", lambda *given: pytest.fail("a completion"))
            told = model.step({n: whole[n] for n in names}, 0.01)
            rates = model.rates({n: whole[n] for n in names})
        assert told == pytest.approx(model.step(whole, 0.01), rel=1e-9, abs=1e-12)
        assert rates == pytest.approx(model.rates(whole), rel=1e-9, abs=1e-12)
    with pytest.raises(nh.StateError, match="breaks"):
        model.step({n: whole[n] + (n == "ydot") for n in names}, 0.01)
    with pytest.raises(nh.StateError, match="no state variable is called 'xdott'"):
        model.step({**{n: whole[n] for n in names}, "xdott": 1.0}, 0.01)


def test_a_partial_start_with_a_wrong_name_or_one_off_a_relation_is_refused_by_a_step():
    model = nh.prepare(skate())
    with pytest.raises(nh.StateError, match="no state variable is called 'thtea'; did you mean 'theta'"):
        model.step({"thtea": 0.3}, 0.1)
    disk = nh.gallery.get("rolling-disk")
    with pytest.raises(nh.StateError, match="relation"):
        nh.prepare(disk.system, disk.parameters).step({"R11": 2.0}, 0.1)
