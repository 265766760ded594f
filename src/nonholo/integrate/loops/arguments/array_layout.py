"""Layout of the flat arrays that the compiled loops read and write.

* ``spec`` (int64, constant): addresses of machine code, sizes, places in the other arrays.
* ``data`` (float64, constant): thresholds, breaks, knots and coefficients of the inputs.
* ``real`` (float64): the integrator's state and scratch space.
* ``whole`` (int64): its counters.

Together ``real`` and ``whole`` are the whole memory of an integration: copy them and it can go on elsewhere. Both
have one row for each member when several motions are integrated together.

A declaration gives the place of an entry and says how it is filled (`plan.filled` does so): no other list has to agree with
this one. The place is a number, constant for the compiler, so that an entry costs the loops one load, and one loop serves
every system: the fields of a NumPy record would be as quick, but not its rooms, whose lengths are known when a motion begins.
"""

from __future__ import annotations

from nonholo.integrate.loops.arguments.integration_plan import Declared

ENDLESS = 2**62
spec, real, whole = Declared(), Declared(), Declared()

RATES, RATES_DATA = spec.code(lambda p: p.rates_code)
CONSTANTS, CONSTANTS_DATA = spec.code(lambda p: p.kernel.constants, inputs=False)
RESIDUALS, RESIDUALS_DATA = spec.code(lambda p: p.kernel.residuals)
EVENTS, EVENTS_DATA = spec.code(lambda p: p.watched.code)
CONDITIONS, CONDITIONS_DATA = spec.code(lambda p: p.conditions)
NEWTON, NEWTON_DATA = spec.code(lambda p: p.step.newton, inputs=False)
STEP_CONSTANTS, STEP_CONSTANTS_DATA = spec.code(lambda p: p.step.constants, inputs=False)
GUESS, GUESS_DATA = spec.code(lambda p: p.step.guess, inputs=False)
CHANGE, CHANGE_DATA = spec.code(lambda p: p.step.change, inputs=False)
FIRST, FIRST_DATA = spec.code(lambda p: p.step.first, inputs=False)
JACOBIAN, JACOBIAN_DATA = spec.code(lambda p: p.slopes.code)  # of the rates by state, time and inputs
JACOBIAN_CONSTANTS, JACOBIAN_CONSTANTS_DATA = spec.code(lambda p: p.slopes.constants, inputs=False)
ATTEMPT = spec.entry(lambda p: p.method.loop.addresses[0])  # what is the method's own in the loop
PREPARE = spec.entry(lambda p: p.method.loop.addresses[1])
INTERPOLATE = spec.entry(lambda p: p.method.loop.addresses[2])
END_ROW = spec.entry(lambda p: p.method.loop.end_row)
ORDER = spec.entry(lambda p: p.method.loop.order)
ADAPTIVE = spec.entry(lambda p: p.method.loop.adaptive)
SAMPLES = spec.entry(lambda p: p.method.loop.samples)
STATE = spec.entry(lambda p: p.state)  # number of state variables
COORDINATES = spec.entry(lambda p: p.coordinates)
SPEEDS = spec.entry(lambda p: p.speeds)
SYSTEM = spec.entry(lambda p: p.system)  # speeds and unknowns: size of the mass matrix
INPUTS = spec.entry(lambda p: p.inputs)
PARAMETERS = spec.entry(lambda p: p.parameters)
CONSTANTS_COUNT = spec.entry(lambda p: p.kernel.constants.outputs)
SYMMETRIC = spec.entry(lambda p: p.kernel.symmetric)
POSITIONS = spec.entry(lambda p: p.kernel.positions)  # invariants of the coordinates alone
INVARIANTS = spec.entry(lambda p: p.invariants)
EVENT_COUNT = spec.entry(lambda p: p.events)
SLOW = spec.entry(lambda p: p.watched.slow)  # events that a few samples of a step can tell to stay away from zero
CONDITION_COUNT = spec.entry(lambda p: p.kernel.conditions.outputs)
UNKNOWNS = spec.entry(lambda p: p.step.unknowns)  # of one implicit step
MEMORY = spec.entry(lambda p: p.step.memory)  # numbers that a step remembers for the next
STEPWISE = spec.entry(lambda p: p.step.stepwise)  # 1: a step of another size does not use what is remembered
STEP_WIDTH = spec.entry(lambda p: p.step.width)  # length of the input vector of an implicit step
STEP_TIMES = spec.entry(lambda p: len(p.step.times))  # how often within a step an implicit scheme asks for inputs
SUBSTEPS = spec.entry(lambda p: len(p.substeps))  # an implicit step is made of so many
COMPENSATED = spec.entry(lambda p: p.option("compensated", 0))  # 1: what is lost in adding a change is added to the next
PROJECTING = spec.entry(lambda p: p.projecting)  # 1: every step is projected on the invariants
LIVE = spec.entry()  # 1: inputs are asked of Python
BREAKS = spec.entry()  # number of times at which a step must end
WIDTH = spec.entry(lambda p: p.kernel.rates_code.outputs)  # of a row of stages: the output of the rates, derivative first
HITS = spec.entry(lambda p: p.hits)  # room for occurrences of events in one part of a step
RECORDING = spec.entry(lambda p: p.recording)  # 1: keep every step
MAX_STEPS = spec.entry(lambda p: min(p.option("max_steps", ENDLESS), ENDLESS))

