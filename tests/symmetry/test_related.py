"""Constants that depend on each other: a root, a sine and a cosine of parameters give what a plain parameter gives."""

from __future__ import annotations

import pytest

import nonholo as nh

FLAT = "(xdot**2 + ydot**2 + zdot**2)/2"


def point(parameters: str, lagrangian: str, constraint: str) -> nh.System:
    return nh.System(name="point", coordinates="x y z", parameters=parameters, lagrangian=lagrangian, constraints=[constraint])


def found(system: nh.System) -> list[nh.Finding]:
    return [f for f in nh.integrals(system) if f and f.expression is not None]


# The slope of the constraint, and the potential that makes the motion isotropic: 1 + slope² written without the root.
TILTED = {
    "parameter": ("k a", "zdot - a*ydot", "1 + a**2"),
    "root": ("k b", "zdot - sqrt(1 + b**2)*ydot", "2 + b**2"),
    "upside down": ("k b", "zdot/sqrt(1 + b**2) - ydot", "2 + b**2"),
    "both": ("k b", "zdot/sqrt(1 + b**2) - ydot", "2 + b**2"),
    "angle": ("k al", "sin(al)*zdot - cos(al)*ydot", "1/sin(al)**2"),
    "number": ("k", "zdot - sqrt(2)*ydot", "3"),
}


SLOW = ("parameter", "number", "upside down", "both")


@pytest.mark.parametrize("name", ["root", "angle", *(pytest.param(n, marks=pytest.mark.slow) for n in SLOW)])
def test_a_momentum_that_needs_the_relation_is_found_and_proved(name: str) -> None:
    """``x² + (1 + s²) y²`` on the plane ``ż = s ẏ`` is isotropic: ``x ẏ − y ẋ`` is constant because ``s²`` is what it is."""
    parameters, constraint, factor = TILTED[name]
    scale = "sqrt(1 + b**2)" if name == "both" else "1"
    system = point(parameters, f"{scale}*({FLAT} - k*(x**2 + ({factor})*y**2)/2)", constraint)
    turning = [f for f in found(system) if f.claim == "xdot*y - x*ydot is constant"]
    assert [f.proved for f in turning] == [True]
    assert len([f for f in found(system) if f.proved]) == 4


SLOPES = ("a", "sqrt(1 + b**2)", "sqrt(3)")


@pytest.mark.parametrize("slope", ["sqrt(2)", *(pytest.param(s, marks=pytest.mark.slow) for s in SLOPES)])
def test_a_root_in_a_constraint_is_a_parameter_like_another(slope: str) -> None:
    """``s(z ẏ − y ż) − ẋ`` of the particle with ``ż = s y ẋ``; with ``√2`` for ``s`` it was not found."""
    letters = "b" if "b" in slope else "a" if slope == "a" else ""
    system = point(letters, FLAT, f"zdot - {slope}*y*xdot")
    values = {"a": 1.7, "b": 0.6}
    run = nh.simulate(system, {"x": 0.2, "y": 0.4, "z": -0.3, "xdot": 0.8, "ydot": 0.5}, 3.0,
                      {n: values[n] for n in letters}, rtol=1e-12, atol=1e-13)  # fmt: skip
    linear = [f for f in found(system) if not f.claim.startswith("the energy")]
    assert len(linear) == 3 and all(f.proved for f in linear)
    assert max(f.drift(run) for f in linear) < 1e-9
    s = float(nh.notation.read.expression(slope, ("a", "b"), "slope").subs(values))
    own = s * (run["z"] * run["ydot"] - run["y"] * run["zdot"]) - run["xdot"]
    assert max(abs(own - own[0])) < 1e-9


SLEIGH = "m/2*((xdot - {a}*thdot*sin(th))**2 + (ydot + {a}*thdot*cos(th))**2) + J/2*thdot**2"


@pytest.mark.slow
@pytest.mark.parametrize("blade", ["th + al", "th - 2*al", "th + pi/6"])
def test_a_blade_at_an_angle_has_the_momenta_of_a_blade_with_two_offsets(blade: str) -> None:
    """The angle of the blade against the line to the mass: ``th + al`` had nothing to do with ``th`` before."""
    turned = nh.System(name="turned", coordinates="x y th", parameters="m J a al", lagrangian=SLEIGH.format(a="a"),
                       constraints=[f"xdot*sin({blade}) - ydot*cos({blade})"])  # fmt: skip
    told = found(turned)
    assert len(told) == 3 and all(f.proved for f in told)
    run = nh.simulate(turned, {"th": 0.3, "thdot": 1.1, "xdot": 0.5}, 3.0, {"m": 1.2, "J": 0.6, "a": 0.4, "al": 0.35},
                      rtol=1e-12, atol=1e-13)  # fmt: skip
    assert max(f.drift(run) for f in told) < 1e-9
    assert all("dot" in f.claim for f in told)  # sin(al) by the sines and cosines of th + al and th is no integral
    assert not any("cos(al) + 1" in f.claim for f in told)


@pytest.mark.slow
@pytest.mark.parametrize("offset", ["a", "sqrt(1 + b**2)", "sqrt(2)", "cos(al)"])
def test_a_sleigh_keeps_two_momenta_whatever_its_offset_is_written_as(offset: str) -> None:
    letters = {"a": " a", "sqrt(1 + b**2)": " b", "sqrt(2)": "", "cos(al)": " al"}[offset]
    system = nh.System(name="sleigh", coordinates="x y th", parameters=f"m J{letters}",
                       lagrangian=SLEIGH.format(a=offset), constraints=["xdot*sin(th) - ydot*cos(th)"])  # fmt: skip
    assert len(found(system)) == 3 and all(f.proved for f in found(system))


@pytest.mark.slow
def test_a_ball_in_a_turning_cone_has_its_moving_energy() -> None:
    """Roots ``√(1 + k²)`` and ``1/√(1 + k²)`` beside ``k²``: two integrals that were numbers, or missed, are proved."""
    from pathlib import Path

    cone = nh.load(Path(__file__).parents[1] / "plain" / "rotating-cone.toml")
    told = [f for f in found(cone) if not f.claim.startswith("the energy")]
    assert len(told) == 3 and all(f.proved for f in told)
    assert max(abs(f.number) for f in told) < 1e-9  # the drift along motions
