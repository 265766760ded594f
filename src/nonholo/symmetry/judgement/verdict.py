"""The verdict on a system: freedom, symmetry, integrals, measure, Hamiltonisation, a computed motion, and the conclusion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from nonholo.algebra.budget import within
from nonholo.algebra.calculus import ZERO
from nonholo.algebra.prime.random_points import Unsupported
from nonholo.derive.angle_coordinates import angle_coordinates
from nonholo.derive.laws.hints import hints
from nonholo.errors import NonholoError
from nonholo.finding import (
    Density,
    Finding,
    Freedom,
    Hint,
    Lasting,
    LinearMomenta,
    Measure,
    MotionFills,
    MotionFillsCurve,
    ReducedHamiltonian,
    Symmetries,
    for_almost_all,
    while_lasting,
)
from nonholo.finding.answer import kind_name, plain
from nonholo.finding.conclusions import (
    Attracted,
    Conclusion,
    General,
    Integrable,
    IntegrableByEulerJacobi,
    IntegrableByQuadratures,
    Open,
    OpenBeyondTests,
    OpenByInputs,
)
from nonholo.finding.html_tables import folded, html_table
from nonholo.finding.sentences import conclusion_sentence, headline, lasting_words
from nonholo.finding.statements import ALWAYS
from nonholo.model.lasting_contacts import lasting, require_motion
from nonholo.model.rotation_axes import axes_of, with_meanings
from nonholo.model.specialise import angles_apart, driven_by_laws, specialised
from nonholo.model.system import System, check_system, known_parameters
from nonholo.model.velocities.admissible import admissible
from nonholo.model.velocities.driven_coordinates import unfolded
from nonholo.notation.write import to_text
from nonholo.symmetry.exact.gauge_terms import freest
from nonholo.symmetry.exact.modular_states import Motion, NoPoints, motion_of, parameters_left
from nonholo.symmetry.exact.null_space_search import Sought
from nonholo.symmetry.group.shift_turn_algebra import Generator
from nonholo.symmetry.group.symmetry_group import group_of, group_of_motion
from nonholo.symmetry.integrals.drift_test import run_parameters
from nonholo.symmetry.integrals.integral_text import text_of
from nonholo.symmetry.integrals.integrals import Request, find_integrals
from nonholo.symmetry.judgement.autonomous_part import (
    Part,
    by_local_integrals,
    count_integrals,
    descends,
    generic_state,
    is_local,
    parts,
    quadrature_order,
    single_valued,
)
from nonholo.symmetry.judgement.comoving_frame import in_moving_frame
from nonholo.symmetry.judgement.motion_statistics import LASTING, filled, lasts, shrinking, winding_torus
from nonholo.symmetry.measure.density import measure_for
from nonholo.symmetry.reduction.reduce import TOO_MUCH, attempted, dimensions
from nonholo.symmetry.witness.trials import tried_dimension, tried_freedom, tried_group, tried_integrals, tried_measure

REDUCING = 1.5
"""Units of work after which the reduction is given up."""
CLEAR = 0.35
"""A dimension whose slopes differ by more than this is not believed."""


@dataclass(frozen=True)
class Judgement:
    """Lines, each proved, measured or open, and what follows from them.

    >>> import nonholo as nh
    >>> bool(nh.verdict(nh.System(coordinates="x", lagrangian="xdot**2/2 - x**2/2")))
    True
    """

    system: System
    findings: tuple[Finding, ...]
    decision: Conclusion
    condition: Lasting = ALWAYS
    """While which contacts keep their mode."""

    def __bool__(self) -> bool:
        return self.decision.decided

    @property
    def conclusion(self) -> str:
        """What follows, in a sentence."""
        return conclusion_sentence(self.decision) + lasting_words(self.condition)

    def as_json(self) -> dict[str, object]:
        """Plain data for a program: the lines, what follows from them, and the sentences for people."""
        return {
            "name": self.system.name,
            "lines": [{**f.as_json(), "status": status(f)} for f in self.findings],
            "decided": bool(self),
            "decision": {"kind": kind_name(self.decision), **plain(self.decision)},
            "conclusion": self.conclusion,
        }

    def __repr__(self) -> str:
        return f"<Judgement of {self.system.name}: {self.conclusion}>"

    def _repr_html_(self) -> str:
        """The conclusion and a table of the lines with their details folded, for a notebook."""
        rows = [[status(f), f"{escape(line(f, self.system))}{folded(f.details)}"] for f in self.findings]
        return f"<p><b>{escape(headline(self.conclusion))}</b></p>{html_table(rows, caption=self.system.name)}"

    def __str__(self) -> str:
        lines = [f"{self.system.name}"]
        for f in self.findings:
            lines.append(f"  {status(f):<9}{line(f, self.system)}")
            lines += [f"{' ' * 11}({f.evidence})"] if f.verdict != "holds" and f.evidence else []
        return with_meanings("\n".join([*lines, f"  result   {self.conclusion}"]), axes_of(self.system), " " * 11)


def status(finding: Finding) -> str:
    """proved, exact (without a certificate), measured, open, or a hint."""
    if isinstance(finding.data, Hint):
        return "hint"
    if finding.verdict == "unknown":
        return "open"
    return "proved" if finding.proved else "exact" if finding.exact else "measured"


def line(finding: Finding, system: System | None = None) -> str:
    """A finding in one line, without its numbers; a density is made short by what makes a matrix of the system a rotation."""
    value = f": {finding.value}" if isinstance(finding.value, str) else ""
    shown = ""
    if finding.formula is not None and isinstance(finding.data, Measure):
        text = text_of(system, finding.formula, " " * 160) if system is not None else to_text(finding.formula)
        shown = f": f = {text}" if len(text) < 160 else ": f is a long expression"
    return f"{finding.claim}{value}{shown}"


def verdict(
    system: System,
    parameters: Mapping[str, float] | None = None,
    *,
    start: Mapping[str, float] | None = None,
    witness: bool = True,
) -> Judgement:
    """The judgement of a system: every line proved, measured or open, and what follows from them.

    What is about to be called proved is tried on motions by multipliers first; ``witness=False`` leaves this out.

    >>> skate = System(coordinates="theta x y", lagrangian="(xdot**2 + ydot**2 + thetadot**2)/2",
    ...     constraints=["ydot*cos(theta) - xdot*sin(theta)"])
    >>> print(verdict(skate).conclusion)
    integrable by quadratures: 4 independent integrals leave curves in the state space (5 dimensions)
    """
    check_system(system)
    alone, condition = lasting(system)
    require_motion(alone, condition)
    found = _judged(alone, parameters, start, witness, hints(system, start))
    return replace(found, findings=tuple(while_lasting(f, condition) for f in found.findings), condition=condition)


def _judged(
    system: System, parameters: Mapping[str, float] | None, start: Any, witness: bool, said: Sequence[Finding]
) -> Judgement:
    """The judgement of a system whose contacts keep their mode, with the hints ``said`` on the system as it was written."""
    values = run_parameters(system, parameters)
    given, system = system, freest(system)
    integrals = [f for f in find_integrals(system, Request(parameters=parameters, start=start)) if not _prolonged(f)]
    integrals = list(tried_integrals(given, values, integrals)) if witness else integrals
    wider, _ = unfolded(angles_apart(driven_by_laws(system)))
    try:
        motion = motion_of(wider)
        Sought(motion, {}, True).states(2, 1)
    except (NoPoints, Unsupported) as problem:
        whole = group_of(wider)
        group, wrong = tried_group(given, values, whole.generators) if witness else (whole.generators, ())
        undecided = Finding(Symmetries(), "unknown", evidence=whole.open or str(problem))
        reason = _symmetries(wider, group) if group else undecided
        free = _freedom(system, None)
        lines = [tried_freedom(given, values, free) if witness else free, *integrals, *wrong, reason, *said]
        return Judgement(system, tuple(lines), _without(integrals))
    whole = group_of_motion(motion)
    group, wrong = tried_group(given, values, whole.generators) if witness else (whole.generators, ())
    given_values = known_parameters(system, parameters)
    measure = measure_for(motion, given_values)
    if witness:
        measure = tried_measure(given, values, measure, motion.allowed.speeds)
    symmetry = (*wrong,) if wrong and not group else (*wrong, _symmetry(motion, group, whole.open, given_values))
    free = _freedom(system, None if wider is not system else motion)
    lines = [tried_freedom(given, values, free) if witness else free, *symmetry]
    lines += [*integrals, measure, _hamiltonised(system)]
    if wider.coordinates != system.coordinates:
        shown = Finding(MotionFills(), "unknown", None, "inputs act on the motion")
        return Judgement(system, (*lines, shown, *said), OpenByInputs())
    kept = single_valued(motion, integrals)
    spread = isinstance(measure.data, Measure) and measure.data.density is not Density.TIME and not measure.data.values
    density = measure.formula if measure and spread else None
    try:
        spaces = parts(motion, list(group.values()), [f.expression for f in kept])
        measured = [density is not None and descends(motion, density, part) for part in spaces]
        counts = [(c.count, c.exact) for c in count_integrals(motion, spaces, kept, values)]
    except (NoPoints, Unsupported) as problem:
        shown = Finding(MotionFills(), "unknown", None, str(problem))
        return Judgement(system, (*lines, shown, *said), _without(integrals))
    curves = [p.words for p, (count, _) in zip(spaces, counts) if p.dimension and count >= p.dimension - 1]
    if curves:
        sure = all(s for _, s in counts)
        shown = Finding(MotionFillsCurve(curves[0]), "holds", None, "by the integrals", proved=sure)
    else:
        shown = _shown(system, motion, spaces[1], values, start)
    lines += _tori(system, motion, spaces[0], integrals, counts[0][0], values, start)
    found = _conclusion(motion, spaces, counts, measured, shown)
    if not isinstance(found, Integrable):
        others = (_from_moving_frame(motion, group, parameters), by_local_integrals(motion, group, integrals, values))
        found = next((other for other in others if other is not None), found)
    if witness:
        part, (count, _) = min(
            ((p, c) for p, c in zip(spaces, counts) if not p.group), key=lambda pair: pair[0].dimension - pair[1][0]
        )
        left, begin = max(1, part.dimension - count), _begin(system, motion, values, start)
        claim = shown if curves else Finding(MotionFills(float(left), 0.0, part.dimension), "holds", proved=True)
        names = [*map(str, part.coordinates), *system.velocities]
        false = tried_dimension(given, values, claim, left, names, begin) if count and names else None
        if false is not None:
            shown, found = false, Open(part.dimension)
    return Judgement(system, (*lines, shown, *said), found)


def _tori(
    system: System, motion: Motion, whole: Part, integrals: Sequence[Finding], count: int, values: Mapping[str, float], start: Any
) -> list[Finding]:
    """The invariant torus of a motion whose local integrals leave curves although the single-valued ones do not."""
    every = single_valued(motion, integrals, local=True)
    if not any(map(is_local, every)):
        return []
    (found,) = count_integrals(motion, [whole], every, values)
    if found.count < whole.dimension - 1 or count > whole.dimension - 2:
        return []
    torus = winding_torus(system, _begin(system, motion, values, start), values, whole.dimension - count)
    return [] if torus is None else [torus]


def _from_moving_frame(
    motion: Motion, group: Mapping[str, Generator], parameters: Mapping[str, float] | None
) -> Conclusion | None:
    """The conclusion in a frame that moves with a drift of the constraints, where all is integrable there."""
    moving = in_moving_frame(motion, list(group.values()))
    if moving is None:
        return None
    found = _judged(moving[0], parameters, None, False, ()).decision
    if not isinstance(found, Integrable) or (isinstance(found, IntegrableByQuadratures) and found.around):
        return None
    return replace(found, space=f"{found.space} seen from a frame that moves with ({_arrow(motion.system, moving[1])})")


def _begin(system: System, motion: Motion, values: Mapping[str, float], start: Any) -> dict[str, float]:
    """The start of a motion: the given one, or a generic state."""
    begin = {**dict(system.start), **(start or {})}
    if begin:
        return begin
    place = generic_state(motion, values)
    return {str(n): place[str(n)] for n in (*motion.equations.coordinates, *motion.equations.speeds)}


def _prolonged(finding: Finding) -> bool:
    return finding.verdict == "fails" and isinstance(finding.data, LinearMomenta)


def _freedom(system: System, motion: Motion | None) -> Finding:
    n = system.frame.size
    allowed = motion.allowed if motion is not None else admissible(system)
    m = len(allowed.speeds)
    if not allowed.explicit:
        m -= len(allowed.rows.residuals)
    return Finding(Freedom(n, m), "holds", proved=True)


def _arrow(system: System, field: Generator) -> str:
    """A field as text: what it adds to each coordinate."""
    return ", ".join(f"{c}: {to_text(e)}" for c, e in zip(system.coordinates, field) if e != 0)


def _symmetry(motion: Motion, group: Mapping[str, Generator], left: str, given: Mapping[str, float]) -> Finding:
    system = motion.system
    if not group:
        if left:
            return Finding(Symmetries(), "unknown", None, left)
        known = {n: v for n, v in given.items() if n in system.parameters and n not in system.frame.parameters}
        special = group_of(specialised(system, known)) if known else None
        if special is not None and special.generators:
            return _symmetries(system, special.generators, True)
        if special is not None and special.open:
            return Finding(Symmetries(values=True), "unknown", None, special.open)
        reduction, _ = attempted(system)
        if reduction is not None:  # a shear or a scaling
            fields = zip(reduction.group.names, reduction.group.on_coordinates)
            found = Symmetries(tuple(f"{n} ({_arrow(system, f)})" for n, f in fields))
            return Finding(found, "holds", None, "", None, "affine maps, at random states")
        none = Finding(Symmetries(), "fails", None, "none among shifts, turns of pairs, turns of bodies", proved=True)
        return for_almost_all(none, parameters_left(motion, known))
    return _symmetries(system, group)


def _symmetries(system: System, group: Mapping[str, Generator], values: bool = False) -> Finding:
    words = [f"{n} ({_arrow(system, f)})" if n.startswith("hidden_") else n for n, f in group.items()]
    added = tuple(tuple(to_text(e) for e in field) for field in group.values())
    return Finding(Symmetries(tuple(words), added, values), "holds", None, "", None, "null space of all changes", True)


def _hamiltonised(system: System) -> Finding:
    """Chaplygin's change of time on the shape, where the system can be reduced within the budget."""
    from nonholo.symmetry.quadrature.adjoint_equation import constrained_shape
    from nonholo.symmetry.quadrature.chaplygin_time import hamiltonise

    if (counted := dimensions(system)) and counted[1] and counted[0] != counted[1]:  # seen before the work of a reduction
        return Finding(ReducedHamiltonian(), "unknown", None, constrained_shape(system.name, *counted[:2]))
    reduction, why = attempted(system)
    if reduction is None:
        return Finding(ReducedHamiltonian(), "unknown", None, why)
    trouble: list[str] = []

    def attempt() -> Any:
        try:
            return hamiltonise(reduction)
        except NonholoError as problem:
            trouble.append(problem.said("page").removeprefix(f"{system.name}: "))
            return None

    found = within(REDUCING, attempt)
    if found is None:
        return Finding(ReducedHamiltonian(), "unknown", None, trouble[0] if trouble else TOO_MUCH)
    if found.findings and bool(found):
        shown = "" if found.multiplier in (None, 1) else text_of(system, found.multiplier, "a long expression")
        words = "φ-simple [García-Naranjo and Marrero 2020]" if len(found.findings) > 1 else found.findings[0].evidence
        return Finding(ReducedHamiltonian(words, shown), "holds", None, "at random shapes")
    first = next((f for f in found.findings if not f), None)
    refuted = first is not None and first.verdict == "fails"
    return Finding(ReducedHamiltonian(), "fails" if refuted else "unknown", None, first.claim if first is not None else "")


