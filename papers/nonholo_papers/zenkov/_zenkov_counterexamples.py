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
    "Example 3.1, W": Counterexample(
        "The field ξ = (cx, 0), in W as printed and so the velocity of a flow that keeps areas",
        (("c", 0.3),),
        "the relative rate of an area that it carries",
        "0",
        "c",
        _growth,
        "a triangle carried along",
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
    "Example 4.2, the Lagrangian": Counterexample(
        "A straight string z = cs of unit mass that moves across itself with the velocity u, before |z_s| = 1 is imposed",
        (("c", 2.0), ("u", 3.0)),
        "its kinetic energy",
        "u**2/c**2/2",
        "u**2/2",
        _string,
        "∫½|ż|² ds",
    ),
    "(6.6)": Counterexample(
        "The pendulum as h → 0, γ = (0, γ², 0)",
        (("m", 1.5), ("g", 9.8), ("r", 2.0), ("gamma2", 0.4)),
        "ξ̇¹",
        "2*g*gamma2/r",
        "g*gamma2/r",
        _limit,
        "the torque of the weight",
    ),
}
