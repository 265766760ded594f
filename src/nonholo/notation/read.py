"""Read expressions and names from text, numbers, SymPy and SymEngine, with checks."""

from __future__ import annotations

import keyword
import math
import numbers
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NoReturn, cast

import numpy as np
import symengine as se
from symengine.lib import symengine_wrapper as wrapper

from nonholo.algebra.expression_types import Expr
from nonholo.errors import ModelError, ParseError, Passage, about
from nonholo.notation.functions import FUNCTIONS, RESERVED, heaviside, near_name, plain, suggestion
from nonholo.notation.number_limits import is_real, sign
from nonholo.notation.parse import parse

_FUNCTION_CLASSES: tuple[Any, ...] = tuple(
    kind for name in FUNCTIONS if isinstance(kind := getattr(se, name, None), type)
)
_COMPUTED: Any = (se.Pow, *_FUNCTION_CLASSES)
_VALUES = (se.Symbol, se.Number, se.Add, se.Mul, se.Pow, *_FUNCTION_CLASSES, se.Piecewise)
_RELATIONS = (se.LessThan, se.StrictLessThan, se.Equality, se.Unequality)
_CONDITIONS = (*_RELATIONS, se.And, se.Or, se.Not, type(se.true), type(se.false))
_ACCEPTED = "text, a number, a SymPy or a SymEngine expression"


def expression(value: object, names: Collection[str], where: str, functions_of_time: bool = True) -> Expr:
    """A user's value as a SymEngine expression in the symbols ``names``.

    Text is parsed; SymPy's ``x(t)`` becomes ``x`` and ``Derivative(x(t), t)`` becomes ``xdot``.

    >>> import sympy
    >>> x = sympy.Function("x")(sympy.Symbol("t"))
    >>> expression(x.diff() ** 2, ["x", "xdot"], "lagrangian")
    xdot**2
    >>> expression(0.5, [], "height")
    0.5
    """
    if isinstance(value, str):
        return parse(value, names, where)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, se.Basic):
        if any(isinstance(node, (se.Derivative, se.FunctionSymbol)) for node in _nodes(value)):
            value = value._sympy_()
        else:
            return _checked(value, names, where)
    if _is_sympy(value):
        return _checked(_from_sympy(value, where, functions_of_time), names, where)
    return _number(value, where)


def _is_sympy(value: object) -> bool:
    """Whether SymPy made this, without importing SymPy (the class of ``x(t)`` has no module of its own)."""
    return any((kind.__module__ or "").split(".")[0] == "sympy" for kind in type(value).__mro__)


def _number(value: object, where: str) -> Expr:
    if isinstance(value, (bool, np.bool_)):
        raise ParseError(f"{where}: found {value} where an expression was needed; give {_ACCEPTED}")
    if isinstance(value, numbers.Integral):
        return se.Integer(int(value))
    if isinstance(value, numbers.Rational):
        return se.Integer(int(value.numerator)) / se.Integer(int(value.denominator))
    if isinstance(value, numbers.Real):
        number = float(value)
        if not math.isfinite(number):
            raise ParseError(f"{where}: found {number} where a finite number was needed")
        return se.RealDouble(number + 0.0)  # -0.0 is 0.0, as in text
    if isinstance(value, numbers.Complex):
        raise ParseError(f"{where}: found the complex number {value} where a real expression was needed")
    found = f"{_short(repr(value))} ({type(value).__name__})"
    raise ParseError(f"{where}: found {found} where an expression was needed; give {_ACCEPTED}")


def _nodes(expr: Expr) -> list[Expr]:
    """Every different part of an expression, shared ones once."""
    seen = {expr}
    found = [expr]
    for node in found:
        for part in node.args:
            if part not in seen:
                seen.add(part)
                found.append(part)
    return found


