"""Forces of contacts and constraints, and momentum, as vectors at points of a drawing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, along, gradient, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.linear_equations import evaluate_matrix
from nonholo.compile.kernel import input_symbols
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import hamel
from nonholo.errors import NonholoError, StateError
from nonholo.geometry.frames.frame import sample
from nonholo.integrate.results.named_quantities import evaluate_rows, solved_rows
from nonholo.model.contacts import ContactLaw
from nonholo.model.declared_words import multiplier_names
from nonholo.model.drawing.shapes import Body, Drawing
from nonholo.model.system import TIME, System, known_names, known_parameters, resolve
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.notation.parse import parse

Vector = tuple[Expr, Expr, Expr]
Kind = Literal["contact", "reaction", "momentum"]
NORMAL = "contact_normal"
NEAR = 1e-9
"""Relative difference below which a constraint is a component of a point's velocity."""
UP: Vector = (ZERO, ZERO, ONE)


def contact_forces(
    run: Any, normal: Any = None, tangential: Sequence[str] | None = None
) -> tuple[Numbers, Numbers] | None:
    """Normal force and size of the tangential force along a motion, or None when the normal is not known.

    Names of quantities may be given. Else, for a system whose two constraints are ``ẋ + … = 0`` and ``ẏ + … = 0`` on a
    horizontal plane, the multipliers are the tangential force, and with ``g W(x)`` the potential energy and ``M`` the mass

        N = M g + d²W/dt²        (Newton's law for the height of the centre of mass)
    """
    if normal is not None:
        if not tangential:
            raise StateError(
                "reactions: a normal is given without tangential forces; name them, e.g. tangential=['lambda1']."
            )
        press = run[normal] if isinstance(normal, str) else np.asarray(normal, dtype=float)
        return press, _size(run, tangential)
    system: System | None = run.system
    heavy = weight(system) if system is not None else None
    if system is None or heavy is None or "lambda2" not in run.quantities or "lambda3" in run.quantities:
        return None
    equations = hamel(system)
    if equations.inputs or any(n not in run.quantities for n in equations.state):
        return None
    return _normal(run, equations, *heavy), _size(run, ("lambda1", "lambda2"))


def _size(run: Any, names: Sequence[str]) -> Numbers:
    return np.asarray(np.sqrt(sum(run[n] ** 2 for n in names)), dtype=np.float64)


def weight(system: System) -> tuple[Expr, Expr] | None:
    """``M`` and ``W`` of a body held by two constraints to roll on the plane of x and y; None for any other system."""
    if "g" not in system.parameters or not {"x", "y"} <= set(system.coordinates) or "z" in system.coordinates:
        return None
    if system.parametric is not None or system.holonomic or system.forces or system.magnetic:
        return None
    rows = constraint_rows(system)
    places = [system.velocities.index(n) for n in ("xdot", "ydot") if n in system.velocities]
    if len(rows.residuals) != 2 or len(places) != 2:
        return None
    if [[row[k] for k in places] for row in rows.slopes] != [[ONE, ZERO], [ZERO, ONE]]:
        return None
    g, rate = symbol("g"), symbol("xdot")
    still = substitute([system.lagrangian], dict.fromkeys(symbols(_velocities(system)), ZERO))[0]
    height = -still.diff(g)
    mass = system.lagrangian.diff(rate).diff(rate)
    if height == 0 or mass == 0 or height.diff(g) != 0 or height.free_symbols & set(symbols(("x", "y"))):
        return None
    return mass, height


def _velocities(system: System) -> list[str]:
    return [*system.velocities, *system.quasivelocities, *(f"{c}dot" for c in system.coordinates)]


def _normal(run: Any, equations: Equations, mass: Expr, height: Expr) -> Numbers:
    count = len(run["t"])
    numbers = known_parameters(run.system)
    fixed = [np.full(count, float(numbers[str(p)])) for p in equations.parameters]
    rows = np.column_stack([run["t"], *(run[n] for n in equations.state), *fixed])
    velocity, solved = solved_rows(equations, rows)
    flow = symbols(f"_flow_{n}" for n in equations.state)
    once = along([height], dict(zip(equations.coordinates, equations.kinematics)))
    twice = along(once, dict(zip((*equations.coordinates, *equations.speeds), flow)))[0]
    extended = np.hstack([rows, velocity, solved[:, : len(equations.speeds)]])
    press = evaluate_rows([*input_symbols(equations), *flow], [mass * symbol("g") + twice], extended)[:, 0]
    return np.asarray(press, dtype=np.float64)


@dataclass(frozen=True)
class ForceArrow:
    """A vector ``Σ column · direction`` at a point: expressions in the names of the system, columns of its motions.

    The column ``1`` is the number one. A contact has its ``normal`` and, where friction bounds it, the coefficient: its cone.
    """

    name: str
    kind: Kind
    point: Vector
    terms: tuple[tuple[str, Vector], ...]
    normal: Vector | None = None
    friction: Expr | None = None
    contact: int | None = None
    """The number of the contact of the system, if it is one."""


