"""Programs on tape: the bits of machine code, without compiling; and when they are compiled after all."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest

import nonholo as nh
from nonholo.compile import compile_equations
from nonholo.integrate.methods import DormandPrince8
from nonholo.integrate.motion.integration import advance
from nonholo.program import machine_code as kept
from nonholo.program.llvm_jit import listing, load
from nonholo.program.machine_code import MachineCode, Sheet, Taped, loaded, steady_values, taped
from nonholo.program.program import Program
from nonholo.program.register_machine import BINARY, COMPARISONS, SIGNS, UNARY, WORDS, machine, width
from nonholo.program.tape import parts_of, tape
from tests.program.subjects import SUBJECTS, kernel_of, point

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.3, -2.5, 2.0, 1e5, 1.00001e5, -3e7, 1e300, 5e-324, np.inf, -np.inf, np.nan]


START = [0.1, 0.2, 0.3, 1.5, -1.0]
"""Of the sleigh."""


def compiled(program, outputs, inputs, ready=None, level=1):
    address, owner = load(listing(program, outputs, ready), level=level)
    return MachineCode(address, 0, inputs, len(outputs), owner)


def every_word():
    """A program with every operation there is, and what it reads."""
    p = Program(fixed=3)
    a, b, c = (p.put("input", detail=k) for k in range(3))
    found = [p.put(kind, a, b) for kind in SIGNS]
    found += [p.put("negate", a), p.put("sqrt", a), p.put("sin", a), p.put("cos", a), p.put("cos", b)]
    found += [p.call(name, a) for name in UNARY] + [p.call(name, a, b) for name in BINARY]
    found += [p.put("choose", p.put("compare", a, b, detail=word), b, c) for word in COMPARISONS]
    found += [p.add(p.multiply(a, a), c), p.subtract(p.multiply(a, c), b), p.subtract(a, p.multiply(b, c))]
    return p, [*found, a, p.number(0.25), p.add(a, p.number(1e-3))]


def test_every_instruction_has_the_bits_of_machine_code_at_any_numbers():
    program, outputs = every_word()
    exact, code = compiled(program, outputs, 3), taped(program, outputs, 3)
    random = np.random.default_rng(3)
    rows = [(x, y, z) for x in SPECIAL for y in SPECIAL for z in (0.7, -0.0, np.nan)]
    rows += random.normal(0.0, 2.0, (200, 3)).tolist()
    for row in rows:
        mine, theirs = code(row), exact(row)
        same = (mine == theirs) & (np.signbit(mine) == np.signbit(theirs)) | (np.isnan(mine) & np.isnan(theirs))
        assert np.all(same), (row, [outputs[k] for k in np.flatnonzero(~same)])


def test_rows_computed_side_by_side_have_the_bits_of_machine_code_at_any_numbers(monkeypatch):
    monkeypatch.setattr(kept, "LONG", 0)
    monkeypatch.setattr(kept, "MUCH", 0)
    program, outputs = every_word()
    exact, code = compiled(program, outputs, 3), taped(program, outputs, 3)
    random = np.random.default_rng(5)
    rows = np.array([(x, y, z) for x in SPECIAL for y in SPECIAL for z in (0.7, -0.0, np.nan)])
    rows = np.vstack([rows, random.normal(0.0, 2.0, (61, 3))])
    for table in (rows, rows[-2:], rows[-9:], random.permutation(rows)):
        mine, theirs = code.rows(table), np.array([exact(row) for row in table])
        same = (mine == theirs) & (np.signbit(mine) == np.signbit(theirs)) | (np.isnan(mine) & np.isnan(theirs))
        assert np.all(same), np.argwhere(~same)
    assert code.calls == [0]  # the single machine was not asked


def test_no_instruction_is_left_out_of_that():
    program, outputs = every_word()
    code = parts_of(np.frombuffer(tape(program, outputs, 3, {}, fused=True), dtype=np.uint8)).code
    seen, place = set(), 0
    while code[place]:
        word, count = WORDS[code[place]], int(code[place + 1])
        seen.add(word)
        place += 2 + count * (1 + width(word))
    assert seen == set(WORDS[1:])


def test_fused_products_are_exact_arithmetic_rounded_once():
    p = Program(6)
    a, b, c, d, e, f = (p.put("input", detail=k) for k in range(6))
    outputs = [p.add(p.multiply(a, b), c), p.subtract(p.multiply(d, e), f), p.subtract(c, p.multiply(a, e))]
    numbers = np.frombuffer(tape(p, outputs, 6, {}, fused=True), dtype=np.uint8)
    address, owner = machine()
    code = MachineCode(address, numbers.ctypes.data, 6, 3, (numbers, owner))
    random = np.random.default_rng(8)
    for _ in range(20):
        row = random.uniform(-1, 1, 6)
        A, B, C, D, E, F = map(Fraction, row.tolist())
        assert code(row).tolist() == [float(A * B + C), float(D * E - F), float(C - A * E)]


FEW = ("rattleback", "snakeboard", "plain " + next(iter(s for s in SUBJECTS if s.startswith("plain"))).removeprefix("plain "))


@pytest.mark.parametrize("name", [n if n in FEW else pytest.param(n, marks=pytest.mark.slow) for n in SUBJECTS])
def test_rates_read_from_a_tape_have_the_bits_of_machine_code(name):
    from nonholo.compile.explicit_rates import rates_program
    from nonholo.compile.kernel import entries_of

    kernel = kernel_of(name)
    equations, symbols = kernel.equations, kernel.symbols
    exprs = [*equations.kinematics, *entries_of(equations, kernel.symmetric), *equations.force]
    program, outputs = rates_program(equations, symbols, exprs, kernel.symmetric, len(symbols) - len(equations.parameters))
    steady = steady_values(program, outputs)
    ready = {value: len(symbols) + k for k, value in enumerate(steady)}
    count = len(symbols) + len(steady)
    exact, code = loaded(program, outputs, count, ready), taped(program, outputs, count, ready)
    fixed, slow = taped(program, steady, len(symbols)), compiled(program, steady, len(symbols)) if steady else None
    assert len(outputs) > len(equations.force)
    for seed in range(12):
        row = point(name, seed)
        numbers = fixed(row)
        assert slow is None or numbers.tobytes() == slow(row).tobytes()
        assert code([*row, *numbers]).tobytes() == exact([*row, *numbers]).tobytes()


def test_what_is_called_often_is_compiled_after_all_and_has_the_same_bits(monkeypatch):
    monkeypatch.setattr(kept, "SELDOM", 30)
    program, outputs = every_word()
    code = taped(program, outputs, 3)
    assert isinstance(code, Taped)
    rows = np.random.default_rng(4).normal(0.0, 2.0, (20, 3))
    first = code.rows(rows)
    assert code.after(0) is code and "well" not in code.__dict__
    second = code.rows(rows)
    assert code.after(0) is code.well and code.after(0) is not code
    assert first.tobytes() == second.tobytes() == np.array([code(r) for r in rows]).tobytes()


def test_a_sheet_answers_rows_of_any_shape_and_is_made_again_where_it_lands():
    program, outputs = every_word()
    sheet = Sheet(program, outputs, 3)
    rows = np.random.default_rng(4).normal(0.0, 2.0, (2, 5, 3))
    found = sheet(rows)
    assert found.shape == (2, 5, len(outputs)) and sheet(rows[1, 2]).tobytes() == found[1, 2].tobytes()
    assert pickle.loads(pickle.dumps(sheet))(rows).tobytes() == found.tobytes()
    assert sheet(np.empty((0, 3))).shape == (0, len(outputs))


def test_conditions_of_a_long_motion_are_compiled_while_it_runs_and_nothing_else_changes(monkeypatch):
    equations = nh.hamel(nh.gallery.get("chaplygin-sleigh").system)
    guard = (1 / (2 + equations.kinematics[0] ** 2),)
    ends = []
    for seldom in (10**9, 20):
        monkeypatch.setattr(kept, "SELDOM", seldom)
        kernel = compile_equations(equations, conditions=guard)
        path = advance(kernel, DormandPrince8(), 0, START, 30.0, [1.3, 0.7, 0.4], chunk=7, condition_thresholds=[1e-9])
        assert isinstance(kernel.conditions, Taped) and ("well" in kernel.conditions.__dict__) == (seldom < 10**9)
        assert path.accepted > 20
        ends.append((path.final_state.tobytes(), path.accepted, path.calls))
    assert ends[0] == ends[1]
