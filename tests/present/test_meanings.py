"""Words on the sliders of a page: a usual word is used only where it stands for one name."""

from __future__ import annotations

import re

import nonholo as nh
from nonholo.present.report.report_sections import references
from nonholo.present.style.bibliography import PAPERS
from nonholo.present.style.labels import meaning_of

ARM = nh.System(
    coordinates="a b s", parameters={"m": 1.0, "k": 2.0}, lagrangian="m*(adot**2 + bdot**2 + sdot**2)/2 - k*s**2/2",
    units={"a": "rad", "b": "rad", "s": "m", "m": "kg", "k": "N/m"},
)  # fmt: skip


def test_a_word_that_fits_two_names_carries_the_name() -> None:
    assert [meaning_of(ARM, n) for n in ("a", "b", "s", "m", "k")] == ["angle a", "angle b", "position", "mass", "stiffness"]


def test_every_number_of_the_bicycle_has_a_meaning_of_its_own() -> None:
    system = nh.gallery.get("whipple-bicycle").system
    told = {n: meaning_of(system, n) for n in (*system.coordinates, *system.parameters)}
    assert all(told.values()) and told["delta"] == "steering angle" and told["wf"] == "rotation of the front wheel"
    assert len(set(told.values())) >= len(told) - 1  # x and y are one contact point


def test_two_coordinates_with_one_meaning_are_told_apart() -> None:
    sleigh = nh.gallery.get("chaplygin-sleigh").system
    assert [meaning_of(sleigh, c) for c in "xy"] == ["place of the blade, x", "place of the blade, y"]


def test_references_give_title_and_journal_of_what_they_abbreviate() -> None:
    shown = references(["Benenti 2008, §8.2", "Chaplygin 1911"])
    assert "Regular and Chaotic Dynamics" in shown and 'href="https://doi.org/10.1134/S1560354708040059"' in shown
    assert "Quasivelocities" not in shown and "reducing-multiplier" in shown


def test_every_doi_is_written_as_doi_and_belongs_to_one_title() -> None:
    found = [text.partition("doi:")[2] for text in PAPERS.values() if "doi" in text]
    assert len(found) >= 11 and len(set(found)) == len(found)
    assert all(re.fullmatch(r"10\.\d{4,5}/[\w.()/-]+", doi) for doi in found)


BARE = {"", "angle", "length", "position", "speed", "velocity", "rate", "height", "radius of", "inertia"}


def test_every_slider_of_the_gallery_says_what_it_is() -> None:
    """No empty and no bare word, neither alone nor with its own name behind it; no word for two parameters."""
    bare = {}
    for name in set(nh.gallery.names()) - set(nh.gallery.field_names()):
        system = nh.gallery.get(name).system
        words = {n: meaning_of(system, n) for n in (*system.parameters, *system.coordinates, *system.inputs)}
        bad = {n: w for n, w in words.items() if w.removesuffix(n).strip() in BARE and not (w == "height" and n == "z")}
        twice = [words[n] for n in system.parameters if [words[p] for p in system.parameters].count(words[n]) > 1]
        if bad or twice:
            bare[name] = (bad, twice)
    assert bare == {}


def test_headings_and_casters_are_named_from_the_constraints() -> None:
    cart = nh.System(
        coordinates="x y u a p", constraints=[
            "ydot*cos(u) - xdot*sin(u)", "cos(u + a)*ydot - sin(u + a)*xdot + l*cos(a)*udot - d*(udot + adot)",
            "xdot*cos(u) + ydot*sin(u) - h*udot - r*pdot",
        ],
        lagrangian="m/2*(xdot**2 + ydot**2) + J/2*udot**2 + J/9*(udot + adot)**2 + J/7*pdot**2",
        parameters={"m": 1.0, "J": 1.0, "l": 0.6, "d": 0.1, "h": 0.2, "r": 0.1},
    )  # fmt: skip
    told = [meaning_of(cart, n) for n in ("u", "a", "p", "udot", "xdot", "r")]
    assert told == ["heading", "angle of blade 2 to the body", "turning angle of the wheel", "rate of change of heading",
                    "velocity in x", "radius"]  # fmt: skip


def test_letters_of_a_stranger_say_where_they_stand_and_what_their_term_is() -> None:
    """Never a bare or a wrong word: w beside a turning rate is no width, and a scale of all is no mass."""
    cart = nh.System(
        coordinates="x u", parameters="q c d w s", forces={"x": "-d*xdot"}, constraints=["xdot*cos(u) - w*udot - s*udot"],
        lagrangian="xdot**2/2 + q/2*udot**2 - c*x**2/2 + s*xdot**2*cos(u) - s*x",
    )  # fmt: skip
    assert {n: meaning_of(cart, n) for n in "qcdws"} == {
        "q": "inertia of u", "c": "stiffness of x", "d": "damping of x", "w": "in constraint 1",
        "s": "in the kinetic energy, the potential energy and constraint 1",
    }  # fmt: skip


def test_a_steered_wheel_is_not_called_a_blade() -> None:
    scooter = nh.System(
        coordinates="x y th delta rear front", parameters={"L": 0.9, "R": 0.1},
        lagrangian="xdot**2 + ydot**2 + thdot**2 + deltadot**2 + reardot**2 + frontdot**2",
        constraints=["ydot*cos(th) - xdot*sin(th)", "xdot*cos(th) + ydot*sin(th) - R*reardot",
                     "ydot*cos(th + delta) - xdot*sin(th + delta) + L*thdot*cos(delta)",
                     "xdot*cos(th + delta) + ydot*sin(th + delta) + L*thdot*sin(delta) - R*frontdot"],
    )  # fmt: skip
    assert meaning_of(scooter, "delta") == "angle of wheel front to the body"


def test_angles_mean_what_the_sketch_turns_by_them() -> None:
    coin = nh.System(
        coordinates="x y th phi", lagrangian="(xdot**2 + ydot**2 + thdot**2 + phidot**2)/2",
        constraints=["xdot - r*phidot*cos(th)", "ydot - r*phidot*sin(th)"], parameters={"r": 0.1},
    )  # fmt: skip
    swing = nh.System(coordinates="q", lagrangian="m*l**2*qdot**2/2 + m*g*l*cos(q)", parameters={"m": 0.1, "l": 0.4, "g": 9.81})
    assert meaning_of(coin, "phi") == "turning angle of the wheel" and meaning_of(coin, "th") == "heading"
    assert meaning_of(coin, "phidot") == "rate of change of the turning angle of the wheel"
    assert meaning_of(swing, "q") == "angle of the arm to m"
