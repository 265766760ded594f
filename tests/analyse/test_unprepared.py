"""Systems that nobody prepared: one body in three descriptions, slopes along branches and onto levels, ensembles."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.analyse.continuation.steady_curve import curve_of
from nonholo.analyse.flow.state_flow import flow_of
from nonholo.analyse.portrait.portrait import _onto_levels, _search
from nonholo.analyse.portrait.portrait_plane import lifted, plane_of
from nonholo.analyse.steady.steady_equations import Steady
from tests.compile.plain_systems import WORDS, system

BODY = {
    "parameters": {"A": 0.8, "B": 1.1, "C": 1.5, "W": 3.0, "c": 0.25},
    "inputs": "u",
    "forces": {"w1": "-c*w1", "w2": "-c*w2*Abs(w2)**0.5 - c*w2", "w3": "-c*w3 + u"},
}
SPIN = "A*w1**2/2 + B*w2**2/2 + C*w3**2/2"
BODIES = {
    "quaternion": nh.System(
        frame=nh.Quaternion("q", rates="w1 w2 w3"), lagrangian=f"{SPIN} + W*(q0**2 - q1**2 - q2**2 + q3**2)", **BODY
    ),
    "matrix": nh.System(frame=nh.SO3("R", rates="w1 w2 w3"), lagrangian=f"{SPIN} + W*R33", **BODY),
    "angles": nh.System(
        coordinates="a b g", lagrangian=f"{SPIN} + W*cos(a)*cos(b)", **BODY,
        quasivelocities={
            "w1": "adot*cos(b)*cos(g) + bdot*sin(g)", "w2": "-adot*cos(b)*sin(g) + bdot*cos(g)", "w3": "adot*sin(b) + gdot",
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BODIES)
def test_a_hanging_body_with_drag_answers_alike_in_every_description(name):
    lin = nh.linearise(BODIES[name], {}, inputs=["u"], outputs=["w1", "w2", "w3", "w3**2 + 2*w3 + u"])
    swing = [0.25 / (2 * e) + 1j * s * np.sqrt(3 / e - (0.25 / (2 * e)) ** 2) for e in (0.8, 1.1) for s in (1, -1)]
    needed = np.sort_complex([-0.25 / 1.5, 0.0, *(-z for z in swing)])
    assert np.sort_complex(lin.eigenvalues) == pytest.approx(needed, abs=1e-10)
    s = 0.7j
    answer = lin.C @ np.linalg.solve(s * np.eye(len(lin.A)) - lin.A, lin.B) + lin.D
    turning = 1 / (1.5 * s + 0.25)
    assert answer.ravel() == pytest.approx([0.0, 0.0, turning, 2 * turning + 1], abs=1e-12)


BY_QUATERNION = {
    "R11": "(q0**2 + q1**2 - q2**2 - q3**2)", "R12": "(2*(q1*q2 - q0*q3))", "R13": "(2*(q1*q3 + q0*q2))",
    "R21": "(2*(q1*q2 + q0*q3))", "R22": "(q0**2 - q1**2 + q2**2 - q3**2)", "R23": "(2*(q2*q3 - q0*q1))",
    "R31": "(2*(q1*q3 - q0*q2))", "R32": "(2*(q2*q3 + q0*q1))", "R33": "(q0**2 - q1**2 - q2**2 + q3**2)",
}  # fmt: skip


def loaded_ball(kind):
    """A ball with its weight off its centre rolls on a floor, with drag and a push; and its state of rest, the weight below."""

    def told(text):
        for entry, formula in BY_QUATERNION.items() if kind == "quaternion" else ():
            text = text.replace(entry, formula)
        return text

    speed = "((xdot + a*(R11*w2 - R12*w1))**2 + (ydot + a*(R21*w2 - R22*w1))**2 + (a*(R31*w2 - R32*w1))**2)"
    turned = nh.Quaternion if kind == "quaternion" else nh.SO3
    ball = nh.System(
        frame=turned("q" if kind == "quaternion" else "R", rates="w1 w2 w3") * nh.Euclidean("x y"), inputs="f",
        parameters={"m": 1.1, "A": 0.3, "B": 0.4, "C": 0.5, "r": 0.6, "a": 0.2, "g": 9.81, "c": 0.15},
        lagrangian=told(f"m*{speed}/2 + (A*w1**2 + B*w2**2 + C*w3**2)/2 - m*g*a*R33"),
        constraints=[told("xdot - r*(R21*w1 + R22*w2 + R23*w3)"), told("ydot + r*(R11*w1 + R12*w2 + R13*w3)")],
        forces={"w3": "-c*w3*Abs(w3)**0.5 - c*w3", "x": "f - c*xdot*sqrt(xdot**2 + ydot**2)"},
    )  # fmt: skip
    return ball, {"q0": 0.0, "q1": 1.0} if kind == "quaternion" else {"R11": 1.0, "R22": -1.0, "R33": -1.0}


@pytest.mark.parametrize("kind", ["quaternion", "matrix"])
def test_a_loaded_ball_rocks_as_its_pendulum_does(kind):
    ball, below = loaded_ball(kind)
    found = np.sort_complex(nh.linearise(ball, below, inputs=["f"]).eigenvalues)
    rocking = [np.sqrt(1.1 * 9.81 * 0.2 / (e + 1.1 * 0.4**2)) for e in (0.3, 0.4)]  # about the contact
    needed = np.sort_complex([-0.3, 0, 0, 0, *(s * 1j * w for w in rocking for s in (1, -1))])
    assert np.sort(found.imag) == pytest.approx(np.sort(needed.imag), abs=1e-9)
    assert np.sort(found.real) == pytest.approx(np.sort(needed.real), abs=1e-9)


@pytest.mark.slow
def test_motion_and_sensitivities_of_a_loaded_ball_are_the_same_by_matrix_and_quaternion():
    ends = []
    for kind in ("quaternion", "matrix"):
        ball, below = loaded_ball(kind)
        run = nh.simulate(ball, {**below, "w1": 0.3, "w2": 0.5, "w3": 0.7}, 2.0, inputs={"f": 0.2}, sensitivity=["a", "w3"])
        ends.append([run.final["x"], run.final["y"], *run.sensitivity.isel(t=-1).sel(quantity=["x", "y", "w3"]).values.ravel()])
    assert ends[0] == pytest.approx(ends[1], abs=1e-8)


def test_slopes_by_a_parameter_along_a_branch_are_those_of_the_equations():
    # a ball of loaded weight in a bowl: a group, relations of coordinates and a parameter that stands in all of them
    bead = nh.System(
        coordinates="x y z", parameters={"m": 0.9, "k": 0.7, "g": 9.81, "e": 0.3},
        lagrangian="m*(xdot**2 + ydot**2 + zdot**2)/2 - m*g*z - e*k*(x**2 + y**2)**2", holonomic=["z - k*(x**2 + y**2)/2"],
    )  # fmt: skip
    flow = flow_of(bead, {"x": 0.5, "y": 0.2, "xdot": -0.4, "ydot": 1.0})
    assert len(flow.fields) == 1 and len(flow.kernel.invariants) == 1
    steady = Steady(flow, np.full(flow.size, 0.7), moving=len(flow.fields) > 0)
    unknowns = steady.starts(flow.home[None])[0]
    curve, point, _ = curve_of(steady, unknowns, "k", 2.0, {})
    step = 1e-5
    ahead, behind = point.copy(), point.copy()
    ahead[-1] += step
    behind[-1] -= step
    needed = (curve.value(ahead[None]) - curve.value(behind[None]))[0] / (2 * step)
    assert np.max(np.abs(needed)) > 0.1
    assert curve.slope(point[None])[0, :, -1] == pytest.approx(needed, abs=1e-7)


def test_starts_of_a_portrait_lie_on_their_levels_to_rounding():
    bowl = nh.System(
        coordinates="x y", parameters={"g": 9.81}, lagrangian="(xdot**2 + ydot**2)/2 - g*y", holonomic=["y - x**2/2 - x**4/8"]
    )
    plane, _ = plane_of(bowl, "x", "xdot", None, {"x": 0.1}, None)
    search = _search(plane, None, (-1.0, 1.0), (-2.0, 2.0), np.ones(len(plane.base)))
    rough = np.array([[0.5, 0.4], [-0.3, 1.1], [0.2, -0.9]])
    assert plane.closed
    wanted = plane.show(lifted(plane, rough))[1] * 1.1
    assert plane.show(lifted(plane, _onto_levels(search, rough, wanted)))[1] == pytest.approx(wanted, rel=1e-13)


def test_levels_are_met_through_the_completion_of_starts():
    s = system("slider and crank against a valve spring")
    found = nh.on_level(s, {"a": np.array([0.7, 1.9]), "adot": np.array([1.0, 2.0])}, {"energy": 8.0}, "adot")
    for a, rate in zip(found["a"], found["adot"]):
        full = nh.complete_state(s, {"a": a, "adot": rate})
        state = {n: full[n] for n in nh.hamel(s).state}
        energy = nh.simulate(s, state, 1e-3, inputs={"tau": 0.0}).data["energy"].values[0]
        assert energy == pytest.approx(8.0, rel=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("name", WORDS)
def test_no_member_of_an_ensemble_feels_its_neighbours(name):
    s = system(name)
    key = next(n for n in s.start if n.endswith("dot"))
    starts = [{**s.start, key: s.start[key] * e} for e in np.linspace(0.7, 1.3, 11)]
    times, first = np.linspace(0.0, 1.0, 6), s.coordinates[0]

    def moved(some, **words):
        given = dict.fromkeys(s.inputs, 0.2)
        return nh.ensemble(s, some, 1.0, inputs=given, t_eval=times, **words)[first].transpose("member", ...).values

    whole = moved(starts)
    assert np.array_equal(moved(starts, threads=1), whole)
    assert np.array_equal(moved(starts[::-1]), whole[::-1])
    assert np.array_equal(moved(starts[3:4]), whole[3:4])
    wild = [*starts[:4], {**starts[4], key: 60.0}, *starts[5:]]
    assert np.array_equal(np.delete(moved(wild), 4, axis=0), np.delete(whole, 4, axis=0))
    alone = nh.simulate(s, starts[0], 1.0, inputs=dict.fromkeys(s.inputs, 0.2), t_eval=times)
    assert np.array_equal(alone.data[first].values, whole[0])
