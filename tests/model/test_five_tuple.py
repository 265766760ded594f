"""MacDonnell's (Q, L, M, D, β) against hand derivations and against the same constraints written out."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import nonholo as nh
from nonholo.algebra.linear_equations import evaluate
from nonholo.errors import ModelError, ParseError
from nonholo.model.files.toml_files import dumps, loads

NUMBERS = {"m": 1.7, "g": 3.1, "b": 0.45, "c": 0.8, "B": 1.3}
STATE = {"x": 0.3, "y": -0.7, "z": 1.1, "xdot": 0.9, "ydot": 0.4}
KINETIC = "m/2*(xdot**2 + ydot**2 + zdot**2) - m*g*z"


def screw(**other: object) -> nh.System:
    """A particle with weight and charge on ``ż = y ẋ`` carried along by ``β = b y ∂_x + c ∂_z``."""
    words = {
        "name": "screw",
        "parameters": "m g b c B",
        "magnetic": {("x", "y"): "B"},
        "distribution": ["zdot - y*xdot"],
        "beta": {"x": "b*y", "z": "c"},
    }
    return nh.five_tuple("x y z", KINETIC, **{**words, **other})


def _by_hand() -> dict[str, float]:
    """From (3.1), (3.2) with ⟨B, β⟩ = c − b y²: m ẍ = B ẏ − λ y, m ÿ = −B ẋ, m z̈ = λ − m g, and d/dt of the constraint."""
    m, g, b, c, B = NUMBERS.values()
    y, xdot, ydot = STATE["y"], STATE["xdot"], STATE["ydot"]
    turned = xdot * ydot - 2 * b * y * ydot
    xddot = (B * ydot / m - y * (g + turned)) / (1 + y**2)
    zddot = turned + y * xddot
    reaction = m * (zddot + g)
    return {
        "xdot": xddot, "ydot": -B * xdot / m, "zdot": zddot, "z": y * xdot + c - b * y**2,
        "power": reaction * (c - b * y**2),
    }  # fmt: skip


@pytest.mark.parametrize("form", ["multipliers", "hamel", "gibbs_appell", "voronetz"])
def test_an_affine_magnetic_system_moves_as_derived_by_hand(form: str) -> None:
    hand = _by_hand()
    state = {**STATE, "zdot": hand["z"]}
    rates = getattr(nh, form)(screw()).rates(state, NUMBERS)
    for name in ("xdot", "ydot", "zdot", "z"):
        assert rates[name] == pytest.approx(hand[name], rel=1e-12), name


def test_energy_changes_by_the_reaction_times_beta() -> None:
    """E' = λ_j ⟨B^j, β⟩ [MacDonnell 1997, proof of Proposition 3.2.2]; the magnetic form does no work."""
    hand = _by_hand()
    rates = nh.multipliers(screw()).rates({**STATE, "zdot": hand["z"]}, NUMBERS)
    m, g = NUMBERS["m"], NUMBERS["g"]
    energy_rate = m * (STATE["xdot"] * rates["xdot"] + STATE["ydot"] * rates["ydot"] + hand["z"] * rates["zdot"])
    energy_rate += m * g * hand["z"]
    assert energy_rate == pytest.approx(hand["power"], rel=1e-12)
    assert abs(hand["power"]) > 0.1


def test_the_same_constraints_written_out_make_an_equal_system() -> None:
    written = nh.System(
        name="screw", coordinates="x y z", parameters="m g b c B", lagrangian=KINETIC,
        constraints=["zdot - y*xdot - (c - b*y**2)"], magnetic={("x", "y"): "B"},
    )  # fmt: skip
    tuple_ = screw()
    (one,), (two,) = written.constraints, tuple_.constraints
    assert (one - two).expand() == 0
    assert nh.System(**{**{f: getattr(written, f) for f in written.__dataclass_fields__}, "constraints": [two]}) == tuple_


