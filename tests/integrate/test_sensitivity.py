"""Sensitivities of motions, against closed forms, differences of motions and 40 digits."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import xarray as xr

import nonholo as nh
from nonholo.errors import FileError, NonholoError
from tests.integrate.plain import WORDS, system

FINE = {"rtol": 1e-11, "atol": 1e-13}


def differences(s, names, until, start, parameters, inputs=None, h=1e-4, **words):
    """Derivatives of the quantities at four times by differences of motions with Richardson's extrapolation."""
    full = nh.complete_state(s, start, parameters)

    def at(name, step):
        values, begin, driven = dict(parameters), dict(start), dict(inputs or {})
        where = values if name in values else driven if name in driven else begin
        where[name] = where.get(name, full.get(name)) + step
        return nh.simulate(s, begin, until, values, inputs=driven or None, t_eval=4, **FINE, **words)

    def slope(name, quantity):
        wide, narrow = (
            (up[quantity] - down[quantity]) / (2 * k * h) for k, (up, down) in ((1.0, wide_runs), (0.5, narrow_runs))
        )
        return (4 * narrow - wide) / 3

    for name in names:
        wide_runs, narrow_runs = ((at(name, k * h), at(name, -k * h)) for k in (1.0, 0.5))
        yield name, slope


@pytest.mark.parametrize("name", WORDS)
def test_plain_systems_against_differences_of_motions(name):
    """By two parameters and by every value of the start, what follows from the constraints included."""
    s = system(name)
    inputs = {"tau": 0.13} if name == "rolling coin upright" else {}
    names = [*list(s.parameters)[:2], *s.start, *inputs]
    run = nh.simulate(s, until=1.5, inputs=inputs or None, sensitivity=names, t_eval=4, **FINE)
    found = run.sensitivity
    assert found.dims == ("t", "quantity", "with_respect_to") and tuple(found.with_respect_to.values) == tuple(names)
    forces = {n for n in run.names if n.startswith("lambda")}
    assert bool(forces) == bool(s.constraints or s.holonomic)
    assert {*s.coordinates, *s.velocities, "energy"} <= set(found.quantity.values)
    reactions = run.reaction_sensitivity
    assert set(reactions.quantity.values) == forces and not forces & set(found.quantity.values)
    found = xr.concat([found, reactions], "quantity")
    for by, slope in differences(s, names, 1.5, s.start, s.parameters, inputs):
        for quantity in found.quantity.values:
            true = slope(by, quantity)
            mine = found.sel(quantity=quantity, with_respect_to=by).values
            assert mine == pytest.approx(true, abs=2e-8 * (1 + np.max(np.abs(true)))), (quantity, by)


def test_a_sleigh_loses_and_gains_by_its_closed_form():
    """v = √E tanh(b √E t …): from rest of v the unbalanced sleigh has ω = ω₀ sech(k t), k = a m ω₀/√(m (J + m a²))."""
    s = nh.gallery.get("chaplygin-sleigh").system
    values = {"m": 1.3, "J": 0.7, "a": 0.4}
    run = nh.simulate(s, {"omega": 1.5, "v": 0.0}, 4.0, values, sensitivity=["omega", "a", "J"], t_eval=9, **FINE)
    t, w0, (m, J, a) = run.times, 1.5, values.values()
    inertia = J + m * a * a
    k = a * w0 * np.sqrt(m / inertia)
    omega, slope = w0 / np.cosh(k * t), -w0 * np.tanh(k * t) / np.cosh(k * t) * t
    by_a = slope * (k / a - k * m * a / inertia)
    assert run["omega"] == pytest.approx(omega, abs=1e-9)
    found = run.sensitivity.sel(quantity="omega")
    assert found.sel(with_respect_to="omega").values == pytest.approx(omega / w0 + slope * k / w0, abs=1e-8)
    assert found.sel(with_respect_to="a").values == pytest.approx(by_a, abs=1e-8)
    assert found.sel(with_respect_to="J").values == pytest.approx(-slope * k / (2 * inertia), abs=1e-8)


