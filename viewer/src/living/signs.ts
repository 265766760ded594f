// Point at a symbol in a formula: what it means, and its value now.
import type { Sign } from "./data";
import { figures } from "./words";

export class Signs {
  private readonly box: HTMLDivElement;
  private values: Record<string, number> = {};

  constructor(root: ParentNode, signs: Sign[]) {
    this.box = document.createElement("div");
    this.box.className = "nhl-meaning";
    this.box.setAttribute("role", "tooltip");
    this.box.hidden = true;
    document.body.append(this.box);
    const known = new Map<string, Sign>();
    const drop = document.createElement("div");
    for (const sign of signs) {
      drop.innerHTML = `<math>${sign.mathml}</math>`;
      const math = drop.firstElementChild;
      if (math && math.childElementCount === 1) known.set(math.firstElementChild!.outerHTML, sign);
    }
    const mark = () => {
      for (const element of root.querySelectorAll("math mi, math msub, math mover")) {
        const sign = known.get(element.outerHTML);
        if (!sign || element.classList.contains("nhl-sign")) continue;
        // an accented or indexed letter is one sign, not its parts
        if (element.parentElement?.closest(".nhl-sign")) continue;
        element.classList.add("nhl-sign");
        (element as Element & { sign?: Sign }).sign = sign;
      }
    };
    // marking waits until the page stands
    (window.requestIdleCallback ?? ((act: () => void) => window.setTimeout(act, 200)))(mark);
    const over = (event: Event) => {
      const target = event.target as Element;
      const element = target.closest?.(".nhl-sign") as (Element & { sign?: Sign }) | null;
      if (element?.sign) this.show(element, element.sign);
      else this.box.hidden = true;
    };
    document.addEventListener("pointerover", over);
    document.addEventListener("pointerdown", over);
  }

  update(values: Record<string, number>): void {
    this.values = values;
  }

  private show(element: Element, sign: Sign): void {
    const value = this.values[sign.name];
    const unit = sign.unit && sign.unit !== "1" ? ` ${sign.unit}` : "";
    this.box.innerHTML = "";
    const name = document.createElement("span");
    name.innerHTML = sign.label;
    this.box.append(name, sign.meaning ? `: ${sign.meaning}` : "", value === undefined ? "" : `${sign.meaning ? "; " : " = "}now ${figures(value, 4)}${unit}`);
    const place = element.getBoundingClientRect();
    this.box.hidden = false;
    const wide = this.box.offsetWidth;
    const left = Math.min(Math.max(8, place.left + place.width / 2 - wide / 2), document.documentElement.clientWidth - wide - 8);
    this.box.style.left = `${left + window.scrollX}px`;
    this.box.style.top = `${place.top + window.scrollY - this.box.offsetHeight - 6}px`;
  }
}
