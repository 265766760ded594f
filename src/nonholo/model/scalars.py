"""Numbers as users give them: of any numeric type, as text without names, or approximate start values (``"~0.8"``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

from nonholo.errors import ParseError, StateError
from nonholo.notation.read import expression

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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


def positive(value: Any, where: str) -> float:
    """A finite number above zero."""
    number = finite(value, where)
    if number <= 0:
        raise StateError(f"{where} = {number:g} where a number above 0 is needed.")
    return number


def whole(value: Any, where: str, least: int = 1) -> int:
    """A whole number, at least ``least``.

    >>> whole(4.0, "cycles")
    4
    """
    number = finite(value, where)
    if number != int(number) or number < least:
        raise StateError(f"{where} = {number:g} where a whole number, at least {least}, is needed.")
    return int(number)


def number_array(given: Any, where: str) -> NDArray[np.float64]:
    """Numbers in an array of any shape."""
    import numpy as np

    try:
        return np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"{where}: {repr(given)[:60]} where numbers are needed.") from None


def name_list(given: Any, where: str, example: str) -> list[Any]:
    """Names or texts: a list, the keys of a table, or one text with spaces or commas between names."""
    if isinstance(given, str):
        return given.replace(",", " ").split()
    if not isinstance(given, (Iterable, Mapping)):
        raise StateError(f"{where}: {repr(given)[:60]} where a list is needed, e.g. {example}.")
    return list(given)


MARK = "~"


class Guess(float):
    """A coordinate that is to be found near this number; a velocity that is zero where the constraints leave it free.

    >>> guessed("~0.8", float), guessed(0.5, float)
    (~0.8, 0.5)
    """

    def __repr__(self) -> str:
        return f"{MARK}{float(self)!r}"

    def __reduce__(self) -> tuple[type[Guess], tuple[float]]:
        return Guess, (float(self),)


def guessed(value: Any, read: Callable[[Any], float]) -> float:
    """A number, or a guess where text begins with ``~``."""
    if isinstance(value, str) and value.startswith(MARK):
        return Guess(read(value[len(MARK) :]))
    return value if isinstance(value, Guess) else read(value)


def written_start(start: Mapping[str, float]) -> dict[str, Any]:
    """A start as it is written in files: guesses are text."""
    return {n: repr(e) if isinstance(e, Guess) else e for n, e in start.items()}
