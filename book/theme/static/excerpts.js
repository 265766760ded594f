// Excerpts below the results of a search, from texts.js: a page opened from disk may not read its neighbours.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const list = document.getElementById("search-results");
  if (list === null) return;
  const root = document.documentElement.dataset.content_root ?? "./";
  const words = (new URLSearchParams(location.search).get("q") ?? "").toLowerCase().split(/\s+/).filter((w) => w !== "");
  if (words.length === 0) {
    const hint = document.createElement("p");
    hint.textContent = "Type what you look for into the field at the top of the contents, e.g. momentum.";
    list.append(hint);
  }
  const script = document.createElement("script");
  script.src = `${root}texts.js`;
  script.onload = () => {
    const show = () => list.querySelectorAll("li:not([data-excerpt])").forEach((item) => excerpt(item, words));
    new MutationObserver(show).observe(list, { childList: true, subtree: true });
    show();
  };
  document.head.append(script);
});

function excerpt(item, words) {
  const link = item.querySelector("a");
  if (link === null) return;
  item.dataset.excerpt = "1";
  const page = link.getAttribute("href").split("#")[0].replace(/\.html$/, "");
  const text = window.NONHOLO_TEXTS?.[page];
  if (text === undefined) return;
  const low = text.toLowerCase();
  const found = words.map((w) => low.indexOf(w)).filter((at) => at >= 0);
  const at = found.length ? Math.min(...found) : 0;
  const start = at > 80 ? text.indexOf(" ", at - 80) + 1 : 0;  // whole words
  const end = text.length > at + 160 ? text.lastIndexOf(" ", at + 160) : text.length;
  const line = document.createElement("p");
  line.className = "context";
  line.textContent = `${start > 0 ? "… " : ""}${text.slice(start, end)} …`;
  item.append(line);
}