AT_Y = spec.room(real, lambda p: p.state)
AT_NEW = spec.room(real, lambda p: p.state)
AT_STAGES = spec.room(real, lambda p: p.method.stages * p.kernel.rates_code.outputs)
AT_GIVEN = spec.room(real, lambda p: 1 + p.state + p.inputs + p.parameters + p.system)  # input vector of the machine code
AT_CONSTANTS = spec.room(  # made of the parameters; right behind the input vector
    real, lambda p: p.kernel.constants.outputs + p.slopes.constants.outputs
)
AT_DENSE = spec.room(real, lambda p: p.method.dense_rows * p.state)  # coefficients of the continuous extension
AT_MATRIX = spec.room(real, lambda p: max(p.system, p.invariants, p.step.unknowns) ** 2)
AT_VECTOR = spec.room(real, lambda p: max(p.system, p.invariants, p.step.unknowns))
AT_SOLUTION = spec.room(real, lambda p: max(p.system, p.step.unknowns))
AT_RESIDUAL = spec.room(real, lambda p: p.invariants * (1 + p.state))
AT_POINT = spec.room(real, lambda p: max(p.state, p.kernel.conditions.outputs))
AT_VALUES = spec.room(real, lambda p: (p.method.samples + 3) * p.events)  # samples in a part of a step, scratch, first row again
AT_WEIGHTS = spec.filled(real, lambda p: p.method.loop.weights)  # how the samples tell an event between them
AT_HIT_PLACE = spec.room(real, lambda p: p.hits)
AT_ROW = spec.room(real, lambda p: p.row)  # input vector of an implicit step, what is made of the parameters, 1 when that is done
AT_ANSWER = spec.room(real, lambda p: p.answer)  # what Newton's method is given: correction, Jacobian, residuals; then scratch
AT_PARTS = spec.filled(real, lambda p: p.parts)  # part of the step and place of each substep; times of inputs (-1: the place)
AT_BETWEEN = spec.room(real, lambda p: 2 * p.state if p.step.unknowns else 0)  # the states within a step of several
AT_CARRY = spec.room(  # what was lost in adding, what the last step lost, and when that ended
    real, lambda p: 2 * p.state + 1 if p.step.unknowns else 0
)
AT_MEMORY = spec.room(  # what is remembered at the start of the step, within it and after it; when, and of which step
    real, lambda p: 3 * p.step.memory + 3 if p.step.memory else 0
)
AT_SLOPES = spec.room(real, lambda p: p.slopes.code.outputs)  # the Jacobian of the rates
AT_PENCIL = spec.room(real, lambda p: p.pencil)  # 1/(hγ) − J in factors, its row exchanges, the rate's own change in time
AT_COUNT = spec.room(whole, lambda p: 2 * p.events)  # one for each event and a copy
AT_SIGN = spec.room(whole, lambda p: 2 * p.events)
AT_HIT_EVENT = spec.room(whole, lambda p: p.hits)
AT_HIT_SIGN = spec.room(whole, lambda p: p.hits)
AT_THRESHOLD = spec.entry()  # places in data, known with the inputs
AT_BREAKS = spec.entry()
AT_TABLES = spec.entry()  # places in spec: four entries for each input, two for each event
AT_WATCH = spec.entry()

