"""The errors a user can meet; each message says where, what was found, what was needed, what to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Place = Literal["python", "shell", "page"]
"""Where something is said: to a program in Python, on the command line, on a page in a browser."""


@dataclass(frozen=True)
class Remedy:
    """What to do about something, in the words of the place where it is said; without other words as in Python.

    >>> Remedy("give step=0.01", "give --step 0.01", "").words("shell")
    'give --step 0.01'
    """

    python: str = ""
    shell: str | None = None
    page: str | None = None

    def words(self, place: Place) -> str:
        """What to do, for one place; empty where there is nothing to do there."""
        there = {"python": self.python, "shell": self.shell, "page": self.page}[place]
        return self.python if there is None else there


def give_parameter(name: str) -> Remedy:
    """A parameter without a value."""
    return Remedy(
        f'give parameters={{"{name}": …}}', f"give --set {name}=1.5", f"write [parameters] and {name} = 1.5 below it"
    )


def give_step(step: object, options: str) -> Remedy:
    """A method that needs a step."""
    return Remedy(f"e.g. step={step}; its options are {options}", f"e.g. --step {step}", f"e.g. {step}")


def meant(word: object, known: Iterable[object], otherwise: str = "", likeness: float = 0.6) -> str:
    """What the user may have meant: the nearest known word as a question, or ``otherwise`` when none is near.

    ``likeness`` says how near, between 0 and 1.

    >>> meant("teta", ["theta", "x"])
    "did you mean 'theta'?"
    >>> meant("q", ["theta", "x"], "it has theta, x.")
    'it has theta, x.'
    """
    from difflib import get_close_matches

    near = get_close_matches(str(word)[:60], list(map(str, known)), 1, likeness)
    return f"did you mean {near[0]!r}?" if near else otherwise


class NonholoError(Exception):
    """Anything nonholo refuses, with a message for a person.

    >>> import nonholo as nh
    >>> try:
    ...     nh.gallery.get("ratleback")
    ... except nh.NonholoError as trouble:
    ...     print(trouble)
    the gallery has no system 'ratleback'; did you mean 'rattleback'?

    ``remedy`` says what to do in the words of the place where the message is read, see `said`.
    """

    def __init__(self, message: object = "", *rest: object, remedy: Remedy | None = None) -> None:
        self.message, self.remedy = str(message), remedy
        super().__init__(self.said("python"), *rest)

    def said(self, place: Place) -> str:
        """The message with what to do there."""
        if self.remedy is None:
            return self.message
        words = self.remedy.words(place)
        return f"{self.message} {words}." if words else f"{self.message.rstrip(',;')}."


class ParseError(NonholoError, ValueError):
    """Text that is not an expression nonholo understands; names the position.

    >>> import nonholo as nh
    >>> try:
    ...     nh.System(coordinates="x", lagrangian="xdot^2")
    ... except nh.ParseError as trouble:
    ...     print(str(trouble).splitlines()[0])
    system: lagrangian: unexpected '^': a power is written with **, as in x**2 (at column 5)
    """


class ModelError(NonholoError, ValueError):
    """A system that cannot be built, or whose parts contradict each other.

    >>> import nonholo as nh
    >>> try:
    ...     nh.System(coordinates="x x", lagrangian="xdot**2")
    ... except nh.ModelError as trouble:
    ...     print(trouble)
    system: coordinates: the name 'x' appears twice; every name must be different
    """


class StateError(NonholoError, ValueError):
    """Numbers that do not make a state: missing, unknown, not finite, or off the constraints.

    >>> import nonholo as nh
    >>> try:
    ...     nh.complete_state(nh.System(coordinates="x", lagrangian="xdot**2"), {"y": 1})
    ... except nh.StateError as trouble:
    ...     print(trouble)
    system: no state variable is called 'y'; it has x, xdot, t.
    """


class FileError(NonholoError, OSError):
    """A file that cannot be read or written.

    >>> import nonholo as nh
    >>> try:
    ...     nh.load("nowhere.toml")
    ... except nh.FileError as trouble:
    ...     print(trouble)
    nowhere.toml: there is no such file.
    """
