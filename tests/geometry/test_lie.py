"""Lie algebras by structure constants."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
import symengine as se_engine
from hypothesis import given, settings
from hypothesis import strategies as st

from nonholo.errors import NonholoError
from nonholo.geometry.frames.frame import jacobi_defect, jacobi_law
from nonholo.geometry.groups.lie_algebra import LieAlgebra, constants_of_matrices, heisenberg, se, so
from tests.geometry.test_frame import table


def killing(c: np.ndarray) -> np.ndarray:
    return np.einsum("ial,jla->ij", c, c)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_rotations_have_their_dimension_and_a_negative_killing_form(n):
    c = np.array(so(n), dtype=float)
    assert c.shape == (comb(n, 2),) * 3
    # tr(ad_x ad_y) = (n - 2) tr(x y), and tr(L_ij²) = -2
    assert killing(c) == pytest.approx(-2 * (n - 2) * np.eye(comb(n, 2)), abs=1e-12)


def test_rotations_of_space_are_the_cross_product():
    c = np.array(so(3), dtype=float)
    a, b = np.array([0.3, -1.2, 0.7]), np.array([0.9, 0.4, -0.5])
    assert np.einsum("ija,i,j->a", c, a, b) == pytest.approx(np.cross(a, b), abs=1e-15)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_motions_are_turns_acting_on_an_abelian_ideal(n):
    c, turns = np.array(se(n)), comb(n, 2)
    assert c.shape == (turns + n,) * 3
    assert (c[:turns, :turns, :turns] == np.array(so(n))).all() and not c[:turns, :turns, turns:].any()
    assert not c[turns:, turns:].any() and not c[:turns, turns:, :turns].any()
    # a turn acts on translations as its own antisymmetric matrix
    for k in range(turns):
        action = c[k, turns:, turns:].T
        assert (action == -action.T).all() and np.abs(action).sum() == 2


@pytest.mark.parametrize("n", [1, 2, 3])
def test_heisenberg_has_one_bracket_for_each_pair(n):
    c = np.array(heisenberg(n))
    expected = np.zeros((2 * n + 1,) * 3)
    for i in range(n):
        expected[i, n + i, 2 * n], expected[n + i, i, 2 * n] = 1, -1
    assert (c == expected).all()


@pytest.mark.parametrize("constants", [so(3), so(4), se(2), se(3), heisenberg(2)])
def test_jacobi_holds_for_the_ready_ones(constants):
    frame = LieAlgebra(constants)
    assert jacobi_defect(frame) == {} and list(jacobi_law(frame)) == []
    assert table(frame, {}) == pytest.approx(np.array(constants), abs=0)


def test_array_table_and_names_make_the_same_algebra():
    by_text = LieAlgebra({("e1", "e2"): "e3", ("e2", "e3"): "e1", ("e3", "e1"): "e2"})
    assert by_text == LieAlgebra(so(3)) == LieAlgebra(np.array(so(3), dtype=float), rates="e1 e2 e3")
    assert by_text.velocities == ("e1", "e2", "e3") and by_text.coordinates == () and by_text.home == ()
    affine = LieAlgebra({"d, t": "k*t + sqrt(2)*s/1e1"}, parameters="k")
    assert affine.velocities == ("d", "t", "s") and affine.parameters == ("k",)
    assert affine.brackets[(0, 1, 1)] == se_engine.Symbol("k")


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(-2, 2), min_size=9, max_size=9))
def test_jacobi_is_refused_exactly_when_matrices_say_so(entries):
    """``[e3, e_i] = A_i^j e_j`` with ``[e1, e2] = e3``: Jacobi says ``[A e1, e2] + [e1, A e2] = [e3, e3] = 0``."""
    a = np.array(entries).reshape(3, 3)
    c = np.zeros((3, 3, 3))
    c[0, 1, 2] = 1
    c[2, 0], c[2, 1] = a[0], a[1]
    c -= np.transpose(c, (1, 0, 2))
    cyclic = sum(
        np.einsum("m,mkl->kl", c[p, q], c)[r] for p, q, r in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    )
    if np.any(cyclic):
        with pytest.raises(NonholoError, match="break Jacobi's identity"):
            LieAlgebra(c)
    else:
        assert table(LieAlgebra(c), {}) == pytest.approx(c, abs=0)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: LieAlgebra({("e1", "e2"): "e1", ("e2", "e3"): "e2"}), "e1, e2, e3 break Jacobi's identity"),
        (lambda: LieAlgebra(3), "neither an array"),
        (lambda: LieAlgebra({}), "no rates"),
        (lambda: LieAlgebra([]), "no rates"),
        (lambda: LieAlgebra([[[0, 1], [0, 0]]]), "shape 1 x 1 x 1"),
        (lambda: LieAlgebra({(0, 1, 2): 1}), "name the rates"),
        (lambda: LieAlgebra(so(3), rates="a b"), "shape 2 x 2 x 2"),
        (lambda: LieAlgebra({("a", "b"): "a*b"}), "linear and homogeneous"),
        (lambda: LieAlgebra({("a", "b"): "__import__('os')"}, rates="a b"), "bracket"),
        (lambda: so(1), r"so\(1\): give a whole number from 2 to 12"),
        (lambda: se("3"), "whole number"),
        (lambda: heisenberg(0), "whole number"),
    ],
)
def test_wrong_algebras_are_one_clear_error(make, message):
    with pytest.raises(NonholoError, match=message):
        make()


def test_constants_of_matrices_are_the_commutators():
    # sl(2): [h, e] = 2e, [h, f] = -2f, [e, f] = h
    h, e, f = np.array([[1, 0], [0, -1]]), np.array([[0, 1], [0, 0]]), np.array([[0, 0], [1, 0]])
    c = constants_of_matrices([h, e, f])
    assert c[0][1] == (0, 2, 0) and c[0][2] == (0, 0, -2) and c[1][2] == (1, 0, 0)
