// The pages are whole without this: it adds a filter of claims, sorting of tables, the values of curves, the choice
// between light and dark, and a button that copies commands. Nothing is fetched.
"use strict";

const stored = {
  get(key) { try { return localStorage.getItem(key); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(key, value); } catch { /* a page from a file may not store */ } },
};
if (stored.get("theme")) document.documentElement.dataset.theme = stored.get("theme");

function element(name, text, properties = {}) {
  return Object.assign(document.createElement(name), { textContent: text, ...properties });
}

// Light and dark

function addTheme() {
  const chosen = () => document.documentElement.dataset.theme;
  const isDark = () => chosen() ? chosen() === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const button = element("button", isDark() ? "Light" : "Dark", { type: "button", className: "theme" });
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    stored.set("theme", theme);
    button.textContent = isDark() ? "Light" : "Dark";
  });
  document.querySelector("header nav[aria-label='On this page']").append(button);
}

// Filter: the form's data-rows selects what is filtered (claims, experiments, sections of guides); a row says what it
// is in data-paper, data-verdict, data-method (several) and data-kind, and in data-text what it is found by beside what
// it shows. Cells of the matrix are of the claim that data-claim names.

function around(text, words) {
  const at = Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((k) => k >= 0));
  return Number.isFinite(at) ? `… ${text.slice(Math.max(0, at - 60), at + 140)} …` : "";
}

function addFilter(form) {
  const rows = [...document.querySelectorAll(form.dataset.rows)];
  const textOf = (row) => [row.dataset.claim, row.textContent, row.dataset.text].join(" ").toLowerCase();
  const texts = new Map(rows.map((row) => [row, textOf(row)]));
  const selects = [...form.querySelectorAll("select")];
  const valuesOf = (row, name) => name === "method" ? row.dataset[name].split(" ") : [row.dataset[name]];
  for (const select of selects) {
    const values = new Set(rows.flatMap((row) => valuesOf(row, select.name)).filter(Boolean));
    for (const value of [...values].sort()) select.append(element("option", value, { value }));
    select.parentElement.hidden = values.size < 2;
  }
  function apply() {
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (row) => words.every((word) => texts.get(row).includes(word)) &&
      selects.every((s) => !s.value || valuesOf(row, s.name).includes(s.value));
    for (const row of rows) {
      row.hidden = !fits(row);
      const found = row.querySelector(".found");
      if (found) found.textContent = words.length ? around(row.dataset.text, words) : "";
    }
    const kept = rows.filter((row) => !row.hidden);
    const claims = new Set(kept.map((row) => row.dataset.claim));
    for (const tile of document.querySelectorAll(".matrix a.tile")) {
      tile.classList.toggle("dimmed", !claims.has(tile.dataset.claim));
    }
    const active = kept.length < rows.length;
    form.querySelector("output").textContent = `${active ? `${kept.length} of ` : ""}${rows.length} ${form.dataset.noun}`;
    for (const details of document.querySelectorAll(`details:has(${form.dataset.rows})`)) {
      if (active) details.open = kept.some((row) => details.contains(row));
      else if (details.dataset.byFilter) details.open = false;
      details.dataset.byFilter = active ? "yes" : "";
    }
  }
  form.addEventListener("input", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  apply();
}

// Sorting: by data-sort of a cell or its text; numbers by size, and what is none of them last.

function keyOf(cell) {
  const text = (cell?.dataset.sort ?? cell?.textContent ?? "").trim();
  const number = Number(text.replace(/(\d),(?=\d)/g, "$1"));
  return { text, number: text && !Number.isNaN(number) ? number : null };
}

function compareKeys(a, b) {
  if (a.number !== null && b.number !== null) return a.number - b.number;
  if ((a.number !== null) !== (b.number !== null)) return a.number !== null ? -1 : 1;
  return a.text.localeCompare(b.text, "en", { numeric: true });
}

function addSorting(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = element("button", "", { type: "button" });
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      const body = table.tBodies[0];
      const keyed = [...body.rows].map((row) => [keyOf(row.cells[column]), row]);
      keyed.sort(([a], [b]) => {
        const isEmpty = (key) => key.text === "" || key.text === "–";
        return isEmpty(a) - isEmpty(b) || sign * compareKeys(a, b);
      });
      body.append(...keyed.map(([, row]) => row));
    });
  });
}

// Curves: the values of the point next to the pointer, or of one that arrow keys lead to; the legend hides a curve.

function addValues(chart) {
  const svg = chart.querySelector("svg"), said = chart.querySelector("output");
  const curves = [...svg.querySelectorAll("g[data-curve]")].map((group, k) => ({
    group, item: chart.querySelectorAll("li")[k], label: chart.querySelectorAll("li")[k].textContent,
    points: [...group.querySelector("polyline").points], values: group.dataset.values.split(";"),
  }));
  const shown = () => curves.filter((curve) => !curve.group.hasAttribute("display"));
  const dot = document.createElementNS(svg.namespaceURI, "circle");
  dot.setAttribute("r", 5);
  let at = null;
  function say(curve, k) {
    at = { curve, k };
    const { x, y } = curve.points[k], [first, second] = curve.values[k].split(" ");
    dot.setAttribute("cx", x);
    dot.setAttribute("cy", y);
    curve.group.append(dot);
    said.textContent = `${curve.label}: ${second} at ${first}`;
  }
  svg.addEventListener("pointermove", (event) => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const far = (p) => (p.x - x) ** 2 + (p.y - y) ** 2;
    const all = shown().flatMap((curve) => curve.points.map((p, k) => [far(p), curve, k]));
    if (all.length) say(...all.reduce((a, b) => b[0] < a[0] ? b : a).slice(1));
  });
  svg.tabIndex = 0;
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key], of = shown();
    if (!step || !of.length) return;
    event.preventDefault();
    const curve = of[(Math.max(0, of.indexOf(at?.curve)) + (at ? step[0] : 0) + of.length) % of.length];
    say(curve, Math.min(curve.points.length - 1, Math.max(0, (at?.k ?? 0) + (at ? step[1] : 0))));
  });
  for (const { group, item } of curves) {
    const button = element("button", item.textContent, { type: "button" });
    item.replaceChildren(button);
    button.setAttribute("aria-pressed", true);
    button.addEventListener("click", () => {
      const isOff = group.toggleAttribute("display");
      if (isOff) group.setAttribute("display", "none");
      item.classList.toggle("off", isOff);
      button.setAttribute("aria-pressed", !isOff);
    });
  }
}

// A link to what is folded opens it.

function unfold() {
  let inside = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!inside) return;
  for (let at = inside; at; at = at.parentElement) if (at.localName === "details") at.open = true;
  inside.scrollIntoView();
}

function addCopying(block) {
  const button = element("button", "Copy", { type: "button", className: "copy" });
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(block.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(block);
    }
  });
  block.before(button);
}

document.addEventListener("DOMContentLoaded", () => {
  addTheme();
  for (const table of document.querySelectorAll("table.sortable")) {
    if (table.tHead && table.tBodies[0]?.rows.length > 1) addSorting(table);
  }
  document.querySelectorAll("form.filter").forEach(addFilter);
  document.querySelectorAll("pre.commands").forEach(addCopying);
  document.querySelectorAll(".chart").forEach(addValues);
  document.addEventListener("keydown", (event) => {
    const search = document.querySelector("form.filter input");
    if (event.key === "/" && search && !event.target.closest("input, select, textarea")) {
      event.preventDefault();
      search.focus();
    }
  });
  addEventListener("hashchange", unfold);
  if (location.hash) unfold();
});
