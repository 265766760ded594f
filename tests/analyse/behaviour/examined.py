"""Systems of an outside examination, in plain words; what theory says of them was written down before anything was run."""

from __future__ import annotations

import numpy as np
import sympy as sp

import nonholo as nh
from nonholo.model.system import known_parameters

ZIEGLER = nh.System(
    name="two rods under a follower force",
    coordinates="b a",
    lagrangian="M*l**2*adot**2/2 + N/2*(l**2*adot**2 + l**2*bdot**2 + 2*l**2*adot*bdot*cos(a - b)) - k*a**2/2 - k*(b - a)**2/2",
    forces={"a": "P*l*sin(a - b) - d*adot - d*(adot - bdot)", "b": "-d*(bdot - adot)"},
    parameters={"M": 2.0, "N": 1.0, "l": 1.0, "k": 1.0, "P": 1.0, "d": 0.0},
)
"""Ziegler 1952: M = 2 N flutters beyond (7/2 − √2) k/l, with a little damping beyond 41/28 k/l + d²/(2 N l³)."""

SHAFT = nh.System(
    name="shaft with inner friction",
    coordinates="v u",
    lagrangian="m*(udot**2 + vdot**2)/2 - k*(u**2 + v**2)/2",
    forces={"u": "-c*udot - h*(udot + W*v)", "v": "-c*vdot - h*(vdot - W*u)"},
    parameters={"m": 2.3, "k": 940.0, "c": 3.1, "h": 1.7, "W": 20.0},
)
"""Jeffcott's rotor: it whirls beyond ``W = √(k/m) (1 + c/h)``."""

SLIP = "(Ydot*cos(psi) - Xdot*sin(psi))"
CAR = nh.System(
    name="car on tyres",
    coordinates="Y X psi",
    lagrangian="m*(Xdot**2 + Ydot**2)/2 + J*psidot**2/2",
    constraints=["Xdot*cos(psi) + Ydot*sin(psi) - V"],
    forces={
        "X": f"sin(psi)*(F*({SLIP} + p*psidot)/V + R*({SLIP} - q*psidot)/V)",
        "Y": f"-cos(psi)*(F*({SLIP} + p*psidot)/V + R*({SLIP} - q*psidot)/V)",
        "psi": f"-p*F*({SLIP} + p*psidot)/V + q*R*({SLIP} - q*psidot)/V",
    },
    parameters={"m": 1300.0, "J": 1900.0, "F": 90000.0, "R": 50000.0, "p": 1.3, "q": 1.4, "V": 20.0},
    start={"Xdot": 20.0},
)
"""Riekert and Schunck 1940: an oversteering car leaves its course beyond ``V² = F R (p + q)²/(m (p F − q R))``."""

WHEELSET = nh.System(
    name="railway wheelset",
    coordinates="roll x yaw y",
    lagrangian="m*(xdot**2 + ydot**2)/2 + A*rolldot**2/2 + C*yawdot**2/2",
    constraints=["ydot*cos(yaw) - xdot*sin(yaw)", "xdot*cos(yaw) + ydot*sin(yaw) - r*rolldot", "b*yawdot + s*y*rolldot"],
    parameters={"m": 1100.0, "A": 90.0, "C": 620.0, "r": 0.46, "b": 0.75, "s": 0.05},
    start={"xdot": 10.0},
)
"""Klingel 1883: it hunts with ``v √(s/(r b))``; ``cos yaw − s y²/(2 r b)`` stays."""

PENNING = nh.System(
    name="ion in a trap",
    coordinates="z y x",
    lagrangian="m*(xdot**2 + ydot**2 + zdot**2)/2 - m*w**2*(z**2 - (x**2 + y**2)/2)/2",
    magnetic={("x", "y"): "B"},
    parameters={"m": 1.4, "w": 0.9, "B": 2.5},
)
"""Brown and Gabrielse 1986: stable for ``(B/m)² > 2 w²``."""

SADDLE = nh.System(
    name="particle on a turning saddle",
    coordinates="x y",
    lagrangian="((xdot - W*y)**2 + (ydot + W*x)**2)/2 - k*(x**2 - y**2)/2",
    forces={"x": "-c*xdot", "y": "-c*ydot"},
    parameters={"W": 1.7, "k": 1.9, "c": 0.0},
)
"""Brouwer 1918: stable for ``W² > k``; any friction in the turning frame makes it unstable (Thomson, Tait, Chetaev)."""