def contact_column(part: str, contact: str) -> str:
    """The name of a contact's quantity among the columns of a page: ``normal(front)``."""
    return f"{part}({contact})"


def force_arrows(system: System, drawing: Drawing) -> tuple[ForceArrow, ...]:
    """The arrows of a system: its contacts, the reactions of constraints at drawn points, and its momentum.

    A constraint acts at a drawn body where its row is a component of the velocity of that body's lowest point (or of its
    place), compared at random states: then the multiplier is the force there.

    >>> from nonholo import gallery
    >>> sleigh = gallery.get("chaplygin-sleigh")
    >>> [(arrow.name, arrow.kind, arrow.terms[0][0]) for arrow in force_arrows(sleigh.system, sleigh.drawing)]
    [('reaction', 'reaction', 'lambda1'), ('momentum', 'momentum', '1')]
    """
    if system.parametric is not None:
        return ()
    if system.contacts:
        found = [arrow for k, law in enumerate(system.contacts) if (arrow := _contact(system, drawing, k, law)) is not None]
    else:
        found = _reactions(system, drawing)
    return (*found, *_momentum(system, drawing))


def places_in_space(system: System) -> list[tuple[str, str | None, str | None]]:
    """Coordinates that are a point's x, y and z: of ``x, y``, ``x, z``, ``x1, y1``, …; None where one is left out."""
    names, result = set(system.coordinates), []
    for name in system.coordinates:
        head, letter, tail = name.partition("x")
        if letter and (not tail or tail.strip("_").isdigit()):
            others = [f"{head}{c}{tail}" if f"{head}{c}{tail}" in names else None for c in "yz"]
            if any(others):
                result.append((name, others[0], others[1]))
    return result


def _rates(system: System, place: Sequence[str | None]) -> list[Expr | None]:
    """The velocities of the frame that are rates of a place."""
    own = set(system.velocities)
    return [symbol(f"{n}dot") if n is not None and f"{n}dot" in own else None for n in place]


def _vector(slope: Expr, rates: Sequence[Expr | None]) -> Vector:
    """How an expression in the velocities depends on those of a place."""
    x, y, z = (slope.diff(v) if v is not None else ZERO for v in rates)
    return x, y, z


def _contact(system: System, drawing: Drawing, number: int, law: ContactLaw) -> ForceArrow | None:
    """A contact with its declared directions, or those in which its rows move the first place they depend on."""
    motion = {**dict(zip(symbols(system.coordinates), system.frame.rates)), TIME: ONE}
    gap = along([law.gap], motion)[0] if law.gap is not None else None
    slips = resolve(system, law.slip)
    place = next((p for p in places_in_space(system) if any(_moves(e, _rates(system, p)) for e in (gap, *slips))), None)
    rates = _rates(system, place) if place is not None else [None] * 3
    axes = dict(zip(("normal", "along", "across"), law.axes))
    normal = _as_vector(axes["normal"]) or (_vector(gap, rates) if gap is not None else UP)
    ways = [axes[name] for name in law.directions]
    directions = [_as_vector(way) or _vector(slip, rates) for way, slip in zip(ways, slips)]
    point = _as_vector(law.point) or _surface_point(system, drawing, place, normal)
    if point is None or all(e == 0 for e in normal):
        return None
    pressed = law.gap is not None or law.load is not None
    terms = [(contact_column("normal", law.name), normal)] if pressed else []
    terms += [(contact_column(n, law.name), way) for n, way in zip(law.directions, directions)]
    return ForceArrow(law.name, "contact", point, tuple(terms), normal, law.static if pressed else None, number)


def _moves(slope: Expr | None, rates: Sequence[Expr | None]) -> bool:
    return slope is not None and any(v is not None and slope.diff(v) != 0 for v in rates)


def _as_vector(values: Sequence[Expr]) -> Vector | None:
    if len(values) != 3:
        return None
    x, y, z = values
    return x, y, z


def _surface_point(
    system: System, drawing: Drawing, place: Sequence[str | None] | None, normal: Vector
) -> Vector | None:
    """The point of the round body drawn at a place, opposite to the normal."""
    if place is None:
        return None
    wanted = [symbol(n) for n in place if n is not None]
    for body in drawing.bodies:
        if "radius" not in body.size or body.shape == "rod":
            continue
        middle = _read(system, body.position)
        if all(w in middle for w in wanted):
            (radius,) = _read(system, [body.size["radius"]])
            x, y, z = (c - radius * n for c, n in zip(middle, normal))
            return x, y, z
    return None


def _read(system: System, texts: Sequence[str]) -> list[Expr]:
    return [parse(t, known_names(system), f"{system.name}: drawing") for t in texts]


