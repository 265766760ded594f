"""The section "Behaviour" of a report: what stays as it is, whether it is stable, and why one sense is not the other."""

from __future__ import annotations

import re
from html import unescape
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo.present.report.report_behaviour import _senses, behaviour_section, printed
from nonholo.present.report.report_page import PLOT, table
from nonholo.present.report.report_subject import case


def section(name: str) -> str:
    found = behaviour_section(case(name))
    assert found is not None and (found.key, found.title) == ("behaviour", "Behaviour")
    return found.body


def words(page: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page)))


def test_a_sleigh_s_page_tells_its_stability_with_a_figure_and_both_senses() -> None:
    body = section("chaplygin-sleigh")
    told = words(body)
    assert "relative equilibrium: unstable" in told and "Lyapunov's first method" in told  # it starts backwards
    assert body.count(PLOT) == 1 and "Eigenvalues along" in told
    senses = body.partition("<ul>")[2].partition("</ul>")[0].split("<li>")[1:]
    assert len(senses) == 2 and "decays" in senses[0] and "grows" in senses[1]


def test_senses_are_of_velocities_and_only_opposite_sums_are_told_as_such() -> None:
    """Along an angle there are no two senses; where volumes grow at both ends nothing is said of decay."""
    sleigh = case("chaplygin-sleigh")

    def told(name: str, first: complex, last: complex) -> str:
        values = np.array([[first], [last]])
        ends = SimpleNamespace(outcome="reached", values=np.array([-0.6, 0.6]), eigenvalues=values)
        return words(_senses(sleigh, ends, name))  # type: ignore[arg-type]

    assert told("theta", 1.28, 1.31) == ""
    assert "where more decays than grows, and positive in the other" in told("v", -1.3, 1.3)
    both = told("v", 1.28, 1.31)
    assert "not alike" in both and "decays" not in both


def test_where_no_mode_exists_there_are_words_and_no_empty_figure() -> None:
    """A balanced skate goes round in circles of any size: all there is follows from its family and its symmetry."""
    body = section("balanced-sleigh")
    assert PLOT not in body and "there is no mode: nothing grows" in words(body)


def test_on_paper_a_steady_motion_comes_before_equilibria_that_are_alike() -> None:
    """Four rows are printed, as of the rattleback: four equilibria, two of them alike, before a steady motion."""

    def one(moving: bool, verdict: str, rate: float) -> Any:
        return SimpleNamespace(moving=moving, stability=SimpleNamespace(verdict=verdict, rate=rate))

    equilibria = [one(False, "stable", 0.0), *(one(False, "unstable", rate) for rate in (6.829251, 6.829252, 10.84))]
    assert printed([*equilibria, one(True, "unstable", 2.12)]) == {0, 1, 3, 4}
    assert printed(equilibria) == {0, 1, 2, 3}
    assert table([], [["a"], ["b"]], unprinted=[1]).count('<tr class="unprinted"><td>b') == 1


@pytest.mark.slow
def test_the_rattleback_s_page_says_in_which_sense_what_grows() -> None:
    """The numbers of the page are those of the linear motion at both ends, to four digits."""
    exhibit = nh.gallery.get("rattleback")
    body = section("rattleback")
    told = words(body)
    assert "are not alike" in told
    lines = [words(line) for line in body.partition("<ul>")[2].partition("</ul>")[0].split("<li>")[1:]]
    assert len(lines) == 2
    far = float(re.findall(r"=\s*([\d.]+)", lines[0])[0])
    judged = {
        sense: nh.stability(exhibit.system, {"w3": sense * far}, parameters=exhibit.parameters, integrals=()) for sense in (1, -1)
    }
    assert sum(m.rate for m in judged[1].modes) < 0 < sum(m.rate for m in judged[-1].modes)
    largest = max(abs(m.rate) for m in judged[1].modes)
    digits = f"{largest:.4g}"
    assert digits in lines[0].replace(" ", "") and digits in lines[1].replace(" ", "")