MOON = nh.System(
    name="satellite between earth and moon",
    coordinates="x y",
    lagrangian="((xdot - y)**2 + (ydot + x)**2)/2 + (1 - mu)/sqrt((x + mu)**2 + y**2) + mu/sqrt((x - 1 + mu)**2 + y**2)",
    parameters={"mu": 0.01215058560962404},
)
"""Five equilibria; the triangular ones lose their stability at Routh's ratio ``(1 − √(23/27))/2``."""

GYROSTAT = nh.System(
    name="body with a wheel along its middle axis",
    frame=nh.Quaternion("p", rates="w1 w2 w3") * nh.Euclidean("turn"),
    lagrangian="(A*w1**2 + B*w2**2 + C*w3**2)/2 + J*(w2 + turndot)**2/2",
    parameters={"A": 1.0, "B": 1.6, "C": 2.5, "J": 0.2},
    start={"w2": 1.3, "turndot": 4.0},
)
"""With ``H = (B + J) w2 + J turn˙``: ``λ² = −(H − A w2)(H − C w2)/(A C)``."""

TWO_PENDULA = nh.System(
    name="two pendula under a trolley",
    coordinates="b s a",
    lagrangian="M*sdot**2/2 + m*(sdot**2 + 2*l*sdot*adot*cos(a) + l**2*adot**2)/2 + n*(sdot**2 + 2*h*sdot*bdot*cos(b) "
    "+ h**2*bdot**2)/2 + m*g*l*cos(a) + n*g*h*cos(b)",
    parameters={"M": 1.9, "m": 0.6, "n": 0.9, "l": 0.7, "h": 0.45, "g": 9.81},
)
"""Up and down make four families of steady motions."""

DOUBLE = nh.System(
    name="double pendulum by its Cartesian coordinates",
    coordinates="x2 y2 x1 y1",
    lagrangian="m*(x1dot**2 + y1dot**2)/2 + n*(x2dot**2 + y2dot**2)/2 - m*g*y1 - n*g*y2",
    holonomic=["x1**2 + y1**2 - l**2", "(x2 - x1)**2 + (y2 - y1)**2 - h**2"],
    parameters={"m": 0.8, "n": 0.5, "l": 0.6, "h": 0.9, "g": 9.81},
    start={"y1": -0.6, "y2": -1.5},
)

HEISENBERG = nh.System(
    name="particle with z˙ = y x˙ on springs",
    coordinates="z x y",
    lagrangian="m*(xdot**2 + ydot**2 + zdot**2)/2 - (a*x**2 + b*y**2 + c*z**2)/2",
    constraints=["zdot - y*xdot"],
    parameters={"m": 1.3, "a": 2.0, "b": 3.1, "c": 0.7},
)
"""x = y = 0 at any z; at z ≠ 0 ``m ẍ = −a x − c z y``, so that for a = b the linear motion grows like the time."""

SLOPE_SLEIGH = nh.System(
    name="blade on a slope, its heading on a spring",
    coordinates="u v h",
    lagrangian="m*(udot**2 + vdot**2)/2 + J*hdot**2/2 - m*g*v*sin(al) - k*sin(h - h0)**2/2",
    constraints=["vdot*cos(h) - udot*sin(h)"],
    parameters={"m": 1.2, "J": 0.08, "g": 9.81, "al": 0.2, "k": 0.9, "h0": 0.0},
)
"""Across the slope it stays, or goes on at any speed; a turn of the heading lets it slide: a drift."""

BALLBOT = nh.System(
    name="rod balanced on a wheel by a motor",
    coordinates="tilt s",
    lagrangian="(M + W/R**2)*sdot**2/2 + m*(sdot**2 + 2*l*sdot*tiltdot*cos(tilt) + l**2*tiltdot**2)/2 + K*tiltdot**2/2 "
    "- m*g*l*cos(tilt)",
    inputs={"T": "a*tilt + b*tiltdot + c*sdot"},
    forces={"s": "T/R", "tilt": "-T"},
    parameters={"M": 1.1, "W": 0.01, "R": 0.12, "m": 3.0, "l": 0.5, "K": 0.2, "g": 9.81, "a": 45.0, "b": 9.0, "c": 2.0},
)

HANGING = nh.System(
    name="body hung from a point, with drag about its transverse axes",
    frame=nh.SO3("Q", rates="p q r"),
    lagrangian="(A*p**2 + B*q**2 + C*r**2)/2 + m*g*l*Q33",
    forces={"p": "-d*p", "q": "-e*q"},
    parameters={"A": 0.31, "B": 0.42, "C": 0.2, "m": 1.1, "g": 9.81, "l": 0.35, "d": 0.12, "e": 0.21},
)
"""Its centre is l along the third axis, below where Q33 = 1; about the vertical it spins freely."""

