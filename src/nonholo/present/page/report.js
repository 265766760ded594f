// The menu on small screens, plots from the data beside them when they come near, copy buttons, folds opened for paper.
(function () {
  "use strict";
  var bar = document.querySelector(".bar"), menu = document.querySelector(".menu");
  function show(open) { bar.classList.toggle("open", open); menu.setAttribute("aria-expanded", String(open)); }
  menu.addEventListener("click", function () { show(!bar.classList.contains("open")); });
  bar.querySelector("nav").addEventListener("click", function () { show(false); });

  var links = {}, current = null;
  document.querySelectorAll(".bar nav a").forEach(function (link) { links[link.hash.slice(1)] = link; });
  var seen = new IntersectionObserver(function (entries) {
    entries.forEach(function (entry) {
      if (!entry.isIntersecting) return;
      if (current) current.removeAttribute("aria-current");
      current = links[entry.target.id];
      if (current) current.setAttribute("aria-current", "true");
    });
  }, { rootMargin: "-20% 0px -70% 0px" });
  document.querySelectorAll("section[id]").forEach(function (section) { seen.observe(section); });

  // plotly stands in the page as text, which is read when the first plot comes near; the page's policy knows its digest
  function library() {
    var text = document.getElementById("plotly");
    if (window.Plotly || !text) return;
    var script = document.createElement("script");
    script.textContent = text.textContent;
    document.head.append(script);
  }
  var waiting = new Set(Array.from(document.querySelectorAll(".plot > script"), function (data) { return data.parentElement; }));
  function draw(box) {
    if (!waiting.delete(box)) return;
    near.unobserve(box);
    library();
    var figure = JSON.parse(box.querySelector("script").textContent), place = box.querySelector("div");
    figure.layout.autosize = true;
    Plotly.newPlot(place, figure.data, figure.layout,
      { responsive: true, displaylogo: false, modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"] });
    place.dispatchEvent(new Event("drawn"));
  }
  var near = new IntersectionObserver(function (entries) {
    entries.forEach(function (entry) { if (entry.isIntersecting) draw(entry.target); });
  }, { rootMargin: "700px 0px" });
  waiting.forEach(function (box) { near.observe(box); });

  document.querySelectorAll("button.copy").forEach(function (button) {
    button.addEventListener("click", function () {
      var text = button.parentElement.querySelector("pre");
      function told(word) { button.textContent = word; setTimeout(function () { button.textContent = "copy"; }, 3000); }
      // where the browser does not let a page copy, the text is marked, so that a key does it
      function refused() { getSelection().selectAllChildren(text); told("marked: press Ctrl+C"); }
      if (!navigator.clipboard) { refused(); return; }
      navigator.clipboard.writeText(text.textContent).then(function () { told("copied"); }, refused);
    });
  });

  var opened = [], shrunk = [];
  // a plot keeps the size of the screen unless it is told that of the paper, with margins that leave room for what it shows
  var paper = { autosize: false, width: 330, height: 158, "margin.t": 6, "margin.b": 26, "margin.l": 44, "margin.r": 8, "font.size": 9 };
  function sized(onPaper) {
    var size = {};
    Object.keys(paper).forEach(function (name) { size[name] = onPaper ? paper[name] : name === "autosize" ? true : null; });
    document.querySelectorAll(".plot > div").forEach(function (p) {
      if (p._fullLayout && window.Plotly) try { Plotly.relayout(p, size); } catch (error) { console.error(error); }
    });
  }
  addEventListener("beforeprint", function () {
    waiting.forEach(draw);
    sized(true);
    // open what is short and shows a result; expert details and long formulas stay folded
    document.querySelectorAll("#symmetry details:not([open]):not(.long):not(.why)").forEach(function (d) {
      if (d.textContent.length < 400) { d.open = true; opened.push(d); }
    });
    // on paper nothing scrolls: a formula wider than the page is drawn smaller
    // formulas as far as the two pages have room, in order; components of what stands as vectors only when short
    var room = 1250;
    document.querySelectorAll(".formula").forEach(function (f) {
      var height = f.getBoundingClientRect().height, before = f.previousElementSibling;
      var again = before && before.textContent === "The same in components";
      var left = height > Math.min(room, again ? 150 : 420);
      f.classList.toggle("unprinted", left);
      if (!left) room -= height;
    });
    document.querySelectorAll(".formula > math").forEach(function (m) {
      var wide = m.getBoundingClientRect().width;
      if (wide > 640) { m.style.zoom = String(Math.max(0.35, 640 / wide)); shrunk.push(m); }
    });
  });
  addEventListener("afterprint", function () { sized(false); shrunk.splice(0).forEach(function (m) { m.style.zoom = ""; }); opened.splice(0).forEach(function (d) { d.open = false; }); });
})();
