"""Measure-preserving systems on Lie groups: (12)–(18), Theorems 6–8."""

from __future__ import annotations

from typing import Any

import numpy as np
import symengine as se
from scipy.linalg import expm

from nonholo_papers.bmz import _algebras as algebras
from nonholo_papers.bmz import s5_suslov as suslov_section
from nonholo_papers.bmz._algebras import SO3, covector, inertia, suslov
from nonholo_papers.bmz.s6_1_top import body_spin, top
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import analytic, holds, identity, slope, vanish
from nonholo_papers.section import Section

Array = Any
section = Section("notices", "Measure-preserving systems on Lie groups and asymptotic dynamics")
section.rest("definition", 28, 33)

section.confirmed(
    "(12)", 27, statement="ṗ_b = C^c_ab I^ad p_c p_d = C^c_ab p_c Ω^a: a free body in the plane, by the witness."
)(suslov_section.euler_poincare)


@section.misprint(
    "after (12), p_b = I_ab Ω^b",
    printed=r"p_b = I_{ab}\Omega^b",
    right=r"p_b = I_{ab}\Omega^a",
    harm=1,
    breaks="Nothing for a reader who sees that b is free on the left and summed on the right.",
    kind="slip",
)
def index_of_the_momentum() -> Evidence:
    """p_b = I_ab Ω^b, b not summed as on the left."""
    i, velocity = inertia(4), covector(4)
    push = slope(lambda w: w @ i @ w / 2, velocity)
    return identity(
        [0],
        lambda _: [push, -i.sum(axis=0) * velocity],
        lambda _: [push, -velocity @ i],
        words="∂l/∂Ω with l = ½ I_ab Ω^a Ω^b",
    )


@section.confirmed("(12) is Hamiltonian, and still may fail to preserve volume")
def lie_poisson() -> Evidence:
    """{F, G} = −p_c C^c_ab ∂F/∂p_a ∂G/∂p_b satisfies Jacobi's identity, also for the book algebra, whose flow
    has a divergence.
    """

    def jacobiator(c: Array) -> float:
        p = covector(len(c))
        j = -np.einsum("abc,c->ab", c, p)
        one = np.einsum("il,jkl->ijk", j, -c)
        return float(np.max(np.abs(one + np.einsum("ijk->jki", one) + np.einsum("ijk->kij", one))))

    broken = algebras.BOOK.copy()
    broken[1, 2, 0], broken[2, 1, 0] = 0.7, -0.7  # no Lie algebra
    i = inertia(3)
    p = covector(3)
    velocity = np.linalg.solve(i, p)
    motion = identity(
        [0],
        lambda _: [
            algebras.free(algebras.BOOK, i, p),
            -np.einsum("abc,c->ab", algebras.BOOK, p).T @ velocity,
        ],
    )
    lost = abs(algebras.divergence(lambda z: algebras.free(algebras.BOOK, i, z), p))
    return Evidence(
        max(jacobiator(algebras.BOOK), motion.printed),
        mutant=min(jacobiator(broken), lost),
        words="Jacobi for the book algebra; a table that is no Lie algebra fails",
    )


section.confirmed(
    "Theorem 6",
    "Theorem 6",
    by_functions=("Theorem 6",),
    statement="(12) has an invariant measure if and only if the group is unimodular: divergence for seven algebras.",
)(suslov_section.unimodular)


@section.conditional(
    "Hamiltonian systems preserve volume",
    printed="Hamiltonian systems preserve volume, nonholonomic ones need not",
    reason="Hamiltonian means canonical (symplectic) in this sentence. A Poisson system need not preserve volume, as the paper "
    "itself says before Theorem 6 of (12) on groups that are not unimodular.",
    kind="convention",
    harm=1,
    breaks="Loss of volume alone does not tell that a system is not Hamiltonian.",
)
def hamiltonian_volume() -> Evidence:
    """The flow of a Hamiltonian system has no divergence."""
    i, p = inertia(3), covector(3)
    poisson = abs(algebras.divergence(lambda z: algebras.free(algebras.BOOK, i, z), p))

    q, k = se.symbols("q k")
    energy = k**2 * (1 + q**2) / 2 + se.sin(q) * k + q**3
    flow = analytic([[str(energy.diff(k)), str(-energy.diff(q))]], ["q", "k"])
    places = [np.array([0.6, -0.9]), np.array([-0.4, 0.7])]

    return Evidence(
        poisson,
        vanish(places, lambda z: algebras.divergence(lambda y: flow(y)[0], z)).printed,
        None,
        "(12) on the book algebra, against a canonical flow",
    )


@section.confirmed("footnote 2, unimodular groups have a bilaterally invariant measure")
def bilateral() -> Evidence:
    """C^c_ac = 0 makes det Ad_g = 1, so that left measure is right measure: se(2) and sl(2), not the affine group."""

    def gap(c: Array) -> float:
        ad = np.einsum("abc,a->cb", c, covector(len(c)))
        return float(abs(np.linalg.det(expm(ad)) - 1))

    return Evidence(max(gap(algebras.SE2), gap(algebras.SL2)), mutant=gap(algebras.AFFINE), words="det exp(ad)")


