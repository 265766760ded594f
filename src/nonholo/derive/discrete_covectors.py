"""Momenta, forces and virtual directions as functions of (x, z), for discrete variational principles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from nonholo.algebra.calculus import ONE, ZERO, along, gradient, substitute, symbols
from nonholo.algebra.linear_equations import dot, transpose
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import assemble, force_terms, lagrangian_in_frame
from nonholo.derive.mass_and_force import Covectors
from nonholo.derive.multipliers import bordered, multipliers
from nonholo.errors import ModelError
from nonholo.model.system import TIME, System
from nonholo.model.velocities.admissible import Admissible, admissible, constraint_rows


def covectors(system: System, allowed: Admissible, equations: Equations, principle: str, method: str = "") -> Covectors:
    """The covectors of a discrete principle, for a method that is named in refusals.

    ``hamel``: the momenta ``p_α = W^j_α ∂l/∂v^j`` of the adapted frame and their rates ``F_α`` along the motion, which are
    ``u_α[l] + [ξ, p]*_α + Q_α`` [Zenkov 2016 (5.11)]. ``dlagrange_dalembert``: ``∂L/∂q̇``, ``∂L/∂q + Q`` in the
    coordinates and a basis of D [Cortés and Martínez 2001; Zenkov 2016 §5.3].
    """
    _refuse(system, allowed, principle, method or principle)
    v = symbols(system.velocities)
    on_shell = dict(zip(v, allowed.velocity))
    momenta = substitute(gradient(lagrangian_in_frame(system), v), on_shell)
    if principle == "dlagrange_dalembert":
        terms = force_terms(system)
        pushes = [a + b for a, b in zip(terms["slope"], terms["applied"])]
        return Covectors(principle, momenta, substitute(pushes, on_shell), allowed.basis)
    own = tuple(dot(column, momenta) for column in transpose(allowed.basis))
    motion = {**dict(zip(equations.coordinates, equations.kinematics)), TIME: ONE}
    carried = along(own, motion)
    return Covectors(principle, own, tuple(f + c for f, c in zip(equations.force, carried)), ())


def node_equations(system: System, method: str = "rattle") -> Equations:
    """The multiplier form with the covectors of RATTLE: ``∂L/∂q̇``, ``∂L/∂q + Q`` and the constraints, for all rates.

    [Andersen 1983; Marsden and West 2001, section 3.5; for velocity constraints McLachlan and Perlmutter 2006]
    """
    _refuse_frame(system, method)
    rows = constraint_rows(system)
    if not rows.linear or system.parametric is not None:
        raise ModelError(_bent(system, method))
    terms = force_terms(system)
    pushes = tuple(a + b for a, b in zip(terms["slope"], terms["applied"]))
    momenta = gradient(lagrangian_in_frame(system), symbols(system.velocities))
    return replace(multipliers(system), covectors=Covectors("rattle", momenta, pushes, (), rows.residuals, whole=True))


def bent(system: System) -> bool:
    """Whether the admissible velocities are not linear or affine in their parameters."""
    if system.parametric is None:
        return not constraint_rows(system).linear
    allowed = admissible(system)
    return any(e.free_symbols & set(allowed.speeds) for row in allowed.basis for e in row)


def chetaev_equations(system: System, method: str = "hamel") -> Equations:
    """The form with multipliers in the system's own frame, with ``∂l/∂v``, what changes it, and the constraints.

    For velocities by parameters Hamel's form with a basis ``∂V/∂z`` of Chetaev's virtual velocities.
    """
    terms = force_terms(system)
    pushes = tuple(sum(parts, ZERO) for parts in zip(terms["brackets"], terms["slope"], terms["applied"]))
    momenta = gradient(lagrangian_in_frame(system), symbols(system.velocities))
    if system.parametric is None:
        found = Covectors("chetaev", momenta, pushes, (), constraint_rows(system).residuals, whole=True)
        return replace(bordered(system), covectors=found)
    allowed = admissible(system)
    on_shell = dict(zip(symbols(system.velocities), allowed.velocity))
    found = Covectors("chetaev", substitute(momenta, on_shell), substitute(pushes, on_shell), allowed.basis)
    return replace(assemble(system, allowed, "hamel"), covectors=found, system=system)


AT_NODES: dict[str, Callable[[System, str], Equations]] = {"rattle": node_equations, "chetaev": chetaev_equations}
"""Principles that take all rates at the nodes, in no adapted frame: a system to its equations with their covectors."""


def _refuse(system: System, allowed: Admissible, principle: str, method: str) -> None:
    speeds = set(allowed.speeds)
    bent = not allowed.explicit or any(e.free_symbols & speeds for row in allowed.basis for e in row)
    if bent:
        raise ModelError(_bent(system, method))
    if principle == "dlagrange_dalembert":
        _refuse_frame(system, method)


def _bent(system: System, principle: str) -> str:
    return (
        f"{system.name}: method {principle} is for constraints that are linear (or affine) in the velocities; choose "
        'method="hamel", "energy_exact", "gauss4" or "dop853".'
    )


def _refuse_frame(system: System, principle: str) -> None:
    if not system.frame.plain:
        raise ModelError(
            f"{system.name}: method {principle} joins two configurations by a straight line, so it needs plain "
            'coordinates, as many as velocities; choose method="hamel" for rotation matrices and other frames.'
        )
