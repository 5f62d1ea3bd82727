// All parts of an explorer together, and their state.

// ask(values) is called when the reader moved something; the host then calls show({values, panels or error}). Where
// the host has an address of a state, addressOf(values), a button copies it.
function mount(root, spec, ask, addressOf = null) {
  look = spec.look;
  const defaults = Object.fromEntries(spec.controls.map((control) => [control.name, control.default]));
  const values = { ...defaults };
  let frames = null;
  let guess = null;
  let locked = false;
  // Between states far apart curves move, so that the eye can follow; under a finger they are there at once.
  let eased = false;
  const ease = (act) => {
    eased = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    act();
    eased = false;
  };
  const moved = (name) => (value) => {
    values[name] = value;
    ask({ ...values }); // the book answers at once, and all is drawn
    draw(); // Python takes a while: the cursor goes ahead
  };
  const controls = spec.controls.map(({ name, kind }, i) => {
    const go = moved(name);
    return CONTROLS[kind](spec.controls[i], kind === "choice" ? (value) => ease(() => go(value)) : go);
  });
  const move = (target) => {
    Object.assign(values, target);
    spec.controls.forEach(({ name }, i) => controls[i].set(values[name]));
  };
  const moveAndAsk = (target) => {
    move(target);
    ask({ ...values });
    draw();
  };
  const set = (name, value) => {
    values[name] = value;
    ask({ ...values });
    draw();
  };
  const lights = [];
  const hands = {
    set,
    value: (name) => values[name],
    control: (name) => spec.controls.find((control) => control.name === name),
    enabled: () => !locked,
    marker: spec.predict?.marker,
    eases: () => eased,
    manyPanels: spec.panels.filter(({ kind }) => !["readout", "pick"].includes(kind)).length > 3,
    manyPlots: spec.panels.filter(({ kind }) => kind === "plot").length > 1,
    setSliders(target) {
      const stops = {};
      for (const { name, values: all } of spec.controls)
        if (name in target) stops[name] = all[nearest(all, target[name])];
      if (Object.keys(stops).some((name) => stops[name] !== values[name])) moveAndAsk(stops);
    },
    onLight: (link, act) => lights.push([link, act]),
    light: (link, indices) => lights.forEach(([own, act]) => own === link && act(indices)),
  };

  const reset = element("button", { type: "button", class: "quiet" }, "Reset");
  reset.addEventListener("click", () => ease(() => moveAndAsk(defaults)));
  const copy = addressOf && copyButton(() => addressOf(values));
  const buttons = element("div", { class: "buttons" }, reset, copy);
  const presets = element("p", { class: "buttons", role: "group", "aria-label": "Examples" });
  for (const [label, target] of Object.entries(spec.presets || {})) {
    const button = element("button", { type: "button", class: "quiet" }, label);
    button.addEventListener("click", () => ease(() => moveAndAsk(target)));
    presets.append(button);
  }
  const nodes = controls.map(({ node }) => node).filter(Boolean);
  const board = element("fieldset", { class: "controls" }, element("legend", {}, "Controls"), ...nodes);
  const titled = (kind, text) => (text ? element("p", { class: kind }, text) : null);
  const slots = spec.panels.map((panel, i) => element("div", { class: "drawing", "data-panel": i }));
  const drawings = spec.panels.map((panel, i) => DRAW[panel.kind](slots[i], panel, hands));
  const figures = spec.panels.map(({ kind, title }, i) =>
    element("div", { class: `panel is-${kind}` }, kind !== "pick" && title ? titled("title", title) : null, slots[i]),
  );
  const [said, pictures] = [true, false].map((wanted) =>
    figures.filter((figure, i) => ["readout", "pick"].includes(spec.panels[i].kind) === wanted),
  );
  const alert = element("p", { class: "error", role: "alert" });
  const place = (value) => {
    guess = { name: spec.predict.marker, value };
    draw();
  };
  const lock = (wanted) => {
    locked = wanted;
    root.classList.toggle("asking", locked);
    for (const part of [board, reset, ...presets.children]) part.disabled = locked;
  };
  // Until then a panel shows the series that the question needs; without a label, whether it shows all of itself.
  const isNeeded = (panel, label) =>
    spec.predict.shows.some(([title, one]) => title === panel.title && (one === null || one === label));
  const isHidden = (panel, label) => locked && !isNeeded(panel, label);
  const isEmpty = (panel, series) =>
    locked &&
    !panel.handles &&
    !panel.toggles &&
    !(guess && panel.cursor === guess.name) && // the marker is on it
    series.every(({ label }) => isHidden(panel, label));
  const focusFirst = () => {
    const inPlot = { points: ".handle", toggles: ".switch-point[tabindex='0']" }[spec.controls[0]?.kind];
    root.querySelector(inPlot || ".controls :is(input, select)")?.focus({ preventScroll: true });
  };
  const unlock = (byHand) => {
    lock(false);
    draw();
    if (!byHand) return;
    if (Object.keys(spec.predict.at).length) ease(() => moveAndAsk(spec.predict.at));
    focusFirst();
  };
  const first = spec.predict && question(spec.predict, spec.controls, place, unlock);
  lock(Boolean(first));

  // Controls and readout stay in view while the panels scroll (see .board in the stylesheet), if there is room; on a
  // phone the control that was used last, with a readout that fits.
  const [words, ...others] = said.filter((figure) => figure.matches(".is-readout"));
  const isHigher = (share, ...parts) =>
    parts.reduce((sum, part) => sum + (part?.offsetHeight || 0), 0) > share * innerHeight;
  let used = null;
  const use = (node) => {
    if (!node) return;
    used?.classList.remove("in-use");
    node.classList.add("in-use");
    used = node;
    const isShort = !others.length && !isHigher(0.2, used, words);
    root.style.setProperty("--in-use", `${used.offsetHeight}px`);
    words?.classList.toggle("short", isShort);
  };
  for (const act of ["focusin", "pointerdown"])
    root.addEventListener(act, ({ target }) => use(target.closest(".board .control")));
  const rows = element("div", { class: "panels" }, ...pictures);
  const head = element("div", { class: "board" }, nodes.length ? board : null, ...said);
  fill(root, { role: "group", tabindex: -1, "aria-label": spec.title || "Explorer", style: colors() }, [
    titled("heading", spec.title),
    titled("hint", spec.hint),
    first?.box,
    head,
    presets.children.length ? presets : null,
    alert,
    rows,
    controls.length ? buttons : null,
  ]);

  // A panel is drawn again only if its numbers, its cursors or its size are others than before. Sizes are read when
  // they change and not at each move: to read one lays out the page anew, which takes long on a long page.
  const drawn = spec.panels.map(() => null);
  let widths = spec.panels.map(() => 0);
  let [whole, em, taller] = [0, 0, 0];
  const textSize = () => parseFloat(getComputedStyle(rows.querySelector(".stage") || rows).fontSize) / 13;
  // A panel and the plots beside it, which are as wide; where panels stand one below the other, the panel alone.
  const isBeside = (i, j) => 2 * widths[i] <= whole && Math.abs(widths[j] - widths[i]) < 1;
  const abreast = (i) => spec.panels.filter((panel, j) => j === i || (panel.kind === "plot" && isBeside(i, j)));
  const isByHeat = (i) => {
    const row = spec.panels.filter((_, j) => isBeside(i, j));
    return row.length * widths[i] <= whole && row.some(({ kind }) => kind === "heat");
  };
  function draw() {
    if (!frames) return;
    widths = widths.map((width, i) => width || slots[i].clientWidth);
    whole ||= rows.clientWidth;
    em ||= textSize();
    spec.panels.forEach((panel, i) => {
      const hides = (label) => isHidden(panel, label);
      const [width, beside] = [widths[i], abreast(i)];
      const room = { width, em, taller, abreast: beside, isByHeat: isByHeat(i) };
      const held = [...(panel.drag || []), panel.handles, panel.toggles, panel.choose].map((name) => values[name]);
      const state = [frames[i], values[panel.cursor], guess, width, em, taller, beside.length, room.isByHeat, locked, ...held];
      if (drawn[i] && state.every((part, j) => part === drawn[i][j])) return;
      drawings[i](frames[i], { values, guess, hides, ...room });
      if (panel.kind !== "plot") figures[i].hidden = hides();
      else figures[i].classList.toggle("empty", isEmpty(panel, frames[i].series)); // to imagine the curves on
      drawn[i] = state;
    });
  }
  new ResizeObserver(() => {
    widths = slots.map((slot) => slot.clientWidth);
    whole = rows.clientWidth;
    em = textSize();
    const sticks = isHigher(1, root) && !isHigher(0.5, head);
    use(used || nodes[0]);
    head.classList.toggle("sticks", sticks);
    draw();
  }).observe(root);

  move({});
  return {
    values,
    move,
    reveal: () => first?.reveal(),
    stretch(pixels) {
      taller = pixels; // of plots, where a slide has room
      draw();
    },
    show(picture) {
      alert.textContent = picture.error || "";
      root.classList.toggle("stale", Boolean(picture.error));
      if (picture.panels) frames = picture.panels;
      draw();
    },
  };
}

// A button that copies an address, and says so; where the browser refuses, it shows the address to be copied by hand.
function copyButton(address) {
  const button = element("button", { type: "button", class: "quiet" }, "Copy link to this state");
  const status = element("span", { class: "copied", role: "status" });
  button.addEventListener("click", async () => {
    status.replaceChildren();
    try {
      await navigator.clipboard.writeText(address());
      status.append("Copied.");
    } catch {
      const text = element("input", { type: "text", readonly: true, value: address(), "aria-label": "Link" });
      status.append("Copy it from here: ", text);
      text.focus();
      text.select();
    }
  });
  return element("span", {}, button, status);
}