def test_event_times_move_and_the_state_with_them():
    """A ball thrown up lands at 2 v/g with speed −v; a pushed one meets a moving mark."""
    s = nh.System(coordinates="z", parameters="g", lagrangian="zdot**2/2 - g*z + z*u", inputs="u")
    v, g = 3.0, 9.0
    events = [nh.Event("zdot"), nh.Event("z", direction=-1, terminal=1)]
    run = nh.simulate(
        s, {"zdot": v}, 5, {"g": g}, inputs={"u": 0.0}, events=events, sensitivity=["zdot", "g", "u"], **FINE
    )
    landing, top = run.event_sensitivity["z"], run.event_sensitivity["zdot"]
    assert landing.time.values == pytest.approx(np.array([[2 / g, -2 * v / g**2, 2 * v / g**2]]), abs=1e-9)
    assert landing.state.sel(quantity="zdot").values == pytest.approx(np.array([[-1.0, 0.0, 0.0]]), abs=1e-9)
    assert landing.state.sel(quantity="z").values == pytest.approx(np.zeros((1, 3)), abs=1e-9)
    assert top.state.sel(quantity="z").values == pytest.approx(
        np.array([[v / g, -(v**2) / (2 * g**2), v**2 / (2 * g**2)]]), abs=1e-9
    )
    moving = nh.simulate(
        s, {"zdot": v}, 5, {"g": g}, inputs={"u": lambda t: 2 * t}, events=["z - t*t/10 + u/50"], sensitivity=["zdot"], **FINE
    )  # fmt: skip
    (when,) = moving.events["z - t*t/10 + u/50"][-1:]
    near = [
        nh.simulate(
            s, {"zdot": v + h}, 5, {"g": g}, inputs={"u": lambda t: 2 * t}, events=["z - t*t/10 + u/50"], **FINE
        )
        for h in (1e-4, -1e-4)
    ]
    slope = (near[0].events["z - t*t/10 + u/50"][-1] - near[1].events["z - t*t/10 + u/50"][-1]) / 2e-4
    assert (
        moving.event_sensitivity["z - t*t/10 + u/50"].time.values[-1, 0] == pytest.approx(slope, rel=1e-6)
        and when > 0.5
    )


def test_events_that_are_functions_move_as_their_expressions_do():
    """A Python function is asked beside its place; the same event as text has exact slopes. Frames change on the way."""
    s = system("skate on a slope")
    turning = {**s.start, "thdot": 2.4}

    def slow(state):
        return state["xdot"] * state["t"] - 0.3 * np.sin(state["th"])

    text = "xdot*t - 0.3*sin(th)"
    run = nh.simulate(s, turning, 4.0, sensitivity=["thdot", "xdot"], events=[slow, text], t_eval=5, **FINE)
    mine, true = run.event_sensitivity["slow"], run.event_sensitivity[text]
    assert mine.sizes["occurrence"] == true.sizes["occurrence"] >= 1
    for part in ("time", "state"):
        size = 1 + np.abs(true[part].values)
        assert np.max(np.abs(mine[part].values - true[part].values) / size) < 1e-7
    assert np.min(np.abs(true.time.values)) > 1e-3


def test_sensitivities_go_through_changes_of_frame_and_other_forms():
    s = system("skate on a slope")
    turning = {**s.start, "thdot": 2.4}
    runs = [
        nh.simulate(s, turning, 4.0, sensitivity=["J", "xdot", "th"], form=form, t_eval=5, events=["xdot"], **FINE)
        for form in ("hamel", "multipliers")
    ]
    assert runs[0].frames > 2 and len(runs[0].events["xdot"]) > 2
    names = [*s.coordinates, "xdot", "ydot", "thdot"]
    first = runs[0].sensitivity.sel(quantity=names).values
    for run in runs[1:]:
        assert run.frames == 1
        assert run.sensitivity.sel(quantity=names).values == pytest.approx(first, rel=1e-7, abs=1e-7)
        times = [r.event_sensitivity["xdot"].time.values for r in (runs[0], run)]
        assert times[1] == pytest.approx(times[0], abs=1e-7)
    assert np.max(np.abs(first[-1])) > 1


def test_momenta_begin_with_the_derivatives_of_the_velocities():
    """The state of Hamilton's form is no velocity of the system: its start follows through ẋ, by the masses too."""
    s = system("skate on a slope")
    names = ["m", "J", "xdot", "th"]
    runs = [nh.simulate(s, until=0.3, sensitivity=names, form=form, t_eval=3, **FINE) for form in ("hamel", "hamilton")]
    shown = [*s.coordinates, *s.velocities]
    slopes = [run.sensitivity.sel(quantity=shown).values for run in runs]
    assert slopes[1] == pytest.approx(slopes[0], abs=1e-8)


