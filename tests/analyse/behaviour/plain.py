"""Systems nobody prepared, in plain coordinates, written as users write them; what is known of each is in the tests."""

from __future__ import annotations

import nonholo as nh

DISK = nh.System(
    name="disk in Euler angles",
    coordinates="x y psi theta phi",
    lagrangian="m/2*(xdot**2 + ydot**2 + r**2*thetadot**2*cos(theta)**2) "
    "+ A/2*(thetadot**2 + psidot**2*sin(theta)**2) + C/2*(phidot + psidot*cos(theta))**2 - m*g*r*sin(theta)",
    constraints=[
        "xdot - r*(thetadot*sin(theta)*sin(psi) - (phidot + psidot*cos(theta))*cos(psi))",
        "ydot + r*(thetadot*sin(theta)*cos(psi) + (phidot + psidot*cos(theta))*sin(psi))",
    ],
    parameters={"m": 1.3, "g": 9.81, "r": 0.4, "A": 0.055, "C": 0.1},
    start={"theta": 1.5707963267948966, "phidot": 5.0},
)
"""The contact's plane coordinates are those of the centre; ``theta`` is the angle of its axis to the vertical."""

HOOP = nh.System(
    name="bead on a turning hoop",
    coordinates="q",
    lagrangian="m/2*(R**2*qdot**2 + R**2*Omega**2*sin(q)**2) + m*g*R*cos(q)",
    parameters={"m": 0.7, "R": 0.5, "Omega": 6.0, "g": 9.81},
)

GOVERNOR = nh.System(
    name="conical pendulum, Cartesian",
    coordinates="x y z",
    lagrangian="m/2*(xdot**2 + ydot**2 + zdot**2) - m*g*z",
    holonomic=["x**2 + y**2 + z**2 - l**2"],
    parameters={"m": 0.4, "l": 1.3, "g": 9.81},
    start={"x": 0.9, "z": -0.9380831519646859, "ydot": 2.911089},
)

CASTER = nh.System(
    name="towed caster on a spring",
    coordinates="y theta",
    lagrangian="m/2*((ydot + c*thetadot*cos(theta))**2 + (V + c*thetadot*sin(theta))**2) + J/2*thetadot**2 - k/2*y**2",
    constraints=["V*sin(theta) + ydot*cos(theta) + a*thetadot"],
    parameters={"m": 2.0, "J": 0.11, "c": 0.2, "a": 0.3, "k": 500.0, "V": 3.0},
)
"""A wheel trails a behind a pivot that is towed at V and held sideways by a spring; the centre of mass is c behind it."""

TRAILER = nh.System(
    name="sleigh with a trailer",
    coordinates="x y theta beta",
    lagrangian="M/2*(xdot**2 + ydot**2) + J/2*thetadot**2 + m/2*((xdot + l*(thetadot + betadot)*sin(theta + beta))**2 "
    "+ (ydot - l*(thetadot + betadot)*cos(theta + beta))**2) + K/2*(thetadot + betadot)**2 + M*a**2/2*thetadot**2 "
    "+ M*a*thetadot*(ydot*cos(theta) - xdot*sin(theta))",
    constraints=[
        "ydot*cos(theta) - xdot*sin(theta)",
        "(ydot - l*(thetadot + betadot)*cos(theta + beta))*cos(theta + beta) "
        "- (xdot + l*(thetadot + betadot)*sin(theta + beta))*sin(theta + beta)",
    ],
    parameters={"M": 1.4, "J": 0.3, "a": 0.25, "m": 0.6, "K": 0.05, "l": 0.8},
    start={"xdot": 1.0},
)

DAMPED = nh.System(
    name="sleigh with a damped swinging mass",
    coordinates="x y theta q",
    lagrangian="M/2*(xdot**2 + ydot**2) + J/2*thetadot**2 "
    "+ m/2*((xdot - qdot*sin(theta) - (b*sin(theta) + q*cos(theta))*thetadot)**2 "
    "+ (ydot + qdot*cos(theta) + (b*cos(theta) - q*sin(theta))*thetadot)**2) - k/2*q**2",
    constraints=["ydot*cos(theta) - xdot*sin(theta)"],
    forces={"q": "-c*qdot"},
    parameters={"M": 1.1, "J": 0.4, "m": 0.5, "b": 0.3, "k": 7.0, "c": 0.6},
    start={"xdot": 1.5},
)

CART = nh.System(
    name="pendulum on a damped cart",
    coordinates="x phi",
    lagrangian="(M + m)/2*xdot**2 + m*l*xdot*phidot*cos(phi) + m*l**2/2*phidot**2 + m*g*l*cos(phi)",
    forces={"x": "-c*xdot"},
    parameters={"M": 1.2, "m": 0.5, "l": 0.7, "c": 0.9, "g": 9.81},
)

WELLS = nh.System(
    name="skate in two wells",
    coordinates="x y theta",
    lagrangian="m/2*(xdot**2 + ydot**2) + J/2*thetadot**2 - (x**2 - 1)**2/4 - k/2*y**2 - kappa/2*sin(theta)**2",
    constraints=["ydot*cos(theta) - xdot*sin(theta)"],
    parameters={"m": 0.8, "J": 0.3, "k": 2.1, "kappa": 1.7},
)
"""The constraint cuts forces: at theta = 0 any y is an equilibrium when x is one of −1, 0, 1."""

