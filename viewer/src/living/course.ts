// What happens where a mode of the contacts ends: decisions and impacts, as nonholo.integrate.contacts.mode_switching has them.
import { chosen, type Situation, stopped } from "./choice";
import { impact } from "./impact";
import { dot } from "./linear";
import type { Change } from "./plan";
import { type Acting, type Answer, type Contacts, heldRows, type Mode, type Touching, type Witness } from "./touching";

const STILL = 1e-9;
const TOUCH = 1e-10;
const LOW_BOUNCE = 1e-12;
const EDGE = 1e-10;
const AHEAD = 1e-6;

export class Course {
  time = 0;
  readonly changes: Change[] = [];
  private lastHit = -Infinity;

  constructor(private readonly machine: Touching, readonly state: Float64Array) {}

  private survey(): Contacts {
    this.machine.at(this.time, this.state);
    return this.machine.contacts(() => true);
  }

  private touching({ touches }: Contacts): boolean[] {
    return touches.map(({ row, gap }) => row < 0 || gap <= TOUCH);
  }

  /** The speed at which a gap opens, zero where it is rounding. */
  private rate({ touches, rows }: Contacts, k: number): number {
    const row = rows[touches[k].row];
    return row && Math.abs(row.value) > STILL * row.scale + 1e-12 ? row.value : 0;
  }

  private situation(contacts: Contacts, touching: boolean[], more: Partial<Situation> = {}, dead: (k: number, f: number) => boolean = () => false): Situation {
    const still = contacts.touches.map(({ frictions }) => frictions.map(({ rows }) => {
      const own = rows.map((r) => contacts.rows[r]);
      return Math.hypot(...own.map((row) => row.value)) <= STILL * Math.max(...own.map((row) => row.scale)) + 1e-12;
    }));
    const lifts = this.machine.switching.touches.map((one) => one.lifts);
    return { touching, lifts, still: (k, f) => still[k][f] || dead(k, f), noStick: () => false, noClosed: () => false, ...more };
  }

  private resting(contacts: Contacts): boolean[] {
    return this.touching(contacts).map((here, k) => this.machine.mode[k] !== null || (here && this.rate(contacts, k) <= 0));
  }

  /** Choose the mode at the start; it is no change. Words where there is none. */
  begin(): string {
    this.machine.enter(this.machine.switching.touches.map(() => null));
    const contacts = this.survey();
    const touching = this.touching(contacts);
    const closing = touching.flatMap((here, k) => (here && this.rate(contacts, k) < 0 ? [k] : []));
    if (closing.length) return this.hit(contacts, closing);
    const trouble = this.decide(contacts, this.situation(contacts, this.resting(contacts)), "");
    this.changes.length = 0;
    return trouble;
  }

  /** Decide anew where the speeds have been changed from outside. */
  again(): string {
    const contacts = this.survey();
    const closing = this.touching(contacts).flatMap((here, k) => (here && this.rate(contacts, k) < 0 ? [k] : []));
    return closing.length ? this.hit(contacts, closing) : this.decide(contacts, this.situation(contacts, this.resting(contacts)), "kick");
  }

  private decide(contacts: Contacts, situation: Situation, why: string, when = this.time): string {
    const answer = chosen(contacts, situation, this.machine.mode);
    if (answer === null) return this.machine.switching.undecided;
    this.enter(contacts, answer, why, when);
    return "";
  }

  private word(k: number, acting: Acting): string {
    if (acting === null) return "open";
    return this.machine.switching.touches[k].rolls && acting[0] === "stick" ? "rolling" : "sliding";
  }

  get words(): string[] {
    return this.machine.mode.map((acting, k) => this.word(k, acting));
  }

