"""Contact oscillators in 2n + 1 dimensions: the constraint ẋ + Σ y_i ż_i = 0 and a potential."""

from __future__ import annotations

from typing import Any

from nonholo.model.system import System


def contact(name: str, pairs: int, more: str, start: dict[str, float], **words: Any) -> System:
    """Unit masses in the potential ``(|q|² + more)/2``. [McLachlan and Perlmutter, J. Nonlinear Science 16 (2006) 283]"""
    ys, zs = ([f"{letter}{k}" if pairs > 1 else letter for k in range(1, pairs + 1)] for letter in "yz")
    names = ["x", *ys, *zs]
    kinetic = " + ".join(f"{n}dot**2" for n in names)
    square = " + ".join(f"{n}**2" for n in names)
    return System(
        name,
        coordinates=" ".join(names),
        lagrangian=f"({kinetic})/2 - ({square}{more})/2",
        constraints=["xdot + " + " + ".join(f"{y}*{z}dot" for y, z in zip(ys, zs))],
        start=start,
        **words,
    )
