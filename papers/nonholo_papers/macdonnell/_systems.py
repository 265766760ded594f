"""The systems of chapters 6 to 8: two generic ones, two that are flat with an integrable adjoint equation, an elementary one."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import symengine as se

from nonholo_papers.macdonnell._so3_bundle import Bundle, places

Array = Any
POTENTIAL = "r1**2*r2/3 + cos(r2)/2 + r1"
GENERIC = Bundle(
    ("r1", "r2"),
    (
        ("1", "0", "r2/3", "1/4 + r1/5", "sin(r1)/3"),
        ("0", "1", "r1*r2/5", "cos(r2)/4", "1/3 + r1/6"),
        ("0", "0", "1", "r1/4", "r2/5 + 1/6"),
        ("0", "0", "sin(r2)/4", "1 + r1/7", "1/5 - r1*r2/8"),
        ("0", "0", "r1/6", "1/4 - r2/7", "1 + r2**2/6"),
    ),
    (
        ("3 + r2**2/5", "r1/6 + 1/4", "0", "0", "1/3 + r1/5"),
        ("r1/6 + 1/4", "2 + sin(r1)/7", "0", "0", "r2/4 - 1/5"),
        ("0", "0", "2 + r1**2/4", "1/3 + r2/6", "0"),
        ("0", "0", "1/3 + r2/6", "3/2 + cos(r1)/4", "0"),
        ("1/3 + r1/5", "r2/4 - 1/5", "0", "0", "5/2 + sin(r2)/4"),
    ),
    (2, 2, 1, 0),
    POTENTIAL,
)
"""Two shape variables, S of dimension 2, N of 1; nothing else is special. Not flat."""
LEANING = Bundle(
    ("r1", "r2"),
    (
        ("1", "1/3 + r1*r2/4", "r2/3", "1/4 + r1/5", "sin(r1)/3"),
        *GENERIC.fields[2:],
        ("r2/4 - 1/3", "1", "r1*r2/5", "cos(r2)/4", "1/3 + r1/6"),
    ),
    (
        ("3 + r2**2/5", "0", "0", "1/3 + r1/5", "0"),
        ("0", "2 + r1**2/4", "1/3 + r2/6", "0", "0"),
        ("0", "1/3 + r2/6", "3/2 + cos(r1)/4", "0", "0"),
        ("1/3 + r1/5", "0", "0", "5/2 + sin(r2)/4", "0"),
        ("0", "0", "0", "0", "2 + sin(r1)/7"),
    ),
    (1, 2, 1, 1),
    POTENTIAL,
)
"""One constraint on the shape alone: R has dimension 1."""


def _e(text: Any) -> Any:
    return se.sympify(text)


SHAPES = ("r1", "r2", "r3")
TURNS = {2: "r1*r2/2 + sin(r1)/3 + r2/4", 3: "r1*r2/2 + sin(r1)/3 + r2/4 + r3*r1/5 + r3/6"}
"""φ for two and three shape variables: solutions of the adjoint equation turn by it, or grow as exp(−φ)."""


@lru_cache
def turning() -> Bundle:
    """Flat: S = span{b₁, b₂}, K(b_a, b_b) = s δ_ab, κ_j = ∂_j + u_j b₃; integrable by K(κ_j, b₃) = s(u_j + ∂_jφ)."""
    u = [_e("1/3 + r1*r2/4 + r2/5"), _e("sin(r1)/2 + r2**2/3")]
    s = _e("2 + r1**2/5 + sin(r2)/4")
    w = [s * (u[k] + _e(TURNS[2]).diff(se.Symbol(n))) for k, n in enumerate(("r1", "r2"))]
    return Bundle(
        ("r1", "r2"),
        (
            ("1", "0", "0", "0", u[0]),
            ("0", "1", "0", "0", u[1]),
            ("0", "0", "1", "0", "0"),
            ("0", "0", "0", "1", "0"),
            ("0", "0", "0", "0", "1"),
        ),
        (
            ("9 + r2**2", "r1/6 + 1/4", "0", "0", w[0]),
            ("r1/6 + 1/4", "8 + sin(r1)", "0", "0", w[1]),
            ("0", "0", s, "0", "0"),
            ("0", "0", "0", s, "0"),
            (w[0], w[1], "0", "0", "5/2 + sin(r2)/4 + r1/5"),
        ),
        (2, 2, 1, 0),
        POTENTIAL,
    )


@lru_cache
def tilting(count: int = 2) -> Bundle:
    """Flat with two or three shape variables, S = span{γ}, γ = f₁b₁ + f₂b₂ + b₃, N = span{b₁, b₂}.

    With c_j the components of [γ, κ_j] along N, K(b_a, κ_k) = η ε_ab c_k^b makes K([γ, κ_j], κ_k) skew and not 0; the component
    along γ is ∂_jφ.
    """
    names = SHAPES[:count]
    r = [se.Symbol(n) for n in names]
    f1, f2, phi = _e("2 + sin(r1)/3 + r2/4"), _e("r1/3 + r2**2/5 + 1/2"), _e(TURNS[count])
    if count == 3:
        f1, f2 = f1 + _e("r3**2/5"), f2 + _e("sin(r3)/4")
    first = [_e("1/5 + r2/6"), _e("r1/4 - 1/7"), _e("r1*r2/5 + 1/6")][:count]
    second = [(phi.diff(e) + u * f2) / f1 for e, u in zip(r, first)]
    c = [
        (
            -f1.diff(e) + u * f1 * f2 - w * (1 + f1**2),
            -f2.diff(e) + u * (1 + f2**2) - w * f1 * f2,
        )
        for e, u, w in zip(r, first, second)
    ]
    size = _e("1/2 + r1/6")
    lean = [(size * b, -size * a) for a, b in c]  # K(b_1, κ_k), K(b_2, κ_k)
    shapes = [
        ("12 + r2**2", "r1/6 + 1/4", "1/3"),
        ("r1/6 + 1/4", "11 + sin(r1)", "r2/5"),
        ("1/3", "r2/5", "13 + r1**2"),
    ]
    zeros = ("0",) * count
    return Bundle(
        names,
        (
            *((*(str(int(k == j)) for k in range(count)), first[j], second[j], "0") for j in range(count)),
            (*zeros, f1, f2, "1"),
            (*zeros, "1", "0", "0"),
            (*zeros, "0", "1", "0"),
        ),
        (
            *((*shapes[j][:count], "0", *lean[j]) for j in range(count)),
            (*zeros, "2 + r1**2/5 + sin(r2)/4", "0", "0"),
            (*(e[0] for e in lean), "0", "5 + r1/4", "1/3"),
            (*(e[1] for e in lean), "0", "1/3", "9/2 + sin(r2)/4"),
        ),
        (count, 1, 2, 0),
        POTENTIAL,
    )


ELEMENTARY = Bundle(
    ("r1",),
    (
        ("1", "0", "0", "1/3 + r1**2/4"),
        ("0", "1", "0", "0"),
        ("0", "0", "1", "0"),
        ("0", "0", "0", "1"),
    ),
    (
        ("9 + r1**2", "0", "0", "3/2 + sin(r1)/2"),
        ("0", "2 + r1**2/5", "1/3 + r1/6", "0"),
        ("0", "1/3 + r1/6", "3/2 + cos(r1)/4", "0"),
        ("3/2 + sin(r1)/2", "0", "0", "5/2 + r1/5"),
    ),
    (1, 2, 1, 0),
    "r1**2/3 + cos(r1)/2",
)
"""Flat with one shape variable, S = span{b₁, b₂} with a generic K on it: the elementary case."""


def omega(bundle: Bundle, start: Array) -> Any:
    """A solution Ω of the adjoint equation of `turning` or `tilting`, as a field: p_i = K(γ_i, Ω) is known in closed form."""
    from nonholo_papers.evidence import analytic

    count = len(bundle.shape)
    phi = analytic([[TURNS[count]]], bundle.shape)
    inside = bundle.indices("S")

    def field(q: Array) -> Array:
        angle = phi(q[:count])[0, 0]
        if len(inside) == 2:
            c, s = np.cos(angle), np.sin(angle)
            p = np.array([c * start[0] - s * start[1], s * start[0] + c * start[1]])
        else:
            p = start * np.exp(-angle)
        rows = bundle.rows(q)[list(inside)]
        return np.linalg.solve(rows @ bundle.metric(q) @ rows.T, p) @ rows

    return field


@lru_cache
def reduced() -> tuple[SimpleNamespace, ...]:
    """States of the two flat systems, with the solution Ω of the adjoint equation that their velocity has."""
    found = []
    for bundle in (turning(), tilting()):
        inside = list(bundle.indices("S"))
        for s in places(bundle):
            wanted = s.gram[np.ix_(inside, inside)] @ s.rates[inside]  # K(γ_i, q̇)
            basis = [omega(bundle, e) for e in np.eye(len(inside))]
            rows = s.rows[inside]
            matrix = np.column_stack([rows @ s.metric @ b(s.q) for b in basis])
            s.Omega = omega(bundle, np.linalg.solve(matrix, wanted))
            found.append(s)
    return tuple(found)
