"""Hamel's equations in any frame: the one equation everything else is a case of."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.cache import Cache, Choices, Recorder
from nonholo.algebra.calculus import (
    MANY,
    ONE,
    ZERO,
    along,
    energy_of,
    gradient,
    jacobian,
    larger_than,
    nodes,
    substitute,
    symbol,
    symbols,
)
from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import (
    Ask,
    DependentRows,
    Matrix,
    dot,
    evaluate,
    evaluate_matrix,
    multiply,
    solve,
    transpose,
)
from nonholo.derive.directional_derivation import few_directions, projected
from nonholo.derive.equations import Equations
from nonholo.derive.forms import form
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame import Frame, rate, sample, structure_functions
from nonholo.model.system import (
    TIME,
    System,
    check_system,
    force_covector,
    parameter_values,
    resolve,
    varied,
)
from nonholo.model.system_structure import bare, structure
from nonholo.model.velocities.admissible import Admissible, admissible, constraint_rows, named_velocities, samples_of
from nonholo.program.hash_consing import is_deep

SMALL = 150
"""Mass matrices with at most this many nodes are tried as numbers when they are derived."""
ROUNDING = 1e-14
"""An eigenvalue of a mass matrix with rows of size one below this, for each row, is none."""


@form(
    "hamel",
    title="Hamel’s equations",
    about="In the quasi-velocities of the system the constraints are built in: no multipliers, as many equations as "
    "degrees of freedom. [Hamel 1904; Bloch, Marsden and Zenkov 2009 (3.4)]",
    place=1,
    chosen_speeds=True,
    shortening=5.0,
)
def hamel(system: System, frame: Frame | None = None, *, at: Mapping[str, float] | None = None) -> Equations:
    """Motion in quasi-velocities.

    With ``ẋ = u_i v^i``, ``l(x, v) = L(x, ẋ)``, ``p_j = ∂l/∂v^j`` and admissible velocities ``v = V(x, z)``,

        (∂V^j/∂z^α) [ d/dt p_j − c_ij^a p_a v^i − u_j[l] − Q_j ] = 0        [Hamel 1904; BMZ 2009 (3.4)]

    solved for ``ż`` as ``M ż = F``. The momenta are all n of them, taken before the constraints are imposed.
    ``frame`` writes them in another frame; ``at`` chooses speeds that are well conditioned there. Left out, they are so
    at generic configurations, and for a machine with contacts or loops at its own start.

    >>> from nonholo.model.system import System
    >>> spring = System(coordinates="x", parameters="m k", lagrangian="m/2*xdot**2 - k/2*x**2")
    >>> hamel(spring).mass, hamel(spring).force
    (((m,),), (-k*x,))
    """
    if frame is None and at is None:
        return own_hamel(system)[1]
    if frame is not None:
        system = in_frame(system, frame)
    return hamel_at(system, samples_of(system, at)[0], frame is not None, at)[1]


def own_hamel(system: System) -> tuple[Admissible, Equations]:
    """Admissible velocities and Hamel's equations in the speeds of `hamel`."""
    check_system(system)
    at = _own_configuration(system)
    return hamel_at(system, samples_of(system, at)[0], False, at)


def _own_configuration(system: System) -> dict[str, float] | None:
    """The start configuration of a machine with holonomic constraints that are independent there; generic points violate them."""
    if system.machine is None or not system.holonomic or not all(e is not None or n == "g" for n, e in system.parameters.items()):
        return None
    places = {n: float(e) for n, e in system.start.items() if n in system.coordinates}
    place = {**dict(zip(system.coordinates, system.frame.home)), **places, **parameter_values(system, None), "t": 0.0}
    slopes = constraint_rows(system).slopes
    still = dict.fromkeys((*system.velocities, *system.inputs), 0.0)
    numbers = evaluate_matrix(slopes, {**still, **place})
    regular = np.all(np.isfinite(numbers)) and np.linalg.matrix_rank(numbers, tol=1e-9) == len(slopes)
    return place if regular else None


_BY_STRUCTURE: Cache[tuple[Choices[tuple[Admissible, Equations]], Choices[tuple[Admissible, Equations]]]] = Cache(64)


