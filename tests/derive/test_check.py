"""What `check` says where it cannot compare."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

import symengine as se

import nonholo as nh
from nonholo.algebra.cache import forget
from nonholo.derive.hamel import hamel
from nonholo.derive.laws.check import _agreement, _at, _energy_findings, random_states
from nonholo.derive.multipliers import multipliers
from nonholo.finding import Agreement
from nonholo.gallery import n_trailer
from nonholo.model.velocities import admissible


def test_a_constraint_said_twice_is_named_as_the_reason() -> None:
    twice = nh.System(
        coordinates="x y th",
        parameters="m J",
        lagrangian="m/2*(xdot**2+ydot**2)+J/2*thdot**2",
        constraints=["-xdot*sin(th)+ydot*cos(th)", "2*xdot*sin(th)-2*ydot*cos(th)"],
    )
    first = nh.check(twice)[0]
    assert first.verdict == "fails" and "constraint 2" in first.evidence and "remove it" in first.evidence


def test_rounding_near_a_degenerate_choice_of_speeds_is_no_disagreement() -> None:
    """The second frame's speeds nearly degenerate at one of the random states; 1.06e-10 was called a disagreement."""
    system = nh.System(
        coordinates="f x y x2 y2 z", parameters={"r": 0.9, "g": 2.0, "k": 0.6, "h": 2.0},
        lagrangian="9*((xdot - 2*zdot)**2 + ydot**2)/8 + 9*(x2dot**2 + y2dot**2 + zdot**2)/8 + 9*fdot**2/20 - g*y - h*z",
        holonomic=["x - 2*z - r*cos(f)", "y - r*sin(f)", "z - k*x2**2"],
    )  # fmt: skip
    found = {f.data.one: f.verdict for f in nh.check(system) if isinstance(f.data, Agreement)}
    assert found["hamel in a second frame"] == "holds", found


def test_a_wrong_derivation_disagrees_wherever_the_speeds_degenerate() -> None:
    system = nh.gallery.get("chaplygin-sleigh").system

    def wrong(one: nh.System) -> nh.Equations:
        good = nh.hamel(one)
        return replace(good, force=tuple(e * (1 + 1e-9) for e in good.force))

    states = list(random_states(system))
    truth = [_at(nh.multipliers(system), s) for s in states]
    assert _agreement(system, "hamel", wrong, states, truth).verdict == "fails"


def test_rounding_of_a_large_energy_is_no_disagreement() -> None:
    """At one of the random states the energy is 1.5e5 and the mass matrix has the condition 3e5: its rate is known to 1e-7."""
    system = nh.System(
        coordinates="w x",
        lagrangian="(3*w*(x - 3*w)*(xdot - 3*wdot)/10 + 3*wdot/2)**2/2"
        " + (9*((-2*(x - 3*w)**3 - 2*w**3)**2 + 1)*(xdot - 3*wdot)**2/4 + 9*wdot**2/4)/2 + 2*cos(w)/3",
    )
    assert all(f.verdict == "holds" for f in nh.check(system) if f.data.check and f.verdict != "unknown")


def test_an_energy_that_is_not_balanced_is_seen() -> None:
    """The energy of a form of the equations by hand: its rate is not the power of the forces."""
    system = nh.System(coordinates="x", lagrangian="xdot**2/2 - x**2/2")
    own = hamel(system)
    states = list(random_states(system))
    wrong = replace(own, force=tuple(e + se.Rational(1, 10**8) for e in own.force))
    found = _energy_findings(system, multipliers(system), wrong, states, [_at(multipliers(system), s) for s in states])
    assert found[0].verdict == "fails"


def test_a_check_solves_the_constraints_once_in_each_order_of_speeds(monkeypatch) -> None:
    """For Hamel's equations at their place, and at no place in particular with declared speeds first and with rates first."""
    asked = []
    kept = admissible._linear
    monkeypatch.setattr(admissible, "_linear", lambda *given: asked.append(given[3:]) or kept(*given))
    forget()
    nh.check(n_trailer.trailers(4))
    assert len(asked) == 3


def test_a_check_derives_the_metric_of_the_frame_once(monkeypatch) -> None:
    made, place = [], import_module("nonholo.derive.hamel")
    kept = place.symmetric_jacobian
    monkeypatch.setattr(place, "symmetric_jacobian", lambda *given: made.append(1) or kept(*given))
    forget()
    nh.check(n_trailer.trailers(4))
    assert len(made) == 1


def test_gauss_s_principle_has_no_number_where_no_velocity_is_free() -> None:
    held = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2", constraints=["xdot", "ydot"])
    (found,) = [f for f in nh.check(held) if "Gauss" in f.claim]
    assert found.verdict == "holds" and found.value is None
