// The table of contents and the index of the printed book, and the numbers of pages in them.

function listContents(body) {
  const contents = make("nav", { class: "contents" });
  for (const heading of all(body, "h1, h2, h3")) {
    const title = heading.cloneNode(true);
    for (const link of all(title, "a")) link.replaceWith(...link.childNodes);
    const line = pageLink(heading, make("span", { class: "title" }, ...title.childNodes), make("i", {}));
    contents.append(make("p", { class: `to-${heading.tagName.toLowerCase()}` }, line));
  }
  return contents;
}

const SITES = "p, li, dt, td, figcaption, h2, h3, h4, h5";
const NOT_INDEXED = "#glossary--, #references--, #license--, #errata--, .contents, .claims, .answers, .api";
const MOST = 8; // places of a term
const escaped = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("-", "[-–]");

// Where the glossary's terms are in a title or set in bold or italics; otherwise, where they come first. Then the
// glossary.
function listTerms(body) {
  const places = all(body, SITES).filter((node) => !node.closest(NOT_INDEXED) && !node.querySelector("p, li"));
  const texts = places.map((place) => [place, textOf(place)]);
  const entries = [];
  for (const term of all(body, "#glossary-- dt > strong")) {
    for (const name of term.textContent.split(/, (?![^(]*\))/)) {
      const names = name.split(/\s*[(),]\s*/).filter(Boolean);
      const pattern = new RegExp(`(?<![\\p{L}-])(${names.map(escaped).join("|")})(s|es)?(?![\\p{L}-])`, "iu");
      const exact = new RegExp(`^${pattern.source}\\W*$`, "iu");
      const found = texts.filter(([, text]) => pattern.test(text)).map(([place]) => place);
      const isMarked = (place) =>
        place.matches("h2, h3, h4, h5, .admonition-title") ||
        all(place, "strong, em").some((node) => exact.test(node.textContent));
      const marked = found.filter(isMarked).slice(0, MOST);
      const places = [...(marked.length ? marked : found.slice(0, 1)), term.closest("dt")];
      entries.push({ key: name, text: [name], places });
    }
  }
  return entries;
}

function listStatements(body) {
  return all(body, ".proof > .admonition-title").flatMap((title) => {
    const name = make("span", {}, ...title.cloneNode(true).childNodes);
    const number = name.querySelector(".caption-number");
    number?.remove();
    if (!number || !textOf(name)) return [];
    const texts = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
    texts.nextNode().data = texts.currentNode.data.replace(/^\s*\((The |An? )?/, "");
    while (texts.nextNode());
    texts.currentNode.data = texts.currentNode.data.replace(/\)\s*$/, "");
    name.append(` (${number.textContent.trim()})`);
    return [{ key: textOf(name), text: [name], places: [title] }];
  });
}

function listIndex(body) {
  const index = make("div", { class: "index" });
  const byName = new Intl.Collator("en");
  const entries = [...listTerms(body), ...listStatements(body)].sort((a, b) => byName.compare(a.key, b.key));
  for (const { text, places } of entries) {
    const links = places.map((place) => make("span", { class: "place" }, ", ", pageLink(place)));
    index.append(make("p", {}, ...text, ...links));
  }
  return index;
}

// Show the first half of the sheets or the second, without letters, or all of them. Both have as many elements: they
// take the time, not the letters.
function showHalf(half) {
  const sheets = [...document.body.children];
  const sizes = sheets.map((sheet) => sheet.getElementsByTagName("*").length);
  const whole = sizes.reduce((sum, size) => sum + size);
  let before = 0;
  for (const [i, sheet] of sheets.entries()) {
    sheet.hidden = half !== null && half !== +(before > whole / 2);
    before += sizes[i];
  }
  document.body.classList.toggle("blank", half !== null);
}

// Write the numbers of the pages, and tell whether one changed; an entry of the index names a page once.
function fillPages(pages) {
  let changed = false;
  for (const number of all(document, "[data-page-of]")) {
    const text = String(pages[number.dataset.pageOf]);
    changed ||= text !== number.textContent;
    number.textContent = text;
  }
  for (const entry of all(document, ".index p")) {
    const seen = new Set();
    for (const place of all(entry, ".place")) {
      place.hidden = seen.has(place.textContent);
      seen.add(place.textContent);
    }
  }
  return changed;
}
