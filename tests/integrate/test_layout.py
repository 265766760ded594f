"""The arrays of the compiled loops: every entry has a place of its own, and the rooms lie side by side."""

from __future__ import annotations

import ast
from pathlib import Path

import nonholo as nh
from nonholo.compile import compile_equations
from nonholo.integrate.loops.arguments import array_layout as at
from nonholo.integrate.loops.arguments import workspace
from nonholo.integrate.loops.arguments.integration_plan import Declared, IntegrationPlan, Watched, filled
from nonholo.integrate.methods import DormandPrince8
from tests.compile import handmade


def test_every_entry_is_declared_once_and_has_its_own_place() -> None:
    tree = ast.parse(Path(at.__file__).read_text())
    found: dict[str, list[tuple[int, str]]] = {"spec": [], "real": [], "whole": []}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
            array = ast.unparse(node.value.func.value)
            names = [n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)]
            found[array] += [(getattr(at, name), name) for name in names]
    for array, places in found.items():
        declared: Declared = getattr(at, array)
        assert [place for place, _ in places] == list(range(len(declared.entries))), array
        assert len({name for _, name in places}) == len(places)


def test_the_arrays_of_the_sleigh_are_as_counted_by_hand() -> None:
    method = DormandPrince8(rtol=1e-7)
    kernel = compile_equations(handmade.sleigh())  # three coordinates, two speeds, three parameters
    plan = IntegrationPlan(kernel, method, 1.0, 3.0, Watched(direction=(0, 1), terminal=(0, 0)), False)
    spec, real, whole = filled(plan, at.spec, at.real, at.whole)
    assert (spec[at.STATE], spec[at.COORDINATES], spec[at.SPEEDS], spec[at.PARAMETERS]) == (5, 3, 2, 3)
    assert (spec[at.RATES], spec[at.RATES_DATA]) == (kernel.rates_code.well.address, kernel.rates_code.data)
    assert (real[at.START], real[at.END], real[at.RTOL]) == (1.0, 3.0, 1e-7)
    assert spec[at.AT_NEW] - spec[at.AT_Y] == 5
    assert spec[at.AT_CONSTANTS] - spec[at.AT_GIVEN] == 1 + 5 + 0 + 3 + 2  # time, state, inputs, parameters, mass
    assert spec[at.AT_Y] == len(at.real.entries)  # rooms begin where the single entries end
    assert len(real) == spec[at.AT_PENCIL]  # the last room, empty without slopes
    assert len(whole) == len(at.whole.entries) + 2 * 2 + 2 * 2 + 2 * 2 * (3 * method.samples + 1)


def test_the_second_motion_of_a_system_fills_no_arrays_anew(monkeypatch) -> None:
    made = []
    monkeypatch.setattr(workspace, "filled", lambda *words: made.append(words) or filled(*words))
    swing = nh.System(coordinates="q", lagrangian="qdot**2/2 - q**2/2 - 0.1231*q**4")
    for start in (0.3, 0.4):
        nh.simulate(swing, {"q": start}, 0.1)
    assert len(made) == 1
