"""Motion in all velocities of the frame with multipliers, without choosing independent speeds."""

from __future__ import annotations

from nonholo.algebra.calculus import ONE, ZERO, along, symbols
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import energy_in_frame, hamel, unconstrained
from nonholo.model.declared_words import multiplier_names
from nonholo.model.system import TIME, System
from nonholo.model.velocities.admissible import constraint_rows, named_velocities


def bordered(system: System) -> Equations:
    """``[[G, −Aᵀ], [A, 0]] (v̇, λ) = (f, −φ_x ẋ − φ_t)`` with ``A = ∂φ/∂v``, in the frame of the system.

    `hamel` chooses independent speeds and a long motion may need several choices; here the state is ``(x, v)`` whole, kept on
    the constraints by projection, and ``λ`` comes with the rates. Unlike `multipliers` it uses the frame and its brackets, so
    that no chart ends. Parametric velocities have no constraints to border with: for them it is `hamel`.

    >>> import nonholo as nh
    >>> equations = bordered(nh.gallery.get("rattleback").system)
    >>> print(*equations.speeds, *equations.unknowns)
    w1 w2 w3 xdot ydot lambda1 lambda2
    """
    if system.parametric is not None:
        return hamel(system)
    x, v = symbols(system.coordinates), symbols(system.velocities)
    metric, push = unconstrained(system)
    rows = constraint_rows(system)
    count = len(rows.slopes)
    carry = along(rows.residuals, {**dict(zip(x, system.frame.rates)), TIME: ONE})
    mass = tuple((*row, *(-slope[i] for slope in rows.slopes)) for i, row in enumerate(metric))
    mass += tuple((*slope, *[ZERO] * count) for slope in rows.slopes)
    own = set(system.velocities)
    invariants = {f"relation {i + 1}": e for i, e in enumerate(system.frame.relations)}
    invariants |= {f"holonomic constraint {i + 1}": e for i, e in enumerate(system.holonomic)}
    invariants |= {f"rate of {n}" if n in invariants else n: e for n, e in zip(rows.labels, rows.residuals)}
    return Equations(
        name=system.name,
        origin="bordered",
        coordinates=x,
        speeds=v,
        kinematics=tuple(system.frame.rates),
        mass=mass,
        force=(*push, *(-c for c in carry)),
        energy=energy_in_frame(system),
        time=TIME,
        unknowns=symbols(multiplier_names(system, count)),
        parameters=symbols(system.parameters),
        inputs=symbols(system.inputs),
        symmetric=False,
        outputs=FrozenMap({n: e for n, e in named_velocities(system, {}).items() if n not in own}),
        invariants=FrozenMap(invariants),
        system=system,
    )
