"""Controllers with samples, delay and limits; trim; sampled loops: each against the motion itself."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nonholo as nh
from nonholo.control import sampled_loop

CART = nh.System(name="cart", coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs="u")
TWO = nh.System(
    name="two carts", coordinates="x y", lagrangian="(xdot**2 + 2*ydot**2)/2 - (x - y)**2", inputs="u w",
    forces={"x": "u", "y": "w"},
)  # fmt: skip
PENDULUM = nh.System(
    name="cart with pendulum", coordinates="x th", parameters={"M": 1.3, "m": 0.4, "l": 0.7},
    lagrangian="(M + m)/2*xdot**2 + m*l*xdot*thdot*cos(th) + m*l**2/2*thdot**2 - m*9.81*l*cos(th)",
    forces={"x": "u"}, inputs="u",
)  # fmt: skip


def test_delayed_samples_act_as_pieces_of_constant_input() -> None:
    """Piece by piece with numbers as inputs: x and u of the delayed controller are the same."""
    every, delay, law = 0.3, 0.5, lambda s: -2.0 * s["x"] - s["xdot"]  # more than one sample is on its way
    watched = nh.controller(lambda t, state: {"u": law(state)}, every=every, delay=delay, initial=0.7)
    run = nh.simulate(CART, {"x": 1.0}, 2.4, inputs=watched, t_eval=[0.45, 1.0, 1.9, 2.4])
    samples = {round(k * every, 9) for k in range(8)}
    events = sorted(samples | {round(time + delay, 9) for time in samples} | {0.45, 1.0, 1.9, 2.4})
    state, now, asked, u, seen = {"x": 1.0, "xdot": 0.0}, 0.0, {}, 0.7, {}
    for time in events[: events.index(2.4) + 1]:
        if time > now:
            h = time - now
            state = {"x": state["x"] + h * state["xdot"] + h**2 / 2 * u, "xdot": state["xdot"] + h * u}
            now = time
        if abs(time / every - round(time / every)) < 1e-9:
            asked[round(time + delay, 9)] = law(state)
        u = asked.get(time, u)
        seen[time] = (state["x"], u)
    for k, time in enumerate(run.times):
        x, u = seen[round(float(time), 9)]
        assert run["x"][k] == pytest.approx(x, abs=1e-9)
        assert run["u"][k] == pytest.approx(u, abs=1e-9)


def test_a_controller_gives_a_dict_or_a_vector_and_is_limited() -> None:
    by_name = nh.controller(lambda t, s: {"w": s["xdot"] - 5 * t, "u": -s["x"]}, limits={"w": (-1.0, 0.5)})
    in_order = nh.controller(lambda t, s: [-s["x"], max(-1.0, min(0.5, s["xdot"] - 5 * t))])
    one, other = (nh.simulate(TWO, {"x": 1.0}, 2.0, inputs=c, t_eval=[0.1, 1.0, 2.0]) for c in (by_name, in_order))
    assert np.allclose(one["y"], other["y"], rtol=1e-7)
    assert one["w"][-1] == -1.0


@pytest.mark.parametrize(
    "words, match",
    [({"delay": 0.1}, "needs a sampling interval"), ({"every": 0.1, "delay": -1}, "delay = -1"), ({"limits": (1, -1)}, "limits"),
     ({"every": 0.1, "limits": {"v": (0, 1)}}, "no input")],
)  # fmt: skip
def test_bad_controllers_are_refused(words: dict[str, object], match: str) -> None:
    with pytest.raises(nh.StateError, match=match):
        nh.simulate(CART, {"x": 1.0}, 1.0, inputs=nh.controller(lambda t, s: {"u": 0.0}, **words))


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.05, 0.13])
def test_sampled_loop_is_the_slope_of_the_motion_from_sample_to_sample(delay: float) -> None:
    about = {"x": 0.0, "th": 0.0}
    regulator = nh.lqr(nh.linearise(PENDULUM, about), {"x": 1, "th": 4}, 0.3)
    ruled = nh.controller(regulator, every=0.05, delay=delay)
    loop = sampled_loop(PENDULUM, about, ruled)
    small = 1e-4
    start = dict(zip(loop.lin.names, small * np.array([1.0, -0.5, 0.3, 0.7])))
    run = nh.simulate(PENDULUM, start, 0.5, inputs=ruled, t_eval=np.arange(11) * 0.05, rtol=1e-12, atol=1e-15)
    y = np.zeros(len(loop.matrix))
    y[:4] = [start[n] for n in loop.lin.names]
    found = np.column_stack([run[n] for n in loop.lin.names])
    for k in range(11):
        assert np.allclose(found[k], y[:4], atol=2e-6 * small + 3 * np.max(np.abs(y)) ** 2)
        y = loop.matrix @ y
    assert loop.stable == (delay < 0.1)


def test_trim_holds_a_steady_turn() -> None:
    """A car-like cart that turns: the force against friction and the torque against the offset's inertia, by hand."""
    cart = nh.System(
        coordinates="th x y", parameters="m J a c", inputs="F T",
        lagrangian="m/2*((xdot - a*thdot*sin(th))**2 + (ydot + a*thdot*cos(th))**2) + J/2*thdot**2",
        constraints=["ydot*cos(th) - xdot*sin(th)"],
        quasivelocities={"w": "thdot", "v": "xdot*cos(th) + ydot*sin(th)"}, forces={"v": "F - c*v", "w": "T"},
    )  # fmt: skip
    numbers = {"m": 1.7, "J": 0.6, "a": 0.4, "c": 0.9}
    found = nh.trim(cart, {"v": 2.0, "w": 0.7}, ["F", "T"], parameters=numbers)
    assert found.inputs["F"] == pytest.approx(0.9 * 2.0 - 1.7 * 0.4 * 0.7**2)
    assert found.inputs["T"] == pytest.approx(1.7 * 0.4 * 2.0 * 0.7)
    assert set(found.moving) == {"th", "x"} or set(found.moving) == {"th", "x", "y"}
    run = nh.simulate(cart, {"v": 2.0, "w": 0.7}, 5.0, numbers, inputs=dict(found.inputs))
    assert run.final["v"] == pytest.approx(2.0, abs=1e-8)
    assert run.final["w"] == pytest.approx(0.7, abs=1e-8)


