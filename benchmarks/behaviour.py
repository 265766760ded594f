"""Sections, exponents and charts: crossings for each second, cost of tangents, time of a chart; and the pictures of the page.

``python -m benchmarks behaviour`` measures, ``python -m benchmarks.behaviour calibration`` holds error bars against long motions,
``python -m benchmarks.behaviour docs/pictures`` draws.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

import nonholo as nh
from tests.analyse.behaviour import celtic_stone, chaotic, mixed, rolling_ball


def crossings() -> list[dict[str, Any]]:
    """Whole calls of `section`, processor time of the second one."""
    top = nh.gallery.get("chaplygin-top")
    cases = (
        ("Hénon and Heiles, 1 start", chaotic.HENON_HEILES, {"y": 0.1, "xdot": 0.45}, "x", 4000, None),
        ("Hénon and Heiles, 200 starts", chaotic.HENON_HEILES, {"y": np.linspace(-0.3, 0.3, 200), "xdot": 0.3}, "x", 1000, None),
        ("Chaplygin top, 1 start", top.system, {"w1": 0.5, "w2": 0.3, "w3": 5.08}, "w1", 1000, rolling_ball.FIRST),
        ("skate on a wavy surface, frames change", chaotic.SKATE, None, "sin(theta)", 300, None),
    )
    rows = []
    for name, system, start, event, count, values in cases:
        nh.section(system, start, event, 10, parameters=values)
        began = process_time()
        found = nh.section(system, start, event, count, parameters=values)
        spent = process_time() - began
        total = int(found.counts.sum())
        rows.append({"what": f"section: {name}", "number": total, "s": spent, "for each second": total / spent})
    return rows


def exponents() -> list[dict[str, Any]]:
    """The whole spectrum beside the motion alone, processor time."""
    stone = nh.gallery.get("rattleback")
    rows = []
    for system, start, until, values in (
        (chaotic.HENON_HEILES, {"y": -0.1, "xdot": 0.45}, 5000.0, None),
        (chaotic.CONTACT, None, 500.0, None),
        (stone.system, dict(stone.start), 50.0, stone.parameters),
    ):
        found = nh.lyapunov(system, start, until, values, integrals=())  # code that is called often is compiled with care once
        nh.simulate(system, start, until, values, t_eval="end")
        began = process_time()
        found = nh.lyapunov(system, start, until, values, integrals=())
        spent = process_time() - began
        alone = []
        for _ in range(5):
            began = process_time()
            dict(nh.simulate(system, start, until, values, t_eval="end", progress=False).final)
            alone.append(process_time() - began)
        count = len(found.exponents)
        row = {"what": f"exponents: {system.name}", "number": count, "s": spent}
        rows.append({**row, "motion alone [s]": min(alone), "ratio": spent / min(alone)})
    return rows


def rattleback_chart(size: int = 100, until: float = 20.0, store: Any = None) -> Any:
    """The gallery's stone over the twist of its inertia and its spin at the start."""
    stone = nh.gallery.get("rattleback")
    over = {"delta": (0.0, 1.5, size), "w3": (-25.0, 25.0, size)}
    return nh.chart(stone.system, over, until, start=stone.start, parameters=stone.parameters, store=store)


def table() -> list[dict[str, Any]]:
    """All of it."""
    rows = [*crossings(), *exponents()]
    began, clock = process_time(), perf_counter()
    found = rattleback_chart()
    took = perf_counter() - clock
    row = {"what": "chart: rattleback, 100 × 100, 20 s", "number": int(np.isfinite(found["lyapunov"]).sum())}
    rows.append({**row, "s": process_time() - began, "by the clock [s]": took, "minutes, not more": took < 600})
    return rows


def attractor(crossings: int = 20000) -> Any:
    """A section of the strange attractor of the stone cut as a paraboloid."""
    stone, level = celtic_stone.STONE, {"energy": celtic_stone.ENERGY}
    return nh.section(stone, {"w2": 0.2, "w3": 10.0}, "w1", crossings, direction=1, skip=2000, level=level, solve="w3")


