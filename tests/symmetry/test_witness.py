"""Proofs are tried on computed motions: false claims are contradicted, true ones are not, and a contradiction is no proof."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.finding import Defect, Density, Finding, FirstIntegral, Measure, Symmetries
from nonholo.model.files.toml_files import loads
from nonholo.model.velocities.admissible import admissible
from nonholo.symmetry.group.shift_turn_algebra import Algebra
from nonholo.symmetry.group.symmetry_group import Group
from nonholo.symmetry.witness.confirmation import Claim, confirmed, contradiction
from nonholo.symmetry.witness.steady_trial import Eigenvalues
from nonholo.symmetry.witness.symmetry_trial import CarriesMotions, ConstantAlongMotions, Reversible, VolumePreserved
from nonholo.symmetry.witness.trials import tried_group, tried_integrals
from tests.engine.algebras import random_algebra
from tests.engine.bodies import BODIES, body
from tests.engine.known import MAKERS
from tests.engine.record import Known

RING = MAKERS["bead on a ring"]()
SLEIGH = MAKERS["sleigh"]()


def against(one: Known, claim: Claim) -> object:
    return contradiction(one.system(), dict(one.parameters), claim)


def field(one: Known, **parts: str) -> CarriesMotions:
    return CarriesMotions(tuple(se.sympify(parts.get(c, "0")) for c in one.coordinates))


@pytest.mark.parametrize("name", MAKERS)
def test_true_claims_are_not_contradicted(name: str) -> None:
    one = MAKERS[name]()
    for e in one.integrals:
        assert against(one, ConstantAlongMotions(e, tuple(one.angles))) is None
    for f in one.symmetries:
        assert against(one, CarriesMotions(f)) is None
    system = one.system()
    density = nh.measure(system, witness=False)
    if density and density.formula is not None:
        assert against(one, VolumePreserved(density.formula, tuple(map(str, admissible(system).speeds)))) is None
    if one.equilibrium is not None and one.spectrum is not None:
        state = FrozenMap({**one.equilibrium, **{f"{c}dot": 0.0 for c in one.coordinates}})
        assert against(one, Eigenvalues(state, one.spectrum)) is None
        wrong = (one.spectrum[0] * 1.02, *one.spectrum[1:])
        assert against(one, Eigenvalues(state, wrong)) is not None


@pytest.mark.parametrize("name", BODIES)
def test_true_claims_of_bodies_are_not_contradicted(name: str) -> None:
    for chart in ("yzx", "zyz", "quaternion"):
        one = body(name, chart)
        for e in one.integrals:
            assert against(one, ConstantAlongMotions(e)) is None
        for f in one.symmetries:
            assert against(one, CarriesMotions(f)) is None


@pytest.mark.parametrize(
    ("one", "claim"),
    [
        (RING, field(RING, x="1")),
        (MAKERS["Atwood's machine"](), field(MAKERS["Atwood's machine"](), x="1", y="-m/M")),
        (MAKERS["trough"](), field(MAKERS["trough"](), z="1")),
        (SLEIGH, field(SLEIGH, th="1")),
        (MAKERS["two springs"](), field(MAKERS["two springs"](), x="-y", y="x")),
        (SLEIGH, ConstantAlongMotions(se.sympify("thdot"))),
        (MAKERS["two springs"](), ConstantAlongMotions(se.sympify("x*ydot - 1.001*y*xdot"))),
        (MAKERS["vertical disk"](), ConstantAlongMotions(se.sympify("thdot*ph - phdot*th"), ("th", "ph"))),
        (SLEIGH, VolumePreserved(se.Integer(1), ("thdot", "xdot"))),
        (MAKERS["damped spring"](), VolumePreserved(se.Integer(1), ("xdot", "ydot"))),
        (MAKERS["Heisenberg particle"](), VolumePreserved(se.sympify("1 + y**2"), ("xdot", "ydot"))),
        (RING, VolumePreserved(se.sympify("exp(f)"), ("fdot",))),
        (MAKERS["swirl"](), Reversible()),
        (MAKERS["charge"](), Reversible()),
        (MAKERS["damped spring"](), Reversible()),
    ],
    ids=lambda v: v.name if isinstance(v, Known) else type(v).__name__,
)
def test_false_claims_are_contradicted(one: Known, claim: Claim) -> None:
    assert against(one, claim) is not None


def test_reversible_systems_run_backwards() -> None:
    for name in ("sleigh", "skate on a slope", "trough", "double pendulum"):
        assert against(MAKERS[name](), Reversible()) is None


def test_densities_on_lie_algebras() -> None:
    """The unit density is contradicted exactly where the divergence does not vanish."""
    seen = set()
    for k in range(25):
        one = random_algebra(Random(k))
        system = one.system()
        speeds = tuple(map(str, admissible(system).speeds))
        found = contradiction(system, {}, VolumePreserved(se.Integer(1), speeds))
        assert (found is None) == one.kept, k
        seen.add(one.kept)
    assert seen == {True, False}


def test_rotation_matrices_are_tried_in_a_chart() -> None:
    top = nh.System(
        frame=nh.SO3("R", rates="w1 w2 w3"), parameters={"A": 0.9, "B": 0.7, "C": 0.55},
        lagrangian="(A*w1**2 + B*w2**2 + C*w3**2)/2",
    )  # fmt: skip
    values = dict(top.parameters)
    momentum = se.sympify("A*R11*w1 + B*R12*w2 + C*R13*w3")
    assert contradiction(top, values, ConstantAlongMotions(momentum)) is None
    assert contradiction(top, values, ConstantAlongMotions(se.sympify("A*R11*w1 + B*R12*w2 - C*R13*w3"))) is not None
    assert contradiction(top, values, VolumePreserved(se.Integer(1), ("w1", "w2", "w3"))) is None
    turn = tuple(se.sympify(e) for e in ["-R21", "-R22", "-R23", "R11", "R12", "R13", "0", "0", "0"])
    spin = tuple(se.sympify(e) for e in ["R12", "-R11", "0", "R22", "-R21", "0", "R32", "-R31", "0"])
    assert contradiction(top, values, CarriesMotions(turn)) is None
    assert contradiction(top, values, CarriesMotions(spin)) is not None


def test_a_contradicted_proof_is_a_defect_with_the_system_attached() -> None:
    system = SLEIGH.system()
    false = Finding(FirstIntegral("thdot"), "holds", None, "proved: it is not", se.Symbol("thdot"), "wrong", True)
    found = confirmed(system, dict(SLEIGH.parameters), false, ConstantAlongMotions(se.Symbol("thdot")))
    assert isinstance(found.data, Defect) and not found.proved and found.verdict == "unknown"
    assert (found.data.contradicted, found.data.text) == ("first_integral", false.claim)
    assert loads(found.data.system).coordinates == system.coordinates
    assert "please report" in str(found)


def _lie(monkeypatch: pytest.MonkeyPatch, place: str, answer: Any) -> None:
    monkeypatch.setattr(place, answer)


def test_measure_integrals_and_verdict_report_a_false_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proofs that go wrong are seen in every answer, and only there: witness=False prints them as they are."""
    false = Finding(Measure(Density.CONFIGURATION), "holds", None, "proved", se.Integer(1), "wrong", True)
    _lie(monkeypatch, "nonholo.symmetry.quadrature.chaplygin_time.measure_for", lambda motion, values: false)
    system = SLEIGH.system()
    assert isinstance(nh.measure(system).data, Defect)
    assert nh.measure(system, witness=False) == false
    _lie(monkeypatch, "nonholo.symmetry.judgement.verdict.measure_for", lambda motion, values: false)
    kinds = [type(f.data) for f in nh.verdict(system).findings]
    assert Defect in kinds and Measure not in kinds
    assert Defect not in [type(f.data) for f in nh.verdict(system, witness=False).findings]
    wrong = Finding(FirstIntegral("thdot"), "holds", None, "proved", se.Symbol("thdot"), "wrong", True)
    _lie(monkeypatch, "nonholo.symmetry.integrals.integrals.find_integrals", lambda *words, **more: (wrong,))
    assert [type(f.data) for f in nh.integrals(system)] == [Defect]
    assert tuple(nh.integrals(system, witness=False)) == (wrong,)


