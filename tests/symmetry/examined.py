"""Systems of the literature as an outside examiner writes them: bad order, foreign letters, oblique coordinates, divided or
multiplied constraints. What is called known was written down, from references or by hand, before nonholo was asked.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import nonholo as nh


@dataclass(frozen=True)
class Exam:
    """A system and what is known of it."""

    reference: str
    words: dict[str, Any]
    known: tuple[str, ...] = ()
    energy: bool = True
    momenta: int = 0
    """How many integrals linear in the velocities there are at least."""
    group: int = 0
    """The dimension of the group that it is reduced by, at least; 0 where it cannot be reduced."""
    measure: str = ""
    """``holds`` or ``fails`` where it is known."""
    integrable: bool = False
    start: dict[str, float] = field(default_factory=dict)

    def system(self, name: str) -> nh.System:
        return nh.System(name=name, **self.words)


def spatial(plain: str, first: bool = False) -> nh.Frame:
    ball, place = nh.SO3("Q", rates="p q s", side="spatial"), nh.Euclidean(plain)
    return place * ball if first else ball * place


SLEIGH = "m*((xdot - a*sin(phi)*phidot)**2 + (ydot + a*cos(phi)*phidot)**2)/2 + J*phidot**2/2"
BALL = {"m": 1.1, "I": 0.3, "r": 0.5}
BODY = {"A": 0.9, "B": 0.7, "C": 0.55, "m": 1.2, "r": 0.6}
SLED = {"m": 1.3, "J": 0.5, "a": 0.37}
K = "sqrt(I/(I + m*r**2))"
NORMAL = "(q*sin(f) + s*cos(f))"
E1 = ("(e0**2 + e1**2 - e2**2 - e3**2)", "2*(e1*e2 - e0*e3)", "2*(e1*e3 + e0*e2)")
E2 = ("2*(e1*e2 + e0*e3)", "(e0**2 - e1**2 + e2**2 - e3**2)", "2*(e2*e3 - e0*e1)")
E3 = ("2*(e1*e3 - e0*e2)", "2*(e2*e3 + e0*e1)", "(e0**2 - e1**2 - e2**2 + e3**2)")
OMEGA = ("o1", "o2", "o3")


def along(row: tuple[str, ...], vector: tuple[str, ...]) -> str:
    return "(" + " + ".join(f"{a}*({b})" for a, b in zip(row, vector)) + ")"


EXAMS: dict[str, Exam] = {
    "spring blade": Exam(
        "by hand: in the blade's frame v' = -(c/M) xi, eta' = -W xi",
        {
            "coordinates": "u alpha w", "parameters": {"M": 1.3, "c": 0.9, "J": 0.4},
            "lagrangian": "M*(udot**2 + wdot**2)/2 + J*alphadot**2/2 - c*(u**2 + w**2)/2",
            "constraints": ["exp(u*w)*(wdot - udot*tan(alpha))"],
        },
        ("alphadot", "M*alphadot*(udot*cos(alpha) + wdot*sin(alpha)) - c*(w*cos(alpha) - u*sin(alpha))"),
        group=1, measure="holds", integrable=True,
        start={"u": 0.4, "w": -0.3, "alpha": 0.2, "alphadot": 0.7, "udot": 0.5},  # it does not reach the pole of tan
    ),
    "sleigh with a spring": Exam(
        "Chaplygin 1911, tied to a point: no density of the configuration",
        {
            "coordinates": "y phi x", "parameters": {**SLED, "k": 0.8},
            "lagrangian": f"{SLEIGH} - k*((x + a*cos(phi))**2 + (y + a*sin(phi))**2)/2",
            "constraints": ["2*sin(phi)*xdot - 2*cos(phi)*ydot"],
        },
        group=1, measure="fails",
    ),
    "sleigh on a slope": Exam(
        "Borisov, Mamaev and Bizyaev 2015",
        {
            "coordinates": "phi y x", "parameters": {**SLED, "g": 3.0}, "lagrangian": f"{SLEIGH} - m*g*(x + a*cos(phi))",
            "constraints": ["sin(phi)*xdot - cos(phi)*ydot"],
        },
        group=1, measure="fails",
    ),
    "penny with a rotor": Exam(
        "Bloch 2003, with a rotor on top",
        {
            "coordinates": "q4 q1 q5 q3 q2", "parameters": {"m": 1.1, "I": 0.3, "J": 0.21, "K": 0.17, "R": 0.6},
            "lagrangian": "m/2*(q1dot**2 + q2dot**2) + I/2*q3dot**2 + J/2*q4dot**2 + K/2*(q4dot + q5dot)**2",
            "constraints": [
                "q1dot*sin(q4) - q2dot*cos(q4)",
                "q1dot*cos(q4) + q2dot*sin(q4) - R*q3dot + q1*(q1dot*sin(q4) - q2dot*cos(q4))",
            ],
        },
        ("q4dot", "q5dot", "q3dot"), group=5, measure="holds", integrable=True,
    ),
    "turntable with a spring": Exam(
        "Earnshaw 1844, with a spring to the axis: v' = kappa k x v - k r/m'",
        {
            "frame": spatial("u v", True), "parameters": {**BALL, "W": 0.7, "k": 0.9},
            "lagrangian": "m/2*(udot**2 + vdot**2) + I/2*(p**2 + q**2 + s**2) - k/2*(u**2 + v**2)",
            "constraints": ["udot - r*q + W*v", "vdot + r*p - W*u"],
        },
        (
            "s", "u*vdot - v*udot - W*I/(I + m*r**2)*(u**2 + v**2)/2",
            "(m + I/r**2)*(udot**2 + vdot**2) + k*(u**2 + v**2)",
        ),
        energy=False, group=4, measure="holds", integrable=True,
    ),
    "Chaplygin's ball with a rotor": Exam(
        "Markeev 1985: the momentum about the contact in space",
        {
            "frame": nh.Quaternion("e", rates="o1 o2 o3") * nh.Euclidean("X Y"),
            "parameters": {**BODY, "h1": 0.2, "h2": -0.3, "h3": 0.4},
            "lagrangian": "(A*o1**2 + B*o2**2 + C*o3**2)/2 + h1*o1 + h2*o2 + h3*o3 + m*(Xdot**2 + Ydot**2)/2",
            "constraints": [f"Xdot - r*{along(E2, OMEGA)}", f"Ydot + r*{along(E1, OMEGA)}"],
        },
        (
            f"{along(E1, ('A*o1 + h1', 'B*o2 + h2', 'C*o3 + h3'))} - m*r*Ydot",
            f"{along(E2, ('A*o1 + h1', 'B*o2 + h2', 'C*o3 + h3'))} + m*r*Xdot",
            along(E3, ("A*o1 + h1", "B*o2 + h2", "C*o3 + h3")),
        ),
        group=3, measure="holds", integrable=True,
    ),
    "Chaplygin's ball on a slope": Exam(
        "the weight has no moment about the contact along the slope and the normal",
        {
            "frame": nh.SO3("R", rates="w1 w2 w3") * nh.Euclidean("x y"), "parameters": {**BODY, "g": 2.0},
            "lagrangian": "(A*w1**2 + B*w2**2 + C*w3**2)/2 + m*(xdot**2 + ydot**2)/2 - m*g*x",
            "constraints": ["xdot - r*(R21*w1 + R22*w2 + R23*w3)", "ydot + r*(R11*w1 + R12*w2 + R13*w3)"],
        },
        ("R11*A*w1 + R12*B*w2 + R13*C*w3 - m*r*ydot", "R31*A*w1 + R32*B*w2 + R33*C*w3"), group=2, measure="holds",
    ),
    "spherical support": Exam(
        "Fedorov 1988: a body about its centre and a ball that it rolls on: r M - R I Omega, and both spins",
        {
            "frame": nh.SO3("B", rates="b1 b2 b3") * nh.SO3("S", rates="s1 s2 s3", side="spatial"),
            "parameters": {"J1": 0.9, "J2": 0.7, "J3": 0.55, "I": 0.2, "R": 1.3, "r": 0.4},
            "lagrangian": "(J1*b1**2 + J2*b2**2 + J3*b3**2)/2 + I*(s1**2 + s2**2 + s3**2)/2",
            "constraints": ["R*(B11*b1 + B12*b2 + B13*b3) + r*s1", "R*(B21*b1 + B22*b2 + B23*b3) + r*s2"],
        },
        (
            "r*(B11*J1*b1 + B12*J2*b2 + B13*J3*b3) - R*I*s1", "r*(B21*J1*b1 + B22*J2*b2 + B23*J3*b3) - R*I*s2",
            "B31*J1*b1 + B32*J2*b2 + B33*J3*b3", "s3",
        ),
        group=4, measure="holds", integrable=True,
    ),
    "plate on two balls": Exam(
        "Ishlinsky: M v and half the balls' momentum, of horizontal fields that are no symmetries of the constraints",
        {
            "coordinates": "th b2 x a1 y b1 a2", "parameters": {"M": 2.0, "J": 0.8, "m": 0.3, "n": 0.45},
            "lagrangian": "M*(xdot**2 + ydot**2)/2 + J*thdot**2/2 + m*(a1dot**2 + b1dot**2)/2 + n*(a2dot**2 + b2dot**2)/2",
            "constraints": [
                "2*a1dot - xdot + thdot*(b1 - y)", "2*b1dot - ydot - thdot*(a1 - x)",
                "2*a2dot - xdot + thdot*(b2 - y)", "2*b2dot - ydot - thdot*(a2 - x)",
            ],
        },
        ("M*xdot + (m*a1dot + n*a2dot)/2", "M*ydot + (m*b1dot + n*b2dot)/2"), group=3,
    ),
    "beanie on a blade": Exam(
        "Elroy's beanie [Marsden, Montgomery and Ratiu 1990] on a blade",
        {
            "coordinates": "psi y x th", "parameters": {"m": 1.1, "I": 0.6, "K": 0.25, "k": 0.7},
            "lagrangian": "m*(xdot**2 + ydot**2)/2 + I*thdot**2/2 + K*(thdot + psidot)**2/2 - k*psi**2/2",
            "constraints": ["(xdot*sin(th) - ydot*cos(th))*(1 + psi**2)"],
        },
        ("I*thdot + K*(thdot + psidot)", "xdot*cos(th) + ydot*sin(th)"), group=3, measure="holds", integrable=True,
    ),
    "Engel": Exam(
        "by hand: y' is constant, and d ln f = 2z dz/W, y dy/W with W = 1 + y² + z² is no differential: no density",
        {
            "coordinates": "w z y x", "lagrangian": "(xdot**2 + ydot**2 + zdot**2 + wdot**2)/2",
            "constraints": ["zdot - y*xdot", "wdot - z*xdot"],
        },
        ("ydot",), group=2, measure="fails",
    ),
    "particle in an oblong well": Exam(
        "Bates and Śniatycki 1993, in a well: both halves of the energy",
        {
            "coordinates": "z x y", "parameters": {"m": 1.3, "a": 0.7, "b": 1.9},
            "lagrangian": "m*(xdot**2 + ydot**2 + zdot**2)/2 - a*x**2/2 - b*y**2/2",
            "constraints": ["(zdot - y*xdot)/(1 + x**2)"],
        },
        ("m*ydot**2 + b*y**2", "m*xdot**2*(1 + y**2) + a*x**2"), group=1, measure="holds", integrable=True,
    ),
    "LR on SE(2)": Exam(
        "Veselov and Veselova 1988: a left-invariant metric, a right-invariant constraint: two momenta in space and a measure",
        {"coordinates": "y x phi", "parameters": SLED, "lagrangian": SLEIGH, "constraints": ["xdot + y*phidot"]},
        (
            "m*(ydot + a*cos(phi)*phidot)",
            "J*phidot + m*((x + a*cos(phi))*(ydot + a*cos(phi)*phidot) - (y + a*sin(phi))*(xdot - a*sin(phi)*phidot))",
        ),
        group=1, measure="holds", integrable=True,
    ),
    "Suslov in Cardan angles": Exam(
        "Kozlov 1988: no measure unless the axis is an eigenvector of the inertia",
        {
            "coordinates": "c b a", "parameters": {"A": 0.9, "B": 0.7, "C": 0.55, "D": 0.2, "F": 0.1},
            "lagrangian": "A*(cos(b)*cos(c)*adot + sin(c)*bdot)**2/2 + B*(cos(c)*bdot - cos(b)*sin(c)*adot)**2/2"
            " + C*(cdot + sin(b)*adot)**2/2 + D*(cos(b)*cos(c)*adot + sin(c)*bdot)*(cdot + sin(b)*adot)"
            " + F*(cos(c)*bdot - cos(b)*sin(c)*adot)*(cdot + sin(b)*adot)",
            "constraints": ["cdot + sin(b)*adot"],
        },
        group=1, measure="fails",
    ),
    "towed castor": Exam(
        "a trailing wheel: straight behind it contracts",
        {
            "coordinates": "psi Y X", "parameters": {**SLED, "l": 0.8, "V": 1.5, "k": 2.0},
            "lagrangian": "m*((Xdot + a*sin(psi)*psidot)**2 + (Ydot - a*cos(psi)*psidot)**2)/2 + J*psidot**2/2 - k*Y**2/2",
            "constraints": ["Xdot - V", "Ydot*cos(psi) - Xdot*sin(psi) - l*psidot"],
        },
        energy=False, group=1, measure="fails",
    ),
    "ball on a shearing belt": Exam(
        "by hand: v - kappa U(y) is constant, kappa = I/(I + m r²)",
        {
            "frame": spatial("x y"), "parameters": {**BALL, "V": 0.7},
            "lagrangian": "m/2*(xdot**2 + ydot**2) + I/2*(p**2 + q**2 + s**2)", "constraints": ["xdot - r*q - V*y", "ydot + r*p"],
        },
        ("s", "ydot", "xdot - I/(I + m*r**2)*V*y"), energy=False, group=4, measure="holds", integrable=True,
    ),
    "ball on a turning roller": Exam(
        "Routh 1884: two momenta, whatever the cylinder turns, and the energy of the angle",
        {
            "frame": spatial("x f"), "parameters": {**BALL, "b": 1.2, "W": 0.7, "g": 2.0},
            "lagrangian": "m/2*(xdot**2 + (b + r)**2*fdot**2) + I/2*(p**2 + q**2 + s**2) - m*g*(b + r)*cos(f)",
            "constraints": ["xdot - r*(q*cos(f) - s*sin(f))", "(b + r)*fdot + r*p - W*b"],
        },
        ("(m + I/r**2)*(b + r)**2*fdot**2/2 + m*g*(b + r)*cos(f)",),
        energy=False, momenta=2, group=4, measure="holds", integrable=True,
    ),
    "rubber ball on a sphere": Exam(
        "Ehlers and Koiller 2007: a measure for every ratio of the radii",
        {
            "frame": nh.SO3("R", rates="w1 w2 w3") * nh.Euclidean("z x y"),
            "parameters": {"A": 0.9, "B": 0.7, "C": 0.55, "m": 1.2, "a": 1.3, "b": 0.4}, "holonomic": ["x**2 + y**2 + z**2 - 1"],
            "lagrangian": "(A*w1**2 + B*w2**2 + C*w3**2)/2 + m*(a + b)**2*(xdot**2 + ydot**2 + zdot**2)/2",
            "constraints": [
                "(a + b)*xdot - b*((R21*w1 + R22*w2 + R23*w3)*z - (R31*w1 + R32*w2 + R33*w3)*y)",
                "(a + b)*ydot - b*((R31*w1 + R32*w2 + R33*w3)*x - (R11*w1 + R12*w2 + R13*w3)*z)",
                "x*(R11*w1 + R12*w2 + R13*w3) + y*(R21*w1 + R22*w2 + R23*w3) + z*(R31*w1 + R32*w2 + R33*w3)",
            ],
        },
        group=3, measure="holds", start={"x": 0.48, "y": 0.6, "z": 0.64, "w1": 0.5, "w2": 0.3},
    ),
    "charged skate on a slope": Exam(
        "a force across the blade does nothing; the field hides the shift",
        {
            "coordinates": "y th x", "parameters": {"m": 1.3, "J": 0.5, "B": 0.9, "g": 2.0},
            "lagrangian": "m*(xdot**2 + ydot**2)/2 + J*thdot**2/2 + B*(x*ydot - y*xdot)/2 - m*g*x",
            "constraints": ["xdot*sin(th) - ydot*cos(th)"],
        },
        ("thdot", "thdot*(xdot*cos(th) + ydot*sin(th)) + g*sin(th)"), group=1, measure="holds", integrable=True,
    ),
    "shaken particle": Exam(
        "by hand: m y'' = F cos t, and (1 + y²) x'² is constant",
        {
            "coordinates": "y z x", "parameters": {"m": 1.3, "F": 0.8},
            "lagrangian": "m*(xdot**2 + ydot**2 + zdot**2)/2 + F*y*cos(t)", "constraints": ["zdot - y*xdot"],
        },
        ("m*ydot - F*sin(t)", "xdot**2*(1 + y**2)"), energy=False, group=2, measure="holds", integrable=True,
    ),
    "Suslov with a rotor": Exam(
        "by hand: A w1' = -h w2, B w2' = h w1",
        {
            "frame": nh.SO3("R", rates="w1 w2 w3"), "parameters": {"A": 0.9, "B": 0.7, "C": 0.55, "h": 0.4, "k": 0.3},
            "lagrangian": "(A*w1**2 + B*w2**2 + C*w3**2)/2 + h*w3 + k*w1", "constraints": ["w3"],
        },
        group=3, measure="holds", integrable=True,
    ),
    "cart with its mass ahead": Exam(
        "as Chaplygin's sleigh; the wheels tell the heading, and exp(c (f1 + f2)) is a density since they are no angles",
        {
            "coordinates": "f2 y f1 x phi", "parameters": {**SLED, "c": 0.3, "rho": 0.2, "K": 0.06},
            "lagrangian": f"{SLEIGH} + K*(f1dot**2 + f2dot**2)/2",
            "constraints": [
                "xdot*cos(phi) + ydot*sin(phi) - c*phidot - rho*f2dot",
                "xdot*sin(phi) - ydot*cos(phi) + xdot*cos(phi) + ydot*sin(phi) - c*phidot - rho*f2dot",
                "xdot*cos(phi) + ydot*sin(phi) + c*phidot - rho*f1dot",
            ],
        },
        ("rho*(f1 - f2) - 2*c*phi",), momenta=2, group=5, measure="holds", integrable=True,
    ),
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
        energy=False, measure="holds", start={"x": 0.3, "y": 0.2, "z": 0.1, "xdot": 0.5, "ydot": 1.2, "zdot": 0.0},
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
    "constant speed in space": "x' exp(-g z/c²) and y' exp(-g z/c²)",
    "Routh's sphere in a quaternion": "Routh's momentum in closed form (its square is found), and the density",
}
"""What is known besides and is not found."""
