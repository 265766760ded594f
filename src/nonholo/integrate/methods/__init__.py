"""Methods of integration by name; a new one is one file in this folder that registers its record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from nonholo.errors import StateError, give_step, meant
from nonholo.integrate.methods.dop853 import DormandPrince8
from nonholo.integrate.methods.method_record import REGISTERED, Method
from nonholo.integrate.methods.tableau import RungeKutta4

__all__ = ["DormandPrince8", "Method", "RungeKutta4", "called", "method", "method_kind", "names", "registered_methods"]


def registered_methods() -> dict[str, type[Method]]:
    """Every method by name: each module of this folder registers its own when it is imported."""
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return dict(REGISTERED)


def method_kind(name: str) -> type[Method] | None:
    """The record of a method; further modules are imported for a name that is not registered yet."""
    return REGISTERED.get(name) or registered_methods().get(name)


def names() -> tuple[str, ...]:
    """The names of all methods.

    >>> "dop853" in names()
    True
    """
    return tuple(sorted(registered_methods()))


def method(name: str | Method, **options: Any) -> Method:
    """The method of a name, with its options; a method stays what it is.

    >>> method("dop853", rtol=1e-7)
    DormandPrince8(rtol=1e-07, atol=1e-12, first_step=None, max_step=inf, max_steps=10000000)
    """
    if isinstance(name, Method):
        return name.with_options(**options)
    kind = method_kind(name) if isinstance(name, str) else None
    if kind is None:
        raise StateError(f"method: {name!r} is not known; choose one of {', '.join(names())}.")
    try:
        return kind(**options)
    except TypeError as problem:
        raise _refusal(name, kind, options) from problem


def called(record: str) -> str:
    """The name of the method whose record was stored with a motion.

    >>> called("DormandPrince8(rtol=1e-09)")
    'dop853'
    """
    written = record.partition("(")[0]
    if written == DormandPrince8.__name__:
        return DormandPrince8.name
    return next((name for name, kind in registered_methods().items() if kind.__name__ == written), written)


def _refusal(name: str, kind: type[Method], options: Mapping[str, Any]) -> StateError:
    """Which option is wrong or missing."""
    known_options = [field.name for field in fields(kind)]
    listed = f"its options are {', '.join(known_options)}"
    strange = [o for o in options if o not in known_options]
    if strange:
        hint = meant(strange[0], known_options, f"{listed}.")
        return StateError(f"method {name} has no option {strange[0]!r}; {hint}")
    missing = [field.name for field in fields(kind) if field.default is MISSING and field.name not in options]
    if missing:
        if missing[0] == "step":
            return StateError(f"method {name} needs a step,", remedy=give_step(0.01, ", ".join(known_options)))
        return StateError(f"method {name} needs {missing[0]}, e.g. {missing[0]}=0.01; {listed}.")
    return StateError(f"method {name}: {sorted(options)} does not fit; {listed}.")