def test_trim_solves_for_a_coordinate_and_says_when_it_cannot() -> None:
    arm = nh.System(coordinates="q", lagrangian="qdot**2/2 + 9*cos(q)", forces={"q": "u"}, inputs="u")
    assert nh.trim(arm, {"u": 4.5}, {"q": 0.3}).state["q"] == pytest.approx(np.pi / 6)
    with pytest.raises(nh.ModelError, match="the least rate of qdot is 3"):
        nh.trim(arm, {"u": 12.0}, ["q"])
    with pytest.raises(nh.StateError, match="nothing is called 'z'"):
        nh.trim(arm, {"z": 1.0}, ["u"])


def test_joint_stops_change_the_state_and_the_motion_goes_on() -> None:
    """A pendulum between two stops with restitution: piece by piece with terminal events it is the same motion."""
    swing = nh.System(coordinates="q", lagrangian="qdot**2/2 + 9*cos(q)", parameters={"e": 0.9})
    stops = [
        nh.Event("q - 0.5", direction=1, action={"qdot": "-e*qdot"}),
        nh.Event("q + 0.7", direction=-1, action=lambda s: {"qdot": -0.9 * s["qdot"]}),
    ]
    times = np.linspace(0, 3, 31)
    run = nh.simulate(swing, {"qdot": 4.0}, 3.0, events=stops, t_eval=times)
    state, now, hits, found = {"q": 0.0, "qdot": 4.0}, 0.0, [], []
    while now < 3.0:
        ends = [nh.Event("q - 0.5", 1, 1), nh.Event("q + 0.7", -1, 1)]
        part = nh.simulate(swing, {**state, "t": now}, 3.0, events=ends, t_eval=[t for t in times if t >= now])
        found += [(t, q) for t, q in zip(part.times, part["q"]) if t >= now]
        now = part.final["t"]
        state = {"q": part.final["q"], "qdot": -0.9 * part.final["qdot"]}
        hits += [now] if now < 3.0 else []
    assert run.outcome.reached
    assert len(hits) >= 3
    assert sorted(t for ts in run.events.values() for t in ts) == pytest.approx(hits, abs=1e-9)
    assert run["q"] == pytest.approx([q for _, q in found], abs=1e-8)
    assert np.max(run["q"]) < 0.5 + 1e-9


