"""Sections of a report that need no motion: system, constraints, equations, checks, text of the system."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from platform import python_version
from typing import Any

from nonholo.finding import Finding
from nonholo.machines.machine_files import dumps
from nonholo.model.contacts import holding_words
from nonholo.model.rotation_axes import system_notation
from nonholo.model.system import known_inputs, known_names
from nonholo.notation.latex import apparent_width
from nonholo.present.film.attitudes import ANGLES, attitudes
from nonholo.present.report.report_equations import (
    Layout,
    abbreviated,
    axis_formulas,
    equation,
    layout,
    on_rotations,
    system_printer,
)
from nonholo.present.report.report_page import ReportSection, escape, fold, table
from nonholo.present.report.report_subject import Case
from nonholo.present.style.bibliography import cited
from nonholo.present.style.labels import html_name, meaning_of
from nonholo.present.style.mathml import aligned, mathml
from nonholo.present.style.typeset import typeset, typeset_fact

Row = tuple[str, str]
FOLDED = 900
"""Forms of the equations with more characters of LaTeX than this are folded."""
PAGES = 20_000
"""Forms with more characters than this are left out."""
QUICK = 0.2
"""Units of work for making equations shorter that are to be seen at once."""
FEW_ROWS = 12
"""More abbreviations in a Lagrangian and constraints are folded."""
BESIDE = 54
"""Constraints wider than so many letters are written with their zero on the left."""


CHECKED = (
    "Each form of the equations was derived separately and compared with Lagrange’s equations with multipliers at random "
    "admissible states; differences of about 10⁻¹⁵ are rounding."
)


def system_section(case: Case) -> ReportSection:
    """Coordinates, Lagrangian, constraints, numbers and where they come from."""
    system = case.system
    show = system_printer(system)
    residuals = [*system.holonomic, *system.constraints]
    names = [*system.coordinates, *system.velocities, *system.parameters, *system.quasivelocities, *system.inputs]
    # k1, k2, … are the abbreviations of the forms below
    definitions, short = abbreviated(on_rotations(system, [system.lagrangian, *residuals]), [*names, "k1"])
    parts = [f'<p class="label">Lagrangian</p>{formulas(equation("L", show(short[0])))}']
    if residuals:
        parts.append(f'<p class="label">Constraints</p>{formulas(_vanishing([show(c) for c in short[1:]]))}')
    if definitions:
        rows = [r for name, side in definitions for r in equation(show(name), show(side))]
        few = len(rows) <= FEW_ROWS
        summary = _summary("with", f"{len(rows)} lines of abbreviations")
        parts.append(f'<p class="label">with</p>{formulas(rows)}' if few else fold(summary, formulas(rows)))
    axes = axis_formulas(system, [*short, *(e for _, e in definitions), *system.quasivelocities.values()])
    if axes:
        parts.append(f'<p class="label">Axes</p>{formulas(axes)}')
    if system.parametric is not None:
        rows = [r for name, e in system.parametric[1].items() for r in equation(symbol(system, name), show(e))]
        parts.append(f'<p class="label">Admissible velocities</p>{formulas(rows)}')
    if system.quasivelocities:
        rows = [r for name, e in system.quasivelocities.items() for r in equation(symbol(system, name), show(e))]
        parts.append(f'<p class="label">Quasi-velocities</p>{formulas(rows)}')
    if system.forces:
        rows = [r for name, e in system.forces.items() for r in equation(f"Q_{{{symbol(system, name)}}}", show(e))]
        parts.append(f'<p class="label">Forces</p>{formulas(rows)}')
    laws = known_inputs(system)
    if laws:
        rows = [r for name, e in laws.items() for r in equation(symbol(system, name), show(e))]
        parts.append(f'<p class="label">Inputs</p>{formulas(rows)}')
    tables = []
    if case.parameters:
        tables.append(f"<div><h3>Parameters</h3>{_numbers(case, case.parameters)}</div>")
    if case.start:
        tables.append(f"<div><h3>Start</h3>{_numbers(case, _readable_start(case))}</div>")
    parts.append(f'<div class="columns">{"".join(tables)}</div>')
    if case.references:
        parts.append(f"<h3>References</h3>{references(case.references)}")
    return ReportSection("system", "The system", "\n".join(parts))


def references(given: Sequence[str]) -> str:
    """References as a list, with author, title and journal where they are known."""
    items = [f"<b>{escape(r)}</b>: {_with_links(text)}" if text else escape(r) for r, text in cited(given)]
    return f'<ul class="plain references">{"".join(f"<li>{e}</li>" for e in items)}</ul>'


def _with_links(text: str) -> str:
    words, found, doi = text.partition("doi:")
    return escape(words) + (f'<a href="https://doi.org/{escape(doi)}">doi:{escape(doi)}</a>' if found else "")


def constraints_section(case: Case) -> ReportSection:
    """What kind of constraints, in words."""
    answer = case.dossier.classification.value
    if answer is None:
        trouble = case.dossier.classification.trouble
        return ReportSection("constraints", "Constraints", note(f"They could not be classified: {trouble}"))
    where = " Where one does it constrains less: the motion goes through all these modes, and the film names the present one."
    held = contacts_note(case.system, "These constraints apply", where)
    if not answer.rank and held:
        return ReportSection("constraints", "Constraints", held + "<p>With all of them no velocity is free: nothing moves.</p>")
    text = str(answer)
    body = held + f"<p>{typeset(text[:1].upper() + text[1:], case.system)}.</p>"
    if len(answer.growth) > 1:
        first, *more = answer.growth
        steps = f"{', then '.join(map(str, more))}"
        reach = (
            f"every configuration {'that the holonomic constraints allow ' * bool(answer.holonomic)}can be reached"
            if answer.complete and answer.growth[-1] == answer.dimension - answer.holonomic and not answer.with_time
            else "further brackets add no direction"
            if answer.complete
            else "further brackets, which are long, were not computed"
        )
        body += (
            f"<p>At each configuration the admissible velocities span {first} dimensions. Small loops of them (Lie brackets) "
            f"lead in further directions, {steps} in all: {reach}.</p>"
        )
    if answer.integrals:
        show = system_printer(case.system)
        body += formulas([(show(f), r"= \mathrm{const}") for f in answer.integrals])
    if answer.findings:
        body += fold("Why", findings_table(answer.findings, case.system))
    return ReportSection("constraints", "Constraints", body)


def equations_section(case: Case, tell: Callable[[str], None], quick: bool = False) -> ReportSection:
    """The equations of motion in the classical forms, or ``quick`` in the first alone; long ones folded, too long ones named."""
    parts: list[str] = []
    seen: dict[Any, str] = {}
    for form in case.dossier.forms:
        if quick and parts:
            continue
        title, words = form.title, form.about
        tell(f"equations: {title}")
        found = case.dossier.equations(form)
        if case.dossier.left_out(form) is not None:
            text = f"<p>{escape(words)}</p>" + note("Left out here: their derivation takes long.") + _how(case, form.name)
            parts.append(fold(_summary(title, "left out"), text))
            continue
        if found.value is None:
            parts.append(fold(_summary(title, "does not apply"), f"<p>{escape(found.trouble)}</p>"))
            continue
        laid = layout(found.value, min(form.shortening, QUICK) if quick else form.shortening)
        if laid is None or laid.size > PAGES:
            text = (
                f"<p>{escape(words)}</p>"
                + note("Left out here: they would fill many pages.")
                + _how(case, form.name)
            )
            parts.append(fold(_summary(title, "many pages"), text))
            continue
        rows = (laid.kinematics, laid.dynamics)
        if rows in seen:
            same = f"<p>{escape(words)}</p><p>For this system they are the same, line by line, as {seen[rows]}.</p>"
            parts.append(fold(_summary(title, "the same"), same))
            continue
        parts.append(_form(title, words, laid, first=not seen))
        seen[rows] = title
    held = contacts_note(case.system, "These equations apply", "")
    return ReportSection("equations", "Equations of motion", "\n".join([held, *parts] if held else parts))


def contacts_note(system: Any, what: str, more: str) -> str:
    """For which mode of the contacts constraints and equations are; nothing where contacts stay as they are."""
    words = holding_words(system.contacts)
    return note(f"{what} {words}.{more}") if words else ""


def _form(title: str, words: str, laid: Layout, first: bool) -> str:
    body = f"<p>{escape(words)}</p>"
    if laid.kinematics:
        body += f'<p class="label">Kinematics</p>{formulas(laid.kinematics)}'
    if laid.vectors:
        body += f'<p class="label">Dynamics, as vectors</p>{formulas(laid.vectors)}<p class="label">The same in components</p>'
    else:
        body += '<p class="label">Dynamics</p>'
    body += formulas(laid.dynamics) if laid.dynamics else "<p>None: no velocity is free.</p>"
    if laid.abbreviations:
        inner = formulas(laid.abbreviations)
        body += fold(_summary("with", f"{len(laid.abbreviations)} lines of abbreviations, for these equations alone"), inner)
    if not laid.complete:
        body += note("These equations are long; parts of them could be written more briefly.")
    long = laid.size > FOLDED
    text = fold(_summary(title, "long" if long else ""), body, is_open=first or not long)
    return text.replace("<details", '<details class="long"', 1) if laid.size > 10 * FOLDED else text


def checks_section(case: Case) -> ReportSection:
    """Whether all derivations agree and the laws hold, with numbers; the published facts by name."""
    findings = case.dossier.checks.value
    if findings is None:
        return ReportSection("checks", "Checks", note(str(case.dossier.checks.trouble)))
    held = sum(f.verdict == "holds" for f in findings)
    failed = sum(f.verdict == "fails" for f in findings)
    rest = len(findings) - held - failed
    headline = f"All {held} checks hold" if not failed else f"{held} checks hold, {failed} fail"
    headline += (f"; {rest} do{'es' * (rest == 1)} not apply" if rest else "") + ". " + CHECKED
    body = f"<p>{headline}</p>" + findings_table(findings, case.system)
    if case.facts:
        tested = f"<p>Tested by <code>nonholo verify {escape(case.name)}</code>.</p>"
        body += f"<h3>Published facts</h3>{tested}{facts_list(case.facts)}"
    return ReportSection("checks", "Checks", body + _errata(case))


def facts_list(facts: Sequence[tuple[str, str]]) -> str:
    """Claims and their sources."""
    items = "".join(f"<li>{typeset_fact(claim)} <small>— {escape(source)}</small></li>" for claim, source in facts)
    return f'<ul class="plain">{items}</ul>'


def _errata(case: Case) -> str:
    from nonholo.gallery.published import REMEDIES, errata_on, short_title

    found = errata_on(case.name) if case.facts else ()
    if not found:
        return ""
    rows = [
        [
            escape(f"{short_title(e.paper)}, {e.label} ({e.kind})"),
            f"{_formula(e.printed)}<br><small>{REMEDIES[e.kind]}:</small> {_formula(e.right or e.because)}",
        ]
        for e in found
    ]
    inner = table(["where", "printed, and what is right"], rows)
    return fold(_summary("Errata of the papers", "1 entry" if len(found) == 1 else f"{len(found)} entries"), inner)


def _formula(text: str) -> str:
    """A paper's LaTeX drawn, without its number and layout; words as they are."""
    if "\\" not in text:
        return escape(text)
    plain = re.sub(r"\\tag\{[^}]*\}|\\quad \(\d+\.\d+\)|\\(begin|end)\{(aligned|split)\}", "", text)
    if "\\begin" in plain:  # a matrix or cases: rows belong to it
        return mathml(plain)
    return "<br>".join(mathml(line) for line in plain.replace("&", "").split(r"\\") if line.strip())


