"""Can a system be steered? One judgement, with proofs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nonholo.algebra.calculus import symbols
from nonholo.algebra.expression_types import Expr
from nonholo.analyse.constraints.classify_constraints import classify
from nonholo.control.reachability import bracket_certificates  # noqa: F401  (registers its kinds)
from nonholo.control.reachability import control_statements as told
from nonholo.control.reachability.bracket_tests import AtState, state_test
from nonholo.control.reachability.control_affine import ControlAffine, Reading, control_affine
from nonholo.control.reachability.control_statements import Where
from nonholo.control.reachability.generic_accessibility import Generic, evidence, generic_test
from nonholo.control.reachability.group_directions import fibre_finding
from nonholo.control.reachability.linear_tests import LinearTest, numeric_test
from nonholo.derive.hamel import hamel
from nonholo.errors import NonholoError, StateError, meant
from nonholo.finding import Finding, Findings, for_almost_all
from nonholo.finding.statements import Exact, Measured, Proved, Reason
from nonholo.geometry.distributions.distribution import Distribution, annihilator
from nonholo.geometry.frames.frame import rate
from nonholo.model.scalars import finite
from nonholo.model.specialise import with_fractions
from nonholo.model.system import System, check_system, known_parameters, named, parameter_values
from nonholo.notation.write import to_text


@dataclass(frozen=True, eq=False)
class Controllability:
    """The answer of `controllability`; ``print`` it.

    >>> import nonholo as nh
    >>> answer = nh.controllability(nh.control.kinematic_system("x y z", {"x": "u", "y": "w", "z": "x*w"}, "u w"), {"x": 0})
    >>> [f.verdict for f in answer.find("smooth_stabiliser")]
    ['fails']
    """

    name: str
    reading: Reading
    """``kinematic``: inputs are velocities; ``dynamic``: inputs are forces, or rates of velocities."""
    inputs: tuple[str, ...]
    """The inputs, in the order of the fields g1, g2, … of the findings."""
    names: tuple[str, ...]
    """The variables of the state."""
    dimension: int
    """Of the state space: variables less relations."""
    accessible: bool | None
    locally_controllable: bool | None
    """Small-time local controllability; None where it is not decided."""
    linear: LinearTest | None
    """None where the state is not steady."""
    findings: tuple[Finding, ...]
    where: Where

    def find(self, kind: str) -> tuple[Finding, ...]:
        """The findings of a kind: ``accessible``, ``bad_bracket``, ``decoupling_field``, ``leaves`` …"""
        return tuple(f for f in self.findings if f.kind == kind)

    def __str__(self) -> str:
        fields = ", ".join(f"g{k} = {n}" for k, n in enumerate(self.inputs, 1))
        head = f"{self.name}: {self.reading}, {len(self.inputs)} input{'s' if len(self.inputs) != 1 else ''} ({fields}), "
        return "\n".join([f"{head}{self.dimension} dimensions", *(f"  {f}" for f in self.findings)])

    def __repr__(self) -> str:
        verdict = {True: "locally controllable", False: "not locally controllable", None: "local controllability not decided"}
        accessible = {True: "accessible", False: "not accessible", None: "accessibility not decided"}[self.accessible]
        return f"<Controllability of {self.name}: {accessible}, {verdict[self.locally_controllable]}; print it to read why>"

    def _repr_html_(self) -> str:
        return Findings(self.findings)._repr_html_()


def controllability(
    system: System,
    state: Mapping[str, Any] | None = None,
    *,
    parameters: Mapping[str, Any] | None = None,
    kinematic: bool | None = None,
) -> Controllability:
    """Whether a system can be steered: accessibility, small-time local controllability, the linearisation, and what prevents it.

    A system whose inputs give its velocities is kinematic, one whose inputs are forces is dynamic. Without inputs, or with
    ``kinematic=True``, the independent speeds are the inputs: the constraints alone. ``state`` (what is missing is 0) is the
    state asked about; without one it is almost every state, for dynamic systems at rest. Parameters without a value are generic.

    >>> import nonholo as nh
    >>> skate = nh.System(name="skate", coordinates="theta x y", lagrangian="(thetadot**2 + xdot**2 + ydot**2)/2",
    ...     constraints=["ydot*cos(theta) - xdot*sin(theta)"])
    >>> answer = nh.controllability(skate)
    >>> answer.accessible, answer.locally_controllable, bool(answer.linear)
    (True, True, False)
    >>> print(answer.findings[0].claim)
    accessible at almost every state: brackets span 2, 3 of 3 dimensions
    """
    check_system(system)
    system = with_fractions(system)  # products of decimals are rounded otherwise
    values = _values(system, parameters)
    control = control_affine(system, kinematic)
    full = None if state is None else _full(control, state, values)
    if full is not None and not control.extended:
        control = _adapted(control, full, values, kinematic)
        full = _full(control, state or {}, values)
    generic = generic_test(control, values, full)
    local = state_test(control, values, full, generic)
    linear, at = local.linear, local.where
    numbers = _numbers(control, parameters)
    if numbers is not None and full is not None and not control.by_speeds and not control.extended:
        found = numeric_test(system, full, local.held(control), numbers)
        if found is not None:
            linear = _rank_with_modes(linear, found) if linear is not None and not found.ignored else found
    almost = [_by_the_state(f, full is not None and local.accessible is True) for f in generic.findings]
    findings = [*almost, *local.findings, *_linear_findings(control, linear, at, local)]
    fibre = fibre_finding(control, generic, local)
    leaves = leaves_finding(control, generic, local)
    refuted = nonintegrability_finding(control, generic)
    findings += [f for f in (fibre, leaves, refuted) if f is not None]
    used = {s for part in (*control.mass, *control.kinematics, *control.forces) for e in part for s in map(str, e.free_symbols)}
    generic_names = [n for n in system.parameters if n not in values and n in used]
    findings = [for_almost_all(f, generic_names) for f in findings]
    accessible = local.accessible if full is not None else generic.accessible
    return Controllability(
        name=system.name,
        reading=control.reading,
        inputs=tuple(map(str, control.inputs)),
        names=control.names,
        dimension=local.dimension or generic.dimension,
        accessible=accessible,
        locally_controllable=local.verdict,
        linear=linear,
        findings=tuple(findings),
        where=at,
    )


def _rank_with_modes(exact: LinearTest, found: LinearTest) -> LinearTest:
    """The exact rank with the modes in numbers."""
    return LinearTest(exact.rank, exact.dimension, exact.exact, found.stuck, found.names, found.ignored)


def _by_the_state(finding: Finding, spanned: bool) -> Finding:
    """Brackets that span at one state span at almost every one (ranks only fall where a minor vanishes)."""
    if not spanned or finding.verdict != "unknown" or not isinstance(finding.data, told.Accessible):
        return finding
    return Finding(finding.data, "holds", None, Measured("brackets span at the given state, and so at almost every one"))


def _linear_findings(control: ControlAffine, linear: LinearTest | None, at: Where, local: AtState) -> list[Finding]:
    if linear is None:
        return []
    modes = tuple(_mode(m) for m in linear.stuck or ())
    how: Any = Measured("rank of (B, AB, …) in floating numbers")
    if linear.exact:
        provable = control.certified and control.driftless and at is Where.GENERIC
        how = (Proved if provable else Exact)("rank of (B, AB, …) modulo a prime")
    data = told.LinearlyControllable(at, linear.rank, linear.dimension, modes, linear.ignored)
    found = [Finding(data, "holds" if linear else "fails", None, how)]
    stable = linear.stabilisable
    if stable is None and any(isinstance(f.data, told.SmoothStabiliser) and f.verdict == "fails" for f in local.findings):
        return found  # Brockett's condition has answered
    growing = tuple(_mode(m) for m in linear.stuck or () if m.real > 0)
    why: Any = Measured("eigenvalues of modes out of reach (Hautus)")
    if linear:
        why = how
    elif stable is None:
        why = Reason("modes out of reach neither grow nor decay" if linear.stuck else "no eigenvalues without numbers")
    verdict = {True: "holds", False: "fails", None: "unknown"}[stable]
    found.append(Finding(told.Stabilisable(at, growing), verdict, None, why))  # type: ignore[arg-type]
    return found


def _mode(value: complex) -> str:
    if abs(value) < 1e-6:  # a multiple zero splits by the root of the rounding
        return "0"
    return f"{value.real:.4g}" if abs(value.imag) < 1e-9 * max(1.0, abs(value)) else f"{value:.4g}"


def _values(system: System, given: Mapping[str, Any] | None) -> dict[str, float]:
    """The parameters that have numbers: given ones, then the system's own."""
    table = named(given, f"{system.name}: parameters", '{"m": 1.5}')
    for name in table:
        if name not in system.parameters:
            hint = meant(name, system.parameters, f"its parameters are {', '.join(system.parameters) or 'none'}.")
            raise StateError(f"{system.name} has no parameter {name!r}; {hint}")
    return {n: finite(e, f"{system.name}: parameter {n}") for n, e in known_parameters(system, table).items()}


