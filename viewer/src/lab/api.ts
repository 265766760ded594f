// Questions to the server: JSON there and back, with the key of this page; long answers come line by line.
import { isLink } from "./sharing";
import { forgetKey, storeKey, storedKey } from "./storage";

export interface Place { from: number; to: number; line: number; column: number }
export interface Section { title: string; body: string }
export interface Told extends Partial<Place> {
  stage: string;
  state: "begun" | "done" | "failed" | "mistake" | "end";
  words?: string;
  title?: string;
  text?: string;
  page?: string;
  sections?: Section[];
  seconds?: number;
  place?: Place;
}

export class Refused extends Error {
  constructor(readonly status: number, words: string) {
    super(words);
  }
}

let key = "";

export interface Entered { key: string; version: string; folder: string; place: string; open: string; kept: string; link: string }

/** Exchange the word in the address for a key, or go on with the key that this browser has, from this tab or another. */
export async function enter(): Promise<Entered | null> {
  // the address may hold a shared text in place of the word
  const link = isLink(location.hash) ? location.hash : "";
  const word = link ? "" : decodeURIComponent(location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
  const before = storedKey();
  if (before) {
    key = before;
    try {
      const again = await ask<Omit<Entered, "key" | "link">>("again", {});
      return { ...again, key, link };
    } catch (trouble) {
      if (!(trouble instanceof Refused)) throw trouble;
      forgetKey();
    }
  }
  if (!word) return null;
  const entered = await ask<Omit<Entered, "link">>("enter", { word });
  key = entered.key;
  storeKey(key);
  return { ...entered, link };
}

/** Wait until another page of this browser has entered the lab that was started again, and go on with its key. */
export async function renewed(): Promise<void> {
  while (storedKey() === key || !storedKey()) await new Promise((resolve) => addEventListener("storage", resolve, { once: true }));
  key = storedKey()!;
}

function request(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(`/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key ? { authorization: `Bearer ${key}` } : {}) },
    body: JSON.stringify(body),
    credentials: "omit",
    signal,
  });
}

async function refused(answer: Response): Promise<Refused> {
  const told = await answer.json().catch(() => ({}));
  return new Refused(answer.status, told.error ?? `the lab answered ${answer.status}.`);
}

export async function ask<T>(path: string, body: unknown): Promise<T> {
  const answer = await request(path, body);
  if (!answer.ok) throw await refused(answer);
  return (await answer.json()) as T;
}

/** Every line of a long answer; ends when the server ends it or the signal is given. */
export async function* stream(path: string, body: unknown, signal?: AbortSignal): AsyncGenerator<Told> {
  const answer = await request(path, body, signal);
  if (!answer.ok) throw await refused(answer);
  const reader = answer.body!.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const [lines, left] = split(rest + decoder.decode(value, { stream: true }));
    rest = left;
    for (const line of lines) yield JSON.parse(line) as Told;
  }
}

/** Whole lines that say something, and what is left of the last. */
export function split(text: string): [string[], string] {
  const lines = text.split("\n");
  const rest = lines.pop()!;
  return [lines.filter((line) => line.trim()), rest];
}
