// The door: window.nonholoViewer.mount(element, scene).
import { Film, type Wishes } from "./film";
import { Panel } from "./panel";
import { numbers, type SceneData } from "./scene";

const FORMAT = 1;
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

declare global {
  interface Window {
    nonholoViewer: { mount: typeof mount };
  }
}

window.nonholoViewer = { mount };
