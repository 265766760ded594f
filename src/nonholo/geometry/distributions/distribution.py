"""Distributions: velocities that span, forms that annihilate, and the brackets that lead out of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import ONE, ZERO, gradient, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.high_precision import evaluate_matrix_precisely, evaluate_precisely
from nonholo.algebra.linear_equations import DependentRows, Matrix, identity, transpose
from nonholo.algebra.subspaces import column_order, finite_rows, independent, null_space, numeric_rank
from nonholo.errors import ModelError
from nonholo.finding import Finding, Involutive
from nonholo.geometry.distributions.flag import Flag, flag_at, generic_flag, lie_bracket, without_denominators
from nonholo.geometry.frames.frame import Frame, change_frame, sample, structure_functions
from nonholo.geometry.frames.frame_words import read_matrix
from nonholo.notation.read import names_of

Values = Mapping[str, float]
INVOLUTIVE = 1e-9
"""A bracket that leaves the distribution by less than this part of its fields' sizes is taken to stay in it."""


@dataclass(frozen=True, init=False)
class Distribution:
    """Part of all velocities at every configuration, by spanning ``fields`` or by annihilating ``rows``.

    A field is the list of its n components along the frame's velocities, a row the list of its n coefficients:
    ``row · v = 0``. Entries are text or expressions of the coordinates and parameters.

    >>> from nonholo.geometry.frames.frame import Euclidean
    >>> contact = Distribution(Euclidean("x y z"), rows=[["y", 0, -1]])
    >>> rank(contact), growth_vector(contact)
    (2, (2, 3))
    """

    frame: Frame
    given: Matrix
    """The fields or the rows, whichever were given."""
    annihilates: bool
    """Whether these are rows."""
    parameters: tuple[str, ...]

    def __init__(self, frame: Frame, fields: Any = None, rows: Any = None, parameters: Any = ()) -> None:
        put = object.__setattr__
        if (fields is None) == (rows is None):
            raise ModelError("distribution: give spanning fields or annihilating rows, one of the two.")
        put(self, "frame", frame)
        put(self, "annihilates", fields is None)
        put(self, "parameters", names_of(parameters, "distribution: parameters"))
        known = (*frame.coordinates, *frame.parameters, *self.parameters)
        what = "rows" if self.annihilates else "fields"
        put(self, "given", read_matrix(rows if self.annihilates else fields, known, f"distribution: {what}"))
        wrong = [r for r in self.given if len(r) != frame.size]
        if wrong:
            raise ModelError(
                f"distribution: one of the {what} has {len(wrong[0])} entries where the {frame.size} "
                f"velocities {', '.join(frame.velocities)} need one each."
            )

    @property
    def fields(self) -> Matrix | None:
        """The spanning fields, where these were given."""
        return None if self.annihilates else self.given

    @property
    def rows(self) -> Matrix | None:
        """The annihilating rows, where these were given."""
        return self.given if self.annihilates else None


def configurations(distribution: Distribution, at: Values | None = None, count: int = 3) -> list[dict[str, float]]:
    """Generic configurations and parameters by name; the first one at ``at`` where given."""
    found = []
    for k in range(count):
        random = np.random.default_rng(300 + k)
        extra = dict(zip(distribution.parameters, random.uniform(0.6, 1.6, len(distribution.parameters)).tolist()))
        here = at if k == 0 else {n: v for n, v in (at or {}).items() if n not in distribution.frame.coordinates}
        found.append({**extra, **sample(distribution.frame, k, here), **(here or {})})
    return found


def rank(distribution: Distribution, at: Values | None = None, samples: Sequence[Values] | None = None) -> int:
    """How many velocities are independent in it: at a configuration, or at almost all of them."""
    places = samples or configurations(distribution, at)
    heights = [numeric_rank(m) for m in _numbers(distribution.given, places[:1] if at else places)]
    return max(heights) if distribution.rows is None else distribution.frame.size - max(heights)


def _numbers(matrix: Matrix, places: Sequence[Values]) -> list[NDArray[np.float64]]:
    found = [evaluate_matrix_precisely(matrix, s) if matrix else np.zeros((0, 1)) for s in places]
    good = [m for m in found if np.all(np.isfinite(m))]
    if not good:
        raise ModelError(
            "distribution: its entries are not finite numbers at any configuration that was tried; "
            "look for a division by zero or the root of a negative number."
        )
    return good


def _chosen(distribution: Distribution, samples: Sequence[Values]) -> list[int]:
    """The given fields or rows that do not follow from those before them, at almost all configurations."""
    return max((independent(m) for m in _numbers(distribution.given, samples)), key=len)


def redundant(distribution: Distribution, samples: Sequence[Values] | None = None) -> tuple[int, ...]:
    """Which of the given fields or rows follow from those before them."""
    kept = _chosen(distribution, samples or configurations(distribution))
    return tuple(k for k in range(len(distribution.given)) if k not in kept)


