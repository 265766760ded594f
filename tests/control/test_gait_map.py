"""The record of connection, curvature and loop: a drawn loop integrated from its arrays alone leads where the motion leads."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import RegularGridInterpolator

import nonholo as nh
from tests.control.test_gaits import BOARD, SNAKE


def test_a_loop_integrated_by_the_record_alone_leads_where_the_motion_leads() -> None:
    """What a page does: interpolate the connection, carry velocities by the frame. The motion shares no code with it."""
    found = nh.gait(SNAKE, {"a1": "0.9 + 0.3*cos(t)", "a2": "0.7 + 0.3*sin(t)"}, displacement="x")
    drawn = json.loads(json.dumps(nh.control.gait_map(SNAKE, {"a1": (0.5, 1.3), "a2": (0.3, 1.1)}, gait=found).table()))
    assert (drawn["frame"], drawn["pose"], drawn["kinematic"]) == ("SE(2)", ["x", "y", "theta"], True)
    fields = RegularGridInterpolator(drawn["axes"], np.array(drawn["connection"]), method="cubic")

    def flow(t: float, g: np.ndarray) -> list[float]:
        shape, rates = [0.9 + 0.3 * math.cos(t), 0.7 + 0.3 * math.sin(t)], [-0.3 * math.sin(t), 0.3 * math.cos(t)]
        x, y, turn = fields(shape)[0] @ rates
        c, s = math.cos(g[2]), math.sin(g[2])
        return [c * x - s * y, s * x + c * y, turn]

    end = solve_ivp(flow, (0, 2 * math.pi), np.zeros(3), rtol=1e-8, atol=1e-10).y[:, -1]
    assert end[0] == pytest.approx(found.displacement, rel=1e-3)
    assert drawn["displacement"] == found.displacement
    assert np.allclose(drawn["loop"][0], drawn["loop"][-1])
    assert drawn["loop"][0] == pytest.approx([1.2, 0.7])


def test_momentum_integrated_by_the_record_alone_leads_where_the_motion_leads() -> None:
    """Speeds beyond the connection by their own polynomial, from rest; also with a force against rolling."""
    words = {**vars(BOARD.system), "forces": {**BOARD.system.forces, "x": "-0.4*xdot", "y": "-0.4*ydot"}, "page": None}
    rough = nh.System(**words)
    for system in (BOARD.system, rough):
        found = nh.gait(system, {"psi": "1.1*sin(t)", "phi": "0.4*sin(t + 0.3)"}, displacement="x", parameters=BOARD.parameters)
        over = {"psi": (-1.2, 1.2), "phi": (-0.5, 0.5)}
        drawn = json.loads(json.dumps(nh.control.gait_map(system, over, parameters=BOARD.parameters, points=9).table()))
        tables = [np.array(e) for e in (drawn["connection"], drawn["momentum"]["directions"], drawn["momentum"]["growth"])]
        fields = [RegularGridInterpolator(drawn["axes"], table, method="cubic") for table in tables]

        def flow(t: float, z: np.ndarray, fields=fields, drawn=drawn) -> list[float]:
            shape = [1.1 * math.sin(t), 0.4 * math.sin(t + 0.3)]
            rates = [1.1 * math.cos(t), 0.4 * math.cos(t + 0.3)]
            lift, directions, growth = (field(shape)[0] for field in fields)
            x, y, turn = lift @ rates + directions @ z[3:]
            moving = [*rates, *z[3:]]
            terms = [math.prod(moving[k] for k in factors) for factors in drawn["momentum"]["monomials"]]
            c, s = math.cos(z[2]), math.sin(z[2])
            return [c * x - s * y, s * x + c * y, turn, *(growth @ terms)]

        end = solve_ivp(flow, (0, 2 * math.pi), np.zeros(4), rtol=1e-6, atol=1e-8).y[:, -1]
        assert end[0] == pytest.approx(found.displacement, rel=2e-4)
        assert end[2] == pytest.approx(float(found.run["theta"][-1]), rel=2e-3)
    assert abs(found.displacement) > 5 * abs(found.geometric)


def test_heights_are_the_limit_of_small_loops() -> None:
    found = nh.control.gait_map(SNAKE, {"a1": [0.8], "a2": [0.6]})
    for k, quantity in enumerate(found.group):
        small = nh.gait(SNAKE, {"a1": "0.8 + 0.01*cos(t)", "a2": "0.6 + 0.01*sin(t)"}, displacement=quantity)
        assert found.height[0, 0, k] * math.pi * 1e-4 == pytest.approx(small.displacement, rel=0.03)


def test_frames_are_told_apart() -> None:
    plane = nh.System(coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2", constraints=["zdot - y*xdot"])
    assert nh.control.gait_map(plane, {"x": (-1, 1), "y": (-1, 1)}, points=3).frame == "abelian"
    bent = nh.System(coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2", constraints=["zdot - z*y*xdot"])
    assert nh.control.gait_map(bent, {"x": (-1, 1), "y": (-1, 1)}, points=3).frame is None
    board = nh.control.gait_map(BOARD.system, {"phi": (-1, 1), "psi": (-1, 1)}, parameters=BOARD.parameters, points=3)
    assert (board.frame, board.kinematic, board.loop().shape) == ("SE(2)", False, (0, 2))


def test_a_map_needs_two_shape_variables_and_their_gait() -> None:
    with pytest.raises(nh.StateError, match="two shape variables"):
        nh.control.gait_map(BOARD.system, {"phi": (-1, 1)}, parameters=BOARD.parameters)
    with pytest.raises(nh.StateError, match="must be one of a1 and a2"):
        nh.control.gait_map(SNAKE, {"a1": (0, 1), "a2": (0, 1)}, gait=3)  # type: ignore[arg-type]
