"""Invariant measures, and the change of time that makes a reduced motion Hamiltonian [Chaplygin 1911].

With momenta ``P_I = K_IJ w^J`` the reduced flow has the divergence ``−θ_J w^J``, ``θ_J = T_IJL K^LI``. So a measure
``f(r) dr dP`` is preserved when θ vanishes along the orbits and ``θ_j = ∂_j ln f`` along the shape. In the time
``dτ = N dt`` the shape obeys Lagrange's equations of ``½ N² K̄ r' r' − Ū`` when, with ``φ = ln N``,

    T_ijk + T_ikj = φ_j K̄_ik + φ_k K̄_ij − 2 φ_i K̄_jk,     φ_j = T_ijk K̄^ki / (n − 1)

which for two shape variables says no more than that φ is a gradient [Chaplygin's theorem].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, larger_than, node_count, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import Matrix, determinant, dot, evaluate_all, identity, solve
from nonholo.derive.equations import Equations
from nonholo.finding import Density, Finding, Measure, Property, bounded, while_lasting
from nonholo.model.lasting_contacts import lasting
from nonholo.model.system import TIME, System, known_parameters
from nonholo.notation.write import to_text
from nonholo.symmetry.exact.modular_states import NoPoints, motion_of
from nonholo.symmetry.integrals.drift_test import run_parameters
from nonholo.symmetry.measure.density import CLAIM, measure_for, positive_product
from nonholo.symmetry.quadrature.adjoint_equation import LIMIT, PLACES, places_of, pushed
from nonholo.symmetry.quadrature.effective_system import Reduced, magnetic_form, reduced_system, total_derivative
from nonholo.symmetry.reduction.momentum.conserving_bases import adjoint_matrices, along_shape
from nonholo.symmetry.reduction.quotient_data import Cube
from nonholo.symmetry.reduction.reduce import Reduction, reduce
from nonholo.symmetry.reduction.reduced_equations import kinetic
from nonholo.symmetry.reduction.reduction_record import require_orthogonal
from nonholo.symmetry.witness.trials import tried_measure

PARTS = 12
"""Exponents of a multiplier in closed form are looked for among fractions with this denominator."""


SHOWN = 300
"""More letters of a formula are not shown by ``repr``."""
VERIFIED = Property(
    "d(N ω) = 0: the reduced motion is Hamiltonian in the time dτ = N dt",
    "d(N ω) ≠ 0: the reduced motion is not Hamiltonian in the time dτ = N dt",
)


@dataclass(frozen=True, eq=False)
class _Place:
    """T, K and their derivatives along the shape at one place, as numbers."""

    values: dict[str, float]
    T: Numbers
    K: Numbers
    dT: Numbers
    dK: Numbers

    @property
    def trace(self) -> Numbers:
        """``θ_J = T_IJL K^LI``."""
        return np.asarray(np.einsum("ijl,li->j", self.T, np.linalg.inv(self.K)))

    @property
    def traces(self) -> Numbers:
        """``κ_i θ_J``, with ``κ_i K^{-1} = −K^{-1} (κ_i K) K^{-1}``."""
        inverse = np.linalg.inv(self.K)
        moved = -np.einsum("ab,ibc,cd->iad", inverse, self.dK, inverse)
        return np.asarray(np.einsum("aijl,li->aj", self.dT, inverse) + np.einsum("ijl,ali->aj", self.T, moved))


def _numbers(reduction: Reduction, T: Cube, K: Matrix, count: int = PLACES) -> list[_Place]:
    h, n = reduction.frame.horizontal, len(K)
    flat = [e for block in T for row in block for e in row] + [e for row in K for e in row]
    moved = [along_shape(reduction.frame, i, flat) for i in range(h)]
    result, places = [], places_of(reduction, count)
    everything = evaluate_all([*flat, *(e for row in moved for e in row)], places)
    for place, line in zip(places, everything):
        numbers = line.reshape(1 + h, n**3 + n**2)
        cubes, squares = numbers[:, : n**3].reshape(-1, n, n, n), numbers[:, n**3 :].reshape(-1, n, n)
        result.append(_Place(place, cubes[0], squares[0], cubes[1:], squares[1:]))
    return result


def measure(reduction: Reduction | System, witness: bool = True) -> Finding:
    """Whether the reduced motion preserves a measure ``f(r) dr dP`` on all momenta; its density where a formula is found.

    For a System: whether ``f(x) dx dz`` is preserved in its coordinates and speeds; the density is proved, or proved absent.
    A proved density is tried first on the volume of a simplex that motions carry, unless ``witness`` is False.

    >>> from nonholo.model.system import System
    >>> particle = System(coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2", constraints=["zdot - y*xdot"])
    >>> from nonholo.model.symmetry_declaration import translation
    >>> from nonholo.symmetry.reduction.reduce import reduce
    >>> print(measure(reduce(particle, translation("z"))).expression)
    (1 + y**2)**(-1/2)
    """
    if isinstance(reduction, System):
        system, condition = lasting(reduction)
        try:
            motion = motion_of(system)
            own = measure_for(motion, known_parameters(system))
            own = tried_measure(system, run_parameters(system, None), own, motion.allowed.speeds) if witness else own
        except NoPoints as problem:
            own = Finding(CLAIM, "unknown", None, str(problem))
        return while_lasting(own, condition)
    require_orthogonal(reduction)
    claim = Measure(Density.SHAPE_MOMENTA)
    frame = reduction.frame
    if frame.horizontal != reduction.shape.size:
        return Finding(claim, "unknown", None, "constraints act on the shape itself; not tried")
    if pushed(reduction):
        return Finding(claim, "unknown", None, "forces besides the potential's; not tried")
    found = _numbers(reduction, frame.data.brackets, frame.data.metric)
    return _density(reduction, claim, found, frame.horizontal)


def _density(reduction: Reduction, claim: Measure, found: Sequence[_Place], h: int) -> Finding:
    size = max(float(np.max(np.abs(place.T), initial=0.0)) for place in found)
    along = max(float(np.max(np.abs(place.trace[h:]), initial=0.0)) for place in found)
    turns = [place.traces[:, :h] - place.traces[:, :h].T for place in found]
    scale = max(float(np.max(np.abs(place.traces[:, :h]), initial=0.0)) for place in found)
    curl = max(float(np.max(np.abs(e), initial=0.0)) for e in turns) / max(scale, 1e-12)
    if along > LIMIT * max(size, 1e-12):
        return Finding(
            claim, "fails", along, "the momenta along the orbits contract or expand: θ_a ≠ 0 at random shapes"
        )
    if curl > 1e3 * LIMIT:
        return Finding(claim, "fails", curl, "θ is not a gradient: its curl at random shapes, relative")
    density = _closed(reduction, [(place.values, place.trace[:h]) for place in found])
    how = "closed form found by exponents" if density is not None else "θ is closed; no formula found"
    return Finding(claim, "holds", None, f"{how}; tested at random shapes", density, "trace of the brackets")


def _candidates(reduction: Reduction) -> list[Expr]:
    """Functions whose powers a density may be a product of."""
    h, frame = reduction.frame.horizontal, reduction.frame
    metric = frame.data.metric
    squares: list[Any] = [reduction.data.metric, [row[:h] for row in metric[:h]], [row[h:] for row in metric[h:]]]
    found = [determinant(square) for square in squares if len(square)]
    for name in reduction.shape.names:
        s = symbol(name)
        found += [se.cos(s), se.sin(s), s]
    known = set(symbols(reduction.shape.names))
    return [e for k, e in enumerate(found) if e.free_symbols & known and e not in found[:k]]


def _closed(reduction: Reduction, slopes: Sequence[tuple[dict[str, float], Numbers]]) -> Expr | None:
    """``f`` with ``κ_j ln f`` as given, as a product of powers; None when no such product is found."""
    h = reduction.frame.horizontal
    target = np.concatenate([e for _, e in slopes]) if h else np.zeros(0)
    if np.max(np.abs(target), initial=0.0) < LIMIT:
        return ONE
    columns, kept = [], []
    for candidate in _candidates(reduction):
        moved = [along_shape(reduction.frame, j, [candidate])[0] for j in range(h)]
        numbers = evaluate_all([candidate, *moved], [place for place, _ in slopes])
        column = (numbers[:, 1:] / numbers[:, :1]).ravel()
        if np.all(np.isfinite(column)) and np.max(np.abs(column)) > 1e-12:
            columns.append(column)
            kept.append(candidate)
    for count in (1, 2):
        for chosen in sorted(combinations(range(len(kept)), count), key=lambda c: node_count([kept[k] for k in c])):
            table = np.stack([columns[k] for k in chosen], axis=1)
            powers = np.round(PARTS * np.linalg.lstsq(table, target, rcond=None)[0]) / PARTS
            if np.max(np.abs(table @ powers - target)) < LIMIT * max(1.0, float(np.max(np.abs(target)))):
                exact = [se.Rational(round(PARTS * e), PARTS) for e in powers]
                factors = [(kept[k], e) for k, e in zip(chosen, exact)]
                return positive_product(factors, symbols(reduction.shape.names), [place for place, _ in slopes])
    return None


@dataclass(frozen=True, repr=False)
class Hamiltonised:
    """A reduced motion in the time ``dτ = N dt``.

    ``equations`` are Lagrange's of ``½ N² K̄ r' r' − Ū`` with the magnetic form ``N M̄``, in ``(r, r')``, the true time
    ``clock`` beside them; where no formula for N is known, ``ln N`` is carried along too.

    >>> import nonholo as nh
    >>> particle = nh.System(coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2", constraints=["zdot - y*xdot"])
    >>> nh.hamiltonise(nh.reduce(particle, nh.translation("z"))).multiplier is not None
    True
    """

    reduced: Reduced
    multiplier: Expr | None
    """``N``, up to a factor; None when no formula was found."""
    gradient: tuple[Expr, ...]
    """``φ_j = κ_j ln N``."""
    equations: Equations | None
    findings: tuple[Finding, ...]

    def __bool__(self) -> bool:
        return all(f.verdict == "holds" for f in self.findings)

    def __repr__(self) -> str:
        """What was found and, where it is short, N; the rest by name."""
        clock = "no formula for N" if self.multiplier is None else bounded_text("N = ", self.multiplier)
        words = "; ".join(str(f) if len(str(f)) <= SHOWN else f"{str(f)[:SHOWN]} …" for f in self.findings)
        return f"<Hamiltonised: {clock}; {words}; .multiplier, .gradient, .equations and .reduced have all of it>"


def bounded_text(label: str, expr: Expr) -> str:
    """An expression after its label, or only how long it is."""
    if larger_than([expr], SHOWN):
        return f"{label}a long expression"
    text = to_text(expr)
    return f"{label}{text}" if len(text) <= SHOWN else f"{label}a long expression ({len(text)} letters)"


def hamiltonise(reduction: Reduction | System, integrals: Sequence[Any] = ()) -> Hamiltonised:
    """Chaplygin's change of time, tried and verified; ``integrals`` as in `reduced_system`.

    The last finding is a verification by the symplectic form: ``d(N ω) = 0`` for ``ω = dr^i ∧ dP_i + ½ B_ij dr^i ∧ dr^j``,
    ``B_ij = T_ij^k P_k − M̄_ij``, at random places and momenta.

    >>> import nonholo as nh
    >>> particle = nh.System(coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2", constraints=["zdot - y*xdot"])
    >>> for finding in nh.hamiltonise(nh.reduce(particle, nh.translation("z"))).findings:
    ...     print(finding.verdict, finding.claim)
    holds a measure f(r) dr dP of the shape is preserved
    holds the gyroscopic term is that of a change of time dτ = N dt
    holds d(N ω) = 0: the reduced motion is Hamiltonian in the time dτ = N dt
    """
    if isinstance(reduction, System):
        reduction = reduce(reduction)
    reduced = reduced_system(reduction, integrals=integrals)
    h, metric, T = reduction.frame.horizontal, reduced.metric, reduced.gyroscopic
    if h == 1:
        one = Finding("the shape's motion is Hamiltonian in the time t", "holds", None, "one shape variable")
        return Hamiltonised(reduced, ONE, (ZERO,), reduced.equations, (one,))
    found = _numbers(reduction, T, metric)
    measured = _density(reduction, Measure(Density.SHAPE), found, h)
    gaps = []
    for place in found:
        slope = place.trace / (h - 1)
        wanted = np.einsum("j,ik->ijk", slope, place.K) - np.einsum("i,jk->ijk", slope, place.K)
        both = [e + e.transpose(0, 2, 1) for e in (place.T, wanted)]
        gaps.append(np.max(np.abs(both[0] - both[1])) / max(float(np.max(np.abs(place.T))), 1e-12))
    simple = bounded(
        Property("the gyroscopic term is that of a change of time dτ = N dt", "the gyroscopic term is no change of time"),
        max(gaps),
        LIMIT,
        "relative, at random shapes",
    )
    places = [{**place.values} for place in found]
    inverse = solve(metric, identity(h), places)
    phi = tuple(sum((T[i][j][k] * inverse[k][i] for i in range(h) for k in range(h)), ZERO) / (h - 1) for j in range(h))
    density = measured.formula
    multiplier = density if density is None or h == 2 else density ** se.Rational(1, h - 1)
    verified = _verified(reduced, found, multiplier) if measured else Finding(VERIFIED, "fails", None, "there is no N")
    good = bool(measured) and bool(simple) and bool(verified)
    equations = _in_new_time(reduced, multiplier, phi) if good else None
    return Hamiltonised(reduced, multiplier, phi, equations, (measured, simple, verified))


def _verified(reduced: Reduced, found: Sequence[_Place], multiplier: Expr | None) -> Finding:
    """``d(N ω)`` at random places and momenta; the gradient of ln N is that of the formula where there is one."""
    reduction = reduced.reduction
    h, p = reduction.frame.horizontal, reduction.momenta
    plain, N = magnetic_form(reduction), adjoint_matrices(reduction.frame)
    moved = [[total_derivative(reduction, N, i, row) for row in plain] for i in range(h)]
    random = np.random.default_rng(8)
    places = [{**place.values, **{n: float(random.uniform(-1, 1)) for n in p}} for place in found]
    logs = [along_shape(reduction.frame, i, [multiplier])[0] / multiplier for i in range(h)] if multiplier is not None else []
    flat = [*(e for row in plain for e in row), *(e for block in moved for row in block for e in row)]
    fields, gradients = evaluate_all(flat, places), evaluate_all(logs, places)
    worst = 0.0
    for place, field, slope in zip(found, fields, gradients):
        P = random.uniform(-1, 1, h)
        inverse, phi = np.linalg.inv(place.K), slope if logs else place.trace / (h - 1)
        M, dM = field[: h * h].reshape(h, h), field[h * h :].reshape(h, h, h)
        raised = np.einsum("ijl,lk->ijk", place.T, inverse)
        step = -np.einsum("ab,ibc,cd->iad", inverse, place.dK, inverse)
        dB = np.einsum("aijl,lk,k->aij", place.dT, inverse, P) + np.einsum("ijl,alk,k->aij", place.T, step, P) - dM
        B = np.einsum("ijk,k->ij", raised, P) - M
        whole = dB + np.einsum("a,ij->aij", phi, B)
        scale = float(np.max(np.abs(raised)) + np.max(np.abs(M)) + np.max(np.abs(dB)))
        cyclic = whole + whole.transpose(1, 2, 0) + whole.transpose(2, 0, 1)
        # the dr dr dP part: φ ∧ dr^k ∧ dP_k against ∂B/∂P_k
        eye = np.eye(h)
        mixed = raised + np.einsum("i,jk->ijk", phi, eye) - np.einsum("j,ik->ijk", phi, eye)
        scale = scale or 1.0  # the motion of the shape may have no gyroscopic term at all
        worst = max(worst, float(np.max(np.abs(cyclic))) / scale, float(np.max(np.abs(mixed))) / scale)
    return bounded(VERIFIED, worst, 1e3 * LIMIT, "relative, at random shapes and momenta")


def _in_new_time(reduced: Reduced, multiplier: Expr | None, phi: Sequence[Expr]) -> Equations:
    """Lagrange's equations of ``½ N² K̄ r' r' − Ū`` in the field ``N M̄``, divided by N²."""
    reduction, own = reduced.reduction, reduced.equations
    h, metric = reduction.frame.horizontal, reduced.metric
    new = symbols(f"{n.removesuffix('dot')}prime" for n in reduction.rates)
    swap = dict(zip(own.speeds, new))
    log = symbol("log_multiplier")
    N = multiplier if multiplier is not None else se.exp(log)
    still = dict.fromkeys(own.speeds, ZERO)
    hill = [-e for e in substitute(own.force, still)]
    moved = [[along_shape(reduction.frame, k, row) for row in metric] for k in range(h)]
    force = []
    for i in range(h):
        total = -hill[i] / N**2 + dot(reduced.magnetic[i], new) / N
        for j in range(h):
            for k in range(h):
                weight = moved[i][j][k] / 2 - moved[j][i][k] + phi[i] * metric[j][k] - 2 * phi[j] * metric[i][k]
                total += weight * new[j] * new[k]
        force.append(total)
    kinematics = [*substitute(own.kinematics, swap), 1 / N]
    coordinates = [*own.coordinates, symbol("clock")]
    if multiplier is None:
        coordinates.append(log)
        kinematics.append(dot(phi, new))
    return Equations(
        name=f"{reduction.system.name}, shape alone in the time dτ = N dt",
        origin="Chaplygin's change of time",
        coordinates=tuple(coordinates),
        speeds=new,
        kinematics=tuple(kinematics),
        mass=metric,
        force=tuple(force),
        energy=N**2 * kinetic(metric, new) + reduced.potential,
        time=TIME,
        parameters=own.parameters,
        outputs=FrozenMap({str(v): N * w for v, w in zip(own.speeds, new)}),
        invariants=own.invariants,
    )
