"""Machines from a workshop, in plain coordinates as they were first written down; what is known of each is in the tests."""

from __future__ import annotations

import nonholo as nh

SKATEBOARD = nh.System(
    name="skateboard with steering by leaning",
    coordinates="x y theta phi",
    lagrangian="m/2*((xdot - h*sin(phi)*thetadot*cos(theta) - h*cos(phi)*phidot*sin(theta))**2 "
    "+ (ydot - h*sin(phi)*thetadot*sin(theta) + h*cos(phi)*phidot*cos(theta))**2 + h**2*sin(phi)**2*phidot**2) "
    "+ J/2*thetadot**2 + I/2*phidot**2 - m*g*h*cos(phi) - k/2*phi**2",
    constraints=["ydot*cos(theta) - xdot*sin(theta)", "l*thetadot - s*phi*(xdot*cos(theta) + ydot*sin(theta))"],
    parameters={"m": 60.0, "h": 0.9, "J": 2.3, "I": 8.0, "g": 9.81, "k": 400.0, "l": 0.45, "s": 0.6},
    start={"xdot": 2.0},
)

SEGWAY = nh.System(
    name="two-wheeled inverted pendulum",
    coordinates="x y theta alpha p1 p2",
    lagrangian="M/2*(xdot**2 + ydot**2) + J/2*thetadot**2 "
    "+ m/2*((xdot + l*cos(alpha)*alphadot*cos(theta) - l*sin(alpha)*thetadot*sin(theta))**2 "
    "+ (ydot + l*cos(alpha)*alphadot*sin(theta) + l*sin(alpha)*thetadot*cos(theta))**2 + l**2*sin(alpha)**2*alphadot**2) "
    "+ I/2*alphadot**2 + W/2*(p1dot**2 + p2dot**2) - m*g*l*cos(alpha)",
    constraints=[
        "ydot*cos(theta) - xdot*sin(theta)",
        "xdot*cos(theta) + ydot*sin(theta) + b*thetadot - R*p1dot",
        "xdot*cos(theta) + ydot*sin(theta) - b*thetadot - R*p2dot",
    ],
    parameters={"M": 6.0, "J": 0.12, "m": 31.0, "l": 0.42, "I": 2.1, "W": 0.03, "R": 0.2, "b": 0.25, "g": 9.81},
)

TRAILER = nh.System(
    name="car with a trailer hitched behind its axle",
    coordinates="x y theta psi",
    lagrangian="M/2*(xdot**2 + ydot**2) + J/2*thetadot**2 + m/2*((xdot + c*thetadot*sin(theta) + d*psidot*sin(psi))**2 "
    "+ (ydot - c*thetadot*cos(theta) - d*psidot*cos(psi))**2) + K/2*psidot**2",
    constraints=[
        "ydot*cos(theta) - xdot*sin(theta)",
        "(ydot - c*thetadot*cos(theta) - d*psidot*cos(psi))*cos(psi) "
        "- (xdot + c*thetadot*sin(theta) + d*psidot*sin(psi))*sin(psi)",
    ],
    parameters={"M": 900.0, "J": 700.0, "m": 300.0, "K": 120.0, "c": 0.7, "d": 2.1},
    start={"xdot": 3.0},
)

RACER = nh.System(
    name="roller racer with a spring",
    coordinates="x y theta phi",
    lagrangian="m/2*(xdot**2 + ydot**2) + I/2*thetadot**2 + J/2*(thetadot + phidot)**2 - k/2*phi**2",
    constraints=[
        "ydot*cos(theta) - xdot*sin(theta)",
        "ydot*cos(theta + phi) - xdot*sin(theta + phi) + (a*cos(phi) + b)*thetadot + b*phidot",
    ],
    parameters={"m": 2.0, "I": 0.3, "J": 0.05, "a": 0.4, "b": 0.15, "k": 0.7},
    start={"xdot": 1.0},
)

SLED = nh.System(
    name="sled with a mass that slides across",
    coordinates="x y theta s",
    lagrangian="M/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2 "
    "+ m/2*((xdot - sdot*sin(theta) - s*thetadot*cos(theta))**2 + (ydot + sdot*cos(theta) - s*thetadot*sin(theta))**2) "
    "- k/2*s**2",
    constraints=["ydot*cos(theta) - xdot*sin(theta)"],
    forces={"s": "-c*sdot"},
    parameters={"M": 3.0, "J": 0.4, "a": 0.2, "m": 0.9, "k": 11.0, "c": 0.8},
    start={"xdot": 1.5},
)

