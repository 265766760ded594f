"""Reduced potentials of reductions and studies, drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO, symbols
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.errors import StateError, give_parameter
from nonholo.notation.read import expression
from nonholo.present.figures.potential_plot import POINTS, potential_figure
from nonholo.present.figures.study_plots import plot_study
from nonholo.symmetry.quadrature.one_shape_study import Study
from nonholo.symmetry.quadrature.reduced_potential import ReducedPotential
from nonholo.symmetry.reduction.reduce import Reduction


def plot_potential(
    reduction: Any,
    J: Any = None,
    parameters: Mapping[str, Any] | None = None,
    *,
    r: Any = None,
    energy: float | None = None,
    **options: Any,
) -> Any:
    """The reduced potential ``Ū(r)`` of a Reduction at momenta (or constants) ``J``, over its one shape variable.

    ``r`` is the range (low, high) or an array of places; a `ReducedPotential` knows its own range. ``parameters``
    complete the system's own values.
    """
    if isinstance(reduction, Study):
        return plot_study(reduction, r, **options)
    if isinstance(reduction, ReducedPotential):
        low, high = reduction.window(*(r if r is not None and len(r) == 2 else ()))
        places = np.asarray(r, dtype=float) if r is not None and len(r) != 2 else np.linspace(low, high, POINTS)
        return potential_figure(places, reduction, energy, label=reduction.variable, **options)
    if isinstance(reduction, Reduction):
        return plot_potential(reduction.potential(J, parameters), r=r, energy=energy, **options)
    names = tuple(reduction.shape.names)
    if len(names) != 1:
        raise StateError(
            f"potential: a curve needs one shape variable; here there are {len(names)} ({', '.join(names)})."
        )
    if r is None:
        raise StateError(f"potential: over which {names[0]}? Give r=(low, high).")
    across = np.linspace(float(r[0]), float(r[1]), POINTS) if len(r) == 2 else np.asarray(r, dtype=float)
    found = reduction.potential(J)
    system = reduction.system
    values = {**dict(system.values), **(parameters or {})}
    function = function_of(found, names[0], values, J, tuple(system.parameters))
    momentum = options.pop("momentum", "" if J is None else f"J = {_spelt(J)}")
    return potential_figure(across, function, energy, label=names[0], momentum=momentum, **options)


def function_of(
    potential: Any, name: str, values: Mapping[str, Any], J: Any = None, parameters: Sequence[str] = ()
) -> Callable[[Any], Any]:
    """A potential as a function of an array: it is one, has one (``.potential``), or is an expression or text."""
    potential = getattr(potential, "potential", potential)
    if callable(potential) and not hasattr(potential, "free_symbols"):
        return lambda at: potential(at)
    given = {**values, **({str(k): v for k, v in J.items()} if isinstance(J, Mapping) else {})}
    formula = expression(potential, (name, *given, *parameters), f"potential over {name}")
    free = sorted({str(s) for s in formula.free_symbols} - {name})
    missing = [n for n in free if n not in given]
    if missing:
        raise StateError(f"potential: {missing[0]!r} has no value;", remedy=give_parameter(missing[0]))
    compiled = numeric_function([*symbols([name]), *symbols(free)], [formula, ZERO])

    def value(at: Any) -> Any:
        places = np.atleast_1d(np.asarray(at, dtype=float))
        rows = np.column_stack([places, *(np.full(len(places), float(given[n])) for n in free)])
        with np.errstate(all="ignore"):
            found = np.asarray(compiled(rows), dtype=float).reshape(len(places), -1)[:, 0]
        return found if np.ndim(at) else float(found[0])

    return value


def _spelt(J: Any) -> str:
    items: Sequence[Any] = list(J.values()) if isinstance(J, Mapping) else list(np.atleast_1d(J))
    words = ", ".join(f"{float(e):.3g}" for e in items)
    return words if len(items) == 1 else f"({words})"
