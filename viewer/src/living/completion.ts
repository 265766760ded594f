// A consistent start from what is asked for, as nonholo.derive.states.consistent_state completes it; what cannot be kept is moved, and told.
import { Basis, dot, leastSquares } from "./linear";
import type { Machine } from "./machine";
import type { Completed, Start } from "./plan";
import type { Mode, Touching } from "./touching";

const TOLERANCE = 1e-9;

export function complete(machine: Machine, start: Start): Completed {
  const { plan, count, width } = machine;
  const state = new Float64Array(width);
  state.set(start.coordinates);
  const moved: Record<string, number> = {};
  if (plan.parametric) {
    plan.speeds.forEach((name, k) => (state[count + k] = start.velocities[name] ?? 0));
  } else {
    state.set(start.guess, count);
  }
  if (machine.positions > 0) {
    const loose = start.held.flatMap((held, i) => (held ? [] : [i]));
    const everything = start.held.map((_, i) => i);
    if (!place(machine, start.time, state, loose)) {
      state.set(start.coordinates);
      if (!place(machine, start.time, state, everything)) {
        const worst = worstOf(machine, start.time, state, 0, machine.positions);
        return { state, moved, trouble: `The start breaks the ${worst}: no coordinates near these satisfy it.` };
      }
    }
    start.coordinates.forEach((wanted, i) => {
      if (start.held[i] && Math.abs(state[i] - wanted) > TOLERANCE * (1 + Math.abs(wanted))) moved[plan.coordinates[i]] = state[i];
    });
  }
  if (!plan.parametric && !velocities(machine, start, state, moved)) {
    const worst = worstOf(machine, start.time, state, machine.positions, machine.active.length);
    return { state, moved, trouble: `The start breaks ${worst}: no velocities near these satisfy it.` };
  }
  machine.at(start.time, state);
  return state.every(Number.isFinite) ? { state, moved, trouble: "" } : { state, moved, trouble: "The start is not finite." };
}

function worstOf(machine: Machine, time: number, state: Float64Array, first: number, last: number): string {
  machine.at(time, state);
  const values = machine.call("invariants");
  const found = machine.active.slice(first, last).map((i) => (Number.isFinite(values[i]) ? Math.abs(values[i]) : Infinity));
  return machine.plan.invariants[machine.active[first + found.indexOf(Math.max(...found))]];
}

/** Gauss–Newton on some coordinates until the relations hold. */
function place(machine: Machine, time: number, state: Float64Array, loose: number[]): boolean {
  const { plan, width } = machine;
  const total = plan.invariants.length;
  let before = Infinity;
  for (let again = 0; again < 60; again++) {
    machine.at(time, state);
    const found = machine.call("invariants");
    const kept = machine.active.slice(0, machine.positions);
    const residual = kept.map((a) => found[a]);
    const size = Math.max(...residual.map(Math.abs));
    if (!Number.isFinite(size)) return false;
    if (size < 1e-15 || (size >= before && size < 1e-13)) return true;
    before = size;
    const rows = kept.map((a) => loose.map((i) => found[total + a * width + i]));
    const step = leastSquares(rows, residual, loose.length);
    if (!step.every(Number.isFinite)) return false;
    loose.forEach((i, k) => (state[i] -= step[k]));
    if (Math.max(...step.map(Math.abs), 0) < 1e-16) return size < TOLERANCE;
  }
  return before < TOLERANCE;
}

