"""The criterion for invariant measures of Euler–Poincaré–Suslov systems: T, K and γ of BMZ 2009 (5.5), (5.6)."""

from __future__ import annotations

from dataclasses import dataclass

from nonholo.algebra.calculus import ZERO, gradient, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import DependentRows, Matrix, dot, identity, multiply, solve, transpose
from nonholo.derive.hamel import lagrangian_in_frame, symmetric_jacobian
from nonholo.errors import ModelError
from nonholo.finding import Density, Exact, Finding, Measure, for_almost_all
from nonholo.geometry.frames.brackets import shorten, structure_functions
from nonholo.geometry.groups.adjoint import trace_form
from nonholo.model.specialise import specialised
from nonholo.model.system import System, check_system
from nonholo.model.velocities.admissible import constraint_rows, samples_of
from nonholo.notation.write import to_text

THEOREM = "Theorem 5.2 of BMZ 2009"


@dataclass(frozen=True)
class SuslovCriterion:
    """``K_st ad*_{I⁻¹ a^s} a^t + T = γ_s a^s``: a density exists if and only if some γ do [Kozlov 1988; Jovanović 1998].

    For one constraint this is (5.5), ``K ad*_{I⁻¹a} a + T = γ a``. ``residual`` is what is left along the admissible directions.
    """

    forms: Matrix
    """``a^s`` by rows."""
    inertia: Matrix
    factor: Matrix
    """``K``, the inverse of ``⟨a^s, I⁻¹ a^t⟩``; for one constraint the number K of (5.5)."""
    trace: tuple[Expr, ...]
    """``T_B = C_BC^C``."""
    left: tuple[Expr, ...]
    """The left side of (5.6)."""
    gamma: tuple[Expr, ...]
    """``γ_s``, from pairing with ``I⁻¹ a``."""
    residual: tuple[Expr, ...]
    """The left side less ``γ_s a^s``."""
    holds: Finding

    def __str__(self) -> str:
        lines = [f"T = ({', '.join(to_text(e) for e in self.trace)})"]
        if self.forms:
            lines += [f"K = {to_text(self.factor[0][0])}" if len(self.factor) == 1 else "K of several constraints"]
            lines += [f"gamma{s + 1} = {to_text(e)}" for s, e in enumerate(self.gamma)]
        return "\n".join([*lines, str(self.holds)])


def suslov_criterion(system: System) -> SuslovCriterion:
    """The criterion of a quadratic Lagrangian on a Lie algebra with constant linear constraints, none of them, or several.

    >>> from nonholo.geometry.groups.lie_algebra import LieAlgebra
    >>> book = System(frame=LieAlgebra({("e1", "e2"): "e2"}), lagrangian="(e1**2 + e2**2)/2")
    >>> suslov_criterion(book).holds.verdict
    'fails'
    """
    check_system(system)
    system = specialised(system, system.values)
    v = symbols(system.velocities)
    l = lagrangian_in_frame(system)
    rows = constraint_rows(system) if system.parametric is None else None
    metric = symmetric_jacobian(gradient(l, v), v)
    moving = {*v, *symbols(system.coordinates), symbol("t"), *symbols(system.inputs)}
    forms = () if rows is None else tuple(tuple(row) for row in rows.slopes)
    steady = not any(e.free_symbols & moving for row in (*metric, *forms) for e in row)
    forced = any(e != 0 for e in system.forces.values()) or bool(l.free_symbols & {symbol("t"), *symbols(system.inputs)})
    if system.coordinates or rows is None or not rows.linear or not steady or any(e != 0 for e in rows.sides) or forced:
        raise ModelError(
            f"{system.name}: (5.5) is about a quadratic Lagrangian on a Lie algebra with constant linear constraints and without "
            "forces; give frame=nh.LieAlgebra(…), or ask nh.measure."
        )
    places = samples_of(system)
    trace = trace_form(system.frame)
    left: tuple[Expr, ...] = trace  # without constraints
    gamma: tuple[Expr, ...] = ()
    factor: Matrix = ()
    if forms:
        try:
            duals = transpose(solve(metric, transpose(forms), places))
            factor = solve(multiply(forms, transpose(duals)), identity(len(forms)), places)
        except DependentRows:
            raise ModelError(f"{system.name}: the inertia is singular, or a constraint depends on the others.") from None
        total = list(trace)
        for s, b in enumerate(duals):
            for t, a in enumerate(forms):
                for (i, j, m), c in structure_functions(system.frame).items():
                    total[j] += factor[s][t] * c * b[i] * a[m]
                    total[i] -= factor[s][t] * c * b[j] * a[m]
        left = tuple(shorten(e) for e in total)
        gamma = tuple(shorten(dot(row, [dot(left, b) for b in duals])) for row in factor)
    residual = tuple(shorten(e - sum((g * a[k] for g, a in zip(gamma, forms)), ZERO)) for k, e in enumerate(left))
    return SuslovCriterion(forms, metric, factor, trace, left, gamma, residual, _finding(residual))


def _finding(residual: tuple[Expr, ...]) -> Finding:
    import sympy

    left = [sympy.simplify(sympy.sympify(e)) for e in residual]
    data = Measure(Density.SMOOTH)
    if all(e == 0 for e in left):
        return Finding(data, "holds", None, Exact("(5.6) holds"), method=THEOREM)
    if any(e != 0 and not e.free_symbols for e in left):
        return Finding(data, "fails", None, Exact("(5.6) fails: the divergence of the momentum flow is not zero"), method=THEOREM)
    shown = ", ".join(str(e) for e in left if e != 0)
    found = Finding(data, "fails", None, Exact(f"it exists only where {shown} vanish"), method=THEOREM)
    return for_almost_all(found, sorted({str(s) for e in left for s in e.free_symbols}))
