"""The command reduce."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from nonholo.cli.command import command
from nonholo.cli.command_subject import subject
from nonholo.cli.options import Json, System
from nonholo.cli.terminal import as_json, equations_table, finding_row, say, table, working
from nonholo.finding import Agreement
from nonholo.notation.write import to_text


@command(place=50, example="nonholo reduce chaplygin-sleigh")
def reduce(
    system: System,
    latex: Annotated[bool, typer.Option("--latex", help="Print the reduced equations as LaTeX.")] = False,
    json: Json = False,
) -> int:
    """Reduce a system by its symmetry.

    Prints bases, connection, momentum equation and reduced equations.
    """
    from nonholo.symmetry.reduction.reduce import reduce
    from nonholo.symmetry.reduction.reduction_record import equations_text, gathered, text

    with working("reduce"):
        reduction = reduce(subject(system).system)
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
