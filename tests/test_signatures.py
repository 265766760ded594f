"""Keywords of public functions: one meaning each, as docs/glossary.md lists them, and keyword-only after the operands."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import nonholo as nh

POSITIONAL = {
    "complete_state": 3, "integrals": 4, "simulate": 4, "ensemble": 4, "section": 4, "lyapunov": 4, "steer": 4, "export": 3,
    "on_level": 4, "conserved": 3, "phase_portrait": 3, "lqr": 3, "particles": 3, "parametric": 3, "observer": 3,
}  # fmt: skip
"""Functions whose order is written in the manual: so many arguments may stand without a name."""
STATES = {"state", "at", "about", "start", "starts", "guess", "goal", "near"}
"""Words for states; each stands in the glossary."""
OLD = {"given", "initial_state", "x0", "params", "values_of", "t_end", "tmax", "duration"}
"""Words that have another name here."""
TYPES = {
    "parameters": r"Names|Mapping\[str, (float|Any)\]|str|Sequence\[str\]|tuple\[str, \.\.\.\]|Any",
    "start": r"Mapping\[str, (float|Any)\]|Starts|Any|None|float",
    "at": r"Mapping\[str, (float|Any)\]|State|Equilibrium|Any|None",
    "inputs": r"Names|Mapping|Sequence|str|Any|None",
    "until": r"float|Until|Any|None",
}
"""What the annotation of a word must name."""


def functions() -> dict[str, Callable[..., Any]]:
    """Every public function by its full name."""
    rooms = {"": nh, **{name: getattr(nh, name) for name in (*nh._SPACES, "control")}}
    found = {f"{room}.{n}".strip("."): getattr(space, n) for room, space in rooms.items() for n in space.__all__}
    return {name: inspect.unwrap(one) for name, one in found.items() if inspect.isfunction(one)}


PUBLIC = functions()


def positional(function: Callable[..., Any]) -> list[inspect.Parameter]:
    return [p for p in inspect.signature(function).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_what_is_no_operand_is_given_by_name(name: str) -> None:
    found = positional(PUBLIC[name])
    required = sum(p.default is p.empty for p in found)
    assert len(found) <= max(2, required, POSITIONAL.get(name.split(".")[-1], 2))


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_keywords_mean_one_thing(name: str) -> None:
    for word, parameter in inspect.signature(PUBLIC[name]).parameters.items():
        assert word not in OLD
        if word in TYPES:
            assert re.search(TYPES[word], str(parameter.annotation)), f"{word}: {parameter.annotation}"
        if word in ("starts", "start", "state", "at", "about"):
            assert "int" not in re.findall(r"\w+", str(parameter.annotation)), f"{word} is a state, not a number"


def test_the_glossary_says_what_each_word_for_a_state_means() -> None:
    text = (Path(__file__).parents[1] / "docs" / "glossary.md").read_text("utf-8")
    for word in (*STATES, "parameters", "until", "inputs"):
        assert f"| `{word}` |" in text, word


def test_the_rule_sees_a_third_operand() -> None:
    def bad(system: object, at: object = None, parameters: object = None) -> None: ...

    assert len(positional(bad)) == 3
