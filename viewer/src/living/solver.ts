// The solver without a browser: what a worker, the page itself and the tests call.
import { bytes, type Machine } from "./machine";
import { machineOf, solved } from "./motion";
import type { Motion, Plan, Request } from "./plan";

export class Solver {
  private readonly machine: Machine;

  constructor(readonly plan: Plan) {
    this.machine = machineOf(plan, new WebAssembly.Module(bytes(plan.wasm) as BufferSource));
  }

  solve(request: Request, now?: () => number): Motion {
    return solved(this.machine, request, now);
  }
}
