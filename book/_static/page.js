// The colours of the screen: the theme's script sets them late, and the lines of tables, which are drawn in them, move.
if (["", "auto"].includes(document.documentElement.dataset.theme))
  document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";

// What is folded away has no size. The theme asks for that of all code whenever the page changes, and a browser would
// lay out every fold to answer.
for (const name of ["clientHeight", "clientWidth", "scrollHeight", "scrollWidth"]) {
  const { get } = Object.getOwnPropertyDescriptor(Element.prototype, name);
  const size = { configurable: true, get() { return this.checkVisibility() ? get.call(this) : 0; } };
  Object.defineProperty(HTMLElement.prototype, name, size);
}

// Whatever is wider than the page scrolls in its own box. Where something is hidden at an edge, that edge fades
// (book.css), and the keyboard can reach the box.
const WIDE = ".bd-article :is(table, pre, .math, .cell_output .output)";

const SLACK = 4;

function mark(box) {
  const hidden = box.scrollWidth - box.clientWidth > SLACK;
  box.toggleAttribute("data-more-left", hidden && box.scrollLeft > SLACK);
  box.toggleAttribute("data-more-right", hidden && box.scrollWidth - box.clientWidth - box.scrollLeft > SLACK);
  if (hidden && box.tabIndex < 0) box.tabIndex = 0; // the theme sets -1 while a box is folded away
  if (!hidden && box.matches(".math")) box.removeAttribute("tabindex");
}

function watch() {
  const resized = new ResizeObserver((entries) => entries.forEach((entry) => mark(entry.target)));
  for (const box of document.querySelectorAll(WIDE)) {
    resized.observe(box);
    box.addEventListener("scroll", () => mark(box), { passive: true });
  }
}

window.addEventListener("load", watch);

// One switch shows or hides all code that is folded on a page, and holds for the other pages.
function codeSwitch() {
  const folded = [...document.querySelectorAll(".bd-article div.cell details.hide")];
  const place = document.querySelector(".article-header-buttons");
  if (!folded.length || !place) return;
  const button = Object.assign(document.createElement("button"), { type: "button", className: "all-code", textContent: "All code" });
  const set = (open) => {
    folded.forEach((details) => (details.open = open));
    button.setAttribute("aria-pressed", open);
    localStorage.setItem("all code", open ? "open" : "");
  };
  button.addEventListener("click", () => set(button.getAttribute("aria-pressed") !== "true"));
  set(localStorage.getItem("all code") === "open");
  place.prepend(button);
}

addEventListener("DOMContentLoaded", codeSwitch);

// Names and roles for those who hear the page: the theme and docutils give none, or others than what is seen.
function nameParts() {
  for (const summary of document.querySelectorAll("nav summary"))
    summary.setAttribute("aria-label", `Parts of: ${summary.closest("li").querySelector("a").textContent.trim()}`);
  document.querySelectorAll(".bd-article summary[aria-label], .search-button-field").forEach((control) => control.removeAttribute("aria-label"));
  document.querySelectorAll(".theme-switch").forEach((icon) => icon.removeAttribute("title"));
  document.querySelectorAll(".citation-list, .citation").forEach((part) => part.removeAttribute("role"));
  const sidebar = document.querySelector(".bd-sidebar-primary");
  sidebar?.setAttribute("role", "region");
  sidebar?.setAttribute("aria-label", "Contents of the book");
}

addEventListener("DOMContentLoaded", nameParts);

// A link to something folded opens it.
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const closed = [];
  for (let box = target; box; box = box.parentElement) if (box.localName === "details" && !box.open) closed.push(box);
  closed.forEach((details) => (details.open = true));
  if (closed.length) target.scrollIntoView();
}

addEventListener("DOMContentLoaded", reveal);
addEventListener("hashchange", reveal);
addEventListener("click", (event) => event.target.closest?.("a[href*='#']") && setTimeout(reveal)); // the hash may stay

// Sphinx marks what was searched for, which it leaves undone where the theme's search dialog is. A word that is found
// in folds only opens these.
function openFound() {
  const marked = [...document.querySelectorAll(".bd-article .highlighted:not(annotation *)")];
  const word = (mark) => mark.textContent.toLowerCase();
  const seen = new Set(marked.filter((mark) => !mark.closest("details")).map(word));
  for (const mark of marked) if (!seen.has(word(mark))) mark.closest("details").open = true;
}

