"""The Poisson geometry of nonholonomic systems: (8)–(11), Theorem 5."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.bmz import _constrained as ground
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import analytic, identity, slope, together
from nonholo_papers.notices.s2_lagrange import WORDS, R, S, connection, curvature, full_rate
from nonholo_papers.section import Section

Array = Any
section = Section("notices", "The Poisson geometry of nonholonomic systems")
section.rest("definition", 13, 14, 18, 19, 23, 24, 26)


def lift(q: Array, a: Callable[[Array], Array] = connection) -> Array:
    """Columns X_α of D."""
    return np.concatenate([np.eye(2), -a(q)])


def inner(q: Array, a: Callable[[Array], Array] = connection) -> Array:
    """XᵀGX."""
    return lift(q, a).T @ ground._metric(q) @ lift(q, a)


def hamiltonian(z: Array, a: Callable[[Array], Array] = connection) -> Any:
    """``H_M(q, p̃_α)``."""
    q, p = z[:4], z[4:]
    return p @ np.linalg.solve(inner(q, a), p) / 2 + ground._potential(q)[0, 0]


def full_hamiltonian(q: Array, p: Array) -> Any:
    """``H(q, p)``."""
    return p @ np.linalg.solve(ground._metric(q), p) / 2 + ground._potential(q)[0, 0]


def momenta(z: Array, a: Callable[[Array], Array] = connection) -> Array:
    """All momenta p of a point of M."""
    q = z[:4]
    return ground._metric(q) @ lift(q, a) @ np.linalg.solve(inner(q, a), z[4:])


def tensor(z: Array, a: Callable[[Array], Array] = connection) -> Array:
    """``J_M``: {q, p̃_α} = X_α, {p̃_α, p̃_β} = −p·[X_α, X_β], from the canonical bracket, restricted to M."""
    q = np.real(z[:4]) if not np.iscomplexobj(z) else z[:4]
    x, p = lift(q, a), momenta(z, a)
    slopes = _slopes(q, a)  # [k, α, j]
    bracket = np.einsum("jx,kyj->xyk", x, slopes)
    bracket = bracket - np.einsum("xyk->yxk", bracket)
    found = np.zeros((6, 6), dtype=np.result_type(x, p))
    found[:4, 4:], found[4:, :4] = x, -x.T
    found[4:, 4:] = -np.einsum("xyk,k->xy", bracket, p)
    return found


def _slopes(q: Array, a: Callable[[Array], Array]) -> Array:
    """∂X/∂q by central differences of order eight, so that complex steps can go through this."""
    if not np.iscomplexobj(q):
        return slope(lambda z: lift(z, a), q)
    h, weights = 1e-2, {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
    columns = []
    for e in np.eye(4):
        columns.append(sum(c * (lift(q + k * h * e, a) - lift(q - k * h * e, a)) for k, c in weights.items()) / h)
    return np.stack(columns, axis=-1)


def point(s: Any) -> Array:
    """(q, p̃_α) of a state."""
    q = ground.place(s)
    return np.concatenate([q, lift(q).T @ ground._metric(q) @ full_rate(s)])


@lru_cache
def places() -> tuple[SimpleNamespace, ...]:
    """Points of M with their rates by the witness."""
    found = []
    for t in ground.places():
        z = point(t.state)
        found.append(
            SimpleNamespace(
                state=t.state, z=z, q=z[:4], p=momenta(z), rate=t.state.dot(point), slope=slope(hamiltonian, z)
            )
        )
    return tuple(found)


@section.confirmed("the canonical bracket and J", (15, 16))
def canonical() -> Evidence:
    """{F, G} = ∂F/∂q ∂G/∂p − ∂F/∂p ∂G/∂q = (∂F)ᵀ J ∂G; q̇ = {q, H}, ṗ = {p, H} are Hamilton's equations."""
    j = np.block([[np.zeros((4, 4)), np.eye(4)], [-np.eye(4), np.zeros((4, 4))]])

    def terms(t: Any) -> list[Any]:
        gradient = slope(lambda z: full_hamiltonian(z[:4], z[4:]), np.concatenate([t.q, t.p]))
        other = slope(lambda z: np.sin(z[0] * z[5]) + z[2] * z[7] ** 2, np.concatenate([t.q, t.p]))
        return [
            np.array([gradient[:4] @ other[4:]]),
            np.array([-gradient[4:] @ other[:4]]),
            -np.array([gradient @ j @ other]),
        ]

    def hamilton(t: Any) -> list[Any]:
        """J∇H against q̇ = G⁻¹p and ṗ = ∂L/∂q at that velocity, all components."""
        gradient = slope(lambda z: full_hamiltonian(z[:4], z[4:]), np.concatenate([t.q, t.p]))
        velocity = np.linalg.solve(ground._metric(t.q), t.p)
        push = slope(lambda q: velocity @ ground._metric(q) @ velocity / 2 - ground._potential(q)[0, 0], t.q)
        return [j @ gradient, -np.concatenate([velocity, push])]

    def flipped(t: Any) -> list[Any]:
        return [hamilton(t)[0], hamilton(t)[1] * np.repeat([1, -1], 4)]

    return together([identity(places(), terms), identity(places(), hamilton, mutants=[flipped])])


