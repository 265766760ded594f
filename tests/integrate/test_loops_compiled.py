"""The compiler's cache: keys that notice every change, places that cannot be written."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from nonholo.integrate.loops import loop_compiler as compiled
from nonholo.integrate.loops import method_hooks as parts
from nonholo.integrate.loops import object_cache as cache
from nonholo.integrate.loops.loop_compiler import call_address, combination, fingerprint, inner, outer, pointer, shift
from nonholo.integrate.methods import DormandPrince8, RungeKutta4


def nested(constant, extra=False):
    """A function that calls a function that uses a constant."""

    @inner
    def leaf(x):
        return x * constant + 1 if extra else x * constant

    def trunk(x):
        return leaf(x) + leaf(2 * x)

    return trunk


def test_fingerprint_covers_functions_and_numbers_at_any_depth():
    same = fingerprint(nested(2.0))
    assert fingerprint(nested(2.0)) == same
    assert fingerprint(nested(3.0)) != same
    assert fingerprint(nested(2.0, extra=True)) != same


def test_fingerprint_covers_the_weights_of_a_method():
    def using(weights):
        row = combination(weights)

        def step(target, base, stages):
            row(target, base, stages, 4, 4, 0.5)

        return step

    assert fingerprint(using((0.5, 0.25))) == fingerprint(using((0.5, 0.25)))
    assert fingerprint(using((0.5, 0.25))) != fingerprint(using((0.5, 0.75)))


def test_steps_of_different_methods_have_different_keys():
    first, second = (parts._attempting(kind.loop._functions[0]) for kind in (DormandPrince8, RungeKutta4))
    assert fingerprint(first.py_func) != fingerprint(second.py_func)
    assert first.py_func.__qualname__ != second.py_func.__qualname__


def test_without_a_place_for_the_cache_functions_are_compiled_all_the_same(monkeypatch):
    def nowhere(function, fingerprint):
        raise RuntimeError("no locator available")

    monkeypatch.setattr(compiled, "LoopCache", nowhere)
    double = outer(lambda x: 2 * x)
    assert double(21) == 42


def test_a_full_disk_does_not_hurt(monkeypatch, tmp_path):
    (tmp_path / "module_on_a_full_disk.py").write_text("def triple(x):\n    return 3 * x\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    from module_on_a_full_disk import triple

    tried = []

    def save(*given):
        tried.append(given)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache.FunctionCache, "save_overload", save)
    assert outer(triple)(5) == 15
    assert tried


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7, 8, 13])
def test_rows_of_a_table_are_combined_whatever_the_number_of_states(n):
    weights = (0.5, 0.0, -1.25, 2.0)
    based, free = combination(weights), combination(weights, based=False)

    @inner
    def both(target, base, stages, width, count, h):
        based(target, base, stages, width, count, h)
        free(shift(target, count + 2), base, stages, width, count, h)

    def run(target, base, stages, width, count, h):
        both(pointer(target), pointer(base), pointer(stages), width, count, h)

    random = np.random.default_rng(n)
    width = n + 3
    stages, base, target = random.normal(size=(4, width)), random.normal(size=n), np.full(2 * n + 4, 7.0)
    compiled.numba.njit(run)(target, base, stages, width, n, 0.3)
    total = 0.3 * np.tensordot(weights, stages[:, :n], axes=1)
    np.testing.assert_allclose(target[:n], base + total, rtol=0, atol=1e-15)
    np.testing.assert_allclose(target[n + 2 : 2 * n + 2], total, rtol=0, atol=1e-15)
    assert np.all(target[[n, n + 1, 2 * n + 2, 2 * n + 3]] == 7.0)  # nothing is written beyond the end


def test_a_function_is_called_by_an_address_known_only_at_run_time():
    import symengine as se

    from nonholo.compile import machine_code

    x, y = se.symbols("x y")

    @inner
    def twice(address, data, out, given):
        call_address(address, data, out, given)
        call_address(address, data, given, out)

    def run(address, data, out, given):
        twice(address, data, pointer(out), pointer(given))

    compiled_run = compiled.numba.njit(run)
    for code in (machine_code([x, y], [x + y, x * y], "a"), machine_code([x, y], [x - y, 2 * x], "b")):
        out, given = np.empty(2), np.array([3.0, 4.0])
        compiled_run(code.address, code.data, out, given)
        assert np.array_equal(given, code(code([3.0, 4.0])))
    assert len(compiled_run.signatures) == 1


MOTIONS = """
import sys
import nonholo as nh
sleigh = nh.gallery.get("chaplygin-sleigh").system
for method, options in (("dop853", {}), ("rodas", {}), ("gauss4", {"step": 0.05}), ("rattle", {"step": 0.05})):
    assert nh.simulate(sleigh, until=0.2, method=method, **options).outcome == "reached"
starts = [{"theta": 0.1 * k} for k in range(9)]
assert set(nh.ensemble(sleigh, starts, until=0.2).outcome.values) == {"reached"}
print("numba.np.arraymath" in sys.modules)
"""


def test_a_second_process_finds_the_loops_on_disk_and_reads_in_nothing_to_compile_with():
    """Loaded code without a symbol that it needs ends the process at once, so that several kinds of loops are tried."""
    told = [subprocess.run([sys.executable, "-c", MOTIONS], capture_output=True, text=True, check=True).stdout for _ in "12"]
    assert told[1] == "False\n"
