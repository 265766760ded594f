// A motion as numbers to draw: places, quaternions, sizes and traces, as nonholo.present.film.scene makes them.
import type { Machine } from "./machine";
import type { BodyPlan, DrawingPlan, Picture } from "./plan";
import { at as between } from "./columns";

/** Changes below this part of the picture's size are none. */
const STILL = 1e-9;
/** Points of a wire, and of a surface along s and r; fewer where they change with time. */
const WIRE = 129;
const WIRE_MOVING = 33;
const SURFACE = [41, 81];
const SURFACE_MOVING = [21, 21];

type Drawn = Picture["bodies"][number] & { matrices: Float64Array };

export function picture(
  machine: Machine, plan: DrawingPlan, times: Float64Array, states: Float64Array, columns: Record<string, Float64Array>,
  modes: string[][] = [],
): Picture {
  const { width } = machine;
  const count = times.length;
  const total = machine.plan.sections.drawing;
  const table = new Float64Array(count * total);
  for (let k = 0; k < count; k++) {
    machine.at(times[k], states.subarray(k * width, (k + 1) * width));
    table.set(machine.call("drawing"), k * total);
  }
  const column = (at: number) => Float64Array.from({ length: count }, (_, k) => table[k * total + at]);
  const bodies: Drawn[] = plan.bodies.map((body) => {
    const place = new Float32Array(3 * count);
    const matrices = new Float64Array(9 * count);
    for (let k = 0; k < count; k++) {
      for (let i = 0; i < 3; i++) place[3 * k + i] = table[k * total + body.position + i];
      for (let i = 0; i < 9; i++) matrices[9 * k + i] = table[k * total + body.rotation + i];
    }
    const sizes: Record<string, number | Float32Array> = {};
    for (const [name, at] of Object.entries(body.size)) {
      const values = column(at);
      sizes[name] = values.every((e) => e === values[0]) ? Math.fround(values[0]) : Float32Array.from(values);
    }
    if (body.shape === "wheel") roll(place, matrices, sizes.radius);
    const made: Drawn = {
      position: place, rotation: quaternions(matrices), size: sizes, matrices,
      turns: spread(matrices, 9) > STILL, moves: spread(place, 3) > STILL,
    };
    if (body.points) Object.assign(made, curve(machine, body, sizes, times, states));
    return made;
  });
  const traces = plan.traces.map(({ at }) => {
    const points = new Float32Array(3 * count);
    for (let k = 0; k < count; k++) for (let i = 0; i < 3; i++) points[3 * k + i] = table[k * total + at + i];
    return points;
  });
  const triple = (at: number) => Float32Array.from({ length: 3 * count }, (_, k) => table[Math.floor(k / 3) * total + at + (k % 3)]);
  const forces = plan.forces.filter(({ terms }) => terms.every(([name]) => name === "1" || columns[name])).map((one) => {
    const vector = new Float32Array(3 * count);
    for (const [name, at] of one.terms) {
      for (let k = 0; k < count; k++) {
        const value = name === "1" ? 1 : between(columns.t, columns[name], times[k]);
        for (let i = 0; i < 3; i++) vector[3 * k + i] += (Number.isFinite(value) ? value : 0) * table[k * total + at + i];
      }
    }
    return {
      name: one.name, kind: one.kind, colour: one.colour, point: triple(one.point), vector,
      ...(one.normal === undefined ? {} : { normal: triple(one.normal) }),
      ...(one.slope === undefined ? {} : { slope: table[one.slope] }),
      ...(one.contact === undefined ? {} : { mode: modes.map((words) => words[one.contact!][0]).join("") }),
    };
  });
  const made = { times: Float32Array.from(times), bodies, traces, forces, ...view(plan, bodies, traces, count) };
  bodies.forEach((body) => delete (body as Partial<Drawn>).matrices);
  return made;
}

function spread(values: ArrayLike<number>, width: number): number {
  let most = 0;
  for (let i = 0; i < width; i++) {
    let low = Infinity;
    let high = -Infinity;
    for (let k = i; k < values.length; k += width) {
      low = Math.min(low, values[k]);
      high = Math.max(high, values[k]);
    }
    most = Math.max(most, high - low);
  }
  return most;
}

