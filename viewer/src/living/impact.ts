// Impulses of one contact after the other, by Routh's method, as nonholo.integrate.contacts.impacts computes them.
import { dot, leastSquares } from "./linear";
import type { Contacts, Touch } from "./touching";

const STEPS = 256;
const ZERO_SLIP = 1e-10;
const GROWTH = 1e-9;

export interface Impact {
  speeds: Float64Array;
  dissipated: number[];
  work: number[];
  /** Why it was refused, and at which contact. */
  refused: [string, number] | null;
}

/** The rows on which impulses act: gap, then slip. */
function rowsOf({ row, frictions }: Touch): number[] {
  const first = frictions[0];
  return first && (first.kinetic > 0 || first.limit === Infinity) ? [row, ...first.rows] : [row];
}

export function velocity({ touches, rows }: Contacts, k: number, before: ArrayLike<number>, speeds: ArrayLike<number>): number[] {
  const change = Array.from(speeds, (e, i) => e - before[i]);
  return rowsOf(touches[k]).map((r) => rows[r].value + dot(rows[r].slopes, change));
}

const norm = (e: number[]) => Math.hypot(...e);
const times = (matrix: number[][], way: number[]) => matrix.map((row) => dot(row, way));
const sticking = (inverse: number[][], side: number[]) =>
  leastSquares(inverse.slice(1).map((row) => row.slice(1)), side, side.length).map((e) => -e);

/** The impulse of one contact by itself; null where it finds no end. */
function impulse(touch: Touch, before: number[], inverse: number[][], law: string): number[] | null {
  const size = before.length;
  const slide = size > 1 ? touch.frictions[0].kinetic : 0;
  const hold = size > 1 ? touch.frictions[0].limit : 0;
  let u = before.slice();
  let p = before.map(() => 0);
  const again = touch.restitution;
  if (law === "garwin" && size > 1) {
    const returned = leastSquares(inverse, before, size).map((e) => -(1 + again) * e);
    if (norm(returned.slice(1)) <= hold * returned[0]) return returned;
  }
  if (hold === Infinity) {
    p = [0, ...sticking(inverse, u.slice(1))];
    u = [u[0] + dot(inverse[0], p), ...u.slice(1).map(() => 0)];
  }
  const target = -again * before[0];
  const scale = Math.max(...before.map(Math.abs));
  const whole = ((1 + again) * Math.abs(before[0])) / inverse[0][0];
  let total = Infinity;
  let compressed = false;
  for (let k = 0; k < 10 * STEPS; k++) {
    const way = growing(u, inverse, slide, hold, scale);
    const change = times(inverse, way);
    let end = total - p[0];
    const goal = law === "poisson" && !compressed ? 0 : target;
    if (law !== "poisson" || !compressed) end = change[0] > 0 ? (goal - u[0]) / change[0] : Infinity;
    let step = end;
    const slipping = size > 1 && norm(u.slice(1)) > ZERO_SLIP * scale;
    if (slipping && size === 2 && u[1] * change[1] < 0) step = Math.min(step, -u[1] / change[1]);
    if (!Number.isFinite(step) && !(slipping && size === 3)) return null;
    if (slipping && size === 3) step = turned(u, p, inverse, slide, Math.min(end, whole / STEPS), scale);
    else {
      u = u.map((e, i) => e + step * change[i]);
      p = p.map((e, i) => e + step * way[i]);
      if (slipping && step < end) u = [u[0], ...u.slice(1).map(() => 0)];
    }
    if (step < end) continue;
    if (law === "poisson" && !compressed) {
      compressed = true;
      total = (1 + again) * p[0];
      if (again > 0) continue;
    }
    return p;
  }
  return p;
}

