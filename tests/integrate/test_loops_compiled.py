"""The loops as the package holds them: generated code is the same every time, runs without Numba, and its parts are right."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys

import numpy as np
import pytest

from nonholo.errors import ModelError
from nonholo.integrate.loops.compilation import native
from nonholo.integrate.loops.compilation.generate import units
from nonholo.integrate.methods import names, registered_methods
from nonholo.program.llvm_jit import load_object, object_code

GENERATED = """
import sys
from pathlib import Path
from nonholo.integrate.loops.compilation.generate import bitcode
from nonholo.integrate.loops.compilation.loop_compiler import call_address, combination, inner, reals, shift, wholes
from nonholo.integrate.loops.compilation.native import Entry

weights = (0.5, 0.0, -1.25, 2.0)
based, free = combination(weights), combination(weights, based=False)


@inner
def both(target, base, stages, width, count, h):
    based(reals(target), reals(base), reals(stages), width, count, h)
    free(shift(reals(target), count + 2), reals(base), reals(stages), width, count, h)


@inner
def twice(address, data, out, given):
    call_address(address, data, reals(out), reals(given))
    call_address(address, data, reals(given), reals(out))


entries = (Entry("both", both, "iiiiid"), Entry("twice", twice, "iiii"))
Path(sys.argv[1]).write_bytes(bitcode("trial", entries))
"""


def generating(*words: str) -> None:
    """Run Python in the process in which Numba compiles."""
    done = subprocess.run(
        [sys.executable, *words], env={**os.environ, **native.SETTINGS}, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    """Addresses of two functions of this test, and their bitcode from two processes."""
    codes = []
    for k in range(2):
        place = tmp_path_factory.mktemp("bitcode") / f"{k}.bc"
        generating("-c", GENERATED, str(place))
        codes.append(place.read_bytes())
    return load_object(object_code(codes[0])), codes


def test_the_same_source_gives_the_same_bytes(trial):
    assert trial[1][0] == trial[1][1]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7, 8, 13])
def test_rows_of_a_table_are_combined_whatever_the_number_of_states(n, trial):
    weights = (0.5, 0.0, -1.25, 2.0)
    both = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 5, ctypes.c_double)(trial[0]("both"))
    random = np.random.default_rng(n)
    width = n + 3
    stages, base, target = random.normal(size=(4, width)), random.normal(size=n), np.full(2 * n + 4, 7.0)
    both(target.ctypes.data, base.ctypes.data, stages.ctypes.data, width, n, 0.3)
    total = 0.3 * np.tensordot(weights, stages[:, :n], axes=1)
    np.testing.assert_allclose(target[:n], base + total, rtol=0, atol=1e-15)
    np.testing.assert_allclose(target[n + 2 : 2 * n + 2], total, rtol=0, atol=1e-15)
    assert np.all(target[[n, n + 1, 2 * n + 2, 2 * n + 3]] == 7.0)  # nothing is written beyond the end


def test_a_function_is_called_by_an_address_known_only_at_run_time(trial):
    import symengine as se

    from nonholo.compile import machine_code

    x, y = se.symbols("x y")
    twice = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4)(trial[0]("twice"))
    for code in (machine_code([x, y], [x + y, x * y], "a"), machine_code([x, y], [x - y, 2 * x], "b")):
        out, given = np.empty(2), np.array([3.0, 4.0])
        twice(code.address, code.data, out.ctypes.data, given.ctypes.data)
        assert np.array_equal(given, code(code([3.0, 4.0])))


def test_every_method_has_a_unit_and_no_unit_is_two_things():
    methods = [kind for kind in registered_methods().values() if kind.compiled]
    assert set(names()) - {kind.name for kind in methods} == {"taylor"}
    assert {"loop", "rows", "dop853_lanes", *(kind.loop.name for kind in methods)} == set(units())
    by_name = {kind.loop.name: kind.loop for kind in methods}
    assert all(by_name[kind.loop.name] is kind.loop for kind in methods)


MOTIONS = """
import sys
import nonholo as nh
sleigh = nh.gallery.get("chaplygin-sleigh").system
steps = {"step": 0.05}
for method, options in (("dop853", {}), ("rodas", {}), ("rk4", steps), ("gauss4", steps), ("rattle", steps)):
    assert nh.simulate(sleigh, until=0.2, method=method, **options).outcome == "reached"
