// The living page: what is chosen, solved, drawn and told.
import type { Film } from "../film";
import type { BodyData, SceneData } from "../scene";
import { type Experiment, type LiveData, request } from "./data";
import { Engine } from "./engine";
import { Exercises } from "./exercises";
import { Controls, drawn, make, plain } from "./panel";
import type { Change, Motion, Request } from "./plan";
import { departures, Plots } from "./plots";
import { saving } from "./saving";
import { Signs } from "./signs";
import { Story } from "./story";
import { Strip } from "./strip";
import { changes, command, figures, fragment, fromFragment, startOf, toml } from "./words";

/** A change so many milliseconds after the last one is a new one: then the motion before it becomes the ghost. */
const PAUSE = 900;
const MANY = 200;
/** So many changes of contacts are listed. */
const MOST_CHANGES = 40;
/** An energy that changes by more is not kept, whatever was expected: an input or a force works. */
const KEPT = 1e-6;

interface Notes {
  /** Milliseconds that the last motions took to solve, and from a wish to its picture. */
  solving: number[];
  whole: number[];
}

export class Living {
  motion: Motion | null = null;
  /** What was asked for last. */
  asking: Request | null = null;
  readonly notes: Notes = { solving: [], whole: [] };
  readonly engine: Engine;
  private readonly controls: Controls;
  private plots: Plots | null = null;
  private signs: Signs | null = null;
  private readonly strip: Strip | null;
  private readonly exercises: Exercises | null;
  private readonly story: Story | null;
  private chosen: Experiment;
  private readonly past: Experiment[] = [];
  private readonly future: Experiment[] = [];
  private readonly undoButton: HTMLButtonElement;
  private readonly redoButton: HTMLButtonElement;
  private readonly pinButton: HTMLButtonElement;
  /** The motion that stays beside those that follow, and the one before, which does not. */
  private pinned: Motion | null = null;
  private ghost: Motion | null = null;
  private haunt = false;
  private last = 0;
  private touched = "";
  private asked = 0;
  private guess: number[];
  private address = 0;

