"""Zenkov 2016, Example 4.1: the string that cannot move sideways."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import holds, identity, moving, share, vanish
from nonholo_papers.section import Section
from nonholo_papers.spectral import Vector, slope
from nonholo_papers.zenkov import _string as string
from nonholo_papers.zenkov._string import SPACE

section = Section("zenkov", "4.2 Example: the constrained string")
section.rest("definition: the kinematics (3.14) and the constraint", 76)


@section.misprint(
    "Example 4.1, the constraint",
    printed=r"\text{the constraint reads } \xi = \xi, \text{ i.e. } \xi \in \mathbb{R}",
    right=r"\xi = \bar\xi, \quad\text{i.e.}\quad \xi \in \mathbb{R}",
    harm=1,
    breaks="the bar is missing: as printed nothing is constrained; (4.6) has it",
    kind="reading",
)
def bar() -> Evidence:
    """The normal velocity, x_s ẏ − y_s ẋ, is what the constraint says to vanish: (ξ − ξ̄)/2i, where ż = z_s ξ."""

    def terms(seed: int, barred: bool) -> list[Vector]:
        p = string.state(seed)
        across = p.bent.real * p.dot.imag - p.bent.imag * p.dot.real
        return [(p.xi - (np.conj(p.xi) if barred else p.xi)) / 2j + 0.3, -across - 0.3]

    return identity(
        (1, 2), lambda k: terms(k, False), lambda k: terms(k, True), words="strings that move sideways too; 0.3 on both sides"
    )


def _tangential(xi: Vector, seed: int) -> tuple[Vector, Vector]:
    """ξ̇ by d'Alembert for a string that moves along itself with speeds ξ(s): Re z̄_s z̈ = λ_s; and λ_s."""
    p = string.state(seed)
    acceleration = SPACE.d(p.tension * p.bent)
    pull = np.real(acceleration * np.conj(p.bent))
    dot = p.bent * xi
    # z̈ = (z_s ξ)_s ξ + z_s ξ̇, and only its tangential part is known: the rest is the reaction
    return pull - np.real(SPACE.d(dot) * xi * np.conj(p.bent)), SPACE.d(p.tension)


@section.conditional(
    "(4.5)",
    75,
    reason="because ξ_s = 0, which the inextensibility implies. Where ξ_s ≠ 0, d/dt(z̄_s z_s ξ) is ξ̇ + 2ξξ_s and the equation "
    "would be ξ̇ = −ξξ_s + λ_s: the sign of the term is of no account",
    harm=1,
    breaks="a string that may stretch: the term ξξ_s has the other sign there",
    kind="convention",
)
def along_itself() -> Evidence:
    """The equation of the constrained string before ξ_s = 0 is used."""

    def printed(seed: int) -> list[Vector]:
        xi = 0.7 + 0.4 * np.sin(2 * SPACE.points)
        change, pull = _tangential(xi, seed)
        return [change, -xi * SPACE.d(xi), -pull]

    def right(seed: int) -> list[Vector]:
        change, pull = _tangential(0.7 + 0 * SPACE.points, seed)
        return [change, -pull]

    return identity(
        (1, 2), printed, right=right, words="d'Alembert's principle along the string, with ξ_s ≠ 0 and with ξ_s = 0"
    )


@section.confirmed("Example 4.1, all points have the same speed", printed=r"\xi_s = 0")
def one_speed() -> Evidence:
    """Moving along itself the string stretches at the rate ξ_s, so that inextensibility means ξ_s = 0."""

    def terms(seed: int) -> list[Vector]:
        p = string.state(seed)
        xi = np.cos(1.3 * p.s) - 0.4 * p.s
        stretched = slope(lambda tau: np.abs(SPACE.d(p.z + tau * p.bent * xi)))
        return [stretched, -SPACE.d(xi)]

    return identity((1, 2), terms)


@section.confirmed("Example 4.1, ξ̇ = λ_s = 0", 77)
def constant_speed() -> Evidence:
    """ξ̇ = λ_s with λ = 0 at both ends and ξ̇ the same for all s leaves ξ̇ = 0 and λ = 0 only."""
    count = len(SPACE.points)
    rows = np.hstack([SPACE.derivative, np.full((count, 1), -1.0)])
    edges = np.zeros((2, count + 1))
    edges[0, 0] = edges[1, count - 1] = 1
    smallest = float(np.linalg.svd(np.vstack([rows, edges]), compute_uv=False)[-1])
    one_end = float(np.linalg.svd(np.vstack([rows, edges[:1]]), compute_uv=False)[-1])
    return holds(
        (f"the linear problem has the zero solution only (smallest singular value {smallest:.2g})", smallest > 1e-2),
        against=[("also without the condition at one end", one_end > 1e-9)],
    )


