"""The one name for an expression; what stands behind it is SymEngine's business."""

from __future__ import annotations

from typing import Any, TypeAlias

Expr: TypeAlias = Any
"""A SymEngine expression. SymEngine has no types that a checker could read."""
Symbol: TypeAlias = Any
"""A SymEngine symbol."""
