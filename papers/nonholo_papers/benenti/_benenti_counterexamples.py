"""Cases with numbers in which formulas of the paper fail, computed a third way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nonholo_papers.claim import Counterexample

Values = Mapping[str, float]
FREE = "A free point of mass 1 whose velocity is written ẋ = xz"
STATE = (("x", 2.0), ("z", 3.0))


def _zdot(v: Values) -> float:
    """ż of z = ẋ/x along x(t) = x + vt."""
    speed, step = v["x"] * v["z"], 1e-30
    return float(np.imag(speed / (v["x"] + speed * 1j * step)) / step)


def _energy(v: Values, rate: float) -> float:
    """½ẍ² with ẋ = xz and ż given."""
    step = 1e-30
    moved = (v["x"] + 1j * step * v["x"] * v["z"]) * (v["z"] + 1j * step * rate)
    return float((np.imag(moved) / step) ** 2 / 2)


ORTHOGONAL = "Two points with velocities across their segment, the second at the distance ρ"
TWO = (("m1", 2.0), ("m2", 3.0), ("rho", 0.5))


def _table(v: Values) -> Any:
    """G from T = ½m₁v² + ½m₂(v − ρω)² by polarisation."""

    def kinetic(a: Any) -> float:
        return float(v["m1"] * a[0] ** 2 / 2 + v["m2"] * (a[0] - v["rho"] * a[1]) ** 2 / 2)

    unit = np.eye(2)
    return np.array([[kinetic(a + b) - kinetic(a) - kinetic(b) for a in unit] for b in unit])


def _pushed(v: Values) -> float:
    return float(np.linalg.solve(_table(v), [v["A"], 0.0])[0])


PUSHED = Counterexample(
    f"{ORTHOGONAL}, at θ = π/2, pushed by A_x = A alone",
    (("m1", 2.0), ("m2", 3.0), ("rho", 0.5), ("A", 7.0)),
    "dv/dt",
    "A/(m1 - 3*m2)",
    "A/m1",
    _pushed,
    "Lagrange's equations of T = ½m₁v² + ½m₂(v − ρω)²",
)


def _kinds(cases: list[tuple[float, ...]]) -> float:
    """How many kinds of orbits there are: the segment goes round, or swings."""
    from nonholo_papers.benenti._parallel import goes_round, motion

    return float(len({goes_round(motion(*case)) for case in cases}))


def _power(v: Values) -> float:
    """R·v of a point with |v| = c in a vertical plane: m(cż n) = mg + Re, e = v/c, n across it."""
    e, n = np.array([np.cos(v["z"]), np.sin(v["z"])]), np.array([-np.sin(v["z"]), np.cos(v["z"])])
    weight = np.array([0.0, -v["m"] * v["g"]])
    _, reaction = np.linalg.solve(np.array([v["m"] * v["c"] * n, -e]).T, weight)
    return float(reaction * v["c"])


def _wheel(v: Values) -> float:
    """ż of a point with the velocity z(cos kz, sin kz) on a steered wheel, pushed by A along x: mż w = A + Rn, n across."""
    turn = v["k"] * v["z"]
    e, n = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    found = np.linalg.solve(np.array([v["m"] * (e + turn * n), -n]).T, [v["A"], 0.0])
    return float(found[0])


def _device(v: Values) -> float:
    """θ̇ of two skates with one heading a hundredth of a second after a start with θ̇ = 0, by multipliers."""
    heading = v["theta"]
    across = np.array([-np.sin(heading), np.cos(heading)])
    rows = np.zeros((2, 5))
    rows[0, :2], rows[1, 2:4] = across, across
    mass = np.diag([1.0, 1.0, 1.0, 1.0, 1e-3])
    whole = np.block([[mass, -rows.T], [rows, np.zeros((2, 2))]])
    down = np.array([v["g"], 0.0, v["g"], 0.0, 0.0])
    return float(np.linalg.solve(whole, np.concatenate([down, [0.0, 0.0]]))[4]) * 0.01


CASES = {
    "Case A, different speeds (figures 12 to 14, 16)": Counterexample(
        "Equal masses, v₁ = 1, v₂ = −2 across the segment, k = m₁ = 1, at the distances",
        (("d", 0.6), ("D", 0.8)),
        "the number of kinds of orbits",
        "1",
        "2",
        lambda v: _kinds([(1.0, v["d"], 1.0, -2.0), (1.0, v["D"], 1.0, -2.0)]),
        "two motions: the segment swings, or goes round",
    ),
    "Case B, different speeds (figure 18)": Counterexample(
        "v₁ = 1, v₂ = 2 across the segment, d = 3, k = m₁ = 1, with the second masses",
        (("m", 1.0), ("M", 4.0)),
        "the number of kinds of orbits",
        "1",
        "2",
        lambda v: _kinds([(v["m"], 3.0, 1.0, 2.0), (v["M"], 3.0, 1.0, 2.0)]),
        "two motions: the segment goes round, or swings",
    ),
    "(17)": Counterexample(FREE, STATE, "Z̄", "0", "-x*z**2", lambda v: v["x"] * _zdot(v), "Gż = Z̄x with x uniform"),
    "Theorem 1, (23)": Counterexample(FREE, STATE, "ż", "0", "-z**2", _zdot, "z = ẋ/x of a uniform motion"),
    "§7, S": Counterexample(
        FREE,
        STATE,
        "the coefficient of ż in S",
        "0",
        "x**2*z**2",
        lambda v: (_energy(v, 1.0) - _energy(v, -1.0)) / 2,
        "S = ½ẍ²",
    ),
    "(43)": Counterexample(
        f"{FREE}, with ż = 1",
        STATE,
        "∂S/∂ż",
        "x**2",
        "x**2 + x**2*z**2",
        lambda v: (_energy(v, 2.0) - _energy(v, 0.0)) / 2,
        "S = ½ẍ²",
    ),
    "(44)": Counterexample(
        f"{FREE}, no force",
        STATE,
        "the left side of (44) along the motion",
        "-x**2*z**2",
        "0",
        lambda v: v["x"] ** 2 * (_zdot(v) + v["z"] ** 2),
        "z = ẋ/x of a uniform motion",
    ),
    "(45), Theorem 7": Counterexample(FREE, STATE, "ż", "0", "-z**2", _zdot, "z = ẋ/x of a uniform motion"),
    "§8.1, G_αβ, the mixed terms": Counterexample(
        ORTHOGONAL, TWO, "G₂₁", "0", "-rho*m2", lambda v: _table(v)[1, 0], "from T"
    ),
    "§8.1, G₁₂": Counterexample(ORTHOGONAL, TWO, "G₁₂", "-2*rho*m2", "-rho*m2", lambda v: _table(v)[0, 1], "from T"),
    "§8.1, the inverse": Counterexample(
        ORTHOGONAL,
        TWO,
        "the determinant of G",
        "(m1 - 3*m2)*m2*rho**2",
        "m1*m2*rho**2",
        lambda v: float(np.linalg.det(_table(v))),
        "from T",
    ),
    "§8.1, Z¹ and Z²": PUSHED,
    "(49)": PUSHED,
    "Theorem 3, and the note after (30)": Counterexample(
        "A point of mass m with the constant speed c in a vertical plane, z the angle of its velocity with the horizontal",
        (("m", 2.0), ("g", 9.8), ("c", 3.0), ("z", 0.5)),
        "the power of the ideal reaction",
        "0",
        "m*g*c*sin(z)",
        _power,
        "Newton's law along and across the velocity",
    ),
    "§9, note (2)": Counterexample(
        "A point with the velocity z(cos kz, sin kz), pushed by A along x, the ideal constraint against a steered wheel",
        (("m", 2.0), ("A", 3.0), ("k", 0.7), ("z", 1.5)),
        "ż of the wheel",
        "A*(cos(k*z) - k*z*sin(k*z))/(m*(1 + k**2*z**2))",
        "A*cos(k*z)/m",
        _wheel,
        "Newton's law with a reaction across the velocity",
    ),
    "§9, the device realises the system of 8.3": Counterexample(
        "Equal masses on an inclined plane, the device started with θ̇ = 0",
        (("g", 2.7), ("theta", 0.6), ("v1", 1.0), ("v2", 2.0)),
        "θ̇",
        "-g*sin(theta)*(v1 + v2)/(v1**2 + v2**2)",
        "0",
        _device,
        "two skates with one heading, by multipliers",
    ),
}