def _numbers(control: ControlAffine, given: Mapping[str, Any] | None) -> dict[str, float] | None:
    """All parameters as numbers, or None where one has none."""
    try:
        return parameter_values(control.system, given)
    except StateError:
        return None


def _full(control: ControlAffine, state: Mapping[str, Any], values: Mapping[str, float]) -> dict[str, float]:
    """Every variable of the state: given ones, and the others completed."""
    system, names = control.system, control.names
    given = named(state, f"{system.name}: state", '{"theta": 0.1}')
    home = dict(zip(system.coordinates, (float(h) for h in system.frame.home)))
    bent = {str(v) for e in control.relations for v in e.free_symbols}
    if all(n in names for n in given) and not (bent & given.keys() if not system.holonomic else bent):
        told_state = {n: finite(e, f"{system.name}: {n}") for n, e in given.items()}
        return {n: told_state.get(n, home.get(n, 0.0)) for n in names}
    from nonholo.derive.states.consistent_state import complete_state

    missing = [n for n in system.parameters if n not in values and n != "g"]
    if missing:
        raise StateError(
            f"{system.name}: the state needs the parameter {missing[0]!r} to be completed; give parameters=…, or name the state "
            f"by {', '.join(names)}."
        )
    rest = {n: e for n, e in given.items() if n not in control.extended}
    full = complete_state(system, rest, {n: e for n, e in values.items() if n in system.parameters})
    told_state = {n: finite(e, f"{system.name}: {n}") for n, e in given.items() if n in names}
    return {n: told_state.get(n, float(full.get(n, 0.0))) for n in names}


