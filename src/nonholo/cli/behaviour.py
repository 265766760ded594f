"""How a system behaves: ``nonholo stability``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nonholo.cli.page import as_json, say, working
from nonholo.cli.subject import subject

if TYPE_CHECKING:
    from nonholo.analyse.behaviour.stability import Stability


def show_stability(name: str, settings: Sequence[str], start: Sequence[str], json: bool) -> int:
    """The verdict at a start, or at every equilibrium and steady motion that is found."""
    from nonholo.analyse.behaviour.equilibria import equilibria, relative_equilibria
    from nonholo.analyse.behaviour.stability import stability

    chosen = subject(name, settings, start)
    found: list[tuple[str, Stability]] = []
    with working("stability") as tell:
        if start:
            given = {text.partition("=")[0].strip() for text in start}
            at = {n: e for n, e in chosen.start.items() if n in given}
            found.append(("at the given start", stability(chosen.system, at, chosen.parameters)))
        else:
            tell("equilibria")
            resting = equilibria(chosen.system, chosen.parameters)
            tell("steady motions")
            moving = [e for e in relative_equilibria(chosen.system, chosen.parameters) if e.velocity]
            for kind, one in [*(("equilibrium", e) for e in resting), *(("steady motion", e) for e in moving)]:
                tell(f"{kind} {len(found) + 1}")
                found.append((f"{kind}: {one}", stability(chosen.system, one)))
    if json:
        as_json({"name": chosen.system.name, "found": [{"where": words, **_table(one)} for words, one in found]})
        return 0
    if not found:
        say(f"{chosen.system.name}: no equilibrium and no steady motion was found; give one with --start name=number.")
    for words, one in found:
        say(words)
        say("\n".join(f"  {line}" for line in str(one).split("\n")))
    return 0


def _table(one: Stability) -> dict[str, Any]:
    """A stability as plain data."""
    return {
        "verdict": one.verdict,
        "evidence": one.evidence,
        "decided": one.decided,
        "rate": one.rate,
        "eigenvalues": [[v.real, v.imag] for v in one.eigenvalues.tolist()],
        "modes": [{"eigenvalue": [m.eigenvalue.real, m.eigenvalue.imag], "parts": m.parts} for m in one.modes],
        "zeros": [str(z) for z in one.zeros],
        "family": [d.name for d in one.family if not d.symmetry],
        "velocity": one.velocity,
        "state": one.state,
    }
