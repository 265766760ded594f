"""A first motion by flat outputs: a curve through the plane of the outputs of a chained form, lifted to all coordinates.

In a chained form ``x_{k} = dx_{k+1}/dx_1``, so that any curve ``xn = P(x1)`` is a motion, and a polynomial P meets both ends.
Mechanical systems without constraints, and systems with one input, move as polynomials of time in their flat outputs.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import symbol
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.control.flat_systems.chained_form import chain_of, chain_outputs
from nonholo.control.flat_systems.flat_outputs import flag_functions, flatness
from nonholo.control.reachability.control_affine import ControlAffine, control_affine
from nonholo.control.steering.collocation import Guess
from nonholo.control.steering.steering_problem import SteeringProblem
from nonholo.errors import NonholoError

Array = NDArray[np.float64]
STEEPEST = 50.0
"""Larger chained coordinates at an end ask for other outputs: there the curve is vertical."""
CLOSE = 1e-8
ROUNDS = 40
STATES = 8
"""Flat outputs of systems with drift are sought for at most so many state variables."""
SUBSTEPS = 8
"""Newton's method goes from node to node in so many steps."""
TURNS = ((1, 0, 0, 1), (0, 1, 1, 0), (1, 1, -1, 1), (1, -1, 1, 1))
"""Changes of the pair of outputs: any invertible one gives a chained form, too."""


def flat_guess(problem: SteeringProblem, end: Array, nodes: int, time: float) -> Guess | None:
    """A motion from the start to ``end`` that obeys the constraints; None where no chained form and no flat output is found."""
    system = problem.system
    try:
        control = control_affine(system)
        free = len(control.speeds) == len(control.coordinates) and not control.relations
        if not control.driftless and (len(control.inputs) == 1 or free) and len(control.state) <= STATES:
            return _by_outputs(problem, control, end, nodes, time)
        if not control.driftless:
            control = control_affine(system, kinematic=True)
        pair = next(((a, b) for a, b in chain_outputs(control) if chain_of(control, a, b, short=False)), None)
    except NonholoError:
        return None
    if pair is None or not set(control.names) <= set(problem.names):
        return None
    places = [problem.names.index(n) for n in control.names]
    for a, b, c, d in TURNS:
        chain = chain_of(control, a * pair[0] + b * pair[1], c * pair[0] + d * pair[1], short=False)
        if chain is not None:
            lifted = _lifted(problem, control, chain, problem.start[places], end[places], nodes)
            if lifted is not None:
                return _completed(problem, control, *lifted, time, end)
    return None


def _by_outputs(problem: SteeringProblem, control: ControlAffine, end: Array, nodes: int, time: float) -> Guess | None:
    """Polynomials of time in the flat outputs that meet both states; None without maps of flat outputs in closed form.

    Where derivatives of the outputs at the ends depend on inputs, these are the ones with the least accelerations.
    """
    found = flatness(problem.system)
    if not found.flat or found.state is None or found.inputs is None:
        return None
    forward, backward, names, given = flag_functions(found, problem.parameters)
    if set(names) != set(problem.names) or given != problem.inputs:
        return None
    places = [problem.names.index(n) for n in names]
    ends = [forward.flag(x, _least_inputs(forward.rates, x, control)) for x in (problem.start[places], end[places])]
    curves = []
    for k, order in enumerate(found.orders):
        rows = np.array([_falling(2 * order, d, edge) for edge in (0.0, 1.0) for d in range(order)])
        wanted = np.concatenate([np.asarray(flags[k][:order]) * time ** np.arange(order) for flags in ends])
        if not np.all(np.isfinite(wanted)):
            return None
        curves.append(np.polynomial.Polynomial(np.linalg.solve(rows, wanted)))
    states, driving = [], []
    for t in np.linspace(0.0, 1.0, nodes + 1):
        flags = [
            np.array([c.deriv(d)(t) if d else c(t) for d in range(order + 1)]) / time ** np.arange(order + 1)
            for c, order in zip(curves, found.orders)
        ]
        x, u = backward(flags)
        states.append(x[np.argsort(places)])
        driving.append(u)
    made = Guess(np.array(states), np.array(driving), time)
    return made if np.all(np.isfinite(made.states)) and np.all(np.isfinite(made.inputs)) else None


def _least_inputs(rates: Callable[[Array], Array], x: Array, control: ControlAffine) -> Array:
    """Inputs with the least rates of the speeds, which are affine in them."""
    count, speeds = len(control.inputs), slice(len(control.coordinates), None)
    table = np.hstack([np.tile(x, (count + 1, 1)), np.vstack([np.zeros(count), np.eye(count)])])
    found = np.asarray(rates(table), dtype=float).reshape(count + 1, -1)[:, speeds]
    return np.asarray(np.linalg.lstsq((found[1:] - found[0]).T, -found[0], rcond=None)[0])


def _falling(count: int, order: int, place: float) -> Array:
    """The derivatives of the first powers of t at a place."""
    powers = np.arange(count)
    falling = np.array([factorial(p) / factorial(p - order) if p >= order else 0.0 for p in powers])
    return np.asarray(falling * place ** np.maximum(powers - order, 0))


