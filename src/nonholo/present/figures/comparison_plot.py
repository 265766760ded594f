"""Plots that compare methods on one motion: drift of a conserved quantity, or error against cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from nonholo.analyse.integrators.steady_comparison import METHODS, Curves, SteadyComparison, compared, steady_comparison
from nonholo.present.figures.interactive import thinned_indices
from nonholo.present.style.labels import math_name
from nonholo.present.style.plot_style import COLUMN, journal, new_axes, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST = 4000
"""Points of a curve."""
_MARKS = "os^vDPX"


@dataclass(frozen=True, eq=False)
class Comparison:
    """The curves by method, as drawn, and the axes."""

    kind: str
    curves: Curves
    axes: Axes = field(kw_only=True)

    def save(self, path: Any) -> Any:
        """Write the figure as PDF, SVG or PNG."""
        return save_figure(self.axes.figure, path)


@overload
def compare_methods(
    system: Any,
    start: Sequence[Any] | None = None,
    *,
    until: None = None,
    parameters: Mapping[str, Any] | None = None,
    methods: Sequence[Any] | None = None,
    at: Any,
    step: float | None = None,
) -> SteadyComparison: ...
@overload
def compare_methods(
    system: Any,
    start: Mapping[str, Any] | None = None,
    *,
    until: float | None = None,
    parameters: Mapping[str, Any] | None = None,
    methods: Sequence[Any] = ("dop853", "rk4"),
    kind: str = "drift",
    quantity: str = "energy",
    reference: Mapping[str, float] | None = None,
    steps: int = 400,
    axes: Any = None,
    path: Any = None,
    **options: Any,
) -> Comparison: ...
def compare_methods(
    system: Any,
    start: Any = None,
    *,
    until: float | None = None,
    parameters: Mapping[str, Any] | None = None,
    methods: Sequence[Any] | None = None,
    at: Any = None,
    step: float | None = None,
    kind: str = "drift",
    quantity: str = "energy",
    reference: Mapping[str, float] | None = None,
    steps: int = 400,
    axes: Any = None,
    path: Any = None,
    **options: Any,
) -> Comparison | SteadyComparison:
    """How methods do on one motion of a System, Equations or Exhibit, or at a steady motion.

    With ``at`` (what `relative_equilibria` gives, or a start of a steady motion): which methods keep it and its stability,
    ``compare_methods(s, methods, at=…, step=0.1)`` [Zenkov 2016, Theorem 5.3]; see
    `nonholo.analyse.integrators.steady_comparison`. Otherwise a picture:

    ``kind="drift"``: the departure of ``quantity`` from its start over time, on a logarithmic axis. ``kind="work"``: the
    error of the final state (largest part, relative to the largest entry) against evaluations of the equations, for
    tolerances or steps that get finer; the error is taken from ``reference``, a table of final values such as a closed
    form gives, or else from a motion by dop853 at a tolerance of 1e-13. A method is a name, a pair (name, options) or a
    Method record; one with a fixed step takes ``steps`` of them unless its options say otherwise.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> sorted(nh.pictures.compare_methods(sleigh, until=2).curves)
    ['dop853', 'rk4']
    """
    listed = start if start is not None and not isinstance(start, Mapping) else None
    chosen = listed if listed is not None else methods
    if at is not None:
        record = getattr(system, "system", system)
        return steady_comparison(
            record, METHODS if chosen is None else chosen, at, parameters, 0.1 if step is None else step
        )
    if step is not None:
        options = {**options, "step": step}
    methods = ("dop853", "rk4") if chosen is None else chosen
    start = None if listed is not None else start
    found = compared(system, start, until, parameters, methods, kind, quantity, reference, steps, options)
    thin = {label: (x[some], y[some]) for label, (x, y) in found.items() for some in (thinned_indices(len(x), MOST),)}
    return _draw(kind, thin if kind == "drift" else found, quantity, axes, path)


def _draw(kind: str, curves: Curves, quantity: str, axes: Any, path: Any) -> Comparison:
    with journal():
        axes = axes if axes is not None else new_axes(COLUMN, 0.8)[1]
        work = kind == "work"
        for mark, (label, (x, y)) in zip(_MARKS * len(curves), curves.items()):
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
    return Comparison(kind, curves, axes=axes)
