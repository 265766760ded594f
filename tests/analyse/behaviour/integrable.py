"""Integrable systems nobody prepared, in plain coordinates: all their Lyapunov exponents are zero."""

from __future__ import annotations

import nonholo as nh

TODA = nh.System(
    name="three particles of Toda",
    coordinates="a b c",
    lagrangian="(adot**2 + bdot**2 + cdot**2)/2 - exp(a - b) - exp(b - c) - exp(c - a)",
    start={"a": 0.3, "b": -0.7, "c": 0.5, "adot": 0.4, "bdot": -0.9, "cdot": 0.6},
)
"""Three integrals [Hénon 1974]; to third order it is Hénon's and Heiles's system, which is chaotic."""

KEPLER = nh.System(
    name="planet in Cartesian coordinates",
    coordinates="x y z",
    lagrangian="(xdot**2 + ydot**2 + zdot**2)/2 + 1/sqrt(x**2 + y**2 + z**2)",
    start={"x": 1.1, "ydot": 0.8, "zdot": 0.3},
)

QUARTIC = nh.System(
    name="two quartic springs, turned by an angle",
    coordinates="x y",
    lagrangian="(xdot**2 + ydot**2)/2 - (0.8*x + 0.6*y)**4/4 - (0.8*y - 0.6*x)**2/2 - (0.8*y - 0.6*x)**4/7",
    start={"x": 0.9, "y": 0.2, "xdot": -0.1, "ydot": 0.6},
)

TOP = nh.System(
    name="heavy symmetric top",
    coordinates="phi theta psi",
    lagrangian="A/2*(thetadot**2 + phidot**2*sin(theta)**2) + C/2*(psidot + phidot*cos(theta))**2 - m*g*l*cos(theta)",
    parameters={"A": 1.3, "C": 0.7, "m": 0.9, "g": 9.81, "l": 0.4},
    start={"theta": 0.8, "phidot": 1.1, "psidot": 9.0},
)

BODY = nh.System(
    name="free asymmetric body by its rotation matrix",
    frame=nh.SO3("R", rates="w1 w2 w3"),
    lagrangian="(1.1*w1**2 + 1.9*w2**2 + 2.6*w3**2)/2",
    start={"w1": 0.9, "w2": 0.7, "w3": -0.4},
)
"""A motion of Euler and Poinsot."""

BALL = nh.System(
    name="homogeneous ball on a turntable of its own",
    frame=nh.SO3("R", rates="w1 w2 w3") * nh.Euclidean("x y"),
    lagrangian="m/2*(xdot**2 + ydot**2) + k*m*r**2/2*(w1**2 + w2**2 + w3**2)",
    constraints=[
        "xdot + Omega*y - r*(R21*w1 + R22*w2 + R23*w3)",
        "ydot - Omega*x + r*(R11*w1 + R12*w2 + R13*w3)",
    ],
    parameters={"m": 0.6, "k": 0.4, "r": 0.3, "Omega": 1.7},
    start={"x": 0.4, "y": 0.1, "w1": 0.5, "w3": 0.7},
)
"""Its centre goes round in circles [Earnshaw 1844]."""

SPRING_ON_A_BLADE = nh.System(
    name="particle with the constraint of Heisenberg in a bowl",
    coordinates="x y z",
    lagrangian="(xdot**2 + ydot**2 + zdot**2)/2 - x**2/2",
    constraints=["zdot - y*xdot"],
    start={"x": 0.7, "y": 0.3, "xdot": 0.2, "ydot": 0.1},
)

ALL = {"Toda": TODA, "Kepler": KEPLER, "quartic": QUARTIC, "top": TOP, "body": BODY, "ball": BALL, "blade": SPRING_ON_A_BLADE}
