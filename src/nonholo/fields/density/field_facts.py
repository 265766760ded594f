"""What the motion of a field keeps, as findings: energy, momenta of unknowns that do not occur, constraints."""

from __future__ import annotations

import numpy as np

from nonholo.algebra.calculus import ZERO, expand, symbol, symbols
from nonholo.fields.density.field_record import FieldRecord
from nonholo.fields.density.field_words import FieldWords
from nonholo.fields.density.jets import jet
from nonholo.fields.integration_tools import Trajectory
from nonholo.finding import Finding, bounded

BOUND = 1e-6


def facts(field: FieldRecord, run: Trajectory) -> tuple[Finding, ...]:
    """Findings on a motion: each says what should hold for this density and by how much the motion misses it."""
    w = field.words
    found = []
    if conserves_energy(w):
        found.append(bounded("energy is conserved", float(run.drift("energy")), BOUND, f"{field.nodes} nodes"))
    for unknown in w.unknowns:
        if conserves_momentum(w, unknown):
            values = np.asarray(run[f"momentum_{unknown}"])
            size = max(1.0, float(np.max(np.abs(values))))
            claim = f"the momentum of {unknown} is conserved"
            found.append(
                bounded(claim, float(np.ptp(values)) / size, BOUND, f"{unknown} occurs by its derivatives alone")
            )
    if "constraint_residual" in run.quantities:
        worst = float(np.max(np.asarray(run["constraint_residual"])))
        found.append(bounded("the constraints hold", worst, BOUND, "largest residual at the times asked for"))
    return tuple(found)


def conserves_energy(w: FieldWords) -> bool:
    """Whether nothing does work: no force, input, explicit time, affine constraint or moving end."""
    time = symbol("t")
    formulas = (w.density, *w.constraints, *w.holonomic, *w.velocity.values(), w.start.lagrangian, w.end.lagrangian)
    if w.forces or any(e.free_symbols & {time, *symbols(w.inputs)} for e in formulas):
        return False
    rest = dict.fromkeys([jet(c, k) for c in w.components for k in (0, 1)], ZERO)
    bound = (*w.constraints, *w.start.constraints, *w.end.constraints)
    if any(expand(c.xreplace(rest)) != ZERO or time in c.free_symbols for c in bound):
        return False
    return not any(right.free_symbols & {time} for end in (w.start, w.end) for _, right in end.prescribed)


def conserves_momentum(w: FieldWords, unknown: str) -> bool:
    """Whether a shift of the unknown changes nothing and is allowed: Noether's theorem with free ends."""
    formulas = [w.density, *w.holonomic, w.start.lagrangian, w.end.lagrangian, *(e for row in w.psi for e in row)]
    bound = w.constraints or w.start.constraints or w.end.constraints
    if any(jet(unknown, 0) in e.free_symbols for e in formulas) or bound or w.forces:
        return False
    for end in (w.start, w.end):
        if unknown in end.held or any(left == jet(unknown, 0) for left, _ in end.prescribed):
            return False
    return True
