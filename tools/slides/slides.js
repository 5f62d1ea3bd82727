// Opens a deck: finds the zoom at which each slide fits, then starts reveal.js.

const ZOOMS = { text: [1.9, 1], explorer: [1.5, 0.5] }; // from the largest to the least
const STEP = 0.05;

const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
const wide = ".formula, pre, .pst-scrollable-table-container, .panels, figure, table";
const overflows = (content) => {
  const { right, bottom } = content.getBoundingClientRect();
  const beyond = (box) => box.right > right + 1 || box.bottom > bottom + 1;
  return (
    [...content.children].some((part) => beyond(part.getBoundingClientRect())) ||
    [...content.querySelectorAll(".plain")].some((part) => part.scrollHeight > part.clientHeight + 1) ||
    [...content.querySelectorAll(wide)].some((part) => part.scrollWidth > part.clientWidth + 1)
  );
};

// The plots of an explorer take the height that is left.
function stretch(content, explorer) {
  const panels = [...explorer.querySelectorAll(".panels > .panel:not([hidden])")];
  const rows = new Set(panels.map((panel) => panel.offsetTop)).size;
  const [outer, inner] = [content, explorer].map((part) => part.getBoundingClientRect());
  const left = ((outer.bottom - inner.bottom) / outer.height) * content.clientHeight; // whatever the zoom
  explorer.view.stretch(Math.max(0, left / rows - 1));
}

// Explorers draw again in a later frame, hence the wait; all slides wait for the same frames.
async function fit(section) {
  const content = section.querySelector(".content");
  const explorer = section.querySelector("kernlib-explorer");
  const [largest, least] = ZOOMS[explorer ? "explorer" : "text"];
  const shrink = async (zoom) => {
    explorer?.view?.stretch(0);
    for (; ; zoom -= STEP) {
      content.style.setProperty("--zoom", zoom.toFixed(2));
      if (explorer) await frame();
      if (zoom <= least + STEP / 2 || !overflows(content)) break;
    }
    if (explorer?.view) stretch(content, explorer);
  };
  await shrink(largest);
  // An answer may take more room than its question.
  explorer?.addEventListener("click", () => frame().then(() => overflows(content) && shrink(content.style.getPropertyValue("--zoom") - STEP)));
}

async function start() {
  const root = document.documentElement;
  const printed = /print-pdf|view=print/.test(location.search);
  const dark = (localStorage.getItem("theme") || "auto").replace("auto", matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  root.dataset.theme = printed ? "light" : dark;
  // The address of a state of an explorer leads to its slide.
  const name = decodeURIComponent(location.hash.slice(1)).split(":")[0];
  const sections = [...document.querySelectorAll(".slides > section")];
  root.classList.add("measuring");
  for (const explorer of document.querySelectorAll("kernlib-explorer")) {
    if (printed) explorer.replaceWith(explorer.querySelector("figure")); // paper shows its picture, with all curves
    else explorer.begin();
  }
  await frame();
  await document.fonts.ready;
  await Promise.all(sections.map(fit));
  root.classList.remove("measuring");
  await Reveal.initialize({
    width: 1280, height: 720, margin: 0, center: false, hash: true, slideNumber: "c/t", controls: "speaker-only", transition: "none",
    pdfSeparateFragments: false, plugins: [RevealNotes],
    keyboardCondition: () => !document.activeElement.closest("kernlib-explorer"),
  });
  const wanted = name && sections.findIndex((section) => section.querySelector(`[data-name="${CSS.escape(name)}"]`));
  if (wanted > 0) Reveal.slide(wanted);
  root.classList.add("started");
}

// The keys of a presenter's remote turn the slide also while an explorer has the focus.
addEventListener("keydown", (event) => {
  const turn = { PageDown: "next", PageUp: "prev" }[event.key];
  if (!turn || !document.activeElement.closest("kernlib-explorer")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  Reveal[turn]();
}, true);

start();
