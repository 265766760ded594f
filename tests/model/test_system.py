"""Every keyword of System does what it says, by motions known in closed form; every mistake is one clear error."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace
from math import cos, sin

import pytest
import symengine as se
import sympy
from sympy.physics.mechanics import dynamicsymbols

import nonholo as nh
from nonholo.errors import ModelError, ParseError, StateError
from nonholo.model.system import GRAVITY, known_parameters, parameter_values

FREE = "m/2*(xdot**2 + ydot**2)"


def particle(**words: object) -> nh.System:
    return nh.System(**{"name": "particle", "coordinates": "x y", "parameters": "m", "lagrangian": FREE, **words})


def accelerations(system: nh.System, state: dict[str, float], **values: float) -> dict[str, float]:
    """ẍ and ÿ by both of the main routes, which must agree."""
    routes = (nh.hamel(system), nh.multipliers(system))
    one, two = ({n: e.rates(state, values)[n] for n in ("xdot", "ydot")} for e in routes)
    assert one == pytest.approx(two, rel=1e-11, abs=1e-13)
    return one


def test_text_sympy_and_symengine_say_the_same() -> None:
    x, y = dynamicsymbols("x y")
    t = dynamicsymbols._t
    m = sympy.Symbol("m", positive=True)
    by_sympy = particle(coordinates=[x, y], parameters=[m], lagrangian=m / 2 * (x.diff(t) ** 2 + y.diff(t) ** 2))
    mass, xdot, ydot = se.symbols("m xdot ydot")
    by_symengine = particle(parameters=(mass,), lagrangian=mass / 2 * (xdot**2 + ydot**2))
    assert by_sympy == by_symengine == particle() == particle(coordinates="x, y", parameters=["m"])


def test_parameters_may_bring_their_values() -> None:
    system = particle(parameters={"m": 2, "k": None})
    assert dict(system.parameters) == {"m": 2.0, "k": None} and known_parameters(system) == {"m": 2.0}
    assert system == particle(parameters={"m": 2.0, "k": None}) != particle(parameters={"k": None, "m": 2.0})
    assert system != particle(parameters={"m": 2.5, "k": None}) and list(particle(parameters="k m").parameters) == ["k", "m"]
    assert parameter_values(system, {"k": 3, "m": 5}) == {"m": 5.0, "k": 3.0}
    with pytest.raises(StateError, match="the parameter 'k' has no value; give parameters="):
        parameter_values(system, {})
    assert parameter_values(particle(parameters="m g"), {"m": 1}) == {"m": 1.0, "g": GRAVITY}
    assert parameter_values(particle(parameters={"m": 1, "g": 1.62}), None)["g"] == 1.62


def test_a_linear_constraint_is_an_inclined_groove() -> None:
    """On y = x tan α under gravity: ẍ = −g sin α cos α."""
    system = particle(parameters="m g", lagrangian=f"{FREE} - m*g*y", constraints=["ydot*cos(7/10) - xdot*sin(7/10)"])
    speed = 1.3
    found = accelerations(system, {"x": 0.2, "y": 0.1, "xdot": speed * cos(0.7), "ydot": speed * sin(0.7)}, m=2.0, g=3.0)
    assert found == pytest.approx({"xdot": -3 * sin(0.7) * cos(0.7), "ydot": -3 * sin(0.7) ** 2}, rel=1e-12)


def test_an_affine_constraint_is_carried_along_in_time() -> None:
    """ẏ = c x + t: ÿ = c ẋ + 1 whatever the masses, and ẍ = 0."""
    system = particle(parameters="m c", constraints="ydot - c*x - t")
    found = accelerations(system, {"x": 0.5, "y": 0, "xdot": 0.8, "ydot": 0.5 * 3 + 0.25, "t": 0.25}, m=1.7, c=3.0)
    assert found == pytest.approx({"xdot": 0.0, "ydot": 3 * 0.8 + 1}, abs=1e-13)


def test_a_nonlinear_constraint_keeps_the_speed() -> None:
    """|v| = c under gravity: the acceleration is gravity's part across the velocity (Chetaev)."""
    system = particle(parameters="m g c", lagrangian=f"{FREE} - m*g*y", constraints=["xdot**2 + ydot**2 - c**2"])
    angle, c, g = 0.4, 1.5, 2.0
    found = accelerations(system, {"x": 0, "y": 0, "xdot": c * cos(angle), "ydot": c * sin(angle)}, m=1.2, g=g, c=c)
    assert found["xdot"] == pytest.approx(g * cos(angle) * sin(angle), rel=1e-12)
    assert found["ydot"] == pytest.approx(-g * cos(angle) ** 2, rel=1e-12)


