"""A tyre with a relaxation length, in place of the constraint against slipping sideways.

The contact patch is held by the ground and displaced sideways by ``e`` against the wheel; while the wheel rolls on, the tyre
relaxes over the length σ, and its stiffness ``k = C/σ`` (C: cornering stiffness) makes the side force:

    ė + v_side + (v_ahead/σ) e = 0,     F = k e        [von Schlippe and Dietrich 1941; Pacejka 2002, 5.4]

Steadily ``F = −C v_side/v_ahead``. As a linear constraint with the potential ``k e²/2`` it has the multiplier ``k e = F``;
its reaction would also push ahead with ``k e²/σ``, the power that a tyre turns into heat, so this force is taken off.
The tyre relaxes while the wheel rolls forwards.
"""

from __future__ import annotations

from dataclasses import replace

from nonholo.algebra.calculus import ONE, symbol
from nonholo.algebra.expression_types import Expr
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame import Euclidean, rate
from nonholo.machines.dynamics.plane_wheels import Rolling
from nonholo.machines.kinematics.formula_reading import Formulas, identifier
from nonholo.machines.machine_records import Wheel

HALF = ONE / 2


def with_relaxation(rolling: Rolling, wheel: Wheel, formulas: Formulas) -> Rolling:
    """The wheel with a tyre where a relaxation length is given."""
    if wheel.relaxation is None and wheel.cornering is None:
        return rolling
    law = rolling.contact.law
    where = f"{formulas.machine}: wheel {law.name!r}"
    if wheel.relaxation is None or wheel.cornering is None:
        raise ModelError(f"{where}: a tyre needs relaxation = … (its length in m) and cornering = … (N per rad of slip angle).")
    if wheel.roller is not None or wheel.slips:
        raise ModelError(f"{where}: a tyre with a relaxation length has no rollers and does not slide; remove roller or slips.")
    span = formulas.number(wheel.relaxation, f"wheel {law.name!r}: relaxation")
    stiffness = formulas.number(wheel.cornering, f"wheel {law.name!r}: cornering") / span
    name = f"{identifier(law.name)}_tyre"
    shift = symbol(name)
    *ahead, sideways = law.slip
    row: Expr = symbol(rate(name)) + sideways + rolling.speed / span * shift
    return replace(
        rolling,
        contact=replace(rolling.contact, law=replace(law, slip=(*ahead, row))),
        frames=(*rolling.frames, Euclidean(name)),
        potential=HALF * stiffness * shift**2,
        push=-stiffness * shift**2 / span,
        tyre=name,
    )
