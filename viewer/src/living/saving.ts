// What can be taken away from a living page: its address, numbers, a picture, the film.
import type { Film } from "../film";
import type { Experiment, LiveData } from "./data";
import { type Controls, make } from "./panel";
import type { Motion } from "./plan";
import { csv, fragment } from "./words";

/** A picture is saved with so many times the pixels that it has in the page. */
const TWICE = 2;

/** A list below the film: copy the address, save numbers, picture or film. */
export function saving(controls: Controls, data: LiveData, film: Film | null, chosen: () => Experiment, motion: () => Motion | null): void {
  const name = data.plan.name.replace(/[^\w-]+/g, "-").toLowerCase();
  const select = make("select", "", controls.top);
  select.setAttribute("aria-label", "Save or share");
  select.add(new Option("Save", "", true, true));
  const acts: Record<string, () => void> = {
    link: () => {
      const address = window.location.href.split("#")[0] + fragment(data, chosen());
      const refused = () => controls.offer("This browser does not let the page copy. The address of this experiment, to be copied by hand:", address);
      if (!navigator.clipboard) return refused();
      navigator.clipboard.writeText(address).then(() => controls.tell("The address of this experiment has been copied.", false), refused);
    },
    csv: () => {
      const found = motion();
      if (found) save(`${name}.csv`, new Blob([csv(found.columns)], { type: "text/csv" }));
    },
  };
  // inside another page, such as the lab, the address is that of a frame, and of no use elsewhere
  if (window.parent === window) select.add(new Option("copy link", "link"));
  select.add(new Option("numbers (CSV)", "csv"));
  const canvas = film?.panel.canvas;
  if (canvas && film) {
    acts.png = () => {
      film.enlarged(TWICE, () => canvas.toBlob((blob) => blob && save(`${name}.png`, blob), "image/png"));
    };
    select.add(new Option("picture (PNG)", "png"));
    if (typeof MediaRecorder !== "undefined" && "captureStream" in canvas && MediaRecorder.isTypeSupported("video/webm")) {
      acts.webm = () => record(controls, film, canvas, name);
      select.add(new Option("film (WebM)", "webm"));
    }
  }
  select.addEventListener("change", () => {
    acts[select.value]?.();
    select.value = "";
  });
}

/** The film once from its beginning to its end. */
function record(controls: Controls, film: Film, canvas: HTMLCanvasElement, name: string): void {
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: "video/webm" });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => data.size && parts.push(data);
  recorder.onstop = () => {
    save(`${name}.webm`, new Blob(parts, { type: "video/webm" }));
    controls.tell("The film has been saved.", false);
  };
  controls.tell("Recording the film …", false);
  film.pause();
  film.seek(film.start);
  recorder.start(200);
  film.play();
  const watch = window.setInterval(() => {
    if (film.playing && film.time !== film.end) return;
    window.clearInterval(watch);
    film.pause();
    recorder.stop();
  }, 60);
}

function save(name: string, content: Blob): void {
  const link = document.createElement("a");
  const address = URL.createObjectURL(content);
  Object.assign(link, { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