section.confirmed(
    "(14)",
    29,
    statement="ṗ_b = C^c_ab p_c Ω^a + λ a_b, λ eliminated by the constraint: the unbalanced sleigh, by the witness.",
    exhibits=("chaplygin-sleigh",),
)(suslov_section.suslov_equations)
section.confirmed(
    "Theorem 7, (15)",
    (30, "Theorem 7"),
    by_functions=("Theorem 7",),
    statement="K C^k_ij I^ig a_g a_k + C^k_jk is the divergence of (14) over Ω: it vanishes on the constraint "
    "when a multiple of a.",
    exhibits=("chaplygin-sleigh", "suslov"),
)(suslov_section.measure)
section.confirmed(
    "(16)",
    31,
    statement="With 𝔤* identified by the Killing form (15) is [I⁻¹a, a] = μa, with another μ: so(3), sl(2), so(4).",
)(suslov_section.killing_form)
section.conditional(
    "(17)",
    32,
    right="⟨a, a⟩ is not zero, as in compact algebras",
    reason="The equation is 0 = μ⟨a, a⟩, and sl(2) has a with ⟨a, a⟩ = 0. Pairing with I⁻¹a gives μ = 0 always.",
    statement="Pairing with a gives μ = 0 for every compact or semisimple group.",
    harm=1,
    breaks="The argument, not its conclusion.",
)(suslov_section.pairing)
section.confirmed(
    "after (17), a and I⁻¹a in one maximal commuting subalgebra",
    statement="In so(4) a covector that commutes with I⁻¹a, and is no eigenvector, keeps the measure.",
)(suslov_section.commuting)
section.confirmed(
    "Theorem 8",
    "Theorem 8",
    by_functions=("Theorem 8",),
    statement="Compact: measure is preserved when the a are eigenvectors of inertia (so(3), so(4), also two "
    "constraints); in so(3) only then.",
    exhibits=("suslov",),
)(suslov_section.eigenvectors)


@section.confirmed("structure constants of so(3)", 34, exhibits=("suslov",))
def rotations() -> Evidence:
    """C^3_12 = C^1_23 = C^2_31 = 1 and cyclic minus signs: with them (14) is IΩ' = IΩ × Ω + λa, by the witness."""

    def terms(s: Any, sign: int = 1) -> list[Any]:
        spin, momentum, rate, a = body_spin(s)
        turned = np.einsum("abc,a,c->b", sign * SO3, spin, momentum)
        x = a * spin / momentum
        return [rate, -turned, a * (x @ turned) / (x @ a)]

    return identity(top(True), terms, mutants=[lambda s: terms(s, -1)])


@section.confirmed(
    "the Suslov problem preserves measure if and only if a is an eigenvector of inertia", exhibits=("suslov",)
)
def suslov_measure() -> Evidence:
    """On the axes the flow has no divergence; for sixty other a it has one at a steady rotation, where a density is constant."""
    moments = np.diag([1.3, 0.8, 2.1])
    kept = max(abs(algebras.divergence(lambda z, a=a: suslov(SO3, moments, a, z), covector(3))) for a in np.eye(3))
    others = suslov_section.off_axes(60)
    steady = [suslov_section.steady(moments, a) for a in others]
    rest = max(float(np.max(np.abs(suslov(SO3, moments, a, p)))) for a, p in zip(others, steady))
    lost = min(abs(algebras.divergence(lambda z, a=a: suslov(SO3, moments, a, z), p)) for a, p in zip(others, steady))
    return Evidence(max(kept, rest), mutant=lost, words="divergence on the axes, and at the steady rotations of sixty other a")


@section.confirmed("eigenvalues of the Suslov problem at its equilibria", exhibits=("suslov",))
def eigenvalues() -> Evidence:
    """a along an axis: all zero; in general one real nonzero and two zero."""
    moments = np.diag([1.3, 0.8, 2.1])

    def found(a: Array, spin: Array) -> tuple[Array, float]:
        p = moments @ spin
        still = float(np.max(np.abs(suslov(SO3, moments, a, p))))
        return np.linalg.eigvals(slope(lambda z: suslov(SO3, moments, a, z), p)), still

    axis, rest = found(np.array([1.0, 0, 0]), np.array([0, 0.7, -0.4]))
    a = np.array([0.7, -0.5, 1.1])
    other, still = found(a, np.cross(a, moments @ a))
    size = np.sort(np.abs(other))
    checks = holds(("equilibria", max(rest, still) < 1e-12), ("real", bool(np.max(np.abs(other.imag)) < 1e-7)))
    # two double zero eigenvalues are found to half the digits only, so their squares are compared
    zero = max(float(np.max(np.abs(axis)) ** 2), float(size[1] ** 2), checks.printed)
    return Evidence(
        zero, mutant=float(size[2]), words=f"in general {float(other[np.argmax(np.abs(other))].real):.4g} and two zeros"
    )
