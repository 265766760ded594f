"""Reports: formulas equal to what they stand for, complete pages, clear refusals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
import symengine as se

import nonholo as nh
from nonholo import gallery
from nonholo.cli.main import main
from nonholo.derive.equations import Equations
from nonholo.errors import FileError, ModelError, StateError
from nonholo.finding import Finding, Invariance, Part
from nonholo.model.files.toml_files import loads
from nonholo.notation.latex import to_latex
from nonholo.notation.parse import parse
from nonholo.notation.shortening.shorten import neat
from nonholo.present.report.report_equations import abbreviated, broken, layout, system_printer, terms
from nonholo.present.report.report_file import report, report_page
from nonholo.present.report.report_motion import hint_notes, motion, motion_section
from nonholo.present.report.report_subject import Case, case
from nonholo.present.report.report_symmetry import gathered, symmetry
from nonholo.present.style.mathml import aligned, mathml

TOML = """
name = "hanging sleigh"
coordinates = "theta x y"
lagrangian = "m/2*(xdot**2 + ydot**2) + J/2*thetadot**2 - m*g*x*sin(b)"
constraints = ["ydot*cos(theta) - xdot*sin(theta)"]
[parameters]
m = 1.3
J = 0.7
g = 9.81
b = 0.2
[start]
thetadot = 1.1
"""


@pytest.fixture(scope="module")
def sleigh_page() -> str:
    return report_page(case("chaplygin-sleigh", until=3.0))


def hamilton_sides() -> Iterator[se.Expr]:
    for name in ("chaplygin-sleigh", "unicycle", "euler-top"):
        equations = nh.hamilton(gallery.get(name).system)
        yield from (e for e in (*equations.kinematics, *equations.force) if len(str(e)) < 1000)


def test_neat_expressions_have_the_same_value() -> None:
    tried = 0
    for expr in hamilton_sides():
        short = neat(expr)
        if short.free_symbols == expr.free_symbols or short != expr:
            names = {s: se.RealDouble(0.3 + 0.07 * k) for k, s in enumerate(sorted(expr.free_symbols, key=str))}
            one, two = (float(e.subs(names).n(53, real=True)) for e in (expr, short))
            assert two == pytest.approx(one, rel=1e-9, abs=1e-12)
            tried += short != expr
    assert tried >= 8


def test_hamiltons_sleigh_is_written_as_by_hand() -> None:
    """Momenta p_ω = (J + m a²) ω and p_v = m v turn (J + m a²) ω̇ = -m a ω v, v̇ = a ω² into these lines."""
    equations = nh.hamilton(gallery.get("chaplygin-sleigh").system)
    names = [*equations.state, "m", "J", "a"]
    by_hand = ["-a*p_omega*p_v/(J + m*a**2)", "m*a*p_omega**2/(J + m*a**2)**2"]
    for side, text in zip(equations.force, by_hand):
        short = neat(side)
        assert se.expand(short - parse(text, names, "by hand")) == 0
        assert len(str(short)) <= len(text) + 2


def test_layout_of_the_sleigh_is_what_a_person_writes() -> None:
    found = layout(nh.hamel(gallery.get("chaplygin-sleigh").system))
    assert found is not None
    assert found.kinematics == (
        (r"\dot{\theta}", r"= \omega"),
        (r"\dot{x}", r"= v \cos \theta"),
        (r"\dot{y}", r"= v \sin \theta"),
    )
    assert found.dynamics == (
        (r"\left(J + m a^{2}\right) \dot{\omega}", r"= - m a \omega v"),
        (r"\dot{v}", r"= a \omega^{2}"),
    )


def test_rotation_matrices_are_written_as_one_line() -> None:
    found = layout(nh.hamel(gallery.get("euler-top").system))
    assert found is not None
    (left, right), *_ = found.kinematics
    assert left == r"\dot{R}"
    assert re.sub(r"\s", "", right).count("&") == 6
    assert "- w_{3}" in right


def test_a_flipped_rotation_rate_is_not_written_as_a_rotation() -> None:
    from dataclasses import replace

    equations = nh.hamel(gallery.get("euler-top").system)
    place = [str(c) for c in equations.coordinates].index("R23")
    wrong: Equations = replace(
        equations, kinematics=tuple(-e if i == place else e for i, e in enumerate(equations.kinematics))
    )
    found = layout(wrong)
    assert found is not None
    assert all(left != r"\dot{R}" for left, _ in found.kinematics)
    laws = [right for left, right in found.kinematics if r"\times" in right]
    assert len(laws) == 2 and not any(r"\beta" in law for law in laws)  # the other two rows do turn
    assert sum(left.startswith(r"\dot{\beta}") for left, _ in found.kinematics) == 3


def test_abbreviations_put_back_give_the_expression() -> None:
    system = gallery.get("rattleback").system
    definitions, short = abbreviated([system.lagrangian], [*system.coordinates, *system.parameters])
    assert definitions
    whole = short[0]
    for name, side in reversed(definitions):
        whole = whole.subs({name: side})
    values = {s: se.RealDouble(0.3 + 0.05 * k) for k, s in enumerate(sorted(system.lagrangian.free_symbols, key=str))}
    assert float(whole.subs(values)) == pytest.approx(float(system.lagrangian.subs(values)), rel=1e-12)


def test_long_sums_are_broken_between_their_terms_and_lose_none() -> None:
    text = r"a + \frac{b - c}{d} - \left(e + f\right) g - h"
    assert terms(text) == ["a", r"+ \frac{b - c}{d}", r"- \left(e + f\right) g", "- h"]
    lines = broken(text, wide=6)
    assert len(lines) > 1
    assert " ".join(lines) == text


@pytest.mark.parametrize(
    "name", ["ball-on-sphere", "snakeboard", "steered-point", "lagrange-top", "rolling-body", "suslov-n"]
)
def test_formulas_become_mathml_without_leftovers(name: str) -> None:
    found = layout(nh.hamel(gallery.get(name).system), 0.2)
    assert found is not None
    tree = ElementTree.fromstring(aligned((*found.kinematics, *found.dynamics, *found.abbreviations)))
    text = "".join(tree.itertext())
    assert not re.search(r"[\\&{}$]", text)
    assert len(tree.findall("./mtable/mtr")) == len((*found.kinematics, *found.dynamics, *found.abbreviations))


@pytest.mark.parametrize("name", gallery.system_names())
def test_every_lagrangian_becomes_mathml(name: str) -> None:
    system = gallery.get(name).system
    show = system_printer(system)
    for expr in (system.lagrangian, *system.constraints, *system.quasivelocities.values()):
        text = "".join(ElementTree.fromstring(mathml(show(expr))).itertext())
        assert text and not re.search(r"[\\&{}$]", text)


def test_a_piecewise_force_and_an_arc_tangent_become_mathml() -> None:
    expr = parse("Piecewise((atan2(y, x), x > 0), (abs(y)*sign(x), True))", ["x", "y"], "test")
    text = "".join(ElementTree.fromstring(mathml(to_latex(expr))).itertext())
    assert "otherwise" in text and "\\" not in text and "&" not in text


def test_a_sine_stands_apart_from_its_angle_but_not_from_its_bracket() -> None:
    space = '<mspace width="0.167em" />'
    assert mathml(r"\sin x").count(space) == mathml(r"\cos^{2} \phi").count(space) == 1
    assert mathml(r"v \sin x").count(space) == 2
    assert space not in mathml(r"\sin\left(x - y\right)") and space not in mathml(r"\sinh\left(x\right)")


def test_page_is_complete_in_itself(sleigh_page: str) -> None:
    without_scripts = re.sub(r"<script[^>]*>.*?</script>", "", sleigh_page, flags=re.S)
    assert not re.findall(r'(?:src|href)="(?!#|data:)[^"]+"', without_scripts)
    assert not re.search(r"url\((?!data:)", without_scripts)
    assert "@import" not in without_scripts


def test_page_has_its_sections_in_order_and_links_to_each(sleigh_page: str) -> None:
    keys = re.findall(r'<section id="(\w+)"', sleigh_page)
    assert keys == ["system", "constraints", "equations", "checks", "symmetry", "behaviour", "motion", "reproduce"]
    assert re.findall(r'<li><a href="#(\w+)"', sleigh_page) == keys


def test_page_tells_what_the_system_is(sleigh_page: str) -> None:
    exhibit = gallery.get("chaplygin-sleigh")
    text = re.sub(r"<[^>]+>", "", sleigh_page[sleigh_page.index("<main") :])
    checks = sleigh_page.partition('<section id="checks">')[2].partition("</section>")[0]
    assert exhibit.title in text
    assert all(reference in text for reference in exhibit.references)
    assert "kg m²" in text and "0.7" in text
    assert "1 nonholonomic constraint, growth vector (2, 3)" in text
    assert checks.count("✓") >= 10 and "✗" not in checks


def test_constants_stand_before_what_moves(sleigh_page: str) -> None:
    """cos kθ, not cos θk, in the conserved momenta."""
    shown = sleigh_page.partition("Conserved quantities")[2]
    assert "<mi>k</mi><mi>&#x003B8;</mi>" in shown and "<mi>&#x003B8;</mi><mi>k</mi>" not in shown


def test_the_energy_that_proves_stability_is_proved_itself() -> None:
    (energy,) = case("chaplygin-sleigh").dossier.energy
    assert energy.proved


def test_a_failing_check_is_shown_as_failing() -> None:
    from nonholo.present.report.report_sections import findings_table

    shown = findings_table([Finding("two is three", "fails", 1.0, "counted"), Finding("one is one", "holds")])
    assert '<span class="fails" title="fails">✗</span>' in shown
    assert shown.count("✓") == 1


def test_the_text_to_reproduce_it_gives_the_same_system(sleigh_page: str, tmp_path: Path) -> None:
    import html

    blocks = [html.unescape(b) for b in re.findall(r'<pre data-live="(?:command|toml)">(.*?)</pre>', sleigh_page, flags=re.S)]
    assert blocks[0].startswith("nonholo report chaplygin-sleigh")
    assert "--until 3" in blocks[0]
    (tmp_path / "again.toml").write_text(blocks[1], encoding="utf-8")
    again, exhibit = nh.load(tmp_path / "again.toml"), gallery.get("chaplygin-sleigh")
    assert again.lagrangian == exhibit.system.lagrangian
    assert dict(again.parameters) == dict(exhibit.parameters)
    assert dict(again.start) == dict(exhibit.start)


def test_report_on_a_file_without_drawing_or_story(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(TOML, encoding="utf-8")
    place = report(tmp_path / "own.toml", tmp_path / "own.html", parameters={"b": 0.3}, start={"xdot": 0.5}, until=2)
    text = place.read_text(encoding="utf-8")
    assert "hanging sleigh" in text
    assert 'class="story"' not in text
    assert 'id="motion"' in text and text.count('class="plot"') >= 3
    assert sorted(p.name for p in tmp_path.iterdir()) == ["own.html", "own.toml"]


def test_a_system_that_cannot_move_still_has_a_report() -> None:
    text = report_page(case("degenerate-sleigh"))
    assert "No motion was computed" in text
    assert 'class="plot"' not in text and 'class="nonholo-film"' not in text


def test_a_page_hints_at_what_was_not_meant_and_gives_no_advice_for_python() -> None:
    skate = case(nh.System(coordinates="x y", lagrangian="m*(xdot**2 + ydot**2)/2", parameters={"m": 2, "k": 1}))
    found = motion(skate)
    notes = hint_notes(found)
    assert "Hint: Is it meant that the parameter k occurs in no formula?" in notes and "no start is given" in notes.lower()
    told = motion_section(skate, found, symmetry(skate, found.run, lambda _: None)).body
    assert "reached the end. Nothing has moved" in told and "run.hints" not in told


def test_names_are_not_taken_for_html() -> None:
    system = nh.System(name="<b>&co</b>", coordinates="x", lagrangian="xdot**2/2", start={"x": 0.0, "xdot": 1.0})
    text = report_page(case(system, until=1.0))
    assert "<b>" not in text[text.index("<main") :].split("<script")[0]
    assert "&lt;b&gt;&amp;co&lt;/b&gt;" in text


def test_findings_of_many_generators_are_told_once_with_the_worst_number() -> None:
    given = tuple(
        Finding(Invariance((Part.KINETIC,), (g,)), "holds", v) for g, v in (("one", 1e-16), ("two", 3e-15))
    )
    found = gathered((*given, Finding("other", "fails")))
    assert len(found) == 2
    assert found[0].value == 3e-15 and "one and two" in found[0].claim
    assert found[1].verdict == "fails"


def test_what_makes_no_sense_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no system 'sley'"):
        report("sley", tmp_path / "x.html")
    with pytest.raises(StateError, match="no parameter 'q'"):
        report("chaplygin-sleigh", tmp_path / "x.html", parameters={"q": 1})
    with pytest.raises(StateError, match="'q'"):
        report("chaplygin-sleigh", tmp_path / "x.html", start={"q": 1})
    with pytest.raises(StateError, match="until"):
        report("chaplygin-sleigh", tmp_path / "x.html", until=-3.0)
    with pytest.raises(FileError, match="no directory"):
        report("chaplygin-sleigh", tmp_path / "nowhere" / "x.html")
    with pytest.raises(FileError, match="directory"):
        report("chaplygin-sleigh", tmp_path)
    with pytest.raises(ModelError, match="int"):
        report(3)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    ["sley", "broken.toml", "missing.toml", "chaplygin-sleigh --set q=1", "chaplygin-sleigh --set a=x",
     "chaplygin-sleigh --until x", "chaplygin-sleigh --until -3", "chaplygin-sleigh -o nowhere/x.html",
     "chaplygin-sleigh --start q=1"],
)  # fmt: skip
def test_bad_input_is_one_line_and_exit_code_two(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.toml").write_text("name = [", encoding="utf-8")
    assert main(["report", *words.split()]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("nonholo: ") and told.err.count("\n") == 1 and "Traceback" not in told.err
    assert list(tmp_path.glob("*.html")) == []


def test_command_says_where_the_page_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["report", "knife-edge", "--set", "m=2", "--until", "1"]) == 0
    assert (tmp_path / "knife-edge.html").resolve().as_uri() in capsys.readouterr().out
    assert "--set m=2" in (tmp_path / "knife-edge.html").read_text(encoding="utf-8")


def test_what_is_constant_only_while_contacts_roll_says_so() -> None:
    """A disk that slides first: neither its energy nor the rolling distance is kept from the start."""
    text = '''coordinates = "x z p"
lagrangian = "m/2*(xdot**2 + zdot**2) + m*r**2/5*pdot**2 - m*g*z"
until = 0.2
[parameters]
m = 6.8
r = 0.1
g = 9.81
mu = 0.1
[start]
xdot = 4
[[contacts]]
name = "lane"
gap = "z - r"
slip = ["xdot - r*pdot"]
friction = "mu"
slips = true
'''
    chosen = Case("disk.toml", loads(text))
    found = symmetry(chosen, motion(chosen).run, lambda _: None).section
    assert found is not None
    rows = found.body.partition("<h3>Conserved quantities</h3>")[2].partition("</table>")[0].split("<tr>")[2:]
    assert len(rows) > 1 and all("while lane rolls" in row for row in rows)
    assert "while contacts slip or are open" in found.body
