"""Momentum frames: bases of S whose momenta have no term linear in the rate of the shape, and bases that are conserved."""

from __future__ import annotations

from nonholo.algebra.budget import within
from nonholo.algebra.calculus import substitute, symbol
from nonholo.algebra.linear_equations import dot
from nonholo.errors import NonholoError
from nonholo.finding import Finding
from nonholo.symmetry.integrals.gauge.function_field import FunctionField, Unsupported
from nonholo.symmetry.integrals.gauge.gauge_basis import Variable
from nonholo.symmetry.integrals.gauge.momentum_candidates import Candidate, in_speeds_of, readable, shortened
from nonholo.symmetry.integrals.gauge.prolongation import GaugeOde
from nonholo.symmetry.integrals.momentum_rates import Momenta
from nonholo.symmetry.integrals.noether import in_speeds
from nonholo.symmetry.integrals.ode.closed_form import applied
from nonholo.symmetry.integrals.ode.closed_solutions import closed_solutions, exponential
from nonholo.symmetry.quadrature.adjoint_equation import flatness
from nonholo.symmetry.reduction.momentum.conserving_bases import adjoint_matrices
from nonholo.symmetry.reduction.momentum.parallel_basis import conserved_momenta
from nonholo.symmetry.reduction.reduce import attempted, dimensions
from nonholo.symmetry.reduction.reduction_record import ReductionRecord

PARALLEL = "momentum of a basis of S that is parallel under τ [BMZ 2009, Theorem 4.4]"
WIDE = 200
"""Frames and Wronskians with more letters than this are not written out."""
FEWEST = 2
"""Shape variables for which a parallel basis is sought here; for one it is a gauge momentum."""


def parallel_momenta(found: Momenta) -> list[Candidate]:
    """Momenta of a basis of S that is parallel under τ, for several shape variables; not yet tested."""
    counted = dimensions(found.system)
    if counted is not None and not counted[2]:
        return []
    reduction, _ = attempted(found.system)
    if reduction is None or len(reduction.shape.names) < FEWEST:
        return []
    return [Candidate(readable(found, e), PARALLEL) for e in in_speeds_of(found, conserved_momenta(reduction))]


def momentum_frames(found: Momenta, units: float) -> list[Finding]:
    """Flatness of the symmetry, and the momentum frames where it fails (where it holds, they are the integrals)."""
    reduction, _ = attempted(found.system)
    if reduction is None:
        return []
    try:
        flat = flatness(reduction)
    except NonholoError:
        return []
    findings = [f for f, fields in zip(flat, (reduction.bases.S, reduction.bases.H)) if fields]
    if all(flat) or reduction.frame.horizontal != 1 or len(reduction.shape.names) != 1:
        return findings
    return findings + (within(units, lambda: _frames(found, reduction)) or [])


def frame_ode(found: Momenta, reduction: ReductionRecord) -> GaugeOde | None:
    """``η' = −η τ(r)`` for ``η ∈ S`` with ``d⟨p, η⟩/dt`` free of terms ``p ṙ`` [BMZ 2009 (4.12); MacDonnell 1997 (7.7)]."""
    (name,), (function,) = reduction.shape.names, reduction.shape.functions
    tau = adjoint_matrices(reduction.frame)[0]
    try:
        field = FunctionField(symbol(name), [e for row in tau for e in row])
        matrix = tuple(tuple(field.element(-e) for e in column) for column in zip(*tau))
    except Unsupported:
        return None
    unit = tuple(tuple(field.one if i == j else field.zero for j in range(len(tau))) for i in range(len(tau)))
    fields = tuple(in_speeds(found.system, f) for f in reduction.bases.S)
    return GaugeOde(found, Variable(symbol(name), function, name), fields, False, field, unit, matrix, None, None)


def _frames(found: Momenta, reduction: ReductionRecord) -> list[Finding]:
    ode = frame_ode(found, reduction)
    if ode is None:
        return []
    place = {ode.variable.symbol: ode.variable.expression}
    F = ode.field
    findings = []
    for one in closed_solutions(ode):
        weights = substitute(applied(F, ode.embedding, one, factored=True), place)
        shown = ", ".join(map(str, weights))
        if len(shown) > WIDE:
            continue
        momentum = dot(weights, [dot(field, found.momenta) for field in ode.fields])
        claim = f"the momentum along the frame ({shown}) of S has no term linear in the shape's rate"
        method = f"momentum frame (4.12): {one.method}"
        # no integral: its expression is a value, so that its drift along motions is not tested
        findings.append(Finding(claim, "holds", str(readable(found, momentum)), "its equation", method=method))
    trace = exponential(F, sum((ode.matrix[k][k] for k in range(ode.dimension)), F.zero))
    wronskian = "" if trace is None else str(shortened(substitute([trace], place)[0]))
    if 0 < len(wronskian) <= WIDE:
        claim = f"the Wronskian of the momentum frame is {wronskian} up to a factor"
        findings.append(Finding(claim, "holds", wronskian, "d ln W = −Tr τ (6.15)", method="momentum frame"))
    return findings
