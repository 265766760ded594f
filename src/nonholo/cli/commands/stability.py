"""The command stability: equilibria, steady motions and their stability."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nonholo.cli.command import command
from nonholo.cli.command_subject import subject
from nonholo.cli.options import Json, Settings, Start, System
from nonholo.cli.terminal import as_json, say, working
from nonholo.errors import FileError, StateError

if TYPE_CHECKING:
    from nonholo.analyse.continuation.branch import Branch
    from nonholo.analyse.stability.stability import Stability
    from nonholo.present.report.report_subject import Case


def _show_branch(
    chosen: Case, start: Sequence[str], along: str, switch: bool, figure: Path | None, draw: str | None, json: bool
) -> int:
    from nonholo.analyse.continuation.branch import branch

    if draw is not None and figure is None:
        raise FileError(f"--draw {draw}: say into which file with --figure FILE.png.")
    quantity, low, high = _range(along)
    given = {text.partition("=")[0].strip() for text in start}
    at = {n: e for n, e in chosen.start.items() if n in given}
    with working("stability") as tell:
        tell(f"a relative equilibrium at {quantity} = {low:g}")
        first, values = _first(chosen, at, quantity, low)
        tell("the branch")
        found = branch(chosen.system, first, along=quantity, until=high, parameters=values, switch=switch)
        if figure is not None:
            found.plot(draw, path=figure)
    if json:
        others = {"others": [_branch_table(one) for one in found.others]} if switch else {}
        as_json({**_branch_table(found), **others})
        return 0
    _say_branch(found)
    for other in found.others:
        say(f"another branch from {quantity} = {other.values[0]:.6g}:")
        _say_branch(other)
    if switch and not found.others:
        say("  no other branch was found at its branch points")
    if figure is not None:
        say(f"wrote {figure}")
    return 0


def _say_branch(found: Branch) -> None:
    from nonholo.present.figures.family_plots import stretches

    say(str(found))
    if found.held:
        say(f"  held: {', '.join(found.held)}")
    for low_end, high_end in stretches(found):
        say(f"  no mode grows for {found.along} from {low_end:.10g} to {high_end:.10g}")


def _branch_table(found: Branch) -> dict[str, Any]:
    """A branch as plain data."""
    points = [[e.real.tolist(), e.imag.tolist()] for e in found.eigenvalues]
    pairs = [[s.eigenvalue.real, s.eigenvalue.imag] for s in found.special]
    special = [{"kind": s.kind, "value": s.value, "eigenvalue": e} for s, e in zip(found.special, pairs)]
    table = {"name": found.name, "along": found.along, "outcome": found.outcome, "held": found.held, "special": special}
    states = {n: found.states[:, k] for k, n in enumerate(found.names)}
    return {**table, "values": found.values, "states": states, "unstable": found.unstable, "eigenvalues": points}


def _range(along: str) -> tuple[str, float, float]:
    """``v=0:10`` as a name and two numbers."""
    from nonholo.model.files.toml_files import number

    name, _, ends = along.rpartition("=")
    low, colon, high = ends.partition(":")
    if not (name.strip() and colon and low.strip() and high.strip()):
        raise FileError(f"--along {along}: write it as name=from:to, e.g. --along v=0:10.")
    return name.strip(), number(low, f"--along {name}"), number(high, f"--along {name}")


def _first(chosen: Case, at: dict[str, float], quantity: str, low: float) -> tuple[Any, dict[str, float]]:
    """A steady motion where the quantity has its first value, and the parameters there."""
    from nonholo.analyse.flow.state_flow import flow_of
    from nonholo.analyse.steady.equilibria import relative_equilibria
    from nonholo.analyse.steady.steady_zeros import steady_at_home

    system, values = chosen.system, dict(chosen.parameters)
    where: dict[str, Any] = dict(at)
    trial = dict(at)
    if quantity in system.parameters:
        values[quantity] = low
        trial = at or dict(chosen.start)
    else:
        where[quantity] = low
        if quantity.isidentifier():
            trial[quantity] = low
    try:
        steady_at_home(flow_of(system, trial, values))
        return trial, values
    except StateError:
        pass
    found = relative_equilibria(system, values, where=where)
    moving = [e for e in found if e.velocity]
    if not found:
        listed = ", ".join(f"{n} = {e:g}" for n, e in where.items()) or "these parameters"
        raise StateError(f"{system.name}: no relative equilibrium was found at {listed}; give a start near one with --start.")
    return (moving or list(found))[0], values


def _table(one: Stability) -> dict[str, Any]:
    """A stability as plain data."""
    return {
        "verdict": one.verdict,
        "evidence": one.evidence,
        "details": one.details,
        "decided": one.decided,
        "rate": one.rate,
        "eigenvalues": [[v.real, v.imag] for v in one.eigenvalues.tolist()],
        "modes": [{"eigenvalue": [m.eigenvalue.real, m.eigenvalue.imag], "parts": m.parts} for m in one.modes],
        "zeros": [str(z) for z in one.zeros],
        "family": [d.name for d in one.family if not d.symmetry],
        "velocity": one.velocity,
        "state": one.state,
    }


@command(place=70, example="nonholo stability chaplygin-sleigh --start v=2")
def stability(
    system: System,
    settings: Settings = [],  # noqa: B006
    start: Start = [],  # noqa: B006
    along: Annotated[
        str | None, typer.Option(metavar="NAME=FROM:TO", help="Follow relative equilibria along a quantity, e.g. v=0:10.")
    ] = None,
    switch: Annotated[bool, typer.Option("--switch", help="Follow the other branches through branch points too.")] = False,
    figure: Annotated[Path | None, typer.Option(help="Write a figure of the eigenvalues (png, pdf, svg).")] = None,
    draw: Annotated[
        str | None, typer.Option(metavar="NAME", help="Draw this quantity along the branches instead of the eigenvalues.")
    ] = None,
    json: Json = False,
) -> int:
    """Find (relative) equilibria and decide their stability.

    At the state of --start, along a branch (--along), or of all that are found.
    """
    if along is not None:
        return _show_branch(subject(system, settings, start), start, along, switch, figure, draw, json)
    if figure is not None:
        raise FileError(f"--figure {figure}: a figure shows a branch; give --along too, e.g. --along v=0:10.")
    if switch or draw is not None:
        option = "--switch" if switch else f"--draw {draw}"
        raise FileError(f"{option}: there is no branch; give --along too, e.g. --along v=0:10.")
    from nonholo.analyse.flow.state_flow import flow_of, refuse_infinite
    from nonholo.analyse.stability.stability import stability
    from nonholo.analyse.steady.equilibria import equilibria, relative_equilibria
    from nonholo.present.film.attitudes import attitude_angles, attitudes

    chosen = subject(system, settings, start)
    found: list[tuple[str, Stability]] = []
    with working("stability") as tell:
        if start:
            given = {text.partition("=")[0].strip() for text in start}
            at = {n: e for n, e in chosen.start.items() if n in given}
            found.append(("at the given start", stability(chosen.system, at, parameters=chosen.parameters)))
        else:
            rotations = attitudes(chosen.system)
            entries = {n for a in rotations for n in a["names"]}
            tell("equilibria")
            resting = equilibria(chosen.system, chosen.parameters)
            tell("relative equilibria")
            moving = [e for e in relative_equilibria(chosen.system, chosen.parameters) if e.velocity]
            for kind, one in [*(("equilibrium", e) for e in resting), *(("relative equilibrium", e) for e in moving)]:
                tell(f"{kind} {len(found) + 1}")
                where = one.description(attitude_angles(rotations, one.state), entries)
                found.append((f"{kind}: {where}", stability(chosen.system, one)))
            if not found:  # the equations are undefined here
                flow = flow_of(chosen.system, chosen.start, chosen.parameters)
                refuse_infinite(flow, flow.rates(flow.home[None]))
    if json:
        as_json({"name": chosen.system.name, "found": [{"where": words, **_table(one)} for words, one in found]})
        return 0
    if not found:
        say(f"{chosen.system.name}: no equilibrium and no relative equilibrium was found; give one with --start name=number.")
    for words, answer in found:
        say(words)
        say("\n".join(f"  {line}" for line in str(answer).split("\n")))
    return 0
