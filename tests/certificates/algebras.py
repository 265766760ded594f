"""Certificates of Lie algebras and of vector fields beside a Lagrangian; nothing of nonholo is imported."""

from __future__ import annotations

from tests.certificates.equations import At, Equations
from tests.certificates.kinds import Formulas, fields_of, proves, several
from tests.certificates.residues import Jets, need


def traces(s: At) -> list[int]:
    """``Tr ad_i = c_ij^j``."""
    total = [0] * len(s.eq.v)
    for i, j, a, c in s.eq.brackets:
        total[i] += s.of(c) if a == j else 0
        total[j] -= s.of(c) if a == i else 0
    return [e % s.p for e in total]


def constants(eq: Equations) -> None:
    need(
        not any(c.free_symbols & {*eq.x, *eq.v, eq.t} for *_, c in eq.brackets),
        "structure functions that are not constant",
    )


@proves("unimodular")
def _unimodular(eq: Equations, states: list[At], formulas: Formulas) -> None:
    several(states)
    need(not any(any(traces(s)) for s in states), "a trace that does not vanish")


@proves("not_unimodular")
def _not_unimodular(eq: Equations, states: list[At], formulas: Formulas) -> None:
    constants(eq)
    need(any(any(traces(s)) for s in states), "all traces vanish")


@proves("field_inside")
def _inside(eq: Equations, states: list[At], formulas: Formulas) -> None:
    """Virtual velocities annihilate ``∂φ/∂v``; the field is one at every admissible state."""
    several(states)
    (components,) = fields_of(formulas)
    for s in states:
        across = [sum(s.of(r.diff(v)) * s.of(e) for v, e in zip(eq.v, components)) % s.p for r in eq.rows]
        need(not any(across), "a field outside D")


@proves("field_preserves")
def _preserves(eq: Equations, states: list[At], formulas: Formulas) -> None:
    """``σ^C[L] = 0``: at states with any velocities, or only where these are admissible."""
    several(states)
    (components,) = fields_of(formulas)
    free = formulas["unconstrained"]
    changes = [Jets(s.state, s.lifted(components), s.p).of(eq.lagrangian)[1] for s in states]
    if formulas["fully"]:
        need(free == list(range(len(states))), "admissible velocities alone")
        need(not any(changes), "the Lagrangian changes")
        return
    need(
        len(free) < len(states) - 1 and not any(c for k, c in enumerate(changes) if k not in free),
        "the Lagrangian changes",
    )
    need(any(changes[k] for k in free), "the Lagrangian does not change at any velocity")
