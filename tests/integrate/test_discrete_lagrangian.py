"""Methods by one's own discrete Lagrangian, against the principle itself with numeric derivatives, solved by SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import root

import nonholo as nh

H = 0.06
VALUES = {"m": 1.3, "k": 0.8, "c": 0.35, "l": 0.9}


def skater() -> tuple[nh.System, nh.DiscreteLagrangian, dict[str, float]]:
    """A skate with an offset spring; L_d by Simpson-like weights, the constraint at the begin of the step."""
    system = nh.System(
        name="skater", coordinates="x y a", parameters="m k c",
        lagrangian="m*(xdot**2 + ydot**2)/2 + c*adot**2/2 + m*c*adot*ydot*cos(a) - k*(x**2 + y**2)/2",
        constraints=["xdot*sin(a) - ydot*cos(a)"],
    )  # fmt: skip
    kinetic = "m*((x1 - x0)**2 + (y1 - y0)**2)/(2*h) + c*(a1 - a0)**2/(2*h)"
    twist = "m*c*(a1 - a0)*(y1 - y0)*cos((a0 + 2*a1)/3)/h"
    height = "h*k*(x0**2 + y0**2 + 2*(x1**2 + y1**2))/6"
    method = nh.DiscreteLagrangian(f"{kinetic} + {twist} - {height}", "(x1 - x0)*sin(a0) - (y1 - y0)*cos(a0)", step=H)
    return system, method, {"x": 0.4, "y": -0.2, "a": 0.3, "xdot": np.cos(0.3), "ydot": np.sin(0.3), "adot": 0.7}


def drawn() -> tuple[nh.System, nh.DiscreteLagrangian, dict[str, float]]:
    """A particle on ż = y ẋ with drag, which is no part of L_d; the constraint at the middle, by default."""
    system = nh.System(
        name="drawn particle", coordinates="x y z", parameters="m k c",
        lagrangian="m*(xdot**2 + ydot**2 + zdot**2)/2 - k*z**2*(1 + x**2)/2", constraints=["zdot - y*xdot"],
        forces={"x": "-c*xdot", "y": "-c*ydot*(1 + y**2)"},
    )  # fmt: skip
    text = "m*((x1 - x0)**2 + (y1 - y0)**2 + (z1 - z0)**2)/(2*h) - h*k*z0*z1*(1 + x1**2)/2"
    return system, nh.DiscreteLagrangian(text), {"x": 0.2, "y": 0.6, "z": 0.3, "xdot": 0.8, "ydot": -0.4, "zdot": 0.48}


def beads() -> tuple[nh.System, nh.DiscreteLagrangian, dict[str, float]]:
    """Two beads on a bar (holonomic) with the law of a symmetric spring; the bar's length holds at the nodes."""
    system = nh.System(
        name="beads", coordinates="x y u w", parameters="m k l",
        lagrangian="m*(xdot**2 + ydot**2)/2 + udot**2/2 + wdot**2/2 - k*(x - u)*(y - w)",
        holonomic=["(x - u)**2 + (y - w)**2 - l**2"],
    )  # fmt: skip
    text = "(m*((x1 - x0)**2 + (y1 - y0)**2) + (u1 - u0)**2 + (w1 - w0)**2)/(2*h) - h*k*(x0 - u0 + x1 - u1)*(y0 - w0 + y1 - w1)/4"
    start = {"x": 0.0, "y": 0.0, "u": 0.9 * np.cos(0.4), "w": 0.9 * np.sin(0.4)}
    speed = {"xdot": 0.3, "ydot": 0.1, "udot": 0.3 - 0.5 * np.sin(0.4), "wdot": 0.1 + 0.5 * np.cos(0.4)}
    return system, nh.DiscreteLagrangian(text), {**start, **speed}


def numbers(text: str, first: Any, second: Any, names: Any) -> float:
    words = {**VALUES, "h": H, "sin": np.sin, "cos": np.cos}
    words |= {f"{c}0": a for c, a in zip(names, first)} | {f"{c}1": b for c, b in zip(names, second)}
    return float(eval(text, {"__builtins__": {}}, words))  # our own texts above


