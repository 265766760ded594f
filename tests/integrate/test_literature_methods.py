"""Implicit methods of the literature against their own equations, written with multipliers and solved by SciPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.optimize import root

import nonholo as nh
from nonholo import gallery

H, STEPS = 0.06, 6
NAMES = ("theta", "x", "y")
SKATE = nh.System(
    "unbalanced skate on a spring", coordinates="theta x y", parameters={"m": 1.3, "J": 0.7, "a": 0.4},
    lagrangian="m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2"
    " - m*x**2/2 - y**4/5",
    constraints=["ydot*cos(theta) - xdot*sin(theta)"],
    start={"theta": 0.3, "x": 0.5, "y": 0.2, "thetadot": 0.9, "xdot": 0.4},
)  # fmt: skip


def lagrangian(q: np.ndarray, v: np.ndarray) -> Any:
    theta, x, y = q
    ux, uy = v[1] - 0.4 * v[0] * np.sin(theta), v[2] + 0.4 * v[0] * np.cos(theta)
    return 1.3 / 2 * (ux**2 + uy**2) + 0.7 / 2 * v[0] ** 2 - 1.3 * x**2 / 2 - y**4 / 5


def slope(function: Callable, at: np.ndarray) -> np.ndarray:
    """By complex steps."""
    return np.array([function(at + 1e-30j * e).imag / 1e-30 for e in np.eye(len(at))])


def p(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    return slope(lambda w: lagrangian(q, w), v)


def f(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    return slope(lambda r: lagrangian(r, v), q)


def mass(q: np.ndarray) -> np.ndarray:
    return np.array([p(q, e) - p(q, np.zeros(3)) for e in np.eye(3)]).T


def across(q: np.ndarray) -> np.ndarray:
    return np.array([0.0, -np.sin(q[0]), np.cos(q[0])])


def acceleration(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Of the motion itself, by its multiplier; d/dt of the constraint and of p by differences along the motion."""
    small = 1e-6
    drift = (p(q + small * v, v) - p(q - small * v, v)) / (2 * small)
    bend = (across(q + small * v) - across(q - small * v)) / (2 * small) @ v
    saddle = np.block([[mass(q), -across(q)[:, None]], [across(q)[None, :], np.zeros((1, 1))]])
    return np.linalg.solve(saddle, np.append(f(q, v) - drift, -bend))[:3]


