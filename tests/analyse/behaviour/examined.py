"""Systems of an outside examination: written from theory before anything was run, in plain words; what theory says is in the tests."""

from __future__ import annotations

import nonholo as nh

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

CAR = nh.System(
    name="car on tyres",
    coordinates="Y X psi",
    lagrangian="m*(Xdot**2 + Ydot**2)/2 + J*psidot**2/2",
    constraints=["Xdot*cos(psi) + Ydot*sin(psi) - V"],
    forces={
        "X": "sin(psi)*(F*(w + p*psidot)/V + R*(w - q*psidot)/V)".replace("w", "(Ydot*cos(psi) - Xdot*sin(psi))"),
        "Y": "-cos(psi)*(F*(w + p*psidot)/V + R*(w - q*psidot)/V)".replace("w", "(Ydot*cos(psi) - Xdot*sin(psi))"),
        "psi": "-p*F*(w + p*psidot)/V + q*R*(w - q*psidot)/V".replace("w", "(Ydot*cos(psi) - Xdot*sin(psi))"),
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
