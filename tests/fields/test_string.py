"""The inextensible string: closed forms, integrals, two discretisations, chains of rods."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import nonholo as nh
from nonholo.fields.function_grid import chebyshev, interpolation
from nonholo.fields.strings.chains import chain_start, inertia, linked_chain
from nonholo.fields.strings.string_start import read
from nonholo_papers.facts.string import KEPT, chain_gap, tip_energy

String = nh.fields.String
START = {"theta": "0.8*cos(pi*s)", "omega": "1 + 0.7*sin(2*s)", "center": (0.1, -0.2), "velocity": (0.3, -0.2)}
TIGHT = {"rtol": 1e-13, "atol": 1e-13}


def test_rigid_rotation_is_pulled_by_half_density_turning_squared_s_rest():
    string = String(length=1.7, density=0.6, nodes=32)
    s = string.grid.points
    assert np.abs(string.tension({"theta": "0.3", "omega": "-1.9"}) - 0.5 * 0.6 * 1.9**2 * s * (1.7 - s)).max() < 1e-13


def test_rigid_rotation_stays_rigid():
    run = String(length=1.7).simulate({"theta": "0.3", "omega": "1.9"}, 3.0, t_eval=7)
    assert np.abs(run["theta"] - 0.3 - 1.9 * run["t"][:, None]).max() < 1e-9


@pytest.mark.parametrize("nodes", [16, 48])
def test_small_oscillations_have_the_frequencies_and_shapes_of_legendre(nodes):
    """ω_n² = ½Ω² n(n + 3), n ≤ 6, 8 digits; shapes P'_{n+1}."""
    string = String(nodes=nodes, length=1.3, density=0.4)
    found = nh.fields.modes(string, {"theta": "0.7", "omega": "1.7"})
    n = np.arange(1, 7)
    assert np.abs(found.frequencies[:6] / np.sqrt(0.5 * 1.7**2 * n * (n + 3)) - 1).max() < 1e-8
    at = 2 * string.grid.points / 1.3 - 1
    for k in n:
        exact = np.polynomial.legendre.Legendre.basis(int(k) + 1).deriv()(at)
        shape = found.shapes[k - 1] / found.shapes[k - 1][-1]
        assert np.abs(shape - exact / exact[-1]).max() < 1e-6


def test_a_mode_swings_with_its_frequency():
    """The same by motion: a small fourth mode comes back after its period."""
    omega, n = 1.0, 4
    period = 2 * np.pi / np.sqrt(0.5 * omega**2 * n * (n + 3))
    shape = np.polynomial.legendre.Legendre.basis(n + 1).deriv().convert(kind=np.polynomial.Polynomial)
    small = 1e-5
    text = " + ".join(f"({small * c:.17g})*(2*s - 1)**{k}" for k, c in enumerate(shape.coef))
    run = String(nodes=32).simulate({"theta": text, "omega": "1"}, period, t_eval=[0.0, period / 2, period], **TIGHT)
    bend = run["theta"] - run["t"][:, None]
    assert np.abs(bend[2] - bend[0]).max() < 1e-4 * np.abs(bend[0]).max()
    assert np.abs(bend[1] + bend[0]).max() < 1e-4 * np.abs(bend[0]).max()


def test_a_generic_motion_keeps_energy_and_momenta_to_1e_12():
    run = String(nodes=48).simulate(START, 1.0, **TIGHT)
    assert run.outcome.reached and max(run.drift(name) for name in KEPT) < 1e-12
    assert np.abs(run["center_x"] - 0.1 - 0.3 * run["t"]).max() < 1e-13


def test_the_string_keeps_its_length_and_its_tangent():
    run = String(nodes=48, length=1.3).simulate(START, 1.0, t_eval=5)
    z = run["x"] + 1j * run["y"]
    assert np.abs(z @ chebyshev(48, 1.3).derivative.T - np.exp(1j * run["theta"])).max() < 1e-8


def test_convergence_in_nodes_is_spectral():
    exact = String(nodes=64).simulate(START, 1.0, t_eval="end", **TIGHT)
    gaps = []
    for nodes in (12, 20, 28, 36):
        run = String(nodes=nodes).simulate(START, 1.0, t_eval="end", **TIGHT)
        gaps.append(abs(run["x"][-1, -1] - exact["x"][-1, -1]))
    assert gaps[-1] < 1e-9
    assert all(
        after < before / 15 for before, after in itertools.pairwise(gaps)
    )  # each eight nodes bring more than a digit


