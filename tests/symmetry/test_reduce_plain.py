"""Systems as users write them, without a hint for the reduction, against the multipliers and the full motion."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from nonholo.derive.chart_coordinates import in_chart
from nonholo.derive.laws.check import random_states
from nonholo.finding import Agreement
from nonholo.model.system import resolve
from nonholo.symmetry.group.symmetry_group import group_of
from nonholo.symmetry.reduction.reduction_findings import witness_gap
from tests.symmetry import workshop

PLAIN = Path(__file__).parents[1] / "plain"
PLANE = {"shift_x", "shift_y", "turn"}
SPINS = {"R_spin1", "R_spin2", "R_spin3"}
GROUPS = {
    "ball-cylinder-cartesian": {"A_spin1", "A_spin2", "A_spin3", "A_turn", "shift_z"},
    "ball-on-sphere": {*SPINS, "R_turn"},
    "ball-sphere-cartesian": {"A_spin1", "A_spin2", "A_spin3", "A_turn"},
    "ball-turntable-body": {*SPINS, "R_turn"},
    "bicycle-planar": {"shift_xf", "shift_yf", "turn"},
    "car-trailer": PLANE,
    "chaplygin-ball-body": {"shift_x", "shift_y", "R_turn"},
    "chaplygin-top": {"shift_x", "shift_y", "R_turn", "R_spin"},
    "coaxial-discs": {*PLANE, "shift_p1", "shift_p2"},
    "contact-particle": {"shift_x", "shift_z"},
    "double-quaternion": {"shift_a", "shift_x", "shift_y", "q_turn"},
    "driven-rotor": {*PLANE, "shift_phi"},
    "euler-disk": {*PLANE, "shift_psi"},
    "growing-sleigh": PLANE,
    "heading-vector": PLANE,
    "heisenberg-shear": {"shift_z", "shift_y", "shear"},
    "magnetic-disc": {"turn"},
    "paraboloid": {*SPINS, "R_turn"},
    "roller-racer": PLANE,
    "rolling-cylinder-plane": {"shift_psi", "turn"},
    "rotating-cone": {*SPINS, "R_turn"},
    "rotating-paraboloid": {*SPINS, "R_turn"},
    "rotor-body": {"shift_b", "R_turn1", "R_turn2", "R_turn3"},
    "rubber-ball-quaternion": {"shift_x", "shift_y", "q_turn"},
    "rubber-disc": {*PLANE, "shift_psi"},
    "scaled-halfplane": {"shift_x", "scale"},
    "se2-frame": PLANE,
    "se3-blade": {"R_turn1", "R_turn2", "R_turn3", "shift_x", "shift_y", "shift_z"},
    "segway": {*PLANE, "shift_pl", "shift_pr"},
    "shaken-skate": {"shift_x", "shift_y"},
    "skate-cone": {"shift_ph"},
    "skate-cylinder": {"shift_ph", "shift_z"},
    "skate-incline": {"shift_x", "shift_y"},
    "skate-sphere": {"shift_ph"},
    "sleigh": PLANE,
    "sleigh-parametric": PLANE,
    "sleigh-pendulum": PLANE,
    "sleigh-turntable": {"turn"},
    "snakeboard-two-angles": {*PLANE, "shift_psi"},
    "suslov-heavy": {"R_turn"},
    "suslov-spatial": {"R_turn1", "R_turn2", "R_turn3"},
    "three-link": PLANE,
    "triaxial-ball-on-sphere": {"R_turn"},
    "twistcar": PLANE,
    "two-skates-spring": {"shift_x1_x2", "shift_y2_y1", "turn"},
    "two-sliders": PLANE,
    "veselova": {"R_turn"},
    "wheel-vertical-y": {"shift_x", "shift_z", "shift_roll", "turn"},
    "cart-side-pendulum": {*PLANE, "shift_left", "shift_right"},
    "charged-sleigh": {"shift_x", "shift_y", "turn"},
    "cylinder-holonomic": {*SPINS, "R_turn", "shift_z"},
    "disc-bead": {*PLANE, "shift_s_th"},
    "dumbbell-blades": {"turn", "shift_x2_x1", "shift_y1_y2"},
    "heisenberg-trap": {"shift_z", "turn"},
    "particle-exponential": {"shift_x", "shift_z"},
    "routh-rotor": {"shift_s", "shift_x", "shift_y", "R_turn", "R_spin"},
    "rubber-spheroid": {"shift_x", "shift_y", "R_turn", "R_spin"},
    "skate-river": {"shift_x"},
    "skate-wind": {"shift_x", "shift_y"},
    "skateboard": PLANE,
    "suslov-tisserand": {"R_turn"},
    "trident-snake": PLANE,
    "turning-blade": {"shift_x", "shift_y"},
    "veselova-gyrostat": {"q_turn"},
    "water-sleigh": PLANE,
    "roller-racer-rotor": {*PLANE, "shift_psi"},
    "tricycle-trailers": PLANE,
    "sleigh-rotor-mass": {*PLANE, "shift_psi"},
    "ball-vibrating-plane": {*SPINS, "shift_x", "shift_y"},
    "blade-turntable-spring": {"turn"},
    "rubber-gyrostat": {"shift_x", "shift_y", "R_turn"},
    "hoop-bead": {"shift_phi", "shift_x"},
    "heisenberg-magnetic": {"shift_z", "turn"},
    "pursuit": {"shift_X_x", "shift_y_Y", "turn"},
    "two-balls-spring": {
        "shift_x1_x2", "shift_y2_y1", "turn7", "A_spin1", "A_spin2", "A_spin3", "B_spin1", "B_spin2", "B_spin3",
    },
    "cart-arm": {"shift_wr", "shift_yy", "shift_wl", "shift_xx", "turn"},
    **workshop.GROUPS,
}
REFUSED = {
    "contact-oscillator": "leaves the system as it is",
    "parallel-points-spring": "nonlinear in the velocities",
}
QUICK = (
    "ball-turntable-body", "chaplygin-top", "driven-rotor", "heading-vector", "heisenberg-shear", "magnetic-disc",
    "rotating-paraboloid", "rubber-ball-quaternion", "se2-frame", "shaken-skate", "skate-sphere", "sleigh", "sleigh-parametric",
    "sleigh-turntable", "two-skates-spring", "two-sliders", "skateboard", "rubber-spheroid",
)  # fmt: skip
STARTS = {
    "ball-on-sphere": {"th": 0.4, "ph": 0.3, "w1": 0.5, "w2": -0.7, "w3": 0.9},
    "paraboloid": {"x": 0.6, "y": 0.3, "w1": 0.5, "w2": -0.7, "w3": 0.9},
    "rotating-paraboloid": {"x": 0.6, "y": 0.3, "w1": 0.5, "w2": -0.7, "w3": 0.9},
}
UNTIL = {"skate-sphere": 10.0}


def rare(names, quick):
    return [n if n in quick else pytest.param(n, marks=pytest.mark.slow) for n in names]


@cache
def reduced(name):
    return nh.reduce(nh.load(PLAIN / f"{name}.toml"))


def largest_gap(system, reduction, start, until, parameters=None, inputs=None):
    call = {"rtol": 1e-12, "atol": 1e-13, "t_eval": 21, "inputs": inputs}
    full = nh.simulate(system, start, until, parameters, **call)
    found = reduction.simulate(start, until, parameters, **call)
    assert full.outcome.reached and found.outcome.reached
    names = (*system.coordinates, *system.velocities, *system.quasivelocities, "energy")
    return max(np.max(np.abs(found[n] - full[n])) / (1 + np.max(np.abs(full[n]))) for n in names)


def test_every_file_is_looked_at():
    assert {f.stem for f in PLAIN.glob("*.toml")} == {*GROUPS, *REFUSED}


@pytest.mark.parametrize("name", rare(GROUPS, QUICK))
def test_the_group_is_found_and_the_momentum_equation_is_the_witness_s(name):
    reduction = reduced(name)
    assert set(reduction.group.names) == GROUPS[name]
    system = reduction.system
    witness = nh.multipliers(system)
    for state in random_states(system, count=2):
        values = {n: e for n, e in state.values.items() if n not in system.parameters}
        assert witness_gap(reduction, values, state.parameters, witness.rates(values, state.parameters)) < 1e-9
    assert all(f for f in reduction.findings if isinstance(f.data, Agreement))


@pytest.mark.parametrize("name", rare(GROUPS, QUICK))
def test_reduced_and_reconstructed_motion_is_the_full_motion(name):
    reduction = reduced(name)
    assert largest_gap(reduction.system, reduction, STARTS.get(name), UNTIL.get(name, 3.0)) < 1e-9


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_out_of_reach_is_refused_with_its_reason(name):
    with pytest.raises(nh.ModelError, match=REFUSED[name]):
        reduced(name)


GALLERY = [
    n
    for n in nh.gallery.system_names()
    if n not in ("degenerate-sleigh", "heavy-suslov-top", "parallel-points", "steered-point", "suslov-n")
]


@pytest.mark.parametrize(
    "name", rare(GALLERY, ("chaplygin-sleigh", "n-trailer", "snakeboard", "rolling-disk", "knife-edge"))
)
def test_gallery_systems_in_plain_coordinates_without_quasivelocities(name):
    """Rotations by Cardan angles, no declared symmetry, no helpful velocities; Cardan's angles hide some turns."""
    exhibit = nh.gallery.get(name)
    plain = in_chart(exhibit.system)
    energy, *rows = resolve(plain, [plain.lagrangian, *plain.constraints])
    kept = {n: e for n, e in plain.quasivelocities.items() if n in plain.forces}
    given = {"quasivelocities": kept, "symmetry": None, "start": {}, "page": None, "inputs": tuple(plain.inputs)}
    bare = replace(plain, lagrangian=energy, constraints=tuple(rows), **given)
    reduction = nh.reduce(bare)
    state = next(iter(random_states(bare, exhibit.parameters, count=1, seed=5)))
    start = {n: state.values[n] for n in (*bare.coordinates, *bare.velocities)}
    inputs = dict.fromkeys(bare.inputs, 0.3) or None
    assert largest_gap(bare, reduction, start, 0.3, dict(exhibit.parameters), inputs) < 1e-9


