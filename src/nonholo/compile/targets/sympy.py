"""SymPy: the equations back through the door, as matrices of expressions in plain symbols."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import symengine as se

from nonholo.compile.portable_program import Portable
from nonholo.compile.targets.registry import Files, Target, register

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True)
class SymPyEquations:
    """``mass · (speeds' rates, unknowns) = force`` and ``coordinates' rates = kinematics``, in SymPy's symbols."""

    time: sympy.Symbol
    coordinates: tuple[sympy.Symbol, ...]
    speeds: tuple[sympy.Symbol, ...]
    unknowns: tuple[sympy.Symbol, ...]
    inputs: tuple[sympy.Symbol, ...]
    parameters: tuple[sympy.Symbol, ...]
    kinematics: sympy.Matrix
    mass: sympy.Matrix
    force: sympy.Matrix
    energy: sympy.Expr


def _loaded(p: Portable) -> SymPyEquations:
    sympy = import_module("sympy")
    e = p.equations

    def over(expr: Any) -> Any:
        return se.sympify(expr)._sympy_()

    size = len(e.mass)
    return SymPyEquations(
        time=over(e.time),
        coordinates=tuple(map(over, e.coordinates)),
        speeds=tuple(map(over, e.speeds)),
        unknowns=tuple(map(over, e.unknowns)),
        inputs=tuple(map(over, e.inputs)),
        parameters=tuple(map(over, e.parameters)),
        kinematics=sympy.Matrix([over(k) for k in e.kinematics]),
        mass=sympy.Matrix(size, size, [over(m) for row in e.mass for m in row]),
        force=sympy.Matrix([over(f) for f in e.force]),
        energy=over(e.energy),
    )


def _files(p: Portable, stem: str) -> Files:
    """A Python file whose names are those of `SymPyEquations`, exact in every number."""
    sympy = import_module("sympy")
    made = _loaded(p)
    texts = [f'"""{p.title}, equations by {p.equations.origin}; written by nonholo."""', "from sympy import *", ""]
    texts += [f"{name} = {sympy.srepr(value)}" for name, value in vars(made).items()]
    return {f"{stem}.py": "\n".join(texts) + "\n"}


register(Target("sympy", "SymPy matrices: mass, force, kinematics, energy", ".py", _files, _loaded))
