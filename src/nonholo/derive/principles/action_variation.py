"""The action of a run, its variation along ``δv = ẇ + [v, w]``, and Theorem 2.1 of BMZ 2009 as a test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ONE, ZERO, along, gradient, symbols
from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import dot
from nonholo.algebra.numeric_functions import table_function
from nonholo.derive.hamel import force_terms, in_frame, lagrangian_in_frame
from nonholo.errors import ModelError
from nonholo.finding import Finding, Property
from nonholo.geometry.frames.brackets import shorten
from nonholo.geometry.frames.frame import Frame, structure_functions
from nonholo.model.system import TIME, System, check_system
from nonholo.model.velocities.admissible import admissible, constraint_rows
from nonholo.notation.read import expression
from nonholo.notation.write import to_text

COARSE = 1e-3
"""A quadrature with a larger relative error decides nothing."""
FEWEST = 21
"""So many times of a run are needed for its integrals."""


@dataclass(frozen=True)
class Variation:
    """The first variation of the action of a curve along ``δq = w^i u_i``, and what the equations say of it.

    ``δ∫ l dt = ∫ (u[l]·w + ∂l/∂v·δv) dt`` with ``δv = ẇ + [v, w]`` (Theorem 2.1). Along a motion and for w in D it is the
    boundary term ``⟨∂l/∂v, w⟩`` less the work ``∫ ⟨Q, w⟩ dt`` of the forces: ``defect`` is what is left.
    """

    action: float
    variation: float
    boundary: float
    work: float
    scale: float
    """Largest of the integrals of absolute values: what the defect is measured against."""
    error: float
    """How much of the defect may be due to the quadrature."""
    inside: bool
    """Whether w is in D everywhere along the run."""

    @property
    def defect(self) -> float:
        """``δ∫ l dt + ∫ ⟨Q, w⟩ dt − [⟨∂l/∂v, w⟩]``: zero for a motion."""
        return self.variation + self.work - self.boundary

    @property
    def critical(self) -> Finding:
        """Whether the curve is critical along w, as far as the quadrature can tell."""
        relative = abs(self.defect) / max(self.scale, 1e-300)
        limit = max(1e-9, 10 * self.error / max(self.scale, 1e-300))
        where = "w in D" if self.inside else "w not in D, so that reactions do work"
        claim = Property("the action is critical along w", "the action is not critical along w")
        if not limit < COARSE:
            reason = "the quadrature over the times of the run is too coarse; simulate with more times, or choose a smoother w"
            return Finding(claim, "unknown", None, reason, method="Theorem 2.1 of BMZ 2009")
        words = f"{where}; the quadrature is good to {self.error / max(self.scale, 1e-300):.1e}"
        return Finding(claim, "holds" if relative <= limit else "fails", relative, words, method="Theorem 2.1 of BMZ 2009")


def action(run: Any) -> float:
    """``∫ l(q, v) dt`` along a run, by Simpson's rule over its times.

    >>> import nonholo as nh
    >>> fall = nh.simulate(nh.System(coordinates="x", lagrangian="xdot**2/2 - x"), {"x": 0.0, "xdot": 1.0}, 1.0, t_eval=41)
    >>> round(action(fall), 9)  # ∫ (1 − t)²/2 − t + t²/2 dt
    -0.166666667
    """
    system = _system(run)
    return _integral(run, _values(run, system, [lagrangian_in_frame(system)])[:, 0])[0]


def action_variation(run: Any, w: Mapping[str, Any]) -> Variation:
    """The variation of the action of a run along w: functions of time and coordinates by velocity, or by speed for w in D.

    >>> import nonholo as nh
    >>> fall = nh.simulate(nh.System(coordinates="x", lagrangian="xdot**2/2 - x"), {"x": 0.0, "xdot": 1.0}, 1.0, t_eval=81)
    >>> bool(action_variation(fall, {"xdot": "sin(pi*t)*t"}).critical)
    True
    """
    system = _system(run)
    terms = hamel_terms(system)
    v = symbols(system.velocities)
    inner, moved = _directions(system, w)
    bracket = [ZERO] * len(v)
    for (i, j, m), c in structure_functions(system.frame).items():
        bracket[m] += c * (v[i] * inner[j] - v[j] * inner[i])
    momenta, slopes = list(terms.momenta.values()), list(terms.slopes.values())
    forces = list(terms.forces.values())
    shown = [
        lagrangian_in_frame(system), *(a * b for a, b in zip(slopes, inner)), *(a * b for a, b in zip(momenta, moved)),
        *(a * b for a, b in zip(momenta, bracket)),
    ]  # fmt: skip
    table = _values(run, system, [*shown, dot(forces, inner), dot(momenta, inner)])
    whole, error = _integral(run, table[:, 1:-2].sum(axis=1))
    work, slack = _integral(run, table[:, -2])
    scale = sum(abs(_integral(run, np.abs(column))[0]) for column in table[:, 1:-1].T)
    rows = [dot(row, inner) for row in constraint_rows(system).slopes] if system.parametric is None else []
    inside = bool(np.max(np.abs(_values(run, system, rows)), initial=0.0) < 1e-9) if rows else True
    value = _integral(run, table[:, 0])[0]
    boundary = float(table[-1, -1] - table[0, -1])
    return Variation(value, whole, boundary, work, scale + abs(boundary), error + slack, inside)


def _system(run: Any) -> System:
    system = getattr(run, "system", None)
    if not isinstance(system, System) or not hasattr(run, "times"):
        raise ModelError(f"found {type(run).__name__} where a run of a System was needed; give nh.simulate(…).")
    if len(run.times) < FEWEST:
        raise ModelError(
            f"{system.name}: the run has {len(run.times)} times, and an integral along it needs {FEWEST}; simulate with "
            "t_eval=201."
        )
    return system


def _directions(system: System, w: Mapping[str, Any]) -> tuple[list[Expr], list[Expr]]:
    """``w`` and ``ẇ`` in the frame."""
    where = f"{system.name}: w"
    if not isinstance(w, Mapping) or not w:
        raise ModelError(f"{where} must be a table of functions of time, e.g. {{'thdot': 'sin(pi*t)**2'}}.")
    known = (*system.coordinates, *system.parameters, "t")
    read = {str(n): expression(e, known, f"{where}, {n}") for n, e in w.items()}
    allowed = admissible(system) if system.parametric is not None or constraint_rows(system).linear else None
    names = [] if allowed is None else [str(s) for s in allowed.speeds]
    if allowed is not None and set(read) <= set(names):
        weights = [read.get(n, ZERO) for n in names]
        inner = [dot(row, weights) for row in allowed.basis]
    elif set(read) <= set(system.velocities):
        inner = [read.get(n, ZERO) for n in system.velocities]
    else:
        every = dict.fromkeys((*names, *system.velocities))
        stray = next((n for n in read if n not in every), next(iter(read)))
        raise ModelError(
            f"{where}: {stray!r} is none of the velocities {', '.join(every)}, or not of the same kind as the others."
        )
    motion = {**dict(zip(symbols(system.coordinates), system.frame.rates)), TIME: ONE}
    return inner, list(along(inner, motion))


def _values(run: Any, system: System, exprs: list[Expr]) -> Numbers:
    """Expressions in coordinates, frame velocities and time along a run, one column each."""
    names = [*system.coordinates, *system.velocities, *system.parameters, *system.inputs]
    count = len(run.times)
    known = run.parameters
    columns = [np.full(count, float(known[n])) if n in known else np.asarray(run[n], dtype=float) for n in names]
    given = np.column_stack([*columns, np.asarray(run.times, dtype=float)])
    return table_function([*symbols(names), TIME], exprs)(given)


def _integral(run: Any, values: Numbers) -> tuple[float, float]:
    """Simpson's rule over the times of a run, and how far every second time is from it."""
    from scipy.integrate import simpson

    t = np.asarray(run.times, dtype=float)
    whole = float(simpson(values, x=t))
    rest = len(t) - 1 - (len(t) - 1) % 2
    half = float(simpson(values[: rest + 1 : 2], x=t[: rest + 1 : 2]))
    fine = float(simpson(values[: rest + 1], x=t[: rest + 1]))
    return whole, abs(fine - half) / 15 + 1e-15 * abs(whole)


