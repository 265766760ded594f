"""Systems that nobody prepared: rates and slopes against multipliers with sixty digits, and the same numbers on every target."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import warnings

import mpmath
import numpy as np
import pytest
import sympy

import nonholo as nh
from nonholo.compile.portable_program import portable
from tests.compile import plain_systems
from tests.compile.plain_systems import WORDS, system
from tests.compile.test_targets import needs_node, run_in_node

STRICT = ("-std=c99", "-O1", "-Wall", "-Wextra", "-pedantic", "-Werror")
SLIDER = "slider and crank against a valve spring"


def states(name, count=2):
    """Whole states near the start, with the time and the inputs, all off every symmetry."""
    s, random = system(name), np.random.default_rng(len(name))
    model = nh.prepare(s)
    for _ in range(count):
        time = float(random.uniform(0.1, 2.0))
        near = {n: v + random.uniform(-0.2, 0.2) for n, v in s.start.items()}
        full = nh.complete_state(s, {**near, "t": time})
        yield model, time, np.array([full[n] for n in model.names]), random.uniform(-0.5, 0.5, len(s.inputs))


def exact(name, model, time, x, u):
    """The witness's rates, and their slopes by differences of so many digits that nothing is lost."""
    with mpmath.workdps(60):
        many = lambda values: [mpmath.mpf(float(e)) for e in values]  # noqa: E731
        rates = lambda at: plain_systems.rates(name, model.names, mpmath.mpf(time), at, many(u))  # noqa: E731
        step = mpmath.mpf("1e-20")
        columns = []
        for k in range(len(x)):
            ahead, behind = many(x), many(x)
            ahead[k] += step
            behind[k] -= step
            columns.append([float((a - b) / (2 * step)) for a, b in zip(rates(ahead), rates(behind))])
        return np.array([float(e) for e in rates(many(x))]), np.array(columns).T


def near(found, needed, tolerance=1e-12):
    needed = np.asarray(needed, dtype=float)
    gap = np.max(np.abs(np.asarray(found, dtype=float).reshape(needed.shape) - needed))
    assert gap < tolerance * max(1.0, np.max(np.abs(needed)))


@pytest.mark.parametrize("name", WORDS)
def test_rates_and_slopes_against_multipliers_with_sixty_digits(name):
    for model, time, x, u in states(name):
        rates, slopes = exact(name, model, time, x, u)
        near(model.vector(x, u, time), rates)
        near(model.jacobian(x, u, time), slopes)


def test_a_root_of_a_clamped_value_has_rates_and_slopes_where_it_is_clamped():
    s = system(SLIDER)
    model = nh.prepare(s)
    full = nh.complete_state(s, {"a": 2.0, "adot": 1.0})
    assert full["x"] < 1.0
    x = np.array([full[n] for n in model.names])
    rates, slopes = exact(SLIDER, model, 0.0, x, [0.1])
    near(model.vector(x, [0.1]), rates)
    near(model.jacobian(x, [0.1]), slopes)


@pytest.mark.slow
@pytest.mark.parametrize("name", WORDS)
def test_every_form_agrees(name):
    assert [str(f) for f in nh.check(system(name)) if f.verdict != "holds"] == []


def test_gibbs_appell_takes_a_potential_with_kinks():
    s = system("ice boat in a gusty wind")
    state = nh.complete_state(s, s.start)
    given = {n: state[n] for n in nh.gibbs_appell(s).state}
    one, other = (f(s).rates({**given, "rud": 0.2}, dict(s.parameters)) for f in (nh.gibbs_appell, nh.hamel))
    assert all(one[n] == pytest.approx(other[n], rel=1e-12, abs=1e-12) for n in given)


