"""Equations for a person: short, right, and in time."""

from __future__ import annotations

from time import perf_counter

import nonholo as nh
from benchmarks.systems import rattleback_in_angles
from tests import systems


def test_the_sleigh_prints_as_one_would_write_it():
    text = str(nh.hamel(systems.unbalanced_sleigh()))
    assert "d/dt x = v*cos(theta)" in text
    assert "a*m*omega**2" in text.replace("omega**2*a*m", "a*m*omega**2").replace(
        "m*a*omega**2", "a*m*omega**2"
    ).replace("a*omega**2*m", "a*m*omega**2")
    assert "sin(theta)**2" not in text


def test_latex_names_greek_letters_and_rates():
    latex = nh.hamel(systems.balanced_sleigh()).latex()
    assert r"\theta" in latex and r"\ddot" in latex and "thetadot" not in latex


def test_long_equations_are_printed_within_the_budget():
    began = perf_counter()
    assert len(str(nh.hamel(rattleback_in_angles()))) > 1000
    assert perf_counter() - began < 20
