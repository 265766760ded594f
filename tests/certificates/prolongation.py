"""How many momenta there are with coefficients of some variables: jets of the coefficients modulo a prime."""

from __future__ import annotations

from functools import reduce
from itertools import product
from math import comb, prod
from typing import Any

import sympy

from tests.certificates.equations import At, Equations
from tests.certificates.kinds import Formulas, fields_of, proves, several
from tests.certificates.residues import need, rank, read


@proves("linear_momenta")
def _momenta(eq: Equations, states: list[At], formulas: Formulas) -> None:
    """``Σ_k ẋ_a P_k ∂_a f_k + Ṗ_k f_k = 0`` for all speeds: as many solutions as jets obey all derivatives of it.

    The states but for the first two have the same variables; momenta and rates are compared at all of them.
    """
    several(states, 4)
    x, z = ([sympy.Symbol(n) for n in formulas[key]] for key in ("variables", "speeds"))
    own, rates, steps, velocity = ([read(e) for e in formulas[key]] for key in ("momenta", "rates", "steps", "velocity"))
    fields = fields_of(formulas)
    need(set(x) <= set(eq.x) and len(own) == len(rates) == len(fields) == len(z), "another number of momenta")
    need(len(steps) == len(x) and len(velocity) == len(eq.v) and not eq.timed and not eq.z, "speeds that are no velocities")
    need(len(z) == len(eq.v) - rank([[states[0].of(r.diff(v)) for v in eq.v] for r in eq.rows], states[0].p), "too few speeds")
    others = {*eq.x, *eq.y, *z} - set(x)
    written = {s for e in (*own, *rates, *steps, *velocity) for s in e.free_symbols}
    need(not written & (set(eq.y) - set(z)), "momenta of other velocities")
    told = [sympy.Add(*(eq.lagrangian.diff(v) * c for v, c in zip(eq.v, field))) for field in fields]
    for s in states:
        need([s.of(e) for e in velocity] == [s.of(v) for v in eq.v], "other velocities")
        need(all(s.of(f) == s.of(v) for v, f in zip(z, map(read, formulas["speeds"].values()))), "other speeds")
        for field in fields:
            along = [sum(s.of(r.diff(v)) * s.of(c) for v, c in zip(eq.v, field)) % s.p for r in eq.rows]
            need(not any(along), "a field that is not admissible")
        need(rank([[s.of(e.diff(u)) for u in z] for e in own], s.p) == len(z), "momenta that depend on each other")
        need(all(s.of(e) == s.of(e_) for e, e_ in zip(own, told)), "momenta of other fields")
        need(all((s.rate(e) - s.of(r)) % s.p == 0 for e, r in zip(told, rates)), "other rates of the momenta")
        need(all((s.rate(c) - s.of(e)) % s.p == 0 for c, e in zip(x, steps)), "other rates of the coordinates")
    elsewhere, states = states[:2], states[2:]
    shared = sorted(map(str, written | eq.lagrangian.free_symbols - others))
    shared = [n for n in shared if sympy.Symbol(n) not in others]
    need(all(s.state[n] == states[0].state[n] for n in shared for s in states), "states at other values of the variables")
    need(len({tuple(s.state[str(c)] for c in x) for s in (*elsewhere, states[0])}) == 3, "variables at one value alone")
    back = {u: -u for u in z}
    even = all(s.of(e.xreplace(back) + e) == 0 for s in states for e in (*own, *steps))
    even = even and all(s.of(e.xreplace(back) - e) == 0 for s in states for e in rates)
    if not even:  # functions of the variables may join in, and a constant is one
        own, rates = [*own, sympy.Integer(1)], [*rates, sympy.Integer(0)]
    total, order = formulas["count"] + (not even), formulas["order"]
    sizes = [solutions(x, own, rates, steps, states, k) for k in range(max(1, order - 1), order + 1)]
    need(sizes[-1][0] == total, f"{sizes[-1][0]} solutions")
    need(total == 0 or (len(sizes) == 2 and sizes[0] == sizes[1] and sizes[1][1] == 0), "a prolongation that does not close")


def solutions(x: list[Any], own: list[Any], rates: list[Any], steps: list[Any], states: list[At], order: int) -> tuple[int, int]:
    """How many jets of this order obey the derivatives below it, and how many of these vanish but for their highest part."""
    p = states[0].p
    up = [g for g in product(range(order + 1), repeat=len(x)) if sum(g) <= order]
    places = {(k, g): i for i, (g, k) in enumerate(product(up, range(len(own))))}
    table = {(k, a, g): reduce(lambda e, v: e.diff(v[0], v[1]), zip(x, g), steps[a] * e if a >= 0 else r)
             for k, (e, r) in enumerate(zip(own, rates)) for a in range(-1, len(x)) for g in up if sum(g) < order}  # fmt: skip
    rows = []
    for s in states:
        number = {key: s.of(e) for key, e in table.items()}
        for alpha in (g for g in up if sum(g) < order):
            row = [0] * len(places)
            for (k, a, beta), value in number.items():
                rest = [m - n for m, n in zip(alpha, beta)]
                if value and min(rest) >= 0:
                    gamma = tuple(n + (i == a) for i, n in enumerate(rest))
                    row[places[k, gamma]] += prod(map(comb, alpha, beta)) * value
            rows.append([e % p for e in row])
    whole = rank(rows, p)
    need(whole == rank(rows[: 3 * len(rows) // 4], p), "too few states")
    top = [i for (_, g), i in places.items() if sum(g) == order]
    return len(places) - whole, len(top) - rank([[row[i] for i in top] for row in rows], p)
