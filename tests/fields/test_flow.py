"""Flows of one's own density: derived equations against the action, motions against closed forms and against the fluids."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo.fields import ConstrainedString, Flow, Fluid, Fluid3, SleighString, String

MIXED = "(u**2 + 2*v**2 + u*v)/2 + b*(u_x**2 + u_y*v_x + v_y**2 + u_y**2)/2"
FLOWS = [
    Flow("u", "(u**2 + a**2*u_s**2)/2", parameters={"a": 0.3}, nodes=24),
    Flow("u v", MIXED, over="x y", parameters={"b": 0.2}, nodes=12),
    Flow("u v", "(u**2 + v**2)/2 + c*(u_x**2 + u_y**2 + v_x**2 + v_y**2)/2", over="x y", constraint="u_x + v_y",
         parameters={"c": 0.04}, nodes=12, length=3.0),
]  # fmt: skip


def some_waves(flow: Flow, seed: int) -> Any:
    """Random admissible waves with few of them, so that products are exact."""
    random = np.random.default_rng(seed)
    shape = (len(flow.components), *(flow.nodes,) * len(flow.places))
    full = np.fft.rfftn(random.normal(size=shape), axes=tuple(range(1, len(shape))))
    return np.einsum("ij...,j...->i...", flow.spectrum.project, full)


def on_points(flow: Flow, waves: Any) -> Any:
    return np.fft.irfftn(waves, s=(flow.nodes,) * len(flow.places), axes=tuple(range(1, len(flow.places) + 1)))


@pytest.mark.parametrize("flow", FLOWS, ids=["line", "plane", "incompressible"])
def test_rates_make_the_action_stationary(flow: Flow) -> None:
    """``⟨A ξ̇, η⟩ = l'(ξ)·(ξ·∇η − η·∇ξ)`` for admissible η: the energy is varied by numbers, the bracket made on the points."""
    xi, eta = some_waves(flow, 1), some_waves(flow, 2)
    u, w = on_points(flow, xi), on_points(flow, eta)
    slope = flow.spectrum.slopes
    count = len(flow.places)
    bracket = np.zeros_like(u)
    for i in range(count):
        for j in range(count):
            one, two = (np.fft.irfftn(slope[j] * e[i], s=u.shape[1:]) for e in (eta, xi))
            bracket[i] += u[j] * one - w[j] * two

    def energy(values: Any) -> float:
        """l by quadrature of the density's text: no matrix of a wave."""
        hats = {n: np.fft.rfftn(v) for n, v in zip(flow.components, values)}
        table: dict[str, Any] = dict(flow.parameters or {})
        for name, letters in flow.jets.parts(flow.density):
            hat = hats[name]
            for letter in letters:
                hat = hat * slope[flow.places.index(letter)]
            table[str(flow.jets.symbol(name, letters))] = np.fft.irfftn(hat, s=u.shape[1:])
        density = eval(str(flow.density), {}, table)
        return float(np.sum(density)) * (flow.length / flow.nodes) ** count

    # the energy is quadratic, so this difference is exact
    wanted = (energy(u + bracket) - energy(u - bracket)) / 2
    change = on_points(flow, flow.rates(xi))
    found = (energy(change + w) - energy(change - w)) / 2
    assert found == pytest.approx(wanted, rel=1e-9) and abs(wanted) > 1e-3
    assert flow.energy(xi) == pytest.approx(energy(u))


def test_shown_equations_are_those_that_move_it() -> None:
    """The printed right-hand side at the points, against the momentum's rate, for smooth waves."""
    flow = Flow("u v", MIXED, over="x y", parameters={"b": 0.2}, nodes=32, forces={"v": "sin(x)*u - t"})
    start = {"u": "0.3*sin(x + 2*y) + 0.1", "v": "0.2*cos(x - y) + 0.4*sin(y)"}
    waves = flow.waves(start)
    slopes = flow.spectrum.slopes
    x, y = np.meshgrid(flow.points, flow.points, indexing="ij")
    table: dict[str, Any] = {"b": 0.2, "x": x, "y": y, "t": 0.7, "sin": np.sin}
    for right in flow.equations.force:
        for name, letters in flow.jets.parts(right):
            hat = waves[flow.components.index(name)]
            for letter in letters:
                hat = hat * slopes["xy".index(letter)]
            table[str(flow.jets.symbol(name, letters))] = np.fft.irfftn(hat, s=x.shape)
    momentum = np.einsum("ij...,j...->i...", flow.spectrum.inertia, flow.rates(waves, 0.7))
    for k, right in enumerate(flow.equations.force):
        shown = np.broadcast_to(eval(str(right), {}, table), x.shape)
        np.testing.assert_allclose(np.fft.irfftn(momentum[k], s=x.shape), shown, atol=1e-11)


