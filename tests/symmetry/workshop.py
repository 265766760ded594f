"""More systems of the literature and of the workshop, in `plain/`: their groups, and what is known of them by hand.

What is called known was derived on paper from balance of momentum (the line says how), not by nonholo.
"""

from __future__ import annotations

from tests.symmetry.plain_systems import Case

PLANE = {"shift_x", "shift_y", "turn"}
K = "sqrt(I/(I + m*r**2))"
NORMAL = "(w2*sin(phi) + w3*cos(phi))"
GROUPS: dict[str, set[str]] = {
    "skate-ellipsoid": {"shift_al"},
    "ball-two-planes": {"R_spin1", "R_spin2", "R_spin3", "R_turn"},
    "cylinder-in-cylinder": {"shift_X", "shift_be", "shift_ga"},
    "ball-horizontal-cylinder": {"R_spin1", "R_spin2", "R_spin3", "shift_x"},
    "particle-well": {"shift_x", "shift_z"},
    "disc-slope": {"shift_x", "shift_y", "shift_roll"},
    "trailers-masses": PLANE,
    "castor-cart": {"shift_xx", "shift_yy", "shift_p1", "shift_p2", "turn"},
    "suslov-euler": {"shift_ph"},
    "heisenberg-polar": {"shift_al", "shift_z"},
    "martinet": {"shift_x", "shift_z"},
    "suslov-quaternion": {"q_turn1", "q_turn2", "q_turn3"},
    "tilted-turntable": {"R_spin1", "R_spin2", "R_spin3"},
    "rolling-torus": {*PLANE, "shift_psi"},
}
KNOWN: dict[str, Case] = {
    "skate-ellipsoid": Case(
        "the reaction has no moment about the normal: the blade's own turning on any surface",
        {},
        ("betadot + a*cos(u)*aldot/sqrt(a**2*cos(u)**2 + c**2*sin(u)**2)",),
    ),
    "ball-two-planes": Case("Routh 1884: the centre turns at half the rate of the plane", {}, ("w3", "x**2 + y**2")),
    "cylinder-in-cylinder": Case(
        "two holonomic constraints in disguise, and the momentum of all along the ground",
        {},
        (
            "X + b*be",
            "(b - r)*al + r*ga - b*be",
            "M*Xdot - K*bedot/b - I*gadot/r + m*(Xdot + (b - r)*aldot*cos(al))",
        ),
    ),
    "ball-horizontal-cylinder": Case(
        "dω_n/dφ = ẋ/r and dẋ/dφ = −k² r ω_n with k² = I/(I + m r²): Routh 1884 for the vertical cylinder",
        {},
        (f"{NORMAL}*cos({K}*phi) - xdot/(r*{K})*sin({K}*phi)", f"{NORMAL}*sin({K}*phi) + xdot/(r*{K})*cos({K}*phi)"),
    ),
    "particle-well": Case("Bates and Śniatycki 1993, in a potential of y", {}, ("xdot*sqrt(1 + y**2)",)),
    "disc-slope": Case(
        "Neimark and Fufaev 1972, as for the skate",
        {},
        ("headdot", "(I + m*R**2)*rolldot*headdot - m*g*R*sin(alpha)*sin(head)"),
    ),
    "trailers-masses": Case("no reaction acts on the steering", {}, ("a0dot + steerdot",)),
    "castor-cart": Case("the wheels tell the heading", {}, ("rho*(p1 - p2) - 2*b*h",)),
    "suslov-euler": Case(
        "Kharlamova-Zabelina 1957",
        {},
        (
            "I1*b1*(phdot*sin(th)*sin(psi) + thdot*cos(psi)) + I2*b2*(phdot*sin(th)*cos(psi) - thdot*sin(psi))",
        ),
    ),
    "heisenberg-polar": Case("Bloch 2003, in polar coordinates", {}, ("zdot",)),
    "martinet": Case("(m + n f²) ẍ + n f f' ẏ ẋ = 0 with ż = f(y) ẋ", {}, ("xdot*sqrt(4*m + n*y**4)",)),
    "suslov-quaternion": Case("", {}),
    "tilted-turntable": Case(
        "v̇ = κ k × v + g' with κ = W I/(I + m r²): Earnshaw 1844 with gravity",
        {},
        (
            "w3",
            "xdot + W*I/(I + m*r**2)*y",
            "(xdot**2 + ydot**2)/2 - m*r**2*g*sin(alpha)/(I + m*r**2)*y",
        ),
        energy=False,
    ),
    "rolling-torus": Case("Chaplygin 1897: two momenta with coefficients of the tilt", {}, momenta=2),
}
