"""Which directions of the declared symmetry the brackets of a control system reach."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nonholo.algebra.expression_types import Expr
from nonholo.control.reachability import control_statements as told
from nonholo.control.reachability.bracket_tests import AtState
from nonholo.control.reachability.control_affine import ControlAffine
from nonholo.control.reachability.control_statements import Where
from nonholo.control.reachability.field_jets import FieldJets
from nonholo.control.reachability.generic_accessibility import Generic, evidence, exactly
from nonholo.finding import Finding
from nonholo.finding.sentences import Verdict
from nonholo.finding.statements import Measured, Reason
from nonholo.geometry.distributions.lie_words import Growth, LieWords, Span
from nonholo.notation.read import expression


def generators(control: ControlAffine) -> Mapping[str, tuple[Expr, ...]]:
    """The declared symmetry's fields on the coordinates."""
    system = control.system
    if system.symmetry is None:
        return {}
    known = (*system.coordinates, *system.parameters)
    found = {}
    for name, table in system.symmetry.generators.items():
        found[name] = tuple(expression(table.get(str(c), "0"), known, f"symmetry {name}") for c in control.coordinates)
    return found


def fibre_finding(control: ControlAffine, generic: Generic, local: AtState) -> Finding | None:
    """Whether the brackets' velocities hold all directions of the declared group. [Kelly and Murray 1995]

    At a given state where they do not, longer brackets might; where they do not at almost every state, they do at none.
    """
    fields = generators(control)
    if not fields or generic.growth is None or generic.words is None:
        return None
    names = tuple(fields)
    reached, _ = _reached(control, fields, generic.words, generic.growth)
    fact = "rank of brackets modulo a prime"
    why = evidence(control, generic.words, Where.GENERIC, fact, control.by_speeds)
    if reached < len(names):
        verdict: Verdict = "fails" if generic.growth.complete else "unknown"
        return Finding(told.FibreControllable(Where.GENERIC, names, reached), verdict, None, why)
    if local.where is not Where.STATE or local.words is None or local.growth is None:
        return Finding(told.FibreControllable(Where.GENERIC, names, reached), "holds", None, why)
    reached, exact = _reached(control, fields, local.words, local.growth)
    if reached < len(names):
        reason = Reason("longer brackets were not taken")
        return Finding(told.FibreControllable(Where.STATE, names, reached), "unknown", None, reason)
    why = exactly(local.words, fact) if exact else Measured("rank of brackets in floating numbers")
    return Finding(told.FibreControllable(Where.STATE, names, reached), "holds", None, why)


def _reached(
    control: ControlAffine, fields: Mapping[str, tuple[Expr, ...]], words: LieWords, growth: Growth
) -> tuple[int, bool]:
    """The dimension of the group's directions that lie in the span of the brackets, and whether that is exact."""
    if not isinstance(words.jets, FieldJets):
        return 0, False
    size, place = len(control.coordinates), words.jets.place
    span = Span(size, words.p)
    span.add([words.value(w)[:size] for w in growth.basis])
    numbers = [[place.value(e.xreplace(place.shifts)) for e in field] for field in fields.values()]
    before = span.size
    span.add([np.array(row, dtype=words.fields.dtype) for row in numbers])
    return len(numbers) - (span.size - before), words.jets.exact
