"""SymPy's mechanics -> ours: equations that KanesMethod, LagrangesMethod or System have formed, taken as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import symengine as se

from nonholo.algebra.calculus import ZERO
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.derive.equations import Equations
from nonholo.errors import ModelError
from nonholo.model.system import System
from nonholo.notation.functions import heaviside
from nonholo.notation.number_limits import sign
from nonholo.notation.read import plain_name

KINDS = ("KanesMethod", "LagrangesMethod", "System")


def from_sympy(method: Any) -> Equations | System:
    """The motion of a KanesMethod, LagrangesMethod or System of ``sympy.physics.mechanics``.

    Kane's equations become `Equations`: kinematics from the kinematical differential equations, ``M u̇ = F`` for all generalised
    speeds, dependent ones too; constraints become invariants, and the energy is the bodies' kinetic energy with the potential
    energies declared for them (gravity given as a load is not among these). Lagrange's become a `nonholo.System`, since the
    Lagrangian says all: Lagrangian, constraints and generalised forces. Other functions of time are inputs. Names that are no
    plain words become such: ``\\theta_{1}`` is ``theta_1``, ``E`` is ``E_``.

    >>> import sympy as sp
    >>> from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols
    >>> q = dynamicsymbols("q")
    >>> method = LagrangesMethod(q.diff() ** 2 / 2 + sp.cos(q), [q])
    >>> _ = method.form_lagranges_equations()
    >>> from_sympy(method)
    System(name="Lagrange's equations from SymPy", coordinates='q', lagrangian='cos(q) + qdot**2/2')
    """
    kind = _kind(method)
    where = f"from_sympy: {kind}"
    if kind == "System":
        if method.eom_method is None:
            raise ModelError(f"{where} has no equations yet; call its form_eoms() first.")
        return from_sympy(method.eom_method)
    return _lagrange(method, where) if kind == "LagrangesMethod" else _kane(method, where)


def _kind(method: Any) -> str:
    """Which of SymPy's classes it is, or a subclass of."""
    for base in type(method).__mro__:
        if base.__name__ in KINDS and base.__module__.startswith("sympy.physics.mechanics"):
            return base.__name__
    found = type(method).__name__
    raise ModelError(f"from_sympy: found a {found}; give a KanesMethod, LagrangesMethod or System of sympy.physics.mechanics.")


def _lagrange(method: Any, where: str) -> System:
    """Lagrangian, constraints and forces, as the user wrote them."""
    import sympy

    coordinates = list(method.q)
    if method.eom is None:
        raise ModelError(f"{where} has no equations yet; call its form_lagranges_equations() first.")
    holonomic = list(method._hol_coneqs)
    nonholonomic = list(method.coneqs)[len(holonomic) :]  # SymPy puts the rates of the holonomic ones first
    pushes = list(method._term4)
    parts = [method._L[0] if hasattr(method._L, "shape") else method._L, *holonomic, *nonholonomic, *pushes]
    t = _time()
    found = _leaves(parts, [*coordinates, *(sympy.Derivative(q, t) for q in coordinates)], where)
    names = _names((*coordinates, *found.inputs, *found.parameters), where)
    swap = {f: sympy.Function(n)(t) for f, n in names.items() if f.args and str(f.func) != n}
    swap |= {f: sympy.Symbol(n) for f, n in names.items() if not f.args and str(f) != n}
    lagrangian, *rest = [sympy.sympify(e).xreplace(swap) for e in parts] if swap else parts
    first, second = len(holonomic), len(holonomic) + len(nonholonomic)
    return System(
        name="Lagrange's equations from SymPy",
        coordinates=[names[q] for q in coordinates],
        parameters=[names[p] for p in found.parameters],
        inputs=[names[f] for f in found.inputs],
        lagrangian=lagrangian,
        holonomic=rest[:first],
        constraints=rest[first:second],
        forces={names[q]: e for q, e in zip(coordinates, rest[second:]) if e != 0},
    )


