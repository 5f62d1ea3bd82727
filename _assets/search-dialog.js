// Results as one types, in the dialog that Ctrl+K opens. What searches is loaded when the dialog is used first.

{
  const dialog = document.getElementById("pst-search-dialog");
  const load = (name) =>
    new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `${document.documentElement.dataset.content_root}_static/${name}`;
      script.onload = resolve;
      script.onerror = reject;
      document.head.append(script);
    });

  dialog?.addEventListener(
    "focusin",
    async () => {
      for (const name of ["vendor/minisearch/minisearch.js", "search-records.js", "search.js"]) await load(name);
      const count = document.createElement("p");
      count.setAttribute("role", "status");
      const results = document.createElement("div");
      results.className = "search-results";
      dialog.append(count, results);
      bookSearch.searchAsTyped(dialog.querySelector("input[type=search]"), count, results, 6);
    },
    { once: true },
  );
}
