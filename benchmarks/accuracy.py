"""``python -m benchmarks.accuracy > docs/accuracy.md``: measured order and drift of each method on closed forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import ellipj, ellipk

import nonholo as nh
from nonholo.integrate.methods import DormandPrince8, RungeKutta4, method

SLEIGH = {"m": 1.3, "J": 0.7, "a": 0.4}
EDGE = {"m": 1.4, "J": 0.3, "g": 9.81, "alpha": 0.6}
PENDULUM = {"l": 0.7, "g": 9.81}
UNTIL = 4.0
Row = tuple[float, float, float]


def fixed(name: str, step: float) -> Any:
    """The method with steps of one size: an adaptive one is told that every error is small enough."""
    if name != "dop853":
        return method(name, step=step)
    return DormandPrince8(rtol=1e9, atol=1e9, first_step=step, max_step=step)


def _run(system: nh.System, start: dict[str, float], values: dict[str, float], method: Any, **options: Any) -> Any:
    run = nh.simulate(system, start, UNTIL, values, method=method, t_eval="steps", progress=False, **options)
    assert run.outcome.reached
    return run


def sleigh_error(method: Any, **options: Any) -> Row:
    """v = V tanh(κt + δ), ω = W sech(κt + δ), θ = W/κ (gd(κt + δ) − gd δ): largest error, drift, steps."""
    omega, v = 1.5, -1.0
    run = _run(nh.gallery.get("chaplygin-sleigh").system, {"omega": omega, "v": v}, SLEIGH, method, **options)
    inertia = SLEIGH["J"] + SLEIGH["m"] * SLEIGH["a"] ** 2
    top = np.sqrt(v**2 + inertia / SLEIGH["m"] * omega**2)
    rate, shift = SLEIGH["m"] * SLEIGH["a"] * top / inertia, np.arctanh(v / top)
    place, peak = rate * run["t"] + shift, omega * np.cosh(shift)
    turned = peak / rate * 2 * (np.arctan(np.tanh(place / 2)) - np.arctan(np.tanh(shift / 2)))
    return _row(run, {"v": top * np.tanh(place), "omega": peak / np.cosh(place), "theta": turned})


def edge_error(method: Any, **options: Any) -> Row:
    """The knife edge on an incline: x = g sinα/(2ω²) sin² ωt, y = g sinα/(2ω²)(ωt − sin 2ωt/2)."""
    system = nh.System(
        coordinates="phi x y",
        parameters="m J g alpha",
        lagrangian="m/2*(xdot**2 + ydot**2) + J/2*phidot**2 + m*g*x*sin(alpha)",
        constraints=["xdot*sin(phi) - ydot*cos(phi)"],
        quasivelocities={"w": "phidot", "u": "xdot*cos(phi) + ydot*sin(phi)"},
    )
    w = 1.7
    run = _run(system, {"w": w}, EDGE, method, **options)
    size, turned = EDGE["g"] * np.sin(EDGE["alpha"]) / (2 * w**2), w * run["t"]
    return _row(run, {"x": size * np.sin(turned) ** 2, "y": size * (turned - np.sin(2 * turned) / 2)})


def pendulum_error(method: Any, **options: Any) -> Row:
    """sin(θ/2) = k sn(K − t sqrt(g/l)), k = sin(θ₀/2): a pendulum let go at θ₀."""
    system = nh.System(coordinates="th", parameters="l g", lagrangian="l**2*thdot**2/2 + g*l*cos(th)")
    top = 1.4
    run = _run(system, {"th": top}, PENDULUM, method, **options)
    modulus = np.sin(top / 2) ** 2
    sine = ellipj(ellipk(modulus) - run["t"] * np.sqrt(PENDULUM["g"] / PENDULUM["l"]), modulus)[0]
    return _row(run, {"th": 2 * np.arcsin(np.sqrt(modulus) * sine)})


def _row(run: Any, exact: dict[str, Any]) -> Row:
    """Largest error of the named quantities over all steps, the energy's drift, the number of steps."""
    return max(float(np.max(np.abs(run[n] - e))) for n, e in exact.items()), run.drift("energy"), run.steps


PROBLEMS: dict[str, Callable[..., Row]] = {
    "Chaplygin sleigh": sleigh_error,
    "knife edge": edge_error,
    "pendulum": pendulum_error,
}
VARIATIONAL = ("hamel", "dlagrange_dalembert", "verlet", "rattle")
COUNTS = {"rk4": (100, 200, 400, 800), "dop853": (16, 20, 24, 32), **dict.fromkeys(VARIATIONAL, (100, 200, 400, 800))}
"""Numbers of equal steps, enough for the order to show and few enough for rounding not to."""
QUICK = {"pendulum": 4}
"""How much quicker a motion is than the others: so many times the steps."""
DECLARED = {"rk4": RungeKutta4.order, "dop853": DormandPrince8.order, **dict.fromkeys(VARIATIONAL, 2)}
LONG = {"rolling-disk": (0.01, 400.0), "sleigh-oscillator": (0.05, 2000.0), "knife-edge": (0.05, 1000.0)}
"""Systems, steps and ends of long motions."""
TOLERANCES = (1e-6, 1e-8, 1e-10, 1e-12)