/** A wheel that goes somewhere with a spoke that stays level has no rolling angle of its own: it gets one. */
function roll(place: Float32Array, matrices: Float64Array, radius: number | Float32Array): void {
  const count = matrices.length / 9;
  if (spread(place, 3) <= STILL) return;
  for (let k = 0; k < count; k++) if (Math.abs(matrices[9 * k + 6]) >= STILL) return;
  let angle = 0;
  const was = matrices.slice();
  for (let k = 0; k < count; k++) {
    const m = was.subarray(9 * k, 9 * k + 9);
    if (k > 0) {
      const b = was.subarray(9 * k - 9, 9 * k);
      let way = 0;
      for (let i = 0; i < 3; i++) way += ((place[3 * k + i] - place[3 * k - 3 + i]) * (m[3 * i] + b[3 * i])) / 2;
      angle += Number.isFinite(way) ? way : 0;
    }
    const sign = Math.sign(m[5] * m[0] - m[2] * m[3]);
    const own = (sign * angle) / (typeof radius === "number" ? radius : radius[k]);
    const cos = Math.cos(own);
    const sin = Math.sin(own);
    for (let i = 0; i < 3; i++) {
      matrices[9 * k + 3 * i] = cos * m[3 * i] + sin * m[3 * i + 1];
      matrices[9 * k + 3 * i + 1] = -sin * m[3 * i] + cos * m[3 * i + 1];
    }
  }
}

/** Quaternions (x, y, z, w) of rotation matrices by rows, each on the side of the one before. */
export function quaternions(matrices: Float64Array): Float32Array {
  const count = matrices.length / 9;
  const result = new Float32Array(4 * count);
  const q = [0, 0, 0, 1];
  for (let n = 0; n < count; n++) {
    const m = (i: number, j: number) => matrices[9 * n + 3 * i + j];
    const before = q.slice();
    const choices = [m(0, 0), m(1, 1), m(2, 2), m(0, 0) + m(1, 1) + m(2, 2)];
    const best = choices.indexOf(Math.max(...choices));
    if (best === 3) {
      q[0] = m(2, 1) - m(1, 2);
      q[1] = m(0, 2) - m(2, 0);
      q[2] = m(1, 0) - m(0, 1);
      q[3] = 1 + choices[3];
    } else {
      const i = best;
      const j = (i + 1) % 3;
      const k = (j + 1) % 3;
      q[i] = 1 - choices[3] + 2 * m(i, i);
      q[j] = m(j, i) + m(i, j);
      q[k] = m(k, i) + m(i, k);
      q[3] = m(k, j) - m(j, k);
    }
    const length = Math.hypot(...q);
    const side = n > 0 && q[0] * before[0] + q[1] * before[1] + q[2] * before[2] + q[3] * before[3] < 0 ? -1 : 1;
    for (let i = 0; i < 4; i++) result[4 * n + i] = q[i] = (side * q[i]) / length;
  }
  return result;
}

/** The points of a wire (over s) or surface (over s and r), once or at every time. */
function curve(
  machine: Machine, body: BodyPlan, size: Record<string, number | Float32Array>, times: Float64Array, states: Float64Array,
): { points: Float32Array; grid: number[] } {
  const own = Object.entries(size).every(([, value]) => typeof value === "number") && body.still;
  const frames = own ? 1 : times.length;
  const grid = body.shape === "wire" ? [own ? WIRE : WIRE_MOVING] : own ? SURFACE : SURFACE_MOVING;
  const [across, along] = [grid[0], grid[1] ?? 1];
  const each = 3 * across * along;
  const points = new Float32Array(frames * each);
  const { width } = machine;
  const part = (name: string, k: number) => {
    const value = size[name];
    return typeof value === "number" ? value : value === undefined ? 0 : value[k];
  };
  for (let k = 0; k < frames; k++) {
    machine.at(times[k], states.subarray(k * width, (k + 1) * width));
    for (let i = 0; i < across; i++) {
      const s = part("s0", k) + ((part("s1", k) - part("s0", k)) * i) / (across - 1);
      for (let j = 0; j < along; j++) {
        const r = along > 1 ? part("r0", k) + ((part("r1", k) - part("r0", k)) * j) / (along - 1) : 0;
        machine.curve(s, r);
        points.set(machine.call(body.points!), k * each + 3 * (i * along + j));
      }
    }
  }
  return { points, grid };
}

