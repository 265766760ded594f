"""Ready-made frames on groups: rotations by matrix or quaternion, planar and spatial motions, the vertical of a top."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, along, expand, symbols, tidy
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import Matrix, identity, multiply, transpose
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame_record import Frame, check_names
from nonholo.geometry.frames.frame_words import Chart, rate
from nonholo.notation.read import names_of

HALF = ONE / 2
CENTER = (0.2, -0.1, 0.3)
"""The middle of the Cardan chart x-y-z, which is singular only where the second angle is ±π/2."""
REACH = 0.8

SO3_BRACKETS = FrozenMap({(0, 1, 2): ONE, (0, 2, 1): -ONE, (1, 2, 0): ONE})
SE2_BRACKETS = FrozenMap({(0, 1, 2): ONE, (0, 2, 1): -ONE})


def hat(w: Sequence[Expr]) -> Matrix:
    """The antisymmetric matrix ``ŵ`` with ``ŵ a = w × a``."""
    return ((ZERO, -w[2], w[1]), (w[2], ZERO, -w[0]), (-w[1], w[0], ZERO))


def vee(matrix: Matrix) -> tuple[Expr, ...]:
    """The vector ``w`` of ``ŵ``."""
    return (matrix[2][1], matrix[0][2], matrix[1][0])


def cross(a: Sequence[Expr], b: Sequence[Expr]) -> tuple[Expr, ...]:
    """``a × b``."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def quaternion_product(p: Sequence[Expr], q: Sequence[Expr]) -> tuple[Expr, ...]:
    """Hamilton's product, scalar part first."""
    turn = cross(p[1:], q[1:])
    scalar = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3]
    return (scalar, *(p[0] * q[i] + q[0] * p[i] + turn[i - 1] for i in (1, 2, 3)))


