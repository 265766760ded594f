"""Methods of the literature beside ours: a name, a sentence, and the scheme that is written in `nonholo.compile.schemes`."""

from __future__ import annotations

from dataclasses import dataclass

from nonholo.integrate.methods.scheme_methods import Implicit, by_scheme, within


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
    "The implicit midpoint rule with multipliers and a projection, see `nonholo.compile.schemes.midpoint`.",
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
