"""Feedback of accelerations, reactions and sensors: laws solved for their input, and samples under the inputs held before."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import nonholo as nh
from nonholo.machines.machine_files import loads

PENDULUM = nh.System(
    name="cart with pendulum", coordinates="x th", parameters={"M": 1.3, "m": 0.4, "l": 0.7},
    lagrangian="(M + m)/2*xdot**2 + m*l*xdot*thdot*cos(th) + m*l**2/2*thdot**2 - m*9.81*l*cos(th)",
    forces={"x": "u"}, inputs="u",
)  # fmt: skip
SLEIGH = nh.System(
    name="sleigh", coordinates="theta x y", parameters={"m": 1.3, "J": 0.7, "a": 0.4, "k": 0.3},
    lagrangian="m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2",
    constraints=["ydot*cos(theta) - xdot*sin(theta)"],
    quasivelocities={"omega": "thetadot", "v": "xdot*cos(theta) + ydot*sin(theta)"}, forces={"omega": "T"}, inputs="T",
)  # fmt: skip


def test_a_law_of_accelerations_moves_as_the_equations_eliminated_by_hand() -> None:
    """``u = −0.5 ẍ + 0.2 θ̈ − x`` is inertia on the left-hand side of the cart's equation, as written here."""
    M, m, length = 1.3, 0.4, 0.7

    def rates(t: float, y: np.ndarray) -> list[float]:
        x, th, v, w = y
        mass = [[M + m + 0.5, m * length * np.cos(th) - 0.2], [m * length * np.cos(th), m * length**2]]
        vdot, wdot = np.linalg.solve(mass, [m * length * w**2 * np.sin(th) - x, m * 9.81 * length * np.sin(th)])
        return [v, w, vdot, wdot]

    run = nh.simulate(PENDULUM, {"th": 0.3}, 1.5, inputs={"u": "-0.5*xddot + 0.2*thddot - x"}, watch={"a": "xddot"}, rtol=1e-11)
    by_hand = solve_ivp(rates, (0, 1.5), [0, 0.3, 0, 0], rtol=1e-11, atol=1e-12).y[:, -1]
    assert [run.final[n] for n in ("x", "th", "xdot", "thdot")] == pytest.approx(by_hand.tolist(), abs=1e-8)
    assert run["a"][-1] == pytest.approx(rates(0.0, by_hand)[2], abs=1e-8)
    assert run["u"][0] == pytest.approx(np.dot([-0.5, 0.2], rates(0.0, np.array([0, 0.3, 0, 0]))[2:]), abs=1e-12)


def test_a_law_of_the_sleighs_reaction_is_an_offset_of_its_blade() -> None:
    """``λ = m (v ω + a ω̇)`` and ``J ω̇ = T − a λ`` with ``T = −k λ``: ``ω̇ = −(a + k) m v ω/(J + (a + k) m a)``, ``v̇ = a ω²``."""
    m, J, a, k = 1.3, 0.7, 0.4, 0.3

    def rates(t: float, y: np.ndarray) -> list[float]:
        return [-(a + k) * m * y[1] * y[0] / (J + (a + k) * m * a), a * y[0] ** 2]

    law = {"T": "-k*lambda1"}
    run = nh.simulate(SLEIGH, {"omega": 0.9, "v": 1.0}, 2.0, inputs=law, rtol=1e-11, t_eval=21)
    by_hand = solve_ivp(rates, (0, 2), [0.9, 1.0], rtol=1e-11, atol=1e-12).y[:, -1]
    assert [run.final["omega"], run.final["v"]] == pytest.approx(by_hand.tolist(), abs=1e-8)
    assert run["T"] == pytest.approx(-k * run["lambda1"], abs=1e-12)
    lin = nh.linearise(SLEIGH, {"v": 1.0, "omega": 0.0}, inputs=law)
    turning = lin.A[lin.names.index("omega"), lin.names.index("omega")]
    assert turning == pytest.approx(-(a + k) * m / (J + (a + k) * m * a), abs=1e-12)
    own = nh.System(**{**vars(SLEIGH), "symmetry": None, "inputs": law})
    assert nh.simulate(own, {"omega": 0.9, "v": 1.0}, 2.0, rtol=1e-11).final["x"] == pytest.approx(run.final["x"], abs=1e-12)