/** The direction in which the impulse grows, for one unit of normal impulse. */
function growing(u: number[], inverse: number[][], slide: number, hold: number, scale: number): number[] {
  if (u.length === 1) return [1];
  const slip = u.slice(1);
  const speed = norm(slip);
  if (speed > ZERO_SLIP * scale) return [1, ...slip.map((e) => (-slide * e) / speed)];
  const stick = sticking(inverse, inverse.slice(1).map((row) => row[0]));
  if (norm(stick) <= hold) return [1, ...stick];
  if (u.length === 2) return [1, slide * Math.sign(stick[0])];
  const at = (k: number) => {
    const way = [Math.cos(-Math.PI + (k * Math.PI) / 360), Math.sin(-Math.PI + (k * Math.PI) / 360)];
    const rate = [1, 2].map((i) => inverse[i][0] - slide * (inverse[i][1] * way[0] + inverse[i][2] * way[1]));
    return { way, turn: way[0] * rate[1] - way[1] * rate[0], outward: dot(way, rate) };
  };
  for (let k = 0; k < 720; k++) {
    const { way, turn, outward } = at(k);
    if (turn * at(k + 1).turn <= 0 && outward > 0) return [1, ...way.map((e) => -slide * e)];
  }
  return [1, ...stick.map((e) => (slide * e) / norm(stick))];
}

/** One step of the impulse while the slip in the plane turns, in place; how long it was. */
function turned(u: number[], p: number[], inverse: number[][], slide: number, longest: number, scale: number): number {
  const rate = (v: number[]) => [1, ...v.slice(1).map((e) => (-slide * e) / norm(v.slice(1)))];
  const moved = (h: number, way: number[]) => {
    const change = times(inverse, way);
    return u.map((e, i) => e + h * change[i]);
  };
  const go = (h: number, way: number[]) => {
    moved(h, way).forEach((e, i) => (u[i] = e));
    way.forEach((e, i) => (p[i] += h * e));
  };
  let step = longest;
  const first = rate(u);
  const slip = u.slice(1);
  const decay = -dot(slip, times(inverse, first).slice(1)) / dot(slip, slip);
  if (decay > 0) {
    if (step * decay >= 1 && norm(slip) < 1e-7 * scale) {
      step = 1 / decay;
      go(step, first);
      u.fill(0, 1);
      return step;
    }
    step = Math.min(step, 0.2 / decay);
  }
  const second = rate(moved(step / 2, first));
  const third = rate(moved(step / 2, second));
  const fourth = rate(moved(step, third));
  go(step, first.map((e, i) => (e + 2 * second[i] + 2 * third[i] + fourth[i]) / 6));
  return step;
}

/** The speeds after contacts have hit one after the other; one that rests is hit when another's impulse presses it down. */
export function impact(contacts: Contacts, closing: number[], touching: boolean[], laws: string[], before: Float64Array, energy: number): Impact {
  const { touches, rows, columns, response } = contacts;
  let speeds = before.slice();
  const [dissipated, work] = [touches.map(() => 0), touches.map(() => 0)];
  const waiting = closing.slice();
  for (let turn = 0; turn < 60 * touches.length && waiting.length; turn++) {
    const k = waiting.shift()!;
    const u = velocity(contacts, k, before, speeds);
    if (!(u[0] < 0)) continue;
    const own = rowsOf(touches[k]);
    const p = impulse(touches[k], u, own.map((r) => own.map((c) => response[r][c])), laws[k]);
    if (p === null || !p.every(Number.isFinite)) return { speeds: before, dissipated, work, refused: ["endless", k] };
    const after = speeds.map((e, i) => e + own.reduce((total, r, j) => total + p[j] * columns[r][i], 0));
    const later = velocity(contacts, k, before, after);
    const lost = p.reduce((total, e, i) => total + (e * (u[i] + later[i])) / 2, 0);
    const done = p.reduce((total, e, i) => total + e * dot(rows[own[i]].slopes, after.map((v, j) => (v + speeds[j]) / 2)), 0);
    dissipated[k] -= lost;
    work[k] += done - lost;
    speeds = after;
    touches.forEach((touch, j) => {
      const pressed = touching[j] && touch.row >= 0 && !waiting.includes(j);
      if (pressed && velocity(contacts, j, before, speeds)[0] < -1e-13 * Math.max(Math.abs(u[0]), 1e-300)) waiting.push(j);
    });
  }
  if (dissipated.reduce((a, b) => a + b, 0) < -GROWTH * energy) return { speeds: before, dissipated, work, refused: ["growing", closing[0]] };
  return { speeds, dissipated, work, refused: null };
}
