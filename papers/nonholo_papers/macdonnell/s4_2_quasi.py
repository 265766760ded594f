"""§§4.1–4.3: momenta, quasi-velocities, Poincaré's equations."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, slope
from nonholo_papers.macdonnell import _affine as affine
from nonholo_papers.macdonnell import _frames as frames
from nonholo_papers.macdonnell._fields import bracket, rate, towards
from nonholo_papers.macdonnell.s2_5_rigid import bodies, hat
from nonholo_papers.section import Section

Array = Any
section = Section("macdonnell", "4.1 Momentum, 4.2 Quasi-velocities, 4.3 Poincaré's equations")
section.rest("definition", 125, 126, 127, 129, 136, 143, 144, "Definition 4.1.1")
section.rest("notation", 128, 131, 134)
section.rest("restates (3.1) and (3.2), here with b^j", 135)
WORDS = "a generic frame on four coordinates, L not quadratic, affine constraints, M; rates by the multiplier witness"


@section.misprint(
    "§4.2, body and spatial angular velocity as quasi-velocities",
    (130, 133),
    right=r"\dot{W} = WA(\omega_1\epsilon_1 + \omega_2\epsilon_2 + \omega_3\epsilon_3), \quad \dot{W} = "
    r"A(\nu_1\epsilon_1 + \nu_2\epsilon_2 + \nu_3\epsilon_3)W",
    harm=1,
    breaks="The dot over W is not in the text, as in §2.5.",
    kind="reading",
)
def angular() -> Evidence:
    """The components of ω and ν are quasi-velocities: they determine Ẇ, printed W."""

    def terms(b: SimpleNamespace, left: Array) -> list[Any]:
        body = [-np.array([b.omega[i] * b.W @ hat(e), b.nu[i] * hat(e) @ b.W]) for i, e in enumerate(np.eye(3))]
        return [np.array([left, left]), *body]

    return identity(bodies(), lambda b: terms(b, b.W), lambda b: terms(b, b.Wdot))


def _body(i: int) -> Any:
    """(WA(ε_i), 0) for i < 3, (0, ε_i) after, as fields on the twelve numbers (W, x)."""
    if i >= 3:
        return lambda z: np.concatenate([0 * z[:9], np.eye(3)[i - 3] + 0 * z[9:]])
    return lambda z: np.concatenate([(z[:9].reshape(3, 3) @ hat(np.eye(3)[i])).ravel(), 0 * z[9:]])


@section.confirmed(
    "§4.2, brackets of the body frame",
    "132a",
    printed=r"[(WA(\epsilon_i),0),(WA(\epsilon_j),0)] = \varepsilon_{ij}^k (WA(\epsilon_k),0), \text{ all other brackets vanish}",
)
def body_brackets() -> Evidence:
    """The structure functions of the body frame basis are the permutation symbols; all others vanish."""

    def terms(b: SimpleNamespace) -> list[Any]:
        z = np.concatenate([b.W.ravel(), b.x])
        found = np.array([[bracket(_body(i), _body(j), z) for j in range(6)] for i in range(6)])
        wanted = np.zeros((6, 6, 12))
        for i in range(3):
            for j in range(3):
                wanted[i, j, :9] = (b.W @ hat(np.cross(np.eye(3)[i], np.eye(3)[j]))).ravel()
        return [found, -wanted]

    return identity(bodies(), terms, words="fields on (W, x) as twelve numbers")


@section.misprint(
    "§4.2, brackets of the body frame, the steps",
    "132b",
    printed=r"\ldots = (WA(\epsilon_i)A(\epsilon_j) - A(\epsilon_j)A(\epsilon_i)\},0) = (WA(\epsilon_i)\epsilon_j),0)",
    right=r"\ldots = (W\{A(\epsilon_i)A(\epsilon_j) - A(\epsilon_j)A(\epsilon_i)\},0) = (WA(A(\epsilon_i)\epsilon_j),0)",
    harm=1,
    breaks="Brackets and letters lost in the text; the last step is the fourth property of A in §2.5.",
    kind="reading",
)
def body_steps() -> Evidence:
    """The steps of the calculation, with the brackets and the A that the text lacks."""

    def pairs() -> list[tuple[Array, Array]]:
        return [(np.eye(3)[i], np.eye(3)[j]) for i in range(3) for j in range(3) if i != j]

    def printed(b: SimpleNamespace) -> list[Any]:
        one = [b.W @ hat(e) @ hat(f) - hat(f) @ hat(e) for e, f in pairs()]
        return [np.array(one), -np.array([b.W @ hat(hat(e) @ f) for e, f in pairs()])]

    def right(b: SimpleNamespace) -> list[Any]:
        one = [b.W @ (hat(e) @ hat(f) - hat(f) @ hat(e)) for e, f in pairs()]
        return [np.array(one), -np.array([b.W @ hat(hat(e) @ f) for e, f in pairs()])]

    return identity(bodies(), printed, right)


@section.confirmed("§4.3, derivatives of L̄", (137, 138, 139, 140))
def derivatives() -> Evidence:
    """∂L̄/∂q = ∂L/∂q + ∂L/∂q̇ μ ∂α/∂q, ∂L̄/∂μ^i = ∂L/∂q̇^j α_i^j, and the rate of the latter."""
    f = affine.functions()

    def terms(s: SimpleNamespace) -> list[Any]:
        bent = np.einsum("j,k,kji->i", s.momentum, s.mu, s.slopes)
        turned = np.einsum("j,ijk,k->i", s.momentum, s.slopes, s.v)
        pushed = rate(f.push, s.q, s.v, s.a) @ s.alpha.T
        zero = np.zeros(4)
        return [
            np.concatenate([s.bar_pull, s.bar_push, s.bar_push_rate]),
            -np.concatenate([s.pull, s.momentum @ s.alpha.T, pushed]),
            -np.concatenate([bent, zero, turned]),
        ]

    return identity(frames.states(), terms, words=WORDS)


def _lines(s: SimpleNamespace) -> dict[str, Array]:
    """The lines of the calculation before (4.1)."""
    force = s.lambdas @ s.rows + s.field @ s.v
    turned = np.einsum("j,ijk,m,mk->i", s.momentum, s.slopes, s.mu, s.alpha)
    bent = np.einsum("j,m,mjk,ik->i", s.momentum, s.mu, s.slopes, s.alpha)
    return {
        "first": s.bar_rows.T @ s.lambdas + s.bar_field @ s.mu,
        "second": s.alpha @ force,
        "third": s.alpha @ (s.momentum_rate - s.pull),
        "fourth": s.bar_push_rate - turned - s.alpha @ s.bar_pull + bent,
        "fifth": s.bar_push_rate + np.einsum("j,m,imj->i", s.momentum, s.mu, s.brackets) - s.alpha @ s.bar_pull,
        "last": s.bar_push_rate + np.einsum("k,ijk,j->i", s.bar_push, s.C, s.mu) - s.alpha @ s.bar_pull,
    }


@section.misprint(
    "§4.3, the calculation before (4.1), third line",
    "141a",
    printed=r"\left\{ \left(\frac{\partial L}{\partial \dot{q}^{j}} \right)' - \frac{\partial L}{\partial \dot{q}^{j}} \right\} "
    r"\alpha_{i}^{j}",
    right=r"\left\{ \left(\frac{\partial L}{\partial \dot{q}^{j}} \right)' - \frac{\partial L}{\partial q^{j}} \right\} "
    r"\alpha_{i}^{j}",
    harm=1,
    breaks="A dot too many: the slope of L is meant, not the momentum.",
    kind="reading",
)
def third_line() -> Evidence:
    """(∂L/∂q̇)' − ∂L/∂q along α_i, printed with ∂L/∂q̇ twice."""
    return identity(
        frames.states(),
        lambda s: [_lines(s)["second"], -s.alpha @ s.momentum_rate, s.alpha @ s.momentum],
        lambda s: [_lines(s)["second"], -s.alpha @ s.momentum_rate, s.alpha @ s.pull],
        words=WORDS,
    )


