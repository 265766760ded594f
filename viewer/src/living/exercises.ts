// Exercises: predict and then run, or move sliders until a goal is reached.
import type { Exercise } from "./data";
import { make } from "./panel";
import type { Motion } from "./plan";
import { figures } from "./words";

export class Exercises {
  private readonly cards: { exercise: Exercise; told: HTMLElement; root: HTMLElement }[] = [];
  private active: number | undefined;

  constructor(parent: HTMLElement, exercises: Exercise[], begin: (exercise: number) => void, private readonly mark: (names: string[]) => void) {
    const stage = parent.parentElement?.classList.contains("stage") ? parent.parentElement : parent;
    const list = make("div", "nhl-exercises", stage);
    list.setAttribute("aria-label", "Exercises");
    exercises.forEach((exercise, k) => {
      const root = make("section", "nhl-exercise", list);
      make("small", "", root, `Exercise ${k + 1}`);
      make("p", "", root, exercise.question);
      const buttons = make("div", "", root);
      const told = make("p", "", root);
      told.setAttribute("role", "status");
      const run = () => begin(k);
      if (exercise.choices) this.choices(exercise, root, buttons, told, run);
      else {
        const button = make("button", "", buttons, "Begin");
        button.type = "button";
        button.addEventListener("click", run);
        if (exercise.change?.length) make("small", "", buttons, "Move the marked sliders.");
      }
      this.cards.push({ exercise, told, root });
    });
  }

  private choices(exercise: Exercise, root: HTMLElement, buttons: HTMLElement, told: HTMLElement, run: () => void): void {
    exercise.choices!.forEach((choice, n) => {
      const button = make("button", "", buttons, choice);
      button.type = "button";
      button.addEventListener("click", () => {
        const right = n + 1 === exercise.answer;
        for (const other of buttons.querySelectorAll("button")) other.classList.remove("nhl-not");
        button.classList.add(right ? "nhl-right" : "nhl-not");
        root.classList.toggle("nhl-done", right);
        told.textContent = right ? `Right. ${exercise.because ?? ""}`.trim() : "No: look at the motion and try again.";
        run();
      });
    });
  }

  /** The exercise that is being done, if any: its sliders are marked, and motions are measured by its goal. */
  follow(active: number | undefined): void {
    if (active === this.active) return;
    this.active = active;
    this.mark(active === undefined ? [] : this.cards[active].exercise.change ?? []);
  }

  /** How near the motion comes to the goals. */
  show(motion: Motion): void {
    this.cards.forEach(({ exercise, told, root }, k) => {
      if (!exercise.column || k !== this.active) return;
      const values = motion.columns[exercise.column];
      const distance = values?.length ? reached(values, exercise.at) : NaN;
      const done = motion.outcome.kind === "reached" && distance <= exercise.within!;
      root.classList.toggle("nhl-done", done);
      root.dataset.distance = String(distance);
      const now = `Off by ${figures(distance, 3)}; needed: at most ${figures(exercise.within!, 3)}.`;
      told.textContent = done ? `Reached, off by ${figures(distance, 3)}. ${exercise.because ?? ""}`.trim() : now;
    });
  }
}

/** The size of a goal at the end of a motion, or where it is smallest. */
export function reached(values: ArrayLike<number>, at: "end" | "closest"): number {
  if (at === "end") return Math.abs(values[values.length - 1]);
  let least = Infinity;
  for (let k = 0; k < values.length; k++) least = Math.min(least, Math.abs(values[k]));
  return least;
}
