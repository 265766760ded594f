"""Terms from which first integrals are built: functions of the coordinates, velocities and momenta."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Any

import symengine as se

from nonholo.algebra.calculus import ONE, expand, gradient, symbol, symbols
from nonholo.algebra.calculus import atoms as atoms_of
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot
from nonholo.algebra.prime.random_points import HYPERBOLIC
from nonholo.derive.angle_coordinates import formulas
from nonholo.derive.hamel import lagrangian_in_frame
from nonholo.model.system import TIME, resolve
from nonholo.program.translate import in_order
from nonholo.symmetry.exact.modular_states import Motion


def active(motion: Motion) -> list[Any]:
    """The coordinates in the equations of the speeds, and those in the rates of these coordinates."""
    equations = motion.equations
    known = set(equations.coordinates)
    found = atoms_of((*motion.formulas.mass, *motion.formulas.force), se.Symbol) & known
    steps = dict(zip(equations.coordinates, equations.kinematics))
    while True:
        more = {s for c in found for s in steps[c].free_symbols & known} | found
        if more == found:
            return [c for c in equations.coordinates if c in found]
        found = more


def atoms(motion: Motion, among: Sequence[Any]) -> list[Expr]:
    """The functions in the formulas of the system that contain no coordinates but these."""
    parts = formulas(motion.system)
    inside, still = set(among), set(symbols(motion.system.parameters))
    waves = atoms_of(parts, se.sin, se.cos, se.tan)
    hidden = {f: se.Dummy() for f in (*waves, *atoms_of(parts, *HYPERBOLIC))}
    bare = {s for e in parts for s in e.xreplace(hidden).free_symbols}
    used = {s for e in parts for s in e.free_symbols}
    turning: list[Any] = []
    for f in in_order(waves):
        angle = f.args[0]
        held = [s for s in sorted(angle.free_symbols, key=str) if s in set(motion.equations.coordinates)]
        if held and set(held) <= inside:
            turning += [s for s in held if s not in turning] if expand(angle) == sum(held) or len(held) > 1 else []
            turning += [angle] if angle not in turning else []
    result: list[Expr] = [c for c in among if c in bare or c not in used]
    if any(TIME in s.free_symbols for s in parts):
        known = set(motion.equations.coordinates)
        turning += [f.args[0] for f in in_order(waves) if TIME in f.free_symbols and not f.free_symbols & known]
        turning = list(dict.fromkeys(turning))
        result.append(TIME)
    turning = sorted(in_order(turning), key=lambda a: not a.is_Symbol)
    result += [f(a) for a in turning for f in (se.cos, se.sin)]
    growing = {f.args[0] for f in atoms_of(parts, *HYPERBOLIC)}
    growing = {a for a in growing if a.free_symbols & set(motion.equations.coordinates) and a.free_symbols <= inside | still}
    result += [f for a in in_order(growing) for f in (se.cosh(a), se.sinh(a), 1 / se.cosh(a))]
    moving = set(motion.equations.coordinates)
    powers = atoms_of(parts, se.Pow)
    others = atoms_of(parts, se.log)
    for node in in_order(powers | others):
        around = node.free_symbols & moving
        if not around or not around <= inside or node.free_symbols & set(symbols(motion.system.velocities)):
            continue
        if isinstance(node, se.Pow):
            base, exponent = node.args
            if exponent.is_Number and not exponent.is_Integer:
                result += [se.sqrt(base), 1 / se.sqrt(base)]
            elif not exponent.is_Number or int(exponent) < 0:
                result += [1 / base] if exponent.is_Number else [node]
        else:
            result.append(node)
    return list(dict.fromkeys(result))


def products(functions: Sequence[Expr], degree: int, most: int) -> list[Expr]:
    """All products up to a degree, the lowest first, as many degrees as stay within ``most``; the 1 comes first."""
    result = [ONE]
    for d in range(1, degree + 1):
        more = [se.Mul(*parts) for parts in combinations_with_replacement(functions, d)]
        if len(result) + len(more) > most:
            break
        result += more
    return list(dict.fromkeys(result))


def linear_parts(motion: Motion) -> list[Expr]:
    """Velocities, momenta, and for rotations both also in the other of body and space: linear in the velocities."""
    system = motion.system
    v = symbols(system.velocities)
    lagrangian = lagrangian_in_frame(system)
    momenta = list(gradient(lagrangian, v))
    result: list[Expr] = list(v)
    result += resolve(system, [symbol(n) for n in system.quasivelocities])
    momenta = [p for p in momenta if p.free_symbols & set(v)]
    turned: list[Expr] = []
    for words in system.frame.recipe:
        if words["kind"] != "SO3":
            continue
        name, rates = str(words["name"]), str(words.get("rates", "w1 w2 w3")).split()
        R = [[symbol(f"{name}{i}{j}") for j in (1, 2, 3)] for i in (1, 2, 3)]
        if words.get("side", "body") != "body":
            R = [list(row) for row in zip(*R)]
        own = gradient(lagrangian, symbols(rates))
        turned += [dot(row, symbols(rates)) for row in R]
        turned += [dot(row, own) for row in R]
    return list(dict.fromkeys([*result, *momenta, *turned]))
