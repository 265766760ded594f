"""From formulas to residuals: a form gives the terms of an equation whose sum should vanish, at generic points.

    identity(points, lambda p: [p.force, -p.mass * p.acceleration])     # numbers or arrays
    symbolic([[force, -mass * acceleration], …])                        # expressions, with 40 digits at random points

Mutants are made from the terms: each flipped, each doubled, one at a time. All of them must be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo.algebra.expression_types import Expr
from nonholo_papers.claim import Evidence
from nonholo_papers.equivalence import Evaluated

Form = Callable[[Any], Sequence[Any]]
"""The terms of an equation at a point: their sum should vanish."""
DIGITS = 40
_watching: ContextVar[list[Evaluated] | None] = ContextVar("watching", default=None)


@contextmanager
def watched() -> Iterator[list[Evaluated]]:
    """The trusted forms (printed, or right where that is another) that checks evaluate meanwhile, with their terms."""
    found: list[Evaluated] = []
    token = _watching.set(found)
    try:
        yield found
    finally:
        _watching.reset(token)


def _watch(form: Form | None, points: Sequence[Any], terms: Sequence[Sequence[Any]]) -> None:
    found = _watching.get()
    if found is not None:
        found.append(Evaluated(form, points, terms))


def generic(names: str, count: int = 4, seed: int = 1, signed: str = "") -> list[SimpleNamespace]:
    """Points with generic numbers between 0.4 and 1.7 for each name; those in ``signed`` have either sign.

    >>> [p] = generic("m J", 1, signed="x y")
    >>> sorted(vars(p))
    ['J', 'm', 'x', 'y']
    """
    random = np.random.default_rng(seed)
    result = []
    for _ in range(count):
        sizes = {n: float(random.uniform(0.4, 1.7)) for n in (*names.split(), *signed.split())}
        turned = {n: sizes[n] * random.choice((-1.0, 1.0)) for n in signed.split()}
        result.append(SimpleNamespace(**{**sizes, **turned}))
    return result


def identity(
    points: Iterable[Any],
    printed: Form,
    right: Form | None = None,
    mutants: Sequence[Form] = (),
    words: str = "",
    automatic: bool = True,
) -> Evidence:
    """Evidence for an equation at points; ``mutants`` are further wrong forms (an index, a wrong function).

    >>> identity(generic("x", signed="y"), lambda p: [(p.x + p.y) ** 2, -(p.x**2), -2 * p.x * p.y, -(p.y**2)]).mutant > 0.1
    True
    """
    places = list(points)
    first = [list(printed(p)) for p in places]
    trusted = first if right is None else [list(right(p)) for p in places]
    _watch(right or printed, places, trusted)
    wrong = [_residual([list(form(p)) for p in places]) for form in mutants]
    if automatic:
        wrong += [_residual(m) for m in _mutants(trusted)]
    return Evidence(
        _residual(first),
        None if right is None else _residual(trusted),
        min(wrong) if wrong else None,
        words or f"at {len(places)} generic points",
    )


def symbolic(
    printed: Sequence[Sequence[Expr]],
    right: Sequence[Sequence[Expr]] | None = None,
    mutants: Sequence[Sequence[Sequence[Expr]]] = (),
    words: str = "",
    values: Mapping[str, Any] | None = None,
    count: int = 2,
    seed: int = 1,
) -> Evidence:
    """The same for equations between expressions, each a list of terms, evaluated with 40 digits at random rational points.

    Every equation is mutated by itself. ``values`` fixes some symbols by name.

    >>> import symengine as se
    >>> x, y = se.symbols("x y")
    >>> symbolic([[se.sin(x + y), -se.sin(x) * se.cos(y), -se.cos(x) * se.sin(y)]]).printed < 1e-30
    True
    """
    lists = [printed, *([right] if right is not None else []), *mutants]
    names = sorted({str(s) for eqs in lists for terms in eqs for t in terms for s in _free(t)})
    tables = [_rational(names, values or {}, seed + k) for k in range(count)]

    def numbers(equations: Sequence[Sequence[Expr]]) -> list[list[list[Any]]]:
        return [[[_number(t, table) for t in terms] for table in tables] for terms in equations]

    first = numbers(printed)
    trusted = first if right is None else numbers(right)
    for equation in trusted:
        _watch(None, tables, equation)
    wrong = [max(_residual(e) for e in numbers(m)) for m in mutants]
    wrong += [_residual(m) for equation in trusted for m in _mutants(equation)]
    return Evidence(
        max(_residual(e) for e in first),
        None if right is None else max(_residual(e) for e in trusted),
        min(wrong) if wrong else None,
        words or f"with {DIGITS} digits at {count} random points",
    )


def vanish(
    points: Iterable[Any], form: Callable[[Any], Any], against: Sequence[Callable[[Any], Any]] = (), words: str = ""
) -> Evidence:
    """Evidence that a quantity is zero at points; those in ``against`` are neighbouring ones that are not, at any point.

    >>> vanish(generic("x", signed="y"), lambda p: p.x * p.y - p.y * p.x, [lambda p: p.x * p.y]).mutant > 0.1
    True
    """
    places = list(points)
    found = [form(p) for p in places]
    _watch(_single(form), places, [[value] for value in found])
    others = [_size(other(p)) for other in against for p in places]
    return Evidence(
        float(np.max([_size(value) for value in found])),
        mutant=min(others) if others else None,
        words=words or f"at {len(places)} generic points",
    )


def holds(*conditions: tuple[str, bool], against: Sequence[tuple[str, bool]] = (), words: str = "") -> Evidence:
    """For statements in words: each condition is true or not; those in ``against`` are neighbouring wrong ones, all false.

    >>> holds(("two is even", 2 % 2 == 0), against=[("three is even", 3 % 2 == 0)])
    Evidence(printed=0.0, right=None, mutant=1.0, words='two is even')
    """
    failed = [text for text, true in conditions if not true]
    told = words or "; ".join(text for text, _ in conditions)
    mutant = None if not against else float(not any(true for _, true in against))
    return Evidence(float(bool(failed)), None, mutant, f"fails: {'; '.join(failed)}" if failed else told)


def together(parts: Iterable[Evidence], words: str = "") -> Evidence:
    """Several confirmed equations as one: the worst residual, and the mutant that is seen least.

    >>> together([Evidence(1e-16, None, 0.5), Evidence(1e-15, None, 0.2)])
    Evidence(printed=1e-15, right=None, mutant=0.2, words='')
    """
    found = list(parts)
    mutants = [0.0 if e.mutant is None else e.mutant for e in found]
    return Evidence(worst(e.printed for e in found), None, min(mutants), words or found[0].words)


def worst(*values: float | Iterable[float]) -> float:
    """The largest of numbers, or of lists of them; not-a-number wins.

    >>> worst(0.1, [0.3, 0.2]), worst(0.1, float("nan"))
    (0.3, nan)
    """
    flat = [float(e) for v in values for e in (v if isinstance(v, Iterable) else (v,))]
    return float(np.max(flat))


def gap(found: Any, wanted: Any) -> float:
    """The largest difference, relative to the largest number."""
    one, two = np.asarray(found), np.asarray(wanted)
    size = max(_size(one), _size(two)) or 1.0
    return _size(one - two) / size


def _single(form: Callable[[Any], Any]) -> Form:
    return lambda p: [form(p)]


def share(part: Any, whole: Any) -> float:
    """The largest number of one array over the largest of another."""
    return _size(part) / _size(whole)


def moving(
    name: str, count: int = 4, seed: int = 1, parameters: Mapping[str, float] | None = None, variant: str = ""
) -> list[Moving]:
    """Generic admissible states of an exhibit with their rates by the multiplier witness, which shares no code with `hamel`."""
    from nonholo import gallery

    exhibit = gallery.get(name)
    system = exhibit.variants[variant] if variant else exhibit.system
    return moving_system(system, {**exhibit.parameters, **(parameters or {})}, count, seed)


def moving_system(system: Any, parameters: Mapping[str, float], count: int = 4, seed: int = 1) -> list[Moving]:
    """The same for any system."""
    from nonholo.derive.laws.check import random_states
    from nonholo.derive.multipliers import multipliers
    from nonholo.model.system import parameter_values

    values = parameter_values(system, parameters)
    equations = multipliers(system)
    known = {*equations.state, *equations.outputs, *system.inputs, "t"}
    result = []
    for state in random_states(system, values, count, seed):
        given = {n: e for n, e in state.values.items() if n in known}
        result.append(Moving({**values, **given}, equations.rates(given, values)))
    return result


class Moving(SimpleNamespace):
    """A state whose names are attributes, and ``dot(quantity)``, the rate of a function of it along the motion."""

    def __init__(self, values: Mapping[str, float], rates: Mapping[str, float]) -> None:
        super().__init__(**values)
        self._rates = dict(rates)

    def dot(self, quantity: Callable[..., Any]) -> Any:
        """``d/dt quantity``, by a complex step: exact to rounding for analytic functions (use NumPy's)."""
        step = 1e-30
        moved = {n: e + 1j * step * self._rates.get(n, 0.0) for n, e in vars(self).items() if n != "_rates"}
        return np.imag(quantity(SimpleNamespace(**moved))) / step

    def rate(self, name: str) -> float:
        """The rate of one name."""
        return self._rates[name]


def analytic(rows: Sequence[Sequence[str]], names: Sequence[str]) -> Callable[[Any], Any]:
    """A table of texts as a function of the array of its variables, through which complex steps go.

    A complex place ``x + i ε d`` gives ``f + i ε f'·d`` (compiled complex powers would lose the small part).

    >>> square = analytic([["x**2*y"]], ["x", "y"])
    >>> float(square(np.array([3.0, 2.0]))[0, 0]), slope(square, np.array([3.0, 2.0]))[0, 0].tolist()
    (18.0, [12.0, 9.0])
    """
    import symengine as se

    from nonholo.notation.read import expression

    flat = [expression(text, names, "table") for row in rows for text in row]
    slopes = [e.diff(se.Symbol(n)) for e in flat for n in names]
    hidden = [se.Symbol(f"_argument_{k}_") for k in range(len(names))]  # SymEngine's temporaries are called x0, x1, …
    private = dict(zip(map(se.Symbol, names), hidden))
    compiled = se.Lambdify(hidden, [e.xreplace(private) for e in flat + slopes])
    shape = (len(rows), len(rows[0]))
    size = shape[0] * shape[1]

    def numbers(x: Any) -> Any:
        found = np.asarray(compiled(np.real(x))).reshape(-1)
        values = found[:size].reshape(shape)
        return values + 1j * (found[size:].reshape(*shape, len(names)) @ np.imag(x)) if np.iscomplexobj(x) else values

    return numbers


def slope(function: Callable[..., Any], x: Any) -> Any:
    """``∂f/∂x^k`` as a last index, by complex steps: exact to rounding."""
    step = 1e-30
    columns = [np.imag(function(np.asarray(x) + 1j * step * e)) / step for e in np.eye(len(x))]
    return np.stack(columns, axis=-1)


def _mutants(evaluated: Sequence[Sequence[Any]]) -> Iterable[list[list[Any]]]:
    """Each term flipped, and each doubled; a term that is zero everywhere cannot be tested."""
    for k in range(len(evaluated[0])):
        if not any(_size(terms[k]) for terms in evaluated):
            raise ValueError(
                f"term {k + 1} vanishes at every point, so a wrong one would not be seen: choose generic numbers."
            )
        for factor in (-1, 2):
            yield [[factor * t if i == k else t for i, t in enumerate(terms)] for terms in evaluated]


def _residual(evaluated: Sequence[Sequence[Any]]) -> float:
    """The largest sum of terms over the largest term; not-a-number wins."""
    sizes = [_size(t) for terms in evaluated for t in terms]
    sums = [_size(sum(terms[1:], terms[0])) for terms in evaluated]
    if any(s != s for s in (*sizes, *sums)):
        return float("nan")
    return float(max(sums) / max(sizes)) if max(sizes) else 0.0


def _size(value: Any) -> float:
    """The largest magnitude; not-a-number wins."""
    sizes = [float(abs(e)) for e in np.asarray(value).reshape(-1)]
    return float("nan") if any(s != s for s in sizes) else max(sizes, default=0.0)


def _free(expr: Expr) -> Any:
    import symengine as se

    return se.sympify(expr).free_symbols


def _rational(names: Sequence[str], fixed: Mapping[str, Any], seed: int) -> dict[Any, Any]:
    import symengine as se

    random = np.random.default_rng(seed)
    drawn = {n: se.Rational(int(random.integers(301, 1701)), 1009) for n in names}
    return {se.Symbol(n): se.sympify(fixed[n]) if n in fixed else e for n, e in drawn.items()}


def _number(expr: Expr, table: Mapping[Any, Any]) -> Any:
    import symengine as se

    return se.sympify(expr).subs(table).n(int(DIGITS * 3.4), real=True)
