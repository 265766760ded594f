"""Explicit Runge–Kutta methods: whatever is registered has the order it declares, by Butcher's trees and by motion."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import prod

import numpy as np
import pytest

import nonholo as nh
from nonholo.errors import ModelError
from nonholo.integrate.methods import registered_methods
from nonholo.integrate.methods.dop853_table import A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, E5, B, C
from nonholo.integrate.methods.tableau import Explicit, Tableau

TABLEAUX = {name: kind for name, kind in registered_methods().items() if issubclass(kind, Explicit)}


@cache
def trees(order):
    """Rooted trees with so many nodes, each the sorted tuple of its branches."""
    if order == 1:
        return ((),)
    found = set()
    for smaller in trees(order - 1):  # graft a leaf at every node
        found |= set(grafted(smaller))
    return tuple(sorted(found))


def grafted(tree):
    yield tuple(sorted((*tree, ())))
    for k, branch in enumerate(tree):
        for new in grafted(branch):
            yield tuple(sorted((*tree[:k], new, *tree[k + 1 :])))


def size(tree):
    return 1 + sum(map(size, tree))


def density(tree):
    return size(tree) * prod(map(density, tree))


def gaps(nodes, coupling, weights, order):
    """``Σ b_i Φ_i(τ) − 1/γ(τ)`` over all trees up to an order. [Hairer, Nørsett, Wanner I, theorem II.2.13]"""
    count = len(weights)
    a = np.zeros((count, count))
    for i, row in enumerate(coupling, 1):
        a[i, : len(row)] = row

    def inside(tree):
        result = np.ones(count)
        for branch in tree:
            result = result * (a @ inside(branch))
        return result

    return [weights @ inside(t) - float(Fraction(1, density(t))) for p in range(1, order + 1) for t in trees(p)]


def test_there_are_as_many_trees_as_cayley_counted():
    assert [len(trees(p)) for p in range(1, 9)] == [1, 1, 2, 4, 9, 20, 48, 115]


@pytest.mark.parametrize("name", TABLEAUX)
def test_the_order_conditions_hold_up_to_the_declared_order_and_no_further(name):
    t = TABLEAUX[name].tableau
    assert max(map(abs, gaps(t.nodes, t.coupling, np.array(t.weights), t.order))) < 1e-14
    assert max(map(abs, gaps(t.nodes, t.coupling, np.array(t.weights), t.order + 1))) > 1e-4


@pytest.mark.parametrize("name", [n for n, k in TABLEAUX.items() if k.tableau.error])
def test_the_embedded_solution_is_of_one_order_less(name):
    t = TABLEAUX[name].tableau
    weights = np.append(t.weights, [0.0] * (len(t.error) - len(t.weights))) - np.array(t.error)
    coupling = (*t.coupling, t.weights) if len(t.error) > len(t.weights) else t.coupling
    assert max(map(abs, gaps(t.nodes, coupling, weights, t.order - 1))) < 1e-14
    assert max(map(abs, gaps(t.nodes, coupling, weights, t.order))) > 1e-5


def test_dop853_fulfils_all_two_hundred_conditions_of_order_eight():
    coupling = (A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12)
    assert max(map(abs, gaps(C[:12], coupling, np.array(B), 8))) < 5e-13
    assert max(map(abs, gaps(C[:12], coupling, np.array(B) - np.array(E5), 5))) < 5e-13


@pytest.mark.parametrize("name", TABLEAUX)
def test_motion_converges_with_the_declared_order(name):
    """A pendulum against DOP853 at 1e-13; adaptive methods are held to equal steps by their largest step."""
    swing = nh.System(coordinates="q", lagrangian="qdot**2/2 + cos(q)")
    start = {"q": 1.1, "qdot": 0.3}
    exact = nh.simulate(swing, start, 3.0, rtol=1e-13, atol=1e-14, t_eval="end").final
    kind, errors, counts = TABLEAUX[name], [], (60, 120, 240)
    for count in counts:
        step = 3.0 / count
        equal = {"first_step": step, "max_step": step, "rtol": 1.0, "atol": 1.0} if kind.adaptive else {"step": step}
        run = nh.simulate(swing, start, 3.0, method=kind(**equal), t_eval="end")
        errors.append(max(abs(run.final[n] - exact[n]) for n in ("q", "qdot")))
    slope = -np.polyfit(np.log(counts), np.log(errors), 1)[0]
    assert slope == pytest.approx(kind.order, abs=0.25)


@pytest.mark.parametrize("name", [n for n, k in TABLEAUX.items() if k.tableau.error])
def test_the_error_follows_the_tolerance(name):
    swing = nh.System(coordinates="q", lagrangian="qdot**2/2 + cos(q)")
    start = {"q": 1.1, "qdot": 0.3}
    exact = nh.simulate(swing, start, 10.0, rtol=1e-13, atol=1e-14, t_eval="end").final
    for tolerance in (1e-4, 1e-6, 1e-8):
        run = nh.simulate(swing, start, 10.0, method=name, rtol=tolerance, atol=tolerance, t_eval="end")
        assert abs(run.final["q"] - exact["q"]) < 100 * tolerance
        assert run.outcome == "reached"


def test_a_tableau_that_cannot_be_is_refused():
    with pytest.raises(ModelError, match=r"coupling rows of 1 … 1 numbers"):
        Tableau("bad", 2, (0.0, 1.0), ((1.0, 2.0),), (0.5, 0.5))
    with pytest.raises(ModelError, match="sums to"):
        Tableau("bad", 2, (0.0, 1.0), ((0.9,),), (0.5, 0.5))
