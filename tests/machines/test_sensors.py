"""Sensors of machines: outputs of runs and linearisations, exact."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.machines.machine_files import dumps, loads

PENDULUM = """
name = "pendulum"
bodies = [{name = "bob", mass = 1.3, inertia = [0.1, 0.2, 0.3]}]
joints = [{name = "q", child = "bob", at = [0, 0, 2], in_child = [0, 0, 0.7], axis = "y"}]
sensors = [{name = "imu", kind = "imu", body = "bob", noise = 0.02, every = 0.01},
           {name = "tip", body = "bob", at = [0, 0, -0.2]}, {name = "enc", kind = "encoder", joint = "q"}]
[start]
q = 0.8
qdot = 0.5
"""


def test_an_imu_on_a_pendulum_feels_what_the_string_does() -> None:
    """Along the rod the centripetal acceleration and gravity, across it the rest; by the pendulum's own equation."""
    run = nh.simulate(loads(PENDULUM), until=1.0, t_eval=np.linspace(0, 1, 11))
    q, w = run.data["q"].values, run.data["qdot"].values
    push = -1.3 * 9.81 * 0.7 * np.sin(q) / (0.2 + 1.3 * 0.7**2)
    seen = run.sensors
    assert seen["imu_wy"].values == pytest.approx(w) and seen["imu_wx"].values == pytest.approx(0 * w)
    assert seen["imu_az"].values == pytest.approx(0.7 * w**2 + 9.81 * np.cos(q), rel=1e-10)
    assert seen["imu_ax"].values == pytest.approx(-0.7 * push - 9.81 * np.sin(q), rel=1e-9)
    assert seen["tip_x"].values == pytest.approx(-0.9 * np.sin(q)) and seen["tip_z"].values == pytest.approx(2 - 0.9 * np.cos(q))
    assert (seen["imu_ax"].attrs["noise"], seen["imu_ax"].attrs["every"]) == ("0.02", "0.01")
    assert run.data["enc_angle"].values == pytest.approx(q) and run.data["tip_x"].values == pytest.approx(seen["tip_x"].values)


def test_outputs_of_sensors_are_linearised_by_name() -> None:
    system = loads(PENDULUM)
    lin = nh.linearise(system, {"q": 0.0}, outputs=["enc_angle", "tip_x"])
    assert lin.outputs == ("enc_angle", "tip_x")
    assert np.max(np.abs(lin.C - np.array([[1.0, 0.0], [-0.9, 0.0]]))) < 1e-12
    assert nh.linearise(system, {"q": 0.0}, outputs="sensors").outputs[-2:] == ("enc_angle", "enc_rate")
    assert loads(dumps(system)) == system


def test_a_contact_force_is_the_reaction() -> None:
    text = 'bodies = [{name = "ball", mass = 2, shape = {kind = "ball", radius = 0.1}}]\ncontacts = [{body = "ball"}]\n'
    text += 'sensors = [{name = "scale", kind = "contact force", contact = "ball"}]'
    run = nh.simulate(loads(text), {"speed": 1}, 0.5)
    assert run.sensors["scale_normal"].values == pytest.approx(2 * 9.81)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('kind = "imu"', 'kind = "imus"', "did you mean 'imu'"),
        ('joint = "q"', 'joint = "p"', "no joint or wheel has the coordinate 'p'"),
        ('name = "tip", body = "bob"', 'name = "tip", body = "bub"', "did you mean 'bob'"),
        ('{name = "tip", body', "{body", "has no name"),
    ],
)
def test_mistakes_in_sensors_are_one_line(old: str, new: str, words: str) -> None:
    with pytest.raises(nh.ModelError, match=words):
        loads(PENDULUM.replace(old, new))
