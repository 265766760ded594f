// The door: window.nonholoViewer.mount(element, scene).
import { Film, type Wishes } from "./film";
import { Panel } from "./panel";
import type { LiveData } from "./living/data";
import { type GaitMap, Gaits } from "./living/gait";
import { Living } from "./living/living";
import { numbers, type SceneData } from "./scene";

const FORMAT = 1;
/** A film waits at most so many milliseconds for the first motion solved in the page. */
const WAIT = 3_000;
const NO_WEBGL = "This film is drawn with WebGL, which this browser does not offer. Turn on hardware acceleration, or open the page in another browser.";

function mount(element: HTMLElement, scene: SceneData, wishes: Wishes = {}): Film | null {
  const system = window.matchMedia("(prefers-color-scheme: dark)").matches;
  const dark = wishes.theme === "dark" || (wishes.theme === "auto" && system);
  const times = numbers(scene.times);
  const panel = new Panel(element, dark, scene.name, Math.abs(times[times.length - 1] - times[0]));
  if (scene.format !== FORMAT) {
    panel.note(`This film is written in format ${scene.format}; the viewer reads ${FORMAT}. Build the viewer again.`);
    return null;
  }
  // asked for here, so that a browser without it gets a sentence and no error
  const context = panel.canvas.getContext("webgl2", { alpha: true, antialias: true, preserveDrawingBuffer: true });
  if (!context) {
    panel.note(NO_WEBGL);
    return null;
  }
  const film = new Film(panel, scene, context, dark, wishes);
  (panel.root as HTMLElement & { film?: Film }).film = film;
  return film;
}

const NO_WASM = "This page can solve its motion again when its numbers are changed, but this browser runs no WebAssembly: what you see is the recorded motion.";

/** Controls below a film (or alone) that solve the motion again in the page; without WebAssembly a sentence, and the recorded film. */
function live(element: HTMLElement, data: LiveData, film: Film | null = null, scene: SceneData | null = null): Living | null {
  const say = (text: string) => {
    const note = document.createElement("p");
    note.className = "note nhl-none";
    note.textContent = text;
    element.append(note);
    return null;
  };
  if (typeof WebAssembly !== "object" || typeof WebAssembly.instantiate !== "function") return say(NO_WASM);
  try {
    const made = new Living(element, data, film, scene);
    (element as HTMLElement & { living?: Living }).living = made;
    return made;
  } catch (trouble) {
    element.replaceChildren();
    return say(`${NO_WASM.replace("runs no WebAssembly", "does not let it")} (${String(trouble)})`);
  }
}

/** The controls that a page holds as data, for the film above them: they solve while the rest of the page is still being read. */
function attach(box: HTMLElement): void {
  const read = <T>(element: Element): T => JSON.parse(element.querySelector(":scope > script[type='application/json']")!.textContent!) as T;
  const stage = document.querySelector<HTMLElement>(".nonholo-film");
  const film = (stage?.querySelector(".nhf") as (HTMLElement & { film?: Film }) | null)?.film ?? null;
  // two films at once would cost more than one: the recorded one stands still until the first motion has been solved
  film?.wait(WAIT);
  if (!live(box, read<LiveData>(box), film, stage ? read<SceneData>(stage) : null)) film?.begin();
}

/** A map of gaits from the data inside an element. */
function gait(box: HTMLElement): Gaits {
  return new Gaits(box, JSON.parse(box.querySelector(":scope > script[type='application/json']")!.textContent!) as GaitMap);
}

declare global {
  interface Window {
    nonholoViewer: { mount: typeof mount; live: typeof live; attach: typeof attach; gait: typeof gait };
  }
}

window.nonholoViewer = { mount, live, attach, gait };
