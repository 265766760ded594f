"""A model you can hold: derived once, right by the multiplier witness, the same whatever was asked before."""

from __future__ import annotations

import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import nonholo as nh
from nonholo.algebra.cache import Cache, forget
from nonholo.derive import hamel, multipliers
from nonholo.finding import Agreement
from nonholo.integrate.motion import system_kernel
from nonholo.model.system import numbered
from nonholo.model.system_structure import structure
from tests.integrate.plain import WORDS, system

INPUTS = {"tau": 0.13}
SHARED = [("skate on a slope", 0), ("rolling coin upright", 0), ("bead on an ellipsoid", 1), ("points of equal speed", 1)]
"""Systems, and how many sets of equations a generic place asks for beside those that serve at the start."""


def told(s):
    return {n: INPUTS[n] for n in s.inputs if n in INPUTS}


@pytest.fixture
def made(monkeypatch):
    """Counts how often equations are compiled."""
    count = []
    original = system_kernel.compile_equations
    monkeypatch.setattr(system_kernel, "compile_equations", lambda *a, **k: count.append(a[0].name) or original(*a, **k))
    return count


@pytest.fixture
def worked(monkeypatch, made):
    """Counts derivations, by the very functions that assemble equations, beside compilations."""
    count = {"compiled": made, "hamel": [], "lagrange": []}
    for module, key in ((hamel, "assemble"), (multipliers, "_lagrange")):
        original = getattr(module, key)
        note = count["hamel" if key == "assemble" else "lagrange"]
        monkeypatch.setattr(module, key, lambda *a, _o=original, _n=note: _n.append(a[0].name) or _o(*a))
    return lambda: {n: len(e) for n, e in count.items()}


@pytest.mark.parametrize(("name", "other"), SHARED)
def test_nothing_is_derived_or_compiled_twice(name, other, worked):
    """A model, a check, reactions, equations, a motion and a completed state of one system share what they stand on."""
    forget()
    s = system(name)
    nh.prepare(s).names  # noqa: B018
    assert worked() == {"compiled": 1, "hamel": 1, "lagrange": 0}
    nh.hamel(s)  # at no place in particular, where other pivots may be the larger ones than at the start
    assert worked() == {"compiled": 1, "hamel": 1 + other, "lagrange": 0}
    found = {f.data: f.verdict for f in nh.check(s)}
    assert "fails" not in found.values()
    mixed = other + (found[Agreement("hamel in a second frame", "multipliers")] == "holds")
    assert worked() == {"compiled": 1, "hamel": 1 + mixed, "lagrange": 1}
    nh.reactions(s).at(nh.complete_state(s), s.parameters)
    nh.hamel(s).rates({**nh.complete_state(s), **told(s)}, s.parameters)
    nh.energy(s)
    nh.check(numbered(s, start={n: 0.9 * e for n, e in s.start.items()}))  # other numbers, the same structure
    nh.prepare(s).rates(s.start, told(s))
    run = nh.simulate(s, until=0.01, inputs=told(s) or None)
    assert worked() == {"compiled": run.frames, "hamel": run.frames + mixed, "lagrange": 1}
    nh.simulate(s, until=0.01, inputs=told(s) or None, form="multipliers")
    assert worked() == {"compiled": run.frames + 1, "hamel": run.frames + mixed, "lagrange": 1}