def reproduce_section(case: Case, method: str | None) -> ReportSection:
    """The system as text, the commands, the versions."""
    system = case.system
    options = "".join(f" --set {n}={_shortest(v)}" for n, v in case.parameters.items()) if case.changed else ""
    options += "".join(f" --start {n}={_shortest(v)}" for n, v in case.start.items()) if case.changed else ""
    if case.changed:
        options += "".join(f' --input "{n}={e}"' for n, e in known_inputs(system).items())
    options += f" --until {case.until:g}" if case.changed or case.system.until is None else ""
    name = case.name if case.named else "system.toml"
    commands = f"nonholo report {name}{options}\nnonholo simulate {name}{options}"
    versions = {p: version(p) for p in ("nonholo", "symengine", "llvmlite", "numpy", "sympy")} | {
        "python": python_version()
    }
    packages = ", ".join(f"{p} {v}" for p, v in versions.items())
    missing = list(case.driven)
    if missing:
        packages = f"Not in this text, since they are no formulas: the inputs {', '.join(missing)}. {packages}"
    body = (
        f"<p>This page was made by the first command; the second computes the motion alone"
        f"{f' (method {escape(method)})' if method else ''}.</p>{copyable(commands, 'command')}"
        f"<p>The system with its numbers, as a file that <code>nonholo</code> reads:</p>{copyable(dumps(system), 'toml')}"
        f'<p class="caption">{escape(packages)}</p>'
    )
    return ReportSection("reproduce", "Reproduce", body)


