"""Weak and strong Hamel equations of a Lagrangian density: Ψ, its bracket, the dual bracket. [Zenkov 2016 §3–4]"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nonholo.algebra.calculus import ZERO, expand, gradient, symbols, tidy
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import Matrix, determinant, dot, transpose
from nonholo.errors import ModelError
from nonholo.fields.density.jets import Jets, directional_derivative, jet
from nonholo.notation.latex import to_latex
from nonholo.notation.shortening.shorten import neat
from nonholo.notation.write import to_text

TEST = "eta_"
"""Components of a test function are named after those of the velocity."""


@dataclass(frozen=True, repr=False)
class DensityEquations:
    """``d/dt δl/δξ = [ξ, δl/δξ]* + Ψ* δl/δq + Q`` (3.11), every part as an expression in the jets of ``q`` and ``ξ``.

    The weak form (3.10) is ``∫ ⟨density(η)⟩ ds = 0`` for all test functions η, with its part that has no time derivative in
    ``weak``; ``natural`` are the end conditions that belong to components whose ends are free.
    """

    unknowns: tuple[str, ...]
    components: tuple[str, ...]
    velocity: Mapping[str, Expr]
    """q̇ = Ψ_q ξ by unknown."""
    momentum: tuple[Expr, ...]
    """δl/δξ by component."""
    slope: tuple[Expr, ...]
    """δl/δq by unknown."""
    bracket: tuple[Expr, ...]
    """[ξ, η]_q by component (3.2)."""
    dual_bracket: tuple[Expr, ...]
    """[ξ, δl/δξ]*_q by component."""
    force: tuple[Expr, ...]
    """The right-hand side of (3.11)."""
    weak: Expr
    """``⟨δl/δq, Ψη⟩ + ⟨δl/δξ, [ξ, η]⟩ + ⟨Q, η⟩`` as a density in the jets of η, before any integration by parts."""
    natural: tuple[Expr, ...]
    """What must vanish at a free end, by component: the coefficient of η there."""
    constraints: tuple[Expr, ...] = ()
    """Velocity constraints, to which (4.4) belongs: the equations hold along W^D alone, or with reactions."""
    holonomic: tuple[Expr, ...] = ()

    def __str__(self) -> str:
        lines = [f"  d/dt {u} = {to_text(self.velocity[u])}" for u in self.unknowns]
        lines += [
            f"  d/dt ({to_text(m)}) = {to_text(f)}" + self._reactions(k)
            for k, (m, f) in enumerate(zip(self.momentum, self.force))
        ]
        lines += [f"  0 = {to_text(c)}" for c in (*self.constraints, *self.holonomic)]
        lines += [f"  at a free end: 0 = {to_text(e)}" for e in self.natural if e != ZERO]
        return "\n".join(["Hamel's equations", "", *lines])

    def _reactions(self, k: int) -> str:
        return f" + reaction[{self.components[k]}]" if self.constraints or self.holonomic else ""

    def __repr__(self) -> str:
        return f"<Hamel's equations of a field in {', '.join((*self.unknowns, *self.components))}; print them to read them>"

    def latex(self) -> str:
        """The strong equations as a LaTeX ``aligned`` block."""
        rows = [rf"\dot{{{to_latex(jet(u, 0))}}} &= {to_latex(self.velocity[u])}" for u in self.unknowns]
        rows += [
            rf"\frac{{d}}{{dt}}\left({to_latex(m)}\right) &= {to_latex(f)}" + (r" + R" if self._reactions(k) else "")
            for k, (m, f) in enumerate(zip(self.momentum, self.force))
        ]
        rows += [f"{to_latex(c)} &= 0" for c in (*self.constraints, *self.holonomic)]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"

    def _repr_latex_(self) -> str:
        return rf"$\displaystyle {self.latex()}$"


def derived(
    unknowns: Sequence[str],
    components: Sequence[str],
    velocity: Mapping[str, Expr],
    density: Expr,
    forces: Mapping[str, Expr],
    constraints: Sequence[Expr] = (),
    holonomic: Sequence[Expr] = (),
) -> DensityEquations:
    """The equations of a density ``ℓ(q, q_s, q_ss, ξ, ξ_s, s, t)`` with ``q̇ = Ψ ξ`` and forces by unknown or component.

    >>> wave = derived(["u"], ["udot"], {"u": jet("udot", 0)}, jet("udot", 0) ** 2 / 2 - jet("u", 1) ** 2 / 2, {})
    >>> wave.force, wave.natural
    ((u_ss,), (-u_s,))
    """
    tests = [f"{TEST}{c}" for c in components]
    jets = Jets((*unknowns, *components, *tests))
    psi = psi_matrix(unknowns, components, velocity)
    moved = {u: dot(psi[k], symbols(tests)) for k, u in enumerate(unknowns)}
    flow = {u: dot(psi[k], symbols(components)) for k, u in enumerate(unknowns)}
    twist = [
        sum((directional_derivative(psi[k][b], jets, flow) * jet(tests[b], 0) for b in range(len(components))), ZERO)
        - sum((directional_derivative(psi[k][b], jets, moved) * jet(components[b], 0) for b in range(len(components))), ZERO)
        for k in range(len(unknowns))
    ]
    bracket = tuple(neat(e) for e in solved(psi, twist))
    momentum = tuple(neat(jets.euler(density, c)) for c in components)
    slope = tuple(jets.euler(density, u) for u in unknowns)
    paired = dot(momentum, bracket)
    dual = tuple(neat(jets.euler(paired, t)) for t in tests)
    pushed = [forces.get(u, ZERO) for u in unknowns]
    carried = [dot(column, [a + b for a, b in zip(slope, pushed)]) for column in transpose(psi)]
    force = tuple(neat(d + c + forces.get(name, ZERO)) for d, c, name in zip(dual, carried, components))
    varied = directional_derivative(density, jets, moved) + sum(
        (density.diff(jet(c, k)) * jets.total(bracket[b], k) for b, c in enumerate(components)
         for k in range(jets.order([density], c) + 1)), ZERO
    )  # fmt: skip
    work = dot(pushed, [moved[u] for u in unknowns]) + sum(
        (forces.get(c, ZERO) * jet(t, 0) for c, t in zip(components, tests)), ZERO
    )
    weak = varied + work
    natural = []
    for test in tests:
        ends = jets.end_terms(weak, test)
        natural.append(neat(ends[0]) if ends else ZERO)
    return DensityEquations(
        tuple(unknowns), tuple(components), dict(flow), momentum, slope, bracket, dual, force, weak, tuple(natural),
        tuple(constraints), tuple(holonomic),
    )  # fmt: skip


def psi_matrix(unknowns: Sequence[str], components: Sequence[str], velocity: Mapping[str, Expr]) -> Matrix:
    """Ψ by rows, one for each unknown; refused unless it is linear in ξ, pointwise and square."""
    xi = symbols(components)
    rows = []
    for u in unknowns:
        row = gradient(velocity[u], xi)
        jets = Jets(tuple(components))
        if any(jets.order(row, c) >= 0 for c in components) or expand(velocity[u] - dot(row, xi)) != ZERO:
            raise ModelError(
                f"field: the velocity of {u} ({velocity[u]}) is not linear in {', '.join(components)} at each place."
            )
        rows.append(row)
    if len(unknowns) != len(components):
        raise ModelError(
            f"field: {len(components)} velocity components for {len(unknowns)} unknowns; Ψ must be invertible: give as many."
        )
    if tidy(determinant(rows)) == ZERO:
        raise ModelError("field: the velocity map Ψ cannot be inverted; its determinant is 0.")
    return tuple(tuple(r) for r in rows)


def solved(matrix: Matrix, side: Sequence[Expr]) -> list[Expr]:
    """The solution of a small linear system by Cramer's rule."""
    whole, size = tidy(determinant(matrix)), range(len(side))
    return [
        determinant(tuple(tuple(side[r] if c == k else matrix[r][c] for c in size) for r in size)) / whole for k in size
    ]