@section.confirmed("the constraint phase space M, in p and in p̃", (17, 20))
def constraint_space() -> Evidence:
    """ω^a_i ∂H/∂p_i = 0 on FL(D), and it is ∂H̃/∂p̃_a = 0 in the coordinates (8)."""

    def terms(t: Any) -> list[Any]:
        velocity = slope(lambda p: full_hamiltonian(t.q, p), t.p)
        forms = np.concatenate([connection(t.q), np.eye(2)], axis=1)  # ω^a = ds^a + A dr

        def in_new(tilde: Array) -> Any:
            """H̃ with p_a = p̃_a, p_α = p̃_α + A p̃_a."""
            p = np.concatenate([tilde[R] + connection(t.q).T @ tilde[S], tilde[S]])
            return full_hamiltonian(t.q, p)

        tilde = np.concatenate([lift(t.q).T @ t.p, t.p[S]])
        return [np.concatenate([forms @ velocity, slope(in_new, tilde)[S]])]

    size = max(float(np.max(np.abs(terms(t)[0]))) for t in places())
    forms = [np.concatenate([connection(t.q), np.eye(2)], axis=1) for t in places()]
    off = min(
        float(np.max(np.abs(f @ slope(lambda p, q=t.q: full_hamiltonian(q, p), t.p + 0.3))))
        for t, f in zip(places(), forms)
    )
    return Evidence(size, mutant=off, words="on FL(D) and beside it")


@section.confirmed("derivatives of H̃ and of H_M", 21)
def derivatives() -> Evidence:
    """∂H̃/∂q = ∂H_M/∂q and ∂H̃/∂p̃_β = ∂H_M/∂p̃_β on M."""

    def terms(t: Any) -> list[Any]:
        def in_new(z: Array) -> Any:
            q, tilde = z[:4], z[4:]
            p = np.concatenate([tilde[R] + connection(q).T @ tilde[S], tilde[S]])
            return full_hamiltonian(q, p)

        whole = slope(in_new, np.concatenate([t.q, lift(t.q).T @ t.p, t.p[S]]))
        return [whole[:6], -t.slope]

    return identity(places(), terms)


@section.confirmed("(10)", 22)
def almost_poisson() -> Evidence:
    """(q̇, p̃̇) = J_M ∂H_M, with the brackets of (8) restricted to M, is the motion."""

    def flat(t: Any) -> list[Any]:
        other = tensor(t.z)
        other[4:, 4:] = 0
        return [t.rate, -other @ t.slope]

    return identity(places(), lambda t: [t.rate, -tensor(t.z) @ t.slope], mutants=[flat], words=WORDS)


def jacobiator(z: Array, a: Callable[[Array], Array]) -> float:
    """The largest of the cyclic sums ``J^il ∂_l J^jk + …``."""
    j, slopes = tensor(z, a), slope(lambda y: tensor(y, a), z)
    one = np.einsum("il,jkl->ijk", j, slopes)
    return float(np.max(np.abs(one + np.einsum("ijk->jki", one) + np.einsum("ijk->kij", one))))


@section.confirmed("the bracket is skew, satisfies Leibniz, and Jacobi if and only if the constraints are holonomic")
def jacobi() -> Evidence:
    """J_M is skew; its Jacobiator vanishes for an integrable connection and not for the generic one."""
    closed = analytic((("-q3*cos(q1)*q2", "-q3*sin(q1)"), ("-q2", "-q1 - 2*q2")), ground.Q)
    skew = max(float(np.max(np.abs(tensor(t.z) + tensor(t.z).T))) for t in places())
    flat = max(jacobiator(t.z, closed) for t in places())
    return Evidence(
        max(skew, flat),
        mutant=min(jacobiator(t.z, connection) for t in places()),
        words="all triples of coordinates of M",
    )


@section.confirmed("the constrained Hamiltonian is an integral of motion")
def energy() -> Evidence:
    """dH_M/dt = ∂H_M · J_M ∂H_M = 0 by the witness's rates."""
    return identity(
        places(),
        lambda t: [t.slope[:4] @ t.rate[:4], t.slope[4:] @ t.rate[4:]],
        words="rates by the multiplier witness",
    )


@section.confirmed("Theorem 5", (25, "Theorem 5"))
def constrained_hamilton() -> Evidence:
    """ṡ = −A ∂H_M/∂p̃, ṙ = ∂H_M/∂p̃, p̃̇ = −∂H_M/∂r + A ∂H_M/∂s − p_b B^b_αβ ∂H_M/∂p̃_β."""

    def terms(t: Any, order: str = "b,bxy,y->x") -> list[Any]:
        a = connection(t.q)
        slopes, speed = t.slope[:4], t.slope[4:]
        gyro = np.einsum(order, t.p[S], curvature(connection, t.q), speed)
        zero = np.zeros(2)
        return [
            np.concatenate([t.rate[R], t.rate[2:4], t.rate[4:]]),
            np.concatenate([-speed, a @ speed, zero]),
            np.concatenate([zero, zero, slopes[R]]),
            -np.concatenate([zero, zero, a.T @ slopes[S]]),
            np.concatenate([zero, zero, gyro]),
        ]

    return identity(places(), terms, mutants=[lambda t: terms(t, "b,byx,y->x")], words=WORDS)