@pytest.mark.parametrize("name", WORDS)
def test_rates_of_a_model_are_those_of_the_multiplier_witness(name):
    s = system(name)
    full = {**nh.complete_state(s), **told(s)}
    model = nh.prepare(s)
    found, true = model.rates(s.start, told(s)), nh.multipliers(s).rates(full, s.parameters)
    for n in (*s.coordinates, *s.velocities):
        assert found[n] == pytest.approx(true[n], rel=1e-9, abs=1e-9)
    row = model.vector([full[n] for n in model.names], [full[n] for n in model.inputs])
    assert row == pytest.approx([found[n] for n in model.names], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", WORDS)
def test_steps_are_the_motion_and_its_jacobian_the_slope_of_its_vector(name):
    s = system(name)
    model, state = nh.prepare(s), {**s.start}
    for _ in range(20):
        state = model.step(state, 0.02, told(s))
    run = nh.simulate(s, until=0.4, inputs=told(s) or None, t_eval="end", rtol=1e-11)
    assert state["t"] == pytest.approx(0.4)
    assert all(state[n] == pytest.approx(run.final[n], rel=1e-7, abs=1e-8) for n in run.final)
    x, u = np.array([state[n] for n in model.names]), [told(s).get(n, 0.3) for n in model.inputs]
    slopes = model.jacobian(x, u, 0.4)
    for k, e in enumerate(np.eye(len(x)) * 1e-6):
        slope = (model.vector(x + e, u, 0.4) - model.vector(x - e, u, 0.4)) / 2e-6
        np.testing.assert_allclose(slopes[:, k], slope, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["car", "skate on a slope", "points of equal speed"])
def test_other_values_starts_and_inputs_need_no_other_derivation(name, made):
    s = system(name)
    forget()
    nh.simulate(s, until=0.5, inputs=told(s) or None)
    first = len(made)
    assert first >= 1
    other = system(name)  # the same words once more
    assert structure(other) == structure(s) and other is not s
    values = {n: 1.1 * v for n, v in s.parameters.items()}
    start = {**s.start, s.coordinates[0]: 0.05}
    nh.simulate(other, start, 0.5, values, inputs=told(s) or None)
    nh.ensemble(other, [start, {**start, s.coordinates[0]: 0.07}], 0.5, values, inputs=told(s) or None)
    nh.prepare(numbered(other, values)).step(start, 0.1, told(s))
    nh.prepare(other).rates(start, told(s))
    assert len(made) == first


def test_another_formula_is_another_structure_and_values_are_not():
    base = nh.System(coordinates="x", parameters="k", lagrangian="xdot**2/2 - k*x**2/2")
    assert structure(base) != structure(nh.System(coordinates="x", parameters="k", lagrangian="xdot**2/2 - k*x**4/2"))
    assert structure(base) != structure(nh.System(coordinates="x", parameters="k", lagrangian="xdot**2/2", forces={"x": "-k*x"}))
    assert structure(base) == structure(numbered(base, {"k": 3.0}, {"x": 1.0}, 5.0))


def skating():
    return nh.System(
        name="skate on a sphere", coordinates="th ph psi",
        lagrangian="J*(phdot*cos(th) + psidot)**2/2 + R**2*m*(phdot**2*sin(th)**2 + thdot**2)/2 - R*g*m*cos(th)",
        constraints=["thdot*sin(psi) - phdot*cos(psi)*sin(th)"],
        parameters={"m": 1.0, "R": 1.0, "J": 0.1, "g": 9.81},
        start={"th": 1.2, "psi": 1.2, "psidot": 2.0, "phdot": 1.0},
    )  # fmt: skip


def test_frames_are_found_again_and_what_was_kept_changes_no_bit(made):
    forget()
    run = nh.simulate(skating(), until=20.0)
    fresh = {n: run[n].copy() for n in run.names}
    assert run.frames > 20 and len(made) <= 4
    witness = nh.simulate(skating(), until=20.0, form="multipliers", rtol=1e-12, atol=1e-13)
    assert max(np.abs(run[n] - witness[n]).max() for n in ("th", "ph", "psi")) < 1e-4
    nh.simulate(skating(), {"th": 0.9, "psi": 0.2, "psidot": 1.0}, 15.0)  # goes through other frames in another order
    again = nh.simulate(skating(), until=20.0)
    assert all(np.array_equal(again[n], fresh[n], equal_nan=True) for n in fresh)
    forget()
    late = nh.simulate(skating(), {"th": 0.9, "psi": 0.2, "psidot": 1.0}, 15.0)
    assert np.array_equal(nh.simulate(skating(), until=20.0)["psi"], fresh["psi"]) and late.outcome == "reached"


def test_threads_a_pickle_and_a_fork_give_the_same_numbers():
    s = system("two skates on a rod")
    model = nh.prepare(s)
    want = model.step(s.start, 0.3)
    with ThreadPoolExecutor(4) as pool:
        assert all(found == want for found in pool.map(lambda _: model.step(s.start, 0.3), range(32)))
    assert pickle.loads(pickle.dumps(model)).step(s.start, 0.3) == want
    if sys.platform == "linux":
        with get_context("fork").Pool(1) as pool:
            assert pool.apply(stepped, (model,)) == want


def stepped(model):
    return model.step(model.system.start, 0.3)


def test_what_is_kept_is_bounded_and_a_travelling_motion_holds_numbers_alone():
    kept = Cache(3)
    for k in range(10):
        kept.get(k, lambda k=k: k * k)
    assert len(kept) == 3 and kept.found(9) == 81 and kept.found(0) is None
    run = nh.simulate(skating(), until=1.0)
    there = pickle.loads(pickle.dumps(run))
    assert np.array_equal(there["psi"], run["psi"]) and there.final == run.final and there.system.name == run.system.name


def test_a_state_that_contradicts_itself_is_refused_by_a_step():
    s = system("skate on a slope")
    with pytest.raises(nh.StateError, match="breaks constraint 1"):
        nh.prepare(s).step({"th": 0.7, "xdot": 0.4, "ydot": 3.0}, 0.1)
    with pytest.raises(nh.StateError, match=r"2 numbers and 0 inputs where 5"):
        nh.prepare(s).vector([0.0, 1.0])


def test_the_dataset_is_built_when_it_is_asked_for():
    code = (
        "import sys, nonholo as nh; s = nh.System(coordinates='x', lagrangian='xdot**2/2');"
        "r = nh.simulate(s, {'xdot': 1.0}, 1.0); r.drift('energy'); r.final['x']; r['x'];"
        "print(*[n for n in ('xarray', 'pandas', 'dask') if n in sys.modules]); r.data; print('xarray' in sys.modules)"
    )
    import subprocess

    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert said == ["True"]


def test_multipliers_are_among_the_rates_and_one_stored_point_has_its_drift():
    s = system("bead on an ellipsoid")
    rates = nh.multipliers(s).rates(nh.complete_state(s), s.parameters)
    assert "lambda1" in rates and rates["lambda1"] == pytest.approx(nh.prepare(s, form="multipliers").rates(s.start)["lambda1"])
    run = nh.simulate(s, until=2.0, rtol=1e-4, atol=1e-6)
    end = nh.simulate(s, until=2.0, rtol=1e-4, atol=1e-6, t_eval="end")
    last = abs(run["energy"][-1] - run["energy"][0]) / abs(run["energy"][0])
    assert len(end.times) == 1 and end.drift("energy") == pytest.approx(last, rel=1e-6) and last > 0


@pytest.mark.parametrize("form", [nh.hamel, nh.multipliers, nh.voronetz, nh.gibbs_appell])
def test_equations_derived_before_move_as_their_system_does(form):
    """With its start, its values and its feedback laws."""
    s = system("car")
    run, same = nh.simulate(s, until=2.0), nh.simulate(form(s), until=2.0)
    assert max(abs(run.final[n] - same.final[n]) for n in s.coordinates) < 1e-7
    assert {"u", "f"} <= set(same.names) and same.system.inputs == run.system.inputs