def test_a_start_on_a_sphere_follows_its_coordinates():
    """z is left out of the start: it follows from x and y, and so does its derivative; ż from all of them."""
    s = nh.System(
        coordinates="x y z", parameters="m g r", lagrangian="m*(xdot**2 + ydot**2 + zdot**2)/2 - m*g*z",
        holonomic=["x**2 + y**2 + z**2 - r**2"],
    )  # fmt: skip
    start = {"x": 0.3, "y": 0.2, "z": "~-1.0", "xdot": 0.5, "ydot": 0.1}
    run = nh.simulate(s, start, 1.0, {"m": 1, "g": 9.81, "r": 1.1}, sensitivity=["x", "xdot", "r"], **FINE)
    z = -np.sqrt(1.1**2 - 0.13)
    begin = run.sensitivity.isel(t=0)
    assert run["z"][0] == pytest.approx(z)
    assert begin.sel(quantity="z").values == pytest.approx([-0.3 / z, 0.0, 1.1 / z], abs=1e-12)
    zdot = -(0.3 * 0.5 + 0.2 * 0.1) / z
    assert begin.sel(quantity="zdot").values == pytest.approx(
        [-0.5 / z - zdot / z * -0.3 / z, -0.3 / z, -zdot / z * 1.1 / z], abs=1e-12
    )


def test_watched_expressions_and_laws_have_sensitivities_too():
    s = nh.System(coordinates="q", parameters="k", lagrangian="qdot**2/2", forces={"q": "u"}, inputs={"u": "-k*q"})
    run = nh.simulate(s, {"q": 1.0}, 2.0, {"k": 4.0}, sensitivity=["k"], watch={"square": "k*q**2"}, t_eval=5, **FINE)
    t = run.times
    q, dq = np.cos(2 * t), -t * np.sin(2 * t) / 4
    assert run.sensitivity.sel(quantity="square").values[:, 0] == pytest.approx(q**2 + 8 * q * dq, abs=1e-9)
    assert run.sensitivity.sel(quantity="u").values[:, 0] == pytest.approx(-q - 4 * dq, abs=1e-9)


def test_sensitivities_travel_in_pickles_and_files(tmp_path):
    s = nh.gallery.get("chaplygin-sleigh")
    run = nh.simulate(s.system, s.start, 2, s.parameters, sensitivity=["a", "omega"], events=["v - 1.2"], t_eval=11)
    run.save(tmp_path / "run.nc")
    again = nh.open(tmp_path / "run.nc")
    assert again.sensitivity.equals(run.sensitivity) and again.data.equals(run.data)
    with pytest.raises(NonholoError, match="does not hold the derivatives at events"):
        again.event_sensitivity  # noqa: B018
    copy = pickle.loads(pickle.dumps(run))
    assert copy.sensitivity.equals(run.sensitivity)
    assert copy.event_sensitivity["v - 1.2"].equals(run.event_sensitivity["v - 1.2"])
    plain = nh.simulate(s.system, s.start, 2, s.parameters, t_eval=11)
    plain.save(tmp_path / "plain.nc")
    with pytest.raises(NonholoError, match="without sensitivities"):
        nh.open(tmp_path / "plain.nc").sensitivity  # noqa: B018


def test_the_motion_itself_stays_the_motion():
    s = nh.gallery.get("snakeboard")
    with_slopes = nh.simulate(s.system, s.start, 5, s.parameters, sensitivity=["m"], t_eval=5)
    alone = nh.simulate(s.system, s.start, 5, s.parameters, t_eval=5)
    for name in alone.names:
        assert with_slopes[name] == pytest.approx(alone[name], abs=1e-7)


