// Questions in a box of their own: which file, which system, overwrite or not. Escape closes, the answer is then null.
function box(): HTMLDialogElement {
  return document.getElementById("dialog") as HTMLDialogElement;
}

function asked<T>(title: string, fill: (form: HTMLFormElement, done: (answer: T) => void) => HTMLElement | null): Promise<T | null> {
  const dialog = box();
  return new Promise((resolve) => {
    let answer: T | null = null;
    const form = document.createElement("form");
    form.method = "dialog";
    const heading = document.createElement("h2");
    heading.id = "dialog-title";
    heading.textContent = title;
    form.append(heading);
    const finish = (value: T) => {
      answer = value;
      dialog.close();
    };
    const first = fill(form, finish);
    dialog.replaceChildren(form);
    dialog.onclose = () => resolve(answer);
    dialog.showModal();
    first?.focus();
  });
}

function buttons(form: HTMLFormElement, words: string): void {
  const row = document.createElement("div");
  row.className = "answers-row";
  const cancel = document.createElement("button");
  cancel.type = "button";
  cancel.textContent = "Cancel";
  cancel.addEventListener("click", () => box().close());
  row.append(cancel);
  if (words) {
    const yes = document.createElement("button");
    yes.type = "submit";
    yes.className = "first";
    yes.textContent = words;
    row.append(yes);
  }
  form.append(row);
}

export interface Entry { value: string; title: string; small: string; group: string }

/** Entries with every word of the query: first those called so, then those with the words in their title, then the others. */
export function matching(entries: Entry[], query: string): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string) => words.every((w) => text.toLowerCase().includes(w));
  const names = (e: Entry) => [e.title.toLowerCase(), e.value.toLowerCase().replaceAll("-", " ")];
  const rank = (e: Entry) => (names(e).includes(words.join(" ").replaceAll("-", " ")) ? 0 : has(`${e.title} ${e.value}`) ? 1 : 2);
  return entries.filter((e) => has(`${e.title} ${e.value} ${e.small} ${e.group}`)).sort((a, b) => rank(a) - rank(b));
}

export function chosen(title: string, entries: Entry[], empty: string, own: (words: string) => boolean = () => false): Promise<string | null> {
  return asked<string>(title, (form, done) => {
    const query = document.createElement("input");
    query.type = "search";
    query.placeholder = "Find";
    query.setAttribute("aria-label", "Find");
    const list = document.createElement("div");
    list.className = "list";
    const draw = () => {
      list.replaceChildren();
      let group = "";
      const found = matching(entries, query.value);
      for (const entry of found) {
        if (entry.group && entry.group !== group) {
          const heading = document.createElement("h3");
          heading.textContent = group = entry.group;
          list.append(heading);
        }
        const button = document.createElement("button");
        button.type = "button";
        button.dataset.value = entry.value;
        const strong = document.createElement("span");
        strong.textContent = entry.title;
        const small = document.createElement("small");
        small.textContent = entry.small;
        button.append(strong, small);
        button.addEventListener("click", () => done(entry.value));
        list.append(button);
      }
      if (!found.length) list.textContent = entries.length ? "Nothing has these words." : empty;
    };
    query.addEventListener("input", draw);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (own(query.value)) return done(query.value);
      const found = matching(entries, query.value);
      if (found.length) done(found[0].value);
    });
    form.addEventListener("keydown", (event) => {
      const all = [query, ...list.querySelectorAll<HTMLElement>("button")];
      const at = all.indexOf(document.activeElement as HTMLInputElement);
      const to = event.key === "ArrowDown" ? at + 1 : event.key === "ArrowUp" ? at - 1 : -1;
      if (at < 0 || to < 0 || to >= all.length) return;
      event.preventDefault();
      all[to].focus();
    });
    draw();
    form.append(query, list);
    buttons(form, "");
    return query;
  });
}

export function named(title: string, value: string): Promise<string | null> {
  return asked<string>(title, (form, done) => {
    const label = document.createElement("label");
    label.textContent = "Name of the file ";
    const input = document.createElement("input");
    input.value = value;
    input.required = true;
    input.spellcheck = false;
    label.append(input);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const name = input.value.trim();
      if (name) done(name.endsWith(".toml") ? name : `${name}.toml`);
    });
    form.append(label);
    buttons(form, "Save");
    queueMicrotask(() => input.setSelectionRange(0, value.replace(/\.toml$/, "").length));
    return input;
  });
}

export async function agreed(title: string, words: string, yes: string): Promise<boolean> {
  const answer = await asked<boolean>(title, (form, done) => {
    const text = document.createElement("p");
    text.textContent = words;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      done(true);
    });
    form.append(text);
    buttons(form, yes);
    return form.querySelector("button");
  });
  return answer === true;
}

/** A text to be handed on: its link, to be copied, and its file. */
export async function shared(title: string, content: string, link: string | null): Promise<void> {
  await asked<never>(`Share ${title}`, (form) => {
    const words = document.createElement("p");
    words.textContent = link
      ? "The link holds the whole text. Whoever gets it starts a lab with it (nonholo lab 'LINK'), or pastes it under Open."
      : "The text is too long for a link; send the file.";
    const address = document.createElement("input");
    Object.assign(address, { readOnly: true, value: link ?? "", hidden: !link });
    address.setAttribute("aria-label", "Link");
    address.addEventListener("focus", () => address.select());
    const row = document.createElement("div");
    row.className = "answers-row";
    const file = document.createElement("a");
    Object.assign(file, { href: URL.createObjectURL(new Blob([content], { type: "application/toml" })), download: title, textContent: "Save as a file" });
    const copy = document.createElement("button");
    Object.assign(copy, { type: "button", textContent: "Copy link", className: "first", hidden: !link });
    copy.addEventListener("click", () => {
      const done = () => (copy.textContent = "Copied");
      const marked = () => { address.select(); copy.textContent = "Marked: press Ctrl+C"; };
      if (navigator.clipboard) navigator.clipboard.writeText(link!).then(done, marked);
      else marked();
    });
    const close = document.createElement("button");
    close.textContent = "Close";
    row.append(file, copy, close);
    form.append(words, address, row);
    return link ? copy : file;
  });
}

/** A page that was made, in a frame without an origin of the lab's; it can be downloaded. */
export async function shown(title: string, address: string, file: string): Promise<void> {
  await asked<never>(title, (form) => {
    const frame = document.createElement("iframe");
    frame.title = title;
    frame.setAttribute("sandbox", "allow-scripts allow-downloads");
    frame.src = address;
    const row = document.createElement("div");
    row.className = "answers-row";
    const link = document.createElement("a");
    Object.assign(link, { href: file, download: "", textContent: "Download page" });
    const close = document.createElement("button");
    close.textContent = "Close";
    row.append(link, close);
    form.className = "page";
    form.append(frame, row);
    return close;
  });
}
