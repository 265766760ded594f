"""Methods whose step is a scheme (`nonholo.compile.schemes`), solved by Newton's method: ours and those of the literature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from nonholo.errors import StateError
from nonholo.integrate.loops.implicit.cubic_extension import DENSE_ROWS
from nonholo.integrate.loops.implicit.newton_step import SAMPLES, STAGES, loop
from nonholo.integrate.methods.method_record import MOST_EQUAL_STEPS, Loop, Method, positive, register


@dataclass(frozen=True)
class Implicit(Method):
    """Equal steps of a scheme; ``compensated`` adds what rounding loses in one step to the next."""

    step: float
    compensated: bool = False
    max_steps: int = MOST_EQUAL_STEPS

    order: ClassVar[int] = 2
    dense_order: ClassVar[int] = 3
    adaptive: ClassVar[bool] = False
    properties: ClassVar[tuple[str, ...]] = ("implicit", "constant step", "discrete Lagrange–d'Alembert principle")
    stages: ClassVar[int] = STAGES
    dense_rows: ClassVar[int] = DENSE_ROWS
    samples: ClassVar[int] = SAMPLES
    loop: ClassVar[Loop] = loop

    def __post_init__(self) -> None:
        positive(self, "step", self.step)
        positive(self, "max_steps", self.max_steps, endless=True)


def within(method: Method, option: str, value: Any) -> None:
    """Refuse an option that is not a number from 0 to 1."""
    if isinstance(value, bool) or not (isinstance(value, (int, float)) and 0 <= value <= 1):
        raise StateError(f"method {method.name}: {option} = {value!r} where a number from 0 to 1 is needed; 0.5 is best.")


def by_scheme(name: str, about: str, *properties: str, order: int = 2, kind: type[Implicit] = Implicit) -> type[Implicit]:
    """The method whose step is the scheme of the same name, known by that name from now on.

    >>> by_scheme.__module__
    'nonholo.integrate.methods.scheme_methods'
    """
    words = {
        "__doc__": about,
        "__module__": __name__,
        "name": name,
        "principle": name,
        "order": order,
        "properties": (*properties, "constant step"),
    }
    made = type("".join(part.capitalize() for part in name.split("_")), (kind,), words)
    globals()[made.__name__] = made  # so that it can be pickled
    return register(made)


SUZUKI = 1.0 / (4.0 - 4.0 ** (1.0 / 3.0))
"""Five parts (s, s, 1 − 4s, s, s) of a symmetric method of order 2 make one of order 4. [Suzuki, Physics Letters A 146
(1990) 319]"""


@register
@dataclass(frozen=True)
class EnergyExact(Implicit):
    """The mean-value discrete gradient in the adapted frame: energy and constraints to rounding, symmetric, order 2.

    The equations are in `nonholo.compile.schemes.discrete_gradient`, those for nonlinear constraints in
    `nonholo.compile.schemes.chetaev`. The step counts the work of forces as the motion does. ``compensated`` carries the
    rounding error of one step to the next.

    >>> EnergyExact(step=0.01).order
    2
    """

    compensated: bool = True

    name: ClassVar[str] = "energy_exact"
    principle: ClassVar[str] = "energy_exact"
    properties: ClassVar[tuple[str, ...]] = ("implicit", "symmetric", "constant step", "keeps the energy")


@register
@dataclass(frozen=True)
class EnergyExact4(EnergyExact):
    """`EnergyExact` in five parts of a step, of which the middle goes back: order 4, symmetric, energy to rounding.

    >>> round(sum(part for part, _ in EnergyExact4.composition), 15)
    1.0
    """

    name: ClassVar[str] = "energy_exact4"
    order: ClassVar[int] = 4
    composition: ClassVar[tuple[tuple[float, float], ...]] = tuple(
        (part, 0.5) for part in (SUZUKI, SUZUKI, 1.0 - 4.0 * SUZUKI, SUZUKI, SUZUKI)
    )


@dataclass(frozen=True)
class WithGamma(Implicit):
    """A step and Newmark's γ; β = (γ + 1/2)²/4."""

    gamma: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        within(self, "gamma", self.gamma)

    @property
    def tau(self) -> float:
        """γ takes the place of τ."""
        return float(self.gamma)


by_scheme(
    "gni",
    "The geometric nonholonomic integrator of Ferraro, Iglesias and Martín de Diego (2008), see `nonholo.compile.schemes.gni`.",
    "implicit", "reflection of momenta at the nodes",
)  # fmt: skip
by_scheme(
    "leapfrog",
    "The reversible method of McLachlan and Perlmutter (2006), see `nonholo.compile.schemes.gni`.",
    "reflection of momenta at the nodes",
)
by_scheme(
    "newmark",
    "Newmark's method for velocity constraints, see `nonholo.compile.schemes.newmark`.",
    "implicit", kind=WithGamma,
)  # fmt: skip
by_scheme(
    "newmark_symmetric",
    "Half a step of Newmark's adjoint method, half a step of the method, see `nonholo.compile.schemes.newmark`.",
    "implicit", "symmetric", kind=WithGamma,
)  # fmt: skip
by_scheme(
    "midpoint_projected",
    "The implicit midpoint rule with multipliers and a projection, see `nonholo.compile.schemes.gauss`.",
    "implicit", "projection",
)  # fmt: skip
by_scheme(
    "gauss2",
    "The implicit midpoint rule on the equations in the adapted frame, see `nonholo.compile.schemes.gauss`.",
    "implicit", "symmetric",
)  # fmt: skip
by_scheme(
    "gauss4",
    "Gauss and Legendre's two nodes on the equations in the adapted frame, order 4, see `nonholo.compile.schemes.gauss`.",
    "implicit", "symmetric", order=4,
)  # fmt: skip
by_scheme(
    "rattle",
    """RATTLE: the Lagrangian at both ends of a step, constraints satisfied at the ends by their reactions.

    See `nonholo.compile.schemes.discrete_principles`. In plain coordinates. Quadratic relations of the coordinates (lengths)
    hold to rounding by the method itself; for systems with relations alone it is symplectic.
    """,
    "implicit", "symmetric", "constraints at the nodes",
)  # fmt: skip