def slopes(text: str, first: Any, second: Any, names: Any) -> tuple[Any, Any]:
    """D₁ and D₂ by differences of fourth order."""
    def at(k: int, which: int, s: float) -> float:
        ends = [np.array(first, dtype=float), np.array(second, dtype=float)]
        ends[which][k] += s
        return numbers(text, *ends, names)  # type: ignore[call-arg]

    d = 1e-3
    def one(k: int, w: int) -> float:
        return (8 * (at(k, w, d) - at(k, w, -d)) - (at(k, w, 2 * d) - at(k, w, -2 * d))) / (12 * d)

    return tuple(np.array([one(k, w) for k in range(len(names))]) for w in (0, 1))  # type: ignore[return-value]


def by_hand(system: nh.System, text: str, rules: Any, start: dict[str, float], momentum: Any, forces: Any, steps: int) -> Any:
    """q_k by the discrete Lagrange–d'Alembert principle; ``rules`` are (ω_d(q0, q1), A(q))."""
    omega, matrix = rules
    names = system.coordinates
    q = np.array([start[c] for c in names])
    path, p = [q], np.array(momentum)
    for _ in range(steps):
        q = path[-1]
        rows = matrix(q)

        def gap(unknown: Any, q: Any = q, p: Any = p, rows: Any = rows) -> Any:
            new = unknown[: len(q)]
            before, _ = slopes(text, q, new, names)
            push = H / 2 * forces((q + new) / 2, (new - q) / H)
            return np.concatenate([p + before + push + unknown[len(q):] @ rows, omega(q, new)])

        guess = np.concatenate([q + (path[-1] - path[-2] if len(path) > 1 else 0 * q), np.zeros(len(rows))])
        found = root(gap, guess, tol=1e-13).x
        new = found[: len(q)]
        _, after = slopes(text, q, new, names)
        p = after + H / 2 * forces((q + new) / 2, (new - q) / H)
        path.append(new)
    return np.array(path)


def run_of(make: Any, steps: int = 10) -> tuple[Any, nh.System, nh.DiscreteLagrangian]:
    system, method, start = make()
    values = {n: VALUES[n] for n in system.parameters}
    run = nh.simulate(system, start, steps * H, values, method=method, step=H, t_eval="steps")
    return run, system, method.with_options(step=H)


def test_skater_follows_its_own_discrete_principle() -> None:
    run, system, method = run_of(skater)
    start = skater()[2]
    m, c = VALUES["m"], VALUES["c"]
    turn, up = start["adot"], start["ydot"]
    p = [m * start["xdot"], m * up + m * c * turn * np.cos(0.3), c * turn + m * c * up * np.cos(0.3)]
    blade = lambda q: np.array([[np.sin(q[2]), -np.cos(q[2]), 0.0]])  # noqa: E731
    rules = (lambda a, b: blade(a) @ (b - a), blade)
    expected = by_hand(system, method.lagrangian, rules, start, p, lambda q, v: 0 * q, 10)
    np.testing.assert_allclose(np.stack([run[n] for n in "xya"], 1), expected, atol=2e-9)


def test_drawn_particle_feels_forces_by_halves() -> None:
    run, system, method = run_of(drawn)
    start = drawn()[2]
    m, c = VALUES["m"], VALUES["c"]
    row = lambda q: np.array([[-q[1], 0.0, 1.0]])  # noqa: E731
    rules = (lambda a, b: row((a + b) / 2) @ (b - a), row)
    drag = lambda q, v: np.array([-c * v[0], -c * v[1] * (1 + q[1] ** 2), 0.0])  # noqa: E731
    expected = by_hand(system, method.lagrangian, rules, start, [m * start[f"{n}dot"] for n in "xyz"], drag, 10)
    np.testing.assert_allclose(np.stack([run[n] for n in "xyz"], 1), expected, atol=2e-9)


def test_holonomic_constraints_hold_at_the_nodes() -> None:
    run, system, method = run_of(beads)
    start = beads()[2]
    bar = lambda q: 2 * np.array([[q[0] - q[2], q[1] - q[3], q[2] - q[0], q[3] - q[1]]])  # noqa: E731
    length = lambda a, b: np.array([(b[0] - b[2]) ** 2 + (b[1] - b[3]) ** 2 - 0.81])  # noqa: E731
    p = [VALUES["m"] * start["xdot"], VALUES["m"] * start["ydot"], start["udot"], start["wdot"]]
    expected = by_hand(system, method.lagrangian, (length, bar), start, p, lambda q, v: 0 * q, 10)
    np.testing.assert_allclose(np.stack([run[n] for n in "xyuw"], 1), expected, atol=2e-9)
    assert np.max(np.abs((run["x"] - run["u"]) ** 2 + (run["y"] - run["w"]) ** 2 - 0.81)) < 1e-11


