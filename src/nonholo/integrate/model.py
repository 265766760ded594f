"""A model you can hold: a system derived and compiled once, for every later question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np

from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import hamel
from nonholo.derive.states.consistent_state import read_start
from nonholo.derive.states.equation_values import state_vector
from nonholo.derive.states.feedback_laws import Driven, driven
from nonholo.errors import StateError
from nonholo.integrate.many.members import run_members
from nonholo.integrate.methods import method as method_by_name
from nonholo.integrate.motion.formulation import Formulation, InitialValue, formulation_of
from nonholo.integrate.motion.model_step import Steps, steppers
from nonholo.integrate.motion.motion_pieces import closed_equations, numbers_of, start_under
from nonholo.integrate.motion.system_kernel import SystemKernel, with_input_parameters
from nonholo.integrate.results.named_quantities import solved_rows
from nonholo.model.specialise import with_parameters
from nonholo.model.system import System, check_system, finite, parameter_values
from nonholo.program.array_types import Array

NOTHING: FrozenMap[str, Any] = FrozenMap()


def step_members(
    initial: InitialValue, names: Sequence[str], others: Sequence[str], rows: Array, dt: float, threads: int | None,
    alone: Callable[[Array], Sequence[float]],
) -> Array:  # fmt: skip
    """The states after ``dt`` from rows ``[t, state…, others…]``, all at one time; ``alone`` steps a member that is left behind.

    The ``others`` are the parameters of the prepared equations, in any order.
    """
    size, time = len(names), float(rows[0, 0]) if len(rows) else 0.0
    order = [list(names).index(n) for n in initial.equations.state]
    columns = {n: k for k, n in enumerate(others, 1 + size)}
    numbers = rows[:, [columns[n] for n in initial.kernel.parameters]]
    starts = np.ascontiguousarray(rows[:, 1 : 1 + size][:, order])
    runs = run_members(
        initial.kernel, method_by_name("dop853"), time, starts, time + dt, numbers, [], np.array([time + dt]), [],
        thresholds=initial.thresholds, threads=threads,
    )  # fmt: skip
    result = np.empty((len(rows), size))
    result[:, order] = runs.final
    reached = np.array([o.reached for o in runs.outcomes], dtype=bool)[runs.ways] if len(rows) else np.ones(0, dtype=bool)
    for k in np.flatnonzero(~reached).tolist():
        try:
            result[k] = alone(rows[k])
        except StateError:
            result[k] = np.nan
    return result


@dataclass(frozen=True, eq=False)
class Model:
    """A system with numbers, its equations derived and compiled: questions are answered by machine code.

    Made by `prepare`. What was derived belongs to the structure of the system and is shared by every model, motion and
    ensemble of that structure, in all threads; a model travels as its system and finds or makes the rest where it lands.

    >>> import nonholo as nh
    >>> nh.prepare(nh.System(coordinates="x", lagrangian="xdot**2/2")).names
    ('x', 'xdot')
    """

    system: System | Equations
    """What was prepared: a system, or equations without one (Kane's, from SymPy), which have one frame."""
    parameters: FrozenMap[str, float]
    form: str = "hamel"

    @cached_property
    def _driven(self) -> Driven | None:
        return driven(self.system, {}) if isinstance(self.system, System) else None

    @cached_property
    def formulation(self) -> Formulation | None:
        """The formulation of the system; None for equations without one."""
        return formulation_of(self._driven.closed, self._driven.laws, self.form) if self._driven is not None else None

    @property
    def laws(self) -> Mapping[str, Expr]:
        """The feedback laws of the system, which are no inputs any more."""
        return self._driven.laws if self._driven is not None else NOTHING

    @property
    def own_inputs(self) -> Mapping[str, Any]:
        """What inputs do by themselves."""
        return self._driven.others if self._driven is not None else NOTHING

    @cached_property
    def _home(self) -> InitialValue:
        """The equations in the frame that serves at the system's own start (or its home): the order of `names`."""
        if self.formulation is None or isinstance(self.system, Equations):
            return _unstarted(self.system)
        return self.formulation.start(self._full_start, self.parameters)

    @cached_property
    def _full_start(self) -> Mapping[str, float]:
        """The full state at the system's own start (or its home)."""
        if self.formulation is None or isinstance(self.system, Equations):
            return NOTHING
        start = {n: e for n, e in self.system.start.items() if n not in self.laws}
        return start_under(self.formulation, self.own_inputs, start, self.parameters)

    @property
    def kernel(self) -> SystemKernel:
        """The equations behind `names`."""
        return self._home.kernel

    @property
    def names(self) -> tuple[str, ...]:
        """The state variables in the order of `vector`: coordinates, then speeds."""
        return self.kernel.equations.state

    @property
    def inputs(self) -> tuple[str, ...]:
        """The inputs in the order of `vector`; those with a law of the system are no longer among them."""
        return self.kernel.inputs

    def rates(self, state: Mapping[str, Any], inputs: Mapping[str, Any] = NOTHING, t: float = 0.0) -> dict[str, float]:
        """The rate of every named quantity; ``state`` may be partial, as a start may be. Multipliers are included by name.

        >>> import nonholo as nh
        >>> words = {"coordinates": "x", "lagrangian": "xdot**2", "forces": {"x": "u"}, "inputs": {"u": "3 + x"}}
        >>> cart = nh.System(**words)
        >>> nh.prepare(cart).rates({"x": 1})["xdot"]
        2.0
        """
        given = state if "t" in state or not t else {**state, "t": float(t)}
        pool = self._steppers
        steps = pool.take()
        try:
            found = steps.row(given, inputs)
            if found is not None:
                return _rates(found[0].kernel, found[1])
        finally:
            pool.give(steps)
        if isinstance(self.system, Equations):
            x = state_vector(self.system, given, self.parameters)
            return _rates(self.kernel, self._row(x, [inputs.get(n, 0.0) for n in self.inputs], float(given.get("t", 0.0))))
        moved = driven(self.system, dict(inputs))
        formulation = formulation_of(moved.closed, moved.laws, self.form)
        start = {n: e for n, e in {"t": 0.0, **read_start(self.system, given)}.items() if n not in moved.laws}
        full = start_under(formulation, moved.others, start, self.parameters)
        initial = formulation.start(full, self.parameters)
        return _rates(initial.kernel, initial.row(full, self.parameters))

    def vector(self, x: Sequence[float] | Array, u: Sequence[float] | Array = (), t: float | Array = 0.0) -> Array:
        """The rates of `names` at the state ``x`` in that order, under the inputs ``u`` in the order of `inputs`.

        Of many states at once where ``x`` has a row for each; ``u`` and ``t`` are then the same for all or have as many rows.

        >>> import nonholo as nh
        >>> nh.prepare(nh.System(coordinates="q", lagrangian="qdot**2/2 - 9*q**2/2")).vector([[0.1, 2.0], [0.2, 3.0]]).tolist()
        [[2.0, -0.9], [3.0, -1.8]]
        """
        kernel = self.kernel
        rows = self._rows(x, u, t) if np.ndim(x) == 2 else self._row(x, u, float(t))[None]
        kinematics, solved = solved_rows(kernel, rows)
        found = np.hstack([kinematics, solved[:, : len(kernel.equations.speeds)]])
        return found if np.ndim(x) == 2 else found[0]

    def jacobian(self, x: Sequence[float] | Array, u: Sequence[float] | Array = (), t: float = 0.0) -> Array:
        """The derivatives of `vector` by ``x``: row i is the gradient of the rate of ``names[i]``.

        >>> import nonholo as nh
        >>> swing = nh.prepare(nh.System(coordinates="q", lagrangian="qdot**2/2 - 9*q**2/2"))
        >>> swing.jacobian([0.1, 0.0]).tolist()
        [[0.0, 1.0], [-9.0, 0.0]]
        """
        row = self._row(x, u, t)
        return np.asarray(self.kernel.jacobian(row)[: len(self.names)])

    def input_jacobian(self, x: Sequence[float] | Array, u: Sequence[float] | Array = (), t: float = 0.0) -> Array:
        """The derivatives of `vector` by ``u``: column k belongs to ``inputs[k]``.

        >>> import nonholo as nh
        >>> cart = nh.System(coordinates="x", lagrangian="xdot**2", forces={"x": "u"}, inputs="u")
        >>> nh.prepare(cart).input_jacobian([0.0, 0.0], [1.0]).tolist()
        [[0.0], [0.5]]
        """
        row = self._row(x, u, t)[None]
        _, solved = solved_rows(self.kernel, row)
        size = len(self.names)
        return np.asarray(self.kernel.slopes(row, solved)[0, :size, size:])

    def _row(self, x: Sequence[float] | Array, u: Sequence[float] | Array, t: float) -> Array:
        """The input vector of the machine code."""
        names, inputs = self.names, self.inputs
        if len(x) != len(names) or len(u) != len(inputs):
            raise StateError(
                f"{self.system.name}: {len(x)} numbers and {len(u)} inputs where {len(names)} ({', '.join(names)}) and "
                f"{len(inputs)} ({', '.join(inputs) or 'none'}) are needed."
            )
        return np.array([t, *x, *u, *(self.parameters[n] for n in self.kernel.parameters)], dtype=float)

    def _rows(self, x: Sequence[float] | Array, u: Sequence[float] | Array, t: float | Array) -> Array:
        """The input vectors of many states, one in each row."""
        states, driving = np.asarray(x, dtype=float), np.asarray(u, dtype=float)
        driving = driving.reshape(1, -1) if driving.ndim < 2 else driving
        size, count = states.shape[1], driving.shape[1]
        fixed = self._row(np.zeros(size), np.zeros(count), 0.0)[1 + size + count :]
        table = np.empty((len(states), 1 + size + count + len(fixed)))
        try:
            table[:, 0] = t
            table[:, 1 : 1 + size] = states
            table[:, 1 + size : 1 + size + count] = driving
        except ValueError:
            found = f"{len(states)} states, {len(driving)} rows of inputs and {np.size(t)} times"
            raise StateError(f"{self.system.name}: {found}; give one for all states or one for each.") from None
        table[:, 1 + size + count :] = fixed
        return table

    def step_many(
        self, x: Sequence[Any] | Array, dt: float, u: Sequence[Any] | Array = (), t: float = 0.0, threads: int | None = None
    ) -> Array:
        """The states of many members after ``dt``: a row for each in the order of `names`, inputs in the order of `inputs`.

        Members whose frame degenerates go by `step`. A member that cannot go on is not a number.

        >>> import nonholo as nh
        >>> fall = nh.prepare(nh.System(coordinates="z", lagrangian="zdot**2/2 + u*z", inputs="u"))
        >>> fall.step_many([[0.0, 1.0], [2.0, 0.0]], 1.0, [[-10.0], [4.0]]).round(9).tolist()
        [[-4.0, -9.0], [4.0, 4.0]]
        """

        span, size, inputs = finite(dt, "step_many: dt"), len(self.names), self.inputs

        def alone(row: Array) -> list[float]:
            state = dict(zip(("t", *self.names), row.tolist()))
            after = self.step(state, span, dict(zip(inputs, row[1 + size :].tolist())))
            return [after[n] for n in self.names]

        others = (*inputs, *self.kernel.parameters)
        return step_members(self._with_input_parameters, self.names, others, self._rows(x, u, t), span, threads, alone)

    @cached_property
    def _with_input_parameters(self) -> InitialValue:
        """The equations with the inputs among the parameters, in the home frame: each member may have its own."""
        if not self.inputs:
            return self._home
        if self._driven is None or isinstance(self.system, Equations):
            return _unstarted(with_input_parameters(self.kernel.equations, self.inputs))
        closed = with_parameters(self._driven.closed, self.inputs)
        start = {n: e for n, e in self._full_start.items() if n not in self.inputs}
        numbers = {**self.parameters, **dict.fromkeys(self.inputs, 0.0)}
        return formulation_of(closed, self.laws, self.form).start(start, numbers)

    def step(self, state: Mapping[str, Any], dt: float, inputs: Mapping[str, Any] = NOTHING) -> dict[str, float]:
        """The full state after ``dt``, under inputs that keep their values meanwhile.

        ``state`` is what `step` gave before, or any start; its ``t`` counts on.

        >>> import nonholo as nh
        >>> fall = nh.prepare(nh.System(coordinates="z", lagrangian="zdot**2/2 - 10*z"))
        >>> state = {"z": 0.0, "zdot": 1.0}
        >>> for _ in range(10):
        ...     state = fall.step(state, 0.1)
        >>> round(state["t"], 12), round(state["z"], 12)
        (1.0, -4.0)
        """
        pool = self._steppers
        stepper = pool.take()
        try:
            after: dict[str, float] = stepper(state, dt, inputs)
            return after
        finally:
            pool.give(stepper)

    @cached_property
    def _steppers(self) -> Any:
        return steppers(lambda: Steps(self, self._home))

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return Model, (self.system, self.parameters, self.form)


def _rates(kernel: SystemKernel, row: Array) -> dict[str, float]:
    """Every rate by name at an input vector."""
    equations = kernel.equations
    kinematics, solved = solved_rows(kernel, row[None])
    flow = np.concatenate([kinematics[0], solved[0, : len(equations.speeds)]])
    if not isfinite(flow.sum()) and not np.all(np.isfinite(flow)):
        raise StateError(
            f"{equations.name}: the {equations.origin} equations have no unique accelerations at this state (singular mass "
            "matrix or division by zero); choose another state, other speeds, or give every direction kinetic energy."
        )
    result = dict(zip(equations.state, flow.tolist()))
    code = kernel.output_rates
    if code.outputs:
        result |= dict(zip(equations.outputs, code(np.concatenate([row, flow])).tolist()))
    unknowns = solved[0, len(equations.speeds) :].tolist()
    return {**result, **dict(zip(map(str, equations.unknowns), unknowns))}


def _unstarted(equations: Any) -> InitialValue:
    """Equations without a system, compiled; their state is given whole."""
    kernel = closed_equations(equations, {}, None)
    return InitialValue(kernel, np.zeros(len(equations.state)), 1.0)


def prepare(system: System | Equations | Model, parameters: Mapping[str, Any] | None = None, *, form: str = "hamel") -> Model:
    """A model of the system: derived and compiled now, and cached for every later use, also by `simulate`.

    Values of parameters, starts and inputs are numbers: others never lead to another derivation. A feedback law given as
    text is part of the equations. Equations that stand for themselves, such as Kane's from SymPy, are prepared as they are.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> model = nh.prepare(sleigh.system, sleigh.parameters)
    >>> model.names
    ('theta', 'x', 'y', 'omega', 'v')
    >>> model.vector([0, 0, 0, 1.0, 2.0]).round(3).tolist()
    [1.0, 2.0, 0.0, -1.145, 0.4]
    """
    if isinstance(system, Model):
        return system
    if isinstance(system, Equations):
        own = system.system
        if own is not None and system.origin == "hamel" and system == hamel(own):
            return prepare(own, parameters, form=form)
        model = Model(system, FrozenMap(numbers_of(system, parameters)), system.origin)
        _ = model.kernel
        return model
    check_system(system)
    model = Model(system, FrozenMap(parameter_values(system, parameters)), form)
    _ = model.kernel
    return model
