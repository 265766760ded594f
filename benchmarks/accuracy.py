"""``python -m benchmarks.accuracy > docs/accuracy.md``: measured order and drift of each method on closed forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import nonholo as nh
from nonholo.integrate.methods import DormandPrince8, RungeKutta4

SLEIGH = {"m": 1.3, "J": 0.7, "a": 0.4}
EDGE = {"m": 1.4, "J": 0.3, "g": 9.81, "alpha": 0.6}


def fixed(name: str, step: float) -> Any:
    """The method with steps of one size: an adaptive one is told that every error is small enough."""
    if name == "rk4":
        return RungeKutta4(step=step)
    return DormandPrince8(rtol=1e9, atol=1e9, first_step=step, max_step=step)


def sleigh_error(method: Any) -> tuple[float, float]:
    """Largest error of (v, ω) against tanh and sech at the end, and the energy's drift."""
    system = nh.gallery.get("chaplygin-sleigh").system
    run = nh.simulate(system, {"omega": 1.5, "v": -1.0}, 4.0, SLEIGH, method=method, t_eval="end")
    inertia = SLEIGH["J"] + SLEIGH["m"] * SLEIGH["a"] ** 2
    top = np.sqrt(1 + inertia / SLEIGH["m"] * 1.5**2)
    place = SLEIGH["m"] * SLEIGH["a"] * top / inertia * 4.0 + np.arctanh(-1 / top)
    exact = top * np.tanh(place), 1.5 * np.cosh(np.arctanh(-1 / top)) / np.cosh(place)
    energy = 0.5 * (SLEIGH["m"] * run.final["v"] ** 2 + inertia * run.final["omega"] ** 2)
    start = 0.5 * (SLEIGH["m"] + inertia * 1.5**2)
    return max(abs(run.final["v"] - exact[0]), abs(run.final["omega"] - exact[1])), abs(energy / start - 1)


def edge_error(method: Any) -> tuple[float, float]:
    """Error of the knife edge's place against the cycloid, and the energy's drift."""
    system = nh.System(
        coordinates="phi x y",
        parameters="m J g alpha",
        lagrangian="m/2*(xdot**2 + ydot**2) + J/2*phidot**2 + m*g*x*sin(alpha)",
        constraints=["xdot*sin(phi) - ydot*cos(phi)"],
        quasivelocities={"w": "phidot", "u": "xdot*cos(phi) + ydot*sin(phi)"},
    )
    w, t = 1.7, 4.0
    run = nh.simulate(system, {"w": w}, t, EDGE, method=method, t_eval="end")
    size = EDGE["g"] * np.sin(EDGE["alpha"]) / (2 * w**2)
    gap = max(
        abs(run.final["x"] - size * np.sin(w * t) ** 2), abs(run.final["y"] - size * (w * t - np.sin(2 * w * t) / 2))
    )
    kinetic = 0.5 * EDGE["m"] * run.final["u"] ** 2 - EDGE["m"] * EDGE["g"] * np.sin(EDGE["alpha"]) * run.final["x"]
    return gap, abs(kinetic) / (0.5 * EDGE["J"] * w**2)


PROBLEMS: dict[str, Callable[[Any], tuple[float, float]]] = {"Chaplygin sleigh": sleigh_error, "knife edge": edge_error}
STEPS = {"rk4": (0.04, 0.02, 0.01, 0.005), "dop853": (0.5, 0.4, 0.25, 0.2)}
DECLARED = {"rk4": RungeKutta4.order, "dop853": DormandPrince8.order}


def measured(name: str, problem: str) -> tuple[float, list[tuple[float, float, float]]]:
    """The slope of log error against log step, and the rows (step, error, drift)."""
    rows = [(h, *PROBLEMS[problem](fixed(name, h))) for h in STEPS[name]]
    slope = np.polyfit(np.log([r[0] for r in rows]), np.log([r[1] for r in rows]), 1)[0]
    return float(slope), rows


def page() -> str:
    """The page as Markdown."""
    lines = [
        "# Accuracy, measured",
        "",
        "Made by `python -m benchmarks.accuracy > docs/accuracy.md`: errors against closed forms at t = 4 s.",
    ]
    for name in STEPS:
        for problem in PROBLEMS:
            order, rows = measured(name, problem)
            lines += [
                "",
                f"## {name}, {problem}: measured order {order:.2f}, declared {DECLARED[name]}",
                "",
                "| step | error | energy drift |",
                "|---|---|---|",
            ]
            lines += [f"| {h:g} | {error:.2e} | {drift:.1e} |" for h, error, drift in rows]
    return "\n".join(lines)


if __name__ == "__main__":
    print(page())
