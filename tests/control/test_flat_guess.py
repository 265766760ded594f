"""First guesses by flat outputs: motions of hand-written kinematics, for kinematic and dynamic systems, in any direction."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import nonholo as nh
from nonholo.control.steering.flat_guess import flat_guess
from nonholo.control.steering.steering_problem import steering_problem
from tests.control.test_flatness import CASES

CAR = nh.control.kinematic_system(
    "x y th phi tr", {"x": "v*cos(th)", "y": "v*sin(th)", "th": "v*tan(phi)/L", "phi": "w", "tr": "v*sin(th - tr)/d"}, "v w",
    parameters={"L": 1.0, "d": 1.3}, name="car with a trailer",
)  # fmt: skip


def guess(system: nh.System, end: list[float], values: dict[str, float] | None = None, nodes: int = 160):
    problem = steering_problem(system, {}, {system.coordinates[0]: 1.0}, 6.0, values, None, "effort", (), None, 1e-3)
    return flat_guess(problem, np.array(end), nodes, 6.0)


ENDS = [
    [4.0, 1.0, 0.2, 0.1, -0.1], [0.0, 1.5, 0.0, 0.0, 0.0], [3.0, 3.0, math.pi / 2, 0.0, math.pi / 2], [-3.0, 0.4, 0.0, 0.0, 0.0],
]  # fmt: skip


def missed(end: list[float], nodes: int) -> float:
    """How far hand-written kinematics under the guess's inputs, linear between the nodes, end from the goal."""
    found = guess(CAR, end, nodes=nodes)
    assert found is not None
    times = np.linspace(0.0, 6.0, nodes + 1)

    def flow(t: float, q: np.ndarray) -> list[float]:
        v, w = (float(np.interp(t, times, column)) for column in found.inputs.T)
        return [v * math.cos(q[2]), v * math.sin(q[2]), v * math.tan(q[3]), w, v * math.sin(q[2] - q[4]) / 1.3]

    q = np.zeros(5)
    for a, b in pairwise(times):
        q = solve_ivp(flow, (a, b), q, rtol=1e-8, atol=1e-10).y[:, -1]
    return float(np.max(np.abs(q - end)))


@pytest.mark.parametrize("end", [ENDS[1], *(pytest.param(e, marks=pytest.mark.slow) for e in ENDS if e is not ENDS[1])])
def test_the_guess_is_a_motion_that_ends_at_the_goal(end: list[float]) -> None:
    """Ahead, sideways, round a corner and backwards; what is left falls with the square of the grid."""
    errors = [missed(end, nodes) for nodes in (80, 160)]
    assert errors[1] < 0.1
    assert errors[1] < errors[0] / 3


def test_speeds_of_a_dynamic_system_follow_the_rates_of_its_coordinates() -> None:
    skate, values = CASES["skate with forces"]
    found = guess(skate, [0.4, 2.0, 0.7, 0.0, 0.0], values)
    assert found is not None
    th, x, y, w, v = found.states.T
    h = 6.0 / 160
    assert np.allclose(np.gradient(x, h)[2:-2], (v * np.cos(th))[2:-2], atol=1e-3)
    assert np.allclose(np.gradient(y, h)[2:-2], (v * np.sin(th))[2:-2], atol=1e-3)
    assert np.allclose(np.gradient(th, h)[2:-2], w[2:-2], atol=1e-3)


@pytest.mark.slow
def test_steering_begins_with_flat_outputs_where_there_are_some() -> None:
    goal = {"x": 4.0, "y": 1.0, "th": 0.2, "phi": 0.0, "tr": 0.0}
    found = nh.steer(CAR, {}, goal, 6.0)
    assert found.began_by == "flat outputs"
    assert found.error < 1e-9
    assert int(found.solver.split(" after ")[1].split()[0]) < 15  # 41 from sinusoids
    ball = nh.gallery.get("heisenberg")
    apart = nh.System(coordinates="p q", lagrangian="(pdot**2 + qdot**2 - q**2)/2", forces={"p": "u"}, inputs="u")
    other = nh.steer(apart, {}, {"p": 1.0}, 1.0)  # not flat: nothing reaches q
    assert other.began_by == "sinusoids"
    assert guess(nh.control.kinematic(ball.system), [0.0] * 3, dict(ball.parameters), nodes=4) is not None


def test_three_carts_on_springs_begin_with_a_polynomial_of_their_flat_output() -> None:
    """The last cart's place is flat: the guess obeys the equations by itself, so that the solver has next to nothing to do."""
    chain = nh.System(
        coordinates="a b c", lagrangian="(adot**2 + bdot**2 + cdot**2)/2 - ((a - b)**2 + (b - c)**2)/2", forces={"a": "u"},
        inputs="u",
    )  # fmt: skip
    rest = {"adot": 0.0, "bdot": 0.0, "cdot": 0.0}
    found = nh.steer(chain, {}, {"a": 0.3, "b": 0.3, "c": 0.3, **rest}, 5.0, nodes=20)
    assert found.began_by == "flat outputs"
    assert found.error < 1e-9
    problem = steering_problem(chain, {}, {"a": 0.3, **rest}, 5.0, None, None, "effort", (), None, 1e-3)
    end = problem.start.copy()
    end[[problem.names.index(n) for n in "abc"]] = 0.3
    gaps = []
    for nodes in (160, 320):  # the inputs are linear between nodes: the motion departs from the guess with their square
        first = flat_guess(problem, end, nodes, 5.0)
        assert first is not None
        times = np.linspace(0, 5.0, nodes + 1)
        run = nh.simulate(chain, {}, 5.0, inputs={"u": (times, first.inputs[:, 0])}, t_eval=times, rtol=1e-9, atol=1e-12)
        gaps.append(max(np.max(np.abs(run[n] - first.states[:, k])) for k, n in enumerate(problem.names)))
    assert gaps[0] < 0.01
    assert gaps[0] / gaps[1] == pytest.approx(4.0, rel=0.05)
