"""Systems of points, the nine steps and the two ways to write constraints, against Newton's equations and the witness."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo.algebra.linear_equations import evaluate
from nonholo.notation.read import expression

PARAMETERS = {"m1": 1.3, "m2": 0.6, "m3": 0.9, "l": 0.8, "k": 1.7, "g": 9.81, "e": 1.1, "b": 0.7, "c": 0.4}
RANDOM = np.random.default_rng(5)


def towed() -> tuple[nh.System, dict[str, Any]]:
    """Two points on a bar pulled by a spring; a blade under the first one."""
    points: dict[str, Any] = {
        "masses": ["m1", "m2"],
        "positions": [("x", "y"), ("x + l*cos(phi)", "y + l*sin(phi)")],
        "forces": [("-k*x", "-k*y - c*ydot"), None],
    }
    return nh.particles(**points, coordinates="x y phi", constraints=["xdot*sin(phi) - ydot*cos(phi)"]), points


def swung() -> tuple[nh.System, dict[str, Any]]:
    """Three points in space on a bar that swings while it slides; the speeds are tied by an affine constraint."""
    points: dict[str, Any] = {
        "masses": ["m1", "m2", "m3"],
        "positions": [("s", 0, 0), ("s + l*sin(u)", "l*cos(u)*sin(w)", "-l*cos(u)*cos(w)"), ("0", "w", "s**2/2")],
        "forces": [(0, 0, "-m1*g"), (0, "-c*wdot", "-m2*g"), (0, 0, "-m3*g")],
    }
    return nh.particles(**points, coordinates="s u w", constraints=["sdot - u*wdot - 1/2"]), points


def driven() -> tuple[nh.System, dict[str, Any]]:
    """Two points of which one rides on a moving guide; nonlinear parametric velocities."""
    points: dict[str, Any] = {
        "masses": ["m1", "m2"],
        "positions": [("x", "y"), ("x + cos(t)*r", "r**2/2")],
        "forces": [("k*y", "-k*x"), ("-c*xdot", 0)],
    }
    psi = {"xdot": "v*cos(a)", "ydot": "v*sin(a)", "rdot": "v**2"}
    return nh.particles(**points, coordinates="x y r", parametric=("v a", psi)), points


SYSTEMS = [towed, swung, driven]


def place(system: nh.System, seed: int) -> dict[str, float]:
    random = np.random.default_rng(seed)
    speeds = map(str, nh.gibbs_appell(system).speeds)
    return {**{n: float(random.uniform(0.3, 1.2)) for n in (*system.coordinates, *speeds)}, "t": 0.4}


def own(system: nh.System) -> dict[str, float]:
    return {n: PARAMETERS[n] for n in system.parameters}


def newton(system: nh.System, points: dict[str, Any], state: dict[str, float]) -> np.ndarray[Any, Any]:
    """ż by d'Alembert's principle at the points: Σ (m a − A)·∂a/∂ż = 0, all derivatives by central differences."""
    equations = nh.gibbs_appell(system)
    q = list(system.coordinates)
    z = [str(s) for s in equations.speeds]
    fixed = own(system)
    known = (*q, *(f"{c}dot" for c in q), *system.parameters, "t")

    def numbers(texts: Any, here: dict[str, float]) -> np.ndarray[Any, Any]:
        return np.array(evaluate([expression(e, known, "test") for e in texts], {**fixed, **here}))

    def velocity(x: Any, speeds: Any, t: float) -> np.ndarray[Any, Any]:
        here = {**fixed, **dict(zip(q, x)), **dict(zip(z, speeds)), "t": t}
        return np.array(evaluate(equations.kinematics, here))

    def position(x: Any, t: float) -> np.ndarray[Any, Any]:
        return np.concatenate([numbers([*r, *[0] * (3 - len(r))], {**dict(zip(q, x)), "t": t}) for r in points["positions"]])

    x0, z0, t0 = np.array([state[c] for c in q]), np.array([state[s] for s in z]), state["t"]
    h = 1e-3

    def acceleration(rates: Any) -> np.ndarray[Any, Any]:
        """Second difference along the Taylor polynomial of the motion with these ż."""
        v = velocity(x0, z0, t0)
        second = (velocity(x0 + h * v, z0 + h * rates, t0 + h) - velocity(x0 - h * v, z0 - h * rates, t0 - h)) / (2 * h)

        def at(s: float) -> np.ndarray[Any, Any]:
            return position(x0 + s * v + s * s / 2 * second, t0 + s)

        return (-at(2 * h) + 16 * at(h) - 30 * at(0) + 16 * at(-h) - at(-2 * h)) / (12 * h * h)

    weights = np.repeat(numbers(points["masses"], {}), 3)
    here = {**dict(zip(q, x0)), **{f"{c}dot": float(v) for c, v in zip(q, velocity(x0, z0, t0))}, "t": t0}
    push = np.concatenate([numbers([*(f or ()), *[0] * (3 - len(f or ()))], here) for f in points["forces"]])
    base = acceleration(np.zeros(len(z)))
    columns = np.column_stack([acceleration(e) - base for e in np.eye(len(z))])
    found: np.ndarray[Any, Any] = np.linalg.solve(columns.T @ (weights[:, None] * columns), columns.T @ (push - weights * base))
    return found


@pytest.mark.parametrize("make", SYSTEMS)
def test_points_obey_newtons_equations_under_ideal_constraints(make: Any) -> None:
    system, points = make()
    for seed in range(3):
        state = place(system, seed)
        sheet = nh.gibbs_appell(system).steps.values(state, own(system))
        np.testing.assert_allclose(sheet["rates"], newton(system, points, state), rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("make", SYSTEMS)
def test_nine_steps_agree_with_the_multipliers(make: Any) -> None:
    system, _ = make()
    equations = nh.gibbs_appell(system)
    shown = equations.steps
    for seed in range(3):
        state = place(system, seed)
        expected = nh.hamel(system).rates(state, own(system))
        full = {**{f"{c}dot": expected[c] for c in system.coordinates}, **{c: state[c] for c in (*system.coordinates, "t")}}
        witness = nh.multipliers(system if system.parametric is None else nh.forms.implicit(system)).rates(full, own(system))
        assert {c: witness[f"{c}dot"] for c in system.coordinates} == pytest.approx(
            {c: expected[f"{c}dot"] for c in system.coordinates}, rel=1e-8, abs=1e-9
        )
        found = shown.values(state, own(system))
        written = evaluate(shown.rates, {**own(system), **state})
        for k, name in enumerate(map(str, shown.speeds)):
            assert found["rates"][k] == pytest.approx(expected[name], rel=1e-9, abs=1e-11)
            assert written[k] == pytest.approx(expected[name], rel=1e-9, abs=1e-11)


@pytest.mark.parametrize("make", SYSTEMS)
def test_gauss_function_is_least_at_the_actual_motion_and_differs_from_that_of_the_points_by_a_constant(make: Any) -> None:
    system, points = make()
    sheet = nh.gibbs_appell(system).steps
    state = place(system, 1)
    energy, exact = sheet.from_points(**points)
    actual = sheet.values(state, own(system))["rates"]
    names = [str(s) for s in sheet.speed_rates]

    def at(rates: Any) -> np.ndarray[Any, Any]:
        here = {**own(system), **state, **dict(zip(names, map(float, rates)))}
        return np.array(evaluate([sheet.gauss, exact, energy, sheet.acceleration_energy], here))

    here = at(actual)
    for step in RANDOM.normal(size=(6, len(names))):
        there = at(actual + step)
        assert there[0] > here[0]
        assert there[0] - here[0] == pytest.approx(there[1] - here[1], rel=1e-8)
        if make is not driven:  # a moving guide adds inertial forces, which the sheet counts among the active ones
            assert there[2] - there[3] == pytest.approx(here[2] - here[3], rel=1e-8, abs=1e-10)  # S − S_* has no ż
    assert 0 <= here[0] <= here[1] + 1e-12


def test_steps_are_printed_and_typeset() -> None:
    sheet = nh.gibbs_appell(towed()[0]).steps
    assert [step.number for step in sheet.sheet()] == list(range(1, 10))
    assert "G[" in str(sheet)
    assert sheet.latex().count(r"\begin{aligned}") == 9


def charge() -> nh.System:
    return nh.particles(
        ["m1", "m2"], [("x", "y", "z"), ("x", "y + l", "z*y")], charges=["e", "2*e"], E="k*(x**2 - z**2/2)",
        B=("b*z", "0", "c + b*x"), coordinates="x y z", parameters="m1 m2 l e k b c",
    )  # fmt: skip


def test_charges_feel_lorentz_forces() -> None:
    """The same motion from forces written out by hand, e (E + v × B) at each point."""
    system = charge()
    spots = [("x", "y", "z"), ("x", "y + l", "z*y")]
    moves = [("xdot", "ydot", "zdot"), ("xdot", "ydot", "zdot*y + z*ydot")]
    forces = []
    for load, (x, _, z), (vx, vy, vz) in zip(("e", "2*e"), spots, moves):
        field = (f"-2*k*({x})", "0", f"k*({z})")
        bx, bz = f"(b*({z}))", f"(c + b*({x}))"
        cross = (f"({vy})*{bz}", f"({vz})*{bx} - ({vx})*{bz}", f"-({vy})*{bx}")
        forces.append([f"{load}*({a} + {c})" for a, c in zip(field, cross)])
    hand = nh.particles(["m1", "m2"], spots, forces, coordinates="x y z", parameters="m1 m2 l e k b c")
    for seed in range(3):
        state = place(system, seed)
        one, two = nh.hamel(system).rates(state, own(system)), nh.multipliers(hand).rates(state, own(system))
        assert {n: one[n] for n in two} == pytest.approx(two, rel=1e-9)


def test_charge_on_a_moving_guide() -> None:
    """∂r/∂t adds to the velocity that the magnetic field sees: a bead on a turning rod in a field along the rod's axis."""
    rod = [("r*cos(k*t)", "r*sin(k*t)")]
    system = nh.particles(["m1"], rod, charges=["e"], B=(0, 0, "b"), coordinates="r", parameters="m1 e b k")
    values = {"m1": 1.3, "e": 1.1, "b": 0.7, "k": 1.7}
    rates = nh.hamel(system).rates({"r": 0.8, "rdot": 0.3, "t": 0.2}, values)
    assert rates["rdot"] == pytest.approx(1.7**2 * 0.8 + 1.1 * 0.7 * 1.7 * 0.8 / 1.3)


