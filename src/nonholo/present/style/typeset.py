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
from nonholo.notation.names import Notation, latex_name, notation
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
    return re.search(r"\d|_", word) is not None or re.match(r"\\(?!mathrm)", latex_name(word.removesuffix("dot"), [])) is not None


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





def typeset_fact(text: str) -> str:
    """A claim in words and unicode signs as HTML: letters that stand for quantities in italics, their indices lowered.

    >>> typeset_fact("a solid ball: Ω2 − Ω1 s is constant")
    'a solid ball: <i>Ω</i><sub>2</sub> − <i>Ω</i><sub>1</sub> <i>s</i> is constant'
    >>> typeset_fact("type I: the pace a p_i² in 5 m/s")
    'type I: the pace <i>a</i> <i>p</i><sub>i</sub>² in 5 m/s'
    """
    pieces, plain = [], 0
    for found in _LETTERS.finditer(text):
        letters, index = found.groups()
        few = len(_MARKS.sub("", letters)) <= (1 if letters.isascii() else 3) or letters in ("dt", "dy", "kt")
        if not few or _is_word(text, found):
            continue
        lowered = f"<sub>{escape(index.strip('_{}'))}</sub>" if index else ""
        pieces += [escape(text[plain : found.start()]), f"<i>{letters}</i>{lowered}"]
        plain = found.end()
    drawn = "".join([*pieces, escape(text[plain:])]).replace("sqrt(", "√(")
    return re.sub(r"\^\{?(<i>[^<]*</i>)\}?", r"<sup>\1</sup>", drawn)


_MARKS = re.compile("[\u0300-\u036f]")
_LETTERS = re.compile(rf"(?<![’'])((?:[^\W\d_²³¹½⁰-ₜ]{_MARKS.pattern}*)+)(\d+|_\{{[^}}]*\}}|_[^\W_])?")
_AFTER_A_NAME = re.compile(r"(?:and|as|at|in|is|with|cos|sin|tan|sqrt|exp)\b")


def _is_word(text: str, found: re.Match[str]) -> bool:
    """Whether a single letter is an article, a numeral or part of a unit."""
    before, after = text[: found.start()].rstrip(), text[found.end() :].lstrip()
    if before.endswith(("type", "case")) or "m/s" in (text[found.start() :][:3], text[: found.end()][-3:]):
        return True
    return found[0] == "a" and re.match("[A-Za-z]{2}", after) is not None and not _AFTER_A_NAME.match(after)
