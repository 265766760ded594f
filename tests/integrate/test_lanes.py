"""Members side by side: each has the bits it has alone, whatever its neighbours are, do, or suffer."""

from __future__ import annotations

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.compile import compile_equations
from nonholo.compile.lane_steps import wide_rates
from nonholo.derive.hamel import hamel
from nonholo.integrate.loops.arguments import array_layout as at
from nonholo.integrate.loops.arguments.piecewise_signals import linear, sampled
from nonholo.integrate.loops.compilation.vector_instructions import LANES
from nonholo.integrate.many.member_blocks import SIDE_BY_SIDE, advance_many
from nonholo.integrate.methods import DormandPrince8
from nonholo.integrate.motion.integration import Event, advance
from nonholo.program.llvm_jit import listing, load
from nonholo.program.machine_code import NOTHING, MachineCode, machine_code
from nonholo.program.program import Program
from nonholo.program.translate import translate
from tests.compile import handmade

COUNT = SIDE_BY_SIDE + 5  # not a multiple of the lanes
DOP = DormandPrince8(rtol=1e-8, atol=1e-10)
GENERIC = np.random.default_rng(3)


def both(kernel, starts, until, parameters=(), method=DOP, **words):
    """The same members side by side and one by one, compared in every bit and every count."""
    together = advance_many(kernel, method, 0.0, starts, until, parameters, threads=1, **words)
    alone = advance_many(kernel, method, 0.0, starts, until, parameters, threads=1, side_by_side=False, **words)
    for name in ("states", "final_states", "final_times", "status", "accepted", "rejected", "calls", "blurred"):
        assert np.array_equal(getattr(together, name), getattr(alone, name), equal_nan=True), name
    for a, b in zip(together.occurrences, alone.occurrences):
        for name in ("times", "states", "index", "sign"):
            assert np.array_equal(getattr(a, name), getattr(b, name)), name
    return together


def spread(start, by=0.1, count=COUNT):
    return np.array(start) + by * GENERIC.uniform(-1, 1, (count, len(start)))


def test_sleighs_of_different_parameters_and_rattlebacks():
    values = np.array(handmade.SLEIGH_PARAMETERS) * GENERIC.uniform(0.7, 1.4, (COUNT, 3))
    runs = both(compile_equations(handmade.sleigh()), spread(handmade.SLEIGH_START, 0.5), 10.0, values, t_eval=[0, 0.3, 7.1, 10])
    assert np.all(runs.status == at.REACHED) and len(set(runs.accepted)) > 5
    both(compile_equations(handmade.rattleback()), spread(handmade.RATTLEBACK_START, 0.01), 0.5, handmade.RATTLEBACK_PARAMETERS)


def test_values_of_all_lanes_on_the_stack_do_not_straddle_cache_lines():
    program = Program(fixed=2)
    x, y = (program.put("input", detail=k) for k in range(2))
    total = program.add(program.multiply(x, y), y)
    assert f"alignstack({8 * LANES})" in listing(program, [total], lanes=LANES)
    assert "alignstack" not in listing(program, [total])


def test_a_member_is_what_advance_makes_of_it():
    kernel, starts = compile_equations(handmade.pendulum()), spread((1.0, 0.2), 0.9)
    runs = advance_many(kernel, DOP, 0.0, starts, 3.0, (9.7, 1.3), t_eval=[1.0, 3.0], threads=2)
    for k in (0, 7, 8, COUNT - 1):
        one = advance(kernel, DOP, 0.0, starts[k], 3.0, (9.7, 1.3), t_eval=[1.0, 3.0])
        assert np.array_equal(runs.states[k], one.states) and runs.calls[k] == one.calls