def test_an_integral_that_is_not_single_valued_is_a_defect_unless_it_is_called_local() -> None:
    """``thdot*ph − phdot*th`` of a rolling disk is constant, and has another value after a full turn."""
    disk = MAKERS["vertical disk"]()
    formula = se.sympify("thdot*ph - phdot*th")
    proved = Finding(FirstIntegral("thdot*ph - phdot*th"), "holds", None, "proved", formula, "by hand", True)
    (found,) = tried_integrals(disk.system(), dict(disk.parameters), [proved])
    assert isinstance(found.data, Defect)
    told = Finding(FirstIntegral("thdot*ph - phdot*th", local=("th", "ph")), "holds", None, "proved", formula, "by hand", True)
    assert tried_integrals(disk.system(), dict(disk.parameters), [told]) == (told,)


def test_verdict_and_reduce_report_a_false_symmetry(monkeypatch: pytest.MonkeyPatch) -> None:
    system = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - y**2/2 - y**4")
    fields = {"shift_y": (se.Integer(0), se.Integer(1))}

    def lie(motion: Any) -> Group:
        found = Group(motion.system, motion)
        vars(found).update(_algebra=Algebra(fields), hidden=FrozenMap())
        return found

    _lie(monkeypatch, "nonholo.symmetry.judgement.verdict.group_of_motion", lie)
    findings = nh.verdict(system).findings
    assert [f.data.contradicted for f in findings if isinstance(f.data, Defect)] == ["symmetries"]
    assert not any(f.proved and isinstance(f.data, Symmetries) and f for f in findings)
    assert not any(isinstance(f.data, Defect) for f in nh.reduce(system).findings)
    _lie(monkeypatch, "nonholo.symmetry.reduction.reduce.tried_group", lambda s, v, g: tried_group(s, v, fields))
    assert [f.data.contradicted for f in nh.reduce(system).findings if isinstance(f.data, Defect)] == ["symmetries"]
    assert not any(isinstance(f.data, Defect) for f in nh.reduce(system, witness=False).findings)


def test_stability_is_not_decided_against_small_motions(monkeypatch: pytest.MonkeyPatch) -> None:
    swing = nh.System(coordinates="q", lagrangian="qdot**2/2 + 4*cos(q)")
    assert nh.stability(swing, {"q": 0}).decided
    from nonholo.analyse.stability import stability as room

    true = room._spectrum

    def turned(*words: Any) -> Any:
        from dataclasses import replace

        found = true(*words)
        return replace(found, matrix=1.5 * np.asarray(found.matrix))

    monkeypatch.setattr(room, "_spectrum", turned)
    assert nh.stability(swing, {"q": 0}).verdict == room.CONTRADICTED
    assert nh.stability(swing, {"q": 0}, witness=False).verdict != room.CONTRADICTED
