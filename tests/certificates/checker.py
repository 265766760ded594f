"""A checker of certificates: SymPy reads and differentiates, Python's integers do the rest; nothing of nonholo is imported.

    python -m tests.certificates.checker FILE.json

Every certificate states a system (a frame, a Lagrangian, constraints, forces), a claim in formulas, a prime, and states modulo
it. Checked are the relations between the numbers of a state, the constraints, the brackets of the frame, and the claim itself
with accelerations from Hamel's equations with multipliers.
"""

from __future__ import annotations

import json
import sys
from functools import lru_cache
from typing import Any

import sympy

from tests.certificates import algebras, prolongation, reachability  # noqa: F401  (register their kinds)
from tests.certificates.equations import At, Equations
from tests.certificates.kinds import CHECKS, Formulas, bracket, fields_of, forms_of, proves, several, slope
from tests.certificates.residues import Jets, Wrong, inverse, kernel, need, rank, read

FORMAT = "nonholo certificate 2"
@proves("freedom")
def _freedom(eq: Equations, states: list[At], formulas: Formulas) -> None:
    s = states[0]
    free = len(eq.z) if eq.z else len(eq.v) - rank([[s.of(r.diff(v)) for v in eq.v] for r in eq.rows], s.p)
    need(free == formulas["free"] and len(eq.v) == formulas["velocities"], "another number of free velocities")


@proves("first_integral")
def _integral(eq: Equations, states: list[At], formulas: Formulas) -> None:
    several(states)
    whole = read(formulas["integral"])
    need(not any(whole.has(u) for u, _ in eq.driven), "an input in the integral")
    if whole.free_symbols & {*eq.x, *eq.y, eq.t} or not formulas["number"]:
        need(all(s.rate(whole) == 0 for s in states), "the rate of the integral does not vanish")
    need(formulas["number"] or len({s.of(whole) for s in states}) > 1, "the integral is a number")


@proves("not_first_integral")
def _no_integral(eq: Equations, states: list[At], formulas: Formulas) -> None:
    whole = read(formulas["quantity"])
    need(any(s.rate(whole) for s in states), "the rate of the quantity vanishes")


def same(s: At, field: list[str], components: list[Any]) -> bool:
    """Whether a field on the coordinates has these components in the frame."""
    return s.place([s.of(e) for e in components]) == {str(x): s.of(read(e)) for x, e in zip(s.eq.x, field)}


@proves("symmetries")
def _symmetries(eq: Equations, states: list[At], formulas: Formulas) -> None:
    several(states)
    need(len(formulas["fields"]) == len(formulas["components"]), "fields without components")
    for field, components in zip(formulas["fields"], fields_of(formulas)):
        for s in states:
            need(same(s, field, components), "other components")
        need(not any(any(s.conditions(components)) for s in states), f"{field} is no symmetry")
        need(any(s.of(e) for s in states for e in components), "a field that vanishes")


@proves("no_symmetries")
def _no_symmetries(eq: Equations, states: list[At], formulas: Formulas) -> None:
    """Those combinations that meet the conditions vanish on the configurations: their matrix alone has the rank of both."""
    fields = [[read(e) for e in field] for field in formulas["components"]]
    own = {str(s) for e in eq.relations for s in e.free_symbols}
    free = [x for x in eq.x if str(x) not in own]
    for shift in free:
        need([str(int(x == shift)) for x in eq.x] in formulas["fields"], f"the shift of {shift} is missing")
    for k, a in enumerate(free):
        for b in free[:k]:
            turn = [-a if x == b else b if x == a else sympy.Integer(0) for x in eq.x]
            found = [[read(e) for e in field] for field in formulas["fields"]]
            need(turn in found or [-e for e in turn] in found, f"the turn of {a}, {b} is missing")
    need(len(formulas["fields"]) == len(fields), "fields without components")
    for field, components in zip(formulas["fields"], fields):
        need(same(states[0], field, components), "other components")
    met = [[c for s in states for c in s.conditions(field)] for field in fields]
    values = [[s.of(e) for s in states for e in field] for field in fields]
    p = states[0].p
    need(rank(met, p) == rank([a + b for a, b in zip(met, values)], p), "a combination may be a symmetry")


