"""Zenkov 2016, Remark 3.2: the string with the unit tangent, as a motion on a group of curves in SE(2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity
from nonholo_papers.section import Section
from nonholo_papers.spectral import Vector, slope
from nonholo_papers.zenkov import _string as string
from nonholo_papers.zenkov._string import SPACE

section = Section("zenkov", "3.2 Remark: another operator for the string")
section.rest("definition", 61, 62, 64)


def _tangent(z: Vector) -> Vector:
    bent = SPACE.d(z)
    return bent / np.abs(bent)


def _turning(p: Any, xi: Vector) -> Vector:
    """The rate of θ, the argument of z_s, when z moves with ``e^{iθ} ξ``."""
    return slope(lambda tau: np.angle(SPACE.d(p.z + tau * _tangent(p.z) * xi) / p.bent))


@section.confirmed(
    "Remark 3.2, the bracket", printed=r"[\xi,\eta]_z \text{ is induced by the bracket of } \mathfrak{se}(2)"
)
def bracket() -> Evidence:
    """With Ψ_zξ = z_s ξ/|z_s| the bracket is that of se(2), (2.5), with the turning rates that ξ and η give to z_s."""

    def terms(seed: int) -> list[Vector]:
        p = string.loose(seed)
        one = slope(lambda tau: _tangent(p.z + tau * _tangent(p.z) * p.xi) * p.eta)
        two = slope(lambda tau: _tangent(p.z + tau * _tangent(p.z) * p.eta) * p.xi)
        return [(one - two) / _tangent(p.z), -1j * _turning(p, p.xi) * p.eta, 1j * _turning(p, p.eta) * p.xi]

    def old(seed: int) -> list[Vector]:
        p = string.loose(seed)
        one = slope(lambda tau: _tangent(p.z + tau * _tangent(p.z) * p.xi) * p.eta)
        two = slope(lambda tau: _tangent(p.z + tau * _tangent(p.z) * p.eta) * p.xi)
        return [(one - two) / _tangent(p.z), -SPACE.d(p.xi) * p.eta, p.xi * SPACE.d(p.eta)]

    return identity((1, 2), terms, mutants=[old], words="functional derivatives; (3.15) fails for this operator")


@section.confirmed("Remark 3.2, the degenerate Lagrangian", 63)
def degenerate() -> Evidence:
    """With ξ the C-component of g⁻¹ġ, ξ̄ξ is the square of the string's velocity also where |z_s| ≠ 1."""

    def terms(seed: int) -> list[float]:
        p = string.loose(seed)
        dot = _tangent(p.z) * p.xi
        held = p.tension * (np.abs(p.bent) ** 2 - 1)
        density = np.real(np.conj(p.xi) * p.xi - p.tension * (np.conj(p.bent) * p.bent - 1)) / 2
        return [float(SPACE.total(np.abs(dot) ** 2 - held) / 2), -float(SPACE.total(density))]

    return identity((1, 2), terms)


@section.confirmed(
    "Remark 3.2, the same equations",
    "Remark 3.2",
    printed=r"\dot\xi = \xi\bar\xi_s + \lambda_s + i\varkappa(\lambda - \bar\xi\xi)",
)
def same_equations() -> Evidence:
    """The C-component of the Euler–Poincaré equations, ξ̇ + iωξ = e^{−iθ}(λz_s)_s, with (3.18) imposed, is (3.17)."""

    def terms(seed: int) -> list[Vector]:
        p = string.state(seed)
        euler = np.exp(-1j * p.theta) * SPACE.d(p.tension * p.bent) - 1j * p.omega * p.xi
        return [
            euler,
            -p.xi * np.conj(SPACE.d(p.xi)),
            -SPACE.d(p.tension) + 0j,
            -1j * p.curvature * p.tension,
            1j * p.curvature * np.abs(p.xi) ** 2,
        ]

    return identity(
        (1, 2, 3), terms, words="ω is the turning rate of z_s; the so(2)-component is 0 = Im ξ̄ξ, without a reaction"
    )
