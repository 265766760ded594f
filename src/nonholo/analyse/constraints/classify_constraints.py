"""Classify constraints: holonomic, nonholonomic, holonomic in disguise, linear, affine or nonlinear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ONE, ZERO, along, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.high_precision import evaluate_matrix_precisely, evaluate_precisely
from nonholo.algebra.kinks import smooth
from nonholo.algebra.linear_equations import dot
from nonholo.algebra.subspaces import numeric_rank
from nonholo.analyse.constraints.classification import Classification, Kind, cone, spread
from nonholo.errors import ModelError
from nonholo.finding import Finding, Property
from nonholo.geometry.distributions.distribution import (
    Distribution,
    annihilates,
    annihilator,
    frobenius,
    growth_flag,
    redundant,
    span,
    with_time,
)
from nonholo.geometry.distributions.flag import Flag
from nonholo.geometry.distributions.lie_words import flag_dimensions
from nonholo.geometry.foliations.leaves import integrable_forms, leaf_functions
from nonholo.geometry.frames.frame import Frame, onto
from nonholo.model.declared_words import Parametric
from nonholo.model.system import TIME, System, check_system, known_parameters, resolve
from nonholo.model.velocities.admissible import samples_of
from nonholo.model.velocities.constraint_branches import Branch, affine_row, branches
from nonholo.model.velocities.quadratic_constraints import changes_type
from nonholo.notation.write import to_text

Values = Mapping[str, float]
SAMPLES = 16


def special_growth(
    whole: Distribution, flag: Flag, places: Sequence[Values], values: Values, at: Values | None
) -> tuple[list[Finding], tuple[str, ...]]:
    """Findings and remarks on the growth vector at the given parameter values and at a given configuration."""
    findings, remarks = [], []
    used = {str(s) for row in whole.given for e in row for s in e.free_symbols}
    own = {n: x for n, x in values.items() if n in used}
    there = [{**s, **own} for s in places[:3]]
    idle = redundant(whole, there) if own else ()
    if idle or (own and not _spans(flag, there)):
        rows = [row for k, row in enumerate(whole.given) if k not in idle]
        found = growth_flag(Distribution(whole.frame, rows=rows, parameters=whole.parameters), samples=there).dimensions
        if found != flag.dimensions:
            findings.append(Finding("the system's own parameter values are special", "holds", found, "growth vector"))
            remarks.append(f"at the system's own parameter values the growth vector is {found}")
    if at is not None:
        here = growth_flag(whole, {**places[0], **own, **at}).dimensions
        same = here == flag.dimensions
        what = Property("the configuration is generic", "the configuration is special")
        findings.append(Finding(what, "holds" if same else "fails", here, "growth vector"))
        if not same:
            remarks.append(f"at the given configuration it is {here}")
    return findings, tuple(remarks)


def _spans(flag: Flag, places: Sequence[Values]) -> bool:
    """Whether the flag's fields stay independent."""
    numbers = [evaluate_matrix_precisely(flag.fields, s) for s in places] if flag.fields else []
    return all(np.all(np.isfinite(n)) and numeric_rank(n) == len(n) for n in numbers)


@dataclass(frozen=True)
class _Constraint:
    """A residual in ``(x, v, t)``, its name, and the function it is the rate of when it was declared holonomic."""

    residual: Expr
    label: str
    function: Expr | None = None


def classify(system: System, at: Values | None = None) -> Classification:
    """What the constraints are, in a record that prints as a sentence; generic parameters, generic configurations.

    Linear and affine ones by Frobenius' theorem and the growth vector of the admissible velocities (for affine or
    time-dependent ones on configurations and time, with the field ``∂_t + V_0``); nonlinear ones are first taken apart
    [Benenti 2008 §8]. With ``at`` the growth vector at that configuration is computed, too.

    >>> disk = System(coordinates="x y phi theta", parameters="R",
    ...     lagrangian="(xdot**2 + ydot**2 + phidot**2 + thetadot**2)/2",
    ...     constraints=["xdot - R*cos(phi)*thetadot", "ydot - R*sin(phi)*thetadot"])
    >>> print(classify(disk))
    2 nonholonomic constraints, growth vector (2, 3, 4)
    """
    check_system(system)
    if system.parametric is not None:
        return _parametric(system, system.parametric, at)
    given = _constraints(system)
    samples = _samples(system, [c.residual for c in given])
    return _classified(system, given, samples, at)


