// The editor: CodeMirror with TOML, the names of systems, and mistakes at their place.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const KEYWORDS = ["name", "coordinates", "parameters", "inputs", "lagrangian", "constraints", "holonomic", "frame", "quasivelocities", "parametric", "forces", "magnetic", "symmetry", "start", "until", "units", "drawing", "page"];
const TABLES = ["parameters", "inputs", "quasivelocities", "forces", "magnetic", "start", "units", "page.meanings", "page.ranges", "symmetry.shift"];

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--string)" },
  { tag: tags.number, color: "var(--number)" },
  { tag: tags.bool, color: "var(--number)" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--key)" },
  { tag: tags.atom, color: "var(--table)", fontWeight: "600" },
]);

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "14px", backgroundColor: "var(--paper)", color: "var(--ink)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--ink)", padding: "10px 0" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--quiet)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--line-now)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selected) !important" },
  ".cm-tooltip": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--edge)", borderRadius: "6px", boxShadow: "0 4px 16px rgba(0,0,0,.15)" },
  ".cm-diagnostic": { fontFamily: "var(--labels)", fontSize: "13px", padding: "6px 10px", maxWidth: "46ch" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad) 1.5px", textUnderlineOffset: "3px", textDecorationSkipInk: "none" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
});

/** Words of the text itself and the keywords of a file. */
export function completions(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/[\w.]+/);
  if (!word || (word.from === word.to && !context.explicit)) return null;
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, word.from - line.from);
  if (/^\s*$/.test(before)) return { from: word.from, options: KEYWORDS.map((label) => ({ label, type: "keyword" })) };
  if (/^\s*\[+$/.test(before)) return { from: word.from, options: TABLES.map((label) => ({ label, type: "keyword" })) };
  const from = word.from + word.text.lastIndexOf(".") + 1;
  const names = new Set(context.state.doc.toString().replace(/#.*/g, "").match(/[A-Za-z_]\w+/g) ?? []);
  names.delete(word.text);
  for (const known of ["sin", "cos", "tan", "sqrt", "exp", "log", "Abs", "Piecewise", "pi"]) names.add(known);
  return { from, options: [...names].sort().map((label) => ({ label, type: "variable" })) };
}

export class Editor {
  readonly view: EditorView;
  private extensions: Extension;

  constructor(parent: HTMLElement, nonce: string, changed: () => void) {
    this.extensions = [
      EditorView.cspNonce.of(nonce),
      lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), drawSelection(), history(), bracketMatching(), closeBrackets(),
      autocompletion({ override: [completions] }), search({ top: true }), highlightSelectionMatches(), lintGutter(),
      StreamLanguage.define(toml), syntaxHighlighting(colours), look, EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": "Text of the system (TOML)", spellcheck: "false" }),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
      EditorView.updateListener.of((update) => { if (update.docChanged) changed(); }),
    ];
    this.view = new EditorView({ parent, state: this.fresh("") });
  }

  fresh(text: string): EditorState {
    return EditorState.create({ doc: text, extensions: this.extensions });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  mark(problem: { from: number; to: number; words: string } | null): void {
    const size = this.view.state.doc.length;
    const found: Diagnostic[] = problem
      ? [{ from: Math.min(problem.from, size), to: Math.min(problem.to, size), severity: "error", message: problem.words }]
      : [];
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }

  go(place: number): void {
    this.view.dispatch({ selection: { anchor: Math.min(place, this.view.state.doc.length) }, scrollIntoView: true });
    this.view.focus();
  }
}
