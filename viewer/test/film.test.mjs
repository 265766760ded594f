// The film's numbers, apart from any browser: `npm test` (Node's own test runner).
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const bundle = resolve(tmpdir(), `nonholo-film.${process.pid}.mjs`);
await build({
  stdin: {
    contents: `export * from "../src/scene"; export * from "../src/clock"; export * from "../src/camera";
      export { pace } from "../src/panel"; export { pieces } from "../src/lines"; export { instants } from "../src/living/story"; export { rounded } from "../src/living/words"; export { travel } from "../src/living/gait"; export { Forces, modeAt, scaleOf } from "../src/forces"; export { Quaternion, Vector3 } from "three";`,
    resolveDir: here,
    loader: "ts",
  },
  bundle: true, format: "esm", outfile: bundle, logLevel: "error",
});
after(() => rm(bundle, { force: true }));
const film = await import(pathToFileURL(bundle).href);
const { ANGLE, Quaternion, REST, USED, Vector3 } = film;

const close = (found, wanted, tolerance, note) =>
  assert.ok(Math.abs(found - wanted) <= tolerance, `${note ?? ""} found ${found}, wanted ${wanted} within ${tolerance}`);
/** Numbers in (0, 1), the same each time. */
function dice(seed) {
  let state = seed;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}

test("numbers are little-endian floats in base64", () => {
  assert.deepEqual(Array.from(film.numbers(Buffer.from(Float32Array.of(0.5, -2, 1e10).buffer).toString("base64"))), [0.5, -2, 1e10]);
});

test("a moment lies between its frames, forwards and backwards in time", () => {
  const times = Float32Array.of(0, 1, 3, 3.5);
  for (const [time, frame, part] of [[-1, 0, 0], [0, 0, 0], [0.25, 0, 0.25], [1, 1, 0], [2.5, 1, 0.75], [3.5, 2, 1], [9, 2, 1]]) {
    const at = film.moment(times, time);
    assert.deepEqual([at.frame, at.part], [frame, part], `at ${time}`);
    const back = film.moment(times.map((t) => -t), -time);
    assert.deepEqual([back.frame, back.part], [frame, part], `backwards at ${time}`);
  }
  assert.deepEqual(film.moment(Float32Array.of(7), 3), { frame: 0, part: 0, before: 0, after: 0 });
});

test("places between frames lie on a parabola through uneven times, and frames are kept", () => {
  const times = Float32Array.of(0, 0.5, 0.75, 2, 2.25);
  const fall = (t) => [3 * t, 1 - 2 * t, 4 * t - 4.5 * t * t];
  const path = Float32Array.from(Array.from(times).flatMap(fall));
  for (const time of [0, 0.1, 0.3, 0.6, 1.1, 1.9, 2.2, 2.25]) {
    const found = film.place(path, film.moment(times, time), new Vector3()).toArray();
    found.forEach((x, i) => close(x, fall(time)[i], 1e-5, `time ${time}, component ${i}:`));
  }
  const two = film.place(Float32Array.of(1, 2, 3, 2, 4, 6), film.moment(Float32Array.of(0, 1), 0.25), new Vector3());
  assert.deepEqual(two.toArray(), [1.25, 2.5, 3.75]);
});

test("a path has as many pieces between frames as can be seen, and no more than its frames need", () => {
  const round = (count) => {
    const times = Float32Array.from({ length: count }, (_, k) => k);
    return [Float32Array.from(Array.from(times).flatMap((k) => [Math.cos((2 * Math.PI * k) / (count - 1)), Math.sin((2 * Math.PI * k) / (count - 1)), 0])), times];
  };
  // a chord of a circle of radius 1 is off by the angle squared over eight: 1 - cos(pi / 40) = 3.1e-3 for forty
  const forty = round(41);
  assert.deepEqual([4e-3, 2e-3, 5e-4].map((seen) => film.pieces(...forty, seen)), [1, 2, 4]);
  assert.equal(film.pieces(...round(500), 1e-9), 2);
  assert.equal(film.pieces(...round(1000), 1e-9), 1);
});

test("a refined circle is far rounder than its polygon and goes through every frame", () => {
  const count = 25;
  const times = Float32Array.from({ length: count }, (_, k) => k);
  const around = (k) => [Math.cos((2 * Math.PI * k) / 24), Math.sin((2 * Math.PI * k) / 24), 0.5];
  const path = Float32Array.from(Array.from(times).flatMap(around));
  const fine = film.refined(path, times, 4);
  assert.equal(fine.length, 3 * (4 * (count - 1) + 1));
  for (let k = 0; k < count; k++) around(k).forEach((x, i) => close(fine[3 * 4 * k + i], x, 1e-6));
  for (let k = 0; k < fine.length; k += 3) close(Math.hypot(fine[k], fine[k + 1]), 1, 2e-3); // the polygon's sides: 8.6e-3 inside
  let inside = 0;
  for (let k = 24; k < fine.length - 24; k += 3) inside = Math.max(inside, Math.abs(1 - Math.hypot(fine[k], fine[k + 1])));
  assert.ok(inside < 2e-4, `${inside}`);
});

