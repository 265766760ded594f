"""The coefficients of the reduced equations (4.9)–(4.11) of BMZ 2009, with the printed errors put right.

With ``J = I_US I_S^{-1}`` (printed as ``−(I^U)^{-1} I^{US}``, its equal):

    D_aα^c = E_αa^c + E_αa^{c'} J_{c'}^c + C_ba^{c'} Λ_{c'α} I^{bc}        (also the form τ of (4.7))
    D_aαβ = Λ_{c'β} E_αa^{c'},    K_αβγ = Λ_{c'γ} B_αβ^{c'}

    ṗ_a = (C_ba^c + C_ba^{c'} J_{c'}^c) I^{bd} p_c p_d + D_aα^c p_c ṙ^α + D_aαβ ṙ^α ṙ^β
    d/dt ∂l_c/∂ṙ^α − ∂l_c/∂r^α = −D_bα^c I^{bd} p_c p_d − K_αβγ ṙ^β ṙ^γ − (B_αβ^c + B_αβ^{c'} J_{c'}^c + D_bαβ I^{bc}) p_c ṙ^β
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from nonholo.algebra.calculus import ZERO
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import Matrix, multiply
from nonholo.geometry.frames.brackets import shorten
from nonholo.notation.write import to_text
from nonholo.symmetry.reduction.momentum.connection import Connection
from nonholo.symmetry.reduction.quotient_data import Cube

Table = Matrix | Cube


@dataclass(frozen=True, repr=False)
class Coefficients:
    """What stands in (4.9)–(4.11); ``coefficients["Λ"]`` by the paper's letter, and all of them printed by name."""

    quadratic: Cube
    """``[a][c][d]``: the coefficient of ``p_c p_d`` in ``ṗ_a``."""
    linear: Cube
    """``D[a][α][c]``, equally the form ``τ``."""
    free: Cube
    """``D[a][α][β]``."""
    gyroscopic: Cube
    """``K[α][β][γ]``."""
    bending: Cube
    """``[α][β][c]``: ``B_αβ^c + B_αβ^{c'} J_{c'}^c``."""
    inverse: Matrix
    """``I_S^{ab}``."""
    connection: Connection
    """What they are made of."""
    basis: tuple[str, ...]
    """Names of the basis of the algebra, S first."""
    shape: tuple[str, ...]

    @property
    def table(self) -> FrozenMap[str, tuple[str, Table]]:
        """Each coefficient by the paper's letter: its indices in their order (``a`` in S, ``u`` in U, ``A`` in the algebra, ``r``
        in the shape), and its components."""
        own = self.connection
        cross = own.cross or tuple((ZERO,) * len(self.shape) for _ in range(own.momenta))
        return FrozenMap({
            "A": ("Ar", own.components), "C": ("AAA", own.structure), "I": ("AA", own.inertia), "I_S": ("aa", own.inertia_s),
            "I_US": ("ua", own.inertia_us), "I_U": ("uu", own.inertia_u), "Λ": ("Ar", (*cross, *own.leaning)),
            "τ": ("ara", self.linear), "D": ("arr", self.free), "K": ("rrr", self.gyroscopic), "B": ("rrA", own.curvature),
            "γ": ("ArA", own.motion), "E": ("rAA", own.mixed),
        })  # fmt: skip

    def __getitem__(self, letter: str) -> Table:
        plain = {"ℐ": "I", "ℬ": "B", "ℰ": "E", "𝒟": "D", "𝒦": "K", "𝒜": "A", "tau": "τ", "gamma": "γ", "Lambda": "Λ"}
        known = self.table
        name = plain.get(letter, letter)
        if name not in known:
            raise KeyError(f"{letter!r}; the letters are {', '.join(known)}")
        return known[name][1]

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        """All components that are not zero, one a line."""
        m = self.connection.momenta
        words = {"a": self.basis[:m], "u": self.basis[m:], "A": self.basis, "r": self.shape}
        lines = []
        for letter, (indices, values) in self.table.items():
            for place in product(*(range(len(words[i])) for i in indices)):
                entry: Any = values
                for k in place:
                    entry = entry[k]
                if entry != 0:
                    shown = ",".join(words[i][k] for i, k in zip(indices, place))
                    lines.append(f"{letter}[{shown}] = {to_text(entry)}")
        return "\n".join(lines)