def test_parametric_velocities_are_the_same_constraint_solved() -> None:
    system = particle(
        parameters="m g c", lagrangian=f"{FREE} - m*g*y", parametric=("h", {"xdot": "c*cos(h)", "ydot": "c*sin(h)"})
    )
    found = nh.hamel(system).rates({"x": 0, "y": 0, "h": 0.4}, {"m": 1.2, "g": 2.0, "c": 1.5})
    assert found["h"] == pytest.approx(-2.0 * cos(0.4) / 1.5, rel=1e-12)
    assert found["xdot"] == pytest.approx(2.0 * cos(0.4) * sin(0.4), rel=1e-12)


def test_a_holonomic_constraint_is_a_pendulum() -> None:
    """On x² + y² = l² the angle obeys θ̈ = −(g/l) sin θ."""
    system = particle(parameters="m g l", lagrangian=f"{FREE} - m*g*y", holonomic=["x**2 + y**2 - l**2"])
    theta, omega, length, g = 0.6, 1.1, 1.4, 9.0
    x, y = length * sin(theta), -length * cos(theta)
    turning = -g / length * sin(theta)
    found = accelerations(system, {"x": x, "y": y, "xdot": -y * omega, "ydot": x * omega}, m=0.8, g=g, l=length)
    assert found["xdot"] == pytest.approx(-y * turning - x * omega**2, rel=1e-12)
    assert found["ydot"] == pytest.approx(x * turning - y * omega**2, rel=1e-12)


def test_a_force_acts_by_its_power() -> None:
    """A force F on u = 2 ẋ + ẏ has the power F u: it pushes x with 2 F and y with F."""
    state = {"x": 0.3, "y": 0.2, "xdot": 0.5, "ydot": -0.4}
    push = "3 + x - u"
    size = 3 + 0.3 - (2 * 0.5 - 0.4)
    by_name = particle(quasivelocities={"u": "2*xdot + ydot"}, forces={"u": push})
    assert accelerations(by_name, state, m=2.0) == pytest.approx({"xdot": size, "ydot": size / 2}, rel=1e-12)
    text = "3 + x - (2*xdot + ydot)"
    by_coordinate = particle(forces={"x": f"2*({text})", "ydot": text})
    assert accelerations(by_coordinate, state, m=2.0) == pytest.approx({"xdot": size, "ydot": size / 2}, rel=1e-12)


def test_a_magnetic_form_turns_a_unit_charge() -> None:
    """M_xy = B gives m ẍ = B ẏ, m ÿ = −B ẋ [MacDonnell 1997 (2.2)]."""
    state = {"x": 0.3, "y": 0.2, "xdot": 0.5, "ydot": -0.4}
    for key in (("x", "y"), "x y", "x, y"):
        found = accelerations(particle(parameters="m B", magnetic={key: "B*(1 + x)"}), state, m=2.0, B=3.0)
        assert found == pytest.approx({"xdot": 3.9 * -0.4 / 2, "ydot": -3.9 * 0.5 / 2}, rel=1e-12)
    forms = {"u": "xdot + ydot", "w": "xdot - ydot"}
    turned = particle(parameters="m B", quasivelocities=forms, magnetic={("u", "w"): "-B/2"})  # du ∧ dw = −2 dx ∧ dy
    assert accelerations(turned, state, m=2.0, B=3.0) == pytest.approx({"xdot": 3 * -0.4 / 2, "ydot": -3 * 0.5 / 2})