addEventListener("load", () => {
  if (document.getElementById("search-results")) return;
  SphinxHighlight.highlightSearchWords();
  setTimeout(openFound, 100); // it marks after ten
});

// What is copied of a formula is its TeX.
addEventListener("copy", (event) => {
  const selection = getSelection();
  if (selection.isCollapsed) return;
  const range = selection.getRangeAt(0), copy = document.createElement("div");
  const whole = (node) => (node.nodeType === Node.TEXT_NODE ? node.parentNode : node).closest(".math");
  if (whole(range.startContainer)) range.setStartBefore(whole(range.startContainer));
  if (whole(range.endContainer)) range.setEndAfter(whole(range.endContainer));
  copy.append(range.cloneContents());
  const formulas = copy.querySelectorAll(".math");
  if (!formulas.length) return;
  for (const formula of formulas) {
    const sign = formula.localName === "div" ? "$$" : "$";
    formula.textContent = sign + formula.querySelector("annotation").textContent + sign;
  }
  event.clipboardData.setData("text/html", copy.innerHTML);
  copy.style.cssText = "position: fixed; opacity: 0"; // only what is on the page has lines
  document.body.append(copy);
  event.clipboardData.setData("text/plain", copy.innerText);
  copy.remove();
  event.preventDefault();
});

// A long table can be searched: what lacks one of the words is hidden. Its boxes stand for what rows are, and hide those
// when they are not ticked; some are not at first (data-off).
function searchable(table) {
  const rows = [...table.tBodies[0].rows], line = Object.assign(document.createElement("p"), { className: "table-search" });
  const field = Object.assign(document.createElement("input"), { type: "search", ariaLabel: "Search the table", placeholder: "Search the table" });
  const count = document.createElement("output");
  const boxes = Object.entries(JSON.parse(table.dataset.filters ?? "{}")).map(([kind, words]) => {
    const label = document.createElement("label");
    const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: !(table.dataset.off ?? "").includes(kind), value: kind });
    label.append(box, " ", words);
    line.append(label);
    return box;
  });
  const narrow = () => {
    const off = boxes.filter((box) => !box.checked).map((box) => box.value), words = field.value.toLowerCase().split(/\s+/);
    for (const row of rows)
      row.hidden = (row.dataset.is ?? "").split(" ").some((kind) => off.includes(kind))
        || !words.every((word) => row.textContent.toLowerCase().includes(word));
    count.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} rows`;
  };
  if (rows.length > 40) line.prepend(field);
  line.addEventListener("input", narrow);
  line.append(count);
  table.before(line);
  narrow();
}

// A table that is sorted by the column whose head is pressed, and again the other way; cells without a value come last.
function sortable(table) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0], rows = [...body.rows];
  const text = (row, i) => row.cells[i]?.textContent ?? "";
  const value = (row, i) => (row.cells[i]?.dataset.value ? Number(row.cells[i].dataset.value) : NaN);
  const numeric = heads.map((_, i) => rows.some((row) => !isNaN(value(row, i))));
  const compare = (i, sign) => (a, b) => {
    if (!numeric[i]) return sign * text(a, i).localeCompare(text(b, i));
    const [x, y] = [value(a, i), value(b, i)];
    return isNaN(x) - isNaN(y) || (isNaN(x) ? 0 : sign * (x - y));
  };
  heads.forEach((head, i) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: head.textContent });
    head.replaceChildren(button);
    head.addEventListener("click", () => {
      const first = head.dataset.first ?? (numeric[i] ? "descending" : "ascending");
      const way = head.ariaSort ?? (first === "ascending" ? "descending" : "ascending");
      const next = way === "descending" ? "ascending" : "descending";
      heads.forEach((other) => (other.ariaSort = null));
      head.ariaSort = next;
      body.append(...rows.sort(compare(i, next === "ascending" ? 1 : -1)));
    });
  });
}

addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("table.sortable").forEach(sortable);
  document.querySelectorAll("table:is(.sortable, .searchable)").forEach(searchable);
});

// Paper is white, whatever the screen, and nothing is folded there.
let theme, folded;
window.addEventListener("beforeprint", () => {
  theme = document.documentElement.dataset.theme;
  document.documentElement.dataset.theme = "light";
  folded = document.querySelectorAll(":is(details.fold, .interactive-figure details):not([open])");
  folded.forEach((details) => (details.open = true));
});
window.addEventListener("afterprint", () => {
  document.documentElement.dataset.theme = theme;
  folded.forEach((details) => (details.open = false));
});
