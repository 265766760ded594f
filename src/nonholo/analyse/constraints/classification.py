"""Record of a classification of constraints, and its sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from itertools import islice, product
from typing import Any, Literal

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import ZERO, expand, jacobian, substitute, symbol
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.gauss_newton import gauss_newton
from nonholo.algebra.high_precision import evaluate_matrix_precisely, evaluate_precisely
from nonholo.algebra.linear_equations import dot
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.algebra.subspaces import independent, numeric_rank
from nonholo.finding import Finding, Property, Verdict
from nonholo.finding.html_tables import finding_cells, html_table
from nonholo.finding.sentences import headline
from nonholo.notation.write import to_text

Kind = Literal[
    "unconstrained", "holonomic", "holonomic in disguise", "partly holonomic", "nonholonomic", "nonlinear", "branches",
    "impossible",
]  # fmt: skip
_COUNTS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


@dataclass(frozen=True)
class Classification:
    """The answer of `classify`; ``print`` it for a sentence.

    ``rank`` independent velocities of ``dimension`` are left; ``holonomic`` constraints were declared as such,
    ``disguised`` are holonomic although written in velocities, ``nonholonomic`` are neither (of the linear ones, when some
    are ``nonlinear``). ``integrals`` are functions
    that stay constant because of the disguised ones. When ``with_time`` the growth vector counts time as a coordinate.

    >>> import nonholo as nh
    >>> nh.classify(nh.System(coordinates="x y z", lagrangian="xdot**2/2", constraints=["zdot - y*xdot"])).growth
    (2, 3)
    """

    name: str
    kind: Kind
    form: Literal["none", "linear", "affine", "nonlinear"]
    dimension: int
    rank: int
    constraints: tuple[Expr, ...] = ()
    growth: tuple[int, ...] = ()
    complete: bool = True
    with_time: bool = False
    holonomic: int = 0
    disguised: int = 0
    nonholonomic: int = 0
    nonlinear: int = 0
    integrals: tuple[Expr, ...] = ()
    linear_equivalents: tuple[Expr, ...] = ()
    branches: tuple[Classification, ...] = ()
    homogeneous: bool | None = None
    remarks: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    def __str__(self) -> str:
        return "; ".join((*_sentences(self), *self.remarks))

    def __repr__(self) -> str:
        return f"<Classification of {self.name}: {self}>"

    def _repr_html_(self) -> str:
        """The sentence, the numbers of velocities and constraints, and the findings, for a notebook."""
        counts = {
            "velocities": f"{self.dimension}, {self.rank} of them free",
            "holonomic": self.holonomic,
            "holonomic, written in velocities": self.disguised,
            "nonholonomic": self.nonholonomic,
            "nonlinear": self.nonlinear,
            "growth vector": self.growth,
            "constant by the constraints": ", ".join(map(to_text, self.integrals)),
        }
        rows = [[escape(name), escape(str(value))] for name, value in counts.items() if value]
        found = html_table(map(finding_cells, self.findings)) if self.findings else ""
        return f"<p>{escape(headline(str(self)))}</p>{html_table(rows, caption=self.name)}{found}"


def _sentences(what: Classification) -> list[str]:
    if what.kind == "impossible":
        return ["no velocity satisfies the constraints"]
    if what.kind == "unconstrained" and not what.linear_equivalents:
        return [f"no constraints: {_velocities(what.dimension)} free"]
    system = []
    if what.linear_equivalents:
        kind = "affine" if what.form == "affine" else "linear"
        system.append(f"apparently nonlinear, but equivalent to these {kind} ones: {_equations(what.linear_equivalents)}")
    if what.kind == "branches":
        return [*system, _branches(what)]
    if what.holonomic:
        system.append(f"{_plural(what.holonomic, 'holonomic constraint')} (declared)")
    if what.disguised:
        system.append(_disguised(what))
    if what.kind == "nonlinear":
        system.append(_nonlinear(what))
    elif what.nonholonomic:
        affine = "affine " if what.form == "affine" else ""
        total = what.dimension - what.rank - what.holonomic
        text = _plural(what.nonholonomic, f"{affine}nonholonomic constraint")
        if not what.complete and what.nonholonomic < total:
            text = f"{_plural(total, f'{affine}constraint')}, at least {what.nonholonomic} nonholonomic"
        system.append(f"{text}, {_growth(what)}")
    return system


def _growth(what: Classification) -> str:
    inner = ", ".join(map(str, what.growth)) + ("" if what.complete else ", …")
    place = " on configurations and time" if what.with_time else ""
    return f"growth vector ({inner}){place}" + ("" if what.complete else ", not followed further")


def _disguised(what: Classification) -> str:
    total = what.disguised + what.nonholonomic
    if total == what.disguised:
        head = "holonomic in disguise"
    else:
        verb = "is" if what.disguised == 1 else "are"
        head = f"{what.disguised} of {total} constraints {verb} holonomic in disguise"
    known = " and ".join(f"{to_text(f)} = const" for f in what.integrals)
    missing = what.disguised - len(what.integrals)
    if not known:
        return f"{head}: integrable, but no closed form found"
    text = f"{head}: {known} would be {'an integral' if len(what.integrals) == 1 else 'integrals'}"
    return text + (f" ({missing} more integrable, but no closed form found)" if missing else "")


def _nonlinear(what: Classification) -> str:
    beside = what.disguised + what.nonholonomic
    number = _plural(what.nonlinear, "constraint") + (f", beside {_plural(beside, 'linear one')}" if beside else "")
    if what.homogeneous is None:
        return f"nonlinear: {number}"
    if what.homogeneous:
        return f"nonlinear, homogeneous (the reaction does no work): {number}"
    return f"nonlinear, not homogeneous (the reaction may do work): {number}"


def _branches(what: Classification) -> str:
    kind = "linear " if all(b.form in ("linear", "none") for b in what.branches) else ""
    kind = kind or ("affine " if all(b.form in ("linear", "affine", "none") for b in what.branches) else "")
    count = _COUNTS.get(len(what.branches), str(len(what.branches)))
    sentences = []
    for k, branch in enumerate(what.branches):
        label = chr(ord("A") + k) if k < 26 else str(k + 1)
        sentences.append(f"{label}: {_equations(branch.constraints)} ({branch})")
    return f"factors into {count} {kind}branches: {', '.join(sentences)}"


def _equations(residuals: tuple[Expr, ...]) -> str:
    return ", ".join(f"{to_text(r)} = 0" for r in residuals)


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number != 1 else ''}"


def _velocities(number: int) -> str:
    return f"all {number} velocities are" if number != 1 else "the velocity is"


Values = Mapping[str, float]
ON = 1e-11
RADIAL = 1e-8
NICE = (se.Integer(0), se.Integer(1), se.pi / 2, se.Integer(2))


def cone(residuals: Sequence[Expr], velocities: Sequence[Any], samples: Sequence[Values]) -> tuple[Finding, ...]:
    """Whether ``(∂φ/∂v) v = 0`` at admissible velocities: then, and only then, the velocity is itself a virtual one.

    The first finding is the answer: when it holds, ideal reactions do no work [corrects Benenti 2008, Theorem 3].
    The others give the degree of each homogeneous residual.
    """
    claim = Property(
        "the constraints are homogeneous, so that ideal reactions do no work",
        "the constraints are not homogeneous: ideal reactions may do work",
    )
    names = sorted({str(s) for e in residuals for s in e.free_symbols} | {str(v) for v in velocities})
    slopes = jacobian(residuals, velocities)
    function = numeric_function([symbol(n) for n in names], [*residuals, *(e for row in slopes for e in row)])
    place = [names.index(str(v)) for v in velocities]
    worst, seen, flat = 0.0, 0, 0
    for k, here in enumerate(samples):
        state = np.array([here[n] for n in names])
        found = _admissible(function, state, place, len(residuals), k)
        if found is None:
            continue
        velocity, matrix = found
        size = np.linalg.norm(matrix, axis=1) * np.linalg.norm(velocity)
        if numeric_rank(matrix) < len(residuals) or np.any(size < ON):
            flat += 1
            continue
        seen += 1
        worst = max(worst, float(np.max(np.abs(matrix @ velocity) / size)))
    degrees = tuple(d for e in residuals for d in [_degree(e, velocities, samples)] if d is not None)
    if not seen:
        reason = "the slopes vanish where the constraint holds" if flat else "no admissible velocity was found by Newton's method"
        return (Finding(claim, "unknown", None, reason), *degrees)
    verdict: Verdict = "holds" if worst <= RADIAL else "fails"
    return (Finding(claim, verdict, worst, f"slope along the velocity at {seen} admissible states"), *degrees)


def _admissible(
    function: Any, state: NDArray[np.float64], place: list[int], count: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """A velocity near a random one where the residuals vanish, and their slopes there."""
    random = np.random.default_rng(40 + seed)
    state = state.copy()

    def residuals(velocity: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        state[place] = velocity
        numbers = np.asarray(function(state), dtype=float).reshape(-1)
        return numbers[:count], numbers[count:].reshape(count, len(place))

    for _ in range(4):
        with np.errstate(all="ignore"):
            velocity, _ = gauss_newton(residuals, random.uniform(-1.5, 1.5, len(place)), enough=0.0)
            values, matrix = residuals(velocity)
            length = np.linalg.norm(velocity)
            # beside slope times length, lest a velocity that shrinks to zero be taken for an admissible one
            if length > 1e-3 and np.all(np.abs(values) <= ON * np.linalg.norm(matrix, axis=1) * length):
                return velocity, matrix
    return None


def _degree(residual: Expr, velocities: Sequence[Any], samples: Sequence[Values]) -> Finding | None:
    """Euler's test ``v · ∂φ/∂v = k φ``."""
    (slopes,) = jacobian([residual], velocities)
    found = []
    for here in samples[:6]:
        value, radial = evaluate_precisely([residual, dot(slopes, velocities)], here)
        if not abs(value) > 1e-9 or not np.isfinite(radial):
            return None
        found.append(radial / value)
    exact = Fraction(float(np.mean(found))).limit_denominator(12)
    if max(abs(f - float(exact)) for f in found) > 1e-9:
        return None
    claim = f"{to_text(residual)} is homogeneous in the velocities of degree {exact}"
    return Finding(claim, "holds", float(exact), "Euler's test")


