"""The local connection as vector fields over shape space, and its curvature as height functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.control.gaits.horizontal_lift import horizontal_lift
from nonholo.errors import StateError
from nonholo.model.scalars import finite, number_array, whole
from nonholo.model.system import System, check_system

if TYPE_CHECKING:
    import xarray as xr

POINTS = 41


def connection(
    s: System, over: Mapping[str, Any], *, parameters: Mapping[str, Any] | None = None, points: int = POINTS
) -> xr.Dataset:
    """The local connection on a grid of shapes: ``ẋ = Σ connection(x, r) ṙ`` at the group's identity, momentum zero.

    ``over`` names the shape variables with their ranges; the others are the group's (at 0). Variables ``x`` … over
    (shape…, direction): the velocity of each for a unit rate of the shape variable ``direction``.

    >>> import nonholo as nh
    >>> board = nh.gallery.get("snakeboard")
    >>> fields = nh.control.connection(board.system, {"psi": (-1, 1), "phi": (0.2, 1)}, parameters=board.parameters, points=3)
    >>> fields["theta"].dims
    ('psi', 'phi', 'direction')
    """
    return _table(s, over, parameters, points, False)


def height(
    s: System, over: Mapping[str, Any], *, parameters: Mapping[str, Any] | None = None, points: int = POINTS
) -> xr.Dataset:
    """The curvature of the connection on a grid of shapes: displacement per area of a small loop, at the group's identity.

    Variables over (shape…, pair): ``[h_a, h_b]`` with the horizontal lifts h of the two shape variables of the ``pair``; a loop
    counts positive that goes from the first to the second.
    """
    return _table(s, over, parameters, points, True)


def _table(s: System, over: Mapping[str, Any], parameters: Any, points: int, curved: bool) -> xr.Dataset:
    import xarray as xr

    check_system(s)
    if not isinstance(over, Mapping) or not over:
        raise StateError(f'{s.name}: give the shape variables with their ranges: over={{"phi": (-1, 1)}}.')
    if curved and len(over) < 2:
        raise StateError(f"{s.name}: curvature needs two shape variables or more; found {', '.join(over)}.")
    axes = {str(n): _axis(s, str(n), e, points) for n, e in over.items()}
    lift = horizontal_lift(s, tuple(axes), parameters)
    shape = tuple(len(a) for a in axes.values())
    pairs = list(combinations(range(len(axes)), 2))
    found = np.empty((*shape, len(lift.coordinates), len(pairs) if curved else len(axes)))
    for place in product(*map(range, shape)):
        q = lift.identity.copy()
        for name, axis, k in zip(axes, axes.values(), place):
            q[lift.coordinates.index(name)] = axis[k]
        found[place] = lift.curvature(q)[tuple(zip(*pairs))].T if curved else lift.at(q)
    names = tuple(axes)
    last = ("pair", [f"{names[a]}, {names[b]}" for a, b in pairs]) if curved else ("direction", list(names))
    variables = {c: ((*names, last[0]), found[..., lift.coordinates.index(c), :]) for c in lift.others}
    return xr.Dataset(variables, {**axes, last[0]: last[1]}, {"system": s.name})


def _axis(s: System, name: str, given: Any, points: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    if isinstance(given, tuple) and len(given) == 2:
        low, high = (finite(e, f"{s.name}: range of {name}") for e in given)
        return np.linspace(low, high, whole(points, f"{s.name}: points"))
    if isinstance(given, (Sequence, np.ndarray)) and not isinstance(given, str):
        return number_array(given, f"{s.name}: values of {name}").ravel()
    raise StateError(f"{s.name}: {name} = {given!r} where a range (low, high) or a list of values is needed.")
