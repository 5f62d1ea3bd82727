// Make one document of the book's pages, for paper: tools/pdf.py calls `assemble` in the browser. lists.js makes the
// table of contents and the index.

const all = (node, selector) => [...node.querySelectorAll(selector)];
const make = (tag, attributes, ...inside) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...inside);
  return node;
};
const textOf = (node) => {
  const copy = node.cloneNode(true);
  for (const number of all(copy, ".section-number")) number.remove();
  return copy.textContent.replace(/\s+/g, " ").trim();
};
let serial = 0;
const idOf = (node) => (node.id ||= `print-${++serial}`);
// A link that ends with the number of the target's page, which is known once the book was printed.
const pageLink = (target, ...text) =>
  make("a", { href: `#${idOf(target)}` }, ...text, make("span", { "data-page-of": idOf(target) }, "000"));

const keyOf = (name) => name.replace("chapters/", "").replaceAll("/", "-");
const SCREEN_ONLY = `script, button, p.print, .katex-mathml, .headerlink, .quiz-score, .toctree-wrapper, .sd-btn,
  .sd-summary-state-marker, footer.about-page, .expanded,
  .cell:has(kernlib-explorer) > .cell_input, .tag_stub > .cell_output, table:has([data-quiz-of]) tr > :nth-child(4)`;

// Take a page's article, with ids that no other page has, and links within the document.
function preparePage({ name, html }, site) {
  const article = new DOMParser().parseFromString(html, "text/html").querySelector("article.bd-article");
  for (const folded of all(article, "details.hide:has(kernlib-explorer)")) folded.replaceWith(...all(folded, ":scope > div"));
  // of folded code its figure or table, if it makes one
  for (const folded of all(article, ".cell:not(.tag_answer, .claim) > details.hide"))
    folded.replaceWith(...all(folded, ":scope > .cell_output:has(figure, table)"));
  for (const useless of all(article, SCREEN_ONLY)) useless.remove();
  for (const cell of all(article, ".tag_answer"))
    if (cell.textContent.includes("Markdown(")) cell.querySelector(".cell_input").remove(); // it writes the answer's text
  for (const formula of all(article, ".katex-html")) formula.removeAttribute("aria-hidden"); // it is read from here now
  const urlOf = (address) => new URL(address, `file:///${name}.html`);
  for (const node of all(article, "[id]")) node.id = `${keyOf(name)}--${node.id}`;
  for (const explorer of all(article, "kernlib-explorer")) {
    const live = `${name}.html${explorer.dataset.name ? `#${explorer.dataset.name}` : ""}`;
    explorer.id = `${keyOf(name)}--${explorer.dataset.name}`;
    const [question, ...picture] = explorer.querySelectorAll("figure > *");
    const rest = question.matches(".question") ? picture : [question, ...picture];
    const address = site && make("p", { class: "address" }, "With sliders: ", make("a", { href: site + live }, site + live));
    explorer.querySelector("figure").append(make("div", { class: "picture" }, ...rest, address));
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
    const dots = image.closest("kernlib-explorer") ? 140 : 195; // per inch: text in figures is as large as the caption
    if (image.width) image.style.width = `${image.width / dots}in`;
    image.setAttribute("src", `html${urlOf(image.dataset.paper ?? image.getAttribute("src")).pathname}`);
  }
  const attributes = { class: `page ${name.split("/")[0]}`, id: `${keyOf(name)}--` };
  return make("div", attributes, ...document.adoptNode(article).childNodes);
}

// Show of checked statements what was checked; next to exercises that is the solutions'.
function listClaims(page) {
  for (const claims of all(page, "details.claims, .claim")) {
    if (!page.contains(claims)) continue; // in a list that is done
    const cells = claims.matches(".claim") ? [claims] : all(claims, ".claim");
    const lines = (cell) => {
      const parts = [".code-title", ".cell_output"].map((name) => cell.querySelector(name));
      const [title, output] = parts.map((part) => part.textContent.trim());
      if (/^Check: \d+ statements$/.test(title)) return output.split("\n"); // each with its statement
      const said = output.split("\n");
      said.sort((a, b) => b.startsWith("✓") - a.startsWith("✓")); // before what the cell prints besides
      return [said.join("; ").replace(/^(✓ )?/, `$1${title.replace("Check: ", "")}: `)];
    };
    const list = make("ul", {}, ...cells.flatMap(lines).map((line) => make("li", {}, line)));
    const box = make("div", { class: "claims" }, make("p", {}, "Checked when this book was built:"), list);
    if (claims.parentElement.querySelector(".exercise")) box.classList.add("answer");
    claims.replaceWith(box);
  }
}

