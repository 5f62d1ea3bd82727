// What tests ask of a page: conftest.py gives this script to each page before the page's own.
{
  // What the first paint shifts, and what has begun when the page is read.
  const seen = { shifted: 0, began: null, scripts: [] };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.shifted += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  document.addEventListener("DOMContentLoaded", () => {
    seen.began = document.querySelector("#first-explorer")?.matches(".ready") ?? null;
    const files = [...document.querySelectorAll("script[defer]")].map(({ src }) => new URL(src).pathname);
    seen.scripts = files.map((path) => path.split("/").pop());
  });

  // Load all images; those below the screen would wait for their reader.
  const loadImages = () =>
    Promise.allSettled(
      [...document.images].map((image) => {
        image.loading = "eager";
        return image.decode();
      })
    ).then(() => null);

  const showAll = () => {
    const style = document.createElement("style");
    style.textContent = "* { content-visibility: visible !important }";
    document.head.append(style);
    return style;
  };
  const openAll = () => {
    showAll();
    document.querySelectorAll("details").forEach((fold) => { fold.open = true; });
  };

  // Show all of a page but what matches; put it back.
  let away = [];
  function leaveOut(selector) {
    away = [...document.querySelectorAll(selector)].map((part) => [new Text("x"), part]);
    for (const [sign, part] of away) part.replaceWith(sign);
    away.push([showAll(), ""]);
  }
  const putBack = () => away.reverse().forEach(([sign, part]) => sign.replaceWith(part));

  // Signs that are not behind their formula, in its line.
  function looseSigns() {
    const loose = [];
    for (const kept of document.querySelectorAll("p > .kept, li > .kept")) {
      const sign = kept.lastChild;
      const last = [...kept.querySelectorAll(".katex-base")].at(-1).getBoundingClientRect();
      if (!last.width || sign.nodeType !== Node.TEXT_NODE) continue;
      const range = document.createRange();
      range.setStart(sign, 0);
      range.setEnd(sign, 1);
      const at = range.getBoundingClientRect();
      if (at.left < last.right - 1 || at.bottom < last.top) loose.push(kept.textContent);
    }
    return loose;
  }

  // By how many pixels the page missed a target to which it should have scrolled.
  function missed(target) {
    const { top } = target.getBoundingClientRect();
    target.scrollIntoView();
    return Math.abs(top - target.getBoundingClientRect().top);
  }

  // The element with the focus, and whether the reader can see that it has it.
  function focused() {
    const element = document.activeElement;
    const order = [...document.querySelectorAll("*")].indexOf(element);
    // A fold of the sidebar rings the arrow inside it.
    const marked = [element, ...element.children]
      .map((one) => getComputedStyle(one))
      .some((style) => style.outlineStyle !== "none" || style.boxShadow !== "none");
    return { order, text: element.textContent.trim(), tag: element.tagName, marked };
  }
  const focusIsIn = (selector) => document.activeElement.closest(selector) !== null;

  // What an explorer shows once it has begun: how many parts of each panel can be seen, and what a screen reader says.
  function begun(explorer) {
    explorer.begin();
    const canBeSeen = (part) => part.checkVisibility({ visibilityProperty: true });
    const parts = ".stage > svg > svg > g:not(:empty), canvas, td, output, button";
    const drawings = [...explorer.querySelectorAll(".drawing")];
    drawings.sort((a, b) => a.dataset.panel - b.dataset.panel);
    return {
      name: explorer.dataset.name,
      shows: explorer.spec.predict?.shows,
      titles: explorer.spec.panels.map(({ title }) => title),
      seen: drawings.map((drawing) => [...drawing.querySelectorAll(parts)].filter(canBeSeen).length),
      spoken: [...explorer.querySelectorAll(".stage > svg")].map((picture) => picture.ariaLabel),
    };
  }

  // What each panel of an explorer shows: markup, and the pixels of a canvas.
  const pictures = (explorer) =>
    [...explorer.querySelectorAll(".drawing")]
      .sort((one, other) => one.dataset.panel - other.dataset.panel)
      .map((slot) => slot.innerHTML + [...slot.querySelectorAll("canvas")].map((canvas) => canvas.toDataURL()));

  // What an explorer shows after its fields are set, by their labels, to each of some states; pictures by numbers.
  function shownAt(explorer, states) {
    const known = new Map();
    const number = (picture) => (known.has(picture) || known.set(picture, known.size), known.get(picture));
    return states.map((state) => {
      for (const field of explorer.querySelectorAll(".controls :is(input, select)")) {
        const value = state[field.labels[0].textContent];
        if (value === undefined) continue;
        field.value = value;
        for (const event of ["input", "change"]) field.dispatchEvent(new Event(event, { bubbles: true }));
      }
      return { said: explorer.querySelector("output")?.textContent, pictures: pictures(explorer).map(number) };
    });
  }

  // The elements that are visible where they should not be, or not where they should.
  const isVisible = (one) => one.checkVisibility({ visibilityProperty: true }) && one.offsetHeight > 0;
  const wrongly = (elements, shown) =>
    elements.filter((one) => isVisible(one) !== shown).map((one) => one.textContent.trim().slice(0, 60));

  // From now on, for each key on a slider of an explorer: what it changes, and how many layouts it reads.
  function countMoves(explorer) {
    const moves = [];
    let reads = 0;
    const count = (object, name) => {
      const found = Object.getOwnPropertyDescriptor(object, name);
      const way = found.get ? "get" : "value";
      const read = found[way];
      found[way] = function (...words) {
        reads += 1;
        return read.apply(this, words);
      };
      Object.defineProperty(object, name, found);
    };
    ["clientWidth", "clientHeight", "getBoundingClientRect"].forEach((name) => count(Element.prototype, name));
    ["offsetWidth", "offsetHeight"].forEach((name) => count(HTMLElement.prototype, name));
    count(SVGGraphicsElement.prototype, "getBBox");
    let changed = [];
    const watch = new MutationObserver((records) => changed.push(...records.map((one) => one.target)));
    watch.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    document.addEventListener("keydown", () => ((changed = []), (reads = 0)), true);
    for (const input of explorer.querySelectorAll(".controls input")) {
      // registered after the explorer's own listener, so called after it; the observer comes between
      input.addEventListener("keydown", () => {
        const elsewhere = changed.filter((node) => !explorer.contains(node)).length;
        moves.push({ changed: changed.length, elsewhere, reads });
      });
    }
    seen.moves = moves;
  }

  // What each panel has written into its picture, and how many ticks it has.
  const drawn = () =>
    [...document.querySelectorAll(".panel")].map((panel) => ({
      written: [...panel.querySelectorAll("svg *")]
        .flatMap((node) => ["d", "x", "y", "width", "height"].map((name) => node.getAttribute(name)))
        .join(" "),
      ticks: panel.querySelectorAll(".ticks text").length,
    }));

  // From now on: how often the readout of an explorer is new.
  function countAnswers(explorer) {
    seen.answers = 0;
    const all = { childList: true, characterData: true, subtree: true };
    new MutationObserver(() => (seen.answers += 1)).observe(explorer.querySelector("output"), all);
  }
  function pressRight(input, times) {
    const key = { key: "ArrowRight", bubbles: true, cancelable: true };
    for (let i = 0; i < times; i += 1) input.dispatchEvent(new KeyboardEvent("keydown", key));
  }

  // Of boxes with what a cell printed: whether each is wider than its place, and the rows and the lines of its tables.
  const printed = (boxes) =>
    boxes.map((pre) => {
      const tables = [...pre.querySelectorAll(".columns")];
      return {
        isWide: pre.scrollWidth > pre.clientWidth + 1,
        rows: tables.flatMap((rows) => rows.textContent.trimEnd().split("\n")).length,
        lines: new Set(tables.flatMap((rows) => [...rows.getClientRects()].map(({ top }) => top))).size,
      };
    });

  window.probe = { seen, loadImages, showAll, openAll, looseSigns, missed, focused, focusIsIn, printed };
  Object.assign(window.probe, { leaveOut, putBack, begun, pictures, shownAt, wrongly, countMoves, drawn, countAnswers, pressRight });
}