def _checked(expr: Expr, names: Collection[str], where: str) -> Expr:
    """The expression, if it is real, made of known functions and of the declared names only."""
    declared = {plain(name): name for name in names}
    if not isinstance(expr, se.Basic) or isinstance(expr, (*_CONDITIONS, wrapper.Boolean)):
        advice = "write an equation as left - right" if isinstance(expr, se.Equality) else f"give {_ACCEPTED}"
        raise ParseError(f"{where}: found {_short(expr)} where an expression was needed; {advice}")
    respelt: dict[Expr, Expr] = {}
    for node in _nodes(expr):
        if isinstance(node, se.Symbol):
            if plain(node.name) not in declared:
                strange = "" if near_name(node.name, names) else node.name
                message = f"{where}: unknown name {node.name!r}; {suggestion(node.name, names)}"
                raise ParseError(message, unknown=strange)
            if isinstance(node, se.Dummy) or node.name != declared[plain(node.name)]:
                respelt[node] = se.Symbol(declared[plain(node.name)])
        elif isinstance(node, se.Number):
            if not is_real(node):
                raise ParseError(f"{where}: found {_short(node)} where a finite real number was needed")
        elif isinstance(node, se.Piecewise):
            if node.args[-1] != se.true:
                raise ParseError(f"{where}: {_short(node)} has no last piece (value, True) for everywhere else")
        elif node not in (se.pi, se.E) and not isinstance(node, (*_VALUES, *_CONDITIONS)):
            kind = node.get_name() if hasattr(node, "get_name") else type(node).__name__
            raise ParseError(f"{where}: nonholo does not compute with {kind!r}; {suggestion(kind, FUNCTIONS)}")
        elif isinstance(node, _COMPUTED) and not node.free_symbols and not is_real(node):
            raise ParseError(f"{where}: {_short(node)} is not a finite real number")
    return expr.xreplace(respelt) if respelt else expr


def _short(expr: object) -> str:
    shown = str(expr).strip()
    return shown if len(shown) <= 60 else shown[:57] + "…"


def _from_sympy(value: Any, where: str, functions_of_time: bool) -> Expr:
    """SymPy to SymEngine, functions of time becoming symbols."""
    import sympy
    from sympy.core.function import AppliedUndef

    if not isinstance(value, sympy.Expr) or isinstance(value, sympy.MatrixExpr):
        if isinstance(value, sympy.Equality):
            raise ParseError(f"{where}: found the equation {_short(value)}; write it as left - right")
        kind = type(value).__name__
        raise ParseError(f"{where}: found {_short(value)} ({kind}) where an expression was needed; give {_ACCEPTED}")
    swap: dict[Any, Any] = {}
    for rate in value.atoms(sympy.Derivative):
        if not isinstance(rate.expr, AppliedUndef):
            swap[rate] = rate.doit()  # d/dt of an expression, left standing by the user
    if swap:
        value, swap = value.xreplace(swap), {}
    times: set[Any] = set()
    for moving in value.atoms(AppliedUndef):
        if not functions_of_time:
            raise ParseError(f"{where}: found the function {moving} where symbols are expected; write {moving.func}")
        if len(moving.args) != 1 or not isinstance(moving.args[0], sympy.Symbol):
            raise ParseError(f"{where}: {moving} is not a function of time alone, such as x(t)")
        times.add(moving.args[0])
        swap[moving] = sympy.Symbol(moving.func.__name__)
    if len(times) > 1:
        raise ParseError(f"{where}: functions of {' and of '.join(sorted(map(str, times)))}; time needs one symbol")
    for rate in value.atoms(sympy.Derivative):
        swap[rate] = sympy.Symbol(_rate_name(rate, times, where))
    for number in value.atoms(sympy.Float):
        swap[number] = sympy.Float(float(number))
    for step in value.atoms(sympy.Heaviside):
        inner = se.sympify(step.args[0].xreplace(swap))
        swap[step] = sympy.sympify(heaviside(inner))
    for step in value.atoms(sympy.sign):
        if isinstance(step.args[0], sympy.Pow):  # SymEngine may look for its sign for ever; our own does not
            swap[step] = sympy.sympify(sign(se.sympify(step.args[0].xreplace(swap))))
    try:
        return se.sympify(value.xreplace(swap))
    except (se.SympifyError, RuntimeError, TypeError, NotImplementedError) as trouble:
        raise ParseError(f"{where}: nonholo does not compute with {_short(value)} ({_short(trouble)})") from None