LINKED = nh.System(
    name="cart with a trailer, links written out",
    coordinates="q X p x y Y",
    lagrangian="M*(xdot**2 + ydot**2)/2 + m*(Xdot**2 + Ydot**2)/2 + A*pdot**2/2 + B*qdot**2/2",
    holonomic=["x - X - l*cos(q)", "y - Y - l*sin(q)"],
    constraints=["ydot*cos(p) - xdot*sin(p)", "Ydot*cos(q) - Xdot*sin(q)"],
    parameters={"M": 1.4, "m": 0.6, "A": 0.3, "B": 0.05, "l": 0.8},
    start={"x": 0.8, "xdot": 1.5, "Xdot": 1.5},
)
"""The trailer X, Y hangs l behind the cart's axle: ``λ = −v/l``."""

ROTATING_SPRING = nh.System(
    name="bead on a spring on a turning rod",
    coordinates="x y",
    lagrangian="m*(xdot**2 + ydot**2)/2 - k*(sqrt(x**2 + y**2) - l)**2/2",
    constraints=["x*ydot - y*xdot - W*(x**2 + y**2)"],
    parameters={"m": 0.4, "k": 12.0, "l": 0.7, "W": 3.0},
    start={"x": 0.7, "ydot": 2.1},
)
"""At radius ``k l/(k − m W²)`` it stays on the rod, with ``ω² = k/m − W²``: affine, turns are its symmetry."""


SUPPORT = "(b**2*(S31**2 + S32**2) + a**2*S33**2)"
PATH = ("(a**2*S33*v - b**2*S32*w)", "(b**2*S31*w - a**2*S33*u)", "(b**2*S32*u - b**2*S31*v)")
EGG = nh.System(
    name="egg that rolls",
    frame=nh.SO3("S", rates="u v w") * nh.Euclidean("Y X"),
    lagrangian=f"(A*u**2 + A*v**2 + C*w**2)/2 + m*(Xdot**2 + Ydot**2 + ((a**2 - b**2)*S33*(S31*v - S32*u))**2/{SUPPORT})/2 "
    f"- m*g*sqrt({SUPPORT})",
    constraints=[
        f"{c}dot - (S{i}1*{PATH[0]} + S{i}2*{PATH[1]} + S{i}3*{PATH[2]})/sqrt({SUPPORT})" for i, c in ((1, "X"), (2, "Y"))
    ],
    parameters={"A": 0.0011, "C": 0.0008, "m": 0.4, "g": 9.81, "a": 0.07, "b": 0.05},
    start={"w": 60.0},
)
"""An ellipsoid of revolution upright on its end: ``(C + m ρ a)² w² > 4 (A + m a²) m g (a − ρ)``, ρ = b²/a (Routh 1884)."""

INCLINE = nh.System(
    name="disk at rest on a slope",
    coordinates="phi psi y theta x",
    lagrangian="m/2*(xdot**2 + ydot**2 + r**2*thetadot**2*cos(theta)**2) + A/2*(thetadot**2 + psidot**2*sin(theta)**2) "
    "+ C/2*(phidot + psidot*cos(theta))**2 - m*g*(r*sin(theta)*cos(al) + y*sin(al))",
    constraints=[
        "ydot + r*(thetadot*sin(theta)*cos(psi) + (phidot + psidot*cos(theta))*sin(psi))",
        "xdot - r*(thetadot*sin(theta)*sin(psi) - (phidot + psidot*cos(theta))*cos(psi))",
    ],
    parameters={"m": 1.3, "g": 9.81, "r": 0.4, "A": 0.055, "C": 0.1, "al": 0.15},
    start={"theta": 1.3},
)
"""It stands where it cannot roll down, ψ = 0 or π, with its middle above the contact: θ = π/2 ∓ al."""

PRECESSION = nh.System(
    name="heavy top in Euler angles",
    coordinates="spin nod turn",
    lagrangian="A*(noddot**2 + turndot**2*sin(nod)**2)/2 + C*(spindot + turndot*cos(nod))**2/2 - m*g*l*cos(nod)",
    parameters={"A": 0.021, "C": 0.013, "m": 0.6, "g": 9.81, "l": 0.11},
    start={"nod": 0.7, "spindot": 60.0},
)
"""Steady precession: ``A Ω² cos θ − C n Ω + m g l = 0``, two of them."""

UEDA = nh.System(
    name="Ueda's oscillator", coordinates="x", lagrangian="xdot**2/2 - x**4/4", forces={"x": "-k*xdot + B*cos(t)"},
    parameters={"k": 0.05, "B": 7.5}, start={"x": 2.5},
)  # fmt: skip
"""Exponents 0.1034 and −0.1534 (Sprott 2003)."""

