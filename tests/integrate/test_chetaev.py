"""Discrete principles with constraints that are not linear in the velocities: Chetaev's rule, orders, energies, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import root

import nonholo as nh

PARALLEL = nh.System(
    "two parallel points with a spring", coordinates="x1 y1 x2 y2", parameters={"m1": 1.0, "m2": 2.0, "k": 1.3},
    lagrangian="(m1*(x1dot**2 + y1dot**2) + m2*(x2dot**2 + y2dot**2))/2 - k*((x1 - x2)**2 + (y1 - y2)**2)/2",
    constraints=["x1dot*y2dot - x2dot*y1dot"],
    start={"x1": 0.3, "x2": 2.0, "y1": 0.5, "x1dot": 0.6, "y1dot": 0.8, "x2dot": -0.9, "y2dot": -1.2},
)  # fmt: skip
APPELL_HAMEL = nh.System(
    "Appell and Hamel's particle between hills", coordinates="x y z", parameters={"m": 1.3, "M": 0.7, "a": 0.8},
    lagrangian="m/2*(xdot**2 + ydot**2) + M/2*zdot**2 - 0.2*sin(x) - 0.15*cos(1.3*y + 0.4*x) - 0.3*sin(z)",
    constraints=["xdot**2 + ydot**2 - a**2*zdot**2"],
    start={"x": 0.2, "y": 0.1, "z": 0.4, "xdot": 0.6, "ydot": 0.8, "zdot": -1.25},
)  # fmt: skip
SPEED = nh.System(
    "constant speed", coordinates="x y", lagrangian="(1 + 0.3*x**2)*(xdot**2 + ydot**2)/2 - 9.8*y",
    constraints=["xdot**2 + ydot**2 - 4"], start={"x": 0.3, "y": 0.0, "xdot": 1.2, "ydot": 1.6},
)  # fmt: skip
STEERED = nh.System(
    "constant speed by its angle", coordinates="x y", lagrangian="(1 + 0.3*x**2)*(xdot**2 + ydot**2)/2 - 9.8*y",
    parametric=("a", {"xdot": "2*cos(a)", "ydot": "2*sin(a)"}), start={"x": 0.3, "y": 0.0, "a": float(np.arctan2(1.6, 1.2))},
)  # fmt: skip
TURNING = nh.System(
    "body whose speed of turning is held", frame=nh.SO3("R", rates="w1 w2 w3"), parameters={"A": 1.0, "B": 1.7, "C": 2.6},
    lagrangian="(A*w1**2 + B*w2**2 + C*w3**2)/2 - 3*R31 - 2*R32 - R33", constraints=["w1**2 + w2**2 + w3**2 - 2.25"],
    start={"w1": 1.0, "w2": 1.0, "w3": 0.5},
)  # fmt: skip
ALL = {"parallel": PARALLEL, "appell-hamel": APPELL_HAMEL, "speed": SPEED, "steered": STEERED, "turning": TURNING}


def moved(system: nh.System, method: str, step: float, until: float = 1.0, **more: Any) -> Any:
    return nh.simulate(system, until=until, method=method, step=step, progress=False, **{"t_eval": "end", **more})


def order(system: nh.System, method: str, **options: Any) -> float:
    exact = nh.simulate(system, until=1.0, rtol=1e-13, atol=1e-14, t_eval="end", progress=False).final
    gaps = []
    for step in (0.02, 0.01):
        final = moved(system, method, step, **options).final
        gaps.append(max(abs(final[n] - exact[n]) for n in (*system.coordinates, *system.velocities)))
    return float(np.log2(gaps[0] / gaps[1]))


@pytest.mark.parametrize("name", ALL)
def test_discrete_hamel_with_chetaevs_rule_has_order_two(name: str) -> None:
    assert order(ALL[name], "hamel") == pytest.approx(2, abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_and_order_one_at_other_places(name: str) -> None:
    assert order(ALL[name], "hamel", tau=0.3) == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("name", ["parallel", "appell-hamel", "speed", pytest.param("turning", marks=pytest.mark.slow)])
def test_energy_exact_has_orders_two_and_four(name: str) -> None:
    assert order(ALL[name], "energy_exact") == pytest.approx(2, abs=0.05)
    assert order(ALL[name], "energy_exact4") == pytest.approx(4, abs=0.2)


@pytest.mark.parametrize("method", ["energy_exact", "energy_exact4"])
@pytest.mark.parametrize("name", ["parallel", "appell-hamel"])
def test_energy_is_kept_where_constraints_are_homogeneous(name: str, method: str) -> None:
    """Ten thousand steps, with the constraint at the nodes; the midpoint rule on the equations is off by 1e-6 and more."""
    run = moved(ALL[name], method, 0.01, 100.0, t_eval=501)
    assert run.outcome.reached and run.drift("energy") < 1e-13
    assert np.max(np.abs(run["constraint_1"])) < 1e-11
    assert moved(ALL[name], "gauss2", 0.01, 100.0, t_eval=501).drift("energy") > 1e-6


def test_reactions_of_other_constraints_do_the_work_they_do() -> None:
    """Under |v| = 2 the energy is not kept; its change is that of dop853, to second order, and the speed is 2."""
    exact = nh.simulate(SPEED, until=1.0, rtol=1e-13, atol=1e-14, t_eval=[0.0, 1.0], progress=False)["energy"]
    assert abs(exact[1] - exact[0]) > 1.0
    for method in ("hamel", "energy_exact"):
        gaps = [abs(moved(SPEED, method, h, t_eval=[1.0])["energy"][0] - exact[1]) for h in (0.02, 0.01)]
        assert np.log2(gaps[0] / gaps[1]) == pytest.approx(2, abs=0.1)
        run = moved(SPEED, method, 0.02, t_eval="steps")
        assert np.max(np.abs(np.hypot(run["xdot"], run["ydot"]) - 2)) < 1e-13


@pytest.mark.parametrize("tau", [0.5, 0.3])
def test_reactions_and_a_basis_are_one_method(tau: float) -> None:
    """The same constraint as a residual and by parameters: the same steps."""
    one, other = (moved(system, "hamel", 0.05, t_eval="steps", tau=tau) for system in (SPEED, STEERED))
    for name in ("x", "y", "xdot", "ydot"):
        assert one[name] == pytest.approx(other[name], abs=1e-12)


def test_the_equations_of_a_step_by_hand() -> None:
    """Parallel points: momenta, Chetaev's reactions and the constraint written out, by SciPy, τ = 0.4."""
    h, tau, masses = 0.05, 0.4, np.array([1.0, 1.0, 2.0, 2.0])

    def force(q: np.ndarray) -> np.ndarray:
        pull = 1.3 * (q[2:] - q[:2])
        return np.concatenate([pull, -pull])

    def slope(v: np.ndarray) -> np.ndarray:
        return np.array([v[3], -v[2], -v[1], v[0]])

    def held(v: np.ndarray) -> float:
        return float(v[0] * v[3] - v[2] * v[1])

    def gap(unknown: np.ndarray, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        xi, new, push, other = unknown[:4], unknown[4:8], unknown[8], unknown[9]
        at = force(q + tau * h * xi)
        before = masses * (xi - v) - (1 - tau) * h * at - push * slope(xi)
        whole = masses * (new - v) - h * at - other * slope(xi)
        return np.concatenate([before, [held(xi)], whole, [held(new)]])

    run = moved(PARALLEL, "hamel", h, 0.5, t_eval="steps", tau=tau)
    names = ("x1", "y1", "x2", "y2")
    q, v = np.array([run[n][0] for n in names]), np.array([run[f"{n}dot"][0] for n in names])
    for k in range(10):
        found = root(gap, np.concatenate([v, v, [0.0, 0.0]]), args=(q, v), tol=1e-14)
        assert np.max(np.abs(found.fun)) < 1e-12
        q, v = q + h * found.x[:4], found.x[4:8]
        assert [run[n][k + 1] for n in names] == pytest.approx(q, abs=1e-11)
        assert [run[f"{n}dot"][k + 1] for n in names] == pytest.approx(v, abs=1e-11)


def test_refusals_in_words() -> None:
    with pytest.raises(nh.ModelError, match=r'residuals, and here are parametric velocities.*method="hamel"'):
        moved(STEERED, "energy_exact", 0.01)
    for method in ("dlagrange_dalembert", "rattle", "gni", "leapfrog", "newmark", "midpoint_projected"):
        with pytest.raises(nh.ModelError, match=f'{method} is for constraints that are linear.*"energy_exact"'):
            moved(PARALLEL, method, 0.01)
    bent = nh.System("fast", coordinates="x", lagrangian="-sqrt(1 - xdot**2) - x**2/2", start={"x": 0.3, "xdot": 0.1})
    with pytest.raises(nh.ModelError, match="energy_exact is for kinetic energies that are quadratic"):
        moved(bent, "energy_exact", 0.01)
