"""A vector equation and the axes of a rotation in rows of text or LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, symbol, symbols
from nonholo.algebra.common_factors import without_common_factors
from nonholo.algebra.expression_types import Expr
from nonholo.derive.display.vector_equations import VectorForm, vector_form
from nonholo.derive.mass_and_force import MassAndForce
from nonholo.model.rotation_axes import Axis, axes_of, matrices, turned_by, with_letters
from nonholo.model.system import System
from nonholo.notation.names import Notation, latex_name
from nonholo.notation.rotation_matrices import Turning
from nonholo.notation.term_order import is_negative
from nonholo.notation.write import to_latex, to_text

Row = tuple[str, str]
"""Left and right side of an equation, the right one without its sign ``=``."""


@dataclass(frozen=True)
class Style:
    """How scalars, vectors and their products are written."""

    scalar: Callable[[Expr], str]
    latex: bool

    def vector(self, name: str) -> str:
        """A letter for a vector; the index of ``e3`` stays outside."""
        if not self.latex:
            return name
        head, index = re.fullmatch(r"(.*?)_?(\d*)", name).groups()  # type: ignore[union-attr]
        stem, _, rest = head.partition("_")
        lower = ",".join(p for p in (rest, index) if p)
        return rf"\boldsymbol{{{latex_name(stem)}}}" + (f"_{{{lower}}}" if lower else "")

    def matrix(self, name: str) -> str:
        """A letter for a matrix."""
        return rf"\mathbf{{{name}}}" if self.latex and len(name) == 1 else latex_name(name) if self.latex else name

    def rate(self, name: str) -> str:
        """The rate of a vector."""
        return rf"\dot{{{self.vector(name)}}}" if self.latex else f"{name}dot"

    def cross(self, one: str, two: str) -> str:
        """The vector product."""
        return rf"{one} \times {two}" if self.latex else f"{one} × {two}"

    def inner(self, one: str, two: str) -> str:
        """The scalar product."""
        return rf"{one} \cdot {two}" if self.latex else f"{one} · {two}"

    def fenced(self, inside: str) -> str:
        """In brackets."""
        return rf"\left({inside}\right)" if self.latex else f"({inside})"

    def applied(self, matrix: str, vector: str) -> str:
        """A matrix applied to a vector."""
        return f"{self.matrix(matrix)} {vector}"

    def times(self, factor: Expr, body: str) -> str:
        """A number times a vector, with its sign in front."""
        if factor == 1:
            return body
        if is_negative(factor):
            return f"{'- ' if self.latex else '-'}{self.times(-factor, body)}"
        text = self.scalar(factor)
        text = self.fenced(text) if isinstance(factor, se.Add) else text
        return rf"{text} \, {body}" if self.latex else f"{text}*{body}"

    def components(self, vector: Sequence[Expr]) -> str:
        """A vector by its components."""
        return self.fenced((r",\; " if self.latex else ", ").join(map(self.scalar, vector)))

    def table(self, rows: Sequence[Sequence[Expr]]) -> str:
        """A matrix by its entries."""
        if all(rows[i][j] == 0 for i in range(3) for j in range(3) if i != j):
            inside = ", ".join(self.scalar(rows[i][i]) for i in range(3))
            return rf"\operatorname{{diag}}\left({inside}\right)" if self.latex else f"diag({inside})"
        if self.latex:
            inside = r" \\ ".join(" & ".join(map(self.scalar, row)) for row in rows)
            return rf"\left(\begin{{matrix}} {inside} \end{{matrix}}\right)"
        return "(" + ", ".join(self.components(row) for row in rows) + ")"

    def sum(self, terms: Sequence[str]) -> str:
        """Terms with their signs between them."""
        first, *rest = terms
        return first + "".join(f" - {t[1:].strip()}" if t.startswith("-") else f" + {t}" for t in rest)


def text_style(spelling: Notation, axes: Sequence[Axis]) -> Style:
    """Plain text in the names of the axes."""
    return Style(lambda e: with_letters(to_text(e, spelling), axes), False)


def latex_style(spelling: Notation) -> Style:
    """LaTeX in a notation that knows the axes."""
    return Style(lambda e: to_latex(e, spelling=spelling), True)


def pair_axes(equations: MassAndForce) -> tuple[Axis, ...]:
    """The axes in whose names the equations are written."""
    return equations.axes or (axes_of(equations.system) if equations.system is not None else ())


def stem(names: Sequence[str]) -> str | None:
    """The letter of names that are its three components: w of w1, w2, w3."""
    found = names[0][:-1] if len(names) == 3 else ""
    return found if found and list(names) == [f"{found}{k}" for k in (1, 2, 3)] else None


def axis_rows(system: System | None, turns: Mapping[str, Turning], met: Sequence[Axis], style: Style) -> list[Row]:
    """What each axis is and, where the matrix is known to turn so, how it turns: ``γ = Rᵀ e₃, γ̇ = γ × w``."""
    rows: list[Row] = []
    for axis in met:
        letter, unit = style.vector(axis.name), style.vector(f"e{axis.number}")
        if style.latex:
            matrix = latex_name(axis.matrix)
            right = rf"{matrix}^{{\top}} {unit}" if axis.row else f"{matrix} {unit}"
        else:
            right = f"({', '.join(axis.entries)})"
        turn = turns.get(axis.matrix)
        if turn is not None and axis.row != turn.in_space:  # rows turn by rates in the body, columns by rates in space
            spin = _spin(system, turn.rates)
            by = style.vector(spin) if spin is not None else style.components(turn.rates)
            left = rf"\dot{{{letter}}}" if style.latex else f"d/dt {letter}"
            right += f"{_gap(style)}{left} = {style.cross(letter, by) if axis.row else style.cross(by, letter)}"
        rows.append((letter, right))
    return rows


def turning_vectors(
    equations: MassAndForce, rates: Mapping[str, Expr], axes: Sequence[Axis], told: Collection[str], style: Style
) -> dict[str, tuple[Row, tuple[str, ...]]]:
    """Three coordinates that rotate as one vector, by their letter: the row that defines it, and their names."""
    found: dict[str, tuple[Row, tuple[str, ...]]] = {}
    triples = [(a.name, a.entries) for a in axes]
    triples += [(n[:-1], tuple(f"{n[:-1]}{k}" for k in (1, 2, 3))) for n in rates if n.endswith("1") and n != "1"]
    for letter, names in triples:
        before = {*told, *(n for _, others in found.values() for n in others)}
        row = None if set(names) & before else poisson(equations.system, names, rates, style.vector(letter), style)
        if row is not None:
            found[letter] = (row, names)
    return found


def _gap(style: Style) -> str:
    return r",\qquad " if style.latex else ",  "


def poisson(
    system: System | None, names: Sequence[str], rates: Mapping[str, Expr], letter: str, style: Style
) -> Row | None:
    """``γ̇ = γ × w`` when the coordinates of these names turn so, else None."""
    found = turned_by(names, rates)
    if found is None:
        return None
    spin = _spin(system, found)
    by = style.vector(spin) if spin is not None else style.components(found)
    left = rf"\dot{{{letter}}}" if style.latex else f"d/dt {letter}"
    return left, style.cross(letter, by)


def _spin(system: System | None, found: Sequence[Expr]) -> str | None:
    """The letter of the body rates, where they are three names of the equations or of the system's frame."""
    own = stem([str(e) for e in found])
    if own is not None or system is None:
        return own
    turns = list(matrices(system.coordinates, system.frame.rates).values())
    return stem([str(e) for e in turns[0].rates]) if len(turns) == 1 else None