@pytest.mark.parametrize(
    ("names", "words", "said"),
    [
        (["mass"], {}, "no parameter or start value is called 'mass'"),
        (["omeg"], {}, "omega"),
        (
            ["ydot"],
            {"start": {"theta": 0.3, "v": 1.0, "omega": 1.0}},
            "cannot change while the rest of the start is held",
        ),
        (["t"], {}, "time of the start is no direction"),
        (["a"], {"method": "verlet", "step": 0.01}, "method verlet has no sensitivities"),
        (7, {}, "list of names"),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(names, words, said):
    s = nh.gallery.get("chaplygin-sleigh")
    start = words.pop("start", s.start)
    with pytest.raises(NonholoError, match=said) as caught:
        nh.simulate(s.system, start, 1, s.parameters, sensitivity=names, **words)
    assert "\n" not in str(caught.value)


def test_inputs_that_are_functions_of_the_state_have_no_slopes():
    s = nh.System(coordinates="q", lagrangian="qdot**2/2", forces={"q": "u"}, inputs="u")
    with pytest.raises(NonholoError, match="Python function of the state"):
        nh.simulate(s, {"q": 1}, 1, inputs={"u": lambda t, state: -state["q"]}, sensitivity=["q"])
    with pytest.raises(NonholoError, match="is no number"):
        nh.simulate(s, {"q": 1}, 1, inputs={"u": np.sin}, sensitivity=["u"])


def test_a_rotation_cannot_be_told_entry_by_entry():
    s = nh.gallery.get("rattleback")
    with pytest.raises(NonholoError, match="'R22': it cannot change"):
        nh.simulate(s.system, s.start, 1, s.parameters, sensitivity=["R22"])


def test_a_file_whose_sensitivities_were_spoiled_is_refused(tmp_path):
    from nonholo.integrate.results import trajectory_files as stored

    s = nh.gallery.get("chaplygin-sleigh")
    run = nh.simulate(s.system, s.start, 1, s.parameters, sensitivity=["a"], t_eval=4)
    words = {"quantity": ["x"], "with_respect_to": ["a"]}
    run.save(tmp_path / "run.nc")
    data, told = stored.read(tmp_path / "run.nc")
    told["sensitivity"] = words
    data.attrs["system_text"] = ""
    stored.write(tmp_path / "bad.nc", data, told)
    with pytest.raises(FileError, match="do not fit together"):
        nh.open(tmp_path / "bad.nc")


@pytest.mark.slow
def test_one_reversal_of_the_rattleback_agrees_with_forty_digits():
    """By hand in body axes with 40 digits, differenced with a step of 1e-16."""
    pytest.importorskip("heyoka")
    from mpmath import mp, mpf

    from tests.integrate.digits import STATE, rattleback_end

    stone, until = nh.gallery.get("rattleback"), 5.0
    values, names = dict(stone.parameters), ["delta", "a", "w3"]
    start = {n: nh.complete_state(stone.system, stone.start, values)[n] for n in STATE}
    run = nh.simulate(stone.system, stone.start, until, values, t_eval="end", sensitivity=names, events=["w3"])
    assert len(run.events["w3"]) == 1  # it has turned back
    with mp.workdps(42):
        h, base = mpf(10) ** -16, rattleback_end(start, values, until)
        for name in names:
            moved = [{**table, **({name: mpf(table[name]) + h} if name in table else {})} for table in (start, values)]
            slope = [float((up - at) / h) for up, at in zip(rattleback_end(*moved, until), base)]  # type: ignore[call-arg]
            mine = run.sensitivity.sel(with_respect_to=name, quantity=list(STATE)).values[-1]
            assert np.max(np.abs(mine - slope)) < 1e-8 * np.max(np.abs(slope))


def test_a_parameter_of_the_constraint_goes_through_changes_of_frame():
    """A blade on ground of two scales: speeds that the frame drops and takes up depend on them, also at the change itself."""
    s = nh.System(
        coordinates="x y th", parameters={"m": 0.9, "J": 0.3, "e": 1.35}, start={"th": 0.2, "thdot": 2.2, "xdot": 0.5},
        lagrangian="m*(xdot**2 + ydot**2)/2 + J*thdot**2/2", constraints=["e*xdot*sin(th) - ydot*cos(th)"],
    )  # fmt: skip
    runs = [
        nh.simulate(s, until=4.0, sensitivity=["e", "xdot"], form=form, t_eval=5, **FINE) for form in ("hamel", "multipliers")
    ]
    assert runs[0].frames > 2 and runs[1].frames == 1
    names = [*s.coordinates, *s.velocities]
    first, second = (run.sensitivity.sel(quantity=names).values for run in runs)
    assert second == pytest.approx(first, rel=1e-7, abs=1e-7) and np.max(np.abs(first[-1, :, 0])) > 0.1


def test_reactions_of_velocities_by_parameters_have_derivatives_too():
    """A sleigh in velocities along and about: the reaction itself takes the place of multipliers."""
    s = nh.System(
        coordinates="x y th", parameters={"m": 1.3, "a": 0.4, "J": 0.7}, start={"th": 0.3, "v": 0.8, "w": 1.1},
        lagrangian="m*((xdot - a*thdot*sin(th))**2 + (ydot + a*thdot*cos(th))**2)/2 + J*thdot**2/2",
        parametric=("v w", {"xdot": "v*cos(th)", "ydot": "v*sin(th)", "thdot": "w"}),
    )  # fmt: skip
    run = nh.simulate(s, until=1.5, sensitivity=["a", "w"], t_eval=4, **FINE)
    for by, slope in differences(s, ["a", "w"], 1.5, s.start, s.parameters):
        for quantity in ("reaction_xdot", "reaction_ydot", "reaction_thdot"):
            true = slope(by, quantity)
            mine = run.reaction_sensitivity.sel(quantity=quantity, with_respect_to=by).values
            assert mine == pytest.approx(true, abs=2e-8 * (1 + np.max(np.abs(true)))), (quantity, by)
