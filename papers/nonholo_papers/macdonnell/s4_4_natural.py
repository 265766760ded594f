"""§4.4: Poincaré's equations for natural Lagrangians."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, slope, together, worst
from nonholo_papers.macdonnell import _affine as affine
from nonholo_papers.macdonnell import _frames as frames
from nonholo_papers.section import Section

section = Section("macdonnell", "4.4 Natural Lagrangians")
section.rest("restates Definition 3.5.1", 161)
WORDS = "a generic frame on four coordinates, affine constraints, M; rates by the multiplier witness"


def _states() -> tuple[SimpleNamespace, ...]:
    return frames.states(True)


@section.confirmed("§4.4, L̄ and its momenta", (162, 163))
def bar() -> Evidence:
    """L̄ = ½K(α_i, α_j)μ^iμ^j − U, ∂L̄/∂μ^k = K(α_k, α_j)μ^j."""
    f = affine.functions(True)

    def terms(s: SimpleNamespace) -> list[Any]:
        value = f.L(s.q, frames.velocity(s.q, s.mu))[0]
        pushed = slope(lambda mu: f.L(s.q, frames.velocity(s.q, mu)), s.mu)[0]
        return [
            np.concatenate([[value], pushed]),
            -np.concatenate([[s.mu @ s.gram @ s.mu / 2], s.gram @ s.mu]),
            np.concatenate([f.potential(s.q), np.zeros(4)]),
        ]

    return identity(_states(), terms)


def _bracketed(s: SimpleNamespace) -> Any:
    """K([α_i, α_j], α_k), indices i, j, k."""
    return np.einsum("ijn,nm,km->ijk", s.brackets, s.metric, s.alpha)


def _common(s: SimpleNamespace) -> list[Any]:
    """The terms all forms share: the rate, −M, α_iU, and the reactions."""
    return [s.momentum_rate_bar, -s.bar_field @ s.mu, s.push_up, -s.bar_rows.T @ s.lambdas]


def _symmetric(s: SimpleNamespace) -> list[Any]:
    """½K([α_i, α_j], α_k)μμ, ½K(α_j, [α_i, α_k])μμ, −½α_i{K(α_j, α_k)}μμ."""
    k = _bracketed(s)
    return [
        np.einsum("ijk,j,k->i", k, s.mu, s.mu) / 2,
        np.einsum("ikj,j,k->i", k, s.mu, s.mu) / 2,
        -np.einsum("ijk,j,k->i", s.gram_slopes, s.mu, s.mu) / 2,
    ]


@section.confirmed("§4.4, the left side of (4.1)", 164)
def left_side() -> Evidence:
    """With C, with one bracket, and with both, symmetrically: the plus sign that (4.4) lacks."""

    def with_c(s: SimpleNamespace) -> list[Any]:
        turned = np.einsum("km,m,ijk,j->i", s.gram, s.mu, s.C, s.mu)
        return [*_common(s), turned, -np.einsum("ijk,j,k->i", s.gram_slopes, s.mu, s.mu) / 2]

    def once(s: SimpleNamespace) -> list[Any]:
        return [*_common(s), np.einsum("ijm,m,j->i", _bracketed(s), s.mu, s.mu), _symmetric(s)[2]]

    found = [identity(_states(), form) for form in (with_c, once, lambda s: [*_common(s), *_symmetric(s)])]
    return together(found, WORDS)


@section.confirmed("§4.4, the Lie derivative of K", 165)
def leibniz() -> Evidence:
    """α_i{K(α_j, α_k)} = (L_{α_i}K)(α_j, α_k) + K([α_i, α_j], α_k) + K(α_j, [α_i, α_k])."""

    def terms(s: SimpleNamespace) -> list[Any]:
        k = _bracketed(s)
        return [s.gram_slopes, -s.lie, -k, -np.einsum("ikj->ijk", k)]

    return identity(_states(), terms, words="L_X K by its formula in coordinates")


def _with_lie(s: SimpleNamespace) -> list[Any]:
    return [*_common(s), -np.einsum("ijk,j,k->i", s.lie, s.mu, s.mu) / 2]


@section.confirmed("§4.4, the left side with the Lie derivative", 166)
def with_lie() -> Evidence:
    """{K(α_i, α_j)μ^j}' − ½(L_{α_i}K)(α_j, α_k)μ^jμ^k − M(α_i, α_j)μ^j + α_iU is λ_j⟨B^j, α_i⟩."""
    return identity(_states(), _with_lie, words=WORDS)


@section.misprint(
    "(4.4)",
    (167, 168, 169, 170, 171),
    right=r"\{K(\alpha_i, \alpha_j)\mu^j\}' + \frac{1}{2}\{K([\alpha_i, \alpha_j], \alpha_k) + K(\alpha_j, [\alpha_i, \alpha_k]) "
    r"- \alpha_i\{K(\alpha_j, \alpha_k)\}\}\mu^j\mu^k - M(\alpha_i, \alpha_j)\mu^j + \alpha_i U = \lambda_j \langle B^j, "
    r"\alpha_i \rangle",
    harm=5,
    breaks="Every motion in quasi-velocities: for ż = yẋ the momentum changes with the wrong sign.",
    exhibits=("constrained-particle",),
    kind="error",
    because=(
        "(L_{α_i}K)(α_j, α_k) = α_i{K(α_j, α_k)} − K([α_i, α_j], α_k) − K(α_j, [α_i, α_k]), so −½L_{α_i}K, "
        "as in (4.6), is +½ before the braces. The sign is repeated in (8.2) and in the proof of Lemma "
        "8.1.1; (8.5) and (8.6) have it right."
    ),
)
def poincare() -> Evidence:
    """Poincaré's equations with brackets: −½ is printed for +½ (display 164 and (8.5) have the plus)."""
    return identity(
        _states(),
        lambda s: [*_common(s), *(-e for e in _symmetric(s))],
        lambda s: [*_common(s), *_symmetric(s)],
        words=WORDS,
    )


@section.misprint(
    "(4.6), first line",
    172,
    right=r"\{K(\alpha_i, \alpha_j)\mu^j\}' - \frac{1}{2}(\mathcal{L}_{\alpha_i} K)(\alpha_j, \alpha_k)\mu^j\mu^k - M(\alpha_i, "
    r"\alpha_j)\mu^j + \alpha_i U = \lambda_j \langle B^j, \alpha_i \rangle",
    harm=1,
    breaks="M(α_i, α_i) = 0 would drop the magnetic force; the line after it has the right indices.",
    kind="reading",
)
def first_line() -> Evidence:
    """Poincaré's equations with the Lie derivative, where the line printed first has M(α_i, α_i)μ^j."""

    def printed(s: SimpleNamespace) -> list[Any]:
        terms = _with_lie(s)
        terms[1] = -np.diag(s.bar_field) * np.sum(s.mu)
        return terms

    return identity(_states(), printed, _with_lie, words=WORDS)


@section.confirmed("(4.6), (4.7)", 173)
def second_line() -> Evidence:
    """The second line of (4.6), with the constraints ⟨B^i, α_j⟩μ^j = b^i."""
    found = identity(_states(), _with_lie, words=WORDS)
    kept = identity(_states(), lambda s: [s.bar_rows @ s.mu, -s.values])
    return Evidence(worst(found.printed, kept.printed), None, min(found.mutant or 0, kept.mutant or 0), WORDS)
