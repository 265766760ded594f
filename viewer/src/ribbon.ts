// A line with a width in pixels, as one strip of triangles: a corner is cut along its bisector, so that nothing is drawn twice.
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Mesh, ShaderMaterial, Vector2 } from "three";

const VERTEX = `
attribute vec3 before;
attribute vec3 after;
attribute float side;
uniform vec2 resolution;
uniform float width;
vec2 seen(vec4 point) { return point.xy / point.w * resolution; }
void main() {
  mat4 whole = projectionMatrix * modelViewMatrix;
  vec4 here = whole * vec4(position, 1.0);
  vec4 from = whole * vec4(before, 1.0);
  vec4 to = whole * vec4(after, 1.0);
  vec2 come = from.w > 0.0 ? seen(here) - seen(from) : vec2(0.0);
  vec2 go = to.w > 0.0 ? seen(to) - seen(here) : vec2(0.0);
  if (length(come) < 1e-3) come = go;
  if (length(go) < 1e-3) go = come;
  if (length(come) < 1e-3) come = go = vec2(1.0, 0.0);
  come = normalize(come);
  go = normalize(go);
  vec2 along = come + go;
  along = length(along) < 1e-2 ? come : normalize(along);
  vec2 across = vec2(-along.y, along.x);
  float cut = 1.0 / max(0.6, dot(across, vec2(-come.y, come.x)));
  here.xy += side * width * cut * across / resolution * here.w;
  gl_Position = here;
}`;

const FRAGMENT = `
uniform vec3 colour;
uniform float opacity;
void main() {
  gl_FragColor = vec4(colour, opacity);
  #include <colorspace_fragment>
}`;

export class Ribbon {
  readonly object: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly count: number;

  /** Its number of points stays; `set` moves them. */
  constructor(points: Float32Array, colour: Color, width: number, opacity: number) {
    const count = (this.count = points.length / 3);
    const geometry = new BufferGeometry();
    for (const name of ["position", "before", "after"]) {
      geometry.setAttribute(name, new BufferAttribute(new Float32Array(6 * count), 3).setUsage(DynamicDrawUsage));
    }
    geometry.setAttribute("side", new BufferAttribute(Float32Array.from({ length: 2 * count }, (_, k) => (k % 2 ? -1 : 1)), 1));
    const index = new Uint32Array(6 * Math.max(0, count - 1));
    for (let k = 0; k + 1 < count; k++) index.set([2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 2, 2 * k + 1, 2 * k + 3], 6 * k);
    geometry.setIndex(new BufferAttribute(index, 1));
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { colour: { value: colour }, opacity: { value: opacity }, width: { value: width }, resolution: { value: new Vector2(1, 1) } },
      transparent: opacity < 1,
      depthWrite: opacity >= 1,
      side: 2,
    });
    this.object = new Mesh(geometry, material);
    this.object.frustumCulled = false;
    this.set(points);
  }

  set(points: Float32Array): void {
    const { geometry } = this.object;
    const last = this.count - 1;
    const fill = (name: string, from: (k: number) => number) => {
      const attribute = geometry.getAttribute(name) as BufferAttribute;
      for (let k = 0; k <= last; k++) {
        const own = points.subarray(3 * from(k), 3 * from(k) + 3);
        attribute.array.set(own, 6 * k);
        attribute.array.set(own, 6 * k + 3);
      }
      attribute.needsUpdate = true;
    };
    fill("position", (k) => k);
    fill("before", (k) => Math.max(0, k - 1));
    fill("after", (k) => Math.min(last, k + 1));
  }

  /** Only so many pieces from the beginning. */
  show(pieces: number): void {
    this.object.geometry.setDrawRange(0, 6 * pieces);
    this.object.visible = pieces > 0;
  }

  fade(opacity: number, tint?: string): void {
    const { material } = this.object;
    material.uniforms.opacity.value = opacity;
    if (tint) material.uniforms.colour.value = new Color(tint);
    Object.assign(material, { transparent: true, depthWrite: false });
  }

  resize(size: Vector2): void {
    (this.object.material.uniforms.resolution.value as Vector2).copy(size);
  }
}
