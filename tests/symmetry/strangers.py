"""Systems that nobody had prepared, each in several writings, with what was known before."""

from __future__ import annotations

from tests.symmetry.exam import Exam
from tests.symmetry.strangers_more import MORE

STRANGERS: dict[str, Exam] = {
    "skate-cone/slant": Exam(
        "by hand: on the developed cone the heading turns evenly",
        {
            "coordinates": "s ph be", "parameters": {"m": 1.1, "J": 0.23, "g": 2.0, "al": 0.5},
            "lagrangian": "m/2*(sdot**2 + s**2*sin(al)**2*phdot**2) + J/2*(bedot + sin(al)*phdot)**2 - m*g*cos(al)*s",
            "constraints": ["sdot*sin(be) - s*sin(al)*phdot*cos(be)"],
        },
        ("bedot + phdot*sin(al)",), measure="holds", start={"s": 1.3},
    ),
    "skate-cone/developed": Exam(
        "by hand: on the developed cone the heading turns evenly",
        {
            "coordinates": "u w th", "parameters": {"m": 1.1, "J": 0.23, "g": 2.0, "al": 0.5},
            "lagrangian": "m/2*(udot**2 + wdot**2) + J/2*thdot**2 - m*g*cos(al)*sqrt(u**2 + w**2)",
            "constraints": ["udot*sin(th) - wdot*cos(th)"],
        },
        ("thdot",), measure="holds", start={"u": 1.3},
    ),
    "two-blades/xyth": Exam(
        "Chaplygin 1911: the blade ahead of the mass, on a slope",
        {
            "coordinates": "x y th", "parameters": {"m": 1.0, "J": 0.3, "l": 0.4, "g": 1.5},
            "lagrangian": "m/2*(xdot**2 + ydot**2) + J/2*thdot**2 + m*g*x",
            "constraints": ["-xdot*sin(th) + ydot*cos(th) + l*thdot"],
        },
        measure="fails",
    ),
    "two-blades/force": Exam(
        "Chaplygin 1911: the blade ahead of the mass, on a slope",
        {
            "coordinates": "x y th", "parameters": {"m": 1.0, "J": 0.3, "l": 0.4, "g": 1.5},
            "lagrangian": "m/2*(xdot**2 + ydot**2) + J/2*thdot**2", "forces": {"x": "m*g"},
            "constraints": ["-xdot*sin(th) + ydot*cos(th) + l*thdot"],
        },
        ("J*thdot**2 + m*(xdot**2 + ydot**2) - 2*g*m*x",), measure="fails",
    ),
    "two-blades/contact": Exam(
        "Chaplygin 1911: the blade ahead of the mass, on a slope",
        {
            "coordinates": "X Y th", "parameters": {"m": 1.0, "J": 0.3, "l": 0.4, "g": 1.5},
            "lagrangian": "m/2*((Xdot + l*sin(th)*thdot)**2 + (Ydot - l*cos(th)*thdot)**2) + J/2*thdot**2 + m*g*(X - l*cos(th))",
            "constraints": ["-Xdot*sin(th) + Ydot*cos(th)"],
        },
        measure="fails",
    ),
    "appell-hamel/z": Exam(
        "Appell 1911, Hamel 1949: plane motion",
        {
            "coordinates": "x y z", "parameters": {"m": 1.3, "g": 2.0, "a": 0.7},
            "lagrangian": "m/2*(xdot**2 + ydot**2 + zdot**2) - m*g*z", "constraints": ["zdot**2 - a**2*(xdot**2 + ydot**2)"],
        },
        ("ydot/xdot",), measure="holds", start={"xdot": 1, "ydot": 0.3, "zdot": 0.7},
    ),
    "appell-hamel/polar": Exam(
        "Appell 1911, Hamel 1949: plane motion",
        {
            "coordinates": "r p z", "parameters": {"m": 1.3, "g": 2.0, "a": 0.7},
            "lagrangian": "m/2*(rdot**2 + r**2*pdot**2 + zdot**2) - m*g*z",
            "constraints": ["zdot - a*sqrt(rdot**2 + r**2*pdot**2)"],
        },
        measure="holds", start={"r": 1.2, "rdot": 1, "pdot": 0.3, "zdot": 0.7},
    ),
    "pars/heis": Exam(
        "Pars 1965 with weight",
        {
            "coordinates": "x y z", "parameters": {"m": 1.0, "g": 1.2},
            "lagrangian": "m/2*(xdot**2 + ydot**2 + zdot**2) - m*g*z", "constraints": ["zdot - y*xdot"],
        },
        ("ydot", "2*ydot**2*z - 2*xdot*ydot - 2*y*ydot*zdot - g*y**2"), measure="holds",
    ),
    "pars/sym": Exam(
        "Pars 1965 with weight",
        {
            "coordinates": "x y w", "parameters": {"m": 1.0, "g": 1.2},
            "lagrangian": "m/2*(xdot**2 + ydot**2 + (wdot + (x*ydot + y*xdot)/2)**2) - m*g*(w + x*y/2)",
            "constraints": ["wdot - (y*xdot - x*ydot)/2"],
        },
        ("ydot",), measure="holds",
    ),
    "belt/lab": Exam(
        "a skate on a belt that starts evenly",
        {
            "coordinates": "x y th", "parameters": {"m": 1.0, "J": 0.3, "c": 0.6},
            "lagrangian": "m/2*(xdot**2 + ydot**2) + J/2*thdot**2", "constraints": ["(xdot - c*t)*sin(th) - ydot*cos(th)"],
        },
        ("thdot",), measure="holds",
    ),
    "belt/comoving": Exam(
        "a skate on a belt that starts evenly",
        {
            "coordinates": "u y th", "parameters": {"m": 1.0, "J": 0.3, "c": 0.6},
            "lagrangian": "m/2*((udot + c*t)**2 + ydot**2) + J/2*thdot**2", "constraints": ["udot*sin(th) - ydot*cos(th)"],
        },
        ("thdot",), measure="holds",
    ),
    "belt/inertial force": Exam(
        "a skate on a belt that starts evenly",
        {
            "coordinates": "u y th", "parameters": {"m": 1.0, "J": 0.3, "c": 0.6},
            "lagrangian": "m/2*(udot**2 + ydot**2) + J/2*thdot**2", "forces": {"u": "-m*c"},
            "constraints": ["udot*sin(th) - ydot*cos(th)"],
        },
        ("thdot", "c*sin(th) + thdot*udot*cos(th) + thdot*ydot*sin(th)"), measure="holds",
    ),
    "gyrocart/plain": Exam(
        "Neimark and Fufaev 1972: a rotor on a cart on one blade",
        {
            "coordinates": "x y th ps", "parameters": {"m": 1.2, "J": 0.4, "I": 0.15, "k": 0.9},
            "lagrangian": "m/2*(xdot**2 + ydot**2) + J/2*thdot**2 + I/2*(thdot + psdot)**2 - k/2*ps**2",
            "constraints": ["xdot*sin(th) - ydot*cos(th)"],
        },
        ("J*thdot + I*(thdot + psdot)", "xdot*cos(th) + ydot*sin(th)"), measure="holds",
    ),
    "gyrocart/absolute": Exam(
        "Neimark and Fufaev 1972: a rotor on a cart on one blade",
        {
            "coordinates": "x y th al", "parameters": {"m": 1.2, "J": 0.4, "I": 0.15, "k": 0.9},
            "lagrangian": "m/2*(xdot**2 + ydot**2) + J/2*thdot**2 + I/2*aldot**2 - k/2*(al - th)**2",
            "constraints": ["xdot*sin(th) - ydot*cos(th)"],
        },
        ("J*thdot + I*aldot", "xdot*cos(th) + ydot*sin(th)"), measure="holds",
    ),
    "gyrocart/polar": Exam(
        "Neimark and Fufaev 1972: a rotor on a cart on one blade",
        {
            "coordinates": "r p th ps", "parameters": {"m": 1.2, "J": 0.4, "I": 0.15, "k": 0.9},
            "lagrangian": "m/2*(rdot**2 + r**2*pdot**2) + J/2*thdot**2 + I/2*(thdot + psdot)**2 - k/2*ps**2",
            "constraints": ["rdot*sin(th - p) - r*pdot*cos(th - p)"],
        },
        ("J*thdot + I*(thdot + psdot)", "rdot*cos(th - p) + r*pdot*sin(th - p)"), measure="holds", start={"r": 1.2},
    ),
    "charged skate/L": Exam(
        "the field does no work and the blade takes its force",
        {
            "coordinates": "x y th", "parameters": {"m": 1.0, "J": 0.3, "B": 0.8},
            "lagrangian": "m/2*(xdot**2 + ydot**2) + J/2*thdot**2 + B/2*(x*ydot - y*xdot)",
            "constraints": ["xdot*sin(th) - ydot*cos(th)"],
        },
        ("thdot", "xdot*cos(th) + ydot*sin(th)", "thdot*x - ydot"), measure="holds",
    ),
    "charged skate/magnetic": Exam(
        "the field does no work and the blade takes its force",
        {
            "coordinates": "x y th", "parameters": {"m": 1.0, "J": 0.3, "B": 0.8},
            "lagrangian": "m/2*(xdot**2 + ydot**2) + J/2*thdot**2", "magnetic": {"x y": "B"},
            "constraints": ["xdot*sin(th) - ydot*cos(th)"],
        },
        ("thdot", "xdot*cos(th) + ydot*sin(th)", "thdot*x - ydot"), measure="holds",
    ),
    "charged skate/force": Exam(
        "the field does no work and the blade takes its force",
        {
            "coordinates": "x y th", "parameters": {"m": 1.0, "J": 0.3, "B": 0.8},
            "lagrangian": "m/2*(xdot**2 + ydot**2) + J/2*thdot**2", "forces": {"x": "B*ydot", "y": "-B*xdot"},
            "constraints": ["xdot*sin(th) - ydot*cos(th)"],
        },
        ("thdot", "xdot*cos(th) + ydot*sin(th)", "thdot*x - ydot"), measure="holds",
    ),
    "drag sleigh/contact": Exam(
        "Rayleigh's dissipation",
        {
            "coordinates": "x y th", "parameters": {"m": 1.0, "J": 0.3, "a": 0.4, "c": 0.2},
            "lagrangian": "m/2*((xdot - a*sin(th)*thdot)**2 + (ydot + a*cos(th)*thdot)**2) + J/2*thdot**2",
            "constraints": ["xdot*sin(th) - ydot*cos(th)"], "forces": {"x": "-c*xdot", "y": "-c*ydot", "th": "-c*thdot"},
        },
        measure="fails",
    ),
    "drag sleigh/body": Exam(
        "Rayleigh's dissipation",
        {
            "coordinates": "x y th", "parameters": {"m": 1.0, "J": 0.3, "a": 0.4, "c": 0.2},
            "lagrangian": "m/2*((xdot - a*sin(th)*thdot)**2 + (ydot + a*cos(th)*thdot)**2) + J/2*thdot**2",
            "constraints": ["xdot*sin(th) - ydot*cos(th)"],
            "quasivelocities": {"om": "thdot", "v": "xdot*cos(th) + ydot*sin(th)"}, "forces": {"v": "-c*v", "om": "-c*om"},
        },
        measure="fails",
    ),
    "leaking skate/plain": Exam(
        "mass exp(-k t): momenta are constant",
        {
            "coordinates": "x y th", "parameters": {"m": 1.0, "J": 0.3, "k": 0.2},
            "lagrangian": "m*exp(-k*t)/2*(xdot**2 + ydot**2) + J*exp(-k*t)/2*thdot**2",
            "constraints": ["xdot*sin(th) - ydot*cos(th)"],
        },
        ("exp(-k*t)*thdot", "exp(-k*t)*(xdot*cos(th) + ydot*sin(th))"), measure="holds",
    ),
    "leaking skate/antidrag": Exam(
        "mass exp(-k t): momenta are constant",
        {
            "coordinates": "x y th", "parameters": {"m": 1.0, "J": 0.3, "k": 0.2},
            "lagrangian": "m/2*(xdot**2 + ydot**2) + J/2*thdot**2",
            "forces": {"x": "m*k*xdot", "y": "m*k*ydot", "th": "J*k*thdot"}, "constraints": ["xdot*sin(th) - ydot*cos(th)"],
        },
        ("thdot/(xdot*cos(th) + ydot*sin(th))",), measure="fails",
    ),
    "lengthening0/cart": Exam(
        "r**2 f' is constant",
        {
            "coordinates": "x y", "parameters": {"m": 1.0, "b": 0.3}, "lagrangian": "m/2*(xdot**2 + ydot**2)",
            "holonomic": ["x**2 + y**2 - (1 + b*t)**2"],
        },
        ("x*ydot - y*xdot",), measure="holds",
    ),
    "sph pend/angles": Exam(
        "Lagrange",
        {
            "coordinates": "th ph", "parameters": {"m": 1.0, "g": 2.0},
            "lagrangian": "m/2*(thdot**2 + sin(th)**2*phdot**2) + m*g*cos(th)",
        },
        ("sin(th)**2*phdot",), measure="holds", start={"th": 0.8, "thdot": 0.3, "phdot": 0.9},
    ),
    "sph pend/embed": Exam(
        "Lagrange",
        {
            "coordinates": "x y z", "parameters": {"m": 1.0, "g": 2.0},
            "lagrangian": "m/2*(xdot**2 + ydot**2 + zdot**2) - m*g*z", "holonomic": ["x**2 + y**2 + z**2 - 1"],
        },
        ("x*ydot - y*xdot",), measure="holds",
    ),
    "sph pend/stereo": Exam(
        "Lagrange",
        {
            "coordinates": "u v", "parameters": {"m": 1.0, "g": 2.0},
            "lagrangian": "2*m*(udot**2 + vdot**2)/(1 + u**2 + v**2)**2 + m*g*(1 - u**2 - v**2)/(1 + u**2 + v**2)",
        },
        ("(u*vdot - v*udot)/(1 + u**2 + v**2)**2",), measure="holds",
    ),
    "skate paraboloid/xyz": Exam(
        "the heading is seen from above",
        {
            "coordinates": "x y z th", "parameters": {"m": 1.0, "J": 0.2, "g": 1.0, "k": 0.4},
            "lagrangian": "m/2*(xdot**2 + ydot**2 + zdot**2) + J/2*thdot**2 - m*g*z", "holonomic": ["z - k*(x**2 + y**2)"],
            "constraints": ["xdot*sin(th) - ydot*cos(th)"],
        },
        ("thdot",), measure="fails",
    ),
    "skate paraboloid/xy": Exam(
        "the heading is seen from above",
        {
            "coordinates": "x y th", "parameters": {"m": 1.0, "J": 0.2, "g": 1.0, "k": 0.4},
            "lagrangian": "m/2*(xdot**2 + ydot**2 + 4*k**2*(x*xdot + y*ydot)**2) + J/2*thdot**2 - m*g*k*(x**2 + y**2)",
            "constraints": ["xdot*sin(th) - ydot*cos(th)"],
        },
        ("thdot",), measure="fails",
    ),
    "skate paraboloid/polar": Exam(
        "the heading is seen from above",
        {
            "coordinates": "r p be", "parameters": {"m": 1.0, "J": 0.2, "g": 1.0, "k": 0.4},
            "lagrangian": "m/2*(rdot**2*(1 + 4*k**2*r**2) + r**2*pdot**2) + J/2*(bedot + pdot)**2 - m*g*k*r**2",
            "constraints": ["rdot*sin(be) - r*pdot*cos(be)"],
        },
        ("bedot + pdot",), measure="fails", start={"r": 1.0},
    ),
    **MORE,
}