TABLE_KNOTS, TABLE_PIECES, TABLE_DEGREE, TABLE_COEFFICIENTS, TABLE = range(5)
WATCH_DIRECTION, WATCH_TERMINAL, WATCH = range(3)

TIME = real.entry()
END = real.entry(lambda p: p.t1)
STEP = real.entry()  # the step to try next
LOW = real.entry()  # the breaks on either side of the present step
HIGH = real.entry()
ANCHOR = real.entry()  # where constant steps are counted from
PIVOT = real.entry()  # pivot ratio at the last step
START = real.entry(lambda p: p.t0)
RTOL = real.entry(lambda p: p.option("rtol", 0.0))
ATOL = real.entry(lambda p: p.option("atol", 1.0))
MAX_STEP = real.entry(lambda p: p.option("max_step", float("inf")))
FIRST_STEP = real.entry(lambda p: p.option("first_step" if p.method.adaptive else "step", 0.0))
LAST = real.entry()  # size of the last accepted step
MARK = real.entry()  # where the motion was when its progress was last judged
ERROR = real.entry()  # what the last attempt gave
RATIO = real.entry()
LEFT = real.entry()  # residual of an implicit step that was given up

STATUS = whole.entry()
ACCEPTED = whole.entry()
REJECTED = whole.entry()
CALLS = whole.entry()
EMITTED = whole.entry()
RECORDED = whole.entry()
OCCURRED = whole.entry()
COUNTED = whole.entry()  # constant steps since the anchor
SHRUNK = whole.entry()  # 1 after a rejection: the next step must not grow
REASON = whole.entry()  # why the last step was rejected
NEXT_BREAK = whole.entry()
WAITING = whole.entry()  # 1: the loop needs more room for its steps, 2: for its events
UNRESOLVED = whole.entry()  # parts of steps in which an event could not be followed
BLURRED = whole.entry()  # 1: there were many of them in one step, occurrences may be missing
SLOPES_OF = whole.entry()  # the step whose Jacobian stands in AT_SLOPES; 0: none yet

(
    FRESH, RUNNING, REACHED, EVENT, TOO_MANY, TOO_SMALL, NOT_FINITE, SINGULAR, DEGENERATE, INTERRUPTED, FULL, UNSOLVED, STALLED,
) = range(13)  # fmt: skip
"""Status of an integration; FULL requests larger output buffers from Python and is never an outcome."""

(
    OF_SPEC, OF_DATA, OF_REAL, OF_WHOLE, OF_TIMES, OF_STATES, OF_STEP_TIMES, OF_STEP_STATES, OF_EVENT_TIMES, OF_EVENT_STATES,
    OF_EVENT_INDEX, OF_STOP, OF_LANES, OF_WHO, WIDE_RATES, MEMBERS, REAL_WIDTH, WHOLE_WIDTH, WANTED, STEP_ROOM, EVENT_ROOM,
    STEPS_NOW,
) = range(22)  # fmt: skip
"""What a loop is called with, in one array of integers: addresses of its arrays and of the rates of all lanes, lengths, steps."""
