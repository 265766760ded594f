"""Scan user text character by character before Python's parser sees it."""

from __future__ import annotations

import keyword
import math
import re
import unicodedata
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from nonholo.errors import ParseError, Passage
from nonholo.notation.functions import FUNCTIONS
from nonholo.notation.number_limits import DIGIT_LIMIT

LENGTH_LIMIT = 100_000
DEPTH_LIMIT = 150
PREFIX_LIMIT = 100
CHUNK = 64
"""A longer sum is cut into pieces of this many terms: Python's syntax tree leans left, one level per term."""

_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<number>(?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<operator>\*\*|<=|>=|==|!=|//|:=|<<|>>|[-+*/(),<>&|~])"
)
_WORDS = frozenset({"and", "or", "not"})
_ENDS_CHAIN = frozenset({",", "<", ">", "<=", ">=", "==", "!=", "&", "|", "and", "or", "not"})
_ADVICE = {
    "^": "a power is written with **, as in x**2",
    "=": "an equation is written as left - (right); a comparison inside Piecewise with ==",
    "%": "there is no remainder; use floor",
    "//": "there is no whole division; use floor(a/b)",
    "<<": "not part of an expression",
    ">>": "not part of an expression",
    ":=": "names are not assigned here",
    "[": "use round brackets",
    "]": "use round brackets",
    "{": "use round brackets",
    "}": "use round brackets",
    ".": "a name has no parts; numbers are written 0.5",
    "'": "the rate of x is written xdot; text in quotes has no place in an expression",
    '"': "text in quotes has no place in an expression",
    "#": "comments have no place in an expression",
    "−": "use the minus sign of the keyboard, -",
    "·": "a product is written with *",
    "×": "a product is written with *",
    "⋅": "a product is written with *",
    "÷": "a quotient is written with /",
    "–": "use the minus sign of the keyboard, -",
    "\\": "LaTeX is not read; the rate of x is written xdot, a fraction a/b, and letters as theta or θ",
    "°": "angles are in radians, as in pi/6",
    "√": "a root is written sqrt(x)",
    "!": "there are no factorials",
}


@dataclass(frozen=True)
class Source:
    """A text with the name of the place it comes from, able to point at itself."""

    text: str
    where: str
    written: str = ""
    """The text as the user wrote it, with as many characters."""

    def fail(self, offset: int, problem: str, unknown: str = "") -> NoReturn:
        """Raise the one error a person meets: place, position, what was found, what to do, and a caret."""
        raise self.error(offset, problem, unknown)

    def error(self, offset: int, problem: str, unknown: str = "") -> ParseError:
        passage = Passage(self.written or self.text, max(0, min(offset, len(self.text))))
        return ParseError(f"{self.where}: {problem}", passage=passage, unknown=unknown)


@dataclass(frozen=True)
class Chain:
    """A long sum at ``text[start:stop]``; ``cuts`` are the offsets of its binary + and -."""

    start: int
    stop: int
    cuts: tuple[int, ...]


class Scanned(NamedTuple):
    """What a first look finds, each inner ones first: long sums; brackets, with the name that is called."""

    chains: list[Chain]
    brackets: list[tuple[int, int]]


def scan(source: Source) -> Scanned:
    """Check characters, numbers and brackets, and return the long sums and the brackets."""
    text = source.text
    if len(text) > LENGTH_LIMIT:
        way_out = "give the formula as a SymPy or SymEngine expression, which may be of any length"
        source.fail(LENGTH_LIMIT, f"{len(text)} characters, more than the {LENGTH_LIMIT} that text may have; {way_out}")
    if not text.strip():
        source.fail(0, "empty where an expression was needed; write 0 if nothing is meant")
    chains: list[Chain] = []
    brackets: list[tuple[int, int]] = []
    opened: list[int] = []
    starts: list[int] = [0]
    cuts: list[list[int]] = [[]]
    called: dict[int, int] = {}
    names: set[str] = set()
    quoted = "'" in text or '"' in text  # then what follows a name matters
    position, previous, last, prefixes = 0, "(", 0, 0
    operand_before = False
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            _strange(source, position)
        kind, token = match.lastgroup, match.group()
        if kind == "number":
            _check_number(source, match)
        elif kind == "name":
            if quoted or token not in names:
                _check_name(source, match)
                names.add(token)
        elif token in _ADVICE:
            _strange(source, position)
        if kind != "space":
            value = kind == "number" or (kind == "name" and token not in _WORDS)
            if operand_before and value:
                if previous in FUNCTIONS:
                    source.fail(position, f"{token[:40]!r} directly after {previous}; write {previous}({token[:40]})")
                source.fail(position, f"{token[:40]!r} directly after a value; an operator such as * is missing")
            if token in ("-", "+", "~", "not") and not operand_before:
                prefixes += 1
                if prefixes > PREFIX_LIMIT:
                    source.fail(position, f"more than {PREFIX_LIMIT} signs in a row")
            else:
                prefixes = 0
            if token in ("+", "-") and operand_before:
                cuts[-1].append(position)
            elif token in ("*", "**") and previous in ("(", ","):
                source.fail(position, f"{token} without a left side; starred arguments are not expressions")
            elif token == "(":
                if previous == ")" or previous[0].isdigit():
                    source.fail(position, "a bracket directly after a value; write * for a product")
                opened.append(position)
                if operand_before:
                    called[position] = last
                if len(opened) > DEPTH_LIMIT:
                    source.fail(position, f"brackets nested more than {DEPTH_LIMIT} deep")
                starts.append(match.end())
                cuts.append([])
            elif token == ")":
                if not opened:
                    source.fail(position, "a closing bracket that was never opened")
                begun = opened.pop()
                brackets.append((called.pop(begun, begun), match.end()))
                _close(chains, starts.pop(), position, cuts.pop())
            elif token in _ENDS_CHAIN:
                _close(chains, starts[-1], position, cuts[-1])
                starts[-1], cuts[-1] = match.end(), []
            previous, last = token, position
            operand_before = value or token == ")"
        position = match.end()
    if opened:
        source.fail(opened[-1], "a bracket that is never closed")
    if previous in ("+", "-", "*", "/", "**"):
        source.fail(len(text), f"ends with {previous} where a value was needed")
    _close(chains, starts[-1], len(text), cuts[-1])
    return Scanned(chains, brackets)


