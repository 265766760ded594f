// Where to look from: numbers in, numbers out.
import { Vector3 } from "three";

/** The camera's angle from the lowest to the highest point it sees, in degrees. */
export const ANGLE = 32;
/** The part of the picture that is used; the rest is a margin. */
export const USED = 0.86;

/** 1, 2 or 5 times a power of ten, near a length. */
export function round(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  const rest = length / power;
  return power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}

/** A length in words: plain where that is short, else with a power of ten. */
export function spelt(length: number, unit: string): string {
  const plain = length >= 1e-4 && length < 1e6;
  const number = plain ? `${Number(length.toPrecision(2))}` : length.toExponential(0).replace("e+", "e").replace("e", " × 10^");
  return unit ? `${number} ${unit}` : number;
}

export interface Look {
  centre: Vector3;
  distance: number;
}

/** The nearest eye on lines along a direction that sees every one of these points.
 *
 * With x across, y up and z towards the eye, a point is seen when |x - cx| <= (D - z) tan; so D is half of
 * (max(x + z tan) + max(-x + z tan)) / tan, and cx half of their difference.
 */
export function fitted(points: Vector3[], direction: Vector3, aspect: number): Look {
  const right = new Vector3(0, 0, 1).cross(direction).normalize();
  const over = new Vector3().crossVectors(direction, right);
  const slope = Math.tan((ANGLE * Math.PI) / 360) * USED;
  const depth = points.reduce((sum, point) => sum + point.dot(direction), 0) / Math.max(1, points.length);
  const centre = direction.clone().multiplyScalar(depth);
  let distance = 0;
  for (const [axis, tangent] of [[right, slope * aspect], [over, slope]] as const) {
    let [more, less] = [0, 0];
    points.forEach((point, k) => {
      const [x, z] = [point.dot(axis), point.dot(direction) - depth];
      more = k ? Math.max(more, x + z * tangent) : x + z * tangent;
      less = k ? Math.max(less, -x + z * tangent) : -x + z * tangent;
    });
    distance = Math.max(distance, (more + less) / (2 * tangent));
  }
  if (distance > 0) for (const axis of [right, over]) centre.addScaledVector(axis, balanced(points, axis, direction, depth + distance));
  return { centre, distance };
}

/** Where to look along one axis so that the outermost points are as far from both edges: Newton's steps for max + min = 0. */
function balanced(points: Vector3[], axis: Vector3, direction: Vector3, eye: number): number {
  let centre = 0;
  for (let step = 0; step < 20; step++) {
    let [most, least, far, near] = [-Infinity, Infinity, 1, 1];
    for (const point of points) {
      const away = eye - point.dot(direction);
      const seen = (point.dot(axis) - centre) / away;
      if (seen > most) [most, far] = [seen, away];
      if (seen < least) [least, near] = [seen, away];
    }
    const shift = (most + least) / (1 / far + 1 / near);
    centre += shift;
    if (Math.abs(shift) < 1e-9 * eye) break;
  }
  return centre;
}
