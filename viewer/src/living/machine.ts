// The WebAssembly module of one system, and the rates it gives.
import { Basis, dot, indefinite, solve } from "./linear";
import type { Plan } from "./plan";

/** Doubles between what goes in and what comes out. */
const ROOM = 64;
/** Pages of memory for a stack. */
const STACK = 16;

export function bytes(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

type Section = (out: number, given: number) => void;

export class Machine {
  readonly count: number;
  readonly width: number;
  readonly unknowns: Float64Array;
  /** `[t, x…, z…, u…, p…, s, r, ẋ…, ż…]` */
  readonly given: Float64Array;
  calls = 0;
  /** The invariants that hold now, those of the coordinates alone first. */
  active: number[];
  private readonly out: Float64Array;
  private readonly place: number;
  private readonly sections: Record<string, Section> = {};
  private readonly size: number;
  private readonly matrix: Float64Array;
  private readonly right: Float64Array;
  private readonly system: Section;
  private readonly quick: Section | undefined;

  constructor(readonly plan: Plan, module: WebAssembly.Module) {
    this.count = plan.coordinates.length;
    this.width = this.count + plan.speeds.length;
    const fixed = plan.inputs.length + plan.parameters.length;
    const total = 1 + this.width + fixed + 2 + this.width;
    const most = Math.max(...Object.values(plan.sections), 1);
    this.place = total + ROOM;
    const pages = Math.ceil((8 * (this.place + most + ROOM)) / 65536) + 2;
    // long programs keep numbers on a stack, which grows downwards from the end of the memory
    const whole = pages + STACK;
    const memory = new WebAssembly.Memory({ initial: whole });
    const top = new WebAssembly.Global({ value: "i32", mutable: true }, 65536 * whole);
    const env: Record<string, WebAssembly.ImportValue> = { __linear_memory: memory, __stack_pointer: top };
    for (const name of Object.getOwnPropertyNames(Math)) {
      const member = (Math as unknown as Record<string, unknown>)[name];
      if (typeof member === "function") env[name] = member as WebAssembly.ImportValue;
    }
    const { exports } = new WebAssembly.Instance(module, { env });
    this.given = new Float64Array(memory.buffer, 0, total);
    this.out = new Float64Array(memory.buffer, 8 * this.place, most);
    for (const name of Object.keys(plan.sections)) {
      if (plan.sections[name]) this.sections[name] = exports[name] as Section;
    }
    this.active = plan.invariants.map((_, i) => i);
    this.size = (plan.switching?.speeds ?? plan.speeds.length) + plan.unknowns.length;
    // both stand where the module writes them, and are solved in place
    this.matrix = this.out.subarray(this.count, this.count + this.size * this.size);
    this.right = this.out.subarray(this.count + this.size * this.size, this.count + this.size * this.size + this.size);
    this.unknowns = new Float64Array(plan.unknowns.length);
    this.system = this.sections.system;
    this.quick = this.sections.rates;
  }

  /** Values of inputs and parameters for all that follows. */
  set(inputs: number[], parameters: number[]): void {
    this.given.set(inputs, 1 + this.width);
    this.given.set(parameters, 1 + this.width + inputs.length);
  }

  at(time: number, state: ArrayLike<number>): void {
    this.given[0] = time;
    for (let i = 0; i < this.width; i++) this.given[1 + i] = state[i];
  }

  /** How many of the active invariants are of the coordinates alone. */
  get positions(): number {
    const last = this.active.findIndex((i) => i >= this.plan.positions);
    return last < 0 ? this.active.length : last;
  }

  /** The numbers of a section at the present point; to be read before the next call. */
  call(name: string): Float64Array {
    const count = this.plan.sections[name] ?? 0;
    if (!count) return this.out.subarray(0, 0);
    this.sections[name](8 * this.place, 0);
    return this.out.subarray(0, count);
  }

  curve(s: number, r: number): void {
    const at = 1 + this.width + this.plan.inputs.length + this.plan.parameters.length;
    this.given[at] = s;
    this.given[at + 1] = r;
  }

  flow(rates: ArrayLike<number>): void {
    const at = 1 + this.width + this.plan.inputs.length + this.plan.parameters.length + 2;
    for (let i = 0; i < this.width; i++) this.given[at + i] = rates[i];
  }

  /** The rates of the state; a positive number when all is well, 0 when the mass matrix is singular, NaN when not finite. */
  rates(time: number, state: ArrayLike<number>, into: Float64Array): number {
    this.at(time, state);
    this.calls++;
    const { out, count, size, matrix, right, width } = this;
    if (this.quick) {
      this.quick(8 * this.place, 0);
      // 1 where the module itself has solved: no exchange of rows was needed
      if (out[count + size] > 0) {
        for (let i = 0; i < width; i++) into[i] = out[i];
        for (let i = width; i < count + size; i++) this.unknowns[i - width] = out[i];
        return 1;
      }
    }
    this.system(8 * this.place, 0);
    for (let i = 0; i < count; i++) into[i] = out[i];
    const ratio = size ? solve(matrix, right, size) : 1;
    const speeds = width - count;
    for (let i = 0; i < speeds; i++) into[count + i] = right[i];
    for (let i = speeds; i < size; i++) this.unknowns[i - speeds] = right[i];
    return ratio;
  }

  /** `mass · (change, impulses) = (push, 0)` at the present point: how speeds answer an impulse, or a lack in the constraints. */
  answer(push: ArrayLike<number>): Float64Array | null {
    const out = this.call("system");
    const { count, size } = this;
    const matrix = out.slice(count, count + size * size);
    const right = Float64Array.from({ length: size }, (_, i) => push[i] ?? 0);
    return solve(matrix, right, size) > 0 ? right.subarray(0, this.width - count) : null;
  }

  /** Whether some admissible velocity at the present point has a negative kinetic energy: the mass matrix on what the constraints leave. */
  get negative(): boolean {
    const { count, size } = this;
    const speeds = size - this.plan.unknowns.length;
    const out = this.call("system");
    const row = (i: number) => Array.from(out.subarray(count + i * size, count + i * size + speeds));
    const held = new Basis();
    for (let i = speeds; i < size; i++) held.add(row(i));
    const free = new Basis();
    for (let j = 0; j < speeds; j++) free.add(held.outside(Array.from({ length: speeds }, (_, i) => (i === j ? 1 : 0))));
    const mass = Array.from({ length: speeds }, (_, i) => row(i));
    return indefinite(free.rows.map((one) => free.rows.map((two) => one.reduce((all, e, i) => all + e * dot(mass[i], two), 0))));
  }
}
