"""The whole room on groups: rotations as matrices and quaternions, a plane body in the frame of SE(2), against coordinates."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nonholo as nh
from nonholo.model.system import varied

TORQUES = {"w1": "a", "w2": "b", "w3": "c"}
INERTIA = {"A": 1.0, "B": 2.0, "C": 3.0}
ENERGY = "A/2*w1**2 + B/2*w2**2 + C/2*w3**2"
MATRIX, QUATERNION = (
    nh.System(frame=frame, parameters=INERTIA, lagrangian=ENERGY, forces=TORQUES, inputs="a b c")
    for frame in (nh.SO3("R", rates="w1 w2 w3"), nh.Quaternion("q", rates="w1 w2 w3"))
)
BODY = nh.System(
    frame=nh.SE2("th x y", rates="w u v"), parameters={"m": 1.3, "J": 0.5}, lagrangian="m/2*(u**2 + v**2) + J/2*w**2",
    forces={"w": "tau", "u": "F"}, inputs="tau F",
)  # fmt: skip
PLANE = nh.System(
    coordinates="th x y", parameters={"m": 1.3, "J": 0.5}, lagrangian="m/2*(xdot**2 + ydot**2) + J/2*thdot**2",
    forces={"th": "tau", "x": "F*cos(th)", "y": "F*sin(th)"}, inputs="tau F",
)  # fmt: skip


def test_controllability_is_the_same_in_every_description() -> None:
    for one, two in ((MATRIX, QUATERNION), (BODY, PLANE)):
        answers = [nh.controllability(s) for s in (one, two)]
        assert len({(a.accessible, a.locally_controllable, a.dimension) for a in answers}) == 1
        assert answers[0].accessible is True
        assert all(f.exact for a in answers for f in a.find("accessible"))


def test_a_turn_by_least_effort_costs_the_same_as_matrix_and_quaternion() -> None:
    """About axis 3 from rest to rest in a second: ``∫ c² dt = 12 C² turn²``."""
    turn, rest = 0.6, {"w1": 0.0, "w2": 0.0, "w3": 0.0}
    goals = [{"R21": math.sin(turn), "R32": 0.0, "R13": 0.0, **rest}, {"q1": 0.0, "q2": 0.0, "q3": math.sin(turn / 2), **rest}]
    for system, goal in zip((MATRIX, QUATERNION), goals):
        found = nh.steer(system, {}, goal, 1.0, nodes=20)
        assert found.error < 1e-8
        assert found.cost == pytest.approx(12 * INERTIA["C"] ** 2 * turn**2, rel=1e-5)


def test_two_rotors_turn_a_body_by_quaternion_and_momentum_confines_it() -> None:
    """From rest ``A w + r (w + a') = 0``: a turn about the rotor's axis in a second costs ``12 A² turn²``."""
    A, turn, rest = 1.1, 0.5, dict.fromkeys(("w1", "w2", "w3", "adot", "bdot"), 0.0)
    craft = nh.System(
        frame=nh.Quaternion("q", rates="w1 w2 w3") * nh.Euclidean("a b"), forces={"a": "ta", "b": "tb"}, inputs="ta tb",
        lagrangian="(1.1*w1**2 + 1.7*w2**2 + 2.3*w3**2)/2 + 0.21*(w1 + adot)**2/2 + 0.13*(w2 + bdot)**2/2",
    )  # fmt: skip
    found = nh.steer(craft, {}, {"q1": math.sin(turn / 2), "q2": 0.0, "q3": 0.0, **rest}, 1.0, nodes=20)
    assert found.error < 1e-8
    assert found.cost == pytest.approx(12 * A**2 * turn**2, rel=1e-6)
    answer = nh.controllability(craft)
    assert answer.accessible is False
    assert "codimension 3" in str(answer)


def test_rotors_are_regulated_where_momentum_is_zero_and_refused_where_it_is_free() -> None:
    """With ``A w + r (w + a') = 0`` ``A w' = −u``: gains ``√Q_q`` and ``√(Q_w + A √Q_q)`` by hand."""
    A, axes = (1.1, 1.7, 2.3), ("a", "b", "c")
    weights = {"q1": 4, "q2": 3, "q3": 5, "w1": 1, "w2": 0.7, "w3": 0.6}
    craft = nh.System(
        frame=nh.Quaternion("q", rates="w1 w2 w3") * nh.Euclidean("a b c"), inputs="ta tb tc", forces={n: f"t{n}" for n in axes},
        lagrangian=" + ".join(f"{e}*w{k}**2/2 + 0.21*(w{k} + {n}dot)**2/2" for k, (e, n) in enumerate(zip(A, axes), 1)),
    )  # fmt: skip
    with pytest.raises(nh.ModelError, match="fix conserved momenta by constraints"):
        nh.lqr(nh.linearise(craft, {}, leave_out="all"), weights, 1)
    still = varied(craft, constraints=[f"{e}*w{k} + 0.21*(w{k} + {n}dot)" for k, (e, n) in enumerate(zip(A, axes), 1)])
    law = nh.lqr(nh.linearise(still, {}, leave_out="all"), weights, 1)
    hand = np.array([[-(weights[f"q{k}"] ** 0.5) for k in (1, 2, 3)]])
    assert np.diag(law.K[:, :3]) == pytest.approx(hand[0])
    assert np.diag(law.K[:, 3:]) == pytest.approx([-((weights[f"w{k}"] - A[k - 1] * hand[0, k - 1]) ** 0.5) for k in (1, 2, 3)])


def test_the_hovercrafts_trim_and_steering_are_those_in_the_plane() -> None:
    """Steady at speed without inputs; steering ends in the same pose at the same cost."""
    loops = []
    for system, about in ((BODY, {"u": 2.0}), (PLANE, {"xdot": 2.0})):
        trimmed = nh.trim(system, hold=about, solve=["tau", "F"])
        assert max(map(abs, trimmed.inputs.values())) < 1e-9
        found = nh.steer(system, {}, {"x": 1.0, "y": 0.2, "th": 0.3}, 2.0, nodes=20)
        assert found.error < 1e-8
        loops.append(found.cost)
    assert loops[0] == pytest.approx(loops[1], rel=1e-4)


@pytest.mark.parametrize(("system", "names"), [(MATRIX, ("R11", "w1")), (QUATERNION, ("q1", "w1")), (BODY, ("x", "u"))])
def test_observers_and_environments_stay_on_the_group(system: nh.System, names: tuple[str, str]) -> None:
    watch = nh.observer(system, dict.fromkeys(names, 0.02), noise={names[1]: 0.1}, every=0.05)
    belief, push = watch.begin({}, 0.05), [0.3] * len(system.inputs)
    for k in range(6):
        belief = watch.correct(watch.predict(belief, push), [belief.mean[watch.model.names.index(names[0])], 0.01 * k], push)
    held = dict(zip(watch.model.names, belief.mean))
    assert max((abs(float(e.subs(held))) for e in system.frame.relations), default=0.0) < 1e-12
    limits = dict.fromkeys(system.inputs, (-1.0, 1.0))
    world = nh.environment(system, observe=list(names), act=limits, reward=f"-({names[1]})**2", every=0.05, until=1.0)
    begun, _ = world.reset(seed=1)
    start = dict(zip(names, begun.tolist())) if not system.frame.relations else {names[1]: float(begun[1])}
    seen, *_ = world.step(np.full(len(limits), 0.5))
    run = nh.simulate(system, start, 0.05, inputs=dict.fromkeys(system.inputs, 0.5), rtol=1e-10, atol=1e-12)
    assert seen[1] == pytest.approx(run.final[names[1]], abs=1e-7)


def test_regulators_of_rotations_have_the_gains_of_three_double_integrators() -> None:
    """Near the identity ``I φ̈ = u`` about each axis, and ``φ`` is ``2 q`` or an entry of R: Riccati's equation by hand."""
    axes = {"a": ("w1", "R23", "q1"), "b": ("w2", "R13", "q2"), "c": ("w3", "R12", "q3")}
    for system, k, scale in ((MATRIX, 1, 1.0), (QUATERNION, 2, 0.5)):
        lin = nh.linearise(system, {})
        regulator = nh.lqr(lin, 1.0, 1.0)
        for row, (speed, *places) in zip(regulator.K, axes.values()):
            inertia = INERTIA[dict(zip(("w1", "w2", "w3"), "ABC"))[speed]]
            gains = dict(zip(lin.names, row))
            assert abs(gains[places[k - 1]]) == pytest.approx(1.0, rel=1e-9)  # √(Q/R)
            assert gains[speed] == pytest.approx(math.sqrt(1 + 2 * inertia * scale), rel=1e-9)
        start = nh.simulate(system, {"w1": 0.5, "w2": -0.4, "w3": 0.3}, 1.0).final
        turned = {n: start[n] for n in lin.state if n in start and n not in ("t", *system.inputs)}
        back = nh.simulate(system, turned, 40.0, inputs=regulator.inputs)
        assert max(abs(back.final[n]) for n in lin.names) < 1e-6
        assert max(abs(float(e.subs(back.final))) for e in system.frame.relations) < 1e-6


def test_a_plane_body_in_its_own_frame_is_regulated_and_estimated_as_in_the_plane() -> None:
    """With a third thruster: the same gains at rest, and filters that agree, in the frame of SE(2) and in coordinates."""
    side = {"x": "F*cos(th) - G*sin(th)", "y": "F*sin(th) + G*cos(th)", "th": "tau"}
    body = varied(BODY, forces={"w": "tau", "u": "F", "v": "G"}, inputs="tau F G")
    plane = varied(PLANE, forces=side, inputs="tau F G")
    gains, means = [], []
    for system, names in ((body, ("w", "u", "v")), (plane, ("thdot", "xdot", "ydot"))):
        lin = nh.linearise(system, {})
        assert lin.names == ("th", "x", "y", *names)
        regulator = nh.lqr(lin, 1.0, 1.0)
        gains.append(regulator.K)
        back = nh.simulate(system, {"th": 0.7, "x": 1.0, "y": -0.5}, 30.0, inputs=regulator.inputs)
        assert max(abs(back.final[n]) for n in lin.names) < 1e-6
        watch = nh.observer(system, {"x": 0.01, "y": 0.01, "th": 0.01}, noise=dict.fromkeys(names, 0.1), every=0.02)
        belief = watch.begin({names[1]: 1.9, names[0]: 1.1}, 0.1)
        for k in range(1, 26):  # on a circle of radius 2, turning by 0.02 rad a sample
            seen = [2 * math.sin(0.02 * k), 2 - 2 * math.cos(0.02 * k), 0.02 * k]
            belief = watch.correct(watch.predict(belief, [0.0, 0.0, 2.6]), seen, [0.0, 0.0, 2.6])
        mean = dict(zip(watch.model.names, belief.mean))
        c, s = (math.cos(mean["th"]), math.sin(mean["th"])) if system is body else (1.0, 0.0)
        u, v = mean[names[1]], mean[names[2]]
        means.append([mean["x"], mean["y"], mean["th"], c * u - s * v, s * u + c * v, mean[names[0]]])
    x, y = 2 * math.sin(0.5), 2 * math.cos(0.5)
    assert means[0] == pytest.approx([x, 2 - y, 0.5, y, x, 1.0], abs=5e-3)  # begun with errors of 0.1
    m, J = 1.3, 0.5
    by_hand = np.hstack([np.eye(3), np.diag(np.sqrt(1 + 2 * np.array([J, m, m])))])
    assert gains[0] == pytest.approx(by_hand, abs=1e-9)
    assert gains[1] == pytest.approx(by_hand, abs=1e-9)
    assert means[0] == pytest.approx(means[1], abs=1e-4)  # filters differ by the squares of errors


def test_gaits_and_flat_outputs_of_rotations_are_refused_in_words() -> None:
    with pytest.raises(nh.StateError, match="in angles"):
        nh.gait(MATRIX, {"R12": "0.1*sin(t)"}, displacement="R13")
    answer = nh.control.flatness(MATRIX)
    assert answer.flat is None
    assert "not independent" in str(answer)
