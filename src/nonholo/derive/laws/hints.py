"""Hints on common mistakes: unused parameters, constraints substituted into L, missing dots, degrees, starts at rest."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import symengine as se

from nonholo.algebra.calculus import atoms, expand, larger_than, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import evaluate, evaluate_matrix
from nonholo.algebra.prime.random_points import rounded
from nonholo.algebra.prime.rational_reconstruction import decimal_fractions
from nonholo.derive.hamel import kinetic_metric, unconstrained
from nonholo.errors import VALUE, NonholoError
from nonholo.finding import Finding, Hint
from nonholo.geometry.frames.frame import rate
from nonholo.machines.machine_data import MachineData
from nonholo.model.contact_reading import expressions_of
from nonholo.model.specialise import written_formulas
from nonholo.model.system import System, covector, known_inputs, known_parameters, resolve
from nonholo.model.velocities.admissible import constraint_rows, samples_of

TURNS = 3.0
"""An angle of more turns than this is taken for degrees."""
LONG = 3000
LAST = 4
"""So many units in the last place are what a few operations round."""


def hints(system: System, start: Mapping[str, float] | None = None) -> tuple[Finding, ...]:
    """What looks like a slip, each with what to do; empty when nothing does.

    >>> penny = System(coordinates="x phi", parameters="m R", lagrangian="m/2*xdot**2 + m/2*R**2*phidot**2",
    ...     constraints=["xdot - R*phi"], start={"phi": 45.0})
    >>> for hint in hints(penny):
    ...     print(hint.claim)
    constraint 1 means phi itself and not its rate phidot
    """
    parts = (_unused, _substituted, _still, _undotted, _products, _dependent, _rounded)
    found = [hint for part in parts for hint in part(system)]
    begin = {**dict(system.start), **(start or {})}
    return (*found, *_degrees(system, begin), *(resting(system, begin) if begin else ()))


def _unused(system: System) -> list[Finding]:
    """Parameters and inputs that occur in no formula; a drawing or a page may have its own parameters."""
    if system.parametric is not None:
        return []
    drawn = system.drawing is not None or system.page is not None
    exprs = [system.lagrangian, *system.constraints, *system.holonomic, *system.forces.values(), *system.magnetic.values()]
    exprs += [e for e in (*system.quasivelocities.values(), *known_inputs(system).values()) if not isinstance(e, float)]
    exprs += [e for row in system.frame.anchor for e in row]
    exprs += [e for law in system.contacts for e in expressions_of(law)]
    used = {str(s) for e in exprs for s in e.free_symbols}
    named = [] if drawn else [("parameter", "parameters", n) for n in system.parameters]
    named += [("input", "inputs", n) for n in system.inputs]
    use = {"parameter": "the lagrangian, the constraints or the forces", "input": "the forces, e.g. [forces] with x = \"{}\""}
    return [
        Finding(
            Hint(f"the {kind} {n} occurs in no formula", (table, n)), "unknown", None,
            f"it changes nothing; remove it, or use it in {use[kind].format(n)}",
        )
        for kind, table, n in named
        if n not in used
    ]  # fmt: skip


def _rounded(system: System) -> list[Finding]:
    """Decimals that are a shorter one but for rounding, as 0.1 + 0.2 is: proofs take them as they are written.

    In formulas of an assembled machine nobody wrote them.
    """
    frame = system.frame
    exprs = [*written_formulas(system), *(e for row in frame.anchor for e in row), *(frame.brackets or {}).values()]
    exprs = exprs if system.machine is None else []
    told: list[tuple[str, float, tuple[str | int, ...]]] = [("", float(n), ()) for n in decimal_fractions(exprs)]
    told += [(f"{n} = ", v, ("parameters", n)) for n, v in known_parameters(system).items()]
    return [
        Finding(
            Hint(f"{name}{value!r} is {shorter!r} but for rounding", key), "unknown", None,
            f"proofs take decimals as they are written; write {shorter!r} if it is meant",
        )
        for name, value, key in told
        if rounded(value) and abs((shorter := float(f"{value:.12g}")) - value) <= LAST * math.ulp(value)
    ]  # fmt: skip


def _substituted(system: System) -> list[Finding]:
    """A metric that is singular though not on the admissible velocities: constraints were put into L first.

    Holonomic ones may be: coordinates that they alone define, such as those of a contact point, need no kinetic energy. So may
    velocities that are kept at zero by themselves and ask for no force, such as the spin of a rod about its axis.
    """
    assembled = isinstance(system.machine, MachineData) and system.machine.lagrangian is None
    if system.parametric is not None or assembled:
        return []
    try:
        rows = constraint_rows(system)
        metric = kinetic_metric(system)
    except NonholoError:
        return []
    if not rows.residuals or larger_than([e for row in metric for e in row], LONG):
        return []
    missing: list[str] = []
    alone = {v for row in rows.slopes for v, e in zip(system.velocities, row) if e != 0 and sum(f != 0 for f in row) == 1}
    for place in samples_of(system):
        numbers = evaluate_matrix(metric, place)
        if not np.all(np.isfinite(numbers)):
            return []
        values, directions = np.linalg.eigh((numbers + numbers.T) / 2)
        idle = directions[:, np.abs(values) < 1e-10 * max(1e-300, float(np.max(np.abs(values))))]
        if not idle.shape[1]:
            return []
        weight = np.max(np.abs(idle), axis=1)
        defined = {rate(str(s)) for e in system.holonomic for s in e.free_symbols}
        missing = [v for v, w in zip(system.velocities, weight) if w > 1e-6 and v not in defined]
        asked = idle.T @ evaluate(unconstrained(system)[1], place)
        if not missing or (alone.issuperset(missing) and np.max(np.abs(asked)) < 1e-10):
            return []
    claim = "the Lagrangian was written before the constraints were used"
    words = (
        f"it has no kinetic energy along {', '.join(missing)}, which only the constraints tie to the rest; if they were put into "
        "it before varying, the equations of motion are wrong: write the kinetic energy of every velocity as if it were free"
    )
    return [Finding(Hint(claim, ("lagrangian",)), "unknown", None, words)]


def _still(system: System) -> list[Finding]:
    """A constraint without any velocity is no constraint on velocities: all its dots were forgotten, or it is holonomic."""
    result = []
    moving = {*symbols(system.velocities), *symbols(system.quasivelocities)}
    for k, residual in enumerate(resolve(system, system.constraints)):
        present = residual.free_symbols
        held = [c for c in system.coordinates if symbol(c) in present]
        if held and not present & moving:
            claim = f"constraint {k + 1} holds no velocity"
            words = (
                f"it ties {', '.join(held)} themselves, so that no velocity follows from it; write the rates "
                f"({', '.join(map(rate, held))}) if these are meant, or give it as holonomic=[…]"
            )
            result.append(Finding(Hint(claim, ("constraints", k)), "unknown", None, words))
    return result


def _undotted(system: System) -> list[Finding]:
    found = []
    moving = {*symbols(system.velocities), *symbols(system.quasivelocities)}
    for k, residual in enumerate(resolve(system, system.constraints)):
        present = residual.free_symbols
        if not present & moving:
            continue  # all dots are missing: told already
        still = residual.xreplace(dict.fromkeys(symbols(system.velocities), se.Integer(0)))
        waves = {s for f in atoms([residual], se.sin, se.cos, se.tan) for s in f.args[0].free_symbols}
        for c in system.coordinates:
            s = symbol(c)
            if s not in present or s in waves or rate(c) not in system.velocities or symbol(rate(c)) in present:
                continue
            slope = still.diff(s)
            if slope != 0 and s not in slope.free_symbols:
                found.append((k, c, slope))
    result = []
    for k, c, slope in found:
        # a table that turns: each of two velocities is set by the other coordinate, with opposite signs
        if any(other != k and name != c and expand(e + slope) == 0 for other, name, e in found):
            continue
        claim = f"constraint {k + 1} means {c} itself and not its rate {rate(c)}"
        words = f"a velocity is set by a coordinate whose own rate does not occur; write {rate(c)} if that is meant"
        result.append(Finding(Hint(claim, ("constraints", k)), "unknown", None, words))
    return result


def _dependent(system: System) -> list[Finding]:
    """A quasi-velocity that is a combination of those before it, whatever the constraints are: it gives no new speed."""
    forms = {name: covector(system, name) for name in system.quasivelocities}
    if len(forms) < 2 or larger_than([e for row in forms.values() for e in row], LONG):
        return []
    matrices = [evaluate_matrix(list(forms.values()), place) for place in samples_of(system)]
    for i, name in enumerate(forms):
        if all(np.linalg.matrix_rank(m[: i + 1], tol=1e-9) <= i for m in matrices):
            before = ", ".join(list(forms)[:i]) or "0"
            words = f"it follows from {before}, so the equations do without it; remove it, or give an independent one"
            key = ("quasivelocities", name)
            return [Finding(Hint(f"quasi-velocity {name} depends on the others", key), "unknown", None, words)]
    return []


def _products(system: System) -> list[Finding]:
    """``τ φ̇ = 0``: either factor may vanish, and where both do the motion is not unique."""
    result = []
    moving = {*symbols(system.velocities), *symbols(map(rate, system.coordinates)), *symbols(system.quasivelocities)}
    for k, residual in enumerate(system.constraints):
        if not isinstance(residual, se.Mul):
            continue
        factors = [f for f in residual.args if f.free_symbols & {*moving, *symbols(system.coordinates)} and not _positive(f)]
        if len(factors) > 1:
            claim = f"constraint {k + 1} is a product, of which either factor may vanish"
            texts = ", ".join(f"{f} = 0" for f in factors)
            words = f"where both vanish the continuation is not unique; give the one that is meant: {texts}"
            result.append(Finding(Hint(claim, ("constraints", k)), "unknown", None, words))
    return result


def _positive(factor: Expr) -> bool:
    """Whether a factor never vanishes: an exponential, a denominator, or a number and even powers with a plus."""
    if isinstance(factor, se.Pow):
        base, exponent = factor.args
        return base == se.E or (exponent.is_Number and exponent.is_negative) or _positive(base)
    if not isinstance(factor, se.Add):
        return bool(factor.is_Number and factor.is_positive)
    even = [isinstance(a, se.Pow) and a.args[1].is_Integer and int(a.args[1]) % 2 == 0 for a in factor.args]
    return all(e or _positive(a) for a, e in zip(factor.args, even)) and any(_positive(a) for a in factor.args)


def _degrees(system: System, start: Mapping[str, float]) -> list[Finding]:
    texts = [system.lagrangian, *system.constraints, *system.holonomic]
    waves = {str(s) for f in atoms(texts, se.sin, se.cos, se.tan) for s in f.args[0].free_symbols}
    result = []
    for name, value in start.items():
        if name in system.coordinates and name in waves and abs(float(value)) > 2 * np.pi * TURNS:
            claim, degrees = f"{name} = {float(value):g} is an angle in radians", f'"{float(value):g}*pi/180"'
            words = f"it is {float(value) / (2 * np.pi):.3g} turns; if degrees are meant, write {name} = {degrees}"
            result.append(Finding(Hint(claim, ("start", name, VALUE)), "unknown", None, words))
    return result


def resting(system: System, start: Mapping[str, float]) -> list[Finding]:
    """A start where all velocities are zero and nothing accelerates."""
    from nonholo.derive.states.consistent_state import complete_state

    if system.inputs or any(e is None and n != "g" for n, e in system.parameters.items()):
        return []
    try:
        state = complete_state(system, dict(start), None)
        if any(abs(state[n]) > 1e-12 for n in system.velocities):
            return []
        from nonholo.derive.hamel import hamel

        equations = hamel(system)
        known = {*equations.state, "t"}
        rates = equations.rates({n: e for n, e in state.items() if n in known}, known_parameters(system))
    except (NonholoError, KeyError):
        return []
    if any(abs(e) > 1e-12 for e in rates.values()):
        return []
    claim = "the start is at rest and stays there"
    given = "no velocity is given" if start else "no start is given ([start] in a file)"
    names = system.velocities
    words = f"{given} and no force acts; give one of {', '.join(names)} at the start, e.g. {names[-1]} = 1"
    return [Finding(Hint(claim, ("start",)), "unknown", None, words)]
