"""The nine steps of Benenti's method as a worked sheet: ψ, g, Γ, Z̄_i, Z_α, G_αβ, G^αβ, Z^α, A_i; S and Gauss's G."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, along, expand, gradient, jacobian, substitute, symbols, tidy
from nonholo.algebra.expression_types import Expr, Numbers, Symbol
from nonholo.algebra.linear_equations import Matrix, determinant, dot, evaluate_all, transpose
from nonholo.derive.chart_coordinates import in_chart
from nonholo.derive.display.equation_text import acceleration as rate_name
from nonholo.derive.display.equation_text import equations_notation
from nonholo.derive.mass_and_force import MassAndForce
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame import rate
from nonholo.model.system import TIME, System, force_covector, known_parameters, resolve
from nonholo.model.velocities.admissible import Admissible, admissible
from nonholo.notation.latex import to_latex
from nonholo.notation.read import expression
from nonholo.notation.shortening.shorten import shortened
from nonholo.notation.write import to_text

LARGEST_INVERSE = 4
"""``G^αβ`` is written out for so many parameters; beyond, and at numbers always, ``G Z = Z_α`` is solved."""
HALF = se.Rational(1, 2)


@dataclass(frozen=True)
class Step:
    """One step: what is computed, its label in the paper, and the entries with their names."""

    number: int
    title: str
    label: str
    entries: tuple[tuple[str, str, Expr], ...]
    """Name as text, name as LaTeX, expression."""


@dataclass(frozen=True, repr=False)
class NineSteps:
    """The sheet of a system: every quantity of the nine steps as expressions in ``q``, ``z`` and parameters.

    ``Z̄_i = A_i − Γ_hki ψ^h ψ^k − g_ij (∂ψ^j/∂q^h) ψ^h`` holds the term that (17) of the paper lacks.
    """

    equations: MassAndForce
    coordinates: tuple[Symbol, ...]
    speeds: tuple[Symbol, ...]
    velocity: tuple[Expr, ...]
    """ψ^i(q, z)."""
    slopes: Matrix
    """ψ^i_α, row i."""
    metric: Matrix
    christoffel: tuple[Matrix, ...]
    """Γ_hki: one matrix for each i."""
    active: tuple[Expr, ...]
    """A_i(q, ψ): forces, −∂V/∂q^i, and what terms of L linear in the rates add."""
    reduced: tuple[Expr, ...]
    """Z̄_i."""
    projected: tuple[Expr, ...]
    """Z_α = Z̄_i ψ^i_α."""
    gram: Matrix
    """G_αβ = g_ij ψ^i_α ψ^j_β."""
    inverse: Matrix
    """G^αβ; empty where it is too large to be written out."""
    rates: tuple[Expr, ...]
    """Z^α = G^αβ Z_β; empty with the inverse."""
    drift: tuple[Expr, ...]
    """The part of q̈ that does not depend on ż: (∂ψ/∂q) ψ + ∂ψ/∂t."""

    @property
    def speed_rates(self) -> tuple[Symbol, ...]:
        """The symbols of ``ż_α``."""
        return symbols(rate_name(str(s)) for s in self.speeds)

    @property
    def acceleration(self) -> tuple[Expr, ...]:
        """q̈ on the admissible states, in ``ż`` (24)."""
        return tuple(dot(row, self.speed_rates) + d for row, d in zip(self.slopes, self.drift))

    @property
    def acceleration_energy(self) -> Expr:
        """``S_*(q, z, ż)``, the energy of the accelerations without the terms free of ``ż`` (43), corrected.

        Terms of L linear in the rates and explicit time count as forces, as they cannot be distinguished; `from_points` can.
        """
        velocity_terms = [_quadratic(m, self.velocity) + dot(row, self.drift) for m, row in zip(self.christoffel, self.metric)]
        moved = [dot(row, self.speed_rates) for row in self.slopes]
        return HALF * dot([dot(row, moved) for row in self.metric], moved) + dot(velocity_terms, moved)

    @property
    def gauss(self) -> Expr:
        """Gauss's function ``G = ½ g_ij (q̈ − q̈_free)^i (q̈ − q̈_free)^j``: least, over ż, at the actual motion (37).

        For points it is (31) up to a function of the state: the part of their accelerations that the positional
        constraints take up; see `from_points` for (31) itself. It is asked for where the metric can be inverted.
        """
        free = _solved(self.metric, [a - _quadratic(m, self.velocity) for a, m in zip(self.active, self.christoffel)])
        gap = [a - f for a, f in zip(self.acceleration, free)]
        return HALF * dot([dot(row, gap) for row in self.metric], gap)

    def from_points(self, masses: Sequence[Any], positions: Sequence[Any], forces: Sequence[Any] = ()) -> tuple[Expr, Expr]:
        """``S = ½ Σ m a²`` and ``G = ½ Σ m (a − A/m)²`` of material points, as (40) and (31) define them.

        The points are written as for `nonholo.particles`, in the coordinates and parameters of the system.
        """
        where, q = f"{self.equations.name}: points", tuple(map(str, self.coordinates))
        bare = symbols(rate(c) for c in q)
        known = (*q, *map(str, bare), *map(str, self.equations.parameters), *map(str, self.equations.inputs), "t")
        flow = {**dict(zip(self.coordinates, bare)), TIME: ONE}
        unknown = symbols(f"_{c}_acceleration" for c in q)
        on_shell = {**dict(zip(unknown, self.acceleration)), **dict(zip(bare, self.velocity))}
        pushes = list(forces) or [None] * len(masses)
        sizes = {len(masses), len(positions), len(pushes)}
        if len(sizes) > 1 or any(f is not None and len(f) != len(r) for f, r in zip(pushes, positions)):
            raise ModelError(f"{where}: give one position and one force (or None) for each mass, of as many components.")
        energy = gauss = ZERO
        for mass, place, push in zip(masses, positions, pushes):
            weight = expression(mass, known, where)
            moving = along([expression(e, known, where) for e in place], flow)
            second = substitute(along(moving, {**flow, **dict(zip(bare, unknown))}), on_shell)
            force = substitute([expression(e, known, where) for e in push or [0] * len(place)], on_shell)
            gap = [a - f / weight for a, f in zip(second, force)]
            energy += HALF * weight * dot(second, second)
            gauss += HALF * weight * dot(gap, gap)
        return energy, gauss

    def sheet(self) -> tuple[Step, ...]:
        """The steps in the paper's order, with the equations of motion at the end."""
        q, z = [str(c) for c in self.coordinates], [str(s) for s in self.speeds]
        n, m = range(len(q)), range(len(z))
        symbol_of = {**{c: to_latex(s) for c, s in zip(q, self.coordinates)}, **{c: to_latex(s) for c, s in zip(z, self.speeds)}}

        def lower(letter: str, *names: str) -> tuple[str, str]:
            return f"{letter}[{', '.join(names)}]", f"{_LATEX.get(letter, letter)}_{{{' '.join(symbol_of[x] for x in names)}}}"

        def upper(letter: str, *names: str) -> tuple[str, str]:
            return f"{letter}^[{', '.join(names)}]", f"{_LATEX.get(letter, letter)}^{{{' '.join(symbol_of[x] for x in names)}}}"

        steps = [
            Step(1, "constraints in parametric form, q̇ = ψ(q, z), and the matrix ψ^i_α", "(4), (5)", (
                *((*upper("ψ", q[i]), self.velocity[i]) for i in n),
                *((f"ψ^[{q[i]}]_[{z[a]}]", rf"\psi^{{{symbol_of[q[i]]}}}_{{{symbol_of[z[a]]}}}", self.slopes[i][a])
                  for i in n for a in m if self.slopes[i][a] != ZERO))),
            Step(2, "metric of the kinetic energy and Christoffel symbols Γ_hki that do not vanish", "(13), (14)", (
                *((*lower("g", q[i], q[j]), self.metric[i][j]) for i in n for j in n if j >= i and self.metric[i][j] != ZERO),
                *((*lower("Γ", q[h], q[k], q[i]), self.christoffel[i][h][k])
                  for i in n for h in n for k in n if k >= h and self.christoffel[i][h][k] != ZERO))),
            Step(4, "Z̄_i = A_i − Γ_hki ψ^h ψ^k − g_ij (∂ψ^j/∂q^h) ψ^h", "(17), corrected",
                 tuple((*lower("Z̄", q[i]), self.reduced[i]) for i in n)),
            Step(5, "Z_α = Z̄_i ψ^i_α", "(18)", tuple((*lower("Z", z[a]), self.projected[a]) for a in m)),
            Step(6, "G_αβ = g_ij ψ^i_α ψ^j_β", "(19)",
                 tuple((*lower("G", z[a], z[b]), self.gram[a][b]) for a in m for b in m if b >= a)),
            Step(7, "the inverse matrix G^αβ", "(20)",
                 tuple((*upper("G", z[a], z[b]), self.inverse[a][b]) for a in m for b in m if b >= a) if self.inverse else ()),
            Step(8, "Z^α = G^αβ Z_β", "(21), (23)",
                 tuple((f"{rate_name(z[a])}", rf"\dot{{{symbol_of[z[a]]}}}", self.rates[a]) for a in m) if self.rates else ()),
            Step(9, "active forces A_i on the admissible states", "(15), (22)",
                 tuple((*lower("A", q[i]), self.active[i]) for i in n)),
        ]  # fmt: skip
        lagrange = Step(3, "Lagrange's equations solved for their accelerations, g_ij q̈^j = A_i − Γ_hki q̇^h q̇^k", "(16)", tuple(
            (f"g[{q[i]}, j]*qddot[j]", rf"g_{{{symbol_of[q[i]]} j}} \ddot q^j",
             self.active_at_rates[i] - _quadratic(self.christoffel[i], symbols(rate(c) for c in q)))
            for i in n))  # fmt: skip
        return (*steps[:2], lagrange, *steps[2:])

    active_at_rates: tuple[Expr, ...] = ()
    """A_i(q, q̇), before the constraints are put in."""

    def __str__(self) -> str:
        spelling = equations_notation(self.equations)
        lines = [f"{self.equations.name}: the nine steps"]
        for step in self.sheet():
            lines += ["", f"  {step.number}. {step.title}  {step.label}"]
            short, _ = shortened([e for _, _, e in step.entries], 0.4, spelling)
            lines += [f"     {name} = {to_text(e, spelling)}" for (name, _, _), e in zip(step.entries, short)]
            if not step.entries:
                lines.append("     solved at numbers: too many parameters to be written out")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<the nine steps of {self.equations.name} in {', '.join(map(str, self.speeds))}; print them to read them>"

    def latex(self) -> str:
        """The sheet as LaTeX: one ``aligned`` block for each step, under its heading."""
        spelling = equations_notation(self.equations)
        blocks = []
        for step in self.sheet():
            short, _ = shortened([e for _, _, e in step.entries], 0.4, spelling)
            rows = [f"{name} &= {to_latex(e, spelling=spelling)}" for (_, name, _), e in zip(step.entries, short)]
            inner = " \\\\\n".join(rows) or r"\text{solved at numbers}"
            blocks.append(f"% step {step.number}: {step.title} {step.label}\n\\begin{{aligned}}\n{inner}\n\\end{{aligned}}")
        return "\n\n".join(blocks)

    def _repr_latex_(self) -> str:
        return "\n".join(rf"$\displaystyle {block}$" for block in self.latex().split("\n\n"))

    def values(self, state: Mapping[str, float], parameters: Mapping[str, float] | None = None) -> dict[str, Numbers]:
        """Every quantity of the sheet as numbers at a state: ``psi, g, Gamma, A, Zbar, Z, G, inverse, rates, S, gauss``.

        ``S`` and ``gauss`` are taken at the actual ``ż``; rates of the speeds in ``state`` (``omegadot``) are taken instead.
        """
        here = {"t": 0.0, **_own(self.equations), **{str(k): float(v) for k, v in {**dict(parameters or {}), **state}.items()}}
        needed = {str(s) for s in (*self.coordinates, *self.speeds, *self.equations.parameters, *self.equations.inputs)}
        missing = sorted(needed - here.keys())
        if missing:
            raise ModelError(f"{self.equations.name}: nine steps at a state: no value for {', '.join(missing)}.")

        def array(rows: Any) -> Numbers:
            flat = np.array(rows, dtype=object)
            return evaluate_all(list(flat.ravel()), [here])[0].reshape(flat.shape)

        found = {"psi": array(self.velocity), "slopes": array(self.slopes), "g": array(self.metric), "A": array(self.active)}
        found |= {"Gamma": array(self.christoffel), "Zbar": array(self.reduced)}
        found |= {"Z": array(self.projected), "G": array(self.gram)}
        found["inverse"] = np.linalg.inv(found["G"]).astype(float)
        found["rates"] = found["inverse"] @ found["Z"]
        for name, value in zip(map(str, self.speed_rates), found["rates"]):
            here.setdefault(name, float(value))
        found["S"] = array([self.acceleration_energy])[0]
        found["gauss"] = array([self.gauss])[0]
        return found


