"""Behaviour in a report: equilibria and steady motions with their stability, and eigenvalues along a family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from nonholo.dossier import STARTS, Steady
from nonholo.finding.sentences import headline
from nonholo.present.figures.interactive import branch_figure
from nonholo.present.film.attitudes import attitude_angles, attitudes
from nonholo.present.report.report_page import ReportSection, escape, listed, plot_box, table
from nonholo.present.report.report_sections import note, number, spelt, symbol, verdict_mark
from nonholo.present.style.labels import generator_name, html_name, own_unit
from nonholo.present.style.mathml import mathml

if TYPE_CHECKING:
    from nonholo.analyse.continuation.branch import Branch
    from nonholo.analyse.stability.spectrum import Mode
    from nonholo.analyse.stability.stability import Stability
    from nonholo.analyse.steady.equilibrium_record import Equilibrium
    from nonholo.present.report.report_subject import Case

SMALL = 1e-7
"""Smaller values are not shown."""
ROUNDING = 1e-9
"""A growth that is this part of the largest eigenvalue is none."""
PRINTED = 4
"""Equilibria and steady motions on paper."""
PLUS_MINUS = r"\pm "


def behaviour_section(case: Case, chaos: bool | str = False) -> ReportSection | None:
    """What stays as it is and whether it is stable; None when nothing was found or the system is large.

    With ``chaos`` (true, or the event of a section as text), or where the exhibit is about it, exponents and a section.
    """
    declared = case.exhibit.chaos if case.exhibit is not None else ""
    wanted = chaos or declared
    extra = ""
    if wanted:
        from nonholo.present.report.report_chaos import chaos_part

        extra = chaos_part(case, wanted if isinstance(wanted, str) else declared or None)
    parts = [part for part in (_steady(case), extra) if part]
    return ReportSection("behaviour", "Behaviour", "\n".join(parts)) if parts else None


def _steady(case: Case) -> str:
    found = case.dossier.steady
    if not found:
        return ""
    rows = [_row(case, "relative equilibrium" if one.moving else "equilibrium", one.place, one.stability) for one in found]
    kept = printed(found)
    left = [k for k in range(len(found)) if k not in kept]
    parts = [table(["", "equilibrium or relative equilibrium", "growth rate [1/s]"], rows, "checks", left)]
    parts.append(
        note(
            f"Searched from {STARTS} starting points; of the conserved quantities only the energy was used to decide stability. "
            f"The command “nonholo stability {case.name if case.named else 'FILE'}” uses all of them and explains every zero "
            "eigenvalue."
        )
    )
    drawn = _figure(case, [one.place for one in found if one.moving])
    return "\n".join([*parts, drawn] if drawn else parts)


def printed(found: Sequence[Steady]) -> set[int]:
    """Places of those on paper: steady motions first, then one of each verdict and rate, then the others as found."""
    seen: set[tuple[bool, str, str]] = set()
    order = []
    for k, one in enumerate(found):
        key = one.moving, one.stability.verdict, f"{one.stability.rate:.3g}"
        order.append((key in seen, not one.moving, k))
        seen.add(key)
    return {k for *_, k in sorted(order)[:PRINTED]}


def _row(case: Case, kind: str, one: Equilibrium, judged: Stability) -> list[str]:
    small = [*_place_text(case, one), escape(headline(judged.evidence)), *(_mode(case, mode) for mode in judged.modes[:4])]
    small += [_folded(judged.details)] if judged.details else []
    text = f"{escape(kind)}: {escape(judged.verdict)}" + "".join(f"<small>{line}</small>" for line in small)
    size = max((abs(mode.eigenvalue) for mode in judged.modes), default=0.0)
    growth = judged.rate if abs(judged.rate) > ROUNDING * size else 0.0
    return [verdict_mark(judged.finding), text, mathml(number(growth)) if judged.modes else ""]


def _folded(words: str) -> str:
    return f'<details class="why"><summary>details</summary>{escape(words)}</details>' if words else ""


def _place_text(case: Case, one: Equilibrium) -> list[str]:
    """Where it is (rotations by tilt, heading and spin), where it goes, and what is free, as lines of the page."""
    rotations = attitudes(case.system)
    entries = {n for a in rotations for n in a["names"]}
    angles = attitude_angles(rotations, one.state)
    shown = [f"{escape(n)} {mathml(number(e if abs(e) > SMALL else 0.0, 6))}" for n, e in angles.items()]
    shown += [_value(case, n, one.state[n]) for n in one.names if n not in entries and abs(one.state[n]) > SMALL]
    moving = [f"{generator_name(n)} at the rate {mathml(number(e, 6))}" for n, e in one.velocity.items() if abs(e) > SMALL]
    free = [d.name for d in one.family if not d.symmetry and d.name not in entries]
    free += ["attitude"] * any(not d.symmetry and d.name in entries for d in one.family)
    along = [d for d in one.family if d.symmetry and d.name not in entries]
    alone = [d.name for d in along if not d.others]
    together = [_names(case, (d.name, *d.others)[:3]) + " and more" * (len(d.others) > 2) for d in along if d.others]
    same = [f"for every {_names(case, alone)}"] * bool(alone) + [f"where {names} change together" for names in together]
    same += ["however it is turned"] * any(d.symmetry and d.name in entries for d in one.family)
    lines = ["at " + listed(shown) if shown else "at rest with all values zero"]
    lines += ["steady motion along the symmetry: " + listed(moving)] if moving else []
    such = "motions" if moving else "states"
    lines += [f"one of a family: other values of {_names(case, free)} give such {such} too"] if free else []
    return lines + (["the same, by symmetry, " + " and ".join(same)] if same else [])


def _mode(case: Case, mode: Mode) -> str:
    value, _, words = str(mode).rpartition(": ")[0].partition("  ")
    return f"eigenvalue {mathml(value.replace('±', PLUS_MINUS))}: {escape(words)}, mostly in {_names(case, mode.parts)}"


def _value(case: Case, name: str, value: float) -> str:
    words = html_name(name)
    if words.startswith("d("):  # a dot above a word looks like one of its letters
        return f'<span class="together">{words} = {mathml(number(value, 6))}</span>'
    return mathml(f"{symbol(case.system, name)} = {number(value, 6)}")


def _names(case: Case, names: Sequence[str]) -> str:
    return listed([spelt(case.system, n) for n in names])


def _figure(case: Case, moving: list[Equilibrium]) -> str:
    """Eigenvalues along the first free variable of a steady motion, to twice its value in both senses, or words."""
    words = ""
    for one in moving:
        free = [d.name for d in one.family if not d.symmetry and abs(one.state[d.name]) > 1e-6]
        found = case.dossier.branch_through(one, free[0]) if free else None
        drawn = _labelled(case, found, free[0]) if found is not None else ""
        if "<figure" in drawn:
            return drawn
        words = words or drawn
    return words


def _labelled(case: Case, found: Branch, name: str) -> str:
    if not np.any(np.abs(found.eigenvalues) > SMALL):
        modes = "there is no mode" if not found.eigenvalues.size else "every mode stays at zero"
        note_text = f"{modes}: nothing grows, decays or oscillates in the linearised equations, so there is no curve to draw."
        return f'<p class="note">Along {_names(case, [name])} {note_text}</p>'
    turns = bool(np.any(np.abs(found.eigenvalues.imag) > ROUNDING * np.max(np.abs(found.eigenvalues))))
    dashes = ", frequencies as dashes" * turns
    words = f"growth rates as lines{dashes}; where it is shaded no mode grows."
    figure = plot_box(branch_figure(found, own_unit(case.system, name)), f"Eigenvalues along {_names(case, [name])}: {words}")
    return figure + _senses(case, found, name)


def _senses(case: Case, found: Branch, name: str) -> str:
    """What grows in one sense and decays in the other, with numbers; nothing where both senses are alike."""
    if found.outcome != "reached" or name in case.system.coordinates:
        return ""
    ends = [(float(found.values[k]), found.eigenvalues[k]) for k in (-1, 0)]
    size = max((float(np.max(np.abs(e))) for _, e in ends if len(e)), default=0.0)
    rates = [sorted(round(float(v.real) / size, 7) for v in e) for _, e in ends] if size else [[], []]
    if rates[0] == rates[1]:
        return ""
    lines, totals = [], []
    for value, numbers in ends:
        groups = []
        for one in sorted((complex(v) for v in numbers if v.imag >= -ROUNDING * size), key=lambda v: -v.real):
            way = "grows" if one.real > ROUNDING * size else "decays" if one.real < -ROUNDING * size else "stays"
            kind = f"the oscillation of {mathml(number(one.imag, 4))} rad/s" if one.imag > ROUNDING * size else "a mode"
            groups.append(f"{kind} {way}" + (f" at the rate {mathml(number(abs(one.real), 4))} 1/s" if way != "stays" else ""))
        totals.append(float(np.sum(numbers.real)))
        flow = f"all rates together are {mathml(number(totals[-1], 4))} 1/s"
        lines.append(f"<li>{_value(case, name, value)}: {', '.join(groups)}; {flow}.</li>")
    why = "The two directions of motion are not alike: a small volume of states near it grows or shrinks at the sum of the rates."
    if min(totals) < -ROUNDING * size and max(totals) > ROUNDING * size:
        why += " It is negative in one direction, where more decays than grows, and positive in the other."
        why += "" if case.system.forces else " No friction is needed for that."
    return f"<p>{why}</p><ul>{''.join(lines)}</ul>"