def hamel_at(
    system: System, place: Mapping[str, float], frame_first: bool = False, given: Mapping[str, float] | None = None
) -> tuple[Admissible, Equations]:
    """Admissible velocities and Hamel's equations in speeds that are well conditioned at a place (a full state, all parameters).

    ``given`` is as much of the place as a user gave; ``frame_first`` prefers the frame's velocities to declared quasi-velocities.
    Systems of the same structure share the result: it is derived once for each choice of speeds.
    """
    check_system(system)

    def derive(ask: Recorder) -> tuple[Admissible, Equations]:
        own = bare(system)
        allowed = admissible(own, given, frame_first, ask)
        return allowed, assemble(own, allowed, "hamel", ask)

    return _BY_STRUCTURE.get(structure(system), lambda: (Choices(), Choices()))[frame_first].get(place, derive)


def assemble(system: System, allowed: Admissible, origin: str, ask: Ask | None = None) -> Equations:
    """The pair (M, F) of `hamel` for the given admissible velocities; ``ask`` evaluates conditions on the parameters."""
    x, v = symbols(system.coordinates), symbols(system.velocities)
    on_shell = dict(zip(v, allowed.velocity))
    rates = substitute(system.frame.rates, on_shell)
    motion = {**dict(zip(x, rates)), TIME: ONE}
    mass: Matrix
    force: tuple[Expr, ...]
    if allowed.explicit and few_directions(len(v), len(allowed.speeds)):
        l = lagrangian_in_frame(system)
        momenta = gradient(l, v) if structure_functions(system.frame) else ()
        covector = [a + b for a, b in zip(_bracket_terms(system.frame, momenta, v), force_covector(system))]
        mass, force = projected(system, allowed, l, covector, velocity_drift(allowed, motion), on_shell)
    else:
        mass, force = _projected_metric(system, allowed, motion, on_shell)
    if allowed.explicit:
        _check_mass(system, allowed, mass, ask)
    return Equations(
        name=system.name,
        origin=origin,
        coordinates=x,
        speeds=allowed.speeds,
        kinematics=rates,
        mass=mass,
        force=force,
        energy=substitute([energy_in_frame(system)], on_shell)[0],
        time=TIME,
        parameters=symbols(system.parameters),
        inputs=symbols(system.inputs),
        symmetric=allowed.explicit,
        outputs=FrozenMap(_outputs(system, allowed, on_shell)),
        invariants=FrozenMap(_invariants(system, allowed)),
    )


def _projected_metric(
    system: System, allowed: Admissible, motion: Mapping[Any, Expr], on_shell: Mapping[Any, Expr]
) -> tuple[Matrix, tuple[Expr, ...]]:
    """``M`` and ``F`` from `unconstrained`; constraints given as residuals add their own rows."""
    metric, free_force = unconstrained(system)
    inner = tuple(substitute(row, on_shell) for row in metric)
    push = substitute(free_force, on_shell)
    virtual = transpose(allowed.basis)
    left = multiply(virtual, inner)
    if allowed.explicit:
        drift = velocity_drift(allowed, motion)
        return multiply(left, allowed.basis), tuple(dot(w, push) - dot(row, drift) for w, row in zip(virtual, left))
    carry = along(allowed.rows.residuals, motion)
    return (*left, *allowed.rows.slopes), (*(dot(w, push) for w in virtual), *(-c for c in carry))


def _check_mass(system: System, allowed: Admissible, mass: Matrix, ask: Ask | None) -> None:
    """Refuse a Lagrangian without kinetic energy in an admissible direction.

    Small matrices are tried as numbers at a generic state, with the parameters that are used; large ones only for rows of
    zeros, since `check` and the integrators look at them anyway and the derivation stays quick.
    """
    flat = [e for row in mass for e in row]
    names = [str(s) for s in allowed.speeds]
    missing = next((name for row, name in zip(mass, names) if all(e == 0 for e in row)), None)
    if missing is None and flat and not is_deep(flat) and not larger_than(flat, SMALL):
        own, generic = samples_of(system)
        generic |= {n: 0.3 + 0.17 * k for k, n in enumerate(names)}
        moving = {symbol(n): se.RealDouble(e) for n, e in generic.items() if n not in system.parameters}
        still = substitute(flat, moving)
        if any(node == se.nan for node in nodes(still)):  # a kink at this state: the integrators look at the mass anyway
            return
        told = ask if ask is not None and any(e.free_symbols for e in still) else None
        direction = flat_direction(evaluate(still, own)) if told is None else told(flat_direction, still)
        missing = _combination(direction, names) if direction else None
    if missing is not None:
        raise ModelError(
            f"{system.name}: the Lagrangian has no kinetic energy along {missing}, which the constraints allow; "
            f"add its kinetic energy or constrain it.",
            key=("lagrangian",),
        )


