"""Forces of contacts along a motion, against statics and Newton's laws by hand."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.errors import StateError
from tests.model.test_contacts import DISK, FLOOR


def test_forces_of_a_disk_that_rolls_down_a_slope() -> None:
    run = nh.simulate(nh.System(**DISK, contacts=[{**FLOOR, "point": ["x", 0, 0]}]), {"xdot": 0.7}, 1.0)
    m, r, j, g, b = 1.3, 0.4, 0.1, 9.81, 0.2
    share = j / (m * r**2)
    found = run.contacts.sel(contact="floor")
    assert np.allclose(found.normal, m * g * np.cos(b), rtol=0, atol=1e-12)
    assert np.allclose(found.along, -m * g * np.sin(b) * share / (1 + share), rtol=0, atol=1e-12)
    assert np.allclose(found.ratio, np.tan(b) * share / (1 + share), rtol=0, atol=1e-13)
    assert np.array_equal(found.point.sel(axis="x"), run["x"]) and np.all(found.slip < 1e-12)


def test_redundant_wheels_share_a_side_force_equally() -> None:
    side, m, b = "ydot*cos(th) - xdot*sin(th)", 1.3, 0.4
    axle = nh.System(
        coordinates="x y th p q", parameters={"b": b, "r": 0.2},
        lagrangian=f"{m}/2*(xdot**2 + ydot**2) + 0.05*thdot**2 + 0.01*(pdot**2 + qdot**2)",
        contacts=[
            {"name": "left", "slip": ["xdot*cos(th) + ydot*sin(th) - b*thdot - r*pdot", side], "load": 6.4},
            {"name": "right", "slip": ["xdot*cos(th) + ydot*sin(th) + b*thdot - r*qdot", side + " + 0"], "load": 6.4},
        ],
    )  # fmt: skip
    run = nh.simulate(axle, {"thdot": 1.1, "xdot": 0.8}, 1.0)
    centripetal = m * 0.8 * 1.1
    assert np.allclose(run.contacts.across, centripetal / 2, rtol=0, atol=1e-8)
    assert np.allclose(run.contacts.along, 0, rtol=0, atol=1e-10)
    assert "least" in run.contacts.attrs["sharing"]


def test_the_forces_of_a_table_on_four_legs_balance_its_weight_and_moments() -> None:
    legs = [(0.3, 0.2), (-0.3, 0.2), (-0.3, -0.25), (0.3, -0.2)]
    table = nh.System(
        coordinates="z p q", lagrangian="2*zdot**2 + pdot**2 + qdot**2 - 40*z - 3*sin(p) + 1.5*sin(q)",
        contacts=[{"name": f"leg {k}", "gap": f"z + {a}*sin(p) + {b}*sin(q)"} for k, (a, b) in enumerate(legs)],
    )  # fmt: skip
    force = nh.simulate(table, {}, 0.1).contacts.normal[0].values
    lever = np.array([[1, a, b] for a, b in legs]).T
    assert np.allclose(lever @ force, [40, 3, -1.5], rtol=0, atol=1e-10)
    spare = np.linalg.svd(lever)[2][-1]
    assert abs(spare @ force) < 1e-10  # the least of all that balance


def test_a_motion_without_contacts_says_so() -> None:
    run = nh.simulate(nh.System(coordinates="x", lagrangian="xdot**2/2"), {"xdot": 1}, 1)
    with pytest.raises(StateError, match="has no contacts"):
        _ = run.contacts


@pytest.mark.parametrize("slips", [True, False])
def test_the_force_in_the_world_is_the_change_of_momentum_less_the_weight(slips: bool) -> None:
    """On a slope, the ball's momentum differentiated along the motion against the vectors of its contact."""
    m, r, g = 1.3, 0.11, 9.81
    ball = nh.Machine(
        name="ball", bodies=[nh.Body(name="ball", mass=m, shape={"kind": "ball", "radius": r})],
        ground={"slope": 0.3},
        contacts=[nh.Contact(name="hill", body="ball", friction=0.25, slips=slips)],
    )  # fmt: skip
    start = {"xdot": 1.1, "ydot": 0.7, "w1": 3.0, "w3": 2.0} if slips else {"w1": 3.0, "w3": 2.0}
    run = nh.simulate(nh.assemble(ball), start, 0.2, t_eval=np.linspace(0, 0.2, 201))
    assert len(run.modes) == 0
    contact = run.contacts
    dt = run.times[1]
    for i, name in enumerate("xyz"):
        speed = run[f"{name}dot"]
        rate = (speed[:-4] - 8 * speed[1:-3] + 8 * speed[3:-1] - speed[4:]) / (12 * dt)
        weight = m * g if name == "z" else 0.0
        assert np.allclose(contact.force[2:-2, 0, i], m * rate + weight, rtol=0, atol=1e-6)
    up = np.array([np.sin(0.3), 0.0, np.cos(0.3)])
    assert np.allclose(contact.normal_direction[:, 0], up, rtol=0, atol=1e-12)
    assert np.allclose(contact.normal[:, 0], contact.force[:, 0].values @ up, rtol=0, atol=1e-10)
    assert np.all(contact.friction == 0.25) and set(contact.mode.values[:, 0]) == {"sliding" if slips else "rolling"}
    if slips:
        slip = contact.slip_velocity[:, 0].values
        way = slip / np.linalg.norm(slip, axis=1)[:, None]
        pull = contact.force[:, 0].values - contact.normal[:, 0].values[:, None] * up
        assert np.allclose(pull, -0.25 * contact.normal[:, 0].values[:, None] * way, rtol=0, atol=1e-9)
        assert np.allclose(np.linalg.norm(slip, axis=1), contact.slip[:, 0], rtol=0, atol=1e-12)