def vector_rows(equations: MassAndForce, style: Style) -> list[Row]:
    """The vector equation of a rigid body, its constraints and what its letters mean; nothing where none is proved."""
    form = vector_form(equations)
    if form is None or equations.system is None:
        return []
    system = equations.system
    own = [*equations.state, *map(str, (*equations.parameters, *equations.inputs)), *system.velocities, *system.coordinates]
    return _Writer(form, style, set(own)).rows()


class _Writer:
    """Rows for one vector equation; letters are chosen among those that nothing else has."""

    def __init__(self, form: VectorForm, style: Style, taken: set[str]) -> None:
        self.form, self.style, self.taken = form, style, taken
        self.where: list[Row] = []
        self.spin = self.arm = ""

    def letter(self, *wanted: str) -> str:
        """The first letter that is free."""
        for name in (*wanted, *(f"{wanted[0]}_{k}" for k in range(1, 99))):
            if name not in self.taken and not any(re.fullmatch(rf"{name}_?\d+", t) for t in self.taken):
                break
        self.taken.add(name)
        return name

    def named(self, vector: Sequence[Expr], *wanted: str) -> str:
        """A vector by its letter; one without gets the first free letter and a row that defines it."""
        if list(vector) == list(symbols(self.form.rates)) and self.spin:
            return self.spin
        for axis in self.form.axes:
            if axis.name and list(vector) == list(symbols(axis.entries)):
                return self.style.vector(axis.name)
        own = stem([str(e) for e in vector])
        if own is not None and own not in self.taken and not own[-1].isdigit():
            return self.style.vector(own)
        units = [k for k in range(3) if vector[k] == 1 and all(vector[i] == 0 for i in range(3) if i != k)]
        if units:
            return self.style.vector(f"e{units[0] + 1}")
        name = self.style.vector(self.letter(*wanted))
        self.where.append((name, self.style.components(vector)))
        return name

    def scaled(self, vector: Sequence[Expr], *wanted: str) -> tuple[Expr, str]:
        """The factor that all components share, and the letter of the rest."""
        rest = without_common_factors([*vector, ZERO])[:3]
        factor = next((a / b for a, b in zip(vector, rest) if b != 0), ONE)
        return factor, self.named(rest, *wanted)

    def rows(self) -> list[Row]:
        """The equation, its constraints, then the definitions."""
        form, style = self.form, self.style
        spin = self.spin = self.named(symbols(form.rates), "omega", "Omega")
        diagonal = stem([str(form.inertia[i][i]) for i in range(3)])
        inertia = diagonal if diagonal is not None and diagonal not in self.taken else self.letter("I", "J", "Theta")
        turned = style.applied(inertia, spin)
        meant: list[Row] = []
        if form.arm or form.rotor:
            parts = [turned]
            parts += [self.named(form.rotor, "kappa", "h")] if form.rotor else []
            moving = "K"
            if form.along is not None:
                factor, axis = form.along
                arm = style.vector(axis.name)
                parts.append(style.times(form.mass * factor**2, style.cross(arm, style.fenced(style.cross(spin, arm)))))
            elif form.arm:
                self.arm = self.letter("rho", "s", "sigma")
                arm = style.vector(self.arm)
                parts.append(style.times(form.mass, style.cross(arm, style.fenced(style.cross(spin, arm)))))
                self.where.append((arm, style.components(form.arm)))
            moving = self.letter("K", "M", "L")
            meant = [(style.vector(moving), style.sum(parts))]
            left = style.rate(moving) if style.latex else f"d/dt {moving}"
            terms = [style.cross(style.vector(moving), spin)]
        else:
            left = style.applied(inertia, style.rate(_bare(form.rates)) if stem(form.rates) else self._rate_of(spin))
            terms = [style.cross(style.fenced(turned), spin)]
        terms += self._pushes(spin)
        held: list[Row] = []
        pull = self.letter("lambda", "mu") if form.held else ""
        for k, vector in enumerate(form.held):
            _, name = self.scaled(vector, "a", "n", "b")
            reaction = pull if len(form.held) == 1 else f"{pull}{k + 1}"
            terms.append(f"{latex_name(reaction) if style.latex else reaction}{' ' if style.latex else '*'}{name}")
            held.append((style.inner(name, spin), "0"))
        body = (style.matrix(inertia), style.table(form.inertia))
        return [(left, style.sum(terms)), *held, *meant, body, *self.where]

    def _rate_of(self, spin: str) -> str:
        return rf"\dot{{{spin}}}" if self.style.latex else f"{spin}dot"

    def _pushes(self, spin: str) -> list[str]:
        """The torques, and what the moving contact adds."""
        form, style = self.form, self.style
        terms: list[str] = []
        if form.swept:
            arm = style.vector(self.arm)
            inside = style.fenced(style.cross(spin, arm))
            terms.append(style.times(form.mass, style.cross(self._rate_of(arm), inside)))
        for axis, slope in form.torque:
            gamma = style.vector(axis.name)
            if form.weight is not None:
                terms.append(style.times(form.weight, style.cross(style.vector(self.arm), gamma)))
            elif not any(e.free_symbols & _entries(form.axes) for e in slope):
                factor, name = self.scaled(slope, "c", "d")
                terms.append(style.times(factor, style.cross(gamma, name)))
            else:
                name = self.named(slope, "u", "h") if len(form.torque) > 1 else self._slope(axis, slope)
                terms.append(style.cross(gamma, name))
        if form.applied:
            factor, name = self.scaled(form.applied, "Q", "N")
            terms.append(style.times(factor, name))
        return terms

    def _slope(self, axis: Axis, slope: Sequence[Expr]) -> str:
        """``∂U/∂γ``, and what U is."""
        style = self.style
        name = self.letter("U", "V")
        self.where.append((latex_name(name) if style.latex else name, style.scalar(self.form.potential)))
        gamma = style.vector(axis.name)
        return rf"\frac{{\partial {latex_name(name)}}}{{\partial {gamma}}}" if style.latex else f"d{name}/d{gamma}"


def _bare(rates: Sequence[str]) -> str:
    return str(stem(rates))


def _entries(axes: Sequence[Axis]) -> set[Any]:
    return {symbol(n) for axis in axes for n in axis.entries}
