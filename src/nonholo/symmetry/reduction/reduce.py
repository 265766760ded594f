"""Reduce a system by its symmetry to shape, momenta and reconstruction; with a budget of work where it is one step of many."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

from nonholo.algebra.budget import within
from nonholo.algebra.cache import Cache
from nonholo.algebra.calculus import symbols, written_size
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import dot
from nonholo.errors import ModelError, NonholoError
from nonholo.finding import Finding, while_lasting
from nonholo.geometry.frames.frame import rate
from nonholo.integrate.results.presenters import notebook_html, presenter
from nonholo.model.lasting_contacts import lasting, require_motion
from nonholo.model.specialise import driven_by_laws, specialised
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System, check_system, known_names
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.model.velocities.driven_coordinates import unfolded
from nonholo.symmetry.exact.gauge_terms import freest, with_invariant_potential, with_magnetic_form
from nonholo.symmetry.group.group_action import Action, action, invariance, require_invariance
from nonholo.symmetry.group.symmetry_group import group_of
from nonholo.symmetry.integrals.drift_test import run_parameters
from nonholo.symmetry.reduction.local_reduction import LocalReduction, local_reduction, require_linear
from nonholo.symmetry.reduction.momentum.chosen_frame import PARALLEL, Choice, choice_of, chosen_frame
from nonholo.symmetry.reduction.momentum.connection import connection as connection_of
from nonholo.symmetry.reduction.momentum.conserving_bases import Aligned, aligned, momentum_and_shape
from nonholo.symmetry.reduction.momentum.labelled_equations import LabelledEquations, labelled_equations
from nonholo.symmetry.reduction.momentum.parallel_basis import exponents_collected, without_transport
from nonholo.symmetry.reduction.momentum.reduced_coefficients import coefficients
from nonholo.symmetry.reduction.reduced_equations import fresh, full_equations, in_momenta, in_velocities, kinetic
from nonholo.symmetry.reduction.reduced_motion import reduced_motion
from nonholo.symmetry.reduction.reduction_findings import findings_of
from nonholo.symmetry.reduction.reduction_record import ReductionRecord, bases_of
from nonholo.symmetry.reduction.section.library_reduction import with_hidden, with_numbers
from nonholo.symmetry.witness.trials import tried_group, tried_reversal

T = TypeVar("T")


@dataclass(frozen=True, repr=False)
class Reduction(ReductionRecord):
    """A system modulo its symmetry: the shape ``r``, the momenta ``p`` along S = D ∩ V, and how to come back.

    ``equations`` is the reduced motion in ``(r, ṙ, p)`` [(4.9), (4.10) of BMZ 2009, corrected]; where the shape has more
    variables than dimensions (a point of the sphere) it is in ``(r, y)`` with invariant quasi-velocities ``y``.
    ``reconstruction`` adds the group: ``ġ = g(Ω − A ṙ)``.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> nh.reduce(sleigh.system)
    <Reduction of Chaplygin sleigh by SE(2): shape none; momenta p1, p2; print it to read it>
    """

    def simulate(
        self,
        start: Mapping[str, Any] | None = None,
        until: float = 10.0,
        parameters: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Any:
        """The reduced motion and its reconstruction from a start in the full system's names."""
        return reduced_motion(self, start, until, parameters, options)

    @property
    def paper(self) -> FrozenMap[str, LabelledEquations]:
        """The equations of BMZ 2009 by their labels, ``paper["(4.2)"]``, in this basis and connection."""
        return labelled_equations(self)

    def potential(
        self,
        momenta: Mapping[str, float] | Sequence[float],
        parameters: Mapping[str, float] | None = None,
        at: float | None = None,
        reach: tuple[float, float] | None = None,
    ) -> Any:
        """The reduced potential Ū of one shape variable, for the momenta of a start or for numbers p at the shape ``at``."""
        from nonholo.symmetry.quadrature.reduced_potential import potential

        return potential(self, momenta, parameters, at, reach)

    def plot_potential(self, momenta: Any = None, parameters: Mapping[str, Any] | None = None, **options: Any) -> Any:
        """A figure of the reduced potential with its extrema and, at an ``energy``, the turning points."""
        return presenter("potential")(self, momenta, parameters, **options)

    def _repr_html_(self) -> str:
        return notebook_html("shown_reduction", self)

    def __repr__(self) -> str:
        shape = ", ".join(self.shape.names) or "none"
        momenta = ", ".join(self.momenta) or "none"
        return f"<Reduction of {self.system.name} by {self.group_name}: shape {shape}; momenta {momenta}; print it to read it>"

    def _repr_pretty_(self, page: Any, cycle: bool) -> None:
        page.text(str(self))

    def __str__(self) -> str:
        from nonholo.symmetry.reduction.reduction_record import text

        return text(self)