def SO3(name: str = "R", rates: Any = "w1 w2 w3", *, side: str = "body") -> Frame:
    """Rotations by their matrix, ``Ṙ = R ŵ`` (body rates) or ``Ṙ = ŵ R`` (``side="spatial"``).

    Coordinates are ``R11 … R33`` (row, column), on ``RᵀR = 1`` with determinant +1.

    >>> SO3("R").velocities, SO3("R").size, len(SO3("R").coordinates)
    (('w1', 'w2', 'w3'), 3, 9)
    """
    velocities = _rates(rates, 3, "SO3")
    names = _matrix_names(name)
    R = _square(symbols(names))
    columns = [_flat(_turn(R, unit, side)) for unit in identity(3)]
    return _made(
        coordinates=names,
        velocities=velocities,
        anchor=transpose(columns),
        brackets=_sided(SO3_BRACKETS, side),
        relations=_orthogonality(R),
        home=(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
        chart=_cardan_chart(name, side),
        recipe=_recipe("SO3", side, name=name, rates=" ".join(velocities)),
    )


def _cardan_chart(name: str, side: str) -> Chart:
    """Cardan angles for a rotation matrix."""
    angles = tuple(f"{name}_{letter}" for letter in "abc")
    turned = cardan(angles)
    return Chart(angles, _flat(turned), rates_of_rotation(turned, angles, side), CENTER, REACH)


def Quaternion(name: str = "q", rates: Any = "w1 w2 w3", *, side: str = "body") -> Frame:
    """Rotations by a unit quaternion, ``q̇ = ½ q (0, w)`` (body) or ``q̇ = ½ (0, w) q`` (spatial); ``|q|² = 1``.

    >>> Quaternion("q").coordinates, Quaternion("q").home
    (('q0', 'q1', 'q2', 'q3'), (1.0, 0.0, 0.0, 0.0))
    """
    velocities = _rates(rates, 3, "Quaternion")
    names = tuple(f"{name}{i}" for i in range(4))
    q = symbols(names)
    body = _checked_side(side, "Quaternion") == "body"
    order: Callable[[Any, Any], Any] = quaternion_product if body else lambda p, w: quaternion_product(w, p)
    columns = [tuple(HALF * e for e in order(q, (ZERO, *unit))) for unit in identity(3)]
    angles = tuple(f"{name}_{letter}" for letter in "abc")
    turned = half_angles(angles)
    conjugate = (turned[0], *(-e for e in turned[1:]))
    moving = order(conjugate, _derivative(turned, angles))
    return _made(
        coordinates=names,
        velocities=velocities,
        anchor=transpose(columns),
        brackets=_sided(SO3_BRACKETS, side),
        relations=(se.Add(*(e**2 for e in q)) - 1,),
        home=(1.0, 0.0, 0.0, 0.0),
        chart=Chart(angles, turned, tuple(tidy(2 * e) for e in moving[1:]), CENTER, REACH),
        recipe=_recipe("Quaternion", side, name=name, rates=" ".join(velocities)),
    )


def SE2(names: Any = "theta x y", rates: Any = "w v1 v2", *, side: str = "body") -> Frame:
    """Planar motions, ``θ̇ = w`` and ``(ẋ, ẏ) = Rot(θ) (v1, v2)``, or ``(ẋ, ẏ) = (v1, v2) + w × (x, y)`` (spatial).

    The angle and its rate are named first.

    >>> SE2().brackets
    {(0, 1, 2): 1, (0, 2, 1): -1}
    """
    coordinates = names_of(names, "SE2 coordinates")
    if len(coordinates) != 3:
        raise ModelError(f"SE2: {len(coordinates)} coordinates {coordinates}; give three names: an angle, x and y.")
    if coordinates[:2] == ("x", "y"):
        first = " ".join((coordinates[2], "x", "y"))
        raise ModelError(f"SE2: coordinates {' '.join(coordinates)!r}, where the angle is named first; write {first!r}.")
    velocities = _rates(rates, 3, "SE2")
    theta, x, y = symbols(coordinates)
    anchor: Matrix = (
        (ONE, ZERO, ZERO),
        (ZERO, se.cos(theta), -se.sin(theta)),
        (ZERO, se.sin(theta), se.cos(theta)),
    )
    if _checked_side(side, "SE2") == "spatial":
        anchor = ((ONE, ZERO, ZERO), (-y, ONE, ZERO), (x, ZERO, ONE))
    return _made(
        coordinates=coordinates,
        velocities=velocities,
        anchor=anchor,
        brackets=_sided(SE2_BRACKETS, side),
        home=(0.0, 0.0, 0.0),
        recipe=_recipe("SE2", side, names=" ".join(coordinates), rates=" ".join(velocities)),
    )


def SE3(
    name: str = "R", position: Any = "x y z", *, rates: Any = "w1 w2 w3 v1 v2 v3", side: str = "body"
) -> Frame:
    """Motions of space, ``Ṙ = R ŵ``, ``ẋ = R v`` (body), or ``Ṙ = ŵ R``, ``ẋ = v + w × x`` (spatial).

    >>> SE3().brackets[(0, 4, 5)]  # [w1, v2] = v3
    1
    """
    velocities = _rates(rates, 6, "SE3")
    place = names_of(position, "SE3 position")
    if len(place) != 3:
        raise ModelError(f"SE3: {len(place)} names of position {place}; give three.")
    turning = SO3(name, velocities[:3], side=side)
    R, x = _square(symbols(turning.coordinates)), symbols(place)
    lower = transpose([cross(unit, x) for unit in identity(3)]) if side == "spatial" else (((ZERO,) * 3),) * 3
    forward = R if side == "body" else identity(3)
    rows = [(*row, ZERO, ZERO, ZERO) for row in turning.anchor] + [(*a, *b) for a, b in zip(lower, forward)]
    chart = _cardan_chart(name, side)
    turned, moving = _square(chart.embedding), symbols(rate(p) for p in place)
    if side == "body":
        speeds = tuple(row[0] for row in multiply(transpose(turned), [[m] for m in moving]))
    else:
        speeds = tuple(m - e for m, e in zip(moving, cross(chart.velocities, x)))
    return _made(
        coordinates=(*turning.coordinates, *place),
        velocities=velocities,
        anchor=tuple(rows),
        brackets=_sided(_se3_brackets(), side),
        relations=turning.relations,
        home=(*turning.home, 0.0, 0.0, 0.0),
        chart=replace(
            chart,
            names=(*chart.names, *place),
            embedding=(*chart.embedding, *x),
            velocities=(*chart.velocities, *speeds),
            center=(*CENTER, 0.0, 0.0, 0.0),
            reach=(REACH,) * 6,
        ),
        recipe=_recipe("SE3", side, name=name, position=" ".join(place), rates=" ".join(velocities)),
    )


def Vertical(name: str = "g", rates: Any = "w1 w2 w3") -> Frame:
    """The vertical seen from a turning body, Poisson's ``γ̇ = γ × w`` on ``|γ|² = 1``; ``γ = Rᵀ e3``.

    Three coordinates for three velocities, but turning about ``γ`` leaves it where it is: the brackets are those of
    the rotations.

    >>> Vertical("g").anchor
    ((0, -g3, g2), (g3, 0, -g1), (-g2, g1, 0))
    """
    velocities = _rates(rates, 3, "Vertical")
    names = tuple(f"{name}{i}" for i in (1, 2, 3))
    gamma = symbols(names)
    angles = tuple(f"{name}_{letter}" for letter in "abc")
    turned = cardan(angles)
    return _made(
        coordinates=names,
        velocities=velocities,
        anchor=transpose([cross(gamma, unit) for unit in identity(3)]),
        brackets=SO3_BRACKETS,
        relations=(se.Add(*(e**2 for e in gamma)) - 1,),
        home=(0.0, 0.0, 1.0),
        chart=Chart(angles, turned[2], rates_of_rotation(turned, angles, "body"), CENTER, REACH),
        recipe=_recipe("Vertical", "body", name=name, rates=" ".join(velocities)),
    )


def cardan(angles: Sequence[str]) -> Matrix:
    """``R = R_x(a) R_y(b) R_z(c)``."""
    (ca, cb, cc), (sa, sb, sc) = ([f(s) for s in symbols(angles)] for f in (se.cos, se.sin))
    about_x = ((ONE, ZERO, ZERO), (ZERO, ca, -sa), (ZERO, sa, ca))
    about_y = ((cb, ZERO, sb), (ZERO, ONE, ZERO), (-sb, ZERO, cb))
    about_z = ((cc, -sc, ZERO), (sc, cc, ZERO), (ZERO, ZERO, ONE))
    return multiply(multiply(about_x, about_y), about_z)


def half_angles(angles: Sequence[str]) -> tuple[Expr, ...]:
    """The quaternion of the same three turns."""
    halves = [s / 2 for s in symbols(angles)]
    parts = [[se.cos(h), *(se.sin(h) if i == k else ZERO for i in range(3))] for k, h in enumerate(halves)]
    return quaternion_product(quaternion_product(parts[0], parts[1]), parts[2])


def rates_of_rotation(matrix: Matrix, names: Sequence[str], side: str) -> tuple[Expr, ...]:
    """``vee(Rᵀ Ṙ)`` (body) or ``vee(Ṙ Rᵀ)`` (spatial) by differentiating ``R(y)``; anchor and brackets do not enter."""
    moving = tuple(_derivative(row, names) for row in matrix)
    back = transpose(matrix)
    whole = multiply(back, moving) if _checked_side(side, "rotation") == "body" else multiply(moving, back)
    return tuple(tidy(e) for e in vee(whole))


def rotation_matrix(of: Frame | str, name: str | None = None) -> Matrix:
    """The 3 x 3 matrix that takes body components to space, as expressions of the frame's coordinates.

    For a product with several rotations say which by ``name``. A text is the name of a quaternion.

    >>> q0, q1, q2, q3 = symbols(["q0", "q1", "q2", "q3"])
    >>> rotation_matrix("q")[0][1] == 2*q1*q2 - 2*q0*q3
    True
    """
    if isinstance(of, str):
        return _quaternion_matrix(symbols(f"{of}{i}" for i in range(4)))
    turns = [r for r in of.recipe if r["kind"] in ("SO3", "SE3", "Quaternion") and name in (None, r["name"])]
    if len(turns) != 1:
        found = ", ".join(f"{r['kind']}({r['name']!r})" for r in turns) or "none"
        raise ModelError(
            f"rotation_matrix: one rotation is needed, found {found}; give a frame made with SO3, SE3 or Quaternion, "
            "and its name when there are several."
        )
    (turn,) = turns
    if turn["kind"] == "Quaternion":
        return _quaternion_matrix(symbols(f"{turn['name']}{i}" for i in range(4)))
    return _square(symbols(_matrix_names(turn["name"])))


def _quaternion_matrix(q: Sequence[Expr]) -> Matrix:
    conjugate = (q[0], -q[1], -q[2], -q[3])
    images = [quaternion_product(quaternion_product(q, (ZERO, *unit)), conjugate)[1:] for unit in identity(3)]
    return tuple(tuple(expand(e) for e in row) for row in transpose(images))


def _turn(R: Matrix, w: Sequence[Expr], side: str) -> Matrix:
    return multiply(R, hat(w)) if _checked_side(side, "rotation") == "body" else multiply(hat(w), R)


def _orthogonality(R: Matrix) -> tuple[Expr, ...]:
    gram = multiply(transpose(R), R)
    return tuple(gram[i][j] - int(i == j) for i in range(3) for j in range(i, 3))


def _se3_brackets() -> FrozenMap[tuple[int, int, int], Expr]:
    table = dict(SO3_BRACKETS)
    for (i, j, a), e in SO3_BRACKETS.items():
        table[(i, j + 3, a + 3)] = e
        table[(j, i + 3, a + 3)] = -e
    return FrozenMap(table)


def _sided(table: FrozenMap[tuple[int, int, int], Expr], side: str) -> FrozenMap[tuple[int, int, int], Expr]:
    """Right-invariant fields have the opposite brackets."""
    return FrozenMap({key: -e for key, e in table.items()}) if side == "spatial" else table


def _checked_side(side: str, where: str) -> str:
    if side not in ("body", "spatial"):
        raise ModelError(f"{where}: side is {side!r}; give 'body' (left-invariant) or 'spatial' (right-invariant).")
    return side


def _derivative(exprs: Sequence[Expr], names: Sequence[str]) -> tuple[Expr, ...]:
    return along(exprs, dict(zip(symbols(names), symbols(rate(n) for n in names))))


def _rates(rates: Any, size: int, where: str) -> tuple[str, ...]:
    names: tuple[str, ...] = names_of(rates, f"{where} rates")
    if len(names) != size:
        raise ModelError(f"{where}: {len(names)} rates {names}, where {size} are needed; give {size} names.")
    return names


def _matrix_names(name: str) -> tuple[str, ...]:
    return tuple(f"{name}{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3))


def _square(flat: Sequence[Expr]) -> Matrix:
    return tuple(tuple(flat[3 * i : 3 * i + 3]) for i in range(3))


def _flat(matrix: Matrix) -> tuple[Expr, ...]:
    return tuple(e for row in matrix for e in row)


def _made(**parts: Any) -> Frame:
    """A frame whose laws are tested once for all, so that only the user's names are checked."""
    frame = Frame(**parts, checked=True)
    names_of(frame.coordinates, "coordinates")
    check_names(frame)
    return frame


def _recipe(kind: str, side: str, **words: str) -> tuple[FrozenMap[str, Any], ...]:
    given = {"kind": kind, **words}
    return (FrozenMap({**given, "side": side} if side != "body" else given),)