@pytest.mark.parametrize("threads", [1, 2])
def test_neighbours_do_not_matter(threads):
    """The same member among others, in another order, at another place."""
    kernel, starts = compile_equations(handmade.sleigh()), spread(handmade.SLEIGH_START, 0.5)
    words = (kernel, DOP, 0.0)
    first = advance_many(*words, starts, 5.0, handmade.SLEIGH_PARAMETERS, threads=threads)
    order = GENERIC.permutation(COUNT)
    mixed = advance_many(*words, starts[order], 5.0, handmade.SLEIGH_PARAMETERS, threads=threads)
    assert np.array_equal(first.final_states[order], mixed.final_states)
    wild = starts.copy()
    wild[1::2] *= 1e3
    others = advance_many(*words, wild, 5.0, handmade.SLEIGH_PARAMETERS, threads=threads)
    assert np.array_equal(first.final_states[::2], others.final_states[::2])


def test_members_that_fail_leave_their_lane():
    """``ẋ = x²`` ends at 1/x; some members are not even a number at the start, some have too many steps to make."""
    x = se.Symbol("x")
    kernel = compile_equations(handmade.first_order(x**2))
    starts = np.linspace(-2.0, 1.5, COUNT)[:, None]
    starts[5], starts[6], starts[40] = np.nan, np.inf, 1e300
    runs = both(kernel, starts, 2.0, t_eval=[0.5, 1.0, 2.0])
    fine = np.flatnonzero(starts[:, 0] < 0.49)
    np.testing.assert_allclose(runs.final_states[fine, 0], starts[fine, 0] / (1 - 2 * starts[fine, 0]), rtol=1e-6)
    assert {int(s) for s in runs.status} >= {at.REACHED, at.TOO_SMALL, at.NOT_FINITE}
    few = both(kernel, starts, 2.0, method=DormandPrince8(rtol=1e-8, atol=1e-10, max_steps=6))
    assert at.TOO_MANY in few.status and at.REACHED in few.status


def test_mass_matrices_that_are_solved_one_by_one():
    """A multiplier form is solved outside of the program; a mass that vanishes on the way is singular for that member alone."""
    angle = GENERIC.uniform(-1, 1, COUNT)
    starts = np.stack([np.sin(angle), -np.cos(angle), 0 * angle, 0 * angle], axis=1)
    runs = both(compile_equations(handmade.hanging()), starts, 2.0, (9.81, 1.0))
    assert np.abs(np.hypot(*runs.final_states[:, :2].T) - 1).max() < 1e-12
    q = se.Symbol("q")
    rows = np.stack([np.linspace(0.2, 3.0, COUNT), -np.ones(COUNT)], axis=1)
    ends = both(compile_equations(handmade.with_mass(q, se.Integer(-1))), rows, 1.0)
    assert at.REACHED in ends.status and np.any(ends.status != at.REACHED)


def test_projection_by_lane():
    turned = GENERIC.normal(size=(COUNT, 4))
    starts = np.hstack([turned / np.linalg.norm(turned, axis=1)[:, None], GENERIC.normal(size=(COUNT, 3))])
    runs = both(compile_equations(handmade.free_body()), starts, 3.0, (1.0, 2.0, 2.7), t_eval=np.linspace(0, 3, 7))
    assert np.abs(np.linalg.norm(runs.states[:, :, :4], axis=2) - 1).max() < 1e-14


def test_events_inputs_and_breaks_by_lane():
    kernel, x = compile_equations(handmade.driven()), se.Symbol("x")
    starts, stiffness = spread((0.3, -0.2), 0.6), GENERIC.uniform(0.5, 20, (COUNT, 1))
    for push in (linear([0, 1, 1, 2, 9], [0, 0, 2, -1, 0]), sampled(np.sin, 0.0, 6.0)):
        runs = both(kernel, starts, 6.0, stiffness, inputs=[push], events=[Event(x), Event(x - 0.5, 1, 3)], t_eval=[0, 2.5, 6])
        assert at.EVENT in runs.status and max(len(o.times) for o in runs.occurrences) > 8