def _shown(system: System, motion: Motion, part: Part, values: Mapping[str, float], start: Any) -> Finding:
    """How many independent integrals a motion shows: the dimension of the part less that of what the motion fills."""
    begin = _begin(system, motion, values, start)
    turning = set(angle_coordinates(system))
    names = [*map(str, part.coordinates), *system.velocities]
    if system.inputs or not names:
        return Finding(MotionFills(), "unknown", None, "inputs act on the motion" if system.inputs else "nothing moves")
    found = filled(system, begin, dict(values), names, [n for n in names if n in turning])
    if found.dimension is None or found.run is None:
        return Finding(MotionFills(), "unknown", None, found.words)
    size, spread = found.dimension, found.spread
    clear = abs(size - round(size)) + spread < CLEAR
    shrinks = shrinking(motion, found.run, values)  # attraction is not integrability
    if shrinks is not None and not lasts(motion, shrinks, filled(system, begin, dict(values), names, [], LASTING).run, values):
        shrinks = None
    data = MotionFills(size, spread, part.dimension, clear, shrinks)
    return Finding(data, "unknown" if spread > CLEAR and shrinks is None else "holds", None, found.words)


def _without(integrals: Sequence[Finding]) -> Conclusion:
    return OpenBeyondTests(sum(1 for f in integrals if f and f.expression is not None))


def _conclusion(
    motion: Motion,
    spaces: Sequence[Part],
    counts: Sequence[tuple[int, bool]],
    measured: Sequence[bool],
    shown: Finding,
) -> Conclusion:
    if motion.system.inputs:
        return OpenByInputs()
    for part, (count, sure) in zip(spaces, counts):
        if part.dimension and count >= part.dimension - 1:
            rest = () if part.group else quadrature_order(motion, part)
            return IntegrableByQuadratures(part.words, part.dimension, count, sure, rest)
    for part, (count, sure), spread in zip(spaces, counts, measured):
        if spread and part.dimension and count == part.dimension - 2:
            return IntegrableByEulerJacobi(part.words, part.dimension, count, sure)
    best = min(part.dimension - count for part, (count, _) in zip(spaces, counts))
    if shown and isinstance(shown.data, MotionFills) and shown.data.shrinks is not None:
        return Attracted(best, shown.data.dimension if shown.data.clear else None, shown.data.shrinks)
    fills = shown.data.dimension if shown and isinstance(shown.data, MotionFills) and shown.data.clear else None
    return General(best, fills) if fills is not None and fills > 2.5 else Open(best, fills)


__all__ = ["ZERO", "Judgement", "line", "status", "verdict"]