def test_a_2_form_may_be_a_table_or_a_matrix_and_is_never_counted_twice() -> None:
    table = screw()
    assert screw(magnetic=[["0", "B", "0"], ["-B", "0", "0"], ["0", "0", "0"]]) == table
    assert screw(magnetic={("x", "y"): "B", ("y", "x"): "-B"}) == table
    assert screw(magnetic={"x, y": "B"}) == table
    turned = screw(magnetic={("y", "x"): "-B"})
    state = {**STATE, "zdot": _by_hand()["z"]}
    one, two = (nh.multipliers(s).rates(state, NUMBERS) for s in (turned, table))
    assert one == pytest.approx(two, rel=1e-13)


def test_the_motion_does_not_depend_on_the_choice_of_1_forms() -> None:
    """MacDonnell 1997, Proposition 3.2.1, step 3: B̄ = P(q) B with P regular, two 1-forms."""
    words = {"parameters": "r k c", "beta": {"x": "-c*y", "y": "c*x", "a": "x*y"}}
    kinetic = "(xdot**2 + ydot**2)/2 + k*(adot**2 + bdot**2)/2 + x*y*adot/3"
    one = nh.five_tuple("x y a b", kinetic, distribution=["xdot - r*adot", "ydot - r*bdot"], **words)
    two = nh.five_tuple(
        "x y a b", kinetic, **words,
        distribution=["(2 + sin(x))*(xdot - r*adot) + y*(ydot - r*bdot)", "a*(xdot - r*adot) + 3*ydot - 3*r*bdot"],
    )  # fmt: skip
    r, k, c = 0.6, 1.2, 0.35
    x, y, adot, bdot = 0.4, -0.3, 0.8, 1.1
    state = {"x": x, "y": y, "a": 0.2, "b": 0.5, "adot": adot, "bdot": bdot}
    state |= {"xdot": r * adot - c * y - r * x * y, "ydot": r * bdot + c * x}
    values = {"r": r, "k": k, "c": c}
    first, second = (nh.multipliers(s).rates(state, values) for s in (one, two))
    assert {n: second[n] for n in state} == pytest.approx({n: first[n] for n in state}, rel=1e-11)


SLEIGH = "m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2"


@pytest.mark.parametrize("theta", [0.37, pi / 2, -2.2])
def test_fields_that_span_d_and_forms_that_annihilate_it_say_the_same(theta: float) -> None:
    words = {"name": "sleigh", "parameters": {"m": 1.1, "a": 0.4, "J": 0.7}}
    fields = nh.five_tuple(
        "theta x y", SLEIGH, distribution=[{"theta": "1"}, {"x": "cos(theta)", "y": "sin(theta)"}], **words
    )
    forms = nh.five_tuple("theta x y", SLEIGH, distribution=["ydot*cos(theta) - xdot*sin(theta)"], **words)
    omega, v = 1.3, 0.8
    state = {"theta": theta, "x": 0.1, "y": 0.2, "thetadot": omega, "xdot": v * cos(theta), "ydot": v * sin(theta)}
    one, two = (nh.multipliers(s).rates(state, {"m": 1.1, "a": 0.4, "J": 0.7}) for s in (fields, forms))
    assert {n: one[n] for n in state} == pytest.approx({n: two[n] for n in state}, rel=1e-12)
    assert one["thetadot"] == pytest.approx(-1.1 * 0.4 * v * omega / (0.7 + 1.1 * 0.4**2), rel=1e-12)


