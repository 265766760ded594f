// The stage: light, shadow, ground with a grid, camera and mouse.
import {
  Box3, Color, DirectionalLight, DoubleSide, HemisphereLight, Mesh, PCFShadowMap, PerspectiveCamera, PlaneGeometry,
  Scene, ShaderMaterial, ShadowMaterial, SRGBColorSpace, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { ANGLE, fitted, round } from "./camera";
import type { SceneData } from "./scene";

/** How many times its reach one sees to each side of what is followed. */
const NEAR = 2.1;

const GRID_VERTEX = `
varying vec2 place;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  place = world.xy;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

const GRID_FRAGMENT = `
uniform vec3 colour;
uniform float step;
uniform vec2 centre;
uniform float radius;
uniform float faint;
varying vec2 place;
float lines(float width) {
  vec2 cell = place / width;
  vec2 near = abs(fract(cell - 0.5) - 0.5) / max(fwidth(cell), vec2(1e-6));
  vec2 spread = clamp(0.6 / max(fwidth(cell), vec2(1e-6)) - 1.0, 0.0, 1.0);
  vec2 drawn = (1.0 - clamp(near - 0.1, 0.0, 1.0)) * spread;
  return max(drawn.x, drawn.y);
}
void main() {
  float fade = 1.0 - smoothstep(0.1, 1.0, distance(place, centre) / radius);
  float strength = max(0.22 * lines(step), 0.42 * lines(5.0 * step));
  gl_FragColor = vec4(colour, faint * fade * strength);
  #include <colorspace_fragment>
}`;

/** Whether pictures are computed by the processor. */
function software(context: WebGL2RenderingContext): boolean {
  const more = context.getExtension("WEBGL_debug_renderer_info");
  const name = String(context.getParameter(more ? more.UNMASKED_RENDERER_WEBGL : context.RENDERER));
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class World {
  readonly scene = new Scene();
  readonly camera: PerspectiveCamera;
  readonly renderer: WebGLRenderer;
  readonly mouse: OrbitControls;
  readonly step: number;
  /** The height of the ground, null where there is none. */
  readonly floor: number | null;
  private readonly sun: DirectionalLight;
  private readonly grid: ShaderMaterial | null = null;
  private readonly floors: Mesh[] = [];
  private readonly box: Box3;
  private readonly direction: Vector3;
  private readonly whole: number;
  private thrift = 0;

  constructor(
    canvas: HTMLCanvasElement, context: WebGL2RenderingContext, private readonly data: SceneData, private readonly dark: boolean,
  ) {
    const soft = software(context);
    this.renderer = new WebGLRenderer({ canvas, context, alpha: true });
    this.renderer.outputColorSpace = SRGBColorSpace;
    // asking whether a shader is good waits until it has been made; a browser tells of bad ones by itself
    this.renderer.debug.checkShaderErrors = false;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.box = new Box3(new Vector3().fromArray(data.low), new Vector3().fromArray(data.high));
    this.whole = this.box.getSize(new Vector3()).length() || 1;
    this.direction = new Vector3().fromArray(data.view).normalize();
    this.camera = new PerspectiveCamera(ANGLE, 1, 0.01 * data.reach, 100 * this.whole);
    this.camera.up.set(0, 0, 1);
    this.mouse = new OrbitControls(this.camera, canvas);
    this.mouse.enableDamping = false;
    this.mouse.maxDistance = 20 * this.whole;
    this.mouse.minDistance = 0.5 * data.reach;

    const sky = new HemisphereLight(dark ? "#dfe6f2" : "#ffffff", dark ? "#3a3f4a" : "#c5c0b8", 1.7);
    sky.position.set(0, 0, 1);
    this.sun = new DirectionalLight("#fff6e8", 2.3);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.radius = 2.5;
    this.sun.shadow.intensity = dark ? 0.8 : 0.55;
    const extent = 1.9 * data.reach;
    Object.assign(this.sun.shadow.camera, {
      left: -extent, right: extent, top: extent, bottom: -extent, near: 0.1 * data.reach, far: 16 * data.reach,
    });
    this.sun.shadow.normalBias = 0.006 * data.reach;
    const fill = new DirectionalLight("#eef3ff", 1.7);
    fill.position.copy(this.direction).applyAxisAngle(new Vector3(0, 0, 1), 0.4);
    this.scene.add(sky, this.sun, this.sun.target, fill);

    this.step = round(data.travels ? Math.min(this.whole / 12, data.reach * 0.9) : this.whole / 12);
    this.floor = data.floor ?? (data.ground === "plane" ? 0 : null);
    if (this.floor !== null) this.grid = this.ground();
    if (soft) this.spare();
  }

  private ground(): ShaderMaterial {
    const dark = this.dark;
    // a floor that only helps the eye is fainter than ground on which bodies roll
    const faint = this.data.ground === "plane" ? 1 : 0.6;
    const behind = { polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 4, transparent: true, depthWrite: false };
    const grid = new ShaderMaterial({
      vertexShader: GRID_VERTEX,
      fragmentShader: GRID_FRAGMENT,
      uniforms: {
        colour: { value: new Color(dark ? "#aeb8c8" : "#7d8899") },
        step: { value: this.step },
        centre: { value: this.box.getCenter(new Vector3()) },
        radius: { value: 1 },
        faint: { value: faint },
      },
      side: DoubleSide,
      ...behind,
    });
    const shadow = new ShadowMaterial({ color: dark ? "#000000" : "#26324a", opacity: faint * (dark ? 0.6 : 0.4), ...behind });
    for (const [material, order] of [[grid, -2], [shadow, -1]] as const) {
      const floor = new Mesh(new PlaneGeometry(1, 1), material);
      floor.receiveShadow = material === shadow;
      floor.renderOrder = order;
      this.floors.push(floor);
      this.scene.add(floor);
    }
    return grid;
  }

  /** Light and ground go with what moves; the ground reaches as far as one looks. */
  attend(target: Vector3): void {
    this.sun.target.position.copy(target);
    const side = new Vector3().crossVectors(new Vector3(0, 0, 1), this.direction).normalize();
    const from = this.direction.clone().multiplyScalar(0.5).addScaledVector(side, -0.8).setZ(1.5).normalize();
    this.sun.position.copy(target).addScaledVector(from, 8 * this.data.reach);
    if (!this.grid) return;
    const centre = this.mouse.target;
    const radius = Math.max(1.6 * this.camera.position.distanceTo(centre), 0.5 * this.whole);
    this.grid.uniforms.centre.value = centre;
    this.grid.uniforms.radius.value = radius;
    const [grid, shade] = this.floors;
    grid.position.set(centre.x, centre.y, this.floor ?? 0);
    grid.scale.setScalar(2 * radius);
    shade.position.set(target.x, target.y, this.floor ?? 0);
    shade.scale.setScalar(7 * this.data.reach);
    const far = this.camera.position.distanceTo(centre) + 3 * radius;
    this.camera.far = Math.max(far, 4 * this.whole);
    this.camera.near = Math.max(0.02 * this.camera.position.distanceTo(centre), 1e-4 * this.whole);
    this.camera.updateProjectionMatrix();
  }

  resize(width: number, height: number): void {
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, [2, 1, 1, 0.6][this.thrift]));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  /** A picture that costs less: fewer pixels, then no shadows, then fewer pixels still; false when nothing is left. */
  lighten(): boolean {
    if (this.thrift === 3) return false;
    this.thrift += this.thrift === 0 && (window.devicePixelRatio || 1) <= 1 ? 2 : 1;
    if (this.thrift === 2) this.shade(false);
    return true;
  }

  /** Without a graphics card shadows cost as much as all the rest: there are none from the beginning, and one pixel for each of the screen's. */
  private spare(): void {
    this.thrift = 2;
    this.shade(false);
  }

  private shade(wanted: boolean): void {
    this.sun.castShadow = wanted;
    this.floors.slice(1).forEach((floor) => (floor.visible = wanted));
  }

  /** The best picture that can be had, once, for a file or for paper. */
  /** So many times the pixels, for what is done meanwhile. */
  enlarge(times: number): void {
    this.renderer.setPixelRatio(times * Math.max(1, window.devicePixelRatio || 1));
  }

  finest(draw: () => void): void {
    const bare = !this.sun.castShadow;
    if (bare) this.shade(true);
    draw();
    if (bare) this.shade(false);
  }

  /** Look at the whole motion. */
  fit(points: Vector3[]): void {
    const { centre, distance } = fitted(points, this.direction, this.camera.aspect);
    this.look(centre, distance || 4 * this.data.reach);
  }

  /** Look at what moves, from near by. */
  close(target: Vector3): void {
    const up = Math.tan((ANGLE * Math.PI) / 360) * Math.min(1, this.camera.aspect);
    this.look(target, (NEAR * this.data.reach) / up);
  }

  private look(centre: Vector3, distance: number): void {
    this.mouse.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(this.direction, distance);
    this.mouse.update();
  }

  /** Shaders are made while the rest of the page is being read. */
  ready(): void {
    this.renderer.compile(this.scene, this.camera);
  }

  render(): void {
    this.renderer.render(this.scene, this.camera);
  }
}
