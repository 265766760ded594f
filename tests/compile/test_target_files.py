"""Files that targets write, and names that they refuse."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.compile.portable_program import identifier
from nonholo.compile.targets.registry import target
from nonholo.errors import FileError, ModelError
from tests.compile.test_targets import FLAGS, assert_same, native, needs_gcc, program_of, split
from tests.program.subjects import point


@pytest.mark.parametrize("to", ["numpy", pytest.param("jax", marks=pytest.mark.slow), "sympy", "wasm", "casadi"])
def test_files_are_written_and_read_again(to, tmp_path):
    if to == "casadi":
        pytest.importorskip("casadi")
    system = nh.gallery.get("chaplygin-sleigh").system
    (file,) = nh.export(system, to, tmp_path / f"sleigh{target(to).suffix}")
    name = "chaplygin-sleigh"
    t, x, u, p = split(name, point(name))
    if to in ("numpy", "jax"):
        space: dict[str, object] = {}
        exec(compile(file.read_text(), str(file), "exec"), space)
        assert_same(space["rates"](t, x, u, p), native(name, 0)["rates"], name, to)  # type: ignore[operator]
    elif to == "sympy":
        space = {}
        exec(compile(file.read_text(), str(file), "exec"), space)
        assert space["mass"] == target("sympy").live(program_of(name)).mass
    elif to == "casadi":
        import casadi

        again = casadi.Function.load(str(file))
        assert_same(np.array(again(t, x, u, p)), native(name, 0)["rates"], name, to)
    else:
        assert file.read_bytes()[:4] == b"\0asm"
    assert [f.name for f in tmp_path.iterdir()] == [file.name]


def test_bad_wishes_are_refused_in_one_sentence(tmp_path, monkeypatch):
    sleigh = nh.gallery.get("chaplygin-sleigh").system
    with pytest.raises(ModelError, match="no target is called 'nunpy'; did you mean 'numpy'"):
        nh.export(sleigh, "nunpy")
    with pytest.raises(ModelError, match=r"give one that ends in \.c"):
        nh.export(sleigh, "c", tmp_path / "sleigh.txt")
    with pytest.raises(FileError, match="cannot be written"):
        nh.export(sleigh, "c", tmp_path / "nowhere" / "sleigh.c")
    from tests.compile import handmade

    odd = handmade.first_order(se.erf(se.Symbol("x")))
    with pytest.raises(ModelError, match="WebAssembly has no function for 'erf'"):
        nh.export(odd, "wasm")
    import importlib

    original = importlib.import_module

    def none(name, *rest):
        if name == "casadi":
            raise ImportError(name)
        return original(name, *rest)

    monkeypatch.setattr("nonholo.compile.targets.casadi.import_module", none)
    with pytest.raises(ModelError, match=r"needs the package casadi; install it with: pip install 'nonholo\[casadi\]'"):
        nh.export(sleigh, "casadi")


def test_names_are_words_in_every_language():
    assert identifier("Suslov problem on so(4)") == "suslov_problem_on_so_4"
    assert identifier("2 sleighs") == "system_2_sleighs"
    assert identifier("…") == "system"


@needs_gcc
def test_the_example_begins_where_the_system_does(tmp_path):
    """From the file's own start, with its own numbers and constant input."""
    system = nh.System(
        name="spring", coordinates="x", parameters={"k": 2.5, "g": None}, inputs={"u": 0.3}, forces={"x": "u"},
        lagrangian="xdot**2/2 - k*x**2/2 - g*x", start={"x": 0.7, "xdot": -0.3, "t": 0.25},
    )  # fmt: skip
    files = nh.export(system, "c", tmp_path / "spring.c")
    program = tmp_path / "spring"
    sources = [str(f) for f in files if f.suffix == ".c"]
    subprocess.run(["gcc", *FLAGS, "-O1", *sources, "-o", str(program), "-lm"], check=True)
    printed = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    rows = np.array([[float(w) for w in line.split()] for line in printed.splitlines()])
    assert rows[0, :3].tolist() == [0.25, 0.7, -0.3]
    run = nh.simulate(system, until=1.25, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(rows[-1, 1:3], [run.final["x"], run.final["xdot"]], atol=1e-10)


@pytest.mark.parametrize("name", ['a".c', "a\\b.c", "a\n#define x.c", "why??.c"])
def test_a_name_that_no_include_can_hold_is_refused(name: str, tmp_path: Path) -> None:
    system = nh.System(coordinates="x", lagrangian="xdot**2")
    with pytest.raises(nh.ModelError, match="cannot stand in #include"):
        nh.export(system, "c", tmp_path / name)
    assert list(tmp_path.iterdir()) == []