def _kane(method: Any, where: str) -> Equations:
    import sympy

    t = _time()
    try:
        mass, force = method.mass_matrix, method.forcing
    except (ValueError, AttributeError):
        raise ModelError(f"{where} has no equations yet; call its kanes_equations() first.") from None
    coordinates, speeds = list(method.q), list(method.u)
    slopes = method.kindiffdict()
    rates = {sympy.Derivative(q, t): sympy.sympify(slopes[q.diff(t)]) for q in coordinates}
    position = [e for e in getattr(method, "_f_h", None) or [] if e != 0]
    velocity = _velocity_constraints(method)
    flat = [*rates.values(), *mass, *force, *position, *velocity, _energy(method)]
    # auxiliary speeds bring reactions into evidence and are zero in every motion; the bodies' energy still knows them
    still = {e: ZERO for u in getattr(method, "_uaux", None) or () for e in (u, sympy.Derivative(u, t))}
    found = _leaves(flat, [*coordinates, *speeds, *rates, *still], where)
    names = _names((*coordinates, *speeds, *found.inputs, *found.parameters), where)
    table = {f: se.Symbol(n) for f, n in names.items()} | still | {t: se.Symbol("t")}
    convert = _converter(table)
    table |= {rate: convert(e) for rate, e in rates.items()}
    plain = [convert(sympy.sympify(e)) for e in flat]
    size, count = len(speeds), len(coordinates)
    ends = [count, count + size * size, count + size * size + size]
    rest = plain[ends[2] :]
    entries = plain[ends[0] : ends[1]]
    matrix = tuple(tuple(entries[i * size : (i + 1) * size]) for i in range(size))
    symmetric = not velocity and all(matrix[i][j] == matrix[j][i] for i in range(size) for j in range(i))
    own = {names[u] for u in speeds}
    used = {str(s) for e in plain for s in e.free_symbols}
    dotted = [f"{names[q]}dot" for q in coordinates]
    return Equations(
        name="Kane's equations from SymPy",
        origin="kane",
        coordinates=tuple(se.Symbol(names[q]) for q in coordinates),
        speeds=tuple(se.Symbol(names[u]) for u in speeds),
        kinematics=tuple(plain[:count]),
        mass=matrix,
        force=tuple(plain[ends[1] : ends[2]]),
        energy=rest[-1],
        time=se.Symbol("t"),
        parameters=tuple(se.Symbol(n) for n in sorted(names[p] for p in found.parameters) if n in used),
        inputs=tuple(se.Symbol(names[f]) for f in found.inputs),
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


def _names(symbols: Iterable[Any], where: str) -> dict[Any, str]:
    """A plain name for every function of time and parameter; two must not become the same."""
    names: dict[Any, str] = {}
    owners: dict[str, Any] = {"t": _time()}
    for s in symbols:
        written = str(getattr(getattr(s, "func", None), "__name__", s) if s.args else s)
        name = plain_name(written)
        if name in owners:
            other = "the time" if name == "t" else repr(str(owners[name]))
            raise ModelError(f"{where}: {written!r} and {other} would both be called {name}; rename the first.")
        names[s], owners[name] = name, s
    return names


@dataclass(frozen=True)
class _Leaves:
    """The symbols and functions in expressions besides coordinates, speeds and the time."""

    inputs: tuple[Symbol, ...]
    parameters: tuple[Symbol, ...]


def _leaves(exprs: Iterable[Any], known: Iterable[Any], where: str) -> _Leaves:
    """Functions of time that are neither coordinates nor speeds (inputs), and parameters; each shared part is seen once.

    Rates of inputs are refused, and so are functions of the state: they are undefined, and their derivatives would be missing.
    """
    import sympy
    from sympy.core.function import AppliedUndef

    t, own = _time(), set(known)
    inputs: set[Any] = set()
    parameters: set[Any] = set()
    seen: set[Any] = set()
    work = [sympy.sympify(e) for e in exprs]
    while work:
        part = work.pop()
        if part in seen:
            continue
        seen.add(part)
        if part in own:
            continue
        if isinstance(part, AppliedUndef):
            if part.args != (t,):
                raise ModelError(
                    f"{where}: {part} is a function of {', '.join(map(str, part.args))} whose formula is not given, so that its "
                    f"slopes would be missing; put the formula in first: .subs({part}, …)."
                )
            inputs.add(part)
        elif isinstance(part, (sympy.Derivative, sympy.Subs)):
            for inner in part.atoms(AppliedUndef):
                if inner.args != (t,):
                    work.append(inner)
                    break
            else:
                raise ModelError(f"{where}: found {part}; only rates of coordinates may occur, so make it an input of its own.")
        elif isinstance(part, sympy.Symbol):
            if part.name == "t" and part != t:
                raise ModelError(f"{where}: a parameter is called t, which is the time; rename it.")
            parameters |= {part} - {t}
        else:
            work.extend(part.args)
    return _Leaves(tuple(sorted(inputs, key=str)), tuple(sorted(parameters, key=str)))


def _converter(table: Mapping[Any, Expr]) -> Callable[[Any], Expr]:
    """SymPy to SymEngine with the leaves of a table in place, each shared part converted once."""
    import sympy

    done: dict[Any, Expr] = {}

    def convert(e: Any) -> Expr:
        found = table.get(e)
        if found is None:
            found = done.get(e)
        if found is None:
            found = done[e] = made(e)
        return found

    def made(e: Any) -> Expr:
        if not e.args:
            return se.sympify(e)
        parts = [convert(a) for a in e.args] if isinstance(e, sympy.Expr) else []
        if e.is_Add:
            return se.Add(*parts)
        if e.is_Mul:
            return se.Mul(*parts)
        if e.is_Pow:
            return parts[0] ** parts[1]
        if isinstance(e, sympy.Heaviside):
            return heaviside(parts[0])
        if isinstance(e, sympy.sign):  # SymEngine may look for the sign of a power for ever; our own does not
            return sign(parts[0])
        if isinstance(e, sympy.Function) and isinstance(kind := getattr(se, type(e).__name__, None), type):
            return kind(*parts)
        return se.sympify(e.xreplace({k: sympy.sympify(v) for k, v in table.items()}))

    return convert