@dataclass(frozen=True, repr=False)
class HamelTerms:
    """``d/dt ∂l/∂v = [v, ∂l/∂v]* + u[l] + Q`` (2.5), each side by the velocities of the frame."""

    system: System
    lagrangian: Expr
    """``l(x, v)``."""
    momenta: FrozenMap[str, Expr]
    """``∂l/∂v^j``."""
    slopes: FrozenMap[str, Expr]
    """``u_j[l]``: derivatives along the fields of the frame at fixed velocities."""
    dual: FrozenMap[str, Expr]
    """``([v, ∂l/∂v]*)_j = c_ij^m v^i ∂l/∂v^m``."""
    forces: FrozenMap[str, Expr]
    """``Q_j``."""

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        lines = []
        for v in self.momenta:
            right = [("[v, dl/dv]*", self.dual[v]), ("u[l]", self.slopes[v]), ("Q", self.forces[v])]
            shown = "; ".join(f"{n} = {to_text(e)}" for n, e in right if e != 0)
            lines.append(f"{v}: dl/dv = {to_text(self.momenta[v])}" + (f"; {shown}" if shown else ""))
        return "\n".join(lines)


def hamel_terms(system: System, frame: Frame | None = None) -> HamelTerms:
    """The objects of the variational principle on a system, in its own frame or another one.

    >>> body = System(frame=Frame(coordinates="", velocities="a b", anchor=[], brackets={("a", "b"): "b"}), parameters="k",
    ...     lagrangian="(a**2 + k*b**2)/2")
    >>> print(hamel_terms(body))
    a: dl/dv = a; [v, dl/dv]* = -b**2*k
    b: dl/dv = b*k; [v, dl/dv]* = a*b*k
    """
    check_system(system)
    own = system if frame is None else in_frame(system, frame)
    l = lagrangian_in_frame(own)
    terms = force_terms(own)

    def table(parts: tuple[Expr, ...]) -> FrozenMap[str, Expr]:
        return FrozenMap(dict(zip(own.velocities, (shorten(e) for e in parts))))

    momenta = gradient(l, symbols(own.velocities))
    return HamelTerms(own, l, table(momenta), table(terms["slope"]), table(terms["brackets"]), table(terms["applied"]))
