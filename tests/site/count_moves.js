// For each key on a slider of an explorer: what it changes, and how many layouts it reads.
(explorer) => {
  window.moves = [];
  let reads = 0;
  const count = (object, name) => {
    const found = Object.getOwnPropertyDescriptor(object, name);
    const way = found.get ? "get" : "value", read = found[way];
    found[way] = function (...words) { reads += 1; return read.apply(this, words); };
    Object.defineProperty(object, name, found);
  };
  const { prototype } = Element;
  ["clientWidth", "clientHeight", "getBoundingClientRect"].forEach((name) => count(prototype, name));
  ["offsetWidth", "offsetHeight"].forEach((name) => count(HTMLElement.prototype, name));
  count(SVGGraphicsElement.prototype, "getBBox");
  let changed = [];
  const watch = new MutationObserver((records) => changed.push(...records.map((one) => one.target)));
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  watch.observe(document.body, all);
  document.addEventListener("keydown", () => { changed = []; reads = 0; }, true);
  for (const input of explorer.querySelectorAll(".controls input")) {
    // registered after the explorer's own listener, so called after it; the observer comes between
    input.addEventListener("keydown", () => {
      const elsewhere = changed.filter((node) => !explorer.contains(node)).length;
      window.moves.push({ changed: changed.length, elsewhere, reads });
    });
  }
}
