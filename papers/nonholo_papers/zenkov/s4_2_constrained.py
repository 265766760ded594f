"""Zenkov 2016, §§4.1, 4.2: the Lagrange–d'Alembert principle and the constrained Hamel equations."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, moving_system
from nonholo_papers.section import Section
from nonholo_papers.spectral import Vector
from nonholo_papers.zenkov import _numeric_frame as frame

section = Section("zenkov", "4.1, 4.2 The Lagrange–d'Alembert principle, the constrained Hamel equations")
section.rest("definition (π_O in the text is π_Q)", 65)
section.rest("definition", 66, 68, 69, 70, 72, "Definition 4.1")


def _states() -> list[Any]:
    return moving_system(frame.constrained(), {}, 5)


def _coordinate_terms(p: Any) -> list[Vector]:
    q, dot = frame.place(p)
    change = frame.gradient(frame.lagrangian, q, dot, 0)
    along_frame = frame.adapted(q).T
    rate = p.dot(lambda s: frame.legendre(*frame.place(s)))
    return [along_frame @ rate, -along_frame @ change]


@section.confirmed("§4.1, the Lagrange–d'Alembert equations", 67)
def annihilated() -> Evidence:
    """d/dt ∂L/∂q̇ − ∂L/∂q annihilates D along the constrained motion, and q̇ is in D."""

    def in_distribution(p: Any) -> list[Vector]:
        return [term[:2] for term in _coordinate_terms(p)]

    return identity(
        _states(),
        in_distribution,
        mutants=[_coordinate_terms],
        words="against the multiplier form; not along the third field",
    )


@section.confirmed("§4.1, the variation comes first", printed="we take the variation before imposing the constraints")
def variation_first() -> Evidence:
    """With all momenta, taken before ξ^U = 0, the equations hold; with the constrained Lagrangian they do not."""

    def too_early(p: Any) -> list[Vector]:
        q, dot = frame.place(p)
        psi = frame.adapted(q)
        xi = np.linalg.solve(psi, dot)
        rate, _, push = frame.left_over(p)
        momenta = frame.adapted_momenta(p) * np.array([1, 1, 0])
        return [rate[:2], -frame.dual(frame.brackets(q, frame.adapted), xi, momenta)[:2], push[:2]]

    return identity(
        _states(),
        lambda p: [term[:2] for term in frame.left_over(p)],
        mutants=[too_early],
        words="the mutant leaves out ∂l/∂ξ^U; against the multiplier form",
    )


@section.confirmed("§4.2, the components of α", 71)
def components() -> Evidence:
    """α_D = (π^D)*α|_{W^D} and α_U = (id − (π^D)*)α|_{W^U} add up to α, and each vanishes on the other's space."""

    def terms(seed: int) -> list[Vector]:
        random = np.random.default_rng(seed)
        inside, outside, alpha = random.normal(size=(5, 3)), random.normal(size=(5, 2)), random.normal(size=5)
        basis = np.hstack([inside, outside])
        projection = basis @ np.diag([1.0, 1, 1, 0, 0]) @ np.linalg.inv(basis)
        # a covector known on W^U only, continued by anything: the operator must not see the continuation
        known = np.linalg.lstsq(outside.T, outside.T @ alpha, rcond=None)[0]
        first, second = projection.T @ alpha, (np.eye(5) - projection.T) @ known
        vanish = np.concatenate([outside.T @ first, inside.T @ second])
        return [np.append(alpha, vanish), -np.append(first, 0 * vanish), -np.append(second, 0 * vanish)]

    return identity((1, 2, 3), terms, words="an oblique projection of R⁵; ∘ is read as application")


@section.misprint(
    "(4.3)",
    73,
    right=r"\eta = \eta^{\mathcal D} \quad\text{or}\quad \eta^{\mathcal U} = 0",
    harm=3,
    breaks="the principle with δξ^U = 0 admits variations outside D, and the motion that follows is not d'Alembert's",
    exhibits=("balanced-sleigh", "degenerate-sleigh"),
    kind="error",
    because="δξ = η̇ + [ξ, η]. For the sleigh, ξ = (ω, v, 0) and η = (η¹, η², 0) have δξ³ = ωη² − vη¹.",
)
def variations() -> Evidence:
    """The constraints imply δξ^U = 0; but δξ = η̇ + [ξ, η]_q has a U component for η in D. §5.4 has the right analogue."""

    eta = np.array([0.7, -1.1, 0.0])

    def outside(p: Any) -> float:
        q, dot = frame.place(p)
        xi = np.linalg.solve(frame.adapted(q), dot)
        return float(abs(frame.bracket(frame.brackets(q, frame.adapted), xi, eta)[2]) / np.linalg.norm(xi))

    def right(p: Any) -> list[float]:
        return [float(term @ eta) for term in frame.left_over(p)]

    states = _states()
    bad = [outside(p) for p in states]
    good = identity(states, right)
    return Evidence(
        max(bad),
        good.printed,
        good.mutant,
        "δξ^U for η in D; and d'Alembert's principle with η^U = 0 along the multiplier form",
    )


@section.confirmed("(4.4), Theorem 4.1", (74, "Theorem 4.1"))
def constrained_hamel() -> Evidence:
    """The constrained Hamel equations: the D-part of d/dt δl/δξ − [ξ^D, δl/δξ]* − Ψ*δl/δq vanishes."""

    def whole(p: Any) -> list[Vector]:
        return list(frame.left_over(p))

    return identity(
        _states(),
        lambda p: [t[:2] for t in whole(p)],
        mutants=[whole],
        words="against the multiplier form of a generic system",
    )


section.uncheckable(
    "§4.1, locally splitting subbundles",
    (),
    "a hypothesis on Banach bundles; in finite dimension every subspace is complemented",
    "For the projection to be meaningful D is required to be a locally splitting subbundle.",
)
