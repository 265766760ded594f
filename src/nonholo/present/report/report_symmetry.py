"""Symmetry in a report: group and shape, momentum equation, reduced equations, conserved quantities, verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from nonholo.algebra.calculus import symbol
from nonholo.algebra.expression_types import is_expression
from nonholo.derive.display.equation_text import equations_notation
from nonholo.finding import Finding, FirstIntegral, is_energy
from nonholo.finding.sentences import headline, lasting_words
from nonholo.finding.statements import Lasting
from nonholo.model.rotation_axes import Axis, system_notation
from nonholo.model.system import System
from nonholo.notation.latex import to_latex
from nonholo.notation.shortening.shorten import shortened
from nonholo.notation.write import latex_name
from nonholo.present.report.integral_drift import ENERGY, IntegralDrift, driven, integral_drifts
from nonholo.present.report.report_equations import (
    abbreviated,
    axes_in,
    axis_formulas,
    distinct_nodes,
    equation,
    layout,
    on_rotations,
    printer,
    system_printer,
)
from nonholo.present.report.report_page import ReportSection, escape, fold, listed, table
from nonholo.present.report.report_sections import details, findings_table, formulas, note, number, verdict_mark
from nonholo.present.report.report_subject import Case
from nonholo.present.style.labels import generator_name
from nonholo.present.style.mathml import mathml
from nonholo.present.style.typeset import typeset
from nonholo.program.hash_consing import is_deep
from nonholo.symmetry.integrals.integral_text import with_constants
from nonholo.symmetry.judgement.verdict import line, status
from nonholo.symmetry.reduction.reduction_record import gathered

LONG = 6000
"""Formulas with more characters are left out."""
SHORTENED, MOMENTUM_NODES = 1000, 2900
"""Momentum equations with more nodes, equal parts counted once, are not shortened, or left out."""
LINES, MANY, PAGES = 12, 40, 25_000
"""More lines of abbreviations are folded, with many also the equation; formulas with more characters are left out."""
SHOWN, LONG_FORMULA, LONGEST = 1500, 400, 300
"""Constants with more characters are not shortened; those longer than this, and long sentences, are described in words."""


@dataclass(frozen=True)
class SymmetryResults:
    """The section on symmetry, and the integrals evaluated along the report's motion."""

    section: ReportSection | None = None
    """None when there is neither a symmetry nor a conserved quantity."""
    kept: tuple[IntegralDrift, ...] = ()
    """The integrals found, with the names they have in the section, along the motion of the report."""
    energy: bool = True
    """False when the energy changes and should."""


def symmetry(case: Case, run: Any, tell: Callable[[str], None]) -> SymmetryResults:
    """The section on symmetry; ``run`` is the motion of the report, or None."""
    tell("integrals")
    found = case.dossier.integrals.value  # first: the reduction that the search makes within its budget serves again below
    tell("symmetry")
    parts, told_of = _reduction(case)
    reduced = bool(parts)
    free = run is not None and not driven(case.inputs)
    values = integral_drifts(case.system, found or (), run) if free else [None] * len(found or ())
    parts += _integrals(case, list(zip(found or (), values)), told_of)
    changing = driven(case.inputs) or any(is_energy(f) and f.verdict == "fails" for f in found or ())
    told = bool(parts) and not (found is not None and not any(found) and not reduced)
    return SymmetryResults(
        ReportSection("symmetry", "Symmetry", "\n".join(parts)) if told else None,
        tuple(one for one in values if one is not None),
        not changing,
    )


def _reduction(case: Case) -> tuple[list[str], list[Axis]]:
    """The reduction, and the axes that are defined after it."""
    declared_section = _section_of_system(case.system)
    found = case.dossier.reduction.value
    if found is None:
        return [], declared_section
    return reduction_parts(case.system, found, declared_section), [*declared_section, *axes_in(case.system, _of_reduction(found))]


def _section_of_system(system: System) -> list[Axis]:
    """The axes that the section on the system has defined."""
    return axes_in(system, [*on_rotations(system, [system.lagrangian, *system.holonomic, *system.constraints])])


def _of_reduction(found: Any) -> list[Any]:
    return [symbol(n) for n in found.shape.names] + list(found.momentum_equation.values())


