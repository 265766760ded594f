"""Systems as TOML: the same keys as ``System``, written so that reading gives back an equal system."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from nonholo.errors import VALUE, FileError, ModelError, NonholoError, ParseError, meant
from nonholo.geometry.frames.frame import Euclidean
from nonholo.geometry.frames.frame_files import frame_from_recipe, recipe_of
from nonholo.model.contact_reading import contact_table, own_rows
from nonholo.model.drawing.drawing_words import to_words
from nonholo.model.files.mistake_places import placed_in
from nonholo.model.files.page_options import page_table
from nonholo.model.files.toml_text import file_bytes, plain_text, toml_of, toml_table
from nonholo.model.scalars import guessed, written_start
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System, known_inputs, known_parameters
from nonholo.notation.read import expression
from nonholo.notation.write import to_text

Table = dict[str, Any]


def load(path: str | os.PathLike[str]) -> System:
    """The system written in formulas in a TOML file; `nonholo.machines.machine_files` reads machines too."""
    return _read(*file_text(path))


def file_text(path: str | os.PathLike[str]) -> tuple[str, str, str]:
    """The text of a system's file, its path, and the default name of the system."""
    file = Path(path) if isinstance(path, (str, os.PathLike)) else path
    try:
        text = plain_text(file_bytes(file))
    except FileNotFoundError:
        raise FileError(f"{file}: there is no such file{_neighbour(file)}") from None
    except IsADirectoryError:
        raise FileError(f"{file} is a directory; give the TOML file of a system.") from None
    except UnicodeDecodeError as trouble:
        raise FileError(f"{file}: byte {trouble.start + 1} is not UTF-8 text; save the file as UTF-8 TOML.") from None
    except FileError:
        raise
    except (OSError, ValueError) as trouble:
        raise FileError(f"{file} cannot be read: {getattr(trouble, 'strerror', None) or trouble}.") from None
    return text, str(file), file.stem


def loads(text: str) -> System:
    """The system written in this TOML text.

    >>> loads('coordinates = "x"\\nlagrangian = "m*xdot**2/2"\\n[parameters]\\nm = 2').parameters
    {'m': 2.0}
    """
    return _read(text, "TOML text", None)


def dumps(system: System) -> str:
    """The system as TOML text, ``loads(dumps(system)) == system``.

    >>> print(dumps(System(name="fall", coordinates="z", parameters={"m": 2}, lagrangian="m*zdot**2/2 - m*9.81*z")))
    name = "fall"
    coordinates = "z"
    lagrangian = "m*zdot**2/2 - 9.81*m*z"
    <BLANKLINE>
    [parameters]
    m = 2.0
    <BLANKLINE>
    """
    return toml_of(to_table(system))


def to_table(system: System) -> Table:
    """The system as plain data: text, numbers, lists and tables, with the keys of `System`."""
    if not isinstance(system, System):
        raise ModelError(f"found {type(system).__name__} where a System was needed; build one with nh.System(…).")
    table: Table = {"name": system.name}
    plain = bool(system.coordinates) and system.frame == Euclidean(system.coordinates)
    if plain:
        table["coordinates"] = " ".join(system.coordinates)
    known = known_parameters(system)
    if system.parameters and not known:
        table["parameters"] = " ".join(system.parameters)
    laws = known_inputs(system)
    if system.inputs and not laws:
        table["inputs"] = " ".join(system.inputs)
    table["lagrangian"] = to_text(system.lagrangian)
    for key, rows in zip(("constraints", "holonomic"), own_rows(system)):
        if rows:
            table[key] = [to_text(e) for e in rows]
    if not plain:
        table["frame"] = recipe_of(system.frame)
    if system.quasivelocities:
        table["quasivelocities"] = _texts(system.quasivelocities)
    if system.parametric is not None:
        names, velocities = system.parametric
        table["parametric"] = {"parameters": " ".join(names), "velocities": _texts(velocities)}
    if system.forces:
        table["forces"] = _texts(system.forces)
    if laws:
        table["inputs"] = {n: _law(e) for n, e in system.inputs.items()}
    if system.magnetic:
        table["magnetic"] = _texts({" ".join(pair): e for pair, e in system.magnetic.items()})
    if system.symmetry is not None:
        table["symmetry"] = _symmetry_table(system.symmetry)
    if known:
        table["parameters"] = {n: known.get(n, "") for n in system.parameters}
    if system.start:
        table["start"] = written_start(system.start)
    if system.until is not None:
        table = {"name": table.pop("name"), "until": system.until, **table}
    if system.units:
        table["units"] = dict(system.units)
    if system.drawing is not None:
        table["drawing"] = to_words(system.drawing)
    if system.page is not None:
        page = page_table(system.page)
        table |= {key: page.pop(key) for key in PAGE_LISTS if key in page}
        if page:
            table["page"] = page
    if system.contacts:
        table["contacts"] = [contact_table(law) for law in system.contacts]
    return table