@proves("measure")
def _measure(eq: Equations, states: list[At], formulas: Formulas) -> None:
    several(states)
    density, forms = read(formulas["density"]), forms_of(formulas)
    for s in states:
        value = s.of(density)
        need(value != 0, "the density vanishes")
        need((s.rate(density) + value * s.divergence(forms, formulas["volume"])) % s.p == 0, "the density is not preserved")


@proves("contraction")
def _contraction(eq: Equations, states: list[At], formulas: Formulas) -> None:
    """``d(ln g)/dt + div = −c`` with a constant c that is not zero, and forces that are periodic in time."""
    several(states)
    density, rate, forms = read(formulas["density"]), read(formulas["rate"]), forms_of(formulas)
    need(not rate.free_symbols & {*eq.x, *eq.y, eq.t} and not density.has(eq.t), "a rate that changes")
    for e in (eq.lagrangian, *eq.forces, *eq.constraints, *eq.holonomic, *eq.velocity):
        waves = [f for f in e.atoms(sympy.sin, sympy.cos) if not f.args[0].diff(eq.t).has(eq.t)]
        bare = e.xreplace(dict.fromkeys(waves, sympy.Integer(0)))
        need(not bare.has(eq.t), "forces that are not periodic in time")
    for s in states:
        balance = s.rate(density) * inverse(s.of(density), s.p) + s.divergence(forms, formulas["volume"]) + s.of(rate)
        need(balance % s.p == 0 and s.of(rate) != 0, "volumes do not change at this rate")


@proves("no_measure_trace")
def _trace(eq: Equations, states: list[At], formulas: Formulas) -> None:
    """States of the family move along symmetries, ``X = c_a Ξ_a``, and ``div X − c_a div Ξ_a`` is not zero."""
    several(states)
    need(not eq.timed, "forces that change with time")
    forms, fields, volume = forms_of(formulas), fields_of(formulas), formulas["volume"]
    need(len(formulas["fields"]) == len(fields), "fields without components")
    for components, field in zip(fields, formulas["fields"]):
        need(not any(any(s.conditions(components)) for s in states), "a field that is no symmetry")
        need(not formulas["compact"] or turns([read(e) for e in field], eq), "a field that does not turn")
    for s in states:
        for e in formulas["family"]:
            need(s.of(read(e)) == 0, f"{e} does not vanish")
        lifts = [s.lifted(f) for f in fields]
        names = [*map(str, eq.x), *map(str, eq.y)]
        flow = [s.motion[n] for n in names]
        weights = weights_of([[lift[n] for lift in lifts] for n in names], flow, s.p) if fields else []
        need(bool(fields) or not any(flow), "a state that moves")
        total = s.divergence(forms, volume) - sum(w * s.divergence_of(f, forms, volume) for w, f in zip(weights, fields))
        need(total % s.p != 0, "the trace vanishes")


def weights_of(columns: list[list[int]], flow: list[int], p: int) -> list[int]:
    """``c`` with ``columns c = flow``."""
    from tests.certificates.residues import solve

    found = solve(columns, flow, p)
    size = len(columns[0])
    need(not any(found[size:]), "a state that does not move along the fields")
    return found[:size]


def turns(field: list[Any], eq: Equations) -> bool:
    """Whether a field shifts angles and turns the other coordinates: its flow is bounded."""
    for e, x in zip(field, eq.x):
        slopes = [e.diff(y) for y in eq.x]
        still = sympy.expand(e - sympy.Add(*(s * y for s, y in zip(slopes, eq.x))))
        if (still != 0 and str(x) not in eq.angles) or any(s.free_symbols & set(eq.x) for s in slopes):
            return False
    return all(sympy.expand(a.diff(y) + b.diff(x)) == 0 for a, x in zip(field, eq.x) for b, y in zip(field, eq.x))


