"""Systems that nobody had prepared: what was false or missing in their answers, against what is known by hand."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import symengine as se
import sympy as sp

import nonholo as nh
from nonholo.algebra.prime.random_points import Points
from nonholo.finding import Defect, Density, FirstIntegral, Measure, TimeReversible
from nonholo.geometry.distributions import norm_roots
from nonholo.symmetry.certificate.certificates import certificates
from nonholo.symmetry.exact.modular_states import exact_states, motion_of
from nonholo.symmetry.group.shift_turn_algebra import decided_algebra
from nonholo.symmetry.group.symmetry_group import group_of_motion
from nonholo.symmetry.integrals.ode.numeric_momentum import NumericMomentum
from nonholo.symmetry.judgement import motion_statistics
from nonholo.symmetry.judgement.comoving_frame import in_moving_frame
from tests.certificates.checker import check
from tests.symmetry.strangers import STRANGERS

BLADES = {"m": 1.0, "J": 0.3, "l": 0.4, "g": 1.5}


def test_a_force_of_the_configuration_hides_no_absence_of_a_measure() -> None:
    """Two blades on a slope: as a potential "proved", as a force "not decided"."""
    words: dict[str, Any] = {"coordinates": "x y th", "constraints": ["-xdot*sin(th) + ydot*cos(th) + l*thdot"]}
    kinetic = "m/2*(xdot**2 + ydot**2) + J/2*thdot**2"
    for force in ({"x": "m*g"}, {"x": "-m*g*y", "y": "m*g*x"}):
        pushed = nh.System(parameters=BLADES, lagrangian=kinetic, forces=force, **words)
        found = nh.measure(pushed)
        assert (found.verdict, found.proved) == ("fails", True)


def test_a_density_over_the_differential_of_a_constraint_says_which() -> None:
    """Appell and Hamel in polar coordinates: with ``dφ`` of the root as written the density was another one."""
    a, r = sp.symbols("a r", positive=True)
    rdot, pdot = sp.symbols("rdot pdot", positive=True)
    machine = nh.System(
        coordinates="r p z", parameters={"m": 1.3, "g": 2.0, "a": 0.7}, constraints=["zdot - a*sqrt(rdot**2 + r**2*pdot**2)"],
        lagrangian="m/2*(rdot**2 + r**2*pdot**2 + zdot**2) - m*g*z",
    )  # fmt: skip
    found = nh.measure(machine)
    zdot = a * sp.sqrt(rdot**2 + r**2 * pdot**2)
    names = {str(s): s for s in (a, r, rdot, pdot)} | {"zdot": sp.Symbol("zdot", positive=True)}
    density = sp.sympify(str(found.expression), names).subs(names["zdot"], zdot)
    over = sp.sympify(found.evidence.split("differential of ")[1].rstrip(")"), names)
    volume = density / sp.diff(over, names["zdot"]).subs(names["zdot"], zdot)  # dr dp dz drdot dpdot
    assert sp.simplify(volume * pdot).is_number is not False and not sp.simplify(volume * pdot).free_symbols


def test_horizontal_symmetries_are_judged_where_the_holonomic_constraints_hold() -> None:
    """A bead on a ring: "no horizontal symmetry" and "purely kinematic" were true off the ring only."""
    ring = nh.System(
        coordinates="x y f", parameters={"m": 1, "r": 0.7}, lagrangian="m/2*(xdot**2 + ydot**2)",
        holonomic=["x - r*cos(f)", "y - r*sin(f)"],
    )  # fmt: skip
    said = [f.claim for f in nh.reduce(ring).findings if f]
    assert "horizontal symmetries" in said
    assert not [c for c in said if "purely kinematic" in c]


LEAKING = nh.System(
    name="leaking skate", coordinates="x y th", parameters={"m": 1.0, "J": 0.3, "k": 0.2},
    lagrangian="exp(-k*t)*(m*(xdot**2 + ydot**2) + J*thdot**2)/2", constraints=["xdot*sin(th) - ydot*cos(th)"],
)  # fmt: skip


def test_a_mass_that_changes_with_time_is_not_time_reversible() -> None:
    """Its momenta are constant, and the velocities ``p exp(k t)/m`` are not those of the motion run backwards."""
    (found,) = [f for f in nh.reduce(LEAKING).findings if isinstance(f.data, TimeReversible | Defect)]
    assert isinstance(found.data, TimeReversible) and found.verdict == "fails"


def test_the_motion_on_which_a_torus_is_sought_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The skate that leaks turns with ``exp(k t)``: a motion of 600 s took 20 s of processor time."""
    most = []

    def counted(*given: Any, **options: Any) -> Any:
        most.append(options["max_steps"])
        return nh.simulate(*given, **options)

    monkeypatch.setattr(motion_statistics, "simulate", counted)
    start = {"thdot": 1.0, "xdot": 1.0}
    assert motion_statistics.winding_torus(LEAKING, start, dict(LEAKING.parameters), 2) is None
    assert most == [motion_statistics.STEPS]


