"""What a reduction says about itself: dimensions, special cases, reversibility, two routes to the same equations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nonholo.algebra.calculus import gradient, substitute, symbols
from nonholo.algebra.linear import dot, evaluate
from nonholo.derive.equations import Equations
from nonholo.finding import Finding, bounded
from nonholo.model.system import System
from nonholo.symmetry.aligned import Aligned
from nonholo.symmetry.coefficients import Coefficients, momentum_side
from nonholo.symmetry.invariant import Basis
from nonholo.symmetry.quotient import is_small
from nonholo.symmetry.shape import Shape

Expr = Any


def findings_of(
    system: System,
    shape: Shape,
    basis: Basis,
    frame: Aligned,
    numbers: Coefficients | None,
    equations: Equations,
    momenta: Sequence[str],
    rates: Sequence[str],
    momentum: Sequence[Expr],
) -> tuple[Finding, ...]:
    """Findings of the reduction, besides those on invariance."""
    size, h, m = len(system.velocities), frame.horizontal, frame.vertical
    result = [
        Finding(
            "dimension assumption D + V = TQ",
            "holds" if h == shape.size else "fails",
            f"dim Q = {size}, dim D = {h + m}, dim S = {m}, dim Q/G = {shape.size}",
            "ranks at random configurations [MacDonnell 1997, 6.2.7]",
        )
    ]
    if m == 0:
        result.append(Finding("purely kinematic: S = 0, the shape alone moves the group", "holds"))
    if h == 0:
        result.append(Finding("no shape: the motion is on the group alone (Euler–Poincaré–Suslov)", "holds"))
    if numbers is not None and m and not any(e != 0 for e in frame.data.forces):
        result.append(_routes(frame, numbers, momenta, rates, momentum))
    result.append(_reversible(frame, equations))
    if m and is_small(_polynomial(momentum, momenta, rates), frame.data.samples):
        result.append(Finding("every momentum of the basis is conserved", "holds", None, "ṗ = 0 at random shapes"))
    return tuple(result)


def _polynomial(momentum: Sequence[Expr], momenta: Sequence[str], rates: Sequence[str]) -> list[Expr]:
    random = np.random.default_rng(5)
    names = symbols((*momenta, *rates))
    return [e for _ in range(3) for e in substitute(momentum, {s: float(random.uniform(-1, 1)) for s in names})]


def _routes(
    frame: Aligned, numbers: Coefficients, momenta: Sequence[str], rates: Sequence[str], momentum: Sequence[Expr]
) -> Finding:
    """The momentum equation by brackets in D alone, and by (4.10) with the coefficients of the connection."""
    other = momentum_side(numbers, symbols(momenta), symbols(rates))
    random = np.random.default_rng(11)
    worst = 0.0
    for place in frame.data.samples:
        values = {**place, **{n: float(random.uniform(-1, 1)) for n in (*momenta, *rates)}}
        one, two = evaluate(list(momentum), values), evaluate(list(other), values)
        worst = max(worst, float(np.max(np.abs(one - two)) / (1 + np.max(np.abs(one)))))
    return bounded(
        "momentum equation (4.10) agrees with brackets inside D", worst, 1e-9, "largest relative gap at random shapes"
    )


def _reversible(frame: Aligned, equations: Equations) -> Finding:
    """Proposition 4.3 of BMZ 2009: ``(t, ṙ, p) → (−t, −ṙ, −p)`` leaves the equations as they are."""
    speeds = equations.speeds
    odd = substitute(equations.force, {s: -s for s in speeds})
    random = np.random.default_rng(2)
    worst = 0.0
    for place in frame.data.samples:
        values = {**place, **{str(s): float(random.uniform(-1, 1)) for s in speeds}}
        one, two = evaluate(list(equations.force), values), evaluate(list(odd), values)
        worst = max(worst, float(np.max(np.abs(one - two), initial=0.0) / (1 + np.max(np.abs(one), initial=0.0))))
    return bounded(
        "time reversible", worst, 1e-9, "the forces do not change with the sign of the velocities [BMZ 2009, 4.3]"
    )


def witness_gap(reduction: Any, state: Any, parameters: Any, rates: Any) -> float:
    """How far the reduced speeds' rates are from those of another derivation at one full state.

    ``rates`` are that derivation's, by name; the reduced speeds are functions of the coordinates and velocities, so
    the chain rule gives their rates without using the reduced equations.
    """
    from nonholo.symmetry.reconstruct import speeds_of

    system: System = reduction.system
    forms = speeds_of(reduction)
    names = (*system.coordinates, *system.velocities)
    moved = [dot(gradient(f, symbols(names)), symbols(f"_d{i}" for i in range(len(names)))) for f in forms.values()]
    values = {**parameters, **state, **{f"_d{i}": rates[n] for i, n in enumerate(names)}}
    expected = evaluate(moved, values)
    begin = {**state, **dict(zip(forms, evaluate(list(forms.values()), values).tolist()))}
    known = {*reduction.reconstruction.state, *map(str, reduction.reconstruction.inputs), "t"}
    found = reduction.reconstruction.rates({n: begin[n] for n in known if n in begin}, parameters)
    gaps = [abs(found[n] - e) for n, e in zip(forms, expected)]
    return float(max(gaps, default=0.0) / (1 + np.max(np.abs(expected), initial=0.0)))
