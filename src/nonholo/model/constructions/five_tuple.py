"""MacDonnell's nonholonomic systems, word for word: (Q, L, M, D, β)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nonholo.algebra.calculus import ZERO, symbols, tidy
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import DependentRows, determinant, dot, solve_rows
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame import Euclidean, linear_form, rate, sample
from nonholo.model.system import System
from nonholo.notation.read import expression, names_of


def five_tuple(
    coordinates: Any,
    lagrangian: Any,
    *,
    magnetic: Any = None,
    distribution: Any = (),
    beta: Mapping[str, Any] | None = None,
    **other: Any,
) -> System:
    """The nonholonomic system (Q, L, M, D, β): velocities lie in ``D_β = {τ : τ − β ∈ D}`` [MacDonnell 1997, 3.1.4].

        d/dt ∂L/∂q̇^i − ∂L/∂q^i − M_ij q̇^j = λ_j B^j_i,      B^j_i q̇^i = ⟨B^j, β⟩        [(3.1), (3.2)]

    The constraint distribution D is given by independent 1-forms ``B`` that annihilate it, as text linear in the rates
    (none: D is everything), or by vector fields that span it, as tables of components. β is a table of components,
    M a table ``{("x", "y"): M_xy}`` or an antisymmetric matrix; all three depend on the coordinates and parameters
    alone. ``other`` are further keywords of `System`: name, parameters, quasivelocities, forces, symmetry, start, ….

    >>> s = five_tuple("x y z", "xdot**2/2 + ydot**2/2 + zdot**2/2", distribution=["zdot - y*xdot"], beta={"z": "x"})
    >>> s.constraints
    (-x + zdot - y*xdot,)
    """
    name = other.get("name", "system")
    for word in ("constraints", "parametric", "frame", "holonomic"):
        if word in other:
            raise ModelError(f"{name}: a 5-tuple has no {word!r}; give the velocities by distribution and beta.")
    q = names_of(coordinates, f"{name}: coordinates")
    given = other.get("parameters", ())
    known = (*q, *names_of(list(given) if isinstance(given, Mapping) else given, f"{name}: parameters"))
    drift = _field(beta or {}, q, known, f"{name}: beta")
    constraints = [form - tidy(dot(row, drift)) for form, row in _forms(distribution, q, known, name)]
    return System(
        coordinates=q,
        lagrangian=lagrangian,
        constraints=constraints,
        magnetic=_components(magnetic, q, known, f"{name}: magnetic"),
        **other,
    )


def _forms(given: Any, q: Sequence[str], known: Sequence[str], name: str) -> list[tuple[Expr, tuple[Expr, ...]]]:
    """The annihilating 1-forms of D, each as an expression in the rates and as its coefficients ``B_i``."""
    where = f"{name}: distribution"
    items = [given] if isinstance(given, (str, Mapping)) else list(given)
    fields = [item for item in items if isinstance(item, Mapping)]
    rates = symbols(rate(c) for c in q)
    if fields and len(fields) < len(items):
        raise ModelError(f"{where}: give either 1-forms as text or vector fields as tables, not both.")
    if fields:
        columns = [_field(f, q, known, f"{where}, field {i + 1}") for i, f in enumerate(fields)]
        return [(dot(row, rates), row) for row in annihilator(columns, q, known, where)]
    result = []
    for i, item in enumerate(items):
        place = f"{where}, 1-form {i + 1}"
        form = expression(item, (*known, *map(str, rates)), place)
        result.append((form, linear_form(form, rates, place)))
    return result


def annihilator(
    fields: Sequence[Sequence[Expr]], q: Sequence[str], known: Sequence[str], where: str
) -> list[tuple[Expr, ...]]:
    """1-forms that span what vanishes on the vector fields, by minors: no division, so no poles of their own.

    With the fields' pivot columns P, for each other column j: ``B_j = det X_P`` and ``B_p = −det X_P(p → j)``.
    """
    extra = [n for n in known if n not in q]
    numbers = {n: 0.7 + 0.31 * i for i, n in enumerate(extra)}
    generic = [{**sample(Euclidean(q), k), **numbers} for k in (0, 1)]
    moving = set(symbols(q))
    try:
        free, _ = solve_rows(
            fields, [[ZERO]] * len(fields), generic, lambda e: bool(e.is_Number or not e.free_symbols & moving)
        )
    except DependentRows as found:
        raise ModelError(f"{where}: vector field {found.row + 1} depends on the others; remove it.") from None
    pivots = [i for i in range(len(q)) if i not in free]
    whole = tidy(determinant([[row[p] for p in pivots] for row in fields]))
    result = []
    for j in free:
        form = [ZERO] * len(q)
        form[j] = whole
        for p in pivots:
            swapped = [j if k == p else k for k in pivots]
            form[p] = -tidy(determinant([[row[k] for k in swapped] for row in fields]))
        result.append(tuple(form))
    return result


def _field(table: Any, q: Sequence[str], known: Sequence[str], where: str) -> tuple[Expr, ...]:
    """The components of a vector field, those not named being 0."""
    if not isinstance(table, Mapping):
        raise ModelError(f'{where}: found {type(table).__name__} where components were needed, e.g. {{"x": "-y"}}.')
    names = names_of(list(table), where)
    for name in names:
        if name not in q:
            raise ModelError(f"{where}: {name!r} is no coordinate; a component belongs to one of {', '.join(q)}.")
    read = {name: expression(e, known, f"{where}, component {name}") for name, e in zip(names, table.values())}
    return tuple(read.get(c, ZERO) for c in q)


def _components(given: Any, q: Sequence[str], known: Sequence[str], where: str) -> dict[tuple[str, str], Expr]:
    """``M_ij`` for i < j, from a table or a matrix; an entry given on both sides must be antisymmetric."""
    if given is None:
        return {}
    if isinstance(given, Mapping):
        table = {_pair(key, q, where): e for key, e in given.items()}
    else:
        rows = [list(row) for row in given]
        if len(rows) != len(q) or any(len(row) != len(q) for row in rows):
            raise ModelError(f"{where}: a matrix M_ij needs {len(q)} rows of {len(q)} entries.")
        table = {(i, j): rows[i][j] for i in range(len(q)) for j in range(len(q))}
    read = {key: expression(e, known, f"{where} ({q[key[0]]}, {q[key[1]]})") for key, e in table.items()}
    result: dict[tuple[str, str], Expr] = {}
    for (i, j), value in read.items():
        twin = read.get((j, i))
        if (i == j and value != 0) or (twin is not None and tidy(value + twin) != 0):
            raise ModelError(f"{where}: M is not antisymmetric in ({q[i]}, {q[j]}); a 2-form has M_ij = −M_ji.")
        if value != 0 and (i < j or twin is None):
            result[q[i], q[j]] = value
    return result


def _pair(key: Any, q: Sequence[str], where: str) -> tuple[int, int]:
    names = names_of(key if isinstance(key, str) else list(key), where)
    if len(names) != 2 or any(n not in q for n in names):
        raise ModelError(f'{where}: {key!r} must name two coordinates, e.g. {{("x", "y"): "B"}}.')
    return q.index(names[0]), q.index(names[1])
