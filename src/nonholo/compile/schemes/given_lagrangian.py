"""The step of a discrete Lagrangian that the user writes, with constraints of his own.

    D₁L_d(q_k, q_{k+1}) + D₂L_d(q_{k−1}, q_k) + f⁺ + f⁻ ∈ D°(q_k),        ω_d(q_k, q_{k+1}) = 0        [Zenkov 2016 (5.1), (5.4)]

The memory is the momentum at the node as an admissible velocity ``v``: ``∂L/∂q̇(q_k, v_k) = D₂L_d(q_{k−1}, q_k) + f⁺ + Aᵀμ``.
Forces that are not in L act by halves from the middle of the step, ``f^± = h/2 Q(q_{1/2}, (q_{k+1} − q_k)/h)``
[Marsden and West 2001 §3.2].
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial

import numpy as np

from nonholo.algebra.calculus import ZERO, gradient, jacobian, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.linear_equations import evaluate_matrix
from nonholo.compile.schemes.scheme import Scheme, Step, Writer, stacked
from nonholo.errors import ModelError
from nonholo.model.system import System, force_covector
from nonholo.model.velocities.admissible import samples_of
from nonholo.notation.read import expression
from nonholo.program.program import Program
from nonholo.program.program_values import Values, inlined
from nonholo.program.translate import translate

NAME = "discrete_lagrangian"
STEP = 0.07
"""The step at which a discrete Lagrangian is checked for singularity."""


def principle_of(lagrangian: str, constraints: Sequence[str]) -> str:
    """The name of the scheme of a discrete Lagrangian, from which it can be written again.

    >>> principle_of("(q1 - q0)**2/(2*h)", ())
    'discrete_lagrangian ["(q1 - q0)**2/(2*h)", []]'
    """
    return f"{NAME} {json.dumps([lagrangian, list(constraints)])}"


def scheme_of(principle: str) -> Scheme:
    """The scheme of such a name."""
    lagrangian, constraints = json.loads(principle.partition(" ")[2])
    return Scheme(principle, partial(_write_step, lagrangian, tuple(constraints)), covectors="rattle", times=(0.0, 0.5, 1.0))


def node_names(system: System) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the coordinates at both ends of a step: ``x0``, ``x1`` for ``x``."""
    first, second = tuple(f"{c}0" for c in system.coordinates), tuple(f"{c}1" for c in system.coordinates)
    taken = {*system.coordinates, *system.parameters, *system.inputs, "h", "t"}
    clash = next((n for n in (*first, *second) if n in taken), "h" if "h" in (*system.parameters, *system.coordinates) else "")
    if clash:
        raise ModelError(
            f"{system.name}: in a discrete Lagrangian {clash!r} would mean two things (x0, x1 are the ends of a step, h is the "
            "step); rename the coordinate or parameter."
        )
    return first, second


def read_discrete(system: System, lagrangian: str, constraints: Sequence[str]) -> tuple[Expr, tuple[Expr, ...]]:
    """``L_d`` and the residuals ``ω_d`` as expressions in the names of `node_names`, parameters, ``h`` and ``t``."""
    first, second = node_names(system)
    known = (*first, *second, *system.parameters, "h", "t")
    density = expression(lagrangian, known, f"{system.name}: discrete Lagrangian")
    rows = tuple(expression(c, known, f"{system.name}: discrete constraint {k + 1}") for k, c in enumerate(constraints))
    if rows and len(rows) != len(system.constraints):
        raise ModelError(
            f"{system.name}: {len(rows)} discrete constraints where the system has {len(system.constraints)}; give one for each."
        )
    _refuse_singular(system, density, rows)
    return density, rows


def _refuse_singular(system: System, density: Expr, rows: Sequence[Expr]) -> None:
    """Refuse what does not determine ``q1``: ``D₁D₂L_d`` on the directions that the constraints leave."""
    first, second = (symbols(names) for names in node_names(system))
    cross = jacobian(gradient(density, first), second)
    worst = 0.0
    for place in samples_of(system):
        here = {**place, "h": STEP, "t": 0.3}
        here |= {f"{c}0": place[c] for c in system.coordinates}
        here |= {f"{c}1": place[c] + STEP * place[v] for c, v in zip(system.coordinates, system.velocities)}
        matrix = evaluate_matrix(cross, here)
        slopes = evaluate_matrix(jacobian(rows, second), here) if rows else np.zeros((0, len(second)))
        if rows:
            _, sizes, turned = np.linalg.svd(slopes)
            if min(sizes) < 1e-9 * max(1.0, max(sizes)):
                raise ModelError(f"{system.name}: the discrete constraints do not say where a step ends (∂ω_d/∂q1 loses rank).")
            matrix = matrix @ turned[len(rows):].T
        if not matrix.size:
            return
        sizes = np.linalg.svd(matrix, compute_uv=False)
        worst = max(worst, float(sizes[-1] / sizes[0]) if np.all(np.isfinite(sizes)) and sizes[0] > 0 else 0.0)
    if worst < 1e-11:
        raise ModelError(
            f"{system.name}: the discrete Lagrangian is singular: D₁D₂L_d cannot be inverted along the directions left by the "
            "constraints, so q1 does not follow from q0 and the momentum."
        )


def _write_step(lagrangian: str, constraints: Sequence[str], w: Writer) -> Step:
    system = w.equations.system
    if system is None:
        raise ModelError(f"{w.equations.name}: a discrete Lagrangian needs the system, not equations alone.")
    density, rows = read_discrete(system, lagrangian, constraints)
    first, second = (symbols(names) for names in node_names(system))
    w.more["applied"] = force_covector(system)
    w.more["holonomic"] = tuple(system.holonomic)
    count, width, own = len(w.x), len(w.equations.mass) - len(w.x), len(system.constraints)
    move, push, gain, other = w.unknown(count), w.unknown(width), w.unknown(count), w.unknown(width)
    new = w.x + move
    node, last = w.at(w.x, w.z, 0), w.at(new, w.z + gain, 2)
    middle = w.at(w.x + 0.5 * move, move / w.h, 1)
    slopes = [*gradient(density, first), *gradient(density, second), *rows]
    known = (*symbols(("h", "t")), *first, *second, *w.equations.parameters)
    found = _inline(slopes, known, [w.h, w.t, *w.x, *new, *w.parameters])
    begin, end, omega = found[:count], found[count : 2 * count], found[2 * count :]
    half = 0.5 * w.h * middle.of("applied") if any(e != ZERO for e in w.more["applied"]) else 0.0 * w.z
    before, after = -begin - half - node.momenta, last.momenta - end - half
    if width:
        before, after = before - push @ node.mass[count:, :count], after - other @ last.mass[count:, :count]
    if not rows:
        omega = middle.residuals[:own]
    if system.holonomic:
        omega = stacked(omega, last.of("holonomic"))
    return Step(
        stacked(w.h * w.z + 0.5 * w.h * w.h * w.z_rate, 0.0 * push, w.h * w.z_rate, 0.0 * other),
        stacked(before, omega, after, last.residuals),
        stacked(move, gain),
    )


def _inline(exprs: Sequence[Expr], known: Sequence[Symbol], arguments: Sequence[object]) -> Values:
    program = Program(fixed=len(known))
    outputs = translate(program, {s: i for i, s in enumerate(known)}, exprs)
    return inlined(program, outputs, arguments)  # type: ignore[arg-type]
