"""Cases with numbers in which formulas of the paper fail, computed a third way."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nonholo_papers.claim import Counterexample

Values = Mapping[str, float]


def varied(v: Values) -> float:
    """δξ³ for ξ = (ω, v, 0), η = (a, b, 0) constant: the third row of the commutator of matrices of se(2)."""

    def matrix(turn: float, along: float) -> np.ndarray:
        return np.array([[0, -turn, along], [turn, 0, 0], [0, 0, 0.0]])

    one, two = matrix(v["omega"], v["v"]), matrix(v["a"], v["b"])
    return float((one @ two - two @ one)[1, 2])


def _limit(v: Values) -> float:
    """ξ̇ of the pendulum for h → 0: mr²ξ̇₁ = mgr(γ × e₃)₁ with the mean of two equal γ."""
    gamma = np.array([0.0, v["gamma2"], 0.0])
    mean = (gamma + gamma) / 2
    return float(v["m"] * v["g"] * v["r"] * np.cross(mean, [0.0, 0.0, 1.0])[0] / (v["m"] * v["r"] ** 2))


def _growth(v: Values) -> float:
    """The rate of the area of a small triangle that ξ = (cx, 0) carries, over the area."""
    step, c = 1e-30, v["c"]
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]) + 0j
    corners[:, 0] += 1j * step * c * corners[:, 0].real
    a, b = corners[1] - corners[0], corners[2] - corners[0]
    return float(np.imag(a[0] * b[1] - a[1] * b[0]) / step)


def _string(v: Values) -> float:
    """Energy of a straight string z = cs, stretched by c, that moves with the velocity u."""
    weights = np.polynomial.legendre.leggauss(6)[1]
    return float(sum(w / 2 * v["u"] ** 2 / 2 for w in weights))


def jacobi(v: Values) -> float:
    """The second component of the cyclic sum of double brackets with c frozen at (x, y, 0)."""
    from nonholo_papers.spectral import slopes

    def frame(q: np.ndarray) -> np.ndarray:
        one, none = np.ones_like(q[..., 0]), np.zeros_like(q[..., 0])
        columns = [[one, none, none], [q[..., 0], one, none], [none, q[..., 0] * q[..., 1], one]]
        return np.stack([np.stack(c, axis=-1) for c in columns], axis=-1)

    q = np.array([v["x"], v["y"], 0.0])
    move = np.einsum("li,kjl->ijk", frame(q), slopes(frame, q))
    c = np.einsum("ak,ijk->ija", np.linalg.inv(frame(q)), move - np.swapaxes(move, 0, 1))
    twice = np.einsum("ijm,mkl->ijkl", c, c)
    return float((twice[0, 1, 2] + twice[1, 2, 0] + twice[2, 0, 1])[1])


def _length(v: Values) -> float:
    """The length of z = φ(s + ξt), 0 ≤ s ≤ 1, with φ(s) = s + bs²: a polygon with many corners."""
    place = np.linspace(0.0, 1.0, 1001) + v["xi"] * v["t"]
    return float(np.sum(np.abs(np.diff(place + v["b"] * place**2))))


def _behind(v: Values) -> float:
    """How far the end s = 1 of a straight string with z(0) = 0, z_s = 1 is behind a sleigh with the velocity v along it."""
    end = 0.0 + 1.0 * 1
    return float(-end * np.sign(v["v"]))


def _energy_drift(v: Values) -> float:
    """The largest change of K + U over |K + U| in 100 steps with (6.6) as printed."""
    from nonholo_papers.zenkov import _pendulum as pendulum

    found = pendulum.energy(*pendulum.discrete(100, 1.0, v["h"]))
    return float(np.max(np.abs(found - found[0])))


def _mean(v: Values) -> float:
    """|½(γ₀ + γ₁)| of two unit vectors."""
    one, two = np.array([1.0, 0.0]), np.array([np.cos(v["alpha"]), np.sin(v["alpha"])])
    return float(np.linalg.norm((one + two) / 2))


CASES = {
    "§3.2, the Jacobi identity": Counterexample(
        "The frame u₁ = ∂x, u₂ = x ∂x + ∂y, u₃ = xy ∂y + ∂z of R³",
        (("x", 0.5), ("y", 0.7)),
        "the second component of the cyclic sum of [[u₁, u₂]_q, u₃]_q",
        "0",
        "y",
        jacobi,
        "brackets by complex steps",
    ),
    "(4.3)": Counterexample(
        "The sleigh, with constant η = (a, b, 0)",
        (("omega", 0.5), ("v", 2.0), ("a", 0.3), ("b", 0.7)),
        "δξ³",
        "0",
        "omega*b - v*a",
        varied,
        "the commutator of matrices of se(2)",
    ),
    "(6.6)": Counterexample(
        "The pendulum as h → 0, γ = (0, γ₂, 0)",
        (("m", 1.5), ("g", 9.8), ("r", 2.0), ("gamma2", 0.4)),
        "ξ̇¹",
        "2*g*gamma2/r",
        "g*gamma2/r",
        _limit,
        "the torque of the weight",
    ),
    "Example 4.1, z = φ(s + ξt)": Counterexample(
        "φ(s) = s + bs², a string with the length 1 if φ were arbitrary",
        (("b", 0.5), ("xi", 2.0), ("t", 3.0)),
        "its length",
        "1",
        "1 + b*(1 + 2*xi*t)",
        _length,
        "a polygon along z",
        1e-6,
    ),
    "(4.10)": Counterexample(
        "A straight string with z_s = 1 at a sleigh that moves forwards",
        (("v", 2.0),),
        "how far the end s = 1 is behind the sleigh",
        "1",
        "-1",
        _behind,
        "z(1) − z(0) along the velocity",
    ),
    "(6.7), Theorem 6.1": Counterexample(
        "The start of §6.3 and 100 steps with (6.6) as printed, g/r = 1",
        (("h", 0.2),),
        "the largest change of the energy over mr²",
        "0",
        "0.054591",
        _energy_drift,
        "the discrete motion",
        1e-5,
    ),
    "§6.2, the mean of γ": Counterexample(
        "Nodes with |γ_k| = |γ_{k+1}| = 1 and the angle α between them",
        (("alpha", 0.8),),
        "|γ_{k+1/2}|",
        "1",
        "cos(alpha/2)",
        _mean,
        "the mean of two vectors",
    ),
}