def cloud(found: Any, path: Path) -> None:
    """Crossings as points: direction of the vertical in the body, and spins."""
    from nonholo.present.style.plot_style import PAGE, journal, new_axes, save_figure

    labels = {"R31": r"$\gamma_1$", "R32": r"$\gamma_2$", "w2": r"$\omega_2$, 1/s", "w3": r"$\omega_3$, 1/s"}
    with journal():
        figure, panels = new_axes(PAGE, 0.8, columns=2)
        for panel, (x, y) in zip(panels, (("R31", "R32"), ("w2", "w3"))):
            panel.scatter(found[x], found[y], s=0.35, color="#1a1a1a", linewidths=0, rasterized=True)
            panel.set_xlabel(labels[x])
            panel.set_ylabel(labels[y])
        save_figure(figure, path, dpi=150)


def loaded_ball(crossings: int = 12000) -> Any:
    """A section of the Chaplygin top on its strange attractor."""
    top = nh.gallery.get("chaplygin-top")
    return nh.section(top.system, dict(top.start), "w1", crossings, parameters=top.parameters, direction=1, skip=100)


def meeting(path: Path, count: int = 16000) -> None:
    """Attractor and repeller of a heavy body of Suslov, and both over each other."""
    from nonholo.present.style.plot_style import PAGE, journal, new_axes, save_figure

    vertical, speed = mixed.crossings(count)
    across = np.arctan2(vertical[:, 1], vertical[:, 0])
    parts = ((speed > 0, "#1a1a1a", "attractor"), (speed < 0, "#b03a2e", "repeller"))
    with journal():
        figure, panels = new_axes(PAGE, 0.95, columns=3)
        for panel, shown, title in zip(panels, (parts[:1], parts[1:], parts), ("attractor", "repeller", "both")):
            for chosen, colour, _ in reversed(shown):
                panel.scatter(across[chosen], vertical[chosen, 2], s=0.35, color=colour, linewidths=0, rasterized=True)
            panel.set_title(title)
            panel.set_xlabel(r"azimuth of $\gamma$")
            panel.set_ylabel(r"$\gamma_3$")
            panel.set_xlim(-1.3, 2.6)
            panel.set_ylim(-0.55, 1.05)
        save_figure(figure, path, dpi=150)


def calibration(count: int = 240, seed: int = 2027) -> list[dict[str, Any]]:
    """How often the largest exponent of a fresh motion lies within one, two, three errors of that of much longer motions."""
    from tests.analyse.behaviour.calibration import MOTIONS, judged, reference

    rows = []
    for name in MOTIONS:
        long = reference(name)
        rates, errors = judged(name, count, seed)
        off = np.abs(rates - long)
        row = {"what": f"errors: {name}", "number": len(rates), "long motions": long, "mean": rates.mean()}
        inside = [float(np.mean(off < k * errors)) for k in (1, 2, 3)]
        rows.append({**row, "mean error / scatter": errors.mean() / np.std(rates, ddof=1), "within 1, 2, 3 errors": inside})
        print(rows[-1], flush=True)
    return rows


def draw(folder: Path) -> None:
    """The pictures of docs/known-results.md."""
    import matplotlib

    matplotlib.use("Agg")
    from nonholo.present.style.plot_style import save_figure

    top = nh.gallery.get("chaplygin-top")
    start = {"w1": 0.5, "w2": 0.3, "w3": 5.08}
    sea = nh.section(top.system, start, "w1", 12000, parameters=rolling_ball.FIRST, direction=1, skip=50)
    cloud(sea, folder / "chaplygin-top-section.png")
    print(sea)
    cloud(loaded_ball(), folder / "chaplygin-top-attractor.png")
    meeting(folder / "mixed-dynamics.png")
    cloud(attractor(), folder / "celtic-stone-section.png")
    chart = rattleback_chart()
    print(chart)
    save_figure(chart.plot(title="rattleback, 20 s").figure, folder / "rattleback-chart.png", dpi=150)
    heights = np.linspace(-0.42, 0.65, 24)
    plane = nh.section(chaotic.HENON_HEILES, {"y": heights}, "x", 800, direction=1, level={"energy": 1 / 8}, solve="xdot")
    save_figure(plane.plot("y", "ydot", title="Hénon and Heiles, E = 1/8").figure, folder / "henon-heiles-section.png", dpi=150)


if __name__ == "__main__":
    if sys.argv[1:] == ["calibration"]:
        calibration()
        sys.exit()
    draw(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures"))
