"""Motions across modes against time-stepping with complementarity, on machines nobody prepared for it."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import sympy as sp

import nonholo as nh
from tests.integrate.time_stepping import Touching, stepped

DISK = "0.65*(xdot**2 + zdot**2) + 0.003*phidot**2 - 12.753*z"
FLOOR = {"name": "floor", "gap": "z - 0.11", "slip": ["xdot - 0.11*phidot"], "friction": 0.23, "slips": True}
ROD = "0.5*(xdot**2 + zdot**2) + thdot**2/6 - 9.81*z"
TIP = {"name": "tip", "gap": "z - sin(th)", "slip": ["xdot + thdot*sin(th)"], "slips": True, "lifts": True}
BLOCK = "0.5*(xdot**2 + zdot**2) + 0.4/6*thdot**2 - 9.81*z"


def corner(name: str, b: float, friction: float) -> dict[str, Any]:
    slip = f"xdot + thdot*(0.6*cos(th) + ({b})*sin(th))"
    return {
        "name": name, "gap": f"z - 0.6*cos(th) - ({b})*sin(th)", "slip": [slip], "friction": friction, "slips": True,
        "lifts": True,
    }  # fmt: skip


MACHINES: dict[str, tuple[str, str, dict[str, str], list[dict[str, Any]], dict[str, float], float]] = {
    "thrown ball": ("x z phi", DISK, {}, [FLOOR], {"xdot": 4.1}, 1.5),
    "backspin": ("x z phi", DISK, {}, [FLOOR], {"xdot": 1.1, "phidot": -35.0}, 1.5),
    "topspin": ("x z phi", DISK, {}, [FLOOR], {"xdot": 0.4, "phidot": 41.0}, 1.5),
    "slides down": ("x z phi", DISK + " + 12*x", {}, [FLOOR], {"xdot": 0.3}, 1.0),
    "rolls down": ("x z phi", DISK + " + 3*x", {}, [FLOOR], {"xdot": 0.2, "phidot": 0.2 / 0.11}, 1.0),
    "driven wheel": ("x z phi", DISK, {"phi": "0.6*t"}, [FLOOR], {}, 1.6),
    "braked wheel": ("x z phi", DISK, {"phi": "-0.5*t"}, [FLOOR], {"xdot": 3.0, "phidot": 3.0 / 0.11}, 1.2),
    "dropped ball": ("x z phi", DISK, {}, [{**FLOOR, "lifts": True, "restitution": 0.0}], {"z": 0.4, "xdot": 1.0}, 0.8),
    "bouncing ball": ("x z phi", DISK, {}, [{**FLOOR, "lifts": True, "restitution": 0.7}], {"z": 0.3, "phidot": 60.0}, 0.6),
    "block back": ("x z", "0.5*(xdot**2 + zdot**2) - 9.81*(0.8*z - 0.6*x)", {},
                   [{"name": "s", "gap": "z", "slip": ["xdot"], "friction": 0.3, "slips": True}], {"xdot": -2.3}, 1.0),
    "shaken belt": ("x z", "0.5*(xdot**2 + zdot**2) - 9.81*z", {},
                    [{"name": "b", "gap": "z", "slip": ["xdot - 0.8*sin(5*t)"], "friction": 0.25, "slips": True}], {}, 1.7),
    "stick and slip": ("x z", "0.5*(xdot**2 + zdot**2) - 9.81*z - 16*x**2", {},
                       [{"name": "b", "gap": "z", "slip": ["xdot - 0.4"], "friction": 0.3, "slips": True}], {"xdot": 0.4}, 1.9),
    "falling rod": ("x z th", ROD, {}, [{**TIP, "friction": 0.3}], {"th": 1.2}, 0.5),
    "thrown rod": ("x z th", ROD, {}, [{**TIP, "friction": 0.2, "restitution": 0.0}],
                   {"th": 0.8, "z": 1.2, "thdot": -1.0, "xdot": 2.5}, 0.6),
    "sliding rod": ("x z th", ROD, {}, [{**TIP, "friction": 0.25}], {"th": 0.9, "xdot": 2.0}, 0.6),
    "bead over a hill": ("x z", "0.5*(xdot**2 + zdot**2) - 9.81*z", {},
                         [{"name": "hill", "gap": "z + x**4/4", "lifts": True}], {"xdot": 2.1}, 0.9),
    "rocking block": ("x z th", BLOCK, {}, [corner("left", 0.2, 0.7), corner("right", -0.2, 0.7)], {"th": 0.08}, 0.5),
    "tipping block": ("x z th", BLOCK, {}, [corner("left", 0.2, 0.5), corner("right", -0.2, 0.5)], {"xdot": 1.4}, 0.4),
    "plate on a table": ("x y", "0.5*(xdot**2 + ydot**2)", {"x": "3*t", "y": "2.5*sin(4*t)"},
                         [{"name": "t", "slip": ["xdot", "ydot"], "load": 9.81, "friction": 0.2, "slips": True}],
                         {"ydot": 1.0}, 1.4),
    "cart with a pole": ("x z th", "0.75*(xdot**2 + zdot**2) + 0.125*thdot**2 + 0.25*xdot*thdot*cos(th) "
                         "- 0.25*zdot*thdot*sin(th) - 14.715*z - 2.4525*cos(th)", {},
                         [{"name": "rail", "gap": "z", "slip": ["xdot"], "friction": 0.15, "slips": True}], {"th": 1.0}, 0.9),
    "two wheels": ("x z th", "0.5*(xdot**2 + zdot**2) + 0.05*thdot**2 - 9.81*z", {"x": "-6*t"},
                   [{"name": "rear", "gap": "z + 0.5*sin(th) - 0.2*cos(th)", "slip": ["xdot"], "friction": 0.4, "slips": True},
                    {"name": "front", "gap": "z - 0.5*sin(th) - 0.2*cos(th)", "slip": ["xdot + 0.0001*thdot"], "friction": 0.3,
                     "slips": True}], {"xdot": 1.0}, 1.0),
}  # fmt: skip


def witness(name: str, steps: int, start: dict[str, float]) -> np.ndarray[Any, Any]:
    """The final position by time-stepping; everything is differentiated by SymPy."""
    names, lagrangian, forces, contacts, _, until = MACHINES[name]
    q, v = sp.symbols(names), sp.symbols(" ".join(f"{n}dot" for n in names.split()))
    t = sp.Symbol("t")
    l = sp.sympify(lagrangian)
    momenta = [sp.diff(l, w) for w in v]
    mass = sp.Matrix(momenta).jacobian(v)
    carry = sp.Matrix(momenta).jacobian(q) * sp.Matrix(v)
    push = [sp.diff(l, a) - c + sp.sympify(forces.get(n, "0")) for n, a, c in zip(names.split(), q, carry)]
    m, f = sp.lambdify([q], mass), sp.lambdify([q, v, t], push)

    def touching(c: dict[str, Any]) -> Touching:
        if "gap" in c:
            gap = sp.sympify(c["gap"])
            slopes = sp.lambdify([q, t], [sp.diff(gap, a) for a in q])
            value = sp.lambdify([q, t], gap)
        else:  # a load: pressed by a coordinate of its own would be the same
            raise ValueError
        rows = [sp.sympify(e) for e in c.get("slip", [])]
        slip = sp.lambdify([q, t], [[sp.diff(e, w) for w in v] for e in rows])
        drift = sp.lambdify([q, t], [e.subs(dict.fromkeys(v, 0)) for e in rows])
        size = len(v)
        return Touching(
            lambda a, s: float(value(a, s)) - 1e-9, lambda a, s: np.array(slopes(a, s), dtype=float),
            lambda a, s: np.array(slip(a, s), dtype=float).reshape(-1, size), lambda a, s: np.array(drift(a, s), dtype=float),
            float(c.get("friction", 0.0)), float(c.get("restitution", 0.0)),
        )  # fmt: skip

    if "gap" in contacts[0]:
        laws = [touching(c) for c in contacts]
        q0, v0 = [start[n] for n in names.split()], [start[f"{n}dot"] for n in names.split()]
        return stepped(
            lambda a: np.array(m(a), dtype=float), lambda a, b, s: np.array(f(a, b, s), dtype=float), laws,
            np.array(q0), np.array(v0), until, steps,
        )[0]  # fmt: skip
    load = float(contacts[0]["load"])
    third = Touching(
        lambda a, s: -1.0, lambda a, s: np.array([0.0, 0.0, 1.0]), lambda a, s: np.eye(3)[:2], lambda a, s: np.zeros(2),
        float(contacts[0]["friction"]),
    )  # fmt: skip
    found, _ = stepped(
        lambda a: np.eye(3), lambda a, b, s: np.array([*f(a[:2], b[:2], s), -load], dtype=float), [third],
        np.array([start["x"], start["y"], 0.0]), np.array([start["xdot"], start["ydot"], 0.0]), until, steps,
    )  # fmt: skip
    return found[:2]


def worst_errors(name: str) -> list[float]:
    """How far the time-stepping is from our final position at steps ``h, h/4, h/16, h/64``.

    Where a gap closes or a slip dies between two steps the error depends on the place of the grid: the worst of five grids of
    nearly one step counts.
    """
    names, lagrangian, forces, contacts, start, until = MACHINES[name]
    system = nh.System(name=name, coordinates=names, lagrangian=lagrangian, forces=forces, contacts=contacts)
    run = nh.simulate(system, start, until, t_eval=2, rtol=1e-12, atol=1e-14)
    assert run.outcome.reached, str(run.outcome)
    ours = np.array([run.final[n] for n in names.split()])
    first = {**dict.fromkeys(run.names, 0.0), **{n: float(run[n][0]) for n in run.names}}
    return [max(float(np.max(np.abs(witness(name, round(n * grid), first) - ours))) for grid in GRIDS) for n in STEPS]


STEPS = (40, 160, 640, 2560)
GRIDS = (1.0, 1.083, 1.191, 1.277, 1.39)
QUICK = ("bouncing ball", "bead over a hill")
MARKED = [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in MACHINES]


@pytest.mark.parametrize("name", MARKED)
def test_time_stepping_converges_to_the_events(name: str) -> None:
    """At least with the order that is proved [Moreau, J. Diff. Eq. 26, 1977], one half: a quarter of the step, half the error.

    Where nothing happens between two steps it is exact from the beginning.
    """
    errors = worst_errors(name)
    if max(errors) < 1e-11:
        return
    assert all(finer <= coarse / 2 for coarse, finer in itertools.pairwise(errors)), errors
