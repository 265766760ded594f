"""JAX's foreign functions against the pure form, finite differences and the model's own numbers."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import nonholo as nh
from nonholo.model.system import without_laws

RACER = nh.gallery.get("roller-racer")
SYSTEM = without_laws(RACER.system)


def test_rates_and_derivatives_are_those_of_the_pure_form() -> None:
    sleigh = nh.System(
        name="driven sleigh", coordinates="theta x y", parameters="m J a", inputs="u", forces={"theta": "u*cos(x)"},
        lagrangian="m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2",
        constraints=["ydot*cos(theta) - xdot*sin(theta)"],
        quasivelocities={"omega": "thetadot", "v": "xdot*cos(theta) + ydot*sin(theta)"},
    )  # fmt: skip
    native, pure = nh.export(sleigh, "jax_ffi"), nh.export(sleigh, "jax")
    x, u, p = jnp.array([0.1, -0.3, 0.2, 0.7, 0.4]), jnp.array([0.3]), jnp.array([1.3, 0.7, 0.4])
    change = (0.0, x[::-1] + 0.3, u * 2, p - 0.9)
    values, pushed = jax.jvp(pure.rates, (0.0, x, u, p), change)
    found, moved = jax.jvp(jax.jit(native.rates), (0.0, x, u, p), change)
    assert jnp.allclose(found, values, atol=1e-13)
    assert jnp.allclose(moved, pushed, atol=1e-12)
    weights = jnp.array([0.3, -1.2, 0.8, 0.5, 1.7])
    pulled = jax.jit(jax.grad(lambda *at: weights @ native.rates(*at), argnums=(0, 1, 2, 3)))(0.0, x, u, p)
    assert sum(jnp.vdot(a, b) for a, b in zip(pulled, change)) == pytest.approx(float(weights @ pushed), rel=1e-12)


@pytest.mark.parametrize("members", [1, 8, 13])
def test_vmap_goes_by_lanes_whatever_the_number_of_members(members: int) -> None:
    native, model = nh.export(SYSTEM, "jax_ffi"), nh.prepare(SYSTEM, RACER.parameters)
    assert native.state == model.names
    p = np.array([RACER.parameters[n] for n in native.parameters])
    states = np.random.default_rng(1).uniform(0.3, 0.9, (members, 6))
    driving = np.linspace(-1, 1, members)[:, None]
    found = jax.jit(jax.vmap(native.rates, (None, 0, 0, None)))(0.0, states, driving, p)
    assert np.allclose(found, model.vector(states, driving), atol=1e-13)
    slopes = jax.vmap(jax.grad(lambda x, u: native.rates(0.0, x, u, p)[4]))(states, driving)
    assert np.allclose(slopes[-1], model.jacobian(states[-1], driving[-1])[4], atol=1e-12)


def test_gradients_go_through_a_whole_motion() -> None:
    """Where fifty Runge–Kutta steps lead, by the torque: reverse mode against central differences and the true motion."""
    native = nh.export(SYSTEM, "jax_ffi")
    p = jnp.array([RACER.parameters[n] for n in native.parameters])
    start = {"phi": 0.7, "v": 0.3, "omega": -0.2}
    full = nh.complete_state(SYSTEM, start, RACER.parameters)
    x = jnp.array([full[n] for n in native.state])

    @jax.jit
    def end(torque: jax.Array) -> jax.Array:
        def step(y: jax.Array, _: None) -> tuple[jax.Array, None]:
            u, h = torque[None], 0.01
            a = native.rates(0.0, y, u, p)
            b = native.rates(0.0, y + h / 2 * a, u, p)
            c = native.rates(0.0, y + h / 2 * b, u, p)
            d = native.rates(0.0, y + h * c, u, p)
            return y + h / 6 * (a + 2 * b + 2 * c + d), None

        return jax.lax.scan(step, x, None, 50)[0][0]

    slope = float(jax.grad(end)(jnp.array(0.3)))
    assert slope == pytest.approx(float(end(jnp.array(0.3 + 1e-5)) - end(jnp.array(0.3 - 1e-5))) / 2e-5, rel=1e-6)
    run = nh.simulate(SYSTEM, start, 0.5, RACER.parameters, inputs={"tau": 0.3})
    assert float(end(jnp.array(0.3))) == pytest.approx(run.final["x"], abs=1e-8)


def test_machine_code_is_not_written_to_a_file() -> None:
    with pytest.raises(nh.ModelError, match="export to jax for a file"):
        nh.export(SYSTEM, "jax_ffi", "racer.py")


def test_derivatives_by_each_argument_and_by_several_are_columns_of_one_jacobian() -> None:
    """By the state alone another function is called than by inputs, parameters and time."""
    pull = nh.System(
        coordinates="q r", parameters={"k": 2.0, "c": 0.3}, lagrangian="qdot**2/2 + rdot**2*(1 + q**2)/2 - k*q**2/2*cos(r)",
        forces={"q": "u - c*qdot", "r": "sin(t)*u"}, inputs="u",
    )  # fmt: skip
    functions = nh.export(pull, "jax_ffi")
    given = (0.4, np.array([0.3, -0.2, 0.7, 0.5]), np.array([0.6]), np.array([2.0, 0.3]))
    whole = np.asarray(functions.jacobian(*given))
    rates = nh.prepare(pull)
    assert whole.shape == (4, 8)
    edges = {0: slice(0, 1), 1: slice(1, 5), 2: slice(5, 6), 3: slice(6, 8)}
    for place, part in edges.items():
        for derivative in (jax.jacfwd, jax.jacrev):
            found = np.asarray(jax.jit(derivative(functions.rates, place))(*given)).reshape(4, -1)
            assert np.allclose(found, whole[:, part], rtol=1e-12, atol=1e-13)
    both = jax.jit(jax.jacfwd(functions.rates, (1, 3)))(*given)
    assert np.allclose(np.hstack([np.asarray(e) for e in both]), whole[:, [1, 2, 3, 4, 6, 7]], rtol=1e-12, atol=1e-13)
    assert np.allclose(whole[:, 1:5], rates.jacobian(given[1], given[2], 0.4), rtol=1e-10, atol=1e-12)
