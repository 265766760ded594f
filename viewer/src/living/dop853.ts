// Dormand and Prince's pair of order 8(5,3) with its continuous extension of order 7; the numbers are Python's own table.
import type { Machine } from "./machine";
import type { Table } from "./plan";
import { Projection } from "./projection";

const SAFETY = 0.9;
const SHRINK_MOST = 1 / 3;
const GROW_MOST = 6;
const ROUNDING = 2.220446049250313e-16;

/** Witnesses of events at a time and state: each ends the motion where it falls through zero. */
export type Watch = (time: number, state: Float64Array) => number[];

type Sum = { from: Int32Array; by: Float64Array };

function sum(row: number[]): Sum {
  const from = row.flatMap((e, i) => (e === 0 ? [] : [i]));
  return { from: Int32Array.from(from), by: Float64Array.from(from, (i) => row[i]) };
}

/** Why a loop ended, in the words of nonholo.integrate.outcome. */
export type Status = "EVENT" | "REACHED" | "TOO_MANY" | "TOO_SMALL" | "NOT_FINITE" | "SINGULAR" | "INTERRUPTED";

/** Samples of a step at which witnesses are looked at. */
const SAMPLES = 8;
/** Events within this part of a step of each other are at once. */
const AT_ONCE = 1e-13;

export interface Limits {
  steps: number;
  /** Whether the time that may be spent is over. */
  over: () => boolean;
}

export class Stepper {
  time = 0;
  accepted = 0;
  readonly state: Float64Array;
  readonly next: Float64Array;
  private readonly point: Float64Array;
  /** One after the other in `flat`. */
  private readonly stages: Float64Array[];
  private readonly flat: Float64Array;
  private readonly dense: Float64Array[];
  private readonly fifth: Float64Array;
  private readonly third: Float64Array;
  private readonly rows: Sum[];
  private readonly more: Sum[];
  private readonly extension: Sum[];
  private readonly weights: Sum;
  private readonly errors: [Sum, Sum];
  private readonly projection: Projection;
  private attempts = 0;

  constructor(private readonly machine: Machine, private readonly table: Table, private readonly rtol: number, private readonly atol: number) {
    const n = machine.width;
    const row = () => new Float64Array(n);
    [this.state, this.next, this.point, this.fifth, this.third] = [row(), row(), row(), row(), row()];
    const flat = (this.flat = new Float64Array(16 * n));
    this.stages = Array.from({ length: 16 }, (_, k) => flat.subarray(k * n, (k + 1) * n));
    this.dense = Array.from({ length: 8 }, row);
    this.rows = table.stages.map(sum);
    this.more = table.more.map(sum);
    this.extension = table.dense.map(sum);
    this.weights = sum(table.weights);
    this.errors = [sum(table.fifth), sum(table.third)];
    this.projection = new Projection(machine);
  }

  /** `base + h Σ by · stage`: three stages at a time, so that a sum is read and written less often; the order of the sum is theirs. */
  private combine(into: Float64Array, base: Float64Array | null, parts: Sum, h: number): void {
    const { from, by } = parts;
    const { flat } = this;
    const n = into.length;
    const count = from.length;
    into.fill(0);
    let k = 0;
    for (; k + 2 < count; k += 3) {
      const [a, b, c] = [by[k], by[k + 1], by[k + 2]];
      const [p, q, r] = [from[k] * n, from[k + 1] * n, from[k + 2] * n];
      for (let i = 0; i < n; i++) into[i] = into[i] + a * flat[p + i] + b * flat[q + i] + c * flat[r + i];
    }
    for (; k < count; k++) {
      const a = by[k];
      const p = from[k] * n;
      for (let i = 0; i < n; i++) into[i] += a * flat[p + i];
    }
    if (base === null) for (let i = 0; i < n; i++) into[i] *= h;
    else for (let i = 0; i < n; i++) into[i] = base[i] + h * into[i];
  }

  private finite(row: Float64Array): boolean {
    let total = 0;
    for (let i = 0; i < row.length; i++) total += Math.abs(row[i]);
    return total - total === 0;
  }

