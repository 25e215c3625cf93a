// Whatever is wider than the page scrolls in its own box. Where something is hidden at an edge, that edge fades
// (book.css), and the keyboard can reach the box.
const WIDE = ".bd-article :is(table, pre, mjx-container, .cell_output .output)";

const SLACK = 4;

function mark(box) {
  const formula = box.querySelector(":scope > mjx-math"); // what a formula scrolls by is more than what it hides
  const width = formula ? formula.getBoundingClientRect().width : box.scrollWidth;
  const hidden = width - box.clientWidth > SLACK;
  box.toggleAttribute("data-more-left", hidden && box.scrollLeft > SLACK);
  box.toggleAttribute("data-more-right", hidden && width - box.clientWidth - box.scrollLeft > SLACK);
  if (hidden && box.tabIndex < 0) box.tabIndex = 0; // the theme sets -1 while a box is folded away
}

async function watch() {
  await window.MathJax?.startup?.promise;
  for (const box of document.querySelectorAll('.bd-article mjx-container[display="true"]')) {
    const width = box.querySelector(":scope > mjx-math")?.getBoundingClientRect().width;
    box.classList.toggle("tight", width > box.clientWidth); // on a phone it is set smaller (book.css)
  }
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
  const marked = [...document.querySelectorAll(".bd-article .highlighted")];
  const word = (mark) => mark.textContent.toLowerCase();
  const seen = new Set(marked.filter((mark) => !mark.closest("details")).map(word));
  for (const mark of marked) if (!seen.has(word(mark))) mark.closest("details").open = true;
}

addEventListener("load", () => {
  if (document.getElementById("search-results")) return;
  SphinxHighlight.highlightSearchWords();
  setTimeout(openFound, 100); // it marks after ten
});

// A long table can be searched: what lacks one of the words is hidden.
function search(table) {
  const rows = [...table.tBodies[0].rows];
  const field = Object.assign(document.createElement("input"), { type: "search", ariaLabel: "Search the table", placeholder: "Search the table" });
  const count = document.createElement("output");
  const narrow = () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    count.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} rows`;
  };
  field.addEventListener("input", narrow);
  narrow();
  const line = Object.assign(document.createElement("p"), { className: "table-search" });
  line.append(field, count);
  table.before(line);
}

addEventListener("DOMContentLoaded", () => document.querySelectorAll("table.searchable").forEach(search));

// Paper is white, whatever the screen, and nothing is folded there.
let theme, folded;
window.addEventListener("beforeprint", () => {
  theme = document.documentElement.dataset.theme;
  document.documentElement.dataset.theme = "light";
  folded = document.querySelectorAll("details.fold:not([open])");
  folded.forEach((details) => (details.open = true));
});
window.addEventListener("afterprint", () => {
  document.documentElement.dataset.theme = theme;
  folded.forEach((details) => (details.open = false));
});