@pytest.mark.slow
def test_both_senses_of_what_is_reversible_need_no_words() -> None:
    body = section("rolling-disk")
    assert "two senses" not in body


@pytest.mark.slow
def test_straight_rolling_of_an_untwisted_stone_goes_on_by_the_ellipse_s_perimeter() -> None:
    """Rolling about its long axis: a turn of the ellipse (b, c); the period by a quadrature of the energy, by SciPy."""
    from scipy.integrate import quad
    from scipy.special import ellipe

    exhibit = nh.gallery.get("rattleback")
    p = {**exhibit.parameters, "delta": 0.0}
    found = nh.orbit(exhibit.system, {"w1": 60.0}, parameters=p)
    b, c, h, m, g, inertia = (p[n] for n in ("b", "c", "h", "m", "g", "I1"))
    assert abs(found.shift["shift_y"]) == pytest.approx(4 * b * ellipe(1 - c**2 / b**2), rel=1e-8)
    assert abs(found.shift["shift_x"]) < 1e-9 and abs(found.shift["turn"]) < 1e-9

    def arm(turn: float) -> tuple[float, float]:
        """The square of the contact's distance from the centre of mass, and the height of this above the plane."""
        y, z = np.sin(turn), np.cos(turn)
        support = np.sqrt(b**2 * y**2 + c**2 * z**2)
        contact = (-(b**2) * y / support, -(c**2) * z / support + h)
        return contact[0] ** 2 + contact[1] ** 2, -(contact[0] * y + contact[1] * z)

    energy = 0.5 * (inertia + m * arm(0.0)[0]) * 60.0**2 + m * g * arm(0.0)[1]

    def slowness(turn: float) -> float:
        square, height = arm(turn)
        return float(np.sqrt((inertia + m * square) / (2 * (energy - m * g * height))))

    assert found.period == pytest.approx(quad(slowness, 0, 2 * np.pi, epsabs=1e-12)[0], rel=1e-8)
    assert found.verdict == "unstable" and np.prod(found.genuine).real == pytest.approx(1.0, rel=1e-6)  # no sense is preferred


TOML = """
name = "beads on springs"
coordinates = "x y"
lagrangian = "(xdot**2 + ydot**2)/2 - (x**2 + y**2)/2 - x**2*y + y**3/3"
until = 20
[start]
y = -0.1
xdot = 0.45
"""


def test_chaos_is_shown_on_request_for_a_file_of_one_s_own(tmp_path, monkeypatch) -> None:
    """Exponents with errors, their sum beside the divergence, and a section; nothing of it unless it is asked for."""
    from nonholo import dossier

    monkeypatch.setattr(dossier, "STEPS", 1500)
    monkeypatch.setattr(dossier, "CUT", 3000)
    place = tmp_path / "beads.toml"
    place.write_text(TOML)
    asked = behaviour_section(case(str(place)), chaos="x")
    plain = behaviour_section(case(str(place)))
    assert asked is not None and plain is not None
    told = words(asked.body)
    assert "Lyapunov exponents, 1/s" in told and "mean divergence along the motion" in told and "integral: energy" in told
    assert told.count("±") >= 4 and "crossings of x = 0 upwards" in told
    assert asked.body.count(PLOT) == plain.body.count(PLOT) + 1
    assert "Lyapunov exponents" not in plain.body
    with pytest.raises(nh.NonholoError, match="nosuch"):
        behaviour_section(case(str(place)), chaos="nosuch")


@pytest.mark.slow
def test_the_page_of_the_chaplygin_top_shows_its_strange_attractor() -> None:
    section = behaviour_section(case("chaplygin-top"))
    assert section is not None
    told = words(section.body)
    assert "A strange attractor, as far as numbers can tell" in told and "crossings of w1 = 0 upwards" in told
