"""From a system and a start to a kernel in a frame that is good where the motion is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, substitute, symbol, symbols
from nonholo.algebra.door import expression, is_formula
from nonholo.algebra.kinds import Expr
from nonholo.algebra.linear import evaluate
from nonholo.compile.kernel import Kernel, compile_equations
from nonholo.derive.discrete import covectors, node_equations
from nonholo.derive.equations import Equations
from nonholo.derive.evaluate import state_vector
from nonholo.derive.forms import form_named
from nonholo.derive.hamel import assemble
from nonholo.errors import StateError
from nonholo.model.admissible import Admissible, admissible
from nonholo.model.system import System, check_system, known_names, resolve, varied

WORSE = 0.04
"""The frame is changed when its conditioning has fallen to this part of what it was when it was chosen."""


@dataclass(frozen=True)
class Prepared:
    """Equations, their machine code, the state vector to start from, and how well conditioned the frame is."""

    equations: Equations
    kernel: Kernel
    state: np.ndarray[Any, np.dtype[np.float64]]
    condition: float
    """``1/(1 + Σ W²)`` of the basis at the start: small when the chosen speeds degenerate; 1 without a choice."""

    @property
    def principle(self) -> str:
        """The discrete principle it was prepared for."""
        return self.equations.covectors.principle if self.equations.covectors is not None else ""

    @property
    def thresholds(self) -> tuple[float, ...]:
        """Below these the frame should be chosen anew."""
        return (self.condition * WORSE,) if self.kernel.guarded else ()


def with_feedback(system: System, inputs: Mapping[str, Any]) -> tuple[System, dict[str, Any]]:
    """Inputs that are expressions of the state are put into forces and constraints; the others stay inputs.

    What is not given is as the system's own ``signals`` say.
    """
    check_system(system)
    given = {**system.signals, **inputs}
    stray = [n for n in given if n not in system.inputs]
    if stray:
        raise StateError(
            f"{system.name}: no input is called {stray[0]!r}; it has {', '.join(system.inputs) or 'none'}."
        )
    known = tuple(n for n in known_names(system) if n not in system.inputs)
    laws = {
        symbol(n): expression(e, known, f"{system.name}: input {n}")
        for n, e in given.items()
        if is_formula(e)
    }
    others = {n: e for n, e in given.items() if symbol(n) not in laws}
    if not laws:
        return system, others

    def put(exprs: Any) -> tuple[Expr, ...]:
        return substitute(exprs, laws)

    return (
        varied(
            system,
            inputs=tuple(n for n in system.inputs if symbol(n) not in laws),
            signals={},
            lagrangian=put([system.lagrangian])[0],
            constraints=put(system.constraints),
            forces=dict(zip(system.forces, put(system.forces.values()))),
            magnetic=dict(zip(system.magnetic, put(system.magnetic.values()))),
            parametric=None
            if system.parametric is None
            else (system.parametric[0], dict(zip(system.parametric[1], put(system.parametric[1].values())))),
        ),
        others,
    )


def prepare(
    system: System,
    form: str,
    state: Mapping[str, float],
    parameters: Mapping[str, float],
    frame_first: bool = False,
    principle: str = "",
) -> Prepared:
    """Derive in speeds that are well conditioned at ``state`` and compile, with the covectors of a discrete principle."""
    if principle and form != "hamel":
        raise StateError(f'{system.name}: method {principle} discretises a principle, not equations; leave out form="{form}".')
    guard: tuple[Expr, ...] = ()
    condition = 1.0
    if principle == "rattle":
        equations = node_equations(system)
    elif form == "hamel":
        allowed = admissible(system, {**parameters, **state}, frame_first)
        equations = assemble(system, allowed, "hamel")
        if principle:
            equations = replace(equations, covectors=covectors(system, allowed, equations, principle))
        guard = _guard(system, allowed)
    else:
        equations = form_named(form, system.name)(system, {**parameters, **state})
    known = {*equations.state, *equations.outputs, *map(str, equations.inputs), "t"}
    start = state_vector(equations, {n: e for n, e in state.items() if n in known}, parameters)
    if guard:
        values = {**parameters, **state, **dict(zip(equations.state, start))}
        condition = float(evaluate(guard, values)[0])
    return Prepared(equations, compile_equations(equations, conditions=guard), np.array(start), condition)


def _guard(system: System, allowed: Admissible) -> tuple[Expr, ...]:
    """``1/(1 + Σ W²)`` when the basis has denominators that may vanish along the motion, else nothing."""
    moving = {*symbols(system.coordinates), *symbols(system.velocities), *allowed.speeds}
    entries = [e for row in allowed.basis for e in row if _has_denominator(e, moving)]
    return (ONE / (1 + se.Add(*(e**2 for e in entries))),) if entries and system.parametric is None else ()


def _has_denominator(entry: Expr, moving: set[Any]) -> bool:
    return any(
        p.args[1].is_Number and p.args[1].is_negative and p.args[0].free_symbols & moving for p in entry.atoms(se.Pow)
    )


def better_frame(
    system: System, state: Mapping[str, float], parameters: Mapping[str, float], old: Prepared
) -> Prepared:
    """Another adapted frame at this state, or the old one with its threshold lowered when none is better."""
    candidates = [
        prepare(system, "hamel", state, parameters, first, old.principle)
        for first in ((False, True) if system.quasivelocities else (False,))
    ]
    best = max(candidates, key=lambda c: c.condition)
    here = float(evaluate(old.kernel.guarded, {**parameters, **state})[0])
    if best.condition > 2 * here:
        return best
    start = state_vector(old.equations, {n: state[n] for n in old.equations.state}, parameters)
    return replace(old, state=np.array(start), condition=here * WORSE)


def event_expression(system: System, equations: Equations, text: Any, where: str) -> Expr:
    """An expression in any names of the system, as a function of the equations' own state."""
    extra = tuple(n for n in (*equations.outputs, *equations.state) if n not in known_names(system))
    parsed = expression(text, (*known_names(system), *extra, "energy"), where)
    table = {symbol(n): e for n, e in equations.outputs.items()}
    parsed = substitute([parsed], {symbol("energy"): equations.energy} if "energy" not in system.parameters else {})[0]
    state = set(symbols(equations.state))
    (resolved,) = substitute([parsed], {s: e for s, e in table.items() if s not in state})
    left = {str(s) for s in resolved.free_symbols} - {
        *equations.state,
        *map(str, equations.parameters),
        *map(str, equations.inputs),
        "t",
    }
    if left:
        (resolved,) = substitute(resolve(system, [parsed]), {s: e for s, e in table.items() if s not in state})
    return resolved
