"""A checker of certificates: SymPy for derivatives, Python's integers for everything else; nothing of nonholo is imported.

    python tests/certificates/checker.py FILE.json

Every certificate states a system in plain coordinates (Lagrangian, constraints linear in the velocities, holonomic constraints,
forces), a claim in formulas, a prime, and states modulo it. Checked are the relations between the numbers of a state, the
constraints, and the identity with accelerations from Lagrange's equations with multipliers.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

import sympy

KINDS = ("first_integral", "symmetries", "no_symmetries", "measure", "freedom")
FUNCTIONS = ("sin", "cos", "exp", "log", "sqrt", "atan", "Integer", "Rational", "Symbol", "Float", "Pow")
NAMES = {n: getattr(sympy, n) for n in FUNCTIONS}


class Wrong(Exception):
    """The certificate does not prove its claim."""


def need(held: bool, words: str) -> None:
    if not held:
        raise Wrong(words)


def read(text: str) -> Any:
    words = set(re.findall(r"[A-Za-z_]\w*", text)) - set(NAMES)
    return sympy.parse_expr(text, local_dict={n: sympy.Symbol(n) for n in words}, global_dict=dict(NAMES))


def number(e: Any, state: dict[str, int], p: int) -> int:
    if e.is_Rational:
        return int(e.p) * pow(int(e.q), -1, p) % p
    if e.is_Symbol:
        return state[str(e)]
    if e.is_Add:
        return sum(number(a, state, p) for a in e.args) % p
    if e.is_Mul:
        result = 1
        for a in e.args:
            result = result * number(a, state, p) % p
        return result
    if e.is_Pow and e.args[1].is_Rational:
        base, power = e.args
        if power.q == 1:
            return pow(number(base, state, p), int(power), p)
        need(power.q == 2, f"the power {e}")
        root = state[str(sympy.sqrt(base))]
        need(root * root % p == number(base, state, p), f"{sympy.sqrt(base)} is no root")
        return pow(root, int(power.p), p)
    need(isinstance(e, (sympy.sin, sympy.cos, sympy.exp, sympy.log, sympy.atan)), f"the function {e}")
    return state[str(e)]


def solve(matrix: list[list[int]], right: list[int], p: int) -> list[int]:
    rows, n = [[*row, b] for row, b in zip(matrix, right)], len(matrix)
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k] % p), None)
        need(pivot is not None, "a singular state")
        rows[k], rows[pivot] = rows[pivot], rows[k]  # type: ignore[index]
        inverse = pow(rows[k][k], -1, p)
        rows[k] = [e * inverse % p for e in rows[k]]
        for i in range(n):
            if i != k:
                rows[i] = [(a - rows[i][k] * b) % p for a, b in zip(rows[i], rows[k])]
    return [row[n] for row in rows]


def rank(rows: list[list[int]], p: int) -> int:
    rows, found = [list(r) for r in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(found, len(rows)) if rows[i][column] % p), None)
        if pivot is not None:
            rows[found], rows[pivot] = rows[pivot], rows[found]
            inverse = pow(rows[found][column], -1, p)
            for i in range(found + 1, len(rows)):
                factor = rows[i][column] * inverse
                rows[i] = [(a - factor * b) % p for a, b in zip(rows[i], rows[found])]
            found += 1
    return found


class Equations:
    """Lagrange's equations with multipliers, by SymPy's derivatives."""

    def __init__(self, system: dict[str, Any]) -> None:
        self.q = [sympy.Symbol(c) for c in system["coordinates"]]
        self.v = [sympy.Symbol(c) for c in system["velocities"]]
        self.t = sympy.Symbol(system["time"])
        lagrangian = read(system["lagrangian"])
        self.holonomic = [read(e) for e in system["holonomic"]]
        self.rows = [*map(read, system["constraints"]), *map(self.rate, self.holonomic)]
        slopes = [[r.diff(v) for v in self.v] for r in self.rows]
        need(not any(e.has(v) for row in slopes for e in row for v in self.v), "constraints nonlinear in the velocities")
        p = [lagrangian.diff(v) for v in self.v]
        count = len(self.rows)
        self.slopes = slopes
        self.matrix = [[*(m.diff(v) for v in self.v), *(-row[i] for row in slopes)] for i, m in enumerate(p)]
        self.matrix += [[*row, *[sympy.Integer(0)] * count] for row in slopes]
        forces = [read(f) for f in system["forces"]]
        self.right = [lagrangian.diff(q) + f - self.rate(m) for q, f, m in zip(self.q, forces, p)]
        self.right += [-self.rate(r) for r in self.rows]

    def rate(self, e: Any) -> Any:
        return sympy.Add(*(e.diff(q) * v for q, v in zip(self.q, self.v)), e.diff(self.t))


class At:
    """A state: its numbers obey the relations and the constraints, or the certificate is refused."""

    def __init__(self, equations: Equations, state: dict[str, int], p: int) -> None:
        self.equations, self.state, self.p = equations, state, p
        need(all(isinstance(v, int) and 0 <= v < p for v in state.values()), "a number that is no residue")
        for name in state:
            if name.startswith("sin("):
                s, c = state[name], state[f"cos({name[4:]}"]
                need((s * s + c * c - 1) % p == 0, f"{name} and its cosine")
            if name.startswith("sqrt("):
                need(pow(state[name], 2, p) == number(read(name[5:-1]), state, p), f"{name} is no root")
        for e in (*equations.holonomic, *equations.rows):
            need(self.of(e) == 0, f"the constraint {e} does not vanish")
        self.inner = [[self.of(e) for e in row] for row in equations.matrix]
        self.pull = solve(self.inner, [self.of(e) for e in equations.right], p)

    def of(self, e: Any) -> int:
        return number(e, self.state, self.p)

    def slope(self, e: Any, place: list[int], speed: list[int], time: int = 0) -> int:
        names = [*self.equations.q, *self.equations.v, self.equations.t]
        return sum(self.of(e.diff(s)) * d for s, d in zip(names, [*place, *speed, time]) if d) % self.p

    def velocities(self) -> list[int]:
        return [self.of(v) for v in self.equations.v]

    def rate(self, e: Any) -> int:
        return self.slope(e, self.velocities(), self.pull[: len(self.equations.v)], 1)

    def change(self, place: list[int], speed: list[int]) -> list[int]:
        """Of accelerations and multipliers, in a direction of the state."""
        eq = self.equations
        right = [
            self.slope(b, place, speed) - sum(self.slope(e, place, speed) * u for e, u in zip(row, self.pull))
            for row, b in zip(eq.matrix, eq.right)
        ]
        return solve(self.inner, [e % self.p for e in right], self.p)

    def conditions(self, field: list[Any]) -> list[int]:
        """All zero for a symmetry."""
        eq = self.equations
        first = [eq.rate(e) for e in field]
        place, speed = [self.of(e) for e in field], [self.of(e) for e in first]
        change = self.change(place, speed)
        carried = [sum(self.of(x.diff(q)) * a for q, a in zip(eq.q, self.pull)) for x in field]
        wanted = [self.of(eq.rate(e)) + c for e, c in zip(first, carried)]
        held = [self.slope(e, place, speed) for e in (*eq.holonomic, *eq.rows)]
        return held + [(a - b) % self.p for a, b in zip(change, wanted)]

    def following(self, speeds: list[str], place: list[int], moved: int | None) -> list[int]:
        """The change of all velocities when a coordinate or one speed changes, on the constraints."""
        eq = self.equations
        bound = [k for k, v in enumerate(eq.v) if str(v) not in speeds]
        result = [int(k == moved) for k in range(len(eq.v))]
        right = [-self.slope(r, place, result) % self.p for r in eq.rows]
        inner = solve([[self.of(row[k]) for k in bound] for row in eq.slopes], right, self.p)
        for k, value in zip(bound, inner):
            result[k] = value
        return result

    def divergence(self, speeds: list[str]) -> int:
        eq, total = self.equations, 0
        still = [0] * len(eq.q)
        for k in range(len(eq.q)):
            total += self.following(speeds, [int(i == k) for i in range(len(eq.q))], None)[k]
        for k, v in enumerate(eq.v):
            if str(v) in speeds:
                total += self.change(still, self.following(speeds, still, k))[k]
        return total % self.p


def check(certificate: dict[str, Any]) -> None:
    """Raise `Wrong` where a certificate does not prove its claim."""
    need(certificate.get("format") == "nonholo certificate 1" and certificate.get("kind") in KINDS, "an unknown format or kind")
    p, formulas, kind = certificate["prime"], certificate["formulas"], certificate["kind"]
    need(p > 10**9 and sympy.isprime(p), "the modulus is no large prime")
    equations = Equations(certificate["system"])
    states = [At(equations, s, p) for s in certificate["states"]]
    need(bool(states), "no states")
    need(len({json.dumps(s.state, sort_keys=True) for s in states}) == len(states), "the same state twice")
    if kind == "first_integral":
        whole = read(formulas["integral"])
        need(all(s.rate(whole) == 0 for s in states), "the rate of the integral does not vanish")
        need(len(states) > 1 and len({s.of(whole) for s in states}) > 1, "the integral is a number")
    elif kind == "symmetries":
        for field in formulas["fields"]:
            need(not any(any(s.conditions([read(e) for e in field])) for s in states), f"{field} is no symmetry")
            need(any(s.of(read(e)) for s in states for e in field), "a field that vanishes")
    elif kind == "no_symmetries":
        fields = [[read(e) for e in field] for field in formulas["fields"]]
        n = len(equations.q)
        need(len(fields) == n + n * (n - 1) // 2, "not all shifts and turns are there")
        rows = [[c for s in states for c in s.conditions(field)] for field in fields]
        need(rank(rows, p) == len(fields), "a combination may be a symmetry")
    elif kind == "measure":
        density = read(formulas["density"])
        for s in states:
            need((s.rate(density) + s.of(density) * s.divergence(formulas["speeds"])) % p == 0, "the density is not preserved")
            need(s.of(density) != 0, "the density vanishes")
    else:
        slopes = [[states[0].of(e) for e in row] for row in equations.slopes]
        need(len(equations.v) - rank(slopes, p) == formulas["free"], "another number of free velocities")


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
