// The data of a film, as nonholo.present.scene writes it, and its numbers at any time.
import { Quaternion, Vector3 } from "three";

export type Shape =
  | "disc" | "wheel" | "ellipsoid" | "sphere" | "box" | "blade" | "rod" | "arrow" | "wire" | "surface" | "point";

export interface BodyData {
  shape: Shape;
  label: string;
  colour: string;
  position: string;
  rotation: string;
  size: Record<string, number | string>;
  turns: boolean;
  moves: boolean;
  points?: string;
  grid?: number[];
}

export interface TraceData {
  label: string;
  colour: string;
  points: string;
}

export interface SceneData {
  format: number;
  name: string;
  times: string;
  ground: "plane" | "none";
  low: number[];
  high: number[];
  follow: string;
  reach: number;
  view: number[];
  bodies: BodyData[];
  traces: TraceData[];
}

/** float32, little endian, in base64. */
export function numbers(text: string): Float32Array {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length / 4 }, (_, k) => view.getFloat32(4 * k, true));
}

/** Between which frames a time lies: frame k and the part of the way to k + 1. */
export interface Moment {
  frame: number;
  part: number;
}

export function moment(times: Float32Array, time: number): Moment {
  // a motion may run backwards in time
  const sign = times[times.length - 1] >= times[0] ? 1 : -1;
  let low = 0;
  let high = times.length - 1;
  if (high === 0) return { frame: 0, part: 0 };
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (sign * times[middle] <= sign * time) low = middle;
    else high = middle;
  }
  const span = times[low + 1] - times[low];
  const part = span === 0 ? 0 : Math.min(1, Math.max(0, (time - times[low]) / span));
  return { frame: low, part };
}

export function place(values: Float32Array, at: Moment, into: Vector3): Vector3 {
  const k = 3 * at.frame;
  const next = at.part > 0 ? k + 3 : k;
  const mix = (i: number) => values[k + i] + at.part * (values[next + i] - values[k + i]);
  return into.set(mix(0), mix(1), mix(2));
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