@dataclass(frozen=True)
class Spread:
    """``directions`` (and ``origin``, when zero is not in it) span the space; ``filled`` when an open part of it is met."""

    directions: tuple[tuple[Expr, ...], ...]
    origin: tuple[Expr, ...] | None
    filled: bool
    nonlinear: bool
    homogeneous: Finding


def spread(velocity: Sequence[Expr], parameters: Sequence[Any], samples: Sequence[Values]) -> Spread:
    """The span of ``ψ(x, z)`` over all parameters ``z``.

    >>> v, a = se.symbols("v a")
    >>> spread((v * se.cos(a), v * se.sin(a)), (v, a), [{"v": 0.7, "a": 0.4}, {"v": 0.5, "a": 1.1}]).filled
    True
    """
    whole = tuple(expand(e) for e in velocity)
    slopes = jacobian(whole, parameters)
    inner = set(parameters)
    nonlinear = any(e.free_symbols & inner for row in slopes for e in row)
    points = _points(whole, parameters)
    here = samples[0]
    numbers = np.array([evaluate_precisely(p, here) for p in points])
    finite = [k for k in range(len(points)) if np.all(np.isfinite(numbers[k]))]
    points, numbers = [points[k] for k in finite], numbers[finite]
    moving = [evaluate_matrix_precisely(slopes, s) for s in samples]
    rank = max(numeric_rank(m.T) for m in moving if np.all(np.isfinite(m)))
    flat = numeric_rank(numbers)
    raised = np.hstack([numbers, np.ones((len(numbers), 1))])
    affine = numeric_rank(raised) - 1
    chosen = independent(numbers)
    homogeneous = _homogeneous(velocity, parameters, samples)
    if affine < flat and flat > rank:  # zero lies outside the affine space that the velocities fill
        first = points[0]
        kept = independent(numbers[1:] - numbers[0])
        directions = tuple(tuple(a - b for a, b in zip(points[k + 1], first)) for k in kept)
        return Spread(directions, first, affine == rank, nonlinear, homogeneous)
    return Spread(tuple(points[k] for k in chosen), None, flat == rank, nonlinear, homogeneous)


