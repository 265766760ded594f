"""Which SymEngine object a Python wrapper stands for: shared parts are told apart from equal copies without comparing them.

SymEngine shares the parts of expressions, but compares two equal copies as trees: along a chain of N links that takes time
exponential in N. The wrapper of an expression holds one pointer behind Python's own head; equal pointers of living
objects mean the same object.
"""

from __future__ import annotations

from ctypes import c_size_t

import symengine as se

from nonholo.program.expression_type import Expr

PLACE = se.Basic.__basicsize__ - 8
"""Where the pointer stands in a wrapper: the last word of the base class."""


def address(e: Expr) -> int:
    """The address of the object behind a wrapper; unique while the wrapper lives.

    >>> x, y = se.symbols("x y")
    >>> whole, copy = se.sin(x * y + 1), se.cos(x * y + 1)
    >>> address(whole.args[0]) == address(whole.args[0]), address(whole.args[0]) == address(copy.args[0])
    (True, False)
    """
    return c_size_t.from_address(id(e) + PLACE).value


def _readable() -> bool:
    """Whether wrappers are built as they are believed to be: a head of Python's, then the pointer."""
    if se.Basic.__basicsize__ != object.__basicsize__ + 8:
        return False
    x, y = se.symbols("x y")
    whole, other = se.sin(x * y + 1), se.sin(x * y + 1)
    first, second = whole.args[0], whole.args[0]
    third = other.args[0]
    return first is not second and address(first) == address(second) and address(first) != address(third) and first == third


READABLE = _readable()
"""Where a build of SymEngine's wrappers is another one, expressions are compared by value."""
