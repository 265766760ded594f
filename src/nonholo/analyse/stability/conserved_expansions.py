"""First integrals near a steady motion: values, gradients and Hessians.

A body that turns freely keeps its momentum in space, which every turn of the space changes; its square is left alone and is
what decides about steady rotations (Casimir's function of so(3); Arnold 1966).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from nonholo.algebra.cache import Cache
from nonholo.algebra.calculus import symbols
from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.subspaces import kernel
from nonholo.analyse.flow.state_flow import Flow, onto_bound
from nonholo.errors import NonholoError
from nonholo.finding import Finding, integral_name, is_energy
from nonholo.model.system import System
from nonholo.model.system_structure import structure
from nonholo.program.derivative import jacobian
from nonholo.program.interpret import Interpreter
from nonholo.program.machine_code import checked
from nonholo.program.partials import NoDerivative
from nonholo.program.program import Program
from nonholo.program.translate import NoMachineCode, translate
from nonholo.symmetry.integrals.integrals import integrals
from nonholo.symmetry.integrals.ode.numeric_momentum import NumericMomentum

MOST = 8
"""Largest number of momenta of which invariant forms are sought."""
ALIKE = 1e-8
"""Changes of unit forms below this are none."""
STEP = 2e-3
"""Step of the differences for integrals that are known as numbers alone; their error is near 1e-9."""
CONSTANT = 1e-8
"""A rate or a change along the symmetry below this, beside its terms, is none."""


def invariant_forms(flow: Flow, state: Numbers, momenta: Sequence[Expr], alone: int = 0) -> Numbers:
    """Symmetric matrices Q (a stack) with ``ξ_a[Q_ij P_i P_j] = 0`` for every generator, measured at states nearby.

    The last ``alone`` of the momenta are invariant themselves: they enter by products with others.
    """
    count = len(momenta)
    pairs = [(i, j) for i, j in combinations_with_replacement(range(count), 2) if i < count - alone]
    if not 1 < count <= MOST or not len(flow.fields):
        return np.zeros((0, count, count))
    states = onto_bound(flow, state + np.random.default_rng(4).uniform(-0.3, 0.3, (2 * len(pairs), flow.size)))
    values, slopes = flow.valued(list(momenta), states)
    turned = np.einsum("kpi,kai->kap", slopes, flow.generator_fields(states)[0])
    rows = np.array([values[:, None, i] * turned[:, :, j] + values[:, None, j] * turned[:, :, i] for i, j in pairs])
    table = rows.reshape(len(pairs), -1).T
    table = table[np.all(np.isfinite(table), axis=1)]
    forms = np.zeros((0, count, count))
    for weights in _plain(kernel(table, ALIKE)).T:
        form = np.zeros((count, count))
        for w, (i, j) in zip(weights, pairs):
            form[i, j] += w / 2
            form[j, i] += w / 2
        forms = np.concatenate([forms, form[None]])
    return forms


def _plain(basis: Numbers) -> Numbers:
    """The same space with each column 1 in a place where the others are 0."""
    if not basis.shape[1]:
        return basis
    places: list[int] = []
    left = basis.copy()
    for _ in range(basis.shape[1]):
        sizes = np.round(np.linalg.norm(left, axis=1), 9)
        places.append(int(np.argmax(sizes)))
        row = left[places[-1]] / np.linalg.norm(left[places[-1]])
        left = left - np.outer(left @ row, row)
    found = basis @ np.linalg.inv(basis[places])
    return np.where(np.abs(found) < ALIKE, 0.0, found)


def form_text(form: Numbers, names: Sequence[str]) -> str:
    """A form as text.

    >>> form_text(np.eye(2), ["a", "b"]), form_text(np.array([[0, 1.5], [1.5, 0]]), ["a", "b"])
    ('(a)² + (b)²', '3·(a)·(b)')
    """
    parts = []
    for i, j in combinations_with_replacement(range(len(names)), 2):
        weight = float(form[i, j]) * (1 if i == j else 2)
        if abs(weight) > 1e-9:
            factor = "" if abs(weight - 1) < 1e-9 else f"{weight:.4g}·"
            parts.append(factor + (f"({names[i]})²" if i == j else f"({names[i]})·({names[j]})"))
    return " + ".join(parts)


@dataclass(frozen=True, eq=False)
class Conserved:
    """An integral near a state: its slope and second derivatives by the state variables."""

    name: str
    value: float
    slope: Numbers
    second: Numbers
    proved: bool
    """Whether it was proved to be constant."""


_FOUND: Cache[tuple[Finding, ...]] = Cache(32)


def integrals_of(system: System, parameters: Mapping[str, float]) -> tuple[Finding, ...]:
    """`integrals`, searched once for a system and its values."""
    key = (structure(system), system.symmetry, tuple(sorted(parameters.items())), tuple(sorted(system.start.items())))

    def search() -> tuple[Finding, ...]:
        try:
            return tuple(f for f in integrals(system, parameters=parameters) if f and f.expression is not None)
        except NonholoError:
            return ()

    return _FOUND.get(key, search)


def conserved(flow: Flow, state: Numbers, known: Sequence[Finding]) -> list[Conserved]:
    """The integrals that are invariant under the symmetry, with their derivatives at a state; they may be dependent.

    Of those that it turns among themselves the quadratic forms that it leaves alone.
    """
    result, momenta = [], []
    tests = onto_bound(flow, state + np.random.default_rng(3).uniform(-0.1, 0.1, (6, flow.size)))
    for finding in known:
        try:
            exprs = _expressions(flow, finding)
            found = _expansion(flow, state, finding, exprs)
            kept, alone = _constant(flow, finding, exprs, tests)
        except (NonholoError, NoDerivative, NoMachineCode, ValueError, ArithmeticError):
            continue
        if found is not None and kept and np.all(np.isfinite(found.second)) and np.all(np.isfinite(found.slope)):
            if alone:
                result.append(found)
            if not isinstance(finding.expression, NumericMomentum) and found.name != "energy":
                momenta.append((found, finding, alone))
    return [*result, *_squares(flow, state, sorted(momenta, key=lambda m: m[2]))]


def _squares(flow: Flow, state: Numbers, texts: Sequence[tuple[Conserved, Finding, bool]]) -> list[Conserved]:
    """``Q_ij P_i P_j`` with its derivatives, for the forms that the symmetry leaves alone."""
    alone = sum(left for _, _, left in texts)
    if len(texts) == alone:
        return []
    momenta = [one for one, _, _ in texts]
    values, slopes, seconds = (np.array([getattr(one, n) for one in momenta]) for n in ("value", "slope", "second"))
    result = []
    for form in invariant_forms(flow, state, flow.expressions([f.expression for _, f, _ in texts], "integral"), alone):
        pulled = form @ values
        second = 2 * (np.einsum("p,pij->ij", pulled, seconds) + slopes.T @ form @ slopes)
        name = form_text(form, [one.name for one in momenta])
        name = name if len(name) < 60 else "a quadratic form of momenta that the symmetry turns"
        proved = all(one.proved for one in momenta)
        result.append(Conserved(name, float(values @ pulled), 2 * slopes.T @ pulled, second, proved))
    return result


def _expressions(flow: Flow, finding: Finding) -> list[Expr]:
    """The integral as a function of the flow's own state; the energy is that of its equations, in their own speeds."""
    if isinstance(finding.expression, NumericMomentum):
        return []
    if is_energy(finding):
        return [flow.kernel.equations.energy]
    return flow.expressions([finding.expression], "integral")