def _lifted(
    problem: SteeringProblem, control: ControlAffine, chain: list[Expr], start: Array, end: Array, nodes: int
) -> tuple[Array, Array] | None:
    """Coordinates and their rates per unit of s in 0 … 1 at the nodes."""
    values = _compiled(problem, control, [*chain, *(e.diff(s) for e in chain for s in control.coordinates)])
    size = len(chain)
    first, last = values(start)[:size], values(end)[:size]
    if not np.all(np.isfinite([first, last])) or np.max(np.abs([first[1:-1], last[1:-1]]), initial=0.0) > STEEPEST:
        return None
    way, rest = abs(last[0] - first[0]), float(np.max(np.abs(last - first)))
    stops = [first, last]
    if way < 0.3 * rest or way == 0.0:  # go out and come back
        middle = (first + last) / 2
        middle[0] += max(1.0, 3 * rest)
        middle[1:-1] = 0.0
        stops = [first, middle, last]
    here, states, rates = start.copy(), [start.copy()], []
    for k in range(nodes * SUBSTEPS + 1):
        wanted, pace = _on_curve(stops, k / (nodes * SUBSTEPS))
        there = _solved(values, here, wanted, size)
        if there is None:
            return None
        here = there
        if k % SUBSTEPS == 0:
            slopes = values(here)[size:].reshape(size, size)
            rates.append(np.linalg.lstsq(slopes, pace, rcond=None)[0])
            if k:
                states.append(here.copy())
    if np.max(np.abs(states[-1] - end)) > 1e-6 * (1 + np.max(np.abs(end))):
        return None  # the same point on another branch of the angles
    return np.array(states), np.array(rates)


def _on_curve(stops: list[Array], s: float) -> tuple[Array, Array]:
    """Chained coordinates and their rates at s; at rest at each stop."""
    legs = len(stops) - 1
    leg = min(int(s * legs), legs - 1)
    t = s * legs - leg
    a, b = stops[leg], stops[leg + 1]
    width, n = b[0] - a[0], len(a) - 1
    rows, right = [], []
    for edge, stop in ((0.0, a), (1.0, b)):  # derivatives by x1 of xn at both ends: xn, x_{n−1}, …
        for order in range(n):
            rows.append(_falling(2 * n, order, edge))
            right.append(stop[n - order] * width**order)
    curve = np.polynomial.Polynomial(np.linalg.solve(np.array(rows), np.array(right)))
    place, pace = t * t * (3 - 2 * t), 6 * t * (1 - t) * legs
    slopes = [curve.deriv(k)(place) / width**k if k else curve(place) for k in range(n + 1)]
    values = np.array([a[0] + place * width, *slopes[n - 1 :: -1]])
    rates = pace * width * np.array([1.0, *slopes[n:0:-1]])
    return values, rates


def _solved(values: Callable[[Array], Array], guess: Array, wanted: Array, size: int) -> Array | None:
    """Coordinates near a guess with these chained coordinates, by Newton's method."""
    here = guess.copy()
    for _ in range(ROUNDS):
        found = values(here)
        gap = found[:size] - wanted
        if not np.all(np.isfinite(found)):
            return None
        if np.max(np.abs(gap)) <= CLOSE * (1 + np.max(np.abs(wanted))):
            return here
        step = np.linalg.lstsq(found[size:].reshape(size, size), gap, rcond=None)[0]
        here = here - step * min(1.0, 0.5 / max(1e-300, float(np.max(np.abs(step)))))
    return None


def _compiled(problem: SteeringProblem, control: ControlAffine, exprs: list[Expr]) -> Callable[[Array], Array]:
    numbers = {symbol(n): se.RealDouble(v) for n, v in problem.parameters.items()}
    where = f"{problem.system.name}: flat outputs"
    code = numeric_function(list(control.coordinates), [e.xreplace(numbers) for e in exprs], where)
    return lambda q: np.asarray(code(q[None]), dtype=float).ravel()


def _completed(
    problem: SteeringProblem, control: ControlAffine, places: Array, rates: Array, time: float, end: Array
) -> Guess:
    """Inputs of a kinematic system, speeds of a dynamic one, from the rates by least squares."""
    fields = _compiled(problem, control, [e for row in control.kinematics for e in row])
    count, names = len(control.inputs), [str(u) for u in control.inputs]
    states = np.linspace(0.0, 1.0, len(places))[:, None] * (end - problem.start) + problem.start
    states[:, [problem.names.index(n) for n in control.names]] = places
    driving = np.zeros((len(places), len(problem.inputs)))
    for k, (q, rate) in enumerate(zip(places, rates / time)):
        table = fields(q).reshape(count + 1, len(q))
        speeds = np.linalg.lstsq(table[1:].T, rate - table[0], rcond=None)[0]
        for name, value in zip(names, speeds):
            if name in problem.inputs:
                driving[k, problem.inputs.index(name)] = value
            elif name in problem.names:
                states[k, problem.names.index(name)] = value
    return Guess(states, driving, time)
