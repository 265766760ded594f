"""Edited checks: each kind of edit is made, and its fate is told from numbers alone."""

from __future__ import annotations

import ast
import json
from types import SimpleNamespace

import numpy as np
import pytest

import nonholo_papers
from nonholo.cli.main import main
from nonholo_papers import verify_answers
from nonholo_papers.claim import Claim, Evidence
from nonholo_papers.evidence import generic, holds, identity, vanish
from nonholo_papers.mutation import COUNTS, counts, mutated, processors, survey
from nonholo_papers.wrong_forms import within, wrong_spans


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


TABLE = np.array([[1.0, 2.0], [3.0, 5.0]])


def turned() -> Evidence:
    """Indices of a table that is not symmetric, and of one that is."""

    def terms(p) -> list:
        v = np.array([p.x, p.y])
        skew, even = np.einsum("ij,j->i", TABLE, v), np.einsum("ij,j->i", TABLE + TABLE.T, v)
        return [skew + even, -TABLE.dot(v) - (TABLE + TABLE.T).dot(v)]

    return identity(generic("", signed="x y"), terms, automatic=False, mutants=[lambda p: [1.0]])


def weak() -> Evidence:
    """Two terms are zero at every point."""
    points = [SimpleNamespace(x=x, y=0.0, z=0.0) for x in (0.4, 0.7)]
    return identity(points, lambda p: [p.x + p.y, -p.x - p.z], automatic=False, mutants=[lambda p: [1.0]])


def constant() -> Evidence:
    """x² + y² along x = cos t, y = sin t: its scale does not matter, the sign does."""

    def rate(t) -> float:
        size = lambda s: 3 * (s.x**2 + s.y**2)  # noqa: E731
        moved = SimpleNamespace(x=t.x - 1e-30j * t.b, y=t.y + 1e-30j * t.a)
        return float(np.imag(size(moved)) / 1e-30)

    points = [SimpleNamespace(x=np.cos(t), y=np.sin(t), a=np.cos(t), b=np.sin(t)) for t in (0.3, 0.9)]
    return vanish(points, rate, [lambda t: t.a])


def _metric(q) -> np.ndarray:
    return np.array([[2 + q[0] ** 2, 0.3 * q[1]], [0.3 * q[1], 1.5]])


def any_metric() -> Evidence:
    """vᵀgw = wᵀgv for every metric g: its entries are letters, the formula is not."""

    def terms(p) -> list:
        q, v, w = np.array([p.x, p.y]), np.array([p.y, p.z]), np.array([p.z, p.x])
        return [v @ _metric(q) @ w, -sum(w[i] * _metric(q)[i, j] * v[j] for i in range(2) for j in range(2))]

    return identity(generic("", signed="x y z"), terms, automatic=False, mutants=[lambda p: [1.0]])


def worded() -> Evidence:
    """A statement in words, blind to the sign of its data."""
    size = abs(START[0] + START[1])
    other = START[0] * START[1]
    return holds(("it is not small", size > 0.1), against=[("nor is this", other > 100)])


START = (0.7, 0.3)


def claim(check) -> Claim:
    return Claim("bmz", check.__name__, "a claim", "confirmed", check)


def fates(check) -> dict[str, str]:
    return {m.edit.after: m.fate for m in mutated(claim(check))}


def test_a_sharp_check_sees_every_edit() -> None:
    found = survey([claim(sharp)])
    assert len(found.of("seen")) == len(found.mutants) >= 8 and found.blunt == ()


def test_a_check_of_a_value_against_itself_is_found_out() -> None:
    found = survey([claim(blunt)])
    assert {m.edit.after for m in found.of("survives")} == {"p.x * p.y - p.x", "2 * (p.x * p.y)"}
    assert found.blunt == (("bmz", "blunt"),)


def test_indices_of_a_symmetric_table_may_be_exchanged_and_others_not() -> None:
    found = fates(turned)
    assert found["np.einsum('ji,j->i', TABLE, v)"] == "seen"
    assert found["np.einsum('ji,j->i', TABLE + TABLE.T, v)"] == "equivalent"