def _expansion(flow: Flow, state: Numbers, finding: Finding, exprs: Sequence[Expr]) -> Conserved | None:
    name = integral_name(finding)
    name = name if len(name) < 60 else f"{name[:57]}…"
    momentum = finding.expression
    if isinstance(momentum, NumericMomentum):
        value, slope, second = _by_differences(lambda states: _many(flow, momentum, states), state)
        return Conserved(name, value, slope, second, False)
    values, slopes, seconds = second_derivatives(flow, exprs, state)
    return Conserved(name, float(values[0]), slopes[0], seconds[0], finding.proved)


def _many(flow: Flow, momentum: NumericMomentum, states: Numbers) -> Numbers:
    fixed = dict(flow.parameters)
    return np.asarray(momentum.many([{**fixed, **flow.full(s)} for s in states]))


def _by_differences(function: Any, state: Numbers) -> tuple[float, Numbers, Numbers]:
    """Value, slopes and second derivatives by central differences of order four (for the slopes) and two, refined once.

    Only for integrals that are known as numbers (panels of polynomials, `NumericMomentum`): they are no program.
    """
    n = len(state)
    unit = np.eye(n) * STEP
    pairs = [(i, j) for i in range(n) for j in range(i + 1)]
    shifts = [state, *(state + k * unit[i] for i in range(n) for k in (-2, -1, 1, 2))]
    for i, j in pairs:
        for k in (1, 2):
            shifts += [state + k * (a * unit[i] + b * unit[j]) for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1))]
    values = function(np.array(shifts))
    single = values[1 : 1 + 4 * n].reshape(n, 4)
    slope = (single[:, 0] - 8 * single[:, 1] + 8 * single[:, 2] - single[:, 3]) / (12 * STEP)
    mixed = values[1 + 4 * n :].reshape(-1, 2, 4) @ np.array([1.0, -1.0, -1.0, 1.0]) / (4 * STEP**2)
    refined = (4 * mixed[:, 0] - mixed[:, 1] / 4) / 3
    second = np.zeros((n, n))
    for (i, j), e in zip(pairs, refined):
        second[i, j] = second[j, i] = e
    return float(values[0]), slope, second


