// Where the solving is done: a worker made from the page itself, or the page where there can be none. Only the newest request counts: a motion
// that comes while another is waited for is told as such.
import workerText from "living-worker";
import type { Motion, Plan, Request } from "./plan";
import { Solver } from "./solver";

/** A worker that does not answer for so many milliseconds is given up. */
const SILENT = 6_000;

type Answer = { ready?: boolean; id?: number; motion?: Motion; trouble?: string };

export class Engine {
  /** "worker" or "page": where motions are solved. */
  where: "worker" | "page" = "page";
  private worker: Worker | null = null;
  private own: Solver | null = null;
  private busy = false;
  private waiting: Request | null = null;
  private id = 0;
  private watch = 0;

  constructor(private readonly plan: Plan, private readonly told: (motion: Motion, newest: boolean) => void, private readonly failed: (why: string) => void) {
    this.start();
  }

  private start(): void {
    try {
      const address = URL.createObjectURL(new Blob([workerText], { type: "text/javascript" }));
      const worker = new Worker(address);
      URL.revokeObjectURL(address);
      worker.onmessage = ({ data }: MessageEvent<Answer>) => this.hear(data);
      worker.onerror = () => this.alone();
      worker.postMessage({ plan: this.plan });
      this.worker = worker;
      this.where = "worker";
    } catch {
      this.alone();
    }
  }

  /** No worker can be had: the page solves by itself. */
  private alone(): void {
    this.worker?.terminate();
    this.worker = null;
    this.where = "page";
    this.busy = false;
    window.clearTimeout(this.watch);
    try {
      this.own ??= new Solver(this.plan);
    } catch (trouble) {
      this.failed(String(trouble));
      return;
    }
    if (this.last) this.ask(this.last);
  }

  private last: Request | null = null;

  ask(request: Request): void {
    this.last = request;
    if (this.busy) {
      this.waiting = request;
      return;
    }
    if (this.worker) {
      this.busy = true;
      this.watch = window.setTimeout(() => this.alone(), SILENT);
      this.worker.postMessage({ id: ++this.id, request });
    } else if (this.own) {
      this.told(this.own.solve(request), true);
    }
  }

  private hear(answer: Answer): void {
    if (answer.ready) return;
    window.clearTimeout(this.watch);
    this.busy = false;
    if (answer.trouble) return this.alone();
    const next = this.waiting;
    this.waiting = null;
    if (answer.motion) this.told(answer.motion, next === null);
    if (next) this.ask(next);
  }
}
