"""Options of a living page: meanings of symbols, slider ranges, presets, exercises, story."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import ModelError, about, meant
from nonholo.model.files.exercises import Exercise, exercise_table, exercises_of
from nonholo.model.files.stories import Stop, stop_table, story_of
from nonholo.notation.parse import parse

WORDS = ("meanings", "ranges", "presets", "exercises", "story", "gait")
Number = Callable[[Any, str], float]
GAIT_WORDS = ("over", "quantity", "loop")


@dataclass(frozen=True)
class Page:
    """Meanings of names, ranges ``(low, high)`` or ``(low, high, step)``, and presets: numbers by name for a title.

    >>> Page({"m": "mass"}, {"m": (0.5, 2.0)}, {"heavy": {"m": 2.0}}).meanings["m"]
    'mass'
    """

    meanings: Mapping[str, str] = field(default_factory=FrozenMap)
    ranges: Mapping[str, tuple[float, ...]] = field(default_factory=FrozenMap)
    presets: Mapping[str, Mapping[str, float]] = field(default_factory=FrozenMap)
    exercises: tuple[Exercise, ...] = ()
    story: tuple[Stop, ...] = ()
    gait: GaitWindow | None = None

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "meanings", FrozenMap(self.meanings))
        put(self, "ranges", FrozenMap({n: tuple(e) for n, e in self.ranges.items()}))
        put(self, "presets", FrozenMap({n: FrozenMap(e) for n, e in self.presets.items()}))


def page_of(given: Any, known: Sequence[str], where: str, number: Number) -> Page | None:
    """The page as a `Page` or a table; names that the system does not have are refused.

    A `Page` was read before, for a system of which this one may be a variant: entries of other names are left out.
    ``number`` reads a finite number and says where it stands.

    >>> page_of({"meanings": {"q": "angle"}}, ("x",), "swing: page", lambda value, where: float(value))
    Traceback (most recent call last):
    ...
    nonholo.errors.ModelError: swing: page: meanings: no quantity is called 'q'; the names are x.
    """
    if given is None or (isinstance(given, Page) and given == Page()):
        return None
    table = vars(_fitting(given, known)) if isinstance(given, Page) else given
    if not isinstance(table, Mapping):
        raise ModelError(f"{where}: found {type(given).__name__} where a table was needed: [page.meanings], [page.ranges].")
    for word in table:
        if word not in WORDS:
            hint = meant(word, WORDS, f"the keywords are {', '.join(WORDS)}.")
            raise ModelError(f"{where}: unknown keyword {word!r}; {hint}", key=("page", word))
    parts = {word: _table(table.get(word, {}), f"{where}: {word}") for word in WORDS[:3]}
    exercises = exercises_of(table.get("exercises", ()), known, where.replace(": page", ": exercises"), number)
    story = story_of(table.get("story", ()), known, where.replace(": page", ": story"), number)
    gait = gait_window(table.get("gait"), known, f"{where}: gait", number)
    presets = {title: _table(e, f"{where}: preset {title!r}") for title, e in parts["presets"].items()}
    for what, names in (("meanings", parts["meanings"]), ("ranges", parts["ranges"]), *presets.items()):
        for name in names:
            if name not in known and name != "until":
                hint = meant(name, known, f"the names are {', '.join(known)}.")
                table = (what,) if what in WORDS else ("presets", what)
                told = f"{where}: {what}: no quantity is called {name!r}; {hint}"
                raise ModelError(told, key=("page", *table, name))
    ranges: dict[str, tuple[float, ...]] = {}
    for name, told in parts["ranges"].items():
        with about("page", "ranges", name):
            ranges[name] = _range(told, f"{where}: range of {name}", number)
    numbers: dict[str, dict[str, float]] = {title: {} for title in presets}
    for title, preset in presets.items():
        for name, value in preset.items():
            with about("page", "presets", title, name):
                numbers[title][name] = number(value, f"{where}: preset {title!r}: {name}")
    return Page({n: str(e) for n, e in parts["meanings"].items()}, ranges, numbers, exercises, story, gait)


def _fitting(page: Page, known: Sequence[str]) -> Page:
    def own(told: Mapping[str, Any]) -> dict[str, Any]:
        return {n: e for n, e in told.items() if n in known or n == "until"}

    presets = {title: e for title, e in page.presets.items() if len(own(e)) == len(e)}
    kept = tuple(e for e in page.exercises if len(own(e.numbers)) == len(e.numbers) and not e.goal and not e.change)
    whole = _whole(page, known)
    fits = page.gait is not None and {page.gait.quantity, *page.gait.over} <= set(known)
    told = (page.exercises, page.story) if whole else (kept, ())
    return Page(own(page.meanings), own(page.ranges), presets, *told, page.gait if fits else None)


def _whole(page: Page, known: Sequence[str]) -> bool:
    """Whether every name and goal of exercises and story fits the system."""
    try:
        story_of([stop_table(e) for e in page.story], known, "story", lambda e, _: float(e))
        exercises_of([exercise_table(e) for e in page.exercises], known, "exercises", lambda e, _: float(e))
    except ModelError:
        return False
    return True


def page_table(page: Page) -> dict[str, Any]:
    """The page as plain data, for a file."""
    made = {
        "meanings": dict(page.meanings),
        "ranges": {n: list(e) for n, e in page.ranges.items()},
        "presets": {n: dict(e) for n, e in page.presets.items()},
        "exercises": [exercise_table(e) for e in page.exercises],
        "story": [stop_table(e) for e in page.story],
        "gait": gait_table(page.gait) if page.gait is not None else None,
    }
    return {key: value for key, value in made.items() if value}


def _table(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ModelError(f"{where}: found {type(value).__name__} where a table of names was needed.")
    return {str(key): item for key, item in value.items()}


def _range(value: Any, where: str, number: Number) -> tuple[float, ...]:
    numbers = tuple(number(e, where) for e in value) if isinstance(value, Sequence) and not isinstance(value, str) else ()
    if len(numbers) not in (2, 3) or not numbers[0] < numbers[1] or (len(numbers) == 3 and not numbers[2] > 0):
        raise ModelError(f"{where}: found {value!r} where [low, high] or [low, high, step] was needed, low < high, step > 0.")
    return numbers


@dataclass(frozen=True)
class GaitWindow:
    """Ranges of one or two shape variables, the quantity to move, and perhaps a loop: texts in t with the period 2π.

    >>> GaitWindow({"a1": (0.0, 1.0), "a2": (0.0, 1.0)}).quantity
    'x'
    """

    over: Mapping[str, tuple[float, float]]
    quantity: str = "x"
    loop: Mapping[str, str] = field(default_factory=FrozenMap)


def gait_window(given: Any, known: Sequence[str], where: str, number: Number) -> GaitWindow | None:
    """The table ``[page.gait]`` of a file; None where it is missing.

    >>> gait_window({"over": {}}, ("x", "a1"), "page: gait", lambda e, where: float(e))
    Traceback (most recent call last):
    ...
    nonholo.errors.ModelError: page: gait: over needs one or two shape variables with ranges, e.g. over = {a1 = [0, 1]}.
    """
    if given is None or isinstance(given, GaitWindow):
        return given
    if not isinstance(given, Mapping):
        raise ModelError(f"{where}: found {type(given).__name__} where a table was needed: [page.gait].")
    for word in given:
        if word not in GAIT_WORDS:
            hint = meant(str(word), GAIT_WORDS, f"the keywords are {', '.join(GAIT_WORDS)}.")
            raise ModelError(f"{where}: unknown keyword {word!r}; {hint}")
    over, loop = given.get("over", {}), given.get("loop", {})
    ranges = list(over.values()) if isinstance(over, Mapping) else []
    if len(ranges) not in (1, 2) or not all(isinstance(e, Sequence) and len(e) == 2 for e in ranges):
        raise ModelError(f"{where}: over needs one or two shape variables with ranges, e.g. over = {{a1 = [0, 1]}}.")
    quantity = str(given.get("quantity", "x"))
    if not isinstance(loop, Mapping) or (loop and set(loop) != set(over)):
        raise ModelError(f"{where}: loop needs a text in t for each of {' and '.join(map(str, over))}.")
    for name in (*over, quantity):
        if name not in known:
            raise ModelError(f"{where}: no quantity is called {name!r}; {meant(str(name), known, f'the names are {known}.')}")
    for name, text in loop.items():
        parse(str(text), ("t",), f"{where}: loop of {name}")
    spans = {str(n): (number(e[0], f"{where}: {n}"), number(e[1], f"{where}: {n}")) for n, e in over.items()}
    return GaitWindow(FrozenMap(spans), quantity, FrozenMap({str(n): str(e) for n, e in loop.items()}))


def gait_table(window: GaitWindow) -> dict[str, Any]:
    """The same as plain data, for a file."""
    made: dict[str, Any] = {"over": {n: list(e) for n, e in window.over.items()}, "quantity": window.quantity}
    return {**made, **({"loop": dict(window.loop)} if window.loop else {})}
