"""Types of expressions, polynomials and arrays."""

from __future__ import annotations

from typing import Any, TypeAlias

from nonholo.program.array_types import Array as Numbers
from nonholo.program.expression_type import Expr, NumericQuantity, Quantity, Scalar, Symbol, is_expression

Poly: TypeAlias = Any
"""A polynomial of ours, or an element of one of SymPy's rings, which have no types that a checker could read."""

__all__ = ["Expr", "Numbers", "NumericQuantity", "Poly", "Quantity", "Scalar", "Symbol", "is_expression"]
