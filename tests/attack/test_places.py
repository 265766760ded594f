"""Where compiled code may be kept: no home, homes that cannot be written, many at once, other processors, other versions."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import nonholo as nh
from nonholo.integrate.loops import object_cache as cache
from nonholo.integrate.loops.loop_compiler import outer


@pytest.mark.parametrize("told", ["", "relative/place", "~"])
def test_without_a_home_nothing_is_written_here(told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", told)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # as Python does for a user whom nobody knows
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError, match="no home"):
        cache.own_directory()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("trouble", [PermissionError(13, "denied"), OSError(30, "Read-only file system"), OSError(28, "full")])
def test_where_nothing_can_be_kept_functions_still_run(trouble: OSError, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Path:
        raise trouble

    monkeypatch.setattr(cache, "private", lambda place: False)
    monkeypatch.setattr(cache, "own_directory", refuse)

    def thrice(x):
        return 3 * x

    assert outer(thrice)(2.0) == 6.0


def test_code_is_kept_for_one_processor() -> None:
    """The key has the processor's name and its features: a copy on a machine without AVX-512 is not taken."""

    class Codegen:
        def __init__(self, *words: str) -> None:
            self.words = words

        def magic_tuple(self) -> tuple[str, ...]:
            return self.words

    def nothing(x):
        return x

    kept = outer(nothing)._cache
    machines = (("a", "+avx512f"), ("b", "-avx512f"))
    here, there = (kept._index_key("f8", Codegen("x86_64", cpu, features)) for cpu, features in machines)
    assert kept._cache_file._path(here) != kept._cache_file._path(there)
    from llvmlite import binding
    from numba.core.registry import cpu_target

    words = cpu_target.target_context.codegen().magic_tuple()
    assert binding.get_host_cpu_name() in words and any("avx" in str(w) or "neon" in str(w) or "+" in str(w) for w in words)


def test_machine_code_of_models_is_never_on_disk() -> None:
    """What is compiled from a system lives in its process alone; only the loops are kept, by Numba's key."""
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
import sys
from pathlib import Path
from nonholo.integrate.loops import object_cache as cache
place = Path(sys.argv[1])
cache.private = lambda p: p == place
cache.own_directory = lambda: place
from nonholo.integrate.loops import loop_compiler as compiled
def made(n):
    def power(x):
        return x ** n
    return compiled.outer(power)
print([made(n)(2.0) for n in (2.0, 3.0, 4.0)])
"""


@pytest.mark.slow
def test_many_processes_compile_for_the_first_time_at_once(tmp_path: Path) -> None:
    """Each reads what another may be writing, and finds its own function or none."""
    command = [sys.executable, "-c", SCRIPT, str(tmp_path)]
    crowd = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)]
    told = [process.communicate(timeout=180) for process in crowd]
    assert [out.decode().strip() for out, _ in told] == ["[4.0, 8.0, 16.0]"] * 4, told
    assert all(not p.name.endswith((".tmp", ".part")) for p in tmp_path.iterdir())


def test_a_worker_of_another_version_is_refused() -> None:
    import pickle

    from nonholo.integrate.many.sweep_cluster import _unpacked

    assert _unpacked(pickle.dumps(5), nh.__version__) == 5
    with pytest.raises(nh.ModelError, match=r"a worker has nonholo .*, this process 99\.0"):
        _unpacked(pickle.dumps(5), "99.0")
