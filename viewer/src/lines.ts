// Lines with a width in pixels: traces that grow with time, and wires.
import { Color, Group, Matrix4, Vector2, Vector3 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { type Moment, refined, travelled } from "./scene";

function line(points: Float32Array, colour: Color, width: number, opacity: number): Line2 {
  const geometry = new LineGeometry();
  geometry.setPositions(Array.from(points));
  const material = new LineMaterial({
    color: colour.getHex(), linewidth: width, transparent: opacity < 1, opacity, depthWrite: opacity >= 1,
  });
  const result = new Line2(geometry, material);
  result.frustumCulled = false;
  return result;
}

/** Longer paths need no pieces between their frames, which would only show their joints. */
const MANY = 900;

/** A path: the whole of it faintly, what has been travelled brightly. */
export class Trace {
  readonly object = new Group();
  private readonly bright: Line2 | null = null;
  private readonly last: Line2 | null = null;
  private readonly points: Float32Array;
  private readonly parts: number;

  constructor(points: Float32Array, times: Float32Array, colour: Color, width: number) {
    this.parts = times.length > MANY ? 1 : times.length > MANY / 2 ? 2 : 4;
    this.points = refined(points, times, this.parts);
    if (points.length < 6) return;
    this.bright = line(this.points, colour, width, 1);
    this.last = line(points.slice(0, 6), colour, width, 1);
    const faint = line(this.points, colour, 0.6 * width, 0.3);
    faint.renderOrder = 1;
    this.object.add(faint, this.bright, this.last);
  }

  update(at: Moment): void {
    if (!this.bright || !this.last) return;
    const { pieces, part } = travelled(at, this.parts);
    (this.bright.geometry as LineGeometry).instanceCount = pieces;
    this.bright.visible = pieces > 0;
    const from = this.points.slice(3 * pieces, 3 * pieces + 6);
    this.last.visible = from.length === 6 && part > 0;
    if (!this.last.visible) return;
    for (let i = 0; i < 3; i++) from[3 + i] = from[i] + part * (from[3 + i] - from[i]);
    (this.last.geometry as LineGeometry).setPositions(Array.from(from));
  }

  /** Paler than it was: an earlier motion, for comparison. */
  fade(opacity: number): void {
    this.object.children.forEach((child, k) => {
      const { material } = child as Line2;
      Object.assign(material, { transparent: true, opacity: k === 0 ? opacity : 2 * opacity, depthWrite: false });
    });
  }

  resize(size: Vector2): void {
    this.object.children.forEach((child) => (child as Line2).material.resolution.copy(size));
  }
}

/** A curve in a body's frame. */
export class Wire {
  readonly object: Line2;
  private shown = 0;

  constructor(private readonly points: Float32Array, private readonly count: number, colour: Color) {
    this.object = line(points.slice(0, 3 * count), colour, 3, 1);
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
    if (own.length) (this.object.geometry as LineGeometry).setPositions(Array.from(own));
  }

  resize(size: Vector2): void {
    this.object.material.resolution.copy(size);
  }
}
