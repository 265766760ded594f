"""Numbers as users give them: of any numeric type, or as text without names."""

from __future__ import annotations

from math import isfinite
from typing import Any

from nonholo.errors import ParseError, StateError
from nonholo.notation.read import expression


def finite(value: Any, where: str) -> float:
    """The number, or a StateError when it is none or not finite; True and bytes are none, though Python reads them as such.

    >>> finite("pi/6", "start theta") == finite(0.5235987755982988, "start theta")
    True
    """
    try:
        number = float("none" if isinstance(value, (bool, bytes, bytearray)) else value)
    except (TypeError, ValueError, OverflowError):
        number = _evaluated(value, where)
    if not isfinite(number):
        raise StateError(f"{where} is {number}; a finite number is needed.")
    return number


def _evaluated(value: Any, where: str) -> float:
    """Text without names, such as ``"2*pi/3"``, as a number."""
    try:
        if isinstance(value, str):
            return float(expression(value, (), where).n())
    except (ParseError, OverflowError, RuntimeError, TypeError, ValueError):
        hint = '; write 0.5 or "pi/6", in SI units and radians.'
        raise StateError(f"{where}: {repr(value)[:60]} is not a number{hint}") from None
    raise StateError(f"{where}: {repr(value)[:60]} is not a number.")