BOWL = nh.System(
    name="ball in a paraboloid, Cartesian",
    frame=nh.SO3("R", rates="w1 w2 w3", side="spatial") * nh.Euclidean("x y"),
    lagrangian="I*(w1**2 + w2**2 + w3**2)/2 + m*((k*x*xdot + k*y*ydot)**2 + xdot**2 + ydot**2)/2 - g*k*m*(x**2 + y**2)/2",
    constraints=[
        "xdot - r*(k*w3*y/sqrt(k**2*x**2 + k**2*y**2 + 1) + w2/sqrt(k**2*x**2 + k**2*y**2 + 1))",
        "ydot - r*(-k*w3*x/sqrt(k**2*x**2 + k**2*y**2 + 1) - w1/sqrt(k**2*x**2 + k**2*y**2 + 1))",
    ],
    parameters={"m": 1.0, "I": 0.04, "r": 0.3, "k": 0.5, "g": 9.81},
)

SPRINGS = nh.System(
    name="two parallel points with a spring",
    coordinates="x1 y1 x2 y2",
    lagrangian="(m1*(x1dot**2 + y1dot**2) + m2*(x2dot**2 + y2dot**2))/2 - k*((x1 - x2)**2 + (y1 - y2)**2)/2",
    constraints=["x1dot*y2dot - x2dot*y1dot"],
    parameters={"m1": 1.0, "m2": 2.0, "k": 1.3},
    start={"x1": 0.3, "x2": 0.3, "x1dot": 1.0, "x2dot": 1.0},
)

SUSLOV = nh.System(
    name="Suslov's body on its algebra",
    frame=nh.LieAlgebra({("w1", "w2"): "w3", ("w2", "w3"): "w1", ("w3", "w1"): "w2"}, rates="w1 w2 w3"),
    lagrangian="(I1*w1**2 + I2*w2**2 + I3*w3**2)/2 + I13*w1*w3 + I23*w2*w3",
    constraints=["w3"],
    parameters={"I1": 1.1, "I2": 1.7, "I3": 2.3, "I13": 0.4, "I23": -0.3},
    start={"w1": 0.6, "w2": 0.8},
)

SWINGING = nh.System(
    name="sleigh with a swinging mass",
    coordinates="x y theta q",
    lagrangian="M/2*(xdot**2 + ydot**2) + J/2*thetadot**2 "
    "+ m/2*((xdot - qdot*sin(theta) - q*cos(theta)*thetadot)**2 "
    "+ (ydot + qdot*cos(theta) - q*sin(theta)*thetadot)**2) - k/2*q**2",
    constraints=["ydot*cos(theta) - xdot*sin(theta)"],
    parameters={"M": 1.1, "J": 0.4, "m": 0.5, "k": 7.0},
    start={"xdot": 0.4, "thetadot": 1.3, "q": 0.3},
)
"""Its heading turns through the upright, where xdot is no speed any more."""

TOP = nh.System(
    name="heavy top by a quaternion",
    frame=nh.Quaternion("q", rates="w1 w2 w3"),
    lagrangian="A*(w1**2 + w2**2)/2 + C*w3**2/2 - m*g*l*(1 - 2*(q1**2 + q2**2))",
    parameters={"A": 0.02, "C": 0.013, "m": 0.6, "g": 9.81, "l": 0.11},
)

SPRING = nh.System(
    name="spring pendulum",
    coordinates="x y",
    lagrangian="m*(xdot**2 + ydot**2)/2 - m*g*y - k/2*(sqrt(x**2 + y**2) - l)**2",
    parameters={"m": 0.7, "g": 9.81, "k": 30.0, "l": 0.8},
)

RINGS = nh.System(
    name="damping by energy",
    coordinates="q",
    lagrangian="qdot**2/2 - q**2/2",
    forces={"q": "-qdot*(mu - (qdot**2 + q**2) + (qdot**2 + q**2)**2/4)"},
    parameters={"mu": 0.75},
)
"""Circles of energy E with ``D(E) = μ − 2E + E² = 0`` are orbits of period 2π; they meet at μ = 1, E = 1."""

PUMPED = nh.System(
    name="pumped oscillator with a drag",
    coordinates="x tau",
    lagrangian="xdot**2/2 + taudot**2/2 - (a - 2*h*cos(tau))*x**2/2",
    constraints=["taudot - 2"],
    forces={"x": "-c*xdot"},
    parameters={"a": 0.1, "h": 0.5, "c": 0.0},
)
"""Mathieu's equation ``ẍ + c ẋ + (a − 2h cos 2t) x = 0``; the time is a coordinate."""

HENON = nh.System(
    name="Hénon and Heiles",
    coordinates="x y",
    lagrangian="(xdot**2 + ydot**2)/2 - (x**2 + y**2)/2 - x**2*y + y**3/3",
)

TRACTOR = nh.System(
    name="tractor with a trailer",
    coordinates="x y theta psi alpha",
    lagrangian=(
        "M/2*(xdot**2 + ydot**2) + J/2*thetadot**2 + I/2*psidot**2 + Ia/2*alphadot**2"
        " + m/2*((xdot + d*psidot*sin(psi))**2 + (ydot - d*psidot*cos(psi))**2)"
    ),
    constraints=[
        "-sin(theta)*xdot + cos(theta)*ydot",
        "-sin(psi)*xdot + cos(psi)*ydot - d*psidot",
        "-sin(theta + alpha)*xdot + cos(theta + alpha)*ydot + l*thetadot*cos(alpha)",
    ],
    parameters={"M": 3.1, "m": 1.2, "J": 0.7, "I": 0.3, "Ia": 0.05, "d": 1.1, "l": 0.9},
    start={"xdot": 1.0, "alpha": 0.35, "psi": -0.2},
)