  /** From `state` at `from` to `until`, telling `emit` the wanted times within each step; it ends where a witness in `watch` falls through zero. */
  run(from: number, until: number, limits: Limits, emit: (low: number, high: number) => void, watch: Watch | null = null): Status {
    const { machine, stages, state, next } = this;
    this.time = from;
    const first = machine.rates(from, state, stages[0]);
    if (!(first > 0)) return first === 0 ? "SINGULAR" : "NOT_FINITE";
    if (!this.finite(stages[0]) || !this.finite(state)) return "NOT_FINITE";
    if (until === from) return "REACHED";
    let witnessed = watch ? watch(from, state) : [];
    let h = this.firstStep(from, until);
    let shrunk = false;
    let reason: Status = "TOO_SMALL";
    for (;;) {
      if (this.attempts++ >= limits.steps) return "TOO_MANY";
      if ((this.attempts & 63) === 0 && limits.over()) return "INTERRUPTED";
      const t = this.time;
      const landing = (t + 1.01 * h - until) * h >= 0;
      let end = landing ? until : t + h;
      if (Math.abs(h) < 16 * ROUNDING * Math.abs(t) || Math.abs(h) < 1e-290) return reason;
      const own = end - t;
      const { error, ratio } = this.attempt(t, own);
      if (!(error <= 1 && ratio > 0)) {
        shrunk = true;
        if (error > 1 && error < 1e300 && ratio > 0) {
          reason = "TOO_SMALL";
          h = own * Math.max(SHRINK_MOST, SAFETY / error ** 0.125);
        } else {
          reason = ratio > 0 ? "NOT_FINITE" : ratio === 0 ? "SINGULAR" : "NOT_FINITE";
          h = 0.2 * own;
        }
        continue;
      }
      if (this.projection.needed) this.projection.project(end, next);
      const there = machine.rates(end, next, stages[12]);
      if (!(there > 0 && this.finite(stages[12]))) {
        shrunk = true;
        reason = there === 0 ? "SINGULAR" : "NOT_FINITE";
        h = 0.2 * own;
        continue;
      }
      const place = watch ? this.crossing(t, end, witnessed, watch) : null;
      if (place !== null) {
        end = this.landed(t, own, place, watch!);
        this.accepted++;
        emit(t, end);
        this.time = end;
        state.set(next);
        return "EVENT";
      }
      this.accepted++;
      emit(t, end);
      if (watch) witnessed = this.seen;
      this.time = end;
      state.set(next);
      stages[0].set(stages[12]);
      let factor = error === 0 ? GROW_MOST : Math.min(GROW_MOST, Math.max(SHRINK_MOST, SAFETY / error ** 0.125));
      if (shrunk) factor = Math.min(factor, 1);
      shrunk = false;
      h = own * factor;
      if (landing) return "REACHED";
    }
  }

  /** Witnesses that passed zero at the event, by number. */
  crossed: number[] = [];
  private seen: number[] = [];
  private fallen: number[] = [];

  /** Where, in parts of the step just made, the first witness falls through zero; null where none does. */
  private crossing(t: number, end: number, before: number[], watch: Watch): number | null {
    this.extend(t, end);
    const row = new Float64Array(this.next.length);
    const values = (place: number) => {
      this.interpolate(place, row);
      return watch(t + place * (end - t), row);
    };
    let old = before;
    for (let j = 1; j <= SAMPLES; j++) {
      const here = values(j / SAMPLES);
      // one that begins at zero may rise and fall before the first sample, as the gap of a low bounce does
      const risen = (i: number): number => {
        for (let place = 1 / 2; place > 1e-14; place /= 2) if (values(place / SAMPLES)[i] > 0) return place / SAMPLES;
        return -1;
      };
      const lows = here.map((e, i) => (e < 0 ? (old[i] > 0 ? (j - 1) / SAMPLES : j === 1 ? risen(i) : -1) : -1));
      const fallen = lows.flatMap((low, i) => (low >= 0 ? [i] : []));
      if (fallen.length) {
        const places = fallen.map((i) => {
          let [low, high] = [lows[i], j / SAMPLES];
          for (let again = 0; again < 60 && high - low > 1e-16; again++) {
            const middle = (low + high) / 2;
            if (values(middle)[i] < 0) high = middle;
            else low = middle;
          }
          return high;
        });
        const first = Math.min(...places);
        this.fallen = fallen;
        this.crossed = fallen.filter((_, i) => places[i] - first <= AT_ONCE);
        return first;
      }
      old = here.map((e, i) => (e === 0 ? old[i] : e));
    }
    this.seen = old;
    return null;
  }

