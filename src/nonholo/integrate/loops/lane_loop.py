"""Several motions at once: their steps in vector instructions, everything else for each by itself.

Each lane has its own time, its own step and its own member; a member that is at its end, or has failed, leaves its lane to the
next. All arithmetic is by lane and in the order of the loop for one motion, so that the result of a member depends neither on its
neighbours nor on whether it had any. What a lane holds goes back to the member's own arrays when somebody asks for its state
and when it leaves, so that the loop for one motion can go on with it: it begins and ends every member, and makes the steps of
the last few.
"""

from __future__ import annotations

from typing import Any

from nonholo.integrate.loops.arguments.array_layout import (
    ACCEPTED,
    AT_GIVEN,
    AT_NEW,
    AT_STAGES,
    AT_Y,
    ATOL,
    CALLS,
    CONSTANTS_COUNT,
    COORDINATES,
    EVENT_ROOM,
    HIGH,
    INPUTS,
    INTERRUPTED,
    INVARIANTS,
    MEMBERS,
    OF_DATA,
    OF_EVENT_INDEX,
    OF_EVENT_STATES,
    OF_EVENT_TIMES,
    OF_LANES,
    OF_REAL,
    OF_SPEC,
    OF_STATES,
    OF_STEP_STATES,
    OF_STEP_TIMES,
    OF_STOP,
    OF_TIMES,
    OF_WHO,
    OF_WHOLE,
    PARAMETERS,
    REAL_WIDTH,
    RTOL,
    RUNNING,
    STATE,
    STATUS,
    SYSTEM,
    TIME,
    WAITING,
    WANTED,
    WHOLE_WIDTH,
    WIDE_RATES,
    WIDTH,
)
from nonholo.integrate.loops.compilation.loop_compiler import call_address, inner, reals, shift, wholes
from nonholo.integrate.loops.compilation.native import Routine
from nonholo.integrate.loops.compilation.vector_instructions import (
    LANES,
    blend,
    copy,
    eighth_root,
    pair_error,
    place,
    positive,
    sizes,
    wide_combination,
)
from nonholo.integrate.loops.loop_rates import derivative, set_inputs
from nonholo.integrate.loops.projection import project
from nonholo.integrate.loops.step_control import SAFETY, aim, at_break, go_on, looked, reject, settle, silent

Row = tuple[float, ...]
HERE, STEPS, THERE, AT, ERROR, GROWN, LEAST, TAKEN, HEADS = range(9)
"""Numbers of each lane before its state: time, step, end of the step, time of the stage, error, growth, pivot ratio, taken."""
LEFT = 2
"""With so few members left the loop for one motion is quicker."""


def lane_room(state: int, width: int, given: int, stages: int) -> int:
    """Room for all lanes: heads, state, new state, input vector, stages."""
    return LANES * (HEADS + 2 * state + given + stages * width)


@inner
def rates_of_lanes(
    spec: Any, data: Any, base: Any, wide: int, address: int, room: Any, given: Any, row: Any, who: Any, scratch_row: int
) -> None:
    """The rates of all lanes at the times ``AT`` and the states in the input vectors; hard mass matrices one by one."""
    n, w = spec[STATE], spec[WIDTH]
    times, least = shift(room, AT * LANES), shift(room, LEAST * LANES)
    copy(given, times, 1, 0)
    if spec[INPUTS] > 0:
        for lane in range(LANES):
            if who[lane] >= 0:
                real = shift(base, who[lane] * wide)
                own = shift(real, spec[AT_GIVEN])
                set_inputs(spec, data, own, times[lane], real[HIGH])
                for k in range(1 + n, 1 + n + spec[INPUTS]):
                    given[k * LANES + lane] = own[k]
    call_address(address, 0, row, given)
    flags = shift(row, (spec[COORDINATES] + spec[SYSTEM]) * LANES)
    if positive(flags, 0, 0, 0):
        return
    for lane in range(LANES):
        if who[lane] >= 0 and not flags[lane] > 0.0:
            real = shift(base, who[lane] * wide)
            own, scratch = shift(real, spec[AT_GIVEN]), shift(real, spec[AT_STAGES] + scratch_row * w)
            for k in range(1 + n):
                own[k] = given[k * LANES + lane]
            ratio = derivative(spec, data, real, times[lane], scratch)
            for k in range(spec[COORDINATES] + spec[SYSTEM]):
                row[k * LANES + lane] = scratch[k]
            if ratio < least[lane] or ratio != ratio:
                least[lane] = ratio


@inner
def _no_stage(
    spec: Any, data: Any, base: Any, wide: int, address: int, room: Any, given: Any, y: Any, k: Any, who: Any
) -> None:
    return