UNICYCLE = nh.System(
    name="unicycle with a rider",
    coordinates="x y psi theta phi beta",
    lagrangian="m/2*(xdot**2 + ydot**2 + r**2*thetadot**2*cos(theta)**2) + A/2*(thetadot**2 + psidot**2*sin(theta)**2) "
    "+ C/2*(phidot + psidot*cos(theta))**2 - m*g*r*sin(theta) + M/2*((xdot - L*betadot*cos(beta)*cos(psi))**2 "
    "+ (ydot - L*betadot*cos(beta)*sin(psi))**2 + (r*thetadot*cos(theta) - L*betadot*sin(beta))**2) "
    "- M*g*(r*sin(theta) + L*cos(beta))",
    constraints=[
        "xdot - r*(thetadot*sin(theta)*sin(psi) - (phidot + psidot*cos(theta))*cos(psi))",
        "ydot + r*(thetadot*sin(theta)*cos(psi) + (phidot + psidot*cos(theta))*sin(psi))",
    ],
    parameters={"m": 5.0, "g": 9.81, "r": 0.25, "A": 0.11, "C": 0.2, "M": 50.0, "L": 0.8},
    start={"theta": 1.5707963267948966, "phidot": -6.0},
)
"""The rider sways fore and aft, β from the upright."""

CYLINDER = nh.System(
    name="cylinder with an eccentric mass on a slope",
    coordinates="x phi",
    lagrangian="M/2*xdot**2 + J/2*phidot**2 + m/2*((xdot + e*cos(phi)*phidot)**2 + e**2*sin(phi)**2*phidot**2) "
    "+ (M + m)*g*x*sin(alpha) - m*g*e*cos(phi + alpha)",
    constraints=["xdot - R*phidot"],
    forces={"phi": "-c*phidot"},
    parameters={"M": 1.2, "J": 0.03, "m": 0.8, "e": 0.15, "R": 0.2, "g": 9.81, "alpha": 0.1, "c": 0.05},
)

HOOP = nh.System(
    name="rolling hoop with a bead",
    coordinates="x phi q",
    lagrangian="M*xdot**2/2 + M*R**2*phidot**2/2 + m/2*((xdot + R*cos(q)*qdot)**2 + R**2*sin(q)**2*qdot**2) + m*g*R*cos(q)",
    constraints=["xdot - R*phidot"],
    parameters={"M": 0.7, "m": 0.4, "R": 0.3, "g": 9.81},
    start={"q": 0.4},
)

CUP = nh.System(
    name="ball in a turning cup",
    frame=nh.SO3("R", rates="w1 w2 w3", side="spatial") * nh.Euclidean("x y"),
    lagrangian="I*(w1**2 + w2**2 + w3**2)/2 + m*((k*x*xdot + k*y*ydot)**2 + xdot**2 + ydot**2)/2 - g*k*m*(x**2 + y**2)/2",
    constraints=[
        "xdot + W*y - r*(k*w3*y/sqrt(k**2*x**2 + k**2*y**2 + 1) + w2/sqrt(k**2*x**2 + k**2*y**2 + 1))",
        "ydot - W*x - r*(-k*w3*x/sqrt(k**2*x**2 + k**2*y**2 + 1) - w1/sqrt(k**2*x**2 + k**2*y**2 + 1))",
    ],
    parameters={"m": 0.4, "I": 0.004, "r": 0.1, "k": 1.3, "g": 9.81, "W": 2.0},
)

SWAYING = nh.System(
    name="blade with a pendulum that swings across",
    coordinates="x y theta q",
    lagrangian="M/2*(xdot**2 + ydot**2) + J/2*thetadot**2 "
    "+ m/2*((xdot - l*cos(q)*qdot*sin(theta) - l*sin(q)*thetadot*cos(theta))**2 "
    "+ (ydot + l*cos(q)*qdot*cos(theta) - l*sin(q)*thetadot*sin(theta))**2 + l**2*sin(q)**2*qdot**2) + m*g*l*cos(q)",
    constraints=["ydot*cos(theta) - xdot*sin(theta)"],
    parameters={"M": 1.6, "J": 0.2, "m": 0.5, "l": 0.35, "g": 9.81},
    start={"xdot": 1.2},
)

ROTOR = nh.System(
    name="disk with a rotor on its axle",
    coordinates="x y psi theta phi rho",
    lagrangian="m/2*(xdot**2 + ydot**2 + r**2*thetadot**2*cos(theta)**2) + A/2*(thetadot**2 + psidot**2*sin(theta)**2) "
    "+ C/2*(phidot + psidot*cos(theta))**2 + D/2*(rhodot + psidot*cos(theta))**2 - m*g*r*sin(theta)",
    constraints=[
        "xdot - r*(thetadot*sin(theta)*sin(psi) - (phidot + psidot*cos(theta))*cos(psi))",
        "ydot + r*(thetadot*sin(theta)*cos(psi) + (phidot + psidot*cos(theta))*sin(psi))",
    ],
    parameters={"m": 1.3, "g": 9.81, "r": 0.4, "A": 0.055, "C": 0.1, "D": 0.07},
    start={"theta": 1.5707963267948966, "phidot": 5.0, "rhodot": -20.0},
)
