"""Zenkov 2016, Example 3.1 and Remark 3.1: the ideal fluid, by volume-preserving maps of the torus in closed form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, share
from nonholo_papers.section import Section
from nonholo_papers.spectral import STEP, Vector, chebyshev, slope

section = Section("zenkov", "3.2 Example: the ideal fluid")
COUNT = 20
TIME = chebyshev(16)
_X, _Y = np.meshgrid(*[2 * np.pi * np.arange(COUNT) / COUNT] * 2, indexing="ij")
PLACES = np.stack([_X, _Y])
Map = Callable[[Any, Vector], Vector]


def _shear_x(size: Any, p: Vector) -> Vector:
    return np.stack([p[0] + size * np.sin(p[1]), p[1] + 0 * size])


def _shear_y(wave: Any, p: Vector) -> Vector:
    return np.stack([p[0], p[1] + wave(p[0])])


def _wave(size: Any, x: Vector) -> Vector:
    return size * np.cos(x)


def _amounts(t: Any) -> tuple[Any, Any]:
    return 0.3 + 0.4 * t - 0.2 * t**2, 0.25 * np.cos(1.3 * t)


def _flow(t: Any, p: Vector) -> Vector:
    one, two = _amounts(t)
    return _shear_x(one, _shear_y(lambda x: _wave(two, x), p))


def _back(t: float, p: Vector) -> Vector:
    one, two = _amounts(t)
    return _shear_y(lambda x: -_wave(two, x), _shear_x(-one, p))


def _bump(t: Any) -> Any:
    return t * (1 - t) * (1 + 0.5 * t)


def _way(p: Vector) -> Vector:
    """A field without divergence, whose flow is ``(x + c cos(y + 0.4), y)``."""
    return np.stack([np.cos(p[1] + 0.4), 0 * p[1]])


def _push(size: Any, p: Vector) -> Vector:
    return p + size * _way(p)


def _spatial(t: float, tau: float, p: Vector) -> Vector:
    """``ξ = q̇ ∘ q⁻¹`` of the varied flow ``C_{τf(t)} ∘ q_t``."""
    label = _back(t, _push(-tau * _bump(t), p))
    return np.imag(_push(tau * _bump(t + 1j * STEP), _flow(t + 1j * STEP, label))) / STEP


def _convective(t: float, tau: float, p: Vector) -> Vector:
    """``ξ = (Tq)⁻¹ q̇`` of the varied flow ``q_t ∘ C_{τf(t)}``."""

    def varied(time: Any, place: Vector) -> Vector:
        return _flow(time, _push(tau * _bump(time), place))

    rate = np.imag(varied(t + 1j * STEP, p)) / STEP
    first = np.imag(varied(t, p + 1j * STEP * np.array([1.0, 0.0])[:, None, None])) / STEP
    second = np.imag(varied(t, p + 1j * STEP * np.array([0.0, 1.0])[:, None, None])) / STEP
    size = first[0] * second[1] - first[1] * second[0]
    return np.stack([second[1] * rate[0] - second[0] * rate[1], first[0] * rate[1] - first[1] * rate[0]]) / size


def _lie(one: Map, two: Map) -> tuple[Vector, Vector]:
    """``X·∇Y`` and ``Y·∇X`` on the grid, for fields of the place alone."""
    x, y = one(0, PLACES), two(0, PLACES)
    forward = slope(lambda h: two(0, PLACES + h * x), 0.05, 12)
    return forward, slope(lambda h: one(0, PLACES + h * y), 0.05, 12)


def _variation(velocity: Any, t: float) -> tuple[Vector, Vector, Vector, Vector]:
    """``δξ``, ``η̇``, ``ξ·∇η`` and ``η·∇ξ`` at one time."""
    change = slope(lambda tau: velocity(t, tau, PLACES), 0.2, 14)
    rate = np.imag(_bump(t + 1j * STEP)) / STEP * _way(PLACES)
    bent = _lie(lambda _, p: velocity(t, 0.0, p), lambda _, p: _bump(t) * _way(p))
    return change, rate, *bent


@section.confirmed("Example 3.1, δξ", (50,))
def spatial_variation() -> Evidence:
    """In spatial velocities δξ = η̇ + [ξ, η] with the Jacobi–Lie bracket on D, which is η̇ − ad_ξ η."""

    def terms(t: float) -> list[Vector]:
        change, rate, forward, back = _variation(_spatial, t)
        return [change, -rate, -forward, back]

    return identity(
        (0.3, 0.55), terms, words="flows of the torus made of shears, their velocities by complex steps, 20 × 20 places"
    )


@section.confirmed("Remark 3.1", "Remark 3.1", printed=r"\Psi_q = TL_q")
def convective_variation() -> Evidence:
    """Convective velocities ξ = (Tq)⁻¹q̇ come from Ψ_q = TL_q; their bracket has the other sign, δξ = η̇ − [ξ, η]."""

    def terms(t: float) -> list[Vector]:
        change, rate, forward, back = _variation(_convective, t)
        return [change, -rate, forward, -back]

    return identity((0.3, 0.55), terms, words="flows of the torus made of shears, 20 × 20 places")


@section.confirmed("Example 3.1, the dynamics", (51, "Example 3.1"))
def dynamics() -> Evidence:
    """d/dt δl/δξ + ad*_ξ δl/δξ = 0: what it leaves over is minus the variation of ∫∫½|q̇|² in the labels of the particles."""

    def action(tau: float) -> float:
        rows = []
        for t in TIME.points:
            rate = np.imag(_push(tau * _bump(t + 1j * STEP), _flow(t + 1j * STEP, PLACES))) / STEP
            rows.append(np.mean(np.sum(rate**2, axis=0)) / 2)
        return float(TIME.weights @ np.array(rows))

    velocities = np.stack([_spatial(t, 0.0, PLACES) for t in TIME.points])
    change = TIME.d(velocities)
    first, second = [], []
    for t, v, w in zip(TIME.points, velocities, change):
        eta = _bump(t) * _way(PLACES)
        _, _, forward, back = _variation(_spatial, t)
        first.append(np.mean(np.sum(w * eta, axis=0)))
        second.append(np.mean(np.sum(v * -(forward - back), axis=0)))  # ⟨ad*_ξ ξ, η⟩ = ⟨ξ, ad_ξ η⟩ = −⟨ξ, [ξ, η]⟩
    return identity(
        (0,),
        lambda _: [slope(action, 0.2, 14), TIME.weights @ np.array(first), TIME.weights @ np.array(second)],
        words="∫ over 16 times and 20 × 20 places; the variation is a flow without divergence",
    )


@section.misprint(
    "Example 3.1, W",
    printed=r"W = T_e\,\mathrm{Diff}(D) = \mathcal{X}(D), \text{ the smooth vector fields on } D \text{ tangent to the boundary}",
    right=r"W = \{\xi \in \mathcal{X}(D) : \operatorname{div} \xi = 0, \ \xi \text{ tangent to the boundary}\}",
    harm=2,
    breaks="with all tangent fields the same l gives ∂ξ/∂t + ∇_ξξ + (∇ξ)ᵀξ + ξ div ξ = 0, which is not Euler's equation of §2.2",
    kind="slip",
    because="A curve of volume-preserving diffeomorphisms through e has a velocity ξ with div ξ = 0.",
)
def divergence() -> Evidence:
    """The tangent space at e of the group of volume-preserving diffeomorphisms: fields whose flow keeps every volume."""

    def growth(field: Callable[[Vector], Vector]) -> Vector:
        """The rate of the volume element of id + τ field."""

        def volume(tau: float) -> Vector:
            moved = []
            for e in np.eye(2)[:, :, None, None]:
                moved.append(np.imag((PLACES + 1j * STEP * e) + tau * field(PLACES + 1j * STEP * e)) / STEP)
            return moved[0][0] * moved[1][1] - moved[0][1] * moved[1][0]

        return slope(volume)

    def any_field(p: Vector) -> Vector:
        return np.stack([np.sin(p[0]) * np.cos(p[1]), np.cos(p[0] - p[1])])

    def terms(_: int) -> list[Vector]:
        """The rate is the divergence, which vanishes for a shear."""
        x, y = PLACES
        return [np.stack([growth(any_field), growth(_way)]), -np.stack([np.cos(x) * np.cos(y) + np.sin(x - y), 0 * x])]

    wrong = growth(any_field)
    kept = identity((0,), terms)
    return Evidence(
        share(wrong, any_field(PLACES)),
        kept.printed,
        kept.mutant,
        "the rate at which the flow of a field changes the volume element, on the torus",
    )
