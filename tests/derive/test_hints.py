"""Common slips are told, and right systems are left in peace."""

from __future__ import annotations

from pathlib import Path

import pytest

import nonholo as nh
from nonholo.cli.main import main
from nonholo.derive.laws.hints import hints
from nonholo.finding.statements import Agreement

ROLLING = ["xdot - R*cos(phi)*thetadot", "ydot - R*sin(phi)*thetadot"]


def disk(lagrangian: str, constraints: list[str] | None = None, **more: object) -> nh.System:
    words = {
        "coordinates": "x y theta phi",
        "parameters": {"m": 1.0, "I": 0.2, "J": 0.1, "R": 0.5},
    }
    return nh.System(
        lagrangian=lagrangian, constraints=ROLLING if constraints is None else constraints, **{**words, **more}
    )


RIGHT = "m*(xdot**2 + ydot**2)/2 + I*thetadot**2/2 + J*phidot**2/2"


def test_a_right_system_gets_no_hint() -> None:
    assert hints(disk(RIGHT, start={"thetadot": 1.0})) == ()
    assert not any(
        hints(nh.gallery.get(n).system) for n in ("chaplygin-sleigh", "rattleback", "snakeboard", "rolling-disk")
    )


def test_constraints_put_into_the_lagrangian_first() -> None:
    """The classical fallacy: the metric is singular off the constraints."""
    (hint,) = hints(disk("(m*R**2 + I)*thetadot**2/2 + J*phidot**2/2"))
    assert "before varying" in hint.evidence and "xdot, ydot" in hint.evidence
    assert any(f.claim == hint.claim for f in nh.check(disk("(m*R**2 + I)*thetadot**2/2 + J*phidot**2/2")))


def test_velocities_without_inertia_that_ask_for_no_force() -> None:
    """The pendulum is a point, whose body has no inertia about the rod; a sleigh has some across its blade."""
    assert hints(nh.gallery.get("spherical-pendulum").system) == ()
    words = {"coordinates": "x y th", "constraints": ["u"], "start": {"w": 1.0, "v": 1.0}}
    words["quasivelocities"] = {"w": "thdot", "v": "xdot*cos(th) + ydot*sin(th)", "u": "ydot*cos(th) - xdot*sin(th)"}
    (hint,) = hints(nh.System(lagrangian="w**2/2 + v**2/2", **words))
    assert "before varying" in hint.evidence


def test_a_missing_dot() -> None:
    (hint,) = hints(disk(RIGHT, ["xdot - R*cos(phi)*theta", ROLLING[1]]))
    assert "theta itself and not its rate thetadot" in hint.claim


def test_degrees() -> None:
    (hint,) = hints(disk(RIGHT, start={"phi": 45.0, "thetadot": 1.0}))
    assert "45*pi/180" in hint.evidence


def test_a_start_that_stays_at_rest() -> None:
    (hint,) = hints(disk(RIGHT, start={"x": 1.0}))
    assert "at rest" in hint.claim


def test_a_product() -> None:
    two = nh.System(coordinates="tau phi", lagrangian="(taudot**2 + phidot**2)/2", constraints=["tau*phidot"])
    (hint,) = hints(two)
    assert "not unique" in hint.evidence


@pytest.mark.slow
def test_the_check_of_a_bicycle_ends() -> None:
    from tests.program.subjects import PLAIN

    (bicycle,) = [p for p in PLAIN if p.stem == "whipple-bicycle"]
    findings = nh.check(nh.load(bicycle))
    compared = {f.data.one: f.verdict for f in findings if isinstance(f.data, Agreement)}
    assert all(f.verdict != "fails" for f in findings)
    assert compared["hamilton"] == "unknown" and compared["voronetz"] == "holds"


def test_a_constraint_whose_dots_were_all_forgotten() -> None:
    """`check` said only that the mass matrix is singular."""
    skate = nh.System(
        coordinates="x y th", lagrangian="(xdot**2 + ydot**2 + thdot**2)/2", constraints=["x*sin(th) - y*cos(th)"]
    )
    (hint,) = hints(skate)
    assert hint.claim == "constraint 1 holds no velocity" and "xdot, ydot, thdot" in hint.evidence
    assert hint.claim in [f.claim for f in nh.check(skate)]


def test_hints_stand_in_the_judgement_and_beside_a_motion(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A particle on the Heisenberg group, its constraint put into L first; a skate that starts at 45 radians."""
    particle = nh.System(
        coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + (y*xdot)**2)/2", constraints=["zdot - y*xdot"]
    )
    assert "put into it before varying" in str(nh.verdict(particle))
    skate = tmp_path / "skate.toml"
    skate.write_text(
        'coordinates = "x y th"\nlagrangian = "(xdot**2 + ydot**2 + thdot**2)/2"\nconstraints = ["xdot*sin(th) - ydot*cos(th)"]\n'
        "[start]\nth = 45\nthdot = 0.2\n"
    )
    assert main(["simulate", str(skate), "--until", "1"]) == 0
    assert f"hint: {skate}: is it meant that th = 45 is an angle in radians?" in capsys.readouterr().out
    assert main(["simulate", "chaplygin-sleigh", "--until", "1"]) == 0
    assert "hint" not in capsys.readouterr().out


def test_the_command_says_where_a_motion_is_not_unique(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Appell's machine falls to rest, where its cone of velocities has no slope; the words were dropped from the page."""
    machine = tmp_path / "machine.toml"
    machine.write_text(
        'coordinates = "x y z"\nlagrangian = "(xdot**2 + ydot**2 + zdot**2)/2 + 9.81*z"\n'
        'constraints = ["zdot**2 - 0.49*(xdot**2 + ydot**2)"]\n[start]\nxdot = 0.5\nzdot = -0.35\n'
    )
    main(["simulate", str(machine), "--until", "1"])
    assert "not unique" in capsys.readouterr().out
