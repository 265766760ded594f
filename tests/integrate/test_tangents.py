"""A motion with tangent vectors in the compiled loops, against closed forms, other equations and differences of motions."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import nonholo as nh
from nonholo.errors import NonholoError
from nonholo.integrate.methods import DormandPrince8, method
from nonholo.integrate.motion.integration import Event, advance
from nonholo.integrate.motion.motion_pieces import pieces_of, problem_of, sources_of
from nonholo.integrate.sensitivity.tangent_motion import Bundle, advance_tangents, projected_tangents

FINE = DormandPrince8(rtol=1e-12, atol=1e-14)


def initial(system, start, parameters, form="hamel"):
    problem = problem_of(system, start, parameters, form, {})
    kernel = problem.initial.kernel
    return kernel, problem.initial.state, np.array([problem.parameters[n] for n in kernel.parameters])


def test_tangents_of_an_oscillator_are_its_closed_form():
    s = nh.System(coordinates="q", parameters="k", lagrangian="qdot**2/2 - k*q**2/2")
    kernel, y, p = initial(s, {"q": 0.7, "qdot": 0.3}, {"k": 2.3})
    bundle = Bundle(np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), (None, None, "k"))
    times = np.linspace(0, 6, 7)
    path = advance_tangents(kernel, FINE, 0, y, 6, bundle, p, t_eval=times)
    w = np.sqrt(2.3)
    c, s = np.cos(w * times), np.sin(w * times)
    by_k = (-0.7 * times * s + 0.3 * times * c / w - 0.3 * s / w**2) / (2 * w)
    assert path.tangents.values[:, 0, 0] == pytest.approx(c, abs=1e-10)
    assert path.tangents.values[:, 0, 1] == pytest.approx(s / w, abs=1e-10)
    assert path.tangents.values[:, 0, 2] == pytest.approx(by_k, abs=1e-10)
    assert path.states[:, 0] == pytest.approx(0.7 * c + 0.3 * s / w, abs=1e-10)
    assert path.tangents.final == pytest.approx(path.tangents.values[-1], abs=0)


def test_steps_follow_the_tangents_where_the_motion_rests():
    s = nh.System(coordinates="q", lagrangian="qdot**2/2 + 400*cos(q)")
    kernel, y, p = initial(s, {}, {})
    path = advance_tangents(kernel, DormandPrince8(), 0, y, 3, Bundle(np.array([[1.0], [0.0]]), (None,)), p)
    assert path.accepted > 50 and advance(kernel, DormandPrince8(), 0, y, 3, p).accepted < 20
    assert path.tangents.final[0, 0] == pytest.approx(np.cos(60.0), abs=1e-7)


@pytest.mark.parametrize("name", ["rattleback", "snakeboard", "rolling-disk", "spherical-pendulum"])
def test_tangents_are_differences_of_motions(name):
    exhibit = nh.gallery.get(name)
    kernel, y, p = initial(exhibit.system, exhibit.start, exhibit.parameters)
    n, names = len(y), kernel.parameters
    row = kernel.row(0.0, y.tolist(), [], p.tolist())
    wild = np.zeros((1, n, 2))
    wild[0, :, 0] = np.random.default_rng(1).normal(size=n)
    bundle = Bundle(projected_tangents(kernel, row[None], Bundle(wild, (None, names[0])))[0], (None, names[0]))
    path = advance_tangents(kernel, FINE, 0, y, 0.6, bundle, p)
    for k, step in enumerate((bundle.values[:, 0], np.zeros(n))):
        push = np.array([k * (m == names[0]) for m in names], dtype=float)

        def end(h, step=step, push=push):
            return advance(kernel, FINE, 0, y + h * step, 0.6, p + h * push).final_state

        wide, narrow = ((end(h) - end(-h)) / (2 * h) for h in (2e-4, 1e-4))
        slope = (4 * narrow - wide) / 3
        assert path.tangents.final[:, k] == pytest.approx(slope, abs=2e-7 * (1 + np.max(np.abs(slope))))


def test_tangents_keep_to_the_invariants():
    exhibit = nh.gallery.get("rattleback")
    kernel, y, p = initial(exhibit.system, exhibit.start, exhibit.parameters)
    row = kernel.row(0.0, y.tolist(), [], p.tolist())
    bundle = Bundle(projected_tangents(kernel, row[None], Bundle(np.eye(len(y))[None], (None,) * len(y)))[0], (None,) * len(y))
    path = advance_tangents(kernel, DormandPrince8(), 0, y, 2.0, bundle, p)
    end = kernel.row(2.0, path.final_state.tolist(), [], p.tolist())
    slopes = kernel.invariant_slopes(end[None]).reshape(len(kernel.invariants), -1)[:, : len(y)]
    assert np.max(np.abs(slopes @ path.tangents.final)) < 1e-12 * np.max(np.abs(path.tangents.final))
    assert np.linalg.matrix_rank(path.tangents.final, tol=1e-6) == len(y) - 6


def test_equations_with_multipliers_carry_the_same_tangents():
    """A saddle-point matrix, solved with pivots by choice, against the reduced equations."""
    exhibit = nh.gallery.get("snakeboard")
    start = {**exhibit.start, "theta": 0.2}
    ends = []
    for form in ("hamel", "multipliers"):
        kernel, y, p = initial(exhibit.system, start, exhibit.parameters, form)
        bundle = Bundle(np.zeros((len(y), 1)), (kernel.parameters[0],))
        # with the velocities of the start held in both: the speeds of hamel, the rates of the witness, none depends on m
        path = advance_tangents(kernel, FINE, 0, y, 1.5, bundle, p)
        ends.append({n: path.tangents.final[k, 0] for k, n in enumerate(kernel.equations.state)})
    for n in exhibit.system.coordinates:
        assert ends[0][n] == pytest.approx(ends[1][n], abs=1e-9)
    assert max(abs(ends[0][n]) for n in exhibit.system.coordinates) > 1e-3


SKATE = {
    "coordinates": "x y th ps",
    "parameters": {"m": 0.9, "J": 0.3, "b": 0.1},
    "lagrangian": "m*((xdot - b*thdot*sin(th))**2 + (ydot + b*thdot*cos(th))**2)/2 + J*thdot**2/2 + psdot**2/2 - ps**2",
    "constraints": ["xdot*sin(th) - ydot*cos(th)"],
}


def test_a_change_of_frame_changes_the_tangents_with_it():
    """The sleigh in plain coordinates turns round and round: speeds are chosen anew several times on the way."""
    s = nh.System(**SKATE)
    start = {"th": 0.1, "thdot": 1.5, "xdot": 0.4, "ps": 0.2}
    problem = problem_of(s, start, None, "hamel", {})
    names = problem.initial.kernel.equations.state
    bundle = Bundle(
        np.stack([np.zeros(len(names)), np.array([float(n == "xdot") for n in names])], axis=1), ("b", None)
    )
    pieces, _, outcome = pieces_of(problem, FINE, 6.0, "end", [], None, sources_of(problem, FINE, 6.0, "end"), bundle)
    assert len(pieces) > 2 and outcome.reached
    last = dict(zip(pieces[-1][0].equations.state, pieces[-1][1].tangents.final))

    def end(b, v):
        run = nh.simulate(s, {**start, "xdot": v}, 6.0, {**s.parameters, "b": b}, rtol=1e-12, atol=1e-14, t_eval="end")
        return run.final

    for k, (db, dv) in enumerate(((1, 0), (0, 1))):
        for n in pieces[-1][0].equations.state:
            wide, narrow = (
                (end(0.1 + h * db, 0.4 + h * dv)[n] - end(0.1 - h * db, 0.4 - h * dv)[n]) / (2 * h)
                for h in (4e-4, 2e-4)
            )
            assert last[n][k] == pytest.approx((4 * narrow - wide) / 3, rel=1e-7, abs=1e-7)


def test_a_matrix_that_is_not_positive_is_solved_with_pivots():
    s = nh.System(coordinates="x y", parameters="k", lagrangian="xdot*ydot - k*x*y")
    kernel, y, p = initial(s, {"x": 1.0, "y": 0.5}, {"k": 1.7})
    path = advance_tangents(kernel, FINE, 0, y, 2.0, Bundle(np.zeros((4, 1)), ("k",)), p)
    w = np.sqrt(1.7)
    assert path.outcome.reached
    assert path.tangents.final[0, 0] == pytest.approx(-2.0 * np.sin(2 * w) / (2 * w), abs=1e-9)


def test_events_do_not_see_tangents_and_have_them():
    s = nh.System(coordinates="q", parameters="k", lagrangian="qdot**2/2 - k*q**2/2")
    kernel, y, p = initial(s, {"q": 1.0}, {"k": 1.0})
    (q,) = kernel.equations.coordinates
    path = advance_tangents(kernel, FINE, 0, y, 9, Bundle(np.eye(2), (None, None)), p, events=[Event(q)])
    assert path.occurrences.times == pytest.approx([np.pi / 2, 3 * np.pi / 2, 5 * np.pi / 2], abs=1e-10)
    assert path.occurrences.states.shape == (3, 2)
    assert path.tangents.occurred[0] == pytest.approx(np.array([[0.0, 1.0], [-1.0, 0.0]]), abs=1e-10)


def test_what_carries_no_tangents_says_so():
    s = nh.System(coordinates="q", lagrangian="qdot**2/2")
    kernel, y, p = initial(s, {}, {})
    with pytest.raises(NonholoError, match="method verlet has no tangents"):
        advance_tangents(kernel, method("verlet", step=0.1), 0, y, 1, Bundle(np.eye(2), (None, None)), p)
    with pytest.raises(NonholoError, match="neither a parameter nor an input"):
        advance_tangents(kernel, FINE, 0, y, 1, Bundle(np.eye(2), (None, "z")), p)
    with pytest.raises(NonholoError, match="1 directions"):
        Bundle(np.eye(2), (None,))


def test_a_kernel_with_tangents_travels():
    s = nh.System(coordinates="q", parameters="k", lagrangian="qdot**2/2 - k*q**2/2")
    kernel, y, _ = initial(s, {"q": 1.0}, {"k": 1.0})
    extended = kernel.tangent_kernel(("k",), kernel.row(0, y.tolist(), [], [1.0]))
    given = [0.0, 1.0, 0.5, 0.1, 0.2, 3.0]
    assert pickle.loads(pickle.dumps(extended)).evaluate(given) == pytest.approx(extended.evaluate(given), abs=0)
