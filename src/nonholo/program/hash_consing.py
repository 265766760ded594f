"""Hash-consing of deep expressions: equal parts become one object, so that SymEngine compares them by their address.

SymEngine compares two equal expressions that are not the same object as trees, in time exponential in the depth of a shared
graph. Where trees are short that is quick, and nothing here is used. Long ones (`is_deep`) are rebuilt bottom-up from parts that
stand in one table, by kind and numbers of their parts; an equal part is found there without a comparison.

A Python wrapper is identified with its object by the address: a wrapper holds one pointer behind Python's own head; equal
pointers of living objects mean the same object.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from ctypes import c_size_t
from itertools import count
from operator import itemgetter

import symengine as se
from symengine.lib.symengine_wrapper import Boolean, Set

from nonholo.program.expression_type import Expr

PLACE = se.Basic.__basicsize__ - 8
"""Offset of the pointer in a wrapper: the last word of the base class."""
WORDS = (c_size_t * (sys.maxsize >> 6)).from_address(0)
"""The words of this process's memory: the word of a wrapper is read twice as fast here as by an object of its own."""


def address(e: Expr) -> int:
    """The address of the object behind a wrapper; unique while the wrapper lives.

    >>> x, y = se.symbols("x y")
    >>> whole, copy = se.sin(x * y + 1), se.cos(x * y + 1)
    >>> address(whole.args[0]) == address(whole.args[0]), address(whole.args[0]) == address(copy.args[0])
    (True, False)
    """
    return WORDS[(id(e) + PLACE) >> 3]


def _readable() -> bool:
    """Whether wrappers are built as they are believed to be: a head of Python's, then the pointer."""
    if se.Basic.__basicsize__ != object.__basicsize__ + 8:
        return False
    x, y = se.symbols("x y")
    whole, other = se.sin(x * y + 1), se.sin(x * y + 1)
    first, second = whole.args[0], whole.args[0]
    third = other.args[0]
    return first is not second and address(first) == address(second) and address(first) != address(third) and first == third


READABLE = _readable()
"""Where a build of SymEngine's wrappers is another one, expressions are compared by value."""

TREE = 50_000
"""Expressions are deep when their trees have more nodes than this: comparing all parts with equal copies takes some 10 ms."""
PARTS, SIZES = 100_000, 4_096
"""Nodes and sizes in each of the two generations of the table; one deep expression may have more sizes."""
WHOLE = 2_000
"""Expressions that were read and are found again by their address."""
OPAQUE = (se.Derivative, se.Subs, se.Contains, Set)
"""Types that cannot be rebuilt from their arguments; SymEngine substitutes in them."""
Node = tuple[int, Expr]
"""The number of a node, never used again, and the one object for it."""
_NUMBER = itemgetter(0)
Key = tuple[object, ...]
Seen = dict[int, tuple[Expr, Node, bool]]
"""Address -> the object there, its node, and whether its parts are consed."""


class _Table(threading.local):
    """The nodes of deep expressions in this thread: those of the present generation, and of the one before."""

    def __init__(self) -> None:
        self.numbers = count()
        self.young: dict[Key, Node] = {}
        self.old: dict[Key, Node] = {}
        self.at: dict[int, Node] = {}
        self.at_old: dict[int, Node] = {}
        self.read: dict[int, tuple[Expr, Node]] = {}
        """Whole expressions that were read, by address: asked for again, they are not walked through."""
        self.sizes: dict[int, int] = {}
        self.sizes_old: dict[int, int] = {}
        """By SymEngine's hash: nodes of the tree. Two expressions of one hash would at worst be treated as deep or not."""

    def known(self, key: Key) -> Node | None:
        """The node of this kind with these parts."""
        found = self.young.get(key)
        if found is None:
            found = self.old.get(key)
            if found is not None:
                self.put(key, found)
        return found

    def put(self, key: Key, node: Node) -> Node:
        """Keep a node; forget what two generations did not use."""
        if len(self.young) >= PARTS:
            self.old, self.young = self.young, {}
            self.at_old, self.at = self.at, {}
            self.read = {}
        self.young[key] = node
        self.at[WORDS[(id(node[1]) + PLACE) >> 3]] = node
        return node


_table = _Table()