def test_a_density_on_a_moving_surface_is_no_density_of_the_configuration_alone() -> None:
    """On ``x² + y² = (1 + b t)²`` the factor ``x² + y²`` is one of time, as in the angle."""
    words: dict[str, Any] = {"parameters": {"m": 1.0, "b": 0.3, "g": 2.0}}
    angle = nh.System(coordinates="f", lagrangian="m/2*(1 + b*t)**2*fdot**2 + m*g*(1 + b*t)*cos(f)", **words)
    plane = nh.System(
        coordinates="x y", lagrangian="m/2*(xdot**2 + ydot**2) - m*g*y", holonomic=["x**2 + y**2 - (1 + b*t)**2"], **words
    )
    kinds = [f.data.density for f in map(nh.measure, (angle, plane)) if isinstance(f.data, Measure) and f.proved and f]
    assert kinds == [Density.TIME, Density.TIME]


@pytest.mark.parametrize("chart", ["SO3", "Quaternion"])
def test_frequencies_of_a_top_upright_are_seen_in_a_frame_that_is_named(chart: str) -> None:
    """Its axis moves with ``λ² − i (C w/A) λ − k/A = 0`` in space; a frame that turned with 3/4 of the spin was used."""
    upright, frame = ("R33", nh.SO3("R", rates="w1 w2 w3")) if chart == "SO3" else (
        "(e0**2 - e1**2 - e2**2 + e3**2)", nh.Quaternion("e", rates="w1 w2 w3")
    )  # fmt: skip
    a, c, k, spin = 0.5, 0.3, 1.1, 1.0
    top = nh.System(
        frame=frame, parameters={"A": a, "C": c, "k": k}, lagrangian=f"A/2*(w1**2 + w2**2) + C/2*w3**2 - k*{upright}"
    )
    found = nh.stability(top, {"w3": spin})
    in_space = np.roots([1, -1j * c * spin / a, -k / a])[0].imag
    (turn,) = [e for n, e in found.velocity.items() if n.endswith("_turn")]
    assert dict(found.velocity) == pytest.approx({next(n for n in found.velocity if n.endswith("_turn")): turn})
    assert found.modes[0].frequency == pytest.approx(abs(in_space - turn), rel=1e-7)
    assert "as seen in the frame that moves along" in str(found)


def test_a_turn_of_a_body_holds_no_shift_that_is_a_symmetry_itself() -> None:
    """A gyrostat's rotor angle was shifted by what was called ``e_turn``."""
    gyrostat = nh.System(
        frame=nh.Quaternion("e", rates="w1 w2 w3") * nh.Euclidean("f"), parameters={"A": 0.5, "C": 0.3, "I": 0.1},
        lagrangian="A/2*(w1**2 + w2**2) + C/2*w3**2 + I/2*(w3 + fdot)**2 - (e0**2 - e1**2 - e2**2 + e3**2)",
    )  # fmt: skip
    group = nh.reduce(gyrostat).group
    moved = {n: str(field[-1]) for n, field in zip(group.names, group.on_coordinates)}
    assert moved == {"shift_f": "1", "e_turn": "0", "e_spin": "0"}


def test_a_momentum_by_a_quadrature_outside_the_field_is_a_formula() -> None:
    """A charge with ``ż = y ẋ``: ``d(ẋ √(1 + y²))/dt = B ẏ/√(1 + y²)``; the integral was known as numbers only."""
    charge = nh.System(
        coordinates="x y z", parameters="B", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2", magnetic={"x y": "B"},
        constraints=["zdot - y*xdot"],
    )  # fmt: skip
    claims = {f.claim for f in nh.integrals(charge) if f.proved}
    assert "xdot*sqrt(y**2 + 1) - B*asinh(y) is constant" in claims


