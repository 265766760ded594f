"""Behaviour in a report: equilibria and steady motions with their stability, and eigenvalues along a family."""

from __future__ import annotations

from base64 import b64encode
from functools import partial

from nonholo.algebra.budget import within
from nonholo.analyse.behaviour.branch import Branch, branch
from nonholo.analyse.behaviour.equilibria import Equilibrium, equilibria, relative_equilibria
from nonholo.analyse.behaviour.stability import UNSTABLE, Stability, stability
from nonholo.errors import NonholoError
from nonholo.present.branch_plot import plot_branch
from nonholo.present.mathml import mathml
from nonholo.present.report_page import Section, escape, table
from nonholo.present.report_sections import note, number
from nonholo.present.report_subject import Case
from nonholo.symmetry.momenta.noether import energy_finding

STARTS, MOST = 24, 5
"""So many starts and families are enough for a page; the command says more."""
FIGURE = 30.0
"""Units of work for the figure."""
LARGE = 24
"""Systems with more state variables are left to the command."""


def behaviour_section(case: Case) -> Section | None:
    """What stays as it is and whether it is stable; None when nothing was found or the system is large."""
    try:
        found = _found(case)
    except NonholoError:
        return None
    if not found:
        return None
    rows = [_row(kind, one, judged) for kind, one, judged in found]
    parts = [table(["", "what stays as it is", "growth"], rows, "checks")]
    parts.append(
        note(
            f"Found from {STARTS} starts; of the integrals only the energy was used. nonholo stability "
            f"{case.name if case.named else 'FILE'} looks further and names what each zero is due to."
        )
    )
    drawn = _figure(case, [one for kind, one, _ in found if kind == "steady motion"])
    return Section("behaviour", "Behaviour", "\n".join([*parts, drawn] if drawn else parts))


def _found(case: Case) -> list[tuple[str, Equilibrium, Stability]]:
    system, values = case.system, dict(case.parameters)
    if len(system.coordinates) + len(system.velocities) > LARGE:
        return []
    energy = energy_finding(system, values)
    known = (energy,) if energy and energy.expression is not None else ()
    listed = [("equilibrium", e) for e in equilibria(system, values, starts=STARTS)]
    listed += [("steady motion", e) for e in relative_equilibria(system, values, starts=STARTS) if e.velocity]
    result = []
    for kind, one in listed[:MOST]:
        try:
            result.append((kind, one, stability(system, one, integrals=known)))
        except NonholoError:
            continue
    return result


def _row(kind: str, one: Equilibrium, judged: Stability) -> list[str]:
    word = {True: "fails", False: "holds"}[judged.verdict == UNSTABLE] if judged.decided else "unknown"
    sign = {"holds": "✓", "fails": "✗", "unknown": "?"}[word]
    small = [str(one), judged.evidence, *map(str, judged.modes[:4])]
    told = f"{escape(kind)}: {escape(judged.verdict)}" + "".join(f"<small>{escape(line)}</small>" for line in small)
    return [f'<span class="{word}" title="{word}">{sign}</span>', told, mathml(number(judged.rate)) if judged.modes else ""]


def _figure(case: Case, moving: list[Equilibrium]) -> str:
    """Eigenvalues along the first free variable of a steady motion, to twice its value in both senses."""
    for one in moving:
        free = [d.name for d in one.family if not d.symmetry and abs(one.state[d.name]) > 1e-6]
        drawn = within(FIGURE, partial(_drawn, case, one, free[0])) if free else None
        if drawn is not None:
            return drawn
    return ""


def _drawn(case: Case, one: Equilibrium, name: str) -> str:
    far = 2 * abs(one.state[name])
    first = branch(case.system, one, name, -far)
    end = {n: float(first.states[-1, k]) for k, n in enumerate(first.names)}
    found: Branch = branch(case.system, end, name, far, dict(one.parameters))
    picture = b64encode(plot_branch(found, backend="png")).decode()
    words = escape(f"Eigenvalues along {name}: growth as lines, frequency as dashes; no mode grows where it is shaded.")
    drawn = f'<img alt="{words}" style="width:100%;max-width:560px" src="data:image/png;base64,{picture}"/>'
    return f"<figure>{drawn}<figcaption>{words}</figcaption></figure>"
