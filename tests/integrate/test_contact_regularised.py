"""Regularised friction beside Coulomb's: it creeps, and converges to the events as its velocity goes to zero."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from tests.integrate.test_contact_modes import G, disk, spinning_ball

SOFT = (0.08, 0.02, 0.005)


def test_a_block_that_rests_creeps_under_a_regularised_law() -> None:
    """At rest tan b < μ; regularised it creeps at ε s/√(1 − s²) with s = tan b/μ, in proportion to ε."""
    b, mu = 0.3, 0.5
    block = nh.System(
        name="block", coordinates="x z", lagrangian=f"(xdot**2 + zdot**2)/2 - 9.81*(z*cos({b}) - x*sin({b}))",
        contacts=[{"name": "slope", "gap": "z", "slip": ["xdot"], "friction": mu, "slips": True}],
    )  # fmt: skip
    rests = nh.simulate(block, {}, 2.0, t_eval="end")
    assert rests.final["x"] == 0.0
    share = np.tan(b) / mu
    for soft in SOFT:
        run = nh.simulate(block, {}, 4.0, t_eval="end", regularised=soft, method="rodas")
        assert abs(run.final["xdot"] - soft * share / np.sqrt(1 - share**2)) < 1e-8 * soft and len(run.modes) == 0


def errors(system: nh.System, start: dict[str, float], until: float, names: tuple[str, ...]) -> list[float]:
    """How far regularised motions end from ours, for each velocity of the law."""
    ours = nh.simulate(system, start, until, t_eval="end")
    found = []
    for soft in SOFT:
        run = nh.simulate(system, start, until, t_eval="end", regularised=soft, method="rodas", rtol=1e-8, atol=1e-10)
        found.append(max(abs(run.final[n] - ours.final[n]) for n in names))
    return found


def test_regularised_throws_converge_to_the_throw() -> None:
    """The table of docs/contacts.md: the error falls with ε, with the order one."""
    found = errors(disk(), {"xdot": 8.1}, 3.0, ("x", "xdot"))
    orders = np.diff(np.log(found)) / np.diff(np.log(SOFT))
    assert np.all(orders > 0.8) and np.all(orders < 2.2), (found, orders)
    assert found[-1] < 2e-3
    spun = errors(spinning_ball(), {"xdot": 3.1, "ydot": 1.7, "w1": 13.0, "w2": -21.0}, 1.5, ("x", "y"))
    assert np.all(np.diff(np.log(spun)) / np.diff(np.log(SOFT)) > 0.8), spun


def test_a_regularised_law_needs_a_velocity() -> None:
    with pytest.raises(nh.NonholoError, match="a velocity above zero"):
        nh.simulate(disk(), {"xdot": 1.0}, 1.0, regularised=-1e-3)


def test_the_balance_of_energy_closes_under_a_regularised_law() -> None:
    run = nh.simulate(disk(), {"xdot": 8.1}, 1.0, t_eval=5, regularised=0.05)
    decel = 0.19 * G
    assert run.drift("energy") < 1e-9 and abs(run.final["xdot"] - (8.1 - decel)) < 0.05


@pytest.mark.parametrize(("option", "value"), [("regularised", 0.1), ("impacts", "together"), ("undecided", "rolling")])
def test_options_of_contacts_are_refused_where_no_contact_changes(option: str, value: object) -> None:
    """They would do nothing: a system without contacts, and one whose contacts are constraints."""
    swing = nh.System(name="swing", coordinates="q", lagrangian="qdot**2/2 + 4*cos(q)")
    held = nh.System(
        name="held", coordinates="x z", lagrangian="(xdot**2 + zdot**2)/2 - 9.81*z", contacts=[{"name": "floor", "gap": "z"}]
    )
    for system in (swing, held):
        with pytest.raises(nh.StateError, match=f"{system.name}: {option}=.* is for contacts that slip or lift, and it has none"):
            nh.simulate(system, {}, 1.0, **{option: value})  # type: ignore[arg-type]