def reduction_parts(system: System, found: Any, named_axes: Sequence[Axis] = ()) -> list[str]:
    """A reduction as pieces of HTML: group and shape, momentum equation, axes not among ``told``, reduced equations, findings."""
    size = found.group.rank
    dimensions = f"{size} dimension" + ("s" if size != 1 else "")
    words = (
        f"Symmetries: {', '.join(generator_name(n) for n in found.group.names)}. They change neither energy nor "
        f"constraints. The configurations that they make of a given one form its orbit, of {dimensions}. "
    )
    names = [mathml(system_notation(system).name(n)) for n in found.shape.names]
    words += (
        f"What they do not change is the shape, given by {' and '.join(filter(None, (', '.join(names[:-1]), names[-1])))}."
        if names
        else "No shape is left: all configurations are alike."
    )
    parts = [f"<p>{words}</p>"]
    own = [(n, f) for n, f in zip(found.shape.names, found.shape.functions) if n not in system.coordinates]
    plain = system_printer(system)
    if own:
        parts.append(formulas([r for n, f in own for r in equation(latex_name(n), plain(f))]))
    parts += _momentum_equation(system, found)
    axes = axis_formulas(system, _of_reduction(found), named_axes)
    parts += [f'<p class="label">Axes</p>{formulas(axes)}'] if axes else []
    laid = layout(found.equations, 0.0)
    laid = layout(found.equations, 0.3) if laid is not None and laid.size <= 2 * LONG else None  # no work for what is left out
    if laid is not None and laid.size <= LONG and laid.dynamics:
        body = formulas([*laid.kinematics, *laid.dynamics]) + (
            formulas(laid.abbreviations) if laid.abbreviations else ""
        )
        parts.append(fold("Reduced equations", body))
    if found.findings:
        parts.append(fold("Conditions and theorems", findings_table(gathered(found.findings), system)))
    return parts


def _momentum_equation(system: System, found: Any) -> list[str]:
    """The momentum equation; what it abbreviates follows, folded when it is long."""
    sides = list(found.momentum_equation.values())
    if not sides:
        return []
    show, label = printer(found.equations), '<p class="label">Momentum equation</p>'
    count = distinct_nodes(sides)
    if count > MOMENTUM_NODES:
        return [label + _too_long()]
    if count <= SHORTENED:
        spelling = equations_notation(found.equations)
        sides, _ = shortened(sides, 3.0 if spelling.rotations else 0.5, spelling)  # R Rᵀ = 1 makes them far shorter
    taken = [*found.equations.state, *system.parameters, *system.inputs]
    definitions, sides = abbreviated(sides, taken)
    names = [latex_name(f"{n}dot", [f"{n}dot"]) for n in found.momentum_equation]
    rows = [r for name, side in zip(names, sides) for r in equation(name, show(side))]
    where = [r for name, side in definitions for r in equation(show(name), show(side))]
    if sum(len(a) + len(b) for a, b in (*rows, *where)) > PAGES:
        return [label + _too_long()]
    if len(where) <= LINES:
        return [label + formulas([*rows, *where])]
    if len(where) > MANY:  # nobody reads an equation in forty abbreviations before he has asked for it
        small = f"long, with {len(where)} lines of abbreviations"
        return [fold(f"Momentum equation <small>{small}</small>", formulas([*rows, *where]))]
    return [label + formulas(rows), fold(f"with <small>{len(where)} lines of abbreviations</small>", formulas(where))]


def _too_long() -> str:
    return note("Left out here: it would fill many pages; nonholo reduce gives it as data.")


