"""Compare methods on the steady motions of a system: fixed points and their stability. [Zenkov 2016, Theorem 5.3]"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.linear_equations import evaluate
from nonholo.algebra.subspaces import kernel
from nonholo.compile.schemes import scheme_named
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import hamel
from nonholo.derive.states.consistent_state import complete_state
from nonholo.errors import NonholoError, StateError
from nonholo.integrate.methods import method as method_by_name
from nonholo.integrate.methods import method_kind, registered_methods
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.simulate import simulate
from nonholo.integrate.results.quantity_arrays import departure
from nonholo.model.declared_words import Option
from nonholo.model.system import DURATION, System, check_system, parameter_values

METHODS = ("hamel", "dlagrange_dalembert", "rattle", "verlet", "energy_exact", "rk4")
"""Methods compared by default."""
STEADY = 1e-8
"""What changes by less along the accurate motion is steady, relative to its size."""
KEPT = 1e-9
SMALL = 1e-5
NEUTRAL = 1e-6
"""A multiplier whose modulus is this near to 1, per step, neither grows nor decays."""
STEPS = 20


@dataclass(frozen=True)
class SteadyRow:
    """One method at a steady motion."""

    method: str
    departure: float
    """How far the steady quantities move in `STEPS` steps; not a number where the method does not apply."""
    growth: float
    """The logarithm of the largest multiplier besides those of the family, per time."""
    keeps: bool
    """Whether the steady motion is one of the discrete system too."""
    keeps_stability: bool | None
    """Whether it attracts, repels or does neither as the true one; None where that was not measured."""
    note: str = ""


@dataclass(frozen=True)
class SteadyComparison:
    """Methods at one steady motion: which keep it, and its stability."""

    name: str
    steady: tuple[str, ...]
    """The state variables that the true motion leaves alone."""
    step: float
    growth: float
    """Of the true motion."""
    rows: tuple[SteadyRow, ...]

    def __getitem__(self, method: str) -> SteadyRow:
        for row in self.rows:
            if row.method == method:
                return row
        raise StateError(f"compare methods: no {method!r}; compared were {', '.join(r.method for r in self.rows)}.")

    def __str__(self) -> str:
        lines = [
            f"{self.name}: steady in {', '.join(self.steady)}; true growth {self.growth:.4g} 1/s; steps of {self.step:g} s",
            f"  {'method':34} {'departure':>10}  {'growth':>10}  equilibrium  stability",
        ]
        for r in self.rows:
            if np.isnan(r.departure):
                lines.append(f"  {r.method:34} {r.note}")
                continue
            kept = "kept" if r.keeps else "moved"
            stays = "not measured" if r.keeps_stability is None else "kept" if r.keeps_stability else "changed"
            lines.append(
                f"  {r.method:34} {r.departure:10.2e}  {r.growth:10.4g}  {kept:11}  {stays}{'; ' + r.note if r.note else ''}"
            )
        return "\n".join(lines)

    def _repr_pretty_(self, page: Any, cycle: bool) -> None:
        page.text(str(self))


def steady_comparison(
    system: System,
    methods: Sequence[Any] = METHODS,
    at: Any = None,
    parameters: Mapping[str, Any] | None = None,
    step: float = 0.1,
) -> SteadyComparison:
    """Methods at a steady motion ``at`` (what `relative_equilibria` or `equilibria` gives, or a start).

    The true motion is by dop853. Steady are the state variables that it leaves alone; a method keeps the steady motion where
    twenty of its steps leave them alone too. Multipliers are those of one step on the steady variables, along the invariants
    of redundant coordinates (|γ| = 1).
    """
    check_system(system)
    values = parameter_values(system, {**dict(getattr(at, "parameters", {})), **dict(parameters or {})})
    place = dict(at.state) if hasattr(at, "state") else dict(at)
    full = complete_state(system, {k: v for k, v in place.items() if k in known_of(system)}, values)
    equations = hamel(system)
    names = equations.state
    whole = {n: float(full[n]) for n in names}
    true = _Stepper(system, values, names, "dop853", {"rtol": 1e-12, "atol": 1e-14}, step)
    moved = true.path(whole, STEPS)
    size = {n: max(1.0, abs(whole[n])) for n in names}
    steady = tuple(n for n in names if float(np.max(np.abs(moved[n] - whole[n]))) < STEADY * size[n])
    if not steady:
        raise StateError(f"{system.name}: nothing is steady at this start; give what nh.relative_equilibria finds.")
    speeds = [str(s) for s in equations.speeds]
    if not set(speeds) <= set(steady):
        stray = next(n for n in speeds if n not in steady)
        raise StateError(
            f"{system.name}: {stray} changes from this start, so the motion is not steady in these speeds."
        )
    frame = _tangent(equations, whole, values, steady)
    exact = true.multipliers(whole, steady, frame)
    trivial, growth = _classified(exact, step)
    rows = []
    for method in methods:
        label, name, given = named_method(method)
        rows.append(_row(system, values, names, label, name, given, step, whole, steady, frame, trivial, growth, size))
    return SteadyComparison(system.name, steady, step, growth, tuple(rows))


def is_two_step(by: str) -> bool:
    """Whether a method is a map of two positions, whose state holds more than position and velocity.

    >>> is_two_step("leapfrog"), is_two_step("rattle"), is_two_step("energy_exact")
    (True, False, False)
    """
    if registered_methods()[by].adaptive:
        return False
    principle = method_by_name(by, step=0.1).principle
    return bool(principle) and scheme_named(principle).stepwise


def known_of(system: System) -> set[str]:
    """Names that a start may give, time apart."""
    extra = system.parametric[0] if system.parametric is not None else ()
    return {
        *system.coordinates,
        *system.velocities,
        *system.quasivelocities,
        *(f"{c}dot" for c in system.coordinates),
        *extra,
    }


@dataclass(frozen=True)
class _Stepper:
    system: System
    values: Mapping[str, float]
    names: tuple[str, ...]
    method: str | Method
    options: Mapping[str, Option]
    step: float

    def path(self, state: Mapping[str, float], steps: int) -> dict[str, Numbers]:
        times = self.step * np.arange(1, steps + 1)
        words: dict[str, Any] = {"method": self.method, "t_eval": times, "progress": False, **self.options}
        run = simulate(self.system, dict(state), float(times[-1]), dict(self.values), **words)
        if run.outcome.kind != "reached":
            raise StateError(str(run.outcome))
        return {n: np.asarray(run[n]) for n in self.names}

    def multipliers(self, state: Mapping[str, float], steady: Sequence[str], frame: Numbers) -> Any:
        """Eigenvalues of one step on the steady variables, in a basis of the directions that invariants allow."""
        base = np.array([state[n] for n in steady])

        def after(shift: Numbers) -> Numbers:
            moved = {**state, **dict(zip(steady, (base + shift).tolist()))}
            path = self.path(moved, 1)
            return np.array([float(path[n][0]) for n in steady])

        columns = [(after(SMALL * e) - after(-SMALL * e)) / (2 * SMALL) for e in frame.T]
        return np.linalg.eigvals(np.linalg.lstsq(frame, np.array(columns).T, rcond=None)[0])


def _tangent(equations: Any, state: Mapping[str, float], values: Mapping[str, float], steady: Sequence[str]) -> Numbers:
    """A basis of the changes of the steady variables that keep the invariants (|γ| = 1, holonomic constraints)."""
    rows = []
    symbols_of = {str(s): s for s in (*equations.coordinates, *equations.speeds)}
    here = {**state, **values, "t": 0.0, **{str(i): 0.0 for i in equations.inputs}}
    for e in equations.invariants.values():
        rows.append([float(evaluate([e.diff(symbols_of[n])], here)[0]) for n in steady])
    if not rows or not np.any(np.abs(rows) > 1e-12):
        return np.eye(len(steady))
    return kernel(np.array(rows), 1e-10, absolute=True)


def _classified(multipliers: Any, step: float) -> tuple[int, float]:
    """How many multipliers are 1, of the family, and the growth of the others."""
    near = np.abs(multipliers - 1) < 1e-5
    others = np.abs(multipliers[~near])
    return int(near.sum()), float(np.log(others.max()) / step) if len(others) else 0.0


def _row(
    system: System, values: Mapping[str, float], names: tuple[str, ...], label: str, method: Any, given: Mapping[str, Any],
    step: float, state: Mapping[str, float], steady: Sequence[str], frame: Numbers, trivial: int, true: float,
    size: Mapping[str, float],
) -> SteadyRow:  # fmt: skip
    options = dict(given)
    fixed = getattr(method, "step", "") is None or (
        isinstance(method, str) and method in registered_methods() and not registered_methods()[method].adaptive
    )
    if fixed:
        options.setdefault("step", step)
    own = float(options.get("step", getattr(method, "step", None) or step))
    stepper = _Stepper(system, values, names, method, options, own)
    try:
        path = stepper.path(state, STEPS)
    except NonholoError as trouble:
        return SteadyRow(
            label, float("nan"), float("nan"), False, None, f"does not apply: {str(trouble).splitlines()[0]}"
        )
    gap = max(float(np.max(np.abs(path[n] - state[n]))) / size[n] for n in steady)
    if isinstance(method, str) and is_two_step(method):
        return SteadyRow(
            label, gap, float("nan"), gap < KEPT, None, "a two-step method has more multipliers than the motion"
        )
    multipliers = stepper.multipliers(state, steady, frame)
    order = np.argsort(np.abs(multipliers - 1))
    others = np.abs(multipliers[order[trivial:]])
    growth = float(np.log(others.max()) / own) if len(others) else 0.0
    alike = _kind(true, own) == _kind(growth, own)
    return SteadyRow(label, gap, growth, gap < KEPT, alike)


def _kind(growth: float, step: float) -> int:
    """−1 attracting, 0 neutral, 1 repelling."""
    size = growth * step
    return 0 if abs(size) < NEUTRAL else int(np.sign(size))


Curves = dict[str, tuple[Numbers, Numbers]]
TOLERANCES = tuple(10.0**-k for k in range(3, 13))
HALVINGS = 8


def compared(
    system: Any,
    start: Mapping[str, Any] | None,
    until: float | None,
    parameters: Mapping[str, Any] | None,
    methods: Sequence[Any],
    kind: str,
    quantity: str,
    reference: Mapping[str, float] | None,
    steps: int,
    options: Mapping[str, Any],
) -> Curves:
    """The curve of each method; see `nonholo.present.figures.comparison_plot.compare_methods`."""
    if not isinstance(system, Equations) and isinstance(getattr(system, "system", None), System):  # an Exhibit
        system = system.system
    own = getattr(system, "until", None)
    until = float(until) if until is not None else own if own is not None else DURATION
    if kind not in ("drift", "work"):
        raise StateError(f'compare methods: kind {kind!r}; choose "drift" or "work".')
    if not methods:
        raise StateError("compare methods: no methods; name some, e.g. methods=('dop853', 'rk4').")
    fixed = {"start": start, "until": until, "parameters": parameters, **options}
    chosen = [named_method(m) for m in methods]
    return (
        {label: _drift(system, fixed, quantity, name, given, steps) for label, name, given in chosen}
        if kind == "drift"
        else _work(system, fixed, chosen, reference)
    )


def named_method(method: Any) -> tuple[str, Any, dict[str, Any]]:
    """Label, method and its options."""
    if isinstance(method, Method):
        return type(method).name, method, {}
    name, given = (method, {}) if isinstance(method, str) else (method[0], dict(method[1]))
    label = name + (f" ({', '.join(f'{k} = {v:g}' for k, v in given.items())})" if given else "")
    return label, name, given


def _is_fixed(method: Any) -> bool:
    kind = type(method) if isinstance(method, Method) else method_kind(str(method))
    return kind is not None and not kind.adaptive


def _drift(
    system: Any, fixed: Mapping[str, Any], quantity: str, method: Any, given: Mapping[str, Any], steps: int
) -> tuple[Numbers, Numbers]:
    more = dict(given)
    if _is_fixed(method) and not isinstance(method, Method):
        more.setdefault("step", abs(fixed["until"]) / steps)
    # at the method's own steps: between them one would see the errors of its interpolation
    run = simulate(system, method=method, **{"t_eval": "steps", **fixed, **more})
    return run["t"], departure(run[quantity])[0]


def _work(
    system: Any, fixed: Mapping[str, Any], chosen: Sequence[Any], reference: Mapping[str, float] | None
) -> Curves:
    best = dict(reference or {})
    if not best:
        run = simulate(system, method="dop853", **{**fixed, "rtol": 1e-13, "atol": 1e-15, "t_eval": "end"})
        best = {n: run.final[n] for kind in ("coordinate", "speed") for n in run.of_kind(kind)}
    size = max(abs(v) for v in best.values()) or 1.0
    curves = {}
    for label, method, given in chosen:
        if isinstance(method, Method):
            raise StateError(
                f"compare methods: work needs a method by name, whose steps can be varied; found {method}."
            )
        ladder: list[dict[str, float]] = (
            [{"step": given.get("step", abs(fixed["until"]) / 16) / 2**k} for k in range(HALVINGS)]
            if _is_fixed(method)
            else [{"rtol": r, "atol": 1e-3 * r} for r in TOLERANCES]
        )
        calls, errors = [], []
        for rung in ladder:
            run = simulate(system, method=method, **{**fixed, **given, **rung, "t_eval": "end"})
            if run.outcome.reached:
                calls.append(float(run.calls))
                errors.append(max(abs(run.final[n] - v) for n, v in best.items()) / size)
        curves[label] = (np.array(calls), np.array(errors))
    return curves
