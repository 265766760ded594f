"""Methods against each other on one motion: how a conserved quantity drifts, or what accuracy costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.errors import StateError
from nonholo.gallery.exhibit import Exhibit
from nonholo.integrate.methods.base import Method, known
from nonholo.integrate.one.simulate import simulate
from nonholo.present.interactive import departure, kept
from nonholo.present.labels import math_name
from nonholo.present.style import COLUMN, journal, new_axes, save_figure

Numbers = NDArray[np.float64]
TOLERANCES = tuple(10.0**-k for k in range(3, 13))
HALVINGS = 8
MOST = 4000
"""Points of a curve."""
_MARKS = "os^vDPX"


@dataclass(frozen=True, eq=False)
class Comparison:
    """The curves by method, as drawn, and the axes."""

    kind: str
    curves: Mapping[str, tuple[Numbers, Numbers]]
    axes: Any = None

    def save(self, path: Any) -> Any:
        """Write the figure as PDF, SVG or PNG."""
        return save_figure(self.axes.figure, path)


def compare_methods(
    system: Any,
    start: Mapping[str, Any] | None = None,
    until: float | None = None,
    parameters: Mapping[str, Any] | None = None,
    methods: Sequence[Any] = ("dop853", "rk4"),
    *,
    kind: str = "drift",
    quantity: str = "energy",
    reference: Mapping[str, float] | None = None,
    steps: int = 400,
    axes: Any = None,
    path: Any = None,
    **options: Any,
) -> Comparison:
    """How methods do on one motion of a System, Equations or Exhibit.

    ``kind="drift"``: the departure of ``quantity`` from its start over time, on a logarithmic axis. ``kind="work"``: the
    error of the final state (largest part, relative to the largest entry) against evaluations of the equations, for
    tolerances or steps that get finer; the error is taken from ``reference``, a table of final values such as a closed
    form gives, or else from a motion by dop853 at a tolerance of 1e-13. A method is a name, a pair (name, options) or a
    Method record; one with a fixed step takes ``steps`` of them unless its options say otherwise.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> sorted(nh.compare_methods(sleigh, until=2).curves)
    ['dop853', 'rk4']
    """
    if isinstance(system, Exhibit):
        parameters = {**system.parameters, **(parameters or {})}
        start, until = start if start is not None else system.start, until if until is not None else system.until
        options = {"inputs": system.inputs or None, **options}
        system = system.system
    until = 10.0 if until is None else float(until)
    if kind not in ("drift", "work"):
        raise StateError(f'compare methods: kind {kind!r}; choose "drift" or "work".')
    if not methods:
        raise StateError("compare methods: no methods; name some, e.g. methods=('dop853', 'rk4').")
    fixed = {"start": start, "until": until, "parameters": parameters, **options}
    chosen = [_named(m) for m in methods]
    curves = (
        {label: _drift(system, fixed, quantity, name, given, steps) for label, name, given in chosen}
        if kind == "drift"
        else _work(system, fixed, chosen, reference)
    )
    return _drawn(Comparison(kind, curves), quantity, axes, path)


def _named(method: Any) -> tuple[str, Any, dict[str, Any]]:
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
    some = kept(len(run["t"]), MOST)
    return run["t"][some], departure(run[quantity])[0][some]


def _work(
    system: Any, fixed: Mapping[str, Any], chosen: Sequence[Any], reference: Mapping[str, float] | None
) -> dict[str, tuple[Numbers, Numbers]]:
    best = dict(reference or {})
    if not best:
        run = simulate(system, method="dop853", **{**fixed, "rtol": 1e-13, "atol": 1e-15, "t_eval": "end"})
        kinds = {str(n): run.data[n].attrs.get("kind") for n in run.data.data_vars}
        best = {n: run.final[n] for n, k in kinds.items() if k in ("coordinate", "speed")}
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


def _drawn(comparison: Comparison, quantity: str, axes: Any, path: Any) -> Comparison:
    from dataclasses import replace

    with journal():
        axes = axes if axes is not None else new_axes(COLUMN, 0.8)[1]
        work = comparison.kind == "work"
        for mark, (label, (x, y)) in zip(_MARKS * len(comparison.curves), comparison.curves.items()):
            seen = np.where(y > 0, y, np.nan)
            look = {"marker": mark, "ms": 3, "lw": 0.9} if work else {"lw": 0.8}
            axes.plot(x, seen, label=label, **look)
        axes.set_yscale("log")
        if work:
            axes.set_xscale("log")
        axes.set_xlabel("evaluations of the equations" if work else "$t$ [s]")
        axes.set_ylabel("relative error at the end" if work else f"departure of {math_name(quantity)} from its start")
        axes.legend(loc="best")
    if path is not None:
        save_figure(axes.figure, path)
    return replace(comparison, axes=axes)
