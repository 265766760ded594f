// What the browser keeps by itself: the key of the lab, and the open texts of each tab until they are saved.
import type { Kept } from "./texts";

const KEY = "nonholo-lab-key";
const TEXTS = "nonholo-lab-texts:";
const ALIVE = 4000; // milliseconds between two signs of life of a tab

/** The place of this tab's texts. */
function own(): string {
  const tab = sessionStorage.getItem("nonholo-lab-tab") ?? crypto.randomUUID();
  sessionStorage.setItem("nonholo-lab-tab", tab);
  return TEXTS + tab;
}

interface Stored { folder: string; at: number; kept: Kept }

export const storedKey = (): string | null => localStorage.getItem(KEY);
export const storeKey = (key: string): void => localStorage.setItem(KEY, key);
export const forgetKey = (): void => localStorage.removeItem(KEY);

/** Keep the texts of this tab; what does not fit is left out without a word, the server has it too. */
export function storeTexts(folder: string, kept: Kept): void {
  const told: Stored = { folder, at: Date.now(), kept };
  try {
    localStorage.setItem(own(), JSON.stringify(told));
  } catch {
    return;
  }
}

/** Say every few seconds that this tab is open, so that no other takes its texts. */
export function stayAlive(texts: () => [string, Kept]): void {
  setInterval(() => storeTexts(...texts()), ALIVE);
}

/** The texts of this tab before it was loaded again, or the unsaved ones of tabs that are gone. */
export function recovered(folder: string): Kept | null {
  const before = read(own());
  if (before?.folder === folder) return before.kept;
  const texts: Kept["texts"] = [];
  for (const name of Object.keys(localStorage).filter((n) => n.startsWith(TEXTS))) {
    const found = read(name);
    if (!found || found.folder !== folder || Date.now() - found.at < 3 * ALIVE) continue;
    texts.push(...found.kept.texts.filter((t) => t.content !== (t.saved ?? t.first)));
    localStorage.removeItem(name);
  }
  return texts.length ? { texts, active: 0 } : null;
}

function read(name: string): Stored | null {
  try {
    const found = JSON.parse(localStorage.getItem(name) ?? "null") as Stored | null;
    return found && Array.isArray(found.kept?.texts) ? found : null;
  } catch {
    return null;
  }
}
