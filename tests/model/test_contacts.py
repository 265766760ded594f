"""Contacts of a system: reading, refusing, writing, and the rows they add."""

from __future__ import annotations

import re
from typing import Any

import pytest

import nonholo as nh
from nonholo.errors import ModelError
from nonholo.model.files.toml_files import dumps, loads
from nonholo.model.specialise import specialised
from nonholo.model.system import varied

DISK: dict[str, Any] = {
    "name": "disk",
    "coordinates": "x z phi",
    "parameters": {"m": 1.3, "r": 0.4, "J": 0.1, "g": 9.81, "b": 0.2, "mu": 0.3},
    "lagrangian": "m/2*(xdot**2 + zdot**2) + J/2*phidot**2 - m*g*(z*cos(b) - x*sin(b))",
}
FLOOR: dict[str, Any] = {"name": "floor", "gap": "z - r", "slip": ["xdot - r*phidot"], "friction": "mu"}


def test_closed_and_rolling_contacts_are_constraints() -> None:
    system = nh.System(**DISK, contacts=[FLOOR])
    plain = nh.System(**DISK, constraints=["xdot - r*phidot"], holonomic=["z - r"])
    assert (system.constraints, system.holonomic) == (plain.constraints, plain.holonomic)
    state = {"x": 0.1, "z": 0.4, "phi": 0.3, "phidot": 1.7, "xdot": 0.68}
    assert nh.hamel(system).rates(state, system.parameters) == nh.hamel(plain).rates(state, plain.parameters)


def test_a_changed_system_does_not_add_the_rows_twice() -> None:
    system = nh.System(**DISK, contacts=[FLOOR])
    assert varied(system, forces={"x": "-xdot"}).constraints == system.constraints
    heavier = specialised(system, {"r": 0.5})
    assert [str(e) for e in heavier.holonomic] == ["-1/2 + z"]
    assert heavier.contacts[0].gap == heavier.holonomic[0]


def test_contacts_are_written_and_read_back() -> None:
    told = {
        **FLOOR, "friction": {"static": "2*mu", "kinetic": "mu"}, "slips": True, "lifts": True, "restitution": "0.4",
        "impact": "poisson", "spin": {"rate": "phidot", "coefficient": "0.01*r"}, "point": ["x", 0, "z - r"],
        "rolling": {"rate": ["phidot"], "coefficient": 0.002}, "body": "disk", "on": "ground",
    }  # fmt: skip
    system = nh.System(**DISK, contacts=[told])
    assert loads(dumps(system)) == system
    assert "holonomic" not in dumps(system)


def test_the_second_wheel_of_an_axle_adds_no_row() -> None:
    side = "ydot*cos(th) - xdot*sin(th)"
    axle = nh.System(
        coordinates="x y th p q", parameters={"b": 0.4, "r": 0.2},
        lagrangian="0.65*(xdot**2 + ydot**2) + 0.05*thdot**2 + 0.01*(pdot**2 + qdot**2)",
        contacts=[
            {"name": "left", "slip": ["xdot*cos(th) + ydot*sin(th) - b*thdot - r*pdot", side], "load": 6.4},
            {"name": "right", "slip": ["xdot*cos(th) + ydot*sin(th) + b*thdot - r*qdot", side + " + 0"], "load": 6.4},
        ],
    )  # fmt: skip
    assert len(axle.constraints) == 3


def test_a_fourth_leg_adds_no_row() -> None:
    legs = [(0.3, 0.2), (-0.3, 0.2), (-0.3, -0.25), (0.3, -0.2)]
    table = nh.System(
        coordinates="z p q", lagrangian="2*zdot**2 + pdot**2 + qdot**2 - 40*z",
        contacts=[{"name": f"leg {k}", "gap": f"z + {a}*sin(p) + {b}*sin(q)"} for k, (a, b) in enumerate(legs)],
    )  # fmt: skip
    assert len(table.holonomic) == 3


@pytest.mark.parametrize(
    "words, said",
    [
        ({"slips": True, "slip": ["xdot"], "gap": "z"}, "needs friction"),
        ({"slips": True, "friction": 0.2, "slip": ["xdot"]}, "normal force"),
        ({"lifts": True, "slip": ["xdot"]}, "needs a gap"),
        ({}, "neither gap nor slip"),
        ({"gap": "z", "frition": 0.2}, "unknown keyword 'frition'"),
        ({"gap": "z", "slip": ["xdot", "zdot", "phidot"]}, "0 or 1 or 2 expressions"),
        ({"gap": "z", "slips": "yes"}, "true or false"),
        ({"gap": "z + w"}, "unknown name 'w'"),
        ({"gap": "z", "restitution": 0.3}, "lifts = true"),
        ({"gap": "z", "lifts": True, "impact": "moreau"}, "newton or poisson"),
        ({"gap": "z", "spin": "0.1"}, "the rate it resists"),
        ({"gap": "xdot"}, "unknown name 'xdot'"),
    ],
)
def test_mistakes_are_refused_with_what_is_needed(words: dict[str, Any], said: str) -> None:
    with pytest.raises(nh.NonholoError, match=said):
        nh.System(**DISK, contacts=[words])


def test_two_contacts_of_one_name_are_refused() -> None:
    with pytest.raises(ModelError, match="two contacts are called 'floor'"):
        nh.System(**DISK, contacts=[FLOOR, {**FLOOR, "gap": "z - 2*r"}])


@pytest.mark.parametrize(
    "words, said",
    [
        ({"friction": -0.3}, "friction = -0.3 would drive"),
        ({"friction": {"static": 0.5, "kinetic": -0.1}}, "kinetic friction = -0.1 would drive"),
        ({"friction": {"static": 0.2, "kinetic": 0.4}}, "static friction 0.2 is below kinetic friction 0.4"),
        ({"restitution": -0.2}, "restitution = -0.2"),
        ({"restitution": 1.01}, "restitution = 1.01 would make energy grow"),
        ({"spin": {"rate": "phidot", "coefficient": -1e-3}}, "spin = -0.001 would drive the turning"),
        ({"rolling": {"rate": "phidot", "coefficient": -1e-3}}, "rolling = -0.001 would drive the turning"),
        ({"gap": None, "lifts": False, "load": -2.0}, "load = -2 would pull"),
    ],
)
def test_a_law_that_would_make_energy_is_refused_as_number_and_as_parameter(words: dict[str, Any], said: str) -> None:
    floor = {"name": "floor", "gap": "z - 0.1", "slip": ["xdot - 0.1*phidot"], "friction": 0.3, "slips": True, "lifts": True}
    numbers: dict[str, float] = {}

    def named(value: Any, key: str) -> Any:
        if isinstance(value, dict):
            return {k: named(v, f"{key}_{k}") for k, v in value.items()}
        if isinstance(value, float):
            numbers[key] = value
            return key
        return value

    def disk(contact: dict[str, Any]) -> nh.System:
        contact = {k: v for k, v in contact.items() if v is not None}
        return nh.System(
            name="disk", coordinates="x z phi", lagrangian="xdot**2/2 + zdot**2/2 + phidot**2/400 - 9.81*z", contacts=[contact],
            parameters=dict(numbers),
        )  # fmt: skip

    with pytest.raises(nh.NonholoError, match=re.escape(said)):
        disk({**floor, **words})
    by_parameter = disk({**floor, **{k: named(v, k) for k, v in words.items()}})
    with pytest.raises(nh.NonholoError, match=re.escape(said)):
        nh.simulate(by_parameter, {"xdot": 1.0}, 0.1)