@pytest.mark.parametrize(
    "system, start, laws",
    [
        (nh.System(coordinates="x y z", lagrangian="xdot**2/2 + 1.5*ydot**2", constraints=["zdot - sin(x)*ydot"],
                   forces={"z": "u", "x": "w"}, inputs="u w"), {"x": 0.4, "xdot": 0.3, "ydot": 1.1},
         {"u": "0.3*zddot - y + 0.2*lambda1", "w": "0.1*lambda1 - 0.4*xddot + yddot"}),
        (nh.System(frame=nh.SO3("R", rates="w1 w2 w3"), lagrangian="(1.1*w1**2 + 1.7*w2**2 + 2.3*w3**2)/2 + R33",
                   constraints=["w3 - 0.3*w1"], forces={"w1": "u", "w2": "v"}, inputs="u v"),
         {"w1": 0.4, "w2": -0.7, "w3": 0.12}, {"u": "0.3*w2dot - w1 + 0.2*lambda1", "v": "0.1*lambda1 - 0.4*w1dot"}),
        (SLEIGH, {"omega": 0.9, "v": 1.0}, {"T": "-0.2*lambda1*omega + 0.1*vdot - 0.4*xddot*cos(theta)"}),
    ],
    ids=["a direction without inertia", "rotations", "sleigh"],
)  # fmt: skip
def test_inputs_by_implicit_laws_satisfy_them(system: nh.System, start: dict[str, float], laws: dict[str, str]) -> None:
    """The law on the accelerations and multipliers that the model solves in numbers under the input that was found."""
    run = nh.simulate(system, start, 0.7, inputs=laws)
    model = nh.prepare(system, form="multipliers")
    state = nh.complete_state(system, {n: run.final[n] for n in nh.prepare(system).names}, repair=True)
    inputs = {n: run.final[n] for n in laws}
    if system.frame.plain:
        rates = model.rates({n: state[n] for n in model.names}, inputs)
        names = {f"{c}ddot": rates[f"{c}dot"] for c in system.coordinates} | {"lambda1": rates["lambda1"]}
        names |= {f"{v}dot": rates[v] for v in system.quasivelocities}
    else:
        rates = nh.prepare(system).rates({n: run.final[n] for n in nh.prepare(system).names}, inputs)
        names = {f"{v}dot": rates[v] for v in system.velocities} | {"lambda1": float(run["lambda1"][-1])}
    for name, law in laws.items():
        told = eval(law, {"sin": np.sin, "cos": np.cos, **state, **names})
        assert inputs[name] == pytest.approx(told, abs=1e-9)


@pytest.mark.parametrize(
    "words, law, match",
    [({}, "qddot**2", "not linear in accelerations"), ({}, "2*qddot", "holds for every input or for none"),
     ({"forces": {"q": "u**2"}}, "qddot", "needs forces that are linear"),
     ({"constraints": ["rdot - u"]}, "qddot", "depend on the rate of u"),
     ({"constraints": ["rdot - q*qdot", "2*rdot - 2*q*qdot"]}, "lambda1", "not determined"),
     ({"contacts": [{"name": "floor", "gap": "r", "slip": ["qdot"], "friction": 0.3, "slips": True}]}, "qddot", "slips or lifts"),
     ({"parametric": ("z", {"qdot": "z", "rdot": "2*z"})}, "qddot", "velocities by parameters"),
     ({"contacts": [{"name": "floor", "gap": "r"}]}, "normal(wall)", r"the forces are normal\(floor\)")],
)  # fmt: skip
def test_implicit_laws_without_one_answer_are_refused(words: dict[str, object], law: str, match: str) -> None:
    given = {"coordinates": "q r", "lagrangian": "qdot**2 + rdot**2/2 - r", "forces": {"q": "u"}, "inputs": "u", **words}
    with pytest.raises((nh.StateError, nh.ModelError), match=match):
        nh.simulate(nh.System(**given), {}, 0.1, inputs={"u": law})


