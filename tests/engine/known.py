"""Small systems of the textbooks, and what is known of each by hand."""

from __future__ import annotations

import cmath
from collections.abc import Callable

from tests.engine.record import Known, known

TURN = {"x": "-y", "y": "x"}
SLED = "m*((xdot - a*sin(th)*thdot)**2 + (ydot + a*cos(th)*thdot)**2)/2 + J*thdot**2/2"
BLADE = "ydot*cos(th) - xdot*sin(th)"
PLANAR = ({"x": "1"}, {"y": "1"}, {"x": "-y", "y": "x", "th": "1"})


def _pairs(*squares: float) -> tuple[complex, ...]:
    """``±√s`` for each."""
    return tuple(sign * cmath.sqrt(s) for s in squares for sign in (1, -1))


def systems() -> list[Known]:
    """All of them, made anew."""
    return [
        known(
            "two springs", "x y", "m*(xdot**2 + ydot**2)/2 - a*x**2/2 - b*y**2/2",
            parameters={"m": 1.3, "a": 0.7, "b": 1.9}, integrals=("m*xdot**2 + a*x**2", "m*ydot**2 + b*y**2"), most=2,
            measure="holds", equilibrium={"x": 0.0, "y": 0.0}, spectrum=_pairs(-0.7 / 1.3, -1.9 / 1.3),
        ),
        known(
            "quartic well", "x y", "(xdot**2 + ydot**2)/2 - k*(x**2 + y**2)**2/4", parameters={"k": 1.7}, symmetries=(TURN,),
            integrals=("(xdot**2 + ydot**2)/2 + k*(x**2 + y**2)**2/4", "x*ydot - y*xdot"), most=2, measure="holds",
        ),
        known(
            "spherical pendulum", "th ph", "l**2*(thdot**2 + sin(th)**2*phdot**2)/2 + g*l*cos(th)",
            parameters={"l": 1.2, "g": 3.1}, angles="ph", boxes={"th": (0.4, 2.4)}, symmetries=({"ph": "1"},),
            integrals=("l**2*(thdot**2 + sin(th)**2*phdot**2)/2 - g*l*cos(th)", "sin(th)**2*phdot"), most=2, measure="holds",
        ),
        known(
            "charge", "x y", "(xdot**2 + ydot**2)/2 + B*x*ydot", parameters={"B": 0.8},
            symmetries=({"x": "1"}, {"y": "1"}, TURN), integrals=("xdot - B*y", "ydot + B*x", "(xdot**2 + ydot**2)/2"),
            measure="holds",
        ),
        known(
            "weight", "x y", "m*(xdot**2 + ydot**2)/2 - m*g*x", parameters={"m": 1.4, "g": 2.0},
            symmetries=({"x": "1"}, {"y": "1"}), integrals=("(xdot**2 + ydot**2)/2 + g*x", "ydot"), measure="holds",
        ),
        known(
            "damped spring", "x y", "(xdot**2 + ydot**2)/2 - k*x**2/2", parameters={"k": 2.3, "c": 0.4},
            forces={"x": "-c*xdot"}, symmetries=({"y": "1"},), integrals=("ydot",), measure="fails",
        ),
        known(
            "double pendulum", "p q", "pdot**2 + qdot**2/2 + pdot*qdot*cos(p - q) + 2*g*cos(p) + g*cos(q)",
            parameters={"g": 1.9}, angles="p q",
            integrals=("pdot**2 + qdot**2/2 + pdot*qdot*cos(p - q) - 2*g*cos(p) - g*cos(q)",),
            measure="holds", equilibrium={"p": 0.0, "q": 0.0}, spectrum=_pairs(-1.9 * (2 - 2**0.5), -1.9 * (2 + 2**0.5)),
        ),
        known(
            "skate", "th x y", "m*(xdot**2 + ydot**2)/2 + J*thdot**2/2", parameters={"m": 1.1, "J": 0.4}, angles="th",
            constraints=(BLADE,), symmetries=PLANAR,
            integrals=("xdot**2 + ydot**2", "thdot", "thdot*x - sin(th)*(xdot*cos(th) + ydot*sin(th))"),
            measure="holds",
        ),
        known(
            "sleigh", "th x y", SLED, parameters={"m": 1.3, "J": 0.7, "a": 0.4}, angles="th", constraints=(BLADE,),
            symmetries=PLANAR, integrals=(SLED,), measure="fails",
        ),
        known(
            "skate on a slope", "th x y", "m*(xdot**2 + ydot**2)/2 + J*thdot**2/2 - m*g*x",
            parameters={"m": 1.1, "J": 0.4, "g": 2.0}, angles="th", constraints=(BLADE,), symmetries=({"x": "1"}, {"y": "1"}),
            integrals=("m*(xdot**2 + ydot**2)/2 + J*thdot**2/2 + m*g*x", "thdot"), measure="holds",
        ),
        known(
            "Heisenberg particle", "x y z", "m*(xdot**2 + ydot**2 + zdot**2)/2", parameters={"m": 1.6},
            constraints=("zdot - y*xdot",), symmetries=({"x": "1"}, {"z": "1"}), measure="holds",
            integrals=("ydot", "xdot*sqrt(1 + y**2)"),
        ),
        known(
            "Engel particle", "x y z w", "(xdot**2 + ydot**2 + zdot**2 + wdot**2)/2",
            constraints=("zdot - y*xdot", "wdot - z*xdot"), symmetries=({"x": "1"}, {"w": "1"}),
            integrals=("xdot**2 + ydot**2 + zdot**2 + wdot**2", "ydot"), measure="fails",
        ),
        known(
            "vertical disk", "x y th ph", "m*(xdot**2 + ydot**2)/2 + I1*thdot**2/2 + J*phdot**2/2",
            parameters={"m": 1.1, "I1": 0.3, "J": 0.2, "R": 0.6}, angles="th ph",
            constraints=("xdot - R*thdot*cos(ph)", "ydot - R*thdot*sin(ph)"), measure="holds",
            symmetries=({"x": "1"}, {"y": "1"}, {"th": "1"}, {"x": "-y", "y": "x", "ph": "1"}),
            integrals=("thdot", "phdot", "phdot*x - R*thdot*sin(ph)", "phdot*y + R*thdot*cos(ph)"),
        ),
        known(
            "well with a blade", "x y z", "(xdot**2 + ydot**2 + zdot**2)/2 - a*x**2/2 - b*y**2/2",
            parameters={"a": 0.7, "b": 1.9}, constraints=("zdot - y*xdot",), symmetries=({"z": "1"},), measure="holds",
            integrals=("ydot**2 + b*y**2", "xdot**2*(1 + y**2) + a*x**2"),
        ),
        known(
            "bead on a ring", "f x y", "(xdot**2 + ydot**2)/2 + fdot**2/5 - g*y", parameters={"r": 0.9, "g": 2.0}, angles="f",
            holonomic=("x - r*cos(f)", "y - r*sin(f)"), boxes={"f": (0.2, 1.2)},
            integrals=("(xdot**2 + ydot**2)/2 + fdot**2/5 + g*y",), measure="holds",
        ),
        known(
            "Atwood's machine", "x y", "m*xdot**2/2 + M*ydot**2/2 + m*g*x + M*g*y", parameters={"m": 1.0, "M": 1.7, "g": 2.0},
            holonomic=("x + y - 1",), symmetries=({"x": "1", "y": "-1"},), measure="holds",
            integrals=("m*xdot**2/2 + M*ydot**2/2 - m*g*x - M*g*y",),
        ),
        known(
            "trough", "x y z", "(xdot**2 + ydot**2 + zdot**2)/2 - g*z", parameters={"k": 0.6, "g": 2.0},
            holonomic=("z - k*x**2",), symmetries=({"y": "1"},), integrals=("(xdot**2 + zdot**2)/2 + g*z", "ydot"),
            measure="holds",
        ),
        known(
            "swirl", "x y z", "(xdot**2 + ydot**2 + zdot**2)/2", parameters={"c": 0.5}, constraints=("x*ydot - y*xdot - c",),
            boxes={"x": (0.5, 1.5)}, symmetries=({"z": "1"}, TURN), integrals=("xdot", "ydot", "zdot"),
        ),
        known(
            "driven spring", "x", "xdot**2/2 - k*x**2/2 + x*cos(t)", parameters={"k": 1.7, "c": 0.3}, forces={"x": "-c*xdot"},
            measure="fails",
        ),
        known("geodesic", "x y", "(xdot**2/(1 + y**2) + ydot**2)/2", symmetries=({"x": "1"},),
              integrals=("xdot**2/(1 + y**2) + ydot**2", "xdot/(1 + y**2)"), measure="holds"),
    ]  # fmt: skip


MAKERS: dict[str, Callable[[], Known]] = {one.name: (lambda k=k: systems()[k]) for k, one in enumerate(systems())}  # type: ignore[misc]
