"""A sweep on two Dask workers against one, each a process of one thread, and against this process alone."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from benchmarks.machine import Machine
from benchmarks.systems import RATTLEBACK_VALUES, rattleback_in_angles
from nonholo.integrate.many.sweep import sweep

MEMBERS, CHUNK, TURNS = 2880, 120, 3
AIM, OF_THE_MACHINE = 1.8, 0.95


def spec(store: Path, until: float) -> dict[str, Any]:
    """Rattlebacks over a grid of starts."""
    return {
        "system": rattleback_in_angles(),
        "until": until,
        "start": {"theta": 0.02},
        "parameters": RATTLEBACK_VALUES,
        "grid": {
            "phi": {"from": 0.01, "to": 0.05, "count": MEMBERS // 16},
            "psidot": {"from": -1.2, "to": -0.8, "count": 16},
        },
        "record": {"final": ["phi", "theta", "psi"], "drift": ["energy"]},
        "chunk": CHUNK,
        "store": str(store),
    }


def run(folder: Path, name: str, scheduler: Any) -> tuple[float, np.ndarray]:
    """Wall time of the sweep and the heading at its ends."""
    began = perf_counter()
    result = sweep(spec(folder / f"{name}.zarr", 1.0), scheduler=scheduler, progress=False, threads=1)
    return perf_counter() - began, result["final_psi"].values


def on_workers(folder: Path, workers: int, turn: int) -> tuple[float, float, float, np.ndarray]:
    """Wall time, the longest processor time of a worker, that of this process (scheduler, writing), and the ends."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        name = f"workers-{workers}-{turn}"
        small = {**spec(folder / f"warm-{name}.zarr", 1e-3), "chunk": MEMBERS // (2 * workers)}
        sweep(small, scheduler=client, progress=False)  # every worker has imported what it needs
        before, own = client.run(process_time), process_time()
        spent, ends = run(folder, name, client)
        own, after = process_time() - own, client.run(process_time)
    return spent, max(after[w] - before[w] for w in after), own, ends


def table() -> list[dict[str, Any]]:
    """Wall times and the gain from a second worker; the ends must be the same bits everywhere."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        sweep(spec(folder / "warm.zarr", 1e-3), progress=False)  # the loops are compiled, as after the first motion ever
        alone, ends = run(folder, "alone", None)
        times: dict[int, list[tuple[float, float, float]]] = {1: [], 2: []}
        same = True
        machine = Machine(2)
        for turn in range(TURNS):
            machine.turn()
            for workers in (1, 2):
                *spent, found = on_workers(folder, workers, turn)
                times[workers].append((spent[0], spent[1], spent[2]))
                same = same and np.array_equal(found, ends)
    (one, busy_one, own_one), (two, busy_two, own_two) = (tuple(map(min, zip(*times[k]))) for k in (1, 2))
    what = f"sweep of {MEMBERS} rattlebacks, 1 s each"
    rows: list[dict[str, Any]] = []
    aim = min(AIM, OF_THE_MACHINE * machine.gain)
    for how, first, second in (("by the clock", one, two), ("busiest worker's processor time", busy_one, busy_two)):
        gain = first / second
        rows.append({"what": f"{what}: 2 workers against 1, {how}", "1 [s]": first, "2 [s]": second, "ratio": gain})
        rows[-1] |= {"aim": aim, "met": gain >= aim, "same bits": "yes" if same else "NO"}
    rows.append({"what": f"{what}: 1 worker against this process", "1 [s]": alone, "2 [s]": one, "ratio": alone / one})
    both = {"1 [s]": own_one, "2 [s]": own_two}
    rows.append({"what": "(this process meanwhile, on the same cores: scheduler and writing, processor time)", **both})
    rows.append({"what": "(pure arithmetic at the same time: 2 threads against 1)", "ratio": machine.gain})
    load = f"(load of this machine over the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)"
    return [*rows, {"what": load}]
