// Forces of contacts from the multipliers of the constraints; where rows imply others, the least sum of squares shares them.
import { Basis, dot } from "./linear";
import type { Machine } from "./machine";

export function contactNames(machine: Machine): string[] {
  return machine.plan.contacts.flatMap(({ name, parts, load }) =>
    [...(load === undefined ? [] : ["normal"]), ...parts, "ratio"].map((part) => `${part}(${name})`));
}

/** The values of `contactNames` at the present point, whose multipliers the machine has just solved for. */
export function contactForces(machine: Machine): number[] {
  const { contacts, own } = machine.plan;
  if (!contacts.length) return [];
  const numbers = machine.call("contacts");
  let forces = contacts.flatMap(({ unknowns }) => unknowns.map((k) => (k < 0 ? 0 : machine.unknowns[k])));
  const speeds = machine.width - machine.count;
  const slopes = own < 0 ? 0 : (own + forces.length) * speeds;
  if (slopes) {
    const row = (k: number) => Array.from(numbers.subarray(k * speeds, (k + 1) * speeds));
    const other = new Basis();
    for (let k = 0; k < own; k++) other.add(row(k));
    const held = forces.map((_, k) => other.outside(row(own + k)));
    // what the motion tells of the forces lies in the space of the columns; nothing else is shortest
    const seen = new Basis();
    for (let j = 0; j < speeds; j++) seen.add(held.map((one) => one[j]));
    const parts = seen.rows.map((base) => dot(base, forces));
    forces = forces.map((_, k) => seen.rows.reduce((total, base, i) => total + base[k] * parts[i], 0));
  }
  let at = 0;
  return contacts.flatMap(({ parts, load }) => {
    const own = forces.slice(at, (at += parts.length));
    const normal = parts[0] === "normal" ? own[0] : load === undefined ? NaN : numbers[slopes + load];
    return [...(load === undefined ? [] : [normal]), ...own, Math.hypot(...own.slice(parts[0] === "normal" ? 1 : 0)) / normal];
  });
}
