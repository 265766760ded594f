// The words and buttons around the picture.
export const STYLE = `
.nhf{--nhf-ink:#2b2f36;--nhf-soft:#6b7482;--nhf-line:#dfe3ea;--nhf-sky:linear-gradient(#e6edf7,#fbfcfe 75%);--nhf-bar:#fafbfd;
--nhf-accent:#3b76b8;position:relative;display:flex;flex-direction:column;width:100%;height:100%;min-height:220px;
font:13px/1.3 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--nhf-ink);border:1px solid var(--nhf-line);
border-radius:10px;overflow:hidden;background:var(--nhf-bar);outline-offset:2px;box-sizing:border-box}
.nhf.nhf-dark{--nhf-ink:#e7eaf0;--nhf-soft:#9aa4b4;--nhf-line:#333a45;--nhf-sky:linear-gradient(#1b2029,#12161d 70%);--nhf-bar:#191e26;
--nhf-accent:#79b0ee}
.nhf *{box-sizing:border-box}
.nhf-stage{position:relative;flex:1 1 auto;min-height:0;background:var(--nhf-sky)}
.nhf-stage canvas{position:absolute;inset:0;width:100%;height:100%;display:block;touch-action:none;cursor:grab}
.nhf-stage canvas:active{cursor:grabbing}
.nhf-legend{position:absolute;left:12px;top:10px;display:flex;flex-direction:column;gap:3px;pointer-events:none;color:var(--nhf-soft)}
.nhf-legend span{display:flex;align-items:center;gap:7px}
.nhf-legend i{width:16px;height:3px;border-radius:2px;display:inline-block}
.nhf-legend i.nhf-dot{width:9px;height:9px;border-radius:50%;margin:0 3.5px}
.nhf-legend i.nhf-arrow{position:relative}
.nhf-legend i.nhf-arrow::after{content:"";position:absolute;right:-4px;top:-2.5px;border-left:7px solid var(--nhf-tone);
border-top:4px solid transparent;border-bottom:4px solid transparent}
.nhf-modes{position:absolute;left:12px;bottom:10px;pointer-events:none;color:#d55e00;font-weight:600}
.nhf.nhf-dark .nhf-modes{color:#f0a05a}
.nhf-story{position:absolute;left:50%;bottom:12px;transform:translateX(-50%);width:min(34rem,calc(100% - 24px));background:color-mix(in srgb,var(--nhf-bar) 94%,transparent);
border:1px solid var(--nhf-line);border-radius:10px;padding:10px 14px 8px;font-size:14.5px;line-height:1.4;box-shadow:0 2px 12px rgba(0,0,0,.12)}
.nhf-story p{margin:0 0 6px}.nhf-story div{display:flex;gap:6px;align-items:center;justify-content:flex-end}
.nhf-story span{margin-right:auto;color:var(--nhf-soft);font-size:12px}.nhf .nhf-story button{border-color:var(--nhf-line);height:26px}
.nhf .nhf-why{font-weight:600}
.nhf-lines{position:absolute;left:12px;bottom:12px;max-width:calc(100% - 24px);max-height:60%;overflow:auto;margin:0;padding:8px 12px;white-space:pre;
font:12px/1.45 ui-monospace,monospace;background:color-mix(in srgb,var(--nhf-bar) 94%,transparent);border:1px solid var(--nhf-line);border-radius:8px}
.nhf-axes{position:absolute;right:8px;top:30px;width:58px;height:58px;pointer-events:none;font:italic 12px Georgia,"Times New Roman",serif;fill:var(--nhf-soft);stroke-width:1.6}
.nhf-scale{position:absolute;right:12px;top:10px;pointer-events:none;color:var(--nhf-soft);font-size:12px}
.nhf-bar{display:flex;align-items:center;gap:8px;padding:7px 10px;border-top:1px solid var(--nhf-line)}
.nhf button,.nhf select{font:inherit;color:inherit;background:transparent;border:1px solid transparent;border-radius:7px;height:30px;
padding:0 9px;cursor:pointer;margin:0}
.nhf button:hover,.nhf select:hover{background:color-mix(in srgb,var(--nhf-accent) 12%,transparent)}
.nhf button:focus-visible,.nhf select:focus-visible,.nhf input:focus-visible{outline:2px solid var(--nhf-accent)}
.nhf button[aria-pressed=true]{color:var(--nhf-accent);border-color:var(--nhf-accent)}
.nhf select{background:var(--nhf-bar)}
.nhf .nhf-play{width:34px;padding:0;display:grid;place-items:center;background:var(--nhf-accent);color:#fff;border-radius:50%;height:34px;
flex:none}
.nhf.nhf-dark .nhf-play{color:#12161d}
.nhf .nhf-play:hover{background:var(--nhf-accent);filter:brightness(1.1)}
.nhf input[type=range]{flex:1 1 60px;min-width:40px;accent-color:var(--nhf-accent);height:22px;margin:0}
.nhf-time{min-width:7.6em;text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.nhf-note{display:grid;place-items:center;height:100%;padding:24px;text-align:center;color:var(--nhf-soft)}
@media (max-width:520px){.nhf-whole{display:none}.nhf-time{min-width:5.5em}.nhf-bar{flex-wrap:wrap;gap:2px 6px}.nhf input[type=range]{flex-basis:45%}}
`;

