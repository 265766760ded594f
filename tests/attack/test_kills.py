"""Thirty kills of a sweep at random moments, of its process or of its cluster's workers: bit for bit the same store."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nonholo as nh
from benchmarks.systems import RATTLEBACK_VALUES, rattleback_in_angles
from tests.integrate.test_sweep import digest, done, spec

ROOT = Path(__file__).parents[2]
KILLS = 10
"""Of each store."""


def stores() -> dict[str, dict[str, Any]]:
    rattling = {
        "system": rattleback_in_angles(), "until": 3.0, "start": {"theta": 0.02}, "parameters": RATTLEBACK_VALUES,
        "grid": {"phi": {"from": 0.01, "to": 0.05, "count": 100}, "psidot": [-1.0, 1.5]}, "chunk": 1,
        "record": {"trajectory": ["psi"], "points": 201, "events": ["psidot"]},
    }  # fmt: skip
    ranges = {"omega": {"from": -2.0, "to": 2.0}, "a": {"from": 0.1, "to": 1.0, "log": True}}
    drawn = spec(grid={}, latin={"count": 400, **ranges}, chunk=4)
    chart = {
        "system": rattleback_in_angles(), "until": 1.0, "start": {"theta": 0.02, "phi": 0.01}, "parameters": RATTLEBACK_VALUES,
        "grid": {"psidot": {"from": -3.0, "to": 3.0, "count": 100}}, "chunk": 1, "level": {"energy": 3.0}, "solve": ["thetadot"],
        "record": {"final": [], "drift": [], "growth": ["lyapunov", "megno", "fli"]},
    }  # fmt: skip
    return {
        "chart": chart,
        "sleigh": spec(grid={"omega": {"from": 0.5, "to": 2.0, "count": 100}, "a": [0.2, 0.4]}, chunk=1),
        "rattleback": rattling,
        "drawn": {**drawn, "seed": 3, "method": "rk4", "options": {"step": 1e-3}},
    }


SCRIPT = (
    "import sys\nsys.path.insert(0, {root!r})\nfrom tests.attack.test_kills import stores\n"
    "from tests.integrate.test_sweep import standing\n"
    "standing(stores()[{name!r}], {store!r}, {limit!r}, scheduler={scheduler!r})\n"
)


def started(name: str, store: Path, scheduler: str | None, limit: int = 1_000_000) -> subprocess.Popen:
    script = SCRIPT.format(root=str(ROOT), name=name, store=str(store), scheduler=scheduler, limit=limit)
    return subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(stores()))
def test_a_sweep_on_threads_that_is_killed_ten_times(name: str, tmp_path: Path) -> None:
    random = np.random.default_rng(sum(map(ord, name)))
    store = tmp_path / "s.zarr"
    for _ in range(KILLS):
        before = done(store)
        process = started(name, store, None, before + 9)
        while process.poll() is None and done(store) < before + random.integers(0, 9):
            time.sleep(0.003)
        time.sleep(float(random.uniform(0, 0.06)))
        assert process.poll() is None
        process.kill()
        process.communicate()
    nh.sweep(stores()[name], store=store)
    nh.sweep(stores()[name], store=tmp_path / "quiet.zarr")
    assert digest(store) == digest(tmp_path / "quiet.zarr")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(stores()))
def test_a_sweep_on_a_cluster_whose_processes_are_killed_ten_times(name: str, tmp_path: Path) -> None:
    """The process that asks and writes, or a worker, by chance.

    While the workers are asked for their numbers (seconds, where one is being started again) the sweep stands still: otherwise it
    may be through before its tenth kill.
    """
    from distributed import Client, LocalCluster

    random = np.random.default_rng(sum(map(ord, name)) + 1)
    store, marks = tmp_path / "s.zarr", tmp_path / "s.zarr.marks"
    kills = []
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        process = started(name, store, cluster.scheduler_address)
        while len(kills) < KILLS:
            before = len(list(marks.glob("done-*")))
            while process.poll() is None:
                if len(list(marks.glob("done-*"))) > before + random.integers(0, 7):
                    break
                time.sleep(0.003)
            time.sleep(float(random.uniform(0, 0.06)))
            if process.poll() is not None:
                break
            workers = []
            if random.random() >= 0.5:
                process.send_signal(signal.SIGSTOP)
                workers = list(client.run(os.getpid, on_error="ignore").values())
                process.send_signal(signal.SIGCONT)
            if workers:
                os.kill(int(random.choice(workers)), signal.SIGKILL)
                kills.append("worker")
            else:
                process.kill()
                process.communicate()
                kills.append("sweep")
                process = started(name, store, cluster.scheduler_address)
        said = process.communicate(timeout=300)[1].decode()
        assert process.returncode == 0, said
    assert len(kills) == KILLS and set(kills) == {"worker", "sweep"}, kills
    nh.sweep(stores()[name], store=tmp_path / "quiet.zarr")
    assert digest(store) == digest(tmp_path / "quiet.zarr")