def test_momenta_and_noethers_quantity() -> None:
    """A translation of the beads is kept to rounding; momenta of one step and the next differ by the reaction alone."""
    run, _, method = run_of(beads, 20)
    kept = method.noether(run, {"x": 1, "u": 1})
    assert np.ptp(kept) < 1e-12
    assert kept[0] == pytest.approx(VALUES["m"] * 0.3 + 0.3 - 0.5 * np.sin(0.4), abs=1e-9)
    found = method.momenta(run)
    jump = np.array([found.plus[n][:-1] - found.minus[n][1:] for n in "xyuw"])
    nodes = np.array([run["x"] - run["u"], run["y"] - run["w"], run["u"] - run["x"], run["w"] - run["y"]])[:, 1:-1]
    across = jump - nodes * np.sum(jump * nodes, 0) / np.sum(nodes**2, 0)
    assert np.max(np.abs(across)) < 1e-10 < np.max(np.abs(jump))
    with pytest.raises(nh.ModelError, match="no symmetry of L_d"):
        method.noether(run, {"x": "-y", "y": "x", "u": "-w", "w": "u"})


@pytest.mark.parametrize("make", [drawn, skater, beads])
def test_the_text_of_the_middle_is_the_method_of_the_middle(make: Any) -> None:
    """`discrete_lagrangian` at τ = 1/2 against the built-in principle, and order 2 against a fine motion."""
    system, _, start = make()
    values = {n: VALUES[n] for n in system.parameters}
    text = nh.discrete_lagrangian(system)
    own = nh.simulate(system, start, 10 * H, values, method=nh.DiscreteLagrangian(text), step=H, t_eval="steps")
    fine = nh.simulate(system, start, 10 * H, values)
    half = nh.simulate(system, start, 10 * H, values, method=nh.DiscreteLagrangian(text, step=H / 2), t_eval="steps")
    names = system.coordinates
    gap = [max(abs(r.final[n] - fine.final[n]) for n in names) for r in (own, half)]
    assert 3.3 < gap[0] / gap[1] < 4.8
    if not system.holonomic and not system.forces:
        built = nh.simulate(system, start, 10 * H, values, method="dlagrange_dalembert", step=H, t_eval="steps")
        assert max(abs(own.final[n] - built.final[n]) for n in names) < 1e-11


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"lagrangian": "(x1 - x0)**2/(2*h) + y1 + a1"}, "singular"),
        ({"lagrangian": "q1*q0"}, "unknown name"),
        ({"lagrangian": "(x1-x0)**2/h+(y1-y0)**2/h+(a1-a0)**2/h", "constraint": ["x1", "y1"]}, "2 discrete constraints"),
        ({"lagrangian": "(x1-x0)**2/h+(y1-y0)**2/h+(a1-a0)**2/h", "constraint": "x0 - a0"}, "loses rank"),
        ({"lagrangian": "(x1-x0)**2/h+(y1-y0)**2/h+(a1-a0)**2/h", "step": -1.0}, "step"),
        ({"lagrangian": ["x1"]}, "text"),
    ],
)
def test_bad_discrete_lagrangians_say_why(words: dict[str, Any], message: str) -> None:
    system, _, start = skater()
    values = {n: VALUES[n] for n in system.parameters}
    with pytest.raises(nh.NonholoError, match=message):
        nh.simulate(system, start, 1.0, values, method=nh.DiscreteLagrangian(**{"step": H, **words}))


def test_a_step_must_be_given_and_names_must_not_clash() -> None:
    system, method, start = drawn()
    with pytest.raises(nh.StateError, match="needs a step"):
        nh.simulate(system, start, 1.0, VALUES, method=method)
    two = nh.System(coordinates="x x1", lagrangian="xdot**2/2 + x1dot**2/2")
    with pytest.raises(nh.ModelError, match="would mean two things"):
        nh.simulate(two, {}, 1.0, method=nh.DiscreteLagrangian("(x1 - x0)**2/(2*h)"), step=H)
    spun = nh.System(frame=nh.SO3("R", rates="w1 w2 w3"), lagrangian="w1**2 + 2*w2**2 + 3*w3**2")
    with pytest.raises(nh.ModelError, match="plain"):
        nh.simulate(spun, {"w1": 1.0}, 1.0, method=nh.DiscreteLagrangian("R111"), step=H)
