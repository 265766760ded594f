// The report's plots, redrawn from a new motion: each curve says in its `meta` what it shows.
import type { Motion } from "./plan";

interface Meta {
  x: string;
  y: string;
  /** Only the first or last point. */
  at?: 0 | -1;
  /** Departure from the start instead of the value. */
  drift?: boolean;
  /** Only where the curve goes farthest to either side. */
  farthest?: boolean;
  /** The size of the terms of an integral. */
  size?: number;
  /** Arrows along the path: the angle's name, or the body that points the way. */
  angle?: string;
  body?: number;
  /** A friction cone's slope. */
  slope?: number;
}

interface Curve {
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  customdata?: ArrayLike<number>;
  mode?: string;
  meta?: Meta & { ghost?: boolean };
  line?: Record<string, unknown>;
  marker?: Record<string, unknown>;
  [key: string]: unknown;
}

interface Drawn extends HTMLElement {
  data?: Curve[];
  _fullData?: { line?: { color?: string } }[];
  layout?: { yaxis?: { type?: string; range?: number[]; autorange?: boolean }; [key: string]: unknown };
}

interface Plotly {
  react(element: HTMLElement, data: Curve[], layout: unknown, config?: unknown): void;
}

const GHOST = "rgba(140,148,158,0.5)";
const PINNED = "#e69f00";
const FLOOR = 1e-18;
const ARROWS = 12;

export const CONFIG = { responsive: true, displaylogo: false, modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"] };

export class Plots {
  private readonly boxes: Drawn[];
  private readonly seen = new Set<Element>();
  private readonly stale = new Set<Drawn>();
  private motion: Motion | null = null;
  private ghost: Motion | null = null;
  private number = 0;
  private called = "before";

  constructor(root: ParentNode) {
    // plots of another, recorded motion on the same page stay as they are
    this.boxes = [...root.querySelectorAll<HTMLElement>(".plot > div")].filter((e) => !e.closest("[data-recorded]")).map((e) => e as Drawn);
    const near = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) this.seen.add(target);
        else this.seen.delete(target);
        if (isIntersecting && this.stale.has(target as Drawn)) this.draw(target as Drawn);
      }
    }, { rootMargin: "200px" });
    // a plot that has just been made shows the recorded motion: it is brought to the present one
    for (const box of this.boxes) {
      near.observe(box);
      box.addEventListener("drawn", () => this.stale.has(box) && this.draw(box));
    }
    window.addEventListener("beforeprint", () => this.stale.forEach((box) => this.draw(box)));
  }

  /** `number` counts the motions shown; a plot tells which of them it shows. */
  show(motion: Motion, ghost: Motion | null, number: number, called = "before"): void {
    this.number = number;
    this.called = called;
    this.motion = motion;
    this.ghost = ghost;
    // what is out of sight waits until it is looked at
    for (const box of this.boxes) {
      this.stale.add(box);
      if (this.seen.has(box)) this.draw(box);
    }
  }

  private draw(box: Drawn): void {
    const plotly = (window as unknown as { Plotly?: Plotly }).Plotly;
    if (!plotly || !box.data || !this.motion) return;
    this.stale.delete(box);
    const motion = this.motion;
    const own = box.data.filter((curve) => !curve.meta?.ghost);
    // colours that plotly gave by order stay when a ghost is drawn below
    own.forEach((curve) => {
      const drawn = box._fullData?.[box.data!.indexOf(curve)];
      if ((curve.mode ?? "lines") === "lines" && drawn?.line?.color) curve.line = { ...curve.line, color: drawn.line.color };
    });
    let highest = 0;
    const fresh = own.map((curve) => {
      const made = curve.meta ? filled(curve, motion) : curve;
      if (curve.meta?.drift) for (let k = 0; k < made.y.length; k++) if (made.y[k] > highest) highest = made.y[k];
      return made;
    });
    const top = motion.columns.contact_normal ? 1.05 * Math.max(...motion.columns.contact_normal) : 0;
    fresh.forEach((curve) => {
      const slope = curve.meta?.slope;
      if (slope !== undefined && top > 0) Object.assign(curve, { x: [0, top], y: [0, slope * top] });
    });
    const ghosts = this.ghost === null ? [] : own
      .filter((curve) => curve.meta && !curve.meta.drift && curve.meta.at === undefined && curve.meta.slope === undefined && (curve.mode ?? "lines") === "lines")
      .map((curve) => ({
        ...filled(curve, this.ghost!), name: this.called, showlegend: this.called === "pinned", hoverinfo: "skip", hovertemplate: undefined,
        line: { ...curve.line, color: this.called === "pinned" ? PINNED : GHOST, width: 1.5 }, meta: { ...curve.meta!, ghost: true },
      }));
    const layout = { ...box.layout, uirevision: "live" };
    if (own.some((curve) => curve.meta?.drift)) {
      layout.yaxis = { ...layout.yaxis, range: [Math.log10(FLOOR), Math.log10(Math.max(highest, 1e-15)) + 0.5], autorange: false };
    }
    plotly.react(box, [...ghosts, ...fresh], layout, CONFIG);
    box.dataset.motion = String(this.number);
  }
}

