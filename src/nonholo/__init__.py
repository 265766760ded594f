"""nonholo: mechanics with velocity constraints, from a few lines of text to motion."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_NAMES: dict[str, str] = {
    "errors": "NonholoError ParseError ModelError StateError FileError",
    "finding": "Finding",
    "geometry.frame": "Frame Chart Euclidean structure_functions change_frame jacobi_law",
    "geometry.groups": "SO3 Quaternion SE2 SE3 Vertical rotation_matrix",
    "geometry.lie": "LieAlgebra so se heisenberg",
    "geometry.recipes": "spatial",
    "model.system": "System",
    "model.symmetry": "Symmetry translation planar_motion rotation",
    "model.files": "load dump",
    "model.five_tuple": "five_tuple",
    "derive.equations": "Equations",
    "derive.hamel": "hamel",
    "derive.multipliers": "multipliers",
    "derive.gibbs_appell": "gibbs_appell",
    "derive.voronetz": "voronetz connection",
    "derive.hamilton": "hamilton almost_poisson bracket jacobiator",
    "derive.vakonomic": "vakonomic",
    "derive.check": "check",
    "derive.state": "complete_state",
    "derive.reactions": "reactions energy",
    "analyse.classify": "classify",
    "integrate.one.advance": "Event",
    "integrate.one.simulate": "simulate",
    "integrate.many.ensemble": "ensemble",
    "integrate.many.sweep": "sweep",
    "integrate.one.trajectory": "Trajectory open",
    "symmetry.reduction.reduce": "reduce Reduction",
    "symmetry.momenta.integrals": "integrals",
    "symmetry.judgement.verdict": "verdict",
    "symmetry.reduction.spatial": "spatial_momenta spatial_momentum_equation",
    "symmetry.reduction.conserving": "momentum_frame",
    "symmetry.quadrature.effective": "reduced_system flatness",
    "symmetry.quadrature.vertical": "vertical",
    "symmetry.quadrature.periods": "cycle after_period",
    "symmetry.quadrature.chaplygin": "measure hamiltonise",
    "present.phase": "phase_portrait",
    "present.momentum": "momentum_plane",
    "present.strips": "film_strip",
    "present.compare": "compare_methods",
    "present.study": "study plot_basketball",
    "present.report": "report",
}
"""Module -> its public names."""

_WHERE: dict[str, str] = {name: f"nonholo.{module}" for module, names in _NAMES.items() for name in names.split()}
"""Public name -> module; loaded when first used, so that ``import nonholo`` stays quick."""

__all__ = [*_WHERE, "__version__", "gallery"]


def __getattr__(name: str) -> Any:
    if name == "gallery":
        return import_module("nonholo.gallery")
    if name in _WHERE:
        value = getattr(import_module(_WHERE[name]), name)
        globals()[name] = value
        return value
    from difflib import get_close_matches

    near = "" if name.startswith("_") else "".join(get_close_matches(name, __all__, 1))
    raise AttributeError(f"nonholo has no name {name!r}" + (f"; did you mean {near!r}?" if near else ""))


def __dir__() -> list[str]:
    return sorted(__all__)
