// One motion: the start completed, the steps, the quantities along it.
import { complete, completeTouching } from "./completion";
import { contactForces, contactNames } from "./contacts";
import { Course } from "./course";
import { type Limits, Stepper, type Status } from "./dop853";
import { Machine } from "./machine";
import { picture } from "./picture";
import type { Kick, Motion, Outcome, Plan, Request } from "./plan";
import { Projection } from "./projection";
import { type Mode, Touching } from "./touching";

/** A page must not hang: so many attempted steps, so many milliseconds. */
export const STEPS = 60_000;
export const PATIENCE = 2_000;
/** So many decisions without a step forward are a circle. */
const STALLED = 200;
/** At most about so many moments are plotted. */
const DENSEST = 4_000;

type Moment = { time: number; row: Float64Array; mode: Mode | null };

export function solved(machine: Machine, request: Request, now: () => number = () => performance.now()): Motion {
  const { plan } = machine;
  const began = now();
  machine.calls = 0;
  machine.set(request.inputs, request.parameters);
  const touching = machine instanceof Touching ? machine : null;
  const begun = touching ? completeTouching(touching, request.start) : complete(machine, request.start);
  const first = begun.state.slice();
  machine.at(request.start.time, first);
  const { negative } = machine;
  const { width } = machine;
  const t0 = request.start.time;
  const wanted = Float64Array.from({ length: plan.samples }, (_, k) =>
    k === plan.samples - 1 ? request.until : t0 + ((request.until - t0) * k) / (plan.samples - 1));
  const states = new Float64Array(wanted.length * width);
  // what is plotted also has the ends of the steps: where a motion bends quickly they are many
  const dense: Moment[] = [];
  const least = Math.abs(request.until - t0) / DENSEST;
  const note = (time: number, row: Float64Array, always: boolean) => {
    const last = dense.length ? dense[dense.length - 1].time : NaN;
    if (always || !(Math.abs(time - last) < least)) dense.push({ time, row: row.slice(), mode: touching?.mode ?? null });
  };
  let emitted = 0;
  let outcome: Outcome;
  let steps = 0;
  const stepper = new Stepper(machine, plan.method, plan.rtol, plan.atol);
  stepper.state.set(first);
  const course = touching ? new Course(touching, stepper.state) : null;
  const modes: string[][] = [];
  if (begun.trouble) {
    outcome = { kind: "bad start", time: t0, advice: begun.trouble };
    stepper.time = t0;
  } else {
    let trouble = "";
    if (course) {
      course.time = t0;
      trouble = course.begin();
    }
    states.set(stepper.state, 0);
    note(t0, stepper.state, true);
    if (course) modes.push(course.words);
    emitted = 1;
    const projection = new Projection(machine);
    const emit = (low: number, high: number) => {
      const ahead = (time: number) => (high > low ? time <= high : time >= high);
      if (emitted >= wanted.length || !ahead(wanted[emitted])) return note(high, stepper.next, false);
      if (wanted[emitted] !== high) stepper.extend(low, high);
      while (emitted < wanted.length && ahead(wanted[emitted])) {
        const at = wanted[emitted];
        const row = states.subarray(emitted * width, (emitted + 1) * width);
        stepper.interpolate(at === high ? 1 : (at - low) / (high - low), row);
        if (at !== high && projection.needed) projection.project(at, row);
        note(at, row, true);
        if (course) modes.push(course.words);
        emitted++;
      }
      if (wanted[emitted - 1] !== high) note(high, stepper.next, false);
    };
    const over = () => now() - began > PATIENCE;
    const limits = { steps: STEPS, over };
    const stops = kicksWithin(request, t0);
    let status: Status = "REACHED";
    let from = t0;
    for (const stop of [...stops, null]) {
      const goal = stop ? stop.time : request.until;
      if (course && touching) [status, trouble] = across(course, touching, stepper, from, goal, limits, emit, trouble);
      else status = stepper.run(from, goal, limits, emit);
      if (status !== "REACHED" || trouble || !stop) break;
      from = stop.time;
      strike(machine, stepper.state, stop, projection);
      trouble = course?.again() ?? "";
    }
    steps = stepper.accepted;
    const [kind, advice] = trouble ? ["undecided contact", trouble] : plan.outcomes[status];
    outcome = { kind, time: stepper.time, advice };
  }
  const times = wanted.slice(0, emitted);
  const columns = quantities(machine, dense);
  const drawn = request.picture && plan.drawing && emitted > 0 ? picture(machine, plan.drawing, times, states, columns, modes) : null;
  return {
    changes: course?.changes ?? [], times, columns, first, final: stepper.state.slice(), outcome, moved: begun.moved, negative, steps, calls: machine.calls,
    milliseconds: now() - began, picture: drawn,
  };
}

