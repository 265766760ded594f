"""Momentum-conserving frames against the papers' closed forms, and Theorem 4.4 with the right conditions."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.algebra.linear_equations import evaluate
from nonholo.symmetry.reduction.momentum.conserving_bases import theorem_4_4, transport_form
from nonholo.symmetry.reduction.momentum.parallel_basis import momentum_frame
from tests.symmetry.systems import two_sliders


def test_sleigh_oscillator_conserves_with_the_papers_exponent_only_when_p1_vanishes_from_p2():
    """BMZ 2009 §6.3: the frame has (J + m r²)^(−m/(2(M+m))); the pp terms remain, so the theorem's (ii) fails."""
    reduction = nh.reduce(nh.gallery.get("sleigh-oscillator").system)
    values = {"m": 0.7, "M": 1.9, "J": 0.8, "k": 2.0}
    values = {n: values.get(n, 1.0) for n in reduction.system.parameters}
    frame = momentum_frame(reduction, values, origin=0.0, reach=(-2.0, 2.0))
    r = np.linspace(-1.9, 1.9, 7)
    m, M, J = values["m"], values["M"], values["J"]
    expected = ((J + m * r**2) / J) ** (-m / (2 * (M + m)))
    assert frame(r)[:, 0, 0] == pytest.approx(expected, rel=1e-12)
    assert frame(r)[:, 1, 1] == pytest.approx(np.ones(7), rel=1e-12)
    assert [f.verdict for f in theorem_4_4(reduction.frame)] == ["holds", "fails", "holds", "fails"]


def test_gauge_momentum_has_the_gaussian_frame():
    """BMZ 2009 §4.3: η = exp(−b²/2)(∂_1 + b ∂_2), here with b(r) of the gallery's example."""
    exhibit = nh.gallery.get("gauge-momentum")
    reduction = nh.reduce(exhibit.system)
    frame = momentum_frame(reduction, exhibit.parameters, origin=0.0, reach=(-1.5, 1.5))
    (constraint,) = exhibit.system.constraints
    b = -constraint.diff("s1dot") / constraint.diff("s2dot")
    r = np.linspace(-1.4, 1.4, 9)
    size = np.array([evaluate([b], {**exhibit.parameters, "r": e})[0] for e in r])
    zero = evaluate([b], {**exhibit.parameters, "r": 0.0})[0]
    (field,) = reduction.bases["S"]
    # the basis of S is scaled so that its part along s1 is one
    assert [str(e) for e in field][1] == "1"
    assert frame(r)[:, 0, 0] == pytest.approx(np.exp(-(size**2) / 2 + zero**2 / 2), rel=1e-11)
    assert all(theorem_4_4(reduction.frame))


@pytest.mark.parametrize(
    "name", ["rolling-disk", "routh-top", "basketball", "ball-on-surface", "lagrange-top", "constrained-particle"]
)
def test_momenta_in_the_conserving_frame_are_constant_along_full_motions(name):
    exhibit = nh.gallery.get(name)
    reduction = nh.reduce(exhibit.system)
    assert all(theorem_4_4(reduction.frame))
    run = reduction.simulate(exhibit.start, 1.5, exhibit.parameters, rtol=1e-12, atol=1e-13, t_eval=31)
    (variable,) = reduction.shape.names
    shape = np.asarray(run[variable])
    frame = momentum_frame(reduction, exhibit.parameters, origin=float(shape[0]), reach=(shape.min() - 1e-3, shape.max() + 1e-3))
    found = frame.values(run)
    assert np.max(np.abs(found - found[0])) < 1e-10 * (1 + np.max(np.abs(found)))
    assert np.ptp(shape) > 1e-3


def test_the_wronskian_obeys_its_law_and_is_the_cosine_of_the_disks_tilt():
    """d ln W = −Tr τ; for the rolling disk Tr τ = 0 in fields e with unit lean, and W(θ)/W(0) = cos θ in the paper's."""
    exhibit = nh.gallery.get("rolling-disk")
    reduction = nh.reduce(exhibit.system)
    frame = momentum_frame(reduction, exhibit.parameters, origin=0.0, reach=(-0.9, 0.9))
    u = np.linspace(-0.85, 0.85, 15)
    tau = transport_form(reduction.frame)[0]
    trace = np.array([evaluate([tau[0][0] + tau[1][1]], {**exhibit.parameters, "R33": e})[0] for e in u])
    step = 1e-5
    slope = (np.log(frame.wronskian(u + step)) - np.log(frame.wronskian(u - step))) / (2 * step)
    assert slope == pytest.approx(-trace, abs=1e-8)
    # The paper's e_1 is a unit field; the one here is longer by the sine of the axis' angle with the vertical.
    first = reduction.inertia[0][0]
    length = np.array([evaluate([first], {**exhibit.parameters, "R33": e})[0] for e in u]) ** 0.5
    at_zero = evaluate([first], {**exhibit.parameters, "R33": 0.0})[0] ** 0.5
    tilt = np.arcsin(u)
    assert frame.wronskian(u) * length / at_zero == pytest.approx(np.cos(tilt), rel=1e-9)


def test_two_sliders_have_a_tau_that_is_not_flat():
    """Two shape variables: the condition is not automatic, and here it fails."""
    verdicts = [f.verdict for f in theorem_4_4(nh.reduce(two_sliders()).frame)]
    assert verdicts == ["fails", "fails", "fails", "fails"]


def test_a_parallel_basis_needs_a_shape_and_a_flat_tau():
    with pytest.raises(nh.ModelError, match="free shape variables"):
        momentum_frame(nh.reduce(nh.gallery.get("chaplygin-sleigh").system))
    with pytest.raises(nh.ModelError, match="not flat"):
        momentum_frame(nh.reduce(two_sliders()))
    with pytest.raises(nh.ModelError, match="not flat"):
        nh.reduce(two_sliders(), basis="parallel")
    with pytest.raises(nh.ModelError, match="'parallel', or a table"):
        nh.reduce(two_sliders(), basis="flat")
