"""Sweeps: what is recorded is right, and no kill, lost worker or bad store loses or changes anything."""

from __future__ import annotations

import hashlib
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from benchmarks.systems import RATTLEBACK_VALUES, rattleback_in_angles
from nonholo.integrate.many.ensemble import OUTCOMES
from nonholo.integrate.many.sweep_chunk import _prepared_system, compute_chunk
from nonholo.integrate.many.sweep_spec import read_spec
from tests import systems

P = {"m": 1.3, "J": 0.7, "a": 0.4}


def spec(**changes):
    words = {
        "system": systems.unbalanced_sleigh(),
        "until": 6.0,
        "parameters": {"m": 1.3, "J": 0.7},
        "start": {"v": -1.0},
        "grid": {"omega": {"from": 0.5, "to": 2.0, "count": 5}, "a": [0.2, 0.4]},
        "record": {"final": ["theta", "v"], "extrema": ["omega"], "events": ["v"], "trajectory": ["x"], "points": 21},
        "chunk": 3,
    }
    return {**words, **changes}


def digest(store: Path) -> str:
    """A fingerprint of every byte of the store."""
    total = hashlib.sha256()
    for path in sorted(p for p in store.rglob("*") if p.is_file()):
        total.update(str(path.relative_to(store)).encode())
        total.update(path.read_bytes())
    return total.hexdigest()


def done(store: Path) -> int:
    """How many chunks of a sweep are marked as done."""
    return len(list(Path(f"{store}.marks").glob("done-*")))


def standing(table, store, limit, **words):
    """A sweep that stands still when so many chunks are done: one who comes late to kill it finds it running."""
    import nonholo.integrate.many.sweep as sweeping

    own = sweeping.compute_chunk

    def chunk(*given):
        while done(store) >= limit:
            time.sleep(1)
        return own(*given)

    sweeping.compute_chunk = chunk
    return nh.sweep(table, store=store, **words)


def test_what_is_recorded_is_what_single_motions_give(tmp_path):
    data = nh.sweep(spec(), store=tmp_path / "s.zarr")
    assert data.sizes["member"] == 10
    k = 7
    omega, a = float(data["omega"][k]), float(data["a"][k])
    one = nh.simulate(
        systems.unbalanced_sleigh(), {"omega": omega, "v": -1.0}, 6.0, {**P, "a": a}, t_eval=21, events=["v"]
    )
    assert float(data["final_theta"][k]) == one.final["theta"] and np.array_equal(data["path_x"].values[k], one["x"])
    assert float(data["greatest_omega"][k]) == one["omega"].max() and float(data["event_0"][k, 0]) == one.events["v"][0]
    assert float(data["drift_energy"][k]) == one.drift("energy")


def test_a_sweep_follows_the_systems_own_inputs_by_any_method(tmp_path):
    cart = nh.System(
        "cart", coordinates="x", lagrangian="m*xdot**2/2 - x**2", parameters={"m": 1.7, "k": 1.3},
        forces={"x": "u + w*x"}, inputs={"u": "k*sin(2*t) - 0.7*xdot", "w": 0.5}, start={"x": 0.2},
    )  # fmt: skip
    for method, options in (("dop853", {}), ("hamel", {"step": 0.02})):
        plan = {"system": cart, "until": 2.0, "method": method, "options": options, "chunk": 1}
        table = {**plan, "grid": {"k": [1.0, 1.3]}, "record": {"final": ["x"]}}
        data = nh.sweep(table, store=tmp_path / f"{method}.zarr")
        for k in range(2):
            one = nh.simulate(cart, until=2.0, parameters={"k": float(data["k"][k])}, method=method, **options)
            assert float(data["final_x"][k]) == pytest.approx(one.final["x"], rel=1e-12)


def test_random_and_latin_members_fill_their_ranges_and_repeat_with_the_seed(tmp_path):
    from nonholo.integrate.many.sweep_spec import read_spec

    table = spec(
        grid={},
        latin={"count": 16, "omega": {"from": 0.5, "to": 2.0}, "a": {"from": 0.1, "to": 1.0, "log": True}},
        seed=3,
    )
    plan = read_spec(table)
    assert plan.count == 16 and plan.varied == read_spec(table).varied
    cells = np.floor((np.array(plan.varied["omega"]) - 0.5) / 1.5 * 16)
    assert sorted(cells) == list(range(16))
    drawn = read_spec(spec(grid={"a": [0.2, 0.4]}, random={"count": 4, "omega": {"from": 0.5, "to": 2.0}}))
    assert drawn.count == 8 and len(set(drawn.varied["omega"])) == 4


