"""Systems with infinitely many degrees of freedom: strings, a sleigh that tows one, the ideal fluid. [Zenkov 2016, §3–4]"""

from __future__ import annotations

from nonholo.lazy_names import lazy_names

_NAMES: dict[str, str] = {
    "strings.inextensible_string": "Modes String modes",
    "strings.constrained_string": "ConstrainedString",
    "strings.towing_sleigh": "SleighString",
    "fluids.fluid": "Fluid",
    "fluids.walled_fluid": "WalledFluid",
    "fluids.solid_torus": "Fluid3",
    "fluids.convective": "convective",
    "fluids.zeitlin": "Zeitlin",
    "strings.chains": "linked_chain",
    "density.field": "Field",
    "density.flow": "Flow",
    "density.rods": "elastic_string rod",
}
"""Module -> its public names."""

__all__, __getattr__, __dir__ = lazy_names(__name__, _NAMES)
