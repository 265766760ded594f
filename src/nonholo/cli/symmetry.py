"""Questions about symmetry: reduce, integrals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from nonholo.cli.page import as_json, finding_row, finding_table, say, short, table
from nonholo.cli.questions import equations_table
from nonholo.cli.subject import Subject, subject, suggestion
from nonholo.errors import NonholoError, StateError

INVARIANT = " invariant under "


def show_reduction(name: str, latex: bool, json: bool) -> int:
    """The system modulo its symmetry: bases, connection, momentum equation, reduced equations, findings."""
    from nonholo.symmetry.reduce import reduce

    reduction = reduce(subject(name).system)
    wrong = any(f.verdict == "fails" and " agrees with " in f.claim for f in reduction.findings)
    if json:
        as_json(reduction_table(reduction))
    elif latex:
        say(reduction.equations.latex())
    else:
        findings = {str(f) for f in reduction.findings}
        say("\n".join(line for line in str(reduction).splitlines() if line.strip() not in findings))
        say(f"\n{reduction.equations}\n")
        table(("", "finding", "number", "because"), gathered(reduction.findings))
    return 1 if wrong else 0


def gathered(findings: Iterable[Any]) -> list[tuple[str, str, str, str]]:
    """Rows of findings; those that say of one generator after the other what is invariant become one row."""
    rows: list[tuple[str, str, str, str]] = []
    merged: dict[str, list[tuple[str, Any]]] = {}
    first = 0
    for finding in findings:
        if INVARIANT not in finding.claim or finding.verdict != "holds":
            rows.append(finding_row(finding))
            continue
        first = first if merged else len(rows)
        what, _, generator = finding.claim.partition(INVARIANT)
        merged.setdefault(generator, []).append((what.rsplit(" ", 1)[0], finding.value))
    if merged:
        kinds = list(dict.fromkeys(kind for entries in merged.values() for kind, _ in entries))
        worst = max((v for entries in merged.values() for _, v in entries if isinstance(v, float)), default=0.0)
        claim = f"invariant under {', '.join(merged)}: {', '.join(kinds)}"
        rows.insert(first, ("✓", claim, f"{worst:.2g}", "largest relative change at random admissible states"))
    return rows


def reduction_table(reduction: Any) -> dict[str, Any]:
    """Plain data: every part of a reduction as names and texts."""
    linked = reduction.connection
    return {
        "name": reduction.system.name,
        "symmetry": reduction.symmetry.name,
        "generators": list(reduction.group.names),
        "orbit_dimension": reduction.group.rank,
        "shape": dict(zip(reduction.shape.names, _texts(reduction.shape.functions))),
        "bases": {letter: _texts(reduction.bases.rates(letter)) for letter in "HSNR"},
        "connection": None if linked is None else _texts(linked.components),
        "curvature": None if linked is None else _texts(linked.curvature),
        "inertia": _texts(reduction.inertia),
        "lagrangian": _texts(reduction.lagrangian),
        "momenta": list(reduction.momenta),
        "momentum_equation": {n: _texts(e) for n, e in reduction.momentum_equation.items()},
        "equations": equations_table(reduction.equations),
        "findings": [finding_table(f) for f in reduction.findings],
    }


def _texts(value: Any) -> Any:
    """Expressions, or rows of them, as texts."""
    if isinstance(value, (tuple, list)):
        return [_texts(part) for part in value]
    from nonholo.algebra.text import to_text

    return to_text(value)


def show_integrals(name: str, depends_on: str | None, settings: Sequence[str], moving: bool, json: bool) -> int:
    """The conserved quantities that are found; with ``moving`` their drift along the motion from the start."""
    import nonholo

    chosen = subject(name, settings)
    wanted = _names(depends_on, chosen)
    findings = nonholo.integrals(chosen.system, depends_on=wanted)
    drifts = _drifts(findings, chosen) if moving else [None] * len(findings)
    if json:
        entries = [
            {**finding_table(f), "expression": None if f.expression is None else _texts(f.expression), "method": f.method}
            | ({"drift": d} if moving else {})
            for f, d in zip(findings, drifts)
        ]
        as_json({"name": chosen.system.name, "integrals": entries})
        return 0
    rows = []
    for finding, drift in zip(findings, drifts):
        sign = finding_row(finding)[0]
        what = finding.claim if finding.expression is None else _texts(finding.expression)
        rows.append((sign, what, finding.method or "", "" if drift is None else f"{drift:.1e}", finding.evidence))
    columns = ("", "integral", "found by", "drift", "because")
    keep = [k for k, c in enumerate(columns) if c != "drift" or moving]
    table([columns[k] for k in keep], [[row[k] for k in keep] for row in rows])
    found = sum(f.verdict == "holds" for f in findings)
    say(f"{chosen.system.name}: {found} integral{'' if found == 1 else 's'} found" + _where(chosen, moving))
    return 0


def _where(chosen: Subject, moving: bool) -> str:
    return f"; drift along {short(chosen.until)} s from the start" if moving else ""


def _names(depends_on: str | None, chosen: Subject) -> tuple[str, ...] | None:
    if depends_on is None:
        return None
    names = tuple(n for n in depends_on.replace(",", " ").split() if n)
    for name in names:
        if name not in chosen.system.coordinates:
            hint = suggestion(name, chosen.system.coordinates)
            raise StateError(f"--depends-on {name}: {chosen.system.name} has no such coordinate; {hint}")
    return names


def _drifts(findings: Iterable[Any], chosen: Subject) -> list[float | None]:
    from nonholo.integrate.simulate import simulate

    run = simulate(
        chosen.system,
        start=chosen.start,
        until=chosen.until,
        parameters=chosen.parameters,
        inputs=chosen.inputs or None,
        rtol=1e-10,
    )
    result: list[float | None] = []
    for finding in findings:
        try:
            result.append(float(finding.drift(run)) if finding.verdict == "holds" else None)
        except (NonholoError, AttributeError):  # a finding without a formula cannot be followed
            result.append(None)
    return result