def measured(name: str, problem: str) -> tuple[float, list[Row]]:
    """The slope of log error against log step, and the rows (step, error, drift)."""
    steps = [UNTIL / (n * QUICK.get(problem, 1)) for n in COUNTS[name]]
    rows = [(h, *PROBLEMS[problem](fixed(name, h))[:2]) for h in steps]
    slope = np.polyfit(np.log([r[0] for r in rows]), np.log([r[1] for r in rows]), 1)[0]
    return float(slope), rows


def by_tolerance(name: str, problem: str, tolerance: float) -> Row:
    """Error, drift and steps of a method that controls its error."""
    words = {"tolerance": tolerance} if name == "taylor" else {"rtol": tolerance, "atol": tolerance}
    return PROBLEMS[problem](name, **words)


def long_run(steps: int) -> Any:
    """A hundred seconds of the gallery's rattleback in equal steps of rk4; only start and end are kept."""
    stone = nh.gallery.get("rattleback")
    end = 100.0
    return nh.simulate(
        stone.system, stone.start, end, stone.parameters, method="rk4", step=end / steps, t_eval=2, progress=False
    )


def energy_in_time(name: str, by: str) -> list[float]:
    """The largest relative error of the energy in each quarter of a long motion."""
    exhibit, (step, end) = nh.gallery.get(name), LONG[name]
    words = {"method": by, "step": step, "t_eval": 8000, "progress": False}
    run = nh.simulate(exhibit.system, exhibit.start, end, exhibit.parameters, **words)
    gap = np.abs(run["energy"] / run["energy"][0] - 1)
    return [float(np.max(part)) for part in np.array_split(gap, 4)]


def page() -> str:
    """The page as Markdown."""
    lines = [
        "# Accuracy, measured",
        "",
        "Made by `python -m benchmarks.accuracy > docs/accuracy.md`. Errors are the largest against closed forms over every",
        f"step of {UNTIL:g} s; drift is the largest relative change of the energy. `tests/integrate/test_long.py` holds the",
        "orders to 0.3 of the declared ones.",
        "",
        "## Order",
        "",
        "| method | declared | " + " | ".join(PROBLEMS) + " |",
        "|---|---|" + "---|" * len(PROBLEMS),
    ]
    found = {name: {problem: measured(name, problem) for problem in PROBLEMS} for name in COUNTS}
    for name, orders in found.items():
        lines.append(f"| {name} | {DECLARED[name]} | " + " | ".join(f"{o:.2f}" for o, _ in orders.values()) + " |")
    for name, orders in found.items():
        for problem, (_, rows) in orders.items():
            lines += ["", f"### {name}, {problem}", "", "| step | error | energy drift |", "|---|---|---|"]
            lines += [f"| {h:.4g} | {error:.2e} | {drift:.1e} |" for h, error, drift in rows]
    lines += ["", "## By tolerance", "", "`taylor` has the order its tolerance asks for.", ""]
    lines += ["| method | problem | tolerance | error | energy drift | steps |", "|---|---|---|---|---|---|"]
    for name in ("dop853", "taylor"):
        for problem in PROBLEMS:
            for tolerance in TOLERANCES:
                error, drift, steps = by_tolerance(name, problem, tolerance)
                lines.append(f"| {name} | {problem} | {tolerance:.0e} | {error:.1e} | {drift:.1e} | {steps} |")
    lines += ["", "## Long runs", "", "100 s of the rattleback by rk4, through the reversals of its spin.", ""]
    lines += ["| steps | energy drift | outcome |", "|---|---|---|"]
    for count in (10_000, 100_000, 1_000_000):
        run = long_run(count)
        lines.append(f"| {count} | {run.drift('energy'):.1e} | {run.outcome} |")
    lines += ["", "## Energy in the long run", ""]
    lines += [
        "The largest relative error of the energy in each quarter of a long motion, with equal steps: methods by a"
    ]
    lines += ["discrete principle swing and do not drift, although their order is 2.", ""]
    lines += [
        "| system | step | until | method | first | second | third | fourth |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for system, (step, end) in LONG.items():
        for by in ("rk4", *VARIATIONAL):
            if system == "rolling-disk" and by != "rk4" and by != "hamel":
                continue  # a rotation matrix is no plain coordinate
            parts = " | ".join(f"{g:.1e}" for g in energy_in_time(system, by))
            lines.append(f"| {system} | {step:g} | {end:g} | {by} | {parts} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(page())