starts = [{"theta": 0.01 * k} for k in range(80)]
assert set(nh.ensemble(sleigh, starts, until=0.2).outcome.values) == {"reached"}
nh.fields.String(nodes=8).simulate({"omega": "1"}, 0.01)
print(sorted({name.split(".")[0] for name in sys.modules} & {"numba"}))
"""


def test_motions_ensembles_and_fields_load_no_numba():
    """Loaded code without a symbol that it needs ends the process at once, so that several kinds of loops are tried."""
    told = subprocess.run([sys.executable, "-c", MOTIONS], capture_output=True, text=True, check=True).stdout
    assert told == "[]\n"


def test_code_of_other_sources_is_not_taken(monkeypatch, tmp_path):
    """A checkout whose sources changed after it was installed generates again, or says how to."""
    (tmp_path / "rows.bc").write_bytes(native.MARK + b"0" * 64 + b"\nold code")
    monkeypatch.setattr(native, "FOLDER", tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(native, "find_spec", lambda name: None)
    with pytest.raises(ModelError, match=r"'rows'.* is of other sources than these, and Numba.*pip install -e \."):
        native.bitcode("rows")
    with pytest.raises(ModelError, match=r"'loop'.* is not there"):
        native.bitcode("loop")
    monkeypatch.undo()
    assert not native.bitcode("rows").startswith(b"old")


def test_fresh_code_of_the_package_is_taken_as_it_is(monkeypatch, tmp_path):
    (tmp_path / "rows.bc").write_bytes(native.marked(b"the package's own"))
    monkeypatch.setattr(native, "FOLDER", tmp_path)
    monkeypatch.setattr(native, "_generated", lambda unit: pytest.fail("generated again"))
    assert native.bitcode("rows") == b"the package's own"


def test_a_method_that_stands_elsewhere_is_refused_in_words(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(ModelError, match=r"there is no loop 'mine' among .*dop853.*nonholo/integrate/methods"):
        native.bitcode("mine")


def test_generated_code_is_kept_for_other_processes(monkeypatch, tmp_path):
    monkeypatch.setattr(native, "FOLDER", tmp_path / "nothing")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first = native.bitcode("rows")
    monkeypatch.setattr(native, "_generated", lambda unit: pytest.fail("generated again"))
    assert native.bitcode("rows") == first
    assert [p.suffix for p in (tmp_path / "nonholo" / "compiled").glob("rows*")] == [".loop"]


def test_where_no_lock_can_be_made_code_is_generated_all_the_same(monkeypatch, tmp_path):
    monkeypatch.setattr(native, "FOLDER", tmp_path / "nothing")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(native, "_generated", lambda unit: b"made")
    (tmp_path / "nonholo" / "compiled" / "generating.lock").mkdir(parents=True)  # no file can be written there
    assert native.bitcode("rows") == b"made"


def test_readonly_and_empty_arrays_have_their_places():
    array = np.arange(3.0)
    assert native.place(array) == array.ctypes.data
    array.flags.writeable = False
    assert native.place(array) == array.ctypes.data
    assert native.place(np.empty((0, 3))) == 0


DIGESTS = """
import hashlib, sys
import numpy as np
import nonholo as nh
from nonholo.integrate.loops.compilation import native
from nonholo.integrate.loops.compilation.generate import bitcode, units
if "host" in sys.argv:  # as Numba alone would make them: optimised, with vector instructions, for this processor
    native.bitcode = lambda unit: bitcode(unit, units()[unit])
    native.object_cache.kept, native.object_cache.keep = (lambda name: None), (lambda name, content: None)
ball = nh.gallery.get("rattleback").system
for method, options in (("dop853", {}), ("bs3", {}), ("rodas", {}), ("hamel", {"step": 0.01})):
    run = nh.simulate(ball, until=0.5, method=method, events=["w1"], **options)
    print(method, hashlib.sha256(np.array([run[c] for c in ball.coordinates]).tobytes()).hexdigest())
sleigh = nh.gallery.get("chaplygin-sleigh").system
ends = nh.ensemble(sleigh, [{"theta": 0.01 * k, "omega": 1.0 + 0.02 * k, "v": 0.3} for k in range(70)], until=0.3)
print(hashlib.sha256(np.array([ends[f"final_{c}"].values for c in sleigh.coordinates]).tobytes()).hexdigest())
"""


@pytest.mark.slow
def test_motions_have_the_bits_of_loops_that_numba_optimises_for_this_processor():
    def told(*words, **settings):
        command = [sys.executable, "-c", DIGESTS, *words]
        done = subprocess.run(command, env={**os.environ, **settings}, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert told("host", **{native.GENERATING: "1"}) == told()