@proves("no_measure_homogeneous")
def _homogeneous(eq: Equations, states: list[At], formulas: Formulas) -> None:
    """Rates quadratic in the speeds alone, whose divergence is not zero."""
    need(not eq.x and not eq.z, "more than an algebra")
    quadratic(eq)
    need(any(s.divergence(forms_of(formulas), "frame") for s in states), "the divergence vanishes")


def quadratic(eq: Equations) -> None:
    """Kinetic energy alone, linear constraints and no forces."""
    scale = sympy.Symbol("scale_")
    larger = {v: scale * v for v in eq.v}
    need(not any(e != 0 for e in eq.forces), "forces")
    need(sympy.expand(eq.lagrangian.xreplace(larger) - scale**2 * eq.lagrangian) == 0, "an energy that is not quadratic")
    need(all(sympy.expand(r.xreplace(larger) - scale * r) == 0 for r in eq.rows), "a constraint that is not linear")


@proves("no_measure_brackets")
def _brackets(eq: Equations, states: list[At], formulas: Formulas) -> None:
    """``X_b[ln f] = −Θ_b`` for the admissible fields and their brackets: two answers for one direction."""
    basis = [[read(e) for e in field] for field in formulas["basis"]]
    values = [read(e) for e in formulas["values"]]
    forms, mass = forms_of(formulas), read(formulas["mass"])
    if formulas["quadratic"]:
        quadratic(eq)
    need(not any(e.has(v) for e in eq.forces for v in eq.v) and not eq.z, "forces that hold velocities")
    need(not eq.timed or not formulas["quadratic"], "a system that changes with time")
    still = {v: sympy.Integer(0) for v in eq.v}
    slopes = [[r.diff(v) for v in eq.v] for r in eq.rows]
    need(not any(e.has(v) for row in slopes for e in row for v in eq.v), "nonlinear constraints")
    need(all(sympy.expand(r.xreplace(still)) == 0 for r in eq.rows), "constraints that are not homogeneous")
    for s in states:
        for field in basis:
            along = [sum(s.of(e) * s.of(b) for e, b in zip(row, field)) % s.p for row in slopes]
            need(not any(along), "a field that is not admissible")
        speeds = [s.of(e) for e in forms]
        own = [sum(s.of(b[j]) * z for b, z in zip(basis, speeds)) % s.p for j in range(len(eq.v))]
        need(own == [s.of(v) for v in eq.v], "fields that do not belong to the speeds")
        momenta = s.divergence(forms, formulas["volume"]) + s.rate(mass) * inverse(s.of(mass), s.p)
        need((momenta - sum(s.of(e) * z for e, z in zip(values, speeds))) % s.p == 0, "other values")
    pairs: list[tuple[list[Any], Any]] = []
    for word in formulas["words"]:
        if isinstance(word, int):
            pairs.append((basis[word], values[word]))
            continue
        (one, a), (two, b) = pairs[word[0]], pairs[word[1]]
        pairs.append((bracket(eq, one, two), slope(eq, one, b) - slope(eq, two, a)))
    s = states[0]
    rows = [[*s.place([s.of(e) for e in field]).values(), s.of(value)] for field, value in pairs]
    need(rank(rows, s.p) > rank([r[:-1] for r in rows], s.p), "the values agree")


