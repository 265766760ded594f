"""What users give: inputs as files, tables and functions of several, numbers as text, one rule for what is left out."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import nonholo as nh

TIMES = np.linspace(0.0, 1.0, 11)
PUSH = 0.4 + np.sin(3 * TIMES)


def skate(**words):
    return nh.System(
        coordinates="x y", parameters={"m": 1.7}, lagrangian="m*(xdot**2 + ydot**2)/2", constraints=["ydot - x*xdot"],
        inputs="u w", forces={"x": "u", "y": "w"}, **words,
    )  # fmt: skip


START = {"x": 0.4, "xdot": 0.9}


def ended(inputs, **words):
    return nh.simulate(skate(), START, 1.0, inputs=inputs, progress=False, **words).final


@pytest.fixture
def table(tmp_path):
    file = tmp_path / "push.csv"
    lines = [f"{t!r},{u!r},{-u!r}" for t, u in zip(TIMES.tolist(), PUSH.tolist())]
    file.write_text("\n".join(["t,u,w", *lines]))
    return file


def test_files_and_pandas_tables_are_inputs(table):
    wanted = ended({"u": (TIMES, PUSH), "w": (TIMES, -PUSH)})
    frame = pd.DataFrame({"u": PUSH, "w": -PUSH}, index=TIMES)
    timed = pd.DataFrame({"time": TIMES, "w": -PUSH, "u": PUSH})
    lasting = pd.DataFrame({"u": PUSH, "w": -PUSH}, index=pd.to_timedelta(TIMES, unit="s"))
    recorded = nh.simulate(skate(), START, 1.0, inputs=frame, t_eval=TIMES, progress=False).data
    for given in (
        str(table), table, frame, timed, lasting, {"u": table, "w": str(table)}, {"u": frame["u"], "w": frame},
        {"u": recorded["u"], "w": recorded["w"]},
    ):  # fmt: skip
        assert ended(given)["x"] == pytest.approx(wanted["x"], rel=1e-9)
    assert wanted["x"] != pytest.approx(ended({})["x"], rel=1e-3)


def test_a_table_without_times_or_names_is_refused(tmp_path):
    blind = tmp_path / "blind.csv"
    blind.write_text("a,u\n0,1\n1,2\n")
    with pytest.raises(nh.StateError, match="no column t with the times"):
        ended(blind)
    with pytest.raises(nh.StateError, match="no column 'u' or 'w'"):
        ended(pd.DataFrame({"v": PUSH}, index=TIMES))
    with pytest.raises(nh.StateError, match="no list of times"):
        ended(pd.DataFrame({"u": PUSH}, index=[f"row {k}" for k in range(11)]))
    with pytest.raises(nh.StateError, match="a dict is needed"):
        ended(3.0)


def test_one_function_gives_several_inputs():
    asked = []

    def law(t, state):
        asked.append((t, state["x"]))
        return {"u": math.cos(t) - state["x"], "w": 0.3 * state["ydot"]}

    apart = ended({"u": lambda t, s: math.cos(t) - s["x"], "w": lambda t, s: 0.3 * s["ydot"]})
    assert ended(law)["x"] == apart["x"]
    assert len(asked) <= len(set(asked)) + 2  # each state is asked about once, not once for each input
    assert ended(lambda t, s: (math.cos(t) - s["x"], 0.3 * s["ydot"]))["x"] == apart["x"]
    assert ended(lambda t: {"u": t, "w": 1 - t})["x"] == ended({"u": lambda t: t, "w": lambda t: 1 - t})["x"]
    held = nh.sampled(lambda t, s: {"u": -s["x"], "w": 1.0}, every=0.25)
    assert ended(held)["x"] == ended({"u": nh.sampled(lambda t, s: -s["x"], 0.25), "w": 1.0})["x"]
    with pytest.raises(nh.StateError, match="gave u, but not 'w'"):
        ended(lambda t: {"u": 1.0})
    with pytest.raises(nh.StateError, match="where a dict of the inputs u, w is needed"):
        ended(lambda t: 2.0)


def test_numbers_may_be_text_everywhere():
    mixed = nh.simulate(skate(), {"x": "2/5", "xdot": "sqrt(3)/2"}, "pi/3", {"m": "17/10"}, inputs={"u": "pi/6"})
    plain = nh.simulate(skate(), {"x": 0.4, "xdot": math.sqrt(3) / 2}, math.pi / 3, inputs={"u": math.pi / 6})
    assert mixed.final == pytest.approx(plain.final, rel=1e-12)
    assert mixed.final["t"] == math.pi / 3
    read = nh.System(coordinates="x", parameters={"m": "3/2"}, lagrangian="m*xdot**2", start={"x": "pi/7"}, until="2*pi")
    assert (read.start["x"], read.until, read.parameters["m"]) == (math.pi / 7, 2 * math.pi, 1.5)
    many = nh.ensemble(skate(), {"x": ["1/3", 0.5], "xdot": "1/2"}, 0.1, t_eval="end")
    np.testing.assert_array_equal(many["start_x"], [1 / 3, 0.5])
    with pytest.raises(nh.StateError, match=r"start x: 'pi/q' is not a number; write 0.5 or \"pi/6\""):
        nh.simulate(skate(), {"x": "pi/q"}, 1.0)


def test_numpy_numbers_written_into_a_law_are_read():
    gain = np.float64(-0.25)
    told = ended({"u": f"{gain!r}*x + {np.int64(2)!r}*xdot", "w": f"{np.float32(0.5)!r}"})
    assert told["x"] == ended({"u": "-0.25*x + 2*xdot", "w": 0.5})["x"]
    with pytest.raises(nh.NonholoError, match="a name has no parts"):
        ended({"u": "np.sin(t)"})


def test_an_input_without_a_value_is_zero_for_every_question():
    system, state = skate(), {"x": 0.4, "y": 0.0, "xdot": 0.9, "ydot": 0.36}
    assert ended({})["x"] == ended({"u": 0.0, "w": 0.0})["x"]
    model = nh.prepare(system)
    zero = {"u": 0.0, "w": 0.0}
    assert model.rates(state) == model.rates(state, zero)
    assert model.step(state, 0.1) == model.step(state, 0.1, zero)
    assert model.step({"x": 0.4, "xdot": 0.9}, 0.1) == pytest.approx(model.step(state, 0.1, zero), rel=1e-9)
    numbers = {"m": 1.7}
    assert nh.hamel(system).rates(state, numbers) == nh.hamel(system).rates({**state, **zero}, numbers)
    np.testing.assert_array_equal(nh.linearise(system, state).A, nh.linearise(system, state, inputs=zero).A)
    several = nh.ensemble(system, {"x": [0.4], "xdot": 0.9}, 1.0, t_eval="end")
    assert float(several["final_x"][0]) == ended(zero)["x"]


@pytest.mark.parametrize(
    "driving",
    [
        {"u": 3.0, "w": -0.5},
        {"u": "3 - 0.1*x", "w": "0.2*t"},
        {"u": lambda t: 3 + t, "w": lambda t, s: -s["x"]},
        nh.sampled(lambda t, s: {"u": 3 - s["x"], "w": s["xdot"]}, 0.1),
    ],
)
def test_the_final_state_knows_its_inputs_and_reactions_use_them(driving):
    run = nh.simulate(skate(), START, 1.0, inputs=driving, progress=False)
    assert run.final["u"] == pytest.approx(run["u"][-1], rel=1e-12)
    assert run.final["w"] == pytest.approx(run["w"][-1], rel=1e-12, abs=1e-14)
    reactions = nh.reactions(skate())
    here = reactions.at(run.final)
    assert here["lambda1"] == pytest.approx(run["lambda1"][-1], rel=1e-9)
    told = {n: run.final[n] for n in ("u", "w")}
    state = {n: e for n, e in run.final.items() if n not in told}
    assert reactions.at(state, inputs=told)["lambda1"] == pytest.approx(here["lambda1"], rel=1e-12)
    assert reactions.at(state)["lambda1"] != pytest.approx(here["lambda1"], rel=1e-3)
    # a motion goes on from there: what drives it is what is given, not what it was
    on = nh.simulate(skate(), run.final, 1.5, inputs={"u": 0.0, "w": 0.0}, progress=False)
    assert on["u"].tolist() == [0.0] * len(on.times)


def test_members_of_an_ensemble_have_inputs_of_their_own():
    starts, pushes = [0.1, 0.4, 0.7], [1.5, -2.0, 0.25]
    together = nh.ensemble(skate(), {"x": starts, "xdot": 0.9}, 1.0, inputs={"u": pushes, "w": "0.3*t"}, t_eval=3)
    for k, (x, u) in enumerate(zip(starts, pushes)):
        run = nh.simulate(skate(), {"x": x, "xdot": 0.9}, 1.0, inputs={"u": u, "w": "0.3*t"}, progress=False)
        assert float(together["final_x"][k]) == pytest.approx(run.final["x"], rel=1e-12)
        assert together["u"][k].values.tolist() == [u] * 3  # though there are as many times as members
    np.testing.assert_array_equal(together["input_u"], pushes)
    inputs_alone = nh.ensemble(skate(), START, 1.0, inputs={"u": np.array(pushes)}, t_eval="end")
    assert inputs_alone.sizes["member"] == 3
    seeing = {"u": pushes, "w": lambda t, s: -s["x"]}
    seen = nh.ensemble(skate(), {"x": starts, "xdot": 0.9}, 1.0, inputs=seeing, t_eval="end")
    alone = nh.simulate(skate(), {"x": 0.4, "xdot": 0.9}, 1.0, inputs={**seeing, "u": -2.0}, progress=False)
    assert float(seen["final_x"][1]) == pytest.approx(alone.final["x"], rel=1e-12)
    with pytest.raises(nh.StateError, match="different lengths"):
        nh.ensemble(skate(), {"x": starts, "xdot": 0.9}, 1.0, inputs={"u": [1.0, 2.0]})


def test_an_event_record_takes_a_function():
    swing = nh.System(coordinates="q", lagrangian="qdot**2/2 - 2*q**2")
    events = [nh.Event(lambda state: state["q"] - 0.1, direction=-1, terminal=2)]
    run = nh.simulate(swing, {"q": 0.5}, 9.0, events=events, progress=False)
    assert run.outcome == "event"
    # 0.5 cos(2 t) = 0.1, downwards, the second time
    assert run.final["t"] == pytest.approx((math.acos(0.2) + 2 * math.pi) / 2, abs=1e-8)


def test_plain_sign_friction_says_what_to_do():
    def block(law):
        return nh.System(coordinates="x", lagrangian="xdot**2/2 - 2*x**2", forces={"x": f"-3*{law}"}, start={"x": 1.0})

    stuck = nh.simulate(block("sign(xdot)"), until=5.0, progress=False)
    assert not stuck.outcome.reached
    assert 'tanh(v/0.001)' in stuck.outcome.advice and 'method="rodas"' in stuck.outcome.advice
    smooth = nh.simulate(block("tanh(xdot/0.001)"), until=2.0, method="rodas", progress=False)
    assert smooth.outcome.reached
    # half a swing about 3/4 lasts 1.57 s; then it creeps at less than 0.001
    assert smooth.final["x"] == pytest.approx(0.5, abs=1e-3)


def test_a_text_that_is_too_long_names_the_way_out():
    long = "+".join(["x*xdot"] * 20_000)
    with pytest.raises(nh.NonholoError, match="give the formula as a SymPy or SymEngine expression"):
        nh.System(coordinates="x", lagrangian=long)