def _constrained(frame: Aligned, rates: Sequence[Any], turning: Sequence[Any]) -> Expr:
    """``l_c(r, ṙ, Ω)``."""
    data = frame.data
    moving = [s - data.drift[c] for s, c in zip(rates, frame.rows)] if data.drift else rates
    whole = (*moving, *turning)
    return kinetic(data.metric, whole) + dot(data.linear, whole) - data.potential


def reduce(
    system: System,
    symmetry: Symmetry | str | None = None,
    *,
    at: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
    witness: bool = True,
    basis: Mapping[str, Mapping[str, Any]] | str | None = None,
    connection: Mapping[str, Mapping[str, Any]] | str | None = None,
    complement: Mapping[str, Mapping[str, Any]] | None = None,
) -> Reduction:
    """The system modulo its symmetry: the declared one, another given here, or the obvious one that is found.

    What is found is affine in the coordinates, or else hidden: turns of a sphere in its angles, shifts in polar coordinates.
    ``symmetry="all"`` takes hidden symmetries together with affine ones, the largest group that acts freely.

    ``at`` is a configuration (with parameter values, if it matters) near which the shape variables should be good.
    ``parameters`` are put in before symmetries are looked for, so that those are found that hold for these values
    only; the reduction has these parameters no more. An input in a constraint that does a formula is put in too; one of
    which nothing is said becomes a shape variable ``u`` that an input ``u_rate`` drives, and `Reduction.simulate` takes its law.

    ``basis`` are invariant vector fields ``L_g* e_a(r)`` by name that span S, or all directions of the group with S first: a
    basis that turns with the shape [BMZ 2009 (2.11)]; the momenta are called ``p_name``. ``complement`` spans U. ``connection``
    is one of "nonholonomic", "mechanical", "trivial" (A = 0 along S), a table of horizontal fields, one for each shape variable,
    or of components ``{"r": {"name": "A(r)"}}`` along the basis of S; along U it follows from the constraints (4.1).
    ``basis="parallel"`` asks for a basis in which the τ term of the momentum equation vanishes (Theorem 4.4; (6.6)–(6.8)).

    The symmetries are tried first: each must carry a computed motion to a motion, and so is reversibility by a motion run
    backwards; a contradiction is a `Defect` among the findings;
    ``witness=False`` leaves this out.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> red = nh.reduce(sleigh.system)
    >>> red.momenta, red.shape.names
    (('p1', 'p2'), ())
    """
    check_system(system)
    if parameters:
        system = specialised(system, parameters)
    system, condition = lasting(system)
    require_motion(system, condition)
    system, _ = unfolded(freest(driven_by_laws(system)))
    if isinstance(symmetry, str):
        if symmetry != "all":
            raise ModelError(
                f'{system.name}: symmetry {symmetry!r} where a Symmetry or "all" is needed; give symmetry=nh.Symmetry(...).'
            )
        affine = group_of(system).symmetry
        symmetry = with_hidden(system, affine) or affine
    choice = choice_of(system, basis, connection or "", complement)
    found = _reduced(system, symmetry, FrozenMap(at) if at is not None else None, choice)
    findings = found.findings
    if witness:
        values = run_parameters(system, None)
        _, wrong = tried_group(system, values, dict(zip(found.group.names, found.group.on_coordinates)))
        findings = (*wrong, *tried_reversal(system, values, findings))
    findings = tuple(while_lasting(f, condition) for f in findings)
    return found if findings == found.findings else replace(found, findings=findings)


def afresh(system: System) -> Reduction:
    """The default reduction of a system, computed without the cache; the result is put into the cache of `reduce`."""
    check_system(system)
    request = unfolded(freest(driven_by_laws(system)))[0], None, None, Choice()
    found = _computed(*request)
    _reductions.put(request, found)
    return found