def _close(chains: list[Chain], start: int, stop: int, cuts: list[int]) -> None:
    if len(cuts) > CHUNK:
        chains.append(Chain(start, stop, tuple(cuts)))


DOTS = {"\u0307": "dot", "\u0308": "ddot"}
"""Combining marks for rates."""


def _strange(source: Source, position: int) -> NoReturn:
    if source.text[position] in DOTS:
        before = re.search(r"\w+$", source.text[:position])
        name, dots = before.group() if before else "x", DOTS[source.text[position]]
        spelt = unicodedata.name(name[-1], "").removeprefix("GREEK SMALL LETTER ").lower()
        other = f", or {spelt}{dots} where the coordinate is called {spelt}" if spelt.isidentifier() else ""
        source.fail(position, f"a dot above a letter: the rate of {name} is written {name}{dots}{other}")
    pair = source.text[position : position + 2]
    found = pair if pair in _ADVICE else pair[0]
    shown = repr(found) if found.isprintable() else f"control character {found!r}"
    source.fail(position, f"unexpected {shown}: {_ADVICE.get(found, 'not part of an expression')}")


def _check_number(source: Source, match: re.Match[str]) -> None:
    token, following = match.group(), source.text[match.end() : match.end() + 1]
    if following in ("j", "J") and not source.text[match.end() + 1 : match.end() + 2].isalnum():
        source.fail(match.start(), f"imaginary number {token}{following}; expressions are real")
    if following.isalpha() or following == "_" or (following == "." and "." in token):
        source.fail(match.end(), f"{following!r} directly after the number {token[:20]}; write * for a product")
    if not token.isascii():
        source.fail(match.start(), f"the number {token[:20]} is not written with the digits 0 to 9")
    mantissa = re.split("[eE]", token)[0]
    if len(mantissa) > DIGIT_LIMIT:
        source.fail(match.start(), f"a number of {len(mantissa)} digits; at most {DIGIT_LIMIT} are allowed")
    if re.fullmatch(r"0[\d_]*[1-9][\d_]*", token):
        source.fail(match.start(), f"the number {token[:20]} begins with 0; drop the leading zeros")
    if not re.fullmatch(r"[\d_]+", token):
        value = float(token)
        if math.isinf(value):
            source.fail(match.start(), f"the number {token[:20]} is too large (the largest is about 1.8e308)")
        if value == 0.0 and re.search("[1-9]", mantissa):
            source.fail(match.start(), f"the number {token[:20]} is too small (the smallest is about 5e-324); write 0")


def _check_name(source: Source, match: re.Match[str]) -> None:
    token = match.group()
    if token.startswith("__"):
        source.fail(match.start(), f"{token[:40]!r}: names do not begin with two underscores")
    if not token.isidentifier():
        source.fail(match.start(), f"{token[:40]!r} is not a name; powers are written x**2, indices x2")
    if keyword.iskeyword(token) and token not in _WORDS and token not in ("True", "False"):
        advice = "; rename it, for instance lam" if token == "lambda" else ""
        source.fail(match.start(), f"{token!r} is a word of Python, not part of an expression{advice}")
    following = source.text[match.end() : match.end() + 1]
    if following in ("'", '"'):
        source.fail(match.end(), f"unexpected {following!r}: {_ADVICE[following]}")