/** From mode to mode until a time; why it ended, and words where the contacts leave the motion open. */
function across(
  course: Course, machine: Touching, stepper: Stepper, from: number, until: number, limits: Limits,
  emit: (low: number, high: number) => void, trouble: string,
): [Status, string] {
  let stalled = 0;
  stepper.time = course.time = from;
  while (!trouble) {
    const witnesses = machine.witnesses();
    const falling = stalled < STALLED ? course.falling(witnesses) : [];
    if (falling.length) {
      stalled++;
      trouble = course.happened(falling);
      continue;
    }
    const rates = new Float64Array(machine.width);
    const watch = (time: number, state: Float64Array) => {
      machine.rates(time, state, rates);
      return machine.values(witnesses);
    };
    const status = stepper.run(course.time, until, limits, emit, witnesses.length ? watch : null);
    stalled = stepper.time === course.time ? stalled + 1 : 0;
    course.time = stepper.time;
    if (status !== "EVENT") return [status, ""];
    if (stalled > STALLED) return ["TOO_SMALL", ""];
    trouble = course.happened(stepper.crossed.map((k) => witnesses[k]));
    if (!trouble && course.time >= until) return ["REACHED", ""];
  }
  return ["REACHED", trouble];
}

function kicksWithin(request: Request, t0: number): Kick[] {
  const span = request.until - t0;
  return request.kicks.filter((kick) => (kick.time - t0) * span > 0 && (request.until - kick.time) * span > 0)
    .sort((a, b) => (a.time - b.time) * Math.sign(span));
}

/** An impulse: the speeds jump as the mass matrix and the constraints say. */
function strike(machine: Machine, state: Float64Array, kick: Kick, projection: Projection): void {
  machine.at(kick.time, state);
  const push = new Float64Array(machine.width - machine.count);
  push[kick.speed] = kick.impulse;
  const change = machine.answer(push);
  if (change === null) return;
  change.forEach((e, i) => (state[machine.count + i] += e));
  if (projection.needed) projection.project(kick.time, state);
}

function quantities(machine: Machine, dense: Moment[]): Record<string, Float64Array> {
  const { plan, width } = machine;
  const times = Float64Array.from(dense, ({ time }) => time);
  const switching = machine instanceof Touching ? machine : null;
  const touching = switching ? switching.names : contactNames(machine);
  const names = [...plan.coordinates, ...plan.speeds, ...plan.unknowns, ...plan.shown, ...plan.inputs, ...touching];
  const columns: Record<string, Float64Array> = { t: times };
  for (const name of names) columns[name] = new Float64Array(times.length);
  const state = [...plan.coordinates, ...plan.speeds].map((name) => columns[name]);
  const unknowns = plan.unknowns.map((name) => columns[name]);
  const shown = plan.shown.map((name) => columns[name]);
  const rates = new Float64Array(width);
  const counted = machine.calls;
  for (let k = 0; k < times.length; k++) {
    const { row, mode } = dense[k];
    if (switching && mode) switching.mode = mode;
    state.forEach((column, i) => (column[k] = row[i]));
    const ratio = machine.rates(times[k], row, rates);
    unknowns.forEach((column, i) => (column[k] = ratio > 0 ? machine.unknowns[i] : NaN));
    const forces = switching ? switching.forces() : touching.length && ratio > 0 ? contactForces(machine) : [];
    forces.forEach((e, i) => (columns[touching[i]][k] = e));
    machine.flow(rates);
    const values = machine.call("shown");
    shown.forEach((column, i) => (column[k] = values[i]));
  }
  machine.calls = counted;
  if (columns.contact_normal) {
    const [one, two] = unknowns;
    columns.contact_tangential = one.map((e, k) => Math.hypot(e, two[k]));
  }
  plan.inputs.forEach((name, i) => columns[name].fill(machine.given[1 + width + i]));
  return columns;
}

export function machineOf(plan: Plan, module: WebAssembly.Module): Machine {
  return plan.switching ? new Touching(plan, module) : new Machine(plan, module);
}
