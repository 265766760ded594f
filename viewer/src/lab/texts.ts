// The open texts: their tabs, which one is worked on, what is not saved yet.
import type { EditorState } from "@codemirror/state";
import { Answers } from "./results";

export interface Problem { from: number; to: number; line: number; words: string }

export class Text {
  answers = new Answers();
  problem: Problem | null = null;
  abort: AbortController | null = null;
  studied = "";
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

export function kept(texts: Text[], active: Text | null): string {
  const told: Kept = {
    texts: texts.map((t) => ({ path: t.path, content: t.content, saved: t.saved, mark: t.mark, first: t.first })),
    active: active ? texts.indexOf(active) : 0,
  };
  return JSON.stringify(told);
}

/** A name that no other text has. */
export function freeName(taken: string[], wanted: string): string {
  const stem = wanted.replace(/\.toml$/, "");
  for (let k = 1; ; k++) {
    const name = k === 1 ? `${stem}.toml` : `${stem}-${k}.toml`;
    if (!taken.includes(name)) return name;
  }
}
