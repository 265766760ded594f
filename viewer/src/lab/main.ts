// The lab: an editor on one side, what follows from the text on the other.
import { Refused, ask, enter, renewed, stream, type Entered, type Told } from "./api";
import { agreed, chosen, named, shared, shown, type Entry } from "./dialogs";
import { Editor } from "./editor";
import { PARTS, Results, keys } from "./results";
import { isLink, linkOf, textOf } from "./sharing";
import { TEMPLATE } from "./template";
import { claimStore, recovered, storeTexts } from "./storage";
import { Text, difference, freeName, kept, linesOf, numbersOf, type Kept } from "./texts";
import { patched } from "../living/words";

const PAUSE = 300; // milliseconds after the last key until the text is studied
const PAIRED = 5; // of the last so many texts two can be compared with a third
const UNREADABLE = "The link holds no text that can be read: it was cut, or is none of the lab's.";
const find = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

class Lab {
  private texts: Text[] = [];
  private active!: Text;
  private others: Text[] = [];
  private part = "motion";
  private count = 0;
  private timer = 0;
  private keeping = 0;
  private kept = 0;
  private editor: Editor;
  private left: Results;
  private rights: Results[];

  constructor(private entered: Entered) {
    const nonce = document.querySelector<HTMLMetaElement>("meta[name=nonce]")!.content;
    this.editor = new Editor(find("editor"), nonce, () => this.changed());
    const made = (id: string, of: () => Text | null) =>
      new Results(id, this.part, (key) => this.choose(key), () => this.stop(of()), () => void this.study(of()));
    this.left = made("first", () => this.active);
    this.rights = ["second", "third"].map((id, k) => made(id, () => this.others[k] ?? null));
    this.rights.forEach(({ root }) => (root.hidden = true));
    find("results").append(this.left.root, ...this.rights.map(({ root }) => root));
    find("folder").textContent = `in ${entered.folder || "/"}`;
    keys(find("texts"));
    this.buttons();
  }

