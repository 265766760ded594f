"""Units by name: for names of a system, and for quantities that a user watches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from nonholo.algebra.frozen import FrozenMap
from nonholo.errors import ModelError

NEAR = 0.85
"""A name this like one of the system's own, in the measure of `difflib`, is taken for a slip."""


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
        near = [] if name in names else get_close_matches(name[:60], names, 1, NEAR)
        if near:
            raise ModelError(
                f"{where}: units: it has no name {name!r}; did you mean {near[0]!r}? The unit of a quantity of your own is "
                "given where it is watched: simulate(…, watch=…, units=…)."
            )
    return FrozenMap({str(k): str(v) for k, v in given.items()})
