"""Methods that keep the energy, and Zenkov's pendulum: errors at rounding, against the equations themselves and for long."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import root

import nonholo as nh
from nonholo import gallery
from nonholo_papers import problems

PENDULUM = gallery.get("spherical-pendulum")


def swung(steps: int, method: str = "hamel", **options: Any) -> Any:
    """The run of Zenkov 2016, 6.3: m = 1, r = g = 9.8, h = 0.2."""
    return nh.simulate(
        PENDULUM.system, PENDULUM.start, 0.2 * steps, PENDULUM.parameters, method=method, step=0.2, t_eval=min(steps, 2000) + 1,
        progress=False, **options,
    )  # fmt: skip


def lengths(run: Any) -> np.ndarray:
    return np.sqrt(run["gamma1"] ** 2 + run["gamma2"] ** 2 + run["gamma3"] ** 2)


def test_the_equations_of_zenkovs_pendulum() -> None:
    """(6.6) with its ½ and (6.7), by SciPy, a hundred steps; printed without the ½ the motion is another."""
    h, a = 0.2, np.array([0, 0, 9.8])
    xi, gamma = np.array([0.6, 0.0, 0.0]), np.array([PENDULUM.start[f"gamma{i}"] for i in (1, 2, 3)])
    inertia = 9.8**2 * np.array([1, 1, 0]) + np.array([0, 0, 1])
    others = []
    for factor in (0.5, 1.0):
        x, g = xi, gamma
        for _ in range(100):

            def gap(new: np.ndarray, x: np.ndarray = x, g: np.ndarray = g, factor: float = factor) -> np.ndarray:
                fast, there = new[:3], new[3:]
                push = 9.8 * factor * np.cross(there + g, a)
                push[2] = 0.0
                return np.concatenate([
                    inertia * (fast - x) - h * push, there - g - h * np.cross((there + g) / 2, (fast + x) / 2)
                ])  # fmt: skip

            new = root(gap, np.concatenate([x, g]), tol=1e-13).x
            x, g = new[:3], new[3:]
        others.append(np.concatenate([x[:2], g]))
    run = nh.simulate(
        PENDULUM.system, PENDULUM.start, 20.0, PENDULUM.parameters, method="hamel", step=0.2, kinematics="averaged",
        t_eval=[20.0], progress=False,
    )  # fmt: skip
    found = np.array([run[n][-1] for n in ("xi1", "xi2", "gamma1", "gamma2", "gamma3")])
    assert found == pytest.approx(others[0], abs=1e-9)
    assert np.max(np.abs(found - others[1])) > 0.1


@pytest.mark.parametrize("kinematics", ["straight", "averaged"])
def test_the_run_of_the_paper(kinematics: str) -> None:
    """10,000 steps: |γ| and energy to 1e-14 and 5e-15 in the paper; with compensated summation no worse, and nearer to
    rounding."""
    plain, summed = (swung(10_000, kinematics=kinematics, compensated=c) for c in (False, True))
    assert np.max(np.abs(lengths(plain) - 1)) < 1e-14 and plain.drift("energy") < 1e-14
    assert np.max(np.abs(lengths(summed) - 1)) < 1.5e-15 and summed.drift("energy") < 5e-15
    for other in ("rk4", "energy_exact"):
        drift = swung(10_000, other).drift("energy")
        assert drift > 1e-3 if other == "rk4" else drift < 5e-15


def test_no_drift_of_the_pendulum_after_a_million_steps() -> None:
    run = swung(1_000_000, compensated=True)
    gap = np.abs(run["energy"] / run["energy"][0] - 1)
    assert gap.max() < 3e-14 and np.max(np.abs(lengths(run) - 1)) < 1e-14
    plain = swung(1_000_000)
    assert plain.drift("energy") < 1.4e-13 and np.max(np.abs(lengths(plain) - 1)) < 1e-13


@pytest.mark.parametrize(
    "name", ["rattleback", "contact-chaos", "contact-magnetic", "cvt-turning", "theorem-5-3", "chaplygin-sphere"]
)
def test_energy_is_kept_where_other_methods_drift(name: str) -> None:
    """Five thousand steps; rk4 with the same step is wrong by a hundred thousand times as much and more."""
    problem = problems.get(name)
    words = {"until": 5_000 * problem.step, "step": problem.step, "t_eval": 201, "progress": False}
    assert nh.simulate(problem.system, method="energy_exact", **words).drift("energy") < 1e-13
    assert nh.simulate(problem.system, method="rk4", **words).drift("energy") > 1e-8


def test_what_is_seen_of_the_turning_transmission_is_the_last_bit_of_its_angle() -> None:
    """100,000 steps: the angle is 6668 rad, whose last bit is 9e-13; with (cos ξ, sin ξ) in its place the energy is kept to
    1e-15."""
    frame = nh.Frame(
        "x y c s", "vx vy w", [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "-s"], ["0", "0", "c"]], brackets={},
        relations=["c**2 + s**2 - 1"], home=(0, 0, 1, 0),
    )  # fmt: skip
    circle = nh.System(
        "transmission on a circle", frame=frame, lagrangian="(vx**2 + vy**2 + w**2)/2 - (x**2 + 1.3*y**2)/2 + c",
        constraints=["vx - (s + 0.6*(2*c**2 - 1) + 0.3)*vy"],
        start={"x": 0.6, "y": 0.8, "c": np.cos(0.2), "s": np.sin(0.2), "vy": 0.5, "w": 2.3},
    )  # fmt: skip
    turning = problems.get("cvt-turning").system
    words = {"until": 10.0, "rtol": 1e-12, "atol": 1e-13, "t_eval": "end", "progress": False}
    assert nh.simulate(circle, **words).final["x"] == pytest.approx(nh.simulate(turning, **words).final["x"], abs=1e-9)
    words = {"until": 1e4, "method": "energy_exact", "step": 0.1, "t_eval": 2001, "progress": False}
    angle = nh.simulate(turning, **words)
    assert abs(angle["xi"][-1]) > 6000 and 1e-13 < angle.drift("energy") < 2e-12
    assert nh.simulate(circle, **words).drift("energy") < 2e-15


@pytest.mark.slow
@pytest.mark.parametrize("method", ["energy_exact", "energy_exact4"])
@pytest.mark.parametrize("name", ["rattleback", "contact-chaos", "contact-magnetic", "contact-7-chaos"])
def test_energy_is_kept_for_a_million_steps(name: str, method: str) -> None:
    problem = problems.get(name)
    words = {"until": 1_000_000 * problem.step, "step": problem.step, "t_eval": 2001, "progress": False}
    assert nh.simulate(problem.system, method=method, **words).drift("energy") < 1e-13


@pytest.mark.parametrize("name", ["contact-chaos", "heisenberg-potential", "contact-magnetic"])
def test_order_four_by_composition(name: str) -> None:
    """Errors against dop853 fall by sixteen, those of the simple method by four."""
    system = problems.get(name).system
    exact = nh.simulate(system, until=2.0, rtol=1e-13, atol=1e-14, t_eval="end", progress=False).final

    def error(method: str, parts: int) -> float:
        run = nh.simulate(system, until=2.0, method=method, step=2.0 / parts, t_eval="end", progress=False)
        return max(abs(run.final[n] - exact[n]) for n in system.coordinates)

    assert np.log2(error("energy_exact", 40) / error("energy_exact", 80)) == pytest.approx(2, abs=0.1)
    assert np.log2(error("energy_exact4", 40) / error("energy_exact4", 80)) == pytest.approx(4, abs=0.2)


def test_energy_exact_equations_by_hand() -> None:
    """The contact oscillator with x²z²: the step's equations with differences of polynomials written out, by SciPy."""
    h, eps = 0.1, 0.6
    problem = problems.get("contact-chaos")
    run = nh.simulate(problem.system, until=10 * h, method="energy_exact", step=h, t_eval="steps", progress=False)
    q = np.array([run[n][0] for n in "xyz"])
    u = np.array([run["ydot"][0], run["zdot"][0]])

    def mass(q: np.ndarray) -> np.ndarray:
        return np.diag([1.0, 1 + q[1] ** 2])

    def gap(new: np.ndarray) -> np.ndarray:
        p, v = new[:3], new[3:]
        m, w = (q + p) / 2, (u + v) / 2
        columns = np.array([[0, -m[1]], [1, 0], [0, 1]])
        places, weights = np.polynomial.legendre.leggauss(3)
        slope = np.zeros(3)
        for place, weight in zip(places, weights):
            x, y, z = q + (1 + place) / 2 * (p - q)
            force = np.array([x + eps * x * z**2, y, z + eps * x**2 * z])
            slope += weight / 2 * (np.array([0, y * u[1] * v[1], 0]) - force)
        # Γ: of the bracket [∂_y, ∂_z − y ∂_x] = −∂_x, with the momentum −y ż along x
        turning = np.array([-m[1] * w[1] ** 2, m[1] * w[0] * w[1]])
        return np.concatenate([p - q - h * columns @ w, mass(p) @ v - mass(q) @ u - h * (columns.T @ slope + turning)])

    for k in range(10):
        new = root(gap, np.concatenate([q, u]), tol=1e-14).x
        assert np.max(np.abs(gap(new))) < 1e-12
        q, u = new[:3], new[3:]
        found = [run[n][k + 1] for n in ("x", "y", "z", "ydot", "zdot")]
        assert found == pytest.approx(new, abs=1e-11)