def test_a_law_of_an_input_in_the_lagrangian_acts_as_the_same_function() -> None:
    """The input is not varied: ``L = ż²/2 + u z`` with ``u = −3 z`` is a spring of stiffness 3, not 6."""
    fall = nh.System(coordinates="z", lagrangian="zdot**2/2 + u*z", inputs="u")
    assert nh.simulate(fall, {"z": 1.0}, 1.0, inputs={"u": "-3*z"}).final["z"] == pytest.approx(np.cos(np.sqrt(3)), abs=1e-8)
    heavy = nh.System(coordinates="z", lagrangian="(1 + u)*zdot**2/2", inputs="u")
    with pytest.raises(nh.StateError, match="stands beside velocities in the Lagrangian"):
        nh.simulate(heavy, {"zdot": 1.0}, 1.0, inputs={"u": "z"})


@pytest.mark.parametrize("delay", [0.0, 0.03, 0.1])
def test_samples_see_accelerations_under_the_inputs_held_before(delay: float) -> None:
    """Piece by piece with numbers as inputs; two functions that sample together do not see each other's new answer."""
    two = nh.System(coordinates="x y", lagrangian="(xdot**2 + 2*ydot**2)/2 - (x - y)**2", inputs="u w",
                    forces={"x": "u", "y": "w + 0.3*u"})  # fmt: skip
    laws = {"u": lambda a: -0.6 * a["y"] - 0.4, "w": lambda a: 0.5 * a["x"] - 0.8 * a["y"]}
    seen = [nh.controller(lambda t, s, law=law: law({c: s[f"{c}ddot"] for c in "xy"}), every=0.1, delay=delay, initial=0.7)
            for law in laws.values()]  # fmt: skip
    inputs = {n: one.one(n, one.function) for n, one in zip(laws, seen)}
    run = nh.simulate(two, {"x": 1.0}, 0.5, inputs=inputs, rtol=1e-12, atol=1e-14)
    model = nh.prepare(two)
    state, u, due = {"x": 1.0, "y": 0.0, "xdot": 0.0, "ydot": 0.0, "t": 0.0}, dict.fromkeys(laws, 0.7), []
    for time in sorted({*np.round(np.arange(5) * 0.1, 9), *np.round(np.arange(5) * 0.1 + delay, 9), 0.5}):
        if time > 0.5:
            break
        if time > state["t"]:
            state = model.step(state, time - state["t"], u)
        if round(time * 10, 6) % 1 == 0:
            rates = model.rates(state, u)
            due.append((time + delay, {n: law({"x": rates["xdot"], "y": rates["ydot"]}) for n, law in laws.items()}))
        u = next((told for at, told in reversed(due) if at <= time + 1e-9), u)
    assert run.final["x"] == pytest.approx(state["x"], abs=1e-9)
    with pytest.raises(nh.StateError, match="asks for xddot, which depends on its own answer"):
        nh.simulate(two, {"x": 1.0}, 0.5, inputs=lambda t, s: [s["xddot"], 0.0])


