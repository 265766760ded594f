"""The errors a user can meet; each message says where, what was found, what was needed, what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, Self

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


@dataclass(frozen=True)
class Passage:
    """The place of a mistake in a text: a formula, or a whole file.

    >>> print(Passage("a = 1\\nb = sin(teta)", 14).shown())
        b = sin(teta)
                ^
    """

    text: str
    offset: int
    file: bool = False

    def line_and_column(self) -> tuple[int, int]:
        """Both counted from 1."""
        before = self.text[: self.offset]
        return before.count("\n") + 1, len(before) - before.rfind("\n")

    def named(self) -> str:
        """The place in words; the line in a file, or where there are several."""
        line, column = self.line_and_column()
        return f"line {line}, column {column}" if self.file or "\n" in self.text else f"column {column}"

    def shown(self) -> str:
        """The line, cut to what stands near, with a caret below."""
        start = self.text.rfind("\n", 0, self.offset) + 1
        stop = self.text.find("\n", self.offset)
        stop = len(self.text) if stop < 0 else stop
        left = max(start, self.offset - 40)
        right = min(stop, left + 70)
        piece = "".join(c if c.isprintable() else " " for c in self.text[left:right])
        head, tail = ("…" if left > start else ""), ("…" if right < stop else "")
        return f"    {head}{piece}{tail}\n    {' ' * (len(head) + self.offset - left)}^"


class NonholoError(Exception):
    """Anything nonholo refuses, with a message for a person.

    >>> import nonholo as nh
    >>> try:
    ...     nh.gallery.get("ratleback")
    ... except nh.NonholoError as trouble:
    ...     print(trouble)
    the gallery has no system 'ratleback'; did you mean 'rattleback'?

    ``remedy`` says what to do in the words of the place where the message is read, see `said`; ``passage`` is the place in
    the text that was read, and ``key`` the names of the table entry that it is about, such as ``("start", "omega")``;
    ``unknown`` is a name that nothing declares and none resembles.
    """

    def __init__(
        self,
        message: object = "",
        *rest: object,
        remedy: Remedy | None = None,
        passage: Passage | None = None,
        key: tuple[str | int, ...] = (),
        unknown: str = "",
    ) -> None:
        self.message, self.remedy, self.passage, self.key, self.unknown = str(message), remedy, passage, key, unknown
        super().__init__(self.said("python"), *rest)

    def advice(self, place: Place) -> str:
        """The message with what to do there."""
        if self.remedy is None:
            return self.message
        words = self.remedy.words(place)
        return f"{self.message} {words}." if words else f"{self.message.rstrip(',;')}."

    def said(self, place: Place) -> str:
        """The same with the place in the text that was read, and below it the line with a caret."""
        message = self.advice(place)
        if self.passage is None:
            return message
        end = "." if message.endswith(".") else ""
        return f"{message.removesuffix(end)} (at {self.passage.named()}){end}\n{self.passage.shown()}"

    def within(self, where: str) -> Self:
        """The same error, said to come from ``where``."""
        return self.altered(f"{where}: {self.message}", self.passage)

    def below(self, name: str | int) -> Self:
        """The same error about an entry of the table or list ``name``."""
        return type(self)(
            self.message, remedy=self.remedy, passage=self.passage, key=(name, *self.key), unknown=self.unknown
        )

    def altered(self, message: str, passage: Passage | None) -> Self:
        """The same error with another message and place."""
        return type(self)(message, remedy=self.remedy, passage=passage, key=self.key, unknown=self.unknown)


VALUE = "="
"""The last name of a key that means the value of an entry and not its name."""


@contextmanager
def about(*key: str | int) -> Iterator[None]:
    """Errors inside are about this entry of the user's table, unless they name another.

    >>> with about("forces", "x"):
    ...     raise ModelError("no number")
    Traceback (most recent call last):
    ...
    nonholo.errors.ModelError: no number
    >>> try:
    ...     with about("forces", "x"):
    ...         raise ModelError("no number")
    ... except ModelError as trouble:
    ...     trouble.key
    ('forces', 'x')
    """
    try:
        yield
    except NonholoError as trouble:
        trouble.key = trouble.key or key
        raise


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
    system: coordinates: the name 'x' appears twice; every name must be different (at column 3)
        x x
          ^
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