def _constraints(system: System) -> list[_Constraint]:
    found = []
    motion = {**dict(zip(symbols(system.coordinates), system.frame.rates)), TIME: ONE}
    for i, function in enumerate(system.holonomic):
        function = smooth(function, f"{system.name}: holonomic constraint {i + 1}")
        found.append(_Constraint(along([function], motion)[0], f"holonomic constraint {i + 1}", function))
    residuals = resolve(system, system.constraints, f"{system.name}: constraints")
    return [*found, *(_Constraint(r, f"constraint {i + 1}") for i, r in enumerate(residuals))]


def _generic(system: System, count: int) -> list[dict[str, float]]:
    """Generic states; not the first ones of `samples_of`, which take the system's own parameter values."""
    return samples_of(system, count=count + 1)[1:]


def _samples(system: System, exprs: Sequence[Expr]) -> list[dict[str, float]]:
    """Generic states on the holonomic constraints where the expressions are finite."""
    relations = (*system.frame.relations, *(smooth(h, "holonomic") for h in system.holonomic))
    found = []
    for values in _generic(system, 3 * SAMPLES):
        if system.holonomic:
            point = onto(system.frame, relations, [values[c] for c in system.coordinates], values)
            values = {**values, **dict(zip(system.coordinates, (float(p) for p in point)))}
        if np.all(np.isfinite(evaluate_precisely([*exprs, *relations], values))):
            found.append(values)
        if len(found) == SAMPLES:
            break
    if len(found) < 3:
        raise ModelError(
            f"{system.name}: the constraints are finite numbers at hardly any configuration near home; "
            "look for a division by zero or the root of a negative number."
        )
    return found


def _classified(
    system: System, given: Sequence[_Constraint], samples: Sequence[Values], at: Values | None
) -> Classification:
    v = symbols(system.velocities)
    rows = [affine_row(c.residual, v) for c in given]
    if all(row is not None for row in rows):
        return _linear(system, given, samples, at)
    residuals = tuple(c.residual for c in given)
    leaves, dropped = branches(residuals, v, samples)
    told = dict.fromkeys(r for b in leaves for r in b.reasons)
    reasons = tuple(Finding(r, "holds", evidence="checked with 60 digits at generic states") for r in told)
    if not leaves:
        return Classification(system.name, "impossible", "nonlinear", len(v), 0, residuals, findings=reasons)
    answers = [_classify_branch(system, leaf, given, samples, at) for leaf in leaves]
    if len(answers) > 1:
        return Classification(
            system.name, "branches", "nonlinear", len(v), max(a.rank for a in answers), residuals,
            branches=tuple(answers), findings=reasons,
        )  # fmt: skip
    (answer,), (leaf,) = answers, leaves
    if not leaf.nonlinear:
        answer = replace(answer, linear_equivalents=answer.constraints)
    note = ("another factor admits no velocity",) if dropped else ()
    return replace(answer, findings=(*answer.findings, *reasons), remarks=(*answer.remarks, *note))


