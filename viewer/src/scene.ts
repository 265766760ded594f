// The data of a film, as nonholo.present.film.scene writes it, and its numbers at any time.
import { Quaternion, Vector3 } from "three";
import type { ForceData } from "./forces";

export type Shape =
  | "disc" | "wheel" | "ellipsoid" | "sphere" | "box" | "blade" | "rod" | "arrow" | "wire" | "surface" | "point";

/** Numbers as a file holds them, or as a living page has just computed them. */
export type Numbers = string | Float32Array;

export interface BodyData {
  shape: Shape;
  label: string;
  colour: string;
  position: Numbers;
  rotation: Numbers;
  size: Record<string, number | Numbers>;
  turns: boolean;
  moves: boolean;
  points?: Numbers;
  grid?: number[];
}

export interface TraceData {
  label: string;
  colour: string;
  points: Numbers;
}

export interface SceneData {
  format: number;
  name: string;
  times: Numbers;
  ground: "plane" | "none";
  /** The height of a floor to draw, null for none; left out by older pages. */
  floor?: number | null;
  /** The unit of lengths; metres when left out. */
  unit?: string;
  /** Whether the motion goes so far that a camera should follow it. */
  travels?: boolean;
  low: number[];
  high: number[];
  follow: Numbers;
  reach: number;
  view: number[];
  bodies: BodyData[];
  traces: TraceData[];
  /** Of contacts and constraints, and the momentum; left out by older pages. */
  forces?: ForceData[];
  /** Of a machine: the lines of its file that make each body, by its label. */
  lines?: Record<string, string>;
}

/** float32, little endian, in base64; numbers that are some already stay what they are. */
export function numbers(text: Numbers): Float32Array {
  if (typeof text !== "string") return text;
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length / 4 }, (_, k) => view.getFloat32(4 * k, true));
}

/** Between which frames a time lies: frame k and the part of the way to k + 1. */
export interface Moment {
  frame: number;
  part: number;
  /** The spans of time before and after, in terms of the one between k and k + 1; 0 where the film begins or ends. */
  before: number;
  after: number;
}

export function moment(times: Float32Array, time: number): Moment {
  // a motion may run backwards in time
  const sign = times[times.length - 1] >= times[0] ? 1 : -1;
  let low = 0;
  let high = times.length - 1;
  if (high <= 0) return { frame: 0, part: 0, before: 0, after: 0 };
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (sign * times[middle] <= sign * time) low = middle;
    else high = middle;
  }
  const span = times[low + 1] - times[low];
  const part = span === 0 ? 0 : Math.min(1, Math.max(0, (time - times[low]) / span));
  const spans = (k: number) => (span === 0 || k < 0 || k + 1 >= times.length ? 0 : (times[k + 1] - times[k]) / span);
  return { frame: low, part, before: spans(low - 1), after: spans(low + 1) };
}

/** A smooth curve through numbers that come in groups of `width`: component i of the group at a moment.
 *
 * A cubic between two frames, whose slopes at its ends are those of parabolas through three neighbours; exact for
 * parabolas, however uneven the times.
 */
export function smooth(values: Float32Array, width: number, i: number, at: Moment): number {
  const k = width * at.frame + i;
  const from = values[k];
  if (at.part === 0) return from;
  const rise = values[k + width] - from;
  const slope = (other: number, span: number) => (span > 0 ? (other / span + rise * span) / (1 + span) : rise);
  const first = slope(at.before > 0 ? from - values[k - width] : 0, at.before);
  const last = slope(at.after > 0 ? values[k + 2 * width] - values[k + width] : 0, at.after);
  const t = at.part;
  // without a neighbour the other end's parabola is followed
  const one = at.before > 0 ? first : at.after > 0 ? 2 * rise - last : rise;
  const two = at.after > 0 ? last : at.before > 0 ? 2 * rise - first : rise;
  return from + t * (one + t * (3 * rise - 2 * one - two + t * (one + two - 2 * rise)));
}

export function place(values: Float32Array, at: Moment, into: Vector3): Vector3 {
  return into.set(smooth(values, 3, 0, at), smooth(values, 3, 1, at), smooth(values, 3, 2, at));
}

/** A path with `parts` pieces between neighbouring frames; every `parts`-th point is a frame's own. */
export function refined(points: Float32Array, times: Float32Array, parts: number): Float32Array {
  const frames = points.length / 3;
  if (frames < 2) return points.slice();
  const result = new Float32Array(3 * ((frames - 1) * parts + 1));
  for (let k = 0; k + 1 < frames; k++) {
    const at = moment(times, times[k]);
    const own = at.frame === k ? at : { frame: k, part: 0, before: 0, after: 0 };
    for (let p = 0; p < parts; p++) {
      for (let i = 0; i < 3; i++) result[3 * (k * parts + p) + i] = smooth(points, 3, i, { ...own, part: p / parts });
    }
  }
  result.set(points.subarray(3 * (frames - 1), 3 * frames), result.length - 3);
  return result;
}

/** How many whole pieces of a refined path have been travelled, and the part of the next. */
export function travelled(at: Moment, parts: number): { pieces: number; part: number } {
  const exact = (at.frame + at.part) * parts;
  const pieces = Math.floor(exact + 1e-9);
  return { pieces, part: Math.max(0, exact - pieces) };
}

const other = new Quaternion();

export function turn(values: Float32Array, at: Moment, into: Quaternion): Quaternion {
  into.fromArray(values, 4 * at.frame).normalize();
  if (at.part > 0) into.slerp(other.fromArray(values, 4 * at.frame + 4).normalize(), at.part);
  return into;
}

/** A size that may change with time. */
export function size(values: number | Float32Array, at: Moment): number {
  if (typeof values === "number") return values;
  const next = at.part > 0 ? at.frame + 1 : at.frame;
  return values[at.frame] + at.part * (values[next] - values[at.frame]);
}
