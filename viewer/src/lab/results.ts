// What is known of one text: a row of tabs, each filled as it is computed.
import type { Section, Told } from "./api";

export const PARTS = [
  { key: "motion", title: "Motion", stages: ["motion"] },
  { key: "equations", title: "Equations", stages: ["equations", "forms"] },
  { key: "checks", title: "Checks", stages: ["checks"] },
  { key: "symmetry", title: "Symmetry", stages: ["symmetry"] },
  { key: "verdict", title: "Verdict", stages: ["verdict"] },
];
const WAITING = { motion: "Computing the motion …", equations: "Deriving the equations …", checks: "Comparing all derivations …", symmetry: "Searching symmetries …", verdict: "Finding the verdict …" } as Record<string, string>;
const SIGNS = { waiting: "○", begun: "◔", done: "●", failed: "✕", stopped: "–" };
type State = keyof typeof SIGNS;

export interface Part { state: State; sections: Section[]; words: string; page: string; old: boolean }

/** The answers on one text, without a picture of them. */
export class Answers {
  parts = new Map<string, Part>(PARTS.map((p) => [p.key, { state: "waiting", sections: [], words: "", page: "", old: false }]));
  running = false;

  begin(): void {
    this.running = true;
    for (const part of this.parts.values()) Object.assign(part, { state: "waiting", old: part.sections.length > 0 || part.page !== "" });
  }

  /** Take in one message; the parts it changed. */
  take(told: Told): string[] {
    if (told.state === "end") return this.end();
    const found = PARTS.find((p) => p.stages.includes(told.stage));
    if (!found) return [];
    const part = this.parts.get(found.key)!;
    if (told.state === "begun") {
      if (part.state === "waiting") part.state = "begun";
    } else if (told.state === "failed" && told.stage === "forms") {
      return [];
    } else {
      Object.assign(part, { state: told.state, sections: told.sections ?? [], words: told.words ?? "", page: told.page ?? "", old: false });
    }
    return [found.key];
  }

  /** Nothing more comes, because the text cannot be read: what is there stays, the rest waits. */
  wait(): void {
    this.running = false;
    for (const part of this.parts.values()) part.state = "waiting";
  }

  end(): string[] {
    this.running = false;
    const open = PARTS.filter((p) => ["waiting", "begun"].includes(this.parts.get(p.key)!.state));
    for (const part of open) this.parts.get(part.key)!.state = "stopped";
    return open.map((part) => part.key);
  }
}

/** The tabs and panels of the answers on a text. */
export class Results {
  readonly root = document.createElement("section");
  private head = document.createElement("h2");
  private tabs = new Map<string, HTMLButtonElement>();
  private panels = new Map<string, HTMLElement>();
  private frame: HTMLIFrameElement | null = null;
  private next: HTMLIFrameElement | null = null;
  readonly take = document.createElement("button");
  private foot = document.createElement("p");
  private answers: Answers | null = null;