def _refusal(system: System) -> str:
    """The error message where no symmetry is known."""
    known = group_of(system).plain
    if known:
        used = {str(s) for field in known.values() for e in field for s in e.free_symbols}
        names = [n for n in system.parameters if n in used]
        return (
            f"{system.name}: the system is the same under {', '.join(known)}, whose factors are no small fractions, and such "
            f"maps are not reduced by; {with_numbers(system, names) if names else ''}turn or scale the coordinates so that one "
            "of them is shifted."
        )
    return (
        f"{system.name}: no symmetry is declared, and no map that is affine in these coordinates, with small fractions for "
        "factors (shift, turn, shear, scaling), leaves the system as it is, nor does a field of products of simple functions; "
        "declare one with symmetry=nh.Symmetry(...), in coordinates that it shifts or turns."
    )


_reductions: Cache[Reduction] = Cache(16)


def _reduced(system: System, symmetry: Symmetry | None, at: Mapping[str, float] | None, choice: Choice) -> Reduction:
    """The reduction, cached: integrals, studies and reports need the same one."""
    return _reductions.get((system, symmetry, at, choice), lambda: _computed(system, symmetry, at, choice))


def _computed(system: System, symmetry: Symmetry | None, at: Mapping[str, float] | None, choice: Choice) -> Reduction:
    """The reduction, computed."""
    if system.frame is None or not system.coordinates:
        raise ModelError(
            f"{system.name}: there are no coordinates left to reduce: the velocities {', '.join(system.velocities)} already "
            "are the reduced ones; use hamel."
        )
    chosen = symmetry or system.symmetry or group_of(system).symmetry or with_hidden(system, None)
    if chosen is None:
        raise ModelError(_refusal(system))
    whole = bool(choice or symmetry or system.symmetry)
    return _first(system, chosen, whole, lambda group: _by(system, group, at, choice))


def _first(system: System, chosen: Symmetry, whole: bool, answer: Callable[[Symmetry], T]) -> T:
    """The answer for a group, or the first of its parts that has one: more may be found than a section is found for."""
    problem = None
    parts = _parts(chosen) if not whole and constraint_rows(system).linear else ()
    for group in (chosen, *parts):
        try:
            return answer(group)
        except ModelError as reason:
            problem = problem or reason
    raise problem or ModelError(_refusal(system))


def _parts(symmetry: Symmetry) -> Iterator[Symmetry]:
    """Smaller groups, the largest first: without one generator, then without two."""
    names = list(symmetry.generators)
    for size in range(len(names) - 1, max(0, len(names) - 3), -1):
        for kept in combinations(names, size):
            yield Symmetry({n: symmetry.generators[n] for n in kept}, "found, a part")


class _Local(NamedTuple):
    """A system that a group leaves as it is, and its shape and data there."""

    system: System
    forced: System
    group: Action
    found: tuple[Finding, ...]
    local: LocalReduction


def _local(system: System, chosen: Symmetry, at: Mapping[str, float] | None) -> _Local:
    group = action(system, chosen)
    system = with_magnetic_form(system, group.on_coordinates)
    forced = with_invariant_potential(system, group.on_coordinates)
    found = invariance(forced, group)
    require_invariance(system, found)
    require_linear(system, group.names)
    return _Local(system, forced, group, tuple(found), local_reduction(system, group, at))