@pytest.mark.parametrize("length, density", [(1.0, 1.0), (1.7, 0.6)])
def test_hamiltons_principle_on_polynomials_gives_the_same_motion(length, density):
    """Shares neither tension nor collocation nor the integrator with the compiled way."""
    gaps = []
    for nodes in (16, 32):
        string = String(nodes=nodes, length=length, density=density)
        one, two = (string.simulate(START, 0.6, method=m, t_eval="end", rtol=1e-11) for m in ("dop853", "galerkin"))
        gaps.append(max(np.abs(one[n] - two[n]).max() for n in ("x", "y")))
    assert gaps[1] < 1e-7 and gaps[1] < gaps[0] / 100


def test_even_few_polynomials_keep_every_integral():
    run = String(nodes=10).simulate(START, 2.0, method="galerkin", t_eval=5, rtol=1e-12)
    assert max(run.drift(name) for name in KEPT) < 1e-11


def test_discrete_hamel_has_order_two_and_keeps_the_angular_momentum():
    string = String(nodes=20)
    exact = string.simulate(START, 0.8, method="galerkin", t_eval="end", rtol=1e-12)
    gaps = []
    for step in (0.02, 0.01, 0.005):
        run = string.simulate(START, 0.8, method="hamel", step=step, t_eval=[0.4, 0.8])
        gaps.append(float(np.abs(run["theta"][-1] - exact["theta"][-1]).max()))
        assert run.drift("angular_momentum") < 1e-13 and run.drift("momentum_x") < 1e-14
    orders = np.log2(np.array(gaps[:-1]) / gaps[1:])
    assert np.all(np.abs(orders - 2) < 0.1)


def test_discrete_hamel_is_the_discrete_principle():
    """Two steps by the method make the action sum stationary in the middle state, by differences."""
    from nonholo.fields.strings.variational_string import polynomials

    string, h = String(nodes=12), 0.02
    run = string.simulate(START, 2 * h, method="hamel", step=h, t_eval=[0.0, h, 2 * h])
    space = polynomials(12, 1.0, 0.0, ())

    def lagrangian(theta, omega):
        moving = space.parts(theta, omega)[2]
        return 0.5 * float(space.weights @ np.abs(moving) ** 2)

    def action(middle):
        places = [run["theta"][0], middle, run["theta"][2]]
        return sum(h * lagrangian((a + b) / 2, (b - a) / h) for a, b in itertools.pairwise(places))

    for k in range(12):
        moved = np.zeros(12)
        moved[k] = 1e-5
        slope = (action(run["theta"][1] + moved) - action(run["theta"][1] - moved)) / 2e-5
        assert abs(slope) < 1e-10
        wrong = run["theta"][1] + 1e-3
    assert abs(action(wrong + 1e-5) - action(wrong - 1e-5)) / 2e-5 > 1e-6


def test_chains_of_rods_tend_to_the_string_with_order_two():
    """Through `nonholo.System`, 4 to 16 rods: the measured order rises towards 2."""
    string = String(nodes=40, length=1.3, density=0.7)
    gaps = [chain_gap(string, "0.8*cos(pi*s/1.3)", "1 + 0.7*sin(2*s)", n, 0.7) for n in (4, 8, 16)]
    orders = np.log2(np.array(gaps[:-1]) / gaps[1:])
    assert gaps[-1] < 1e-3 and orders[0] > 1.3 and 1.65 < orders[1] < 2.3


@pytest.mark.slow
def test_long_chains_of_rods_show_the_order():
    """The same equations in numbers, 16 to 128 rods."""
    string = String(nodes=48, length=1.3, density=0.7)
    gaps = [chain_gap(string, "0.8*cos(pi*s/1.3)", "1 + 0.7*sin(2*s)", n, 1.0, system=False) for n in (16, 32, 64, 128)]
    orders = np.log2(np.array(gaps[:-1]) / gaps[1:])
    assert np.all(np.diff(orders) > 0) and orders[-1] > 1.95


def test_a_chains_system_is_rods_by_newton():
    """The System's energy is that of rods placed in the plane, at a random state."""
    links, random = 5, np.random.default_rng(4)
    theta, omega = random.normal(size=(2, links))
    rod = 1.3 / links
    arms = np.tril(np.full((links, links), rod), -1) + 0.5 * rod * np.eye(links)
    moving = (arms - arms.mean(axis=0)) @ (1j * omega * np.exp(1j * theta))
    mass = 0.9 / links
    energy = 0.5 * mass * np.sum(np.abs(moving) ** 2) + 0.5 * mass * rod**2 / 12 * np.sum(omega**2)
    form = inertia(links)
    assert 0.5 * 0.9 * 1.3**2 * omega @ (form * np.cos(theta[:, None] - theta)) @ omega == pytest.approx(
        energy, rel=1e-12
    )
    start = chain_start(links, 1.3, "s", "1 - s")
    run = nh.simulate(linked_chain(links), start, 0.5, {"M": 0.9, "L": 1.3}, rtol=1e-11)
    assert run.drift("energy") < 1e-9


