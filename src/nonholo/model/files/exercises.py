"""Exercises of a living page: a question with choices, or a goal to be reached by moving sliders."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import ModelError, about, meant
from nonholo.notation.parse import parse

Number = Callable[[Any, str], float]
R = TypeVar("R")
WORDS = ("question", "choices", "answer", "goal", "within", "at", "set", "change", "because")
MOMENTS = ("end", "closest")


@dataclass(frozen=True)
class Exercise:
    """One exercise: with ``choices``, of which number ``answer`` is right, or with a ``goal``.

    The goal is an expression in the names of the system, reached where its size is at most ``within``, ``at`` the end of the
    motion or anywhere along it ("closest"). ``numbers`` are set when the exercise begins, ``change`` names the sliders to
    move (all, where empty), and ``because`` explains the answer.
    """

    question: str
    choices: tuple[str, ...] = ()
    answer: int = 0
    goal: str = ""
    within: float = 0.0
    at: str = "end"
    numbers: Mapping[str, float] = field(default_factory=FrozenMap)
    change: tuple[str, ...] = ()
    because: str = ""


def exercises_of(given: Any, known: Sequence[str], where: str, number: Number) -> tuple[Exercise, ...]:
    """The exercises of a file, each a table.

    >>> asked = {"question": "Left?", "choices": ["yes", "no"], "answer": 3}
    >>> exercises_of([asked], ("x",), "exercises", lambda e, where: float(e))
    Traceback (most recent call last):
    ...
    nonholo.errors.ModelError: exercises 1: answer is 3, and there are 2 choices; give the right one's number, counted from 1.
    """
    return listed_records(given, Exercise, "exercises", WORDS, where, lambda e, here: _exercise(e, known, here, number))


def listed_records(
    given: Any, record: type[R], name: str, words: Sequence[str], where: str, read: Callable[[Any, str], R]
) -> tuple[R, ...]:
    """The records of a list such as ``[[exercises]]``, each as it is or read from a table with these keywords."""
    found: list[R] = []
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise ModelError(f"{where}: found {type(given).__name__} where a list of tables was needed: [[{name}]].", key=(name,))
    for k, one in enumerate(given):
        with about(name, k):
            if not isinstance(one, (record, Mapping)):
                kind = type(one).__name__
                raise ModelError(f"{where} {k + 1}: found {kind} where a table with {words[0]} = … was needed.")
            for word in one if isinstance(one, Mapping) else ():
                if word not in words:
                    hint = meant(str(word), words, f"the keywords are {', '.join(words)}.")
                    raise ModelError(f"{where} {k + 1}: unknown keyword {word!r}; {hint}")
            found.append(one if isinstance(one, record) else read(one, f"{where} {k + 1}"))
    return tuple(found)


def _exercise(given: Any, known: Sequence[str], where: str, number: Number) -> Exercise:
    question, goal = str(given.get("question", "")), str(given.get("goal", ""))
    choices = tuple(map(str, given.get("choices", ())))
    if not question or bool(choices) == bool(goal):
        raise ModelError(f"{where}: an exercise needs a question, and either choices (with answer) or a goal (with within).")
    answer = given.get("answer", 0)
    if choices and not (isinstance(answer, int) and 1 <= answer <= len(choices)):
        raise ModelError(
            f"{where}: answer is {answer!r}, and there are {len(choices)} choices; give the right one's number, counted from 1."
        )
    within = number(given.get("within", 0.0), f"{where}: within")
    if goal:
        parse(goal, known, f"{where}: goal")
        if not within > 0:
            raise ModelError(f"{where}: within is {within:g}; say how near to zero the goal must come, with a positive number.")
    at = str(given.get("at", "end"))
    if at not in MOMENTS:
        raise ModelError(f"{where}: at = {at!r}; it is one of {', '.join(MOMENTS)}.")
    numbers = {str(n): number(e, f"{where}: {n}") for n, e in dict(given.get("set", {})).items()}
    change = tuple(map(str, given.get("change", ())))
    for name in (*numbers, *change):
        if name not in known and name != "until":
            hint = meant(name, known, f"the names are {', '.join(known)}.")
            raise ModelError(f"{where}: no quantity is called {name!r}; {hint}")
    return Exercise(question, choices, int(answer), goal, within, at, FrozenMap(numbers), change, str(given.get("because", "")))


def exercise_table(one: Exercise) -> dict[str, Any]:
    """The exercise as plain data, for a file."""
    made: dict[str, Any] = {"question": one.question}
    if one.choices:
        made |= {"choices": list(one.choices), "answer": one.answer}
    else:
        made |= {"goal": one.goal, "within": one.within, **({"at": one.at} if one.at != "end" else {})}
    more = {"set": dict(one.numbers), "change": list(one.change), "because": one.because}
    return {**made, **{key: value for key, value in more.items() if value}}
