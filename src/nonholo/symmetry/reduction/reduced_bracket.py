"""The almost-Poisson bracket on D/G [Notices 2005; van der Schaft and Maschke 1994; Koon and Marsden 1998].

In the basis ``X_I`` of a reduction, with ``P_I = K(X_I, v)`` on D and ``T_IJL = K([X_I, X_J], X_L)``,

    {r, P_I} = X_I[r],    {P_I, P_J} = −T_IJL w^L,    H = ½ P K⁻¹ P + U,    (ṙ, Ṗ) = J ∇H
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nonholo.algebra.calculus import ZERO, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot, solve
from nonholo.derive.hamilton import AlmostPoisson, bracket_in, jacobi_identity
from nonholo.derive.hamilton import almost_poisson as full_bracket
from nonholo.derive.hamilton import bracket as full_bracket_of
from nonholo.derive.hamilton import jacobiator as full_jacobiator
from nonholo.errors import ModelError
from nonholo.finding import Finding
from nonholo.geometry.frames.brackets import shorten
from nonholo.model.system import System
from nonholo.symmetry.reduction.reduced_equations import fresh
from nonholo.symmetry.reduction.reduction_record import ReductionRecord


def almost_poisson(subject: System | ReductionRecord, at: Mapping[str, float] | None = None) -> AlmostPoisson:
    """The bracket of a system on the constraint submanifold, or of a reduction on D/G, with its Hamiltonian.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh").system
    >>> nh.forms.almost_poisson(sleigh).momenta
    (p_omega, p_v)
    >>> print(nh.forms.bracket(nh.reduce(sleigh), "p1", "p2"))
    -a*m*p1/(J + a**2*m)
    """
    if not isinstance(subject, ReductionRecord):
        return full_bracket(subject, at)
    reduction = subject
    data, frame = reduction.frame.data, reduction.frame
    if data.driven:
        raise ModelError(
            f"{reduction.system.name}: the bracket on D/G is that of homogeneous constraints and a natural Lagrangian; here the "
            "constraints are affine, or terms linear in the velocities or time act."
        )
    r = symbols(reduction.shape.names)
    taken = {*reduction.shape.names, *reduction.momenta, *reduction.system.parameters}
    lifts = [fresh(f"pi_{reduction.shape.names[c]}", 1, taken)[0] for c in frame.rows]
    momenta = symbols((*lifts, *reduction.momenta))
    w = data.velocities
    found = solve(data.metric, [[p] for p in momenta], list(data.samples)) if momenta else ()
    speeds = tuple(shorten(row[0]) for row in found)
    swap = dict(zip(w, speeds))
    hamiltonian = dot(momenta, speeds) / 2 + data.potential
    size, count = len(r), len(momenta)
    block = [[ZERO] * count for _ in range(count)]
    for i in range(count):
        for j in range(i + 1, count):
            value = shorten(-dot(data.brackets[i][j], speeds))
            block[i][j], block[j][i] = value, -value
    upper = [(*[ZERO] * size, *data.slopes[c]) for c in range(size)]
    lower = [(*(-data.slopes[c][i] for c in range(size)), *block[i]) for i in range(count)]
    drift = (*[ZERO] * size, *substitute(data.forces, swap))
    by_speeds = tuple(dot(row, w) for row in data.metric)
    return AlmostPoisson(r, momenta, hamiltonian, tuple(map(tuple, (*upper, *lower))), drift, w, speeds, by_speeds)


def bracket(subject: System | ReductionRecord, first: Any, second: Any) -> Expr:
    """``{F, G}`` of two functions of coordinates and momenta of a system, or of shape and momenta of a reduction.

    >>> free = System(coordinates="x", parameters="m", lagrangian="m/2*xdot**2")
    >>> bracket(free, "x", "p_x")
    1
    """
    if not isinstance(subject, ReductionRecord):
        return full_bracket_of(subject, first, second)
    where = f"{subject.system.name}: bracket"
    return shorten(bracket_in(almost_poisson(subject), first, second, (*subject.system.parameters, "t"), where))


def jacobiator(subject: System | ReductionRecord) -> Finding:
    """Whether the bracket satisfies Jacobi's identity: on the constraint submanifold, or on D/G, where it may although D is not
    integrable.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh").system
    >>> nh.forms.jacobiator(sleigh).verdict, nh.forms.jacobiator(nh.reduce(sleigh)).verdict
    ('fails', 'holds')
    """
    if not isinstance(subject, ReductionRecord):
        return full_jacobiator(subject)
    return jacobi_identity(almost_poisson(subject), subject.frame.data.samples)