def test_a_term_that_is_zero_at_every_point_makes_no_edit_equivalent() -> None:
    assert fates(weak)["p.x - p.y"] == "survives"


def test_data_of_a_statement_in_words_are_not_excused_and_its_wrong_form_is() -> None:
    found = fates(worded)
    assert found["START[0] - START[1]"] == "survives" and found["2 * (START[0] * START[1])"] == "wrong form"


def test_what_is_computed_for_wrong_forms_alone_is_found_in_the_syntax() -> None:
    tree = ast.parse(
        "def check():\n    good, bad = f(1), g(2)\n    worse = []\n    worse.append(g(3))\n    def h(x):\n        return bad\n"
        "    return Evidence(good, None, min(h(1), worse[0]), words)\ndef g(x):\n    return x\ndef f(x):\n    return x\n"
    )
    spans = wrong_spans({n.name: n for n in tree.body}, confirmed=True)
    assert within(2, 22, spans["check"]) and not within(2, 16, spans["check"])  # g(2), f(1)
    assert within(4, 17, spans["check"]) and within(6, 15, spans["check"])
    assert within(9, 11, spans["g"]) and not within(11, 11, spans["f"])
    assert within(2, 16, wrong_spans({n.name: n for n in tree.body}, confirmed=False)["check"])


def test_the_scale_of_a_conserved_quantity_does_not_matter() -> None:
    found = fates(constant)
    assert found["2 * (3 * (s.x ** 2 + s.y ** 2))"] == "equivalent" and found["s.x ** 2 - s.y ** 2"] == "seen"


def test_an_equation_holds_identically_in_the_entries_of_a_metric_and_the_claim_is_sharp() -> None:
    found = fates(any_metric)
    assert found["2 - q[0] ** 2"] == "identity"
    assert found["2 * (w[i] * _metric(q)[i, j] * v[j])"] == "seen"
    assert survey([claim(any_metric)]).blunt == ()


def test_the_command_lists_survivors(capsys) -> None:
    assert main(["verify", "bmz", "--label", "(5.4) and its λ", "--mutate", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["claims"] == 1 and told["counts"]["seen"] > 5 and told["survivors"] == [] and told["blunt"] == []


def test_a_claim_that_sees_nothing_fails_the_command(capsys, monkeypatch) -> None:
    monkeypatch.setattr(verify_answers, "claims", lambda key: (claim(blunt), claim(weak)))
    assert main(["verify", "bmz", "--mutate"]) == 1
    told = capsys.readouterr().out
    assert "bmz blunt: the check sees no edit inside its terms" in told and "p.x + p.y  →  p.x - p.y" in told


SAMPLE = {
    "benenti": ("(17)", "(44)", "§7, ξ = Γ"),
    "bmz": ("(4.7)", "(5.6)", "(5.4) and its λ"),
    "macdonnell": ("(8.2)", "Lemma 8.4.4"),
    "notices": ("(10)", "Theorem 5"),
    "zenkov": ("(6.6)",),
}


@pytest.mark.parametrize("key", nonholo_papers.names())
def test_no_edit_of_a_sample_of_claims_survives(key: str) -> None:
    found = survey([c for c in nonholo_papers.claims(key) if c.label in SAMPLE[key]])
    assert [str(m) for m in found.of("survives")] == [] and found.blunt == () and len(found.of("seen")) >= 8


@pytest.mark.slow
@pytest.mark.parametrize("key", nonholo_papers.names())
def test_no_edit_of_a_paper_survives(key: str) -> None:
    found = survey(nonholo_papers.claims(key), workers=processors())
    assert [str(m) for m in found.of("survives")] == [] and found.blunt == ()
    told, seen = json.loads(COUNTS.read_text("utf-8"))[key], counts(key, found)
    assert {n: told[n] for n in ("claims", "edits", "survives")} == {n: seen[n] for n in ("claims", "edits", "survives")}
