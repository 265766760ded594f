"""Zenkov's pendulum beside RATTLE and Störmer–Verlet: ``python -m benchmarks.pendulum`` draws figures 4a, 4b, 5a and 5b of the
paper and prints the table of errors.

The paper's motion is in the vertical γ seen from the body (`spherical-pendulum` of the gallery). RATTLE and Störmer–Verlet need
plain coordinates: the same motion as a point on a sphere, ``x² + y² + z² = r²``, and in spherical angles.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import nonholo as nh
from nonholo import gallery

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "integrators_pendulum.png"
STEP, RADIUS = 0.2, 9.8
START = dict(gallery.get("spherical-pendulum").start)
POINT, ANGLES = "x y z", "theta phi"
ROWS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("discrete Hamel, straight", "γ", "hamel", {}),
    ("discrete Hamel, averaged: the paper's", "γ", "hamel", {"kinematics": "averaged"}),
    ("energy_exact", "γ", "energy_exact", {}),
    ("RATTLE", POINT, "rattle", {}),
    ("Störmer–Verlet", POINT, "verlet", {}),
    ("RATTLE", ANGLES, "rattle", {}),
    ("Störmer–Verlet", ANGLES, "verlet", {}),
)
"""What is drawn: a title, coordinates, a method and its options."""


def placed(start: dict[str, float]) -> tuple[Any, Any]:
    """The bob in space and its velocity: the body stands so that the vertical is γ."""
    up = np.array([start[f"gamma{i}"] for i in (1, 2, 3)])
    turn = np.array([start["xi1"], start["xi2"], 0.0])
    side = np.cross(up, [0.0, 1.0, 0.0])
    side /= np.linalg.norm(side)
    axes = np.array([side, np.cross(up, side), up])  # rows: space axes in the body
    return RADIUS * axes[:, 2], RADIUS * axes @ np.cross(turn, [0.0, 0.0, 1.0])


def system(coordinates: str, start: dict[str, float]) -> nh.System:
    """The pendulum in the coordinates of a row, started where the paper's is."""
    exhibit = gallery.get("spherical-pendulum")
    if coordinates == "γ":
        return nh.System(
            "spherical pendulum", frame=exhibit.system.frame, parameters=dict(exhibit.parameters),
            lagrangian=exhibit.system.lagrangian, constraints=["xi3"], start=start,
        )  # fmt: skip
    q, v = placed(start)
    if coordinates == POINT:
        names = ("x", "y", "z", "xdot", "ydot", "zdot")
        return nh.System(
            "bob on a sphere", coordinates=POINT, parameters={"m": 1.0, "r": RADIUS, "g": 9.8},
            lagrangian="m/2*(xdot**2 + ydot**2 + zdot**2) - m*g*z", holonomic=["x**2 + y**2 + z**2 - r**2"],
            start=dict(zip(names, map(float, (*q, *v)))),
        )  # fmt: skip
    theta, phi = np.arccos(-q[2] / RADIUS), np.arctan2(q[1], q[0])
    rates = v[2] / (RADIUS * np.sin(theta)), (q[0] * v[1] - q[1] * v[0]) / (q[0] ** 2 + q[1] ** 2)
    return nh.System(
        "bob by its angles", coordinates=ANGLES, parameters={"m": 1.0, "r": RADIUS, "g": 9.8},
        lagrangian="m*r**2/2*(thetadot**2 + sin(theta)**2*phidot**2) + m*g*r*cos(theta)",
        start={"theta": float(theta), "phi": float(phi), "thetadot": float(rates[0]), "phidot": float(rates[1])},
    )  # fmt: skip


def errors(run: Any, coordinates: str) -> tuple[Any, Any]:
    """``||γ| − 1|`` (or ``||q|/r − 1|``; nothing for angles) and the relative error of the energy in time."""
    names = {"γ": ("gamma1", "gamma2", "gamma3"), POINT: ("x", "y", "z")}.get(coordinates, ())
    size = RADIUS if coordinates == POINT else 1.0
    length = np.abs(np.sqrt(sum(run[n] ** 2 for n in names)) / size - 1) if names else None
    return length, np.abs(run["energy"] / run["energy"][0] - 1)