def flat_direction(flat: Numbers) -> tuple[float, ...]:
    """A direction in which a symmetric matrix, row after row, vanishes to rounding whatever the units are; () for none.

    >>> flat_direction(np.array([1.0, 1.0, 1.0, 1.0])), flat_direction(np.array([1e-20, 0.0, 0.0, 1.0]))
    ((1.0, -1.0), ())
    """
    size = math.isqrt(len(flat))
    matrix = flat.reshape(size, size)
    matrix = (matrix + matrix.T) / 2
    if not np.all(np.isfinite(matrix)):
        return ()
    with contextlib.suppress(np.linalg.LinAlgError):
        if np.all(np.diag(np.linalg.cholesky(matrix)) ** 2 > 1e-9 * np.diag(matrix)):
            return ()  # no column is nearly a combination of those before it, in any units: the quick way
    scale = np.ones(size)
    for _ in range(4):  # rows and columns of size one [Ruiz 2001]
        largest = np.max(np.abs(matrix * np.outer(scale, scale)), axis=1)
        scale /= np.sqrt(np.where(largest > 0, largest, 1.0))
    values, directions = np.linalg.eigh(matrix * np.outer(scale, scale))
    worst = int(np.argmin(np.abs(values)))
    if abs(values[worst]) > ROUNDING * size * np.max(np.abs(values)):
        return ()
    found = scale * directions[:, worst]
    return tuple((found / found[np.argmax(np.abs(found))] + 0.0).tolist())


def _combination(parts: Sequence[float], names: list[str]) -> str:
    """``xdot - 0.5*ydot``."""
    text = ""
    for part, name in zip(parts, names):
        if abs(part) > 1e-9:
            size = f"{abs(part):.3g}"
            text += f" {'-' if part < 0 else '+'} " + (name if size == "1" else f"{size}*{name}")
    return text.removeprefix(" + ").removeprefix(" ")


def velocity_drift(allowed: Admissible, motion: Mapping[Any, Expr]) -> tuple[Expr, ...]:
    """``(∂V/∂x) ẋ + ∂V/∂t``: how the admissible velocity changes when the speeds do not."""
    return along(allowed.velocity, motion)


def unconstrained(system: System) -> tuple[Matrix, tuple[Expr, ...]]:
    """``G`` and ``f`` with ``G v̇ = f + reactions``, in ``(x, v, t)``; ``f`` is the sum of `force_terms`."""
    return kinetic_metric(system), tuple(sum(parts, ZERO) for parts in zip(*force_terms(system).values()))


_METRIC: Cache[Matrix] = Cache(32)


def kinetic_metric(system: System) -> Matrix:
    """``G = ∂²l/∂v²`` in ``(x, v, t)``."""

    def made() -> Matrix:
        v = symbols(system.velocities)
        return symmetric_jacobian(gradient(lagrangian_in_frame(system), v), v)

    return _METRIC.get(structure(system), made)


def force_terms(system: System) -> dict[str, tuple[Expr, ...]]:
    """The parts of ``f_j = c_ij^a p_a v^i + u_j[l] + Q_j − (∂p_j/∂x^k) ẋ^k − ∂p_j/∂t``, by name."""
    momenta, terms = momentum_equation(system)
    return terms | {
        "transport": tuple(-e for e in along(momenta, dict(zip(symbols(system.coordinates), system.frame.rates)))),
        "time": tuple(-e for e in along(momenta, {TIME: ONE})),
    }


def momentum_equation(system: System) -> tuple[tuple[Expr, ...], dict[str, tuple[Expr, ...]]]:
    """``p_j = ∂l/∂v^j`` and the parts of ``ṗ_j = c_ij^a p_a v^i + u_j[l] + Q_j + reactions``, by name, in ``(x, v, t)``."""
    frame = system.frame
    x, v = symbols(system.coordinates), symbols(system.velocities)
    l = lagrangian_in_frame(system)
    momenta = gradient(l, v)
    slope = gradient(l, x)
    columns = transpose(frame.anchor) if x else ((),) * len(v)
    return momenta, {
        "brackets": tuple(_bracket_terms(frame, momenta, v)),
        "slope": tuple(dot(column, slope) for column in columns),
        "applied": force_covector(system),
    }


def lagrangian_in_frame(system: System) -> Expr:
    """``l(x, v, t)``."""
    return resolve(system, [system.lagrangian], f"{system.name}: lagrangian")[0]