def _law(law: Any) -> float | str:
    return "" if law is None else law if isinstance(law, float) else to_text(law)


def _texts(expressions: Mapping[str, Any]) -> dict[str, str]:
    return {name: to_text(e) for name, e in expressions.items()}


def from_table(table: Mapping[str, Any], where: str = "system") -> System:
    """The system that plain data describes; the inverse of `to_table`."""
    words = read_words(table, where)
    with told_from(where):
        return System(**words)


def read_words(table: Mapping[str, Any], where: str) -> Table:
    """The keywords of a System from plain data, each read and checked."""
    if not isinstance(table, Mapping):
        raise FileError(f"{where}: found {_kind(table)} where a table with the keys of a system was needed.")
    _refuse_strangers(table, READERS, where)
    words = _each(table, lambda key, value: READERS[key](value, f"{where}: {key}"))
    listed = {key: words.pop(key) for key in PAGE_LISTS if key in words}
    if listed:
        words["page"] = {**words.get("page", {}), **listed}
    return words


def _read(text: str, where: str, name: str | None) -> System:
    table = toml_table(text, where)
    with placed_in(text):
        return from_table({"name": name, **table} if name else table, where)


def _each(table: Mapping[Any, Any], read: Callable[[Any, Any], Any]) -> Table:
    """Every entry of a table as it is read; an error knows which one it is about."""
    found = {}
    for key, value in table.items():
        try:
            found[str(key)] = read(key, value)
        except NonholoError as trouble:
            raise (trouble if trouble.key else trouble.below(VALUE)).below(key) from None
    return found


@contextmanager
def told_from(where: str) -> Iterator[None]:
    """Errors inside say where they come from."""
    try:
        yield
    except NonholoError as trouble:
        raise trouble.within(where) from None


def _neighbour(file: Path) -> str:
    with suppress(OSError):
        near = meant(file, file.parent.glob("*.toml"))
        return f"; {near}" if near else "."
    return "."


def _kind(value: Any) -> str:
    words = {str: "text", int: "a number", float: "a number", bool: "true or false", list: "a list", dict: "a table"}
    return words.get(type(value), type(value).__name__)


def _refuse_strangers(table: Mapping[str, Any], known: Sequence[str] | Mapping[str, Any], where: str) -> None:
    for key in table:
        if key not in known:
            hint = meant(key, known, f"the keywords are {', '.join(known)}.")
            hint = ELSEWHERE.get(str(key), hint) if known is READERS else hint
            raise FileError(f"{where}: unknown keyword {key!r}; {hint}", key=(key,))


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise FileError(f"{where}: found {_kind(value)} where text was needed.")
    return value


def _names(value: Any, where: str) -> Any:
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)) and all(isinstance(name, str) for name in value):
        return list(value)
    raise FileError(f'{where}: found {_kind(value)} where names were needed, e.g. "theta x y".')


def _expression(value: Any, where: str) -> Any:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise FileError(f"{where}: found {_kind(value)} where an expression was needed; write it as text.")
    return value


def _residuals(value: Any, where: str) -> Any:
    if isinstance(value, (list, tuple)):
        return list(_each(dict(enumerate(value)), lambda i, item: _expression(item, f"{where} {i + 1}")).values())
    return [_expression(value, where)]


