// The film: time, what is drawn at it, and what the viewer's hands do.
import { type Mesh, type Object3D, Raycaster, Vector2, Vector3 } from "three";
import { Body } from "./body";
import { spelt } from "./camera";
import { advanced, LEAP, within } from "./clock";
import { Forces } from "./forces";
import { Trace } from "./lines";
import { PAUSE, Panel, PLAY } from "./panel";
import { moment, numbers, place, type SceneData } from "./scene";
import { prepare, tone } from "./shapes";
import { World } from "./world";

export interface Wishes {
  theme?: "light" | "dark" | "auto";
  /** Whether the film begins by itself when it comes into sight. */
  autoplay?: boolean;
  focus?: boolean;
}

/** An arrow key moves the film by this part of its length. */
const STEP = 0.01;
/** Frames that take so many milliseconds, so often, call for a lighter picture. */
const SLOW = 90;
const PATIENCE = 6;

/** One motion as objects of the scene. */
interface Shown {
  times: Float32Array;
  bodies: Body[];
  traces: Trace[];
}

/** What one can see of a path's corners, as a part of the picture's size, and of a body's reach when the camera follows it. */
const SEEN = 4e-4;
const SEEN_NEAR = 2e-3;

/** How pale the bodies of an earlier motion are; one that is pinned is seen better, in a tint of its own. */
const PALE = 0.18;
const PINNED = 0.5;
const TINT = "#e69f00";

const AXES = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];

export class Film {
  readonly panel: Panel;
  time: number;
  playing = false;
  following = false;
  private times: Float32Array;
  private bodies: Body[] = [];
  private traces: Trace[] = [];
  private path: Float32Array;
  private readonly lines: Record<string, string>;
  private ghost: Shown | null = null;
  /** A motion that stays beside those that follow. */
  private pinned: Shown | null = null;
  private forces: Forces | null = null;
  private forced = false;
  private readonly world: World;
  private readonly target = new Vector3();
  private extent: Vector3[];
  /** Called after each picture. */
  readonly watchers = new Set<() => void>();
  private readonly observers: { disconnect(): void }[] = [];
  private last = 0;
  rest = 0;
  private slow = 0;
  private request = 0;
  private pending = 0;
  private touched = false;
  /** Set while the film waits for something before it begins by itself. */
  private waiting = 0;
  private seen: (() => void) | null = null;
  /** Where a stretch of slow motion ends, how fast it goes, and what follows. */
  private stretch: { time: number; speed: number; done: () => void } | null = null;

  constructor(panel: Panel, data: SceneData, context: WebGL2RenderingContext, dark: boolean, wishes: Wishes) {
    this.panel = panel;
    this.times = numbers(data.times);
    this.time = this.times[0];
    this.path = numbers(data.follow);
    this.lines = data.lines ?? {};
    this.world = new World(panel.canvas, context, data, dark);
    prepare(dark);
    this.put(data);
    data.traces.forEach((trace) => panel.addTrace(trace.label, `#${tone(trace.colour).getHexString()}`));
    const told = new Set(data.traces.map((trace) => `${trace.label} ${trace.colour}`));
    for (const { shape, label, colour } of data.bodies) {
      if ((shape !== "arrow" && shape !== "point") || told.has(`${label} ${colour}`)) continue;
      told.add(`${label} ${colour}`);
      panel.addMark(label, `#${tone(colour).getHexString()}`, shape === "arrow" ? "arrow" : "dot");
    }
    if (data.ground === "plane") panel.scale.textContent = `grid ${spelt(this.world.step, data.unit ?? "m")}`;

    const lower = [Infinity, Infinity, Infinity];
    const upper = [-Infinity, -Infinity, -Infinity];
    this.path.forEach((value, k) => {
      lower[k % 3] = Math.min(lower[k % 3], value);
      upper[k % 3] = Math.max(upper[k % 3], value);
    });
    const travels = Math.hypot(...upper.map((high, i) => high - lower[i])) > 0.5 * data.reach;
    panel.follow.hidden = !travels;
    this.extent = this.corners(data);
    this.listen(wishes);
    this.measure();
    this.world.fit(this.extent);
    this.setFollow(travels && (data.travels ?? false));
    this.setPlaying(false);
    this.world.ready();
  }