def test_inputs_enter_forces_constraints_and_energy() -> None:
    system = particle(inputs="tau sigma", forces={"x": "tau"}, constraints=["ydot - sigma*xdot"])
    state = {"x": 0, "y": 0, "xdot": 1.0, "ydot": 0.5, "tau": 3.0, "sigma": 0.5}
    found = accelerations(system, state, m=2.0)
    assert found == pytest.approx({"xdot": 3 / 2 / 1.25, "ydot": 3 / 2 / 1.25 / 2}, rel=1e-12)
    unpushed = nh.hamel(system).rates({k: e for k, e in state.items() if k != "tau"}, {"m": 2.0})
    assert unpushed["xdot"] == 0.0


def test_explicit_time_in_the_lagrangian() -> None:
    """L = m(t)/2 ẋ²: ẍ = −(ṁ/m) ẋ."""
    system = particle(lagrangian="(1 + t**2)*xdot**2/2 + ydot**2/2 + sin(3*t)*y", parameters="")
    found = accelerations(system, {"x": 0, "y": 0, "xdot": 2.0, "ydot": 0, "t": 0.5})
    assert found == pytest.approx({"xdot": -1.0 / 1.25 * 2, "ydot": sin(1.5)}, rel=1e-12)


def test_a_frame_brings_its_coordinates_and_further_ones_are_added() -> None:
    words = {"lagrangian": "w**2/2 + v1**2/2 + v2**2/2 + zdot**2", "parameters": ""}
    system = particle(**words, frame=nh.SE2(), coordinates="z")
    assert system.coordinates == ("theta", "x", "y", "z") and system.velocities == ("w", "v1", "v2", "zdot")
    assert system == particle(**words, frame=nh.SE2() * nh.Euclidean("z"), coordinates=())
    assert system == particle(**words, frame=nh.SE2(), coordinates="z x")
    scaled = nh.Frame("x", velocities="u", anchor=[["r"]], parameters="r")
    rolled = particle(frame=scaled, coordinates="", lagrangian="m*u**2/2 - m*x", parameters="m")
    assert list(rolled.parameters) == ["m", "r"]
    assert nh.hamel(rolled).rates({"x": 0.3, "u": 2.0}, {"m": 1.5, "r": 0.5})["u"] == pytest.approx(-0.5)


def test_coordinates_rates_and_quasivelocities_mix_in_one_lagrangian() -> None:
    plain = particle()
    mixed = particle(quasivelocities={"u": "xdot + ydot/2"}, lagrangian="m/2*((u - ydot/2)**2 + ydot**2)", forces={"x": "x"})
    state = {"x": 0.3, "y": 0.2, "xdot": 0.5, "ydot": -0.4}
    forced = replace(plain, forces={"x": "x"})
    assert accelerations(mixed, state, m=2.0) == pytest.approx(accelerations(forced, state, m=2.0))


def test_a_system_never_changes_is_hashable_and_travels() -> None:
    system = particle(constraints=["xdot - ydot"], symmetry=nh.translation("x", "y"), start={"x": 1})
    with pytest.raises(FrozenInstanceError):
        system.name = "other"
    with pytest.raises(TypeError):
        system.parameters["m"] = 2
    assert pickle.loads(pickle.dumps(system)) == system
    assert {system: 1}[pickle.loads(pickle.dumps(system))] == 1
    other = replace(system, name="other")
    assert other != system and other.constraints == system.constraints