def test_burgers_flow_runs_along_its_characteristics() -> None:
    """``½u²`` gives ``u_t = −3 u u_s``: constant along ds/dt = 3u, solved here by Newton's method at each point."""
    flow = Flow("u", "u**2/2", nodes=96)
    run = flow.simulate({"u": "0.2*sin(s)"}, until=0.8, t_eval=[0.8])
    s = flow.points
    u = 0.2 * np.sin(s)
    for _ in range(60):
        foot = s - 3 * 0.8 * u
        u = u - (u - 0.2 * np.sin(foot)) / (1 + 3 * 0.8 * 0.2 * np.cos(foot))
    np.testing.assert_allclose(run["u"][-1], u, atol=1e-8)


def test_a_flow_in_a_force_rises_as_newton_says() -> None:
    """Equal velocity everywhere in a force in time alone: u = sin(2t)/2 while the swirl is carried along."""
    flow = Flow("u v", "(u**2 + v**2)/2", over="x y", constraint="u_x + v_y", forces={"u": "cos(2*t)"}, nodes=16)
    run = flow.simulate({"u": "sin(x)*cos(y)", "v": "-cos(x)*sin(y)"}, until=1.3, t_eval=[1.3])
    shift = (1 - np.cos(2.6)) / 4  # ∫ sin(2t)/2
    x, y = np.meshgrid(flow.points, flow.points, indexing="ij")
    np.testing.assert_allclose(run["u"][-1], np.sin(x - shift) * np.cos(y) + np.sin(2.6) / 2, atol=1e-8)
    assert flow.facts(run) == ()


def test_fluids_are_cases_of_it() -> None:
    """The fluids of the torus and of space, by vorticity and by u × curl u."""
    plane = Fluid(nodes=24)
    run = plane.simulate({"vorticity": "2*cos(x)*cos(y) + 0.3*sin(3*x) + cos(x - 2*y)"}, until=0.7, t_eval=3)
    flow = plane.as_field()
    # stream function: Δψ = w; ψ = −cos x cos y − sin(3x)/30 − cos(x − 2y)/5, u = −ψ_y, v = ψ_x
    start = {"u": "-cos(x)*sin(y) + 0.4*sin(x - 2*y)", "v": "sin(x)*cos(y) - 0.1*cos(3*x) + 0.2*sin(x - 2*y)"}
    other = flow.simulate(start, until=0.7, t_eval=3)
    np.testing.assert_allclose(other["vorticity"], run["vorticity"], atol=1e-7)
    assert np.max(np.abs(run["vorticity"][-1] - run["vorticity"][0])) > 0.1
    assert len(flow.facts(other)) == 3 and all(f.verdict == "holds" for f in flow.facts(other))
    space = Fluid3(nodes=8)
    words = {"u": "sin(z) + 0.7*cos(y)", "v": "0.9*sin(x) - cos(z)", "w": "0.7*sin(y) + 0.5*cos(x + y)"}
    one, two = (f.simulate(words, until=0.4, t_eval=[0.4]) for f in (space, space.as_field()))
    for name in "uvw":
        np.testing.assert_allclose(two[name], one[name], atol=1e-8)


def test_strings_are_cases_of_a_field() -> None:
    """The same motion by the exhibit's own equations and by its density, from one start."""
    string = String(nodes=20, gravity=1.3, held=("start",))
    words = {"theta": "-pi/2 + 0.4*s**2*(1 - s)", "omega": "0"}
    run = string.simulate(words, until=0.15, t_eval=[0.0, 0.15])
    field = string.as_field()
    start = {n: run[n][0] for n in "xy"}
    other = field.simulate(start, until=0.15, t_eval=[0.15])
    for name in "xy":
        np.testing.assert_allclose(other[name][-1], run[name][-1], atol=2e-6)
    ice = ConstrainedString(nodes=20)
    front = "0.9 + 0.7*sin(0.9*t)"
    run = ice.simulate({"theta": "0.9*s", "speed": 0.6, "front": front}, until=0.5, t_eval=[0.0, 0.5])
    heading = 0.9 * ice.grid.points
    start = {"x": run["x"][0], "y": run["y"][0], "xdot": 0.6 * np.cos(heading), "ydot": 0.6 * np.sin(heading)}
    led, straight = (ice.as_field(*f).simulate(start, until=0.5, t_eval=[0.5]) for f in ((front,), ()))
    for name in "xy":
        np.testing.assert_allclose(led[name][-1], run[name][-1], atol=2e-4)  # the front turns with a corner of curvature
    assert max(np.max(np.abs(straight[n][-1] - run[n][-1])) for n in "xy") > 2e-3


