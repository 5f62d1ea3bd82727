// Make one document of the book's pages, for paper. tools/pdf.py calls `assemble` in the browser.

const all = (node, selector) => [...node.querySelectorAll(selector)];
const make = (tag, attributes, ...inside) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...inside);
  return node;
};
const textOf = (node) => {
  const copy = node.cloneNode(true);
  for (const hidden of all(copy, ".katex-mathml, .section-number")) hidden.remove();
  return copy.textContent.replace(/\s+/g, " ").trim();
};
let serial = 0;
const idOf = (node) => (node.id ||= `print-${++serial}`);
// A link that ends with the number of the target's page, which is known once the book was printed.
const pageLink = (target, ...text) =>
  make("a", { href: `#${idOf(target)}` }, ...text, make("span", { "data-page-of": idOf(target) }, "000"));

const keyOf = (name) => name.replace("chapters/", "").replaceAll("/", "-");
const SCREEN_ONLY = `script, button, .headerlink, .quiz-score, .toctree-wrapper, .sd-btn, footer.about-page,
  .sd-summary-state-marker, kernlib-explorer details, p.print, details.hide`;

// Take a page's article, with ids that no other page has, and links within the document.
function preparePage({ name, html }, site) {
  const article = new DOMParser().parseFromString(html, "text/html").querySelector("article.bd-article");
  const urlOf = (address) => new URL(address, `file:///${name}.html`);
  for (const node of all(article, "[id]")) node.id = `${keyOf(name)}--${node.id}`;
  for (const explorer of all(article, "kernlib-explorer")) {
    const live = `${name}.html${explorer.dataset.name ? `#${explorer.dataset.name}` : ""}`;
    const address = site ? make("a", { href: site + live }, site + live) : live;
    explorer.id = `${keyOf(name)}--${explorer.dataset.name}`;
    explorer.querySelector("figure").append(make("p", { class: "address" }, "With sliders: ", address));
  }
  for (const link of all(article, "a[href]")) {
    const { protocol, pathname, hash } = urlOf(link.getAttribute("href"));
    const [anchor] = decodeURIComponent(hash.slice(1)).split(":"); // of an explorer's state, its name
    if (protocol !== "file:") continue;
    if (site && link.matches(".explorer-state")) link.href = site + pathname.slice(1) + hash;
    else link.setAttribute("href", `#${keyOf(pathname.slice(1, -".html".length))}--${anchor}`);
  }
  for (const image of all(article, "img")) {
    image.removeAttribute("loading");
    image.setAttribute("src", `html${urlOf(image.getAttribute("src")).pathname}`);
  }
  return make("div", { class: "page", id: `${keyOf(name)}--` }, ...document.adoptNode(article).childNodes);
}

// Move the answers of a page to a new element, and leave where they were the number of the page that they are on.
function takeAnswers(page) {
  const answers = make("div", { class: "answers" });
  const take = (label, answer, place) => {
    const note = make("p", { class: "to-answer" });
    place(note);
    answers.append(make("div", { class: "entry" }, make("p", { class: "from-answer" }, pageLink(note, `${label}: page `)), answer));
    note.append(pageLink(answers.lastChild, `${label} on page `));
  };
  const selector = `.solution, details.sd-dropdown, .tag_answer, details.claims, .quiz, kernlib-explorer .question`;
  for (const node of all(page, selector)) {
    const title = node.querySelector("summary, .admonition-title")?.textContent.trim();
    if (!page.contains(node)) continue; // within an answer that was taken
    if (node.matches(".quiz")) takeQuiz(node, take);
    else if (node.matches(".question")) {
      take("Prediction", node.querySelector("details > p"), (note) => node.append(note));
    } else if (node.matches(".claims")) {
      const list = make("ul", {}, ...all(node, ".cell_output pre").map((line) => make("li", {}, line.textContent)));
      const box = make("div", { class: "claims" }, make("p", {}, "Checked when this book was built:"), list);
      if (node.parentElement.querySelector(".exercise")) node.replaceWith(), answers.append(box);
      else node.replaceWith(box);
    } else if (node.matches(".solution, .answer, .tag_answer") || /^Answers?$/.test(title)) {
      take(node.matches(".solution") ? "Solution" : "Answer", node, (note) => node.replaceWith(note));
    }
  }
  return answers;
}

function takeQuiz(quiz, take) {
  const options = all(quiz, "details.option");
  const list = (cut) => make("ol", { type: "a" }, ...options.map((option) => make("li", {}, ...cut(option))));
  const question = quiz.querySelector("strong").textContent.replace(".", "").trim();
  const choices = list((option) => option.querySelector("summary").childNodes);
  for (const option of options) option.querySelector("summary").remove();
  const verdicts = list((option) => option.childNodes);
  quiz.append(choices);
  for (const option of options) option.remove();
  take(question, verdicts, (note) => quiz.append(note));
}

// A fold is a box with a title; proofs and asides are open.
function openFolds(page) {
  for (const fold of all(page, "details")) {
    const title = fold.querySelector("summary");
    const kind = fold.matches(".folded-proof") ? "proof-box" : "aside-box";
    title.replaceWith(make("p", { class: "fold-title" }, ...title.childNodes));
    fold.replaceWith(make("div", { class: kind }, ...fold.childNodes));
  }
  for (const cell of all(page, ".cell")) if (!cell.textContent.trim() && !cell.querySelector("img, svg")) cell.remove();
}