def _by(system: System, chosen: Symmetry, at: Mapping[str, float] | None, choice: Choice) -> Reduction:
    """The reduction by a symmetry."""
    system, forced, group, found, local = _local(system, chosen, at)
    shape, basis, data = local.shape, local.basis, local.data
    near = None
    if at:
        from nonholo.algebra.linear_equations import evaluate

        inside = {**data.samples[0], **dict.fromkeys(system.coordinates, 0.0), **at}
        near = {**dict(zip(shape.names, evaluate(list(shape.functions), inside).tolist()))} if shape.names else {}
        near |= {n: float(e) for n, e in at.items() if n in system.parameters}
    names: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    if choice:
        own = chosen_frame(system, group, local, near, choice)
        frame, linked, names, others = own.frame, own.linked, own.names, own.others
    else:
        frame = aligned(system, data, near)
        linked = connection_of(system, group, basis, shape, frame, local.section)
    shown = tuple(shape.names[c] for c in frame.rows)
    numbers = None if linked is None else coefficients(linked, frame.inverse_inertia, (names, others), shown)
    taken = {*known_names(system), *shape.names}
    momenta = tuple(fresh(f"p_{n}", 1, taken)[0] for n in names) or fresh("p", frame.vertical, taken)
    rates = tuple(rate(shape.names[c]) for c in frame.rows)
    shape_force, momentum = momentum_and_shape(frame, symbols(momenta), symbols(rates))
    if choice.basis == PARALLEL:
        if not any(e != 0 for e in frame.data.forces):
            momentum = without_transport(momentum, symbols(momenta), symbols(rates))
        shape_force, momentum = exponents_collected(shape_force), exponents_collected(momentum)
    turning = fresh("Omega_", frame.vertical, taken, always=True)
    moving = in_velocities(system, data, frame, basis, momenta, rates)
    equations = moving
    if not shape.redundant:
        equations = in_momenta(system, data, frame, momenta, rates, shape_force, momentum)
    return Reduction(
        system=system,
        symmetry=chosen,
        group=group,
        shape=shape,
        basis=basis,
        frame=frame,
        data=data,
        bases=bases_of(system, group, basis, shape, frame, linked),
        connection=linked,
        coefficients=numbers,
        momenta=momenta,
        rates=rates,
        turning=turning,
        lagrangian=_constrained(frame, symbols(rates), symbols(turning)),
        momentum_equation=FrozenMap(dict(zip(momenta, momentum))),
        equations=equations,
        invariant_equations=moving,
        reconstruction=full_equations(system, shape, basis, frame, equations, momenta, rates),
        findings=(
            *found,
            *findings_of(forced, group, shape, basis, frame, numbers, equations, momenta, rates, momentum),
        ),
    )


WORK = 4.0
"""Units of work after which the reduction is given up."""
TOO_MUCH = "the reduction is too much work here"
LONG = 9000
"""Systems with more symbols, numbers and operations, written out, are reduced by `nh.reduce` alone: the work is not counted."""
LONG_MACHINE = 4000
_tried: Cache[tuple[Reduction | None, str]] = Cache(16)
_dimensions: Cache[tuple[int, int, int] | None] = Cache(16)


def attempted(system: System) -> tuple[Reduction | None, str]:
    """The reduction by the declared symmetry or the one that is found, or None and why.

    A cached reduction that took more than the budget is not used: answers must not depend on what was computed before.
    """
    return _tried.get(system, lambda: _attempt(system))


def dimensions(system: System) -> tuple[int, int, int] | None:
    """Of the default reduction, without its equations: free velocities and size of the shape, and the number of momenta."""
    return _dimensions.get(system, lambda: None if is_long(system) else within(WORK, lambda: _dimensions_of(system)))


def _dimensions_of(system: System) -> tuple[int, int, int] | None:
    moved = unfolded(freest(driven_by_laws(system)))[0]
    chosen = moved.symmetry or group_of(moved).symmetry
    if chosen is None:
        return None

    def counted(group: Symmetry) -> tuple[int, int, int]:
        whole, _, _, _, local = _local(moved, group, None)
        frame = aligned(whole, local.data)
        return frame.horizontal, local.shape.size, frame.vertical

    return _first(moved, chosen, moved.symmetry is not None, counted)


def is_long(system: System) -> bool:
    """Whether a reduction would be given up before it is begun; machines share more of what is written, and are given less."""
    size = sum(map(written_size, (system.lagrangian, *system.constraints, *system.holonomic)))
    return size > (LONG if system.machine is None else LONG_MACHINE)


def _attempt(system: System) -> tuple[Reduction | None, str]:
    if is_long(system):
        return None, TOO_MUCH
    trouble: list[str] = []

    def attempt() -> Reduction | None:
        try:
            return afresh(system)
        except NonholoError as problem:
            trouble.append(str(problem))
            return None

    found = within(WORK, attempt)
    return found, "" if found is not None else (trouble or [TOO_MUCH])[0]
