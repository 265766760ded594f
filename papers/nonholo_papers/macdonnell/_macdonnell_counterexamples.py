"""Cases with numbers in which formulas of the thesis fail, computed a third way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nonholo_papers.claim import Counterexample

Values = Mapping[str, float]
STEP = 1e-30


def _lorentz(charge: float, velocity: Any, field: float) -> Any:
    """q v × B with B along the third axis."""
    return charge * np.cross(velocity, [0.0, 0.0, field])


def _particle(v: Values) -> float:
    """ẍ of the free particle with ż = yẋ: q̈ = λ(−y, 0, 1), z̈ − yẍ = ẏẋ."""
    row = np.array([-v["y"], 0.0, 1.0])
    whole = np.block([[np.eye(3), -row[:, None]], [row[None, :], np.zeros((1, 1))]])
    return float(np.linalg.solve(whole, [0.0, 0.0, 0.0, v["ydot"] * v["xdot"]])[0])


def _drift(v: Values) -> float:
    """The rate of mẋ − Byẋ along mẍ = Bẏ, mÿ = −Bẋ."""
    m, b = v["m"], v["B"]
    push = _lorentz(1.0, [v["xdot"], v["ydot"], 0.0], b) / m
    speed, y = v["xdot"] + 1j * STEP * push[0], v["y"] + 1j * STEP * v["ydot"]
    return float(np.imag(m * speed - b * y * speed) / STEP)


def _lagrange(v: Values) -> float:
    """d/dt ∂L/∂q̇ − ∂L/∂q of L = ½(1 + q²)q̇² − q³."""
    q, speed = v["q"], v["u"]
    momentum = (1 + (q + 1j * STEP * speed) ** 2) * (speed + 1j * STEP * v["b"])
    moved = q + 1j * STEP
    return float((np.imag(momentum) - np.imag((1 + moved**2) * speed**2 / 2 - moved**3)) / STEP)


def _maximum(_: Values) -> float:
    from nonholo_papers.macdonnell import _hoop

    return float(_hoop.hill()[0] / np.pi)


def _accelerations(v: Values) -> Any:
    """(ẍ, ÿ, z̈) of the free particle of mass 1 with ż = yẋ, by a multiplier."""
    row = np.array([-v["y"], 0.0, 1.0])
    whole = np.block([[np.eye(3), -row[:, None]], [row[None, :], np.zeros((1, 1))]])
    return np.linalg.solve(whole, [0.0, 0.0, 0.0, v["ydot"] * v["xdot"]])[:3]


def _lie(v: Values) -> float:
    """κ₁{K(κ₂, κ₂)} − 2K([κ₁, κ₂], κ₂) for κ₁ = ∂y, κ₂ = ∂x + y∂z, by a complex step along ∂y."""
    moved = np.array([1.0, 0.0, v["y"] + 1j * STEP])
    bracket = np.imag(moved) / STEP
    return float(np.imag(moved @ moved) / STEP - 2 * bracket @ np.real(moved))


def _gyroscopic(_: Values) -> float:
    """The gyroscopic coefficient on S² for a second velocity over that for a first, in the time t."""
    from nonholo import gallery
    from nonholo_papers.facts._chaplygin_time import gyroscopic

    found, _work = gyroscopic(gallery.get("chaplygin-sphere"), 0.0)
    return float(found[1] / found[0])


def _steepness(v: Values) -> float:
    """S'(−1) with C₁ such that S(−1) = 0, by a complex step."""
    m, j1, j3, a, r, c2 = (v[n] for n in ("m", "J1", "J3", "a", "r", "C2"))

    def root(z: Any) -> Any:
        return np.sqrt(j1 * (j3 + m * r**2 * (1 - z**2)) + m * j3 * (a + r * z) ** 2)

    c1 = c2 * j3 * (a - r) / root(-1.0)
    z = -1 + 1j * STEP
    return float(np.imag(c1 * root(z) - c2 * j3 * (a + r * z)) / STEP)


def _wire(v: Values) -> float:
    """∂G/∂x of the turning wire G = y cos ωt − x sin ωt."""
    angle = v["omega"] * v["t"]
    return float(np.imag(v["y"] * np.cos(angle) - (0.4 + 1j * STEP) * np.sin(angle)) / STEP)


def _vertical_in_d(v: Values) -> float:
    """dim S for shifts of z and ẏ = xż: the rank of D less that of its part without ż."""
    rows = np.array([[0.0, 1.0, -v["x"]], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])  # the constraint, and ẋ = ẏ = 0
    return float(3 - np.linalg.matrix_rank(rows))


