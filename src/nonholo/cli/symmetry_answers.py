"""Answers of the commands reduce and integrals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nonholo.cli.command_subject import subject
from nonholo.cli.terminal import as_json, finding_row, say, table, working
from nonholo.errors import StateError
from nonholo.finding import Agreement
from nonholo.model.rotation_axes import axes_of, met, with_letters
from nonholo.notation.write import to_text


def show_reduction(name: str, latex: bool, json: bool) -> int:
    """The system modulo its symmetry: bases, connection, momentum equation, reduced equations, findings."""
    from nonholo.symmetry.reduction.reduce import reduce
    from nonholo.symmetry.reduction.reduction_record import equations_text, gathered, text

    with working("reduce"):
        reduction = reduce(subject(name).system)
        page = text(reduction, findings=False) if not json and not latex else ""
        equations = (reduction.equations.latex() if latex else equations_text(reduction)) if not json else ""
    wrong = any(f.verdict == "fails" and isinstance(f.data, Agreement) for f in reduction.findings)
    if json:
        as_json(reduction_table(reduction))
    elif latex:
        say(equations)
    else:
        say(page)
        say(f"\n{equations}\n")
        table(("", "finding", "number", "because"), [finding_row(f) for f in gathered(reduction.findings)])
    return 1 if wrong else 0


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
        "findings": reduction.findings,
    }


def _texts(value: Any) -> Any:
    """Expressions, or rows of them, as texts."""
    return [_texts(part) for part in value] if isinstance(value, (tuple, list)) else to_text(value)


def show_integrals(name: str, depends_on: str | None, settings: Sequence[str], json: bool, certificate: bool = False) -> int:
    """The conserved quantities that are found, how, and their drift along a short motion from the start."""
    from nonholo.model.velocities.admissible import admissible
    from nonholo.symmetry.integrals.integrals import integrals

    chosen = subject(name, settings)
    wanted = None if depends_on is None else [part.strip() for part in depends_on.split(",") if part.strip()]
    if wanted == []:
        raise StateError("--depends-on: name a coordinate or a sum of them, e.g. --depends-on theta.")
    admissible(chosen.system)  # constraints that depend on each other are bad input, not a question without answer
    with working("integrals"):
        findings = integrals(chosen.system, depends_on=wanted, parameters=chosen.parameters, start=chosen.start)
    if certificate:
        from nonholo.symmetry.certificate.certificates import certificates

        as_json({"name": chosen.system.name, "certificates": certificates(chosen.system, findings, chosen.parameters)})
        return 0
    if json:
        as_json({"name": chosen.system.name, "integrals": findings})
        return 0
    axes = axes_of(chosen.system)
    rows = [(sign, claim, number, f.method, why) for f in findings for sign, claim, number, why in [finding_row(f)]]
    told = [tuple(with_letters(word, axes) for word in row) for row in rows]
    table(("", "claim", "number", "found by", "because"), told)
    for axis in met(axes, " ".join(word for row in told for word in row)):
        say(f"   {axis.name} = ({', '.join(axis.entries)})")
    found = sum(f.verdict == "holds" and f.expression is not None for f in findings)
    say(f"{chosen.system.name}: {found} integral{'' if found == 1 else 's'} found")
    return 0


def equations_table(equations: Any) -> dict[str, Any]:
    """Plain data: names and texts; ``shared`` holds what the texts of long equations abbreviate, in order."""
    from nonholo.derive.display.equation_text import shared_parts
    from nonholo.notation.write import to_text

    lists = ("coordinates", "speeds", "unknowns", "parameters", "inputs")
    names = {key: [str(s) for s in getattr(equations, key)] for key in lists}
    size, count = len(equations.force), len(equations.kinematics)
    flat = [*equations.kinematics, *(e for row in equations.mass for e in row), *equations.force]
    shared, flat = shared_parts(flat, [name for key in lists for name in names[key]])
    texts = [to_text(e) for e in flat]
    return {
        "name": equations.name,
        "form": equations.origin,
        **names,
        "kinematics": texts[:count],
        "mass": [texts[count + i * size : count + (i + 1) * size] for i in range(size)],
        "force": texts[count + size * size :],
        "shared": {str(name): to_text(side) for name, side in shared},
    }