ARM = """
name = "arm"
bodies = [{name = "rod", mass = 1.3, inertia = [0.1, 0.2, 0.3]}]
joints = [{name = "q", child = "rod", at = [0, 0, 2], in_child = [0, 0, 0.7], axis = "y"}]
motors = [{joint = "q", torque = "tau"}]
sensors = [{name = "imu", kind = "imu", body = "rod"}, {name = "enc", kind = "encoder", joint = "q"}]
start = {q = 0.8, qdot = 0.5}
"""
BALL = """
name = "ball"
bodies = [{name = "ball", mass = 2, center = [0, 0, -0.02], inertia = [0.01, 0.01, 0.01], shape = {kind = "ball", radius = 0.1}}]
contacts = [{body = "ball"}]
sensors = [{name = "scale", kind = "contact force", contact = "ball"}]
forces = {x = "push"}
inputs = "push"
start = {tilt = 0.9, speed = 0.2}
"""


def test_sensors_are_read_in_laws_outputs_and_by_samples() -> None:
    """The accelerometer across the rod reads ``−0.7 q̈ − g sin q``; ``I q̈ = τ − m g l sin q`` with ``I = 0.2 + 1.3·0.7²``."""
    inertia, weight = 0.2 + 1.3 * 0.7**2, 1.3 * 9.81 * 0.7
    law = "0.2*imu_ax - 0.1*enc_rate"

    def turning(q: float, rest: float, gain: float) -> float:  # q̈ under τ = gain·imu_ax + rest
        return (rest - (weight + gain * 9.81) * np.sin(q)) / (inertia + 0.7 * gain)

    def rates(t: float, y: np.ndarray) -> list[float]:
        return [y[1], turning(y[0], -0.1 * y[1], 0.2)]

    arm = loads(ARM)
    run = nh.simulate(arm, until=1.0, inputs={"tau": law}, rtol=1e-11)
    by_hand = solve_ivp(rates, (0, 1), [0.8, 0.5], rtol=1e-11, atol=1e-12).y[:, -1]
    assert [run.final["q"], run.final["qdot"]] == pytest.approx(by_hand.tolist(), abs=1e-8)
    same = loads(ARM.replace("start =", f'inputs = {{tau = "{law}"}}\nstart ='))
    assert nh.simulate(same, until=1.0, rtol=1e-11).final["q"] == pytest.approx(run.final["q"], abs=1e-12)
    lin = nh.linearise(arm, {"q": 0.0}, outputs=["imu_ax", "enc_angle"])
    assert lin.C[0] == pytest.approx([0.7 * weight / inertia - 9.81, 0.0], abs=1e-12)
    assert lin.D[0] == pytest.approx([-0.7 / inertia], abs=1e-12)
    samples: list[tuple[float, ...]] = []

    def control(t: float, s: dict[str, float]) -> dict[str, float]:
        samples.append((s["q"], s["imu_ax"], s["enc_angle"], s["qddot"]))
        return {"tau": 0.3 * s["imu_ax"]}

    nh.simulate(arm, until=0.4, inputs=nh.controller(control, every=0.1, initial=0.25))
    torque = 0.25
    for q, felt, angle, change in samples[-4:]:
        assert change == pytest.approx((torque - weight * np.sin(q)) / inertia, abs=1e-12)
        assert (felt, angle) == pytest.approx((-0.7 * change - 9.81 * np.sin(q), q), abs=1e-12)
        torque = 0.3 * felt


def test_forces_of_contacts_are_fed_back() -> None:
    ball = loads(BALL)
    run = nh.simulate(ball, until=1.0, inputs={"push": "0.1*(scale_normal - 19.62) + 0.2*along(ball)"}, t_eval=11)
    forces = run.contacts.isel(contact=0)
    assert run["push"] == pytest.approx(0.1 * (forces["normal"].values - 19.62) + 0.2 * forces["along"].values, abs=1e-8)
    assert np.ptp(run["push"]) > 0.1
    seen: list[float] = []
    nh.simulate(ball, until=0.2, inputs=nh.controller(lambda t, s: seen.append(s["scale_normal"]) or 0.0, every=0.1))
    assert seen[0] == pytest.approx(nh.simulate(ball, until=0.1).contacts["normal"].values[0, 0], abs=1e-9)
