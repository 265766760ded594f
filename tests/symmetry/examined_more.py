"""The second half of the systems of `tests.symmetry.examined`."""

from __future__ import annotations

import nonholo as nh
from tests.symmetry.exam import BALL, E1, E2, E3, OMEGA, SLED, SLEIGH, Exam, along, spatial

MORE: dict[str, Exam] = {
    "skate on a torus": Exam(
        "the reaction has no moment about the normal, and is across the blade: both speeds are constant",
        {
            "coordinates": "be u al", "parameters": {"m": 1.3, "J": 0.5, "R": 1.9, "r": 0.6},
            "lagrangian": "m*(r**2*udot**2 + (R + r*cos(u))**2*aldot**2)/2 + J*(bedot - sin(u)*aldot)**2/2",
            "constraints": ["r*udot*sin(be) - (R + r*cos(u))*aldot*cos(be)"],
        },
        ("bedot - sin(u)*aldot", "r*udot*cos(be) + (R + r*cos(u))*aldot*sin(be)"), group=1, measure="holds", integrable=True,
    ),
    "ball in an elliptic cylinder": Exam(
        "Borisov, Mamaev and Kilin 2002: the arc's rate, and two momenta with the tangent's angle",
        {
            "frame": spatial("u z", True), "parameters": {**BALL, "a": 1.7, "b": 1.2},
            "lagrangian": "m/2*((a**2*sin(u)**2 + b**2*cos(u)**2)*udot**2 + zdot**2) + I/2*(p**2 + q**2 + s**2)",
            "constraints": [
                "sqrt(a**2*sin(u)**2 + b**2*cos(u)**2)*udot + r*s",
                "zdot*sqrt(a**2*sin(u)**2 + b**2*cos(u)**2) + r*(p*a*sin(u) - q*b*cos(u))",
            ],
        },
        ("s",), momenta=3, group=4, measure="holds", integrable=True,
    ),
    "isokinetic": Exam(
        "Evans and Morriss 1990: where the kinetic energy is kept, exp(-(d - 1) U/c²) is a density",
        {
            "coordinates": "z x y", "parameters": {"c": 1.3, "k": 0.7},
            "lagrangian": "(xdot**2 + ydot**2 + zdot**2)/2 - k*x**2*y**2/2 - x*z - z**4/4",
            "constraints": ["xdot**2 + ydot**2 + zdot**2 - c**2"],
        },
        energy=False, measure="holds", start={"x": 0.3, "y": 0.2, "z": 0.1, "xdot": 0.5, "ydot": 1.2, "zdot": 0.0},
    ),
    "constant speed in space": Exam(
        "the same with weight",
        {
            "coordinates": "z y x", "parameters": {"c": 1.3, "g": 0.7}, "lagrangian": "(xdot**2 + ydot**2 + zdot**2)/2 - g*z",
            "constraints": ["sqrt(xdot**2 + ydot**2 + zdot**2) - c"],
        },
        ("xdot*exp(-g*z/c**2)", "ydot*exp(-g*z/c**2)"),
        energy=False, measure="holds", integrable=True,
        start={"x": 0.3, "y": 0.2, "z": 0.1, "xdot": 0.5, "ydot": 1.2, "zdot": 0.0},
    ),
    "skate with friction": Exam(
        "viscous friction along the blade",
        {
            "coordinates": "y x th", "parameters": {"m": 1.3, "J": 0.5, "c": 0.3},
            "lagrangian": "m*(xdot**2 + ydot**2)/2 + J*thdot**2/2", "forces": {"x": "-c*xdot", "y": "-c*ydot"},
            "constraints": ["xdot*sin(th) - ydot*cos(th)"],
        },
        ("thdot",), energy=False, group=3, measure="fails",
    ),
    "turntable that swings": Exam(
        "by hand: v - kappa W(t) k x r is constant: I q + m r x', with the rolling",
        {
            "frame": spatial("u v", True), "parameters": {**BALL, "W": 0.7, "n": 1.1},
            "lagrangian": "m/2*(udot**2 + vdot**2) + I/2*(p**2 + q**2 + s**2)",
            "constraints": ["udot - r*q + W*sin(n*t)*v", "vdot + r*p - W*sin(n*t)*u"],
        },
        ("s", "I*q + m*r*udot", "I*p - m*r*vdot"), energy=False, group=4, measure="holds",
        start={"u": 0.3, "v": 0.2, "p": 0.4, "q": -0.3, "s": 0.5},
    ),
    "divided constraint": Exam(
        "Neimark and Fufaev 1972: the skate on a slope, its constraint divided by a velocity",
        {
            "coordinates": "x y th", "parameters": {"m": 1.3, "J": 0.5, "g": 2.0},
            "lagrangian": "m*(xdot**2 + ydot**2)/2 + J*thdot**2/2 - m*g*y", "constraints": ["ydot/xdot - tan(th)"],
        },
        ("thdot", "thdot*(xdot*cos(th) + ydot*sin(th)) - g*cos(th)"), group=1, measure="holds", integrable=True,
        start={"th": 0.4, "thdot": 0.5, "xdot": 1.0},
    ),
    "equal speeds": Exam(
        "two points with a spring and equal speeds: the energy",
        {
            "coordinates": "x1 y2 y1 x2", "parameters": {"m": 1.3, "M": 0.5, "k": 0.7},
            "lagrangian": "m*(x1dot**2 + y1dot**2)/2 + M*(x2dot**2 + y2dot**2)/2 - k*((x1 - x2)**2 + (y1 - y2)**2)/2",
            "constraints": ["x1dot**2 + y1dot**2 - x2dot**2 - y2dot**2"],
        },
        start={"x1": 0.3, "y2": 0.9, "x1dot": 1.0, "x2dot": 0.6, "y2dot": 0.8},
    ),
    "two copies": Exam(
        "Bates and Śniatycki's particle twice: everything twice",
        {
            "coordinates": "c1 a1 b1 a2 b2 c2",
            "lagrangian": "(a1dot**2 + b1dot**2 + c1dot**2 + 3*a2dot**2 + 3*b2dot**2 + 3*c2dot**2)/2",
            "constraints": ["c1dot - b1*a1dot", "c2dot - b2*a2dot"],
        },
        ("b1dot", "b2dot", "a1dot*sqrt(1 + b1**2)", "a2dot*sqrt(1 + b2**2)"), group=4, measure="holds", integrable=True,
    ),
    "robot of fixed orientation": Exam(
        "Cortés 2002",
        {
            "coordinates": "psi x th y", "parameters": {"m": 1.3, "J": 0.5, "K": 0.3, "R": 0.4},
            "lagrangian": "m*(xdot**2 + ydot**2)/2 + J*thdot**2/2 + 3*K*psidot**2/2",
            "constraints": ["xdot - R*cos(th)*psidot", "ydot - R*sin(th)*psidot"],
        },
        ("thdot", "psidot"), group=4, measure="holds", integrable=True,
    ),
    "Heisenberg in an oblong well": Exam(
        "z' is constant only where the well is round",
        {
            "coordinates": "z y x", "parameters": {"a": 0.7, "b": 1.9},
            "lagrangian": "(xdot**2 + ydot**2 + zdot**2)/2 - a*x**2/2 - b*y**2/2", "constraints": ["zdot - x*ydot + y*xdot"],
        },
        group=1, measure="holds",
    ),
    "Routh's sphere in a quaternion": Exam(
        "Jellett 1872; Routh 1884",
        {
            "frame": nh.Quaternion("e", rates="o1 o2 o3") * nh.Euclidean("x y"),
            "parameters": {"A": 0.5, "C": 0.3, "m": 1.1, "r": 0.6, "a": 0.15, "g": 3.0},
            "lagrangian": "A*(o1**2 + o2**2)/2 + C*o3**2/2 + m*(xdot**2 + ydot**2)/2"
            f" + m*a**2*({E3[0]}*o2 - {E3[1]}*o1)**2/2 + m*g*a*{E3[2]}",
            "constraints": [
                f"xdot - r*{along(E2, OMEGA)} + a*({E1[0]}*o2 - {E1[1]}*o1)",
                f"ydot + r*{along(E1, OMEGA)} + a*({E2[0]}*o2 - {E2[1]}*o1)",
            ],
        },
        (f"A*r*({E3[0]}*o1 + {E3[1]}*o2) + C*o3*(r*{E3[2]} - a)",), momenta=1, group=4, integrable=True,
    ),
    "snake of two links": Exam(
        "two blades and a hinge: the energy",
        {
            "coordinates": "be x al y", "parameters": {"m": 1.3, "J": 0.5, "n": 0.8, "K": 0.3, "l": 0.6},
            "lagrangian": "m*(xdot**2 + ydot**2)/2 + J*aldot**2/2 + K*bedot**2/2"
            " + n*((xdot - l*sin(al)*aldot - l*sin(be)*bedot)**2 + (ydot + l*cos(al)*aldot + l*cos(be)*bedot)**2)/2",
            "constraints": [
                "xdot*sin(al) - ydot*cos(al)",
                "(xdot - l*sin(al)*aldot - l*sin(be)*bedot)*sin(be) - (ydot + l*cos(al)*aldot + l*cos(be)*bedot)*cos(be)",
            ],
        },
        group=3,
    ),
    "sleigh on a belt": Exam(
        "seen from the belt it is Chaplygin's sleigh at rest: the energy there",
        {
            "coordinates": "phi y x", "parameters": {**SLED, "V": 0.8}, "lagrangian": SLEIGH,
            "constraints": ["sin(phi)*(xdot - V) - cos(phi)*ydot"],
        },
        ("m*((xdot - V - a*sin(phi)*phidot)**2 + (ydot + a*cos(phi)*phidot)**2)/2 + J*phidot**2/2",),
        energy=False, momenta=2, group=2, measure="fails", integrable=True,
    ),
    "skate in oblique coordinates": Exam(
        "x = u + c w, y = v + u/2, theta = w",
        {
            "coordinates": "u v w", "parameters": {"m": 1.3, "J": 0.5, "c": 0.7},
            "lagrangian": "m*((udot + c*wdot)**2 + (vdot + udot/2)**2)/2 + J*wdot**2/2",
            "constraints": ["(udot + c*wdot)*sin(w) - (vdot + udot/2)*cos(w)"],
        },
        ("wdot", "(udot + c*wdot)*cos(w) + (vdot + udot/2)*sin(w)"), group=2, measure="holds", integrable=True,
    ),
    "sleigh with a gauge term": Exam(
        "the rate of x³y + y sin(phi) is added to L",
        {
            "coordinates": "y x phi", "parameters": SLED,
            "lagrangian": f"{SLEIGH} + 3*x**2*y*xdot + x**3*ydot + cos(phi)*phidot*y + sin(phi)*ydot",
            "constraints": ["sin(phi)*xdot - cos(phi)*ydot"],
        },
        momenta=2, group=3, measure="fails", integrable=True,
    ),
    "Heisenberg in parabolic coordinates": Exam(
        "x = s t, y = (t² - s²)/2: x' and y' are constant",
        {
            "coordinates": "z s t1", "parameters": {"m": 1.3},
            "lagrangian": "m*((s**2 + t1**2)*(sdot**2 + t1dot**2) + zdot**2)/2",
            "constraints": ["zdot - (s*t1*(t1*t1dot - s*sdot) - (t1**2 - s**2)/2*(sdot*t1 + s*t1dot))"],
        },
        ("s*t1dot + t1*sdot", "t1*t1dot - s*sdot"), group=1, measure="holds", integrable=True,
    ),
    "skate on a lying cylinder": Exam(
        "developable: the blade's turning, and the energy",
        {
            "coordinates": "s f b", "parameters": {"m": 1.3, "J": 0.5, "R": 0.9, "g": 1.4},
            "lagrangian": "m*(sdot**2 + R**2*fdot**2)/2 + J*bdot**2/2 - m*g*R*cos(f)",
            "constraints": ["sdot*sin(b) - R*fdot*cos(b)"],
        },
        ("bdot",), group=1, measure="holds", integrable=True,
    ),
    "skate on a sphere, by vectors": Exam(
        "n and u of space: a Suslov problem with a diagonal inertia, both speeds are constant",
        {
            "coordinates": "u3 n1 u2 n3 u1 n2", "parameters": {"m": 1.3, "J": 0.5},
            "holonomic": ["n1**2 + n2**2 + n3**2 - 1", "u1**2 + u2**2 + u3**2 - 1", "n1*u1 + n2*u2 + n3*u3"],
            "lagrangian": "m*(n1dot**2 + n2dot**2 + n3dot**2)/2"
            " + J*(u1dot*(n2*u3 - n3*u2) + u2dot*(n3*u1 - n1*u3) + u3dot*(n1*u2 - n2*u1))**2/2",
            "constraints": ["n1dot*(n2*u3 - n3*u2) + n2dot*(n3*u1 - n1*u3) + n3dot*(n1*u2 - n2*u1)"],
        },
        (
            "u1dot*(n2*u3 - n3*u2) + u2dot*(n3*u1 - n1*u3) + u3dot*(n1*u2 - n2*u1)", "n1dot*u1 + n2dot*u2 + n3dot*u3",
        ),
        group=3, measure="holds", integrable=True,
        start={
            "n1": 1.0, "n2": 0.0, "n3": 0.0, "u1": 0.0, "u2": 0.6, "u3": 0.8,
            "n2dot": 0.3, "n3dot": 0.4, "u2dot": 0.4, "u3dot": -0.3,
        },
    ),
}  # fmt: skip
MISSED: dict[str, str] = {
    "ball on a turning roller": "the two momenta, in closed form for a cylinder at rest, are numbers here",
    "Routh's sphere in a quaternion": "Routh's momentum in closed form (its square is found), and the density",
}
