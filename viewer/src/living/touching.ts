// A machine whose contacts roll, slide or are open: the equations of a mode, as nonholo.derive.contacts.contact_equations has them.
import { dot, leastSquares, solveAll } from "./linear";
import { Machine } from "./machine";
import type { Plan, SwitchPlan } from "./plan";

/** How the frictions of a closed contact act: "stick", "+", "-", "free", "fixed"; null where it is open. */
export type Acting = string[] | null;
export type Mode = Acting[];
/** Directions of slips, by contact and friction. */
export type Ways = (number[] | null)[][];

/** A velocity `slopes · z + drift` and its change `carry` at constant speeds. */
export interface Row {
  value: number;
  drift: number;
  carry: number;
  slopes: Float64Array;
  scale: number;
}

/** One contact: places of its rows among all, and the numbers of its laws. */
export interface Touch {
  gap: number;
  load: number;
  restitution: number;
  /** Where the row of the gap stands, -1 without one. */
  row: number;
  frictions: { rows: number[]; limit: number; kinetic: number }[];
}

/** All contacts at one state: accelerations without them, and how their rows answer forces along rows. */
export interface Contacts {
  touches: Touch[];
  rows: Row[];
  free: Float64Array;
  multipliers: Float64Array;
  /** What a unit force along each row adds to accelerations and multipliers. */
  columns: Float64Array[];
  drift: Float64Array;
  response: Float64Array[];
  /** Pivot ratio of the mass matrix. */
  ratio: number;
}

/** Forces along all rows in a mode, and what follows. */
export interface Answer {
  mode: Mode;
  ways: Ways;
  force: Float64Array;
  normal: number[];
  /** Rates of the rows. */
  rates: Float64Array;
  accelerations: Float64Array;
}

/** Where the numbers of a contact stand in the section `survey`, and its forces. */
interface Place {
  gap: number;
  row: number;
  load: number;
  frictions: { rows: number[]; static: number }[];
  normal: number;
  forces: number[][];
}

const NEAR = 1e-7;
const BAND = 1e-13;

export interface Witness {
  kind: "gap" | "normal" | "cone" | "slip" | "near" | "grown";
  contact: number;
  friction: number;
}

/** The shortest solution of a small linear system. */
export function least(table: number[][], sides: number[]): number[] {
  const size = sides.length;
  const scale = table.map((row, i) => Math.sqrt(Math.abs(row[i])) || 1);
  const matrix = Float64Array.from(table.flatMap((row, i) => row.map((e, j) => e / (scale[i] * scale[j]))));
  const right = Float64Array.from(sides, (e, i) => e / scale[i]);
  const regular = solveAll(matrix, [right], size) > 0;
  // what is left of the rows says whether one of them follows from the others
  if (regular && table.every((_, i) => Math.abs(matrix[i * size + i]) > 1e-11)) return Array.from(right, (e, i) => e / scale[i]);
  return leastSquares(table, sides, size);
}

export class Touching extends Machine {
  mode: Mode;
  readonly switching: SwitchPlan;
  /** Speeds that are none of the works. */
  readonly speeds: number;
  /** The contacts with the forces that `rates` found last. */
  private readonly here: Place[];
  private readonly work: { matrix: Float64Array; right: Float64Array; columns: Float64Array[] };

  constructor(plan: Plan, module: WebAssembly.Module) {
    super(plan, module);
    this.switching = plan.switching!;
    this.speeds = this.switching.speeds;
    this.mode = this.switching.touches.map(() => null);
    this.here = this.places();
    const size = this.speeds + plan.unknowns.length;
    this.work = { matrix: new Float64Array(size * size), right: new Float64Array(size), columns: [] };
    this.hold();
  }

  /** The invariants of the present mode. */
  hold(mode: Mode = this.mode): void {
    const kept = new Set(this.switching.own);
    mode.forEach((acting, k) => {
      if (acting === null) return;
      const { gap, rate, slips } = this.switching.touches[k];
      for (const e of [gap, rate]) if (e >= 0) kept.add(e);
      acting.forEach((how, f) => how === "stick" && slips[f].forEach((e) => kept.add(e)));
    });
    this.active = this.plan.invariants.flatMap((_, i) => (kept.has(i) ? [i] : []));
  }

  enter(mode: Mode): void {
    this.mode = mode;
    this.hold();
  }

