"""One registry of forms: whoever lists, checks, integrates or shows them asks it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from nonholo.derive import form_files, forms
from nonholo.derive.laws.check import routes
from nonholo.finding import Agreement

SLEIGH = nh.System(
    name="sledge",
    coordinates="y phi x",
    parameters={"m": 1.3, "J": 0.7, "a": 0.4},
    lagrangian="m/2*((xdot - a*phidot*sin(phi))**2 + (ydot + a*phidot*cos(phi))**2) + J/2*phidot**2",
    constraints=["ydot*cos(phi) - xdot*sin(phi)"],
)


def test_files_and_registry_name_the_same_forms() -> None:
    assert set(form_files()) == set(forms.forms())


def test_there_is_one_witness_and_every_other_form_of_the_same_motion_is_compared_with_it() -> None:
    known = forms.forms()
    assert [n for n, f in known.items() if f.witness] == ["multipliers"]
    assert set(routes()) - {"hamel in a second frame"} == {n for n, f in known.items() if f.dalembert and not f.witness}


def test_a_form_that_registers_itself_is_checked_integrated_and_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "_KNOWN", dict(forms._KNOWN))

    @forms.form("borrowed", title="Borrowed equations", about="For this test.", place=7)
    def borrowed(system: nh.System, at: object = None) -> nh.Equations:
        return nh.voronetz(system)

    assert any(f.data == Agreement("borrowed", "multipliers") and f.verdict == "holds" for f in nh.check(SLEIGH))
    run = nh.simulate(SLEIGH, {"phidot": 1.1, "xdot": 0.3}, 1.0, form="borrowed")
    other = nh.simulate(SLEIGH, {"phidot": 1.1, "xdot": 0.3}, 1.0)
    assert run.final["x"] == pytest.approx(other.final["x"], abs=1e-8)


def test_a_form_whose_equations_are_wrong_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The classical fallacy: the constraint put into L before the variation."""
    monkeypatch.setattr(forms, "_KNOWN", dict(forms._KNOWN))

    @forms.form("fallacy", title="Fallacy", about="For this test.", place=7)
    def fallacy(system: nh.System, at: object = None) -> nh.Equations:
        return nh.hamel(nh.System(**{**vars(SLEIGH), "lagrangian": "m/2*(xdot**2 + ydot**2) + (J + m*a**2)/2*phidot**2"}))

    (finding,) = (f for f in nh.check(SLEIGH) if isinstance(f.data, Agreement) and f.data.one == "fallacy")
    assert finding.verdict == "fails"


def test_no_other_file_lists_the_forms() -> None:
    root = Path(nh.__file__).parent
    own = {f"{module.rpartition('.')[2]}.py" for module in form_files().values()}
    for file in root.rglob("*.py"):
        titles = root / "finding" / "sentences.py"  # the writer of sentences calls each form by its title
        if (file.parent.name == "derive" and file.name in own) or file in (root / "__init__.py", titles):
            continue
        named = set(re.findall(r'"(gibbs_appell|voronetz|hamilton)"', file.read_text(encoding="utf-8")))
        assert len(named) < 2, file


def test_an_unknown_form_is_answered_with_the_known_ones() -> None:
    with pytest.raises(nh.StateError, match="sledge: no form 'hamiltonian'; choose hamel, multipliers, gibbs_appell"):
        nh.simulate(SLEIGH, {"xdot": 1.0}, 1.0, form="hamiltonian")


def test_what_was_derived_is_found_again_and_other_values_are_another_question() -> None:
    words = {"coordinates": "x", "lagrangian": "xdot**2/2 - k*x**2/2"}
    one = nh.System(**words, parameters={"k": 2.0})
    assert nh.hamel(one) is nh.hamel(nh.System(**words, parameters={"k": 2.0}))
    other = nh.hamel(nh.System(**words, parameters={"k": 3.0}))
    assert other is not nh.hamel(one) and other.system is not None and other.system.parameters["k"] == 3.0
    assert nh.hamel(one, at={"x": 0.0}) is not nh.hamel(one) and nh.multipliers(one).origin != nh.hamel(one).origin


def test_voronetz_with_a_constraint_that_changes_with_time() -> None:
    """``ż = ẋ sin t``: by hand ``(1 + sin² t) ẍ = −ẋ sin t cos t``; the term of ``∂A/∂t`` was missing."""
    system = nh.System(coordinates="x z", lagrangian="(xdot**2 + zdot**2)/2", constraints=["zdot - xdot*sin(t)"])
    t = 0.6
    rates = nh.voronetz(system).rates({"t": t, "x": 0.1, "z": 0.2, "xdot": 0.9, "zdot": 0.9 * np.sin(t)}, {})
    assert abs(rates["xdot"] + 0.9 * np.sin(t) * np.cos(t) / (1 + np.sin(t) ** 2)) < 1e-14
