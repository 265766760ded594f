"""CasADi: a Function of (t, x, u, p), or the residual of (t, x, xdot, z, u, p), ready for collocation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from nonholo.compile.portable_program import Portable
from nonholo.compile.targets.registry import Files, Target, inexpressible, missing, register
from nonholo.program.llvm_jit import ordered
from nonholo.program.program import Program

SAME = frozenset(
    {
        "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "log",
        "exp", "floor", "ceil", "fabs", "fmax", "fmin", "erf",
    }
)  # fmt: skip
"""Functions that CasADi has under C's name."""


def casadi_package() -> Any:
    """The CasADi module, or an error with how to install it."""
    try:
        return import_module("casadi")
    except ImportError:
        raise missing("casadi", "casadi") from None


def function(p: Portable) -> Any:
    """``Function(name, [t, x, u, p], [xdot])``, or with the residual ``[t, x, xdot, z, u, p] -> [residual]``."""
    ca = casadi_package()
    section = p.sections[0]
    t = ca.SX.sym("t")
    vectors = {
        "x": ca.SX.sym("x", len(p.state)),
        "u": ca.SX.sym("u", len(p.inputs)),
        "p": ca.SX.sym("p", len(p.parameters)),
        "xdot": ca.SX.sym("xdot", len(p.state)),
        "z": ca.SX.sym("z", len(p.unknowns)),
    }
    flat = [t, *(v[k] for v in vectors.values() for k in range(v.numel()))]
    result = ca.vertcat(*symbolic_values(p.program, section.outputs, flat, f"{p.equations.name}: export"))
    if section.name == "residual":
        names = ["t", "x", "xdot", "z", "u", "p"]
        return ca.Function(p.name, [t, *(vectors[n] for n in names[1:])], [result], names, ["residual"])
    outputs, labels = [result], ["xdot"]
    return ca.Function(p.name, [t, vectors["x"], vectors["u"], vectors["p"]], outputs, ["t", "x", "u", "p"], labels)


def runge_kutta_step(rates: Any, substeps: int) -> Any:
    """``Function(t, x, u, p, h) -> next``: the classical Runge–Kutta method with so many substeps and constant inputs."""
    ca = casadi_package()
    t, h = ca.SX.sym("t"), ca.SX.sym("h")
    x, u, p = (ca.SX.sym(n, rates.size1_in(k)) for k, n in enumerate(("x", "u", "p"), 1))
    y, part = x, h / substeps
    for k in range(substeps):
        now = t + k * part
        a = rates(now, y, u, p)
        b = rates(now + part / 2, y + part / 2 * a, u, p)
        c = rates(now + part / 2, y + part / 2 * b, u, p)
        d = rates(now + part, y + part * c, u, p)
        y = y + part / 6 * (a + 2 * b + 2 * c + d)
    return ca.Function(f"{rates.name()}_step", [t, x, u, p, h], [y], ["t", "x", "u", "p", "h"], ["next"])


def collocation_step(rates: Any, points: int) -> Any:
    """``Function(t, x, X, u, p, h) -> (residual, next)``: Radau collocation; X has a column of states for each point."""
    ca = casadi_package()
    t, h = ca.SX.sym("t"), ca.SX.sym("h")
    x, u, p = (ca.SX.sym(n, rates.size1_in(k)) for k, n in enumerate(("x", "u", "p"), 1))
    inner = ca.SX.sym("X", x.numel(), points)
    tau = ca.collocation_points(points, "radau")
    slopes, ends, _ = ca.collocation_coeff(tau)
    states = ca.horzcat(x, inner)
    flow = ca.horzcat(*(rates(t + h * tau[k], inner[:, k], u, p) for k in range(points)))
    residual = ca.mtimes(states, slopes) - h * flow
    return ca.Function(
        f"{rates.name()}_collocation", [t, x, inner, u, p, h], [residual, ca.mtimes(states, ends)],
        ["t", "x", "X", "u", "p", "h"], ["residual", "next"],
    )  # fmt: skip


STEPS: dict[str, Callable[[Any, int], Any]] = {"rk4": runge_kutta_step, "collocation": collocation_step}
"""Discrete steps by name."""


def symbolic_values(program: Program, outputs: Sequence[int], given: Sequence[Any], where: str) -> list[Any]:
    """The outputs of a program as CasADi expressions of its inputs."""
    ca = casadi_package()
    values: dict[int, Any] = {}

    def value(i: int) -> Any:
        number = program.value(i)
        return ca.SX(number) if number is not None else values[i]

    for i in ordered(program, outputs, {}):
        kind, of, detail = program.operations[i]
        values[i] = given[int(detail)] if kind == "input" else _apply(ca, where, kind, str(detail), [value(j) for j in of])
    return [value(i) for i in outputs]


def _apply(ca: Any, where: str, kind: str, detail: str, of: list[Any]) -> Any:
    name = detail if kind == "call" else kind
    if name in ("add", "subtract", "multiply", "divide"):
        a, b = of
        return {"add": a + b, "subtract": a - b, "multiply": a * b, "divide": a / b}[name]
    if name == "negate":
        return -of[0]
    if name == "compare":
        a, b = of
        return {"oeq": a == b, "une": a != b, "ole": a <= b, "olt": a < b, "oge": a >= b, "ogt": a > b}[detail]
    if name == "choose":
        return ca.if_else(*of)
    if name in SAME:
        return getattr(ca, name)(*of)
    if name == "pow":
        return of[0] ** of[1]
    if name == "erfc":
        return 1 - ca.erf(of[0])
    if name == "trunc":
        return ca.if_else(of[0] < 0, ca.ceil(of[0]), ca.floor(of[0]))
    raise inexpressible(where, "CasADi", name)


def _files(p: Portable, stem: str) -> Files:
    return {f"{stem}.casadi": _saved(function(p))}


def _saved(made: Any) -> bytes:
    """The bytes that ``casadi.Function.load`` reads, which are not those of ``serialize``."""
    with TemporaryDirectory() as folder:
        place = Path(folder) / "function.casadi"
        made.save(str(place))
        return place.read_bytes()


register(Target("casadi", "a CasADi Function, explicit or implicit", ".casadi", _files, function))
