"""Fluids between walls, on the 3-torus and seen by their particles: steady flows, what is kept, and other discretisations."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.fields import Fluid, Fluid3, WalledFluid, convective

SWIRL = "sin(pi*x/2)*sin(pi*y) + 0.6*sin(pi*x)*sin(2*pi*y) - 0.4*sin(3*pi*x/2)*sin(pi*y)"


def test_flow_between_walls_keeps_energy_and_enstrophy_and_does_not_pass_the_walls() -> None:
    run = WalledFluid(sides=(2.0, 1.0), nodes=24).simulate({"vorticity": SWIRL}, until=2.0, t_eval=3)
    assert run.drift("energy") < 1e-8 and run.drift("enstrophy") < 1e-8
    u, v = run["u"], run["v"]
    assert max(np.abs(u[:, [0, -1]]).max(), np.abs(v[:, :, [0, -1]]).max()) < 1e-14
    assert np.abs(run["vorticity"][-1] - run["vorticity"][0]).max() > 0.03


def test_rate_between_walls_is_the_jacobian_by_differences() -> None:
    """w_t = −u·∇w with ψ in closed form: each sine is an eigenfunction of Δ."""
    fluid = WalledFluid(sides=(2.0, 1.0), nodes=24)
    modes = [(1, 1, 1.0), (2, 2, 0.6), (3, 1, -0.4)]

    def series(x, y, power):
        return sum(
            c * (-1 / ((k / 2) ** 2 + l**2) / np.pi**2) ** power * np.sin(k * np.pi * x / 2) * np.sin(l * np.pi * y)
            for k, l, c in modes
        )

    x, y = (p[1:-1] for p in fluid.points)
    x, y, h = x[:, None], y[None, :], 1e-5

    def slope(power, along):
        one, two = (h, 0) if along == "x" else (0, h)
        return (series(x + one, y + two, power) - series(x - one, y - two, power)) / (2 * h)

    expected = slope(1, "y") * slope(0, "x") - slope(1, "x") * slope(0, "y")
    np.testing.assert_allclose(fluid.rates(series(x, y, 0).ravel()).reshape(23, 23), expected, atol=1e-8)


def test_a_square_with_walls_is_a_quarter_of_an_odd_flow_on_the_torus() -> None:
    """Two programs, one flow: the torus of side 2π with an odd vorticity and the square of side π."""
    text = "sin(x)*sin(2*y) + 0.5*sin(2*x)*sin(y)"
    walls = WalledFluid(sides=(np.pi, np.pi), nodes=20).simulate({"vorticity": text}, until=1.0, t_eval=2)
    torus = Fluid(nodes=40).simulate({"vorticity": text}, until=1.0, t_eval=2)
    np.testing.assert_allclose(walls["vorticity"][-1], torus["vorticity"][-1][:21, :21], atol=1e-8)


ABC = {"u": "1.1*sin(z) + 0.7*cos(y)", "v": "0.9*sin(x) + 1.1*cos(z)", "w": "0.7*sin(y) + 0.9*cos(x)"}


def test_beltrami_flows_stand_still_and_others_keep_energy_and_helicity() -> None:
    still = Fluid3(nodes=8).simulate(ABC, until=1.0, t_eval=2)
    assert np.abs(still["u"][-1] - still["u"][0]).max() < 1e-12
    start = {"u": "sin(y) + 0.4*cos(2*z)", "v": "sin(z)*0.8", "w": "cos(x) - 0.5*sin(x + y)"}
    run = Fluid3(nodes=16).simulate(start, until=0.6, t_eval=3)
    assert run.drift("energy") < 1e-8
    assert np.ptp(run["helicity"]) < 1e-7 * max(1.0, float(np.abs(run["helicity"]).max()))
    assert np.abs(run["w"][-1] - run["w"][0]).max() > 0.1


def test_a_plane_flow_in_space_is_the_plane_flow() -> None:
    """A vorticity along z alone: the 3-torus against the program for the plane."""
    plane = Fluid(nodes=16).simulate({"vorticity": "cos(x) + 0.5*cos(2*y) + 0.3*sin(x + y)"}, until=0.8, t_eval=2)
    # ψ = −cos x − cos(2y)/8 − 0.15 sin(x + y): u = −ψ_y, v = ψ_x
    flow = {"u": "-sin(2*y)/4 + 0.15*cos(x + y)", "v": "sin(x) - 0.15*cos(x + y)"}
    space = Fluid3(nodes=16).simulate(flow, until=0.8, t_eval=2)
    fluid = Fluid3(nodes=16)
    curl = fluid.curl(np.stack([space[n][-1] for n in "uvw"]))[2]
    assert np.ptp(curl, axis=2).max() < 1e-9
    np.testing.assert_allclose(curl[:, :, 0], plane["vorticity"][-1], atol=1e-7)


@pytest.mark.parametrize(
    "swirl", ["cos(x) + 0.6*cos(y) + 0.2*sin(x + y)", "0.8*sin(2*x) + 0.5*cos(y - x)", "cos(2*y)*0.7 + 0.4*sin(x)*cos(y)"]
)
def test_convective_vorticity_does_not_move(swirl: str) -> None:
    """Remark 3.1: w∘q det Tq = w₀, det Tq = 1, the energy in the metric carried back is that of the flow."""
    fluid = Fluid(nodes=24)
    start = {"vorticity": swirl}
    found = convective(fluid, start, until=0.6, t_eval=3)
    assert np.abs(found.volume - 1).max() < 2e-4
    np.testing.assert_allclose(found.vorticity[-1], found.vorticity[0], atol=1e-3)
    assert np.abs(found.velocity[-1] - found.velocity[0]).max() > 0.02
    run = fluid.simulate(start, until=0.6, t_eval=3)
    np.testing.assert_allclose(found.energy, run["energy"], rtol=1e-3)
    gap = 1e-3
    near = convective(fluid, start, until=gap, t_eval=2)
    moved = (near.places[-1] - near.places[0]) / gap
    np.testing.assert_allclose(
        moved, np.einsum("abxy,bxy->axy", near.tangent[0], near.velocity[0]), atol=2e-3
    )  # q̇ = Tq ξ


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: WalledFluid(sides=(1.0,)), "two sides"),
        (lambda: WalledFluid(sides=(1.0, -1.0)), "side"),
        (lambda: WalledFluid(nodes=8).simulate({"vorticity": "sin(40*x)*sin(pi*y)"}), "nodes"),
        (lambda: Fluid3(nodes=8).simulate({"u": "sin(x)"}), "divergence"),
        (lambda: Fluid3(nodes=2), "nodes"),
        (lambda: convective(Fluid(nodes=8), {"velocity": "x"}), "no 'velocity'"),
    ],
)
def test_bad_fluids_say_why(call, words: str) -> None:
    with pytest.raises(nh.NonholoError, match=words):
        call()
