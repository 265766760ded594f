"""R² × SE(2) with generic numbers: two shape variables, a basis of se(2) that turns with the shape, one constraint.

Everything §§2.5, 4 speak of (A, γ, C, B, ℰ, ℐ, 𝒦, Λ, 𝒟) is computed here from its definition, by complex steps, at states whose
rates come from the multiplier witness in the plain coordinates (r1, r2, θ, x, y), with and without the constraint.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.evidence import Moving, analytic, moving_system, slope

Array = Any
ALGEBRA = np.zeros((3, 3, 3))
"""``C[a, b, c]``: [e1, e2] = e3, [e1, e3] = −e2 in the body frame (turn, along, across) of SE(2)."""
ALGEBRA[0, 1, 2], ALGEBRA[1, 0, 2], ALGEBRA[0, 2, 1], ALGEBRA[2, 0, 1] = 1, -1, -1, 1
S, U = slice(0, 2), slice(2, 3)

SHAPE = ("r1", "r2")
BASIS = (
    ("1 + r1**2/4", "r2/3", "sin(r1)/5"),
    ("r1*r2/6", "1 + cos(r2)/3", "r1/4"),
    ("sin(r2)/4", "r1/5 + r2**2/7", "1 + r1*r2/8"),
)
"""Row a is e_a(r) in the fixed basis."""
INERTIA = (
    ("3 + r1**2/2", "r2/4", "1/2 + r1/5"),
    ("r2/4", "2 + cos(r1)/3", "r1*r2/6"),
    ("1/2 + r1/5", "r1*r2/6", "5/2 + sin(r2)/4"),
)
MIXED = (("1/3 + r2/5", "r1/4", "sin(r1)/3"), ("r1*r2/5", "2/5 + cos(r2)/6", "r2/7"))
"""Row α: 𝒦_α on the fixed basis."""
METRIC = (("2 + r2**2/5", "r1/6"), ("r1/6", "3/2 + sin(r1)/7"))
CONSTRAINT = ("1/3 + r1*r2/4", "sin(r1)/2 + r2/3")
"""𝒜^U_α: ξ^U + 𝒜^U_α ṙ^α = 0, in the turning basis."""
POTENTIAL = "r1**2*r2/3 + cos(r2)/2"
FREE = (("1/4 + r2/6", "r1/3", "cos(r1)/5"), ("r1*r2/7", "1/5 + sin(r2)/4", "r2/6 + 1/8"))
"""Row α: a connection of no particular kind, for §2.5, in the turning basis."""


@lru_cache
def _functions() -> dict[str, Callable[[Array], Array]]:
    """The tables as functions of a possibly complex shape."""
    tables = {"basis": BASIS, "inertia": INERTIA, "mixed": MIXED, "metric": METRIC, "free": FREE}
    tables |= {"constraint": (CONSTRAINT,), "potential": ((POTENTIAL,),)}
    return {name: analytic(rows, SHAPE) for name, rows in tables.items()}


def table(name: str, r: Array) -> Array:
    """One of the tables at a shape, real where the shape is."""
    return _functions()[name](r)


def _system(constrained: bool) -> Any:
    from nonholo.model.system import System

    xi = ("thetadot", "(xdot*cos(theta) + ydot*sin(theta))", "(ydot*cos(theta) - xdot*sin(theta))")
    rdot = ("r1dot", "r2dot")
    terms = [f"({METRIC[i][j]})*{rdot[i]}*{rdot[j]}/2" for i in range(2) for j in range(2)]
    terms += [f"({MIXED[i][j]})*{rdot[i]}*{xi[j]}" for i in range(2) for j in range(3)]
    terms += [f"({INERTIA[i][j]})*{xi[i]}*{xi[j]}/2" for i in range(3) for j in range(3)]
    lagrangian = " + ".join(terms) + f" - ({POTENTIAL})"
    # ξ = ξ'^a e_a: the third component in the turning basis is the determinant with ξ in the place of e_3, over det e
    cofactors = [_minor(0, 1, 1, 2), f"-({_minor(0, 1, 0, 2)})", _minor(0, 1, 0, 1)]
    third = " + ".join(f"({c})*{x}" for c, x in zip(cofactors, xi))
    determinant = " + ".join(f"({c})*({b})" for c, b in zip(cofactors, BASIS[2]))
    row = f"{third} + ({determinant})*(({CONSTRAINT[0]})*r1dot + ({CONSTRAINT[1]})*r2dot)"
    return System(
        name="bundle", coordinates="r1 r2 theta x y", lagrangian=lagrangian, constraints=[row] if constrained else []
    )


def _minor(i: int, j: int, k: int, l: int) -> str:
    return f"(({BASIS[i][k]})*({BASIS[j][l]}) - ({BASIS[i][l]})*({BASIS[j][k]}))"


@lru_cache
def states(constrained: bool) -> tuple[Moving, ...]:
    """Generic states with their rates by the multiplier witness."""
    return tuple(moving_system(_system(constrained), {}, 3, 5))


def body(s: Any) -> Array:
    """ξ in the turning basis."""
    c, d = np.cos(s.theta), np.sin(s.theta)
    fixed = np.array([s.thetadot, s.xdot * c + s.ydot * d, s.ydot * c - s.xdot * d])
    return np.linalg.solve(table("basis", shape(s)).T, fixed)


def shape(s: Any) -> Array:
    """r."""
    return np.array([s.r1, s.r2])


def shape_rate(s: Any) -> Array:
    """ṙ."""
    return np.array([s.r1dot, s.r2dot])


def inertia(r: Array) -> Array:
    """ℐ in the turning basis."""
    e = table("basis", r)
    return e @ table("inertia", r) @ e.T


def mixed(r: Array) -> Array:
    """𝒦[α, a] in the turning basis."""
    return table("mixed", r) @ table("basis", r).T


def nonholonomic(r: Array) -> Array:
    """𝒜[α, a]: the U part from the constraint, the S part by orthogonality within D (Definition 4.2)."""
    i, k, u = inertia(r), mixed(r), table("constraint", r)
    across = u.T  # [α, U]
    along = np.linalg.solve(i[S, S], (k[:, S] - across @ i[U, S]).T).T
    return np.concatenate([along, across], axis=1)


def mechanical(r: Array) -> Array:
    """𝒜[α, a] of Definition 2.4: the horizontal space is orthogonal to the orbit."""
    return np.linalg.solve(inertia(r), mixed(r).T).T


def any_connection(r: Array) -> Array:
    """𝒜[α, a] of no particular kind."""
    return table("free", r)


def tensors(r: Array, connection: Callable[[Array], Array]) -> SimpleNamespace:
    """A, C, γ, ℰ and the bracket coefficients of (2.12) from the fields, at a real shape."""
    e = table("basis", r)
    back = np.linalg.inv(e)
    a = connection(r)
    c = np.einsum("ai,bj,ijk,kc->abc", e, e, ALGEBRA, back)
    gamma = np.einsum("bka,kc->bca", slope(lambda z: table("basis", z), r), back)  # ∂e_b/∂r^α = γ^c_bα e_c
    da = slope(connection, r)  # [α, c, β] = ∂A^c_α/∂r^β
    curl = np.einsum("acb->cab", da) - np.einsum("bca->cab", da)
    turned = np.einsum("bcx,ab->cax", gamma, a)  # γ^c_bβ A^b_α
    gammas = turned - np.einsum("cab->cba", turned)
    square = np.einsum("abc,xa,yb->cxy", c, a, a)
    # [u_α, u_b]: the fields are e_b(r) as left-invariant fields and −A^a_α e_a(r); in the fixed basis
    mixed_bracket = np.einsum("bka->bka", slope(lambda z: table("basis", z), r))
    lifted = -a @ e
    across = np.einsum("bka->abk", mixed_bracket) + np.einsum("ai,bj,ijk->abk", lifted, e, ALGEBRA)
    dlift = slope(lambda z: -connection(z) @ table("basis", z), r)  # [β, k, α]
    both = np.einsum("bka->abk", dlift) - np.einsum("akb->abk", dlift)
    both = both + np.einsum("ai,bj,ijk->abk", lifted, lifted, ALGEBRA)
    return SimpleNamespace(
        e=e,
        back=back,
        A=a,
        C=c,
        gamma=gamma,
        curl=curl,
        gammas=gammas,
        square=square,
        B=curl + square,
        E=np.einsum("bca->cab", gamma) - np.einsum("abc,xa->cxb", c, a),  # ℰ^c_αb
        horizontal=np.einsum("abk,kc->cab", both, back),  # [u_α, u_β]^c
        crossed=np.einsum("abk,kc->cab", across, back),  # [u_α, u_b]^c
        I=inertia(r),
        K=mixed(r),
        G=table("metric", r),
    )
