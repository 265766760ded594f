"""Linear systems for control and stability: ``δẏ = A δy + B δu``, ``δw = C δy + D δu`` about a state, a steady motion or a run.

The slopes are exact: derivatives of the program of the rates, ``M (ż, λ) = F`` through its solution, and no differences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import symbols
from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.analyse.linear.linear_variables import chart, ignorable, infinite, leaving, removable_group, vanishing
from nonholo.compile.rates_jacobian import jacobian_table
from nonholo.derive.equations import Equations
from nonholo.derive.states.consistent_state import read_start
from nonholo.derive.states.feedback_laws import driven
from nonholo.errors import ModelError, StateError, meant
from nonholo.finding import Lasting
from nonholo.finding.statements import ALWAYS
from nonholo.integrate.model import Model
from nonholo.integrate.motion.formulation import formulation_of, initial_value
from nonholo.integrate.motion.motion_pieces import problem_of, start_under
from nonholo.integrate.motion.system_kernel import SystemKernel, on_rows
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.integrate.results.named_quantities import solved_rows
from nonholo.machines.machine_outputs import with_sensors
from nonholo.model.lasting_contacts import lasting_condition
from nonholo.model.scalars import number_array
from nonholo.model.system import System, check_system, known_inputs, known_parameters, parameter_values

AT_REST = 1e-9
"""A rate below this part of the largest (at least 1) is none."""
GENERIC, SPREAD = 4, 0.4
"""Number of test states, and their distance from the given one, for finding ignorable coordinates."""
LEAVE_OUT = ("moving", "all", "none")


@dataclass(frozen=True, eq=False)
class Linearisation:
    """``δẏ = A δy + B δu``, ``δw = C δy + D δu``: y are ``names``, u ``inputs``, w ``outputs``.

    About several states, or a run, every array has one more axis in front. Made by `linearise`.

    >>> import nonholo as nh
    >>> bead = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - 2*y", holonomic=["y - x**2"])
    >>> lin = nh.linearise(bead, {"x": 0, "y": 0})
    >>> lin.names, lin.A.tolist(), lin.eigenvalues.imag.round(12).tolist()
    (('x', 'xdot'), [[0.0, 1.0], [-4.0, 0.0]], [2.0, -2.0])
    """

    name: str
    names: tuple[str, ...]
    """Independent coordinates and speeds."""
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    A: Numbers = field(repr=False)
    B: Numbers = field(repr=False)
    C: Numbers = field(repr=False)
    D: Numbers = field(repr=False)
    state: FrozenMap[str, float | Numbers]
    """Time, all coordinates, speeds and inputs where it was linearised: numbers, or arrays over several states."""
    rates: Numbers
    """The rates of ``names`` there: zero at an equilibrium and in a steady motion."""
    ignored: tuple[str, ...] = ()
    """Ignorable coordinates that were left out: no rate of ``names`` depends on them."""
    velocity: FrozenMap[str, float | Numbers] = field(default_factory=FrozenMap)
    """With ``comoving``: the velocity of the steady motion along each generator of the symmetry."""
    condition: Lasting = ALWAYS
    """While which contacts keep their mode: small motions that leave it are not those of the matrices."""

    @property
    def residual(self) -> Any:
        """The largest rate of ``names``: zero (to rounding) when the state is an equilibrium of them."""
        found = np.max(np.abs(self.rates), axis=-1, initial=0.0)
        return float(found) if found.ndim == 0 else found

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """Of A, by falling real part; about several states a row for each."""
        found = np.asarray(np.linalg.eigvals(self.A), dtype=np.complex128)
        return np.asarray(-np.sort(-found, axis=-1))

    def feedback(self, K: Any) -> dict[str, str]:
        """The laws ``u = u₀ − K (y − y₀)`` as text for ``inputs``; K has a row for each input, a column for each of ``names``."""
        if self.A.ndim > 2:
            raise ModelError(f"{self.name}: feedback about {len(self.A)} states; use nh.lqr(lin, Q, R).inputs along a run.")
        gain = np.atleast_2d(number_array(K, f"{self.name}: K"))
        shape = (len(self.inputs), len(self.names))
        if gain.shape != shape or not np.all(np.isfinite(gain)):
            raise ModelError(
                f"{self.name}: K of shape {gain.shape} where {shape[0]} by {shape[1]} finite numbers are needed: a row for each "
                f"of {', '.join(self.inputs) or 'no inputs'}, a column for each of {', '.join(self.names)}."
            )
        at = {n: float(np.asarray(self.state[n])) for n in (*self.names, *self.inputs)}
        laws = {}
        for name, row in zip(self.inputs, gain.tolist()):
            parts = [f"({-k!r})*({y} - ({at[y]!r}))" for y, k in zip(self.names, row) if k]
            laws[name] = " + ".join([f"({at[name]!r})", *parts])
        return laws

    def to_scipy(self) -> Any:
        """As `scipy.signal.StateSpace`."""
        from scipy.signal import StateSpace

        return StateSpace(*self._single("scipy.signal.StateSpace"))

    def to_control(self) -> Any:
        """As `control.StateSpace` of python-control, with the names of states, inputs and outputs."""
        try:
            import control
        except ImportError:
            raise ModelError(
                f"{self.name}: python-control is not installed here; `pip install control`, or take to_scipy()."
            ) from None
        given = self._single("control.StateSpace")
        labels = {"states": list(self.names), "inputs": list(self.inputs), "outputs": list(self.outputs)}
        return control.ss(*given, **labels)

    def __str__(self) -> str:
        if self.A.ndim > 2:
            return f"{self.name}: linear systems in {', '.join(self.names)} about {len(self.A)} states"
        lines = [f"{self.name}: linear system in {', '.join(self.names)}"]
        if self.ignored:
            lines.append(f"  ignorable and moving, left out: {', '.join(self.ignored)}")
        lines += table("A", self.A, self.names, self.names) + table("B", self.B, self.names, self.inputs)
        if self.outputs != self.names:
            lines += table("C", self.C, self.outputs, self.names) + table("D", self.D, self.outputs, self.inputs)
        lines.append(f"  eigenvalues {spectrum_text(self.eigenvalues)}")
        return "\n".join([*lines, *unsteady(self)])

    def _single(self, what: str) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        if self.A.ndim > 2:
            raise ModelError(f"{self.name}: linearised about {len(self.A)} states where {what} takes one; linearise about one.")
        if not self.inputs:
            raise ModelError(f'{self.name}: {what} needs an input, and there is none; declare one, e.g. inputs="u".')
        return self.A, self.B, self.C, self.D


def table(label: str, matrix: Numbers, rows: tuple[str, ...], columns: tuple[str, ...]) -> list[str]:
    """A matrix as lines with the names of its rows; none where it has no columns."""
    if not columns:
        return []
    width, least = max(map(len, rows)), 1e-14 * float(np.max(np.abs(matrix), initial=0.0))
    shown = ["  ".join(f"{v if abs(v) > least else 0.0:12.6g}" for v in numbers) for numbers in matrix.tolist()]
    head = f"  {label:<{width + 2}}  " + "  ".join(f"{c:>12}" for c in columns)
    return [head, *(f"    {r:<{width}}  {numbers}" for r, numbers in zip(rows, shown))]


def spectrum_text(values: NDArray[np.complex128]) -> str:
    """Eigenvalues in a line, real ones without an imaginary part."""
    return ", ".join(f"{v.real:.6g}" if abs(v.imag) < 1e-12 * max(1.0, abs(v)) else f"{v:.6g}" for v in values.tolist())


def unsteady(lin: Linearisation) -> list[str]:
    """The warning that a state is not steady, a line, or nothing."""
    return [f"  this is no steady state: rates up to {lin.residual:.3g}"] if lin.residual > 1e-9 else []


class _Points(NamedTuple):
    kernel: SystemKernel
    system: System | None
    """The system whose symmetry group is used; None for equations by hand."""
    rows: Numbers
    several: bool


def linearise(
    system: System | Model | Equations,
    about: Any = None,
    *,
    inputs: Any = None,
    outputs: Any = None,
    parameters: Mapping[str, Any] | None = None,
    leave_out: str | None = None,
    comoving: bool = False,
) -> Linearisation:
    """The linear system about a state: exact slopes on the independent coordinates and speeds.

    ``about`` is a start as for `simulate` (what is missing is completed; the system's own unless given), something with such a
    ``state``, a list of them, or a motion. ``inputs`` are values or feedback laws by name (a law closes the loop and is no
    input any more), or names of those that B shall have; what has no value is 0. ``outputs`` are expressions in any names of
    the system, as a list or by name; the state itself unless given.

    Relations of coordinates (holonomic constraints, rotation matrices, quaternions) leave a subset of them that is
    independent there. In a steady motion ignorable coordinates move on for ever: these are left out, so that the matrix
    is constant (``leave_out="moving"``; ``"all"``: every ignorable coordinate; ``"none"``, as about a run). They are found
    by their slopes, which vanish there and at four generic states nearby: measured, not proved. With ``comoving`` the
    variables are those of an observer whom the system's symmetry (declared or found) carries along: the matrix of any motion
    that is steady up to the symmetry is constant then, in whatever coordinates.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", lagrangian="qdot**2/2 + 4*cos(q)", forces={"q": "u"}, inputs="u")
    >>> lin = nh.linearise(swing, {"q": 0})
    >>> lin.A.tolist(), lin.B.tolist(), lin.residual
    ([[0.0, 1.0], [-4.0, 0.0]], [[0.0], [1.0]], 0.0)
    >>> nh.linearise(swing, {"q": 0}, inputs={"u": "-4*qdot"}).eigenvalues.round(6).real.tolist()
    [-2.0, -2.0]
    """
    leave_out = ("none" if isinstance(about, Trajectory) else "moving") if leave_out is None else leave_out
    if leave_out not in LEAVE_OUT:
        raise ModelError(f"linearise: leave_out={leave_out!r} where one of {', '.join(LEAVE_OUT)} is needed.")
    if isinstance(system, Model):
        parameters = system.parameters if parameters is None else parameters
        system = system.system
    kernel, closed, rows, several = _points(system, about, {} if not isinstance(inputs, Mapping) else dict(inputs), parameters)
    equations = kernel.equations
    columns = _columns(kernel, inputs)
    size, count = len(equations.state), len(rows)
    wanted = _outputs(kernel, with_sensors(system, outputs))
    everywhere = np.vstack([rows, _generic(rows[0], size)])
    kinematics, solved = solved_rows(kernel, everywhere)
    flow = np.hstack([kinematics, solved[:, : len(equations.speeds)]])
    slopes = kernel.slopes(everywhere, solved)[:, :size]
    bound = _invariant_slopes(kernel, everywhere)
    shown = _output_slopes(kernel, list(wanted.values()), everywhere)
    _refuse_infinite(kernel, rows, flow[:count], list(wanted.values()))

    zero = vanishing(slopes[:, :, :size])
    carried = _carried(kernel, closed, rows, flow[:count], comoving)
    if carried is not None:
        flow[:count] -= carried.rates
    unused = np.all(np.vstack([vanishing(bound), vanishing(shown[..., :size])]), axis=0).tolist()
    measured = np.any(np.all(np.isfinite(slopes[count:]), axis=(1, 2)))  # a zero slope at one state may be an accident
    free = ignorable(zero, [j for j in range(len(equations.coordinates)) if unused[j] and measured])
    matrix = np.where(zero & np.isin(np.arange(size), free), 0.0, slopes[:count, :, :size])
    if carried is not None:
        matrix = matrix - carried.slopes
        free = removable_group(vanishing(carried.slopes), free)
    limit = AT_REST * np.maximum(1.0, np.max(np.abs(flow[:count]), axis=1, keepdims=True))
    moving = np.flatnonzero(np.any(np.abs(flow[:count]) > limit, axis=0)).tolist()
    gone = {"all": sorted(free), "none": [], "moving": leaving(zero, free, moving)}[leave_out]

    kept = [j for j in range(size) if j not in gone]
    names = [equations.state[j] for j in kept]
    chosen, by_chosen = chart(equations.name, names, bound[:count][:, :, kept])
    own = [kept[j] for j in chosen]
    picked = [size + k for k in columns]
    C = shown[:count][..., kept] @ by_chosen if wanted else np.tile(np.eye(len(own)), (count, 1, 1))
    D = shown[:count][..., picked] if wanted else np.zeros((count, len(own), len(columns)))
    labels = tuple(equations.state[j] for j in own)
    here = dict(zip(("t", *equations.state, *kernel.inputs), rows[:, : 1 + size + len(kernel.inputs)].T))
    return Linearisation(
        name=equations.name,
        names=labels,
        inputs=tuple(kernel.inputs[k] for k in columns),
        outputs=tuple(wanted) if wanted else labels,
        A=_held(matrix[:, own][..., kept] @ by_chosen, several),
        B=_held(slopes[:count][:, own][..., picked], several),
        C=_held(C, several),
        D=_held(D, several),
        state=FrozenMap({n: _held(e, several) if several else float(e[0]) for n, e in here.items()}),
        rates=_held(flow[:count][:, own], several),
        ignored=tuple(equations.state[j] for j in gone),
        velocity=FrozenMap({n: e if several else float(e[0]) for n, e in (carried.velocity if carried else {}).items()}),
        condition=lasting_condition(system),
    )


def _carried(kernel: SystemKernel, system: System | None, rows: Numbers, flow: Numbers, wanted: bool) -> Any:
    """The comoving part of the flow, if requested; the symmetry search is a heavy import."""
    if not wanted:
        return None
    from nonholo.analyse.flow.lifted_generators import comoving

    return comoving(kernel, system, rows, flow)


def _held(values: Numbers, several: bool) -> Numbers:
    """A read-only array, without the axis of states when there is one state."""
    found = np.ascontiguousarray(values if several else values[0])
    found.flags.writeable = False
    return found


def _points(system: Any, about: Any, inputs: dict[str, Any], parameters: Mapping[str, Any] | None) -> _Points:
    """The input vectors where it is linearised, and the equations in a frame that serves at the first."""
    if isinstance(about, Trajectory) and parameters is None and about.system is not None:
        parameters = known_parameters(about.system)
    states, several = _states(system, about)
    if isinstance(system, Equations):
        own = known_inputs(system.system) if system.system is not None else {}
        signals = {str(n): 0.0 for n in system.inputs if str(n) not in own} | inputs
        problems = [problem_of(system, state, parameters, "hamel", signals) for state in states]
        kernel = problems[0].initial.kernel
        given = [p.initial.row({"t": p.time, **{n: signals[n] for n in kernel.inputs}}, p.parameters) for p in problems]
        closed = driven(system.system, signals).closed if system.system is not None else None
        return _Points(kernel, closed, np.array(given), several)
    check_system(system)
    moved = driven(system, inputs)
    numbers = parameter_values(system, parameters)
    formulation = formulation_of(moved.closed, moved.laws)
    starts = [read_start(system, s, numbers) for s in states]
    full = [
        start_under(formulation, moved.others, {n: e for n, e in one.items() if n not in moved.laws}, numbers) for one in starts
    ]
    kernel = formulation.kernel({**numbers, **full[0]})
    rows = [initial_value(kernel, one, numbers).row(one, numbers) for one in full]
    return _Points(kernel, moved.closed, np.array(rows), several)


def _states(system: Any, about: Any) -> tuple[list[Mapping[str, Any]], bool]:
    """The given states as mappings, and whether there are several."""
    if isinstance(about, Trajectory):
        of = system.system if isinstance(system, Equations) else system
        coordinates = of.coordinates if of is not None else tuple(map(str, system.coordinates))
        speeds = of.velocities if of is not None else tuple(map(str, system.speeds))
        inputs = of.inputs if of is not None else tuple(map(str, system.inputs))
        known = [n for n in (*coordinates, *speeds, *inputs) if n in about.names]
        table = {n: about[n] for n in known}
        if not len(about.times):
            raise StateError("linearise: the motion has no stored times; simulate it with t_eval.")
        return [{"t": t, **{n: e[k] for n, e in table.items()}} for k, t in enumerate(about.times)], True
    if about is None:
        of = system.system if isinstance(system, Equations) else system
        start: Mapping[str, Any] = of.start if of is not None else {}
        return [start], False
    here: Any = getattr(about, "state", about)
    if isinstance(here, Mapping):
        return [here], False
    some: Sequence[Any] = about if isinstance(about, Sequence) and not isinstance(about, str) else ()
    listed: list[Any] = [getattr(e, "state", e) for e in some]
    if not listed or not all(isinstance(e, Mapping) for e in listed):
        raise StateError(
            f'linearise: about={about!r} where a state ({{"theta": 0.1}}), a list of states or a motion is needed.'
        )
    return listed, True


def _columns(kernel: SystemKernel, inputs: Any) -> list[int]:
    """The places of the inputs that B has."""
    if inputs is None or isinstance(inputs, Mapping):
        return list(range(len(kernel.inputs)))
    names = inputs.replace(",", " ").split() if isinstance(inputs, str) else list(map(str, inputs))
    for name in names:
        if name not in kernel.inputs:
            hint = meant(name, kernel.inputs, f"it has {', '.join(kernel.inputs) or 'none'}.")
            raise StateError(f"{kernel.equations.name}: no open input is called {name!r}; {hint}")
    return [kernel.inputs.index(n) for n in names]


def _outputs(kernel: SystemKernel, outputs: Any) -> dict[str, Any]:
    """The outputs given by name, as expressions of the equations' own state."""
    if outputs is None:
        return {}
    some = [outputs] if isinstance(outputs, str) else outputs
    listed = some if isinstance(some, Mapping) else {str(e): e for e in some}
    return {str(n): kernel.expression(e, f"{kernel.equations.name}: output {n}") for n, e in listed.items()}


def _generic(row: Numbers, size: int) -> Numbers:
    """States around one, every variable moved, always the same."""
    rows = np.tile(row, (GENERIC, 1))
    rows[:, 1 : 1 + size] += np.random.default_rng(0).uniform(-SPREAD, SPREAD, (GENERIC, size))
    return rows


def _invariant_slopes(kernel: SystemKernel, rows: Numbers) -> Numbers:
    """The slopes of what stays zero by the state, (rows, invariants, state)."""
    count, size = len(kernel.invariants), len(kernel.equations.state)
    return on_rows(kernel.residuals, rows)[:, count:].reshape(len(rows), count, size)


def _output_slopes(kernel: SystemKernel, exprs: list[Any], rows: Numbers) -> Numbers:
    """The slopes of the outputs by state and inputs, (rows, outputs, state and inputs)."""
    by = symbols((*kernel.equations.state, *kernel.inputs))
    if not exprs:
        return np.zeros((len(rows), 0, len(by)))
    where = f"{kernel.equations.name}: outputs"
    table = kernel.watched(("outputs", *exprs), lambda: jacobian_table(kernel.symbols, exprs, by, where))
    slopes: Numbers = table(rows)[:, len(exprs) :]
    return slopes.reshape(len(rows), len(exprs), len(by))


def _refuse_infinite(kernel: SystemKernel, rows: Numbers, flow: Numbers, outputs: list[Any]) -> None:
    equations = kernel.equations
    size = len(equations.state)

    def slopes(at: Numbers) -> Numbers:
        return kernel.slopes(at, solved_rows(kernel, at)[1])[:, :size]

    if not np.all(np.isfinite(flow)) or infinite(slopes, rows, size, kernel.slopes.rooted):
        raise StateError(
            f"{equations.name}: no linear system at this state, where the mass matrix is singular or a rate has no finite slope; "
            "choose another state, other speeds, or give every direction kinetic energy."
        )
    if infinite(lambda at: _output_slopes(kernel, outputs, at), rows, size):
        raise StateError(f"{equations.name}: an output has no finite slope at this state; choose another output or state.")
