// What the browser keeps by itself: the key of the lab, and the open texts of each tab until they are saved.
import type { Kept } from "./texts";

const KEY = "nonholo-lab-key";
const TEXTS = "nonholo-lab-texts:";
const TAB = "nonholo-lab-tab";
const RELOAD = 2000; // milliseconds within which a page that is loaded again gives up its lock
let own = "";

interface Stored { place: string; kept: Kept }

/** Lock a name until this page is closed; false where another page has it. */
function lock(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const closed = () => { resolve(true); return new Promise(() => undefined); };
    navigator.locks.request(name, { signal: AbortSignal.timeout(RELOAD) }, closed).catch(() => resolve(false));
  });
}

/** Where this tab keeps its texts; a tab that was duplicated gets a place of its own. Another folder has another place. */
export async function claimStore(place: string): Promise<void> {
  own = `${TEXTS}${sessionStorage.getItem(TAB) ?? crypto.randomUUID()}:${place}`;
  if (!(await lock(own))) await lock((own = `${TEXTS}${crypto.randomUUID()}:${place}`));
  sessionStorage.setItem(TAB, own.slice(TEXTS.length).split(":")[0]);
}

export const storedKey = (): string | null => localStorage.getItem(KEY);
export const storeKey = (key: string): void => localStorage.setItem(KEY, key);
export const forgetKey = (): void => localStorage.removeItem(KEY);

/** Keep the texts of this tab; what does not fit is left out without a word, the server has it too. */
export function storeTexts(place: string, kept: Kept): void {
  const stored: Stored = { place, kept };
  try {
    localStorage.setItem(own, JSON.stringify(stored));
  } catch {
    return;
  }
}

/** The texts of this tab before it was loaded again, or the unsaved ones of tabs that are closed: nobody holds their lock. */
export async function recovered(place: string): Promise<Kept | null> {
  const before = read(own);
  if (before) return before.kept;
  const texts: Kept["texts"] = [];
  const open = new Set((await navigator.locks.query()).held?.map(({ name }) => name));
  for (const name of Object.keys(localStorage).filter((n) => n.startsWith(TEXTS) && !open.has(n))) {
    const found = read(name);
    if (!found || found.place !== place) continue;
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
