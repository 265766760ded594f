// Bodies: each shape as a three.js object of its first size, with marks that let one see it turn.
import {
  BufferAttribute, BufferGeometry, Color, ConeGeometry, CylinderGeometry, DoubleSide, ExtrudeGeometry, FrontSide, Group,
  LatheGeometry, LineBasicMaterial, LineSegments, Mesh, MeshStandardMaterial, Object3D, Shape as Outline, SphereGeometry, TorusGeometry, Vector2, Vector3,
} from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import type { BodyData } from "./scene";

/** What a CSS colour's name means here: the same hue, softer. */
const SOFT: Record<string, string> = {
  steelblue: "#4c86c6",
  firebrick: "#c8453b",
  black: "#2b2f36",
  grey: "#8a919c",
  lightgrey: "#c9ced6",
  seagreen: "#3f9a6b",
  tan: "#d9bf98",
  wheat: "#ecd7ab",
  darkorange: "#e07b2e",
};

/** On a dark page black is a lighter grey, or it would not be seen. */
export function prepare(dark: boolean): void {
  SOFT.black = dark ? "#6d7685" : "#2b2f36";
}

export function tone(name: string): Color {
  return new Color(SOFT[name] ?? name);
}

function paler(colour: Color, part: number): Color {
  return colour.clone().lerp(new Color("#ffffff"), part);
}

function matter(colour: Color, more: object = {}): MeshStandardMaterial {
  return new MeshStandardMaterial({ color: colour, roughness: 0.48, metalness: 0.04, ...more });
}

function mesh(geometry: BufferGeometry, material: MeshStandardMaterial, shadow = true): Mesh {
  const result = new Mesh(geometry, material);
  result.castShadow = shadow;
  result.receiveShadow = shadow;
  return result;
}

/** Two tones by a rule on each triangle's middle. */
function painted(geometry: BufferGeometry, one: Color, two: Color, rule: (p: Vector3) => boolean): BufferGeometry {
  const flat = geometry.index ? geometry.toNonIndexed() : geometry;
  const position = flat.getAttribute("position");
  const colours = new Float32Array(position.count * 3);
  const middle = new Vector3();
  const corner = new Vector3();
  for (let k = 0; k < position.count; k += 3) {
    middle.set(0, 0, 0);
    for (let i = 0; i < 3; i++) middle.add(corner.fromBufferAttribute(position, k + i));
    const colour = rule(middle.divideScalar(3)) ? one : two;
    for (let i = 0; i < 3; i++) colour.toArray(colours, 3 * (k + i));
  }
  flat.setAttribute("color", new BufferAttribute(colours, 3));
  return flat;
}

function striped(geometry: BufferGeometry, colour: Color, rule: (p: Vector3) => boolean): Mesh {
  const bright = colour.getHSL({ h: 0, s: 0, l: 0 }).l > 0.3;
  const pattern = painted(geometry, colour, paler(colour, bright ? 0.62 : 0.4), rule);
  return mesh(pattern, matter(new Color("#ffffff"), { vertexColors: true }));
}

const sector = (p: Vector3, count: number) => Math.floor((Math.atan2(p.y, p.x) / (2 * Math.PI) + 1) * count) % 2 === 0;

function ball(body: BodyData, a: number, b: number, c: number, reach: number): Object3D {
  const colour = tone(body.colour);
  const geometry = new SphereGeometry(1, 64, 32).rotateX(Math.PI / 2);
  let result: Mesh;
  // a small ball is a mark on a greater one, and needs none itself
  const mark = Math.max(a, b, c) < 0.25 * reach;
  if (body.turns && !mark) {
    result = striped(geometry, colour, (p) => sector(p, 4) === p.z > 0);
  } else if (!body.moves && !mark) {
    // a still ball is a stage: what happens on or in it must be seen
    result = mesh(geometry, matter(colour, { transparent: true, opacity: 0.35, depthWrite: false }), false);
    result.renderOrder = 2;
  } else {
    result = mesh(geometry, matter(colour));
  }
  result.scale.set(a, b, c);
  const holder = new Group();
  holder.add(result);
  return holder;
}

