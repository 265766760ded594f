"""The judgement: theorems of integrability and of invariant measures, and the divergence by another derivation."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from nonholo.algebra.linear_equations import evaluate
from nonholo.cli.main import main
from nonholo.finding import Freedom, Symmetries
from nonholo.finding.conclusions import IntegrableByEulerJacobi, IntegrableByQuadratures, OpenBeyondTests
from nonholo.symmetry.exact.modular_states import motion_of
from nonholo.symmetry.group.symmetry_group import group_of, group_of_motion
from nonholo.symmetry.integrals.drift_test import run_parameters
from nonholo.symmetry.judgement.comoving_frame import in_moving_frame
from nonholo.symmetry.judgement.motion_statistics import correlation_dimension
from nonholo.symmetry.judgement.verdict import _freedom, status, verdict
from nonholo.symmetry.measure.density import measure_of
from tests.symmetry.plain_systems import CASES

PLAIN = Path(__file__).parents[1] / "plain"
QUADRATURES = ("Suslov, Kozlov's case", "figure skater on an incline", "vertical disk", "ball in a vertical cylinder")
EULER_JACOBI = ("Veselova", "Chaplygin's ball")
MEASURED = (
    "contact-oscillator",
    "skate-sphere",
    "nonholonomic particle",
    "figure skater on an incline",
    "vertical disk",
)


def system_of(name: str) -> nh.System:
    return CASES[name].system() if name in CASES else nh.load(PLAIN / f"{name}.toml")


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n[0] == "f" else pytest.mark.slow) for n in QUADRATURES])
def test_enough_integrals_leave_curves(name: str) -> None:
    assert verdict(system_of(name)).decision.__class__ is IntegrableByQuadratures


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) for n in EULER_JACOBI])
def test_two_integrals_less_and_a_measure_are_euler_and_jacobi(name: str) -> None:
    """Veselova 1986; Chaplygin 1903."""
    assert verdict(system_of(name)).decision.__class__ is IntegrableByEulerJacobi


@pytest.mark.parametrize("name", MEASURED)
def test_the_density_balances_the_divergence_of_the_multiplier_form(name: str) -> None:
    """``d ln f/dt + div = 0`` with the flow by multipliers and both derivatives by differences."""
    system = system_of(name)
    found = nh.measure(system)
    assert found and found.proved
    parameters = run_parameters(system, None)
    witness = nh.multipliers(system)
    speeds = [str(s) for s in motion_of(system).allowed.speeds]
    names = [*system.coordinates, *speeds]

    def flow(place: dict[str, float]) -> np.ndarray:
        state = nh.complete_state(system, place, parameters)
        rates = witness.rates({n: state[n] for n in witness.state}, parameters)
        return np.array([rates[n] if n in rates else state[f"{n}dot"] for n in names])

    random = np.random.default_rng(4)
    place = {n: float(e) for n, e in zip(names, random.uniform(0.3, 0.9, len(names)))}
    step = 1e-5

    def moved(n: str, by: float) -> dict[str, float]:
        return {**place, n: place[n] + by}

    divergence = sum((flow(moved(n, step))[i] - flow(moved(n, -step))[i]) / (2 * step) for i, n in enumerate(names))
    rates = flow(place)
    value = lambda p: float(evaluate([found.expression], {**parameters, **p})[0])  # noqa: E731
    slope = sum(r * (value(moved(n, step)) - value(moved(n, -step))) / (2 * step) for n, r in zip(names, rates))
    assert slope / value(place) + divergence == pytest.approx(0, abs=2e-7)


@pytest.mark.parametrize("name", ["suslov", "chaplygin-sleigh", "rattleback"])
def test_measures_are_proved_absent(name: str) -> None:
    """Kozlov 1988 for Suslov's problem; the sleigh and the rattleback have attractors."""
    found = nh.measure(nh.gallery.get(name).system)
    assert found.verdict == "fails" and found.proved


@pytest.mark.parametrize("moment, verdict_of_measure", [("0", "holds"), ("I13", "fails")])
def test_kozlovs_condition_for_suslov(moment: str, verdict_of_measure: str) -> None:
    """An Euler–Poincaré–Suslov system has a measure just when the fixed axis is an eigenvector of inertia [Kozlov 1988]."""
    body = nh.System(
        frame=nh.SO3("R"),
        parameters="I1 I2 I3 I13",
        lagrangian=f"(I1*w1**2 + I2*w2**2 + I3*w3**2)/2 + {moment}*w1*w3",
        constraints=["w3"],
    )
    assert measure_of(motion_of(body)).verdict == verdict_of_measure


def test_each_line_has_a_status_and_the_same_bytes_come_twice() -> None:
    first, second = (str(verdict(system_of("sleigh"))) for _ in range(2))
    assert first == second
    found = verdict(system_of("sleigh"))
    assert {status(f) for f in found.findings} <= {"proved", "measured", "open"}
    assert "symmetries: shift of x; shift of y; shift of theta with turn of xy" in first


def test_nothing_is_concluded_of_a_driven_system() -> None:
    assert not verdict(system_of("driven-rotor"))


