"""Dossier of a system: all results about it, each computed on first use and cached.

Reports and the lab draw these results; they call no solver. A part loads only the modules that it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from nonholo.errors import ModelError, NonholoError
from nonholo.model.declared_words import GivenInput
from nonholo.model.system import AboutSystem, System

if TYPE_CHECKING:
    from nonholo.analyse.chaos.lyapunov_spectrum import Lyapunov
    from nonholo.analyse.chaos.poincare_section import Section
    from nonholo.analyse.constraints.classification import Classification
    from nonholo.analyse.continuation.branch import Branch
    from nonholo.analyse.stability.stability import Stability
    from nonholo.analyse.steady.equilibrium_record import Equilibrium
    from nonholo.control.gaits.gait import Gait
    from nonholo.control.gaits.gait_map import GaitMap
    from nonholo.derive.equations import Equations
    from nonholo.derive.forms import Form
    from nonholo.finding import Finding
    from nonholo.integrate.motion.trajectory import Trajectory
    from nonholo.symmetry.judgement.verdict import Judgement
    from nonholo.symmetry.reduction.reduce import Reduction

T = TypeVar("T")
POINTS = 1001
"""Moments of the motion."""
STARTS, MOST, LARGE = 24, 5, 24
"""Starts of the search for steady motions, motions that are judged, and state variables above which none is sought."""
STEPS, MORE, LONG = 8_000, 40_000, 200_000
"""Exponents are measured over the time that so many steps of the motion take; of systems known for their chaos over the second,
and the largest exponent alone over the third."""
SHAPES = 17
"""Shapes along each axis of a page's own window of gaits."""
CROSSINGS, CUT = 2000, 60_000
"""A section is followed until it has so many crossings or for as long as so many steps take."""


@dataclass(frozen=True)
class Answer(Generic[T]):
    """A part of the dossier, or the error in its place."""

    value: T | None = None
    trouble: NonholoError | None = None


def answer(work: Callable[[], T]) -> Answer[T]:
    """What the work gives, or the error it ends with; searches are bounded where they are made."""
    try:
        return Answer(work())
    except NonholoError as trouble:
        return Answer(trouble=trouble)


@dataclass(frozen=True, eq=False)
class Steady:
    """An equilibrium or a relative equilibrium with its stability."""

    moving: bool
    place: Equilibrium
    stability: Stability


@dataclass(frozen=True, eq=False)
class Chaos:
    """Lyapunov exponents, the largest of them measured longer, and a Poincaré section where the motion crosses one."""

    spectrum: Lyapunov
    largest: Lyapunov
    event: str | None
    """The surface of the section; None where nothing passes through zero again and again."""
    span: float
    """How long the section was followed."""
    section: Answer[Section]