def test_a_start_at_the_pole_of_the_section_gets_another_section():
    """R33 = −1 is where a rotation with a given third row has no formula with 1/(1 + R33)."""
    reduction = reduced("chaplygin-ball-body")
    start = {"R11": 1.0, "R22": -1.0, "R33": -1.0, "w1": 0.7, "w2": -0.4, "w3": 0.2}
    assert largest_gap(reduction.system, reduction, start, 3.0) < 1e-9


def test_a_motion_through_the_pole_changes_the_section_and_goes_on():
    """The vertical turns over slowly, through R33 = −1 within 0.01."""
    reduction = reduced("veselova")
    start = {"R11": 1.0, "R22": -0.8, "R23": 0.6, "R32": -0.6, "R33": -0.8, "w1": 1.0, "w2": 0.02}
    run = reduction.simulate(start, 6.0, t_eval=601)
    assert np.min(run["R33"]) < -0.99
    assert largest_gap(reduction.system, reduction, start, 6.0) < 1e-9


def test_an_input_is_not_called_nothing():
    """dp/dt = τ for the rotor: conserved when the inputs are zero, and only then."""
    reduction = reduced("driven-rotor")
    claims = {f.claim: f for f in reduction.findings if f}
    assert "horizontal symmetries" not in claims
    assert "when the inputs are zero" in claims["horizontal symmetries while no input pushes"].evidence
    assert not any("all momenta" in c or "every momentum" in c for c in claims)
    assert {str(e) for e in reduction.momentum_equation.values()} >= {"tau"}
    run = reduction.simulate(None, 2.0)
    assert np.ptp(run["p3"]) == pytest.approx(0.2 * (1 - np.cos(2.0)), rel=1e-6)  # ∫ 0.2 sin t


