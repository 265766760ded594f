"""Text to expressions by a whitelist of Python's syntax tree; text is read, never run."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple, NoReturn

import symengine as se

from nonholo.algebra.cache import Cache
from nonholo.algebra.calculus import nodes
from nonholo.algebra.expression_types import Expr
from nonholo.errors import ParseError
from nonholo.notation.functions import CONDITIONS, CONSTANTS, FUNCTIONS, RESERVED, applied, near_name, plain, suggestion
from nonholo.notation.number_limits import Refusal, check_length, is_real, minus, power, product, total
from nonholo.notation.scan import CHUNK, Chain, Source, scan

Combine = Callable[[list[Expr]], Expr]

_COMPARISONS: dict[type[ast.cmpop], Callable[[Expr, Expr], Expr]] = {
    ast.Lt: se.Lt,
    ast.LtE: se.Le,
    ast.Gt: se.Gt,
    ast.GtE: se.Ge,
    ast.Eq: se.Eq,
    ast.NotEq: se.Ne,
}
_WORDS = (*CONSTANTS, *FUNCTIONS, "Piecewise")
_RATE = "the rate of x is written xdot"
_MEANT = {"pow": "a power is written x**2", "diff": _RATE, "derivative": _RATE, "d": _RATE, "dot": _RATE, "der": _RATE}
"""What to write instead of functions of other notations."""
_LOGIC = (ast.Not, ast.Invert, ast.BitAnd, ast.BitOr)
_HOLE = "__"
SHORTEST = 7
"""Brackets shorter than this are read again wherever they stand; a hole must fit into their place."""
_MORE_THAN_A_VALUE = re.compile(r"[.,<>=!&|~]|\d[eE]|\b(?:and|or|not|True|False|Piecewise)\b")
"""Conditions and pieces have a meaning by where they stand; decimals are rounded in the order of the whole."""
_WRAPPED = re.compile(r"\b(?:np|numpy)\.(?:float|int)\d*\((\s*[-+]?[\d.]+(?:[eE][-+]?\d+)?\s*)\)")
"""A number as NumPy 2 writes it into an f-string with !r: np.float64(0.3)."""
DEEPEST = 200
"""Operations inside each other; what walks over expressions later must not lose its footing."""


class _Want(NamedTuple):
    """A part of the tree still to be built, as a value or as a condition."""

    node: ast.expr
    condition: bool = False


class _Join(NamedTuple):
    """Parts already built, to be combined."""

    node: ast.expr
    parts: Sequence[ast.expr]
    combine: Combine


_WORD = re.compile(r"[^\W\d]\w*")
LONG = 100_000
"""Longer texts are parsed each time."""
_parsed: Cache[Expr] = Cache(512)
"""Expressions by text and declared names: drawings, symmetries and files give the same texts to several questions."""


def parse(text: str, names: Collection[str], where: str = "expression") -> Expr:
    """The SymEngine expression that ``text`` writes in the symbols ``names``.

    Integers stay exact (``1/2`` is a rational), decimals become doubles; ``pi`` and ``E`` are constants.

    >>> from nonholo.notation.write import to_text
    >>> to_text(parse("1/2*(xdot**2 + ydot**2)*m", ["m", "xdot", "ydot"]))
    'm*(xdot**2 + ydot**2)/2'
    >>> parse("sin(teta)", ["theta"], "lagrangian")
    Traceback (most recent call last):
    ...
    nonholo.errors.ParseError: lagrangian: unknown name 'teta'; did you mean 'theta'? (at column 5)
        sin(teta)
            ^
    """
    symbols = {plain(name): name for name in names}
    key = (text, tuple(symbols.get(plain(word)) for word in _WORD.findall(text)))
    known = _parsed.found(key)
    if known is None:
        known = _parse(text, symbols, where)
        if len(text) < LONG:
            _parsed.put(key, known)
    return known


def _parse(written: str, symbols: Mapping[str, str], where: str) -> Expr:
    """What `parse` answers, with declared names by their plain spelling."""
    text = _WRAPPED.sub(_unwrapped, written)
    source = Source(text, where, written)
    chains, brackets = scan(source)
    repeats = _repeats(text, brackets)
    if repeats:
        with suppress(ParseError):  # what is wrong is told below, where the whole text is read in one piece
            return _read(source, symbols, chains, repeats)
    return _read(source, symbols, chains, {})


def _unwrapped(found: re.Match[str]) -> str:
    """The number alone, as wide as what stood there, so that positions stay true."""
    return f"({found.group(1)})".ljust(len(found.group()))


def _read(source: Source, names: Mapping[str, str], chains: Sequence[Chain], repeats: Mapping[int, tuple[int, int]]) -> Expr:
    """The text from the inside out: long sums, and what stands there twice, leave holes as wide, so that positions stay true."""
    reader = _Reader(source, names)
    rest = list(re.sub(r"\s", " ", source.text))
    known: dict[str, str] = {}
    parts: list[tuple[int, int, Chain | None]] = [(start, stop, None) for stop, (start, _) in repeats.items()]
    for start, stop, chain in sorted([*parts, *((c.start, c.stop, c) for c in chains)], key=lambda part: part[1]):
        text = source.text[start:stop]
        hole = known.get(text, "") if chain is None else ""
        if not hole:
            hole = f"{_HOLE}{len(reader.holes)}"
            if chain is not None:
                reader.holes[hole] = reader.chain("".join(rest), chain)
            else:
                reader.holes[hole] = reader.read("".join(rest[start:stop]), start)
            reader.depths[hole] = reader.depth
            known[text] = hole
        rest[start:stop] = hole.ljust(stop - start)
    expr = reader.read("".join(rest), 0)
    for number in nodes([expr]):
        if isinstance(number, se.Number) and not is_real(number):
            source.fail(0, "numbers that multiply or add up to infinity or to no number")
    return expr


def _repeats(text: str, brackets: Sequence[tuple[int, int]]) -> dict[int, tuple[int, int]]:
    """Brackets (and calls) that stand there more than once, by their ends: plain exact values, long enough for a hole."""
    found: dict[str, list[tuple[int, int]]] = {}
    for start, stop in brackets:
        if stop - start >= SHORTEST:
            found.setdefault(text[start:stop], []).append((start, stop))
    return {
        stop: (start, stop)
        for inside, places in found.items()
        if len(places) > 1 and not _MORE_THAN_A_VALUE.search(inside)
        for start, stop in places
    }


class _Reader:
    """One text on its way to an expression: the declared names, and the sums already read."""

    def __init__(self, source: Source, names: Mapping[str, str]) -> None:
        self.source = source
        self.symbols = {found: se.Symbol(declared) for found, declared in names.items()}
        self.names = tuple(names.values())
        self.holes: dict[str, Expr] = {}
        self.depths: dict[str, int] = {}
        self.depth = 0
        self.piece = ""
        self.start = 0

    def chain(self, text: str, chain: Chain) -> Expr:
        """A long sum, some terms at a time; each piece keeps the sign before it."""
        bounds = [chain.start, *chain.cuts[CHUNK - 1 :: CHUNK], chain.stop]
        pieces: list[Expr] = []
        try:
            deepest = 0
            for start, stop in pairwise(bounds):
                pieces.append(self.read(text[start:stop], start))
                deepest = max(deepest, self.depth)
                check_length(pieces)
            self.depth = deepest
            return total(pieces)
        except Refusal as refusal:
            self.source.fail(chain.start, str(refusal))

    def read(self, piece: str, start: int) -> Expr:
        """The value of ``piece``, which stands at offset ``start`` of the source."""
        self.piece, self.start = piece, start
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # SyntaxWarning: 'int' object is not callable
                tree = ast.parse(f"({piece})", mode="eval")
        except SyntaxError as trouble:
            offset = start + (trouble.offset or 1) - 2
            reason = "nested too deeply; split it" if "nested" in trouble.msg else "cannot be read here"
            self.source.fail(offset, f"{reason}: an operator, a value or a comma is missing or out of place")
        except (RecursionError, MemoryError):
            self.source.fail(start, "nested too deeply; write the expression in smaller parts")
        except ValueError as trouble:
            self.source.fail(start, f"cannot be read ({trouble})")
        return self.build(tree.body)

    def build(self, root: ast.expr) -> Expr:
        """Walk the tree with a stack of our own, so that no depth of text exhausts Python's."""
        tasks: list[_Want | _Join] = [_Want(root)]
        values: list[Expr] = []
        depths: list[int] = []
        while tasks:
            task = tasks.pop()
            if isinstance(task, _Join):
                count = len(task.parts)
                arguments = values[-count:]
                depth = 1 + max(depths[-count:])
                del values[-count:], depths[-count:]
                if depth > DEEPEST:
                    self.fail(task.node, f"more than {DEEPEST} operations inside each other; write it in smaller parts")
                depths.append(depth)
                try:
                    values.append(task.combine(arguments))
                except Refusal as refusal:
                    node = task.node if refusal.culprit is None else task.parts[refusal.culprit]
                    self.fail(node, str(refusal))
            elif isinstance(task.node, (ast.Name, ast.Constant)):
                values.append(self.leaf(task.node, task.condition))
                depths.append(self.depths.get(task.node.id, 0) if isinstance(task.node, ast.Name) else 0)
            else:
                wants, combine = self.branch(task.node, task.condition)
                tasks.append(_Join(task.node, [want.node for want in wants], combine))
                tasks.extend(reversed(wants))
        self.depth = depths[0]
        return values[0]

    def fail(self, node: ast.AST, problem: str, unknown: str = "") -> NoReturn:
        bytes_before = getattr(node, "col_offset", 1) - 1
        characters = len(self.piece.encode()[: max(bytes_before, 0)].decode(errors="ignore"))
        self.source.fail(self.start + characters, problem, unknown)

    def leaf(self, node: ast.Name | ast.Constant, condition: bool) -> Expr:
        if isinstance(node, ast.Constant):
            value = node.value
            if isinstance(value, bool):
                if condition:
                    return se.true if value else se.false
                self.fail(node, f"{value} where a value was needed; it may stand only as a condition of Piecewise")
            if condition:
                self.fail(node, f"the number {value!r} where a condition such as x < 0 was needed")
            if isinstance(value, int):
                return se.Integer(value)
            if isinstance(value, float):
                return se.RealDouble(value)
            self.fail(node, f"{type(value).__name__} where a number was needed")
        found = self.symbols.get(node.id)
        if found is None:
            found = self.holes.get(node.id)
        if found is None:
            found = CONSTANTS.get(node.id)
        if found is None:
            if node.id in RESERVED:
                self.fail(node, f"{node.id!r} is a function; write {node.id}(…)")
            strange = "" if near_name(node.id, self.names, _WORDS) else node.id
            self.fail(node, f"unknown name {node.id!r}; {suggestion(node.id, self.names, _WORDS)}", strange)
        if condition:
            self.fail(node, f"{node.id!r} where a condition such as {node.id} < 0 was needed")
        return found

    def branch(self, node: ast.expr, condition: bool) -> tuple[list[_Want], Combine]:
        """What a node needs first, and how to combine it."""
        if isinstance(node, ast.Call):
            return self.call(node, condition)
        logical = isinstance(node, (ast.Compare, ast.BoolOp)) or (
            isinstance(node, (ast.UnaryOp, ast.BinOp)) and isinstance(node.op, _LOGIC)
        )
        if logical:
            if not condition:
                if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq):
                    self.fail(node.comparators[0], "an equation is written as left - (right), which vanishes")
                self.fail(node, "a condition where a value was needed; it may stand only as a condition of Piecewise")
            return self.logic(node)
        if isinstance(node, (ast.BinOp, ast.UnaryOp)) and condition:
            self.fail(node, "a value where a condition such as x < 0 was needed")
        if isinstance(node, ast.UnaryOp):
            negative = isinstance(node.op, ast.USub)
            return [_Want(node.operand)], (lambda v: minus(v[0])) if negative else (lambda v: v[0])
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.Pow):
                return [_Want(node.left), _Want(node.right)], lambda v: power(v[0], v[1])
            if isinstance(node.op, (ast.Add, ast.Sub)):
                parts, taken = _spine(node, ast.Add, ast.Sub)
                return parts, lambda v: total([minus(x) if away else x for x, away in zip(v, taken, strict=True)])
            if isinstance(node.op, (ast.Mult, ast.Div)):
                parts, inverted = _spine(node, ast.Mult, ast.Div)
                return parts, lambda v: product(v, inverted)
        if isinstance(node, ast.Tuple):
            self.fail(node, "values separated by commas where one value was needed; decimals are written with a point")
        self.fail(node, f"{type(node).__name__} is not part of an expression")

    def logic(self, node: ast.expr) -> tuple[list[_Want], Combine]:
        if isinstance(node, ast.Compare):
            made = [_COMPARISONS.get(type(op)) for op in node.ops]
            if None in made:
                self.fail(node, "only < <= > >= == != compare values")

            def compare(v: list[Expr]) -> Expr:
                pairs = [make(a, b) for make, a, b in zip(made, v, v[1:], strict=False) if make is not None]
                return pairs[0] if len(pairs) == 1 else se.And(*pairs)

            return [_Want(part) for part in (node.left, *node.comparators)], compare
        if isinstance(node, ast.BoolOp):
            join = se.And if isinstance(node.op, ast.And) else se.Or
            return [_Want(part, True) for part in node.values], lambda v: join(*v)
        if isinstance(node, ast.UnaryOp):
            return [_Want(node.operand, True)], lambda v: se.Not(v[0])
        assert isinstance(node, ast.BinOp)
        both = se.And if isinstance(node.op, ast.BitAnd) else se.Or
        return [_Want(node.left, True), _Want(node.right, True)], lambda v: both(*v)

    def call(self, node: ast.Call, condition: bool) -> tuple[list[_Want], Combine]:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if not name or name in self.symbols or name in self.holes or name in CONSTANTS:
            self.fail(node.func, f"{name or 'a value'} followed by a bracket; write * for a product")
        if name not in RESERVED:
            advice = _MEANT.get(name.lower()) or suggestion(name, _WORDS)
            self.fail(node.func, f"unknown function {name!r}; {advice}")
        if node.keywords:
            self.fail(node, f"{name} takes plain arguments only")
        if condition != (name in CONDITIONS):
            needed = "a condition such as x < 0" if condition else "a value"
            self.fail(node, f"{name}(…) where {needed} was needed")
        if name == "Piecewise":
            return self.piecewise(node)
        function, fewest, most = CONDITIONS[name] if condition else FUNCTIONS[name]
        count = len(node.args)
        if count < fewest or (most is not None and count > most):
            needed = f"{fewest}" if most == fewest else f"at least {fewest}" if most is None else f"{fewest} or {most}"
            self.fail(node, f"{name} takes {needed} argument{'' if needed.endswith('1') else 's'}, found {count}")
        if condition:
            return [_Want(a, name in ("And", "Or", "Not")) for a in node.args], lambda v: function(*v)
        return [_Want(a) for a in node.args], lambda v: applied(name, v)

    def piecewise(self, node: ast.Call) -> tuple[list[_Want], Combine]:
        wants: list[_Want] = []
        for piece in node.args:
            if not isinstance(piece, ast.Tuple) or len(piece.elts) != 2:
                self.fail(piece, "a piece of Piecewise is written (value, condition)")
            wants += [_Want(piece.elts[0]), _Want(piece.elts[1], True)]
        if not wants:
            self.fail(node, "Piecewise needs pieces: Piecewise((value, condition), …, (value, True))")

        def combine(v: list[Expr]) -> Expr:
            if v[-1] != se.true:
                raise Refusal("the last piece of Piecewise must hold everywhere else: (value, True)", len(v) - 1)
            return se.Piecewise(*zip(v[::2], v[1::2], strict=True))

        return wants, combine


def _spine(node: ast.BinOp, plus: type[ast.operator], minus: type[ast.operator]) -> tuple[list[_Want], list[bool]]:
    """The operands of ``a + b - c …`` (or ``a * b / c …``) in order, and which of them are taken away."""
    parts: list[_Want] = []
    taken: list[bool] = []
    current: ast.expr = node
    while isinstance(current, ast.BinOp) and isinstance(current.op, (plus, minus)):
        parts.append(_Want(current.right))
        taken.append(isinstance(current.op, minus))
        current = current.left
    parts.append(_Want(current))
    taken.append(False)
    return parts[::-1], taken[::-1]
