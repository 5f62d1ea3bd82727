// What a look at a page finds, as plain data, or faint text alone. Run in the page by conftest.py's `visit`.
(part) => {
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
  const ground = once((element) => {
    if (!element) return [255, 255, 255];
    const own = rgba(getComputedStyle(element).backgroundColor);
    return own.alpha === 1 ? own.channels : over(own, ground(element.parentElement));
  });
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

  if (part === "faint")
    return all("main *, .bd-sidebar-primary *")
      .filter((e) => hasText(e) && !e.closest(".katex, svg, .headerlink") && visible(e))
      .map((e) => ({ text: e.textContent.trim().slice(0, 40), tag: e.tagName + "." + e.className, contrast: contrast(e) }))
      .filter((e) => e.contrast < 4.5);

  return {
    width: document.scrollingElement.scrollWidth,
    window: innerWidth,
    language: document.documentElement.lang,
    searches: all(".search-button__button, form.bd-search").filter(onScreen).map((e) => e.outerHTML.slice(0, 80)),
    formulas: all(".math").length,
    typeset: all(".math .katex").length,
    formulaErrors: all(".unset-formula, .katex-error").map((e) => e.textContent),
    rawFormulas: [...document.querySelector("article, main").innerText.matchAll(/\\\(|\\\[|\$\$/g)].length,
    cut: all("article :is(p, code, pre, table, img, figure, .katex .base, dt)")
      .filter((e) => visible(e) && cut(e))
      .map((e) => e.textContent.trim().slice(0, 60)),
    plain: all("article p a")
      .filter((link) => visible(link) && hasText(link) && hasText(link.closest("p")))
      .filter((link) => !getComputedStyle(link).textDecorationLine.includes("underline"))
      .map((link) => link.textContent),
    alts: all("article img").map((image) => (image.getAttribute("alt") ?? "").trim()),
    links: all("a[href]").map((link) => link.getAttribute("href")),
    titles: all("main h1").filter((title) => !title.closest(".onlyprint")).map((title) => title.textContent),
    boxes: all(":is(.proof.theorem, .proof.algorithm, .admonition.exercise) > .admonition-title").map((title) =>
      title.textContent.trim()
    ),
    blanks: all(".admonition-title a").map((link) => link.textContent).filter((text) => text !== text.trim()),
    unfolded: all(".admonition.solution:not(.dropdown)")
      .filter((box) => !box.closest("details"))
      .map((box) => box.textContent.trim().slice(0, 60)),
    labels: all("article summary[aria-label]").map((fold) => [fold.ariaLabel, fold.textContent.trim().slice(0, 60)]),
    images: all("article img").filter(visible).map((image) => ({
      source: image.getAttribute("src"),
      natural: image.naturalWidth,
      shown: image.getBoundingClientRect().width,
    })),
  };
}
