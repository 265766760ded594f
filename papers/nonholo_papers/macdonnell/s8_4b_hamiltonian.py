"""§8.4: the reduced equations on Q/G; Proposition 8.4.1, Corollary 8.4.1, the example."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import gap, holds, identity, moving, share, worst
from nonholo_papers.macdonnell import _systems as systems
from nonholo_papers.macdonnell._fields import towards
from nonholo_papers.macdonnell._so3_bundle import along, at, cut, places, rate
from nonholo_papers.macdonnell.s8_4_reduced import forms, missing, potential, small_lie, small_metric
from nonholo_papers.section import Section

Array = Any
section = Section("macdonnell", "8.4 Reduction to Q/G, the reduced system")
section.rest("restates display 202, the basis of §6.3 and Ω of §7.5", 323, 324, 325)
WORDS = "two flat systems of two shape variables times SO(3), dim S = 2 and 1; rates by the multiplier witness"


def _reduced(s: SimpleNamespace) -> list[Any]:
    """The left side of the reduced equations, on Q/G: rate, −½(LK̄)vv, −M̄v, κ̄Ū."""
    v, m = s.rates[s.h], len(s.bundle.shape)

    def momenta(q: Array, w: Array) -> Array:
        shapes = s.bundle.rows(q)[s.h][:, :m]
        return shapes @ small_metric(s, q[:m]) @ w[:m]

    rise = np.array([float(along(lambda q: potential(s, q), s.q, w)) for w in s.rows[s.h]])
    return [rate(momenta, s), -np.einsum("ijk,j,k->i", small_lie(s), v, v) / 2, -forms(s) @ v, rise]


def _added(s: SimpleNamespace) -> Array:
    """K([κ_i, κ_j]_N, κ_k)v^jv^k."""
    v = s.rates[s.h]
    return np.einsum("ijk,j,k->i", missing(s), v, v)


@section.misprint(
    "§8.4, the reduced equations",
    321,
    right=r"\{\overline{K}(\overline{\kappa}_i,\overline{\kappa}_j)v^j\}' - \frac{1}{2}(\mathcal{L}_{\overline{\kappa}_i}"
    r"\overline{K})(\overline{\kappa}_j,\overline{\kappa}_k)v^jv^k + K([\kappa_i,\kappa_j]_N,\kappa_k)v^jv^k - "
    r"\overline{M}(\overline{\kappa}_i,\overline{\kappa}_j)v^j + \overline{\kappa}_i\overline{U} = 0",
    harm=5,
    breaks="The reduced motion of every system with two or more shape variables whose [H, H] leaves H + S.",
    exhibits=("chaplygin-sphere",),
    kind="error",
    because=(
        "They use Lemma 8.4.4. For two shape variables the term K([κ_i, κ_j]_N, κ_k)v^jv^k is left; "
        "Chaplygin's sphere has it."
    ),
)
def equations() -> Evidence:
    """The equations on Q/G need the term K([κ_i, κ_j]_N, κ_k)v^jv^k, which does no work and is not magnetic."""
    return identity(systems.reduced(), _reduced, lambda s: [*_reduced(s), _added(s)], words=WORDS)


def _elementary() -> list[SimpleNamespace]:
    """States of the elementary system, with Ω continued by the adjoint equation to first order in the shape."""
    from nonholo_papers.macdonnell.s7_3_pde import crossed

    found = []
    for p in places(systems.ELEMENTARY):
        s = SimpleNamespace(**vars(p))
        bundle, inside = s.bundle, list(s.s)
        # (7.10): κ(K(γ_i, Ω)) = −(K([γ_i, κ], γ_k) + K(κ, [γ_i, γ_k]))Ω^k
        matrix = crossed(s)[:, :, 0]  # K([γ_i, γ_j], κ) + K(γ_j, [γ_i, κ])
        momenta, slopes = cut(s.gram, s.s, s.s) @ s.rates[s.s], -matrix @ s.rates[s.s]

        def omega(
            q: Array, s: Any = s, b: Any = bundle, p: Array = momenta, d: Array = slopes, k: Any = inside
        ) -> Array:
            rows = b.rows(q)[k]
            return np.linalg.solve(rows @ b.metric(q) @ rows.T, p + d * (q[0] - s.q[0])) @ rows

        s.Omega = omega
        found.append(s)
    return found


@section.conditional(
    "Proposition 8.4.1",
    (322, "Proposition 8.4.1"),
    right="K([κ_i, κ_j]_N, κ_k)v^jv^k = 0: for one shape variable (dim H = 1), or N orthogonal to H, or [H, H]_N = 0",
    reason="The term is left over in Lemma 8.4.4.",
    harm=5,
    breaks="Accelerations on Q/G of systems with two shape variables.",
    exhibits=("chaplygin-sphere",),
)
def reduced_system() -> Evidence:
    """A flat system with an integrable adjoint equation projects to the nonholonomic system (K̄, Ū, M̄, D̄) on Q/G."""
    found = identity(systems.reduced(), _reduced)
    one = identity(_elementary(), lambda s: [e for k, e in enumerate(_reduced(s)) if k != 2])  # M̄ = 0 for one variable
    return Evidence(found.printed, one.printed, one.mutant, f"{WORDS}; with one shape variable it holds")


@section.confirmed(
    "§8.4, the energy of the reduced system",
    printed=r"K(\dot{q}) + U \circ \pi(\dot{q}) = \overline{K} \circ T \Lambda(\dot{q}) + \overline{U} \circ \pi_{Q/G} "
    r"\circ T \Lambda(\dot{q})",
)
def energy() -> Evidence:
    """The energies agree: K = K̄ + ½K(Ω, Ω) (in the text U has a dot); the added term of the equations does no work."""

    def terms(s: SimpleNamespace) -> list[Any]:
        m = len(s.bundle.shape)
        small = s.v[:m] @ small_metric(s, s.q[:m]) @ s.v[:m] / 2
        return [float(s.v @ s.metric @ s.v) / 2, float(s.bundle.height(s.q)), -float(small), -float(potential(s, s.q))]

    found = identity(systems.reduced(), terms)
    work = worst(abs(float(_added(s) @ s.rates[s.h])) for s in systems.reduced())
    return Evidence(worst(found.printed, work), None, found.mutant, WORDS)


def _gyroscopic(s: SimpleNamespace, added: bool) -> Array:
    """For several v at one place and one Ω: the coefficient b in (force that does no work) = b(v², −v¹)."""
    from nonholo.derive.multipliers import multipliers

    names = s.bundle.coordinates
    solver = multipliers(s.bundle.system())
    found = []
    for v in ([0.9, 0.4], [-0.5, 1.1], [0.3, -1.2], [1.4, 0.8]):
        speed = np.sum([np.matmul(v, s.rows[s.h]), s.Omega(s.q)], axis=0)
        state = dict(zip(names, s.q)) | {f"{n}dot": x for n, x in zip(names, speed)}
        rates = solver.rates(state, {})
        p = at(s.bundle, s.q, speed, np.array([rates[f"{n}dot"] for n in names]))
        p.Omega = s.Omega
        parts = _reduced(p)
        force = parts[0] + parts[1] + parts[3] + (_added(p) if added else 0)
        found.append(np.divide(force[0] * v[1] - force[1] * v[0], v[0] ** 2 + v[1] ** 2))
    return np.array(found)


@section.refuted(
    "Corollary 8.4.1",
    "Corollary 8.4.1",
    printed=r"\text{flat, integrable, } \overline{M} \text{ closed}, \ \overline{D} = T(Q/G) \Rightarrow \text{the reduced "
    r"motion is Hamiltonian}",
    right=r"\text{true if besides } K([\kappa_i,\kappa_j]_N,\kappa_k)v^jv^k = 0, \text{ as for one shape variable}",
    reason="the force on Q/G that is left beside K̄ and Ū is quadratic in the velocity, not magnetic, though M̄ is closed on "
    "two shape variables. The Chaplygin sphere is such a system; it is Hamiltonian on S² after dτ = N dt only",
    harm=5,
    breaks="The reduced motion has a gyroscopic force that depends on the velocity.",
    exhibits=("chaplygin-sphere",),
    kind="error",
)
def hamiltonian() -> Evidence:
    """With M̄ closed the force beside K̄ and Ū would be b(r)(v², −v¹), one b for all velocities at one place and one Ω."""

    def spread(s: SimpleNamespace, added: bool) -> float:
        found = _gyroscopic(s, added)
        return float(np.ptp(found) / np.max(np.abs(_gyroscopic(s, False))))

    states = (systems.reduced()[0], systems.reduced()[3])
    return Evidence(
        min(spread(s, False) for s in states), worst(spread(s, True) for s in states), None,
        "b for four velocities at one place and one Ω varies by this share of itself; with the added term it does not",
    )  # fmt: skip


@section.confirmed(
    "§8.4, M̄ need not be closed",
    printed=r"d\overline{M} \neq 0 \text{ in general}; \overline{M} = 0 \text{ if } \dim Q/G = 1",
)
def not_closed() -> Evidence:
    """On three shape variables M̄ of a flat system with an integrable adjoint equation is not closed; on one it vanishes."""
    s = places(systems.tilting(3))[0]
    s = SimpleNamespace(**{**vars(s), "Omega": systems.omega(s.bundle, np.array([1.3]))})

    def two_form(r: Array) -> Array:
        return forms(SimpleNamespace(bundle=s.bundle, Omega=s.Omega, q=np.concatenate([r, s.q[3:]])))

    def opened(form: Any) -> float:
        """dω relative to the slopes of ω."""
        grow = towards(form, s.q[:3], np.eye(3))
        return share(grow[0, 1, 2] + grow[1, 2, 0] + grow[2, 0, 1], grow)

    def one_form(x: Array) -> Array:
        return np.array([x[1] * x[2], np.sin(x[0]) + x[2] ** 2, x[0] ** 2 * x[1]])

    def exact(r: Array) -> Array:
        slopes = towards(one_form, r, np.eye(3))
        return slopes - slopes.T

    skew = gap(two_form(s.q[:3]), -two_form(s.q[:3]).T)
    alone = worst(abs(float(forms(p)[0, 0])) for p in _elementary())
    return holds(
        ("dM̄ is 1 % of the slopes of M̄ at least", opened(two_form) > 0.01),
        ("M̄ is skew and Ω solves the adjoint equation", skew < 1e-10 and _adjoint_gap(s) < 1e-10),
        ("M̄ vanishes on one shape variable", alone < 1e-12),
        against=[("the same is found of an exact form", opened(exact) > 1e-9)],
    )


def _adjoint_gap(s: SimpleNamespace) -> float:
    from nonholo_papers.macdonnell.s7_4_adjoint import momentum_slopes, omega_components

    wanted = np.einsum("ijk,k->ij", cut(s.lie, s.s, s.h, s.s), omega_components(s))
    return gap(momentum_slopes(s), wanted)


@section.confirmed(
    "§8.4, the constrained particle reduced", (326, 327, 328, 329, 330, 331), exhibits=("constrained-particle",)
)
def particle() -> Evidence:
    """Ū = ½C², K̄ = ½ẏ² and ÿ = 0."""

    def terms(s: Any) -> list[Any]:
        constant = (s.xdot + s.y * s.zdot) / np.sqrt(1 + s.y**2)
        omega = constant / np.sqrt(1 + s.y**2) * np.array([1.0, 0.0, s.y])
        whole = (s.xdot**2 + s.ydot**2 + s.zdot**2) / 2
        return [np.array([whole, omega @ omega / 2]), -np.array([s.ydot**2 / 2, 0]), -np.full(2, constant**2 / 2)]

    states = moving("constrained-particle")
    found = identity(states, terms)
    straight = worst(abs(s.rate("ydot")) for s in states)
    bent = min(abs(s.rate("xdot")) for s in states)
    return Evidence(
        worst(found.printed, straight), None, min(found.mutant or 0, bent), "the energy, and ÿ of the witness"
    )