def _adapted(
    control: ControlAffine, full: Mapping[str, float], values: Mapping[str, float], kinematic: bool | None
) -> ControlAffine:
    """The control system in speeds that serve at the state; parameters without a value do not matter for the choice."""
    system = control.system
    some = {n: 1.0 + 0.37 * k for k, n in enumerate(system.parameters)}
    at = {**some, **values, **dict.fromkeys((*system.velocities, *system.quasivelocities, *system.inputs), 0.0), **full, "t": 0.0}
    try:
        equations = hamel(system, at=at)
    except NonholoError:
        return control
    return control_affine(system, kinematic, equations=equations)


def leaves_finding(control: ControlAffine, generic: Generic, local: AtState) -> Finding | None:
    """What confines a system whose brackets do not span."""
    if generic.accessible is not False or generic.growth is None or generic.words is None:
        return None
    missing = generic.dimension - generic.growth.rank
    functions = tuple(to_text(f) for f in _functions(control))[:missing]
    inside = True if control.driftless or any(isinstance(f.data, told.InsideLeaf) for f in local.findings) else None
    data = told.Leaves(missing, functions, inside)
    fact = "the brackets close (Frobenius, Nagano)"
    return Finding(data, "holds", None, evidence(control, generic.words, Where.GENERIC, fact, control.by_speeds))


def nonintegrability_finding(control: ControlAffine, generic: Generic) -> Finding | None:
    """That nonintegrable fields do not suffice, where they do not."""
    if not control.driftless or generic.accessible is not False or generic.growth is None or generic.words is None:
        return None
    rank, reached = generic.growth.dimensions[0], generic.growth.rank
    if reached == rank:
        return None
    data = told.NonintegrabilitySuffices(rank, reached, generic.dimension)
    fact = "rank of brackets modulo a prime; Chow needs all dimensions"
    return Finding(data, "fails", None, evidence(control, generic.words, Where.GENERIC, fact))


def _functions(control: ControlAffine) -> tuple[Expr, ...]:
    """Functions of the configuration that the velocities leave constant, where they are found in closed form."""
    system = control.system
    try:
        if control.by_speeds or control.reading == "dynamic":
            return classify(system).integrals
        if not control.driftless:
            return ()
        fields = [tuple(k) for k in control.kinematics[1:]]
        rows = annihilator(Distribution(system.frame, fields=fields, parameters=tuple(system.parameters)))
        rates = symbols(rate(n) for n in system.coordinates)
        residuals = [sum((a * r for a, r in zip(row, rates)), rates[0] * 0) for row in rows]
        energy = sum((r**2 for r in rates), rates[0] * 0)
        plain = System(
            name=system.name, coordinates=" ".join(system.coordinates), parameters=" ".join(system.parameters),
            lagrangian=energy, constraints=residuals,
        )  # fmt: skip
        return classify(plain).integrals
    except NonholoError:
        return ()