test("what has been travelled ends where the body is", () => {
  const times = Float32Array.of(0, 1, 2, 3);
  const points = Float32Array.of(0, 0, 0, 1, 1, 0, 2, 0, 0, 3, 1, 0);
  for (const parts of [1, 2, 4]) {
    const fine = film.refined(points, times, parts);
    for (const time of [0, 0.2, 1, 1.5, 2.75, 3]) {
      const { pieces, part } = film.travelled(film.moment(times, time), parts);
      assert.ok(part >= 0 && part < 1 && 3 * pieces < fine.length);
      const next = Math.min(pieces + 1, fine.length / 3 - 1);
      const x = fine[3 * pieces] + part * (fine[3 * next] - fine[3 * pieces]);
      close(x, time, 0.03, `parts ${parts}, time ${time}:`);
    }
  }
});

test("attitudes between frames turn evenly, the short way, and stay of length one", () => {
  const axis = new Vector3(1, -2, 2).normalize();
  const at = (angle) => new Quaternion().setFromAxisAngle(axis, angle);
  const values = Float32Array.from([...at(0.3).toArray(), ...at(1.5).toArray().map((e) => -e)]); // the other side
  for (const part of [0, 0.25, 0.8, 1]) {
    const found = film.turn(values, { frame: 0, part: Math.min(part, 1), before: 0, after: 0 }, new Quaternion());
    close(found.length(), 1, 1e-6);
    close(Math.abs(found.dot(at(0.3 + 1.2 * part))), 1, 1e-6, `part ${part}:`);
  }
});

test("sizes are numbers or change evenly", () => {
  const at = { frame: 1, part: 0.5, before: 1, after: 0 };
  assert.equal(film.size(3, at), 3);
  assert.equal(film.size(Float32Array.of(0, 2, 6), at), 4);
});

test("the clock runs with its speed, rests at the end, begins again, and never leaps", () => {
  assert.deepEqual(film.advanced({ time: 1, rest: 0 }, 100, 2, 0, 5), { time: 1.2, rest: 0 });
  assert.deepEqual(film.advanced({ time: 4.95, rest: 0 }, 100, 1, 0, 5), { time: 5, rest: 0 });
  const resting = film.advanced({ time: 5, rest: 0 }, 100, 1, 0, 5);
  assert.deepEqual(resting, { time: 5, rest: 100 });
  assert.deepEqual(film.advanced({ time: 5, rest: REST - 50 }, 100, 1, 0, 5), { time: 0, rest: 0 });
  // an hour in the background is one short step
  close(film.advanced({ time: 1, rest: 0 }, 3.6e6, 1, 0, 5).time, 1.25, 1e-12);
  // backwards
  close(film.advanced({ time: 5, rest: 0 }, 100, 1, 5, 0).time, 4.9, 1e-12);
  assert.equal(film.advanced({ time: 0.05, rest: 0 }, 100, 1, 5, 0).time, 0);
  assert.deepEqual([film.within(-1, 0, 5), film.within(7, 5, 0), film.within(2, 0, 5)], [0, 5, 2]);
});

test("a film lasts between four and twenty seconds where a speed allows it", () => {
  for (const [duration, wanted] of [[10, 1], [4, 1], [20, 1], [30, 2], [2, 0.5], [0.46, 0.1], [160, 8], [1000, 8], [0.01, 0.05], [0, 1]]) {
    assert.equal(film.pace(duration), wanted, `${duration} s`);
  }
});

test("grids are 1, 2 or 5 times a power of ten", () => {
  for (const [length, wanted] of [[1.2, 1], [0.18, 0.2], [0.04, 0.05], [80, 100], [3.4, 2]]) close(film.round(length), wanted, 1e-9 * wanted);
  const lengths = [0.05, 1000, 5e19, 2e-16].map((length) => film.spelt(length, "m"));
  assert.deepEqual(lengths, ["0.05 m", "1000 m", "5 × 10^19 m", "2 × 10^-16 m"]);
  assert.equal(film.spelt(0.5, ""), "0.5");
});