_LATEX = {"ψ": r"\psi", "Γ": r"\Gamma", "Z̄": r"\bar Z"}


def _own(equations: MassAndForce) -> dict[str, float]:
    return known_parameters(equations.system) if equations.system is not None else {}


def _quadratic(matrix: Matrix, v: Sequence[Expr]) -> Expr:
    return dot([dot(row, v) for row in matrix], v)


def _solved(matrix: Matrix, side: Sequence[Expr]) -> list[Expr]:
    whole = determinant(matrix)
    if tidy(whole) == ZERO:
        raise ModelError("Gauss's function needs a metric that can be inverted; some coordinate has no inertia.")
    size = len(side)
    return [
        determinant(tuple(tuple(side[r] if c == k else matrix[r][c] for c in range(size)) for r in range(size))) / whole
        for k in range(size)
    ]


def nine_steps(equations: MassAndForce) -> NineSteps:
    """The sheet of Gibbs–Appell equations in parametric speeds; nonlinear residuals must be made parametric first."""
    if equations.origin != "gibbs_appell" or equations.system is None:
        raise ModelError(f"{equations.name}: the nine steps belong to the Gibbs–Appell form; ask nh.gibbs_appell(s).steps.")
    plain = in_chart(equations.system)
    allowed = admissible(plain)
    if not allowed.explicit:
        raise ModelError(
            f"{equations.name}: the nine steps start from parametric velocities q̇ = ψ(q, z); these constraints are nonlinear "
            "residuals. nh.forms.parametric(s, …) makes them parametric."
        )
    return _sheet(equations, plain, allowed)


