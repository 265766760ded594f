// A quantity over time below the film: curve, the film's present time, kicks; a click goes there.
import type { Film } from "../film";
import type { LiveData } from "./data";
import { at } from "./columns";
import { make, plain } from "./panel";
import type { Motion } from "./plan";
import { figures, rounded } from "./words";

const HEIGHT = 96;
/** The words for a quantity of a contact, and its unit. */
const CONTACT: Record<string, [string, string]> = {
  normal: ["normal force at", " [N]"],
  along: ["friction force along", " [N]"],
  across: ["friction force across", " [N]"],
  ratio: ["friction over normal force at", ""],
  slip: ["speed of slip at", " [m/s]"],
  gap: ["gap at", " [m]"],
};

/** Pixels left free above and below the curve. */
const EDGE = 14;
const OWN = "_";
/** Quantities that are nothing but rounding. */
const ERROR = /^(rate_of_)?((?:holonomic_)?(?:relation|constraint))_(\d+)$/;

export class Strip {
  private readonly canvas: HTMLCanvasElement;
  private readonly select: HTMLSelectElement;
  private readonly value: HTMLSpanElement;
  private motion: Motion | null = null;
  private ghost: Motion | null = null;
  private kicks: number[] = [];
  private pinned = false;

  constructor(private readonly film: Film, private readonly data: LiveData) {
    const root = make("div", "nhl-strip", film.panel.root);
    const head = make("div", "nhl-strip-head", root);
    this.select = make("select", "", head);
    this.select.setAttribute("aria-label", "quantity shown over time");
    this.value = make("span", "nhl-strip-value", head);
    this.canvas = make("canvas", "", root);
    this.canvas.setAttribute("role", "img");
    this.select.addEventListener("change", () => this.draw());
    const seek = (event: PointerEvent) => {
      const box = this.canvas.getBoundingClientRect();
      const part = (event.clientX - box.left) / Math.max(1, box.width);
      film.pause();
      film.seek(film.start + part * (film.end - film.start));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.canvas.addEventListener("pointermove", (event) => event.buttons && seek(event));
    film.watchers.add(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /** A new motion, the one before it, and the times of its kicks. */
  show(motion: Motion, ghost: Motion | null, kicks: number[], pinned = false): void {
    this.pinned = pinned;
    this.motion = motion;
    this.ghost = ghost;
    this.kicks = kicks;
    if (!this.select.options.length) this.offer(motion);
    this.draw();
  }

  private offer(motion: Motion): void {
    const names = Object.keys(motion.columns).filter((name) => name !== "t" && !name.startsWith(OWN) && this.moves(motion, name));
    const turned = this.data.attitudes.flatMap(({ names: own }) => own);
    const entries = new Set([...turned, ...turned.map((name) => `${name}dot`)]);
    const groups = new Map<string, HTMLOptGroupElement>();
    const told = names.map((name): [string, string, string] => [name, ...this.told(name, entries)]);
    for (const title of ["Motion", "Conserved quantities", "Forces", "Entries of rotations", "Errors of the solver"]) {
      for (const [name, group, words] of told) {
        if (group !== title) continue;
        if (!groups.has(title)) groups.set(title, make("optgroup", "", this.select as HTMLElement));
        groups.get(title)!.label = title;
        groups.get(title)!.append(new Option(words, name));
      }
    }
    const first = this.data.strip.find((name) => names.includes(name)) ?? this.data.plan.speeds.find((name) => names.includes(name));
    if (first) this.select.value = first;
  }

  /** The group that a quantity belongs to, and its words. */
  private told(name: string, entries: Set<string>): [string, string] {
    const sign = this.data.signs.find((one) => one.name === name);
    const error = ERROR.exec(name);
    const work = /^dissipated_(.*)$/.exec(name);
    if (work) return ["Conserved quantities", `work lost at ${work[1]} [J]`];
    const reaction = this.data.plan.unknowns.indexOf(name);
    if (error) return ["Errors of the solver", `${error[1] ? "rate of the error" : "error"} of ${error[2].replace("_", " ")} ${error[3]}`];
    if (name === "energy") return ["Conserved quantities", this.data.conserved ? "energy" : "energy (not conserved here)"];
    if (this.data.constant.includes(name)) return ["Conserved quantities", name];
    const touch = /^(normal|along|across|ratio|slip|gap)\((.*)\)$/.exec(name);
    if (touch) return [touch[1] === "slip" || touch[1] === "gap" ? "Motion" : "Forces", `${CONTACT[touch[1]][0]} ${touch[2]}${CONTACT[touch[1]][1]}`];
    if (name === "contact_normal") return ["Forces", "normal force at the contact [N]"];
    if (name === "contact_tangential") return ["Forces", "friction at the contact [N]"];
    if (reaction >= 0 && !sign) return ["Forces", `λ${reaction + 1}  reaction of constraint ${reaction + 1}`];
    if (!sign) return ["Motion", name];
    const unit = sign.unit && sign.unit !== "1" ? ` [${sign.unit}]` : "";
    return [entries.has(name) ? "Entries of rotations" : "Motion", `${plain(sign.label)}${sign.meaning ? `  ${sign.meaning}` : ""}${unit}`];
  }

  /** Whether a quantity has numbers; one that never changes is offered too, after the others. */
  private moves(motion: Motion, name: string): boolean {
    return motion.columns[name].length > 1 && Number.isFinite(motion.columns[name][0]);
  }

  /** The largest speed of a motion. */
  private largest(motion: Motion): number {
    return Math.max(...this.data.plan.speeds.map((name) => motion.columns[name]?.reduce((most, e) => Math.max(most, Math.abs(e)), 0) ?? 0));
  }

  private draw(): void {
    const { canvas, motion } = this;
    const width = canvas.clientWidth;
    const column = motion?.columns[this.select.value];
    if (!motion || !column || !width) return;
    const scale = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
    if (canvas.height !== Math.round(HEIGHT * scale)) canvas.height = Math.round(HEIGHT * scale);
    const pen = canvas.getContext("2d")!;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, HEIGHT);
    const style = getComputedStyle(this.film.panel.root);
    const [soft, accent] = ["--nhf-soft", "--nhf-accent"].map((name) => style.getPropertyValue(name));
    const { t } = motion.columns;
    const [begin, end] = [this.film.start, this.film.end];
    const other = this.ghost?.columns[this.select.value];
    let [low, high] = [Infinity, -Infinity];
    for (const values of [column, other ?? []]) for (const e of values) if (Number.isFinite(e)) [low, high] = [Math.min(low, e), Math.max(high, e)];
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (size < 1e-9 && !ERROR.test(this.select.value) && size <= 1e-14 * this.largest(motion)) [low, high] = [0, 0];
    const least = high === low && high === 0 ? Infinity : size; // all of it is rounding
    const shown = (value: number) => rounded(value, least);
    if (!(high - low > 1e-9 * (Math.abs(high) + Math.abs(low)))) [low, high] = [low - 0.5 * (Math.abs(low) || 1), high + 0.5 * (Math.abs(high) || 1)];
    const across = (time: number) => (width * (time - begin)) / (end - begin || 1);
    const up = (value: number) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (value - low)) / (high - low);
    const curve = (times: ArrayLike<number>, values: ArrayLike<number>, colour: string, thick: number) => {
      pen.beginPath();
      for (let k = 0; k < values.length; k++) pen.lineTo(across(times[k]), up(values[k]));
      Object.assign(pen, { strokeStyle: colour, lineWidth: thick });
      pen.stroke();
    };
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = soft;
    pen.textAlign = "left";
    pen.fillText(figures(shown(high), 3), 3, 10);
    pen.fillText(figures(shown(low), 3), 3, HEIGHT - 2);
    if (low < 0 && high > 0) {
      pen.globalAlpha = 0.35;
      curve([begin, end], [0, 0], soft, 1);
      pen.globalAlpha = 1;
    }
    if (other && this.ghost) curve(this.ghost.columns.t, other, this.pinned ? "#e69f00" : "rgba(140,148,158,0.5)", this.pinned ? 1.8 : 1.2);
    curve(t, column, accent, 1.8);
    for (const time of this.kicks) {
      pen.fillStyle = "#d5673a";
      pen.fillRect(across(time) - 0.75, 4, 1.5, HEIGHT - 8);
      pen.fillText("kick", Math.min(across(time) + 3, width - 24), 11);
    }
    const now = this.film.time;
    pen.globalAlpha = 0.6;
    pen.fillStyle = soft;
    pen.fillRect(across(now) - 0.5, 0, 1, HEIGHT);
    pen.globalAlpha = 1;
    const value = shown(at(t, column, now));
    pen.beginPath();
    pen.arc(across(now), up(value), 3.5, 0, 2 * Math.PI);
    pen.fillStyle = accent;
    pen.fill();
    const then = this.pinned && other && this.ghost ? at(this.ghost.columns.t, other, now) : NaN;
    this.value.textContent = `${figures(value, 4)}${Number.isFinite(then) ? ` (pinned ${figures(then, 4)})` : ""}`;
    canvas.dataset.pinned = String(then);
    canvas.setAttribute("aria-label", `${this.select.selectedOptions[0]?.text ?? ""} over time, from ${figures(low, 3)} to ${figures(high, 3)}`);
    canvas.dataset.quantity = this.select.value;
    canvas.dataset.value = String(value);
  }
}
