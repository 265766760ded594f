// A body through time.
import { BufferAttribute, BufferGeometry, Color, Group, type Material, Mesh, MeshStandardMaterial, Object3D, Vector2, Vector3 } from "three";
import { Wire } from "./lines";
import { type BodyData, type Moment, numbers, place, size, turn } from "./scene";
import { solid, tone } from "./shapes";

const X = new Vector3(1, 0, 0);

export class Body {
  readonly object = new Group();
  private readonly positions: Float32Array;
  private readonly rotations: Float32Array;
  private readonly sizes: Record<string, number | Float32Array> = {};
  private readonly first: Record<string, number> = {};
  private readonly points: Float32Array | null;
  private readonly inner: Object3D;
  private readonly wire: Wire | null = null;
  private readonly vector = new Vector3();

  constructor(readonly data: BodyData, reach: number, near = false) {
    this.positions = numbers(data.position);
    this.rotations = numbers(data.rotation);
    for (const [name, value] of Object.entries(data.size)) {
      const values = typeof value === "number" ? value : numbers(value);
      this.sizes[name] = values;
      this.first[name] = typeof values === "number" ? values : values[0];
    }
    this.points = data.points ? numbers(data.points) : null;
    if (data.shape === "wire" && this.points) {
      this.wire = new Wire(this.points, data.grid?.[0] ?? 0, tone(data.colour));
      this.inner = this.wire.object;
    } else {
      // an arrow is as thick as suits what one sees: the whole of it, or from near by the body it belongs to
      const scale = data.shape !== "arrow" ? reach : near ? 2 * reach : Math.max(reach, 1.2 * this.longest());
      this.inner = solid(data, this.first, this.points, scale);
    }
    this.object.add(this.inner);
  }

  private longest(): number {
    const most = (name: string) => {
      const values = this.sizes[name];
      return typeof values === "number" ? Math.abs(values) : values.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
    };
    return Math.hypot(most("x"), most("y"), most("z"));
  }

  /** Whether sizes or points change with time. */
  get changes(): boolean {
    const own = (this.data.grid ?? []).reduce((a, b) => a * b, 3);
    return Object.values(this.sizes).some((e) => typeof e !== "number") || (this.points?.length ?? own) > own;
  }

  /** Some points of the body's skin, in space. */
  outline(found: Vector3[]): void {
    this.object.updateMatrixWorld(true);
    if (this.wire) return this.wire.outline(found, this.object.matrixWorld);
    this.object.traverse((part) => {
      if (!(part instanceof Mesh)) return;
      const position = part.geometry.getAttribute("position");
      const stride = this.data.shape === "surface" ? 1 : Math.max(1, Math.floor(position.count / 300));
      for (let k = 0; k < position.count; k += stride) {
        found.push(new Vector3().fromBufferAttribute(position, k).applyMatrix4(part.matrixWorld));
      }
    });
  }

  update(at: Moment): void {
    place(this.positions, at, this.object.position);
    turn(this.rotations, at, this.object.quaternion);
    if (this.wire) this.wire.update(at);
    else if (this.data.shape === "arrow") this.stretch(at);
    else if (this.data.shape === "surface") this.bend(at);
    else this.grow(at);
  }

  /** Sizes that change with time scale the object made of the first ones. */
  private grow(at: Moment): void {
    const ratio = (name: string) => (this.first[name] ? size(this.sizes[name], at) / this.first[name] : 1);
    const along: Record<string, string[]> = {
      sphere: ["radius", "radius", "radius"], disc: ["radius", "radius", "width"], wheel: ["radius", "radius", "width"],
      ellipsoid: ["a", "b", "c"], box: ["x", "y", "z"], rod: ["length", "", ""], blade: ["length", "", ""],
    };
    const names = along[this.data.shape];
    if (!names || !Object.values(this.sizes).some((e) => typeof e !== "number")) return;
    const [x, y, z] = names.map((name) => (name in this.sizes ? Math.max(1e-6, ratio(name)) : 1));
    this.inner.scale.set(x, y, z);
  }

  private stretch(at: Moment): void {
    this.vector.set(size(this.sizes.x, at), size(this.sizes.y, at), size(this.sizes.z, at));
    const length = this.vector.length();
    const { shaft, head, tip } = this.inner.userData as { shaft: Mesh; head: Mesh; tip: number };
    this.inner.visible = length > 1e-9;
    if (!this.inner.visible) return;
    const part = Math.min(1, length / (1.5 * tip));
    head.scale.setScalar(part);
    head.position.x = length;
    shaft.scale.set(Math.max(1e-6, length - 0.9 * tip * part), part, part);
    this.inner.quaternion.setFromUnitVectors(X, this.vector.normalize());
  }

  private bend(at: Moment): void {
    const count = (this.data.grid ?? []).reduce((a, b) => a * b, 3);
    if (!this.points || this.points.length === count) return;
    const geometry = (this.inner as Mesh).geometry as BufferGeometry;
    const frame = at.part > 0.5 ? at.frame + 1 : at.frame;
    const own = this.points.subarray(count * frame, count * (frame + 1));
    const position = geometry.getAttribute("position") as BufferAttribute;
    if (position.count * 3 !== own.length) return; // a painted sheet keeps its form
    position.array.set(own);
    position.needsUpdate = true;
    geometry.computeVertexNormals();
  }

  resize(area: Vector2): void {
    this.wire?.resize(area);
  }

  /** Paler than it was: an earlier motion, for comparison. */
  fade(opacity: number, tint?: string): void {
    if (this.wire) return this.wire.fade(opacity);
    this.object.traverse((part) => {
      if (!(part instanceof Mesh)) return;
      part.castShadow = false;
      const paler = (material: Material) => {
        const own = material.clone();
        Object.assign(own, { transparent: true, opacity: opacity * material.opacity, depthWrite: false });
        if (tint && own instanceof MeshStandardMaterial) own.color.lerp(new Color(tint), 0.65);
        return own;
      };
      part.material = Array.isArray(part.material) ? part.material.map(paler) : paler(part.material);
    });
  }
}
