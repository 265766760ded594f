"""Fits against linear least squares, and calibrated on noisy partial data of systems whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.errors import NonholoError

FALL = {"coordinates": "z", "parameters": "g", "lagrangian": "zdot**2/2 - g*z"}
SLEIGH = {
    "name": "sleigh with drag",
    "coordinates": "theta x y",
    "parameters": {"m": 1.3, "J": 0.7, "a": 0.4, "c": 0.25, "k": 0.1},
    "lagrangian": "m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2",
    "constraints": ["ydot*cos(theta) - xdot*sin(theta)"],
    "forces": {"theta": "-k*thetadot", "x": "-c*xdot", "y": "-c*ydot"},
    "start": {"theta": 0.3, "thetadot": 2.1, "xdot": 0.6},
}
SNAKEBOARD = {
    "name": "snakeboard with torques",
    "coordinates": "x y th ps ph",
    "parameters": {"m": 4.0, "l": 0.3, "J": 0.12, "Jr": 0.09, "Jw": 0.011, "s": 0.8},
    "lagrangian": "m*(xdot**2 + ydot**2)/2 + J*thdot**2/2 + Jr*(thdot + psdot)**2/2"
    " + Jw*((thdot + phdot)**2 + (thdot - phdot)**2)/2 - s*ph**2/2",
    "constraints": [
        "-xdot*sin(th + ph) + ydot*cos(th + ph) - l*thdot*cos(ph)",
        "-xdot*sin(th - ph) + ydot*cos(th - ph) + l*thdot*cos(ph)",
    ],
    "forces": {"ps": "0.1*cos(3*t)", "ph": "0.2*sin(3*t) - 0.05*phdot"},
    "start": {"ph": 0.35, "psdot": 0.4},
}


def noisy(system, until, count, columns, sigma, seed, lost=0.0):
    """Some quantities of the true motion with Gaussian noise, some samples lost."""
    random = np.random.default_rng(seed)
    run = nh.simulate(system, until=until, t_eval=count)
    data = {"t": run.times}
    for name in columns:
        data[name] = run[name] + sigma * random.normal(size=count)
        data[name][random.uniform(size=count) < lost] = np.nan
    return data


def test_a_linear_problem_is_the_linear_answer():
    t = np.linspace(0, 2, 30)
    z = 3 * t - 9.81 * t**2 / 2 + 0.02 * np.random.default_rng(3).normal(size=30)
    z[[4, 9]] = np.nan
    seen = ~np.isnan(z)
    width = np.where(t > 1, 0.03, 0.02)
    table = (np.stack([-(t**2) / 2, t], axis=1) / width[:, None])[seen]
    best, *_ = np.linalg.lstsq(table, (z / width)[seen], rcond=None)
    inner = np.linalg.inv(table.T @ table)
    found = nh.fit(nh.System(**FALL), {"t": t, "z": z}, {"g": 5.0, "zdot": 0.0}, sigma={"t": t, "z": width})
    assert list(found.values.values()) == pytest.approx(best, rel=1e-8)
    assert found.covariance.values == pytest.approx(inner, rel=1e-6)
    assert found.errors["g"] == pytest.approx(np.sqrt(inner[0, 0]), rel=1e-6)
    assert found.samples == 28 and found.scale == 1.0
    true = z + t**2 / 2 * best[0] - t * best[1]
    assert found.residuals["z"].values[seen] == pytest.approx(true[seen], abs=1e-8)
    free = nh.fit(nh.System(**FALL), {"t": t, "z": z}, {"g": 5.0, "zdot": 0.0})
    plain = np.stack([-(t**2) / 2, t], axis=1)[seen]
    best, square, *_ = np.linalg.lstsq(plain, z[seen], rcond=None)
    assert free.scale == pytest.approx(np.sqrt(square[0] / 26), rel=1e-6)
    assert free.covariance.values == pytest.approx(np.linalg.inv(plain.T @ plain) * square[0] / 26, rel=1e-6)


def test_data_may_come_as_anything(tmp_path):
    import pandas as pd
    import xarray as xr

    s = nh.System(**FALL)
    t = np.linspace(0.1, 1.5, 12)
    z = 2 * t - 9.5 * t**2 / 2
    z[3] = np.nan
    frame = pd.DataFrame({"z": z}, index=t)
    (tmp_path / "seen.csv").write_text(
        "# a logger's remark\ntime;z\n"
        + "\n".join(f"{a!r};{'' if np.isnan(b) else repr(b)}" for a, b in zip(t.tolist(), z.tolist()))
    )
    kinds = [
        {"t": t, "z": z}, frame, frame.rename_axis("time").reset_index(), tmp_path / "seen.csv",
        xr.Dataset({"z": ("t", z)}, {"t": t}), xr.DataArray(z, {"time": t}, ("time",), name="z"),
        {"t": t[::-1], "z": z[::-1]},
    ]  # fmt: skip
    for data in kinds:
        found = nh.fit(s, data, {"g": 8.0, "zdot": 1.0})
        assert found.values["g"] == pytest.approx(9.5, abs=1e-7) and found.values["zdot"] == pytest.approx(
            2.0, abs=1e-7
        )
        assert found.samples == 11


def test_unknown_start_values_inputs_and_observed_expressions():
    s = nh.System(
        coordinates="x y", parameters="m", lagrangian="m*(xdot**2 + ydot**2)/2 - m*9*y", forces={"x": "u"}, inputs="u"
    )
    run = nh.simulate(s, {"x": 0.2, "ydot": 3.0}, 1.0, {"m": 2.0}, inputs={"u": 1.5}, t_eval=15)
    data = {"t": run.times, "square": run["x"] ** 2 + run["y"] ** 2, "ydot": run["ydot"]}
    found = nh.fit(
        s,
        data,
        {"x": 0.3, "u": 1.0, "ydot": 2.5},
        parameters={"m": 2.0},
        observe={"square": "x**2 + y**2"},
        bounds={"x": (0, 1)},
    )
    assert dict(found.values) == pytest.approx({"x": 0.2, "u": 1.5, "ydot": 3.0}, abs=1e-6)
    assert "± " in repr(found) and found.run.sensitivity.sizes["with_respect_to"] == 3
    assert found.correlation.values.diagonal() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"unknown": {"m": 1.0}}, "do not depend on 'm'"),
        ({"unknown": {"J": 0.6, "m": 1.2}, "columns": ["x"]}, "do not tell 'J' and 'm' apart"),
        ({"unknown": {"q": 1.0}}, "no parameter or start value is called 'q'"),
        ({"unknown": {}}, "nothing is unknown"),
        ({"columns": ["xx"], "unknown": {"a": 0.3}}, "'xx' that is no quantity"),
        ({"unknown": {"a": 0.3}, "sigma": -1.0}, "not a positive number"),
        ({"unknown": {"a": 0.3}, "bounds": {"a": (1, 2)}}, "not inside its bounds"),
        ({"unknown": {"a": 0.3}, "bounds": {"b": (1, 2)}}, "which is not unknown"),
        ({"unknown": {"a": "x"}}, "first guess of a"),
        ({"unknown": {"a": 0.3}, "data": 5}, "type int"),
        ({"unknown": {"a": 0.3}, "data": {"x": [1.0]}}, "have no time"),
        ({"unknown": {"a": 0.3}, "data": {"t": [0.0, 1.0], "x": [1.0]}}, "shape"),
        ({"unknown": {"a": 0.3}, "data": {"t": [0.5], "x": [np.nan]}}, "0 samples for 1 unknowns"),
        ({"unknown": {"a": 0.3}, "data": {"t": [-0.5, 1.0], "x": [1.0, 2.0]}}, "before the start"),
        ({"unknown": {"a": 0.3}, "data": "nothing.csv"}, "cannot be read"),
        ({"unknown": {"a": 0.3}, "method": "verlet", "step": 0.1}, "verlet has no sensitivities"),
    ],
)
def test_what_cannot_be_fitted_is_said_in_one_sentence(words, said):
    s = nh.gallery.get("chaplygin-sleigh").system
    values, start = {"m": 1.3, "J": 0.7, "a": 0.4}, {"omega": 1.5, "v": 0.3}
    run = nh.simulate(s, start, 2.0, values, t_eval=15)
    columns = words.pop("columns", ["x", "y"])
    data = {"t": run.times, **{n: run["x"] + 0.001 * np.cos(9 * run.times) for n in columns}}
    if words.get("unknown") == {"m": 1.0}:  # a balanced sleigh: nothing of its motion depends on its mass
        values["a"] = 0.0
    with pytest.raises(NonholoError, match=said) as caught:
        nh.fit(s, words.pop("data", data), start=start, parameters=values, **words)
    assert "\n" not in str(caught.value)


def repeated(words, unknown, columns, sigma, until, count, repetitions, lost):
    """How often the truth lies within one and within two standard deviations, for each unknown."""
    s = nh.System(**words)
    truth = {**s.parameters, **s.start}
    inside = np.zeros((repetitions, len(unknown)))
    for k in range(repetitions):
        data = noisy(s, until, count, columns, sigma, k, lost)
        found = nh.fit(s, data, {n: 1.15 * truth[n] for n in unknown}, sigma=sigma if k % 2 else None)
        inside[k] = [abs(found.values[n] - truth[n]) / found.errors[n] for n in unknown]
    return np.mean(inside < 1, axis=0), np.mean(inside < 2, axis=0), inside


def test_four_parameters_of_a_sleigh_come_back_from_its_track():
    s = nh.System(**SLEIGH)
    data = noisy(s, 5.0, 60, ["x", "y"], 0.004, 5, lost=0.2)
    found = nh.fit(s, data, {"J": 0.9, "a": 0.5, "c": 0.1, "k": 0.2}, sigma=0.004)
    for n, e in found.values.items():
        assert abs(e - s.parameters[n]) < 4 * found.errors[n] and found.errors[n] < 0.1 * s.parameters[n]
    assert 0.6 < found.chi2 / (found.samples - 4) < 1.5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "unknown", "columns", "sigma", "until"),
    [
        (SLEIGH, ["J", "a", "c", "k"], ["x", "y"], 0.004, 5.0),
        (SNAKEBOARD, ["m", "l", "Jr", "s"], ["x", "th", "ps"], 0.0005, 5.0),
    ],
)
def test_error_bars_are_calibrated(words, unknown, columns, sigma, until):
    """68 % of the truths within one standard deviation, to 10 %, in 200 repetitions; 95 % within two."""
    one, two, _ = repeated(words, unknown, columns, sigma, until, 80, 200, 0.1)
    assert np.all(np.abs(one - 0.68) < 0.10), one
    assert np.all(two > 0.90), two


def test_a_measured_reaction_tells_what_the_track_cannot():
    """Only ``J/m`` moves a sleigh; the force at its blade tells m. Slopes of reactions are made for the fit that needs them."""
    words = {
        "coordinates": "x y th", "constraints": ["ydot*cos(th) - xdot*sin(th)"], "parameters": ["m", "J", "a"],
        "lagrangian": "m*((xdot - a*thdot*sin(th))**2 + (ydot + a*thdot*cos(th))**2)/2 + J*thdot**2/2",
    }  # fmt: skip
    s, start, values = nh.System(**words), {"th": 0.3, "thdot": 1.4, "xdot": 0.8}, {"m": 1.7, "J": 0.6, "a": 0.4}
    run = nh.simulate(s, start, 2.0, values, t_eval=25)
    data = {"t": run.times, "x": run["x"], "lambda1": run["lambda1"]}
    known = {"a": 0.4}
    found = nh.fit(s, data, {"m": 1.2, "J": 0.9}, start=start, parameters=known, sigma=0.01)
    assert found.values["m"] == pytest.approx(1.7, rel=1e-6) and found.values["J"] == pytest.approx(0.6, rel=1e-6)
    with pytest.raises(NonholoError, match="J"):
        nh.fit(s, {"t": run.times, "x": run["x"]}, {"m": 1.2, "J": 0.9}, start=start, parameters=known, sigma=0.01)