def _points(velocity: Sequence[Expr], parameters: Sequence[Any]) -> list[tuple[Expr, ...]]:
    """The velocity at simple values of the parameters, then at less simple ones."""
    choices = [*islice(product(NICE[:2], repeat=len(parameters)), 64), *islice(product(NICE, repeat=len(parameters)), 128)]
    random = np.random.default_rng(8)
    for _ in range(2 * len(velocity) + 2):
        choices.append(tuple(se.Rational(int(k), 7) for k in random.integers(1, 12, len(parameters))))
    found = dict.fromkeys(substitute(velocity, dict(zip(parameters, c))) for c in choices)
    return [p for p in found if all(e == e and not e.has(se.zoo, se.nan) for e in p)] or [tuple(ZERO for _ in velocity)]


def _homogeneous(velocity: Sequence[Expr], parameters: Sequence[Any], samples: Sequence[Values]) -> Finding:
    """Whether ``ψ`` lies in the span of ``∂ψ/∂z``: then ideal reactions do no work [corrects Benenti 2008, Theorem 3]."""
    slopes = list(zip(*jacobian(velocity, parameters)))
    worst, seen = 0.0, 0
    for here in samples:
        vector, matrix = evaluate_precisely(velocity, here), evaluate_matrix_precisely(slopes, here)
        if not (np.all(np.isfinite(vector)) and np.all(np.isfinite(matrix))) or not np.linalg.norm(vector) > 0:
            continue
        weights, *_ = np.linalg.lstsq(matrix.T, vector, rcond=None)
        worst = max(worst, float(np.linalg.norm(matrix.T @ weights - vector) / np.linalg.norm(vector)))
        seen += 1
    verdict: Any = "unknown" if not seen else "holds" if worst <= 1e-9 else "fails"
    claim = Property(
        "the constraints are homogeneous, so that ideal reactions do no work",
        "the constraints are not homogeneous: ideal reactions may do work",
    )
    return Finding(claim, verdict, worst, f"distance of ψ from the span of ∂ψ/∂z at {seen} states")
