"""The solver of a living page: a WebAssembly module and the meaning of its numbers."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from nonholo.algebra.calculus import along, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.analyse.force_arrows import NORMAL, weight
from nonholo.compile.page_program import PageProgram, curve_symbols, living
from nonholo.compile.targets.wasm import binary
from nonholo.derive.equations import Equations
from nonholo.derive.multipliers import bordered
from nonholo.derive.states.feedback_laws import driven
from nonholo.derive.states.start_completion import completion
from nonholo.integrate.contacts.mode_changes import switching
from nonholo.integrate.loops.arguments import array_layout as layout
from nonholo.integrate.methods import dop853_table as table
from nonholo.integrate.outcome import outcome
from nonholo.model.drawing.shapes import Drawing
from nonholo.model.system import System, known_names, resolve
from nonholo.model.velocities.admissible import constraint_rows, dependent_names
from nonholo.notation.parse import parse
from nonholo.present.film.scene_forces import ContactPlan, arrow_plans, page_contacts
from nonholo.present.living.page_modes import SwitchPlan, closed_at_start, page_modes

FORMAT = 1
RTOL, ATOL = 1e-11, 1e-14
"""Tolerance of the page's solver: it must agree with an accurate motion in Python to 1e-9."""
SAMPLES = 1201
STATUSES = ("REACHED", "TOO_MANY", "TOO_SMALL", "NOT_FINITE", "SINGULAR", "INTERRUPTED")
TANGENTIAL = "contact_tangential"


class Constraints(TypedDict):
    """What a page's solver keeps, and how a start follows from a few numbers."""

    invariants: list[str]
    positions: int
    linear: bool
    parametric: bool
    forms: list[str]
    order: list[int]


class Plan(Constraints):
    """Data of a page's solver, as JSON."""

    format: int
    name: str
    wasm: str
    sections: dict[str, int]
    coordinates: list[str]
    speeds: list[str]
    inputs: list[str]
    parameters: list[str]
    unknowns: list[str]
    shown: list[str]
    method: dict[str, list[float] | list[list[float]]]
    rtol: float
    atol: float
    samples: int
    outcomes: dict[str, list[str]]
    drawing: dict[str, object] | None
    contacts: list[ContactPlan]
    own: int
    """How many constraints are no contact's, where forces must be shared; else -1."""
    switching: SwitchPlan | None
    """Contacts that change their modes."""


@dataclass(frozen=True)
class SolverPlan:
    """A system made ready for a page: the plan for its solver, and the equations that it solves."""

    plan: Plan
    equations: Equations
    kinds: Mapping[str, str]
    """A word on each quantity that the page can show."""


def solver_plan(system: System, drawing: Drawing | None = None, watched: Mapping[str, Expr] | None = None) -> SolverPlan:
    """The plan of a system whose inputs are numbers or formulas; ``watched`` are more expressions to follow, in its names.

    >>> import nonholo as nh
    >>> page = solver_plan(nh.gallery.get("chaplygin-sleigh").system)
    >>> page.plan["speeds"], page.plan["unknowns"], page.plan["invariants"]
    (['thetadot', 'xdot', 'ydot'], ['lambda1'], ['constraint 1'])
    """
    moved = driven(system, {})
    modes = page_modes(moved.closed) if switching(moved.closed) else None
    closed = modes.inner if modes is not None else moved.closed
    equations = modes.equations if modes is not None else bordered(closed)
    shown, kinds = _shown_forces(closed, modes.base if modes is not None else equations, moved.laws, watched or {})
    forms = _forms(closed) if closed.parametric is None else {}
    touching = page_contacts(closed) if closed.parametric is None else None
    known = [*map(str, equations.unknowns), *kinds, *(touching.columns if touching is not None else ())]
    known += modes.columns if modes is not None else []
    texts: tuple[list[Expr], list[list[Expr]]] = ([], [])
    picture: dict[str, object] | None = None
    if drawing is not None:
        texts, picture = _drawing(system, moved.closed, equations, moved.laws, drawing, known)
    loads = (*touching.slopes, *touching.numbers) if touching is not None else ()
    made = living(equations, shown, forms, *texts, loads, modes.survey if modes is not None else ())
    plan: Plan = {
        "format": FORMAT,
        "name": system.name,
        "wasm": b64encode(binary(made.portable)).decode("ascii"),
        "sections": {s.name: len(s.outputs) for s in made.portable.sections},
        "coordinates": list(map(str, equations.coordinates)),
        "speeds": list(map(str, equations.speeds)),
        "inputs": list(map(str, equations.inputs)),
        "parameters": list(map(str, equations.parameters)),
        "unknowns": list(map(str, equations.unknowns)),
        "shown": list(made.shown),
        **_constraints(closed, made),
        "method": _method(),
        "rtol": RTOL,
        "atol": ATOL,
        "samples": SAMPLES,
        "outcomes": {n: _labels(getattr(layout, n)) for n in STATUSES},
        "drawing": picture,
        "contacts": touching.table if touching is not None else [],
        "own": touching.own if touching is not None and touching.slopes else -1,
        "switching": modes.plan(system, made.invariants, closed_at_start(system)) if modes is not None else None,
    }
    return SolverPlan(plan, equations, kinds)


def _constraints(system: System, made: PageProgram) -> Constraints:
    parametric = system.parametric is not None
    return {
        "invariants": list(made.invariants),
        "positions": made.positions,
        "linear": parametric or constraint_rows(system).linear,
        "parametric": parametric,
        "forms": list(made.forms),
        "order": [] if parametric else list(completion(system, ()).order),
    }