def is_deep(exprs: Iterable[Expr]) -> bool:
    """Whether comparing the expressions with equal copies may take long; each node of their graph is visited once.

    >>> x = se.Symbol("x")
    >>> deep = x
    >>> for _ in range(40):
    ...     deep = se.sin(deep) + se.cos(deep)
    >>> is_deep([se.sin(x) ** 2]), is_deep([deep])
    (False, True)
    """
    if not READABLE:
        return False
    total = 0
    for expr in exprs:
        total += tree_size(expr)
        if total > TREE:
            return True
    return False


def tree_size(expr: Expr) -> int:
    """The nodes of the tree of an expression, or any number above `TREE`; each node of the graph is visited once."""
    table = _table
    if len(table.sizes) > SIZES:
        table.sizes, table.sizes_old = {}, table.sizes
    sizes, old = table.sizes, table.sizes_old
    place = hash(expr)
    last = sizes.get(place) or old.get(place)
    if last is not None:
        sizes[place] = last
        return last
    waiting = [(place, expr.args)]
    while waiting:
        place, parts = waiting[-1]
        last, missing = 1, []
        for part in parts:
            inner = hash(part)
            below = sizes.get(inner) or old.get(inner)
            if below is None:
                missing.append((inner, part.args))
            else:
                last += below
        if missing:
            waiting += missing
            continue
        waiting.pop()
        sizes[place] = last = min(last, TREE + 1)
    return last or 1


def walk(exprs: Iterable[Expr]) -> Iterator[Expr]:
    """Every part of the expressions, each object once; equal copies come more than once."""
    seen: dict[int, Expr] = {}
    stack = list(exprs)
    while stack:
        node = stack.pop()
        place = address(node)
        if place not in seen:
            seen[place] = node
            yield node
            stack.extend(node.args)


def shared(exprs: Iterable[Expr]) -> tuple[Expr, ...]:
    """The expressions as they are, or hash-consed where they are deep."""
    whole = tuple(exprs)
    return consed(whole) if is_deep(whole) else whole


def rebuilt(node: Expr, parts: Sequence[Expr]) -> Expr:
    """An expression of the same kind as ``node`` of other parts."""
    if isinstance(node, se.Add):
        return se.Add(*parts)
    if isinstance(node, se.Mul):
        return se.Mul(*parts)
    if isinstance(node, se.Pow):
        return parts[0] ** parts[1]
    if isinstance(node, se.Piecewise):
        return se.Piecewise(*zip(parts[::2], parts[1::2]))
    return (type(node) if isinstance(node, Boolean) else node.func)(*parts)


def consed(exprs: Iterable[Expr]) -> tuple[Expr, ...]:
    """Equal expressions whose equal parts are the same objects, here and in whatever else went through here."""
    seen: Seen = {}
    return tuple(_read(e, seen, False)[1] for e in exprs)


def adopted(expr: Expr) -> Expr:
    """The canonical object of an expression that was just built from canonical ones."""
    return _read(expr, {}, True)[1]


def _read(expr: Expr, seen: Seen, made_here: bool) -> Node:
    """The node of an expression; of one that was ``made_here``, of consed parts, nothing need be built again.

    An expression of consed parts is the one object for itself when it comes first: its owners need not know. Terms with a
    coefficient in a sum and powers in a product are made anew by each look at `args`; they count as consed when their parts are.
    """
    table = _table
    place = address(expr)
    found = table.at.get(place) or table.at_old.get(place)
    if found is not None:
        return found
    last = table.read.get(place)
    if last is not None:
        return last[1]
    waiting = [(expr, expr.args)]
    while True:
        node, parts = waiting[-1]
        young, old = table.at, table.at_old
        below: list[Node] = []
        missing = []
        clean = True
        loose = se.Mul if node.is_Add else se.Pow if node.is_Mul else ()
        for part in parts:
            place = WORDS[(id(part) + PLACE) >> 3]
            known = young.get(place) or old.get(place)
            if known is None:
                met = seen.get(place)
                if met is None:
                    inner = part.args
                    if inner:
                        missing.append((part, inner))
                        continue
                    known = _leaf(part)
                else:
                    _, known, fine = met
                    clean = clean and fine and isinstance(part, loose)
            below.append(known)
        if missing:
            waiting += missing
            continue
        waiting.pop()
        made = _node(node, below, clean or made_here) if parts else _leaf(node)
        if not waiting:
            if not made_here:
                if len(table.read) >= WHOLE:
                    table.read = {}
                table.read[WORDS[(id(expr) + PLACE) >> 3]] = expr, made
            return made
        seen[WORDS[(id(node) + PLACE) >> 3]] = node, made, clean


