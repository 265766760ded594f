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
    assert seen["imu_wy_exact"].values == pytest.approx(w) and seen["imu_wx_exact"].values == pytest.approx(0 * w)
    assert seen["imu_az_exact"].values == pytest.approx(0.7 * w**2 + 9.81 * np.cos(q), rel=1e-10)
    assert seen["imu_ax_exact"].values == pytest.approx(-0.7 * push - 9.81 * np.sin(q), rel=1e-9)
    assert seen["tip_x"].values == pytest.approx(-0.9 * np.sin(q)) and seen["tip_z"].values == pytest.approx(2 - 0.9 * np.cos(q))
    assert (seen["imu_ax"].attrs["noise"], seen["imu_ax"].attrs["every"]) == ("0.02", "0.01")
    assert run.data["enc_angle"].values == pytest.approx(q) and run.data["tip_x"].values == pytest.approx(seen["tip_x"].values)


def test_readings_are_held_between_samples_and_have_the_noise_that_was_said() -> None:
    """Four recorded times in each interval of 0.01 s; the same numbers in every run, a standard deviation of 0.02."""
    run = nh.simulate(loads(PENDULUM), until=5.0, t_eval=np.arange(2001) * 0.0025)
    seen, again = run.sensors, nh.simulate(loads(PENDULUM), until=5.0, t_eval=np.arange(501) * 0.01).sensors
    read, exact = seen["imu_wy"].values, seen["imu_wy_exact"].values
    assert np.array_equal(read[:2000:4], read[3:2000:4]) and not np.any(read[:2000:4][1:] == read[:2000:4][:-1])
    error = read[::4] - exact[::4]
    assert abs(np.mean(error)) < 3 * 0.02 / np.sqrt(501) and np.std(error) == pytest.approx(0.02, rel=0.1)
    assert again["imu_wy"].values == pytest.approx(read[::4], abs=1e-9)
    assert "tip_x_exact" not in seen and seen["tip_x"].values == pytest.approx(run.data["tip_x"].values)
    assert abs(np.corrcoef(error, (seen["imu_wx"] - seen["imu_wx_exact"]).values[::4])[0, 1]) < 0.15


def test_readings_are_named_in_events_watched_quantities_and_laws() -> None:
    """The rod is straight down where the encoder reads zero, and its accelerometer then feels g and the centripetal part."""
    driven = PENDULUM.replace("[start]", 'motors = [{joint = "q", torque = "tau"}]\n[start]')
    asked = {"felt": "imu_az - 9.81*cos(enc_angle)", "twice": "2*tip_x"}
    run = nh.simulate(loads(driven), until=2.0, events=["enc_angle", "imu_az - 9"], watch=asked, inputs={"tau": "-0.3*enc_rate"})
    below = run.events["enc_angle"]
    assert len(below) and max(abs(state["q"]) for state in run.event_states["enc_angle"]) < 1e-9
    w = run.data["qdot"].values
    assert run.data["felt"].values == pytest.approx(0.7 * w**2, abs=1e-9)
    assert run.data["twice"].values == pytest.approx(2 * run.data["tip_x"].values)
    same = nh.simulate(loads(driven), until=2.0, inputs={"tau": "-0.3*qdot"})
    assert np.array_equal(run.data["q"].values, same.data["q"].values)
    said = loads(driven.replace("[start]", 'inputs = {tau = "-0.3*enc_rate"}\n[start]'))
    assert np.array_equal(nh.simulate(said, until=2.0).data["q"].values, same.data["q"].values)


BALL = """
name = "ball"
bodies = [{name = "ball", mass = 2, center = [0, 0, -0.02], inertia = [0.01, 0.01, 0.01], shape = {kind = "ball", radius = 0.1}}]
contacts = [{body = "ball"}]
sensors = [{name = "scale", kind = "contact force", contact = "ball"}]
start = {tilt = 0.9, speed = 0.2}
"""


def test_forces_of_contacts_are_named_in_events_and_watched_quantities() -> None:
    """A loaded ball rocks: its normal force passes the weight."""
    asked = {"n": "normal(ball)", "a": "along(ball)", "b": "across(ball)", "s": "scale_normal - 2*9.81", "r": "ratio(ball)"}
    run = nh.simulate(loads(BALL), until=2.0, events=["scale_normal - 19.62", "normal(ball) - 19.62"], watch=asked)
    forces = run.contacts.isel(contact=0)
    for name, force in (("n", "normal"), ("a", "along"), ("b", "across"), ("r", "ratio")):
        assert run.data[name].values == pytest.approx(forces[force].values, abs=1e-10)
    times = run.events["scale_normal - 19.62"]
    assert len(times) > 2 and np.array_equal(times, run.events["normal(ball) - 19.62"])
    passed = np.flatnonzero(np.diff(np.sign(run.data["s"].values)))
    assert len(passed) == len(times) and np.all(np.abs(run.data["t"].values[passed] - times) < 2.0 / 400)


def test_sideways_forces_of_plane_wheels_are_named_in_events() -> None:
    cart = 'world = "plane"\nbodies = [{name = "cart", mass = 3, inertia = 0.2, center = [0.1, 0], free = "x y theta"}]\n'
    cart += 'wheels = [{body = "cart", name = "blade"}]\nstart = {forward = -1.0, thetadot = 0.3}'
    run = nh.simulate(loads(cart), until=6.0, watch={"f": "across(blade)"}, events=["across(blade) - 0.5"])
    assert run.data["f"].values == pytest.approx(run.contacts["across"].values[:, 0], abs=1e-12)
    assert len(run.events["across(blade) - 0.5"]) == len(np.flatnonzero(np.diff(np.sign(run.data["f"].values - 0.5))))


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
