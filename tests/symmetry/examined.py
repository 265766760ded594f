"""Systems of the literature as an outside examiner writes them: bad order, foreign letters, oblique coordinates, divided or
multiplied constraints. What is called known was written down, from references or by hand, before nonholo was asked.
"""

from __future__ import annotations

import nonholo as nh
from tests.symmetry.exam import BALL, BODY, E1, E2, E3, OMEGA, SLED, SLEIGH, Exam, along, spatial
from tests.symmetry.examined_more import MORE

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
        ("R11*A*w1 + R12*B*w2 + R13*C*w3 - m*r*ydot", "R31*A*w1 + R32*B*w2 + R33*C*w3"), group=1, measure="holds",
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
    **MORE,
}
"""What is known besides and is not found."""