@pytest.mark.parametrize(
    ("words", "kind", "message"),
    [
        ({"coordinates": ""}, ModelError, 'no coordinates; give coordinates="theta x y" or frame='),
        ({"coordinates": "x x"}, ModelError, "coordinates: the name 'x' appears twice"),
        ({"coordinates": "x xdot"}, ModelError, "'xdot' is also the rate of the coordinate 'x'"),
        ({"coordinates": "x sin"}, ModelError, "'sin' is a function or constant"),
        ({"coordinates": "x lambda"}, ModelError, "'lambda' is a word of Python; rename it, for instance lam"),
        ({"coordinates": "x 2y"}, ModelError, "'2y' is not a name"),
        ({"coordinates": 5}, ModelError, "found 5 .int. where a name was needed"),
        ({"parameters": "m x"}, ModelError, "the parameter 'x' is also a coordinate; rename one"),
        ({"parameters": "m t"}, ModelError, "'t' is also a parameter"),
        ({"inputs": "m"}, ModelError, "the input 'm' is also a parameter"),
        ({"quasivelocities": {"m": "xdot"}}, ModelError, "'m'"),
        ({"quasivelocities": {"u": "xdot*ydot"}}, ModelError, "quasi-velocity u: .* must be linear and homogeneous"),
        ({"quasivelocities": {"u": "xdot + x"}}, ModelError, "must be linear and homogeneous"),
        ({"quasivelocities": "xdot"}, ModelError, "quasivelocities must be a table"),
        ({"lagrangian": None}, ModelError, "no lagrangian; give lagrangian="),
        ({"lagrangian": "m*xdot**2/2 + yddot"}, ParseError, "unknown name 'yddot'; only coordinates and their first rates"),
        ({"lagrangian": ""}, ParseError, "lagrangian: empty"),
        ({"lagrangian": float("nan")}, ParseError, "found nan where a finite number was needed"),
        ({"lagrangian": [1]}, ParseError, "lagrangian: found"),
        ({"constraints": ["xdot", "ydot - z"]}, ParseError, "constraint 2: unknown name 'z'"),
        ({"constraints": 5}, ModelError, "constraints must be a list of residuals"),
        ({"holonomic": ["xdot"]}, ParseError, "holonomic constraint 1: unknown name 'xdot'"),
        ({"forces": {"z": "1"}}, ModelError, "force on 'z', which is neither a coordinate nor a quasi-velocity; choose"),
        ({"forces": {"x": "zdot"}}, ParseError, "force on x: unknown name 'zdot'"),
        ({"magnetic": {("x", "x"): "1"}}, ModelError, "needs two different names"),
        ({"magnetic": {("x", "z"): "1"}}, ModelError, "magnetic form on 'z'"),
        ({"parametric": "u"}, ModelError, "parametric must be"),
        ({"parametric": ("u", {"xdot": "u"})}, ModelError, "parametric velocities must give each of .*'ydot' is missing"),
        ({"parametric": ("u", {"xdot": "u", "ydot": "x", "z": "1"})}, ModelError, "'z' is none of them"),
        ({"parametric": ("u", {"xdot": "u", "ydot": "w"})}, ParseError, "parametric ydot: unknown name 'w'"),
        ({"parametric": ("u", {"xdot": "u", "ydot": "0"}), "constraints": ["ydot"]}, ModelError, "not both"),
        ({"parameters": {"m": 1, "x": 1}}, ModelError, "the parameter 'x' is also a coordinate"),
        ({"parameters": {"m": "heavy"}}, StateError, "parameter m: 'heavy' is not a number"),
        ({"parameters": {"m": float("inf")}}, StateError, "parameter m is inf; a finite number is needed"),
        ({"start": {"x": float("nan")}}, StateError, "start x is nan"),
    ],
)
def test_a_mistake_is_one_clear_error(words: dict[str, object], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        particle(**words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"constraints": ["xdot - ydot", "2*ydot - 2*xdot"]}, "constraint 2 .* depends on the others"),
        ({"constraints": ["xdot", "ydot", "xdot + x*ydot"]}, "3 constraints on 2 velocities; at most 2"),
        ({"lagrangian": "m*xdot**2/2"}, "no kinetic energy along ydot"),
        ({"parametric": ("u w", {"xdot": "u + w", "ydot": "x"})}, "2 velocity parameters u, w give only 1 independent"),
        ({"lagrangian": f"{FREE} + floor(x)"}, "no derivative"),
    ],
)
def test_what_contradicts_itself_is_refused_when_asked_for_motion(words: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        nh.hamel(particle(**words))


def test_frames_that_are_none() -> None:
    with pytest.raises(ModelError, match="columns of the anchor are dependent"):
        nh.Frame("x y", velocities="u w", anchor=[["1", "x"], ["y", "x*y"]])
    with pytest.raises(ModelError, match="does not match the anchor"):
        nh.Frame(
            "g1 g2 g3", velocities="w1 w2 w3", relations=["g1**2 + g2**2 + g3**2 - 1"], home=(0, 0, 1),
            anchor=[["0", "-g3", "g2"], ["g3", "0", "-g1"], ["-g2", "g1", "0"]],
            brackets={("w1", "w2"): "-w3", ("w2", "w3"): "w1", ("w3", "w1"): "w2"},
        )  # fmt: skip