def _rate_name(rate: Any, times: set[Any], where: str) -> str:
    order = sum(count for _, count in rate.variable_count)
    if {variable for variable, _ in rate.variable_count} != times:
        raise ParseError(f"{where}: {rate} is not a derivative by time")
    if order != 1:
        raise ParseError(f"{where}: {rate} has order {order}; only coordinates and their first rates may appear")
    return f"{rate.expr.func.__name__}dot"


def names_of(value: object, where: str) -> tuple[str, ...]:
    """Names from ``"theta x y"``, ``"theta, x, y"`` or a sequence of text, symbols or functions of time.

    >>> names_of("theta, x y", "coordinates")
    ('theta', 'x', 'y')
    """
    if isinstance(value, str):
        found = value.replace(",", " ").split()
    elif isinstance(value, (Sequence, np.ndarray)) or (_is_sympy(value) and hasattr(value, "__len__")):
        found = [_one_name(item, where) for item in cast(Iterable[object], value)]
    elif value is None:
        found = []
    else:
        found = [_one_name(value, where)]
    result = tuple(plain(name) for name in found)
    seen: set[str] = set()
    for name in result:
        check_name(name, where)
        if name in seen:
            again = [m.start() for m in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", value)] if isinstance(value, str) else []
            passage = Passage(str(value), again[1]) if len(again) > 1 else None
            raise ModelError(f"{where}: the name {name!r} appears twice; every name must be different", passage=passage)
        seen.add(name)
    return result


def _one_name(item: object, where: str) -> str:
    if isinstance(item, str):
        return item.strip()
    if isinstance(item, se.Symbol):
        return str(item.name)
    if isinstance(item, se.FunctionSymbol):
        return str(item.get_name())
    if _is_sympy(item):
        import sympy
        from sympy.core.function import AppliedUndef

        if isinstance(item, sympy.Symbol):
            return str(item.name)
        if isinstance(item, AppliedUndef):
            return str(item.func.__name__)
        if isinstance(item, sympy.Derivative) and isinstance(item.expr, AppliedUndef):
            return _rate_name(item, set(item.expr.args), where)
    raise ModelError(f"{where}: found {_short(item)} ({type(item).__name__}) where a name was needed")


def plain_name(written: str) -> str:
    r"""A name that SymPy or LaTeX takes as one that text can hold; plain names stay.

    >>> [plain_name(s) for s in (r"\theta_{1}", "m_{b,2}", "E", "lambda", "x'", "q1")]
    ['theta_1', 'm_b_2', 'E_', 'lam', 'x', 'q1']
    """
    name = plain(written)
    if not name.isidentifier():
        name = re.sub(r"\W+", "_", re.sub(r"[\\{}]", "", name)).strip("_") or "x"
        name = f"_{name}" if name[0].isdigit() else name
    if name == "lambda":
        return "lam"
    return f"{name}_" if keyword.iskeyword(name) or name in RESERVED else name


def check_name(name: str, where: str) -> None:
    """Refuse what cannot name a coordinate, speed, parameter or input."""
    if keyword.iskeyword(name):
        advice = "lam" if name == "lambda" else f"{name}_"
        raise ModelError(f"{where}: {name!r} is a word of Python; rename it, for instance {advice}")
    if not name.isidentifier():
        raise ModelError(f"{where}: {name!r} is not a name; use letters, digits and _, not beginning with a digit")
    if name in RESERVED:
        raise ModelError(f"{where}: {name!r} is a function or constant of expressions; rename it, for instance {name}_")
    if name.startswith("__"):
        raise ModelError(f"{where}: {name!r} begins with two underscores; rename it")


def check_clashes(groups: Mapping[str, Sequence[str]]) -> None:
    """Refuse a name that two groups share; coordinates bring their rates with them.

    >>> check_clashes({"coordinates": ["x"], "parameters": ["xdot"]})
    Traceback (most recent call last):
    ...
    nonholo.errors.ModelError: the parameter 'xdot' is also the rate of the coordinate 'x'; rename one
    """
    check_lookalikes([name for group in groups.values() for name in group])
    owners: dict[str, str] = {}
    coordinates = tuple(groups.get("coordinates", ()))
    everything = dict(groups)
    if "rates" not in everything:
        everything["rates"] = [f"{name}dot" for name in coordinates]
    # Coordinates and rates first: a clash is then told from the side of the name that can be changed.
    order = sorted(everything, key=lambda group: {"coordinates": 0, "rates": 1}.get(group, 2))
    for group in order:
        for name in everything[group]:
            described = _describe(group, name, coordinates)
            if name in owners:
                _clash(group, name, owners[name], coordinates)
            owners[name] = described


LOOKALIKES = str.maketrans(
    "аеорсухіјѕԁһӏԛԝАВЕКМНОРСТХУІЈЅοιυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeopcyxijsdhlqwABEKMHOPCTXYIJSoiuABEZHIKMNOPTYX"
)
"""Cyrillic and Greek letters -> the Latin ones they look like."""


def check_lookalikes(names: Sequence[str]) -> None:
    """Refuse two names that a reader cannot tell apart.

    >>> check_lookalikes(["x", "\u0445"])
    Traceback (most recent call last):
    ...
    nonholo.errors.ModelError: the names 'x' and 'х' look alike, but the second has CYRILLIC SMALL LETTER HA; rename one
    """
    known: dict[str, str] = {}
    for name in names:
        other = known.setdefault(name.translate(LOOKALIKES), name)
        if other != name:
            import unicodedata

            strange = next(c for c, d in zip(name + other, other + name) if c != d and not c.isascii())
            which = "second" if strange in name else "first"
            raise ModelError(
                f"the names {other!r} and {name!r} look alike, but the {which} has {unicodedata.name(strange)}; rename one"
            )


def _describe(group: str, name: str, coordinates: Sequence[str]) -> str:
    if group == "rates":
        stem = name.removesuffix("dot")
        return f"the rate of the coordinate {stem!r}" if stem in coordinates else f"the rate {name!r}"
    return f"the {_singular(group)} {name!r}"


TABLES = {"parameter": "parameters", "input": "inputs", "quasi-velocity": "quasivelocities", "coordinate": "coordinates"}
"""Kinds of names -> the table of a system that declares them."""


def _clash(group: str, name: str, owner: str, coordinates: Sequence[str]) -> NoReturn:
    here = _describe(group, name, coordinates)
    with about(TABLES.get(group, group), name):
        if here == owner:
            raise ModelError(f"{here} appears twice among the {group}; every name must be different")
        if owner.startswith("the rate of"):
            raise ModelError(f"{here} is also {owner}; rename one")
        if here.startswith("the rate of"):
            raise ModelError(f"{owner} is also {here}; rename one")
        article = "the " if owner.startswith("the time") else "an " if owner.startswith("the input") else "a "
        raise ModelError(f"{here} is also {owner.replace(f' {name!r}', '').replace('the ', article, 1)}; rename one")


def _singular(group: str) -> str:
    return group.removesuffix("ies") + "y" if group.endswith("ies") else group.removesuffix("s")


def is_formula(value: Any) -> bool:
    """Whether the value is text or an expression, and not a number, a table or a Python function.

    >>> is_formula("sin(t)"), is_formula(0.5), is_formula(len)
    (True, False, False)
    """
    return isinstance(value, str) or type(value).__module__.split(".")[0] in ("sympy", "symengine")


_EQUATION = re.compile(r"(?<![<>=!:])=(?!=)")


def difference(residual: Any) -> Any:
    """``left - (right)`` of an equation; everything else as it is.

    >>> difference("xdot = r*phidot")
    'xdot - (r*phidot)'
    """
    if isinstance(residual, str):
        parts = _EQUATION.split(residual)
        return f"{parts[0].rstrip()} - ({parts[1].strip()})" if len(parts) == 2 and all(map(str.strip, parts)) else residual
    if type(residual).__name__ == "Equality":
        left, right = residual.args
        return left - right
    return residual
