"""Kinematics of the rotation matrices among the coordinates of equations."""

from __future__ import annotations

from nonholo.algebra.calculus import symbol
from nonholo.algebra.expression_types import Expr
from nonholo.derive.mass_and_force import MassAndForce
from nonholo.model.rotation_axes import matrices
from nonholo.notation.rotation_matrices import Turning, matrix_letters, same_rates, turning


def turns_of(equations: MassAndForce) -> dict[str, Turning]:
    """The letters of rotation matrices and their angular velocities, also where constraints tie these to the matrix itself."""
    table = dict(zip(map(str, equations.coordinates), equations.kinematics))
    found: dict[str, Turning] = {}
    for letter in matrix_letters(table):
        turn = turning(letter, table) or _by_frame(equations, letter, table)
        if turn is not None:
            found[letter] = turn
    return found


def _by_frame(equations: MassAndForce, letter: str, table: dict[str, Expr]) -> Turning | None:
    """The frame's rates, each as the equations have it, when the matrix turns by them."""
    system = equations.system
    whole = matrices(system.coordinates, system.frame.rates).get(letter) if system is not None else None
    if whole is None:
        return None
    known = {str(s): s for s in equations.speeds} | dict(equations.outputs)
    one, two, three = (known.get(str(e), symbol(str(e))) for e in whole.rates)
    found = Turning((one, two, three), whole.in_space)
    return found if same_rates(table, found.entries(letter)) else None