export const PLAY = '<svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true"><path d="M3 1.2v11.6L12.6 7z" fill="currentColor"/></svg>';
export const PAUSE = '<svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true"><path d="M2.5 1.5h3v11h-3zM8.5 1.5h3v11h-3z" fill="currentColor"/></svg>';
const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

function make<K extends keyof HTMLElementTagNameMap>(tag: K, name: string, parent: HTMLElement): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.className = name;
  parent.append(element);
  return element;
}

/** A pace at which the film lasts between four and twenty seconds, real time if that does. */
export function pace(duration: number): number {
  const good = SPEEDS.filter((speed) => duration / speed >= 4 && duration / speed <= 20);
  if (good.includes(1) || duration === 0) return 1;
  if (good.length) return good.reduce((a, b) => (Math.abs(Math.log(a)) < Math.abs(Math.log(b)) ? a : b));
  return duration > 20 ? SPEEDS[SPEEDS.length - 1] : SPEEDS[0];
}

export class Panel {
  readonly root: HTMLDivElement;
  readonly stage: HTMLDivElement;
  readonly canvas: HTMLCanvasElement;
  readonly play: HTMLButtonElement;
  readonly slider: HTMLInputElement;
  readonly clock: HTMLSpanElement;
  readonly speed: HTMLSelectElement;
  readonly follow: HTMLButtonElement;
  readonly whole: HTMLButtonElement;
  readonly scale: HTMLDivElement;
  readonly forces: HTMLButtonElement;
  readonly modes: HTMLDivElement;
  private readonly axes: { line: SVGLineElement; name: SVGTextElement }[];
  private readonly vectors: HTMLSpanElement[] = [];
  private readonly legend: HTMLDivElement;
  private readonly lines: HTMLPreElement;