function velocities(machine: Machine, start: Start, state: Float64Array, moved: Record<string, number>): boolean {
  const { plan, count, width } = machine;
  const size = width - count;
  const total = plan.invariants.length;
  const names = Object.keys(start.velocities);
  const wanted = names.map((name) => start.velocities[name]);
  machine.at(start.time, state);
  const flat = machine.call("forms").slice();
  const forms = names.map((name) => {
    const row = plan.forms.indexOf(name);
    return Array.from(flat.subarray(row * size, (row + 1) * size));
  });
  const constraints = () => {
    machine.at(start.time, state);
    const found = machine.call("invariants");
    const kept = machine.active.slice(machine.positions);
    const rows = kept.map((a) => Array.from(found.subarray(total + a * width + count, total + (a + 1) * width)));
    return { residual: kept.map((a) => found[a]), rows };
  };
  let met = false;
  if (plan.linear) {
    state.fill(0, count);
    const { residual, rows } = constraints();
    const table = [...rows, ...forms];
    const sides = [...residual.map((e) => -e), ...wanted];
    const basis = new Basis(TOLERANCE);
    table.forEach((row) => basis.add(row));
    for (const j of plan.order) {
      if (basis.rows.length >= size) break;
      const unit = Array.from({ length: size }, (_, i) => (i === j ? 1 : 0));
      if (basis.add(unit)) {
        table.push(unit);
        sides.push(0);
      }
    }
    const found = leastSquares(table, sides, size);
    state.set(found, count);
    const gap = Math.max(...table.map((row, k) => Math.abs(dot(row, found) - sides[k])), 0);
    met = gap < TOLERANCE * (1 + Math.max(...found.map(Math.abs), 0));
    if (!met) state.fill(0, count);
  }
  if (!met) {
    // what is given is kept, the rest moves onto the constraints from where it was
    const guess = Array.from(state.subarray(count));
    const lack = wanted.map((e, k) => e - dot(forms[k], guess));
    leastSquares(forms, lack, size).forEach((e, i) => (state[count + i] += e));
    const kept = new Basis(1e-11);
    forms.forEach((row) => kept.add(row));
    for (let again = 0; again < 40; again++) {
      const { residual, rows } = constraints();
      if (!residual.every(Number.isFinite) || Math.max(...residual.map(Math.abs), 0) < 1e-15) break;
      const free = rows.map((row) => kept.outside(row));
      const step = leastSquares(free, residual, size);
      step.forEach((e, i) => (state[count + i] -= e));
      if (Math.max(...step.map(Math.abs), 0) < 1e-16) break;
    }
  }
  const off = () => {
    const most = 1 + Math.max(...Array.from(state.subarray(count), Math.abs), 0);
    return Math.max(...constraints().residual.map(Math.abs), 0) / most;
  };
  if (!(off() < TOLERANCE)) {
    // the admissible velocity nearest in kinetic energy
    for (let again = 0; again < 40 && !(off() < 1e-14); again++) {
      const { residual } = constraints();
      const push = [...new Array<number>(size).fill(0), ...residual.map((e) => -e)];
      const change = machine.answer(push);
      if (change === null) return false;
      change.forEach((e, i) => (state[count + i] += e));
    }
  }
  if (!(off() < TOLERANCE)) return false;
  const final = Array.from(state.subarray(count));
  names.forEach((name, k) => {
    const value = dot(forms[k], final);
    if (Math.abs(value - wanted[k]) > TOLERANCE * (1 + Math.abs(wanted[k]))) moved[name] = value;
  });
  return true;
}

const TOUCH = 1e-10;

/** A start of a machine with contacts: as many gaps as possible are closed, as nonholo.integrate.contacts.contact_core has it. */
export function completeTouching(machine: Touching, start: Start): Completed {
  const { touches } = machine.switching;
  const always: Mode = touches.map((one) => (one.permanent ? one.frictions.map(() => "stick") : null));
  machine.hold(always);
  const plain = complete(machine, start);
  const gaps = (state: Float64Array) => {
    machine.at(start.time, state);
    const { touches: found } = machine.contacts(() => false);
    return found.map(({ row, gap }) => (row < 0 ? Infinity : gap));
  };
  const closed = gaps(plain.state).flatMap((gap, k) => ((gap <= TOUCH || touches[k].loose.some((i) => !start.held[i])) && always[k] === null ? [k] : []));
  const subsets = Array.from({ length: 2 ** closed.length }, (_, bits) => closed.filter((_, i) => (bits >> i) & 1)).sort((a, b) => b.length - a.length);
  for (const some of subsets) {
    machine.hold(always.map((acting, k) => acting ?? (some.includes(k) ? touches[k].frictions.map(({ limited }) => (limited ? "+" : "stick")) : null)));
    const found = complete(machine, start);
    if (!found.trouble && !Object.keys(found.moved).length && Math.min(...gaps(found.state)) > -TOUCH) return found;
  }
  const depth = -Math.min(...gaps(plain.state));
  const trouble = depth > TOUCH ? `The start is ${depth.toPrecision(3)} m inside the ground; move it out.` : plain.trouble;
  return { ...plain, trouble };
}
