"""The record every derivation returns: equations of motion as a pair (M, F), with methods to evaluate and print them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nonholo.derive.mass_and_force import MassAndForce

if TYPE_CHECKING:
    from nonholo.derive.appell_steps import NineSteps


@dataclass(frozen=True, repr=False)
class Equations(MassAndForce):
    """Equations of motion ``ẋ = kinematics(x, z, t)``, ``mass · (ż, unknowns) = force``.

    ``coordinates`` are ``x``, ``speeds`` are ``z`` (quasi-velocities, rates or momenta), ``unknowns`` are
    solved together with ``ż`` but are not part of the state (Lagrange multipliers). Every expression is in the
    symbols of ``coordinates``, ``speeds``, ``time``, ``inputs`` and ``parameters``.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> eqs = nh.hamel(sleigh.system)
    >>> eqs.state
    ('theta', 'x', 'y', 'omega', 'v')
    >>> rates = eqs.rates({**dict.fromkeys(eqs.state, 0.0), "omega": 1.0, "v": 2.0}, {"m": 1, "J": 1, "a": 1})
    >>> rates["v"]
    1.0
    """

    def rates(self, state: Mapping[str, Any], parameters: Mapping[str, Any] | None = None) -> dict[str, float]:
        """The time derivative of every named quantity: ``rates["x"]`` is ẋ, ``rates["xdot"]`` is ẍ, ``rates["omega"]`` is ω̇.

        ``state`` names at least the state variables, or enough other velocities of the system to find them; it
        also holds ``t`` (0 unless given) and the inputs.
        """
        from nonholo.derive.states.equation_values import rates

        return rates(self, state, parameters)

    @property
    def steps(self) -> NineSteps:
        """The nine steps of Benenti's method as a worked sheet, for the Gibbs–Appell form [Benenti 2008 §3].

        >>> import nonholo as nh
        >>> sheet = nh.gibbs_appell(nh.gallery.get("chaplygin-sleigh").system).steps
        >>> sheet.gram
        ((J + a**2*m, 0), (0, m))
        """
        from nonholo.derive.appell_steps import nine_steps

        return nine_steps(self)

    def latex(self, budget: float = 5.0) -> str:
        """The equations as LaTeX, as a person would write them; ``budget`` units of work (about a second each) go into
        shortening them."""
        from nonholo.derive.display.equation_layout import latex

        return latex(self, budget)

    def __str__(self) -> str:
        from nonholo.derive.display.equation_text import text

        return text(self)

    def __repr__(self) -> str:
        return f"<Equations of {self.name} ({self.origin}) in {', '.join(self.state)}; print them to read them>"

    def _repr_pretty_(self, page: Any, cycle: bool) -> None:
        page.text(str(self))

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"
