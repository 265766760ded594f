// Loops in shape space drawn with the finger, and where they lead: the connection integrated in the page.
import { make, plain } from "./panel";
import { figures } from "./words";

export interface GaitMap {
  name: string;
  shape: [string, string];
  group: string[];
  axes: [number[], number[]];
  /** By first and second shape variable: velocity of each group coordinate per rate of each shape variable. */
  connection: number[][][][];
  height: number[][][];
  frame: "SE(2)" | "abelian" | null;
  pose: string[];
  kinematic: boolean;
  /** Velocities per speed w beyond the connection, and the rates of w by products of shape rates (0, 1) and speeds (2, …). */
  momentum: { directions: number[][][][]; growth: number[][][][]; monomials: number[][] } | null;
  period: number | null;
  loop: [number, number][];
  quantity: string;
  /** Names as HTML. */
  labels?: Record<string, string>;
}

export type Point = [number, number];

/** A table of matrices over the shapes between its grid points, bilinear. */
function between(map: GaitMap, table: number[][][][], [a, b]: Point): number[][] {
  const place = (values: number[], at: number): [number, number] => {
    const last = values.length - 1;
    const x = Math.min(last, Math.max(0, ((at - values[0]) / (values[last] - values[0])) * last));
    const k = Math.min(last - 1, Math.floor(x));
    return [k, x - k];
  };
  const [i, p] = place(map.axes[0], a);
  const [j, q] = place(map.axes[1], b);
  return table[i][j].map((row, g) => row.map((_, d) =>
    (1 - p) * ((1 - q) * table[i][j][g][d] + q * table[i][j + 1][g][d]) + p * ((1 - q) * table[i + 1][j][g][d] + q * table[i + 1][j + 1][g][d])));
}

const product = (row: number[], by: number[]): number => row.reduce((sum, e, k) => sum + e * by[k], 0);

/** Where a closed loop leads from rest, cycle after cycle: the group coordinates at every corner, which follow each other in equal
 * times (Runge and Kutta between them); without `carried` the part that is there without momentum. */
export function travel(map: GaitMap, loop: Point[], cycles: number, carried = true, pieces = 4): number[][] {
  const [x, y, angle] = map.pose.map((name) => map.group.indexOf(name));
  const momentum = carried ? map.momentum : null;
  const count = map.group.length;
  const flow = (shape: Point, rate: Point, at: number[]): number[] => {
    const own = between(map, map.connection, shape).map((row) => product(row, rate));
    const speeds: number[] = at.slice(count);
    let growth: number[] = [];
    if (momentum) {
      const moving = [...rate, ...speeds];
      between(map, momentum.directions, shape).forEach((row, g) => (own[g] += product(row, speeds)));
      const terms = momentum.monomials.map((factors) => factors.reduce((e, k) => e * moving[k], 1));
      growth = between(map, momentum.growth, shape).map((row) => product(row, terms));
    }
    if (map.frame === "SE(2)") {
      const [c, s] = [Math.cos(at[angle]), Math.sin(at[angle])];
      [own[x], own[y]] = [c * own[x] - s * own[y], s * own[x] + c * own[y]];
    }
    return [...own, ...growth];
  };
  let at = new Array(count + (momentum ? momentum.directions[0][0][0].length : 0)).fill(0);
  const path = [at];
  const corners = loop.length && loop[0].every((e, k) => e === loop[loop.length - 1][k]) ? loop : [...loop, loop[0]];
  const each = (map.period ?? 2 * Math.PI) / (corners.length - 1);
  for (let cycle = 0; cycle < cycles; cycle++) {
    for (let k = 0; k + 1 < corners.length; k++) {
      const rate: Point = [(corners[k + 1][0] - corners[k][0]) / each, (corners[k + 1][1] - corners[k][1]) / each];
      const shape = (t: number): Point => [corners[k][0] + t * rate[0], corners[k][1] + t * rate[1]];
      const h = each / pieces;
      for (let n = 0; n < pieces; n++) {
        const t = n * h;
        const add = (step: number, by: number[]) => at.map((e, g) => e + step * by[g]);
        const one = flow(shape(t), rate, at);
        const two = flow(shape(t + h / 2), rate, add(h / 2, one));
        const three = flow(shape(t + h / 2), rate, add(h / 2, two));
        const four = flow(shape(t + h), rate, add(h, three));
        at = at.map((e, g) => e + (h / 6) * (one[g] + 2 * two[g] + 2 * three[g] + four[g]));
      }
      path.push(at);
    }
  }
  return path;
}

const SIDE = 360;
const EDGE = 34;
const CYCLES = 3;