def annihilator(
    distribution: Distribution, at: Values | None = None, samples: Sequence[Values] | None = None
) -> Matrix:
    """Independent rows with ``row · v = 0`` exactly for the velocities of the distribution."""
    places = samples or configurations(distribution, at)
    kept = tuple(distribution.given[k] for k in _chosen(distribution, places))
    return _kernel(distribution, kept, places)[1] if distribution.rows is None else kept


def span(distribution: Distribution, at: Values | None = None, samples: Sequence[Values] | None = None) -> Matrix:
    """Independent fields, each a list of components, that span the distribution; pivots are chosen well at ``at``."""
    places = samples or configurations(distribution, at)
    kept = tuple(distribution.given[k] for k in _chosen(distribution, places))
    return kept if distribution.rows is None else _kernel(distribution, kept, places)[1]


def _kernel(distribution: Distribution, rows: Matrix, places: Sequence[Values]) -> tuple[list[int], Matrix]:
    """The columns that are not solved for, and for each the vector with 1 there that every row annihilates."""
    moving = {*symbols(distribution.frame.coordinates)}
    try:
        return null_space(rows, distribution.frame.size, places, lambda e: bool(e.is_Number) or not (e.free_symbols & moving))
    except DependentRows as found:
        raise ModelError(
            f"distribution: row {found.row + 1} depends on the others at this configuration, though not at others: "
            "the distribution is singular here. Choose another configuration."
        ) from None


def adapted_frame(distribution: Distribution, at: Values | None = None, velocities: Any = None) -> Frame:
    """A frame whose first m velocities span the distribution, completed so that it is well conditioned at ``at``.

    When the distribution is given by rows, velocities that are not solved for keep their names; otherwise they are
    called ``z1, z2, …``. Those outside are ``slip1, slip2, …``: the constraints hold where ``slip = 0``.

    >>> from nonholo.geometry.frames.frame import Euclidean
    >>> sleigh = Distribution(Euclidean("theta x y"), rows=[[0, "sin(theta)", "-cos(theta)"]])
    >>> adapted_frame(sleigh, {"theta": 0.1}).velocities
    ('thetadot', 'xdot', 'slip1')
    """
    frame = distribution.frame
    places = configurations(distribution, at)
    chosen = tuple(distribution.given[k] for k in _chosen(distribution, places))
    kept: list[str] = []
    if distribution.rows is None:
        fields = chosen
        rest = _completion(_numbers(fields, places)[0], frame.size) if fields else list(range(frame.size))
    else:
        free, fields = _kernel(distribution, chosen, places)
        kept = [frame.velocities[j] for j in free]
        rest = [j for j in range(frame.size) if j not in free]
    unit = identity(frame.size)
    columns = (*fields, *(unit[j] for j in rest))
    names = velocities or _names(distribution, kept, len(fields), len(rest))
    return change_frame(frame, transpose(columns), names, parameters=distribution.parameters)


def _completion(fields: NDArray[np.float64], size: int) -> list[int]:
    """Unit vectors that complete the fields, chosen by size outside their span."""
    basis, _ = np.linalg.qr(fields.T)
    outside = np.eye(size) - basis @ basis.T
    order = column_order(outside)
    return sorted(order[: size - len(fields)])


def _names(distribution: Distribution, kept: Sequence[str], inside: int, outside: int) -> tuple[str, ...]:
    frame = distribution.frame
    taken = {*frame.coordinates, *frame.parameters, *distribution.parameters, *frame.velocities}
    bar = ""
    while any(f"{word}{bar}{i + 1}" in taken for word in ("z", "slip") for i in range(frame.size)):
        bar += "_"
    within = kept or [f"z{bar}{i + 1}" for i in range(inside)]
    return (*within, *(f"slip{bar}{i + 1}" for i in range(outside)))


def frobenius(distribution: Distribution, samples: Sequence[Values] | None = None) -> Finding:
    """Whether brackets of its fields stay in it, ``θ([X, Y]) = 0``: then, and only then, it is integrable [Frobenius].

    >>> from nonholo.geometry.frames.frame import Euclidean
    >>> print(frobenius(Distribution(Euclidean("x y"), rows=[["x", "y"]])))
    ✓ holonomic: brackets of admissible velocities are admissible (involutive): 0 (1 field)
    """
    places = samples or configurations(distribution)
    rows, fields = annihilator(distribution, samples=places), span(distribution, samples=places)
    table = structure_functions(distribution.frame)
    pairs = [(i, j) for i in range(len(fields)) for j in range(i + 1, len(fields))] if rows else []
    brackets = [lie_bracket(distribution.frame, fields[i], fields[j], table) for i, j in pairs]
    message = f"{len(fields)} field{'s' * (len(fields) != 1)}"
    worst = 0.0
    for here in places if pairs else ():
        forms, vectors, leads = (evaluate_matrix_precisely(m, here) for m in (rows, fields, brackets))
        if not all(finite_rows(m) for m in (forms, vectors, leads)):
            continue
        forms = forms / np.linalg.norm(forms, axis=1, keepdims=True)
        for (i, j), lead in zip(pairs, leads):
            out = float(np.max(np.abs(forms @ lead)) / (np.linalg.norm(vectors[i]) * np.linalg.norm(vectors[j])))
            if out > max(worst, INVOLUTIVE):
                message = f"the Lie bracket of admissible fields {i + 1} and {j + 1} is not admissible"
            worst = max(worst, out)
    return Finding(Involutive(), "holds" if worst <= INVOLUTIVE else "fails", worst, message)


