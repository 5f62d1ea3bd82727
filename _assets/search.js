// The search: one hit a section, chapters before other pages, the API last, without regard to accents and hyphens.
// The search page loads it; elsewhere search-dialog.js does, when the dialog opens.

{
  const EXCERPT = 220; // letters
  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");
  const wordsOf = (text) => text.match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];
  const byAddress = new Map(SEARCH_RECORDS.map((record) => [record.at, record]));
  const root = document.documentElement.dataset.content_root ?? "./";

  const index = new MiniSearch({
    idField: "at",
    fields: ["title", "title_also", "text", "text_also"],
    tokenize: wordsOf,
    processTerm: fold,
    searchOptions: {
      boost: { title: 8, title_also: 5 },
      boostDocument: (at) => (at.includes("#") ? 1 : 1.5) * (byAddress.get(at).beside ? 0.3 : 1),
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      weights: { prefix: 0.3, fuzzy: 0.1 },
    },
  });
  const ready = index.addAllAsync(SEARCH_RECORDS, { chunkSize: 10 }); // the page answers in between

  const plain = (text) => wordsOf(text).map(fold).join(" ");
  const byKeyword = new Map();
  for (const { at, keywords = [] } of SEARCH_RECORDS) for (const phrase of keywords) byKeyword.set(plain(phrase), at);

  // The section that has the query as a keyword; those with every word or, if none has them all, with any; the
  // API's at the end.
  const hits = (query) => {
    const all = index.search(query, { combineWith: "AND" });
    const found = all.length ? all : index.search(query);
    const rank = ({ id }) => (byKeyword.get(plain(query)) === id ? 0 : byAddress.get(id).api ? 2 : 1);
    return found.map((hit) => [rank(hit), hit]).sort(([a], [b]) => a - b).map(([, hit]) => hit);
  };

  // Words of the book that resemble those of the query.
  const suggestions = (query) =>
    [...new Set(index.search(query, { fuzzy: 0.45 }).flatMap(({ terms }) => terms))].slice(0, 3);

  const element = (name, properties, ...content) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...content);
    return made;
  };

  // The text around its first found word, as nodes; found words are marked.
  const excerpt = (text, terms) => {
    const found = (word) => terms.has(fold(word));
    const first = [...text.matchAll(/[\p{L}\p{N}\p{M}_]+/gu)].find(([word]) => found(word))?.index ?? 0;
    const begin = first < EXCERPT / 3 ? 0 : text.lastIndexOf(" ", first - EXCERPT / 3) + 1;
    const cut = text.slice(begin, begin + EXCERPT);
    const parts = cut
      .split(/([\p{L}\p{N}\p{M}_]+)/u)
      .map((part) => (found(part) ? element("mark", {}, part) : part));
    return [begin ? "… " : "", ...parts, begin + EXCERPT < text.length ? " …" : ""];
  };

  const item = ({ id, terms }) => {
    const record = byAddress.get(id);
    const found = new Set(terms);
    const [page, anchor] = id.split("#");
    const written = wordsOf(`${record.title} ${record.text}`).filter((word) => found.has(fold(word)));
    const highlight = [...new Set(written.map((word) => word.toLowerCase()))].join(" ");
    const asked = highlight && `?highlight=${encodeURIComponent(highlight)}`;
    const link = element("a", { href: `${root}${page}${asked}${anchor ? `#${anchor}` : ""}` }, record.title);
    const where = element("small", {}, record.title === record.page ? "" : record.page);
    return element("li", {}, link, " ", where, element("p", {}, ...excerpt(record.text, found)));
  };

  // List at most so many sections for the words in a field, now and whenever they change.
  const searchAsTyped = (field, count, results, most) => {
    const show = () => {
      const query = field.value.trim();
      const found = hits(query);
      results.replaceChildren();
      for (const api of [false, true]) {
        const part = found.filter(({ id }) => byAddress.get(id).api === api).slice(0, api ? most / 2 : most);
        if (part.length && api) results.append(element("h2", {}, "In the API"));
        if (part.length) results.append(element("ol", {}, ...part.map(item)));
      }
      count.textContent = !query ? "" : `${found.length === 1 ? "One section" : `${found.length} sections`} for “${query}”.`;
      if (!query || found.length) return;
      const choose = (words) =>
        element("button", { type: "button", onclick: () => ((field.value = words), show(), field.focus()) }, words);
      const near = suggestions(query).flatMap((words) => [" ", choose(words)]);
      const glossary = element("a", { href: `${root}chapters/glossary.html` }, "the glossary");
      results.append(element("p", {}, near.length ? "Did you mean" : "Try another word, or look into ", ...(near.length ? [...near, "? Or look into "] : []), glossary, "."));
    };
    field.addEventListener("input", () => ready.then(show));
    ready.then(show);
  };

  globalThis.bookSearch = { hits, ready, searchAsTyped };

  const pageField = document.querySelector(".bd-search-container input[type=search]");
  if (pageField) {
    pageField.value = new URLSearchParams(location.search).get("q") ?? "";
    pageField.focus();
    searchAsTyped(pageField, document.getElementById("search-count"), document.getElementById("search-results"), 40);
  }
}
