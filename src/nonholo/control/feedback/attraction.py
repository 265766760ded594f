"""The region from which a controlled system returns to a state, estimated by many motions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.errors import StateError
from nonholo.integrate.motion.simulate import simulate
from nonholo.model.scalars import finite, whole
from nonholo.model.system import System, check_system, named

COUNT = 200
NEAR = 1e-2
"""A motion that ends this part of the box around the state has returned."""


@dataclass(frozen=True, eq=False)
class Attraction:
    """Starts in a box and which of them returned. Made by `region_of_attraction`."""

    names: tuple[str, ...]
    starts: NDArray[np.float64]
    returned: NDArray[np.bool_]
    radius: float
    """Of the largest ball, in units of the box, in which all starts returned: an estimate, not a proof."""

    def __str__(self) -> str:
        back = f"{int(np.sum(self.returned))} of {len(self.returned)} starts in the box of {', '.join(self.names)} returned"
        return f"{back} ({100 * self.fraction:.0f} ± {100 * self.error:.0f} %); all within {self.radius:.3g} of its half widths"

    @property
    def fraction(self) -> float:
        return float(np.mean(self.returned))

    @property
    def error(self) -> float:
        """One standard deviation of the fraction."""
        return float(np.sqrt(self.fraction * (1 - self.fraction) / len(self.returned)))


def region_of_attraction(
    system: System,
    about: Mapping[str, Any],
    inputs: Any,
    box: Mapping[str, float],
    until: float,
    *,
    parameters: Mapping[str, Any] | None = None,
    count: int = COUNT,
    seed: int = 0,
) -> Attraction:
    """Start at random in a box (half widths by name) around a state, and see which motions end near it again.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", lagrangian="qdot**2/2 + cos(q)", forces={"q": "-qdot"})
    >>> found = nh.control.region_of_attraction(swing, {"q": 0}, None, {"q": 5.0}, until=40.0, count=60)
    >>> bool(abs(found.fraction - np.pi / 5) < 3 * found.error)
    True
    """
    check_system(system)
    centre = {n: finite(e, f"attraction: {n}") for n, e in named(about, "attraction: about", '{"q": 0}').items()}
    widths = {n: finite(e, f"attraction: box {n}") for n, e in named(box, "attraction: box", '{"q": 0.5}').items()}
    count, seed = whole(count, "attraction: count"), whole(seed, "attraction: seed", 0)
    if not widths or any(w <= 0 for w in widths.values()):
        raise StateError(f"{system.name}: attraction: a box of positive half widths is needed, e.g. box={{'q': 0.5}}.")
    names = tuple(widths)
    units = np.random.default_rng(seed).uniform(-1.0, 1.0, (count, len(names)))
    middle = np.array([centre.get(n, 0.0) for n in names])
    size = np.array([widths[n] for n in names])
    starts = middle + units * size
    returned = np.zeros(count, dtype=bool)
    for k, row in enumerate(starts):
        run = simulate(system, {**centre, **dict(zip(names, row.tolist()))}, until, parameters, inputs=inputs, t_eval="end")
        end = np.array([run.final[n] for n in names])
        returned[k] = run.outcome.reached and bool(np.all(np.abs(end - middle) < NEAR * size))
    lengths = np.linalg.norm(units, axis=1)
    lost = lengths[~returned]
    return Attraction(names, starts, returned, float(np.min(lost)) if len(lost) else float(np.max(lengths)))