def test_backwards_and_in_other_frames():
    sleigh, starts = compile_equations(handmade.sleigh()), spread(handmade.SLEIGH_START, 0.3)
    both(sleigh, starts, -4.0, handmade.SLEIGH_PARAMETERS, t_eval=[0, -1, -4])
    skate = nh.System(
        coordinates="x y th", lagrangian="(xdot**2 + ydot**2)/2 + thdot**2/4", constraints=["xdot*sin(th) - ydot*cos(th)"]
    )
    runs = nh.ensemble(skate, {"thdot": np.linspace(0.1, 1.0, COUNT), "xdot": 0.7}, 6.0, t_eval=[6.0])
    for k in (0, COUNT // 2, COUNT - 1):
        one = nh.simulate(skate, {"thdot": float(np.linspace(0.1, 1.0, COUNT)[k]), "xdot": 0.7}, 6.0, t_eval=[6.0])
        assert runs["final_x"].values[k] == one.final["x"]
        assert one.final["x"] == pytest.approx(0.7 * np.sin(one.final["th"]) / one.final["thdot"], abs=1e-7)


FUNCTIONS = (
    "sin(x) + cos(x)", "sin(1e5*x) + cos(3e7*y)", "tan(x)", "atan2(x, y)", "exp(x)*log(y + 3)", "sqrt(y + 3)*sinh(x)",
    "Abs(x)**1.7", "Max(x, y, 0.1) + Min(x, y)", "sign(x)*floor(5*y) + ceiling(3*x)", "Piecewise((x**2, x > y), (y/x, True))",
    "acos(x/4)*asin(y/4)", "(x + y)**-3 + x**5",
)  # fmt: skip


def test_every_function_has_the_same_bits_in_every_lane():
    from nonholo.notation.read import expression

    x, y = se.symbols("x y")
    exprs = [*(expression(t, ("x", "y"), "test") for t in FUNCTIONS), se.erf(x) + se.gamma(y + 4)]
    points = GENERIC.uniform(-3, 3, (400, 2))
    points[3], points[4] = (np.nan, 1.0), (0.0, np.inf)
    single = machine_code([x, y], exprs, "test")
    code = wide_code([x, y], exprs)
    for start in range(0, 400, LANES):
        rows = points[start : start + LANES]
        found = code(np.ascontiguousarray(rows.T).ravel()).reshape(-1, LANES).T
        for row, values in zip(rows, found):
            assert np.array_equal(single(row), values, equal_nan=True)


def wide_code(symbols, exprs) -> MachineCode:
    program = Program(fixed=len(symbols))
    outputs = translate(program, {s: i for i, s in enumerate(symbols)}, exprs)
    address, owner = load(listing(program, outputs, lanes=LANES))
    return MachineCode(address, 0, LANES * len(symbols), LANES * len(outputs), owner)


def same_in_lanes(equations) -> None:
    """The rates of eight generic states at once are those of each."""
    kernel = compile_equations(equations)
    symbols, fixed = kernel.symbols, len(kernel.symbols) - len(equations.parameters)
    rows = GENERIC.uniform(-1, 1, (LANES, len(symbols)))
    rows[:, fixed:] = GENERIC.uniform(0.5, 1.5, (LANES, len(symbols) - fixed))
    gap = np.zeros((LANES, len(equations.mass)))
    constants = [kernel.constants(r) if kernel.constants is not NOTHING else [] for r in rows]
    given = np.hstack([rows, gap, np.array(constants)])
    found = wide_rates(kernel, LANES)(np.ascontiguousarray(given.T).ravel()).reshape(-1, LANES).T
    assert np.array_equal(found, [kernel.rates_code(g) for g in given], equal_nan=True)


@pytest.mark.parametrize("name", ["chaplygin-sleigh", "rattleback", "snakeboard", "tippe-top", "n-trailer"])
def test_rates_of_the_gallery_in_lanes(name):
    same_in_lanes(hamel(nh.gallery.get(name).system))


@pytest.mark.slow
@pytest.mark.parametrize("name", nh.gallery.system_names())
def test_rates_of_the_whole_gallery_in_lanes(name):
    system = nh.gallery.get(name).system
    if not isinstance(system, nh.System) or name == "degenerate-sleigh":
        pytest.skip("no equations of motion in finitely many coordinates")
    same_in_lanes(hamel(system))


@pytest.mark.slow
def test_rates_in_parts_in_lanes():
    """The bicycle's program is cut into functions."""
    same_in_lanes(hamel(nh.load("tests/program/whipple-bicycle.toml")))
