// What is wrong with a page, in sentences: what test_book_browser.py asks of each page, in both themes.
() => {
  const visible = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const all = (selector) => [...document.querySelectorAll(selector)];
  const onScreen = (element) => {
    const box = element.getBoundingClientRect();
    return visible(element) && box.width > 1 && box.right > 0 && box.left < innerWidth;
  };

  const once = (compute) => {
    const known = new Map();
    return (key) => (known.has(key) ? known : known.set(key, compute(key))).get(key);
  };

  // A canvas knows every way in which CSS writes a color.
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = once((color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return { channels: [r, g, b], alpha: alpha / 255 };
  });
  const over = (top, bottom) => top.channels.map((c, i) => c * top.alpha + bottom[i] * (1 - top.alpha));
  let ground; // by element, in the theme of the moment
  const findGround = (element) => {
    if (!element) return [255, 255, 255];
    const own = rgba(getComputedStyle(element).backgroundColor);
    return own.alpha === 1 ? own.channels : over(own, ground(element.parentElement));
  };
  // WCAG 2's relative luminance and contrast ratio.
  const luminance = (channels) => {
    const [r, g, b] = channels.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (element) => {
    const back = ground(element);
    const [dark, light] = [luminance(over(rgba(getComputedStyle(element).color), back)), luminance(back)].sort(
      (a, b) => a - b
    );
    return (light + 0.05) / (dark + 0.05);
  };
  const hasText = (element) => [...element.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());

  // What sticks out of the next box that hides the rest, with no box in between that scrolls.
  const edge = once((box) => {
    if (box === document.body) return innerWidth;
    const overflow = getComputedStyle(box).overflowX;
    if (["auto", "scroll"].includes(overflow)) return Infinity;
    const outer = edge(box.parentElement);
    return ["hidden", "clip"].includes(overflow) ? Math.min(box.getBoundingClientRect().right, outer) : outer;
  });
  const cut = (element) => element.getBoundingClientRect().right > edge(element) + 1;

  // What is in a formula, in a picture or behind a heading has colors of its own.
  function* faint(theme) {
    document.documentElement.dataset.theme = theme;
    ground = once(findGround);
    for (const element of all(":is(main, .bd-sidebar-primary) :not(.katex, .katex *, svg, svg *, .headerlink)")) {
      if (!hasText(element) || !visible(element)) continue;
      const found = contrast(element);
      const words = element.textContent.trim().slice(0, 40);
      if (found < 4.5) yield `${theme}: text with a contrast below 4.5 (WCAG AA): ${words} (${element.tagName}, ${found})`;
    }
  }

  // myst-nb's own alt text is the picture's path; other tools say no more than what it is.
  const saysNothing = /^$|^\S*[/\\]\S*$|\.(png|svg|jpe?g|gif|webp)$|^(image|picture|figure|plot|output)\W*\d*$/i;
  const isNumbered = /^(Theorem|Algorithm|Exercise) \d+(\.\d+)?\b/;
  const text = (element) => element.textContent.trim().slice(0, 60);
  const width = document.scrollingElement.scrollWidth;
  const searches = all(".search-button__button, form.bd-search").filter(onScreen);
  const [formulas, typeset] = [".math", ".math .katex"].map((selector) => all(selector).length);
  const sources = [...document.querySelector("article, main").innerText.matchAll(/\\\(|\\\[|\$\$/g)].length;
  const titles = all("main h1").filter((title) => !title.closest(".onlyprint"));
  const language = document.documentElement.lang;

  function* faults() {
    if (width > innerWidth) yield `scrolls sideways, ${width} px wide in a window of ${innerWidth}`;
    for (const part of all("article :is(p, code, pre, table, img, figure, .katex .base, dt)"))
      if (visible(part) && cut(part)) yield `is cut off: ${text(part)}`;
    for (const link of all("article p a").filter((link) => visible(link) && hasText(link) && hasText(link.closest("p"))))
      if (!getComputedStyle(link).textDecorationLine.includes("underline"))
        yield `a link in a sentence is known by its color alone: ${text(link)}`;
    // the sidebar's, the lens where that is folded, or the search page's own
    if (searches.length !== 1) yield `${searches.length} searches on screen, not one`;
    if (typeset !== formulas) yield `${typeset} of ${formulas} formulas are set`;
    for (const formula of all(".unset-formula, .katex-error")) yield `a formula has an error: ${text(formula)}`;
    if (sources) yield `${sources} formulas show their source`;
    for (const image of all("article img")) {
      const shown = image.getBoundingClientRect().width;
      if (visible(image) && !(image.naturalWidth > 0 && shown > 0 && shown <= innerWidth))
        yield `a picture is missing or does not fit: ${image.getAttribute("src")}`;
      if (saysNothing.test(image.alt.trim())) yield `a picture does not say what it shows: ${image.alt}`;
    }
    if (language !== "en") yield `its language is ${language}`;
    if (titles.length !== 1) yield `it has ${titles.length} titles: ${titles.map(text)}`;
    for (const title of all(":is(.proof.theorem, .proof.algorithm, .admonition.exercise) > .admonition-title"))
      if (!isNumbered.test(text(title))) yield `a box has no number: ${text(title)}`;
    for (const { textContent: words } of all(".admonition-title a"))
      if (words !== words.trim()) yield `a link's line runs under a blank: "${words}"`;
    for (const box of all(".admonition.solution:not(.dropdown)"))
      if (!box.closest("details")) yield `a solution is not folded: ${text(box)}`;
    for (const fold of all("article summary[aria-label]"))
      yield `a fold is read aloud as ${fold.ariaLabel}, not as its title: ${text(fold)}`;
    yield* faint("dark");
    yield* faint("light");
  }
  return [...faults()];
}