/** Round about the body z-axis, with an edge that is sharp in the middle: a thin disk touches the ground where its rim is. */
function disc(body: BodyData, radius: number, width: number): Object3D {
  const slant = Math.min(width, 0.12 * radius);
  const profile = [[0, -width / 2], [0.8 * radius, -width / 2], [radius - slant, -width / 2], [radius, 0],
    [radius - slant, width / 2], [0.8 * radius, width / 2], [0, width / 2]];
  const points = slant > 0.2 * radius ? profile.filter((_, k) => k !== 1 && k !== 5) : profile;
  const geometry = new LatheGeometry(points.map(([x, y]) => new Vector2(x, y)), 96).rotateX(Math.PI / 2).toNonIndexed();
  geometry.computeVertexNormals();
  return striped(geometry, tone(body.colour), (p) => Math.hypot(p.x, p.y) > 0.8 * radius || sector(p, 8));
}

function wheel(body: BodyData, radius: number, width: number): Object3D {
  const result = new Group();
  const colour = tone(body.colour);
  const thick = Math.min(Math.max(width / 2, 0.05 * radius), 0.3 * radius);
  const tyre = new TorusGeometry(radius - thick, thick, 18, 72);
  if (width > 0) tyre.scale(1, 1, Math.max(0.4, width / (2 * thick)));
  result.add(mesh(tyre, matter(colour, { roughness: 0.7 })));
  const metal = matter(new Color("#c3c9d2"), { metalness: 0.35, roughness: 0.35 });
  const hub = new CylinderGeometry(0.16 * radius, 0.16 * radius, Math.max(width, 0.08 * radius), 24).rotateX(Math.PI / 2);
  result.add(mesh(hub, metal));
  for (let k = 0; k < 6; k++) {
    const thin = k === 0 ? 0.06 : 0.035;
    const spoke = new CylinderGeometry(thin * radius, thin * radius, radius - thick, 10).translate(0, (radius - thick) / 2, 0);
    spoke.rotateZ((k * Math.PI) / 3 - Math.PI / 2);
    result.add(mesh(spoke, k === 0 ? matter(tone(body.colour === "firebrick" ? "wheat" : "firebrick")) : metal));
  }
  return result;
}

function blade(body: BodyData, length: number, reach: number): Object3D {
  const half = length / 2;
  const height = Math.min(0.3 * length, 0.12 * reach);
  const thickness = 0.22 * height;
  const outline = new Outline();
  outline.moveTo(-half, height);
  outline.quadraticCurveTo(-half, 0, -half + height, 0);
  outline.lineTo(half - height, 0);
  outline.quadraticCurveTo(half, 0, half, height);
  outline.closePath();
  const geometry = new ExtrudeGeometry(outline, { depth: thickness, bevelEnabled: false, curveSegments: 16 });
  geometry.translate(0, 0, -thickness / 2).rotateX(Math.PI / 2);
  return mesh(geometry, matter(tone(body.colour), { metalness: 0.3, roughness: 0.35 }));
}

function rod(body: BodyData, length: number, own: number | undefined, reach: number): Object3D {
  const radius = own ?? Math.max(0.0135 * length, 0.008 * reach);
  const geometry = new CylinderGeometry(radius, radius, length, 20).rotateZ(Math.PI / 2);
  return mesh(geometry, matter(tone(body.colour)));
}

function box(body: BodyData, x: number, y: number, z: number): Object3D {
  const round = 0.18 * Math.min(x, y, z);
  return mesh(new RoundedBoxGeometry(x, y, z, 3, round), matter(tone(body.colour)));
}

function point(body: BodyData, reach: number): Object3D {
  // seen through other bodies: it often marks a centre of mass
  const result = mesh(new SphereGeometry(0.05 * reach, 24, 16), matter(tone(body.colour), { depthTest: false }), false);
  result.renderOrder = 5;
  return result;
}

/** An arrow of length one along x; `Body.update` turns and stretches it. */
function arrow(body: BodyData, reach: number): Object3D {
  const result = new Group();
  const thin = 0.0085 * reach;
  const colour = matter(tone(body.colour));
  const shaft = mesh(new CylinderGeometry(thin, thin, 1, 14).translate(0, 0.5, 0).rotateZ(-Math.PI / 2), colour);
  const head = mesh(new ConeGeometry(3.4 * thin, 11 * thin, 24).translate(0, -5.5 * thin, 0).rotateZ(-Math.PI / 2), colour);
  result.add(shaft, head);
  result.userData = { shaft, head, tip: 11 * thin };
  return result;
}

