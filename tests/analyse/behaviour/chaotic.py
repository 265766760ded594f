"""Systems nobody prepared, in plain coordinates, some of them chaotic; what is known of each is in the tests."""

from __future__ import annotations

import nonholo as nh

HENON_HEILES = nh.System(
    name="Hénon and Heiles",
    coordinates="x y",
    lagrangian="(xdot**2 + ydot**2)/2 - (x**2 + y**2)/2 - x**2*y + y**3/3",
)

DOUBLE_PENDULUM = nh.System(
    name="double pendulum",
    coordinates="a b",
    lagrangian="m1/2*l1**2*adot**2 + m2/2*(l1**2*adot**2 + l2**2*bdot**2 + 2*l1*l2*adot*bdot*cos(a - b)) "
    "+ (m1 + m2)*g*l1*cos(a) + m2*g*l2*cos(b)",
    parameters={"m1": 1.1, "m2": 0.7, "l1": 0.9, "l2": 1.2, "g": 9.81},
)

SPRING_PENDULUM = nh.System(
    name="spherical pendulum on a spring, Cartesian, its bob on a rod",
    coordinates="x y z u",
    lagrangian="m/2*(xdot**2 + ydot**2 + (zdot + udot)**2) + M/2*udot**2 - k/2*u**2 - m*g*(z + u) - M*g*u",
    holonomic=["x**2 + y**2 + z**2 - l**2"],
    parameters={"m": 0.8, "M": 1.3, "k": 40.0, "l": 1.0, "g": 9.81},
    start={"x": 0.8, "z": -0.6, "u": -0.9},
)
"""Redundant coordinates: the state manifold has dimension 6, two of the eight state variables are bound."""

CONTACT = nh.System(
    name="contact oscillator with chaos",
    coordinates="x1 y1 x2 y2 z",
    lagrangian="(x1dot**2 + y1dot**2 + x2dot**2 + y2dot**2 + zdot**2)/2 "
    "- (x1**2 + y1**2 + 1.7*x2**2 + 0.6*y2**2 + 1.3*z**2)/2 - x1**2*x2**2 - z**2*y1**2",
    constraints=["zdot - y1*x1dot - y2*x2dot"],
    start={"x1": 1.1, "y1": 0.4, "x2": -0.9, "y2": 0.7, "z": 0.8, "x1dot": 0.3, "y2dot": -0.6},
)

SKATE = nh.System(
    name="skate on a wavy surface",
    coordinates="x y theta",
    lagrangian="m/2*(xdot**2 + ydot**2) + J/2*thetadot**2 - m*g*h*(cos(x) + cos(1.3*y))",
    constraints=["ydot*cos(theta) - xdot*sin(theta)"],
    parameters={"m": 1.0, "J": 0.6, "g": 9.81, "h": 0.05},
    start={"x": 0.4, "y": 0.2, "theta": 0.3, "xdot": 0.9, "thetadot": 0.7},
)
"""The chosen speed xdot fails where the blade points across: the frame changes on the way."""

SUSLOV = nh.System(
    name="Suslov's body in a potential",
    frame=nh.SO3("R", rates="w1 w2 w3"),
    lagrangian="(I1*w1**2 + I2*w2**2 + I3*w3**2)/2 + I13*w1*w3 + I23*w2*w3 - b*R31 - c*R32**2 - d*R33",
    constraints=["w3"],
    parameters={"I1": 1.1, "I2": 1.7, "I3": 2.3, "I13": 0.2, "I23": -0.3, "b": 0.9, "c": 1.4, "d": 0.5},
    start={"w1": 1.6, "w2": 0.8},
)

SNAKEBOARD = nh.System(
    name="snakeboard with springs",
    coordinates="x y theta psi phi",
    lagrangian="m/2*(xdot**2 + ydot**2) + J/2*thetadot**2 + Jr/2*(thetadot + psidot)**2 + Jw*phidot**2 "
    "- k/2*psi**2 - c*(1 - cos(phi)) - e/2*(x**2 + y**2)",
    constraints=[
        "-xdot*sin(theta + phi) + ydot*cos(theta + phi) + l*thetadot*cos(phi)",
        "-xdot*sin(theta - phi) + ydot*cos(theta - phi) - l*thetadot*cos(phi)",
    ],
    parameters={"m": 1.4, "J": 0.3, "Jr": 0.2, "Jw": 0.05, "l": 0.5, "k": 2.0, "c": 1.1, "e": 0.7},
    start={"x": 0.6, "y": 0.2, "psi": 0.9, "phi": 0.7, "phidot": 0.5},
)

DRIVEN = nh.System(
    name="driven damped pendulum",
    coordinates="q",
    lagrangian="qdot**2/2 + cos(q)",
    forces={"q": "-qdot/2 + 1.2*cos(2*t/3)"},
    start={"q": 0.2},
)
"""Explicit time; damping 1/2, amplitude 1.2, frequency 2/3: Baker and Gollub's chaotic pendulum."""