def coefficients(
    found: Connection, inverse: Matrix, basis: tuple[Sequence[str], Sequence[str]] = ((), ()), shape: tuple[str, ...] = ()
) -> Coefficients:
    """(4.11) in the corrected form; for any connection, whose ``Λ_aα = K(e_a, u_α)`` along S need not vanish."""
    m = found.momenta
    count = len(found.inertia)
    shapes = len(found.curvature)
    others = range(m, count)
    lean = multiply(found.inertia_us, inverse) if count > m and m else ()
    C, E, B = found.structure, found.mixed, found.curvature
    cross = found.cross or tuple((ZERO,) * shapes for _ in range(m))
    turned = multiply(inverse, cross) if m and shapes else cross  # Ω = I⁻¹ p − turned ṙ
    # ∂l/∂Ω^c' = J p + (Λ_c' − J Λ_S) ṙ
    L = tuple(
        tuple(e - sum((lean[o][b] * cross[b][x] for b in range(m)), ZERO) for x, e in enumerate(row))
        for o, row in enumerate(found.leaning)
    )

    def carried(vector: Sequence[Expr], c: int) -> Expr:
        """A vertical vector seen by p: its S part and what U adds through I_US."""
        return vector[c] + sum((vector[o] * lean[o - m][c] for o in others), ZERO)

    def leaned(vector: Sequence[Expr], x: int) -> Expr:
        """A vertical vector seen by ṙ through Λ."""
        return sum((vector[o] * L[o - m][x] for o in others), ZERO)

    def along(a: int, x: int) -> list[Expr]:
        """``E_αa − C_ba (I⁻¹ Λ_S)^b_α``: the bracket of ``γ_a`` with the part of the velocity that ṙ gives."""
        return [E[x][a][c] - sum((C[b][a][c] * turned[b][x] for b in range(m)), ZERO) for c in range(count)]

    def bent(x: int, y: int) -> list[Expr]:
        """``B_αβ − E_αb (I⁻¹ Λ_S)^b_β``."""
        return [B[x][y][c] - sum((E[x][b][c] * turned[b][y] for b in range(m)), ZERO) for c in range(count)]

    quadratic = tuple(
        tuple(
            tuple(shorten(sum((carried(C[b][a], c) * inverse[b][d] for b in range(m)), ZERO)) for d in range(m))
            for c in range(m)
        )
        for a in range(m)
    )
    linear = tuple(
        tuple(
            tuple(
                shorten(carried(along(a, x), c) + sum((leaned(C[b][a], x) * inverse[b][c] for b in range(m)), ZERO))
                for c in range(m)
            )
            for x in range(shapes)
        )
        for a in range(m)
    )
    free = tuple(
        tuple(tuple(shorten(leaned(along(a, x), y)) for y in range(shapes)) for x in range(shapes)) for a in range(m)
    )
    gyroscopic = tuple(
        tuple(tuple(shorten(leaned(bent(x, y), z)) for z in range(shapes)) for y in range(shapes)) for x in range(shapes)
    )
    bending = tuple(
        tuple(tuple(shorten(carried(bent(x, y), c)) for c in range(m)) for y in range(shapes)) for x in range(shapes)
    )
    inside, outside = basis
    names = (*(inside or [f"e{a + 1}" for a in range(m)]), *(outside or [f"e{a + 1}" for a in others]))
    return Coefficients(quadratic, linear, free, gyroscopic, bending, inverse, found, names, shape)


def momentum_side(found: Coefficients, momenta: Sequence[Expr], rates: Sequence[Expr]) -> tuple[Expr, ...]:
    """``ṗ_a`` by (4.10)."""
    m, shapes = len(momenta), len(rates)
    return tuple(
        sum((found.quadratic[a][c][d] * momenta[c] * momenta[d] for c in range(m) for d in range(m)), ZERO)
        + sum((found.linear[a][x][c] * momenta[c] * rates[x] for x in range(shapes) for c in range(m)), ZERO)
        + sum((found.free[a][x][y] * rates[x] * rates[y] for x in range(shapes) for y in range(shapes)), ZERO)
        for a in range(m)
    )


def shape_side(found: Coefficients, momenta: Sequence[Expr], rates: Sequence[Expr]) -> tuple[Expr, ...]:
    """The right side of the shape equation (4.9), for the nonholonomic connection."""
    m, shapes = len(momenta), len(rates)
    result = []
    for x in range(shapes):
        total = -sum(
            (
                found.linear[b][x][c] * found.inverse[b][d] * momenta[c] * momenta[d]
                for b in range(m)
                for c in range(m)
                for d in range(m)
            ),
            ZERO,
        )
        for y in range(shapes):
            for z in range(shapes):
                total -= found.gyroscopic[x][y][z] * rates[y] * rates[z]
            for c in range(m):
                weight = found.bending[x][y][c] + sum(
                    (found.free[b][x][y] * found.inverse[b][c] for b in range(m)), ZERO
                )
                total -= weight * momenta[c] * rates[y]
        result.append(total)
    return tuple(result)