def symmetric_jacobian(momenta: tuple[Expr, ...], v: tuple[Any, ...]) -> Matrix:
    """``∂p_j/∂v^k``, computing each pair once, or of many velocities what the momenta share."""
    if len(v) > MANY:
        upper = [row[j:] for j, row in enumerate(jacobian(momenta, v))]
    else:
        upper = [gradient(p, v[j:]) for j, p in enumerate(momenta)]
    return tuple(tuple(upper[min(j, k)][max(j, k) - min(j, k)] for k in range(len(v))) for j in range(len(momenta)))


def _bracket_terms(frame: Frame, momenta: tuple[Expr, ...], v: tuple[Any, ...]) -> list[Expr]:
    """``c_ij^a p_a v^i`` for each j."""
    result = [ZERO] * len(v)
    for (i, j, a), c in structure_functions(frame).items():
        result[j] += c * momenta[a] * v[i]
        result[i] -= c * momenta[a] * v[j]
    return result


def energy_in_frame(system: System) -> Expr:
    """``E = p_j v^j − l`` in ``(x, v, t)``."""
    return energy_of(lagrangian_in_frame(system), symbols(system.velocities))


def _outputs(system: System, allowed: Admissible, on_shell: Mapping[Any, Expr]) -> dict[str, Expr]:
    own = {str(s) for s in allowed.speeds}
    return {n: e for n, e in named_velocities(system, on_shell).items() if n not in own}


def _invariants(system: System, allowed: Admissible) -> dict[str, Expr]:
    result = {f"relation {i + 1}": e for i, e in enumerate(system.frame.relations)}
    result |= {f"holonomic constraint {i + 1}": e for i, e in enumerate(system.holonomic)}
    if not allowed.explicit:
        result |= dict(zip(allowed.rows.labels, allowed.rows.residuals))
    return result


def in_frame(system: System, frame: Frame) -> System:
    """The same system with its velocities in another frame on the same coordinates."""
    if set(frame.coordinates) != set(system.coordinates):
        raise ModelError(
            f"{system.name}: the frame's coordinates ({', '.join(frame.coordinates)}) must be the system's "
            f"({', '.join(system.coordinates)})."
        )
    if frame.coordinates != system.coordinates:
        order = [frame.coordinates.index(c) for c in system.coordinates]
        frame = replace(
            frame,
            coordinates=system.coordinates,
            anchor=tuple(frame.anchor[k] for k in order),
            home=tuple(frame.home[k] for k in order),
        )
    old = system.frame
    if system.parametric is not None:
        raise ModelError(
            f"{system.name}: parametric velocities fix their own parameters; hamel(system) without a frame."
        )
    quasi: dict[str, Expr] = {}
    if not old.plain:
        change = _change_between(system, old, frame)
        new = symbols(frame.velocities)
        rates = {rate(c) for c in system.coordinates}
        quasi = {
            n: dot(row, new) for n, row in zip(old.velocities, change) if n not in rates and n not in frame.velocities
        }
    table = {symbol(n): e for n, e in quasi.items()}
    dropped: dict[str, Expr] = {}
    for name, written in system.quasivelocities.items():
        (dropped if name in frame.velocities else quasi)[name] = substitute([written], table)[0]
    result = varied(system, frame=frame, quasivelocities=quasi)
    for name, meaning in dropped.items():
        (meant,) = resolve(result, [meaning])
        for place in samples_of(result):
            if abs(evaluate([meant - symbol(name)], place)[0]) > 1e-9:
                raise ModelError(
                    f"{system.name}: the frame has a velocity {name!r}, which is the name of another quasi-velocity of the "
                    f"system ({meaning}); rename one of them."
                )
    return result


def _change_between(system: System, old: Frame, new: Frame) -> Matrix:
    """``B`` with ``v_old = B v_new``: known when the frame was changed from the old one, else by ``ψ_old B = ψ_new``."""
    if new.relative is not None and new.relative[0] == old.velocities:
        matrix: Matrix = new.relative[1]
        return matrix
    gram = multiply(transpose(old.anchor), old.anchor)
    mixed = multiply(transpose(old.anchor), new.anchor)
    try:
        return solve(gram, mixed, [sample(old, k) for k in range(2)])
    except DependentRows:
        raise ModelError(
            f"{system.name}: the velocities {', '.join(old.velocities)} do not follow from the rates of the coordinates, so the "
            "new frame cannot be compared with the old one; make it with nh.frames.change_frame."
        ) from None
