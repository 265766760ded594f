"""§5: the Euler–Poincaré–Suslov equations and their measures."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from nonholo_papers.bmz import _algebras as algebras
from nonholo_papers.bmz._algebras import (
    SE2,
    SL2,
    SO3,
    SO4,
    covector,
    divergence,
    free,
    inertia,
    killing,
    star,
    suslov,
)
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, moving, moving_system, slope, vanish
from nonholo_papers.section import Section

Array = Any
section = Section("bmz", "5 Euler–Poincaré–Suslov equations")
section.rest("definition", 110, 119, 120)


@lru_cache
def planar_body() -> tuple[Any, ...]:
    """A free body in the plane, its contact point off the centre: SE(2) without a constraint."""
    from nonholo.model.system import System

    free_body = System(
        name="free body",
        coordinates="theta x y",
        parameters="m J a",
        lagrangian="m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2",
    )
    return tuple(moving_system(free_body, {"m": 1.3, "J": 0.7, "a": 0.4}))


def planar_inertia(s: Any) -> Array:
    """ℐ on se(2) in (turn, along, across)."""
    return np.array([[s.J + s.m * s.a**2, 0, s.m * s.a], [0, s.m, 0], [s.m * s.a, 0, s.m]])


def planar_velocity(s: Any) -> Array:
    """Ω."""
    c, d = np.cos(s.theta), np.sin(s.theta)
    return np.array([s.thetadot, s.xdot * c + s.ydot * d, s.ydot * c - s.xdot * d])


def adjoint(s: Any) -> Array:
    """Ad_g of SE(2)."""
    c, d = np.cos(s.theta), np.sin(s.theta)
    return np.array([[1 + 0 * c, 0 * c, 0 * c], [s.y + 0 * c, c, -d], [-s.x + 0 * c, d, c]])


@section.confirmed("(5.2), (5.3)", (111, 112))
def euler_poincare() -> Evidence:
    """ṗ = ad*_Ω p, ṗ_B = C_AB^C ℐ^AD p_C p_D = C_AB^C p_C Ω^A: a free body in the plane, rates by the witness."""

    def terms(s: Any) -> list[Any]:
        i = planar_inertia(s)
        velocity = planar_velocity(s)
        p = i @ velocity
        rate = s.dot(lambda z: planar_inertia(z) @ planar_velocity(z))
        quadratic = np.einsum("abc,ad,c,d->b", SE2, np.linalg.inv(i), p, p)
        return [np.array([rate, rate]), -np.array([star(SE2, velocity, p), quadratic])]

    return identity(planar_body(), terms)


@section.confirmed("§5, the divergence of (5.3)")
def divergence_of_the_flow() -> Evidence:
    """The divergence of the right side of (5.3) is C_AC^C ℐ^AD p_D, in every algebra."""

    def terms(c: Array) -> list[Any]:
        i, p = inertia(len(c)), covector(len(c))
        return [divergence(lambda z: free(c, i, z), p), -np.einsum("acc,ad,d->", c, np.linalg.inv(i), p)]

    return identity(algebras.OTHERS.values(), terms, words="the affine and the book algebra, generic inertia")


@section.confirmed("Theorem 5.1", "Theorem 5.1", by_functions=("Theorem 5.1",))
def unimodular() -> Evidence:
    """(5.2) keeps a measure on 𝔤* if and only if the group is unimodular.

    If: no divergence. Only if: the density of a measure is constant at an equilibrium, so the divergence vanishes there; at
    p = e¹, which annihilates [𝔤, 𝔤], it does not. `nonholo.measure` decides both sides, along a family too.
    """
    kept = [abs(divergence(lambda z, c=c: free(c, inertia(len(c)), z), covector(len(c)))) for c in algebras.UNIMODULAR.values()]
    others = [*algebras.OTHERS.values(), *(algebras.book(k) for k in (-2.0, 0.5, 3.0))]
    still = max(float(np.max(np.abs(free(c, inertia(len(c)), np.eye(len(c))[0])))) for c in others)
    lost = [abs(divergence(lambda z, c=c: free(c, inertia(len(c)), z), np.eye(len(c))[0])) for c in others]
    right = all(algebras.keeps_measure(c) for c in (*algebras.UNIMODULAR.values(), algebras.book(-1.0)))
    wrong = any(algebras.keeps_measure(c) for c in others)
    return Evidence(
        max(*kept, still, float(not right or wrong)),
        mutant=min(lost),
        words="so(3), se(2), sl(2), Heisenberg, so(4), the book algebra with k = −1; against the affine algebra and other k",
    )


@section.confirmed("(5.4) and its λ", (113, 114), exhibits=("chaplygin-sleigh",))
def suslov_equations() -> Evidence:
    """ṗ = ad*_Ω p + λa, λ = −⟨ad*_Ω p, ℐ⁻¹a⟩/⟨a, ℐ⁻¹a⟩ = −⟨p, ad_Ω ℐ⁻¹a⟩/⟨a, ℐ⁻¹a⟩: the sleigh, by the witness."""
    a = np.array([0.0, 0.0, 1.0])

    def terms(s: Any) -> list[Any]:
        i = planar_inertia(s)
        velocity = planar_velocity(s)
        p, x = i @ velocity, np.linalg.solve(i, a)
        rate = s.dot(lambda z: planar_inertia(z) @ planar_velocity(z))
        one = star(SE2, velocity, p) @ x
        two = p @ np.einsum("abc,a,b->c", SE2, velocity, x)
        turned = star(SE2, velocity, p)
        return [np.array([rate, rate]), -np.array([turned, turned]), np.array([a * one, a * two]) / (a @ x)]

    return identity(moving("chaplygin-sleigh"), terms, words="the unbalanced sleigh, rates by the multiplier witness")


MOMENTS = ([1.25, 0.75, 2.0], [1.5, 1.5, 0.5])
COVECTORS = ([1.0, 0, 0], [0, 0, 1.0], [0.75, -0.5, 1.25])


def _condition(c: Array, i: Array, a: Array) -> tuple[Array, Array]:
    x = np.linalg.solve(i, a)
    return star(c, x, a) / (a @ x), np.einsum("bcc->b", c)


@section.confirmed(
    "Theorem 5.2, (5.5)",
    (115, "Theorem 5.2"),
    by_functions=("Theorem 5.2",),
    exhibits=("chaplygin-sleigh", "suslov"),
)
def measure() -> Evidence:
    """(5.4) keeps a measure if and only if K ad*_{ℐ⁻¹a} a + T is a multiple of a: it is the divergence, as a form of Ω.

    `nonholo.measure` decides twenty-four systems on both sides, with rational inertia and constraints.
    """

    def terms(c: Array) -> list[Any]:
        i, a, p = inertia(len(c)), covector(len(c)), covector(len(c), 9)
        x = np.linalg.inv(i)
        found = _condition(c, i, a)
        return [divergence(lambda z: suslov(c, i, a, z), p), -found[0] @ x @ p, -found[1] @ x @ p]

    def agrees(c: Array, moments: Array, a: Array) -> bool:
        form = sum(_condition(c, moments, a))
        along = form - a * (form @ a) / (a @ a)
        return algebras.keeps_measure(c, moments, a) == bool(np.max(np.abs(along)) < 1e-12)

    systems = [(c, np.diag(i), np.array(a)) for c in (SO3, SE2, SL2, algebras.BOOK) for i in MOMENTS for a in COVECTORS]
    found = identity(
        [algebras.BOOK, algebras.AFFINE, SL2, SE2], terms, words="four algebras; the criterion against `nonholo.measure`"
    )
    return found if all(agrees(*s) for s in systems) else Evidence(1.0, None, found.mutant, "the criterion does not decide")


@section.confirmed("(5.6)", 116)
def measure_in_coordinates() -> Evidence:
    """K C_AB^C ℐ^AD a_C a_D + C_BC^C is the covector of (5.5), index by index."""

    def terms(c: Array) -> list[Any]:
        i, a = inertia(len(c)), covector(len(c))
        x = np.linalg.inv(i)
        flow = slope(lambda z: suslov(c, i, a, z), np.zeros(len(c)))
        assert np.max(np.abs(flow)) < 1e-12  # a quadratic flow
        gradient = np.array([divergence(lambda z: suslov(c, i, a, z), e) for e in i])  # at Ω = e_B
        k = 1 / (a @ x @ a)
        return [gradient, -k * np.einsum("abc,ad,c,d->b", c, x, a, a), -np.einsum("bcc->b", c)]

    return identity([algebras.BOOK, algebras.AFFINE], terms, words="the divergence at Ω = e_B, component by component")


@section.confirmed("§5, compact or semisimple groups are unimodular")
def compact_is_unimodular() -> Evidence:
    """Σ_B C_AB^B = 0 for so(3), so(4), sl(2), not for the affine algebra."""
    def trace(c: Array) -> Array:
        return np.trace(c, axis1=1, axis2=2)

    return Evidence(vanish((SO3, SO4, SL2), trace).printed, mutant=vanish([algebras.AFFINE], trace).printed, words="traces of ad")


@section.confirmed("§5, (5.6) by the Killing form, [ℐ⁻¹a, a] = γa", 117)
def killing_form() -> Evidence:
    """With 𝔤* identified by the Killing form ad*_{ℐ⁻¹a} a = −[ℐ⁻¹a, a]: the two conditions are one (γ changes by −K)."""

    def terms(c: Array) -> list[Any]:
        b, i, a = killing(c), inertia(len(c)), covector(len(c))
        x, raised = np.linalg.solve(i, a), np.linalg.solve(b, a)
        return [np.linalg.solve(b, star(c, x, a)), np.einsum("abc,a,b->c", c, x, raised)]

    return identity([SO3, SL2, SO4], terms, words="so(3), sl(2), so(4)")


@section.conditional(
    "§5, pairing a with itself: γ = 0",
    118,
    right="⟨a, a⟩ is not zero, as in compact algebras",
    reason="The equation is 0 = γ⟨a, a⟩, and sl(2) has a with ⟨a, a⟩ = 0. Pairing with ℐ⁻¹a gives γ = 0 always, since "
    "⟨a, ℐ⁻¹a⟩ > 0.",
    harm=1,
    breaks="The argument, not its conclusion.",
)
def pairing() -> Evidence:
    """Pairing with a gives γ = 0 in every semisimple algebra."""


    def left(pair: tuple[Array, Array]) -> float:
        """⟨[ℐ⁻¹a, a], a⟩."""
        c, a = pair
        b = killing(c)
        return float(np.einsum("abc,a,b->c", c, np.linalg.solve(inertia(len(c)), b @ a), a) @ b @ a)

    isotropic = (SL2, np.array([0.0, 1.0, 0.0]))
    compact = [(SO3, covector(3)), (SO4, covector(6))]
    decided = [abs(float(a @ killing(c) @ a)) for c, a in (*compact, isotropic)]
    zero = vanish([*compact, isotropic, (SL2, covector(3))], left)
    return Evidence(
        float(decided[2] < 1e-12 and zero.printed < 1e-12),
        max(zero.printed, float(min(decided[:2]) < 0.1)),
        None,
        "e in sl(2) has ⟨e, e⟩ = 0 and ⟨[x, e], e⟩ = 0 for every x",
    )


@section.confirmed("Theorem 5.3", "Theorem 5.3", by_functions=("Theorem 5.3",), exhibits=("suslov",))
def eigenvectors() -> Evidence:
    """Compact: volume is preserved when the constraint covectors are eigenvectors of inertia; in so(3) only then.

    Only then: `nonholo.measure` proves for nine other directions that there is no density.
    """
    moments = np.diag([1.3, 0.8, 2.1, 1.7, 0.6, 1.1])
    p4 = covector(6)
    two = np.eye(6)[[1, 4]]

    def both(z: Array) -> Array:
        """Two constraints in so(4)."""
        rate = free(SO4, moments, z)
        x = np.linalg.inv(moments)
        return rate - two.T @ np.linalg.solve(two @ x @ two.T, two @ x @ rate)

    def ideal(z: Array) -> Array:
        """The constraints' accelerations, and the reaction outside the span of the two covectors."""
        reaction = both(z) - free(SO4, moments, z)
        return np.array([*np.linalg.solve(moments, both(z))[[1, 4]], *reaction[[0, 2, 3, 5]]])

    kept = [
        vanish([p4], ideal).printed,
        abs(divergence(both, p4)),
        abs(divergence(lambda z: suslov(SO3, moments[:3, :3], np.array([1.0, 0, 0]), z), covector(3))),
        abs(divergence(lambda z: suslov(SO4, moments, np.eye(6)[2], z), p4)),
    ]
    found = np.diag([1.25, 0.75, 2.0])
    right = all(algebras.keeps_measure(SO3, found, e) for e in np.eye(3))
    wrong = any(algebras.keeps_measure(SO3, found, a) for a in off_axes(9))
    lost = min(abs(divergence(lambda z, a=a: suslov(SO3, found, a, z), steady(found, a))) for a in off_axes(9))
    return Evidence(
        float(max(*kept, not right or wrong)), mutant=lost, words="so(3), so(4) with one and two constraints; nine a off the axes"
    )