/** From blue over white to orange, which the colour-blind tell apart. */
function tint(part: number): string {
  const to = part < 0 ? [0, 114, 178] : [213, 94, 0];
  const by = Math.min(1, Math.abs(part));
  return `rgb(${to.map((e) => Math.round(255 + by * (e - 255))).join(",")})`;
}

export class Gaits {
  private loop: Point[];
  private readonly plane: HTMLCanvasElement;
  private readonly way: HTMLCanvasElement;
  private readonly told: HTMLParagraphElement;
  private readonly shown: HTMLSelectElement;

  constructor(private readonly root: HTMLElement, private readonly map: GaitMap) {
    const [low, high] = [0, 1].map((k) => [map.axes[k][0], map.axes[k][map.axes[k].length - 1]]);
    this.loop = map.loop.length ? map.loop : circle((low[0] + low[1]) / 2, (high[0] + high[1]) / 2, (low[1] - low[0]) / 5, (high[1] - high[0]) / 5);
    root.style.cssText = "display:flex;flex-wrap:wrap;gap:1rem;align-items:start";
    const one = make("div", "", root);
    const label = make("label", "nhl-note", one, "curvature of ");
    this.shown = make("select", "", label);
    this.shown.style.font = "inherit";
    map.group.forEach((name) => this.shown.add(new Option(plain(this.label(name)), name, false, name === map.quantity)));
    this.shown.addEventListener("change", () => this.draw());
    this.plane = canvas(one, `loop in ${map.shape.map((name) => plain(this.label(name))).join(" and ")}; draw one with the pointer`);
    const two = make("div", "", root);
    make("p", "nhl-note", two, `path over ${CYCLES} cycles`);
    this.way = canvas(two, "where the loop leads");
    this.told = make("p", "nhl-note", root);
    this.told.setAttribute("role", "status");
    this.told.style.flexBasis = "100%";
    this.draw();
    this.hands();
  }

  private label(name: string): string {
    return this.map.labels?.[name] ?? name;
  }

  private hands(): void {
    let drawn: Point[] = [];
    const place = (event: PointerEvent): Point => {
      const box = this.plane.getBoundingClientRect();
      const part = (pixel: number, size: number, k: 0 | 1) => {
        const values = this.map.axes[k];
        const inside = Math.min(1, Math.max(0, ((pixel / size) * SIDE - EDGE) / (SIDE - EDGE - 8)));
        return values[0] + (values[values.length - 1] - values[0]) * (k === 0 ? inside : inside);
      };
      const up = box.height - (event.clientY - box.top);
      return [part(event.clientX - box.left, box.width, 0), part(up, box.height, 1)];
    };
    this.plane.style.touchAction = "none";
    this.plane.addEventListener("pointerdown", (event) => {
      this.plane.setPointerCapture(event.pointerId);
      drawn = [place(event)];
    });
    this.plane.addEventListener("pointermove", (event) => {
      if (!event.buttons || !drawn.length) return;
      drawn.push(place(event));
      if (drawn.length < 3) return;
      this.loop = drawn.slice();
      this.draw();
    });
    this.plane.addEventListener("pointerup", () => (drawn = []));
  }

  private draw(): void {
    const { map, loop } = this;
    const g = Math.max(0, this.shown.selectedIndex);
    const pen = cleared(this.plane);
    const inner = SIDE - EDGE - 8;
    const [one, two] = map.axes;
    const across = (a: number) => EDGE + (inner * (a - one[0])) / (one[one.length - 1] - one[0]);
    const up = (b: number) => SIDE - EDGE - (inner * (b - two[0])) / (two[two.length - 1] - two[0]);
    const most = Math.max(...map.height.flat().map((e) => Math.abs(e[g]))) || 1;
    const [wide, tall] = [inner / (one.length - 1), inner / (two.length - 1)];
    for (let i = 0; i < one.length; i++) {
      for (let j = 0; j < two.length; j++) {
        pen.fillStyle = tint(map.height[i][j][g] / most);
        pen.fillRect(Math.max(EDGE, across(one[i]) - wide / 2), Math.max(8, up(two[j]) - tall / 2), wide + 0.5, tall + 0.5);
      }
    }
    const style = getComputedStyle(this.root);
    pen.fillStyle = style.color;
    pen.font = "12px system-ui, sans-serif";
    pen.fillText(`${plain(this.label(map.shape[0]))}: ${figures(one[0], 3)} … ${figures(one[one.length - 1], 3)}`, EDGE, SIDE - 10);
    pen.save();
    pen.translate(14, SIDE - EDGE);
    pen.rotate(-Math.PI / 2);
    pen.fillText(`${plain(this.label(map.shape[1]))}: ${figures(two[0], 3)} … ${figures(two[two.length - 1], 3)}`, 0, 0);
    pen.restore();
    const line = (points: Point[], colour: string, dash: number[]) => {
      pen.beginPath();
      pen.setLineDash(dash);
      points.forEach(([a, b]) => pen.lineTo(across(a), up(b)));
      pen.closePath();
      Object.assign(pen, { strokeStyle: colour, lineWidth: 2 });
      pen.stroke();
      pen.setLineDash([]);
    };
    if (map.loop.length) line(map.loop, "#555", [6, 5]);
    line(loop, "#1d2328", []);
    this.lead(g);
  }

