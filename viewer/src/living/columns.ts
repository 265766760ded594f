// Quantities over time.

/** A column at a time between its rows. */
export function at(times: ArrayLike<number>, values: ArrayLike<number>, time: number): number {
  let [low, high] = [0, times.length - 1];
  const forwards = times[high] >= times[low];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time === forwards) low = middle;
    else high = middle;
  }
  const span = times[high] - times[low];
  const part = span ? Math.min(1, Math.max(0, (time - times[low]) / span)) : 0;
  return values[low] + part * (values[high] - values[low]);
}
