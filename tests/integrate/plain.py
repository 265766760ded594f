"""Ten systems as users write them: plain coordinates, no quasi-velocities; each with values and a start off all symmetries."""

from __future__ import annotations

import nonholo as nh

WORDS = {
    "car": {
        "coordinates": "x y th ph",
        "lagrangian": "m*((xdot - b*thdot*sin(th))**2 + (ydot + b*thdot*cos(th))**2)/2 + J*thdot**2/2 + I*(thdot + phdot)**2/2",
        "constraints": ["xdot*sin(th) - ydot*cos(th)", "xdot*sin(th + ph) - ydot*cos(th + ph) - L*thdot*cos(ph)"],
        "parameters": {"m": 1.3, "b": 0.4, "J": 0.6, "I": 0.1, "L": 1.1},
        "forces": {"ph": "-k*ph + u", "x": "f*cos(th)", "y": "f*sin(th)"},
        "inputs": {"u": "0.2*sin(3*t)", "f": "0.3"},
        "more": {"k": 0.8},
        "start": {"th": 0.4, "ph": 0.3, "xdot": 0.9, "phdot": -0.2},
    },
    "skate on a slope": {
        "coordinates": "x y th",
        "lagrangian": "m*(xdot**2 + ydot**2)/2 + J*thdot**2/2 + m*g*s*y",
        "constraints": ["xdot*sin(th) - ydot*cos(th)"],
        "parameters": {"m": 0.9, "J": 0.3, "g": 9.81, "s": 0.2},
        "start": {"th": 0.7, "thdot": 1.1, "xdot": 0.4},
    },
    "trolley with a caster": {
        "coordinates": "x y th al",
        "lagrangian": "m*(xdot**2 + ydot**2)/2 + J*thdot**2/2 + I*(thdot + aldot)**2/2",
        "constraints": [
            "-xdot*sin(th + al) + ydot*cos(th + al) + thdot*(l*cos(al) - d) - d*aldot",
        ],
        "parameters": {"m": 2.1, "J": 0.8, "I": 0.05, "l": 0.7, "d": 0.15},
        "start": {"th": 0.2, "al": 0.5, "xdot": 0.7, "thdot": 0.3},
    },
    "rolling coin upright": {
        "coordinates": "x y th ps",
        "lagrangian": "m*(xdot**2 + ydot**2)/2 + I*psdot**2/2 + J*thdot**2/2",
        "constraints": ["xdot - r*psdot*cos(th)", "ydot - r*psdot*sin(th)"],
        "parameters": {"m": 0.4, "I": 0.05, "J": 0.03, "r": 0.3},
        "forces": {"ps": "tau - c*psdot"},
        "inputs": "tau",
        "more": {"c": 0.02},
        "start": {"th": 0.3, "thdot": 0.9, "psdot": 2.0},
    },
    "cart with a double pendulum": {
        "coordinates": "x a b",
        "lagrangian": "M*xdot**2/2 + m*((xdot + l*adot*cos(a))**2 + (l*adot*sin(a))**2)/2"
        " + m*((xdot + l*adot*cos(a) + k*bdot*cos(b))**2 + (l*adot*sin(a) + k*bdot*sin(b))**2)/2"
        " + m*g*(2*l*cos(a) + k*cos(b))",
        "parameters": {"M": 1.5, "m": 0.6, "l": 0.8, "k": 0.5, "g": 9.81},
        "start": {"a": 0.9, "b": -0.4, "adot": 0.2},
    },
    "particle that climbs as it turns": {
        "coordinates": "x y z",
        "lagrangian": "m*(xdot**2 + ydot**2 + zdot**2)/2 - k*(x**2 + 2*y**2 + z**2)/2",
        "constraints": ["zdot - y*xdot + x*ydot/3"],
        "parameters": {"m": 1.2, "k": 0.7},
        "start": {"x": 0.5, "y": 0.4, "xdot": 0.3, "ydot": -0.8},
    },
    "bead on an ellipsoid": {
        "coordinates": "x y z",
        "lagrangian": "m*(xdot**2 + ydot**2 + zdot**2)/2 - m*g*z",
        "holonomic": ["x**2 + 2*y**2 + 3*z**2 - 1"],
        "parameters": {"m": 0.5, "g": 9.81},
        "start": {"x": 0.3, "y": 0.4, "xdot": 0.5},
    },
    "ball on a turning table": {
        "coordinates": "x y p q r",
        "lagrangian": "m*(xdot**2 + ydot**2)/2 + I*(pdot**2 + qdot**2 + rdot**2)/2",
        "constraints": ["xdot - R*qdot + W*y", "ydot + R*pdot - W*x"],
        "parameters": {"m": 1.0, "I": 0.3, "R": 0.5, "W": 0.8},
        "start": {"x": 0.4, "y": 0.1, "xdot": 0.3, "rdot": 0.2},
    },
    "two skates on a rod": {
        "coordinates": "x y th be",
        "lagrangian": "m*(xdot**2 + ydot**2)/2 + J*thdot**2/2 + n*((xdot - l*thdot*sin(th))**2 + (ydot + l*thdot*cos(th))**2)/2"
        " + K*(thdot + bedot)**2/2 - c*be**2/2",
        "constraints": [
            "xdot*sin(th) - ydot*cos(th)",
            "(xdot - l*thdot*sin(th))*sin(th + be) - (ydot + l*thdot*cos(th))*cos(th + be)",
        ],
        "parameters": {"m": 1.1, "J": 0.4, "n": 0.7, "l": 0.9, "K": 0.12, "c": 0.5},
        "start": {"th": 0.1, "be": 0.4, "xdot": 0.8, "bedot": 0.1},
    },
    "points of equal speed": {
        "coordinates": "x y u v",
        "lagrangian": "(m*(xdot**2 + ydot**2) + n*(udot**2 + vdot**2))/2 - k*((x - u)**2 + (y - v)**2)/2",
        "constraints": ["xdot**2 + ydot**2 - udot**2 - vdot**2"],
        "parameters": {"m": 1.0, "n": 1.7, "k": 0.6},
        "start": {"x": 0.2, "u": 1.0, "v": 0.3, "xdot": 0.5, "ydot": 0.4, "udot": 0.6},
    },
}  # fmt: skip


def system(name: str) -> nh.System:
    """One of them, as it is written."""
    words = {k: v for k, v in WORDS[name].items() if k != "more"}
    words["parameters"] = {**words["parameters"], **WORDS[name].get("more", {})}
    return nh.System(name=name, **words)
