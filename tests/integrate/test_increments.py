"""Increments on groups: the maps themselves against matrices of SciPy, and discrete Hamel equations that stay on the group."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import root

import nonholo as nh
from nonholo import gallery
from nonholo.compile.schemes.group_hamel import Maps, displaced
from nonholo.program.interpret import Interpreter
from nonholo.program.program import Program
from nonholo.program.program_values import inputs


def hat(w: np.ndarray) -> np.ndarray:
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def by_matrices(algebra: np.ndarray, cayley: bool) -> np.ndarray:
    """exp of a matrix, or (1 − a/2)⁻¹(1 + a/2)."""
    one = np.eye(len(algebra))
    return np.linalg.solve(one - algebra / 2, one + algebra / 2) if cayley else expm(algebra)


def in_program(recipe: dict[str, str], x: np.ndarray, step: np.ndarray, cayley: bool) -> np.ndarray:
    program = Program(fixed=99)
    given = inputs(program, 0, len(x) + len(step))
    found = displaced(recipe, given[: len(x)], given[len(x) :], Maps(cayley))
    return Interpreter(program, [v.place for v in found])(np.concatenate([x, step]))


def rotation(seed: int) -> np.ndarray:
    return expm(hat(np.random.default_rng(seed).normal(size=3)))


@pytest.mark.parametrize("cayley", [False, True])
@pytest.mark.parametrize("size", [1e-9, 0.1, 0.545, 0.55, 2.5])
@pytest.mark.parametrize("side", ["body", "spatial"])
def test_increments_are_those_of_matrices(cayley: bool, size: float, side: str) -> None:
    """SO(3), SE(3) as 4 × 4 and SE(2) as 3 × 3 matrices; small, where series are taken, at their edge, and large."""
    random = np.random.default_rng(3)
    w, v, place = random.normal(size=3), random.normal(size=3), random.normal(size=3)
    w *= size / np.linalg.norm(w)
    R = rotation(5)
    more = {"side": "spatial"} if side == "spatial" else {}

    def acted(old: np.ndarray, by: np.ndarray) -> np.ndarray:
        return by @ old if side == "spatial" else old @ by

    turned = acted(R, by_matrices(hat(w), cayley))
    assert in_program({"kind": "SO3", **more}, R.ravel(), w, cayley).reshape(3, 3) == pytest.approx(turned, abs=6e-15)
    motion = np.block([[R, place[:, None]], [np.zeros((1, 3)), np.ones((1, 1))]])
    algebra = np.block([[hat(w), v[:, None]], [np.zeros((1, 4))]])
    after = acted(motion, by_matrices(algebra, cayley))
    found = in_program({"kind": "SE3", **more}, np.concatenate([R.ravel(), place]), np.concatenate([w, v]), cayley)
    assert found == pytest.approx(np.concatenate([after[:3, :3].ravel(), after[:3, 3]]), abs=2e-14)
    angle, turn = 0.7, size
    c, s = np.cos(angle), np.sin(angle)
    flat = np.array([[c, -s, place[0]], [s, c, place[1]], [0, 0, 1]])
    plane = acted(flat, by_matrices(np.array([[0, -turn, v[0]], [turn, 0, v[1]], [0, 0, 0]]), cayley))
    new = in_program({"kind": "SE2", **more}, np.array([angle, *place[:2]]), np.array([turn, *v[:2]]), cayley)
    assert new[1:] == pytest.approx(plane[:2, 2], abs=6e-15)
    assert [np.cos(new[0]), np.sin(new[0])] == pytest.approx([plane[0, 0], plane[1, 0]], abs=6e-15)


@pytest.mark.parametrize("cayley", [False, True])
@pytest.mark.parametrize("side", ["body", "spatial"])
def test_quaternions_and_the_vertical_turn_as_matrices_do(cayley: bool, side: str) -> None:
    w = np.array([0.3, -0.8, 0.5])
    q = np.array([0.5, 0.1, -0.7, 0.5])
    q /= np.linalg.norm(q)
    more = {"side": "spatial"} if side == "spatial" else {}

    def matrix(q: np.ndarray) -> np.ndarray:
        a, b = q[0], q[1:]
        return (a * a - b @ b) * np.eye(3) + 2 * np.outer(b, b) + 2 * a * hat(b)

    found = in_program({"kind": "Quaternion", **more}, q, w, cayley)
    turn = by_matrices(hat(w), cayley)
    assert matrix(found) == pytest.approx(turn @ matrix(q) if side == "spatial" else matrix(q) @ turn, abs=1e-15)
    gamma = matrix(q)[2]
    assert in_program({"kind": "Vertical"}, gamma, w, cayley) == pytest.approx(gamma @ turn, abs=1e-15)


@pytest.mark.parametrize(("kinematics", "tau"), [("exponential", 0.5), ("exponential", 0.3), ("cayley", 0.8)])
def test_heavy_suslov_top_by_matrices(kinematics: str, tau: float) -> None:
    """(5.11) of the heavy top with ξ₃ = 0, R_τ = R exp(τh ξ̂), R' = R_τ exp((1 − τ)h ξ̂), by SciPy: p − (1 − τ) h f = π, π'
    = π + h f."""
    exhibit = gallery.get("heavy-suslov-top")
    p = dict(exhibit.parameters)
    inertia = np.array([[p["I1"], p["I12"], p["I13"]], [p["I12"], p["I2"], p["I23"]], [p["I13"], p["I23"], p["I3"]]])
    center, h, steps = np.array([p["c1"], p["c2"], p["c3"]]), 0.04, 15
    run = nh.simulate(
        exhibit.system, exhibit.start, steps * h, p, method="hamel", step=h, tau=tau, kinematics=kinematics, t_eval="steps",
        progress=False,
    )  # fmt: skip
    signs = [s for s in (1, -1) if abs(_energy(run, p, inertia, center, s) - run["energy"][0]) < 1e-12]
    assert len(signs) == 1  # whether e3 points up or down in the exhibit
    R = np.array([[run[f"R{i}{j}"][0] for j in (1, 2, 3)] for i in (1, 2, 3)])
    node = (inertia @ [run["xi1"][0], run["xi2"][0], 0.0])[:2]

    def force(R: np.ndarray, xi: np.ndarray) -> np.ndarray:
        full = np.append(xi, 0.0)
        vertical = R.T @ [0, 0, signs[0]]
        return (np.cross(inertia @ full, full) + p["m"] * p["g"] * np.cross(vertical, center))[:2]

    xi = node / np.diag(inertia)[:2]
    for _ in range(steps):

        def half(xi: np.ndarray, part: float) -> np.ndarray:
            return R @ by_matrices(part * h * hat(np.append(xi, 0.0)), kinematics == "cayley")  # noqa: B023

        def gap(xi: np.ndarray) -> np.ndarray:
            return (inertia @ np.append(xi, 0.0))[:2] - (1 - tau) * h * force(half(xi, tau), xi) - node  # noqa: B023

        xi = root(gap, xi, tol=1e-14).x
        node, inside = node + h * force(half(xi, tau), xi), half(xi, tau)
        R = inside @ by_matrices((1 - tau) * h * hat(np.append(xi, 0.0)), kinematics == "cayley")
    last = np.array([[run[f"R{i}{j}"][-1] for j in (1, 2, 3)] for i in (1, 2, 3)])
    assert last == pytest.approx(R, abs=1e-10)
    assert (inertia @ [run["xi1"][-1], run["xi2"][-1], 0.0])[:2] == pytest.approx(node, abs=1e-10)


def _energy(run: Any, p: dict, inertia: np.ndarray, center: np.ndarray, sign: int) -> float:
    xi = np.array([run["xi1"][0], run["xi2"][0], 0.0])
    height = sum(run[f"R3{j}"][0] * center[j - 1] for j in (1, 2, 3))
    return float(xi @ inertia @ xi / 2 + sign * p["m"] * p["g"] * height)


@pytest.mark.parametrize("kinematics", ["exponential", "cayley"])
def test_rotations_stay_rotations_at_every_place(kinematics: str) -> None:
    """τ = 0.3, five thousand steps: RᵀR = 1 to rounding, without projection."""
    top = gallery.get("heavy-suslov-top")
    run = nh.simulate(
        top.system, top.start, 50.0, top.parameters, method="hamel", step=0.01, tau=0.3, kinematics=kinematics, t_eval=11,
        progress=False,
    )  # fmt: skip
    R = np.array([[run[f"R{i}{j}"] for j in (1, 2, 3)] for i in (1, 2, 3)])
    assert np.max(np.abs(np.einsum("kit,kjt->ijt", R, R) - np.eye(3)[:, :, None])) < 1e-13


@pytest.mark.parametrize("kinematics", ["exponential", "cayley"])
def test_increments_are_symmetric_in_time(kinematics: str) -> None:
    """τ = 1/2: fifty steps of a heavy top forwards and backwards."""
    top = gallery.get("heavy-suslov-top")
    words = {
        "parameters": top.parameters,
        "method": "hamel",
        "step": 0.05,
        "kinematics": kinematics,
        "t_eval": "end",
        "progress": False,
    }
    there = nh.simulate(top.system, top.start, 2.5, **words).final
    names = (*top.system.coordinates, "xi1", "xi2")
    back = nh.simulate(top.system, {"t": 2.5, **{n: there[n] for n in names}}, 0.0, **words).final
    assert max(abs(back[n] - dict(top.start)[n]) for n in names) < 1e-11


def test_quaternion_and_matrix_make_the_same_steps() -> None:
    """A heavy top with a torque as input, by matrix and by quaternion."""
    words = {"parameters": {"g": 9.81}, "inputs": "u", "forces": {"w1": "u"}, "constraints": ["w3 - 0.3*w1"]}
    kinetic = "(0.4*w1**2 + 0.5*w2**2 + 0.3*w3**2)/2"
    matrix = nh.System("by matrix", frame=nh.SO3("R", rates="w1 w2 w3"), lagrangian=f"{kinetic} - 0.3*g*R33", **words)
    quaternion = nh.System(
        "by quaternion", frame=nh.Quaternion("q", rates="w1 w2 w3"),
        lagrangian=f"{kinetic} - 0.3*g*(q0**2 - q1**2 - q2**2 + q3**2)",
        **words,
    )  # fmt: skip
    options = {"method": "hamel", "step": 0.03, "kinematics": "cayley", "inputs": {"u": "0.2*cos(3*t)"}, "progress": False}
    start = {"w1": 0.4, "w2": 0.7}
    one = nh.simulate(matrix, {**start, **{f"R{i}{i}": 1.0 for i in (1, 2, 3)}}, 3.0, **options).final
    two = nh.simulate(quaternion, {**start, "q0": 1.0}, 3.0, **options).final
    assert [one["w1"], one["w2"]] == pytest.approx([two["w1"], two["w2"]], abs=1e-11)
    assert one["R33"] == pytest.approx(two["q0"] ** 2 - two["q1"] ** 2 - two["q2"] ** 2 + two["q3"] ** 2, abs=1e-11)


def test_frames_without_a_group_are_refused() -> None:
    own = nh.System(
        "own frame", coordinates="x y", lagrangian="(u**2 + w**2)/2",
        frame=nh.Frame("x y", velocities="u w", anchor=[["1", "0"], ["x", "1"]]),
    )  # fmt: skip
    with pytest.raises(nh.ModelError, match="increments on a group need a frame"):
        nh.simulate(own, {"u": 1.0}, 1.0, method="hamel", step=0.1, kinematics="exponential")
