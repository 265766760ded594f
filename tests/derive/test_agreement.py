"""All derivations agree with the multiplier witness, and a single wrong term is noticed."""

from __future__ import annotations

import numpy as np
import pytest

from nonholo.algebra.cache import forget
from nonholo.derive import gibbs_appell as gibbs_module
from nonholo.derive import hamel as hamel_module
from nonholo.derive import hamilton as hamilton_module
from nonholo.derive import multipliers as multipliers_module
from nonholo.derive import voronetz as voronetz_module
from nonholo.derive.laws.check import AGREEMENT, _agreement, _at, check, random_states, routes
from nonholo.derive.multipliers import multipliers
from nonholo.errors import ModelError
from nonholo.finding import Agreement
from tests import systems


@pytest.mark.parametrize("name", systems.ALL)
def test_every_route_agrees_with_multipliers_and_every_law_holds(name):
    findings = check(systems.ALL[name]())
    assert not [str(f) for f in findings if f.verdict == "fails"]
    agreed = [f.claim for f in findings if f.verdict == "holds" and isinstance(f.data, Agreement)]
    expected = 2 if name == "parallel_points_parametric" else 5
    assert len(agreed) >= expected, [str(f) for f in findings]


@pytest.fixture(autouse=True)
def anew():
    """What a spoiled derivation gave is not asked by others."""
    yield
    forget()


def disagreement(system, route: str) -> float:
    forget()  # what was derived before the derivation was spoiled is not asked
    states = list(random_states(system, count=3))
    truth = [_at(multipliers(system), s) for s in states]
    found = _agreement(system, route, routes()[route], states, truth).value
    forget()  # nor is what was spoiled
    return found  # type: ignore[return-value]


def mutated(original, key, factor):
    def terms(system):
        return {k: tuple(factor * e for e in v) if k == key else v for k, v in original(system).items()}

    return terms


FORCE_MUTATIONS = [
    ("brackets", systems.suslov_matrix),
    ("brackets", systems.heavy_top),
    ("slope", systems.falling_disk),
    ("slope", systems.heavy_top),
    ("applied", systems.magnetic_particle),
    ("applied", systems.driven_sleigh),
    ("transport", systems.falling_disk),
    ("transport", systems.driven_sleigh),
    ("time", systems.driven_sleigh),
]


@pytest.mark.parametrize("factor", [0, -1], ids=["dropped", "flipped"])
@pytest.mark.parametrize(("term", "make"), FORCE_MUTATIONS, ids=lambda v: getattr(v, "__name__", v))
def test_a_wrong_term_of_the_force_is_noticed(monkeypatch, term, make, factor):
    system = make()
    assert disagreement(system, "hamel") < AGREEMENT
    monkeypatch.setattr(hamel_module, "force_terms", mutated(hamel_module.force_terms, term, factor))
    assert disagreement(system, "hamel") > 1e-3


@pytest.mark.parametrize("factor", [0, -1], ids=["dropped", "flipped"])
def test_a_wrong_change_of_the_basis_is_noticed(monkeypatch, factor):
    original = hamel_module.velocity_drift
    monkeypatch.setattr(hamel_module, "velocity_drift", lambda a, m: tuple(factor * e for e in original(a, m)))
    assert disagreement(systems.unbalanced_sleigh(), "hamel") > 1e-3


@pytest.mark.parametrize("factor", [0, -1], ids=["dropped", "flipped"])
def test_wrong_christoffel_terms_are_noticed(monkeypatch, factor):
    original = gibbs_module._christoffel_terms
    monkeypatch.setattr(gibbs_module, "_christoffel_terms", lambda *a: [factor * e for e in original(*a)])
    assert disagreement(systems.falling_disk(), "gibbs_appell") > 1e-3


def test_benentis_printed_equation_without_its_missing_term_is_noticed(monkeypatch):
    """(17) as printed has no g_ik (∂ψ^i/∂q^j) ψ^j ψ^k_β; the unbalanced sleigh then gets ω̇ = 0."""
    monkeypatch.setattr(gibbs_module, "along", lambda exprs, motion: tuple(0 for _ in exprs))
    system = systems.unbalanced_sleigh()
    assert disagreement(system, "gibbs_appell") > 1e-3
    state = {"theta": 0.4, "x": 0.1, "y": 0.2, "omega": 1.1, "v": 0.7}
    printed = gibbs_module.gibbs_appell(system).rates(state, {"m": 1.3, "J": 0.6, "a": 0.45})
    assert abs(printed["omega"]) < 1e-14


@pytest.mark.parametrize("factor", [0, -1], ids=["dropped", "flipped"])
def test_a_wrong_curvature_is_noticed(monkeypatch, factor):
    original = voronetz_module.connection

    def bent(system, at=None):
        from dataclasses import replace

        found = original(system, at)
        curvature = tuple(tuple(tuple(factor * e for e in row) for row in block) for block in found.curvature)
        return replace(found, curvature=curvature)

    monkeypatch.setattr(voronetz_module, "connection", bent)
    assert disagreement(systems.falling_disk(), "voronetz") > 1e-3


@pytest.mark.parametrize("factor", [0, -1], ids=["dropped", "flipped"])
def test_a_wrong_almost_poisson_bracket_is_noticed(monkeypatch, factor):
    original = hamilton_module._field_bracket
    monkeypatch.setattr(hamilton_module, "_field_bracket", lambda *a: tuple(factor * e for e in original(*a)))
    assert disagreement(systems.falling_disk(), "hamilton") > 1e-3
    assert disagreement(systems.turning_table(), "hamilton") > 1e-3


def test_a_witness_that_forgets_the_constraints_motion_is_noticed(monkeypatch):
    monkeypatch.setattr(multipliers_module, "along", lambda exprs, motion: tuple(0 for _ in exprs))
    assert disagreement(systems.unbalanced_sleigh(), "hamel") > 1e-3


def test_substituting_the_constraints_before_varying_is_noticed():
    """The classical fallacy: the disk's L with the rolling constraint put in, then varied."""
    disk = systems.falling_disk()
    import symengine as se

    table = {
        se.Symbol("xdot"): -se.Symbol("psidot") * se.Symbol("R") * se.cos(se.Symbol("phi")),
        se.Symbol("ydot"): -se.Symbol("psidot") * se.Symbol("R") * se.sin(se.Symbol("phi")),
    }
    from nonholo.model.system import System

    fallacy = System(
        coordinates="theta phi psi x y",
        parameters=disk.parameters,
        lagrangian=disk.lagrangian.xreplace(table) + se.Symbol("xdot") ** 2 * 0,
        constraints=disk.constraints,
    )
    state = next(random_states(disk))
    right = _at(routes()["hamel"](disk), state).rates
    wrong = _at(routes()["hamel"](fallacy), state).rates
    assert max(abs(right[n] - wrong[n]) for n in ("thetadot", "phidot", "psidot")) > 1e-3


def test_reactions_of_a_point_with_constant_speed_work_against_gravity():
    """FACTS: |v| = c under gravity; the reaction's power is m g c sin z, so that the energy's rate is that power."""
    from nonholo.derive.laws.reactions import reactions

    z, c, m, g = 0.7, 1.9, 1.4, 9.2
    found = reactions(systems.constant_speed()).at(
        {"xdot": c * np.cos(z), "ydot": c * np.sin(z)}, {"m": m, "g": g, "c": c}
    )
    assert found["power"] == pytest.approx(m * g * c * np.sin(z), rel=1e-12)


def test_a_route_that_does_not_apply_says_why():
    with pytest.raises(ModelError, match="parametric"):
        routes()["voronetz"](systems.parallel_points_parametric())