  /** The numbers of all contacts at the present point; only `closed` ones can have forces. */
  contacts(closed: (k: number) => boolean): Contacts {
    const { count, speeds } = this;
    const size = speeds + this.plan.unknowns.length;
    const own = this.call("system");
    const matrix = own.slice(count, count + size * size);
    const right = own.slice(count + size * size, count + size * size + size);
    const found = this.call("survey");
    const z = this.given.subarray(1 + count, 1 + count + speeds);
    const rows: Row[] = [];
    let at = 0;
    const read = (): number => {
      const slopes = found.slice(at + 3, at + 3 + speeds);
      let scale = Math.abs(found[at + 1]);
      for (let i = 0; i < speeds; i++) scale += Math.abs(slopes[i] * z[i]);
      rows.push({ value: found[at], drift: found[at + 1], carry: found[at + 2], slopes, scale });
      at += 3 + speeds;
      return rows.length - 1;
    };
    const acts: boolean[] = [];
    const touches = this.switching.touches.map((plan, k): Touch => {
      const gap = found[at++];
      const row = plan.gap >= 0 ? read() : -1;
      const [load, restitution] = [found[at++], found[at++]];
      const frictions = plan.frictions.map(({ size: wide, limited }) => {
        const places = Array.from({ length: wide }, read);
        const limit = limited ? found[at] : Infinity;
        at += 2;
        return { rows: places, limit, kinetic: found[at - 1] };
      });
      while (acts.length < rows.length) acts.push(closed(k));
      return { gap, load, restitution, row, frictions };
    });
    const columns = rows.map((row) => {
      const column = new Float64Array(size);
      column.set(row.slopes);
      return column;
    });
    const ratio = solveAll(matrix, [right, ...columns.filter((_, r) => acts[r])], size);
    const short = (column: Float64Array) => column.subarray(0, speeds);
    const drift = Float64Array.from(rows, (row) => row.carry + dot(row.slopes, short(right)));
    const response = rows.map((row) => Float64Array.from(columns, (column, r) => (acts[r] ? dot(row.slopes, short(column)) : 0)));
    return { touches, rows, free: short(right), multipliers: right.subarray(speeds), columns, drift, response, ratio };
  }

  /** Where the rows of the contacts stand in the section `survey`. */
  private places(): Place[] {
    let at = 0;
    const row = () => (at += 3 + this.speeds) - 3 - this.speeds;
    return this.switching.touches.map((plan) => {
      const gap = at++;
      const own = plan.gap >= 0 ? row() : -1;
      const load = (at += 2) - 2;
      const frictions = plan.frictions.map(({ size }) => {
        const rows = Array.from({ length: size }, row);
        return { rows, static: (at += 2) - 2 };
      });
      return { gap, row: own, load, frictions, normal: 0, forces: frictions.map(({ rows }) => rows.map(() => 0)) };
    });
  }

