// The menu on small screens, plots from the data beside them, copy buttons, folds opened for paper.
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

  document.querySelectorAll(".plot").forEach(function (box) {
    var figure = JSON.parse(box.querySelector("script").textContent);
    figure.layout.autosize = true;
    Plotly.newPlot(box.querySelector("div"), figure.data, figure.layout,
      { responsive: true, displaylogo: false, modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"] });
  });

  document.querySelectorAll("button.copy").forEach(function (button) {
    button.addEventListener("click", function () {
      var text = button.parentElement.querySelector("pre").textContent;
      function told(word) { button.textContent = word; setTimeout(function () { button.textContent = "copy"; }, 1500); }
      if (!navigator.clipboard) { told("not allowed here"); return; }
      navigator.clipboard.writeText(text).then(function () { told("copied"); }, function () { told("not allowed here"); });
    });
  });

  var opened = [], shrunk = [];
  addEventListener("beforeprint", function () {
    document.querySelectorAll("details:not([open]):not(.long)").forEach(function (d) { d.open = true; opened.push(d); });
    // on paper nothing scrolls: a formula wider than the page is drawn smaller
    document.querySelectorAll(".formula > math").forEach(function (m) {
      var wide = m.getBoundingClientRect().width;
      if (wide > 640) { m.style.zoom = String(Math.max(0.35, 640 / wide)); shrunk.push(m); }
    });
  });
  addEventListener("afterprint", function () { shrunk.splice(0).forEach(function (m) { m.style.zoom = ""; }); opened.splice(0).forEach(function (d) { d.open = false; }); });
})();
