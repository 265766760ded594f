"""Two oscillators coupled by a gear whose ratio a pendulum sets: continuously variable transmissions."""

from __future__ import annotations

from nonholo.model.system import System


def transmission(name: str, ratio: str, start: dict[str, float]) -> System:
    """The constraint ẋ = f(ξ) ẏ with a pendulum ξ that feels nothing of the oscillators."""
    return System(
        name,
        coordinates="x y xi",
        lagrangian="(xdot**2 + ydot**2 + xidot**2)/2 - (x**2 + 1.3*y**2)/2 + cos(xi)",
        constraints=[f"xdot - ({ratio})*ydot"],
        start=start,
    )