def second_derivatives(flow: Flow, exprs: Sequence[Expr], state: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Expressions of the state, their slopes and second derivatives at a state: derivatives of the program, twice."""
    inputs = flow.kernel.symbols
    ready = checked(inputs, list(exprs), f"{flow.name}: second derivatives")
    program = Program(fixed=len(inputs))
    outputs = translate(program, {s: i for i, s in enumerate(inputs)}, ready)
    places = [program.put("input", detail=inputs.index(s)) for s in symbols(flow.names)]
    slopes = jacobian(program, outputs, places)
    seconds = [jacobian(program, row, places) for row in slopes]
    count, n = len(exprs), flow.size
    wanted = [*outputs, *(i for row in slopes for i in row), *(i for one in seconds for row in one for i in row)]
    numbers = Interpreter(program, wanted)(flow.rows(state[None]))[0]
    cut = count + count * n
    return numbers[:count], numbers[count:cut].reshape(count, n), numbers[cut:].reshape(count, n, n)


def _constant(flow: Flow, finding: Finding, exprs: Sequence[Expr], states: Numbers) -> tuple[bool, bool]:
    """Whether the motion does not change it, and whether the symmetry does not, at states nearby."""
    momentum = finding.expression
    if isinstance(momentum, NumericMomentum):
        slopes = np.array([_by_slope(flow, momentum, s) for s in states[:2]])
        states = states[:2]
    else:
        slopes = flow.valued(exprs, states)[1][:, 0]
    fields = np.concatenate([flow.rates(states)[:, None], flow.generator_fields(states)[0]], axis=1)
    change = np.abs(np.einsum("ki,kai->ka", slopes, fields))
    size = np.einsum("ki,kai->ka", np.abs(slopes), np.abs(fields)) + 1e-12
    limit = 1e-5 if isinstance(momentum, NumericMomentum) else CONSTANT
    good = np.all(np.isfinite(change), axis=1)
    still = change[good] <= limit * size[good] + 1e-12
    return bool(np.any(good) and np.all(still[:, 0])), bool(np.all(still[:, 1:]))


def _by_slope(flow: Flow, momentum: NumericMomentum, state: Numbers) -> Numbers:
    steps = np.eye(flow.size) * STEP
    shifts = np.array([state + k * s for s in steps for k in (-2, -1, 1, 2)])
    values = _many(flow, momentum, shifts).reshape(flow.size, 4)
    return np.asarray((values[:, 0] - 8 * values[:, 1] + 8 * values[:, 2] - values[:, 3]) / (12 * STEP))
