"""Fields of one's own: derived equations against numeric derivatives of the action, motions against others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.polynomial.legendre import leggauss

import nonholo as nh
from nonholo.fields import ConstrainedString, Field, SleighString, String, elastic_string, rod
from nonholo.fields.function_grid import chebyshev, interpolation

FINE = chebyshev(40)


def bent_band() -> Field:
    """A band whose speed is measured along itself, heavy at one end, with inertia of its shear."""
    return Field(
        "x y", "rho*(1 + s)*(u**2 + w**2)*(x_s**2 + y_s**2)/2 + b*u_s**2/2 - k*(x_s*y_ss - y_s*x_ss)**2/2 - y**2*x_s/3",
        velocity=("u w", {"xdot": "x_s*u - y_s*w", "ydot": "y_s*u + x_s*w"}), parameters={"rho": 1.3, "b": 0.2, "k": 0.4},
    )  # fmt: skip


def twisted_pair() -> Field:
    """Three functions with a map Ψ that bends with second derivatives, and a gyroscopic term."""
    return Field(
        "x y th", "(u**2 + w**2 + a*om**2 + x_s*om*u/3)/2 + y*om/4 - c*th_ss**2/2 - (x_s*cos(th) + y_s*sin(th) - 1)**2/2",
        velocity=("u w om", {"xdot": "(1 + x_s**2)*u - sin(th)*w", "ydot": "sin(th)*u + (2 + y_ss/5)*w + x*om/3",
        "thdot": "y*u/10 + om"}), parameters={"a": 0.6, "c": 0.3},
    )  # fmt: skip


def diffeomorphism() -> Field:
    """Maps of a line with the convective velocity ``q̇ = q_s ξ`` (Remark 3.1 in one dimension), compressible."""
    return Field(
        "q",
        "r*q_s**2*xi**2*(1 + q)/2 - k*q_s**4/4 - xi_s**2/9",
        velocity=("xi", {"qdot": "q_s*xi"}),
        parameters={"r": 0.7, "k": 0.5},
    )


FIELDS = [bent_band, twisted_pair, diffeomorphism]


def smooth(field: Field, seed: int, s: Any) -> tuple[Any, Any, Any]:
    """Generic smooth unknowns, components and test components on points."""
    random = np.random.default_rng(seed)
    n, c = len(field.words.unknowns), len(field.words.components)

    def some(size: int) -> Any:
        return np.array(
            [sum(random.normal() * 0.25 * np.cos(k * s + random.uniform(0, 6)) for k in (1, 2)) for _ in range(size)]
        )

    q = some(n)
    q[0] += 1.2 * s
    return q, some(c), some(c)


def numbers(field: Field, exprs: Any, q: Any, xi: Any, eta: Any, grid: Any) -> Any:
    """Expressions in the jets at the points of a grid, by spectral derivatives."""
    from nonholo.algebra.linear_equations import evaluate_all
    from nonholo.fields.density.jets import jet_name

    w = field.words
    table: dict[str, Any] = {"s": grid.points, "t": 0 * grid.points, **field.values}
    names = [*w.unknowns, *w.components, *(f"eta_{c}" for c in w.components)]
    for name, row in zip(names, [*q, *xi, *eta]):
        for k in range(5):
            table[jet_name(name, k)] = np.linalg.matrix_power(grid.derivative, k) @ row
    rows = [
        {n: float(np.broadcast_to(v, grid.points.shape)[i]) for n, v in table.items()} for i in range(len(grid.points))
    ]
    return evaluate_all(list(exprs), rows)


@pytest.mark.parametrize("make", FIELDS)
def test_weak_and_strong_equations_are_the_variation_of_the_action(make: Any) -> None:
    """``d/dε l(q + εΨη, ξ + ε[ξ, η])`` with the bracket by differences of Ψ, against (3.10) and, by parts, (3.11)."""
    field = make()
    system, equations = field.discretised(), field.equations
    grid = chebyshev(field.nodes)
    q, xi, eta = smooth(field, 3, grid.points)

    def psi(place: Any, comps: Any) -> Any:
        return system.velocity(0.0, place, comps)

    e = 1e-4
    moved, flow = psi(q, eta), psi(q, xi)
    twist = (psi(q + e * flow, eta) - psi(q - e * flow, eta) - psi(q + e * moved, xi) + psi(q - e * moved, xi)) / (
        2 * e
    )
    bracket = system.components(0.0, q, twist)
    shown = numbers(field, equations.bracket, q, xi, eta, grid).T
    np.testing.assert_allclose(bracket, shown, atol=2e-6)
    slope = (
        system.lagrangian(0.0, q + e * moved, xi + e * bracket)
        - system.lagrangian(0.0, q - e * moved, xi - e * bracket)
    ) / (2 * e)
    weak = grid.weights @ numbers(field, [equations.weak], q, xi, eta, grid)[:, 0]
    assert weak == pytest.approx(slope, rel=1e-5, abs=1e-6)
    strong = numbers(field, equations.force, q, xi, eta, grid)
    cut = np.prod([grid.points**3, (1 - grid.points) ** 3], axis=0) * 40
    weak = grid.weights @ numbers(field, [equations.weak], q, xi, eta * cut, grid)[:, 0]
    inside = float(np.sum(grid.weights[:, None] * strong * (eta * cut).T))
    assert inside == pytest.approx(weak, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("make", FIELDS)
def test_semidiscrete_motion_obeys_euler_and_lagrange(make: Any) -> None:
    """d/dt ∂L/∂q̇ = ∂L/∂q of ``L(q, q̇) = l(q, Ψ⁻¹q̇)`` on nodal values, by differences: no bracket, no dual."""
    field = make()
    system = field.discretised()
    q, xi, _ = smooth(field, 5, field.grid.points)
    rates = system.rates(0.0, np.concatenate([q.ravel(), xi.ravel()]))
    v, change = system.split(rates)

    def lagrangian(place: Any, velocity: Any) -> float:
        return system.lagrangian(0.0, place, system.components(0.0, place, velocity))

    def momentum(place: Any, velocity: Any, along: Any) -> float:
        """L is quadratic in the velocities, so this is exact."""
        return (lagrangian(place, velocity + along) - lagrangian(place, velocity - along)) / 2

    h = 1e-4
    second = system.velocity(0.0, q, change) + (
        system.velocity(0.0, q + h * v, xi) - system.velocity(0.0, q - h * v, xi)
    ) / (2 * h)
    for seed in (6, 7, 8):
        along = smooth(field, seed, field.grid.points)[0]
        left = (momentum(q + h * v, v, along) - momentum(q - h * v, v, along)) / (2 * h)
        left += momentum(q, v + second, along) - momentum(q, v, along)
        right = (lagrangian(q + h * along, v) - lagrangian(q - h * along, v)) / (2 * h)
        assert left == pytest.approx(right, rel=3e-5, abs=3e-5)


def drawn_string(nodes: int) -> tuple[dict[str, Any], dict[str, str]]:
    """A start for `String` and the same as nodal values."""
    grid = chebyshev(nodes)
    gauss, weights = leggauss(40)

    def integral(function: Any) -> Any:
        return np.array([b / 2 * weights @ function(b / 2 * (1 + gauss)) for b in grid.points])

    def angle(a: Any) -> Any:
        return 0.8 * np.cos(np.pi * a)

    rows = [integral(lambda a, f=f: f(angle(a))) for f in (np.cos, np.sin, lambda b: -np.sin(b), np.cos)]
    rows = [r - grid.weights @ r for r in rows]
    return dict(zip(("x", "y", "xdot", "ydot"), rows)), {"theta": "0.8*cos(pi*s)", "omega": "1"}


@pytest.mark.parametrize("tangential", [False, True])
def test_string_is_a_case_of_it(tangential: bool) -> None:
    """The inextensible string of the gallery, by its own boundary value problem for the tension."""
    field = elastic_string(nodes=22, tangential=tangential)
    start, words = drawn_string(22)
    run = field.simulate(start, until=0.4, t_eval=[0.0, 0.4])
    other = String(nodes=32).simulate(words, until=0.4, t_eval=[0.0, 0.4])
    onto = interpolation(32, field.grid.points)
    close = 1e-4 if tangential else 2e-9  # ż = z_s ξ has its velocities at the nodes alone
    for name in "xy":
        np.testing.assert_allclose(run[name][-1], onto @ other[name][-1], atol=close)
    np.testing.assert_allclose(-2 * run["multiplier1"][-1], onto @ other["tension"][-1], atol=100 * close)
    assert all(f.verdict == "holds" for f in field.facts(run))
    assert len(field.facts(run)) == 4


def test_natural_conditions_are_what_integration_by_parts_leaves() -> None:
    field = rod(stretching=4, shearing=3, bending=0.7, gravity=1.1)
    grid, equations = field.grid, field.equations
    q, xi, eta = smooth(field, 9, grid.points)
    weak, *found = numbers(field, [equations.weak, *equations.force, *equations.natural], q, xi, eta, grid).T
    inside = sum(grid.weights @ (f * e) for f, e in zip(found[:3], eta))
    bound = sum(e[-1] * n[-1] - e[0] * n[0] for n, e in zip(found[3:], eta))
    assert inside + bound == pytest.approx(grid.weights @ weak, rel=1e-9)
    assert abs(bound) > 1e-2


def test_string_with_its_own_density_hangs_as_statics_says() -> None:
    """tan θ = s + s³ is the rest shape of ρ = (H/g)(1 + 3s²), with tension H/cos θ: no acceleration, that tension."""
    field = elastic_string(density="1 + 3*s**2", gravity="g", ends="held", nodes=20, parameters={"g": 2.0})
    s = field.grid.points
    gauss, weights = leggauss(40)
    inner = [b / 2 * (1 + gauss) for b in s]
    slope = [a + a**3 for a in inner]
    x = np.array([b / 2 * weights @ (1 / np.sqrt(1 + k**2)) for b, k in zip(s, slope)])
    y = np.array([b / 2 * weights @ (k / np.sqrt(1 + k**2)) for b, k in zip(s, slope)])
    run = field.simulate({"x": x, "y": y}, until=1e-3, t_eval=[0.0])
    system = field.discretised()
    assert np.max(np.abs(system.rates(0.0, np.concatenate([x, y, 0 * x, 0 * x]))[40:])) < 1e-6
    np.testing.assert_allclose(-2 * run["multiplier1"][0], 2.0 * np.sqrt(1 + (s + s**3) ** 2), atol=1e-7)
    pushed = elastic_string(ends="held", nodes=20, forces={"y": "-2*(1 + 3*s**2)"}).discretised()
    assert np.max(np.abs(pushed.rates(0.0, np.concatenate([x, y, 0 * x, 0 * x]))[40:])) < 1e-6


def test_clamped_beam_has_its_frequency() -> None:
    """A stiff straight rod clamped at one end: the lowest frequency of Euler and Bernoulli, k² = 1.8751041²."""
    field = Field("y", "ydot**2/2 - y_ss**2/2", ends={"start": {"y": 0, "y_s": 0}}, nodes=12)
    system = field.discretised()
    count = field.nodes
    slopes = np.array([system.rates(0.0, e)[count:] for e in np.eye(2 * count)[:count]]).T
    rows = np.array([np.eye(count)[0], field.grid.derivative[0]])
    free = np.linalg.svd(rows)[2][2:].T
    found = np.sort(-np.linalg.eigvals(free.T @ slopes @ free).real)
    assert np.sqrt(found[:2]) == pytest.approx([1.8751040687**2, 4.6940911329**2], rel=1e-6)


def test_rod_turns_like_a_rigid_body_and_waves_run_along_it() -> None:
    """A free straight rod that turns stretches by ρΩ²; its momenta in SE(2) are kept; shear waves have their speed."""
    field = rod(density=1.2, inertia=0.03, bending=0.5, stretching=30.0, shearing=12.0, nodes=12)
    run = field.simulate({"x": "s - 0.5", "w": "0.8*(s - 0.5)", "om": "0.8", "u": "0.1"}, until=0.4, t_eval=5)
    assert all(f.verdict == "holds" for f in field.facts(run))
    assert np.ptp(run["angular_momentum"]) < 1e-10
    assert run["angular_momentum"][0] == pytest.approx(0.8 * (1.2 / 12 + 0.03))


def snake(nodes: int = 9) -> Field:
    return rod(
        bending=0.6, inertia=0.02, stretching=40.0, shearing=25.0, curvature="kap", inputs="kap", slips=False, nodes=nodes,
        forces={"om": "-0.2*om"},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("strength", "wave", "beat", "forward"), [(2.0, 6.0, -3.0, "0.3 + 0.1*s"), (1.3, 4.0, 1.0, "-0.2"), (0.7, 9.0, -5.0, "0.1*s")]
)
def test_snake_cannot_slip_and_its_reactions_do_no_work(strength: float, wave: float, beat: float, forward: str) -> None:
    """The constrained equations (4.4): what is missing in Hamel's equations is a reaction along w alone; power in =
    energy out."""
    field = snake()
    s = field.grid.points
    start = {"x": "s", "y": "0.05*sin(3*s)", "th": "0.15*cos(3*s)", "u": forward}
    law = f"{strength}*sin({wave}*s + {beat}*t)"
    run = field.simulate(start, until=0.3, t_eval=4, inputs={"kap": law})
    assert np.max(np.abs(run["w"])) < 1e-10
    system = field.discretised({"kap": law})
    y = np.concatenate([run[n][-1] for n in ("x", "y", "th", "u", "w", "om")])
    q, xi = system.split(y)
    mass, force, *_ = system.unconstrained(0.3, q, xi)
    gap = (mass @ system.rates(0.3, y)[3 * len(s) :] - force).reshape(3, -1)
    assert np.max(np.abs(gap[[0, 2]])) < 1e-9 < np.max(np.abs(gap[1]))
    h, (gauss, weights) = 1e-5, leggauss(30)
    fine = (1 + gauss) / 2
    onto = interpolation(len(s), fine)
    rates = system.rates(0.3, y)

    def energy(step: float) -> float:
        return system.energy(0.3 + step, *system.split(y + step * rates))

    phase = wave * fine + 0.3 * beat
    strain, push = onto @ field.grid.derivative @ q[2] - strength * np.sin(phase), strength * beat * np.cos(phase)
    power = -weights / 2 @ (0.6 * strain * push + 0.2 * (onto @ xi[2]) ** 2)  # −∂L/∂t by the muscles, and the drag
    assert (energy(h) - energy(-h)) / (2 * h) == pytest.approx(power, rel=1e-5)


def test_constrained_string_and_the_towing_sleigh_are_cases_of_it() -> None:
    """(4.5)–(4.11): with w = 0 and |z_s| = 1 all points have one speed, which stays; also with a mass at the front."""
    words: dict[str, Any] = {"constraint": "w", "nodes": 22, "parameters": {"m": 2.5}}
    for ends in (None, {"start": {"lagrangian": "m*(xdot**2 + ydot**2)/2"}}):
        field = elastic_string(tangential=True, ends=ends, **words)
        start, _ = drawn_string(22)
        system = field.discretised()
        y = np.concatenate([start["x"], start["y"], np.full(22, -0.7), np.zeros(22)])
        assert np.max(np.abs(system.rates(0.0, y)[44:])) < 1e-7
        assert np.max(np.abs(system.residuals(0.0, y)[1])) < 1e-7
    text = [str(e) for e in elastic_string(tangential=True).equations.force]
    at = {"x_s": 1, "y_s": 0, "w": 0, "w_s": 0, "y_ss": 0.3, "x_ss": 0, "u": 0.7, "u_s": 0.4}
    from nonholo.notation.read import expression

    along = expression(text[0], list(at), "force").subs(at)
    assert float(along) == pytest.approx(0.7 * 0.4)  # ξ ξ_s of (4.5)
    assert ConstrainedString(nodes=16).nodes == 16
    assert SleighString is not None


def test_loops_are_periodic() -> None:
    """A closed elastic loop under tension: its breathing frequency ω² = EA/(ρ R²) for a circle of rest length 2π."""
    field = elastic_string(stretching=3.0, density=1.5, ends="periodic", length=2 * np.pi, nodes=15)
    run = field.simulate({"x": "1.001*cos(s)", "y": "1.001*sin(s)"}, until=2.0, t_eval=41)
    radius = np.hypot(run["x"], run["y"]).mean(axis=1)
    np.testing.assert_allclose(radius, 1 + 1e-3 * np.cos(np.sqrt(3.0 / 1.5) * np.asarray(run["t"])), atol=2e-9)
    assert run.plot("x", "y") is not None


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Field("x", "x_s**2"), "nothing has mass"),
        (lambda: Field("x y", "u**2", velocity=("u", {"xdot": "u", "ydot": "u"})), "give as many"),
        (lambda: Field("x y", "u**2", velocity=("u w", {"xdot": "u", "ydot": "2*u"})), "cannot be inverted"),
        (lambda: Field("x", "u**2", velocity=("u", {"xdot": "u**2"})), "not linear"),
        (lambda: Field("x", "xdot**2", constraint="xdot**2 - 1"), "not linear"),
        (lambda: Field("x", "xdot**2", constraint="x"), "no velocity"),
        (lambda: Field("x", "xdot**2/2*z"), "unknown name"),
        (lambda: Field("x", "xdot**2/2", ends={"begin": "held"}), "start"),
        (lambda: Field("x", "xdot**2/2", ends={"start": ["y"]}), "no unknown"),
        (lambda: Field("x", "xdot**2/2", forces={"y": 1}), "no unknown"),
        (lambda: Field("x", "k*xdot**2/2", inputs="k"), "input in the kinetic energy"),
        (lambda: Field("s", "sdot**2/2"), "two things"),
        (lambda: Field("x", "xdot**2/2", nodes=2), "nodes"),
        (lambda: rod(slips=False), "front end"),
        (lambda: elastic_string().simulate({"x": "2*s"}), "breaks its positional"),
        (lambda: Field("x", "xdot**2/2").simulate({"z": 1}), "no 'z'"),
        (lambda: Field("x", "xdot**2/2").simulate({}, method="euler"), "method"),
        (lambda: Field("x y", "xdot**2/2 - y**2").simulate({"x": "s"}), "inertia"),
    ],
)
def test_bad_fields_say_why_in_one_line(call: Any, words: str) -> None:
    with pytest.raises(nh.NonholoError) as caught:
        run = call()
        run.words if isinstance(run, Field) else None
    assert words in str(caught.value)


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_a_moved_end_drives_the_wave_that_belongs_to_it(method: str) -> None:
    """u = sin(s) cos(t) solves the wave equation; its end moves by sin(1) cos(t); both methods follow it."""
    field = Field("u", "udot**2/2 - u_s**2/2", ends={"start": {"u": 0}, "end": {"u": "sin(1)*cos(t)"}}, nodes=12)
    run = field.simulate({"u": "sin(s)"}, until=0.8, t_eval=3, method=method, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(run["u"][-1], np.sin(field.grid.points) * np.cos(0.8), atol=1e-6)


def test_film_and_file_of_an_own_field(tmp_path: Any) -> None:
    field = rod(stretching=30.0, shearing=20.0, nodes=8)
    run = field.simulate({"x": "s", "om": "0.5*cos(pi*s)"}, until=0.05, t_eval=3)
    assert "</html>" in run.film(tmp_path / "rod.html").read_text("utf-8")[-20:]
    run.save(tmp_path / "rod.nc")
    np.testing.assert_array_equal(nh.open(tmp_path / "rod.nc")["th"], run["th"])