def test_an_action_can_end_the_motion_after_some_times_and_bad_ones_are_refused() -> None:
    door = nh.System(coordinates="q", lagrangian="qdot**2/2")
    twice = nh.simulate(door, {"qdot": 1}, 9.0, events=[nh.Event("q*(1 - q) + 2", action={"qdot": "-qdot"}, terminal=2)])
    assert twice.final["t"] == pytest.approx(5.0)
    with pytest.raises(nh.StateError, match="'p' is not part of the state"):
        nh.simulate(door, {"qdot": 1}, 9.0, events=[nh.Event("q - 1", action={"p": 1.0})])
    with pytest.raises(nh.StateError, match="needs its event as a formula"):
        nh.simulate(door, {"qdot": 1}, 9.0, events=[nh.Event(lambda s: s["q"] - 1, action={"qdot": 1.0})])


def test_stops_that_are_hit_ever_sooner_end_the_motion_where_the_geometric_series_ends() -> None:
    """A ball from 1 m with restitution e bounces for ``√(2/g) (1 + e)/(1 − e)`` seconds."""
    ball = nh.System(coordinates="z", lagrangian="zdot**2/2 - 9.81*z")
    run = nh.simulate(ball, {"z": 1.0}, 5.0, events=[nh.Event("z", direction=-1, action={"zdot": "-0.8*zdot"})])
    assert run.final["t"] == pytest.approx(math.sqrt(2 / 9.81) * 9, abs=1e-9)
    assert run.outcome.kind == "event"
    assert f"The event z has acted {len(run.events['z'])} times, ever sooner" in run.outcome.advice


def test_region_of_attraction_of_a_saturated_controller_is_where_theory_has_it() -> None:
    """q̈ = q + u with |u| ≤ 1 can be brought back exactly from |q + q̇| < 1: a fraction of the box by area."""
    unstable = nh.System(coordinates="q", lagrangian="(qdot**2 + q**2)/2", forces={"q": "u"}, inputs="u")
    strong = nh.controller(lambda t, s: {"u": -60 * (s["q"] + s["qdot"])}, limits=(-1, 1))
    found = nh.control.region_of_attraction(unstable, {"q": 0}, strong, {"q": 1.5, "qdot": 1.5}, until=9.0, count=80)
    inside = np.abs(found.starts.sum(axis=1)) < 1
    assert np.mean(found.returned == inside) > 0.97
    assert found.radius < 0.75


def test_accelerations_have_names_in_what_is_watched_in_events_and_in_outputs() -> None:
    """Against the model's own rates, which solve the mass matrix in numbers; and a sign change against those of ẍ."""
    sleigh = nh.gallery.get("chaplygin-sleigh")
    model = nh.prepare(sleigh.system, sleigh.parameters)
    start = {"omega": 1.3, "v": -0.8, "theta": 0.4}
    watched = {"a": "xddot", "b": "2*omegadot + v"}
    run = nh.simulate(sleigh.system, start, 3.0, sleigh.parameters, watch=watched, events=["xddot"], t_eval=31)
    for k in (0, 7, 30):
        state = {n: float(run[n][k]) for n in model.names}
        rates = model.rates(state)
        assert run["a"][k] == pytest.approx(rates["xdot"], abs=1e-10)
        assert run["b"][k] == pytest.approx(2 * rates["omega"] + state["v"], abs=1e-10)
    for time in run.events["xddot"]:
        here = nh.simulate(sleigh.system, start, float(time), sleigh.parameters).final
        assert model.rates({n: here[n] for n in model.names})["xdot"] == pytest.approx(0.0, abs=1e-8)
    assert len(run.events["xddot"]) == np.sum(np.diff(np.sign(run["a"])) != 0) > 0
    lin = nh.linearise(PENDULUM, {"th": 0.0}, outputs=["thddot"])
    assert lin.C[0] == pytest.approx(lin.A[lin.names.index("thdot")])
    assert lin.D[0] == pytest.approx(lin.B[lin.names.index("thdot")])