def test_inertia_of_points_and_of_densities() -> None:
    """Points against the kinetic energy of a rotation; densities against closed forms and against many points."""
    random = np.random.default_rng(2)
    masses, spots = random.uniform(0.5, 2, 5), random.normal(size=(5, 3))
    found = nh.inertia(masses.tolist(), spots.tolist())
    w = random.normal(size=3)
    moment = np.array(found.J, dtype=float)
    assert w @ moment @ w == pytest.approx(sum(m * np.sum(np.cross(w, r) ** 2) for m, r in zip(masses, spots)))
    middle = masses @ spots / masses.sum()
    central = nh.inertia(masses.tolist(), (spots - middle).tolist())
    np.testing.assert_allclose(np.array(found.central, dtype=float), np.array(central.J, dtype=float), atol=1e-12)
    ball = {"x": ("-R", "R"), "y": ("-sqrt(R**2 - x**2)", "sqrt(R**2 - x**2)"),
            "z": ("-sqrt(R**2 - x**2 - y**2)", "sqrt(R**2 - x**2 - y**2)")}  # fmt: skip
    sphere = nh.inertia(density="rho", region=ball, parameters={"rho": 2.0, "R": 0.3})
    mass = 2 * 4 / 3 * np.pi * 0.3**3
    assert float(sphere.mass) == pytest.approx(mass, rel=1e-9)
    np.testing.assert_allclose(np.array(sphere.J, dtype=float), 0.4 * mass * 0.09 * np.eye(3), rtol=1e-8, atol=1e-12)
    brick = nh.inertia(density="rho*(1 + x)", region={"x": (0, "a"), "y": (0, "d"), "z": (0, "h")}, parameters="rho a d h")
    turned = nh.inertia(density="rho", region={"r": (0, "R"), "phi": (0, "pi"), "z": (0, "h")}, parameters="rho R h",
                        chart={"y": "r*cos(phi)", "x": "r*sin(phi)", "z": "z"})  # fmt: skip
    assert str(turned.mass.subs({"rho": 1, "R": 2, "h": 3})) == "6*pi"  # a left-handed chart
    assert str(brick.mass.subs({"rho": 1, "a": 1, "d": 2, "h": 3})) == "9"


