"""Kinds of contact on a plane against Newton–Euler: rubber, blade, rollers, sliding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from tests.machines import newton_euler as ne
from tests.machines.free_bodies import free_body

MASS, MOMENTS = 0.7, (0.011, 0.017, 0.013)
RADIUS, ANGLE = 0.21, 0.6
AXLE, AHEAD = np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.2, 0.1])
DISK = {"kind": "disk", "radius": RADIUS}
POINT = {"kind": "point", "offset": [0.1, -0.05, -0.2]}
TOUCHING = ne.torus(RADIUS, 0.0)


def held(R: Any, kind: str) -> list[Any]:
    """The tangential directions along which the contact point does not move."""
    n = ne.UP
    if kind == "blade":
        along = R @ AHEAD
        return [ne.cross(n, ne.unit(along - (along @ n) * n))]
    across = R @ AXLE
    across = ne.unit(across - (across @ n) * n)
    if kind == "roller":
        free = ne.turn(n, ANGLE) @ across  # rollers turn freely along the axle turned by their angle
        return [ne.cross(free, n)]
    return [] if kind == "sliding" else [across, ne.cross(across, n)]


def rows(kind: str) -> ne.Constraint:
    def constraint(places: Sequence[ne.Place], _: Any) -> list[ne.Row]:
        r, R = places[0]
        point = r + (R @ np.array(POINT["offset"]) if kind == "blade" else TOUCHING(R, ne.UP))
        found: list[ne.Row] = [({0: ne.push(places, 0, point, d + 0j)}, 0.0) for d in [ne.UP, *held(R, kind)]]
        if kind == "rubber":
            found.append(({0: np.concatenate([np.zeros(3), ne.UP]) + 0j}, 0.0))
        return found

    return constraint


@pytest.mark.parametrize("kind", ["rubber", "blade", "roller", "sliding"])
def test_kinds_of_contact_are_those_of_newton_and_euler(kind: str) -> None:
    random = np.random.default_rng(21)
    turned = ne.rotation(random)
    place = np.array([0.3, -0.1, 0.0])
    touching = turned @ np.array(POINT["offset"]) if kind == "blade" else TOUCHING(turned, ne.UP)
    place[2] = -touching[2]
    body = ne.Rigid(MASS, np.diag(MOMENTS), place, turned)
    slopes = np.array([row[0].real for row, _ in rows(kind)([(place + 0j, turned + 0j)], 0.0)])
    wanted = random.normal(size=6)
    wanted -= np.linalg.pinv(slopes) @ slopes @ wanted  # velocities that the rows allow
    body.v, body.w = wanted[:3], wanted[3:]
    rates, forces = ne.accelerations([body], [rows(kind)], ne.weight([body]))
    state = {f"R{i + 1}{j + 1}": float(turned[i, j]) for i in range(3) for j in range(3)}
    names = ("x", "y", "z", "xdot", "ydot", "zdot", "w1", "w2", "w3")
    state |= dict(zip(names, [*place, *body.v, *(turned.T @ body.w)]))
    more: dict[str, Any] = {"along": tuple(map(se.sympify, AHEAD.tolist()))} if kind == "blade" else {}
    more |= {"roller": se.RealDouble(ANGLE)} if kind == "roller" else {}
    system, contact = free_body(POINT if kind == "blade" else DISK, kind=kind, start=state, **more)
    found = nh.prepare(system).rates(state)
    got = [*(found[n] for n in ("xdot", "ydot", "zdot")), *(turned @ [found[n] for n in ("w1", "w2", "w3")])]
    assert np.max(np.abs(got - rates[0])) < 1e-11 * (1 + np.max(np.abs(rates)))
    told = nh.reactions(system).at(state)
    assert abs(told[f"lambda{len(contact.rows) + 1}"] - forces[0]) < 1e-11 * (1 + abs(forces[0]))
    assert len(contact.rows) == len(forces) - 1


def test_a_shape_that_slides_with_friction_is_braked_by_it() -> None:
    puck = nh.Machine(
        name="puck", bodies=[nh.Body(name="puck", mass=1.3, shape={"kind": "ball", "radius": 0.1})],
        contacts=[nh.Contact(name="ice", body="puck", kind="sliding", friction=0.2)],
    )  # fmt: skip
    run = nh.simulate(nh.assemble(puck), {"xdot": 3.0}, 0.2, t_eval=3)
    assert np.allclose(run["xdot"], 3.0 - 0.2 * 9.81 * run.times, rtol=0, atol=1e-10)
    with pytest.raises(nh.NonholoError, match="would drive the slip"):
        nh.assemble(nh.Machine(bodies=puck.bodies, contacts=[nh.Contact(body="puck", friction=-0.3, slips=True)]))


def test_a_plate_on_three_pads_in_the_plane_slides_as_the_same_text_says() -> None:
    """The assembled machine against three feet written by hand, and a blade against a wheel without radius."""
    pads = [(0.2, 0.0), (-0.1, 0.17), (-0.1, -0.17)]
    plate = nh.Machine(
        name="plate", world="plane", bodies=[nh.Body(name="plate", mass=2.0, inertia=0.03)],
        contacts=[
            nh.Contact("plate", f"pad {k}", at=list(at), friction=0.3, load=6.0, slips=True) for k, at in enumerate(pads)
        ],
    )  # fmt: skip
    by_hand = nh.System(
        name="feet", coordinates="x y th", lagrangian="xdot**2 + ydot**2 + 0.015*thdot**2",
        contacts=[{
            "name": f"foot {k}", "load": 6.0, "friction": 0.3, "slips": True,
            "slip": [f"xdot - thdot*({a}*sin(th) + {b}*cos(th))", f"ydot + thdot*({a}*cos(th) - {b}*sin(th))"],
        } for k, (a, b) in enumerate(pads)],
    )  # fmt: skip
    system = nh.assemble(plate)
    angle = next(n for n in system.coordinates if n not in ("x", "y"))
    run = nh.simulate(system, {"xdot": 1.2, "ydot": 0.3, f"{angle}dot": 5.0}, 0.3, t_eval=4)
    other = nh.simulate(by_hand, {"xdot": 1.2, "ydot": 0.3, "thdot": 5.0}, 0.3, t_eval=4)
    for mine, theirs in (("x", "x"), ("y", "y"), (angle, "th")):
        assert np.allclose(run[mine], other[theirs], rtol=0, atol=1e-9)
    assert np.allclose(np.linalg.norm(run.contacts.force[:, :, :2], axis=2), 0.3 * 6.0, rtol=0, atol=1e-9)
    blade = nh.Machine(
        name="sleigh", world="plane", bodies=[nh.Body(name="sleigh", mass=1.0, inertia=0.2, center=[0.3, 0])],
        contacts=[nh.Contact("sleigh", kind="blade")],
    )  # fmt: skip
    wheel = nh.Machine(
        name="sleigh", world="plane", bodies=[nh.Body(name="sleigh", mass=1.0, inertia=0.2, center=[0.3, 0])],
        wheels=[nh.Wheel("sleigh")],
    )  # fmt: skip
    start = {"xdot": 1.0, f"{angle}dot": 0.7}
    pair = [nh.simulate(nh.assemble(m), start, 3.0, t_eval=4) for m in (blade, wheel)]
    assert np.allclose(pair[0]["x"], pair[1]["x"], rtol=0, atol=1e-10)
    for words, said in (({"lifts": True}, "no meaning in the plane"), ({"slips": True}, "needs friction and load")):
        with pytest.raises(nh.NonholoError, match=said):
            nh.assemble(nh.Machine(world="plane", bodies=plate.bodies, contacts=[nh.Contact("plate", **words)]))
