"""The gait of a page: a window of shape space in which readers draw loops, and the loop that is known to be best."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import ModelError, meant
from nonholo.notation.parse import parse

Number = Callable[[Any, str], float]
WORDS = ("over", "quantity", "loop")


@dataclass(frozen=True)
class GaitWindow:
    """Ranges of one or two shape variables, the quantity to move, and perhaps a loop: texts in t with the period 2π.

    >>> GaitWindow({"a1": (0.0, 1.0), "a2": (0.0, 1.0)}).quantity
    'x'
    """

    over: Mapping[str, tuple[float, float]]
    quantity: str = "x"
    loop: Mapping[str, str] = field(default_factory=FrozenMap)


def gait_window(given: Any, known: Sequence[str], where: str, number: Number) -> GaitWindow | None:
    """What a file says under ``[page.gait]``; None where it says nothing.

    >>> gait_window({"over": {}}, ("x", "a1"), "page: gait", lambda e, where: float(e))
    Traceback (most recent call last):
    ...
    nonholo.errors.ModelError: page: gait: over needs one or two shape variables with ranges, e.g. over = {a1 = [0, 1]}.
    """
    if given is None or isinstance(given, GaitWindow):
        return given
    if not isinstance(given, Mapping):
        raise ModelError(f"{where}: found {type(given).__name__} where a table was needed: [page.gait].")
    for word in given:
        if word not in WORDS:
            raise ModelError(f"{where}: unknown keyword {word!r}; {meant(str(word), WORDS, f'the keywords are {WORDS}.')}")
    over, loop = given.get("over", {}), given.get("loop", {})
    ranges = list(over.values()) if isinstance(over, Mapping) else []
    if len(ranges) not in (1, 2) or not all(isinstance(e, Sequence) and len(e) == 2 for e in ranges):
        raise ModelError(f"{where}: over needs one or two shape variables with ranges, e.g. over = {{a1 = [0, 1]}}.")
    quantity = str(given.get("quantity", "x"))
    if not isinstance(loop, Mapping) or (loop and set(loop) != set(over)):
        raise ModelError(f"{where}: loop needs a text in t for each of {' and '.join(map(str, over))}.")
    for name in (*over, quantity):
        if name not in known:
            raise ModelError(f"{where}: no quantity is called {name!r}; {meant(str(name), known, f'the names are {known}.')}")
    for name, text in loop.items():
        parse(str(text), ("t",), f"{where}: loop of {name}")
    spans = {str(n): (number(e[0], f"{where}: {n}"), number(e[1], f"{where}: {n}")) for n, e in over.items()}
    return GaitWindow(FrozenMap(spans), quantity, FrozenMap({str(n): str(e) for n, e in loop.items()}))


def gait_table(window: GaitWindow) -> dict[str, Any]:
    """The same as plain data, for a file."""
    made: dict[str, Any] = {"over": {n: list(e) for n, e in window.over.items()}, "quantity": window.quantity}
    return {**made, **({"loop": dict(window.loop)} if window.loop else {})}