  private put(data: SceneData): void {
    this.bodies = data.bodies.map((body) => new Body(body, data.reach, data.travels));
    // a third of a pixel: from near by where the camera follows, of the whole picture where it does not
    const whole = Math.hypot(...data.high.map((high, i) => high - data.low[i]));
    const seen = data.travels ? SEEN_NEAR * data.reach : SEEN * whole;
    this.traces = data.traces.map((trace, k) => new Trace(numbers(trace.points), this.times, tone(trace.colour), k === 0 ? 3 : 2, seen));
    for (const part of [...this.bodies, ...this.traces]) this.world.scene.add(part.object);
    if (this.forces) this.world.scene.remove(this.forces.object);
    this.forces = data.forces?.length ? new Forces(data.forces, data.reach) : null;
    this.panel.forces.hidden = !this.forces;
    if (this.forces) this.world.scene.add(this.forces.object);
    this.setForces(this.forced);
  }

  /** Show or hide the arrows. */
  setForces(wanted: boolean): void {
    this.forced = wanted;
    this.forces?.show(wanted);
    this.panel.forces.setAttribute("aria-pressed", String(wanted));
    const kinds = new Map((this.forces?.arrows ?? []).map(({ data }) => [data.kind === "momentum" ? "momentum" : "force", data.colour]));
    const cone = this.forces?.arrows.some(({ data }) => data.slope !== undefined);
    const marks = [...kinds].map(([label, colour]) => ({ label, colour, kind: "arrow" as const }));
    this.panel.setVectors(wanted ? [...marks, ...(cone ? [{ label: "friction cone", colour: "#e69f00", kind: "dot" as const }] : [])] : []);
  }

  /** Another motion of the same bodies; the one shown so far stays behind as a pale ghost if wanted. */
  replace(data: SceneData, haunt: boolean): void {
    if (this.keep) {
      this.keep = false;
      this.pinned = this.left(PINNED, TINT);
    } else if (haunt && !this.pinned) {
      this.exorcise();
      this.ghost = this.left(PALE);
    } else {
      for (const part of [...this.bodies, ...this.traces]) this.remove(part);
    }
    this.times = numbers(data.times);
    this.path = numbers(data.follow);
    this.put(data);
    this.time = within(this.time, this.times[0], this.end);
    this.measure();
    this.extent = this.corners(data);
    const { camera } = this.world;
    camera.updateMatrixWorld();
    const lost = this.extent.some((point) => {
      const seen = point.clone().project(camera);
      return Math.abs(seen.x) > 1.02 || Math.abs(seen.y) > 1.02;
    });
    if (lost && !this.following && !this.touched) this.world.fit(this.extent);
    this.panel.root.dataset.motion = String(Number(this.panel.root.dataset.motion ?? 0) + 1);
    this.draw();
  }

  /** The present motion made paler, to be left behind; what stands still goes. */
  private left(opacity: number, tint?: string): Shown {
    const bodies = this.bodies.filter((body) => body.data.moves || body.data.turns || body.changes);
    this.bodies.filter((body) => !bodies.includes(body)).forEach((body) => this.remove(body));
    for (const part of [...bodies, ...this.traces]) part.fade(opacity, tint);
    return { times: this.times, bodies, traces: this.traces };
  }

  /** Keep the present motion beside those that follow, or let the one kept go. */
  pin(wanted: boolean): void {
    if (this.pinned) [...this.pinned.bodies, ...this.pinned.traces].forEach((part) => this.remove(part));
    this.pinned = null;
    this.keep = wanted;
    this.exorcise();
    this.redraw();
  }

  /** The present motion is pinned when the next one comes. */
  private keep = false;

  /** Let the ghost of an earlier motion go. */
  exorcise(): void {
    if (!this.ghost) return;
    for (const part of [...this.ghost.bodies, ...this.ghost.traces]) this.remove(part);
    this.ghost = null;
  }

