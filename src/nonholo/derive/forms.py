"""The classical forms of the equations of motion: each is one file that registers its derivation with what is known of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from importlib import import_module
from typing import Any, Protocol, TypeVar, cast

from nonholo.algebra.cache import Cache, WeakCache
from nonholo.derive import form_files
from nonholo.derive.equations import Equations
from nonholo.errors import StateError
from nonholo.model.system import System
from nonholo.model.system_structure import structure

State = Mapping[str, float]


class Derivation(Protocol):
    """What every form is: a system to its equations, in speeds that are good near the state ``at`` when it is given."""

    def __call__(self, system: System, *, at: State | None = None) -> Equations: ...


@dataclass(frozen=True)
class Form:
    """One form of the equations of motion: how to derive it, when it applies, how it is printed."""

    name: str
    title: str
    about: str
    """One or two sentences for a reader, with the reference."""
    derivation: Derivation
    place: int
    """Its position when forms are listed."""
    chosen_speeds: bool = False
    """Written in freely chosen speeds (quasi-velocities), not in the coordinates' rates."""
    dalembert: bool = True
    """Whether it describes the motion of d'Alembert's principle, so that all such forms must agree."""
    witness: bool = False
    """The one that the others are compared with."""
    everywhere: bool = False
    """The same equations wherever they are derived: the state plays no part."""
    shortening: float = 0.3
    """How much work is spent on writing it shortly, in the unit of `nonholo.derive.display.equation_text`."""

    def __call__(self, system: System, at: State | None = None) -> Equations:
        """The equations of motion of a system in this form; raises `ModelError` where it does not apply."""
        return self.derivation(system, at=at) if at is not None else self.derivation(system)


_DERIVED: Cache[Equations] = Cache(32)
"""What was derived once is not derived again, by structure and values (these decide at which numbers speeds are chosen)."""
_OWN: WeakCache[dict[str, Equations]] = WeakCache(32)
"""The same, cached by system: checks, reports and the command line share the equations."""
Made = TypeVar("Made", bound=Callable[..., Equations])
_KNOWN: dict[str, Form] = {}


def form(name: str, **details: Any) -> Callable[[Made], Made]:
    """Register a derivation under its name.

    >>> forms()["hamilton"].title
    'Hamilton’s equations'
    """

    def register(derivation: Made) -> Made:
        @wraps(derivation)
        def derived(system: System, *given: Any, **words: Any) -> Equations:
            asked = (*given, *words.values())
            if not isinstance(system, System) or any(one is not None for one in asked):
                found = derivation(system, *given, **words)
                return found if found.system is not None else replace(found, system=system)
            own = _OWN.get(system, dict)
            if name not in own:  # made without a lock: two threads may both make it, and none waits for another
                key = (name, structure(system), system.parameters)
                kept = _DERIVED.found(key)
                if kept is None:
                    kept = replace(derivation(system), system=system)
                    _DERIVED.put(key, kept)
                own[name] = kept if kept.system == system else replace(kept, system=system)
            return own[name]

        _KNOWN[name] = Form(name=name, derivation=derived, **details)
        return cast("Made", derived)

    return register


def forms() -> dict[str, Form]:
    """Every form by name, in the order in which they are listed; files of this folder that register one are found.

    >>> list(forms())
    ['hamel', 'multipliers', 'gibbs_appell', 'voronetz', 'hamilton', 'vakonomic']
    """
    for module in form_files().values():
        import_module(module)
    return dict(sorted(_KNOWN.items(), key=lambda item: (item[1].place, item[0])))


def form_named(name: str, where: str = "form") -> Form:
    """The form of a name.

    >>> form_named("hamilton").chosen_speeds
    True
    """
    if name in _KNOWN:  # no file need be read for it
        return _KNOWN[name]
    known = forms()
    if name not in known:
        raise StateError(f"{where}: no form {name!r}; choose {', '.join(known)}.")
    return known[name]