def moved(coordinates: str, method: str, steps: int, start: dict[str, float] = START, **options: Any) -> Any:
    """So many steps of 0.2 s; 2000 states and the start are looked at, or all where there are fewer."""
    seen = "steps" if steps <= 10_000 else 2001
    words = {"method": method, "step": STEP, "t_eval": seen, "progress": False}
    return nh.simulate(system(coordinates, start), until=STEP * steps, **words, **options)


def table(counts: tuple[int, ...] = (10_000, 1_000_000)) -> str:
    """Largest errors after so many steps, plain and with compensated sums."""
    lines = ["| steps | method | coordinates | plain | compensated |", "|---|---|---|---|---|"]
    for steps in counts:
        for title, coordinates, method, options in ROWS:
            cells = []
            for compensated in (False, True):
                length, energy = errors(moved(coordinates, method, steps, compensated=compensated, **options), coordinates)
                cells.append(f"{'–' if length is None else f'{length.max():.1e}'}, {energy.max():.1e}")
            lines.append(f"| {steps:_} | {title} | {coordinates} | {cells[0]} | {cells[1]} |".replace("_", " "))
    return "\n".join(lines)


def picture() -> None:
    """Figures 4a, 4b, 5a, 5b."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 2, figsize=(12, 11), constrained_layout=True)
    over = {**START, "xi1": 1.9, "xi2": 0.4}
    for ax, start, title in ((axes[0, 0], START, "4a"), (axes[0, 1], over, "4b: across the equator")):
        path = bob(moved("γ", "hamel", 600, start, kinematics="averaged"))
        ax.plot(RADIUS * path[:, 0], RADIUS * path[:, 1], lw=0.9, label="discrete Hamel, averaged")
        other = moved(POINT, "rattle", 600, start)
        ax.plot(other["x"], other["y"], lw=0.5, ls="--", label="RATTLE")
        ax.set(aspect="equal", title=f"Figure {title}, 600 steps of 0.2 s", xlabel="x [m]", ylabel="y [m]")
        ax.legend(loc="upper right", fontsize=8)
    for k, (title, coordinates, method, options) in enumerate(ROWS):
        for compensated in (False, True) if method == "hamel" else (False,):
            length, energy = errors(moved(coordinates, method, 10_000, compensated=compensated, **options), coordinates)
            style = {"lw": 1.0, "color": f"C{k}", "ls": ":" if compensated else "-"}
            label = f"{title} ({coordinates})" + (", compensated" if compensated else "")
            for ax, values in ((axes[1, 0], length), (axes[1, 1], energy)):
                if values is not None:
                    ax.semilogy(np.maximum.accumulate(np.maximum(values, 1e-17)), label=label, **style)
    for ax, title, label in ((axes[1, 0], "Figure 5a", "||γ| − 1|"), (axes[1, 1], "Figure 5b", "|E/E₀ − 1|")):
        ax.set(title=f"{title}: largest so far", xlabel="step", ylabel=label)
        ax.legend(fontsize=7, loc="upper left" if ax is axes[1, 0] else "center right")
        ax.grid(alpha=0.3)
    axes[1, 0].set_ylim(1e-16, 1e-13)
    axes[1, 1].set_ylim(1e-17, 1)
    figure.savefig(PICTURE, dpi=110)
    plt.close(figure)


def bob(run: Any) -> Any:
    """The bob seen from space: the body's frame is turned along with ξ between the nodes."""
    from scipy.linalg import expm

    xi = np.stack([run["xi1"], run["xi2"], 0 * run["xi1"]], axis=1)
    up = np.array([run[f"gamma{i}"][0] for i in (1, 2, 3)])
    side = np.cross(up, [0.0, 1.0, 0.0])
    side /= np.linalg.norm(side)
    turn = np.array([side, np.cross(up, side), up])
    path = [turn[:, 2]]
    for k in range(len(xi) - 1):
        w = (xi[k] + xi[k + 1]) / 2 * STEP
        turn = turn @ expm(np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]]))
        path.append(turn[:, 2])
    return np.array(path)


if __name__ == "__main__":
    picture()
    print(table())
