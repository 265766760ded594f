"""Symmetry and leaves: directions of a group that brackets reach, and functions that no input changes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nonholo.algebra.calculus import symbols
from nonholo.algebra.expression_types import Expr
from nonholo.analyse.constraints.classify_constraints import classify
from nonholo.control.reachability import control_statements as told
from nonholo.control.reachability.bracket_tests import AtState
from nonholo.control.reachability.control_affine import ControlAffine
from nonholo.control.reachability.control_statements import Where
from nonholo.control.reachability.field_jets import FieldJets
from nonholo.control.reachability.generic_accessibility import Generic, is_exact
from nonholo.control.reachability.lie_words import Growth, LieWords, Span
from nonholo.errors import NonholoError
from nonholo.finding import Finding
from nonholo.finding.evidence_kinds import Evidence, Exact, Measured, Reason
from nonholo.finding.sentences import Verdict
from nonholo.geometry.distributions.distribution import Distribution, annihilator
from nonholo.geometry.frames.frame import rate
from nonholo.model.system import System
from nonholo.notation.read import expression
from nonholo.notation.write import to_text


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
    reached, exact = _reached(control, fields, generic.words, generic.growth)
    why: Evidence = Exact("rank of brackets modulo a prime") if exact else Measured("rank of brackets")
    if reached < len(names):
        verdict: Verdict = "fails" if generic.growth.complete else "unknown"
        return Finding(told.FibreControllable(Where.GENERIC, names, reached), verdict, None, why)
    if local.where is not Where.STATE or local.words is None or local.growth is None:
        return Finding(told.FibreControllable(Where.GENERIC, names, reached), "holds", None, why)
    reached, exact = _reached(control, fields, local.words, local.growth)
    if reached < len(names):
        reason = Reason("longer brackets were not taken")
        return Finding(told.FibreControllable(Where.STATE, names, reached), "unknown", None, reason)
    why = why if exact else Measured("rank of brackets in floating numbers")
    return Finding(told.FibreControllable(Where.STATE, names, reached), "holds", None, why)


def _reached(
    control: ControlAffine, fields: Mapping[str, tuple[Expr, ...]], words: LieWords, growth: Growth
) -> tuple[int, bool]:
    """How many of the group's directions lie in the span of the brackets, and whether that is exact."""
    if not isinstance(words.jets, FieldJets):
        return 0, False
    size, place = len(control.coordinates), words.jets.place
    span = Span(size, words.p)
    span.add([words.value(w)[:size] for w in growth.basis])
    numbers = [[place.value(e.xreplace(place.shifts)) for e in field] for field in fields.values()]
    return sum(np.array(row, dtype=words.fields.dtype) in span for row in numbers), words.jets.exact


def leaves_finding(control: ControlAffine, generic: Generic, local: AtState) -> Finding | None:
    """What confines a system whose brackets do not span."""
    if generic.accessible is not False or generic.growth is None:
        return None
    missing = generic.dimension - generic.growth.rank
    functions = tuple(to_text(f) for f in _functions(control))[:missing]
    inside = True if control.driftless or any(isinstance(f.data, told.InsideLeaf) for f in local.findings) else None
    data = told.Leaves(missing, functions, inside)
    fact = "the brackets close (Frobenius, Nagano)"
    exact = generic.words is not None and is_exact(generic.words)
    return Finding(data, "holds", None, Exact(fact) if exact else Measured(fact))


def nonintegrability_finding(control: ControlAffine, generic: Generic) -> Finding | None:
    """That nonintegrable fields do not suffice, where they do not."""
    if not control.driftless or generic.accessible is not False or generic.growth is None:
        return None
    rank, reached = generic.growth.dimensions[0], generic.growth.rank
    if reached == rank:
        return None
    data = told.NonintegrabilitySuffices(rank, reached, generic.dimension)
    exact = generic.words is not None and is_exact(generic.words)
    fact = "rank of brackets modulo a prime; Chow needs all dimensions"
    return Finding(data, "fails", None, Exact(fact) if exact else Measured(fact))


def _functions(control: ControlAffine) -> tuple[Expr, ...]:
    """Functions of the configuration that the velocities leave constant, where they are found in closed form."""
    system = control.system
    try:
        if control.by_speeds or control.reading == "dynamic":
            return classify(system).integrals
        if not control.driftless:
            return ()
        fields = [tuple(k) for k in control.kinematics[1:]]
        rows = annihilator(Distribution(system.frame, fields=fields, parameters=system.parameters))
        rates = symbols(rate(n) for n in system.coordinates)
        residuals = [sum((a * r for a, r in zip(row, rates)), rates[0] * 0) for row in rows]
        energy = sum((r**2 for r in rates), rates[0] * 0)
        plain = System(
            name=system.name, coordinates=" ".join(system.coordinates), parameters=" ".join(system.parameters),
            lagrangian=energy, constraints=residuals,
        )  # fmt: skip
        return classify(plain).integrals
    except NonholoError:
        return ()