test("the fitted eye sees every point, touches the margin, and is balanced both ways", () => {
  const next = dice(7);
  const points = Array.from({ length: 150 }, () => new Vector3(3 * next() + 5, 0.7 * next() - 2, 0.4 * next() + 1));
  const direction = new Vector3(0.3, -0.8, 0.5).normalize();
  const right = new Vector3(0, 0, 1).cross(direction).normalize();
  const over = new Vector3().crossVectors(direction, right);
  const half = Math.tan((ANGLE * Math.PI) / 360) * USED;
  for (const aspect of [0.4, 1.7]) {
    const { centre, distance } = film.fitted(points, direction, aspect);
    const eye = centre.clone().addScaledVector(direction, distance);
    const seen = [right, over].map((axis, k) =>
      points.map((point) => {
        const ray = point.clone().sub(eye);
        return ray.dot(axis) / -ray.dot(direction) / (k ? half : half * aspect);
      }),
    );
    const edges = seen.map((places) => [Math.min(...places), Math.max(...places)]);
    for (const [least, most] of edges) close(most, -least, 1e-6, "balanced:");
    close(Math.max(...edges.map(([, most]) => most)), 1, 1e-6, "as near as can be:");
  }
  assert.deepEqual(film.fitted([], direction, 1).distance, 0);
});

test("stops of a story are at their times, or where a quantity next passes through zero", () => {
  const t = Array.from({ length: 101 }, (_, k) => k / 10);
  const wave = t.map((x) => Math.cos(x));
  const stops = [{ at: 1, column: "" }, { column: "wave" }, { column: "wave" }, { at: 50, column: "" }, { column: "never" }, { at: 9, column: "" }];
  const found = film.instants(stops, t, { wave, never: t.map(() => 1) });
  [1, Math.PI / 2, (3 * Math.PI) / 2, NaN, NaN, 9].forEach((wanted, k) => {
    if (Number.isNaN(wanted)) assert.ok(Number.isNaN(found[k]), `stop ${k}`);
    else close(found[k], wanted, 1e-3, `stop ${k}:`);
  });
  const back = film.instants([{ column: "wave" }], t.map((x) => -x), { wave });
  close(back[0], -Math.PI / 2, 1e-3);
});

test("arrows have one scale that rare large forces do not set, and a contact has the mode of the nearest frame", () => {
  const vectors = Float32Array.from({ length: 300 }, (_, k) => (k % 3 ? 0 : k === 0 ? 1e6 : 10));
  close(film.scaleOf([vectors], 2), (1.6 * 2) / 10, 1e-9);
  assert.equal(film.scaleOf([new Float32Array(6)], 2), 0);
  assert.deepEqual([0.2, 0.8].map((part) => film.modeAt("rso", { frame: 0, part, before: 0, after: 0 })), ["r", "s"]);
  assert.equal(film.modeAt(undefined, { frame: 0, part: 0, before: 0, after: 0 }), "r");
});

test("contacts that all slide are named in one, others by their names", () => {
  const contact = (name, mode) => ({ name, mode, kind: "contact", colour: "#000", point: new Float32Array(6), vector: new Float32Array(6) });
  const said = (...modes) => {
    const forces = new film.Forces(modes.map((mode, k) => contact(`c${k + 1}`, mode)), 1);
    return [0, 1].map((frame) => (forces.update({ frame, part: 0, before: 0, after: 0 }), forces.said));
  };
  assert.deepEqual(said("ss", "sr", "ss"), ["all 3 contacts: sliding", "c1: sliding, c3: sliding"]);
  assert.deepEqual(said("ss", "so"), ["c1: sliding, c2: sliding", "c1: sliding, c2: open"]);
});

test("a drawn loop leads where the connection says: by its area, and round a circle", () => {
  const axes = [[-2, 0, 2], [-2, 0, 2]];
  const over = (row) => axes[0].map((a) => axes[1].map((b) => row(a, b)));
  // z' = (a b' - b a')/2: a closed loop moves z by the area inside, whatever its form
  const flat = { shape: ["a", "b"], group: ["z"], axes, frame: "abelian", pose: [], connection: over((a, b) => [[-b / 2, a / 2]]) };
  const loop = [[0, 0], [1.5, 0.2], [1.1, 1.3], [-0.4, 0.9]];
  let area = 0;
  loop.forEach(([a, b], k) => {
    const [c, d] = loop[(k + 1) % loop.length];
    area += (a * d - b * c) / 2;
  });
  const path = film.travel(flat, loop, 3);
  close(path[loop.length][0], area, 1e-12);
  close(path[path.length - 1][0], 3 * area, 1e-12);
  // one ahead and one radian to the left for each unit of a: a circle of radius one
  const plane = { ...flat, group: ["x", "y", "th"], frame: "SE(2)", pose: ["x", "y", "th"], connection: over(() => [[1, 0], [0, 0], [1, 0]]) };
  const round = film.travel(plane, [[-1, 0], [1, 0], [-1, 0]], 1, true, 60);
  [Math.sin(2), 1 - Math.cos(2), 2].forEach((wanted, k) => close(round[1][k], wanted, 1e-7));
  [0, 0, 0].forEach((wanted, k) => close(round[2][k], wanted, 1e-7, "and back:"));
});

test("what is rounding beside its own size is shown as zero", () => {
  assert.equal(film.rounded(-2.67e-15, 2.2), 0);
  assert.equal(film.rounded(-2.67e-15, 1e-14), -2.67e-15);
});
