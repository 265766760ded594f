"""The fields of the gallery: their words, and facts that fail where the physics is changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nonholo import gallery
from nonholo.errors import ModelError
from nonholo.fields.strings.inextensible_string import String


@pytest.mark.parametrize("name", gallery.field_names())
def test_words_are_complete(name):
    exhibit, entry = gallery.get(name), gallery.catalogue()[name]
    assert (exhibit.name, exhibit.title, exhibit.group) == (name, entry["title"], entry["group"])
    assert entry["papers"] and exhibit.references and exhibit.equations and exhibit.story.count(".") >= 2
    run = exhibit.simulate(until=exhibit.until / 20, t_eval=2)
    assert all(n in run.data.variables for group in exhibit.plots for n in group)


@pytest.mark.parametrize("name", gallery.field_names())
def test_a_field_has_no_system_and_says_so(name):
    with pytest.raises(ModelError, match=f"{name} is a field, with infinitely many degrees of freedom"):
        gallery.get(name).system  # noqa: B018


def test_facts_of_the_string_see_a_wrong_equation(monkeypatch):
    """Ω_t with θ_s λ_s once instead of twice: the frequencies and the integrals see it."""
    exhibit = gallery.get("string")
    true = String.turning_rate

    def wrong(self, theta, omega):
        rate, tension = true(self, theta, omega)
        d = self.grid.derivative
        return rate - (d @ theta) * (d @ tension), tension

    monkeypatch.setattr(String, "turning_rate", wrong)
    failed = {fact.claim for fact in exhibit.facts[:2] if not fact(exhibit)}
    assert any("n(n + 3)" in claim for claim in failed)


def test_facts_of_the_sleigh_see_a_string_without_mass():
    exhibit = gallery.get("sleigh-string")
    lighter = replace(exhibit, field=replace(exhibit.field, density=0.2))  # type: ignore[call-arg]
    names = {fact.claim for fact in exhibit.facts if "½(m + μ)v²" in fact.claim}
    assert names and not any(fact(lighter) for fact in lighter.facts if fact.claim in names)


def test_facts_of_the_fluid_see_aliasing(monkeypatch):
    """Without the 2/3 rule energy is not kept."""
    from nonholo.fields.fluids import fluid

    known = fluid.spectrum(24)
    monkeypatch.setattr(fluid, "spectrum", lambda n: replace(known, kept=np.ones_like(known.kept)))
    run = fluid.Fluid(nodes=24).simulate(
        {"vorticity": "cos(5*x + 6*y) + sin(7*x) - 0.7*cos(6*x - 5*y)"}, 1.0, method="gauss", step=0.05, t_eval=3
    )
    assert max(run.drift("energy"), run.drift("enstrophy")) > 1e-6
