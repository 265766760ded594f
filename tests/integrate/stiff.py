"""Stiff systems as users write them: friction, contact, fast actuators, strong drag in place of a blade."""

from __future__ import annotations

from math import cos, sin

import nonholo as nh


def belt() -> nh.System:
    """A block on a spring, dragged by a belt: stick and slip by regularised Coulomb friction."""
    return nh.System(
        name="block on a belt", coordinates="x",
        parameters={"m": 1.3, "k": 20.0, "mu": 0.4, "eps": 1e-6, "u": 0.25, "g": 9.81},
        lagrangian="m/2*xdot**2 - k/2*x**2", forces={"x": "-mu*m*g*tanh((xdot - u)/eps)"},
        start={"x": 0.0, "xdot": 0.25}, until=5.0,
    )  # fmt: skip


def ball() -> nh.System:
    """A ball dropped with backspin on a hard floor: Hunt and Crossley's contact, friction until it rolls."""
    press = "Max(0, k*Max(0, r - z)**1.5*(1 - c*zdot))"
    slip = "tanh((xdot - r*phidot)/eps)"
    return nh.System(
        name="ball dropped on a floor", coordinates="x z phi",
        parameters={"m": 0.2, "r": 0.05, "k": 1e7, "c": 20.0, "mu": 0.3, "eps": 1e-5, "g": 9.81},
        lagrangian="m/2*(xdot**2 + zdot**2) + m*r**2/5*phidot**2 - m*g*z",
        forces={"z": press, "x": f"-mu*{press}*{slip}", "phi": f"r*mu*{press}*{slip}"},
        start={"z": 0.06, "xdot": 1.0, "phidot": -3.0}, until=3.0,
    )  # fmt: skip


def motor() -> nh.System:
    """A cart driven by a motor whose current settles within a microsecond, under an alternating voltage."""
    return nh.System(
        name="cart with a fast motor", coordinates="x q", parameters={"m": 1.2, "L": 1e-6, "R": 2.0, "K": 0.7},
        lagrangian="m/2*xdot**2 + L/2*qdot**2", forces={"q": "V - R*qdot - K*xdot", "x": "K*qdot"},
        inputs={"V": "3*cos(3*t)"}, start={"xdot": 0.2}, until=5.0,
    )  # fmt: skip


def blade(drag: float = 1e5) -> nh.System:
    """Chaplygin's sleigh without its constraint: the blade resists sideways by a strong drag."""
    side = "(ydot*cos(theta) - xdot*sin(theta))"
    return nh.System(
        name="sleigh on a viscous blade", coordinates="theta x y", parameters={"m": 1.3, "J": 0.7, "a": 0.4, "c": drag},
        lagrangian="m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2",
        forces={"x": f"c*{side}*sin(theta)", "y": f"-c*{side}*cos(theta)"},
        start={"theta": 0.2, "thetadot": 1.3, "xdot": 0.5 * cos(0.2), "ydot": 0.5 * sin(0.2)}, until=10.0,
    )  # fmt: skip


def robot() -> nh.System:
    """A two-wheeled robot in plain coordinates, rolling exactly, its wheels driven by motors of small inductance."""
    wheels = [f"r*{w}dot - (xdot*cos(th) + ydot*sin(th) {s} b*thdot)" for w, s in (("a", "+"), ("c", "-"))]
    return nh.System(
        name="robot with motors", coordinates="x y th a c p q",
        parameters={"m": 4.0, "I": 0.3, "J": 0.01, "r": 0.1, "b": 0.2, "L": 1e-5, "R": 1.5, "K": 0.6, "d": 0.05},
        lagrangian=(
            "m/2*((xdot - d*thdot*sin(th))**2 + (ydot + d*thdot*cos(th))**2) + I/2*thdot**2 + J/2*(adot**2 + cdot**2)"
            " + L/2*(pdot**2 + qdot**2)"
        ),
        constraints=["ydot*cos(th) - xdot*sin(th)", *wheels],
        forces={"p": "6 - R*pdot - K*adot", "q": "5*cos(t) - R*qdot - K*cdot", "a": "K*pdot", "c": "K*qdot"},
        start={}, until=3.0,
    )  # fmt: skip