/** How far values are from the first, in units of what it is made of (its `terms`, where their size is known), or of itself. */
export function departures(values: ArrayLike<number>, terms = 0): Float64Array {
  const first = values[0];
  const size = Math.max(Math.abs(first), terms);
  return Float64Array.from(values, (e) => Math.abs(e - first) / (size > 1e-12 ? size : 1));
}

function filled(curve: Curve, motion: Motion): Curve {
  const meta = curve.meta!;
  const across = motion.columns[meta.x];
  const up = motion.columns[meta.y];
  if (!across || !up) return curve;
  if (meta.drift) return { ...curve, x: across, y: Array.from(departures(up, meta.size), (e) => (e > 0 ? e : NaN)) };
  if (meta.farthest) {
    let [low, high] = [0, 0];
    for (let k = 1; k < across.length; k++) [low, high] = [across[k] < across[low] ? k : low, across[k] > across[high] ? k : high];
    return { ...curve, x: [across[low], across[high]], y: [up[low], up[high]] };
  }
  if (meta.at !== undefined) {
    const k = meta.at === 0 ? 0 : up.length - 1;
    return { ...curve, x: [across[k]], y: [up[k]] };
  }
  if (meta.angle !== undefined || meta.body !== undefined) {
    const at = evenly(across, up, ARROWS);
    const angle = at.map((k) => 90 - (180 / Math.PI) * heading(meta, motion, k));
    return { ...curve, x: at.map((k) => across[k]), y: at.map((k) => up[k]), marker: { ...curve.marker, angle } };
  }
  return { ...curve, x: across, y: up, ...(curve.customdata ? { customdata: motion.columns.t } : {}) };
}

function heading(meta: Meta, motion: Motion, k: number): number {
  if (meta.angle !== undefined) return motion.columns[meta.angle]?.[k] ?? 0;
  const body = motion.picture?.bodies[meta.body!];
  if (!body) return 0;
  // the film has fewer moments than the plots
  const { times } = motion.picture!;
  const part = (motion.columns.t[k] - times[0]) / (times[times.length - 1] - times[0] || 1);
  const frame = Math.round(part * (times.length - 1));
  const [x, y, z, w] = body.rotation.subarray(4 * frame, 4 * frame + 4);
  return Math.atan2(2 * (x * y + z * w), 1 - 2 * (y * y + z * z));
}

/** Instants evenly spaced along a path's length, away from its ends. */
function evenly(x: ArrayLike<number>, y: ArrayLike<number>, count: number): number[] {
  const length = new Float64Array(x.length);
  for (let k = 1; k < x.length; k++) length[k] = length[k - 1] + Math.hypot(x[k] - x[k - 1], y[k] - y[k - 1]);
  const whole = length[length.length - 1];
  if (!(whole > 0)) return [];
  const found: number[] = [];
  let k = 0;
  for (let n = 1; n <= count; n++) {
    while (k < length.length - 1 && length[k] < (whole * n) / (count + 1)) k++;
    found.push(k);
  }
  return found;
}