def off_axes(count: int) -> Array:
    """Rational directions that are no eigenvectors of a diagonal inertia."""
    return np.random.default_rng(2).integers(1, 9, (count, 3)) / 8 * np.array([1, -1, 1])


def steady(moments: Array, a: Array) -> Array:
    """The momentum of a steady rotation of the constrained body: Ω = a × ℐa."""
    return moments @ np.cross(a, moments @ a)


@section.confirmed("Theorem 5.3, Z₂-symmetric about all principal axes", exhibits=("suslov",))
def half_turns() -> Evidence:
    """Half turns about all principal axes are symmetries of the constrained flow when a lies on one of them, else not."""
    moments = np.diag([1.3, 0.8, 2.1])
    turns = (np.diag([1, -1, -1]), np.diag([-1, 1, -1]), np.diag([-1, -1, 1]))

    def gap(a: Array) -> float:
        p = covector(3)
        return max(
            float(np.max(np.abs(suslov(SO3, moments, a, s @ p) - s @ suslov(SO3, moments, a, p)))) for s in turns
        )

    return Evidence(
        gap(np.array([1.0, 0, 0])), mutant=gap(np.array([1.0, 0.5, -0.3])), words="the flow (5.4) on so(3)*"
    )


@section.conditional(
    "§5, for a matrix Lie algebra the Killing form is a multiple of the trace",
    printed="matrix Lie algebras: Killing form = const · tr(XY)",
    right="the algebra is simple",
    reason="On a sum of simple algebras the multiples differ: 4 tr on sl(2), 1 tr on so(3), as matrices in blocks.",
    harm=1,
    breaks="The identification of 𝔤* with 𝔤 by the trace, where (5.6) is to be the Killing form's.",
)
def killing_and_trace() -> Evidence:
    """The Killing form of sl(2) + so(3), as block matrices, is a multiple of tr(XY)."""
    h, e, f = np.diag([1.0, -1]), np.array([[0, 1.0], [0, 0]]), np.array([[0, 0], [1.0, 0]])
    turns = [
        -np.array([[float((i - j) * (j - k) * (k - i) / 2) for k in range(3)] for j in range(3)]) for i in range(3)
    ]

    def traces(matrices: list[Array]) -> Array:
        return np.array([[np.trace(x @ y) for y in matrices] for x in matrices])

    parts = [(4.0, SL2, [h, e, f]), (1.0, SO3, turns)]
    simple = vanish(parts, lambda p: np.max(np.abs(killing(p[1]) - p[0] * traces(p[2]))))
    return Evidence(abs(parts[0][0] / parts[1][0] - 1), simple.printed, None, "multiples 4 and 1")