def _integrals(case: Case, found: list[tuple[Finding, IntegralDrift | None]], told: Sequence[Axis]) -> list[str]:
    show = system_printer(case.system)
    rows = []
    laws = [(f, one) for f, one in found if f and isinstance(f.data, FirstIntegral)]
    for finding, one in laws:
        sign = verdict_mark(finding)
        if one is None:
            drift = mathml(number(finding.value)) if isinstance(finding.value, float) else ""
            rows.append([sign, quantity(case.system, finding, show), "", drift])
        else:
            label = "" if one.name == ENERGY else f"{latex_name(one.name)} = "
            numbers = [mathml(number(float(one.values[0]))), mathml(number(one.drift))]
            size = f' data-size="{one.size:.6g}"'
            numbers = [
                f'<span data-live="{k}:{one.name}"{more}>{shown}</span>'
                for k, more, shown in zip(("value", "drift"), ("", size), numbers)
            ]
            rows.append([sign, quantity(case.system, finding, show, label), *numbers])
    parts = []
    if rows:
        exprs = [f.expression for f, _ in laws if is_expression(f.expression)]
        axes = axis_formulas(case.system, exprs, told)
        free = any(one is not None for _, one in found)
        where = "the motion" if free else "two seconds of motion" + " with the inputs at rest" * bool(case.system.inputs)
        slipping = " What changes while contacts slip or are open counts, too." if any(lasting(f) for f, _ in laws) else ""
        words = f'<p class="caption">Drift: largest change during {where}, relative to its largest term.{slipping}</p>'
        parts.append(f"<h3>Conserved quantities</h3>{table(['', 'quantity', 'value', 'drift'], rows, 'checks')}{words}")
        parts += [f'<p class="label">Axes</p>{formulas(axes)}'] if axes else []
    further = [f for f, _ in found if f and not isinstance(f.data, FirstIntegral)]
    if further:
        parts.append(fold("Further results", findings_table(further, case.system)))
    missing = [f for f, _ in found if not f]
    if missing:
        parts.append(fold("Looked for, and not found", findings_table(missing, case.system)))
    return parts


def quantity(system: System, finding: Finding, show: Callable[[Any], str], label: str = "", lead: str = "") -> str:
    """What is constant, as a formula where it is a short one after the words ``lead``, with its details folded."""
    while_, small = escape(lasting(finding)), details(finding, system)
    formula = finding.formula if finding.verdict == "holds" else None
    named, constants = with_constants(formula, system.coordinates) if formula is not None else (None, ())
    if named is not None and not is_deep([named]) and len(str(named)) < SHOWN:
        spelling = system_notation(system).with_constants(name for name, _ in constants)
        (short, *squares), _ = shortened([named, *(e for _, e in constants)], 0.3, spelling)
        show = partial(to_latex, spelling=spelling) if constants else show
    else:
        short, squares = None, []
    if short is not None and len(str(short)) < LONG_FORMULA:
        words = "energy " if is_energy(finding) else ""
        drawn = [rf"{latex_name(name)}^{{2}} = {show(square)}" for (name, _), square in zip(constants, squares)]
        written = mathml(label + show(short))
        both = listed([written, f"with {listed([mathml(one) for one in drawn])}"]) if drawn else written
        return f'<div class="scroll">{lead}{words}{both}{while_}</div>{small}'
    claim = without_long_formula(finding).claim
    before = f"{mathml(label.removesuffix(' = '))}: " if label else ""
    return f"{before}{typeset(claim, system)}{while_}{small}"


def lasting(finding: Finding) -> str:
    """While which contacts keep their mode a finding holds; nothing where it always does."""
    return "".join(lasting_words(one) for one in finding.basis if isinstance(one, Lasting))


def without_long_formula(finding: Finding) -> Finding:
    """A constant without its formula where that is too long to be read."""
    data = finding.data
    if not isinstance(data, FirstIntegral) or len(data.formula) < LONGEST:
        return finding
    formula = "" if data.energy else f"a quantity of {len(data.formula)} characters (nonholo integrals writes it out)"
    return replace(finding, data=replace(data, formula=formula))


def verdict_section(case: Case) -> ReportSection:
    """Symmetry, integrals, measure and Hamiltonisation as `nonholo.symmetry.judgement.verdict` finds them, and the conclusion."""
    found = case.dossier.verdict.value
    if found is None:
        return ReportSection("verdict", "Verdict", note(f"There is no verdict: {case.dossier.verdict.trouble}"))
    show = system_printer(case.system)

    def told(finding: Finding) -> str:
        if finding and isinstance(finding.data, FirstIntegral):
            return quantity(case.system, finding, show, lead="constant: ")
        return typeset(line(finding, case.system), case.system) + details(finding, case.system)

    rows = [[f'<span class="status {status(f)}">{status(f)}</span>', told(f)] for f in found.findings]
    conclusion = typeset(headline(found.conclusion), case.system)
    body = f'<p class="conclusion">{conclusion}</p>{table(["", "what was found"], rows, "judged")}'
    known = [f.expression for f in found.findings if is_expression(f.expression)]
    axes = axis_formulas(case.system, known)
    body += f'<p class="label">Axes</p>{formulas(axes)}' if axes else ""
    return ReportSection("verdict", "Verdict", body)