function lowerHeadings(page) {
  for (const heading of all(page, "h1, h2, h3, h4, h5")) {
    const lower = make(`h${+heading.tagName[1] + 1}`, {}, ...heading.childNodes);
    heading.replaceWith(lower);
  }
}

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
const NOT_INDEXED = "#glossary--, #references--, #license--, #errata--, .contents, .claims, .api";
const escaped = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("-", "[-–]");

// Where the glossary's terms are explained, named in a title or set in bold or italics; otherwise, where they come first.
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
      const marked = found.filter(
        (place) =>
          (/^H\d$/.test(place.tagName) || place.matches(".admonition-title") || all(place, "strong, em").some((node) => exact.test(node.textContent))),
      );
      entries.push({ key: name, text: [name], places: [...(marked.length ? marked : found.slice(0, 1)), term.closest("dt")] });
    }
  }
  return entries;
}

function listStatements(body) {
  return all(body, ".proof > .admonition-title").flatMap((title) => {
    const number = title.querySelector(".caption-number");
    if (!number) return [];
    const copy = title.cloneNode(true);
    copy.querySelector(".caption-number").remove();
    for (const formula of all(copy, ".katex-mathml")) formula.remove();
    const name = copy.innerHTML.trim().replace(/^\((The |An? )?(.*)\)$/s, "$2");
    if (!name) return [];
    const text = make("span", {});
    text.innerHTML = name;
    text.append(` (${number.textContent.trim()})`);
    return [{ key: textOf(text), text: [text], places: [title] }];
  });
}

function listIndex(body) {
  const index = make("div", { class: "index" });
  const byName = new Intl.Collator("en");
  const entries = [...listTerms(body), ...listStatements(body)].sort((a, b) => byName.compare(a.key, b.key));
  for (const { text, places } of entries) {
    const links = places.flatMap((place) => [", ", pageLink(place)]);
    index.append(make("p", {}, ...text, ...links));
  }
  return index;
}

// Fill the body: title page, contents, the parts' pages, the answers, the index.
function assemble({ title, author, site, parts }) {
  const body = document.body;
  const heads = [];
  const section = (name, ...inside) => {
    const box = make("section", { class: "sheet bd-article", style: `page: sheet-${heads.length}` }, ...inside);
    heads.push(name);
    body.append(box);
    return box;
  };
  const solved = [];
  for (const { caption, pages } of parts) {
    pages.forEach((data, number) => {
      const page = preparePage(data, site);
      const answers = data.name.endsWith("_solutions") ? null : takeAnswers(page);
      for (const node of [page, ...(answers ? [answers] : [])]) {
        for (const useless of all(node, SCREEN_ONLY)) useless.remove();
        openFolds(node);
      }
      const heading = page.querySelector("h1");
      const head = textOfTitle(heading);
      if (!answers) {
        heading.remove();
        solved.at(-1)?.answers.append(page);
        return;
      }
      if (answers.children.length) solved.push({ head, answers, heading: heading.cloneNode(true) });
      if (caption) lowerHeadings(page);
      if (data.name.startsWith("api/")) page.classList.add("api");
      section(head, ...(caption && number === 0 ? [make("h1", { class: "part" }, caption)] : []), page);
    });
  }
  solved.forEach(({ head, answers, heading }, number) => {
    const title = make("h2", {}, ...heading.childNodes);
    if (number === 0) section("Solutions", make("h1", { class: "part" }, "Solutions and answers"), title, answers);
    else body.lastChild.append(title, answers);
  });
  const index = listIndex(body);
  section("Index", make("h1", { class: "part" }, "Index"), index);
  const contents = make("section", { class: "sheet bd-article", style: "page: sheet-contents" });
  contents.append(make("h1", { class: "part" }, "Contents"), listContents(body));
  const cover = make("section", { class: "cover" }, make("p", { class: "cover-title" }, title), make("p", {}, author));
  body.prepend(cover, contents);
  mendLinks(body);
  return heads;
}

const textOfTitle = (heading) => heading.textContent.replace(/#$/, "").replace(/\s+/g, " ").trim();

// A link to a place that is not printed is plain text.
function mendLinks(body) {
  const ids = new Set(all(body, "[id]").map((node) => node.id));
  for (const link of all(body, "a[href^='#']")) {
    const id = link.getAttribute("href").slice(1);
    if (!ids.has(id)) link.removeAttribute("href");
  }
}

// Write the numbers of the pages; an entry of the index names a page once.
function fillPages(pages) {
  for (const number of all(document, "[data-page-of]")) number.textContent = pages[number.dataset.pageOf] ?? "000";
  for (const entry of all(document, ".index p")) {
    const seen = new Set();
    for (const link of all(entry, "a")) {
      if (seen.has(link.textContent)) link.previousSibling.remove(), link.remove();
      seen.add(link.textContent);
    }
  }
}

// Wait for fonts and pictures.
async function ready() {
  await Promise.all([...document.images].map((image) => image.decode()));
  await document.fonts.ready;
}
