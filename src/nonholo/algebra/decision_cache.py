"""Cache keyed by numeric decisions: a derivation records its questions, and equal answers find the same result again."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from nonholo.algebra.cache import Kept
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.formula_values import Formulas, Numbers
from nonholo.algebra.linear_equations import DependentRows

T = TypeVar("T")
Rule = Callable[[Numbers], Any]
MOST = 64
"""So many different ends of the course are kept."""


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
    """Results of a derivation that asks questions at a place: the same answers lead to the same result.

    What was found before never changes what is found: a place decides its answers by itself.
    """

    def __init__(self) -> None:
        self._questions: dict[tuple[Hashable, ...], tuple[Rule, Formulas] | None] = {}
        self._results: Kept[T] = Kept(MOST)

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