  /** The rates of the present mode: mass matrix and forces are solved for force and unknown columns at once. */
  override rates(time: number, state: ArrayLike<number>, into: Float64Array): number {
    this.at(time, state);
    this.calls++;
    const { count, speeds, work, mode, switching } = this;
    const size = speeds + this.plan.unknowns.length;
    const own = this.call("system");
    into.fill(0);
    for (let i = 0; i < count; i++) into[i] = own[i];
    work.matrix.set(own.subarray(count, count + size * size));
    work.right.set(own.subarray(count + size * size, count + size * size + size));
    const found = this.call("survey");
    if (switching.power) into[this.width - 1] = found[this.plan.sections.survey - 1];
    let used = 0;
    const column = (): Float64Array => {
      if (used === work.columns.length) work.columns.push(new Float64Array(size));
      return work.columns[used++].fill(0);
    };
    const held: number[] = [];
    const pressed: number[] = [];
    this.here.forEach((place, k) => {
      const how = mode[k];
      pressed.push(-1);
      place.normal = 0;
      if (how === null) return;
      const push = place.row >= 0 ? column() : null;
      const press = push ? 1 : found[place.load];
      if (push) {
        for (let i = 0; i < speeds; i++) push[i] = found[place.row + 3 + i];
        pressed[k] = held.push(place.row) - 1;
      } else place.normal = press;
      place.frictions.forEach(({ rows, static: limit }, f) => {
        if (how[f] === "stick") return;
        const way = this.way(found, k, f);
        rows.forEach((r, j) => {
          const part = press * found[limit + 1] * way[j];
          place.forces[f][j] = -part;
          for (let i = 0; i < speeds; i++) (push ?? work.right)[i] -= part * found[r + 3 + i];
        });
      });
      place.frictions.forEach(({ rows }, f) => {
        if (how[f] !== "stick") return;
        for (const r of rows) {
          const one = column();
          for (let i = 0; i < speeds; i++) one[i] = found[r + 3 + i];
          held.push(r);
        }
      });
    });
    const columns = work.columns.slice(0, used);
    const ratio = solveAll(work.matrix, [work.right, ...columns], size);
    const along = (r: number, x: Float64Array) => {
      let total = 0;
      for (let i = 0; i < speeds; i++) total += found[r + 3 + i] * x[i];
      return total;
    };
    const p = used ? least(held.map((r) => columns.map((one) => along(r, one))), held.map((r) => -(found[r + 2] + along(r, work.right)))) : [];
    p.forEach((e, j) => {
      for (let i = 0; i < size; i++) work.right[i] += e * columns[j][i];
    });
    for (let i = 0; i < speeds; i++) into[count + i] = work.right[i];
    this.unknowns.set(work.right.subarray(speeds));
    let next = 0;
    this.here.forEach((place, k) => {
      const how = mode[k];
      if (how === null) return;
      let [lost, gained] = [0, 0];
      if (pressed[k] >= 0) {
        place.normal = p[next++];
        gained -= place.normal * found[place.row + 1];
      }
      place.frictions.forEach(({ rows }, f) => rows.forEach((r, j) => {
        if (how[f] === "stick") place.forces[f][j] = p[next++];
        else {
          if (pressed[k] >= 0) place.forces[f][j] *= place.normal;
          lost -= place.forces[f][j] * found[r];
        }
        gained -= place.forces[f][j] * found[r + 1];
      }));
      into[count + speeds + 2 * k] = lost;
      into[count + speeds + 2 * k + 1] = gained;
    });
    return ratio;
  }

  /** The direction of a slip that the mode resists; of one that is fixed as the state has it. */
  private way(found: Float64Array, k: number, f: number): number[] {
    const how = this.mode[k]![f];
    if (how === "+" || how === "-") return [how === "+" ? 1 : -1];
    const place = 1 + this.switching.touches[k].frictions[f].direction;
    if (how === "fixed") return [this.given[place], this.given[place + 1]];
    const values = this.here[k].frictions[f].rows.map((r) => found[r]);
    const size = Math.hypot(...values);
    return values.map((e) => e / size);
  }

  /** The events at which the mode may end. */
  witnesses(): Witness[] {
    const found: Witness[] = [];
    this.mode.forEach((acting, k) => {
      const plan = this.switching.touches[k];
      const watch = (kind: Witness["kind"], friction = -1) => found.push({ kind, contact: k, friction });
      if (acting === null) return plan.gap >= 0 && watch("gap");
      if (plan.lifts) watch("normal");
      acting.forEach((how, f) => {
        if (how === "stick") return plan.frictions[f].limited && watch("cone", f);
        if (how === "free") return watch("near", f);
        watch("slip", f);
        if (how === "fixed") watch("grown", f);
      });
    });
    return found;
  }

  /** Their values where `rates` was called last: they pass zero downwards. */
  values(witnesses: Witness[]): number[] {
    const found = this.call("survey");
    return witnesses.map(({ kind, contact: k, friction: f }) => {
      const place = this.here[k];
      if (kind === "gap") return found[place.gap] + BAND;
      if (kind === "normal") return place.normal + BAND;
      const { rows, static: limit } = place.frictions[f];
      if (kind === "cone") return found[limit] * place.normal * (1 + 1e-12) - Math.hypot(...place.forces[f]) + BAND;
      const slips = rows.map((r) => found[r]);
      if (kind === "near") return dot(slips, slips) - NEAR ** 2;
      const speed = dot(slips, this.way(found, k, f));
      return kind === "slip" ? speed + BAND : 2 * NEAR - speed;
    });
  }

