// The story of a motion: slow motion to chosen instants, with a caption at each.
import type { Film } from "../film";
import type { Stop } from "./data";
import { make } from "./panel";
import type { Motion } from "./plan";

/** Seconds that the way to an instant takes. */
const WAY = 3;

/** When each stop is; NaN for one that this motion does not reach. */
export function instants(stops: Stop[], times: ArrayLike<number>, columns: Record<string, ArrayLike<number>>): number[] {
  const sign = times[times.length - 1] >= times[0] ? 1 : -1;
  let last = times[0];
  return stops.map(({ at, column }) => {
    const found = column ? crossing(times, columns[column] ?? [], last) : at ?? NaN;
    const inside = sign * (found - times[0]) >= 0 && sign * (times[times.length - 1] - found) >= -1e-9;
    if (inside) last = found;
    return inside ? found : NaN;
  });
}

/** The first time after another at which values pass through zero. */
function crossing(times: ArrayLike<number>, values: ArrayLike<number>, after: number): number {
  const sign = times[times.length - 1] >= times[0] ? 1 : -1;
  for (let k = 0; k + 1 < values.length; k++) {
    const [one, two] = [values[k], values[k + 1]];
    if (!(one * two <= 0) || one === two) continue;
    const time = times[k] + ((times[k + 1] - times[k]) * one) / (one - two);
    if (sign * (time - after) > 1e-9) return time;
  }
  return NaN;
}

export class Story {
  private readonly button: HTMLButtonElement;
  private readonly root: HTMLDivElement;
  private readonly text: HTMLParagraphElement;
  private readonly count: HTMLSpanElement;
  private readonly back: HTMLButtonElement;
  private readonly on: HTMLButtonElement;
  private when: number[] = [];
  private now = -1;

  constructor(private readonly film: Film, private readonly stops: Stop[]) {
    const { root } = film.panel;
    this.button = make("button", "nhf-why", root.querySelector<HTMLElement>(".nhf-bar")!, "Why?");
    this.button.type = "button";
    this.button.title = "what happens here and why, in slow motion";
    this.button.addEventListener("click", () => (this.now < 0 ? this.go(0, 1) : this.close()));
    this.root = document.createElement("div");
    this.root.className = "nhf-story";
    this.root.setAttribute("role", "status");
    this.text = make("p", "", this.root);
    const tools = make("div", "", this.root);
    this.count = make("span", "", tools);
    const tool = (name: string, act: () => void) => {
      const made = make("button", "", tools, name);
      made.type = "button";
      made.addEventListener("click", act);
      return made;
    };
    this.back = tool("Back", () => this.go(this.now - 1, -1));
    this.on = tool("Next", () => this.go(this.now + 1, 1));
    tool("Close", () => this.close());
  }

  /** The instants of another motion. */
  show(motion: Motion): void {
    this.when = instants(this.stops, motion.columns.t, motion.columns);
    this.button.hidden = !this.when.some(Number.isFinite);
    this.button.dataset.instants = this.when.join(" ");
  }

  /** The next stop from `k` on, in a direction, that this motion reaches. */
  private next(k: number, way: number): number {
    while (k >= 0 && k < this.stops.length && !Number.isFinite(this.when[k])) k += way;
    return k >= 0 && k < this.stops.length ? k : -1;
  }

  private go(k: number, way: number): void {
    const wanted = this.next(k, way);
    if (wanted < 0) return this.close();
    const { text, speed, forces } = this.stops[wanted];
    const time = this.when[wanted];
    const before = this.when.slice(0, wanted).filter(Number.isFinite).pop() ?? this.film.start;
    this.now = wanted;
    this.film.panel.stage.append(this.root);
    this.root.dataset.stop = String(wanted);
    this.root.dataset.there = "no";
    this.text.textContent = text;
    const reached = this.when.filter(Number.isFinite);
    this.count.textContent = `${reached.indexOf(time) + 1} of ${reached.length}`;
    this.back.disabled = this.next(wanted - 1, -1) < 0;
    this.on.textContent = this.next(wanted + 1, 1) < 0 ? "End" : "Next";
    this.button.setAttribute("aria-pressed", "true");
    if (forces !== undefined) this.film.setForces(forces);
    const sign = this.film.end >= this.film.start ? 1 : -1;
    const from = sign * Math.max(sign * before, sign * time - WAY * speed);
    this.film.approach(from, time, speed, () => (this.root.dataset.there = "yes"));
  }

  private close(): void {
    this.now = -1;
    this.root.remove();
    this.button.setAttribute("aria-pressed", "false");
    this.film.setForces(false);
    this.film.pause();
  }
}