CUBIC = nh.System(
    name="cubic spring, driven without friction", coordinates="x", lagrangian="xdot**2/2 - x**4/4 + x*sin(w*t)",
    parameters={"w": 2.0},
)  # fmt: skip
"""Sprott 2003: 0.0971 and its negative."""

SHAKEN = nh.System(
    name="driven pendulum", coordinates="q", lagrangian="qdot**2/2 + cos(q)", forces={"q": "-b*qdot + f*sin(w*t)"},
    parameters={"b": 0.05, "f": 0.6, "w": 0.7},
)  # fmt: skip
"""Sprott 2003: 0.1400 and −0.1900."""

THREE = nh.System(
    name="three bodies in a plane",
    coordinates="x1 y1 x2 y2 x3 y3",
    lagrangian="(x1dot**2 + y1dot**2 + x2dot**2 + y2dot**2 + x3dot**2 + y3dot**2)/2 + 1/sqrt((x1 - x2)**2 + (y1 - y2)**2) "
    "+ 1/sqrt((x1 - x3)**2 + (y1 - y3)**2) + 1/sqrt((x2 - x3)**2 + (y2 - y3)**2)",
    start={
        "x1": 0.97000436, "y1": -0.24308753, "x2": -0.97000436, "y2": 0.24308753, "x3": 0.0, "y3": 0.0,
        "x1dot": 0.466203685, "y1dot": 0.43236573, "x2dot": 0.466203685, "y2dot": 0.43236573,
        "x3dot": -0.93240737, "y3dot": -0.86473146,
    },
)  # fmt: skip
"""The figure eight of Chenciner and Montgomery 2000: period 6.32591398."""


def _two_mass_skate() -> nh.System:
    """The bicycle of Kooijman et al. 2011: two point masses on two skates, the front one steered about a tilted axis."""
    names = "pitch psi steer lean y x"
    t = sp.Symbol("t")
    now = {n: sp.Function(n)(t) for n in names.split()}
    w, c, tilt, mb, xb, hb, mh, xh, hh, g = sp.symbols("w c tilt mb xb hb mh xh hh g")
    e = sp.eye(3)

    def about(axis: sp.Matrix, angle: sp.Expr) -> sp.Matrix:
        skew = sp.Matrix([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
        return e + sp.sin(angle) * skew + (1 - sp.cos(angle)) * skew * skew

    frame = about(e[:, 2], now["psi"]) * about(e[:, 0], now["lean"]) * about(e[:, 1], now["pitch"])
    fork = about(sp.Matrix([-sp.sin(tilt), 0, sp.cos(tilt)]), now["steer"])
    root, contact = sp.Matrix([now["x"], now["y"], 0]), sp.Matrix([w + c, 0, 0])
    rear, ahead = sp.Matrix([xb, 0, hb]), contact + fork * (sp.Matrix([xh, 0, hh]) - contact)
    masses = ((mb, root + frame * rear), (mh, root + frame * ahead))
    front = root + frame * (contact + fork * (sp.Matrix([w, 0, 0]) - contact))
    energy = sum(m * p.diff(t).dot(p.diff(t)) / 2 - m * g * p[2] for m, p in masses)
    across = (frame * fork)[:, 1].dot(front.diff(t))

    def text(formula: sp.Expr) -> str:
        rates = {f.diff(t): sp.Symbol(n + "dot") for n, f in now.items()}
        return str(formula.xreplace(rates).xreplace({f: sp.Symbol(n) for n, f in now.items()}))

    return nh.System(
        name="two-mass-skate bicycle",
        coordinates=names,
        lagrangian=text(energy),
        holonomic=[text(front[2])],
        constraints=["ydot*cos(psi) - xdot*sin(psi)", text(across)],
        parameters={"w": 1.0, "c": 0.02, "tilt": 0.08726646259971647, "mb": 10.0, "xb": 1.2, "hb": 0.4, "mh": 1.0, "xh": 1.02,
                    "hh": 0.2, "g": 9.81},
        start={"xdot": 4.0},
    )  # fmt: skip


SKATES = _two_mass_skate()


def other_units(system: nh.System, length: float, mass: float, time: float, powers: dict[str, tuple[int, int, int]]) -> nh.System:
    """The same system with values in other units: how many of the new ones make an old one; powers of (length, mass, time)."""
    from dataclasses import replace

    def scaled(values: dict[str, float]) -> dict[str, float]:
        units = np.log([length, mass, time])
        return {n: e * float(np.exp(units @ powers.get(n, (0, 0, 0)))) for n, e in values.items()}

    return replace(system, parameters=scaled(known_parameters(system)), start=scaled(dict(system.start)))