  private enter(contacts: Contacts, answer: Answer, why: string, when: number): void {
    const before = this.machine.mode;
    answer.mode.forEach((acting, k) => {
      const [from, to] = [this.word(k, before[k]), this.word(k, acting)];
      const turned = from === "sliding" && to === "sliding" && ["+-", "-+"].includes(`${before[k]![0]}${acting![0]}`);
      if (from !== to || turned) this.note(k, from, to, turned ? "the slip reverses" : why, when);
      this.machine.switching.touches[k].frictions.forEach(({ kind }, f) => {
        if (kind === "slip" || !before[k] || !acting || (before[k]![f] === "stick") === (acting[f] === "stick")) return;
        const words = acting[f] === "stick" ? ["turning", "held"] : ["held", "turning"];
        this.note(k, words[0], words[1], why, when, ` (${kind})`);
      });
    });
    this.machine.enter(answer.mode);
    const held = heldRows(contacts, answer.mode);
    if (held.some((r) => Math.abs(contacts.rows[r].value) > 1e-15 * contacts.rows[r].scale)) this.stop(contacts, held);
    this.machine.switching.touches.forEach(({ frictions }, k) => frictions.forEach(({ direction }, f) => {
      const way = answer.ways[k][f];
      if (direction >= 0 && way && answer.mode[k] !== null) this.state.set(way, direction);
    }));
  }

  private note(k: number, before: string, after: string, why: string, time: number, part = ""): void {
    this.changes.push({ time, contact: this.machine.switching.touches[k].name + part, before, after, why });
  }

  private stop(contacts: Contacts, held: number[]): void {
    const { count, speeds } = this.machine;
    const { change, lost } = stopped(contacts, held, speeds);
    change.forEach((e, i) => (this.state[count + i] += e));
    held.forEach((r, j) => {
      const k = contacts.touches.findIndex(({ row, frictions }) => row === r || frictions.some(({ rows }) => rows.includes(r)));
      this.state[count + speeds + 2 * k] += lost[j];
    });
  }

  /** The witnesses that are at zero where a mode begins and fall: it ends as it begins. */
  falling(witnesses: Witness[]): Witness[] {
    const { machine, state, time } = this;
    if (!witnesses.length) return [];
    const rates = new Float64Array(machine.width);
    machine.rates(time, state, rates);
    const values = machine.values(witnesses);
    if (Math.min(...values) > EDGE) return [];
    machine.rates(time + AHEAD, state.map((e, i) => e + AHEAD * rates[i]), rates);
    const fallen = machine.values(witnesses);
    return witnesses.filter(({ kind }, i) => (kind === "near" || kind === "grown" ? values[i] < 0
      : kind !== "gap" && values[i] <= EDGE && fallen[i] < -(AHEAD ** 2)));
  }

  /** What follows from the witnesses that passed zero; words where the motion cannot go on. */
  happened(witnesses: Witness[]): string {
    const contacts = this.survey();
    const { mode } = this.machine;
    if (witnesses.every(({ kind }) => kind === "near" || kind === "grown")) {
      witnesses.forEach((w) => this.changeDirection(contacts, w));
      return "";
    }
    const gaps = witnesses.filter(({ kind }) => kind === "gap").map(({ contact }) => contact);
    if (gaps.length) {
      const near = this.touching(contacts).map((here, k) => (here || gaps.includes(k)) && mode[k] === null);
      const closing = near.flatMap((here, k) => (here && this.rate(contacts, k) < 0 ? [k] : []));
      if (closing.length) return this.hit(contacts, closing);
      const resting = this.resting(contacts).map((here, k) => here || gaps.includes(k));
      return this.decide(contacts, this.situation(contacts, resting), "the gap closes without speed");
    }
    const has = (kind: string, k: number, f = -1) => witnesses.some((w) => w.kind === kind && w.contact === k && (f < 0 || w.friction === f));
    const kinds = witnesses.map(({ kind }) => kind);
    const why = kinds.includes("normal") ? "the normal force vanishes" : kinds.includes("cone") ? "the friction needed exceeds its limit" : "the slip dies";
    const excluded = { noStick: (k: number, f: number) => has("cone", k, f), noClosed: (k: number) => has("normal", k) };
    const dead = (k: number, f: number) => has("slip", k, f) || mode[k]?.[f] === "stick";
    return this.decide(contacts, this.situation(contacts, mode.map((acting) => acting !== null), excluded, dead), why);
  }

