"""Every target gives the numbers of native code, at random states of every system."""

from __future__ import annotations

import ctypes
import json
import math
import shutil
import subprocess
from functools import cache

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.compile.portable_program import Portable, portable
from nonholo.compile.rates_jacobian import rates_jacobian
from nonholo.compile.targets.registry import target, targets
from tests.program.subjects import SUBJECTS, equations_of, kernel_of, point

FLAGS = ("-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror")
LONG = "plain whipple-bicycle"
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")


@cache
def program_of(name: str) -> Portable:
    """The program; without the long Jacobian of the bicycle, which is tested as machine code."""
    return portable(equations_of(name), jacobian=name != LONG)


@cache
def implicit_of(name: str) -> Portable:
    return portable(equations_of(name), implicit=True)


@cache
def native(name: str, seed: int) -> dict[str, np.ndarray]:
    """By the machine code of the kernel, which factors the mass matrix in its own way."""
    kernel, given = kernel_of(name), point(name, seed)
    equations = kernel.equations
    solution, mass = kernel.solve(given)
    found = kernel.evaluate(given)
    count = len(equations.coordinates)
    watched = kernel.function([equations.energy, *equations.outputs.values()])(given)
    answers = {
        "rates": np.concatenate([found[:count], solution]),
        "mass": mass,
        "force": found[len(found) - len(mass) :],
        "energy": watched[:1],
        "watched": watched[1:],
    }
    if name != LONG:
        answers["jacobian"] = rates_jacobian(kernel)(given)
    return answers


def split(name: str, given: np.ndarray) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    p = program_of(name)
    ends = np.cumsum([1, len(p.state), len(p.inputs), len(p.parameters)])
    return given[0], given[1 : ends[1]], given[ends[1] : ends[2]], given[ends[2] : ends[3]]


def assert_same(found, needed, name, what):
    found, needed = np.ravel(found), np.ravel(needed)
    scale = max(1.0, float(np.max(np.abs(needed), initial=0.0)))
    np.testing.assert_allclose(found, needed, rtol=1e-11, atol=1e-12 * scale, err_msg=f"{name}: {what}")


def test_the_registry_lists_every_target():
    assert list(targets()) == ["c", "casadi", "jax", "jax_ffi", "numpy", "sympy", "wasm"]
    assert all(t.title and t.suffix.startswith(".") for t in targets().values())


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n == "whipple-bicycle" else n for n in SUBJECTS])
def test_numpy_gives_the_numbers_of_native_code_for_many_members_at_once(name):
    made = target("numpy").live(program_of(name))
    rows = np.array([point(name, seed) for seed in range(3)])
    t, x, u, p = split_rows(name, rows)
    for what in native(name, 0):
        found = getattr(made, what)(t, x, u, p)
        for seed in range(3):
            assert_same(found[..., seed], native(name, seed)[what], name, what)
        alone = getattr(made, what)(*split(name, rows[1]))
        assert alone.shape == found.shape[:-1]
        np.testing.assert_array_equal(alone, found[..., 1])


def split_rows(name, rows):
    t, x, u, p = zip(*(split(name, row) for row in rows))
    return np.array(t), np.array(x).T, np.array(u).T, np.array(p).T


@pytest.mark.parametrize("name", SUBJECTS)
def test_casadi_gives_the_numbers_of_native_code_explicit_and_implicit(name):
    pytest.importorskip("casadi")
    t, x, u, p = split(name, point(name))
    function = target("casadi").live(program_of(name))
    rates = np.array(function(t, x, u, p)).ravel()
    assert_same(rates, native(name, 0)["rates"], name, "rates")
    residual = target("casadi").live(implicit_of(name))
    nothing = np.zeros(0)
    scale = np.abs(native(name, 0)["force"]).max(initial=1.0) + np.abs(native(name, 0)["mass"]).max(initial=0.0) * (
        np.abs(rates).max(initial=1.0)
    )
    assert np.abs(np.array(residual(t, x, native(name, 0)["rates"], nothing, u, p))).max(initial=0.0) < 1e-12 * scale
    moved = native(name, 0)["rates"] + 0.1
    count = len(equations_of(name).coordinates)
    expected = np.concatenate([np.full(count, 0.1), native(name, 0)["mass"] @ np.full(len(moved) - count, 0.1)])
    found = np.array(residual(t, x, moved, nothing, u, p)).ravel()
    np.testing.assert_allclose(found, expected, atol=1e-11 * scale)


@pytest.mark.parametrize("name", [n for n in SUBJECTS if "bicycle" not in n])  # SymPy reads these for a quarter of an hour
def test_sympy_gives_back_the_equations(name):
    """Mass and force at numbers, by SymPy's own lambdify."""
    import sympy

    made = target("sympy").live(program_of(name))
    given = point(name)
    names = (made.time, *made.coordinates, *made.speeds, *made.inputs, *made.parameters)
    assert [str(s) for s in names] == [str(s) for s in kernel_of(name).symbols]
    entries = [*made.kinematics, *made.mass, *made.force, made.energy]
    found = sympy.lambdify(names, entries, modules="math", cse=True)(*given.tolist())
    count, size = len(made.coordinates), made.mass.rows
    needed = native(name, 0)
    assert_same(found[:count], needed["rates"][:count], name, "kinematics")
    assert_same(found[count : count + size * size], needed["mass"], name, "mass")
    assert_same(found[count + size * size : -1], needed["force"], name, "force")
    assert_same(found[-1], needed["energy"], name, "energy")