  private remove(part: Body | Trace): void {
    this.world.scene.remove(part.object);
    part.object.traverse((inner) => {
      const drawn = inner as Partial<Mesh>;
      drawn.geometry?.dispose();
    });
  }

  get start(): number {
    return this.times[0];
  }

  /** Where the motion ended, which may be before the time it was asked for. */
  get end(): number {
    return this.times[this.times.length - 1];
  }

  play(): void {
    if (this.time === this.end) this.time = this.times[0];
    this.setPlaying(true);
  }

  pause(): void {
    this.stretch = null;
    this.setPlaying(false);
  }

  /** From one time to another at a speed of its own; a pause or a step by hand ends it. */
  approach(from: number, to: number, speed: number, done: () => void): void {
    this.touched = true;
    this.seek(from);
    this.stretch = { time: within(to, this.times[0], this.end), speed, done };
    this.setPlaying(true);
  }

  /** Neither to begin by itself nor to draw before `begin` is called, or so many milliseconds have passed; the first picture when the page has been read. */
  wait(milliseconds: number): void {
    cancelAnimationFrame(this.pending);
    this.pending = 0;
    this.waiting ||= window.setTimeout(() => this.begin(), milliseconds);
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => this.waiting && this.redraw(true));
    else this.redraw(true);
  }

  begin(): void {
    if (!this.waiting) return;
    window.clearTimeout(this.waiting);
    this.waiting = 0;
    this.seen?.();
    this.seen = null;
    this.redraw();
  }

  seek(time: number): void {
    this.time = within(time, this.times[0], this.end);
    this.rest = 0;
    this.draw();
  }

  setFollow(wanted: boolean): void {
    this.following = wanted;
    this.panel.follow.setAttribute("aria-pressed", String(wanted));
    place(this.path, moment(this.times, this.time), this.target);
    if (wanted) this.world.close(this.target);
    this.redraw();
  }

  whole(): void {
    this.setFollow(false);
    this.world.fit(this.extent);
    this.redraw();
  }

  private setPlaying(wanted: boolean): void {
    this.playing = wanted && this.times.length > 1;
    this.panel.play.innerHTML = this.playing ? PAUSE : PLAY;
    this.panel.play.setAttribute("aria-label", this.playing ? "pause" : "play");
    this.panel.root.dataset.playing = String(this.playing);
    this.last = 0;
    if (this.playing && !this.request) this.request = requestAnimationFrame(this.tick);
    this.redraw();
  }

  private readonly tick = (now: number): void => {
    this.request = 0;
    if (!this.playing) return;
    this.request = requestAnimationFrame(this.tick);
    const passed = this.last ? now - this.last : 0;
    this.last = now;
    this.slow = passed > SLOW && passed < LEAP ? this.slow + 1 : Math.max(0, this.slow - 1);
    if (this.slow > PATIENCE && this.world.lighten()) {
      this.slow = 0;
      this.measure();
    }
    const resting = this.rest > 0;
    const { stretch } = this;
    const next = advanced(this, passed, stretch?.speed ?? Number(this.panel.speed.value), this.times[0], this.end);
    if (stretch && (next.time - stretch.time) * (this.end - this.times[0]) >= 0) {
      this.pause();
      this.seek(stretch.time);
      return stretch.done();
    }
    this.time = next.time;
    this.rest = next.rest;
    if (resting && this.rest > 0) return;
    this.draw();
  };

  /** Draw before the next picture is shown: many changes at once cost one drawing. */
  private redraw(first = false): void {
    if (this.waiting && !first) return;
    this.pending ||= requestAnimationFrame(() => this.draw());
  }

  /** Everything at the present time. */
  draw(): void {
    cancelAnimationFrame(this.pending);
    this.pending = 0;
    const at = moment(this.times, this.time);
    const before = this.target.clone();
    place(this.path, at, this.target);
    if (this.following) {
      const shift = before.subVectors(this.target, before);
      this.world.mouse.target.add(shift);
      this.world.camera.position.add(shift);
    }
    for (const part of [...this.bodies, ...this.traces]) part.update(at);
    for (const other of [this.ghost, this.pinned]) {
      if (!other) continue;
      const then = moment(other.times, this.time);
      for (const part of [...other.bodies, ...other.traces]) part.update(then);
    }
    this.forces?.update(at);
    this.panel.modes.textContent = this.forces?.said ?? "";
    this.world.attend(this.target);
    this.world.render();
    const eye = this.world.camera.quaternion.clone().invert();
    this.panel.turnAxes(AXES.map((axis) => {
      const { x, y } = axis.clone().applyQuaternion(eye);
      return [x, y];
    }));
    const span = this.end - this.times[0];
    this.panel.slider.value = String(span ? Math.round((1000 * (this.time - this.times[0])) / span) : 0);
    const digits = Math.abs(span) < 2 ? 3 : 2;
    this.panel.clock.textContent = `t = ${this.time.toFixed(digits)} s`;
    this.panel.slider.setAttribute("aria-valuetext", `${this.time.toFixed(digits)} seconds`);
    this.panel.root.dataset.time = this.time.toFixed(4);
    for (const watcher of this.watchers) watcher();
  }

  /** The label of the body in front at a point of the picture, in pixels from its corner; nothing where there is none. */
  bodyAt(x: number, y: number): string {
    const { clientWidth, clientHeight } = this.panel.canvas;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((2 * x) / clientWidth - 1, 1 - (2 * y) / clientHeight), this.world.camera);
    const solid = this.bodies.filter(({ data }) => data.label && data.shape !== "wire" && data.shape !== "arrow");
    for (const { object } of ray.intersectObjects(solid.map((body) => body.object), true)) {
      const inside = (body: Body) => {
        for (let part: Object3D | null = object; part; part = part.parent) if (part === body.object) return true;
        return false;
      };
      const found = solid.find(inside);
      if (found) return found.data.label;
    }
    return "";
  }

  /** The present picture as good as it can be, for a file or paper. */
  finest(): void {
    this.world.finest(() => this.draw());
  }

  /** The picture with so many times its pixels, for what reads it at once. */
  enlarged(times: number, read: () => void): void {
    this.world.enlarge(times);
    this.finest();
    read();
    this.measure();
    this.redraw();
  }

  /** Points around all that is drawn, at some moments of the film. */
  private corners(data: SceneData): Vector3[] {
    const found: Vector3[] = [];
    const looks = Math.min(13, this.times.length);
    for (let k = 0; k < looks; k++) {
      const frame = looks > 1 ? Math.round((k * (this.times.length - 1)) / (looks - 1)) : 0;
      for (const body of this.bodies) {
        if (k > 0 && !body.data.moves && !body.data.turns && !body.changes) continue;
        body.update(moment(this.times, this.times[frame]));
        body.outline(found);
      }
    }
    for (const trace of data.traces) {
      const points = numbers(trace.points);
      for (let k = 0; k + 2 < points.length; k += 3) found.push(new Vector3().fromArray(points, k));
    }
    return found;
  }

  private measure(): void {
    const width = Math.max(1, this.panel.stage.clientWidth);
    const height = Math.max(1, this.panel.stage.clientHeight);
    this.world.resize(width, height);
    const area = new Vector2(width, height);
    const haunting = [this.ghost, this.pinned].flatMap((other) => (other ? [...other.bodies, ...other.traces] : []));
    for (const part of [...this.bodies, ...this.traces, ...haunting]) part.resize(area);
  }

  private listen(wishes: Wishes): void {
    const { panel } = this;
    const touched = (act: () => void) => () => {
      this.touched = true;
      act();
    };
    const toggle = touched(() => (this.playing ? this.pause() : this.play()));
    panel.play.addEventListener("click", toggle);
    panel.slider.addEventListener("input", touched(() => {
      const part = Number(panel.slider.value) / 1000; // read before drawing sets it back to the present time
      this.pause();
      this.seek(this.times[0] + part * (this.end - this.times[0]));
    }));
    panel.follow.addEventListener("click", touched(() => (this.following ? this.whole() : this.setFollow(true))));
    panel.whole.addEventListener("click", touched(() => this.whole()));
    panel.forces.addEventListener("click", () => {
      this.setForces(!this.forced);
      this.redraw();
    });
    panel.root.addEventListener("keydown", (event) => {
      if (event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
      const go = (time: number) => touched(() => (this.pause(), this.seek(time)));
      const step = STEP * (this.end - this.times[0]) * (event.shiftKey ? 10 : 1);
      const acts: Record<string, () => void> = {
        " ": toggle, f: () => panel.follow.hidden || panel.follow.click(), w: () => panel.whole.click(),
        v: () => panel.forces.hidden || panel.forces.click(),
        ArrowLeft: go(this.time - step), ArrowRight: go(this.time + step), Home: go(this.times[0]), End: go(this.end),
      };
      const act = acts[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
    // a button pressed with space would else be clicked a second time
    panel.root.addEventListener("keyup", (event) => event.key === " " && event.preventDefault());
    this.world.mouse.addEventListener("change", () => this.playing || this.redraw());
    const sized = new ResizeObserver(() => {
      this.measure();
      if (!this.touched && !this.following) this.world.fit(this.extent);
      this.redraw();
    });
    panel.canvas.addEventListener("pointerdown", () => (this.touched = true));
    // the lines of a body that is clicked are shown here, or by a page around this one, such as the lab
    let [downX, downY] = [0, 0];
    panel.canvas.addEventListener("pointerdown", ({ clientX, clientY }) => ([downX, downY] = [clientX, clientY]));
    panel.canvas.addEventListener("pointerup", ({ clientX, clientY }) => {
      if (Math.hypot(clientX - downX, clientY - downY) > 4) return;
      const box = panel.canvas.getBoundingClientRect();
      const label = this.bodyAt(clientX - box.left, clientY - box.top);
      if (window.parent === window) panel.showLines(this.lines[label] ?? "");
      else if (label) window.parent.postMessage({ nonholo: "body", label }, "*");
    });
    panel.canvas.addEventListener("wheel", () => (this.touched = true), { passive: true });
    // inside a longer page the wheel and a finger scroll it, until the film has been chosen by a click or a key
    const alone = () => panel.root.clientHeight > 0.9 * window.innerHeight;
    const chosen = () => alone() || panel.root.contains(document.activeElement);
    panel.stage.addEventListener("wheel", (event) => chosen() || event.ctrlKey || event.stopPropagation(), { capture: true, passive: true });
    panel.canvas.addEventListener("pointerdown", () => panel.root.focus({ preventScroll: true }));
    panel.canvas.style.touchAction = alone() ? "none" : "pan-y";
    sized.observe(panel.stage);
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    let begun = !(wishes.autoplay ?? true) || calm;
    let resume = false;
    const seen = new IntersectionObserver(
      (entries) => {
        const visible = entries[entries.length - 1].isIntersecting;
        panel.root.dataset.seen = String(visible);
        if (visible && this.waiting && !begun) {
          this.seen = () => {
            if (!begun && !this.touched) this.play();
            begun = true;
          };
          return;
        }
        this.seen = null;
        if (visible && ((!begun && !this.touched) || resume)) this.play();
        if (visible) begun = true;
        if (!visible && this.playing) this.pause(), (resume = true);
        else resume = false;
      },
      { threshold: 0.25 },
    );
    seen.observe(panel.stage);
    this.observers.push(sized, seen);
    window.addEventListener("beforeprint", () => this.finest());
    if (wishes.focus) panel.root.focus({ preventScroll: true });
  }

  dispose(): void {
    this.pause();
    cancelAnimationFrame(this.request);
    cancelAnimationFrame(this.pending);
    this.observers.forEach((observer) => observer.disconnect());
    this.world.mouse.dispose();
    this.world.renderer.dispose();
    this.panel.root.remove();
  }
}