def growth_flag(
    distribution: Distribution,
    at: Values | None = None,
    derived: bool = False,
    samples: Sequence[Values] | None = None,
) -> Flag:
    """Dimensions and fields of ``D ⊂ D + [D, D] ⊂ …``; at a configuration ``at``, or at almost all of them.

    Each step brackets the last one with ``D`` (the growth vector), or with itself when ``kernel``.
    """
    places = samples or configurations(distribution, at)
    fields = tuple(without_denominators(f) for f in span(distribution, at, places))
    whole = generic_flag(distribution.frame, fields, places[1:] if at else places, derived)
    return whole if at is None else flag_at(distribution.frame, fields, places[0], whole, derived)


def growth_vector(distribution: Distribution, at: Values | None = None) -> tuple[int, ...]:
    """The dimensions of ``D``, ``D + [D, D]``, ``D + [D, D] + [D, [D, D]]``, … until they grow no more.

    >>> from nonholo.geometry.frames.frame import Euclidean
    >>> martinet = Distribution(Euclidean("x y z"), rows=[["y**2", 0, -1]])
    >>> growth_vector(martinet), growth_vector(martinet, at={"x": 0, "y": 0, "z": 0})
    ((2, 3), (2, 2, 3))
    """
    return growth_flag(distribution, at).dimensions


def derived_flag(distribution: Distribution, at: Values | None = None) -> tuple[int, ...]:
    """The dimensions of ``D_1 = D``, ``D_{k+1} = D_k + [D_k, D_k]``."""
    return growth_flag(distribution, at, derived=True).dimensions


def annihilates(distribution: Distribution, function: Expr, samples: Sequence[Values] | None = None) -> float:
    """The largest ``|X[f]|`` beside ``|df|``: zero when the function is constant along the distribution."""
    frame = distribution.frame
    places = samples or configurations(distribution)
    slope = gradient(function, symbols(frame.coordinates))
    fields = span(distribution, samples=places)
    found = []
    for here in places:
        differential, anchor = evaluate_precisely(slope, here), evaluate_matrix_precisely(frame.anchor, here)
        covector = differential @ anchor
        vectors = evaluate_matrix_precisely(fields, here) if fields else np.zeros((0, frame.size))
        if not (finite_rows(covector) and finite_rows(vectors)):
            continue
        size = float(np.linalg.norm(covector))
        if not size > 1e-12 * float(np.linalg.norm(differential)) * float(np.linalg.norm(anchor)):
            return float("inf")  # constant along everything, as a relation of redundant coordinates is
        lengths = np.linalg.norm(vectors, axis=1)
        found.append(float(np.max(np.abs(vectors @ covector) / lengths, initial=0.0)) / size)
    return max(found, default=float("inf"))


JETS = 8
"""Number of distinguished derivatives of an input; brackets of that order are never reached."""


def with_time(frame: Frame, inputs: Sequence[str] = (), taken: Collection[str] = ()) -> Frame:
    """The frame on configurations and time, with one velocity more, ``ṫ``, last.

    An affine constraint ``A v + a = 0`` is the row ``(A, a)`` there. Inputs are unknown functions of time:
    ``ṫ`` moves each to its derivative, and that to the next one.

    >>> from nonholo.geometry.frames.frame import Euclidean
    >>> with_time(Euclidean("x y")).velocities
    ('xdot', 'ydot', 'tdot')
    """
    jets = [tuple(f"{u}_{k}" if k else u for k in range(JETS + 1)) for u in inputs]
    names = ("t", *(name for jet in jets for name in jet))
    busy = {*frame.velocities, *frame.parameters, *frame.coordinates, *taken}
    clock = "tdot"
    while clock in busy:
        clock += "_"
    below = (ZERO,) * frame.size
    rows = [*((*row, ZERO) for row in frame.anchor), (*below, ONE)]
    for jet in jets:
        rows += [*((*below, symbol(after)) for after in jet[1:]), (*below, ZERO)]
    return Frame(
        coordinates=(*frame.coordinates, *names),
        velocities=(*frame.velocities, clock),
        anchor=tuple(rows),
        brackets=FrozenMap(dict(structure_functions(frame))),
        parameters=frame.parameters,
        relations=frame.relations,
        home=(*frame.home, *(0.5 for _ in names)),
        checked=True,
    )
