"""Compare methods on one motion: drift of a quantity, or error against cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.derive.equations import Equations
from nonholo.errors import StateError
from nonholo.integrate.methods.method_record import Method, known
from nonholo.integrate.motion.simulate import simulate
from nonholo.model.system import DURATION, System

Numbers = NDArray[np.float64]
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


def departure(values: Numbers, size: float | None = None) -> tuple[Numbers, bool]:
    """How far a quantity is from its start at each time, relative to ``size``, and whether that was possible.

    The size is that of the start unless given; below 1e-12 it counts as zero and the departure is absolute, as in
    ``Trajectory.drift``.
    """
    change = np.abs(values - values[0])
    size = abs(float(values[0])) if size is None else size
    return (change / size, True) if size > 1e-12 else (change, False)


def named_method(method: Any) -> tuple[str, Any, dict[str, Any]]:
    """Label, method and its options."""
    if isinstance(method, Method):
        return type(method).name, method, {}
    name, given = (method, {}) if isinstance(method, str) else (method[0], dict(method[1]))
    label = name + (f" ({', '.join(f'{k} = {v:g}' for k, v in given.items())})" if given else "")
    return label, name, given


def _is_fixed(method: Any) -> bool:
    kind = type(method) if isinstance(method, Method) else known().get(str(method))
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


