"""Workshop systems in plain coordinates, with kinks, inputs, time and loops: every target gives native numbers."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from functools import cache

import numpy as np
import pytest

import nonholo as nh
from nonholo.compile import compile_equations
from nonholo.compile.portable_program import portable
from nonholo.compile.rates_jacobian import rates_jacobian
from nonholo.compile.targets.registry import target
from nonholo.errors import NonholoError
from tests.compile.test_targets import FLAGS, assert_same, needs_node, run_in_node

SYSTEMS = {
    "sledge with a stop and dry friction": nh.System(
        coordinates="x y th", parameters="m J a k mu", inputs="u",
        lagrangian="m*((xdot - a*thdot*sin(th))**2 + (ydot + a*thdot*cos(th))**2)/2 + J*thdot**2/2 - k*Max(x - 0.4, 0)**2/2",
        constraints=["ydot*cos(th) - xdot*sin(th)"],
        forces={"x": "u*cos(th) - mu*sign(xdot)*Abs(xdot)", "y": "u*sin(th)", "th": "-mu*tanh(9*thdot)"},
    ),
    "cart whose spring stiffens beyond a gap": nh.System(
        coordinates="s phi", parameters="M m l k g", inputs="f",
        lagrangian="(M + m)*sdot**2/2 + m*l*sdot*phidot*cos(phi) + m*l**2*phidot**2/2 + m*g*l*cos(phi)"
        " - Piecewise((k*(s - 0.3)**2/2, s > 0.3), (k*(s + 0.3)**4, s < -0.3), (0, True))",
        forces={"s": "f*Min(1, Max(-1, 3*sin(t)))"},
    ),
    "table that shakes under a blade": nh.System(
        coordinates="x y th", parameters="m J b w",
        lagrangian="m*((xdot + b*w*cos(w*t))**2 + ydot**2)/2 + J*thdot**2*(1 + b*cos(w*t))/2",
        constraints=["ydot*cos(th) - xdot*sin(th) - b*w*sin(w*t)*cos(th)"],
    ),
    "four bars in a loop": nh.System(
        coordinates="p q r", parameters="m a b c d g",
        lagrangian="m*(a**2*pdot**2 + b**2*qdot**2 + a*b*pdot*qdot*cos(p - q) + c**2*rdot**2)/6 - m*g*(a*sin(p) + c*sin(r))/2",
        holonomic=["a*cos(p) + b*cos(q) - c*cos(r) - d", "a*sin(p) + b*sin(q) - c*sin(r)"],
    ),
    "two wheels of unlike radius on an axle, with motors": nh.System(
        coordinates="x y th e f", parameters="m J I r s w c", inputs="u v",
        lagrangian="m*(xdot**2 + ydot**2)/2 + J*thdot**2/2 + I*(edot**2 + fdot**2)/2",
        constraints=["xdot*cos(th) + ydot*sin(th) + w*thdot - r*edot", "xdot*cos(th) + ydot*sin(th) - w*thdot - s*fdot",
                     "ydot*cos(th) - xdot*sin(th)"],
        forces={"e": "u - c*edot*Abs(edot)", "f": "Min(v, c) - c*fdot"},
    ),
    "bead on a moving bowl": nh.System(
        coordinates="x y z", parameters="m k g",
        lagrangian="m*(xdot**2 + ydot**2 + zdot**2)/2 - m*g*z - exp(-x**2)*sqrt(1 + y**2)",
        holonomic=["z - k*(x**2 + y**2)/2 - log(1 + x**2)/4"],
    ),
}  # fmt: skip


@cache
def ready(name):
    """Kernel, portable program and three random input vectors, on either side of every kink."""
    equations = nh.hamel(SYSTEMS[name])
    kernel = compile_equations(equations)
    random = np.random.default_rng(len(name))
    rows = random.uniform(-1.4, 1.4, (3, len(kernel.symbols)))
    count = len(equations.parameters)
    rows[:, len(kernel.symbols) - count :] = random.uniform(0.6, 1.7, (3, count))
    return kernel, portable(equations), rows


@cache
def native(name):
    """Everything at the three vectors; ``ż`` by NumPy from mass and force, the slopes by machine code."""
    kernel, _, rows = ready(name)
    equations, answers = kernel.equations, []
    for row in rows:
        found = kernel.evaluate(row)
        solution, mass = kernel.solve(row)
        force = found[len(found) - len(mass) :]
        assert np.linalg.solve(mass, force) == pytest.approx(solution, rel=1e-9, abs=1e-9)
        watched = kernel.function([equations.energy, *equations.outputs.values()])(row)
        answers.append(
            {"rates": np.concatenate([found[: len(equations.coordinates)], solution]), "mass": mass, "force": force}
            | {"energy": watched[:1], "watched": watched[1:], "jacobian": rates_jacobian(kernel)(row)}
        )
    return answers


def split(name, row):
    p = ready(name)[1]
    ends = np.cumsum([1, len(p.state), len(p.inputs)])
    return row[0], row[1 : ends[1]], row[ends[1] : ends[2]], row[ends[2] :]


@pytest.mark.parametrize("name", SYSTEMS)
def test_numpy_sympy_and_casadi(name):
    import sympy

    _, p, rows = ready(name)
    made, back = target("numpy").live(p), target("sympy").live(p)
    names = (back.time, *back.coordinates, *back.speeds, *back.inputs, *back.parameters)
    entries = [*back.kinematics, *back.mass, *back.force, back.energy]
    plain = sympy.lambdify(names, entries, modules="math", cse=True)
    for row, needed in zip(rows, native(name)):
        for what, value in needed.items():
            assert_same(getattr(made, what)(*split(name, row)), value, name, what)
        found, count = plain(*row.tolist()), len(back.coordinates)
        whole = [*needed["rates"][:count], *needed["mass"].ravel(), *needed["force"], *needed["energy"]]
        assert_same(found, whole, name, "sympy")
    casadi = pytest.importorskip("casadi")
    assert casadi is not None
    function = target("casadi").live(p)
    for row, needed in zip(rows, native(name)):
        assert_same(np.array(function(*split(name, row))), needed["rates"], name, "casadi")


@pytest.mark.slow  # its threads do not go with the forks of other tests
@pytest.mark.parametrize("name", SYSTEMS)
def test_jax(name):
    jax = pytest.importorskip("jax")
    made = target("jax").live(ready(name)[1])
    for row, needed in zip(ready(name)[2], native(name)):
        t, x, u, p = split(name, row)
        for what in ("rates", "energy", "mass"):
            assert_same(getattr(made, what)(t, x, u, p), needed[what], name, what)
        slopes = jax.jacfwd(lambda y: made.rates(t, y, u, p))(x)  # noqa: B023
        assert_same(slopes, needed["jacobian"], name, "jax's own slopes")


@needs_node
def test_webassembly(tmp_path):
    for k in range(3):
        given = {name: ready(name)[2][k].tolist() for name in SYSTEMS}
        answers = run_in_node(tmp_path, {name: ready(name)[1] for name in SYSTEMS}, given)
        for name, sections in answers.items():
            for what, found in sections.items():
                assert_same(found, native(name)[k][what], name, what)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_c(tmp_path):
    from dataclasses import replace

    for k, name in enumerate(SYSTEMS):
        made = replace(ready(name)[1], name=f"one_{k}")
        for file, text in target("c").files(made, made.name).items():
            if not file.endswith("_example.c"):
                (tmp_path / file).write_text(text)
    out = tmp_path / "all.so"
    sources = sorted(map(str, tmp_path.glob("*.c")))
    words = ["gcc", *FLAGS, "-O0", "-shared", "-fPIC", *sources, "-o", str(out), "-lm"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == "", done.stderr[:2000]
    library, doubles = ctypes.CDLL(str(out)), ctypes.POINTER(ctypes.c_double)
    for k, name in enumerate(SYSTEMS):
        for row, needed in zip(ready(name)[2], native(name)):
            t, *arrays = split(name, row)
            x, u, p = (np.ascontiguousarray(a) for a in arrays)
            for section in ready(name)[1].sections:
                values = np.full(len(section.outputs), np.nan)
                call = getattr(library, f"one_{k}_{section.name}")
                call.argtypes = [ctypes.c_double, doubles, doubles, doubles, doubles]
                call(t, *(a.ctypes.data_as(doubles) for a in (x, u, p, values)))
                assert_same(values, needed[section.name], name, section.name)


@pytest.mark.parametrize("name", SYSTEMS)
def test_slopes_of_native_code_against_sixty_digits(name):
    """Every rate by every state variable: mass and force with 60 digits, differenced with a step of 1e-25, and solved."""
    import mpmath
    import sympy

    _, p, rows = ready(name)
    back = target("sympy").live(p)
    names = (back.time, *back.coordinates, *back.speeds, *back.inputs, *back.parameters)
    size, count = back.mass.rows, len(back.coordinates)
    function = sympy.lambdify(names, [*back.kinematics, *back.mass, *back.force], modules="mpmath", cse=True)

    def rates(values):
        found = function(*values)
        mass = mpmath.matrix([found[count + i * size : count + (i + 1) * size] for i in range(size)])
        solved = mpmath.lu_solve(mass, mpmath.matrix(found[count + size * size :]))
        return [*found[:count], *solved]

    with mpmath.workdps(60):
        h = mpmath.mpf(10) ** -25
        exact = [mpmath.mpf(v) for v in rows[1].tolist()]
        base = rates(exact)
        for k in range(len(p.state)):
            moved = [v + h * (i == 1 + k) for i, v in enumerate(exact)]
            slope = [float((a - b) / h) for a, b in zip(rates(moved), base)]
            assert_same(native(name)[1]["jacobian"][:, k], slope, name, f"by {p.state[k]}")


def test_bad_input_is_one_sentence(tmp_path):
    swing = nh.System(coordinates="q", lagrangian="qdot**2/2 - q**2/2")
    with pytest.raises(NonholoError, match="cc") as told:
        nh.export(swing, "cc", tmp_path / "x.c")
    assert "\n" not in str(told.value)
    with pytest.raises(NonholoError) as told:
        nh.export(swing, "c", tmp_path / "nowhere" / "deep" / "x.c")
    assert "\n" not in str(told.value) and "nowhere" in str(told.value)
