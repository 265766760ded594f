"""Equations of motion in a frame with multipliers, at states modulo a prime; nothing of nonholo is imported.

    ẋ = ψ v,    d/dt ∂L/∂v_j = c_ij^a (∂L/∂v_a) v_i + u_j[L] + Q_j + λ_b ∂φ_b/∂v_j,    dφ_b/dt = 0

[Hamel 1904; Chetaev 1932].
In plain coordinates ψ is the unit matrix and c = 0. Velocities may also be given by parameters, v = V(x, z).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import sympy

from tests.certificates.residues import Jets, need, rank, read, solve

ZERO = sympy.Integer(0)
Direction = dict[str, int]


class Equations:
    """A system as it stands in a certificate."""

    def __init__(self, system: dict[str, Any]) -> None:
        self.x = [sympy.Symbol(c) for c in system["coordinates"]]
        self.v = [sympy.Symbol(c) for c in system["velocities"]]
        self.z = [sympy.Symbol(c) for c in system["parameters_of_velocity"]]
        self.t = sympy.Symbol(system["time"])
        self.driven = [(sympy.Symbol(n), sympy.Symbol(r)) for n, r in system["inputs"].items()]
        self.anchor = [[read(e) for e in row] for row in system["anchor"]]
        self.brackets = [(i, j, a, read(e)) for i, j, a, e in system["brackets"]]
        self.relations = [read(e) for e in system["relations"]]
        self.holonomic = [read(e) for e in system["holonomic"]]
        self.lagrangian = read(system["lagrangian"])
        self.forces = [read(e) for e in system["forces"]]
        self.constraints = [read(e) for e in system["constraints"]]
        self.angles = system["angles"]
        self.steps = [sympy.Add(*(e * v for e, v in zip(row, self.v))) for row in self.anchor]
        self.y = [*self.v, *self.z]
        self.velocity = [read(e) for e in system["velocity"]]
        self.rows = [*self.constraints, *map(self.rate, self.holonomic)]
        self.rows += [v - e for v, e in zip(self.v, self.velocity)] if self.z else []
        self._dynamics()

    def rate(self, e: Any) -> Any:
        """The part of ``de/dt`` that the velocities do not add to by their own rates."""
        terms = [e.diff(x) * s for x, s in zip(self.x, self.steps)]
        return sympy.Add(*terms, e.diff(self.t), *(e.diff(u) * r for u, r in self.driven))

    def along(self, j: int, e: Any) -> Any:
        """``u_j[e]``."""
        return sympy.Add(*(e.diff(x) * row[j] for x, row in zip(self.x, self.anchor)))

    def _dynamics(self) -> None:
        n = len(self.v)
        p = [self.lagrangian.diff(v) for v in self.v]
        right = [self.along(j, self.lagrangian) + self.forces[j] - self.rate(p[j]) for j in range(n)]
        for i, j, a, c in self.brackets:
            right[j] += c * p[a] * self.v[i]
            right[i] -= c * p[a] * self.v[j]
        metric = [[m.diff(v) for v in self.v] for m in p]
        if self.z:
            need(not self.constraints and not self.holonomic, "parameters of the velocity beside constraints")
            basis = [[e.diff(z) for z in self.z] for e in self.velocity]
            columns = range(len(self.z))
            pulled = [[sympy.Add(*(basis[j][b] * metric[j][k] for j in range(n))) for k in range(n)] for b in columns]
            self.matrix = [[*row, *[ZERO] * len(self.z)] for row in pulled]
            self.right = [sympy.Add(*(basis[j][b] * right[j] for j in range(n))) for b in columns]
            self.matrix += [[*(sympy.Integer(int(k == j)) for k in range(n)), *(-basis[j][b] for b in columns)] for j in range(n)]
            self.right += [self.rate(e) for e in self.velocity]
            return
        slopes = [[r.diff(v) for v in self.v] for r in self.rows]
        self.matrix = [[*metric[j], *(-row[j] for row in slopes)] for j in range(n)]
        self.matrix += [[*row, *[ZERO] * len(slopes)] for row in slopes]
        self.right = [*right, *(-self.rate(r) for r in self.rows)]

    @cached_property
    def timed(self) -> bool:
        """Whether the time stands in the system."""
        return any(e.has(self.t) for e in (self.lagrangian, *self.forces, *self.constraints, *self.holonomic, *self.velocity))

    def lift(self, components: list[Any]) -> list[Any]:
        """``δv_j = v_i u_i[η_j] + c_ik^j v_i η_k``: how the field ``η_k u_k`` moves the velocities."""
        moved = [self.rate(e) for e in components]
        for i, k, j, c in self.brackets:
            moved[j] += c * (self.v[i] * components[k] - self.v[k] * components[i])
        return moved

    def volume(self, kind: str) -> list[Any]:
        """``div u_j`` for the volume of the coordinates, or for that of the forms dual to the frame."""
        if kind == "frame":
            total = [ZERO] * len(self.v)
            for i, k, a, c in self.brackets:
                total[i] -= c if a == k else ZERO
                total[k] += c if a == i else ZERO
            return total
        need(kind == "coordinates", "an unknown volume")
        for j in range(len(self.v)):
            need(all(sympy.expand(self.along(j, r)) == 0 for r in self.relations), "a relation that the frame does not keep")
        return [sympy.Add(*(row[j].diff(x) for row, x in zip(self.anchor, self.x))) for j in range(len(self.v))]


class At:
    """A state: its numbers obey the relations and the constraints, or the certificate is refused."""

    def __init__(self, equations: Equations, state: dict[str, int], p: int, admissible: bool = True) -> None:
        self.eq, self.state, self.p = equations, state, p
        need(all(isinstance(v, int) and 0 <= v < p for v in state.values()), "a number that is no residue")
        self.still = Jets(state, {}, p)
        for name in state:
            if name.startswith("cos("):
                need(f"sin{name[3:]}" in state, f"{name} without its sine")
                need((state[name] ** 2 + state[f"sin{name[3:]}"] ** 2 - 1) % p == 0, f"{name} and its sine")
            if name.startswith("sqrt("):
                need(pow(state[name], 2, p) == self.of(read(name[5:-1])), f"{name} is no root")
        eq = equations
        for e in (*eq.relations, *eq.holonomic, *(eq.rows if admissible else ())):
            need(self.of(e) == 0, f"the constraint {e} does not vanish")
        self.frame()

    def of(self, e: Any) -> int:
        return self.still.of(e)[0]

    @cached_property
    def inner(self) -> list[list[int]]:
        return [[self.of(e) for e in row] for row in self.eq.matrix]

    @cached_property
    def whole(self) -> list[int]:
        """Rates of the velocities, and multipliers."""
        return solve(self.inner, [self.of(e) for e in self.eq.right], self.p)

    @property
    def pull(self) -> list[int]:
        return self.whole[: len(self.eq.y)]

    def place(self, components: list[int]) -> Direction:
        """The direction of a velocity, on the coordinates."""
        return {str(x): sum(self.of(e) * c for e, c in zip(row, components) if c) % self.p
                for x, row in zip(self.eq.x, self.eq.anchor)}  # fmt: skip

    @cached_property
    def motion(self) -> Direction:
        eq = self.eq
        flow = {**self.place([self.of(v) for v in eq.v]), **{str(y): a for y, a in zip(eq.y, self.pull)}, str(eq.t): 1}
        return flow | {str(u): self.state[str(r)] for u, r in eq.driven}

    @cached_property
    def moving(self) -> Jets:
        return Jets(self.state, self.motion, self.p)

    def rate(self, e: Any) -> int:
        return self.moving.of(e)[1]

    def frame(self) -> None:
        """The brackets are those of the fields, and obey Jacobi's identity."""
        eq, p, n = self.eq, self.p, len(self.eq.v)
        table = [[[0] * n for _ in range(n)] for _ in range(n)]
        for i, j, a, c in eq.brackets:
            table[i][j][a] = (table[i][j][a] + self.of(c)) % p
            table[j][i][a] = (table[j][i][a] - self.of(c)) % p
        if not eq.brackets and all(e == int(k == j) for k, row in enumerate(eq.anchor) for j, e in enumerate(row)):
            return
        fields = [Jets(self.state, self.place([int(k == j) for k in range(n)]), p) for j in range(n)]
        for i in range(n):
            for j in range(i):
                for row in eq.anchor:
                    own = fields[i].of(row[j])[1] - fields[j].of(row[i])[1]
                    told = sum(table[i][j][a] * self.of(row[a]) for a in range(n))
                    need((own - told) % p == 0, "brackets that are not the fields'")
        moved = [[[[0] * n for _ in range(n)] for _ in range(n)] for _ in range(n)]
        for k in range(n):
            for i, j, a, c in eq.brackets:
                slope = fields[k].of(c)[1]
                moved[k][i][j][a] += slope
                moved[k][j][i][a] -= slope
        for i in range(n):
            for j in range(i):
                for k in range(j):
                    for l in range(n):
                        total = 0
                        for a, b, c in ((i, j, k), (j, k, i), (k, i, j)):
                            total += sum(table[a][b][m] * table[m][c][l] for m in range(n)) - moved[c][a][b][l]
                        need(total % p == 0, "brackets without Jacobi's identity")

    def change(self, direction: Direction) -> list[int]:
        """Of the rates of the velocities, in a direction of the state."""
        jets = Jets(self.state, direction, self.p)
        eq = self.eq
        carried = [sum(jets.of(e)[1] * u for e, u in zip(row, self.whole) if u) for row in eq.matrix]
        right = [(jets.of(b)[1] - c) % self.p for b, c in zip(eq.right, carried)]
        return solve(self.inner, right, self.p)[: len(eq.y)]

    def lifted(self, components: list[Any]) -> Direction:
        """A field on the states."""
        eq = self.eq
        direction = self.place([self.of(e) for e in components])
        direction |= {str(v): self.of(e) for v, e in zip(eq.v, eq.lift(components))}
        if eq.z:
            jets = Jets(self.state, direction, self.p)
            gap = [(direction[str(v)] - jets.of(e)[1]) % self.p for v, e in zip(eq.v, eq.velocity)]
            turned = solve([[self.of(e.diff(z)) for z in eq.z] for e in eq.velocity], gap, self.p)
            need(not any(turned[len(eq.z) :]), "a field that leaves the admissible velocities")
            direction |= {str(z): e for z, e in zip(eq.z, turned)}
        return direction

    def conditions(self, components: list[Any]) -> list[int]:
        """All zero for a symmetry: changes of the constraints, and of the accelerations beyond those of the field."""
        eq, direction = self.eq, self.lifted(components)
        jets = Jets(self.state, direction, self.p)
        held = [jets.of(e)[1] for e in (*eq.holonomic, *eq.constraints, *map(eq.rate, eq.holonomic))]
        wanted = [self.rate(e) for e in eq.lift(components)]
        return held + [(a - b) % self.p for a, b in zip(self.change(direction), wanted)]

    def following(self, forms: list[Any], place: Direction, speeds: list[int]) -> Direction:
        """The direction in which coordinates and speeds change as told and the velocities as the constraints ask."""
        eq, p = self.eq, self.p
        jets = Jets(self.state, place, p)
        rows = [*forms, *(eq.rows if len(forms) < len(eq.y) else [])]
        need(len(rows) == len(eq.y), "speeds that do not tell the velocities")
        right = [(d - jets.of(e)[1]) % p for e, d in zip(rows, [*speeds, *[0] * len(rows)])]
        inner = solve([[self.of(e.diff(y)) for y in eq.y] for e in rows], right, p)
        return {**place, **{str(y): e for y, e in zip(eq.y, inner)}}

    def ways(self, forms: list[Any]) -> list[Direction]:
        """All directions of the state: along the fields of the frame with the speeds held, and of the speeds."""
        n, m = len(self.eq.v), len(forms)
        places = [self.place([int(i == j) for i in range(n)]) for j in range(n if self.eq.x else 0)]
        found = [self.following(forms, place, [0] * m) for place in places]
        return found + [self.following(forms, {}, [int(i == k) for i in range(m)]) for k in range(m)]

    def speed_rates(self, forms: list[Any], direction: Direction) -> list[int]:
        """How the rates of the speeds change in a direction."""
        eq, p = self.eq, self.p
        pull, jets = self.change(direction), Jets(self.state, direction, p)
        result = []
        for e in forms:
            slopes = [e.diff(y) for y in eq.y]
            total = jets.of(eq.rate(e))[1] + sum(self.of(s) * d for s, d in zip(slopes, pull))
            result.append((total + sum(jets.of(s)[1] * a for s, a in zip(slopes, self.pull))) % p)
        return result

    def divergence(self, forms: list[Any], volume: str) -> int:
        """``u_j[V_j] + V_j div u_j + ∂ż/∂z``."""
        eq, p = self.eq, self.p
        dual = volume == "frame" and bool(eq.x)
        need(not dual or rank([[self.of(e) for e in row] for row in eq.anchor], p) == len(eq.v), "fields without dual forms")
        ways, n = self.ways(forms), len(eq.v) if eq.x else 0
        total = sum(ways[j][str(eq.v[j])] for j in range(n))
        if eq.x:
            total += sum(self.of(v) * self.of(e) for v, e in zip(eq.v, eq.volume(volume)))
        return (total + sum(self.speed_rates(forms, way)[k] for k, way in enumerate(ways[n:]))) % p

    def divergence_of(self, components: list[Any], forms: list[Any], volume: str) -> int:
        """Of a field on the states."""
        eq, p = self.eq, self.p
        ways, n, lift = self.ways(forms), len(eq.v) if eq.x else 0, eq.lift(components)
        total = sum(Jets(self.state, self.place([int(i == j) for i in range(n)]), p).of(components[j])[1] for j in range(n))
        total += sum(self.of(e) * self.of(d) for e, d in zip(components, eq.volume(volume))) if eq.x else 0
        place = dict(zip(map(str, eq.x), (sympy.Add(*(e * c for e, c in zip(row, components))) for row in eq.anchor)))
        for e, way in zip(forms, ways[n:]):
            moved = sympy.Add(*(e.diff(v) * d for v, d in zip(eq.v, lift)), *(e.diff(x) * place[str(x)] for x in eq.x))
            total += Jets(self.state, way, p).of(moved)[1]
        return total % p