def _reactions(system: System, drawing: Drawing) -> list[ForceArrow]:
    """One arrow for each drawn body at which constraints act."""
    places = places_in_space(system)
    try:
        rows = constraint_rows(system)
    except NonholoError:
        return []
    if not places or not rows.linear or not rows.slopes:
        return []
    rates = _rates(system, places[0])
    v = symbols(system.velocities)
    names = multiplier_names(system, len(rows.slopes))
    ways = [_vector(sum((a * b for a, b in zip(slope, v)), ZERO), rates) for slope in rows.slopes]
    states = [_state(system, seed) for seed in range(2)]
    tables = [evaluate_matrix(rows.slopes, state) for state in states]
    directions = [evaluate_matrix(ways, state) for state in states]
    left = {k for k, way in enumerate(ways) if any(e != 0 for e in way)}
    found: list[ForceArrow] = []
    heavy = weight(system)
    for body in drawing.bodies:
        for point, moving in _points(system, body):
            shifts = [evaluate_matrix([gradient(e, v) for e in moving], state) for state in states]
            own = [k for k in sorted(left) if all(_nearly_equal(a[k], d[k] @ j) for a, d, j in zip(tables, directions, shifts))]
            if not own:
                continue
            left -= set(own)
            terms = [(names[k], ways[k]) for k in own]
            touches = heavy is not None and len(own) == 2
            found.append(
                ForceArrow(
                    "contact force" if touches else "reaction",
                    "contact" if touches else "reaction",
                    point,
                    ((NORMAL, UP), *terms) if touches else tuple(terms),
                    UP if touches else None,
                )
            )
    return found


def _nearly_equal(row: np.ndarray, moved: np.ndarray) -> bool:
    return bool(np.max(np.abs(row - moved)) <= NEAR * max(1.0, float(np.max(np.abs(row)))))


def _state(system: System, seed: int) -> Mapping[str, float]:
    random = np.random.default_rng(70 + seed)
    names = (*system.parameters, *system.inputs, *system.velocities, "t")
    return {**dict(zip(names, random.uniform(0.6, 1.6, len(names)).tolist())), **dict(sample(system.frame, seed))}


def _points(system: System, body: Body) -> Iterator[tuple[Vector, tuple[Expr, ...]]]:
    """Points of a drawn body where it may touch, and the velocity of the matter there in the frame's velocities."""
    if body.shape in ("wire", "surface", "arrow"):
        return
    place = _read(system, body.position)
    turn = [_read(system, row) for row in body.rotation]
    motion = {**dict(zip(symbols(system.coordinates), system.frame.rates)), TIME: ONE}
    try:
        velocity = along(resolve(system, place), motion)
        change = [along(resolve(system, row), motion) for row in turn]
    except NonholoError:
        return
    arm = _lowest(system, body, turn)
    for reach in [arm, (ZERO, ZERO, ZERO)] if arm is not None else [(ZERO, ZERO, ZERO)]:
        x, y, z = (p + e for p, e in zip(place, reach))
        # Ṙ Rᵀ is the angular velocity, and carries the arm
        inner = [sum((turn[i][j] * reach[i] for i in range(3)), ZERO) for j in range(3)]
        moved = [w + sum((a * b for a, b in zip(row, inner)), ZERO) for w, row in zip(velocity, change)]
        yield (x, y, z), resolve(system, moved)


def _lowest(system: System, body: Body, turn: Sequence[Sequence[Expr]]) -> Vector | None:
    """From a round body's middle to its lowest point."""
    sizes = dict(zip(body.size, _read(system, list(body.size.values()))))
    down = turn[2]
    if body.shape == "sphere":
        return ZERO, ZERO, -sizes["radius"]
    if body.shape in ("disc", "wheel"):
        halves = [sizes["radius"], sizes["radius"], ZERO]
    elif body.shape == "ellipsoid":
        halves = [sizes[n] for n in "abc"]
    else:
        return None
    size = se.sqrt(sum((h**2 * d**2 for h, d in zip(halves, down)), ZERO))
    own = [-(h**2) * d / size for h, d in zip(halves, down)]
    x, y, z = (sum((row[j] * own[j] for j in range(3)), ZERO) for row in turn)
    return x, y, z


def _momentum(system: System, drawing: Drawing) -> list[ForceArrow]:
    """The linear momentum, where the coordinates have one place and the Lagrangian its rates."""
    places = places_in_space(system)
    if len(places) != 1:
        return []
    rates = _rates(system, places[0])
    if rates[0] is None:
        return []
    (lagrangian,) = resolve(system, [system.lagrangian])
    vector = _vector(lagrangian, rates)
    if all(e == 0 for e in vector):
        return []
    heavy = weight(system)
    if heavy is not None:  # the height of the centre of mass is a function of the attitude
        motion = dict(zip(symbols(system.coordinates), system.frame.rates))
        vector = (vector[0], vector[1], along([heavy[1]], motion)[0])
    wanted = {symbol(n) for n in places[0] if n is not None}
    middles = [_read(system, body.position) for body in drawing.bodies if body.shape not in ("arrow", "wire", "surface")]
    moving = [m for m in middles if wanted <= {s for e in m for s in e.free_symbols}]
    x, y, z = moving[0] if moving else (symbol(n) if n is not None else ZERO for n in places[0])
    return [ForceArrow("momentum", "momentum", (x, y, z), (("1", vector),))]
