// The search page: one hit a section, the book's before the API's, accents and hyphens of no matter.

const EXCERPT = 220; // letters
const PARTS = [
  ["", (record) => !record.api, 40],
  ["In the API", (record) => record.api, 15],
];
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const wordsOf = (text) => text.match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];

const index = new MiniSearch({
  idField: "at",
  fields: ["title", "title_also", "text", "text_also"],
  tokenize: wordsOf,
  processTerm: fold,
  searchOptions: {
    boost: { title: 8, title_also: 5 },
    boostDocument: (at) => (at.includes("#") ? 1 : 1.5) * (/errata|solutions/.test(at) ? 0.4 : 1),
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    weights: { prefix: 0.3, fuzzy: 0.1 },
  },
});
const byAddress = new Map(SEARCH_RECORDS.map((record) => [record.at, record]));
index.addAll(SEARCH_RECORDS);

// The sections with every word of the query or, where none has them all, with any.
const hits = (query) => {
  const all = index.search(query, { combineWith: "AND" });
  return all.length ? all : index.search(query);
};

// The text around its first found word, as nodes; found words are marked.
const excerpt = (text, terms) => {
  const found = (word) => terms.has(fold(word));
  const first = [...text.matchAll(/[\p{L}\p{N}\p{M}_]+/gu)].find(([word]) => found(word))?.index ?? 0;
  const begin = first < EXCERPT / 3 ? 0 : text.lastIndexOf(" ", first - EXCERPT / 3) + 1;
  const cut = text.slice(begin, begin + EXCERPT);
  const parts = cut.split(/([\p{L}\p{N}\p{M}_]+)/u).map((part) => {
    if (!found(part)) return part;
    const mark = document.createElement("mark");
    mark.textContent = part;
    return mark;
  });
  return [begin ? "… " : "", ...parts, begin + EXCERPT < text.length ? " …" : ""];
};

const item = ({ id, terms }) => {
  const record = byAddress.get(id);
  const found = new Set(terms);
  const [page, anchor] = id.split("#");
  const written = wordsOf(`${record.title} ${record.text}`).filter((word) => found.has(fold(word)));
  const highlight = [...new Set(written.map((word) => word.toLowerCase()))].join(" ");
  const link = document.createElement("a");
  link.href = `${page}${highlight && `?highlight=${encodeURIComponent(highlight)}`}${anchor ? `#${anchor}` : ""}`;
  link.append(record.title);
  const where = document.createElement("small");
  where.textContent = record.title === record.page ? "" : record.page;
  const text = document.createElement("p");
  text.append(...excerpt(record.text, found));
  const entry = document.createElement("li");
  entry.append(link, " ", where, text);
  return entry;
};

const show = (query) => {
  const found = hits(query);
  const results = document.getElementById("search-results");
  results.replaceChildren();
  for (const [heading, belongs, most] of PARTS) {
    const part = found.filter(({ id }) => belongs(byAddress.get(id))).slice(0, most);
    if (!part.length) continue;
    if (heading) results.append(Object.assign(document.createElement("h2"), { textContent: heading }));
    const list = document.createElement("ol");
    list.append(...part.map(item));
    results.append(list);
  }
  const count = found.length === 1 ? "One section" : `${found.length} sections`;
  document.getElementById("search-count").textContent = query ? `${count} for “${query}”.` : "";
};

const field = document.querySelector(".bd-search-container input[type=search]");
field.value = new URLSearchParams(location.search).get("q") ?? "";
field.focus();
field.addEventListener("input", () => show(field.value.trim()));
show(field.value.trim());
