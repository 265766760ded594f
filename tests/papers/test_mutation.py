"""Edited checks: each kind of edit is made, a check that sees it is told from one that cannot."""

from __future__ import annotations

import json

import numpy as np

from nonholo.cli.main import main
from nonholo_papers.claim import Claim, Evidence
from nonholo_papers.evidence import generic, identity
from nonholo_papers.mutation import mutated, survey


def sharp() -> Evidence:
    """The addition theorem: every sign, factor and function of it matters."""
    return identity(
        generic("", signed="x y"),
        lambda p: [np.sin(p.x + p.y), -np.sin(p.x) * np.cos(p.y), -np.cos(p.x) * np.sin(p.y)],
        automatic=False,
        mutants=[lambda p: [1.0]],
    )


def blunt() -> Evidence:
    """A value against itself."""
    return identity(
        generic("", signed="x y"), lambda p: [_product(p), -_product(p)], automatic=False, mutants=[lambda p: [1.0]]
    )


def _product(p) -> float:
    return p.x * p.y + p.x


def turned() -> Evidence:
    """An index of a table that is not symmetric."""
    table = np.array([[1.0, 2.0], [3.0, 5.0]])

    def terms(p) -> list:
        return [np.einsum("ij,j->i", table, np.array([p.x, p.y])), -table.dot([p.x, p.y])]

    return identity(generic("", signed="x y"), terms, automatic=False, mutants=[lambda p: [1.0]])


def claim(check) -> Claim:
    return Claim("bmz", check.__name__, "a claim", "confirmed", check)


def test_a_sharp_check_sees_every_edit() -> None:
    found = survey([claim(sharp)])
    assert found.tried >= 8 and found.survivors == ()


def test_a_check_of_a_value_against_itself_is_found_out() -> None:
    found = survey([claim(blunt)])
    assert {m.after for m in found.survivors} == {"p.x * p.y - p.x", "2 * (p.x * p.y)"}
    assert all("_product" not in m.before for m in found.survivors)


def test_indices_are_exchanged() -> None:
    fates = {m.after: fate for m, fate in mutated(claim(turned))}
    assert fates["np.einsum('ji,j->i', table, np.array([p.x, p.y]))"] == "seen"


def test_the_command_lists_survivors(capsys) -> None:
    assert main(["verify", "bmz", "--label", "(5.4) and its λ", "--mutate", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["claims"] == 1 and told["tried"] > 5 and told["survivors"] == []