  constructor(parent: HTMLElement, private readonly data: LiveData, private readonly film: Film | null, private readonly first: SceneData | null) {
    this.guess = data.guess;
    this.chosen = fromFragment(data, window.location.hash) ?? this.own();
    this.controls = new Controls(parent, data, (name, value, settled) => this.change(name, value, settled));
    this.undoButton = this.controls.icon("↶", "Undo", "take the last change back (Ctrl+Z)", () => this.step(this.past, this.future));
    this.redoButton = this.controls.icon("↷", "Redo", "make it again (Ctrl+Shift+Z)", () => this.step(this.future, this.past));
    this.controls.button("Reset", "the numbers the page came with", () => this.take(this.own()));
    this.pinButton = this.controls.button("Pin", "keep this motion in the film and the plots beside those that follow", () => this.pin(!this.pinned));
    this.pinButton.setAttribute("aria-pressed", "false");
    this.strip = film ? new Strip(film, data) : null;
    this.exercises = data.exercises.length ? new Exercises(parent, data.exercises, (exercise) => this.begin(exercise), (names) => this.controls.mark(names)) : null;
    this.story = film && data.story.length ? new Story(film, data.story) : null;
    this.presets();
    this.kickTools();
    saving(this.controls, data, film, () => this.chosen, () => this.motion);
    addEventListener("keydown", (event) => {
      // a page around this one, such as the lab, saves its text whoever has the keys
      if (window.parent === window || !(event.ctrlKey || event.metaKey) || event.key !== "s") return;
      event.preventDefault();
      window.parent.postMessage({ nonholo: "save" }, "*");
    });
    this.controls.root.addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
      event.preventDefault();
      if (event.shiftKey) this.step(this.future, this.past);
      else this.step(this.past, this.future);
    });
    window.addEventListener("hashchange", () => {
      const asked = fromFragment(data, window.location.hash);
      if (asked && JSON.stringify(asked) !== JSON.stringify(this.chosen)) this.take(asked);
    });
    this.controls.show(this.chosen.values);
    this.buttons();
    this.engine = new Engine(data.plan, (motion, newest) => this.show(motion, newest), (why) => {
      this.controls.tell(`This page cannot solve here (${why}); the film is the recorded one.`, true);
      film?.begin();
    });
    this.ask();
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => this.whole());
    else this.whole();
  }

  /** The whole page stands: plots, formulas and words below follow from here on. */
  private whole(): void {
    this.plots = new Plots(document);
    this.signs = new Signs(document, this.data.signs);
    const early = this.early;
    this.early = null;
    if (early) this.show(...early);
  }

  /** A motion that was solved before the page had been read. */
  private early: [Motion, boolean] | null = null;

  private own(): Experiment {
    return { values: Object.fromEntries(this.data.controls.map(({ name, value }) => [name, value])), kicks: [] };
  }

  private change(name: string, value: number, settled: boolean): void {
    if (this.chosen.values[name] === value) {
      if (settled) this.remember();
      return;
    }
    this.touched = name;
    this.next({ ...this.chosen, values: { ...this.chosen.values, [name]: value } });
  }

  /** Another experiment; the one before can be had back, and its motion stays as a ghost. */
  private next(chosen: Experiment): void {
    const now = performance.now();
    if (now - this.last > PAUSE) {
      this.past.push(this.chosen);
      if (this.past.length > MANY) this.past.shift();
      this.future.length = 0;
      this.haunt = true;
    }
    this.last = now;
    this.chosen = chosen;
    this.controls.show(chosen.values);
    this.buttons();
    this.remember();
    this.ask();
  }

  private take(chosen: Experiment): void {
    this.last = 0;
    this.touched = "";
    this.guess = this.data.guess;
    this.next(chosen);
    this.last = 0;
  }

  /** An experiment of an exercise, from its beginning. */
  private begin(exercise: number): void {
    this.take({ values: { ...this.own().values, ...this.data.exercises[exercise].set }, kicks: [], exercise });
    this.film?.seek(this.film.start);
    this.film?.play();
  }

  private step(from: Experiment[], to: Experiment[]): void {
    const chosen = from.pop();
    if (!chosen) return;
    to.push(this.chosen);
    this.chosen = chosen;
    this.haunt = true;
    this.last = 0;
    this.touched = "";
    this.guess = this.data.guess;
    this.controls.show(chosen.values);
    this.buttons();
    this.remember();
    this.ask();
  }

  private buttons(): void {
    this.undoButton.disabled = !this.past.length;
    this.redoButton.disabled = !this.future.length;
    this.showKicks();
  }

  /** The experiment into the address, when hands rest. */
  private remember(): void {
    window.clearTimeout(this.address);
    this.address = window.setTimeout(() => {
      const wanted = fragment(this.data, this.chosen);
      if (wanted === "" && !window.location.hash.startsWith("#live")) return;
      try {
        window.history.replaceState(null, "", wanted || window.location.pathname + window.location.search);
      } catch {
        // an address that may not be changed stays as it is
      }
    }, 250);
  }

  /** Keep the present motion for comparison, or let the one kept go. */
  private pin(wanted: boolean): void {
    this.pinned = wanted ? this.motion : null;
    this.ghost = null;
    this.film?.pin(this.pinned !== null);
    this.pinButton.setAttribute("aria-pressed", String(this.pinned !== null));
    this.pinButton.textContent = this.pinned ? "Unpin" : "Pin";
    if (this.motion) this.compare(this.motion);
    if (this.pinned) this.controls.tell("This motion stays. Change a number: both run in one film, by one clock.", false);
  }

  private compare(motion: Motion): void {
    const other = this.pinned ?? this.ghost;
    this.plots?.show(motion, other, this.notes.solving.length, this.pinned ? "pinned" : "before");
    this.strip?.show(motion, other, this.chosen.kicks.map(({ time }) => time), this.pinned !== null);
  }

  private ask(): void {
    this.asked = performance.now();
    this.exercises?.follow(this.chosen.exercise);
    document.documentElement.dataset.current = "false";
    this.asking = request(this.data, this.chosen, this.touched, this.guess);
    this.engine.ask(this.asking);
  }

  /** `newest`: no other motion has been asked for since. */
  private show(motion: Motion, newest: boolean): void {
    if (!this.plots) {
      this.early = [motion, newest];
      return;
    }
    const before = this.motion;
    this.motion = motion;
    this.notes.solving.push(motion.milliseconds);
    this.adjust(motion);
    if (this.haunt && before && before.picture) {
      this.ghost = before;
    }
    // the page's own motion has been recorded: its film stands already
    const recorded = before === null && fragment(this.data, this.chosen) === "" && motion.outcome.kind === "reached";
    if (motion.picture && this.film && !recorded) this.film.replace(this.scene(motion), this.haunt);
    this.haunt = false;
    this.compare(motion);
    if (newest) this.exercises?.show(motion);
    this.story?.show(motion);
    this.film?.begin();
    this.tell(motion);
    this.notes.whole.push(performance.now() - this.asked);
    document.documentElement.dataset.solved = String(this.notes.solving.length);
    document.documentElement.dataset.current = String(newest);
  }

  private scene(motion: Motion): SceneData {
    const { drawing } = this.data.plan;
    const { picture } = motion;
    const first = this.first!;
    const bodies: BodyData[] = picture!.bodies.map((body, k) => {
      const { shape, label, colour } = drawing!.bodies[k];
      return { ...body, shape: shape as BodyData["shape"], label, colour };
    });
    const traces = picture!.traces.map((points, k) => ({ ...drawing!.traces[k], points }));
    return { ...first, times: picture!.times, follow: picture!.follow, low: picture!.low, high: picture!.high, bodies, traces, forces: picture!.forces };
  }

  /** What the constraints have moved is shown where it stands, and told. */
  private adjust(motion: Motion): void {
    const { plan, controls } = this.data;
    const { values } = this.chosen;
    const bad = motion.outcome.kind === "bad start";
    const at = [...plan.coordinates, ...plan.speeds];
    const told: string[] = [];
    if (!bad) {
      const found: Record<string, number> = {};
      for (const name of this.data.tied) found[name] = motion.first[at.indexOf(name)];
      Object.assign(found, motion.moved);
      const moved: Record<string, number> = {};
      for (const control of controls) {
        const value = found[control.name];
        if (value === undefined || Math.abs(value - values[control.name]) <= 1e-9 * (1 + Math.abs(value))) continue;
        told.push(`<span class="nhl-nowrap">${drawn(this.data, control.name) || control.label} became ${figures(value, 5)}</span>`);
        moved[control.name] = value;
      }
      if (told.length) {
        this.chosen = { ...this.chosen, values: { ...values, ...moved } };
        this.controls.show(this.chosen.values);
        this.remember();
      }
      this.guess = Array.from(motion.first.subarray(plan.coordinates.length));
    }
    const named = new Set(controls.map(({ name }) => name));
    const follows = this.data.signs.filter(({ name }) => !named.has(name) && plan.forms.includes(name) && motion.columns[name] && Math.abs(motion.columns[name][0]) > 1e-12);
    let text = "";
    if (told.length) text += `<b>Adjusted to the constraints:</b> ${told.join(", ")}. `;
    if (!bad && follows.length) {
      text += `From the constraints: ${follows.slice(0, 8).map(({ name, label }) => `<span class="nhl-nowrap">${label.startsWith("d(") ? label : drawn(this.data, name)} = ${figures(motion.columns[name][0], 4)}</span>`).join(", ")}.`;
    }
    this.controls.follows.innerHTML = text;
  }

  private tell(motion: Motion): void {
    const { outcome, columns } = motion;
    const wrong = outcome.kind !== "reached";
    // that there was no time for the rest is no failure of the motion
    const red = wrong && outcome.kind !== "interrupted";
    const drift = (name: string, terms = 0) => departures(columns[name], terms).reduce((a, b) => Math.max(a, b), 0);
    const energy = columns.energy?.length ? drift("energy") : 0;
    const end = figures(outcome.time, 4);
    const how = `${figures(outcome.time, 4)} s in ${motion.steps} steps, solved in ${Math.max(1, Math.round(motion.milliseconds))} ms`;
    const early = `ended early at t = ${end} (${outcome.kind}). ${outcome.advice}`;
    this.controls.tell(wrong ? `It ${early}` : `${how}${this.data.conserved && energy < KEPT ? `; energy kept to ${figures(energy, 2)}` : ""}`, red);
    if (motion.negative) this.controls.hint(this.doubt());
    const values = { ...this.chosen.values };
    for (const name of Object.keys(columns)) if (!(name in values) && columns[name].length) values[name] = columns[name][0];
    startOf(this.data, values).forEach(([name, value]) => (values[name] = value));
    this.signs?.update(values);
    for (const cell of document.querySelectorAll<HTMLElement>("[data-value]")) {
      const value = values[cell.dataset.value!];
      if (value !== undefined) cell.textContent = figures(value);
    }
    const follow = (key: string, text: string) => {
      for (const element of document.querySelectorAll<HTMLElement>(`[data-live="${key}"]`)) element.textContent = text;
    };
    const went = columns.energy?.length ? this.data.conserved && energy < KEPT ? ` The energy changed by ${figures(energy, 3)} of its value.`
      : ` The energy went from ${figures(columns.energy[0], 3)} to ${figures(columns.energy[columns.energy.length - 1], 3)}.` : "";
    const kicked = this.chosen.kicks.length ? ` It was kicked ${this.chosen.kicks.length === 1 ? "once" : `${this.chosen.kicks.length} times`}; the commands below do not do that.` : "";
    follow("motion", `${end} s of motion in ${motion.steps} steps (method dop853, in this page); it ${wrong ? early.replace(/\.$/, "") : "reached the end"}.${went}${kicked}`);
    for (const body of document.querySelectorAll<HTMLTableSectionElement>('tbody[data-live="modes"]')) this.tabulate(body, motion.changes);
    follow("more modes", motion.changes.length > MOST_CHANGES ? `… and ${motion.changes.length - MOST_CHANGES} more.` : "");
    follow("until", figures(Math.abs(outcome.time - this.data.time), 3));
    follow("command", `${command(this.data, this.chosen, "report")}\n${command(this.data, this.chosen, "simulate")}`);
    follow("toml", toml(this.data, this.chosen.values));
    // a page around this one, such as the lab, may put the numbers into its text
    if (window.parent !== window) window.parent.postMessage({ nonholo: "numbers", ...changes(this.data, this.chosen.values) }, "*");
    const kept: [string, string][] = this.data.constant.map((name) => [name, name]);
    for (const [name, column] of [["the energy", "energy"], ...kept]) {
      follow(`value:${name}`, figures(columns[column]?.[0] ?? NaN, 3));
      const terms = Number(document.querySelector<HTMLElement>(`[data-live="drift:${name}"]`)?.dataset.size ?? 0);
      follow(`drift:${name}`, columns[column]?.length ? figures(drift(column, terms), 3) : "–");
    }
  }

  /** What to say of a kinetic energy that is negative somewhere, as `motion_hints` does. */
  private doubt(): string {
    const below = this.data.controls.filter(({ kind, name }) => kind === "parameter" && this.chosen.values[name] < 0);
    const listed = below.map(({ name, label }) => `${plain(drawn(this.data, name)) || plain(label)} = ${figures(this.chosen.values[name])}`).join(", ");
    const asked = listed ? `Is ${listed} meant?` : "Give every direction a positive mass.";
    return `${asked} At the start some admissible velocity has negative kinetic energy (the mass matrix is not positive).`;
  }

  /** The changes of the contacts, as the report lists them. */
  private tabulate(body: HTMLTableSectionElement, changes: Change[]): void {
    body.replaceChildren();
    for (const { time, contact, before, after, why } of changes.slice(0, MOST_CHANGES)) {
      const row = body.insertRow();
      for (const text of [figures(time, 6), contact, `${before} → ${after}`, why]) row.insertCell().textContent = text;
    }
  }

  private presets(): void {
    if (!this.data.presets.length) return;
    const select = make("select", "", this.controls.top);
    select.setAttribute("aria-label", "Presets");
    select.add(new Option("Presets", "", true, true));
    this.data.presets.forEach(({ name }, k) => select.add(new Option(name, String(k))));
    select.addEventListener("change", () => {
      const preset = this.data.presets[Number(select.value)];
      if (select.value !== "" && preset) this.take({ values: { ...this.own().values, ...preset.values }, kicks: [] });
      select.value = "";
    });
  }

  private chips: HTMLSpanElement | null = null;

  private kickTools(): void {
    const { kicks, plan } = this.data;
    if (!kicks.length) return;
    const root = this.controls.kicks;
    const select = make("select", "", root);
    select.setAttribute("aria-label", "what is kicked");
    kicks.forEach(({ name, label, unit }) => select.add(new Option(`${plain(label)}${unit ? ` [${unit}]` : ""}`, name)));
    const size = make("input", "", root);
    Object.assign(size, { type: "number", step: "any" });
    size.setAttribute("aria-label", "impulse");
    const suggest = () => (size.value = String(kicks.find(({ name }) => name === select.value)?.size ?? 1));
    select.addEventListener("change", suggest);
    suggest();
    const button = make("button", "", root, "Kick now");
    button.type = "button";
    button.title = "an impulse at the film's present time; the constraints answer at once";
    button.addEventListener("click", () => {
      const span = this.chosen.values.until - this.data.time;
      const now = this.film?.time ?? 0;
      const inside = (now - this.data.time) / span;
      const time = inside > 0.999 || inside < 1e-4 ? this.data.time + (inside > 0.999 ? 0.5 : 1e-3) * span : now;
      const impulse = Number(size.value);
      if (!Number.isFinite(impulse) || !plan.speeds.includes(select.value)) return;
      this.last = 0;
      this.next({ ...this.chosen, kicks: [...this.chosen.kicks, { time: Number(time.toPrecision(6)), speed: select.value, impulse }] });
      this.last = 0;
    });
    this.chips = make("span", "", root);
  }

  private showKicks(): void {
    if (!this.chips) return;
    this.chips.replaceChildren();
    this.chosen.kicks.forEach(({ time, speed, impulse }, k) => {
      const chip = make("span", "nhl-chip", this.chips!);
      const label = make("span", "", chip);
      label.innerHTML = `${drawn(this.data, speed)} `;
      label.append(`${figures(impulse, 3)} at ${figures(time, 3)} s`);
      const gone = make("button", "", chip, "×");
      gone.type = "button";
      gone.setAttribute("aria-label", "take this kick back");
      gone.addEventListener("click", () => {
        this.last = 0;
        this.next({ ...this.chosen, kicks: this.chosen.kicks.filter((_, other) => other !== k) });
        this.last = 0;
      });
    });
  }
}