def test_a_law_of_the_state_is_followed_and_another_may_be_given():
    reduction = reduced("wheel-vertical-y")
    other = {"u": "0.1 - 0.5*head"}  # breaks the symmetry; the reconstruction follows it all the same
    assert largest_gap(reduction.system, reduction, None, 2.0, inputs=other) < 1e-9


def test_velocities_by_parameters_must_be_mapped_to_such():
    """ẋ = u (1 + y²): the kinetic energy alone would allow shifts of y."""
    system = nh.System(
        coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2", parametric=("u", {"xdot": "u*(1 + y**2)", "ydot": "u"})
    )
    assert set(group_of(system).symmetry.generators) == {"shift_x"}
    with pytest.raises(nh.ModelError, match="does not leave the constraints"):
        nh.reduce(replace(system, symmetry=nh.translation("y")))


def test_the_energy_must_be_invariant_across_the_constraints_too():
    """x ẋ φ with φ = 0 is nothing on D, but its momentum across D enters the equations."""
    system = nh.System(
        coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2 + x*ydot*(zdot - y*xdot)",
        constraints=["zdot - y*xdot"],
    )  # fmt: skip
    assert set(group_of(system).symmetry.generators) == {"shift_z"}


def test_veselova_by_its_vertical_has_a_turn_that_moves_no_coordinate():
    system = nh.System(
        name="Veselova, the vertical alone", frame=nh.Vertical("g"), parameters={"I1": 0.7, "I2": 1.1, "I3": 1.6, "k": 0.4},
        lagrangian="(I1*w1**2 + I2*w2**2 + I3*w3**2)/2 - k*g1", constraints=["g1*w1 + g2*w2 + g3*w3"],
    )  # fmt: skip
    reduction = nh.reduce(system)
    assert reduction.group.names == ("g_turn",) and reduction.momenta == ()
    assert largest_gap(system, reduction, {"w1": 0.3, "w2": 0.5, "g1": 0.6, "g3": 0.8}, 3.0) < 1e-9
    top = replace(system, lagrangian="(I1*w1**2 + I1*w2**2 + I3*w3**2)/2 - k*g3 + 0*I2", constraints=())
    assert nh.reduce(top).group.names == ("g_turn", "g_spin")


