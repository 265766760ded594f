"""Systems that nobody prepared, as a user types them, and their rates by another route: multipliers with sixty digits.

The route knows SymPy and mpmath alone: ``[[L_vv, Aᵀ], [A, 0]] (q̈, λ) = (Q + L_q − L_vq q̇ − L_vt, −Ȧ q̇ …)`` in plain coordinates.
"""

from __future__ import annotations

from functools import cache

import mpmath
import sympy as sp

import nonholo as nh

WORDS = {
    "ice boat in a gusty wind": {
        "coordinates": "x y th be", "inputs": "rud",
        "lagrangian": "m*(xdot**2 + ydot**2)/2 + J*thdot**2/2 + I*(thdot + bedot)**2/2 - k*Max(Abs(be) - 0.4, 0)**2",
        "constraints": ["ydot*cos(th) - xdot*sin(th)"],
        "forces": {
            "x": "c*((w - xdot)**2 + ydot**2)**0.75*sin(atan2(-ydot, w - xdot) - th - be)",
            "be": "-d*bedot*Abs(bedot) + I*sign(be)/9", "th": "rud*sqrt(1 + xdot**2)",
        },
        "parameters": {"m": 1.3, "J": 0.4, "I": 0.2, "k": 3.0, "c": 0.7, "w": 2.5, "d": 0.3},
        "start": {"th": 0.3, "be": 0.6, "xdot": 0.8, "thdot": 0.2, "bedot": -0.4},
    },
    "pendulum from a shaken hook, with a snubber": {
        "coordinates": "a s", "inputs": "u",
        "lagrangian": "m*((l + s)**2*adot**2 + sdot**2)/2 + m*h*w*cos(w*t)*((l + s)*adot*cos(a) + sdot*sin(a))"
        " + m*g*(l + s)*cos(a) - Piecewise((k*s**2/2, s > 0), (5*k*Abs(s)**2.5, True))",
        "forces": {"s": "-c*sdot + Piecewise((u, u > -0.2), (-0.2, True))", "a": "-c*Min(Max(adot, -1), 1)**3"},
        "parameters": {"m": 0.7, "l": 1.1, "h": 0.15, "w": 3.0, "g": 9.81, "k": 40.0, "c": 0.2},
        "start": {"a": 0.9, "s": -0.1, "adot": -0.6, "sdot": 0.3},
    },
    "slider and crank against a valve spring": {
        "coordinates": "a b x", "inputs": "tau",
        "lagrangian": "J*adot**2/2 + n*(r**2*adot**2 + l**2*bdot**2/3 - r*l*adot*bdot*cos(a + b))/2 + m*xdot**2/2"
        " - k*Max(x - 1, 0)**1.5",
        "holonomic": ["r*cos(a) + l*cos(b) - x", "r*sin(a) - l*sin(b)"],
        "forces": {"a": "tau", "x": "-mu*tanh(20*xdot)*(1 + xdot**2)**(1/3)"},
        "parameters": {"J": 0.5, "n": 0.4, "r": 0.4, "l": 1.1, "m": 0.8, "k": 25.0, "mu": 0.3},
        "start": {"a": 0.7, "adot": 1.5},
    },
    "skate across a river": {
        "coordinates": "x y th",
        "lagrangian": "m*(xdot**2 + ydot**2)/2 + m*e*thdot*(ydot*cos(th) - xdot*sin(th)) + J*thdot**2/2",
        "constraints": ["(xdot - v*exp(-y**2))*sin(th) - ydot*cos(th)"],
        "forces": {"x": "-c*(xdot - v*exp(-y**2))*Abs(xdot - v*exp(-y**2))**0.5", "y": "-c*ydot", "th": "-c*thdot/4"},
        "parameters": {"m": 1.1, "e": 0.2, "J": 0.5, "v": 0.9, "c": 0.35},
        "start": {"y": 0.4, "th": 0.8, "ydot": 0.7, "thdot": 0.5},
    },
    "tractor with a hitch behind its axle": {
        "coordinates": "x y th ga", "inputs": "F T",
        "lagrangian": "M*(xdot**2 + ydot**2)/2 + J*thdot**2/2 + I*gadot**2/2"
        " + m*((xdot + h*thdot*sin(th) + l*gadot*sin(ga))**2 + (ydot - h*thdot*cos(th) - l*gadot*cos(ga))**2)/2",
        "constraints": [
            "ydot*cos(th) - xdot*sin(th)",
            "(xdot + h*thdot*sin(th) + d*gadot*sin(ga))*sin(ga) - (ydot - h*thdot*cos(th) - d*gadot*cos(ga))*cos(ga)",
        ],
        "forces": {"x": "F*cos(th) - c*xdot", "y": "F*sin(th) - c*ydot", "th": "Max(Min(T, 2), -2)"},
        "parameters": {"M": 2.0, "J": 0.7, "I": 0.3, "m": 0.9, "h": 0.3, "l": 0.8, "d": 1.2, "c": 0.4},
        "start": {"th": 0.4, "ga": -0.3, "xdot": 0.9, "thdot": 0.35},
    },
    "rod between two rails, one of which rises": {
        "coordinates": "x y p", "inputs": "f",
        "lagrangian": "m*(xdot**2 + ydot**2)/2 + m*l**2*pdot**2/24 - m*g*y",
        "holonomic": ["x - l*cos(p)/2", "y - l*sin(p)/2 - b*sin(w*t)"],
        "forces": {"x": "f - c*xdot*(xdot**2 + 1)**(-1/4)"},
        "parameters": {"m": 1.2, "l": 1.5, "g": 9.81, "b": 0.1, "w": 2.0, "c": 0.6},
        "start": {"p": 1.1, "pdot": -0.4},
    },
}  # fmt: skip