  /** A slip in the plane that is nearly zero keeps its direction; one that has grown follows its velocity. */
  private changeDirection({ touches, rows }: Contacts, { kind, contact, friction }: Witness): void {
    const how = kind === "near" ? "fixed" : "free";
    const mode: Mode = this.machine.mode.map((acting, k) => (k === contact ? acting!.map((old, f) => (f === friction ? how : old)) : acting));
    this.machine.enter(mode);
    if (how === "free") return;
    const values = touches[contact].frictions[friction].rows.map((r) => rows[r].value);
    this.state.set(values.map((e) => e / Math.hypot(...values)), this.machine.switching.touches[contact].frictions[friction].direction);
  }

  private hit(contacts: Contacts, closing: number[]): string {
    const { machine, state } = this;
    const { count, speeds, switching } = machine;
    const touching = this.touching(contacts).map((here, k) => here || closing.includes(k) || machine.mode[k] !== null);
    const before = state.slice(count, count + speeds);
    machine.at(this.time, state);
    const size = speeds + machine.plan.unknowns.length;
    const mass = machine.call("system").slice(count);
    let energy = 0;
    for (let i = 0; i < speeds; i++) energy += (before[i] * dot(mass.subarray(i * size, i * size + speeds), before)) / 2;
    const found = impact(contacts, closing, touching, switching.touches.map(({ impact: law }) => law), before, energy);
    if (found.refused) return switching.refused[found.refused[0]].replace("{}", switching.touches[found.refused[1]].name);
    state.set(found.speeds, count);
    found.dissipated.forEach((e, k) => (state[count + speeds + 2 * k] += e));
    found.work.forEach((e, k) => (state[count + speeds + 2 * k + 1] += e));
    return this.afterImpact(closing);
  }

  private afterImpact(closing: number[]): string {
    const contacts = this.survey();
    const old = this.machine.mode;
    const near = this.touching(contacts);
    const closed = old.map((acting, k) => acting !== null || near[k] || closing.includes(k));
    const resting = closed.map((here, k) => here && this.rate(contacts, k) <= 0);
    const answer = chosen(contacts, this.situation(contacts, resting), old);
    if (answer === null) return this.machine.switching.undecided;
    const fall = (k: number) => -answer.rates[contacts.touches[k].row];
    const low = closed.flatMap((here, k) => {
      const rise = this.rate(contacts, k);
      return here && !resting[k] && fall(k) > 0 && rise ** 2 / (2 * fall(k)) < LOW_BOUNCE ? [k] : [];
    });
    const since = this.time - this.lastHit;
    this.lastHit = this.time;
    if (low.length) {
      const flight = Math.max(...low.map((k) => (2 * this.rate(contacts, k)) / fall(k)));
      return this.settle(contacts, closed, flight / (1 - Math.min(flight / since, 0.9999)), Math.max(...low.map((k) => this.rate(contacts, k))));
    }
    this.enter(contacts, answer, "impact", this.time);
    for (const k of closing) if (old[k] === null && this.machine.mode[k] === null) this.note(k, "open", "open", "impact", this.time);
    return "";
  }

  /** Close contacts whose bounces are summed: what is left of their speed is lost. */
  private settle(contacts: Contacts, closed: boolean[], rest: number, speed: number): string {
    const parts: number[] = [];
    const low = contacts.touches.map(({ row }, k) => row >= 0 && closed[k]);
    contacts.touches.forEach(({ row, frictions }, k) => {
      if (!low[k]) return;
      parts.push(row);
      for (const { rows } of frictions) if (Math.hypot(...rows.map((r) => contacts.rows[r].value)) < 10 * speed) parts.push(...rows);
    });
    this.stop(contacts, parts);
    const after = this.survey();
    const resting = closed.map((here, k) => here && (low[k] || this.rate(after, k) <= 0));
    return this.decide(after, this.situation(after, resting), "bounces have accumulated", this.time + rest);
  }
}