def _labels(status: int) -> list[str]:
    found = outcome(status, 0.0)
    return [found.kind, found.said("page")]


def _method() -> dict[str, list[float] | list[list[float]]]:
    """Python's own table of the method, so that there is one."""
    rows = [getattr(table, f"A{k}") for k in range(2, 13)]
    return {
        "nodes": list(table.C),
        "stages": [list(r) for r in rows],
        "weights": list(table.B),
        "fifth": list(table.E5),
        "third": list(table.E3),
        "more": [list(r) for r in (table.A14, table.A15, table.A16)],
        "dense": [list(r) for r in (table.D5, table.D6, table.D7, table.D8)],
    }


def _forms(system: System) -> dict[str, Expr]:
    """Velocities that a start may name; rates of coordinates that relations tie together are not among them."""
    tied = system.frame.redundant
    names = [n for n in dependent_names(system) if not (n.endswith("dot") and n[:-3] in tied)]
    return dict(zip(names, resolve(system, [symbol(n) for n in names])))


def _shown_forces(
    system: System, equations: Equations, laws: Mapping[str, Expr], watched: Mapping[str, Expr]
) -> tuple[dict[str, Expr], dict[str, str]]:
    """Every quantity beside the state, as an expression of it."""
    shown: dict[str, Expr] = dict(equations.outputs)
    kinds = dict.fromkeys(map(str, equations.coordinates), "coordinate")
    kinds |= dict.fromkeys((*map(str, equations.speeds), *shown), "velocity")
    for name, law in laws.items():
        shown[name], kinds[name] = in_state(system, equations, law), "input"
    kinds |= dict.fromkeys(map(str, equations.inputs), "input")
    shown["energy"], kinds["energy"] = equations.energy, "energy"
    for name, e in equations.invariants.items():
        shown[name.replace(" ", "_")], kinds[name.replace(" ", "_")] = e, "residual"
    for name, e in watched.items():
        shown[name], kinds[name] = in_state(system, equations, e), "watched"
    kinds |= dict.fromkeys(map(str, equations.unknowns), "reaction")
    heavy = weight(system) if len(equations.unknowns) == 2 and not equations.inputs else None
    if heavy is not None:
        mass, height = heavy
        state = (*equations.coordinates, *equations.speeds)
        once = along([height], dict(zip(equations.coordinates, equations.kinematics)))
        twice = along(once, dict(zip(state, symbols(f"_flow_{s}" for s in state))))[0]
        shown[NORMAL], kinds[NORMAL] = mass * symbol("g") + twice, "contact"
        kinds[TANGENTIAL] = "contact"  # of the unknowns, which the page solves for
    return shown, kinds


def in_state(system: System, equations: Equations, e: Expr) -> Expr:
    """An expression in any names of the system as one of the equations' own state."""
    if system.parametric is not None:
        return substitute([e], dict(zip(symbols(equations.outputs), equations.outputs.values())))[0]
    return resolve(system, [e])[0]


def _drawing(
    system: System, closed: System, equations: Equations, laws: Mapping[str, Expr], drawing: Drawing, columns: Sequence[str]
) -> tuple[tuple[list[Expr], list[list[Expr]]], dict[str, object]]:
    """The drawing's texts as a list of expressions, and the index of each."""
    extra = tuple(system.parametric[0]) if system.parametric is not None else ()
    names = list(dict.fromkeys((*known_names(system), *extra)))
    flat: list[Expr] = []
    curves: list[list[Expr]] = []
    moving = {str(s) for s in (*equations.coordinates, *equations.speeds)} | {"t"}

    def read(texts: Sequence[str], known: Sequence[str]) -> list[Expr]:
        parsed = [parse(t, known, f"{system.name}: drawing") for t in texts]
        return [in_state(closed, equations, e) for e in substitute(parsed, {symbol(n): e for n, e in laws.items()})]

    def put(texts: Sequence[str]) -> int:
        flat.extend(read(texts, names))
        return len(flat) - len(texts)

    bodies = []
    own = dict(zip(symbols(("s", "r")), curve_symbols()))
    for body in drawing.bodies:
        made: dict[str, Any] = {
            "shape": body.shape,
            "label": body.label,
            "colour": body.colour,
            "position": put(body.position),
            "rotation": put([e for row in body.rotation for e in row]),
            "size": {n: put([text]) for n, text in body.size.items()},
        }
        if body.points is not None and body.shape in ("wire", "surface"):
            inner = {"s"} if body.shape == "wire" else {"s", "r"}
            # inside a curve its own s and r hide names of the system
            known = list(dict.fromkeys((*(n for n in names if n not in inner), *sorted(inner))))
            exprs = [substitute([parse(t, known, f"{system.name}: drawing")], own)[0] for t in body.points]
            exprs = [in_state(closed, equations, e) for e in exprs]
            made |= {
                "points": f"points{len(curves)}",
                "still": not any({str(s) for s in e.free_symbols} & moving for e in exprs),
            }
            curves.append(exprs)
        bodies.append(made)
    traces = [{"label": t.label, "colour": t.colour, "at": put(t.point)} for t in drawing.traces]

    def add(exprs: Sequence[Expr]) -> int:
        flat.extend(in_state(closed, equations, e) for e in exprs)
        return len(flat) - len(exprs)

    forces = arrow_plans(closed, drawing, columns, add)
    return (flat, curves), {"ground": drawing.ground, "bodies": bodies, "traces": traces, "forces": forces}