def test_every_velocity_of_d_beta_and_no_other_satisfies_the_constraints() -> None:
    rng = np.random.default_rng(5)
    fields = [{"a": "1", "x": "r*cos(h)", "y": "r*sin(h)"}, {"h": "1", "x": "y*a", "b": "cos(x)"}]
    system = nh.five_tuple("x y h a b", "0", distribution=fields, beta={"x": "-y", "b": "r*x*h"}, parameters="r")
    assert len(system.constraints) == 3
    here = dict(zip(("x", "y", "h", "a", "b", "r"), rng.uniform(0.2, 1.4, 6)))
    x, y, h, a, r = (here[n] for n in "xyhar")
    basis = np.array([[r * cos(h), r * sin(h), 0, 1, 0], [y * a, 0, 1, 0, cos(x)]])
    beta = np.array([-y, 0, 0, 0, r * x * h])
    rates = [f"{n}dot" for n in "xyhab"]

    def residuals(velocity: np.ndarray) -> np.ndarray:
        return evaluate(system.constraints, {**here, **dict(zip(rates, velocity))})

    for _ in range(3):
        inside = beta + rng.normal(size=2) @ basis
        assert np.abs(residuals(inside)).max() < 1e-14
    slopes = np.array([residuals(beta + e) for e in np.eye(5)])
    assert np.linalg.matrix_rank(slopes, tol=1e-9) == 3


def test_no_forms_is_no_constraint_and_all_fields_are_none() -> None:
    assert nh.five_tuple("x y", "xdot**2 + ydot**2", beta={"x": "y"}).constraints == ()
    assert nh.five_tuple("x y", "xdot**2 + ydot**2", distribution=[{"x": "1"}, {"y": "x"}]).constraints == ()


def test_sympy_functions_of_time_are_welcome() -> None:
    x, y, z = dynamicsymbols("x y z")
    m, g, b, c, B = sympy.symbols("m g b c B")
    t = dynamicsymbols._t
    built = nh.five_tuple(
        [x, y, z], m * (x.diff(t) ** 2 + y.diff(t) ** 2 + z.diff(t) ** 2) / 2 - m * g * z, magnetic={(x, y): B},
        distribution=[z.diff(t) - y * x.diff(t)], beta={x: b * y, z: c}, name="screw", parameters=[m, g, b, c, B],
    )  # fmt: skip
    assert built == screw()


def test_a_5_tuple_goes_to_a_file_and_back() -> None:
    assert loads(dumps(screw())) == screw()


@pytest.mark.parametrize(
    ("words", "kind", "message"),
    [
        ({"distribution": ["zdot - y*xdot + 1"]}, ModelError, "1-form 1: .* must be linear and homogeneous"),
        ({"distribution": ["zdot**2"]}, ModelError, "must be linear and homogeneous"),
        ({"distribution": ["zdot - t*xdot"]}, ParseError, "1-form 1: unknown name 't'"),
        ({"distribution": ["zdot", {"x": "1"}]}, ModelError, "1-forms as text or vector fields as tables, not both"),
        ({"distribution": [{"x": "1"}, {"x": "y"}]}, ModelError, "vector field 2 depends on the others"),
        ({"distribution": [{"w": "1"}]}, ModelError, "field 1: 'w' is no coordinate; .* one of x, y, z"),
        ({"distribution": [{"x": "ydot"}]}, ParseError, "field 1, component x: unknown name 'ydot'"),
        ({"beta": {"xdot": "1"}}, ModelError, "beta: 'xdot' is no coordinate"),
        ({"beta": ["1"]}, ModelError, "beta: found list where components were needed"),
        ({"magnetic": {("x", "x"): "B"}}, ModelError, "the name 'x' appears twice"),
        ({"magnetic": {("x", "w"): "B"}}, ModelError, "must name two coordinates"),
        ({"magnetic": {("x", "y"): "B", ("y", "x"): "B"}}, ModelError, "not antisymmetric"),
        ({"magnetic": {("x", "y"): "xdot"}}, ParseError, "unknown name 'xdot'"),
        ({"magnetic": [["0", "B"], ["-B", "0"]]}, ModelError, "needs 3 rows of 3 entries"),
        ({"constraints": ["xdot"]}, ModelError, "a 5-tuple has no 'constraints'"),
    ],
)
def test_what_is_no_5_tuple_is_one_clear_error(words: dict[str, object], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message) as caught:
        screw(**words)
    assert str(caught.value).startswith("screw: ")
