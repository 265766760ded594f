// Back to the manifold: the least change of the state that makes the invariants vanish, as nonholo.integrate.loops.projection does.
import type { Machine } from "./machine";

/** A correction this large leaves its square behind: then another one is made. */
const LARGE = 1e-8;

export class Projection {
  private readonly total: number;
  private readonly matrix: Float64Array;
  private readonly weight: Float64Array;

  constructor(private readonly machine: Machine) {
    this.total = machine.plan.invariants.length;
    this.matrix = new Float64Array(this.total * this.total);
    this.weight = new Float64Array(this.total);
  }

  get needed(): boolean {
    return this.machine.active.length > 0;
  }

  project(time: number, state: Float64Array): void {
    const { active, positions, count, width } = this.machine;
    const last = active.length;
    for (let again = 0; again < 8; again++) {
      let change = 0;
      if (positions > 0) change = this.correct(time, state, 0, positions, 0, count);
      if (last > positions) change = Math.max(change, this.correct(time, state, positions, last, count, width));
      if (!(change > LARGE)) return;
    }
  }

  /** One correction of `state[low … high)` by some active invariants, `δ = −Jᵀ (J Jᵀ)⁻¹ g`; its relative size. */
  private correct(time: number, state: Float64Array, first: number, last: number, low: number, high: number): number {
    const { machine, matrix, weight, total } = this;
    machine.at(time, state);
    const found = machine.call("invariants");
    const { active, width } = machine;
    const number = last - first;
    for (let a = 0; a < number; a++) {
      for (let b = 0; b <= a; b++) {
        let sum = 0;
        const one = total + active[first + a] * width;
        const two = total + active[first + b] * width;
        for (let i = low; i < high; i++) sum += found[one + i] * found[two + i];
        matrix[a * number + b] = sum;
      }
    }
    for (let a = 0; a < number; a++) {
      // L Lᵀ; an invariant that follows from those before it is left out
      let sum = matrix[a * number + a];
      for (let c = 0; c < a; c++) sum -= matrix[a * number + c] ** 2;
      const root = sum > 1e-12 * matrix[a * number + a] ? Math.sqrt(sum) : 0;
      matrix[a * number + a] = root;
      let value = found[active[first + a]];
      for (let c = 0; c < a; c++) value -= matrix[a * number + c] * weight[c];
      weight[a] = root > 0 ? value / root : 0;
      for (let b = a + 1; b < number; b++) {
        let rest = matrix[b * number + a];
        for (let c = 0; c < a; c++) rest -= matrix[b * number + c] * matrix[a * number + c];
        matrix[b * number + a] = root > 0 ? rest / root : 0;
      }
    }
    for (let a = number - 1; a >= 0; a--) {
      if (!(matrix[a * number + a] > 0)) continue;
      let value = weight[a];
      for (let b = a + 1; b < number; b++) value -= matrix[b * number + a] * weight[b];
      weight[a] = value / matrix[a * number + a];
    }
    let size = 0;
    let largest = 0;
    for (let i = low; i < high; i++) {
      let sum = 0;
      for (let a = 0; a < number; a++) sum += found[total + active[first + a] * width + i] * weight[a];
      size = Math.max(size, Math.abs(state[i]));
      largest = Math.max(largest, Math.abs(sum));
      state[i] -= sum;
    }
    return largest / (size || 1);
  }
}
