"""Certificates of brackets, Lie algebras, Suslov's criterion and Noether's conditions, and the same ones changed."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import nonholo as nh
from nonholo.symmetry.certificate.certificates import certificates
from tests.certificates.checker import check
from tests.certificates.residues import Wrong
from tests.certificates.test_certificates import reachable

GALLERY = nh.gallery.system_names()
QUICK = (
    "chaplygin-sleigh",
    "coaxial-discs",
    "degenerate-sleigh",
    "n-trailer",
    "suslov-n",
    "unicycle",
)
"""Kinematic and dynamic, with drift and without, on leaves, an algebra alone, no kinetic energy, laws of inputs."""


def entry(system: nh.System, found: nh.Finding) -> dict[str, Any]:
    (made,) = json.loads(json.dumps(certificates(system, [found])))
    return dict(made)


@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in GALLERY])
def test_what_brackets_and_fields_prove_of_an_exhibit_is_certified(name: str) -> None:
    system = nh.gallery.get(name).system
    proved = [f for f in [*reachable(system), nh.frames.unimodular(system.frame)] if f.proved]
    assert proved
    for found in proved:
        made = entry(system, found)
        assert made["states"] is not None, found.claim
        check(made)


BOAT: dict[str, Any] = {
    "coordinates": "x y th", "lagrangian": "m*(xdot**2 + ydot**2)/2 + J*thdot**2/2", "parameters": "m J c b",
    "forces": {"x": "u*cos(th) - c*xdot", "y": "u*sin(th) - c*ydot", "th": "w - b*thdot"}, "inputs": "u w",
}  # fmt: skip
FLAT: dict[str, Any] = {
    "coordinates": "x y z",
    "lagrangian": "(xdot**2 + ydot**2 + zdot**2)/2",
    "constraints": ["zdot - x*ydot - y*xdot"],
}
ROLLING = {
    "coordinates": "th x y",
    "lagrangian": "(thdot**2 + xdot**2 + ydot**2)/2",
    "constraints": ["ydot*cos(th) - xdot*sin(th)"],
}


def kinds(answer: Any) -> dict[str, nh.Finding]:
    return {f.kind: f for f in answer.findings if f.proved}


def refused(made: dict[str, Any], **formulas: Any) -> None:
    changed = copy.deepcopy(made)
    changed["formulas"].update(formulas)
    with pytest.raises(Wrong):
        check(changed)


def test_brackets_of_a_skate_and_all_that_is_changed_in_them() -> None:
    system = nh.System(**ROLLING)
    found = kinds(nh.controllability(system))
    made = entry(system, found["accessible"])
    check(made)
    told = made["formulas"]
    assert told["words"] == [[1], [2], [1, 2]] or told["words"] == [[1], [2], [2, 1]]
    refused(made, words=told["words"][:2])
    refused(made, words=[*told["words"][:2], [1, 1]])
    refused(made, growth=[3])
    refused(made, growth=[2, 2])
    refused(made, dimension=4)
    refused(made, components=[["1", "0", "0"], *told["components"][1:]])
    refused(made, components=told["components"][:2], words=[[1]])
    refused(made, components=[told["components"][0], told["components"][1], told["components"][1]])
    refused(made, reading="dynamic")
    other = copy.deepcopy(made)
    other["system"]["constraints"] = ["ydot - xdot"]
    with pytest.raises(Wrong):
        check(other)
    linear = entry(system, found["linearly_controllable"])
    check(linear)
    refused(linear, rank=3)
    refused(linear, dimension=2)


def test_a_leaf_and_its_functions() -> None:
    system = nh.System(**FLAT)
    found = kinds(nh.controllability(system))
    for kind in ("leaves", "accessible", "locally_controllable"):
        made = entry(system, found[kind])
        assert made["kind"] == "brackets_close"
        check(made)
    made = entry(system, found["leaves"])
    assert made["formulas"]["integrals"]
    refused(made, integrals=["z - x"])
    refused(made, integrals=["z - x*y", "z - x*y"])
    turned = copy.deepcopy(made)
    turned["system"]["constraints"] = ["zdot - x*ydot"]  # not integrable
    turned["formulas"]["components"] = [["0"] * 3, ["1", "0", "0"], ["0", "1", "x"]]
    turned["formulas"]["integrals"] = []
    with pytest.raises(Wrong):
        check(turned)


def test_brackets_of_forces_are_taken_with_the_checkers_own_accelerations() -> None:
    system = nh.System(**BOAT)
    (found,) = [f for f in nh.controllability(system).findings if f.proved and f.kind == "accessible"]
    made = entry(system, found)
    assert made["formulas"]["reading"] == "dynamic" and made["formulas"]["components"] == []
    check(made)
    still = copy.deepcopy(made)
    still["system"]["forces"] = ["0", "0", "w"]
    with pytest.raises(Wrong):
        check(still)
    refused(made, dimension=5)
    refused(made, words=made["formulas"]["words"][:-1])


def test_states_may_leave_the_constraints_only_where_that_is_asked() -> None:
    system = nh.System(**ROLLING)
    inside, preserves = (f for f in nh.noether(system, "th").findings if f.kind.startswith("field_"))
    made = [entry(system, f) for f in (inside, preserves)]
    for one in made:
        check(one)
    assert made[1]["formulas"]["fully"]
    refused(made[0], components=[["0", "1", "0"]])
    refused(made[1], components=[["0", "x", "0"]])
    refused(made[1], unconstrained=[])
    freed = copy.deepcopy(made[0])
    freed["states"] = made[1]["states"]
    freed["formulas"]["unconstrained"] = made[1]["formulas"]["unconstrained"]
    with pytest.raises(Wrong):
        check(freed)


def test_a_field_that_preserves_the_lagrangian_on_the_constraints_alone() -> None:
    system = nh.System(
        coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 + y*(xdot - ydot)", constraints=["xdot - ydot"]
    )
    (partly,) = [f for f in nh.noether(system, {"x": "1", "y": "1"}).findings if f.kind == "field_preserves"]
    assert partly.proved and not partly.data.fully  # type: ignore[attr-defined]
    made = entry(system, partly)
    check(made)
    refused(made, fully=True)
    refused(made, components=[["1", "0"]], unconstrained=[0])


@pytest.mark.parametrize("brackets", [{("e1", "e2"): "e3"}, {("e1", "e2"): "e2"}, {("e1", "e2"): "k*e2"}])
def test_traces_of_algebras(brackets: Any) -> None:
    frame = nh.LieAlgebra(brackets, parameters="k", rates="e1 e2 e3")
    system = nh.System(frame=frame, lagrangian="(e1**2 + e2**2 + e3**2)/2")
    found = nh.frames.unimodular(frame)
    made = entry(system, found)
    check(made)
    with pytest.raises(Wrong):
        check({**made, "kind": "not_unimodular" if found else "unimodular"})


@pytest.mark.parametrize("row", ["e1", "e2", "e3 + e1/3"])
def test_suslovs_criterion(row: str) -> None:
    frame = nh.LieAlgebra({("e1", "e2"): "e2", ("e1", "e3"): "e3"}, rates="e1 e2 e3")
    system = nh.System(frame=frame, lagrangian="(2*e1**2 + 3*e2**2 + 4*e3**2)/2 + e2*e1", constraints=[row])
    found = nh.studies.suslov_criterion(system).holds
    made = entry(system, found)
    assert found.proved and made["kind"] in (["measure"] if found else ["no_measure_homogeneous", "no_measure_trace"])
    check(made)
    other = copy.deepcopy(made)
    other["system"]["constraints"] = ["e1" if not found else "e2"]
    with pytest.raises(Wrong):
        check(other)


def test_an_integral_for_what_the_inputs_do_is_certified_with_their_laws() -> None:
    system = nh.System(
        coordinates="th", parameters="J", lagrangian="J*thdot**2/2", forces={"th": "u"}, inputs={"u": "cos(t)"}
    )
    found = nh.noether(system, "th").constant
    assert found.proved and "sin(t)" in found.claim
    check(entry(system, found))


def test_a_quantity_that_is_one_number_is_certified_as_such() -> None:
    system = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - x", constraints=["xdot - ydot"])
    found = nh.conserved(system, "xdot - ydot")
    assert found.proved
    made = entry(system, found)
    check(made)
    refused(made, number=False)
