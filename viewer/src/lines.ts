// Lines with a width in pixels: traces that grow with time, and wires.
import { Color, Group, Matrix4, Object3D, Vector2, Vector3 } from "three";
import { Ribbon } from "./ribbon";
import { type Moment, refined, travelled } from "./scene";

/** Longer paths need no pieces between their frames, which would only show their joints. */
const MANY = 900;

/** How many pieces between two frames: so many that none is seen to be straight, the middle of a piece being off by less than `seen`. */
export function pieces(points: Float32Array, times: Float32Array, seen: number): number {
  const most = times.length > MANY ? 1 : times.length > MANY / 2 ? 2 : 4;
  if (most === 1) return 1;
  const halves = refined(points, times, 2);
  let worst = 0;
  for (let k = 3; k + 5 < halves.length; k += 6) {
    const off = [0, 1, 2].map((i) => halves[k + i] - (halves[k - 3 + i] + halves[k + 3 + i]) / 2);
    worst = Math.max(worst, Math.hypot(...off));
  }
  // a piece half as long is off by a quarter
  return worst < seen ? 1 : worst < 4 * seen ? 2 : most;
}

/** A path: the whole of it faintly, what has been travelled brightly. */
export class Trace {
  readonly object = new Group();
  private readonly bright: Ribbon | null = null;
  private readonly last: Ribbon | null = null;
  private readonly lines: Ribbon[] = [];
  private readonly points: Float32Array;
  private readonly parts: number;

  constructor(points: Float32Array, times: Float32Array, colour: Color, width: number, seen: number) {
    this.parts = pieces(points, times, seen);
    this.points = refined(points, times, this.parts);
    if (points.length < 6) return;
    const faint = new Ribbon(this.points, colour, 0.6 * width, 0.3);
    faint.object.renderOrder = 1;
    this.bright = new Ribbon(this.points, colour, width, 1);
    this.last = new Ribbon(points.slice(0, 6), colour, width, 1);
    this.lines = [faint, this.bright, this.last];
    this.object.add(...this.lines.map(({ object }) => object));
  }

  update(at: Moment): void {
    if (!this.bright || !this.last) return;
    const { pieces, part } = travelled(at, this.parts);
    this.bright.show(pieces);
    const from = this.points.slice(3 * pieces, 3 * pieces + 6);
    const more = from.length === 6 && part > 0;
    this.last.show(more ? 1 : 0);
    if (!more) return;
    for (let i = 0; i < 3; i++) from[3 + i] = from[i] + part * (from[3 + i] - from[i]);
    this.last.set(from);
  }

  /** Paler than it was: an earlier motion, for comparison. */
  fade(opacity: number, tint?: string): void {
    this.lines.forEach((line, k) => line.fade(k === 0 ? opacity : 2 * opacity, tint));
  }

  resize(size: Vector2): void {
    this.lines.forEach((line) => line.resize(size));
  }
}

/** A curve in a body's frame. */
export class Wire {
  readonly object: Object3D;
  private readonly line: Ribbon;
  private shown = 0;

  constructor(private readonly points: Float32Array, private readonly count: number, colour: Color) {
    this.line = new Ribbon(points.slice(0, 3 * count), colour, 3, 1);
    this.object = this.line.object;
  }

  outline(found: Vector3[], frame: Matrix4): void {
    for (let k = 0; k < this.count; k += 4) {
      found.push(new Vector3().fromArray(this.points, 3 * (this.shown * this.count + k)).applyMatrix4(frame));
    }
  }

  update(at: Moment): void {
    const frame = at.part > 0.5 ? at.frame + 1 : at.frame;
    if (this.points.length === 3 * this.count || frame === this.shown) return;
    this.shown = frame;
    const own = this.points.slice(3 * this.count * frame, 3 * this.count * (frame + 1));
    if (own.length) this.line.set(own);
  }

  resize(size: Vector2): void {
    this.line.resize(size);
  }

  fade(opacity: number): void {
    this.line.fade(opacity);
  }
}