@proves("motion_fills_curve")
def _curve(eq: Equations, states: list[At], formulas: Formulas) -> None:
    """The part of the state moves on its own, and independent integrals leave one dimension of it, modulo the symmetries."""
    several(states)
    exprs, forms, fields = [read(e) for e in formulas["integrals"]], forms_of(formulas), fields_of(formulas)
    inside = [k for k, x in enumerate(eq.x) if str(x) in formulas["coordinates"]]
    n = len(eq.v)
    for s in states:
        p = s.p
        need(not any(s.rate(e) for e in exprs), "an integral that is not constant")
        need(not any(any(s.conditions(f)) for f in fields), "a field that is no symmetry")
        changed = [Jets(s.state, s.lifted(f), p).of(e)[1] for f in fields for e in exprs]
        need(not any(changed), "an integral that a symmetry changes")
        held = [[s.of(eq.along(j, h)) for j in range(n)] for h in eq.holonomic]
        anchor = [[s.of(eq.anchor[k][j]) for j in range(n)] for k in inside]
        for way in kernel([*held, *anchor], n, p) if eq.x else []:
            direction = s.following(forms, s.place(way), [0] * len(forms))
            jets = Jets(s.state, direction, p)
            need(not any(jets.of(eq.steps[k])[1] for k in inside), "a coordinate that needs the others")
            need(not any(s.speed_rates(forms, direction)), "a speed that needs the other coordinates")
            need(not any(jets.of(e)[1] for e in exprs), "an integral of the other coordinates")
            for f in fields:
                moved = [jets.of(sympy.Add(*(e * c for e, c in zip(eq.anchor[k], f))))[1] for k in inside]
                lift = dict(zip(eq.v, eq.lift(f)))
                moved += [jets.of(lift[e])[1] for e in forms if e in lift]
                need(not any(moved), "a symmetry that needs the other coordinates")
        size = rank([*held, *anchor], p) - (rank(held, p) if held else 0)
        implicit = len(forms) == len(eq.v) and bool(eq.rows)
        size += len(forms) - (rank([[s.of(r.diff(v)) for v in eq.v] for r in eq.rows], p) if implicit else 0) + int(eq.timed)
        orbits = [[s.lifted(f)[str(eq.x[k])] for k in inside] for f in fields]
        size -= rank(orbits, p) if orbits and inside else 0
        ways = [*s.ways(forms), *([s.following(forms, {str(eq.t): 1}, [0] * len(forms))] if eq.timed else [])]
        jets_of = [Jets(s.state, way, p) for way in ways]
        kept = [[j.of(e)[1] for j in jets_of] for e in (*eq.holonomic, *(eq.rows if implicit else []))]
        slopes = [[j.of(e)[1] for j in jets_of] for e in exprs]
        count = rank([*kept, *slopes], p) - (rank(kept, p) if kept else 0)
        need(size == formulas["dimension"], f"another dimension: {size}")
        need(count >= size - 1, f"{count} independent integrals in {size} dimensions")


@lru_cache(maxsize=8)
def equations(text: str) -> Equations:
    return Equations(json.loads(text))


def check(certificate: dict[str, Any]) -> None:
    """Raise `Wrong` where a certificate does not prove its claim."""
    kind = certificate.get("kind")
    need(certificate.get("format") == FORMAT and kind in CHECKS, "an unknown format or kind")
    p = certificate["prime"]
    need(p > 10**9 and sympy.isprime(p), "the modulus is no large prime")
    eq = equations(json.dumps(certificate["system"], sort_keys=True))
    loose = certificate["formulas"]["unconstrained"] if kind == "field_preserves" else []
    states = [At(eq, s, p, k not in loose) for k, s in enumerate(certificate["states"])]
    need(bool(states), "no states")
    need(len({json.dumps(s.state, sort_keys=True) for s in states}) == len(states), "the same state twice")
    CHECKS[kind](eq, states, certificate["formulas"])


def main(path: str) -> int:
    with open(path, encoding="utf-8") as file:
        entries = json.load(file)
    entries = entries.get("certificates", [entries])
    wrong = 0
    for entry in entries:
        if entry.get("states") is None:
            print(f"not certified: {entry['claim']}")
            continue
        try:
            check(entry)
            print(f"right: {entry['claim']}")
        except Wrong as problem:
            wrong += 1
            print(f"WRONG: {entry['claim']}: {problem}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
