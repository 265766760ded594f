// Forces at their points, friction cones, and marks where a contact slides or is open.
import { ConeGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial, Quaternion, TorusGeometry, Vector3 } from "three";
import { Body } from "./body";
import { type BodyData, type Moment, numbers, type Numbers, place, size } from "./scene";

export interface ForceData {
  name: string;
  kind: "contact" | "reaction" | "momentum";
  colour: string;
  point: Numbers;
  /** In newtons (kg m/s for a momentum). */
  vector: Numbers;
  normal?: Numbers;
  /** Coefficient of friction. */
  slope?: number | Numbers;
  /** A letter for each frame: r rolls, s slides, o is open. */
  mode?: string;
}

/** The longest usual arrow, in terms of the bodies' reach; longer ones are cut at twice that. */
const LONG = 1.6;
const USUAL = 0.95;
const CONE = "#e69f00";
const MARKS: Record<string, string> = { s: "#d55e00", o: "#7f8894" };
export const WORDS: Record<string, string> = { s: "sliding", o: "open" };
const Z = new Vector3(0, 0, 1);
const DOWN = new Vector3(0, -1, 0);

/** Lengths of vectors that come in threes. */
export function lengths(vector: Float32Array): Float32Array {
  return Float32Array.from({ length: vector.length / 3 }, (_, k) => Math.hypot(vector[3 * k], vector[3 * k + 1], vector[3 * k + 2]));
}

/** Metres to a newton: the size that 95 of 100 arrows do not exceed is drawn a little longer than the bodies reach. */
export function scaleOf(vectors: Float32Array[], reach: number): number {
  const all = vectors.flatMap((vector) => Array.from(lengths(vector))).filter((e) => e > 0).sort((a, b) => a - b);
  const usual = all[Math.min(all.length - 1, Math.floor(USUAL * all.length))];
  return usual > 0 ? (LONG * reach) / usual : 0;
}

/** The mode of a contact at a moment, from its letters. */
export function modeAt(letters: string | undefined, at: Moment): string {
  if (!letters) return "r";
  return letters[Math.min(letters.length - 1, at.part > 0.5 ? at.frame + 1 : at.frame)] ?? "r";
}

class Arrow {
  readonly object = new Group();
  readonly mark: Mesh | null = null;
  private readonly body: Body;
  private readonly cone: Mesh | null = null;
  private readonly points: Float32Array;
  private readonly normal: Float32Array | null;
  private readonly vector: Float32Array;
  private readonly slope: number | Float32Array | null;
  private readonly here = new Vector3();
  private readonly up = new Vector3();

  constructor(readonly data: ForceData, private readonly scale: number, reach: number) {
    this.points = numbers(data.point);
    this.vector = numbers(data.vector);
    this.normal = data.normal ? numbers(data.normal) : null;
    this.slope = data.slope === undefined ? null : typeof data.slope === "number" ? data.slope : numbers(data.slope);
    const count = this.points.length / 3;
    const longest = 2 * LONG * reach;
    const long = lengths(this.vector);
    const part = (i: number) =>
      Float32Array.from({ length: count }, (_, k) => this.vector[3 * k + i] * (long[k] * scale > longest ? longest / long[k] : scale));
    const rotation = Float32Array.from({ length: 4 * count }, (_, k) => (k % 4 === 3 ? 1 : 0));
    const drawn: BodyData = {
      shape: "arrow", label: data.name, colour: data.colour, position: this.points, rotation,
      size: { x: part(0), y: part(1), z: part(2) }, turns: false, moves: true,
    };
    this.body = new Body(drawn, 0.75 * reach, true);
    // a force acts inside or below bodies, and is seen through them
    this.body.object.traverse((part) => {
      if (!(part instanceof Mesh)) return;
      part.castShadow = part.receiveShadow = false;
      part.renderOrder = 5;
      Object.assign(part.material as object, { depthTest: false, transparent: true, opacity: 0.92 });
    });
    this.object.add(this.body.object);
    if (this.normal && this.slope !== null) {
      const glass = new MeshBasicMaterial({ color: CONE, transparent: true, opacity: 0.22, depthWrite: false, side: DoubleSide });
      this.cone = new Mesh(new ConeGeometry(1, 1, 40, 1, true).translate(0, -0.5, 0), glass);
      this.cone.renderOrder = 4;
      this.object.add(this.cone);
    }
    if (data.mode && /[so]/.test(data.mode)) {
      const ring = new MeshBasicMaterial({ color: MARKS.s, transparent: true, opacity: 0.9, depthTest: false });
      this.mark = new Mesh(new TorusGeometry(0.14 * reach, 0.022 * reach, 10, 40), ring);
      this.mark.renderOrder = 6;
    }
  }

