"""§§6.2–6.3: the distributions V, S, H, N, R, and bases aligned with them."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy.linalg import expm

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, worst
from nonholo_papers.macdonnell import _euler as euler
from nonholo_papers.macdonnell import _systems as systems
from nonholo_papers.macdonnell._action import TURN, acted, lifted, pushed
from nonholo_papers.macdonnell._so3_bundle import places
from nonholo_papers.macdonnell.s2_5_rigid import hat
from nonholo_papers.section import Section

Array = Any
section = Section(
    "macdonnell", "6.2 Distributions associated with group symmetry, 6.3 Local bases aligned with the symmetry"
)
section.rest("definition", 197, 198, *(f"Definition 6.2.{k}" for k in range(1, 8)))
section.rest(
    "definition; the list of the basis has χ twice, the second is ς, and some l_q of this chapter are l_g",
    "Definition 6.3.1",
)
section.rest("restates displays 194, 195 and the constraint ż = yẋ", 199, 200, 201)
section.rest("restates display 202", 204)


@lru_cache
def _places() -> tuple[SimpleNamespace, ...]:
    return (*places(systems.GENERIC), *places(systems.LEANING))


@section.confirmed(
    "§6.2, fundamental fields",
    printed=r"Tl_g(\xi_Q(q)) = (Ad_g\xi)_Q(gq), \text{ so that } V \text{ is group invariant}",
)
def fundamental() -> Evidence:
    """ξ_Q(q) = d/ds (exp sξ)q is carried by l_g to the field of Ad_gξ, and not to ξ_Q."""
    xi = np.array([0.6, 0.3, -0.8])

    def field(z: Array, q: Array) -> Array:
        return lifted(q, 0 * q[:-3], lambda h: np.matmul(expm(h * hat(z)), euler.attitude(q[-3:])))

    return identity(
        _places(),
        lambda s: [pushed(s.q, field(xi, s.q)), -field(TURN @ xi, acted(s.q))],
        mutants=[lambda s: [pushed(s.q, field(xi, s.q)), -field(xi, acted(s.q))]],
    )


def _null(rows: Array) -> Array:
    """The null space of a matrix, orthonormal rows."""
    _, sizes, right = np.linalg.svd(rows)
    rank = int(np.linalg.matrix_rank(rows, rtol=1e-9)) if len(sizes) else 0
    return right[rank:]


def distributions(metric: Array, inside: Array, vertical: Array) -> dict[str, Array]:
    """D, V and by their definitions S, H, N, R at one place, as rows: from ``inside``·τ = 0 and tangents of orbits."""
    d = _null(inside)
    both = np.vstack([inside, _null(vertical)])  # annihilators of D and of V
    s = _null(both)
    across = np.matmul(s, metric)
    h, n = _null(np.vstack([inside, across])), _null(np.vstack([_null(vertical), across]))
    r = _null(np.matmul(np.vstack([d, vertical]), metric))
    return {"D": d, "V": vertical, "S": s, "H": h, "N": n, "R": r}


def _found(s: SimpleNamespace) -> dict[str, Array]:
    upright = np.zeros((3, len(s.q)))
    upright[:, -3:] = np.eye(3)
    held = [*s.n, *s.r]
    return distributions(s.metric, np.linalg.inv(s.rows.T)[held], upright)


def _apart(one: Array, two: Array) -> float:
    """How far the span of the rows of one is outside that of two; 1 if they have different dimensions."""
    if len(one) != len(two):
        return 1.0
    if not len(one):
        return 0.0
    q = np.linalg.qr(two.T)[0]
    clean = one / np.linalg.norm(one, axis=1)[:, None]
    return float(np.max(np.abs(clean - clean @ q @ q.T)))


@section.confirmed(
    "§6.2, D = H ⊕ S, V = S ⊕ N; Lemma 6.2.1; TQ = (D + V) ⊕ R",
    "Lemma 6.2.1",
    printed=r"H \oplus S \oplus N = D + V, \quad TQ = (D+V)\oplus R",
)
def splitting() -> Evidence:
    """H, S, N, R by their definitions are those of the aligned bases, independent, and D, V, D + V, TQ are their sums (in the
    proof of the lemma H∩S = ∅ is {0})."""
    largest, mutant = 0.0, 1.0
    for s in _places():
        parts = _found(s)
        for name, places_of in zip("HSNR", (s.h, s.s, s.n, s.r)):
            largest = worst(largest, _apart(parts[name], s.rows[places_of]))
        sums = {"D": "HS", "V": "SN", "all": "HSNR"}
        for whole, names in sums.items():
            rows = np.vstack([parts[k] for k in names])
            target = np.eye(len(s.q)) if whole == "all" else parts[whole]
            largest = worst(largest, float(np.linalg.matrix_rank(rows) != len(rows)), _apart(rows, target))
        mutant = min(mutant, _apart(parts["H"], s.rows[s.h] + 0.3 * s.rows[s.s[: len(s.h)]]))
    return Evidence(
        largest, None, mutant, "null spaces by singular values, in two systems, one with R ≠ 0; the mutant leans H to S"
    )


@section.confirmed("§6.2, S, H, N, R are group invariant", printed=r"Tl_g(S) = S, \ldots")
def invariant() -> Evidence:
    """Tl_g carries each of D, V, S, H, N, R at q to the same at gq; coordinate directions are not carried to themselves."""
    largest, mutant = 0.0, 1.0
    for bundle in (systems.GENERIC, systems.LEANING):
        for s in places(bundle):
            there = acted(s.q)
            other = SimpleNamespace(
                q=there, rows=bundle.rows(there), metric=bundle.metric(there), h=s.h, s=s.s, n=s.n, r=s.r
            )
            here, beyond = _found(s), _found(other)
            for name in "DSHNR":
                carried = np.array([pushed(s.q, w) for w in here[name]]).reshape(-1, len(s.q))
                largest = worst(largest, _apart(carried, beyond[name]))
            mutant = min(mutant, _apart(here["S"], beyond["S"]))
    return Evidence(largest, None, mutant, "two systems, one generic g; the mutant does not carry S along")


def _jumping(x: float) -> dict[str, Array]:
    """R³ with shifts of z and the constraint ẏ = xż: free, and S is 0 except at x = 0."""
    return distributions(np.eye(3), np.array([[0.0, -1.0, x]]), np.array([[0.0, 0.0, 1.0]]))


JUMP = "R³ with shifts of z, a free action, and ẏ = xż: S = {0} for x ≠ 0 and S = V at x = 0"


@section.conditional(
    "Proposition 6.2.1",
    "Proposition 6.2.1",
    printed=r"P = \emptyset \Rightarrow H \oplus R \text{ determines a principal bundle connection}",
    right="S has the same dimension everywhere, as under the dimension assumption",
    reason="The action may be free and dim S jump all the same; then H ⊕ R is not smooth.",
    harm=2,
    breaks=f"{JUMP}; H ⊕ R turns by a right angle there, so it is no connection.",
)
def connection() -> Evidence:
    """H ⊕ R is a smooth invariant complement of V when the action is free."""

    def leap(one: dict[str, Array], two: dict[str, Array]) -> float:
        return _apart(np.vstack([one["H"], one["R"]]), np.vstack([two["H"], two["R"]]))

    smooth = 0.0
    for bundle in (systems.GENERIC, systems.LEANING):
        s = places(bundle)[0]
        for step in (1e-9, -1e-9):
            q = np.add(s.q, step)
            near = SimpleNamespace(q=q, rows=bundle.rows(q), metric=bundle.metric(q), n=s.n, r=s.r)
            one, two = _found(s), _found(near)
            whole = np.vstack([one["H"], one["R"], one["V"]])
            smooth = worst(smooth, leap(one, two), float(np.linalg.matrix_rank(whole) != len(s.q)))
    return Evidence(
        leap(_jumping(1e-6), _jumping(0.0)),
        smooth,
        None,
        f"the change of H ⊕ R over a distance of 1e-6 at most. {JUMP}",
    )


@section.conditional(
    "Proposition 6.3.1",
    "Proposition 6.3.1",
    printed=r"\text{there is a local basis aligned with the symmetry at each } q_0 \in Q - \Lambda^{-1}(P)",
    right="S has the same dimension in a neighbourhood of q₀",
    reason="The action may be free at q₀ and dim S jump there.",
    harm=2,
    breaks=f"{JUMP}: there is no basis of S near x = 0, nor of H, N, R.",
)
def aligned() -> Evidence:
    """S, H, N, R have local bases wherever the action is free."""

    def dimensions(parts: dict[str, Array]) -> list[int]:
        return [len(parts[k]) for k in "HSNR"]

    jump = float(dimensions(_jumping(0.0)) != dimensions(_jumping(1e-3)))
    same = {b: {tuple(dimensions(_found(s))) for s in places(b)} for b in (systems.GENERIC, systems.LEANING)}
    return Evidence(jump, float(any(len(found) != 1 for found in same.values())), None, JUMP)


@section.confirmed("Proposition 6.3.1, proof, invariant fields from any", 203)
def carried() -> Evidence:
    """ᾱ(q) = Tl_Γ(q)(α(Σ∘Λ(q))) is group invariant, whatever α; independent fields stay independent."""

    def alpha(k: int, q: Array) -> Array:
        return np.cos(np.arange(5) * (k + 1) + q[0] + 2 * q[1]) + np.eye(5)[k]

    def field(k: int, q: Array) -> Array:
        # the section: attitude I turned by 1 about the first axis; Γ(q) carries it to q
        base = np.array([q[0], q[1], *euler.angles_of(expm(hat(np.array([1.0, 0, 0]))))])
        gamma = euler.attitude(q[2:]) @ euler.attitude(base[2:]).T

        way = alpha(k, base)
        return lifted(q, way[:2], lambda h: gamma @ euler.attitude(base[2:] + np.multiply(h, way[2:])))

    states = places(systems.GENERIC)
    found = identity(
        states,
        lambda s: [
            np.array([pushed(s.q, field(k, s.q)) for k in range(5)]),
            -np.array([field(k, acted(s.q)) for k in range(5)]),
        ],
        mutants=[lambda s: [pushed(s.q, alpha(0, s.q)), -alpha(0, acted(s.q))]],
    )
    least = min(abs(float(np.linalg.det(np.array([field(k, s.q) for k in range(5)])))) for s in states)
    return Evidence(worst(found.printed, float(least < 1e-6)), None, found.mutant, "five generic fields α on a section")


@section.confirmed(
    "§§6.2–6.3, the distributions of the constrained particle",
    (202, 205, 206, 207, 208),
    exhibits=("constrained-particle",),
)
def particle_distributions() -> Evidence:
    """H = span(0,1,0), S = span(1,0,y), N = span(−y,0,1), R = 0 for K = ẋẋ + ẏẏ + żż; the dimension assumption holds."""
    largest, mutant = 0.0, 1.0
    for y in (-1.3, 0.4, 2.1):
        found = distributions(np.eye(3), np.array([[-y, 0.0, 1.0]]), np.array([[1.0, 0, 0], [0, 0, 1.0]]))
        told = {"H": [[0, 1.0, 0]], "S": [[1.0, 0, y]], "N": [[-y, 0, 1.0]]}
        largest = worst(largest, float(len(found["R"]) != 0), *(_apart(found[k], np.array(e)) for k, e in told.items()))
        mutant = min(mutant, _apart(found["N"], np.array([[y, 0, 1.0]])))
    return Evidence(largest, None, mutant, "null spaces by singular values; the mutant has N = (y, 0, 1)")
