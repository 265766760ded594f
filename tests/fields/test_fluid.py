"""The ideal fluid: steady flows, invariants, transport, its bracket, and Zeitlin's truncation."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.fields.fluids.fluid import vector_bracket
from nonholo.fields.fluids.zeitlin import _real_wave

Fluid, Zeitlin = nh.fields.Fluid, nh.fields.Zeitlin
FLOW = "cos(x + 2*y) + 0.3*sin(3*x) - 0.7*cos(2*x - y) + 0.2*sin(y)"


@pytest.mark.parametrize(
    "text", ["2*cos(x)*cos(y)", "cos(3*y)", "cos(2*x + y) - 0.4*sin(4*x + 2*y)", "cos(x) + sin(y)"]
)
def test_steady_flows_stay(text):
    """Taylor and Green's vortices, shears, and waves of one length."""
    run = Fluid(nodes=24).simulate({"vorticity": text}, 5.0, t_eval=3)
    assert np.abs(run["vorticity"] - run["vorticity"][0]).max() < 1e-12


def test_taylor_and_greens_vortices_have_their_energy():
    run = Fluid(nodes=16).simulate({"vorticity": "2*cos(x)*cos(y)"}, 0.1, t_eval=2)
    assert run["energy"][0] == pytest.approx(np.pi**2, rel=1e-13)
    assert run["enstrophy"][0] == pytest.approx(2 * np.pi**2, rel=1e-13)
    x = run["x"]
    assert np.abs(run["stream"][0] + np.cos(x)[:, None] * np.cos(x)).max() < 1e-13


def test_rates_are_the_sum_over_triads():
    """w_t by products on points against Σ −(l×m) w_l w_m/|l|², wave by wave."""
    fluid = Fluid(nodes=16)
    waves = fluid.waves(FLOW)
    w = np.fft.fft2(fluid.vorticity(waves)) / 256
    kept = [(a, b) for a in range(-5, 6) for b in range(-5, 6)]
    total = np.zeros((16, 16), complex)
    for l in kept:
        for m in kept:
            k = (l[0] + m[0], l[1] + m[1])
            if l != (0, 0) and max(map(abs, k)) <= 5:
                total[k] -= (l[0] * m[1] - l[1] * m[0]) * w[l] * w[m] / (l[0] ** 2 + l[1] ** 2)
    assert np.abs(total).max() > 0.05
    assert np.abs(np.fft.fft2(fluid.vorticity(fluid.rates(waves))) / 256 - total).max() < 1e-15


@pytest.mark.parametrize(
    "method, options", [("gauss", {"step": 0.1}), ("gauss", {"step": 0.02}), ("dop853", {"rtol": 1e-12})]
)
def test_energy_and_enstrophy_are_kept_to_rounding(method, options):
    run = Fluid(nodes=32).simulate({"vorticity": FLOW}, 1.0, method=method, t_eval=3, **options)
    assert max(run.drift("energy"), run.drift("enstrophy")) < 1e-12
    assert np.abs(run["vorticity"][-1] - run["vorticity"][0]).max() > 0.3


def test_the_drift_of_an_explicit_method_follows_its_tolerance():
    drifts = [Fluid(nodes=32).simulate({"vorticity": FLOW}, 4.0, t_eval="end", rtol=r, atol=r) for r in (1e-4, 1e-8)]
    first = Fluid(nodes=32).energy(Fluid(nodes=32).waves(FLOW))
    gaps = [abs(d["energy"][-1] / first - 1) for d in drifts]
    assert gaps[1] < gaps[0] / 100


def test_both_methods_and_more_nodes_give_the_same_flow():
    one = Fluid(nodes=48).simulate({"vorticity": FLOW}, 0.8, t_eval="end", rtol=1e-11)
    two = Fluid(nodes=48).simulate({"vorticity": FLOW}, 0.8, t_eval="end", method="gauss", step=0.02)
    fine = Fluid(nodes=96).simulate({"vorticity": FLOW}, 0.8, t_eval="end", rtol=1e-11)
    coarse = Fluid(nodes=32).simulate({"vorticity": FLOW}, 0.8, t_eval="end", rtol=1e-11)
    assert np.abs(one["vorticity"] - two["vorticity"]).max() < 1e-8
    gaps = [np.abs(r["vorticity"][-1] - fine["vorticity"][-1, ::k, ::k]).max() for r, k in ((coarse, 3), (one, 2))]
    assert gaps[1] < 1e-4 and gaps[1] < gaps[0] / 10


def test_two_vortices_merge_and_keep_energy_and_enstrophy():
    """The two tops, 1.2 apart at first with a saddle between them, come together; drifts are those of rounding."""
    run = Fluid(nodes=64).simulate(
        nh.gallery.get("ideal-fluid").start, 3.0, t_eval=2, method="gauss", step=0.05
    )
    reach = []
    for w in run["vorticity"]:
        a, b = np.unravel_index(np.argmax(w), w.shape)
        reach.append(np.hypot(run["x"][a] - np.pi, run["y"][b] - np.pi))
    assert reach[0] == pytest.approx(0.6, abs=0.06) and reach[1] < 0.45
    middle, peak = run["vorticity"][:, 32, 32], run["vorticity"].max(axis=(1, 2))
    assert middle[0] < 0.5 * peak[0] and middle[1] > 0.55 * peak[1]
    assert max(run.drift("energy"), run.drift("enstrophy")) < 1e-12