def _winding(u: Vector, kink: float = 0.0) -> Vector:
    """A curve of unit speed, ``φ(u) = ∫ e^{iθ}``, whose angle may bend away twice differentiably beyond u = 1."""
    points, weights = np.polynomial.legendre.leggauss(40)
    u = np.asarray(u, dtype=float)
    beyond = np.maximum(u - 1, 0)

    def angle(w: Vector) -> Vector:
        return 0.4 * np.sin(1.5 * w) + 0.2 * w + kink * np.maximum(w - 1, 0) ** 3

    def piece(left: Vector, length: Vector) -> Vector:
        nodes = left[..., None] + length[..., None] * (points + 1) / 2
        return length / 2 * (np.exp(1j * angle(nodes)) @ weights)

    return piece(0 * u, np.minimum(u, 1)) + piece(1 + 0 * u, beyond)


@section.conditional(
    "Example 4.1, z = φ(s + ξt)",
    78,
    right="|φ′| = 1",
    reason="Every solution of (4.6) has this form, but |z_s| = |φ′|, which the inextensibility sets to 1.",
    harm=1,
    breaks="an arbitrary φ stretches the string",
)
def travelling() -> Evidence:
    """Solutions with an arbitrary twice-differentiable φ."""
    speed, time = 0.6, 0.8
    s = SPACE.points

    def arbitrary(_: int) -> list[Vector]:
        bent = np.cos(s + speed * time) * 0.7 + 1j * (s + speed * time)
        return [np.abs(bent), -np.ones_like(s)]

    def unit(_: int) -> list[Vector]:
        def place(t: float) -> Vector:
            return _winding(s + speed * t)

        dot = slope(lambda h: place(time + h))
        bent = SPACE.d(place(time))
        return [np.concatenate([dot, np.abs(bent)]), -np.concatenate([bent * speed, np.ones_like(s)])]

    return identity(
        (0,), arbitrary, right=unit, words="φ = 0.7 sin u + iu²/2 against a φ of unit speed: (4.6) and |z_s| = 1"
    )


@section.confirmed("Example 4.1, the start does not determine the motion", "Example 4.1")
def undetermined() -> Evidence:
    """Two motions from one start: φ on [0, 1] is given, and beyond it anything of unit speed goes, with λ = 0
    and reactions across.
    """
    speed, s = 0.6, SPACE.points

    def motion(kink: float, t: float) -> Vector:
        return _winding(s + speed * t, kink)

    def push(kink: float, t: float) -> float:
        """The tangential acceleration, which must be λ_s = 0, relative to the whole."""
        w = s + speed * t
        turn = 0.6 * np.cos(1.5 * w) + 0.2 + 3 * kink * np.maximum(w - 1, 0) ** 2
        bent = np.exp(1j * (0.4 * np.sin(1.5 * w) + 0.2 * w + kink * np.maximum(w - 1, 0) ** 3))
        acceleration = speed**2 * 1j * turn * bent
        # and the acceleration is that of the motion
        h = 1e-3
        seen = (motion(kink, t + h) - 2 * motion(kink, t) + motion(kink, t - h)) / h**2
        assert share(seen - acceleration, acceleration) < 1e-4
        return share(np.real(acceleration * np.conj(bent)), acceleration)

    same = np.max(np.abs(motion(0.0, 0.0) - motion(2.0, 0.0)))
    apart = np.max(np.abs(motion(0.0, 0.9) - motion(2.0, 0.9)))
    still = max(push(k, 0.9) for k in (0.0, 2.0))

    def sideways(t: float) -> Vector:
        return np.imag((motion(2.0, t + 0.01) - motion(2.0, t - 0.01)) / SPACE.d(motion(2.0, t)))

    slip = vanish([0.9], sideways).printed
    return holds(
        ("both start alike", bool(same < 1e-14)),
        ("they are apart at t = 0.9", bool(apart > 1e-2)),
        ("both obey the equations", still < 1e-12),
        against=[("a string whose points move along itself slips sideways", slip > 1e-2)],
    )


@section.confirmed("Example 4.1, the degenerate sleigh", 79, exhibits=("degenerate-sleigh",))
def degenerate_sleigh() -> Evidence:
    """l = ½ξξ̄ with ξ real: ξ̇ = 0 and ż = e^{iθ}ξ, whatever the heading does."""
    points = moving("degenerate-sleigh", variant="heading prescribed by its rate u")

    def terms(p: Any) -> list[Any]:
        change = p.rate("x") + 1j * p.rate("y")
        return [change, -np.exp(1j * p.theta) * p.v]

    kept = identity(points, terms, words="against the multiplier form, with the heading's rate an input")
    speed = max(abs(p.rate("v")) for p in points)
    return Evidence(max(kept.printed, speed), None, kept.mutant, kept.words)
