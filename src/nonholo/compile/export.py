"""``nh.export``: a system's equations in another language, returned or written."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.compile.portable_program import Portable, portable
from nonholo.compile.targets.registry import target
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import hamel
from nonholo.derive.states.consistent_state import complete_state
from nonholo.errors import ModelError, StateError
from nonholo.model.system import GRAVITY, System, check_system, known_parameters, parameter_values
from nonholo.writing import write_bytes


def export(
    s: System | Equations,
    to: str,
    path: str | os.PathLike[str] | None = None,
    *,
    implicit: bool = False,
    discrete: str | None = None,
    order: int = 3,
) -> Any:
    """A system's motion as C, NumPy, JAX, CasADi, WebAssembly or SymPy.

    Without a ``path`` the live thing is returned: functions, a CasADi Function, SymPy matrices, the bytes of a module, texts by
    file name for C. With one the files are written and their paths returned. ``implicit`` gives the residual
    ``[ẋ − kinematics, M (ż, z) − F]`` in place of the solved rates. The speeds are those of `nonholo.prepare`: such as serve
    at the system's own start, where it has one.

    For CasADi, ``discrete="rk4"`` gives one step ``(t, x, u, p, h) -> next`` (``order`` substeps), and ``discrete="collocation"``
    Radau's equations with ``order`` points, ``(t, x, X, u, p, h) -> (residual, next)``; inputs are constant over the step.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", parameters="l", lagrangian="qdot**2/2 + cos(q)/l")
    >>> functions = nh.export(swing, "numpy")
    >>> functions.rates(0.0, [0.0, 3.0], (), [2.0])[0]
    np.float64(3.0)
    """
    chosen = target(to)
    start: dict[str, float] = {}
    if isinstance(s, Equations):
        equations, values = s, {}
    else:
        check_system(s)
        equations, start = _at_its_start(s)
        values = {**({"g": GRAVITY} if "g" in s.parameters else {}), **known_parameters(s)}
    known = [float(values[str(p)]) if str(p) in values else None for p in equations.parameters]
    made = replace(portable(equations, implicit, known), start=FrozenMap(start))
    if discrete is not None:
        return _discrete(made, to, path, implicit, discrete, order)
    if path is None:
        return chosen.live(made)
    place = Path(path)
    if place.suffix != chosen.suffix:
        raise ModelError(f"export: {place.name} is not the name of a {to} file; give one that ends in {chosen.suffix}.")
    files = chosen.files(made, place.stem)
    return tuple(
        write_bytes(place.with_name(name), content.encode() if isinstance(content, str) else content)
        for name, content in files.items()
    )


def _discrete(made: Portable, to: str, path: object, implicit: bool, discrete: str, order: int) -> Any:
    """One step of the motion as a CasADi Function."""
    from nonholo.compile.targets import casadi

    if to != "casadi" or implicit or path is not None:
        raise ModelError('export: discrete steps are made as live CasADi Functions; give to="casadi" without path and implicit.')
    if isinstance(order, bool) or not isinstance(order, int) or not 1 <= order <= 9:
        raise ModelError(f"export: order={order!r} where a whole number from 1 to 9 is needed.")
    if discrete not in casadi.STEPS:
        raise ModelError(f"export: discrete={discrete!r} where one of {', '.join(casadi.STEPS)} is needed.")
    return casadi.STEPS[discrete](casadi.function(made), order)


def _at_its_start(system: System) -> tuple[Equations, dict[str, float]]:
    """Hamel's equations in speeds that serve at the start, and the full state there; nothing where there is no whole start."""
    try:
        numbers = parameter_values(system, None)
        full = complete_state(system, system.start, numbers) if system.start else {}
    except StateError:
        return hamel(system), {}
    return (hamel(system, at={**numbers, **full}) if full else hamel(system)), full
