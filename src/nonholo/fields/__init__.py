"""Systems with infinitely many degrees of freedom: strings, a sleigh that tows one, the ideal fluid. [Zenkov 2016, §3–4]"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_NAMES: dict[str, str] = {
    "inextensible_string": "String",
    "constrained_string": "ConstrainedString",
    "towing_sleigh": "SleighString",
    "fluid": "Fluid",
    "fluids.walled_fluid": "WalledFluid",
    "fluids.solid_torus": "Fluid3",
    "fluids.convective": "convective",
    "zeitlin": "Zeitlin",
    "oscillations": "Modes modes",
    "chains": "linked_chain",
    "density.field": "Field",
    "density.rods": "elastic_string rod",
}
"""Module -> its public names."""

_WHERE: dict[str, str] = {
    name: f"nonholo.fields.{module}" for module, names in _NAMES.items() for name in names.split()
}

__all__ = [*_WHERE]


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        value = getattr(import_module(_WHERE[name]), name)
        globals()[name] = value
        return value
    from nonholo.errors import meant

    hint = "" if name.startswith("_") else meant(name, __all__)
    raise AttributeError(f"nonholo.fields has no name {name!r}" + (f"; {hint}" if hint else ""))


def __dir__() -> list[str]:
    return sorted(__all__)