  constructor(parent: HTMLElement, dark: boolean, name: string, duration: number) {
    if (!document.getElementById("nonholo-film-style")) {
      const style = document.createElement("style");
      style.id = "nonholo-film-style";
      style.textContent = STYLE;
      document.head.append(style);
    }
    this.root = make("div", dark ? "nhf nhf-dark" : "nhf", parent);
    this.root.tabIndex = 0;
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", `Film: ${name}`);
    this.stage = make("div", "nhf-stage", this.root);
    this.canvas = make("canvas", "", this.stage);
    this.canvas.setAttribute("aria-label", `${name}, drag to turn, scroll to come nearer, space to play, arrow keys to step`);
    this.legend = make("div", "nhf-legend", this.stage);
    this.scale = make("div", "nhf-scale", this.stage);
    const space = "http://www.w3.org/2000/svg";
    const corner = document.createElementNS(space, "svg");
    corner.setAttribute("class", "nhf-axes");
    corner.setAttribute("viewBox", "-29 -29 58 58");
    corner.setAttribute("role", "img");
    corner.setAttribute("aria-label", "directions of the axes x, y and z");
    this.stage.append(corner);
    this.axes = ["x", "y", "z"].map((letter, k) => {
      const line = document.createElementNS(space, "line");
      line.setAttribute("stroke", ["#d55e00", "#009e73", "#0072b2"][k]);
      const name = document.createElementNS(space, "text");
      name.textContent = letter;
      name.setAttribute("text-anchor", "middle");
      corner.append(line, name);
      return { line, name };
    });
    this.lines = make("pre", "nhf-lines", this.stage);
    this.lines.hidden = true;
    this.lines.setAttribute("role", "status");
    this.modes = make("div", "nhf-modes", this.stage);
    this.modes.setAttribute("role", "status");
    const bar = make("div", "nhf-bar", this.root);
    this.play = make("button", "nhf-play", bar);
    this.slider = make("input", "nhf-slider", bar);
    Object.assign(this.slider, { type: "range", min: "0", max: "1000", step: "1", value: "0" });
    this.slider.setAttribute("aria-label", "time");
    this.clock = make("span", "nhf-time", bar);
    this.speed = make("select", "nhf-speed", bar);
    this.speed.setAttribute("aria-label", "speed");
    const chosen = pace(duration);
    for (const speed of SPEEDS) this.speed.add(new Option(`${speed}×`, String(speed), speed === chosen, speed === chosen));
    this.follow = make("button", "nhf-follow", bar);
    this.follow.textContent = "Follow";
    this.follow.title = "keep the body in the middle (f)";
    this.whole = make("button", "nhf-whole", bar);
    this.whole.textContent = "Whole";
    this.whole.title = "look at the whole motion (w)";
    this.forces = make("button", "nhf-forces", bar);
    this.forces.textContent = "Forces";
    this.forces.title = "show forces and momentum as arrows (v)";
    this.forces.hidden = true;
    this.forces.setAttribute("aria-pressed", "false");
    for (const button of [this.play, this.follow, this.whole, this.forces]) button.type = "button";
  }

  addTrace(label: string, colour: string): void {
    this.addMark(label, colour, "line");
  }

  addMark(label: string, colour: string, kind: "line" | "arrow" | "dot"): void {
    if (!label) return;
    const line = make("span", "", this.legend);
    const mark = make("i", `nhf-${kind}`, line);
    mark.style.background = colour;
    mark.style.setProperty("--nhf-tone", colour);
    line.append(label);
  }

  /** The lines of a body over the picture; none hides them. */
  showLines(text: string): void {
    this.lines.textContent = text;
    this.lines.hidden = !text;
  }

  /** The axes as the eye sees them: across and up the picture, for x, y and z. */
  turnAxes(seen: [number, number][]): void {
    seen.forEach(([across, up], k) => {
      const { line, name } = this.axes[k];
      line.setAttribute("x2", (20 * across).toFixed(1));
      line.setAttribute("y2", (-20 * up).toFixed(1));
      const length = Math.hypot(across, up) || 1;
      name.setAttribute("x", (20 * across + (6 * across) / length).toFixed(1));
      name.setAttribute("y", (-20 * up - (6 * up) / length + 4).toFixed(1));
    });
  }

  /** The arrows' part of the legend, seen while they are. */
  setVectors(marks: { label: string; colour: string; kind: "arrow" | "dot" }[]): void {
    this.vectors.splice(0).forEach((line) => line.remove());
    for (const { label, colour, kind } of marks) {
      this.addMark(label, colour, kind);
      this.vectors.push(this.legend.lastElementChild as HTMLSpanElement);
    }
  }

  note(text: string): void {
    this.stage.replaceChildren();
    make("div", "nhf-note", this.stage).textContent = text;
    this.root.querySelector(".nhf-bar")?.remove();
  }
}
