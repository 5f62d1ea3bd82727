// The host of the built book: the element <kernlib-explorer> and the links to its states.

// Explorers begin when they come near the screen; until then, and in print, the plain figure stands for them.
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) setTimeout(() => target.begin());
  },
  { rootMargin: "800px 0px" },
);

class BookExplorer extends HTMLElement {
  connectedCallback() {
    this.closest(".output")?.classList.add("holds-explorer"); // for the stylesheet
    addEventListener("hashchange", this); // anew where a script takes the element out and puts it back
    if (this.view) return;
    // The parser may be at its first tag, or the numbers in a script that is deferred: then they are still to come.
    if (this.numbers()) this.arrive();
    else addEventListener("DOMContentLoaded", () => this.arrive(), { once: true });
    this.addEventListener("focusin", this);
  }

  numbers() {
    return this.querySelector("script")?.textContent;
  }

  // One at the top of a page begins before it is painted, or the page would jump. Its script is within the page; else
  // measuring it would lay out the whole page before the first frame.
  arrive() {
    const first = this === document.querySelector("kernlib-explorer");
    const wanted = this.isNamed() || (this.id && location.hash === `#${this.id}`); // whoever came for it waits for it
    const section = wanted && this.closest(".bd-article > section > section");
    if (section) for (const near of [section, section.previousElementSibling]) near?.classList.add("near"); // as in page.js
    if (wanted) this.reach();
    else if (first && document.readyState === "loading" && this.getBoundingClientRect().top < innerHeight) this.begin();
    else near.observe(this);
  }

  disconnectedCallback() {
    removeEventListener("hashchange", this);
    near.unobserve(this);
  }

  handleEvent({ type, target }) {
    if (type === "hashchange" && this.isNamed()) this.reach();
    if (type !== "focusin" || this.view) return;
    this.begin(); // the keyboard came to the plain figure, which goes
    if (!target.checkVisibility?.()) this.querySelector("input, select, button")?.focus();
  }

  // A reader who comes for one that is folded finds it open, in the state that the address names.
  reach() {
    for (let fold = this.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    if (this.view) this.fromAddress();
    else this.begin();
  }

  isNamed() {
    return Boolean(this.dataset.name && partOf(this.dataset.name));
  }

  // Read the numbers, and put the controls and panels in place of the plain figure.
  begin() {
    if (this.view || !this.numbers()) return;
    near.unobserve(this);
    const { spec, frames, pool } = JSON.parse(this.numbers());
    const revive = (value) => {
      if (value === null || typeof value !== "object") return value;
      if ("#" in value) return pool[value["#"]];
      if (Array.isArray(value)) return value.map(revive);
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, revive(part)]));
    };
    const revived = frames.map(() => new Map()); // so that an unchanged panel is the same object
    const controls = new Map(spec.controls.map((control) => [control.name, control]));
    const place = (name, values) => controls.get(name).values.indexOf(values[name]);
    const compute = computedPanels(spec);
    this.picture = (values) =>
      spec.panels.map((panel, i) => {
        if (panel.computed) return compute(panel, values);
        const at = panel.depends.reduce(
          (sum, name) => sum * controls.get(name).values.length + place(name, values),
          0,
        );
        if (!revived[i].has(at)) revived[i].set(at, revive(frames[i][at]));
        return revived[i].get(at);
      });
    const all = (values) => spec.controls.map(({ name }) => setting(name, values)).join(",");
    const root = document.createElement("div");
    this.append(root);
    this.spec = spec;
    this.view = mount(
      root,
      spec,
      (values) => {
        this.view.show({ panels: this.picture(values) });
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.toAddress(), 250); // browsers count how often it changes
      },
      spec.name && spec.controls.length ? (values) => addressWith(spec.name, all(values)) : null,
    );
    const named = this.isNamed();
    this.fromAddress();
    this.classList.add("ready"); // only now, all being well, the plain figure goes
    if (named && parts()[0].startsWith(`${spec.name}:`)) this.scrollIntoView();
    // a script of Sphinx may have made it "?full="
    if (named && new URLSearchParams(location.search).has("full")) this.alone(root);
  }

  // Alone on the screen, above all of the page, and as large as it fits, for a projector.
  alone(root) {
    const leave = () => location.replace(location.pathname + location.hash);
    const button = element("button", { type: "button", class: "quiet" }, "Back to the page (Esc)");
    button.addEventListener("click", leave);
    addEventListener("keydown", ({ key }) => key === "Escape" && leave());
    [root, ...root.querySelectorAll(".buttons")].pop().append(button);
    this.classList.add("full");
    document.body.classList.add("holds-full-explorer");
    this.popover = "manual";
    this.showPopover?.();
    const fit = () => {
      let zoom = 1.8;
      do this.style.zoom = zoom -= 0.1;
      while (zoom > 1.05 && this.scrollHeight > this.clientHeight);
    };
    new ResizeObserver(fit).observe(this); // another zoom or window changes its size
  }

  // What an address doesn't name stands as in the first picture.
  fromAddress() {
    const target = Object.fromEntries(this.spec.controls.map((control) => [control.name, control.default]));
    let hasValues = false;
    for (const part of (partOf(this.spec.name) || ":").slice(this.spec.name.length + 1).split(",")) {
      const [name, text] = part.split("=").map(decoded);
      const control = this.spec.controls.find((control) => control.name === name);
      const value = control && text !== undefined ? meant(control, text) : undefined;
      if (value === undefined) continue;
      target[name] = value;
      hasValues = true;
    }
    this.view.move(target);
    this.view.show({ panels: this.picture(this.view.values) });
    if (hasValues) this.view.reveal(); // who follows a link to a state is to see that state
  }

  toAddress() {
    const { name, controls } = this.spec;
    if (!name) return;
    const { values } = this.view;
    const changed = controls.filter((control) => textOf(values[control.name]) !== textOf(control.default));
    const settings = changed.map((control) => setting(control.name, values)).join(",");
    history.replaceState(history.state, "", addressWith(name, settings));
  }

  // A link on this page leads here.
  follow() {
    this.reach();
    this.scrollIntoView();
    this.querySelector("[role=group]").focus({ preventScroll: true });
  }
}

// Links to states on their own page move their explorer, also where the address has the state already.
function followLink(event) {
  const link = event.target.closest?.("a[href*='#']");
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const [page, hash] = link.href.split("#");
  const [, name, settings] = /^([a-z][a-z0-9-]*):([^;]*)$/.exec(hash) || [];
  const explorer = name && document.querySelector(`kernlib-explorer[data-name="${name}"]`);
  if (!explorer || page !== location.href.split("#")[0]) return;
  event.preventDefault();
  history.pushState(null, "", addressWith(name, settings)); // Back leads to where the link was
  explorer.follow();
}
