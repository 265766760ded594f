"""Machine code made in a hurry, with care, in parts and for lanes: the same bits; and when which is used."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.compile import compile_equations
from nonholo.compile.explicit_rates import rates_program
from nonholo.compile.kernel import entries_of
from nonholo.integrate.methods import DormandPrince8
from nonholo.integrate.motion.integration import advance
from nonholo.program import machine_code as kept
from nonholo.program.fused_rounding import fused_pairs
from nonholo.program.interpret import Interpreter
from nonholo.program.llvm_jit import listing, load, ordered
from nonholo.program.machine_code import Hurried, MachineCode
from nonholo.program.program import Program

RNG = np.random.default_rng(5)
PLAIN = {
    "kinks": nh.System(
        coordinates="x y th", parameters="m J k",
        lagrangian="m*(xdot**2 + ydot**2)/2 + J*thdot**2/2 - k*Max(x, y)**2/2 - Piecewise((x**3, x > 0), (y, True))",
        constraints=["ydot*cos(th) - xdot*sin(th)"], forces={"th": "-sign(thdot)*Abs(x)"},
    ),
    "loop": nh.System(
        coordinates="a b c", parameters="m l", lagrangian="m*(adot**2 + bdot**2*exp(-a**2) + cdot**2)/2 - m*sin(a)*tanh(b)",
        holonomic=["cos(a) + l*cos(b) - sin(c)"],
    ),
}  # fmt: skip


def written(equations):
    """The program of the rates and its outputs."""
    kernel = compile_equations(equations)
    exprs = [*equations.kinematics, *entries_of(equations, kernel.symmetric), *equations.force]
    fixed = len(kernel.symbols) - len(equations.parameters)
    return *rates_program(equations, kernel.symbols, exprs, kernel.symmetric, fixed), len(kernel.symbols)


@pytest.mark.parametrize("name", ["rattleback", "snakeboard", "kinks", "loop"])
def test_bits_depend_neither_on_care_nor_on_cuts_nor_on_lanes(name):
    equations = nh.hamel(PLAIN[name] if name in PLAIN else nh.gallery.get(name).system)
    program, outputs, count = written(equations)
    texts = {
        "care": (listing(program, outputs), 1), "hurry": (listing(program, outputs), 0),
        "parts": (listing(program, outputs, whole=0, part=17), 1),
        "hurried parts": (listing(program, outputs, whole=0, part=40), 0),
    }  # fmt: skip
    codes = {}
    for label, (text, level) in texts.items():
        address, owner = load(text, level=level)
        codes[label] = MachineCode(address, 0, count, len(outputs), owner)
    address, owner = load(listing(program, outputs, lanes=4))
    wide = MachineCode(address, 0, 4 * count, 4 * len(outputs), owner)
    for _ in range(50):
        rows = RNG.uniform(-1.5, 1.5, (4, count))
        together = wide(rows.T.ravel()).reshape(len(outputs), 4).T
        for row, lane in zip(rows, together):
            first = codes["care"](row).tobytes()
            assert all(code(row).tobytes() == first for code in codes.values()), name
            assert lane.tobytes() == first


def test_what_is_rounded_once_is_used_once_and_stays_near_what_is_rounded_twice():
    program, outputs, count = written(nh.hamel(nh.gallery.get("rattleback").system))
    order = ordered(program, outputs, {})
    pairs = fused_pairs(program, order, outputs, ())
    used = [j for i in order for j in program.operations[i].of] + list(outputs)
    assert len(pairs) > 50 and len({p.product for p in pairs.values()}) == len(pairs)
    assert all(used.count(p.product) == 1 for p in pairs.values())
    address, owner = load(listing(program, outputs))
    row = RNG.uniform(0.3, 0.9, count)
    plain = Interpreter(program, outputs)(row)
    found = MachineCode(address, 0, count, len(outputs), owner)(row)
    assert found == pytest.approx(plain, rel=1e-11, abs=1e-11) and found.tobytes() != np.asarray(plain).tobytes()


def test_a_fused_product_with_its_signs_is_exact_arithmetic_rounded_once():
    from fractions import Fraction

    program = Program(6)
    a, b, c = (program.put("input", detail=k) for k in range(3))
    d, e, f = (program.put("input", detail=k) for k in range(3, 6))
    outputs = [program.add(program.multiply(a, b), c), program.subtract(program.multiply(d, e), f)]
    outputs.append(program.subtract(c, program.multiply(a, e)))
    address, owner = load(listing(program, outputs, fused=True), level=0)
    for _ in range(20):
        row = RNG.uniform(-1, 1, 6)
        A, B, C, D, E, F = map(Fraction, row.tolist())
        exact = [float(A * B + C), float(D * E - F), float(C - A * E)]
        assert MachineCode(address, 0, 6, 3, owner)(row).tolist() == exact


def test_rates_are_compiled_with_care_only_after_many_calls_and_nothing_else_changes(monkeypatch):
    equations = nh.hamel(nh.gallery.get("chaplygin-sleigh").system)
    method, values = DormandPrince8(), [1.3, 0.7, 0.4]
    ends = []
    for often in (10**9, 100, 0):
        monkeypatch.setattr(kept, "OFTEN", often)
        kernel = compile_equations(equations)
        assert isinstance(kernel.rates_code, Hurried)
        path = advance(kernel, method, 0, [0.1, 0.2, 0.3, 1.5, -1.0], 30.0, values, chunk=7)
        assert ("well" in kernel.rates_code.__dict__) == (often < 10**9)
        assert kernel.rates_code.calls == [path.calls]
        ends.append((path.final_state.tobytes(), path.accepted, path.calls))
    assert ends[0] == ends[1] == ends[2]


def test_who_makes_many_motions_begins_with_care():
    from nonholo.integrate.motion.model_step import Launcher

    kernel = compile_equations(nh.hamel(nh.gallery.get("chaplygin-sleigh").system))
    Launcher(kernel, DormandPrince8(), 0, 1, [1.3, 0.7, 0.4])
    assert "well" in kernel.rates_code.__dict__


def test_a_step_that_keeps_the_energy_of_the_sleigh_integrates_nothing_along_the_chord():
    """Its mass is ``J + m a² (sin² + cos²)`` as derived: no function of the angle, so one sine and one cosine are enough."""
    from nonholo.compile.schemes import scheme_named
    from nonholo.compile.schemes.scheme import Writer

    equations = nh.hamel(nh.gallery.get("chaplygin-sleigh").system)
    scheme = scheme_named("energy_exact")
    writer = Writer(equations, scheme.times, scheme.memory(equations))
    step = scheme.write(writer)
    order = ordered(writer.program, [v.place for v in (*step.residuals, *step.memory)], {})
    kinds = [writer.program.operations[i].kind for i in order]
    assert kinds.count("sin") == kinds.count("cos") == 1 and len(kinds) < 120


def test_a_step_that_keeps_the_energy_of_the_rattleback_shares_what_its_equations_share():
    """Its masses multiplied out are shorter one by one and longer together; the step was twice as long."""
    from nonholo.algebra.calculus import node_count, tidy
    from nonholo.compile.schemes.discrete_gradient import with_pythagoras

    equations = nh.hamel(nh.gallery.get("rattleback").system)
    entries = [*(e for row in equations.mass for e in row), *equations.force]
    assert node_count([tidy(e) for e in entries]) > node_count(entries)
    kept = with_pythagoras(equations)
    assert node_count([*(e for row in kept.mass for e in row), *kept.force]) <= node_count(entries)