@section.confirmed("§5, a and ℐ⁻¹a in one maximal commuting subalgebra")
def commuting() -> Evidence:
    """In so(4) a covector that is no eigenvector but commutes with ℐ⁻¹a keeps the volume; a generic one does not."""
    moments = np.diag([1.3, 0.8, 2.1, 1.7, 0.6, 1.1])
    a = np.array([0, 0, 1.0, 0, 0, 0.7])  # e3 of both summands: a plane of commuting elements
    kept = abs(divergence(lambda z: suslov(SO4, moments, a, z), covector(6)))
    lost = abs(divergence(lambda z: suslov(SO4, moments, a + 0.3 * np.eye(6)[0], z), covector(6)))
    return Evidence(kept, mutant=lost, words="so(4), a = e3 + 0.7 e6")


@section.confirmed("§5, spatial momentum μ = Ad*_{g⁻¹} p", 121, exhibits=("chaplygin-sleigh",))
def spatial_momentum() -> Evidence:
    """μ = ∂l^R/∂η with 𝕀(g) = Ad*_{g⁻¹} ℐ Ad_{g⁻¹} is Ad*_{g⁻¹} p, and a free body keeps it."""

    def mu(s: Any) -> Array:
        back = np.linalg.inv(adjoint(s))
        return back.T @ planar_inertia(s) @ back @ (adjoint(s) @ planar_velocity(s))

    def terms(s: Any) -> list[Any]:
        return [mu(s), -np.linalg.inv(adjoint(s)).T @ planar_inertia(s) @ planar_velocity(s)]

    kept = max(float(np.max(np.abs(s.dot(mu)))) for s in planar_body())
    found = identity(moving("chaplygin-sleigh"), terms)
    lost = min(float(np.max(np.abs(s.dot(mu)))) for s in moving("chaplygin-sleigh"))
    return Evidence(max(found.printed, kept), None, min(found.mutant or 0.0, lost), "free body: kept; sleigh: not")


@section.confirmed("(5.7) and its λ", (122, 123), exhibits=("chaplygin-sleigh",))
def spatial_rate() -> Evidence:
    """μ̇ = λ a^R with λ = −⟨μ, ḃ^R⟩⟨a^R, b^R⟩⁻¹, b^R = 𝕀(g)⁻¹ a^R: the sleigh, by the witness."""
    a = np.array([0.0, 0.0, 1.0])

    def mu(s: Any) -> Array:
        return np.linalg.inv(adjoint(s)).T @ planar_inertia(s) @ planar_velocity(s)

    def across(s: Any) -> Array:
        return np.linalg.inv(adjoint(s)).T @ a

    def dual(s: Any) -> Array:
        return adjoint(s) @ np.linalg.solve(planar_inertia(s), adjoint(s).T @ across(s))

    def terms(s: Any) -> list[Any]:
        multiplier = -mu(s) @ s.dot(dual) / (across(s) @ dual(s))
        return [s.dot(mu), -multiplier * across(s)]

    return identity(moving("chaplygin-sleigh"), terms, words="the unbalanced sleigh, rates by the multiplier witness")