/** Lines on a still sheet, its borders among them: glass alone does not show how it is bent. */
function net(points: Float32Array, rows: number, columns: number, colour: Color): LineSegments {
  const place = (i: number, j: number) => points.subarray(3 * (i * columns + j), 3 * (i * columns + j) + 3);
  const found: number[] = [];
  const every = (count: number, lines: number) => Array.from({ length: lines + 1 }, (_, k) => Math.round((k * (count - 1)) / lines));
  for (const i of every(rows, 4)) for (let j = 0; j + 1 < columns; j++) found.push(...place(i, j), ...place(i, j + 1));
  for (const j of every(columns, 8)) for (let i = 0; i + 1 < rows; i++) found.push(...place(i, j), ...place(i + 1, j));
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(Float32Array.from(found), 3));
  const tint = colour.clone().lerp(new Color("#5b6675"), 0.6);
  return new LineSegments(geometry, new LineBasicMaterial({ color: tint, transparent: true, opacity: 0.32, depthWrite: false }));
}

export function sheet(body: BodyData, points: Float32Array): Mesh {
  const [rows, columns] = body.grid ?? [0, 0];
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(points.slice(0, 3 * rows * columns), 3));
  const index: number[] = [];
  for (let i = 0; i + 1 < rows; i++) {
    for (let j = 0; j + 1 < columns; j++) {
      const k = i * columns + j;
      index.push(k, k + columns, k + 1, k + 1, k + columns, k + columns + 1);
    }
  }
  geometry.setIndex(index);
  const stage = !body.turns && !body.moves;
  const colour = tone(body.colour);
  const near = (i: number, j: number) => Math.hypot(...[0, 1, 2].map((c) => points[3 * i + c] - points[3 * j + c])) < 1e-5;
  const closed = near(0, columns - 1) && near(0, (rows - 1) * columns);
  geometry.computeVertexNormals();
  if (stage && closed) return mesh(geometry, matter(colour, { side: DoubleSide }));
  if (stage) {
    const glass = matter(colour, { transparent: true, opacity: 0.42, depthWrite: false, side: DoubleSide, roughness: 0.7 });
    const result = mesh(geometry, glass, false);
    result.receiveShadow = true;
    result.renderOrder = 2;
    result.add(net(points, rows, columns, colour));
    return result;
  }
  const cells = new Float32Array(geometry.index!.count * 3);
  const flat = geometry.toNonIndexed();
  const pale = paler(colour, 0.62);
  for (let k = 0, corner = 0; corner < geometry.index!.count; corner += 6, k++) {
    const [i, j] = [Math.floor(k / (columns - 1)), k % (columns - 1)];
    const one = Math.floor((8 * j) / (columns - 1)) % 2 === Math.floor((2 * i) / (rows - 1)) % 2;
    for (let c = 0; c < 6; c++) (one ? colour : pale).toArray(cells, 3 * (corner + c));
  }
  flat.setAttribute("color", new BufferAttribute(cells, 3));
  return mesh(flat, matter(new Color("#ffffff"), { vertexColors: true, side: body.grid ? DoubleSide : FrontSide }));
}

/** The object of a body at its first size; wires are drawn as lines elsewhere. */
export function solid(body: BodyData, first: Record<string, number>, points: Float32Array | null, reach: number): Object3D {
  switch (body.shape) {
    case "disc": return disc(body, first.radius, first.width ?? 0.05 * first.radius);
    case "wheel": return wheel(body, first.radius, first.width ?? 0.1 * first.radius);
    case "ellipsoid": return ball(body, first.a, first.b, first.c, reach);
    case "sphere": return ball(body, first.radius, first.radius, first.radius, reach);
    case "box": return box(body, first.x, first.y, first.z);
    case "blade": return blade(body, first.length, reach);
    case "rod": return rod(body, first.length, first.radius, reach);
    case "arrow": return arrow(body, reach);
    case "surface": return sheet(body, points ?? new Float32Array());
    default: return point(body, reach);
  }
}
