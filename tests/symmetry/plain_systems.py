"""Systems of the literature as a user writes them: plain coordinates, no quasi-velocities; and what is known of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import nonholo as nh


@dataclass(frozen=True)
class Case:
    """A system, what the literature says is constant (text in the system's names), and where it says so."""

    reference: str
    words: dict[str, Any]
    known: tuple[str, ...] = ()
    energy: bool = True
    momenta: int = 0
    """How many integrals linear in the velocities there are at least."""
    parameters: dict[str, float] = field(default_factory=dict)
    special: tuple[str, ...] = ()
    """What is constant for these parameters only."""

    def system(self) -> nh.System:
        return nh.System(**self.words)


def _frame(plain: str = "", side: str = "body") -> nh.Frame:
    rotation = nh.SO3("R", rates="w1 w2 w3", side=side)
    return rotation * nh.Euclidean(plain) if plain else rotation


BODY = "(I1*w1**2 + I2*w2**2 + I3*w3**2)/2"
SPACE = [f"(R{i}1*w1 + R{i}2*w2 + R{i}3*w3)" for i in (1, 2, 3)]
MOMENTUM = [f"(I1*R{i}1*w1 + I2*R{i}2*w2 + I3*R{i}3*w3)" for i in (1, 2, 3)]

CASES: dict[str, Case] = {
    "Veselova": Case(
        "Veselova 1986; Veselov and Veselova 1988",
        {"frame": _frame(), "parameters": "I1 I2 I3", "lagrangian": BODY, "constraints": ["R31*w1 + R32*w2 + R33*w3"]},
        (MOMENTUM[0], MOMENTUM[1]),
    ),
    "Chaplygin's ball": Case(
        "Chaplygin 1903: momentum about the point of contact, and its square",
        {
            "frame": _frame("x y"),
            "parameters": "I1 I2 I3 m r",
            "lagrangian": f"{BODY} + m*(xdot**2 + ydot**2)/2",
            "constraints": [f"xdot - r*{SPACE[1]}", f"ydot + r*{SPACE[0]}"],
        },
        (
            f"{MOMENTUM[0]} - m*r*ydot",
            f"{MOMENTUM[1]} + m*r*xdot",
            MOMENTUM[2],
            f"({MOMENTUM[0]} - m*r*ydot)**2 + ({MOMENTUM[1]} + m*r*xdot)**2 + {MOMENTUM[2]}**2",
        ),
    ),
    "rubber ball": Case(
        "Ehlers, Koiller, Montgomery and Rios 2005; Borisov and Mamaev 2007",
        {
            "frame": _frame("x y"),
            "parameters": "I1 I2 I3 m r",
            "lagrangian": f"{BODY} + m*(xdot**2 + ydot**2)/2",
            "constraints": [f"xdot - r*{SPACE[1]}", f"ydot + r*{SPACE[0]}", "R31*w1 + R32*w2 + R33*w3"],
        },
        (f"{MOMENTUM[0]} - m*r*ydot", f"{MOMENTUM[1]} + m*r*xdot"),
    ),
    "Suslov, Kharlamova's case": Case(
        "Kharlamova-Zabelina 1957",
        {
            "frame": _frame(),
            "parameters": "I1 I2 I13 I23 I3 b1 b2",
            "lagrangian": f"{BODY} + I13*w1*w3 + I23*w2*w3 - b1*R31 - b2*R32",
            "constraints": ["w3"],
        },
        parameters={"I1": 1.3, "I2": 0.7, "I3": 1.1, "I13": 0.0, "I23": 0.0, "b1": 0.4, "b2": 0.9},
        special=("I1*b1*w1 + I2*b2*w2",),
    ),
    "Suslov, Kozlov's case": Case(
        "Kozlov 1985: equal moments, weight along the axis without rotation",
        {
            "frame": _frame(),
            "parameters": "A C b",
            "lagrangian": "A*(w1**2 + w2**2)/2 + C*w3**2/2 - b*R33",
            "constraints": ["w3"],
        },
        ("w1*R31 + w2*R32",),
    ),
    "ball on an inclined plane": Case(
        "Routh 1884: a homogeneous ball; the spin about the normal and the momentum across the slope",
        {
            "frame": _frame("x y", "spatial"),
            "parameters": "m J r g alpha",
            "lagrangian": "m*(xdot**2 + ydot**2)/2 + J*(w1**2 + w2**2 + w3**2)/2 - m*g*x*sin(alpha)",
            "constraints": ["xdot - r*w2", "ydot + r*w1"],
        },
        ("w3", "ydot"),
    ),
    "ball in a vertical cylinder": Case(
        "Routh 1884; Neimark and Fufaev 1972",
        {
            "frame": _frame("phi z", "spatial"),
            "parameters": "m J r b g",
            "lagrangian": "m*(b**2*phidot**2 + zdot**2)/2 + J*(w1**2 + w2**2 + w3**2)/2 - m*g*z",
            "constraints": ["zdot - r*(w1*sin(phi) - w2*cos(phi))", "b*phidot + r*w3"],
        },
        ("w3", "b*(w1*cos(phi) + w2*sin(phi)) - z*w3"),
    ),
    "figure skater on an incline": Case(
        "Neimark and Fufaev 1972; Bloch 2003",
        {
            "coordinates": "y phi x",
            "parameters": "m J g alpha",
            "lagrangian": "m*(xdot**2 + ydot**2)/2 + J*phidot**2/2 + m*g*x*sin(alpha)",
            "constraints": ["xdot*sin(phi) - ydot*cos(phi)"],
        },
        ("phidot", "phidot*(xdot*cos(phi) + ydot*sin(phi)) - g*sin(alpha)*sin(phi)"),
    ),
    "skate on a vertical cylinder": Case(
        "the skate of Neimark and Fufaev on a developable surface",
        {
            "coordinates": "phi z psi",
            "parameters": "m J b g",
            "lagrangian": "m*(b**2*phidot**2 + zdot**2)/2 + J*psidot**2/2 - m*g*z",
            "constraints": ["zdot*cos(psi) - b*phidot*sin(psi)"],
        },
        ("psidot", "psidot*(b*phidot*cos(psi) + zdot*sin(psi)) - g*cos(psi)"),
    ),
    "vertical disk": Case(
        "Bloch 2003, 1.4",
        {
            "coordinates": "x y theta phi",
            "parameters": "m I J R",
            "lagrangian": "m*(xdot**2 + ydot**2)/2 + I*thetadot**2/2 + J*phidot**2/2",
            "constraints": ["xdot - R*cos(phi)*thetadot", "ydot - R*sin(phi)*thetadot"],
        },
        ("thetadot", "phidot"),
    ),
    "nonholonomic particle": Case(
        "Rosenberg 1977; Bates and Śniatycki 1993: a coefficient with a root",
        {"coordinates": "x y z", "lagrangian": "(xdot**2 + ydot**2 + zdot**2)/2", "constraints": ["zdot - y*xdot"]},
        ("ydot", "xdot*sqrt(1 + y**2)"),
    ),
    "Brockett's integrator": Case(
        "Bloch 2003: free motion on the Heisenberg group",
        {
            "coordinates": "z x y",
            "lagrangian": "(xdot**2 + ydot**2 + zdot**2)/2",
            "constraints": ["zdot - x*ydot + y*xdot"],
        },
        ("xdot", "ydot"),
    ),
    "two-wheeled cart": Case(
        "Bloch 2003: the axle through the centre of mass; both wheels turn evenly, the heading follows from them",
        {
            "coordinates": "x y theta p1 p2",
            "parameters": "m J I r b",
            "lagrangian": "m*(xdot**2 + ydot**2)/2 + J*thetadot**2/2 + I*(p1dot**2 + p2dot**2)/2",
            "constraints": [
                "ydot*cos(theta) - xdot*sin(theta)",
                "xdot*cos(theta) + ydot*sin(theta) + b*thetadot - r*p1dot",
                "xdot*cos(theta) + ydot*sin(theta) - b*thetadot - r*p2dot",
            ],
        },
        ("p1dot", "p2dot", "2*b*theta - r*(p1 - p2)"),
    ),
    "skate with friction in its pivot": Case(
        "a linear force: the momentum and c θ together",
        {
            "coordinates": "x y theta",
            "parameters": "m J c",
            "lagrangian": "m*(xdot**2 + ydot**2)/2 + J*thetadot**2/2",
            "constraints": ["xdot*sin(theta) - ydot*cos(theta)"],
            "forces": {"theta": "-c*thetadot"},
        },
        ("J*thetadot + c*theta", "xdot*cos(theta) + ydot*sin(theta)"),
        energy=False,
    ),
    "ball on a turntable": Case(
        "Earnshaw 1844; Bloch, Krishnaprasad, Marsden and Murray 1996: the centre of the circle",
        {
            "frame": _frame("x y", "spatial"),
            "parameters": "m J r W",
            "lagrangian": "m*(xdot**2 + ydot**2)/2 + J*(w1**2 + w2**2 + w3**2)/2",
            "constraints": ["xdot - r*w2 + W*y", "ydot + r*w1 - W*x"],
        },
        ("w3", "J*w2 + m*r*xdot", "J*w1 - m*r*ydot"),
        energy=False,
    ),
    "disk on a turntable": Case(
        "Fassò and Sansonetto 2015: the moving energy E − W J of affine constraints",
        {
            "coordinates": "x y theta phi",
            "parameters": "m I J R W",
            "lagrangian": "m*(xdot**2 + ydot**2)/2 + I*thetadot**2/2 + J*phidot**2/2",
            "constraints": ["xdot + W*y - R*cos(phi)*thetadot", "ydot - W*x - R*sin(phi)*thetadot"],
        },
        (
            "phidot",
            "m*(xdot**2 + ydot**2)/2 + I*thetadot**2/2 + J*phidot**2/2 - W*(m*(x*ydot - y*xdot) + J*phidot)",
        ),
        energy=False,
    ),
    "ball on a rotating sphere": Case(
        "Fassò and Sansonetto 2016: the moving energy of a ball on a surface that turns",
        {
            "frame": _frame("th ph", "spatial"),
            "parameters": "m J a b g W",
            "lagrangian": "J*(w1**2 + w2**2 + w3**2)/2 + m*(a + b)**2*(thdot**2 + phdot**2*sin(th)**2)/2 - m*g*(a + b)*cos(th)",
            "constraints": [
                "thdot*(a + b) - a*(w2*cos(ph) - w1*sin(ph))",
                "(phdot*(a + b) - W*b)*sin(th) - a*(w3*sin(th) - (w1*cos(ph) + w2*sin(ph))*cos(th))",
            ],
        },
        (
            "J*(w1**2 + w2**2 + w3**2)/2 + m*(a + b)**2*(thdot**2 + phdot**2*sin(th)**2)/2 + m*g*(a + b)*cos(th)"
            " - W*(J*w3 + m*(a + b)**2*phdot*sin(th)**2)",
        ),
        energy=False,
    ),
    "two parallel points": Case(
        "Benenti 2008: velocities kept parallel; the total momentum along them",
        {
            "coordinates": "x1 y1 x2 y2",
            "parameters": "m1 m2",
            "lagrangian": "(m1*(x1dot**2 + y1dot**2) + m2*(x2dot**2 + y2dot**2))/2",
            "constraints": ["x1dot*y2dot - x2dot*y1dot"],
        },
        ("(m1*x1dot + m2*x2dot)**2 + (m1*y1dot + m2*y2dot)**2",),
    ),
    "two parallel points on an incline": Case(
        "Benenti 2008: the difference of the speeds",
        {
            "coordinates": "x1 y1 x2 y2",
            "parameters": "m1 m2 g",
            "lagrangian": "(m1*(x1dot**2 + y1dot**2) + m2*(x2dot**2 + y2dot**2))/2 - g*(m1*y1 + m2*y2)",
            "constraints": ["x1dot*y2dot - x2dot*y1dot"],
        },
        ("(x1dot - x2dot)**2 + (y1dot - y2dot)**2",),
    ),
    "ball in a cone": Case(
        "Routh 1884: two momenta with coefficients of the radius",
        {
            "frame": _frame("x y", "spatial"),
            "parameters": "m J r g c",
            "lagrangian": "J*(w1**2 + w2**2 + w3**2)/2 + m*(xdot**2 + ydot**2 + c**2*(x*xdot + y*ydot)**2/(x**2 + y**2))/2"
            " - m*g*c*sqrt(x**2 + y**2)",
            "constraints": [
                "xdot - r*(w2 + c*w3*y/sqrt(x**2 + y**2))/sqrt(1 + c**2)",
                "ydot + r*(w1 + c*w3*x/sqrt(x**2 + y**2))/sqrt(1 + c**2)",
            ],
        },
        momenta=2,
    ),
    "rolling disk": Case(
        "Appell 1900; Korteweg 1900: two momenta with Legendre functions of the tilt",
        {
            "coordinates": "phi x theta y psi",
            "parameters": "m A C r g",
            "lagrangian": "m*((xdot + r*thetadot*sin(theta)*sin(phi) - r*phidot*cos(theta)*cos(phi))**2"
            " + (ydot - r*thetadot*sin(theta)*cos(phi) - r*phidot*cos(theta)*sin(phi))**2 + (r*thetadot*cos(theta))**2)/2"
            " + A*(thetadot**2 + phidot**2*sin(theta)**2)/2 + C*(psidot + phidot*cos(theta))**2/2 - m*g*r*sin(theta)",
            "constraints": ["xdot + r*psidot*cos(phi)", "ydot + r*psidot*sin(phi)"],
        },
        momenta=2,
    ),
    "Routh's sphere": Case(
        "Jellett 1872; Routh 1884",
        {
            "frame": _frame("x y"),
            "parameters": "A C m r a g",
            "lagrangian": "A*(w1**2 + w2**2)/2 + C*w3**2/2 + m*(xdot**2 + ydot**2 + a**2*(R31*w2 - R32*w1)**2)/2 - m*g*a*R33",
            "constraints": [
                f"xdot - r*{SPACE[1]} - a*({SPACE[1]}*R33 - {SPACE[2]}*R23)",
                f"ydot + r*{SPACE[0]} - a*({SPACE[2]}*R13 - {SPACE[0]}*R33)",
            ],
        },
        ("A*r*(R31*w1 + R32*w2) + C*w3*(r*R33 + a)",),
    ),
    "a driven cart": Case(
        "nothing is constant when an input pushes: no claim may be made",
        {
            "coordinates": "x y theta",
            "parameters": "m J",
            "lagrangian": "m*(xdot**2 + ydot**2)/2 + J*thetadot**2/2",
            "constraints": ["xdot*sin(theta) - ydot*cos(theta)"],
            "forces": {"theta": "tau"},
            "inputs": {"tau": "0.3*sin(t)"},
        },
        ("xdot*cos(theta) + ydot*sin(theta)",),
        energy=False,
    ),
    "steady speed under gravity": Case(
        "Benenti 2008: |v| = c is not homogeneous, its reaction does work; by hand: ẍ = (g ẏ/c²) ẋ",
        {
            "coordinates": "x y",
            "parameters": "m g c",
            "lagrangian": "m*(xdot**2 + ydot**2)/2 - m*g*y",
            "constraints": ["xdot**2 + ydot**2 - c**2"],
        },
        ("xdot*exp(-g*y/c**2)",),
        energy=False,
    ),
    "Appell's machine": Case(
        "Appell 1911; Hamel 1938: a homogeneous constraint keeps the energy",
        {
            "coordinates": "x y z",
            "parameters": "m g k",
            "lagrangian": "m*(xdot**2 + ydot**2 + zdot**2)/2 - m*g*z",
            "constraints": ["zdot**2 - k**2*(xdot**2 + ydot**2)"],
        },
    ),
    "free rigid body": Case(
        "Euler 1758",
        {"frame": _frame(), "parameters": "I1 I2 I3", "lagrangian": BODY},
        (*MOMENTUM, "(I1*w1)**2 + (I2*w2)**2 + (I3*w3)**2"),
    ),
    "Lagrange's top": Case(
        "Lagrange 1788",
        {"frame": _frame(), "parameters": "A C b", "lagrangian": "A*(w1**2 + w2**2)/2 + C*w3**2/2 - b*R33"},
        ("w3", "A*(R31*w1 + R32*w2) + C*R33*w3"),
    ),
    "plane oscillator": Case(
        "Jauch and Hill 1940: angular momentum and Fradkin's tensor",
        {
            "coordinates": "x y",
            "parameters": "m k",
            "lagrangian": "m*(xdot**2 + ydot**2)/2 - k*(x**2 + y**2)/2",
        },
        ("x*ydot - y*xdot", "m*xdot**2 + k*x**2", "m*xdot*ydot + k*x*y"),
    ),
}
