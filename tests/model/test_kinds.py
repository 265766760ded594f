"""Words of the wrong kind are one clear error, never a traceback of Python's own."""

from __future__ import annotations

import pytest

import nonholo as nh

BASE = {"coordinates": "x y", "parameters": "m", "lagrangian": "m/2*(xdot**2 + ydot**2)"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"forces": 5}, "forces must be a table"),
        ({"magnetic": 5}, "magnetic must be a table"),
        ({"magnetic": {5: "1"}}, "two names"),
        ({"start": 5}, "start must be a table"),
        ({"parameters": 5}, "a name was needed"),
        ({"parametric": ("u", 5)}, "parametric must be"),
        ({"frame": "SO3"}, "frame must be made"),
        ({"symmetry": "SE2"}, "symmetry must be made"),
        ({"symmetry": nh.translation("z")}, "no coordinate"),
        ({"name": 5}, "name must be text"),
        ({"start": {"z": 1.0}}, "no state variable"),
        ({"parameters": {"m": 10**400}}, "not a number"),
    ],
)
def test_a_word_of_the_wrong_kind_is_refused(words, message):
    with pytest.raises(nh.NonholoError, match=message):
        nh.System(**{**BASE, **words})


def test_sympys_functions_of_time_may_be_keys():
    from sympy.physics.mechanics import dynamicsymbols

    x, y = dynamicsymbols("x y")
    system = nh.System(**BASE, forces={x: "-3*x"}, magnetic={(x, y): "2"})
    found = nh.hamel(system).rates({"x": 0.5, "y": 0.0, "xdot": 0.0, "ydot": 0.7}, {"m": 2.0})
    assert found["xdot"] == pytest.approx((-1.5 + 2 * 0.7) / 2)