def test_hanging_frequencies_are_zeros_of_bessels_function():
    """ω_n = (j₀ₙ/2) √(g/L) to 6 digits, and from the other discretisation too."""
    from scipy.special import jn_zeros

    exact = jn_zeros(0, 6) / 2 * np.sqrt(9.81 / 1.7)
    found = nh.fields.modes(String(nodes=24, length=1.7, gravity=9.81, held="start"), {"theta": "-pi/2"})
    assert np.abs(found.frequencies[:6] / exact - 1).max() < 5e-7 and found.growth < 1e-3
    from nonholo.fields.strings.variational_string import polynomials

    space, n = polynomials(24, 1.7, 9.81, ("start",)), 24
    rest = np.full(n, -np.pi / 2)
    stiff = (
        np.array([space.slope(rest + 1e-4 * e, 0 * rest) - space.slope(rest - 1e-4 * e, 0 * rest) for e in np.eye(n)])
        / 2e-4
    )
    squares = np.sort(np.linalg.eigvals(np.linalg.solve(space.mass(rest), -stiff)).real)[:6]
    assert np.abs(np.sqrt(squares) / exact - 1).max() < 5e-7


def test_upside_down_the_held_end_may_be_the_other():
    """A string held at its end s = L is the mirror image of one held at s = 0."""
    one = String(nodes=24, gravity=9.81, held=("start",)).simulate(
        {"theta": "-pi/2 + 0.3*sin(pi*s/2)**4"}, 0.4, t_eval=3
    )
    two = String(nodes=24, gravity=9.81, held="end").simulate(
        {"theta": "pi/2 + 0.3*sin(pi*(1 - s)/2)**4"}, 0.4, t_eval=3
    )
    assert np.abs(one["x"] - two["x"][:, ::-1]).max() < 1e-9 and np.abs(one["y"] - two["y"][:, ::-1]).max() < 1e-9


def test_a_hanging_string_swings_as_hamiltons_principle_says():
    """Large swings; the collocation tends to the other discretisation, which keeps energy exactly."""
    start = {"theta": "-pi/2 + 0.9*sin(pi*s/2)**4", "omega": "0.5*s**3"}
    gaps = []
    for nodes in (16, 24):
        string = String(nodes=nodes, gravity=9.81, held=("start",), density=0.4)
        one, two = (string.simulate(start, 0.4, method=m, t_eval=3, rtol=1e-9) for m in ("dop853", "galerkin"))
        gaps.append(np.abs(one["x"] - two["x"]).max())
        assert two.drift("energy") < 1e-9 and one.drift("energy") < 1e-5
    assert gaps[1] < gaps[0] / 5 and gaps[1] < 1e-4


def test_a_catenary_rests():
    string = String(length=1.3, density=0.7, nodes=40, gravity=9.81, held=("start", "end"))
    start = {"theta": "atan((s - 0.5)/0.6)", "at": (0.3, 0.4)}
    exact = 0.7 * 9.81 * np.hypot(0.6, string.grid.points - 0.5)
    assert np.abs(string.tension(start) / exact - 1).max() < 1e-10
    run = string.simulate(start, 0.5, t_eval=3)
    assert max(np.abs(run[n] - run[n][0]).max() for n in ("x", "y")) < 1e-10
    assert (run["x"][0, 0], run["y"][0, 0]) == (0.3, 0.4)


def test_between_two_nails_a_string_swings_and_its_ends_stay():
    string = String(nodes=24, gravity=9.81, held=("start", "end"))
    one, two = (
        string.simulate({"theta": "1.1*sin(2.2*(s - 0.5))"}, 0.3, method=m, t_eval=3, rtol=1e-9)
        for m in ("dop853", "galerkin")
    )
    assert np.abs(one["x"][:, -1] - one["x"][0, -1]).max() < 1e-6
    assert np.abs(one["y"] - two["y"]).max() < 1e-4 and one.drift("energy") < 1e-5
    assert np.ptp(one["y"][:, 12]) > 0.005


def test_a_free_string_falls_as_its_centre():
    run = String(nodes=24, gravity=9.81).simulate(START, 0.5, t_eval=3)
    still = String(nodes=24).simulate(START, 0.5, t_eval=3)
    assert np.abs(run["theta"] - still["theta"]).max() == 0.0
    assert np.abs(run["y"] - still["y"] + 9.81 / 2 * run["t"][:, None] ** 2).max() < 1e-12
    assert run.drift("energy") < 1e-9


def test_a_whip_carries_its_energy_to_the_free_end():
    """The last fifth takes the energy over while the whole keeps it; the end becomes faster than it was."""
    string = String(nodes=64, held="start")
    run = string.simulate(nh.gallery.get("string").starts["whip"], 0.75, t_eval=16, rtol=1e-9)
    share = tip_energy(run, string)
    speed = np.hypot(np.gradient(run["x"][:, -1], run["t"]), np.gradient(run["y"][:, -1], run["t"]))
    assert run.drift("energy") < 1e-7 and np.all(np.diff(share) > 0)
    assert share[0] < 0.35 and share[-1] > 0.9 and speed[-1] > 1.8 * speed[0]