def test_the_sleigh_that_tows_a_string_is_a_case_of_a_field() -> None:
    """Unbalanced, pushed and turned: heading, rate, speed and place. The front lays a corner of curvature, so that errors fall
    like a power of the nodes, here at least the second."""
    words: dict[str, Any] = {"mass": 1.3, "inertia": 0.7, "offset": 0.15, "length": 1.6, "density": 0.4, "inputs": ("tau",)}
    words["forces"] = {"omega": "tau - 0.2*omega", "v": "0.3 - 0.1*v*cos(heading)"}
    begin, law = {"v": 0.8, "omega": 1.4, "theta": "pi + 0.7*s*sin(3*s)"}, {"tau": "0.3*cos(2*t)"}
    gaps = []
    for nodes in (14, 28):
        sleigh = SleighString(**words, nodes=nodes)
        run = sleigh.simulate(begin, 0.6, inputs=law, t_eval=[0.0, 0.6])
        s = sleigh.grid.points
        way = np.pi + 0.7 * s * np.sin(3 * s)
        start = {n: run[n][0] for n in "xy"} | {"xdot": -0.8 * np.cos(way), "ydot": -0.8 * np.sin(way), "phidot": 1.4 + 0 * s}
        other = sleigh.as_field().simulate(start, 0.6, t_eval=[0.6], inputs=law, rtol=1e-8)
        speed = np.hypot(other["xdot"][-1], other["ydot"][-1]).mean()
        found = np.array([other["phi"][-1][0], other["phidot"][-1][0], other["x"][-1][0], other["y"][-1][0], speed])
        wanted = np.array([run["heading"][-1], run["turning"][-1], run["x"][-1][0], run["y"][-1][0], run["v"][-1]])
        gaps.append(np.max(np.abs(found - wanted)))
    assert gaps[1] < gaps[0] / 4 and gaps[0] < 1e-3
    assert abs(wanted[4] - 0.8) > 0.05 and abs(wanted[1] - 1.4) > 0.05


def test_a_sleighs_force_by_place_is_no_density_of_its_string() -> None:
    with pytest.raises(nh.ModelError, match="acts at one point"):
        SleighString(forces={"v": "-x"}).as_field()


def test_flows_are_drawn_and_filmed(tmp_path: Any) -> None:
    line = FLOWS[0].simulate({"u": "0.4*exp(cos(s - 2))"}, until=0.5, t_eval=5)
    plane = FLOWS[2].simulate({"u": "sin(2*pi*y/3)", "v": "0.4*cos(2*pi*x/3)"}, until=0.5, t_eval=5)
    for run, panels in ((line, 4), (plane, 3)):
        assert len(run.plot()) == panels
        assert "</html>" in run.film(tmp_path / "flow.html").read_text("utf-8")[-20:]
    own = nh.fields.Field("h", "hdot**2/2 - h_s**2/2", ends="held").simulate({"h": "sin(pi*s)"}, until=0.2, t_eval=3)
    assert len(own.plot()) == 4


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Flow("u", "u**2/2", over="x y"), "one component along each place"),
        (lambda: Flow("u", "u**2/2", over="x"), 'over "s"'),
        (lambda: Flow("u", "u**3").equations, "not quadratic"),
        (lambda: Flow("u", "u**2/2 + u").equations, "not quadratic"),
        (lambda: Flow("u", "2").equations, "nothing has mass"),
        (lambda: Flow("u", "u_s**2/2").simulate({"u": "sin(s)"}), "no inertia"),
        (lambda: Flow("u", "u**2/2", constraint="u**2").equations, "not linear"),
        (lambda: Flow("u", "u**2/2", forces={"v": 1}).equations, "no component"),
        (lambda: FLOWS[2].simulate({"u": "sin(2*pi*x/3)"}), "breaks the constraints"),
        (lambda: Flow("u", "u**2/2", nodes=8).simulate({"u": "sin(4*s)"}), "do not carry"),
        (lambda: Flow("t", "t**2/2"), "two things"),
        (lambda: Flow("u", "u**2/2", forces={"u": "1/t"}).simulate({"u": "sin(s)"}), "no finite value at the start"),
    ],
)  # fmt: skip
def test_bad_flows_say_why_in_one_line(call: Any, words: str) -> None:
    with pytest.raises(nh.NonholoError) as caught:
        call()
    assert words in str(caught.value) and "\n" not in str(caught.value)