@pytest.mark.slow
def test_the_same_text_on_every_run():
    assert str(nh.reduce(nh.load(PLAIN / "twistcar.toml"))) == str(reduced("twistcar"))


@pytest.mark.parametrize(
    ("law", "group"),
    [
        ("0.2*thetadot", ("shift_x", "shift_y", "turn")),
        ("0.3*sin(theta)", ("shift_x", "shift_y")),
        ("0.3", ("shift_x", "shift_y", "turn")),
    ],
)
def test_an_input_in_a_constraint_that_follows_a_law_is_put_in(law, group):
    """A blade that is pushed sideways: by its own turning, by its heading, steadily; the symmetries are those of the law."""
    words = {
        "coordinates": "theta x y", "parameters": {"m": 1.3, "J": 0.7, "a": 0.4},
        "lagrangian": "m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2",
        "constraints": ["ydot*cos(theta) - xdot*sin(theta) - u"],
    }  # fmt: skip
    driven = nh.System(inputs={"u": law}, **words)
    red = nh.reduce(driven)
    assert red.group.names == group
    assert largest_gap(driven, red, {"theta": 0.3, "thetadot": 0.5, "xdot": 0.7}, 1.0) < 1e-9
    free = nh.reduce(nh.System(inputs="u", **words))  # of which nothing is said: whatever it does
    assert free.shape.names == ("u",) and "u_rate" in free.system.inputs