def _classify_branch(
    system: System, leaf: Branch, given: Sequence[_Constraint], samples: Sequence[Values], at: Values | None
) -> Classification:
    by_residual = {c.residual: c for c in given}
    linear = [by_residual.get(r) or _Constraint(r, f"{to_text(r)} = 0") for r in leaf.linear]
    answer = _linear(system, linear, samples, at)
    if not leaf.nonlinear or answer.kind == "impossible":
        return answer
    v = symbols(system.velocities)
    residuals = (*leaf.linear, *leaf.nonlinear)
    findings = cone(residuals, v, samples)
    homogeneous = {"holds": True, "fails": False, "unknown": None}[findings[0].verdict]
    fickle = tuple(
        f"{to_text(r)} = 0 admits other kinds of velocities at some configurations than at others"
        for r in leaf.nonlinear
        if changes_type(r, v, samples)
    )
    return replace(
        answer,
        kind="nonlinear",
        form="nonlinear",
        rank=answer.rank - len(leaf.nonlinear),
        constraints=(*answer.constraints, *leaf.nonlinear),
        nonlinear=len(leaf.nonlinear),
        homogeneous=homogeneous,
        growth=(),
        remarks=(*answer.remarks, *fickle),
        findings=(*answer.findings, *findings),
    )


def _linear(
    system: System, given: Sequence[_Constraint], samples: Sequence[Values], at: Values | None
) -> Classification:
    """Linear and affine constraints, by the distribution they define."""
    frame = system.frame
    v = symbols(system.velocities)
    rows = [row for row in (affine_row(c.residual, v) for c in given) if row is not None]
    places = [dict(s) for s in samples[:5]]
    timed = any(row[-1] != 0 or _moves(system, row) for row in rows)
    drifting = any(row[-1] != 0 for row in rows)
    if timed:
        frame = with_time(frame, tuple(system.inputs), tuple(system.parameters))
        places = [{**dict.fromkeys(frame.coordinates, 0.3 + 0.1 * k), **s} for k, s in enumerate(places)]
    else:
        rows = [row[:-1] for row in rows]
    extra = tuple(p for p in system.parameters if p not in frame.parameters)
    whole = Distribution(frame, rows=rows, parameters=extra)
    idle = redundant(whole, places)
    kept = [c for k, c in enumerate(given) if k not in idle]
    whole = Distribution(frame, rows=[row for k, row in enumerate(rows) if k not in idle], parameters=extra)
    size = len(v)
    remarks = tuple(f"{given[k].label} follows from the others" for k in idle)
    form: Any = "none" if not kept else "affine" if drifting else "linear"
    residuals = tuple(c.residual for c in kept)
    answer = Classification(system.name, "unconstrained", form, size, size - len(kept), residuals, remarks=remarks)
    if not kept:
        return answer
    if timed and _stops_time(whole, places):
        return replace(answer, kind="impossible", rank=0)
    return _graded(system, answer, whole, kept, places, at)


def _graded(
    system: System,
    answer: Classification,
    whole: Distribution,
    kept: Sequence[_Constraint],
    places: Sequence[Values],
    at: Values | None,
) -> Classification:
    """Counts by the growth vector: what the brackets never reach is holonomic."""
    flag = growth_flag(whole, samples=places)
    size, first, last = whole.frame.size, flag.dimensions[0], flag.dimensions[-1]
    declared = [c.function for c in kept if c.function is not None]
    if declared:
        flag = _within_leaves(system, whole, flag, size - len(declared))
        first, last = flag.dimensions[0], flag.dimensions[-1]
    nonholonomic = last - first
    disguised = size - last - len(declared) if flag.complete else 0
    leaves: tuple[Any, ...] = ()
    if disguised:
        forms: Any = ()
        if len(flag.fields) == last:
            forms = integrable_forms(annihilator(whole, samples=places), flag.fields[first:], places)
        leaves = leaf_functions(whole, forms, disguised, places, declared)
    kind: Kind = "nonholonomic" if nonholonomic else "holonomic"
    if disguised:
        kind = "partly holonomic" if nonholonomic else "holonomic in disguise"
    findings = [frobenius(whole, places)]
    for leaf in leaves:
        gap = annihilates(whole, leaf.function, places)
        claim = f"{to_text(leaf.function)} is constant along admissible motions"
        reason = "rate beside the gradient at generic configurations"
        findings.append(Finding(claim, "holds", gap, reason, leaf.function, leaf.method))
    own = {n: float(x) for n, x in known_parameters(system).items()}
    special, remark = special_growth(whole, flag, places, own, at)
    return replace(
        answer,
        kind=kind,
        growth=flag.dimensions,
        complete=flag.complete,
        with_time=size > answer.dimension,
        holonomic=len(declared),
        disguised=disguised,
        nonholonomic=nonholonomic,
        integrals=tuple(leaf.function for leaf in leaves),
        remarks=(*answer.remarks, *remark),
        findings=(*findings, *special),
    )


