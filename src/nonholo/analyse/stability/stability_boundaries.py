"""Boundaries of stability in closed form: the characteristic polynomial of a steady motion, and Routh and Hurwitz's conditions.

``det(λ E − J) = 0`` with ``E = diag(1, M)`` and J the slopes of ``(K, F − M ż)``, seen from the moving group: no mass matrix is
inverted. Parameters and the family's free variables stay symbols; work is counted, and what exceeds the budget is reported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import symengine as se

from nonholo.algebra.budget import within
from nonholo.algebra.calculus import ZERO, jacobian, symbol, symbols
from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.subspaces import span
from nonholo.analyse.flow.state_flow import Flow, flow_of
from nonholo.analyse.steady.equilibrium_record import Equilibrium
from nonholo.analyse.steady.steady_equations import Steady
from nonholo.analyse.steady.steady_families import free_variables, goes_on, tangents
from nonholo.analyse.steady.steady_zeros import steady_at_home
from nonholo.errors import StateError
from nonholo.finding import Lasting
from nonholo.finding.sentences import lasting_words
from nonholo.finding.statements import ALWAYS
from nonholo.model.lasting_contacts import lasting
from nonholo.model.system import System

if TYPE_CHECKING:
    import sympy

WORK = 60.0
"""Units of work after which closed forms are given up."""
EXACT = 1e-9


@dataclass(frozen=True, eq=False)
class Boundaries:
    """Conditions of stability in closed form. Made by `boundaries`.

    >>> import nonholo as nh
    >>> words = "R**2*(qdot**2 + Omega**2*sin(q)**2)/2 + g*R*cos(q)"
    >>> hoop = nh.System(coordinates="q", lagrangian=words, parameters={"Omega": 1, "R": 2, "g": 9.81})
    >>> print(nh.boundaries(hoop, {"q": 0}))
    system: stable (oscillating) where
      (-Omega**2*R + g)/R > 0
      degree 2 after zeros; at the given state the conditions and the roots agree
    """

    name: str
    polynomial: sympy.Poly | None
    """The characteristic polynomial in ``lambda`` (SymPy) without zeros of family and symmetry; None after too much work."""
    conditions: tuple[sympy.Expr, ...]
    """Expressions (SymPy) that must all be positive; where one passes zero stability changes."""
    kind: str
    """``asymptotic``: all modes decay (Routh and Hurwitz); ``oscillating``: it is even, all lie on the imaginary axis."""
    free: tuple[str, ...]
    """Variables of the family that are symbols in them."""
    evidence: str
    condition: Lasting = ALWAYS
    """While which contacts keep their mode."""

    def __str__(self) -> str:
        lines = [f"  {c} > 0" for c in self.conditions] or ["  (none)"]
        first = f"{self.name}: stable ({self.kind}){lasting_words(self.condition)}, where" if self.condition else (
            f"{self.name}: stable ({self.kind}) where"
        )
        return "\n".join([first, *lines, f"  {self.evidence}"])


def boundaries(
    system: System,
    at: Any = None,
    *,
    parameters: Mapping[str, Any] | None = None,
    free: Sequence[str] | None = None,
    symbolic: Sequence[str] | None = None,
) -> Boundaries:
    """Where a steady motion is stable, as formulas in the parameters and the free variables of its family.

    ``at`` is a steady motion whose other variables are simple numbers (0, 1, multiples of π): these are put in exactly. ``free``
    names the variables that stay symbols; those of the family that do not vanish at ``at`` unless given. Each condition is
    checked against the numeric roots there. ``symbolic`` names the parameters that stay symbols, all unless given; others are put
    in as fractions, which makes long polynomials short; so are parameters that are zero unless named (a friction that is left
    out).

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> print(*nh.boundaries(sleigh.system, {"v": 2}, parameters=sleigh.parameters).conditions)
    a*m*v/(J + a**2*m)
    """
    if isinstance(at, Equilibrium):
        parameters = dict(at.parameters) if parameters is None else parameters
        at = {n: at.state[n] for n in at.names}
    system, condition = lasting(system)
    flow = flow_of(system, at, parameters)
    steady, unknowns = steady_at_home(flow)
    chosen = _chosen(flow, steady, unknowns, free)
    import sympy  # noqa: F401  (before the work is counted)

    put = {n: e for n, e in flow.parameters.items() if symbolic is not None and n not in symbolic}
    absent = [n for n, e in flow.parameters.items() if symbolic is None and e == 0]
    found = within(WORK, lambda: _conditions(flow, unknowns, chosen, put, absent))
    if found is None:
        words = f"given up after {WORK:g} units of work: the polynomial is too long"
        return Boundaries(flow.name, None, (), "", chosen, words, condition)
    return replace(found, condition=condition)


def _chosen(flow: Flow, steady: Steady, unknowns: Numbers, free: Sequence[str] | None) -> tuple[str, ...]:
    if free is not None:
        stray = [n for n in free if n not in flow.names]
        if stray:
            raise StateError(f"{flow.name}: {stray[0]!r} is no state variable; it has {', '.join(flow.names)}.")
        return tuple(free)
    tangent = goes_on(steady, unknowns, tangents(steady, unknowns[None])[0])
    places = free_variables(steady, tangent.across)
    return tuple(flow.names[i] for i in places if abs(unknowns[i]) > EXACT)


def _exact(value: float) -> Any:
    """A simple number exactly: a small fraction, or such a multiple of π; else None."""
    for unit, factor in ((1.0, se.Integer(1)), (np.pi, se.pi)):
        found = Fraction(value / unit).limit_denominator(24)
        if abs(float(found) * unit - value) < EXACT:
            return se.Rational(found.numerator, found.denominator) * factor
    return None


def _fraction(value: float) -> Any:
    found = Fraction(repr(float(value))) if abs(value) < 1e12 else Fraction(value)
    return se.Rational(found.numerator, found.denominator)


def _conditions(
    flow: Flow, unknowns: Numbers, free: tuple[str, ...], put_in: Mapping[str, float], absent: Sequence[str]
) -> Boundaries:
    import sympy

    n = flow.size
    equations = flow.kernel.equations
    state = symbols(flow.names)
    table: dict[Any, Any] = {symbol(n): _fraction(e) for n, e in put_in.items()} | {symbol(n): se.Integer(0) for n in absent}
    for name, number in zip(flow.names, unknowns[:n]):
        if name in free:
            continue
        simple = _exact(float(number))
        if simple is None:
            raise StateError(
                f"{flow.name}: {name} = {number:.6g} is no simple number; give a relative equilibrium with simple values, or "
                f"name {name} among free= if the motion is steady for every value of it."
            )
        table[symbol(name)] = simple
    table |= {s: se.Integer(0) for s in equations.inputs}
    velocity, fields = _velocity(flow, unknowns, table)
    K, F, M = list(equations.kinematics), list(equations.force), [list(row) for row in equations.mass]
    size, width = len(M), len(K)
    slopes = [list(row) for row in jacobian([*K, *F], state)]
    moved = [sum((c * f[i] for c, f in zip(velocity, fields)), se.Integer(0)) for i in range(n)]
    rates = [m.subs(table) for m in moved[width:]] + [se.Integer(0)] * (size - (n - width))
    for i in range(size):
        # ∂(F − M ż) with ż held: the rates along the group
        held = se.Add(*(M[i][j] * rates[j] for j in range(size)))
        for k, s in enumerate(state):
            slopes[width + i][k] -= held.diff(s)
    turning = jacobian(moved, state)
    at = {**table}

    def put(expr: Any) -> Any:
        found = _rooted(sympy.sympify(se.sympify(expr).subs(at)), signs)
        return found.replace(_known_number, lambda e: sympy.Rational(str(e.evalf(25)))) if put_in else found

    signs = {sympy.Symbol(n): 1 if e > 0 else -1 for n, e in flow.parameters.items() if e != 0}
    lam = sympy.Symbol("lambda")
    E = sympy.zeros(width + size, n)
    J = sympy.zeros(width + size, n)
    mass = sympy.Matrix(size, size, lambda i, j: put(M[i][j]))
    for i in range(width):
        E[i, i] = 1
    E[width:, width:] = mass[:, : n - width]
    for i in range(width + size):
        for k in range(n):
            J[i, k] = put(slopes[i][k])
    T = sympy.Matrix(n, n, lambda i, k: put(turning[i][k]))
    J = J - E * T
    bound = jacobian(list(equations.invariants.values()), state)
    G = sympy.Matrix(len(bound), n, lambda i, k: put(bound[i][k])) if bound else sympy.zeros(0, n)
    basis = _nullspace(G, n)
    wide = G.row_join(sympy.zeros(G.rows, size - (n - width))) if G.rows else sympy.zeros(0, width + size)
    left = _nullspace(wide, width + size)
    pencil = (left.T * (lam * E - J) * basis).applyfunc(_short)
    whole = sympy.factor(sympy.Poly(pencil.det(method="berkowitz"), lam).as_expr())
    found = _judged(flow, unknowns, whole, lam, free)
    zero = f"; with {', '.join(absent)} = 0" if absent else ""
    return replace(found, evidence=found.evidence + zero)


def _rooted(expr: Any, signs: Mapping[Any, int]) -> Any:
    """``√(a²)`` is a, or −a where its value is negative."""
    import sympy

    def squared(e: Any) -> bool:
        half = e.is_Pow and e.exp.is_Rational and e.exp.q == 2
        return bool(half and e.base.is_Pow and e.base.exp == 2 and e.base.base in signs)

    return expr.replace(squared, lambda e: (signs[e.base.base] * e.base.base) ** sympy.Integer(2 * e.exp))


def _known_number(expr: Any) -> bool:
    """A sine, root or other function of numbers alone."""
    import sympy

    return bool(isinstance(expr, (sympy.Function, sympy.Pow)) and expr.is_number and not expr.is_rational)


def _short(expr: Any) -> Any:
    import sympy

    return sympy.simplify(expr) if expr.atoms(sympy.Function) else sympy.cancel(expr)


def _nullspace(matrix: Any, size: int) -> Any:
    import sympy

    if not matrix.rows:
        return sympy.eye(size)
    columns = matrix.nullspace()
    return sympy.Matrix.hstack(*columns) if columns else sympy.zeros(size, 0)


def _velocity(flow: Flow, unknowns: Numbers, table: Mapping[Any, Any]) -> tuple[list[Any], list[list[Any]]]:
    """η as expressions of the free variables, by least squares on ``K = η_a ξ_a``; and the fields of the generators."""
    import sympy

    fields = [list(f) for f in flow.fields.fields]
    n, width = flow.size, len(flow.kernel.equations.coordinates)
    velocity: list[Any] = [ZERO] * len(fields)
    chosen: list[int] = []
    basis = np.zeros((n, 0))
    for a, vector in enumerate(flow.generator_fields(unknowns[None, :n])[0][0]):  # of parallel generators one will do
        trial = span(np.column_stack([basis, vector]))
        if trial.shape[1] > basis.shape[1]:
            chosen.append(a)
            basis = trial
    if not chosen:
        return velocity, fields
    rows = [[se.sympify(fields[a][i]).subs(table) for a in chosen] for i in range(width)]
    A = sympy.Matrix(width, len(chosen), lambda i, k: sympy.sympify(rows[i][k]))
    right = sympy.Matrix([sympy.sympify(se.sympify(e).subs(table)) for e in flow.kernel.equations.kinematics])
    solution = (A.T * A).LUsolve(A.T * right)
    for k, a in enumerate(chosen):
        velocity[a] = se.sympify(sympy.simplify(solution[k]))
    return velocity, fields


def _judged(flow: Flow, unknowns: Numbers, whole: Any, lam: Any, free: tuple[str, ...]) -> Boundaries:
    import sympy

    _, factors = sympy.factor_list(sympy.together(whole).as_numer_denom()[0], lam)
    values = {sympy.Symbol(n): float(e) for n, e in flow.parameters.items()}
    values |= {sympy.Symbol(n): float(unknowns[flow.names.index(n)]) for n in free}
    kinds, reasons, roots, left = set(), [], [], sympy.Integer(1)
    for factor, times in factors:
        coefficients = sympy.Poly(factor, lam).all_coeffs()
        if len(coefficients) < 2 or all(sympy.simplify(c) == 0 for c in coefficients[1:]):
            continue
        coefficients = [sympy.factor(c / coefficients[0]) for c in coefficients]
        even = len(coefficients) % 2 == 1 and all(sympy.simplify(c) == 0 for c in coefficients[1::2])
        conditions = _oscillating(coefficients[::2]) if even else _hurwitz(coefficients)
        wanted = [c for c in map(_sign, conditions) if not (c.is_number and c > 0)]
        if even and not wanted:
            continue  # ±iη of the symmetry, or a mode that oscillates whatever the numbers
        kinds.add("oscillating" if even else "asymptotic")
        reasons += wanted
        left *= factor**times
        numbers = np.roots([complex(c.subs(values)).real for c in coefficients])
        size = max(1.0, float(np.max(np.abs(numbers), initial=0.0)))
        roots.append(bool(np.all(numbers.real < (1e-7 if even else -1e-9) * size)))
    reasons = list(dict.fromkeys(reasons))
    system = all(complex(c.subs(values)).real > 0 for c in reasons)
    agrees = "agree" if all(roots) == system else "do not agree"
    words = f"degree {sympy.degree(left, lam)} after zeros; at the given state the conditions and the roots {agrees}"
    return Boundaries(flow.name, left, tuple(reasons), " and ".join(sorted(kinds)) or "oscillating", free, words)


def _sign(condition: Any) -> Any:
    """What decides the sign of a rational expression: its factors with odd powers."""
    import sympy

    result = sympy.Integer(1)
    for part, above in zip(sympy.together(condition).as_numer_denom(), (True, False)):
        factor, powers = sympy.factor_list(part)
        odd = sympy.Mul(*(base for base, power in powers if power % 2)) * (-1 if factor < 0 else 1)
        result = result * odd if above else result / odd
    return result


def _oscillating(coefficients: Sequence[Any]) -> list[Any]:
    """A polynomial in ``λ²`` whose roots must all be real and negative: degree one and two."""
    import sympy

    if len(coefficients) == 1:
        return []
    if len(coefficients) == 2:
        return [coefficients[1]]
    if len(coefficients) == 3:
        _, b, c = coefficients
        return [b, c, sympy.factor(b**2 - 4 * c)]
    raise StateError("closed forms of oscillating modes are known for one and two of them.")


def _hurwitz(coefficients: Sequence[Any]) -> list[Any]:
    """Coefficients and Hurwitz's determinants of a monic polynomial, by Liénard and Chipart's half of them."""
    import sympy

    degree = len(coefficients) - 1
    table = sympy.Matrix(
        degree, degree, lambda i, j: coefficients[2 * (j + 1) - (i + 1)] if 0 <= 2 * (j + 1) - (i + 1) <= degree else 0
    )
    minors = [sympy.factor(table[: k, : k].det()) for k in range(1, degree + 1)]
    half = [m for k, m in enumerate(minors, 1) if (degree - k) % 2 == 1]
    return [*coefficients[1:], *[m for m in half if m not in coefficients]]