def _stage(before: Any, weights: Row, node: float, index: int, scratch_row: int) -> Any:
    combine, at_end = wide_combination(weights), node == 1.0

    @inner
    def run(
        spec: Any, data: Any, base: Any, wide: int, address: int, room: Any, given: Any, y: Any, k: Any, who: Any
    ) -> None:
        before(spec, data, base, wide, address, room, given, y, k, who)
        n, w = spec[STATE], spec[WIDTH]
        combine(shift(given, LANES), y, k, w, n, shift(room, STEPS * LANES))
        if at_end:
            copy(shift(room, AT * LANES), shift(room, THERE * LANES), 1, 0)
        else:
            place(shift(room, AT * LANES), shift(room, HERE * LANES), shift(room, STEPS * LANES), node)
        rates_of_lanes(spec, data, base, wide, address, room, given, shift(k, index * w * LANES), who, scratch_row)

    return run


def make_lanes(
    name: str, nodes: Row, coupling: tuple[Row, ...], weights: Row, errors: tuple[Row, Row], end_row: int
) -> Routine:  # fmt: skip
    """The loop over steps of several members of an explicit pair with two error estimates."""
    count, scratch_row = len(nodes), end_row + 3
    stages: Any = _no_stage
    for index, (node, row) in enumerate(zip(nodes[1:], coupling), 1):
        stages = _stage(stages, row, node, index, scratch_row)
    solution = wide_combination(weights)
    first_error, second_error = (wide_combination(row, based=False) for row in errors)

    @inner
    def load(spec: Any, real: Any, room: Any, lane: int, whole_vector: bool) -> None:
        """State and slope of a member into its lane; with its parameters when it is new there."""
        n = spec[STATE]
        y, given, k = _places(spec, room)
        state, slope, own = shift(real, spec[AT_Y]), shift(real, spec[AT_STAGES]), shift(real, spec[AT_GIVEN])
        for i in range(n):
            y[i * LANES + lane] = state[i]
            k[i * LANES + lane] = slope[i]
        if whole_vector:
            last = 1 + n + spec[INPUTS] + spec[PARAMETERS] + spec[SYSTEM] + spec[CONSTANTS_COUNT]
            for i in range(last):
                given[i * LANES + lane] = own[i]

    @inner
    def store(spec: Any, real: Any, room: Any, lane: int) -> None:
        """State and slope of a lane back to its member."""
        y, _, k = _places(spec, room)
        state, slope = shift(real, spec[AT_Y]), shift(real, spec[AT_STAGES])
        for i in range(spec[STATE]):
            state[i] = y[i * LANES + lane]
            slope[i] = k[i * LANES + lane]

    @inner
    def lanes(place: int) -> int:
        """Steps of all members that are on their way, until they are at their end; returns how many are left of the last few."""
        call = wholes(place)
        spec, data, stop, address = wholes(call[OF_SPEC]), reals(call[OF_DATA]), wholes(call[OF_STOP]), call[WIDE_RATES]
        times, step_times, step_states = reals(call[OF_TIMES]), reals(call[OF_STEP_TIMES]), reals(call[OF_STEP_STATES])
        wanted, event_room = call[WANTED], call[EVENT_ROOM]
        base, whole_base, wide, whole_wide = reals(call[OF_REAL]), wholes(call[OF_WHOLE]), call[REAL_WIDTH], call[WHOLE_WIDTH]
        room, who = reals(call[OF_LANES]), wholes(call[OF_WHO])
        n, w, members = spec[STATE], spec[WIDTH], call[MEMBERS]
        y, given, k = _places(spec, room)
        new, end = shift(y, n * LANES), shift(k, end_row * w * LANES)
        here, there = shift(room, HERE * LANES), shift(room, THERE * LANES)
        steps, errors_of = shift(room, STEPS * LANES), shift(room, ERROR * LANES)
        least, taken, grown = shift(room, LEAST * LANES), shift(room, TAKEN * LANES), shift(room, GROWN * LANES)
        calls = shift(who, LANES)
        waiting, busy = 0, 0
        while waiting < members and whole_base[waiting * whole_wide + STATUS] != RUNNING:
            waiting += 1
        for lane in range(LANES):  # a lane without a member stands still where the first one begins, or where its last one was
            who[lane], here[lane], steps[lane], there[lane] = -1, 0.0, 0.0, 0.0
            if waiting < members:
                load(spec, shift(base, waiting * wide), room, lane, True)
        while True:
            for lane in range(LANES):
                while True:
                    if who[lane] < 0:
                        while waiting < members and whole_base[waiting * whole_wide + STATUS] != RUNNING:
                            waiting += 1
                        if waiting == members:
                            break
                        who[lane] = waiting
                        waiting += 1
                        busy += 1
                        whole_base[who[lane] * whole_wide + WAITING] = 0
                        load(spec, shift(base, who[lane] * wide), room, lane, True)
                    real, whole = shift(base, who[lane] * wide), shift(whole_base, who[lane] * whole_wide)
                    if stop[0] != 0 and whole[STATUS] == RUNNING:
                        whole[STATUS] = INTERRUPTED
                    if whole[STATUS] == RUNNING and whole[WAITING] == 0:
                        new_t = aim(spec, real, whole, 0, event_room)
                        if new_t == new_t:
                            here[lane], there[lane], steps[lane] = real[TIME], new_t, new_t - real[TIME]
                            calls[lane] = whole[CALLS]
                            break
                    store(spec, real, room, lane)
                    who[lane], steps[lane] = -1, 0.0
                    busy -= 1
            if busy == 0 or (busy <= LEFT and waiting == members):
                for lane in range(LANES):
                    if who[lane] >= 0:
                        store(spec, shift(base, who[lane] * wide), room, lane)
                return busy
            for lane in range(LANES):
                least[lane], taken[lane] = 1.0, 0.0
            stages(spec, data, base, wide, address, room, given, y, k, who)
            solution(new, y, k, w, n, steps)
            fives, threes = shift(k, (end_row + 2) * w * LANES), shift(k, (end_row + 3) * w * LANES)
            first_error(fives, y, k, w, n, steps)
            second_error(threes, y, k, w, n, steps)
            real = shift(base, max(who[0], 0) * wide)
            pair_error(errors_of, y, new, fives, threes, steps, n, real[RTOL], real[ATOL])
            eighth_root(grown, errors_of, SAFETY, 0)
            for lane in range(LANES):
                if who[lane] >= 0:
                    real, whole = shift(base, who[lane] * wide), shift(whole_base, who[lane] * whole_wide)
                    whole[CALLS] += count - 1
                    error = errors_of[lane] if least[lane] > 0.0 else 0.0
                    if not (error <= 1.0 and least[lane] > 0.0):
                        reject(spec, real, whole, error, grown[lane], least[lane], steps[lane])
                        continue
                    taken[lane] = 1.0
                    if spec[INVARIANTS] > 0:
                        own = shift(real, spec[AT_NEW])
                        for i in range(n):
                            own[i] = new[i * LANES + lane]
                        project(spec, data, real, there[lane], own)
                        for i in range(n):
                            new[i * LANES + lane] = own[i]
            copy(shift(given, LANES), new, n, 0)
            copy(shift(room, AT * LANES), there, 1, 0)
            rates_of_lanes(spec, data, base, wide, address, room, given, end, who, scratch_row)
            sizes(errors_of, end, n, 0)
            for lane in range(LANES):
                if taken[lane] > 0.0:
                    real, whole = shift(base, who[lane] * wide), shift(whole_base, who[lane] * whole_wide)
                    whole[CALLS] += 1
                    if not (least[lane] > 0.0 and errors_of[lane] - errors_of[lane] == 0.0):
                        reject(spec, real, whole, 1e301, grown[lane], least[lane], steps[lane])
                        taken[lane] = 0.0
                    elif silent(spec, data, real, whole, there[lane], times, wanted):
                        whole[ACCEPTED] += 1
                        go_on(spec, real, whole, there[lane], there[lane], False, grown[lane])
                    else:
                        landing = at_break(real, there[lane])
                        store(spec, real, room, lane)
                        own, own_stages = shift(real, spec[AT_NEW]), shift(real, spec[AT_STAGES])
                        slope = shift(own_stages, end_row * w)
                        for i in range(n):
                            own[i] = new[i * LANES + lane]
                        for i in range(w):
                            slope[i] = end[i * LANES + lane]
                        if looked(spec, real, whole, there[lane], times, wanted):
                            for row in range(1, count):
                                for i in range(n):
                                    own_stages[row * w + i] = k[(row * w + i) * LANES + lane]
                        settle(
                            spec, data, real, whole, there[lane], grown[lane], calls[lane], times,
                            shift(reals(call[OF_STATES]), who[lane] * wanted * n), wanted, step_times, step_states,
                            shift(reals(call[OF_EVENT_TIMES]), who[lane] * event_room),
                            shift(reals(call[OF_EVENT_STATES]), who[lane] * event_room * n),
                            shift(wholes(call[OF_EVENT_INDEX]), who[lane] * event_room * 2), event_room,
                        )  # fmt: skip
                        if landing or whole[STATUS] != RUNNING or whole[WAITING] != 0:  # beyond a break the slope is another
                            taken[lane] = 0.0
                            load(spec, real, room, lane, False)
            blend(y, new, taken, n)
            blend(k, end, taken, n)

    return Routine(name, lanes)


@inner
def _places(spec: Any, room: Any) -> tuple[Any, Any, Any]:
    """Where state, input vector and stages of the lanes begin."""
    n = spec[STATE]
    y = shift(room, HEADS * LANES)
    given = shift(y, 2 * n * LANES)
    length = 1 + n + spec[INPUTS] + spec[PARAMETERS] + spec[SYSTEM] + spec[CONSTANTS_COUNT]
    return y, given, shift(given, length * LANES)