def _within_leaves(system: System, whole: Distribution, flag: Flag, most: int) -> Flag:
    """The flag of a system with holonomic constraints, which brackets never leave.

    At places on the leaf some entries vanish that do not beside it, and brackets of what is left then lose their
    digits; so the dimensions are computed anew at places beside the leaf, exactly. Where that cannot be had, the
    numbers are cut off at the leaf's dimension, and not called complete.
    """
    fields = span(whole, samples=[{**dict.fromkeys(whole.frame.coordinates, 0.4), **s} for s in _generic(system, 3)])
    exact = flag_dimensions(whole.frame, fields, most)
    found = exact[0] if exact is not None and exact[1] else None
    if found == flag.dimensions or (found is None and flag.dimensions[-1] <= most):
        return flag
    if found is not None:
        return Flag(found, (tuple(fields),), True)
    return Flag((*(d for d in flag.dimensions if d < most), most), flag.steps[:1], False)


def _moves(system: System, row: Sequence[Expr]) -> bool:
    moving = {TIME, *symbols(system.inputs)}
    return any(e.free_symbols & moving for e in row)


def _stops_time(whole: Distribution, places: Sequence[Values]) -> bool:
    """Whether the affine constraints contradict each other, so that only ``ṫ = 0`` would satisfy them."""
    clock = tuple(ONE if j == whole.frame.size - 1 else ZERO for j in range(whole.frame.size))
    more = Distribution(whole.frame, rows=[*whole.given, clock], parameters=whole.parameters)
    return len(whole.given) in redundant(more, places)


def _parametric(system: System, parametric: Parametric, at: Values | None) -> Classification:
    """Velocities by parameters, ``v = ψ(x, z)`` [Benenti 2008 (8)]: the constraints are what annihilates them."""
    names, table = parametric
    velocity = tuple(smooth(table[v], f"{system.name}: parametric {v}") for v in system.velocities)
    generic = np.random.default_rng(500).uniform(0.3, 1.3, (SAMPLES, len(names)))
    samples = [{**s, **dict(zip(names, z.tolist()))} for s, z in zip(_generic(system, SAMPLES), generic)]
    found = spread(velocity, symbols(names), samples)
    v = symbols(system.velocities)
    frame = system.frame
    fields: list[tuple[Expr, ...]] = [*found.directions]
    if found.origin is not None:
        frame = with_time(frame, tuple(system.inputs), tuple(system.parameters))
        fields = [*((*f, ZERO) for f in fields), (*found.origin, ONE)]
    extra = tuple(p for p in (*system.parameters, "t", *system.inputs) if p not in (*frame.parameters, *frame.coordinates))
    rows = annihilator(Distribution(frame, fields=fields, parameters=extra), samples=_with_default_places(frame, samples))
    tail = (*v, ONE) if found.origin is not None else v
    given = [_Constraint(dot(row, tail), f"constraint {k + 1}") for k, row in enumerate(rows)]
    answer = _linear(system, given, samples, at)
    if found.filled:
        return replace(answer, linear_equivalents=answer.constraints if found.nonlinear and given else ())
    homogeneous = found.homogeneous
    return replace(
        answer, kind="nonlinear", form="nonlinear", rank=len(names), growth=(), nonlinear=answer.rank - len(names),
        homogeneous=homogeneous.verdict == "holds", findings=(*answer.findings, homogeneous),
    )  # fmt: skip


def _with_default_places(frame: Frame, samples: Sequence[Values]) -> list[dict[str, float]]:
    return [{**dict.fromkeys(frame.coordinates, 0.4), **s} for s in samples[:5]]


__all__ = ["Classification", "classify"]
