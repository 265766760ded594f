// The open texts: their tabs, which one is worked on, what is not saved yet.
import type { EditorState } from "@codemirror/state";
import type { Changes } from "../living/words";
import { Answers } from "./results";

export interface Problem { from: number; to: number; line: number; words: string }

export class Text {
  answers = new Answers();
  problem: Problem | null = null;
  abort: AbortController | null = null;
  studied = "";
  /** Whether `problem` is what was found in the present content. */
  read = false;
  numbers: Changes | null = null;
  constructor(readonly id: number, public path: string, public state: EditorState, public saved: string | null, public mark: string, public first: string) {}

  get content(): string {
    return this.state.doc.toString();
  }

  /** Whether something would be lost: a text that is as it was opened, from the gallery too, loses nothing. */
  get unsaved(): boolean {
    return this.content !== (this.saved ?? this.first);
  }

  get title(): string {
    return this.path.split("/").pop()!;
  }
}

export interface Kept { texts: { path: string; content: string; saved: string | null; mark: string; first: string }[]; active: number }

export function kept(texts: Text[], active: Text | null): Kept {
  return {
    texts: texts.map((t) => ({ path: t.path, content: t.content, saved: t.saved, mark: t.mark, first: t.first })),
    active: active ? texts.indexOf(active) : 0,
  };
}

/** A name that no other text has. */
export function freeName(taken: string[], wanted: string): string {
  const stem = wanted.replace(/\.toml$/, "");
  for (let k = 1; ; k++) {
    const name = k === 1 ? `${stem}.toml` : `${stem}-${k}.toml`;
    if (!taken.includes(name)) return name;
  }
}

/** The numbers that a living page says it has, if it says so in the right words. */
export function numbersOf(told: unknown): Changes | null {
  const given = told as { nonholo?: unknown; tables?: unknown; until?: unknown } | null;
  if (typeof given !== "object" || given?.nonholo !== "numbers" || !Array.isArray(given.tables)) return null;
  const entry = (e: unknown) => Array.isArray(e) && typeof e[0] === "string" && (typeof e[1] === "string" || Number.isFinite(e[1]));
  const right = given.tables.every((t: unknown) => Array.isArray(t) && Array.isArray(t[0]) && t[0].every((n) => typeof n === "string") && Array.isArray(t[1]) && t[1].every(entry));
  const until = Number.isFinite(given.until) ? (given.until as number) : null;
  return right && (given.tables.length || until !== null) ? { tables: given.tables as Changes["tables"], until } : null;
}

/** What differs between two texts, as one piece. */
export function difference(before: string, after: string): { from: number; to: number; insert: string } {
  let from = 0;
  while (from < before.length && from < after.length && before[from] === after[from]) from++;
  let end = 0;
  while (end < before.length - from && end < after.length - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

/** Where a text makes what is called so: the table `[[…]]` or the braces around its name or label. */
export function linesOf(text: string, label: string): { from: number; to: number } | null {
  return namedLines(text, label) ?? namedLines(text, label.replace(/ \d+$/, "")); // a copy has the lines of what is copied
}

function namedLines(text: string, label: string): { from: number; to: number } | null {
  const quoted = label.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const found = new RegExp(`(^|[\\s{,])(name|label)\\s*=\\s*(["'])${quoted}\\3`, "m").exec(text);
  if (!found) return null;
  const at = found.index + found[1].length;
  const before = text.slice(0, at);
  const line = before.lastIndexOf("\n") + 1;
  const brace = before.lastIndexOf("{");
  if (brace >= line && before.indexOf("}", brace) < 0) {
    let depth = 0;
    for (let k = brace; k < text.length; k++) {
      depth += text[k] === "{" ? 1 : text[k] === "}" ? -1 : 0;
      if (!depth) return { from: brace, to: k + 1 };
    }
  }
  const heads = [...text.matchAll(/^[ \t]*\[[^\n]*$/gm)].map(({ index }) => index ?? 0);
  const from = heads.filter((k) => k <= at).pop() ?? line;
  const to = heads.find((k) => k > at) ?? text.length;
  return { from, to: from + text.slice(from, to).trimEnd().length };
}
