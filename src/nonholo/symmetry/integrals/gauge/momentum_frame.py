"""Frames of S in which the momentum equation has no term ``p ṙ``."""

from __future__ import annotations

from collections.abc import Sequence

from nonholo.algebra.budget import within
from nonholo.algebra.calculus import ZERO, along, substitute
from nonholo.errors import NonholoError
from nonholo.finding import Finding
from nonholo.symmetry.integrals.gauge.function_field import FunctionField, Unsupported
from nonholo.symmetry.integrals.gauge.gauge_basis import slices
from nonholo.symmetry.integrals.gauge.gauge_variable import Variable
from nonholo.symmetry.integrals.gauge.momentum_candidates import readable, shortened
from nonholo.symmetry.integrals.gauge.prolongation import GaugeOde, Undecided, in_fields, prolonged, spans
from nonholo.symmetry.integrals.momentum_rates import Field, Momenta, along_field
from nonholo.symmetry.integrals.noether import in_speeds
from nonholo.symmetry.integrals.ode.closed_form import applied
from nonholo.symmetry.integrals.ode.closed_solutions import closed_solutions, exponential
from nonholo.symmetry.quadrature.adjoint_equation import flatness
from nonholo.symmetry.reduction.budgeted_reduction import is_long
from nonholo.symmetry.reduction.reduce import reduce


def frame_ode(found: Momenta, horizontal: Field, vertical: Sequence[Field], variable: Variable) -> GaugeOde:
    """``η' = N(r) η`` for ``η ∈ S`` with ``d⟨p, η⟩/dt`` free of terms ``p ṙ``: ``dη = −⟨τ, η⟩``, so ``N = −τ``.

    This is equation (4.12) of BMZ 2009 and MacDonnell's (7.7), for one shape variable and invariant fields.
    """
    speed = along([variable.expression], dict(zip(found.coordinates, found.motion)))[0]
    unknowns = [along_field(found, f) for f in vertical]
    columns = [*(speed * p for p, _ in unknowns), *(c for _, c in unknowns)]
    fields = (horizontal, *vertical)
    for curve in slices(found.system, variable):
        if not spans(found, fields, curve, variable):
            continue
        zeta, speeds = in_fields(found, fields, curve)
        here = substitute(substitute(columns, curve), speeds)
        still = dict.fromkeys(zeta, ZERO)
        rows = [list(substitute([e.diff(zeta[0]).diff(z) for e in here], still)) for z in zeta[1:]]
        try:
            field = FunctionField(variable.symbol, [e for row in rows for e in row])
            embedding, matrix = prolonged(field, [[field.element(e) for e in row] for row in rows], len(vertical))
        except Unsupported as problem:
            raise Undecided(f"the coefficients hold {problem}") from None
        return GaugeOde(found, variable, tuple(vertical), False, field, embedding, matrix, None, None)
    raise Undecided(f"no simple curve of configurations along {variable} is known for these coordinates")


def frame_findings(found: Momenta, variables: Sequence[Variable], units: float) -> list[Finding]:
    """Flatness of the symmetry, and the momentum frames where it fails (where it holds, they are the integrals)."""
    system = found.system
    try:
        reduction = None if is_long(system) else within(units, lambda: reduce(system))
        if reduction is None:
            return []
        S, H = reduction.bases.S, reduction.bases.H
        flat = flatness(reduction)
    except NonholoError:
        return []
    findings = [f for f, fields in zip(flat, (S, H)) if fields]
    if all(flat) or len(H) != 1 or len(variables) != 1:
        return findings
    inner = [in_speeds(system, f) for f in (*H, *S)]
    return findings + (within(units, lambda: _frames(found, inner[0], inner[1:], variables[0])) or [])


def _frames(found: Momenta, horizontal: Field, vertical: Sequence[Field], variable: Variable) -> list[Finding]:
    try:
        ode = frame_ode(found, horizontal, vertical, variable)
    except Undecided:
        return []
    name = {variable.symbol: variable.expression}
    F = ode.field
    findings = []
    for one in closed_solutions(ode):
        weights = substitute(applied(F, ode.embedding, one, factored=True), name)
        momentum = sum((w * along_field(found, f)[0] for w, f in zip(weights, vertical)), ZERO)
        claim = (
            f"the momentum along the frame ({', '.join(map(str, weights))}) of S has no term linear in the shape's rate"
        )
        method = f"momentum frame (4.12): {one.method}"
        # no integral: its expression is a value, so that nobody follows it along a motion as one
        findings.append(Finding(claim, "holds", str(readable(found, momentum)), "its equation", method=method))
    trace = exponential(F, sum((ode.matrix[k][k] for k in range(ode.dimension)), F.zero))
    if trace is not None:
        wronskian = shortened(substitute([trace], name)[0])
        claim = f"the Wronskian of the momentum frame is {wronskian} up to a factor"
        findings.append(Finding(claim, "holds", str(wronskian), "d ln W = −Tr τ (6.15)", method="momentum frame"))
    return findings