@pytest.mark.parametrize("make", SYSTEMS)
def test_implicit_and_parametric_constraints_give_the_same_motion(make: Any) -> None:
    system, _ = make()
    other = nh.forms.implicit(system) if system.parametric is not None else nh.forms.parametric(system)
    back = nh.forms.parametric(other) if system.parametric is not None else nh.forms.implicit(other)
    state = place(system, 3)
    expected = nh.gibbs_appell(system).rates(state, own(system))
    full = {**{c: state[c] for c in system.coordinates}, **{f"{c}dot": expected[c] for c in system.coordinates}, "t": state["t"]}
    for one in (other, back):
        if one.parametric is not None:
            names = one.parametric[0]
            told = {n: (full[f"{n[2:]}dot"] if n.startswith("z_") else state[n]) for n in names}
            rates = nh.gibbs_appell(one).rates({**full, **told}, own(system))
        else:
            rates = nh.multipliers(one).rates(full, own(system))
        for c in system.coordinates:
            assert rates[f"{c}dot"] == pytest.approx(expected[f"{c}dot"], rel=1e-8, abs=1e-9)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: nh.particles([1], [("x", "y")], charges=[1], B=("x", 0, 0)), "div B"),
        (lambda: nh.particles([1, 2], [("x",)]), "2 masses for 1 positions"),
        (lambda: nh.particles([-1], [("x",)]), "must be positive"),
        (lambda: nh.particles(["x"], [("x",)]), "changes with the motion"),
        (lambda: nh.particles([1], [("x",)], charges=[1]), "without a field"),
        (lambda: nh.particles([1], [("x",)], B=(0, 0, 1)), "without charges"),
        (lambda: nh.particles([1], ["x"]), "components"),
        (lambda: nh.inertia([1], []), "one position for each mass"),
        (lambda: nh.inertia(density=1, region={"x": (0, 1)}), "three ranges"),
        (lambda: nh.inertia(density=-1, region={"x": (0, 1), "y": (0, 1), "z": (0, 1)}, parameters={"a": 1}), "must be positive"),
        (lambda: nh.gibbs_appell(towed()[0]).steps.from_points([1], []), "for each mass"),
        (lambda: nh.hamel(towed()[0]).steps, "gibbs_appell"),
        (lambda: nh.gibbs_appell(nh.forms.implicit(nh.gallery.get("parallel-points").system)).steps, "forms.parametric"),
    ],
)
def test_bad_input_says_why_in_one_line(call: Any, words: str) -> None:
    with pytest.raises(nh.NonholoError) as caught:
        call()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