def _flat(v: Values) -> float:
    """K([γ₂, γ₁], γ₁) twice for the sleigh: γ₁ turns about the contact point, γ₂ moves along the blade."""
    turn, ahead = np.zeros((3, 3)), np.zeros((3, 3))
    turn[0, 1], turn[1, 0], ahead[0, 2] = -1.0, 1.0, 1.0
    bracket = ahead @ turn - turn @ ahead
    spin, place = bracket[1, 0], bracket[:2, 2]

    def kinetic(w: float, u: Any) -> float:
        return float(v["J"] * w**2 + v["m"] * (u[0] ** 2 + (u[1] + v["a"] * w) ** 2)) / 2

    mixed = kinetic(spin + 1, place) - kinetic(spin, place) - kinetic(1.0, np.zeros(2))
    return 2 * mixed


def _lift(v: Values) -> float:
    """The height's rate of a body that rolls with θ̇ = 1: ω × (from the contact to the centre of mass), a = c cos θ, r = 1."""
    theta = v["theta"]
    axis = np.array([np.sin(theta), 0.0, np.cos(theta)])
    arm = np.array([0.0, 0.0, 1.0]) + v["c"] * np.cos(theta) * axis
    return float(np.cross([0.0, 1.0, 0.0], arm)[2])


SHIFTS = "The free particle of mass 1 with ż = yẋ, reduced by the shifts of z"
MOVING = (("y", 1.5), ("xdot", 2.0), ("ydot", 3.0))
REDUCED = Counterexample(
    SHIFTS, MOVING, "ÿ", "y*xdot**2", "0", lambda v: float(_accelerations(v)[1]), "Newton's equations with a multiplier"
)
SPHERE = Counterexample(
    "The sphere of the gallery at one place of S² with one C, moving in two directions",
    (),
    "the ratio of the gyroscopic coefficients",
    "1",
    "0.873248",
    _gyroscopic,
    "the motion by Newton's laws on S²",
    1e-5,
)
DIMENSION = Counterexample(
    "R³ with the shifts of z, a free action, and ẏ = xż, against its value where x is not zero",
    (("x", 0.0),),
    "dim S",
    "0",
    "1",
    _vertical_in_d,
    "ranks",
)
CHARGE = (("q", 0.0), ("B", 2.0), ("u", 3.0))
FIELD = (("m", 2.0), ("B", 3.0), ("ydot", 4.0))
PARTICLE = Counterexample(
    "The free particle of mass 1 with ż = yẋ, in the basis ∂x + y ∂z, ∂y of D",
    (("y", 1.0), ("xdot", 2.0), ("ydot", 3.0)),
    "ẍ",
    "-3*y*xdot*ydot/(1 + y**2)",
    "-y*xdot*ydot/(1 + y**2)",
    _particle,
    "Newton's equations with a multiplier",
)
CIRCLE = Counterexample(
    "A unit charge in a uniform field, M₁₂ = B",
    FIELD,
    "ẍ",
    "-B*ydot/m",
    "B*ydot/m",
    lambda v: float(_lorentz(1.0, [0.0, v["ydot"], 0.0], v["B"])[0] / v["m"]),
    "the Lorentz force",
)
ONE = Counterexample(
    "One coordinate, L = ½(1 + q²)q̇² − q³, with q̇ = u, q̈ = b",
    (("q", 1.0), ("u", 2.0), ("b", 0.5)),
    "the expression in braces",
    "(1 + q**2)*b + 2*q*u**2 - 3*q**2",
    "(1 + q**2)*b + q*u**2 + 3*q**2",
    _lagrange,
    "Lagrange's expression, by complex steps",
)
CASES = {
    "§2.1, the force; (2.1) and the display after it": Counterexample(
        "A particle without charge that moves with the velocity u across the field",
        CHARGE,
        "the force of B on it",
        "B*u",
        "q*B*u",
        lambda v: float(-_lorentz(v["q"], [v["u"], 0.0, 0.0], v["B"])[1]),
        "the Lorentz force",
    ),
    "§2.2, the generalized magnetic field": Counterexample(
        "A particle without charge in the plane across B",
        CHARGE[:2],
        "M₁₂",
        "B",
        "q*B",
        lambda v: float(_lorentz(v["q"], [0.0, 1.0, 0.0], v["B"])[0]),
        "the Lorentz force M₁₂q̇₂",
    ),
    "§2.3, Lagrange's equations on the moving solution manifold": Counterexample(
        "A unit charge at rest on a straight wire that is carried with the velocity u across itself",
        (("B", 2.0), ("u", 3.0)),
        "the magnetic force along the wire",
        "0",
        "B*u",
        lambda v: float(_lorentz(1.0, [0.0, v["u"], 0.0], v["B"])[0]),
        "the Lorentz force",
    ),
    "§3.4, the variation along a trajectory": CIRCLE,
    "(3.3), Proposition 3.4.1": CIRCLE,
    "(4.4)": PARTICLE,
    "§5.1, the constant for M = dN": Counterexample(
        "A unit charge in a uniform field, σ = ∂x, N = −By dx",
        (("m", 2.0), ("B", 3.0), ("y", 0.5), ("xdot", 2.0), ("ydot", 1.0)),
        "the rate of p^σ + N(q̇)",
        "0",
        "B*ydot - B*ydot*xdot - B**2*y*ydot/m",
        _drift,
        "along the motion by the Lorentz force",
    ),
    "(8.2)": PARTICLE,
    "Lemma 8.1.1, proof, the calculation": ONE,
    "§13.6, the flow of σ": Counterexample(
        "x = e₁, i = 1",
        (("s", 2.0), ("r", 0.5)),
        "the second component of x̄",
        "0",
        "-s*r",
        lambda v: float(v["s"] * v["r"] * np.cross([1.0, 0.0, 0.0], [0.0, 0.0, 1.0])[1]),
        "the constant velocity rA(e₁)e₃ for the time s",
    ),
    "Lemma 8.4.4": Counterexample(
        f"{SHIFTS}, κ₁ = ∂y, κ₂ = ∂x + y∂z",
        (("y", 1.5),),
        "(L_{κ₁}K)(κ₂, κ₂)",
        "2*y",
        "0",
        _lie,
        "κ₁{K(κ₂, κ₂)} − 2K([κ₁, κ₂], κ₂), by complex steps",
    ),
    "§8.4, the reduced equations": REDUCED,
    "Proposition 8.4.1": REDUCED,
    "Corollary 8.4.1": Counterexample(
        f"{SHIFTS}, where x is cyclic in K̄ = (1 + y²)ẋ² + ẏ²",
        MOVING,
        "the rate of (1 + y²)ẋ",
        "0",
        "y*xdot*ydot",
        lambda v: float((1 + v["y"] ** 2) * _accelerations(v)[0] + 2 * v["y"] * v["ydot"] * v["xdot"]),
        "Newton's equations with a multiplier",
    ),
    "§13.5, the reduced system on S² is Hamiltonian": SPHERE,
    "§1, the Chaplygin sphere": SPHERE,
    "§9.7, case 4: S'(−1)": Counterexample(
        "A Routh top with S(−1) = 0",
        (("m", 1.2), ("J1", 0.9), ("J3", 0.7), ("a", 0.3), ("r", 0.8), ("C2", 1.5)),
        "S'(−1)",
        "C2*r*J1*(J3 + m*r*(a - r))/(J1 + m*(a - r)**2)",
        "-C2*r*J1*(J3 - m*r*(a - r))/(J1 + m*(a - r)**2)",
        _steepness,
        "S differentiated by a complex step",
    ),
    "§2.4, (2.6) has the form of (2.5)": Counterexample(
        "A wire that turns, G = y cos ωt − x sin ωt, with the coefficient that it has at t = 0",
        (("omega", 2.0), ("t", 0.4), ("y", 1.0)),
        "∂G/∂x",
        "0",
        "-sin(omega*t)",
        _wire,
        "a complex step",
    ),
    "§5.1, the calculation along the flow": Counterexample(
        "L = ½q̇² − ½kq² and the shift q̄ = q + s",
        (("k", 2.0), ("q", 0.5), ("s", 0.3)),
        "(∂L/∂q̇(q̄̇) ∂q̄/∂s)'",
        "-k*(q + s)",
        "-k*q",
        lambda v: float(-np.imag(v["k"] * (v["q"] + 1j * STEP) ** 2 / 2) / STEP),
        "Newton's law of q",
    ),
    "Proposition 6.2.1": DIMENSION,
    "Proposition 6.3.1": DIMENSION,
    "§7.2, a non-zero σ needs flatness": Counterexample(
        "A free coordinate w beside a sleigh: σ = ∂w preserves K, and i, j, k = 2, 1, 1 belong to the sleigh",
        (("m", 1.5), ("J", 0.7), ("a", 0.4)),
        "the left side of (7.2)",
        "0",
        "-2*m*a",
        _flat,
        "commutators of matrices of se(2)",
    ),
    "Lemma 8.1.1": PARTICLE,
    "§9.1, the assumptions on h and d": Counterexample(
        "r = 1, a = c cos θ, rolling with θ̇ = 1, h′θ̇ against the rolling condition",
        (("c", 0.3), ("theta", 0.7)),
        "the rate of the height of the centre of mass",
        "-2*c*cos(theta)*sin(theta)",
        "-c*cos(theta)*sin(theta)",
        _lift,
        "ω × the arm from the contact point",
    ),
}
