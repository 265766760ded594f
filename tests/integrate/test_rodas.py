"""The stiff method: its order by trees, its stability, the time derivative, and motions that explicit methods cannot follow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import nonholo as nh
from nonholo.derive.hamel import hamel
from nonholo.errors import ModelError, StateError
from nonholo.gallery.sleigh_chain import chain_system
from nonholo.integrate.loops.arguments.piecewise_signals import spline
from nonholo.integrate.loops.implicit.rosenbrock import Rosenbrock
from nonholo.integrate.methods import method
from nonholo.integrate.methods.rodas import TABLE
from tests.integrate import stiff
from tests.integrate.test_tableaux import density, trees


def classical(table: Rosenbrock):
    """α, β = α + Γ, and what turns weights of the u into weights of the k: ``Γ⁻¹ = diag(1/γ) − C``, ``u = Γ k``."""
    count = len(table.nodes)
    a, c = np.zeros((count, count)), np.zeros((count, count))
    for i, (row, back) in enumerate(zip(table.coupling, table.back), 1):
        a[i, :i], c[i, :i] = row, back
    gamma = np.linalg.inv(np.eye(count) / table.gamma - c)
    return a @ gamma, a @ gamma + gamma, gamma


def weight(tree, alpha, beta):
    """``Φ_i`` of a tree: a node with one branch couples by β, one with more by α. [Hairer, Wanner II, theorem IV.7.4]"""
    result, coupling = np.ones(len(alpha)), beta if len(tree) == 1 else alpha
    for branch in tree:
        result = result * (coupling @ weight(branch, alpha, beta))
    return result


def gaps(weights, order, place=1.0):
    alpha, beta, gamma = classical(TABLE)
    b = np.asarray(weights) @ gamma
    return [
        b @ weight(t, alpha, beta) - place**p / density(t) for p in range(1, order + 1) for t in trees(p)
    ]  # fmt: skip


def test_the_order_conditions_hold_up_to_five_and_no_further():
    assert max(map(abs, gaps(TABLE.solution, 5))) < 2e-13
    assert max(map(abs, gaps(TABLE.solution, 6))) > 1e-5


def test_the_embedded_solution_is_of_order_four():
    weights = np.array(TABLE.solution) - np.array(TABLE.error)
    assert max(map(abs, gaps(weights, 4))) < 2e-13
    assert max(map(abs, gaps(weights, 5))) > 1e-5


@pytest.mark.parametrize("place", [0.21, 0.5, 0.83])
def test_the_continuous_extension_is_of_order_four(place):
    first, second, third = map(np.array, TABLE.dense)
    rest = 1 - place
    weights = place * (np.array(TABLE.solution) + rest * (first + place * (second + place * third)))
    assert max(map(abs, gaps(weights, 4, place))) < 2e-12
    assert max(map(abs, gaps(weights, 5, place))) > 1e-6


def test_places_and_time_weights_are_the_sums_of_their_rows():
    alpha, _, gamma = classical(TABLE)
    np.testing.assert_allclose(alpha.sum(axis=1), TABLE.nodes, atol=1e-14)
    np.testing.assert_allclose(gamma.sum(axis=1), TABLE.times, atol=2e-14)


def test_it_is_l_stable():
    """``R(z) = 1 + z bᵀ (1 − zβ)⁻¹ 1``: at most 1 on the imaginary axis, 0 at infinity."""
    _, beta, gamma = classical(TABLE)
    b, one = np.array(TABLE.solution) @ gamma, np.ones(len(TABLE.nodes))

    def grows(z):
        return abs(1 + z * b @ np.linalg.solve(np.eye(len(b)) - z * beta, one))

    assert max(grows(1j * y) for y in np.logspace(-3, 6, 400)) < 1 + 1e-12
    assert grows(-1e10) < 1e-8


def test_a_table_that_cannot_be_is_refused():
    with pytest.raises(ModelError, match="8 nodes need coupling rows"):
        replace(TABLE, error=(1.0,))
    with pytest.raises(StateError, match="rtol"):
        method("rodas", rtol=-1)


def equal_steps(count, until):
    step = until / count
    return method("rodas", rtol=1.0, atol=1.0, first_step=step, max_step=step)


def slope(errors, counts):
    return -np.polyfit(np.log(counts), np.log(errors), 1)[0]


PUSHED = {
    "by time in the forces": ({"forces": {"q": "cos(2*t)*q + sin(t)"}}, {}),
    "by a function of time": ({"forces": {"q": "cos(2*t)*q + u"}, "inputs": "u"}, {"u": np.sin}),
    "by a table": (
        {"forces": {"q": "cos(2*t)*q + u"}, "inputs": "u"}, {"u": spline([0.0, 1.0, 2.0, 3.0], [0.3, 1.0, -0.4, 0.2])},
    ),
    "by a controller": (
        {"forces": {"q": "cos(2*t)*q + u"}, "inputs": "u"}, {"u": lambda t, s: np.sin(t) - 0.4 * s["q"] * s["qdot"]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", PUSHED)
def test_motion_converges_with_order_five_when_driven(how):
    """The rates change in time by themselves: through the formulas, a signal, or a function that sees the state."""
    words, inputs = PUSHED[how]
    swing = nh.System(coordinates="q", lagrangian="qdot**2/2 + cos(q)", **words)
    start, counts, times = {"q": 1.1, "qdot": 0.3}, (30, 60, 120), np.linspace(0, 3, 101)
    exact = nh.simulate(swing, start, 3.0, rtol=1e-13, atol=1e-14, t_eval=times, inputs=inputs)
    ends, inside = [], []
    for count in counts:
        run = nh.simulate(swing, start, 3.0, method=equal_steps(count, 3.0), t_eval=times, inputs=inputs)
        gap = np.hypot(run["q"] - exact["q"], run["qdot"] - exact["qdot"])
        ends.append(gap[-1])
        inside.append(gap.max())
    assert slope(ends, counts) == pytest.approx(5, abs=0.35)
    assert slope(inside, counts) == pytest.approx(5, abs=0.35)


@pytest.mark.parametrize("name", ["belt", "ball", "motor", "robot"])
def test_stiff_systems_reach_their_end_where_dop853_gives_up_and_scipy_agrees(name):
    system = getattr(stiff, name)()
    words = {"rtol": 1e-8, "atol": 1e-10}
    explicit = nh.simulate(system, method="dop853", max_steps=20_000, **words)
    assert explicit.outcome.kind == "too many steps" and 'method="rodas"' in explicit.outcome.advice
    run = nh.simulate(system, method="rodas", max_steps=3_000, **words)
    assert run.outcome.reached and run.steps < 600
    model = nh.prepare(system, form="multipliers")  # plain coordinates, no frame that could degenerate
    start = [run.first[n] for n in model.names]
    peer = solve_ivp(
        lambda t, x: model.vector(x, t=t), (0.0, run.times[-1]), start, method="Radau", jac=lambda t, x: model.jacobian(x, t=t),
        **words,
    )  # fmt: skip
    assert peer.success
    for n, value in zip(model.names, peer.y[:, -1]):
        assert run.final[n] == pytest.approx(value, abs=2e-6 * (1 + abs(value)))


def test_a_strong_drag_is_the_blade_of_a_sleigh():
    """``c → ∞`` gives the nonholonomic motion, with a distance that falls like 1/c. [Karapetyan 1981]"""
    sleigh = nh.gallery.get("chaplygin-sleigh").system
    bound = nh.simulate(
        sleigh, {"theta": 0.2, "omega": 1.3, "v": 0.5}, 10.0, {"m": 1.3, "J": 0.7, "a": 0.4}, rtol=1e-11, t_eval="end"
    ).final
    away = []
    for drag in (1e4, 1e5):
        run = nh.simulate(stiff.blade(drag), method="rodas", rtol=1e-10, t_eval="end")
        away.append(np.hypot(run.final["x"] - bound["x"], run.final["y"] - bound["y"]))
    assert away[0] == pytest.approx(1.3358e-3, rel=1e-2) and away[0] / away[1] == pytest.approx(10, rel=1e-2)


def test_friction_that_ends_the_motion():
    """A block thrown against Coulomb friction stops after ``v²/(2 μ g)``."""
    block = nh.System(
        coordinates="x", parameters={"mu": 0.3, "eps": 1e-7, "g": 9.81}, lagrangian="xdot**2/2",
        forces={"x": "-mu*g*tanh(xdot/eps)"},
    )  # fmt: skip
    run = nh.simulate(block, {"xdot": 2.0}, 100.0, method="rodas", events=["xdot - 1"], t_eval="end")
    assert run.outcome.reached and run.steps < 500
    assert run.final["x"] == pytest.approx(4 / (2 * 0.3 * 9.81), abs=1e-6)
    assert run.events["xdot - 1"] == pytest.approx([1 / (0.3 * 9.81)], abs=1e-8)


def test_projection_and_redundant_coordinates():
    """A damped body that turns, by quaternions, against the multiplier form in angles; the norm is kept."""
    frame = nh.Quaternion("q", rates="w1 w2 w3")
    body = nh.System(
        frame=frame, parameters={"A": 1.0, "B": 2.0, "C": 2.7, "c": 3.0}, lagrangian="(A*w1**2 + B*w2**2 + C*w3**2)/2",
        forces={"w2": "-c*w2"}, start={"w1": 1.0, "w2": 0.4, "w3": -0.8},
    )  # fmt: skip
    run = nh.simulate(body, until=4.0, method="rodas", rtol=1e-9)
    other = nh.simulate(body, until=4.0, rtol=1e-12, atol=1e-13)
    for n in ("w1", "w2", "w3", *body.coordinates):
        np.testing.assert_allclose(run[n], other[n], atol=2e-7)
    norm = sum(run[n] ** 2 for n in body.coordinates)
    assert np.abs(norm - 1).max() < 1e-12


def test_changes_of_frame_and_multipliers():
    """A skate in plain coordinates: the frame changes on the way; multipliers are solved beside the rates."""
    skate = nh.System(
        coordinates="x y th", parameters={"c": 0.2}, lagrangian="(xdot**2 + ydot**2)/2 + thdot**2/4",
        constraints=["xdot*sin(th) - ydot*cos(th)"], forces={"th": "0.3*sin(t) - c*thdot**3"},
    )  # fmt: skip
    start = {"thdot": 1.0, "xdot": 0.7}
    witness = nh.simulate(skate, start, 12.0, rtol=1e-11, form="multipliers")
    for form in ("hamel", "multipliers"):
        run = nh.simulate(skate, start, 12.0, method="rodas", form=form)
        assert run.frames > 3 or form == "multipliers"
        for n in ("x", "y", "th"):
            np.testing.assert_allclose(run[n], witness[n], atol=1e-6)


def test_a_mass_matrix_that_is_solved_in_the_loop():
    """Thirteen speeds: the Jacobian leaves the solution to the loop. A chain of pendulums with damping, against dop853."""
    count = 13
    height = [f"cos(q{k})" for k in range(count)]
    place = [[f"{f}(q{j})*q{j}dot" for j in range(k + 1)] for k in range(count) for f in ("cos", "sin")]
    kinetic = " + ".join(f"({' + '.join(terms)})**2" for terms in place)
    weight_of = " + ".join(f"{count - k}*{h}" for k, h in enumerate(height))
    chain = nh.System(
        coordinates=" ".join(f"q{k}" for k in range(count)), lagrangian=f"({kinetic})/2 + 9.81*({weight_of})",
        forces={f"q{k}": f"-0.3*q{k}dot" for k in range(count)}, start={f"q{k}": 0.1 * (k % 3) for k in range(count)},
    )  # fmt: skip
    run = nh.simulate(chain, until=0.5, method="rodas", rtol=1e-8, t_eval="end")
    other = nh.simulate(chain, until=0.5, rtol=1e-11, t_eval="end")
    assert max(abs(run.final[n] - other.final[n]) for n in chain.coordinates) < 1e-6


def test_members_of_an_ensemble_are_the_motions_alone():
    system = stiff.belt()
    starts = [{"x": x, "xdot": 0.25} for x in (0.0, 0.1, 0.22)]
    many = nh.ensemble(system, starts, 2.0, method="rodas", rtol=1e-8, t_eval=[0.5, 2.0])
    for k, start in enumerate(starts):
        one = nh.simulate(system, start, 2.0, method="rodas", rtol=1e-8, t_eval=[0.5, 2.0])
        assert np.array_equal(many["x"].values[k], one["x"]) and str(many["outcome"].values[k]) == "reached"


def test_the_result_does_not_depend_on_how_often_the_loop_is_left():
    from nonholo.compile import compile_equations
    from nonholo.integrate.motion.integration import Event, advance

    kernel = compile_equations(hamel(chain_system(2)))
    start = [0.1, 0.0, 0.9, -0.54, 1.9, 0.8][: kernel.dimension]
    values = dict(zip("mJlbc", (1.2, 0.11, 1.0, 0.63, 0.42)))
    numbers = [values[str(p)] for p in kernel.equations.parameters]
    words = (kernel, method("rodas", rtol=1e-6), 0.0, start, 2.0, numbers)
    event = [Event(kernel.equations.speeds[0] - 1)]
    whole, parts = (advance(*words, events=event, chunk=c) for c in (None, 1))
    assert np.array_equal(whole.final_state, parts.final_state) and whole.calls == parts.calls


def test_a_slope_that_is_infinite_is_no_end():
    """``ẍ = −sign(v) √|v|`` comes to rest at t = 2 √v; at rest the slope of the root is infinite."""
    slow = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "-sign(xdot)*sqrt(Abs(xdot))"})
    run = nh.simulate(slow, {"xdot": 1.0}, 3.0, method="rodas", rtol=1e-7, t_eval="end")
    assert run.outcome.reached and run.final["x"] == pytest.approx(2 / 3, abs=1e-5)