// Move the answers of a page to a new element, and leave where they were the number of the page that they are on.
function takeAnswers(page) {
  const answers = make("div", { class: "answers" });
  const take = (label, answer, place) => {
    const before = answer.previousElementSibling;
    const shared = before?.matches(".to-answer"); // with the answer before it
    const note = shared ? before : make("p", { class: "to-answer" });
    if (!shared) place(note);
    const link = make("p", { class: "from-answer" }, pageLink(note, `${label}: page `));
    answers.append(make("div", { class: "entry" }, link, answer));
    if (!shared) note.append(pageLink(answers.lastChild, `${label} on page `));
  };
  for (const node of all(page, ".solution, .answer, .tag_answer, details.sd-dropdown, .quiz, .question")) {
    if (!page.contains(node)) continue; // within an answer that was taken
    if (node.matches(".claims")) answers.append(node);
    else if (node.matches(".quiz")) takeQuiz(node, take);
    else if (node.matches(".question")) {
      const fold = node.querySelector("details");
      take("Prediction", fold.lastElementChild, (note) => fold.replaceWith(note));
    } else if (node.matches(".solution")) {
      const exercise = node.querySelector(".admonition-title a").getAttribute("href").slice(1);
      take("Solution", node, (note) => page.querySelector(`[id="${exercise}"]`).append(note));
    } else if (node.matches(".answer, .tag_answer") || /^Answers?$/.test(textOf(node.firstElementChild))) {
      take("Answer", node, (note) => node.replaceWith(note));
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

// Put the mark on the last line of a proof, or below a formula that ends it.
function endProof(proof) {
  let last = proof;
  while (last.lastElementChild?.matches("p, ul, ol, li, .proof")) last = last.lastElementChild;
  if (last.matches("p, li")) last.append("\u00a0\u00a0∎");
  else proof.append(make("p", { class: "qed" }, "∎"));
}

// Open what is folded, and mark the code that is kept on one page and the text that leads to what follows.
function tidy(page) {
  for (const fold of all(page, "details")) {
    const title = fold.querySelector("summary");
    const kind = fold.matches(".folded-proof") ? "proof-box" : "aside-box";
    title.replaceWith(make("p", { class: "fold-title" }, ...title.childNodes));
    const box = make("div", { class: kind }, ...fold.childNodes);
    fold.replaceWith(box);
    for (const body of all(box, ":scope > .sd-summary-content")) body.replaceWith(...body.childNodes);
    if (kind === "proof-box") endProof(box);
  }
  for (const code of all(page, "pre")) {
    const lines = code.textContent.split("\n");
    code.classList.toggle("short", lines.length < 16);
    code.classList.toggle("wide", lines.some((line) => line.length > 90));
  }
  for (const cell of all(page, "td")) cell.classList.toggle("kept", cell.textContent.trim().length < 12);
  for (const text of all(page, "p")) text.classList.toggle("leads", text.textContent.trim().endsWith(":"));
  for (const cell of all(page, ".cell")) if (!cell.textContent.trim() && !cell.querySelector("img, svg")) cell.remove();
  for (const emptied of all(page, "section:not(:has(> :not(h3, h4, span:empty)))")) emptied.remove(); // "Solutions"
}

function lowerHeadings(page) {
  for (const heading of all(page, "h1, h2, h3, h4, h5")) {
    const lower = make(`h${+heading.tagName[1] + 1}`, {}, ...heading.childNodes);
    heading.replaceWith(lower);
  }
}

// Fill the body: title page, contents, the parts' pages, the answers, the index.
function assemble({ title, author, edition, site, parts }) {
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
    for (const data of pages) {
      const page = preparePage(data, site);
      const heading = page.querySelector("h1");
      listClaims(page);
      if (data.name.endsWith("_solutions")) {
        page.classList.add("answers");
        solved.push(page);
      } else {
        const answers = takeAnswers(page);
        if (answers.children.length) solved.push(answers);
        answers.prepend(make("h1", {}, ...heading.cloneNode(true).childNodes));
        const first = data === pages[0] && caption;
        const head = heading.textContent;
        if (caption) lowerHeadings(page);
        section(head, ...(first ? [make("h1", { class: "part" }, caption)] : []), page);
      }
    }
  }
  solved.forEach(lowerHeadings);
  section("Solutions and answers", make("h1", { class: "part" }, "Solutions and answers"), ...solved);
  tidy(body);
  const index = listIndex(body);
  index.prepend(make("h1", { class: "part" }, "Index"));
  section("Index", index);
  const contents = make("section", { class: "sheet bd-article", style: "page: sheet-contents" });
  contents.append(make("h1", { class: "part" }, "Contents"), listContents(body));
  const lines = [author, edition].map((line) => make("p", {}, line));
  const cover = make("section", { class: "cover" }, make("p", { class: "cover-title" }, title), ...lines);
  body.prepend(cover, contents);
  mendLinks(body);
  return heads;
}

// A link to a place that is not printed is plain text.
function mendLinks(body) {
  const ids = new Set(all(body, "[id]").map((node) => node.id));
  for (const link of all(body, "a[href^='#']")) {
    const id = link.getAttribute("href").slice(1);
    if (!ids.has(id)) link.removeAttribute("href");
  }
}

// Load fonts, which nothing on the screen asks for, and pictures.
async function ready() {
  await Promise.all([...document.images].map((image) => image.decode()));
  await Promise.all([...document.fonts].map((font) => font.load()));
}
