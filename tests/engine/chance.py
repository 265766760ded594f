"""Random Lagrangian systems: what is cyclic, forced or constrained is known because it was put in."""

from __future__ import annotations

from random import Random

import symengine as se

from tests.engine.record import Expr, Known, rate_of

NUMBERS = [se.Rational(n, d) for n in (-3, -2, -1, 1, 2, 3) for d in (1, 2, 3, 5)]


def _function(chance: Random, of: list[Expr]) -> Expr:
    """A random smooth function of some coordinates."""
    if not of:
        return se.Integer(0)
    parts = []
    for _ in range(chance.randint(1, 2)):
        x, y = chance.choice(of), chance.choice(of)
        parts.append(
            chance.choice(NUMBERS) * chance.choice([x * y, x, se.sin(x), se.cos(y), x * se.cos(y), x**2, x**3])
        )
    return se.Add(*parts)


def lagrangian(chance: Random) -> Known:
    """Two or three coordinates, some of them cyclic; a metric ``1 + (positive)``, a potential, perhaps a magnetic term."""
    names = chance.sample(["x", "y", "z", "u", "w"], chance.randint(2, 3))
    q, v = [se.Symbol(c) for c in names], [se.Symbol(f"{c}dot") for c in names]
    active = q[: chance.randint(1, len(q))]
    kinetic = se.Add(*((1 + _function(chance, active) ** 2 * chance.choice([0, 1])) * r**2 for r in v)) / 2
    if chance.random() < 0.5:
        kinetic += (v[0] + _function(chance, active) * v[-1]) ** 2 / 2
    potential = _function(chance, active)
    magnetic = _function(chance, active) * v[-1] if chance.random() < 0.3 else se.Integer(0)
    whole = kinetic - potential + magnetic
    cyclic = [k for k, s in enumerate(q) if s not in whole.free_symbols]
    momenta = [whole.diff(r) for r in v]
    energy = se.Add(*(p * r for p, r in zip(momenta, v))) - whole
    fields = tuple(tuple(se.Integer(int(i == k)) for i in range(len(q))) for k in cyclic)
    one = Known(
        "chance",
        tuple(names),
        whole,
        symmetries=fields,
        integrals=(energy, *(momenta[k] for k in cyclic)),
        measure="holds",
    )
    return _unsettled(chance, one) if chance.random() < 0.5 else one


def _unsettled(chance: Random, one: Known) -> Known:
    """With a force, or a constraint linear in the velocities: then less is known."""
    from dataclasses import replace

    q, v = one.q, one.v
    held = [s for s in q if s in one.lagrangian.free_symbols]
    fields = one.symmetries
    if (
        chance.random() < 0.4
    ):  # dissipation: the flow contracts where it rests, so no density of the configuration is preserved
        forces = (
            {one.coordinates[0]: -chance.choice([se.Integer(1), se.Rational(1, 3), 1 + held[0] ** 2]) * v[0]}
            if held
            else {}
        )
        if forces:
            cyclic = one.integrals[1:] if not _reached(one, forces) else ()
            return replace(one, name="chance, damped", forces=forces, measure="fails", integrals=tuple(cyclic))
        return one
    row = v[-1] - _function(chance, held) * v[0] - (_function(chance, held) * v[1] if len(v) > 2 else 0)
    if chance.random() < 0.2:  # affine: the energy need not be kept
        return replace(
            one,
            name="chance, affine",
            constraints=(row - chance.choice(NUMBERS),),
            symmetries=fields,
            integrals=(),
            measure="",
        )
    return replace(
        one, name="chance, constrained", constraints=(row,), symmetries=fields, integrals=one.integrals[:1], measure=""
    )


def _reached(one: Known, forces: dict[str, Expr]) -> bool:
    """Whether the force acts on a cyclic coordinate, whose momentum is then no integral."""
    places = {one.coordinates.index(c) for c in forces}
    return any(field[k] != 0 for field in one.symmetries for k in places)


__all__ = ["NUMBERS", "lagrangian", "rate_of"]
