"""A method by the user's own discrete Lagrangian L_d(q0, q1, h): steps, discrete momenta, Noether's quantity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Protocol

import numpy as np

from nonholo.algebra.calculus import ZERO, gradient, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot, evaluate_all
from nonholo.compile.schemes.given_lagrangian import node_names, principle_of, read_discrete
from nonholo.errors import ModelError, StateError, give_step
from nonholo.integrate.methods.method_record import MOST_EQUAL_STEPS
from nonholo.integrate.methods.scheme_methods import Implicit
from nonholo.model.system import System, resolve
from nonholo.notation.read import expression
from nonholo.notation.write import to_text
from nonholo.program.array_types import Array


class Run(Protocol):
    """The part of a trajectory that is used here."""

    @property
    def system(self) -> Any: ...
    @property
    def parameters(self) -> Mapping[str, float]: ...
    @property
    def times(self) -> Any: ...
    def __getitem__(self, name: str) -> Any: ...


@dataclass(frozen=True)
class NodeMomenta:
    """Discrete momenta along a motion, one row for each step: ``−D₁L_d`` where it begins and ``D₂L_d`` where it ends."""

    time: Array
    """Where each step begins."""
    minus: dict[str, Array]
    """F⁻L_d by coordinate."""
    plus: dict[str, Array]
    """F⁺L_d by coordinate."""


@dataclass(frozen=True, init=False)
class DiscreteLagrangian(Implicit):
    """The method of your own discrete Lagrangian: ``L_d`` in ``x0, x1`` (both ends of a step), ``h``, ``t`` and parameters.

        D₁L_d(q_k, q_{k+1}) + D₂L_d(q_{k−1}, q_k) ∈ D°(q_k),      ω_d(q_k, q_{k+1}) = 0       [Zenkov 2016 (5.1), (5.4)]

    ``constraint`` gives ω_d, one residual for each constraint of the system; without it the constraints are taken at the
    middle of the step. Holonomic constraints hold at the nodes. Virtual displacements are those of the system. The step is
    given here or to `simulate`.

    >>> free = System(coordinates="q", lagrangian="qdot**2/2 - q**2/2")
    >>> L = DiscreteLagrangian("(q1 - q0)**2/(2*h) - h*(q0**2 + q1**2)/4", step=0.1)
    >>> from nonholo.integrate.motion.simulate import simulate
    >>> run = simulate(free, {"q": 1.0}, 1.0, method=L, t_eval="steps")
    >>> round(float(run.final["q"]), 3)
    0.54
    """

    lagrangian: str = ""
    constraint: tuple[str, ...] = ()
    name: ClassVar[str] = "discrete_lagrangian"
    properties: ClassVar[tuple[str, ...]] = ("implicit", "constant step", "discrete Lagrange–d'Alembert principle")

    def __init__(
        self,
        lagrangian: Any,
        constraint: Any = (),
        step: float | None = None,
        compensated: bool = False,
        max_steps: int = MOST_EQUAL_STEPS,
    ) -> None:
        rows = (constraint,) if isinstance(constraint, str) or not isinstance(constraint, Sequence) else tuple(constraint)
        words: dict[str, Any] = {
            "lagrangian": _text(lagrangian, "discrete Lagrangian"),
            "constraint": tuple(_text(c, "discrete constraint") for c in rows),
            "step": step,
            "compensated": compensated,
            "max_steps": max_steps,
        }
        for key, value in words.items():
            object.__setattr__(self, key, value)
        if step is not None:
            self.__post_init__()

    @property
    def principle(self) -> str:  # type: ignore[override]
        """The scheme of its step."""
        return principle_of(self.lagrangian, self.constraint)

    def with_options(self, **options: Any) -> DiscreteLagrangian:
        """The same with a step and other options given to `simulate`."""
        known = [f.name for f in fields(self)]
        stray = [o for o in options if o not in known]
        if stray:
            raise StateError(f"method discrete_lagrangian has no option {stray[0]!r}; its options are {', '.join(known)}.")
        made = DiscreteLagrangian(**{**{n: getattr(self, n) for n in known}, **options})
        if made.step is None:
            raise StateError("method discrete_lagrangian needs a step,", remedy=give_step(0.01, "step, compensated, max_steps"))
        return made

    def momenta(self, run: Run) -> NodeMomenta:
        """The discrete momenta (Legendre transforms F^∓L_d) along a motion recorded at every step."""
        system, first, second, rows, time = self._steps(run)
        density, _ = read_discrete(system, self.lagrangian, self.constraint)
        begin = [-e for e in gradient(density, symbols(first))]
        found = evaluate_all([*begin, *gradient(density, symbols(second))], rows)
        names, count = system.coordinates, len(system.coordinates)
        return NodeMomenta(
            time,
            {c: found[:, k] for k, c in enumerate(names)},
            {c: found[:, count + k] for k, c in enumerate(names)},
        )

    def noether(self, run: Run, field: Mapping[str, Any]) -> Array:
        """Noether's quantity ``D₂L_d(q_k, q_{k+1})·ξ(q_{k+1})`` of a field ξ, one number for each step of a motion.

        It is conserved where ξ leaves ``L_d`` alone and lies in the constraint distribution; a field that does not leave it alone
        is refused, with the rate at which L_d changes.
        """
        system, first, second, rows, _ = self._steps(run)
        density, _ = read_discrete(system, self.lagrangian, self.constraint)
        known = (*system.coordinates, *system.parameters)
        stray = [n for n in field if n not in system.coordinates]
        if stray:
            raise ModelError(f"{system.name}: a field has components along {', '.join(system.coordinates)}; found {stray[0]!r}.")
        own = [expression(field.get(c, 0), known, f"{system.name}: field {c}") for c in system.coordinates]
        at = [substitute(own, dict(zip(symbols(system.coordinates), symbols(names)))) for names in (first, second)]
        change = dot(gradient(density, symbols(first)), at[0]) + dot(gradient(density, symbols(second)), at[1])
        found = evaluate_all([dot(gradient(density, symbols(second)), at[1]), change], rows)
        size = float(np.max(np.abs(found[:, 0]))) + 1e-300
        if float(np.max(np.abs(found[:, 1]))) > 1e-9 * max(1.0, size):
            worst = float(np.max(np.abs(found[:, 1])))
            raise ModelError(f"{system.name}: the field is no symmetry of L_d, which changes along it by {worst:.3g} a step.")
        return np.asarray(found[:, 0], dtype=float)

    def _steps(self, run: Run) -> tuple[System, tuple[str, ...], tuple[str, ...], list[dict[str, float]], Array]:
        system = run.system
        if not isinstance(system, System):
            raise StateError("discrete momenta belong to a motion of a System.")
        first, second = node_names(system)
        time = np.asarray(run.times, dtype=float)
        gaps = np.diff(time)
        if self.step is None or len(time) < 2 or np.max(np.abs(gaps - self.step)) > 1e-9 * max(1.0, abs(time[-1])):
            raise StateError('discrete momenta need the motion at every step: simulate(…, t_eval="steps") with this method.')
        columns = {c: np.asarray(run[c], dtype=float) for c in system.coordinates}
        fixed = {n: float(v) for n, v in run.parameters.items()}
        rows = [
            {
                **fixed, "h": float(self.step), "t": float(time[k]),
                **{a: float(columns[c][k]) for a, c in zip(first, system.coordinates)},
                **{b: float(columns[c][k + 1]) for b, c in zip(second, system.coordinates)},
            }
            for k in range(len(time) - 1)
        ]  # fmt: skip
        return system, first, second, rows, time[:-1]


def discrete_lagrangian(system: System, tau: float = 0.5) -> str:
    """The text of ``h L(q_τ, (q1 − q0)/h)``, to begin with: ``q_τ = (1 − τ) q0 + τ q1`` [Zenkov 2016 (5.2)].

    >>> discrete_lagrangian(System(coordinates="q", lagrangian="qdot**2/2"))
    '(q1 - q0)**2/(2*h)'
    """
    first, second = (symbols(names) for names in node_names(system))
    if not system.frame.plain:
        raise ModelError(f"{system.name}: a discrete Lagrangian needs plain coordinates; this system has a frame of its own.")
    h = symbol("h")
    (whole,) = resolve(system, [system.lagrangian])
    weight = expression(tau, (), "tau") if tau != 0.5 else expression("1/2", (), "tau")
    table = {q: (1 - weight) * a + weight * b for q, a, b in zip(symbols(system.coordinates), first, second)}
    table |= {v: (b - a) / h for v, a, b in zip(symbols(system.velocities), first, second)}
    return to_text(h * substitute([whole], table)[0])


def _text(given: Any, where: str) -> str:
    if isinstance(given, str):
        return given
    if isinstance(given, (int, float)) or hasattr(given, "free_symbols"):
        value: Expr = given if hasattr(given, "free_symbols") else ZERO + given
        return str(value)
    raise StateError(f"{where}: found {type(given).__name__} where text in x0, x1, h was needed, e.g. \"(x1 - x0)**2/(2*h)\".")