def _shortest(value: Any) -> str:
    """The shortest text that gives back the number."""
    return repr(float(value)).removesuffix(".0")


def findings_table(findings: Any, system: Any = None) -> str:
    """Findings with their sign, number and evidence; formulas in the names of the system are drawn."""
    return table(["", "claim", "measured"], [finding_row(f, system) for f in findings], "checks")


def finding_row(finding: Finding, system: Any = None) -> list[str]:
    """Sign, claim with evidence, number."""
    value = finding.value
    if isinstance(value, float):
        shown = mathml(number(value))
    else:
        shown = typeset(value, system) if isinstance(value, str) else escape(value) if isinstance(value, int) else ""
    return [verdict_mark(finding), f"{typeset(_capital(finding.claim, system), system)}{details(finding, system)}", shown]


def _capital(claim: str, system: Any) -> str:
    """A claim as a sentence: its first letter large, unless it begins with a symbol."""
    first = re.match(r"[a-z][a-z]+\b|a (?=[a-z]{3})", claim)
    if first is None or (system is not None and first[0] in known_names(system)):
        return claim
    return claim[0].upper() + claim[1:]


def verdict_mark(finding: Finding) -> str:
    """The sign of a finding; red for failures of checks alone."""
    return f'<span class="{finding.mark}" title="{finding.verdict}">{finding.sign}</span>'