/** The lowest and highest corners of a body at a frame. */
function box(shape: string, body: Drawn, k: number, low: number[], high: number[]): void {
  const turn = body.matrices.subarray(9 * k, 9 * k + 9);
  const place = body.position.subarray(3 * k, 3 * k + 3);
  const of = (name: string) => {
    const value = body.size[name];
    return typeof value === "number" ? value : value === undefined ? 0 : value[k];
  };
  const span = (reach: number[]) => {
    for (let i = 0; i < 3; i++) {
      low[i] = place[i] - reach[i];
      high[i] = place[i] + reach[i];
    }
  };
  if (body.points) {
    const count = (body.grid ?? []).reduce((a, b) => a * b, 1);
    const from = body.points.length > 3 * count ? 3 * count * k : 0;
    low.fill(Infinity);
    high.fill(-Infinity);
    const stride = Math.max(1, Math.floor(count / 60));
    for (let p = 0; p < count; p += stride) {
      for (let i = 0; i < 3; i++) {
        let value = place[i];
        for (let j = 0; j < 3; j++) value += turn[3 * i + j] * body.points[from + 3 * p + j];
        low[i] = Math.min(low[i], value);
        high[i] = Math.max(high[i], value);
      }
    }
    return;
  }
  if (shape === "arrow") {
    for (let i = 0; i < 3; i++) {
      const tip = place[i] + turn[3 * i] * of("x") + turn[3 * i + 1] * of("y") + turn[3 * i + 2] * of("z");
      low[i] = Math.min(place[i], tip);
      high[i] = Math.max(place[i], tip);
    }
    return;
  }
  const round = shape === "disc" || shape === "wheel";
  const halves = round ? [of("radius"), of("radius"), of("width") / 2]
    : shape === "ellipsoid" ? [of("a"), of("b"), of("c")]
    : shape === "sphere" ? [of("radius"), of("radius"), of("radius")]
    : shape === "box" ? [of("x") / 2, of("y") / 2, of("z") / 2]
    : shape === "blade" || shape === "rod" ? [of("length") / 2, of("radius"), of("radius")] : [0, 0, 0];
  span([0, 1, 2].map((i) => {
    const [x, y, z] = [turn[3 * i], turn[3 * i + 1], turn[3 * i + 2]];
    if (round) return Math.abs(halves[0]) * Math.sqrt(Math.max(0, 1 - z * z)) + Math.abs(halves[2] * z);
    if (shape === "ellipsoid" || shape === "sphere") return Math.hypot(x * halves[0], y * halves[1], z * halves[2]);
    return Math.abs(x * halves[0]) + Math.abs(y * halves[1]) + Math.abs(z * halves[2]);
  }));
}

/** What the eye needs: the box of everything, a point to follow, how far the moving bodies extend from there. */
function view(plan: DrawingPlan, bodies: Drawn[], traces: Float32Array[], count: number): Pick<Picture, "low" | "high" | "reach" | "follow"> {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const grow = (a: ArrayLike<number>, b: ArrayLike<number>) => {
    for (let i = 0; i < 3; i++) {
      if (a[i] < low[i]) low[i] = a[i];
      if (b[i] > high[i]) high[i] = b[i];
    }
  };
  const lows = bodies.map(() => new Float32Array(3 * count));
  const highs = bodies.map(() => new Float32Array(3 * count));
  const [a, b] = [[0, 0, 0], [0, 0, 0]];
  bodies.forEach((body, n) => {
    for (let k = 0; k < count; k++) {
      box(plan.bodies[n].shape, body, k, a, b);
      lows[n].set(a, 3 * k);
      highs[n].set(b, 3 * k);
      grow(a, b);
    }
  });
  for (const points of traces) for (let k = 0; k < count; k++) grow(points.subarray(3 * k, 3 * k + 3), points.subarray(3 * k, 3 * k + 3));
  const whole = Math.hypot(...high.map((e, i) => e - low[i])) || 1;
  const centre = (n: number) => lows[n].map((e, i) => (e + highs[n][i]) / 2);
  const going = bodies.flatMap((_, n) => (spread(centre(n), 3) > STILL * whole ? [n] : []));
  const solid = going.filter((n) => !["arrow", "wire"].includes(plan.bodies[n].shape));
  const moving = solid.length ? solid : going;
  const follow = new Float32Array(3 * count);
  let reach = 0;
  for (let k = 0; k < count; k++) {
    const from = [0, 1, 2].map((i) => (moving.length ? Math.min(...moving.map((n) => lows[n][3 * k + i])) : low[i]));
    const to = [0, 1, 2].map((i) => (moving.length ? Math.max(...moving.map((n) => highs[n][3 * k + i])) : high[i]));
    for (let i = 0; i < 3; i++) follow[3 * k + i] = (from[i] + to[i]) / 2;
    reach = Math.max(reach, Math.hypot(...to.map((e, i) => e - from[i])) / 2);
  }
  return { low, high, follow, reach: reach || whole / 2 };
}