def test_work_of_forces_is_done_in_the_step() -> None:
    """A damped sleigh with a motor: E' − E is the work at the middle, so that the energy is that of dop853 to order 2."""
    system = nh.System(
        "driven skate", coordinates="theta x y", parameters={"m": 1.3, "J": 0.7, "c": 0.2},
        lagrangian="m/2*(xdot**2 + ydot**2) + J/2*thetadot**2 - m*x**2/2", constraints=["ydot*cos(theta) - xdot*sin(theta)"],
        forces={"theta": "u - c*thetadot"}, inputs="u", start={"theta": 0.3, "thetadot": 0.9, "xdot": 0.4},
    )  # fmt: skip
    words = {"until": 2.0, "inputs": {"u": "0.3*sin(2*t)"}, "t_eval": "end", "progress": False}
    exact = nh.simulate(system, rtol=1e-12, atol=1e-13, **words).final
    errors = [
        max(
            abs(v - exact[n])
            for n, v in nh.simulate(system, method="energy_exact", step=h, **words).final.items()
            if n in exact
        )
        for h in (0.05, 0.025)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.1)


@pytest.mark.parametrize("method", ["energy_exact", "energy_exact4"])
def test_lagrangians_that_depend_on_time_and_inputs(method: str) -> None:
    """Nothing is given back where the energy is not kept: the declared orders against dop853."""
    system = nh.System(
        "in time", coordinates="x y", inputs="u", start={"x": 1.0, "y": 0.3, "xdot": 0.2, "ydot": 0.4},
        lagrangian="(2 + sin(t))*(xdot**2 + ydot**2)/2 - (1 + 0.3*cos(2*t))*(x - u)**2/2 - y**4/4 + x*ydot",
    )  # fmt: skip
    words = {"until": 1.0, "inputs": {"u": "sin(3*t)"}, "t_eval": "end", "progress": False}
    exact = nh.simulate(system, rtol=1e-13, atol=1e-14, **words).final
    errors = []
    for h in (0.04, 0.02):
        final = nh.simulate(system, method=method, step=h, **words).final
        errors.append(max(abs(final[n] - exact[n]) for n in ("x", "y", "xdot", "ydot")))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2 if method == "energy_exact" else 4, abs=0.1)
