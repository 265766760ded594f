"""Whether an edit that no check sees changes the formula at all: three numerical tests, none of which asks the check's tolerance.

- *Equal*: both forms have the same value wherever they are evaluated, as with two indices of a symmetric table or a sign under
  a square. A sign before a term that is zero at every state does not count: such states are not generic.
- *Same equation*: the terms of the edited equation are those of the printed one times constants, at the states of the check and
  at states moved at random off the motion, as with the scale of a conserved quantity.
- *Identity*: the edited function (a metric, a path) or number (a time, a start) is changed at random. A residual that is analytic
  in it and vanishes at random values vanishes identically, so that the display holds for all of them: it has a letter there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import wraps
from types import SimpleNamespace
from typing import Any

import numpy as np

SAME = 1e-11
"""Values are equal when they differ by less than this share of the larger one."""
MOVED = 0.05
"""The share by which values are moved at random."""


@dataclass
class Probe:
    """Compares what stands at a place with what an edit writes there, each time it is evaluated."""

    count: int = 0
    equal: bool = True
    zero: bool = True
    """An operand was zero, or the form itself, at every evaluation."""

    def __call__(self, old: Callable[[], Any], new: Callable[[], Any], *operands: Callable[[], Any]) -> Any:
        value = old()
        self.count += 1
        try:
            self.equal = self.equal and same(value, new())
            self.zero = self.zero and any(_largest(e()) == 0 for e in operands[-1:])
        except Exception:
            self.equal = False
        return value

    @property
    def tells(self) -> bool:
        """Whether the two are one formula."""
        return self.equal and (self.count == 0 or not self.zero)


@dataclass
class Nudge:
    """Changes the value at a place at random, by a share of its size and of the size of its operands."""

    seed: int
    done: bool = field(default=False)
    failed: bool = field(default=False)

    def __call__(self, old: Callable[[], Any], _: Any, *operands: Callable[[], Any]) -> Any:
        value = old()
        try:
            scale = max(_largest(value), *(_largest(e()) for e in operands), 0.0)
            array = np.asarray(value)
            if array.dtype.kind not in "fc":
                raise TypeError
            random = np.random.default_rng(self.seed)
            moved = array + MOVED * scale * random.uniform(-1, 1, array.shape)
        except Exception:
            self.failed = True
            return value
        self.done = True
        return moved if array.ndim else type(value)(moved)


@dataclass
class Letter:
    """A decorator: each entry of what a function returns is changed by a smooth function of the arguments."""

    seed: int
    done: bool = False
    failed: bool = False

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def changed(*arguments: Any, **more: Any) -> Any:
            value = function(*arguments, **more)
            return self._changed(value, [*arguments, *more.values()], 1)

        return changed

    def _changed(self, value: Any, arguments: list[Any], level: int) -> Any:
        if isinstance(value, (list, tuple)):
            return type(value)(self._changed(e, arguments, level + k) for k, e in enumerate(value, 1))
        if isinstance(value, SimpleNamespace):
            parts = enumerate(vars(value).items(), 1)
            return SimpleNamespace(**{n: self._changed(e, arguments, level + k) for k, (n, e) in parts})
        array = np.asarray(value)
        if array.dtype.kind not in "fc":
            self.failed = True
            return value
        self.done = True
        grid = _grid(array, arguments)
        shifts = np.random.default_rng(self.seed + level).uniform(0, 3, array.shape[1:] if grid is not None else array.shape)
        if grid is not None:  # a function of each point of a grid
            phase = grid.reshape(*grid.shape, *[1] * (array.ndim - grid.ndim))
        else:
            numbers = list(_numbers(arguments))
            phase = sum(w * x for w, x in zip(np.random.default_rng(self.seed).uniform(0.3, 1.0, len(numbers)), numbers))
            shifts = _symmetric(shifts, array)
        made = array * (1 + MOVED * np.sin(shifts + phase))
        return made if array.ndim else made[()]


def _grid(value: Any, arguments: list[Any]) -> Any:
    """An argument that has a number for each row of a value, at least six; None where there is none."""
    arrays = [a for a in arguments if isinstance(a, np.ndarray) and a.ndim and a.dtype.kind in "fc"]
    for a in arrays:
        if a.shape == value.shape[: a.ndim] and (len(a) > 5 or a.ndim > 1):
            return a if a.ndim == 1 else a.sum(axis=tuple(range(1, a.ndim)))
    return None


def _symmetric(shifts: Any, like: Any) -> Any:
    """Shifts with the symmetries that an array has up to its sign, so that a metric remains one."""
    for one in range(like.ndim):
        for two in range(one):
            turned = np.swapaxes(like, one, two)
            if like.shape[one] == like.shape[two] and same(np.abs(like), np.abs(turned)):
                shifts = shifts + np.swapaxes(shifts, one, two)
    return shifts


def same(one: Any, two: Any) -> bool:
    """Whether two values (numbers, arrays, expressions) are equal to rounding."""
    if hasattr(one, "free_symbols") or hasattr(two, "free_symbols"):
        return bool((one - two).expand() == 0)
    a, b = np.asarray(one), np.asarray(two)
    return bool(a.shape == b.shape and _largest(a - b) <= SAME * max(_largest(a), _largest(b)))


@dataclass(frozen=True)
class Evaluated:
    """A form of a check with the points at which it was evaluated and its terms there."""

    form: Callable[[object], Sequence[object]] | None
    points: Sequence[object]
    terms: Sequence[Sequence[object]]


def same_equations(before: Sequence[Evaluated], after: Sequence[Evaluated]) -> bool:
    """Whether the equations of two runs are the same up to constant factors; False where there is none."""
    if not before or len(before) != len(after):
        return False
    return all(_proportional(one, two) for one, two in zip(before, after))


def _proportional(one: Evaluated, two: Evaluated) -> bool:
    try:
        moved = [_off(p, k) for p in one.points for k in range(3)] if one.form and two.form else []
        first = [*one.terms, *(list(one.form(p)) for p in moved if one.form)]
        second = [*two.terms, *(list(two.form(p)) for p in moved if two.form)]
        if len({len(t) for t in (*first, *second)}) != 1:
            return False
        rows = [np.array([np.ravel(_float(t)) for t in terms]) for terms in (*first, *second)]
        a, b = np.array(rows[: len(first)]), np.array(rows[len(first) :])  # [point, term, component]
    except Exception:
        return False
    if a.shape != b.shape or not np.isfinite(a).all() or not np.isfinite(b).all():
        return False
    zero = 1e-9 * np.max(np.abs(a), initial=0.0)
    return all(_constant(a[:, :, k], b[:, :, k], zero) for k in range(a.shape[2]))


def _constant(a: Any, b: Any, zero: float) -> bool:
    """Whether all terms of one component are those of another times one constant, or their sums are, off the motion."""
    if max(np.max(np.abs(a)), np.max(np.abs(b))) <= zero:
        return True
    for x, y, floor in ((a, b, 0.0), (a.sum(axis=1), b.sum(axis=1), 1e-6 * np.max(np.abs(a)))):
        place = np.unravel_index(np.argmax(np.abs(x)), x.shape)
        if np.abs(x[place]) <= floor or y[place] == 0:
            continue
        if np.max(np.abs(y - x * (y[place] / x[place]))) <= 1e-9 * np.max(np.abs(y)):
            return True
    return bool(not np.any(a) and not np.any(b))


def _off(point: Any, seed: int) -> Any:
    """A point with every number in it changed at random."""
    random = np.random.default_rng(seed + 1)

    def changed(value: Any) -> Any:
        if isinstance(value, (int, str)):
            return value
        if isinstance(value, (float, np.floating)):
            size = abs(float(value)) or 1.0
            return float(value) + 0.1 * size * random.uniform(-1, 1)
        if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
            return value + 0.1 * (_largest(value) or 1) * random.uniform(-1, 1, value.shape)
        if isinstance(value, (list, tuple)):
            return type(value)(changed(e) for e in value)
        if isinstance(value, dict):
            return {n: changed(e) for n, e in value.items()}
        if isinstance(value, SimpleNamespace):
            made = type(value).__new__(type(value))
            made.__dict__.update({n: changed(e) for n, e in vars(value).items()})
            return made
        return value

    return changed(point)


def _numbers(value: Any) -> Iterator[Any]:
    if isinstance(value, (float, complex, np.number, np.ndarray)):
        yield from np.ravel(value)
    elif isinstance(value, SimpleNamespace):
        for name, inner in sorted(vars(value).items()):
            if name != "_rates":
                yield from _numbers(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _numbers(inner)


def _float(value: Any) -> Any:
    array = np.asarray(value)
    return array.astype(float) if array.dtype == object else array


def _largest(value: Any) -> float:
    array = _float(value)
    return float(np.max(np.abs(array))) if array.size else 0.0
