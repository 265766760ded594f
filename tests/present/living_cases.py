"""Systems and requests for the tests of living pages: what the page's solver is asked, and what Python says."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import nonholo as nh
from nonholo import gallery
from nonholo.model.files.toml_files import loads
from nonholo.model.system import System
from nonholo.present.living.living_data import living

VIEWER = Path(__file__).parents[2] / "viewer"
NODE = shutil.which("node")
CAN_SOLVE = NODE is not None and (VIEWER / "node_modules" / "esbuild").is_dir()

# Not in the gallery, in plain coordinates, as people write them.
OWN = {
    # a trailer hitched behind a driven car; the law has numbers of its own
    "trailer": """
        coordinates = "x y th ph"
        lagrangian = '''(m*(xdot**2 + ydot**2) + J*thdot**2 + J2*phdot**2)/2
            + m2*((xdot + l*phdot*sin(ph))**2 + (ydot - l*phdot*cos(ph))**2)/2'''
        constraints = ["xdot*sin(th) - ydot*cos(th)", "xdot*sin(ph) - ydot*cos(ph) + l*phdot"]
        until = 6.0
        [forces]
        x = "u*cos(th)"
        y = "u*sin(th)"
        th = "-0.3*thdot + 0.5*sin(1.5*t)"
        [inputs]
        u = "4*(1.2 - xdot*cos(th) - ydot*sin(th))"
        [parameters]
        m = 3.1
        m2 = 1.7
        J = 0.9
        J2 = 0.4
        l = 0.8
        [start]
        th = 0.3
        ph = -0.2
        [page.meanings]
        l = "length of the drawbar"
        [page.ranges]
        l = [0.3, 2.0]
        [page.presets."long bar"]
        l = 1.6
        th = 0.1
    """,
    # a skate with a motor, which is quickly reported on
    "pushed": """
        coordinates = "x y th"
        lagrangian = "(m*(xdot**2 + ydot**2) + J*thdot**2)/2"
        constraints = ["xdot*sin(th) - ydot*cos(th)"]
        until = 5.0
        [forces]
        x = "u*cos(th)"
        y = "u*sin(th)"
        th = "0.5*cos(1.7*t)"
        [inputs]
        u = "4*(1.2 - xdot*cos(th) - ydot*sin(th))"
        [parameters]
        m = 3.1
        J = 0.9
        [start]
        th = 0.3
        x = -0.4
        thdot = 0.2
        [page.meanings]
        m = "mass of skate and rider"
        [page.ranges]
        m = [1.0, 6.0]
        [page.presets."heavy"]
        m = 5.5
        th = 0.1
    """,
    # a skate on a sphere in latitude and longitude: hamel's speeds degenerate on the way, the page's cannot
    "skate": """
        coordinates = "th ph a"
        lagrangian = "(thdot**2 + sin(th)**2*phdot**2)/2 + k*(adot + cos(th)*phdot)**2/2 - 1.3*cos(th)"
        constraints = ["sin(a)*thdot - cos(a)*sin(th)*phdot"]
        until = 5.0
        [parameters]
        k = 0.4
        [start]
        th = 1.1
        a = 0.4
        adot = 0.9
        thdot = 0.7
    """,
    # a four-bar linkage with a spring: one holonomic pair, closed by what is left out
    "linkage": """
        coordinates = "a b c"
        lagrangian = "I1*adot**2/2 + I2*bdot**2/2 + I3*cdot**2/2 - k*(a - 0.9)**2/2"
        holonomic = ["cos(a) + 1.6*cos(b) - 1.3*cos(c) - 1.4", "sin(a) + 1.6*sin(b) - 1.3*sin(c)"]
        until = 4.0
        [parameters]
        I1 = 0.7
        I2 = 0.9
        I3 = 0.5
        k = 2.3
        [start]
        a = 1.2
        adot = 0.8
    """,
    # a point that keeps its speed (nonlinear), in a field
    "steady speed": """
        coordinates = "x y"
        lagrangian = "(xdot**2 + 2*ydot**2)/2 - g*y"
        constraints = ["xdot**2 + ydot**2 - 4"]
        until = 3.0
        [parameters]
        g = 1.9
        [start]
        xdot = 1.2
        y = 0.4
    """,
    # a bead that drags a weightless pointer: no kinetic energy along it, so that the page has to exchange rows
    "weightless pointer": """
        coordinates = "x y"
        lagrangian = "m*xdot**2/2 - k*x**2/2 - 0.7*y"
        constraints = ["ydot - (0.4 + x)*xdot"]
        until = 3.0
        [parameters]
        m = 1.3
        k = 2.1
        [start]
        x = 0.5
        xdot = 0.3
    """,
    # a crank that drives a slider: a loop of three bodies
    "crank and slider": """
        coordinates = "a b s"
        lagrangian = "J*adot**2/2 + m*((l*cos(b)*bdot/2)**2 + (sdot - l*sin(b)*bdot/2)**2)/2 + M*sdot**2/2 - k*(s - 1.1)**2/2"
        holonomic = ["r*cos(a) + l*cos(b) - s", "r*sin(a) - l*sin(b)"]
        until = 3.0
        [parameters]
        J = 0.3
        m = 0.4
        M = 0.9
        r = 0.45
        l = 1.15
        k = 6.0
        [start]
        a = 0.8
        adot = 2.4
        [page.meanings]
        r = "radius of the crank"
        l = "length of the rod"
        [page.presets."gently"]
        a = 0.8
        adot = 0.5
    """,
    # time in the potential and in the constraint
    "skate on a rocking table": """
        coordinates = "x y th"
        lagrangian = "m*(xdot**2 + ydot**2)/2 + J*thdot**2/2 - m*g*(x*sin(al*sin(w*t)))"
        constraints = ["xdot*sin(th) - ydot*cos(th) - e*cos(w*t)"]
        until = 4.0
        [parameters]
        m = 1.4
        J = 0.6
        g = 9.81
        al = 0.2
        w = 2.3
        e = 0.15
        [start]
        th = 0.4
        thdot = 1.1
    """,
    # a ball of unequal moments by a quaternion, hung from a spring
    "hung by a quaternion": """
        lagrangian = "(1.1*w1**2 + 0.8*w2**2 + 1.7*w3**2)/2 + (zdot**2)/2 - k*z**2/2 - (q0*q1 + q2*q3)"
        until = 4.0
        [parameters]
        k = 3.3
        [[frame]]
        kind = "Quaternion"
        name = "q"
        [[frame]]
        kind = "Euclidean"
        coordinates = "z"
        [start]
        w1 = 0.7
        w3 = 2.1
        z = 0.5
    """,
}


def own(name: str) -> System:
    """A system of `OWN`."""
    return loads(f'name = "{name}"\n' + "\n".join(line.strip() for line in OWN[name].splitlines()))


@cache
def subject(name: str) -> System:
    """A system of the gallery or of `OWN`."""
    return own(name) if name in OWN else gallery.get(name).system


def asked(data: Mapping[str, Any], values: Mapping[str, float] | None = None, **words: Any) -> dict[str, Any]:
    """A request to the solver as the page makes it, rotations as they are in Python's start."""
    plan = data["plan"]
    chosen = {c["name"]: c["value"] for c in data["controls"]} | dict(values or {})
    full = dict(words.pop("full"))
    return {
        "parameters": [chosen[p] for p in plan["parameters"]],
        "inputs": [chosen.get(n, 0.0) for n in plan["inputs"]],
        "start": {
            "time": data["time"],
            "coordinates": [full.get(c, 0.0) for c in plan["coordinates"]],
            "held": [c not in data["tied"] or c in data["held"] for c in plan["coordinates"]],
            "velocities": {c["name"]: chosen[c["name"]] for c in data["controls"] if c["kind"] == "velocity"},
            "guess": data["guess"],
        },
        "until": chosen["until"],
        "kicks": [],
        "picture": False,
        **words,
    }


def data_of(system: System) -> dict[str, Any]:
    """The page's data."""
    return living(system, system.drawing)


def solved_in_node(work: Mapping[str, Any], place: Path) -> dict[str, Any]:
    """The answers of the page's solver."""
    (place / "work.json").write_text(json.dumps(work))
    told = subprocess.run(
        [str(NODE), str(VIEWER / "test" / "solve.mjs"), str(place / "work.json"), str(place / "answers.json")],
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert told.returncode == 0, told.stderr
    found: dict[str, Any] = json.loads((place / "answers.json").read_text())
    return found


def apart(plan: Mapping[str, Any], found: list[float], final: Mapping[str, float]) -> float:
    """The largest difference of two states, relative where they are large."""
    names = [*plan["coordinates"], *plan["speeds"]]
    return max(abs(a - final[n]) / (1 + abs(final[n])) for a, n in zip(found, names))


def python_final(system: System, **words: Any) -> Any:
    """Python's motion, as tight as it can be."""
    return nh.simulate(system, rtol=1e-13, atol=1e-15, t_eval="end", progress=False, **words)


def spread(values: Any) -> float:
    return float(np.ptp(np.asarray(values)))
