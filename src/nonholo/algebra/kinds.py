"""The names for expressions, as every room below knows them."""

from __future__ import annotations

from nonholo.program.kinds import Expr, Symbol

__all__ = ["Expr", "Symbol"]