  constructor(id: string, public chosen: string, private choose: (key: string) => void, private stop: () => void, private again: () => void) {
    this.root.className = "answers";
    this.root.setAttribute("aria-label", "Results");
    this.head.className = "of";
    const row = document.createElement("div");
    row.className = "parts";
    row.setAttribute("role", "tablist");
    row.setAttribute("aria-label", "Results");
    this.foot.className = "working";
    const line = document.createElement("div");
    line.className = "row";
    this.take.type = "button";
    this.take.className = "take";
    this.take.textContent = "Take the numbers into the text";
    this.take.hidden = true;
    line.append(row, this.foot, this.take);
    this.root.append(this.head, line);
    for (const { key, title } of PARTS) {
      const tab = document.createElement("button");
      tab.type = "button";
      tab.id = `${id}-tab-${key}`;
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", `${id}-${key}`);
      tab.innerHTML = `<span class="sign" aria-hidden="true"></span> ${title}<span class="unseen"></span>`;
      tab.addEventListener("click", () => this.choose(key));
      row.append(tab);
      this.tabs.set(key, tab);
      const panel = document.createElement("div");
      panel.id = `${id}-${key}`;
      panel.className = `panel ${key}`;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tab.id);
      panel.tabIndex = key === "motion" ? -1 : 0;
      this.panels.set(key, panel);
      this.root.append(panel);
    }
    keys(row);
  }

  /** A frame for a living page. It has no origin of the lab's: nothing in the page can ask the lab for anything. */
  private framed(address: string): HTMLIFrameElement {
    const frame = document.createElement("iframe");
    frame.title = "Living page of the motion";
    frame.setAttribute("sandbox", "allow-scripts allow-downloads");
    frame.setAttribute("allow", "clipboard-write; fullscreen");
    frame.className = "coming";
    frame.src = address;
    return frame;
  }

  /** Whether a message comes from the page that is shown. */
  shows(source: MessageEventSource | null): boolean {
    return source !== null && source === this.frame?.contentWindow;
  }

  show(answers: Answers, title: string): void {
    this.answers = answers;
    this.head.textContent = title;
    for (const { key } of PARTS) this.draw(key);
    this.status();
  }

  select(key: string): void {
    this.chosen = key;
    for (const [name, tab] of this.tabs) {
      tab.setAttribute("aria-selected", String(name === key));
      tab.tabIndex = name === key ? 0 : -1;
      this.panels.get(name)!.hidden = name !== key;
      if (name === key) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }

  focus(key: string): void {
    this.tabs.get(key)?.focus();
  }

  draw(key: string): void {
    const part = this.answers!.parts.get(key)!;
    const tab = this.tabs.get(key)!;
    tab.dataset.state = part.state;
    tab.querySelector(".sign")!.textContent = SIGNS[part.state];
    tab.querySelector(".unseen")!.textContent = `, ${part.state}`;
    const panel = this.panels.get(key)!;
    panel.classList.toggle("old", part.old);
    panel.setAttribute("aria-busy", String(part.state === "waiting" || part.state === "begun"));
    if (key === "motion") this.motion(panel, part);
    else if (!part.old || panel.childElementCount === 0) this.sections(panel, part, key);
    this.status();
  }

  private motion(panel: HTMLElement, part: Part): void {
    const address = part.page ? `/page/${part.page}` : "";
    let words = panel.querySelector<HTMLElement>(".words");
    if (!words) {
      words = document.createElement("div");
      words.className = "words";
      panel.append(words);
    }
    const shown = this.next ?? this.frame;
    if (!address) {
      this.frame?.remove();
      this.next?.remove();
      this.frame = this.next = null;
    } else if (shown?.getAttribute("src") !== address) {
      // the old page stays in sight until the new one is there
      this.next?.remove();
      const next = (this.next = this.framed(address));
      const settle = () => {
        if (this.next !== next) return;
        this.frame?.remove();
        this.frame = next;
        this.next = null;
        next.className = "";
      };
      next.addEventListener("load", settle, { once: true });
      panel.append(next);
      if (!this.frame) settle();
    }
    words.replaceChildren();
    if (!address) words.append(this.say(part, "motion"));
  }

  private sections(panel: HTMLElement, part: Part, key: string): void {
    panel.replaceChildren();
    for (const section of part.sections) {
      const heading = document.createElement("h3");
      heading.textContent = section.title;
      const body = document.createElement("div");
      body.innerHTML = section.body; // made by the server, where every word of a text is escaped; the page's policy runs nothing in it
      panel.append(heading, body);
    }
    if (!part.sections.length) panel.append(this.say(part, key));
  }

  private say(part: Part, key: string): HTMLElement {
    const told = document.createElement("p");
    told.className = `note ${part.state}`;
    told.textContent =
      part.state === "failed" ? part.words
      : part.state === "stopped" ? (this.answers!.running ? "" : "Not computed.")
      : part.state === "done" ? (key === "symmetry" ? "No symmetry and no conserved quantity were found." : "Nothing to show.")
      : this.answers!.running ? WAITING[key]
      : "Waits for a text without mistakes.";
    if (part.state === "stopped") {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Compute";
      button.addEventListener("click", () => this.again());
      told.append(" ", button);
    }
    return told;
  }

  status(): void {
    const answers = this.answers;
    if (!answers?.running) return this.foot.replaceChildren();
    const now = PARTS.find((p) => answers.parts.get(p.key)!.state === "begun") ?? PARTS.find((p) => answers.parts.get(p.key)!.state === "waiting");
    const said = now ? WAITING[now.key] : "Deriving the other forms …";
    const before = this.foot.querySelector("span");
    if (before) return void (before.textContent = said); // the button stays, so that no click on it is lost
    const words = document.createElement("span");
    words.textContent = said;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Stop";
    button.addEventListener("click", () => this.stop());
    this.foot.append(words, button);
  }
}

/** Arrow keys, Home and End move among the tabs of a row. */
export function keys(row: HTMLElement): void {
  row.addEventListener("keydown", (event) => {
    const tabs = [...row.querySelectorAll<HTMLElement>("[role=tab]")];
    const at = tabs.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length];
    next.click();
    row.querySelectorAll<HTMLElement>("[role=tab]")[(to + tabs.length) % tabs.length]?.focus();
  });
}
