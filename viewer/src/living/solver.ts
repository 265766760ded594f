// The solver without a browser: what a worker, the page itself and the tests call.
import { bytes, Machine } from "./machine";
import { solved } from "./motion";
import type { Motion, Plan, Request } from "./plan";

export class Solver {
  private readonly machine: Machine;

  constructor(readonly plan: Plan) {
    this.machine = new Machine(plan, new WebAssembly.Module(bytes(plan.wasm) as BufferSource));
  }

  solve(request: Request): Motion {
    return solved(this.machine, request);
  }
}