def check_jax(name):
    made = target("jax").live(program_of(name))
    t, x, u, p = split(name, point(name))
    for what in ("rates", "energy", "mass"):
        assert_same(getattr(made, what)(t, x, u, p), native(name, 0)[what], name, what)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SUBJECTS))
def test_jax_gives_the_numbers_of_native_code(name):
    pytest.importorskip("jax")
    check_jax(name)


@pytest.mark.slow  # its threads do not go with the forks of other tests
def test_jax_compiles_differentiates_and_maps():
    """jit, jacfwd, grad and vmap: the Jacobian of native code, and the gradient of the energy."""
    jax = pytest.importorskip("jax")
    name = "snakeboard"
    made = target("jax").live(program_of(name))
    t, x, u, p = split(name, point(name))
    slopes = jax.jit(jax.jacfwd(lambda y: made.rates(t, y, u, p)))(x)
    assert_same(slopes, native(name, 0)["jacobian"], name, "jacobian")
    pull = jax.grad(lambda y: made.energy(t, y, u, p)[0])(x)
    difference = [
        (made.energy(t, x + h, u, p)[0] - made.energy(t, x - h, u, p)[0]) / 2e-6 for h in 1e-6 * np.eye(len(x))
    ]
    np.testing.assert_allclose(pull, difference, atol=1e-8)
    many = np.array([x, x + 0.1])
    mapped = jax.vmap(lambda y: made.rates(t, y, u, p))(many)
    np.testing.assert_allclose(mapped[1], made.rates(t, many[1], u, p), rtol=1e-12)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """All systems as one C library, compiled without a warning, once."""
    folder = tmp_path_factory.mktemp("c")
    for k, name in enumerate(SUBJECTS):
        made = renamed(program_of(name), k)
        for file, text in target("c").files(made, made.name).items():
            if not file.endswith("_example.c"):
                folder.joinpath(file).write_text(text)
    sources = sorted(map(str, folder.glob("*.c")))
    assert len(sources) == len(SUBJECTS)
    out = folder / "all.so"
    done = subprocess.run(
        ["gcc", *FLAGS, "-O0", "-shared", "-fPIC", *sources, "-o", str(out), "-lm"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[:2000]
    assert done.stderr == ""
    return ctypes.CDLL(str(out))


def renamed(p, k):
    from dataclasses import replace

    return replace(p, name=f"{p.name}_{k}")


@needs_gcc
def test_c_compiles_without_a_warning_and_gives_the_numbers_of_native_code(library):
    doubles = ctypes.POINTER(ctypes.c_double)
    for k, name in enumerate(SUBJECTS):
        made = renamed(program_of(name), k)
        t, *arrays = split(name, point(name))
        x, u, p = (np.ascontiguousarray(a) for a in arrays)
        for section in made.sections:
            out = np.full(len(section.outputs), np.nan)
            call = getattr(library, f"{made.name}_{section.name}")
            call.argtypes = [ctypes.c_double, doubles, doubles, doubles, doubles]
            call(t, *(a.ctypes.data_as(doubles) for a in (x, u, p, out)))
            assert_same(out, native(name, 0)[section.name], name, section.name)


@needs_gcc
def test_the_example_integrates_and_prints_a_motion(tmp_path):
    system = nh.gallery.get("chaplygin-sleigh").system
    files = nh.export(system, "c", tmp_path / "sleigh.c")
    assert [f.name for f in files] == ["sleigh.c", "sleigh.h", "sleigh_example.c"]
    program = tmp_path / "sleigh"
    subprocess.run(
        ["gcc", *FLAGS, "-O1", *(str(f) for f in files if f.suffix == ".c"), "-o", str(program), "-lm"], check=True
    )
    printed = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    rows = np.array([[float(w) for w in line.split()] for line in printed.splitlines()])
    assert rows.shape == (11, 7)
    energy = rows[:, -1]
    assert np.abs(energy - energy[0]).max() < 1e-12
    start = dict(zip(("theta", "x", "y", "omega", "v"), rows[0, 1:6]))
    run = nh.simulate(system, start, 1.0, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(rows[-1, 1:6], [run.final[n] for n in start], atol=1e-10)


@needs_gcc
def test_the_implicit_form_compiles_in_c(tmp_path):
    files = nh.export(nh.gallery.get("snakeboard").system, "c", tmp_path / "board.c", implicit=True)
    assert [f.name for f in files] == ["board.c", "board.h"]
    subprocess.run(["gcc", *FLAGS, "-c", str(files[0]), "-o", str(tmp_path / "board.o")], check=True)
    assert "_residual(double t, const double *x, const double *xdot, const double *z" in files[1].read_text()


SCRIPT = """
import { readFileSync } from "node:fs";
const work = JSON.parse(readFileSync(process.argv[2], "utf8"));
const answers = {};
for (const [name, job] of Object.entries(work)) {
  const memory = new WebAssembly.Memory({ initial: 8 });
  const env = { __linear_memory: memory };
  for (const key of Object.getOwnPropertyNames(Math)) if (typeof Math[key] === "function") env[key] = Math[key];
  const module = new WebAssembly.Module(readFileSync(job.file));
  const instance = new WebAssembly.Instance(module, { env });
  const doubles = new Float64Array(memory.buffer);
  doubles.set(job.given, 0);
  answers[name] = {};
  for (const [section, count] of Object.entries(job.sections)) {
    instance.exports[section](4096 * 8, 0);
    answers[name][section] = Array.from(doubles.slice(4096, 4096 + count));
  }
}
process.stdout.write(JSON.stringify(answers));
"""


def run_in_node(tmp_path, programs, given):
    work = {}
    for k, (name, p) in enumerate(programs.items()):
        file = tmp_path / f"{k}.wasm"
        file.write_bytes(target("wasm").live(p))
        sections = {s.name: len(s.outputs) for s in p.sections if s.outputs}
        work[name] = {"file": str(file), "given": given[name], "sections": sections}
    (tmp_path / "run.mjs").write_text(SCRIPT)
    (tmp_path / "work.json").write_text(json.dumps(work))
    done = subprocess.run(
        ["node", str(tmp_path / "run.mjs"), str(tmp_path / "work.json")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@needs_node
def test_webassembly_gives_the_numbers_of_native_code_in_node(tmp_path):
    given = {name: point(name).tolist() for name in SUBJECTS}
    answers = run_in_node(tmp_path, {name: program_of(name) for name in SUBJECTS}, given)
    assert set(answers) == set(SUBJECTS)
    for name, sections in answers.items():
        assert "rates" in sections
        for what, found in sections.items():
            assert_same(found, native(name, 0)[what], name, what)


@needs_node
def test_webassembly_imports_the_functions_it_lacks(tmp_path):
    x = se.Symbol("x")
    many = (se.tan(x), se.asin(x / 9), se.atan2(x, 2), se.sinh(x), se.acosh(1 + x), se.exp(x), se.log(x), x**x, abs(x - 1),
            se.floor(3 * x), se.ceiling(3 * x), se.Max(x, 1 - x), se.sqrt(x), se.cos(1e6 * x))  # fmt: skip
    from tests.compile import handmade

    p = portable(handmade.first_order(se.Add(*many)))
    at = [0.0, 0.7, *[1.0] * len(p.parameters)]
    answers = run_in_node(tmp_path, {"one": p}, {"one": at})
    needed = (
        math.tan(0.7) + math.asin(0.7 / 9) + math.atan2(0.7, 2) + math.sinh(0.7) + math.acosh(1.7) + math.exp(0.7)
        + math.log(0.7) + 0.7**0.7 + 0.3 + 2 + 3 + 0.7 + math.sqrt(0.7) + math.cos(0.7e6)
    )  # fmt: skip
    assert answers["one"]["rates"][0] == pytest.approx(needed, rel=1e-13)


def test_saddle_points_are_solved_with_pivots_in_straight_line_code():
    """Multipliers: the matrix has zeros on its diagonal."""
    equations = nh.multipliers(nh.gallery.get("snakeboard").system)
    from nonholo.compile import compile_equations

    kernel = compile_equations(equations)
    p = portable(equations)
    given = np.random.default_rng(8).uniform(0.2, 1.0, len(kernel.symbols))
    made = target("numpy").live(p)
    ends = np.cumsum([1, len(p.state), len(p.inputs), len(p.parameters)])
    args = given[0], given[1 : ends[1]], given[ends[1] : ends[2]], given[ends[2] :]
    solution, _ = kernel.solve(given)
    speeds = len(equations.speeds)
    assert_same(made.rates(*args)[len(equations.coordinates) :], solution[:speeds], "multipliers", "rates")
    assert_same(made.unknowns(*args), solution[speeds:], "multipliers", "unknowns")
    rows = rates_jacobian(kernel)(given)[: len(p.state)]
    assert_same(made.jacobian(*args), rows, "multipliers", "jacobian")


def test_the_jacobian_by_chosen_columns_at_many_states_without_compiling():
    from nonholo.program.interpret import Interpreter

    name = "snakeboard"
    kernel = kernel_of(name)
    columns = (kernel.equations.speeds[0], kernel.equations.parameters[1], kernel.equations.inputs[0])
    p = portable(kernel.equations, columns=columns)
    rows = np.array([point(name, seed) for seed in range(4)])
    found = Interpreter(p.program, p.section("jacobian").outputs)(rows).reshape(4, -1, 3)
    slopes = rates_jacobian(kernel, columns)
    for at, answer in zip(rows, found):
        assert_same(answer, slopes(at), name, "jacobian")
