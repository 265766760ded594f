"""Units of named quantities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import ModelError, meant

NEAR = 0.85
"""A name this like one of the system's own is taken for a slip."""


def read_units(given: Mapping[str, str], known: Iterable[str], where: str) -> FrozenMap[str, str]:
    """Units as text by name; a name that is nearly one of the system's own is refused, any other may be watched later.

    >>> read_units({"theta": "rad", "lift": "N"}, ["theta", "thetadot"], "kite")
    {'theta': 'rad', 'lift': 'N'}
    >>> read_units({"thetadt": "rad/s"}, ["theta", "thetadot"], "kite")
    Traceback (most recent call last):
    nonholo.errors.ModelError: kite: units: it has no name 'thetadt'; did you mean 'thetadot'? \
The unit of a quantity of your own is given where it is watched: simulate(…, watch=…, units=…).
    """
    names = [*map(str, known), "energy", "t"]
    for name in map(str, given):
        question = "" if name in names else meant(name, names, likeness=NEAR)
        if question:
            raise ModelError(
                f"{where}: units: it has no name {name!r}; {question} The unit of a quantity of your own is "
                "given where it is watched: simulate(…, watch=…, units=…)."
            )
    return FrozenMap({str(k): str(v) for k, v in given.items()})
