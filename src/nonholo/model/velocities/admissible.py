"""Admissible velocities v = V(x, z): independent speeds z, the basis W = ∂V/∂z of virtual velocities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.cache import WeakCache
from nonholo.algebra.calculus import ONE, ZERO, along, expand, gradient, jacobian, substitute, symbol, symbols, tidy
from nonholo.algebra.expression_types import Expr, Numbers, Symbol
from nonholo.algebra.kinks import smooth, without_equal_pieces
from nonholo.algebra.linear_equations import Ask, DependentRows, Matrix, evaluate, evaluate_matrix, identity, solve_rows
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame import rate, sample
from nonholo.model.declared_words import Parametric
from nonholo.model.real_domain import inside, roots_in
from nonholo.model.system import TIME, System, check_system, covector, known_parameters, resolve, velocity_table
from nonholo.model.velocities.linear_equivalents import cleared, half_line, without_monotone


@dataclass(frozen=True)
class Rows:
    """Velocity constraints ``φ(x, v, t) = 0`` with slopes ``A = ∂φ/∂v``; linear ones are ``A v = side``."""

    residuals: tuple[Expr, ...]
    slopes: Matrix
    sides: tuple[Expr, ...]
    linear: bool
    labels: tuple[str, ...]
    halves: tuple[tuple[str, Expr], ...] = ()
    """What is not negative where a constraint is linear on one half of the velocities, with its label: ``atan2(ẏ, ẋ) = θ``."""


@dataclass(frozen=True)
class Admissible:
    """Velocities that the constraints allow, ``v = velocity(x, speeds)``, and their virtual directions.

    When ``explicit`` is false the constraints are nonlinear and given by residuals: the speeds are all of ``v``,
    kept on ``rows.residuals = 0``, and ``basis`` spans the kernel of ``∂φ/∂v`` (Chetaev's virtual velocities).
    """

    speeds: tuple[Symbol, ...]
    velocity: tuple[Expr, ...]
    basis: Matrix
    rows: Rows
    explicit: bool
    forms: tuple[Expr, ...]
    """Each speed as an expression in ``(x, v)``, so that a start may be given in any velocities."""


_ROWS: WeakCache[Rows] = WeakCache(64)
_NEAT: WeakCache[Matrix] = WeakCache(64)


def constraint_rows(system: System) -> Rows:
    """All velocity constraints in the frame: the declared ones, and the rates of the holonomic ones."""
    return _ROWS.get(system, lambda: _rows(system))


def _rows(system: System) -> Rows:
    v = symbols(system.frame.velocities)
    residuals = list(resolve(system, system.constraints, f"{system.name}: constraints"))
    labels = [f"constraint {i + 1}" for i in range(len(residuals))]
    motion = {**dict(zip(symbols(system.coordinates), system.frame.rates)), TIME: ONE}
    for i, residual in enumerate(system.holonomic):
        residual = smooth(residual, f"{system.name}: holonomic constraint {i + 1}")
        residuals.append(along([residual], motion)[0])
        labels.append(f"rate of holonomic constraint {i + 1}")
    inner = set(v)
    slopes = []
    halves: list[tuple[str, Expr]] = []
    linear = True
    for k, residual in enumerate(residuals):
        parts = gradient(residual, v)
        if any(p.free_symbols & inner for p in parts):
            parts = tuple(map(without_equal_pieces, parts))
        if any(p.free_symbols & inner for p in parts):
            for other in (expand(residual), cleared(residual, inner), cleared(without_monotone(residual, inner), inner)):
                expanded = gradient(other, v)
                if not any(p.free_symbols & inner for p in expanded):
                    parts, residuals[k] = expanded, other
                    break
            else:
                half = half_line(residual, inner)
                row = gradient(half[0], v) if half is not None else parts
                if half is None or any(p.free_symbols & inner for p in row):
                    linear = False
                else:
                    parts, residuals[k] = row, half[0]
                    halves.append((labels[k], half[1]))
        slopes.append(parts)
    still = dict.fromkeys(v, ZERO)
    sides = tuple(-e for e in substitute(residuals, still)) if linear else ()
    return Rows(tuple(residuals), tuple(slopes), sides, linear, tuple(labels), tuple(halves))


def samples_of(system: System, at: Mapping[str, float] | None = None, count: int = 2) -> list[dict[str, float]]:
    """Generic configurations, velocities, inputs and parameters by name, where the formulas are real if such are found.

    The first one is at ``at`` where given, and has the system's own values.
    """
    bounds = domain_of(system)
    return [inside(lambda scale, k=k: _drawn(system, at, k, scale), bounds) for k in range(count)]  # type: ignore[misc]


def _drawn(system: System, at: Mapping[str, float] | None, k: int, scale: float) -> dict[str, float]:
    random = np.random.default_rng(77 + k)
    values = generic_numbers(system, (*system.parameters, *system.inputs, "t"), random, scale)
    if k == 0:
        values.update(known_parameters(system))
    values.update(dict(zip(system.velocities, min(scale, 1 / scale) * random.uniform(-1, 1, len(system.velocities)))))
    values.update(sample(system.frame, k))
    if k == 0 and at:
        values.update(at)
    return {n: float(e) for n, e in values.items()}


def generic_numbers(
    system: System, names: Sequence[str], random: np.random.Generator, scale: float = 1.0
) -> dict[str, float]:
    """Positive numbers about ``scale``, or near the system's own ones where numbers about 1 did not serve."""
    values = dict(zip(names, (scale * random.uniform(0.6, 1.6, len(names))).tolist()))
    if scale != 1.0:
        values.update({n: e * float(random.uniform(0.9, 1.1)) for n, e in known_parameters(system).items()})
    return values


_DOMAIN: WeakCache[tuple[Expr, ...]] = WeakCache(64)


def domain_of(system: System) -> tuple[Expr, ...]:
    """The roots, logarithms and inverse sines in the Lagrangian and the constraints, in ``(x, v, t)`` and parameters."""
    return _DOMAIN.get(system, lambda: _domain(system))


def _domain(system: System) -> tuple[Expr, ...]:
    written = (system.lagrangian, *system.constraints, *system.holonomic, *system.forces.values())
    found = roots_in(written, None)
    return tuple(substitute(found, velocity_table(system))) if found else ()


_GENERIC: WeakCache[dict[bool, Admissible]] = WeakCache(64)
"""By system: what is admissible at no place in particular, with declared quasi-velocities first or the frame's velocities."""


def admissible(
    system: System, at: Mapping[str, float] | None = None, frame_first: bool = False, ask: Ask | None = None
) -> Admissible:
    """The admissible velocities, in speeds chosen to be well conditioned at ``at`` (or generically).

    Declared quasi-velocities come first (unless ``frame_first``), then the frame's own velocities. Whatever the choice
    depends on is asked through ``ask``, see `nonholo.algebra.linear_equations.solve_rows`.
    """
    check_system(system)
    if at is not None or ask is not None:
        return _admissible(system, at, frame_first, ask)
    known = _GENERIC.get(system, dict)
    if frame_first not in known:
        known[frame_first] = _admissible(system, None, frame_first, None)
    return known[frame_first]


def _admissible(system: System, at: Mapping[str, float] | None, frame_first: bool, ask: Ask | None) -> Admissible:
    v = symbols(system.frame.velocities)
    if system.parametric is not None:
        return _parametric(system, system.parametric, v)
    rows = constraint_rows(system)
    require_few(system, rows)
    if rows.linear:
        return _linear(system, v, rows, at, frame_first, ask)
    return _nonlinear(system, v, rows, at, ask)


def require_few(system: System, rows: Rows) -> None:
    """A ModelError where there are more constraints than velocities."""
    count, most = len(rows.residuals), len(system.frame.velocities)
    if count > most:
        raise ModelError(
            f"{system.name}: {count} constraints on {most} velocities; at most {most} can be independent. Remove the ones that "
            "follow from the others.",
            key=_key(system, count - 1),
        )


def _parametric(system: System, parametric: Parametric, v: Sequence[Any]) -> Admissible:
    names, table = parametric
    z = symbols(names)
    velocity = tuple(smooth(table[str(s)], f"{system.name}: parametric {s}") for s in v)
    basis = jacobian(velocity, z)
    rows = Rows((), (), (), True, ())
    if system.holonomic:
        raise ModelError(f"{system.name}: parametric velocities already contain every constraint; remove holonomic.")
    numbers = [evaluate_matrix(basis, {**s, **_generic(names, k)}) for k, s in enumerate(samples_of(system))]
    rank = max(np.linalg.matrix_rank(n, tol=1e-9) for n in numbers)
    if rank < len(z):
        raise ModelError(
            f"{system.name}: the {len(z)} velocity parameters {', '.join(names)} give only {rank} independent "
            "directions; remove a parameter or change ψ."
        )
    return Admissible(z, velocity, basis, rows, True, ())


def _generic(names: Sequence[str], seed: int) -> dict[str, float]:
    random = np.random.default_rng(500 + seed)
    return dict(zip(names, random.uniform(0.3, 1.3, len(names)).tolist()))


def _steady(system: System) -> Any:
    moving = {*symbols(system.coordinates), *symbols(system.velocities), *symbols(system.inputs), TIME}

    def steady(entry: Expr) -> bool:
        return entry.is_Number or not (entry.free_symbols & moving)

    return steady


def _linear(
    system: System, v: Sequence[Any], rows: Rows, at: Mapping[str, float] | None, frame_first: bool, ask: Ask | None
) -> Admissible:
    samples = samples_of(system, at)
    chosen = [] if frame_first else _independent_forms(system, rows, samples, ask)
    names = [name for name, _ in chosen]
    # b cos² + b sin² must be seen to be b, a pivot that is the same everywhere
    slopes = _NEAT.get(rows, lambda: tuple(tuple(tidy(e) for e in row) for row in rows.slopes))
    table = [*slopes, *([tidy(e) for e in form] for _, form in chosen)]
    width = 1 + len(chosen)
    sides = [[side, *[ZERO] * len(chosen)] for side in rows.sides]
    sides += [[ONE if k == i + 1 else ZERO for k in range(width)] for i in range(len(chosen))]
    try:
        free, solution = (
            solve_rows(table, sides, samples[ask is not None :], _steady(system), ask, rows.residuals, v)
            if table
            else (list(range(len(v))), identity(len(v)))
        )
    except DependentRows as found:
        _refuse_still(system, rows)
        row = min(found.row, len(rows.labels) - 1)
        raise ModelError(_dependence(system, rows, at, row), key=_key(system, row)) from None
    speeds = (*(v[j] for j in free), *symbols(names))
    count = len(free)
    order = [*range(count), *(count + 1 + k for k in range(len(names)))]
    basis = tuple(tuple(row[k] for k in order) for row in solution)
    drift = tuple(row[count] if len(row) > count else ZERO for row in solution)
    velocity = tuple(_linear_sum(row, speeds) + d for row, d in zip(basis, drift))
    declared = dict(chosen)
    forms = [v[j] for j in free] + [_linear_sum(declared[n], v) for n in names]
    ordered = _in_declared_order(system, speeds)
    pick = [speeds.index(s) for s in ordered]
    return Admissible(
        ordered,
        velocity,
        tuple(tuple(row[k] for k in pick) for row in basis),
        rows,
        True,
        tuple(forms[k] for k in pick),
    )


def _key(system: System, row: int) -> tuple[str, int]:
    """The entry of the system that declares a row."""
    own = len(system.constraints)
    return ("constraints", row) if row < own else ("holonomic", row - own)


def _dependence(system: System, rows: Rows, at: Mapping[str, float] | None, row: int) -> str:
    """Why the constraints cannot be solved: here, at this time, with these parameters, or anywhere."""
    which = f"{system.name}: {rows.labels[row]} ({_meaning(system, rows, row)})"
    if not at:
        return f"{which} depends on the others; remove it."
    slopes = evaluate_matrix(rows.slopes, at)
    timed = any(TIME in e.free_symbols for e in rows.slopes[row])
    here = f"at t = {at['t']:g}" if timed and "t" in at else "at this configuration"
    if not np.all(np.isfinite(slopes)):
        return f"{which} has no finite numbers {here} (division by zero, root of a negative number); start elsewhere."
    elsewhere = {n: e for n, e in samples_of(system, count=2)[1].items() if n not in system.parameters}
    away = _unit_rows(evaluate_matrix(rows.slopes, {**at, **elsewhere}))
    if np.all(np.isfinite(away)) and np.linalg.matrix_rank(away, tol=1e-9) < len(away):
        used = [n for n in system.parameters if any(symbol(n) in e.free_symbols for e in rows.slopes[row])]
        numbers = f" with {', '.join(f'{n} = {at[n]:g}' for n in used if n in at)}" if used else ""
        return f"{which} depends on the others{numbers}; remove it{', or change these values' if used else ''}."
    start = "start at another time" if timed else "start elsewhere"
    if np.all(slopes[row] == 0):
        return f"{which} says nothing {here}, where its slopes in the velocities vanish, so no motion is determined; {start}."
    return f"{which} depends on the others {here}, so the motion is not determined; {start}, or remove it."


LONG = 200
"""Letters of a formula in a message."""


def _meaning(system: System, rows: Rows, row: int) -> str:
    """A row for messages: its contact, or its formula."""
    said = system.constraints[row] if row < len(system.constraints) else system.holonomic[row - len(system.constraints)]
    for law in system.contacts:
        if said in law.slip or said == law.gap:
            return f"contact {law.name}: {'no slip' if said in law.slip else 'it touches'}"
    text = str(rows.residuals[row])
    return f"{text} = 0" if len(text) < LONG else f"{text[:LONG]} … = 0"


def _in_declared_order(system: System, speeds: Sequence[Any]) -> tuple[Any, ...]:
    """Quasi-velocities as the user wrote them, then the frame's."""
    rank = {n: i for i, n in enumerate((*system.quasivelocities, *system.velocities))}
    return tuple(sorted(speeds, key=lambda s: rank[str(s)]))


def _linear_sum(row: Sequence[Expr], variables: Sequence[Any]) -> Expr:
    return sum((e * s for e, s in zip(row, variables) if e != 0), ZERO)


def _independent_forms(
    system: System, rows: Rows, samples: Sequence[Mapping[str, float]], ask: Ask | None
) -> list[tuple[str, tuple[Expr, ...]]]:
    """The declared quasi-velocities that stay independent on the admissible velocities, in their order."""
    if not system.quasivelocities:
        return []
    forms = {name: covector(system, name) for name in system.quasivelocities}
    table = [*rows.slopes, *forms.values()]
    rule = _Independent(len(rows.slopes), len(table), tuple(evaluate_matrix(table, s) for s in samples[1:]))
    exprs = [e for row in table for e in row]
    kept = ask(rule, exprs) if ask is not None else rule(evaluate(exprs, samples[0]))
    names = list(forms)
    return [(names[i], forms[names[i]]) for i in kept]


@dataclass(frozen=True, eq=False)
class _Independent:
    """The rule: which forms are independent of the constraints and of those before them, here and at the other places."""

    height: int
    total: int
    others: tuple[Numbers, ...]

    def __call__(self, flat: Numbers) -> tuple[int, ...]:
        matrices = (flat.reshape(self.total, -1), *self.others)
        kept: list[int] = []
        for i in range(self.total - self.height):
            trial = [*range(self.height), *(self.height + k for k in (*kept, i))]
            if all(np.linalg.matrix_rank(_unit_rows(m[trial]), tol=1e-9) == len(trial) for m in matrices):
                kept.append(i)
        return tuple(kept)


def _unit_rows(matrix: Any) -> Any:
    length = np.linalg.norm(matrix, axis=1, keepdims=True)
    return matrix / np.where(length == 0, 1, length)


def _refuse_still(system: System, rows: Rows) -> None:
    for k, (label, residual, slope) in enumerate(zip(rows.labels, rows.residuals, rows.slopes)):
        if all(e == 0 for e in slope):
            raise ModelError(
                f"{system.name}: {label} ({residual} = 0) holds no velocity; a relation between the coordinates alone "
                "belongs to holonomic.",
                key=_key(system, k),
            )


def _nonlinear(
    system: System, v: Sequence[Any], rows: Rows, at: Mapping[str, float] | None, ask: Ask | None
) -> Admissible:
    samples = samples_of(system, at)
    try:
        free, solution = solve_rows(rows.slopes, [[ZERO]] * len(rows.slopes), samples[ask is not None :], _steady(system), ask)
    except DependentRows as found:
        _refuse_still(system, rows)
        where = f"{system.name}: {rows.labels[found.row]} ({rows.residuals[found.row]} = 0)"
        raise ModelError(
            f"{where} is singular at this state: its slope in the velocities vanishes or depends on the others, so the "
            "motion is not determined. Start elsewhere, or choose a branch: simulate(…, branch=\"I\")."
            if at
            else f"{where} depends on the others; remove it.",
            key=_key(system, found.row),
        ) from None
    basis = tuple(row[: len(free)] for row in solution)
    return Admissible(tuple(v), tuple(v), basis, rows, False, tuple(v))


def dependent_names(system: System) -> tuple[str, ...]:
    """Every velocity name: rates of the coordinates, frame velocities, quasi-velocities."""
    rates = tuple(rate(c) for c in system.coordinates)
    return tuple(dict.fromkeys((*rates, *system.velocities, *system.quasivelocities)))


def named_velocities(system: System, velocity: Mapping[Any, Expr]) -> dict[str, Expr]:
    """All velocity names as expressions, after the frame's velocities are replaced by ``velocity``."""
    exprs = resolve(system, [symbol(n) for n in dependent_names(system)])
    return dict(zip(dependent_names(system), substitute(exprs, velocity)))
