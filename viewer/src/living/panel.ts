// Sliders and numbers for every value, with their words.
import type { Control, LiveData, Values } from "./data";
import { STYLE } from "./style";

const GROUPS: [string, Control["kind"][]][] = [
  ["Start", ["coordinate", "angle", "velocity"]],
  ["Parameters", ["parameter"]],
  ["Inputs", ["input", "law"]],
  ["Time", ["until"]],
];

/** What rarely needs to be changed, and why. */
const FOLDS: [Control["fold"], string, string][] = [
  ["follows", "follows from the constraints", "follow from the constraints"],
  ["moves", "shifts or turns the motion as a whole", "shift or turn the motion as a whole"],
];

/** Letters of a formula in the column of names. */
const FITS = 10;

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, name: string, parent: HTMLElement, text = ""): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text) element.textContent = text;
  parent.append(element);
  return element;
}

/** A name drawn as in formulas; dots stand free of their letters. */
export function drawn(data: LiveData, name: string): string {
  const sign = data.signs.find((one) => one.name === name);
  return sign ? `<math>${sign.mathml}</math>` : "";
}

/** A label for places that take plain text alone: a rate as dx/dt, since dots melt into letters there. */
export function plain(label: string): string {
  const text = document.createElement("span");
  text.innerHTML = label;
  const letters = (text.textContent ?? "").normalize("NFD");
  return (letters.includes("\u0307") ? `d${letters.replace("\u0307", "")}/dt` : letters).normalize("NFC");
}

interface Row {
  control: Control;
  root: HTMLElement;
  range: HTMLInputElement;
  number: HTMLInputElement;
}

export class Controls {
  readonly root: HTMLDivElement;
  readonly status: HTMLDivElement;
  readonly top: HTMLDivElement;
  readonly follows: HTMLParagraphElement;
  readonly kicks: HTMLDivElement;
  private readonly rows = new Map<string, Row>();

  constructor(parent: HTMLElement, private readonly data: LiveData, changed: (name: string, value: number, settled: boolean) => void) {
    if (!document.getElementById("nonholo-living-style")) {
      const style = document.createElement("style");
      style.id = "nonholo-living-style";
      style.textContent = STYLE;
      document.head.append(style);
    }
    this.root = make("div", "nhl", parent);
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", "Change the numbers");
    this.top = make("div", "nhl-top", this.root);
    this.status = make("div", "nhl-status", this.root);
    this.status.setAttribute("role", "status");
    this.kicks = make("div", "nhl-kick", this.root);
    const groups = make("div", "nhl-groups", this.root);
    let notes: HTMLFieldSetElement | null = null;
    for (const [title, kinds] of GROUPS) {
      const own = data.controls.filter((control) => kinds.includes(control.kind));
      if (!own.length) continue;
      const set = make("fieldset", "", groups);
      make("legend", "", set, title);
      for (const control of own) if (!control.fold) this.rows.set(control.name, this.row(set, control, changed));
      for (const [why, one, several] of FOLDS) {
        const folded = own.filter((control) => control.fold === why);
        if (!folded.length) continue;
        const fold = make("details", "nhl-more", set);
        make("summary", "", fold, folded.length === 1 ? `1 more: it ${one}` : `${folded.length} more: they ${several}`);
        for (const control of folded) this.rows.set(control.name, this.row(fold, control, changed));
      }
      if (title === "Start") notes = set;
    }
    this.follows = make("p", "nhl-note", notes ?? this.root);
    this.follows.setAttribute("aria-live", "polite");
  }

  private row(parent: HTMLElement, control: Control, changed: (name: string, value: number, settled: boolean) => void): Row {
    const root = make("div", "nhl-row", parent);
    const label = make("label", "", root);
    const id = `nhl-${control.name.replace(/\W/g, "_")}`;
    label.htmlFor = id;
    // a formula does not wrap: longer names stand as words
    const wide = plain(control.label.replace(/^d\((.*)\)\/dt$/, "$1")).length;
    make("b", "", label).innerHTML = (wide <= FITS && drawn(this.data, control.name)) || control.label;
    if (control.meaning) make("small", "", label, control.meaning);
    const range = make("input", "", root);
    Object.assign(range, { type: "range", id });
    const number = make("input", "", root);
    Object.assign(number, { type: "number", step: "any", inputMode: "decimal" });
    number.setAttribute("aria-label", `${control.meaning || control.name}, number`);
    make("span", "nhl-unit", root, control.unit === "1" ? "" : control.unit);
    range.dataset.name = number.dataset.name = control.name;
    range.addEventListener("input", () => changed(control.name, Number(range.value), false));
    range.addEventListener("change", () => changed(control.name, Number(range.value), true));
    number.addEventListener("change", () => {
      const value = number.value.trim() === "" ? NaN : Number(number.value);
      if (Number.isFinite(value) && (control.kind !== "until" || value !== 0)) changed(control.name, value, true);
      else number.value = number.dataset.exact ?? range.value;
    });
    // every digit while it is written, seven while it is read
    number.addEventListener("focus", () => (number.value = number.dataset.exact ?? number.value));
    number.addEventListener("blur", () => (number.value = String(Number(Number(number.dataset.exact).toPrecision(7)))));
    const row = { control, root, range, number };
    this.fill(row, control.value);
    return row;
  }

  private fill({ control, root, range, number }: Row, value: number): void {
    // a number beyond the slider's end moves the end
    range.min = String(Math.min(control.low, value));
    range.max = String(Math.max(control.high, value));
    range.step = "any";
    if (document.activeElement !== range) range.value = String(value);
    range.step = String(control.step);
    if (document.activeElement !== range) range.value = String(value);
    const shown = String(Number(value.toPrecision(7)));
    if (document.activeElement !== number) number.value = shown;
    else if (Number(number.value) !== value) number.value = String(value);
    number.dataset.exact = String(value);
    root.classList.toggle("nhl-changed", value !== control.value);
    range.setAttribute("aria-valuetext", `${shown} ${control.unit}`);
  }

  /** Point at the sliders that an exercise is about. */
  mark(names: string[]): void {
    for (const { root, control } of this.rows.values()) root.classList.toggle("nhl-asked", names.includes(control.name));
  }

  show(values: Values): void {
    for (const row of this.rows.values()) this.fill(row, values[row.control.name]);
  }

  tell(text: string, wrong: boolean): void {
    this.status.textContent = text;
    this.status.classList.toggle("nhl-wrong", wrong);
  }

  /** What may not be meant, below what was told. */
  hint(text: string): void {
    make("p", "nhl-hint", this.status, text);
  }

  /** A text to be copied by hand, already marked. */
  offer(words: string, text: string): void {
    this.tell(words, false);
    const box = make("input", "nhl-offer", this.status);
    Object.assign(box, { type: "text", readOnly: true, value: text });
    box.setAttribute("aria-label", words);
    box.focus();
    box.select();
  }

  /** A button with a sign for its word. */
  icon(sign: string, word: string, title: string, act: () => void): HTMLButtonElement {
    const button = this.button(sign, `${word}: ${title}`, act);
    button.className = "nhl-icon";
    button.setAttribute("aria-label", word);
    return button;
  }

  button(text: string, title: string, act: () => void): HTMLButtonElement {
    const button = make("button", "", this.top, text);
    button.type = "button";
    button.title = title;
    button.addEventListener("click", act);
    return button;
  }
}
