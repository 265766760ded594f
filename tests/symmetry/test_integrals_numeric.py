"""Integrals with special functions, or known as numbers only: along motions by another derivation."""

from __future__ import annotations

import copy
import pickle
from functools import lru_cache

import numpy as np
import pytest

import nonholo as nh
from nonholo.derive.laws.check import random_states
from nonholo.errors import StateError
from nonholo.finding import Finding
from nonholo.model.system import without_laws
from nonholo.symmetry.integrals.gauge.momentum_candidates import SpecialMomentum
from nonholo.symmetry.integrals.integrals import integrals
from nonholo.symmetry.integrals.ode.numeric_momentum import NumericMomentum

VARIABLES = {"rolling-disk": "R33", "basketball": "psi", "ball-on-surface": "s", "roller-racer": "phi"}


@lru_cache
def momenta_of(name: str) -> list[Finding]:
    exhibit = nh.gallery.get(name)
    system = without_laws(exhibit.system)  # what holds while nobody pushes
    findings = integrals(system, VARIABLES.get(name, "R33"), exhibit.parameters)
    return [f for f in findings if f and f.method.startswith("gauge momentum")]


def motion(name: str, changed: float = 1.0) -> nh.Trajectory:
    exhibit = nh.gallery.get(name)
    system = exhibit.system
    values = {n: e * (changed if n == "m" else 1.0) for n, e in exhibit.parameters.items()}
    state = next(iter(random_states(system, values, 1, seed=6))).values
    start = {n: state[n] for n in (*system.coordinates, *system.velocities)}
    idle = dict.fromkeys(system.inputs, 0.0)
    return nh.simulate(system, start, 0.8, values, rtol=1e-13, atol=1e-14, t_eval=30, form="multipliers", inputs=idle)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n != "rolling-disk" else n for n in VARIABLES]
)
def test_both_momenta_hold_along_motions_by_multipliers(name: str) -> None:
    own = momenta_of(name)
    assert len(own) == 2
    run, other = motion(name), motion(name, 1.7)
    for finding in own:
        assert finding.drift(run) < 1e-10
        # other parameters: the ODE is solved anew, and gives other coefficients
        assert finding.drift(other) < 1e-10
    rows = np.array([f.along(run) for f in own])
    assert np.all(np.isfinite(rows))


@pytest.mark.slow
def test_the_general_body_of_revolution_by_numbers() -> None:
    own = momenta_of("rolling-body")
    assert len(own) == 2
    run = motion("rolling-body")
    for finding in own:
        assert isinstance(finding.expression, NumericMomentum)
        assert finding.drift(run) < 1e-10


def test_the_disks_momenta_are_legendre_functions() -> None:
    import sympy

    own = momenta_of("rolling-disk")
    exhibit = nh.gallery.get("rolling-disk")
    for finding in own:
        assert "Legendre" in finding.method
        special = finding.expression
        assert isinstance(special, SpecialMomentum)
        for state in random_states(exhibit.system, exhibit.parameters, 2, seed=12):
            place = {**exhibit.parameters, **state.values}
            table = {s: sympy.Float(place[str(s)], 25) for s in special.closed.free_symbols}
            expected = complex(special.closed.xreplace(table).evalf(20))
            assert abs(expected.imag) < 1e-12
            assert special.evaluate(place) == pytest.approx(expected.real, rel=1e-9)


@pytest.mark.parametrize("name", [pytest.param("basketball", marks=pytest.mark.slow), "rolling-disk"])
def test_a_momentum_of_numbers_survives_pickling_and_copying(name: str) -> None:
    """Also where its ODE is solved anew, for other parameters; by the values along a motion."""
    run, other = motion(name), motion(name, 1.7)
    for finding in momenta_of(name):
        for same in (pickle.loads(pickle.dumps(finding)), copy.deepcopy(finding)):
            assert str(same.expression) == str(finding.expression) and same.claim == finding.claim
            assert same.along(run) == pytest.approx(finding.along(run), rel=1e-12)
            assert same.drift(other) < 1e-10


def test_coefficients_can_be_drawn_and_states_must_be_complete() -> None:
    momentum = momenta_of("basketball")[0].expression
    assert isinstance(momentum, NumericMomentum)
    low, high = momentum.interval
    s = np.linspace(low, high, 50)
    f = momentum.coefficients(s)
    assert f.shape == (50, 3) and np.all(np.isfinite(f))
    assert np.all(f[:, 2] == 0)
    with pytest.raises(StateError, match="needs"):
        momentum.evaluate({"psi": 0.1})


def test_the_basketballs_coefficients_solve_the_thesiss_equation() -> None:
    """``y₁' = (u − v cos ψ) y₂``: from (10.13), (10.14) of MacDonnell 1997 for momenta along Ω1 and Ω2; by differences."""
    exhibit = nh.gallery.get("basketball")
    p = exhibit.parameters
    momentum = momenta_of("basketball")[0].expression
    at, step = np.array([-0.4, 0.3, 0.9]), 1e-3
    around = [momentum.coefficients(at + k * step) for k in (-2, -1, 1, 2)]
    slope = (around[0] - 8 * around[1] + 8 * around[2] - around[3]) / (12 * step)
    f = momentum.coefficients(at)
    away = p["u"] - p["v"] * np.cos(at)
    assert slope[:, 0] == pytest.approx(away * f[:, 1], rel=1e-7)
    # the second by the inertia about the hoop: (J + m ρ²) a² y₂' = −J u y₁
    second = -p["J"] * p["u"] * f[:, 0] / ((p["J"] + p["m"] * p["rho"] ** 2) * away**2)
    assert slope[:, 1] == pytest.approx(second, rel=1e-7)
