"""Every shape on every ground: assembled and compared with Newton–Euler equations in maximal coordinates, or refused in words.

``python -m tests.machines.test_contact_matrix`` prints the table of `docs/bodies-and-wheels.md`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import nonholo as nh
from nonholo.machines.machine_files import loads
from nonholo.model.velocities.admissible import samples_of
from tests.machines.test_maximal_coordinates import compare

SHAPES = {
    "disk": 'shape = {kind = "disk", radius = 0.2}',
    "torus": 'shape = {kind = "wheel", radius = 0.2, tube = 0.05}',
    "ball": 'center = [0.02, 0.01, -0.03], shape = {kind = "ball", radius = 0.2}',
    "ellipsoid": 'shape = {kind = "ellipsoid", a = 0.2, b = 0.15, c = 0.12}',
    "cylinder": 'shape = {kind = "cylinder", radius = 0.1, length = 1.2, axis = "y"}',
    "cone": 'shape = {kind = "cone", radius = 0.15, length = 1.2, axis = "y", offset = [0, -0.5, 0]}',
    "convex": 'shape = {kind = "convex", '
    'support = "0.1*sqrt(n1**2 + n2**2 + n3**2) + sqrt(0.01*n1**2 + 0.02*n2**2 + 0.015*n3**2)"}',
    "point": "",
    "blade": "",
}
TOP, LOW, SIDE, CAVE = "z = 1.3", "z = -0.8", "x = 1.3", "x = 0.7"
GROUNDS = {
    "plane": ("", ""),
    "slope": ("slope = 0.2", ""),
    "z = f(x, y)": ('height = "0.05*sin(x)*cos(y) + 0.1*x"', "z = 0.3"),
    "sphere": ("sphere = 1.1", TOP),
    "bowl": ("sphere = 1.1, inside = true", LOW),
    "cylinder": ("cylinder = 1.1", SIDE),
    "tube": ("cylinder = 1.1, inside = true", CAVE),
    "cone": ("cone = 1.2", "x = 0.9, z = 0.1"),
    "funnel": ("cone = 1.2, inside = true", "x = 0.9, z = 0.6"),
    "implicit": ('implicit = "x**2/4 + y**2/2 + z**2 - 1"', TOP),
    "turning plane": ("turning = 0.7", ""),
    "shaken plane": ('moving = ["0.3*sin(2*t)", 0, "0.1*sin(3*t)"]', ""),
    "turning, shaken z = f": ('height = "0.05*sin(x)*cos(y)", turning = 0.7, moving = [0, "0.2*sin(t)", 0]', "z = 0.3"),
    "ball (body)": ('{name = "other", mass = 3, shape = {kind = "ball", radius = 1.1}}', TOP),
    "ellipsoid (body)": ('{name = "other", mass = 3, inertia = [1, 1, 1], '
                         'shape = {kind = "ellipsoid", a = 1.4, b = 1.2, c = 1.0}}', TOP),
    "cylinder (body)": ('{name = "other", mass = 3, shape = {kind = "cylinder", radius = 1.1, length = 4, axis = "x"}}', TOP),
}  # fmt: skip
PAIRS = [(shape, ground) for shape in SHAPES for ground in GROUNDS]
QUICK = {("cylinder", "bowl"), ("convex", "slope"), ("blade", "sphere"), ("point", "turning plane")}
"""Pairs in the quick tests; the others of the table are slow."""


def written(shape: str, ground: str) -> str:
    words, start = GROUNDS[ground]
    other = words if words.startswith("{") else ""
    inertia = 'center = [0.02, 0.01, -0.03], ' if shape in ("point", "blade") else ""
    body = f'{{name = "body", mass = 0.7, inertia = [0.011, 0.017, 0.013], {inertia}{SHAPES[shape]}}}'
    contact = 'body = "body"' + (', on = "other"' if other else "")
    contact += ', at = [0.1, 0.05, -0.2]' if shape in ("point", "blade") else ""
    contact += ', kind = "blade", along = [1, 0.2, 0]' if shape == "blade" else ""
    return (
        f'name = "{shape} on {ground}"\nbodies = [{body.replace(", }", "}")}{", " + other if other else ""}]\n'
        f'contacts = [{{{contact}}}]\n' + (f"ground = {{{words}}}\n" if words and not other else "")
        + ('joints = [{name = "q", child = "other", axis = "x"}]\n' if other else "")
        + f'start = {{tilt = 0.3, pitch = 0.2{", " + start if start else ""}}}\n'
    )  # fmt: skip


def outcome(shape: str, ground: str) -> str:
    """``agrees``, or in words why the pair is refused."""
    try:
        system = loads(written(shape, ground))
    except nh.NonholoError as trouble:
        return f"refused: {trouble.message}"
    compare(system, 0.02, (1,), moving=True)
    return "agrees"


@pytest.mark.parametrize(("shape", "ground"), [p if p in QUICK else pytest.param(*p, marks=pytest.mark.slow) for p in PAIRS])
def test_a_shape_on_a_ground_agrees_with_newton_and_euler_or_is_refused_in_words(shape: str, ground: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "bodies-and-wheels.md").read_text("utf-8")
    head, row = (next(line for line in page.splitlines() if line.startswith(f"| {word} |")) for word in ("shape on", ground))
    told = dict(zip(head.split(" | "), row.split(" | ")))[shape if shape != "blade" else "blade |"].removesuffix(" |")
    assert outcome(shape, ground).startswith("agrees" if told == "✓" else "refused: ")


def test_speeds_are_chosen_at_the_start_and_refused_where_they_fail() -> None:
    """At the start of this disk speeds chosen off the contact divide by zero; multipliers are the second route."""
    system = loads(written("disk", "sphere"))
    run = nh.simulate(system, {**system.start, "w1": 0.7, "w2": -0.4, "w3": 0.5}, 0.01, t_eval=2)
    state = {n: float(run.first[n]) for n in (*system.coordinates, *system.velocities)}
    with pytest.raises(nh.StateError, match="do not determine the velocities at this state"):
        nh.hamel(system, at=samples_of(system)[0]).rates(state, dict(system.parameters))
    wanted = nh.multipliers(system).rates(state, dict(system.parameters))
    for equations in (nh.hamel(system), nh.hamel(system, at=state)):
        found = equations.rates(state, dict(system.parameters))
        for name in system.velocities:
            assert found[name] == pytest.approx(wanted[name], rel=1e-12, abs=1e-12)


if __name__ == "__main__":
    print("| shape on | " + " | ".join(SHAPES) + " |\n|" + "---|" * (len(SHAPES) + 1))
    for ground in GROUNDS:
        found = []
        for shape in SHAPES:
            try:
                found.append(outcome(shape, ground))
            except AssertionError:
                found.append("DIFFERS")
            except Exception as trouble:
                found.append(f"{type(trouble).__name__} {trouble}")
        marks = ["✓" if e == "agrees" else "–" if e.startswith("refused") else e[:40] for e in found]
        print(f"| {ground} | " + " | ".join(marks) + " |", flush=True)
        for shape, e in zip(SHAPES, found):
            if e != "agrees":
                print("    ", shape, e[:230], flush=True)
