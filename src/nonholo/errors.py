"""The errors a user can meet; each message says where, what was found, what was needed, what to do."""

from __future__ import annotations

from collections.abc import Iterable


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
    """


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
