"""The variational principle, forms on TQ, Dirac structures, multipliers in a frame, brackets on D/G; systems of no gallery."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo.algebra.linear_equations import evaluate, evaluate_matrix
from nonholo.derive.laws.check import random_states

TROLLEY = nh.System(
    name="trolley", coordinates="th x y be", parameters="m J a i",
    lagrangian="m/2*((xdot - a*thdot*sin(th))**2 + (ydot + a*thdot*cos(th))**2) + J/2*thdot**2 + i/2*(thdot + bedot)**2"
    " - cos(be)",
    constraints=["ydot*cos(th) - xdot*sin(th) + bedot/3*cos(be)"], symmetry=nh.planar_motion("x", "y", "th"),
)  # fmt: skip
CHARGED = nh.System(
    name="charged bead", coordinates="x y z", parameters="m B k",
    lagrangian="m*(xdot**2 + (2 + z**2)*ydot**2 + zdot**2)/2 - k*z**2/2 + y*xdot", constraints=["zdot - y*xdot"],
    magnetic={("x", "y"): "B*y"}, forces={"y": "-ydot/3"},
)  # fmt: skip
BODY = nh.System(
    name="body with a skewed wheel", frame=nh.SO3("R", rates="w1 w2 w3"), parameters="A B C g c",
    lagrangian="(A*w1**2 + B*w2**2 + C*w3**2)/2 - g*R33", constraints=["w1*c + w3"],
)  # fmt: skip
ALGEBRA = nh.System(
    name="affine body", frame=nh.LieAlgebra({("e1", "e2"): "e2", ("e1", "e3"): "2*e3"}), parameters="k",
    lagrangian="(e1**2 + k*e2**2 + e3**2)/2 + e1*e3/3", constraints=["e2 - e1/2"],
)  # fmt: skip
SYSTEMS = [TROLLEY, CHARGED, BODY, ALGEBRA]


def places(system: nh.System, seed: int = 9, count: int = 3) -> list[tuple[dict[str, float], dict[str, float], dict[str, float]]]:
    """States, parameters, and all rates by multipliers."""
    equations = nh.multipliers(system)
    found = []
    for place in random_states(system, None, count, seed):
        known = {*equations.state, *equations.outputs, "t"}
        flow = equations.rates({n: e for n, e in place.values.items() if n in known}, place.parameters)
        found.append((place.values, place.parameters, flow))
    return found


def run_of(system: nh.System, until: float = 1.0, steps: int = 401) -> nh.Trajectory:
    values, parameters, _ = places(system, 21, 1)[0]
    start = {n: values[n] for n in (*system.coordinates, *system.velocities)}
    return nh.simulate(system, start, until, parameters, rtol=1e-12, atol=1e-13, t_eval=steps)


def rate_along(system: nh.System, exprs: list[Any], values: Any, parameters: Any, flow: Any, h: float = 1e-5) -> Any:
    names = (*system.coordinates, *system.velocities)
    ahead, behind = (
        np.array(evaluate(exprs, {**parameters, **values, **{n: values[n] + k * h * flow[n] for n in names}})) for k in (1, -1)
    )
    return (ahead - behind) / (2 * h)


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda s: s.name)
def test_hamel_terms_balance_up_to_a_reaction(system: nh.System) -> None:
    """d/dt ∂l/∂v − [v, ∂l/∂v]* − u[l] − Q annihilates D, with rates by multipliers."""
    terms = nh.forms.hamel_terms(system)
    rows = nh.forms.hamel_multipliers(system).forms
    for values, parameters, flow in places(system):
        left = rate_along(system, list(terms.momenta.values()), values, parameters, flow)
        right = [a + b + c for a, b, c in zip(terms.dual.values(), terms.slopes.values(), terms.forces.values())]
        gap = left - evaluate(right, {**parameters, **values})
        slopes = evaluate_matrix(rows, {**parameters, **values})
        rest = gap - slopes.T @ np.linalg.lstsq(slopes.T, gap, rcond=None)[0]
        assert np.max(np.abs(rest)) < 1e-7
        assert np.max(np.abs(gap)) > 1e-4


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda s: s.name)
def test_multipliers_in_the_frame_give_the_accelerations(system: nh.System) -> None:
    found = nh.forms.hamel_multipliers(system)
    for values, parameters, flow in places(system):
        state = {n: values[n] for n in (*system.coordinates, *system.velocities)}
        rates = found.equations.rates(state, parameters)
        for n in system.velocities:
            assert rates[n] == pytest.approx(flow[n], rel=1e-8, abs=1e-8)
        numbers = found.at(state, parameters)
        assert numbers["lambda1"] == pytest.approx(flow["lambda1"], rel=1e-8, abs=1e-8)
        # b = G⁻¹ a
        metric, forms = evaluate_matrix(found.equations.mass, {**parameters, **values}), found.forms
        duals = evaluate_matrix(found.duals, {**parameters, **values})
        assert metric @ duals[0] == pytest.approx(evaluate_matrix(forms, {**parameters, **values})[0], abs=1e-10)


def test_multipliers_in_another_frame() -> None:
    frame = nh.SE2("th x y", rates="w u n") * nh.Euclidean("be")
    found = nh.forms.hamel_multipliers(TROLLEY, frame)
    assert set(found.reactions) == {"w", "u", "n", "bedot"}
    for values, parameters, flow in places(TROLLEY):
        c, s = np.cos(values["th"]), np.sin(values["th"])
        state = {**{n: values[n] for n in TROLLEY.coordinates}, "w": values["thdot"], "bedot": values["bedot"]}
        state |= {"u": c * values["xdot"] + s * values["ydot"], "n": c * values["ydot"] - s * values["xdot"]}
        numbers = found.at(state, parameters)
        assert numbers["lambda1"] == pytest.approx(flow["lambda1"], rel=1e-8)
        assert numbers["reaction_n"] == pytest.approx(flow["lambda1"], rel=1e-8)  # the residual is n + bedot cos(be)/3
        assert numbers["reaction_u"] == pytest.approx(0.0, abs=1e-9)


WAYS: list[tuple[nh.System, dict[str, str]]] = [
    (TROLLEY, {"thdot": "sin(pi*t)*t", "xdot": "t**2*(1 - t)*cos(th)", "ydot": "t**2*(1 - t)*sin(th)"}),
    (TROLLEY, {"bedot": "sin(pi*t)", "xdot": "sin(th)*cos(be)/3*sin(pi*t)", "ydot": "-cos(th)*cos(be)/3*sin(pi*t)"}),
    (CHARGED, {"ydot": "sin(pi*t)**2", "xdot": "t*(1 - t)"}),
    (BODY, {"w2": "sin(pi*t)", "w1": "t*(1 - t)**2"}),
    (ALGEBRA, {"e1": "sin(pi*t)", "e3": "t**2*(1 - t)"}),
]


@pytest.mark.parametrize(("system", "w"), WAYS, ids=lambda e: e.name if isinstance(e, nh.System) else "")
def test_action_of_a_motion_is_critical_along_admissible_variations(system: nh.System, w: dict[str, str]) -> None:
    run = run_of(system)
    found = nh.forms.action_variation(run, w)
    assert found.inside and found.critical, str(found.critical)
    assert abs(found.boundary) < 1e-9 * found.scale


def test_action_is_not_critical_across_the_constraints_or_off_the_motion() -> None:
    run = run_of(TROLLEY)
    across = nh.forms.action_variation(run, {"ydot": "sin(pi*t)", "xdot": "sin(pi*t)/2", "thdot": "0"})
    assert not across.inside and across.critical.verdict == "fails"
    # a motion of other masses is no motion of this system
    other = {**run.parameters, "J": 3.0 * run.parameters["J"]}
    wrong = nh.simulate(TROLLEY, {n: float(np.asarray(run[n])[0]) for n in (*TROLLEY.coordinates, *TROLLEY.velocities)}, 1.0,
                        other, rtol=1e-12, atol=1e-13, t_eval=401)  # fmt: skip
    forged = type("Run", (), {"system": TROLLEY, "times": wrong.times, "parameters": run.parameters,
                              "__getitem__": lambda self, n: wrong[n]})()  # fmt: skip
    assert nh.forms.action_variation(forged, {"thdot": "sin(pi*t)"}).critical.verdict == "fails"


def test_variation_is_the_derivative_of_the_action() -> None:
    """Theorem 2.1 against differences of the action of moved curves, q + ε δq with their own velocities, at fixed ends."""
    system = nh.System(coordinates="x y", lagrangian="(xdot**2 + (1 + x**2)*ydot**2)/2 - x*y**2",
                       frame=nh.Frame(coordinates="x y", velocities="a b", anchor=[["1", "0"], ["x", "1 + y**2"]]))  # fmt: skip
    run = nh.simulate(system, {"x": 0.3, "y": -0.4, "a": 0.8, "b": 0.5}, 1.0, t_eval=2001, rtol=1e-12, atol=1e-13)
    found = nh.forms.action_variation(run, {"a": "sin(pi*t)", "b": "t*(1 - t)**2"})
    t = np.asarray(run.times)
    x, y = np.asarray(run["x"]), np.asarray(run["y"])
    w = np.stack([np.sin(np.pi * t), t * (1 - t) ** 2])
    push = np.stack([w[0], x * w[0] + (1 + y**2) * w[1]])  # δq = w^i u_i

    def moved(e: float) -> float:
        from scipy.integrate import simpson
        from scipy.interpolate import CubicSpline

        q = np.stack([x, y]) + e * push
        v = np.stack([CubicSpline(t, row).derivative()(t) for row in q])
        l = (v[0] ** 2 + (1 + q[0] ** 2) * v[1] ** 2) / 2 - q[0] * q[1] ** 2
        return float(simpson(l, x=t))

    # off the motion the variation is not zero: bend the curve first
    assert (moved(1e-4) - moved(-1e-4)) / 2e-4 == pytest.approx(found.variation, abs=1e-7)
    assert moved(0.0) == pytest.approx(found.action, rel=1e-8)


@pytest.mark.parametrize("system", [TROLLEY, CHARGED, BODY], ids=lambda s: s.name)
def test_intrinsic_form_holds_along_motions(system: nh.System) -> None:
    forms = nh.forms.lagrangian_forms(system)
    plain = forms.system
    if system is CHARGED:  # forces that are no magnetic form are no part of the intrinsic form
        system = plain = nh.System(name="bead", coordinates="x y z", parameters="m B k", lagrangian=CHARGED.lagrangian,
                                   constraints=CHARGED.constraints, magnetic=dict(CHARGED.magnetic))  # fmt: skip
        forms = nh.forms.lagrangian_forms(system)
    assert forms.symplectic
    witness = nh.multipliers(plain)
    for place in random_states(plain, None, 3, 2):
        state = {n: place.values[n] for n in witness.state}
        rates = witness.rates(state, place.parameters)
        assert forms.distance(state, rates, place.parameters) < 1e-8
        wrong = {**rates, str(forms.variables[-1]): rates[str(forms.variables[-1])] + 0.1}
        assert forms.distance(state, wrong, place.parameters) > 1e-4


def test_a_magnetic_form_that_is_not_closed_is_told() -> None:
    open_form = nh.System(coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2", magnetic={("x", "y"): "z"})
    assert nh.forms.lagrangian_forms(open_form).symplectic.verdict == "fails"


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda s: s.name)
def test_dirac_structure_is_isotropic_and_gives_hamel_back(system: nh.System) -> None:
    found = nh.forms.dirac(system)
    assert found.isotropic and found.regained
    for values, parameters, flow in places(system):
        momenta = list(found.legendre)
        rates = rate_along(system, momenta, values, parameters, flow)
        state = {n: values[n] for n in (*system.coordinates, *system.velocities)}
        state |= dict(zip(map(str, found.momenta), evaluate(momenta, {**parameters, **values}).tolist()))
        parts = found.residuals(state, dict(zip(map(str, found.momenta), rates)), parameters)
        assert max(map(abs, parts.values())) < 1e-7
        n = len(system.velocities)
        assert len(parts) == 3 * n


@pytest.mark.parametrize("system", [TROLLEY], ids=lambda s: s.name)
def test_dirac_in_another_frame(system: nh.System) -> None:
    assert nh.forms.dirac(system, nh.SE2("th x y", rates="w u n") * nh.Euclidean("be")).regained


def test_nonlinear_constraints_have_no_dirac_structure() -> None:
    curved = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - y", constraints=["xdot**2 + ydot**2 - 1"])
    with pytest.raises(nh.ModelError, match="linear or affine"):
        nh.forms.dirac(curved)
    with pytest.raises(nh.ModelError, match="linear in the velocities"):
        nh.forms.hamel_multipliers(curved)
    with pytest.raises(nh.ModelError, match="where a run"):
        nh.forms.action(curved)
    with pytest.raises(nh.ModelError, match="none of the velocities"):
        nh.forms.action_variation(run_of(TROLLEY, steps=41), {"q": "t"})


REDUCED = [
    TROLLEY,
    nh.System(name="two shapes", coordinates="r s x z", parameters="k", constraints=["zdot - (r + s**2)*xdot"],
              lagrangian="(rdot**2 + (1 + r**2)*sdot**2 + xdot**2 + zdot**2)/2 - k*r*s"),
    nh.System(name="blade", coordinates="th x y", parameters="m J a", constraints=["ydot*cos(th) - xdot*sin(th)"],
              lagrangian="m/2*((xdot - a*thdot*sin(th))**2 + (ydot + a*thdot*cos(th))**2) + J/2*thdot**2"),
]  # fmt: skip


@pytest.mark.parametrize("system", REDUCED, ids=lambda s: s.name)
def test_bracket_on_the_quotient_moves_shape_and_momenta(system: nh.System) -> None:
    """(ṙ, Ṗ) = J ∇H against multipliers; the bracket is skew, and the energy constant."""
    from nonholo.symmetry.reduction.reduced_equations import speeds_of

    red = nh.reduce(system)
    poisson = nh.forms.almost_poisson(red)
    variables = (*poisson.coordinates, *poisson.momenta)
    slope = [poisson.hamiltonian.diff(s) for s in variables]
    forms = speeds_of(red)
    h = red.frame.horizontal
    lifted = [sum((red.shape.lift([e])[0] * forms[n] for e, n in zip(row, red.rates)), 0) for row in red.metric]
    shapes = [red.shape.functions[red.shape.names.index(str(s))] for s in poisson.coordinates]
    written = [*shapes, *lifted, *(forms[n] for n in red.momenta)]
    assert len(lifted) == h
    for values, parameters, flow in places(system):
        here = dict(zip(map(str, variables), evaluate(written, {**parameters, **values}).tolist()))
        matrix = evaluate_matrix(poisson.matrix, {**parameters, **here})
        assert matrix == pytest.approx(-matrix.T)
        found = matrix @ evaluate(slope, {**parameters, **here})
        assert found == pytest.approx(rate_along(system, written, values, parameters, flow), rel=1e-6, abs=1e-6)


def test_brackets_of_functions_on_the_quotient() -> None:
    red = nh.reduce(REDUCED[2])
    assert nh.forms.jacobiator(red)  # two momenta alone: every bracket in the plane is Poisson
    assert nh.forms.jacobiator(nh.reduce(TROLLEY)).verdict == "fails"
    one = nh.forms.bracket(red, "p1**2", "p2")
    two = nh.forms.bracket(red, "p1", "p2")
    here = {"p1": 0.7, "p2": -0.3, "m": 1.2, "J": 0.5, "a": 0.4}
    assert evaluate([one], here)[0] == pytest.approx(2 * 0.7 * evaluate([two], here)[0])
    with pytest.raises(nh.ParseError, match="unknown name"):
        nh.forms.bracket(red, "x", "p1")


def test_ad_and_its_duals() -> None:
    frame = nh.LieAlgebra({("e1", "e2"): "e2", ("e1", "e3"): "2*e3"})
    random = np.random.default_rng(3)
    v, w, alpha = random.uniform(-1, 1, (3, 3))
    left = np.array([float(e) for e in nh.frames.ad_star(frame, v.tolist(), alpha.tolist())]) @ w
    right = np.array([float(e) for e in nh.frames.ad(frame, v.tolist(), w.tolist())]) @ alpha
    assert left == pytest.approx(right)
    assert not nh.frames.unimodular(frame) and nh.frames.unimodular(nh.SO3("R"))
    assert [float(e) for e in nh.frames.trace_form(frame)] == [3.0, 0.0, 0.0]
    # Ad_exp is an automorphism: Ad [v, w] = [Ad v, Ad w]
    whole = nh.frames.Ad(frame, {"e1": 0.3, "e2": -0.7, "e3": 0.2})
    bracket = [float(e) for e in nh.frames.ad(frame, v.tolist(), w.tolist())]
    moved = [float(e) for e in nh.frames.ad(frame, (whole @ v).tolist(), (whole @ w).tolist())]
    assert whole @ bracket == pytest.approx(moved)
    with pytest.raises(nh.ModelError, match="no group coordinates"):
        nh.frames.Ad(frame)
    with pytest.raises(nh.ModelError, match="no velocity 'q'"):
        nh.frames.ad(frame, {"q": 1}, {"e1": 1})


GROUPS = [nh.SE2("th x y"), nh.SO3("R"), nh.Quaternion("q"), nh.SE3("R", "x y z")]


@pytest.mark.parametrize("frame", GROUPS, ids=["SE2", "SO3", "Quaternion", "SE3"])
def test_spatial_velocities_are_ad_of_those_in_the_body(frame: nh.Frame) -> None:
    from nonholo.geometry.frames.frame import sample

    place = sample(frame, 5)
    other = nh.spatial(frame)
    body = np.random.default_rng(4).uniform(-1, 1, frame.size)
    momentum = np.random.default_rng(5).uniform(-1, 1, frame.size)
    whole = evaluate_matrix(nh.frames.Ad(frame), place)
    rates = evaluate_matrix(frame.anchor, place) @ body
    assert evaluate_matrix(other.anchor, place) @ (whole @ body) == pytest.approx(rates, abs=1e-10)
    star = evaluate_matrix(nh.frames.Ad_star(frame), place)
    assert (star @ momentum) @ (whole @ body) == pytest.approx(momentum @ body)


def test_results_show_formulas_and_not_their_fields() -> None:
    red = nh.reduce(TROLLEY)
    shown = [
        nh.forms.hamel_terms(TROLLEY), nh.forms.hamel_multipliers(TROLLEY), nh.forms.lagrangian_forms(TROLLEY),
        nh.forms.almost_poisson(TROLLEY), nh.forms.dirac(TROLLEY), nh.SE2("th x y"), red.coefficients, *red.paper.values(),
    ]  # fmt: skip
    for one in shown:
        assert "System(" not in repr(one) and f"{type(one).__name__}(" not in repr(one) and "=" in str(one)
    assert str(nh.SE2("th x y", rates="w u v")).splitlines()[-2:] == ["[w, u] = v", "[w, v] = -u"]
