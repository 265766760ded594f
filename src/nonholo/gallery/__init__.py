"""The gallery: one module per system; ``names()`` lists them, ``get(name)`` gives the Exhibit.

Machines, written in bodies and wheels, are files in the folder ``machines``, systems whose contacts slip, lift and hit in the
folder ``contacts``. Fields, which have no System, stand in the folder
``fields``; ``get`` gives their FieldExhibit. ``system_names()``, ``machine_names()``,
``contact_names()`` and ``field_names()`` list the kinds.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from nonholo.errors import ModelError, meant

if TYPE_CHECKING:
    from nonholo.gallery.exhibit import Exhibit

_NOT_EXHIBITS = {"exhibit", "fields", "learning_tasks", "named_sweep", "problems", "published"}
_FIELDS = f"{__path__[0]}/fields"
_FILES = {folder: Path(__path__[0]) / folder for folder in ("machines", "contacts")}


def _module_names() -> list[str]:
    return sorted(m.name for m in iter_modules(__path__) if m.name not in _NOT_EXHIBITS and not m.name.startswith("_"))


def _field_modules() -> list[str]:
    return sorted(m.name for m in iter_modules([_FIELDS]) if not m.name.startswith("_"))


def module_of(name: str) -> str | None:
    """Where the exhibit of this name stands in the gallery, as ``"suslov"`` or ``"fields.string"``; None when there is none."""
    own = name.replace("-", "_")
    return own if own in _module_names() else f"fields.{own}" if own in _field_modules() else None


def field_names() -> tuple[str, ...]:
    """The names of the fields, which have infinitely many degrees of freedom and no System.

    >>> field_names()
    ('constrained-string', 'ideal-fluid', 'sleigh-string', 'string')
    """
    return tuple(n.replace("_", "-") for n in _field_modules())


def system_names() -> tuple[str, ...]:
    """The names of the exhibits with a System in formulas; `machine_names`, `contact_names` and
    `field_names` have the others.

    >>> "chaplygin-sleigh" in system_names(), "string" in system_names()
    (True, False)
    """
    return tuple(n.replace("_", "-") for n in _module_names())


@lru_cache(maxsize=1)
def machine_names() -> tuple[str, ...]:
    """The names of the machines: exhibits whose System is assembled from bodies, joints, wheels and contacts.

    >>> "mecanum" in machine_names(), "mecanum" in system_names()
    (True, False)
    """
    return tuple(sorted(file.stem for file in _FILES["machines"].glob("*.toml")))


@lru_cache(maxsize=1)
def contact_names() -> tuple[str, ...]:
    """The names of the systems whose contacts slip, lift and hit.

    >>> "bowling-ball" in contact_names(), "bowling-ball" in machine_names()
    (True, False)
    """
    return tuple(sorted(file.stem for file in _FILES["contacts"].glob("*.toml")))


def _file(name: str) -> Path | None:
    """The file of an exhibit that is one."""
    return next((place / f"{name}.toml" for place in _FILES.values() if (place / f"{name}.toml").exists()), None)


def names() -> tuple[str, ...]:
    """All names that `get` takes, as users type them: systems, machines, contacts, then fields.

    >>> "chaplygin-sleigh" in names(), "mecanum" in names(), "string" in names()
    (True, True, True)
    """
    return (*system_names(), *machine_names(), *contact_names(), *field_names())


@lru_cache(maxsize=1)
def catalogue() -> dict[str, dict[str, str]]:
    """For each name its ``title``, ``group`` and ``papers``: quick, without building the systems."""
    result = {}
    for name in (*system_names(), *field_names()):
        module = import_module(f"nonholo.gallery.{module_of(name)}")
        result[name] = {"title": module.TITLE, "group": module.GROUP, "papers": module.PAPERS}
    return {name: result[name] if name in result else _headline(name) for name in names()}


def _headline(name: str) -> dict[str, str]:
    """Title, group and papers of an exhibit that is a file, from its table ``[exhibit]``."""
    import tomllib

    file = _file(name)
    told = tomllib.loads(file.read_text("utf-8"))["exhibit"] if file is not None else {}
    return {key: str(told[key]) for key in ("title", "group", "papers")}


@lru_cache(maxsize=1)
def headlines() -> dict[str, dict[str, str]]:
    """As `catalogue`, read from the first lines of the exhibits: none of their modules is loaded."""
    import ast

    result = {}
    for name in names():
        if _file(name) is not None:
            result[name] = _headline(name)
            continue
        file = Path(__path__[0]) / f"{str(module_of(name)).replace('.', '/')}.py"
        head = file.read_text(encoding="utf-8").partition("\ndef ")[0]
        words = {}
        for node in ast.parse(head).body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                try:
                    words[node.targets[0].id.lower()] = str(ast.literal_eval(node.value))
                except ValueError:
                    continue
        result[name] = {key: words.get(key, "") for key in ("title", "group", "papers")}
    return result


def get(name: str, **options: Any) -> Exhibit:
    """The exhibit of this name; some take options (``get("n-trailer", n=3)``).

    >>> get("chaplygin-sleigh").system.coordinates
    ('theta', 'x', 'y')
    """
    if not isinstance(name, str):
        raise ModelError(f"gallery: found {type(name).__name__} where a name was needed, e.g. 'rattleback'.")
    if name in (*machine_names(), *contact_names()) and (file := _file(name)) is not None:
        from nonholo.gallery._machine_files import machine_exhibit

        return machine_exhibit(name, file, options)
    module_name = module_of(name)
    if module_name is None:
        hint = meant(name, names(), "`nonholo list` shows them all.")
        raise ModelError(f"the gallery has no system {name!r}; {hint}")
    try:
        exhibit: Exhibit = import_module(f"nonholo.gallery.{module_name}").exhibit(**options)
    except TypeError as problem:
        if options:
            raise ModelError(f"gallery {name}: {problem}; leave the option out.") from None
        raise
    return exhibit


def __dir__() -> list[str]:
    return ["catalogue", "contact_names", "field_names", "get", "headlines", "machine_names", "names", "system_names"]
