"""Energy, work, reactions and checks of long trains: their cost grows with the length, not exponentially."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.derive.hamel import hamel
from nonholo.gallery import n_trailer
from nonholo.integrate.motion.system_kernel import system_kernel
from nonholo.integrate.results.named_quantities import pseudo_inverse, reaction_program_of
from nonholo.model.system import varied


def driven(n):
    exhibit = n_trailer.exhibit(n)
    system = varied(exhibit.system, inputs=("u",), forces={"v": "u"})
    inputs = {"u": "0.3*sin(t)"}
    return system, nh.simulate(system, exhibit.start, 2.0, exhibit.parameters, inputs=inputs, t_eval=15, progress=False)


def test_work_and_reactions_of_a_train_of_twenty():
    """Each trailer tripled the work of both before: at twenty there was no end of it."""
    system, run = driven(20)
    assert run.drift("energy") < 1e-8
    dense = np.linspace(0, 2.0, 4001)
    v = np.interp(dense, run.times, run["v"])
    assert run.work[-1] == pytest.approx(np.trapezoid(0.3 * np.sin(dense) * v, dense), rel=1e-2)
    # multipliers by the witness, in plain coordinates, share nothing with those along the motion
    here = nh.reactions(system).at(run.final, dict(run.system.parameters))
    for k in (1, 7, 21):
        assert run[f"lambda{k}"][-1] == pytest.approx(here[f"lambda{k}"], rel=1e-6, abs=1e-8)


def test_a_long_train_is_checked_in_bounded_work():
    findings = nh.check(n_trailer.exhibit(13).system)
    assert not [f for f in findings if f.verdict == "fails"]
    skipped = [f for f in findings if f.verdict == "unknown" and "too long when written out" in str(f.evidence)]
    assert len(skipped) == 1


@pytest.mark.parametrize("n", [4, 8])
def test_reactions_are_computed_without_the_mass_matrix_of_all_velocities(n):
    """One number for each velocity and the slopes of the constraints, where all pairs of velocities were computed before."""
    system = n_trailer.trailers(n)
    ready = reaction_program_of(system_kernel(hamel(system), system), system)
    velocities, constraints = n + 3, n + 1
    assert len(ready.outputs) == velocities * (1 + constraints)


def test_pseudo_inverses_by_orthogonal_rows_are_those_by_singular_values():
    rows = np.random.default_rng(3).normal(size=(6, 3, 5))
    rows[4, 2] = rows[4, 0] - 2 * rows[4, 1]
    rows[5] = 0.0
    assert pseudo_inverse(rows) == pytest.approx(np.linalg.pinv(rows), abs=1e-12)
    tall = rows[:4].swapaxes(1, 2)
    assert pseudo_inverse(tall) == pytest.approx(np.linalg.pinv(tall), abs=1e-12)