  /** `mass · change = push` with what the mode holds held. */
  override answer(push: ArrayLike<number>): Float64Array | null {
    if (push.length > this.width - this.count) return null; // a lack in constraints: another start is tried
    const contacts = this.contacts((k) => this.mode[k] !== null);
    const size = this.speeds + this.plan.unknowns.length;
    const own = this.call("system");
    const right = Float64Array.from({ length: size }, (_, i) => (i < this.speeds ? push[i] ?? 0 : 0));
    if (!(solveAll(own.slice(this.count, this.count + size * size), [right], size) > 0)) return null;
    const change = new Float64Array(this.width - this.count);
    change.set(right.subarray(0, this.speeds));
    const held = heldRows(contacts, this.mode);
    const lack = held.map((r) => -dot(contacts.rows[r].slopes, right.subarray(0, this.speeds)));
    least(held.map((r) => held.map((c) => contacts.response[r][c])), lack)
      .forEach((p, i) => contacts.columns[held[i]].subarray(0, this.speeds).forEach((e, j) => (change[j] += p * e)));
    return change;
  }

  /** Normal force, tangential forces, their ratio and the slip of every contact, in the order of `names`. */
  forces(): number[] {
    const found = this.call("survey");
    return this.here.flatMap((place, k) => {
      const { parts } = this.switching.touches[k];
      const slip = parts.length ? place.frictions[0].rows : [];
      const own = slip.map((_, j) => (this.mode[k] === null ? 0 : place.forces[0][j]));
      return [place.normal, ...own, Math.hypot(...own) / place.normal, Math.hypot(...slip.map((r) => found[r]))];
    });
  }

  get names(): string[] {
    return this.switching.touches.flatMap(({ name, parts }) => ["normal", ...parts, "ratio", "slip"].map((part) => `${part}(${name})`));
  }
}

/** The rows that a mode holds at zero. */
export function heldRows({ touches }: Contacts, mode: Mode): number[] {
  return touches.flatMap(({ row, frictions }, k) => {
    const acting = mode[k];
    if (acting === null) return [];
    return [...(row < 0 ? [] : [row]), ...frictions.flatMap(({ rows }, f) => (acting[f] === "stick" ? rows : []))];
  });
}

/** Forces along rows as `given + Σ unknown · p`, and the rows that are held. */
export function acting(contacts: Contacts, mode: Mode, ways: Ways): { given: Float64Array; unknown: Float64Array[]; held: number[]; pressed: number[] } {
  const { touches, rows } = contacts;
  const total = rows.length;
  const given = new Float64Array(total);
  const held: number[] = [];
  const unknown: Float64Array[] = [];
  const pressed = touches.map(() => -1);
  touches.forEach((touch, k) => {
    const how = mode[k];
    if (how === null) return;
    const column = new Float64Array(total);
    touch.frictions.forEach((friction, f) => friction.rows.forEach((r, i) => {
      if (how[f] !== "stick") return (column[r] -= friction.kinetic * ways[k][f]![i]);
      const one = new Float64Array(total);
      one[r] = 1;
      unknown.push(one);
      held.push(r);
    }));
    if (touch.row < 0) return column.forEach((e, r) => (given[r] += touch.load * e));
    column[touch.row] = 1;
    pressed[k] = unknown.push(column) - 1;
    held.push(touch.row);
  });
  return { given, unknown, held, pressed };
}

/** Forces and accelerations of a mode with given directions of slip, as nonholo.integrate.contacts.mode_choice solves for them. */
export function solved(contacts: Contacts, mode: Mode, ways: Ways): Answer {
  const { touches, drift, response } = contacts;
  const { given: force, unknown, held, pressed } = acting(contacts, mode, ways);
  const found = held.length
    ? least(held.map((r) => unknown.map((one) => dot(response[r], one))), held.map((r) => -(drift[r] + dot(response[r], force))))
    : [];
  found.forEach((p, j) => unknown[j].forEach((e, r) => (force[r] += p * e)));
  const rates = drift.map((e, r) => e + dot(response[r], force));
  const accelerations = contacts.free.slice();
  contacts.columns.forEach((column, r) => force[r] && accelerations.forEach((_, i) => (accelerations[i] += force[r] * column[i])));
  const normal = touches.map((touch, k) => (mode[k] === null ? 0 : pressed[k] < 0 ? touch.load : found[pressed[k]]));
  return { mode, ways, force, normal, rates, accelerations };
}
