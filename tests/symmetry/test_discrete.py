"""Discrete symmetries and reversors of systems of no gallery, against motions computed from mapped starts."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.derive.laws.check import random_states

WINCH = nh.System(
    name="blade with a load", coordinates="r th x y", parameters="m M J k", constraints=["ydot*cos(th) - xdot*sin(th)"],
    lagrangian="M/2*(xdot**2 + ydot**2) + J/2*thdot**2 + m/2*((xdot + rdot*cos(th) - r*thdot*sin(th))**2"
    " + (ydot + rdot*sin(th) + r*thdot*cos(th))**2) - k/4*r**4", symmetry=nh.planar_motion("x", "y", "th"),
)  # fmt: skip
SWAP = nh.System(
    name="two beads", coordinates="a b", parameters="k c",
    lagrangian="(adot**2 + bdot**2)/2 - k*(a**4 + b**4)/4 - c*a**2*b**2*(a + b)",
)  # fmt: skip
WAVE = nh.System(name="driven pendulum", coordinates="q", parameters="e", lagrangian="qdot**2/2 + cos(q) + e*cos(t)*cos(q)")
DRAG = nh.System(name="drag", coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - x**2/2 - y**2", forces={"x": "-xdot/5"})


@pytest.mark.parametrize("system", [WINCH, SWAP, WAVE, DRAG], ids=lambda s: s.name)
def test_images_of_motions_are_motions(system: nh.System) -> None:
    found = nh.discrete_symmetries(system)
    assert found
    place = next(iter(random_states(system, None, 1, 12)))
    start = {n: place.values[n] for n in (*system.coordinates, *system.velocities)}
    # a whole number of periods of the drive back: motions are compared from −t to t round t = 0
    ahead = nh.simulate(system, start, 1.0, place.parameters, rtol=1e-11, atol=1e-12)
    for one in found:
        begin = one(start)
        if one.reverses:
            end = nh.simulate(system, {**one(dict(ahead.final)), "t": -1.0}, 0.0, place.parameters, rtol=1e-11, atol=1e-12)
            gap = {n: end.final[n] - begin[n] for n in begin}
        else:
            other = nh.simulate(system, begin, 1.0, place.parameters, rtol=1e-11, atol=1e-12)
            image = one(dict(ahead.final))
            gap = {n: other.final[n] - image[n] for n in image}
        for n, e in gap.items():
            turn = 2 * np.pi if n in ("th", "q") else 0.0
            e = e if not turn else (e + np.pi) % turn - np.pi
            assert abs(e) < 1e-7, (str(one), n)


def test_what_is_no_symmetry_is_not_found() -> None:
    assert nh.discrete_symmetries(DRAG).reversors == ()
    assert [dict(s.table) for s in nh.discrete_symmetries(SWAP) if not s.reverses] == [
        {"a": "b", "b": "a", "adot": "bdot", "bdot": "adot"}
    ]
    tilted = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - x**3 - x*y - y**3/2")
    assert [s.reverses for s in nh.discrete_symmetries(tilted)] == [True]


def test_the_four_symmetries_of_the_sleigh_with_a_load() -> None:
    """(i)–(iv) of BMZ 2009 §6.3, here for another spring."""
    red = nh.reduce(WINCH, basis="parallel")
    found = {(s.reverses, tuple(sorted(s.table.items()))) for s in nh.discrete_symmetries(red)}
    p1, p2 = red.momenta
    wanted = [
        (False, {p1: f"-{p1}"}), (False, {"r": "-r", "rdot": "-rdot", p2: f"-{p2}"}), (True, {"r": "-r"}),
        (True, {"rdot": "-rdot", p2: f"-{p2}"}),
    ]  # fmt: skip
    assert {(r, tuple(sorted(t.items()))) for r, t in wanted} <= found


def test_odd_and_even_solutions() -> None:
    red = nh.reduce(WINCH, basis="parallel")
    one = next(s for s in nh.discrete_symmetries(red) if s.reverses and dict(s.table) == {"r": "-r"})
    assert one.odd == ("r",) and set(one.even) == {"rdot", *red.momenta}
    parameters = {"m": 0.7, "M": 1.4, "J": 0.6, "k": 2.1}
    start = {"r": 0.0, "rdot": 0.8, "thdot": 0.5, "xdot": 0.3}
    ahead = red.simulate(start, 2.0, parameters, rtol=1e-11, atol=1e-12, t_eval=[0.0, 0.7, 2.0])
    back = red.simulate(start, -2.0, parameters, rtol=1e-11, atol=1e-12, t_eval=[0.0, -0.7, -2.0])
    assert np.asarray(back["r"]) == pytest.approx(-np.asarray(ahead["r"]), abs=1e-8)
    for n in red.momenta:
        assert np.asarray(back[n]) == pytest.approx(np.asarray(ahead[n]), rel=1e-8)


def test_parameters_may_change_places() -> None:
    pair = nh.System(coordinates="a b", parameters="k1 k2",
                     lagrangian="(adot**2 + bdot**2)/2 - k1*a**4 - k2*b**4 - a*b**2 - a**2*b")  # fmt: skip
    found = nh.discrete_symmetries(pair, permuted=True)
    assert any(dict(s.parameters) == {"k1": "k2", "k2": "k1"} and s.table["a"] == "b" for s in found)
    with pytest.raises(nh.ModelError, match="coordinates and their rates"):
        nh.discrete_symmetries(nh.System(frame=nh.SO3("R"), lagrangian="w1**2 + w2**2 + w3**2"))
    body = nh.System(frame=nh.LieAlgebra({("a", "b"): "c", ("b", "c"): "a", ("c", "a"): "b"}), parameters="A B C",
                     lagrangian="(A*a**2 + B*b**2 + C*c**2)/2")  # fmt: skip
    turns = [dict(s.table) for s in nh.discrete_symmetries(nh.hamel(body)) if not s.reverses]
    assert {"a": "-a", "b": "-b"} in turns and {"a": "-a"} not in turns