def test_the_command_prints_lines_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verdict", str(PLAIN / "sleigh.toml")]) == 0
    page = capsys.readouterr().out
    assert "proved   symmetries" in page and "result   integrable" in page
    assert main(["verdict", str(PLAIN / "sleigh.toml"), "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert table["conclusion"].startswith("integrable") and table["lines"][0]["status"] == "proved"
    assert main(["verdict", "no-such-system"]) == 2


@pytest.mark.parametrize("count", [1, 2])
def test_a_torus_is_told_by_its_dimension(count: int) -> None:
    t = np.linspace(0, 3000, 1500)
    rates = (1.0, 2**0.5)[:count]
    states = np.stack([f(r * t) for r in rates for f in (np.cos, np.sin)], axis=1)
    size, spread = correlation_dimension(states)
    assert abs(size - count) < 0.4 and spread < 0.6


def test_the_freedom_is_counted_where_the_exact_tests_do_not_reach() -> None:
    skate = nh.System(coordinates="theta x y", lagrangian="(xdot**2 + ydot**2 + thetadot**2)/2",
                      constraints=["ydot*cos(theta) - xdot*sin(theta)"])  # fmt: skip
    assert _freedom(skate, None).data == _freedom(skate, motion_of(skate)).data == Freedom(3, 2)


@pytest.mark.slow
def test_a_bicycle_written_out_is_judged() -> None:
    """Eight coordinates, four rolling constraints and the height of the front wheel: three velocities are free."""
    file = next((f for f in (p / "shared/systems/whipple-bicycle.toml" for p in Path(__file__).parents) if f.exists()), None)
    if file is None:
        pytest.skip("the text of the bicycle is not beside the project")
    system = nh.load(file)
    found = verdict(system)
    assert found.findings[0].data == Freedom(8, 3)
    assert found.decision == OpenBeyondTests(1) and not found


SLEIGH = "m*((xdot - a*sin(phi)*phidot)**2 + (ydot + a*cos(phi)*phidot)**2)/2 + J*phidot**2/2"
BELTS = ("sin(phi)*(xdot - V) - cos(phi)*ydot", "sin(phi)*(xdot - V*cos(be)) - cos(phi)*(ydot - V*sin(be))")


@pytest.mark.parametrize("constraint", [BELTS[0], pytest.param(BELTS[1], marks=pytest.mark.slow)])
def test_a_sleigh_on_a_belt_is_integrable_as_seen_from_the_belt(constraint: str) -> None:
    """Called "attracted", though Galilei's transformation makes it Chaplygin's sleigh; a weight forbids it."""
    words = {"coordinates": "phi y x", "parameters": {"m": 1.3, "J": 0.5, "a": 0.37, "V": 0.8, "be": 0.4}}
    found = verdict(nh.System(lagrangian=SLEIGH, constraints=[constraint], **words)).decision
    assert isinstance(found, IntegrableByQuadratures) and (found.dimension, found.integrals, found.around) == (2, 1, ())
    tilted = nh.System(lagrangian=f"{SLEIGH} - m*x*phi", constraints=[constraint], **words)
    motion = motion_of(tilted)
    assert in_moving_frame(motion, list(group_of_motion(motion).generators.values())) is None


@pytest.mark.slow
def test_local_integrals_decide_where_their_angle_is_counted_beyond_a_turn() -> None:
    """The twistcar's two momenta are known as numbers, and not single valued round its hinge."""
    found = verdict(nh.load(PLAIN / "twistcar.toml")).decision
    assert isinstance(found, IntegrableByQuadratures) and found.around == ("ph",) and not found.exact


def test_a_motion_that_hardly_moves_fills_nothing() -> None:
    """The generic start lies where the constraint stops all but a creeping motion; its distances were an IndexError."""
    still = nh.System(
        coordinates="z x y", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2 + 3*cos(y)/2 + ydot*(cos(y) - 3*y**3)",
        constraints=["2*y*zdot*cos(y) + ydot - xdot*y**2/5"],
    )  # fmt: skip
    assert not verdict(still, witness=False).decision.decided


def test_drifting_constraints_that_change_with_time_have_no_steady_frame() -> None:
    """A particle of Engel's type, its plane of y and z seen from a turning frame, with a drift that depends on time."""
    y, z = "(y*cos(t) - z*sin(t))", "(y*sin(t) + z*cos(t))"
    system = nh.System(
        coordinates="x y z w",
        lagrangian="(xdot**2 + wdot**2 + (ydot - z)**2 + (zdot + y)**2)/2",
        constraints=[f"ydot*sin(t) + zdot*cos(t) + y*cos(t) - z*sin(t) - xdot*{y}", f"wdot - xdot*{z}"],
    )
    found = [f.data for f in nh.verdict(system).findings if isinstance(f.data, Symmetries)]
    assert {"shift_x", "shift_w"} <= {name for data in found for name in data.names}


@pytest.mark.slow
def test_undecided_symmetries_have_the_reason_of_their_own_search() -> None:
    """Of the skateboard it was said that "only symmetries are sought", as the reason why they are not decided."""
    skateboard = nh.gallery.get("skateboard").system
    (found,) = (f for f in verdict(skateboard).findings if isinstance(f.data, Symmetries))
    assert found.verdict == "unknown" and found.evidence == group_of(skateboard).open