def details(finding: Finding, system: Any = None) -> str:
    """What an expert wants to know of a finding, folded."""
    lines = [typeset(line, system) for line in finding.details]
    return f'<details class="why"><summary>details</summary><small>{"<br>".join(lines)}</small></details>' if lines else ""


def number(value: float, figures: int = 3) -> str:
    """A number in LaTeX, with three significant digits by default.

    >>> print(number(0.25), number(3.14159e-15), number(0.0))
    0.25 3.14 \\times 10^{-15} 0
    """
    text = f"{float(value) + 0.0:.{figures}g}"
    digits, _, power = text.partition("e")
    return rf"{digits} \times 10^{{{int(power)}}}" if power else digits


def formulas(rows: Any) -> str:
    """Aligned equations in a box that scrolls when they are wide."""
    return f'<div class="formula">{aligned(rows)}</div>'


def note(text: str) -> str:
    """A remark set apart."""
    return f'<p class="note">{escape(text)}</p>'


def _rates(system: Any) -> set[str]:
    return {f"{c}dot" for c in system.coordinates} | {v for v in system.velocities if v.endswith("dot")}


def symbol(system: Any, name: str) -> str:
    """A name as the formulas of the page write it."""
    return str(system_notation(system).name(name))


def spelt(system: Any, name: str) -> str:
    """A name by itself, as HTML: rates of words as ``d(steer)/dt``, for a dot above a word looks like one of its letters."""
    words = html_name(name)
    return words if words.startswith("d(") else mathml(symbol(system, name))


def _vanishing(residuals: Sequence[str]) -> list[Row]:
    """``residual = 0`` each, or all with the zero first when one is long: aligned at the signs, short ones stood far right."""
    if all(apparent_width(r) <= BESIDE for r in residuals):
        return [(r, "= 0") for r in residuals]
    return [row for r in residuals for row in equation("0", r)]


def _numbers(case: Case, values: Mapping[str, Any]) -> str:
    rates = _rates(case.system)
    rows = []
    for name, value in values.items():
        unit = case.units.get(name, "") or (
            f"{case.units[name[:-3]]}/s" if name[:-3] in case.units and name in rates else ""
        )
        angle = name.partition(".")[2]
        written = escape(angle) if angle else spelt(case.system, name)
        unit = "rad" if angle else unit
        shown = f'<span data-value="{escape(name)}">{mathml(number(value, 6))}</span>'
        meant = ANGLES.get(angle) or meaning_of(case.system, name)
        rows.append([written, shown, escape("" if unit == "1" else unit), escape(meant)])
    return table(["", "value", "unit" if case.units else "", "meaning"], rows, "numbers")


def _readable_start(case: Case) -> dict[str, Any]:
    """The start with rotations given by tilt, heading and spin instead of matrix entries."""
    found = attitudes(case.system)
    entries = {n for a in found for n in a["names"]}
    start = {n: e for n, e in case.start.items() if n not in entries}
    for a in found:
        if any(n in case.start for n in a["names"]):
            start = {**a["angles"], **start}
    return start


def _summary(title: str, small: str) -> str:
    return escape(title) + (f" <small>{escape(small)}</small>" if small else "")


def _how(case: Case, form: str) -> str:
    name = case.name if case.named else "system.toml"
    return f"<p><code>nonholo derive {escape(name)} --form {form}</code> writes them.</p>"


def copyable(text: str, follows: str = "") -> str:
    live = f' data-live="{follows}"' if follows else ""
    return f'<div class="text"><button class="copy" type="button">copy</button><pre{live}>{escape(text)}</pre></div>'