def test_a_sweep_killed_three_times_ends_bit_for_bit_as_if_undisturbed(tmp_path):
    script = tmp_path / "run.py"
    script.write_text(
        "import sys\nsys.path.insert(0, sys.argv[2])\nfrom tests.integrate.test_sweep import spec, standing\n"
        "table = spec(grid={'omega': {'from': 0.5, 'to': 2.0, 'count': 40}, 'a': [0.2, 0.4]}, chunk=1)\n"
        "standing(table, sys.argv[1], int(sys.argv[3]))\n"
    )
    root = str(Path(__file__).parents[2])
    disturbed, quiet = tmp_path / "disturbed.zarr", tmp_path / "quiet.zarr"
    random = np.random.default_rng(11)
    for wanted in sorted(random.integers(2, 60, 3)):
        process = subprocess.Popen([sys.executable, str(script), str(disturbed), root, str(wanted + 15)])
        while process.poll() is None and done(disturbed) < wanted:
            time.sleep(0.01)
        time.sleep(float(random.uniform(0, 0.05)))
        assert process.poll() is None
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert 0 < done(disturbed) < 80
    for store in (disturbed, quiet):
        subprocess.run([sys.executable, str(script), str(store), root, "80"], check=True)
    assert digest(disturbed) == digest(quiet)


def test_a_plan_that_has_travelled_gives_the_same_bits():
    """Terms of an expression change their order on the way to another process; sums must not notice."""
    plan = read_spec(
        {
            "system": rattleback_in_angles(), "until": 0.3, "start": {"theta": 0.02}, "parameters": RATTLEBACK_VALUES,
            "grid": {"phi": {"from": 0.01, "to": 0.05, "count": 8}, "psidot": [-1.0]}, "store": "none",
        }
    )  # fmt: skip
    here = compute_chunk(plan, 0)
    _prepared_system.cache_clear()  # as in another process
    there = compute_chunk(pickle.loads(pickle.dumps(plan)), 0)
    assert np.isfinite(here["final_psi"]).all()
    for name in here:
        assert here[name].tobytes() == there[name].tobytes(), name


def test_a_chunk_without_a_single_good_start_spoils_no_other(tmp_path):
    table = spec(grid={"omega": [np.nan, np.nan, np.nan, 1.0, 1.5]}, parameters=P, chunk=3)
    result = nh.sweep(table, store=tmp_path / "s.zarr")
    assert [OUTCOMES[k] for k in result["outcome"].values] == ["bad start"] * 3 + ["reached"] * 2
    assert np.isnan(result["final_theta"].values[:3]).all() and np.isfinite(result["final_theta"].values[3:]).all()


def test_stores_that_cannot_be_are_one_clear_error(tmp_path):
    (tmp_path / "file.zarr").write_text("x")
    with pytest.raises(nh.FileError, match="not a sweep"):
        nh.sweep(spec(), store=tmp_path / "file.zarr")
    with pytest.raises(nh.FileError, match="cannot write"):
        nh.sweep(spec(), store="/proc/nonholo.zarr")
    nh.sweep(spec(), store=tmp_path / "s.zarr")
    with pytest.raises(nh.FileError, match="another sweep"):
        nh.sweep(spec(until=7.0), store=tmp_path / "s.zarr")
    with pytest.raises(nh.FileError, match="holds results"):
        nh.sweep(spec(), store=tmp_path / "s.zarr", resume=False)
    about = tmp_path / "s.zarr.marks" / "sweep.json"
    about.write_text(about.read_text().replace('"format": 2', '"format": 99'))
    with pytest.raises(nh.FileError, match="format 99"):
        nh.sweep(spec(), store=tmp_path / "s.zarr")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"untill": 1.0}, "did you mean 'until'"),
        ({"record": {"finals": []}}, "did you mean 'final'"),
        ({"grid": {"a": {"from": 0, "to": 1}}}, "count"),
        ({"random": {"omega": {"from": 0, "to": 1}}}, "count"),
        ({"parameters": {"mass": 1}}, "no parameter 'mass'"),
        ({"system": "sleigh"}, "did you mean"),
        ({"chunk": 0}, "chunk"),
    ],
)
def test_bad_specs_are_one_clear_error(changes, words, tmp_path):
    with pytest.raises(nh.ModelError, match=words):
        nh.sweep(spec(**changes), store=tmp_path / "s.zarr")


def test_a_full_disk_is_one_clear_error_and_the_sweep_resumes(tmp_path, monkeypatch):
    from nonholo.integrate.many import sweep as module

    original = module.write_chunk
    calls = []

    def full(*words):
        calls.append(words)
        if len(calls) == 3:
            raise OSError(28, "No space left on device")
        original(*words)

    monkeypatch.setattr(module, "write_chunk", full)
    with pytest.raises(nh.FileError, match="No space left"):
        nh.sweep(spec(), store=tmp_path / "s.zarr")
    monkeypatch.setattr(module, "write_chunk", original)
    nh.sweep(spec(), store=tmp_path / "s.zarr")
    nh.sweep(spec(), store=tmp_path / "q.zarr")
    assert digest(tmp_path / "s.zarr") == digest(tmp_path / "q.zarr")


def test_what_a_killed_process_left_half_written_is_gone_after_the_resume(tmp_path):
    one, other = tmp_path / "one.zarr", tmp_path / "other.zarr"
    for store in (one, other):
        nh.sweep(spec(), store=store)
    sorted((tmp_path / "one.zarr.marks").glob("done-*"))[-1].unlink()
    chunk = next(p for p in (one / "final_v").rglob("*") if p.is_file() and p.name != "zarr.json")
    chunk.with_suffix(f".{'0' * 32}.partial").write_bytes(b"half")  # as Zarr's local store names it
    nh.sweep(spec(), store=one)
    assert digest(one) == digest(other)
