// Pointing at a link in the text shows what it leads to: a definition, a statement, a figure. So does the keyboard, and
// on a touch screen the first tap; the second one follows. Elsewhere in the book it is fetched; a page that was opened
// from disk cannot, and shows the sentence that the link itself carries, if any.
const SHOWN = ".proof, figure, dd, div.math";
const WAIT = 200; // milliseconds that the pointer rests on a link, or is away, before anything happens

const pages = new Map();
const preview = Object.assign(document.createElement("div"), { className: "preview bd-article", id: "preview", popover: "manual" });
preview.setAttribute("role", "tooltip");
let current, timer;

function pageOf(url) {
  const address = url.href.replace(/#.*/, "");
  if (address === location.href.replace(/#.*/, "")) return document;
  if (!pages.has(address)) {
    const read = (text) => new DOMParser().parseFromString(text, "text/html");
    pages.set(address, fetch(address).then((answer) => (answer.ok ? answer.text().then(read) : null)).catch(() => null));
  }
  return pages.get(address);
}

// A copy of what a link leads to, with the addresses of its own page; nothing for a whole section.
async function copyOf(link) {
  const url = new URL(link.href);
  const target = (await pageOf(url))?.getElementById(decodeURIComponent(url.hash.slice(1)));
  const found = target?.matches("dt") ? target.nextElementSibling : target?.closest(SHOWN) ?? target?.querySelector(":scope > figure");
  if (!found || found.contains(link)) return null;
  const copy = found.cloneNode(true);
  copy.querySelectorAll(".headerlink, script, details, .live, .says, .controls").forEach((part) => part.remove());
  copy.querySelector(".alive")?.classList.remove("alive"); // a picture that responds keeps still
  for (const part of [copy, ...copy.querySelectorAll("[id]:not(svg *)")]) part.removeAttribute("id");
  for (const name of ["href", "src"])
    for (const part of copy.querySelectorAll(`:not(svg *)[${name}]`)) part[name] = new URL(part.getAttribute(name), url);
  copy.querySelectorAll("a").forEach((inner) => inner.replaceWith(...inner.childNodes)); // it is read, not used
  return copy;
}

async function show(link) {
  current = link;
  const content = (await copyOf(link)) ?? link.dataset.says;
  if (current !== link || !content) return;
  preview.replaceChildren(content);
  document.body.append(preview);
  preview.showPopover();
  link.setAttribute("aria-describedby", "preview");
  const box = link.getClientRects()[0], { width, height } = preview.getBoundingClientRect();
  const above = box.bottom + height > innerHeight && box.top > height;
  preview.style.left = `${scrollX + Math.max(8, Math.min(box.left, document.documentElement.clientWidth - width - 8))}px`;
  preview.style.top = `${scrollY + (above ? box.top - height - 4 : box.bottom + 4)}px`;
}

function hide() {
  clearTimeout(timer);
  current?.removeAttribute("aria-describedby");
  current = undefined;
  preview.remove();
}

function later(what) {
  clearTimeout(timer);
  timer = setTimeout(what, WAIT);
}

function prepare(link) {
  link.dataset.says = link.title;
  link.removeAttribute("title"); // or the browser would show it, too
  let touched = false;
  link.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && later(() => link !== current && (hide(), show(link))));
  link.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && later(hide));
  link.addEventListener("focus", () => link.matches(":focus-visible") && (hide(), show(link)));
  link.addEventListener("blur", hide);
  link.addEventListener("pointerdown", ({ pointerType }) => (touched = pointerType === "touch" && current !== link));
  link.addEventListener("click", async (event) => {
    if (!touched) return hide();
    event.preventDefault();
    hide();
    await show(link);
    if (!preview.isConnected) link.click(); // there is nothing to show
  });
}

addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll(".bd-article :is(p, li, td, figcaption) a.internal[href*='#']:not(.headerlink)").forEach(prepare);
  preview.addEventListener("pointerenter", () => clearTimeout(timer));
  preview.addEventListener("pointerleave", () => later(hide));
  addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  addEventListener("pointerdown", ({ target }) => target !== current && !preview.contains(target) && hide());
});