  private buttons(): void {
    const press = (id: string, work: () => Promise<unknown> | void) => find(id).addEventListener("click", () => void this.tried(work));
    press("new", () => this.add(freeName(this.texts.map((t) => t.path), "system"), TEMPLATE, null, ""));
    press("gallery", () => this.gallery());
    press("open", () => this.open());
    press("save", () => this.save());
    press("share", () => this.share());
    press("download", () => this.download());
    addEventListener("hashchange", () => void this.tried(() => this.linked(location.hash)));
    find<HTMLSelectElement>("compare").addEventListener("change", (event) => this.compare((event.target as HTMLSelectElement).value.split(",").map(Number)));
    addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const work = { s: () => this.save(), o: () => this.open() }[event.key];
      if (!work || find<HTMLDialogElement>("dialog").open) return;
      event.preventDefault();
      void this.tried(work);
    });
    addEventListener("beforeunload", (event) => { if (this.texts.some((t) => t.unsaved)) event.preventDefault(); });
    document.querySelectorAll<HTMLButtonElement>(".switch button").forEach((button) => button.addEventListener("click", () => this.turn(button.dataset.show!)));
    find("problem").addEventListener("click", () => { if (this.active.problem) { this.turn("text"); this.editor.go(this.active.problem.from); } });
    addEventListener("message", (event) => this.heard(event));
    this.left.take.addEventListener("click", () => this.takeNumbers(this.active));
    this.rights.forEach(({ take }, k) => take.addEventListener("click", () => this.takeNumbers(this.others[k] ?? null)));
    this.divider();
  }

  /** A living page says which numbers it shows now. */
  private heard(event: MessageEvent): void {
    const text = this.left.shows(event.source) ? this.active : this.others.find((_, k) => this.rights[k].shows(event.source)) ?? null;
    if (!text) return;
    if ((event.data as { nonholo?: unknown } | null)?.nonholo === "save") return void this.tried(() => this.save());
    const said = event.data as { nonholo?: unknown; label?: unknown } | null;
    if (said?.nonholo === "body" && typeof said.label === "string") return this.point(text, said.label);
    text.numbers = numbersOf(event.data);
    this.taking();
  }

  /** Select the lines of a text that make a body. */
  private point(text: Text, label: string): void {
    const found = linesOf(text.content, label);
    if (!found) return this.tell(`No lines of the text are called ${label}.`);
    if (text !== this.active) this.show(text);
    this.turn("text");
    this.editor.view.dispatch({ selection: { anchor: found.from, head: found.to }, scrollIntoView: true });
    this.editor.view.focus();
  }

  private taking(): void {
    const ready = (text: Text | null) => text?.numbers != null && !text.problem && text.studied === text.content;
    this.left.take.hidden = this.part !== "motion" || !ready(this.active);
    this.rights.forEach(({ take }, k) => (take.hidden = this.part !== "motion" || !ready(this.others[k] ?? null)));
  }

  /** The numbers of the sliders become those of the text; what else stands there stays. */
  private takeNumbers(text: Text | null): void {
    if (!text?.numbers) return;
    const change = difference(text.content, patched(text.content, text.numbers, true));
    text.numbers = null;
    if (text === this.active) this.editor.view.dispatch({ changes: change, selection: { anchor: change.from }, scrollIntoView: true });
    else {
      text.state = text.state.update({ changes: change }).state;
      void this.study(text);
      this.labels();
      this.keep();
    }
    this.taking();
  }

  /** What was open when the page was closed, or the file the lab was started with, or something to begin with. */
  async begin(): Promise<void> {
    const there = this.entered.kept ? (JSON.parse(this.entered.kept) as Kept) : null;
    await claimStore(this.entered.place);
    const before = (await recovered(this.entered.place)) ?? there;
    for (const text of before?.texts ?? []) this.add(text.path, text.content, text.saved, text.mark, false, text.first);
    const wish = this.entered.open;
    if (!this.texts.length && wish.startsWith("field:")) void this.tried(() => this.field(wish.slice(6)));
    else if (!this.texts.length && wish.startsWith("gallery:")) await this.exhibit(wish.slice(8));
    else if (isLink(wish)) await this.fromLink(wish);
    else if (!this.texts.length && wish) {
      const found = await ask<{ text: string; mark: string }>("open", { path: wish }).catch(() => null);
      this.add(wish, found ? found.text : TEMPLATE, found ? found.text : null, found?.mark ?? "", false);
    }
    if (!this.texts.length) this.add("system.toml", TEMPLATE, null, "", false);
    this.show(this.texts[Math.min(before?.active ?? this.texts.length - 1, this.texts.length - 1)]);
    this.editor.view.focus();
    document.documentElement.dataset.ready = "true";
    void this.stay();
    if (this.entered.link) await this.tried(() => this.linked(this.entered.link));
  }

  private add(path: string, content: string, saved: string | null, mark: string, show = true, first = content): void {
    const text = new Text(++this.count, path, this.editor.fresh(content), saved, mark, first);
    this.texts.push(text);
    if (show) {
      this.show(text);
      this.turn("text");
      this.editor.view.focus();
    }
  }

  private show(text: Text): void {
    this.active = text;
    text.numbers = null;
    this.others = this.others.filter((other) => other !== text);
    this.editor.view.setState(text.state);
    this.editor.mark(text.problem);
    this.draw();
    if (text.studied !== text.content || !text.answers.running && text.answers.parts.get("motion")!.state === "waiting") void this.study(text);
  }

  private changed(): void {
    const text = this.active;
    text.state = this.editor.view.state;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.texts.includes(text) && void this.study(text), PAUSE);
    text.numbers = null;
    // what is shown belongs to the text as it was
    text.read = false;
    text.abort?.abort();
    text.abort = null;
    text.answers.begin();
    this.refresh(text, PARTS.map((p) => p.key));
    this.taking();
    this.labels();
    this.keep();
  }

  private async study(text: Text | null): Promise<void> {
    if (!text) return;
    this.stop(text);
    const abort = (text.abort = new AbortController());
    const content = (text.studied = text.content);
    text.read = false;
    text.answers.begin();
    this.labels();
    try {
      for await (const told of stream("study", { name: text.path, text: content }, abort.signal)) {
        if (abort.signal.aborted) return;
        this.take(text, told);
      }
    } catch (trouble) {
      if (abort.signal.aborted) return;
      this.say(trouble);
      text.answers.end();
      this.refresh(text, PARTS.map((p) => p.key));
    } finally {
      if (text.abort === abort) text.abort = null;
    }
  }

  private take(text: Text, told: Told): void {
    if (told.stage === "text" && told.state !== "begun") {
      text.problem = told.state === "mistake" || told.state === "failed" ? { from: told.from ?? 0, to: told.to ?? 0, line: told.line ?? 1, words: told.words ?? "" } : null;
      text.read = true;
      if (text === this.active) this.editor.mark(text.problem);
      if (text.problem) text.answers.wait();
      this.refresh(text, PARTS.map((p) => p.key));
      this.labels();
    }
    if (text.problem) return;
    if (told.stage === "motion" && told.state === "failed" && told.place && text === this.active) this.editor.mark({ ...told.place, words: told.words! });
    this.refresh(text, text.answers.take(told));
  }

  private refresh(text: Text, parts: string[]): void {
    const view = text === this.active ? this.left : this.rights[this.others.indexOf(text)];
    for (const key of parts) view?.draw(key);
    view?.status();
  }

  private stop(text: Text | null): void {
    if (!text?.abort) return;
    text.abort.abort();
    text.abort = null;
    this.refresh(text, text.answers.end());
  }

  private choose(key: string): void {
    this.part = key;
    this.left.select(key);
    this.rights.forEach((view) => view.select(key));
    this.taking();
  }

  private draw(): void {
    this.left.show(this.active.answers, this.active.title);
    this.others.forEach((text, k) => this.rights[k].show(text.answers, text.title));
    this.rights.forEach(({ root }, k) => (root.hidden = k >= this.others.length));
    document.body.classList.toggle("comparing", this.others.length > 0);
    this.choose(this.part);
    this.labels();
    this.keep();
  }

  private labels(): void {
    this.tabs();
    const problem = this.active.problem;
    const line = find("problem");
    line.dataset.text = !this.active.read ? "reading" : problem ? "wrong" : "right";
    line.classList.toggle("wrong", problem !== null);
    const words = problem ? `Line ${problem.line}: ${problem.words}` : "";
    if (line.textContent !== words) {
      line.replaceChildren();
      if (problem) line.append(Object.assign(document.createElement("button"), { type: "button", textContent: words, title: "Go there" }));
    }
    find("save").classList.toggle("first", this.active.unsaved);
    document.title = `${this.active.title}${this.active.unsaved ? " •" : ""} – nonholo lab`;
  }

  /** The tabs of the texts and the list of those to compare with; made again only when they change, so that no click is lost. */
  private tabs(): void {
    const row = find("texts");
    const drawn = JSON.stringify([this.others.map((t) => t.id), ...this.texts.map((t) => [t.id, t.path, t.unsaved, t.problem !== null, t === this.active])]);
    if (row.dataset.drawn === drawn) return;
    row.dataset.drawn = drawn;
    row.replaceChildren();
    for (const text of this.texts) {
      const tab = document.createElement("button");
      tab.type = "button";
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-selected", String(text === this.active));
      tab.setAttribute("aria-controls", "writing");
      tab.tabIndex = text === this.active ? 0 : -1;
      tab.textContent = text.title;
      tab.title = text.path;
      if (text.unsaved) tab.append(Object.assign(document.createElement("span"), { className: "unsaved", textContent: "•", title: "not saved" }));
      if (text.problem) tab.classList.add("wrong");
      tab.addEventListener("click", () => this.show(text));
      tab.addEventListener("keydown", (event) => { if (event.key === "Delete") void this.close(text); });
      row.append(tab);
      if (text === this.active) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
      if (this.texts.length > 1) {
        const close = document.createElement("button");
        close.type = "button";
        close.className = "close";
        close.textContent = "×";
        close.setAttribute("aria-label", `Close ${text.title}`);
        close.tabIndex = -1;
        close.addEventListener("click", () => void this.close(text));
        row.append(close);
      }
    }
    const select = find<HTMLSelectElement>("compare");
    const rest = this.texts.filter((t) => t !== this.active);
    const pairs = rest.slice(-PAIRED).flatMap((one, k, all) => all.slice(k + 1).map((two) => [one, two]));
    const same = (wanted: Text[]) => wanted.length === this.others.length && wanted.every((text, k) => text === this.others[k]);
    const choices = [...rest.map((text) => [text]), ...pairs];
    select.replaceChildren(new Option("nothing", "0"), ...choices.map((c) => new Option(c.map((t) => t.title).join(" and "), c.map((t) => t.id).join(), false, same(c))));
    select.disabled = rest.length === 0;
  }

  private compare(wanted: number[]): void {
    this.others = wanted.flatMap((id) => this.texts.find((t) => t.id === id) ?? []);
    this.draw();
    if (this.others.length && getComputedStyle(document.querySelector(".switch")!).display !== "none") this.turn("results");
    for (const text of this.others) if (text.studied !== text.content) void this.study(text);
  }

  private async close(text: Text): Promise<void> {
    if (this.texts.length < 2) return;
    if (text.unsaved && !(await agreed("Close without saving?", `${text.title} has changes that are not saved.`, "Close"))) return;
    this.stop(text);
    const at = this.texts.indexOf(text);
    this.texts.splice(at, 1);
    this.others = this.others.filter((other) => other !== text);
    if (this.active === text) this.show(this.texts[Math.min(at, this.texts.length - 1)]);
    else this.draw();
  }

  private async gallery(): Promise<void> {
    type Named = { name: string; title: string; group: string; papers: string };
    const { systems, fields } = await ask<{ systems: Named[]; fields: Named[] }>("gallery", {});
    const entries: Entry[] = systems.map((s) => ({ value: s.name, title: s.title, small: s.papers, group: s.group }));
    entries.sort((a, b) => a.group.localeCompare(b.group) || a.title.localeCompare(b.title));
    entries.push(...fields.map((f) => ({ value: f.name, title: f.title, small: f.papers, group: "Fields, which have no text: their page is shown" })));
    const name = await chosen("Gallery", entries, "");
    if (name && fields.some((f) => f.name === name)) await this.field(name);
    else if (name) await this.exhibit(name);
  }

  /** A field has infinitely many coordinates, hence no text to change: its page is made and shown. */
  private async field(name: string): Promise<void> {
    this.tell(`The page on ${name} is being made …`, true);
    for await (const told of stream("field", { name })) {
      if (told.state === "begun") this.tell(`The page on ${name} is being made (${told.stage.replace("field: ", "")}) …`, true);
      if (told.state === "failed") throw new Refused(0, told.words ?? "there is no page.");
      if (!told.page) continue;
      this.tell("The page was made.");
      await shown(name, `/page/${told.page}`, `/page/${told.page}/${name}.html`);
    }
  }

  private async exhibit(name: string): Promise<void> {
    for await (const told of stream("exhibit", { name })) {
      if (told.text) this.add(freeName(this.texts.map((t) => t.path), name), told.text, null, "");
      else if (told.state === "failed") throw new Refused(0, told.words ?? "it could not be opened.");
    }
  }

  private async open(): Promise<void> {
    const { files } = await ask<{ files: { path: string }[] }>("files", {});
    const entries = files.map(({ path }) => ({ value: path, title: path, small: "", group: "" }));
    const path = await chosen("Open a file, or paste a link", entries, "There are no .toml files in this folder; the gallery has systems to start from.", isLink);
    if (!path) return;
    if (isLink(path)) return this.fromLink(path);
    const already = this.texts.find((t) => t.path === path && t.saved !== null);
    if (already) return this.show(already);
    const found = await ask<{ text: string; mark: string }>("open", { path });
    this.add(path, found.text, found.text, found.mark);
  }

  private async save(): Promise<void> {
    const text = this.active;
    const path = text.saved === null ? await named("Save as", text.path) : text.path;
    if (!path) return;
    const content = text.content;
    const write = (seen: string | null) => ask<{ mark: string }>("save", { path, text: content, seen });
    let done;
    try {
      done = await write(text.saved === null ? "" : text.mark);
    } catch (trouble) {
      if (!(trouble instanceof Refused) || trouble.status !== 409) throw trouble;
      if (!(await agreed("Overwrite it?", trouble.message, "Overwrite"))) return;
      done = await write(null);
    }
    Object.assign(text, { path, saved: content, mark: done.mark });
    this.draw();
    this.tell(`Saved ${path}.`);
    document.documentElement.dataset.saved = path;
    this.editor.view.focus();
  }

  /** The text as a link or a file for somebody else's lab. */
  private async share(): Promise<void> {
    const { path, content, title } = this.active;
    await shared(title, content, await linkOf({ path, content }, location.origin + location.pathname));
  }

  /** A link in the address: whoever clicked it may not have meant to, so it is asked for. */
  private async linked(hash: string): Promise<void> {
    if (!isLink(hash)) return;
    history.replaceState(null, "", location.pathname);
    const found = await textOf(hash);
    if (!found) return this.tell(UNREADABLE);
    if (await agreed("Open the text of this link?", `The link holds a system called ${found.path}.`, "Open")) this.receive(found);
  }

  private async fromLink(link: string): Promise<void> {
    const found = await textOf(link);
    if (found) this.receive(found);
    else this.tell(UNREADABLE);
  }

  private receive(found: { path: string; content: string }): void {
    this.add(freeName(this.texts.map((t) => t.path), found.path), found.content, null, "");
  }

  private async download(): Promise<void> {
    const text = this.active;
    if (text.problem) throw new Refused(0, "Mend the text first: there is no page of a text that cannot be read.");
    this.tell("The page is being made …", true);
    for await (const told of stream("report", { name: text.path, text: text.content })) {
      if (told.state === "begun") this.tell(`The page is being made (${told.stage.replace("report: ", "")}) …`, true);
      if (told.state === "failed" || told.state === "mistake") throw new Refused(0, told.words ?? "there is no page.");
      if (told.page) {
        const link = document.createElement("a");
        link.href = `/page/${told.page}/${encodeURIComponent(text.title.replace(/\.toml$/, ""))}.html`;
        link.download = "";
        link.click();
        this.tell("The page was made.");
      }
    }
  }

  private keep(): void {
    clearTimeout(this.keeping);
    storeTexts(this.entered.place, kept(this.texts, this.active));
    const turn = ++this.kept;
    document.documentElement.dataset.kept = "false";
    this.keeping = window.setTimeout(() => {
      const told = JSON.stringify(kept(this.texts, this.active));
      const done = () => { if (turn === this.kept) document.documentElement.dataset.kept = "true"; };
      if (told.length < 400_000) void ask("keep", { kept: told }).then(done, () => undefined);
    }, 700);
  }

  /** A line to the server for as long as the page is open; where it breaks, the page says so and tries again. */
  private async stay(): Promise<void> {
    for (;;) {
      try {
        for await (const told of stream("here", {})) void told;
      } catch (trouble) {
        if (trouble instanceof Refused && trouble.status === 401) {
          document.body.classList.add("alone");
          this.tell("The lab was started again. Open the address that its terminal printed last; then this page goes on. Its texts are kept in this browser.", true);
          await renewed();
          document.body.classList.remove("alone");
          this.tell("This page goes on in the lab that was started again.");
          void this.study(this.active);
          continue;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const there = await fetch("/assets/lab.css", { method: "GET" }).then((a) => a.ok, () => false);
      document.body.classList.toggle("alone", !there);
      if (!there) this.tell("The lab has ended: nothing is computed or saved now. Start it again, or copy your text.", true);
    }
  }

  private turn(show: string): void {
    document.body.dataset.show = show;
    document.querySelectorAll(".switch button").forEach((b) => b.setAttribute("aria-pressed", String((b as HTMLElement).dataset.show === show)));
  }

  private async tried(work: () => Promise<unknown> | void): Promise<void> {
    try {
      await work();
    } catch (trouble) {
      this.say(trouble);
    }
  }

  private say(trouble: unknown): void {
    this.tell(trouble instanceof Refused ? trouble.message : "The lab does not answer.");
  }

  private tell(words: string, stays = false): void {
    const notice = find("notice");
    notice.textContent = words;
    notice.dataset.shown = "true";
    clearTimeout(Number(notice.dataset.timer));
    if (!stays) notice.dataset.timer = String(window.setTimeout(() => delete notice.dataset.shown, 4000));
  }

  private divider(): void {
    const bar = find("divider");
    const set = (percent: number) => {
      const width = Math.round(Math.min(80, Math.max(20, percent)));
      bar.setAttribute("aria-valuenow", String(width));
      find("main").style.setProperty("--width", `${width}%`);
    };
    bar.addEventListener("pointerdown", (event) => {
      bar.setPointerCapture(event.pointerId);
      document.body.classList.add("dragging");
      const move = (e: PointerEvent) => set((100 * e.clientX) / innerWidth);
      bar.addEventListener("pointermove", move);
      bar.addEventListener("pointerup", () => { bar.removeEventListener("pointermove", move); document.body.classList.remove("dragging"); }, { once: true });
    });
    bar.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -2, ArrowRight: 2 }[event.key];
      if (by) set(Number(bar.getAttribute("aria-valuenow")) + by);
    });
  }
}

function closed(words: string): void {
  const told = document.createElement("p");
  told.className = "closed";
  told.textContent = words;
  document.body.replaceChildren(told);
}

enter().then(
  (entered) => (entered ? new Lab(entered).begin() : closed("Open the lab by the address that its terminal printed: it holds a word that opens this page once.")),
  (trouble) => closed(trouble instanceof Refused ? `${trouble.message[0].toUpperCase()}${trouble.message.slice(1)}` : "The lab does not answer."),
);
