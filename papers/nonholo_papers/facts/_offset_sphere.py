"""Spheres with a centre of mass off their middle: contact, inertia and Jellett's integral in numbers.

Symbols as in `nonholo.gallery._rolling`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

Vector = Any


def contact_numbers(vertical: Vector, values: Mapping[str, float]) -> Vector:
    """ρ(γ) as numbers."""
    return np.array([0, 0, values["a"]]) - values["r"] * vertical


def inertia_numbers(values: Mapping[str, float]) -> Vector:
    """diag(A, A, C)."""
    return np.diag([values["A"], values["A"], values["C"]])


def arm_inertia(s: Any) -> Any:
    """``ρ·Iρ = A r² sin²θ + C (a − r cos θ)²``, with ``cos θ = γ3``."""
    return s.A * s.r**2 * (s.R31**2 + s.R32**2) + s.C * (s.a - s.r * s.R33) ** 2


def jellett(s: Any) -> Any:
    """``(I w)·ρ``: no force at the contact point changes it [Jellett 1872]."""
    return -s.A * s.r * (s.w1 * s.R31 + s.w2 * s.R32) + s.C * s.w3 * (s.a - s.r * s.R33)