@section.confirmed("§4.3, the calculation before (4.1)", "141b", printed=r"\ldots = \left(\frac{\partial \overline{L}}{\partial "
    r"\mu^{i}} \right)' + \frac{\partial \overline{L}}{\partial \mu^{k}} C_{ij}^{k} \mu^{j} - \alpha_{i}^{j} \frac{\partial "
    r"\overline{L}}{\partial q^{j}}")  # fmt: skip
def calculation() -> Evidence:
    """All other lines of the calculation are equal along the motion."""

    def terms(s: SimpleNamespace) -> list[Any]:
        lines = _lines(s)
        return [
            np.array([lines["first"]] * 5),
            -np.array([lines[k] for k in ("second", "third", "fourth", "fifth", "last")]),
        ]

    def reversed_bracket(s: SimpleNamespace) -> list[Any]:
        flipped = s.bar_push_rate - np.einsum("k,ijk,j->i", s.bar_push, s.C, s.mu) - s.alpha @ s.bar_pull
        return [_lines(s)["first"], -flipped]

    return identity(frames.states(), terms, mutants=[reversed_bracket], words=WORDS)


@section.misprint(
    "§4.3, α_i L̄",
    142,
    right=r"\alpha_i \overline{L} = \alpha_i^j \frac{\partial \overline{L}}{\partial q^j}",
    harm=2,
    breaks="With ∂L/∂q at fixed q̇ the terms of the frame's own change are lost from (4.1).",
    kind="reading",
)
def slope_of_bar() -> Evidence:
    """α_i L̄ is the derivative at fixed μ, of L̄; printed of L."""

    def bar(s: SimpleNamespace) -> Array:
        f = affine.functions()
        return towards(lambda q: f.L(q, frames.velocity(q, s.mu))[0], s.q, s.alpha)

    return identity(
        frames.states(),
        lambda s: [bar(s), -s.alpha @ s.pull],
        lambda s: [bar(s), -s.alpha @ s.bar_pull],
        words="L̄(q, μ) differentiated along α_i at fixed μ",
    )


