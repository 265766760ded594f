"""Bounded caches: safe among threads and after a fork, never pickled."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from threading import RLock
from typing import Any, Generic, TypeVar
from weakref import WeakSet, ref

from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import DependentRows
from nonholo.algebra.numeric_functions import Formulas

V = TypeVar("V")
T = TypeVar("T")
Rule = Callable[[Numbers], Any]
MOST = 64
"""Size of the cache of results."""


class Cache(Generic[V]):
    """The last ``most`` values by key; one that is missing is made, by one thread at a time.

    A cache never changes a result, only its cost: a value depends on its key alone.

    >>> squares: Cache[int] = Cache(2)
    >>> squares.get(3, lambda: 9), squares.get(3, lambda: 0), len(squares)
    (9, 9, 1)
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._values: OrderedDict[Hashable, V] = OrderedDict()
        self._lock = RLock()
        _EVERY.add(self)

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        """The value of a key, made if it is not there."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
            value = make()
            self.put(key, value)
            return value

    def found(self, key: Hashable) -> V | None:
        """The value of a key if it is there."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: Hashable, value: V) -> None:
        """Keep a value, in the place of an older one."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self.most:
                self._values.popitem(last=False)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._values.clear()

    def __len__(self) -> int:
        return len(self._values)

    def _after_fork(self) -> None:
        self._lock = RLock()

    def __reduce__(self) -> tuple[type[Cache[V]], tuple[int]]:
        return Cache, (self.most,)  # what it holds is made again where it lands


class WeakCache(Generic[V]):
    """Values that belong to an object and go with it, found by the object itself: no comparison of what it holds."""

    def __init__(self, most: int) -> None:
        self._kept: Cache[tuple[ref[Any], V]] = Cache(most)

    def get(self, owner: Any, make: Callable[[], V]) -> V:
        """The value of this very object, made if it is not there."""
        key = id(owner)
        entry = self._kept.found(key)
        if entry is not None and entry[0]() is owner:
            return entry[1]
        value = make()
        self._kept.put(key, (ref(owner), value))
        return value


def key_of(*words: Any) -> Hashable | None:
    """The words of a question as a key; None for values that cannot be compared.

    >>> key_of(1, {"a": 2}) == key_of(1, {"a": 2}), key_of([1])
    (True, None)
    """
    try:
        key = tuple(FrozenMap(w) if isinstance(w, Mapping) else w for w in words)
        hash(key)
    except TypeError:
        return None
    return key


_EVERY: WeakSet[Cache[Any]] = WeakSet()


def forget() -> None:
    """Clear every cache of this process; results stay the same."""
    for kept in list(_EVERY):
        kept.clear()


def _in_child() -> None:
    for kept in list(_EVERY):
        kept._after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


class Recorder:
    """Answers questions at one place, and remembers them."""

    def __init__(self, values: Mapping[str, float]) -> None:
        self.values = values
        self.asked: list[tuple[Rule, Formulas, Hashable]] = []

    def __call__(self, rule: Rule, exprs: Sequence[Expr]) -> Any:
        names = sorted({str(s) for e in exprs for s in e.free_symbols})
        formulas = Formulas(names, exprs)
        answer = rule(formulas.at(self.values))
        self.asked.append((rule, formulas, answer))
        return answer


class Choices(Generic[T]):
    """Results of a derivation that depends on decisions at a place: the same decisions lead to the same result.

    What was found before never changes what is found: a place decides its answers by itself.
    """

    def __init__(self) -> None:
        self._questions: dict[tuple[Hashable, ...], tuple[Rule, Formulas] | None] = {}
        self._results: Cache[T] = Cache(MOST)

    def get(self, values: Mapping[str, float], make: Callable[[Recorder], T]) -> T:
        """The result at a place; ``make`` derives it, asking through the recorder."""
        known = self._answers(values)
        if known is not None:
            found = self._results.found(known)
            if found is not None:
                return found
        recorder = Recorder(values)
        result = make(recorder)
        if len(self._questions) > 64 * MOST:
            self._questions.clear()
        answers: tuple[Hashable, ...] = ()
        for rule, formulas, answer in recorder.asked:
            self._questions.setdefault(answers, (rule, formulas))
            answers = (*answers, answer)
        self._questions.setdefault(answers, None)
        return self._results.get(answers, lambda: result)

    def _answers(self, values: Mapping[str, float]) -> tuple[Hashable, ...] | None:
        answers: tuple[Hashable, ...] = ()
        while answers in self._questions:
            question = self._questions[answers]
            if question is None:
                return answers
            rule, formulas = question
            try:
                answers = (*answers, rule(formulas.at(values)))
            except DependentRows:  # the derivation will say so itself, in its own words
                return None
        return None

    def __len__(self) -> int:
        return len(self._results)