  /** Step to the event itself: the extension told where it is about, secants on the end of the step tell it to rounding. */
  private landed(t: number, h: number, place: number, watch: Watch): number {
    const { machine, next, stages } = this;
    const which = this.crossed[0];
    const to = (step: number): number => {
      this.attempt(t, step);
      if (this.projection.needed) this.projection.project(t + step, next);
      return watch(t + step, next)[which];
    };
    let step = place * h;
    let value = to(step);
    if (Math.abs(step) > 1e-9) {
      let [other, far] = [step * (1 - 1e-4), 0];
      far = to(other);
      for (let again = 0; again < 4 && value !== far && Math.abs(value) > 1e-16; again++) {
        const better = step - (value * (step - other)) / (value - far);
        if (!(better > 0 && better < 1.001 * h) || Math.abs(better - step) < 1e-16 * Math.abs(t + step)) break;
        [other, far] = [step, value];
        step = better;
        value = to(step);
      }
      if (Math.abs(value) > Math.abs(far)) step = other;
      to(step);
    }
    // whoever has passed zero there as well would not be seen again
    const there = watch(t + step, next);
    this.crossed = [...new Set([...this.crossed, ...this.fallen.filter((i) => there[i] < 0)])];
    machine.rates(t + step, next, stages[12]);
    return t + step;
  }

  private attempt(t: number, h: number): { error: number; ratio: number } {
    const { machine, table, stages, point, state, next } = this;
    let least = 1;
    for (let k = 0; k < this.rows.length; k++) {
      this.combine(point, state, this.rows[k], h);
      const ratio = machine.rates(t + table.nodes[k + 1] * h, point, stages[k + 1]);
      if (!(ratio > 0)) return { error: 0, ratio };
      least = Math.min(least, ratio);
    }
    this.combine(next, state, this.weights, h);
    this.combine(this.fifth, null, this.errors[0], 1);
    this.combine(this.third, null, this.errors[1], 1);
    let five = 0;
    let three = 0;
    for (let i = 0; i < next.length; i++) {
      const scale = 1 / (this.atol + this.rtol * Math.max(Math.abs(state[i]), Math.abs(next[i])));
      five += (this.fifth[i] * scale) ** 2;
      three += (this.third[i] * scale) ** 2;
    }
    const below = five + 0.01 * three;
    return { error: below === 0 ? 0 : (Math.abs(h) * five) / Math.sqrt(next.length * below), ratio: least };
  }

  /** The continuous extension of the step just made, before the state moves on. */
  extend(low: number, high: number): void {
    const { machine, stages, point, state, next, dense, table } = this;
    const h = high - low;
    for (let k = 0; k < 3; k++) {
      this.combine(point, state, this.more[k], h);
      machine.rates(low + table.nodes[13 + k] * h, point, stages[13 + k]);
    }
    for (let i = 0; i < next.length; i++) {
      const rise = next[i] - state[i];
      dense[0][i] = state[i];
      dense[1][i] = rise;
      dense[2][i] = h * stages[0][i] - rise;
      dense[3][i] = 2 * rise - h * (stages[0][i] + stages[12][i]);
    }
    for (let k = 0; k < 4; k++) this.combine(dense[4 + k], null, this.extension[k], h);
  }

  /** The state at a place in [0, 1] of the step; at its end the state itself. */
  interpolate(place: number, into: Float64Array): void {
    if (place === 1) return into.set(this.next);
    const r = this.dense;
    const rest = 1 - place;
    for (let i = 0; i < into.length; i++) {
      let value = r[5][i] + rest * (r[6][i] + place * r[7][i]);
      value = r[3][i] + rest * (r[4][i] + place * value);
      into[i] = r[0][i] + place * (r[1][i] + rest * (r[2][i] + place * value));
    }
  }

  /** A first step whose Taylor remainder is small. [Hairer, Nørsett, Wanner I, II.4] */
  private firstStep(from: number, until: number): number {
    const { machine, stages, state, point } = this;
    const span = until - from;
    let size = 0;
    let speed = 0;
    const scale = state.map((e) => this.atol + this.rtol * Math.abs(e));
    state.forEach((e, i) => {
      size += (e / scale[i]) ** 2;
      speed += (stages[0][i] / scale[i]) ** 2;
    });
    const h = Math.min(size <= 1e-10 || speed <= 1e-10 ? 1e-6 : 0.01 * Math.sqrt(size / speed), Math.abs(span));
    const sign = Math.sign(span);
    state.forEach((e, i) => (point[i] = e + sign * h * stages[0][i]));
    machine.rates(from + sign * h, point, stages[1]);
    let bend = 0;
    state.forEach((_, i) => (bend += ((stages[1][i] - stages[0][i]) / scale[i]) ** 2));
    const steep = Math.max(Math.sqrt(speed), Math.sqrt(bend) / h);
    if (!(steep < 1e300)) return 1e-3 * sign * h;
    const step = steep <= 1e-15 ? Math.max(1e-6, 1e-3 * h) : (0.01 / steep) ** 0.125;
    return sign * Math.min(100 * h, step, Math.abs(span));
  }
}