def _poincare(s: SimpleNamespace, fields: Array) -> list[Any]:
    return [
        s.bar_push_rate,
        np.einsum("k,ijk,j->i", s.bar_push, s.C, s.mu),
        -s.bar_field @ s.mu,
        -fields @ s.bar_pull,
        -s.bar_rows.T @ s.lambdas,
    ]


@section.misprint(
    "(4.1)",
    145,
    right=r"\left(\frac{\partial \overline{L}}{\partial \mu^{i}}\right)' + \frac{\partial \overline{L}}{\partial \mu^{k}} "
    r"C^{k}_{ij} \mu^{j} - \overline{M}_{ij} \mu^{j} - \alpha_{i} \overline{L} = \lambda_{j} \overline{B}^{j}_{i}",
    harm=2,
    breaks="σ_i is not defined; the fields are α_i.",
    kind="reading",
)
def poincare() -> Evidence:
    """Poincaré's equations, with σ_i printed for α_i."""
    other = np.roll(np.eye(4), 1, axis=0)
    return identity(
        frames.states(),
        lambda s: _poincare(s, s.alpha @ other),
        lambda s: _poincare(s, s.alpha),
        words=f"{WORDS}; σ_i read as another frame",
    )


@section.confirmed("(4.2)", 146)
def constraints() -> Evidence:
    """B̄^i_j μ^j = b^i."""
    return identity(frames.states(), lambda s: [s.bar_rows @ s.mu, -s.values], words=WORDS)


@section.confirmed("(4.3)", (147, 148, 149))
def momenta() -> Evidence:
    """∂L̄/∂μ^i = d/ds L(τ + sα_i) = ⟨FL(τ), α_i⟩ = p^{α_i}."""
    f = affine.functions()

    def terms(s: SimpleNamespace) -> list[Any]:
        shifted = towards(lambda v: f.L(s.q, v)[0], s.v, s.alpha, 0.3, 8)
        pushed = slope(lambda mu: f.L(s.q, frames.velocity(s.q, mu)), s.mu)[0]
        return [np.array([pushed, shifted]), -np.array([s.alpha @ s.momentum] * 2)]

    return identity(frames.states(), terms)
