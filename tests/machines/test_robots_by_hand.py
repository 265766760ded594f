"""Machines of the gallery against the same machines written by hand: accelerations at random states, and motions."""

from __future__ import annotations

import ast
import textwrap
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import symengine as se
from scipy.spatial.transform import Rotation

import nonholo as nh
from nonholo.model.system import known_inputs, known_parameters
from tests.machines.robots_by_hand import BY_HAND


@cache
def pair(name: str) -> tuple[nh.System, nh.System]:
    """The gallery's machine, and the same by hand."""
    machine = nh.gallery.get(name).system
    return machine, BY_HAND[name](dict(machine.parameters))


def numbers(exprs: list[se.Expr], values: dict[str, float]) -> np.ndarray:
    given = {se.Symbol(n): v for n, v in values.items()}
    return np.array([float(e.subs(given)) for e in exprs])


def random_state(system: nh.System, rng: np.random.Generator) -> dict[str, float]:
    """Random coordinates moved onto the holonomic constraints, random velocities projected onto the admissible ones."""
    flat = [c for c in system.coordinates if f"{c}dot" in system.velocities]
    q = {c: float(rng.uniform(-0.6, 0.6)) for c in flat}
    if len(flat) < len(system.coordinates):
        turned = Rotation.random(random_state=int(rng.integers(1000))).as_matrix()
        q |= {f"R{i + 1}{j + 1}": float(turned[i, j]) for i in range(3) for j in range(3)}
    held = [se.sympify(e) for e in system.holonomic]
    for _ in range(30 if held else 0):
        slopes = np.array([numbers([e.diff(se.Symbol(c)) for c in flat], {**known_parameters(system), **q}) for e in held])
        step = np.linalg.pinv(slopes) @ numbers(held, {**known_parameters(system), **q})
        q |= {c: q[c] - float(d) for c, d in zip(flat, step, strict=True)}
        if max(abs(step)) < 1e-14:
            break
    values, still = {**known_parameters(system), **q}, dict.fromkeys(system.velocities, 0.0)
    rows = [
        numbers([se.sympify(e).diff(se.Symbol(v)) for v in system.velocities], {**values, **still})
        for e in system.constraints
    ]
    rows += [numbers([e.diff(se.Symbol(v.removesuffix("dot"))) for v in system.velocities], values) for e in held]
    matrix, speeds = np.array(rows).reshape(-1, len(system.velocities)), rng.uniform(-1, 1, len(system.velocities))
    speeds -= np.linalg.pinv(matrix, rcond=1e-12) @ (matrix @ speeds)
    return {**q, **{v: float(s) for v, s in zip(system.velocities, speeds, strict=True)}}


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n == "skateboard" else n for n in BY_HAND])
def test_a_machine_has_the_accelerations_of_the_system_written_by_hand(name: str) -> None:
    machine, by_hand = pair(name)
    assert set(machine.coordinates) == set(by_hand.coordinates)
    theirs, ours = nh.multipliers(by_hand), nh.hamel(machine)
    rng = np.random.default_rng(7)
    for _ in range(2):
        state = random_state(by_hand, rng)
        state |= {name: float(rng.uniform(-1, 1)) for name in by_hand.inputs}
        expected, found = theirs.rates(state, by_hand.parameters), ours.rates(state, machine.parameters)
        for velocity in by_hand.velocities:
            assert found[velocity] == pytest.approx(expected[velocity], rel=1e-11, abs=1e-11), velocity


PLANE = ("two-axle-tractor", "car-with-trailers", "differential-drive", "mecanum", "omni-platform", "trikke", "landfish")


@pytest.mark.parametrize("name", PLANE)
def test_a_machine_has_the_reactions_of_the_system_written_by_hand(name: str) -> None:
    """On every coordinate, whatever rows each of them writes."""
    machine, by_hand = pair(name)
    state = random_state(by_hand, np.random.default_rng(11))
    inputs = {name: 0.4 + 0.1 * k for k, name in enumerate(by_hand.inputs)}
    found, wanted = (nh.reactions(system).at(state, inputs=inputs) for system in (machine, by_hand))
    size = max(1.0, *(abs(wanted[c]) for c in by_hand.coordinates))
    for c in by_hand.coordinates:
        assert found[c] == pytest.approx(wanted[c], abs=1e-11 * size), c


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_HAND)
def test_a_machine_moves_as_the_system_written_by_hand(name: str) -> None:
    machine, by_hand = pair(name)
    start = nh.simulate(machine, until=1e-9).data.isel(t=0)
    own = {v: float(start[v]) for v in (*by_hand.coordinates, *by_hand.velocities)}
    given = {"rtol": 1e-12, "atol": 1e-13}
    ours = nh.simulate(machine, until=0.5, **given)
    theirs = nh.simulate(by_hand, own, 0.5, inputs=known_inputs(machine), **given)
    for c in by_hand.coordinates:
        assert float(ours.data[c][-1]) == pytest.approx(float(theirs.data[c][-1]), rel=1e-9, abs=1e-9), c