def system(name: str) -> nh.System:
    """The system of these words, with its values and start."""
    return nh.System(name=name, **WORDS[name])


@cache
def witness(name: str):
    """A function of ``(t, q, q̇, u)`` to ``q̈`` with all the digits that mpmath has, and one to the constraints' ``(A, a0)``."""
    words = WORDS[name]
    names = words["coordinates"].split()
    t = sp.Symbol("t", real=True)
    q = [sp.Symbol(n, real=True) for n in names]
    v = [sp.Symbol(f"{n}dot", real=True) for n in names]
    u = [sp.Symbol(n, real=True) for n in words.get("inputs", "").split()]
    known = {str(s): s for s in (t, *q, *v, *u)}
    known |= {n: sp.Rational(repr(e)) for n, e in words["parameters"].items()}
    read = lambda e: sp.sympify(e, locals=known, rational=True)  # noqa: E731
    lagrangian = read(words["lagrangian"])
    rate = lambda e: sp.diff(e, t) + sum(sp.diff(e, a) * b for a, b in zip(q, v))  # noqa: E731
    rows = [read(e) for e in words.get("constraints", ())] + [rate(read(e)) for e in words.get("holonomic", ())]
    forces = [read(words.get("forces", {}).get(n, "0")) for n in names]
    mass = [[sp.diff(lagrangian, a, b) for b in v] for a in v]
    push = [f + sp.diff(lagrangian, a) - rate(sp.diff(lagrangian, b)) for f, a, b in zip(forces, q, v)]
    slopes = [[sp.diff(e, b) for b in v] for e in rows]
    drift = [-rate(e) for e in rows]
    made = sp.lambdify((t, q, v, u), [mass, push, slopes, drift, rows], modules="mpmath", cse=True)

    def accelerations(time, at, moving, pushed):
        m, f, a, d, _ = made(time, at, moving, pushed)
        n, k = len(q), len(rows)
        whole, side = mpmath.zeros(n + k), mpmath.zeros(n + k, 1)
        for i in range(n):
            side[i] = f[i]
            for j in range(n):
                whole[i, j] = m[i][j]
        for i in range(k):
            side[n + i] = d[i]
            for j in range(n):
                whole[n + i, j] = whole[j, n + i] = a[i][j]
        return list(mpmath.lu_solve(whole, side))[:n]

    def velocities(time, at, chosen, pushed):
        """``q̇`` from some of its entries, ``{place: value}``, and constraints that are affine in it."""
        still = [mpmath.mpf(0)] * len(q)
        _, _, a, _, offset = made(time, at, still, pushed)
        whole, side = mpmath.zeros(len(rows) + len(chosen), len(q)), mpmath.zeros(len(rows) + len(chosen), 1)
        for i, row in enumerate(a):
            side[i] = -offset[i]
            for j, e in enumerate(row):
                whole[i, j] = e
        for i, (place, value) in enumerate(chosen.items()):
            whole[len(rows) + i, place] = 1
            side[len(rows) + i] = value
        return list(mpmath.lu_solve(whole, side))

    return accelerations, velocities


def rates(name: str, model_names, time, state, pushed):
    """All rates of a state of coordinates and chosen velocities, by the witness, in the order of ``model_names``."""
    names = WORDS[name]["coordinates"].split()
    accelerations, velocities = witness(name)
    given = dict(zip(model_names, state))
    at = [given[n] for n in names]
    chosen = {names.index(n.removesuffix("dot")): given[n] for n in model_names if n not in names}
    moving = velocities(time, at, chosen, pushed)
    second = accelerations(time, at, moving, pushed)
    every = {**dict(zip(names, moving)), **{f"{n}dot": e for n, e in zip(names, second)}}
    return [every[n] for n in model_names]
