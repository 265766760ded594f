// What time the film shows: numbers in, numbers out.

/** Milliseconds at the end before the film begins again. */
export const REST = 700;
/** The longest step: a page that slept wakes up where it was, not minutes later. */
export const LEAP = 250;

export interface Clock {
  time: number;
  /** Milliseconds rested at the end. */
  rest: number;
}

/** The clock after so many milliseconds; a motion may run backwards, from a larger first to a smaller last time. */
export function advanced(clock: Clock, passed: number, speed: number, first: number, last: number): Clock {
  const step = Math.min(Math.max(0, passed), LEAP);
  if (clock.time === last) {
    const rest = clock.rest + step;
    return rest < REST ? { time: last, rest } : { time: first, rest: 0 };
  }
  const sign = last >= first ? 1 : -1;
  const next = clock.time + (sign * step * speed) / 1000;
  return { time: sign * next >= sign * last ? last : next, rest: 0 };
}

/** A time that the film has. */
export function within(time: number, first: number, last: number): number {
  return Math.min(Math.max(first, last), Math.max(Math.min(first, last), time));
}
