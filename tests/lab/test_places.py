"""Mistakes of every kind are found at their place in the text."""

from __future__ import annotations

import pytest

from nonholo.errors import NonholoError, Passage
from nonholo.lab.study_stages import Subject, error_place, mistake
from nonholo.model.files.toml_map import characters, entries

RIGHT = '''name = "sleigh"
coordinates = "theta x y"
lagrangian = """
m/2*(xdot**2 + ydot**2)
+ J/2*thetadot**2"""
constraints = [
  "ydot*cos(theta) - xdot*sin(theta)",  # no slip, "quoted"
]
[quasivelocities]
omega = "thetadot"
[forces]
omega = "-c*omega"
[symmetry.turn]
theta = "1"
[parameters]
m = 1.0
J = 0.7
c = 0.1
[start]
theta = "pi/6"
omega = 1.3
'''
MISTAKES = [
    ("J/2*thetadot", "J/2*tetadot", (5, 7, "tetadot"), "did you mean 'thetadot'"),
    ("cos(theta)", "cos(teta)", (7, 13, "teta"), "did you mean 'theta'"),
    ("- xdot*sin", "- xdot sin", (7, 27, "sin"), "an operator such as * is missing"),
    ('"ydot*cos', '"1 + x", "ydot**2^2*cos', (7, 20, "^"), "a power is written with **"),
    ("J = 0.7", 'J = "q"', (17, 5, '"q"'), "is not a number"),
    ('theta = "1"', 'thet = "1"', (14, 1, "thet"), "no coordinate"),
    ("omega = 1.3", "omga = 1.3", (21, 1, "omga"), "no state variable"),
    ('omega = "-c', 'omga = "-c', (12, 1, "omga"), "neither a coordinate"),
    ('"theta x y"', '"theta x x"', (2, 24, "x"), "appears twice"),
    ("lagrangian", "lagrangan", (3, 1, "lagrangan"), "did you mean 'lagrangian'"),
    ("m = 1.0", "m = 1,0", (16, 6, ","), "decimals are written with a point"),
    ("m = 1.0\n", "", (4, 1, "m"), "unknown name 'm'"),
    ("[start]", "[start", (19, 7, "t"), "not TOML"),
    ('= "thetadot"', '= "thetadot +"', (10, 20, "+"), "ends with +"),
    ('= "thetadot"', '= "thetadot**2"', (10, 9, '"thetadot**2"'), "must be linear"),
    ("omega = 1.3", "omega = 1\nomega = 2", (22, 10, "2"), "given twice"),
    ('theta = "pi/6"', "until = 4", (20, 1, "until"), "stands below [start]"),
    ("[start]", "[page.ranges]\nz = [1, 2]\n[start]", (20, 1, "z"), "no quantity is called 'z'"),
    ("[start]", "[[drawing.shapes]]\nkind = 'bll'\n[start]", (19, 1, "[[drawing.shapes]]"), "choose from disc"),
    (
        '(theta)",',
        '(theta)", "xdot*sin(theta) - ydot*cos(theta)",',
        (7, 40, '"xdot*sin(theta) - ydot*cos(theta)"'),
        "the same",
    ),
]


def refusal(text: str) -> NonholoError:
    try:
        Subject(text, "sleigh.toml").case  # noqa: B018
    except NonholoError as trouble:
        return trouble
    return NonholoError()


def test_the_right_text_has_no_mistake() -> None:
    assert str(refusal(RIGHT)) == ""


@pytest.mark.parametrize(("right", "wrong", "place", "words"), MISTAKES, ids=[m[1][:24] for m in MISTAKES])
def test_a_mistake_is_found_at_its_place(right: str, wrong: str, place: tuple[int, int, str], words: str) -> None:
    assert RIGHT.count(right) >= 1
    text = RIGHT.replace(right, wrong, 1) if right != "lagrangian" else RIGHT.replace(right, wrong)
    trouble = refusal(text)
    assert words in str(trouble)
    found = error_place(text, trouble)
    assert (found.line, found.column, text[found.start : found.stop]) == place


def test_a_browser_counts_some_letters_twice() -> None:
    text = 'name = "🙂"\ncoordinates = "x"\nlagrangian = "xdot**2 + q"\n'
    told = mistake(text, refusal(text))
    units = text.encode("utf-16-le")
    assert units[2 * told["from"] : 2 * told["to"]].decode("utf-16-le") == "q"
    assert (told["line"], told["column"]) == (3, 25)
    assert "lagrangian: unknown name 'q'; " in told["words"] and "column" not in told["words"]


def test_escapes_and_lines_that_go_on_are_counted() -> None:
    text = 'lagrangian = """x\\u0064ot**2 \\\n   + q"""\ncoordinates = "x"\n'
    assert text[error_place(text, refusal(text)).start] == "q"
    value = 'a = "b\\u0064\\n\\"c"'
    assert [value[k] for k in characters(value, (4, len(value)))] == ["b", "\\", "\\", "\\", "c", '"']


@pytest.mark.parametrize(
    "text",
    [
        "",
        "=",
        "[",
        "]",
        '"',
        "a",
        "a =",
        "a = [",
        "[[",
        "[[a]",
        'a = """',
        "#",
        "a.b.c = {d = [1, {e = '''",
        "\n\n",
        "a\\",
        "'''\\",
    ],
)
def test_any_text_has_a_place_for_any_error(text: str) -> None:
    for trouble in (
        NonholoError("no place"),
        refusal(text),
        NonholoError("a formula", passage=Passage("x + y", 99)),
        NonholoError("an entry", key=("constraints", 7)),
        NonholoError("a value", key=("start", "a", "=")),
    ):
        found = error_place(text, trouble)
        assert 0 <= found.start <= found.stop <= len(text) and found.line >= 1 and found.column >= 1
    assert isinstance(entries(text), list)
