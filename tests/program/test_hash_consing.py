"""Deep expressions: work linear in the shared graph, equal parts one object, the same values as without."""

from __future__ import annotations

import math

import numpy as np
import pytest
import symengine as se

from nonholo.algebra.calculus import along, atoms, gradient, node_count, nodes, substitute, symbols, written_size
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.program import hash_consing
from nonholo.program.hash_consing import address, consed, definitions, is_deep, mapped
from nonholo.program.translate import in_order
from tests.counted import calls

X, Y, Z = symbols("xyz")
DEPTH = 60
"""Trees of some 4^60 nodes: who compares two of them node by node never ends."""


def deep(x: se.Basic, y: se.Basic, depth: int = DEPTH) -> se.Basic:
    """A chain in which every link uses the one before four times; its value stays of order one."""
    link = x + y / 3
    for k in range(depth):
        link = (se.sin(link) * (2 + se.cos(link)) + y * link / (2 + link**2)) / (1 + se.Rational(k % 3, 2))
    return link


def plain(x: float, y: float, depth: int = DEPTH) -> float:
    """The same chain in floating point."""
    link = x + y / 3
    for k in range(depth):
        link = (math.sin(link) * (2 + math.cos(link)) + y * link / (2 + link**2)) / (1 + (k % 3) / 2)
    return link


def test_replacing_symbols_in_two_copies_gives_one_object_with_the_right_value() -> None:
    first = substitute([deep(X, Y), deep(X, Y)], {X: Z**2})
    (second,) = substitute([deep(X, Y)], {X: Z**2})
    assert address(first[0]) == address(first[1]) == address(second)
    assert first[0] == second, "compared by address, or this test never ends"
    value = numeric_function([Y, Z], [second])(np.array([0.7, 1.1]))[0]
    assert abs(value - plain(1.21, 0.7)) < 1e-10


def test_gradients_of_copies_are_the_same_objects_and_right() -> None:
    one, other = gradient(deep(X, Y), (X, Y, Z)), gradient(deep(X, Y), (X, Y, Z))
    assert [address(e) for e in one] == [address(e) for e in other]
    assert one[2] == 0
    assert address(along([deep(X, Y)], {X: se.Integer(1)})[0]) == address(one[0])
    for depth in (20, DEPTH):  # where a step of 1e-6 is small for the chain
        slopes = numeric_function([X, Y], gradient(deep(X, Y, depth), (X, Y)))(np.array([0.4, 0.3]))
        h = 1e-6
        about = [plain(0.4 + h, 0.3, depth) - plain(0.4 - h, 0.3, depth), plain(0.4, 0.3 + h, depth) - plain(0.4, 0.3 - h, depth)]
        np.testing.assert_allclose(slopes, np.array(about) / (2 * h), rtol=1e-4, atol=1e-9)


def test_graphs_of_copies_are_counted_once() -> None:
    assert nodes([deep(X, Y), deep(X, Y)]) == nodes([deep(X, Y)])
    assert node_count([deep(X, Y)]) < 20 * DEPTH
    assert written_size(deep(X, Y)) > 2**DEPTH
    assert atoms([deep(X, Y)], se.Symbol) == {X, Y}


def test_replacing_symbols_rebuilds_each_node_once(monkeypatch: pytest.MonkeyPatch) -> None:
    built = 0
    original = hash_consing.rebuilt

    def counted(*given: object) -> object:
        nonlocal built
        built += 1
        return original(*given)

    monkeypatch.setattr(hash_consing, "rebuilt", counted)
    work = {}
    for depth in (50, 100, 200):
        built = 0
        substitute([deep(X, Y, depth), deep(X, Y, depth)], {Y: Z * X})
        work[depth] = built
    assert work[200] - work[100] < 2.2 * (work[100] - work[50]), "linear in the depth"
    assert work[200] < 20 * 200


def test_short_expressions_are_left_to_symengine() -> None:
    assert not is_deep([deep(X, Y, 4)])
    assert is_deep([deep(X, Y)])


@pytest.mark.parametrize(
    "expr",
    [
        se.Piecewise((X, X < Y), (Y**2, True)), se.Max(X, Y, 2), se.Function("f")(X, Y) * Y, se.exp(X) / (X + Y), se.Abs(X - Y),
        se.And(X < 1, Y <= 2), 2 * (X + Y), se.sqrt(X) * Y - 3 * X, se.Function("f")(X).diff(X),
        se.Contains(X, se.Interval(0, 1)),
        X, se.Integer(3), se.atan2(X, Y) + se.Rational(2, 3) * X * Y**2 / (X + Y) ** 2,
    ],
    ids=str,
)  # fmt: skip
def test_every_kind_of_expression_is_kept_and_replaced_as_symengine_does(expr: se.Basic) -> None:
    assert consed([expr])[0] == expr
    assert mapped([expr], {X: Z})[0] == expr.xreplace({X: Z})
    if not isinstance(expr, (se.Contains, se.Derivative)):  # SymEngine puts only symbols there
        assert mapped([expr], {X: Y * Z, Y: X})[0] == expr.xreplace({X: Y * Z, Y: X})


def test_functions_of_different_names_stay_apart() -> None:
    f, g = se.Function("f")(X), se.Function("g")(X)
    assert consed([f, g]) == (f, g)


def test_definitions_give_back_the_expressions_and_name_what_is_repeated() -> None:
    whole = [deep(X, Y), gradient(deep(X, Y, 12), (X,))[0]]
    named, reduced = definitions(whole)
    values = {X: 0.4, Y: 0.7}
    for name, side in named:
        assert side.free_symbols <= set(values)
        values[name] = float(side.xreplace({s: se.RealDouble(v) for s, v in values.items()}))
    found = [float(e.xreplace({s: se.RealDouble(v) for s, v in values.items()})) for e in reduced]
    np.testing.assert_allclose(found, numeric_function([X, Y], whole)(np.array([0.4, 0.7])), rtol=1e-9)
    assert len({str(side) for _, side in named}) == len(named)


def test_deep_expressions_are_ordered_by_their_structure_in_linear_work():
    """Their texts would have 2⁶⁰ letters; the order does not depend on how they are given."""

    first, second = deep(X, Y), deep(Y, X)
    found, again = in_order([second, first, se.sin(X), X]), in_order([X, deep(X, Y), se.sin(X), deep(Y, X)])
    assert found[:2] == again[:2] == [se.sin(X), X]
    assert [hash(e) for e in found] == [hash(e) for e in again] and hash(found[2]) != hash(found[3])
    short, long = (calls(lambda e=e: in_order([e, X])) for e in (deep(X, Z, 30), deep(X, Z, 60)))
    assert long < 3 * short


def test_an_expression_that_was_read_is_found_by_its_address():
    """Its parts are not walked through again, though it is an equal copy of what stands in the table."""
    one, copy = deep(X, Y), deep(X, Y)
    assert address(one) != address(copy)
    first, again = consed([one, copy])
    assert address(first) == address(again)
    assert calls(lambda: consed([copy])) < 20
