"""How an integration ended, and what to do about it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from nonholo.integrate.loops import array_layout as layout


@dataclass(frozen=True, eq=False)
class Outcome:
    """How an integration ended, when, and one sentence on what to do; as text it is its kind.

    >>> str(Outcome("reached", 10.0, "")), Outcome("reached", 10.0, "") == "reached"
    ('reached', True)
    """

    kind: str
    time: float
    advice: str

    @property
    def reached(self) -> bool:
        """Whether the motion came to its end."""
        return self.kind == "reached"

    @property
    def unique_until(self) -> float:
        """When the constraints lost their rank, so that the motion is one of several from there on; infinite if never.

        >>> not_unique(Outcome("reached", 2.0, ""), 1.25).unique_until
        1.25
        """
        said = _LOST.match(self.advice)
        return float(said.group(1)) if said else math.inf

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return other in (self.kind, str(self))
        same = isinstance(other, Outcome) and (self.kind, self.time, self.advice) == (other.kind, other.time, other.advice)
        return same if isinstance(other, Outcome) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.kind)

    def __str__(self) -> str:
        if self.reached:
            return f"{self.kind}. {self.advice}" if self.advice else self.kind
        return f"{self.kind} at t = {self.time:.10g}. {self.advice}"


_KINDS: dict[int, tuple[str, str]] = {
    layout.REACHED: ("reached", ""),
    layout.EVENT: ("event", "A terminal event occurred; go on from the final state if the motion shall continue."),
    layout.TOO_MANY: (
        "too many steps",
        "Raise max_steps, loosen rtol and atol, or shorten the motion; a stiff system (friction, contact, fast actuators) needs "
        'an implicit method: method="rodas".',
    ),
    layout.TOO_SMALL: (
        "step too small",
        "The solution becomes singular here (it grows without bound or a coordinate chart ends); "
        "stop before this time or use other coordinates.",
    ),
    layout.NOT_FINITE: (
        "not finite",
        "The equations give no finite number here (division by zero, root of a negative number, overflow); "
        "check the start, the parameters and the domain of the formulas.",
    ),
    layout.SINGULAR: (
        "mass matrix singular",
        "The accelerations are not determined here, so the continuation is not unique; check for vanishing inertias, dependent "
        "constraints, a nonlinear constraint that loses its slope (as at rest), or a coordinate singularity.",
    ),
    layout.UNSOLVED: (
        "step not solved",
        "The equations of this step have no solution near its start, or Newton's method does not find it; take a smaller step.",
    ),
    layout.DEGENERATE: ("frame degenerates", "Change to another adapted frame and go on from the final state."),
    layout.STALLED: (
        "no progress",
        "The steps are so small that the end would take more than ten thousand million of them; take a larger step, stop "
        "before this time, or look for a singularity here.",
    ),
    layout.INTERRUPTED: ("interrupted", "What was computed so far is returned; go on from the final state."),
}

KINDS = frozenset({kind for kind, _ in _KINDS.values()} | {"bad start", "slack", "string ahead"})
"""Every kind of outcome: of the loops, of members of an ensemble that cannot start, of strings."""


MISSED = (
    "An event passes through zero faster than it can be followed (or is rounding noise), so occurrences of it may be missing; "
    "choose a smaller max_step or a slower expression."
)


def outcome(status: int, time: float, blurred: bool = False, unsolved: tuple[int, float] | None = None) -> Outcome:
    """The outcome of a status code of the compiled loops; ``blurred``: not every event could be followed.

    ``unsolved`` is the number of the step that was given up and the residual its equations were left with.

    >>> outcome(layout.TOO_SMALL, 2.0).kind
    'step too small'
    >>> outcome(layout.UNSOLVED, 2.0, unsolved=(41, 0.3)).advice[:64]
    'Step 41 leaves its equations with a residual of 0.3. The equatio'
    """
    kind, advice = _KINDS[status]
    if status == layout.UNSOLVED and unsolved is not None:
        number, residual = unsolved
        advice = f"Step {number} leaves its equations with a residual of {residual:.3g}. {advice}"
    return Outcome(kind, time, f"{advice} {MISSED}".strip() if blurred else advice)


_LOST = re.compile(r"At t = (\S+) the constraints lose their rank")


def not_unique(ended: Outcome, time: float) -> Outcome:
    """The outcome of a motion whose constraints lost their rank at a time.

    >>> str(not_unique(Outcome("reached", 2.0, ""), 1.0))[:49]
    'reached. At t = 1 the constraints lose their rank'
    """
    words = (
        f"At t = {time:.10g} the constraints lose their rank (the slope of one vanishes or depends on the others), so the "
        "continuation from there is not unique: this motion is one of several. Say which is meant by a constraint that keeps "
        "its rank."
    )
    return Outcome(ended.kind, ended.time, f"{words} {ended.advice}".strip())


def last_outcome(outcomes: Sequence[Outcome]) -> Outcome:
    """The outcome of a motion in pieces: that of the last, with what was missed in any.

    >>> str(last_outcome([outcome(layout.REACHED, 1.0, True), outcome(layout.REACHED, 2.0)]))[:17]
    'reached. An event'
    """
    last = outcomes[-1]
    if last.advice.endswith(MISSED) or not any(o.advice.endswith(MISSED) for o in outcomes):
        return last
    return missing(last)


STICKING = (
    "A force jumps with the sign of a velocity, and the body sticks here: no step may pass the jump. Replace sign(v) by "
    'tanh(v/0.001), the slip at which friction is whole, and use the stiff method="rodas".'
)
STUCK = frozenset({"no progress", "step too small", "too many steps"})
"""How a motion ends that cannot pass a jump."""


def sticking(ended: Outcome) -> Outcome:
    """The outcome of a motion that could not pass a force which jumps with the sign of a velocity.

    >>> sticking(outcome(layout.STALLED, 1.0)).advice[:52]
    'A force jumps with the sign of a velocity, and the b'
    """
    return Outcome(ended.kind, ended.time, STICKING) if ended.kind in STUCK else ended


def missing(ended: Outcome) -> Outcome:
    """An outcome that says that occurrences of events may be missing.

    >>> missing(missing(outcome(layout.REACHED, 1.0))).advice == MISSED
    True
    """
    said = ended.advice.endswith(MISSED)
    return ended if said else Outcome(ended.kind, ended.time, f"{ended.advice} {MISSED}".strip())