def _sheet(equations: MassAndForce, system: System, allowed: Admissible) -> NineSteps:
    q, v = symbols(system.coordinates), symbols(system.velocities)
    (lagrangian,) = resolve(system, [system.lagrangian], f"{system.name}: lagrangian")
    metric = tuple(tuple(tidy(expand(e)) for e in row) for row in jacobian(gradient(lagrangian, v), v))
    if any(e.free_symbols & set(v) for row in metric for e in row):
        raise ModelError(f"{system.name}: the kinetic energy is not quadratic in the rates; nine steps need a metric g_ij(q).")
    size = range(len(q))
    slope = [[gradient(metric[i][j], q) for j in size] for i in size]
    christoffel = tuple(
        tuple(tuple(tidy(HALF * (slope[j][k][i] + slope[i][k][j] - slope[i][j][k])) for j in size) for i in size) for k in size
    )
    rest = dict.fromkeys(v, ZERO)
    linear = substitute(gradient(lagrangian, v), rest)
    (height,) = substitute([lagrangian], rest)
    applied = force_covector(system)
    moving = [sum((metric[k][j].diff(TIME) * v[j] for j in size), ZERO) for k in size]
    curl = [dot([linear[k].diff(q[j]) - linear[j].diff(q[k]) for j in size], v) for k in size]
    active = tuple(applied[k] + height.diff(q[k]) - curl[k] - linear[k].diff(TIME) - moving[k] for k in size)
    psi, basis = allowed.velocity, allowed.basis
    on_shell = dict(zip(v, psi))
    drift = along(psi, {**dict(zip(q, psi)), TIME: ONE})
    forces = substitute(active, on_shell)
    reduced = tuple(
        a - _quadratic(christoffel[k], psi) - dot(metric[k], drift) for k, a in enumerate(forces)
    )
    columns = transpose(basis)
    projected = tuple(tidy(dot(reduced, w)) for w in columns)
    gram = tuple(tuple(tidy(dot([dot(row, one) for row in metric], two)) for one in columns) for two in columns)
    inverse: Matrix = ()
    rates: tuple[Expr, ...] = ()
    if len(columns) <= LARGEST_INVERSE:
        unit = [[ONE if a == b else ZERO for a in range(len(columns))] for b in range(len(columns))]
        inverse = transpose(tuple(tuple(_solved(gram, column)) for column in unit))
        rates = tuple(dot(row, projected) for row in inverse)
    return NineSteps(
        equations, q, allowed.speeds, psi, basis, metric, christoffel, forces, reduced, projected, gram, inverse, rates, drift,
        active,
    )  # fmt: skip
