"""Functions and constants that an expression may use."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence

import symengine as se

from nonholo.algebra.expression_types import Expr
from nonholo.errors import meant
from nonholo.notation.number_limits import Refusal, angle, finite, is_constant, is_real, is_zero, power, sign


def logarithm(x: Expr, base: Expr | None = None) -> Expr:
    """The natural logarithm, or that to a base (SymEngine's own two-argument form loads SymPy)."""
    if base is None:
        return se.log(x)
    below = se.log(base)
    if is_constant(base) and (is_zero(below) or not is_real(below)):
        raise Refusal(f"a logarithm to the base {base}", 1)
    return se.log(x) / below


def square_root(x: Expr) -> Expr:
    """The square root, as the power 1/2."""
    return power(x, se.Rational(1, 2))


def heaviside(x: Expr) -> Expr:
    """The unit step, 1/2 at zero as in SymPy; by pieces, since machine code has no word for it."""
    return se.Piecewise((se.Integer(0), se.Lt(x, 0)), (se.Integer(1), se.Lt(0, x)), (se.Rational(1, 2), True))


_ONE_ARGUMENT: dict[str, Callable[..., Expr]] = {
    "sin": se.sin, "cos": se.cos, "tan": se.tan, "cot": se.cot, "sec": se.sec, "csc": se.csc,
    "asin": se.asin, "acos": se.acos, "atan": se.atan,
    "sinh": se.sinh, "cosh": se.cosh, "tanh": se.tanh, "coth": se.coth, "sech": se.sech, "csch": se.csch,
    "asinh": se.asinh, "acosh": se.acosh, "atanh": se.atanh,
    "exp": se.exp, "sqrt": square_root, "Abs": se.Abs, "abs": se.Abs, "sign": sign,
    "floor": se.floor, "ceiling": se.ceiling, "Heaviside": heaviside,
}  # fmt: skip

FUNCTIONS: dict[str, tuple[Callable[..., Expr], int, int | None]] = {
    **{name: (function, 1, 1) for name, function in _ONE_ARGUMENT.items()},
    "log": (logarithm, 1, 2),
    "ln": (se.log, 1, 1),
    "atan2": (angle, 2, 2),
    "Max": (se.Max, 1, None),
    "max": (se.Max, 1, None),
    "Min": (se.Min, 1, None),
    "min": (se.Min, 1, None),
}
"""Name -> (SymEngine function, fewest arguments, most arguments or None)."""

CONDITIONS: dict[str, tuple[Callable[..., Expr], int, int | None]] = {
    "And": (se.And, 1, None),
    "Or": (se.Or, 1, None),
    "Not": (se.Not, 1, 1),
    "Eq": (se.Eq, 2, 2),
    "Ne": (se.Ne, 2, 2),
}
"""Functions that make a condition of a Piecewise; the first three take conditions, the others values."""

CONSTANTS: dict[str, Expr] = {"pi": se.pi, "E": se.E}

RESERVED = frozenset({*FUNCTIONS, *CONDITIONS, *CONSTANTS, "Piecewise"})
"""Words that no coordinate, speed, parameter or input may be called."""


def plain(name: str) -> str:
    """The spelling Python gives an identifier (NFKC), so that ϕ declared is φ found.

    >>> plain("\\u03d5") == "\\u03c6"
    True
    """
    return unicodedata.normalize("NFKC", name)


def suggestion(name: str, candidates: Iterable[str], also: Iterable[str] = ()) -> str:
    """A sentence that offers the nearest of the known names, or lists ``candidates`` when nothing is near.

    >>> suggestion("teta", ["theta", "x"]), suggestion("q", ["theta", "x"])
    ("did you mean 'theta'?", 'known names: theta, x')
    """
    pool = list(dict.fromkeys(candidates))
    shown = ", ".join(pool[:12]) + (", …" if len(pool) > 12 else "")
    return near_name(name, pool, also) or (f"known names: {shown}" if pool else "no names are declared here")


def near_name(name: str, candidates: Iterable[str], also: Iterable[str] = ()) -> str:
    """A question that offers the nearest of the known names; empty when nothing is near."""
    pool = list(dict.fromkeys(candidates))
    everything = [*pool, *also]
    if name.endswith("ddot") and f"{name[:-4]}dot" in pool:
        return "only coordinates and their first rates may appear"
    rate = next((f"{stem}dot" for stem in _dotted(name) if f"{stem}dot" in pool), None)
    same = rate or next((c for c in everything if c.lower() == name.lower()), None)
    return f"did you mean {same!r}?" if same is not None else meant(name, everything)


def _dotted(name: str) -> list[str]:
    """What is meant when the rate of x is written ẋ, x', dx, Dx, xd, xp, dotx, d_x …"""
    letters = unicodedata.normalize("NFD", name)
    stems = [unicodedata.normalize("NFKC", letters.replace("\u0307", ""))] if "\u0307" in letters else []
    for before in ("dot_", "dot", "d_", "d", "D"):
        stems += [name.removeprefix(before)] if name.startswith(before) else []
    for after in ("_dot", "_d", "_t", "d", "p"):
        stems += [name.removesuffix(after)] if name.endswith(after) else []
    return stems


def applied(name: str, arguments: Sequence[Expr]) -> Expr:
    """A function of the table at its arguments, refused where constants give no finite real value.

    >>> applied("sqrt", [se.Integer(4)])
    2
    """
    function = FUNCTIONS[name][0]
    try:
        value = function(*arguments)
    except Refusal:
        raise Refusal(f"{name}({', '.join(str(a)[:40] for a in arguments)}) is not a finite real number") from None
    except (RuntimeError, TypeError) as trouble:
        raise Refusal(f"{name} has no value here ({trouble})") from trouble
    if len(arguments) == 1 and isinstance(arguments[0], se.Add):
        value = _flat(value)
    if all(is_constant(a) for a in arguments) and not is_real(value):
        raise Refusal(f"{name}({', '.join(str(a)[:40] for a in arguments)}) is not a finite real number")
    return finite(value)


def _flat(value: Expr) -> Expr:
    """``±f(sum)`` with no sum inside the sum: odd and even functions turn ``a - (b + c)`` into such a one."""
    outer, inner = (value.args[0], value.args[1]) if isinstance(value, se.Mul) else (1, value)
    if len(inner.args) != 1 or not isinstance(inner.args[0], se.Add):
        return value
    terms = inner.args[0].args
    if not any(isinstance(t, se.Add) for t in terms):
        return value
    level = [part for t in terms for part in (t.args if isinstance(t, se.Add) else (t,))]
    return outer * inner.func(se.Add(*level))