@pytest.mark.parametrize("name", WORDS)
def test_what_is_exported_has_the_speeds_and_numbers_of_the_model(name):
    s = system(name)
    pytest.importorskip("casadi")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        numpy, casadi = nh.export(s, "numpy"), nh.export(s, "casadi")
        implicit, residual = nh.export(s, "numpy", implicit=True), nh.export(s, "casadi", implicit=True)
        for model, time, x, u in states(name):
            p = [s.parameters[n] for n in numpy.PARAMETERS]
            needed = model.vector(x, u, time)
            assert model.names == numpy.STATE
            near(numpy.rates(time, x, u, p), needed, 1e-11)
            near(numpy.jacobian(time, x, u, p), model.jacobian(x, u, time), 1e-10)
            near(casadi(time, x, u, p), needed, 1e-11)
            near(implicit.residual(time, x, needed, (), u, p), np.zeros(len(x)), 1e-10)
            near(residual(time, x, needed, [], u, p), np.zeros(len(x)), 1e-10)


@needs_node
def test_webassembly_has_the_numbers_of_the_model(tmp_path):
    ready = {name: next(states(name, 1)) for name in WORDS}
    programs = {name: portable(model.kernel.equations) for name, (model, *_) in ready.items()}
    given = {
        name: [time, *x, *u, *(system(name).parameters[n] for n in model.kernel.parameters)]
        for name, (model, time, x, u) in ready.items()
    }
    for name, sections in run_in_node(tmp_path, programs, {n: [float(e) for e in row] for n, row in given.items()}).items():
        model, time, x, u = ready[name]
        near(sections["rates"], model.vector(x, u, time), 1e-11)
        near(sections["jacobian"], model.jacobian(x, u, time), 1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("name", WORDS)
def test_jax_has_the_numbers_of_the_model(name):
    jax = pytest.importorskip("jax")
    made = nh.export(system(name), "jax")
    for model, time, x, u in states(name):
        p = [system(name).parameters[n] for n in made.PARAMETERS]
        near(made.rates(time, x, u, p), model.vector(x, u, time), 1e-11)
        near(jax.jacfwd(lambda y: made.rates(time, y, u, p))(x), model.jacobian(x, u, time), 1e-10)  # noqa: B023


@pytest.mark.slow
@pytest.mark.parametrize("name", WORDS)
def test_sympy_has_the_numbers_of_the_model(name):
    made = nh.export(system(name), "sympy")
    names = (made.time, *made.coordinates, *made.speeds, *made.inputs, *made.parameters)
    count, size = len(made.coordinates), made.mass.rows
    function = sympy.lambdify(names, [*made.kinematics, *made.mass, *made.force], modules="math", cse=True)
    for model, time, x, u in states(name):
        values = [system(name).parameters[str(p)] for p in made.parameters]
        found = np.array(function(time, *x.tolist(), *u.tolist(), *values), dtype=float)
        mass = found[count : count + size * size].reshape(size, size)
        near([*found[:count], *np.linalg.solve(mass, found[count + size * size :])], model.vector(x, u, time), 1e-11)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize("implicit", [False, True])
def test_c_compiles_without_a_warning_and_has_the_numbers_of_the_model(implicit, tmp_path):
    doubles = ctypes.POINTER(ctypes.c_double)
    for k, name in enumerate(WORDS):
        here = tmp_path / str(k)
        here.mkdir()
        files = nh.export(system(name), "c", implicit=implicit)
        for file, text in files.items():
            (here / file).write_text(text)
        for file in files:
            if file.endswith(".c"):
                subprocess.run(["gcc", *STRICT, "-c", file], cwd=here, check=True, capture_output=True)
        if implicit:
            continue
        stem = next(f for f in files if f.endswith(".h")).removesuffix(".h")
        subprocess.run(["gcc", *STRICT, "-shared", "-fPIC", f"{stem}.c", "-o", "made.so", "-lm"], cwd=here, check=True)
        call = getattr(ctypes.CDLL(str(here / "made.so")), f"{stem}_rates")
        call.argtypes = [ctypes.c_double, *[doubles] * 4]
        for model, time, x, u in states(name):
            found = np.full(len(x), np.nan)
            values = np.array([system(name).parameters[n] for n in model.kernel.parameters])
            call(time, *(np.ascontiguousarray(a).ctypes.data_as(doubles) for a in (x, u, values, found)))
            near(found, model.vector(x, u, time), 1e-11)
