"""The gallery: one file per system; ``names()`` lists them, ``get(name)`` gives the Exhibit.

A system in formulas is a file in the folder ``systems``, or a module here where it is built from options. Machines, written in
bodies and wheels, are files in ``machines``, systems whose contacts slip, lift and hit in ``contacts``, fields, which have no
System, in ``fields``: ``get`` gives their FieldExhibit.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from nonholo.errors import ModelError, meant

if TYPE_CHECKING:
    from nonholo.gallery.exhibit import Exhibit

_NOT_EXHIBITS = {"exhibit", "field_exhibit", "learning_tasks", "named_sweep", "published"}
_FOLDER = Path(__path__[0])


@cache
def _modules() -> dict[str, str]:
    """The exhibits that are modules, by name."""
    found = [m.name for m in iter_modules(__path__) if m.name not in _NOT_EXHIBITS and not m.name.startswith("_")]
    return {name.replace("_", "-"): f"nonholo.gallery.{name}" for name in found}


@cache
def _files(folder: str) -> dict[str, Path]:
    """The exhibits that are files, by name."""
    return {file.stem: file for file in sorted((_FOLDER / folder).glob("*.toml"))}


def field_names() -> tuple[str, ...]:
    """The names of the fields, which have infinitely many degrees of freedom and no System.

    >>> field_names()
    ('constrained-string', 'ideal-fluid', 'sleigh-string', 'string')
    """
    return tuple(_files("fields"))


def system_names() -> tuple[str, ...]:
    """The names of the exhibits with a System in formulas; `machine_names`, `contact_names` and
    `field_names` have the others.

    >>> "chaplygin-sleigh" in system_names(), "string" in system_names()
    (True, False)
    """
    return tuple(sorted([*_modules(), *_files("systems")]))


def machine_names() -> tuple[str, ...]:
    """The names of the machines: exhibits whose System is assembled from bodies, joints, wheels and contacts.

    >>> "mecanum" in machine_names(), "mecanum" in system_names()
    (True, False)
    """
    return tuple(_files("machines"))


def contact_names() -> tuple[str, ...]:
    """The names of the systems whose contacts slip, lift and hit.

    >>> "bowling-ball" in contact_names(), "bowling-ball" in machine_names()
    (True, False)
    """
    return tuple(_files("contacts"))


def names() -> tuple[str, ...]:
    """All names that `get` takes, as users type them: systems, machines, contacts, then fields.

    >>> "chaplygin-sleigh" in names(), "mecanum" in names(), "string" in names()
    (True, True, True)
    """
    return (*system_names(), *machine_names(), *contact_names(), *field_names())


@cache
def catalogue() -> dict[str, dict[str, str]]:
    """For each name its ``title``, ``group`` and ``papers``: quick, no system is built and no module loaded.

    >>> catalogue()["suslov"]["group"]
    'Tops and pendulums'
    """
    return {name: _headline(name) for name in names()}


def _headline(name: str) -> dict[str, str]:
    """Title, group and papers of an exhibit: the table ``[exhibit]`` of its file, or the first lines of its module."""
    if name in _modules():
        import ast

        head = (_FOLDER / f"{name.replace('-', '_')}.py").read_text("utf-8").partition("\ndef ")[0]
        lines = [n for n in ast.parse(head).body if isinstance(n, ast.Assign) and isinstance(n.value, ast.Constant)]
        words = {ast.unparse(n.targets[0]).lower(): ast.literal_eval(n.value) for n in lines}
    else:
        import tomllib

        words = tomllib.loads(_file(name).read_text("utf-8"))["exhibit"]
    return {key: str(words[key]) for key in ("title", "group", "papers")}


def _file(name: str) -> Path:
    """The file of an exhibit that is one."""
    return next(_files(kind)[name] for kind in ("systems", "machines", "contacts", "fields") if name in _files(kind))


def get(name: str, **options: Any) -> Exhibit:
    """The exhibit of this name; some take options (``get("n-trailer", n=3)``).

    >>> get("chaplygin-sleigh").system.coordinates
    ('theta', 'x', 'y')
    """
    if not isinstance(name, str):
        raise ModelError(f"gallery: found {type(name).__name__} where a name was needed, e.g. 'rattleback'.")
    own = name.replace("_", "-")
    if own in _modules():
        try:
            exhibit: Exhibit = import_module(_modules()[own]).exhibit(**options)
        except TypeError as problem:
            if options:
                raise ModelError(f"gallery {name}: {problem}; leave the option out.") from None
            raise
        return exhibit
    if own not in names():
        hint = meant(name, names(), "`nonholo list` shows them all.")
        raise ModelError(f"the gallery has no system {name!r}; {hint}")
    if options:
        raise ModelError(f"gallery {name}: it takes no {next(iter(options))!r}; leave the option out.")
    reader = import_module("nonholo.gallery.field_exhibit" if own in field_names() else "nonholo.gallery.exhibit")
    found: Exhibit = reader.exhibit_of(own, _file(own))
    return found


def __dir__() -> list[str]:
    return ["catalogue", "contact_names", "field_names", "get", "machine_names", "names", "system_names"]