def test_the_bicycle_takes_fewer_than_thirty_lines() -> None:
    folder = Path(nh.gallery.__file__).parent / "machines"
    lines = [
        line for line in (folder / "bicycle.toml").read_text().partition("[exhibit]")[0].splitlines() if line.strip()
    ]
    assert len(lines) < 30


def code_lines(node: ast.AST, source: str) -> int:
    """Lines of a function without its decorators, docstrings, comments and blank lines, at most 100 letters in each."""
    inner = [n for n in ast.walk(node) if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(n)]
    told = {k for n in inner for k in range(n.body[0].lineno, (n.body[0].end_lineno or 0) + 1)}
    lines = source.splitlines()
    kept = [lines[k - 1] for k in range(node.lineno, node.end_lineno + 1) if k not in told]  # type: ignore[attr-defined]
    return sum(len(textwrap.wrap(line, 100)) for line in kept if line.strip() and not line.strip().startswith("#"))


def words_of(node: ast.AST) -> set[str]:
    """Names and attributes that occur in code."""
    inner = list(ast.walk(node))
    return {n.id for n in inner if isinstance(n, ast.Name)} | {n.attr for n in inner if isinstance(n, ast.Attribute)}


def lines_by_hand() -> dict[str, tuple[int, int]]:
    """Lines of each robot's program in formulas: its function, whatever helpers that needs, each counted once, three imports;
    and those of its function alone."""
    folder = Path(__file__).parent
    helpers: dict[str, tuple[ast.AST, str]] = {}
    robots: dict[str, tuple[ast.AST, str]] = {}
    for file in ("lagrangian_by_hand.py", "robots_by_hand.py"):
        source = (folder / file).read_text("utf-8")
        for node in ast.parse(source).body:
            if isinstance(node, ast.ClassDef):
                helpers |= {n.name: (n, source) for n in node.body if isinstance(n, ast.FunctionDef)}
            elif isinstance(node, ast.FunctionDef):
                calls = [e.args[0] for e in node.decorator_list if isinstance(e, ast.Call)]
                marks = [str(e.value) for e in calls if isinstance(e, ast.Constant)]
                (robots if marks else helpers)[marks[0] if marks else node.name] = (node, source)
    found = {}
    for name, (robot, source) in robots.items():
        needed, waiting = {"system"}, words_of(robot) | {"system"}
        while waiting:
            needed |= {w for w in waiting if w in helpers}
            waiting = {w for n in needed for w in words_of(helpers[n][0]) if w in helpers and w not in needed}
        own = code_lines(robot, source)
        found[name] = (3 + own + sum(code_lines(*helpers[n]) for n in needed), own)
    return found


DATA = ("name", "until", "parameters", "start", "inputs")
"""What a program in formulas says in the same lines as a machine's file."""


@pytest.mark.parametrize("name", BY_HAND)
def test_a_machine_takes_a_quarter_of_the_lines_of_the_program_in_formulas(name: str) -> None:
    """`docs/bodies-and-wheels.md`: lines without those on numbers, which are the same in both, at most 100 letters in each."""
    page = (Path(__file__).parents[2] / "docs" / "bodies-and-wheels.md").read_text("utf-8")
    text = (Path(nh.gallery.__file__).parent / "machines" / f"{name}.toml").read_text("utf-8").partition("[exhibit]")[0]
    lines = [line for line in text.splitlines() if line.strip()]
    data = sum(len(textwrap.wrap(line, 100)) for line in lines if line.split(" = ")[0] in DATA)
    own = sum(len(textwrap.wrap(line, 100)) for line in lines) - data
    program, function = lines_by_hand()[name]
    whole = 4 * (own + data) <= program + data
    assert f"| {name} | {own} | {program} | {data} | {function} | {'met' if whole else 'missed'} |" in page
    assert own <= program / 4