def test_numbers_over_a_difference_of_angles_are_local_integrals() -> None:
    """The roller racer in two absolute angles: its momenta change when one of them goes round."""
    racer = nh.System(
        coordinates="al y th x", parameters={"m": 1.0, "I": 0.2, "J": 0.1, "a": 0.6, "b": 0.25},
        lagrangian="m/2*(xdot**2 + ydot**2) + I/2*thdot**2 + J/2*aldot**2",
        constraints=["xdot*sin(th) - ydot*cos(th)", "xdot*sin(al) - ydot*cos(al) - a*thdot*cos(al - th) - b*aldot"],
    )  # fmt: skip
    numeric = [f.data for f in nh.integrals(racer) if isinstance(f.expression, NumericMomentum)]
    assert [d.local for d in numeric if isinstance(d, FirstIntegral)] == [("al", "th")] * 2


def test_the_drift_of_a_constraint_is_read_where_no_chart_has_its_pole() -> None:
    """``w3 = n`` of a body in Cardan angles was a LinAlgError of `verdict`: each sine was 1 at one of the configurations."""
    w1, w2, w3 = "(adot*cos(b)*cos(c) + bdot*sin(c))", "(bdot*cos(c) - adot*cos(b)*sin(c))", "(adot*sin(b) + cdot)"
    body = nh.System(
        coordinates="a b c", parameters="A B C D n", constraints=[f"{w3} - n"],
        lagrangian=f"(A*{w1}**2 + B*{w2}**2 + C*{w3}**2)/2 + D*{w1}*{w3}",
    )  # fmt: skip
    motion = motion_of(body)
    assert in_moving_frame(motion, list(group_of_motion(motion).generators.values())) is None


def test_a_density_is_positive_at_all_times() -> None:
    """A bead on a line that turns had the density ``1/sin(W t)``."""
    bead = nh.System(
        coordinates="x y", parameters="W", lagrangian="(xdot**2 + ydot**2)/2", holonomic=["x*sin(W*t) - y*cos(W*t)"]
    )
    density = nh.measure(bead).expression
    assert all(float(density.subs({"W": 0.7, "t": t})) > 0 for t in (1.0, 5.0, 6.0, 10.0))


def test_turns_by_fractions_of_pi_are_exact() -> None:
    """Three wheels at 120 degrees: whether a measure is preserved was open, since nothing was known of π modulo a prime."""
    platform = STRANGERS["omni/plain"].system("platform")
    found = nh.measure(platform)
    assert found and found.proved
    (entry,) = certificates(platform, [found])
    assert entry["states"] is not None
    check(json.loads(json.dumps(entry)))


def test_symmetries_of_a_bicycle_whose_wheels_touch_by_a_root() -> None:
    """Its states modulo a prime need zeros of a norm; symmetries were not decided, and what brackets span is not known."""
    bicycle = nh.gallery.get("bicycle").system
    motion = motion_of(bicycle)
    states = exact_states(motion, 60, 71)
    assert np.sum(states.good) > 3
    assert not any(np.any(states.value(e)[states.good]) for e in motion.system.holonomic)
    found = decided_algebra(motion).fields
    assert set(found) == {"shift_x", "shift_y", "shift_rear", "shift_front", "shift_yaw + turn_xy"}
    reach = nh.controllability(bicycle)
    assert reach.accessible is None and reach.locally_controllable is None


def test_a_torus_by_a_root_has_exact_states() -> None:
    """Trials of x and y in ``(√(x² + y²) − R)² + z² − r²`` left no point with a root for z: integrals were measured only."""
    torus = nh.System(
        coordinates="x y z be", parameters={"R": 2.0, "r": 0.7, "m": 1.0, "J": 0.4},
        lagrangian="m/2*(xdot**2 + ydot**2 + zdot**2) + J/2*bedot**2",
        holonomic=["(sqrt(x**2 + y**2) - R)**2 + z**2 - r**2"], constraints=["xdot*sin(be) - ydot*cos(be)"],
    )  # fmt: skip
    states = exact_states(motion_of(torus), 60, 71)
    assert np.sum(states.good) > 5
    assert not any(np.any(states.value(e)[states.good]) for e in motion_of(torus).system.holonomic)


def test_what_has_no_norm_of_low_degree_is_found_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The contact of a wheelset was refused at every new set of states, each time by the same work."""
    x, a = se.symbols("x a")
    held = (se.sqrt(2 + se.sin(x)) + a) ** 40 + se.cos(a)
    counted: list[int] = []
    norm_at = norm_roots._norm_at
    monkeypatch.setattr(norm_roots, "_norm_at", lambda *given: counted.append(1) or norm_at(*given))
    assert not norm_roots.set_on_norm(Points(8, 5), held, x)
    first = len(counted)
    assert not norm_roots.set_on_norm(Points(12, 6), held, x) and len(counted) == first > 0
