// The solver in a worker: a plan first, then requests, each answered with its number.
import type { Plan, Request } from "./plan";
import { Solver } from "./solver";

type Message = { plan: Plan } | { id: number; request: Request };
const scope = self as unknown as { postMessage(message: unknown, transfer?: Transferable[]): void; onmessage: ((e: MessageEvent<Message>) => void) | null };
let solver: Solver | null = null;

scope.onmessage = ({ data }) => {
  try {
    if ("plan" in data) {
      solver = new Solver(data.plan);
      scope.postMessage({ ready: true });
    } else if (solver) {
      scope.postMessage({ id: data.id, motion: solver.solve(data.request) });
    }
  } catch (trouble) {
    scope.postMessage({ id: "id" in data ? data.id : -1, trouble: String(trouble) });
  }
};