def test_the_bracket_of_waves():
    """{e^{ik·x}, e^{il·x}} = −k×l e^{i(k+l)·x}, by cosines."""
    at = 2 * np.pi * np.arange(24) / 24
    x, y = at[:, None], at[None, :]
    for (a, b), (c, d) in (((1, 2), (2, -1)), ((3, 0), (1, 1)), ((2, 1), (2, 1))):
        found = vector_bracket(24, np.cos(a * x + b * y), np.cos(c * x + d * y))
        cross = a * d - b * c
        exact = cross / 2 * (np.cos((a - c) * x + (b - d) * y) - np.cos((a + c) * x + (b + d) * y))
        assert np.abs(found - exact).max() < 1e-12


def test_the_sine_bracket_tends_to_the_bracket_of_waves():
    """With the square of 1/N, on finitely many modes: cos(x + 2y) with sin(2x − y)."""
    one, two = {(1, 2): 0.5, (-1, -2): 0.5}, {(2, -1): -0.5j, (-2, 1): 0.5j}
    gaps = []
    for size in (17, 33, 65):
        exact = np.zeros((size, size), complex)
        for (a, b), f in one.items():
            for (c, d), g in two.items():
                exact[a + c, b + d] -= (a * d - b * c) * f * g
        found = Zeitlin(size).bracket(_real_wave(size, 1, 2, "c"), _real_wave(size, 2, -1, "s"))
        gaps.append(float(np.abs(found - exact).max()))
    orders = np.log(np.array(gaps[:-1]) / gaps[1:]) / np.log([33 / 17, 65 / 33])
    assert np.all(np.abs(orders - 2) < 0.2) and gaps[-1] < 0.1


@pytest.mark.parametrize("size", [3, 5])
def test_zeitlins_matrices_and_waves_agree_and_satisfy_jacobi(size):
    truncated, random = Zeitlin(size), np.random.default_rng(size)
    c = truncated.structure_constants()
    jacobi = np.einsum("ijm,mkl->ijkl", c, c)
    total = jacobi + np.einsum("jkm,mil->ijkl", c, c) + np.einsum("kim,mjl->ijkl", c, c)
    assert np.abs(total).max() < 1e-12 and np.abs(c).max() > 0.1
    waves = truncated.waves(
        {(a, b): complex(*random.normal(size=2)) for a, b, kind in truncated.basis() if kind == "c"}
    )
    matrix, generator = truncated.matrix(waves), truncated._generator(truncated.matrix(waves))
    assert np.abs(matrix - matrix.conj().T).max() < 1e-13 and abs(np.trace(matrix)) < 1e-13
    assert np.abs(truncated.waves_of(generator @ matrix - matrix @ generator) - truncated.rates(waves)).max() < 1e-12


def test_the_truncation_through_our_own_lie_algebra_has_the_same_motion():
    """su(3): nonholo.LieAlgebra, System, simulate against the waves' own equations by SciPy."""
    from scipy.integrate import solve_ivp

    truncated = Zeitlin(3)
    system = truncated.system()
    start = np.random.default_rng(2).normal(size=8) * 0.5
    run = nh.simulate(system, dict(zip(system.velocities, start)), 1.0, rtol=1e-11)
    path = solve_ivp(lambda _, y: truncated.stream_rates(y), (0, 1), start, method="DOP853", rtol=1e-11, atol=1e-13)
    assert max(abs(run.final[n] - v) for n, v in zip(system.velocities, path.y[:, -1])) < 1e-8
    assert max(abs(run.final[n] - v) for n, v in zip(system.velocities, start)) > 0.05


@pytest.mark.slow
def test_the_truncation_with_24_waves_through_our_own_lie_algebra():
    truncated = Zeitlin(5)
    system = truncated.system()
    numbers = np.random.default_rng(2).normal(size=24)
    rates = nh.hamel(system).rates(dict(zip(system.velocities, numbers)), {})
    assert max(abs(rates[n] - v) for n, v in zip(system.velocities, truncated.stream_rates(numbers))) < 1e-11


def test_casimirs_stay_to_rounding_and_energy_nearly():
    truncated = Zeitlin(7)
    waves = truncated.waves({(1, 0): 0.5, (1, 2): 0.2j + 0.1, (2, -1): 0.3, (0, 1): -0.4, (3, 1): 0.1})
    later = truncated.advance(waves, 0.05, 300)
    assert np.abs(later - waves).max() > 0.1
    change = np.abs(truncated.casimirs(later) - truncated.casimirs(waves)) / truncated.casimir_sizes(waves)
    assert len(change) == 6 and change.max() < 1e-12
    assert abs(truncated.energy(later) / truncated.energy(waves) - 1) < 1e-4
    other = waves + 0.02 * truncated.rates(waves)  # Euler's step keeps none of them
    assert (np.abs(truncated.casimirs(other) - truncated.casimirs(waves)) / truncated.casimir_sizes(waves)).max() > 1e-7


def test_the_truncation_is_the_fluid_for_long_waves():
    """Rates of long waves agree with the fluid's as N grows, with order 2."""
    table = {(1, 0): 0.5, (1, 1): 0.2j + 0.1, (0, 1): -0.4, (1, -1): 0.3}
    text = " + ".join(
        f"({2 * complex(c).real})*cos({a}*x + ({b})*y) - ({2 * complex(c).imag})*sin({a}*x + ({b})*y)"
        for (a, b), c in table.items()
    )
    fluid = Fluid(nodes=16)
    exact = np.fft.fft2(fluid.vorticity(fluid.rates(fluid.waves(text)))) / 256
    gaps = []
    for size in (7, 15, 31):
        truncated = Zeitlin(size)
        found = truncated.rates(truncated.waves(table))
        gaps.append(max(abs(found[a, b] - exact[a, b]) for a in range(-2, 3) for b in range(-2, 3)))
    orders = np.log(np.array(gaps[:-1]) / gaps[1:]) / np.log([15 / 7, 31 / 15])
    assert np.all(np.abs(orders - 2) < 0.1)