  private lead(g: number): void {
    const { map } = this;
    this.root.dataset.loop = JSON.stringify(this.loop);
    if (map.frame === null) {
      this.told.textContent = "How velocities are carried to other poses is not known here: only the curvature is shown.";
      return;
    }
    const path = travel(map, this.loop, CYCLES);
    const after = path[(path.length - 1) / CYCLES];
    this.root.dataset.moved = JSON.stringify(Object.fromEntries(map.group.map((name, k) => [name, after[k]])));
    const most = Math.max(...map.group.map((_, k) => Math.abs(after[k])));
    const sized = (e: number) => figures(Math.abs(e) > 1e-9 * most ? e : 0, 3);
    const said = map.group.map((name, k) => `${this.label(name)} by ${sized(after[k])}`);
    let more = "";
    if (map.momentum) {
      const plainly = travel(map, this.loop, 1, false);
      more = ` Without momentum ${this.label(map.group[g])} would move by ${sized(plainly[plainly.length - 1][g])}.`;
    } else if (!map.kinematic) {
      more = " This is the part without momentum.";
    }
    this.told.innerHTML = `One cycle of this loop${map.momentum ? ", from rest," : ""} moves ${said.join(", ")}.${more}`;
    const [x, y] = map.pose.length ? map.pose.slice(0, 2).map((name) => map.group.indexOf(name)) : [g, g === 0 ? Math.min(1, map.group.length - 1) : 0];
    const pen = cleared(this.way);
    const points = path.map((at): Point => [at[x], at[y]]);
    const [low, high] = [[0, 0], [0, 0]];
    for (const p of points) for (const k of [0, 1]) [low[k], high[k]] = [Math.min(low[k], p[k]), Math.max(high[k], p[k])];
    const span = Math.max(high[0] - low[0], high[1] - low[1]) || 1;
    const scale = (SIDE - 2 * EDGE) / span;
    const at = (p: Point): Point => [EDGE + (p[0] - (low[0] + high[0]) / 2 + span / 2) * scale, SIDE - EDGE - (p[1] - (low[1] + high[1]) / 2 + span / 2) * scale];
    pen.beginPath();
    points.forEach((p) => pen.lineTo(...at(p)));
    Object.assign(pen, { strokeStyle: "#d55e00", lineWidth: 2 });
    pen.stroke();
    const each = (points.length - 1) / CYCLES;
    for (let k = 0; k <= CYCLES; k++) {
      const [px, py] = at(points[k * each]);
      pen.beginPath();
      pen.arc(px, py, k ? 4 : 6, 0, 2 * Math.PI);
      pen.fillStyle = k ? "#0072b2" : "#555";
      pen.fill();
    }
    pen.fillStyle = getComputedStyle(this.root).color;
    pen.font = "12px system-ui, sans-serif";
    pen.fillText(`${plain(this.label(map.group[x]))} across, ${plain(this.label(map.group[y]))} up; width of the picture ${figures(span, 3)}`, EDGE, SIDE - 10);
  }
}

function circle(x: number, y: number, wide: number, tall: number): Point[] {
  return Array.from({ length: 61 }, (_, k) => [x + wide * Math.cos((2 * Math.PI * (k % 60)) / 60), y + tall * Math.sin((2 * Math.PI * (k % 60)) / 60)]);
}

function canvas(parent: HTMLElement, name: string): HTMLCanvasElement {
  const made = make("canvas", "", parent);
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", name);
  made.style.cssText = `width:${SIDE}px;max-width:100%;aspect-ratio:1;display:block;border:1px solid var(--line,#ccc);border-radius:6px`;
  return made;
}

function cleared(made: HTMLCanvasElement): CanvasRenderingContext2D {
  const scale = window.devicePixelRatio || 1;
  made.width = made.height = Math.round(SIDE * scale);
  const pen = made.getContext("2d")!;
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, SIDE, SIDE);
  return pen;
}
