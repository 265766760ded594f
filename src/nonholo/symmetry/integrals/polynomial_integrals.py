"""Integrals that are polynomials in the velocities: libraries of terms from the smallest up, bounded by counted columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Any

import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, expand, gradient, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot
from nonholo.algebra.prime.random_points import Unsupported
from nonholo.derive.hamel import energy_in_frame, lagrangian_in_frame
from nonholo.symmetry.exact.modular_states import Motion, NoPoints
from nonholo.symmetry.exact.null_space_search import Sought, constants, functionally_independent, proved
from nonholo.symmetry.exact.term_library import active, atoms, linear_parts, products
from nonholo.symmetry.group.coordinate_blocks import angles_of
from nonholo.symmetry.group.library_symmetries import isometries
from nonholo.symmetry.integrals.integral_text import written

COLUMNS = 420
"""Ansätze with more terms than this are not tried."""


@dataclass(frozen=True)
class Polynomial:
    """An integral, polynomial in the velocities, with coefficients that the library holds; proved."""

    expression: Expr
    degree: int
    moving: bool = False
    """Whether it is ``E − ⟨p, Y⟩`` plus functions: a moving energy."""

    @property
    def method(self) -> str:
        """How it was found."""
        if self.moving:
            return "moving energy E − ⟨p, Y⟩, by a null space [Fassò and Sansonetto 2015; García-Naranjo 2020]"
        kind = {0: "function of the configuration", 1: "momentum with simple coefficients", 2: "quadratic integral"}
        return f"{kind.get(self.degree, f'integral of degree {self.degree}')}, by a null space"

    @property
    def noun(self) -> str:
        """What to call it where it is too long to be written out in a line."""
        if self.moving:
            return "a moving energy"
        kind = {0: "a function of the configuration", 1: "a momentum", 2: "a quadratic integral"}
        return kind.get(self.degree, f"an integral of degree {self.degree}")


@dataclass(frozen=True)
class Ansatz:
    """Coefficient functions, parts linear in the velocities, and the powers of these."""

    library: str
    """Of what the coefficients are polynomials."""
    highest: int
    """Of this degree."""
    functions: tuple[Expr, ...]
    parts: tuple[Expr, ...]
    degree: int
    alone: tuple[Expr, ...]
    """Functions of the configuration that may join in."""

    def terms(self) -> tuple[list[Expr], list[tuple[int, ...]]]:
        """Factors, and products of them by number; those with few velocities first."""
        factors = [*self.alone, *self.functions, *self.parts]
        a, b = len(self.alone), len(self.alone) + len(self.functions)
        terms: list[tuple[int, ...]] = [(k,) for k in range(a) if factors[k] != 1]
        degrees = range(1, self.degree + 1) if self.degree % 2 else range(2, self.degree + 1, 2)
        for degree in degrees if self.degree > 1 else (1,):
            for i in range(a, b):
                for chosen in combinations_with_replacement(range(b, len(factors)), degree):
                    terms.append((i, *chosen))
        return factors, sorted(terms, key=len)


def ansaetze(sought: Sought, degree: int, only: Sequence[str] | None = None) -> Iterator[Ansatz]:
    """The libraries for one degree, smallest first; those beyond `COLUMNS` are left out."""
    motion = sought.motion
    moving = active(motion) if only is None else [c for c in motion.equations.coordinates if str(c) in only]
    entries = motion.system.frame.redundant
    plain = atoms(motion, [c for c in moving if str(c) not in entries])
    whole = atoms(motion, moving)
    every = list(dict.fromkeys([*whole, *motion.equations.coordinates]))
    parts = linear_parts(motion)
    own = list(symbols(motion.system.velocities))
    kinds = [("coordinates that occur in the equations", plain), ("these and rotations", whole), ("all coordinates", every)]
    if only is not None:
        kinds = [(", ".join(only), whole)]
    yield from _libraries(kinds, (parts, own) if degree == 1 else (own, _momenta_and(own, parts)), degree, 3)
    more = killing_momenta(motion) if degree == 1 and only is None else []
    if more:
        waves = [f(c) for c in angles_of(motion.system) for f in (se.cos, se.sin)]
        angles = ("angles", list(dict.fromkeys([*whole, *waves])))
        yield from _libraries([*kinds[:1], angles], ([*parts, *more],), degree, 1)


def _libraries(
    kinds: Sequence[tuple[str, list[Expr]]], lists: Sequence[list[Expr]], degree: int, most: int
) -> Iterator[Ansatz]:
    """Coefficients up to the degree ``most`` in each kind of functions, with each list of parts that are linear in velocities."""
    seen: set[tuple[int, ...]] = set()
    for name, functions in kinds:
        for d in range(most + 1):
            chosen = products(functions, d, 10**6) if _size(len(functions), d) < 400 else [ONE] * 401
            alone = products(functions, min(d + degree, 4), 60)
            for linear in lists:
                key = (len(functions), d, len(linear))
                count = len(chosen) * _size(len(linear) - 1, degree) + len(alone)
                if key in seen or count > COLUMNS:
                    continue
                seen.add(key)
                yield Ansatz(
                    name, d, tuple(chosen), tuple(linear), degree, tuple(alone)
                )


def killing_momenta(motion: Motion) -> list[Expr]:
    """``⟨p, ξ⟩`` along the isometries of the kinetic energy, and along the axes of bodies that they turn: alike in all charts."""
    v = symbols(motion.system.velocities)
    slopes = gradient(lagrangian_in_frame(motion.system), v)
    slopes = tuple(a - b for a, b in zip(slopes, substitute(slopes, dict.fromkeys(v, ZERO))))  # without a choice of gauge
    known = isometries(motion)
    fields = dict.fromkeys([*known.fields, *(f for r in known.rotations for f in r.body)])
    return [dot(slopes, field) for field in fields]


def _size(count: int, degree: int) -> int:
    """How many monomials of at most this degree ``count`` variables have."""
    total = 1
    for k in range(degree):
        total = total * (count + k + 1) // (k + 1)
    return total


def _momenta_and(own: Sequence[Any], parts: Sequence[Expr]) -> list[Expr]:
    return [*own, *(e for e in parts if e not in own)]


def exact_energy(sought: Sought) -> Expr:
    """The energy with fractions where the user wrote decimals."""
    return sought.motion.restored(energy_in_frame(sought.motion.system))


def polynomial_integrals(
    sought: Sought,
    degrees: Sequence[int] = (1, 2),
    known: Sequence[Expr] = (),
    only: Sequence[str] | None = None,
) -> tuple[list[Polynomial], list[str]]:
    """Independent integrals beyond the known ones, and the words for what was tried.

    ``only`` names the coordinates that coefficients may depend on.
    """
    found: list[Polynomial] = []
    tried: dict[tuple[int, str], int] = {}
    energy = exact_energy(sought)
    have = list(known)
    for degree in degrees:
        lost = 0
        for ansatz in ansaetze(sought, degree, only):
            factors, terms = ansatz.terms()
            if not any(f.moving for f in found) and not any(e == energy for e in known) and degree == 1:
                factors, terms = [*factors, energy], [*terms, (len(factors),)]
            try:
                new = constants(sought, factors, terms, have, max(2, degree))
            except (NoPoints, Unsupported):
                lost += 1
                continue
            tried[degree, ansatz.library] = ansatz.highest
            for e in new:
                try:
                    # the energy of a free wheel is a function of its momenta, but they are worth more than it
                    before = have if degree > 1 else [h for h in have if not is_quadratic(h, sought)]
                    before = have if is_quadratic(e, sought) else before
                    if functionally_independent(sought, [*before, e])[-1:] != [len(before)]:
                        continue
                except (NoPoints, Unsupported):
                    continue
                moving = degree == 1 and is_quadratic(e, sought)
                better = sought.motion.restored(written(sought.motion.system, e))
                e = better if proved(sought, better) else sought.motion.restored(e)
                found.append(Polynomial(e, 2 if moving else 0 if _still(e, sought) else degree, moving))
                have.append(e)
    words = [f"degree {n} with coefficients of degree {_up_to(d)} in {name}" for (n, name), d in tried.items()]
    return found, words


def _up_to(degree: int) -> str:
    """A degree, or all up to it."""
    return f"0 to {degree}" if degree else "0"


def _still(expr: Expr, sought: Sought) -> bool:
    """Whether an expression holds no velocity."""
    return not expr.free_symbols & set(symbols(sought.motion.system.velocities))


def is_quadratic(expr: Expr, sought: Sought) -> bool:
    """Whether an expression has a part of second degree in the velocities."""
    v = [s for s in symbols(sought.motion.system.velocities) if s in expr.free_symbols]
    still = dict.fromkeys(v, se.Integer(0))
    return any(expand(expr.diff(a).diff(b).xreplace(still)) != 0 for k, a in enumerate(v) for b in v[k:])


__all__ = ["Polynomial", "polynomial_integrals", "replace", "symbol"]