def _table(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise FileError(f"{where}: found {_kind(value)} where a table was needed: [{where.rpartition(': ')[2]}].")
    return value


def _expressions(value: Any, where: str) -> Table:
    table = _table(value, where)
    _refuse_misplaced(table, where)
    return _each(table, lambda key, item: _expression(item, f"{where}.{key}"))


def _refuse_misplaced(table: Mapping[str, Any], where: str) -> None:
    """In TOML all that follows [table] belongs to it: a keyword there is a slip."""
    for key in table:
        if key in ("coordinates", "lagrangian", "constraints", "holonomic", "inputs", "until"):
            inside = where.rpartition(": ")[2]
            message = f"{where}: {key!r} stands below [{inside}]; move it above the first line in [brackets]."
            raise FileError(message, key=(key,))


def number(value: Any, where: str) -> float:
    """A finite number, given as one or as text without names, such as ``"pi/6"``."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise FileError(f"{where}: found {_kind(value)} where a number was needed.")
    try:
        result = float(expression(value, (), where).n() if isinstance(value, str) else value)
    except (ParseError, OverflowError, RuntimeError, TypeError, ValueError):
        degrees = re.fullmatch(r"\s*([-+]?[\d.]+)\s*(?:°|deg\w*)\s*", str(value))
        wanted = f"\"{degrees[1]}*pi/180\", for angles are in radians" if degrees else '0.5 or "pi/6", in SI units and radians'
        raise FileError(f"{where}: {str(value)[:40]!r} is not a number; write {wanted}.") from None
    if not math.isfinite(result):
        raise FileError(f"{where} is {result}; a finite number is needed.")
    return result


def _start(value: Any, where: str) -> dict[str, float]:
    """Numbers, and guesses such as ``"~0.8"`` for coordinates that holonomic constraints tie."""
    table = _table(value, where)
    _refuse_misplaced(table, where)
    return _each(table, lambda key, item: guessed(item, lambda e: number(e, f"{where}.{key}")))


def _parameters(value: Any, where: str) -> Any:
    """Names, or a table of numbers; an empty text stands for a number that is not given."""
    if not isinstance(value, Mapping):
        return _names(value, where)
    _refuse_misplaced(value, where)
    return _each(value, lambda key, item: None if item == "" else number(item, f"{where}.{key}"))


def _inputs(value: Any, where: str) -> Any:
    """Names, or a table of laws; an empty text stands for a law that is not given."""
    if not isinstance(value, Mapping):
        return _names(value, where)
    return _each(value, lambda key, law: None if law == "" else _expressions({key: law}, where)[key])


def _parametric(value: Any, where: str) -> tuple[Any, Table]:
    table = _table(value, where)
    _refuse_strangers(table, ("parameters", "velocities"), where)
    missing = [key for key in ("parameters", "velocities") if key not in table]
    if missing:
        raise FileError(f'{where}: {missing[0]!r} is missing; give parameters = "v1 v2" and [parametric.velocities].')
    return _names(table["parameters"], f"{where}.parameters"), _expressions(table["velocities"], f"{where}.velocities")


def _symmetry(value: Any, where: str) -> Symmetry:
    """``[symmetry]`` holds one table for each generator, and optionally the group's name."""
    table = dict(_table(value, where))
    name = table.pop("name") if isinstance(table.get("name"), str) else ""
    fields = {key: _expressions(field, f"{where}.{key}") for key, field in table.items()}
    with told_from(where):
        return Symmetry(fields, name)


def _symmetry_table(symmetry: Symmetry) -> Table:
    generators = {name: dict(field) for name, field in symmetry.generators.items()}
    if not symmetry.name:
        return generators
    if "name" in generators:
        raise ModelError("symmetry: in a file a generator called 'name' would hide the group's name; rename it.")
    return {"name": symmetry.name, **generators}


def _units(value: Any, where: str) -> dict[str, str]:
    table = _table(value, where)
    _refuse_misplaced(table, where)
    return _each(table, lambda key, item: _text(item, f"{where}.{key}"))


def _drawing(value: Any, where: str) -> Any:
    """``[drawing]`` with ``[[drawing.shapes]]``; what the shapes say is read with the system's names."""
    if not isinstance(value, (Mapping, list)):
        raise FileError(f"{where}: found {_kind(value)} where a table was needed: [[drawing.shapes]].")
    return value


def _frame(value: Any, where: str) -> Any:
    parts = [value] if isinstance(value, Mapping) else value
    if not isinstance(parts, (list, tuple)) or not parts or not all(isinstance(part, Mapping) for part in parts):
        raise FileError(f'{where}: found {_kind(value)} where tables were needed: [[frame]], kind = "SO3".')
    with told_from(where):
        return frame_from_recipe(parts)


PAGE_LISTS = ("exercises", "story")
"""What belongs to the page and is written beside its tables."""
READERS: dict[str, Callable[[Any, str], Any]] = {
    "name": _text,
    "coordinates": _names,
    "parameters": _parameters,
    "inputs": _inputs,
    "lagrangian": _expression,
    "constraints": _residuals,
    "holonomic": _residuals,
    "frame": _frame,
    "quasivelocities": _expressions,
    "parametric": _parametric,
    "forces": _expressions,
    "magnetic": _expressions,
    "symmetry": _symmetry,
    "start": _start,
    "until": number,
    "units": _units,
    "drawing": _drawing,
    "page": _table,
    "contacts": lambda value, where: value,  # read with the names of the system
    "exercises": lambda value, where: value,
    "story": lambda value, where: value,
}
"""Keyword -> what checks and reads its value."""
ELSEWHERE = {
    "method": "how to integrate is asked of the motion, not of the system: simulate --method rk4.",
    "values": 'numbers of parameters stand beside their names: [parameters], m = 1.5, or "" for none.',
    "constants": "constants are parameters: [parameters].",
    "initial": "the state at the beginning is called [start].",
    "potential": "subtract the potential energy in the lagrangian.",
    "L": "the Lagrangian is called lagrangian.",
    "kinetic": "give lagrangian = kinetic - potential energy.",
}
"""Keyword that people try -> where to say it."""