def _leaf(expr: Expr) -> Node:
    key = (type(expr), expr)
    return _table.young.get(key) or _table.known(key) or _table.put(key, (next(_table.numbers), expr))


def _node(expr: Expr, below: Sequence[Node], clean: bool) -> Node:
    kind = type(expr)
    numbers: Iterable[int] = map(_NUMBER, below)
    name = "" if kind is se.Add or kind is se.Mul or not isinstance(expr, se.FunctionSymbol) else expr.get_name()
    key = (kind, name, *(sorted(numbers) if expr.is_Add or expr.is_Mul else numbers))
    found = _table.young.get(key) or _table.known(key)
    if found is not None:
        return found
    whole = expr
    if not clean and not isinstance(expr, OPAQUE):
        whole = rebuilt(expr, [part for _, part in below])
        if type(whole) is not kind or hash(whole) != hash(expr):  # what is not built of its parts again stays as it is
            whole = expr
    return _table.put(key, (next(_table.numbers), whole))


def mapped(exprs: Iterable[Expr], table: Mapping[Expr, Expr]) -> tuple[Expr, ...]:
    """The expressions with all symbols of the table replaced at once, each part of their graph once; the results are consed.

    >>> x, y = se.symbols("x y")
    >>> mapped([se.sin(x) + x * y], {x: y})
    (y**2 + sin(y),)
    """
    results: dict[int, Expr] = {address(_leaf(s)[1]): e for s, e in zip(table, consed(table.values()))}
    whole = consed(exprs)
    keep: list[object] = []  # parts that `args` makes live as long as their addresses are known
    for expr in whole:
        waiting = [(expr, expr.args)]
        while waiting:
            node, parts = waiting[-1]
            place = address(node)
            if place in results:  # a part of two others, or a symbol that is replaced
                waiting.pop()
                continue
            missing = []
            places = [WORDS[(id(part) + PLACE) >> 3] for part in parts]
            for part, there in zip(parts, places):
                if there not in results:
                    inner = part.args
                    if inner:
                        missing.append((part, inner))
                    else:
                        keep.append(part)
                        results[there] = results.get(address(_leaf(part)[1]), part)
            if missing:
                waiting += missing
                continue
            waiting.pop()
            keep.append(node)
            new = [results[there] for there in places]
            if all(there == WORDS[(id(n) + PLACE) >> 3] for there, n in zip(places, new)):
                results[place] = node
                continue
            made = node.xreplace(dict(table)) if isinstance(node, OPAQUE) else rebuilt(node, new)
            results[place] = made if made.is_Number else adopted(made)
    return tuple(results[address(e)] for e in whole)


def definitions(exprs: Iterable[Expr]) -> tuple[list[tuple[Expr, Expr]], list[Expr]]:
    """Parts that occur more than once, as definitions, inner ones first, and the expressions in them; like SymEngine's `cse`.

    Equal sub-sums of different sums are not sought: the work is linear in the size of the graph. Conditions get no name.

    >>> x, y = se.symbols("x y")
    >>> definitions([se.sin(x + y) + x, se.cos(x + y)])
    ([(_part_0_, x + y)], [x + sin(_part_0_), cos(_part_0_)])
    """
    whole = [_read(e, {}, False) for e in exprs]
    below: dict[int, list[Node]] = {}
    order: list[Node] = []
    uses: dict[int, int] = {}
    waiting = [*whole[::-1]]
    while waiting:
        node = waiting[-1]
        number, expr = node
        if number not in below:
            below[number] = [_read(p, {}, True) for p in expr.args]
            for part, _ in below[number]:
                uses[part] = uses.get(part, 0) + 1
            waiting += [p for p in below[number] if p[0] not in below]
            continue
        waiting.pop()
        order.append(node)
    for number, _ in whole:
        uses[number] = uses.get(number, 0) + 1
    written: dict[int, Expr] = {}
    named: list[tuple[Expr, Expr]] = []
    for number, expr in order:
        if number in written:
            continue
        parts = below[number]
        side = rebuilt(expr, [written[n] for n, _ in parts]) if parts and not isinstance(expr, OPAQUE) else expr
        if parts and uses[number] > 1 and not isinstance(expr, Boolean):
            name = se.Symbol(f"_part_{len(named)}_")
            named.append((name, side))
            side = name
        written[number] = side
    return named, [written[number] for number, _ in whole]
