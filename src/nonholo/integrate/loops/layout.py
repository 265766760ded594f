"""What the compiled loops are given and give back: four flat arrays, and the places in them.

* ``spec`` (int64, constant): addresses of machine code, sizes, places in the other arrays.
* ``data`` (float64, constant): thresholds, breaks, knots and coefficients of the inputs.
* ``real`` (float64): the integrator's state and scratch space.
* ``whole`` (int64): its counters.

Together ``real`` and ``whole`` are the whole memory of an integration: copy them and it can go on elsewhere. Both
have one row for each member when several motions are integrated together.
"""

from __future__ import annotations

(
    RATES,  # address, followed by its data, as in the next nine
    RATES_DATA,
    CONSTANTS,
    CONSTANTS_DATA,
    RESIDUALS,
    RESIDUALS_DATA,
    EVENTS,
    EVENTS_DATA,
    CONDITIONS,
    CONDITIONS_DATA,
    NEWTON,
    NEWTON_DATA,
    STEP_CONSTANTS,
    STEP_CONSTANTS_DATA,
    GUESS,
    GUESS_DATA,
    CHANGE,
    CHANGE_DATA,
    STATE,  # number of state variables
    COORDINATES,
    SPEEDS,
    SYSTEM,  # speeds and unknowns: size of the mass matrix
    INPUTS,
    PARAMETERS,
    SYMMETRIC,
    POSITIONS,  # invariants of the coordinates alone
    INVARIANTS,
    EVENT_COUNT,
    CONDITION_COUNT,
    UNKNOWNS,  # of one implicit step
    STEP_WIDTH,  # length of the input vector of an implicit step
    STEP_TIMES,  # how often within a step an implicit scheme asks for inputs
    SUBSTEPS,  # an implicit step is made of so many
    COMPENSATED,  # 1: what is lost in adding the change to the state is added to the next change
    PROJECTING,  # 1: every step is projected on the invariants
    LIVE,  # 1: inputs are asked of Python
    BREAKS,  # number of times at which a step must end
    WIDTH,  # of a row of stages: as wide as the output of the rates, whose first entries are the derivative
    HITS,  # room for occurrences of events in one part of a step
    RECORDING,  # 1: keep every step
    MAX_STEPS,
    AT_Y,  # places in real
    AT_NEW,
    AT_STAGES,
    AT_GIVEN,  # input vector of the machine code
    AT_CONSTANTS,  # what the machine code has made of the parameters
    AT_DENSE,  # coefficients of the continuous extension
    AT_MATRIX,
    AT_VECTOR,
    AT_SOLUTION,
    AT_RESIDUAL,
    AT_POINT,
    AT_VALUES,  # samples of the events within a part of a step, a row of scratch and a copy of the first row
    AT_HIT_PLACE,
    AT_ROW,  # input vector of an implicit step, and what is made of the parameters, and 1 when that is done
    AT_ANSWER,  # what Newton's method is given: correction, Jacobian, residuals; then scratch
    AT_PARTS,  # part of the step and place of each substep, then the times of inputs; -1 stands for the place
    AT_BETWEEN,  # the states within a step of several
    AT_CARRY,  # what was lost in adding, what the last step lost, and when that ended
    AT_COUNT,  # places in whole, one for each event and a copy
    AT_SIGN,
    AT_HIT_EVENT,
    AT_HIT_SIGN,
    AT_THRESHOLD,  # places in data
    AT_BREAKS,
    AT_TABLES,  # places in spec: four entries for each input, two for each event
    AT_WATCH,
    SPEC,  # number of the above
) = range(68)

TABLE_KNOTS, TABLE_PIECES, TABLE_DEGREE, TABLE_COEFFICIENTS, TABLE = range(5)
WATCH_DIRECTION, WATCH_TERMINAL, WATCH = range(3)

(
    TIME,
    END,
    STEP,  # the step to try next
    LOW,  # the breaks on either side of the present step
    HIGH,
    ANCHOR,  # where constant steps are counted from
    PIVOT,  # pivot ratio at the last step
    START,
    RTOL,
    ATOL,
    MAX_STEP,
    FIRST_STEP,
    LAST,  # size of the last accepted step
    TAU,  # where within a step a discrete principle evaluates
    MARK,  # where the motion was when its progress was last judged
    LEFT,  # residual of an implicit step that was given up
    REALS,
) = range(17)

(
    STATUS,
    ACCEPTED,
    REJECTED,
    CALLS,
    EMITTED,
    RECORDED,
    OCCURRED,
    COUNTED,  # constant steps since the anchor
    SHRUNK,  # 1 after a rejection: the next step must not grow
    REASON,  # why the last step was rejected
    NEXT_BREAK,
    WAITING,  # 1: the loop needs more room for its steps, 2: for its events
    UNRESOLVED,  # parts of steps in which an event could not be followed
    BLURRED,  # 1: there were many of them in one step, occurrences may be missing
    WHOLES,
) = range(15)

(
    FRESH, RUNNING, REACHED, EVENT, TOO_MANY, TOO_SMALL, NOT_FINITE, SINGULAR, DEGENERATE, INTERRUPTED, FULL, UNSOLVED, STALLED,
) = range(13)  # fmt: skip
"""Status of an integration; FULL asks Python for more room and is never an outcome."""
