"""Compiled code of many threads and processes at once, and of other versions."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import nonholo as nh


def test_machine_code_of_models_is_never_on_disk() -> None:
    """What is compiled from a system lives in its process alone; only the loops are kept."""
    source = Path(nh.__file__).parent / "program"
    assert all("open(" not in p.read_text("utf-8") and "write_bytes" not in p.read_text("utf-8") for p in source.glob("*.py"))


def test_many_threads_prepare_and_run_at_once() -> None:
    system = nh.System(coordinates="x", parameters={"k": 2.0}, lagrangian="xdot**2/2 - k*x**2/2 + 0.1*x**3")

    def end(k: int) -> float:
        return nh.simulate(system, {"x": 0.5}, 2.0, {"k": 1.0 + k % 3}).final["x"]

    runs = list(ThreadPoolExecutor(8).map(end, range(24)))
    alone = [end(k) for k in range(3)]
    assert runs == [alone[k % 3] for k in range(24)]


SCRIPT = """
import nonholo as nh
sleigh = nh.gallery.get("chaplygin-sleigh").system
print(nh.simulate(sleigh, until=0.5, method="heun3", step=0.01).final["theta"])
"""


@pytest.mark.slow
def test_many_processes_compile_for_the_first_time_at_once(tmp_path: Path) -> None:
    """Each reads what another may be writing, and finds its own loop or none."""
    words, settings = [sys.executable, "-c", SCRIPT], {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    crowd = [subprocess.Popen(words, env=settings, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)]
    told = [process.communicate(timeout=300) for process in crowd]
    assert len({out for out, _ in told}) == 1 and told[0][0], told
    assert all(not p.name.endswith((".tmp", ".part")) for p in (tmp_path / "nonholo" / "compiled").iterdir())


def test_a_worker_of_another_version_is_refused() -> None:
    import pickle

    from nonholo.integrate.many.sweep import _unpacked

    assert _unpacked(pickle.dumps(5), nh.__version__) == 5
    with pytest.raises(nh.ModelError, match=r"a worker has nonholo .*, this process 99\.0"):
        _unpacked(pickle.dumps(5), "99.0")
