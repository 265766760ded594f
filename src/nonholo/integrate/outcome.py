"""How an integration ended, and the remedies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from nonholo.errors import Place, Remedy
from nonholo.integrate.loops.arguments import array_layout as layout

NOTHING = Remedy()


@dataclass(frozen=True, eq=False)
class Outcome:
    """How an integration ended, when, and what to do; as text it is its kind.

    >>> str(Outcome("reached", 10.0)), Outcome("reached", 10.0) == "reached"
    ('reached', True)
    """

    kind: str
    time: float
    remedy: Remedy = NOTHING
    missed: bool = False
    """Whether occurrences of events may be missing."""
    unique_until: float = math.inf
    """When the constraints lost their rank, so that the motion is one of several from there on; infinite if never."""
    notes: tuple[Remedy, ...] = ()
    """What else was noticed on the way."""

    @property
    def advice(self) -> str:
        """What to do, in Python."""
        return self.said("python")

    def said(self, place: Place) -> str:
        """What to do, in the words of the place where it is read."""
        lost = _LOST.format(self.unique_until) if math.isfinite(self.unique_until) else ""
        missed = MISSED.words(place) if self.missed else ""
        notes = (note.words(place) for note in self.notes)
        return " ".join(words for words in (lost, *notes, self.remedy.words(place), missed) if words)

    @property
    def reached(self) -> bool:
        """Whether the motion came to its end."""
        return self.kind == "reached"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return other in (self.kind, str(self))
        if not isinstance(other, Outcome):
            return NotImplemented
        return all(getattr(self, f.name) == getattr(other, f.name) for f in fields(self))

    def __hash__(self) -> int:
        return hash(self.kind)

    def __str__(self) -> str:
        if self.reached:
            return f"{self.kind}. {self.advice}" if self.advice else self.kind
        return f"{self.kind} at t = {self.time:.10g}. {self.advice}"


_KINDS: dict[int, tuple[str, Remedy]] = {
    layout.REACHED: ("reached", NOTHING),
    layout.EVENT: ("event", Remedy("A terminal event occurred; go on from the final state if the motion shall continue.")),
    layout.TOO_MANY: (
        "too many steps",
        Remedy(
            "Raise max_steps, loosen rtol and atol, or shorten the motion; a stiff system (friction, contact, fast actuators) "
            'needs an implicit method: method="rodas".',
            "Loosen --rtol or shorten --until; a stiff system (friction, contact, fast actuators) needs an implicit method: "
            "--method rodas.",
            "The motion needs too many small steps: something in it is very fast or very stiff. Shorten the motion, or make it "
            "slower or softer.",
        ),
    ),
    layout.TOO_SMALL: (
        "step too small",
        Remedy(
            "The solution becomes singular here (it grows without bound or a coordinate chart ends); "
            "stop before this time or use other coordinates."
        ),
    ),
    layout.NOT_FINITE: (
        "not finite",
        Remedy(
            "The equations give no finite number here (division by zero, root of a negative number, overflow); "
            "check the start, the parameters and the domain of the formulas."
        ),
    ),
    layout.SINGULAR: (
        "mass matrix singular",
        Remedy(
            "The accelerations are not determined here, so the continuation is not unique; check for vanishing inertias, "
            "dependent constraints, a nonlinear constraint that loses its slope (as at rest), or a coordinate singularity."
        ),
    ),
    layout.UNSOLVED: (
        "step not solved",
        Remedy(
            "The equations of this step have no solution near its start, or Newton's method does not find it; take a smaller "
            "step."
        ),
    ),
    layout.DEGENERATE: ("frame degenerates", Remedy("Change to another adapted frame and go on from the final state.")),
    layout.STALLED: (
        "no progress",
        Remedy(
            "The steps are so small that the end would take more than ten thousand million of them; take a larger step, stop "
            "before this time, or look for a singularity here."
        ),
    ),
    layout.INTERRUPTED: (
        "interrupted",
        Remedy(
            "What was computed so far is returned; go on from the final state.",
            page="A page stops solving after two seconds and shows what it has; a shorter motion is shown whole.",
        ),
    ),
}

OTHERS = {"bad start", "slack", "string ahead", "undecided contact", "impact refused", "another edge touches"}
KINDS = frozenset({kind for kind, _ in _KINDS.values()} | OTHERS)
"""Every kind of outcome: of the loops, of members of an ensemble that cannot start, of strings, of contacts."""


_FAST = "An event passes through zero faster than it can be followed (or is rounding noise), so occurrences of it may be missing"
MISSED = Remedy(
    f"{_FAST}; choose a smaller max_step or a slower expression.", f"{_FAST}; choose a slower expression.", f"{_FAST}."
)
_LOST = (
    "At t = {:.10g} the constraints lose their rank (the slope of one vanishes or depends on the others), so the continuation "
    "from there is not unique: this motion is one of several. Say which is meant by a constraint that keeps its rank."
)


def outcome(status: int, time: float, blurred: bool = False, unsolved: tuple[int, float] | None = None) -> Outcome:
    """The outcome of a status code of the compiled loops; ``blurred``: not every event could be followed.

    ``unsolved`` is the number of the step that was given up and the residual its equations were left with.

    >>> outcome(layout.TOO_SMALL, 2.0).kind
    'step too small'
    >>> outcome(layout.UNSOLVED, 2.0, unsolved=(41, 0.3)).advice[:64]
    'Step 41 leaves its equations with a residual of 0.3. The equatio'
    """
    kind, remedy = _KINDS[status]
    if status == layout.UNSOLVED and unsolved is not None:
        number, residual = unsolved
        remedy = Remedy(f"Step {number} leaves its equations with a residual of {residual:.3g}. {remedy.python}")
    return Outcome(kind, time, remedy, blurred)


def not_unique(ended: Outcome, time: float) -> Outcome:
    """The outcome of a motion whose constraints lost their rank at a time.

    >>> str(not_unique(Outcome("reached", 2.0), 1.0))[:49]
    'reached. At t = 1 the constraints lose their rank'
    """
    return replace(ended, unique_until=time)


def last_outcome(outcomes: Sequence[Outcome]) -> Outcome:
    """The outcome of a motion in pieces: that of the last, with what was missed in any.

    >>> str(last_outcome([outcome(layout.REACHED, 1.0, True), outcome(layout.REACHED, 2.0)]))[:17]
    'reached. An event'
    """
    return replace(outcomes[-1], missed=any(o.missed for o in outcomes))


def accumulating(ended: Outcome, name: str, count: int) -> Outcome:
    """The outcome of a motion whose event acts ever sooner, as a ball that bounces comes to rest.

    >>> accumulating(Outcome("event", 4.06), "z", 119).advice[:81]
    'The event z has acted 119 times, ever sooner: the motion comes to rest there. Go '
    """
    words = f"The event {name} has acted {count} times, ever sooner: the motion comes to rest there."
    return replace(
        ended, remedy=Remedy(f"{words} Go on from the final state with a constraint, or write the stop as a contact that lifts.")
    )


_UNMOVED = "Nothing has moved: the start is at rest and no force acts there"
FIXED = Remedy("Nothing has moved: the constraints leave nothing free.")
"""Advice for a motion that has no speed; the hints say which constraint to remove."""
STILL = Remedy(f"{_UNMOVED}; run.hints says more.", f"{_UNMOVED}; give a velocity, --start NAME=1.", f"{_UNMOVED}.")
"""Advice for a motion whose last state is its first."""
_JUMP = (
    "A force jumps with the sign of a velocity, and the body sticks here: no step may pass the jump. Replace sign(v) by "
    "tanh(v/0.001), the slip at which friction is whole"
)
STICKING = Remedy(f'{_JUMP}, and use the stiff method="rodas".', f"{_JUMP}, and use --method rodas.", f"{_JUMP}.")
STUCK = frozenset({"no progress", "step too small", "too many steps"})
"""How a motion ends that cannot pass a jump."""


def sticking(ended: Outcome) -> Outcome:
    """The outcome of a motion that could not pass a force which jumps with the sign of a velocity.

    >>> sticking(outcome(layout.STALLED, 1.0)).advice[:52]
    'A force jumps with the sign of a velocity, and the b'
    """
    return replace(ended, remedy=STICKING) if ended.kind in STUCK else ended


def adding(ended: Outcome, note: Remedy) -> Outcome:
    """An outcome with one more remark.

    >>> str(adding(Outcome("reached", 1.0), Remedy("The step is long.")))
    'reached. The step is long.'
    """
    return replace(ended, notes=(*ended.notes, note))


def missing(ended: Outcome) -> Outcome:
    """An outcome with the remark that occurrences of events may be missing.

    >>> missing(outcome(layout.REACHED, 1.0)).advice[:40]
    'An event passes through zero faster than'
    """
    return replace(ended, missed=True)
