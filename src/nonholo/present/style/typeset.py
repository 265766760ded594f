"""Find formulas in a sentence and typeset them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from html import escape
from typing import Any

from nonholo.errors import NonholoError
from nonholo.model.rotation_axes import system_notation
from nonholo.model.system import known_names
from nonholo.notation.functions import FUNCTIONS
from nonholo.notation.latex import to_latex
from nonholo.notation.names import GREEK, Notation, notation
from nonholo.notation.read import expression
from nonholo.present.style.mathml import mathml

_TOKEN = re.compile(r"[A-Za-z_]\w*|\d+(?:\.\d+)?(?:e[+-]?\d+)?|\*\*|.", re.S)
_MEANT = re.compile(r"\b([A-Za-z]\w*)(?:\*\*2| ?\*\([^()]*\))? = ")
_LEGENDRE = re.compile(r"P_nu\((-?\w+)\)")
_OPERATORS = frozenset({"+", "-", "*", "/", "**"})
LONG = 4000
"""Sentences with more letters are left as they are."""


def typeset(text: str, system: Any = None, names: Collection[str] = ()) -> str:
    """A sentence as HTML: what can be read as a formula in the names of the system is drawn, all else is escaped.

    Letters that the sentence itself explains (``k**2 = …``) count as names; a single letter is a word, not a formula.

    >>> typeset("a < 2, nu*(nu + 1) = x1**2", names=["x1"]).startswith("a &lt; 2, <math><mi>")
    True
    """
    if len(text) > LONG:
        return escape(text)
    known = {*(known_names(system) if system is not None else ()), *names, *_MEANT.findall(text), "pi"}
    spelling = system_notation(system) if system is not None else notation(rates=[n for n in names if n.endswith("dot")])
    spelling = spelling.with_constants(_MEANT.findall(text))
    pieces: list[str] = []
    plain = 0
    for start, end in _formulas(text, known):
        drawn = _as_mathml(text[start:end], known, spelling)
        if drawn is not None:
            pieces += [escape(text[plain:start]), mathml(drawn)]
            plain = end
    return "".join([*pieces, escape(text[plain:])])


def _formulas(text: str, known: Collection[str]) -> Iterator[tuple[int, int]]:
    """Where formulas begin and end, the longest at each place, from left to right."""
    tokens = [(m[0], m.start(), m.end()) for m in _TOKEN.finditer(text)]
    k = 0
    while k < len(tokens):
        called = _LEGENDRE.match(text, tokens[k][1])
        if called:
            yield called.span()
            while k < len(tokens) and tokens[k][1] < called.end():
                k += 1
            continue
        last = _longest(tokens, k, known)
        if last is None:
            k += 1
            continue
        yield tokens[k][1], tokens[last][2]
        k = last + 1


def _longest(tokens: list[tuple[str, int, int]], first: int, known: Collection[str]) -> int | None:
    """The last token of the longest formula that begins here; None when there is none worth drawing."""
    word = tokens[first][0]
    factor = word[0].isdigit() and first + 1 < len(tokens) and tokens[first + 1][0] == "*"
    if word not in known and word not in FUNCTIONS and word not in ("(", "-") and not factor:
        return None
    depth, operand, signs, named = 0, True, 0, False
    best: int | None = None
    for k in range(first, len(tokens)):
        word = tokens[k][0]
        if word == " ":
            continue
        if operand:
            if word == "(":
                depth += 1
            elif word in FUNCTIONS and word not in known:
                if k + 1 == len(tokens) or tokens[k + 1][0] != "(":
                    break
                signs += 1
            elif word in known or word[0].isdigit():
                operand, named = False, named or word in known
            elif word != "-":
                break
        elif word in _OPERATORS or (word == "=" and depth == 0):
            operand, signs = True, signs + 1
        elif word == ")" and depth:
            depth -= 1
        else:
            break
        if not operand and depth == 0:
            worth = signs or _unmistakable(tokens[k][0])
            best = k if named and worth else best
    return best


def _unmistakable(word: str) -> bool:
    """Whether a word alone is a symbol and no English."""
    return bool(re.search(r"\d|_", word)) or word in GREEK or word.removesuffix("dot") in GREEK


def _as_mathml(text: str, known: Collection[str], spelling: Notation) -> str | None:
    called = _LEGENDRE.fullmatch(text)
    if called:
        minus, name = ("- ", called[1][1:]) if called[1].startswith("-") else ("", called[1])
        return rf"\mathrm{{P}}_{{\nu}} \left({minus}{spelling.name(name)}\right)"
    try:
        sides = [to_latex(expression(side, tuple(known), "formula"), spelling=spelling) for side in text.split("=")]
    except NonholoError:
        return None
    return " = ".join(sides)



