"""The whole room on groups: rotations as matrices and quaternions, a plane body in the frame of SE(2), against coordinates."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nonholo as nh

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


def test_gaits_and_flat_outputs_of_rotations_are_refused_in_words() -> None:
    with pytest.raises(nh.StateError, match="in angles"):
        nh.gait(MATRIX, {"R12": "0.1*sin(t)"}, displacement="R13")
    answer = nh.control.flatness(MATRIX)
    assert answer.flat is None
    assert "not independent" in str(answer)
