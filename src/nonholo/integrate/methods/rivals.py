"""Methods of the literature beside ours, by their schemes: one step is written in a file of `nonholo.compile.schemes`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nonholo.errors import StateError
from nonholo.integrate.methods.base import positive, register
from nonholo.integrate.methods.variational import Implicit


@dataclass(frozen=True)
class _Rival(Implicit):
    """A step, and nothing to choose."""

    step: float
    compensated: bool = False
    max_steps: int = 1_000_000_000

    def __post_init__(self) -> None:
        positive(self, "step", self.step)
        positive(self, "max_steps", self.max_steps, endless=True)


@register
@dataclass(frozen=True)
class GNI(_Rival):
    """The geometric nonholonomic integrator of Ferraro, Iglesias and Martín de Diego (2008), see
    `nonholo.compile.schemes.gni`."""

    name: ClassVar[str] = "gni"
    principle: ClassVar[str] = "gni"
    properties: ClassVar[tuple[str, ...]] = ("implicit", "constant step", "reflection of momenta at the nodes")


@register
@dataclass(frozen=True)
class Leapfrog(_Rival):
    """The reversible method of McLachlan and Perlmutter (2006), see `nonholo.compile.schemes.gni`."""

    name: ClassVar[str] = "leapfrog"
    principle: ClassVar[str] = "leapfrog"
    properties: ClassVar[tuple[str, ...]] = ("constant step", "reflection of momenta at the nodes")


@dataclass(frozen=True)
class _Newmark(_Rival):
    """A step and Newmark's γ; β = (γ + 1/2)²/4."""

    gamma: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (isinstance(self.gamma, (int, float)) and 0 <= self.gamma <= 1):
            raise StateError(f"method {self.name}: gamma = {self.gamma!r} where a number from 0 to 1 is needed; 0.5 is best.")

    @property
    def tau(self) -> float:
        """γ stands where other schemes have their place."""
        return float(self.gamma)


@register
@dataclass(frozen=True)
class Newmark(_Newmark):
    """Newmark's method for velocity constraints, see `nonholo.compile.schemes.newmark`."""

    name: ClassVar[str] = "newmark"
    principle: ClassVar[str] = "newmark"
    properties: ClassVar[tuple[str, ...]] = ("implicit", "constant step")


@register
@dataclass(frozen=True)
class NewmarkSymmetric(_Newmark):
    """Half a step of Newmark's adjoint method, half a step of the method, see `nonholo.compile.schemes.newmark`."""

    name: ClassVar[str] = "newmark_symmetric"
    principle: ClassVar[str] = "newmark_symmetric"
    properties: ClassVar[tuple[str, ...]] = ("implicit", "symmetric", "constant step")


@register
@dataclass(frozen=True)
class MidpointProjected(_Rival):
    """The implicit midpoint rule with multipliers and a projection, see `nonholo.compile.schemes.midpoint`."""

    name: ClassVar[str] = "midpoint_projected"
    principle: ClassVar[str] = "midpoint_projected"
    properties: ClassVar[tuple[str, ...]] = ("implicit", "constant step", "projection")


@register
@dataclass(frozen=True)
class Gauss2(_Rival):
    """The implicit midpoint rule on the equations in the adapted frame, see `nonholo.compile.schemes.gauss`."""

    name: ClassVar[str] = "gauss2"
    principle: ClassVar[str] = "gauss2"
    properties: ClassVar[tuple[str, ...]] = ("implicit", "symmetric", "constant step")


@register
@dataclass(frozen=True)
class Gauss4(_Rival):
    """Gauss and Legendre's two nodes on the equations in the adapted frame, order 4, see `nonholo.compile.schemes.gauss`."""

    name: ClassVar[str] = "gauss4"
    order: ClassVar[int] = 4
    principle: ClassVar[str] = "gauss4"
    properties: ClassVar[tuple[str, ...]] = ("implicit", "symmetric", "constant step")