def test_a_curve_and_its_velocity_may_be_given_instead_of_angles():
    """A quarter of a circle that turns about the origin."""
    string = String(nodes=24, length=1.2)
    curve = {"x": "0.7*sin(s/0.7)", "y": "-0.7*cos(s/0.7)", "xdot": "0.7*0.5*cos(s/0.7)", "ydot": "0.7*0.5*sin(s/0.7)"}
    run = string.simulate(curve, 0.1, t_eval=[0.0])
    s = string.grid.points
    assert np.abs(run["theta"][0] - s / 0.7).max() < 1e-12 and np.abs(run["omega"][0] - 0.5).max() < 1e-12
    assert np.abs(run["x"][0] - 0.7 * np.sin(s / 0.7)).max() < 1e-12
    assert run["momentum_y"][0] == pytest.approx(0.5 * float(string.grid.weights @ (0.7 * np.sin(s / 0.7))), rel=1e-12)


def test_numbers_at_the_nodes_may_be_given_too():
    string = String(nodes=16)
    theta, *_ = read({"theta": list(np.sin(string.grid.points))}, string.grid, (), "string")
    assert np.abs(theta - np.sin(string.grid.points)).max() == 0.0


def test_a_string_that_would_be_pushed_ends_with_an_outcome():
    run = String(held="start", gravity=9.81).simulate({"theta": "pi/2 - 0.1"}, 1.0)
    assert run.outcome.kind == "slack" and "no string can" in run.outcome.advice
    assert String(held="start", gravity=9.81).simulate({"theta": "0"}, 1.0).outcome.kind == "slack"


def test_a_motion_is_a_trajectory_that_can_be_kept(tmp_path):
    run = String(nodes=16).simulate(START, 0.5, t_eval=4)
    assert run.data["theta"].dims == ("time", "s") and run.data["energy"].dims == ("time",)
    assert list(run.final["theta"]) == list(run["theta"][-1]) and run.final["energy"] == run["energy"][-1]  # type: ignore[call-overload]
    run.save(tmp_path / "run.nc")
    again = nh.open(tmp_path / "run.nc")
    assert (
        again.final == run.final and np.array_equal(again["tension"], run["tension"]) and again.outcome == run.outcome
    )
    assert run.drift("theta") > 0 and "string" in repr(run)


def test_the_same_bytes_every_time():
    one, two = (String(nodes=24).simulate(START, 0.5, t_eval=5) for _ in range(2))
    assert all(np.array_equal(one[n], two[n]) for n in one.data.variables)




def test_a_hanging_chain_of_rods_tends_to_the_hanging_string():
    """`linked_chain(held=True)`: pendulums below each other, swinging widely; the lowest middle against the string's point."""
    string = String(nodes=32, length=1.3, density=0.7, gravity=9.81, held="start")
    theta = "-pi/2 + 0.8*sin(pi*s/2.6)**4"
    run = string.simulate({"theta": theta}, 0.5, t_eval="end")
    gaps = []
    for links in (5, 10, 20):
        values = {"M": 0.91, "L": 1.3, "g": 9.81}
        end = nh.simulate(
            linked_chain(links, held=True), chain_start(links, 1.3, theta, "0"), 0.5, values, t_eval="end"
        ).final
        arms = 1.3 / links * np.exp(1j * np.array([end[f"theta{k + 1}"] for k in range(links)]))
        middles = np.cumsum(arms) - arms / 2
        at = interpolation(32, 1.3 * (np.arange(links) + 0.5) / links, 1.3)
        gaps.append(float(np.sqrt(np.mean(np.abs(middles - at @ (run["x"][-1] + 1j * run["y"][-1])) ** 2))))
    orders = np.log2(np.array(gaps[:-1]) / gaps[1:])
    assert gaps[-1] < 2e-3 and np.all(orders > 1.3)


def test_other_peoples_starts():
    """A semicircle let go, a hairpin, a spinning spiral: nothing was prepared for them; energy and momenta tell."""
    for start in (
        {"x": "cos(pi*s)/pi", "y": "sin(pi*s)/pi", "xdot": "-0.8*sin(pi*s)", "ydot": "0.8*cos(pi*s)"},
        {"theta": "pi/2*(1 + tanh(4*(s - 0.5)))", "omega": "2*s - 1"},
        {"theta": "5*s**2", "omega": "2", "center": (3, -1), "velocity": (0, 1)},
    ):
        run = String(nodes=64, density=0.3).simulate(start, 0.5, t_eval=6)
        assert run.outcome.reached and max(run.drift(name) for name in KEPT) < 1e-8
