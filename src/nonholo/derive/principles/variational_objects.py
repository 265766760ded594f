"""The terms of Hamel's equations apart: ``∂l/∂v``, ``u[l]``, ``[v, ∂l/∂v]*`` and the forces [BMZ 2009 (2.5)]."""

from __future__ import annotations

from dataclasses import dataclass

from nonholo.algebra.calculus import gradient, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.derive.hamel import force_terms, in_frame, lagrangian_in_frame
from nonholo.geometry.frames.brackets import shorten
from nonholo.geometry.frames.frame import Frame
from nonholo.model.system import System, check_system
from nonholo.notation.write import to_text


@dataclass(frozen=True, repr=False)
class HamelTerms:
    """``d/dt ∂l/∂v = [v, ∂l/∂v]* + u[l] + Q`` (2.5), each side by the velocities of the frame."""

    system: System
    lagrangian: Expr
    """``l(x, v)``."""
    momenta: FrozenMap[str, Expr]
    """``∂l/∂v^j``."""
    slopes: FrozenMap[str, Expr]
    """``u_j[l]``: derivatives along the fields of the frame, velocities held."""
    dual: FrozenMap[str, Expr]
    """``([v, ∂l/∂v]*)_j = c_ij^m v^i ∂l/∂v^m``."""
    forces: FrozenMap[str, Expr]
    """``Q_j``."""

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        lines = []
        for v in self.momenta:
            right = [("[v, dl/dv]*", self.dual[v]), ("u[l]", self.slopes[v]), ("Q", self.forces[v])]
            shown = "; ".join(f"{n} = {to_text(e)}" for n, e in right if e != 0)
            lines.append(f"{v}: dl/dv = {to_text(self.momenta[v])}" + (f"; {shown}" if shown else ""))
        return "\n".join(lines)


def hamel_terms(system: System, frame: Frame | None = None) -> HamelTerms:
    """The objects of the variational principle on a system, in its own frame or another one.

    >>> body = System(frame=Frame(coordinates="", velocities="a b", anchor=[], brackets={("a", "b"): "b"}), parameters="k",
    ...     lagrangian="(a**2 + k*b**2)/2")
    >>> print(hamel_terms(body))
    a: dl/dv = a; [v, dl/dv]* = -b**2*k
    b: dl/dv = b*k; [v, dl/dv]* = a*b*k
    """
    check_system(system)
    own = system if frame is None else in_frame(system, frame)
    l = lagrangian_in_frame(own)
    terms = force_terms(own)

    def table(parts: tuple[Expr, ...]) -> FrozenMap[str, Expr]:
        return FrozenMap(dict(zip(own.velocities, (shorten(e) for e in parts))))

    momenta = gradient(l, symbols(own.velocities))
    return HamelTerms(own, l, table(momenta), table(terms["slope"]), table(terms["brackets"]), table(terms["applied"]))
