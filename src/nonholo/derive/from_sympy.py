"""SymPy's mechanics -> ours: equations that KanesMethod, LagrangesMethod or System have formed, taken as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import symengine as se

from nonholo.algebra.calculus import ZERO
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.derive.equations import Equations
from nonholo.errors import ModelError
from nonholo.model.system import System

KINDS = ("KanesMethod", "LagrangesMethod", "System")


def from_sympy(method: Any) -> Equations | System:
    """The motion of a KanesMethod, LagrangesMethod or System of ``sympy.physics.mechanics``.

    Kane's equations become `Equations`: kinematics from the kinematical differential equations, ``M u̇ = F`` for all generalised
    speeds, dependent ones too; constraints become invariants, and the energy is the bodies' kinetic energy with the potential
    energies declared for them (gravity given as a load is not among these). Lagrange's become a `nonholo.System`, since the
    Lagrangian says all: Lagrangian, constraints and generalised forces. Other functions of time are inputs.

    >>> import sympy as sp
    >>> from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols
    >>> q = dynamicsymbols("q")
    >>> method = LagrangesMethod(q.diff() ** 2 / 2 + sp.cos(q), [q])
    >>> _ = method.form_lagranges_equations()
    >>> from_sympy(method)
    System(name="Lagrange's equations from SymPy", coordinates='q', lagrangian='cos(q) + qdot**2/2')
    """
    kind = type(method).__name__
    where = f"from_sympy: {kind}"
    if kind not in KINDS or not type(method).__module__.startswith("sympy.physics.mechanics"):
        raise ModelError(f"from_sympy: found a {kind}; give a KanesMethod, LagrangesMethod or System of sympy.physics.mechanics.")
    if kind == "System":
        if method.eom_method is None:
            raise ModelError(f"{where} has no equations yet; call its form_eoms() first.")
        return from_sympy(method.eom_method)
    return _lagrange(method, where) if kind == "LagrangesMethod" else _kane(method, where)


def _lagrange(method: Any, where: str) -> Any:
    """Lagrangian, constraints and forces, as the user wrote them."""
    import sympy

    coordinates = list(method.q)
    names = [_name(q, where) for q in coordinates]
    if method.eom is None:
        raise ModelError(f"{where} has no equations yet; call its form_lagranges_equations() first.")
    holonomic = list(method._hol_coneqs)
    nonholonomic = list(method.coneqs)[len(holonomic) :]  # SymPy puts the rates of the holonomic ones first
    pushes = list(method._term4)
    parts = [method._L[0] if hasattr(method._L, "shape") else method._L, *holonomic, *nonholonomic, *pushes]
    rates = {sympy.Derivative(q, _time()) for q in coordinates}
    inputs = _others(parts, [*coordinates, *rates], where)
    parameters = sorted({str(s) for e in parts for s in sympy.sympify(e).free_symbols} - {str(_time())})
    return System(
        name="Lagrange's equations from SymPy",
        coordinates=names,
        parameters=parameters,
        inputs=[_name(f, where) for f in inputs],
        lagrangian=parts[0],
        holonomic=holonomic,
        constraints=nonholonomic,
        forces={n: e for n, e in zip(names, pushes) if e != 0},
    )


def _kane(method: Any, where: str) -> Equations:
    import sympy

    t = _time()
    try:
        mass, force = method.mass_matrix, method.forcing
    except (ValueError, AttributeError):
        raise ModelError(f"{where} has no equations yet; call its kanes_equations() first.") from None
    coordinates, speeds = list(method.q), list(method.u)
    rates = {sympy.Derivative(q, t): e for q, e in ((q, method.kindiffdict()[q.diff(t)]) for q in coordinates)}
    kinematics = [rates[sympy.Derivative(q, t)] for q in coordinates]
    position = [e for e in getattr(method, "_f_h", None) or [] if e != 0]
    velocity = _velocity_constraints(method)
    energy = _energy(method)
    flat = [*kinematics, *mass, *force, *position, *velocity, energy]
    # auxiliary speeds bring reactions into evidence and are zero in every motion; the bodies' energy still knows them
    still = {e: sympy.S.Zero for u in getattr(method, "_uaux", None) or () for e in (u, sympy.Derivative(u, t))}
    flat = [sympy.sympify(e).xreplace(rates).xreplace(still) for e in flat]
    inputs = _others(flat, [*coordinates, *speeds], where)
    table = {f: sympy.Symbol(_name(f, where)) for f in (*coordinates, *speeds, *inputs)}
    table[t] = sympy.Symbol("t")
    plain = [se.sympify(e.xreplace(table)) for e in flat]
    size, count = len(speeds), len(coordinates)
    ends = [count, count + size * size, count + size * size + size]
    rest = plain[ends[2] :]
    names = {str(s) for s in table.values()}
    parameters = sorted({str(s) for e in plain for s in e.free_symbols} - names)
    repeated = [n for n in parameters if n == "t"]
    if repeated:
        raise ModelError(f"{where}: a parameter is called t, which is the time; rename it.")
    entries = plain[ends[0] : ends[1]]
    matrix = tuple(tuple(entries[i * size : (i + 1) * size]) for i in range(size))
    symmetric = not velocity and all(matrix[i][j] == matrix[j][i] for i in range(size) for j in range(i))
    own = {_name(u, where) for u in speeds}
    dotted = [f"{_name(q, where)}dot" for q in coordinates]
    return Equations(
        name="Kane's equations from SymPy",
        origin="kane",
        coordinates=tuple(se.Symbol(_name(q, where)) for q in coordinates),
        speeds=tuple(se.Symbol(_name(u, where)) for u in speeds),
        kinematics=tuple(plain[:count]),
        mass=matrix,
        force=tuple(plain[ends[1] : ends[2]]),
        energy=rest[-1],
        time=se.Symbol("t"),
        parameters=tuple(se.Symbol(n) for n in parameters),
        inputs=tuple(se.Symbol(_name(f, where)) for f in inputs),
        symmetric=symmetric,
        outputs=FrozenMap({n: e for n, e in zip(dotted, plain[:count]) if n not in own}),
        invariants=FrozenMap(
            {f"holonomic constraint {i + 1}": e for i, e in enumerate(rest[: len(position)])}
            | {f"velocity constraint {i + 1}": e for i, e in enumerate(rest[len(position) : -1])}
        ),
    )


def _velocity_constraints(method: Any) -> list[Any]:
    slopes, sides = getattr(method, "_k_nh", None), getattr(method, "_f_nh", None)
    if slopes is None or not len(slopes):
        return []
    return list(slopes * method.u + sides)


def _energy(method: Any) -> Any:
    """Of the bodies, where they and their frame are known."""
    from sympy.physics.mechanics import Particle, RigidBody, kinetic_energy

    bodies = [b for b in method.bodies or () if isinstance(b, (Particle, RigidBody))]
    if not bodies:
        return ZERO
    return kinetic_energy(method._inertial, *bodies) + sum(b.potential_energy for b in bodies)


def _time() -> Any:
    from sympy.physics.mechanics import dynamicsymbols

    return dynamicsymbols._t


def _name(function: Any, where: str) -> str:
    name = getattr(getattr(function, "func", None), "__name__", str(function))
    if not str(name).isidentifier():
        raise ModelError(f"{where}: the name {name!r} is no word; name it like 'q1' (letters, digits and _).")
    return str(name)


def _others(exprs: Sequence[Any], known: Sequence[Any], where: str) -> list[Any]:
    """Functions of time that are neither coordinates nor speeds: inputs. Their rates are refused."""
    import sympy
    from sympy.core.function import AppliedUndef

    found: set[Any] = set()
    for e in exprs:
        inside = sympy.sympify(e)
        stray = [d for d in inside.atoms(sympy.Derivative) if d not in known]
        if stray:
            raise ModelError(f"{where}: found {stray[0]}; only rates of coordinates may occur, so make it an input of its own.")
        found |= {f for f in inside.atoms(AppliedUndef) if f not in known}
    return sorted(found, key=str)
