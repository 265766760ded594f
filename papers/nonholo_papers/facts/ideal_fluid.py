"""Ideal fluid on the torus: published facts and closed forms, with their tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.fields.fluids.fluid import Fluid, vector_bracket
from nonholo.fields.fluids.zeitlin import Zeitlin
from nonholo.finding import Finding, bounded
from nonholo.gallery.field_exhibit import FieldExhibit, FieldFact


def still(exhibit: FieldExhibit) -> Finding:
    """``w = 2 cos x cos y`` and a shear flow for five seconds."""
    worst = 0.0
    for text in ("2*cos(x)*cos(y)", "cos(2*x + y) - 0.4*sin(4*x + 2*y)"):
        run = Fluid(nodes=24).simulate({"vorticity": text}, 5.0, t_eval=3)
        worst = max(worst, float(np.abs(run["vorticity"] - run["vorticity"][0]).max()))
    return bounded("change of vorticity", worst, 1e-11)


def kept(exhibit: FieldExhibit) -> Finding:
    """The merging vortices, by Gauss's method, to t = 2."""
    run = exhibit.having(nodes=64).simulate(until=2.0, method="gauss", step=0.1, t_eval=5)
    return bounded("drift of energy and enstrophy", max(run.drift("energy"), run.drift("enstrophy")), 1e-12)


def carried(exhibit: FieldExhibit) -> Finding:
    """Particles that swim with the flow keep their vorticity; the flow between points by its waves."""
    from scipy.integrate import solve_ivp

    fluid = Fluid(nodes=64)
    start = {"vorticity": "cos(x + 2*y) + 0.3*sin(3*x) - 0.7*cos(2*x - y)"}
    waves, count, places = fluid.waves(start["vorticity"]), 6, np.random.default_rng(5).uniform(0, 6, (2, 6))
    size = len(waves)

    def flow(_: float, y: Any) -> Any:
        w = y[:size]
        u, v, _ = _at(fluid, w, *y[size:].reshape(2, count))
        return np.concatenate([fluid.rates(w), u, v])

    path = solve_ivp(flow, (0, 0.4), np.concatenate([waves, places.ravel()]), method="DOP853", rtol=1e-10, atol=1e-12)
    end = path.y[:, -1]
    before, after = _at(fluid, waves, *places)[2], _at(fluid, end[:size], *end[size:].reshape(2, count))[2]
    return bounded("vorticity at six particles", float(np.abs(after - before).max()), 1e-6)


def _at(fluid: Fluid, waves: Any, x: Any, y: Any) -> tuple[Any, Any, Any]:
    """u, v and w anywhere, as sums of waves."""
    n = fluid.nodes
    full = np.fft.fft2(fluid.vorticity(waves)) / n**2
    k = np.fft.fftfreq(n, 1 / n)
    square = k[:, None] ** 2 + k[None, :] ** 2
    stream = np.divide(-full, square, out=np.zeros_like(full), where=square > 0)
    ex, ey = np.exp(1j * np.outer(x, k)), np.exp(1j * np.outer(y, k))

    def total(table: Any) -> Any:
        return np.einsum("pi,ij,pj->p", ex, table, ey).real

    return total(-1j * k[None, :] * stream), total(1j * k[:, None] * stream), total(full)


def weak(exhibit: FieldExhibit) -> Finding:
    """``d/dt ⟨u, η⟩ = ⟨u, [u, η]⟩`` for flows η, the bracket from the vector fields themselves."""
    fluid, n = Fluid(nodes=32), 32
    waves = fluid.waves("cos(x + 2*y) + 0.3*sin(3*x) - 0.7*cos(2*x - y)")
    k = np.fft.fftfreq(n, 1 / n)
    square = k[:, None] ** 2 + k[None, :] ** 2

    def by_x(f: Any) -> Any:
        return np.fft.ifft(1j * k[:, None] * np.fft.fft(f, axis=0), axis=0).real

    def by_y(f: Any) -> Any:
        return np.fft.ifft(1j * k[None, :] * np.fft.fft(f, axis=1), axis=1).real

    def flow_of(w: Any) -> tuple[Any, Any]:
        hat = np.fft.fft2(w)
        stream = np.fft.ifft2(np.divide(-hat, square, out=np.zeros_like(hat), where=square > 0)).real
        return -by_y(stream), by_x(stream)

    u, rate = flow_of(fluid.vorticity(waves)), flow_of(fluid.vorticity(fluid.rates(waves)))
    x, y = fluid.points[:, None], fluid.points[None, :]
    worst = 0.0
    for stream in (np.cos(x) + 0 * y, np.sin(x + y), np.cos(2 * x - 3 * y), np.sin(3 * x) * np.cos(y)):
        eta = (-by_y(stream), by_x(stream))
        bracket = [u[0] * by_x(e) + u[1] * by_y(e) - eta[0] * by_x(v) - eta[1] * by_y(v) for e, v in zip(eta, u)]
        left = sum(np.mean(r * e) for r, e in zip(rate, eta))
        worst = max(worst, abs(left - sum(np.mean(v * b) for v, b in zip(u, bracket))))
        own = np.fft.rfft2(
            vector_bracket(
                n, np.fft.ifft2(-np.fft.fft2(fluid.vorticity(waves)) / np.where(square > 0, square, 1)).real, stream
            )
        )
        back = np.fft.irfft2(own, s=(n, n))
        worst = max(worst, float(np.abs(bracket[0] + by_y(back)).max()))
    return bounded("both sides", worst, 1e-12)


def sine(exhibit: FieldExhibit) -> Finding:
    """N = 3, su(3): `LieAlgebra` checks Jacobi's identity, `hamel` gives the rates."""
    from nonholo.derive.hamel import hamel

    truncated = Zeitlin(3)
    system = truncated.system()
    numbers = np.random.default_rng(2).normal(size=truncated.dimension)
    rates = hamel(system).rates(dict(zip(system.velocities, numbers)), {})
    own = truncated.stream_rates(numbers)
    return bounded("rates of ψ", float(np.abs(np.array([rates[n] for n in system.velocities]) - own).max()), 1e-12)


def casimirs(exhibit: FieldExhibit) -> Finding:
    """N = 7, two thousand steps."""
    truncated = Zeitlin(7)
    waves = truncated.waves({(1, 0): 0.5, (1, 2): 0.2j + 0.1, (2, -1): 0.3, (0, 1): -0.4, (3, 1): 0.1})
    before, after = truncated.casimirs(waves), truncated.casimirs(truncated.advance(waves, 0.02, 2000))
    return bounded("change of tr W^p", float(np.max(np.abs(after - before) / truncated.casimir_sizes(waves))), 1e-11)


FACTS = (
    FieldFact("Taylor and Green's vortices stand still", "Taylor and Green 1937, without viscosity", still),
    FieldFact("energy and enstrophy are kept", "Noether; transport of vorticity", kept),
    FieldFact("vorticity goes with the fluid", "Helmholtz 1858", carried),
    FieldFact("Euler and Poincaré's equations hold, tested by flows", "Zenkov 2016, Example 3.1", weak),
    FieldFact("the sine bracket is a Lie algebra with the same Euler–Poincaré equations", "Zeitlin 1991", sine),
    FieldFact("every Casimir of the truncation stays", "Zeitlin 1991; Modin and Viviani 2020", casimirs),
)