def forces(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """``f − d/dt p`` without the acceleration."""
    small = 1e-6
    return f(q, v) - (p(q + small * v, v) - p(q - small * v, v)) / (2 * small)


def solved(gap: Callable, guess: np.ndarray) -> np.ndarray:
    found = root(gap, guess, tol=1e-14)
    assert np.max(np.abs(found.fun)) < 1e-9  # accelerations are by differences
    return found.x


def reflecting(ends: Callable) -> Callable:
    """A method whose momenta are reflected at the nodes: ``ends(q, u)`` gives −D₁L_d and D₂L_d."""

    def run(q: np.ndarray, v: np.ndarray) -> list[np.ndarray]:
        memory = p(q, v) + H / 2 * (mass(q) @ acceleration(q, v) - forces(q, v))
        places = [q]
        for _ in range(STEPS):
            u = solved(lambda u: ends(q, u)[0] - memory, v)  # noqa: B023
            arriving = ends(q, u)[1]
            q = q + H * u
            at = np.linalg.solve(mass(q), across(q))
            force = -2 * (across(q) @ np.linalg.solve(mass(q), arriving)) / (across(q) @ at)
            memory = arriving + force * across(q)
            v = u
            places.append(q)
        return places

    return run


def middle(q: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    place = q + H / 2 * u
    return p(place, u) - H / 2 * f(place, u), p(place, u) + H / 2 * f(place, u)


def both(q: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    mean = (p(q, u) + p(q + H * u, u)) / 2
    return mean - H / 2 * f(q, u), mean + H / 2 * f(q + H * u, u)


def newmark(gamma: float) -> Callable:
    beta = (gamma + 0.5) ** 2 / 4

    def run(q: np.ndarray, v: np.ndarray) -> list[np.ndarray]:
        places = [q]
        for _ in range(STEPS):
            a = acceleration(q, v)

            def after(unknown: np.ndarray, q: np.ndarray = q, v: np.ndarray = v, a: np.ndarray = a) -> tuple:
                bend = unknown[:3]
                return q + H * v + H**2 * ((0.5 - beta) * a + beta * bend), v + H * ((1 - gamma) * a + gamma * bend)

            def gap(unknown: np.ndarray, after: Callable = after) -> np.ndarray:
                there, fast = after(unknown)
                return np.append(
                    mass(there) @ unknown[:3] - forces(there, fast) - unknown[3] * across(there), across(there) @ fast
                )

            q, v = after(solved(gap, np.append(a, 0.0)))
            places.append(q)
        return places

    return run


def principle(tau: float, rule: Callable) -> Callable:
    """Cortés and Martínez with ``ω_d = rule(q, q') · u``."""

    def run(q: np.ndarray, v: np.ndarray) -> list[np.ndarray]:
        momentum, places = p(q, v), [q]
        for _ in range(STEPS):

            def gap(unknown: np.ndarray, q: np.ndarray = q, momentum: np.ndarray = momentum) -> np.ndarray:
                u = unknown[:3]
                place = q + tau * H * u
                return np.append(
                    p(place, u) - (1 - tau) * H * f(place, u) - momentum - unknown[3] * across(q), rule(q, q + H * u) @ u
                )

            u = solved(gap, np.append(v, 0.0))[:3]
            momentum = p(q + tau * H * u, u) + tau * H * f(q + tau * H * u, u)
            q, v = q + H * u, u
            places.append(q)
        return places

    return run


def projected(q: np.ndarray, v: np.ndarray) -> list[np.ndarray]:
    """The midpoint rule for (q, v) with the acceleration of the motion, then the nearest admissible velocity."""
    places = [q]
    for _ in range(STEPS):
        a = solved(lambda a: a - acceleration(q + H / 2 * (v + H / 2 * a), v + H / 2 * a), acceleration(q, v))  # noqa: B023
        q, free = q + H * (v + H / 2 * a), v + H * a
        normal = np.linalg.solve(mass(q), across(q))
        v = free - normal * (across(q) @ free) / (across(q) @ normal)
        places.append(q)
    return places


CASES: list[tuple[str, dict[str, Any], Callable]] = [
    ("gni", {}, reflecting(middle)),
    ("leapfrog", {}, reflecting(both)),
    ("newmark", {"gamma": 0.7}, newmark(0.7)),
    ("midpoint_projected", {}, projected),
    ("dlagrange_dalembert", {"constraint": "begin", "tau": 0.3}, principle(0.3, lambda q, r: across(q))),
    ("dlagrange_dalembert", {"constraint": "end", "tau": 0.3}, principle(0.3, lambda q, r: across(r))),
    ("dlagrange_dalembert", {"constraint": "middle", "tau": 0.3}, principle(0.3, lambda q, r: across((q + r) / 2))),
    ("dlagrange_dalembert", {"constraint": "nodes"}, principle(0.5, lambda q, r: (across(q) + across(r)) / 2)),
]


@pytest.mark.parametrize(
    ("method", "options", "by_hand"), CASES, ids=[f"{m} {' '.join(map(str, o.values()))}" for m, o, _ in CASES]
)
def test_a_rival_is_what_it_says(method: str, options: dict, by_hand: Callable) -> None:
    run = nh.simulate(SKATE, until=STEPS * H, method=method, step=H, t_eval="steps", progress=False, **options)
    start = np.array([run[n][0] for n in NAMES])
    speed = np.array([run[f"{n}dot"][0] for n in NAMES])
    found = np.stack([run[n] for n in NAMES], axis=1)
    assert found == pytest.approx(np.array(by_hand(start, speed)), abs=2e-9)
    assert np.max(np.abs(run["constraint_1"])) < 1e-12 if "constraint_1" in run.data else True


def test_symmetric_newmark_is_its_own_adjoint_and_made_of_newmark() -> None:
    """Forwards, then backwards, for any γ; one step is Newmark's method from the middle, to both sides."""
    words = {"method": "newmark_symmetric", "step": H, "gamma": 0.8, "t_eval": "end", "progress": False}
    there = nh.simulate(SKATE, until=STEPS * H, **words).final
    names = (*NAMES, *(f"{n}dot" for n in NAMES))
    back = nh.simulate(SKATE, {"t": STEPS * H, **{n: there[n] for n in names}}, 0.0, **words).final
    begun = nh.complete_state(SKATE, dict(SKATE.start))
    assert max(abs(back[n] - begun[n]) for n in names) < 1e-11
    plain = {**words, "method": "newmark"}
    lost = nh.simulate(SKATE, until=STEPS * H, **plain).final
    back = nh.simulate(SKATE, {"t": STEPS * H, **{n: lost[n] for n in names}}, 0.0, **plain).final
    assert max(abs(back[n] - begun[n]) for n in names) > 1e-4
    # the composition as it is said to be: from the start back by Newmark's method from the middle, from there on by the same
    forth = {n: there[n] for n in names}

    def halves(middle: np.ndarray) -> tuple[dict[str, float], dict[str, float]]:
        begin = {"t": 0.0, **dict(zip(NAMES, middle[:3])), **dict(zip(("thetadot", "xdot", "ydot"), admissible(middle)))}
        one = {**plain, "step": H / 2}
        return tuple(nh.simulate(SKATE, begin, end, **one).final for end in (-H / 2, H / 2))  # type: ignore[return-value]

    def admissible(middle: np.ndarray) -> np.ndarray:
        turn, along = middle[3:]
        return np.array([turn, along * np.cos(middle[0]), along * np.sin(middle[0])])

    first = nh.simulate(SKATE, until=H, **words).final
    aim = np.array([begun[n] for n in NAMES] + [begun["thetadot"], np.hypot(begun["xdot"], begun["ydot"])])

    def gap(middle: np.ndarray) -> np.ndarray:
        start = halves(middle)[0]
        return np.array([start[n] for n in NAMES] + [start["thetadot"], np.hypot(start["xdot"], start["ydot"])]) - aim

    middle = root(gap, aim, tol=1e-12).x
    end = halves(middle)[1]
    assert max(abs(end[n] - first[n]) for n in names) < 1e-8
    assert forth != first


@pytest.mark.parametrize(
    ("method", "order"), [("gauss2", 2), ("gauss4", 4), ("newmark_symmetric", 2), ("gni", 2), ("leapfrog", 2)]
)
def test_order_of_implicit_methods(method: str, order: int) -> None:
    exact = nh.simulate(SKATE, until=1.0, rtol=1e-13, atol=1e-14, t_eval="end", progress=False).final

    def error(parts: int) -> float:
        run = nh.simulate(SKATE, until=1.0, method=method, step=1.0 / parts, t_eval="end", progress=False)
        return max(abs(run.final[n] - exact[n]) for n in NAMES)

    assert np.log2(error(20) / error(40)) == pytest.approx(order, abs=0.15)


def test_methods_refuse_what_they_cannot_do() -> None:
    disk = gallery.get("rolling-disk")
    for method in ("gni", "leapfrog", "newmark", "newmark_symmetric", "midpoint_projected"):
        with pytest.raises(nh.ModelError, match=f"method {method} joins two configurations"):
            nh.simulate(disk.system, disk.start, 1.0, disk.parameters, method=method, step=0.01)
    rod = nh.System(
        "rod", coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - y", holonomic=["x**2 + y**2 - 1"], start={"x": 1.0}
    )
    with pytest.raises(nh.ModelError, match="has relations of the coordinates"):
        nh.simulate(rod, until=1.0, method="gni", step=0.1)
    with pytest.raises(nh.StateError, match="gamma = 3"):
        nh.simulate(SKATE, until=1.0, method="newmark", step=0.1, gamma=3)
    with pytest.raises(nh.StateError, match="constraint = 'x'"):
        nh.simulate(SKATE, until=1.0, method="dlagrange_dalembert", step=0.1, constraint="x")


@pytest.mark.parametrize("method", ["gni", "leapfrog"])
def test_two_step_methods_remember_where_time_is_long(method: str) -> None:
    """A million seconds later the last bits of a step are lost, and the motion is the same; with a new start at every step it is
    off by 1e-5."""
    ends = []
    for begin in (0.0, 1e6):
        start = {**{n: float(v) for n, v in dict(SKATE.start).items()}, "t": begin}
        run = nh.simulate(SKATE, start, begin + 10.0, method=method, step=0.1, t_eval="end", progress=False)
        ends.append([run.final[n] for n in NAMES])
    assert ends[1] == pytest.approx(ends[0], abs=1e-9)


def test_the_leapfrog_of_mclachlan_and_perlmutter_for_long() -> None:
    """The contact oscillator, their two-step equations written out: the same nodes, and no drift over 20,000 steps."""
    system = nh.System(
        "contact oscillator", coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2 - (x**2 + y**2 + z**2)/2",
        constraints=["xdot + y*zdot"], start={"x": 1.0, "y": 0.4, "z": 0.3, "ydot": 0.2, "zdot": 0.7},
    )  # fmt: skip
    h, steps = 0.1, 20_000
    run = nh.simulate(system, until=steps * h, method="leapfrog", step=h, t_eval="steps", progress=False)
    q, v = np.array([1.0, 0.4, 0.3]), np.array([-0.4 * 0.7, 0.2, 0.7])

    def across(q: np.ndarray) -> np.ndarray:
        return np.array([1.0, 0.0, q[1]])

    reaction = (-v[1] * v[2] + across(q) @ q) / (1 + q[1] ** 2)
    new = q + h * v + h**2 / 2 * (-q + reaction * across(q))
    for k in range(1, 400):
        free = 2 * new - q - h**2 * new
        force = -(across(new) @ (free - q)) / (1 + new[1] ** 2)
        q, new = new, free + force * across(new)
        assert [run[n][k] for n in "xyz"] == pytest.approx(q, abs=1e-11)
    gap = np.abs(run["energy"] / run["energy"][0] - 1)
    assert gap[-2000:].max() < 1.2 * gap[:2000].max() < 3e-3