@dataclass(frozen=True, eq=False)
class Dossier(AboutSystem):
    """A system and everything found about it.

    >>> import nonholo as nh
    >>> found = Dossier(nh.gallery.get("chaplygin-sleigh").system)
    >>> found.motion.value.outcome.reached, len(found.steady) > 0
    (True, True)
    """

    system: System
    driven: Mapping[str, GivenInput] = field(default_factory=dict)
    """Inputs that are not formulas: tables and Python functions."""

    @cached_property
    def motion(self) -> Answer[Trajectory]:
        """The motion from the system's own start."""
        from nonholo.integrate.motion.simulate import simulate

        times = np.linspace(0.0, self.until, POINTS) if self.until > 0 else None
        inputs = dict(self.driven) or None
        return answer(lambda: simulate(self.system, until=self.until, inputs=inputs, t_eval=times, progress=False))

    @cached_property
    def classification(self) -> Answer[Classification]:
        """What kind of constraints the system has."""
        from nonholo.analyse.constraints.classify_constraints import classify

        return answer(lambda: classify(self.system))

    @cached_property
    def checks(self) -> Answer[tuple[Finding, ...]]:
        """Whether all derivations agree and the laws hold."""
        from nonholo.derive.laws.check import check

        known = {k: v for k, v in self.parameters.items() if k in self.system.parameters}
        return answer(lambda: check(self.system, known))

    def _laborious(self, question: str) -> Answer[Any] | None:
        """The refusal of a question that formulas of this length make too long for a page; None where it is asked."""
        from nonholo.symmetry.reduction.reduce import is_long

        if not is_long(self.system) or (self.system.machine is None and question != "reduce"):
            return None
        return Answer(trouble=ModelError(f"{question} is too much work here; nh.{question}(system) takes the time it needs."))

    @cached_property
    def reduction(self) -> Answer[Reduction]:
        """The reduction by the symmetry that is declared or found."""
        from nonholo.symmetry.reduction.reduce import reduce

        return self._laborious("reduce") or answer(lambda: reduce(self.system))

    @cached_property
    def integrals(self) -> Answer[tuple[Finding, ...]]:
        """First integrals, and what was sought in vain."""
        from nonholo.symmetry.integrals.integrals import integrals

        parameters, start = dict(self.parameters) or None, dict(self.start) or None
        return self._laborious("integrals") or answer(lambda: integrals(self.system, parameters=parameters, start=start))

    @cached_property
    def verdict(self) -> Answer[Judgement]:
        """Symmetry, integrals, measure and Hamiltonisation in one judgement."""
        from nonholo.symmetry.judgement.verdict import verdict

        return answer(lambda: verdict(self.system, self.parameters, start=self.start))

    def equations(self, form: Form) -> Answer[Equations]:
        """The equations of motion in one form."""
        return self.left_out(form) or answer(lambda: form(self.system))

    def left_out(self, form: Form) -> Answer[Equations] | None:
        """The refusal of a form whose derivation takes too long for a page; None where it is derived."""
        return self._laborious(form.name) if form.name not in ("hamel", "multipliers") else None

    @property
    def forms(self) -> tuple[Form, ...]:
        """The classical forms of d'Alembert's principle."""
        from nonholo.derive.forms import forms

        return tuple(form for form in forms().values() if form.dalembert)

    @cached_property
    def energy(self) -> tuple[Finding, ...]:
        """The energy as a first integral, where it is one."""
        from nonholo.symmetry.integrals.searches.energy_search import constant_energy
        from nonholo.symmetry.integrals.searches.integral_question import Question

        found = constant_energy(Question(self.system, dict(self.parameters), None, 2, None))
        return (found,) if found and found.expression is not None else ()

    @cached_property
    def steady(self) -> tuple[Steady, ...]:
        """Equilibria and relative equilibria, each judged with the energy alone; none where the system is large."""
        from nonholo.analyse.stability.stability import stability
        from nonholo.analyse.steady.equilibria import equilibria, relative_equilibria

        system, values = self.system, dict(self.parameters)
        if len(system.coordinates) + len(system.velocities) > LARGE:
            return ()
        try:
            energy = self.energy
            listed = [(False, e) for e in equilibria(system, values, count=STARTS)]
            listed += [(True, e) for e in relative_equilibria(system, values, count=STARTS) if e.velocity]
        except NonholoError:
            return ()
        judged = [(moving, e, answer(partial(stability, system, e, integrals=energy))) for moving, e in listed[:MOST]]
        return tuple(Steady(moving, e, one.value) for moving, e, one in judged if one.value is not None)

    def branch_through(self, place: Equilibrium, name: str) -> Branch | None:
        """The steady motions through one of them, to twice its value in both senses; None where they cannot be followed."""
        from nonholo.analyse.continuation.branch import branch, end_of_branch

        far = 2 * abs(place.state[name])
        try:
            end = end_of_branch(self.system, place, name, -far)
            return branch(self.system, end, along=name, until=far, parameters=dict(place.parameters))
        except (NonholoError, np.linalg.LinAlgError):
            return None

    @cached_property
    def gaits(self) -> Answer[GaitMap | Gait]:
        """Where loops of shape variables lead: a map over two of them, the best swing of a single one; else nothing.

        The loop and its window are those of ``[page.gait]``; without it the shape variables are what inputs push.
        """
        system, window = self.system, self.system.page.gait if self.system.page is not None else None
        if window is None and not system.inputs:
            return Answer()
        from nonholo.control.gaits.gait import gait
        from nonholo.control.gaits.gait_map import gait_map, gait_sketch, swing_sketch

        values = dict(self.parameters)

        def loops() -> GaitMap | Gait | None:
            swing = swing_sketch(system, values)
            if swing is not None or window is None:
                return swing or gait_sketch(system, values)
            best = gait(system, dict(window.loop), displacement=window.quantity, parameters=values) if window.loop else None
            return gait_map(system, dict(window.over), parameters=values, points=SHAPES, gait=best)

        found: Answer[Any] = answer(loops)
        return found if window is not None or found.trouble is None else Answer()

    def chaos(self, event: str | None = None, about: bool = False) -> Answer[Chaos]:
        """Exponents and a section; ``event`` is the surface of the section, ``about`` marks a system known for its chaos."""
        return answer(lambda: self._chaos(event, about))

    def _chaos(self, event: str | None, about: bool) -> Chaos:
        from nonholo.analyse.chaos.lyapunov_spectrum import lyapunov
        from nonholo.analyse.chaos.poincare_section import default_section, section
        from nonholo.integrate.motion.simulate import simulate

        system, values, driven = self.system, dict(self.parameters), dict(self.driven) or None
        run = simulate(system, self.start, self.until, values, inputs=driven, progress=False)
        pace = max(run.steps, 20) / max(float(run.times[-1] - run.times[0]), 1e-300)
        span = _round((MORE if about else STEPS) / pace)
        found = lyapunov(system, self.start, span, values, inputs=driven, integrals=self.energy)
        alone = found
        if about:
            long = _round(LONG / pace)  # such systems start where they stay: no transient has to pass
            alone = lyapunov(system, self.start, long, values, inputs=driven, integrals=(), count=1, transient=0.0)
        cut = event if event is not None else default_section(system, run)
        until = _round((LONG if about else CUT) / pace)
        if cut is None:
            return Chaos(found, alone, None, until, Answer())

        def crossed() -> Section:
            return section(system, dict(self.start), cut, CROSSINGS, parameters=values, direction=1, until=until, inputs=driven)

        return Chaos(found, alone, cut, until, answer(crossed))


def _round(value: float) -> float:
    """Two digits are enough for a time, and are the same everywhere."""
    return float(f"{value:.2g}")