  update(at: Moment): void {
    this.body.update(at);
    place(this.points, at, this.here);
    if (this.normal) place(this.normal, at, this.up).normalize();
    else this.up.copy(Z);
    if (this.cone && this.slope !== null) {
      const press = this.up.x * size3(this.vector, 0, at) + this.up.y * size3(this.vector, 1, at) + this.up.z * size3(this.vector, 2, at);
      const tall = Math.max(0, press) * this.scale;
      this.cone.visible = tall > 1e-9;
      const wide = Math.max(1e-6, tall * size(this.slope, at));
      this.cone.scale.set(wide, Math.max(1e-9, tall), wide);
      this.cone.position.copy(this.here);
      // the cone's apex is at its own origin and it opens along -y
      this.cone.quaternion.copy(new Quaternion().setFromUnitVectors(DOWN, this.up));
    }
    if (this.mark) {
      const mode = modeAt(this.data.mode, at);
      this.mark.visible = mode in MARKS;
      if (this.mark.visible) Object.assign(this.mark.material as MeshBasicMaterial, { opacity: mode === "o" ? 0.55 : 0.9 }).color.set(MARKS[mode]);
      this.mark.scale.setScalar(mode === "o" ? 0.5 : 1);
      this.mark.position.copy(this.here);
      this.mark.quaternion.setFromUnitVectors(Z, this.up);
    }
  }
}

function size3(values: Float32Array, i: number, at: Moment): number {
  const from = values[3 * at.frame + i];
  return at.part > 0 ? from + at.part * (values[3 * at.frame + 3 + i] - from) : from;
}

/** Every arrow of a motion; marks of contacts are seen whether the arrows are or not. */
export class Forces {
  readonly object = new Group();
  readonly arrows: Arrow[];
  private readonly shown = new Group();
  /** Contacts that do not roll at the moment drawn last, in words. */
  said = "";

  constructor(data: ForceData[], reach: number) {
    const scale = (kinds: string[]) => scaleOf(data.filter(({ kind }) => kinds.includes(kind)).map(({ vector }) => numbers(vector)), reach);
    const [force, momentum] = [scale(["contact", "reaction"]), scale(["momentum"])];
    this.arrows = data.map((one) => new Arrow(one, one.kind === "momentum" ? momentum : force, reach));
    for (const arrow of this.arrows) {
      this.shown.add(arrow.object);
      if (arrow.mark) this.object.add(arrow.mark);
    }
    this.object.add(this.shown);
  }

  show(wanted: boolean): void {
    this.shown.visible = wanted;
  }

  update(at: Moment): void {
    for (const arrow of this.arrows) arrow.update(at);
    const contacts = this.arrows.filter(({ data }) => data.mode).map(({ data }) => [data.name, WORDS[modeAt(data.mode, at)]]);
    const words = contacts.filter(([, word]) => word);
    const alike = words.length > 2 && words.length === contacts.length && words.every(([, word]) => word === words[0][1]);
    this.said = alike ? `all ${words.length} contacts: ${words[0][1]}` : words.map(([name, word]) => `${name}: ${word}`).join(", ");
  }
}
