"""A System read as a control system ``ẋ = f(x) + Σ u_i g_i(x)``: inputs are velocities (kinematic) or forces (dynamic)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from nonholo.algebra.calculus import expand, symbol, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import hamel
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame import rate
from nonholo.model.declared_words import Formula, Names
from nonholo.model.system import System, check_system
from nonholo.model.velocities.admissible import admissible
from nonholo.model.velocities.driven_coordinates import held_inputs, unfolded
from nonholo.notation.read import names_of

Reading = Literal["kinematic", "dynamic"]


@dataclass(frozen=True, eq=False)
class ControlAffine:
    """``ẋ = f + Σ u_i g_i`` with ``f = (k_0, M⁻¹F_0)`` and ``g_i = (k_i, M⁻¹F_i)``: first coordinates, then speeds."""

    system: System
    reading: Reading
    coordinates: tuple[Symbol, ...]
    speeds: tuple[Symbol, ...]
    """The speeds that are part of the state; none of a kinematic system."""
    inputs: tuple[Symbol, ...]
    mass: tuple[tuple[Expr, ...], ...]
    kinematics: tuple[tuple[Expr, ...], ...]
    """``(k_0, k_1 …)``."""
    forces: tuple[tuple[Expr, ...], ...]
    """``(F_0, F_1 …)``."""
    relations: tuple[Expr, ...]
    """What is zero at every state: relations of the frame, holonomic constraints, nonlinear constraints."""
    extended: FrozenMap[str, str]
    """Inputs that were made part of the state, with the names of their rates, which are inputs now."""
    by_speeds: bool = False
    """Whether the independent speeds were taken as inputs."""
    equations: Equations | None = None
    """The equations they were read from."""

    def __str__(self) -> str:
        fields = ", ".join(f"g{k} of {n}" for k, n in enumerate(map(str, self.inputs), 1))
        return f"{self.system.name}: {self.reading} control system in {', '.join(self.names)}, {fields}"

    @property
    def state(self) -> tuple[Symbol, ...]:
        return (*self.coordinates, *self.speeds)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(map(str, self.state))

    @property
    def driftless(self) -> bool:
        """Whether ``f`` vanishes by its formula."""
        return not any(e != 0 for e in (*self.kinematics[0], *self.forces[0]))

    @property
    def certified(self) -> bool:
        """Whether brackets can be certified: of speeds whose velocities hold no input, or of forces."""
        held = {s for k in self.kinematics for e in k for s in e.free_symbols} & set(symbols(self.system.inputs))
        plain = self.system.parametric is None and not self.extended
        return plain and (self.reading == "dynamic" or (self.by_speeds and not held))


def control_affine(system: System, kinematic: bool | None = None, *, equations: Equations | None = None) -> ControlAffine:
    """The control system of a System.

    Without inputs, or with ``kinematic=True``, the independent speeds are the inputs: the constraints alone, no inertia. Inputs
    that occur in constraints while some speeds are free, or that the equations are not affine in, become part of the
    state, and their rates are inputs.

    >>> skate = System(coordinates="theta x y", lagrangian="(thetadot**2 + xdot**2 + ydot**2)/2",
    ...     constraints=["ydot*cos(theta) - xdot*sin(theta)"], forces={"theta": "torque"}, inputs="torque")
    >>> control_affine(skate).names, control_affine(skate).reading
    (('theta', 'x', 'y', 'thetadot', 'xdot'), 'dynamic')
    >>> found = control_affine(skate, kinematic=True)
    >>> found.names, found.inputs
    (('theta', 'x', 'y'), (thetadot, xdot))
    """
    check_system(system)
    if kinematic not in (None, True, False):
        raise ModelError(f"{system.name}: kinematic = {kinematic!r} where True, False or None is needed.")
    extended: Mapping[str, str] = {}
    eqs = equations if equations is not None else hamel(system)
    by_speeds = bool(kinematic) or (kinematic is None and not system.inputs)
    if not by_speeds and kinematic is None and eqs.speeds and held_inputs(system):
        system, extended = unfolded(system)
        eqs = hamel(system)
    if eqs.time in {s for e in (*eqs.kinematics, *eqs.force) for s in e.free_symbols}:
        raise ModelError(f"{system.name}: the equations depend on time; controllability is asked of those that do not.")
    if by_speeds:
        if not admissible(system).explicit:
            raise ModelError(
                f"{system.name}: the velocities that its constraints allow are no sums of fields; with speeds as inputs, "
                "constraints must be linear or affine in the velocities."
            )
        if not eqs.speeds:
            raise ModelError(f'{system.name}: no inputs and no free speeds; declare inputs, e.g. inputs="u".')
        return _control_affine(system, eqs, "kinematic", eqs.speeds, (), extended, True)
    inputs = tuple(symbols(map(str, eqs.inputs)))
    if not inputs:
        raise ModelError(f'{system.name}: no inputs; declare them (inputs="u"), or ask with kinematic=True.')
    return _control_affine(system, eqs, "dynamic" if eqs.speeds else "kinematic", inputs, eqs.speeds, extended, False)


def _control_affine(
    system: System, eqs: Equations, reading: Reading, inputs: tuple[Any, ...], speeds: tuple[Any, ...],
    extended: Mapping[str, str], by_speeds: bool,
) -> ControlAffine:  # fmt: skip
    force, mass = (eqs.force, eqs.mass) if speeds else ((), ())
    coordinates = eqs.coordinates
    bent = [u for u in inputs if not _affine(u, inputs, (*eqs.kinematics, *force), mass)]
    if bent and by_speeds:
        raise ModelError(f"{system.name}: the velocities are not affine in the speeds {', '.join(map(str, bent))}.")
    kinematics = eqs.kinematics
    if bent:  # dynamic extension: the input joins the state
        taken = {str(s) for s in (*eqs.coordinates, *eqs.speeds, *eqs.inputs, *eqs.parameters)}
        names = {str(u): _free(f"{u}_rate", taken) for u in bent}
        extended = {**extended, **names}
        rates = tuple(symbol(n) for n in names.values())
        coordinates, kinematics = (*coordinates, *bent), (*kinematics, *rates)
        inputs = (*(u for u in inputs if u not in bent), *rates)
    zero = dict.fromkeys(inputs, symbol("_") * 0)
    parts = [tuple(e.xreplace(zero) for e in kinematics), *(tuple(e.diff(u) for e in kinematics) for u in inputs)]
    pulls = [tuple(e.xreplace(zero) for e in force), *(tuple(e.diff(u) for e in force) for u in inputs)]
    relations = tuple(e for e in (eqs.invariants.values() if not by_speeds else (*system.frame.relations, *system.holonomic)))
    return ControlAffine(
        system, reading, tuple(coordinates), tuple(speeds), tuple(inputs), mass, tuple(parts), tuple(pulls), relations,
        FrozenMap(extended), by_speeds, eqs,
    )  # fmt: skip


def _affine(u: Any, inputs: tuple[Any, ...], exprs: tuple[Expr, ...], mass: tuple[tuple[Expr, ...], ...]) -> bool:
    if any(u in e.free_symbols for row in mass for e in row):
        return False
    slopes = [e.diff(u) for e in exprs if u in e.free_symbols]
    return not any(s.free_symbols & set(inputs) and any(expand(s.diff(w)) != 0 for w in inputs) for s in slopes)


def _free(word: str, taken: set[str]) -> str:
    while word in taken:
        word += "_"
    return word


def kinematic_system(
    coordinates: Names, rates: Mapping[str, Formula], inputs: Names, *, parameters: Any = (), name: str = "system", **words: Any
) -> System:
    """A System whose velocities are given by its inputs: ``ẋ_i = rates_i(x, u)``; a coordinate without a rate stands still.

    >>> unicycle = kinematic_system("x y theta", {"x": "v*cos(theta)", "y": "v*sin(theta)", "theta": "w"}, "v w")
    >>> control_affine(unicycle).reading, control_affine(unicycle).driftless
    ('kinematic', True)
    """
    names = names_of(coordinates, f"{name}: coordinates")
    if not isinstance(rates, Mapping):
        raise ModelError(f'{name}: rates: {rates!r} where formulas by coordinate are needed, e.g. {{"x": "v*cos(theta)"}}.')
    stray = [n for n in rates if n not in names]
    if stray:
        raise ModelError(f"{name}: a rate for {stray[0]!r}, which is no coordinate; the coordinates are {', '.join(names)}.")
    residuals = [f"{rate(n)} - ({rates.get(n, 0)})" for n in names]
    return System(
        name=name, coordinates=coordinates, parameters=parameters, inputs=inputs, lagrangian="0", constraints=residuals, **words
    )
