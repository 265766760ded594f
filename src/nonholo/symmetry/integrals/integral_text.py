"""First integrals in one line of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import symengine as se

from nonholo.algebra.calculus import atoms, larger_than, nodes, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.model.rotation_axes import axes_of
from nonholo.model.system import System
from nonholo.model.system_notation import system_notation
from nonholo.notation.shortening.shorten import shortened
from nonholo.notation.write import to_text
from nonholo.symmetry.integrals.gauge.momentum_candidates import SpecialMomentum
from nonholo.symmetry.integrals.polynomial_integrals import Polynomial

ROUNDS = 6
SHORTER = 0.3
"""Units of work for making an integral shorter by what makes a matrix a rotation."""


def text_of(system: System, expression: Any, kind: str = "a momentum", limit: int = 320) -> str:
    """An integral in a line, with names for its constants, or a description of it when it is longer."""
    if hasattr(expression, "many"):
        return str(expression) if not isinstance(expression, SpecialMomentum) else "a momentum with special functions"
    if larger_than([expression], 2 * limit):  # its text is longer still
        return kind
    short, constants = with_constants(se.sympify(expression), system.coordinates)
    shown = to_text(short)
    if short.free_symbols & {symbol(n) for axis in axes_of(system) for n in axis.entries}:
        (by_rotations,), _ = shortened([short], SHORTER, system_notation(system))  # R Rᵀ = 1
        shown = min(shown, to_text(by_rotations), key=len)
    if len(shown) > limit:
        return kind
    where = ", ".join(f"{name}**2 = {to_text(square)}" for name, square in constants)
    return f"{shown} (with {where})" if where else shown


def angles_joined(expression: Expr) -> Expr:
    """``(cos α + 1)(cos α − 1) = −sin² α`` and the like, which factors of polynomials do not know.

    >>> al, x = symbols(["al", "x"])
    >>> angles_joined(x * se.sin(al) ** 2 / ((se.cos(al) + 1) * (se.cos(al) - 1)) + 3)
    3 - x
    """
    for _ in range(ROUNDS):
        table: dict[Expr, Expr] = {}
        for product in atoms([expression], se.Mul):
            powers = dict(p.args if isinstance(p, se.Pow) else (p, se.Integer(1)) for p in product.args)
            for f in {f for base in powers if base.is_Add for f in base.args if isinstance(f, (se.sin, se.cos))}:
                above, below = powers.get(f + 1), powers.get(f - 1)
                if above is not None and above == below:
                    other = se.cos(f.args[0]) if isinstance(f, se.sin) else se.sin(f.args[0])
                    table[product] = product / ((f + 1) * (f - 1)) ** above * (-(other**2)) ** above
        if not table:
            break
        expression = expression.xreplace(table)
    return expression


def with_constants(expression: Expr, coordinates: Sequence[str]) -> tuple[Expr, list[tuple[str, Expr]]]:
    """The expression with ``k`` for the roots of parameters that multiply a coordinate in sines and exponents.

    >>> a, t, m, J = se.symbols("a theta m J")
    >>> with_constants(se.cos(a * t * se.sqrt(m / J)) * m, ["theta"])[1]
    [('k', a**2*m/J)]
    """
    moving = set(symbols(coordinates))
    every = nodes([expression])
    inside = [f.args[0] for f in every if isinstance(f, (se.sin, se.cos))]
    inside += [f.args[1] for f in every if isinstance(f, se.Pow) and not f.args[1].is_Number]
    names = iter([n for n in ("k", "kappa", "k_1", "k_2") if symbol(n) not in expression.free_symbols])
    found: dict[Expr, str] = {}
    table: dict[Expr, Expr] = {}
    for inner in sorted(set(inside), key=str):
        parts = list(inner.args) if isinstance(inner, se.Mul) else [inner]
        still = se.Mul(*(f for f in parts if not f.free_symbols & moving and not f.is_Number))
        rest = se.Mul(*(f for f in parts if f.free_symbols & moving or f.is_Number))
        if not any(_is_root(f) for f in (still.args if isinstance(still, se.Mul) else [still])):
            continue
        if still not in found:
            name = next(names, None)
            if name is None:
                break
            found[still] = name
        table[inner] = symbol(found[still]) * rest
    constants = [(name, factor**2) for factor, name in found.items()]
    for factor, name in found.items():
        whole = factor.args if isinstance(factor, se.Mul) else (factor,)
        (root, *_), rest = [f for f in whole if _is_root(f)], [f for f in whole if not _is_root(f)]
        if len(whole) - len(rest) == 1:
            table |= {root: symbol(name) / se.Mul(*rest), 1 / root: se.Mul(*rest) / symbol(name)}
    return expression.xreplace(table), constants


def _is_root(factor: Expr) -> bool:
    return isinstance(factor, se.Pow) and factor.args[1].is_Number and not factor.args[1].is_Integer


def method_of(one: Polynomial) -> str:
    """How a polynomial integral was found."""
    if one.moving:
        return "moving energy E − ⟨p, Y⟩, by a null space [Fassò and Sansonetto 2015; García-Naranjo 2020]"
    kind = {0: "function of the configuration", 1: "momentum with simple coefficients", 2: "quadratic integral"}
    return f"{kind.get(one.degree, f'integral of degree {one.degree}')}, by a null space"


def noun_of(one: Polynomial) -> str:
    """What to call a polynomial integral that is too long to be written out in a line."""
    if one.moving:
        return "a moving energy"
    return {0: "a function of the configuration", 1: "a momentum", 2: "a quadratic integral"}.get(
        one.degree, f"an integral of degree {one.degree}"
    )
